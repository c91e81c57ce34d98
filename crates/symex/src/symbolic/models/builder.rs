//! StringBuilder and StringBuffer by what they hold: a text that methods replace.
//!
//! Their own code is never run, since what it keeps in its arrays is not there: a method that has no model
//! here is a call to the outside.

use program::{Element, Kind, MethodDescriptor, MethodId, Primitive, Type};
use smt::{Sort, Term};

use super::Area;
use crate::symbolic::calls::returned;
use crate::symbolic::space::Leaf;
use crate::symbolic::{Engine, Outcome, State};

pub(super) const CLASSES: &[&str] =
    &["java/lang/StringBuilder", "java/lang/StringBuffer", "java/lang/AbstractStringBuilder"];

const OUT_OF_BOUNDS: &str = "java/lang/StringIndexOutOfBoundsException";

pub(super) const AREAS: &[Area] = &[
    ("java/lang/StringBuilder", METHODS),
    ("java/lang/StringBuffer", METHODS),
    ("java/lang/AbstractStringBuilder", METHODS),
];

const METHODS: &[(&str, &str, super::Model)] = &[
    ("<init>", "", new),
    ("append", "", append),
    ("insert", "", insert),
    ("toString", "", to_string),
    ("length", "", length),
    ("charAt", "", char_at),
    ("substring", "", substring),
    ("subSequence", "", substring),
    ("setLength", "", set_length),
    ("setCharAt", "", at_index),
    ("deleteCharAt", "", at_index),
    ("delete", "", delete),
    ("reverse", "", change),
    ("indexOf", "(Ljava/lang/String;)I", search),
    ("lastIndexOf", "(Ljava/lang/String;)I", search),
    ("ensureCapacity", "", make_room),
    ("trimToSize", "", make_room),
];

/// What a comparison of builders rests on: only what they hold is known of them.
pub(in crate::symbolic) const CAPACITY: &str = "nobody asks a StringBuilder for its capacity";

fn make_room(engine: &mut Engine<'_>, _: MethodId, _: &[Term], state: &State) -> Option<Outcome> {
    engine.assumptions.insert(CAPACITY.to_owned());
    Some(returned(state.clone(), None))
}

fn new(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let types = engine.parameter_types(method)?;
    let empty = engine.text_constant(&[]);
    let string = Type::class(engine.program.known.string);
    match (&types[..], arguments) {
        (&[], &[builder]) => engine.hold(state, builder, empty, None),
        (&[ty], &[builder, capacity]) if ty.kind() == Kind::Int => {
            let zero = engine.space.terms.int(0);
            let fine = engine.space.terms.sle(zero, capacity);
            let class = "java/lang/NegativeArraySizeException";
            let outcome = engine.guarded(fine, class, state, None);
            engine.then_hold(outcome, builder, empty, None)
        }
        (&[ty], &[builder, text]) if ty == string => {
            let held = engine.text(state, text)?;
            let is_null = engine.space.is_null(text);
            let fine = engine.space.terms.not(is_null);
            let outcome = engine.guarded(fine, "java/lang/NullPointerException", state, None);
            engine.then_hold(outcome, builder, held, None)
        }
        _ => None,
    }
}

fn append(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let types = engine.parameter_types(method)?;
    let (&[ty], &[builder, value]) = (&types[..], arguments) else { return None };
    engine.with_text(ty, value, state, &mut |engine, state, added| {
        let before = engine.built(&state, builder)?;
        let text = engine.concat_texts(before, added);
        engine.hold(&state, builder, text, Some(builder))
    })
}

fn insert(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let types = engine.parameter_types(method)?;
    let (&[_, ty], &[builder, offset, value]) = (&types[..], arguments) else { return None };
    engine.with_text(ty, value, state, &mut |engine, state, added| {
        let before = engine.built(&state, builder)?;
        let length = engine.text_length(before);
        let zero = engine.space.terms.int(0);
        let (above, below) =
            (engine.space.terms.sle(zero, offset), engine.space.terms.sle(offset, length));
        let fine = engine.space.terms.and2(above, below);
        let head = engine.part_of_text(before, zero, offset);
        let tail = engine.part_of_text(before, offset, length);
        let text = engine.concat_texts(head, added);
        let text = engine.concat_texts(text, tail);
        let outcome = engine.guarded(fine, OUT_OF_BOUNDS, &state, None);
        engine.then_hold(outcome, builder, text, Some(builder))
    })
}

