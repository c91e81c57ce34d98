//! Private fields whose type became another functional interface, and that are only read to be called.
//!
//! Where a version declares such a field of an interface of the library, and the other of one of its own that adds
//! nothing to it but markers, what the field holds does the same if its method does. That holds as long as no code
//! gets hold of what is in the field for anything else: all code that can reach a private field is looked at, in both
//! versions. What is stored there is compared by proofs.

use program::ir::{Body, Condition, FieldRef, InvokeKind, Op, Terminator, Value};
use program::{Class, ClassId, Element, Field, FieldId, Program, Role, Type};
use symex::symbolic::Retyped;

use super::renamed::shows_fields;

/// Transient fields are no part of a stream, which is not looked at here.
const TRANSIENT: u16 = 0x0080;

/// Such fields, as each version has them.
pub fn retyped(old: &Program, new: &Program) -> (Retyped, Retyped) {
    let mut found = (Retyped::default(), Retyped::default());
    for after in new.class_ids(Role::Judged).filter_map(|id| new.class(id)) {
        let before = old.find_class_text(&new.names.text(after.name));
        let before = before.filter(|&id| old.role(id) == Role::Judged);
        let Some(before) = before.and_then(|id| old.class(id)) else { continue };
        for (id, field) in after.fields() {
            let name = new.names.text(field.name);
            let mut same = before.fields().filter(|(_, it)| old.names.text(it.name) == name);
            let (Some((was, other)), None) = (same.next(), same.next()) else { continue };
            let is_shown = has_native(before) || has_native(after);
            let is_same = old.names.text(other.descriptor) == new.names.text(field.descriptor);
            if is_same
                || is_shown
                || !is_plain(field)
                || !is_plain(other)
                || !same_flags(other, field)
            {
                continue;
            }
            add((old, was, other), (new, id, field), &mut found);
        }
    }
    let is_empty = found.0.fields.is_empty();
    if is_empty || shows_fields(old) || shows_fields(new) { Default::default() } else { found }
}

fn add(
    (old, was, other): (&Program, FieldId, &Field),
    (new, id, field): (&Program, FieldId, &Field),
    found: &mut (Retyped, Retyped),
) {
    let (one, two) = (interface_of(old, other), interface_of(new, field));
    let (Some(one), Some(two)) = (one, two) else { return };
    let text =
        |program: &Program, id: ClassId| program.names.text(program.class_name(id)).into_owned();
    let (one_text, two_text) = (text(old, one), text(new, two));
    let is_narrow = |program: &Program, narrow: ClassId, wide: &str| {
        program.find_class_text(wide).is_some_and(|wide| adds_nothing(program, narrow, wide))
    };
    let wide = if is_narrow(new, two, &one_text) {
        one_text.clone()
    } else if is_narrow(old, one, &two_text) {
        two_text.clone()
    } else {
        return;
    };
    if !is_only_called(old, was, &wide) || !is_only_called(new, id, &wide) {
        return;
    }
    let class = new.class_text(new.class_name(id.class));
    let name = format!("{class}.{}:L{wide};", new.names.text(field.name));
    let named =
        |program: &Program| (name.clone(), Type::class(program.names.intern(wide.as_bytes())));
    found.0.fields.insert(was, named(old));
    found.1.fields.insert(id, named(new));
    for side in [&mut found.0, &mut found.1] {
        side.interfaces.push((one_text.clone(), two_text.clone()));
    }
}

fn has_native(class: &Class) -> bool {
    class.methods().any(|(_, method)| method.access_flags.is_native())
        || !matches!(class.file.record(), Ok(None))
}

fn is_plain(field: &Field) -> bool {
    let flags = field.access_flags;
    flags.is_private() && !flags.is_static() && !flags.is_synthetic()
}

fn same_flags(one: &Field, two: &Field) -> bool {
    (one.access_flags.0 ^ two.access_flags.0) & !TRANSIENT == 0
}

