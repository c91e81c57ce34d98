//! Questions about equalities, functions and orders of values, decided here without a solver process.
//!
//! Most questions about `equals` and `hashCode` need nothing else: parts are equal, so functions of them
//! are, unless one is null. Arithmetic counts as unknown functions that give what they give on constants
//! (so "cannot be" is right whatever arithmetic means), and a way in which all could be true is made an
//! assignment, which counts only if evaluation agrees (so "can be" is right too). Where neither comes
//! out, nothing is said, and others are asked.

mod closure;
mod encode;
mod model;
mod search;

use crate::assignment::Assignment;
use crate::eval::Evaluator;
use crate::terms::{Term, Terms};
use crate::walk::Marks;

use encode::encode;
use model::find_model;
use search::{Found, Search};

/// Larger questions are not looked at.
const MOST_NODES: usize = 20_000;

/// How often cases are looked for in which arithmetic gives what the closure takes it to give.
const ROUNDS: usize = 6;
/// Of larger questions, once.
const FEW_NODES: usize = 5_000;

type Var = u32;

/// A variable or its contrary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Lit(u32);

impl Lit {
    fn new(var: Var, is_positive: bool) -> Lit {
        Lit(var * 2 + u32::from(!is_positive))
    }

    fn var(self) -> usize {
        (self.0 / 2) as usize
    }

    fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What can be said without asking anyone.
pub(crate) enum Ground {
    Unsat,
    Sat(Assignment),
    Open,
}

/// Whether all these Booleans can be true together.
pub(crate) fn decide(
    terms: &Terms,
    everything: &[Term],
    evaluator: &mut Evaluator,
    marks: &mut Marks,
) -> Ground {
    let cone = terms.cone(everything, marks);
    if cone.len() > MOST_NODES {
        return Ground::Open;
    }
    let problem = encode(terms, &cone, everything);
    let mut search = Search::new(problem.closure, problem.node_of);
    let mut found = search.run(problem.clauses);
    let rounds = if cone.len() > FEW_NODES { 1 } else { ROUNDS };
    for _ in 0..rounds {
        match found {
            Found::Unsat => return Ground::Unsat,
            Found::TooMuch => return Ground::Open,
            Found::Consistent => {}
        }
        let fits = |model: &Assignment| evaluator.all_hold(terms, everything, model);
        let wrong = match find_model(&search.closure, fits) {
            Ok(model) => return Ground::Sat(model),
            Err(wrong) => wrong,
        };
        if wrong.is_empty() {
            break;
        }
        found = search.run_again(&wrong);
    }
    if matches!(found, Found::Unsat) { Ground::Unsat } else { Ground::Open }
}
