//! Blocks, locals, switches and exception tables.

use testkit::assembler::opcodes::*;
use testkit::assembler::{Code, Label};

use super::{class, is_lowered, method};

fn labels(code: &mut Code, count: usize) -> Vec<Label> {
    (0..count).map(|_| code.label()).collect()
}

/// `locals` ints, all of them live until the end.
fn set_locals(code: &mut Code, locals: u16) {
    for local in 1..locals {
        code.push(1).wide(ISTORE, local);
    }
}

fn read_locals(code: &mut Code, locals: u16) {
    for local in 1..locals {
        code.wide(ILOAD, local).op(POP);
    }
    code.op(RETURN);
}

/// Ifs inside of ifs, each of which changes another local, so that all meet in parameters.
fn nested_ifs(locals: u16, depth: u16) -> Vec<u8> {
    let mut code = Code::new().limits(4, locals);
    set_locals(&mut code, locals);
    let ends = labels(&mut code, depth.into());
    for (level, &end) in ends.iter().enumerate() {
        code.op(ILOAD_0).branch(IFEQ, end);
        code.push(2).wide(ISTORE, 1 + level as u16 % (locals - 1));
    }
    for &end in ends.iter().rev() {
        code.bind(end).op(NOP);
    }
    read_locals(&mut code, locals);
    method(class(), code)
}

#[test]
fn nested_ifs_over_many_locals() {
    assert!(is_lowered(&nested_ifs(260, 2_000)));
    is_lowered(&nested_ifs(2_000, 3_000));
    assert!(is_lowered(&nested_ifs(2, 3_000)));
}

/// Loops in loops: every local is a parameter of every header until it is found needless.
#[test]
fn nested_loops_over_many_locals() {
    for (n_locals, depth) in [(260, 40), (260, 1_500), (2, 4_500)] {
        let mut code = Code::new().limits(4, n_locals);
        set_locals(&mut code, n_locals);
        let heads = labels(&mut code, depth);
        for &head in &heads {
            code.bind(head).op_u16(IINC, 0x00ff);
        }
        for &head in heads.iter().rev() {
            code.op(ILOAD_0).branch(IFNE, head);
        }
        read_locals(&mut code, n_locals);
        is_lowered(&method(class(), code));
    }
}

#[test]
fn all_locals_and_thousands_of_blocks() {
    let mut code = Code::new().limits(4, u16::MAX);
    let end = code.label();
    for block in 0..3_500u16 {
        code.push(1).wide(ISTORE, u16::MAX - 1 - block).op(ILOAD_0).branch(IFEQ, end);
    }
    code.bind(end).op(RETURN);
    assert!(!is_lowered(&method(class(), code)));

    let mut code = Code::new().limits(4, u16::MAX);
    let start = code.label();
    set_locals(&mut code, 5_000);
    code.bind(start);
    for _ in 0..800 {
        code.op(ILOAD_0).branch(IFEQ, start);
    }
    read_locals(&mut code, 5_000);
    is_lowered(&method(class(), code));
}

#[test]
fn a_switch_with_as_many_targets_as_fit() {
    let mut code = Code::new().limits(4, 16);
    let targets = labels(&mut code, 13_000);
    code.op(ILOAD_0).tableswitch(i32::MAX - 12_999, targets[0], &targets);
    for &target in &targets {
        code.bind(target).op(NOP);
    }
    code.op(RETURN);
    assert!(is_lowered(&method(class(), code)));
}

#[test]
fn switches_that_carry_a_deep_stack() {
    let mut code = Code::new().limits(u16::MAX, 16);
    code.op(ILOAD_0).op(ILOAD_0);
    for _ in 0..10_000 {
        code.op(DUP2);
    }
    let targets = labels(&mut code, 10_000);
    code.op(ILOAD_0).tableswitch(0, targets[0], &targets);
    for &target in &targets {
        code.bind(target).op(NOP);
    }
    code.op(RETURN);
    assert!(!is_lowered(&method(class(), code)));
}

/// Blocks of `IDIV`, each of which can throw, and 65,535 entries of these catch types.
fn exception_table(n_blocks: usize, nops: usize, catch_types: usize) -> Vec<u8> {
    let mut class = class();
    let types: Vec<u16> = match catch_types {
        0 => vec![0],
        _ => (0..catch_types).map(|n| class.pool.class(&format!("T{n}"))).collect(),
    };
    let mut code = Code::new();
    let [start, end, handler] = [code.label(), code.label(), code.label()];
    for n in 0..u16::MAX {
        code.handler(start, end, handler, types[usize::from(n) % types.len()]);
    }
    code.bind(start);
    for _ in 0..n_blocks {
        let next = code.label();
        code.op(ILOAD_0).op(ILOAD_0).op(IDIV).branch(IFEQ, next).bind(next);
    }
    code.bytes.resize(code.bytes.len() + nops, NOP);
    code.bind(end).op(RETURN).bind(handler).op(POP).op(RETURN);
    method(class, code)
}

#[test]
fn the_longest_exception_table() {
    assert!(is_lowered(&exception_table(1, 0, 0)));
    assert!(is_lowered(&exception_table(6, 0, 200)));
    assert!(!is_lowered(&exception_table(6, 0, 1_000)));
    assert!(is_lowered(&exception_table(1, 60_000, 0)));
    assert!(!is_lowered(&exception_table(5_000, 0, 0)));
}

/// Each division sees other locals than the one before, so each is a block with handlers of its own.
#[test]
fn handlers_of_blocks_that_are_cut() {
    for (n_handlers, n_cuts) in [(250, 8_000), (20, 8_000)] {
        let mut class = class();
        let mut code = Code::new();
        let [start, end, handler] = [code.label(), code.label(), code.label()];
        for n in 0..n_handlers {
            let catch_type = class.pool.class(&format!("T{n}"));
            code.handler(start, end, handler, catch_type);
        }
        code.push(1).op(ISTORE_1).bind(start);
        for _ in 0..n_cuts {
            code.op(ILOAD_0).op(ILOAD_1).op(IDIV).op(ISTORE_1);
        }
        code.bind(end).op(RETURN).bind(handler).op(POP).op(ILOAD_1).op(POP).op(RETURN);
        is_lowered(&method(class, code));
    }
}

/// A long way down, and handlers that can be reached from each step of it.
#[test]
fn dominators_of_a_long_way_down() {
    let mut class = class();
    let mut code = Code::new();
    let [start, end] = [code.label(), code.label()];
    let handlers = labels(&mut code, 25);
    for (n, &handler) in handlers.iter().enumerate() {
        let catch_type = class.pool.class(&format!("T{n}"));
        code.handler(start, end, handler, catch_type);
    }
    code.bind(start);
    for _ in 0..9_000 {
        let next = code.label();
        code.op(ILOAD_0).op(ILOAD_0).op(IDIV).branch(IFEQ, next).bind(next);
    }
    code.bind(end).op(RETURN);
    for &handler in &handlers {
        code.bind(handler).op(POP).op(RETURN);
    }
    assert!(is_lowered(&method(class, code)));
}
