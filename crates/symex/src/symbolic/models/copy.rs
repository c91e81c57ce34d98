//! Copies of arrays, and arrays by reflection.
//!
//! A copy of unknown length is made element by element up to the bound of loops; what is longer is a stop,
//! as a loop would be. Where loops are cut, it is one step ([`copied`](crate::symbolic::copied)).

use program::{MethodId, Primitive, Type};
use smt::Term;

use super::Area;
use crate::symbolic::copied::{Copied, Source};
use crate::symbolic::space::{FreshKind, Leaf};
use crate::symbolic::{Engine, Outcome, State, StopKind, step};

pub(super) const AREAS: &[Area] = &[
    ("java/lang/Object", &[("clone", "", clone)]),
    ("java/lang/String", &[("toCharArray", "", to_char_array)]),
    ("java/lang/System", &[("arraycopy", "", arraycopy)]),
    (
        "java/lang/reflect/Array",
        &[
            ("getLength", "", length),
            ("newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;", new_instance),
        ],
    ),
];

/// More elements than this are not copied one by one.
const MOST_COPIED: u64 = 256;

fn clone(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let declared = engine.declared_component(arguments[0])?;
    if engine.trusts_library && declared.kind() == program::Kind::Ref {
        // Which elements it has does not matter here; that it is one does.
        let outcome = engine.call_outside(method, arguments.to_vec(), state.clone());
        if let Some((_, Some(copy))) = outcome.returned {
            let is_null = engine.space.is_null(copy);
            let not_null = engine.space.terms.not(is_null);
            engine.space.assume(not_null);
        }
        return Some(outcome);
    }
    let component = engine.exact_component(arguments[0])?;
    let length = engine.length(state, arguments[0])?;
    let zero = engine.space.terms.int(0);
    engine.new_copy(state, component, Source::Array(arguments[0], zero), length)
}

fn to_char_array(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let text = engine.text(state, arguments[0])?;
    let length = engine.text_length(text);
    engine.new_copy(state, Type::primitive(Primitive::Char), Source::Text(text), length)
}

fn arraycopy(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[from, from_start, to, to_start, count] = arguments else { return None };
    let target = engine.exact_component(to)?;
    let source = engine.declared_component(from)?;
    let is_fine = source == target
        || (source.kind() == program::Kind::Ref
            && target.kind() == program::Kind::Ref
            && engine.is_assignable(source, target)?);
    if !is_fine {
        return None;
    }
    let (one, two) = (engine.space.is_null(from), engine.space.is_null(to));
    let any_null = engine.space.terms.or2(one, two);
    let fine = engine.space.terms.not(any_null);
    let mut outcome = engine.guarded(fine, "java/lang/NullPointerException", state, None);
    let Some((state, _)) = outcome.returned.take() else { return Some(outcome) };
    let (room, to_room) = (engine.length(&state, from)?, engine.length(&state, to)?);
    let (one, two) =
        (engine.has_room(from_start, count, room), engine.has_room(to_start, count, to_room));
    let fine = engine.space.terms.and2(one, two);
    let class = "java/lang/ArrayIndexOutOfBoundsException";
    let checked = engine.guarded(fine, class, &state, None);
    if let Some((state, exception)) = checked.thrown {
        engine.merge_thrown(&mut outcome, state, exception);
    }
    if let Some((state, _)) = checked.returned
        && let Some(state) = engine.copy_elements(
            state,
            target,
            Source::Array(from, from_start),
            [to, to_start, count],
        )?
    {
        outcome.returned = Some((state, None));
    }
    Some(outcome)
}

fn length(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    engine.declared_component(arguments[0])?;
    let is_null = engine.space.is_null(arguments[0]);
    let fine = engine.space.terms.not(is_null);
    let length = engine.length(state, arguments[0])?;
    Some(engine.guarded(fine, "java/lang/NullPointerException", state, Some(length)))
}

fn new_instance(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let component = engine.mirrored_type(arguments[0])?;
    let zero = engine.space.terms.int(0);
    let fine = engine.space.terms.sle(zero, arguments[1]);
    let class = "java/lang/NegativeArraySizeException";
    let mut outcome = engine.guarded(fine, class, state, None);
    if let Some((state, value)) = &mut outcome.returned {
        *value = Some(engine.allocate_array(state, component, arguments[1])?);
    }
    Some(outcome)
}

