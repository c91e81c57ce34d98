//! The seam to proofs: asked where the pool found nothing.
//!
//! Input: the program, the class with its methods, the rule. Output: that it holds and in which scope,
//! or why that is not known. A proof that fails with objects in hand hands them back as a candidate,
//! which is then replayed like one of the pool.

use std::collections::BTreeMap;

use program::Program;

use super::property::Property;
use super::search::Candidate;
use super::subjects::Subject;
use crate::verdict::{Gap, GapKind, Scope};

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
    _program: &Program,
    _subject: &Subject,
    _property: Property,
    gaps: &BTreeMap<String, u32>,
) -> Proof {
    let tried = "no counterexample among the objects that were tried, and no proof was attempted";
    let mut found = vec![Gap::new(GapKind::Unsupported, tried)];
    // The reason that was met most often says most about what stands in the way.
    if let Some((reason, _)) = gaps.iter().max_by_key(|(_, count)| **count) {
        found.push(Gap::new(GapKind::Unsupported, format!("some calls could not be followed: {reason}")));
    }
    Proof::Open(found)
}
