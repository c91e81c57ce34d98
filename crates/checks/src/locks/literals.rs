//! Objects that stand for constants: class literals of old compilers, and small boxes.

use program::ClassId;
use program::ir::{Const, FieldRef, InvokeKind, MethodRef, Op, Value};

use super::path::{Root, Val};
use super::values::Scene;

/// Compilers before Java 5 keep `X.class` in a field `class$X`, with the result of `class$("X")`.
const KEPT_CLASS: &[u8] = b"class$";

fn is_before_java_5(scene: &Scene<'_>) -> bool {
    const JAVA_5: u16 = 49;
    let (class, _) = scene.universe.program.method(scene.method);
    class.file.major_version < JAVA_5
}

/// The class that such a field is for. In its name nested classes look like packages.
pub(super) fn class_kept_in(scene: &Scene<'_>, field: &FieldRef) -> Option<ClassId> {
    let program = scene.universe.program;
    let names = &program.names;
    let name = names.bytes(field.name).strip_prefix(KEPT_CLASS)?;
    if !is_before_java_5(scene) || names.bytes(field.descriptor) != b"Ljava/lang/Class;" {
        return None;
    }
    let mut path: Vec<u8> = name.iter().map(|&it| if it == b'$' { b'/' } else { it }).collect();
    loop {
        if let Some(found) = names.find(&path).and_then(|it| scene.universe.class(it)) {
            return Some(found);
        }
        let last = path.iter().rposition(|&it| it == b'/')?;
        path[last] = b'$';
    }
}

/// What `class$("X")` gives.
pub(super) fn class_by_name(
    scene: &Scene<'_>,
    kind: InvokeKind,
    method: &MethodRef,
    arguments: &[Value],
) -> Option<Val> {
    let program = scene.universe.program;
    let names = &program.names;
    let is_meant = kind == InvokeKind::Static
        && is_before_java_5(scene)
        && names.bytes(method.name) == KEPT_CLASS
        && names.bytes(method.descriptor) == b"(Ljava/lang/String;)Ljava/lang/Class;";
    let [argument] = arguments else { return None };
    if !is_meant {
        return None;
    }
    let literal = scene.body.instructions.iter().find_map(|it| match it.op {
        Op::Const(Const::String(text)) if it.result == Some(*argument) => Some(text),
        _ => None,
    })?;
    let text = names.text(program.literal(literal)).replace('.', "/");
    let named = program.find_class_text(&text)?;
    let class = program.find_class_text("java/lang/Class");
    Some(Val { path: scene.paths.root(Root::Class(named)), class, exact: true })
}

/// `Integer.valueOf(1)` and the like give one object for the whole JVM (JLS 5.1.7).
pub(super) fn boxed_constant(
    scene: &Scene<'_>,
    kind: InvokeKind,
    method: &MethodRef,
    arguments: &[Value],
) -> Option<Val> {
    const BOXES: [&[u8]; 5] = [
        b"java/lang/Integer",
        b"java/lang/Long",
        b"java/lang/Short",
        b"java/lang/Byte",
        b"java/lang/Character",
    ];
    let program = scene.universe.program;
    let names = &program.names;
    let class = names.bytes(method.class);
    let is_boxing = kind == InvokeKind::Static && names.bytes(method.name) == b"valueOf";
    let [argument] = arguments else { return None };
    if !is_boxing || !BOXES.contains(&class) {
        return None;
    }
    let number = scene.body.instructions.iter().find_map(|instruction| {
        let Op::Const(constant) = instruction.op else { return None };
        if instruction.result != Some(*argument) {
            return None;
        }
        match constant {
            Const::Int(number) => Some(i64::from(number)),
            Const::Long(number) => Some(number),
            Const::Null
            | Const::Float(_)
            | Const::Double(_)
            | Const::String(_)
            | Const::Class(_)
            | Const::MethodType(_)
            | Const::Dynamic(..) => None,
        }
    })?;
    let is_shared = (-128..=127).contains(&number);
    let name = format!("{} {number}", String::from_utf8_lossy(class).replace('/', "."));
    let text = names.intern(name.as_bytes());
    let id = scene.universe.class(method.class);
    let path = scene.paths.root(Root::Text(text));
    is_shared.then_some(Val { path, class: id, exact: true })
}
