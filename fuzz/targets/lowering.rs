//! Any bytes as the only class of a program: every method that lowers must pass the IR verifier.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::lower::lower_everything(bytes));
