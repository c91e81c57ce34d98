//! `jury eval` with `_` among the arguments: the method is run once, and its merged outcome is printed.
//!
//! Terms are written as Java would write them, as far as it can; what is deeper than a screen takes is
//! cut off with dots.

use anyhow::{Context, Result, bail};
use program::{MethodId, Program, Type};
use smt::{Op, Sort, Term, Terms};
use symex::concrete::Value;
use symex::symbolic::{Budget, Engine, Options, Outcome};

use super::literal::Literal;
use super::{Answer, Call, find_method};

/// Deeper terms are cut off.
const DEPTH: u32 = 10;

pub(super) fn is_open(call: &Call) -> bool {
    call.arguments.iter().any(|argument| argument == "_")
}

pub(super) fn answer(program: &Program, call: &Call) -> Answer {
    run(program, call).unwrap_or_else(|error| Answer::gap(format!("{error:#}")))
}

fn run(program: &Program, call: &Call) -> Result<Answer> {
    let (method, types, result) = find_method(program, &call.method)?;
    if types.len() != call.arguments.len() {
        bail!("{} takes {} arguments, not {}", call.method, types.len(), call.arguments.len());
    }
    let mut engine = Engine::new(program, Budget::default(), Options::default());
    let mut arguments = Vec::with_capacity(types.len());
    for (at, (text, &ty)) in call.arguments.iter().zip(&types).enumerate() {
        arguments.push(match text.as_str() {
            "_" => engine.input(&format!("a{at}"), ty),
            literal => constant(program, &mut engine, literal, ty)?,
        });
    }
    let outcome = merged(&mut engine, method, arguments);
    let value = describe(&mut engine, &outcome, result);
    Ok(Answer { outcome: "merged", value, arrays: Vec::new() })
}

fn merged(engine: &mut Engine<'_>, method: MethodId, arguments: Vec<Term>) -> Outcome {
    let start = engine.start();
    engine.call(method, arguments, start)
}

fn constant(program: &Program, engine: &mut Engine<'_>, text: &str, ty: Type) -> Result<Term> {
    let literal = Literal::parse(text, ty, &program.names)
        .with_context(|| format!("{text} is no {}", ty.display(&program.names)))?;
    let is_primitive = ty.kind() != program::Kind::Ref;
    match literal {
        Literal::Null => Ok(engine.space.null()),
        Literal::String(units) => Ok(engine.string(&units)),
        Literal::Primitive(_, value) if is_primitive => match value {
            Value::Int(value) => Ok(engine.space.terms.int(value)),
            Value::Long(value) => Ok(engine.space.terms.long(value)),
            Value::Float(value) => Ok(engine.space.terms.float32(value)),
            Value::Double(value) => Ok(engine.space.terms.float64(value)),
            Value::Ref(_) | Value::Unknown(_) => bail!("{text} is no value"),
        },
        Literal::Primitive(..) | Literal::Array(_) => {
            bail!("{text}: beside `_`, only numbers, strings and null")
        }
    }
}

fn describe(engine: &mut Engine<'_>, outcome: &Outcome, result: Option<Type>) -> String {
    let mut lines = Vec::new();
    if let Some((state, value)) = &outcome.returned {
        let guard = engine.guard(state);
        let value = match (value, result) {
            (Some(value), Some(ty)) => printed(engine, *value, Some(ty)),
            (_, _) => "void".to_owned(),
        };
        lines.push(format!("return {value}{}", condition(engine, guard)));
    }
    if let Some((state, exception)) = &outcome.thrown {
        let guard = engine.guard(state);
        let object = Type::class(engine.program.known.object);
        let thrown = printed(engine, *exception, Some(object));
        lines.push(format!("throw {thrown}{}", condition(engine, guard)));
    }
    for at in 0..engine.stops.len() {
        let (guard, reason) = (engine.stops[at].guard, engine.stops[at].reason.clone());
        lines.push(format!("not followed: {reason}{}", condition(engine, guard)));
    }
    for name in &engine.outside {
        lines.push(format!("rests on a call to the outside: {name}"));
    }
    lines.join("\n  ")
}

fn condition(engine: &Engine<'_>, guard: Term) -> String {
    match engine.space.terms.as_const(guard) {
        Some(1) => String::new(),
        Some(_) | None => format!(" if {}", printed(engine, guard, None)),
    }
}

fn printed(engine: &Engine<'_>, term: Term, ty: Option<Type>) -> String {
    let is_reference = ty.is_some_and(|ty| ty.kind() == program::Kind::Ref);
    Printer { engine, terms: &engine.space.terms }.print(term, is_reference, DEPTH)
}

struct Printer<'a, 'p> {
    engine: &'a Engine<'p>,
    terms: &'a Terms,
}

