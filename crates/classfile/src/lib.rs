//! Bytes to class files: the boundary to untrusted input.
//!
//! A class is read in place: its skeleton is checked at once, attributes and instructions when they
//! are asked for. Whatever the bytes say, nothing here panics, recurses without a limit or allocates
//! more than a small multiple of the input. Deliberately absent: IO (callers hand in `Bytes`), any
//! meaning of the code (that is the crate `program`), and verification of types.

mod access;
mod annotation;
pub mod archive;
mod attribute;
mod class_file;
mod code;
mod constant_pool;
mod cursor;
mod error;
mod instruction;
mod module;
pub mod mutf8;
mod opcode;
mod renaming;
mod stack_map;

pub use access::AccessFlags;
pub use annotation::{Annotation, ElementValue};
pub use attribute::Attribute;
pub use class_file::{
    BootstrapMethod, ClassFile, EnclosingMethod, Field, InnerClass, Member, Method, RecordComponent,
};
pub use code::{Code, ExceptionHandler, LocalVariable};
pub use constant_pool::{
    Constant, ConstantPool, DynamicRef, HandleKind, MemberKind, MemberRef, Utf8,
};
pub use error::{Error, ErrorKind, Result};
pub use instruction::{Instruction, Instructions, Operand, Run, Switch};
pub use module::{Export, Module, Provide};
pub use opcode::Opcode;
pub use renaming::{Renaming, rename_classes};
pub use stack_map::{FrameChange, StackMapFrame, VerificationType};
