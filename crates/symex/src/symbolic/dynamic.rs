//! `invokedynamic` and computed constants: lambdas, string concatenation, record methods, switches.

use program::ir::{CallSite, ConcatPart, MethodHandle, MethodRef, SwitchLabel};
use program::{Element, Kind, Name, Primitive, Type};
use smt::Term;

use super::calls::returned;
use super::run::Frame;
use super::{Engine, Live};

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

    fn concat(
        &mut self,
        frame: &mut Frame<'_>,
        parts: &[ConcatPart],
        arguments: &[Term],
    ) -> Live<Term> {
        let mut next = arguments.iter();
        let mut text = self.text_constant(&[]);
        for part in parts {
            let piece = match part {
                ConcatPart::Text(name) => {
                    let units = self.program.names.utf16(*name);
                    self.text_constant(&units)
                }
                ConcatPart::Argument(ty) => match next.next() {
                    Some(&value) => self.concat_argument(frame, value, *ty)?,
                    None => return self.unsupported(&frame.state, "a malformed concatenation"),
                },
                ConcatPart::Constant(_) => {
                    return self.unsupported(&frame.state, "a constant in a concatenation");
                }
            };
            text = self.concat_texts(text, piece);
        }
        Ok(self.new_string(&mut frame.state, text))
    }

    /// The text of a value in a concatenation; what the `toString` of an object throws is thrown here.
    fn concat_argument(&mut self, frame: &mut Frame<'_>, value: Term, ty: Type) -> Live<Term> {
        let object = Type::class(self.program.known.object);
        let string = Type::class(self.program.known.string);
        let ty = if ty.kind() == Kind::Ref && ty != string { object } else { ty };
        let state = frame.state.clone();
        let outcome = self
            .with_text(ty, value, &state, &mut |_, state, text| Some(returned(state, Some(text))));
        let Some(outcome) = outcome else {
            return self.unsupported(&frame.state, "an object in a concatenation");
        };
        match self.resume(frame, outcome)? {
            Some(text) => Ok(text),
            None => self.unsupported(&frame.state, "a text without a value"),
        }
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
        let identical = self.space.terms.eq(arguments[0], arguments[1]);
        // Of another class: what it is made of is not asked.
        if frame.state.path.decide(&self.space, equal) == Some(false) {
            return Ok(self.boolean(identical));
        }
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
