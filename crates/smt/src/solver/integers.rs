//! Bit-vectors as integers: sums that wrap round are `sum - 2^width * k` for some `k`, which a solver for
//! linear arithmetic decides at once where one that adds bit by bit does not end.
//!
//! Each bit-vector is its value as two's complement, those of widths that Java does not have (references,
//! lengths, turns of loops) without a sign. What has no integer form (bitwise operations, shifts
//! by unknown distances, floats) is an unknown function with the range of its sort. Every world of ours
//! is a world of the integers, so `unsat` holds of the bits too; the other way round nothing follows.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::Op;
use crate::sort::{Function, Sort, SortId, signed};
use crate::terms::{Term, Terms};
use crate::walk::Marks;

/// What products and quotients of unknown terms are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Products {
    /// Unknown functions.
    Unknown,
    /// Products and quotients of integers.
    Exact,
}

/// Assertions about integers.
pub(super) struct InIntegers {
    pub(super) text: String,
    /// No operator became an unknown function.
    pub(super) is_exact: bool,
}

/// The assertions as text about integers; nothing where that cannot be said.
pub(super) fn print_in_integers(
    terms: &Terms,
    all: &[Term],
    products: Products,
    marks: &mut Marks,
) -> Option<InIntegers> {
    let cone = terms.cone(all, marks);
    if compares_constant_arrays(terms, &cone) {
        return None;
    }
    let mut printer = Printer {
        terms,
        products,
        out: String::new(),
        ranges: FxHashMap::default(),
        functions: FxHashSet::default(),
        operators: FxHashMap::default(),
        quotients: FxHashMap::default(),
        sorts: FxHashSet::default(),
        n_wraps: 0,
    };
    for term in cone {
        printer.define(term);
    }
    for &term in all {
        let name = printer.name(term);
        let _ = writeln!(printer.out, "(assert {name})");
    }
    Some(InIntegers { text: printer.out, is_exact: printer.operators.is_empty() })
}

/// An array that is one value everywhere has it at integers too that no bit-vector is: that would show
/// where whole arrays are compared, and nowhere else.
fn compares_constant_arrays(terms: &Terms, cone: &[Term]) -> bool {
    let is_array = |term: &Term| matches!(terms.sort(*term), Sort::Array(_));
    let compares = |&term: &Term| match terms.op(term) {
        Op::Eq | Op::Apply(_) => terms.args(term).iter().any(is_array),
        _ => false,
    };
    cone.iter().any(|&term| terms.op(term) == Op::ConstArray) && cone.iter().any(compares)
}

/// The least and the greatest value that a term may have.
type Range = (i128, i128);

struct Printer<'t> {
    terms: &'t Terms,
    products: Products,
    out: String,
    ranges: FxHashMap<Term, Range>,
    functions: FxHashSet<Function>,
    /// Unknown functions in the place of operators, by these, the parameters and the result.
    operators: FxHashMap<(Op, Vec<Sort>, Sort), usize>,
    /// Dividend, divisor and whether they have signs, to the number of a quotient and a remainder.
    quotients: FxHashMap<(Term, Term), usize>,
    sorts: FxHashSet<SortId>,
    n_wraps: usize,
}

/// Whether values of this width are told with a sign.
fn has_sign(width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64)
}

fn range_of(width: u32) -> Range {
    if !has_sign(width) {
        return (0, (1 << width) - 1);
    }
    let half = 1_i128 << (width - 1);
    (-half, half - 1)
}

fn value_of(word: u64, width: u32) -> i128 {
    if has_sign(width) { i128::from(signed(word, width)) } else { i128::from(word) }
}

