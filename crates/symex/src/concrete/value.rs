//! Values of the concrete machine.

use program::{Kind, Primitive, Type};

/// An object, or null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(pub(super) u32);

impl Ref {
    pub const NULL: Ref = Ref(0);

    pub fn is_null(self) -> bool {
        self == Ref::NULL
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Also boolean, byte, char and short.
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Ref(Ref),
    /// Of any kind. It may be kept, passed and computed with, but nothing may depend on it.
    Unknown(Unknown),
}

/// Why a value cannot be known: it is decided by chance or by the surroundings of a JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    IdentityHash,
    Time,
    Surroundings,
    Property,
    Startup,
    Rounding,
    NanBits,
    /// By a condition that is unknown.
    Choice,
}

impl Unknown {
    pub fn reason(self) -> &'static str {
        match self {
            Unknown::IdentityHash => "identity hash code",
            Unknown::Time => "time",
            Unknown::Surroundings => "what the machine is like",
            Unknown::Property => "a system property",
            Unknown::Startup => "the state of a started VM",
            Unknown::Rounding => "a mathematical function that a JVM may round differently",
            Unknown::NanBits => "the raw bits of a NaN",
            Unknown::Choice => "a choice by chance or by the surroundings",
        }
    }
}

impl Value {
    /// What a field or an array element of this type holds at first.
    pub fn zero(ty: Type) -> Value {
        match ty.kind() {
            Kind::Int => Value::Int(0),
            Kind::Long => Value::Long(0),
            Kind::Float => Value::Float(0.0),
            Kind::Double => Value::Double(0.0),
            Kind::Ref => Value::Ref(Ref::NULL),
        }
    }

    // The IR's verifier guarantees kinds, so that a wrong one cannot come from a class file; a zero
    // in its place keeps these total.

    pub fn int(self) -> i32 {
        if let Value::Int(value) = self { value } else { 0 }
    }

    pub fn long(self) -> i64 {
        if let Value::Long(value) = self { value } else { 0 }
    }

    pub fn float(self) -> f32 {
        if let Value::Float(value) = self { value } else { 0.0 }
    }

    pub fn double(self) -> f64 {
        if let Value::Double(value) = self { value } else { 0.0 }
    }

    pub fn reference(self) -> Ref {
        if let Value::Ref(value) = self { value } else { Ref::NULL }
    }

    pub fn boolean(value: bool) -> Value {
        Value::Int(value.into())
    }

    /// The value as a variable of a narrow type would keep it (JVMS `putfield`, `bastore`, ...).
    pub fn narrowed(self, primitive: Primitive) -> Value {
        let Value::Int(value) = self else { return self };
        Value::Int(match primitive {
            Primitive::Boolean => value & 1,
            Primitive::Byte => i32::from(value as i8),
            Primitive::Char => i32::from(value as u16),
            Primitive::Short => i32::from(value as i16),
            Primitive::Int | Primitive::Long | Primitive::Float | Primitive::Double => value,
        })
    }
}
