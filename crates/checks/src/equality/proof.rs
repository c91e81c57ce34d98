//! The seam to proofs: asked where the pool found nothing.
//!
//! Input: the program, the class with its methods, the rule. Output: that it holds and in which scope,
//! or why that is not known. A proof that fails with objects in hand hands them back as a candidate,
//! which is then replayed like one of the pool.

use std::collections::BTreeMap;

use program::Program;

use super::contract::Contract;
use super::property::Property;
use super::prover::prove_all_states;
use super::search::Candidate;
use super::subjects::{Subject, relatives};
use crate::verdict::{Gap, GapKind, Scope};
use crate::witness::supply::Index;

/// What a proof came to.
#[derive(Debug, Clone)]
pub enum Proof {
    Holds(Scope),
    /// Objects that break the rule, not found by the pool.
    Broken(Box<Candidate>),
    Open(Vec<Gap>),
    /// The pool had settled it.
    NotAsked,
}

/// Tries to prove that the rule holds for all objects of the class.
pub(super) fn prove(
    program: &Program,
    index: &Index,
    contract: &Contract,
    subject: &Subject,
    property: Property,
    solver: &mut smt::Solver,
    gaps: &BTreeMap<String, u32>,
) -> Proof {
    let relatives = relatives(program, index, subject);
    let proved =
        prove_all_states(program, index.world(), contract, subject, &relatives, property, solver);
    let mut found = match proved {
        Ok(scope) => return Proof::Holds(scope),
        Err(gaps) => gaps,
    };
    // The reason that was met most often says most about what stands in the way.
    if let Some((reason, _)) = gaps.iter().max_by_key(|(_, count)| **count) {
        found.push(Gap::new(GapKind::Unsupported, format!("some calls could not be followed: {reason}")));
    }
    Proof::Open(found)
}
