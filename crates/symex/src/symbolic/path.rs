//! The condition under which a state is reached: conjuncts in the order in which they were met.
//!
//! Kept as a list with shared prefixes rather than as one term, because two paths that meet again
//! then differ only behind their common prefix: values merge under the condition of the branch
//! itself, and a guard folds back to what it was before the branch.

use std::rc::Rc;

use imbl::OrdMap;
use smt::{Op, Term, Terms};

use super::space::Space;

/// Conjuncts are looked through up to this depth of negated conjunctions.
const NESTING: u32 = 3;
/// So many conditions are looked up for one answer: the guards of what a reference may be among hundreds
/// of objects are long, and each is asked about.
const LOOKUPS: u32 = 256;

#[derive(Clone, Default)]
pub struct Path(Option<Rc<Node>>);

struct Node {
    conjunct: Term,
    parent: Path,
    depth: u32,
    /// What is true or false on the path, this conjunct and all before it.
    known: OrdMap<Term, bool>,
    /// Which terms may be known: most questions are about terms that are not, and end here.
    filter: Filter,
}

/// A set of terms that may contain more than was put in.
#[derive(Clone, Copy, Default)]
struct Filter([u64; 8]);

impl Filter {
    fn place(term: Term) -> (usize, u64) {
        let index = term.index();
        (index / 64 % 8, 1 << (index % 64))
    }

    fn insert(&mut self, term: Term) {
        let (word, bit) = Filter::place(term);
        self.0[word] |= bit;
    }

    fn may_contain(&self, term: Term) -> bool {
        let (word, bit) = Filter::place(term);
        self.0[word] & bit != 0
    }
}

impl Path {
    pub fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |node| node.depth)
    }

    /// The path on which `condition` holds too.
    #[must_use]
    pub fn and(&self, terms: &Terms, condition: Term) -> Path {
        if terms.is_true(condition) || self.literal(condition) == Some(true) {
            return self.clone();
        }
        if terms.op(condition) == Op::And {
            let mut path = self.clone();
            for &part in terms.args(condition) {
                path = path.and(terms, part);
            }
            return path;
        }
        let before = self.0.as_ref().map(|node| (node.known.clone(), node.filter));
        let (mut known, mut filter) = before.unwrap_or_default();
        known.insert(condition, true);
        filter.insert(condition);
        if terms.op(condition) == Op::Not {
            let inner = terms.args(condition)[0];
            known.insert(inner, false);
            filter.insert(inner);
        }
        let (depth, parent) = (self.depth() + 1, self.clone());
        Path(Some(Rc::new(Node { conjunct: condition, parent, depth, known, filter })))
    }

    /// What is known of a condition on this path; cheap and incomplete.
    pub fn decide(&self, space: &Space, condition: Term) -> Option<bool> {
        self.decide_nested(space, condition, NESTING, &mut { LOOKUPS })
    }

    fn decide_nested(
        &self,
        space: &Space,
        condition: Term,
        nesting: u32,
        lookups: &mut u32,
    ) -> Option<bool> {
        let terms = &space.terms;
        *lookups = lookups.checked_sub(1)?;
        if let Some(word) = terms.as_const(condition) {
            return Some(word != 0);
        }
        match terms.op(condition) {
            Op::Not => {
                let inner = terms.args(condition)[0];
                if let Some(known) = self.literal(condition) {
                    return Some(known);
                }
                self.decide_nested(space, inner, nesting, lookups).map(|known| !known)
            }
            Op::And if nesting > 0 => {
                let mut all = true;
                for &part in terms.args(condition) {
                    match self.decide_nested(space, part, nesting - 1, lookups) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => all = false,
                    }
                }
                all.then_some(true)
            }
            _ => self.literal(condition).or_else(|| self.decide_type(space, condition)),
        }
    }

    /// What is known of a runtime type decides other questions about it.
    fn decide_type(&self, space: &Space, condition: Term) -> Option<bool> {
        self.0.as_ref()?;
        space.subtype_questions.decide(condition, &|literal| self.literal(literal))
    }

    fn literal(&self, condition: Term) -> Option<bool> {
        let node = self.0.as_ref()?;
        node.filter.may_contain(condition).then(|| node.known.get(&condition).copied()).flatten()
    }

    /// Whether the path says of a float that it is below, above or equal to something, which no NaN is.
    pub(super) fn compares(&self, terms: &Terms, float: Term) -> bool {
        let mut current = self;
        while let Path(Some(node)) = current {
            let compares =
                matches!(terms.op(node.conjunct), Op::FloatLt | Op::FloatLe | Op::FloatEq);
            if compares && terms.args(node.conjunct).contains(&float) {
                return true;
            }
            current = &node.parent;
        }
        false
    }

    /// The whole path as one term.
    pub fn term(&self, terms: &mut Terms) -> Term {
        let conjuncts = self.since(0);
        terms.and(&conjuncts)
    }

    /// The conjuncts behind the first `depth`, oldest first.
    fn since(&self, depth: u32) -> Vec<Term> {
        let mut conjuncts = Vec::new();
        let mut current = self;
        while let Path(Some(node)) = current {
            if node.depth <= depth {
                break;
            }
            conjuncts.push(node.conjunct);
            current = &node.parent;
        }
        conjuncts.reverse();
        conjuncts
    }

    /// Two exclusive paths that meet: the path that both are, and the condition that tells the first
    /// from the second there.
    pub fn merge(&self, other: &Path, terms: &mut Terms) -> (Path, Term) {
        let common = self.common_prefix(other);
        let depth = common.depth();
        let (mine, theirs) = (self.since(depth), other.since(depth));
        let (first, second) = (terms.and(&mine), terms.and(&theirs));
        let either = terms.or2(first, second);
        (common.and(terms, either), first)
    }

    fn common_prefix(&self, other: &Path) -> Path {
        let (mut one, mut two) = (self.clone(), other.clone());
        loop {
            match (&one.0, &two.0) {
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => return one,
                (Some(a), Some(b)) if a.depth >= b.depth => one = a.parent.clone(),
                (Some(_), Some(b)) => two = b.parent.clone(),
                (None, _) | (_, None) => return Path::default(),
            }
        }
    }
}

impl Drop for Node {
    /// Long paths must not be freed by recursion.
    fn drop(&mut self) {
        let mut next = self.parent.0.take();
        while let Some(mut node) = next.and_then(|node| Rc::try_unwrap(node).ok()) {
            next = node.parent.0.take();
        }
    }
}
