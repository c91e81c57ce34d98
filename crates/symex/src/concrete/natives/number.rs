//! `Float`, `Double`, `Math`, `StrictMath`.
//!
//! HotSpot computes some functions of `Math` with instructions of its own, which may differ from
//! `StrictMath` in the last bit, and those of `StrictMath` are native in older JDKs: their results are
//! values that nobody knows. `sqrt`, `fma` and `IEEEremainder` are exact everywhere.

use super::super::value::{Unknown, Value};
use super::super::{Machine, Outcome};
use super::Entry;

const D_D: &str = "(D)D";

pub(super) const NATIVES: &[Entry] = &[
    ("java/lang/Float", "floatToRawIntBits", "(F)I", float_to_bits),
    ("java/lang/Float", "intBitsToFloat", "(I)F", bits_to_float),
    ("java/lang/Double", "doubleToRawLongBits", "(D)J", double_to_bits),
    ("java/lang/Double", "longBitsToDouble", "(J)D", bits_to_double),
    ("java/lang/Math", "sqrt", D_D, sqrt),
    ("java/lang/StrictMath", "sqrt", D_D, sqrt),
    ("java/lang/Math", "fma", "(DDD)D", fma),
    ("java/lang/Math", "fma", "(FFF)F", fma_float),
    ("java/lang/Math", "sin", D_D, odd),
    ("java/lang/Math", "cos", D_D, odd),
    ("java/lang/Math", "tan", D_D, odd),
    ("java/lang/Math", "tanh", D_D, odd),
    ("java/lang/Math", "exp", D_D, exp),
    ("java/lang/Math", "log", D_D, log),
    ("java/lang/Math", "log10", D_D, log),
    ("java/lang/Math", "pow", "(DD)D", pow),
    ("java/lang/StrictMath", "sin", D_D, odd),
    ("java/lang/StrictMath", "cos", D_D, odd),
    ("java/lang/StrictMath", "tan", D_D, odd),
    ("java/lang/StrictMath", "asin", D_D, odd),
    ("java/lang/StrictMath", "acos", D_D, odd),
    ("java/lang/StrictMath", "atan", D_D, odd),
    ("java/lang/StrictMath", "sinh", D_D, odd),
    ("java/lang/StrictMath", "cosh", D_D, odd),
    ("java/lang/StrictMath", "tanh", D_D, odd),
    ("java/lang/StrictMath", "expm1", D_D, odd),
    ("java/lang/StrictMath", "log1p", D_D, odd),
    ("java/lang/StrictMath", "log", D_D, log),
    ("java/lang/StrictMath", "log10", D_D, log),
    ("java/lang/StrictMath", "atan2", "(DD)D", odd_pair),
    ("java/lang/StrictMath", "IEEEremainder", "(DD)D", remainder),
];

fn float_to_bits(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let value = arguments[0].float();
    if value.is_nan() && value.to_bits() != 0x7fc0_0000 {
        return Ok(Some(Value::Unknown(Unknown::NanBits)));
    }
    Ok(Some(Value::Int(value.to_bits() as i32)))
}

fn bits_to_float(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Float(f32::from_bits(arguments[0].int() as u32))))
}

fn double_to_bits(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let value = arguments[0].double();
    if value.is_nan() && value.to_bits() != 0x7ff8_0000_0000_0000 {
        return Ok(Some(Value::Unknown(Unknown::NanBits)));
    }
    Ok(Some(Value::Long(value.to_bits() as i64)))
}

fn bits_to_double(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Double(f64::from_bits(arguments[0].long() as u64))))
}

fn sqrt(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Double(arguments[0].double().sqrt())))
}

fn fma(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [a, b, c] = [0, 1, 2].map(|index: usize| arguments[index].double());
    Ok(Some(Value::Double(a.mul_add(b, c))))
}

fn fma_float(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [a, b, c] = [0, 1, 2].map(|index: usize| arguments[index].float());
    Ok(Some(Value::Float(a.mul_add(b, c))))
}

const ROUNDED: Value = Value::Unknown(Unknown::Rounding);

// Of the functions below, Java fixes the result exactly only for special arguments.

/// `sin`, `cos`, `tan`, `tanh` and others: only NaN has one result for all of them.
fn odd(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let value = arguments[0].double();
    Ok(Some(if value.is_nan() { Value::Double(f64::NAN) } else { ROUNDED }))
}

fn exp(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let value = arguments[0].double();
    Ok(Some(if value.is_nan() || value == f64::INFINITY {
        Value::Double(value)
    } else if value == f64::NEG_INFINITY {
        Value::Double(0.0)
    } else {
        ROUNDED
    }))
}

/// `log` and `log10`.
fn log(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let value = arguments[0].double();
    // BigInteger keeps some to guess how many digits a number has; what it writes does not depend on them.
    let of_digits =
        |id| machine.program.names.bytes(machine.program.class_name(id)) == b"java/math/BigInteger";
    if value > 0.0 && machine.initialising.is_some_and(of_digits) {
        return Ok(Some(Value::Double(value.ln())));
    }
    Ok(Some(if value.is_nan() || value < 0.0 {
        Value::Double(f64::NAN)
    } else if value == 0.0 {
        Value::Double(f64::NEG_INFINITY)
    } else if value == f64::INFINITY {
        Value::Double(value)
    } else {
        ROUNDED
    }))
}

fn pow(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [base, exponent] = [0, 1].map(|index: usize| arguments[index].double());
    Ok(Some(if exponent == 0.0 {
        Value::Double(1.0)
    } else if exponent == 1.0 {
        Value::Double(base)
    } else if base.is_nan() || exponent.is_nan() {
        Value::Double(f64::NAN)
    } else {
        ROUNDED
    }))
}

fn odd_pair(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [left, right] = [0, 1].map(|index: usize| arguments[index].double());
    Ok(Some(if left.is_nan() || right.is_nan() { Value::Double(f64::NAN) } else { ROUNDED }))
}

fn remainder(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [dividend, divisor] = [0, 1].map(|index: usize| arguments[index].double());
    Ok(Some(Value::Double(nearest_remainder(dividend, divisor))))
}

/// `dividend - divisor * n` for the `n` nearest to the exact quotient, even if halfway: each step below is
/// exact.
fn nearest_remainder(dividend: f64, divisor: f64) -> f64 {
    let size = divisor.abs();
    if divisor.is_infinite() && dividend.is_finite() {
        return dividend;
    }
    // Within two divisors the parity of the quotient is known. Doubling may overflow to infinity, which
    // leaves the dividend as it is, and rightly so.
    let mut rest = (dividend % (size * 2.0)).abs();
    if size < f64::MIN_POSITIVE * 2.0 {
        if rest + rest > size {
            rest -= size;
            if rest + rest >= size {
                rest -= size;
            }
        }
    } else {
        let half = size * 0.5;
        if rest > half {
            rest -= size;
            if rest >= half {
                rest -= size;
            }
        }
    }
    if rest.is_nan() {
        f64::NAN
    } else if dividend.is_sign_negative() {
        -rest
    } else {
        rest
    }
}
