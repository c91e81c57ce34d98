//! The way to a JVM, as the checks see it: witnesses go out, answers come back.
//!
//! What starts processes and talks to them lives outside of this crate and is handed in.

use crate::witness::{Answer, Witness};

/// Runs witnesses on a JVM.
pub trait Replay {
    /// One result for each witness, in order.
    fn replay(&mut self, witnesses: &[Witness]) -> Vec<Replayed>;
}

/// What a JVM made of one witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replayed {
    /// It ran to its end: one answer for each question.
    Answers(Vec<Answer>),
    /// It did not: an object could not be built, time ran out, the JVM died.
    Failed(String),
    /// No JVM was asked.
    NotRun,
}

impl Replayed {
    /// The JVM did not answer in time.
    pub const HUNG: &str = "it did not end within 5 seconds";
    /// The JVM is gone.
    pub const DIED: &str = "the JVM ended";

    /// Whether the JVM had to be started again.
    pub fn is_deadly(&self) -> bool {
        matches!(self, Replayed::Failed(reason) if [Self::HUNG, Self::DIED].contains(&&**reason))
    }
}

/// For runs without a JVM.
pub struct NoReplay;

impl Replay for NoReplay {
    fn replay(&mut self, witnesses: &[Witness]) -> Vec<Replayed> {
        witnesses.iter().map(|_| Replayed::NotRun).collect()
    }
}
