//! The constructors of terms. Each simplifies as it builds and looks at a bounded number of nodes:
//! no constructor walks down a term, so building is linear in what is built.
//!
//! Mixing sorts panics: it is an error of the caller, never a property of the analysed program.

mod array;
mod bitvec;
mod boolean;
mod compare;
mod equal;
mod float;
mod float_exact;
mod function;
mod ite;
mod linear;
mod width;

use crate::fold::{fold, word32, word64};
use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::terms::{Term, Terms};

impl Terms {
    pub fn bool(&mut self, value: bool) -> Term {
        self.word(u64::from(value), Sort::Bool)
    }

    /// A bit-vector constant; bits above `width` are dropped, so a sign-extended `i64` may be passed.
    pub fn bitvec(&mut self, width: u32, bits: u64) -> Term {
        assert!((1..=64).contains(&width), "bit-vectors have 1 to 64 bits, not {width}");
        self.word(bits & mask(width), Sort::BitVec(width as u8))
    }

    pub fn int(&mut self, value: i32) -> Term {
        self.bitvec(32, value as u64)
    }

    pub fn long(&mut self, value: i64) -> Term {
        self.bitvec(64, value as u64)
    }

    pub fn float32(&mut self, value: f32) -> Term {
        self.word(word32(value), Sort::Float32)
    }

    pub fn float64(&mut self, value: f64) -> Term {
        self.word(word64(value), Sort::Float64)
    }

    /// The value of an operator whose arguments are all constants.
    fn folded(&mut self, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
        let words: Option<Vec<u64>> = args.iter().map(|&arg| self.as_const(arg)).collect();
        let words = words?;
        let word = fold(op, sort, self.sort(args[0]), words.len(), |i| words[i]);
        Some(self.word(word, sort))
    }

    fn expect_sort(&self, term: Term, sort: Sort) {
        let found = self.sort(term);
        assert!(found == sort, "a term of sort {sort:?} was expected, not {found:?}");
    }

    fn expect_same_sort(&self, left: Term, right: Term) -> Sort {
        let sort = self.sort(left);
        self.expect_sort(right, sort);
        sort
    }

    /// The node `op` over new arguments, through the simplifying constructor. This is how
    /// substitution rebuilds a term.
    pub(crate) fn rebuild(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        match op {
            Op::Const(_) | Op::Symbol(_) => self.intern(op, sort, &[]),
            Op::Apply(function) => self.apply(function, args),
            Op::Not => self.not(args[0]),
            Op::And => self.and(args),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Sum => self.rebuild_sum(args),
            Op::Mul => args[1..].iter().fold(args[0], |left, &right| self.mul(left, right)),
            Op::BitAnd => self.bit_and(args),
            Op::BitOr => self.bit_or(args),
            Op::BitXor => self.bit_xor(args),
            Op::Shl => self.shl(args[0], args[1]),
            Op::Lshr => self.lshr(args[0], args[1]),
            Op::Ashr => self.ashr(args[0], args[1]),
            Op::Udiv => self.udiv(args[0], args[1]),
            Op::Urem => self.urem(args[0], args[1]),
            Op::Sdiv => self.sdiv(args[0], args[1]),
            Op::Srem => self.srem(args[0], args[1]),
            Op::Extract { lo } => {
                let lo = u32::from(lo);
                self.extract(lo + sort.width() - 1, lo, args[0])
            }
            Op::Concat => self.concat(args[0], args[1]),
            Op::ZeroExtend => self.zero_extend(args[0], sort.width()),
            Op::SignExtend => self.sign_extend(args[0], sort.width()),
            Op::Ult => self.ult(args[0], args[1]),
            Op::Slt => self.slt(args[0], args[1]),
            Op::FloatAdd => self.float_add(args[0], args[1]),
            Op::FloatMul => self.float_mul(args[0], args[1]),
            Op::FloatDiv => self.float_div(args[0], args[1]),
            Op::FloatRem => self.java_frem(args[0], args[1]),
            Op::FloatNeg => self.float_neg(args[0]),
            Op::FloatAbs => self.float_abs(args[0]),
            Op::FloatSqrt => self.float_sqrt(args[0]),
            Op::FloatLt => self.float_lt(args[0], args[1]),
            Op::FloatLe => self.float_le(args[0], args[1]),
            Op::FloatEq => self.float_eq(args[0], args[1]),
            Op::IsNan => self.is_nan(args[0]),
            Op::IntToFloat => self.int_to_float(args[0], sort),
            Op::FloatToInt => self.float_to_int(args[0], sort.width()),
            Op::FloatToFloat => self.float_to_float(args[0], sort),
            Op::BitsToFloat => self.bits_to_float(args[0]),
            Op::FloatToBits => self.float_to_bits(args[0]),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
            Op::ConstArray => self.const_array(sort, args[0]),
        }
    }
}
