//! Strings by what they say: a number per text, and functions of texts.
//!
//! Two strings are equal if they say the same; everything that depends on nothing else is a function
//! of the text. Characters are functions of text and index, known for literals.

use program::ir::ArrayKind;
use program::{Element, Kind, MethodDescriptor, MethodId, Primitive, Type};
use smt::{Sort, Term};

use super::Area;
use crate::symbolic::calls::returned;
use crate::symbolic::{Engine, Outcome, State, StopKind};

pub(super) const AREAS: &[Area] = &[
    (
        "java/lang/String",
        &[
            ("equals", "", equals),
            ("hashCode", "", hash_code),
            ("length", "", length),
            ("isEmpty", "", is_empty),
            ("charAt", "", char_at),
            ("compareTo", "(Ljava/lang/String;)I", compare_to),
            ("toString", "", this),
            ("intern", "", intern),
            ("equalsIgnoreCase", "", equals_ignore_case),
            ("compareToIgnoreCase", "(Ljava/lang/String;)I", compare_to_ignore_case),
            ("concat", "", concat),
            ("toLowerCase", "", function),
            ("toUpperCase", "", function),
            ("trim", "", function),
            ("strip", "", function),
            ("isBlank", "", function),
            ("startsWith", "", function),
            ("endsWith", "", function),
            ("indexOf", "", function),
            ("lastIndexOf", "", function),
            ("replace", "(CC)Ljava/lang/String;", function),
            ("stripLeading", "", function),
            ("stripTrailing", "", function),
            ("regionMatches", "", function),
            ("substring", "", substring),
            ("subSequence", "", substring),
            ("contains", "", contains),
            ("valueOf", "", value_of),
            ("join", JOINED, join),
        ],
    ),
    ("java/lang/Integer", NUMBER_TEXT),
    ("java/lang/Long", NUMBER_TEXT),
    ("java/lang/Boolean", NUMBER_TEXT),
    // Not of an int, which is a code point there.
    ("java/lang/Character", &[("toString", "(C)Ljava/lang/String;", value_of)]),
    ("java/lang/Float", NUMBER_TEXT),
    ("java/lang/Double", NUMBER_TEXT),
    ("java/lang/Short", NUMBER_TEXT),
    ("java/lang/Byte", NUMBER_TEXT),
];

/// Where all ways of joining end: before, after and between so many elements of an array.
const JOINED: &str = "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;I)Ljava/lang/String;";
/// More elements are not joined one by one.
const MOST_JOINED: u64 = 32;

/// Numbers to texts and back; `toString` of an object reads its value and comes here.
const NUMBER_TEXT: &[(&str, &str, super::Model)] = &[
    ("toString", "(I)Ljava/lang/String;", value_of),
    ("toString", "(J)Ljava/lang/String;", value_of),
    ("toString", "(Z)Ljava/lang/String;", value_of),
    ("toString", "(C)Ljava/lang/String;", value_of),
    ("toString", "(F)Ljava/lang/String;", value_of),
    ("toString", "(D)Ljava/lang/String;", value_of),
    ("toString", "(S)Ljava/lang/String;", value_of),
    ("toString", "(B)Ljava/lang/String;", value_of),
    ("toHexString", "(I)Ljava/lang/String;", in_digits),
    ("toHexString", "(J)Ljava/lang/String;", in_digits),
    ("toOctalString", "(I)Ljava/lang/String;", in_digits),
    ("toOctalString", "(J)Ljava/lang/String;", in_digits),
    ("toBinaryString", "(I)Ljava/lang/String;", in_digits),
    ("toBinaryString", "(J)Ljava/lang/String;", in_digits),
    ("toString", "(II)Ljava/lang/String;", in_digits),
    ("toString", "(JI)Ljava/lang/String;", in_digits),
    ("parseInt", "(Ljava/lang/String;)I", parse),
    ("parseInt", "(Ljava/lang/String;I)I", parse),
    ("parseLong", "(Ljava/lang/String;)J", parse),
    ("parseLong", "(Ljava/lang/String;I)J", parse),
    ("parseDouble", "(Ljava/lang/String;)D", parse),
    ("parseFloat", "(Ljava/lang/String;)F", parse),
];

fn this(_: &mut Engine<'_>, _: MethodId, arguments: &[Term], state: &State) -> Option<Outcome> {
    Some(returned(state.clone(), arguments.first().copied()))
}

fn equals(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let string = Type::class(engine.program.known.string);
    let fits = engine.is_instance(arguments[1], string)?;
    let is_null = engine.space.is_null(arguments[1]);
    let not_null = engine.space.terms.not(is_null);
    let (one, two) = (engine.text(state, arguments[0])?, engine.text(state, arguments[1])?);
    let same = engine.space.terms.eq(one, two);
    let holds = engine.space.terms.and(&[not_null, fits, same]);
    let value = engine.boolean(holds);
    Some(returned(state.clone(), Some(value)))
}

