//! Runs whose loops stand for every number of turns.
//!
//! A run that unrolls its loops says nothing about what comes after the bound. Where it stopped there, it
//! is made again with those loops cut at their headers: what a loop changes is a symbol, or its first
//! value plus so much per turn. The changes are found by running, until a run shows no others; then its
//! outcomes cover all turns, and more.

use program::Kind;
use symex::symbolic::{Engine, Form, Label, LoopPlan, Shape};

/// Runs until the loops' shapes settle.
const MOST_ROUNDS: usize = 10;

/// The plan of a run, and how often it was changed.
#[derive(Default)]
pub(super) struct Turns {
    plan: LoopPlan,
    rounds: usize,
}

/// What a run was good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// Its outcomes cover all turns of all loops, or it says where it stopped.
    Settled,
    /// It is to be made again.
    Again,
    /// The loops do not settle.
    Failed,
}

impl Turns {
    /// The loops that a run unrolled in vain.
    pub(super) fn of(engine: &Engine<'_>) -> Turns {
        let plan = LoopPlan { cut: engine.unwound.loops.clone(), ..LoopPlan::default() };
        Turns { plan, rounds: 0 }
    }

    pub(super) fn plan(&self) -> LoopPlan {
        self.plan.clone()
    }

    /// Learns from a run that followed the plan.
    pub(super) fn learn(&mut self, engine: &mut Engine<'_>) -> Round {
        self.rounds += 1;
        if self.rounds > MOST_ROUNDS {
            return Round::Failed;
        }
        if !engine.unwound.loops.is_subset(&self.plan.cut) {
            self.plan.cut.extend(engine.unwound.loops.iter().copied());
            self.plan.shapes.clear();
            return Round::Again;
        }
        let shapes: Vec<Shape> =
            (0..engine.cuts.len()).map(|cut| shape_after(engine, cut)).collect();
        if engine.cuts.iter().map(|cut| &cut.shape).eq(&shapes) {
            return Round::Settled;
        }
        self.plan.shapes = shapes;
        Round::Again
    }
}

/// What a run shows of a loop: numbers that change by a constant per turn do that, all else that changes
/// may be anything.
fn shape_after(engine: &mut Engine<'_>, cut: usize) -> Shape {
    let mut shape = engine.grown(cut);
    let Some(back) = engine.cuts[cut].back.clone() else { return shape };
    let all = engine.cuts[cut].all.values.clone();
    for (at, slot) in shape.slots.iter_mut().enumerate() {
        let free = Form::Free(Label::Own(at as u32));
        if slot.form == free {
            continue;
        }
        slot.form = match engine.cuts[cut].kinds[at] {
            Kind::Int | Kind::Long => {
                let difference = engine.space.terms.sub(back.values[at], all[at]);
                engine.space.terms.as_const(difference).map_or(free, Form::Step)
            }
            Kind::Float | Kind::Double | Kind::Ref => free,
        };
    }
    // The same of numbers in objects of the run, such as the place of an iterator.
    for changed in engine.changed_fields(cut) {
        if shape.steps.get(&changed.of) == Some(&None) {
            continue;
        }
        let step = match changed.kind {
            Kind::Int | Kind::Long => {
                let difference = engine.space.terms.sub(changed.back, changed.all);
                engine.space.terms.as_const(difference)
            }
            Kind::Float | Kind::Double | Kind::Ref => None,
        };
        shape.steps.insert(changed.of, step);
    }
    shape
}