fn to_string(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.built(state, arguments[0])?;
    let mut state = state.clone();
    let string = engine.new_string(&mut state, text);
    Some(returned(state, Some(string)))
}

fn length(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.built(state, arguments[0])?;
    let length = engine.text_length(text);
    Some(returned(state.clone(), Some(length)))
}

fn char_at(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.built(state, arguments[0])?;
    let length = engine.text_length(text);
    let inside = engine.space.terms.ult(arguments[1], length);
    let unit = engine.text_unit(text, arguments[1]);
    Some(engine.guarded(inside, OUT_OF_BOUNDS, state, Some(unit)))
}

fn substring(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.built(state, arguments[0])?;
    let length = engine.text_length(text);
    let end = arguments.get(2).copied().unwrap_or(length);
    let fine = engine.is_range(arguments[1], end, length);
    let part = engine.part_of_text(text, arguments[1], end);
    let mut outcome = engine.guarded(fine, OUT_OF_BOUNDS, state, None);
    if let Some((state, value)) = &mut outcome.returned {
        *value = Some(engine.new_string(state, part));
    }
    Some(outcome)
}

fn set_length(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[builder, length] = arguments else { return None };
    let before = engine.built(state, builder)?;
    let text = match engine.space.terms.as_const(length) {
        Some(0) => engine.text_constant(&[]),
        Some(_) | None => engine.changed(method, &[before, length]),
    };
    let zero = engine.space.terms.int(0);
    let fine = engine.space.terms.sle(zero, length);
    let outcome = engine.guarded(fine, OUT_OF_BOUNDS, state, None);
    engine.then_hold(outcome, builder, text, None)
}

/// `setCharAt`, which returns nothing, and `deleteCharAt`.
fn at_index(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (&builder, &index) = (arguments.first()?, arguments.get(1)?);
    let before = engine.built(state, builder)?;
    let length = engine.text_length(before);
    let inside = engine.space.terms.ult(index, length);
    let zero = engine.space.terms.int(0);
    let one = engine.space.terms.int(1);
    let next = engine.space.terms.add(index, one);
    let mut text = engine.part_of_text(before, zero, index);
    if let Some(&unit) = arguments.get(2) {
        let unit = engine.text_of_primitive(Primitive::Char, unit)?;
        text = engine.concat_texts(text, unit);
    }
    let tail = engine.part_of_text(before, next, length);
    let text = engine.concat_texts(text, tail);
    let result = engine.result_type(method).map(|_| builder);
    let outcome = engine.guarded(inside, OUT_OF_BOUNDS, state, None);
    engine.then_hold(outcome, builder, text, result)
}

fn delete(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[builder, start, end] = arguments else { return None };
    let before = engine.built(state, builder)?;
    let length = engine.text_length(before);
    let beyond = engine.space.terms.slt(length, end);
    let end = engine.space.terms.ite(beyond, length, end);
    let fine = engine.is_range(start, end, length);
    let zero = engine.space.terms.int(0);
    let head = engine.part_of_text(before, zero, start);
    let tail = engine.part_of_text(before, end, length);
    let text = engine.concat_texts(head, tail);
    let outcome = engine.guarded(fine, OUT_OF_BOUNDS, state, None);
    engine.then_hold(outcome, builder, text, Some(builder))
}

/// A method that only looks at the text and puts another in its place.
fn change(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[builder] = arguments else { return None };
    let before = engine.built(state, builder)?;
    let text = engine.changed(method, &[before]);
    engine.hold(state, builder, text, Some(builder))
}

fn search(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (held, wanted) = (engine.built(state, arguments[0])?, engine.text(state, arguments[1])?);
    let name = format!("text {}", engine.method_text(method));
    let found = engine.stand_in(method, &name, &[held, wanted], Sort::BitVec(32));
    let is_null = engine.space.is_null(arguments[1]);
    let fine = engine.space.terms.not(is_null);
    Some(engine.guarded(fine, "java/lang/NullPointerException", state, Some(found)))
}

