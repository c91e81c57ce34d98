//! Terms as clauses over Booleans, and as nodes of a congruence closure.

use rustc_hash::FxHashMap;

use super::closure::{Closure, FALSE, Head, Node, TRUE};
use super::{Lit, Var};
use crate::fold::{NAN32, NAN64};
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};

/// The first variable is true.
const YES: Lit = Lit(0);
const NO: Lit = Lit(1);

/// Of more values that are compared, nothing is said about their order.
const MOST_ORDERED: usize = 12;

pub(super) struct Problem {
    pub(super) closure: Closure,
    pub(super) clauses: Vec<Vec<Lit>>,
    /// For each variable the Boolean of the closure that it is, if any.
    pub(super) node_of: Vec<Option<Node>>,
}

/// What it takes that all roots are true; `cone` is all below them.
pub(super) fn encode(terms: &Terms, cone: &[Term], roots: &[Term]) -> Problem {
    // By the numbers of terms: arguments have smaller ones than their users.
    let n_terms = cone.last().map_or(0, |last| last.index() + 1);
    let mut encoder = Encoder {
        terms,
        closure: Closure::new(),
        clauses: Vec::with_capacity(cone.len()),
        node_of: Vec::with_capacity(cone.len()),
        lits: vec![None; n_terms],
        nodes: vec![None; n_terms],
        made: FxHashMap::default(),
        orders: Vec::new(),
    };
    let yes = encoder.variable(Some(TRUE));
    encoder.clauses.push(vec![yes]);
    let no = encoder.variable(Some(FALSE));
    encoder.clauses.push(vec![!no]);
    for &term in cone {
        if terms.sort(term) == Sort::Bool {
            let lit = encoder.condition(term);
            encoder.lits[term.index()] = Some(lit);
        } else {
            let node = encoder.value(term);
            encoder.nodes[term.index()] = Some(node);
        }
    }
    for root in roots {
        encoder.clauses.push(vec![encoder.lit(*root)]);
    }
    encoder.order_all();
    Problem { closure: encoder.closure, clauses: encoder.clauses, node_of: encoder.node_of }
}

struct Encoder<'t> {
    terms: &'t Terms,
    closure: Closure,
    clauses: Vec<Vec<Lit>>,
    node_of: Vec<Option<Node>>,
    lits: Vec<Option<Lit>>,
    nodes: Vec<Option<Node>>,
    /// Nodes that no term stands for, and Booleans among all of them.
    made: FxHashMap<(Head, Vec<Node>), (Node, Option<Lit>)>,
    /// What is compared by which order, as met.
    orders: Vec<(Op, Sort, Vec<Node>)>,
}

