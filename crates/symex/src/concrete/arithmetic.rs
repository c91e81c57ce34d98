//! Integer and floating-point instructions, exactly as the JVM specification has them.

use program::ir::{BinaryOp, Compare, UnaryOp};
use program::{Kind, Primitive};

use super::value::Value;

pub(super) fn unary(op: UnaryOp, value: Value) -> Value {
    match op {
        UnaryOp::Neg(_) => match value {
            Value::Int(value) => Value::Int(value.wrapping_neg()),
            Value::Long(value) => Value::Long(value.wrapping_neg()),
            Value::Float(value) => Value::Float(-value),
            Value::Double(value) => Value::Double(-value),
            Value::Ref(_) | Value::Unknown(_) => value,
        },
        UnaryOp::Convert(_, to) => convert(value, to),
        UnaryOp::IntToByte => value.narrowed(Primitive::Byte),
        UnaryOp::IntToChar => value.narrowed(Primitive::Char),
        UnaryOp::IntToShort => value.narrowed(Primitive::Short),
    }
}

/// Rust's `as` rounds to nearest, saturates and maps NaN to 0, as Java does.
fn convert(value: Value, to: Kind) -> Value {
    match (value, to) {
        (Value::Int(v), Kind::Long) => Value::Long(v.into()),
        (Value::Int(v), Kind::Float) => Value::Float(v as f32),
        (Value::Int(v), Kind::Double) => Value::Double(v.into()),
        (Value::Long(v), Kind::Int) => Value::Int(v as i32),
        (Value::Long(v), Kind::Float) => Value::Float(v as f32),
        (Value::Long(v), Kind::Double) => Value::Double(v as f64),
        (Value::Float(v), Kind::Int) => Value::Int(v as i32),
        (Value::Float(v), Kind::Long) => Value::Long(v as i64),
        (Value::Float(v), Kind::Double) => Value::Double(v.into()),
        (Value::Double(v), Kind::Int) => Value::Int(v as i32),
        (Value::Double(v), Kind::Long) => Value::Long(v as i64),
        (Value::Double(v), Kind::Float) => Value::Float(v as f32),
        (same, _) => same,
    }
}

/// `None` is a division by zero. What is computed from an unknown value is unknown; the caller makes
/// sure that no integer is divided by one.
pub(super) fn binary(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    match (left, right) {
        (Value::Unknown(_), _) => Some(left),
        (_, Value::Unknown(_)) => Some(right),
        (Value::Int(a), Value::Int(b)) => int(op, a, b).map(Value::Int),
        (Value::Long(a), Value::Long(b)) => long(op, a, b),
        (Value::Long(a), Value::Int(distance)) => Some(Value::Long(shift_long(op, a, distance))),
        (Value::Float(a), Value::Float(b)) => Some(float(op, a, b)),
        (Value::Double(a), Value::Double(b)) => Some(double(op, a, b)),
        (_, _) => None,
    }
}

fn int(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add(_) => a.wrapping_add(b),
        BinaryOp::Sub(_) => a.wrapping_sub(b),
        BinaryOp::Mul(_) => a.wrapping_mul(b),
        BinaryOp::Div(_) if b == 0 => return None,
        BinaryOp::Rem(_) if b == 0 => return None,
        BinaryOp::Div(_) => a.wrapping_div(b),
        BinaryOp::Rem(_) => a.wrapping_rem(b),
        BinaryOp::Shl(_) => a.wrapping_shl(b as u32),
        BinaryOp::Shr(_) => a.wrapping_shr(b as u32),
        BinaryOp::Ushr(_) => (a as u32).wrapping_shr(b as u32) as i32,
        BinaryOp::And(_) => a & b,
        BinaryOp::Or(_) => a | b,
        BinaryOp::Xor(_) => a ^ b,
        BinaryOp::CompareLong | BinaryOp::CompareLess(_) | BinaryOp::CompareGreater(_) => {
            return None;
        }
    })
}

fn long(op: BinaryOp, a: i64, b: i64) -> Option<Value> {
    Some(Value::Long(match op {
        BinaryOp::Add(_) => a.wrapping_add(b),
        BinaryOp::Sub(_) => a.wrapping_sub(b),
        BinaryOp::Mul(_) => a.wrapping_mul(b),
        BinaryOp::Div(_) if b == 0 => return None,
        BinaryOp::Rem(_) if b == 0 => return None,
        BinaryOp::Div(_) => a.wrapping_div(b),
        BinaryOp::Rem(_) => a.wrapping_rem(b),
        BinaryOp::And(_) => a & b,
        BinaryOp::Or(_) => a | b,
        BinaryOp::Xor(_) => a ^ b,
        BinaryOp::CompareLong => return Some(Value::Int(a.cmp(&b) as i32)),
        BinaryOp::Shl(_)
        | BinaryOp::Shr(_)
        | BinaryOp::Ushr(_)
        | BinaryOp::CompareLess(_)
        | BinaryOp::CompareGreater(_) => return None,
    }))
}

fn shift_long(op: BinaryOp, a: i64, distance: i32) -> i64 {
    match op {
        BinaryOp::Shl(_) => a.wrapping_shl(distance as u32),
        BinaryOp::Shr(_) => a.wrapping_shr(distance as u32),
        _ => (a as u64).wrapping_shr(distance as u32) as i64,
    }
}

macro_rules! floating {
    ($name:ident, $number:ty, $variant:ident) => {
        fn $name(op: BinaryOp, a: $number, b: $number) -> Value {
            let unordered = match op {
                BinaryOp::Add(_) => return Value::$variant(a + b),
                BinaryOp::Sub(_) => return Value::$variant(a - b),
                BinaryOp::Mul(_) => return Value::$variant(a * b),
                BinaryOp::Div(_) => return Value::$variant(a / b),
                // Java's remainder is C's fmod, and so is Rust's.
                BinaryOp::Rem(_) => return Value::$variant(a % b),
                BinaryOp::CompareGreater(_) => 1,
                BinaryOp::CompareLess(_)
                | BinaryOp::CompareLong
                | BinaryOp::Shl(_)
                | BinaryOp::Shr(_)
                | BinaryOp::Ushr(_)
                | BinaryOp::And(_)
                | BinaryOp::Or(_)
                | BinaryOp::Xor(_) => -1,
            };
            Value::Int(a.partial_cmp(&b).map_or(unordered, |order| order as i32))
        }
    };
}

floating!(float, f32, Float);
floating!(double, f64, Double);

pub(super) fn compare(compare: Compare, left: i32, right: i32) -> bool {
    match compare {
        Compare::Equal => left == right,
        Compare::NotEqual => left != right,
        Compare::Less => left < right,
        Compare::GreaterOrEqual => left >= right,
        Compare::Greater => left > right,
        Compare::LessOrEqual => left <= right,
    }
}
