//! Boxes, bit conversions and mathematical functions.

use program::{Element, MethodDescriptor, MethodId, Type};
use smt::{Sort, Term};

use super::Area;
use crate::symbolic::calls::returned;
use crate::symbolic::space::FreshKind;
use crate::symbolic::{Engine, Outcome, State, StopKind};

pub(super) const AREAS: &[Area] = &[
    ("java/lang/Integer", &[("valueOf", "(I)Ljava/lang/Integer;", value_of)]),
    ("java/lang/Short", &[("valueOf", "(S)Ljava/lang/Short;", value_of)]),
    ("java/lang/Byte", &[("valueOf", "(B)Ljava/lang/Byte;", value_of)]),
    ("java/lang/Long", &[("valueOf", "(J)Ljava/lang/Long;", value_of)]),
    ("java/lang/Character", &[("valueOf", "(C)Ljava/lang/Character;", value_of)]),
    (
        "java/lang/Float",
        &[
            ("floatToRawIntBits", "", to_bits),
            ("floatToIntBits", "", to_bits),
            ("intBitsToFloat", "", from_bits),
        ],
    ),
    (
        "java/lang/Double",
        &[
            ("doubleToRawLongBits", "", to_bits),
            ("doubleToLongBits", "", to_bits),
            ("longBitsToDouble", "", from_bits),
        ],
    ),
    ("java/lang/Math", FUNCTIONS),
    ("java/lang/StrictMath", FUNCTIONS),
];

const FUNCTIONS: &[(&str, &str, super::Model)] = &[
    ("abs", "(F)F", abs),
    ("abs", "(D)D", abs),
    ("floor", "", function),
    ("ceil", "", function),
    ("rint", "", function),
    ("sqrt", "", sqrt),
    ("sin", "", function),
    ("cos", "", function),
    ("tan", "", function),
    ("asin", "", function),
    ("acos", "", function),
    ("atan", "", function),
    ("atan2", "", function),
    ("sinh", "", function),
    ("cosh", "", function),
    ("tanh", "", function),
    ("exp", "", function),
    ("expm1", "", function),
    ("log", "", function),
    ("log10", "", function),
    ("log1p", "", function),
    ("pow", "", function),
    ("cbrt", "", function),
    ("hypot", "", function),
    ("IEEEremainder", "", function),
    // Their code looks at raw bits, but of any NaN they say the same.
    ("round", "", function),
    ("getExponent", "", function),
    ("ulp", "", function),
    ("nextUp", "", function),
    ("nextDown", "", function),
    ("nextAfter", "", function),
    ("scalb", "", function),
    ("fma", "", function),
    ("copySign", "", copy_sign),
];

/// The bits of a number. All NaN are one here, so that the raw bits of what may be a NaN are not known.
fn to_bits(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (_, declared) = engine.program.method(method);
    let is_raw = engine.program.names.text(declared.name).contains("Raw");
    let is_open = is_raw && engine.space.terms.as_const(arguments[0]).is_none();
    let state =
        if is_open { engine.where_number(state, arguments[0]) } else { Some(state.clone()) };
    let Some(state) = state else { return Some(Outcome::default()) };
    let bits = engine.space.terms.float_to_bits(arguments[0]);
    Some(returned(state, Some(bits)))
}

fn from_bits(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let value = engine.space.terms.bits_to_float(arguments[0]);
    Some(returned(state.clone(), Some(value)))
}

/// Without a sign: the library clears it in the raw bits, also those of a NaN, which stays one.
fn abs(engine: &mut Engine<'_>, _: MethodId, arguments: &[Term], state: &State) -> Option<Outcome> {
    let value = engine.space.terms.float_abs(arguments[0]);
    Some(returned(state.clone(), Some(value)))
}

/// The sign of a NaN is the affair of `Math`; `StrictMath` takes it for positive. The size of one stays one.
fn copy_sign(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[size, sign] = arguments else { return None };
    let (class, _) = engine.program.method(method);
    let is_strict = engine.program.names.bytes(class.name) == b"java/lang/StrictMath";
    let state = if is_strict { Some(state.clone()) } else { engine.where_number(state, sign) };
    let Some(state) = state else { return Some(Outcome::default()) };
    let terms = &mut engine.space.terms;
    let bits = terms.float_to_bits(sign);
    let zero = terms.bitvec(terms.sort(bits).width(), 0);
    let is_below = terms.slt(bits, zero);
    let is_nan = terms.is_nan(sign);
    let is_number = terms.not(is_nan);
    let is_negative = terms.and2(is_number, is_below);
    let positive = terms.float_abs(size);
    let negative = terms.float_neg(positive);
    let value = terms.ite(is_negative, negative, positive);
    Some(returned(state, Some(value)))
}

