//! Constants of static fields: they are there before any code of their class runs.

use std::collections::BTreeSet;

use program::ir::Const;
use program::{Class, Program};

/// Fields that hold another constant than before. One that only one version has is nobody's there: the
/// other's code has no name for it, unless it meant a field of a class above.
pub(super) fn other_constants(
    (old, before): (&Program, &Class),
    (new, after): (&Program, &Class),
) -> BTreeSet<String> {
    let one = constants(old, before, (new, after));
    let two = constants(new, after, (old, before));
    one.symmetric_difference(&two).map(|(name, _)| name.clone()).collect()
}

/// The constants of a class, of those fields that the other version knows too.
fn constants(
    program: &Program,
    class: &Class,
    (other, same): (&Program, &Class),
) -> BTreeSet<(String, String)> {
    let fields = class.fields().filter_map(|(id, field)| {
        let value = match class.constant_value(id)? {
            Const::String(text) => format!("{:?}", program.names.utf16(program.literal(text))),
            other => format!("{other:?}"),
        };
        let [name, descriptor] = [field.name, field.descriptor].map(|it| program.names.bytes(it));
        let [there, ty] = [name, descriptor].map(|bytes| other.names.intern(bytes));
        other.resolve_field(same.name, there, ty).found()?;
        Some((program.names.text(field.name).into_owned(), value))
    });
    fields.collect()
}
