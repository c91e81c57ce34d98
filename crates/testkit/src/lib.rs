//! What tests share: real Java tools, fixtures with their expectations, pinned jars, golden files, and
//! a writer for class files that no compiler makes.
//!
//! Tests only, and no knowledge of the crates under test: expectations are compared with plain
//! observations that a test derives from a report. A missing tool is an error, never a skipped test.

pub mod assembler;
pub mod expect;
pub mod golden;
pub mod jars;
pub mod javac;
pub mod jdk;
pub mod parallel;

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn workspace_root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("this crate is at crates/testkit").to_path_buf()
}
