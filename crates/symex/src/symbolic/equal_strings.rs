//! Equal strings in comparisons: which of two it is shows in nothing but the comparison of references.

use program::Type;
use smt::Term;

use super::compare::{Comparison, Moment};
use super::space::Leaf;

/// What a comparison rests on that takes equal strings for the same.
pub const EQUAL_STRINGS: &str = "nobody asks which of two equal strings it is";

impl Comparison<'_, '_, '_, '_> {
    /// The condition under which two objects that are not both new are strings that say the same, if there is
    /// such a condition and the runs are over.
    pub(super) fn both_say(
        &mut self,
        (one, two): (Leaf, Leaf),
        guard: Term,
        moment: Moment,
    ) -> Option<Term> {
        self.second.equal_strings.as_ref()?;
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
        let string = self.second.type_number(Type::class(self.second.program.known.string));
        let string = self.second.type_constant(string);
        // That one of them is a string must be known: what is no string says nothing.
        if one_class != string && two_class != string {
            return None;
        }
        let (one_text, two_text) = self.read(
            moment,
            |engine, state| {
                let reference = engine.space.leaf_ref(one);
                engine.text(state, reference)
            },
            |engine, state| {
                let reference = engine.space.leaf_ref(two);
                engine.text(state, reference)
            },
        );
        let terms = &mut self.space().terms;
        let conditions = [terms.eq(one_class, two_class), terms.eq(one_text?, two_text?)];
        let alike = terms.and(&conditions);
        if terms.is_false(alike) {
            return None;
        }
        let taken = terms.and2(guard, alike);
        self.second.equal_strings.as_mut()?.push(taken);
        Some(alike)
    }
}
