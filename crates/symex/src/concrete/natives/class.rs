//! `Class`, and what enums ask of it.

use program::{Element, Primitive, Type};

use super::super::value::{Ref, Unknown, Value};
use super::super::{Machine, Outcome, gap};
use super::{Entry, zero};

const CLASS: &str = "java/lang/Class";
/// Classes nested more deeply have no name here.
const MOST_NESTED: usize = 64;

pub(super) const NATIVES: &[Entry] = &[
    (CLASS, "getPrimitiveClass", "(Ljava/lang/String;)Ljava/lang/Class;", primitive_class),
    (CLASS, "desiredAssertionStatus", "()Z", is_asserting),
    (CLASS, "desiredAssertionStatus0", "(Ljava/lang/Class;)Z", zero),
    (CLASS, "isArray", "()Z", is_array),
    (CLASS, "isPrimitive", "()Z", is_primitive),
    (CLASS, "isInterface", "()Z", is_interface),
    (CLASS, "isHidden", "()Z", zero),
    (CLASS, "isInstance", "(Ljava/lang/Object;)Z", is_instance),
    (CLASS, "isAssignableFrom", "(Ljava/lang/Class;)Z", is_assignable_from),
    (CLASS, "getComponentType", "()Ljava/lang/Class;", component_type),
    (CLASS, "getSuperclass", "()Ljava/lang/Class;", superclass),
    (CLASS, "getName", "()Ljava/lang/String;", name),
    (CLASS, "getClassLoader", "()Ljava/lang/ClassLoader;", class_loader),
    (CLASS, "getClassLoader0", "()Ljava/lang/ClassLoader;", class_loader),
    (CLASS, "getSimpleName", "()Ljava/lang/String;", simple_name),
    (CLASS, "getCanonicalName", "()Ljava/lang/String;", canonical_name),
    (
        CLASS,
        "forName0",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
        for_name,
    ),
    (CLASS, "getEnumConstantsShared", "()[Ljava/lang/Object;", enum_constants),
    ("java/lang/reflect/Array", "newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
    ("java/lang/reflect/Array", "getLength", "(Ljava/lang/Object;)I", array_length),
    ("java/lang/reflect/Array", "set", "(Ljava/lang/Object;ILjava/lang/Object;)V", array_set),
];

/// As the JVM's option `-ea`: for all classes but those of the JDK.
fn is_asserting(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let mirror = machine.non_null(arguments[0])?;
    let program = machine.program;
    let role = |name| program.find_class(name).map(|id| program.role(id));
    let is_ours = match machine.mirrored(mirror)?.element {
        Element::Class(name) => role(name) != role(program.known.object),
        Element::Primitive(_) => false,
    };
    Ok(Some(Value::boolean(machine.asserts && is_ours)))
}

fn primitive_class(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let name = machine.text(arguments[0].reference())?;
    let all = [
        Primitive::Boolean,
        Primitive::Byte,
        Primitive::Char,
        Primitive::Short,
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
    ];
    let ty = match all.into_iter().find(|primitive| primitive.keyword() == name) {
        Some(primitive) => Type::primitive(primitive),
        // `void` has a class but no descriptor of a field: any name that no class can have will do.
        None => Type::class(machine.program.names.intern(b"void")),
    };
    machine.mirror(ty).map(|mirror| Some(Value::Ref(mirror)))
}

fn this_type(machine: &Machine<'_>, arguments: &[Value]) -> Outcome<Type> {
    machine.mirrored(arguments[0].reference())
}

fn is_array(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::boolean(this_type(machine, arguments)?.dimensions > 0)))
}

fn is_primitive(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let ty = this_type(machine, arguments)?;
    let is_void = ty == Type::class(machine.program.names.intern(b"void"));
    Ok(Some(Value::boolean(is_void || ty.as_primitive().is_some())))
}

fn is_interface(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let answer = match this_type(machine, arguments)? {
        Type { element: Element::Class(name), dimensions: 0 } => {
            let id = machine.find_class(name)?;
            machine.class(id)?.is_interface()
        }
        Type { .. } => false,
    };
    Ok(Some(Value::boolean(answer)))
}

fn is_instance(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let ty = this_type(machine, arguments)?;
    let answer = match arguments[1].reference() {
        Ref::NULL => false,
        object => {
            let from = machine.heap.object(object).ty;
            machine.is_assignable(from, ty)?
        }
    };
    Ok(Some(Value::boolean(answer)))
}

fn is_assignable_from(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let to = this_type(machine, arguments)?;
    let other = machine.non_null(arguments[1])?;
    let from = machine.mirrored(other)?;
    let primitives = [from, to].map(|ty| ty.as_primitive().is_some());
    let answer =
        if primitives.contains(&true) { from == to } else { machine.is_assignable(from, to)? };
    Ok(Some(Value::boolean(answer)))
}

