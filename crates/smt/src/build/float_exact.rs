//! Float arithmetic that loses nothing, or that rounds the same value in the same way.
//!
//! All of it holds for every value: NaN, infinities, zeros of either sign, and numbers that are subnormal.

use crate::fold::{word32, word64};
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};

impl Terms {
    /// `1/c` of a power of two: dividing by `c` and multiplying by it round the same value.
    pub(super) fn exact_inverse(&mut self, constant: Term) -> Option<Term> {
        let word = self.as_const(constant)?;
        match self.sort(constant) {
            Sort::Float32 => {
                let value = f32::from_bits(word as u32);
                let inverse = value.recip();
                let is_power = value.to_bits() & 0x007f_ffff == 0;
                let is_exact = is_power && value.is_normal() && inverse.is_normal();
                is_exact.then(|| self.float32(inverse))
            }
            Sort::Float64 => {
                let value = f64::from_bits(word);
                let inverse = value.recip();
                let is_power = value.to_bits() & 0x000f_ffff_ffff_ffff == 0;
                let is_exact = is_power && value.is_normal() && inverse.is_normal();
                is_exact.then(|| self.float64(inverse))
            }
            Sort::Bool | Sort::BitVec(_) | Sort::Uninterpreted(_) | Sort::Array(_) => None,
        }
    }

    /// Whether the value is a number and no infinity, as far as its shape shows.
    pub(super) fn is_finite(&self, term: Term) -> bool {
        if let Some(word) = self.as_const(term) {
            return match self.sort(term) {
                Sort::Float32 => f32::from_bits(word as u32).is_finite(),
                _ => f64::from_bits(word).is_finite(),
            };
        }
        self.op(term) == Op::IntToFloat
    }

    /// The one part of an operation that makes it NaN when it is: the other one is finite, and no zero
    /// where it is a factor or divides.
    pub(super) fn only_source_of_nan(&self, term: Term) -> Option<Term> {
        let &[one, two] = self.args(term) else { return None };
        let sign: u64 = if self.sort(term) == Sort::Float32 { 1 << 31 } else { 1 << 63 };
        let is_zero = |term| self.as_const(term).is_none_or(|word| word & !sign == 0);
        let is_factor = |term| self.is_finite(term) && !is_zero(term);
        match self.op(term) {
            Op::FloatAdd if self.is_finite(one) => Some(two),
            Op::FloatAdd if self.is_finite(two) => Some(one),
            Op::FloatMul if is_factor(one) => Some(two),
            Op::FloatMul | Op::FloatDiv if is_factor(two) => Some(one),
            _ => None,
        }
    }

    /// The int that a double holds exactly, if it was made of one or is constant.
    pub(super) fn exact_int(&mut self, term: Term) -> Option<Term> {
        if self.sort(term) != Sort::Float64 {
            return None;
        }
        if let Some(word) = self.as_const(term) {
            let value = f64::from_bits(word);
            let int = value as i32;
            return (f64::from(int).to_bits() == word).then(|| self.int(int));
        }
        let made = (self.op(term) == Op::IntToFloat).then(|| self.args(term)[0])?;
        match self.sort(made) {
            Sort::BitVec(32) => Some(made),
            Sort::BitVec(width) if width < 32 => Some(self.sign_extend(made, 32)),
            Sort::Bool
            | Sort::BitVec(_)
            | Sort::Float32
            | Sort::Float64
            | Sort::Uninterpreted(_)
            | Sort::Array(_) => None,
        }
    }

    /// A comparison of doubles that are ints.
    pub(super) fn float_compare_exact(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        if self.as_const(left).is_some() && self.as_const(right).is_some() {
            return None;
        }
        let (left, right) = (self.exact_int(left)?, self.exact_int(right)?);
        Some(match op {
            Op::FloatLt => self.slt(left, right),
            Op::FloatLe => self.sle(left, right),
            _ => self.eq(left, right),
        })
    }

    /// What a comparison by `<` comes to whose one side is a sum and whose other side is zero: `a + b < 0`
    /// is `a < -b`, since a sum is zero only if its parts are opposite, and NaN only if they are infinite
    /// and opposite, or one is NaN. (`a + b <= 0` is another matter.) Signs on both sides change places.
    pub(super) fn compared_sum(&mut self, left: Term, right: Term) -> Option<(Term, Term)> {
        let is_zero = |terms: &Terms, term: Term| {
            let sign = if terms.sort(term) == Sort::Float32 { 1 << 31 } else { 1 << 63 };
            terms.as_const(term).is_some_and(|word| word & !sign == 0)
        };
        if self.op(left) == Op::FloatAdd && is_zero(self, right) {
            let (one, two) = (self.args(left)[0], self.args(left)[1]);
            return Some((one, self.float_neg(two)));
        }
        if self.op(right) == Op::FloatAdd && is_zero(self, left) {
            let (one, two) = (self.args(right)[0], self.args(right)[1]);
            return Some((self.float_neg(two), one));
        }
        let is_minus = |terms: &Terms, term: Term| {
            terms.op(term) == Op::FloatNeg || terms.as_const(term).is_some()
        };
        let is_one_minus = self.op(left) == Op::FloatNeg || self.op(right) == Op::FloatNeg;
        if is_one_minus && is_minus(self, left) && is_minus(self, right) {
            return Some((self.float_neg(right), self.float_neg(left)));
        }
        None
    }

    /// A double made by one operation of floats, as a float: a double has more than twice the digits of
    /// a float and two, so rounding twice gives what rounding once does.
    pub(super) fn rounded_once(&mut self, term: Term) -> Option<Term> {
        let args = self.args(term).to_vec();
        match self.op(term) {
            Op::FloatNeg => {
                let narrow = self.float_to_float(args[0], Sort::Float32);
                Some(self.float_neg(narrow))
            }
            Op::IntToFloat if self.sort(args[0]) == Sort::BitVec(32) => {
                Some(self.int_to_float(args[0], Sort::Float32))
            }
            Op::FloatAdd => {
                let (one, two) = (self.widened(args[0])?, self.widened(args[1])?);
                Some(self.float_add(one, two))
            }
            Op::FloatMul => {
                let (one, two) = (self.widened(args[0])?, self.widened(args[1])?);
                Some(self.float_mul(one, two))
            }
            Op::FloatDiv => {
                let (one, two) = (self.widened(args[0])?, self.widened(args[1])?);
                Some(self.float_div(one, two))
            }
            Op::FloatSqrt => {
                let one = self.widened(args[0])?;
                Some(self.float_sqrt(one))
            }
            _ => None,
        }
    }

    /// The float that a double holds.
    fn widened(&mut self, term: Term) -> Option<Term> {
        if let Some(word) = self.as_const(term) {
            let value = f64::from_bits(word) as f32;
            return (word64(f64::from(value)) == word).then(|| {
                let word = word32(value);
                self.word(word, Sort::Float32)
            });
        }
        match self.op(term) {
            Op::FloatToFloat => Some(self.args(term)[0]),
            Op::FloatNeg => {
                let inner = self.widened(self.args(term)[0])?;
                Some(self.float_neg(inner))
            }
            _ => None,
        }
    }
}
