//! Contradictions found by cases: what is known is written into what is not, and where that ends, a
//! condition is tried both ways.
//!
//! Most questions about `equals` and `hashCode` are of one kind: parts are equal, so functions of them
//! are, unless one is null. Rewriting with equalities between any terms, not only symbols, closes such
//! questions in a few cases, where a bit-level solver multiplies hashes out. Answers "no" only; it finds
//! no models, and gives up by count.

use rustc_hash::{FxHashMap, FxHashSet};

use super::simplify::conjuncts;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::walk::Marks;

/// Nodes that may be looked at for one question.
const WORK: usize = 250_000;
/// Conditions that are tried one inside the other.
const DEPTH: usize = 24;
/// Rounds of rewriting until nothing changes.
const ROUNDS: usize = 8;

/// Whether the conjuncts contradict each other; `false` says nothing.
pub(super) fn refute(terms: &mut Terms, parts: &[Term], marks: &mut Marks) -> bool {
    let mut cases = Cases { terms, marks, work: WORK };
    cases.is_closed(Branch::default(), parts.to_vec(), DEPTH)
}

struct Cases<'a> {
    terms: &'a mut Terms,
    marks: &'a mut Marks,
    work: usize,
}

/// What is known in one case.
#[derive(Clone, Default)]
struct Branch {
    /// Terms and the older terms or constants that they equal.
    equations: Vec<(Term, Term)>,
    /// What is left to choose from: negated conjunctions, and choices.
    clauses: Vec<Term>,
    /// What was learned, once each.
    known: FxHashSet<Term>,
}

/// The case cannot be.
struct Closed;

