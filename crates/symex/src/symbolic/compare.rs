//! Two runs on the same initial heap: when do their outcomes differ?
//!
//! Compared are how the calls end, what they return or throw, every place of every object that existed
//! before, static fields, and the sequence of calls to the outside. Objects that the runs made are
//! compared in lock step from where they become visible: one object of the first run stands for one of
//! the second and the other way round, whatever their addresses.

use program::ir::ArrayKind;
use program::{Kind, Type};
use smt::{Sort, Term};

use super::heap::Place;
use super::space::{FreshKind, KEY, Leaf, Space};
use super::{Engine, Outcome, PlaceKey, State};

/// Pairs of new objects that are looked at before the comparison is given up.
const MOST_PAIRS: usize = 200;

/// One of the two runs.
pub struct Run<'a, 'p> {
    pub engine: &'a mut Engine<'p>,
    pub outcome: &'a Outcome,
}

/// The condition under which the runs differ, or what kept it from being said. The second engine
/// holds the space, on its own side.
pub fn differ<'p, 'q>(
    first: Run<'_, 'p>,
    second: Run<'_, 'q>,
    result: Option<Type>,
) -> Result<Term, String> {
    let mut comparison = Comparison { first, second, differences: Vec::new(), pairs: Vec::new() };
    comparison.compare_ends(result)?;
    comparison.compare_pairs()?;
    comparison.check_mapping();
    let differences = std::mem::take(&mut comparison.differences);
    Ok(comparison.space().terms.or(&differences))
}

#[derive(Clone, Copy)]
struct Pair {
    one: u32,
    two: u32,
    guard: Term,
    end: End,
}

/// Which pair of end states is being compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Returned,
    Thrown,
}

struct Comparison<'a, 'b, 'p, 'q> {
    first: Run<'a, 'p>,
    second: Run<'b, 'q>,
    differences: Vec<Term>,
    pairs: Vec<Pair>,
}

fn end_state(outcome: &Outcome, end: End) -> Option<&State> {
    match end {
        End::Returned => outcome.returned.as_ref().map(|(state, _)| state),
        End::Thrown => outcome.thrown.as_ref().map(|(state, _)| state),
    }
}

impl<'p, 'q> Comparison<'_, '_, 'p, 'q> {
    fn space(&mut self) -> &mut Space {
        &mut self.second.engine.space
    }

