//! Which code of the judged classes runs while an initialiser does: not only what it calls by name, but also
//! what others call in turn. Lambdas that it makes may be run, and so may every method that the library
//! knows of an object that it is handed.
//!
//! More is taken for possible here than for locks, because to need a class is quicker done than to lock.

use program::{MethodId, Name};
use rustc_hash::FxHashMap;

use super::calls::Search;
use super::library::{asks_objects, bodies_of, unread};
use crate::locks::facts::{Call, Facts};

/// The bodies of other than the library that run on objects, by position in the slice.
pub(super) struct Bodies {
    by_name: FxHashMap<(Name, Name), Vec<usize>>,
    /// Those that the library knows by a method above them.
    known_to_library: Vec<usize>,
}

impl Bodies {
    pub(super) fn new(search: &Search<'_>) -> Bodies {
        let context = search.context;
        let program = context.universe.program;
        let mut bodies = Bodies { by_name: FxHashMap::default(), known_to_library: Vec::new() };
        for (index, &id) in context.slice.methods.iter().enumerate() {
            let (class, method) = program.method(id);
            let is_special = method.access_flags.is_static() || method.name == program.known.init;
            if context.universe.is_platform(id.class) || is_special {
                continue;
            }
            let named = (method.name, method.descriptor);
            bodies.by_name.entry(named).or_default().push(index);
            let ancestry = program.ancestry(class);
            let mut above = ancestry.superclasses.iter().chain(&ancestry.interfaces);
            let is_known = above.any(|&it| {
                let above = program.class(it).filter(|it| context.universe.is_platform(it.id));
                above.is_some_and(|it| it.declared_method(named.0, named.1).is_some())
            });
            if is_known {
                bodies.known_to_library.push(index);
            }
        }
        bodies
    }

    /// What a call may run, the library's own code aside.
    pub(super) fn run_by(&self, search: &Search<'_>, call: &Call) -> Vec<usize> {
        let context = search.context;
        let universe = context.universe;
        let is_own = |it: &usize| !universe.is_platform(context.slice.methods[*it].class);
        let targets = call.targets.all().filter_map(|it| context.slice.index(it));
        let mut found: Vec<usize> = targets.filter(is_own).collect();
        found.extend(search.lambdas_behind(call).filter_map(|it| context.slice.index(it)));
        let may_run = |index: usize, argument: usize| {
            let class = context.slice.methods[index].class;
            let handed = call.arguments.get(argument).copied().flatten();
            handed.is_some_and(|it| universe.compatible(Some(class), it.class))
        };
        if call.is_virtual && !call.targets.is_known() {
            let (_, method) = universe.program.method(call.resolved);
            let named = self.by_name.get(&(method.name, method.descriptor));
            found.extend(named.into_iter().flatten().filter(|&&it| may_run(it, 0)));
        }
        if !universe.is_platform(call.resolved.class) {
            return found;
        }
        let effects = || bodies_of(context, call).map(|it| search.effects[it]);
        let is_collection = universe.is_container(call.resolved.class);
        let called = effects().fold(unread(context, call), |all, it| all | it.called | it.gives);
        let asks_inside = effects().any(|it| it.calls_inside) || asks_objects(context, call);
        let n_arguments = call.arguments.len();
        for &index in &self.known_to_library {
            let is_called = |argument: usize| {
                let is_asked = called & 1u64.checked_shl(argument as u32).unwrap_or(0) != 0;
                (is_asked || is_collection) && may_run(index, argument)
            };
            if asks_inside || (0..n_arguments).any(is_called) {
                found.push(index);
            }
        }
        found
    }

    /// Lambdas and references that a method makes: their bodies, and what they refer to.
    pub(super) fn made_by(facts: &Facts) -> impl Iterator<Item = MethodId> + '_ {
        facts.lambdas.iter().map(|it| it.target)
    }
}
