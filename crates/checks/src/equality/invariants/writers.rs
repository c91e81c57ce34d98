//! Who writes the fields of a class.

use classfile::Constant;
use program::ir::{Body, InvokeKind, Op, Terminator, Value};
use program::{Class, ClassId, Field, FieldId, Method, MethodId, Name, Program, Role};

use super::Keeping;
use crate::witness::Access;
use crate::witness::access::member_access;

/// Fields of which every writer is known, and the methods that write one of them.
pub(super) struct Writers {
    pub(super) fields: Vec<FieldId>,
    pub(super) methods: Vec<MethodId>,
    /// In the place of constructors that only known code calls: that code. First of those that no other
    /// source can name, then of those that no other package can.
    pub(super) makers: Vec<Makers>,
}

/// Who makes objects of a class.
pub(super) struct Makers {
    /// Constructors that only these call.
    pub(super) closed: Vec<MethodId>,
    pub(super) callers: Vec<MethodId>,
    /// What has to be so for there to be no others.
    pub(super) assumption: Option<String>,
}

/// Who can name a constructor that counts as called by known code alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// The classes nested in the same outermost one.
    Source,
    /// The classes of the package. That no code is added to it is an assumption; witnesses do without such
    /// constructors too where the package itself makes the objects.
    Package,
}

pub(super) fn writers(known: Keeping<'_>, class: ClassId) -> Writers {
    let none = Writers { fields: Vec::new(), methods: Vec::new(), makers: Vec::new() };
    let program = known.program;
    let Some(declaring) = program.class(class) else { return none };
    let mut found = none;
    let constructors = declaring.methods().filter(|(_, m)| m.name == program.known.init);
    found.methods.extend(constructors.map(|(id, _)| id));
    for (id, field) in declaring.fields() {
        let Some(classes) = classes_that_may_write(known, declaring, field) else { continue };
        if !field.access_flags.is_final() {
            let Some(methods) = methods_that_write(program, &classes, id, field) else { continue };
            let is_set_once =
                methods.iter().all(|&method| is_constructor_of(program, method, class));
            if !field.access_flags.is_private() && !is_set_once {
                continue;
            }
            found.methods.extend(methods);
        }
        found.fields.push(id);
    }
    found.methods.sort_unstable();
    found.methods.dedup();
    let within = [Within::Source, Within::Package];
    found.makers = within.into_iter().filter_map(|it| makers(known, declaring, it)).collect();
    found
}

fn is_constructor_of(program: &Program, method: MethodId, class: ClassId) -> bool {
    method.class == class && program.method(method).1.name == program.known.init
}

/// The code that calls the constructors which no other source can name: private ones, those of private,
/// local and anonymous classes, and what a compiler adds to reach these; or those which no other package can.
/// Nothing where there may be more.
fn makers(known: Keeping<'_>, class: &Class, within: Within) -> Option<Makers> {
    let program = known.program;
    let constructors =
        class.methods().filter(|(_, method)| is_closed(program, class, method, within));
    let closed: Vec<MethodId> = constructors.map(|(id, _)| id).collect();
    let nest = program.outermost_text(class.id);
    let neighbours = known.index.neighbours(program.package(class.name));
    let is_near = |id: ClassId| within == Within::Package || program.outermost_text(id) == nest;
    let classes: Vec<ClassId> = neighbours.iter().copied().filter(|&id| is_near(id)).collect();
    let is_outer = |&id: &ClassId| program.names.text(program.class_name(id)) == nest;
    // Constructors of subclasses begin with one of these: where no other can be named, they are near too.
    let heirs = known.index.world().subtypes(class.id);
    let are_near = heirs.iter().chain([&class.id]).all(|id| classes.contains(id));
    if closed.is_empty() || !classes.iter().any(is_outer) || !are_near {
        return None;
    }
    let mut calls = Vec::new();
    for member in classes.iter().map(|&id| program.class(id)) {
        let member = member?;
        if hands_out_constructor(program, member, class) {
            return None;
        }
        if member.id == class.id || names_constructor(program, member, class) {
            calls.extend(calls_that_make(program, member, class)?);
        }
    }
    let (closed, assumption) = match within {
        Within::Source => (closed, None),
        Within::Package => {
            (called(program, class, closed, &calls)?, Some(of_package(program, class)))
        }
    };
    let mut callers: Vec<MethodId> = calls.into_iter().map(|(caller, _)| caller).collect();
    callers.dedup();
    (!callers.is_empty()).then_some(Makers { closed, callers, assumption })
}

fn of_package(program: &Program, class: &Class) -> String {
    let package = String::from_utf8_lossy(program.package(class.name)).replace('/', ".");
    let package = if package.is_empty() { "without a name" } else { &package };
    format!("no code is added to the package {package}")
}