    /// Does something in the first run, which needs the space and its own objects for that.
    fn in_first<R>(&mut self, act: impl FnOnce(&mut Engine<'p>, &Outcome) -> R) -> R {
        std::mem::swap(&mut self.first.engine.space, &mut self.second.engine.space);
        self.first.engine.space.switch_side();
        let done = act(self.first.engine, self.first.outcome);
        self.first.engine.space.switch_side();
        std::mem::swap(&mut self.first.engine.space, &mut self.second.engine.space);
        done
    }

    fn in_second<R>(&mut self, act: impl FnOnce(&mut Engine<'q>, &Outcome) -> R) -> R {
        act(self.second.engine, self.second.outcome)
    }

    fn guards(&mut self, end: End) -> (Term, Term) {
        let guard_of = |engine: &mut Engine<'_>, outcome: &Outcome| match end_state(outcome, end) {
            Some(state) => engine.guard(state),
            None => engine.space.terms.bool(false),
        };
        (self.in_first(guard_of), self.in_second(guard_of))
    }

    fn compare_ends(&mut self, result: Option<Type>) -> Result<(), String> {
        for end in [End::Returned, End::Thrown] {
            let (one, two) = self.guards(end);
            let apart = self.space().terms.xor(one, two);
            self.differences.push(apart);
            let both = self.space().terms.and2(one, two);
            if self.space().terms.is_false(both) {
                continue;
            }
            let value = |outcome: &Outcome| match end {
                End::Returned => outcome.returned.as_ref().and_then(|(_, value)| *value),
                End::Thrown => outcome.thrown.as_ref().map(|(_, exception)| *exception),
            };
            let (one, two) = (value(self.first.outcome), value(self.second.outcome));
            if let (Some(one), Some(two)) = (one, two) {
                match end {
                    End::Returned => {
                        let kind = result.map_or(Kind::Int, Type::kind);
                        self.compare_values(kind, one, two, both, end)?;
                    }
                    End::Thrown => self.compare_exceptions(one, two, both)?,
                }
            }
            self.compare_states(both, end)?;
        }
        Ok(())
    }

    /// Exceptions are the same if their classes are.
    fn compare_exceptions(&mut self, one: Term, two: Term, guard: Term) -> Result<(), String> {
        let one = self.in_first(|engine, _| engine.class_of(one)).ok_or("too many exceptions")?;
        let two = self.in_second(|engine, _| engine.class_of(two)).ok_or("too many exceptions")?;
        let differ = self.space().terms.ne(one, two);
        let difference = self.space().terms.and2(guard, differ);
        self.differences.push(difference);
        Ok(())
    }

    fn compare_values(
        &mut self,
        kind: Kind,
        one: Term,
        two: Term,
        guard: Term,
        end: End,
    ) -> Result<(), String> {
        match kind {
            Kind::Int | Kind::Long | Kind::Float | Kind::Double => {
                let differ = self.space().terms.ne(one, two);
                let difference = self.space().terms.and2(guard, differ);
                self.differences.push(difference);
                Ok(())
            }
            Kind::Ref => self.compare_refs(one, two, guard, end),
        }
    }

    fn compare_refs(&mut self, one: Term, two: Term, guard: Term, end: End) -> Result<(), String> {
        let ones = self.space().leaves(one).ok_or("a reference to one of too many objects")?;
        let twos = self.space().leaves(two).ok_or("a reference to one of too many objects")?;
        for &(one_guard, one) in ones.iter() {
            for &(two_guard, two) in twos.iter() {
                let here = self.space().terms.and(&[guard, one_guard, two_guard]);
                if self.space().terms.is_false(here) {
                    continue;
                }
                match (one, two) {
                    (Leaf::Null, Leaf::Null) => {}
                    (Leaf::Input(one), Leaf::Input(two)) => {
                        let differ = self.space().terms.ne(one, two);
                        let difference = self.space().terms.and2(here, differ);
                        self.differences.push(difference);
                    }
                    (Leaf::Fresh(one), Leaf::Fresh(two)) => {
                        self.pairs.push(Pair { one, two, guard: here, end });
                    }
                    (Leaf::Null | Leaf::Input(_) | Leaf::Fresh(_), _) => {
                        self.differences.push(here);
                    }
                }
            }
        }
        Ok(())
    }

    /// Objects that existed before, static fields, calls to the outside.
    fn compare_states(&mut self, guard: Term, end: End) -> Result<(), String> {
        let trace = |_: &mut Engine<'_>, outcome: &Outcome| {
            end_state(outcome, end).map(|state| state.heap.trace)
        };
        if let (Some(one), Some(two)) = (self.in_first(trace), self.in_second(trace)) {
            let differ = self.space().terms.ne(one, two);
            let difference = self.space().terms.and2(guard, differ);
            self.differences.push(difference);
        }
        for name in self.touched(end, |state, place| state.heap.is_written(place)) {
            let (one, two) = self.places_named(&name)?;
            let object = self.space().symbol("some object", KEY);
            let index = self.space().symbol("some index", Sort::BitVec(32));
            let kind = self.second.engine.place_type(two).kind();
            let read = |place: Place| {
                move |engine: &mut Engine<'_>, outcome: &Outcome| {
                    let state = end_state(outcome, end)?;
                    engine.read_anywhere(state, place, object, index)
                }
            };
            let (one, two) = (self.in_first(read(one)), self.in_second(read(two)));
            let (Some(one), Some(two)) = (one, two) else { return Err("no end state".to_owned()) };
            self.compare_values(kind, one, two, guard, end)?;
        }
        for name in self.touched(end, |state, place| state.heap.statics.contains_key(&place)) {
            let (one, two) = self.places_named(&name)?;
            let kind = self.second.engine.place_type(two).kind();
            let read = |place: Place| {
                move |engine: &mut Engine<'_>, outcome: &Outcome| {
                    let state = end_state(outcome, end)?;
                    Some(engine.static_value(state, place))
                }
            };
            let (one, two) = (self.in_first(read(one)), self.in_second(read(two)));
            let (Some(one), Some(two)) = (one, two) else { return Err("no end state".to_owned()) };
            self.compare_values(kind, one, two, guard, end)?;
        }
        Ok(())
    }

    /// The names of the places, in either run, of which something holds at the end.
    fn touched(&mut self, end: End, holds: impl Fn(&State, Place) -> bool + Copy) -> Vec<String> {
        let names = |engine: &mut Engine<'_>, outcome: &Outcome| {
            let Some(state) = end_state(outcome, end) else { return Vec::new() };
            let places = 0..engine.places.len() as Place;
            let touched = places.filter(|&place| holds(state, place));
            touched.map(|place| engine.places[place as usize].name().to_owned()).collect()
        };
        let mut found: Vec<String> = self.in_first(names);
        found.extend(self.in_second(names));
        found.sort();
        found.dedup();
        found
    }

    /// The same place in both programs.
    fn places_named(&mut self, name: &str) -> Result<(Place, Place), String> {
        let one = self.in_first(|engine, _| engine.place_named(name));
        let two = self.in_second(|engine, _| engine.place_named(name));
        match (one, two) {
            (Some(one), Some(two)) => Ok((one, two)),
            (_, _) => Err(format!("only one version has the field {name}")),
        }
    }

    /// New objects that stand for each other, until nothing new comes up.
    fn compare_pairs(&mut self) -> Result<(), String> {
        let mut at = 0;
        while let Some(&pair) = self.pairs.get(at) {
            let is_known = self.pairs[..at].iter().any(|known| {
                (known.one, known.two, known.guard) == (pair.one, pair.two, pair.guard)
                    && known.end == pair.end
            });
            at += 1;
            if is_known {
                continue;
            }
            if at > MOST_PAIRS {
                return Err("too many new objects".to_owned());
            }
            self.compare_pair(pair)?;
        }
        Ok(())
    }

    fn compare_pair(&mut self, pair: Pair) -> Result<(), String> {
        let Pair { one, two, guard, end } = pair;
        let one_kind = self.in_first(|engine, _| {
            let fresh = &engine.space.fresh[one as usize];
            (fresh.class, fresh.kind.clone())
        });
        let fresh = &self.second.engine.space.fresh[two as usize];
        let two_kind = (fresh.class, fresh.kind.clone());
        if one_kind.0 != two_kind.0 {
            self.differences.push(guard);
            return Ok(());
        }
        match (&one_kind.1, &two_kind.1) {
            (FreshKind::Array(a), FreshKind::Array(b)) => {
                let differ = self.space().terms.ne(*a, *b);
                let difference = self.space().terms.and2(guard, differ);
                self.differences.push(difference);
            }
            (FreshKind::Lambda(_), _) | (_, FreshKind::Lambda(_)) => {
                return Err("a lambda becomes visible".to_owned());
            }
            (FreshKind::Object | FreshKind::Implicit | FreshKind::Array(_), _) => {}
        }
        let of_object = |object: u32| {
            move |state: &State, place: Place| state.heap.is_written_fresh(place, object)
        };
        let mut names = self.touched(end, of_object(one));
        names.extend(self.touched(end, of_object(two)));
        names.sort();
        names.dedup();
        for name in names {
            let (one_place, two_place) = self.places_named(&name)?;
            let index = self.space().symbol("some index", Sort::BitVec(32));
            let kind = self.second.engine.place_type(two_place).kind();
            let read = |place: Place, object: u32| {
                move |engine: &mut Engine<'_>, outcome: &Outcome| {
                    let state = end_state(outcome, end)?;
                    engine.read_fresh_anywhere(state, place, object, index)
                }
            };
            let a = self.in_first(read(one_place, one));
            let b = self.in_second(read(two_place, two));
            let (Some(a), Some(b)) = (a, b) else {
                return Err("a place of a new object cannot be read".to_owned());
            };
            self.compare_values(kind, a, b, guard, end)?;
        }
        Ok(())
    }

    /// No object stands for two at a time.
    fn check_mapping(&mut self) {
        let pairs = std::mem::take(&mut self.pairs);
        for (at, one) in pairs.iter().enumerate() {
            for two in &pairs[..at] {
                let is_split = (one.one == two.one) != (one.two == two.two);
                if is_split && one.end == two.end {
                    let both = self.space().terms.and2(one.guard, two.guard);
                    self.differences.push(both);
                }
            }
        }
    }
}

