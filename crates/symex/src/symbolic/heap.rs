//! The heap of a run: per field, what was written since the start.
//!
//! Objects of the run itself are exact: one cell per field and object. For objects that existed at the
//! start there is a history of writes over the initial heap; a read asks each write whether it hit the
//! same object, as a term. Nothing forks on aliasing. Arrays are the same with an index.
//!
//! States share structure, so that a copy at every instruction that can throw costs nothing, and
//! merging two states costs what they wrote since they parted.

use std::rc::Rc;

use imbl::{OrdMap, OrdSet};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Term};

pub(super) use super::history::{History, Kind};
use super::history::{Reader, merge_histories};
use super::space::Space;

/// A field, or the elements of arrays of one kind, by number in the engine.
pub(super) type Place = u32;

#[derive(Clone)]
pub(super) struct Heap {
    cells: OrdMap<Place, Cells>,
    pub(super) statics: OrdMap<Place, Term>,
    /// What places are that no write since the last unknown call has touched.
    base: Rc<History>,
    /// The calls to the outside so far.
    pub(super) trace: Term,
    /// The last of them that may have changed static fields.
    pub(super) epoch: Term,
    /// The monitors that the run holds.
    pub(super) held: Term,
    /// Objects of the run that code outside may have changed, and when.
    exposed: OrdMap<u32, Term>,
    /// Objects of the run that a place of unknown content may refer to.
    loose: OrdSet<u32>,
}

#[derive(Clone)]
struct Cells {
    /// Of the run's own objects; of arrays, the cells.
    fresh: OrdMap<u32, Term>,
    arrays: OrdMap<u32, ArrayCells>,
    input: Option<Rc<History>>,
}

/// The elements of an array of the run.
#[derive(Clone)]
pub(super) enum ArrayCells {
    /// By constant index; the others are zero.
    Known(OrdMap<u32, Term>),
    /// As a term of an array sort.
    Term(Term),
}

/// What one heap has that another has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// A place of objects that existed at the start.
    Input(Place),
    Static(Place),
    /// A place of an object of the run.
    Cell(Place, u32),
}

/// What places hold that a run has not written.
pub(super) trait Start {
    fn zero(&mut self, space: &mut Space, place: Place) -> Term;
    fn of_fresh(&mut self, space: &mut Space, place: Place, object: u32, heap: &Heap) -> Term;
    fn of_static(&mut self, space: &mut Space, place: Place, heap: &Heap) -> Term;
}

impl Heap {
    pub(super) fn new(trace: Term) -> Heap {
        Heap {
            cells: OrdMap::new(),
            statics: OrdMap::new(),
            base: Rc::new(History::Start),
            trace,
            epoch: trace,
            held: trace,
            exposed: OrdMap::new(),
            loose: OrdSet::new(),
        }
    }

    /// What the run itself wrote into a field of one of its objects.
    pub(super) fn read_fresh(&self, place: Place, object: u32) -> Option<Term> {
        self.cells.get(&place)?.fresh.get(&object).copied()
    }

    pub(super) fn write_fresh(&mut self, place: Place, object: u32, value: Term) {
        self.cells_mut(place).fresh.insert(object, value);
    }

    pub(super) fn array(&self, place: Place, object: u32) -> Option<&ArrayCells> {
        self.cells.get(&place)?.arrays.get(&object)
    }

    pub(super) fn write_array(&mut self, place: Place, object: u32, cells: ArrayCells) {
        self.cells_mut(place).arrays.insert(object, cells);
    }

    /// When code outside last may have changed an object of the run.
    pub(super) fn exposed_at(&self, object: u32) -> Option<Term> {
        self.exposed.get(&object).copied()
    }

    /// Objects of the run that code outside may have changed.
    pub(super) fn exposed_objects(&self) -> Vec<u32> {
        self.exposed.keys().copied().collect()
    }

    /// From now on, what is unknown may refer to these objects.
    pub(super) fn loosen(&mut self, objects: &std::collections::BTreeSet<u32>) {
        self.loose.extend(objects.iter().copied());
    }

    /// Says that a place of all objects that existed at the start may have changed.
    pub(super) fn forget_place(&mut self, place: Place, when: Term) {
        self.cells_mut(place).input = Some(Rc::new(History::After(when)));
    }

