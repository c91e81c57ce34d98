//! Private fields that have another name in the new version and nothing else: nobody outside can tell.
//!
//! Which field became which is a guess. It is made where one is gone and one is new of the same type, or of the same
//! type and spelling; where it could be another, the code must [bear it out](super::borne_out): code that uses
//! one field wherever the other version uses another does the same, on objects that were made alike. Whoever asks for fields by name, or for all of
//! them, would see the names: for reflection, such classes count as changed. A stream of objects shows the
//! names of instance fields, and of private static ones nothing.

use std::collections::{BTreeMap, BTreeSet};

use classfile::Constant;
use program::{Class, ClassId, Field, FieldId, Program, RenamedField, Role};

use super::matching::Matching;
use super::reach::Others;
use super::renumbered::RENUMBERED;

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
        let (gone, added) = (lone(old, before, (new, after)), lone(new, after, (old, before)));
        for (kind, gone) in gone {
            let pairs = respelled(&gone, added.get(&kind).map_or(&[][..], Vec::as_slice));
            for ((was, _), (now, field)) in pairs {
                if !inherits(new, after, was) {
                    found.push(RenamedField { field: *field, now: now.clone(), was: was.clone() });
                }
            }
        }
    }
    if found.is_empty() || shows_fields(old) || shows_fields(new) {
        return Vec::new();
    }
    found.sort_by_key(|it| (it.field.class.index(), it.field.index()));
    found
}

type Named = (String, FieldId);

/// Which of these became which: the only one left of its spelling, or of all.
fn respelled<'f>(gone: &'f [Named], added: &'f [Named]) -> Vec<(&'f Named, &'f Named)> {
    let letters = |name: &str| name.replace('_', "").to_lowercase();
    let alone = |fields: &'f [Named], name: &str| {
        let mut like = fields.iter().filter(|it| letters(&it.0) == letters(name));
        like.next().filter(|_| like.next().is_none())
    };
    if let ([was], [now]) = (gone, added) {
        return vec![(was, now)];
    }
    let pairs = gone.iter().filter_map(|was| {
        let alone_here = alone(gone, &was.0)?;
        Some((alone_here, alone(added, &was.0)?))
    });
    pairs.collect()
}

/// Fields by all but their name: type, signature, flags.
type Lone = BTreeMap<(String, Vec<u8>, u16), Vec<Named>>;

/// Private fields without annotations that the other version of the class does not have.
fn lone(program: &Program, class: &Class, (other, same): (&Program, &Class)) -> Lone {
    let text = |program: &Program, field: &Field| {
        let names = &program.names;
        (names.text(field.name).into_owned(), names.text(field.descriptor).into_owned())
    };
    let both = [(program, class), (other, same)];
    let is_streamed = both.iter().any(|(program, class)| is_streamed(program, class));
    let has_native = both.iter().any(|(_, class)| has_native(class));
    let mut found = Lone::new();
    for (id, field) in class.fields() {
        let (name, descriptor) = text(program, field);
        let is_known = same.fields().any(|(_, it)| text(other, it).0 == name);
        let flags = field.access_flags;
        let is_shown = has_native || is_streamed && !flags.is_static();
        if is_known || is_shown || !flags.is_private() || flags.is_synthetic() {
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

/// Whether names of private instance fields of a class are seen by others: they are part of what a stream of
/// objects holds, and of a record.
fn is_streamed(program: &Program, class: &Class) -> bool {
    let serial = program.find_class_text("java/io/Serializable");
    let is_serial = serial.is_none_or(|it| program.is_subtype(class.id, it) != Some(false));
    is_serial || !matches!(class.file.record(), Ok(None))
}

/// Native code asks for fields by their names.
fn has_native(class: &Class) -> bool {
    class.methods().any(|(_, method)| method.access_flags.is_native())
}

/// Whether any judged code calls code that is neither judged nor the platform's, and so may ask for all
/// fields of an object. The platform shows private ones to those that ask a class for them, and to streams.
pub(super) fn shows_fields(program: &Program) -> bool {
    program.class_ids(Role::Judged).filter_map(|id| program.class(id)).any(|class| {
        class.file.pool().constants().any(|constant| match constant {
            Constant::Member(member) | Constant::MethodHandle(_, member) => {
                let owner = class.file.bytes(member.class);
                let is_array = owner.starts_with(b"[");
                let role = program.names.find(owner).and_then(|it| program.find_class(it));
                let role = role.map(|id| program.role(id));
                !is_array && !matches!(role, Some(Role::Judged | Role::Platform))
            }
            _ => false,
        })
    })
}

impl Matching {
    /// Notes that pairs of classes with such fields, and of classes nested with them, rest on that; and so those
    /// with classes of another number.
    pub fn rest_on_names(&mut self, new: &Program, others: &Others) {
        let outermost = |name: &str| name.split('$').next().unwrap_or_default().to_owned();
        let name = |class: ClassId| new.names.text(new.class_name(class)).into_owned();
        let with_fields: BTreeSet<String> =
            others.fields.iter().map(|it| outermost(&name(it.field.class))).collect();
        let with_numbers: BTreeSet<String> =
            others.numbered.iter().map(|it| outermost(it)).collect();
        for pair in &mut self.pairs {
            let own = outermost(&name(pair.new.class));
            pair.assumptions.extend(with_fields.contains(&own).then_some(RENAMED));
            pair.assumptions.extend(with_numbers.contains(&own).then_some(RENUMBERED));
        }
    }
}
