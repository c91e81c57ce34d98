//! BigInteger and BigDecimal by what they say: the text that `toString` has for them.
//!
//! The library documents that text as canonical: two numbers are equal (of a BigDecimal: in value and scale) if
//! and only if their texts are. So a number is the text of its object, everything that depends on nothing else
//! is a function of texts, and numbers that are known are computed by the library's own code in the concrete
//! machine. `compareTo` is an order of its own: of BigInteger as fine as `equals`, of BigDecimal coarser.
//!
//! The classes are not final. A model answers only for objects of this very class, whose methods read nothing but
//! each other's numbers; others are calls to the outside. The numbers never change, but which object holds a
//! result is decided by the numbers: an operand, one that the library keeps, or a new one.
//!
//! Their own code is never run: what it keeps in its fields is not there.

use program::{Kind, MethodId, Type};
use smt::{Sort, Term};

use super::Area;
use crate::symbolic::calls::returned;
use crate::symbolic::space::{FreshKind, KEY};
use crate::symbolic::{Engine, Outcome, State};

pub(super) const INTEGER: &str = "java/math/BigInteger";
pub(super) const DECIMAL: &str = "java/math/BigDecimal";
pub(super) const CLASSES: &[&str] = &[INTEGER, DECIMAL];

const ARITHMETIC: &str = "java/lang/ArithmeticException";
const FORMAT: &str = "java/lang/NumberFormatException";

pub(super) const AREAS: &[Area] = &[
    (
        INTEGER,
        &[
            ("<init>", "(Ljava/lang/String;)V", spelled),
            ("<init>", "(Ljava/lang/String;I)V", spelled),
            ("valueOf", "(J)Ljava/math/BigInteger;", value_of),
            ("equals", "", equals),
            ("hashCode", "", total),
            ("compareTo", "(Ljava/math/BigInteger;)I", compare_to),
            ("toString", "()Ljava/lang/String;", to_string),
            ("signum", "", signum),
            ("intValue", "", low_bits),
            ("longValue", "", low_bits),
            ("floatValue", "", total),
            ("doubleValue", "", total),
            ("bitLength", "", total),
            ("bitCount", "", total),
            ("getLowestSetBit", "", total),
            ("testBit", "", partial),
            ("intValueExact", "", partial),
            ("longValueExact", "", partial),
            ("shortValueExact", "", partial),
            ("byteValueExact", "", partial),
            ("add", "(Ljava/math/BigInteger;)Ljava/math/BigInteger;", commuting),
            ("multiply", "(Ljava/math/BigInteger;)Ljava/math/BigInteger;", commuting),
            ("gcd", "", commuting),
            ("and", "", commuting),
            ("or", "", commuting),
            ("xor", "", commuting),
            ("min", "", commuting),
            ("max", "", commuting),
            ("subtract", "", total),
            ("andNot", "", total),
            ("negate", "", total),
            ("abs", "", total),
            ("not", "", total),
            ("divide", "", partial),
            ("remainder", "", partial),
            ("mod", "", partial),
            ("pow", "", partial),
            ("modInverse", "", partial),
            ("sqrt", "", partial),
            ("shiftLeft", "", partial),
            ("shiftRight", "", partial),
            ("setBit", "", partial),
            ("clearBit", "", partial),
            ("flipBit", "", partial),
        ],
    ),
    (
        DECIMAL,
        &[
            ("<init>", "(Ljava/lang/String;)V", spelled),
            ("<init>", "(D)V", spelled),
            ("<init>", "(I)V", spelled),
            ("<init>", "(J)V", spelled),
            ("<init>", "(Ljava/math/BigInteger;)V", spelled),
            ("<init>", "(Ljava/math/BigInteger;I)V", spelled),
            ("valueOf", "(J)Ljava/math/BigDecimal;", value_of),
            ("valueOf", "(JI)Ljava/math/BigDecimal;", total),
            ("valueOf", "(D)Ljava/math/BigDecimal;", decimal_of_double),
            ("equals", "", equals),
            ("hashCode", "", total),
            ("compareTo", "(Ljava/math/BigDecimal;)I", compare_to),
            ("toString", "", kept_string),
            ("signum", "", signum),
            ("scale", "", total),
            ("precision", "", total),
            ("intValue", "", low_bits),
            ("longValue", "", low_bits),
            ("floatValue", "", total),
            ("doubleValue", "", total),
            ("intValueExact", "", partial),
            ("longValueExact", "", partial),
            ("shortValueExact", "", partial),
            ("byteValueExact", "", partial),
            ("add", "(Ljava/math/BigDecimal;)Ljava/math/BigDecimal;", commuting),
            ("multiply", "(Ljava/math/BigDecimal;)Ljava/math/BigDecimal;", commuting),
            ("subtract", "(Ljava/math/BigDecimal;)Ljava/math/BigDecimal;", total),
            ("negate", "()Ljava/math/BigDecimal;", total),
            ("abs", "()Ljava/math/BigDecimal;", total),
            ("plus", "()Ljava/math/BigDecimal;", total),
            ("min", "", total),
            ("max", "", total),
            ("stripTrailingZeros", "", stripped),
            ("divide", "(Ljava/math/BigDecimal;)Ljava/math/BigDecimal;", partial),
            (
                "divide",
                "(Ljava/math/BigDecimal;Ljava/math/RoundingMode;)Ljava/math/BigDecimal;",
                partial,
            ),
            (
                "divide",
                "(Ljava/math/BigDecimal;ILjava/math/RoundingMode;)Ljava/math/BigDecimal;",
                partial,
            ),
            ("remainder", "(Ljava/math/BigDecimal;)Ljava/math/BigDecimal;", partial),
            ("divideToIntegralValue", "(Ljava/math/BigDecimal;)Ljava/math/BigDecimal;", partial),
            ("setScale", "(I)Ljava/math/BigDecimal;", partial),
            ("setScale", "(ILjava/math/RoundingMode;)Ljava/math/BigDecimal;", partial),
            ("pow", "(I)Ljava/math/BigDecimal;", partial),
            ("movePointLeft", "", partial),
            ("movePointRight", "", partial),
            ("scaleByPowerOfTen", "", partial),
        ],
    ),
];

