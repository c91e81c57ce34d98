//! Shared by the integration tests: random expressions with a naive evaluator, and the real solver.

// Each test binary uses its own part of this module.
#![allow(dead_code)]

pub(crate) mod expr;
pub(crate) mod naive;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use smt::Options;

/// The pinned solver, fetched if it is not there yet. Missing tools fail, they never skip.
pub(crate) fn solver_program() -> PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM
        .get_or_init(|| {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let program = root.join("target/solver/bin/z3");
            if !program.is_file() {
                let fetched = Command::new(root.join("scripts/fetch-solver")).status();
                assert!(
                    fetched.is_ok_and(|status| status.success()),
                    "scripts/fetch-solver failed"
                );
            }
            program
        })
        .clone()
}

/// Options that always ask the real solver.
pub(crate) fn ask_always() -> Options {
    Options {
        program: Some(solver_program()),
        substitute: false,
        try_concrete: false,
        equalities: false,
        cases: false,
        ..Options::default()
    }
}

/// A fixed sequence of numbers that look random (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
