//! `jury eval`: calls of static methods on literals, run by the engine.

mod literal;
mod merged;
mod number;
mod survey;
mod symbolic;

use std::path::Path;

use anyhow::{Context, Result, bail};
use program::{MethodDescriptor, MethodId, Program, Type};
use symex::concrete::{Budget, Machine, Stop, Value};

use crate::args::{self, EvalArgs};
use crate::load::load_known;
use crate::render::sanitize;
use literal::{Literal, split_words};

/// The text to print.
pub(crate) fn eval(args: &EvalArgs) -> Result<String> {
    let loaded = load_known(&args.cp, args.jdk.as_ref())?;
    if args.every {
        return survey::survey(&loaded.program, args.json);
    }
    let calls = match &args.calls {
        Some(path) => read_calls(path)?,
        None => {
            let method = args.method.clone().unwrap_or_default();
            vec![Call {
                text: join(&method, &args.arguments),
                method,
                arguments: args.arguments.clone(),
            }]
        }
    };
    let mut evaluator = Evaluator::new(&loaded.program, budget(args.budget));
    let mut symbolic = symbolic::Symbolic::new(&loaded.program, Default::default());
    let mut text = String::new();
    for call in &calls {
        let answer = if merged::is_open(call) {
            merged::answer(&loaded.program, call)
        } else if args.symbolic {
            symbolic.answer(call, &mut evaluator.machine)
        } else {
            evaluator.answer(call)
        };
        if args.json {
            let line = serde_json::json!({
                "call": call.text,
                "outcome": answer.outcome,
                "value": answer.value,
                "arrays": answer.arrays,
            });
            text.push_str(&line.to_string());
        } else {
            let lines: Vec<_> = answer.value.lines().map(sanitize::line).collect();
            text.push_str(&format!("{} {}", answer.outcome, lines.join("\n")));
            for array in &answer.arrays {
                text.push_str(&format!("\n  {}", sanitize::line(array)));
            }
        }
        text.push('\n');
    }
    Ok(text)
}

fn budget(budget: args::Budget) -> Budget {
    let normal = Budget::default();
    match budget {
        args::Budget::Quick => Budget { instructions: normal.instructions / 10, ..normal },
        args::Budget::Normal => normal,
        args::Budget::Thorough => Budget { instructions: normal.instructions * 10, ..normal },
    }
}

struct Call {
    text: String,
    method: String,
    arguments: Vec<String>,
}

fn join(method: &str, arguments: &[String]) -> String {
    std::iter::once(method)
        .chain(arguments.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ")
}

fn read_calls(path: &Path) -> Result<Vec<Call>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines
        .map(|line| {
            // Brackets in a descriptor are no arrays.
            let (method, arguments) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            Call {
                text: line.to_owned(),
                method: method.to_owned(),
                arguments: split_words(arguments),
            }
        })
        .collect())
}

struct Answer {
    outcome: &'static str,
    value: String,
    /// The argument arrays after the call, in order.
    arrays: Vec<String>,
}

impl Answer {
    fn gap(reason: impl ToString) -> Answer {
        Answer { outcome: "gap", value: reason.to_string(), arrays: Vec::new() }
    }
}

/// A machine is kept from call to call, so that the JDK is initialised once, until it has grown.
struct Evaluator<'p> {
    program: &'p Program,
    budget: Budget,
    machine: Machine<'p>,
}

