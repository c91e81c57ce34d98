//! Questions of proofs, as the solver gets them.

use smt::{Answer, Assignment, Solver};
use symex::symbolic::{Engine, Term};

use super::proof::{Proved, open};
use crate::verdict::GapKind;

/// Questions of up to so many nodes are worth more work.
const SMALL: usize = 250;
/// Larger questions are not put to the solver.
const MOST_NODES: usize = 12_000;

/// A model of the question, or nothing if it cannot be true.
pub(super) fn ask(
    engine: &mut Engine<'_>,
    solver: &mut Solver,
    question: Term,
) -> Proved<Option<Assignment>> {
    ask_for(engine, solver, question, false)
}

/// As [`ask`], with more work if the question is small: it is the one that all depends on.
pub(super) fn ask_hard(
    engine: &mut Engine<'_>,
    solver: &mut Solver,
    question: Term,
) -> Proved<Option<Assignment>> {
    ask_for(engine, solver, question, true)
}

fn ask_for(
    engine: &mut Engine<'_>,
    solver: &mut Solver,
    question: Term,
    is_worth_more: bool,
) -> Proved<Option<Assignment>> {
    if engine.space.terms.is_false(question) {
        return Ok(None);
    }
    let size = engine.space.terms.dag_size(&[question], &mut smt::Marks::new());
    if size > MOST_NODES {
        return open(GapKind::Budget, "the question is too large for the solver");
    }
    let answer = if is_worth_more && size <= SMALL {
        solver.check_with(&mut engine.space.terms, question, smt::Effort::Turns)
    } else {
        solver.check(&mut engine.space.terms, question)
    };
    match answer {
        Answer::Sat(model) => Ok(Some(model)),
        Answer::Unsat => Ok(None),
        Answer::Unknown(reason) => open(GapKind::Solver, reason.to_string()),
    }
}