const ELEMENTS: [ArrayKind; 8] = [
    ArrayKind::Int,
    ArrayKind::Long,
    ArrayKind::Float,
    ArrayKind::Double,
    ArrayKind::Ref,
    ArrayKind::ByteOrBoolean,
    ArrayKind::Char,
    ArrayKind::Short,
];

impl Engine<'_> {
    /// The place of that name, if this program has it.
    fn place_named(&mut self, name: &str) -> Option<Place> {
        let known = self.places.iter().position(|place| place.name() == name);
        if let Some(known) = known {
            return Some(known as Place);
        }
        if name == "text" {
            return Some(self.text_place());
        }
        if let Some(kind) = ELEMENTS.into_iter().find(|kind| format!("{}[]", kind.word()) == name) {
            return Some(self.element_place(kind));
        }
        let (class, field) = name.rsplit_once('.')?;
        let class = self.program.find_class_text(&class.replace('.', "/"))?;
        let class = self.program.class(class)?;
        let found = class
            .fields()
            .find(|(_, declared)| self.program.names.text(declared.name) == field)
            .map(|(id, _)| id)?;
        Some(self.field_place(found))
    }

    fn is_elements(&self, place: Place) -> Option<ArrayKind> {
        self.place_numbers.iter().find_map(|(key, &number)| match key {
            PlaceKey::Elements(kind) if number == place => Some(*kind),
            PlaceKey::Elements(_) | PlaceKey::Field(_) | PlaceKey::Text => None,
        })
    }

    /// A place of any object that existed before.
    fn read_anywhere(
        &mut self,
        state: &State,
        place: Place,
        key: Term,
        index: Term,
    ) -> Option<Term> {
        match self.is_elements(place) {
            Some(kind) => {
                let array = self.space.input(key);
                self.read_element(state, kind, array, index)
            }
            None => Some(self.read_leaf(state, place, Leaf::Input(key))),
        }
    }

    fn read_fresh_anywhere(
        &mut self,
        state: &State,
        place: Place,
        object: u32,
        index: Term,
    ) -> Option<Term> {
        match self.is_elements(place) {
            Some(kind) => {
                let array = self.space.leaf_ref(Leaf::Fresh(object));
                self.read_element(state, kind, array, index)
            }
            None => Some(self.read_leaf(state, place, Leaf::Fresh(object))),
        }
    }
}
