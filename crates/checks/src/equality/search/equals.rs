//! Hits for the rules of `equals` itself.

use program::MethodDescriptor;

use super::super::contract::{equals_member, question};
use super::super::pool::{PROMISING, runs_equals_of};
use super::super::property::Property;
use super::best::{Best, Matrix};
use super::{Hit, Search};
use crate::witness::supply::member;
use crate::witness::{Access, Answer, Member, Operand, Step};

const YES: Answer = Answer::Boolean(true);
const NO: Answer = Answer::Boolean(false);

impl Search<'_, '_, '_> {
    /// Objects whose `equals` is the one that the subject declares.
    pub(super) fn own(&self) -> Vec<usize> {
        (0..self.table.len()).filter(|&at| self.is_own(at)).collect()
    }

    fn is_own(&self, at: usize) -> bool {
        let class = self.table.items[at].class;
        runs_equals_of(self.table.program(), self.contract, class, self.subject.class)
    }

    pub(super) fn equal(&mut self, x: usize, y: usize) -> Option<Answer> {
        let equals = self.equals?;
        self.table.ask(equals, x, Some(y))
    }

    /// Whether an object promises, by an interface that says what equality is and that the other one
    /// implements as well, more than it does: it equals only itself.
    pub(super) fn is_to_blame(&self, at: usize, other: usize) -> bool {
        let program = self.table.program();
        let [at, other] = [at, other].map(|at| &self.table.items[at]);
        let equals = program.class(at.class).and_then(|it| self.contract.equals_of(program, it));
        equals.is_some_and(|method| self.contract.is_objects(program, method))
            && PROMISING.iter().filter_map(|name| program.find_class_text(name)).any(|interface| {
                at.is_below(program, interface) && other.is_below(program, interface)
            })
    }

    pub(super) fn irreflexive(&mut self) -> Vec<Hit> {
        let mut hits = Vec::new();
        for x in self.own() {
            if self.equal(x, x) == Some(NO) {
                hits.push(self.hit(&[x], false, vec![ask(0, 0)]));
            }
        }
        hits
    }

    pub(super) fn asymmetric(&mut self) -> Vec<Hit> {
        let mut best = Best::default();
        for x in self.own() {
            for y in (0..self.table.len()).filter(|&y| y != x) {
                if self.is_to_blame(y, x) {
                    continue;
                }
                let Some(there) = self.equal(x, y) else { continue };
                let Some(back) = self.equal(y, x) else { continue };
                if Property::Symmetric.is_broken_by(&[there, back]) {
                    self.offer(&mut best, &[x, y]);
                }
            }
        }
        let steps = || vec![ask(0, 1), ask(1, 0)];
        best.into_positions().map(|at| self.hit(&at, false, steps())).collect()
    }

    pub(super) fn intransitive(&mut self) -> Vec<Hit> {
        let n = self.table.len();
        let own = self.own();
        if own.is_empty() {
            return Vec::new();
        }
        // Only what is equal to something can be in the middle.
        let mut is_asked = vec![false; n];
        for &x in &own {
            is_asked[x] = true;
            for (y, is_asked) in is_asked.iter_mut().enumerate() {
                *is_asked |= self.equal(x, y) == Some(YES);
            }
        }
        let equal = Matrix::fill(n, |x, y| match is_asked[x].then(|| self.equal(x, y)).flatten() {
            Some(Answer::Boolean(equal)) => Some(i8::from(equal)),
            Some(_) | None => None,
        });
        let mut best = Best::default();
        for x in own {
            for y in (0..n).filter(|&y| y != x && equal.at(x, y) == Some(1)) {
                if self.is_to_blame(y, x) {
                    continue;
                }
                for z in (0..n).filter(|&z| z != y && z != x) {
                    if equal.at(x, z) == Some(0) && equal.at(y, z) == Some(1) {
                        self.offer(&mut best, &[x, y, z]);
                    }
                }
            }
        }
        let steps = || vec![ask(0, 1), ask(1, 2), ask(0, 2)];
        best.into_positions().map(|at| self.hit(&at, false, steps())).collect()
    }

    pub(super) fn equal_to_null(&mut self) -> Vec<Hit> {
        let Some(equals) = self.equals else { return Vec::new() };
        let mut hits = Vec::new();
        for x in self.own() {
            if self.table.ask(equals, x, None) == Some(YES) {
                // The rule is about null, so null is nothing unusual here.
                hits.push(self.hit(&[x], false, vec![ask_null(0)]));
            }
        }
        hits
    }

    pub(super) fn throwing(&mut self) -> Vec<Hit> {
        let Some(equals) = self.equals else { return Vec::new() };
        let mut hits = Vec::new();
        for x in self.own() {
            if let Some(Answer::Threw(_)) = self.table.ask(equals, x, None) {
                hits.push(self.hit(&[x], true, vec![ask_null(0)]));
            }
            for y in 0..self.table.len() {
                if let Some(Answer::Threw(thrown)) = self.equal(x, y) {
                    let items = [x, y].map(|at| &self.table.items[at].recipe);
                    if thrown.contains("IndexOutOfBounds")
                        && items.iter().any(|it| it.leaves_array())
                    {
                        continue;
                    }
                    if y != x && (self.is_unfit(y) || self.is_to_blame(y, x)) {
                        continue;
                    }
                    let (at, step) =
                        if x == y { (vec![x], ask(0, 0)) } else { (vec![x, y], ask(0, 1)) };
                    hits.push(self.hit(&at, false, vec![step]));
                }
            }
        }
        hits
    }

    /// Whether an object of another class cannot even be compared with itself, or has no hash code: then it is
    /// to blame for what others throw, not they.
    fn is_unfit(&mut self, y: usize) -> bool {
        let throws = |answer| matches!(answer, Some(Answer::Threw(_)));
        let hash_code = self.hash_code();
        !self.is_own(y)
            && (throws(self.equal(y, y))
                || hash_code.is_some_and(|method| throws(self.table.ask(method, y, None))))
    }

    pub(super) fn overloaded(&mut self) -> Vec<Hit> {
        let program = self.table.program();
        let mut hits = Vec::new();
        for &overload in &self.subject.overloads {
            let (class, method) = program.method(overload);
            let descriptor = program.names.bytes(method.descriptor);
            let types = MethodDescriptor::parse(descriptor)
                .map(|descriptor| descriptor.parameter_types(&program.names));
            let Some(&[program::Type { element: program::Element::Class(name), dimensions: 0 }]) =
                types.as_deref()
            else {
                continue;
            };
            let Some(parameter) = program.find_class(name) else { continue };
            let member = member(program, class, method.name, method.descriptor, Access::Public);
            for x in 0..self.table.len() {
                if program.is_subtype(self.table.items[x].class, class.id) != Some(true) {
                    continue;
                }
                for y in 0..self.table.len() {
                    if program.is_subtype(self.table.items[y].class, parameter) != Some(true) {
                        continue;
                    }
                    let special = self.table.ask(overload, x, Some(y));
                    let general = self.equal(x, y);
                    if let (Some(Answer::Boolean(a)), Some(Answer::Boolean(b))) = (special, general)
                        && a != b
                    {
                        let steps = vec![ask_with(member.clone(), 0, 1), ask(0, 1)];
                        hits.push(self.hit(&[x, y], false, steps));
                    }
                }
            }
        }
        hits
    }
}

pub(super) fn ask(x: usize, y: usize) -> Step {
    ask_with(equals_member(), x, y)
}

pub(super) fn ask_with(method: Member, x: usize, y: usize) -> Step {
    Step::Ask(question(x, method, &[Operand::Object(y)]))
}

pub(super) fn ask_null(x: usize) -> Step {
    Step::Ask(question(x, equals_member(), &[Operand::Null]))
}