impl Printer<'_, '_> {
    fn print(&self, term: Term, is_reference: bool, depth: u32) -> String {
        if let Some(word) = self.terms.as_const(term) {
            return self.constant(word, self.terms.sort(term), is_reference);
        }
        if depth == 0 {
            return "...".to_owned();
        }
        let args = self.terms.args(term);
        let arg = |at: usize| self.print(args[at], false, depth - 1);
        match self.terms.op(term) {
            Op::Const(word) => self.constant(word, self.terms.sort(term), is_reference),
            Op::Symbol(symbol) => self.terms.symbol_name(symbol).to_owned(),
            Op::Apply(function) => {
                let name = self.terms.function_name(function);
                let list: Vec<String> = (0..args.len()).map(arg).collect();
                format!("{name}({})", list.join(", "))
            }
            Op::Not => self.negation(args[0], depth),
            Op::And => self.joined(args, " && ", depth),
            Op::Ite => {
                let [one, two] = [1, 2].map(|at| self.print(args[at], is_reference, depth - 1));
                format!("({} ? {one} : {two})", arg(0))
            }
            Op::Eq => format!("({} == {})", arg(0), arg(1)),
            Op::Sum => self.sum(args, depth),
            Op::Mul => self.joined(args, " * ", depth),
            Op::BitAnd => self.joined(args, " & ", depth),
            Op::BitOr => self.joined(args, " | ", depth),
            Op::BitXor => self.joined(args, " ^ ", depth),
            Op::Shl => self.joined(args, " << ", depth),
            Op::Lshr => self.joined(args, " >>> ", depth),
            Op::Ashr => self.joined(args, " >> ", depth),
            Op::Udiv => self.joined(args, " udiv ", depth),
            Op::Urem => self.joined(args, " urem ", depth),
            Op::Sdiv | Op::FloatDiv => self.joined(args, " / ", depth),
            Op::Srem | Op::FloatRem => self.joined(args, " % ", depth),
            Op::Slt | Op::FloatLt => self.joined(args, " < ", depth),
            Op::Ult => self.joined(args, " u< ", depth),
            Op::FloatLe => self.joined(args, " <= ", depth),
            Op::FloatEq => self.joined(args, " == ", depth),
            Op::FloatAdd => self.joined(args, " + ", depth),
            Op::FloatMul => self.joined(args, " * ", depth),
            Op::FloatNeg => format!("-{}", arg(0)),
            Op::FloatAbs => format!("Math.abs({})", arg(0)),
            Op::FloatSqrt => format!("Math.sqrt({})", arg(0)),
            Op::IsNan => format!("isNaN({})", arg(0)),
            // Widths are clear from what is around.
            Op::ZeroExtend | Op::SignExtend => self.print(args[0], is_reference, depth),
            Op::Extract { .. } => format!("({:?}) {}", self.terms.sort(term), arg(0)),
            Op::IntToFloat | Op::FloatToInt | Op::FloatToFloat => {
                format!("({}) {}", word(self.terms.sort(term)), arg(0))
            }
            Op::BitsToFloat => format!("bitsToFloat({})", arg(0)),
            Op::FloatToBits => format!("floatToBits({})", arg(0)),
            Op::Concat => format!("({} ++ {})", arg(0), arg(1)),
            Op::Select => format!("{}[{}]", arg(0), arg(1)),
            Op::Store => format!("{}[{} := {}]", arg(0), arg(1), arg(2)),
            Op::ConstArray => format!("[{}...]", arg(0)),
        }
    }

    fn constant(&self, word: u64, sort: Sort, is_reference: bool) -> String {
        match sort {
            Sort::BitVec(32) if is_reference => self.engine.object_text(word as u32),
            Sort::Bool => (word != 0).to_string(),
            Sort::BitVec(32) => (word as u32 as i32).to_string(),
            Sort::BitVec(64) => format!("{}L", word as i64),
            Sort::Float32 => format!("{:?}f", f32::from_bits(word as u32)),
            Sort::Float64 => format!("{:?}", f64::from_bits(word)),
            Sort::BitVec(_) | Sort::Uninterpreted(_) | Sort::Array(_) => word.to_string(),
        }
    }

    /// `a || b` is kept as `!(!a && !b)`.
    fn negation(&self, inner: Term, depth: u32) -> String {
        let args = self.terms.args(inner);
        let op = self.terms.op(inner);
        let is_negated = |&arg: &Term| self.terms.op(arg) == Op::Not;
        if op == Op::And && args.iter().any(is_negated) {
            let parts: Vec<String> = args
                .iter()
                .map(|&arg| match is_negated(&arg) {
                    true => self.print(self.terms.args(arg)[0], false, depth - 1),
                    false => self.negation(arg, depth - 1),
                })
                .collect();
            return format!("({})", parts.join(" || "));
        }
        if depth == 0 {
            return "...".to_owned();
        }
        if op == Op::Eq {
            let [one, two] = [0, 1].map(|at| self.print(args[at], false, depth - 1));
            return format!("({one} != {two})");
        }
        if op == Op::Slt {
            let [one, two] = [0, 1].map(|at| self.print(args[at], false, depth - 1));
            return format!("({one} >= {two})");
        }
        format!("!{}", self.print(inner, false, depth - 1))
    }

    fn joined(&self, args: &[Term], between: &str, depth: u32) -> String {
        let parts: Vec<String> =
            args.iter().map(|&arg| self.print(arg, false, depth - 1)).collect();
        format!("({})", parts.join(between))
    }

    /// `k0 + k1*t1 + ...`.
    fn sum(&self, args: &[Term], depth: u32) -> String {
        let mut parts = Vec::new();
        for pair in args[1..].chunks(2) {
            let &[factor, of] = pair else { continue };
            let of = self.print(of, false, depth - 1);
            parts.push(match self.print(factor, false, 1).as_str() {
                "1" | "1L" => of,
                "-1" | "-1L" => format!("-{of}"),
                factor => format!("{factor}*{of}"),
            });
        }
        let constant = self.print(args[0], false, 1);
        if constant != "0" && constant != "0L" {
            parts.push(constant);
        }
        format!("({})", parts.join(" + ").replace("+ -", "- "))
    }
}

fn word(sort: Sort) -> &'static str {
    match sort {
        Sort::Float32 => "float",
        Sort::Float64 => "double",
        Sort::BitVec(64) => "long",
        Sort::BitVec(_) | Sort::Bool | Sort::Uninterpreted(_) | Sort::Array(_) => "int",
    }
}
