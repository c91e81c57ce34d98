//! The command `jury`: all input and output of the project.
//!
//! `main` shows the way of a run: load, lower, check, replay, render.

pub mod args;
mod diff;
mod dump;
mod equals;
mod eval;
pub mod fault;
mod glob;
mod hang;
mod interrupt;
pub mod load;
mod locks;
mod memory;
mod progress;
pub mod render;
mod replay;
mod run;
mod witnesses;

pub use run::{run, warn};
