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

/// A proof that took the contract of a judged class at its word is only as good as the verdict on that
/// class: where the rules that count were not proved of it, the proof is open too.
pub(super) fn open_what_rests_on_others(program: &Program, examined: &mut [Examined]) {
    let wholes: Vec<Whole> = examined.iter().map(|one| Whole::new(program, &one.subject)).collect();
    loop {
        let mut proved: BTreeMap<(String, Property), bool> = BTreeMap::new();
        for (one, whole) in examined.iter().zip(&wholes) {
            let Some(class) = &whole.name else { continue };
            for question in &one.questions {
                let is_proved = matches!(question.proof, Proof::Holds(_));
                proved.insert((class.clone(), question.property), is_proved);
            }
        }
        let mut is_changed = false;
        for (one, whole) in examined.iter_mut().zip(&wholes) {
            for question in &mut one.questions {
                if let Some(gap) = whole.missing(question, &proved) {
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

/// A class whose objects are judged with what they hold.
struct Whole {
    /// Nothing of a comparator on offer: that is not its class's own order.
    name: Option<String>,
    /// The classes of elements and type arguments of its fields: what containers hold.
    contents: Vec<String>,
}

impl Whole {
    fn new(program: &Program, subject: &Subject) -> Whole {
        let is_own = subject.provider.is_none();
        let name = is_own.then(|| program.class_text(program.class_name(subject.class)));
        let ancestry = program.class(subject.class).map(|class| program.ancestry(class));
        let above = ancestry.into_iter().flat_map(|ancestry| ancestry.superclasses.to_vec());
        let fields = std::iter::once(subject.class).chain(above);
        let mut contents: Vec<String> =
            fields.flat_map(|class| contents_of_fields(program, class)).collect();
        contents.sort_unstable();
        contents.dedup();
        Whole { name, contents }
    }

    /// What a proof rests on and was not proved.
    fn missing(
        &self,
        question: &Examination,
        proved: &BTreeMap<(String, Property), bool>,
    ) -> Option<Gap> {
        let Proof::Holds(scope) = &question.proof else { return None };
        let trusted = scope.assumptions.iter().filter_map(|assumption| Trust::of(assumption));
        for (class, trust) in trusted {
            for &rule in needed(trust, question.property) {
                let is_judged = proved.contains_key(&(class.to_owned(), rule));
                // A container keeps its contract if what it holds does.
                let contents = self.contents.iter().filter(|_| !is_judged).map(String::as_str);
                let mut parts = std::iter::once(class).chain(contents);
                // Of its own parts that is what remains to be shown by induction.
                let is_induction =
                    |part: &str| self.name.as_deref() == Some(part) && rule == question.property;
                let is_open = |part: &&str| {
                    !is_induction(part) && proved.get(&((*part).to_owned(), rule)) == Some(&false)
                };
                if let Some(part) = parts.find(is_open) {
                    let detail =
                        format!("it rests on {part}, of which {} was not proved", rule.name());
                    return Some(Gap::new(GapKind::Approximation, detail));
                }
            }
        }
        None
    }
}

/// The classes that the fields of a class mention beside their own types.
fn contents_of_fields(program: &Program, id: ClassId) -> Vec<String> {
    let Some(class) = program.class(id) else { return Vec::new() };
    let mut found = Vec::new();
    for (field, declared) in class.fields() {
        let ty = Type::parse(program.names.bytes(declared.descriptor), &program.names);
        if declared.access_flags.is_static() {
            continue;
        }
        if let Some(Type { element: Element::Class(name), dimensions: 1.. }) = ty {
            found.push(program.class_text(name));
        }
        if let Some(signature) = field_signature(class, field.index()) {
            let names = signature.class_names().into_iter().skip(1);
            let ids = names.filter_map(|name| program.find_class_text(name));
            found.extend(ids.map(|id| program.class_text(program.class_name(id))));
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
