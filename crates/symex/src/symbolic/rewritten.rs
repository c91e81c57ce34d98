//! Arrays whose elements a cut loop writes: what one turn writes, and what was there before the loop.

use std::rc::Rc;

use program::Kind;
use smt::{Op, Sort, Term};

use super::heap::{ArrayCells, History, Place};
use super::{Engine, Leaf, State};

/// Elements that a loop writes, of arrays that existed before or of one of the run.
#[derive(Clone)]
pub struct Rewritten {
    place: Place,
    content: Content,
    pub writes: Vec<TurnWrite>,
}

/// What stands for the elements, in the state for every turn.
#[derive(Debug, Clone, Copy)]
enum Content {
    /// Of arrays that existed before: the moment.
    Input(Term),
    /// Of an array of the run: its number and its elements.
    Fresh(u32, Term),
}

/// A write of every turn.
#[derive(Debug, Clone, Copy)]
pub struct TurnWrite {
    /// Which array, if there are several.
    pub key: Option<Term>,
    pub index: Term,
    pub guard: Term,
    pub value: Term,
}

impl Rewritten {
    /// The symbol in whose name elements are read.
    pub fn symbol(&self) -> Term {
        match self.content {
            Content::Input(symbol) | Content::Fresh(_, symbol) => symbol,
        }
    }
}

impl Engine<'_> {
    /// The arrays of numbers that a cut loop writes, where each turn's writes are known.
    pub fn rewritten(&mut self, cut: usize) -> Vec<Rewritten> {
        let cut = self.cuts[cut].clone();
        let mut found = Vec::new();
        let (Some(back), None) = (&cut.back, cut.shape.calls) else { return found };
        for name in cut.shape.places.keys() {
            let Some(place) = self.numbers_named(name) else { continue };
            let before = cut.all.state.heap.writes(place).cloned();
            let after = back.state.heap.writes(place).cloned();
            let (Some(before), Some(after)) = (before, after) else { continue };
            let History::After(when) = *before else { continue };
            if let Some(writes) = writes_since(&after, &before) {
                found.push(Rewritten { place, content: Content::Input(when), writes });
            }
        }
        for (name, object) in cut.shape.cells.keys() {
            let Some(place) = self.numbers_named(name) else { continue };
            let before = cut.all.state.heap.array(place, *object).cloned();
            let after = back.state.heap.array(place, *object).cloned();
            let (Some(ArrayCells::Term(before)), Some(ArrayCells::Term(after))) = (before, after)
            else {
                continue;
            };
            if let Some(writes) = self.stores_since(after, before) {
                let content = Content::Fresh(*object, before);
                found.push(Rewritten { place, content, writes });
            }
        }
        found
    }

    fn numbers_named(&mut self, name: &str) -> Option<Place> {
        let place = self.place_named(name)?;
        self.is_elements(place)?;
        (self.place_type(place).kind() != Kind::Ref).then_some(place)
    }

    /// The stores by which one array term became another, oldest first.
    fn stores_since(&mut self, after: Term, before: Term) -> Option<Vec<TurnWrite>> {
        if after == before {
            return Some(Vec::new());
        }
        let args = self.space.terms.args(after).to_vec();
        let always = self.space.terms.bool(true);
        match (self.space.terms.op(after), &args[..]) {
            (Op::Store, &[array, index, value]) => {
                let mut writes = self.stores_since(array, before)?;
                writes.push(TurnWrite { key: None, index, guard: always, value });
                Some(writes)
            }
            (Op::Ite, &[condition, one, two]) => {
                let (mine, theirs) =
                    (self.stores_since(one, before)?, self.stores_since(two, before)?);
                self.merged(condition, mine, theirs)
            }
            _ => None,
        }
    }

    fn merged(
        &mut self,
        condition: Term,
        mine: Vec<TurnWrite>,
        theirs: Vec<TurnWrite>,
    ) -> Option<Vec<TurnWrite>> {
        let terms = &mut self.space.terms;
        let contrary = terms.not(condition);
        if mine.len() == theirs.len()
            && mine.iter().zip(&theirs).all(|(a, b)| (a.index, a.guard) == (b.index, b.guard))
        {
            let both = mine.into_iter().zip(theirs).map(|(a, b)| {
                let value = terms.ite(condition, a.value, b.value);
                TurnWrite { value, ..a }
            });
            return Some(both.collect());
        }
        let mut all = Vec::new();
        for (writes, when) in [(mine, condition), (theirs, contrary)] {
            for write in writes {
                let guard = terms.and2(write.guard, when);
                all.push(TurnWrite { guard, ..write });
            }
        }
        Some(all)
    }

    /// Whether a term reads an element in the state for every turn: of which array, and where.
    pub fn as_read(&self, of: &Rewritten, term: Term) -> Option<(Option<Term>, Term)> {
        let terms = &self.space.terms;
        let args = terms.args(term);
        match (of.content, terms.op(term), args) {
            (Content::Input(when), Op::Apply(_), &[key, index, moment]) => {
                let is_it = moment == when && terms.sort(index) == Sort::BitVec(32);
                is_it.then_some((Some(key), index))
            }
            (Content::Fresh(_, cells), Op::Select, &[array, index]) => {
                (array == cells).then_some((None, index))
            }
            (Content::Input(_) | Content::Fresh(..), _, _) => None,
        }
    }

    /// What an element was before the loop, as a read of it gives it.
    pub fn before_loop(
        &mut self,
        cut: usize,
        of: &Rewritten,
        key: Option<Term>,
        index: Term,
    ) -> Option<Term> {
        let kind = self.is_elements(of.place)?;
        let state: State = self.cuts[cut].entry.state.clone();
        let array = match (of.content, key) {
            (Content::Input(_), Some(key)) => self.space.input(key),
            (Content::Fresh(object, _), _) => self.space.leaf_ref(Leaf::Fresh(object)),
            (Content::Input(_), None) => return None,
        };
        self.read_element(&state, kind, array, index)
    }

    /// A value as reads in the state for every turn give it: elements of arrays that existed before are
    /// kept without the bits that they do not have.
    pub fn as_kept(&mut self, of: &Rewritten, value: Term) -> Term {
        match (of.content, self.narrow_sort(self.place_type(of.place))) {
            (Content::Input(_), Sort::BitVec(width @ 1..=31)) => {
                self.space.terms.extract(u32::from(width) - 1, 0, value)
            }
            (Content::Input(_) | Content::Fresh(..), _) => value,
        }
    }
}

/// What was written since, oldest first, if nothing long was merged on the way.
fn writes_since(after: &Rc<History>, before: &Rc<History>) -> Option<Vec<TurnWrite>> {
    let mut writes = Vec::new();
    let mut current = after;
    while !Rc::ptr_eq(current, before) {
        let History::Write { key, index, guard, value, before, .. } = &**current else {
            return None;
        };
        writes.push(TurnWrite { key: Some(*key), index: (*index)?, guard: *guard, value: *value });
        current = before;
    }
    writes.reverse();
    Some(writes)
}
