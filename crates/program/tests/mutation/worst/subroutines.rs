//! `jsr` and `ret`: inlining them copies code.

use testkit::assembler::Code;
use testkit::assembler::opcodes::*;

use super::{class, is_lowered, method};

/// Each subroutine calls the next one twice: 2^depth copies if all were made.
fn doubling(depth: u16) -> Vec<u8> {
    let mut code = Code::new().limits(4, depth + 2);
    let labels: Vec<_> = (0..=depth).map(|_| code.label()).collect();
    code.branch(JSR, labels[0]).op(RETURN);
    for level in 0..depth {
        let next = labels[usize::from(level) + 1];
        code.bind(labels[usize::from(level)]).wide(ASTORE, level + 1);
        code.branch(JSR, next).branch(JSR, next).wide(RET, level + 1);
    }
    code.bind(labels[usize::from(depth)]).wide(ASTORE, depth + 1).wide(RET, depth + 1);
    method(class(), code)
}

#[test]
fn subroutines_that_double() {
    assert!(is_lowered(&doubling(8)));
    assert!(!is_lowered(&doubling(40)));
    assert!(!is_lowered(&doubling(4_000)));
}

/// Many calls of one subroutine with this body.
fn called(calls: usize, max_locals: u16, body: impl FnOnce(&mut Code)) -> Vec<u8> {
    let mut code = Code::new().limits(4, max_locals);
    let subroutine = code.label();
    for _ in 0..calls {
        code.branch_wide(JSR_W, subroutine);
    }
    code.op(RETURN).bind(subroutine).op(ASTORE_1);
    body(&mut code);
    code.op_u8(RET, 1);
    method(class(), code)
}

#[test]
fn one_subroutine_called_from_everywhere() {
    assert!(is_lowered(&called(8_000, 2, |_| {})));
    let nops = |code: &mut Code| code.bytes.resize(60_000, NOP);
    assert!(!is_lowered(&called(2_000, 2, nops)));
    // A switch to many places, copied for each call.
    let switch = |code: &mut Code| {
        let targets: Vec<_> = (0..8_000).map(|_| code.label()).collect();
        code.op(ILOAD_0).tableswitch(0, targets[0], &targets);
        for &target in &targets {
            code.bind(target).op(NOP);
        }
    };
    assert!(!is_lowered(&called(4_000, 2, switch)));
}

#[test]
fn as_many_calls_as_returns() {
    let rets = |code: &mut Code| {
        for _ in 0..5_000 {
            let next = code.label();
            code.op(ILOAD_0).branch(IFEQ, next).op_u8(RET, 1).bind(next);
        }
    };
    is_lowered(&called(5_000, 2, rets));
}

/// Each level keeps its return address, and the innermost one needs them all.
#[test]
fn subroutines_in_subroutines() {
    for depth in [100, 5_000] {
        let mut code = Code::new().limits(4, depth + 2);
        let labels: Vec<_> = (0..=depth).map(|_| code.label()).collect();
        code.branch(JSR, labels[0]).op(RETURN);
        for level in 0..depth {
            code.bind(labels[usize::from(level)]).wide(ASTORE, level + 1);
            code.branch(JSR, labels[usize::from(level) + 1]).wide(RET, level + 1);
        }
        code.bind(labels[usize::from(depth)]).wide(ASTORE, depth + 1).wide(RET, depth + 1);
        assert_eq!(is_lowered(&method(class(), code)), depth == 100);
    }
}

/// Which locals are live is asked for the code as written, and again for its copies.
#[test]
fn subroutines_among_all_locals() {
    let branches = |code: &mut Code| {
        for _ in 0..200 {
            let next = code.label();
            code.op(ILOAD_0).branch(IFEQ, next).bind(next);
        }
    };
    assert!(is_lowered(&called(1, u16::MAX, branches)));
    assert!(!is_lowered(&called(4, u16::MAX, branches)));
}
