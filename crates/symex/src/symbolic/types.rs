//! Runtime types as terms: which type an object has, and whether it is a subtype of another.
//!
//! A type is a number. Of an object of unknown type, "is a `T`" is a predicate on that number, held
//! together by facts for exactly the types that were asked about: subtypes imply supertypes, unrelated
//! classes exclude each other, and each type that occurs as a constant is decided. Two unknown
//! subclasses may therefore differ from each other and from every class that is known.

use program::{Element, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Sort, Term};

use super::Engine;
use super::space::{CLASS, KEY, Leaf};

/// Of an object that is asked about more types than these, facts are not given for each pair of classes.
const FEW_TYPES: usize = 24;

/// What was asked so far, so that facts can be given for each pair once.
#[derive(Default)]
pub(super) struct Questions {
    /// By the type's term: the supertypes asked about, with the predicate.
    of_term: FxHashMap<Term, Vec<(u32, Term)>>,
    /// All supertypes asked about, by number and text.
    supertypes: Vec<u32>,
    /// All types that occur as constants.
    constants: Vec<u32>,
    /// The type's term and the supertype that a predicate asks about.
    asked: FxHashMap<Term, (Term, u32)>,
    /// Of a predicate: another one, the answer to it, and what this one then is.
    reasons: FxHashMap<Term, Vec<(Term, bool, bool)>>,
    /// Types that were compared with each other, and by which term.
    compared: FxHashMap<Term, Vec<(Term, Term)>>,
    comparisons: FxHashMap<Term, (Term, Term)>,
    /// Predicates of which it is said which superclasses they mean.
    placed: FxHashSet<Term>,
}

impl Questions {
    /// Takes note of a comparison of two runtime types.
    pub(super) fn note_comparison(&mut self, one: Term, two: Term, same: Term) {
        self.comparisons.insert(same, (one, two));
        for (one, two) in [(one, two), (two, one)] {
            let compared = self.compared.entry(one).or_default();
            if !compared.contains(&(two, same)) {
                compared.push((two, same));
            }
        }
    }

    /// The answer to a predicate that follows from others; `known` says which are decided.
    pub(super) fn decide(
        &self,
        predicate: Term,
        known: &dyn Fn(Term) -> Option<bool>,
    ) -> Option<bool> {
        let Some(&(class, number)) = self.asked.get(&predicate) else {
            return self.are_different(predicate, known).then_some(false);
        };
        if let Some(answer) = self.follows(predicate, known) {
            return Some(answer);
        }
        for &(other, same) in self.compared.get(&class).into_iter().flatten() {
            if known(same) != Some(true) {
                continue;
            }
            let twin = self.of_term.get(&other)?.iter().find(|&&(asked, _)| asked == number);
            let Some(&(_, twin)) = twin else { continue };
            if let Some(answer) = known(twin).or_else(|| self.follows(twin, known)) {
                return Some(answer);
            }
        }
        None
    }

    /// Whether a comparison is of two types of which one is what the other is not.
    fn are_different(&self, same: Term, known: &dyn Fn(Term) -> Option<bool>) -> bool {
        let Some(&(one, two)) = self.comparisons.get(&same) else { return false };
        let (Some(ones), Some(twos)) = (self.of_term.get(&one), self.of_term.get(&two)) else {
            return false;
        };
        let answer = |predicate| known(predicate).or_else(|| self.follows(predicate, known));
        ones.iter().any(|&(number, predicate)| {
            let twin = twos.iter().find(|&&(asked, _)| asked == number);
            let other = twin.and_then(|&(_, twin)| answer(twin));
            other.is_some_and(|other| answer(predicate) == Some(!other))
        })
    }

    fn follows(&self, predicate: Term, known: &dyn Fn(Term) -> Option<bool>) -> Option<bool> {
        let mut reasons = self.reasons.get(&predicate)?.iter();
        reasons.find(|&&(other, answer, _)| known(other) == Some(answer)).map(|&(.., then)| then)
    }
}