/// Without the constructors of the package's own that it does not call to make objects: these are for code that
/// nobody has seen. That a subclass begins with one says nothing of it, unless that is all that it is for.
/// Nothing if only those are left that no other source can name.
fn called(
    program: &Program,
    class: &Class,
    mut closed: Vec<MethodId>,
    calls: &[(MethodId, Name)],
) -> Option<Vec<MethodId>> {
    let is_heirs = |caller: MethodId| {
        program.method(caller).1.name == program.known.init
            && program.is_subtype(caller.class, class.id) != Some(false)
    };
    let is_sources =
        |&id: &MethodId| is_closed(program, class, program.method(id).1, Within::Source);
    closed.retain(|id| {
        let descriptor = program.method(*id).1.descriptor;
        let is_called = |&(caller, called): &(MethodId, Name)| {
            called == descriptor && (class.access_flags.is_abstract() || !is_heirs(caller))
        };
        is_sources(id) || calls.iter().any(is_called)
    });
    (!closed.iter().all(is_sources)).then_some(closed)
}

/// Whether only this code can name a constructor. The platform's packages are too large to look through.
fn is_closed(program: &Program, class: &Class, method: &Method, within: Within) -> bool {
    if method.name != program.known.init {
        return false;
    }
    let flags = method.access_flags;
    let is_packages =
        || !flags.is_public() && !flags.is_protected() || is_of_package(program, class);
    flags.is_synthetic()
        || member_access(program, class, flags) == Access::Closed
        || within == Within::Package && program.role(class.id) != Role::Platform && is_packages()
}

/// Whether only code of its package can name a class, whatever modules export: it, or a class around it, is
/// neither public nor protected, which is to say open to subclasses of the one around it.
fn is_of_package(program: &Program, class: &Class) -> bool {
    const MOST_NESTING: usize = 32;
    let mut current = class;
    for _ in 0..MOST_NESTING {
        let inner = current.file.inner_classes().unwrap_or_default();
        let name = program.names.bytes(current.name);
        let own = inner.iter().find(|entry| current.file.bytes(entry.inner) == name);
        let flags = own.map_or(current.access_flags, |own| own.access_flags);
        if !flags.is_public() && !flags.is_protected() {
            return true;
        }
        let outer = own.and_then(|own| own.outer).map(|outer| current.file.bytes(outer));
        let outer = outer.and_then(|outer| program.names.find(outer));
        let outer = outer.and_then(|name| program.find_class(name));
        match outer.and_then(|id| program.class(id)) {
            Some(outer) => current = outer,
            None => return false,
        }
    }
    false
}

/// The calls of constructors of the class, each with the method that makes it and the descriptor, but for those
/// in its own constructors. Nothing where a method cannot be read.
fn calls_that_make(
    program: &Program,
    member: &Class,
    made: &Class,
) -> Option<Vec<(MethodId, Name)>> {
    let mut found = Vec::new();
    for (id, _) in member.methods().filter(|(id, _)| !is_constructor_of(program, *id, made.id)) {
        let Some(body) = program.lower(id).ok()? else { continue };
        found.extend(body.instructions.iter().filter_map(|at| match &at.op {
            Op::Invoke { method, .. }
                if method.class == made.name && method.name == program.known.init =>
            {
                Some((id, method.descriptor))
            }
            _ => None,
        }));
    }
    Some(found)
}

/// Whether the class's constants name a constructor of another: else its code need not be read.
fn names_constructor(program: &Program, class: &Class, made: &Class) -> bool {
    class.file.pool().constants().any(|constant| match constant {
        Constant::Member(member) => {
            class.constant_name(member.class, &program.names) == made.name
                && class.constant_name(member.name, &program.names) == program.known.init
        }
        _ => false,
    })
}

/// Whether a class has a reference such as `Item::new`, which anybody may get to call.
fn hands_out_constructor(program: &Program, class: &Class, made: &Class) -> bool {
    class.file.pool().constants().any(|constant| match constant {
        Constant::MethodHandle(_, member) => {
            class.constant_name(member.class, &program.names) == made.name
                && class.constant_name(member.name, &program.names) == program.known.init
        }
        _ => false,
    })
}

