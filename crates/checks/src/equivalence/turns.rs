//! Whether a few turns of a loop can stand for many: not where the code mentions numbers beyond them.

use std::collections::BTreeSet;

use program::ir::{BinaryOp, Body, Const, Op, Terminator, Value};
use program::{MethodId, Program};

/// The largest number in the code of these methods, if it is beyond the bound.
pub(super) fn beyond_bound(
    methods: [(&Program, &BTreeSet<MethodId>); 2],
    bound: u32,
) -> Option<i64> {
    let largest = methods.into_iter().flat_map(|(program, methods)| {
        let bodies = methods.iter().filter_map(|&method| program.lower(method).ok().flatten());
        bodies.filter_map(|body| largest_number(&body)).max()
    });
    largest.max().filter(|&number| number > i64::from(bound))
}

/// Whether loops that turn more than `few` times may all end within `many`: something must say so, a
/// number in the code, a text, or what a static field holds.
pub(super) fn may_end(methods: [(&Program, &BTreeSet<MethodId>); 2], few: u32, many: u32) -> bool {
    let says = |op: &Op| match op {
        Op::Const(Const::String(_)) | Op::GetStatic(_) => true,
        Op::Const(constant) => number(*constant)
            .is_some_and(|number| number > i64::from(few) && number <= i64::from(many)),
        _ => false,
    };
    methods.into_iter().any(|(program, methods)| {
        let mut bodies = methods.iter().filter_map(|&method| program.lower(method).ok().flatten());
        bodies.any(|body| body.instructions.iter().any(|instruction| says(&instruction.op)))
    })
}

/// Factors and distances of shifts are left out: they say nothing about turns.
fn largest_number(body: &Body) -> Option<i64> {
    let mut factors: BTreeSet<Value> = BTreeSet::new();
    for instruction in &body.instructions {
        if let Op::Binary(op, one, two) = instruction.op {
            match op {
                BinaryOp::Mul(_) => factors.extend([one, two]),
                BinaryOp::Shl(_) | BinaryOp::Shr(_) | BinaryOp::Ushr(_) => {
                    factors.insert(two);
                }
                BinaryOp::Add(_)
                | BinaryOp::Sub(_)
                | BinaryOp::Div(_)
                | BinaryOp::Rem(_)
                | BinaryOp::And(_)
                | BinaryOp::Or(_)
                | BinaryOp::Xor(_)
                | BinaryOp::CompareLong
                | BinaryOp::CompareLess(_)
                | BinaryOp::CompareGreater(_) => {}
            }
        }
    }
    let numbers = body.instructions.iter().filter_map(|instruction| {
        let Op::Const(constant) = instruction.op else { return None };
        let is_factor = instruction.result.is_none_or(|it| factors.contains(&it));
        if is_factor { None } else { number(constant) }
    });
    let keys = body.blocks.iter().filter_map(|block| {
        let Terminator::Switch { cases, .. } = block.terminator else { return None };
        body.cases(cases).iter().map(|&(key, _)| i64::from(key).abs()).max()
    });
    numbers.chain(keys).max()
}

fn number(constant: Const) -> Option<i64> {
    match constant {
        Const::Int(value) => Some(i64::from(value).abs()),
        Const::Long(value) => Some(value.saturating_abs()),
        Const::Float(bits) => Some(f32::from_bits(bits).abs() as i64),
        Const::Double(bits) => Some(f64::from_bits(bits).abs() as i64),
        Const::Null
        | Const::String(_)
        | Const::Class(_)
        | Const::MethodType(_)
        | Const::Dynamic(..) => None,
    }
}
