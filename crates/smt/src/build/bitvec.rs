//! Bitwise operators, shifts and division.
//!
//! Shifts by the width or more and division by zero follow SMT-LIB and are total: `udiv(x, 0)` is all
//! ones, `urem(x, 0)` and `srem(x, 0)` are `x`, `sdiv(x, 0)` is 1 for negative `x` and else -1. Java
//! throws before it divides by zero and masks its shift distances: use the `java_` shifts.

use crate::op::Op;
use crate::sort::{Sort, mask, signed};
use crate::terms::{Term, Terms};

impl Terms {
    pub fn bit_and(&mut self, terms: &[Term]) -> Term {
        let (sort, mut bits, mut args) = self.collect_bitwise(Op::BitAnd, terms, |a, b| a & b);
        let ones = mask(sort.width());
        args.sort_unstable();
        args.dedup();
        for &arg in &args {
            bits &= self.possible_ones(arg) | !ones;
        }
        if self.has_bit_complement(&args) {
            bits = 0;
        }
        if bits & ones == 0 {
            return self.word(0, sort);
        }
        let bits = bits & ones;
        // The constant says nothing if the others have no other bits anyway.
        let room = args.iter().fold(ones, |room, &arg| room & self.possible_ones(arg));
        if !args.is_empty() && room & !bits == 0 {
            return self.bitwise(Op::BitAnd, sort, None, &args);
        }
        if !args.is_empty() && bits & bits.wrapping_add(1) == 0 {
            let rest = self.bitwise(Op::BitAnd, sort, None, &args);
            let low = self.extract(bits.trailing_ones() - 1, 0, rest);
            return self.zero_extend(low, sort.width());
        }
        self.bitwise(Op::BitAnd, sort, Some(bits), &args)
    }

    pub fn bit_or(&mut self, terms: &[Term]) -> Term {
        let (sort, bits, mut args) = self.collect_bitwise(Op::BitOr, terms, |a, b| a | b);
        let ones = mask(sort.width());
        args.sort_unstable();
        args.dedup();
        if bits & ones == ones || self.has_bit_complement(&args) {
            return self.word(ones, sort);
        }
        self.bitwise(Op::BitOr, sort, (bits != 0).then_some(bits), &args)
    }

    pub fn bit_xor(&mut self, terms: &[Term]) -> Term {
        let (sort, mut bits, args) = self.collect_bitwise(Op::BitXor, terms, |a, b| a ^ b);
        let ones = mask(sort.width());
        // Complements move out, so that `~a ^ b` and `~(a ^ b)` are one term.
        let mut args: Vec<Term> = args
            .iter()
            .map(|&arg| match self.as_bit_not(arg) {
                Some(inner) => {
                    bits ^= ones;
                    inner
                }
                None => arg,
            })
            .collect();
        args.sort_unstable();
        let mut odd: Vec<Term> = Vec::with_capacity(args.len());
        for arg in args {
            if odd.last() == Some(&arg) {
                odd.pop();
            } else {
                odd.push(arg);
            }
        }
        if bits == ones && !odd.is_empty() {
            let rest = self.bitwise(Op::BitXor, sort, None, &odd);
            return self.bit_not(rest);
        }
        self.bitwise(Op::BitXor, sort, (bits != 0).then_some(bits), &odd)
    }

    /// The flattened non-constant arguments and the constants combined.
    fn collect_bitwise(
        &self,
        op: Op,
        terms: &[Term],
        combine: impl Fn(u64, u64) -> u64,
    ) -> (Sort, u64, Vec<Term>) {
        let sort = self.sort(terms[0]);
        let mut bits = if op == Op::BitAnd { mask(sort.width()) } else { 0 };
        let mut args = Vec::with_capacity(terms.len());
        for &term in terms {
            self.expect_sort(term, sort);
            let nested = self.op(term) == op && self.args(term).len() + args.len() <= 64;
            let own = [term];
            for &arg in if nested { self.args(term) } else { &own } {
                match self.as_const(arg) {
                    Some(word) => bits = combine(bits, word),
                    None => args.push(arg),
                }
            }
        }
        (sort, bits, args)
    }

    fn bitwise(&mut self, op: Op, sort: Sort, bits: Option<u64>, args: &[Term]) -> Term {
        let mut all = Vec::with_capacity(args.len() + 1);
        if let Some(bits) = bits {
            all.push(self.word(bits, sort));
        }
        all.extend_from_slice(args);
        match all[..] {
            [] => {
                let identity = if op == Op::BitAnd { mask(sort.width()) } else { 0 };
                self.word(identity, sort)
            }
            [single] => single,
            [..] => {
                all.sort_unstable();
                self.intern(op, sort, &all)
            }
        }
    }

    fn has_bit_complement(&self, sorted: &[Term]) -> bool {
        sorted.iter().any(|&term| {
            self.as_bit_not(term).is_some_and(|inner| sorted.binary_search(&inner).is_ok())
        })
    }

