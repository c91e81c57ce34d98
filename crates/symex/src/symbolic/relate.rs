//! Two runs with cut loops: do the symbols at their headers cover every turn, and what do they share?
//!
//! The n-th cut of one run is put beside the n-th of the other, turn beside turn. Symbols of one name
//! claim that two things are the same at every arrival at the headers. Each claim is tested where the
//! loops are entered and where they come back; one that fails is given up, and the runs are made again
//! without it. What remains when nothing fails is inductive. Both loops must also go back under the same
//! condition: then either both are in their n-th turn, or neither is.
//!
//! What this shows of a pair holds if both versions end.

use std::collections::BTreeSet;

use program::Kind;
use smt::Term;

use super::compare::{Comparison, Moment};
use super::loops::{Arrival, Form, Label, Shape};
use super::space::Space;
use super::{Engine, State};

/// Which of the conditions can be excluded.
type Excludes<'a> = dyn FnMut(&mut Space, &[Term]) -> Vec<bool> + 'a;

/// What became of a round.
pub enum Related {
    /// Run both again with these.
    Again(Vec<Shape>, Vec<Shape>),
    /// Every claim is inductive.
    Inductive,
    Failed(String),
}

/// Tests the claims that two runs make about their loops. The second engine holds the space.
pub fn relate<'p, 'q>(
    first: &mut Engine<'p>,
    second: &mut Engine<'q>,
    excludes: &mut dyn FnMut(&mut Space, &[Term]) -> Vec<bool>,
) -> Related {
    let n_cuts = first.cuts.len();
    if n_cuts != second.cuts.len() {
        return Related::Failed("the versions do not enter the same number of loops".to_owned());
    }
    let mut pair = LoopPair { first, second, excludes };
    let (mut ones, mut twos): (Vec<Shape>, Vec<Shape>) = (Vec::new(), Vec::new());
    for at in 0..n_cuts {
        ones.push(pair.in_first(|engine| engine.grown(at)));
        twos.push(pair.second.grown(at));
    }
    if pair.is_changed(&ones, &twos) {
        return Related::Again(ones, twos);
    }
    for at in 0..n_cuts {
        if let Err(reason) = pair.test_claims(at, &mut ones[at], &mut twos[at]) {
            return Related::Failed(reason);
        }
    }
    if pair.is_changed(&ones, &twos) {
        return Related::Again(ones, twos);
    }
    for at in 0..n_cuts {
        match pair.test_whole(at) {
            Err(reason) => return Related::Failed(reason),
            Ok(None) => {}
            Ok(Some(reason)) => return Related::Failed(reason),
        }
    }
    Related::Inductive
}

struct LoopPair<'a, 'b, 'e, 'p, 'q, 'x> {
    first: &'a mut Engine<'p>,
    second: &'b mut Engine<'q>,
    excludes: &'e mut Excludes<'x>,
}

/// Which claims are compared: where the loops are entered, or where they come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Entry,
    Back,
}

/// A parameter of one of the two headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Member {
    is_first: bool,
    slot: usize,
}

type Tested<T> = Result<T, String>;

