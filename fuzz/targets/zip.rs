//! Any bytes as a jar, war or jmod: listed, and every entry read, nested archives too.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::archive::read_everything(bytes));
