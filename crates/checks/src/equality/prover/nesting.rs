//! Objects that hold themselves: a method that asks what an object holds does not come back from them.

use program::{ClassId, Program};
use symex::symbolic::Trust;

use crate::Scope;

/// Said beside proofs that a method never throws, where parts are asked that may hold the whole.
const NOBODY: &str = "no object holds itself, directly or by way of others";

pub(super) fn name_nesting(program: &Program, subject: ClassId, mut scope: Scope) -> Scope {
    let trusted = scope.assumptions.iter().filter_map(|it| Trust::of(it));
    let mut classes =
        trusted.filter_map(|(name, _)| program.find_class_text(&name.replace('.', "/")));
    if classes.any(|part| may_hold(program, part, subject)) {
        scope.assumptions.push(NOBODY.to_owned());
    }
    scope
}

/// Whether an object of the first class may be one of the second, or one that holds such.
fn may_hold(program: &Program, part: ClassId, whole: ClassId) -> bool {
    let is_below = |one, two| program.is_subtype(one, two) != Some(false);
    let holds_any = ["java/util/Collection", "java/util/Map"];
    let mut holds_any = holds_any.iter().filter_map(|name| program.find_class_text(name));
    is_below(whole, part) || is_below(part, whole) || holds_any.any(|it| is_below(part, it))
}
