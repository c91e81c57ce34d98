//! Random expressions over every constructor, built twice: simplified, and exactly as written.

use smt::{Assignment, Function, Op, Sort, Term, Terms, Value};

use super::Random;

/// A constructor of `Terms`. Widths and sorts come from the node's sort and its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Const(u64),
    Symbol(usize),
    Not,
    And,
    Or,
    Implies,
    Xor,
    Ite,
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
    FloatLt,
    FloatLe,
    FloatEq,
    IsNan,
    Add,
    Sub,
    Neg,
    Mul,
    BitNot,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Lshr,
    Ashr,
    JavaShl,
    JavaShr,
    JavaUshr,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Extract(u32),
    Concat,
    ZeroExtend,
    SignExtend,
    FloatToInt,
    FloatToBits,
    FloatAdd,
    FloatSub,
    FloatMul,
    FloatDiv,
    FloatRem,
    FloatNeg,
    FloatAbs,
    FloatSqrt,
    IntToFloat,
    FloatToFloat,
    BitsToFloat,
    Apply,
    Select,
    Store,
    ConstArray,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) sort: Sort,
    pub(crate) args: Vec<usize>,
}

/// The arena with the symbols, sorts and the function that expressions use.
pub(crate) struct World {
    pub(crate) terms: Terms,
    pub(crate) element: Sort,
    pub(crate) array: Sort,
    pub(crate) function: Function,
    pub(crate) symbols: Vec<(Term, Sort)>,
}

pub(crate) const WIDTHS: [u8; 5] = [1, 8, 16, 32, 64];

impl World {
    pub(crate) fn new() -> World {
        let mut terms = Terms::new();
        let element = terms.declare_sort("U");
        let array = terms.array_sort(Sort::BitVec(8), Sort::BitVec(32));
        let function = terms.declare_function("f", &[Sort::BitVec(32)], Sort::BitVec(32));
        let mut sorts = vec![Sort::Bool, Sort::Float32, Sort::Float64, element, array];
        sorts.extend(WIDTHS.map(Sort::BitVec));
        let mut symbols = Vec::new();
        for sort in sorts {
            for _ in 0..2 {
                symbols.push((terms.symbol("x", sort), sort));
            }
        }
        World { terms, element, array, function, symbols }
    }

    /// A random DAG; the last node is its root.
    pub(crate) fn random(&self, random: &mut Random, size: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        while nodes.len() < size {
            let sort = self.random_sort(random);
            self.grow(&mut nodes, random, sort);
        }
        nodes
    }

    fn random_sort(&self, random: &mut Random) -> Sort {
        match random.below(12) {
            0..=3 => Sort::Bool,
            4..=8 => Sort::BitVec(random.pick(&[1, 8, 16, 32, 32, 32, 64])),
            9 => random.pick(&[Sort::Float32, Sort::Float64]),
            10 => self.array,
            _ => random.pick(&[self.element, Sort::BitVec(32)]),
        }
    }

