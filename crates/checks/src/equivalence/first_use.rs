//! Classes whose first use shows: their initialisers set static fields of other classes, read some that change,
//! do something with objects in such fields, or print. Proofs take classes for initialised, and when that happens is
//! what an edit may have changed.

use program::ir::{Body, FieldRef, InvokeKind, Op, Value};
use program::{ClassId, Element, MethodId, Name, Program, Role, Type};
use rustc_hash::FxHashSet;

use super::proof::Question;

/// Methods below an edited one, or below an initialiser, that are looked at.
const MOST_METHODS: usize = 400;

/// Whether either version of a method may be the first to use such a class.
pub(super) fn shows_first_use(question: &Question<'_>) -> bool {
    let (old, new) = (question.old.0, question.new.0);
    let [before, after] =
        question.edited.first_uses.get_or_init(|| [old, new].map(shown_by_first_use));
    may_use_first(old, question.pair.old, before) || may_use_first(new, question.pair.new, after)
}

/// Judged classes whose initialisers, or what these call, reach beyond their class.
fn shown_by_first_use(program: &Program) -> FxHashSet<ClassId> {
    let classes = program.class_ids(Role::Judged).filter_map(|id| program.class(id));
    let initialisers = classes.filter_map(|class| {
        let clinit = class.methods().find(|(_, method)| method.name == program.known.clinit);
        clinit.map(|(id, _)| (class.id, id))
    });
    let is_shown = |&(class, clinit): &(ClassId, MethodId)| {
        any_below(program, clinit, |body, op| reaches_beyond(program, class, body, op))
    };
    initialisers.filter(is_shown).map(|(class, _)| class).collect()
}

/// Whether an instruction that an initialiser runs sets what another class holds, or reads what may change.
fn reaches_beyond(program: &Program, class: ClassId, body: &Body, op: Op) -> bool {
    let is_of_other = |value: Value| {
        let made = body.instructions.iter().find(|it| it.result == Some(value));
        made.is_some_and(|it| match it.op {
            Op::GetStatic(field) => may_change(program, field) && is_foreign(program, class, field),
            _ => false,
        })
    };
    match op {
        Op::PutStatic(field, _) => {
            let field = program.resolve_field(field.class, field.name, field.descriptor);
            field.found().is_some_and(|it| it.class != class)
        }
        Op::GetStatic(field) => {
            is_foreign(program, class, field) && {
                let found = program.resolve_field(field.class, field.name, field.descriptor);
                found.found().is_some_and(|it| !program.field(it).1.access_flags.is_final())
            }
        }
        Op::PutField(_, object, _) => is_of_other(object),
        Op::ArrayStore { array, .. } => is_of_other(array),
        Op::Invoke { kind, method, arguments } => {
            let arguments = body.list(arguments);
            let changed = match kind {
                // A copy of an array, as `values()` of an enum gives it.
                InvokeKind::Virtual if program.names.bytes(method.class).starts_with(b"[") => &[],
                InvokeKind::Virtual | InvokeKind::Interface => &arguments[..1],
                InvokeKind::Static => arguments,
                InvokeKind::Special => &[],
            };
            program.names.bytes(method.class) == b"java/io/PrintStream"
                || changed.iter().any(|&it| is_of_other(it))
        }
        _ => false,
    }
}

/// Whether what a field holds may be an object that changes: texts do not, and constants of enums hardly ever.
fn may_change(program: &Program, field: FieldRef) -> bool {
    let Some(ty) = Type::parse(program.names.bytes(field.descriptor), &program.names) else {
        return true;
    };
    let Element::Class(name) = ty.element else { return ty.dimensions > 0 };
    let class = program.find_class(name).and_then(|id| program.class(id));
    let is_constant =
        name == program.known.string || class.is_some_and(|it| it.access_flags.is_enum());
    ty.dimensions > 0 || !is_constant
}

/// Whether a static field is one of another judged class.
fn is_foreign(program: &Program, class: ClassId, field: FieldRef) -> bool {
    let found = program.resolve_field(field.class, field.name, field.descriptor).found();
    found.is_some_and(|it| it.class != class && program.role(it.class) == Role::Judged)
}

/// Whether a method may be the first to use one of these classes. That it is called is itself a use of its
/// own class and of those above.
fn may_use_first(program: &Program, method: MethodId, shown: &FxHashSet<ClassId>) -> bool {
    if shown.is_empty() {
        return false;
    }
    let mut used = FxHashSet::default();
    let mut above = program.class(method.class);
    while let Some(class) = above {
        used.insert(class.id);
        above = program.superclass(class);
    }
    let is_first = |name: Name| {
        let id = program.find_class(name);
        id.is_some_and(|id| shown.contains(&id) && !used.contains(&id))
    };
    any_below(program, method, |_, op| match op {
        Op::GetStatic(field) | Op::PutStatic(field, _) => is_first(field.class),
        Op::New(class) => is_first(class),
        Op::Invoke { kind: InvokeKind::Static, method, .. } => is_first(method.class),
        _ => false,
    })
}

/// Whether some instruction of a method, or of what it calls by name among the judged, does that.
pub(super) fn any_below(
    program: &Program,
    method: MethodId,
    does: impl Fn(&Body, Op) -> bool,
) -> bool {
    let mut open = vec![method];
    let mut seen = FxHashSet::default();
    while let Some(method) = open.pop() {
        if !seen.insert(method) || seen.len() > MOST_METHODS {
            continue;
        }
        let Ok(Some(body)) = program.lower(method) else { continue };
        for instruction in &body.instructions {
            if does(&body, instruction.op) {
                return true;
            }
            if let Op::Invoke { method, .. } = instruction.op {
                let found =
                    program.resolve_method(method.class, method.name, method.descriptor).found();
                open.extend(found.filter(|it| program.role(it.class) == Role::Judged));
            }
        }
    }
    false
}
