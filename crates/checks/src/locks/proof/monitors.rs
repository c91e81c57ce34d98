//! Objects that are locks by themselves and whose monitors are taken as well: two locks with one name.

use program::ClassId;

use crate::locks::context::Context;
use crate::locks::names::{frame_name, lock_name};
use crate::locks::path::{Lock, Mode, Step};
use crate::locks::primitives::LOCKS;

use super::circles::classes;

/// Where judged code takes the monitor of a `Lock`, a `Condition` or the like. Which of the two a wait gives
/// back is not followed.
pub(super) fn find_monitors_of_locks(context: &Context<'_>) -> Vec<String> {
    let program = context.universe.program;
    let locks: Vec<ClassId> = LOCKS.iter().filter_map(|it| program.find_class_text(it)).collect();
    let is_lock = |lock: &&Lock| {
        let is_part = matches!(
            context.paths.of(lock.val.path).last(),
            Some(Step::ReadLock | Step::WriteLock | Step::Condition)
        );
        let is_below =
            |class: ClassId| locks.iter().any(|&it| program.is_subtype(class, it) == Some(true));
        let may_be = || classes(context, lock).into_iter().filter_map(|it| it.0).any(is_below);
        lock.mode == Mode::Monitor && (is_part || may_be())
    };
    let mut found = Vec::new();
    for (method, facts) in context.slice.facts.iter().enumerate() {
        if context.universe.is_platform(context.slice.methods[method].class) {
            continue;
        }
        for site in &facts.sites {
            if let Some(lock) = site.locks.iter().find(is_lock) {
                let (place, name) =
                    (frame_name(context, method, site.pc), lock_name(context, lock));
                found.push(format!("{place} takes the monitor of {name}, which is a lock itself"));
            }
        }
    }
    found
}
