//! Private fields that have another name in the new version and nothing else: nobody outside can tell.
//!
//! Only where it is plain which field became which: one is gone and one is new of the same type. Whoever
//! asks for fields by name, or for all of them, would see the names, and so would a stream of objects.

use std::collections::{BTreeMap, BTreeSet};

use classfile::Constant;
use program::{Class, ClassId, Field, FieldId, Program, RenamedField, Role};

use super::matching::Matching;

/// What is taken for granted of those that use such fields.
pub(super) const RENAMED: &str =
    "private fields that have another name now are not looked up by their names";

/// What fields of the new version were called in the old one.
pub fn renamed_fields(old: &Program, new: &Program) -> Vec<RenamedField> {
    let mut found = Vec::new();
    for after in new.class_ids(Role::Judged).filter_map(|id| new.class(id)) {
        let before = old.find_class_text(&new.names.text(after.name));
        let before = before.filter(|&id| old.role(id) == Role::Judged);
        let Some(before) = before.and_then(|id| old.class(id)) else { continue };
        if shows_names(old, before) || shows_names(new, after) {
            continue;
        }
        let (gone, added) = (lone(old, before, (new, after)), lone(new, after, (old, before)));
        for (kind, name) in gone {
            if let ([(was, _)], Some([(now, field)])) =
                (&name[..], added.get(&kind).map(|it| &it[..]))
                && !inherits(new, after, was)
            {
                found.push(RenamedField { field: *field, now: now.clone(), was: was.clone() });
            }
        }
    }
    if found.is_empty() || looks_at_fields(old) || looks_at_fields(new) {
        return Vec::new();
    }
    found.sort_by_key(|it| (it.field.class.index(), it.field.index()));
    found
}

/// Fields by all but their name: type, signature, flags.
type Lone = BTreeMap<(String, Vec<u8>, u16), Vec<(String, FieldId)>>;

/// Private fields without annotations that the other version of the class does not have.
fn lone(program: &Program, class: &Class, (other, same): (&Program, &Class)) -> Lone {
    let text = |program: &Program, field: &Field| {
        let names = &program.names;
        (names.text(field.name).into_owned(), names.text(field.descriptor).into_owned())
    };
    let mut found = Lone::new();
    for (id, field) in class.fields() {
        let (name, descriptor) = text(program, field);
        let is_known = same.fields().any(|(_, it)| text(other, it).0 == name);
        let flags = field.access_flags;
        if is_known || !flags.is_private() || flags.is_synthetic() {
            continue;
        }
        let file_field = &class.file.fields[id.index()];
        let is_plain = matches!(file_field.annotations(&class.file), Ok(found) if found.is_empty());
        let Ok(signature) = file_field.signature(&class.file) else { continue };
        let signature = signature.map_or_else(Vec::new, |it| class.file.bytes(it).to_vec());
        if is_plain {
            let kind = (descriptor, signature, flags.0);
            found.entry(kind).or_default().push((name, id));
        }
    }
    found
}

/// Whether a class has a field of that name from elsewhere, which its code would mean by it.
fn inherits(program: &Program, class: &Class, name: &str) -> bool {
    let ancestry = program.ancestry(class);
    let above = ancestry.superclasses.iter().chain(ancestry.interfaces.iter());
    let above = above.filter(|&&id| id != class.id).map(|&id| program.class(id));
    above.into_iter().any(|class| {
        class
            .is_none_or(|it| it.fields().any(|(_, field)| *program.names.text(field.name) == *name))
    })
}

/// Whether names of private fields of a class are seen by others: they are part of what a stream of objects
/// holds, and of a record, and native code asks for them.
fn shows_names(program: &Program, class: &Class) -> bool {
    let serial = program.find_class_text("java/io/Serializable");
    let is_serial = serial.is_none_or(|it| program.is_subtype(class.id, it) != Some(false));
    let is_native = class.methods().any(|(_, method)| method.access_flags.is_native());
    is_serial || is_native || !matches!(class.file.record(), Ok(None))
}

/// Whether any judged code asks for fields by name, or for all of them, or calls somebody who may.
fn looks_at_fields(program: &Program) -> bool {
    program.class_ids(Role::Judged).filter_map(|id| program.class(id)).any(|class| {
        class.file.pool().constants().any(|constant| match constant {
            Constant::Member(member) | Constant::MethodHandle(_, member) => {
                let bytes = |utf8| class.file.bytes(utf8);
                let (owner, name) = (bytes(member.class), bytes(member.name));
                let is_field = name.windows(5).any(|part| part == b"Field");
                let is_array = owner.starts_with(b"[");
                let role = program.names.find(owner).and_then(|it| program.find_class(it));
                let role = role.map(|id| program.role(id));
                !is_array && !matches!(role, Some(Role::Judged | Role::Platform))
                    || owner.starts_with(b"java/lang/reflect/")
                    || owner == b"java/lang/Class" && is_field
                    || owner == b"java/lang/invoke/MethodHandles$Lookup"
                    || owner.ends_with(b"FieldUpdater")
                    || owner.ends_with(b"/Unsafe")
                    || owner.starts_with(b"java/io/ObjectStream")
                    || owner.starts_with(b"java/beans/")
            }
            _ => false,
        })
    })
}

impl Matching {
    /// Notes that pairs of classes with such fields, and of classes nested with them, rest on that.
    pub fn rest_on_renamed(&mut self, new: &Program, renamed: &[RenamedField]) {
        let outermost = |class: ClassId| {
            let name = new.names.text(new.class_name(class)).into_owned();
            name.split_once('$').map_or(name.clone(), |(outer, _)| outer.to_owned())
        };
        let classes: BTreeSet<String> =
            renamed.iter().map(|it| outermost(it.field.class)).collect();
        let pairs = self.pairs.iter_mut().filter(|_| !classes.is_empty());
        for pair in pairs.filter(|pair| classes.contains(&outermost(pair.new.class))) {
            pair.assumptions.push(RENAMED);
        }
    }
}