/// The classes that share the source of one whose field is private. Nothing where others may write it too: the
/// package's fields and protected ones are open to code of the package that nobody has seen, except for a
/// package of the platform: no class loader lets anybody add to those of `java`.
fn classes_that_may_write(
    known: Keeping<'_>,
    class: &Class,
    field: &Field,
) -> Option<Vec<ClassId>> {
    let flags = field.access_flags;
    if flags.is_static() || flags.is_volatile() {
        return None;
    }
    if flags.is_final() {
        return Some(vec![class.id]);
    }
    let program = known.program;
    let neighbours = known.index.neighbours(program.package(class.name)).iter().copied();
    let nest = program.outermost_text(class.id);
    if !flags.is_private() {
        let is_packages = !flags.is_public() && !flags.is_protected();
        let is_sealed = program.role(class.id) == Role::Platform
            && program.names.bytes(class.name).starts_with(b"java/");
        if !is_packages || !is_sealed {
            return None;
        }
        let mut near = neighbours.clone().filter(|&id| program.outermost_text(id) == nest);
        let says = |class: &Class| says_name(program, class, field);
        let is_looked_up = near.any(|id| program.class(id).is_none_or(says));
        return (!is_looked_up).then(|| neighbours.collect());
    }
    let mut classes: Vec<ClassId> =
        neighbours.filter(|&id| program.outermost_text(id) == nest).collect();
    classes.sort_unstable();
    // Where the package's list does not have the class, it may lack those nested beside it too.
    classes.contains(&class.id).then_some(classes)
}

/// Whether a class has the field's name as a text: it may look it up, to write it unseen.
fn says_name(program: &Program, class: &Class, field: &Field) -> bool {
    class.file.pool().constants().any(|constant| match constant {
        Constant::String(text) => class.constant_name(text, &program.names) == field.name,
        _ => false,
    })
}

/// Nothing where a method cannot be read.
fn methods_that_write(
    program: &Program,
    classes: &[ClassId],
    id: FieldId,
    field: &Field,
) -> Option<Vec<MethodId>> {
    let mut found = Vec::new();
    for class in classes.iter().filter_map(|&id| program.class(id)) {
        if !refers_to(program, class, field) {
            continue;
        }
        for (method, declared) in class.methods() {
            let flags = declared.access_flags;
            let is_deserialisation =
                flags.is_private() && program.names.bytes(declared.name) == b"readObject";
            if flags.is_abstract() || flags.is_native() || is_deserialisation {
                continue;
            }
            let Some(body) = program.lower(method).ok()? else { continue };
            let writes = body.instructions.iter().any(|instruction| match instruction.op {
                Op::PutField(written, ..) if written.name == field.name => {
                    let resolved =
                        program.resolve_field(written.class, written.name, written.descriptor);
                    resolved.found().is_none_or(|resolved| resolved == id)
                }
                _ => false,
            });
            if writes {
                found.push(method);
            }
        }
    }
    Some(found)
}

/// Whether a constructor, with those that it begins with, does nothing with the new object but set and read
/// its fields: then it does not matter which class it is of, and nobody else knows the object.
pub(super) fn keeps_to_itself(program: &Program, constructor: MethodId, depth: usize) -> bool {
    const MOST_STEPS: usize = 16;
    let (class, _) = program.method(constructor);
    if class.name == program.known.object {
        return true;
    }
    let Ok(Some(body)) = program.lower(constructor) else { return false };
    let Some(this) = body.parameters().next() else { return false };
    if depth > MOST_STEPS || passes_on(&body, this) {
        return false;
    }
    body.instructions.iter().all(|instruction| match instruction.op {
        Op::GetField(..) => true,
        Op::PutField(_, _, value) => value != this,
        Op::Invoke { kind: InvokeKind::Special, method, arguments }
            if body.list(arguments).first() == Some(&this)
                && method.name == program.known.init
                && !body.list(arguments)[1..].contains(&this) =>
        {
            let target = program.resolve_method(method.class, method.name, method.descriptor);
            target.found().is_some_and(|target| keeps_to_itself(program, target, depth + 1))
        }
        op => {
            let mut is_kept = true;
            op.for_each_operand(&body, |value| is_kept &= value != this);
            is_kept
        }
    })
}

/// Whether a value gets another name, in another block.
fn passes_on(body: &Body, value: Value) -> bool {
    body.blocks.iter().any(|block| {
        let mut is_passed = false;
        let mut pass = |list| is_passed |= body.list(list).contains(&value);
        body.for_each_successor(block, |edge| pass(edge.arguments));
        body.handlers_of(block).iter().for_each(|handler| pass(handler.edge.arguments));
        is_passed || matches!(block.terminator, Terminator::Throw(thrown) if thrown == value)
    })
}

/// Whether the class's constants name such a field: else its code need not be read.
fn refers_to(program: &Program, class: &Class, field: &Field) -> bool {
    class.file.pool().constants().any(|constant| match constant {
        Constant::Member(member) => {
            class.constant_name(member.name, &program.names) == field.name
                && class.constant_name(member.descriptor, &program.names) == field.descriptor
        }
        _ => false,
    })
}
