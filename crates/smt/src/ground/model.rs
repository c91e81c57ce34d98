//! Values for the classes of a closure, for evaluation to judge.
//!
//! A class is worth its constant, else what an operation in it gives on the values of its arguments, else
//! something of its own that fits what is less and more than it. Several tries differ in what they choose.

use rustc_hash::{FxHashMap, FxHashSet};

use super::closure::{Closure, FALSE, Head, Node, TRUE, key, value_of};
use crate::assignment::Assignment;
use crate::fold::canonical;
use crate::op::Op;
use crate::sort::{Sort, mask, signed};

/// Ways to choose.
const TRIES: u64 = 4;
/// Numbers of so many bits are few.
const NARROW: u8 = 8;
/// The one in which equal floats are zeros of both signs.
const AS_ZEROS: u64 = 1;
/// How far from its bounds a value is put, so that others fit between.
const FAR: i64 = 1 << 12;
/// Values that are tried for one that nothing else has: a byte has few, and all may be taken.
const MOST_TRIED: usize = 64;

/// An assignment that makes true what is asked for; else, if values could be found at all, the Booleans
/// that arithmetic gives another value than the closure has.
pub(super) fn find_model(
    closure: &Closure,
    mut fits: impl FnMut(&Assignment) -> bool,
) -> Result<Assignment, Vec<(Node, bool)>> {
    let mut wrong = Vec::new();
    for attempt in 0..TRIES {
        let mut model = Model::new(closure, attempt);
        let Some(assignment) = model.assignment() else { break };
        if fits(&assignment) {
            return Ok(assignment);
        }
        if wrong.is_empty() {
            wrong = model.disagreements();
        }
    }
    Err(wrong)
}

struct Model<'c> {
    closure: &'c Closure,
    attempt: u64,
    /// The nodes, those of one class together, and where those of the class with a label end.
    members: Vec<Node>,
    ends: Vec<u32>,
    /// For each class those that are known to be less than it, and more.
    below: FxHashMap<Node, Vec<Node>>,
    above: FxHashMap<Node, Vec<Node>>,
    /// And those that are known to be something else.
    apart: FxHashMap<Node, Vec<Node>>,
    /// For each class of floats the class of their keys.
    keys: FxHashMap<Node, Node>,
    values: Vec<Option<u64>>,
    /// The keys of a zero that one float has already.
    zeros: FxHashSet<Node>,
    taken: FxHashSet<(Sort, u64)>,
    n_chosen: u64,
}

