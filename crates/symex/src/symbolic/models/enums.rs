//! Constants of enums by name and in order.

use program::{FieldId, MethodId, Type};
use smt::Term;

use super::Area;
use crate::symbolic::calls::returned;
use crate::symbolic::{Engine, Outcome, State};

pub(super) const AREAS: &[Area] = &[
    (
        "java/lang/Enum",
        &[("valueOf", "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;", value_of)],
    ),
    ("java/lang/Class", &[("getEnumConstantsShared", "", shared_constants)]),
];

fn value_of(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[class, name] = arguments else { return None };
    let ty = engine.mirrored_type(class)?;
    let constants = engine.enum_addresses(ty)?;
    let asked = engine.text(state, name)?;
    let field = engine.platform_field("java/lang/Enum", "name")?;
    let place = engine.field_place(field);
    let mut found = engine.space.null();
    for &address in constants.iter() {
        let key = engine.space.terms.bitvec(31, address);
        let its_name = engine.imported_field(place, key)?;
        let its_text = engine.text(state, its_name)?;
        let is_it = engine.space.terms.eq(asked, its_text);
        let constant = engine.space.terms.bitvec(32, address);
        found = engine.space.terms.ite(is_it, constant, found);
    }
    let is_null = engine.space.is_null(name);
    let fine = engine.space.terms.not(is_null);
    let mut outcome = engine.guarded(fine, "java/lang/NullPointerException", state, None);
    if let Some((state, _)) = outcome.returned.take() {
        let is_none = engine.space.is_null(found);
        let fine = engine.space.terms.not(is_none);
        let class = "java/lang/IllegalArgumentException";
        let looked_up = engine.guarded(fine, class, &state, Some(found));
        outcome.returned = looked_up.returned;
        if let Some((state, exception)) = looked_up.thrown {
            engine.merge_thrown(&mut outcome, state, exception);
        }
    }
    Some(outcome)
}

/// The array behind `values()`: what the platform keeps is a copy of it that it never writes.
fn shared_constants(
    engine: &mut Engine<'_>,
    _: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let ty = engine.mirrored_type(arguments[0])?;
    engine.enum_addresses(ty)?;
    let field = engine.constants_field(ty)?;
    let place = engine.field_place(field);
    engine.settle_static(place, field);
    let array = *engine.static_starts.get(&place)?;
    let address = engine.space.terms.as_const(array)?;
    let key = engine.space.terms.bitvec(31, address);
    engine.table(key)?;
    Some(returned(state.clone(), Some(array)))
}

impl Engine<'_> {
    /// The field in which a compiler keeps all constants of an enum.
    fn constants_field(&self, ty: Type) -> Option<FieldId> {
        let program::Element::Class(name) = ty.element else { return None };
        let class = self.program.class(self.program.find_class(name)?)?;
        let names = &self.program.names;
        let mut fields = class.fields().filter(|(_, field)| {
            let flags = field.access_flags;
            let its_type = Type::parse(names.bytes(field.descriptor), names);
            flags.is_static()
                && flags.is_synthetic()
                && its_type.and_then(|array| array.component()) == Some(ty)
        });
        let (field, _) = fields.next()?;
        fields.next().is_none().then_some(field)
    }

    /// A field that a class of the platform declares.
    pub(super) fn platform_field(&self, class: &str, name: &str) -> Option<FieldId> {
        let names = &self.program.names;
        let class = self.program.find_class(names.intern(class.as_bytes()))?;
        let class = self.program.class(class)?;
        let name = names.intern(name.as_bytes());
        class.fields().find(|(_, field)| field.name == name).map(|(id, _)| id)
    }
}