impl Cases<'_> {
    fn is_closed(&mut self, mut branch: Branch, added: Vec<Term>, depth: usize) -> bool {
        if self.saturate(&mut branch, added).is_err() {
            return true;
        }
        if depth == 0 || self.work == 0 {
            return false;
        }
        let Some(condition) = self.choose(&branch) else {
            return false;
        };
        let contrary = self.terms.not(condition);
        self.is_closed(branch.clone(), vec![condition], depth - 1)
            && self.is_closed(branch, vec![contrary], depth - 1)
    }

    /// Rewrites until nothing changes.
    fn saturate(&mut self, branch: &mut Branch, mut added: Vec<Term>) -> Result<(), Closed> {
        for _ in 0..ROUNDS {
            for conjunct in std::mem::take(&mut added) {
                for part in conjuncts(self.terms, conjunct) {
                    self.learn(branch, part)?;
                }
            }
            added = self.rewrite(branch)?;
            if added.is_empty() || self.work == 0 {
                break;
            }
        }
        // What the limit left over is true, but not needed: fewer conjuncts contradict less.
        Ok(())
    }

    fn learn(&mut self, branch: &mut Branch, part: Term) -> Result<(), Closed> {
        if let Some(word) = self.terms.as_const(part) {
            return if word == 0 { Err(Closed) } else { Ok(()) };
        }
        if !branch.known.insert(part) {
            return Ok(());
        }
        let (atom, truth) = match self.terms.op(part) {
            Op::Not => (self.terms.args(part)[0], false),
            _ => (part, true),
        };
        match (self.terms.op(atom), truth) {
            (Op::And | Op::Ite, _) => branch.clauses.push(part),
            (Op::Eq, true) => {
                let (one, two) = (self.terms.args(atom)[0], self.terms.args(atom)[1]);
                let equation = self.orient(one, two);
                branch.equations.push(equation);
            }
            (Op::Eq, false) if self.terms.sort(self.terms.args(atom)[0]) == Sort::Bool => {
                let (one, two) = (self.terms.args(atom)[0], self.terms.args(atom)[1]);
                let (younger, older) = self.orient(one, two);
                let contrary = self.terms.not(older);
                branch.equations.push((younger, contrary));
            }
            (_, _) => {
                let value = self.terms.bool(truth);
                branch.equations.push((atom, value));
            }
        }
        Ok(())
    }

    /// The younger term first: the older one cannot contain it. Constants stay.
    fn orient(&self, one: Term, two: Term) -> (Term, Term) {
        match (self.terms.as_const(one), self.terms.as_const(two)) {
            (Some(_), None) => (two, one),
            (None, Some(_)) => (one, two),
            (_, _) => (one.max(two), one.min(two)),
        }
    }

    /// One round: everything with all equations used on it. What changed is handed back.
    fn rewrite(&mut self, branch: &mut Branch) -> Result<Vec<Term>, Closed> {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        let mut changed = Vec::new();
        for &(key, value) in &branch.equations {
            match map.get(&key) {
                None => {
                    map.insert(key, value);
                }
                Some(&known) if known != value => {
                    let same = self.terms.eq(known, value);
                    if self.terms.is_false(same) {
                        return Err(Closed);
                    }
                    changed.push(same);
                }
                Some(_) => {}
            }
        }
        let mut memo: FxHashMap<Term, Term> = FxHashMap::default();
        let mut kept: Vec<(Term, Term)> = Vec::with_capacity(map.len());
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        for (key, value) in std::mem::take(&mut branch.equations) {
            if !seen.insert(key) {
                continue;
            }
            let args = self.terms.args(key).to_vec();
            let mut after = Vec::with_capacity(args.len());
            for &arg in &args {
                after.push(self.terms.substitute(arg, &map, &mut memo));
            }
            let new_value = self.terms.substitute(value, &map, &mut memo);
            // A value stays older than its key, so that no round makes terms grow.
            let is_smaller = new_value < key || self.terms.as_const(new_value).is_some();
            kept.push((key, if is_smaller { new_value } else { value }));
            if after != args {
                let (op, sort) = (self.terms.op(key), self.terms.sort(key));
                let new_key = self.terms.rebuild(op, sort, &after);
                changed.push(self.terms.eq(new_key, new_value));
            }
        }
        branch.equations = kept;
        for clause in std::mem::take(&mut branch.clauses) {
            let after = self.terms.substitute(clause, &map, &mut memo);
            if after == clause {
                branch.clauses.push(clause);
            } else if self.terms.is_false(after) {
                return Err(Closed);
            } else {
                changed.push(after);
            }
        }
        self.work = self.work.saturating_sub(memo.len());
        changed.retain(|&term| !self.terms.is_true(term) && !branch.known.contains(&term));
        Ok(changed)
    }

    /// The condition to try: of the shortest clause, else one that chooses between values.
    fn choose(&mut self, branch: &Branch) -> Option<Term> {
        let shortest = branch.clauses.iter().min_by_key(|&&clause| {
            let inner = self.inner(clause);
            (self.terms.args(inner).len(), clause)
        });
        if let Some(&clause) = shortest {
            return Some(self.atom(clause));
        }
        let roots: Vec<Term> =
            branch.equations.iter().flat_map(|&(key, value)| [key, value]).collect();
        let cone = self.terms.cone(&roots, self.marks);
        self.work = self.work.saturating_sub(cone.len());
        let choice = cone.into_iter().find(|&term| self.terms.op(term) == Op::Ite)?;
        Some(self.atom(choice))
    }

    /// The first condition in a compound one that is not compound itself.
    fn atom(&self, term: Term) -> Term {
        let mut term = term;
        while matches!(self.terms.op(term), Op::Not | Op::And | Op::Ite) {
            term = self.terms.args(term)[0];
        }
        term
    }

    fn inner(&self, clause: Term) -> Term {
        if self.terms.op(clause) == Op::Not { self.terms.args(clause)[0] } else { clause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refuted(terms: &mut Terms, parts: &[Term]) -> bool {
        refute(terms, parts, &mut Marks::new())
    }

    #[test]
    fn equal_parts_have_equal_functions() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(32);
        let hash = terms.declare_function("hash", &[sort], sort);
        let (a, b) = (terms.symbol("a", sort), terms.symbol("b", sort));
        let (c, d) = (terms.symbol("c", sort), terms.symbol("d", sort));
        let hashes: Vec<Term> = [a, b, c, d].map(|x| terms.apply(hash, &[x])).to_vec();
        let factor = terms.int(31);
        let (scaled_a, scaled_b) = (terms.mul(hashes[0], factor), terms.mul(hashes[1], factor));
        let (one, two) = (terms.add(scaled_a, hashes[2]), terms.add(scaled_b, hashes[3]));
        let differ = terms.ne(one, two);
        let (same_ab, same_cd) = (terms.eq(a, b), terms.eq(c, d));
        assert!(is_refuted(&mut terms, &[same_ab, same_cd, differ]));
        assert!(!is_refuted(&mut terms, &[same_ab, differ]));
    }

    #[test]
    fn a_null_part_is_a_case() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(32);
        let hash = terms.declare_function("hash", &[sort], sort);
        let (a, b, zero) = (terms.symbol("a", sort), terms.symbol("b", sort), terms.int(0));
        let (a_null, b_null) = (terms.eq(a, zero), terms.eq(b, zero));
        let (hash_a, hash_b) = (terms.apply(hash, &[a]), terms.apply(hash, &[b]));
        let (one, two) = (terms.ite(a_null, zero, hash_a), terms.ite(b_null, zero, hash_b));
        let differ = terms.ne(one, two);
        let same = terms.eq(a, b);
        let equal = terms.ite(a_null, b_null, same);
        assert!(is_refuted(&mut terms, &[equal, differ]));
        let loose = terms.implies(a_null, b_null);
        assert!(!is_refuted(&mut terms, &[loose, differ]));
    }

    #[test]
    fn what_is_learned_late_reaches_what_was_known_before() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(32);
        let f = terms.declare_function("f", &[sort], sort);
        let (a, b) = (terms.symbol("a", sort), terms.symbol("b", sort));
        let (fa, fb) = (terms.apply(f, &[a]), terms.apply(f, &[b]));
        let (one, two) = (terms.int(1), terms.int(2));
        let parts = [terms.eq(fa, one), terms.eq(fb, two), terms.eq(a, b)];
        assert!(is_refuted(&mut terms, &parts));
    }
}
