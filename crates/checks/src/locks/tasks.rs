//! Which code a thread or a future that is waited for stands for.
//!
//! A value is followed back to the lambdas and task objects that were handed to its making: through
//! constructors of the platform (`new Thread(task)`), calls that start tasks (`pool.submit(task)`), and
//! the fields that keep the result. What is not found this way is not followed, and nothing is said.

use program::{FieldId, MethodId};

use super::context::Context;
use super::facts::{Facts, What};
use super::path::{Path, Root, Step, Val};

const DEPTH: usize = 4;

/// The places, by method and pc, that made the tasks behind a value of the method.
pub(crate) fn tasks_behind(context: &Context<'_>, method: usize, val: Val) -> Vec<(MethodId, u16)> {
    let mut found = Vec::new();
    collect(context, method, val, DEPTH, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

fn collect(
    context: &Context<'_>,
    method: usize,
    val: Val,
    depth: usize,
    found: &mut Vec<(MethodId, u16)>,
) {
    if depth == 0 {
        return;
    }
    let path = context.paths.of(val.path);
    let facts = &context.slice.facts[method];
    if let Some(field) = field_of(&path) {
        for &(maker, value) in context.fields.stored(field) {
            if let Some(maker) = context.slice.index(maker) {
                collect(context, maker, value, depth - 1, found);
            }
        }
        return;
    }
    match path.root {
        Root::Alloc(maker, pc) if path.steps().is_empty() => {
            if body_of(context, maker, pc).is_some() {
                found.push((maker, pc));
            }
            let own = context.slice.index(maker).map(|it| &context.slice.facts[it]);
            let given = own.and_then(|facts| facts.creation(pc));
            for &argument in given.iter().flat_map(|it| it.arguments.iter().skip(1)).flatten() {
                collect(context, method, argument, depth - 1, found);
            }
        }
        Root::Result(number) if path.steps().is_empty() => {
            for &argument in spawned(facts, number).iter().flatten() {
                collect(context, method, argument, depth - 1, found);
            }
        }
        Root::Alloc(..)
        | Root::Result(_)
        | Root::Param(_)
        | Root::Static(_)
        | Root::Class(_)
        | Root::Text(_)
        | Root::Local(_)
        | Root::Unknown => {}
    }
}

/// The field that the value was read from.
fn field_of(path: &Path) -> Option<FieldId> {
    match (path.last(), path.root) {
        (Some(Step::Field(field)), _) | (None, Root::Static(field)) => Some(field),
        (
            Some(
                Step::Element
                | Step::Older
                | Step::Many(_)
                | Step::ReadLock
                | Step::WriteLock
                | Step::Condition,
            ),
            _,
        )
        | (
            None,
            Root::Param(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Alloc(..)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown,
        ) => None,
    }
}

/// The arguments of the call that started tasks and gave this result.
fn spawned(facts: &Facts, number: u32) -> Vec<Option<Val>> {
    let here = facts.events.iter().find_map(|event| match &event.what {
        What::Spawn(spawn) if spawn.number == number => Some(spawn.arguments.to_vec()),
        What::Spawn(_)
        | What::Call(_)
        | What::Acquire(_)
        | What::Init(_)
        | What::Wait { .. }
        | What::Notify { .. }
        | What::Join(_) => None,
    });
    here.unwrap_or_default()
}

/// The body that the task made at this place runs: a lambda's, or `run` or `call` of an object.
pub(crate) fn body_of(context: &Context<'_>, maker: MethodId, pc: u16) -> Option<usize> {
    let universe = context.universe;
    let facts = &context.slice.facts[context.slice.index(maker)?];
    if let Some(lambda) = facts.lambdas.iter().find(|lambda| lambda.pc == pc) {
        return context.slice.index(lambda.target);
    }
    let class = facts.creation(pc)?.class;
    if universe.is_platform(class) {
        return None;
    }
    let declared = universe.program.class(class)?;
    let names = &universe.program.names;
    let is_body = |method: &program::Method| {
        let name = names.bytes(method.name);
        let descriptor = names.bytes(method.descriptor);
        name == b"run" && descriptor == b"()V" || name == b"call" && descriptor.starts_with(b"()")
    };
    let mut own = declared.methods().filter(|(_, method)| is_body(method)).map(|(id, _)| id);
    own.find_map(|id| context.slice.index(id))
}
