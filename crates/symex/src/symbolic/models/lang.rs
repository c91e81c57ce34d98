//! Object, Class, System, Throwable.

use program::{MethodId, Type};
use smt::{Sort, Term};

use super::Area;
use crate::symbolic::calls::returned;
use crate::symbolic::space::{FreshKind, Leaf};
use crate::symbolic::{Engine, Outcome, State, step};

pub(super) const AREAS: &[Area] = &[
    (
        "java/lang/Object",
        &[
            ("getClass", "", get_class),
            ("hashCode", "", identity_hash),
            ("clone", "", clone),
            ("notify", "", nothing),
            ("notifyAll", "", nothing),
        ],
    ),
    (
        "java/lang/Class",
        &[
            ("desiredAssertionStatus", "", no),
            ("isInstance", "", is_instance),
            ("getName", "", class_name),
            ("getPrimitiveClass", "", nothing_known),
        ],
    ),
    ("java/lang/System", &[("identityHashCode", "", identity_hash), ("arraycopy", "", arraycopy)]),
    ("java/lang/Throwable", &[("fillInStackTrace", "", this)]),
    (
        "jdk/internal/util/Preconditions",
        &[("checkIndex", "(IILjava/util/function/BiFunction;)I", check_index)],
    ),
    ("java/lang/ref/Reference", &[("reachabilityFence", "", nothing)]),
];

fn nothing_known(_: &mut Engine<'_>, _: MethodId, _: &[Term], _: &State) -> Option<Outcome> {
    None
}

fn nothing(_: &mut Engine<'_>, _: MethodId, _: &[Term], state: &State) -> Option<Outcome> {
    Some(returned(state.clone(), None))
}

fn no(engine: &mut Engine<'_>, _: MethodId, _: &[Term], state: &State) -> Option<Outcome> {
    let zero = engine.space.terms.int(0);
    Some(returned(state.clone(), Some(zero)))
}

fn this(_: &mut Engine<'_>, _: MethodId, arguments: &[Term], state: &State) -> Option<Outcome> {
    Some(returned(state.clone(), arguments.first().copied()))
}

fn get_class(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let class = engine.class_of(arguments[0])?;
    let mirror = engine.space.mirror(class);
    Some(returned(state.clone(), Some(mirror)))
}

fn identity_hash(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let hash = engine.space.apply("identity hash", &[arguments[0]], Sort::BitVec(32));
    let is_null = engine.space.is_null(arguments[0]);
    let zero = engine.space.terms.int(0);
    let hash = engine.space.terms.ite(is_null, zero, hash);
    Some(returned(state.clone(), Some(hash)))
}

fn is_instance(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let leaves = engine.space.leaves(arguments[0])?;
    let &[(_, Leaf::Input(key))] = &leaves[..] else { return None };
    let ty = engine.numbered_type(engine.space.mirrored(key)?)?;
    let fits = engine.is_instance(arguments[1], ty)?;
    let is_null = engine.space.is_null(arguments[1]);
    let not_null = engine.space.terms.not(is_null);
    let holds = engine.space.terms.and2(not_null, fits);
    let value = engine.boolean(holds);
    Some(returned(state.clone(), Some(value)))
}

/// Some text, the same for the same class.
fn class_name(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let key = engine.space.apply("class name", &[arguments[0]], Sort::BitVec(31));
    let zero = engine.space.terms.bitvec(31, 0);
    let not_null = engine.space.terms.ne(key, zero);
    engine.space.assume(not_null);
    let name = engine.widen(key, Type::class(engine.program.known.string));
    Some(returned(state.clone(), Some(name)))
}

/// Of an array of the run with cells that are known.
fn clone(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let leaves = engine.space.leaves(arguments[0])?;
    let &[(_, Leaf::Fresh(object))] = &leaves[..] else { return None };
    let (class, kind) = (
        engine.space.fresh[object as usize].class,
        engine.space.fresh[object as usize].kind.clone(),
    );
    let FreshKind::Array(length) = kind else { return None };
    let component = engine.numbered_type(class)?.component()?;
    let place = engine.element_place(step::array_kind(component));
    let cells = state.heap.array(place, object)?.clone();
    let mut state = state.clone();
    let copy = engine.allocate_array(&mut state, component, length)?;
    let number = engine.space.number_of(copy);
    state.heap.write_array(place, number, cells);
    Some(returned(state, Some(copy)))
}

fn check_index(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[index, length, _] = arguments else { return None };
    let terms = &mut engine.space.terms;
    // A negative length is never above an index, signed: `index < 0 || index >= length`.
    let zero = terms.int(0);
    let (above, below) = (terms.sle(zero, index), terms.slt(index, length));
    let inside = terms.and2(above, below);
    Some(engine.guarded(inside, "java/lang/IndexOutOfBoundsException", state, Some(index)))
}

/// Between arrays of the run, or from one of the start, where the range is known.
fn arraycopy(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[from, from_start, to, to_start, length] = arguments else { return None };
    let target = engine.space.leaves(to)?;
    let &[(_, Leaf::Fresh(object))] = &target[..] else { return None };
    let component = engine.numbered_type(engine.space.fresh[object as usize].class)?.component()?;
    let FreshKind::Array(to_length) = engine.space.fresh[object as usize].kind else { return None };
    let [from_at, to_at, count, room] =
        [from_start, to_start, length, to_length].map(|term| engine.space.terms.as_const(term));
    let (from_at, to_at, count, room) = (from_at?, to_at?, count?, room?);
    if to_at + count > room || count > 256 {
        return None;
    }
    let source = engine.space.leaves(from)?;
    let &[(_, Leaf::Fresh(source))] = &source[..] else { return None };
    let held = engine.numbered_type(engine.space.fresh[source as usize].class)?.component()?;
    let FreshKind::Array(from_length) = engine.space.fresh[source as usize].kind else {
        return None;
    };
    let from_room = engine.space.terms.as_const(from_length)?;
    let kind = step::array_kind(component);
    let is_same = held == component
        || (kind == program::ir::ArrayKind::Ref && engine.is_assignable(held, component)?);
    if from_at + count > from_room || !is_same {
        return None;
    }
    let mut state = state.clone();
    let mut copied = Vec::new();
    for offset in 0..count {
        let index = engine.space.terms.bitvec(32, from_at + offset);
        copied.push(engine.read_element(&state, kind, from, index)?);
    }
    for (offset, value) in (0..count).zip(copied) {
        let index = engine.space.terms.bitvec(32, to_at + offset);
        engine.write_element(&mut state, kind, to, index, value)?;
    }
    Some(returned(state, None))
}

impl Engine<'_> {
    /// The value where `fine` holds, an exception of the JVM's own where it does not.
    pub(in crate::symbolic) fn guarded(
        &mut self,
        fine: Term,
        class: &str,
        state: &State,
        value: Option<Term>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let known = state.path.decide(&self.space, fine);
        if known != Some(true) {
            let wrong = self.space.terms.not(fine);
            let mut thrown = state.clone();
            thrown.path = thrown.path.and(&self.space.terms, wrong);
            let exception = self.implicit_exception(class);
            outcome.thrown = Some((thrown, exception));
        }
        if known != Some(false) {
            let mut here = state.clone();
            here.path = here.path.and(&self.space.terms, fine);
            outcome.returned = Some((here, value));
        }
        outcome
    }
}
