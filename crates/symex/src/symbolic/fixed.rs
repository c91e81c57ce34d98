//! Which objects there can be at all: constants of enums, and classes that a sealed type permits.

use program::{Class, Element, FieldId, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;
use std::rc::Rc;

use super::Engine;
use super::heap::Place;
use crate::concrete;

/// Enums with more members are left alone.
const MOST_CONSTANTS: usize = 64;

/// What is known of constants and tables.
#[derive(Default)]
pub(super) struct Fixed {
    /// Classes that code asks for.
    pub(super) tested: FxHashSet<program::ClassId>,
    /// Those of them whose objects equal only themselves.
    pub(super) told_by_identity: Vec<program::ClassId>,
    /// The addresses of an enum's constants, in order.
    enums: FxHashMap<Type, Option<Rc<[u64]>>>,
    /// Objects that are null or one of these.
    keys: FxHashMap<Term, Rc<[u64]>>,
    /// Addresses of arrays that keep what their initialiser put into them.
    pub(super) tables: FxHashSet<u64>,
}

impl Engine<'_> {
    /// Says of an object that existed at the start which it can be, by its declared type.
    pub(super) fn assume_constant(&mut self, key: Term, ty: Type) {
        let Some(addresses) = self.enum_addresses(ty) else { return };
        let mut cases = vec![self.space.terms.bitvec(31, 0)];
        cases.extend(addresses.iter().map(|&address| self.space.terms.bitvec(31, address)));
        let cases: Vec<Term> =
            cases.into_iter().map(|case| self.space.terms.eq(key, case)).collect();
        let fact = self.space.terms.or(&cases);
        self.space.assume(fact);
        self.fixed.keys.insert(key, addresses);
    }

    /// A final field of an object that is one of an enum's constants.
    pub(super) fn constant_field(&mut self, place: Place, key: Term) -> Option<Term> {
        let addresses = self.fixed.keys.get(&key)?.clone();
        let mut found: Option<Term> = None;
        for &address in addresses.iter() {
            let constant = self.space.terms.bitvec(31, address);
            let value = self.imported_field(place, constant)?;
            let is_it = self.space.terms.eq(key, constant);
            found = Some(found.map_or(value, |other| self.space.terms.ite(is_it, value, other)));
        }
        found
    }

    /// Where two versions are compared, only if the enum is the same in both: then both sides call its
    /// constants by one name.
    pub(super) fn enum_addresses(&mut self, ty: Type) -> Option<Rc<[u64]>> {
        if let Some(known) = self.fixed.enums.get(&ty) {
            return known.clone();
        }
        let Element::Class(name) = ty.element else { return None };
        let class = self.program.class(self.program.find_class(name)?)?;
        let is_edited = self.own_statics.as_ref().is_some_and(|(_, it)| it.contains(&class.id));
        if ty.dimensions > 0 || !class.access_flags.is_enum() || is_edited {
            return None;
        }
        self.fixed.enums.insert(ty, None);
        let fields = constant_fields(class);
        if fields.is_empty() || fields.len() > MOST_CONSTANTS {
            return None;
        }
        let mut addresses = Vec::with_capacity(fields.len());
        for field in fields {
            let place = self.field_place(field);
            self.settle_static(place, field);
            let value = *self.static_starts.get(&place)?;
            addresses.push(self.space.terms.as_const(value)?);
        }
        let addresses: Rc<[u64]> = addresses.into();
        self.fixed.enums.insert(ty, Some(addresses.clone()));
        Some(addresses)
    }

    /// What the constant of an enum is called wherever it is found first.
    pub(super) fn enum_constant_name(&mut self, reference: concrete::Ref) -> Option<String> {
        let Element::Class(name) = self.machine.heap.object(reference).ty.element else {
            return None;
        };
        let mut class = self.program.class(self.program.find_class(name)?)?;
        // A constant with a body of its own is of a subclass.
        if constant_fields(class).is_empty() {
            class = self.program.superclass(class)?;
        }
        let fields = constant_fields(class);
        let is_it = |field: &FieldId| match self.machine.read_static(*field) {
            Ok(concrete::Value::Ref(found)) => found == reference,
            _ => false,
        };
        let field = fields.into_iter().find(is_it)?;
        Some(self.static_name(field))
    }

    /// Says that an instance of a sealed type is an instance of one that it permits.
    pub(super) fn assume_permitted(&mut self, class: Term, ty: Type, is_one: Term) {
        let Element::Class(name) = ty.element else { return };
        if ty.dimensions > 0 {
            return;
        }
        let id = self.program.find_class(name);
        let Some(sealed) = id.and_then(|id| self.program.class(id)) else { return };
        let Ok(Some(permitted)) = sealed.file.permitted_subclasses() else { return };
        if !sealed.access_flags.is_abstract() || permitted.len() > MOST_CONSTANTS {
            return;
        }
        let mut cases = Vec::with_capacity(permitted.len());
        for utf8 in permitted {
            let permitted = Type::class(sealed.constant_name(utf8, &self.program.names));
            let Some(case) = self.is_subtype_term(class, permitted) else { return };
            cases.push(case);
        }
        let any = self.space.terms.or(&cases);
        let fact = self.space.terms.implies(is_one, any);
        self.space.assume(fact);
    }
}

fn constant_fields(class: &Class) -> Vec<FieldId> {
    let fields = class
        .fields()
        .filter(|(_, field)| field.access_flags.is_enum() && field.access_flags.is_static());
    fields.map(|(id, _)| id).collect()
}
