//! Rules and the verdicts on them: what Jury judges, and the one shape in which it answers.
//!
//! This crate deliberately does no IO and no serialisation: it neither reads files nor starts a JVM
//! nor knows JSON. Types that leave the process are defined where they leave it, in `cli`.
//!
//! Invariants:
//! - A violation is earned: [`Verdict::Violated`] cannot be built from evidence that did not
//!   reproduce on a JVM ([`verdict`]).
//! - A [`Report`] is ordered and counted by construction ([`report`]).
//! - Every rule stands once in [`RULES`], and everything that names a rule takes it from there.

pub mod cycle;
pub mod equality;
pub mod equivalence;
pub mod finding;
pub mod locks;
pub mod replay;
pub mod report;
pub mod rule;
pub mod rules;
pub mod verdict;
pub mod witness;

pub use cycle::Cycle;
pub use finding::{Cause, Finding, Level, Subject};
pub use report::{Command, Outcome, Report, Summary};
pub use rule::{Explanation, Rule};
pub use rules::RULES;
pub use verdict::{Construction, Evidence, Gap, GapKind, Need, Replay, Reproduced, Scope, Verdict};
