//! Rules proved for every number of turns.
//!
//! The symbols of a loop say in which turn it is left. Of the turns before, it is known that they went
//! on: said for all of them, that is what "every element is equal" means. It is used at those turns in
//! which another loop looks at the same index. Two runs of one loop that start with the same value and
//! make the same of it in each turn end with the same value: so are hashes compared.

use program::Kind;
use rustc_hash::FxHashMap;
use smt::{Effort, Op, Sort};
use symex::symbolic::{Engine, Form, LoopPlan, Term};

use super::super::turns::{Round, Turns};
use super::looks::Look;
use super::{BUDGET, Claim, Property, Proved, Prover, engine, open};
use crate::verdict::{GapKind, Scope};

/// More facts about turns than these are not used.
const MOST_FACTS: usize = 80;
/// An int that has gone up or down by one for so many turns has been everywhere.
const LONGEST: u64 = 0x7fff_ffff;

/// What proofs rest on where it is open how often a loop turns.
const THEY_END: &str = "its loops end";

/// An int that goes up or down by one per turn, in some turn.
#[derive(Clone, Copy)]
struct Index {
    cut: usize,
    /// What it was before the first turn.
    entry: Term,
    /// What it is in any turn.
    all: Term,
    value: Term,
    is_up: bool,
}

