//! Numbers that a loop leaves alone until some turn changes them for good: `same &= a[i] == b[i]`,
//! `difference |= a[i] ^ b[i]`.
//!
//! Let `v(t)` be such a number when turn `t` begins, `v(0) = z` a constant, and `b(v, t)` what a turn makes
//! of it. If it is not `z` in the last turn, there was a turn, the first that changed it, with `b(z, t) != z`.
//! If no turn makes `z` of anything else (which is asked of any turn and any number, among 0 and 1 where
//! turns make only these of these), then a number that is `z` at last was `z` all the time, and all turns
//! before had `b(z, t) = z`. Both are used like that a turn went on.

use program::Kind;
use rustc_hash::FxHashMap;
use smt::{Op, Sort};
use symex::symbolic::{Form, Term};

use super::Prover;
use super::loops::{is_of_turn, turns_of};

pub(super) struct Flag {
    pub(super) cut: usize,
    /// That all turns before the last one left it alone, said of the turn for which the loop's symbol
    /// stands: true of all of them, or nothing is said.
    pub(super) was_left_alone: Option<Term>,
    /// The first turn that changed it, if any, and what is known of that one.
    pub(super) changed_in: Term,
    pub(super) is_changed: Term,
}

impl Prover<'_, '_> {
    pub(super) fn find_flags(&mut self) {
        self.flags.clear();
        for cut in 0..self.engine.cuts.len() {
            for slot in 0..self.engine.cuts[cut].kinds.len() {
                let found = self.flag(cut, slot);
                self.flags.extend(found);
            }
        }
    }

    fn flag(&mut self, cut: usize, slot: usize) -> Option<Flag> {
        let here = &self.engine.cuts[cut];
        let is_free = matches!(here.shape.slots[slot].form, Form::Free(_));
        if !is_free || here.kinds[slot] != Kind::Int {
            return None;
        }
        let (value, first) = (here.all.values[slot], here.entry.values[slot]);
        let after = here.back.as_ref()?.values[slot];
        let reached = here.entry.state.clone();
        let terms = &mut self.engine.space.terms;
        terms.as_symbol(value)?;
        terms.as_const(first)?;
        // Sums and products come back to where they were: that need not be asked.
        if matches!(terms.op(after), Op::Sum | Op::Mul | Op::Symbol(_) | Op::Const(_)) {
            return None;
        }
        let from_first = FxHashMap::from_iter([(value, first)]);
        let next = terms.substitute(after, &from_first, &mut FxHashMap::default());
        let is_kept = terms.eq(next, first);
        if !is_of_turn(&self.engine, is_kept, cut) {
            return None;
        }
        let last = turns_of(&mut self.engine, cut);
        let changed_in = self.numbered_turn(&format!("turn that changes {slot} of {cut}"), &[cut]);
        let reached = self.engine.guard(&reached);
        let terms = &mut self.engine.space.terms;
        let then = FxHashMap::from_iter([(last, changed_in)]);
        let is_kept_then = terms.substitute(is_kept, &then, &mut FxHashMap::default());
        let changes_then = terms.not(is_kept_then);
        let before = terms.ult(changed_in, last);
        let some_turn = terms.and2(before, changes_then);
        let is_other = terms.ne(value, first);
        let when = terms.and2(reached, is_other);
        let is_changed = terms.implies(when, some_turn);
        let is_changed = self.shorten(is_changed);
        let was_left_alone = self.is_for_good(value, first, after, last).then(|| {
            let terms = &mut self.engine.space.terms;
            let is_first = terms.eq(value, first);
            terms.implies(is_first, is_kept)
        });
        Some(Flag { cut, was_left_alone, changed_in, is_changed })
    }

    /// Whether no turn makes the first value of another one.
    fn is_for_good(&mut self, value: Term, first: Term, after: Term, last: Term) -> bool {
        // Of any turn and any number: what is known of the last ones must not come in.
        let sort = self.engine.space.terms.sort(value);
        let any = self.engine.space.symbol("any number in a loop", sort);
        let turn = self.engine.space.symbol("any turn of a loop", Sort::BitVec(64));
        let anywhere = FxHashMap::from_iter([(value, any), (last, turn)]);
        let terms = &mut self.engine.space.terms;
        let after = terms.substitute(after, &anywhere, &mut FxHashMap::default());
        let (zero, one) = (terms.int(0), terms.int(1));
        let is_bit = [terms.eq(any, zero), terms.eq(any, one)];
        let is_bit = terms.or(&is_bit);
        let will_be_bit = [terms.eq(after, zero), terms.eq(after, one)];
        let will_be_bit = terms.or(&will_be_bit);
        let no_bit = terms.not(will_be_bit);
        let leaves_bits = terms.and2(is_bit, no_bit);
        let (is_other, is_back) = (terms.ne(any, first), terms.eq(after, first));
        let comes_back = terms.and2(is_other, is_back);
        let comes_back_as_bit = terms.and2(comes_back, is_bit);
        let starts_as_bit = first == zero || first == one;
        let stays_bit = starts_as_bit && matches!(self.is_possible(leaves_bits), Ok(false));
        let comes_back = if stays_bit { comes_back_as_bit } else { comes_back };
        matches!(self.is_possible(comes_back), Ok(false))
    }
}