fn component_type(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    match this_type(machine, arguments)?.component() {
        Some(component) => machine.mirror(component).map(|mirror| Some(Value::Ref(mirror))),
        None => Ok(Some(Value::Ref(Ref::NULL))),
    }
}

fn superclass(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let superclass = match this_type(machine, arguments)? {
        Type { element: Element::Class(name), dimensions: 0 } => {
            let id = machine.find_class(name)?;
            let class = machine.class(id)?;
            if class.is_interface() { None } else { class.superclass }
        }
        Type { dimensions: 0, .. } => None,
        Type { .. } => Some(machine.program.known.object),
    };
    match superclass {
        Some(name) => machine.mirror(Type::class(name)).map(|mirror| Some(Value::Ref(mirror))),
        None => Ok(Some(Value::Ref(Ref::NULL))),
    }
}

/// `Class.getName`: arrays are written as descriptors, with dots.
fn name(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let ty = this_type(machine, arguments)?;
    let element = match ty.element {
        Element::Class(name) => machine.program.class_text(name),
        Element::Primitive(primitive) => primitive.keyword().to_owned(),
    };
    let text = match (ty.dimensions, ty.element) {
        (0, _) => element,
        (dimensions, Element::Class(_)) => format!("{}L{element};", "[".repeat(dimensions.into())),
        (dimensions, Element::Primitive(primitive)) => {
            let letter = match primitive {
                Primitive::Boolean => 'Z',
                Primitive::Byte => 'B',
                Primitive::Char => 'C',
                Primitive::Short => 'S',
                Primitive::Int => 'I',
                Primitive::Long => 'J',
                Primitive::Float => 'F',
                Primitive::Double => 'D',
            };
            format!("{}{letter}", "[".repeat(dimensions.into()))
        }
    };
    let units: Vec<u16> = text.encode_utf16().collect();
    machine.intern_units(units).map(|string| Some(Value::Ref(string)))
}

/// What `values()` of an enum returns; null for what is no enum.
fn enum_constants(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let Type { element: Element::Class(name), dimensions: 0 } = this_type(machine, arguments)?
    else {
        return Ok(Some(Value::Ref(Ref::NULL)));
    };
    let id = machine.find_class(name)?;
    let class = machine.class(id)?;
    if !class.access_flags.is_enum() {
        return Ok(Some(Value::Ref(Ref::NULL)));
    }
    let names = &machine.program.names;
    let descriptor = [b"()[L", names.bytes(name), b";"].concat();
    let Some(values) = class.declared_method(names.intern(b"values"), names.intern(&descriptor))
    else {
        return gap("an enum without values()");
    };
    machine.initialise(id)?;
    machine.run_method(values, Vec::new())
}

fn new_array(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let component = machine.non_null(arguments[0])?;
    let component = machine.mirrored(component)?;
    machine.new_array(component, arguments[1].int()).map(|array| Some(Value::Ref(array)))
}

fn array_length(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let array = machine.non_null(arguments[0])?;
    match machine.heap.array(array) {
        Some(array) => Ok(Some(Value::Int(array.len() as i32))),
        None => machine.throw_unknown_message("java/lang/IllegalArgumentException"),
    }
}

/// The JDK's base classes have none; of the others only a JVM knows.
fn class_loader(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let is_base = match this_type(machine, arguments)?.element {
        Element::Class(name) => {
            let text = machine.program.names.bytes(name);
            const BASE: [&[u8]; 9] = [
                b"java/lang/",
                b"java/util/",
                b"java/io/",
                b"java/math/",
                b"java/nio/",
                b"java/text/",
                b"java/time/",
                b"sun/nio/cs/",
                b"jdk/internal/misc/",
            ];
            const OTHER: [&[u8]; 5] = [
                b"java/util/logging/",
                b"java/util/prefs/",
                b"sun/nio/cs/ext/",
                b"java/lang/management/",
                b"java/lang/instrument/",
            ];
            BASE.iter().any(|package| text.starts_with(package))
                && !OTHER.iter().any(|package| text.starts_with(package))
        }
        Element::Primitive(_) => true,
    };
    Ok(Some(if is_base { Value::Ref(Ref::NULL) } else { Value::Unknown(Unknown::Startup) }))
}

/// Only of classes whose name does not look nested: the rest takes the attributes of the file.
fn simple_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let ty = this_type(machine, arguments)?;
    let full = ty.display(&machine.program.names);
    let simple = if full.contains('$') {
        nested_name(machine, ty)?
    } else {
        full.rsplit('.').next().unwrap_or(&full).to_owned()
    };
    let units = simple.encode_utf16().collect();
    machine.intern_units(units).map(|string| Some(Value::Ref(string)))
}