    /// Where this heap is not what it was, when it was `before`.
    pub(super) fn changes(&self, before: &Heap) -> Vec<Change> {
        let mut found = Vec::new();
        for place in keys(&self.statics, &before.statics) {
            if self.statics.get(&place) != before.statics.get(&place) {
                found.push(Change::Static(place));
            }
        }
        for place in keys(&self.cells, &before.cells) {
            let empty = Cells { fresh: OrdMap::new(), arrays: OrdMap::new(), input: None };
            let one = self.cells.get(&place).unwrap_or(&empty);
            let two = before.cells.get(&place).unwrap_or(&empty);
            let is_same = match (&one.input, &two.input) {
                (Some(one), Some(two)) => Rc::ptr_eq(one, two),
                (one, two) => one.is_none() && two.is_none(),
            };
            if !is_same {
                found.push(Change::Input(place));
            }
            for object in keys(&one.fresh, &two.fresh) {
                if one.fresh.get(&object) != two.fresh.get(&object) {
                    found.push(Change::Cell(place, object));
                }
            }
            for object in keys(&one.arrays, &two.arrays) {
                let is_same = match (one.arrays.get(&object), two.arrays.get(&object)) {
                    (Some(ArrayCells::Known(one)), Some(ArrayCells::Known(two))) => one == two,
                    (Some(ArrayCells::Term(one)), Some(ArrayCells::Term(two))) => one == two,
                    (_, _) => false,
                };
                if !is_same {
                    found.push(Change::Cell(place, object));
                }
            }
        }
        found
    }

    /// Every value that was written anywhere.
    pub(super) fn contents(&self) -> Vec<Term> {
        let mut found = self.published();
        for cells in self.cells.values() {
            found.extend(cells.fresh.values());
            for array in cells.arrays.values() {
                match array {
                    ArrayCells::Known(cells) => found.extend(cells.values()),
                    ArrayCells::Term(term) => found.push(*term),
                }
            }
        }
        found
    }

    pub(super) fn loose(&self) -> &OrdSet<u32> {
        &self.loose
    }

    fn cells_mut(&mut self, place: Place) -> &mut Cells {
        let empty = || Cells { fresh: OrdMap::new(), arrays: OrdMap::new(), input: None };
        self.cells.entry(place).or_insert_with(empty)
    }

    fn history(&self, place: Place) -> &Rc<History> {
        self.cells.get(&place).and_then(|cells| cells.input.as_ref()).unwrap_or(&self.base)
    }

    /// The narrow value of a place of an object that existed at the start.
    pub(super) fn read_input(
        &self,
        space: &mut Space,
        place: Place,
        kind: Kind<'_>,
        key: Term,
        index: Option<Term>,
        widen: &mut dyn FnMut(&mut Space, Term) -> Term,
    ) -> Term {
        let merged = FxHashMap::default();
        let mut reader = Reader { space, kind, key, index, widen, merged };
        reader.read(self.history(place))
    }

    pub(super) fn write_input(
        &mut self,
        place: Place,
        key: Term,
        index: Option<Term>,
        guard: Term,
        value: Term,
    ) {
        let before = self.history(place).clone();
        let depth = before.depth() + 1;
        let write = History::Write { key, index, guard, value, before, depth };
        self.cells_mut(place).input = Some(Rc::new(write));
    }

    /// Forgets what code outside may have changed: everything but final fields and objects of the run
    /// that it cannot know.
    pub(super) fn forget(
        &mut self,
        space: &mut Space,
        escaped: &[u32],
        is_final: impl Fn(Place) -> bool,
        element: impl Fn(Place) -> Sort,
    ) {
        self.base = Rc::new(History::After(self.trace));
        let places: Vec<Place> =
            self.cells.keys().copied().filter(|&place| !is_final(place)).collect();
        for place in places {
            if let Some(cells) = self.cells.get_mut(&place) {
                cells.input = None;
                for object in escaped {
                    cells.fresh.remove(object);
                    if let Some(array) = cells.arrays.get_mut(object) {
                        forget_array(space, array, *object, self.trace, element(place));
                    }
                }
            }
        }
        for &object in escaped {
            self.exposed.insert(object, self.trace);
            self.loose.insert(object);
        }
        self.statics = self
            .statics
            .iter()
            .filter(|&(&place, _)| is_final(place))
            .map(|(&p, &t)| (p, t))
            .collect();
        self.epoch = self.trace;
    }

