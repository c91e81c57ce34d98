//! Who writes the fields of a class.

use std::collections::BTreeSet;

use classfile::Constant;
use program::ir::Op;
use program::{Class, ClassId, Field, FieldId, MethodId, Program};

use super::super::survey::Survey;

/// Fields of which every writer is known, and the methods that write one of them.
pub(super) struct Writers {
    pub(super) fields: Vec<FieldId>,
    pub(super) methods: Vec<MethodId>,
    pub(super) assumptions: BTreeSet<String>,
}

pub(super) fn writers(survey: &Survey<'_>, class: ClassId) -> Writers {
    let none = Writers { fields: Vec::new(), methods: Vec::new(), assumptions: BTreeSet::new() };
    let program = survey.program;
    let Some(declaring) = program.class(class) else { return none };
    let mut found = none;
    let constructors = declaring.methods().filter(|(_, m)| m.name == program.known.init);
    found.methods.extend(constructors.map(|(id, _)| id));
    for (id, field) in declaring.fields() {
        let Some(classes) = classes_that_may_write(survey, declaring, field) else { continue };
        if !field.access_flags.is_final() {
            let Some(methods) = methods_that_write(program, &classes, id, field) else { continue };
            found.methods.extend(methods);
        }
        if field.access_flags.is_protected() && !field.access_flags.is_final() {
            let text = program.class_text(declaring.name);
            found.assumptions.insert(format!(
                "no subclass of {text} outside of those analysed writes its protected fields"
            ));
        }
        found.fields.push(id);
    }
    found.methods.sort_unstable();
    found.methods.dedup();
    found
}

/// Nothing where anybody may.
fn classes_that_may_write(
    survey: &Survey<'_>,
    class: &Class,
    field: &Field,
) -> Option<Vec<ClassId>> {
    let flags = field.access_flags;
    if flags.is_static() || flags.is_volatile() {
        return None;
    }
    if flags.is_final() {
        return Some(vec![class.id]);
    }
    let program = survey.program;
    if flags.is_public() {
        return None;
    }
    let neighbours = survey.index.neighbours(program.package(class.name));
    let is_known = |id: &ClassId| *id == class.id;
    if flags.is_private() {
        let nest = outermost(program, class.id);
        let mut classes: Vec<ClassId> =
            neighbours.iter().copied().filter(|&id| outermost(program, id) == nest).collect();
        if !classes.iter().any(is_known) {
            // The package's list does not have the class: nor, perhaps, those nested beside it.
            return None;
        }
        classes.sort_unstable();
        return Some(classes);
    }
    if !neighbours.iter().any(is_known) {
        return None;
    }
    let mut classes = neighbours.to_vec();
    if flags.is_protected() {
        classes.extend(survey.index.world().subtypes(class.id));
    }
    classes.sort_unstable();
    classes.dedup();
    Some(classes)
}

fn outermost(program: &Program, id: ClassId) -> String {
    let text = program.names.text(program.class_name(id)).into_owned();
    text.split('$').next().unwrap_or(&text).to_owned()
}

/// Nothing where a method cannot be read.
fn methods_that_write(
    program: &Program,
    classes: &[ClassId],
    id: FieldId,
    field: &Field,
) -> Option<Vec<MethodId>> {
    let mut found = Vec::new();
    for class in classes.iter().filter_map(|&id| program.class(id)) {
        if !refers_to(program, class, field) {
            continue;
        }
        for (method, declared) in class.methods() {
            let flags = declared.access_flags;
            let is_deserialisation =
                flags.is_private() && program.names.bytes(declared.name) == b"readObject";
            if flags.is_abstract() || flags.is_native() || is_deserialisation {
                continue;
            }
            let Some(body) = program.lower(method).ok()? else { continue };
            let writes = body.instructions.iter().any(|instruction| match instruction.op {
                Op::PutField(written, ..) if written.name == field.name => {
                    let resolved =
                        program.resolve_field(written.class, written.name, written.descriptor);
                    resolved.found().is_none_or(|resolved| resolved == id)
                }
                _ => false,
            });
            if writes {
                found.push(method);
            }
        }
    }
    Some(found)
}

/// Whether the class's constants name such a field: else its code need not be read.
fn refers_to(program: &Program, class: &Class, field: &Field) -> bool {
    let pool = class.file.pool();
    let mut entries =
        (1..pool.len()).filter_map(|index| pool.constant(u16::try_from(index).ok()?).ok());
    entries.any(|constant| match constant {
        Constant::Member(member) => {
            class.constant_name(member.name, &program.names) == field.name
                && class.constant_name(member.descriptor, &program.names) == field.descriptor
        }
        _ => false,
    })
}
