//! Terms as SMT-LIB 2: one definition per node, so that shared nodes are never printed twice.
//!
//! Floats are bit-vectors with the canonical NaN; only arithmetic goes through the theory of floats.
//! So a node of float sort has up to two definitions, `t12` (bits) and `p12` (float), made on demand;
//! comparisons of values that are bits anyway are comparisons of integer keys, which solvers decide
//! several times faster. Functions and arrays may hold any NaN in the solver; what is read from them
//! is made canonical, so every world of ours is a world of the solver and `unsat` stays right.
//!
//! Definitions are global (they survive `pop`): a printer remembers what it has defined until the
//! process is reset.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::options::Dialect;
use crate::op::Op;
use crate::sort::{Function, Sort, SortId, mask};
use crate::terms::{Term, Terms};

/// Helpers that every session starts with: NaN test, canonical bits and order key per width.
pub(super) const PREAMBLE: &str = "\
(define-fun nan32 ((x (_ BitVec 32))) Bool (bvugt (bvand x #x7fffffff) #x7f800000))
(define-fun nan64 ((x (_ BitVec 64))) Bool (bvugt (bvand x #x7fffffffffffffff) #x7ff0000000000000))
(define-fun canon32 ((x (_ BitVec 32))) (_ BitVec 32) (ite (nan32 x) #x7fc00000 x))
(define-fun canon64 ((x (_ BitVec 64))) (_ BitVec 64) (ite (nan64 x) #x7ff8000000000000 x))
(define-fun key32 ((x (_ BitVec 32))) (_ BitVec 32) \
(ite (bvslt x #x00000000) (bvsub #x80000000 x) x))
(define-fun key64 ((x (_ BitVec 64))) (_ BitVec 64) \
(ite (bvslt x #x0000000000000000) (bvsub #x8000000000000000 x) x))
(declare-fun frem32 ((_ BitVec 32) (_ BitVec 32)) (_ BitVec 32))
(declare-fun frem64 ((_ BitVec 64) (_ BitVec 64)) (_ BitVec 64))
";

/// The two shapes of a float; every other sort is `Plain`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Form {
    /// Bits, for floats; the only form of other sorts.
    Plain,
    Float,
}

pub(super) struct Printer {
    dialect: Dialect,
    defined: FxHashSet<(Term, Form)>,
    functions: FxHashSet<Function>,
    sorts: FxHashSet<SortId>,
    /// Facts that define bits of floats for solvers without `fp.to_ieee_bv`: to be asserted wherever
    /// the bits are used.
    pub(super) facts: String,
}

impl Printer {
    pub(super) fn new(dialect: Dialect) -> Printer {
        Printer {
            dialect,
            defined: FxHashSet::default(),
            functions: FxHashSet::default(),
            sorts: FxHashSet::default(),
            facts: String::new(),
        }
    }

    /// Prints `(assert ..)` and what the term needs that is not defined yet.
    pub(super) fn assert(&mut self, terms: &Terms, term: Term, out: &mut String) {
        self.define(terms, term, out);
        let _ = writeln!(out, "(assert {})", Name(terms, term, Form::Plain));
    }

    fn define(&mut self, terms: &Terms, root: Term, out: &mut String) {
        let mut stack = vec![(root, Form::Plain)];
        let mut new = Vec::new();
        let mut needs = Vec::new();
        while let Some((term, form)) = stack.pop() {
            if terms.as_const(term).is_some() || !self.defined.insert((term, form)) {
                continue;
            }
            new.push((term, form != natural(terms, term), form));
            needs.clear();
            list_needs(terms, term, form, &mut needs);
            stack.extend_from_slice(&needs);
        }
        // Ascending ids put arguments first, and a node's natural form before the other.
        new.sort_unstable();
        for (term, derived, form) in new {
            if derived {
                self.print_derived(terms, term, form, out);
            } else {
                self.print_natural(terms, term, form, out);
            }
        }
    }

    /// The other form of a float.
    fn print_derived(&mut self, terms: &Terms, term: Term, form: Form, out: &mut String) {
        let sort = terms.sort(term);
        let (bits, float) = (Name(terms, term, Form::Plain), Name(terms, term, Form::Float));
        let (nan, exponent) = if sort == Sort::Float32 {
            ("#x7fc00000", "8 24")
        } else {
            ("#x7ff8000000000000", "11 53")
        };
        let _ = match (form, self.dialect) {
            (Form::Float, Dialect::Z3 | Dialect::Cvc5) => writeln!(
                out,
                "(define-fun {float} () (_ FloatingPoint {exponent}) ((_ to_fp {exponent}) {bits}))"
            ),
            (Form::Plain, Dialect::Z3) => writeln!(
                out,
                "(define-fun {bits} () {} (ite (fp.isNaN {float}) {nan} (fp.to_ieee_bv {float})))",
                SortName(terms, sort)
            ),
            (Form::Plain, Dialect::Cvc5) => {
                let _ = writeln!(out, "(declare-const {bits} {})", SortName(terms, sort));
                writeln!(
                    self.facts,
                    "(assert (ite (fp.isNaN {float}) (= {bits} {nan}) (= {float} \
                     ((_ to_fp {exponent}) {bits}))))"
                )
            }
        };
    }

    fn print_natural(&mut self, terms: &Terms, term: Term, form: Form, out: &mut String) {
        let sort = terms.sort(term);
        self.declare_sort(terms, sort, out);
        if let Op::Symbol(symbol) = terms.op(term) {
            let (number, name) = (symbol.index(), SortName(terms, sort));
            let _ = match sort {
                Sort::Float32 | Sort::Float64 => writeln!(
                    out,
                    "(declare-const r{number} {name})(define-fun s{number} () {name} ({} r{number}))",
                    by_width(sort, "canon32", "canon64")
                ),
                Sort::Bool | Sort::BitVec(_) | Sort::Uninterpreted(_) | Sort::Array(_) => {
                    writeln!(out, "(declare-const s{number} {name})")
                }
            };
            return;
        }
        if let Op::Apply(function) = terms.op(term) {
            self.declare_function(terms, function, out);
        }
        let name = Name(terms, term, form);
        let _ = match form {
            Form::Plain => write!(out, "(define-fun {name} () {} ", SortName(terms, sort)),
            Form::Float => write!(out, "(define-fun {name} () {} ", float_sort(sort)),
        };
        print_operation(terms, term, out);
        out.push_str(")\n");
    }

    fn declare_sort(&mut self, terms: &Terms, sort: Sort, out: &mut String) {
        match sort {
            Sort::Uninterpreted(id) => {
                if self.sorts.insert(id) {
                    let _ = writeln!(out, "(declare-sort U{} 0)", id.index());
                }
            }
            Sort::Array(_) => {
                let (index, element) = terms.array_parts(sort);
                self.declare_sort(terms, index, out);
                self.declare_sort(terms, element, out);
            }
            Sort::Bool | Sort::BitVec(_) | Sort::Float32 | Sort::Float64 => {}
        }
    }

    fn declare_function(&mut self, terms: &Terms, function: Function, out: &mut String) {
        if !self.functions.insert(function) {
            return;
        }
        for &sort in terms.function_parameters(function) {
            self.declare_sort(terms, sort, out);
        }
        let _ = write!(out, "(declare-fun f{} (", function.index());
        for &sort in terms.function_parameters(function) {
            let _ = write!(out, " {}", SortName(terms, sort));
        }
        let _ = writeln!(out, ") {})", SortName(terms, terms.function_result(function)));
    }
}

/// Whether a node is made by arithmetic of the theory of floats.
fn is_arithmetic(op: Op) -> bool {
    matches!(
        op,
        Op::FloatAdd
            | Op::FloatMul
            | Op::FloatDiv
            | Op::FloatSqrt
            | Op::IntToFloat
            | Op::FloatToFloat
    )
}

/// The form in which a node is computed.
fn natural(terms: &Terms, term: Term) -> Form {
    let mut term = term;
    while matches!(terms.op(term), Op::FloatNeg | Op::FloatAbs) {
        term = terms.args(term)[0];
    }
    if is_arithmetic(terms.op(term)) { Form::Float } else { Form::Plain }
}

/// The form in which a node reads its arguments of float sort.
fn argument_form(terms: &Terms, term: Term) -> Form {
    let args = terms.args(term);
    match terms.op(term) {
        Op::FloatNeg | Op::FloatAbs | Op::IsNan => natural(terms, args[0]),
        Op::FloatLt | Op::FloatLe | Op::FloatEq => {
            natural(terms, args[0]).max(natural(terms, args[1]))
        }
        Op::FloatAdd
        | Op::FloatMul
        | Op::FloatDiv
        | Op::FloatSqrt
        | Op::IntToFloat
        | Op::FloatToInt
        | Op::FloatToFloat => Form::Float,
        Op::Const(_)
        | Op::Symbol(_)
        | Op::Apply(_)
        | Op::Not
        | Op::And
        | Op::Ite
        | Op::Eq
        | Op::Sum
        | Op::Mul
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::Shl
        | Op::Lshr
        | Op::Ashr
        | Op::Udiv
        | Op::Urem
        | Op::Sdiv
        | Op::Srem
        | Op::Extract { .. }
        | Op::Concat
        | Op::ZeroExtend
        | Op::SignExtend
        | Op::Ult
        | Op::Slt
        | Op::FloatRem
        | Op::BitsToFloat
        | Op::FloatToBits
        | Op::Select
        | Op::Store
        | Op::ConstArray => Form::Plain,
    }
}

fn form_of_argument(terms: &Terms, term: Term, arg: Term) -> Form {
    if terms.sort(arg).is_float() { argument_form(terms, term) } else { Form::Plain }
}

fn list_needs(terms: &Terms, term: Term, form: Form, needs: &mut Vec<(Term, Form)>) {
    let own = natural(terms, term);
    if form != own {
        needs.push((term, own));
        return;
    }
    needs.extend(terms.args(term).iter().map(|&arg| (arg, form_of_argument(terms, term, arg))));
}

/// A reference to a defined node, or a literal.
pub(super) struct Name<'a>(pub(super) &'a Terms, pub(super) Term, pub(super) Form);

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let &Name(terms, term, form) = self;
        if let Some(word) = terms.as_const(term) {
            let sort = terms.sort(term);
            return match (form, sort) {
                (Form::Float, Sort::Float32) => write!(f, "((_ to_fp 8 24) #x{word:08x})"),
                (Form::Float, _) => write!(f, "((_ to_fp 11 53) #x{word:016x})"),
                (Form::Plain, _) => write_literal(f, word, sort),
            };
        }
        match (form, terms.op(term)) {
            (Form::Plain, Op::Symbol(symbol)) => write!(f, "s{}", symbol.index()),
            (Form::Plain, _) => write!(f, "t{}", term.index()),
            (Form::Float, _) => write!(f, "p{}", term.index()),
        }
    }
}

fn write_literal(f: &mut std::fmt::Formatter<'_>, word: u64, sort: Sort) -> std::fmt::Result {
    match sort {
        Sort::Bool => write!(f, "{}", word != 0),
        Sort::BitVec(width) if width % 4 == 0 => {
            write!(f, "#x{word:0digits$x}", digits = usize::from(width) / 4)
        }
        Sort::BitVec(width) => write!(f, "#b{word:0digits$b}", digits = usize::from(width)),
        Sort::Float32 => write!(f, "#x{word:08x}"),
        Sort::Float64 => write!(f, "#x{word:016x}"),
        Sort::Uninterpreted(_) | Sort::Array(_) => unreachable!("{sort:?} has no constants"),
    }
}

struct SortName<'a>(&'a Terms, Sort);

impl std::fmt::Display for SortName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let &SortName(terms, sort) = self;
        match sort {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float32 => f.write_str("(_ BitVec 32)"),
            Sort::Float64 => f.write_str("(_ BitVec 64)"),
            Sort::Uninterpreted(id) => write!(f, "U{}", id.index()),
            Sort::Array(_) => {
                let (index, element) = terms.array_parts(sort);
                write!(f, "(Array {} {})", SortName(terms, index), SortName(terms, element))
            }
        }
    }
}

fn float_sort(sort: Sort) -> &'static str {
    by_width(sort, "(_ FloatingPoint 8 24)", "(_ FloatingPoint 11 53)")
}

fn by_width(sort: Sort, single: &'static str, double: &'static str) -> &'static str {
    if sort == Sort::Float32 { single } else { double }
}

/// The right-hand side of a node's definition in its natural form.
fn print_operation(terms: &Terms, term: Term, out: &mut String) {
    let (sort, args) = (terms.sort(term), terms.args(term));
    let form = argument_form(terms, term);
    let operand = args.first().map_or(sort, |&arg| terms.sort(arg));
    match terms.op(term) {
        Op::Const(_) | Op::Symbol(_) => {}
        Op::Apply(function) => {
            let head = format!("f{}", function.index());
            print_read(terms, sort, &head, args, out);
        }
        Op::Select => print_read(terms, sort, "select", args, out),
        Op::Not => print_call(terms, term, "not", out),
        Op::And => print_call(terms, term, "and", out),
        Op::Ite => print_call(terms, term, "ite", out),
        Op::Eq => print_call(terms, term, "=", out),
        Op::Sum => print_sum(terms, term, out),
        Op::Mul => print_call(terms, term, "bvmul", out),
        Op::BitAnd => print_call(terms, term, "bvand", out),
        Op::BitOr => print_call(terms, term, "bvor", out),
        Op::BitXor => print_call(terms, term, "bvxor", out),
        Op::Shl => print_call(terms, term, "bvshl", out),
        Op::Lshr => print_call(terms, term, "bvlshr", out),
        Op::Ashr => print_call(terms, term, "bvashr", out),
        Op::Udiv => print_call(terms, term, "bvudiv", out),
        Op::Urem => print_call(terms, term, "bvurem", out),
        Op::Sdiv => print_call(terms, term, "bvsdiv", out),
        Op::Srem => print_call(terms, term, "bvsrem", out),
        Op::Extract { lo } => {
            let hi = u32::from(lo) + sort.width() - 1;
            print_call(terms, term, &format!("(_ extract {hi} {lo})"), out);
        }
        Op::Concat => print_call(terms, term, "concat", out),
        Op::ZeroExtend | Op::SignExtend => {
            let kind = if terms.op(term) == Op::ZeroExtend { "zero" } else { "sign" };
            let more = sort.width() - operand.width();
            print_call(terms, term, &format!("(_ {kind}_extend {more})"), out);
        }
        Op::Ult => print_call(terms, term, "bvult", out),
        Op::Slt => print_call(terms, term, "bvslt", out),
        Op::FloatAdd => print_call(terms, term, "fp.add RNE", out),
        Op::FloatMul => print_call(terms, term, "fp.mul RNE", out),
        Op::FloatDiv => print_call(terms, term, "fp.div RNE", out),
        Op::FloatSqrt => print_call(terms, term, "fp.sqrt RNE", out),
        Op::FloatRem => {
            let head = by_width(sort, "frem32", "frem64");
            print_read(terms, sort, head, args, out);
        }
        Op::FloatNeg if form == Form::Float => print_call(terms, term, "fp.neg", out),
        Op::FloatAbs if form == Form::Float => print_call(terms, term, "fp.abs", out),
        Op::FloatNeg | Op::FloatAbs => print_sign_change(terms, term, out),
        Op::FloatLt => print_compare(terms, term, "fp.lt", "bvslt", out),
        Op::FloatLe => print_compare(terms, term, "fp.leq", "bvsle", out),
        Op::FloatEq => print_compare(terms, term, "fp.eq", "=", out),
        Op::IsNan if form == Form::Float => print_call(terms, term, "fp.isNaN", out),
        Op::IsNan => print_call(terms, term, by_width(operand, "nan32", "nan64"), out),
        Op::IntToFloat | Op::FloatToFloat => {
            let head = by_width(sort, "(_ to_fp 8 24) RNE", "(_ to_fp 11 53) RNE");
            print_call(terms, term, head, out);
        }
        Op::FloatToInt => print_float_to_int(terms, term, out),
        Op::BitsToFloat => print_call(terms, term, by_width(sort, "canon32", "canon64"), out),
        Op::FloatToBits => {
            let _ = write!(out, "{}", Name(terms, args[0], Form::Plain));
        }
        Op::Store => print_call(terms, term, "store", out),
        Op::ConstArray => {
            let head = format!("(as const {})", SortName(terms, sort));
            print_call(terms, term, &head, out);
        }
    }
}

fn print_call(terms: &Terms, term: Term, head: &str, out: &mut String) {
    let _ = write!(out, "({head}");
    for &arg in terms.args(term) {
        let _ = write!(out, " {}", Name(terms, arg, form_of_argument(terms, term, arg)));
    }
    out.push(')');
}

/// A value read from a function or an array, with the canonical NaN if it is a float.
fn print_read(terms: &Terms, sort: Sort, head: &str, args: &[Term], out: &mut String) {
    if sort.is_float() {
        let _ = write!(out, "({} ", by_width(sort, "canon32", "canon64"));
    }
    let _ = write!(out, "({head}");
    for &arg in args {
        let _ = write!(out, " {}", Name(terms, arg, Form::Plain));
    }
    out.push_str(if sort.is_float() { "))" } else { ")" });
}

fn print_sum(terms: &Terms, term: Term, out: &mut String) {
    let (args, width) = (terms.args(term), terms.sort(term).width());
    let one = |arg: Term| terms.as_const(arg) == Some(1);
    if let [constant, coefficient, single] = args
        && constant == coefficient
        && terms.as_const(*constant) == Some(mask(width))
    {
        let _ = write!(out, "(bvnot {})", Name(terms, *single, Form::Plain));
        return;
    }
    let skip = terms.as_const(args[0]) == Some(0);
    let many = args.len() > 3 || !skip;
    if many {
        out.push_str("(bvadd");
    }
    if !skip {
        let _ = write!(out, " {}", Name(terms, args[0], Form::Plain));
    }
    for pair in args[1..].chunks_exact(2) {
        let (factor, value) =
            (Name(terms, pair[0], Form::Plain), Name(terms, pair[1], Form::Plain));
        let _ = if one(pair[0]) {
            write!(out, " {value}")
        } else if terms.as_const(pair[0]) == Some(mask(width)) {
            write!(out, " (bvneg {value})")
        } else {
            write!(out, " (bvmul {factor} {value})")
        };
    }
    if many {
        out.push(')');
    }
}

/// Negation or absolute value on bits; NaN stays NaN.
fn print_sign_change(terms: &Terms, term: Term, out: &mut String) {
    let (sort, arg) = (terms.sort(term), terms.args(term)[0]);
    let name = Name(terms, arg, Form::Plain);
    let nan = by_width(sort, "nan32", "nan64");
    let changed = if terms.op(term) == Op::FloatNeg {
        by_width(sort, "bvxor #x80000000", "bvxor #x8000000000000000")
    } else {
        by_width(sort, "bvand #x7fffffff", "bvand #x7fffffffffffffff")
    };
    let _ = write!(out, "(ite ({nan} {name}) {name} ({changed} {name}))");
}

/// A comparison: of floats where one side is the result of arithmetic, else of keys.
fn print_compare(terms: &Terms, term: Term, float: &str, key: &str, out: &mut String) {
    let args = terms.args(term);
    if argument_form(terms, term) == Form::Float {
        print_call(terms, term, float, out);
        return;
    }
    let sort = terms.sort(args[0]);
    let (nan, make) = (by_width(sort, "nan32", "nan64"), by_width(sort, "key32", "key64"));
    let (left, right) = (Name(terms, args[0], Form::Plain), Name(terms, args[1], Form::Plain));
    let _ = write!(
        out,
        "(and (not ({nan} {left})) (not ({nan} {right})) ({key} ({make} {left}) ({make} {right})))"
    );
}

/// Java's narrowing: NaN to 0, saturation at both ends, else towards zero.
fn print_float_to_int(terms: &Terms, term: Term, out: &mut String) {
    let (arg, width) = (terms.args(term)[0], terms.sort(term).width());
    let sort = terms.sort(arg);
    let name = Name(terms, arg, Form::Float);
    let (zero, max, min) = if width == 32 {
        ("#x00000000", "#x7fffffff", "#x80000000")
    } else {
        ("#x0000000000000000", "#x7fffffffffffffff", "#x8000000000000000")
    };
    // 2^(width-1) as a float: exact in both formats.
    let bound = match (sort == Sort::Float32, width) {
        (true, 32) => format!("((_ to_fp 8 24) #x{:08x})", 2_147_483_648f32.to_bits()),
        (true, _) => format!("((_ to_fp 8 24) #x{:08x})", 9_223_372_036_854_775_808f32.to_bits()),
        (false, 32) => format!("((_ to_fp 11 53) #x{:016x})", 2_147_483_648f64.to_bits()),
        (false, _) => {
            format!("((_ to_fp 11 53) #x{:016x})", 9_223_372_036_854_775_808f64.to_bits())
        }
    };
    let _ = write!(
        out,
        "(ite (fp.isNaN {name}) {zero} (ite (fp.geq {name} {bound}) {max} (ite (fp.leq {name} \
         (fp.neg {bound})) {min} ((_ fp.to_sbv {width}) RTZ {name}))))"
    );
}
