//! Loops cut at their headers, for proofs by induction.
//!
//! Where a loop is cut, its header is entered once, in a state that stands for every arrival at it: what
//! the loop changes is replaced by symbols, its body runs once, and states that come back to the header
//! are collected instead of followed. What leaves the loop goes on from there. A [`Cut`] holds the three
//! states; whether the symbols cover every turn is for the caller to prove.
//!
//! What a loop changes is found by running it: a first guess (nothing) is widened by what the states at
//! the back edge show ([`Shape::grow`]), until nothing new shows. Two runs share a symbol where its name
//! is the same in both, which is how relations between two loops are said.
//!
//! Objects made in earlier turns are, in the state at the header, objects like those that existed at the
//! start: nothing more is known of them than their place in the heap says.

use std::collections::{BTreeMap, BTreeSet};

use program::ir::BlockId;
use program::{Kind, MethodId};
use smt::{Sort, Term};

use super::bounds::{self, Bound};
use super::heap::{ArrayCells, Change, Place};
use super::run::Waiting;
use super::space::{FreshKind, KEY, Leaf, TRACE};
use super::{Engine, State};

/// Which loops are cut in a run, and what is known of them.
#[derive(Debug, Clone, Default)]
pub struct LoopPlan {
    /// Headers.
    pub cut: BTreeSet<(MethodId, u32)>,
    /// In the order in which the run enters them.
    pub shapes: Vec<Shape>,
    /// How many turns are made before a loop is cut.
    pub peel: u32,
    /// How many turns, beyond one, are made between two arrivals that count.
    pub more_turns: u32,
    /// Whether inequalities between the parameters are tried too.
    pub has_bounds: bool,
    /// Whether copies of unknown length are one step.
    pub copies_at_once: bool,
}

impl LoopPlan {
    pub(super) fn stride(&self) -> u32 {
        self.more_turns + 1
    }
}

/// What a loop changes, and what the changed places are called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// Which loop it is of: method, header, and how many values it uses unchanged.
    of: Option<(MethodId, u32, usize)>,
    /// By parameter of the header.
    pub slots: Vec<Slot>,
    /// Places of objects that existed before.
    pub places: BTreeMap<String, Label>,
    pub statics: BTreeMap<String, Label>,
    /// Places of objects of the run that are older than the loop.
    pub cells: BTreeMap<(String, u32), Label>,
    /// Of those that hold numbers: what they were on entry, plus so much per turn, or nothing of the kind.
    pub steps: BTreeMap<(String, u32), Option<u64>>,
    /// The sequence of calls to the outside, and with it everything that those may change.
    pub calls: Option<Label>,
    /// Objects of the run that what is unknown may refer to.
    pub loose: BTreeSet<u32>,
    /// Of them, those that code outside knows.
    exposed: BTreeSet<u32>,
    /// What is hoped to hold of its parameters; nothing until the loop was met.
    pub bounds: Option<Vec<Bound>>,
}

/// A name of a symbol: one of both runs, or of one alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    Shared(u32),
    Own(u32),
}

/// What a parameter of the header is in the state that stands for all turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    pub form: Form,
    /// Objects of the run, older than the loop, that it may be.
    pub objects: BTreeSet<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A symbol.
    Free(Label),
    /// What it was on entry, plus a symbol.
    Offset(Label),
    /// What it was on entry, plus so much per turn.
    Step(u64),
    /// What it was on entry, plus a value that the loop uses unchanged, by its number, per turn.
    StepBy(usize),
}

/// A loop as a run met it.
#[derive(Clone)]
pub struct Cut {
    pub method: MethodId,
    pub header: u32,
    pub kinds: Vec<Kind>,
    /// What the loop uses and does not change.
    pub live: Vec<(Kind, Term)>,
    pub entry: Arrival,
    /// The state that stands for every arrival.
    pub all: Arrival,
    /// What came back to the header.
    pub back: Option<Arrival>,
    /// How many objects the run had on entry.
    pub n_older: u32,
    /// How many terms there were on entry: symbols among them are what they are in every turn.
    pub n_terms: usize,
    pub shape: Shape,
}

/// A field that a loop changes.
pub struct ChangedField {
    pub of: (String, u32),
    pub kind: Kind,
    pub all: Term,
    pub entry: Term,
    pub back: Term,
}

/// A state at a header, with the values of its parameters.
#[derive(Clone)]
pub struct Arrival {
    pub state: State,
    pub values: Vec<Term>,
}

