//! What fuzzing found, as small as it gets: code that a verifier would refuse, and lowering did not.

use std::time::Duration;

use program::LowerError;
use testkit::assembler::opcodes::*;
use testkit::assembler::{ACC_PUBLIC, ACC_STATIC, ClassWriter, Code};

use crate::{lower, lower_within_limits};

fn refused(build: impl FnOnce(&mut ClassWriter, &mut Code)) -> Option<LowerError> {
    let mut class = ClassWriter::new(49, "Found", "java/lang/Object");
    let mut code = Code::new();
    build(&mut class, &mut code);
    class.method(ACC_PUBLIC | ACC_STATIC, "found", "(I)V", code);
    let bytes = class.bytes();
    lower::lower_everything(&bytes);
    lower_within_limits(&bytes, Duration::from_secs(2)).pop()
}

fn depths_differ(pc: u32) -> Option<LowerError> {
    Some(LowerError::Invalid { pc, rule: "stack depths differ" })
}

/// The entry has an empty stack, a handler the exception.
#[test]
fn a_handler_at_the_entry() {
    let found = refused(|class, code| {
        let call = class.pool.method_ref("Found", "f", "()V");
        let [start, end] = [code.label(), code.label()];
        code.handler(start, end, start, 0);
        code.bind(start).op_u16(INVOKESTATIC, call).bind(end).op(RETURN);
    });
    assert_eq!(found, depths_differ(0));
}

/// The value left on the stack would be taken for the local.
#[test]
fn a_loop_that_fills_the_stack() {
    let found = refused(|_, code| {
        let head = code.label();
        code.op(NOP).bind(head).op(ICONST_1).op(ILOAD_0).branch(IFNE, head).op(RETURN);
    });
    assert_eq!(found, depths_differ(1));
}