/// Types by the numbers that stand for them, and back.
#[derive(Default)]
pub(super) struct Numbered {
    by_type: FxHashMap<Type, u32>,
    pub(super) by_number: FxHashMap<u32, Type>,
}

impl Engine<'_> {
    /// The number of a type.
    pub(super) fn type_number(&mut self, ty: Type) -> u32 {
        if let Some(&number) = self.numbered.by_type.get(&ty) {
            return number;
        }
        let text = ty.display(&self.program.names);
        let number = self.space.type_number(&text);
        self.numbered.by_type.insert(ty, number);
        self.numbered.by_number.insert(number, ty);
        number
    }

    /// The type of a number, if this program knows it.
    pub(super) fn numbered_type(&self, number: u32) -> Option<Type> {
        self.numbered.by_number.get(&number).copied()
    }

    pub(super) fn type_constant(&mut self, number: u32) -> Term {
        if !self.space.subtype_questions.constants.contains(&number) {
            self.space.subtype_questions.constants.push(number);
            for supertype in self.space.subtype_questions.supertypes.clone() {
                self.decide_constant(number, supertype);
            }
        }
        self.space.terms.bitvec(30, u64::from(number))
    }

    /// The runtime type of one object.
    pub(super) fn class_of_leaf(&mut self, leaf: Leaf) -> Term {
        match leaf {
            Leaf::Null => self.space.terms.bitvec(30, 0),
            Leaf::Fresh(object) => {
                let number = self.space.fresh[object as usize].class;
                self.type_constant(number)
            }
            Leaf::Input(key) => self.class_of_key(key),
        }
    }

    fn class_of_key(&mut self, key: Term) -> Term {
        if let Some(address) = self.space.terms.as_const(key) {
            if let Some(&number) = self.space.known_classes.get(&address) {
                return self.type_constant(number);
            }
            if self.space.mirrored(key).is_some() {
                let class = self.class_type("java/lang/Class");
                let number = self.type_number(class);
                return self.type_constant(number);
            }
        }
        if let Some(&number) = self.exact_types.get(&key) {
            return self.type_constant(number);
        }
        if self.space.is_mirror(key) {
            let class = self.class_type("java/lang/Class");
            let number = self.type_number(class);
            return self.type_constant(number);
        }
        let function = self.space.function("class", &[KEY], CLASS);
        self.space.terms.apply(function, &[key])
    }

    /// The runtime type of whatever the reference is.
    pub(super) fn class_of(&mut self, reference: Term) -> Option<Term> {
        let leaves = self.space.leaves(reference)?;
        let mut cases = Vec::with_capacity(leaves.len());
        for &(guard, leaf) in leaves.iter() {
            if leaf != Leaf::Null {
                cases.push((guard, self.class_of_leaf(leaf)));
            }
        }
        match self.space.choose(&cases) {
            Some(class) => Some(class),
            None => Some(self.space.terms.bitvec(30, 0)),
        }
    }

    /// The runtime type of a reference, however many objects it may be to.
    pub(super) fn class_of_any(&mut self, reference: Term) -> Term {
        let mut reached = std::collections::BTreeSet::from([reference]);
        let mut open = vec![reference];
        while let Some(term) = open.pop() {
            if self.space.terms.op(term) == smt::Op::Ite {
                let branches = self.space.terms.args(term)[1..].to_vec();
                open.extend(branches.into_iter().filter(|&branch| reached.insert(branch)));
            }
        }
        // Arguments have smaller ids than their users.
        let mut classes: FxHashMap<Term, Term> = FxHashMap::default();
        for term in reached {
            let class = match *self.space.terms.args(term) {
                [condition, then, other] if self.space.terms.op(term) == smt::Op::Ite => {
                    self.space.terms.ite(condition, classes[&then], classes[&other])
                }
                _ => {
                    let leaf = self.space.leaf(term);
                    self.class_of_leaf(leaf)
                }
            };
            classes.insert(term, class);
        }
        classes[&reference]
    }

    /// Whether the reference, if it is not null, is an instance of `ty`; nothing if it cannot be said.
    pub(super) fn is_instance(&mut self, reference: Term, ty: Type) -> Option<Term> {
        let leaves = self.space.leaves(reference)?;
        let mut cases = Vec::with_capacity(leaves.len());
        for &(guard, leaf) in leaves.iter() {
            if leaf == Leaf::Null {
                continue;
            }
            let answer = match (self.closure_of(leaf), leaf) {
                (Some(closure), _) => {
                    let answer = self.lambda_is_instance(closure, ty)?;
                    self.space.terms.bool(answer)
                }
                (None, Leaf::Fresh(object)) => self.fresh_is_instance(object, ty)?,
                (None, Leaf::Null | Leaf::Input(_)) => {
                    let class = self.class_of_leaf(leaf);
                    self.is_subtype_term(class, ty)?
                }
            };
            cases.push((guard, answer));
        }
        match self.space.choose(&cases) {
            Some(answer) => Some(answer),
            None => Some(self.space.terms.bool(false)),
        }
    }

    fn fresh_is_instance(&mut self, object: u32, ty: Type) -> Option<Term> {
        let number = self.space.fresh[object as usize].class;
        let from = self.numbered_type(number)?;
        let answer = self.is_assignable(from, ty)?;
        Some(self.space.terms.bool(answer))
    }

    pub(super) fn is_object(&self, ty: Type) -> bool {
        ty == Type::class(self.program.known.object)
    }

    /// Whether a type, as a term, is a subtype of `ty`.
    pub(super) fn is_subtype_term(&mut self, class: Term, ty: Type) -> Option<Term> {
        if self.is_object(ty) {
            return Some(self.space.terms.bool(true));
        }
        if let Some(number) = self.space.terms.as_const(class) {
            let answer = match self.numbered_type(number as u32) {
                Some(from) => self.is_assignable(from, ty)?,
                None => false,
            };
            return Some(self.space.terms.bool(answer));
        }
        let number = self.type_number(ty);
        if self.is_exact(ty)? {
            let constant = self.type_constant(number);
            let predicate = self.space.terms.eq(class, constant);
            if self.space.terms.as_const(predicate).is_none() {
                self.ask(class, number, ty, predicate);
            }
            return Some(predicate);
        }
        if self.space.terms.op(class) == smt::Op::Ite {
            let &[condition, then, other] = self.space.terms.args(class) else { return None };
            let then = self.is_subtype_term(then, ty)?;
            let other = self.is_subtype_term(other, ty)?;
            return Some(self.space.terms.ite(condition, then, other));
        }
        Some(self.subtype_predicate(class, number, ty))
    }

    fn subtype_predicate(&mut self, class: Term, number: u32, ty: Type) -> Term {
        let name = format!("is {}", self.space.type_text(number));
        let function = self.space.function(&name, &[CLASS], Sort::Bool);
        let predicate = self.space.terms.apply(function, &[class]);
        let questions = &mut self.space.subtype_questions;
        if !questions.supertypes.contains(&number) {
            questions.supertypes.push(number);
            for constant in questions.constants.clone() {
                self.decide_constant(constant, number);
            }
        }
        if self.ask(class, number, ty, predicate) {
            self.assume_permitted(class, ty, predicate);
        }
        predicate
    }

    /// Relates a question about a type to those that were asked before; whether it is a new one.
    fn ask(&mut self, class: Term, number: u32, ty: Type, predicate: Term) -> bool {
        let questions = &mut self.space.subtype_questions;
        let asked = questions.of_term.entry(class).or_default();
        if asked.iter().any(|&(other, _)| other == number) {
            return false;
        }
        let others = asked.clone();
        asked.push((number, predicate));
        questions.asked.insert(predicate, (class, number));
        let is_one_of_many = others.len() >= FEW_TYPES && self.options.assume_contracts;
        for (other, held) in others {
            self.relate((ty, predicate), (other, held), is_one_of_many.then_some(class));
        }
        // What is asked of a type is also asked of those that it was compared with: if they are the
        // same, what is known of one decides the other.
        let compared = self.space.subtype_questions.compared.get(&class).cloned();
        for (twin, _) in compared.into_iter().flatten() {
            self.is_subtype_term(twin, ty);
        }
        true
    }

    /// The facts about one object and two types; of a class that is asked about many, by its superclasses.
    fn relate(
        &mut self,
        (ty, predicate): (Type, Term),
        (other, held): (u32, Term),
        class: Option<Term>,
    ) {
        let Some(other) = self.numbered_type(other) else { return };
        for (below, above, one, two) in [(ty, other, predicate, held), (other, ty, held, predicate)]
        {
            if self.is_assignable(below, above) == Some(true) {
                let fact = self.space.terms.implies(one, two);
                self.space.assume(fact);
                self.note_reason(two, (one, true, true));
                self.note_reason(one, (two, false, false));
            }
        }
        if self.exclude_each_other(ty, other) {
            let is_told = class.is_some_and(|class| {
                self.place(class, ty, predicate) && self.place(class, other, held)
            });
            if !is_told {
                let both = self.space.terms.and2(predicate, held);
                let fact = self.space.terms.not(both);
                self.space.assume(fact);
            }
            self.note_reason(predicate, (held, true, false));
            self.note_reason(held, (predicate, true, false));
        }
    }

    /// Says which superclass an object of a type has at each distance from the root, if the type is a class
    /// whose superclasses are all known. Of two classes of which neither extends the other these differ:
    /// among many, that takes fewer facts than one for each pair.
    fn place(&mut self, class: Term, ty: Type, predicate: Term) -> bool {
        if self.space.subtype_questions.placed.contains(&predicate) {
            return true;
        }
        let Element::Class(name) = ty.element else { return false };
        let declared = self.program.find_class(name).and_then(|id| self.program.class(id));
        let Some(declared) = declared.filter(|it| ty.dimensions == 0 && !it.is_interface()) else {
            return false;
        };
        let superclasses = &self.program.ancestry(declared).superclasses;
        let is_root =
            |id: program::ClassId| self.program.class_name(id) == self.program.known.object;
        if !superclasses.last().is_some_and(|&last| is_root(last)) {
            return false;
        }
        for (depth, &id) in superclasses.iter().rev().enumerate().skip(1) {
            let number = self.type_number(Type::class(self.program.class_name(id)));
            let name = format!("superclass {depth}");
            let function = self.space.function(&name, &[CLASS], CLASS);
            let superclass = self.space.terms.apply(function, &[class]);
            let constant = self.space.terms.bitvec(30, u64::from(number));
            let is_that = self.space.terms.eq(superclass, constant);
            let fact = self.space.terms.implies(predicate, is_that);
            self.space.assume(fact);
        }
        self.space.subtype_questions.placed.insert(predicate)
    }

    fn note_reason(&mut self, predicate: Term, reason: (Term, bool, bool)) {
        self.space.subtype_questions.reasons.entry(predicate).or_default().push(reason);
    }

    /// Whether no object can be an instance of both: classes of which neither extends the other, a
    /// class and an array, or a final class and what it does not extend or implement.
    fn exclude_each_other(&self, one: Type, two: Type) -> bool {
        let is_class = |ty: Type| match ty.element {
            Element::Class(name) if ty.dimensions == 0 => {
                let id = self.program.find_class(name);
                id.and_then(|id| self.program.class(id)).is_some_and(|class| !class.is_interface())
            }
            Element::Class(_) | Element::Primitive(_) => false,
        };
        let is_final_beside = |one: Type, two: Type| {
            self.is_exact(one) == Some(true) && self.is_assignable(one, two) == Some(false)
        };
        if is_final_beside(one, two) || is_final_beside(two, one) {
            return true;
        }
        if !is_class(one) || !is_class(two) {
            return (one.dimensions > 0 && is_class(two)) || (two.dimensions > 0 && is_class(one));
        }
        self.is_assignable(one, two) == Some(false) && self.is_assignable(two, one) == Some(false)
    }

    fn decide_constant(&mut self, constant: u32, supertype: u32) {
        let (Some(from), Some(to)) = (self.numbered_type(constant), self.numbered_type(supertype))
        else {
            return;
        };
        let Some(answer) = self.is_assignable(from, to) else { return };
        let name = format!("is {}", self.space.type_text(supertype));
        let function = self.space.function(&name, &[CLASS], Sort::Bool);
        let class = self.space.terms.bitvec(30, u64::from(constant));
        let predicate = self.space.terms.apply(function, &[class]);
        let answer = self.space.terms.bool(answer);
        let fact = self.space.terms.iff(predicate, answer);
        self.space.assume(fact);
    }

    /// Whether the type has no subtypes: an object of it has exactly this runtime type.
    pub(super) fn is_exact(&self, ty: Type) -> Option<bool> {
        match ty.element {
            Element::Primitive(_) => Some(true),
            Element::Class(name) => {
                let class = self.program.class(self.program.find_class(name)?)?;
                Some(class.access_flags.is_final())
            }
        }
    }

    pub(super) fn is_assignable(&self, from: Type, to: Type) -> Option<bool> {
        is_assignable(self.program, from, to)
    }

    /// Says of every object of the start that the reference may be that it has the declared type.
    pub(super) fn assume_types(&mut self, reference: Term, ty: Type) {
        let Some(leaves) = self.space.leaves(reference) else { return };
        for &(_, leaf) in leaves.iter() {
            if let Leaf::Input(key) = leaf {
                self.assume_type(key, ty);
            }
        }
    }

    /// Says that an object that existed at the start is null or has the declared type.
    pub(super) fn assume_type(&mut self, key: Term, ty: Type) {
        if self.is_object(ty) || self.space.terms.as_const(key).is_some() {
            return;
        }
        if ty.dimensions > 0 {
            self.array_types.insert(key, ty);
        }
        if self.exact_types.contains_key(&key) {
            return;
        }
        let class = self.class_of_key(key);
        let Some(fits) = self.is_subtype_term(class, ty) else { return };
        if self.is_exact(ty) == Some(true) {
            let number = self.type_number(ty);
            self.exact_types.insert(key, number);
        }
        let zero = self.space.terms.bitvec(31, 0);
        let is_null = self.space.terms.eq(key, zero);
        let fact = self.space.terms.or2(is_null, fits);
        self.space.assume(fact);
        self.assume_constant(key, ty);
    }

    pub(super) fn class_type(&self, name: &str) -> Type {
        Type::class(self.program.names.intern(name.as_bytes()))
    }
}

/// Whether a value of type `from` may be cast to `to` (JVMS `checkcast`); nothing where a missing
/// class leaves it open.
pub(super) fn is_assignable(program: &Program, from: Type, to: Type) -> Option<bool> {
    if from == to || to == Type::class(program.known.object) {
        return Some(true);
    }
    if to.dimensions < from.dimensions {
        let Element::Class(name) = to.element else { return Some(false) };
        let bytes = program.names.bytes(name);
        let every =
            matches!(bytes, b"java/lang/Object" | b"java/lang/Cloneable" | b"java/io/Serializable");
        return Some(every);
    }
    if to.dimensions > from.dimensions {
        return Some(false);
    }
    match (from.element, to.element) {
        (Element::Class(from), Element::Class(to)) => {
            let (from, to) = (program.find_class(from)?, program.find_class(to)?);
            program.is_subtype(from, to)
        }
        (from, to) => Some(from == to),
    }
}