impl Encoder<'_> {
    fn variable(&mut self, node: Option<Node>) -> Lit {
        self.node_of.push(node);
        Lit::new(self.node_of.len() as Var - 1, true)
    }

    /// Of a Boolean that was met; what is missing would be false.
    fn lit(&self, term: Term) -> Lit {
        self.lits[term.index()].unwrap_or(NO)
    }

    /// The literal of a Boolean whose parts have theirs.
    fn condition(&mut self, term: Term) -> Lit {
        let terms = self.terms;
        let args = terms.args(term);
        match self.terms.op(term) {
            Op::Const(word) => {
                if word != 0 {
                    YES
                } else {
                    NO
                }
            }
            Op::Not => !self.lit(args[0]),
            Op::And => {
                let parts: Vec<Lit> = args.iter().map(|&arg| self.lit(arg)).collect();
                self.all(&parts)
            }
            Op::Ite => {
                let [guard, one, two] = [0, 1, 2].map(|at| self.lit(args[at]));
                let all = self.variable(None);
                for (when, then) in [(guard, one), (!guard, two)] {
                    self.clauses.push(vec![!when, !then, all]);
                    self.clauses.push(vec![!when, then, !all]);
                }
                all
            }
            Op::Eq if self.terms.sort(args[0]) == Sort::Bool => {
                let [one, two] = [0, 1].map(|at| self.lit(args[at]));
                let same = self.variable(None);
                self.clauses.push(vec![!same, !one, two]);
                self.clauses.push(vec![!same, one, !two]);
                self.clauses.push(vec![same, one, two]);
                self.clauses.push(vec![same, !one, !two]);
                same
            }
            Op::FloatEq | Op::FloatLt | Op::FloatLe => self.float_comparison(term),
            Op::IsNan => {
                let node = self.node(args[0]);
                self.is_nan(node)
            }
            op => {
                let args: Vec<Node> = args.iter().map(|&arg| self.node(arg)).collect();
                self.predicate(op, args)
            }
        }
    }

    /// A variable that is true if all these are.
    fn all(&mut self, parts: &[Lit]) -> Lit {
        let all = self.variable(None);
        let mut back = vec![all];
        for &part in parts {
            self.clauses.push(vec![!all, part]);
            back.push(!part);
        }
        self.clauses.push(back);
        all
    }

    /// Floats are compared by their keys, unless one is not a number.
    fn float_comparison(&mut self, term: Term) -> Lit {
        let operands = [0, 1].map(|at| self.terms.args(term)[at]);
        let sort = self.terms.sort(operands[0]);
        let nodes = operands.map(|operand| self.node(operand));
        let numbers = nodes.map(|node| !self.is_nan(node));
        let width = if sort == Sort::Float32 { 32 } else { 64 };
        let keys = nodes.map(|node| self.made(Head::Key, Sort::BitVec(width), vec![node]));
        let [one, two] = keys;
        let holds = match self.terms.op(term) {
            Op::FloatEq => self.predicate(Op::Eq, vec![one, two]),
            Op::FloatLt => self.predicate(Op::Slt, vec![one, two]),
            _ => !self.predicate(Op::Slt, vec![two, one]),
        };
        self.all(&[numbers[0], numbers[1], holds])
    }

    /// There is one NaN.
    fn is_nan(&mut self, node: Node) -> Lit {
        let sort = self.closure.nodes[node as usize].sort;
        let nan = self.closure.constant(if sort == Sort::Float32 { NAN32 } else { NAN64 }, sort);
        self.predicate(Op::Eq, vec![node, nan])
    }

    /// The literal of an operation that gives a Boolean.
    fn predicate(&mut self, op: Op, args: Vec<Node>) -> Lit {
        let entry = (Head::Op(op), args);
        if let Some(&(_, Some(lit))) = self.made.get(&entry) {
            return lit;
        }
        if matches!(op, Op::Slt | Op::Ult) {
            self.note_order(op, &entry.1);
        }
        let node = self.closure.add(entry.0, Sort::Bool, entry.1.clone());
        let lit = self.variable(Some(node));
        self.made.insert(entry, (node, Some(lit)));
        lit
    }

    fn made(&mut self, head: Head, sort: Sort, args: Vec<Node>) -> Node {
        let entry = (head, args);
        if let Some(&(node, _)) = self.made.get(&entry) {
            return node;
        }
        let node = self.closure.add(head, sort, entry.1.clone());
        self.made.insert(entry, (node, None));
        node
    }

    /// The node of a term that is an argument: a Boolean there is a variable with a node.
    fn node(&mut self, term: Term) -> Node {
        if let Some(node) = self.nodes[term.index()] {
            return node;
        }
        let lit = self.lit(term);
        if lit.is_positive()
            && let Some(node) = self.node_of[lit.var()]
        {
            return node;
        }
        let node = self.closure.add(Head::Free, Sort::Bool, Vec::new());
        let same = self.variable(Some(node));
        self.clauses.push(vec![!same, lit]);
        self.clauses.push(vec![same, !lit]);
        self.nodes[term.index()] = Some(node);
        node
    }

    /// The node of a value whose parts have theirs.
    fn value(&mut self, term: Term) -> Node {
        let terms = self.terms;
        let (op, sort, args) = (terms.op(term), terms.sort(term), terms.args(term));
        match op {
            Op::Const(word) => self.closure.constant(word, sort),
            Op::Ite => {
                let node = self.closure.add(Head::Free, sort, Vec::new());
                let guard = self.lit(args[0]);
                for (when, then) in [(guard, args[1]), (!guard, args[2])] {
                    let then = self.node(then);
                    let same = self.predicate(Op::Eq, vec![node, then]);
                    self.clauses.push(vec![!when, same]);
                }
                node
            }
            op => {
                let args: Vec<Node> = args.iter().map(|&arg| self.node(arg)).collect();
                let node = self.closure.add(Head::Op(op), sort, args);
                self.take_back(op, node);
                node
            }
        }
    }

    /// Some operations can be taken back: what they give is equal only if what they were given is.
    fn take_back(&mut self, op: Op, node: Node) {
        let Some(&inner) = self.closure.nodes[node as usize].args.first() else { return };
        let sorts = [inner, node].map(|node| self.closure.nodes[node as usize].sort);
        let back = match (op, sorts) {
            (Op::ZeroExtend | Op::SignExtend, _) => Op::Extract { lo: 0 },
            (Op::FloatToFloat, [Sort::Float32, Sort::Float64]) => Op::FloatToFloat,
            (Op::FloatToBits, _) => Op::BitsToFloat,
            (_, _) => return,
        };
        let again = self.closure.add(Head::Op(back), sorts[0], vec![node]);
        self.closure.equate(again, inner);
    }

    fn note_order(&mut self, op: Op, operands: &[Node]) {
        let sort = self.closure.nodes[operands[0] as usize].sort;
        let is_it = |order: &&mut (Op, Sort, Vec<Node>)| (order.0, order.1) == (op, sort);
        match self.orders.iter_mut().find(is_it) {
            Some((.., known)) => known.extend(operands),
            None => self.orders.push((op, sort, operands.to_vec())),
        }
    }

    /// Orders are total: of two values one is less, or they are equal, and less goes on.
    fn order_all(&mut self) {
        for (op, _, mut operands) in std::mem::take(&mut self.orders) {
            operands.sort_unstable();
            operands.dedup();
            if operands.len() > MOST_ORDERED {
                continue;
            }
            for &one in &operands {
                for &two in &operands {
                    if one == two {
                        continue;
                    }
                    let less = self.predicate(op, vec![one, two]);
                    if one < two {
                        let more = self.predicate(op, vec![two, one]);
                        let same = self.predicate(Op::Eq, vec![one, two]);
                        self.clauses.push(vec![less, more, same]);
                        self.clauses.push(vec![!less, !more]);
                        self.clauses.push(vec![!less, !same]);
                        self.clauses.push(vec![!more, !same]);
                    }
                    for &three in operands.iter().filter(|&&three| three != one && three != two) {
                        let next = self.predicate(op, vec![two, three]);
                        let far = self.predicate(op, vec![one, three]);
                        self.clauses.push(vec![!less, !next, far]);
                    }
                }
            }
        }
    }
}
