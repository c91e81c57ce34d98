//! Searches of the platform in texts (`indexOf`, `startsWith` and their like) told as the loops that they are.
//!
//! To a run such a call is a function of its texts. Where it is put beside a loop of the other version, its
//! definition is needed: the search turns as long as a condition on its place holds, and its answer follows
//! from the number of turns. Both follow from the documentation alone, for all texts: a search ends at the end
//! of a text at the latest, so that there is always one such number. A unit that is looked for must be a
//! `char`; what is said of other code points says nothing.

use program::MethodId;
use smt::Term;

use super::Engine;

/// Searches of one run that are kept.
const MOST: usize = 8;
/// Longer literals that a text may start or end with are not spelled out.
const MOST_SPELLED: usize = 16;
/// What comes after the last `char`.
const AFTER_CHARS: u64 = 0x1_0000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    FirstUnit,
    LastUnit,
    Start,
    End,
}

/// A call and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    kind: Kind,
    /// The text that it is about, then what the call was given; strings as texts.
    pub arguments: Vec<Term>,
    pub answer: Term,
}

/// A search by the number of its turns.
pub struct SearchLoop {
    /// It goes on in a turn.
    pub goes_on: Vec<Term>,
    /// What the answer is after all turns.
    pub answered: Term,
}

impl Engine<'_> {
    /// Keeps a call in mind, if it is a search.
    pub(super) fn note_search(&mut self, method: MethodId, arguments: &[Term], answer: Term) {
        let (_, declared) = self.program.method(method);
        let name = self.program.names.text(declared.name);
        let descriptor = self.program.names.text(declared.descriptor);
        if matches!(&*name, "indexOf" | "lastIndexOf") {
            self.bound_place(arguments[0], answer);
        }
        self.note_region(&name, arguments, answer);
        let kind = match (&*name, &*descriptor) {
            ("indexOf", "(I)I" | "(II)I") => Kind::FirstUnit,
            ("lastIndexOf", "(I)I" | "(II)I") => Kind::LastUnit,
            ("startsWith", _) => Kind::Start,
            ("endsWith", _) => Kind::End,
            _ => return,
        };
        let search = Search { kind, arguments: arguments.to_vec(), answer };
        if matches!(kind, Kind::Start | Kind::End) {
            self.spell_out(&search);
        }
        if self.searches.len() < MOST && !self.searches.contains(&search) {
            self.searches.push(search);
        }
    }

    /// A place that was found is one of the text's, or just behind it; -1 says that there is none.
    pub(super) fn bound_place(&mut self, text: Term, place: Term) {
        let length = self.text_length(text);
        let terms = &mut self.space.terms;
        let (zero, none) = (terms.int(0), terms.int(-1));
        let from_none = terms.sle(none, place);
        let is_length = terms.sle(zero, length);
        let is_inside = terms.sle(place, length);
        let to_end = terms.implies(is_length, is_inside);
        self.space.assume(from_none);
        self.space.assume(to_end);
    }

    /// Methods that look for a part of a text at one place (`startsWith`, `endsWith`, `regionMatches`) answer by one
    /// relation: whether so many units are the same in two texts from two places on. What each of them says of it,
    /// and of places outside of the texts, is documented.
    fn note_region(&mut self, name: &str, arguments: &[Term], answer: Term) {
        // It says how the answers of two versions go together.
        if self.side.is_empty() {
            return;
        }
        let zero = self.space.terms.int(0);
        let (text, at, part, from, count) = match (name, arguments) {
            ("startsWith", &[text, part]) => (text, Some(zero), part, zero, None),
            ("startsWith", &[text, part, at]) => (text, Some(at), part, zero, None),
            ("endsWith", &[text, part]) => (text, None, part, zero, None),
            ("regionMatches", &[text, at, part, from, count]) => {
                (text, Some(at), part, from, Some(count))
            }
            ("regionMatches", &[text, ignores_case, at, part, from, count])
                if self.space.terms.as_const(ignores_case) == Some(0) =>
            {
                (text, Some(at), part, from, Some(count))
            }
            (_, _) => return,
        };
        let (length, part_length) = (self.text_length(text), self.text_length(part));
        let terms = &mut self.space.terms;
        let count = count.unwrap_or(part_length);
        let at = at.unwrap_or_else(|| terms.sub(length, part_length));
        // None of these can overflow.
        let counts = [length, part_length, count].map(|it| terms.sle(zero, it));
        let (last, last_from) = (terms.sub(length, count), terms.sub(part_length, count));
        let room = [(zero, at), (at, last), (zero, from), (from, last_from)];
        let mut holds = room.map(|(one, two)| terms.sle(one, two)).to_vec();
        let region = [text, at, part, from, count];
        holds.push(self.space.apply("same units", &region, smt::Sort::Bool));
        let holds = self.space.terms.and(&holds);
        let said = self.boolean(holds);
        let terms = &mut self.space.terms;
        let (is_counted, is_answer) = (terms.and(&counts), terms.eq(answer, said));
        let fact = terms.implies(is_counted, is_answer);
        self.space.assume(fact);
    }

    /// A text that starts or ends with a short literal has its characters there.
    fn spell_out(&mut self, search: &Search) {
        let (text, part) = (search.arguments[0], search.arguments[1]);
        let Some(units) = self.literal_units(part).filter(|it| it.len() <= MOST_SPELLED) else {
            return;
        };
        let (start, has_room) = self.part_start(search);
        let mut all = vec![has_room];
        for (at, &unit) in units.iter().enumerate() {
            let at = self.space.terms.int(at as i32);
            let place = self.space.terms.add(start, at);
            let there = self.text_unit(text, place);
            let unit = self.space.terms.int(i32::from(unit));
            all.push(self.space.terms.eq(there, unit));
        }
        let holds = self.space.terms.and(&all);
        let value = self.boolean(holds);
        let fact = self.space.terms.eq(search.answer, value);
        self.space.assume(fact);
    }

    /// Where a part is looked for in a text, and that it can be there.
    fn part_start(&mut self, search: &Search) -> (Term, Term) {
        let lengths = [0, 1].map(|at| self.text_length(search.arguments[at]));
        let terms = &mut self.space.terms;
        let zero = terms.int(0);
        let room = terms.sub(lengths[0], lengths[1]);
        let start = match search.kind {
            Kind::End => room,
            Kind::Start | Kind::FirstUnit | Kind::LastUnit => {
                search.arguments.get(2).copied().unwrap_or(zero)
            }
        };
        let (not_before, has_room) = (terms.sle(zero, start), terms.sle(start, room));
        (start, terms.and2(not_before, has_room))
    }

    /// What a search does in a turn and after all of them.
    pub fn as_loop(&mut self, search: &Search, turns: Term) -> SearchLoop {
        let count = self.space.terms.extract(31, 0, turns);
        match search.kind {
            Kind::FirstUnit | Kind::LastUnit => self.unit_search(search, count),
            Kind::Start | Kind::End => self.part_search(search, count),
        }
    }

    fn unit_search(&mut self, search: &Search, count: Term) -> SearchLoop {
        let (text, unit) = (search.arguments[0], search.arguments[1]);
        let length = self.text_length(text);
        let from = search.arguments.get(2).copied();
        let terms = &mut self.space.terms;
        let (zero, none) = (terms.int(0), terms.int(-1));
        let place = if search.kind == Kind::FirstUnit {
            let from = from.unwrap_or(zero);
            let is_before = terms.slt(from, zero);
            let first = terms.ite(is_before, zero, from);
            terms.add(first, count)
        } else {
            let last = terms.add(length, none);
            let from = from.unwrap_or(last);
            let is_behind = terms.slt(last, from);
            let first = terms.ite(is_behind, last, from);
            terms.sub(first, count)
        };
        let is_inside = if search.kind == Kind::FirstUnit {
            terms.slt(place, length)
        } else {
            terms.sle(zero, place)
        };
        let there = self.text_unit(text, place);
        let terms = &mut self.space.terms;
        let is_other = terms.ne(there, unit);
        let found = terms.ite(is_inside, place, none);
        let is_answer = terms.eq(search.answer, found);
        let after_chars = terms.bitvec(32, AFTER_CHARS);
        let is_char = terms.ult(unit, after_chars);
        let answered = terms.implies(is_char, is_answer);
        SearchLoop { goes_on: vec![is_inside, is_other], answered }
    }

    fn part_search(&mut self, search: &Search, count: Term) -> SearchLoop {
        let (text, part) = (search.arguments[0], search.arguments[1]);
        let (start, has_room) = self.part_start(search);
        let length = self.text_length(part);
        let place = self.space.terms.add(start, count);
        let (here, there) = (self.text_unit(part, count), self.text_unit(text, place));
        let terms = &mut self.space.terms;
        let is_inside = terms.slt(count, length);
        let is_same = terms.eq(here, there);
        let is_behind = terms.not(is_inside);
        let holds = terms.and2(is_behind, has_room);
        let (zero, one) = (terms.int(0), terms.int(1));
        let found = terms.ite(holds, one, zero);
        let answered = terms.eq(search.answer, found);
        SearchLoop { goes_on: vec![is_inside, is_same], answered }
    }
}
