//! Empty arrays in comparisons: which of two it is shows in nothing but the comparison of references.

use smt::Term;

use super::Engine;
use super::compare::{Comparison, Moment};
use super::space::Leaf;

/// What a comparison rests on that takes empty arrays of one type for the same.
pub const EMPTY_ARRAYS: &str = "nobody asks which of two empty arrays it is";

impl Comparison<'_, '_, '_, '_> {
    /// The condition under which two objects that are not both new are empty arrays of the same type, if
    /// there is such a condition and the runs are over.
    pub(super) fn both_empty(&mut self, (one, two): (Leaf, Leaf), moment: Moment) -> Option<Term> {
        let is_candidate = match (one, two) {
            (Leaf::Null, _) | (_, Leaf::Null) | (Leaf::Fresh(_), Leaf::Fresh(_)) => false,
            (Leaf::Input(one), Leaf::Input(two)) => one != two,
            (Leaf::Fresh(_), Leaf::Input(_)) | (Leaf::Input(_), Leaf::Fresh(_)) => true,
        };
        if !is_candidate || !self.is_end(moment) {
            return None;
        }
        let one_class = self.in_first(|engine| engine.class_of_leaf(one));
        let two_class = self.second.class_of_leaf(two);
        // That one of them is an array must be known: what is no array has no length either.
        let is_array = self.in_first(|engine| engine.is_array_class(one_class))
            || self.second.is_array_class(two_class);
        if !is_array {
            return None;
        }
        let (one_length, two_length) = self.read(
            moment,
            |engine, state| {
                let reference = engine.space.leaf_ref(one);
                engine.length(state, reference)
            },
            |engine, state| {
                let reference = engine.space.leaf_ref(two);
                engine.length(state, reference)
            },
        );
        let terms = &mut self.space().terms;
        let zero = terms.int(0);
        let conditions = [
            terms.eq(one_class, two_class),
            terms.eq(one_length?, zero),
            terms.eq(two_length?, zero),
        ];
        let alike = terms.and(&conditions);
        if terms.is_false(alike) {
            return None;
        }
        self.second.assumptions.insert(EMPTY_ARRAYS.to_owned());
        Some(alike)
    }
}

impl Engine<'_> {
    /// Whether a runtime type is known to be an array type.
    fn is_array_class(&self, class: Term) -> bool {
        let number = self.space.terms.as_const(class);
        let ty = number.and_then(|number| self.numbered_type(u32::try_from(number).ok()?));
        ty.is_some_and(|ty| ty.dimensions > 0)
    }
}
