//! What runs share: the arena of terms, the initial heap as functions, runtime types and objects by
//! number, and the facts that hold of all of them.
//!
//! Everything is keyed by text (`field p/C.f`, `type [I`), never by ids of one program, so that two
//! programs can run on the same initial heap. Deliberately not here: states, which runs own.
//!
//! A reference is a 32-bit term. Null is 0. Objects that exist at the start, and those that code
//! outside makes, have the top bit clear: a 31-bit term, zero-extended. Objects that a run allocates
//! have the top bit set and a constant address each, so that they differ from each other and from
//! everything else by construction. `Class` objects are at fixed addresses made from type numbers.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Function, Op, Sort, Term, Terms};

/// Of an object that exists at the start.
pub(super) const KEY: Sort = Sort::BitVec(31);
/// Of a runtime type.
pub(super) const CLASS: Sort = Sort::BitVec(30);
/// Of the sequence of calls to the outside.
pub(super) const TRACE: Sort = Sort::BitVec(64);
const FRESH: u32 = 1 << 31;
const MIRROR: u64 = 1 << 30;
/// How often facts are followed to other facts.
const CLOSURE: usize = 3;
/// The most objects that one reference may mean.
pub(super) const MOST_LEAVES: usize = 64;

/// An object that a run allocated.
pub(super) struct Fresh {
    /// The number of its runtime type.
    pub(super) class: u32,
    pub(super) kind: FreshKind,
    /// Its place in the order of allocation.
    pub(super) born: u32,
}

#[derive(Clone)]
pub(super) enum FreshKind {
    Object,
    /// The length.
    Array(Term),
    /// An exception that the JVM makes: what its fields hold is not known.
    Implicit,
    /// A lambda, by its number among the engine's closures.
    Lambda(u32),
}

/// What a reference can be, once `ite`s are taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    Null,
    Fresh(u32),
    /// An object that exists at the start: its 31-bit key.
    Input(Term),
}

/// Of a reference to one of more objects, it is not looked at which of them may be null.
const NULL_CASES: u32 = 24;

/// The objects that a reference can be, each with its condition.
pub(super) type Leaves = Rc<[(Term, Leaf)]>;

/// What a fact speaks of.
struct Spoken {
    /// Values of functions at open places.
    calls: Vec<Term>,
    /// It matters only where all of them do: it relates two types.
    needs_all: bool,
}

#[derive(Default)]
pub struct Space {
    pub terms: Terms,
    /// Facts about the initial heap and about runtime types, at the places looked at so far.
    pub facts: Vec<Term>,
    known_facts: FxHashSet<Term>,
    /// What the first of them speak of.
    spoken_of: Vec<Spoken>,
    /// Comparisons with null that never hold.
    not_null: FxHashSet<Term>,
    functions: FxHashMap<Box<str>, Function>,
    symbols: FxHashMap<Box<str>, Term>,
    pub(super) types: Vec<Box<str>>,
    type_numbers: FxHashMap<Box<str>, u32>,
    /// Objects of the run at hand.
    pub(super) fresh: Vec<Fresh>,
    /// How many of each class it has, those of the JVM's own making apart.
    allocated: FxHashMap<(u32, bool), u32>,
    n_born: u32,
    /// Numbers of objects by class and place among those of the class, for both runs.
    labels: FxHashMap<(u32, bool, u32), u32>,
    /// Objects of the other run, where two are compared.
    parked: (Vec<Fresh>, FxHashMap<(u32, bool), u32>, u32),
    addresses: FxHashMap<Box<str>, u32>,
    /// Runtime types of objects with a known address.
    pub(super) known_classes: FxHashMap<u64, u32>,
    leaves: FxHashMap<Term, Option<Leaves>>,
    pub(super) texts: Vec<Rc<[u16]>>,
    text_numbers: FxHashMap<Rc<[u16]>, u32>,
    pub(super) subtype_questions: super::types::Questions,
}

impl Space {
    pub fn new() -> Space {
        Space::default()
    }

    /// Turns to the other run: both number their objects from 0, so that equal code gives equal terms.
    pub fn switch_side(&mut self) {
        std::mem::swap(&mut self.fresh, &mut self.parked.0);
        std::mem::swap(&mut self.allocated, &mut self.parked.1);
        std::mem::swap(&mut self.n_born, &mut self.parked.2);
    }

