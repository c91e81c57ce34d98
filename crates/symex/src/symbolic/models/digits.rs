//! Big numbers as terms: the text of an object, functions of texts, and which object holds a result.

use program::{ClassId, Kind, MethodId, Type};
use smt::{Sort, Term};

use super::big::{CLASSES, DECIMAL, INTEGER};
use crate::symbolic::space::{FreshKind, KEY, Leaf};
use crate::symbolic::{Engine, Outcome, State};

const ROUNDING: &str = "java/math/RoundingMode";

/// The arguments of a call as numbers, and where these are null.
pub(super) struct Operands {
    pub(super) keyed: Vec<Term>,
    pub(super) nulls: Vec<Term>,
    /// The operands that the result may be, by object.
    pub(super) of_result: Vec<(Term, Term)>,
}

impl Engine<'_> {
    /// A method as a function of numbers; where it says no, by an exception of the class.
    pub(super) fn apply_numbers(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
        refusal: Option<&str>,
        commutes: bool,
    ) -> Option<Outcome> {
        let operands = self.all_operands(method, arguments, state)?;
        let mut ordered = operands.keyed.clone();
        if commutes {
            ordered.sort_unstable();
        }
        let result = self.result_type(method)?;
        let is_number = result.kind() == Kind::Ref;
        let sort = if is_number { Sort::BitVec(32) } else { self.narrow_sort(result) };
        let value = self.number_function(method, &ordered, sort);
        let mut outcome = self.where_defined(method, &operands, refusal, state);
        if let Some((state, returned)) = &mut outcome.returned {
            *returned = Some(if is_number {
                self.assumptions
                    .insert("no result of java.math has more digits than it can hold".to_owned());
                self.number_object(method, value, &operands.keyed, &operands.of_result, state)?
            } else {
                self.widen(value, result)
            });
        }
        Some(outcome)
    }

    /// The operands of a call, with the receiver if there is one; nothing where one may be of a subclass.
    pub(super) fn all_operands(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Operands> {
        let (class, declared) = self.program.method(method);
        let mut types = self.parameter_types(method)?;
        if !declared.access_flags.is_static() {
            types.insert(0, Type::class(class.name));
        }
        let mut operands = self.operands(&types, arguments, state)?;
        if !declared.access_flags.is_static() {
            operands.nulls.remove(0);
        }
        let result = self.result_type(method);
        operands.of_result.retain(|_| result.is_some_and(|ty| ty.kind() == Kind::Ref));
        Some(operands)
    }

    pub(super) fn operands(
        &mut self,
        types: &[Type],
        arguments: &[Term],
        state: &State,
    ) -> Option<Operands> {
        let string = Type::class(self.program.known.string);
        let (integer, decimal) = (self.class_type(INTEGER), self.class_type(DECIMAL));
        let rounding = self.class_type(ROUNDING);
        let (mut keyed, mut nulls, mut of_result) = (Vec::new(), Vec::new(), Vec::new());
        for (&ty, &argument) in types.iter().zip(arguments) {
            if ty.kind() != Kind::Ref {
                keyed.push(argument);
                continue;
            }
            let is_null = self.space.is_null(argument);
            if ty == rounding {
                // Which of two exceptions comes first is not said.
                if state.path.decide(&self.space, is_null) != Some(false) {
                    return None;
                }
                keyed.push(argument);
                continue;
            }
            if ty == string {
                keyed.push(self.text(state, argument)?);
            } else if ty == integer || ty == decimal {
                let class =
                    self.program.find_class_text(if ty == integer { INTEGER } else { DECIMAL })?;
                self.check_exact(class, argument, state)?;
                let number = self.number(state, argument)?;
                keyed.push(number);
                of_result.push((argument, number));
            } else {
                return None;
            }
            nulls.push(is_null);
        }
        Some(Operands { keyed, nulls, of_result })
    }

    /// The ways on of a call: where an operand is null, where the method refuses, and where it returns, still
    /// without a value.
    pub(super) fn where_defined(
        &mut self,
        method: MethodId,
        operands: &Operands,
        refusal: Option<&str>,
        state: &State,
    ) -> Outcome {
        let any_null = self.space.terms.or(&operands.nulls);
        let fine = self.space.terms.not(any_null);
        let mut outcome = self.guarded(fine, "java/lang/NullPointerException", state, None);
        let (Some(class), Some((state, _))) = (refusal, &outcome.returned) else { return outcome };
        let state = state.clone();
        let name = format!("number defined {}", self.method_text(method));
        let defined = self.number_fact(method, &name, &operands.keyed);
        let mut one = self.guarded(defined, class, &state, None);
        if let Some((state, exception)) = &mut one.thrown {
            // What it says depends on the method and the numbers.
            let said = format!("number refused {}", self.method_text(method));
            let said = self.space.apply(&said, &operands.keyed, Sort::BitVec(32));
            let (place, object) = (self.text_place(), self.space.number_of(*exception));
            state.heap.write_fresh(place, object, said);
        }
        outcome.returned = None;
        self.join(&mut outcome, one);
        outcome
    }

    /// Whether a method returns for these numbers, rather than throws.
    fn number_fact(&mut self, method: MethodId, name: &str, keyed: &[Term]) -> Term {
        let returns = self.stand_in_returns(method, name, keyed);
        match self.computed(returns) {
            Some(word) => self.space.terms.bool(word != 0),
            None => returns,
        }
    }

    pub(super) fn number_function(&mut self, method: MethodId, keyed: &[Term], sort: Sort) -> Term {
        let name = self.number_name(method);
        let value = self.stand_in(method, &name, keyed, sort);
        let Some(word) = self.computed(value) else { return value };
        match sort {
            Sort::Bool => self.space.terms.bool(word != 0),
            Sort::Float32 => self.space.terms.float32(f32::from_bits(word as u32)),
            Sort::Float64 => self.space.terms.float64(f64::from_bits(word)),
            Sort::BitVec(width) => self.space.terms.bitvec(width.into(), word),
            Sort::Array(_) | Sort::Uninterpreted(_) => value,
        }
    }

    /// What the library says, where all arguments of a function are known.
    fn computed(&mut self, applied: Term) -> Option<u64> {
        let smt::Op::Apply(function) = self.space.terms.op(applied) else { return None };
        let arguments = self.space.terms.args(applied).to_vec();
        let words: Option<Vec<u64>> =
            arguments.iter().map(|&term| self.space.terms.as_const(term)).collect();
        self.stood_for(function, &words?)
    }

    /// The object that holds a result: an operand, one that the library keeps, or a new one.
    pub(super) fn number_object(
        &mut self,
        method: MethodId,
        number: Term,
        keyed: &[Term],
        operands: &[(Term, Term)],
        state: &mut State,
    ) -> Option<Term> {
        let result = self.result_type(method)?;
        let text = self.method_text(method);
        let ty = self.type_number(result);
        self.type_constant(ty);
        let new = self.space.allocate(ty, FreshKind::Implicit);
        let (place, object) = (self.text_place(), self.space.number_of(new));
        state.heap.write_fresh(place, object, number);
        let is_kept = self.space.apply(&format!("keeps {text}"), keyed, Sort::Bool);
        let key = self.space.apply(&format!("kept {text}"), &[number], KEY);
        let kept = self.known_object(key, result, number, Some(is_kept));
        let mut reference = self.space.terms.ite(is_kept, kept, new);
        for (at, &(operand, its_number)) in operands.iter().enumerate() {
            let is_it = self.space.apply(&format!("gives {at} of {text}"), keyed, Sort::Bool);
            let same = self.space.terms.eq(number, its_number);
            let fact = self.space.terms.implies(is_it, same);
            self.space.assume(fact);
            reference = self.space.terms.ite(is_it, operand, reference);
        }
        self.said.numbers.insert(reference, number);
        Some(reference)
    }

    /// An object of this very type that existed before and says this, at least where the condition holds.
    pub(super) fn known_object(
        &mut self,
        key: Term,
        ty: Type,
        text: Term,
        condition: Option<Term>,
    ) -> Term {
        let number = self.type_number(ty);
        let wanted = self.type_constant(number);
        let class = self.class_of_leaf(Leaf::Input(key));
        let zero = self.space.terms.bitvec(31, 0);
        let not_null = self.space.terms.ne(key, zero);
        let is_of_class = self.space.terms.eq(class, wanted);
        let said = self.space.apply("text", &[key], Sort::BitVec(32));
        let says = self.space.terms.eq(said, text);
        let mut fact = self.space.terms.and(&[not_null, is_of_class, says]);
        if let Some(condition) = condition {
            fact = self.space.terms.implies(condition, fact);
        }
        self.space.assume(fact);
        self.exact_types.insert(key, number);
        self.space.note_not_null(key);
        let object = self.space.input(key);
        self.said.numbers.insert(object, text);
        object
    }

    /// What a number says; of null and of objects that are no numbers, anything.
    pub(super) fn number(&mut self, state: &State, reference: Term) -> Option<Term> {
        if let Some(&known) = self.said.numbers.get(&reference) {
            return Some(known);
        }
        if self.space.terms.op(reference) == smt::Op::Ite {
            let &[condition, one, two] = self.space.terms.args(reference) else { return None };
            let (one, two) = (self.number(state, one)?, self.number(state, two)?);
            return Some(self.space.terms.ite(condition, one, two));
        }
        let leaves = self.space.leaves(reference)?;
        let &[(_, leaf)] = &leaves[..] else { return self.text(state, reference) };
        match leaf {
            Leaf::Null => Some(self.space.terms.int(0)),
            Leaf::Fresh(object) => {
                let place = self.text_place();
                let held = state.heap.read_fresh(place, object);
                let class = self.numbered_type(self.space.fresh[object as usize].class);
                let [integer, decimal] = [INTEGER, DECIMAL].map(|name| self.class_type(name));
                let is_number = class.is_none_or(|class| {
                    [integer, decimal]
                        .into_iter()
                        .any(|ty| self.is_assignable(class, ty) != Some(false))
                });
                held.or_else(|| (!is_number).then(|| self.space.terms.int(0)))
            }
            Leaf::Input(key) => Some(match self.imported_number(key) {
                Some(number) => number,
                None => self.space.apply("text", &[key], Sort::BitVec(32)),
            }),
        }
    }

    /// The text of a number that an initialiser made.
    fn imported_number(&mut self, key: Term) -> Option<Term> {
        let address = self.space.terms.as_const(key)?;
        let &object = self.origins.get(&address)?;
        let ty = self.machine.heap.object(object).ty;
        let is_number = [INTEGER, DECIMAL].into_iter().any(|name| self.class_type(name) == ty);
        let number = is_number.then(|| self.spelled(object))??;
        let units = self.space.texts.get(number as usize)?.clone();
        Some(self.text_constant(&units))
    }

    /// Nothing unless the object is of this very class: by what is known of it, or by assumption.
    pub(super) fn check_exact(
        &mut self,
        class: ClassId,
        object: Term,
        state: &State,
    ) -> Option<()> {
        let name = self.program.class_name(class);
        let number = self.type_number(Type::class(name));
        let wanted = self.type_constant(number);
        let leaves = self.space.leaves(object)?;
        for &(guard, leaf) in leaves.iter() {
            if leaf == Leaf::Null || state.path.decide(&self.space, guard) == Some(false) {
                continue;
            }
            let is_it = self.class_of_leaf(leaf);
            let is_it = self.space.terms.eq(is_it, wanted);
            if state.path.decide(&self.space, is_it) == Some(true) {
                continue;
            }
            let is_open = matches!(leaf, Leaf::Input(_)) && !self.space.terms.is_false(is_it);
            if !is_open || !self.options.assume_contracts || self.has_heirs(class) {
                return None;
            }
            let text = self.program.class_text(name);
            self.assumptions.insert(format!("no class outside of those analysed extends {text}"));
        }
        Some(())
    }

    /// Whether one of the analysed classes extends a class.
    fn has_heirs(&self, class: ClassId) -> bool {
        self.world.is_some_and(|world| world.subtypes(class).len() > 1)
    }

    /// Whether the contract of a class is told by its numbers.
    pub(in crate::symbolic) fn is_number(&self, class: ClassId) -> bool {
        let name = self.program.names.bytes(self.program.class_name(class));
        CLASSES.iter().any(|known| known.as_bytes() == name)
            && self.program.role(class) == program::Role::Platform
            && !self.has_heirs(class)
    }

    /// The number that a long is: its text has an inverse, so that different ones differ.
    pub(super) fn number_of_long(&mut self, owner: &str, word: Term) -> Option<Term> {
        let number = self.text_of_primitive(program::Primitive::Long, word)?;
        if self.space.terms.as_const(number).is_none() {
            let inverse = self.number_method(owner, "longValue", "()J")?;
            let name = self.number_name(inverse);
            let back = self.stand_in(inverse, &name, &[number], Sort::BitVec(64));
            let fact = self.space.terms.eq(back, word);
            self.space.assume(fact);
        }
        Some(number)
    }

    pub(super) fn owner(&self, method: MethodId) -> &'static str {
        let (class, _) = self.program.method(method);
        let is_integer = self.program.names.bytes(class.name) == INTEGER.as_bytes();
        if is_integer { INTEGER } else { DECIMAL }
    }

    pub(super) fn number_method(
        &self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<MethodId> {
        let it = self.method_ref(owner, name, descriptor);
        self.program.resolve_method(it.class, it.name, it.descriptor).found()
    }

    fn number_name(&self, method: MethodId) -> String {
        format!("number {}", self.method_text(method))
    }

    /// The long that a number was made of.
    pub(super) fn as_long(&self, number: Term) -> Option<Term> {
        let smt::Op::Apply(function) = self.space.terms.op(number) else { return None };
        (self.space.terms.function_name(function) == "text of long")
            .then(|| self.space.terms.args(number)[0])
    }

    pub(super) fn same_numbers(&mut self, one: Term, two: Term) -> Term {
        match (self.as_long(one), self.as_long(two)) {
            (Some(one), Some(two)) => self.space.terms.eq(one, two),
            (_, _) => self.space.terms.eq(one, two),
        }
    }

    /// -1, 0 or 1, by an order of the numbers.
    pub(super) fn compared_numbers(&mut self, compare: MethodId, one: Term, two: Term) -> Term {
        let [less, same, more] = [-1, 0, 1].map(|it| self.space.terms.int(it));
        if let (Some(one), Some(two)) = (self.long_of(one), self.long_of(two)) {
            let (is_less, is_same) =
                (self.space.terms.slt(one, two), self.space.terms.eq(one, two));
            let rest = self.space.terms.ite(is_same, same, more);
            return self.space.terms.ite(is_less, less, rest);
        }
        let value = self.number_function(compare, &[one, two], Sort::BitVec(32));
        if self.space.terms.as_const(value).is_some() {
            return value;
        }
        let owner = self.owner(compare);
        let (low, high) = (self.number_rank(owner, one), self.number_rank(owner, two));
        let terms = &mut self.space.terms;
        let (is_less, is_same) = (terms.slt(low, high), terms.eq(low, high));
        let rest = terms.ite(is_same, same, more);
        let wanted = terms.ite(is_less, less, rest);
        let fact = terms.eq(value, wanted);
        let numbers = terms.eq(one, two);
        let fine = terms.iff(is_same, numbers);
        self.space.assume(fact);
        if owner == INTEGER {
            self.space.assume(fine);
        }
        value
    }

    /// Where a number is in the order of its class.
    pub(super) fn number_rank(&mut self, owner: &str, number: Term) -> Term {
        let name = if owner == INTEGER { "integer rank" } else { "decimal rank" };
        self.space.apply(name, &[number], Sort::BitVec(32))
    }

    /// A number as a long, where it is one by its making or as a constant.
    fn long_of(&mut self, number: Term) -> Option<Term> {
        if let Some(word) = self.as_long(number) {
            return Some(word);
        }
        let units = self.literal_units(number)?;
        let value: i64 = String::from_utf16(&units).ok()?.parse().ok()?;
        Some(self.space.terms.long(value))
    }
}
