//! One instruction.

use program::ir::{ArrayKind, BinaryOp, Const, FieldRef, Instruction, Op};
use program::{FieldId, Kind, Primitive, Resolution, Type};
use smt::Term;

use super::heap::ArrayCells;
use super::run::Frame;
use super::space::{FreshKind, Leaf};
use super::{Engine, Live, StopKind, arithmetic};

const NEGATIVE_SIZE: &str = "java/lang/NegativeArraySizeException";
/// Reads of arrays that are kept in mind.
const MOST_LOADED: usize = 64;
const OUT_OF_BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";

impl Engine<'_> {
    pub(super) fn step(&mut self, frame: &mut Frame<'_>, instruction: &Instruction) -> Live<()> {
        let result = self.operate(frame, instruction.op)?;
        if let (Some(value), Some(term)) = (instruction.result, result) {
            frame.set(value, term);
        }
        Ok(())
    }

    fn operate(&mut self, frame: &mut Frame<'_>, op: Op) -> Live<Option<Term>> {
        match op {
            Op::Const(constant) => self.constant(frame, constant).map(Some),
            Op::Unary(op, value) => {
                Ok(Some(arithmetic::unary(&mut self.space.terms, op, frame.get(value))))
            }
            Op::Binary(op, left, right) => self.binary(frame, op, left, right).map(Some),
            Op::New(class) => self.new_object(frame, class).map(Some),
            Op::NewArray { element, length } => {
                let length = frame.get(length);
                self.new_array(frame, element, length).map(Some)
            }
            Op::NewMultiArray { array, lengths } => {
                let lengths = frame.list(lengths);
                self.new_multi_array(frame, array, &lengths).map(Some)
            }
            Op::ArrayLength(array) => {
                let array = frame.get(array);
                self.check_null(frame, array)?;
                self.checked_length(frame, array).map(Some)
            }
            Op::ArrayLoad { kind, array, index } => {
                let (array, index) = (frame.get(array), frame.get(index));
                self.check_index(frame, array, index)?;
                match self.read_element(&frame.state, kind, array, index) {
                    Some(value) => {
                        if kind == ArrayKind::Ref {
                            self.note_loaded(&frame.state, array, value);
                        }
                        Ok(Some(value))
                    }
                    None => self.too_many_objects(frame),
                }
            }
            Op::ArrayStore { kind, array, index, value } => {
                let (array, index, value) = (frame.get(array), frame.get(index), frame.get(value));
                self.store(frame, kind, array, index, value)
            }
            Op::GetStatic(field) => {
                let field = self.resolve_field(frame, field)?;
                self.read_static(&mut frame.state, field).map(Some)
            }
            Op::PutStatic(field, value) => {
                let (field, value) = (self.resolve_field(frame, field)?, frame.get(value));
                self.write_static(&mut frame.state, field, value)?;
                Ok(None)
            }
            Op::GetField(field, object) => {
                let object = frame.get(object);
                self.check_null(frame, object)?;
                let field = self.resolve_field(frame, field)?;
                let place = self.field_place(field);
                match self.read_field(&frame.state, place, object) {
                    Some(value) => Ok(Some(value)),
                    None => self.too_many_objects(frame),
                }
            }
            Op::PutField(field, object, value) => {
                let (object, value) = (frame.get(object), frame.get(value));
                self.check_null(frame, object)?;
                let field = self.resolve_field(frame, field)?;
                let place = self.field_place(field);
                match self.write_field(&mut frame.state, place, object, value) {
                    Some(()) => Ok(None),
                    None => self.too_many_objects(frame),
                }
            }
            Op::Invoke { kind, method, arguments } => {
                let arguments = frame.list(arguments);
                self.invoke(frame, kind, method, arguments)
            }
            Op::InvokeDynamic { call_site, arguments } => {
                let arguments = frame.list(arguments);
                self.invoke_dynamic(frame, call_site, arguments)
            }
            Op::CheckCast(ty, value) => {
                let value = frame.get(value);
                self.check_cast(frame, value, ty)?;
                Ok(Some(value))
            }
            Op::InstanceOf(ty, value) => {
                let value = frame.get(value);
                self.instance_test(frame, value, ty).map(Some)
            }
            Op::MonitorEnter(object) => {
                let object = frame.get(object);
                self.check_null(frame, object)?;
                self.lock(&mut frame.state, object);
                Ok(None)
            }
            Op::MonitorExit(object) => {
                let object = frame.get(object);
                self.check_null(frame, object)?;
                self.unlock(&mut frame.state, object);
                Ok(None)
            }
        }
    }

    pub(super) fn too_many_objects<T>(&mut self, frame: &Frame<'_>) -> Live<T> {
        self.stop(&frame.state, StopKind::Budget, "a reference to one of too many objects");
        Err(super::Dead)
    }

    fn constant(&mut self, frame: &mut Frame<'_>, constant: Const) -> Live<Term> {
        Ok(match constant {
            Const::Null => self.space.null(),
            Const::Int(value) => self.space.terms.int(value),
            Const::Long(value) => self.space.terms.long(value),
            Const::Float(bits) => self.space.terms.float32(f32::from_bits(bits)),
            Const::Double(bits) => self.space.terms.float64(f64::from_bits(bits)),
            Const::String(literal) => {
                let text = self.program.literal(literal);
                self.literal(text)
            }
            Const::Class(ty) => self.mirror_of(ty),
            Const::MethodType(_) => return self.unsupported(&frame.state, "a method type"),
            Const::Dynamic(site, _) => {
                let site = &frame.body.call_sites[site as usize];
                return self.dynamic_constant(frame, &site.clone());
            }
        })
    }

    pub(super) fn mirror_of(&mut self, ty: Type) -> Term {
        let number = self.type_number(ty);
        let class = self.type_constant(number);
        self.space.mirror(class)
    }

    fn binary(
        &mut self,
        frame: &mut Frame<'_>,
        op: BinaryOp,
        left: program::ir::Value,
        right: program::ir::Value,
    ) -> Live<Term> {
        let (left, right) = (frame.get(left), frame.get(right));
        if op.can_throw() {
            let kind = op.operand_kinds().1;
            let zero = self.zero(kind);
            let by_zero = self.space.terms.eq(right, zero);
            self.throw_if(frame, by_zero, "java/lang/ArithmeticException")?;
        }
        Ok(arithmetic::binary(&mut self.space.terms, op, left, right))
    }

    fn new_object(&mut self, frame: &mut Frame<'_>, class: program::Name) -> Live<Term> {
        let Some(id) =
            self.program.find_class(class).filter(|&id| self.program.class(id).is_some())
        else {
            let text = self.program.class_text(class);
            return self.unsupported(&frame.state, format!("missing class {text}"));
        };
        let _ = id;
        let number = self.type_number(Type::class(class));
        self.type_constant(number);
        Ok(self.space.allocate(number, FreshKind::Object))
    }

    pub(super) fn new_array(
        &mut self,
        frame: &mut Frame<'_>,
        element: Type,
        length: Term,
    ) -> Live<Term> {
        let zero = self.space.terms.int(0);
        let negative = self.space.terms.slt(length, zero);
        self.throw_if(frame, negative, NEGATIVE_SIZE)?;
        match self.allocate_array(&mut frame.state, element, length) {
            Some(array) => Ok(array),
            None => self.unsupported(&frame.state, "an array of too many dimensions"),
        }
    }

    pub(super) fn allocate_array(
        &mut self,
        state: &mut super::State,
        element: Type,
        length: Term,
    ) -> Option<Term> {
        let number = self.type_number(element.array()?);
        self.type_constant(number);
        let array = self.space.allocate(number, FreshKind::Array(length));
        let object = self.space.number_of(array);
        let place = self.element_place(array_kind(element));
        state.heap.write_array(place, object, ArrayCells::Known(imbl::OrdMap::new()));
        Some(array)
    }

    /// Exact where the lengths of all but the last dimension are constants.
    fn new_multi_array(&mut self, frame: &mut Frame<'_>, ty: Type, lengths: &[Term]) -> Live<Term> {
        let zero = self.space.terms.int(0);
        for &length in lengths {
            let negative = self.space.terms.slt(length, zero);
            self.throw_if(frame, negative, NEGATIVE_SIZE)?;
        }
        self.nested_array(frame, ty, lengths)
    }

    fn nested_array(&mut self, frame: &mut Frame<'_>, ty: Type, lengths: &[Term]) -> Live<Term> {
        let (Some(component), [length, inner @ ..]) = (ty.component(), lengths) else {
            return self.unsupported(&frame.state, "an array without a dimension");
        };
        let Some(array) = self.allocate_array(&mut frame.state, component, *length) else {
            return self.unsupported(&frame.state, "an array of too many dimensions");
        };
        if inner.is_empty() {
            return Ok(array);
        }
        match self.space.terms.as_const(*length) {
            Some(count) if count <= 256 => {
                for index in 0..count {
                    let nested = self.nested_array(frame, component, inner)?;
                    let index = self.space.terms.bitvec(32, index);
                    self.write_element(&mut frame.state, ArrayKind::Ref, array, index, nested);
                }
                Ok(array)
            }
            Some(_) => {
                self.stop(&frame.state, StopKind::Budget, "an array of many arrays");
                Err(super::Dead)
            }
            None => self.some_nested_arrays(frame, component, array, *length, inner),
        }
    }

    /// As many inner arrays as loops are followed turns; what has more is not followed.
    fn some_nested_arrays(
        &mut self,
        frame: &mut Frame<'_>,
        component: Type,
        array: Term,
        length: Term,
        inner: &[Term],
    ) -> Live<Term> {
        let most = self.budget.unroll;
        let bound = self.space.terms.int(most as i32);
        let is_more = self.space.terms.ult(bound, length);
        let mut longer = frame.state.clone();
        self.assume(&mut longer, is_more);
        self.stop(&longer, StopKind::Unwound, "an array of arrays of unknown length");
        let is_followed = self.space.terms.not(is_more);
        self.assume(&mut frame.state, is_followed);
        let null = self.zero(Kind::Ref);
        for index in 0..most {
            let nested = self.nested_array(frame, component, inner)?;
            let index = self.space.terms.int(index as i32);
            let is_inside = self.space.terms.ult(index, length);
            let nested = self.space.terms.ite(is_inside, nested, null);
            self.write_element(&mut frame.state, ArrayKind::Ref, array, index, nested);
        }
        Ok(array)
    }

    pub(super) fn checked_length(&mut self, frame: &mut Frame<'_>, array: Term) -> Live<Term> {
        match self.length(&frame.state, array) {
            Some(length) => Ok(length),
            None => self.too_many_objects(frame),
        }
    }

    pub(super) fn check_index(
        &mut self,
        frame: &mut Frame<'_>,
        array: Term,
        index: Term,
    ) -> Live<()> {
        self.check_null(frame, array)?;
        let length = self.checked_length(frame, array)?;
        let inside = self.space.terms.ult(index, length);
        let outside = self.space.terms.not(inside);
        self.throw_if(frame, outside, OUT_OF_BOUNDS)
    }

    fn store(
        &mut self,
        frame: &mut Frame<'_>,
        kind: ArrayKind,
        array: Term,
        index: Term,
        value: Term,
    ) -> Live<Option<Term>> {
        self.check_index(frame, array, index)?;
        if kind == ArrayKind::Ref {
            match self.fits_into(frame, array, value) {
                Some(fits) => {
                    let misfit = self.space.terms.not(fits);
                    self.throw_if(frame, misfit, "java/lang/ArrayStoreException")?;
                }
                None => return self.too_many_objects(frame),
            }
        }
        match self.write_element(&mut frame.state, kind, array, index, value) {
            Some(()) => Ok(None),
            None => self.too_many_objects(frame),
        }
    }

    /// Whether the array takes the value: its runtime component type decides.
    fn fits_into(&mut self, frame: &Frame<'_>, array: Term, value: Term) -> Option<Term> {
        let is_null = self.space.is_null(value);
        if frame.state.path.decide(&self.space, is_null) == Some(true) {
            return Some(self.space.terms.bool(true));
        }
        let arrays = self.space.leaves(array)?;
        let mut cases = Vec::new();
        for &(guard, leaf) in arrays.iter() {
            let fits = match leaf {
                Leaf::Null => continue,
                Leaf::Fresh(object) => {
                    let ty = self.numbered_type(self.space.fresh[object as usize].class)?;
                    self.is_instance(value, ty.component()?)?
                }
                Leaf::Input(key) => {
                    let known = self.known_array_type(key).and_then(Type::component);
                    match known {
                        Some(component) if self.is_exact(component) == Some(true) => {
                            self.is_instance(value, component)?
                        }
                        Some(_) | None => {
                            self.say_what_fits(key);
                            self.fits(leaf, value)?
                        }
                    }
                }
            };
            cases.push((guard, fits));
        }
        let fits = match self.space.choose(&cases) {
            Some(fits) => fits,
            None => self.space.terms.bool(true),
        };
        Some(self.space.terms.or2(is_null, fits))
    }

    /// Whether an array of a class takes objects of another.
    fn fits(&mut self, array: Leaf, value: Term) -> Option<Term> {
        let class = self.class_of_leaf(array);
        let held = self.class_of(value)?;
        Some(self.space.apply("fits", &[class, held], smt::Sort::Bool))
    }

    /// Keeps in mind what was in an array whose type is not known to the last: it fits there.
    fn note_loaded(&mut self, state: &super::State, array: Term, value: Term) {
        let Some(arrays) = self.space.leaves(array) else { return };
        for &(guard, leaf) in arrays.iter() {
            if let Leaf::Input(key) = leaf
                && self.loaded.len() < MOST_LOADED
            {
                let path = state.path.term(&mut self.space.terms);
                let guard = self.space.terms.and2(path, guard);
                self.loaded.push((key, guard, value));
            }
        }
    }

    /// What was read of an array fits into it: nothing else can be there.
    fn say_what_fits(&mut self, array: Term) {
        let (about, others) =
            std::mem::take(&mut self.loaded).into_iter().partition(|it| it.0 == array);
        self.loaded = others;
        let about: Vec<(Term, Term, Term)> = about;
        for (key, guard, value) in about {
            let Some(fits) = self.fits(Leaf::Input(key), value) else { continue };
            let is_null = self.space.is_null(value);
            let fine = self.space.terms.or2(is_null, fits);
            let fact = self.space.terms.implies(guard, fine);
            self.space.assume(fact);
        }
    }

    pub(super) fn resolve_field(&mut self, frame: &Frame<'_>, field: FieldRef) -> Live<FieldId> {
        match self.program.resolve_field(field.class, field.name, field.descriptor) {
            Resolution::Found(id) => Ok(id),
            Resolution::MissingClass(name) => {
                let text = self.program.class_text(name);
                self.unsupported(&frame.state, format!("missing class {text}"))
            }
            Resolution::NoSuchMember => {
                let text = self.program.names.text(field.name);
                self.unsupported(&frame.state, format!("a missing field {text}"))
            }
        }
    }

    pub(super) fn check_cast(&mut self, frame: &mut Frame<'_>, value: Term, ty: Type) -> Live<()> {
        let is_null = self.space.is_null(value);
        if frame.state.path.decide(&self.space, is_null) == Some(true) {
            return Ok(());
        }
        let Some(fits) = self.is_instance(value, ty) else {
            let text = ty.display(&self.program.names);
            return self.unsupported(&frame.state, format!("a cast to {text}"));
        };
        let fine = self.space.terms.or2(is_null, fits);
        let misfit = self.space.terms.not(fine);
        self.throw_if(frame, misfit, "java/lang/ClassCastException")
    }

    pub(super) fn instance_test(&mut self, frame: &Frame<'_>, value: Term, ty: Type) -> Live<Term> {
        self.note_tested(ty);
        let is_null = self.space.is_null(value);
        let Some(fits) = self.is_instance(value, ty) else {
            let text = ty.display(&self.program.names);
            return self.unsupported(&frame.state, format!("instanceof {text}"));
        };
        let not_null = self.space.terms.not(is_null);
        let holds = self.space.terms.and2(not_null, fits);
        Ok(self.boolean(holds))
    }

    /// A condition as an int.
    pub(super) fn boolean(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.space.terms.int(1), self.space.terms.int(0));
        self.space.terms.ite(condition, one, zero)
    }
}

/// What instructions call the elements of an array with this component type.
pub(super) fn array_kind(component: Type) -> ArrayKind {
    match (component.element, component.dimensions, component.kind()) {
        (program::Element::Primitive(primitive), 0, _) => match primitive {
            Primitive::Boolean | Primitive::Byte => ArrayKind::ByteOrBoolean,
            Primitive::Char => ArrayKind::Char,
            Primitive::Short => ArrayKind::Short,
            Primitive::Int => ArrayKind::Int,
            Primitive::Long => ArrayKind::Long,
            Primitive::Float => ArrayKind::Float,
            Primitive::Double => ArrayKind::Double,
        },
        (program::Element::Primitive(_) | program::Element::Class(_), _, Kind::Ref) => {
            ArrayKind::Ref
        }
        (_, _, Kind::Int | Kind::Long | Kind::Float | Kind::Double) => ArrayKind::Ref,
    }
}
