//! The heap of a run: per field, what was written since the start.
//!
//! Objects of the run itself are exact: one cell per field and object. For objects that existed at the
//! start there is a history of writes over the initial heap; a read asks each write whether it hit the
//! same object, as a term. Nothing forks on aliasing. Arrays are the same with an index.
//!
//! States share structure, so that a copy at every instruction that can throw costs nothing, and
//! merging two states costs what they wrote since they parted.

use std::rc::Rc;

use imbl::OrdMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Term};

use super::space::{KEY, Space, TRACE};

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
    /// Objects of the run that code outside may have changed, and when.
    exposed: OrdMap<u32, Term>,
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

/// Writes to objects that existed at the start.
pub(super) enum History {
    /// The initial heap.
    Start,
    /// After a call to the outside: anything may have been written.
    After(Term),
    Write {
        key: Term,
        index: Option<Term>,
        guard: Term,
        value: Term,
        before: Rc<History>,
        depth: u32,
    },
    Merge {
        condition: Term,
        first: Rc<History>,
        second: Rc<History>,
        /// What both grew from.
        common: Option<Rc<History>>,
        depth: u32,
    },
}

impl History {
    fn depth(&self) -> u32 {
        match self {
            History::Start => 0,
            History::After(_) => 1,
            History::Write { depth, .. } | History::Merge { depth, .. } => *depth,
        }
    }
}

/// Branches with so many writes, both together, become writes with guards; longer ones stay apart.
const INLINED: usize = 4;
/// Branches with more writes are not compared write by write.
const PAIRED: usize = 64;

/// What a place holds, for reading where nothing was written.
#[derive(Clone, Copy)]
pub(super) struct Kind<'a> {
    pub(super) name: &'a str,
    /// In the initial heap, where bytes are 8 bits wide.
    pub(super) narrow: Sort,
    /// Final fields of other objects stay what they are.
    pub(super) is_final: bool,
}

/// What places hold that a run has not written.
pub(super) trait Start {
    fn zero(&mut self, space: &mut Space, place: Place) -> Term;
    fn of_fresh(
        &mut self,
        space: &mut Space,
        place: Place,
        object: u32,
        exposed: Option<Term>,
    ) -> Term;
    fn of_static(&mut self, space: &mut Space, place: Place, epoch: Term) -> Term;
}

