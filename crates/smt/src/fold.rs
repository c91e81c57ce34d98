//! What every operator on scalars means: one function, for constant folding and for evaluation.
//!
//! Values are words: Bool 0 or 1, bit-vectors zero above their width, floats their bits with the
//! canonical NaN, elements of uninterpreted sorts and arrays their number. Exact Java semantics where
//! Java has one; division by zero and shifts by the width or more follow SMT-LIB.

use crate::op::Op;
use crate::sort::{Sort, mask, signed};

pub(crate) const NAN32: u64 = 0x7fc0_0000;
pub(crate) const NAN64: u64 = 0x7ff8_0000_0000_0000;

pub(crate) fn word32(value: f32) -> u64 {
    if value.is_nan() { NAN32 } else { u64::from(value.to_bits()) }
}

pub(crate) fn word64(value: f64) -> u64 {
    if value.is_nan() { NAN64 } else { value.to_bits() }
}

pub(crate) fn float32(word: u64) -> f32 {
    f32::from_bits(word as u32)
}

pub(crate) fn float64(word: u64) -> f64 {
    f64::from_bits(word)
}

/// Bits as a float's word: NaN payloads vanish.
pub(crate) fn canonical(bits: u64, sort: Sort) -> u64 {
    if sort == Sort::Float32 { word32(float32(bits)) } else { word64(float64(bits)) }
}

/// The value of an operator. `sort` is the result's, `operand` the first argument's; `arg(i)` gives
/// the words of the `len` arguments.
///
/// Not for leaves, functions and arrays: those need more than words.
#[inline(always)]
pub(crate) fn fold(
    op: Op,
    sort: Sort,
    operand: Sort,
    len: usize,
    arg: impl Fn(usize) -> u64,
) -> u64 {
    match op {
        Op::Not => arg(0) ^ 1,
        Op::And => (0..len).fold(1, |all, i| all & arg(i)),
        Op::Ite => {
            if arg(0) != 0 {
                arg(1)
            } else {
                arg(2)
            }
        }
        Op::Eq => u64::from(arg(0) == arg(1)),
        Op::Ult => u64::from(arg(0) < arg(1)),
        Op::Slt => {
            let width = operand.width();
            u64::from(signed(arg(0), width) < signed(arg(1), width))
        }
        Op::Sum
        | Op::Mul
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::Shl
        | Op::Lshr
        | Op::Ashr
        | Op::Udiv
        | Op::Urem
        | Op::Sdiv
        | Op::Srem
        | Op::Extract { .. }
        | Op::Concat
        | Op::ZeroExtend
        | Op::SignExtend => fold_bitvec(op, sort.width(), operand.width(), len, arg),
        Op::FloatAdd
        | Op::FloatMul
        | Op::FloatDiv
        | Op::FloatRem
        | Op::FloatNeg
        | Op::FloatAbs
        | Op::FloatSqrt
        | Op::FloatLt
        | Op::FloatLe
        | Op::FloatEq
        | Op::IsNan => {
            let second = if len > 1 { arg(1) } else { 0 };
            if operand == Sort::Float32 {
                fold_float32(op, float32(arg(0)), float32(second))
            } else {
                fold_float64(op, float64(arg(0)), float64(second))
            }
        }
        Op::IntToFloat | Op::FloatToInt | Op::FloatToFloat | Op::BitsToFloat | Op::FloatToBits => {
            convert(op, sort, operand, arg(0))
        }
        Op::Const(word) => word,
        Op::Symbol(_) | Op::Apply(_) | Op::Select | Op::Store | Op::ConstArray => {
            unreachable!("{op:?} is not an operator on words")
        }
    }
}

#[inline(always)]
fn fold_bitvec(op: Op, width: u32, operand: u32, len: usize, arg: impl Fn(usize) -> u64) -> u64 {
    let word = match op {
        Op::Sum => (1..len)
            .step_by(2)
            .fold(arg(0), |sum, i| sum.wrapping_add(arg(i).wrapping_mul(arg(i + 1)))),
        Op::Mul => (0..len).fold(1, |product: u64, i| product.wrapping_mul(arg(i))),
        Op::BitAnd => (0..len).fold(u64::MAX, |bits, i| bits & arg(i)),
        Op::BitOr => (0..len).fold(0, |bits, i| bits | arg(i)),
        Op::BitXor => (0..len).fold(0, |bits, i| bits ^ arg(i)),
        Op::Shl => {
            if arg(1) < u64::from(width) {
                arg(0) << arg(1)
            } else {
                0
            }
        }
        Op::Lshr => {
            if arg(1) < u64::from(width) {
                arg(0) >> arg(1)
            } else {
                0
            }
        }
        Op::Ashr => (signed(arg(0), width) >> arg(1).min(u64::from(width) - 1)) as u64,
        Op::Udiv => arg(0).checked_div(arg(1)).unwrap_or(u64::MAX),
        Op::Urem => arg(0).checked_rem(arg(1)).unwrap_or(arg(0)),
        Op::Sdiv => sdiv(signed(arg(0), width), signed(arg(1), width)),
        Op::Srem => {
            let (left, right) = (signed(arg(0), width), signed(arg(1), width));
            if right == 0 { left as u64 } else { left.wrapping_rem(right) as u64 }
        }
        Op::Extract { lo } => arg(0) >> lo,
        Op::Concat => (arg(0) << (width - operand)) | arg(1),
        Op::ZeroExtend => arg(0),
        Op::SignExtend => signed(arg(0), operand) as u64,
        Op::Const(_)
        | Op::Symbol(_)
        | Op::Apply(_)
        | Op::Not
        | Op::And
        | Op::Ite
        | Op::Eq
        | Op::Ult
        | Op::Slt
        | Op::FloatAdd
        | Op::FloatMul
        | Op::FloatDiv
        | Op::FloatRem
        | Op::FloatNeg
        | Op::FloatAbs
        | Op::FloatSqrt
        | Op::FloatLt
        | Op::FloatLe
        | Op::FloatEq
        | Op::IsNan
        | Op::IntToFloat
        | Op::FloatToInt
        | Op::FloatToFloat
        | Op::BitsToFloat
        | Op::FloatToBits
        | Op::Select
        | Op::Store
        | Op::ConstArray => unreachable!("{op:?} makes no bit-vector from bit-vectors"),
    };
    word & mask(width)
}

