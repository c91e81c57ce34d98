//! Verdicts that rest on others: an object is judged with what it holds, and that may be broken itself.

use std::collections::BTreeMap;

use program::{ClassId, Element, Program, Type};

use super::survey::Survey;
use crate::finding::Finding;
use crate::verdict::Verdict;

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
    let named = format!(" as {class}, ");
    assumptions.iter().any(|assumption| assumption.contains(&named))
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
