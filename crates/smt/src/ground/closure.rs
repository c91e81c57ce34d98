//! Congruence closure: which nodes are equal if these are, with undo and reasons.
//!
//! Classes are kept as rings with a label per node; a table maps an operator on classes to a node, so that
//! equal arguments make equal results. Every union is an edge of a forest whose paths say why two nodes are
//! equal: by a literal that was decided, or because other pairs are. Paths between nodes that are already
//! equal never change, so reasons never speak of what was learned later.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

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
    /// Two others are.
    Pair(Node, Node),
    /// All these pairs are.
    Pairs(Vec<(Node, Node)>),
    /// They are one operation on equal arguments.
    Alike(Node, Node),
}

enum Undo {
    Union { small: Node, large: Node, n_uses: usize, constant: Option<Node> },
    Edge { from: Node, to: Node },
    Entered(Node),
    Left(Node),
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
    /// By operator and classes of arguments, as they are now: what is about to change is taken out before.
    table: HashTable<Node>,
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
        for (node, definition) in self.nodes.iter().enumerate() {
            for &arg in &definition.args {
                self.uses[arg as usize].push(node as Node);
            }
        }
        let seen = Seen { nodes: &self.nodes, label: &self.label };
        self.table.reserve(self.nodes.len(), |&other| seen.hash(other));
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
        let moved = std::mem::take(&mut self.uses[small as usize]);
        if gains.is_some() && constant.is_none() {
            for at in 0..n_uses {
                self.decide(self.uses[large as usize][at]);
            }
        }
        for &user in &moved {
            self.enter(user);
        }
        self.uses[large as usize].extend_from_slice(&moved);
        self.uses[small as usize] = moved;
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
                    self.pending.push((one, two, Reason::Pair(node, TRUE)));
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
            if self.take_out(user) {
                self.log.push(Undo::Left(user));
            }
        }
    }

    fn enter(&mut self, node: Node) {
        if self.nodes[node as usize].args.is_empty() {
            return;
        }
        self.decide(node);
        let seen = Seen { nodes: &self.nodes, label: &self.label };
        let hash = seen.hash(node);
        match self.table.find(hash, |&other| seen.are_alike(node, other)) {
            Some(&other) if other == node => {}
            Some(&other) => {
                let reason = seen.why_alike(node, other);
                self.pending.push((node, other, reason));
            }
            None => {
                self.table.insert_unique(hash, node, |&other| seen.hash(other));
                self.log.push(Undo::Entered(node));
            }
        }
    }

    /// Takes a node out of the table, if it is the one that is there.
    fn take_out(&mut self, node: Node) -> bool {
        let seen = Seen { nodes: &self.nodes, label: &self.label };
        match self.table.find_entry(seen.hash(node), |&other| other == node) {
            Ok(entry) => {
                entry.remove();
                true
            }
            Err(_) => false,
        }
    }

    fn put_back(&mut self, node: Node) {
        let seen = Seen { nodes: &self.nodes, label: &self.label };
        self.table.insert_unique(seen.hash(node), node, |&other| seen.hash(other));
    }

    /// What an operation gives where its arguments are known, or are one.
    fn decide(&mut self, node: Node) {
        let Definition { head, sort, ref args } = self.nodes[node as usize];
        if head == Head::Op(Op::Eq) && self.class(args[0]) == self.class(args[1]) {
            self.pending.push((node, TRUE, Reason::Pair(args[0], args[1])));
            return;
        }
        if args.is_empty() || self.constant[self.class(node) as usize].is_some() {
            return;
        }
        if args.iter().any(|&arg| self.constant[self.class(arg) as usize].is_none()) {
            return;
        }
        let words: Vec<u64> = args.iter().filter_map(|&arg| self.known(arg)).collect();
        let operand = self.nodes[args[0] as usize].sort;
        let Some(word) = value_of(head, sort, operand, &words) else { return };
        let pairs: Vec<(Node, Node)> = args
            .iter()
            .filter_map(|&arg| Some((arg, self.constant[self.class(arg) as usize]?)))
            .collect();
        let constant = self.constant(word, sort);
        self.pending.push((node, constant, Reason::Pairs(pairs)));
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
                    Reason::Pair(one, two) => open.push((*one, *two)),
                    Reason::Pairs(pairs) => open.extend(pairs),
                    Reason::Alike(one, two) => {
                        let args = [one, two].map(|&node| &self.nodes[node as usize].args);
                        open.extend(args[0].iter().copied().zip(args[1].iter().copied()));
                    }
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
                Some(Undo::Entered(node)) => {
                    self.take_out(node);
                }
                Some(Undo::Left(node)) => self.put_back(node),
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

/// Operations on classes, as they are labelled now.
#[derive(Clone, Copy)]
struct Seen<'c> {
    nodes: &'c [Definition],
    label: &'c [Node],
}

impl Seen<'_> {
    fn class(self, node: Node) -> Node {
        self.label[node as usize]
    }

    /// The same for nodes that are alike.
    fn hash(self, node: Node) -> u64 {
        let Definition { head, sort, ref args } = self.nodes[node as usize];
        let mut hasher = FxHasher::default();
        (head, sort).hash(&mut hasher);
        if has_order(head) {
            args.iter().for_each(|&arg| hasher.write_u32(self.class(arg)));
        } else if let Some(pair) = self.unordered_pair(node) {
            pair.hash(&mut hasher);
        } else {
            self.arranged(node).into_iter().for_each(|arg| hasher.write_u32(self.class(arg)));
        }
        hasher.finish()
    }

    /// Whether two nodes are one operation on equal arguments.
    fn are_alike(self, one: Node, two: Node) -> bool {
        let (first, second) = (&self.nodes[one as usize], &self.nodes[two as usize]);
        if (first.head, first.sort, first.args.len())
            != (second.head, second.sort, second.args.len())
        {
            return false;
        }
        let is_same = |(&one, &two): (&Node, &Node)| self.class(one) == self.class(two);
        if has_order(first.head) {
            return first.args.iter().zip(&second.args).all(is_same);
        }
        match (self.unordered_pair(one), self.unordered_pair(two)) {
            (Some(first), Some(second)) => first == second,
            _ => self.arranged(one).iter().zip(&self.arranged(two)).all(is_same),
        }
    }

    /// The classes of the arguments of an operation on two whose order does not matter.
    fn unordered_pair(self, node: Node) -> Option<[Node; 2]> {
        let Definition { head, ref args, .. } = self.nodes[node as usize];
        match args[..] {
            [one, two] if is_commutative(head) => {
                let (one, two) = (self.class(one), self.class(two));
                Some([one.min(two), one.max(two)])
            }
            _ => None,
        }
    }

    /// Why two nodes that are alike are equal. Where the order does not matter, classes that become one later
    /// would arrange the arguments otherwise.
    fn why_alike(self, one: Node, two: Node) -> Reason {
        if has_order(self.nodes[one as usize].head) {
            return Reason::Alike(one, two);
        }
        Reason::Pairs(self.arranged(one).into_iter().zip(self.arranged(two)).collect())
    }

    /// The arguments, ordered by their classes where their order does not matter. The factors of a sum stay
    /// with their terms.
    fn arranged(self, node: Node) -> Vec<Node> {
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
}

fn has_order(head: Head) -> bool {
    head != Head::Op(Op::Sum) && !is_commutative(head)
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
