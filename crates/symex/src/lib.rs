//! Runs method bodies: concretely on values, as a JVM would, and symbolically on terms.
//!
//! The concrete machine executes the JDK's own bytecode wherever there is any, so that its answers are
//! the JVM's by construction; only native methods are written here. What it cannot do is a `Gap` with
//! a reason, never a guess.

pub mod concrete;
pub mod symbolic;