impl Engine<'_> {
    /// What a builder holds.
    pub(in crate::symbolic) fn built(&mut self, state: &State, builder: Term) -> Option<Term> {
        let place = self.built_place();
        self.read_field(state, place, builder)
    }

    fn hold(
        &mut self,
        state: &State,
        builder: Term,
        text: Term,
        result: Option<Term>,
    ) -> Option<Outcome> {
        let place = self.built_place();
        let mut state = state.clone();
        self.write_field(&mut state, place, builder, text)?;
        Some(returned(state, result))
    }

    fn then_hold(
        &mut self,
        mut outcome: Outcome,
        builder: Term,
        text: Term,
        result: Option<Term>,
    ) -> Option<Outcome> {
        let place = self.built_place();
        if let Some((state, value)) = &mut outcome.returned {
            self.write_field(state, place, builder, text)?;
            *value = result;
        }
        Some(outcome)
    }

    /// The text that a method of builders makes of this one.
    fn changed(&mut self, method: MethodId, arguments: &[Term]) -> Term {
        let name = format!("built {}", self.method_text(method));
        self.stand_in(method, &name, arguments, Sort::BitVec(32))
    }

    pub(in crate::symbolic) fn parameter_types(&self, method: MethodId) -> Option<Vec<Type>> {
        let (_, declared) = self.program.method(method);
        let names = &self.program.names;
        Some(MethodDescriptor::parse(names.bytes(declared.descriptor))?.parameter_types(names))
    }

    pub(in crate::symbolic) fn result_type(&self, method: MethodId) -> Option<Type> {
        let (_, declared) = self.program.method(method);
        let names = &self.program.names;
        MethodDescriptor::parse(names.bytes(declared.descriptor))?.result_type(names)
    }

    /// Goes on with the text that `String.valueOf` has for a value; of an object, what its `toString`
    /// gives, which may throw.
    pub(in crate::symbolic) fn with_text(
        &mut self,
        ty: Type,
        value: Term,
        state: &State,
        then: &mut dyn FnMut(&mut Self, State, Term) -> Option<Outcome>,
    ) -> Option<Outcome> {
        if let (Element::Primitive(primitive), 0) = (ty.element, ty.dimensions) {
            let text = self.text_of_primitive(primitive, value)?;
            return then(self, state.clone(), text);
        }
        let null = self.text_constant(&[110, 117, 108, 108]);
        let is_null = self.space.is_null(value);
        let string = Type::class(self.program.known.string);
        let is_sequence = self.program.names.bytes(match ty.element {
            Element::Class(name) if ty.dimensions == 0 => name,
            Element::Class(_) | Element::Primitive(_) => return None,
        }) != b"java/lang/Object";
        let leaves = self.space.leaves(value)?;
        let is_text = |engine: &mut Self, leaf: Leaf| {
            leaf == Leaf::Null || ty == string || engine.leaf_type(leaf) == Some(string)
        };
        if leaves.iter().all(|&(_, leaf)| is_text(self, leaf)) {
            let text = self.text(state, value)?;
            let text = self.space.terms.ite(is_null, null, text);
            return then(self, state.clone(), text);
        }
        if is_sequence {
            return None;
        }
        self.with_text_of_object(value, state, then)
    }

    fn with_text_of_object(
        &mut self,
        value: Term,
        state: &State,
        then: &mut dyn FnMut(&mut Self, State, Term) -> Option<Outcome>,
    ) -> Option<Outcome> {
        let null = self.text_constant(&[110, 117, 108, 108]);
        let is_null = self.space.is_null(value);
        let mut outcome = Outcome::default();
        if state.path.decide(&self.space, is_null) != Some(false) {
            let mut here = state.clone();
            here.path = here.path.and(&self.space.terms, is_null);
            let one = then(self, here, null)?;
            self.join(&mut outcome, one);
        }
        let not_null = self.space.terms.not(is_null);
        if state.path.decide(&self.space, not_null) == Some(false) {
            return Some(outcome);
        }
        let mut here = state.clone();
        here.path = here.path.and(&self.space.terms, not_null);
        let reference = self.method_ref("java/lang/Object", "toString", "()Ljava/lang/String;");
        let program = self.program;
        let method = program
            .resolve_method(reference.class, reference.name, reference.descriptor)
            .found()?;
        let called = self.invoke_virtual(method, vec![value], here);
        if let Some((state, exception)) = called.thrown {
            self.merge_thrown(&mut outcome, state, exception);
        }
        if let Some((state, Some(said))) = called.returned {
            let text = self.text(&state, said)?;
            let is_null = self.space.is_null(said);
            let text = self.space.terms.ite(is_null, null, text);
            let one = then(self, state, text)?;
            self.join(&mut outcome, one);
        }
        Some(outcome)
    }

    /// The runtime type of an object, where it is known.
    fn leaf_type(&mut self, leaf: Leaf) -> Option<Type> {
        let class = self.class_of_leaf(leaf);
        let number = self.space.terms.as_const(class)?;
        self.numbered_type(number as u32)
    }
}