impl<'c> Model<'c> {
    fn new(closure: &'c Closure, attempt: u64) -> Model<'c> {
        let mut model = Model {
            closure,
            attempt,
            members: Vec::new(),
            ends: Vec::new(),
            below: FxHashMap::default(),
            above: FxHashMap::default(),
            apart: FxHashMap::default(),
            keys: FxHashMap::default(),
            values: vec![None; closure.nodes.len()],
            zeros: FxHashSet::default(),
            taken: FxHashSet::default(),
            n_chosen: 0,
        };
        model.sort_members();
        for (at, definition) in closure.nodes.iter().enumerate() {
            let (node, class) = (at as Node, closure.class(at as Node));
            if let Some(word) = closure.known(node) {
                model.values[class as usize] = Some(word);
                model.taken.insert((definition.sort, word));
            }
            let classes = || definition.args.iter().map(|&arg| closure.class(arg));
            if definition.head == Head::Key {
                model.keys.extend(classes().map(|float| (float, class)));
            }
            if definition.head == Head::Op(Op::Eq) && class == closure.class(FALSE) {
                let pair: Vec<Node> = classes().collect();
                model.apart.entry(pair[1]).or_default().push(pair[0]);
                model.apart.entry(pair[0]).or_default().push(pair[1]);
            }
            let is_less = matches!(definition.head, Head::Op(Op::Slt | Op::Ult));
            if is_less && class == closure.class(TRUE) {
                let pair: Vec<Node> = classes().collect();
                model.below.entry(pair[1]).or_default().push(pair[0]);
                model.above.entry(pair[0]).or_default().push(pair[1]);
            }
        }
        model
    }

    /// Puts the nodes of each class together, in their order.
    fn sort_members(&mut self) {
        let n_nodes = self.closure.nodes.len();
        let mut starts = vec![0; n_nodes + 1];
        for node in 0..n_nodes as Node {
            starts[self.closure.class(node) as usize + 1] += 1;
        }
        for class in 0..n_nodes {
            starts[class + 1] += starts[class];
        }
        self.members.resize(n_nodes, 0);
        for node in 0..n_nodes as Node {
            let place = &mut starts[self.closure.class(node) as usize];
            self.members[*place as usize] = node;
            *place += 1;
        }
        self.ends = starts;
    }

    /// The nodes of a class, ascending.
    fn members(&self, class: Node) -> &[Node] {
        let class = class as usize;
        let start = if class == 0 { 0 } else { self.ends[class - 1] };
        &self.members[start as usize..self.ends[class] as usize]
    }

    fn value(&self, class: Node) -> Option<u64> {
        self.values[class as usize]
    }

    /// What a node is worth, once all are.
    fn worth(&self, node: Node) -> u64 {
        self.value(self.closure.class(node)).unwrap_or_default()
    }

    /// Nothing where arrays are spoken of.
    fn assignment(&mut self) -> Option<Assignment> {
        let mut assignment = Assignment::new();
        for at in 0..self.closure.nodes.len() as Node {
            self.evaluate(self.closure.class(at))?;
        }
        for (at, definition) in self.closure.nodes.iter().enumerate() {
            let Head::Op(op) = definition.head else { continue };
            let value = self.worth(at as Node);
            if let Op::Symbol(symbol) = op {
                assignment.set_word(symbol, value);
            }
            if let Op::Apply(function) = op {
                let args = definition.args.iter().map(|&arg| self.worth(arg));
                let key: Box<[u64]> = args.collect();
                assignment.table_mut(function).entries.insert(key, value);
            }
        }
        Some(assignment)
    }

    /// The comparisons that come out differently on these values.
    fn disagreements(&self) -> Vec<(Node, bool)> {
        let mut words: Vec<u64> = Vec::with_capacity(self.closure.nodes.len());
        let mut wrong = Vec::new();
        for (at, definition) in self.closure.nodes.iter().enumerate() {
            let known = self.worth(at as Node);
            let args: Vec<u64> = definition.args.iter().map(|&arg| words[arg as usize]).collect();
            let operand = definition.args.first().map(|&arg| self.closure.nodes[arg as usize].sort);
            let word = operand
                .and_then(|operand| value_of(definition.head, definition.sort, operand, &args))
                .unwrap_or(known);
            if definition.sort == Sort::Bool && word != known {
                wrong.push((at as Node, word != 0));
            }
            words.push(word);
        }
        wrong
    }

    /// Gives a class its value, after those that it depends on.
    fn evaluate(&mut self, class: Node) -> Option<()> {
        if self.value(class).is_some() {
            return Some(());
        }
        let mut open = vec![class];
        let mut entered: FxHashSet<Node> = FxHashSet::default();
        while let Some(&class) = open.last() {
            if self.value(class).is_some() {
                open.pop();
                continue;
            }
            let is_new = entered.insert(class);
            let before = open.len();
            if is_new {
                let needed = self.needed(class);
                open.extend(needed.into_iter().filter(|it| !entered.contains(it)));
            }
            if open.len() == before {
                let value = match self.computed(class) {
                    Some(value) => value,
                    None => self.chosen(class)?,
                };
                self.values[class as usize] = Some(value);
                open.pop();
            }
        }
        Some(())
    }

    /// The classes that operations in this one depend on, and those that are less.
    fn needed(&self, class: Node) -> Vec<Node> {
        let mut needed = Vec::new();
        for &member in self.members(class) {
            let definition = &self.closure.nodes[member as usize];
            if is_computed(definition.head) && !self.takes_back(member) {
                needed.extend(definition.args.iter().map(|&arg| self.closure.class(arg)));
            }
        }
        if !needed.is_empty() {
            return needed;
        }
        let key = self.keys.get(&class).unwrap_or(&class);
        needed.extend(self.below.get(key).into_iter().flatten().copied());
        needed
    }

    fn computed(&self, class: Node) -> Option<u64> {
        let members = self.members(class).iter().filter(|&&member| !self.takes_back(member));
        members.copied().find_map(|member| {
            let definition = &self.closure.nodes[member as usize];
            let operand = self.closure.nodes[*definition.args.first()? as usize].sort;
            let words: Option<Vec<u64>> =
                definition.args.iter().map(|&arg| self.value(self.closure.class(arg))).collect();
            value_of(definition.head, definition.sort, operand, &words?)
        })
    }

    /// Whether a node only says what an operation on its own class was given: that depends on it.
    fn takes_back(&self, node: Node) -> bool {
        let first = |node: Node| self.closure.nodes[node as usize].args.first().copied();
        let inner = first(node).and_then(first);
        inner.is_some_and(|inner| self.closure.class(inner) == self.closure.class(node))
    }

    fn chosen(&mut self, class: Node) -> Option<u64> {
        let sort = self.closure.nodes[class as usize].sort;
        match sort {
            Sort::Array(_) => None,
            Sort::Bool => Some(0),
            Sort::BitVec(width) if width <= NARROW && !self.is_bounded(class) => {
                Some(self.narrow(class, sort, width))
            }
            Sort::BitVec(width) => Some(self.number(class, sort, u32::from(width))),
            Sort::Float32 => Some(self.float(class, sort, 32)),
            Sort::Float64 => Some(self.float(class, sort, 64)),
            Sort::Uninterpreted(_) => Some(self.fresh(sort)),
        }
    }

    /// A float by its key. Floats of one key that need not be the same can differ only as zeros do.
    fn float(&mut self, class: Node, sort: Sort, width: u8) -> u64 {
        let Some(&keys) = self.keys.get(&class) else { return self.fresh(sort) };
        let as_zeros = self.attempt == AS_ZEROS;
        let key = match self.value(keys) {
            Some(key) => key,
            None if self.is_bounded(keys) => {
                self.number(keys, Sort::BitVec(width), u32::from(width))
            }
            None if as_zeros && self.is_shared(keys) => 0,
            None => key(sort, self.fresh(sort)),
        };
        self.values[keys as usize] = Some(key);
        let is_second = key == 0 && as_zeros && !self.zeros.insert(keys);
        if is_second { 1 << (width - 1) } else { float_of(sort, key) }
    }

    /// Whether something is known to be less or more.
    fn is_bounded(&self, class: Node) -> bool {
        self.below.contains_key(&class) || self.above.contains_key(&class)
    }

    /// Whether floats of several classes have this key.
    fn is_shared(&self, keys: Node) -> bool {
        self.keys.values().filter(|&&it| it == keys).nth(1).is_some()
    }

    /// A number of few bits: one that nothing has, else one that nothing has that must differ.
    fn narrow(&mut self, class: Node, sort: Sort, width: u8) -> u64 {
        let apart = self.apart.get(&class).into_iter().flatten();
        let others: Vec<u64> = apart.filter_map(|&it| self.value(it)).collect();
        let all = 0..1_u64 << width;
        let free = all.clone().find(|&word| !self.taken.contains(&(sort, word)));
        let word = free.or_else(|| all.clone().find(|word| !others.contains(word))).unwrap_or(0);
        self.taken.insert((sort, word));
        word
    }

    /// A number between those that are known to be less and more.
    fn number(&mut self, class: Node, sort: Sort, width: u32) -> u64 {
        let bound = |classes: Option<&Vec<Node>>| -> Vec<i64> {
            let known = classes.into_iter().flatten().filter_map(|&it| self.value(it));
            known.map(|word| signed(word, width)).collect()
        };
        let low = bound(self.below.get(&class)).into_iter().max();
        let high = bound(self.above.get(&class)).into_iter().min();
        let far = FAR.min((mask(width) >> 3) as i64).max(1);
        let mut number = match (low, high) {
            (None, None) => return self.fresh(sort),
            (Some(low), None) => low.saturating_add(far),
            (None, Some(high)) => high.saturating_sub(far),
            (Some(low), Some(high)) => low.midpoint(high),
        };
        for _ in 0..16 {
            if self.taken.insert((sort, number as u64 & mask(width))) {
                break;
            }
            number = number.saturating_add(1);
        }
        number as u64 & mask(width)
    }

    /// A value that nothing else has, unless there are hardly any left.
    fn fresh(&mut self, sort: Sort) -> u64 {
        let mut n_tried = 0;
        loop {
            n_tried += 1;
            self.n_chosen += 1;
            let number = match self.attempt {
                0 | AS_ZEROS => self.n_chosen + 100,
                2 => 1_000_000 - self.n_chosen,
                // Spread out, so that sums and products of them differ too.
                _ => (self.n_chosen + self.attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34,
            };
            let word = match sort {
                Sort::Bool => number & 1,
                Sort::BitVec(width) => number & mask(u32::from(width)),
                Sort::Float32 => canonical(u64::from((number as f32).to_bits()), sort),
                Sort::Float64 => canonical((number as f64).to_bits(), sort),
                Sort::Uninterpreted(_) | Sort::Array(_) => number,
            };
            if self.taken.insert((sort, word)) || n_tried == MOST_TRIED {
                return word;
            }
        }
    }
}

fn is_computed(head: Head) -> bool {
    match head {
        Head::Key => true,
        Head::Free | Head::Const(_) => false,
        Head::Op(op) => !matches!(
            op,
            Op::Const(_) | Op::Symbol(_) | Op::Apply(_) | Op::Select | Op::Store | Op::ConstArray
        ),
    }
}

/// The float whose key this is.
fn float_of(sort: Sort, key: u64) -> u64 {
    let word = match sort {
        Sort::Float32 if (key as u32 as i32) < 0 => {
            u64::from(0x8000_0000_u32.wrapping_sub(key as u32))
        }
        Sort::Float64 if (key as i64) < 0 => 0x8000_0000_0000_0000_u64.wrapping_sub(key),
        _ => key,
    };
    canonical(word, sort)
}
