//! Waiting for a signal while holding a second lock that every sender needs.

use super::context::Context;
use super::cycles::{Circle, Seat};
use super::path::Mode;
use super::summary::{Acquire, Pair, Summary};

/// Pairs in which a thread waits for a signal that cannot come, as circles of one role.
pub(crate) fn find_hopeless_waits(context: &Context<'_>, summaries: &[Summary]) -> Vec<Circle> {
    let starts = || (0..summaries.len()).filter(|&entry| context.is_start(entry));
    let wakers: Vec<&Acquire> = starts()
        .flat_map(|entry| summaries[entry].acquires.iter())
        .filter(|acquire| acquire.lock.mode == Mode::Wake)
        .collect();
    let mut circles = Vec::new();
    for entry in starts() {
        for (record, pair) in summaries[entry].pairs.iter().enumerate() {
            let is_ours = context.universe.is_judged(context.slice.methods[entry].class);
            if pair.wanted.mode == Mode::Signal
                && is_ours
                && context.is_final(entry, pair)
                && is_hopeless(context, &wakers, pair)
            {
                let family = vec![super::names::lock_name(context, &pair.held)];
                circles.push(Circle {
                    roles: vec![Seat { entry, record }],
                    alternatives: vec![Vec::new()],
                    pruned: None,
                    family,
                });
            }
        }
    }
    circles
}

/// Whether somebody sends the signal, and all who do need the lock that the waiter keeps.
fn is_hopeless(context: &Context<'_>, wakers: &[&Acquire], pair: &Pair) -> bool {
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
