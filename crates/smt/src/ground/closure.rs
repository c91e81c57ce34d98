//! Congruence closure: which nodes are equal if these are, with undo and reasons.
//!
//! Classes are kept as rings with a label per node; a table maps an operator on classes to a node, so that
//! equal arguments make equal results. Every union is an edge of a forest whose paths say why two nodes are
//! equal: by a literal that was decided, or because other pairs are. Paths between nodes that are already
//! equal never change, so reasons never speak of what was learned later.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Lit;
use crate::fold::fold;
use crate::op::Op;
use crate::sort::Sort;

pub(super) type Node = u32;
pub(super) const FALSE: Node = 0;
pub(super) const TRUE: Node = 1;

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Head {
    /// Something of which nothing is known beside what clauses say.
    Free,
    Const(u64),
    Op(Op),
    /// A float as a number that orders as floats do: equal for -0.0 and 0.0.
    Key,
}

#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) head: Head,
    pub(super) sort: Sort,
    pub(super) args: Vec<Node>,
}

/// Why two nodes are equal.
enum Reason {
    Lit(Lit),
    /// All these pairs are.
    Pairs(Vec<(Node, Node)>),
}

type Signature = (Head, Sort, Box<[Node]>);

enum Undo {
    Union { small: Node, large: Node, n_uses: usize, constant: Option<Node> },
    Edge { from: Node, to: Node },
    Entered(Signature),
    Left(Signature, Node),
}

/// Two different constants that would have to be equal.
pub(super) struct Clash(pub(super) Node, pub(super) Node);

#[derive(Default)]
pub(super) struct Closure {
    pub(super) nodes: Vec<Definition>,
    label: Vec<Node>,
    next: Vec<Node>,
    size: Vec<u32>,
    /// Of the class with this label.
    constant: Vec<Option<Node>>,
    uses: Vec<Vec<Node>>,
    table: FxHashMap<Signature, Node>,
    constants: FxHashMap<(Sort, u64), Node>,
    /// Edges of the forest, with the number of their reason.
    proof: Vec<Option<(Node, usize)>>,
    reasons: Vec<Reason>,
    log: Vec<Undo>,
    pending: Vec<(Node, Node, Reason)>,
    /// Booleans that turned out to be true or false, for whoever decides.
    pub(super) found: Vec<(Node, bool)>,
    /// Unions so far: the unit of work.
    pub(super) work: u64,
}

impl Closure {
    pub(super) fn new() -> Closure {
        let mut closure = Closure::default();
        for word in [0, 1] {
            closure.constant(word, Sort::Bool);
        }
        closure
    }

    /// A new node, to be entered by [`Self::enter_all`].
    pub(super) fn add(&mut self, head: Head, sort: Sort, args: Vec<Node>) -> Node {
        let node = self.nodes.len() as Node;
        self.nodes.push(Definition { head, sort, args });
        self.label.push(node);
        self.next.push(node);
        self.size.push(1);
        self.constant.push(matches!(head, Head::Const(_)).then_some(node));
        self.uses.push(Vec::new());
        self.proof.push(None);
        node
    }

    pub(super) fn constant(&mut self, word: u64, sort: Sort) -> Node {
        if let Some(&node) = self.constants.get(&(sort, word)) {
            return node;
        }
        let node = self.add(Head::Const(word), sort, Vec::new());
        self.constants.insert((sort, word), node);
        node
    }

    /// The class of a node, by its label.
    pub(super) fn class(&self, node: Node) -> Node {
        self.label[node as usize]
    }

    /// The constant that a node equals.
    pub(super) fn known(&self, node: Node) -> Option<u64> {
        let constant = self.constant[self.class(node) as usize]?;
        match self.nodes[constant as usize].head {
            Head::Const(word) => Some(word),
            Head::Free | Head::Op(_) | Head::Key => None,
        }
    }

    /// Enters all nodes into the table; what is equal then stays so.
    pub(super) fn enter_all(&mut self) -> Result<(), Clash> {
        for node in 0..self.nodes.len() as Node {
            for arg in self.nodes[node as usize].args.clone() {
                self.uses[arg as usize].push(node);
            }
        }
        for node in 0..self.nodes.len() as Node {
            self.enter(node);
        }
        let done = self.settle();
        self.log.clear();
        done
    }

    /// Two nodes that are equal whatever else is.
    pub(super) fn equate(&mut self, one: Node, two: Node) {
        self.pending.push((one, two, Reason::Pairs(Vec::new())));
    }

    /// Takes a Boolean for true or false because of a literal.
    pub(super) fn assume(&mut self, node: Node, value: bool, lit: Lit) -> Result<(), Clash> {
        let constant = if value { TRUE } else { FALSE };
        self.pending.push((node, constant, Reason::Lit(lit)));
        self.settle()
    }

    fn settle(&mut self) -> Result<(), Clash> {
        while let Some((one, two, reason)) = self.pending.pop() {
            if let Err(clash) = self.unite(one, two, reason) {
                self.pending.clear();
                return Err(clash);
            }
        }
        Ok(())
    }

