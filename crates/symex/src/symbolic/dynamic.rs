//! `invokedynamic` and computed constants: lambdas, string concatenation, record methods, switches.

use program::ir::{CallSite, ConcatPart, Lambda, MethodHandle, MethodRef, SwitchLabel};
use program::{Element, HandleKind, Kind, MethodDescriptor, MethodId, Name, Primitive, Type};
use smt::Term;

use super::calls::returned;
use super::run::Frame;
use super::space::FreshKind;
use super::{Closure, Engine, Live, Outcome, State, StopKind};

impl Engine<'_> {
    pub(super) fn invoke_dynamic(
        &mut self,
        frame: &mut Frame<'_>,
        site: u32,
        arguments: Vec<Term>,
    ) -> Live<Option<Term>> {
        let site = frame.body.call_sites[site as usize].clone();
        match &site {
            CallSite::Lambda(lambda) => Ok(Some(self.new_lambda(lambda, arguments))),
            CallSite::Concat(parts) => self.concat(frame, parts, &arguments).map(Some),
            CallSite::RecordMethod { name, class, components } => {
                self.record_method(frame, *name, *class, components, &arguments).map(Some)
            }
            CallSite::TypeSwitch(labels) => self.type_switch(frame, labels, &arguments).map(Some),
            CallSite::Unknown(_)
            | CallSite::EnumSwitch(_)
            | CallSite::MethodHandle(_)
            | CallSite::Null
            | CallSite::PrimitiveClass(_)
            | CallSite::EnumConstant { .. }
            | CallSite::StaticFinal { .. }
            | CallSite::InvokeConstant { .. } => {
                self.unsupported(&frame.state, "an unusual invokedynamic")
            }
        }
    }

    pub(super) fn dynamic_constant(
        &mut self,
        frame: &mut Frame<'_>,
        site: &CallSite,
    ) -> Live<Term> {
        match site {
            CallSite::Null => Ok(self.space.null()),
            CallSite::PrimitiveClass(_)
            | CallSite::EnumConstant { .. }
            | CallSite::StaticFinal { .. }
            | CallSite::MethodHandle(_)
            | CallSite::InvokeConstant { .. }
            | CallSite::Unknown(_)
            | CallSite::Lambda(_)
            | CallSite::Concat(_)
            | CallSite::RecordMethod { .. }
            | CallSite::TypeSwitch(_)
            | CallSite::EnumSwitch(_) => {
                self.unsupported(&frame.state, "a dynamically computed constant")
            }
        }
    }

    fn new_lambda(&mut self, lambda: &Lambda, captured: Vec<Term>) -> Term {
        let number = self.closures.len() as u32;
        // A class of its own that nothing names.
        let class = self.space.type_number(&format!("lambda {number}"));
        self.closures.push(Closure { lambda: lambda.clone(), captured });
        self.space.allocate(class, FreshKind::Lambda(number))
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
            return self.call_implementation(closure, &lambda, &arguments[1..], state);
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

    /// Only where no argument has to be boxed, unboxed or widened on the way.
    fn call_implementation(
        &mut self,
        closure: u32,
        lambda: &Lambda,
        arguments: &[Term],
        state: State,
    ) -> Outcome {
        let names = &self.program.names;
        let parse = |name: Name| MethodDescriptor::parse(names.bytes(name));
        let (Some(called), Some(implementation)) =
            (parse(lambda.descriptor), parse(lambda.implementation.member.descriptor))
        else {
            self.stop(&state, StopKind::Unsupported, "a lambda with a malformed descriptor");
            return Outcome::default();
        };
        let handle = lambda.implementation;
        let mut given: Vec<Term> = self.closures[closure as usize].captured.clone();
        given.extend_from_slice(arguments);
        let mut wanted: Vec<Kind> = Vec::new();
        if !matches!(handle.kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial) {
            wanted.push(Kind::Ref);
        }
        wanted.extend(implementation.parameter_kinds());
        let fits = wanted.len() == given.len()
            && wanted
                .iter()
                .zip(&given)
                .skip(given.len() - arguments.len())
                .zip(called.parameter_kinds())
                .all(|((wanted, _), called)| *wanted == called);
        let results = (called.result_kind(), implementation.result_kind());
        let result_fits = results.0.is_none()
            || results.0 == results.1
            || handle.kind == HandleKind::NewInvokeSpecial;
        if !fits || !result_fits {
            self.stop(&state, StopKind::Unsupported, "a lambda that converts its arguments");
            return Outcome::default();
        }
        self.call_handle(handle, given, state)
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
                let is_null = self.space.is_null(arguments[0]);
                let mut outcome = Outcome::default();
                let mut here = state;
                if here.path.decide(&self.space, is_null) != Some(false) {
                    let mut thrown = here.clone();
                    thrown.path = thrown.path.and(&self.space.terms, is_null);
                    let exception = self.implicit_exception("java/lang/NullPointerException");
                    outcome.thrown = Some((thrown, exception));
                    let not_null = self.space.terms.not(is_null);
                    here.path = here.path.and(&self.space.terms, not_null);
                }
                let called = self.invoke_virtual(method, arguments, here);
                self.join(&mut outcome, called);
                outcome
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

    fn concat(
        &mut self,
        frame: &mut Frame<'_>,
        parts: &[ConcatPart],
        arguments: &[Term],
    ) -> Live<Term> {
        let mut next = arguments.iter();
        let mut text: Option<Term> = None;
        for part in parts {
            let piece = match part {
                ConcatPart::Text(name) => {
                    let units = self.program.names.utf16(*name);
                    self.text_constant(&units)
                }
                ConcatPart::Argument(ty) => match next.next() {
                    Some(&value) => self.text_of(frame, value, *ty)?,
                    None => return self.unsupported(&frame.state, "a malformed concatenation"),
                },
                ConcatPart::Constant(_) => {
                    return self.unsupported(&frame.state, "a constant in a concatenation");
                }
            };
            text = Some(match text {
                None => piece,
                Some(before) => self.concat_texts(before, piece),
            });
        }
        let text = match text {
            Some(text) => text,
            None => self.text_constant(&[]),
        };
        Ok(self.new_string(&mut frame.state, text))
    }

    /// `equals` and `hashCode` of a record, component by component, as `ObjectMethods` has them.
    fn record_method(
        &mut self,
        frame: &mut Frame<'_>,
        name: Name,
        class: Name,
        components: &[MethodHandle],
        arguments: &[Term],
    ) -> Live<Term> {
        match self.program.names.bytes(name) {
            b"equals" => self.record_equals(frame, class, components, arguments),
            b"hashCode" => self.record_hash(frame, components, arguments),
            _ => self.unsupported(&frame.state, "toString of a record"),
        }
    }

    fn record_equals(
        &mut self,
        frame: &mut Frame<'_>,
        class: Name,
        components: &[MethodHandle],
        arguments: &[Term],
    ) -> Live<Term> {
        let is_same_type = self.instance_test(frame, arguments[1], Type::class(class))?;
        let zero = self.space.terms.int(0);
        let mut equal = self.space.terms.ne(is_same_type, zero);
        for component in components {
            let (place, ty) = self.component_place(frame, *component)?;
            let one = self.read_field(&frame.state, place, arguments[0]);
            let two = self.read_field(&frame.state, place, arguments[1]);
            let (Some(one), Some(two)) = (one, two) else { return self.too_many_objects(frame) };
            let same = match ty.kind() {
                // `Float.compare(a, b) == 0`: by bits, all NaN alike; `eq` of terms is just that.
                Kind::Int | Kind::Long | Kind::Float | Kind::Double => {
                    self.space.terms.eq(one, two)
                }
                Kind::Ref => self.objects_equal(frame, one, two)?,
            };
            equal = self.space.terms.and2(equal, same);
        }
        let identical = self.space.terms.eq(arguments[0], arguments[1]);
        let equal = self.space.terms.or2(identical, equal);
        Ok(self.boolean(equal))
    }

    /// `Objects.equals` on a path of its own: what it throws is thrown here.
    fn objects_equal(&mut self, frame: &mut Frame<'_>, one: Term, two: Term) -> Live<Term> {
        let reference = self.method_ref(
            "java/util/Objects",
            "equals",
            "(Ljava/lang/Object;Ljava/lang/Object;)Z",
        );
        let value =
            self.invoke(frame, program::ir::InvokeKind::Static, reference, vec![one, two])?;
        let zero = self.space.terms.int(0);
        Ok(match value {
            Some(value) => self.space.terms.ne(value, zero),
            None => self.space.terms.bool(false),
        })
    }

    fn record_hash(
        &mut self,
        frame: &mut Frame<'_>,
        components: &[MethodHandle],
        arguments: &[Term],
    ) -> Live<Term> {
        let mut hash = self.space.terms.int(0);
        for component in components {
            let (place, ty) = self.component_place(frame, *component)?;
            let Some(value) = self.read_field(&frame.state, place, arguments[0]) else {
                return self.too_many_objects(frame);
            };
            let one = self.component_hash(frame, value, ty)?;
            let factor = self.space.terms.int(31);
            let scaled = self.space.terms.mul(hash, factor);
            hash = self.space.terms.add(scaled, one);
        }
        Ok(hash)
    }

    fn component_hash(&mut self, frame: &mut Frame<'_>, value: Term, ty: Type) -> Live<Term> {
        let (class, descriptor) = match (ty.element, ty.dimensions) {
            (Element::Primitive(primitive), 0) => match primitive {
                Primitive::Boolean => ("java/lang/Boolean", "(Z)I"),
                Primitive::Byte => ("java/lang/Byte", "(B)I"),
                Primitive::Char => ("java/lang/Character", "(C)I"),
                Primitive::Short => ("java/lang/Short", "(S)I"),
                Primitive::Int => ("java/lang/Integer", "(I)I"),
                Primitive::Long => ("java/lang/Long", "(J)I"),
                Primitive::Float => ("java/lang/Float", "(F)I"),
                Primitive::Double => ("java/lang/Double", "(D)I"),
            },
            (Element::Primitive(_) | Element::Class(_), _) => {
                ("java/util/Objects", "(Ljava/lang/Object;)I")
            }
        };
        let reference = self.method_ref(class, "hashCode", descriptor);
        let hash = self.invoke(frame, program::ir::InvokeKind::Static, reference, vec![value])?;
        match hash {
            Some(hash) => Ok(hash),
            None => self.unsupported(&frame.state, "a hash code without a value"),
        }
    }

    fn component_place(
        &mut self,
        frame: &Frame<'_>,
        component: MethodHandle,
    ) -> Live<(super::heap::Place, Type)> {
        let MethodRef { class, name, descriptor } = component.member;
        let field = self.resolve_field(frame, program::ir::FieldRef { class, name, descriptor })?;
        let place = self.field_place(field);
        Ok((place, self.place_type(place)))
    }

    pub(super) fn method_ref(&self, class: &str, name: &str, descriptor: &str) -> MethodRef {
        let names = &self.program.names;
        MethodRef {
            class: names.intern(class.as_bytes()),
            name: names.intern(name.as_bytes()),
            descriptor: names.intern(descriptor.as_bytes()),
        }
    }

    /// The first label from the start index that the value fits; -1 for null, the number of labels
    /// if none does.
    fn type_switch(
        &mut self,
        frame: &mut Frame<'_>,
        labels: &[SwitchLabel],
        arguments: &[Term],
    ) -> Live<Term> {
        let &[value, start] = arguments else {
            return self.unsupported(&frame.state, "a malformed type switch");
        };
        let mut answer = self.space.terms.int(labels.len() as i32);
        for (index, label) in labels.iter().enumerate().rev() {
            let SwitchLabel::Type(ty) = label else {
                return self.unsupported(&frame.state, "a constant label in a type switch");
            };
            let fits = self.instance_test(frame, value, *ty)?;
            let zero = self.space.terms.int(0);
            let fits = self.space.terms.ne(fits, zero);
            let index = self.space.terms.int(index as i32);
            let reached = self.space.terms.sle(start, index);
            let hit = self.space.terms.and2(fits, reached);
            answer = self.space.terms.ite(hit, index, answer);
        }
        let is_null = self.space.is_null(value);
        let minus = self.space.terms.int(-1);
        Ok(self.space.terms.ite(is_null, minus, answer))
    }
}
