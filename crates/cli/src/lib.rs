//! The command `jury`: all input and output of the project.
//!
//! `main` shows the way of a run: load, lower, check, replay, render.

pub mod args;
mod dump;
mod eval;
mod hang;
pub mod load;
mod locks;
mod memory;
pub mod render;
mod run;

pub use run::{run, warn};
