//! The design problem behind a violation, where one is recognised.

use std::collections::BTreeSet;

use program::ir::Op;
use program::{FieldId, MethodId, Program};

use super::contract::Contract;
use super::search::Candidate;
use crate::finding::Cause;

/// Why equal objects have different hash codes.
pub(super) fn cause(program: &Program, contract: &Contract, candidate: &Candidate) -> Cause {
    let class = candidate.classes.first().and_then(|&id| program.class(id));
    let Some(class) = class else { return Cause::Other };
    let (Some(equals), Some(hash_code)) =
        (contract.equals_of(program, class), contract.hash_code_of(program, class))
    else {
        return Cause::Other;
    };
    if contract.is_objects(program, hash_code) {
        return Cause::NoHashCode;
    }
    let compared = fields_read(program, equals);
    let hashed = fields_read(program, hash_code);
    if hashed.is_empty() {
        Cause::Other
    } else if hashed.is_subset(&compared) {
        Cause::ComparedMoreLooselyThanHashed
    } else {
        Cause::HashedNotCompared
    }
}

/// The instance fields that a method reads, itself or through methods of its own class.
fn fields_read(program: &Program, method: MethodId) -> BTreeSet<FieldId> {
    let mut fields = BTreeSet::new();
    let mut seen = BTreeSet::from([method]);
    let mut open = vec![method];
    while let Some(current) = open.pop() {
        let Ok(Some(body)) = program.lower(current) else { continue };
        for instruction in &body.instructions {
            if let Op::GetField(field, _) = instruction.op {
                fields.extend(
                    program.resolve_field(field.class, field.name, field.descriptor).found(),
                );
            } else if let Op::Invoke { method: called, .. } = instruction.op {
                let found =
                    program.resolve_method(called.class, called.name, called.descriptor).found();
                let near = found.filter(|found| {
                    program.is_subtype(method.class, found.class) == Some(true)
                        && program.class_name(found.class) != program.known.object
                });
                open.extend(near.filter(|&found| seen.insert(found)));
            }
        }
    }
    fields
}
