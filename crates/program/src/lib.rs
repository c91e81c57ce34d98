//! Java programs: classes, their hierarchy, and the bodies of their methods as SSA.
//!
//! A `Program` is a value made from class sources. Asking it never changes what others see: classes
//! are read when first needed, and bodies are lowered on demand and handed to the caller.
//! Deliberately absent: IO, verdicts, and anything about locks or equality.

mod class;
mod hierarchy;
mod ids;
pub mod ir;
mod lines;
mod lower;
mod name_table;
mod names;
mod program;
mod resolve;
mod signature;
mod source;
mod types;

pub use class::{Class, Field, Method};
pub use classfile::{AccessFlags, HandleKind};
pub use hierarchy::{Ancestry, World};
pub use ids::{ClassId, FieldId, MethodId};
pub use lines::Lines;
pub use lower::LowerError;
pub use names::{Name, Names};
pub use program::{KnownNames, Program, RenamedField};
pub use resolve::Resolution;
pub use signature::{
    ClassSignature, ClassType, FieldSignature, MethodSignature, TypeArgument, TypeParameter,
};
pub use source::{ClassSource, Problem, Role, Service};
pub use types::{Element, Kind, MethodDescriptor, Primitive, Type, narrow_result, split_field};
