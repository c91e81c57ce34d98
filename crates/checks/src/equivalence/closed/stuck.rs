//! Values that a loop sets once and for all, such as flags: one constant until some turn sets another.
//!
//! Whether there was such a turn is a predicate of the number of turns; a function names one. Of that turn
//! it is known that it sets the value, of others that they do not where no turn did.

use program::Kind;
use rustc_hash::FxHashMap;
use smt::{Op, Sort};
use symex::symbolic::{Space, Term};

use super::forms::{Closing, NESTING, Values};

pub(super) struct Stuck {
    /// Whether some turn set it, and which.
    is_set: Term,
    pub(super) by: Term,
    /// Whether a turn sets it, by its number.
    when: Term,
    turn: Term,
}

impl Stuck {
    fn sets(&self, space: &mut Space, turn: Term) -> Term {
        let in_turn = FxHashMap::from_iter([(self.turn, turn)]);
        space.terms.substitute(self.when, &in_turn, &mut FxHashMap::default())
    }

    /// If it is set, the turn that is named did that.
    pub(super) fn of_its_turn(&self, space: &mut Space, turns: Term) -> Term {
        let sets = self.sets(space, self.by);
        let terms = &mut space.terms;
        let before = terms.ult(self.by, turns);
        let both = terms.and2(before, sets);
        terms.implies(self.is_set, both)
    }

    /// If a turn sets it, it is set.
    pub(super) fn of_turn(&self, space: &mut Space, turn: Term, turns: Term) -> Term {
        let sets = self.sets(space, turn);
        let terms = &mut space.terms;
        let before = terms.ult(turn, turns);
        let both = terms.and2(before, sets);
        terms.implies(both, self.is_set)
    }
}

impl Closing<'_> {
    /// The value at the header, if it is one constant or, once set, another.
    pub(super) fn set_once(&mut self, values: &Values<'_>, slot: usize) -> Option<Term> {
        let view = values.view;
        let (symbol, first) = (view.symbols[slot]?, values.entry[slot]);
        let terms = &mut self.space.terms;
        if view.kinds[slot] != Kind::Int || terms.sort(symbol) != terms.sort(first) {
            return None;
        }
        terms.as_const(first)?;
        let mut made_of = |value: Term| {
            let map = FxHashMap::from_iter([(symbol, value)]);
            self.space.terms.substitute(values.back[slot], &map, &mut FxHashMap::default())
        };
        let set = made_of(first);
        let last = self.another_constant(set, first, NESTING)?;
        let kept = FxHashMap::from_iter([(symbol, last)]);
        let terms = &mut self.space.terms;
        if terms.substitute(values.back[slot], &kept, &mut FxHashMap::default()) != last {
            return None;
        }
        let when = self.when(set, first, last, NESTING)?;
        let turn = self.space.symbol("some turn", Sort::BitVec(64));
        let mut in_turn = FxHashMap::default();
        for other in 0..view.kinds.len() {
            if let (Some(symbol), Some(form)) =
                (view.symbols[other], self.stepped(values, other, turn))
            {
                in_turn.insert(symbol, form);
            }
        }
        let changing: Vec<Term> = in_turn.keys().copied().collect();
        if !self.is_of(when, view, &changing) {
            return None;
        }
        let when = self.space.terms.substitute(when, &in_turn, &mut FxHashMap::default());
        let name = format!("turn of {}", when.index());
        let by = self.space.apply(&name, &[values.turns], Sort::BitVec(64));
        let is_set = self.space.apply(&format!("is a {name}"), &[values.turns], Sort::Bool);
        self.stuck.push(Stuck { is_set, by, when, turn });
        Some(self.space.terms.ite(is_set, last, first))
    }

    /// The one constant, but for a given one, among what a value may be.
    fn another_constant(&self, value: Term, first: Term, nesting: u32) -> Option<Term> {
        let terms = &self.space.terms;
        match (terms.op(value), terms.args(value)) {
            (Op::Ite, &[_, one, two]) if nesting > 0 => {
                let one = (one != first).then(|| self.another_constant(one, first, nesting - 1));
                let two = (two != first).then(|| self.another_constant(two, first, nesting - 1));
                match (one, two) {
                    (Some(one), Some(two)) => one.filter(|_| one == two),
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => None,
                }
            }
            _ => terms.as_const(value).map(|_| value).filter(|&it| it != first),
        }
    }

    /// When a value is `last`, which else is `first`.
    fn when(&mut self, value: Term, first: Term, last: Term, nesting: u32) -> Option<Term> {
        if value == first || value == last {
            return Some(self.space.terms.bool(value == last));
        }
        let &[condition, one, two] = self.space.terms.args(value) else { return None };
        if self.space.terms.op(value) != Op::Ite || nesting == 0 {
            return None;
        }
        let one = self.when(one, first, last, nesting - 1)?;
        let two = self.when(two, first, last, nesting - 1)?;
        Some(self.space.terms.ite(condition, one, two))
    }
}
