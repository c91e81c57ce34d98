//! Runs method bodies: concretely on values, as a JVM would, and symbolically on terms.
//!
//! The concrete machine executes the JDK's own bytecode wherever there is any, so that its answers are
//! the JVM's by construction; only native methods are written here. What it cannot do is a `Gap` with
//! a reason, never a guess.

pub mod concrete;
pub mod symbolic;

use program::{MethodId, Primitive, Program};

/// The type to which a method cuts the int that it returns, where it has one.
fn narrow_result(program: &Program, method: MethodId) -> Option<Primitive> {
    let (_, declared) = program.method(method);
    let descriptor = program.names.bytes(declared.descriptor);
    match descriptor.rsplit(|&byte| byte == b')').next() {
        Some(&[letter]) => {
            let primitive = Primitive::from_descriptor(letter)?;
            let is_narrow = matches!(
                primitive,
                Primitive::Boolean | Primitive::Byte | Primitive::Char | Primitive::Short
            );
            is_narrow.then_some(primitive)
        }
        _ => None,
    }
}