    /// A node of the sort: one made before, or a new leaf.
    fn operand(&self, nodes: &mut Vec<Node>, random: &mut Random, sort: Sort) -> usize {
        let same: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].sort == sort).collect();
        if !same.is_empty() && random.below(4) > 0 {
            // Prefer what was made last: deep terms.
            return same[same.len() - 1 - random.below(same.len().min(4))];
        }
        let kind = match constant(random, sort) {
            Some(word) if random.below(2) == 0 => Kind::Const(word),
            Some(_) | None => {
                let known: Vec<usize> =
                    (0..self.symbols.len()).filter(|&at| self.symbols[at].1 == sort).collect();
                Kind::Symbol(random.pick(&known))
            }
        };
        nodes.push(Node { kind, sort, args: Vec::new() });
        nodes.len() - 1
    }

    fn grow(&self, nodes: &mut Vec<Node>, random: &mut Random, sort: Sort) {
        let (kind, sorts) = self.choose(random, sort);
        let args = sorts.iter().map(|&sort| self.operand(nodes, random, sort)).collect();
        nodes.push(Node { kind, sort, args });
    }

    fn choose(&self, random: &mut Random, sort: Sort) -> (Kind, Vec<Sort>) {
        if random.below(7) == 0 {
            return (Kind::Ite, vec![Sort::Bool, sort, sort]);
        }
        match sort {
            Sort::Bool => self.choose_bool(random),
            Sort::BitVec(width) => choose_bitvec(random, self.array, u32::from(width)),
            Sort::Float32 | Sort::Float64 => choose_float(random, sort),
            Sort::Uninterpreted(_) => (Kind::Ite, vec![Sort::Bool, sort, sort]),
            Sort::Array(_) => match random.below(4) {
                0 => (Kind::ConstArray, vec![Sort::BitVec(32)]),
                _ => (Kind::Store, vec![sort, Sort::BitVec(8), Sort::BitVec(32)]),
            },
        }
    }

    fn choose_bool(&self, random: &mut Random) -> (Kind, Vec<Sort>) {
        let bits = Sort::BitVec(random.pick(&WIDTHS));
        let float = random.pick(&[Sort::Float32, Sort::Float64]);
        let any = random.pick(&[bits, bits, bits, float, self.element, self.array, Sort::Bool]);
        match random.below(16) {
            0 => (Kind::Not, vec![Sort::Bool]),
            1 | 2 => (Kind::And, vec![Sort::Bool; 2 + random.below(3)]),
            3 | 4 => (Kind::Or, vec![Sort::Bool; 2 + random.below(3)]),
            5 => (Kind::Implies, vec![Sort::Bool; 2]),
            6 => (Kind::Xor, vec![Sort::Bool; 2]),
            7 | 8 => (Kind::Eq, vec![any; 2]),
            9 => (Kind::Ne, vec![any; 2]),
            10..=13 => (random.pick(&[Kind::Ult, Kind::Ule, Kind::Slt, Kind::Sle]), vec![bits; 2]),
            14 => (random.pick(&[Kind::FloatLt, Kind::FloatLe, Kind::FloatEq]), vec![float; 2]),
            _ => (Kind::IsNan, vec![float]),
        }
    }

    /// Random values for all symbols and a few entries of the function.
    pub(crate) fn random_words(&self, random: &mut Random) -> Words {
        let symbols = self.symbols.iter().map(|&(_, sort)| match sort {
            Sort::Array(_) => Word::Array((0..256).map(|_| random.next() % 4).collect()),
            Sort::Uninterpreted(_) => Word::Scalar(random.next() % 2),
            Sort::Bool | Sort::BitVec(_) | Sort::Float32 | Sort::Float64 => {
                Word::Scalar(constant(random, sort).expect("a scalar"))
            }
        });
        let symbols = symbols.collect();
        let default = random.next() % 5;
        let entries = (0..8).map(|at| (at, random.next() % 100)).collect();
        Words { symbols, default, entries }
    }

    /// A value as evaluation gives it: arrays in their normal form.
    pub(crate) fn normal_value(&self, sort: Sort, word: &Word) -> Value {
        let mut assignment = Assignment::new();
        let known = self.symbols.iter().find(|symbol| symbol.1 == sort).expect("a symbol");
        let symbol = self.terms.as_symbol(known.0).expect("a symbol");
        assignment.set(&self.terms, symbol, &value(sort, word));
        assignment.value(&self.terms, symbol)
    }

    pub(crate) fn assignment(&self, words: &Words) -> Assignment {
        let mut assignment = Assignment::new();
        for (&(term, sort), word) in self.symbols.iter().zip(&words.symbols) {
            let symbol = self.terms.as_symbol(term).expect("a symbol");
            assignment.set(&self.terms, symbol, &value(sort, word));
        }
        let int = |bits| Value::BitVec { width: 32, bits };
        assignment.set_default(&self.terms, self.function, &int(words.default));
        for &(at, word) in &words.entries {
            assignment.set_entry(&self.terms, self.function, &[int(at)], &int(word));
        }
        assignment
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    Scalar(u64),
    Array(Vec<u64>),
}

pub(crate) struct Words {
    pub(crate) symbols: Vec<Word>,
    pub(crate) default: u64,
    pub(crate) entries: Vec<(u64, u64)>,
}

