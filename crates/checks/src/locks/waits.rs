//! Waiting for a signal while holding a second lock that every sender needs.

use super::context::Context;
use super::cycles::{Circle, Seat};
use super::feasible::waits_for;
use super::path::{Mode, Root, Step};
use super::summary::{Acquire, Pair, Summary};

/// Pairs in which a thread waits for a signal that cannot come, as circles of one role.
pub(crate) fn find_hopeless_waits(context: &Context<'_>, summaries: &[Summary]) -> Vec<Circle> {
    let starts = || (0..summaries.len()).filter(|&entry| context.is_start(entry));
    // What callers outside do with objects of the library is not known; what judged code does is.
    let wakers: Vec<&Acquire> = starts()
        .filter(|&entry| context.universe.is_judged(context.slice.methods[entry].class))
        .flat_map(|entry| summaries[entry].acquires.iter())
        .filter(|acquire| acquire.lock.mode == Mode::Wake)
        .collect();
    let is_hopeless = |entry: usize, pair: &Pair| match pair.wanted.mode {
        Mode::Signal => {
            is_unheard(context, &wakers, pair) && is_own_queue(context, &summaries[entry], pair)
        }
        Mode::Done => is_needed_by_task(context, summaries, pair),
        Mode::Monitor | Mode::Exclusive | Mode::Read | Mode::Write | Mode::Init | Mode::Wake => {
            false
        }
    };
    let mut circles = Vec::new();
    for entry in starts() {
        for (record, pair) in summaries[entry].pairs.iter().enumerate() {
            let is_ours = context.universe.is_judged(context.slice.methods[entry].class);
            if is_ours && context.is_final(entry, pair) && is_hopeless(entry, pair) {
                let family = vec![super::names::lock_name(context, &pair.held)];
                circles.push(Circle {
                    roles: vec![Seat { entry, record }],
                    alternatives: vec![Vec::new()],
                    pruned: None,
                    doubt: None,
                    group: (family.clone(), true),
                    is_typical: true,
                    family,
                });
            }
        }
    }
    circles
}

/// Waits for a signal with a second lock held, as sentences. Somebody may send it without that lock: but whether
/// what the waiter waits for has happened then, and whether the sender ever gets as far, is not seen.
pub(crate) fn find_open_waits(context: &Context<'_>, summaries: &[Summary]) -> Vec<String> {
    let is_own = |entry: &usize| !context.universe.is_platform(context.slice.methods[*entry].class);
    let starts = (0..summaries.len()).filter(|&entry| context.is_start(entry)).filter(is_own);
    let mut found = Vec::new();
    for entry in starts {
        let pairs = summaries[entry].pairs.iter().filter(|it| it.wanted.mode == Mode::Signal);
        for pair in pairs.filter(|pair| context.is_final(entry, pair)) {
            let place = super::names::frame_name(context, entry, 0);
            let held = super::names::lock_name(context, &pair.held);
            found.push(format!("with {held} held, {place} waits for a signal"));
        }
    }
    found
}

/// Of a wait for a queue: whether only known code uses the queue, the waiter itself does not end such waits,
/// and of a wait for room, whether it has an end. True of all other waits.
fn is_own_queue(context: &Context<'_>, waiter: &Summary, pair: &Pair) -> bool {
    let path = context.paths.of(pair.wanted.val.path);
    let is_for_room = match path.last() {
        Some(Step::WriteLock) => true,
        Some(Step::ReadLock) => false,
        // When objects of the library wake each other up inside is theirs to know.
        Some(Step::Field(field)) => return !context.universe.is_platform(field.class),
        Some(Step::Element | Step::Older | Step::Many(_) | Step::Condition) | None => return true,
    };
    let Some(Step::Field(queue)) = path.base().and_then(|it| it.last()) else { return false };
    let Context { universe, paths, slice, fields, .. } = *context;
    let is_made_here = fields.of(queue).is_some_and(|it| it.is_fresh && !it.classes.is_empty());
    let is_bounded = |(_, val): &(_, super::path::Val)| {
        let Root::Alloc(maker, pc) = paths.of(val.path).root else { return false };
        let facts = slice.index(maker).map(|it| &slice.facts[it]);
        let creation = facts.and_then(|it| it.creation(pc));
        creation.is_some_and(|it| {
            let (_, constructor) = universe.program.method(it.constructor);
            universe.program.names.bytes(constructor.descriptor).contains(&b'I')
        })
    };
    let ends_such =
        |it: &Acquire| it.lock.mode == Mode::Wake && it.lock.val.path == pair.wanted.val.path;
    is_made_here
        && (!is_for_room || fields.stored(queue).iter().all(is_bounded))
        && !waiter.acquires.iter().any(ends_such)
        && super::contents::is_kept(universe, paths, slice, queue)
}

/// Whether the task that is waited for may want the lock that the waiter keeps.
fn is_needed_by_task(context: &Context<'_>, summaries: &[Summary], pair: &Pair) -> bool {
    let Root::Alloc(maker, pc) = context.paths.of(pair.wanted.val.path).root else { return false };
    let Some(task) = super::tasks::body_of(context, maker, pc) else { return false };
    let wants = |acquire: &Acquire| {
        acquire.doubt == 0
            && waits_for(acquire.lock.mode, pair.held.mode)
            && context.may_be_one(&acquire.lock, &pair.held)
    };
    summaries[task].acquires.iter().any(wants)
}

/// Whether somebody sends the signal, and all who do need the lock that the waiter keeps.
fn is_unheard(context: &Context<'_>, wakers: &[&Acquire], pair: &Pair) -> bool {
    let mut senders =
        wakers.iter().filter(|waker| context.may_be_one(&waker.lock, &pair.wanted)).peekable();
    senders.peek().is_some()
        && senders.all(|waker| {
            waker
                .gates
                .iter()
                .any(|gate| gate.mode == pair.held.mode && context.may_be_one(gate, &pair.held))
        })
}