impl<'p, 'q> LoopPair<'_, '_, '_, 'p, 'q, '_> {
    fn in_first<R>(&mut self, act: impl FnOnce(&mut Engine<'p>) -> R) -> R {
        Comparison::new(self.first, self.second).in_first(act)
    }

    fn is_changed(&self, ones: &[Shape], twos: &[Shape]) -> bool {
        let was_one = self.first.cuts.iter().map(|cut| &cut.shape);
        let was_two = self.second.cuts.iter().map(|cut| &cut.shape);
        !was_one.eq(ones.iter()) || !was_two.eq(twos.iter())
    }

    fn arrivals(&self, at: usize, when: When) -> (Option<Arrival>, Option<Arrival>) {
        let (one, two) = (&self.first.cuts[at], &self.second.cuts[at]);
        match when {
            When::Entry => (Some(one.entry.clone()), Some(two.entry.clone())),
            When::Back => (one.back.clone(), two.back.clone()),
        }
    }

    fn guard(&mut self, state: &State) -> Term {
        state.path.term(&mut self.second.space.terms)
    }

    fn excluded(&mut self, condition: Term) -> bool {
        self.second.space.terms.is_false(condition)
            || (self.excludes)(&mut self.second.space, &[condition]) == [true]
    }

    /// Whether two things, compared by `compare`, are the same wherever both loops arrive.
    fn is_same(
        &mut self,
        at: usize,
        when: When,
        compare: impl FnOnce(
            &mut Comparison<'_, '_, 'p, 'q>,
            Term,
            Moment,
            &Arrival,
            &Arrival,
        ) -> Tested<()>,
    ) -> bool {
        let (Some(one), Some(two)) = self.arrivals(at, when) else { return true };
        let (a, b) = (self.guard(&one.state), self.guard(&two.state));
        let guard = self.second.space.terms.and2(a, b);
        let named = (self.first.cuts[at].n_older, self.second.cuts[at].n_older);
        let mut comparison = Comparison::new(self.first, self.second);
        let moment = comparison.moment(&one.state, &two.state, named);
        let compared = compare(&mut comparison, guard, moment, &one, &two);
        match compared.and_then(|()| comparison.finish()) {
            Ok(different) => self.excluded(different),
            Err(_) => false,
        }
    }

    fn test_claims(&mut self, at: usize, one: &mut Shape, two: &mut Shape) -> Tested<()> {
        self.test_bounds(at, true, one);
        self.test_bounds(at, false, two);
        self.find_steps(at, one, two);
        self.split_slots(at, one, two);
        self.test_places(at, one, two);
        Ok(())
    }

    /// Bounds that hold on entry and are kept by a turn; each run is on its own here.
    fn test_bounds(&mut self, at: usize, is_first: bool, shape: &mut Shape) {
        let cut = if is_first { &self.first.cuts[at] } else { &self.second.cuts[at] };
        let entry = cut.entry.values.clone();
        let live = cut.live.clone();
        let arrivals = [Some(cut.entry.clone()), cut.back.clone()];
        for arrival in arrivals.into_iter().flatten() {
            let bounds = shape.bounds.clone().unwrap_or_default();
            let broken = |engine: &mut Engine<'_>| -> Vec<Term> {
                let guard = engine.guard(&arrival.state);
                let broken = bounds.iter().map(|bound| {
                    let holds = engine.bound_at(bound, &arrival, &entry, &live);
                    let holds = holds.unwrap_or_else(|| engine.space.terms.bool(true));
                    let broken = engine.space.terms.not(holds);
                    engine.space.terms.and2(guard, broken)
                });
                broken.collect()
            };
            let broken = if is_first { self.in_first(broken) } else { broken(&mut *self.second) };
            let mut kept = (self.excludes)(&mut self.second.space, &broken).into_iter();
            shape.bounds =
                Some(bounds.into_iter().filter(|_| kept.next().unwrap_or(false)).collect());
        }
    }

    /// Parameters that change by a constant with each turn, and those that were thought to.
    fn find_steps(&mut self, at: usize, one: &mut Shape, two: &mut Shape) {
        let mut next = next_label(one, two);
        for (shape, is_first) in [(one, true), (two, false)] {
            let cut = if is_first { &self.first.cuts[at] } else { &self.second.cuts[at] };
            let Some(back) = &cut.back else { continue };
            let (back, all) = (back.values.clone(), cut.all.values.clone());
            let live: Vec<Term> = cut.live.iter().map(|&(_, value)| value).collect();
            for (slot, (back, all)) in shape.slots.iter_mut().zip(back.into_iter().zip(all)) {
                match slot.form {
                    Form::Free(_) => continue,
                    Form::Offset(_) | Form::Step(_) | Form::StepBy(_) => {}
                }
                let terms = &mut self.second.space.terms;
                let difference = terms.sub(back, all);
                let step = terms.as_const(difference).map(Form::Step);
                let by = live.iter().position(|&value| value == difference).map(Form::StepBy);
                slot.form = match (slot.form, step.or(by)) {
                    (_, Some(step)) => step,
                    (Form::Step(_) | Form::StepBy(_), None) => {
                        next += 1;
                        Form::Offset(Label::Shared(next))
                    }
                    (form, None) => form,
                };
            }
        }
    }

