//! What an instruction does. One operation per thing that bytecode can do to values and the heap;
//! loads, stores and stack shuffling are gone.

use classfile::Utf8;

use super::{Body, Value, ValueList};
use crate::ids::ClassId;
use crate::names::Name;
use crate::types::{Kind, Type};

#[derive(Debug, Clone, Copy)]
pub enum Op {
    Const(Const),
    Unary(UnaryOp, Value),
    Binary(BinaryOp, Value, Value),
    /// Allocates; the constructor is called by a later `Invoke`.
    New(Name),
    NewArray {
        element: Type,
        length: Value,
    },
    /// One length for each of the first dimensions of the array type.
    NewMultiArray {
        array: Type,
        lengths: ValueList,
    },
    ArrayLength(Value),
    ArrayLoad {
        kind: ArrayKind,
        array: Value,
        index: Value,
    },
    ArrayStore {
        kind: ArrayKind,
        array: Value,
        index: Value,
        value: Value,
    },
    GetStatic(FieldRef),
    PutStatic(FieldRef, Value),
    GetField(FieldRef, Value),
    PutField(FieldRef, Value, Value),
    /// The receiver, if any, is the first argument.
    Invoke {
        kind: InvokeKind,
        method: MethodRef,
        arguments: ValueList,
    },
    /// The index is into `Body::call_sites`.
    InvokeDynamic {
        call_site: u32,
        arguments: ValueList,
    },
    CheckCast(Type, Value),
    InstanceOf(Type, Value),
    MonitorEnter(Value),
    MonitorExit(Value),
}

impl Op {
    /// Whether it can throw in a program that links and does not run out of memory or stack.
    pub fn can_throw(&self) -> bool {
        match self {
            Op::Const(constant) => constant.can_throw(),
            Op::Binary(op, ..) => op.can_throw(),
            Op::Unary(..) | Op::InstanceOf(..) => false,
            Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetStatic(_)
            | Op::PutStatic(..)
            | Op::GetField(..)
            | Op::PutField(..)
            | Op::Invoke { .. }
            | Op::InvokeDynamic { .. }
            | Op::CheckCast(..)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => true,
        }
    }
}

impl Op {
    /// Calls `each` on every value that the operation itself holds, and returns the list of the
    /// further ones.
    pub(crate) fn visit_values(
        &mut self,
        mut each: impl FnMut(&mut Value),
    ) -> Option<&mut ValueList> {
        match self {
            Op::Const(_) | Op::New(_) | Op::GetStatic(_) => {}
            Op::Unary(_, value)
            | Op::NewArray { length: value, .. }
            | Op::ArrayLength(value)
            | Op::PutStatic(_, value)
            | Op::GetField(_, value)
            | Op::CheckCast(_, value)
            | Op::InstanceOf(_, value)
            | Op::MonitorEnter(value)
            | Op::MonitorExit(value) => each(value),
            Op::Binary(_, left, right)
            | Op::ArrayLoad { array: left, index: right, .. }
            | Op::PutField(_, left, right) => {
                each(left);
                each(right);
            }
            Op::ArrayStore { array, index, value, .. } => {
                each(array);
                each(index);
                each(value);
            }
            Op::NewMultiArray { lengths: list, .. }
            | Op::Invoke { arguments: list, .. }
            | Op::InvokeDynamic { arguments: list, .. } => return Some(list),
        }
        None
    }

    /// The field that it writes.
    pub fn written_field(&self) -> Option<FieldRef> {
        match self {
            Op::PutField(field, ..) | Op::PutStatic(field, _) => Some(*field),
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetStatic(_)
            | Op::GetField(..)
            | Op::Invoke { .. }
            | Op::InvokeDynamic { .. }
            | Op::CheckCast(..)
            | Op::InstanceOf(..)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => None,
        }
    }

    /// Calls `each` on every operand, in order.
    pub fn for_each_operand(mut self, body: &Body, mut each: impl FnMut(Value)) {
        if let Some(list) = self.visit_values(|value| each(*value)) {
            body.list(*list).iter().copied().for_each(each);
        }
    }
}

