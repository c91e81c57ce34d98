//! Two runs on the same initial heap: when do their outcomes differ?
//!
//! Compared are how the calls end, what they return or throw, every place of every object that existed
//! before, static fields, and the sequence of calls to the outside, with the heap that each of them
//! sees. Objects that the runs made are compared in lock step from where they become visible: one
//! object of the first run stands for one of the second and the other way round, whatever their
//! addresses.

use program::{Kind, Type};
use smt::{Sort, Term};

use super::calls::n_calls;
use super::heap::Place;
use super::models::CAPACITY;
use super::space::{FreshKind, KEY, Leaf, Space};
use super::{Engine, Outcome, State};

/// Pairs of new objects that are looked at before the comparison is given up.
const MOST_PAIRS: usize = 4_000;
/// Pairs of these that exclude each other.
const MOST_SPLITS: usize = 4_000;
/// Pairs of calls to the outside that are looked at.
const MOST_CALLS: usize = 300;

/// One of the two runs.
pub struct Run<'a, 'p> {
    pub engine: &'a mut Engine<'p>,
    pub outcome: &'a Outcome,
}

pub(super) type Compared<T> = Result<T, String>;

/// The condition under which the runs differ, or what kept it from being said. The second engine
/// holds the space, on its own side.
pub fn differ<'p, 'q>(
    first: Run<'_, 'p>,
    second: Run<'_, 'q>,
    result: Option<Type>,
) -> Compared<Term> {
    let mut comparison = Comparison::new(first.engine, second.engine);
    comparison.compare_calls()?;
    comparison.compare_ends((first.outcome, second.outcome), result)?;
    comparison.finish()
}

#[derive(Clone, Copy)]
struct Pair {
    one: u32,
    two: u32,
    guard: Term,
    moment: Moment,
    /// Whether nobody can tell of which interface they are, if they are lambdas.
    is_called_only: bool,
}

/// A pair of states that are compared, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment(usize);

struct States {
    one: State,
    two: State,
    /// How many objects each run had when names were given: older ones correspond by number alone.
    named: (u32, u32),
    /// Whether both runs are over: nothing that they do depends on which of two empty arrays it is.
    is_end: bool,
}

pub(super) struct Comparison<'a, 'b, 'p, 'q> {
    pub(super) first: &'a mut Engine<'p>,
    pub(super) second: &'b mut Engine<'q>,
    pub(super) differences: Vec<Term>,
    pairs: Vec<Pair>,
    moments: Vec<States>,
    /// Whether what is compared was read of places that are only read to be called.
    pub(super) is_called_only: bool,
}

impl<'a, 'b, 'p, 'q> Comparison<'a, 'b, 'p, 'q> {
    pub(super) fn new(
        first: &'a mut Engine<'p>,
        second: &'b mut Engine<'q>,
    ) -> Comparison<'a, 'b, 'p, 'q> {
        let (differences, pairs, moments) = (Vec::new(), Vec::new(), Vec::new());
        Comparison { first, second, differences, pairs, moments, is_called_only: false }
    }

    /// The condition under which anything differs that was compared so far.
    pub(super) fn finish(mut self) -> Compared<Term> {
        self.compare_pairs()?;
        self.check_mapping()?;
        let differences = std::mem::take(&mut self.differences);
        Ok(self.space().terms.or(&differences))
    }

    pub(super) fn moment(&mut self, one: &State, two: &State, named: (u32, u32)) -> Moment {
        let is_end = false;
        self.moments.push(States { one: one.clone(), two: two.clone(), named, is_end });
        Moment(self.moments.len() - 1)
    }

    /// Whether both runs are over at a moment.
    pub(super) fn is_end(&self, moment: Moment) -> bool {
        self.moments[moment.0].is_end
    }

    pub(super) fn space(&mut self) -> &mut Space {
        &mut self.second.space
    }

