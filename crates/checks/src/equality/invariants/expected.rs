//! Fields that say what the others say already: a hash that is kept once it is computed, or from the start.
//!
//! What such a field should hold is not guessed but computed, by the class's own code: the method that fills
//! it, run as if it were empty, or the constructor, run on a new object with the fields of this one. Only
//! what the object holds itself may go into it: what another object holds can change in time, and nobody
//! would tell this one.

use program::ir::{Body, Op, Value};
use program::{ClassId, FieldId, MethodDescriptor, MethodId, Program, Type};
use symex::symbolic::{Engine, State, Term};

use super::candidate::field_type;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(super) field: FieldId,
    source: Source,
    /// The fields whose writers are known.
    known: Vec<FieldId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    /// The field is zero, or what this method returns where it is.
    Kept(MethodId),
    /// What the constructor makes of these fields.
    Built { constructor: MethodId, arguments: Vec<FieldId> },
}

/// The numbers among the fields that some code computes from the others.
pub(super) fn expected(program: &Program, class: ClassId, fields: &[FieldId]) -> Vec<Expected> {
    let Some(declaring) = program.class(class) else { return Vec::new() };
    let mut found = Vec::new();
    for (method, declared) in declaring.methods() {
        let is_constructor = declared.name == program.known.init;
        let is_getter = program.names.bytes(declared.descriptor) == b"()I"
            && !declared.access_flags.is_static();
        if !is_constructor && !is_getter {
            continue;
        }
        let Ok(Some(body)) = program.lower(method) else { continue };
        let written = written(program, &body);
        let numbers = written.iter().filter(|(field, _)| is_int(program, *field));
        for &(field, _) in numbers.filter(|(field, _)| fields.contains(field)) {
            let source = if is_constructor {
                built_from(program, method, &body, &written, field, fields)
            } else {
                Some(Source::Kept(method))
            };
            let known = fields.to_vec();
            found.extend(source.map(|source| Expected { field, source, known }));
        }
    }
    found
}

fn is_int(program: &Program, field: FieldId) -> bool {
    field_type(program, field) == Some(Type::primitive(program::Primitive::Int))
}

/// The fields of `this` that a method sets, each with the value.
fn written(program: &Program, body: &Body) -> Vec<(FieldId, Value)> {
    let this = body.parameters().next();
    let mut found = Vec::new();
    for instruction in &body.instructions {
        if let Op::PutField(field, object, value) = instruction.op
            && Some(object) == this
        {
            let id = program.resolve_field(field.class, field.name, field.descriptor).found();
            found.extend(id.map(|id| (id, value)));
        }
    }
    found
}

/// The fields that keep the constructor's arguments, if there is one for each.
fn built_from(
    program: &Program,
    constructor: MethodId,
    body: &Body,
    written: &[(FieldId, Value)],
    field: FieldId,
    fields: &[FieldId],
) -> Option<Source> {
    let (_, declared) = program.method(constructor);
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
    let types = descriptor.parameter_types(&program.names);
    let mut arguments = Vec::with_capacity(types.len());
    for (parameter, ty) in body.parameters().skip(1).zip(types) {
        let keeps = |&&(kept, value): &&(FieldId, Value)| {
            value == parameter
                && kept != field
                && fields.contains(&kept)
                && field_type(program, kept).is_some_and(|held| held.kind() == ty.kind())
        };
        arguments.push(written.iter().find(keeps)?.0);
    }
    (!arguments.is_empty()).then_some(Source::Built { constructor, arguments })
}

impl Expected {
    /// As a condition on an object in a state; nothing where what should be there cannot be computed for
    /// certain from what the object itself holds.
    pub(super) fn holds_in(
        &self,
        engine: &mut Engine<'_>,
        state: &State,
        object: Term,
    ) -> Option<Term> {
        let (n_stops, n_cuts) = (engine.stops.len(), engine.cuts.len());
        let (changed, unwound) = (engine.changed.clone(), engine.unwound.loops.clone());
        let n_outside = engine.n_outside_calls();
        let condition = self.computed(engine, state, object);
        let is_followed = engine.stops.len() == n_stops
            && engine.cuts.len() == n_cuts
            && engine.n_outside_calls() == n_outside;
        engine.stops.truncate(n_stops);
        engine.changed = changed;
        engine.unwound.loops = unwound;
        condition.filter(|_| is_followed)
    }

    fn computed(&self, engine: &mut Engine<'_>, state: &State, object: Term) -> Option<Term> {
        let value = engine.field_value(state, self.field, object)?;
        let zero = engine.space.terms.int(0);
        let (end, wanted, is_empty) = match &self.source {
            Source::Kept(method) => {
                let mut before = state.clone();
                engine.clear_field(&mut before, self.field, object)?;
                let outcome = engine.call(*method, vec![object], before);
                let (end, wanted) = outcome.returned?;
                (end, wanted?, engine.space.terms.eq(value, zero))
            }
            Source::Built { constructor, arguments } => {
                let new = engine.new_instance(constructor.class);
                let mut passed = vec![new];
                for &field in arguments {
                    passed.push(engine.field_value(state, field, object)?);
                }
                let outcome = engine.call(*constructor, passed, state.clone());
                let (end, _) = outcome.returned?;
                let wanted = engine.field_value(&end, self.field, new)?;
                (end, wanted, engine.space.terms.bool(false))
            }
        };
        if engine.space.terms.sort(wanted).width() != 32 || self.is_foreign(engine, wanted, object)
        {
            return None;
        }
        let returns = engine.guard(&end);
        let terms = &mut engine.space.terms;
        let is_wanted = terms.eq(value, wanted);
        let is_right = terms.and2(returns, is_wanted);
        Some(terms.or2(is_empty, is_right))
    }

    /// Whether a value depends on more than the object itself holds.
    fn is_foreign(&self, engine: &mut Engine<'_>, value: Term, object: Term) -> bool {
        let program = engine.program;
        let is_open = |field: FieldId| {
            let (_, declared) = program.field(field);
            !declared.access_flags.is_final() && !self.known.contains(&field)
        };
        if engine.field_reads(&[value]).iter().any(|read| is_open(read.field)) {
            return true;
        }
        let reads = engine.foreign_reads(value, object);
        reads.is_none_or(|through| !through.is_empty())
    }
}
