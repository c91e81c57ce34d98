//! `Arrays.equals` and `Arrays.hashCode` on arrays that existed at the start: by their content, as a
//! whole.
//!
//! The content of an array is an equivalence class; equality and hash are functions of it. That holds
//! of arrays of primitives by the JDK's own code, and of arrays of objects if their elements keep the
//! contract, which is then assumed.

use program::{MethodDescriptor, MethodId};
use smt::{Sort, Term};

use super::Area;
use crate::symbolic::calls::returned;
use crate::symbolic::space::Leaf;
use crate::symbolic::{Engine, Outcome, State, Trust};

pub(super) const AREAS: &[Area] = &[(
    "java/util/Arrays",
    &[
        ("equals", "", equals),
        ("hashCode", "", hash_code),
        ("deepEquals", "", equals),
        ("deepHashCode", "", hash_code),
    ],
)];

fn equals(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[one, two] = arguments else { return None };
    let name = engine.content_name(method)?;
    engine.are_inputs(state, one)?;
    engine.are_inputs(state, two)?;
    let (first, second) = (engine.content(&name, state, one), engine.content(&name, state, two));
    let same = engine.space.terms.eq(first, second);
    let (one_null, two_null) = (engine.space.is_null(one), engine.space.is_null(two));
    let either = engine.space.terms.or2(one_null, two_null);
    let both = engine.space.terms.and2(one_null, two_null);
    let holds = engine.space.terms.ite(either, both, same);
    let value = engine.boolean(holds);
    Some(returned(state.clone(), Some(value)))
}

fn hash_code(
    engine: &mut Engine<'_>,
    method: MethodId,
    arguments: &[Term],
    state: &State,
) -> Option<Outcome> {
    let &[array] = arguments else { return None };
    let name = engine.content_name(method)?;
    engine.are_inputs(state, array)?;
    let content = engine.content(&name, state, array);
    let hash = engine.space.apply(&format!("{name} hash"), &[content], Sort::BitVec(32));
    let is_null = engine.space.is_null(array);
    let zero = engine.space.terms.int(0);
    let hash = engine.space.terms.ite(is_null, zero, hash);
    Some(returned(state.clone(), Some(hash)))
}

impl Engine<'_> {
    /// The name of the equivalence: deep and shallow equality, and each element type, have their own.
    fn content_name(&mut self, method: MethodId) -> Option<String> {
        let (_, declared) = self.program.method(method);
        let names = &self.program.names;
        let name = names.text(declared.name);
        let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
        let parameter = descriptor.parameter_types(names).first().copied()?;
        let component = parameter.component()?;
        let is_deep = name.starts_with("deep");
        let text = component.display(names);
        if component.kind() == program::Kind::Ref {
            if !self.options.assume_contracts {
                return None;
            }
            self.rest_on([Trust::Equality.sentence("java.lang.Object")]);
        }
        Some(format!("{} content of {text}[]", if is_deep { "deep" } else { "flat" }))
    }

    /// Only for arrays that the run did not make and no array was written since the start.
    fn are_inputs(&mut self, state: &State, array: Term) -> Option<()> {
        if state.heap.has_array_writes(self.places_of_elements()) {
            return None;
        }
        let leaves = self.space.leaves(array)?;
        let is_input = |&(_, leaf): &(Term, Leaf)| matches!(leaf, Leaf::Null | Leaf::Input(_));
        leaves.iter().all(is_input).then_some(())
    }

    fn content(&mut self, name: &str, state: &State, array: Term) -> Term {
        self.space.apply(name, &[array, state.heap.epoch], Sort::BitVec(32))
    }
}
