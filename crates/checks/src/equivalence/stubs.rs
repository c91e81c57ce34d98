//! Implementations of interfaces that are made for a trial: they note who calls them.

use std::sync::Arc;

use program::{Class, Name, Program, Role};
use symex::concrete::Machine;

use super::trial::Plan;
use crate::witness::access::class_access;
use crate::witness::supply::Want;
use crate::witness::{Access, Recipe, Stub};

pub(super) fn has_stub(recipe: &Recipe) -> bool {
    let mut found = false;
    recipe.visit(&mut |part| found |= matches!(part, Recipe::Stub(_)));
    found
}

impl<'p> Plan<'p> {
    /// Stubs of the type, if a caller may implement it: one whose answers follow from the arguments, and some that
    /// always answer the same, or throw.
    pub(super) fn stubs(&mut self, machine: &mut Machine<'p>, want: &Want) -> Vec<Arc<Recipe>> {
        let program = self.program;
        let Want::Class { name, .. } = want else { return Vec::new() };
        let class = program.find_class(*name).and_then(|id| program.class(id));
        let package = &self.supply.view.package;
        let Some(class) = class.filter(|class| may_implement(program, class, Some(package))) else {
            return Vec::new();
        };
        let stub = Stub::of(&program.names.text(*name), class_access(program, class));
        let replying = self.supply.replying(machine, want);
        [Recipe::Stub(Arc::new(stub))].into_iter().chain(replying).map(Arc::new).collect()
    }
}

/// A stub of the type whose answers follow from the arguments, if everyone may implement it.
pub(super) fn plain_stub(program: &Program, name: Name) -> Option<Recipe> {
    let class = program.find_class(name).and_then(|id| program.class(id));
    class.filter(|class| may_implement(program, class, None))?;
    Some(Recipe::Stub(Arc::new(Stub::of(&program.names.text(name), Access::Public))))
}

/// Whether a caller, in that package if one is named, may implement the type.
fn may_implement(program: &Program, class: &Class, package: Option<&Vec<u8>>) -> bool {
    let is_open = match class_access(program, class) {
        Access::Public => true,
        Access::Package => package.is_some_and(|it| program.package(class.name) == &it[..]),
        Access::Closed => false,
    };
    let is_judged = program.role(class.id) != Role::Platform;
    is_open
        && class.is_interface()
        && !class.access_flags.is_annotation()
        && matches!(class.file.permitted_subclasses(), Ok(None))
        && (is_judged || class.access_flags.is_public() && promises_nothing(program, class))
}

/// Whether an interface of the platform is a function of any kind. Others promise how their methods go
/// together, `size` with `isEmpty`, and answers without regard to that are no answers of theirs.
fn promises_nothing(program: &Program, class: &Class) -> bool {
    let ancestry = program.ancestry(class);
    let all = ancestry.interfaces.iter().filter_map(|&id| program.class(id));
    let methods = all.flat_map(|class| class.methods().map(|(_, method)| method));
    let results: Vec<u8> = methods
        .filter(|method| method.access_flags.is_abstract())
        .filter(|method| program.names.bytes(method.name) != b"equals")
        .filter_map(|method| {
            let descriptor = program.names.bytes(method.descriptor);
            let at = descriptor.iter().position(|&byte| byte == b')')?;
            let is_reference = descriptor[at + 1..] == *b"Ljava/lang/Object;";
            Some(if is_reference { b'V' } else { descriptor[at + 1] })
        })
        .collect();
    matches!(results[..], [result] if result != b'L' && result != b'[')
}
