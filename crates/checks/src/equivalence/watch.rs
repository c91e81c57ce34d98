//! What to look at after a call, beyond its outcome and its inputs: static fields that it may write,
//! and what the object says when asked through methods that are the same in both versions.

use std::collections::BTreeMap;

use program::ir::Op;
use program::{Class, ClassId, FieldId, Method, MethodDescriptor, Program, Role};
use rustc_hash::FxHashSet;

use super::matching::MethodPair;
use super::proof::Edited;
use crate::witness::access::{class_access, member_access};
use crate::witness::supply::member;
use crate::witness::{Access, Member};

const MOST_PROBES: usize = 12;
const MOST_STATICS: usize = 12;

/// Members of both versions.
#[derive(Debug, Clone, Default)]
pub struct Watched {
    pub statics: Vec<Member>,
    /// Methods without parameters.
    pub probes: Vec<Member>,
}

/// What shows the effects of this pair.
pub(super) fn watched(old: &Program, new: &Program, edited: &Edited, pair: &MethodPair) -> Watched {
    let (class, _) = old.method(pair.old);
    Watched { statics: statics(old, new, edited, pair), probes: probes(old, edited, class) }
}

/// Static fields that others can see, of the class itself and of those that it writes to.
fn statics(old: &Program, new: &Program, edited: &Edited, pair: &MethodPair) -> Vec<Member> {
    let mut classes: Vec<ClassId> = vec![pair.old.class];
    for (program, method) in [(old, pair.old), (new, pair.new)] {
        let Ok(Some(body)) = program.lower(method) else { continue };
        for instruction in &body.instructions {
            if let Op::PutStatic(field, _) = instruction.op
                && let Some(id) = old.find_class_text(&program.names.text(field.class))
                && !classes.contains(&id)
            {
                classes.push(id);
            }
        }
    }
    let mut found = Vec::new();
    for id in classes {
        // Where the initialisers differ, so may the fields before any call.
        if old.role(id) != Role::Judged || edited.old.contains(&id) {
            continue;
        }
        let Some(class) = old.class(id) else { continue };
        for (_, field) in class.fields() {
            let flags = field.access_flags;
            let is_seen = flags.is_static() && !flags.is_private();
            if is_seen && !flags.is_final() && !flags.is_synthetic() {
                let access = member_access(old, class, flags);
                let member = member(old, class, field.name, field.descriptor, access);
                if has_open_field(new, &member) {
                    found.push(member);
                }
            }
        }
    }
    found.truncate(MOST_STATICS);
    found
}

fn has_open_field(program: &Program, member: &Member) -> bool {
    let name = |text: &str| program.names.intern(&classfile::mutf8::encode(text));
    let (class, field, descriptor) =
        (name(&member.class), name(&member.name), name(&member.descriptor));
    let found = program.resolve_field(class, field, descriptor).found();
    found.is_some_and(|field| !program.field(field).1.access_flags.is_private())
}

/// Public methods without parameters that give something back and did not change, by name.
fn probes(old: &Program, edited: &Edited, class: &Class) -> Vec<Member> {
    let mut found: BTreeMap<String, Member> = BTreeMap::new();
    for &id in old.ancestry(class).superclasses.iter() {
        if old.role(id) != Role::Judged {
            continue;
        }
        let Some(class) = old.class(id) else { continue };
        for (method, declared) in class.methods() {
            if is_probe(old, declared) && edited.unchanged.contains(&method) {
                let name = old.names.text(declared.name).into_owned();
                let member = member(old, class, declared.name, declared.descriptor, Access::Public);
                found.entry(name).or_insert(member);
            }
        }
    }
    found.into_values().take(MOST_PROBES).collect()
}

