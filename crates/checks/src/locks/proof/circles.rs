//! Circles that cannot be excluded: locks may be one object unless they certainly are not.

use program::ClassId;

use crate::locks::context::Context;
use crate::locks::cycles::Seat;
use crate::locks::feasible::{Belief, Role, contradiction, no_program, one_object, one_thread};
use crate::locks::fields::is_closed;
use crate::locks::names::lock_name;
use crate::locks::path::{Lock, Mode, Root, Step};
use crate::locks::products::products;
use crate::locks::summary::{Pair, Summary};

/// A pair of locks and where it is.
type Placed<'a> = (Seat, &'a Pair);

/// The circles that are left, as sentences, and those of two threads as the pairs that they are in.
#[derive(Default)]
pub(super) struct OpenCircles {
    pub sentences: Vec<String>,
    pub seats: Vec<[Seat; 2]>,
}

/// Threads of a circle that are looked at; more pairs than these in a knot are an obstacle.
const LONGEST: usize = 4;
/// Ways to put pairs into a circle that are tried.
const TRIES: usize = 20_000;

pub(super) fn find_open_circles(context: &Context<'_>, summaries: &[Summary]) -> OpenCircles {
    let seats = placed_pairs(context, summaries);
    let mut found = OpenCircles::default();
    for (_, pair) in &seats {
        let is_alone =
            !pair.is_reentrant || pair.held.mode == Mode::Read && pair.wanted.mode == Mode::Write;
        if is_alone && may_be_one(context, &pair.held, &pair.wanted) {
            found.sentences.push(format!(
                "one thread may take {} twice, which it cannot",
                lock_name(context, &pair.held)
            ));
        }
    }
    let next: Vec<Vec<usize>> = seats
        .iter()
        .map(|(_, pair)| {
            let follows =
                |it: &usize| may_wait(context, summaries, &pair.wanted, &seats[*it].1.held);
            (0..seats.len()).filter(follows).collect()
        })
        .collect();
    let knot = largest_knot(&next);
    let longest = (2..=LONGEST).rev().find(|&it| knot.pow(it as u32) <= TRIES).unwrap_or(2);
    if knot > longest {
        found.sentences.push(format!(
            "{knot} pairs of locks follow each other round, and circles of more than {longest} threads \
             were not looked at"
        ));
    }
    let mut search = Search { context, seats: &seats, next: &next, longest, tries: 0, found };
    for start in 0..seats.len() {
        search.extend(start, &mut vec![start]);
    }
    if search.tries > TRIES {
        let many = "there are too many ways to nest these locks to try all";
        search.found.sentences.push(many.to_owned());
    }
    search.found
}

/// The pairs that callers can bring about, each once.
fn placed_pairs<'a>(context: &Context<'_>, summaries: &'a [Summary]) -> Vec<Placed<'a>> {
    let mut seats: Vec<Placed<'a>> = Vec::new();
    for (entry, summary) in summaries.iter().enumerate() {
        let is_own = !context.universe.is_platform(context.slice.methods[entry].class);
        if context.is_start(entry) && is_own {
            for (record, pair) in summary.pairs.iter().enumerate() {
                let is_lock = !matches!(pair.wanted.mode, Mode::Signal | Mode::Done | Mode::Wake);
                // Who runs it matters where not everybody may.
                let runners = |entry: usize| {
                    let programs = context.programs.get(entry).copied();
                    (
                        programs,
                        context.is_main(entry),
                        context.universe.is_closed().then_some(entry),
                    )
                };
                let is_known = |(seat, it): &Placed<'_>| {
                    (it.held, it.wanted, it.link) == (pair.held, pair.wanted, pair.link)
                        && runners(seat.entry) == runners(entry)
                        && it.started == pair.started
                        && (&it.gates, &it.guards) == (&pair.gates, &pair.guards)
                        && it.is_spawned == pair.is_spawned
                };
                if is_lock && context.is_final(entry, pair) && !seats.iter().any(is_known) {
                    seats.push((Seat { entry, record }, pair));
                }
            }
        }
    }
    seats
}

/// The most pairs of which each leads to every other: no circle has more, unless two of its threads are
/// in the same pair.
fn largest_knot(next: &[Vec<usize>]) -> usize {
    let reached_from = |start: usize| {
        let mut is_reached = vec![false; next.len()];
        let mut queue = next[start].clone();
        while let Some(pair) = queue.pop() {
            if !std::mem::replace(&mut is_reached[pair], true) {
                queue.extend(&next[pair]);
            }
        }
        is_reached
    };
    let reached: Vec<Vec<bool>> = (0..next.len()).map(reached_from).collect();
    let knot = |start: usize| {
        (0..next.len()).filter(|&it| reached[start][it] && reached[it][start]).count()
    };
    (0..next.len()).map(knot).max().unwrap_or(0)
}

struct Search<'a> {
    context: &'a Context<'a>,
    seats: &'a [Placed<'a>],
    next: &'a [Vec<usize>],
    longest: usize,
    tries: usize,
    found: OpenCircles,
}

