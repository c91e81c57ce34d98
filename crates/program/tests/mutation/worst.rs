//! Methods made to cost as much as a class file allows. Each either lowers to a body that verifies,
//! or is refused as too large; never slowly, and never with much memory.

mod calls;
mod control;
mod subroutines;

use std::time::Duration;

use program::LowerError;
use testkit::assembler::{ACC_PUBLIC, ACC_STATIC, ClassWriter, Code};

use crate::{Stopwatch, lower, lower_within_limits};

const MAX_TIME: Duration = Duration::from_secs(2);
/// Of lowering, verifying and printing together.
const MAX_TIME_IN_ALL: Duration = Duration::from_secs(10);

fn class() -> ClassWriter {
    ClassWriter::new(49, "Worst", "java/lang/Object")
}

/// `(I)V`, static.
fn method(mut class: ClassWriter, code: Code) -> Vec<u8> {
    assert!(code.bytes.len() < 1 << 16, "{} bytes of code", code.bytes.len());
    class.method(ACC_PUBLIC | ACC_STATIC, "worst", "(I)V", code);
    class.bytes()
}

/// Whether the only method was lowered: it is not refused for any reason but its size.
fn is_lowered(bytes: &[u8]) -> bool {
    let refused = lower_within_limits(bytes, MAX_TIME);
    let start = Stopwatch::start();
    lower::lower_everything(bytes);
    let time = start.elapsed();
    assert!(time <= MAX_TIME_IN_ALL, "took {time:?} with verification");
    match &refused[..] {
        [] => true,
        [LowerError::TooLarge(_)] => false,
        other => panic!("not a valid worst case: {other:?}"),
    }
}
