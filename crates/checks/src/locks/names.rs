//! What people call locks, methods and places in the code.

use program::{ClassId, FieldId, MethodDescriptor, MethodId};

use super::context::Context;
use super::path::{Lock, Mode, Root, Step};
use crate::cycle::{self, LockKind, Place};

/// How a person would call the lock: `p.C.lock`, `p.C.class`, or the type of the object.
pub(crate) fn lock_name(context: &Context<'_>, lock: &Lock) -> String {
    let path = context.paths.of(lock.val.path);
    let of_type = || lock.val.class.map(|class| class_name(context, class));
    match (path.last(), path.root) {
        (Some(Step::Field(field)), _) => named_or(context, lock, field, of_type()),
        (
            Some(
                Step::Element
                | Step::Older
                | Step::Many(_)
                | Step::ReadLock
                | Step::WriteLock
                | Step::Condition,
            ),
            _,
        ) => of_type().unwrap_or_else(|| "an element".to_owned()),
        (None, Root::Static(field)) => named_or(context, lock, field, of_type()),
        (None, Root::Class(class)) if lock.mode == Mode::Init => class_name(context, class),
        (None, Root::Class(class)) => format!("{}.class", class_name(context, class)),
        (None, Root::Text(text)) => {
            format!("\"{}\"", context.universe.program.names.text(text))
        }
        (
            None,
            Root::Param(_) | Root::Alloc(..) | Root::Result(_) | Root::Local(_) | Root::Unknown,
        ) => of_type().unwrap_or_else(|| "an object".to_owned()),
    }
}

/// A lock that only its field tells is called by it, others by what they are.
fn named_or(context: &Context<'_>, lock: &Lock, field: FieldId, of_type: Option<String>) -> String {
    match of_type {
        Some(name) if context.is_open(lock) => name,
        Some(_) | None => field_name(context, field),
    }
}

pub(crate) fn field_name(context: &Context<'_>, field: FieldId) -> String {
    let (_, declared) = context.universe.program.field(field);
    let name = context.universe.program.names.text(declared.name);
    format!("{}.{name}", class_name(context, field.class))
}

pub(crate) fn class_name(context: &Context<'_>, class: ClassId) -> String {
    let program = context.universe.program;
    program.class_text(program.class_name(class))
}

/// `p.A.m()V`
pub(crate) fn method_name(context: &Context<'_>, method: MethodId) -> String {
    let program = context.universe.program;
    let (class, declared) = program.method(method);
    let name = program.names.text(declared.name);
    let descriptor = program.names.text(declared.descriptor);
    format!("{}.{name}{descriptor}", program.class_text(class.name))
}

/// `p.A.m(p.D, int)`
pub(crate) fn method_in_java(context: &Context<'_>, method: MethodId) -> String {
    let program = context.universe.program;
    let (class, declared) = program.method(method);
    let name = program.names.text(declared.name);
    let descriptor = program.names.bytes(declared.descriptor);
    let types = MethodDescriptor::parse(descriptor).map(|it| it.parameter_types(&program.names));
    let types: Vec<String> = types.iter().flatten().map(|it| it.display(&program.names)).collect();
    format!("{}.{name}({})", program.class_text(class.name), types.join(", "))
}

/// `p.A.m(A.java:10)`
pub(crate) fn frame_name(context: &Context<'_>, method: usize, pc: u16) -> String {
    let program = context.universe.program;
    let id = context.slice.methods[method];
    let (class, declared) = program.method(id);
    let name = program.names.text(declared.name);
    let class_text = program.class_text(class.name);
    let line = context.slice.facts[method].line(pc);
    match (source_file(context, id.class), line) {
        (Some(file), Some(line)) => format!("{class_text}.{name}({file}:{line})"),
        (Some(file), None) => format!("{class_text}.{name}({file})"),
        (None, _) => format!("{class_text}.{name}(Unknown Source)"),
    }
}

pub(crate) fn source_file(context: &Context<'_>, class: ClassId) -> Option<String> {
    let program = context.universe.program;
    let class = program.class(class)?;
    let utf8 = class.file.source_file().ok()??;
    Some(program.names.text(class.constant_name(utf8, &program.names)).into_owned())
}

/// The lock as reports show it.
pub(crate) fn report_lock(context: &Context<'_>, lock: &Lock) -> cycle::Lock {
    let path = context.paths.of(lock.val.path);
    let kind = match lock.mode {
        Mode::Monitor | Mode::Signal | Mode::Wake | Mode::Done => LockKind::Monitor,
        Mode::Exclusive => LockKind::Juc,
        Mode::Read => LockKind::JucRead,
        Mode::Write => LockKind::JucWrite,
        Mode::Init => LockKind::ClassInit,
    };
    let place = match (path.last(), path.root) {
        (Some(_), _) => Place::Field,
        (None, Root::Static(_)) => Place::StaticField,
        (None, Root::Class(_)) => Place::Class,
        (None, Root::Text(_)) => Place::Literal,
        (None, Root::Param(0)) => Place::This,
        (None, Root::Param(_)) => Place::Parameter,
        (None, Root::Alloc(..)) => Place::Allocation,
        (None, Root::Result(_) | Root::Local(_) | Root::Unknown) => Place::Parameter,
    };
    let type_name = match (path.last(), path.root, lock.val.class) {
        (None, Root::Class(class), _) if lock.mode == Mode::Init => class_name(context, class),
        (_, _, Some(class)) => class_name(context, class),
        (_, _, None) => "java.lang.Object".to_owned(),
    };
    cycle::Lock { kind, place, name: lock_name(context, lock), type_name }
}