impl Label {
    fn text(self, side: &str) -> String {
        match self {
            Label::Shared(number) => format!("{number}"),
            Label::Own(number) => format!("{side}{number}"),
        }
    }
}

impl Engine<'_> {
    pub(super) fn is_cut(&self, method: MethodId, header: BlockId) -> bool {
        self.loops.cut.contains(&(method, header.index() as u32))
    }

    /// The state at a header that stands for every arrival there.
    pub(super) fn cut_loop(
        &mut self,
        method: MethodId,
        header: BlockId,
        kinds: &[Kind],
        n_parameters: usize,
        waiting: Waiting,
    ) -> Waiting {
        let at = self.cuts.len();
        let n_terms = self.space.terms.len();
        let live: Vec<(Kind, Term)> =
            kinds.iter().copied().zip(waiting.values.iter().copied()).skip(n_parameters).collect();
        let kinds = kinds[..n_parameters].to_vec();
        let mut shape = self.loops.shapes.get(at).cloned().unwrap_or_default();
        let of = Some((method, header.index() as u32, live.len()));
        if shape.of != of || shape.slots.len() != kinds.len() {
            // Another loop than the last time: what was known is of no use.
            shape = Shape { of, slots: first_slots(&kinds, &waiting.values), ..Shape::default() };
        }
        self.keep_older(&mut shape);
        let entry = Arrival {
            state: waiting.state.clone(),
            values: waiting.values[..kinds.len()].to_vec(),
        };
        let mut all = entry.clone();
        for (slot, &kind) in kinds.iter().enumerate() {
            let entry = entry.values[slot];
            all.values[slot] = self.slot_value(at, &shape.slots[slot], kind, entry, &live);
        }
        self.forget_changed(at, &shape, &mut all.state);
        if shape.bounds.is_none() {
            let hoped = self.loops.has_bounds.then(|| bounds::candidates(&kinds, &live));
            shape.bounds = Some(hoped.unwrap_or_default());
        }
        for bound in shape.bounds.iter().flatten() {
            let Some(holds) = self.bound_at(bound, &all, &entry.values, &live) else { continue };
            all.state.path = all.state.path.and(&self.space.terms, holds);
        }
        let mut values = waiting.values.clone();
        values[..kinds.len()].copy_from_slice(&all.values);
        let state = all.state.clone();
        let n_older = self.space.n_born();
        let header = header.index() as u32;
        let back = None;
        self.cuts.push(Cut {
            method,
            header,
            kinds,
            live,
            entry,
            all,
            back,
            n_older,
            n_terms,
            shape,
        });
        let is_back = waiting.is_back;
        Waiting { state, values, is_back }
    }

    /// Drops objects of an earlier run that this one has not made.
    fn keep_older(&self, shape: &mut Shape) {
        let exists = |&object: &u32| {
            let fresh = self.space.fresh.get(object as usize);
            fresh.is_some_and(|fresh| fresh.born <= self.space.n_born())
        };
        shape.loose.retain(exists);
        shape.exposed.retain(exists);
        shape.cells.retain(|(_, object), _| exists(object));
        shape.steps.retain(|(_, object), _| exists(object));
        for slot in &mut shape.slots {
            slot.objects.retain(exists);
        }
    }

    fn slot_value(
        &mut self,
        at: usize,
        slot: &Slot,
        kind: Kind,
        entry: Term,
        live: &[(Kind, Term)],
    ) -> Term {
        let sort = Engine::kind_sort(kind);
        match slot.form {
            Form::Free(label) => {
                let name = format!("loop {at} value {}", label.text(self.side));
                if kind != Kind::Ref {
                    return self.space.symbol(&format!("{name} {sort:?}"), sort);
                }
                let key = self.space.symbol(&name, KEY);
                let mut value = self.space.input(key);
                for &object in &slot.objects {
                    let is_it = self.space.symbol(&format!("{name} is {object}"), Sort::Bool);
                    let address = self.space.fresh_address(object);
                    value = self.space.terms.ite(is_it, address, value);
                }
                value
            }
            Form::Offset(label) => {
                let name = format!("loop {at} value {} {sort:?}", label.text(self.side));
                let offset = self.space.symbol(&name, sort);
                self.space.terms.add(entry, offset)
            }
            Form::Step(step) => self.stepped(at, kind, entry, step),
            Form::StepBy(number) => {
                let turns = self.turns(at, sort);
                let way = self.space.terms.mul(live[number].1, turns);
                self.space.terms.add(entry, way)
            }
        }
    }

    /// A number after the turns so far.
    fn stepped(&mut self, at: usize, kind: Kind, entry: Term, step: u64) -> Term {
        let turns = self.turns(at, Engine::kind_sort(kind));
        let step = match kind {
            Kind::Long => self.space.terms.bitvec(64, step),
            Kind::Int | Kind::Ref | Kind::Float | Kind::Double => {
                self.space.terms.bitvec(32, step & u64::from(u32::MAX))
            }
        };
        let way = self.space.terms.mul(step, turns);
        self.space.terms.add(entry, way)
    }

    /// How often the loop has turned, modulo the width of the sort.
    fn turns(&mut self, at: usize, sort: Sort) -> Term {
        let turns = self.space.symbol(&format!("loop {at} turns"), Sort::BitVec(64));
        match sort {
            Sort::BitVec(64) => turns,
            _ => self.space.terms.extract(31, 0, turns),
        }
    }

    fn forget_changed(&mut self, at: usize, shape: &Shape, state: &mut State) {
        if let Some(label) = shape.calls {
            let name = format!("loop {at} calls {}", label.text(self.side));
            let exposed: Vec<u32> = shape.exposed.iter().copied().collect();
            state.heap.trace = self.space.symbol(&name, TRACE);
            self.forget(state, &exposed);
        }
        for (name, label) in &shape.places {
            let Some(place) = self.place_named(name) else { continue };
            let when = format!("loop {at} place {name} {}", label.text(self.side));
            let when = self.space.symbol(&when, TRACE);
            state.heap.forget_place(place, when);
        }
        state.heap.loosen(&shape.loose);
        for (name, label) in &shape.statics {
            let Some(place) = self.place_named(name) else { continue };
            let unknown = format!("loop {at} static {name} {}", label.text(self.side));
            let value = self.unknown_content(state, place, &unknown);
            state.heap.statics.insert(place, value);
        }
        for ((name, object), label) in &shape.cells {
            let Some(place) = self.place_named(name) else { continue };
            if let Some(&Some(step)) = shape.steps.get(&(name.clone(), *object)) {
                let kind = self.place_type(place).kind();
                let entry = self.read_leaf(state, place, Leaf::Fresh(*object));
                let value = self.stepped(at, kind, entry, step);
                state.heap.write_fresh(place, *object, value);
                continue;
            }
            let unknown = format!("loop {at} cell {name} of {object} {}", label.text(self.side));
            self.forget_cell(state, place, *object, &unknown);
        }
    }

    fn unknown_content(&mut self, state: &State, place: Place, name: &str) -> Term {
        let ty = self.place_type(place);
        let narrow = self.narrow_sort(ty);
        let symbol = self.space.symbol(name, narrow);
        let value = self.widen(symbol, ty);
        if ty.kind() != Kind::Ref {
            return value;
        }
        let mut value = value;
        for &object in state.heap.loose() {
            let is_it = self.space.symbol(&format!("{name} is {object}"), Sort::Bool);
            let address = self.space.fresh_address(object);
            value = self.space.terms.ite(is_it, address, value);
        }
        value
    }

    fn forget_cell(&mut self, state: &mut State, place: Place, object: u32, name: &str) {
        if let FreshKind::Array(_) = self.space.fresh[object as usize].kind
            && self.is_elements(place).is_some()
        {
            let element = Engine::kind_sort(self.place_type(place).kind());
            let sort = self.space.terms.array_sort(Sort::BitVec(32), element);
            let cells = self.space.symbol(name, sort);
            state.heap.write_array(place, object, ArrayCells::Term(cells));
            return;
        }
        let value = self.unknown_content(state, place, name);
        state.heap.write_fresh(place, object, value);
    }

    /// A state that comes back to a cut header.
    pub(super) fn collect_back(&mut self, cut: usize, values: &[Term], state: State) {
        let n_values = self.cuts[cut].kinds.len();
        let arrived = Arrival { state, values: values[..n_values].to_vec() };
        let merged = match self.cuts[cut].back.take() {
            None => arrived,
            Some(before) => {
                let (state, condition) = self.merge_states(&before.state, &arrived.state);
                let pairs = before.values.iter().zip(&arrived.values);
                let values =
                    pairs.map(|(&one, &two)| self.space.terms.ite(condition, one, two)).collect();
                Arrival { state, values }
            }
        };
        self.cuts[cut].back = Some(merged);
    }

    /// What a cut shows to be changed by its loop, added to what was known.
    pub fn grown(&mut self, cut: usize) -> Shape {
        let Cut { shape, back, all, entry, n_older, .. } = &self.cuts[cut];
        let mut grown = shape.clone();
        let Some(back) = back.clone() else { return grown };
        let (all, entry, n_older) = (all.clone(), entry.clone(), *n_older);
        let hoped = Label::Shared(0);
        if back.state.heap.trace != all.state.heap.trace {
            grown.calls.get_or_insert(hoped);
        }
        for change in back.state.heap.changes(&all.state.heap) {
            let (place, object) = match change {
                Change::Input(place) | Change::Static(place) => (place, None),
                Change::Cell(place, object) => (place, Some(object)),
            };
            let name = self.places[place as usize].name().to_owned();
            match change {
                Change::Input(_) => grown.places.entry(name).or_insert(hoped),
                Change::Static(_) => grown.statics.entry(name).or_insert(hoped),
                Change::Cell(..) => {
                    let Some(object) = object else { continue };
                    if self.space.fresh[object as usize].born > n_older {
                        continue;
                    }
                    grown.cells.entry((name, object)).or_insert(hoped)
                }
            };
        }
        for (slot, values) in grown.slots.iter_mut().zip(entry.values.iter().zip(&back.values)) {
            slot.objects.extend(self.older_objects(&[*values.0, *values.1], n_older));
        }
        let mut written = entry.state.heap.contents();
        written.extend(back.state.heap.contents());
        if !grown.places.is_empty()
            || !grown.statics.is_empty()
            || !grown.cells.is_empty()
            || grown.calls.is_some()
        {
            grown.loose.extend(self.older_objects(&written, n_older));
        }
        let is_older = |&object: &u32| self.space.fresh[object as usize].born <= n_older;
        grown.loose.extend(back.state.heap.loose().iter().copied().filter(is_older));
        grown.exposed.extend(back.state.heap.exposed_objects().into_iter().filter(is_older));
        grown
    }

    /// Numbers in fields of objects of the run that a loop changes: what they are at its header, on entry and
    /// on the way back. To the loop they are what its parameters are.
    pub fn changed_fields(&mut self, cut: usize) -> Vec<ChangedField> {
        let Cut { shape, back, all, entry, .. } = &self.cuts[cut];
        let Some(back) = back.clone() else { return Vec::new() };
        let (all, entry) = (all.state.clone(), entry.state.clone());
        let cells: Vec<(String, u32)> = shape.cells.keys().cloned().collect();
        let mut found = Vec::new();
        for (name, object) in cells {
            let Some(place) = self.place_named(&name) else { continue };
            let kind = self.place_type(place).kind();
            if kind == Kind::Ref || self.is_elements(place).is_some() {
                continue;
            }
            let [all, entry, back] = [&all, &entry, &back.state]
                .map(|state| self.read_leaf(state, place, Leaf::Fresh(object)));
            let of = (name, object);
            found.push(ChangedField { of, kind, all, entry, back });
        }
        found
    }

    /// Objects of the run that occur in the terms and are older than a loop.
    fn older_objects(&mut self, terms: &[Term], n_older: u32) -> BTreeSet<u32> {
        let mut marks = smt::Marks::new();
        let cone = self.space.terms.cone(terms, &mut marks);
        let mut found = BTreeSet::new();
        for term in cone {
            if self.space.terms.sort(term) != Sort::BitVec(32) {
                continue;
            }
            let Some(address) = self.space.terms.as_const(term) else { continue };
            let Some(object) = (address as u32).checked_sub(1 << 31) else { continue };
            // An int of the same value is taken for a reference: harmless.
            if let Some(fresh) = self.space.fresh.get(object as usize)
                && fresh.born <= n_older
            {
                found.insert(object);
            }
        }
        found
    }
}

/// Ints and longs are related by how far they have come, the others by what they are.
fn first_slots(kinds: &[Kind], entry: &[Term]) -> Vec<Slot> {
    let slots = kinds.iter().zip(entry).map(|(&kind, &value)| {
        let form = match kind {
            Kind::Int => Form::Offset(Label::Shared(0)),
            Kind::Long => Form::Offset(Label::Shared(1)),
            // Equal on entry, as terms: the same symbol, in both runs.
            Kind::Float | Kind::Double | Kind::Ref => {
                Form::Free(Label::Shared(2 + value.index() as u32))
            }
        };
        Slot { form, objects: BTreeSet::new() }
    });
    slots.collect()
}