impl<'p> Evaluator<'p> {
    fn new(program: &'p Program, budget: Budget) -> Evaluator<'p> {
        Evaluator { program, budget, machine: Machine::new(program, budget) }
    }

    fn answer(&mut self, call: &Call) -> Answer {
        if self.machine.heap.bytes() > self.budget.heap_bytes / 4 {
            self.machine = Machine::new(self.program, self.budget);
        }
        let answer = self.run(call);
        if answer.as_ref().is_ok_and(|answer| answer.outcome == "gap") {
            // A gap may have left objects half-built.
            self.machine = Machine::new(self.program, self.budget);
        }
        answer.unwrap_or_else(|error| Answer::gap(format!("{error:#}")))
    }

    fn run(&mut self, call: &Call) -> Result<Answer> {
        let (method, types, result) = find_method(self.program, &call.method)?;
        if types.len() != call.arguments.len() {
            bail!("{} takes {} arguments, not {}", call.method, types.len(), call.arguments.len());
        }
        let mut arguments = Vec::with_capacity(types.len());
        for (text, &ty) in call.arguments.iter().zip(&types) {
            let literal = Literal::parse(text, ty, &self.program.names)
                .with_context(|| format!("{text} is no {}", ty.display(&self.program.names)))?;
            match literal.build(&mut self.machine, ty) {
                Ok(value) => arguments.push(value),
                Err(stop) => return Ok(self.stopped(stop)),
            }
        }
        let outcome = self.machine.call(method, &arguments);
        let mut answer = match outcome {
            Ok(value) => self.returned(value, result),
            Err(stop) => self.stopped(stop),
        };
        if answer.outcome != "gap" {
            answer.arrays = self.arrays(&arguments, &types);
        }
        Ok(answer)
    }

    fn returned(&mut self, value: Option<Value>, ty: Option<Type>) -> Answer {
        let text = match (value, ty) {
            (Some(value), Some(ty)) => literal::print(&mut self.machine, value, ty),
            (_, _) => Ok("void".to_owned()),
        };
        match text {
            Ok(value) => Answer { outcome: "return", value, arrays: Vec::new() },
            Err(stop) => self.stopped(stop),
        }
    }

    fn stopped(&mut self, stop: Stop) -> Answer {
        match stop {
            Stop::Gap(reason) => Answer::gap(reason),
            Stop::Throw(exception) => {
                let ty = self.machine.heap.object(exception).ty;
                let value = ty.display(&self.program.names);
                Answer { outcome: "throw", value, arrays: Vec::new() }
            }
        }
    }

    fn arrays(&mut self, arguments: &[Value], types: &[Type]) -> Vec<String> {
        let arrays = arguments
            .iter()
            .zip(types)
            .filter(|(value, ty)| ty.dimensions > 0 && !value.reference().is_null());
        let arrays: Vec<(Value, Type)> = arrays.map(|(&value, &ty)| (value, ty)).collect();
        arrays
            .into_iter()
            .map(|(value, ty)| {
                literal::print(&mut self.machine, value, ty)
                    .unwrap_or_else(|stop| format!("{stop:?}"))
            })
            .collect()
    }
}

/// `p.C.m(I)J`: the static method, its parameter types and its result type.
fn find_method(program: &Program, text: &str) -> Result<(MethodId, Vec<Type>, Option<Type>)> {
    let (path, descriptor) = match text.find('(') {
        Some(at) => text.split_at(at),
        None => bail!("{text}: write the method as Class.name(descriptor), such as p.C.m(I)J"),
    };
    let Some((class_name, name)) = path.rsplit_once('.') else {
        bail!("{text}: write the method as Class.name(descriptor), such as p.C.m(I)J");
    };
    let class =
        program.find_class_text(&class_name.replace('.', "/")).and_then(|id| program.class(id));
    let Some(class) = class else { bail!("no class {class_name} on the class path") };
    let names = &program.names;
    let method =
        class.declared_method(names.intern(name.as_bytes()), names.intern(descriptor.as_bytes()));
    let Some(method) = method else { bail!("{class_name} has no method {name}{descriptor}") };
    if !program.method(method).1.access_flags.is_static() {
        bail!("{text} is not static");
    }
    let Some(parsed) = MethodDescriptor::parse(descriptor.as_bytes()) else {
        bail!("{descriptor} is no method descriptor");
    };
    Ok((method, parsed.parameter_types(names), parsed.result_type(names)))
}