/// The name that a nested class has in its InnerClasses attribute; none for an anonymous one.
fn nested_name(machine: &Machine<'_>, ty: Type) -> Outcome<String> {
    let program = machine.program;
    let (Element::Class(name), 0) = (ty.element, ty.dimensions) else {
        return gap("the simple name of an array of a nested class");
    };
    let class = machine.class(machine.find_class(name)?)?;
    let Ok(entries) = class.file.inner_classes() else { return gap("nested classes") };
    let own =
        entries.iter().find(|entry| class.file.bytes(entry.inner) == program.names.bytes(name));
    Ok(match own {
        // A dollar in the name of a top-level class.
        None => ty.display(&program.names).rsplit('.').next().unwrap_or_default().to_owned(),
        Some(entry) => entry.name.map_or_else(String::new, |utf8| {
            program.names.text(class.constant_name(utf8, &program.names)).into_owned()
        }),
    })
}

/// The name in source code; local and anonymous classes, and what is nested in them, have none.
fn canonical_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let ty = this_type(machine, arguments)?;
    let found = match ty.element {
        Element::Class(name) => canonical_class_name(machine, name)?,
        Element::Primitive(primitive) => Some(primitive.keyword().to_owned()),
    };
    let Some(text) = found else { return Ok(Some(Value::Ref(Ref::NULL))) };
    let text = text + &"[]".repeat(ty.dimensions.into());
    machine.intern_units(text.encode_utf16().collect()).map(|string| Some(Value::Ref(string)))
}

fn canonical_class_name(machine: &Machine<'_>, name: program::Name) -> Outcome<Option<String>> {
    let program = machine.program;
    let mut name = name;
    let mut nested = String::new();
    // A class file may lie and name itself as the outer class.
    for _ in 0..MOST_NESTED {
        if program.names.bytes(name) == b"void" {
            return Ok(Some("void".to_owned()));
        }
        let class = machine.class(machine.find_class(name)?)?;
        let Ok(entries) = class.file.inner_classes() else { return gap("nested classes") };
        let own =
            entries.iter().find(|entry| class.file.bytes(entry.inner) == program.names.bytes(name));
        let Some(own) = own else {
            return Ok(Some(program.class_text(name) + &nested));
        };
        let (Some(outer), Some(simple)) = (own.outer, own.name) else { return Ok(None) };
        let simple = program.names.text(class.constant_name(simple, &program.names));
        nested.insert_str(0, &format!(".{simple}"));
        name = class.constant_name(outer, &program.names);
    }
    gap("classes nested too deeply")
}

/// `Class.forName` with the class path that the machine has.
fn for_name(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let name = machine.non_null(arguments[0])?;
    let name = machine.text(name)?;
    if name.contains('/') || name.starts_with('[') {
        return gap("Class.forName of an array or of an odd name");
    }
    let Some(id) = machine.program.find_class_text(&name.replace('.', "/")) else {
        return machine.throw_message("java/lang/ClassNotFoundException", &name);
    };
    if arguments[1].int() != 0 {
        machine.initialise(id)?;
    }
    let ty = Type::class(machine.program.class_name(id));
    machine.mirror(ty).map(|mirror| Some(Value::Ref(mirror)))
}

/// Without the widening of primitives.
fn array_set(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let array = machine.non_null(arguments[0])?;
    let Some(items) = machine.heap.array(array) else {
        return machine.throw_unknown_message("java/lang/IllegalArgumentException");
    };
    let is_inside = usize::try_from(arguments[1].int()).is_ok_and(|index| index < items.len());
    let index = arguments[1].int() as usize;
    let component = machine.heap.object(array).ty.component();
    let value = arguments[2];
    let value = match component.and_then(Type::as_primitive) {
        None => match (value.reference(), component) {
            (Ref::NULL, _) | (_, None) => value,
            (object, Some(component)) => {
                let from = machine.heap.object(object).ty;
                if !machine.is_assignable(from, component)? {
                    return machine.throw_unknown_message("java/lang/IllegalArgumentException");
                }
                value
            }
        },
        Some(primitive) => {
            let wanted = super::super::dynamic::box_class(primitive).0;
            let object = value.reference();
            if object.is_null() || !machine.is_instance(object, wanted)? {
                return gap("Array.set with a conversion");
            }
            machine.unbox(object)?
        }
    };
    if !is_inside {
        return machine.throw_unknown_message("java/lang/ArrayIndexOutOfBoundsException");
    }
    machine.store(array, index, value)?;
    Ok(None)
}
