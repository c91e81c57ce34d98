//! Which comparisons are orders, and what they say.

use program::MethodId;
use program::ir::{Compare, InvokeKind, MethodRef};

use super::Relation;
use crate::locks::values::Scene;

/// Types of keys whose `compareTo` is a total order that agrees with their values.
pub(super) const TEXTS: [&[u8]; 6] = [
    b"java/lang/String",
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Short",
    b"java/lang/Byte",
    b"java/util/UUID",
];
pub(super) const ORDERED: [&[u8]; 6] = [
    b"Ljava/lang/String;",
    b"Ljava/lang/Integer;",
    b"Ljava/lang/Long;",
    b"Ljava/lang/Short;",
    b"Ljava/lang/Byte;",
    b"Ljava/util/UUID;",
];
pub(super) const NUMBERS: [&[u8]; 5] = [
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Short",
    b"java/lang/Byte",
    b"java/lang/Character",
];

/// The one body that a call runs, whoever extends the classes.
pub(super) fn sole_body(
    scene: &Scene<'_>,
    kind: InvokeKind,
    method: &MethodRef,
) -> Option<MethodId> {
    let id = scene.resolve(method).0?;
    let program = scene.universe.program;
    let (class, declared) = program.method(id);
    let flags = declared.access_flags;
    let is_sole = match kind {
        InvokeKind::Static => true,
        InvokeKind::Special => declared.name != program.known.init,
        InvokeKind::Virtual => {
            flags.is_final() || flags.is_private() || class.access_flags.is_final()
        }
        InvokeKind::Interface => flags.is_private(),
    };
    (is_sole && scene.universe.has_code(id) && !scene.universe.is_platform(id.class)).then_some(id)
}

pub(super) fn relation_of(ordering: std::cmp::Ordering) -> Relation {
    match ordering {
        std::cmp::Ordering::Less => Relation::Less,
        std::cmp::Ordering::Equal => Relation::Equal,
        std::cmp::Ordering::Greater => Relation::Greater,
    }
}

pub(super) fn holds(compare: Compare, relation: Relation) -> bool {
    match compare {
        Compare::Equal => relation == Relation::Equal,
        Compare::NotEqual => relation != Relation::Equal,
        Compare::Less => relation == Relation::Less,
        Compare::GreaterOrEqual => relation != Relation::Less,
        Compare::Greater => relation == Relation::Greater,
        Compare::LessOrEqual => relation != Relation::Greater,
    }
}

/// Whether the method is one of `Enum` itself, called on constants of one enum.
pub(super) fn is_of_enum(scene: &Scene<'_>, method: &MethodRef) -> bool {
    let program = scene.universe.program;
    let declared = scene.resolve(method).0.map(|it| program.class_name(it.class));
    let is_enum = |name: program::Name| program.names.bytes(name) == b"java/lang/Enum";
    declared.is_some_and(is_enum) && !is_enum(method.class)
}
