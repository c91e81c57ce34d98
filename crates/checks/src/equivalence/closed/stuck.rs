//! Values that some turns of a loop set, such as flags and the place where something was found, and that
//! the others leave alone.
//!
//! Whether a turn sets such a value, and to what, must follow from the number of the turn alone. Then, after
//! `n` turns, it is what the last of them that sets it made it, or what it was at first. Two functions of `n`
//! say whether there was such a turn and which was the last one; they are named by the condition, so that two
//! loops which ask for the same agree on them. Of the last one it is known that it sets the value and comes
//! before `n`, of every other turn before `n` that, if it sets the value, the last one is not before it. A flag
//! that is set for good counts too, if one value is all that it can be set to.

use program::Kind;
use rustc_hash::FxHashMap;
use smt::{Op, Sort};
use symex::symbolic::{Space, Term};

use super::forms::{Closing, NESTING, Values};

pub(super) struct Stuck {
    /// Whether some turn set it, and the last one that did, when the loop is left.
    pub(super) is_set: Term,
    pub(super) by: Term,
    /// The number of turns of the loop.
    turns: Term,
    /// Whether a turn sets it, by its number.
    pub(super) when: Term,
    pub(super) turn: Term,
}

impl Stuck {
    fn sets(&self, space: &mut Space, turn: Term) -> Term {
        let in_turn = FxHashMap::from_iter([(self.turn, turn)]);
        space.terms.substitute(self.when, &in_turn, &mut FxHashMap::default())
    }

    /// Whether it is set after so many turns, and by which.
    fn after(&self, space: &mut Space, n: Term) -> (Term, Term) {
        let map = FxHashMap::from_iter([(self.turns, n)]);
        let mut memo = FxHashMap::default();
        let mut after = |term| space.terms.substitute(term, &map, &mut memo);
        (after(self.is_set), after(self.by))
    }

    /// If it is set after `n` turns, the turn that is named did that.
    pub(super) fn of_its_turn(&self, space: &mut Space, n: Term) -> Term {
        let (is_set, by) = self.after(space, n);
        let sets = self.sets(space, by);
        let terms = &mut space.terms;
        let before = terms.ult(by, n);
        let both = terms.and2(before, sets);
        terms.implies(is_set, both)
    }

    /// If a turn sets it, it is set after all later ones, by that turn or one behind it.
    pub(super) fn of_turn(&self, space: &mut Space, turn: Term, n: Term) -> Term {
        let (is_set, by) = self.after(space, n);
        let sets = self.sets(space, turn);
        let terms = &mut space.terms;
        let before = terms.ult(turn, n);
        let both = terms.and2(before, sets);
        let not_earlier = terms.ule(turn, by);
        let follows = terms.and2(is_set, not_earlier);
        terms.implies(both, follows)
    }
}

/// What a turn makes of a value: whether it sets it, and to what.
struct Setting {
    when: Term,
    value: Term,
}

impl Closing<'_> {
    /// The value at the header, if some turns set it and the others leave it alone.
    pub(super) fn set_at_times(&mut self, values: &Values<'_>, slot: usize) -> Option<Term> {
        let view = values.view;
        let (symbol, first) = (view.symbols[slot]?, values.entry[slot]);
        let terms = &self.space.terms;
        if view.kinds[slot] != Kind::Int || terms.sort(symbol) != terms.sort(first) {
            return None;
        }
        let setting = self
            .for_good(values.back[slot], symbol, first)
            .or_else(|| self.setting(values.back[slot], symbol, NESTING))?;
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
        if ![setting.when, setting.value].iter().all(|&it| self.is_of(it, view, &changing)) {
            return None;
        }
        let mut memo = FxHashMap::default();
        let [when, value] = [setting.when, setting.value]
            .map(|term| self.space.terms.substitute(term, &in_turn, &mut memo));
        let name = format!("last turn of {}", when.index());
        let by = self.space.apply(&name, &[values.turns], Sort::BitVec(64));
        let is_set = self.space.apply(&format!("has a {name}"), &[values.turns], Sort::Bool);
        self.stuck.push(Stuck { is_set, by, turns: values.turns, when, turn });
        let in_last = FxHashMap::from_iter([(turn, by)]);
        let terms = &mut self.space.terms;
        let set = terms.substitute(value, &in_last, &mut FxHashMap::default());
        Some(terms.ite(is_set, set, first))
    }

    /// A choice between the old value and others that do not depend on it.
    fn setting(&mut self, value: Term, symbol: Term, nesting: u32) -> Option<Setting> {
        let terms = &mut self.space.terms;
        if value == symbol {
            return Some(Setting { when: terms.bool(false), value });
        }
        if !terms.cone(&[value], &mut smt::Marks::new()).contains(&symbol) {
            return Some(Setting { when: terms.bool(true), value });
        }
        let (Op::Ite, &[condition, one, two]) = (terms.op(value), terms.args(value)) else {
            return None;
        };
        if nesting == 0 {
            return None;
        }
        let one = self.setting(one, symbol, nesting - 1)?;
        let two = self.setting(two, symbol, nesting - 1)?;
        let terms = &mut self.space.terms;
        let when = terms.ite(condition, one.when, two.when);
        // Where one side leaves it alone, what the other makes of it is all there is.
        let value = match (one.value == symbol, two.value == symbol) {
            (true, _) => two.value,
            (_, true) => one.value,
            (false, false) => terms.ite(condition, one.value, two.value),
        };
        Some(Setting { when, value })
    }

    /// A constant that another one takes the place of, which then stays.
    fn for_good(&mut self, back: Term, symbol: Term, first: Term) -> Option<Setting> {
        self.space.terms.as_const(first)?;
        let set = self.made_of(back, symbol, first);
        let last = self.another_constant(set, first, NESTING)?;
        let kept = self.made_of(back, symbol, last);
        if !self.is_always(kept, last, NESTING) {
            return None;
        }
        let when = self.when(set, first, last, NESTING)?;
        Some(Setting { when, value: last })
    }

    /// What a turn makes of a constant, as a choice between constants if it is one.
    fn made_of(&mut self, back: Term, symbol: Term, value: Term) -> Term {
        let map = FxHashMap::from_iter([(symbol, value)]);
        let made = self.space.terms.substitute(back, &map, &mut FxHashMap::default());
        self.chosen(made, NESTING)
    }

    /// A number made of choices as a choice between numbers.
    fn chosen(&mut self, value: Term, nesting: u32) -> Term {
        let terms = &mut self.space.terms;
        let is_known = terms.as_const(value).is_some() || terms.op(value) == Op::Ite;
        if is_known || nesting == 0 {
            return value;
        }
        let choice = terms.args(value).iter().copied().find(|&it| terms.op(it) == Op::Ite);
        let Some(choice) = choice else { return value };
        let &[condition, one, two] = terms.args(choice) else { return value };
        let [one, two] = [one, two].map(|chosen| {
            let map = FxHashMap::from_iter([(choice, chosen)]);
            let value = self.space.terms.substitute(value, &map, &mut FxHashMap::default());
            self.chosen(value, nesting - 1)
        });
        self.space.terms.ite(condition, one, two)
    }

    fn is_always(&self, value: Term, constant: Term, nesting: u32) -> bool {
        let terms = &self.space.terms;
        match (terms.op(value), terms.args(value)) {
            (Op::Ite, &[_, one, two]) if nesting > 0 => {
                [one, two].iter().all(|&it| self.is_always(it, constant, nesting - 1))
            }
            _ => value == constant,
        }
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