impl<'p> Prover<'p, '_> {
    /// Proves the rule with the loops cut that a run unrolled in vain.
    pub(super) fn prove_all_turns(
        &mut self,
        property: Property,
        few_turns: &Engine<'_>,
    ) -> Proved<Scope> {
        let mut turns = Turns::of(few_turns);
        loop {
            self.restart(turns.plan());
            let claim = self.claim(property)?;
            if self.is_cut_short() {
                return self.stopped_by(None);
            }
            match turns.learn(&mut self.engine) {
                Round::Settled => return self.settle_all_turns(&claim),
                Round::Again => {}
                Round::Failed => return open(GapKind::Budget, "a loop changes too much"),
            }
        }
    }

    /// Puts the run away in favour of another one.
    pub(super) fn set_aside(&mut self) -> Engine<'p> {
        std::mem::replace(&mut self.engine, engine(self.survey, LoopPlan::default(), BUDGET))
    }

    /// Goes on with a run that was put away.
    pub(super) fn take_up(&mut self, run: Engine<'p>) {
        self.restart(LoopPlan::default());
        self.engine = run;
        self.effort = Effort::Long;
    }

    fn settle_all_turns(&mut self, claim: &Claim) -> Proved<Scope> {
        self.bound_turns();
        self.find_flags();
        let indices = self.indices();
        let looks = self.last_looks();
        self.known = self.facts_at(&indices, &looks);
        let stopped = self.engine.stopped(0, |_| true);
        let (stopped, broken) = (self.shorten(stopped), self.shorten(claim.broken));
        if self.is_possible(stopped)? {
            return open(GapKind::Approximation, "a loop is not followed to its end");
        }
        let folds = self.equal_folds(broken, &indices);
        self.known.extend(folds);
        self.refute(broken)?;
        if self.short.len() < self.engine.cuts.len() {
            self.engine.assumptions.insert(THEY_END.to_owned());
        }
        Ok(self.scope(None))
    }

    /// Finds the loops that cannot turn more often than an int can count: their turns are told in fewer
    /// bits, without which the solver gets lost in carries.
    fn bound_turns(&mut self) {
        self.short.clear();
        self.shortened.clear();
        let mut short = Vec::new();
        for cut in 0..self.engine.cuts.len() {
            let last = turns_of(&mut self.engine, cut);
            let longest = self.engine.space.terms.bitvec(64, LONGEST);
            let fixed = self.fixed_parts(cut);
            let Some(on) = self.went_on(cut, longest, &fixed) else { continue };
            let reached = self.engine.cuts[cut].entry.state.clone();
            let reached = self.engine.guard(&reached);
            let terms = &mut self.engine.space.terms;
            let beyond = terms.ult(longest, last);
            let longer = terms.and(&[reached, beyond, on]);
            let first = self.engine.space.terms.bitvec(64, 0);
            let at_first = self.went_on(cut, first, &fixed);
            let longer = match at_first {
                Some(at_first) => self.engine.space.terms.and2(longer, at_first),
                None => longer,
            };
            if matches!(self.is_possible(longer), Ok(false)) {
                let name = format!("loop {cut} turns as a number");
                let number = self.engine.space.symbol(&name, Sort::BitVec(31));
                short.push((last, self.engine.space.terms.zero_extend(number, 64)));
            }
        }
        self.short.extend(short);
        self.shortened.clear();
    }

    pub(super) fn shorten(&mut self, term: Term) -> Term {
        self.engine.space.terms.substitute(term, &self.short, &mut self.shortened)
    }

    /// The turn in which a loop is left.
    fn last(&mut self, cut: usize) -> Term {
        let last = turns_of(&mut self.engine, cut);
        self.shorten(last)
    }

    /// The turn before that; some later one if there is none.
    fn last_but_one(&mut self, cut: usize) -> Term {
        let last = self.last(cut);
        let terms = &mut self.engine.space.terms;
        if terms.op(last) != Op::ZeroExtend {
            let one = terms.bitvec(64, 1);
            return terms.sub(last, one);
        }
        let number = terms.args(last)[0];
        let one = terms.bitvec(31, 1);
        let before = terms.sub(number, one);
        terms.zero_extend(before, 64)
    }

    /// The indices of all loops, in the turns in which they are left.
    fn indices(&mut self) -> Vec<Index> {
        let n_cuts = self.engine.cuts.len();
        let mut found: Vec<Index> = (0..n_cuts).flat_map(|cut| self.indices_of(cut)).collect();
        for index in &mut found {
            index.value = self.shorten(index.value);
        }
        found
    }

    /// The indices of a loop, among its variables and in fields of objects of the run.
    fn indices_of(&mut self, cut: usize) -> Vec<Index> {
        let mut found = Vec::new();
        let fields = self.engine.changed_fields(cut);
        let of = &self.engine.cuts[cut];
        let mut add = |kind: Kind, form: Form, entry: Term, all: Term| {
            if let (Kind::Int, Some(is_up)) = (kind, direction(form)) {
                found.push(Index { cut, entry, all, value: all, is_up });
            }
        };
        for (slot, &kind) in of.kinds.iter().enumerate() {
            add(kind, of.shape.slots[slot].form, of.entry.values[slot], of.all.values[slot]);
        }
        for field in fields {
            if let Some(&Some(step)) = of.shape.steps.get(&field.of) {
                add(field.kind, Form::Step(step), field.entry, field.all);
            }
        }
        found
    }

    /// What all loops look at in the turns in which they are left.
    fn last_looks(&mut self) -> Vec<Look> {
        let mut found = Vec::new();
        for cut in 0..self.engine.cuts.len() {
            let turn: Vec<Term> =
                self.turn_of(cut).into_iter().map(|term| self.shorten(term)).collect();
            found.extend(self.looks(&turn));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What a turn of a loop asks for and makes.
    fn turn_of(&mut self, cut: usize) -> Vec<Term> {
        let Some(back) = self.engine.cuts[cut].back.clone() else { return Vec::new() };
        let on = self.engine.guard(&back.state);
        let mut all = back.values.clone();
        all.push(on);
        all.extend(self.flags.iter().filter(|flag| flag.cut == cut).map(|flag| flag.is_changed));
        all
    }

    /// What is known of the turns before the last one: of that next to it, of one that there cannot be,
    /// of those in which it was at one of these elements, else of those in which it was at an index.
    fn facts_at(&mut self, indices: &[Index], looks: &[Look]) -> Vec<Term> {
        let mut found = Vec::new();
        for cut in 0..self.engine.cuts.len() {
            let mut wanted = vec![self.last_but_one(cut)];
            for flag in self.flags.iter().filter(|flag| flag.cut == cut) {
                found.push(flag.is_changed);
                wanted.push(flag.changed_in);
            }
            let turns = turns_of(&mut self.engine, cut);
            let fixed = self.fixed_parts(cut);
            let own = self.looks(&fixed);
            let meeting = self.meeting_turns(&own, turns, looks);
            if meeting.is_empty() {
                wanted.extend(self.turns_at(cut, indices));
            }
            wanted.extend(meeting);
            for turn in wanted {
                found.extend(self.went_on(cut, turn, &fixed));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MOST_FACTS);
        found
    }

    /// The turns in which a loop was at one of these indices of others.
    fn turns_at(&mut self, cut: usize, indices: &[Index]) -> Vec<Term> {
        let mut found = Vec::new();
        let one = self.engine.space.terms.bitvec(64, 1);
        for Index { entry, is_up, .. } in self.indices_of(cut) {
            let entry = self.shorten(entry);
            for index in indices.iter().filter(|index| index.cut != cut) {
                let terms = &mut self.engine.space.terms;
                let (from, to) = if is_up { (entry, index.value) } else { (index.value, entry) };
                let way = terms.sub(to, from);
                let turn = terms.zero_extend(way, 64);
                found.push(turn);
                if index.is_up != is_up {
                    found.push(terms.sub(turn, one));
                }
            }
        }
        found
    }

    /// A turn before the last one went on to the next, by these parts of the loop.
    fn went_on(&mut self, cut: usize, turn: Term, fixed: &[Term]) -> Option<Term> {
        self.engine.cuts[cut].back.as_ref()?;
        let entry = self.engine.cuts[cut].entry.state.clone();
        let last = turns_of(&mut self.engine, cut);
        let reached = self.engine.guard(&entry);
        let terms = &mut self.engine.space.terms;
        let on = terms.and(fixed);
        let on =
            terms.substitute(on, &FxHashMap::from_iter([(last, turn)]), &mut FxHashMap::default());
        let before = terms.ult(turn, last);
        let both = terms.and2(reached, before);
        let fact = terms.implies(both, on);
        let fact = self.shorten(fact);
        (!self.engine.space.terms.is_true(fact)).then_some(fact)
    }

    /// The conditions on which a turn goes on that depend on nothing but its number, and what is known of
    /// all turns but the last one besides.
    fn fixed_parts(&mut self, cut: usize) -> Vec<Term> {
        let Some(back) = self.engine.cuts[cut].back.clone() else { return Vec::new() };
        let on = self.engine.guard(&back.state);
        let parts: Vec<Term> = match self.engine.space.terms.op(on) {
            Op::And => self.engine.space.terms.args(on).to_vec(),
            _ => vec![on],
        };
        let flags = self.flags.iter().filter(|flag| flag.cut == cut);
        let left_alone: Vec<Term> = flags.filter_map(|flag| flag.was_left_alone).collect();
        let parts = parts.into_iter().filter(|&part| is_of_turn(&self.engine, part, cut));
        parts.chain(left_alone).collect()
    }

    /// Values that two runs of one loop, left in the same turn, then have in common.
    fn equal_folds(&mut self, broken: Term, indices: &[Index]) -> Vec<Term> {
        let mut found = Vec::new();
        let n_cuts = self.engine.cuts.len();
        for one in 0..n_cuts {
            for two in one + 1..n_cuts {
                let (first, second) = (&self.engine.cuts[one], &self.engine.cuts[two]);
                if (first.method, first.header) != (second.method, second.header) {
                    continue;
                }
                let is_fold = |slot: &usize| {
                    let is_free = |form| matches!(form, Form::Free(_));
                    first.kinds[*slot] != Kind::Ref
                        && is_free(first.shape.slots[*slot].form)
                        && is_free(second.shape.slots[*slot].form)
                };
                let slots: Vec<usize> = (0..first.kinds.len()).filter(is_fold).collect();
                found.extend(self.equal_slots(broken, [one, two], slots, indices));
            }
        }
        found
    }

    /// Slots are given up until those that remain are equal at first and, if so in some turn, in the next.
    fn equal_slots(
        &mut self,
        broken: Term,
        cuts: [usize; 2],
        mut slots: Vec<usize>,
        indices: &[Index],
    ) -> Option<Term> {
        let ends = cuts.map(|cut| self.engine.cuts[cut].entry.state.clone());
        let reached = ends.map(|state| {
            let guard = self.engine.guard(&state);
            self.shorten(guard)
        });
        let context = [broken, reached[0], reached[1]];
        loop {
            let before = slots.len();
            slots = self.kept_slots(&context, cuts, &slots, indices);
            if slots.is_empty() {
                return None;
            }
            if slots.len() == before {
                break;
            }
        }
        let lasts = cuts.map(|cut| self.last(cut));
        let together = self.engine.space.terms.eq(lasts[0], lasts[1]);
        let mut equal = Vec::new();
        for slot in slots {
            let values = cuts.map(|cut| self.engine.cuts[cut].all.values[slot]);
            equal.push(self.engine.space.terms.eq(values[0], values[1]));
        }
        let terms = &mut self.engine.space.terms;
        let (when, equal) = (terms.and(&[reached[0], reached[1], together]), terms.and(&equal));
        Some(terms.implies(when, equal))
    }

    /// The slots that are equal at first, and after a turn before which all of them are.
    fn kept_slots(
        &mut self,
        context: &[Term],
        cuts: [usize; 2],
        slots: &[usize],
        indices: &[Index],
    ) -> Vec<usize> {
        let backs = cuts.map(|cut| self.engine.cuts[cut].back.clone());
        let [Some(first), Some(second)] = backs else { return Vec::new() };
        let turn = self.some_turn(cuts);
        let maps = cuts.map(|cut| self.in_turn(cut, turn, slots));
        let facts = self.facts_in(cuts[0], &maps[0], indices);
        let mut inside = context.to_vec();
        for cut in cuts {
            let last = self.last(cut);
            inside.push(self.engine.space.terms.ult(turn, last));
            let fixed = self.fixed_parts(cut);
            inside.extend(self.went_on(cut, turn, &fixed));
        }
        let n_known = self.known.len();
        self.known.extend(facts);
        let mut kept = Vec::new();
        for &slot in slots {
            let starts = cuts.map(|cut| {
                let start = self.engine.cuts[cut].entry.values[slot];
                self.shorten(start)
            });
            let terms = &mut self.engine.space.terms;
            let apart = terms.ne(starts[0], starts[1]);
            let at_first = terms.and(&[context, &[apart]].concat());
            let mut no_memo = FxHashMap::default();
            let mine = terms.substitute(first.values[slot], &maps[0], &mut no_memo);
            let mut no_memo = FxHashMap::default();
            let theirs = terms.substitute(second.values[slot], &maps[1], &mut no_memo);
            let apart = terms.ne(mine, theirs);
            let after = terms.and(&[&inside[..], &[apart]].concat());
            let cannot_be = |it: &mut Self, apart| matches!(it.is_possible(apart), Ok(false));
            if cannot_be(self, at_first) && cannot_be(self, after) {
                kept.push(slot);
            }
        }
        self.known.truncate(n_known);
        kept
    }

    /// Any turn of two loops.
    fn some_turn(&mut self, cuts: [usize; 2]) -> Term {
        self.numbered_turn("some turn", &cuts)
    }

    /// A turn of these loops, as a new symbol.
    pub(super) fn numbered_turn(&mut self, name: &str, cuts: &[usize]) -> Term {
        let is_short = cuts.iter().any(|&cut| {
            let last = turns_of(&mut self.engine, cut);
            self.short.contains_key(&last)
        });
        if !is_short {
            return self.engine.space.symbol(name, Sort::BitVec(64));
        }
        let number = self.engine.space.symbol(&format!("{name} as a number"), Sort::BitVec(31));
        self.engine.space.terms.zero_extend(number, 64)
    }

    /// What the symbols of a loop are in some turn: values that another run of it shares, and others.
    fn in_turn(&mut self, cut: usize, turn: Term, slots: &[usize]) -> FxHashMap<Term, Term> {
        let last = turns_of(&mut self.engine, cut);
        let mut map = self.short.clone();
        map.insert(last, turn);
        for &slot in slots {
            let symbol = self.engine.cuts[cut].all.values[slot];
            let sort = self.engine.space.terms.sort(symbol);
            let shared = self.engine.space.symbol(&format!("some value {slot} {sort:?}"), sort);
            map.insert(symbol, shared);
        }
        let back = self.engine.cuts[cut].back.as_ref().map(|back| back.values.clone());
        let cone = self.engine.space.terms.cone(&back.unwrap_or_default(), &mut smt::Marks::new());
        for term in cone {
            let Some(name) = loop_symbol(&self.engine, term, cut) else { continue };
            let sort = self.engine.space.terms.sort(term);
            let other = self.engine.space.symbol(&format!("some {name}"), sort);
            map.entry(term).or_insert(other);
        }
        map
    }

    /// What the other loops say of the indices of a loop in some turn.
    fn facts_in(&mut self, cut: usize, map: &FxHashMap<Term, Term>, all: &[Index]) -> Vec<Term> {
        let mut here = Vec::new();
        for index in all.iter().filter(|index| index.cut == cut) {
            let terms = &mut self.engine.space.terms;
            let value = terms.substitute(index.all, map, &mut FxHashMap::default());
            here.push(Index { value, ..*index });
        }
        let turn: Vec<Term> = self.turn_of(cut);
        let terms = &mut self.engine.space.terms;
        let mut memo = FxHashMap::default();
        let turn: Vec<Term> =
            turn.into_iter().map(|term| terms.substitute(term, map, &mut memo)).collect();
        let looks = self.looks(&turn);
        self.facts_at(&here, &looks)
    }
}

/// Whether a number goes up or down by one per turn.
fn direction(form: Form) -> Option<bool> {
    match form {
        Form::Step(1) => Some(true),
        Form::Step(step) if step == u64::from(u32::MAX) => Some(false),
        Form::Step(_) | Form::StepBy(_) | Form::Free(_) | Form::Offset(_) => None,
    }
}

/// In which turn the loop is left.
pub(super) fn turns_of(engine: &mut Engine<'_>, cut: usize) -> Term {
    engine.space.symbol(&format!("loop {cut} turns"), Sort::BitVec(64))
}

/// Whether a condition depends, of all that changes in the loop or in loops inside it, on the number of
/// turns alone.
pub(super) fn is_of_turn(engine: &Engine<'_>, condition: Term, cut: usize) -> bool {
    let turns = format!("loop {cut} turns");
    let cone = engine.space.terms.cone(&[condition], &mut smt::Marks::new());
    cone.into_iter().all(|term| loop_symbol(engine, term, cut).is_none_or(|name| name == turns))
}

/// The name of a symbol that stands for something that changes in the loop or in one that is entered
/// later.
fn loop_symbol(engine: &Engine<'_>, term: Term, cut: usize) -> Option<String> {
    let terms = &engine.space.terms;
    let name = terms.symbol_name(terms.as_symbol(term)?);
    let number = name.strip_prefix("loop ")?.split(' ').next()?;
    let is_older = number.parse::<usize>().is_ok_and(|number| number < cut);
    (!is_older).then(|| name.to_owned())
}
