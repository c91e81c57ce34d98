//! Waits that are no waits for a lock: loops that ask again and again, locks that somebody built of
//! signals, tasks that wait for tasks. What a thread keeps from others meanwhile is not seen, so each of
//! them is in the way of a proof.

use program::{FieldId, MethodId};
use rustc_hash::FxHashSet;

use super::calls::Search;
use crate::locks::context::{Context, define};
use crate::locks::facts::{Event, LockSite, Spin, What};
use crate::locks::names::{frame_name, lock_name};
use crate::locks::path::{Lock, Mode, PathId, Root, Step};
use crate::locks::values::class_of_descriptor;

/// Obstacles for every rule about locks.
pub(super) fn find_hidden_waits(search: &Search<'_>, under_lock: &[bool]) -> Vec<String> {
    let context = search.context;
    let waiting = may_wait(search);
    let in_task = in_tasks(context);
    let spins = || context.slice.facts.iter().flat_map(|facts| &facts.spins);
    let awaited: FxHashSet<FieldId> = spins().flat_map(|it| it.fields.iter().copied()).collect();
    let mut found = Vec::new();
    for (method, facts) in context.slice.facts.iter().enumerate() {
        if context.universe.is_platform(context.slice.methods[method].class) {
            continue;
        }
        for spin in &facts.spins {
            let is_under_lock = under_lock[method] || spin.held.may.iter().next().is_some();
            let keeps_other = under_lock[method] || spin.held.may.iter().nth(1).is_some();
            if spin.is_timed && !keeps_other {
                continue;
            }
            // Without a lock, to look at a flag keeps nothing from others, unless flags are set as well.
            let own = [context.slice.methods[method]];
            let is_flag = !is_under_lock
                && spin.asked.is_empty()
                && changes(context, &own).0.is_disjoint(&awaited);
            if !is_flag && is_wait(context, is_under_lock, spin) {
                let place = frame_name(context, method, spin.pc);
                found.push(format!("{place} repeats until another thread changes something"));
            }
        }
        if waits_twice(search, &waiting, method) {
            let place = frame_name(context, method, 0);
            found.push(format!(
                "{place} may wait twice, and keep from others what it waited for first"
            ));
        }
        if let Some((pc, lock)) = &facts.unbalanced {
            let (place, name) = (frame_name(context, method, *pc), lock_name(context, lock));
            found.push(format!(
                "{place} may leave {name} locked, or give back what it has not taken"
            ));
        }
        for event in facts.events.iter().filter(|it| matches!(it.what, What::Join(_))) {
            if in_task[method] {
                let place = frame_name(context, method, event.pc);
                found.push(format!("a task waits for another at {place}"));
            }
        }
        let is_open =
            |it: &&LockSite| !is_known_kind(context, it) || is_callers_own(context, method, it);
        for site in facts.sites.iter().filter(is_open) {
            let place = frame_name(context, method, site.pc);
            let name = site.locks.first().map_or_else(String::new, |it| lock_name(context, it));
            found.push(format!("what kind of lock {name} is at {place} is not known"));
        }
    }
    found
}

/// Waits with a second lock held that go on for ever if the time that they are given is 0.
pub(super) fn find_open_times(search: &Search<'_>, under_lock: &[bool]) -> Vec<String> {
    let context = search.context;
    let mut found = Vec::new();
    for (method, facts) in context.slice.facts.iter().enumerate() {
        if context.universe.is_platform(context.slice.methods[method].class) {
            continue;
        }
        for (pc, held) in &facts.open_times {
            if under_lock[method] || held.may.iter().next().is_some() {
                let place = frame_name(context, method, *pc);
                found.push(format!("{place} waits for ever if it is given a time of 0"));
            }
        }
    }
    found
}

/// Whether the loop ends only by what other threads do.
fn is_wait(context: &Context<'_>, is_under_lock: bool, spin: &Spin) -> bool {
    if spin.is_try && !spin.is_attempt {
        return is_under_lock;
    }
    let (written, writes) = changes(context, &spin.called);
    if spin.fields.iter().any(|it| written.contains(it)) {
        return false;
    }
    if spin.is_attempt {
        return true;
    }
    let is_own = |it: &&MethodId| !context.universe.is_platform(it.class);
    let own: Vec<MethodId> = spin.called.iter().filter(is_own).copied().collect();
    let moves = |methods: &[MethodId]| changes(context, methods).1;
    spin.asked.is_empty() || !(moves(&spin.asked) || writes && moves(&own))
}

/// What the methods and all below them write, and whether they write anything at all.
fn changes(context: &Context<'_>, methods: &[MethodId]) -> (FxHashSet<FieldId>, bool) {
    let mut written = FxHashSet::default();
    let mut writes = false;
    let mut seen = FxHashSet::default();
    let mut queue: Vec<usize> = methods.iter().filter_map(|&it| context.slice.index(it)).collect();
    while let Some(method) = queue.pop() {
        if !seen.insert(method) {
            continue;
        }
        let facts = &context.slice.facts[method];
        let program = context.universe.program;
        // What a constructor sets is new, and tells nothing of what was there before.
        let is_new = |field: &FieldId| {
            program.method(context.slice.methods[method]).1.name == program.known.init
                && !program.field(*field).1.access_flags.is_static()
        };
        written.extend(facts.written.iter().copied().filter(|it| !is_new(it)));
        writes |= facts.writes_array || facts.written.iter().any(|it| !is_new(it));
        queue.extend(facts.events.iter().flat_map(|event| called(context, event)));
    }
    (written, writes)
}

