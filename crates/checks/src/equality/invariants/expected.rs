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
    /// This flag says that the field is not computed yet, or the field is what the method returns where it
    /// says so.
    Flagged { method: MethodId, flag: FieldId, says: bool },
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
            let sources = if is_constructor {
                built_from(program, method, &body, &written, field, fields).into_iter().collect()
            } else {
                let mut sources = vec![Source::Kept(method)];
                let flags = written.iter().map(|&(flag, _)| flag);
                let flags = flags.filter(|flag| is_flag(program, *flag) && fields.contains(flag));
                sources.extend(flags.flat_map(|flag| {
                    [false, true].map(|says| Source::Flagged { method, flag, says })
                }));
                sources
            };
            let known = fields.to_vec();
            found.extend(sources.into_iter().map(|source| Expected {
                field,
                source,
                known: known.clone(),
            }));
        }
    }
    found
}

fn is_int(program: &Program, field: FieldId) -> bool {
    field_type(program, field) == Some(Type::primitive(program::Primitive::Int))
}

fn is_flag(program: &Program, field: FieldId) -> bool {
    field_type(program, field) == Some(Type::primitive(program::Primitive::Boolean))
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
        let (end, wanted) = self.wanted(engine, state, object)?;
        let is_own = !self.is_foreign(engine, wanted, object) || self.is_own_affair(engine);
        if engine.space.terms.sort(wanted).width() != 32 || !is_own {
            return None;
        }
        let is_empty = self.is_empty(engine, state, object)?;
        let returns = engine.guard(&end);
        let terms = &mut engine.space.terms;
        let is_wanted = terms.eq(value, wanted);
        let is_right = terms.and2(returns, is_wanted);
        Some(terms.or2(is_empty, is_right))
    }

    /// What the code computes for the field of an object, and the state after that.
    fn wanted(
        &self,
        engine: &mut Engine<'_>,
        state: &State,
        object: Term,
    ) -> Option<(State, Term)> {
        let mut before = state.clone();
        match &self.source {
            Source::Kept(method) => {
                engine.clear_field(&mut before, self.field, object)?;
                let (end, wanted) = engine.call(*method, vec![object], before).returned?;
                Some((end, wanted?))
            }
            &Source::Flagged { method, flag, says } => {
                let not_yet = engine.space.terms.int(i32::from(says));
                engine.set_field(&mut before, flag, object, not_yet)?;
                let (end, wanted) = engine.call(method, vec![object], before).returned?;
                Some((end, wanted?))
            }
            Source::Built { constructor, arguments } => {
                let new = engine.new_instance(constructor.class);
                let mut passed = vec![new];
                for &field in arguments {
                    passed.push(engine.field_value(state, field, object)?);
                }
                let (end, _) = engine.call(*constructor, passed, before).returned?;
                let wanted = engine.field_value(&end, self.field, new)?;
                Some((end, wanted))
            }
        }
    }

    /// Whether nothing was computed yet.
    fn is_empty(&self, engine: &mut Engine<'_>, state: &State, object: Term) -> Option<Term> {
        let (field, empty) = match self.source {
            Source::Kept(_) => (self.field, 0),
            Source::Flagged { flag, says, .. } => (flag, i32::from(says)),
            Source::Built { .. } => return Some(engine.space.terms.bool(false)),
        };
        let value = engine.field_value(state, field, object)?;
        let empty = engine.space.terms.int(empty);
        Some(engine.space.terms.eq(value, empty))
    }

    /// Whether the code computes the field of any object from what that holds itself. After a method that wrote
    /// under a condition, what an object holds seems to depend on the object that the condition was about.
    fn is_own_affair(&self, engine: &mut Engine<'_>) -> bool {
        let class = engine.program.class_name(self.field.class);
        let any = engine.input("any object", Type::class(class));
        let start = engine.start();
        let wanted = self.wanted(engine, &start, any);
        wanted.is_some_and(|(_, wanted)| !self.is_foreign(engine, wanted, any))
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
