//! The order in which the blocks of a body run, and what each of them needs.
//!
//! The order is a weak topological one: blocks of a loop come together, inner loops inside outer ones,
//! and everything behind a loop comes after it. Always running the first block that is waiting then
//! finishes a loop, however often it turns, before what follows; states that leave it in different
//! turns have met by then.

use program::ir::{Block, BlockId, Body, Terminator, Value};

pub(super) struct Flow {
    /// The place of each block in the order.
    pub(super) position: Vec<u32>,
    /// The block at each place.
    pub(super) block: Vec<BlockId>,
    /// By place: the last place of the loop whose header is there, else the place itself.
    pub(super) end: Vec<u32>,
    /// What a block or a later one uses without defining it: by block, ascending, without the block's
    /// own parameters.
    pub(super) live_in: Vec<Box<[Value]>>,
}

impl Flow {
    pub(super) fn new(body: &Body) -> Flow {
        let successors: Vec<Vec<usize>> =
            body.blocks.iter().map(|block| successors(body, block)).collect();
        let mut order = Vec::with_capacity(body.blocks.len());
        let mut end = vec![0; body.blocks.len()];
        let all: Vec<usize> = (0..body.blocks.len()).collect();
        order_component(&successors, &all, None, &mut order, &mut end);
        let mut position = vec![0; body.blocks.len()];
        let ids: Vec<BlockId> = body.block_ids().collect();
        let block = order.iter().map(|&at| ids[at]).collect();
        for (place, &at) in order.iter().enumerate() {
            position[at] = place as u32;
        }
        Flow { position, block, end, live_in: live_in(body, &successors) }
    }
}

fn successors(body: &Body, block: &Block) -> Vec<usize> {
    let mut found = Vec::new();
    body.for_each_successor(block, |edge| found.push(edge.target.index()));
    found.extend(body.handlers_of(block).iter().map(|handler| handler.edge.target.index()));
    found.sort_unstable();
    found.dedup();
    found
}

/// Appends the blocks of `members` so that each strongly connected part stays together, its header
/// first. `header` is the entry of the loop around; edges to it are ignored.
fn order_component(
    successors: &[Vec<usize>],
    members: &[usize],
    header: Option<usize>,
    order: &mut Vec<usize>,
    end: &mut [u32],
) {
    let inside: std::collections::BTreeSet<usize> =
        members.iter().copied().filter(|&at| Some(at) != header).collect();
    for component in components(successors, &inside) {
        let &[first, ..] = &component[..] else { continue };
        let is_loop = component.len() > 1 || successors[first].contains(&first);
        let place = order.len();
        order.push(first);
        if is_loop {
            order_component(successors, &component, Some(first), order, end);
        }
        end[place] = order.len() as u32 - 1;
    }
}

/// The strongly connected components within `inside`, in topological order; each with the block of
/// the smallest number first, which dominates the others in reducible code.
fn components(
    successors: &[Vec<usize>],
    inside: &std::collections::BTreeSet<usize>,
) -> Vec<Vec<usize>> {
    let mut tarjan = Tarjan {
        successors,
        inside,
        index: vec![None; successors.len()],
        low: vec![0; successors.len()],
        on_stack: vec![false; successors.len()],
        stack: Vec::new(),
        next: 0,
        found: Vec::new(),
    };
    for &at in inside {
        if tarjan.index[at].is_none() {
            tarjan.visit(at);
        }
    }
    let mut found = tarjan.found;
    found.reverse();
    for component in &mut found {
        component.sort_unstable();
    }
    found
}

struct Tarjan<'a> {
    successors: &'a [Vec<usize>],
    inside: &'a std::collections::BTreeSet<usize>,
    index: Vec<Option<u32>>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: u32,
    found: Vec<Vec<usize>>,
}

impl Tarjan<'_> {
    fn enter(&mut self, at: usize) {
        self.index[at] = Some(self.next);
        self.low[at] = self.next;
        self.next += 1;
        self.stack.push(at);
        self.on_stack[at] = true;
    }

    /// Iterative: bodies have tens of thousands of blocks.
    fn visit(&mut self, root: usize) {
        self.enter(root);
        let mut work = vec![(root, 0)];
        while let Some(&mut (at, ref mut next)) = work.last_mut() {
            if let Some(&successor) = self.successors[at].get(*next) {
                *next += 1;
                if !self.inside.contains(&successor) {
                    continue;
                }
                match self.index[successor] {
                    None => {
                        self.enter(successor);
                        work.push((successor, 0));
                    }
                    Some(index) if self.on_stack[successor] => {
                        self.low[at] = self.low[at].min(index);
                    }
                    Some(_) => {}
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                self.low[parent] = self.low[parent].min(self.low[at]);
            }
            if Some(self.low[at]) == self.index[at] {
                self.close(at);
            }
        }
    }

    fn close(&mut self, root: usize) {
        let mut component = Vec::new();
        while let Some(at) = self.stack.pop() {
            self.on_stack[at] = false;
            component.push(at);
            if at == root {
                break;
            }
        }
        self.found.push(component);
    }
}

/// Backward liveness by rounds; block parameters and results are definitions, edge arguments uses.
fn live_in(body: &Body, successors: &[Vec<usize>]) -> Vec<Box<[Value]>> {
    use std::collections::BTreeSet;
    let mut uses: Vec<BTreeSet<Value>> = Vec::with_capacity(body.blocks.len());
    let mut defined: Vec<BTreeSet<Value>> = Vec::with_capacity(body.blocks.len());
    for block in &body.blocks {
        // What a block defines dominates every use of it, so it is never live at the block's start.
        let mut own: BTreeSet<Value> = body.list(block.parameters).iter().copied().collect();
        own.extend(body.instructions_of(block).iter().filter_map(|one| one.result));
        let mut used = BTreeSet::new();
        let mut add = |value: Value| {
            if !own.contains(&value) {
                used.insert(value);
            }
        };
        for handler in body.handlers_of(block) {
            body.list(handler.edge.arguments).iter().for_each(|&value| add(value));
        }
        for instruction in body.instructions_of(block) {
            instruction.op.for_each_operand(body, &mut add);
        }
        terminator_values(body, block, add);
        uses.push(used);
        defined.push(own);
    }
    let mut live = uses;
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..live.len()).rev() {
            let mut more: Vec<Value> = Vec::new();
            for &next in &successors[at] {
                let passes =
                    |value: &&Value| !defined[at].contains(value) && !live[at].contains(value);
                more.extend(live[next].iter().filter(passes));
            }
            if !more.is_empty() {
                changed = true;
                live[at].extend(more);
            }
        }
    }
    live.into_iter().map(|set| set.into_iter().collect()).collect()
}

fn terminator_values(body: &Body, block: &Block, mut each: impl FnMut(Value)) {
    match block.terminator {
        Terminator::If { condition, .. } => {
            let (left, right) = condition.operands();
            each(left);
            right.into_iter().for_each(&mut each);
        }
        Terminator::Switch { value, .. } | Terminator::Throw(value) => each(value),
        Terminator::Return(value) => value.into_iter().for_each(&mut each),
        Terminator::Goto(_) => {}
    }
    body.for_each_successor(block, |edge| body.list(edge.arguments).iter().for_each(|&v| each(v)));
}
