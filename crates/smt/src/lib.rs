//! Logic for Java values: hash-consed terms that simplify as they are built, their evaluation on
//! concrete inputs, and the door to an external solver.
//!
//! The three ways to answer a question, in order of cost, live here: terms that are equal by
//! construction ([`Terms`]), evaluation on concrete inputs ([`Evaluator`], [`Tape`], candidates), and
//! the solver ([`Solver`]). Deliberately absent: anything about Java classes, heaps or verdicts;
//! global state; wall-clock decisions (a hanging solver is killed, and the answer says so).
//!
//! Invariants: an arena is append-only and a node's arguments have smaller ids than the node, so
//! ascending ids are a topological order; everything is deterministic; algorithms over terms are
//! iterative, because merged states make terms that are tens of thousands of nodes deep.

mod assignment;
mod build;
mod candidates;
mod eval;
mod fold;
mod ground;
mod op;
mod partial;
mod solver;
mod sort;
mod tape;
mod terms;
mod value;
mod walk;

pub use assignment::{Assignment, FunctionTable};
pub use eval::Evaluator;
pub use op::Op;
pub use partial::{Partial, Progress};
pub use solver::{
    Answer, Dialect, Effort, MissingSolver, Options, Reason, Solver, Stats, locate_solver,
};
pub use sort::{ArraySort, Function, Sort, SortId, Symbol};
pub use tape::Tape;
pub use terms::{Term, Terms};
pub use value::{ArrayValue, Value};
pub use walk::{Leaf, Marks};