fn literal(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

impl Printer<'_> {
    fn name(&self, term: Term) -> String {
        let Some(word) = self.terms.as_const(term) else { return format!("n{}", term.index()) };
        match self.terms.sort(term) {
            Sort::Bool => (word == 1).to_string(),
            Sort::BitVec(width) => literal(value_of(word, u32::from(width))),
            Sort::Float32 | Sort::Float64 | Sort::Uninterpreted(_) | Sort::Array(_) => {
                word.to_string()
            }
        }
    }

    fn range(&self, term: Term) -> Range {
        let width = self.terms.sort(term).width();
        if let Some(word) = self.terms.as_const(term) {
            let value = value_of(word, width);
            return (value, value);
        }
        self.ranges.get(&term).copied().unwrap_or_else(|| range_of(width))
    }

    /// The value without a sign, as text, and its range.
    fn unsigned(&self, term: Term) -> (String, Range) {
        let (name, (low, high)) = (self.name(term), self.range(term));
        if low >= 0 {
            return (name, (low, high));
        }
        let size = 1_i128 << self.terms.sort(term).width();
        if let Some(word) = self.terms.as_const(term) {
            return (word.to_string(), (i128::from(word), i128::from(word)));
        }
        (format!("(ite (< {name} 0) (+ {name} {size}) {name})"), (0, size - 1))
    }

    /// The value with a sign, as text, and its range.
    fn with_sign(&self, term: Term) -> (String, Range) {
        let width = self.terms.sort(term).width();
        let (name, range) = (self.name(term), self.range(term));
        if has_sign(width) {
            return (name, range);
        }
        if let Some(word) = self.terms.as_const(term) {
            let value = i128::from(signed(word, width));
            return (literal(value), (value, value));
        }
        let (half, size) = (1_i128 << (width - 1), 1_i128 << width);
        (format!("(ite (< {name} {half}) {name} (- {name} {size}))"), (-half, half - 1))
    }

    fn sort_name(&mut self, sort: Sort) -> String {
        match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::BitVec(_) | Sort::Float32 | Sort::Float64 => "Int".to_owned(),
            Sort::Uninterpreted(id) => {
                if self.sorts.insert(id) {
                    let _ = writeln!(self.out, "(declare-sort U{} 0)", id.index());
                }
                format!("U{}", id.index())
            }
            Sort::Array(_) => {
                let (index, element) = self.terms.array_parts(sort);
                format!("(Array {} {})", self.sort_name(index), self.sort_name(element))
            }
        }
    }

    fn define(&mut self, term: Term) {
        let (op, sort) = (self.terms.op(term), self.terms.sort(term));
        if let Op::Const(_) = op {
            return;
        }
        if let Op::Symbol(_) = op {
            let sort_name = self.sort_name(sort);
            let _ = writeln!(self.out, "(declare-const n{} {sort_name})", term.index());
            self.assert_range(term);
            return;
        }
        match self.text(term, op, sort) {
            Some((text, range)) => {
                let sort_name = self.sort_name(sort);
                let _ = writeln!(self.out, "(define-fun n{} () {sort_name} {text})", term.index());
                if let Some(range) = range {
                    self.ranges.insert(term, range);
                }
            }
            None => self.define_unknown(term, op, sort),
        }
        if matches!(op, Op::Select) {
            self.assert_range(term);
        }
    }

    /// That a value is one of its sort.
    fn assert_range(&mut self, term: Term) {
        if let Sort::BitVec(width) = self.terms.sort(term) {
            let (low, high) = range_of(u32::from(width));
            let name = self.name(term);
            let _ = writeln!(
                self.out,
                "(assert (and (<= {} {name}) (<= {name} {high})))",
                literal(low)
            );
        }
    }

    /// What a node is, and the range if it has one; nothing for what stays unknown.
    fn text(&mut self, term: Term, op: Op, sort: Sort) -> Option<(String, Option<Range>)> {
        let args = self.terms.args(term).to_vec();
        let names: Vec<String> = args.iter().map(|&arg| self.name(arg)).collect();
        let plain = |operator: &str| Some((format!("({operator} {})", names.join(" ")), None));
        match op {
            Op::Not => plain("not"),
            Op::And => plain("and"),
            Op::Eq => plain("="),
            Op::Slt => {
                let (one, two) = (self.with_sign(args[0]).0, self.with_sign(args[1]).0);
                Some((format!("(< {one} {two})"), None))
            }
            Op::Select => plain("select"),
            Op::Store => plain("store"),
            Op::ConstArray => {
                let sort_name = self.sort_name(sort);
                Some((format!("((as const {sort_name}) {})", names[0]), None))
            }
            Op::Ite => {
                let range = matches!(sort, Sort::BitVec(_)).then(|| {
                    let (one, two) = (self.range(args[1]), self.range(args[2]));
                    (one.0.min(two.0), one.1.max(two.1))
                });
                Some((format!("(ite {})", names.join(" ")), range))
            }
            Op::Ult => {
                let (one, two) = (self.unsigned(args[0]).0, self.unsigned(args[1]).0);
                Some((format!("(< {one} {two})"), None))
            }
            Op::Sum | Op::Extract { .. } | Op::Concat | Op::ZeroExtend | Op::SignExtend => {
                let (text, range) = self.linear(op, &args);
                Some(self.wrap(text, range, sort.width()))
            }
            Op::Mul if self.products == Products::Exact => {
                let range = args.iter().map(|&arg| self.range(arg)).reduce(product);
                let range = range.unwrap_or((i128::MIN, i128::MAX));
                Some(self.wrap(format!("(* {})", names.join(" ")), range, sort.width()))
            }
            Op::Sdiv | Op::Srem => self.quotient(op, args[0], args[1]),
            Op::Mul
            | Op::Udiv
            | Op::Urem
            | Op::Const(_)
            | Op::Symbol(_)
            | Op::Apply(_)
            | Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::Shl
            | Op::Lshr
            | Op::Ashr
            | Op::FloatAdd
            | Op::FloatMul
            | Op::FloatDiv
            | Op::FloatRem
            | Op::FloatNeg
            | Op::FloatAbs
            | Op::FloatSqrt
            | Op::FloatLt
            | Op::FloatLe
            | Op::FloatEq
            | Op::IsNan
            | Op::IntToFloat
            | Op::FloatToInt
            | Op::FloatToFloat
            | Op::BitsToFloat
            | Op::FloatToBits => None,
        }
    }

    /// A sum or a part of a bit-vector before it is wrapped round.
    fn linear(&self, op: Op, args: &[Term]) -> (String, Range) {
        let own = |term: Term| (self.name(term), self.range(term));
        match op {
            Op::Extract { lo } => {
                let (name, (low, high)) = own(args[0]);
                let size = 1_i128 << lo;
                (format!("(div {name} {size})"), (low.div_euclid(size), high.div_euclid(size)))
            }
            Op::Concat => {
                let (name, (low, high)) = own(args[0]);
                let (tail, (from, to)) = self.unsigned(args[1]);
                let size = 1_i128 << self.terms.sort(args[1]).width();
                (format!("(+ (* {size} {name}) {tail})"), (low * size + from, high * size + to))
            }
            Op::ZeroExtend => self.unsigned(args[0]),
            Op::SignExtend => self.with_sign(args[0]),
            _ => {
                // Constants near zero wrap round less.
                let (first, mut range) = self.with_sign(args[0]);
                let mut text = format!("(+ {first}");
                for pair in args[1..].chunks_exact(2) {
                    let ((factor, factors), name) = (self.with_sign(pair[0]), self.name(pair[1]));
                    let _ = write!(text, " (* {factor} {name})");
                    let part = product(factors, self.range(pair[1]));
                    range = (range.0.saturating_add(part.0), range.1.saturating_add(part.1));
                }
                text.push(')');
                (text, range)
            }
        }
    }

    /// The value modulo 2^width, in the range of the width.
    fn wrap(&mut self, text: String, range: Range, width: u32) -> (String, Option<Range>) {
        let (low, high) = range_of(width);
        if low <= range.0 && range.1 <= high {
            return (text, Some(range));
        }
        let number = self.n_wraps;
        self.n_wraps += 1;
        let size = 1_i128 << width;
        let _ = writeln!(self.out, "(declare-const k{number} Int)");
        let wrapped = format!("(- {text} (* {size} k{number}))");
        let _ = writeln!(self.out, "(define-fun w{number} () Int {wrapped})");
        let _ = writeln!(
            self.out,
            "(assert (and (<= {} w{number}) (<= w{number} {high})))",
            literal(low)
        );
        (format!("w{number}"), Some((low, high)))
    }

    /// A quotient towards zero, or what it leaves.
    fn quotient(&mut self, op: Op, left: Term, right: Term) -> Option<(String, Option<Range>)> {
        let width = self.terms.sort(left).width();
        let divisor = self.terms.as_const(right);
        if !has_sign(width)
            || divisor == Some(0)
            || (divisor.is_none() && self.products == Products::Unknown)
        {
            return None;
        }
        let number = match self.quotients.get(&(left, right)) {
            Some(&number) => number,
            None => self.define_quotient(left, right),
        };
        let (low, high) = range_of(width);
        if op == Op::Srem {
            let (from, to) = self.range(left);
            return Some((format!("r{number}"), Some((from.min(0), to.max(0)))));
        }
        if let Some(divisor) = divisor.map(|word| i128::from(signed(word, width)).abs())
            && divisor > 1
        {
            let (from, to) = self.range(left);
            let most = from.abs().max(to.abs()) / divisor;
            return Some((format!("q{number}"), Some((-most, most))));
        }
        // MIN_VALUE / -1 is MIN_VALUE.
        let least = literal(low);
        Some((format!("(ite (> q{number} {high}) {least} q{number})"), Some((low, high))))
    }

    fn define_quotient(&mut self, left: Term, right: Term) -> usize {
        let number = self.quotients.len();
        self.quotients.insert((left, right), number);
        let (x, y) = (self.name(left), self.name(right));
        let (q, r) = (format!("q{number}"), format!("r{number}"));
        let _ = writeln!(self.out, "(declare-const {q} Int)(declare-const {r} Int)");
        let _ = writeln!(
            self.out,
            "(assert (=> (not (= {y} 0)) (and (= {x} (+ (* {y} {q}) {r})) \
             (< {r} (ite (< {y} 0) (- {y}) {y})) (< (- {r}) (ite (< {y} 0) (- {y}) {y})) \
             (ite (>= {x} 0) (>= {r} 0) (<= {r} 0)))))"
        );
        let _ = writeln!(
            self.out,
            "(assert (=> (= {y} 0) (and (= {q} (ite (>= {x} 0) (- 1) 1)) (= {r} {x}))))"
        );
        number
    }

    /// A call of an unknown function.
    fn define_unknown(&mut self, term: Term, op: Op, sort: Sort) {
        let args = self.terms.args(term).to_vec();
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.terms.sort(arg)).collect();
        let function = match op {
            Op::Apply(function) => {
                if self.functions.insert(function) {
                    self.declare(&format!("f{}", function.index()), &sorts, sort);
                }
                format!("f{}", function.index())
            }
            _ => self.operator(op, &sorts, sort),
        };
        let names: Vec<String> = args.iter().map(|&arg| self.name(arg)).collect();
        let (sort_name, call) = (self.sort_name(sort), names.join(" "));
        let _ =
            writeln!(self.out, "(define-fun n{} () {sort_name} ({function} {call}))", term.index());
        self.assert_range(term);
        self.assert_bits(term, op, &args);
    }
    /// The unknown function in the place of an operator.
    fn operator(&mut self, op: Op, parameters: &[Sort], result: Sort) -> String {
        let key = (op, parameters.to_vec(), result);
        if let Some(number) = self.operators.get(&key) {
            return format!("o{number}");
        }
        let name = format!("o{}", self.operators.len());
        self.operators.insert(key, self.operators.len());
        self.declare(&name, parameters, result);
        name
    }

    fn declare(&mut self, name: &str, parameters: &[Sort], result: Sort) {
        let parameters: Vec<String> = parameters.iter().map(|&it| self.sort_name(it)).collect();
        let result = self.sort_name(result);
        let _ = writeln!(self.out, "(declare-fun {name} ({}) {result})", parameters.join(" "));
    }

    /// What is known of bitwise operations on numbers without a sign.
    fn assert_bits(&mut self, term: Term, op: Op, args: &[Term]) {
        let names: Vec<String> = args.iter().map(|&arg| self.name(arg)).collect();
        let n = self.name(term);
        match op {
            Op::BitAnd => {
                for a in &names {
                    let _ = writeln!(
                        self.out,
                        "(assert (=> (>= {a} 0) (and (<= 0 {n}) (<= {n} {a}))))"
                    );
                }
            }
            Op::BitOr | Op::BitXor => {
                let signs: Vec<String> = names.iter().map(|a| format!("(>= {a} 0)")).collect();
                let (signs, sum) = (signs.join(" "), names.join(" "));
                let _ = writeln!(
                    self.out,
                    "(assert (=> (and {signs}) (and (<= 0 {n}) (<= {n} (+ {sum})))))"
                );
            }
            Op::Lshr | Op::Ashr if has_sign(self.terms.sort(term).width()) => {
                let a = &names[0];
                let _ =
                    writeln!(self.out, "(assert (=> (>= {a} 0) (and (<= 0 {n}) (<= {n} {a}))))");
            }
            _ => {}
        }
    }
}