/// Whether everyone can ask an object this, and it gives something back.
pub(super) fn is_probe(program: &Program, declared: &Method) -> bool {
    let flags = declared.access_flags;
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor));
    let gives = descriptor.is_some_and(|descriptor| {
        descriptor.parameter_kinds().count() == 0 && descriptor.result_kind().is_some()
    });
    gives && flags.is_public() && !flags.is_static() && !flags.is_synthetic()
}

/// Names of judged classes whose instance fields are not the same in both versions.
pub fn reshaped(old: &Program, new: &Program) -> Vec<String> {
    let mut found = Vec::new();
    for id in old.class_ids(Role::Judged) {
        let Some(before) = old.class(id) else { continue };
        let after = new.find_class_text(&old.names.text(before.name)).and_then(|id| new.class(id));
        if after.is_some_and(|after| shape(old, before) != shape(new, after)) {
            found.push(old.class_text(before.name));
        }
    }
    found
}

/// What of a version's objects nobody sees who knows the other version too.
#[derive(Debug, Clone, Default)]
pub struct Unseen {
    /// Instance fields that the other version of the class does not have.
    pub lone: FxHashSet<FieldId>,
    /// Instance fields that are private in the other version, or of classes that no other code can name.
    pub hidden: FxHashSet<FieldId>,
    /// Classes that no other class can name, and that the other version does not have like this.
    pub nameless: FxHashSet<ClassId>,
}

/// What is not seen of the old version, and of the new one.
pub fn unseen(old: &Program, new: &Program) -> (Unseen, Unseen) {
    let of = |program: &Program, other: &Program| Unseen {
        lone: lone_in(program, other),
        hidden: hidden_in(program, other),
        nameless: nameless_in(program, other),
    };
    (of(old, new), of(new, old))
}

/// Fields that others could see by their own flags, and cannot in one of the versions.
fn hidden_in(program: &Program, other: &Program) -> FxHashSet<FieldId> {
    let mut found = FxHashSet::default();
    for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
        if class_access(program, class) == Access::Closed {
            found.extend(class.fields().map(|(id, _)| id));
        }
        let same = other.find_class_text(&program.names.text(class.name));
        let Some(same) = same.and_then(|id| other.class(id)) else { continue };
        let is_private = |name: &str| {
            let mut fields = same.fields().filter(|(_, it)| *other.names.text(it.name) == *name);
            fields.any(|(_, field)| field.access_flags.is_private())
        };
        let hidden = class.fields().filter(|(_, field)| {
            !field.access_flags.is_private() && is_private(&program.names.text(field.name))
        });
        found.extend(hidden.map(|(id, _)| id));
    }
    found
}

/// Private, local and anonymous classes that the other version lacks, or that have other fields there.
fn nameless_in(program: &Program, other: &Program) -> FxHashSet<ClassId> {
    let mut found = FxHashSet::default();
    for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
        let same = other.find_class_text(&program.names.text(class.name));
        let same = same.and_then(|id| other.class(id));
        let is_alike = same.is_some_and(|same| shape(other, same) == shape(program, class));
        if is_nameless(program, class) && !is_alike {
            found.insert(class.id);
        }
    }
    found
}

/// Whether a class is private, local or anonymous.
pub(super) fn is_nameless(program: &Program, class: &Class) -> bool {
    let entries = class.file.inner_classes().unwrap_or_default();
    let own = entries
        .iter()
        .find(|entry| class.file.bytes(entry.inner) == program.names.bytes(class.name));
    own.is_some_and(|entry| entry.outer.is_none() || entry.access_flags.is_private())
}

fn lone_in(program: &Program, other: &Program) -> FxHashSet<FieldId> {
    let mut found = FxHashSet::default();
    for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
        let same = other.find_class_text(&program.names.text(class.name));
        let Some(same) = same.and_then(|id| other.class(id)) else { continue };
        let known = shape(other, same);
        let text = |name| program.names.text(name).into_owned();
        let lone = class.fields().filter(|(_, field)| {
            !field.access_flags.is_static()
                && !known.contains(&(text(field.name), text(field.descriptor)))
        });
        found.extend(lone.map(|(id, _)| id));
        found.extend(of_lone_superclasses(program, class, other));
    }
    found
}