    /// Adds what is true of every run.
    pub fn assume(&mut self, fact: Term) {
        if !self.terms.is_true(fact) && self.known_facts.insert(fact) {
            self.facts.push(fact);
        }
    }

    /// Finds out what the facts speak of that were not looked into yet.
    fn look_into_facts(&mut self, marks: &mut smt::Marks) {
        for &fact in &self.facts[self.spoken_of.len()..] {
            let mut calls = Vec::new();
            self.terms.for_each_below(&[fact], marks, |term| {
                let is_open = |at: &Term| self.terms.as_const(*at).is_none();
                if matches!(self.terms.op(term), Op::Apply(_))
                    && self.terms.args(term).iter().any(is_open)
                {
                    calls.push(term);
                }
            });
            let is_predicate = |&&call: &&Term| self.terms.sort(call) == Sort::Bool;
            let needs_all = calls.iter().filter(is_predicate).count() > 1;
            self.spoken_of.push(Spoken { calls, needs_all });
        }
    }

    /// The facts that can matter to a question: those that speak of what its parts speak of. Of two types at
    /// once, only if it, or another such fact, asks about both, of whichever object.
    pub fn facts_about(&mut self, question: &[Term]) -> Vec<Term> {
        let mut marks = smt::Marks::new();
        self.look_into_facts(&mut marks);
        let mut known: FxHashSet<Term> = FxHashSet::default();
        self.terms.for_each_below(question, &mut marks, |term| {
            known.insert(term);
        });
        let mut open: Vec<(Term, &Spoken)> =
            self.facts.iter().copied().zip(&self.spoken_of).collect();
        let function = |term: Term| match self.terms.op(term) {
            Op::Apply(function) => Some(function),
            _ => None,
        };
        let asked: FxHashSet<Function> = known.iter().filter_map(|&term| function(term)).collect();
        let mut found = Vec::new();
        for _ in 0..CLOSURE {
            let before = found.len();
            open.retain(|&(fact, Spoken { calls, needs_all })| {
                let is_asked = |call: Term| {
                    let of_known = self.terms.args(call).iter().all(|of| known.contains(of));
                    of_known && function(call).is_some_and(|function| asked.contains(&function))
                };
                let mut here = calls.iter();
                let matters = calls.is_empty()
                    || if *needs_all {
                        here.all(|&call| known.contains(&call) || is_asked(call))
                    } else {
                        here.any(|call| known.contains(call))
                    };
                if matters {
                    found.push(fact);
                    known.extend(calls.iter().copied());
                }
                !matters
            });
            if found.len() == before {
                break;
            }
        }
        found.sort_unstable();
        found
    }

    /// The function of that name, declared when first asked for.
    pub fn function(&mut self, name: &str, parameters: &[Sort], result: Sort) -> Function {
        if let Some(&known) = self.functions.get(name) {
            let is_same = self.terms.function_parameters(known) == parameters
                && self.terms.function_result(known) == result;
            if is_same {
                return known;
            }
            // A field of another type in the other version, say: nothing is shared then.
            return self.function(&format!("{name} {parameters:?} {result:?}"), parameters, result);
        }
        let function = self.terms.declare_function(name, parameters, result);
        self.functions.insert(name.into(), function);
        function
    }

    pub fn apply(&mut self, name: &str, arguments: &[Term], result: Sort) -> Term {
        let sorts: Vec<Sort> = arguments.iter().map(|&term| self.terms.sort(term)).collect();
        let function = self.function(name, &sorts, result);
        self.terms.apply(function, arguments)
    }

