//! Calls: which method runs, and running it.

use program::ir::{Body, InvokeKind, MethodRef};
use program::{ClassId, MethodId, Resolution};
use std::sync::Arc;

use super::heap::ObjectData;
use super::natives::Native;
use super::value::Value;
use super::{Machine, Outcome, gap};

/// What a call of a method runs.
#[derive(Clone)]
pub(super) enum Code {
    Native(Native),
    Body(Arc<Body>),
    Missing,
}

impl Machine<'_> {
    pub(super) fn invoke(
        &mut self,
        caller: MethodId,
        kind: InvokeKind,
        reference: MethodRef,
        arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        let resolved = self.resolve_method(reference)?;
        let target = match kind {
            InvokeKind::Static => {
                self.initialise(resolved.class)?;
                resolved
            }
            InvokeKind::Special => {
                self.non_null(arguments[0])?;
                self.special_target(caller, reference, resolved)?
            }
            InvokeKind::Virtual | InvokeKind::Interface => {
                return self.invoke_virtual(resolved, arguments);
            }
        };
        self.run_method(target, arguments)
    }

    /// Calls `resolved` on its first argument, whatever class that has.
    pub(super) fn invoke_virtual(
        &mut self,
        resolved: MethodId,
        arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        let receiver = self.non_null(arguments[0])?;
        if let ObjectData::Lambda(closure) = &self.heap.object(receiver).data {
            let closure = closure.clone();
            return self.invoke_lambda(&closure, resolved, arguments);
        }
        let class = self.class_of(receiver)?;
        let target = self.select(class, resolved)?;
        self.run_method(target, arguments)
    }

    pub(super) fn resolve_method(&mut self, reference: MethodRef) -> Outcome<MethodId> {
        if let Some(&id) = self.methods.get(&reference) {
            return Ok(id);
        }
        let MethodRef { class, name, descriptor } = reference;
        let id = match self.program.resolve_method(class, name, descriptor) {
            Resolution::Found(id) => id,
            Resolution::MissingClass(name) => {
                return gap(format!("missing class {}", self.program.class_text(name)));
            }
            Resolution::NoSuchMember => return self.throw("java/lang/NoSuchMethodError"),
        };
        self.methods.insert(reference, id);
        Ok(id)
    }

    /// JVMS `invokespecial`: `super.m()` starts at the caller's superclass, whatever class the
    /// reference names.
    fn special_target(
        &mut self,
        caller: MethodId,
        reference: MethodRef,
        resolved: MethodId,
    ) -> Outcome<MethodId> {
        let program = self.program;
        let (caller_class, _) = program.method(caller);
        if reference.name == program.known.init {
            return Ok(resolved);
        }
        let Some(named) = program.find_class(reference.class) else { return Ok(resolved) };
        let is_super = named != caller_class.id
            && program.class(named).is_some_and(|class| !class.is_interface())
            && program.is_subtype(caller_class.id, named) == Some(true);
        let start = if is_super {
            match program.superclass(caller_class) {
                Some(superclass) => superclass.id,
                None => return gap("a missing superclass"),
            }
        } else {
            named
        };
        self.select(start, resolved)
    }

    pub(super) fn select(&mut self, receiver: ClassId, resolved: MethodId) -> Outcome<MethodId> {
        if let Some(&id) = self.selected.get(&(receiver, resolved)) {
            return Ok(id);
        }
        let id = match self.program.select_method(receiver, resolved) {
            Resolution::Found(id) => id,
            Resolution::MissingClass(name) => {
                return gap(format!("missing class {}", self.program.class_text(name)));
            }
            Resolution::NoSuchMember => return self.throw("java/lang/AbstractMethodError"),
        };
        self.selected.insert((receiver, resolved), id);
        Ok(id)
    }

    /// Runs exactly this method: a native one in Rust, any other from its code.
    pub(super) fn run_method(
        &mut self,
        method: MethodId,
        arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        if self.depth >= self.budget.depth {
            return gap("calls go too deep to be followed");
        }
        match self.code(method)? {
            Code::Native(native) => {
                for &argument in &arguments {
                    super::run::known(argument)?;
                }
                let outcome = native(self, &arguments);
                self.spare.push(arguments);
                outcome
            }
            Code::Body(body) => self.run_in_frame(method, &body, arguments),
            Code::Missing => self.run_missing(method),
        }
    }

    fn code(&mut self, method: MethodId) -> Outcome<Code> {
        if let Some(code) = self.code.get(&method) {
            return Ok(code.clone());
        }
        let code = match self.natives.find(self.program, method) {
            Some(native) => Code::Native(native),
            None => self.body(method)?.map_or(Code::Missing, Code::Body),
        };
        self.code.insert(method, code.clone());
        Ok(code)
    }

    fn run_in_frame(
        &mut self,
        method: MethodId,
        body: &Body,
        arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        self.depth += 1;
        let outcome = self.run_body(method, body, arguments);
        self.depth -= 1;
        outcome
    }

    fn run_missing(&mut self, method: MethodId) -> Outcome<Option<Value>> {
        let (_, declared) = self.program.method(method);
        if declared.access_flags.is_abstract() {
            return self.throw("java/lang/AbstractMethodError");
        }
        gap(format!("native {}", self.method_text(method)))
    }

    /// Runs a method from its code, even if there is a native for it.
    pub(super) fn run_code(
        &mut self,
        method: MethodId,
        arguments: &[Value],
    ) -> Outcome<Option<Value>> {
        match self.body(method)? {
            Some(body) => self.run_in_frame(method, &body, arguments.to_vec()),
            None => self.run_missing(method),
        }
    }

    fn body(&self, method: MethodId) -> Outcome<Option<Arc<Body>>> {
        match self.program.body(method) {
            Ok(body) => Ok(body),
            Err(error) => gap(format!("{}: {error}", self.method_text(method))),
        }
    }
}
