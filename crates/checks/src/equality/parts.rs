//! Verdicts that rest on others: an object is judged with what it holds, and that may be broken itself.

use std::collections::{BTreeMap, BTreeSet};

use program::{Class, ClassId, Element, Program, Type};
use symex::symbolic::Trust;

use super::lawless::open_what_own_code_breaks;
use super::proof::Proof;
use super::property::Property;
use super::search::Examination;
use super::strangers::open_what_strangers_accept;
use super::survey::Survey;
use crate::finding::Finding;
use crate::verdict::{Gap, GapKind, Verdict};
use crate::witness::access::is_open_to_all;
use crate::witness::supply::field_signature;

/// A question, and what is known about it when a JVM has been asked.
pub(super) struct Asked<'q> {
    pub(super) class: ClassId,
    /// Of a comparator on offer: that is not its class's own order.
    pub(super) is_offer: bool,
    pub(super) question: &'q mut Examination,
    /// The classes of objects that break the rule, if there are any.
    pub(super) broken_by: Option<Vec<ClassId>>,
}

impl Asked<'_> {
    fn is_proved(&self) -> bool {
        self.broken_by.is_none() && matches!(self.question.proof, Proof::Holds(_))
    }
}

/// A proof that took the contract of a judged class at its word is only as good as the verdicts on that
/// class and on those below it: where the rules that count were not proved of all, the proof is open too.
/// Of a type that anybody may implement, a contract is all there is: there it takes one that breaks it.
pub(super) fn open_what_rests_on_others(survey: &Survey<'_>, asked: &mut [Asked<'_>]) {
    open_what_pairs_refute(survey.program, asked);
    open_what_strangers_accept(survey, asked);
    open_what_own_code_breaks(survey.program, asked);
    let mut wholes: BTreeMap<ClassId, Whole> = BTreeMap::new();
    for one in asked.iter() {
        wholes.entry(one.class).or_insert_with(|| Whole::new(survey.program, one.class));
    }
    let mut judged = Judged { survey, standing: BTreeMap::new(), below: BTreeMap::new() };
    loop {
        let mut is_changed = false;
        for one in asked.iter().filter(|one| !one.is_offer) {
            let standing = wholes[&one.class].standing(one, &mut judged);
            let before = judged.standing.insert((one.class, one.question.property), standing);
            is_changed |= before != Some(standing);
        }
        for one in asked.iter_mut() {
            if let Some(gap) = wholes[&one.class].missing(one, &mut judged) {
                one.question.proof = Proof::Open(vec![gap]);
                is_changed = true;
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// Two objects that break symmetry speak against the classes of both, whichever of them was asked about: a
/// proof supposes that no object of another kind takes its own for equal.
fn open_what_pairs_refute(program: &Program, asked: &mut [Asked<'_>]) {
    let symmetric = |one: &Asked<'_>| one.question.property == Property::Symmetric;
    let owners: BTreeSet<ClassId> =
        asked.iter().filter(|one| symmetric(one)).map(|one| one.class).collect();
    let owner = |class: ClassId| {
        let mut line = program.ancestry(program.class(class)?).superclasses.iter().copied();
        line.find(|id| owners.contains(id))
    };
    let mut refuted_by: BTreeMap<ClassId, ClassId> = BTreeMap::new();
    for one in asked.iter().filter(|one| symmetric(one)) {
        for owner in one.broken_by.iter().flatten().filter_map(|&class| owner(class)) {
            refuted_by.entry(owner).or_insert(one.class);
        }
    }
    for one in asked.iter_mut().filter(|one| symmetric(one) && one.is_proved()) {
        if let Some(&by) = refuted_by.get(&one.class) {
            let by = program.class_text(program.class_name(by));
            let detail =
                format!("the rule is broken by objects of this class and of {by}: see there");
            one.question.proof = Proof::Open(vec![Gap::new(GapKind::Approximation, detail)]);
        }
    }
}

/// What came of all questions so far.
struct Judged<'s, 'p> {
    survey: &'s Survey<'p>,
    standing: BTreeMap<(ClassId, Property), Standing>,
    /// By class, itself and those below it.
    below: BTreeMap<ClassId, Vec<ClassId>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Proved,
    Unproved,
    /// Objects break it, or those that it holds do.
    Broken,
}

impl Judged<'_, '_> {
    fn is_judged(&self, class: ClassId, rule: Property) -> bool {
        self.standing.contains_key(&(class, rule))
    }

    /// The judged classes whose code answers for an object in a field of this type. Types of the platform
    /// have their documentation: of them only the class itself counts, not everybody who implements it.
    fn answering(&mut self, held: ClassId, rule: Property) -> Vec<ClassId> {
        let (survey, program) = (self.survey, self.survey.program);
        let is_documented = program.names.bytes(program.class_name(held)).starts_with(b"java/");
        let below = self.below.entry(held).or_insert_with(|| {
            if is_documented { vec![held] } else { survey.index.world().subtypes(held) }
        });
        let mut found: Vec<ClassId> = Vec::new();
        for class in below.iter().filter_map(|&id| program.class(id)) {
            let mut line = program.ancestry(class).superclasses.iter();
            let owner = line.find(|&&id| self.standing.contains_key(&(id, rule)));
            if let Some(&owner) = owner
                && !found.contains(&owner)
            {
                found.push(owner);
            }
        }
        found
    }
}

/// The classes of what objects of a class hold, by themselves or in containers.
pub(super) fn parts_of(program: &Program, class: ClassId) -> Vec<ClassId> {
    Whole::new(program, class).parts
}

/// A class whose objects are judged with what they hold.
struct Whole {
    class: ClassId,
    /// The classes of elements and type arguments of its fields: what containers hold.
    contents: Vec<ClassId>,
    /// These and the classes of its fields.
    parts: Vec<ClassId>,
}

impl Whole {
    fn new(program: &Program, class: ClassId) -> Whole {
        let ancestry = program.class(class).map(|class| program.ancestry(class));
        let owners = ancestry.map_or(vec![class], |ancestry| ancestry.superclasses.to_vec());
        let sorted = |mut classes: Vec<ClassId>| {
            classes.sort_unstable();
            classes.dedup();
            classes
        };
        let (held, contents): (Vec<_>, Vec<_>) =
            owners.iter().map(|&class| held_by_fields(program, class)).unzip();
        let contents = sorted(contents.concat());
        let parts = sorted([held.concat(), contents.clone()].concat());
        Whole { class, contents, parts }
    }

    fn standing(&self, asked: &Asked<'_>, judged: &mut Judged<'_, '_>) -> Standing {
        if asked.is_proved() {
            return Standing::Proved;
        }
        let mut is_broken = |part: ClassId, rule: Property| {
            let answering = judged.answering(part, rule);
            let mut standing = answering.iter().map(|&id| judged.standing.get(&(id, rule)));
            standing.any(|standing| standing == Some(&Standing::Broken))
        };
        let trusts = [Trust::Equality, Trust::Order].into_iter();
        let mut rules = trusts.flat_map(|trust| needed(trust, asked.question.property));
        let mut rests_on_broken =
            || rules.any(|&rule| self.parts.iter().any(|&part| is_broken(part, rule)));
        if asked.broken_by.is_some() || rests_on_broken() {
            Standing::Broken
        } else {
            Standing::Unproved
        }
    }

    /// That a proof takes the objects of the class itself for what they are not: by induction one rule is as
    /// good as shown of them, but a contract is all of its rules.
    fn own_breach(&self, held: ClassId, trust: Trust, judged: &mut Judged<'_, '_>) -> Option<Gap> {
        const EQUIVALENCE: [Property; 3] =
            [Property::Reflexive, Property::Symmetric, Property::Transitive];
        let broken = EQUIVALENCE.into_iter().find(|&rule| {
            judged.standing.get(&(self.class, rule)) == Some(&Standing::Broken)
                && judged.answering(held, rule).contains(&self.class)
        });
        let rule = broken.filter(|_| trust == Trust::Equality)?;
        Some(rests_on_unproved(judged.survey.program, held, self.class, rule))
    }

    /// What a proof rests on and was not proved.
    fn missing(&self, asked: &Asked<'_>, judged: &mut Judged<'_, '_>) -> Option<Gap> {
        let Proof::Holds(scope) = &asked.question.proof else { return None };
        let wanted = asked.question.property;
        let program = judged.survey.program;
        let trusted = scope.assumptions.iter().filter_map(|assumption| Trust::of(assumption));
        for (name, trust) in trusted {
            let Some(class) = program.find_class_text(&name.replace('.', "/")) else { continue };
            if let Some(gap) = self.own_breach(class, trust, judged) {
                return Some(gap);
            }
            for &rule in needed(trust, wanted) {
                // A container keeps its contract if what it holds does.
                let is_judged = judged.is_judged(class, rule);
                let contents = self.contents.iter().filter(|_| !is_judged);
                for &held in std::iter::once(&class).chain(contents) {
                    // Of its own parts that is what remains to be shown by induction.
                    let is_induction =
                        |part| !asked.is_offer && self.class == part && rule == wanted;
                    if let Some(part) = unproved(held, rule, is_induction, judged) {
                        return Some(rests_on_unproved(program, held, part, rule));
                    }
                }
            }
        }
        None
    }
}

/// A class whose objects may be held as this one, and of which a rule was not proved.
fn unproved(
    held: ClassId,
    rule: Property,
    is_induction: impl Fn(ClassId) -> bool,
    judged: &mut Judged<'_, '_>,
) -> Option<ClassId> {
    let parts = judged.answering(held, rule);
    let program = judged.survey.program;
    let anybody = program.class(held).is_some_and(|class| is_for_anybody(program, class));
    let is_open = |&part: &ClassId| match judged.standing.get(&(part, rule)) {
        _ if is_induction(part) => false,
        None | Some(Standing::Proved) => false,
        Some(Standing::Unproved) => part == held || !anybody,
        Some(Standing::Broken) => true,
    };
    parts.into_iter().find(is_open)
}

/// Whether any code may have classes of its own below this one.
fn is_for_anybody(program: &Program, class: &Class) -> bool {
    let mut constructors = class.methods.iter().filter(|it| it.name == program.known.init);
    let can_be_extended = class.is_interface()
        || constructors.any(|it| it.access_flags.is_public() || it.access_flags.is_protected());
    class.access_flags.is_abstract() && can_be_extended && is_open_to_all(program, class)
}

fn rests_on_unproved(program: &Program, held: ClassId, part: ClassId, rule: Property) -> Gap {
    let text = |class| program.class_text(program.class_name(class));
    let what = if held == part {
        format!("{}, of which", text(part))
    } else {
        format!("{} objects that it holds; of those that are {}", text(held), text(part))
    };
    let detail = format!("it rests on {what} {} was not proved", rule.name());
    Gap::new(GapKind::Approximation, detail)
}

/// What a class declares its fields to hold: the objects themselves, and, as elements and type arguments,
/// what is in those.
fn held_by_fields(program: &Program, id: ClassId) -> (Vec<ClassId>, Vec<ClassId>) {
    let (mut held, mut contents) = (Vec::new(), Vec::new());
    let Some(class) = program.class(id) else { return (held, contents) };
    for (field, declared) in class.fields().filter(|(_, it)| !it.access_flags.is_static()) {
        let ty = Type::parse(program.names.bytes(declared.descriptor), &program.names);
        if let Some(Type { element: Element::Class(name), dimensions }) = ty {
            let list = if dimensions == 0 { &mut held } else { &mut contents };
            list.extend(program.find_class(name));
        }
        if let Some(signature) = field_signature(class, field.index()) {
            let names = signature.class_names().into_iter().skip(1);
            contents.extend(names.filter_map(|name| program.find_class_text(name)));
        }
    }
    (held, contents)
}

/// The rules of a part that a rule of the whole rests on.
fn needed(trust: Trust, whole: Property) -> &'static [Property] {
    match (trust, whole) {
        (Trust::Equality, Property::Reflexive) => &[Property::Reflexive],
        (Trust::Equality, Property::Symmetric) => &[Property::Symmetric],
        (Trust::Equality, Property::Transitive) => &[Property::Transitive],
        (Trust::Equality, Property::Null) => &[Property::Null],
        (Trust::Equality, Property::Total) => &[Property::Total],
        (Trust::Equality, Property::HashConsistent) => &[Property::HashConsistent],
        (Trust::Equality, Property::HashStable) => {
            &[Property::HashConsistent, Property::HashStable]
        }
        (
            Trust::Equality,
            Property::Overloaded
            | Property::CompareAntisymmetric
            | Property::CompareTransitive
            | Property::CompareTotal
            | Property::CompareConsistent,
        ) => &[Property::Symmetric, Property::Transitive],
        (Trust::Hash, Property::HashStable) => &[Property::HashConsistent, Property::HashStable],
        // Whatever the rule, the same object has the same number, and equal ones have.
        (Trust::Hash, _) => &[Property::HashConsistent],
        (Trust::Order, Property::CompareTotal | Property::Total) => &[Property::CompareTotal],
        (
            Trust::Order,
            Property::Reflexive
            | Property::Symmetric
            | Property::Transitive
            | Property::Null
            | Property::HashConsistent
            | Property::HashStable
            | Property::Overloaded
            | Property::CompareAntisymmetric
            | Property::CompareTransitive
            | Property::CompareConsistent,
        ) => &[Property::CompareAntisymmetric, Property::CompareTransitive],
    }
}

/// Names, with each verdict, the classes of fields that are broken themselves: a violation may come from
/// there, and a proof that took their contract for granted says so.
pub fn name_broken_parts(survey: &Survey<'_>, findings: &mut [Finding]) {
    let mut broken: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
    for finding in findings.iter() {
        if let (Verdict::Violated(_), Some(class)) = (&finding.verdict, &finding.subject.class) {
            broken.entry(class.clone()).or_default().push(finding.rule.name);
        }
    }
    if broken.is_empty() {
        return;
    }
    let fields = fields_of_subjects(survey);
    for finding in findings {
        let Some(class) = &finding.subject.class else { continue };
        let Some(fields) = fields.get(class) else { continue };
        for (field, part) in fields.iter().filter(|(_, part)| part != class) {
            let Some(rules) = broken.get(part) else { continue };
            let near: Vec<&str> =
                rules.iter().copied().filter(|rule| is_kin(rule, finding.rule.name)).collect();
            if near.is_empty() {
                continue;
            }
            let near = near.join(", ");
            match &finding.verdict {
                Verdict::Violated(_) => finding.notes.push(format!(
                    "the field {field} holds a {part}, which breaks {near} itself: see there first"
                )),
                Verdict::Holds(scope) if rests_on(&scope.assumptions, part) => {
                    finding.notes.push(format!(
                        "this rests on the contract of {part} (field {field}), which breaks {near}"
                    ));
                }
                Verdict::Holds(_) | Verdict::Possible(..) | Verdict::Unknown(_) => {}
            }
        }
    }
}

/// Whether the contract of a class was taken for granted.
fn rests_on(assumptions: &[String], class: &str) -> bool {
    let mut trusted = assumptions.iter().filter_map(|assumption| Trust::of(assumption));
    trusted.any(|(trusted, _)| trusted == class)
}

/// Rules of equality and hash codes belong together, and so do those of order.
fn is_kin(one: &str, two: &str) -> bool {
    one.starts_with("compare-") == two.starts_with("compare-")
}

/// By class, its fields of judged classes.
fn fields_of_subjects(survey: &Survey<'_>) -> BTreeMap<String, Vec<(String, String)>> {
    let program = survey.program;
    let own = |id: ClassId| (program.class_text(program.class_name(id)), fields(program, id));
    survey.subjects.iter().map(|subject| own(subject.class)).collect()
}

fn fields(program: &Program, id: ClassId) -> Vec<(String, String)> {
    let Some(class) = program.class(id) else { return Vec::new() };
    let fields = class.fields().filter(|(_, field)| !field.access_flags.is_static());
    let typed = fields.filter_map(|(_, field)| {
        let ty = Type::parse(program.names.bytes(field.descriptor), &program.names)?;
        let Element::Class(name) = ty.element else { return None };
        Some((program.names.text(field.name).into_owned(), program.class_text(name)))
    });
    typed.collect()
}