    fn unite(&mut self, one: Node, two: Node, reason: Reason) -> Result<(), Clash> {
        let (first, second) = (self.class(one), self.class(two));
        if first == second {
            return Ok(());
        }
        self.work += 1;
        self.link(one, two, reason);
        let constants = [first, second].map(|class| self.constant[class as usize]);
        if let [Some(one), Some(two)] = constants {
            return Err(Clash(one, two));
        }
        let is_smaller = self.size[first as usize] <= self.size[second as usize];
        let (small, large) = if is_smaller { (first, second) } else { (second, first) };
        let gains = self.constant[small as usize].or(self.constant[large as usize]);
        self.announce(small, large);
        self.withdraw(small);
        self.relabel(small, large);
        let n_uses = self.uses[large as usize].len();
        let constant = self.constant[large as usize];
        self.log.push(Undo::Union { small, large, n_uses, constant });
        self.constant[large as usize] = gains;
        let moved = self.uses[small as usize].clone();
        if gains.is_some() && constant.is_none() {
            for at in 0..n_uses {
                self.decide(self.uses[large as usize][at]);
            }
        }
        for &user in &moved {
            self.enter(user);
        }
        self.uses[large as usize].extend(moved);
        Ok(())
    }

    /// Tells of Booleans that become known because two classes, one of them true or false, become one.
    fn announce(&mut self, small: Node, large: Node) {
        for (from, to) in [(small, large), (large, small)] {
            let Some(value @ (TRUE | FALSE)) = self.constant[to as usize] else { continue };
            let mut node = from;
            loop {
                self.found.push((node, value == TRUE));
                let definition = &self.nodes[node as usize];
                if value == TRUE && definition.head == Head::Op(Op::Eq) {
                    let (one, two) = (definition.args[0], definition.args[1]);
                    self.pending.push((one, two, Reason::Pairs(vec![(node, TRUE)])));
                }
                node = self.next[node as usize];
                if node == from {
                    break;
                }
            }
        }
    }

    fn relabel(&mut self, small: Node, large: Node) {
        let mut node = small;
        loop {
            self.label[node as usize] = large;
            node = self.next[node as usize];
            if node == small {
                break;
            }
        }
        self.next.swap(small as usize, large as usize);
        self.size[large as usize] += self.size[small as usize];
    }

    /// Takes the users of a class out of the table, before its label changes.
    fn withdraw(&mut self, class: Node) {
        for at in 0..self.uses[class as usize].len() {
            let user = self.uses[class as usize][at];
            let signature = self.signature(user);
            if self.table.get(&signature) == Some(&user) {
                self.table.remove(&signature);
                self.log.push(Undo::Left(signature, user));
            }
        }
    }

    fn enter(&mut self, node: Node) {
        if self.nodes[node as usize].args.is_empty() {
            return;
        }
        self.decide(node);
        let signature = self.signature(node);
        match self.table.get(&signature) {
            Some(&other) if other == node => {}
            Some(&other) => {
                let pairs = self.matched(node, other);
                self.pending.push((node, other, Reason::Pairs(pairs)));
            }
            None => {
                self.log.push(Undo::Entered(signature.clone()));
                self.table.insert(signature, node);
            }
        }
    }

    /// What an operation gives where its arguments are known, or are one.
    fn decide(&mut self, node: Node) {
        let Definition { head, sort, ref args } = self.nodes[node as usize];
        if head == Head::Op(Op::Eq) && self.class(args[0]) == self.class(args[1]) {
            let pairs = vec![(args[0], args[1])];
            self.pending.push((node, TRUE, Reason::Pairs(pairs)));
            return;
        }
        if args.is_empty() || self.constant[self.class(node) as usize].is_some() {
            return;
        }
        let mut words = Vec::with_capacity(args.len());
        for &arg in args {
            let Some(word) = self.known(arg) else { return };
            words.push(word);
        }
        let operand = self.nodes[args[0] as usize].sort;
        let Some(word) = value_of(head, sort, operand, &words) else { return };
        let pairs: Vec<(Node, Node)> = args
            .iter()
            .filter_map(|&arg| Some((arg, self.constant[self.class(arg) as usize]?)))
            .collect();
        let constant = self.constant(word, sort);
        self.pending.push((node, constant, Reason::Pairs(pairs)));
    }

    fn signature(&self, node: Node) -> Signature {
        let Definition { head, sort, .. } = self.nodes[node as usize];
        let classes = self.arranged(node).into_iter().map(|arg| self.class(arg)).collect();
        (head, sort, classes)
    }

    /// The arguments of two nodes of one signature, pair by pair.
    fn matched(&self, one: Node, two: Node) -> Vec<(Node, Node)> {
        self.arranged(one).into_iter().zip(self.arranged(two)).collect()
    }

