//! Evaluation on demand: only the branch that a guard selects, only the conjuncts up to a false one.
//!
//! For one term on many inputs, `Tape` is faster; for a question about a large merged state on one
//! input, this is: most of the state lies behind guards that are false.

use crate::assignment::Assignment;
use crate::fold::fold;
use crate::op::Op;
use crate::terms::{Term, Terms};
use crate::value::{ArrayPool, Arrays, Value};

/// Reusable scratch for evaluation.
#[derive(Default)]
pub struct Evaluator {
    values: Vec<u64>,
    stamps: Vec<u32>,
    epoch: u32,
    stack: Vec<Term>,
    key: Vec<u64>,
    local: ArrayPool,
}

impl Evaluator {
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// The value of a term.
    pub fn eval(&mut self, terms: &Terms, term: Term, assignment: &Assignment) -> Value {
        self.start(terms);
        let word = self.run(terms, term, assignment);
        self.value(terms, term, word, assignment)
    }

    /// The values of several terms, with what they share evaluated once.
    pub fn eval_all(
        &mut self,
        terms: &Terms,
        roots: &[Term],
        assignment: &Assignment,
    ) -> Vec<Value> {
        self.start(terms);
        let mut values = Vec::with_capacity(roots.len());
        for &root in roots {
            let word = self.run(terms, root, assignment);
            values.push(self.value(terms, root, word, assignment));
        }
        values
    }

    /// Whether all these Booleans are true; stops at the first that is not.
    pub fn all_hold(&mut self, terms: &Terms, roots: &[Term], assignment: &Assignment) -> bool {
        self.start(terms);
        roots.iter().all(|&root| self.run(terms, root, assignment) != 0)
    }

    /// The word of a term that has no array sort.
    pub(crate) fn word(&mut self, terms: &Terms, term: Term, assignment: &Assignment) -> u64 {
        self.start(terms);
        self.run(terms, term, assignment)
    }

    fn value(&mut self, terms: &Terms, term: Term, word: u64, assignment: &Assignment) -> Value {
        let arrays = Arrays { base: &assignment.arrays, local: &mut self.local };
        arrays.value(terms, terms.sort(term), word)
    }

    fn start(&mut self, terms: &Terms) {
        if self.epoch == u32::MAX {
            self.stamps.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
        let len = terms.len().max(self.stamps.len());
        self.stamps.resize(len, 0);
        self.values.resize(len, 0);
        self.local.clear();
    }

    fn known(&self, term: Term) -> Option<u64> {
        (self.stamps[term.index()] == self.epoch).then(|| self.values[term.index()])
    }

    fn run(&mut self, terms: &Terms, root: Term, assignment: &Assignment) -> u64 {
        self.stack.clear();
        self.stack.push(root);
        while let Some(&term) = self.stack.last() {
            if self.known(term).is_some() {
                self.stack.pop();
                continue;
            }
            let node = terms.node(term);
            let args = terms.args(term);
            let word = if node.op == Op::Ite {
                self.lazy_ite(args)
            } else if node.op == Op::And {
                self.lazy_and(args)
            } else if let Op::Const(word) = node.op {
                Some(word)
            } else if let Op::Symbol(symbol) = node.op {
                Some(assignment.word(symbol))
            } else {
                self.strict(terms, term, assignment)
            };
            if let Some(word) = word {
                self.values[term.index()] = word;
                self.stamps[term.index()] = self.epoch;
                self.stack.pop();
            }
        }
        self.values[root.index()]
    }

    fn lazy_ite(&mut self, args: &[Term]) -> Option<u64> {
        let Some(guard) = self.known(args[0]) else {
            self.stack.push(args[0]);
            return None;
        };
        let branch = if guard != 0 { args[1] } else { args[2] };
        let word = self.known(branch);
        if word.is_none() {
            self.stack.push(branch);
        }
        word
    }

    fn lazy_and(&mut self, args: &[Term]) -> Option<u64> {
        let mut unknown = None;
        for &arg in args {
            match self.known(arg) {
                Some(0) => return Some(0),
                Some(_) => {}
                None => unknown = unknown.or(Some(arg)),
            }
        }
        match unknown {
            Some(arg) => {
                self.stack.push(arg);
                None
            }
            None => Some(1),
        }
    }

    fn strict(&mut self, terms: &Terms, term: Term, assignment: &Assignment) -> Option<u64> {
        let args = terms.args(term);
        let before = self.stack.len();
        for &arg in args {
            if self.stamps[arg.index()] != self.epoch {
                self.stack.push(arg);
            }
        }
        if self.stack.len() > before {
            return None;
        }
        let (node, operand) = (terms.node(term), terms.sort(args[0]));
        let values = &self.values;
        let arg = |i: usize| values[args[i].index()];
        if matches!(node.op, Op::Apply(_) | Op::Select | Op::Store | Op::ConstArray) {
            self.key.clear();
            self.key.extend((0..args.len()).map(arg));
            let mut arrays = Arrays { base: &assignment.arrays, local: &mut self.local };
            return Some(apply_aggregate(terms, term, &self.key, assignment, &mut arrays));
        }
        Some(fold(node.op, node.sort, operand, args.len(), arg))
    }
}

/// The value of a function application or array operation.
pub(crate) fn apply_aggregate(
    terms: &Terms,
    term: Term,
    args: &[u64],
    assignment: &Assignment,
    arrays: &mut Arrays<'_>,
) -> u64 {
    let op = terms.op(term);
    if let Op::Apply(function) = op {
        return assignment.table(function).map_or(0, |table| table.get(args));
    }
    if op == Op::Select {
        return arrays.get(args[0]).get(args[1]);
    }
    let (index, _) = terms.array_parts(terms.sort(term));
    if op == Op::Store {
        let mut array = arrays.get(args[0]).clone();
        array.set(args[1], args[2]);
        return arrays.add(array, index);
    }
    debug_assert_eq!(op, Op::ConstArray);
    arrays.add(crate::value::ArrayWords { default: args[0], entries: Vec::new() }, index)
}
