//! The meaning of random expressions, written again from the specifications and without any of the
//! crate's code: 128-bit integers, whole arrays, Rust's floats.

use smt::Sort;

use super::expr::{Kind, Node, Word, Words};

/// The value of every node.
pub(crate) fn evaluate(nodes: &[Node], words: &Words) -> Vec<Word> {
    let mut values: Vec<Word> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let args: Vec<&Word> = node.args.iter().map(|&arg| &values[arg]).collect();
        let sorts: Vec<Sort> = node.args.iter().map(|&arg| nodes[arg].sort).collect();
        values.push(step(node, &args, &sorts, words));
    }
    values
}

fn scalar(word: &Word) -> u64 {
    match word {
        Word::Scalar(word) => *word,
        Word::Array(_) => panic!("a scalar was expected"),
    }
}

fn step(node: &Node, args: &[&Word], sorts: &[Sort], words: &Words) -> Word {
    match node.kind {
        Kind::Symbol(at) => words.symbols[at].clone(),
        Kind::Ite => if scalar(args[0]) == 1 { args[1] } else { args[2] }.clone(),
        Kind::Eq => Word::Scalar((args[0] == args[1]) as u64),
        Kind::Ne => Word::Scalar((args[0] != args[1]) as u64),
        Kind::ConstArray => Word::Array(vec![scalar(args[0]); 256]),
        Kind::Store => {
            let Word::Array(mut array) = args[0].clone() else { panic!("an array") };
            array[scalar(args[1]) as usize] = scalar(args[2]);
            Word::Array(array)
        }
        Kind::Select => {
            let Word::Array(array) = args[0] else { panic!("an array") };
            Word::Scalar(array[scalar(args[1]) as usize])
        }
        Kind::Apply => {
            let at = scalar(args[0]);
            let entry = words.entries.iter().find(|entry| entry.0 == at);
            Word::Scalar(entry.map_or(words.default, |entry| entry.1))
        }
        _ => {
            let args: Vec<u64> = args.iter().map(|arg| scalar(arg)).collect();
            Word::Scalar(scalar_step(node, &args, sorts))
        }
    }
}

fn scalar_step(node: &Node, args: &[u64], sorts: &[Sort]) -> u64 {
    let truth = |value: bool| value as u64;
    match node.kind {
        Kind::Const(word) => word,
        Kind::Not => truth(args[0] == 0),
        Kind::And => truth(args.iter().all(|&arg| arg == 1)),
        Kind::Or => truth(args.contains(&1)),
        Kind::Implies => truth(args[0] == 0 || args[1] == 1),
        Kind::Xor => truth(args[0] != args[1]),
        Kind::Ult => truth(args[0] < args[1]),
        Kind::Ule => truth(args[0] <= args[1]),
        Kind::Slt => truth(int(args[0], sorts[0]) < int(args[1], sorts[1])),
        Kind::Sle => truth(int(args[0], sorts[0]) <= int(args[1], sorts[1])),
        Kind::FloatLt
        | Kind::FloatLe
        | Kind::FloatEq
        | Kind::IsNan
        | Kind::FloatAdd
        | Kind::FloatSub
        | Kind::FloatMul
        | Kind::FloatDiv
        | Kind::FloatRem
        | Kind::FloatNeg
        | Kind::FloatAbs
        | Kind::FloatSqrt => {
            let second = args.get(1).copied().unwrap_or(0);
            if sorts[0] == Sort::Float32 {
                let float = |word: u64| f32::from_bits(word as u32);
                single(node.kind, float(args[0]), float(second))
            } else {
                double(node.kind, f64::from_bits(args[0]), f64::from_bits(second))
            }
        }
        Kind::FloatToInt
        | Kind::FloatToBits
        | Kind::IntToFloat
        | Kind::FloatToFloat
        | Kind::BitsToFloat => convert(node, args[0], sorts[0]),
        _ => bits_step(node, args, sorts),
    }
}

/// Two's complement value.
fn int(word: u64, sort: Sort) -> i128 {
    let width = sort.width();
    let value = i128::from(word);
    if word >> (width - 1) & 1 == 1 { value - (1i128 << width) } else { value }
}