    /// The writes to a place of objects that existed at the start, since the last unknown call.
    pub(super) fn writes(&self, place: Place) -> Option<&Rc<History>> {
        self.cells.get(&place)?.input.as_ref()
    }

    /// Whether a place of objects that existed at the start was written, or may have been.
    pub(super) fn is_written(&self, place: Place) -> bool {
        self.writes(place).is_some()
    }

    /// Whether a place of an object of the run was written.
    pub(super) fn is_written_fresh(&self, place: Place, object: u32) -> bool {
        self.cells.get(&place).is_some_and(|cells| {
            cells.fresh.contains_key(&object) || cells.arrays.contains_key(&object)
        })
    }

    /// Whether an array that existed at the start was written.
    pub(super) fn has_array_writes(&self, places: Vec<Place>) -> bool {
        places.into_iter().any(|place| self.is_written(place))
    }

    /// Every value that an object of the run, or an input, was given.
    pub(super) fn values_of(&self, object: u32) -> Vec<Term> {
        let mut found = Vec::new();
        for cells in self.cells.values() {
            found.extend(cells.fresh.get(&object));
            match cells.arrays.get(&object) {
                Some(ArrayCells::Known(cells)) => found.extend(cells.values()),
                Some(ArrayCells::Term(term)) => found.push(*term),
                None => {}
            }
        }
        found
    }

    /// Every value that was written where code outside can see it.
    pub(super) fn published(&self) -> Vec<Term> {
        let mut found: Vec<Term> = self.statics.values().copied().collect();
        let mut seen: FxHashSet<*const History> = FxHashSet::default();
        for cells in self.cells.values() {
            let mut open: Vec<&Rc<History>> = cells.input.iter().collect();
            while let Some(history) = open.pop() {
                if !seen.insert(Rc::as_ptr(history)) {
                    continue;
                }
                match &**history {
                    History::Start | History::After(_) => {}
                    History::Write { value, before, .. } => {
                        found.push(*value);
                        open.push(before);
                    }
                    History::Merge { first, second, .. } => open.extend([first, second]),
                }
            }
        }
        found
    }

    /// Two heaps that meet: the first where `condition` holds.
    pub(super) fn merge(
        &self,
        other: &Heap,
        condition: Term,
        space: &mut Space,
        start: &mut dyn Start,
    ) -> Heap {
        let mut merged = self.clone();
        merged.trace = space.terms.ite(condition, self.trace, other.trace);
        merged.held = space.terms.ite(condition, self.held, other.held);
        merged.epoch = space.terms.ite(condition, self.epoch, other.epoch);
        if !Rc::ptr_eq(&self.base, &other.base) {
            merged.base = merge_histories(&self.base, &other.base, condition, space);
        }
        if !self.cells.ptr_eq(&other.cells) {
            self.merge_cells(other, condition, space, start, &mut merged);
        }
        if !self.statics.ptr_eq(&other.statics) {
            for place in keys(&self.statics, &other.statics) {
                let one = self.statics.get(&place).copied();
                let two = other.statics.get(&place).copied();
                let (one, two) = match (one, two) {
                    (Some(one), Some(two)) => (one, two),
                    (Some(one), None) => (one, start.of_static(space, place, other)),
                    (None, Some(two)) => (start.of_static(space, place, self), two),
                    (None, None) => continue,
                };
                merged.statics.insert(place, space.terms.ite(condition, one, two));
            }
        }
        for (&object, &when) in &other.exposed {
            let when = match self.exposed.get(&object) {
                Some(&mine) => space.terms.ite(condition, mine, when),
                None => when,
            };
            merged.exposed.insert(object, when);
        }
        if !self.loose.ptr_eq(&other.loose) {
            merged.loose = self.loose.clone().union(other.loose.clone());
        }
        merged
    }

