//! What exceptions say.
//!
//! Messages, causes and which object it is are no part of what a method does: people reword them all the time.
//! But somebody who catches an exception may look, and then they are part of what that code does. So a
//! proof says whether they are the same, and where they may not be, callers are judged on their own.

use rustc_hash::FxHashMap;
use smt::Solver;
use symex::symbolic::{Run, Term, thrown_differ};

use super::asking::ask;
use super::proof::Both;
use crate::verdict::Scope;

/// What a proof rests on where that is not known.
pub(super) const UNTOLD: &str =
    "nobody who catches its exceptions looks at their messages or causes";

impl Both<'_> {
    /// Adds to a proof that exceptions may say something else than before, unless they cannot. The solver
    /// knows what the proof rests on; `forms` take the place of symbols.
    pub(super) fn tell_exceptions(
        &mut self,
        solver: &mut Solver,
        forms: &FxHashMap<Term, Term>,
        scope: &mut Scope,
    ) {
        if self.may_say_else(solver, forms) {
            scope.assumptions.push(UNTOLD.to_owned());
            scope.assumptions.sort();
        }
    }

    fn may_say_else(&mut self, solver: &mut Solver, forms: &FxHashMap<Term, Term>) -> bool {
        let n_facts = self.second.space.facts.len();
        let first = Run { engine: &mut self.first, outcome: &self.one };
        let second = Run { engine: &mut self.second, outcome: &self.two };
        let Ok(differ) = thrown_differ(first, second) else { return true };
        let space = &mut self.second.space;
        let mut memo = FxHashMap::default();
        for at in n_facts..space.facts.len() {
            let fact = space.terms.substitute(space.facts[at], forms, &mut memo);
            solver.assert(&mut space.terms, fact);
        }
        let differ = space.terms.substitute(differ, forms, &mut memo);
        !matches!(ask(&mut self.second, solver, differ), Ok(None))
    }
}