    /// Parameters that share a symbol stay together only if they are the same after a turn.
    fn split_slots(&mut self, at: usize, one: &mut Shape, two: &mut Shape) {
        let mut next = next_label(one, two);
        let labels: BTreeSet<(bool, Label)> =
            one.slots.iter().chain(&two.slots).filter_map(|slot| class_of(slot.form)).collect();
        for label in labels {
            let of = |shape: &Shape, is_first: bool| -> Vec<Member> {
                let slots = shape.slots.iter().enumerate();
                let slots = slots.filter(|(_, slot)| class_of(slot.form) == Some(label));
                slots.map(|(slot, _)| Member { is_first, slot }).collect()
            };
            let mut members = of(one, true);
            members.extend(of(two, false));
            let mut groups: Vec<Vec<Member>> = Vec::new();
            for member in members {
                let found = (0..groups.len()).find(|&group| {
                    groups[group].iter().all(|&other| self.are_same(at, label.0, other, member))
                });
                match found {
                    Some(group) => groups[group].push(member),
                    None => groups.push(vec![member]),
                }
            }
            for group in groups.iter().skip(1) {
                next += 1;
                for member in group {
                    let shape = if member.is_first { &mut *one } else { &mut *two };
                    let form = &mut shape.slots[member.slot].form;
                    *form = match *form {
                        Form::Offset(_) => Form::Offset(Label::Shared(next)),
                        Form::Free(_) | Form::Step(_) | Form::StepBy(_) => {
                            Form::Free(Label::Shared(next))
                        }
                    };
                }
            }
        }
    }

    fn are_same(&mut self, at: usize, is_offset: bool, one: Member, two: Member) -> bool {
        let kind = |pair: &Self, member: Member| {
            let cuts = if member.is_first { &pair.first.cuts } else { &pair.second.cuts };
            cuts[at].kinds[member.slot]
        };
        let kinds = (kind(self, one), kind(self, two));
        if kinds.0 != kinds.1 {
            return false;
        }
        [When::Entry, When::Back].into_iter().all(|when| {
            // Every offset is zero on entry.
            if is_offset && when == When::Entry {
                return true;
            }
            if one.is_first == two.is_first {
                return self.same_in_one(at, when, is_offset, one, two);
            }
            let first_entry = self.first.cuts[at].entry.values[one.slot];
            let second_entry = self.second.cuts[at].entry.values[two.slot];
            self.is_same(at, when, |comparison, guard, moment, a, b| {
                let (mut a, mut b) = (a.values[one.slot], b.values[two.slot]);
                if is_offset {
                    a = comparison.space().terms.sub(a, first_entry);
                    b = comparison.space().terms.sub(b, second_entry);
                }
                comparison.compare_values(kinds.0, a, b, guard, moment)
            })
        })
    }

    fn same_in_one(
        &mut self,
        at: usize,
        when: When,
        is_offset: bool,
        one: Member,
        two: Member,
    ) -> bool {
        let cut = if one.is_first { &self.first.cuts[at] } else { &self.second.cuts[at] };
        let arrival = match when {
            When::Entry => Some(&cut.entry),
            When::Back => cut.back.as_ref(),
        };
        let Some(arrival) = arrival else { return true };
        let (mut a, mut b) = (arrival.values[one.slot], arrival.values[two.slot]);
        let entry = (cut.entry.values[one.slot], cut.entry.values[two.slot]);
        let state = arrival.state.clone();
        let guard = self.guard(&state);
        let terms = &mut self.second.space.terms;
        if is_offset {
            a = terms.sub(a, entry.0);
            b = terms.sub(b, entry.1);
        }
        let differ = terms.ne(a, b);
        let question = terms.and2(guard, differ);
        self.excluded(question)
    }

    fn test_places(&mut self, at: usize, one: &mut Shape, two: &mut Shape) {
        let mut lost: Vec<Claim> = Vec::new();
        for claim in claims(one, two) {
            let holds = [When::Entry, When::Back].into_iter().all(|when| {
                let claim = claim.clone();
                self.is_same(at, when, |comparison, guard, moment, _, _| {
                    test_claim(comparison, &claim, guard, moment)
                })
            });
            if !holds {
                lost.push(claim);
            }
        }
        let own = Label::Own(0);
        for claim in lost {
            for shape in [&mut *one, &mut *two] {
                match &claim {
                    Claim::Place(name) => shape.places.insert(name.clone(), own),
                    Claim::Static(name) => shape.statics.insert(name.clone(), own),
                    Claim::Cell(name, object) => shape.cells.insert((name.clone(), *object), own),
                    Claim::Calls => shape.calls.replace(own),
                };
            }
        }
    }

