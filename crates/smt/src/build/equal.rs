//! Equality of values of one sort.

use super::linear::Linear;
use crate::fold::canonical;
use crate::op::Op;
use crate::sort::{Sort, mask, signed};
use crate::terms::{Term, Terms};

impl Terms {
    /// Identity of two values. Floats: equal `floatToIntBits` (for `==` see [`Terms::float_eq`]).
    pub fn eq(&mut self, left: Term, right: Term) -> Term {
        let sort = self.expect_same_sort(left, right);
        if let Some(known) = self.known_equal(left, right) {
            return self.bool(known);
        }
        match sort {
            Sort::Bool => self.iff(left, right),
            Sort::BitVec(_) => self.eq_bitvec(left, right),
            Sort::Float32 | Sort::Float64 | Sort::Uninterpreted(_) | Sort::Array(_) => {
                self.eq_with_ite(left, right)
            }
        }
    }

    pub fn ne(&mut self, left: Term, right: Term) -> Term {
        let same = self.eq(left, right);
        self.not(same)
    }

    /// Whether two terms are equal, or different, whatever their symbols are; cheap and incomplete.
    pub fn known_equal(&self, left: Term, right: Term) -> Option<bool> {
        if left == right {
            return Some(true);
        }
        if let (Some(one), Some(two)) = (self.as_const(left), self.as_const(right)) {
            return Some(one == two);
        }
        if matches!(self.sort(left), Sort::BitVec(_)) {
            let difference = self.combination(left, right, u64::MAX);
            if difference.monomials.is_empty() {
                return Some(difference.constant == 0);
            }
        }
        None
    }

    /// Equality of Booleans. Negations move out: `not a = b` is `not (a = b)`.
    pub fn iff(&mut self, left: Term, right: Term) -> Term {
        self.expect_sort(left, Sort::Bool);
        self.expect_sort(right, Sort::Bool);
        if let Some(word) = self.as_const(left) {
            return if word != 0 { right } else { self.not(right) };
        }
        if self.as_const(right).is_some() {
            return self.iff(right, left);
        }
        let ((flip, left), (flop, right)) = (self.literal(left), self.literal(right));
        let same = if left == right {
            self.bool(true)
        } else {
            let (left, right) = (left.min(right), left.max(right));
            self.intern(Op::Eq, Sort::Bool, &[left, right])
        };
        if flip == flop { same } else { self.not(same) }
    }

    fn literal(&self, term: Term) -> (bool, Term) {
        if self.op(term) == Op::Not { (true, self.args(term)[0]) } else { (false, term) }
    }

    /// `k1*t1 + k2*t2 + ... = 0` solved for `t1`: of a coefficient of 1 or -1 where there is one, since
    /// other inverses are large numbers that a solver multiplies by; else of an odd one if nothing is
    /// left over but a constant. Longer sums keep their two sides.
    fn eq_bitvec(&mut self, left: Term, right: Term) -> Term {
        let width = self.sort(left).width();
        let mut difference = self.combination(left, right, u64::MAX);
        if difference.monomials.len() > 2 {
            return self.eq_balanced(width, difference);
        }
        let is_unit = |&(_, k): &(Term, u64)| k == 1 || k == mask(width);
        let unit = difference.monomials.iter().position(is_unit);
        let is_single = difference.monomials.len() == 1;
        let at = unit.unwrap_or(0);
        let (pivot, coefficient) = difference.monomials.remove(at);
        let can_invert = unit.is_some() || (is_single && coefficient & 1 == 1);
        let invert = if can_invert { inverse(coefficient) } else { 1 };
        let factor = invert.wrapping_neg();
        difference.constant = difference.constant.wrapping_mul(factor) & mask(width);
        for (_, k) in &mut difference.monomials {
            *k = k.wrapping_mul(factor) & mask(width);
        }
        let left = self.scale(pivot, coefficient.wrapping_mul(invert) & mask(width));
        let right = self.sum_of(width, &difference);
        if let Some(narrow) =
            self.eq_extended(left, right).or_else(|| self.eq_extended(right, left))
        {
            return narrow;
        }
        self.eq_with_ite(left, right)
    }

    /// What is added on one side, what is taken away on the other: two sums of equal parts then look
    /// the same to a solver as soon as it knows the parts to be equal.
    fn eq_balanced(&mut self, width: u32, mut difference: Linear) -> Term {
        let is_negative = |k: u64| k > mask(width) / 2;
        let negate = |k: u64| k.wrapping_neg() & mask(width);
        if difference.monomials.first().is_some_and(|&(_, k)| is_negative(k)) {
            difference.constant = negate(difference.constant);
            difference.monomials.iter_mut().for_each(|(_, k)| *k = negate(*k));
        }
        let mut left = Linear { constant: 0, monomials: Vec::new() };
        let mut right = Linear { constant: 0, monomials: Vec::new() };
        for &(term, k) in &difference.monomials {
            if is_negative(k) {
                right.monomials.push((term, negate(k)));
            } else {
                left.monomials.push((term, k));
            }
        }
        if is_negative(difference.constant) {
            right.constant = negate(difference.constant);
        } else {
            left.constant = difference.constant;
        }
        let (left, right) = (self.sum_of(width, &left), self.sum_of(width, &right));
        self.eq_leaf(left, right)
    }

