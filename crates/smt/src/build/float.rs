//! IEEE floats with one NaN, rounding to nearest even.
//!
//! Only rewrites that hold for every value are made: `x + 0.0` is not `x` (for -0.0), `x - x` is not
//! zero (for infinities and NaN).

use crate::fold::{canonical, word32, word64};
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};

/// How far it is followed where a NaN comes from.
const SOURCES: usize = 16;

impl Terms {
    pub fn float_add(&mut self, left: Term, right: Term) -> Term {
        for (one, other) in [(left, right), (right, left)] {
            if self.is_float(one, -0.0) {
                return other;
            }
        }
        self.float_binary(Op::FloatAdd, left.min(right), left.max(right))
    }

    pub fn float_sub(&mut self, left: Term, right: Term) -> Term {
        let minus = self.float_neg(right);
        self.float_add(left, minus)
    }

    pub fn float_mul(&mut self, left: Term, right: Term) -> Term {
        let ((flip, left), (flop, right)) = (self.signless(left), self.signless(right));
        let mut product = None;
        for (one, other) in [(left, right), (right, left)] {
            if self.is_float(one, 1.0) {
                product = Some(other);
            } else if self.is_float(one, -1.0) {
                product = Some(self.float_neg(other));
            } else if self.is_float(one, 2.0) {
                product = Some(self.float_add(other, other));
            }
        }
        let product = product
            .unwrap_or_else(|| self.float_binary(Op::FloatMul, left.min(right), left.max(right)));
        if flip == flop { product } else { self.float_neg(product) }
    }

    pub fn float_div(&mut self, left: Term, right: Term) -> Term {
        let ((flip, left), (flop, right)) = (self.signless(left), self.signless(right));
        let quotient = if self.is_float(right, 1.0) {
            left
        } else if self.is_float(right, -1.0) {
            self.float_neg(left)
        } else if let Some(inverse) = self.exact_inverse(right) {
            self.float_mul(left, inverse)
        } else {
            self.float_binary(Op::FloatDiv, left, right)
        };
        if flip == flop { quotient } else { self.float_neg(quotient) }
    }

    /// `frem`, `drem`. The solver sees an uninterpreted function: see [`Terms::is_inexact`].
    pub fn java_frem(&mut self, left: Term, right: Term) -> Term {
        self.float_binary(Op::FloatRem, left, right)
    }

    fn float_binary(&mut self, op: Op, left: Term, right: Term) -> Term {
        let sort = self.expect_float(left);
        self.expect_sort(right, sort);
        let folded = self.folded(op, sort, &[left, right]);
        folded.unwrap_or_else(|| self.intern(op, sort, &[left, right]))
    }

