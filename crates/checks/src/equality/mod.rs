//! Equality contracts: `equals`, `hashCode`, `compareTo` and comparators.
//!
//! For each class that declares one of these methods, and each rule that then applies, there is one
//! question. It is put to a pool of concrete objects first ([`search`]); what they do not settle goes
//! to [`proof`]. What they show goes to a JVM ([`settle`]), and only what reproduces there is a
//! violation.
//!
//! Everything about one class is decided alone, in a machine of its own, so that the order of work
//! does not matter.

mod comparators;
mod contract;
mod fault;
mod hierarchy;
pub(crate) mod invariants;
mod lawless;
mod message;
mod notes;
mod parts;
mod pool;
mod proof;
mod property;
mod prover;
mod search;
mod settle;
mod sketch;
mod strangers;
mod subjects;
mod survey;
mod table;
mod turns;

pub use contract::Contract;
pub use hierarchy::hierarchies;
pub use parts::name_broken_parts;
pub use pool::Counts;
pub use property::Property;
pub use search::{Broken, Candidate, Certainty, Examined, Limits, examine, try_with_broken_parts};
pub use settle::{Settled, settle};
pub use subjects::Subject;
pub use survey::Survey;