    /// Shift left; zero from a distance of the width on.
    pub fn shl(&mut self, term: Term, distance: Term) -> Term {
        let sort = self.expect_same_sort(term, distance);
        if let Some(distance) = self.as_const(distance) {
            let factor = if distance < u64::from(sort.width()) { 1 << distance } else { 0 };
            return self.scale(term, factor);
        }
        self.shift(Op::Shl, term, distance)
    }

    /// Logical shift right; zero from a distance of the width on.
    pub fn lshr(&mut self, term: Term, distance: Term) -> Term {
        let width = self.expect_same_sort(term, distance).width();
        match self.as_const(distance) {
            None => self.shift(Op::Lshr, term, distance),
            Some(distance) if distance < u64::from(width) => {
                let high = self.extract(width - 1, distance as u32, term);
                self.zero_extend(high, width)
            }
            Some(_) => self.bitvec(width, 0),
        }
    }

    /// Arithmetic shift right; copies of the sign from a distance of the width on.
    pub fn ashr(&mut self, term: Term, distance: Term) -> Term {
        let width = self.expect_same_sort(term, distance).width();
        match self.as_const(distance) {
            None => self.shift(Op::Ashr, term, distance),
            Some(distance) => {
                let distance = distance.min(u64::from(width) - 1) as u32;
                let high = self.extract(width - 1, distance, term);
                self.sign_extend(high, width)
            }
        }
    }

    fn shift(&mut self, op: Op, term: Term, distance: Term) -> Term {
        let sort = self.sort(term);
        if self.as_const(term) == Some(0) {
            return term;
        }
        self.intern(op, sort, &[term, distance])
    }

    /// `ishl`, `lshl`: the distance is masked to the width. It has the width of the value: extend
    /// the `int` distance of a `long` shift first.
    pub fn java_shl(&mut self, term: Term, distance: Term) -> Term {
        let distance = self.masked(distance);
        self.shl(term, distance)
    }

    /// `ishr`, `lshr`.
    pub fn java_shr(&mut self, term: Term, distance: Term) -> Term {
        let distance = self.masked(distance);
        self.ashr(term, distance)
    }

    /// `iushr`, `lushr`.
    pub fn java_ushr(&mut self, term: Term, distance: Term) -> Term {
        let distance = self.masked(distance);
        self.lshr(term, distance)
    }

    fn masked(&mut self, distance: Term) -> Term {
        let width = self.sort(distance).width();
        assert!(width.is_power_of_two(), "Java shifts int or long, not {width} bits");
        let low = self.bitvec(width, u64::from(width) - 1);
        self.bit_and(&[distance, low])
    }

    /// Unsigned quotient; all ones if the divisor is zero.
    pub fn udiv(&mut self, left: Term, right: Term) -> Term {
        let width = self.expect_same_sort(left, right).width();
        match self.as_const(right) {
            Some(divisor) if divisor.is_power_of_two() => {
                let distance = self.bitvec(width, u64::from(divisor.trailing_zeros()));
                self.lshr(left, distance)
            }
            Some(_) | None => self.divide(Op::Udiv, left, right),
        }
    }

    /// Unsigned remainder; the dividend if the divisor is zero.
    pub fn urem(&mut self, left: Term, right: Term) -> Term {
        let width = self.expect_same_sort(left, right).width();
        match self.as_const(right) {
            Some(0) => left,
            Some(divisor) if divisor.is_power_of_two() => {
                let low = self.bitvec(width, divisor - 1);
                self.bit_and(&[left, low])
            }
            Some(_) | None => self.divide(Op::Urem, left, right),
        }
    }

    /// Signed quotient towards zero, `idiv` for a divisor that is not zero (`MIN / -1` is `MIN`).
    pub fn sdiv(&mut self, left: Term, right: Term) -> Term {
        let width = self.expect_same_sort(left, right).width();
        match self.as_const(right).map(|divisor| signed(divisor, width)) {
            // One bit knows no 1: its only odd value is -1, caught by the second arm.
            Some(1) => left,
            Some(-1) => self.neg(left),
            Some(_) | None => self.divide(Op::Sdiv, left, right),
        }
    }

    /// Signed remainder with the sign of the dividend, `irem` for a divisor that is not zero.
    pub fn srem(&mut self, left: Term, right: Term) -> Term {
        let width = self.expect_same_sort(left, right).width();
        match self.as_const(right).map(|divisor| signed(divisor, width)) {
            Some(0) => left,
            Some(1 | -1) => self.bitvec(width, 0),
            Some(_) | None => self.divide(Op::Srem, left, right),
        }
    }

    fn divide(&mut self, op: Op, left: Term, right: Term) -> Term {
        let sort = self.sort(left);
        let folded = self.folded(op, sort, &[left, right]);
        folded.unwrap_or_else(|| self.intern(op, sort, &[left, right]))
    }
}