/// The interface that a field is of.
fn interface_of(program: &Program, field: &Field) -> Option<ClassId> {
    let ty = Type::parse(program.names.bytes(field.descriptor), &program.names)?;
    let Element::Class(name) = ty.element else { return None };
    let class = program.find_class(name).and_then(|id| program.class(id))?;
    (ty.dimensions == 0 && class.access_flags.is_interface()).then_some(class.id)
}

/// Whether a judged interface is one of the library's, and markers beside.
fn adds_nothing(program: &Program, narrow: ClassId, wide: ClassId) -> bool {
    let (Some(one), Some(two)) = (program.class(narrow), program.class(wide)) else { return false };
    let (above, of_wide) = (program.ancestry(one), program.ancestry(two));
    let is_known = above.missing.is_empty() && of_wide.missing.is_empty();
    let is_marker = |&id: &ClassId| {
        of_wide.interfaces.contains(&id)
            || program.class(id).is_some_and(|it| it.methods.is_empty() && it.fields().count() == 0)
    };
    program.role(narrow) == Role::Judged
        && program.role(wide) == Role::Platform
        && is_known
        && above.interfaces.contains(&wide)
        && above.interfaces.iter().all(is_marker)
}

/// Whether all that reads a private field calls abstract methods of `wide` on it, and does nothing else.
fn is_only_called(program: &Program, field: FieldId, wide: &str) -> bool {
    let outermost = |name: &str| name.split('$').next().unwrap_or_default().to_owned();
    let names = &program.names;
    let own = outermost(&names.text(program.class_name(field.class)));
    let judged = program.class_ids(Role::Judged).filter_map(|id| program.class(id));
    let near = judged.filter(|it| outermost(&names.text(it.name)) == own);
    let mut methods = near.flat_map(|class| class.methods().map(|(id, _)| id));
    methods.all(|method| match program.lower(method) {
        Ok(Some(body)) => {
            let mut reads = body.instructions.iter().filter_map(|it| match it.op {
                Op::GetField(read, _) if may_be(program, read, field) => it.result,
                _ => None,
            });
            reads.all(|value| is_receiver_alone(program, &body, value, wide))
        }
        Ok(None) => true,
        Err(_) => false,
    })
}

fn may_be(program: &Program, read: FieldRef, field: FieldId) -> bool {
    let found = program.resolve_field(read.class, read.name, read.descriptor).found();
    found.is_none_or(|it| it == field)
}

fn is_receiver_alone(program: &Program, body: &Body, value: Value, wide: &str) -> bool {
    let is_fine = |op: Op| {
        let mut n_uses = 0;
        op.for_each_operand(body, |it| n_uses += usize::from(it == value));
        match op {
            _ if n_uses == 0 => true,
            Op::Invoke { kind: InvokeKind::Interface, method, arguments } => {
                let called = program.resolve_method(method.class, method.name, method.descriptor);
                let is_of_wide = called.found().is_some_and(|it| {
                    let (owner, declared) = program.method(it);
                    let wide = program.find_class_text(wide).and_then(|id| program.class(id));
                    let is_above =
                        wide.is_some_and(|it| program.ancestry(it).interfaces.contains(&owner.id));
                    is_above && declared.access_flags.is_abstract()
                });
                n_uses == 1 && body.list(arguments).first() == Some(&value) && is_of_wide
            }
            _ => false,
        }
    };
    body.instructions.iter().all(|it| is_fine(it.op))
        && body.blocks.iter().all(|block| {
            let is_told = match block.terminator {
                Terminator::Return(it) => it == Some(value),
                Terminator::Throw(it) => it == value,
                Terminator::If { condition, .. } => match condition {
                    Condition::SameRef(one, two) | Condition::NotSameRef(one, two) => {
                        one == value || two == value
                    }
                    Condition::Int(..)
                    | Condition::IntToZero(..)
                    | Condition::Null(_)
                    | Condition::NotNull(_) => false,
                },
                Terminator::Goto(_) | Terminator::Switch { .. } => false,
            };
            !is_told && !body.passes_on(block, value)
        })
}
