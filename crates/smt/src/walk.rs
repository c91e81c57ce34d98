//! Walks over the cone of a term (the term and everything below it) and substitution.
//!
//! All walks are iterative and visit each node once. `Marks` is reusable scratch.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::sort::{Function, Symbol};
use crate::terms::{Term, Terms};

/// What a term depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Leaf {
    Symbol(Symbol),
    Function(Function),
}

/// A set of visited terms that is emptied in constant time.
#[derive(Default)]
pub struct Marks {
    stamps: Vec<u32>,
    epoch: u32,
    stack: Vec<Term>,
}

impl Marks {
    pub fn new() -> Marks {
        Marks::default()
    }

    /// Forgets all marks.
    pub fn start(&mut self, terms: &Terms) {
        if self.epoch == u32::MAX {
            self.stamps.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
        self.stamps.resize(terms.len().max(self.stamps.len()), 0);
        self.stack.clear();
    }

    /// Marks a term; whether it was new.
    pub fn mark(&mut self, term: Term) -> bool {
        let stamp = &mut self.stamps[term.index()];
        let new = *stamp != self.epoch;
        *stamp = self.epoch;
        new
    }
}

impl Terms {
    /// Visits every node in the cones of `roots` once, in no useful order, until `visit` is true.
    fn any_in_cone(
        &self,
        roots: &[Term],
        marks: &mut Marks,
        mut visit: impl FnMut(Term) -> bool,
    ) -> bool {
        marks.start(self);
        for &root in roots {
            if marks.mark(root) {
                marks.stack.push(root);
            }
        }
        while let Some(term) = marks.stack.pop() {
            if visit(term) {
                return true;
            }
            for &arg in self.args(term) {
                if marks.mark(arg) {
                    marks.stack.push(arg);
                }
            }
        }
        false
    }

    /// All nodes in the cones of `roots`, arguments before their users.
    pub fn cone(&self, roots: &[Term], marks: &mut Marks) -> Vec<Term> {
        let mut cone = Vec::new();
        self.any_in_cone(roots, marks, |term| {
            cone.push(term);
            false
        });
        cone.sort_unstable();
        cone
    }

    /// Shows every node in the cones of `roots` once, in no useful order.
    pub fn for_each_below(&self, roots: &[Term], marks: &mut Marks, mut visit: impl FnMut(Term)) {
        self.any_in_cone(roots, marks, |term| {
            visit(term);
            false
        });
    }

    /// The number of distinct nodes of these terms together.
    pub fn dag_size(&self, roots: &[Term], marks: &mut Marks) -> usize {
        let mut size = 0;
        self.any_in_cone(roots, marks, |_| {
            size += 1;
            false
        });
        size
    }

    /// The symbols and functions that a term depends on, in order of declaration.
    pub fn leaves(&self, roots: &[Term], marks: &mut Marks) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.any_in_cone(roots, marks, |term| {
            leaves.extend(self.leaf(term));
            false
        });
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// Whether a term depends on a symbol or function for which `holds`: say, one that carries a gap.
    pub fn depends_on(
        &self,
        term: Term,
        marks: &mut Marks,
        mut holds: impl FnMut(Leaf) -> bool,
    ) -> bool {
        self.any_in_cone(&[term], marks, |term| self.leaf(term).is_some_and(&mut holds))
    }

    /// Whether the solver sees less of the term than the evaluator: it contains a float remainder.
    pub fn is_inexact(&self, term: Term, marks: &mut Marks) -> bool {
        self.any_in_cone(&[term], marks, |term| self.op(term) == Op::FloatRem)
    }

    fn leaf(&self, term: Term) -> Option<Leaf> {
        if let Op::Symbol(symbol) = self.op(term) {
            return Some(Leaf::Symbol(symbol));
        }
        if let Op::Apply(function) = self.op(term) {
            return Some(Leaf::Function(function));
        }
        None
    }

    /// The term with every occurrence of a key of `map` replaced by its value, simplified again.
    /// Values are not substituted into. `memo` may be kept for further terms under the same map.
    pub fn substitute(
        &mut self,
        root: Term,
        map: &FxHashMap<Term, Term>,
        memo: &mut FxHashMap<Term, Term>,
    ) -> Term {
        if map.is_empty() {
            return root;
        }
        let mut stack = vec![root];
        let mut args: Vec<Term> = Vec::new();
        while let Some(&term) = stack.last() {
            if memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            if let Some(&value) = map.get(&term) {
                memo.insert(term, value);
                continue;
            }
            let before = stack.len();
            stack.extend(self.args(term).iter().filter(|arg| !memo.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            args.clear();
            args.extend(self.args(term).iter().map(|arg| memo[arg]));
            let done = if args == self.args(term) {
                term
            } else {
                let node = self.node(term);
                self.rebuild(node.op, node.sort, &args)
            };
            memo.insert(term, done);
            stack.pop();
        }
        memo[&root]
    }
}
