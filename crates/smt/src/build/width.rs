//! Bit-vectors that change their width: extract, concat and the two extensions.
//!
//! Shifts by constants and masks of low bits are these, so `x & 0xff`, `(x << 24) >>> 24` as the
//! bytecode of a cast to an unsigned byte, and `zero_extend(extract(x))` have one form where possible.

use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::terms::{Term, Terms};

impl Terms {
    /// The bits `hi..=lo`.
    pub fn extract(&mut self, hi: u32, lo: u32, term: Term) -> Term {
        let width = self.sort(term).width();
        assert!(lo <= hi && hi < width, "bits {hi}..{lo} of {width}");
        if let Some(pushed) =
            self.push_into_ite(term, |terms, leaf| terms.extract_leaf(hi, lo, leaf))
        {
            return pushed;
        }
        if lo == 0
            && matches!(self.op(term), Op::Sum | Op::Mul | Op::BitAnd | Op::BitOr | Op::BitXor)
            && self.args(term).iter().any(|&arg| self.narrows(arg))
            && hi + 1 < width
        {
            let (op, args) = (self.op(term), self.args(term).to_vec());
            let args: Vec<Term> = args.iter().map(|&arg| self.extract_leaf(hi, 0, arg)).collect();
            return self.rebuild(op, Sort::BitVec(hi as u8 + 1), &args);
        }
        self.extract_leaf(hi, lo, term)
    }

    /// Whether an extract of low bits may disappear into the term.
    fn narrows(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Extract { .. } | Op::Concat | Op::ZeroExtend | Op::SignExtend)
    }

    /// An extract that looks through changes of width, but not into sums or `ite`s. Concats nest at
    /// most 64 deep, so the recursion is bounded.
    fn extract_leaf(&mut self, hi: u32, lo: u32, term: Term) -> Term {
        let width = self.sort(term).width();
        let len = hi - lo + 1;
        if len == width {
            return term;
        }
        if let Some(bits) = self.as_const(term) {
            return self.bitvec(len, bits >> lo);
        }
        let op = self.op(term);
        if let Op::Extract { lo: below } = op {
            let (inner, below) = (self.args(term)[0], u32::from(below));
            return self.extract_leaf(hi + below, lo + below, inner);
        }
        if matches!(op, Op::ZeroExtend | Op::SignExtend) {
            let inner = self.args(term)[0];
            return self.extract_extended(op, inner, hi, lo);
        }
        if op == Op::Concat {
            return self.extract_concat(term, hi, lo);
        }
        self.intern(Op::Extract { lo: lo as u8 }, Sort::BitVec(len as u8), &[term])
    }

    fn extract_concat(&mut self, term: Term, hi: u32, lo: u32) -> Term {
        let (high, low) = (self.args(term)[0], self.args(term)[1]);
        let split = self.sort(low).width();
        if hi < split {
            return self.extract_leaf(hi, lo, low);
        }
        if lo >= split {
            return self.extract_leaf(hi - split, lo - split, high);
        }
        let high = self.extract_leaf(hi - split, 0, high);
        let low = self.extract_leaf(split - 1, lo, low);
        self.concat(high, low)
    }

    fn extract_extended(&mut self, op: Op, inner: Term, hi: u32, lo: u32) -> Term {
        let (narrow, len) = (self.sort(inner).width(), hi - lo + 1);
        if hi < narrow {
            return self.extract_leaf(hi, lo, inner);
        }
        if op == Op::ZeroExtend {
            if lo >= narrow {
                return self.bitvec(len, 0);
            }
            let part = self.extract_leaf(narrow - 1, lo, inner);
            return self.zero_extend(part, len);
        }
        let part = self.extract_leaf(narrow - 1, lo.min(narrow - 1), inner);
        self.sign_extend(part, len)
    }

    /// `high` above `low`; at most 64 bits together.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (above, below) = (self.sort(high).width(), self.sort(low).width());
        let width = above + below;
        assert!(width <= 64, "bit-vectors have at most 64 bits, not {width}");
        let sort = Sort::BitVec(width as u8);
        if let Some(folded) = self.folded(Op::Concat, sort, &[high, low]) {
            return folded;
        }
        if self.as_const(high) == Some(0) {
            return self.zero_extend(low, width);
        }
        if let (Op::Extract { lo: upper }, Op::Extract { lo: lower }) =
            (self.op(high), self.op(low))
        {
            let (whole, lower) = (self.args(high)[0], u32::from(lower));
            if whole == self.args(low)[0] && u32::from(upper) == lower + below {
                return self.extract(lower + width - 1, lower, whole);
            }
        }
        self.intern(Op::Concat, sort, &[high, low])
    }

    /// To `width` bits in all, with zeros above.
    pub fn zero_extend(&mut self, term: Term, width: u32) -> Term {
        self.extend(Op::ZeroExtend, term, width)
    }

    /// To `width` bits in all, with copies of the sign above.
    pub fn sign_extend(&mut self, term: Term, width: u32) -> Term {
        self.extend(Op::SignExtend, term, width)
    }

    fn extend(&mut self, op: Op, term: Term, width: u32) -> Term {
        let narrow = self.sort(term).width();
        assert!((narrow..=64).contains(&width), "{narrow} bits extended to {width}");
        if narrow == width {
            return term;
        }
        let sort = Sort::BitVec(width as u8);
        let pushed = self.push_into_ite(term, |terms, leaf| {
            terms.folded(op, sort, &[leaf]).unwrap_or_else(|| terms.intern(op, sort, &[leaf]))
        });
        if let Some(done) = pushed.or_else(|| self.folded(op, sort, &[term])) {
            return done;
        }
        let inner = self.op(term);
        if inner == Op::ZeroExtend || inner == op {
            let (inner, term) = (inner, self.args(term)[0]);
            return self.intern(inner, sort, &[term]);
        }
        if op == Op::SignExtend && self.possible_ones(term) < 1 << (narrow - 1) {
            return self.intern(Op::ZeroExtend, sort, &[term]);
        }
        self.intern(op, sort, &[term])
    }

    /// Bits that may be one; a look at the node and at the branches of an `ite`.
    pub(super) fn possible_ones(&self, term: Term) -> u64 {
        match self.as_ite(term) {
            Some((_, a, b)) => self.node_ones(a) | self.node_ones(b),
            None => self.node_ones(term),
        }
    }

    fn node_ones(&self, term: Term) -> u64 {
        let all = mask(self.sort(term).width());
        if let Some(bits) = self.as_const(term) {
            return bits;
        }
        match self.op(term) == Op::ZeroExtend {
            true => mask(self.sort(self.args(term)[0]).width()),
            false if self.op(term) == Op::BitAnd => {
                let constants = self.args(term).iter().filter_map(|&arg| self.as_const(arg));
                constants.fold(all, |bits, constant| bits & constant)
            }
            false => all,
        }
    }
}