    pub fn float_neg(&mut self, term: Term) -> Term {
        let sort = self.expect_float(term);
        if self.op(term) == Op::FloatNeg {
            return self.args(term)[0];
        }
        let folded = self.folded(Op::FloatNeg, sort, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::FloatNeg, sort, &[term]))
    }

    pub fn float_abs(&mut self, term: Term) -> Term {
        let sort = self.expect_float(term);
        let (_, term) = self.signless(term);
        if self.op(term) == Op::FloatAbs {
            return term;
        }
        let folded = self.folded(Op::FloatAbs, sort, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::FloatAbs, sort, &[term]))
    }

    pub fn float_sqrt(&mut self, term: Term) -> Term {
        let sort = self.expect_float(term);
        let folded = self.folded(Op::FloatSqrt, sort, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::FloatSqrt, sort, &[term]))
    }

    /// Java's `<`: false for NaN.
    pub fn float_lt(&mut self, left: Term, right: Term) -> Term {
        self.float_compare(Op::FloatLt, left, right)
    }

    /// Java's `<=`: false for NaN, so it is not the negation of `>`.
    pub fn float_le(&mut self, left: Term, right: Term) -> Term {
        self.float_compare(Op::FloatLe, left, right)
    }

    /// Java's `==`: false for NaN, true for 0.0 and -0.0.
    pub fn float_eq(&mut self, left: Term, right: Term) -> Term {
        self.float_compare(Op::FloatEq, left.min(right), left.max(right))
    }

    fn float_compare(&mut self, op: Op, left: Term, right: Term) -> Term {
        let sort = self.expect_float(left);
        self.expect_sort(right, sort);
        if left == right {
            if op == Op::FloatLt {
                return self.bool(false);
            }
            let nan = self.is_nan(left);
            return self.not(nan);
        }
        if let Some(same) = self.float_compare_exact(op, left, right) {
            return same;
        }
        let pushed = if self.as_const(right).is_some() {
            self.push_into_ite(left, |terms, leaf| terms.compare_leaf(op, leaf, right))
        } else if self.as_const(left).is_some() {
            self.push_into_ite(right, |terms, leaf| terms.compare_leaf(op, left, leaf))
        } else {
            None
        };
        pushed.unwrap_or_else(|| self.compare_leaf(op, left, right))
    }

    fn compare_leaf(&mut self, op: Op, left: Term, right: Term) -> Term {
        let nan = [left, right].iter().any(|&term| self.is_float(term, f64::NAN));
        if nan {
            return self.bool(false);
        }
        if op == Op::FloatLt
            && let Some((left, right)) = self.compared_sum(left, right)
        {
            return self.float_compare(op, left, right);
        }
        let folded = self.folded(op, Sort::Bool, &[left, right]);
        folded.unwrap_or_else(|| self.intern(op, Sort::Bool, &[left, right]))
    }

    pub fn is_nan(&mut self, term: Term) -> Term {
        self.expect_float(term);
        let pushed = self.push_into_ite(term, |terms, leaf| terms.is_nan_leaf(leaf));
        pushed.unwrap_or_else(|| self.is_nan_leaf(term))
    }

    fn is_nan_leaf(&mut self, term: Term) -> Term {
        let mut term = term;
        for _ in 0..SOURCES {
            // These make NaN from NaN only. (f32 to f64 and back may overflow, but to infinity.)
            let source = match self.op(term) {
                Op::FloatNeg | Op::FloatAbs | Op::FloatToFloat => Some(self.args(term)[0]),
                _ => self.only_source_of_nan(term),
            };
            let Some(source) = source else { break };
            term = source;
        }
        if self.is_finite(term) {
            return self.bool(false);
        }
        let folded = self.folded(Op::IsNan, Sort::Bool, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::IsNan, Sort::Bool, &[term]))
    }

    /// `i2f`, `i2d`, `l2f`, `l2d`: to nearest even.
    pub fn int_to_float(&mut self, term: Term, sort: Sort) -> Term {
        assert!(sort.is_float(), "a float sort was expected, not {sort:?}");
        self.sort(term).width();
        if self.op(term) == Op::SignExtend {
            return self.int_to_float(self.args(term)[0], sort);
        }
        let folded = self.folded(Op::IntToFloat, sort, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::IntToFloat, sort, &[term]))
    }

    /// `f2i`, `f2l`, `d2i`, `d2l`: towards zero, saturating, NaN to 0. `width` is 32 or 64.
    pub fn float_to_int(&mut self, term: Term, width: u32) -> Term {
        assert!(width == 32 || width == 64, "floats become int or long, not {width} bits");
        self.expect_float(term);
        let sort = Sort::BitVec(width as u8);
        if let Some(exact) = self.exact_int(term) {
            return if width == 32 { exact } else { self.sign_extend(exact, 64) };
        }
        if self.op(term) == Op::FloatToFloat && self.sort(term) == Sort::Float64 {
            return self.float_to_int(self.args(term)[0], width);
        }
        let folded = self.folded(Op::FloatToInt, sort, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::FloatToInt, sort, &[term]))
    }

    /// `f2d`, `d2f`.
    pub fn float_to_float(&mut self, term: Term, sort: Sort) -> Term {
        assert!(sort.is_float(), "a float sort was expected, not {sort:?}");
        if self.expect_float(term) == sort {
            return term;
        }
        // Widening is exact, so narrowing it again gives the value back.
        if sort == Sort::Float32 && self.op(term) == Op::FloatToFloat {
            return self.args(term)[0];
        }
        if sort == Sort::Float32
            && let Some(narrow) = self.rounded_once(term)
        {
            return narrow;
        }
        let folded = self.folded(Op::FloatToFloat, sort, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::FloatToFloat, sort, &[term]))
    }

    /// `Float.intBitsToFloat`, `Double.longBitsToDouble`, from 32 or 64 bits. NaN payloads vanish.
    pub fn bits_to_float(&mut self, term: Term) -> Term {
        let sort = match self.sort(term).width() {
            32 => Sort::Float32,
            64 => Sort::Float64,
            width => panic!("floats have 32 or 64 bits, not {width}"),
        };
        if self.op(term) == Op::FloatToBits {
            return self.args(term)[0];
        }
        let folded = self.folded(Op::BitsToFloat, sort, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::BitsToFloat, sort, &[term]))
    }

    /// `Float.floatToIntBits`, `Double.doubleToLongBits`: every NaN gives the canonical one. Raw bits
    /// are not modelled.
    pub fn float_to_bits(&mut self, term: Term) -> Term {
        let width = if self.expect_float(term) == Sort::Float32 { 32 } else { 64 };
        let sort = Sort::BitVec(width);
        let folded = self.folded(Op::FloatToBits, sort, &[term]);
        folded.unwrap_or_else(|| self.intern(Op::FloatToBits, sort, &[term]))
    }

    fn expect_float(&self, term: Term) -> Sort {
        let sort = self.sort(term);
        assert!(sort.is_float(), "a float was expected, not {sort:?}");
        sort
    }

    /// The term without an outer negation, and whether there was one.
    fn signless(&self, term: Term) -> (bool, Term) {
        if self.op(term) == Op::FloatNeg { (true, self.args(term)[0]) } else { (false, term) }
    }

    fn is_float(&self, term: Term, value: f64) -> bool {
        let word = match self.sort(term) {
            Sort::Float32 => word32(value as f32),
            Sort::Float64 => word64(value),
            Sort::Bool | Sort::BitVec(_) | Sort::Uninterpreted(_) | Sort::Array(_) => return false,
        };
        self.as_const(term) == Some(canonical(word, self.sort(term)))
    }
}