fn hash_code(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.text(state, arguments[0])?;
    let hash = engine.text_hash(text);
    Some(returned(state.clone(), Some(hash)))
}

fn length(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.text(state, arguments[0])?;
    let length = engine.text_length(text);
    Some(returned(state.clone(), Some(length)))
}

fn is_empty(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.text(state, arguments[0])?;
    let length = engine.text_length(text);
    let zero = engine.space.terms.int(0);
    let empty = engine.space.terms.eq(length, zero);
    let value = engine.boolean(empty);
    Some(returned(state.clone(), Some(value)))
}

fn char_at(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.text(state, arguments[0])?;
    let length = engine.text_length(text);
    let inside = engine.space.terms.ult(arguments[1], length);
    let unit = engine.text_unit(text, arguments[1]);
    Some(engine.guarded(inside, "java/lang/StringIndexOutOfBoundsException", state, Some(unit)))
}

fn compare_to(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (one, two) = (engine.text(state, arguments[0])?, engine.text(state, arguments[1])?);
    let (low, high) = (engine.text_rank(one), engine.text_rank(two));
    let value = engine.signed_difference("text compared", low, high);
    engine.relate_ranks("text compared", one, two, low, high);
    let is_null = engine.space.is_null(arguments[1]);
    let fine = engine.space.terms.not(is_null);
    Some(engine.guarded(fine, "java/lang/NullPointerException", state, Some(value)))
}

fn intern(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.text(state, arguments[0])?;
    let key = engine.space.apply("interned", &[text], Sort::BitVec(31));
    let string = Type::class(engine.program.known.string);
    let zero = engine.space.terms.bitvec(31, 0);
    let not_null = engine.space.terms.ne(key, zero);
    engine.space.assume(not_null);
    let interned = engine.widen(key, string);
    let said = engine.text(state, interned)?;
    let fact = engine.space.terms.eq(said, text);
    engine.space.assume(fact);
    Some(returned(state.clone(), Some(interned)))
}

fn equals_ignore_case(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (one, two) = (engine.text(state, arguments[0])?, engine.text(state, arguments[1])?);
    let folded = |engine: &mut Engine<'_>, text| {
        engine.space.apply("case folded", &[text], Sort::BitVec(32))
    };
    let (one, two) = (folded(engine, one), folded(engine, two));
    let same = engine.space.terms.eq(one, two);
    let is_null = engine.space.is_null(arguments[1]);
    let not_null = engine.space.terms.not(is_null);
    let holds = engine.space.terms.and2(not_null, same);
    let value = engine.boolean(holds);
    Some(returned(state.clone(), Some(value)))
}

fn compare_to_ignore_case(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (one, two) = (engine.text(state, arguments[0])?, engine.text(state, arguments[1])?);
    let folded = |engine: &mut Engine<'_>, text| {
        engine.space.apply("case folded", &[text], Sort::BitVec(32))
    };
    let (one, two) = (folded(engine, one), folded(engine, two));
    let (low, high) = (engine.folded_rank(one), engine.folded_rank(two));
    let value = engine.signed_difference("folded compared", low, high);
    engine.relate_ranks("folded compared", one, two, low, high);
    let is_null = engine.space.is_null(arguments[1]);
    let fine = engine.space.terms.not(is_null);
    Some(engine.guarded(fine, "java/lang/NullPointerException", state, Some(value)))
}

fn concat(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (one, two) = (engine.text(state, arguments[0])?, engine.text(state, arguments[1])?);
    let text = engine.concat_texts(one, two);
    let is_null = engine.space.is_null(arguments[1]);
    let fine = engine.space.terms.not(is_null);
    let mut outcome = engine.guarded(fine, "java/lang/NullPointerException", state, None);
    if let Some((state, value)) = &mut outcome.returned {
        *value = Some(engine.new_string(state, text));
    }
    Some(outcome)
}

/// Of a known number of elements, none of which is null.
fn join(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[before, after, between, elements, count] = arguments else { return None };
    let count = engine.space.terms.as_const(count).filter(|&count| count <= MOST_JOINED)?;
    let mut joined = engine.said(state, before)?;
    let between = engine.said(state, between)?;
    for at in 0..count {
        if at > 0 {
            joined = engine.concat_texts(joined, between);
        }
        let index = engine.space.terms.bitvec(32, at);
        let element = engine.read_element(state, ArrayKind::Ref, elements, index)?;
        let element = engine.said(state, element)?;
        joined = engine.concat_texts(joined, element);
    }
    let after = engine.said(state, after)?;
    joined = engine.concat_texts(joined, after);
    let mut state = state.clone();
    let string = engine.new_string(&mut state, joined);
    Some(returned(state, Some(string)))
}