fn bits_step(node: &Node, args: &[u64], sorts: &[Sort]) -> u64 {
    let width = node.sort.width();
    let modulus = 1i128 << width;
    let unsigned = |at: usize| i128::from(args[at]);
    let signed = |at: usize| int(args[at], sorts[at]);
    let distance = || args[1].min(200) as u32;
    let java = || (args[1] % u64::from(width)) as u32;
    let shift_right = |value: i128, by: u32| value >> by.min(127);
    let exact: i128 = match node.kind {
        Kind::Add => unsigned(0) + unsigned(1),
        Kind::Sub => unsigned(0) - unsigned(1),
        Kind::Neg => -unsigned(0),
        Kind::Mul => unsigned(0).wrapping_mul(unsigned(1)),
        Kind::BitNot => modulus - 1 - unsigned(0),
        Kind::BitAnd => args.iter().fold(modulus - 1, |bits, &arg| bits & i128::from(arg)),
        Kind::BitOr => args.iter().fold(0, |bits, &arg| bits | i128::from(arg)),
        Kind::BitXor => args.iter().fold(0, |bits, &arg| bits ^ i128::from(arg)),
        Kind::Shl if distance() >= width => 0,
        Kind::Shl => unsigned(0) << distance(),
        Kind::Lshr => shift_right(unsigned(0), distance()),
        Kind::Ashr => shift_right(signed(0), distance()),
        Kind::JavaShl => unsigned(0) << java(),
        Kind::JavaShr => signed(0) >> java(),
        Kind::JavaUshr => unsigned(0) >> java(),
        Kind::Udiv if args[1] == 0 => -1,
        Kind::Udiv => unsigned(0) / unsigned(1),
        Kind::Urem | Kind::Srem if args[1] == 0 => unsigned(0),
        Kind::Urem => unsigned(0) % unsigned(1),
        Kind::Sdiv if args[1] == 0 => {
            if signed(0) < 0 {
                1
            } else {
                -1
            }
        }
        Kind::Sdiv => signed(0) / signed(1),
        Kind::Srem => signed(0) % signed(1),
        Kind::Extract(lo) => unsigned(0) >> lo,
        Kind::Concat => unsigned(0) * (1i128 << sorts[1].width()) + unsigned(1),
        Kind::ZeroExtend => unsigned(0),
        Kind::SignExtend => signed(0),
        kind => panic!("{kind:?} makes no bits"),
    };
    exact.rem_euclid(modulus) as u64
}

fn single(kind: Kind, left: f32, right: f32) -> u64 {
    let float = match kind {
        Kind::FloatLt => return (left < right) as u64,
        Kind::FloatLe => return (left <= right) as u64,
        Kind::FloatEq => return (left == right) as u64,
        Kind::IsNan => return left.is_nan() as u64,
        Kind::FloatAdd => left + right,
        Kind::FloatSub => left - right,
        Kind::FloatMul => left * right,
        Kind::FloatDiv => left / right,
        Kind::FloatRem => left % right,
        Kind::FloatNeg => -left,
        Kind::FloatAbs => left.abs(),
        Kind::FloatSqrt => left.sqrt(),
        kind => panic!("{kind:?} is not on floats"),
    };
    bits32(float)
}

fn double(kind: Kind, left: f64, right: f64) -> u64 {
    let float = match kind {
        Kind::FloatLt => return (left < right) as u64,
        Kind::FloatLe => return (left <= right) as u64,
        Kind::FloatEq => return (left == right) as u64,
        Kind::IsNan => return left.is_nan() as u64,
        Kind::FloatAdd => left + right,
        Kind::FloatSub => left - right,
        Kind::FloatMul => left * right,
        Kind::FloatDiv => left / right,
        Kind::FloatRem => left % right,
        Kind::FloatNeg => -left,
        Kind::FloatAbs => left.abs(),
        Kind::FloatSqrt => left.sqrt(),
        kind => panic!("{kind:?} is not on floats"),
    };
    bits64(float)
}

fn bits32(float: f32) -> u64 {
    if float.is_nan() { 0x7fc0_0000 } else { u64::from(float.to_bits()) }
}

fn bits64(float: f64) -> u64 {
    if float.is_nan() { 0x7ff8_0000_0000_0000 } else { float.to_bits() }
}

fn convert(node: &Node, word: u64, from: Sort) -> u64 {
    let (single, double) = (f32::from_bits(word as u32), f64::from_bits(word));
    match (node.kind, from, node.sort) {
        (Kind::FloatToInt, Sort::Float32, Sort::BitVec(32)) => single as i32 as u32 as u64,
        (Kind::FloatToInt, Sort::Float32, _) => single as i64 as u64,
        (Kind::FloatToInt, _, Sort::BitVec(32)) => double as i32 as u32 as u64,
        (Kind::FloatToInt, _, _) => double as i64 as u64,
        (Kind::IntToFloat, Sort::BitVec(32), Sort::Float32) => bits32(word as u32 as i32 as f32),
        (Kind::IntToFloat, Sort::BitVec(32), _) => bits64(f64::from(word as u32 as i32)),
        (Kind::IntToFloat, _, Sort::Float32) => bits32(word as i64 as f32),
        (Kind::IntToFloat, _, _) => bits64(word as i64 as f64),
        (Kind::FloatToFloat, Sort::Float32, _) => bits64(f64::from(single)),
        (Kind::FloatToFloat, _, _) => bits32(double as f32),
        (Kind::BitsToFloat, _, Sort::Float32) => bits32(single),
        (Kind::BitsToFloat, _, _) => bits64(double),
        (Kind::FloatToBits, _, _) => word,
        (kind, _, _) => panic!("{kind:?} is not a conversion"),
    }
}
