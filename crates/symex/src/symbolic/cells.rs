//! The elements of arrays that the run made: cell by cell where indices are constants, else as a term.

use program::Kind;
use rustc_hash::FxHashMap;
use smt::Term;

use super::heap::{self, ArrayCells, Place};
use super::places::zero;
use super::space::{FreshKind, Leaf, Space};
use super::{Engine, State};

/// Arrays of up to this many elements take a write at an unknown index cell by cell.
const CELLS: u64 = 24;

impl Engine<'_> {
    pub(super) fn read_cell(
        &mut self,
        state: &State,
        place: Place,
        object: u32,
        index: Term,
    ) -> Option<Term> {
        let kind = self.places[place as usize].ty.kind();
        match state.heap.array(place, object) {
            None => Some(self.zero(kind)),
            Some(ArrayCells::Known(cells)) => {
                if let Some(at) = self.space.terms.as_const(index) {
                    return match cells.get(&(at as u32)) {
                        Some(&value) => Some(value),
                        None => Some(self.zero(kind)),
                    };
                }
                let cells = cells.clone();
                if cells.len() as u64 > CELLS {
                    let mut zero = |space: &mut Space| zero(space, kind);
                    let array =
                        heap::array_term(&ArrayCells::Known(cells), &mut self.space, &mut zero);
                    return Some(self.element(state, kind, array, index));
                }
                let mut value = self.zero(kind);
                for (&at, &held) in &cells {
                    let at = self.space.terms.bitvec(32, u64::from(at));
                    let hit = self.space.terms.eq(at, index);
                    value = self.space.terms.ite(hit, held, value);
                }
                Some(value)
            }
            Some(&ArrayCells::Term(array)) => {
                let (_, element) = self.space.terms.array_parts(self.space.terms.sort(array));
                if element != Engine::kind_sort(kind) {
                    return None;
                }
                if !self.copies.is_empty() && kind != Kind::Ref {
                    return self.copied_element(state, array, index, &mut FxHashMap::default());
                }
                Some(self.element(state, kind, array, index))
            }
        }
    }

    /// An element of an array of the run; of references, the objects that it may be stay in sight.
    fn element(&mut self, state: &State, kind: Kind, array: Term, index: Term) -> Term {
        match kind {
            Kind::Ref => self.select_ref(state, array, index, &mut FxHashMap::default()),
            Kind::Int | Kind::Long | Kind::Float | Kind::Double => {
                self.space.terms.select(array, index)
            }
        }
    }

    fn select_ref(
        &mut self,
        state: &State,
        array: Term,
        index: Term,
        known: &mut FxHashMap<Term, Term>,
    ) -> Term {
        if let Some(&value) = known.get(&array) {
            return value;
        }
        let value = match self.space.terms.op(array) {
            smt::Op::Store => {
                let &[below, at, value] = self.space.terms.args(array) else { return array };
                let below = self.select_ref(state, below, index, known);
                let hit = self.space.terms.eq(at, index);
                self.space.terms.ite(hit, value, below)
            }
            smt::Op::Ite => {
                let &[condition, one, two] = self.space.terms.args(array) else { return array };
                let one = self.select_ref(state, one, index, known);
                let two = self.select_ref(state, two, index, known);
                self.space.terms.ite(condition, one, two)
            }
            smt::Op::ConstArray => self.space.terms.select(array, index),
            _ => {
                let raw = self.space.terms.select(array, index);
                let low = self.space.terms.extract(30, 0, raw);
                let mut value = self.space.input(low);
                for &object in state.heap.loose() {
                    let address = self.space.leaf_ref(Leaf::Fresh(object));
                    let is_it = self.space.terms.eq(raw, address);
                    value = self.space.terms.ite(is_it, address, value);
                }
                value
            }
        };
        known.insert(array, value);
        value
    }

    pub(super) fn write_cell(
        &mut self,
        state: &mut State,
        place: Place,
        object: u32,
        index: Term,
        guard: Term,
        value: Term,
    ) -> Option<()> {
        let kind = self.places[place as usize].ty.kind();
        // An array of another kind, where merged paths forgot which of several arrays it is.
        if self.space.terms.sort(value) != Engine::kind_sort(kind) {
            return None;
        }
        let empty = ArrayCells::Known(imbl::OrdMap::new());
        let cells = state.heap.array(place, object).cloned().unwrap_or(empty);
        let FreshKind::Array(length) = self.space.fresh[object as usize].kind else { return None };
        let length = self.space.terms.as_const(length);
        let after = match (cells, self.space.terms.as_const(index)) {
            (ArrayCells::Known(mut cells), Some(at)) => {
                let before = cells.get(&(at as u32)).copied();
                let before = before.unwrap_or_else(|| zero(&mut self.space, kind));
                cells.insert(at as u32, self.space.terms.ite(guard, value, before));
                ArrayCells::Known(cells)
            }
            (ArrayCells::Known(mut cells), None) if length.is_some_and(|n| n <= CELLS) => {
                for at in 0..length.unwrap_or(0) as u32 {
                    let before = cells.get(&at).copied();
                    let before = before.unwrap_or_else(|| zero(&mut self.space, kind));
                    let here = self.space.terms.bitvec(32, u64::from(at));
                    let hit = self.space.terms.eq(here, index);
                    let hit = self.space.terms.and2(hit, guard);
                    cells.insert(at, self.space.terms.ite(hit, value, before));
                }
                ArrayCells::Known(cells)
            }
            (cells, _) => {
                let mut zero = |space: &mut Space| zero(space, kind);
                let before = heap::array_term(&cells, &mut self.space, &mut zero);
                let (_, element) = self.space.terms.array_parts(self.space.terms.sort(before));
                if element != self.space.terms.sort(value) {
                    return None;
                }
                let after = self.space.terms.store(before, index, value);
                ArrayCells::Term(self.space.terms.ite(guard, after, before))
            }
        };
        state.heap.write_array(place, object, after);
        Some(())
    }
}