/// Fields of superclasses that the other version does not have at all.
fn of_lone_superclasses(program: &Program, class: &Class, other: &Program) -> Vec<FieldId> {
    let above = program.ancestry(class).superclasses.iter().skip(1);
    let above = above.filter_map(|&id| program.class(id));
    let lone = above.filter(|it| other.find_class_text(&program.names.text(it.name)).is_none());
    let fields = lone.flat_map(Class::fields);
    fields.filter(|(_, field)| !field.access_flags.is_static()).map(|(id, _)| id).collect()
}

fn shape(program: &Program, class: &Class) -> Vec<(String, String)> {
    let fields = class
        .fields()
        .filter(|(_, field)| !field.access_flags.is_static() && !field.access_flags.is_synthetic());
    let text = |name| program.names.text(name).into_owned();
    let mut shape: Vec<_> =
        fields.map(|(_, field)| (text(field.name), text(field.descriptor))).collect();
    shape.sort();
    shape
}

/// Whether a text that shows objects shows some of these classes.
pub(super) fn shows_any(text: &str, classes: &[String]) -> bool {
    classes.iter().any(|class| text.contains(&**class))
}

/// What is shown of an object of a class that nobody can name and that only one version has.
pub(super) const PRIVATE: &str = "an object of a private class";

/// Whether two texts that show objects may show the same: where one has an object of which nothing shows, the
/// other may have any object.
pub fn shows_same(one: &str, two: &str) -> bool {
    if one == two {
        return true;
    }
    let (mut left, mut right) = (one, two);
    let mut is_met = false;
    loop {
        let rests = match (left.strip_prefix(PRIVATE), right.strip_prefix(PRIVATE)) {
            (Some(left), Some(right)) => Some((left, right)),
            (Some(left), None) => after_object(right).map(|right| (left, right)),
            (None, Some(right)) => after_object(left).map(|left| (left, right)),
            (None, None) => None,
        };
        if let Some(rests) = rests {
            (left, right) = rests;
            is_met = true;
            continue;
        }
        let (mut ones, mut twos) = (left.chars(), right.chars());
        match (ones.next(), twos.next()) {
            (None, None) => return true,
            (one, two) if one == two => (left, right) = (ones.as_str(), twos.as_str()),
            // What was in it comes up for the first time elsewhere.
            _ => {
                return is_met
                    && [one, two].iter().any(|it| it.contains(AGAIN) || it.contains('#'));
            }
        }
    }
}

const AGAIN: &str = "the same object as ";

/// The text after an object with which it begins; nothing if it begins with something else.
fn after_object(text: &str) -> Option<&str> {
    let start = text.find(['{', ',', ';', '}', '"', '\t', '|'])?;
    if !text[start..].starts_with('{') || text[..start].contains("[]") {
        return None;
    }
    let (mut depth, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, c) in text.char_indices().skip_while(|&(at, _)| at < start) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '{' if !is_quoted => depth += 1,
            '}' if !is_quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 && !is_quoted {
            return Some(&text[at + 1..]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::shows_same;

    #[test]
    fn objects_of_which_nothing_shows_stand_for_any_object() {
        let private = "returns an object of a private class\tx.n = 1";
        assert!(shows_same(private, "returns new java.lang.Runnable{}\tx.n = 1"));
        assert!(shows_same(private, "returns p.A{s=\"}\\\"\", b=p.B{}}\tx.n = 1"));
        assert!(!shows_same(private, "returns new java.lang.Runnable{}\tx.n = 2"));
        assert!(!shows_same(private, "returns null\tx.n = 1"));
        assert!(!shows_same(private, "returns int[] {1}\tx.n = 1"));
        assert!(!shows_same(private, "throws p.E\tx.n = 1"));
    }
}
