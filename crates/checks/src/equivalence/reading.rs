//! Trials and what came of them as text for people.

use std::sync::Arc;

use program::Program;

use super::story::{Further, On, Then};
use super::trial::{CallKind, Trial};
use crate::witness::java::render_calls;
use crate::witness::{Effect, Recipe, Witness};

/// Of a part that both versions show differently, so much is printed around the difference.
const AROUND: usize = 60;
const MOST_TEXT: usize = 200;
/// In front of a call of which the result is used.
pub(super) const RETURNED: &str = "var result = ";

/// The Java of a trial, and the text of each thing that is done after the call.
pub(super) fn scene(program: &Program, trial: &Trial) -> (String, Vec<String>) {
    let class = trial.method.class.rsplit(['/', '$']).next().unwrap_or_default();
    let (objects, mut witness) = named_inputs(trial);
    let skipped = usize::from(trial.kind == CallKind::Instance);
    let arguments = objects[skipped..].to_vec();
    let method = trial.method.clone();
    let mut calls: Vec<(String, Effect)> = Vec::new();
    match trial.kind {
        CallKind::Constructor => {
            witness.names.push("result");
            witness.objects.push(Arc::new(Recipe::New { constructor: method, arguments }));
        }
        CallKind::Instance => calls.push(("x".to_owned(), Effect::Call { method, arguments })),
        CallKind::Static => calls.push((class.to_owned(), Effect::Call { method, arguments })),
    }
    let n_main = calls.len();
    for further in trial.then.iter().chain(&trial.meanwhile) {
        if let Then::Call { on, method, arguments } = &further.what {
            let name = match on {
                On::Class => class,
                On::Receiver => "x",
                On::Result | On::Returned => "result",
            };
            let (method, arguments) = (method.clone(), arguments.clone());
            calls.push((name.to_owned(), Effect::Call { method, arguments }));
        }
    }
    let (mut text, mut texts) = render_calls(program, &witness, &calls);
    let mut further_texts = texts.split_off(n_main).into_iter();
    if let [call] = &mut texts[..]
        && trial.calls_returned()
    {
        call.insert_str(0, RETURNED);
    }
    let mut steps = Vec::new();
    for (at, further) in trial.then.iter().chain(&trial.meanwhile).enumerate() {
        let (step, line) = statement(trial, further, &mut further_texts);
        if at < trial.then.len() {
            texts.push(line);
            steps.push(step);
        } else {
            texts.insert(0, format!("// What is called back first does this: {line}"));
        }
    }
    for line in texts {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&line);
    }
    (text, steps)
}

/// What is done after a call or during it: once, and as often as it is. Calls have these texts.
pub(super) fn statement(
    trial: &Trial,
    further: &Further,
    calls: &mut impl Iterator<Item = String>,
) -> (String, String) {
    let step = match &further.what {
        Then::Alter(at) => alteration(trial.witness.names[*at], &trial.witness.objects[*at]),
        Then::AlterReturned(statement) => Some((*statement).to_owned()),
        Then::Call { .. } => calls.next().map(|call| call.trim_end_matches(';').to_owned()),
    };
    let step = step.unwrap_or_default();
    let line = match further.times {
        1 => format!("{step};"),
        times => format!("for (int i = 0; i < {times}; i++) {step};"),
    };
    (step, line)
}

/// The inputs, and those of them that need names.
pub(super) fn named_inputs(trial: &Trial) -> (Vec<Arc<Recipe>>, Witness) {
    let objects: Vec<Arc<Recipe>> = trial
        .witness
        .objects
        .iter()
        .enumerate()
        .map(|(at, object)| match &**object {
            plain if plain.is_plain() => object.clone(),
            Recipe::Shared(..) => object.clone(),
            _ => Arc::new(Recipe::Shared(4_000_000 + at as u32, object.clone())),
        })
        .collect();
    let named = trial.witness.names.iter().zip(&objects).filter(|(_, object)| !object.is_plain());
    let mut witness = Witness { names: Vec::new(), objects: Vec::new(), steps: Vec::new() };
    for (&name, object) in named {
        witness.names.push(name);
        witness.objects.push(object.clone());
    }
    (objects, witness)
}

/// The statement that writes to what a recipe makes, if it makes something that can be written to.
pub(super) fn alteration(name: &str, recipe: &Recipe) -> Option<String> {
    match recipe {
        Recipe::Array { items, .. } if items.is_empty() => None,
        Recipe::Array { component, .. } => Some(match &**component {
            "Z" => format!("{name}[0] = !{name}[0]"),
            "B" | "C" | "S" | "I" | "J" | "F" | "D" => format!("{name}[0]++"),
            _ => format!("{name}[0] = null"),
        }),
        Recipe::Shared(_, inner) => alteration(name, inner),
        Recipe::After { object, .. } => alteration(name, object),
        Recipe::New { constructor, .. } => match &*constructor.class {
            "java/util/ArrayList" | "java/util/HashMap" | "java/util/HashSet" => {
                Some(format!("{name}.clear()"))
            }
            _ => None,
        },
        Recipe::Null
        | Recipe::Literal(_)
        | Recipe::Boxed(_)
        | Recipe::Text(_)
        | Recipe::Class(_)
        | Recipe::Static { .. }
        | Recipe::Call { .. }
        | Recipe::Constant(_)
        | Recipe::Stub(_) => None,
    }
}

/// What one version showed, with the steps by their text; where long texts differ, what is around it.
pub(super) fn shown(one: &str, other: &str, steps: &[String]) -> String {
    let parts = one.split('\t').map(|part| {
        let label = |part: &str| part.split([' ', '=']).take(3).collect::<Vec<_>>().join(" ");
        let beside = other.split('\t').find(|it| label(it) == label(part)).unwrap_or_default();
        let mut text = excerpt(part, beside);
        for (at, step) in steps.iter().enumerate() {
            text = text.replace(&format!("#{}#", at + 1), step);
        }
        text
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn excerpt(part: &str, beside: &str) -> String {
    if part.chars().count() <= MOST_TEXT {
        return part.to_owned();
    }
    let chars: Vec<char> = part.chars().collect();
    let n_same = chars.iter().zip(beside.chars()).take_while(|(a, b)| **a == *b).count();
    let head: String = chars.iter().take(AROUND).collect();
    if n_same <= 2 * AROUND {
        let more: String = chars.iter().take(MOST_TEXT).collect();
        return format!("{more}…");
    }
    let from = n_same - AROUND / 2;
    let around: String = chars[from..].iter().take(2 * AROUND).collect();
    let rest = if from + 2 * AROUND < chars.len() { "…" } else { "" };
    format!("{head} … {around}{rest}")
}