fn product(one: Range, two: Range) -> Range {
    let ends = [(one.0, two.0), (one.0, two.1), (one.1, two.0), (one.1, two.1)];
    let ends = ends.map(|(a, b)| a.saturating_mul(b));
    let least = ends.into_iter().fold(i128::MAX, i128::min);
    let most = ends.into_iter().fold(i128::MIN, i128::max);
    (least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(terms: &Terms, all: &[Term], products: Products) -> Option<String> {
        print_in_integers(terms, all, products, &mut Marks::new()).map(|it| it.text)
    }

    #[test]
    fn sums_that_fit_are_not_wrapped() {
        let mut terms = Terms::new();
        let (a, b) = (terms.symbol("a", Sort::BitVec(32)), terms.symbol("b", Sort::BitVec(32)));
        let (wide_a, wide_b) = (terms.sign_extend(a, 64), terms.sign_extend(b, 64));
        let (narrow, wide) = (terms.add(a, b), terms.add(wide_a, wide_b));
        let (of_narrow, of_wide) = (terms.slt(narrow, a), terms.slt(wide, wide_a));
        let has_wrap = |all: &[Term]| {
            text(&terms, all, Products::Unknown).is_some_and(|text| text.contains("k0"))
        };
        assert!(has_wrap(&[of_narrow]));
        assert!(!has_wrap(&[of_wide]));
    }

    #[test]
    fn whole_arrays_with_one_value_are_not_compared() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::BitVec(32), Sort::BitVec(32));
        let zero = terms.int(0);
        let (array, zeros) = (terms.symbol("a", sort), terms.const_array(sort, zero));
        let same = terms.eq(array, zeros);
        assert!(text(&terms, &[same], Products::Unknown).is_none());
    }
}