/// A new number from a text, from another number or from one of the JVM's.
fn spelled(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let types = engine.parameter_types(method)?;
    let operands = engine.operands(&types, &arguments[1..], state)?;
    let integer = engine.class_type(INTEGER);
    let number = match (&types[..], &operands.keyed[..]) {
        (&[ty], &[word]) if ty.kind() == Kind::Int => {
            let wide = engine.space.terms.sign_extend(word, 64);
            engine.number_of_long(DECIMAL, wide)?
        }
        (&[ty], &[word]) if ty.kind() == Kind::Long => engine.number_of_long(DECIMAL, word)?,
        (&[ty], &[number]) if ty == integer => number,
        (_, keyed) => engine.number_function(method, keyed, Sort::BitVec(32)),
    };
    let string = Type::class(engine.program.known.string);
    let refuses = |ty: &Type| *ty == string || ty.kind() == Kind::Double;
    let class = types.first().is_some_and(refuses).then_some(FORMAT);
    let mut outcome = engine.where_defined(method, &operands, class, state);
    if let Some((state, _)) = &mut outcome.returned {
        let object =
            engine.space.is_fresh(arguments[0]).then(|| engine.space.number_of(arguments[0]))?;
        engine.space.fresh[object as usize].kind = FreshKind::Implicit;
        let place = engine.text_place();
        state.heap.write_fresh(place, object, number);
    }
    Some(outcome)
}

fn value_of(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let number = engine.number_of_long(engine.owner(method), arguments[0])?;
    let mut state = state.clone();
    let object = engine.number_object(method, number, arguments, &[], &mut state)?;
    Some(returned(state, Some(object)))
}