    /// The arguments, ordered by their classes where their order does not matter. The factors of a sum stay
    /// with their terms.
    fn arranged(&self, node: Node) -> Vec<Node> {
        let Definition { head, ref args, .. } = self.nodes[node as usize];
        let mut args: Vec<Node> = args.to_vec();
        if let (Head::Op(Op::Sum), Some((&first, rest))) = (head, args.split_first()) {
            let mut summands: Vec<[Node; 2]> =
                rest.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
            summands.sort_by_key(|pair| pair.map(|arg| self.class(arg)));
            return std::iter::once(first).chain(summands.into_iter().flatten()).collect();
        }
        if is_commutative(head) {
            args.sort_by_key(|&arg| self.class(arg));
        }
        args
    }

    /// An edge from one tree of the forest to another.
    fn link(&mut self, one: Node, two: Node, reason: Reason) {
        let number = self.reasons.len();
        self.reasons.push(reason);
        let (mut node, mut edge) = (one, Some((two, number)));
        while let Some((to, number)) = edge {
            edge = self.proof[node as usize].replace((to, number)).map(|(up, why)| {
                // The old edge is turned round.
                let turned = (node, why);
                node = up;
                turned
            });
        }
        self.log.push(Undo::Edge { from: one, to: two });
    }

    /// The literals because of which two nodes are equal.
    pub(super) fn explain(&self, one: Node, two: Node) -> Vec<Lit> {
        let (mut open, mut seen) = (vec![(one, two)], FxHashSet::default());
        let mut lits = Vec::new();
        while let Some((one, two)) = open.pop() {
            for number in self.path(one, two) {
                if !seen.insert(number) {
                    continue;
                }
                match &self.reasons[number] {
                    Reason::Lit(lit) => lits.push(*lit),
                    Reason::Pairs(pairs) => open.extend(pairs),
                }
            }
        }
        lits.sort_unstable();
        lits.dedup();
        lits
    }

    /// The reasons on the way between two nodes of one tree.
    fn path(&self, one: Node, two: Node) -> Vec<usize> {
        let mut above: FxHashMap<Node, usize> = FxHashMap::default();
        let mut numbers = Vec::new();
        let mut node = one;
        loop {
            above.insert(node, numbers.len());
            let Some((up, number)) = self.proof[node as usize] else { break };
            numbers.push(number);
            node = up;
        }
        let mut rest = Vec::new();
        let mut node = two;
        while !above.contains_key(&node) {
            let Some((up, number)) = self.proof[node as usize] else { break };
            rest.push(number);
            node = up;
        }
        numbers.truncate(above.get(&node).copied().unwrap_or(numbers.len()));
        numbers.extend(rest);
        numbers
    }

    /// Where to come back to.
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes back all since the mark.
    pub(super) fn undo_to(&mut self, mark: usize) {
        self.found.clear();
        self.pending.clear();
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Undo::Union { small, large, n_uses, constant }) => {
                    self.uses[large as usize].truncate(n_uses);
                    self.constant[large as usize] = constant;
                    self.size[large as usize] -= self.size[small as usize];
                    self.next.swap(small as usize, large as usize);
                    let mut node = small;
                    loop {
                        self.label[node as usize] = small;
                        node = self.next[node as usize];
                        if node == small {
                            break;
                        }
                    }
                }
                Some(Undo::Edge { from, to }) => self.cut(from, to),
                Some(Undo::Entered(signature)) => {
                    self.table.remove(&signature);
                }
                Some(Undo::Left(signature, node)) => {
                    self.table.insert(signature, node);
                }
                None => {}
            }
        }
    }

    /// Removes the last edge, whichever way it points now.
    fn cut(&mut self, from: Node, to: Node) {
        let number = self.reasons.len() - 1;
        let end = if self.proof[from as usize] == Some((to, number)) { from } else { to };
        self.proof[end as usize] = None;
        self.reasons.pop();
    }
}

/// Whether the order of the arguments does not matter, each on its own.
fn is_commutative(head: Head) -> bool {
    match head {
        Head::Op(op) => matches!(op, Op::Eq | Op::Mul | Op::BitAnd | Op::BitOr | Op::BitXor),
        Head::Free | Head::Const(_) | Head::Key => false,
    }
}

/// What an operation gives on known arguments; nothing where that is not fixed.
pub(super) fn value_of(head: Head, sort: Sort, operand: Sort, words: &[u64]) -> Option<u64> {
    match head {
        Head::Op(
            Op::Const(_)
            | Op::Symbol(_)
            | Op::Apply(_)
            | Op::Select
            | Op::Store
            | Op::ConstArray
            | Op::Ite,
        )
        | Head::Free
        | Head::Const(_) => None,
        Head::Op(op) => Some(fold(op, sort, operand, words.len(), |at| words[at])),
        Head::Key => Some(key(operand, words[0])),
    }
}

/// Orders as floats do, as a signed number; the same for both zeros. Nothing is said of NaN.
pub(super) fn key(sort: Sort, word: u64) -> u64 {
    if sort == Sort::Float32 {
        let bits = word as u32;
        let key = if (bits as i32) < 0 { 0x8000_0000_u32.wrapping_sub(bits) } else { bits };
        return u64::from(key);
    }
    if (word as i64) < 0 { 0x8000_0000_0000_0000_u64.wrapping_sub(word) } else { word }
}
