//! The external solver, behind one type.
//!
//! A solver is a process that speaks SMT-LIB 2 over a pipe; nothing else in the workspace names one.
//! It is never trusted with more than it shows: a model counts only if it satisfies the assertions
//! under our own evaluation, and whatever the process does wrong becomes `Unknown` with a reason.

mod abstraction;
mod cases;
mod harder;
mod integers;
mod locate;
mod model;
mod options;
mod parse;
mod print;
mod process;
mod reason;
mod session;
mod simplify;
mod stats;
mod work;

pub use locate::{MissingSolver, locate_solver};
pub use options::{Dialect, Effort, Options};
pub use reason::Reason;
pub use session::{Answer, Solver};
pub use stats::Stats;
