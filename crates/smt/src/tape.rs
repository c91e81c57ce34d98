//! Terms compiled to a straight line of instructions, to evaluate them on millions of inputs.

use crate::assignment::Assignment;
use crate::eval::apply_aggregate;
use crate::fold::fold;
use crate::op::Op;
use crate::sort::{Sort, Symbol};
use crate::terms::{Term, Terms};
use crate::value::{ArrayPool, Arrays, Value};
use crate::walk::Marks;

/// The cones of some terms in evaluation order, with the values of the last run.
pub struct Tape {
    instructions: Vec<Instruction>,
    args: Vec<u32>,
    slots: Vec<u64>,
    inputs: Vec<(Symbol, u32)>,
    roots: Vec<(Term, u32)>,
    key: Vec<u64>,
    local: ArrayPool,
}

struct Instruction {
    op: Op,
    sort: Sort,
    operand: Sort,
    start: u32,
    len: u32,
    slot: u32,
    term: Term,
}

impl Tape {
    pub fn new(terms: &Terms, roots: &[Term]) -> Tape {
        let cone = terms.cone(roots, &mut Marks::new());
        let slot = |term: Term| cone.binary_search(&term).expect("in the cone") as u32;
        let mut tape = Tape {
            instructions: Vec::with_capacity(cone.len()),
            args: Vec::new(),
            slots: vec![0; cone.len()],
            inputs: Vec::new(),
            roots: roots.iter().map(|&root| (root, slot(root))).collect(),
            key: Vec::new(),
            local: ArrayPool::default(),
        };
        for (at, &term) in (0u32..).zip(&cone) {
            if let Some(word) = terms.as_const(term) {
                tape.slots[at as usize] = word;
            } else if let Some(symbol) = terms.as_symbol(term) {
                tape.inputs.push((symbol, at));
            } else {
                let args = terms.args(term);
                tape.instructions.push(Instruction {
                    op: terms.op(term),
                    sort: terms.sort(term),
                    operand: terms.sort(args[0]),
                    start: tape.args.len() as u32,
                    len: args.len() as u32,
                    slot: at,
                    term,
                });
                tape.args.extend(args.iter().map(|&arg| slot(arg)));
            }
        }
        tape
    }

    /// The number of nodes that one run computes.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// Evaluates everything.
    pub fn run(&mut self, terms: &Terms, assignment: &Assignment) {
        self.local.clear();
        let slots = &mut self.slots[..];
        for &(symbol, slot) in &self.inputs {
            slots[slot as usize] = assignment.word(symbol);
        }
        for instruction in &self.instructions {
            let start = instruction.start as usize;
            let args = &self.args[start..start + instruction.len as usize];
            let arg = |i: usize| slots[args[i] as usize];
            let op = instruction.op;
            let word = if matches!(op, Op::Apply(_) | Op::Select | Op::Store | Op::ConstArray) {
                self.key.clear();
                self.key.extend((0..args.len()).map(arg));
                let mut arrays = Arrays { base: &assignment.arrays, local: &mut self.local };
                apply_aggregate(terms, instruction.term, &self.key, assignment, &mut arrays)
            } else {
                fold(op, instruction.sort, instruction.operand, args.len(), arg)
            };
            slots[instruction.slot as usize] = word;
        }
    }

    /// The bits of the `root`-th term after a run: a Bool as 0 or 1, a float as its canonical bits.
    pub fn bits(&self, root: usize) -> u64 {
        self.slots[self.roots[root].1 as usize]
    }

    /// The value of the `root`-th term after a run with this assignment.
    pub fn value(&mut self, terms: &Terms, root: usize, assignment: &Assignment) -> Value {
        let (term, slot) = self.roots[root];
        let arrays = Arrays { base: &assignment.arrays, local: &mut self.local };
        arrays.value(terms, terms.sort(term), self.slots[slot as usize])
    }
}