pub(crate) fn value(sort: Sort, word: &Word) -> Value {
    match (sort, word) {
        (Sort::Bool, Word::Scalar(word)) => Value::Bool(*word != 0),
        (Sort::BitVec(width), Word::Scalar(word)) => {
            Value::BitVec { width: u32::from(width), bits: *word }
        }
        (Sort::Float32, Word::Scalar(word)) => Value::Float32(f32::from_bits(*word as u32)),
        (Sort::Float64, Word::Scalar(word)) => Value::Float64(f64::from_bits(*word)),
        (Sort::Uninterpreted(id), Word::Scalar(word)) => Value::Element(id, *word),
        (Sort::Array(_), Word::Array(words)) => {
            let byte = |bits| Value::BitVec { width: 8, bits };
            let int = |bits| Value::BitVec { width: 32, bits };
            let entries = (0u64..).zip(words).map(|(at, &held)| (byte(at), int(held))).collect();
            Value::Array(smt::ArrayValue { default: Box::new(int(0)), entries })
        }
        (_, _) => panic!("{word:?} of {sort:?}"),
    }
}

/// A nasty or random constant; none for sorts without constants.
fn constant(random: &mut Random, sort: Sort) -> Option<u64> {
    const INTS: [i64; 16] =
        [0, 1, -1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 127, 255, i64::MIN, i32::MIN as i64];
    const FLOATS: [f64; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        3.4e38,
        1e300,
        2_147_483_648.0,
        -9.3e18,
        1e-310,
    ];
    match sort {
        Sort::Bool => Some(random.next() & 1),
        Sort::BitVec(width) => {
            let word = match random.below(8) {
                0 => random.next(),
                1 => (1 << (width - 1)) - 1,
                2 => 1 << (width - 1),
                3 => (1u64 << random.below(usize::from(width))).wrapping_sub(1),
                _ => random.pick(&INTS) as u64,
            };
            Some(word & (u64::MAX >> (64 - width)))
        }
        Sort::Float32 => {
            let float = match random.below(4) {
                0 => f32::from_bits(random.next() as u32),
                _ => random.pick(&FLOATS) as f32,
            };
            Some(u64::from(if float.is_nan() { 0x7fc0_0000 } else { float.to_bits() }))
        }
        Sort::Float64 => {
            let float = match random.below(4) {
                0 => f64::from_bits(random.next()),
                _ => random.pick(&FLOATS),
            };
            Some(if float.is_nan() { 0x7ff8_0000_0000_0000 } else { float.to_bits() })
        }
        Sort::Uninterpreted(_) | Sort::Array(_) => None,
    }
}

fn choose_bitvec(random: &mut Random, array: Sort, width: u32) -> (Kind, Vec<Sort>) {
    let sort = Sort::BitVec(width as u8);
    let float = random.pick(&[Sort::Float32, Sort::Float64]);
    let narrower: Vec<u8> = WIDTHS.into_iter().filter(|&other| u32::from(other) < width).collect();
    let wider: Vec<u8> = WIDTHS.into_iter().filter(|&other| u32::from(other) > width).collect();
    match random.below(14) {
        0 => (Kind::Neg, vec![sort]),
        1 => (Kind::BitNot, vec![sort]),
        2..=4 => (random.pick(&[Kind::Add, Kind::Sub, Kind::Sub, Kind::Mul]), vec![sort; 2]),
        5 | 6 => {
            let kind = random.pick(&[Kind::BitAnd, Kind::BitOr, Kind::BitXor]);
            (kind, vec![sort; 2 + random.below(2)])
        }
        7 => (random.pick(&[Kind::Shl, Kind::Lshr, Kind::Ashr]), vec![sort; 2]),
        8 => (random.pick(&[Kind::JavaShl, Kind::JavaShr, Kind::JavaUshr]), vec![sort; 2]),
        9 => (random.pick(&[Kind::Udiv, Kind::Urem, Kind::Sdiv, Kind::Srem]), vec![sort; 2]),
        10 if !wider.is_empty() => {
            let from = random.pick(&wider);
            let lo = random.below(usize::from(from) - width as usize + 1) as u32;
            (Kind::Extract(if random.below(2) == 0 { 0 } else { lo }), vec![Sort::BitVec(from)])
        }
        11 if !narrower.is_empty() => {
            let kind = random.pick(&[Kind::ZeroExtend, Kind::SignExtend]);
            (kind, vec![Sort::BitVec(random.pick(&narrower))])
        }
        12 if width == 16 => (Kind::Concat, vec![Sort::BitVec(8); 2]),
        12 if width == 64 => (Kind::Concat, vec![Sort::BitVec(32); 2]),
        12 if width == 32 => (Kind::Concat, vec![Sort::BitVec(16); 2]),
        13 if width == 32 && random.below(2) == 0 => (Kind::Select, vec![array, Sort::BitVec(8)]),
        13 if width == 32 && random.below(2) == 0 => (Kind::Apply, vec![sort]),
        13 if width >= 32 && random.below(2) == 0 => (Kind::FloatToInt, vec![float]),
        13 if width == 32 => (Kind::FloatToBits, vec![Sort::Float32]),
        13 if width == 64 => (Kind::FloatToBits, vec![Sort::Float64]),
        _ => (Kind::Add, vec![sort; 2]),
    }
}

