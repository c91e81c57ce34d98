//! Fields that nobody ever puts an object into: they are null, and nothing is locked behind them.
//!
//! Only private fields, and none of classes with native methods, which may do anything. The slice has all that
//! judged classes store. Of the library it has not, so the code of the classes around the field is read.

use std::sync::PoisonError;

use program::ir::{Const, Op};
use program::{Class, FieldId};

use super::context::Context;
use super::fixed::stores_by_name;

impl Context<'_> {
    pub(crate) fn is_never_set(&self, field: FieldId) -> bool {
        let (class, declared) = self.universe.program.field(field);
        let is_native = |it: &program::Method| it.access_flags.is_native();
        if !declared.access_flags.is_private()
            || !self.fields.stored(field).is_empty()
            || self.fields.is_set_by_name(field)
            || class.methods.iter().any(is_native)
        {
            return false;
        }
        if self.universe.is_judged(class.id) {
            return true;
        }
        let lock = || self.asked.never_set.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = lock().get(&field) {
            return known;
        }
        let nest = self.universe.program.nest(class);
        let found = nest.is_some_and(|nest| nest.iter().all(|it| self.stores_only_null(it, field)));
        lock().insert(field, found);
        found
    }

    fn stores_only_null(&self, class: &Class, field: FieldId) -> bool {
        let program = self.universe.program;
        let name = program.names.bytes(program.field(field).1.name);
        let mut storing = class.methods().filter(|(id, _)| stores_by_name(class, *id, name));
        storing.all(|(id, _)| {
            let Ok(Some(body)) = program.lower(id) else { return false };
            let is_null = |value| {
                let made = body.instructions.iter().find(|it| it.result == Some(value));
                matches!(made.map(|it| &it.op), Some(Op::Const(Const::Null)))
            };
            body.instructions.iter().all(|it| match it.op {
                Op::PutField(to, _, value) => {
                    let found = program.resolve_field(to.class, to.name, to.descriptor).found();
                    found != Some(field) || is_null(value)
                }
                _ => true,
            })
        })
    }
}
