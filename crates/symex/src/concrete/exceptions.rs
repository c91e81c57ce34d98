//! Exceptions that the machine itself throws.

use program::MethodId;

use super::value::{Ref, Value};
use super::{Machine, Outcome, Stop, gap};

impl Machine<'_> {
    /// Throws a new exception of this class without a message.
    pub(super) fn throw<T>(&mut self, class: &str) -> Outcome<T> {
        self.throw_with(class, None)
    }

    pub(super) fn throw_message<T>(&mut self, class: &str, message: &str) -> Outcome<T> {
        let units: Vec<u16> = message.encode_utf16().collect();
        let message = self.new_string(&units)?;
        self.throw_with(class, Some(message))
    }

    /// Throws an exception whose message a JVM would compose in a way that is not known here:
    /// reading it is a gap.
    pub(super) fn throw_unknown_message<T>(&mut self, class: &str) -> Outcome<T> {
        let stop = self.throw_with::<T>(class, None);
        if let Err(Stop::Throw(exception)) = stop {
            self.unknown_messages.insert(exception);
        }
        stop
    }

    fn throw_with<T>(&mut self, class: &str, message: Option<Ref>) -> Outcome<T> {
        let id = self.find_class(self.program.names.intern(class.as_bytes()))?;
        self.initialise(id)?;
        let exception = self.allocate(id)?;
        let descriptor = if message.is_some() { "(Ljava/lang/String;)V" } else { "()V" };
        let Some(constructor) = self.declared(class, "<init>", descriptor) else {
            return gap(format!("{class} has no constructor {descriptor}"));
        };
        let mut arguments = vec![Value::Ref(exception)];
        arguments.extend(message.map(Value::Ref));
        self.run_method(constructor, arguments)?;
        Err(Stop::Throw(exception))
    }

    /// A method by its exact place.
    pub(super) fn declared(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let names = &self.program.names;
        let id = self.program.find_class(names.intern(class.as_bytes()))?;
        let class = self.program.class(id)?;
        class.declared_method(names.intern(name.as_bytes()), names.intern(descriptor.as_bytes()))
    }
}
