//! Arithmetic as unknown functions: most versions of one formula compute the same from the same, and a
//! solver that multiplies floats out bit by bit never sees it.
//!
//! What cannot be true of unknown functions cannot be true of the arithmetic that they stand for. The
//! other way round nothing follows.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::sort::{Function, Sort};
use crate::terms::{Term, Terms};
use crate::walk::Marks;

/// What kind of arithmetic a question holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Arithmetic {
    /// Sums, bits and comparisons.
    Plain,
    /// Products and quotients of integers.
    Products,
    Floats,
}

/// The hardest arithmetic in these terms.
pub(super) fn arithmetic(terms: &Terms, all: &[Term], marks: &mut Marks) -> Arithmetic {
    let cone = terms.cone(all, marks);
    cone.into_iter().map(|term| of_operator(terms.op(term))).max().unwrap_or(Arithmetic::Plain)
}

fn of_operator(op: Op) -> Arithmetic {
    match op {
        Op::Mul | Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem => Arithmetic::Products,
        Op::FloatAdd
        | Op::FloatMul
        | Op::FloatDiv
        | Op::FloatRem
        | Op::FloatSqrt
        | Op::IntToFloat
        | Op::FloatToInt
        | Op::FloatToFloat => Arithmetic::Floats,
        Op::Const(_)
        | Op::Symbol(_)
        | Op::Apply(_)
        | Op::Not
        | Op::And
        | Op::Ite
        | Op::Eq
        | Op::Sum
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::Shl
        | Op::Lshr
        | Op::Ashr
        | Op::Extract { .. }
        | Op::Concat
        | Op::ZeroExtend
        | Op::SignExtend
        | Op::Ult
        | Op::Slt
        | Op::FloatNeg
        | Op::FloatAbs
        | Op::FloatLt
        | Op::FloatLe
        | Op::FloatEq
        | Op::IsNan
        | Op::BitsToFloat
        | Op::FloatToBits
        | Op::Select
        | Op::Store
        | Op::ConstArray => Arithmetic::Plain,
    }
}

/// The terms with their products, quotients and float arithmetic replaced by unknown functions, and what
/// is known of these.
pub(super) fn abstract_arithmetic(terms: &mut Terms, all: &[Term], marks: &mut Marks) -> Vec<Term> {
    let mut memo: FxHashMap<Term, Term> = FxHashMap::default();
    let mut replacing = Replacing { terms, functions: FxHashMap::default(), known: Vec::new() };
    for term in replacing.terms.cone(all, marks) {
        let args: Vec<Term> = replacing.terms.args(term).iter().map(|arg| memo[arg]).collect();
        let (op, sort) = (replacing.terms.op(term), replacing.terms.sort(term));
        let done = match of_operator(op) {
            Arithmetic::Plain => replacing.terms.rebuild(op, sort, &args),
            Arithmetic::Products | Arithmetic::Floats => replacing.replace(op, sort, &args),
        };
        memo.insert(term, done);
    }
    let mut replaced: Vec<Term> = all.iter().map(|term| memo[term]).collect();
    replaced.extend(replacing.known);
    replaced
}

struct Replacing<'t> {
    terms: &'t mut Terms,
    /// By operator, sorts of the arguments and of the result.
    functions: FxHashMap<(Op, Vec<Sort>, Sort), Function>,
    /// What is true of the functions that were used.
    known: Vec<Term>,
}

impl Replacing<'_> {
    fn replace(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        match op {
            // What is left over is what the quotient does not cover, also for MIN_VALUE and -1.
            Op::Srem | Op::Urem => {
                let quotient = if op == Op::Srem { Op::Sdiv } else { Op::Udiv };
                let quotient = self.apply(quotient, sort, args);
                let covered = if self.terms.as_const(args[1]).is_some() {
                    self.terms.mul(quotient, args[1])
                } else {
                    self.product(sort, &[quotient, args[1]])
                };
                self.terms.sub(args[0], covered)
            }
            Op::Mul => self.product(sort, args),
            Op::FloatAdd | Op::FloatMul => {
                let (one, two) = (args[0].min(args[1]), args[0].max(args[1]));
                let there = self.apply(op, sort, &[one, two]);
                let back = self.apply(op, sort, &[two, one]);
                let same = self.terms.eq(there, back);
                self.known.push(same);
                there
            }
            _ => self.apply(op, sort, args),
        }
    }

    fn product(&mut self, sort: Sort, factors: &[Term]) -> Term {
        let mut factors = factors.to_vec();
        factors.sort_unstable();
        self.apply(Op::Mul, sort, &factors)
    }

    fn apply(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.terms.sort(arg)).collect();
        let name = format!("some {op:?}");
        let terms = &mut *self.terms;
        let function = self
            .functions
            .entry((op, sorts.clone(), sort))
            .or_insert_with(|| terms.declare_function(&name, &sorts, sort));
        self.terms.apply(*function, args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remainder_is_what_the_quotient_leaves() {
        let mut terms = Terms::new();
        let (x, ten) = (terms.symbol("x", Sort::BitVec(32)), terms.int(10));
        let (quotient, rest) = (terms.sdiv(x, ten), terms.srem(x, ten));
        let covered = terms.mul(quotient, ten);
        let left = terms.sub(x, covered);
        let differ = terms.ne(rest, left);
        let all = abstract_arithmetic(&mut terms, &[differ], &mut Marks::new());
        assert!(all.iter().any(|&term| terms.is_false(term)));
    }

    #[test]
    fn products_of_the_same_are_the_same() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::Float64), terms.symbol("y", Sort::Float64));
        let product = terms.float_mul(x, y);
        assert_eq!(arithmetic(&terms, &[product], &mut Marks::new()), Arithmetic::Floats);
        let all = abstract_arithmetic(&mut terms, &[product], &mut Marks::new());
        assert_eq!(arithmetic(&terms, &all, &mut Marks::new()), Arithmetic::Plain);
        assert_eq!(all.len(), 2, "and that the factors may change places");
    }
}