    /// Does something in the first run, which needs the space and its own objects for that.
    pub(super) fn in_first<R>(&mut self, act: impl FnOnce(&mut Engine<'p>) -> R) -> R {
        std::mem::swap(&mut self.first.space, &mut self.second.space);
        self.first.space.switch_side();
        let done = act(self.first);
        self.first.space.switch_side();
        std::mem::swap(&mut self.first.space, &mut self.second.space);
        done
    }

    /// Reads something of both states of a moment.
    pub(super) fn read<R>(
        &mut self,
        moment: Moment,
        one: impl FnOnce(&mut Engine<'p>, &State) -> R,
        two: impl FnOnce(&mut Engine<'q>, &State) -> R,
    ) -> (R, R) {
        let state = self.moments[moment.0].one.clone();
        let one = self.in_first(|engine| one(engine, &state));
        let state = self.moments[moment.0].two.clone();
        (one, two(self.second, &state))
    }

    pub(super) fn add(&mut self, guard: Term, differ: Term) {
        let difference = self.space().terms.and2(guard, differ);
        self.differences.push(difference);
    }

    fn compare_ends(
        &mut self,
        (one, two): (&Outcome, &Outcome),
        result: Option<Type>,
    ) -> Compared<()> {
        let returned = |outcome: &Outcome| outcome.returned.clone();
        self.compare_end(returned(one), returned(two), |comparison, values, guard, moment| {
            let (Some(one), Some(two)) = values else { return Ok(()) };
            let kind = result.map_or(Kind::Int, Type::kind);
            comparison.compare_values(kind, one, two, guard, moment)
        })?;
        let thrown = |outcome: &Outcome| outcome.thrown.clone();
        self.compare_end(thrown(one), thrown(two), |comparison, (one, two), guard, moment| {
            comparison.compare_exceptions(one, two, guard, moment)
        })
    }

    pub(super) fn compare_end<T>(
        &mut self,
        one: Option<(State, T)>,
        two: Option<(State, T)>,
        compare: impl FnOnce(&mut Self, (T, T), Term, Moment) -> Compared<()>,
    ) -> Compared<()> {
        let guard = |state: Option<&(State, T)>, space: &mut Space| match state {
            Some((state, _)) => state.path.term(&mut space.terms),
            None => space.terms.bool(false),
        };
        let guards = (guard(one.as_ref(), self.space()), guard(two.as_ref(), self.space()));
        let apart = self.space().terms.xor(guards.0, guards.1);
        self.differences.push(apart);
        let both = self.space().terms.and2(guards.0, guards.1);
        let (Some((one, one_value)), Some((two, two_value))) = (one, two) else { return Ok(()) };
        if self.space().terms.is_false(both) {
            return Ok(());
        }
        let moment = self.moment(&one, &two, (0, 0));
        self.moments[moment.0].is_end = true;
        compare(self, (one_value, two_value), both, moment)?;
        self.compare_trace(both, moment);
        self.compare_states(both, moment)
    }

    pub(super) fn compare_values(
        &mut self,
        kind: Kind,
        one: Term,
        two: Term,
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        match kind {
            Kind::Int | Kind::Long | Kind::Float | Kind::Double => {
                let differ = self.space().terms.ne(one, two);
                self.add(guard, differ);
                Ok(())
            }
            Kind::Ref => self.compare_refs(one, two, guard, moment),
        }
    }

    pub(super) fn compare_refs(
        &mut self,
        one: Term,
        two: Term,
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        let ones = self.space().leaves(one).ok_or("a reference to one of too many objects")?;
        let twos = self.space().leaves(two).ok_or("a reference to one of too many objects")?;
        for &(one_guard, one) in ones.iter() {
            for &(two_guard, two) in twos.iter() {
                let mut here = self.space().terms.and(&[guard, one_guard, two_guard]);
                if self.space().terms.is_false(here) {
                    continue;
                }
                let empty = self.both_empty((one, two), moment);
                if let Some(alike) = empty.or_else(|| self.both_say((one, two), here, moment)) {
                    let not_alike = self.space().terms.not(alike);
                    here = self.space().terms.and2(here, not_alike);
                }
                match (one, two) {
                    (Leaf::Null, Leaf::Null) => {}
                    (Leaf::Input(one), Leaf::Input(two)) => {
                        let differ = self.space().terms.ne(one, two);
                        self.add(here, differ);
                    }
                    (Leaf::Fresh(one), Leaf::Fresh(two)) => {
                        self.pair_up((one, two), here, moment, self.is_called_only);
                    }
                    // A key may be that of null.
                    (Leaf::Input(key), Leaf::Null) | (Leaf::Null, Leaf::Input(key)) => {
                        let zero = self.space().terms.bitvec(31, 0);
                        let differ = self.space().terms.ne(key, zero);
                        self.add(here, differ);
                    }
                    (Leaf::Null | Leaf::Input(_) | Leaf::Fresh(_), _) => {
                        self.differences.push(here);
                    }
                }
            }
        }
        Ok(())
    }

    fn pair_up(
        &mut self,
        (one, two): (u32, u32),
        guard: Term,
        moment: Moment,
        is_called_only: bool,
    ) {
        self.pairs.push(Pair { one, two, guard, moment, is_called_only });
    }

    /// Calls to the outside that are the same call see the same heap.
    fn compare_calls(&mut self) -> Compared<()> {
        let ones = std::mem::take(&mut self.first.events);
        let twos = std::mem::take(&mut self.second.events);
        let mut n_pairs = 0;
        for one in &ones {
            for two in &twos {
                if one.text != two.text || one.arguments.len() != two.arguments.len() {
                    continue;
                }
                let (a, b) = (one.state.heap.trace, two.state.heap.trace);
                if !self.may_be_level(a, b) {
                    continue;
                }
                let mut same = vec![self.space().terms.eq(a, b)];
                for (&a, &b) in one.arguments.iter().zip(&two.arguments) {
                    same.push(self.space().terms.eq(a, b));
                }
                same.push(one.state.path.term(&mut self.space().terms));
                same.push(two.state.path.term(&mut self.space().terms));
                let guard = self.space().terms.and(&same);
                if self.space().terms.is_false(guard) {
                    continue;
                }
                n_pairs += 1;
                if n_pairs > MOST_CALLS {
                    return Err("too many calls to the outside".to_owned());
                }
                let moment = self.moment(&one.state, &two.state, (0, 0));
                for (&a, &b) in one.arguments.iter().zip(&two.arguments) {
                    if self.space().terms.sort(a) == Sort::BitVec(32) {
                        self.visit_objects(a, b, guard, moment);
                    }
                }
                self.compare_states(guard, moment)?;
            }
        }
        Ok(())
    }

    /// New objects among equal arguments; an int of the same value is taken for one: harmless.
    fn visit_objects(&mut self, one: Term, two: Term, guard: Term, moment: Moment) {
        let (Some(ones), Some(twos)) = (self.space().leaves(one), self.space().leaves(two)) else {
            self.differences.push(guard);
            return;
        };
        let n_objects =
            (self.in_first(|engine| engine.space.fresh.len()), self.space().fresh.len());
        for &(one_guard, one) in ones.iter() {
            for &(two_guard, two) in twos.iter() {
                let (Leaf::Fresh(one), Leaf::Fresh(two)) = (one, two) else { continue };
                let known = (one as usize) < n_objects.0 && (two as usize) < n_objects.1;
                if one == two && known {
                    let guard = self.space().terms.and(&[guard, one_guard, two_guard]);
                    self.pair_up((one, two), guard, moment, false);
                }
            }
        }
    }

    /// Whether two sequences of calls can be of the same length.
    fn may_be_level(&mut self, one: Term, two: Term) -> bool {
        let space = self.space();
        let (one, two) = (n_calls(space, one), n_calls(space, two));
        one.0 <= two.1 && two.0 <= one.1
    }

    pub(super) fn compare_trace(&mut self, guard: Term, moment: Moment) {
        let trace = |state: &State| state.heap.trace;
        let (one, two) = self.read(moment, |_, state| trace(state), |_, state| trace(state));
        let differ = self.space().terms.ne(one, two);
        self.add(guard, differ);
    }

    /// Objects that existed before, and static fields.
    pub(super) fn compare_states(&mut self, guard: Term, moment: Moment) -> Compared<()> {
        for name in self.touched(moment, |state, place| state.heap.is_written(place)) {
            self.compare_place(&name, guard, moment)?;
        }
        for name in self.touched(moment, |state, place| state.heap.statics.contains_key(&place)) {
            self.compare_static(&name, guard, moment)?;
        }
        // What code outside got to know it may look at.
        let exposed = |state: &State| state.heap.exposed_objects();
        let (one, two) = self.read(moment, |_, state| exposed(state), |_, state| exposed(state));
        for object in one.into_iter().filter(|object| two.contains(object)) {
            let is_called_only = self.are_retyped_lambdas(object);
            self.pair_up((object, object), guard, moment, is_called_only);
        }
        Ok(())
    }

    /// One place of every object that existed before.
    pub(super) fn compare_place(
        &mut self,
        name: &str,
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        let (one, two) = self.places_named(name)?;
        let object = self.space().symbol("some object", KEY);
        let index = self.space().symbol("some index", Sort::BitVec(32));
        let kind = self.second.place_type(two).kind();
        let (one, two) = self.read(
            moment,
            |engine, state| engine.read_anywhere(state, one, object, index),
            |engine, state| engine.read_anywhere(state, two, object, index),
        );
        let (Some(one), Some(two)) = (one, two) else { return Err("an unreadable place".into()) };
        self.compare_held(name, (kind, one, two), guard, moment)
    }

    pub(super) fn compare_static(
        &mut self,
        name: &str,
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        let (one, two) = self.places_named(name)?;
        let kind = self.second.place_type(two).kind();
        let (one, two) = self.read(
            moment,
            |engine, state| engine.static_value(state, one),
            |engine, state| engine.static_value(state, two),
        );
        self.compare_values(kind, one, two, guard, moment)
    }

    /// One place of two new objects.
    pub(super) fn compare_cell(
        &mut self,
        name: &str,
        (one, two): (u32, u32),
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        let (one_place, two_place) = self.places_named(name)?;
        let index = self.space().symbol("some index", Sort::BitVec(32));
        let kind = self.second.place_type(two_place).kind();
        let (a, b) = self.read(
            moment,
            |engine, state| engine.read_fresh_anywhere(state, one_place, one, index),
            |engine, state| engine.read_fresh_anywhere(state, two_place, two, index),
        );
        let (Some(a), Some(b)) = (a, b) else {
            return Err("a place of a new object cannot be read".to_owned());
        };
        self.compare_held(name, (kind, a, b), guard, moment)
    }

    /// The names of the places, in either run, of which something holds at a moment.
    fn touched(&mut self, moment: Moment, holds: impl Fn(&State, Place) -> bool) -> Vec<String> {
        let names = |engine: &mut Engine<'_>, state: &State| -> Vec<String> {
            let places = 0..engine.places.len() as Place;
            let touched = places.filter(|&place| holds(state, place));
            touched.map(|place| engine.places[place as usize].name().to_owned()).collect()
        };
        let (mut found, more) = self.read(
            moment,
            |engine, state| names(engine, state),
            |engine, state| names(engine, state),
        );
        found.extend(more);
        found.sort();
        found.dedup();
        found
    }

    /// The same place in both programs.
    fn places_named(&mut self, name: &str) -> Compared<(Place, Place)> {
        if name == "built" {
            self.second.assumptions.insert(CAPACITY.to_owned());
        }
        let one = self.in_first(|engine| engine.place_named(name));
        let two = self.second.place_named(name);
        match (one, two) {
            (Some(one), Some(two)) => Ok((one, two)),
            (_, _) => {
                let field = name.split(':').next().unwrap_or_default();
                Err(format!("only one version has the field {field}"))
            }
        }
    }

    /// New objects that stand for each other, until nothing new comes up.
    fn compare_pairs(&mut self) -> Compared<()> {
        let mut at = 0;
        let mut known = rustc_hash::FxHashSet::default();
        while let Some(&pair) = self.pairs.get(at) {
            at += 1;
            if !known.insert((pair.one, pair.two, pair.guard, pair.moment.0, pair.is_called_only)) {
                continue;
            }
            if known.len() > MOST_PAIRS {
                return Err("too many new objects".to_owned());
            }
            self.compare_pair(pair)?;
        }
        Ok(())
    }

    fn compare_pair(&mut self, pair: Pair) -> Compared<()> {
        let Pair { one, two, guard, moment, is_called_only } = pair;
        let look = |engine: &Engine<'_>, object: u32| {
            let fresh = &engine.space.fresh[object as usize];
            (fresh.class, fresh.kind.clone(), fresh.born)
        };
        let one_kind = self.in_first(|engine| look(engine, one));
        let two_kind = look(self.second, two);
        if let (FreshKind::Lambda(one), FreshKind::Lambda(two)) = (&one_kind.1, &two_kind.1) {
            return self.compare_lambdas((*one, *two), is_called_only, guard, moment);
        }
        let named = self.moments[moment.0].named;
        let is_named = one_kind.2 <= named.0 || two_kind.2 <= named.1;
        if one_kind.0 != two_kind.0 || (is_named && one != two) {
            self.differences.push(guard);
            return Ok(());
        }
        let string = self.second.type_number(Type::class(self.second.program.known.string));
        match (&one_kind.1, &two_kind.1) {
            (FreshKind::Array(a), FreshKind::Array(b)) => {
                let differ = self.space().terms.ne(*a, *b);
                self.add(guard, differ);
            }
            (FreshKind::Lambda(_), _) | (_, FreshKind::Lambda(_)) => {
                self.differences.push(guard);
                return Ok(());
            }
            // The JVM's own exceptions say something else than those of the code.
            (FreshKind::Object, FreshKind::Implicit) | (FreshKind::Implicit, FreshKind::Object)
                if one_kind.0 != string =>
            {
                self.differences.push(guard);
                return Ok(());
            }
            (FreshKind::Object | FreshKind::Implicit | FreshKind::Array(_), _) => {}
        }
        for name in self.written((one, two), moment) {
            self.compare_cell(&name, (one, two), guard, moment)?;
        }
        Ok(())
    }

    /// The places of two new objects that were written in either run.
    pub(super) fn written(&mut self, (one, two): (u32, u32), moment: Moment) -> Vec<String> {
        let of_object = |object: u32| {
            move |state: &State, place: Place| state.heap.is_written_fresh(place, object)
        };
        let mut names = self.touched(moment, of_object(one));
        names.extend(self.touched(moment, of_object(two)));
        names.sort();
        names.dedup();
        names
    }

    /// No object stands for two at a time.
    fn check_mapping(&mut self) -> Compared<()> {
        let mut pairs = std::mem::take(&mut self.pairs);
        let mut seen = rustc_hash::FxHashSet::default();
        pairs.retain(|pair| seen.insert((pair.one, pair.two, pair.guard, pair.moment.0)));
        let mut n_split = 0;
        for (at, one) in pairs.iter().enumerate() {
            for two in &pairs[..at] {
                let is_split = (one.one == two.one) != (one.two == two.two);
                if is_split && one.moment == two.moment {
                    n_split += 1;
                    if n_split > MOST_SPLITS {
                        return Err("too many new objects".to_owned());
                    }
                    let both = self.space().terms.and2(one.guard, two.guard);
                    self.differences.push(both);
                }
            }
        }
        Ok(())
    }
}
