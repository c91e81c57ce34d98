//! What library methods do, where their own code is native, too deep, or says less than is known.
//!
//! One file per area. A model answers for the arguments it understands and leaves the rest to the
//! method's own code. A class that is itself judged runs from its code.

mod afar;
mod answers;
mod arrays;
mod big;
mod builder;
mod copy;
mod digits;
mod enums;
mod lang;
mod never_null;
mod number;
mod observers;
mod questions;
mod sequences;
mod string;
mod text;

pub(super) use afar::Distance;
pub(super) use answers::{is_step, only_answers};
pub(super) use builder::CAPACITY;
pub(super) use never_null::{is_copying, is_never_null};
pub(super) use text::hash_of;

use program::{MethodId, Program};
use rustc_hash::FxHashMap;
use smt::Term;

use super::{Engine, Outcome, State};

/// Whether a class builds texts.
pub(super) fn is_builder(class: &[u8]) -> bool {
    builder::CLASSES.iter().any(|known| known.as_bytes() == class)
}

/// Whether objects of a class are what they say, and are made of it.
pub(super) fn is_said(class: &[u8]) -> bool {
    is_builder(class) || big::CLASSES.iter().any(|known| known.as_bytes() == class)
}

/// What is known of texts and of what says one.
#[derive(Default)]
pub(super) struct Said {
    /// Lengths of texts, and in how many steps they were made.
    lengths: FxHashMap<Term, Term>,
    steps: FxHashMap<Term, u32>,
    /// What big numbers say, by reference.
    numbers: FxHashMap<Term, Term>,
}

/// The outcome, or nothing where the method's own code should run.
pub(super) type Model = for<'p> fn(&mut Engine<'p>, MethodId, &[Term], &State) -> Option<Outcome>;

/// A class, then its methods by name and descriptor; an empty descriptor stands for all.
pub(super) type Area = (&'static str, &'static [(&'static str, &'static str, Model)]);

pub(super) struct Table {
    /// Classes whose own code must not run: what it keeps is not there.
    closed: Vec<program::Name>,
    models: FxHashMap<(program::Name, program::Name), Vec<(&'static str, Model)>>,
}

impl Table {
    pub(super) fn new(program: &Program) -> Table {
        let mut models: FxHashMap<_, Vec<(&'static str, Model)>> = FxHashMap::default();
        let areas = [
            lang::AREAS,
            number::AREAS,
            string::AREAS,
            arrays::AREAS,
            builder::AREAS,
            copy::AREAS,
            enums::AREAS,
            big::AREAS,
            sequences::AREAS,
        ];
        for &(class, methods) in areas.into_iter().flatten() {
            let class = program.names.intern(class.as_bytes());
            for &(name, descriptor, model) in methods {
                let name = program.names.intern(name.as_bytes());
                models.entry((class, name)).or_default().push((descriptor, model));
            }
        }
        let closed = builder::CLASSES
            .iter()
            .chain(big::CLASSES)
            .map(|name| program.names.intern(name.as_bytes()));
        Table { closed: closed.collect(), models }
    }

    /// Whether a method without a model here is a call to the outside.
    pub(super) fn is_closed(&self, class: program::Name) -> bool {
        self.closed.contains(&class)
    }

    pub(super) fn find(&self, program: &Program, method: MethodId) -> Option<Model> {
        let (class, declared) = program.method(method);
        let descriptor = program.names.bytes(declared.descriptor);
        let models = self.models.get(&(class.name, declared.name))?;
        let fits =
            |&&(wanted, _): &&(&str, Model)| wanted.is_empty() || wanted.as_bytes() == descriptor;
        models.iter().find(fits).map(|&(_, model)| model)
    }
}