fn sqrt(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let value = engine.space.terms.float_sqrt(arguments[0]);
    Some(returned(state.clone(), Some(value)))
}

/// A function of its arguments and nothing else.
fn function(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (_, declared) = engine.program.method(method);
    let names = &engine.program.names;
    let text = names.text(declared.name).into_owned();
    let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
    let sort = Engine::kind_sort(descriptor.result_kind()?);
    let value = engine.stand_in(method, &format!("Math.{text}"), arguments, sort);
    Some(returned(state.clone(), Some(value)))
}

/// Small values share a box, others get one of their own.
fn value_of(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (class, declared) = engine.program.method(method);
    let names = &engine.program.names;
    let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
    let parameter = descriptor.parameter_types(names).first().copied()?;
    let Element::Primitive(_) = parameter.element else { return None };
    let letter = names.bytes(declared.descriptor)[1];
    let field = class.declared_field(names.intern(b"value"), names.intern(&[letter]))?;
    let (class_name, number) = (class.name, Type::class(class.name));
    let text = engine.program.class_text(class_name);
    let number = engine.type_number(number);
    engine.type_constant(number);
    let value = arguments[0];
    let place = engine.field_place(field);

    let key = engine.space.apply(&format!("{text} of"), &[value], Sort::BitVec(31));
    engine.describe_box(key, number, place, value)?;
    let shared = engine.space.input(key);

    let is_small = engine.is_small(value);
    let mut state = state.clone();
    let fresh = engine.space.allocate(number, FreshKind::Object);
    engine.write_field(&mut state, place, fresh, value)?;
    let result = engine.space.terms.ite(is_small, shared, fresh);
    Some(returned(state, Some(result)))
}

impl Engine<'_> {
    /// The state where a float is a number; where it is none, what its raw bits are is not known.
    fn where_number(&mut self, state: &State, float: Term) -> Option<State> {
        let mut state = state.clone();
        if state.path.compares(&self.space.terms, float) {
            return Some(state);
        }
        let is_nan = self.space.terms.is_nan(float);
        let known = state.path.decide(&self.space, is_nan);
        if known != Some(false) {
            let mut nan = state.clone();
            self.assume(&mut nan, is_nan);
            self.stop(&nan, StopKind::Unsupported, "the raw bits of a NaN");
        }
        let is_number = self.space.terms.not(is_nan);
        self.assume(&mut state, is_number);
        (known != Some(true)).then_some(state)
    }

    fn is_small(&mut self, value: Term) -> Term {
        let width = self.space.terms.sort(value).width();
        let terms = &mut self.space.terms;
        let low = terms.bitvec(width, (-128i64) as u64 & mask(width));
        let high = terms.bitvec(width, 127);
        let (above, below) = (terms.sle(low, value), terms.sle(value, high));
        terms.and2(above, below)
    }

    /// The shared box is an object of the class that holds the value, wherever the value is small.
    fn describe_box(&mut self, key: Term, number: u32, place: u32, value: Term) -> Option<()> {
        let is_small = self.is_small(value);
        let class = self.class_of_leaf(crate::symbolic::Leaf::Input(key));
        let wanted = self.type_constant(number);
        let zero = self.space.terms.bitvec(31, 0);
        let not_null = self.space.terms.ne(key, zero);
        let is_box = self.space.terms.eq(class, wanted);
        let start = self.start();
        let held = self.read_leaf(&start, place, crate::symbolic::Leaf::Input(key));
        let holds = self.space.terms.eq(held, value);
        let all = self.space.terms.and(&[not_null, is_box, holds]);
        let fact = self.space.terms.implies(is_small, all);
        self.space.assume(fact);
        // It is met where the value is small, and nowhere else.
        self.boxes.insert(key, (place, value));
        self.exact_types.insert(key, number);
        self.space.note_not_null(key);
        Some(())
    }
}

fn mask(width: u32) -> u64 {
    if width == 64 { u64::MAX } else { (1 << width) - 1 }
}
