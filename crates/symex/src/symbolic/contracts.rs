//! Objects taken at their word: `equals` as an equivalence, `hashCode` as a function of its classes,
//! `compareTo` as an order.

use std::collections::BTreeSet;

use program::{ClassId, Element, MethodId, Role, Type};
use smt::{Op, Sort, Term};

use super::calls::returned;
use super::path::Path;
use super::{Engine, Leaf, Outcome, State};

/// What is assumed of objects that a judged one holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    Equality,
    Hash,
    Order,
}

const HELD: &str = "of objects that it holds, as ";

impl Trust {
    fn what(self) -> &'static str {
        match self {
            Trust::Equality => "equals obeys its contract",
            Trust::Hash => "hashCode obeys its contract",
            Trust::Order => "compareTo is an order",
        }
    }

    /// The assumption in words, of objects of a class.
    pub(super) fn sentence(self, class: &str) -> String {
        format!("{HELD}{class}, {}", self.what())
    }

    /// The class whose contract an assumption is about.
    pub fn of(assumption: &str) -> Option<(&str, Trust)> {
        let (class, what) = assumption.strip_prefix(HELD)?.split_once(", ")?;
        let all = [Trust::Equality, Trust::Hash, Trust::Order];
        all.into_iter().find(|trust| trust.what() == what).map(|trust| (class, trust))
    }
}

