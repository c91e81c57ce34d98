//! The loops of a body, and what decides whether they go on.

use program::ir::{Block, BlockId, Body, Dominators, Edge, Op, Terminator, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Blocks that lead back to the first of them.
pub(super) struct Loop {
    pub header: BlockId,
    pub blocks: Vec<BlockId>,
    /// The jumps back to the header.
    back: Vec<Edge>,
}

/// All loops of the body; those with one header are one.
pub(super) fn find_loops(body: &Body) -> Vec<Loop> {
    let mut before: Vec<Vec<BlockId>> = vec![Vec::new(); body.blocks.len()];
    let mut jumps_back: Vec<(BlockId, Edge)> = Vec::new();
    for id in body.block_ids() {
        for_each_edge(body, body.block(id), |edge| {
            before[edge.target.index()].push(id);
            // In reverse postorder only a jump to an earlier block can close a loop.
            if edge.target <= id {
                jumps_back.push((id, edge));
            }
        });
    }
    if jumps_back.is_empty() {
        return Vec::new();
    }
    let dominators = Dominators::new(body);
    let mut loops: Vec<Loop> = Vec::new();
    for (from, edge) in jumps_back {
        if !dominators.dominates(edge.target, from) {
            continue;
        }
        let known = loops.iter().position(|it| it.header == edge.target);
        let position = known.unwrap_or_else(|| {
            let blocks = vec![edge.target];
            loops.push(Loop { header: edge.target, blocks, back: Vec::new() });
            loops.len() - 1
        });
        let found = &mut loops[position];
        found.back.push(edge);
        let mut queue = vec![from];
        while let Some(block) = queue.pop() {
            if !found.blocks.contains(&block) {
                found.blocks.push(block);
                queue.extend(&before[block.index()]);
            }
        }
    }
    loops
}

fn for_each_edge(body: &Body, block: &Block, mut each: impl FnMut(Edge)) {
    body.for_each_successor(block, &mut each);
    body.handlers_of(block).iter().for_each(|handler| each(handler.edge));
}

/// Where values of a body come from.
pub(super) struct Origins<'a> {
    body: &'a Body,
    /// The number of the instruction, and its block.
    made: FxHashMap<Value, (u32, BlockId)>,
    /// The block that has it as a parameter, and which one it is.
    met: FxHashMap<Value, (BlockId, usize)>,
}

