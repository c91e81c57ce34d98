//! The assumption that inputs are trees: no object of the judged classes is reachable from them by two
//! paths.
//!
//! Said for the references that a question speaks of: two of them are the same object only if they are
//! the same field of the same object, and none is an input itself. Objects of other classes, such as
//! strings, may be shared.

use program::{Element, Role, Type};
use smt::{Op, Term};

use super::Engine;
use super::space::KEY;

/// With more references, nothing is assumed.
const MOST: usize = 160;

impl Engine<'_> {
    /// Adds the facts for the inputs and the references that occur in the terms.
    pub fn assume_unshared(&mut self, inputs: &[Term], terms: &[Term]) {
        let mut marks = smt::Marks::new();
        let cone = self.space.terms.cone(terms, &mut marks);
        let held: Vec<Term> = cone.into_iter().filter(|&term| self.is_held(term)).collect();
        if held.len() > MOST {
            return;
        }
        let zero = self.space.terms.bitvec(31, 0);
        let inputs: Vec<Term> =
            inputs.iter().map(|&input| self.space.terms.extract(30, 0, input)).collect();
        for (at, &one) in held.iter().enumerate() {
            for &two in &held[..at] {
                let same_place = if self.space.terms.op(one) == self.space.terms.op(two) {
                    let (a, b) = (self.space.terms.args(one)[0], self.space.terms.args(two)[0]);
                    self.space.terms.eq(a, b)
                } else {
                    self.space.terms.bool(false)
                };
                self.assume_apart(one, two, zero, same_place);
            }
            for &input in &inputs {
                let never = self.space.terms.bool(false);
                self.assume_apart(one, input, zero, never);
            }
        }
        for (at, &one) in inputs.iter().enumerate() {
            for &two in &inputs[..at] {
                let never = self.space.terms.bool(false);
                self.assume_apart(one, two, zero, never);
            }
        }
    }

    /// The references are different objects, or null, unless `exempt`.
    fn assume_apart(&mut self, one: Term, two: Term, zero: Term, exempt: Term) {
        let terms = &mut self.space.terms;
        let (differ, is_null) = (terms.ne(one, two), terms.eq(one, zero));
        let fact = terms.or(&[differ, is_null, exempt]);
        self.space.assume(fact);
    }

    /// Whether a term is what a field of a judged class held at the start.
    fn is_held(&mut self, term: Term) -> bool {
        let Op::Apply(function) = self.space.terms.op(term) else { return false };
        if self.space.terms.sort(term) != KEY || self.space.terms.args(term).len() != 1 {
            return false;
        }
        let name = self.space.terms.function_name(function).to_owned();
        let Some(place) = name.strip_prefix("field ").and_then(|name| self.place_named(name))
        else {
            return false;
        };
        match self.place_type(place) {
            Type { element: Element::Class(name), dimensions: 0 } => {
                let class = self.program.find_class(name);
                class.is_some_and(|class| self.program.role(class) == Role::Judged)
            }
            Type { .. } => false,
        }
    }
}
