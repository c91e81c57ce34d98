//! Anonymous and local classes that a method makes objects of: what these do is written inside of it, so a method
//! does what it did only if they do. That an object of the same class comes out says nothing of it.

use program::ir::Op;
use program::{Class, MethodId, Role};

use super::first_use::any_below;
use super::proof::Question;
use super::renumbered::is_local;

/// Whether a method makes objects of such a class of which some method is not known to do what it did. Where these
/// come out, the other version makes objects of the same class, or was not proved: those of a class that it does
/// not have, an anonymous one that became a lambda, never leave a method that is.
pub(super) fn makes_others(question: &Question<'_>) -> bool {
    let (program, method) = (question.old.0, question.pair.old);
    let is_known = |id: MethodId| {
        question.edited.unchanged.contains(&id) || question.edited.proved.contains(&id)
    };
    let is_in_new =
        |class: &Class| question.new.0.find_class_text(&program.names.text(class.name)).is_some();
    any_below(program, method, |op| match op {
        Op::New(made) => program
            .find_class(made)
            .filter(|&id| id != method.class && program.role(id) == Role::Judged)
            .and_then(|id| program.class(id))
            .filter(|class| is_local(program, class) && is_in_new(class))
            .is_some_and(|class| {
                let own = class.methods().filter(|(_, it)| it.name != program.known.init);
                own.map(|(id, _)| id).any(|id| !is_known(id))
            }),
        _ => false,
    })
}
