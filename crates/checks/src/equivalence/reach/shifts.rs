//! What differs between two versions though no code does: who is whose subtype, which members a class
//! has, what lies beside the classes.

use std::collections::{BTreeMap, BTreeSet};

use program::{Class, ClassId, Program, Role};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::watch::is_nameless;
use super::Others;

/// Differences outside of code, by the names of the new version.
#[derive(Clone)]
pub(super) struct Shifts {
    /// Types that some class has become a subtype of, or is none of any more.
    pub(super) kin: BTreeSet<String>,
    /// Classes that nobody can name and that are something else now, as anonymous ones are numbered: their
    /// objects are what those make of them who make them, and no caller has one that is of both kinds.
    pub(super) reborn: BTreeSet<String>,
    /// Classes with other supertypes than before.
    pub(super) rebased: FxHashSet<ClassId>,
    /// Classes with other supertypes of the platform, whose code may ask for them. Who can be written to a
    /// stream is asked by streams alone.
    pub(super) recast: BTreeSet<String>,
    /// Classes with other members or annotations than before.
    pub(super) members: BTreeSet<String>,
    /// Whether some of these can be written to a stream of objects, or a class can be now that could not.
    pub(super) is_other_stream: bool,
    /// Anonymous and local classes that have another number now.
    pub(super) numbered: BTreeSet<String>,
    /// Names that belong to another of these classes in each version.
    pub(super) moved: BTreeSet<String>,
    /// Files that lie beside the classes of only one version, or differ.
    pub(super) other_resources: BTreeSet<String>,
}

impl Shifts {
    pub(super) fn between(
        old: &Program,
        new: &Program,
        renamed: &BTreeMap<String, String>,
        others: &Others,
    ) -> Shifts {
        let mut shifts = Shifts {
            kin: BTreeSet::new(),
            reborn: BTreeSet::new(),
            rebased: FxHashSet::default(),
            recast: BTreeSet::new(),
            members: others.fields.iter().map(|it| name_of(new, it.field.class)).collect(),
            is_other_stream: others.numbered.iter().any(|it| is_streamed(new, it)),
            numbered: others.numbered.clone(),
            moved: others.moved.clone(),
            other_resources: others.resources.clone(),
        };
        shifts.members.extend(others.numbered.iter().cloned());
        for before in old.class_ids(Role::Judged).filter_map(|id| old.class(id)) {
            let name = new_name(old, before, renamed);
            let after = new.find_class_text(&name).filter(|&id| new.role(id) == Role::Judged);
            let Some(after) = after.and_then(|id| new.class(id)) else { continue };
            let (one, two) =
                (supertypes(old, before, renamed), supertypes(new, after, &BTreeMap::new()));
            if one != two {
                shifts.rebased.insert(after.id);
                let others: Vec<&String> = one.symmetric_difference(&two).collect();
                let is_judged = |program: &Program, name: &str| {
                    program.find_class_text(name).is_some_and(|id| program.role(id) == Role::Judged)
                };
                let is_asked_for = |it: &String| {
                    it != "java/io/Serializable" && !is_judged(old, it) && !is_judged(new, it)
                };
                if others.iter().any(|it| is_asked_for(it)) {
                    shifts.recast.insert(name.clone());
                }
                if is_nameless(old, before) && is_nameless(new, after) {
                    shifts.reborn.insert(name.clone());
                } else {
                    shifts.kin.extend(others.into_iter().cloned());
                }
            }
            if members(old, before) != members(new, after) || one != two {
                let is_written = |it: &BTreeSet<String>| it.contains("java/io/Serializable");
                shifts.is_other_stream |= is_written(&one) || is_written(&two);
                shifts.members.insert(name);
            }
        }
        shifts
    }
}

/// Whether objects of a class can be written to a stream, which holds its name.
fn is_streamed(program: &Program, class: &str) -> bool {
    let serial = program.find_class_text("java/io/Serializable");
    match (program.find_class_text(class), serial) {
        (Some(class), Some(serial)) => program.is_subtype(class, serial) != Some(false),
        (_, _) => true,
    }
}

fn name_of(program: &Program, class: ClassId) -> String {
    program.names.text(program.class_name(class)).into_owned()
}

fn new_name(program: &Program, class: &Class, renamed: &BTreeMap<String, String>) -> String {
    let name = program.names.text(class.name).into_owned();
    renamed.get(&name).cloned().unwrap_or(name)
}

/// All of them, also those of supertypes.
fn supertypes(
    program: &Program,
    class: &Class,
    renamed: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let ancestry = program.ancestry(class);
    let ids = ancestry.superclasses.iter().chain(ancestry.interfaces.iter());
    ids.filter_map(|&id| program.class(id)).map(|it| new_name(program, it, renamed)).collect()
}

/// The flags that reflection is asked about; compilers set others as they like. Of fields, which are written
/// to a stream; of methods, which lock; of classes, what they are.
const SHOWN: u16 = 0x051f;
const SHOWN_OF_FIELDS: u16 = SHOWN | 0x00c0;
const SHOWN_OF_METHODS: u16 = SHOWN | 0x0020 | 0x0080;
const SHOWN_OF_CLASSES: u16 = 0x6611;

