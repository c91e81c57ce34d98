//! What stands between "no circle was found" and "there is none".
//!
//! The search drops what is unlikely, so that few of its alarms are false. A proof may not: here locks
//! may be one object unless they certainly are not, and every call that may run with a lock held must
//! be known, or be one into the Java library with objects that it cannot call back. Whatever is in the
//! way is an obstacle with a name; without any, the rule holds, under the assumptions that are listed.

mod calls;
mod circles;
mod executors;
mod hidden;
mod in_turn;
mod inherited;
mod initialisers;
mod lambdas;
mod library;
mod monitors;
mod quiet;
mod receivers;
mod shared;
mod sorted;
mod waits;

use super::context::Context;
use super::cycles::Seat;
use super::summary::Summary;

use calls::{Search, find_call_obstacles};
use circles::find_open_circles;
use initialisers::find_init_obstacles;
use library::find_effects;
use waits::{find_hidden_waits, find_open_times};

/// What is in the way of a proof, by rule.
#[derive(Debug, Clone, Default)]
pub(crate) struct Obstacles {
    pub locks: Vec<String>,
    pub waits: Vec<String>,
    pub initialisers: Vec<String>,
    /// Circles of two threads that could not be excluded.
    pub open: Vec<[Seat; 2]>,
    /// What a proof takes for granted.
    pub assumptions: Vec<String>,
}

/// More is not told of each kind.
const TOLD: usize = 3;

/// Looks for everything that keeps a rule from being proved; not of those that are broken anyway.
pub(crate) fn find_obstacles(
    context: &Context<'_>,
    summaries: &[Summary],
    is_broken: impl Fn(&str) -> bool,
) -> Obstacles {
    let [locks, initialisers, waits] =
        ["lock-order-acyclic", "class-init-acyclic", "no-wait-under-second-lock"]
            .map(|rule| !is_broken(rule));
    let mut found = Obstacles::default();
    if !(locks || initialisers || waits) {
        return found;
    }
    let effects = find_effects(context);
    let mut search = Search {
        context,
        summaries,
        inside: shared::find_inside_locks(context, &effects),
        shared: Vec::new(),
        effects,
        replaces_streams: hidden::replaces_streams(context),
        lambdas: lambdas::find_lambdas(context),
        quiet: Vec::new(),
    };
    search.find_quiet();
    search.shared = search.shared_locks();
    if locks || waits {
        let mut calls = find_call_obstacles(&search);
        let under_lock = search.under_lock();
        calls.unseen.extend(monitors::find_monitors_of_locks(context));
        calls.unseen.extend(find_hidden_waits(&search, &under_lock));
        if locks {
            found.locks = calls.unseen.clone();
            let circles = find_open_circles(context, summaries);
            found.locks.extend(circles.sentences);
            found.open = circles.seats;
        }
        if waits {
            found.waits = [calls.unseen, calls.waits].concat();
            found.waits.extend(super::waits::find_open_waits(context, summaries));
            found.waits.extend(find_open_times(&search, &under_lock));
        }
    }
    if initialisers {
        found.initialisers = find_init_obstacles(&search);
    }
    if context.universe.is_closed() {
        let hidden = hidden::find_hidden_code(context);
        for obstacles in [&mut found.locks, &mut found.waits, &mut found.initialisers] {
            obstacles.extend(hidden.iter().cloned());
        }
    }
    Obstacles {
        locks: shortened(found.locks),
        waits: shortened(found.waits),
        initialisers: shortened(found.initialisers),
        open: found.open,
        assumptions: assumptions(context),
    }
}

fn shortened(mut obstacles: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    obstacles.retain(|it| seen.insert(it.clone()));
    let n_more = obstacles.len().saturating_sub(TOLD);
    obstacles.truncate(TOLD);
    if n_more > 0 {
        obstacles.push(format!("there are more reasons of this kind: {n_more}"));
    }
    obstacles
}

/// What every proof about locks takes for granted.
fn assumptions(context: &Context<'_>) -> Vec<String> {
    let callers = if context.universe.is_closed() {
        "nothing runs but what main methods of these classes start, and what the Java library finds by name or \
         reads from streams runs none of their code that was not reached"
    } else {
        "callers hold none of these locks when they call, and classes outside that extend these take no \
         locks in what they override and clone none of their objects"
    };
    [
        callers,
        "the Java library locks objects of these classes only through what it is handed, calls nothing \
         back deeper than the five calls that were read, and native methods lock nothing",
        "fields change only through the code that was analysed (no reflection, no deserialisation), and reflection \
         calls nothing that others cannot name",
        "who waits for a given time gives up then",
    ]
    .map(str::to_owned)
    .to_vec()
}
