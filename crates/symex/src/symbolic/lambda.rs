//! Lambdas and method references: objects whose one method calls a handle, and converts what it is given
//! and what it gives back as `LambdaMetafactory` does.

use program::ir::{Lambda, MethodHandle, MethodRef, UnaryOp};
use program::{
    ClassId, Element, HandleKind, Kind, MethodDescriptor, MethodId, Name, Primitive, Type,
};
use smt::Term;

use super::arithmetic::unary;
use super::calls::returned;
use super::plain::{box_class, boxed_primitive, descriptor_letter};
use super::space::{FreshKind, Leaf};
use super::{Closure, Engine, Outcome, State, StopKind};
use crate::concrete;

/// A call on its way through conversions: where it is, and what they threw.
struct Way {
    state: State,
    failed: Outcome,
}

impl Engine<'_> {
    /// Whether a lambda may be an object of this interface or of one below it.
    pub(super) fn may_be_lambda(&self, interface: ClassId) -> bool {
        let names = &self.program.names;
        let of_objects = |it: &program::Method| {
            let signature = (names.bytes(it.name), names.bytes(it.descriptor));
            matches!(
                signature,
                (b"equals", b"(Ljava/lang/Object;)Z")
                    | (b"hashCode", b"()I")
                    | (b"toString", b"()Ljava/lang/String;")
            )
        };
        let is_left = |id: ClassId| {
            let class = self.program.class(id);
            class.is_none_or(|class| {
                let methods = class.methods.iter().filter(|it| it.access_flags.is_abstract());
                // A lambda has the methods of every object.
                let left = methods.filter(|it| !of_objects(it));
                class.is_interface() && left.count() < 2
            })
        };
        self.world.is_none_or(|world| world.subtypes(interface).into_iter().any(is_left))
    }

    pub(super) fn new_lambda(&mut self, lambda: &Lambda, captured: Vec<Term>) -> Term {
        let number = self.add_closure(lambda.clone(), captured);
        // A class of its own that nothing names, but by what it runs, so that those of two runs meet.
        let member = lambda.implementation.member;
        let alike = |it: &&Closure| it.lambda.implementation.member == member;
        let nth = self.closures.iter().filter(alike).count();
        let code = self.reference_text(member);
        let class = self.space.type_number(&format!("lambda {nth} {code}"));
        self.space.allocate(class, FreshKind::Lambda(number))
    }

    fn add_closure(&mut self, lambda: Lambda, captured: Vec<Term>) -> u32 {
        self.closures.push(Closure { lambda, captured });
        self.closures.len() as u32 - 1
    }

    /// A lambda that an initialiser made. Where two versions are compared, its place would not tell whose
    /// code it runs.
    pub(super) fn import_lambda(&mut self, reference: concrete::Ref, name: &str) -> Option<Term> {
        if self.own_statics.is_some() {
            return None;
        }
        let closure = self.machine.closure(reference)?;
        let mut captured = Vec::new();
        for (number, &value) in closure.captured.iter().enumerate() {
            captured.push(self.import(value, &format!("{name} captured {number}"))?);
        }
        let number = self.add_closure(closure.lambda.clone(), captured);
        let address = self.space.named_address(&format!("static {name}"));
        self.imported.insert(reference, address);
        self.imported_lambdas.insert(u64::from(address), number);
        Some(self.space.terms.bitvec(32, u64::from(address)))
    }

    /// The closure behind an object, if it is known to be a lambda.
    pub(super) fn closure_of(&self, leaf: Leaf) -> Option<u32> {
        match leaf {
            Leaf::Null => None,
            Leaf::Fresh(object) => match self.space.fresh[object as usize].kind {
                FreshKind::Lambda(closure) => Some(closure),
                FreshKind::Object | FreshKind::Implicit | FreshKind::Array(_) => None,
            },
            Leaf::Input(key) => {
                let address = self.space.terms.as_const(key)?;
                self.imported_lambdas.get(&address).copied()
            }
        }
    }

    /// Whether a lambda is an instance of a type.
    pub(super) fn lambda_is_instance(&self, closure: u32, ty: Type) -> Option<bool> {
        let lambda = &self.closures[closure as usize].lambda;
        let serializable = self.program.names.intern(b"java/io/Serializable");
        let mut interfaces = vec![lambda.interface];
        interfaces.extend(&lambda.markers);
        interfaces.extend(lambda.is_serializable.then_some(serializable));
        let mut answer = self.is_object(ty);
        for interface in interfaces {
            answer |= self.is_assignable(Type::class(interface), ty)?;
        }
        Some(answer)
    }

    /// Calls a method on a lambda: the one that it implements, or a default method of its interface.
    pub(super) fn invoke_lambda(
        &mut self,
        closure: u32,
        resolved: MethodId,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        let lambda = self.closures[closure as usize].lambda.clone();
        let (class, method) = self.program.method(resolved);
        if method.access_flags.is_abstract() && method.name == lambda.method {
            let called = method.descriptor;
            return self.call_implementation(closure, &lambda, called, &arguments[1..], state);
        }
        if class.is_interface() {
            let target = self
                .program
                .find_class(lambda.interface)
                .and_then(|interface| self.program.select_method(interface, resolved).found());
            if let Some(target) = target {
                return self.run_method(target, arguments, state);
            }
        }
        if self.program.names.bytes(method.name) == b"equals" {
            let same = self.space.terms.eq(arguments[0], arguments[1]);
            let value = self.boolean(same);
            return returned(state, Some(value));
        }
        self.call_outside(resolved, arguments, state)
    }

    fn call_implementation(
        &mut self,
        closure: u32,
        lambda: &Lambda,
        called: Name,
        arguments: &[Term],
        state: State,
    ) -> Outcome {
        let names = &self.program.names;
        let parse = |name: Name| MethodDescriptor::parse(names.bytes(name));
        let handle = lambda.implementation;
        let (Some(called), Some(instantiated), Some(implementation)) =
            (parse(called), parse(lambda.instantiated), parse(handle.member.descriptor))
        else {
            self.stop(&state, StopKind::Unsupported, "a lambda with a malformed descriptor");
            return Outcome::default();
        };
        let (given, wanted) = (called.parameter_types(names), instantiated.parameter_types(names));
        let expected = called.result_type(names);
        let takes_receiver =
            !matches!(handle.kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial);
        let receiver = takes_receiver.then(|| Type::class(handle.member.class));
        let parameters = implementation.parameter_types(names);
        let parameters: Vec<Type> = receiver.into_iter().chain(parameters).collect();
        let result = match handle.kind {
            HandleKind::NewInvokeSpecial => Some(Type::class(handle.member.class)),
            _ => implementation.result_type(names),
        };
        let mut passed: Vec<Term> = self.closures[closure as usize].captured.clone();
        let is_complete = given.len() == arguments.len()
            && wanted.len() == arguments.len()
            && parameters.len() == passed.len() + arguments.len();
        if !is_complete {
            self.stop(&state, StopKind::Unsupported, "a lambda with other parameters");
            return Outcome::default();
        }
        let mut way = Way { state, failed: Outcome::default() };
        for (index, &argument) in arguments.iter().enumerate() {
            let to = parameters[passed.len()];
            let argument = self.converted(&mut way, argument, given[index], wanted[index]);
            let argument = argument.and_then(|it| self.converted(&mut way, it, wanted[index], to));
            let Some(argument) = argument else { return way.failed };
            passed.push(argument);
        }
        let outcome = self.call_handle(handle, passed, way.state.clone());
        let value = self.go_on(&mut way, outcome);
        self.give_back(way, value, result, expected)
    }

    /// The result of an implementation as the result of the method that was called.
    fn give_back(
        &mut self,
        mut way: Way,
        value: Option<Option<Term>>,
        from: Option<Type>,
        to: Option<Type>,
    ) -> Outcome {
        let Some(value) = value else { return way.failed };
        let value = match (value, from, to) {
            (_, _, None) => None,
            (Some(value), Some(from), Some(to)) => {
                match self.converted(&mut way, value, from, to) {
                    Some(value) => Some(value),
                    None => return way.failed,
                }
            }
            (_, _, Some(_)) => {
                self.stop(&way.state, StopKind::Unsupported, "a lambda without a result");
                return way.failed;
            }
        };
        let Way { state, mut failed } = way;
        self.merge_returned(&mut failed, state, value);
        failed
    }

    /// Goes on behind a call, if it returns, with its result.
    fn go_on(&mut self, way: &mut Way, outcome: Outcome) -> Option<Option<Term>> {
        if let Some((state, exception)) = outcome.thrown {
            self.merge_thrown(&mut way.failed, state, exception);
        }
        let (state, value) = outcome.returned?;
        way.state = state;
        Some(value)
    }

    /// Goes on where a condition holds; where not, an exception is thrown.
    fn require(&mut self, way: &mut Way, fine: Term, exception: &str) -> Option<()> {
        let outcome = self.guarded(fine, exception, &way.state, None);
        self.go_on(way, outcome).map(|_| ())
    }

    /// Boxes, unboxes, widens or casts; nothing where no way goes on.
    fn converted(&mut self, way: &mut Way, value: Term, from: Type, to: Type) -> Option<Term> {
        match (from.as_primitive(), to.as_primitive()) {
            (None, None) if from == to || self.is_object(to) => Some(value),
            (None, None) => {
                let Some(fits) = self.is_instance(value, to) else {
                    let text = to.display(&self.program.names);
                    self.stop(&way.state, StopKind::Unsupported, format!("a cast to {text}"));
                    return None;
                };
                let is_null = self.space.is_null(value);
                let fine = self.space.terms.or2(is_null, fits);
                self.require(way, fine, "java/lang/ClassCastException")?;
                Some(value)
            }
            (Some(from), None) => {
                let (class, letter) = (box_class(from), descriptor_letter(from) as char);
                let descriptor = format!("({letter})L{class};");
                self.converted_by(way, class, "valueOf", &descriptor, value)
            }
            (None, Some(to)) => self.unboxed(way, value, from, to),
            (Some(from), Some(to)) => Some(self.widened(value, from, to)),
        }
    }

    fn unboxed(&mut self, way: &mut Way, value: Term, from: Type, to: Primitive) -> Option<Term> {
        let boxed = match from {
            Type { element: Element::Class(class), dimensions: 0 } => {
                boxed_primitive(self.program.names.bytes(class))
            }
            Type { .. } => None,
        };
        let Some(boxed) = boxed else {
            self.stop(&way.state, StopKind::Unsupported, "a lambda that takes any number");
            return None;
        };
        let is_null = self.space.is_null(value);
        let fine = self.space.terms.not(is_null);
        self.require(way, fine, "java/lang/NullPointerException")?;
        let name = format!("{}Value", boxed.keyword());
        let descriptor = format!("(){}", descriptor_letter(boxed) as char);
        let value = self.converted_by(way, box_class(boxed), &name, &descriptor, value)?;
        Some(self.widened(value, boxed, to))
    }

    fn converted_by(
        &mut self,
        way: &mut Way,
        class: &str,
        name: &str,
        descriptor: &str,
        value: Term,
    ) -> Option<Term> {
        let MethodRef { class, name, descriptor } = self.method_ref(class, name, descriptor);
        let Some(method) = self.program.resolve_method(class, name, descriptor).found() else {
            self.stop(&way.state, StopKind::Unsupported, "boxes are missing");
            return None;
        };
        let outcome = self.run_method(method, vec![value], way.state.clone());
        self.go_on(way, outcome).flatten()
    }

    fn widened(&mut self, value: Term, from: Primitive, to: Primitive) -> Term {
        let [from, to]: [Kind; 2] = [from, to].map(|it| Type::primitive(it).kind());
        unary(&mut self.space.terms, UnaryOp::Convert(from, to), value)
    }

    fn call_handle(&mut self, handle: MethodHandle, arguments: Vec<Term>, state: State) -> Outcome {
        let MethodRef { class, name, descriptor } = handle.member;
        let Some(method) = self.program.resolve_method(class, name, descriptor).found() else {
            return self.call_missing(handle.member, arguments, state);
        };
        match handle.kind {
            HandleKind::InvokeStatic | HandleKind::InvokeSpecial => {
                self.run_method(method, arguments, state)
            }
            HandleKind::InvokeVirtual | HandleKind::InvokeInterface => {
                let mut way = Way { state, failed: Outcome::default() };
                let is_null = self.space.is_null(arguments[0]);
                let fine = self.space.terms.not(is_null);
                if self.require(&mut way, fine, "java/lang/NullPointerException").is_none() {
                    return way.failed;
                }
                let called = self.invoke_virtual(method, arguments, way.state);
                self.join(&mut way.failed, called);
                way.failed
            }
            HandleKind::NewInvokeSpecial => {
                let number = self.type_number(Type::class(class));
                self.type_constant(number);
                let object = self.space.allocate(number, FreshKind::Object);
                let mut all = vec![object];
                all.extend(arguments);
                let mut outcome = self.run_method(method, all, state);
                if let Some((_, value)) = &mut outcome.returned {
                    *value = Some(object);
                }
                outcome
            }
            HandleKind::GetField
            | HandleKind::GetStatic
            | HandleKind::PutField
            | HandleKind::PutStatic => {
                self.stop(&state, StopKind::Unsupported, "a handle of a field");
                Outcome::default()
            }
        }
    }
}
