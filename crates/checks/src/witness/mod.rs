//! Witnesses: objects built as a caller would build them, and calls on them.
//!
//! Neutral ground between the checks and a JVM: a [`Recipe`] names classes and members by text, so
//! that the concrete machine, a JVM and a reader of Java can all follow it, and so that it fits two
//! versions of one program. Nothing here knows rules or verdicts.
//!
//! Invariants:
//! - A recipe uses only what its [`Access`] says: public members, or those open to one package. No
//!   private state is touched.
//! - Following a recipe twice makes two objects, except for what it shares by number.

pub mod access;
mod build;
pub mod java;
mod literal;
mod needs;
mod recipe;
pub mod supply;

pub use access::Access;
pub use build::{Built, answers, follow};
pub(crate) use build::{answer, apply, find_method};
pub use literal::Literal;
pub(crate) use needs::effect_needs;
pub use needs::needs;
pub use recipe::{Answer, Effect, Member, Operand, Question, Recipe, Reply, Step, Stub, Witness};