/// A part of a string; the whole is the string itself.
fn substring(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.text(state, arguments[0])?;
    let length = engine.text_length(text);
    let (from, to) = (arguments[1], arguments.get(2).copied().unwrap_or(length));
    let fine = engine.is_range(from, to, length);
    let part = engine.part_of_text(text, from, to);
    let zero = engine.space.terms.int(0);
    let (at_start, at_end) = (engine.space.terms.eq(from, zero), engine.space.terms.eq(to, length));
    let is_whole = engine.space.terms.and2(at_start, at_end);
    let class = "java/lang/StringIndexOutOfBoundsException";
    let mut outcome = engine.guarded(fine, class, state, None);
    if let Some((state, value)) = &mut outcome.returned {
        let made = engine.new_string(state, part);
        *value = Some(engine.space.terms.ite(is_whole, arguments[0], made));
    }
    Some(outcome)
}

/// Of a string in a string; other sequences are asked by its own code.
fn contains(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let string = Type::class(engine.program.known.string);
    let is_string = engine.is_instance(arguments[1], string)?;
    if state.path.decide(&engine.space, is_string) != Some(true) {
        return None;
    }
    let (one, two) = (engine.text(state, arguments[0])?, engine.text(state, arguments[1])?);
    let index_of = engine.method_ref("java/lang/String", "indexOf", "(Ljava/lang/String;)I");
    let program = engine.program;
    let index_of =
        program.resolve_method(index_of.class, index_of.name, index_of.descriptor).found()?;
    let _ = method;
    let name = format!("text {}", engine.method_text(index_of));
    let found = engine.stand_in(index_of, &name, &[one, two], Sort::BitVec(32));
    engine.bound_place(one, found);
    let zero = engine.space.terms.int(0);
    let holds = engine.space.terms.sle(zero, found);
    let value = engine.boolean(holds);
    let is_null = engine.space.is_null(arguments[1]);
    let fine = engine.space.terms.not(is_null);
    Some(engine.guarded(fine, "java/lang/NullPointerException", state, Some(value)))
}

/// The text of a primitive value; of an object, what its `toString` gives.
fn value_of(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let types = engine.parameter_types(method)?;
    let (&[ty], &[value]) = (&types[..], arguments) else { return None };
    let (Element::Primitive(primitive), 0) = (ty.element, ty.dimensions) else { return None };
    let text = engine.text_of_primitive(primitive, value)?;
    let mut state = state.clone();
    if primitive == Primitive::Boolean {
        let zero = engine.space.terms.int(0);
        let is_false = engine.space.terms.eq(value, zero);
        let [yes, no] = ["true", "false"].map(|text| {
            let units: Vec<u16> = text.encode_utf16().collect();
            engine.text_object(&units)
        });
        let literal = engine.space.terms.ite(is_false, no, yes);
        return Some(returned(state, Some(literal)));
    }
    let string = engine.new_string(&mut state, text);
    Some(returned(state, Some(string)))
}

/// A number in digits of another base: a new string.
fn in_digits(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let name = format!("text {}", engine.method_text(method));
    let text = engine.stand_in(method, &name, arguments, Sort::BitVec(32));
    let mut state = state.clone();
    let string = engine.new_string(&mut state, text);
    Some(returned(state, Some(string)))
}

/// A number that a text spells, or the exception that it spells none.
fn parse(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let result = engine.result_type(method)?;
    let mut keyed = vec![engine.text(state, arguments[0])?];
    keyed.extend_from_slice(&arguments[1..]);
    let method = engine.with_radix(method, &mut keyed);
    let name = engine.method_text(method);
    let spells = engine.stand_in_returns(method, &format!("spells {name}"), &keyed);
    let sort = engine.narrow_sort(result);
    let value = engine.stand_in(method, &format!("text {name}"), &keyed, sort);
    let is_null = engine.space.is_null(arguments[0]);
    let not_null = engine.space.terms.not(is_null);
    if result.kind() == Kind::Float || result.kind() == Kind::Double {
        let mut outcome = engine.guarded(not_null, "java/lang/NullPointerException", state, None);
        if let Some((state, _)) = outcome.returned.take() {
            let class = "java/lang/NumberFormatException";
            let one = engine.guarded(spells, class, &state, Some(value));
            engine.join(&mut outcome, one);
        }
        return Some(outcome);
    }
    let fine = engine.space.terms.and2(not_null, spells);
    Some(engine.guarded(fine, "java/lang/NumberFormatException", state, Some(value)))
}

/// Whether a method depends on the default locale. Two versions run in one.
fn asks_for_locale(engine: &Engine<'_>, method: MethodId) -> bool {
    let name = engine.program.names.bytes(engine.program.method(method).1.name);
    engine.side.is_empty() && matches!(name, b"toLowerCase" | b"toUpperCase")
}

