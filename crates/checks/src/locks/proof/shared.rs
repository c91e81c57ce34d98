//! Locks that the library takes by itself, on objects that it was not handed: monitors of its classes, what
//! its fields hold, what its methods answer. They are nobody's business unless judged code locks such an
//! object as well (`synchronized (TimeZone.class)`, a class loader, a group of threads); then a call of the
//! library may want what others hold.

use program::ClassId;
use rustc_hash::FxHashSet;

use super::calls::Search;
use super::hidden::called_name;
use super::library::Effect;
use crate::locks::context::Context;
use crate::locks::facts::{Call, Event, Facts, What};
use crate::locks::names::lock_name;
use crate::locks::path::{Lock, Mode, Root, Val};

/// What a lock of the library's is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Inside {
    /// A class object, or what a static field holds.
    Global(Root),
    /// Its type alone.
    OfType(Option<ClassId>),
}

/// For each method of the slice what it and all below it lock in such a way; empty of judged code.
pub(super) fn find_inside_locks(
    context: &Context<'_>,
    effects: &[Effect],
) -> Vec<FxHashSet<Inside>> {
    let slice = context.slice;
    let mut found: Vec<FxHashSet<Inside>> = vec![FxHashSet::default(); slice.methods.len()];
    let is_platform = |it: &usize| context.universe.is_platform(slice.methods[*it].class);
    let library: Vec<usize> = (0..found.len()).filter(is_platform).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &method in &library {
            let mut own = std::mem::take(&mut found[method]);
            let before = own.len();
            add_body(context, effects, &found, &slice.facts[method], &mut own);
            changed |= own.len() != before;
            found[method] = own;
        }
    }
    found
}

fn add_body(
    context: &Context<'_>,
    effects: &[Effect],
    found: &[FxHashSet<Inside>],
    facts: &Facts,
    own: &mut FxHashSet<Inside>,
) {
    let locks = facts.sites.iter().filter(|it| it.blocks).flat_map(|it| &it.locks);
    own.extend(
        locks.filter(|it| it.mode == Mode::Monitor).filter_map(|it| inside(context, it.val)),
    );
    let calls = facts.events.iter().filter_map(|event| match &event.what {
        What::Call(call) => Some(call),
        What::Acquire(_)
        | What::Init(_)
        | What::Wait { .. }
        | What::Notify { .. }
        | What::Join(_)
        | What::Spawn(_) => None,
    });
    let called = calls.flat_map(|call| call.targets.all().map(|it| (it, &call.arguments[..])));
    let lambdas = facts.lambdas.iter().map(|it| (it.target, &it.captured[..]));
    for (body, arguments) in called.chain(lambdas) {
        let Some(body) = context.slice.index(body) else { continue };
        own.extend(&found[body]);
        for (index, argument) in arguments.iter().enumerate().take(64) {
            if effects[body].locked & (1 << index) != 0 {
                own.extend(argument.and_then(|it| inside(context, it)));
            }
        }
    }
}

/// The lock, if it is not one of the caller's, whom the summaries tell, or new.
fn inside(context: &Context<'_>, val: Val) -> Option<Inside> {
    let path = context.paths.of(val.path);
    match (path.root, path.steps()) {
        (Root::Param(_) | Root::Text(_), _) | (Root::Alloc(..), []) => None,
        (Root::Class(_) | Root::Static(_), []) => Some(Inside::Global(path.root)),
        _ => Some(Inside::OfType(val.class)),
    }
}

impl Search<'_> {
    /// Monitors that judged code takes and the library may take by itself.
    pub(super) fn shared_locks(&self) -> Vec<Lock> {
        let Context { universe, paths, slice, .. } = self.context;
        let own = slice.methods.iter().zip(&slice.facts);
        let own = own.filter(|(method, _)| !universe.is_platform(method.class));
        let monitors = own.flat_map(|(_, facts)| &facts.sites).flat_map(|it| &it.locks);
        let is_shared = |lock: &Lock| {
            let path = paths.of(lock.val.path);
            lock.mode == Mode::Monitor
                && match (path.root, path.steps()) {
                    (Root::Class(class), []) => universe.is_platform(class),
                    (Root::Static(field), []) if universe.is_platform(field.class) => true,
                    _ => self.locks_itself_somewhere(*lock),
                }
        };
        let mut found: Vec<Lock> = Vec::new();
        for &lock in monitors {
            if !found.iter().any(|it| it.val.path == lock.val.path) && is_shared(&lock) {
                found.push(lock);
            }
        }
        found
    }

    /// Whether the object is one of a class of the library, or below one, that locks its objects.
    fn locks_itself_somewhere(&self, lock: Lock) -> bool {
        let universe = self.context.universe;
        let program = universe.program;
        let known = super::circles::classes(self.context, &lock);
        let known = known.into_iter().filter_map(|it| it.0).filter_map(|it| program.class(it));
        let mut above = known.flat_map(|it| program.ancestry(it).superclasses.iter());
        let library = above.find(|&&it| universe.is_platform(it));
        library.and_then(|&it| program.class(it)).is_some_and(|it| self.is_locking_library(it))
    }

    /// Why a call of the library, with another lock held, may want one that judged code holds elsewhere.
    pub(super) fn wants_shared(&self, facts: &Facts, event: &Event, call: &Call) -> Option<String> {
        let context = self.context;
        let bodies = || call.targets.all().filter_map(|it| context.slice.index(it));
        let is_library = context.universe.is_platform(call.resolved.class);
        let is_held_alone = |lock: &Lock| {
            let mut held = event.held.may.iter().filter_map(|it| facts.sites.get(it)).peekable();
            held.peek().is_some()
                && held.all(|it| it.locks.iter().all(|held| held.val.path == lock.val.path))
        };
        let is_wanted = |lock: &&Lock| {
            let mut inside = bodies().flat_map(|it| &self.inside[it]);
            let handed = call.arguments.iter().skip(usize::from(call.is_virtual)).flatten();
            let class = lock.val.class.and_then(|it| context.universe.program.class(it));
            let is_final = class.is_some_and(|it| it.access_flags.is_final());
            let is_handed = || !is_final && handed.into_iter().any(|it| it.path == lock.val.path);
            (inside.any(|it| self.may_be(**lock, *it)) || is_library && is_handed())
                && !is_held_alone(lock)
        };
        let lock = self.shared.iter().find(is_wanted)?;
        let (name, lock) = (called_name(context, call.resolved), lock_name(context, lock));
        Some(format!("calls {name}, which may lock {lock}"))
    }

    fn may_be(&self, lock: Lock, inside: Inside) -> bool {
        let Context { universe, paths, .. } = self.context;
        let program = universe.program;
        let root = paths.of(lock.val.path).root;
        match inside {
            Inside::Global(Root::Class(class)) => root == Root::Class(class),
            Inside::Global(global) if global == root => true,
            Inside::Global(global) => match global {
                Root::Static(field) => {
                    let descriptor = program.names.bytes(program.field(field).1.descriptor);
                    let declared = crate::locks::values::class_of_descriptor(universe, descriptor);
                    !matches!(root, Root::Class(_)) && universe.compatible(declared, lock.val.class)
                }
                _ => false,
            },
            Inside::OfType(class) => {
                let is_class = matches!(root, Root::Class(_));
                let names_class = class.is_some_and(|it| Some(it) == lock.val.class);
                if is_class { names_class } else { universe.compatible(class, lock.val.class) }
            }
        }
    }
}