impl<'a> Origins<'a> {
    pub(super) fn new(body: &'a Body) -> Origins<'a> {
        let mut made = FxHashMap::default();
        let mut met = FxHashMap::default();
        for id in body.block_ids() {
            let block = body.block(id);
            for (position, &value) in body.list(block.parameters).iter().enumerate() {
                met.insert(value, (id, position));
            }
            let first = body.first_instruction(block);
            for (offset, instruction) in body.instructions_of(block).iter().enumerate() {
                if let Some(value) = instruction.result {
                    made.insert(value, (first + offset as u32, id));
                }
            }
        }
        Origins { body, made, met }
    }

    /// The operation of the loop that makes the value anew in each turn; not a constant.
    pub(super) fn made_in(&self, within: &Loop, value: Value) -> Option<Op> {
        let &(number, block) = self.made.get(&value)?;
        let op = self.body.instructions[number as usize].op;
        (within.blocks.contains(&block) && !matches!(op, Op::Const(_))).then_some(op)
    }

    /// Whether the value is the same in every turn of the loop.
    pub(super) fn is_fixed(&self, within: &Loop, value: Value) -> bool {
        let is_met = self.met.get(&value).is_some_and(|(block, _)| within.blocks.contains(block));
        let is_made = self.made_in(within, value).is_some();
        !is_made && (!is_met || self.arguments(within, value).iter().all(|&it| it == value))
    }

    /// What a value that several ways meet in gets from within the loop.
    fn arguments(&self, within: &Loop, value: Value) -> Vec<Value> {
        let Some(&(block, position)) = self.met.get(&value) else { return Vec::new() };
        let mut found = Vec::new();
        for &from in &within.blocks {
            self.body.for_each_successor(self.body.block(from), |edge| {
                if edge.target == block {
                    found.extend(self.body.list(edge.arguments).get(position));
                }
            });
        }
        found
    }

    /// Everything in the loop that the value depends on, itself included.
    pub(super) fn cone(&self, within: &Loop, value: Value) -> FxHashSet<Value> {
        let mut cone = FxHashSet::default();
        let mut queue = vec![value];
        while let Some(value) = queue.pop() {
            if !cone.insert(value) {
                continue;
            }
            if let Some(op) = self.made_in(within, value) {
                op.for_each_operand(self.body, |operand| queue.push(operand));
            } else if self.met.get(&value).is_some_and(|(it, _)| within.blocks.contains(it)) {
                queue.extend(self.arguments(within, value));
            }
        }
        cone
    }

    /// Whether every turn of the loop makes the value: what is tried there is what the loop is about.
    pub(super) fn is_made_always(&self, within: &Loop, value: Value) -> bool {
        self.made.get(&value).is_none_or(|&(_, block)| self.is_passed_always(within, block))
    }

    /// Whether every turn of the loop goes through the block.
    pub(super) fn is_passed_always(&self, within: &Loop, block: BlockId) -> bool {
        !self.comes_round(within, |from, to| from != block && to != block)
    }

    /// Whether something that the value depends on is handed from turn to turn.
    pub(super) fn is_kept_over(&self, within: &Loop, cone: &FxHashSet<Value>) -> bool {
        let header = self.body.block(within.header);
        self.body.list(header.parameters).iter().any(|it| cone.contains(it))
    }

    /// Whether a failure in the loop leads to another turn.
    pub(super) fn catches(&self, within: &Loop) -> bool {
        within.blocks.iter().any(|&from| {
            within.blocks.iter().any(|&to| self.is_caught(from, to) && !self.is_next(from, to))
        })
    }

    /// Whether another turn begins only after something failed: each way round leads through a handler. What
    /// gives locks back whatever happens is none: of these, compilers guard the handler by itself.
    pub(super) fn repeats_by_failing(&self, within: &Loop) -> bool {
        !self.comes_round(within, |from, to| self.is_next(from, to))
            && self
                .comes_round(within, |from, to| self.is_next(from, to) || self.is_caught(from, to))
    }

    fn is_next(&self, from: BlockId, to: BlockId) -> bool {
        let mut is_normal = false;
        self.body.for_each_successor(self.body.block(from), |edge| is_normal |= edge.target == to);
        is_normal
    }

    fn is_caught(&self, from: BlockId, to: BlockId) -> bool {
        let handlers = self.body.handlers_of(self.body.block(from));
        handlers.iter().any(|it| it.edge.target == to && it.catch_type.is_some())
    }

    /// Whether the start of the loop is reached again on steps that are allowed.
    fn comes_round(&self, within: &Loop, allows: impl Fn(BlockId, BlockId) -> bool) -> bool {
        let mut seen: Vec<BlockId> = Vec::new();
        let mut queue = vec![within.header];
        while let Some(from) = queue.pop() {
            let mut next = Vec::new();
            for_each_edge(self.body, self.body.block(from), |edge| next.push(edge.target));
            for to in next {
                if !within.blocks.contains(&to) || !allows(from, to) {
                    continue;
                }
                if to == within.header {
                    return true;
                }
                if !seen.contains(&to) {
                    seen.push(to);
                    queue.push(to);
                }
            }
        }
        false
    }

    /// Whether something that the value depends on is made, on every way round, from what it was a turn before,
    /// as a counter and a walk along a list are.
    pub(super) fn goes_on(&self, within: &Loop, cone: &FxHashSet<Value>) -> bool {
        let header = self.body.block(within.header);
        let parameters: Vec<(usize, Value)> =
            self.body.list(header.parameters).iter().copied().enumerate().collect();
        let mut asked = parameters.iter().filter(|(_, it)| cone.contains(it)).peekable();
        asked.peek().is_some()
            && within.back.iter().all(|edge| {
                let next = self.body.list(edge.arguments);
                asked.clone().any(|&(position, parameter)| {
                    next.get(position)
                        .is_some_and(|&it| self.is_moved(within, it, parameter, &mut Vec::new()))
                })
            })
    }

    /// Whether a value is made from the parameter, and is never just the parameter again.
    fn is_moved(
        &self,
        within: &Loop,
        value: Value,
        parameter: Value,
        seen: &mut Vec<Value>,
    ) -> bool {
        if value == parameter {
            return false;
        }
        if self.made_in(within, value).is_some() {
            return self.cone(within, value).contains(&parameter);
        }
        if seen.contains(&value) {
            return true;
        }
        seen.push(value);
        let met = self.arguments(within, value);
        !met.is_empty() && met.into_iter().all(|it| self.is_moved(within, it, parameter, seen))
    }
}

/// A branch that leaves the loop: its block and terminator, and whether it goes on by the first of two ways.
pub(super) struct Exit {
    pub block: BlockId,
    pub terminator: Terminator,
    pub goes_on_by_then: bool,
}

/// The branches that leave a loop, or lead to where it is taken up again only if something fails.
pub(super) fn exits(body: &Body, within: &Loop) -> Vec<Exit> {
    let mut found = Vec::new();
    let goes_round = blocks_that_go_round(body, within);
    for &block in &goes_round {
        let terminator = body.block(block).terminator;
        let is_inside = |edge: Edge| goes_round.contains(&edge.target);
        match terminator {
            Terminator::If { then, otherwise, .. } if is_inside(then) != is_inside(otherwise) => {
                found.push(Exit { block, terminator, goes_on_by_then: is_inside(then) });
            }
            Terminator::Switch { cases, default, .. } => {
                let mut edges = body.cases(cases).iter().map(|&(_, edge)| edge).chain([default]);
                if edges.any(|edge| !is_inside(edge)) {
                    found.push(Exit { block, terminator, goes_on_by_then: false });
                }
            }
            Terminator::If { .. }
            | Terminator::Goto(_)
            | Terminator::Return(_)
            | Terminator::Throw(_) => {}
        }
    }
    found
}

/// The blocks of a loop that lead back to its start without a failure; all, if there is no such way.
fn blocks_that_go_round(body: &Body, within: &Loop) -> Vec<BlockId> {
    let leads_on = |from: BlockId, known: &[BlockId]| {
        let mut leads = false;
        body.for_each_successor(body.block(from), |edge| {
            leads |= edge.target == within.header || known.contains(&edge.target);
        });
        leads
    };
    let mut found: Vec<BlockId> = Vec::new();
    loop {
        let is_new = |it: &&BlockId| !found.contains(it) && leads_on(**it, &found);
        let more: Vec<BlockId> = within.blocks.iter().filter(is_new).copied().collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    // A way that begins at the start alone is none.
    if found.contains(&within.header) { found } else { within.blocks.clone() }
}
