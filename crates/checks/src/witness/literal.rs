//! Primitive values as a caller writes them.

use program::Primitive;

/// A value of a primitive type. Floating-point numbers are bits, so that NaN equals itself here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
}

impl Literal {
    pub fn primitive(self) -> Primitive {
        match self {
            Literal::Boolean(_) => Primitive::Boolean,
            Literal::Byte(_) => Primitive::Byte,
            Literal::Char(_) => Primitive::Char,
            Literal::Short(_) => Primitive::Short,
            Literal::Int(_) => Primitive::Int,
            Literal::Long(_) => Primitive::Long,
            Literal::Float(_) => Primitive::Float,
            Literal::Double(_) => Primitive::Double,
        }
    }

    pub fn float(value: f32) -> Literal {
        Literal::Float(value.to_bits())
    }

    pub fn double(value: f64) -> Literal {
        Literal::Double(value.to_bits())
    }
}
