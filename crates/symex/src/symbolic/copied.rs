//! Copies of unknown length in one step: a symbol stands for the elements afterwards, and what is read of it
//! is what the source held then, or the array itself where nothing was copied.
//!
//! Only numbers, into one array of the run: of references, the objects that they may be would be out of
//! sight. Reads are told when they are made, so that the symbol itself is in no question, unless a loop
//! forgot what it stands for: then it may be anything.

use program::ir::ArrayKind;
use program::{Kind, MethodId};
use rustc_hash::FxHashMap;
use smt::{Op, Sort, Term};

use super::heap::ArrayCells;
use super::space::Leaf;
use super::{Engine, Outcome, State};

/// Where copied elements come from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// An array, from an index on.
    Array(Term, Term),
    Text(Term),
}

/// A copy that was made: so many elements, to an index and those after it.
#[derive(Clone)]
pub(super) struct Copied {
    pub(super) before: State,
    pub(super) kind: ArrayKind,
    pub(super) source: Source,
    pub(super) start: Term,
    pub(super) count: Term,
}

/// Copies of one run; beyond them, they are made element by element.
const MOST_COPIES: usize = 16;

impl Engine<'_> {
    /// What a copy is, whoever makes it: as long as it was to be.
    pub(super) fn of_length_asked(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        mut outcome: Outcome,
    ) -> Outcome {
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        let is_copy = names.bytes(class.name) == b"java/util/Arrays"
            && names.bytes(declared.name) == b"copyOf";
        if let Some((state, Some(copy))) = outcome.returned.as_mut().filter(|_| is_copy)
            && let Some(length) = self.length_of(state, *copy)
        {
            let terms = &mut self.space.terms;
            let zero = terms.int(0);
            let is_length = terms.sle(zero, arguments[1]);
            let is_asked = terms.eq(length, arguments[1]);
            for condition in [is_length, is_asked] {
                state.path = state.path.and(&self.space.terms, condition);
            }
        }
        outcome
    }

    /// An element of the source, by how many come before it.
    pub(super) fn source_element(
        &mut self,
        state: &State,
        kind: ArrayKind,
        source: Source,
        offset: Term,
    ) -> Option<Term> {
        match source {
            Source::Array(array, start) => {
                let index = self.space.terms.add(start, offset);
                self.read_element(state, kind, array, index)
            }
            Source::Text(text) => Some(self.text_unit(text, offset)),
        }
    }

    /// Copies inside the bounds; nothing where it has to be done in other ways.
    pub(super) fn copy_at_once(
        &mut self,
        state: &mut State,
        to: Term,
        copied: Copied,
    ) -> Option<()> {
        let kind = copied.kind.kind();
        let leaves = self.space.leaves(to)?;
        let &[(guard, Leaf::Fresh(object))] = &leaves[..] else { return None };
        if kind == Kind::Ref || self.copies.len() >= MOST_COPIES {
            return None;
        }
        let place = self.element_place(copied.kind);
        if !self.space.terms.is_true(guard) && state.path.decide(&self.space, guard) != Some(true) {
            return None;
        }
        let sort = self.space.terms.array_sort(Sort::BitVec(32), Engine::kind_sort(kind));
        let name = format!("copied {} {}", self.side, self.copies.len());
        let cells = self.space.symbol(&name, sort);
        self.copies.insert(cells, (object, copied));
        state.heap.write_array(place, object, ArrayCells::Term(cells));
        Some(())
    }

    /// An element of an array of numbers that the run made, with copies looked through.
    pub(super) fn copied_element(
        &mut self,
        state: &State,
        array: Term,
        index: Term,
        known: &mut FxHashMap<Term, Term>,
    ) -> Option<Term> {
        if let Some(&value) = known.get(&array) {
            return Some(value);
        }
        let value = match (self.space.terms.op(array), self.space.terms.args(array)) {
            (Op::Store, &[below, at, value]) => {
                let hit = self.space.terms.eq(at, index);
                if self.space.terms.is_true(hit) {
                    value
                } else {
                    let below = self.copied_element(state, below, index, known)?;
                    self.space.terms.ite(hit, value, below)
                }
            }
            (Op::Ite, &[condition, one, two]) => {
                let one = self.copied_element(state, one, index, known)?;
                let two = self.copied_element(state, two, index, known)?;
                self.space.terms.ite(condition, one, two)
            }
            (_, _) => match self.copies.get(&array).cloned() {
                Some((object, copied)) => self.element_of_copy(state, object, &copied, index)?,
                None => self.space.terms.select(array, index),
            },
        };
        known.insert(array, value);
        Some(value)
    }

    fn element_of_copy(
        &mut self,
        state: &State,
        object: u32,
        copied: &Copied,
        index: Term,
    ) -> Option<Term> {
        let offset = self.space.terms.sub(index, copied.start);
        let is_copied = self.space.terms.ult(offset, copied.count);
        let decided = state.path.decide(&self.space, is_copied);
        let place = self.element_place(copied.kind);
        let copy = self.source_element(&copied.before, copied.kind, copied.source, offset)?;
        if decided == Some(true) {
            return Some(copy);
        }
        let own = self.read_cell(&copied.before, place, object, index)?;
        Some(self.space.terms.ite(is_copied, copy, own))
    }
}
