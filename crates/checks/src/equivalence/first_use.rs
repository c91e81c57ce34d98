//! Classes whose first use shows: their initialisers set static fields of other classes or print. Proofs
//! take classes for initialised, and when that happens is what an edit may have changed.

use program::ir::{InvokeKind, Op};
use program::{ClassId, MethodId, Name, Program, Role};
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
        any_below(program, clinit, |op| match op {
            Op::PutStatic(field, _) => {
                let field = program.resolve_field(field.class, field.name, field.descriptor);
                field.found().is_some_and(|it| it.class != class)
            }
            Op::Invoke { method, .. } => {
                program.names.bytes(method.class) == b"java/io/PrintStream"
            }
            _ => false,
        })
    };
    initialisers.filter(is_shown).map(|(class, _)| class).collect()
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
    any_below(program, method, |op| match op {
        Op::GetStatic(field) | Op::PutStatic(field, _) => is_first(field.class),
        Op::New(class) => is_first(class),
        Op::Invoke { kind: InvokeKind::Static, method, .. } => is_first(method.class),
        _ => false,
    })
}

/// Whether some instruction of a method, or of what it calls by name among the judged, does that.
pub(super) fn any_below(program: &Program, method: MethodId, does: impl Fn(Op) -> bool) -> bool {
    let mut open = vec![method];
    let mut seen = FxHashSet::default();
    while let Some(method) = open.pop() {
        if !seen.insert(method) || seen.len() > MOST_METHODS {
            continue;
        }
        let Ok(Some(body)) = program.lower(method) else { continue };
        for instruction in &body.instructions {
            if does(instruction.op) {
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
