//! What the code of an `equals` looks like.

use std::collections::BTreeSet;

use program::ir::{Body, Condition, Const, FieldRef, Op, Terminator, Value};
use program::{FieldId, MethodId, Name, Program};

use super::super::contract::Contract;

/// Habits of writing `equals` that lead to trouble, or say what is meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct Shape {
    /// Compares the classes of both objects.
    pub(in super::super) compares_classes: bool,
    /// Tests its argument with `instanceof`.
    pub(in super::super) tests_type: bool,
    /// Calls the `equals` of a superclass.
    pub(in super::super) calls_super: bool,
    pub(super) catches_cast: bool,
    pub(super) tests_this: bool,
    /// The one answer that it always gives.
    pub(super) constant: Option<bool>,
    pub(super) always_throws: bool,
    /// Hands its argument to the `equals` of a field.
    pub(super) passes_on: bool,
    pub(super) compares_with_itself: bool,
    pub(super) ignores_case: bool,
    /// A field that is compared by another method than `equals`, and that method.
    pub(super) other_method: Option<(Name, Name)>,
}

/// Reads the code of an `equals`; what cannot be read has no shape.
pub(in super::super) fn shape(program: &Program, contract: &Contract, method: MethodId) -> Shape {
    let Ok(Some(body)) = program.lower(method) else { return Shape::default() };
    let names = &program.names;
    let mut parameters = body.parameters();
    let (Some(this), Some(other)) = (parameters.next(), parameters.next()) else {
        return Shape::default();
    };
    let mut shape = Shape::default();
    for instruction in &body.instructions {
        if let Op::InstanceOf(_, value) = instruction.op {
            shape.tests_this |= value == this;
            shape.tests_type |= value == other;
        }
        let Op::Invoke { method: called, arguments, kind } = instruction.op else { continue };
        let arguments = body.list(arguments);
        let name = names.bytes(called.name);
        let is_equals =
            called.name == contract.equals && called.descriptor == contract.equals_descriptor;
        match arguments {
            [receiver, argument] if is_equals => {
                let is_super = *receiver == this && kind == program::ir::InvokeKind::Special;
                shape.calls_super |= is_super;
                shape.passes_on |= *argument == other && field_of(&body, *receiver, this).is_some();
                let fields = [receiver, argument].map(|value| field_of(&body, *value, this));
                shape.compares_with_itself |= fields[0].is_some() && fields[0] == fields[1];
            }
            [receiver, argument]
                if called.name != contract.equals
                    && name != b"equalsIgnoreCase"
                    && name != b"compareTo" =>
            {
                let fields = [receiver, argument].map(|value| field_read(&body, *value));
                if let [Some(one), Some(two)] = fields
                    && one == two
                {
                    shape.other_method = shape.other_method.or(Some((one.name, called.name)));
                }
            }
            [receiver] if name == b"getClass" => shape.compares_classes |= *receiver == other,
            [..] => shape.ignores_case |= name == b"equalsIgnoreCase",
        }
    }
    for block in &body.blocks {
        let casts = body.handlers_of(block).iter().filter_map(|handler| handler.catch_type);
        shape.catches_cast |=
            casts.into_iter().any(|name| names.bytes(name) == b"java/lang/ClassCastException");
        if let Terminator::If { condition, .. } = block.terminator {
            shape.compares_with_itself |= is_self_comparison(&body, condition, this);
        }
    }
    (shape.constant, shape.always_throws) = outcomes(&body);
    shape
}

/// The field of `object` that the value was read from.
fn field_of(body: &Body, value: Value, object: Value) -> Option<FieldRef> {
    body.instructions.iter().find(|it| it.result == Some(value)).and_then(|instruction| {
        if let Op::GetField(field, owner) = instruction.op
            && owner == object
        {
            Some(field)
        } else {
            None
        }
    })
}

/// The field of some object that the value was read from.
fn field_read(body: &Body, value: Value) -> Option<FieldRef> {
    let made = body.instructions.iter().find(|it| it.result == Some(value))?;
    if let Op::GetField(field, _) = made.op { Some(field) } else { None }
}

fn is_self_comparison(body: &Body, condition: Condition, this: Value) -> bool {
    let (left, Some(right)) = condition.operands() else { return false };
    let fields = [left, right].map(|value| field_of(body, value, this));
    fields[0].is_some() && fields[0] == fields[1]
}

/// The constant that every return gives, and whether there is no return at all.
fn outcomes(body: &Body) -> (Option<bool>, bool) {
    let mut returned: Vec<Option<i32>> = Vec::new();
    for block in &body.blocks {
        if let Terminator::Return(Some(value)) = block.terminator {
            let constant = body.instructions.iter().find(|it| it.result == Some(value));
            returned.push(constant.and_then(|instruction| {
                if let Op::Const(Const::Int(value)) = instruction.op { Some(value) } else { None }
            }));
        }
    }
    let first = returned.first().copied().flatten();
    let is_same = returned.iter().all(|value| *value == first);
    (first.filter(|_| is_same).map(|value| value != 0), returned.is_empty())
}

/// The instance fields that a method reads, itself or through methods of its own class.
pub(super) fn fields_read(program: &Program, method: MethodId) -> BTreeSet<FieldId> {
    fields_used(
        program,
        method,
        |op| if let Op::GetField(field, _) = op { Some(field) } else { None },
    )
}

/// Those that it writes.
pub(super) fn fields_written(program: &Program, method: MethodId) -> BTreeSet<FieldId> {
    fields_used(
        program,
        method,
        |op| {
            if let Op::PutField(field, ..) = op { Some(field) } else { None }
        },
    )
}

fn fields_used(
    program: &Program,
    method: MethodId,
    used: impl Fn(Op) -> Option<FieldRef>,
) -> BTreeSet<FieldId> {
    let mut fields = BTreeSet::new();
    let mut seen = BTreeSet::from([method]);
    let mut open = vec![method];
    while let Some(current) = open.pop() {
        let Ok(Some(body)) = program.lower(current) else { continue };
        for instruction in &body.instructions {
            if let Some(field) = used(instruction.op) {
                fields.extend(
                    program.resolve_field(field.class, field.name, field.descriptor).found(),
                );
            } else if let Op::Invoke { method: called, .. } = instruction.op {
                let found =
                    program.resolve_method(called.class, called.name, called.descriptor).found();
                let near = found.filter(|found| {
                    program.is_subtype(method.class, found.class) == Some(true)
                        && program.class_name(found.class) != program.known.object
                });
                open.extend(near.filter(|&found| seen.insert(found)));
            }
        }
    }
    fields
}
