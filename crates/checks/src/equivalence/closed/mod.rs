//! Loops in closed form, each version on its own.
//!
//! Where two loops do not turn side by side (one is fused, split, reversed or not a loop at all), each is
//! described as a function of the number of its turns: numbers that go up by so much, sums over an index,
//! and, where nothing better is known, what so many turns make of the first value. Functions are named by
//! what they compute, so that two loops that compute the same give the same. What has no closed form may
//! be anything. Of the turns before the last one it is known that they went on.
//!
//! The loops are cut as in an induction; closed forms then take the place of the symbols at the headers.

mod facts;
mod forms;
mod maps;
mod stuck;

use rustc_hash::FxHashMap;
use smt::Solver;
use symex::symbolic::{Budget, Engine, Form, Label, LoopPlan, Shape, Term};

use self::forms::close_loops;
use self::maps::{Map, tell_reads};
use super::induction::conclude;
use super::proof::{Both, Headers, Proved, Question, open};
use crate::verdict::{GapKind, Scope};

/// Runs until it is known what the loops change.
const ROUNDS: usize = 10;
const BUDGET: Budget =
    Budget { instructions: 30_000, terms: 100_000, depth: 32, unroll: 6, recursion: 4 };

/// Turns that the old and the new version make before their loops are described.
const PEELED: [(u32, u32); 3] = [(0, 0), (1, 0), (0, 1)];

/// What takes the place of symbols, and what is known beside.
#[derive(Default)]
pub(super) struct Closed {
    pub(super) forms: FxHashMap<Term, Term>,
    pub(super) facts: Vec<Term>,
    pub(super) endings: Vec<Ending>,
    maps: Vec<Map>,
}

/// How it may be seen that a loop ends.
pub(super) struct Ending {
    is_first: bool,
    turns: Term,
    /// It is entered, and goes on.
    goes_on: Term,
    /// The same in turns in which it may not be able to: one that is impossible is enough.
    pub(super) in_turns: Vec<Term>,
}

impl Ending {
    /// Whether it goes on exactly when some loop of the other version does, so that both end or none.
    pub(super) fn has_twin(&self, both: &mut Both<'_>, all: &[Ending]) -> bool {
        let others = all.iter().filter(|other| other.is_first != self.is_first);
        others.into_iter().any(|other| {
            let same_turns = FxHashMap::from_iter([(other.turns, self.turns)]);
            let terms = &mut both.second.space.terms;
            let goes_on = terms.substitute(other.goes_on, &same_turns, &mut FxHashMap::default());
            goes_on == self.goes_on
        })
    }
}

impl Closed {
    /// Says what these terms read of arrays that loops write.
    pub(super) fn tell_reads(&mut self, both: &mut Both<'_>, roots: &[Term]) {
        let maps = std::mem::take(&mut self.maps);
        tell_reads(both, &maps, roots, self);
    }
}

/// Tries to prove a pair whose loops do not turn side by side.
pub(super) fn prove_in_closed_form(
    question: &Question<'_>,
    cut: &(Headers, Headers),
    solver: &mut Solver,
) -> Proved<Scope> {
    let mut first_gaps = None;
    for peel in PEELED {
        if solver.is_spent() || (peel.0 > 0 && cut.0.is_empty()) || (peel.1 > 0 && cut.1.is_empty())
        {
            continue;
        }
        match prove_peeled(question, cut.clone(), peel, solver) {
            Ok(scope) => return Ok(scope),
            Err(gaps) => {
                first_gaps.get_or_insert(gaps);
            }
        }
    }
    Err(first_gaps.unwrap_or_default())
}

fn prove_peeled(
    question: &Question<'_>,
    cut: (Headers, Headers),
    peel: (u32, u32),
    solver: &mut Solver,
) -> Proved<Scope> {
    let plan = |cut: Headers, peel: u32| LoopPlan {
        cut,
        peel,
        copies_at_once: true,
        ..LoopPlan::default()
    };
    let mut plans = (plan(cut.0, peel.0), plan(cut.1, peel.1));
    for _ in 0..ROUNDS {
        let mut both = question.run(BUDGET, plans.clone());
        let is_settled = [
            both.in_first(|engine| learn(engine, &mut plans.0)),
            learn(&mut both.second, &mut plans.1),
        ];
        if is_settled == [true, true] {
            solver.reset();
            let closed = close_loops(&mut both);
            return conclude(question, both, solver, 0, closed);
        }
    }
    open(GapKind::Budget, "a loop changes too much")
}

/// Whether a run showed what its plan says; else the plan says it now.
fn learn(engine: &mut Engine<'_>, plan: &mut LoopPlan) -> bool {
    if !engine.unwound.loops.is_subset(&plan.cut) {
        plan.cut.extend(engine.unwound.loops.iter().copied());
        plan.shapes.clear();
        return false;
    }
    let shapes: Vec<Shape> = (0..engine.cuts.len()).map(|cut| own_shape(engine, cut)).collect();
    let is_settled = engine.cuts.iter().map(|cut| &cut.shape).eq(&shapes);
    plan.shapes = shapes;
    is_settled
}

/// What the loop changes, all of it by names of this version alone.
fn own_shape(engine: &mut Engine<'_>, cut: usize) -> Shape {
    let mut shape = engine.grown(cut);
    for (at, slot) in shape.slots.iter_mut().enumerate() {
        slot.form = Form::Free(Label::Own(at as u32));
    }
    let own = Label::Own(0);
    shape.places.values_mut().for_each(|label| *label = own);
    shape.statics.values_mut().for_each(|label| *label = own);
    shape.cells.values_mut().for_each(|label| *label = own);
    shape.calls = shape.calls.map(|_| own);
    shape
}

impl Both<'_> {
    /// Does something in the first run, which needs the space for that.
    fn in_first<R>(&mut self, act: impl FnOnce(&mut Engine<'_>) -> R) -> R {
        std::mem::swap(&mut self.first.space, &mut self.second.space);
        self.first.space.switch_side();
        let done = act(&mut self.first);
        self.first.space.switch_side();
        std::mem::swap(&mut self.first.space, &mut self.second.space);
        done
    }
}