impl Heap {
    pub(super) fn new(trace: Term) -> Heap {
        Heap {
            cells: OrdMap::new(),
            statics: OrdMap::new(),
            base: Rc::new(History::Start),
            trace,
            epoch: trace,
            exposed: OrdMap::new(),
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
                    (Some(one), None) => (one, start.of_static(space, place, other.epoch)),
                    (None, Some(two)) => (start.of_static(space, place, self.epoch), two),
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
                    start.of_fresh(space, place, object, heap.exposed_at(object))
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

fn merge_histories(
    one: &Rc<History>,
    two: &Rc<History>,
    condition: Term,
    space: &mut Space,
) -> Rc<History> {
    if Rc::ptr_eq(one, two) {
        return one.clone();
    }
    let common = common_past(one, two);
    let writes = common.as_ref().and_then(|common| {
        let (mine, theirs) = (writes_since(one, common)?, writes_since(two, common)?);
        Some((common, mine, theirs))
    });
    if let Some((common, mine, theirs)) = writes {
        if let Some(both) = pair_writes(&mine, &theirs, condition, space) {
            return both.into_iter().fold(common.clone(), write);
        }
        if mine.len() + theirs.len() <= INLINED {
            let contrary = space.terms.not(condition);
            let mut merged = common.clone();
            for (writes, side) in [(mine, condition), (theirs, contrary)] {
                for (key, index, guard, value) in writes {
                    let guard = space.terms.and2(guard, side);
                    merged = write(merged, (key, index, guard, value));
                }
            }
            return merged;
        }
    }
    let depth = one.depth().max(two.depth()) + 1;
    let (first, second) = (one.clone(), two.clone());
    Rc::new(History::Merge { condition, first, second, common, depth })
}

type Write = (Term, Option<Term>, Term, Term);

/// Both branches wrote the same places in the same order: each write once, with the value chosen.
fn pair_writes(
    mine: &[Write],
    theirs: &[Write],
    condition: Term,
    space: &mut Space,
) -> Option<Vec<Write>> {
    if mine.len() != theirs.len() {
        return None;
    }
    let same = |(one, two): (&Write, &Write)| (one.0, one.1, one.2) == (two.0, two.1, two.2);
    if !mine.iter().zip(theirs).all(same) {
        return None;
    }
    let both = mine.iter().zip(theirs).map(|(one, two)| {
        let value = space.terms.ite(condition, one.3, two.3);
        (one.0, one.1, one.2, value)
    });
    Some(both.collect())
}

fn write(before: Rc<History>, (key, index, guard, value): Write) -> Rc<History> {
    let depth = before.depth() + 1;
    Rc::new(History::Write { key, index, guard, value, before, depth })
}

/// The history that both grew from.
fn common_past(one: &Rc<History>, two: &Rc<History>) -> Option<Rc<History>> {
    let (mut one, mut two) = (one.clone(), two.clone());
    while !Rc::ptr_eq(&one, &two) {
        let deeper = if one.depth() >= two.depth() { &mut one } else { &mut two };
        let before = match &**deeper {
            History::Write { before, .. } => before.clone(),
            History::Merge { common, .. } => common.clone()?,
            History::Start | History::After(_) => return None,
        };
        *deeper = before;
    }
    Some(one)
}

/// What was written since, oldest first, if nothing was merged on the way and it is not much.
fn writes_since(history: &Rc<History>, past: &Rc<History>) -> Option<Vec<Write>> {
    let mut writes = Vec::new();
    let mut current = history;
    while !Rc::ptr_eq(current, past) {
        let History::Write { key, index, guard, value, before, .. } = &**current else {
            return None;
        };
        writes.push((*key, *index, *guard, *value));
        if writes.len() > PAIRED {
            return None;
        }
        current = before;
    }
    writes.reverse();
    Some(writes)
}

struct Reader<'a, 'k> {
    space: &'a mut Space,
    kind: Kind<'k>,
    key: Term,
    index: Option<Term>,
    widen: &'a mut dyn FnMut(&mut Space, Term) -> Term,
    /// What was read where histories had met: they share their pasts, and a past is read once.
    merged: FxHashMap<*const History, Term>,
}

impl Reader<'_, '_> {
    /// From the oldest merge on, so that what histories share is read once, and without recursion but
    /// for branches inside branches.
    fn read(&mut self, history: &Rc<History>) -> Term {
        let mut merges = Vec::new();
        let mut current = history;
        while !self.merged.contains_key(&Rc::as_ptr(current)) {
            current = match &**current {
                History::Start | History::After(_) => break,
                History::Write { before, .. } => before,
                History::Merge { common, first, .. } => {
                    merges.push(current);
                    common.as_ref().unwrap_or(first)
                }
            };
        }
        for merge in merges.into_iter().rev() {
            let History::Merge { condition, first, second, common, .. } = &**merge else {
                continue;
            };
            if let Some(common) = common {
                let value = self.read_writes(common);
                self.merged.insert(Rc::as_ptr(common), value);
            }
            let (first, second) = (self.read_writes(first), self.read_writes(second));
            let value = self.space.terms.ite(*condition, first, second);
            self.merged.insert(Rc::as_ptr(merge), value);
        }
        self.read_writes(history)
    }

    fn read_writes(&mut self, history: &Rc<History>) -> Term {
        let mut hits: Vec<(Term, Term)> = Vec::new();
        let mut current = history;
        let base = loop {
            if let Some(&known) = self.merged.get(&Rc::as_ptr(current)) {
                break known;
            }
            match &**current {
                History::Start => break self.initial(None),
                History::After(_) if self.kind.is_final => break self.initial(None),
                History::After(epoch) => break self.initial(Some(*epoch)),
                History::Merge { .. } => break self.read(current),
                History::Write { key, index, guard, value, before, .. } => {
                    let terms = &mut self.space.terms;
                    let mut hit = terms.eq(*key, self.key);
                    if let (Some(one), Some(two)) = (*index, self.index) {
                        let same = terms.eq(one, two);
                        hit = terms.and2(hit, same);
                    }
                    hit = terms.and2(hit, *guard);
                    if terms.is_true(hit) {
                        break *value;
                    }
                    if !terms.is_false(hit) {
                        hits.push((hit, *value));
                    }
                    current = before;
                }
            }
        };
        let mut value = base;
        for (hit, written) in hits.into_iter().rev() {
            value = self.space.terms.ite(hit, written, value);
        }
        value
    }

    fn initial(&mut self, epoch: Option<Term>) -> Term {
        let mut arguments = vec![self.key];
        arguments.extend(self.index);
        let name = match epoch {
            None => self.kind.name.to_owned(),
            Some(epoch) => {
                arguments.push(epoch);
                format!("{}@", self.kind.name)
            }
        };
        debug_assert_eq!(self.space.terms.sort(self.key), KEY);
        debug_assert!(epoch.is_none_or(|epoch| self.space.terms.sort(epoch) == TRACE));
        let narrow = self.space.apply(&name, &arguments, self.kind.narrow);
        (self.widen)(self.space, narrow)
    }
}
