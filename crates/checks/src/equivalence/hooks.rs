//! Methods that subclasses may override, and that a method calls on its own object.

use smt::Solver;

use super::proof::{Proved, Question, is_whole, open, try_prove};
use crate::verdict::{GapKind, Scope};

/// What is proved of receivers of all classes that callers may write: which of its own methods a method calls
/// is what subclasses rely on. A proof that rests on nobody overriding them must do without that, so that both
/// versions call them alike.
pub(super) fn with_heirs(
    question: &Question<'_>,
    proved: Proved<Scope>,
    solver: &mut Solver,
) -> Proved<Scope> {
    let rests_on = |scope: &Scope| {
        scope.assumptions.iter().any(|it| it.starts_with("no class outside of those analysed over"))
    };
    let scope = proved?;
    if !rests_on(&scope) || question.edited.unshared {
        return Ok(scope);
    }
    let question = Question { opens_calls: true, ..*question };
    let again = try_prove(&question, solver, &mut None);
    if is_whole(&again) || scope.bound.is_some() {
        return again;
    }
    open(
        GapKind::Approximation,
        "it calls methods of its own that subclasses may override, in another way now",
    )
}
