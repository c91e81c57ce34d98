//! What judged classes inherit from the library, which nobody wrote for them.

use program::{Class, ClassId, MethodId, Name, Role};
use rustc_hash::FxHashMap;

use super::calls::Search;
use crate::locks::context::Context;
use crate::locks::extract::{Nets, extract_facts};
use crate::locks::facts::What;
use crate::locks::names::class_name;

impl Search<'_> {
    /// Judged classes that are a collection of the library's which locks: what callers do with two of them is
    /// the library's own code, and was not looked at.
    pub(super) fn locking_heirs(&self) -> Vec<String> {
        let universe = self.context.universe;
        let program = universe.program;
        let locks = |class: &&Class| {
            let collection = program
                .superclass(class)
                .filter(|it| universe.is_platform(it.id) && universe.is_container(it.id));
            collection.is_some_and(|it| self.is_locking_library(it))
        };
        if universe.is_closed() {
            return Vec::new();
        }
        let judged = program.class_ids(Role::Judged).filter(|&it| universe.is_exposed(it));
        let heirs = judged.filter_map(|it| program.class(it)).filter(locks);
        heirs
            .map(|it| format!("{} inherits methods that lock", class_name(self.context, it.id)))
            .collect()
    }
}

/// What methods of the library's classes call with a lock held: name, descriptor and caller. Each class is
/// read once, however many methods are below it.
#[derive(Default)]
pub(super) struct LibraryCalls(FxHashMap<ClassId, Vec<(Name, Name, MethodId)>>);

impl LibraryCalls {
    /// A method of the library that the class inherits and that calls this one with a lock held.
    pub(super) fn caller_of(
        &mut self,
        context: &Context<'_>,
        method: MethodId,
    ) -> Option<MethodId> {
        let universe = context.universe;
        let program = universe.program;
        let (class, declared) = program.method(method);
        if declared.access_flags.is_static() || declared.name == program.known.init {
            return None;
        }
        let chain = program.ancestry(class).superclasses.iter().filter_map(|&it| program.class(it));
        for above in chain.filter(|it| universe.is_platform(it.id)) {
            if above.name == program.known.object {
                return None;
            }
            let calls = self.0.entry(above.id).or_insert_with(|| calls_with_lock(context, above));
            let called = (declared.name, declared.descriptor);
            if let Some(&(.., caller)) = calls.iter().find(|it| (it.0, it.1) == called) {
                return Some(caller);
            }
        }
        None
    }
}

fn calls_with_lock(context: &Context<'_>, class: &Class) -> Vec<(Name, Name, MethodId)> {
    let universe = context.universe;
    let mut found = Vec::new();
    for (id, _) in class.methods().filter(|(id, _)| universe.has_code(*id)) {
        let facts = extract_facts(universe, context.paths, id, &Nets::default());
        for event in facts.events.iter().filter(|it| it.held.may.iter().next().is_some()) {
            if let What::Call(call) = &event.what {
                let (_, called) = universe.program.method(call.resolved);
                found.push((called.name, called.descriptor, id));
            }
        }
    }
    found
}
