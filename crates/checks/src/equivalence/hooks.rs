//! Methods that subclasses may override, and that a method calls on its own object.

use program::ir::{InvokeKind, Op};
use program::{MethodId, Program};
use smt::Solver;

use super::proof::{Proved, Question, is_whole, open, try_prove};
use crate::verdict::{GapKind, Scope};

/// What is proved of receivers of all classes that callers may write: which of its own methods a method calls
/// is what subclasses rely on. A proof that rests on nobody overriding them must do without that, so that both
/// versions call them alike.
pub(super) fn with_heirs(
    question: &Question<'_>,
    proved: Proved<Scope>,
    solver: &mut Solver,
) -> Proved<Scope> {
    let rests_on = |scope: &Scope| {
        scope.assumptions.iter().any(|it| it.starts_with("no class outside of those analysed over"))
    };
    let scope = proved?;
    let (old, new) = (question.old.0, question.new.0);
    if old.method(question.pair.old).1.name == old.known.init
        && called_while_made(old, question.pair.old) != called_while_made(new, question.pair.new)
    {
        return in_another_way();
    }
    if !rests_on(&scope) || question.edited.unshared {
        return Ok(scope);
    }
    let question = Question { opens_calls: true, ..*question };
    let again = try_prove(&question, solver, &mut None);
    if is_whole(&again) || scope.bound.is_some() {
        return again;
    }
    in_another_way()
}

fn in_another_way() -> Proved<Scope> {
    open(
        GapKind::Approximation,
        "it calls methods of its own that subclasses may override, in another way now",
    )
}

/// The methods that a constructor calls on the new object and that subclasses may override, in the order of
/// the code: by name and descriptor.
fn called_while_made(program: &Program, constructor: MethodId) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (class, declared) = program.method(constructor);
    if !class.access_flags.is_final() && !declared.access_flags.is_private() {
        add_calls(program, constructor, 0, &mut found);
    }
    found
}

/// Those of one body, with those of private methods and other constructors that it calls on the object.
fn add_calls(program: &Program, method: MethodId, depth: usize, found: &mut Vec<(String, String)>) {
    const DEEPEST: usize = 4;
    let Ok(Some(body)) = program.lower(method) else { return };
    let Some(this) = body.parameters().next() else { return };
    for instruction in &body.instructions {
        let Op::Invoke { kind, method, arguments } = instruction.op else { continue };
        if kind == InvokeKind::Static || body.list(arguments).first() != Some(&this) {
            continue;
        }
        let target = program.resolve_method(method.class, method.name, method.descriptor).found();
        let Some(target) = target else { continue };
        let (class, declared) = program.method(target);
        let flags = declared.access_flags;
        if class.name == program.known.object {
            continue;
        }
        if kind == InvokeKind::Special || flags.is_private() {
            if depth < DEEPEST {
                add_calls(program, target, depth + 1, found);
            }
        } else if !flags.is_final() && (flags.is_public() || flags.is_protected()) {
            let text = |name| program.names.text(name).into_owned();
            found.push((text(declared.name), text(declared.descriptor)));
        }
    }
}
