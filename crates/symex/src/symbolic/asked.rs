//! Objects whose own contract is the question: they do not give their word for themselves, the code of their
//! classes speaks for them. Of those that have no code nothing is known.

use std::collections::{BTreeMap, BTreeSet};

use program::{ClassId, MethodId, Type};
use smt::Term;

use super::invoke::{MOST_TARGETS, Target};
use super::path::Path;
use super::{Engine, Leaf, Outcome, State};

/// Whose word is not taken.
#[derive(Default)]
pub struct Doubts {
    /// The objects whose own contract is the question.
    pub asked: Vec<Term>,
    /// The classes that these may be of and whose code speaks for them: they do not speak for themselves.
    pub kin: Vec<ClassId>,
    /// Where others were taken at their word, by the assumption that this is.
    pub(super) words: BTreeMap<String, Vec<Path>>,
    /// Whether comparables of no known kind may refuse to be compared with objects of other classes.
    pub refuses_others: bool,
    /// Where one of them was handed to the `equals` of an object that is taken at its word: as what that
    /// one is held, and that it says yes.
    pub handed: Vec<(BTreeSet<ClassId>, Term)>,
    /// An object of this class that may ask the others whether they equal it: that counts as handed to it.
    pub hands_back: Option<(Term, ClassId)>,
    /// Whether there is no doubt that interfaces that no lambda can implement are implemented by analysed
    /// classes alone.
    pub closes_interfaces: bool,
}

impl Engine<'_> {
    /// As what another object is asked whether it equals the one that asks, if that is what these are.
    pub(super) fn handed_back(&self, arguments: &[Term]) -> Option<ClassId> {
        let (asking, owner) = self.doubts.hands_back?;
        (arguments.get(1) == Some(&asking)).then_some(owner)
    }

    /// Whether an object may be one of those whose contract is to be shown: its own word is not enough then.
    pub fn is_asked(&mut self, object: Term) -> bool {
        let leaves = self.space.leaves(object).unwrap_or_default();
        leaves.iter().any(|&(_, leaf)| self.is_asked_leaf(leaf))
    }

    pub(super) fn is_asked_leaf(&mut self, leaf: Leaf) -> bool {
        let Leaf::Input(object) = leaf else { return false };
        let asked = self.doubts.asked.clone();
        asked.into_iter().any(|it| self.key(it) == object)
    }

    /// The code that a method has on an object whose own contract is the question, by the classes that it may
    /// be of, with the conditions on its runtime type. Nothing where there is too much of it.
    pub(super) fn asked_methods(
        &mut self,
        resolved: MethodId,
        class: Term,
    ) -> Option<Vec<(Term, ClassId, MethodId)>> {
        let mut declaring: Vec<(ClassId, MethodId)> =
            self.methods_of_kin(resolved)?.into_iter().collect();
        if declaring.len() > MOST_TARGETS {
            return None;
        }
        declaring.sort_by_key(|&(id, _)| (self.program.most_derived_first(id), id));
        let mut found = Vec::with_capacity(declaring.len());
        let mut before = self.space.terms.bool(false);
        for (id, method) in declaring {
            let fits = self.is_subtype_term(class, Type::class(self.program.class_name(id)))?;
            let earlier = self.space.terms.not(before);
            found.push((self.space.terms.and2(earlier, fits), id, method));
            before = self.space.terms.or2(before, fits);
        }
        Some(found)
    }

    /// What runs on objects of the classes in question and of those below, each with the class from which on it
    /// does.
    fn methods_of_kin(&self, resolved: MethodId) -> Option<BTreeSet<(ClassId, MethodId)>> {
        let (program, world) = (self.program, self.world?);
        let select = |id| program.select_method(id, resolved).found();
        let mut above: BTreeSet<ClassId> = BTreeSet::new();
        for &id in &self.doubts.kin {
            if program.is_subtype(id, resolved.class) == Some(true) {
                above.insert(id);
                above.extend(select(id).map(|method| method.class).filter(|&it| !self.is_root(it)));
            }
        }
        let all: BTreeSet<ClassId> = above.iter().flat_map(|&id| world.subtypes(id)).collect();
        let classes = all.into_iter().filter_map(|id| program.class(id));
        let methods = classes.filter(|class| !class.is_interface()).filter_map(|class| {
            let method = select(class.id)?;
            // A class that has the method of Object says nothing of others that have it.
            let owner = if self.is_root(method.class) { class.id } else { method.class };
            Some((owner, method))
        });
        Some(methods.collect())
    }

    /// What a method of the contract runs on an object whose own contract is the question: it does not give
    /// its word for itself, nor does code that was asked already.
    pub(super) fn asked_targets(&mut self, resolved: MethodId, class: Term) -> Vec<(Term, Target)> {
        let always = self.space.terms.bool(true);
        let is_run =
            |stack: &[(MethodId, u32)], it| stack.iter().any(|&(running, _)| running == it);
        let methods = match self.asked_methods(resolved, class) {
            Some(methods) if !methods.iter().any(|it| is_run(&self.stack, it.2)) => methods,
            Some(_) | None => return vec![(always, Target::Stranger)],
        };
        let conditions: Vec<Term> = methods.iter().map(|&(condition, ..)| condition).collect();
        let any = self.space.terms.or(&conditions);
        let targets = methods.into_iter().map(|(condition, owner, method)| {
            let is_abstract = self.program.method(method).1.access_flags.is_abstract();
            let target = Target::Asked { owner, method };
            (condition, if is_abstract { Target::Stranger } else { target })
        });
        targets.chain([(self.space.terms.not(any), Target::Stranger)]).collect()
    }

    /// Runs what such an object has for a method, from this class on.
    pub(super) fn run_asked(
        &mut self,
        owner: ClassId,
        method: MethodId,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        if !self.is_root(method.class) {
            self.assume_not_overridden(method);
        } else if !self.program.class(owner).is_some_and(|it| it.access_flags.is_final()) {
            let name = self.program.names.text(self.program.method(method).1.name);
            let owner = self.program.class_text(self.program.class_name(owner));
            self.assumptions.insert(format!(
                "no class outside of those analysed has a {name} of its own for {owner}"
            ));
        }
        self.run_method(method, arguments, state)
    }
}