fn choose_float(random: &mut Random, sort: Sort) -> (Kind, Vec<Sort>) {
    let (other, width) =
        if sort == Sort::Float32 { (Sort::Float64, 32) } else { (Sort::Float32, 64) };
    match random.below(9) {
        0 => (Kind::FloatNeg, vec![sort]),
        1 => (Kind::FloatAbs, vec![sort]),
        2 => (Kind::FloatSqrt, vec![sort]),
        3 => (Kind::IntToFloat, vec![Sort::BitVec(random.pick(&[32, 64]))]),
        4 => (Kind::FloatToFloat, vec![other]),
        5 => (Kind::BitsToFloat, vec![Sort::BitVec(width)]),
        _ => {
            let kinds =
                [Kind::FloatAdd, Kind::FloatSub, Kind::FloatMul, Kind::FloatDiv, Kind::FloatRem];
            (random.pick(&kinds), vec![sort; 2])
        }
    }
}

/// The node through the simplifying constructor.
pub(crate) fn build(world: &mut World, node: &Node, args: &[Term]) -> Term {
    let (function, sort) = (world.function, node.sort);
    let terms = &mut world.terms;
    match node.kind {
        Kind::Const(word) => terms.raw(Op::Const(word), sort, &[]),
        Kind::Symbol(at) => world.symbols[at].0,
        Kind::Not => terms.not(args[0]),
        Kind::And => terms.and(args),
        Kind::Or => terms.or(args),
        Kind::Implies => terms.implies(args[0], args[1]),
        Kind::Xor => terms.xor(args[0], args[1]),
        Kind::Ite => terms.ite(args[0], args[1], args[2]),
        Kind::Eq => terms.eq(args[0], args[1]),
        Kind::Ne => terms.ne(args[0], args[1]),
        Kind::Ult => terms.ult(args[0], args[1]),
        Kind::Ule => terms.ule(args[0], args[1]),
        Kind::Slt => terms.slt(args[0], args[1]),
        Kind::Sle => terms.sle(args[0], args[1]),
        Kind::FloatLt => terms.float_lt(args[0], args[1]),
        Kind::FloatLe => terms.float_le(args[0], args[1]),
        Kind::FloatEq => terms.float_eq(args[0], args[1]),
        Kind::IsNan => terms.is_nan(args[0]),
        Kind::Add => terms.add(args[0], args[1]),
        Kind::Sub => terms.sub(args[0], args[1]),
        Kind::Neg => terms.neg(args[0]),
        Kind::Mul => terms.mul(args[0], args[1]),
        Kind::BitNot => terms.bit_not(args[0]),
        Kind::BitAnd => terms.bit_and(args),
        Kind::BitOr => terms.bit_or(args),
        Kind::BitXor => terms.bit_xor(args),
        Kind::Shl => terms.shl(args[0], args[1]),
        Kind::Lshr => terms.lshr(args[0], args[1]),
        Kind::Ashr => terms.ashr(args[0], args[1]),
        Kind::JavaShl => terms.java_shl(args[0], args[1]),
        Kind::JavaShr => terms.java_shr(args[0], args[1]),
        Kind::JavaUshr => terms.java_ushr(args[0], args[1]),
        Kind::Udiv => terms.udiv(args[0], args[1]),
        Kind::Urem => terms.urem(args[0], args[1]),
        Kind::Sdiv => terms.sdiv(args[0], args[1]),
        Kind::Srem => terms.srem(args[0], args[1]),
        Kind::Extract(lo) => terms.extract(lo + sort.width() - 1, lo, args[0]),
        Kind::Concat => terms.concat(args[0], args[1]),
        Kind::ZeroExtend => terms.zero_extend(args[0], sort.width()),
        Kind::SignExtend => terms.sign_extend(args[0], sort.width()),
        Kind::FloatToInt => terms.float_to_int(args[0], sort.width()),
        Kind::FloatToBits => terms.float_to_bits(args[0]),
        Kind::FloatAdd => terms.float_add(args[0], args[1]),
        Kind::FloatSub => terms.float_sub(args[0], args[1]),
        Kind::FloatMul => terms.float_mul(args[0], args[1]),
        Kind::FloatDiv => terms.float_div(args[0], args[1]),
        Kind::FloatRem => terms.java_frem(args[0], args[1]),
        Kind::FloatNeg => terms.float_neg(args[0]),
        Kind::FloatAbs => terms.float_abs(args[0]),
        Kind::FloatSqrt => terms.float_sqrt(args[0]),
        Kind::IntToFloat => terms.int_to_float(args[0], sort),
        Kind::FloatToFloat => terms.float_to_float(args[0], sort),
        Kind::BitsToFloat => terms.bits_to_float(args[0]),
        Kind::Apply => terms.apply(function, args),
        Kind::Select => terms.select(args[0], args[1]),
        Kind::Store => terms.store(args[0], args[1], args[2]),
        Kind::ConstArray => terms.const_array(sort, args[0]),
    }
}

