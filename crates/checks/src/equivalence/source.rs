//! A trial as a Java file: compiled against one version and run, it shows what that version does.

use std::sync::Arc;

use program::{MethodDescriptor, Program};

use super::reading::{RETURNED, named_inputs, statement};
use super::story::{On, Then};
use super::trial::{CallKind, Trial};
use crate::witness::java::{Form, render_calls_file};
use crate::witness::{Access, Effect, Recipe};

/// The source of a class of this name; nothing where Java code may not make the calls.
pub fn source(
    program: &Program,
    trial: &Trial,
    (name, about, form): (&str, &[String], Form),
) -> Option<String> {
    // What a callback does to its caller takes an implementation of its own.
    let is_closed = trial.method.access == Access::Closed || trial.construction() == Access::Closed;
    if is_closed || !trial.meanwhile.is_empty() {
        return None;
    }
    let (objects, mut witness) = named_inputs(trial);
    let skipped = usize::from(trial.kind == CallKind::Instance);
    let (method, arguments) = (trial.method.clone(), objects[skipped..].to_vec());
    let mut calls: Vec<(Option<String>, Effect)> = Vec::new();
    let mut is_printed = Vec::new();
    let descriptor = MethodDescriptor::parse(method.descriptor.as_bytes())?;
    let gives = descriptor.result_type(&program.names).is_some();
    match trial.kind {
        CallKind::Constructor => {
            witness.names.push("result");
            witness.objects.push(Arc::new(Recipe::New { constructor: method, arguments }));
        }
        CallKind::Instance | CallKind::Static => {
            let receiver = (trial.kind == CallKind::Instance).then(|| "x".to_owned());
            calls.push((receiver, Effect::Call { method, arguments }));
            is_printed.push(gives && !trial.calls_returned());
        }
    }
    let n_main = calls.len();
    for further in &trial.then {
        if let Then::Call { on, method, arguments } = &further.what {
            let name = match on {
                On::Class => None,
                On::Receiver => Some("x".to_owned()),
                On::Result | On::Returned => Some("result".to_owned()),
            };
            let (method, arguments) = (method.clone(), arguments.clone());
            let descriptor = MethodDescriptor::parse(method.descriptor.as_bytes())?;
            is_printed.push(descriptor.result_type(&program.names).is_some());
            calls.push((name, Effect::Call { method, arguments }));
        }
    }
    let arrange = |texts: Vec<String>| {
        let lines = texts.into_iter().zip(is_printed).map(|(text, is_printed)| match is_printed {
            true => format!(
                "System.out.println(java.util.Arrays.deepToString(new Object[] {{{text}}}))"
            ),
            false => text,
        });
        let mut lines: Vec<String> = lines.collect();
        if trial.calls_returned() {
            lines[0].insert_str(0, RETURNED);
        }
        in_order(trial, n_main, lines)
    };
    Some(render_calls_file(program, (&witness, &calls), (name, about, form), arrange))
}

/// The statements: the call, and what is done after it.
fn in_order(trial: &Trial, n_main: usize, mut lines: Vec<String>) -> Vec<String> {
    let mut further = lines.split_off(n_main).into_iter();
    let mut all: Vec<String> = lines.into_iter().map(|line| format!("{line};")).collect();
    all.extend(trial.then.iter().map(|then| statement(trial, then, &mut further).1));
    all
}
