//! What `invokedynamic` and dynamic constants mean where the bootstrap method is a known one.

use classfile::HandleKind;

use super::op::{Const, MethodRef};
use crate::names::Name;
use crate::types::Type;

/// The meaning of an `invokedynamic` instruction, or of a constant that is not plain data.
#[derive(Debug, Clone, PartialEq)]
pub enum CallSite {
    /// `LambdaMetafactory`: a lambda or a method reference. The arguments are what it captures.
    Lambda(Box<Lambda>),
    /// `StringConcatFactory`: the parts in order.
    Concat(Box<[ConcatPart]>),
    /// `ObjectMethods`: `equals`, `hashCode` or `toString` of a record over these components.
    RecordMethod { name: Name, class: Name, components: Box<[MethodHandle]> },
    /// `SwitchBootstraps.typeSwitch`: the index of the first label from a start index that fits.
    TypeSwitch(Box<[SwitchLabel]>),
    /// `SwitchBootstraps.enumSwitch`.
    EnumSwitch(Box<[SwitchLabel]>),
    /// A `CONSTANT_MethodHandle`.
    MethodHandle(MethodHandle),
    /// `ConstantBootstraps.nullConstant`.
    Null,
    /// `ConstantBootstraps.primitiveClass`.
    PrimitiveClass(Name),
    /// `ConstantBootstraps.enumConstant`.
    EnumConstant { class: Name, name: Name },
    /// `ConstantBootstraps.getStaticFinal`.
    StaticFinal { class: Name, name: Name, descriptor: Name },
    /// `ConstantBootstraps.invoke`: the handle called on the constants.
    InvokeConstant { handle: MethodHandle, arguments: Box<[Const]> },
    /// Any other bootstrap method, by name: its result can be anything.
    Unknown(Box<BootstrapCall>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodHandle {
    pub kind: HandleKind,
    /// A field, for the kinds that read or write one.
    pub member: MethodRef,
    pub is_interface: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    /// The interface that the object implements, and those added by `altMetafactory`.
    pub interface: Name,
    pub markers: Box<[Name]>,
    /// The method that it implements, with its erased descriptor; bridges have further ones.
    pub method: Name,
    pub descriptor: Name,
    pub bridges: Box<[Name]>,
    /// The descriptor after type arguments are put in: what is cast to before the call.
    pub instantiated: Name,
    pub implementation: MethodHandle,
    pub is_serializable: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ConcatPart {
    /// The next argument of the instruction, of this type.
    Argument(Type),
    /// Text, as modified UTF-8.
    Text(Name),
    Constant(Const),
}

#[derive(Debug, Clone, PartialEq)]
pub enum SwitchLabel {
    Type(Type),
    String(Name),
    Int(i32),
    /// An enum constant's name. The class is `None` where it is the class of the value itself.
    Enum {
        class: Option<Name>,
        name: Name,
    },
    Other,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BootstrapCall {
    pub bootstrap: MethodHandle,
    pub name: Name,
    pub descriptor: Name,
}