/// What reflection shows of a class.
fn members(program: &Program, class: &Class) -> Vec<String> {
    let text = |name| program.names.text(name).into_owned();
    let fields = class.fields().map(|(_, field)| {
        let flags = field.access_flags;
        let shown = flags.0 & SHOWN_OF_FIELDS;
        (flags.is_synthetic(), format!("{shown} {} {}", text(field.name), text(field.descriptor)))
    });
    let methods = class.methods().map(|(_, method)| {
        let flags = method.access_flags;
        let shown = flags.0 & SHOWN_OF_METHODS;
        (
            flags.is_synthetic() || method.name == program.known.clinit,
            format!("{shown} {}{}", text(method.name), text(method.descriptor)),
        )
    });
    // What a compiler adds is its own affair.
    let own = fields.chain(methods).filter(|(is_added, _)| !is_added).map(|(_, text)| text);
    let mut found: Vec<String> = own.collect();
    found.extend(annotations(class));
    found.extend(attributes(class));
    found.sort();
    found
}

/// What else reflection shows: flags and signatures, what methods say they throw, values of constants, what
/// annotations say by default, the parts of a record, permitted classes.
fn attributes(class: &Class) -> Vec<String> {
    let file = &class.file;
    let text = |utf8| classfile::mutf8::decode_lossy(file.bytes(utf8)).into_owned();
    let mut found = vec![format!("class {}", class.access_flags.0 & SHOWN_OF_CLASSES)];
    // Of a nested class, the file of the class itself does not say whether it is private or static.
    for inner in file.inner_classes().unwrap_or_default() {
        if inner.name.is_some() && text(inner.inner) == text(file.this_class) {
            found.push(format!("nested {}", inner.access_flags.0 & (SHOWN | SHOWN_OF_CLASSES)));
        }
    }
    found.extend(file.signature().ok().flatten().map(|it| format!("class {}", text(it))));
    for part in file.record().ok().flatten().unwrap_or_default() {
        found.push(format!("part {} {}", text(part.name), text(part.descriptor)));
    }
    for it in file.permitted_subclasses().ok().flatten().unwrap_or_default() {
        found.push(format!("permits {}", text(it)));
    }
    for member in
        file.fields.iter().chain(&file.methods).filter(|it| !it.access_flags.is_synthetic())
    {
        let name = format!("{}{}", text(member.name), text(member.descriptor));
        let signature = member.signature(file).ok().flatten();
        found.extend(signature.map(|it| format!("{name}: {}", text(it))));
        let thrown = member.exceptions(file).unwrap_or_default();
        found.extend(thrown.into_iter().map(|it| format!("{name} throws {}", text(it))));
        if let Ok(Some(value)) = member.constant_value(file) {
            let value = classfile::ElementValue::Constant(0, value);
            found.push(format!("{name} = {}", written_value(file, &value)));
        }
        if let Ok(Some(value)) = member.annotation_default(file) {
            found.push(format!("{name} default {}", written_value(file, &value)));
        }
    }
    found
}

/// The annotations of a class and of its members, with what they say.
fn annotations(class: &Class) -> Vec<String> {
    let file = &class.file;
    let members = file.fields.iter().chain(&file.methods);
    let of_members =
        members.flat_map(|member| member.visible_annotations(file).unwrap_or_default());
    let all = file.visible_annotations().unwrap_or_default().into_iter().chain(of_members);
    all.map(|annotation| written(file, &annotation)).collect()
}

fn written(file: &classfile::ClassFile, annotation: &classfile::Annotation) -> String {
    let text = |utf8| classfile::mutf8::decode_lossy(file.bytes(utf8)).into_owned();
    let elements = annotation.elements.iter();
    let elements: Vec<String> = elements
        .map(|(name, value)| format!("{} = {}", text(*name), written_value(file, value)))
        .collect();
    format!("@{}({})", text(annotation.annotation_type), elements.join(", "))
}

fn written_value(file: &classfile::ClassFile, value: &classfile::ElementValue) -> String {
    use classfile::{Constant, ElementValue};
    let text = |utf8| classfile::mutf8::decode_lossy(file.bytes(utf8)).into_owned();
    match value {
        ElementValue::Constant(_, Constant::Utf8(utf8) | Constant::String(utf8)) => text(*utf8),
        ElementValue::Constant(_, constant) => format!("{constant:?}"),
        ElementValue::Enum { enum_type, name } => format!("{}.{}", text(*enum_type), text(*name)),
        ElementValue::Class(utf8) => text(*utf8),
        ElementValue::Annotation(annotation) => written(file, annotation),
        ElementValue::Array(values) => {
            let values: Vec<String> = values.iter().map(|it| written_value(file, it)).collect();
            format!("[{}]", values.join(", "))
        }
    }
}

/// By type: the judged classes whose code may run where it is called, as they stand above some subtype
/// of it. A class that a subtype extends need not be one itself.
pub(super) struct Lineage(FxHashMap<ClassId, FxHashSet<ClassId>>);

impl Lineage {
    pub(super) fn of(program: &Program) -> Lineage {
        let mut found: FxHashMap<ClassId, FxHashSet<ClassId>> = FxHashMap::default();
        for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
            let ancestry = program.ancestry(class);
            let all = ancestry.superclasses.iter().chain(ancestry.interfaces.iter());
            let all: Vec<ClassId> =
                all.copied().filter(|&id| program.role(id) == Role::Judged).collect();
            for &above in &all {
                found.entry(above).or_default().extend(&all);
            }
        }
        Lineage(found)
    }

    pub(super) fn of_type(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        self.0.get(&id).into_iter().flatten().copied()
    }

    pub(super) fn contains(&self, owner: ClassId, class: ClassId) -> bool {
        self.0.get(&owner).is_some_and(|classes| classes.contains(&class))
    }
}
