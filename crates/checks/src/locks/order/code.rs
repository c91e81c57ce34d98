//! A body under the walk: what its values are, and which of them are the same each time.

use program::ir::{Body, Condition, Edge, Op, Terminator, Value};

use super::walk::Known;
use super::{Key, Object, Seen};
use crate::locks::path::{PathId, Root, Step};
use crate::locks::values::{Scene, Values};

/// One body under the walk. In a callee, objects are still named as the first body names them.
pub(super) struct Code<'a> {
    pub(super) scene: &'a Scene<'a>,
    /// Of the first body only.
    pub(super) values: Option<&'a Values>,
    /// The instruction that defines a value.
    pub(super) definitions: Vec<Option<Op>>,
    /// Values that are computed more than once.
    is_repeated: Vec<bool>,
}

impl<'a> Code<'a> {
    pub(super) fn new(scene: &'a Scene<'a>, values: Option<&'a Values>) -> Code<'a> {
        let body = scene.body;
        let mut definitions = vec![None; body.kinds.len()];
        let mut is_repeated = vec![false; body.kinds.len()];
        let mut in_loop = vec![false; body.blocks.len()];
        for id in body.block_ids() {
            // Blocks are in reverse postorder: whoever goes back closes a loop.
            let mut close = |edge: Edge| {
                if edge.target.index() <= id.index() {
                    in_loop[edge.target.index()..=id.index()].fill(true);
                }
            };
            body.for_each_successor(body.block(id), &mut close);
            body.handlers_of(body.block(id)).iter().for_each(|handler| close(handler.edge));
        }
        for id in body.block_ids() {
            let block = body.block(id);
            for &parameter in body.list(block.parameters) {
                is_repeated[parameter.index()] = in_loop[id.index()];
            }
            for instruction in body.instructions_of(block) {
                if let Some(result) = instruction.result {
                    definitions[result.index()] = Some(instruction.op);
                    is_repeated[result.index()] = in_loop[id.index()];
                }
            }
        }
        Code { scene, values, definitions, is_repeated }
    }

    pub(super) fn body(&self) -> &'a Body {
        self.scene.body
    }

    /// The object that a reference of the first body stands for.
    pub(super) fn object(&self, value: Value) -> Known {
        let Some(val) = self.values.and_then(|values| values.of(value)) else {
            return Known::Nothing;
        };
        if self.is_firm(val.path) {
            return Known::Object(Seen { object: Object::Path(val.path), val });
        }
        if self.is_repeated[value.index()] {
            return Known::Nothing;
        }
        Known::Object(Seen { object: Object::Value(value.index() as u32), val })
    }

    pub(super) fn compares_references(&self) -> bool {
        let is_one =
            |it: Condition| matches!(it, Condition::SameRef(..) | Condition::NotSameRef(..));
        self.body().blocks.iter().any(|block| {
            matches!(block.terminator, Terminator::If { condition, .. } if is_one(condition))
        })
    }

    /// Whether the key of an object is the same each time.
    pub(super) fn is_fixed(&self, key: Key) -> bool {
        match key {
            Key::Field(field) | Key::Computed(Some(field), ..) | Key::Against(field, _) => {
                self.scene.universe.makers(field).is_some()
            }
            Key::Itself
            | Key::IdentityHash
            | Key::Ordinal(_)
            | Key::Computed(None, ..)
            | Key::Said(..) => true,
        }
    }

    /// Whether the path leads to the same object each time.
    pub(super) fn is_firm(&self, path: PathId) -> bool {
        let path = self.scene.paths.of(path);
        let is_final = |field| self.scene.universe.program.field(field).1.access_flags.is_final();
        let is_root_firm = match path.root {
            Root::Param(_) | Root::Class(_) | Root::Text(_) => true,
            Root::Static(field) => is_final(field),
            Root::Alloc(..) | Root::Result(_) | Root::Local(_) | Root::Unknown => false,
        };
        is_root_firm
            && path.steps().iter().all(|step| match step {
                Step::Field(field) => is_final(*field),
                Step::ReadLock | Step::WriteLock | Step::Condition => true,
                Step::Element | Step::Older | Step::Many(_) => false,
            })
    }
}