impl Engine<'_> {
    /// Anybody may set it at any time: what was computed with it and kept need not agree with what is computed
    /// later. Within the calls of one question it is one.
    fn default_locale(&mut self, state: &State) -> Term {
        self.space.apply("static default locale", &[state.heap.epoch], Sort::BitVec(32))
    }
}

/// Any other method that reads nothing but texts and numbers, and throws only for a null argument.
fn function(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let (_, declared) = engine.program.method(method);
    let names = &engine.program.names;
    let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
    let string = Type::class(engine.program.known.string);
    let parameters = descriptor.parameter_types(names);
    let result = descriptor.result_type(names)?;
    if parameters.iter().any(|&ty| ty.kind() == Kind::Ref && ty != string) {
        return None;
    }
    let name = format!("text {}", engine.method_text(method));
    let mut keyed = vec![engine.text(state, arguments[0])?];
    let mut nulls = Vec::new();
    if parameters.is_empty() && asks_for_locale(engine, method) {
        let locale = engine.default_locale(state);
        let text = engine.space.apply(&name, &[keyed[0], locale], Sort::BitVec(32));
        let mut state = state.clone();
        let string = engine.new_string(&mut state, text);
        return Some(returned(state, Some(string)));
    }
    for (&argument, ty) in arguments[1..].iter().zip(parameters) {
        if ty == string {
            nulls.push(engine.space.is_null(argument));
            keyed.push(engine.text(state, argument)?);
        } else {
            keyed.push(argument);
        }
    }
    let any_null = engine.space.terms.or(&nulls);
    let fine = engine.space.terms.not(any_null);
    stop_outside(engine, method, arguments, (keyed[0], any_null), state);
    let mut outcome = engine.guarded(fine, "java/lang/NullPointerException", state, None);
    if let Some((state, value)) = &mut outcome.returned {
        *value = Some(if result == string {
            let text = engine.stand_in(method, &name, &keyed, Sort::BitVec(32));
            engine.new_string(state, text)
        } else if result.kind() == Kind::Ref {
            return None;
        } else {
            let sort = engine.narrow_sort(result);
            let narrow = engine.stand_in(method, &name, &keyed, sort);
            let answer = engine.widen(narrow, result);
            engine.note_search(method, &keyed, answer);
            answer
        });
    }
    Some(outcome)
}

impl Engine<'_> {
    /// Whole numbers are in the decimal system where no other is named.
    fn with_radix(&mut self, method: MethodId, keyed: &mut Vec<Term>) -> MethodId {
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        let descriptor = match &*names.text(declared.descriptor) {
            "(Ljava/lang/String;)I" => "(Ljava/lang/String;I)I",
            "(Ljava/lang/String;)J" => "(Ljava/lang/String;I)J",
            _ => return method,
        };
        let named = names.intern(descriptor.as_bytes());
        let found = self.program.resolve_method(class.name, declared.name, named).found();
        let Some(found) = found else { return method };
        keyed.push(self.space.terms.int(10));
        found
    }

    /// What a string says that cannot be null.
    fn said(&mut self, state: &State, string: Term) -> Option<Term> {
        let is_null = self.space.is_null(string);
        let is_one = state.path.decide(&self.space, is_null) == Some(false);
        is_one.then(|| self.text(state, string)).flatten()
    }
}

/// Some methods look at places before they look at the part that may be there: where these are outside of the text, a
/// part that is null need not be an error, which is not the same on all platforms.
fn stop_outside(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    (text, any_null): (Term, Term),
    state: &State,
) {
    let (_, declared) = engine.program.method(method);
    let name = engine.program.names.text(declared.name);
    let zero = engine.space.terms.int(0);
    let (at, from, count) = match (&*name, arguments) {
        ("startsWith", &[_, _, at]) => (at, zero, zero),
        ("regionMatches", &[_, at, _, from, count] | &[_, _, at, _, from, count]) => {
            (at, from, count)
        }
        (_, _) => return,
    };
    let length = engine.text_length(text);
    let terms = &mut engine.space.terms;
    let [wide_at, wide_length, wide_count] =
        [at, length, count].map(|it| terms.sign_extend(it, 64));
    let last = terms.sub(wide_length, wide_count);
    let outside = [terms.slt(at, zero), terms.slt(from, zero), terms.slt(last, wide_at)];
    let is_outside = terms.or(&outside);
    let open = terms.and2(any_null, is_outside);
    if state.path.decide(&engine.space, open) == Some(false) || engine.space.terms.is_false(open) {
        return;
    }
    let mut here = state.clone();
    here.path = here.path.and(&engine.space.terms, open);
    engine.stop(&here, StopKind::Unsupported, "a part of a text that may be null");
}