impl Engine<'_> {
    /// A new array with so many elements of the source.
    fn new_copy(
        &mut self,
        state: &State,
        component: Type,
        source: Source,
        length: Term,
    ) -> Option<Outcome> {
        let mut state = state.clone();
        let copy = self.allocate_array(&mut state, component, length)?;
        let zero = self.space.terms.int(0);
        let state = self.copy_elements(state, component, source, [copy, zero, length])?;
        Some(Outcome { returned: state.map(|state| (state, Some(copy))), thrown: None })
    }

    /// The component type of whatever array this is, where it is the same and exact for all.
    fn exact_component(&mut self, array: Term) -> Option<Type> {
        let component = self.declared_component(array)?;
        let leaves = self.space.leaves(array)?;
        let is_known = leaves.iter().all(|&(_, leaf)| match leaf {
            Leaf::Fresh(_) | Leaf::Null => true,
            Leaf::Input(key) => self.imported_type(key).is_some(),
        });
        (is_known || self.is_exact(component) == Some(true)).then_some(component)
    }

    /// A type that the elements of whatever array this is have, if all are declared alike.
    fn declared_component(&mut self, array: Term) -> Option<Type> {
        let leaves = self.space.leaves(array)?;
        let mut found = None;
        for &(_, leaf) in leaves.iter() {
            let ty = match leaf {
                Leaf::Null => continue,
                Leaf::Fresh(object) => {
                    let fresh = &self.space.fresh[object as usize];
                    let FreshKind::Array(_) = fresh.kind else { return None };
                    self.numbered_type(fresh.class)?
                }
                Leaf::Input(key) => {
                    self.imported_type(key).or_else(|| self.known_array_type(key))?
                }
            };
            let component = ty.component()?;
            if found.is_some_and(|found| found != component) {
                return None;
            }
            found = Some(component);
        }
        found
    }

    /// Whether so many elements from there on lie inside.
    fn has_room(&mut self, start: Term, count: Term, length: Term) -> Term {
        let terms = &mut self.space.terms;
        let zero = terms.int(0);
        // Neither is negative, and what is left is not either, so that nothing wraps around.
        let left = terms.sub(length, start);
        let all = [
            terms.sle(zero, start),
            terms.sle(zero, count),
            terms.sle(start, length),
            terms.sle(count, left),
        ];
        terms.and(&all)
    }

    /// Copies inside the bounds: reads everything, then writes. Nothing is left if every state stops.
    fn copy_elements(
        &mut self,
        mut state: State,
        component: Type,
        source: Source,
        [to, to_start, count]: [Term; 3],
    ) -> Option<Option<State>> {
        let kind = step::array_kind(component);
        let is_open = self.space.terms.as_const(count).is_none();
        if is_open && self.loops.copies_at_once {
            let copied = Copied { before: state.clone(), kind, source, start: to_start, count };
            if self.copy_at_once(&mut state, to, copied).is_some() {
                return Some(Some(state));
            }
        }
        let most = match self.space.terms.as_const(count) {
            Some(count) if count <= MOST_COPIED => count,
            Some(_) => return None,
            None => u64::from(self.budget.unroll),
        };
        let bound = self.space.terms.bitvec(32, most);
        let fits = self.space.terms.sle(count, bound);
        if state.path.decide(&self.space, fits) != Some(true) {
            let longer = self.space.terms.not(fits);
            let mut beyond = state.clone();
            beyond.path = beyond.path.and(&self.space.terms, longer);
            let reason = format!("a copy of more than {most} elements");
            self.stop(&beyond, StopKind::Unwound, reason);
            if state.path.decide(&self.space, longer) == Some(true) {
                return Some(None);
            }
            state.path = state.path.and(&self.space.terms, fits);
        }
        let mut copied = Vec::new();
        for offset in 0..most {
            let offset = self.space.terms.bitvec(32, offset);
            let is_copied = self.space.terms.slt(offset, count);
            let value = self.source_element(&state, kind, source, offset)?;
            copied.push((offset, is_copied, value));
        }
        for (offset, is_copied, value) in copied {
            let index = self.space.terms.add(to_start, offset);
            self.write_element_if(&mut state, kind, to, index, value, is_copied)?;
        }
        Some(Some(state))
    }
}
