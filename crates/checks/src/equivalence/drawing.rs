//! The objects of an input as a small drawing: one line each, with what its fields hold.

use std::collections::VecDeque;

use program::{Element, Program, Role, Type};
use rustc_hash::FxHashMap;
use symex::concrete::{Machine, Outcome, Ref, Value};

use super::snapshot::instance_fields;
use super::trial::{BUDGET, Trial};
use crate::witness::{Built, follow};

/// Larger heaps say nothing to people.
const MOST_OBJECTS: usize = 12;
const MOST_ELEMENTS: usize = 8;

/// What an input looks like, if there are judged objects that refer to each other.
pub(super) fn draw(program: &Program, trial: &Trial) -> Option<String> {
    let mut machine = Machine::new(program, BUDGET);
    let mut shared = Built::default();
    let mut drawing = Drawing::default();
    for (name, recipe) in trial.witness.names.iter().zip(&trial.witness.objects) {
        let value = follow(&mut machine, recipe, &mut shared).ok()?;
        if let Value::Ref(object) = value
            && is_drawn(&machine, object)
            && !drawing.names.contains_key(&object)
        {
            drawing.names.insert(object, (*name).to_owned());
            drawing.open.push_back(object);
        }
    }
    drawing.lines(&mut machine).ok().flatten()
}

#[derive(Default)]
struct Drawing {
    names: FxHashMap<Ref, String>,
    open: VecDeque<Ref>,
    /// References among the objects that are drawn.
    n_arrows: usize,
}

impl Drawing {
    fn lines(&mut self, machine: &mut Machine<'_>) -> Outcome<Option<String>> {
        let mut lines = Vec::new();
        while let Some(object) = self.open.pop_front() {
            if lines.len() == MOST_OBJECTS {
                return Ok(None);
            }
            let text = self.object(machine, object)?;
            lines.push(format!("{} -> {text}", self.names[&object]));
        }
        Ok((self.n_arrows > 0).then(|| lines.join("\n")))
    }

    fn object(&mut self, machine: &mut Machine<'_>, object: Ref) -> Outcome<String> {
        let program = machine.program;
        let ty = machine.heap.object(object).ty;
        if ty.component().is_some() {
            let elements: Vec<Value> = machine
                .heap
                .array(object)
                .map(|array| (0..array.len().min(MOST_ELEMENTS)).map(|at| array.get(at)).collect())
                .unwrap_or_default();
            let length = machine.heap.array(object).map_or(0, symex::concrete::Array::len);
            let mut texts = Vec::new();
            for value in elements {
                texts.push(self.value(machine, value)?);
            }
            if length > MOST_ELEMENTS {
                texts.push("…".to_owned());
            }
            return Ok(format!("[{}]", texts.join(", ")));
        }
        let Element::Class(name) = ty.element else { return Ok(String::new()) };
        let Some(class) = program.find_class(name) else { return Ok(String::new()) };
        let mut texts = Vec::new();
        for field in instance_fields(program, class) {
            let field_name = program.names.text(program.field(field).1.name).into_owned();
            let value = machine.read_field(object, field)?;
            texts.push(format!("{field_name}: {}", self.value(machine, value)?));
        }
        let class = program.class_text(name);
        let simple = class.rsplit(['.', '$']).next().unwrap_or_default();
        Ok(format!("{simple} {{{}}}", texts.join(", ")))
    }

    fn value(&mut self, machine: &mut Machine<'_>, value: Value) -> Outcome<String> {
        let object = match value {
            Value::Int(value) => return Ok(value.to_string()),
            Value::Long(value) => return Ok(value.to_string()),
            Value::Float(value) => return Ok(value.to_string()),
            Value::Double(value) => return Ok(value.to_string()),
            Value::Unknown(_) => return Ok("?".to_owned()),
            Value::Ref(object) if object.is_null() => return Ok("null".to_owned()),
            Value::Ref(object) => object,
        };
        if is_drawn(machine, object) {
            self.n_arrows += 1;
            let next = format!("#{}", self.names.len() + 1);
            if !self.names.contains_key(&object) {
                self.open.push_back(object);
            }
            return Ok(self.names.entry(object).or_insert(next).clone());
        }
        let ty = machine.heap.object(object).ty;
        if ty == Type::class(machine.program.known.string) {
            return Ok(format!("{:?}", String::from_utf16_lossy(&machine.units(object)?)));
        }
        let text = ty.display(&machine.program.names).to_string();
        Ok(text.rsplit(['.', '$']).next().unwrap_or_default().to_owned())
    }
}

/// Judged objects, and arrays of them.
fn is_drawn(machine: &Machine<'_>, object: Ref) -> bool {
    if object.is_null() {
        return false;
    }
    let Element::Class(name) = machine.heap.object(object).ty.element else { return false };
    let program = machine.program;
    program.find_class(name).is_some_and(|id| {
        let is_enum = program.class(id).is_none_or(|class| class.access_flags.is_enum());
        program.role(id) == Role::Judged && !is_enum
    })
}