    /// Equality with an extended, concatenated or converted value, as equality of what was put in.
    fn eq_extended(&mut self, left: Term, right: Term) -> Option<Term> {
        let (op, other) = (self.op(left), self.as_const(right));
        let inner = self.args(left).first().copied()?;
        let Some(bits) = other else {
            let same = matches!(op, Op::ZeroExtend | Op::SignExtend | Op::FloatToBits)
                && self.op(right) == op
                && self.sort(inner) == self.sort(self.args(right)[0]);
            if same {
                let second = self.args(right)[0];
                return Some(self.eq(inner, second));
            }
            return self.eq_concatenated(left, right);
        };
        if matches!(op, Op::ZeroExtend | Op::SignExtend) {
            let (narrow, wide) = (self.sort(inner).width(), self.sort(left).width());
            let small = bits & mask(narrow);
            let zero = op == Op::ZeroExtend;
            let back = if zero { small } else { signed(small, narrow) as u64 & mask(wide) };
            if bits != back {
                return Some(self.bool(false));
            }
            let small = self.bitvec(narrow, small);
            return Some(self.eq(inner, small));
        }
        if op == Op::Concat {
            let low = self.args(left)[1];
            let split = self.sort(low).width();
            let high_bits = self.bitvec(self.sort(inner).width(), bits >> split);
            let low_bits = self.bitvec(split, bits);
            let (high, low) = (self.eq(inner, high_bits), self.eq(low, low_bits));
            return Some(self.and(&[high, low]));
        }
        if op == Op::FloatToBits {
            let sort = self.sort(inner);
            if canonical(bits, sort) != bits {
                return Some(self.bool(false));
            }
            let value = self.word(bits, sort);
            return Some(self.eq(inner, value));
        }
        None
    }

    /// Equality of two values that are put together from parts of the same widths.
    fn eq_concatenated(&mut self, left: Term, right: Term) -> Option<Term> {
        if self.op(left) != Op::Concat || self.op(right) != Op::Concat {
            return None;
        }
        let (one, two) = (self.args(left).to_vec(), self.args(right).to_vec());
        let (&[high, low], &[other_high, other_low]) = (&one[..], &two[..]) else { return None };
        if self.sort(low) != self.sort(other_low) {
            return None;
        }
        let (high, low) = (self.eq(high, other_high), self.eq(low, other_low));
        Some(self.and(&[high, low]))
    }

    /// Equality, pushed into `ite`s where constants or a common guard make it fold.
    fn eq_with_ite(&mut self, left: Term, right: Term) -> Term {
        if let Some(known) = self.known_equal(left, right) {
            return self.bool(known);
        }
        for (tree, other) in [(left, right), (right, left)] {
            if self.as_const(other).is_some() {
                let leaf = |terms: &mut Terms, leaf| {
                    terms.eq_extended(leaf, other).unwrap_or_else(|| terms.eq_leaf(leaf, other))
                };
                if let Some(pushed) = self.push_into_ite(tree, leaf) {
                    return pushed;
                }
            }
            // `ite(g, a, b) = a` where `b` is known to differ from `a`, and the like.
            if let Some((guard, a, b)) = self.as_ite(tree) {
                match (self.known_equal(a, other), self.known_equal(b, other)) {
                    (Some(one), Some(two)) => {
                        let (one, two) = (self.bool(one), self.bool(two));
                        return self.ite(guard, one, two);
                    }
                    (Some(one), None) => {
                        let (one, two) = (self.bool(one), self.eq_leaf(b, other));
                        return self.ite(guard, one, two);
                    }
                    (None, Some(two)) => {
                        let (one, two) = (self.eq_leaf(a, other), self.bool(two));
                        return self.ite(guard, one, two);
                    }
                    (None, None) => {}
                }
            }
        }
        if let (Some((one, a, b)), Some((two, c, d))) = (self.as_ite(left), self.as_ite(right))
            && one == two
        {
            let (then, other) = (self.known_equal(a, c), self.known_equal(b, d));
            if then.is_some() || other.is_some() {
                let (then, other) = (self.eq_leaf(a, c), self.eq_leaf(b, d));
                return self.ite(one, then, other);
            }
        }
        self.eq_leaf(left, right)
    }

    /// Equality without looking into `ite`s.
    fn eq_leaf(&mut self, left: Term, right: Term) -> Term {
        if let Some(known) = self.known_equal(left, right) {
            return self.bool(known);
        }
        if self.sort(left) == Sort::Bool {
            return self.iff(left, right);
        }
        let (left, right) = (left.min(right), left.max(right));
        self.intern(Op::Eq, Sort::Bool, &[left, right])
    }
}

/// The inverse of an odd number modulo 2^64 by Newton's iteration.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}