    /// All claims at once, and that the loops turn together; the reason if not.
    fn test_whole(&mut self, at: usize) -> Tested<Option<String>> {
        let (one, two) = (self.first.cuts[at].shape.clone(), self.second.cuts[at].shape.clone());
        let claims = claims(&one, &two);
        let slots = cross_pairs(&one, &two);
        let kinds = self.first.cuts[at].kinds.clone();
        for when in [When::Entry, When::Back] {
            let holds = self.is_same(at, when, |comparison, guard, moment, a, b| {
                for claim in &claims {
                    test_claim(comparison, claim, guard, moment)?;
                }
                for &(i, j) in &slots {
                    if kinds[i] == Kind::Ref {
                        let (a, b) = (a.values[i], b.values[j]);
                        comparison.compare_values(Kind::Ref, a, b, guard, moment)?;
                    }
                }
                Ok(())
            });
            if !holds {
                return Ok(Some("what the loops share is not shared as a whole".to_owned()));
            }
        }
        let (one, two) = (self.first.cuts[at].all.clone(), self.second.cuts[at].all.clone());
        let inside = [self.guard(&one.state), self.guard(&two.state)];
        let (one, two) = self.arrivals(at, When::Back);
        let one = one.map(|back| self.guard(&back.state));
        let two = two.map(|back| self.guard(&back.state));
        let terms = &mut self.second.space.terms;
        let never = terms.bool(false);
        let apart = terms.xor(one.unwrap_or(never), two.unwrap_or(never));
        let question = terms.and(&[inside[0], inside[1], apart]);
        if !self.excluded(question) {
            return Ok(Some("the loops may turn different numbers of times".to_owned()));
        }
        Ok(None)
    }
}

/// The symbol of a parameter, and whether it is an offset.
fn class_of(form: Form) -> Option<(bool, Label)> {
    match form {
        Form::Free(label) => Some((false, label)),
        Form::Offset(label) => Some((true, label)),
        Form::Step(_) | Form::StepBy(_) => None,
    }
}

fn next_label(one: &Shape, two: &Shape) -> u32 {
    let slots = one.slots.iter().chain(&two.slots);
    let labels = slots.filter_map(|slot| class_of(slot.form)).map(|(_, label)| match label {
        Label::Shared(number) | Label::Own(number) => number,
    });
    labels.max().unwrap_or(0)
}

/// A thing in the heap that both runs call by one name.
#[derive(Debug, Clone)]
enum Claim {
    Place(String),
    Static(String),
    Cell(String, u32),
    Calls,
}

fn claims(one: &Shape, two: &Shape) -> Vec<Claim> {
    let is_shared = |label: Option<&Label>| matches!(label, Some(Label::Shared(_)));
    let mut found = Vec::new();
    for (name, label) in &one.places {
        if is_shared(Some(label)) && is_shared(two.places.get(name)) {
            found.push(Claim::Place(name.clone()));
        }
    }
    for (name, label) in &one.statics {
        if is_shared(Some(label)) && is_shared(two.statics.get(name)) {
            found.push(Claim::Static(name.clone()));
        }
    }
    for (cell, label) in &one.cells {
        if is_shared(Some(label)) && is_shared(two.cells.get(cell)) {
            found.push(Claim::Cell(cell.0.clone(), cell.1));
        }
    }
    if is_shared(one.calls.as_ref()) && is_shared(two.calls.as_ref()) {
        found.push(Claim::Calls);
    }
    found
}

fn test_claim(
    comparison: &mut Comparison<'_, '_, '_, '_>,
    claim: &Claim,
    guard: Term,
    moment: Moment,
) -> Tested<()> {
    match claim {
        Claim::Place(name) => comparison.compare_place(name, guard, moment),
        Claim::Static(name) => comparison.compare_static(name, guard, moment),
        Claim::Cell(name, object) => {
            comparison.compare_cell(name, (*object, *object), guard, moment)
        }
        // Code outside sees everything.
        Claim::Calls => {
            comparison.compare_trace(guard, moment);
            comparison.compare_states(guard, moment)
        }
    }
}

/// Parameters of the two headers that share a symbol.
fn cross_pairs(one: &Shape, two: &Shape) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (i, a) in one.slots.iter().enumerate() {
        for (j, b) in two.slots.iter().enumerate() {
            if class_of(a.form).is_some() && class_of(a.form) == class_of(b.form) {
                found.push((i, j));
            }
        }
    }
    found
}
