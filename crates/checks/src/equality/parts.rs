//! Verdicts that rest on others: an object is judged with what it holds, and that may be broken itself.

use std::collections::BTreeMap;

use program::{ClassId, Element, Program, Type};
use symex::symbolic::Trust;

use super::proof::Proof;
use super::property::Property;
use super::search::{Examination, Examined};
use super::subjects::Subject;
use super::survey::Survey;
use crate::finding::Finding;
use crate::verdict::{Gap, GapKind, Verdict};
use crate::witness::supply::field_signature;

/// A proof that took the contract of a judged class at its word is only as good as the verdicts on that
/// class and on those below it: where the rules that count were not proved of all, the proof is open too.
pub(super) fn open_what_rests_on_others(survey: &Survey<'_>, examined: &mut [Examined]) {
    let wholes: Vec<Whole> =
        examined.iter().map(|one| Whole::new(survey.program, &one.subject)).collect();
    let mut judged = Judged { survey, proved: BTreeMap::new(), below: BTreeMap::new() };
    loop {
        for (one, whole) in examined.iter().zip(&wholes) {
            let Some(class) = whole.class else { continue };
            for question in &one.questions {
                let is_proved = matches!(question.proof, Proof::Holds(_));
                judged.proved.insert((class, question.property), is_proved);
            }
        }
        let mut is_changed = false;
        for (one, whole) in examined.iter_mut().zip(&wholes) {
            for question in &mut one.questions {
                if let Some(gap) = whole.missing(question, &mut judged) {
                    question.proof = Proof::Open(vec![gap]);
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// What came of all questions so far.
struct Judged<'s, 'p> {
    survey: &'s Survey<'p>,
    proved: BTreeMap<(ClassId, Property), bool>,
    /// By class, itself and those below it.
    below: BTreeMap<ClassId, Vec<ClassId>>,
}

impl Judged<'_, '_> {
    fn is_judged(&self, class: ClassId, rule: Property) -> bool {
        self.proved.contains_key(&(class, rule))
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
            let owner = line.find(|&&id| self.proved.contains_key(&(id, rule)));
            if let Some(&owner) = owner
                && !found.contains(&owner)
            {
                found.push(owner);
            }
        }
        found
    }
}

/// A class whose objects are judged with what they hold.
struct Whole {
    /// Nothing of a comparator on offer: that is not its class's own order.
    class: Option<ClassId>,
    /// The classes of elements and type arguments of its fields: what containers hold.
    contents: Vec<ClassId>,
}

impl Whole {
    fn new(program: &Program, subject: &Subject) -> Whole {
        let ancestry = program.class(subject.class).map(|class| program.ancestry(class));
        let above = ancestry.into_iter().flat_map(|ancestry| ancestry.superclasses.to_vec());
        let fields = std::iter::once(subject.class).chain(above);
        let mut contents: Vec<ClassId> =
            fields.flat_map(|class| contents_of_fields(program, class)).collect();
        contents.sort_unstable();
        contents.dedup();
        Whole { class: subject.provider.is_none().then_some(subject.class), contents }
    }

    /// What a proof rests on and was not proved.
    fn missing(&self, question: &Examination, judged: &mut Judged<'_, '_>) -> Option<Gap> {
        let Proof::Holds(scope) = &question.proof else { return None };
        let program = judged.survey.program;
        let trusted = scope.assumptions.iter().filter_map(|assumption| Trust::of(assumption));
        for (name, trust) in trusted {
            let Some(class) = program.find_class_text(&name.replace('.', "/")) else { continue };
            for &rule in needed(trust, question.property) {
                // A container keeps its contract if what it holds does.
                let is_judged = judged.is_judged(class, rule);
                let contents = self.contents.iter().filter(|_| !is_judged);
                for &held in std::iter::once(&class).chain(contents) {
                    if let Some(part) = self.unproved(held, rule, question.property, judged) {
                        return Some(rests_on_unproved(program, held, part, rule));
                    }
                }
            }
        }
        None
    }

    /// A class whose objects may be held as this one, and of which a rule was not proved.
    fn unproved(
        &self,
        held: ClassId,
        rule: Property,
        wanted: Property,
        judged: &mut Judged<'_, '_>,
    ) -> Option<ClassId> {
        // Of its own parts that is what remains to be shown by induction.
        let is_induction = |part: ClassId| self.class == Some(part) && rule == wanted;
        let parts = judged.answering(held, rule);
        let is_open = |&part: &ClassId| {
            !is_induction(part) && judged.proved.get(&(part, rule)) == Some(&false)
        };
        parts.into_iter().find(is_open)
    }
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

/// The classes that the fields of a class mention beside their own types.
fn contents_of_fields(program: &Program, id: ClassId) -> Vec<ClassId> {
    let Some(class) = program.class(id) else { return Vec::new() };
    let mut found = Vec::new();
    for (field, declared) in class.fields() {
        let ty = Type::parse(program.names.bytes(declared.descriptor), &program.names);
        if declared.access_flags.is_static() {
            continue;
        }
        if let Some(Type { element: Element::Class(name), dimensions: 1.. }) = ty {
            found.extend(program.find_class(name));
        }
        if let Some(signature) = field_signature(class, field.index()) {
            let names = signature.class_names().into_iter().skip(1);
            found.extend(names.filter_map(|name| program.find_class_text(name)));
        }
    }
    found
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
