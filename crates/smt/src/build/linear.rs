//! Sums and products of bit-vectors in a normal form: `k0 + k1*t1 + ...` modulo 2^width.
//!
//! `(h << 5) - h` and `31 * h`, `x + x` and `2 * x`, `a - b + b` and `a` are one term each. Bitwise
//! `not x` is `-x - 1`. Products of terms are not distributed over sums.

use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::terms::{Term, Terms};

/// Sums and products longer than this are nested instead of merged: a sum built by an unrolled loop
/// would otherwise cost the square of the iterations.
const LONG: usize = 64;

/// A sum: its constant and its monomials, sorted by term, no coefficient zero.
#[derive(Clone)]
pub(super) struct Linear {
    pub(super) constant: u64,
    pub(super) monomials: Vec<(Term, u64)>,
}

impl Terms {
    pub fn add(&mut self, left: Term, right: Term) -> Term {
        self.add_scaled(left, right, 1)
    }

    pub fn sub(&mut self, left: Term, right: Term) -> Term {
        self.add_scaled(left, right, u64::MAX)
    }

    pub fn neg(&mut self, term: Term) -> Term {
        self.scale(term, u64::MAX)
    }

    /// Bitwise complement.
    pub fn bit_not(&mut self, term: Term) -> Term {
        let width = self.sort(term).width();
        let mut linear = self.scaled(term, u64::MAX);
        linear.constant = linear.constant.wrapping_sub(1) & mask(width);
        self.sum_of(width, &linear)
    }

    pub fn mul(&mut self, left: Term, right: Term) -> Term {
        let sort = self.expect_same_sort(left, right);
        let width = sort.width();
        if let Some(factor) = self.as_const(left) {
            return self.scale(right, factor);
        }
        if let Some(factor) = self.as_const(right) {
            return self.scale(left, factor);
        }
        let (one, left) = self.monomial(left);
        let (two, right) = self.monomial(right);
        let mut factors: Vec<Term> = Vec::new();
        for term in [left, right] {
            if self.op(term) == Op::Mul && factors.len() + self.args(term).len() <= LONG {
                factors.extend_from_slice(self.args(term));
            } else {
                factors.push(term);
            }
        }
        factors.sort_unstable();
        let product = self.intern(Op::Mul, sort, &factors);
        self.scale(product, one.wrapping_mul(two) & mask(width))
    }

    /// The term times a constant.
    pub(super) fn scale(&mut self, term: Term, factor: u64) -> Term {
        let width = self.sort(term).width();
        let linear = self.scaled(term, factor);
        self.sum_of(width, &linear)
    }

    fn scaled(&self, term: Term, factor: u64) -> Linear {
        let width = self.sort(term).width();
        let mut linear = self.linear(term);
        linear.constant = linear.constant.wrapping_mul(factor) & mask(width);
        for (_, coefficient) in &mut linear.monomials {
            *coefficient = coefficient.wrapping_mul(factor) & mask(width);
        }
        linear.monomials.retain(|&(_, coefficient)| coefficient != 0);
        linear
    }

    fn add_scaled(&mut self, left: Term, right: Term, factor: u64) -> Term {
        let width = self.expect_same_sort(left, right).width();
        let sum = self.combination(left, right, factor);
        self.sum_of(width, &sum)
    }

    /// `left + factor * right`, not yet a term.
    pub(super) fn combination(&self, left: Term, right: Term, factor: u64) -> Linear {
        let width = self.sort(left).width();
        let one = self.linear(left);
        let two = self.scaled(right, factor);
        if one.monomials.len() + two.monomials.len() > LONG {
            let mut monomials = vec![(left, 1), (right, factor & mask(width))];
            monomials.sort_unstable();
            if left == right {
                monomials = vec![(left, factor.wrapping_add(1) & mask(width))];
            }
            monomials.retain(|&(_, coefficient)| coefficient != 0);
            return Linear { constant: 0, monomials };
        }
        let constant = one.constant.wrapping_add(two.constant) & mask(width);
        let mut monomials = one.monomials;
        monomials.extend_from_slice(&two.monomials);
        Linear { constant, monomials: merged(monomials, width) }
    }

    /// A sum rebuilt from the arguments of its node, which may have become anything.
    pub(super) fn rebuild_sum(&mut self, args: &[Term]) -> Term {
        let mut sum = args[0];
        for pair in args[1..].chunks_exact(2) {
            let product = self.mul(pair[0], pair[1]);
            sum = self.add(sum, product);
        }
        sum
    }

    /// The term as a sum.
    pub(super) fn linear(&self, term: Term) -> Linear {
        if let Some(constant) = self.as_const(term) {
            return Linear { constant, monomials: Vec::new() };
        }
        if self.op(term) != Op::Sum {
            return Linear { constant: 0, monomials: vec![(term, 1)] };
        }
        let args = self.args(term);
        let word = |term: Term| self.as_const(term).unwrap_or_default();
        let monomials = args[1..].chunks_exact(2).map(|pair| (pair[1], word(pair[0]))).collect();
        Linear { constant: word(args[0]), monomials }
    }

    pub(super) fn sum_of(&mut self, width: u32, linear: &Linear) -> Term {
        if linear.monomials.is_empty() {
            return self.bitvec(width, linear.constant);
        }
        if let ([(term, 1)], 0) = (&linear.monomials[..], linear.constant) {
            return *term;
        }
        let mut args = Vec::with_capacity(1 + 2 * linear.monomials.len());
        args.push(self.bitvec(width, linear.constant));
        for &(term, coefficient) in &linear.monomials {
            args.push(self.bitvec(width, coefficient));
            args.push(term);
        }
        self.intern(Op::Sum, Sort::BitVec(width as u8), &args)
    }

    /// The term as a constant times a term.
    fn monomial(&self, term: Term) -> (u64, Term) {
        let linear = self.linear(term);
        match linear.monomials[..] {
            [(single, coefficient)] if linear.constant == 0 => (coefficient, single),
            [..] => (1, term),
        }
    }

    /// `x` if the term is the bitwise complement of `x`.
    pub(super) fn as_bit_not(&self, term: Term) -> Option<Term> {
        if self.op(term) != Op::Sum {
            return None;
        }
        let &[constant, coefficient, single] = self.args(term) else { return None };
        let ones = mask(self.sort(term).width());
        let is_not = self.as_const(constant) == Some(ones) && constant == coefficient;
        is_not.then_some(single)
    }
}

fn merged(mut monomials: Vec<(Term, u64)>, width: u32) -> Vec<(Term, u64)> {
    monomials.sort_by_key(|&(term, _)| term);
    let mut out: Vec<(Term, u64)> = Vec::with_capacity(monomials.len());
    for (term, coefficient) in monomials {
        match out.last_mut() {
            Some((last, sum)) if *last == term => {
                *sum = sum.wrapping_add(coefficient) & mask(width)
            }
            Some(_) | None => out.push((term, coefficient)),
        }
    }
    out.retain(|&(_, coefficient)| coefficient != 0);
    out
}
