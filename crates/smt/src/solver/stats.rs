//! Counts of questions by how they were answered.

use std::collections::BTreeMap;

/// What a solver did so far. `queries` is the sum of the four ways to answer, and of what was not asked.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    pub queries: u64,
    /// The question became a constant.
    pub by_simplification: u64,
    /// An earlier model or a candidate input satisfied it.
    pub by_evaluation: u64,
    /// Equalities and orders sufficed.
    pub by_equalities: u64,
    pub by_solver: u64,
    /// Processes started after the first one.
    pub restarts: u64,
    /// Questions without an answer, by [`crate::Reason::name`].
    pub unknown: BTreeMap<&'static str, u64>,
}

impl Stats {
    pub fn n_unknown(&self) -> u64 {
        self.unknown.values().sum()
    }

    /// Adds the counts of another solver.
    pub fn add(&mut self, other: &Stats) {
        self.queries += other.queries;
        self.by_simplification += other.by_simplification;
        self.by_evaluation += other.by_evaluation;
        self.by_equalities += other.by_equalities;
        self.by_solver += other.by_solver;
        self.restarts += other.restarts;
        for (reason, count) in &other.unknown {
            *self.unknown.entry(reason).or_default() += count;
        }
    }
}
