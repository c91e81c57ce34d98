//! Runs that end at a limit, and questions that are given up for it.
//!
//! What is lost in a call stays lost in all questions that begin with that call, and in those that follow
//! more of it: none of them is worth another run.

use program::MethodId;
use smt::{Assignment, Effort, Evaluator};
use symex::symbolic::{Accepted, LoopPlan, Nature, Relations, Stop, StopKind, Term};

use super::relations::RELATED;
use super::{Proved, Prover, open};
use crate::verdict::GapKind;

impl Prover<'_, '_> {
    /// When a run ends before the end, except in loops that turn on.
    pub(super) fn lost(&mut self) -> Term {
        self.engine.stopped(0, |kind| kind != StopKind::Unwound)
    }

    pub(super) fn is_lost(&mut self, lost: Term) -> Proved<Option<Assignment>> {
        let worth = self.effort;
        if self.is_cut_short() {
            // What was too much to follow can happen: of some 400 such runs of three jars, none was excluded.
            // An example only says which of several reasons comes first.
            if self.has_one_reason() {
                return self.stopped_by(None);
            }
            self.effort = Effort::Alone;
        }
        let example = self.model_of(lost);
        self.effort = worth;
        example
    }

    /// Whether nobody asks for which of its reasons a run ended: there is but one, or the reasons told are those
    /// of another run, without relations.
    fn has_one_reason(&self) -> bool {
        let stops = self.engine.stops.iter().filter(|stop| stop.kind != StopKind::Unwound);
        let mut reasons = stops.map(|stop| (stop.kind, &stop.reason));
        let first = reasons.next();
        self.engine.relations.are_used() || reasons.all(|reason| Some(reason) == first)
    }

    /// Gives up where a run that ended at a limit can get there: what is lost stays lost.
    pub(super) fn give_up_if_lost(&mut self) -> Proved<()> {
        if !self.is_cut_short() {
            return Ok(());
        }
        let lost = self.lost();
        match self.is_lost(lost) {
            Ok(None) => Ok(()),
            Ok(Some(example)) => self.stopped_by(Some(&example)),
            Err(_) => self.stopped_by(None),
        }
    }

    /// Gives up after the first of several calls if that is too much already. Loops may still be cut, unless
    /// it is not even seen that the rule would then speak of anything, which `happens` says.
    pub(super) fn give_up_at_first(&mut self, happens: Term) -> Proved<()> {
        if !self.engine.unwound.loops.is_empty() {
            if !self.engine.loops.cut.is_empty() || !self.is_cut_short() {
                return Ok(());
            }
            let worth = std::mem::replace(&mut self.effort, Effort::Alone);
            let is_worth_more =
                !self.engine.relations.are_used() && matches!(self.is_possible(happens), Ok(true));
            self.effort = worth;
            if is_worth_more {
                return Ok(());
            }
        }
        let given_up = self.give_up_if_lost();
        self.is_lost_at_first |= given_up.is_err() && self.engine.loops.cut.is_empty();
        given_up
    }

    /// Why not all was followed: where it ends for these values, else at the first limit.
    pub(super) fn stopped_by<T>(&mut self, example: Option<&Assignment>) -> Proved<T> {
        let mut evaluator = Evaluator::new();
        let terms = &self.engine.space.terms;
        let is_met = |stop: &&Stop| match example {
            Some(example) => evaluator.all_hold(terms, &[stop.guard], example),
            None => stop.kind == StopKind::Budget,
        };
        let lost = self.engine.stops.iter().filter(|stop| stop.kind != StopKind::Unwound);
        let first = lost.clone().next();
        let reason = lost.clone().find(is_met).or(first);
        let detail = reason.map_or_else(String::new, |stop| stop.reason.clone());
        match reason.map(|stop| stop.kind) {
            Some(StopKind::Budget) => open(GapKind::Budget, detail),
            Some(StopKind::Unsupported | StopKind::Unwound) | None => {
                open(GapKind::Unsupported, detail)
            }
        }
    }

    /// Whether a run ended at a limit before all was followed.
    pub(super) fn is_cut_short(&self) -> bool {
        self.engine.stops.iter().any(|stop| stop.kind == StopKind::Budget)
    }

    /// Whether a call of `equals` on two objects can be followed to its end if these methods, and all static
    /// ones that could be relations, are such as one would wish.
    pub(super) fn may_relate(&mut self, equalities: &[MethodId]) -> bool {
        let ideal = Nature { is_total: true, accepted: Accepted::SameClass };
        let methods = equalities.iter().map(|&method| (method, ideal)).collect();
        self.restart_with(LoopPlan::default(), RELATED);
        self.engine.relations = Relations { with_static: true, methods, ..Relations::default() };
        let is_followed = self.throwing().is_ok() && self.give_up_if_lost().is_ok();
        is_followed && !self.engine.relations.uses.is_empty()
    }
}
