//! Code that only one thread runs, where nothing but `main` methods starts.
//!
//! A method runs at most once if it is `main`, or if a single place calls it, outside of loops, that runs
//! at most once itself. A thread is one for certain if its object is made at such a place and is used
//! for nothing but calls of its own methods, `run` aside, which hand it on to nobody: a `Thread` runs its body once in
//! its life. The body is the lambda that its constructor is given, which nothing else sees, or what a class below
//! `Thread` overrides and nobody calls. An initialiser runs in one thread.
//! Two roles of a circle in one thread do not wait for each other.

use program::ir::{Body, InvokeKind, MethodRef, Op, Terminator, Value};
use program::{ClassId, MethodId};

use super::context::Context;
use super::escape::hands_on_receiver;
use super::facts::{Facts, What};
use super::feasible::Role;
use super::path::Val;
use super::slice::Slice;
use super::universe::Universe;

/// A thread of which there is only one in a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thread {
    First,
    /// The one that initialises a class, by its initialiser.
    Initialiser(usize),
    /// The one that was made here: method and pc.
    Made(usize, u16),
}

/// Whether two roles of the circle are one thread.
pub(crate) fn is_one_thread(context: &Context<'_>, roles: &[Role<'_>]) -> bool {
    let threads: Vec<Option<Thread>> = roles.iter().map(|role| thread_of(context, role)).collect();
    threads.iter().enumerate().any(|(n, it)| it.is_some() && threads[..n].contains(it))
}

fn thread_of(context: &Context<'_>, role: &Role<'_>) -> Option<Thread> {
    if !role.pair.is_spawned && context.is_main(role.entry) {
        return Some(Thread::First);
    }
    if !role.pair.is_spawned && context.universe.is_initialiser(context.slice.methods[role.entry]) {
        return Some(Thread::Initialiser(role.entry));
    }
    if !context.universe.is_closed() || threads_are_tasks(context) {
        return None;
    }
    let (method, pc) = match role.pair.started {
        Some((method, pc)) => (method as usize, pc),
        None if role.pair.is_spawned => return None,
        None => only_thread(context, context.slice.methods[role.entry])?,
    };
    is_single_start(context, method, pc).then_some(Thread::Made(method, pc))
}

