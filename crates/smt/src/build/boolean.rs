//! Booleans: negation and n-ary conjunction; everything else is made of these, `ite` and `eq`.
//!
//! With `or` as `not and not`, complements are found by looking at one `Not`, and guards that meet
//! again after a branch (`g and c or g and not c`) fold back to `g`.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};

/// Conjunctions are flattened up to this many arguments: guards of nested branches would otherwise
/// cost the square of their depth.
const FLAT: usize = 64;
/// Conjunctions with more arguments, those of negated conjunctions included, are not simplified beyond
/// complements.
const SIMPLIFIED: usize = 256;

impl Terms {
    pub fn not(&mut self, term: Term) -> Term {
        self.expect_sort(term, Sort::Bool);
        match self.as_const(term) {
            Some(word) => self.bool(word == 0),
            None if self.op(term) == Op::Not => self.args(term)[0],
            None => self.intern(Op::Not, Sort::Bool, &[term]),
        }
    }

    pub fn and2(&mut self, left: Term, right: Term) -> Term {
        self.and(&[left, right])
    }

    pub fn or2(&mut self, left: Term, right: Term) -> Term {
        self.or(&[left, right])
    }

    pub fn or(&mut self, terms: &[Term]) -> Term {
        let negated: Vec<Term> = terms.iter().map(|&term| self.not(term)).collect();
        let none = self.and(&negated);
        self.not(none)
    }

    pub fn implies(&mut self, left: Term, right: Term) -> Term {
        let contrary = self.not(left);
        self.or(&[contrary, right])
    }

    pub fn xor(&mut self, left: Term, right: Term) -> Term {
        let same = self.iff(left, right);
        self.not(same)
    }

    pub fn and(&mut self, terms: &[Term]) -> Term {
        let Some(mut args) = self.flatten(terms) else { return self.bool(false) };
        loop {
            sort_terms(&mut args);
            if self.has_complement(&args) {
                return self.bool(false);
            }
            let literals: usize =
                args.iter().map(|&arg| 1 + self.clause(arg).map_or(0, <[Term]>::len)).sum();
            self.work += literals as u64;
            if literals > SIMPLIFIED || (!self.propagate(&mut args) && !self.resolve(&mut args)) {
                break;
            }
            match self.flatten(&args) {
                Some(flat) => args = flat,
                None => return self.bool(false),
            }
        }
        if let &[left, right] = &args[..]
            && let Some(factored) = self.factor(left, right)
        {
            return factored;
        }
        self.conjunction(&args)
    }

    /// The arguments without `true` and with small conjunctions opened; nothing if one is `false`.
    fn flatten(&self, terms: &[Term]) -> Option<Vec<Term>> {
        let mut flat = Vec::with_capacity(terms.len());
        let mut room = FLAT.saturating_sub(terms.len());
        for &term in terms {
            self.expect_sort(term, Sort::Bool);
            if let Some(word) = self.as_const(term) {
                if word == 0 {
                    return None;
                }
            } else if self.op(term) == Op::And && self.args(term).len() <= room {
                room -= self.args(term).len();
                flat.extend_from_slice(self.args(term));
            } else {
                flat.push(term);
            }
        }
        Some(flat)
    }

    fn has_complement(&self, sorted: &[Term]) -> bool {
        sorted.iter().any(|&term| {
            self.op(term) == Op::Not && sorted.binary_search(&self.args(term)[0]).is_ok()
        })
    }

    /// The conjuncts inside `not and(..)`.
    fn clause(&self, term: Term) -> Option<&[Term]> {
        if self.op(term) != Op::Not {
            return None;
        }
        let inner = self.args(term)[0];
        (self.op(inner) == Op::And).then(|| self.args(inner))
    }

    /// Uses each argument inside the negated conjunctions beside it: `a and not(a and b)` is
    /// `a and not b`, `not a and not(a and b)` is `not a`.
    fn propagate(&mut self, args: &mut Vec<Term>) -> bool {
        let mut negated: Vec<Term> = args
            .iter()
            .filter(|&&arg| self.op(arg) == Op::Not)
            .map(|&arg| self.args(arg)[0])
            .collect();
        negated.sort_unstable();
        let mut changed: Vec<(usize, Option<Vec<Term>>)> = Vec::new();
        for at in 0..args.len() {
            let Some(clause) = self.clause(args[at]) else { continue };
            let refuted = |&literal: &Term| match self.op(literal) == Op::Not {
                true => args.binary_search(&self.args(literal)[0]).is_ok(),
                false => negated.binary_search(&literal).is_ok(),
            };
            if clause.iter().any(refuted) {
                changed.push((at, None));
                continue;
            }
            let is_given = |literal: &Term| args.binary_search(literal).is_ok();
            if clause.iter().any(is_given) {
                let kept = clause.iter().copied().filter(|literal| !is_given(literal)).collect();
                changed.push((at, Some(kept)));
            }
        }
        // Backwards, so that places stay what they are.
        for (at, kept) in changed.iter().rev() {
            match kept {
                Some(kept) => {
                    let rest = self.conjunction(kept);
                    args[*at] = self.not(rest);
                }
                None => {
                    args.remove(*at);
                }
            }
        }
        !changed.is_empty()
    }

    /// `not(g and a) and not(g and not a)` is `not g`.
    fn resolve(&mut self, args: &mut Vec<Term>) -> bool {
        if args.len() > 8 {
            return false;
        }
        for left in 0..args.len() {
            for right in left + 1..args.len() {
                let Some((common, one, other)) = self.split(args[left], args[right]) else {
                    continue;
                };
                let contrary = self.not(one);
                if contrary == other {
                    let both = self.conjunction(&common);
                    args[left] = self.not(both);
                    args.remove(right);
                    return true;
                }
            }
        }
        false
    }

    /// `not(g and a) and not(g and b)` as `not(g and not(not a and not b))`, so that the guard that
    /// two branches share stays one conjunct.
    fn factor(&mut self, left: Term, right: Term) -> Option<Term> {
        let (common, one, other) = self.split(left, right)?;
        let (not_one, not_other) = (self.not(one), self.not(other));
        let neither = self.and(&[not_one, not_other]);
        let either = self.not(neither);
        let mut all = common;
        all.push(either);
        let both = self.and(&all);
        Some(self.not(both))
    }

    /// Two negated conjunctions as their common part and the two rests.
    fn split(&mut self, left: Term, right: Term) -> Option<(Vec<Term>, Term, Term)> {
        let (left, right) = (self.clause(left)?.to_vec(), self.clause(right)?.to_vec());
        let (common, one): (Vec<Term>, Vec<Term>) =
            left.iter().partition(|literal| right.binary_search(literal).is_ok());
        if common.is_empty() {
            return None;
        }
        let other: Vec<Term> =
            right.iter().copied().filter(|literal| left.binary_search(literal).is_err()).collect();
        let (one, other) = (self.conjunction(&one), self.conjunction(&other));
        Some((common, one, other))
    }

    /// The conjunction of arguments that are already simplified against each other.
    fn conjunction(&mut self, sorted: &[Term]) -> Term {
        match sorted {
            [] => self.bool(true),
            &[single] => single,
            many => self.intern(Op::And, Sort::Bool, many),
        }
    }
}

pub(super) fn sort_terms(terms: &mut Vec<Term>) {
    terms.sort_unstable();
    terms.dedup();
}