    /// The symbol of that name, declared when first asked for.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&known) = self.symbols.get(name) {
            if self.terms.sort(known) == sort {
                return known;
            }
            return self.symbol(&format!("{name} {sort:?}"), sort);
        }
        let symbol = self.terms.symbol(name, sort);
        self.symbols.insert(name.into(), symbol);
        symbol
    }

    /// The number of the type with that descriptor text: `Lp/C;` without its letter, or `[I`.
    pub fn type_number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.type_numbers.get(text) {
            return number;
        }
        // 0 is no type.
        let number = self.types.len() as u32 + 1;
        self.types.push(text.into());
        self.type_numbers.insert(text.into(), number);
        number
    }

    pub(super) fn type_text(&self, number: u32) -> &str {
        self.types.get(number as usize - 1).map_or("", |text| text)
    }

    /// A string's content by number.
    pub fn text_number(&mut self, units: &[u16]) -> u32 {
        if let Some(&number) = self.text_numbers.get(units) {
            return number;
        }
        let number = self.texts.len() as u32;
        let units: Rc<[u16]> = units.into();
        self.texts.push(units.clone());
        self.text_numbers.insert(units, number);
        number
    }

    /// The fixed address of an object that is known by name, such as a constant of an enum.
    pub(super) fn named_address(&mut self, name: &str) -> u32 {
        if let Some(&address) = self.addresses.get(name) {
            return address;
        }
        let address = self.addresses.len() as u32 + 1;
        self.addresses.insert(name.into(), address);
        address
    }

    pub fn null(&mut self) -> Term {
        self.terms.bitvec(32, 0)
    }

    /// A new object. The n-th of a class has the same number in both of two runs, whatever else they
    /// make: what corresponds then mostly has the same term.
    pub(super) fn allocate(&mut self, class: u32, kind: FreshKind) -> Term {
        let is_implicit = matches!(kind, FreshKind::Implicit);
        let ordinal = self.allocated.entry((class, is_implicit)).or_default();
        let label = (class, is_implicit, *ordinal);
        *ordinal += 1;
        let next = self.labels.len() as u32;
        let number = *self.labels.entry(label).or_insert(next);
        while self.fresh.len() <= number as usize {
            self.fresh.push(Fresh { class: 0, kind: FreshKind::Implicit, born: u32::MAX });
        }
        self.n_born += 1;
        self.fresh[number as usize] = Fresh { class, kind, born: self.n_born };
        self.terms.bitvec(32, u64::from(FRESH | number))
    }

    /// The number of an object that was just allocated.
    pub(super) fn number_of(&self, allocated: Term) -> u32 {
        self.terms.as_const(allocated).map_or(0, |address| address as u32 & (FRESH - 1))
    }

    /// Whether a reference is to one object of a run.
    pub(super) fn is_fresh(&self, reference: Term) -> bool {
        self.terms.as_const(reference).is_some_and(|address| address as u32 & FRESH != 0)
    }

    /// Whether some run made an object of this number.
    pub fn is_made(&self, number: u32) -> bool {
        (number as usize) < self.labels.len()
    }

    /// How many objects the run at hand has allocated.
    pub(super) fn n_born(&self) -> u32 {
        self.n_born
    }

    /// An unknown reference, which may also be one of the `loose` objects of the run.
    pub(super) fn or_loose(
        &mut self,
        unknown: Term,
        name: &str,
        arguments: &[Term],
        loose: &[u32],
    ) -> Term {
        let mut value = unknown;
        for &object in loose {
            let is_it = format!("{name} is the run's {object}");
            let is_it = self.apply(&is_it, arguments, Sort::Bool);
            let address = self.fresh_address(object);
            value = self.terms.ite(is_it, address, value);
        }
        value
    }

    /// The reference to the object with this key.
    pub fn input(&mut self, key: Term) -> Term {
        self.terms.zero_extend(key, 32)
    }

    /// The address of the `Class` object of a runtime type.
    pub(super) fn mirror(&mut self, class: Term) -> Term {
        let one = self.terms.bitvec(1, 1);
        let key = self.terms.concat(one, class);
        self.input(key)
    }

    /// Whether this is the `Class` object of a type, whichever it is: such objects equal only themselves.
    pub(super) fn is_mirror(&self, key: Term) -> bool {
        self.terms.op(key) == Op::Concat
            && self.terms.sort(self.terms.args(key)[0]) == Sort::BitVec(1)
            && self.terms.as_const(self.terms.args(key)[0]) == Some(1)
    }

    /// The runtime type that a `Class` object at a constant address stands for.
    pub(super) fn mirrored(&self, key: Term) -> Option<u32> {
        let address = self.terms.as_const(key)?;
        (address & MIRROR != 0).then_some((address & (MIRROR - 1)) as u32)
    }

    /// Takes note of a condition that compares the runtime types of two objects.
    pub(super) fn note_types(&mut self, condition: Term) {
        let condition = match self.terms.op(condition) {
            Op::Not => self.terms.args(condition)[0],
            _ => condition,
        };
        if self.terms.op(condition) != Op::Eq {
            return;
        }
        let &[one, two] = self.terms.args(condition) else { return };
        if self.terms.sort(one) == CLASS
            && self.terms.as_const(one).is_none()
            && self.terms.as_const(two).is_none()
        {
            self.subtype_questions.note_comparison(one, two, condition);
        }
    }

    pub(super) fn is_null(&mut self, reference: Term) -> Term {
        if !self.not_null.is_empty()
            && let Some(is_null) = self.is_null_by_case(reference, &mut { NULL_CASES })
        {
            return is_null;
        }
        let null = self.null();
        self.terms.eq(reference, null)
    }

    /// Where a reference is one of few objects, which of them may be null.
    fn is_null_by_case(&mut self, reference: Term, cases_left: &mut u32) -> Option<Term> {
        *cases_left = cases_left.checked_sub(1)?;
        if self.terms.op(reference) == Op::Ite {
            let &[condition, then, other] = self.terms.args(reference) else { return None };
            let then = self.is_null_by_case(then, cases_left)?;
            let other = self.is_null_by_case(other, cases_left)?;
            return Some(self.terms.ite(condition, then, other));
        }
        let null = self.null();
        let is_null = self.terms.eq(reference, null);
        let never = self.not_null.contains(&is_null);
        Some(if never { self.terms.bool(false) } else { is_null })
    }

    /// Takes note that an object is one wherever it is met.
    pub(super) fn note_not_null(&mut self, key: Term) {
        let (reference, null) = (self.input(key), self.null());
        let is_null = self.terms.eq(reference, null);
        self.not_null.insert(is_null);
    }

    /// The objects that a reference can be, each with the condition; nothing if there are too many.
    pub(super) fn leaves(&mut self, reference: Term) -> Option<Leaves> {
        if let Some(known) = self.leaves.get(&reference) {
            return known.clone();
        }
        let found: Option<Leaves> = self.find_leaves(reference).map(Rc::from);
        self.leaves.insert(reference, found.clone());
        found
    }

    /// Guards flow down the graph from users to arguments: descending ids are a topological order.
    fn find_leaves(&mut self, reference: Term) -> Option<Vec<(Term, Leaf)>> {
        let truth = self.terms.bool(true);
        let mut waiting = std::collections::BTreeMap::from([(reference, truth)]);
        let mut found = Vec::new();
        while let Some((term, guard)) = waiting.pop_last() {
            if self.terms.op(term) == Op::Ite {
                let &[condition, then, other] = self.terms.args(term) else { continue };
                let contrary = self.terms.not(condition);
                for (branch, condition) in [(then, condition), (other, contrary)] {
                    let here = self.terms.and2(guard, condition);
                    let before = waiting.get(&branch).copied();
                    let here = match before {
                        Some(before) => self.terms.or2(before, here),
                        None => here,
                    };
                    waiting.insert(branch, here);
                }
            } else {
                if !self.terms.is_false(guard) {
                    found.push((guard, self.leaf(term)));
                }
                if found.len() > MOST_LEAVES {
                    return None;
                }
            }
        }
        found.reverse();
        Some(found)
    }

    pub(super) fn leaf(&mut self, term: Term) -> Leaf {
        match self.terms.as_const(term) {
            Some(0) => Leaf::Null,
            Some(address) if address >= u64::from(FRESH) => {
                Leaf::Fresh(address as u32 & (FRESH - 1))
            }
            Some(address) => Leaf::Input(self.terms.bitvec(31, address)),
            None => Leaf::Input(self.terms.extract(30, 0, term)),
        }
    }

    pub(super) fn fresh_address(&mut self, number: u32) -> Term {
        self.terms.bitvec(32, u64::from(FRESH | number))
    }

    /// The reference that a leaf is.
    pub(super) fn leaf_ref(&mut self, leaf: Leaf) -> Term {
        match leaf {
            Leaf::Null => self.null(),
            Leaf::Fresh(number) => self.fresh_address(number),
            Leaf::Input(key) => self.input(key),
        }
    }

    /// A value chosen by guards that are exclusive and, where it matters, complete.
    pub(super) fn choose(&mut self, cases: &[(Term, Term)]) -> Option<Term> {
        let (&(_, last), rest) = cases.split_last()?;
        let mut value = last;
        for &(guard, case) in rest.iter().rev() {
            value = self.terms.ite(guard, case, value);
        }
        Some(value)
    }
}
