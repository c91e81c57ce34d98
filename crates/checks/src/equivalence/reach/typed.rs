//! The types that values are declared to be of, by descriptors. Compilers vouch for them, as for what a
//! field or a parameter holds: a cast of such a value to its own type never fails.

use program::ir::{Body, Op, Value};
use program::{MethodDescriptor, MethodId, Name, Program, Type};

/// How many values are looked through for one that is declared.
const MOST_STEPS: usize = 8;

/// A body with the types of its parameters, the receiver first.
pub(super) struct Typed<'b> {
    program: &'b Program,
    pub(super) body: &'b Body,
    parameters: Vec<Type>,
}

impl<'b> Typed<'b> {
    pub(super) fn new(program: &'b Program, method: MethodId, body: &'b Body) -> Typed<'b> {
        let (class, declared) = program.method(method);
        let names = &program.names;
        let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor));
        let receiver = (!declared.access_flags.is_static()).then(|| Type::class(class.name));
        let given = descriptor.map(|it| it.parameter_types(names)).unwrap_or_default();
        let mut parameters: Vec<Type> = receiver.into_iter().chain(given).collect();
        if parameters.len() != body.parameters().len() {
            parameters.clear();
        }
        Typed { program, body, parameters }
    }

    /// The type that a value is declared to be of, if it is.
    pub(super) fn of(&self, mut value: Value) -> Option<Type> {
        for _ in 0..MOST_STEPS {
            if let Some(at) = self.body.parameters().position(|it| it == value) {
                return self.parameters.get(at).copied();
            }
            let made = self.body.instructions.iter().find(|it| it.result == Some(value))?;
            match made.op {
                Op::GetField(field, _) | Op::GetStatic(field) => {
                    return self.parsed(field.descriptor);
                }
                Op::New(class) => return Some(Type::class(class)),
                // It gives back what it is given, though it does not say so.
                Op::Invoke { method, arguments, .. }
                    if &*self.program.names.text(method.class) == "java/util/Objects"
                        && &*self.program.names.text(method.name) == "requireNonNull" =>
                {
                    value = *self.body.list(arguments).first()?;
                }
                Op::Invoke { method, .. } => {
                    let names = &self.program.names;
                    return MethodDescriptor::parse(names.bytes(method.descriptor))?
                        .result_type(names);
                }
                _ => return None,
            }
        }
        None
    }

    fn parsed(&self, descriptor: Name) -> Option<Type> {
        Type::parse(self.program.names.bytes(descriptor), &self.program.names)
    }
}
