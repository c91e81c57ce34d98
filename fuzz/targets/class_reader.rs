//! Any bytes as a class file: everything that the reader can be asked.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::class::read_everything(bytes));
