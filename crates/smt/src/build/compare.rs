//! Order of bit-vectors: two strict comparisons, simplified by the ranges of their operands.

use crate::op::Op;
use crate::sort::{Sort, mask, signed};
use crate::terms::{Term, Terms};

impl Terms {
    /// Unsigned `left < right`.
    pub fn ult(&mut self, left: Term, right: Term) -> Term {
        self.less(Op::Ult, left, right)
    }

    /// Unsigned `left <= right`.
    pub fn ule(&mut self, left: Term, right: Term) -> Term {
        let greater = self.ult(right, left);
        self.not(greater)
    }

    /// Signed `left < right`, as `if_icmplt` and `lcmp` compare.
    pub fn slt(&mut self, left: Term, right: Term) -> Term {
        self.less(Op::Slt, left, right)
    }

    /// Signed `left <= right`.
    pub fn sle(&mut self, left: Term, right: Term) -> Term {
        let greater = self.slt(right, left);
        self.not(greater)
    }

    fn less(&mut self, op: Op, left: Term, right: Term) -> Term {
        self.expect_same_sort(left, right);
        let pushed = if self.as_const(right).is_some() {
            self.push_into_ite(left, |terms, leaf| terms.less_leaf(op, leaf, right))
        } else if self.as_const(left).is_some() {
            self.push_into_ite(right, |terms, leaf| terms.less_leaf(op, left, leaf))
        } else {
            None
        };
        pushed.unwrap_or_else(|| self.less_leaf(op, left, right))
    }

    fn less_leaf(&mut self, op: Op, left: Term, right: Term) -> Term {
        let width = self.sort(left).width();
        if left == right {
            return self.bool(false);
        }
        if op == Op::Ult {
            let ((low, high), (floor, ceiling)) =
                (self.unsigned_range(left), self.unsigned_range(right));
            return match less_by_range(low, high, floor, ceiling) {
                Some(known) => self.bool(known),
                None => self.less_node(Op::Ult, left, right),
            };
        }
        let ((low, high), (floor, ceiling)) = (self.signed_range(left), self.signed_range(right));
        if let Some(known) = less_by_range(low, high, floor, ceiling) {
            return self.bool(known);
        }
        // Without signs in play, both orders agree: one form for both.
        if low >= 0 && floor >= 0 && width > 1 {
            return self.less_node(Op::Ult, left, right);
        }
        self.less_node(Op::Slt, left, right)
    }

    fn less_node(&mut self, op: Op, left: Term, right: Term) -> Term {
        let width = self.sort(left).width();
        if op == Op::Ult {
            if self.as_const(right) == Some(1) {
                let zero = self.bitvec(width, 0);
                return self.eq(left, zero);
            }
            if self.as_const(left) == Some(0) {
                let zero = self.bitvec(width, 0);
                return self.ne(right, zero);
            }
        }
        if let Some((left, right)) = self.narrowed(op, left, right) {
            return self.less_leaf(op, left, right);
        }
        self.intern(op, Sort::Bool, &[left, right])
    }

    /// Both operands without the extension that they share.
    fn narrowed(&mut self, op: Op, left: Term, right: Term) -> Option<(Term, Term)> {
        let extension = if op == Op::Ult { Op::ZeroExtend } else { Op::SignExtend };
        let inner =
            |terms: &Terms, term: Term| (terms.op(term) == extension).then(|| terms.args(term)[0]);
        match (inner(self, left), inner(self, right)) {
            (Some(one), Some(two)) if self.sort(one) == self.sort(two) => Some((one, two)),
            (Some(one), None) => {
                let two = self.narrow_const(op, right, self.sort(one).width())?;
                Some((one, two))
            }
            (None, Some(two)) => {
                let one = self.narrow_const(op, left, self.sort(two).width())?;
                Some((one, two))
            }
            (Some(_), Some(_)) | (None, None) => None,
        }
    }

    fn narrow_const(&mut self, op: Op, term: Term, narrow: u32) -> Option<Term> {
        let (bits, wide) = (self.as_const(term)?, self.sort(term).width());
        let small = bits & mask(narrow);
        let back = if op == Op::Ult { small } else { signed(small, narrow) as u64 & mask(wide) };
        (back == bits).then(|| self.bitvec(narrow, small))
    }

    fn unsigned_range(&self, term: Term) -> (u64, u64) {
        if let Some(bits) = self.as_const(term) {
            return (bits, bits);
        }
        let ones = self.possible_ones(term);
        let high = ones.checked_ilog2().map_or(0, |top| mask(top + 1));
        if self.op(term) == Op::Urem
            && let Some(divisor) = self.as_const(self.args(term)[1])
            && divisor != 0
        {
            return (0, high.min(divisor - 1));
        }
        (0, high)
    }

    fn signed_range(&self, term: Term) -> (i64, i64) {
        let width = self.sort(term).width();
        if let Some(bits) = self.as_const(term) {
            return (signed(bits, width), signed(bits, width));
        }
        let narrow = if self.op(term) == Op::SignExtend {
            self.sort(self.args(term)[0]).width()
        } else {
            width
        };
        let (low, high) = self.unsigned_range(term);
        if high <= mask(width) >> 1 {
            return (low as i64, high as i64);
        }
        (signed(1 << (narrow - 1), narrow), (mask(narrow) >> 1) as i64)
    }
}

fn less_by_range<N: PartialOrd>(low: N, high: N, floor: N, ceiling: N) -> Option<bool> {
    if high < floor {
        Some(true)
    } else if low >= ceiling {
        Some(false)
    } else {
        None
    }
}
