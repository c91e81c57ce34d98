//! Methods of the library's interfaces that only answer, by their documentation: sizes, values of numbers,
//! the halves of an entry. On an object of which only such a type is known, they change nothing and throw
//! nothing, and answer the same while nothing is changed; whoever proves by it says that it is assumed.

use program::{Kind, MethodDescriptor, MethodId, Program, Role};
use smt::{Sort, Term};

use crate::symbolic::calls::returned;
use crate::symbolic::space::Leaf;
use crate::symbolic::{Engine, Outcome, State};

const SIZES: &[&str] = &["isEmpty", "size"];

/// Types, each with its methods. None has parameters.
const OBSERVERS: &[(&str, &[&str])] = &[
    (
        "java/lang/Number",
        &["byteValue", "doubleValue", "floatValue", "intValue", "longValue", "shortValue"],
    ),
    ("java/lang/CharSequence", &["length"]),
    ("java/util/AbstractCollection", SIZES),
    ("java/util/AbstractMap", SIZES),
    ("java/util/Collection", SIZES),
    ("java/util/List", SIZES),
    ("java/util/Map", SIZES),
    ("java/util/Map$Entry", &["getKey", "getValue"]),
    ("java/util/Set", SIZES),
];

fn is_observer(program: &Program, method: MethodId) -> bool {
    let (class, declared) = program.method(method);
    let (names, flags) = (&program.names, declared.access_flags);
    let (class_name, name) = (names.bytes(class.name), names.bytes(declared.name));
    program.role(class.id) == Role::Platform
        && !flags.is_static()
        && names.bytes(declared.descriptor).starts_with(b"()")
        && OBSERVERS.iter().any(|(known, methods)| {
            known.as_bytes() == class_name && methods.iter().any(|it| it.as_bytes() == name)
        })
}

impl Engine<'_> {
    /// What such a method answers on an object that existed at the start.
    pub(in crate::symbolic) fn observed(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        if !self.options.assume_contracts || !is_observer(self.program, method) {
            return None;
        }
        let leaves = self.space.leaves(arguments[0])?;
        if leaves.iter().any(|(_, leaf)| matches!(leaf, Leaf::Fresh(_))) {
            return None;
        }
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        let (owner, name) = (self.program.class_text(class.name), names.text(declared.name));
        let name = name.into_owned();
        let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
        let result = descriptor.result_type(names)?;
        self.assumptions.insert(format!(
            "of objects that it holds, as {owner}, {name}() does not throw, and answers the same while nothing is changed"
        ));
        let escaped = self.escaped(state, arguments);
        let moment = self.visible_trace(state, &escaped);
        let asked = [arguments[0], moment];
        let value = match name.as_str() {
            "size" | "length" => self.count(&name, &asked),
            "isEmpty" => {
                let size = self.count("size", &asked);
                let zero = self.space.terms.int(0);
                let is_empty = self.space.terms.eq(size, zero);
                self.boolean(is_empty)
            }
            _ => {
                let sort = self.narrow_sort(result);
                let value = self.space.apply(&format!("observed {name}"), &asked, sort);
                self.widen(value, result)
            }
        };
        let value = if result.kind() == Kind::Ref {
            self.space.or_loose(value, &format!("observed {name}"), &asked, &escaped)
        } else {
            value
        };
        Some(returned(state.clone(), Some(value)))
    }

    /// Where two runs are compared: `isEmpty()` of a collection is the call of `size()`, and whether that gave
    /// zero.
    pub(in crate::symbolic) fn emptiness(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        if self.side.is_empty()
            || &*names.text(declared.name) != "isEmpty"
            || !is_observer(self.program, method)
        {
            return None;
        }
        let [name, descriptor] = ["size", "()I"].map(|text| names.intern(text.as_bytes()));
        let size = self.program.resolve_method(class.name, name, descriptor).found()?;
        let owner = self.program.class_text(class.name);
        self.assumptions
            .insert(format!("as {owner}, objects are empty if and only if their size() is zero"));
        let text = self.method_text(size);
        let mut outcome = self.call_unknown(&text, descriptor, arguments.to_vec(), state.clone());
        if let Some((_, Some(value))) = &mut outcome.returned {
            let zero = self.space.terms.int(0);
            let is_empty = self.space.terms.eq(*value, zero);
            *value = self.boolean(is_empty);
        }
        Some(outcome)
    }

    /// How many there are, which is never less than none.
    pub(super) fn count(&mut self, name: &str, asked: &[Term]) -> Term {
        let value = self.space.apply(&format!("observed {name}"), asked, Sort::BitVec(32));
        let zero = self.space.terms.int(0);
        let some = self.space.terms.sle(zero, value);
        self.space.assume(some);
        value
    }
}