fn decimal_of_double(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    engine.apply_numbers(method, arguments, state, Some(FORMAT), false)
}

/// Of objects of any class: of a number, its own text is all that is asked.
fn equals(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (class, _) = engine.program.method(method);
    let (id, ty) = (class.id, Type::class(class.name));
    engine.check_exact(id, arguments[0], state)?;
    let fits = engine.is_instance(arguments[1], ty)?;
    let is_null = engine.space.is_null(arguments[1]);
    let not_null = engine.space.terms.not(is_null);
    let (one, two) = (engine.number(state, arguments[0])?, engine.number(state, arguments[1])?);
    let same = engine.same_numbers(one, two);
    let holds = engine.space.terms.and(&[not_null, fits, same]);
    let value = engine.boolean(holds);
    Some(returned(state.clone(), Some(value)))
}

fn compare_to(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let operands = engine.all_operands(method, arguments, state)?;
    let &[one, two] = &operands.keyed[..] else { return None };
    let value = engine.compared_numbers(method, one, two);
    let mut outcome = engine.where_defined(method, &operands, None, state);
    if let Some((_, result)) = &mut outcome.returned {
        *result = Some(value);
    }
    Some(outcome)
}

fn signum(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let operands = engine.all_operands(method, arguments, state)?;
    let zero = engine.text_constant(&[u16::from(b'0')]);
    let owner = engine.owner(method);
    let compare = engine.number_method(owner, "compareTo", &format!("(L{owner};)I"))?;
    let value = engine.compared_numbers(compare, operands.keyed[0], zero);
    Some(returned(state.clone(), Some(value)))
}

/// The string is new, but for zero.
fn to_string(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let operands = engine.all_operands(method, arguments, state)?;
    let zero = engine.text_object(&[u16::from(b'0')]);
    let zero_text = engine.text_constant(&[u16::from(b'0')]);
    let is_zero = engine.space.terms.eq(operands.keyed[0], zero_text);
    let mut state = state.clone();
    let string = engine.new_string(&mut state, operands.keyed[0]);
    let string = engine.space.terms.ite(is_zero, zero, string);
    Some(returned(state, Some(string)))
}

/// A string that the object keeps.
fn kept_string(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let operands = engine.all_operands(method, arguments, state)?;
    let string = Type::class(engine.program.known.string);
    // Of two runs, an object of one may have the address of another's.
    let kept = [arguments[0], operands.keyed[0]];
    let key = engine.space.apply("string of number", &kept, KEY);
    let object = engine.known_object(key, string, operands.keyed[0], None);
    Some(returned(state.clone(), Some(object)))
}

/// Of a long, that long; else a function.
fn low_bits(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let operands = engine.all_operands(method, arguments, state)?;
    let width = Engine::kind_sort(engine.result_type(method)?.kind()).width();
    match engine.as_long(operands.keyed[0]) {
        Some(word) => {
            let low = engine.space.terms.extract(width - 1, 0, word);
            Some(returned(state.clone(), Some(low)))
        }
        None => total(engine, method, arguments, state),
    }
}

fn total(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    engine.apply_numbers(method, arguments, state, None, false)
}

fn commuting(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    engine.apply_numbers(method, arguments, state, None, true)
}

fn partial(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    engine.apply_numbers(method, arguments, state, Some(ARITHMETIC), false)
}

/// What is left without trailing zeros, zero being one, is decided by the order and decides it.
fn stripped(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let outcome = total(engine, method, arguments, state)?;
    let number = engine.number(state, arguments[0])?;
    let left = engine.number_function(method, &[number], Sort::BitVec(32));
    let [rank, same] = [number, left].map(|it| engine.number_rank(DECIMAL, it));
    let by_rank = engine.space.apply("decimal of rank", &[rank], Sort::BitVec(32));
    let facts = [engine.space.terms.eq(rank, same), engine.space.terms.eq(by_rank, left)];
    facts.into_iter().for_each(|fact| engine.space.assume(fact));
    Some(outcome)
}
