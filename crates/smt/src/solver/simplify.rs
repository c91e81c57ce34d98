//! Equalities at the top of a question, used on the rest of it.
//!
//! `x = t and p(x)` is asked as `x = t and p(t)`: often `p(t)` folds, and where it does not the solver
//! has less to find out. The equality itself stays, so nothing else needs to know.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::walk::{Leaf, Marks};

/// Equalities `symbol = term` that hold, and a question rewritten with them.
#[derive(Default)]
pub(super) struct Substitution {
    map: FxHashMap<Term, Term>,
    memo: FxHashMap<Term, Term>,
    /// In the order in which they were found: a later symbol may occur in an earlier term, never the
    /// other way round.
    pub(super) order: Vec<(Term, Term)>,
}

impl Substitution {
    /// The same equalities, for a level above that may add its own.
    pub(super) fn inherit(&self) -> Substitution {
        Substitution {
            map: self.map.clone(),
            memo: FxHashMap::default(),
            order: self.order.clone(),
        }
    }

    /// The term with the known symbols replaced.
    pub(super) fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut term = term;
        // A value may hold a symbol that was found later; each round removes at least one symbol.
        for _ in 0..=self.order.len() {
            let next = terms.substitute(term, &self.map, &mut self.memo);
            if next == term {
                break;
            }
            term = next;
        }
        term
    }

    /// Takes note of a conjunct (already rewritten) if it defines a symbol.
    pub(super) fn learn(&mut self, terms: &mut Terms, conjunct: Term, marks: &mut Marks) -> bool {
        let Some((symbol, value)) = definition(terms, conjunct, marks) else { return false };
        self.map.insert(symbol, value);
        self.order.push((symbol, value));
        self.memo.clear();
        true
    }
}

fn definition(terms: &mut Terms, conjunct: Term, marks: &mut Marks) -> Option<(Term, Term)> {
    if matches!(terms.op(conjunct), Op::Symbol(_)) {
        let yes = terms.bool(true);
        return Some((conjunct, yes));
    }
    if terms.op(conjunct) == Op::Not {
        let inner = terms.args(conjunct)[0];
        let no = terms.bool(false);
        return matches!(terms.op(inner), Op::Symbol(_)).then_some((inner, no));
    }
    if terms.op(conjunct) != Op::Eq {
        return None;
    }
    let (left, right) = (terms.args(conjunct)[0], terms.args(conjunct)[1]);
    // The younger symbol goes: older ones are usually the inputs that people know.
    [(right, left), (left, right)].into_iter().find(|&(symbol, value)| {
        terms.as_symbol(symbol).is_some_and(|symbol| {
            !terms.depends_on(value, marks, |leaf| leaf == Leaf::Symbol(symbol))
        })
    })
}

/// The conjuncts of a term, opened at all levels.
pub(super) fn conjuncts(terms: &Terms, term: Term) -> Vec<Term> {
    debug_assert_eq!(terms.sort(term), Sort::Bool);
    let (mut stack, mut out) = (vec![term], Vec::new());
    while let Some(term) = stack.pop() {
        if terms.op(term) == Op::And {
            stack.extend(terms.args(term).iter().rev());
        } else if !terms.is_true(term) {
            out.push(term);
        }
    }
    out
}