    fn merge_cells(
        &self,
        other: &Heap,
        condition: Term,
        space: &mut Space,
        start: &mut dyn Start,
        merged: &mut Heap,
    ) {
        for place in keys(&self.cells, &other.cells) {
            let empty = Cells { fresh: OrdMap::new(), arrays: OrdMap::new(), input: None };
            let one = self.cells.get(&place).unwrap_or(&empty);
            let two = other.cells.get(&place).unwrap_or(&empty);
            let mut cells = one.clone();
            if !one.fresh.ptr_eq(&two.fresh) {
                let mut absent = |space: &mut Space, object: u32, heap: &Heap| {
                    start.of_fresh(space, place, object, heap)
                };
                cells.fresh = merge_known(
                    &one.fresh,
                    &two.fresh,
                    condition,
                    space,
                    &mut |space, object, is_first| {
                        absent(space, object, if is_first { self } else { other })
                    },
                );
            }
            if !one.arrays.ptr_eq(&two.arrays) {
                for object in keys(&one.arrays, &two.arrays) {
                    let array = match (one.arrays.get(&object), two.arrays.get(&object)) {
                        (Some(a), Some(b)) => {
                            let mut zero = |space: &mut Space| start.zero(space, place);
                            merge_arrays(a, b, condition, space, &mut zero)
                        }
                        // An array is there from its allocation: the other side has no such object.
                        (Some(only), None) | (None, Some(only)) => only.clone(),
                        (None, None) => continue,
                    };
                    cells.arrays.insert(object, array);
                }
            }
            let (mine, theirs) = (self.history(place), other.history(place));
            if one.input.is_some() || two.input.is_some() {
                cells.input = Some(merge_histories(mine, theirs, condition, space));
            }
            merged.cells.insert(place, cells);
        }
    }
}

fn forget_array(space: &mut Space, array: &mut ArrayCells, object: u32, when: Term, element: Sort) {
    let sort = space.terms.array_sort(Sort::BitVec(32), element);
    let address = space.fresh_address(object);
    let name = format!("elements@ {element:?}");
    *array = ArrayCells::Term(space.apply(&name, &[address, when], sort));
}

fn keys<A: Clone, B: Clone>(one: &OrdMap<u32, A>, two: &OrdMap<u32, B>) -> Vec<u32> {
    let mut keys: Vec<u32> = one.keys().chain(two.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn merge_known(
    one: &OrdMap<u32, Term>,
    two: &OrdMap<u32, Term>,
    condition: Term,
    space: &mut Space,
    absent: &mut dyn FnMut(&mut Space, u32, bool) -> Term,
) -> OrdMap<u32, Term> {
    let mut merged = one.clone();
    let changes: Vec<(u32, Option<Term>, Option<Term>)> = one
        .diff(two)
        .map(|item| match item {
            imbl::ordmap::DiffItem::Add(&key, &new) => (key, None, Some(new)),
            imbl::ordmap::DiffItem::Update { old: (&key, &old), new: (_, &new) } => {
                (key, Some(old), Some(new))
            }
            imbl::ordmap::DiffItem::Remove(&key, &old) => (key, Some(old), None),
        })
        .collect();
    for (key, mine, theirs) in changes {
        // An object that one side never wrote to is zero there, or does not exist and any value does.
        let mine = mine.unwrap_or_else(|| absent(space, key, true));
        let theirs = theirs.unwrap_or_else(|| absent(space, key, false));
        merged.insert(key, space.terms.ite(condition, mine, theirs));
    }
    merged
}

fn merge_arrays(
    one: &ArrayCells,
    two: &ArrayCells,
    condition: Term,
    space: &mut Space,
    zero: &mut dyn FnMut(&mut Space) -> Term,
) -> ArrayCells {
    match (one, two) {
        (ArrayCells::Known(a), ArrayCells::Known(b)) => {
            ArrayCells::Known(merge_known(a, b, condition, space, &mut |space, _, _| zero(space)))
        }
        (a, b) => {
            let (a, b) = (array_term(a, space, zero), array_term(b, space, zero));
            ArrayCells::Term(space.terms.ite(condition, a, b))
        }
    }
}

/// The cells as a term of an array sort.
pub(super) fn array_term(
    cells: &ArrayCells,
    space: &mut Space,
    zero: &mut dyn FnMut(&mut Space) -> Term,
) -> Term {
    match cells {
        ArrayCells::Term(term) => *term,
        ArrayCells::Known(cells) => {
            let zero = zero(space);
            let element = space.terms.sort(zero);
            let sort = space.terms.array_sort(Sort::BitVec(32), element);
            let mut array = space.terms.const_array(sort, zero);
            for (&index, &value) in cells {
                let index = space.terms.bitvec(32, u64::from(index));
                array = space.terms.store(array, index, value);
            }
            array
        }
    }
}