impl Search<'_> {
    /// Goes on from the last pair of the way, and looks at every circle that closes.
    fn extend(&mut self, start: usize, way: &mut Vec<usize>) {
        let Some(&last) = way.last() else { return };
        const ENOUGH: usize = 4;
        if self.tries > TRIES || self.found.sentences.len() >= ENOUGH {
            return;
        }
        for &following in &self.next[last] {
            if following == start {
                // Two threads may be in the same pair.
                let circle: Vec<usize> =
                    if way.len() == 1 { vec![start, start] } else { way.clone() };
                self.close(&circle);
            }
            // Told once, by its smallest pair.
            if following >= start && way.len() < self.longest {
                way.push(following);
                self.extend(start, way);
                way.pop();
            }
        }
    }

    fn close(&mut self, circle: &[usize]) {
        self.tries += 1;
        let roles: Vec<Role<'_>> = circle
            .iter()
            .map(|&it| Role { entry: self.seats[it].0.entry, pair: self.seats[it].1 })
            .collect();
        let is_excluded = one_thread(self.context, &roles).is_some()
            || no_program(self.context, &roles).is_some()
            || one_object(self.context, &roles).is_some()
            || contradiction(self.context, &roles, Belief::Proved).is_some();
        if !is_excluded {
            let pair = self.seats[circle[0]].1;
            if let &[first, second] = circle {
                self.found.seats.push([self.seats[first].0, self.seats[second].0]);
            }
            self.found.sentences.push(format!(
                "{} is wanted with {} held, and it could not be excluded that others do it the other \
                 way round",
                lock_name(self.context, &pair.wanted),
                lock_name(self.context, &pair.held)
            ));
        }
    }
}

/// Whether a thread that wants the one may have to wait for a holder of the other. A reader waits for
/// readers too, if a writer waits between them.
fn may_wait(context: &Context<'_>, summaries: &[Summary], wanted: &Lock, held: &Lock) -> bool {
    let is_monitor = |lock: &Lock| lock.mode == Mode::Monitor;
    let is_read_only = || {
        let acquires = summaries.iter().flat_map(|it| &it.acquires);
        let mut writers = acquires.filter(|it| it.lock.mode == Mode::Write);
        (wanted.mode, held.mode) == (Mode::Read, Mode::Read)
            && !writers.any(|it| may_be_one(context, &it.lock, wanted))
    };
    is_monitor(wanted) == is_monitor(held) && may_be_one(context, wanted, held) && !is_read_only()
}

/// Whether two locks may be one object, for all that is certain.
pub(crate) fn may_be_one(context: &Context<'_>, a: &Lock, b: &Lock) -> bool {
    if a.val.path == b.val.path {
        return true;
    }
    let (path_a, path_b) = (context.paths.of(a.val.path), context.paths.of(b.val.path));
    let is_fixed = |root: Root| matches!(root, Root::Class(_) | Root::Text(_));
    if path_a.steps().is_empty()
        && path_b.steps().is_empty()
        && is_fixed(path_a.root)
        && is_fixed(path_b.root)
    {
        return path_a.root == path_b.root;
    }
    if let (Some(made_a), Some(made_b)) = (made_at(context, a), made_at(context, b))
        && !made_a.iter().any(|it| made_b.contains(it))
    {
        return false;
    }
    let (classes_a, classes_b) = (classes(context, a), classes(context, b));
    classes_a.iter().any(|&a| classes_b.iter().any(|&b| compatible(context, a, b)))
}

/// The allocations that the lock can only come from, if they are all known.
fn made_at(context: &Context<'_>, lock: &Lock) -> Option<Vec<Root>> {
    let path = context.paths.of(lock.val.path);
    let field = match (path.last(), path.root) {
        (Some(Step::Field(field)), _) | (None, Root::Static(field)) => field,
        (None, root @ Root::Alloc(..)) => return Some(vec![root]),
        _ => return None,
    };
    if !context.fields.of(field)?.is_fresh || !is_closed(context.universe, field) {
        return None;
    }
    let mut made = Vec::new();
    for &(method, val) in context.fields.stored(field) {
        let facts = &context.slice.facts[context.slice.index(method)?];
        match products(context.paths, context.slice, facts, val) {
            Some(all) => made.extend(all.iter().map(|it| Root::Alloc(it.place.0, it.place.1))),
            None => made.push(context.paths.of(val.path).root),
        }
    }
    Some(made)
}

/// The classes that the lock can have: each with whether it is that very class.
pub(super) fn classes(context: &Context<'_>, lock: &Lock) -> Vec<(Option<ClassId>, bool)> {
    let path = context.paths.of(lock.val.path);
    let field = match (path.last(), path.root) {
        (Some(Step::Field(field)), _) | (None, Root::Static(field)) => Some(field),
        _ => None,
    };
    let known = field.and_then(|it| context.fields.of(it)).map(|it| it.classes.to_vec());
    match known {
        Some(classes) if !classes.is_empty() => {
            classes.into_iter().map(|class| (Some(class), true)).collect()
        }
        _ => vec![(lock.val.class, lock.val.exact)],
    }
}

fn compatible(
    context: &Context<'_>,
    (a, is_a): (Option<ClassId>, bool),
    (b, is_b): (Option<ClassId>, bool),
) -> bool {
    let below = |a: Option<ClassId>, b: Option<ClassId>| match (a, b) {
        (Some(a), Some(b)) => context.universe.program.is_subtype(a, b) != Some(false),
        _ => true,
    };
    match (is_a, is_b) {
        (true, true) => a == b,
        (true, false) => below(a, b),
        (false, true) => below(b, a),
        (false, false) => {
            // Outside, a class may implement any interface.
            let is_interface = |id: Option<ClassId>| {
                id.and_then(|id| context.universe.program.class(id))
                    .is_none_or(program::Class::is_interface)
            };
            is_interface(a) || is_interface(b) || context.universe.compatible(a, b)
        }
    }
}