/// A loadable constant (JVMS 5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Const {
    Null,
    Int(i32),
    Long(i64),
    /// The bits.
    Float(u32),
    Double(u64),
    String(StringRef),
    Class(Type),
    /// The descriptor.
    MethodType(Name),
    /// The index of a `CallSite::Constant` in `Body::call_sites`: a method handle or a dynamically
    /// computed constant, of this kind.
    Dynamic(u32, Kind),
}

/// A string literal, by its place: a class and its constant. Equal text may stand in several places;
/// `Program::literal` gives the text. Most literals are never looked at, so they are not interned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StringRef {
    pub(crate) class: ClassId,
    pub(crate) utf8: Utf8,
}

impl Const {
    pub fn kind(self) -> Kind {
        match self {
            Const::Int(_) => Kind::Int,
            Const::Long(_) => Kind::Long,
            Const::Float(_) => Kind::Float,
            Const::Double(_) => Kind::Double,
            Const::Null | Const::String(_) | Const::Class(_) | Const::MethodType(_) => Kind::Ref,
            Const::Dynamic(_, kind) => kind,
        }
    }

    fn can_throw(self) -> bool {
        matches!(self, Const::Dynamic(..))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Of any numeric kind.
    Neg(Kind),
    /// Between two different numeric kinds.
    Convert(Kind, Kind),
    IntToByte,
    IntToChar,
    IntToShort,
}

impl UnaryOp {
    pub fn operand_kind(self) -> Kind {
        match self {
            UnaryOp::Neg(kind) | UnaryOp::Convert(kind, _) => kind,
            UnaryOp::IntToByte | UnaryOp::IntToChar | UnaryOp::IntToShort => Kind::Int,
        }
    }

    pub fn result_kind(self) -> Kind {
        match self {
            UnaryOp::Neg(kind) | UnaryOp::Convert(_, kind) => kind,
            UnaryOp::IntToByte | UnaryOp::IntToChar | UnaryOp::IntToShort => Kind::Int,
        }
    }
}

/// Arithmetic on two operands of one kind; of a shift, the distance is an int.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add(Kind),
    Sub(Kind),
    Mul(Kind),
    Div(Kind),
    Rem(Kind),
    /// Int or long, as are the five below.
    Shl(Kind),
    Shr(Kind),
    Ushr(Kind),
    And(Kind),
    Or(Kind),
    Xor(Kind),
    /// `lcmp`: -1, 0 or 1.
    CompareLong,
    /// `fcmpl`, `dcmpl`: NaN gives -1.
    CompareLess(Kind),
    /// `fcmpg`, `dcmpg`: NaN gives 1.
    CompareGreater(Kind),
}

impl BinaryOp {
    pub fn operand_kinds(self) -> (Kind, Kind) {
        match self {
            BinaryOp::Shl(kind) | BinaryOp::Shr(kind) | BinaryOp::Ushr(kind) => (kind, Kind::Int),
            BinaryOp::CompareLong => (Kind::Long, Kind::Long),
            BinaryOp::Add(kind)
            | BinaryOp::Sub(kind)
            | BinaryOp::Mul(kind)
            | BinaryOp::Div(kind)
            | BinaryOp::Rem(kind)
            | BinaryOp::And(kind)
            | BinaryOp::Or(kind)
            | BinaryOp::Xor(kind)
            | BinaryOp::CompareLess(kind)
            | BinaryOp::CompareGreater(kind) => (kind, kind),
        }
    }

    pub fn result_kind(self) -> Kind {
        match self {
            BinaryOp::CompareLong | BinaryOp::CompareLess(_) | BinaryOp::CompareGreater(_) => {
                Kind::Int
            }
            BinaryOp::Add(kind)
            | BinaryOp::Sub(kind)
            | BinaryOp::Mul(kind)
            | BinaryOp::Div(kind)
            | BinaryOp::Rem(kind)
            | BinaryOp::Shl(kind)
            | BinaryOp::Shr(kind)
            | BinaryOp::Ushr(kind)
            | BinaryOp::And(kind)
            | BinaryOp::Or(kind)
            | BinaryOp::Xor(kind) => kind,
        }
    }

    /// Division by zero, of integers only.
    pub fn can_throw(self) -> bool {
        matches!(
            self,
            BinaryOp::Div(Kind::Int | Kind::Long) | BinaryOp::Rem(Kind::Int | Kind::Long)
        )
    }
}

