//! Fields that are set through their names: by an updater of `java.util.concurrent.atomic`, a `VarHandle`,
//! `Unsafe` or reflection. Such stores are in no body, so nothing is known of what these fields hold.
//!
//! A field counts as one if a class of its package uses such a tool and has the name as a literal.

use classfile::{ClassFile, Constant};
use program::{ClassId, FieldId};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::slice::Slice;
use super::universe::Universe;

const TOOLS: &[&[u8]] = &[
    b"java/util/concurrent/atomic/AtomicReferenceFieldUpdater",
    b"java/util/concurrent/atomic/AtomicLongFieldUpdater",
    b"java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
    b"java/lang/invoke/MethodHandles$Lookup",
    b"java/lang/invoke/VarHandle",
    b"java/lang/reflect/Field",
    b"jdk/internal/misc/Unsafe",
    b"sun/misc/Unsafe",
];

pub(super) fn find_set_by_name(universe: &Universe<'_>, slice: &Slice) -> FxHashSet<FieldId> {
    let program = universe.program;
    let mut classes: Vec<ClassId> = slice.methods.iter().map(|it| it.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let named: FxHashSet<(&[u8], Vec<u8>)> = classes
        .par_iter()
        .flat_map_iter(|&id| {
            let literals = program.class(id).map(|it| literals_of_user(&it.file));
            let package = program.package(program.class_name(id));
            literals.into_iter().flatten().map(move |it| (package, it))
        })
        .collect();
    if named.is_empty() {
        return FxHashSet::default();
    }
    let set_in = |id: &ClassId| -> Vec<FieldId> {
        let package = program.package(program.class_name(*id));
        let Some(class) = program.class(*id) else { return Vec::new() };
        let is_named = |field: &program::Field| {
            named.contains(&(package, program.names.bytes(field.name).to_vec()))
        };
        let fields = class.fields().filter(|(_, it)| !it.access_flags.is_final() && is_named(it));
        fields.map(|(id, _)| id).collect()
    };
    classes.par_iter().flat_map_iter(set_in).collect()
}

/// The literals of a class that uses one of the tools.
pub(super) fn literals_of_user(file: &ClassFile) -> Vec<Vec<u8>> {
    let is_tool = |it: Constant| match it {
        Constant::Class(name) => TOOLS.contains(&file.bytes(name)),
        _ => false,
    };
    if !file.pool().constants().any(is_tool) {
        return Vec::new();
    }
    let literal = |it: Constant| match it {
        Constant::String(text) => Some(file.bytes(text).to_vec()),
        _ => None,
    };
    file.pool().constants().filter_map(literal).collect()
}
