//! The seam to proofs: asked where the pool found nothing.
//!
//! Input: the program, the class with its methods, the rule, and what the pool tried. Output: that it
//! holds and in which scope, or why that is not known. A proof that fails with objects in hand hands
//! them back as a candidate, which is then replayed like one of the pool.

use super::property::Property;
use super::prover::{Before, prove_all_states, prove_stable};
use super::search::Candidate;
use super::sketch::Sketch;
use super::subjects::{Subject, relatives};
use super::survey::Survey;
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

/// What the pool came to without a counterexample.
#[derive(Debug, Clone, Default)]
pub(super) struct Trials {
    /// Objects of the class and its subclasses.
    pub(super) n_objects: usize,
    /// The most frequent reason why one could not be built.
    pub(super) not_built: Option<String>,
    /// The most frequent reason why a call could not be followed.
    pub(super) not_followed: Option<String>,
}

/// Tries to prove that the rule holds for all objects of the class; else there may be a sketch of objects
/// that break it.
pub(super) fn prove(
    survey: &Survey<'_>,
    subject: &Subject,
    property: Property,
    solver: &mut smt::Solver,
    trials: &Trials,
    (before, sketch): (&mut Before, &mut Option<Sketch>),
) -> Proof {
    let relatives = relatives(survey, subject);
    let is_seen = trials.n_objects > 0 && trials.not_followed.is_none();
    let found = (is_seen, before, sketch);
    match prove_all_states(survey, subject, &relatives, property, solver, found) {
        Ok(scope) => Proof::Holds(scope),
        // Of lambdas no objects were tried but what they compare.
        Err(gaps) if subject.provider.is_some() => Proof::Open(gaps),
        Err(gaps) => Proof::Open([gaps, vec![gap(trials)]].concat()),
    }
}

/// `hash-stable`, of a class for which `hash-consistent` came to this.
pub(super) fn prove_hash_stable(
    survey: &Survey<'_>,
    subject: &Subject,
    solver: &mut smt::Solver,
    trials: &Trials,
    consistent: &Proof,
) -> Proof {
    let Proof::Holds(scope) = consistent else { return consistent.clone() };
    match prove_stable(survey, subject, &relatives(survey, subject), solver) {
        Ok(()) => Proof::Holds(scope.clone()),
        Err(gaps) => Proof::Open([gaps, vec![gap(trials)]].concat()),
    }
}

fn gap(trials: &Trials) -> Gap {
    let (kind, detail) = match trials {
        Trials { n_objects: 0, not_built: Some(reason), .. } => {
            (GapKind::Unsupported, format!("no object of the class could be built ({reason})"))
        }
        Trials { n_objects: 0, .. } => {
            (GapKind::Unsupported, "no object of the class could be built".to_owned())
        }
        Trials { n_objects, not_followed: Some(reason), .. } => (
            GapKind::Unsupported,
            format!(
                "{n_objects} objects that were tried do not break the rule, but some calls on them \
                 could not be followed ({reason})"
            ),
        ),
        Trials { n_objects, .. } => (
            GapKind::Budget,
            format!(
                "{n_objects} objects that were tried do not break the rule; others were not tried"
            ),
        ),
    };
    Gap::new(kind, detail)
}
