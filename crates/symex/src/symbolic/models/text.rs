//! Texts as terms: what strings and builders say, by number.
//!
//! A text is known by its number; everything that depends on nothing else is a function of it. How a text
//! was put together is looked through for its characters; lengths of parts are given as facts, with the
//! condition that they fit an int.

use program::{MethodId, Primitive, Type};
use smt::{Sort, Term};

use crate::symbolic::meaning::Asked;
use crate::symbolic::plain::descriptor_letter;
use crate::symbolic::space::{FreshKind, Leaf};
use crate::symbolic::{Engine, State};

/// Characters of literals are given as facts up to this length.
const DESCRIBED: usize = 16;
/// Texts made in more steps are not looked through.
const STEPS: u32 = 12;

/// How a text was made.
enum Shape {
    Choice(Term, Term, Term),
    Concat(Term, Term),
    /// The whole, and where the part begins in it.
    Part(Term, Term),
    Unit(Term),
}

impl Engine<'_> {
    /// A function that stands for a method of the platform, which reads nothing but its arguments.
    pub(in crate::symbolic) fn stand_in(
        &mut self,
        method: MethodId,
        name: &str,
        arguments: &[Term],
        result: Sort,
    ) -> Term {
        let sorts: Vec<Sort> = arguments.iter().map(|&term| self.space.terms.sort(term)).collect();
        let function = self.space.function(name, &sorts, result);
        self.stands_for.insert(function, (method, Asked::Value));
        self.space.terms.apply(function, arguments)
    }

    /// Whether a method of the platform returns, rather than throws.
    pub(super) fn stand_in_returns(
        &mut self,
        method: MethodId,
        name: &str,
        arguments: &[Term],
    ) -> Term {
        let sorts: Vec<Sort> = arguments.iter().map(|&term| self.space.terms.sort(term)).collect();
        let function = self.space.function(name, &sorts, Sort::Bool);
        self.stands_for.insert(function, (method, Asked::Returns));
        self.space.terms.apply(function, arguments)
    }

    /// What a string says; of null, anything.
    pub(in crate::symbolic) fn text(&mut self, state: &State, string: Term) -> Option<Term> {
        let place = self.text_place();
        let leaves = self.space.leaves(string)?;
        let mut cases = Vec::with_capacity(leaves.len());
        for &(guard, leaf) in leaves.iter() {
            let text = match leaf {
                Leaf::Null => continue,
                Leaf::Fresh(object) => state.heap.read_fresh(place, object)?,
                Leaf::Input(key) => self.text_of_key(key),
            };
            cases.push((guard, text));
        }
        match self.space.choose(&cases) {
            Some(text) => Some(text),
            None => Some(self.space.terms.int(0)),
        }
    }

    fn text_of_key(&mut self, key: Term) -> Term {
        let known = self.space.terms.as_const(key).and_then(|at| self.known_texts.get(&at));
        if let Some(&number) = known {
            return self.space.terms.bitvec(32, u64::from(number));
        }
        self.space.apply("text", &[key], Sort::BitVec(32))
    }

    pub(in crate::symbolic) fn new_string(&mut self, state: &mut State, text: Term) -> Term {
        let number = self.type_number(Type::class(self.program.known.string));
        self.type_constant(number);
        // Its bytes stand for the text; nobody may read them as zeros.
        let string = self.space.allocate(number, FreshKind::Implicit);
        let object = self.space.number_of(string);
        let place = self.text_place();
        state.heap.write_fresh(place, object, text);
        string
    }

    pub(in crate::symbolic) fn text_constant(&mut self, units: &[u16]) -> Term {
        self.text_object(units);
        let number = self.space.text_number(units);
        self.space.terms.bitvec(32, u64::from(number))
    }

    pub(in crate::symbolic) fn literal_units(&self, text: Term) -> Option<std::rc::Rc<[u16]>> {
        let number = self.space.terms.as_const(text)?;
        self.space.texts.get(number as usize).cloned()
    }

    pub(super) fn text_hash(&mut self, text: Term) -> Term {
        if let Some(units) = self.literal_units(text) {
            return self.space.terms.int(hash_of(&units));
        }
        self.space.apply("text hash", &[text], Sort::BitVec(32))
    }

    pub(in crate::symbolic) fn text_length(&mut self, text: Term) -> Term {
        if let Some(units) = self.literal_units(text) {
            return self.space.terms.int(units.len() as i32);
        }
        if let Some(&known) = self.said.lengths.get(&text) {
            return known;
        }
        let length = match self.shape(text) {
            Some(Shape::Choice(condition, one, two)) => {
                let (one, two) = (self.text_length(one), self.text_length(two));
                self.space.terms.ite(condition, one, two)
            }
            Some(Shape::Unit(_)) => self.space.terms.int(1),
            Some(Shape::Concat(..) | Shape::Part(..)) | None => {
                let narrow = self.space.apply("text length", &[text], Sort::BitVec(31));
                self.space.terms.zero_extend(narrow, 32)
            }
        };
        self.said.lengths.insert(text, length);
        length
    }

    pub(in crate::symbolic) fn text_unit(&mut self, text: Term, index: Term) -> Term {
        if let (Some(units), Some(at)) =
            (self.literal_units(text), self.space.terms.as_const(index))
            && let Some(&unit) = units.get(at as usize)
        {
            return self.space.terms.int(i32::from(unit));
        }
        match self.shape(text) {
            Some(Shape::Choice(condition, one, two)) => {
                let (one, two) = (self.text_unit(one, index), self.text_unit(two, index));
                self.space.terms.ite(condition, one, two)
            }
            Some(Shape::Concat(head, tail)) => {
                let length = self.text_length(head);
                let is_head = self.space.terms.ult(index, length);
                let behind = self.space.terms.sub(index, length);
                let (one, two) = (self.text_unit(head, index), self.text_unit(tail, behind));
                self.space.terms.ite(is_head, one, two)
            }
            Some(Shape::Part(whole, from)) => {
                let at = self.space.terms.add(from, index);
                self.text_unit(whole, at)
            }
            Some(Shape::Unit(unit)) => unit,
            None => {
                let narrow = self.space.apply("text unit", &[text, index], Sort::BitVec(16));
                self.space.terms.zero_extend(narrow, 32)
            }
        }
    }

    /// How a text was made, where that says something about its length and its characters. Texts that
    /// were made in too many steps are opaque.
    fn shape(&mut self, text: Term) -> Option<Shape> {
        if self.steps(text) > STEPS {
            return None;
        }
        let terms = &self.space.terms;
        let args = terms.args(text);
        if terms.op(text) == smt::Op::Ite {
            return Some(Shape::Choice(args[0], args[1], args[2]));
        }
        let smt::Op::Apply(function) = terms.op(text) else { return None };
        match (terms.function_name(function), args) {
            ("concatenated", &[one, two]) => Some(Shape::Concat(one, two)),
            ("part of text", &[whole, from, _]) => Some(Shape::Part(whole, from)),
            ("text of char", &[unit]) => Some(Shape::Unit(unit)),
            (_, _) => None,
        }
    }

    /// In how many steps a text was made, along the longest way.
    fn steps(&mut self, text: Term) -> u32 {
        if let Some(&known) = self.said.steps.get(&text) {
            return known;
        }
        if self.space.terms.op(text) != smt::Op::Ite {
            return 0;
        }
        let &[_, one, two] = self.space.terms.args(text) else { return 0 };
        self.count_steps(text, &[one, two]);
        self.said.steps[&text]
    }

    fn count_steps(&mut self, text: Term, parts: &[Term]) {
        let most = parts.iter().map(|&part| self.steps(part)).max().unwrap_or(0);
        self.said.steps.insert(text, most + 1);
    }

    /// The characters from one index up to another, which the caller has checked.
    pub(in crate::symbolic) fn part_of_text(&mut self, text: Term, from: Term, to: Term) -> Term {
        let ends = (self.space.terms.as_const(from), self.space.terms.as_const(to));
        if let (Some(units), (Some(from), Some(to))) = (self.literal_units(text), ends)
            && let Some(part) = units.get(from as usize..to as usize)
        {
            return self.text_constant(part);
        }
        if from == to {
            return self.text_constant(&[]);
        }
        let whole = self.text_length(text);
        if ends.0 == Some(0) && to == whole {
            return text;
        }
        let part = self.space.apply("part of text", &[text, from, to], Sort::BitVec(32));
        self.count_steps(part, &[text]);
        let fine = self.is_range(from, to, whole);
        let length = self.text_length(part);
        let difference = self.space.terms.sub(to, from);
        let same = self.space.terms.eq(length, difference);
        let fact = self.space.terms.implies(fine, same);
        self.space.assume(fact);
        part
    }

    /// `0 <= from <= to <= length`.
    pub(in crate::symbolic) fn is_range(&mut self, from: Term, to: Term, length: Term) -> Term {
        let zero = self.space.terms.int(0);
        let terms = &mut self.space.terms;
        let all = [terms.sle(zero, from), terms.sle(from, to), terms.sle(to, length)];
        terms.and(&all)
    }

    pub(super) fn text_rank(&mut self, text: Term) -> Term {
        self.space.apply("text rank", &[text], Sort::BitVec(32))
    }

    pub(super) fn folded_rank(&mut self, text: Term) -> Term {
        self.space.apply("folded rank", &[text], Sort::BitVec(32))
    }

    /// Equal texts and only they have equal ranks, and comparing the other way round negates.
    pub(super) fn relate_ranks(&mut self, name: &str, one: Term, two: Term, low: Term, high: Term) {
        let (same, level) = (self.space.terms.eq(one, two), self.space.terms.eq(low, high));
        let fact = self.space.terms.iff(same, level);
        self.space.assume(fact);
        let forth = self.space.apply(name, &[low, high], Sort::BitVec(32));
        let back = self.space.apply(name, &[high, low], Sort::BitVec(32));
        let negated = self.space.terms.neg(back);
        let fact = self.space.terms.eq(forth, negated);
        self.space.assume(fact);
    }

    /// One text behind the other, in one normal form: grouped from the left, literals joined.
    pub(in crate::symbolic) fn concat_texts(&mut self, one: Term, two: Term) -> Term {
        let (head, tail) = (self.literal_units(one), self.literal_units(two));
        match (&head, &tail) {
            (Some(head), Some(tail)) => {
                let units: Vec<u16> = head.iter().chain(tail.iter()).copied().collect();
                return self.text_constant(&units);
            }
            (Some(empty), None) if empty.is_empty() => return two,
            (None, Some(empty)) if empty.is_empty() => return one,
            (_, _) => {}
        }
        if let Some(Shape::Concat(first, second)) = self.shape(two) {
            let one = self.concat_texts(one, first);
            return self.concat_texts(one, second);
        }
        if tail.is_some()
            && let Some(Shape::Concat(first, second)) = self.shape(one)
            && self.literal_units(second).is_some()
        {
            let two = self.concat_texts(second, two);
            return self.concat_texts(first, two);
        }
        let text = self.space.apply("concatenated", &[one, two], Sort::BitVec(32));
        self.count_steps(text, &[one, two]);
        let (first, second) = (self.text_length(one), self.text_length(two));
        let sum = self.space.terms.add(first, second);
        let zero = self.space.terms.int(0);
        let fits = self.space.terms.sle(zero, sum);
        let length = self.text_length(text);
        let same = self.space.terms.eq(length, sum);
        let fact = self.space.terms.implies(fits, same);
        self.space.assume(fact);
        text
    }

    /// The text that `String.valueOf` has for a value.
    pub(in crate::symbolic) fn text_of_primitive(
        &mut self,
        primitive: Primitive,
        value: Term,
    ) -> Option<Term> {
        if let Some(units) = self.constant_text(primitive, value) {
            return Some(self.text_constant(&units));
        }
        let kind = match primitive {
            Primitive::Boolean => {
                let zero = self.space.terms.int(0);
                let is_false = self.space.terms.eq(value, zero);
                let [yes, no] = ["true", "false"].map(|text| {
                    let units: Vec<u16> = text.encode_utf16().collect();
                    self.text_constant(&units)
                });
                return Some(self.space.terms.ite(is_false, no, yes));
            }
            Primitive::Byte | Primitive::Short | Primitive::Int => Primitive::Int,
            Primitive::Char | Primitive::Long | Primitive::Float | Primitive::Double => primitive,
        };
        let letter = descriptor_letter(kind) as char;
        let descriptor = format!("({letter})Ljava/lang/String;");
        let reference = self.method_ref("java/lang/String", "valueOf", &descriptor);
        let program = self.program;
        let method = program
            .resolve_method(reference.class, reference.name, reference.descriptor)
            .found()?;
        let name = format!("text of {}", kind.keyword());
        Some(self.stand_in(method, &name, &[value], Sort::BitVec(32)))
    }

    fn constant_text(&self, primitive: Primitive, value: Term) -> Option<Vec<u16>> {
        let word = self.space.terms.as_const(value)?;
        match primitive {
            Primitive::Boolean => {
                let text = if word == 0 { "false" } else { "true" };
                Some(text.encode_utf16().collect())
            }
            Primitive::Char => Some(vec![word as u16]),
            Primitive::Byte | Primitive::Short | Primitive::Int => {
                Some((word as u32 as i32).to_string().encode_utf16().collect())
            }
            Primitive::Long => Some((word as i64).to_string().encode_utf16().collect()),
            Primitive::Float | Primitive::Double => None,
        }
    }

    /// The facts about a literal, for strings that may turn out to say the same.
    pub(in crate::symbolic) fn describe_text(&mut self, address: u64, number: u32) {
        let units = self.space.texts[number as usize].clone();
        let text = self.space.terms.bitvec(32, u64::from(number));
        let key = self.space.terms.bitvec(31, address);
        let said = self.space.apply("text", &[key], Sort::BitVec(32));
        let fact = self.space.terms.eq(said, text);
        self.space.assume(fact);
        let hash = self.space.apply("text hash", &[text], Sort::BitVec(32));
        let value = self.space.terms.int(hash_of(&units));
        let fact = self.space.terms.eq(hash, value);
        self.space.assume(fact);
        let length = self.space.apply("text length", &[text], Sort::BitVec(31));
        let value = self.space.terms.bitvec(31, units.len() as u64);
        let fact = self.space.terms.eq(length, value);
        self.space.assume(fact);
        for (index, &unit) in units.iter().enumerate().take(DESCRIBED) {
            let index = self.space.terms.int(index as i32);
            let applied = self.space.apply("text unit", &[text, index], Sort::BitVec(16));
            let value = self.space.terms.bitvec(16, u64::from(unit));
            let fact = self.space.terms.eq(applied, value);
            self.space.assume(fact);
        }
    }
}

pub(in crate::symbolic) fn hash_of(units: &[u16]) -> i32 {
    units.iter().fold(0i32, |hash, &unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}
