//! Integer and floating-point instructions as terms.

use program::Kind;
use program::ir::{BinaryOp, UnaryOp};
use smt::{Sort, Term, Terms};

pub(super) fn unary(terms: &mut Terms, op: UnaryOp, value: Term) -> Term {
    match op {
        UnaryOp::Neg(Kind::Float | Kind::Double) => terms.float_neg(value),
        UnaryOp::Neg(Kind::Int | Kind::Long | Kind::Ref) => terms.neg(value),
        UnaryOp::Convert(from, to) => convert(terms, value, from, to),
        UnaryOp::IntToByte => {
            let low = terms.extract(7, 0, value);
            terms.sign_extend(low, 32)
        }
        UnaryOp::IntToChar => {
            let low = terms.extract(15, 0, value);
            terms.zero_extend(low, 32)
        }
        UnaryOp::IntToShort => {
            let low = terms.extract(15, 0, value);
            terms.sign_extend(low, 32)
        }
    }
}

fn convert(terms: &mut Terms, value: Term, from: Kind, to: Kind) -> Term {
    match (from, to) {
        (Kind::Int, Kind::Long) => terms.sign_extend(value, 64),
        (Kind::Long, Kind::Int) => terms.extract(31, 0, value),
        (Kind::Int | Kind::Long, Kind::Float) => terms.int_to_float(value, Sort::Float32),
        (Kind::Int | Kind::Long, Kind::Double) => terms.int_to_float(value, Sort::Float64),
        (Kind::Float | Kind::Double, Kind::Int) => terms.float_to_int(value, 32),
        (Kind::Float | Kind::Double, Kind::Long) => terms.float_to_int(value, 64),
        (Kind::Float, Kind::Double) => terms.float_to_float(value, Sort::Float64),
        (Kind::Double, Kind::Float) => terms.float_to_float(value, Sort::Float32),
        (
            Kind::Int | Kind::Long | Kind::Float | Kind::Double | Kind::Ref,
            Kind::Int | Kind::Long | Kind::Float | Kind::Double | Kind::Ref,
        ) => value,
    }
}

/// The value where the operation has one: the caller has dealt with division by zero.
pub(super) fn binary(terms: &mut Terms, op: BinaryOp, left: Term, right: Term) -> Term {
    match op {
        BinaryOp::Add(Kind::Float | Kind::Double) => terms.float_add(left, right),
        BinaryOp::Sub(Kind::Float | Kind::Double) => terms.float_sub(left, right),
        BinaryOp::Mul(Kind::Float | Kind::Double) => terms.float_mul(left, right),
        BinaryOp::Div(Kind::Float | Kind::Double) => terms.float_div(left, right),
        BinaryOp::Rem(Kind::Float | Kind::Double) => terms.java_frem(left, right),
        BinaryOp::Add(Kind::Int | Kind::Long | Kind::Ref) => terms.add(left, right),
        BinaryOp::Sub(Kind::Int | Kind::Long | Kind::Ref) => terms.sub(left, right),
        BinaryOp::Mul(Kind::Int | Kind::Long | Kind::Ref) => terms.mul(left, right),
        BinaryOp::Div(Kind::Int | Kind::Long | Kind::Ref) => terms.sdiv(left, right),
        BinaryOp::Rem(Kind::Int | Kind::Long | Kind::Ref) => terms.srem(left, right),
        BinaryOp::Shl(kind) => shift(terms, kind, left, right, Terms::java_shl),
        BinaryOp::Shr(kind) => shift(terms, kind, left, right, Terms::java_shr),
        BinaryOp::Ushr(kind) => shift(terms, kind, left, right, Terms::java_ushr),
        BinaryOp::And(_) => terms.bit_and(&[left, right]),
        BinaryOp::Or(_) => terms.bit_or(&[left, right]),
        BinaryOp::Xor(_) => terms.bit_xor(&[left, right]),
        BinaryOp::CompareLong => {
            let (less, same) = (terms.slt(left, right), terms.eq(left, right));
            three_way(terms, less, same)
        }
        BinaryOp::CompareLess(_) => {
            let (greater, same) = (terms.float_lt(right, left), terms.float_eq(left, right));
            let (minus, zero, one) = (terms.int(-1), terms.int(0), terms.int(1));
            let rest = terms.ite(greater, one, minus);
            terms.ite(same, zero, rest)
        }
        BinaryOp::CompareGreater(_) => {
            let (less, same) = (terms.float_lt(left, right), terms.float_eq(left, right));
            three_way(terms, less, same)
        }
    }
}

fn three_way(terms: &mut Terms, less: Term, same: Term) -> Term {
    let (minus, zero, one) = (terms.int(-1), terms.int(0), terms.int(1));
    let rest = terms.ite(less, minus, one);
    terms.ite(same, zero, rest)
}

/// The distance of a shift is an int, whatever is shifted.
fn shift(
    terms: &mut Terms,
    kind: Kind,
    left: Term,
    distance: Term,
    op: fn(&mut Terms, Term, Term) -> Term,
) -> Term {
    let distance = if kind == Kind::Long { terms.sign_extend(distance, 64) } else { distance };
    op(terms, left, distance)
}
