//! Static fields, and objects that initialisers made.
//!
//! A static final field has the value that its class's initialiser gives it, evaluated on the
//! concrete machine, unless it depends on properties that somebody may set. The object behind it has a fixed address; its class, its final fields and the
//! lengths of arrays are known, what may change after initialisation is not. Other static fields are
//! inputs.

use program::{FieldId, Name, Type};
use smt::Term;

use super::heap::Place;
use super::{Engine, Live, State};
use crate::concrete::{self, Value};
use crate::symbolic::heap::Start;

impl Engine<'_> {
    /// Two versions are compared as they run by default.
    fn note_assertions(&mut self, field: FieldId) {
        let (_, declared) = self.program.field(field);
        let is_switch = self.program.names.bytes(declared.name) == b"$assertionsDisabled";
        if is_switch && !self.side.is_empty() {
            self.assumptions.insert("assertions are off".to_owned());
        }
    }

    pub(super) fn read_static(&mut self, state: &mut State, field: FieldId) -> Live<Term> {
        let place = self.field_place(field);
        if let Some(&value) = state.heap.statics.get(&place) {
            return Ok(value);
        }
        self.note_assertions(field);
        self.settle_static(place, field);
        let (mut starts, space) = self.starts();
        let value = starts.of_static(space, place, &state.heap);
        let ty = self.place_type(place);
        if ty.kind() == program::Kind::Ref && !self.static_starts.contains_key(&place) {
            self.assume_types(value, ty);
        }
        Ok(value)
    }

    /// What a static field holds at the end of a run.
    pub(super) fn static_value(&mut self, state: &State, place: Place) -> Term {
        if let Some(&value) = state.heap.statics.get(&place) {
            return value;
        }
        if let Some(field) = self.field_of_place(place) {
            self.settle_static(place, field);
        }
        let (mut starts, space) = self.starts();
        starts.of_static(space, place, &state.heap)
    }

    pub(super) fn write_static(
        &mut self,
        state: &mut State,
        field: FieldId,
        value: Term,
    ) -> Live<()> {
        let place = self.field_place(field);
        self.settle_static(place, field);
        let ty = self.place_type(place);
        let value = self.narrowed(value, ty);
        self.note_change(place);
        state.heap.statics.insert(place, value);
        Ok(())
    }

    /// Evaluates a final field once.
    pub(super) fn settle_static(&mut self, place: Place, field: FieldId) {
        let (_, declared) = self.program.field(field);
        if !declared.access_flags.is_final() || self.static_starts.contains_key(&place) {
            return;
        }
        if self.early.is_possible && self.may_be_unset(field) {
            return;
        }
        let name = self.static_name(field);
        if let Ok(value) = self.machine.read_static(field)
            && let Some(term) = self.import(value, &name)
        {
            self.static_starts.insert(place, term);
            if let (Value::Ref(_), Some(address)) = (value, self.space.terms.as_const(term)) {
                self.note_table(field, address);
            }
        }
    }

    /// What a static field is called in both versions, or in one if its class is initialised otherwise.
    pub(super) fn static_name(&self, field: FieldId) -> String {
        let (class, declared) = self.program.field(field);
        let version = self.version_of(class.id);
        let class = self.program.class_text(class.name);
        format!("{version}{class}.{}", self.program.names.text(declared.name))
    }

    /// The version that is run, if its initialiser of the class may leave something else behind than
    /// that of the other.
    pub(super) fn version_of(&self, class: program::ClassId) -> &'static str {
        match &self.own_statics {
            Some((version, classes)) if classes.contains(&class) => version,
            Some(_) | None => "",
        }
    }

    /// A value of the concrete machine; an object gets its address by where it was found first.
    pub(super) fn import(&mut self, value: Value, name: &str) -> Option<Term> {
        Some(match value {
            Value::Int(value) => self.space.terms.int(value),
            Value::Long(value) => self.space.terms.long(value),
            Value::Float(value) => self.space.terms.float32(value),
            Value::Double(value) => self.space.terms.float64(value),
            Value::Ref(reference) if reference.is_null() => self.space.null(),
            Value::Ref(reference) => return self.import_object(reference, name),
            Value::Unknown(_) => return None,
        })
    }

    fn import_object(&mut self, reference: concrete::Ref, name: &str) -> Option<Term> {
        if let Some(&address) = self.imported.get(&reference) {
            return Some(self.space.terms.bitvec(32, u64::from(address)));
        }
        if self.machine.is_lambda(reference) {
            return self.import_lambda(reference, name);
        }
        let ty = self.machine.heap.object(reference).ty;
        if ty == Type::class(self.program.known.string) {
            let units = self.machine.units(reference).ok()?;
            if self.machine.is_interned(reference) {
                return Some(self.text_object(&units));
            }
            let number = self.space.text_number(&units);
            let address = self.space.named_address(&format!("static {name}"));
            return Some(self.known_string(reference, address, number));
        }
        if let Some(mirrored) = self.machine.mirrored_type(reference) {
            return Some(self.mirror_of(mirrored));
        }
        let own_name = self.enum_constant_name(reference);
        let name = own_name.as_deref().unwrap_or(name);
        let address = self.space.named_address(&format!("static {name}"));
        self.imported.insert(reference, address);
        self.origins.insert(u64::from(address), reference);
        let number = self.type_number(ty);
        self.fix_class(u64::from(address), number);
        Some(self.space.terms.bitvec(32, u64::from(address)))
    }

    /// Says which runtime type the object at a fixed address has.
    pub(super) fn fix_class(&mut self, address: u64, number: u32) {
        let class = self.type_constant(number);
        let key = self.space.terms.bitvec(31, address);
        let function = self.space.function("class", &[super::space::KEY], super::space::CLASS);
        let applied = self.space.terms.apply(function, &[key]);
        let fact = self.space.terms.eq(applied, class);
        self.space.assume(fact);
        self.space.known_classes.insert(address, number);
    }

    /// A final field of an object that an initialiser made.
    pub(super) fn imported_field(&mut self, place: Place, key: Term) -> Option<Term> {
        if !self.places[place as usize].is_final {
            return None;
        }
        let address = self.space.terms.as_const(key)?;
        let &reference = self.origins.get(&address)?;
        let field = self.field_of_place(place)?;
        let value = self.machine.read_field(reference, field).ok()?;
        let name = format!("{address}.{}", field.index());
        let term = self.import(value, &name)?;
        Some(term)
    }

    pub(super) fn imported_length(&mut self, key: Term) -> Option<Term> {
        let address = self.space.terms.as_const(key)?;
        let &reference = self.origins.get(&address)?;
        let length = self.machine.heap.array(reference)?.len();
        Some(self.space.terms.int(length as i32))
    }

    /// The very type of an object that an initialiser made.
    pub(super) fn imported_type(&self, key: Term) -> Option<Type> {
        let address = self.space.terms.as_const(key)?;
        let &reference = self.origins.get(&address)?;
        Some(self.machine.heap.object(reference).ty)
    }

    /// The array type that an object of the start is known to have, or to be below.
    pub(super) fn known_array_type(&self, key: Term) -> Option<Type> {
        self.array_types.get(&key).copied()
    }

    fn field_of_place(&self, place: Place) -> Option<FieldId> {
        self.place_fields.get(&place).copied()
    }

    pub(super) fn place_type(&self, place: Place) -> Type {
        self.places[place as usize].ty
    }

    /// A string literal: one object for all literals of the same text.
    pub(super) fn literal(&mut self, text: Name) -> Term {
        let units = self.program.names.utf16(text);
        self.text_object(&units)
    }

    pub(super) fn text_object(&mut self, units: &[u16]) -> Term {
        let number = self.space.text_number(units);
        let address = self.space.named_address(&format!("text {number}"));
        if self.known_texts.insert(u64::from(address), number).is_none() {
            let class = self.type_number(Type::class(self.program.known.string));
            self.fix_class(u64::from(address), class);
            self.describe_text(u64::from(address), number);
        }
        self.space.terms.bitvec(32, u64::from(address))
    }

    fn known_string(&mut self, reference: concrete::Ref, address: u32, number: u32) -> Term {
        self.imported.insert(reference, address);
        self.known_texts.insert(u64::from(address), number);
        let class = self.type_number(Type::class(self.program.known.string));
        self.fix_class(u64::from(address), class);
        self.describe_text(u64::from(address), number);
        self.space.terms.bitvec(32, u64::from(address))
    }
}
