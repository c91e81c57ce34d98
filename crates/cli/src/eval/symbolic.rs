//! `jury eval --symbolic`: a method is run once on open inputs, and its outcome looked up at each call.
//!
//! What comes out must be what running on the values gives, or a gap.

use anyhow::{Context, Result, bail};
use program::{Element, MethodId, Primitive, Program, Type};
use symex::concrete::{Machine, Outcome as Built, Ref, Value};
use symex::symbolic::{Budget, Engine, Options, Outcome, Plain, Seen, State, Term};

use super::literal::{self, Literal};
use super::{Answer, Call, find_method};

/// The run of the last method: calls of one method come together.
pub(super) struct Symbolic<'p> {
    program: &'p Program,
    budget: Budget,
    last: Option<(MethodId, Run<'p>)>,
}

struct Run<'p> {
    engine: Engine<'p>,
    outcome: Outcome,
    arguments: Vec<Term>,
}

impl<'p> Symbolic<'p> {
    pub(super) fn new(program: &'p Program, budget: Budget) -> Symbolic<'p> {
        Symbolic { program, budget, last: None }
    }

    pub(super) fn answer(&mut self, call: &Call, machine: &mut Machine<'p>) -> Answer {
        self.look_up(call, machine).unwrap_or_else(|error| Answer::gap(format!("{error:#}")))
    }

    fn look_up(&mut self, call: &Call, machine: &mut Machine<'p>) -> Result<Answer> {
        let (method, types, result) = find_method(self.program, &call.method)?;
        if types.len() != call.arguments.len() {
            bail!("{} takes {} arguments, not {}", call.method, types.len(), call.arguments.len());
        }
        let mut inputs = Vec::with_capacity(types.len());
        for (text, &ty) in call.arguments.iter().zip(&types) {
            let literal = Literal::parse(text, ty, &self.program.names)
                .with_context(|| format!("{text} is no {}", ty.display(&self.program.names)))?;
            inputs.push(plain(&literal, ty));
        }
        if self.last.as_ref().is_none_or(|(other, _)| *other != method) {
            self.last = None;
            let mut engine = Engine::new(self.program, self.budget, Options::default());
            let arguments: Vec<_> = types
                .iter()
                .enumerate()
                .map(|(at, &ty)| engine.input(&format!("argument {at}"), ty))
                .collect();
            let start = engine.start();
            let outcome = engine.call(method, arguments.clone(), start);
            self.last = Some((method, Run { engine, outcome, arguments }));
        }
        let Some((_, run)) = &mut self.last else { bail!("no run") };
        let engine = &mut run.engine;
        let mut scene = engine.scene();
        for (at, (&ty, input)) in types.iter().zip(&inputs).enumerate() {
            if !engine.put(&mut scene, &format!("argument {at}"), ty, input) {
                bail!("argument {at} does not fit");
            }
        }
        let seen = engine.see(&mut scene, &run.outcome, result);
        let (outcome, value, state) = match seen {
            Seen::Gap(reason) => return Ok(Answer::gap(reason)),
            Seen::Throw(class) => ("throw", class, run.outcome.thrown.as_ref().map(|(s, _)| s)),
            Seen::Return(value) => {
                let state = run.outcome.returned.as_ref().map(|(state, _)| state);
                let text = match (value, result) {
                    (Some(value), Some(ty)) => print(machine, &value, ty)?,
                    (_, _) => "void".to_owned(),
                };
                ("return", text, state)
            }
        };
        let mut arrays = Vec::new();
        for ((&ty, input), &argument) in types.iter().zip(&inputs).zip(&run.arguments) {
            if let (Plain::Array(items), Some(state)) = (input, state) {
                let state: &State = state;
                let after = engine.see_elements(&mut scene, state, argument, ty, items.len());
                match after {
                    Ok(after) => arrays.push(print(machine, &after, ty)?),
                    Err(reason) => return Ok(Answer::gap(reason)),
                }
            }
        }
        Ok(Answer { outcome, value, arrays })
    }
}

fn plain(literal: &Literal, ty: Type) -> Plain {
    match literal {
        Literal::Null => Plain::Null,
        Literal::String(units) => Plain::Text(units.clone()),
        Literal::Primitive(primitive, value) => {
            let held = match *value {
                Value::Int(value) => Plain::Int(value),
                Value::Long(value) => Plain::Long(value),
                Value::Float(value) => Plain::Float(value),
                Value::Double(value) => Plain::Double(value),
                Value::Ref(_) | Value::Unknown(_) => Plain::Null,
            };
            match ty {
                Type { element: Element::Primitive(_), dimensions: 0 } => held,
                Type { .. } => Plain::Boxed(*primitive, Box::new(held)),
            }
        }
        Literal::Array(items) => {
            let component = ty.component().unwrap_or(ty);
            Plain::Array(items.iter().map(|item| plain(item, component)).collect())
        }
    }
}

fn print(machine: &mut Machine<'_>, value: &Plain, ty: Type) -> Result<String> {
    let built = build(machine, value, ty).and_then(|value| literal::print(machine, value, ty));
    built.map_err(|stop| anyhow::anyhow!("{stop:?}"))
}

fn build(machine: &mut Machine<'_>, value: &Plain, ty: Type) -> Built<Value> {
    Ok(match value {
        Plain::Null => Value::Ref(Ref::NULL),
        Plain::Int(value) => Value::Int(*value),
        Plain::Long(value) => Value::Long(*value),
        Plain::Float(value) => Value::Float(*value),
        Plain::Double(value) => Value::Double(*value),
        Plain::Text(units) => Value::Ref(machine.new_string(units)?),
        Plain::Boxed(primitive, held) => {
            let held = build(machine, held, Type::primitive(*primitive))?;
            machine.new_box(*primitive, held)?
        }
        Plain::Array(items) => {
            let component = ty.component().unwrap_or(Type::primitive(Primitive::Int));
            let mut values = Vec::with_capacity(items.len());
            for item in items {
                values.push(build(machine, item, component)?);
            }
            Value::Ref(machine.new_array_of(component, &values)?)
        }
        // Results are not described as graphs of objects.
        Plain::Object { .. } | Plain::Again(_) => Value::Ref(Ref::NULL),
    })
}