fn called(context: &Context<'_>, event: &Event) -> Vec<usize> {
    match &event.what {
        What::Call(call) => call.targets.all().filter_map(|it| context.slice.index(it)).collect(),
        What::Acquire(_)
        | What::Init(_)
        | What::Wait { .. }
        | What::Notify { .. }
        | What::Join(_)
        | What::Spawn(_) => Vec::new(),
    }
}

/// What a body waits for at an event, other than for a lock or for the end of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Awaited {
    Signal(PathId),
    Call(u16),
}

fn awaited(search: &Search<'_>, waiting: &[bool], event: &Event) -> Option<Awaited> {
    let context = search.context;
    match &event.what {
        What::Wait { timed: true, .. } => None,
        // The call itself says so.
        What::Wait { on, timed: false } if on.mode == Mode::Signal => None,
        What::Wait { on, timed: false } => Some(Awaited::Signal(on.val.path)),
        What::Call(call) => {
            let waits = |callee: usize| search.effects[callee].waits || waiting[callee];
            let bodies = call.targets.all().chain(search.lambdas_behind(call));
            let mut callees = bodies.filter_map(|it| context.slice.index(it));
            callees.any(waits).then_some(Awaited::Call(event.pc))
        }
        What::Acquire(_) | What::Init(_) | What::Notify { .. } | What::Join(_) | What::Spawn(_) => {
            None
        }
    }
}

/// The methods, by position, below which something other than a lock may be waited for.
fn may_wait(search: &Search<'_>) -> Vec<bool> {
    let slice = search.context.slice;
    let mut waiting = vec![false; slice.methods.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for method in 0..waiting.len() {
            let is_platform = search.context.universe.is_platform(slice.methods[method].class);
            let waits = |event: &Event| awaited(search, &waiting, event).is_some();
            if !waiting[method] && !is_platform && slice.facts[method].events.iter().any(waits) {
                waiting[method] = true;
                changed = true;
            }
        }
    }
    waiting
}

fn waits_twice(search: &Search<'_>, waiting: &[bool], method: usize) -> bool {
    let facts = &search.context.slice.facts[method];
    let mut all: FxHashSet<Awaited> = FxHashSet::default();
    for event in &facts.events {
        let found = awaited(search, waiting, event);
        let is_repeated = matches!(found, Some(Awaited::Call(pc)) if facts.repeated.contains(&pc));
        all.extend(found);
        if is_repeated {
            return true;
        }
    }
    all.len() > 1
}

/// The methods that may run as a task or below one: lambdas, and `run` and `call` of objects.
fn in_tasks(context: &Context<'_>) -> Vec<bool> {
    let slice = context.slice;
    let names = &context.universe.program.names;
    let mut queue: Vec<usize> = Vec::new();
    for facts in &slice.facts {
        queue.extend(facts.lambdas.iter().filter_map(|it| slice.index(it.target)));
    }
    for (index, &method) in slice.methods.iter().enumerate() {
        let name = names.bytes(context.universe.program.method(method).1.name);
        let is_task = matches!(name, b"run" | b"call" | b"compute" | b"get");
        if is_task && !context.universe.is_platform(method.class) {
            queue.push(index);
        }
    }
    let mut reached = vec![false; slice.methods.len()];
    while let Some(method) = queue.pop() {
        if !std::mem::replace(&mut reached[method], true) {
            let events = &slice.facts[method].events;
            queue.extend(events.iter().flat_map(|event| called(context, event)));
        }
    }
    reached
}

/// Locks of the library that one thread may take twice; those for reading and writing belong to one.
const REENTRANT: [&str; 4] = [
    "java/util/concurrent/locks/ReentrantLock",
    "java/util/concurrent/locks/ReentrantReadWriteLock",
    "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock",
    "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock",
];

/// Whether it is known how the lock behaves: behind the interface `Lock` there may be any.
fn is_known_kind(context: &Context<'_>, site: &LockSite) -> bool {
    let program = context.universe.program;
    let is_one = |class: program::ClassId| {
        let name = program.class_text(program.class_name(class)).replace('.', "/");
        REENTRANT.contains(&name.as_str())
    };
    let is_known_lock = |lock: &Lock| {
        if lock.val.exact && lock.val.class.is_some_and(is_one) {
            return true;
        }
        let mut path = context.paths.of(define(context, lock.val.path));
        if let (Some(Step::ReadLock | Step::WriteLock), Some(base)) = (path.last(), path.base()) {
            path = base;
        }
        let field = match (path.last(), path.root) {
            (Some(Step::Field(field)), _) | (None, Root::Static(field)) => field,
            _ => return false,
        };
        let known = context.fields.of(field).map(|it| &it.classes[..]).unwrap_or(&[]);
        let descriptor = program.names.bytes(program.field(field).1.descriptor);
        let declared = class_of_descriptor(context.universe, descriptor);
        !known.is_empty() && known.iter().all(|&it| is_one(it)) || declared.is_some_and(is_one)
    };
    !site.is_reentrant || site.is_typed || site.locks.iter().all(is_known_lock)
}

/// Whether callers hand in the lock: they may have written a class below the library's.
fn is_callers_own(context: &Context<'_>, method: usize, site: &LockSite) -> bool {
    let id = context.slice.methods[method];
    let is_static = context.universe.program.method(id).1.access_flags.is_static();
    let is_handed_in = |lock: &Lock| {
        let path = context.paths.of(lock.val.path);
        let is_half = |step: &Step| matches!(step, Step::ReadLock | Step::WriteLock);
        lock.mode != Mode::Monitor
            && !lock.val.exact
            && path.steps().iter().all(is_half)
            && matches!(path.root, Root::Param(index) if is_static || index > 0)
    };
    context.entries[method] && site.locks.iter().any(is_handed_in)
}
