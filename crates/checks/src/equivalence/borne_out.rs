//! Whether the code bears out which field became which.
//!
//! Where a class keeps a field of the type of one that has another name now, the new name may stand for the one
//! that was kept, and the kept name for the other. What is said of methods that read them would then be said of
//! states that never correspond. So all that writes fields of that type must be the same code under the names that
//! were guessed: then objects that are made and changed alike correspond.

use std::collections::{BTreeMap, BTreeSet};

use program::ir::{FieldRef, Op};
use program::{Class, FieldId, MethodId, Program, RenamedField, Role};

use super::lockstep::Lockstep;
use super::matching::signature;

/// Those of the renamed fields, by which the new version goes already, that could as well be others.
pub fn not_borne_out(old: &Program, new: &Program, renamed: &[RenamedField]) -> BTreeSet<FieldId> {
    let no_classes = BTreeMap::new();
    let lockstep = Lockstep::new(old, new, &no_classes);
    let fields: BTreeSet<FieldId> = renamed.iter().map(|it| it.field).collect();
    let is_doubtful = |it: &&RenamedField| {
        let Some(like) = kept_like(new, it.field, &fields) else { return false };
        let class = new.names.text(new.class_name(it.field.class));
        let (before, after) = (writers(old, &class, &like), writers(new, &class, &like));
        let is_same = |key| {
            matches!((before.get(key), after.get(key)), (Some(&one), Some(&two))
                if lockstep.is_same(one, two).is_some())
        };
        !before.keys().chain(after.keys()).all(is_same)
    };
    renamed.iter().filter(is_doubtful).map(|it| it.field).collect()
}

/// The names and the type of the fields of a class that may stand for each other, if some was kept.
fn kept_like(new: &Program, field: FieldId, renamed: &BTreeSet<FieldId>) -> Option<Like> {
    let (class, declared) = new.field(field);
    let text = |name| new.names.text(name).into_owned();
    let is_static = declared.access_flags.is_static();
    let like = class.fields().filter(|(_, it)| {
        it.descriptor == declared.descriptor && it.access_flags.is_static() == is_static
    });
    let like: Vec<_> = like.collect();
    let has_kept = like.iter().any(|(id, _)| !renamed.contains(id));
    let names = like.iter().map(|(_, it)| text(it.name)).collect();
    has_kept.then(|| Like { names, descriptor: text(declared.descriptor) })
}

struct Like {
    names: BTreeSet<String>,
    descriptor: String,
}

/// A method of some class, by name.
type Key = (String, (String, String));

/// The methods that write such fields of a class, among those that may.
fn writers(program: &Program, class: &str, like: &Like) -> BTreeMap<Key, MethodId> {
    let outermost = |name: &str| name.split('$').next().unwrap_or_default().to_owned();
    let names = &program.names;
    let is_near = |it: &&Class| outermost(&names.text(it.name)) == outermost(class);
    let is_written = |field: FieldRef| {
        *names.text(field.class) == *class
            && like.names.contains(&*names.text(field.name))
            && *names.text(field.descriptor) == *like.descriptor
    };
    let writes = |method: MethodId| {
        let Ok(Some(body)) = program.lower(method) else { return false };
        body.instructions.iter().any(|it| match it.op {
            Op::PutField(field, ..) | Op::PutStatic(field, _) => is_written(field),
            _ => false,
        })
    };
    let judged = program.class_ids(Role::Judged).filter_map(|id| program.class(id));
    let near = judged.filter(is_near);
    let methods = near.flat_map(|class| class.methods().map(move |(id, _)| (class, id)));
    methods
        .filter(|&(_, id)| writes(id))
        .map(|(class, id)| ((names.text(class.name).into_owned(), signature(program, id)), id))
        .collect()
}
