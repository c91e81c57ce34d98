//! The same places in two programs, found by name.

use program::ir::ArrayKind;
use smt::Term;

use super::heap::Place;
use super::space::Leaf;
use super::{Engine, PlaceKey, State};

const ELEMENTS: [ArrayKind; 8] = [
    ArrayKind::Int,
    ArrayKind::Long,
    ArrayKind::Float,
    ArrayKind::Double,
    ArrayKind::Ref,
    ArrayKind::ByteOrBoolean,
    ArrayKind::Char,
    ArrayKind::Short,
];

impl Engine<'_> {
    /// The place of that name, if this program has it.
    pub(super) fn place_named(&mut self, name: &str) -> Option<Place> {
        let known = self.places.iter().position(|place| place.name() == name);
        if let Some(known) = known {
            return Some(known as Place);
        }
        if name == "text" {
            return Some(self.text_place());
        }
        if name == "built" {
            return Some(self.built_place());
        }
        if let Some(kind) = ELEMENTS.into_iter().find(|kind| format!("{}[]", kind.word()) == name) {
            return Some(self.element_place(kind));
        }
        if let Some(field) = self.library.retyped.field_named(name) {
            return Some(self.field_place(field));
        }
        let (name, descriptor) = name.split_once(':')?;
        let (class, field) = name.rsplit_once('.')?;
        let class = self.program.find_class_text(&class.replace('.', "/"))?;
        let class = self.program.class(class)?;
        let found = class
            .fields()
            .find(|(_, declared)| {
                let names = &self.program.names;
                names.text(declared.name) == field && names.text(declared.descriptor) == descriptor
            })
            .map(|(id, _)| id)?;
        Some(self.field_place(found))
    }

    pub(super) fn is_elements(&self, place: Place) -> Option<ArrayKind> {
        self.place_numbers.iter().find_map(|(key, &number)| match key {
            PlaceKey::Elements(kind) if number == place => Some(*kind),
            PlaceKey::Elements(_) | PlaceKey::Field(_) | PlaceKey::Text | PlaceKey::Built => None,
        })
    }

    /// A place of any object that existed before.
    pub(super) fn read_anywhere(
        &mut self,
        state: &State,
        place: Place,
        key: Term,
        index: Term,
    ) -> Option<Term> {
        match self.is_elements(place) {
            Some(kind) => {
                let array = self.space.input(key);
                self.read_element(state, kind, array, index)
            }
            None => Some(self.read_leaf(state, place, Leaf::Input(key))),
        }
    }

    pub(super) fn read_fresh_anywhere(
        &mut self,
        state: &State,
        place: Place,
        object: u32,
        index: Term,
    ) -> Option<Term> {
        match self.is_elements(place) {
            Some(kind) => {
                let array = self.space.leaf_ref(Leaf::Fresh(object));
                self.read_element(state, kind, array, index)
            }
            None => Some(self.read_leaf(state, place, Leaf::Fresh(object))),
        }
    }
}
