//! Methods that relate two objects, or give the hash code of one, taken for functions of these and of the
//! heap instead of being followed.
//!
//! A run that takes them so stands for the real one if each of them changes nothing and calls no code outside,
//! and always gives an answer if that is said of it: whoever switches this on proves that of every method in
//! [`Relations::uses`], and may then say more of them than that they are functions. New objects are no arguments: what they hold
//! is not yet settled, and the heap of the start, of which these are functions, does not have them.

use program::{Kind, MethodDescriptor, MethodId, Role, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Term};

use super::calls::returned;
use super::{Engine, Leaf, Outcome, State, Trust};

/// Which methods are taken for functions, and where that was done.
#[derive(Debug, Clone, Default)]
pub struct Relations {
    /// Whether static methods of two objects of one type that say yes or no are.
    pub with_static: bool,
    /// What is known of those that are; among them `equals` and `hashCode` of some classes. A static method
    /// that is not here counts as one that always gives an answer.
    pub methods: FxHashMap<MethodId, Nature>,
    /// Those that are followed nevertheless.
    pub followed: FxHashSet<MethodId>,
    pub uses: Vec<Use>,
}

impl Relations {
    /// Whether any method may count as one.
    pub fn are_used(&self) -> bool {
        self.with_static || !self.methods.is_empty()
    }
}

/// What a method is known to be, beyond a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nature {
    /// It never throws anything.
    pub is_total: bool,
    pub accepted: Accepted,
}

/// To whom an `equals` says yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    Anything,
    /// Objects of the class that declares it.
    OwnKind,
    /// Those whose class is the receiver's.
    SameClass,
}

/// A call that was not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    pub method: MethodId,
    /// The receiver, if there is one, comes first.
    pub arguments: Vec<Term>,
    /// The heap that it saw.
    pub epoch: Term,
    /// That it says yes; of a hash code, the number.
    pub value: Term,
    /// That it gives an answer.
    pub answers: Term,
}

impl Engine<'_> {
    pub(super) fn run_related(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        let is_wanted = !self.relations.followed.contains(&method)
            && (self.relations.methods.contains_key(&method)
                || self.relations.with_static && self.is_static_relation(method));
        if !is_wanted || arguments.iter().any(|&argument| self.may_be_new(argument)) {
            return None;
        }
        let (_, declared) = self.program.method(method);
        let result = MethodDescriptor::parse(self.program.names.bytes(declared.descriptor))?
            .result_type(&self.program.names)?;
        let epoch = state.heap.epoch;
        let keyed = [arguments, &[epoch]].concat();
        let name = format!("related {}", self.method_text(method));
        let is_number = arguments.len() == 1;
        let sort = if is_number { Sort::BitVec(32) } else { Sort::Bool };
        debug_assert_eq!(result.kind(), Kind::Int);
        let value = self.space.apply(&name, &keyed, sort);
        let is_total = self.relations.methods.get(&method).is_none_or(|nature| nature.is_total);
        let fails = match is_total {
            true => self.space.terms.bool(false),
            false => self.space.apply(&format!("failing {name}"), &keyed, Sort::Bool),
        };
        let answers = self.space.terms.not(fails);
        let used = Use { method, arguments: arguments.to_vec(), epoch, value, answers };
        if !self.relations.uses.contains(&used) {
            self.relations.uses.push(used);
        }
        let value = if is_number {
            value
        } else {
            let holds = self.and_accepted(method, arguments, value)?;
            self.boolean(holds)
        };
        let mut here = state.clone();
        here.path = here.path.and(&self.space.terms, answers);
        let mut outcome = returned(here, Some(value));
        if !is_total {
            let mut thrown = state.clone();
            thrown.path = thrown.path.and(&self.space.terms, fails);
            let exception = self.some_throwable(&format!("thrown {name}"), &keyed);
            outcome.thrown = Some((thrown, exception));
        }
        Some(outcome)
    }

    /// A yes, with what it says of the classes of the objects: that decides which methods can run on them.
    fn and_accepted(&mut self, method: MethodId, objects: &[Term], yes: Term) -> Option<Term> {
        let nature = self.relations.methods.get(&method);
        let accepted = nature.map_or(Accepted::Anything, |nature| nature.accepted);
        let (class, _) = self.program.method(method);
        let fits = match accepted {
            Accepted::Anything => return Some(yes),
            Accepted::OwnKind => self.is_instance(objects[1], Type::class(class.name))?,
            Accepted::SameClass => {
                let fits = self.is_instance(objects[1], Type::class(class.name))?;
                let same = self.is_same_class(objects[0], objects[1]);
                self.space.terms.and2(fits, same)
            }
        };
        Some(self.space.terms.and2(yes, fits))
    }

    /// Whether a reference may be to an object of the run.
    fn may_be_new(&mut self, reference: Term) -> bool {
        let leaves = self.space.leaves(reference);
        leaves.is_none_or(|leaves| leaves.iter().any(|(_, leaf)| matches!(leaf, Leaf::Fresh(_))))
    }

    /// A static method, not of the platform, that says yes or no of two objects of one type.
    fn is_static_relation(&self, method: MethodId) -> bool {
        let (class, declared) = self.program.method(method);
        declared.access_flags.is_static()
            && self.program.role(class.id) != Role::Platform
            && self.related_types(method).is_some()
    }

    /// The type of the two objects that a static method says yes or no of.
    pub fn related_types(&self, method: MethodId) -> Option<Type> {
        let (_, declared) = self.program.method(method);
        let names = &self.program.names;
        let bytes = names.bytes(declared.descriptor);
        let &[one, two] = &MethodDescriptor::parse(bytes)?.parameter_types(names)[..] else {
            return None;
        };
        (one == two && one.kind() == Kind::Ref && bytes.ends_with(b")Z")).then_some(one)
    }

    /// Takes an object at its word, as one of this class or of that which its field says more narrowly.
    pub fn trust(&mut self, trust: Trust, class: program::ClassId, object: Term) {
        for owner in self.trusted(class, object) {
            let owner = self.program.class_text(self.program.class_name(owner));
            self.rest_on([trust.sentence(&owner)]);
        }
    }
}
