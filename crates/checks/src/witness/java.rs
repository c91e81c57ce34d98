//! Witnesses as Java that people read and compile.
//!
//! The same calls as the recipe, in source. Casts stand where an overload would otherwise be picked by
//! the compiler that the recipe does not mean.

mod expression;
mod file;
mod names;

pub use file::{Form, render_calls_file, render_file};

use program::Program;

use super::recipe::{Answer, Effect, Operand, Question, Step, Witness};
use expression::Writer;
pub(crate) use expression::{literal_text, string_text};

/// The statements that build the objects.
pub fn render_statements(program: &Program, witness: &Witness) -> String {
    let mut writer = Writer::new(program, None);
    writer.declare(witness);
    writer.lines.join("\n")
}

/// The statements that build the objects, and the text of calls on what they name.
pub fn render_calls(
    program: &Program,
    witness: &Witness,
    calls: &[(String, Effect)],
) -> (String, Vec<String>) {
    let mut writer = Writer::new(program, None);
    writer.declare(witness);
    let texts = calls.iter().map(|(name, effect)| writer.effect(name, effect)).collect();
    (writer.lines.join("\n"), texts)
}

/// What was seen, one line each: `x.equals(y) = true`.
pub fn observed(witness: &Witness, answers: &[Answer]) -> Vec<String> {
    let mut lines = Vec::new();
    let is_by_chance = answers.contains(&Answer::Chance);
    let mut answers = answers.iter();
    let mut before = String::new();
    let mut by_chance: Vec<String> = Vec::new();
    for step in &witness.steps {
        match step {
            Step::Do(at, effect) => {
                let what = effect.member().map_or("a write", |member| &*member.name);
                before = format!("after {}.{what}: ", witness.names[*at]);
            }
            Step::Ask(question) => {
                let call = call_text(witness, question);
                match answers.next() {
                    Some(Answer::Boolean(value)) => lines.push(format!("{before}{call} = {value}")),
                    Some(Answer::Int(_)) if is_by_chance => by_chance.push(call),
                    Some(Answer::Int(value)) => lines.push(format!("{before}{call} = {value}")),
                    Some(Answer::Threw(class)) => {
                        lines.push(format!("{before}{call} throws {class}"))
                    }
                    Some(Answer::Seen(text)) => lines.push(format!("{before}{call}: {text}")),
                    Some(Answer::Chance) | None => by_chance.push(call),
                }
            }
        }
    }
    if let [x, y] = by_chance.as_slice() {
        lines.push(format!("{x} == {y} = false"));
    }
    lines
}

fn call_text(witness: &Witness, question: &Question) -> String {
    let arguments = question.arguments.iter().map(|operand| match operand {
        Operand::Object(at) => witness.names[*at].to_owned(),
        Operand::Null => "null".to_owned(),
    });
    let arguments: Vec<String> = arguments.collect();
    let receiver = witness.names[question.receiver];
    let is_overloaded = &*question.method.name == "equals"
        && witness.questions().any(|other| {
            other.method.name == question.method.name
                && other.method.descriptor != question.method.descriptor
        });
    let cast = if is_overloaded {
        let descriptor = &question.method.descriptor;
        let inner = descriptor.trim_start_matches("(L").split(';').next().unwrap_or_default();
        let simple = inner.rsplit(['/', '$']).next().unwrap_or(inner);
        format!("({simple}) ")
    } else {
        String::new()
    };
    format!("{receiver}.{}({cast}{})", question.method.name, arguments.join(", "))
}