/// What an array instruction says of the elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArrayKind {
    Int,
    Long,
    Float,
    Double,
    Ref,
    /// `baload` and `bastore` serve both.
    ByteOrBoolean,
    Char,
    Short,
}

impl ArrayKind {
    pub fn kind(self) -> Kind {
        match self {
            ArrayKind::Int | ArrayKind::ByteOrBoolean | ArrayKind::Char | ArrayKind::Short => {
                Kind::Int
            }
            ArrayKind::Long => Kind::Long,
            ArrayKind::Float => Kind::Float,
            ArrayKind::Double => Kind::Double,
            ArrayKind::Ref => Kind::Ref,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvokeKind {
    Virtual,
    Special,
    Static,
    Interface,
}

/// A symbolic reference: `class` is an internal name, or an array descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodRef {
    pub class: Name,
    pub name: Name,
    pub descriptor: Name,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldRef {
    pub class: Name,
    pub name: Name,
    pub descriptor: Name,
}

/// What an `If` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    Int(Compare, Value, Value),
    IntToZero(Compare, Value),
    SameRef(Value, Value),
    NotSameRef(Value, Value),
    Null(Value),
    NotNull(Value),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
}

impl Condition {
    pub(crate) fn visit_values(&mut self, mut each: impl FnMut(&mut Value)) {
        match self {
            Condition::Int(_, left, right)
            | Condition::SameRef(left, right)
            | Condition::NotSameRef(left, right) => {
                each(left);
                each(right);
            }
            Condition::IntToZero(_, value) | Condition::Null(value) | Condition::NotNull(value) => {
                each(value);
            }
        }
    }

    pub fn operands(self) -> (Value, Option<Value>) {
        match self {
            Condition::Int(_, left, right)
            | Condition::SameRef(left, right)
            | Condition::NotSameRef(left, right) => (left, Some(right)),
            Condition::IntToZero(_, value) | Condition::Null(value) | Condition::NotNull(value) => {
                (value, None)
            }
        }
    }

    pub fn operand_kind(self) -> Kind {
        match self {
            Condition::Int(..) | Condition::IntToZero(..) => Kind::Int,
            Condition::SameRef(..)
            | Condition::NotSameRef(..)
            | Condition::Null(_)
            | Condition::NotNull(_) => Kind::Ref,
        }
    }
}

impl UnaryOp {
    pub fn word(self) -> String {
        match self {
            UnaryOp::Neg(kind) => format!("neg.{}", kind.keyword()),
            UnaryOp::Convert(from, to) => format!("{}.to.{}", from.keyword(), to.keyword()),
            UnaryOp::IntToByte => "int.to.byte".to_owned(),
            UnaryOp::IntToChar => "int.to.char".to_owned(),
            UnaryOp::IntToShort => "int.to.short".to_owned(),
        }
    }
}

impl BinaryOp {
    pub fn word(self) -> String {
        let (word, kind) = match self {
            BinaryOp::Add(kind) => ("add", kind),
            BinaryOp::Sub(kind) => ("sub", kind),
            BinaryOp::Mul(kind) => ("mul", kind),
            BinaryOp::Div(kind) => ("div", kind),
            BinaryOp::Rem(kind) => ("rem", kind),
            BinaryOp::Shl(kind) => ("shl", kind),
            BinaryOp::Shr(kind) => ("shr", kind),
            BinaryOp::Ushr(kind) => ("ushr", kind),
            BinaryOp::And(kind) => ("and", kind),
            BinaryOp::Or(kind) => ("or", kind),
            BinaryOp::Xor(kind) => ("xor", kind),
            BinaryOp::CompareLong => ("cmp", Kind::Long),
            BinaryOp::CompareLess(kind) => ("cmpl", kind),
            BinaryOp::CompareGreater(kind) => ("cmpg", kind),
        };
        format!("{word}.{}", kind.keyword())
    }
}

impl ArrayKind {
    pub fn word(self) -> &'static str {
        match self {
            ArrayKind::Int => "int",
            ArrayKind::Long => "long",
            ArrayKind::Float => "float",
            ArrayKind::Double => "double",
            ArrayKind::Ref => "ref",
            ArrayKind::ByteOrBoolean => "byte",
            ArrayKind::Char => "char",
            ArrayKind::Short => "short",
        }
    }
}
