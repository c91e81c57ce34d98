//! What a person asks next about a cycle: through which fields the objects meet, and who could mend it.

use std::collections::BTreeSet;

use program::FieldId;

use super::context::Context;
use super::names::field_name;
use super::path::{Lock, Root, Step};
use super::summary::Pair;
use crate::cycle::{Cycle, Group, Place};

/// The fields on the way to the locked objects: `p.X.f: p.C`.
pub(crate) fn containers<'a>(
    context: &Context<'_>,
    pairs: impl Iterator<Item = &'a Pair>,
) -> Vec<String> {
    let mut found = BTreeSet::new();
    for pair in pairs {
        for lock in [&pair.held, &pair.wanted] {
            for field in ways(context, lock) {
                let program = context.universe.program;
                let (_, declared) = program.field(field);
                let ty =
                    program::Type::parse(program.names.bytes(declared.descriptor), &program.names);
                let ty = ty.map_or_else(String::new, |ty| ty.display(&program.names));
                found.insert(format!("{}: {ty}", field_name(context, field)));
            }
        }
    }
    found.into_iter().collect()
}

/// The fields that lead to the lock; a field that is the lock's own name leads nowhere else.
fn ways(context: &Context<'_>, lock: &Lock) -> Vec<FieldId> {
    let path = context.paths.of(lock.val.path);
    let fields = path.steps().iter().filter_map(|step| match step {
        Step::Field(field) => Some(*field),
        Step::Element
        | Step::Older
        | Step::Many(_)
        | Step::ReadLock
        | Step::WriteLock
        | Step::Condition => None,
    });
    let mut fields: Vec<FieldId> = fields.collect();
    let is_named_by_field = matches!(path.last(), Some(Step::Field(_))) && !context.is_open(lock);
    let is_of_juc = matches!(path.last(), Some(Step::ReadLock | Step::WriteLock | Step::Condition));
    if is_named_by_field || is_of_juc {
        fields.pop();
    }
    match path.root {
        Root::Static(field) if !fields.is_empty() => fields.insert(0, field),
        Root::Static(_)
        | Root::Param(_)
        | Root::Class(_)
        | Root::Text(_)
        | Root::Alloc(..)
        | Root::Result(_)
        | Root::Local(_)
        | Root::Unknown => {}
    }
    fields
}

/// The library, its callers or its documentation: whose the locks are decides.
pub(crate) fn who_could_fix(cycle: &Cycle) -> String {
    let is_own = |place: Place| match place {
        Place::Class | Place::StaticField | Place::Field | Place::Allocation | Place::Literal => {
            true
        }
        Place::This | Place::Parameter => false,
    };
    let all_own = cycle.locks.iter().all(|lock| is_own(lock.place));
    match cycle.group {
        Group::TwoInstances => {
            "who could fix it: callers, by using the objects in one order, which the documentation \
             should say; or the library, by taking both locks in an order of its own"
        }
        Group::ClassInit => {
            "who could fix it: the library, by breaking the circle of initialisers; callers can only \
             make sure that one thread uses these classes first"
        }
        Group::Wait => {
            "who could fix it: the library, by waiting without the second lock; callers cannot"
        }
        Group::Pair | Group::Longer if all_own => {
            "who could fix it: only the library, since the locks are its own"
        }
        Group::Pair | Group::Longer => {
            "who could fix it: the library, by not calling the other object under its lock; callers \
             only by not sharing these objects between threads, which the documentation should say"
        }
    }
    .to_owned()
}
