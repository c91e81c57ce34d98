//! `VarHandle`s of instance fields, and the little reflection that the JDK's own initialisers use to
//! get at the offset of a field.

use program::{Element, Type};

use super::super::value::{Unknown, Value};
use super::super::{Machine, Outcome, gap};
use super::Entry;

const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const HANDLE: &str = "java/lang/invoke/VarHandle";
const FIELD: &str = "java/lang/reflect/Field";
const OBJECT: &str = "([Ljava/lang/Object;)Ljava/lang/Object;";
const VOID: &str = "([Ljava/lang/Object;)V";
const BOOLEAN: &str = "([Ljava/lang/Object;)Z";

pub(super) const NATIVES: &[Entry] = &[
    (
        "java/lang/invoke/MethodHandles",
        "lookup",
        "()Ljava/lang/invoke/MethodHandles$Lookup;",
        lookup,
    ),
    (
        LOOKUP,
        "findVarHandle",
        "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        find_var_handle,
    ),
    (HANDLE, "get", OBJECT, get),
    (HANDLE, "getVolatile", OBJECT, get),
    (HANDLE, "getAcquire", OBJECT, get),
    (HANDLE, "getOpaque", OBJECT, get),
    (HANDLE, "set", VOID, set),
    (HANDLE, "setVolatile", VOID, set),
    (HANDLE, "setRelease", VOID, set),
    (HANDLE, "setOpaque", VOID, set),
    (HANDLE, "getAndSet", OBJECT, get_and_set),
    (HANDLE, "compareAndSet", BOOLEAN, compare_and_set),
    (HANDLE, "weakCompareAndSet", BOOLEAN, compare_and_set),
    (HANDLE, "weakCompareAndSetPlain", BOOLEAN, compare_and_set),
    (
        "java/lang/Class",
        "getDeclaredField",
        "(Ljava/lang/String;)Ljava/lang/reflect/Field;",
        declared_field,
    ),
    ("jdk/internal/misc/Unsafe", "objectFieldOffset0", "(Ljava/lang/reflect/Field;)J", offset),
    ("jdk/internal/reflect/Reflection", "getCallerClass", "()Ljava/lang/Class;", caller),
    // It only fills maps for reflection, ordered by identity.
    ("jdk/internal/reflect/Reflection", "<clinit>", "()V", super::nothing),
];

fn caller(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Unknown(Unknown::Startup)))
}

fn lookup(machine: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    machine.allocate_unknown(LOOKUP).map(|lookup| Some(Value::Ref(lookup)))
}

fn find_var_handle(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let field = named_field(machine, arguments[1], arguments[2])?;
    let Some(field) = field else { return gap("a VarHandle of a field that does not exist") };
    let handle = machine.allocate_unknown(HANDLE)?;
    machine.var_handles.insert(handle, field);
    Ok(Some(Value::Ref(handle)))
}

/// An instance field by the mirror of its class and its name.
fn named_field(
    machine: &mut Machine<'_>,
    class: Value,
    name: Value,
) -> Outcome<Option<program::FieldId>> {
    let class = machine.non_null(class)?;
    let name = machine.non_null(name)?;
    let Type { element: Element::Class(class), dimensions: 0 } = machine.mirrored(class)? else {
        return Ok(None);
    };
    let name = machine.text(name)?;
    let id = machine.find_class(class)?;
    let mut fields = machine.class(id)?.fields();
    let found = fields.find(|(_, field)| {
        machine.program.names.text(field.name) == name && !field.access_flags.is_static()
    });
    Ok(found.map(|(field, _)| field))
}

/// The variable that a handle and an object mean.
fn variable<'a>(machine: &'a mut Machine<'_>, arguments: &[Value]) -> Outcome<&'a mut Value> {
    let handle = machine.non_null(arguments[0])?;
    let Some(&field) = machine.var_handles.get(&handle) else {
        return gap("a VarHandle of unknown origin");
    };
    let Some(&object) = arguments.get(1) else { return gap("a VarHandle without an object") };
    let object = machine.non_null(object)?;
    machine.instance_field(object, field)
}

fn get(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    variable(machine, arguments).map(|place| Some(*place))
}

fn set(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [_, _, value] = *arguments else { return gap("a VarHandle with other arguments") };
    let place = variable(machine, arguments)?;
    check_kind(*place, value)?;
    *place = value;
    Ok(None)
}

fn get_and_set(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let before = get(machine, arguments)?;
    set(machine, arguments)?;
    Ok(before)
}

fn compare_and_set(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [_, _, expected, value] = *arguments else {
        return gap("a VarHandle with other arguments");
    };
    let place = variable(machine, arguments)?;
    check_kind(*place, value)?;
    check_kind(*place, expected)?;
    let is_expected = match *place {
        Value::Float(_) | Value::Double(_) => return gap("compareAndSet of a floating number"),
        held => held == expected,
    };
    if is_expected {
        *place = value;
    }
    Ok(Some(Value::boolean(is_expected)))
}

/// A call may pass another kind than the field has, and the handle would convert it.
fn check_kind(held: Value, value: Value) -> Outcome<()> {
    if let Value::Unknown(why) = held {
        return gap(why.reason());
    }
    if std::mem::discriminant(&held) == std::mem::discriminant(&value) {
        return Ok(());
    }
    gap("a VarHandle that converts")
}

/// A `Field` that knows its class and name only.
fn declared_field(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    if named_field(machine, arguments[0], arguments[1])?.is_none() {
        return gap(Unknown::Startup.reason());
    }
    let object = machine.allocate_unknown(FIELD)?;
    *machine.named_field(object, FIELD, "clazz", "Ljava/lang/Class;")? = arguments[0];
    *machine.named_field(object, FIELD, "name", "Ljava/lang/String;")? = arguments[1];
    Ok(Some(Value::Ref(object)))
}

fn offset(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let object = machine.non_null(arguments[1])?;
    let class = *machine.named_field(object, FIELD, "clazz", "Ljava/lang/Class;")?;
    let name = *machine.named_field(object, FIELD, "name", "Ljava/lang/String;")?;
    match named_field(machine, class, name)? {
        Some(field) => match machine.layout_slot(field)? {
            Some(slot) => Ok(Some(Value::Long(slot.into()))),
            None => gap("the offset of a static field"),
        },
        None => gap("the offset of a field that does not exist"),
    }
}