impl Engine<'_> {
    /// Whether a method is one whose contract may be assumed.
    pub(super) fn is_contract(&self, method: MethodId) -> bool {
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        match (names.bytes(declared.name), names.bytes(declared.descriptor)) {
            (b"equals", b"(Ljava/lang/Object;)Z") | (b"hashCode", b"()I") => true,
            // Of others nobody promised that it is an order.
            (b"compareTo", descriptor) => {
                descriptor.ends_with(b")I") && self.is_comparable(class.id)
            }
            (_, _) => false,
        }
    }

    /// Whether a class of the platform is better taken at its word: it keeps its hash in a field, or
    /// compares in loops. All three methods of the contract are then treated alike.
    pub(super) fn is_intricate(&mut self, method: MethodId) -> bool {
        let (class, _) = self.program.method(method);
        if !self.options.assume_contracts
            || !self.is_contract(method)
            || self.program.role(class.id) != Role::Platform
            || self.models.find(self.program, method).is_some()
        {
            return false;
        }
        let methods = class.methods().map(|(id, _)| id);
        let contract: Vec<MethodId> = methods.filter(|&id| self.is_contract(id)).collect();
        contract.into_iter().any(|id| {
            let Ok(Some(lowered)) = self.lowered(id) else { return false };
            let writes = lowered.body.instructions.iter();
            let mut writes = writes.map(|at| matches!(at.op, program::ir::Op::PutField(..)));
            let ends = lowered.flow.end.iter().enumerate();
            let mut turns = ends.map(|(place, &end)| end as usize != place);
            writes.any(|writes| writes) || turns.any(|turns| turns)
        })
    }

    /// Rests on assumptions, whatever path is taken.
    pub fn rest_on(&mut self, assumptions: impl IntoIterator<Item = String>) {
        for assumption in assumptions {
            self.take_word(assumption, Path::default());
        }
    }

    fn take_word(&mut self, assumption: String, path: Path) {
        self.assumptions.insert(assumption.clone());
        self.doubts.words.entry(assumption).or_default().push(path);
    }

    /// The condition under which a run took objects at their word by an assumption.
    pub fn takes_word(&mut self, assumption: &str) -> Term {
        let paths = self.doubts.words.get(assumption).cloned().unwrap_or_default();
        let terms = &mut self.space.terms;
        let guards: Vec<Term> = paths.iter().map(|path| path.term(terms)).collect();
        terms.or(&guards)
    }

    /// Whether a method of the contract is about to run on a part of the object that it runs on already, and
    /// that is of the same class: by induction a part keeps its contract where the whole is shown to.
    pub(super) fn is_of_own_kind(&mut self, method: MethodId, leaf: Leaf) -> bool {
        self.options.assume_contracts
            && self.is_contract(method)
            && self.stack.iter().any(|&(running, _)| running == method)
            && self.program.role(method.class) == Role::Judged
            && !self.is_asked_leaf(leaf)
    }

    fn is_comparable(&self, class: ClassId) -> bool {
        let comparable = self.program.names.find(b"java/lang/Comparable");
        let comparable = comparable.and_then(|name| self.program.find_class(name));
        comparable.is_some_and(|it| self.program.is_subtype(class, it) == Some(true))
    }

    /// `equals` as an equivalence, `hashCode` as a function of its classes, `compareTo` as an order.
    pub(super) fn call_contract(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: State,
    ) -> Outcome {
        let (class, declared) = self.program.method(method);
        let name = self.program.names.text(declared.name).into_owned();
        let what = match name.as_str() {
            "compareTo" => Trust::Order,
            "hashCode" => Trust::Hash,
            _ => Trust::Equality,
        };
        let owners = match self.handed_back(arguments) {
            Some(owner) => BTreeSet::from([owner]),
            None => self.trusted(class.id, arguments[0]),
        };
        for &owner in &owners {
            let owner = self.program.class_text(self.program.class_name(owner));
            self.take_word(what.sentence(&owner), state.path.clone());
        }
        let epoch = state.heap.epoch;
        match name.as_str() {
            "hashCode" => {
                let class =
                    self.space.apply("equality class", &[arguments[0], epoch], Sort::BitVec(32));
                let hash = self.space.apply("hash", &[class], Sort::BitVec(32));
                returned(state, Some(hash))
            }
            "equals" => {
                let one =
                    self.space.apply("equality class", &[arguments[0], epoch], Sort::BitVec(32));
                let two =
                    self.space.apply("equality class", &[arguments[1], epoch], Sort::BitVec(32));
                let same = self.space.terms.eq(one, two);
                let is_null = self.space.is_null(arguments[1]);
                let not_null = self.space.terms.not(is_null);
                let holds = self.space.terms.and2(not_null, same);
                self.note_identity(arguments[0], arguments[1], holds);
                if self.is_asked(arguments[1]) {
                    self.doubts.handed.push((owners, holds));
                }
                let value = self.boolean(holds);
                returned(state, Some(value))
            }
            _ => {
                let may_refuse =
                    self.doubts.refuses_others && self.is_any_comparable(class.id, arguments[0]);
                self.compare_by_order(arguments, state, may_refuse)
            }
        }
    }

    /// Whether nothing is said of what an object can be compared with.
    fn is_any_comparable(&mut self, called: ClassId, object: Term) -> bool {
        let comparable = self.program.names.find(b"java/lang/Comparable");
        let is_any = |id: ClassId| Some(self.program.class_name(id)) == comparable;
        is_any(called) && self.trusted(called, object).into_iter().any(is_any)
    }

    /// Takes note of a type that code asks for and whose objects have the `equals` of Object.
    pub(super) fn note_tested(&mut self, ty: Type) {
        let Type { element: Element::Class(name), dimensions: 0 } = ty else { return };
        let Some(id) = self.program.find_class(name).filter(|_| self.options.assume_contracts)
        else {
            return;
        };
        if self.fixed.tested.insert(id) && self.has_identity(id) {
            self.fixed.told_by_identity.push(id);
        }
    }

    /// Whether the objects of a class equal only themselves: neither it nor a class below it that is analysed
    /// has an `equals`. Abstract classes of the platform leave that to classes that are not.
    fn has_identity(&self, id: ClassId) -> bool {
        let Some(class) = self.program.class(id) else { return false };
        let is_platform = self.program.role(id) == Role::Platform;
        if class.is_interface()
            || self.is_root(id)
            || is_platform && class.access_flags.is_abstract()
        {
            return false;
        }
        let names = &self.program.names;
        let (Some(equals), Some(descriptor)) =
            (names.find(b"equals"), names.find(b"(Ljava/lang/Object;)Z"))
        else {
            return false;
        };
        let is_inherited = |class: &program::Class| {
            let found = self.program.resolve_method(class.name, equals, descriptor).found();
            found.is_some_and(|method| self.is_root(method.class))
        };
        let below = self.world.map_or_else(Vec::new, |world| world.subtypes(id));
        let mut below = below.into_iter().map(|id| self.program.class(id));
        is_inherited(class)
            && below.all(|class| class.is_some_and(is_inherited))
            && !(is_platform
                && self.package_of(id).any(|near| {
                    self.program.is_subtype(near.id, id) == Some(true) && !is_inherited(near)
                }))
    }

    /// The platform's classes in the package of one of them.
    fn package_of(&self, id: ClassId) -> impl Iterator<Item = &program::Class> {
        let package = self.program.package(self.program.class_name(id));
        let all = self.program.platform_package(package).iter();
        all.filter_map(|&near| self.program.class(near))
    }

    /// Of two equal objects that one is of a class whose objects equal only themselves makes them one. Where
    /// methods compare such objects by what they hold, and others by `equals`, these cannot mix.
    fn note_identity(&mut self, one: Term, two: Term, are_equal: Term) {
        for id in self.fixed.told_by_identity.clone() {
            let name = self.program.class_name(id);
            let ty = Type::class(name);
            let (Some(first), Some(second)) =
                (self.is_instance(one, ty), self.is_instance(two, ty))
            else {
                continue;
            };
            let terms = &mut self.space.terms;
            let is_one = terms.or2(first, second);
            let when = terms.and2(are_equal, is_one);
            let same = terms.eq(one, two);
            let fact = terms.implies(when, same);
            if !terms.is_true(fact) {
                self.space.assume(fact);
                let text = self.program.class_text(name);
                self.assumptions.insert(format!(
                    "no class outside of those analysed has an equals of its own for {text}"
                ));
            }
        }
    }

    /// As what the object is taken at its word: the types of the fields that it comes from, where they say
    /// more than the call does.
    pub(super) fn trusted(&mut self, called: ClassId, object: Term) -> BTreeSet<ClassId> {
        let leaves = self.space.leaves(object).unwrap_or_default();
        let keys = leaves.iter().filter_map(|&(_, leaf)| match leaf {
            Leaf::Input(key) => Some(key),
            Leaf::Null | Leaf::Fresh(_) => None,
        });
        let narrower = |key| {
            let declared = self.field_type(key)?;
            (self.program.is_subtype(declared, called) == Some(true)).then_some(declared)
        };
        let found: BTreeSet<ClassId> = keys.map(|key| narrower(key).unwrap_or(called)).collect();
        if found.is_empty() { BTreeSet::from([called]) } else { found }
    }

    /// The declared class of the field that this is the value of.
    fn field_type(&self, value: Term) -> Option<ClassId> {
        let Op::Apply(function) = self.space.terms.op(value) else { return None };
        let name = self.space.terms.function_name(function).strip_prefix("field ")?;
        let name = name.trim_end_matches('@');
        let mut places = self.place_fields.keys();
        let place = places.find(|&&place| self.places[place as usize].name() == name)?;
        match self.place_type(*place) {
            Type { element: Element::Class(name), dimensions: 0 } => self.program.find_class(name),
            Type { .. } => None,
        }
    }

    /// An order of all objects, or of those of one class: it may refuse to compare those of two.
    fn compare_by_order(&mut self, arguments: &[Term], state: State, may_refuse: bool) -> Outcome {
        let mut outcome = Outcome::default();
        let is_null = self.space.is_null(arguments[1]);
        let mut here = state;
        if here.path.decide(&self.space, is_null) != Some(false) {
            let mut thrown = here.clone();
            thrown.path = thrown.path.and(&self.space.terms, is_null);
            let exception = self.implicit_exception("java/lang/NullPointerException");
            outcome.thrown = Some((thrown, exception));
            let not_null = self.space.terms.not(is_null);
            here.path = here.path.and(&self.space.terms, not_null);
        }
        let epoch = here.heap.epoch;
        if may_refuse {
            let keyed = [arguments, &[epoch]].concat();
            let refuses = self.space.apply("refuses to be compared", &keyed, Sort::Bool);
            let same = self.is_same_class(arguments[0], arguments[1]);
            let accepts = self.space.terms.implies(refuses, same);
            let fails = self.space.terms.not(accepts);
            let mut thrown = here.clone();
            thrown.path = thrown.path.and(&self.space.terms, fails);
            let exception = self.implicit_exception("java/lang/ClassCastException");
            self.merge_thrown(&mut outcome, thrown, exception);
            here.path = here.path.and(&self.space.terms, accepts);
        }
        let one = self.space.apply("rank", &[arguments[0], epoch], Sort::BitVec(32));
        let two = self.space.apply("rank", &[arguments[1], epoch], Sort::BitVec(32));
        let value = self.signed_difference("compared", one, two);
        outcome.returned = Some((here, Some(value)));
        outcome
    }

    /// Some int whose sign is that of the difference of two ranks.
    pub(super) fn signed_difference(&mut self, name: &str, one: Term, two: Term) -> Term {
        let value = self.space.apply(name, &[one, two], Sort::BitVec(32));
        let terms = &mut self.space.terms;
        let zero = terms.int(0);
        let (less, negative) = (terms.slt(one, two), terms.slt(value, zero));
        let (same, nothing) = (terms.eq(one, two), terms.eq(value, zero));
        let (first, second) = (terms.iff(less, negative), terms.iff(same, nothing));
        self.space.assume(first);
        self.space.assume(second);
        value
    }
}
