//! Which elements loops look at.
//!
//! That a loop went on in all turns before the last one is used only in some of them, and it is right to
//! use it in any. The turns that matter are those in which the loop looks at an element that something
//! else looks at too: `a[from + turn]` here and `a[end - 1 - other]` there are one element in the turn
//! `end - 1 - other - from`, which is found by solving for the turn where that is a matter of adding.

use smt::{Op, Sort};
use symex::symbolic::Term;

use super::Prover;

/// More turns than these are not looked at.
const MOST_MEETINGS: usize = 40;

/// A function of an index: an element of an array, in most cases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Look {
    element: Term,
    /// Which argument is the index.
    at: usize,
}

impl Prover<'_, '_> {
    /// The elements that these terms speak of, except at fixed places.
    pub(super) fn looks(&self, terms_with: &[Term]) -> Vec<Look> {
        let terms = &self.engine.space.terms;
        let mut found = Vec::new();
        for element in terms.cone(terms_with, &mut smt::Marks::new()) {
            if !matches!(terms.op(element), Op::Apply(_) | Op::Select) {
                continue;
            }
            for (at, &index) in terms.args(element).iter().enumerate() {
                if terms.sort(index) == Sort::BitVec(32) && terms.as_const(index).is_none() {
                    found.push(Look { element, at });
                }
            }
        }
        found
    }

    /// The turns in which a loop is at elements that others look at. `turns` is the symbol of the loop's
    /// last turn, which is also what its own looks speak of.
    pub(super) fn meeting_turns(
        &mut self,
        own: &[Look],
        turns: Term,
        others: &[Look],
    ) -> Vec<Term> {
        let mut found = Vec::new();
        for &mine in own {
            let Some((first, is_up)) = self.way_of(mine, turns) else { continue };
            let first = self.shorten(first);
            let mine = Look { element: self.shorten(mine.element), ..mine };
            for &theirs in others {
                if found.len() == MOST_MEETINGS {
                    return found;
                }
                if !self.is_beside(mine, theirs) {
                    continue;
                }
                let terms = &mut self.engine.space.terms;
                let index = terms.args(theirs.element)[theirs.at];
                let way = if is_up { terms.sub(index, first) } else { terms.sub(first, index) };
                found.push(terms.zero_extend(way, 64));
            }
        }
        found
    }

    /// Where a look starts, if it goes up or down by one per turn.
    fn way_of(&mut self, look: Look, turns: Term) -> Option<(Term, bool)> {
        let terms = &mut self.engine.space.terms;
        let index = terms.args(look.element)[look.at];
        let turn = terms.extract(31, 0, turns);
        let without = [(terms.sub(index, turn), true), (terms.add(index, turn), false)];
        without.into_iter().find(|&(first, _)| {
            let cone = self.engine.space.terms.cone(&[first], &mut smt::Marks::new());
            !cone.contains(&turns)
        })
    }

    /// Whether two elements differ in nothing but the index.
    fn is_beside(&self, one: Look, two: Look) -> bool {
        let terms = &self.engine.space.terms;
        let (mine, theirs) = (terms.args(one.element), terms.args(two.element));
        terms.op(one.element) == terms.op(two.element)
            && one.at == two.at
            && mine.len() == theirs.len()
            && (0..mine.len()).all(|at| at == one.at || mine[at] == theirs[at])
    }
}
