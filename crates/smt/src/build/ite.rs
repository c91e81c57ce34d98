//! `ite`, and operators pushed into the constant leaves of small `ite` trees.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};

/// The most `ite` nodes an operator is pushed through.
const PUSHED: usize = 48;

impl Terms {
    /// `then` where `guard` holds, else `other`.
    pub fn ite(&mut self, guard: Term, then: Term, other: Term) -> Term {
        self.expect_sort(guard, Sort::Bool);
        let sort = self.expect_same_sort(then, other);
        if let Some(word) = self.as_const(guard) {
            return if word != 0 { then } else { other };
        }
        if self.op(guard) == Op::Not {
            let guard = self.args(guard)[0];
            return self.ite(guard, other, then);
        }
        let then = self.under(guard, true, then);
        let other = self.under(guard, false, other);
        if then == other {
            return then;
        }
        if sort == Sort::Bool {
            return self.ite_bool(guard, then, other);
        }
        if self.op(guard) == Op::Eq {
            let pair = (self.args(guard)[0], self.args(guard)[1]);
            if pair == (then, other) || pair == (other, then) {
                return other;
            }
        }
        if let Some((inner, a, b)) = self.as_ite(other) {
            if a == then {
                let either = self.or(&[guard, inner]);
                return self.ite(either, then, b);
            }
            if b == then {
                let contrary = self.not(inner);
                let either = self.or(&[guard, contrary]);
                return self.ite(either, then, a);
            }
        }
        if let Some((inner, a, b)) = self.as_ite(then) {
            if b == other {
                let both = self.and(&[guard, inner]);
                return self.ite(both, a, other);
            }
            if a == other {
                let contrary = self.not(inner);
                let both = self.and(&[guard, contrary]);
                return self.ite(both, b, other);
            }
        }
        self.intern(Op::Ite, sort, &[guard, then, other])
    }

    fn ite_bool(&mut self, guard: Term, then: Term, other: Term) -> Term {
        if let Some(word) = self.as_const(then) {
            if word != 0 {
                return self.or(&[guard, other]);
            }
            let contrary = self.not(guard);
            return self.and(&[contrary, other]);
        }
        if let Some(word) = self.as_const(other) {
            if word != 0 {
                return self.implies(guard, then);
            }
            return self.and(&[guard, then]);
        }
        if then == guard {
            return self.or(&[guard, other]);
        }
        if other == guard {
            return self.and(&[guard, then]);
        }
        let contrary = self.not(then);
        if other == contrary {
            return self.iff(guard, then);
        }
        if self.op(then) == Op::Not && self.op(other) == Op::Not {
            let (then, other) = (self.args(then)[0], self.args(other)[0]);
            let inner = self.ite(guard, then, other);
            return self.not(inner);
        }
        if let Some((common, then, other)) = self.common_conjuncts(then, other) {
            let rest = self.ite(guard, then, other);
            return self.and2(common, rest);
        }
        self.intern(Op::Ite, Sort::Bool, &[guard, then, other])
    }

    /// Two conjunctions as what they share and the rests, if they share anything.
    fn common_conjuncts(&mut self, one: Term, two: Term) -> Option<(Term, Term, Term)> {
        let conjuncts = |terms: &Terms, term: Term| match terms.op(term) == Op::And {
            true => terms.args(term).to_vec(),
            false => vec![term],
        };
        let (one, two) = (conjuncts(self, one), conjuncts(self, two));
        let (common, first): (Vec<Term>, Vec<Term>) =
            one.iter().copied().partition(|part| two.contains(part));
        if common.is_empty() {
            return None;
        }
        let second: Vec<Term> = two.into_iter().filter(|part| !common.contains(part)).collect();
        Some((self.and(&common), self.and(&first), self.and(&second)))
    }

    /// A branch of an `ite` once its guard is known to be `value`: one level of the same guard, and
    /// for Bool the guard itself.
    fn under(&mut self, guard: Term, value: bool, branch: Term) -> Term {
        if branch == guard {
            return self.bool(value);
        }
        if self.op(branch) == Op::Not && self.args(branch)[0] == guard {
            return self.bool(!value);
        }
        match self.as_ite(branch) {
            Some((inner, a, b)) if inner == guard => {
                if value {
                    a
                } else {
                    b
                }
            }
            Some(_) | None => branch,
        }
    }

    pub(super) fn as_ite(&self, term: Term) -> Option<(Term, Term, Term)> {
        if self.op(term) != Op::Ite {
            return None;
        }
        let args = self.args(term);
        Some((args[0], args[1], args[2]))
    }

    /// `leaf` applied to the leaves of a tree of `ite`s, if the tree is small and more of its leaves
    /// are constants (which fold) than not. `leaf` must not push into `ite`s again.
    pub(super) fn push_into_ite(
        &mut self,
        term: Term,
        leaf: impl Fn(&mut Terms, Term) -> Term,
    ) -> Option<Term> {
        self.as_ite(term)?;
        // Collect the tree; ascending ids are bottom-up.
        let (mut inner, mut at) = (vec![term], 0);
        let (mut folds, mut stays) = (0usize, 0usize);
        while let Some(&node) = inner.get(at) {
            at += 1;
            let Some((_, a, b)) = self.as_ite(node) else { continue };
            for branch in [a, b] {
                if self.op(branch) == Op::Ite {
                    if !inner.contains(&branch) {
                        inner.push(branch);
                    }
                } else if self.as_const(branch).is_some() {
                    folds += 1;
                } else {
                    stays += 1;
                }
            }
            if inner.len() > PUSHED {
                return None;
            }
        }
        if folds <= stays && !(folds == 1 && stays == 1) {
            return None;
        }
        inner.sort_unstable();
        let mut mapped: FxHashMap<Term, Term> = FxHashMap::default();
        for node in inner {
            let Some((guard, a, b)) = self.as_ite(node) else { continue };
            let [a, b] = [a, b].map(|branch| match mapped.get(&branch) {
                Some(&done) => done,
                None => leaf(self, branch),
            });
            let done = self.ite(guard, a, b);
            mapped.insert(node, done);
        }
        mapped.get(&term).copied()
    }
}