/// SMT-LIB's `bvsdiv`: by zero it is 1 for negative and -1 for other dividends.
fn sdiv(left: i64, right: i64) -> u64 {
    if right == 0 {
        return if left < 0 { 1 } else { u64::MAX };
    }
    left.wrapping_div(right) as u64
}

macro_rules! fold_float {
    ($name:ident, $float:ty, $word:ident) => {
        #[inline(always)]
        fn $name(op: Op, left: $float, right: $float) -> u64 {
            match op {
                Op::FloatAdd => $word(left + right),
                Op::FloatMul => $word(left * right),
                Op::FloatDiv => $word(left / right),
                Op::FloatRem => $word(left % right),
                Op::FloatNeg => $word(-left),
                Op::FloatAbs => $word(left.abs()),
                Op::FloatSqrt => $word(left.sqrt()),
                Op::FloatLt => u64::from(left < right),
                Op::FloatLe => u64::from(left <= right),
                Op::FloatEq => u64::from(left == right),
                Op::IsNan => u64::from(left.is_nan()),
                Op::Const(_)
                | Op::Symbol(_)
                | Op::Apply(_)
                | Op::Not
                | Op::And
                | Op::Ite
                | Op::Eq
                | Op::Sum
                | Op::Mul
                | Op::BitAnd
                | Op::BitOr
                | Op::BitXor
                | Op::Shl
                | Op::Lshr
                | Op::Ashr
                | Op::Udiv
                | Op::Urem
                | Op::Sdiv
                | Op::Srem
                | Op::Extract { .. }
                | Op::Concat
                | Op::ZeroExtend
                | Op::SignExtend
                | Op::Ult
                | Op::Slt
                | Op::IntToFloat
                | Op::FloatToInt
                | Op::FloatToFloat
                | Op::BitsToFloat
                | Op::FloatToBits
                | Op::Select
                | Op::Store
                | Op::ConstArray => unreachable!("{op:?} is not an operator on floats"),
            }
        }
    };
}

fold_float!(fold_float32, f32, word32);
fold_float!(fold_float64, f64, word64);

/// Rust's `as` between integers and floats is Java's conversion: to nearest even one way, towards
/// zero with saturation and NaN to 0 the other way.
fn convert(op: Op, sort: Sort, operand: Sort, word: u64) -> u64 {
    let single = operand == Sort::Float32;
    match op {
        Op::IntToFloat => {
            let value = signed(word, operand.width());
            if sort == Sort::Float32 { word32(value as f32) } else { word64(value as f64) }
        }
        Op::FloatToInt => match (single, sort.width()) {
            (true, 32) => u64::from(float32(word) as i32 as u32),
            (true, _) => float32(word) as i64 as u64,
            (false, 32) => u64::from(float64(word) as i32 as u32),
            (false, _) => float64(word) as i64 as u64,
        },
        Op::FloatToFloat if single => word64(f64::from(float32(word))),
        Op::FloatToFloat => word32(float64(word) as f32),
        Op::BitsToFloat => canonical(word, sort),
        Op::FloatToBits => word,
        Op::Const(_)
        | Op::Symbol(_)
        | Op::Apply(_)
        | Op::Not
        | Op::And
        | Op::Ite
        | Op::Eq
        | Op::Sum
        | Op::Mul
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::Shl
        | Op::Lshr
        | Op::Ashr
        | Op::Udiv
        | Op::Urem
        | Op::Sdiv
        | Op::Srem
        | Op::Extract { .. }
        | Op::Concat
        | Op::ZeroExtend
        | Op::SignExtend
        | Op::Ult
        | Op::Slt
        | Op::FloatAdd
        | Op::FloatMul
        | Op::FloatDiv
        | Op::FloatRem
        | Op::FloatNeg
        | Op::FloatAbs
        | Op::FloatSqrt
        | Op::FloatLt
        | Op::FloatLe
        | Op::FloatEq
        | Op::IsNan
        | Op::Select
        | Op::Store
        | Op::ConstArray => unreachable!("{op:?} is not a conversion"),
    }
}