/// The node exactly as written, in the operators that nodes have.
pub(crate) fn build_raw(world: &mut World, node: &Node, args: &[Term]) -> Term {
    let (function, sort) = (world.function, node.sort);
    let symbol = if let Kind::Symbol(at) = node.kind { Some(world.symbols[at].0) } else { None };
    let terms = &mut world.terms;
    let swapped: Vec<Term> = args.iter().rev().copied().collect();
    let plain = |terms: &mut Terms, op: Op| terms.raw(op, sort, args);
    let negated = |terms: &mut Terms, op: Op, args: &[Term]| {
        let inner = terms.raw(op, Sort::Bool, args);
        terms.raw(Op::Not, Sort::Bool, &[inner])
    };
    let sum = |terms: &mut Terms, coefficients: &[u64]| {
        let mut all = vec![terms.bitvec(sort.width(), 0)];
        for (&coefficient, &arg) in coefficients.iter().zip(args) {
            all.push(terms.bitvec(sort.width(), coefficient));
            all.push(arg);
        }
        terms.raw(Op::Sum, sort, &all)
    };
    let masked = |terms: &mut Terms, op: Op| {
        let low = terms.bitvec(sort.width(), u64::from(sort.width()) - 1);
        let distance = terms.raw(Op::BitAnd, sort, &[args[1], low]);
        terms.raw(op, sort, &[args[0], distance])
    };
    match node.kind {
        Kind::Const(word) => terms.raw(Op::Const(word), sort, &[]),
        Kind::Symbol(_) => symbol.expect("a symbol"),
        Kind::Not => plain(terms, Op::Not),
        Kind::And => plain(terms, Op::And),
        Kind::Or => {
            let none: Vec<Term> =
                args.iter().map(|&arg| terms.raw(Op::Not, Sort::Bool, &[arg])).collect();
            negated(terms, Op::And, &none)
        }
        Kind::Implies => {
            let contrary = terms.raw(Op::Not, Sort::Bool, &[args[1]]);
            negated(terms, Op::And, &[args[0], contrary])
        }
        Kind::Xor | Kind::Ne => negated(terms, Op::Eq, args),
        Kind::Ite => plain(terms, Op::Ite),
        Kind::Eq => plain(terms, Op::Eq),
        Kind::Ult => plain(terms, Op::Ult),
        Kind::Ule => negated(terms, Op::Ult, &swapped),
        Kind::Slt => plain(terms, Op::Slt),
        Kind::Sle => negated(terms, Op::Slt, &swapped),
        Kind::FloatLt => plain(terms, Op::FloatLt),
        Kind::FloatLe => plain(terms, Op::FloatLe),
        Kind::FloatEq => plain(terms, Op::FloatEq),
        Kind::IsNan => plain(terms, Op::IsNan),
        Kind::Add => sum(terms, &[1, 1]),
        Kind::Sub => sum(terms, &[1, u64::MAX]),
        Kind::Neg => sum(terms, &[u64::MAX]),
        Kind::Mul => plain(terms, Op::Mul),
        Kind::BitNot => {
            let ones = terms.bitvec(sort.width(), u64::MAX);
            terms.raw(Op::BitXor, sort, &[args[0], ones])
        }
        Kind::BitAnd => plain(terms, Op::BitAnd),
        Kind::BitOr => plain(terms, Op::BitOr),
        Kind::BitXor => plain(terms, Op::BitXor),
        Kind::Shl => plain(terms, Op::Shl),
        Kind::Lshr => plain(terms, Op::Lshr),
        Kind::Ashr => plain(terms, Op::Ashr),
        Kind::JavaShl => masked(terms, Op::Shl),
        Kind::JavaShr => masked(terms, Op::Ashr),
        Kind::JavaUshr => masked(terms, Op::Lshr),
        Kind::Udiv => plain(terms, Op::Udiv),
        Kind::Urem => plain(terms, Op::Urem),
        Kind::Sdiv => plain(terms, Op::Sdiv),
        Kind::Srem => plain(terms, Op::Srem),
        Kind::Extract(lo) => plain(terms, Op::Extract { lo: lo as u8 }),
        Kind::Concat => plain(terms, Op::Concat),
        Kind::ZeroExtend => plain(terms, Op::ZeroExtend),
        Kind::SignExtend => plain(terms, Op::SignExtend),
        Kind::FloatToInt => plain(terms, Op::FloatToInt),
        Kind::FloatToBits => plain(terms, Op::FloatToBits),
        Kind::FloatAdd => plain(terms, Op::FloatAdd),
        Kind::FloatSub => {
            let minus = terms.raw(Op::FloatNeg, sort, &[args[1]]);
            terms.raw(Op::FloatAdd, sort, &[args[0], minus])
        }
        Kind::FloatMul => plain(terms, Op::FloatMul),
        Kind::FloatDiv => plain(terms, Op::FloatDiv),
        Kind::FloatRem => plain(terms, Op::FloatRem),
        Kind::FloatNeg => plain(terms, Op::FloatNeg),
        Kind::FloatAbs => plain(terms, Op::FloatAbs),
        Kind::FloatSqrt => plain(terms, Op::FloatSqrt),
        Kind::IntToFloat => plain(terms, Op::IntToFloat),
        Kind::FloatToFloat => plain(terms, Op::FloatToFloat),
        Kind::BitsToFloat => plain(terms, Op::BitsToFloat),
        Kind::Apply => plain(terms, Op::Apply(function)),
        Kind::Select => plain(terms, Op::Select),
        Kind::Store => plain(terms, Op::Store),
        Kind::ConstArray => plain(terms, Op::ConstArray),
    }
}

/// All nodes of an expression as terms, by one of the two builders.
pub(crate) fn build_all(
    world: &mut World,
    nodes: &[Node],
    builder: fn(&mut World, &Node, &[Term]) -> Term,
) -> Vec<Term> {
    let mut made: Vec<Term> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let args: Vec<Term> = node.args.iter().map(|&arg| made[arg]).collect();
        made.push(builder(world, node, &args));
    }
    made
}
