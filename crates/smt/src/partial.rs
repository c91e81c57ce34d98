//! Evaluation in a world of which only a part is known.
//!
//! What a symbol or a function means is asked when it is needed, and the answer may be "unknown". A
//! value that needs an unknown is unknown, except where a guard or a false conjunct makes it irrelevant.
//! Answers are kept, so that further terms of the same world cost only what is new.

use crate::assignment::Assignment;
use crate::eval::apply_aggregate;
use crate::fold::fold;
use crate::op::Op;
use crate::terms::{Term, Terms};
use crate::value::{ArrayPool, Arrays};
use crate::walk::Leaf;

/// What an evaluation came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The bits of the value: a Bool as 0 or 1, a float as its canonical bits.
    Known(u64),
    /// It rests on this.
    Unknown(Leaf),
    /// It needs the meaning of a symbol, or of a function at these arguments; see [`Partial::answer`].
    Ask(Term, Leaf, Vec<u64>),
}

#[derive(Clone, Copy)]
enum Slot {
    New,
    Known(u64),
    Unknown(Leaf),
}

/// The values found so far in one world.
#[derive(Default)]
pub struct Partial {
    slots: Vec<Slot>,
    stack: Vec<Term>,
    nothing: Assignment,
    arrays: ArrayPool,
}

impl Partial {
    pub fn new() -> Partial {
        Partial::default()
    }

    /// Says what a term that was asked for is worth here.
    pub fn answer(&mut self, term: Term, leaf: Leaf, word: Option<u64>) {
        self.slots[term.index()] = word.map_or(Slot::Unknown(leaf), Slot::Known);
    }

    /// Evaluates as far as possible.
    pub fn eval(&mut self, terms: &Terms, root: Term) -> Progress {
        self.slots.resize(terms.len().max(self.slots.len()), Slot::New);
        self.stack.clear();
        self.stack.push(root);
        while let Some(&term) = self.stack.last() {
            if !matches!(self.slots[term.index()], Slot::New) {
                self.stack.pop();
                continue;
            }
            let op = terms.op(term);
            let found = if let Op::Const(word) = op {
                Some(Slot::Known(word))
            } else if let Op::Symbol(symbol) = op {
                return Progress::Ask(term, Leaf::Symbol(symbol), Vec::new());
            } else if op == Op::Ite {
                self.ite(terms.args(term))
            } else if op == Op::And {
                self.and(terms.args(term))
            } else {
                match self.arguments(terms, term) {
                    Some(Ok(words)) => {
                        if let Op::Apply(function) = op {
                            return Progress::Ask(term, Leaf::Function(function), words);
                        }
                        Some(Slot::Known(self.compute(terms, term, op, &words)))
                    }
                    Some(Err(leaf)) => Some(Slot::Unknown(leaf)),
                    None => None,
                }
            };
            if let Some(slot) = found {
                self.slots[term.index()] = slot;
                self.stack.pop();
            }
        }
        match self.slots[root.index()] {
            Slot::Known(word) => Progress::Known(word),
            Slot::Unknown(leaf) => Progress::Unknown(leaf),
            Slot::New => unreachable!("the stack is empty once the root is known"),
        }
    }

    fn compute(&mut self, terms: &Terms, term: Term, op: Op, words: &[u64]) -> u64 {
        if matches!(op, Op::Select | Op::Store | Op::ConstArray) {
            let mut arrays = Arrays { base: &self.nothing.arrays, local: &mut self.arrays };
            return apply_aggregate(terms, term, words, &self.nothing, &mut arrays);
        }
        let operand = terms.sort(terms.args(term)[0]);
        fold(op, terms.sort(term), operand, words.len(), |at| words[at])
    }

    /// The arguments' words once all are there; the first unknown; nothing while some are waited for.
    fn arguments(&mut self, terms: &Terms, term: Term) -> Option<Result<Vec<u64>, Leaf>> {
        let mut words = Vec::with_capacity(terms.args(term).len());
        let mut unknown = None;
        let before = self.stack.len();
        for &arg in terms.args(term) {
            match self.slots[arg.index()] {
                Slot::New => self.stack.push(arg),
                Slot::Known(word) => words.push(word),
                Slot::Unknown(leaf) => unknown = unknown.or(Some(leaf)),
            }
        }
        match unknown {
            Some(leaf) => {
                self.stack.truncate(before);
                Some(Err(leaf))
            }
            None if self.stack.len() > before => None,
            None => Some(Ok(words)),
        }
    }

    fn ite(&mut self, args: &[Term]) -> Option<Slot> {
        let branch = match self.slots[args[0].index()] {
            Slot::New => {
                self.stack.push(args[0]);
                return None;
            }
            Slot::Unknown(leaf) => return Some(Slot::Unknown(leaf)),
            Slot::Known(0) => args[2],
            Slot::Known(_) => args[1],
        };
        let found = self.slots[branch.index()];
        if matches!(found, Slot::New) {
            self.stack.push(branch);
            return None;
        }
        Some(found)
    }

    fn and(&mut self, args: &[Term]) -> Option<Slot> {
        let (mut waiting, mut unknown) = (None, None);
        for &arg in args {
            match self.slots[arg.index()] {
                Slot::Known(0) => return Some(Slot::Known(0)),
                Slot::Known(_) => {}
                Slot::Unknown(leaf) => unknown = unknown.or(Some(leaf)),
                Slot::New => waiting = waiting.or(Some(arg)),
            }
        }
        match (waiting, unknown) {
            (Some(arg), _) => {
                self.stack.push(arg);
                None
            }
            (None, Some(leaf)) => Some(Slot::Unknown(leaf)),
            (None, None) => Some(Slot::Known(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Partial, Progress};
    use crate::{Leaf, Sort, Terms};

    #[test]
    fn what_a_guard_or_a_false_conjunct_hides_is_not_needed() {
        let mut terms = Terms::new();
        let function = terms.declare_function("f", &[Sort::BitVec(32)], Sort::Bool);
        let (x, two) = (terms.symbol("x", Sort::BitVec(32)), terms.int(2));
        let (open, is_two) = (terms.apply(function, &[x]), terms.eq(x, two));
        let both = terms.and2(open, is_two);
        let mut asked = Vec::new();
        let mut value_at = |word: u64| {
            let mut world = Partial::new();
            loop {
                match world.eval(&terms, both) {
                    Progress::Ask(term, leaf @ Leaf::Symbol(_), _) => {
                        world.answer(term, leaf, Some(word));
                    }
                    Progress::Ask(term, leaf, words) => {
                        asked.push(words);
                        world.answer(term, leaf, None);
                    }
                    done => return done,
                }
            }
        };
        assert_eq!(value_at(3), Progress::Known(0));
        assert_eq!(value_at(2), Progress::Unknown(Leaf::Function(function)));
        assert!(asked.contains(&vec![2]));
    }
}
