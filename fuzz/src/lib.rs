//! What the fuzz targets do with their bytes. A finding is a panic, a body that the IR verifier
//! refuses, or a run-away in time or memory (libFuzzer's own limits, see `make fuzz`).
//!
//! `class` and `lower` are also the body of the mutation test of the crate `program`, which includes
//! these files; so they name nothing of libFuzzer.

pub mod archive;
pub mod class;
pub mod lower;
