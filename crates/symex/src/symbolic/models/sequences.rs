//! Lists and texts of which only the library's interface is known: by their documentation, what they give for
//! an index depends on nothing else while nothing is changed, an index that is none of theirs is refused, and
//! an iterator goes through what they give. Whoever proves by it says that it is assumed.

use program::{Kind, MethodDescriptor, MethodId, Role};
use smt::Term;

use super::Area;
use crate::symbolic::space::Leaf;
use crate::symbolic::{Engine, Outcome, State, StopKind};

/// Types, what gives an element for an index, and what says how many there are.
const INDEXED: &[(&str, &str, &str)] = &[
    ("java/lang/CharSequence", "charAt", "length"),
    ("java/util/AbstractList", "get", "size"),
    ("java/util/List", "get", "size"),
];

/// The platform's own iterator that asks a list for one element after the other: it stands for that of any
/// list, but for what it refuses to do.
const WALKER: &str = "java/util/ImmutableCollections$ListItr";

pub(super) const AREAS: &[Area] =
    &[(WALKER, &[("add", "", changes), ("remove", "", changes), ("set", "", changes)])];

/// Others change the list.
fn changes(engine: &mut Engine<'_>, _: MethodId, _: &[Term], state: &State) -> Option<Outcome> {
    if !engine.options.assume_contracts {
        return None;
    }
    engine.stop(state, StopKind::Unsupported, "an iterator that changes what it goes through");
    Some(Outcome::default())
}

impl Engine<'_> {
    /// What such a method gives on an object that existed at the start.
    pub(in crate::symbolic) fn in_sequence(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        let (class, declared) = self.program.method(method);
        let is_meant = self.options.assume_contracts
            && self.program.role(class.id) == Role::Platform
            && !declared.access_flags.is_static();
        let leaves = self.space.leaves(*arguments.first().filter(|_| is_meant)?)?;
        if leaves.iter().any(|(_, leaf)| matches!(leaf, Leaf::Fresh(_))) {
            return None;
        }
        let names = &self.program.names;
        let (owner, name) = (names.text(class.name), names.text(declared.name));
        match names.bytes(declared.descriptor) {
            b"(I)C" | b"(I)Ljava/lang/Object;" => {
                let mut known = INDEXED.iter();
                let of = known.find(|(ty, getter, _)| *ty == owner && *getter == name)?;
                self.at_index(method, of.2, arguments, state)
            }
            b"()Ljava/util/Iterator;" if owner == "java/util/List" && name == "iterator" => {
                self.walk(arguments[0], state)
            }
            _ => None,
        }
    }

    fn at_index(
        &mut self,
        method: MethodId,
        counter: &str,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        let &[object, index] = arguments else { return None };
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        let (owner, name) = (self.program.class_text(class.name), names.text(declared.name));
        let result = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
        let (name, result) = (name.into_owned(), result.result_type(names)?);
        self.assumptions.insert(format!(
            "of objects that it holds, as {owner}, {name}() throws only where the index is none of theirs, and \
             answers the same while nothing is changed"
        ));
        let escaped = self.escaped(state, arguments);
        let moment = self.visible_trace(state, &escaped);
        let count = self.count(counter, &[object, moment]);
        let terms = &mut self.space.terms;
        let zero = terms.int(0);
        let (above, below) = (terms.sle(zero, index), terms.slt(index, count));
        let is_there = terms.and2(above, below);
        let is_none = terms.not(is_there);
        let mut outcome = Outcome::default();
        if state.path.decide(&self.space, is_none) != Some(false) {
            let mut thrown = state.clone();
            thrown.path = thrown.path.and(&self.space.terms, is_none);
            let exception = self.implicit_exception("java/lang/IndexOutOfBoundsException");
            outcome.thrown = Some((thrown, exception));
        }
        let asked = [object, moment, index];
        let what = format!("observed {name}");
        let sort = self.narrow_sort(result);
        let value = self.space.apply(&what, &asked, sort);
        let mut value = self.widen(value, result);
        if result.kind() == Kind::Ref {
            value = self.space.or_loose(value, &what, &asked, &escaped);
        }
        let mut returned = state.clone();
        returned.path = returned.path.and(&self.space.terms, is_there);
        outcome.returned = Some((returned, Some(value)));
        Some(outcome)
    }

    /// An iterator of its own.
    fn walk(&mut self, list: Term, state: &State) -> Option<Outcome> {
        let class = self.program.find_class_text(WALKER)?;
        let names = &self.program.names;
        let descriptor = names.find(b"(Ljava/util/List;I)V")?;
        let init = self.program.known.init;
        let constructor = self
            .program
            .resolve_method(self.program.class_name(class), init, descriptor)
            .found()?;
        let escaped = self.escaped(state, &[list]);
        let moment = self.visible_trace(state, &escaped);
        let size = self.count("size", &[list, moment]);
        let walker = self.new_instance(class);
        let made = self.run_method(constructor, vec![walker, list, size], state.clone());
        self.assumptions.insert(
            "of objects that it holds, as java.util.List, iterator() goes through what get() gives"
                .to_owned(),
        );
        Some(Outcome { returned: made.returned.map(|(state, _)| (state, Some(walker))), ..made })
    }
}