/// Where the only object is made on which the method runs as the body of a thread.
fn only_thread(context: &Context<'_>, entry: MethodId) -> Option<(usize, u16)> {
    let Context { universe, slice, .. } = context;
    let program = universe.program;
    let (class, declared) = program.method(entry);
    let is_body = program.names.bytes(declared.name) == b"run"
        && program.names.bytes(declared.descriptor) == b"()V";
    // Whoever calls it runs it in its own thread.
    if !is_body || !is_thread(universe, class.id) || context.is_called(entry) {
        return None;
    }
    let mut places = Vec::new();
    for (method, facts) in slice.facts.iter().enumerate() {
        let below = |it: &ClassId| program.is_subtype(*it, class.id) != Some(false);
        let here = facts.creations.iter().filter(|it| below(&it.class));
        places.extend(here.map(|it| (method, it.pc)));
    }
    match places[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Whether a thread is made that runs another one's body.
fn threads_are_tasks(context: &Context<'_>) -> bool {
    let Context { universe, slice, .. } = context;
    let is_one =
        |it: &Option<Val>| it.and_then(|it| it.class).is_some_and(|it| is_thread(universe, it));
    slice.facts.iter().any(|facts| {
        let mut made = facts.creations.iter().filter(|it| is_thread(universe, it.class));
        let mut handed = facts.events.iter().filter_map(|event| match &event.what {
            What::Spawn(spawn) => Some(&spawn.arguments),
            What::Call(_)
            | What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_) => None,
        });
        made.any(|it| it.arguments.iter().skip(1).any(is_one))
            || handed.any(|it| it.iter().skip(1).any(is_one))
    })
}

fn is_thread(universe: &Universe<'_>, class: ClassId) -> bool {
    let thread = universe.program.find_class_text("java/lang/Thread");
    thread.is_some_and(|it| universe.program.is_subtype(class, it) == Some(true))
}

/// Whether what is made at this place starts one thread in the life of a program.
fn is_single_start(context: &Context<'_>, method: usize, pc: u16) -> bool {
    runs_once(context.universe, context.slice, &context.entries, method, DEPTH)
        && starts_one(context.universe, context.slice, method, pc)
}

/// Calls between `main` and what runs once.
const DEPTH: usize = 6;

fn runs_once(
    universe: &Universe<'_>,
    slice: &Slice,
    entries: &[bool],
    method: usize,
    depth: usize,
) -> bool {
    let id = slice.methods[method];
    let mut places: Vec<(usize, u16, bool)> = Vec::new();
    for (caller, facts) in slice.facts.iter().enumerate() {
        for event in &facts.events {
            match &event.what {
                What::Call(call) if call.targets.all().any(|it| it == id) => {
                    places.push((caller, event.pc, false));
                }
                What::Call(_)
                | What::Acquire(_)
                | What::Init(_)
                | What::Wait { .. }
                | What::Notify { .. }
                | What::Join(_)
                | What::Spawn(_) => {}
            }
        }
        let lambdas = facts.lambdas.iter().filter(|it| it.target == id);
        places.extend(lambdas.map(|it| (caller, it.pc, true)));
    }
    places.sort_unstable();
    places.dedup();
    let is_main = universe.is_main(id) && universe.is_judged(id.class);
    let is_first = is_main || universe.is_initialiser(id);
    match places[..] {
        [] => is_first,
        [(caller, pc, is_lambda)] if !is_main && !entries[method] && depth > 0 => {
            let is_single = if is_lambda {
                starts_one(universe, slice, caller, pc)
            } else {
                !slice.facts[caller].repeated.contains(&pc)
            };
            is_single && runs_once(universe, slice, entries, caller, depth - 1)
        }
        _ => false,
    }
}

/// Whether a run of the method starts at most one thread with what it makes at this pc.
fn starts_one(universe: &Universe<'_>, slice: &Slice, method: usize, pc: u16) -> bool {
    let Ok(Some(body)) = universe.program.lower(slice.methods[method]) else { return false };
    let facts = &slice.facts[method];
    if universe.is_all_judged() || universe.is_platform(slice.methods[method].class) {
        return false;
    }
    let made = body.instructions.iter().find(|it| it.pc == pc && it.result.is_some());
    let Some(made) = made else { return false };
    let Some(value) = made.result else { return false };
    match made.op {
        Op::InvokeDynamic { .. } => {
            let Some(uses) = uses(&body, value) else { return false };
            let [only] = uses[..] else { return false };
            is_given_to_thread(universe, &body, only, value)
                && !facts.repeated.contains(&only.pc)
                && receiver(&body, only).is_some_and(|it| is_called_only(universe, &body, it))
        }
        Op::New(_) => {
            let class = facts.creation(pc).map(|it| it.class);
            class.is_some_and(|it| is_thread(universe, it) && keeps_itself(universe, it))
                && is_called_only(universe, &body, value)
                && is_made_once(&body, facts, value)
        }
        _ => false,
    }
}

/// Whether no method of a class below `Thread` hands on its object.
fn keeps_itself(universe: &Universe<'_>, class: ClassId) -> bool {
    let program = universe.program;
    let Some(declared) = program.class(class) else { return false };
    let own =
        program.ancestry(declared).superclasses.iter().filter(|&&it| !universe.is_platform(it));
    let methods = own.filter_map(|&it| program.class(it)).flat_map(|it| it.methods());
    let mut of_objects = methods.filter(|(_, method)| !method.access_flags.is_static());
    of_objects.all(|(id, _)| match program.lower(id) {
        Ok(Some(body)) => !hands_on_receiver(&body, |_| false),
        Ok(None) => universe.program.method(id).1.access_flags.is_abstract(),
        Err(_) => false,
    })
}

/// The instructions that use the value; none if it goes on to another block or back to the caller.
fn uses(body: &Body, value: Value) -> Option<Vec<program::ir::Instruction>> {
    let mut found = Vec::new();
    for instruction in &body.instructions {
        let mut is_used = false;
        instruction.op.for_each_operand(body, |operand| is_used |= operand == value);
        found.extend(is_used.then_some(*instruction));
    }
    let mut goes_on = false;
    for block in &body.blocks {
        let mut note = |list| goes_on |= body.list(list).contains(&value);
        body.for_each_successor(block, |edge| note(edge.arguments));
        body.handlers_of(block).iter().for_each(|handler| note(handler.edge.arguments));
        goes_on |= match block.terminator {
            Terminator::Return(returned) => returned == Some(value),
            Terminator::Throw(thrown) => thrown == value,
            Terminator::Goto(_) | Terminator::If { .. } | Terminator::Switch { .. } => false,
        };
    }
    (!goes_on).then_some(found)
}

/// Whether the instruction is the constructor of a thread, and the value is what it should run.
fn is_given_to_thread(
    universe: &Universe<'_>,
    body: &Body,
    instruction: program::ir::Instruction,
    value: Value,
) -> bool {
    let Op::Invoke { kind: InvokeKind::Special, method, arguments } = instruction.op else {
        return false;
    };
    let names = &universe.program.names;
    let given = body.list(arguments).iter().skip(1).filter(|it| **it == value).count();
    names.bytes(method.class) == b"java/lang/Thread"
        && method.name == universe.program.known.init
        && given == 1
}

fn receiver(body: &Body, instruction: program::ir::Instruction) -> Option<Value> {
    let Op::Invoke { arguments, .. } = instruction.op else { return None };
    body.list(arguments).first().copied()
}

/// Whether nothing is done with the thread but calling its own methods.
fn is_called_only(universe: &Universe<'_>, body: &Body, thread: Value) -> bool {
    let is_own_call = |method: &MethodRef, arguments: &[Value]| {
        let class = universe.class(method.class);
        let is_body = universe.program.names.bytes(method.name) == b"run";
        !is_body
            && class.is_some_and(|it| is_thread(universe, it))
            && arguments.first() == Some(&thread)
            && !arguments[1..].contains(&thread)
    };
    let is_fine = |it: &program::ir::Instruction| match it.op {
        Op::Invoke { kind, method, arguments } => {
            kind != InvokeKind::Static && is_own_call(&method, body.list(arguments))
        }
        _ => false,
    };
    uses(body, thread).is_some_and(|uses| uses.iter().all(is_fine))
}

/// Whether the constructor is called outside of loops.
fn is_made_once(body: &Body, facts: &Facts, object: Value) -> bool {
    let is_constructed = |it: &program::ir::Instruction| match it.op {
        Op::Invoke { kind: InvokeKind::Special, arguments, .. } => {
            body.list(arguments).first() == Some(&object)
        }
        _ => false,
    };
    !body
        .instructions
        .iter()
        .filter(|it| is_constructed(it))
        .any(|it| facts.repeated.contains(&it.pc))
}
