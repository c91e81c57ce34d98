//! Blocks of bytecode and the control flow between them.
//!
//! A node is a run of instructions that is entered at its start only. Subroutines (`jsr`, `ret`) are
//! inlined by giving the same run several nodes: one for each set of return addresses that live
//! locals hold when it is entered. Since a return address is dead once its subroutine can no longer
//! return, code after an exception handler is not copied.

use classfile::{Code, Instruction, Opcode, Operand};
use rustc_hash::FxHashMap;

use super::liveness::{LocalEffects, live_locals};
use super::{LowerError, Result, invalid, limit};

pub(super) struct Flow<'a> {
    pub(super) instructions: Vec<Instruction<'a>>,
    /// The reachable nodes in reverse postorder.
    pub(super) nodes: Vec<Node>,
    pub(super) max_locals: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// A run of `Flow::instructions`.
    pub(super) first: u32,
    pub(super) end: u32,
    /// Where control goes without an exception: target pc and node, each target once.
    pub(super) successors: Vec<(u32, u32)>,
    /// In the order in which the JVM tries them: the index in the exception table, and the node.
    pub(super) handlers: Vec<(u32, u32)>,
    /// Whether some edge comes from a node that is not before this one.
    pub(super) is_loop_header: bool,
}

const UNSEEN: u32 = u32::MAX;

impl<'a> Flow<'a> {
    pub(super) fn new(code: &Code<'a>) -> Result<Flow<'a>> {
        let instructions = code.instructions().collect::<classfile::Result<Vec<_>>>()?;
        let max_locals = usize::from(code.max_locals);
        let is_straight = code.exception_table.is_empty()
            && instructions.iter().rev().skip(1).all(|i| falls_through(i) && !has_targets(i));
        let nodes = if is_straight && instructions.last().is_some_and(leaves) {
            vec![Node { end: instructions.len() as u32, ..Node::default() }]
        } else {
            let blocks = Blocks::new(code, &instructions)?;
            Explorer::new(&blocks, max_locals)?.explore()?
        };
        Ok(Flow { instructions, nodes, max_locals })
    }

    pub(super) fn code_of(&self, node: &Node) -> &[Instruction<'a>] {
        &self.instructions[node.first as usize..node.end as usize]
    }
}

/// The blocks of the code as written, before subroutines are inlined.
struct Blocks<'c, 'a> {
    instructions: &'c [Instruction<'a>],
    /// First instruction of each block, and one more entry for the end.
    starts: Vec<u32>,
    /// For each instruction that starts a block, that block.
    block_at: Vec<u32>,
    /// For each pc at which an instruction starts, its index.
    index_of_pc: Vec<u32>,
    /// For each block, exception table index and handler block.
    handlers: Vec<Vec<(u32, u32)>>,
    has_subroutines: bool,
}

impl<'c, 'a> Blocks<'c, 'a> {
    fn new(code: &Code<'a>, instructions: &'c [Instruction<'a>]) -> Result<Blocks<'c, 'a>> {
        let mut index_of_pc = vec![UNSEEN; code.bytes.len() + 1];
        for (index, instruction) in instructions.iter().enumerate() {
            index_of_pc[instruction.pc as usize] = index as u32;
        }
        index_of_pc[code.bytes.len()] = instructions.len() as u32;
        let mut is_leader = vec![false; instructions.len() + 1];
        is_leader[0] = true;
        let mut lead = |pc: u32| match index_of_pc[pc as usize] {
            UNSEEN => invalid(pc, "jump into the middle of an instruction"),
            index => {
                is_leader[index as usize] = true;
                Ok(())
            }
        };
        for instruction in instructions {
            match instruction.operand {
                Operand::Branch(target) => lead(target)?,
                Operand::Switch(switch) => {
                    lead(switch.default)?;
                    switch.cases().try_for_each(|(_, target)| lead(target))?;
                }
                Operand::None
                | Operand::Immediate(_)
                | Operand::Local(_)
                | Operand::Increment { .. }
                | Operand::Pool(_)
                | Operand::ArrayType(_)
                | Operand::MultiArray { .. } => {}
            }
            if has_targets(instruction) || !falls_through(instruction) {
                lead(instruction.next_pc)?;
            }
        }
        for handler in &code.exception_table {
            lead(handler.start_pc)?;
            lead(handler.end_pc)?;
            lead(handler.handler_pc)?;
        }
        is_leader[instructions.len()] = true;
        let starts: Vec<u32> =
            (0..is_leader.len() as u32).filter(|&i| is_leader[i as usize]).collect();
        if starts.len() > limit::BLOCKS {
            return Err(LowerError::TooLarge("more than 100,000 blocks"));
        }
        let mut block_at = vec![UNSEEN; instructions.len() + 1];
        for (block, &start) in starts.iter().enumerate() {
            block_at[start as usize] = block as u32;
        }
        let is_subroutine = |i: &Instruction<'_>| matches!(i.opcode, Opcode::Jsr | Opcode::JsrW);
        let mut blocks = Blocks {
            instructions,
            handlers: vec![Vec::new(); starts.len() - 1],
            starts,
            block_at,
            index_of_pc,
            has_subroutines: instructions.iter().any(is_subroutine),
        };
        blocks.link_handlers(code)?;
        Ok(blocks)
    }

    fn link_handlers(&mut self, code: &Code<'a>) -> Result<()> {
        let mut links = 0;
        let throws = |block: u32| self.code_of(block).iter().any(|i| can_throw(i.opcode));
        let throws: Vec<bool> = (0..self.len() as u32).map(throws).collect();
        for (index, entry) in code.exception_table.iter().enumerate() {
            let handler = self.block_of_pc(entry.handler_pc)?;
            let first = self.block_of_pc(entry.start_pc)?;
            let end = self.block_of_pc(entry.end_pc)?;
            links += (end - first) as usize;
            check_links(links)?;
            for block in first..end {
                if !throws[block as usize] {
                    continue;
                }
                let handlers = &mut self.handlers[block as usize];
                let is_shadowed = |&(earlier, _): &(u32, u32)| {
                    let earlier = &code.exception_table[earlier as usize];
                    earlier.catch_type.is_none() || earlier.catch_type == entry.catch_type
                };
                if !handlers.iter().any(is_shadowed) {
                    handlers.push((index as u32, handler));
                    if handlers.len() > limit::HANDLERS {
                        return Err(LowerError::TooLarge("more than 256 handlers of one block"));
                    }
                }
            }
        }
        Ok(())
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn code_of(&self, block: u32) -> &'c [Instruction<'a>] {
        let block = block as usize;
        &self.instructions[self.starts[block] as usize..self.starts[block + 1] as usize]
    }

    /// The block that starts at this pc; the end of the code counts as one.
    fn block_of_pc(&self, pc: u32) -> Result<u32> {
        match self.index_of_pc[pc as usize] {
            UNSEEN => invalid(pc, "jump into the middle of an instruction"),
            index => Ok(self.block_at[index as usize]),
        }
    }

    fn target_block(&self, pc: u32) -> Result<u32> {
        match self.block_of_pc(pc)? {
            block if (block as usize) < self.len() => Ok(block),
            _ => invalid(pc, "control falls off the end of the code"),
        }
    }

    /// Target pc and block of normal control flow, ascending. Of `ret`: every place that a `jsr`
    /// returns to.
    fn successors(&self, block: u32) -> Result<Vec<(u32, u32)>> {
        let Some(last) = self.code_of(block).last() else { return Ok(Vec::new()) };
        let mut found = Vec::with_capacity(2);
        let mut add = |pc: u32| -> Result<()> {
            found.push((pc, self.target_block(pc)?));
            Ok(())
        };
        match last.operand {
            Operand::Branch(target) => add(target)?,
            Operand::Switch(switch) => {
                add(switch.default)?;
                switch.cases().try_for_each(|(_, target)| add(target))?;
            }
            _ if last.opcode == Opcode::Ret => {
                let is_jsr = |i: &&Instruction<'_>| matches!(i.opcode, Opcode::Jsr | Opcode::JsrW);
                self.instructions.iter().filter(is_jsr).try_for_each(|i| add(i.next_pc))?;
            }
            _ => {}
        }
        if falls_through(last) {
            add(last.next_pc)?;
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

/// The return addresses that locals hold, by local; and the one that a `jsr` left on the stack.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct ReturnAddresses {
    on_stack: Option<u32>,
    locals: Vec<(u16, u32)>,
}

/// Finds the reachable nodes.
struct Explorer<'b, 'c, 'a> {
    blocks: &'b Blocks<'c, 'a>,
    /// Live locals per block, needed only to tell which return addresses matter.
    live: Option<Vec<u64>>,
    live_words: usize,
    plain: Vec<u32>,
    copies: FxHashMap<(u32, ReturnAddresses), u32>,
    nodes: Vec<Node>,
    states: Vec<(u32, ReturnAddresses)>,
    /// What was spent of the limits of these names.
    n_links: usize,
    n_steps: usize,
    n_addresses: usize,
}

impl<'b, 'c, 'a> Explorer<'b, 'c, 'a> {
    fn new(blocks: &'b Blocks<'c, 'a>, max_locals: usize) -> Result<Explorer<'b, 'c, 'a>> {
        let mut explorer = Explorer {
            blocks,
            live: None,
            live_words: 0,
            plain: vec![UNSEEN; blocks.len()],
            copies: FxHashMap::default(),
            nodes: Vec::new(),
            states: Vec::new(),
            n_links: 0,
            n_steps: 0,
            n_addresses: 0,
        };
        if blocks.has_subroutines {
            let mut links = 0;
            let all = (0..blocks.len() as u32).map(|block| {
                let successors = blocks.successors(block)?;
                links += successors.len() + blocks.handlers[block as usize].len();
                check_links(links)?;
                Ok(Node {
                    first: blocks.starts[block as usize],
                    end: blocks.starts[block as usize + 1],
                    successors,
                    handlers: blocks.handlers[block as usize].clone(),
                    is_loop_header: false,
                })
            });
            let all = all.collect::<Result<Vec<Node>>>()?;
            let effects = LocalEffects::new(&all, blocks.instructions, max_locals)?;
            explorer.live_words = effects.words;
            explorer.live = Some(live_locals(&all, &effects)?);
        }
        Ok(explorer)
    }

    /// Depth-first from the entry; the reverse of the order in which nodes are left is the result.
    fn explore(mut self) -> Result<Vec<Node>> {
        let entry = self.node(0, ReturnAddresses::default())?;
        let mut postorder = Vec::new();
        let mut path = vec![(entry, 0usize)];
        self.link(entry)?;
        while let Some((node, next)) = path.last_mut() {
            let current = &self.nodes[*node as usize];
            let n_handlers = current.handlers.len();
            let target = match *next {
                n if n < n_handlers => current.handlers[n_handlers - 1 - n].1,
                n if n < n_handlers + current.successors.len() => {
                    current.successors[current.successors.len() - 1 - (n - n_handlers)].1
                }
                _ => {
                    postorder.push(*node);
                    path.pop();
                    continue;
                }
            };
            *next += 1;
            // A node without links was created by an edge but not entered yet.
            if self.nodes[target as usize].end == 0 {
                self.link(target)?;
                path.push((target, 0));
            }
        }
        Ok(renumber(self.nodes, &postorder))
    }

    fn node(&mut self, block: u32, addresses: ReturnAddresses) -> Result<u32> {
        let fresh = self.nodes.len() as u32;
        let node = if addresses == ReturnAddresses::default() {
            let slot = &mut self.plain[block as usize];
            if *slot == UNSEEN {
                *slot = fresh;
            }
            *slot
        } else {
            *self.copies.entry((block, addresses.clone())).or_insert(fresh)
        };
        if node == fresh {
            if self.nodes.len() >= limit::BLOCKS {
                return Err(LowerError::TooLarge(
                    "more than 100,000 blocks with subroutines inlined",
                ));
            }
            self.n_addresses += addresses.locals.len();
            if self.n_addresses > limit::RETURN_ADDRESSES {
                return Err(LowerError::TooLarge("subroutines nested too deep"));
            }
            self.nodes.push(Node::default());
            self.states.push((block, addresses));
        }
        Ok(node)
    }

    /// Gives a node its instructions and edges.
    fn link(&mut self, node: u32) -> Result<()> {
        let (block, addresses) = self.states[node as usize].clone();
        let code = self.blocks.code_of(block);
        let Some(last) = code.last() else { return Ok(()) };
        self.n_steps += code.len() * (1 + addresses.locals.len());
        if self.n_steps > limit::STEPS {
            return Err(LowerError::TooLarge("too many instructions with subroutines inlined"));
        }
        let after = step_addresses(addresses, code)?;
        let targets = if last.opcode == Opcode::Ret {
            let pc = return_address(&after, last)?;
            vec![(pc, self.blocks.target_block(pc)?)]
        } else {
            self.blocks.successors(block)?
        };
        self.n_links += targets.len() + self.blocks.handlers[block as usize].len();
        check_links(self.n_links)?;
        let mut successors = Vec::with_capacity(targets.len());
        for (pc, target) in targets {
            let mut addresses = self.only_live(&after, target);
            if matches!(last.opcode, Opcode::Jsr | Opcode::JsrW) {
                addresses.on_stack = Some(last.next_pc);
            }
            successors.push((pc, self.node(target, addresses)?));
        }
        let mut handlers = Vec::new();
        for &(entry, target) in &self.blocks.handlers[block as usize] {
            let addresses = self.only_live(&after, target);
            handlers.push((entry, self.node(target, addresses)?));
        }
        self.nodes[node as usize] = Node {
            first: self.blocks.starts[block as usize],
            end: self.blocks.starts[block as usize + 1],
            successors,
            handlers,
            is_loop_header: false,
        };
        Ok(())
    }

    fn only_live(&self, addresses: &ReturnAddresses, block: u32) -> ReturnAddresses {
        let Some(live) = &self.live else { return ReturnAddresses::default() };
        let row = block as usize * self.live_words;
        let is_live = |local: u16| {
            let local = usize::from(local);
            live[row + local / 64] >> (local % 64) & 1 != 0
        };
        let locals = addresses.locals.iter().copied().filter(|&(local, _)| is_live(local));
        ReturnAddresses { on_stack: None, locals: locals.collect() }
    }
}

fn check_links(count: usize) -> Result<()> {
    if count > limit::LINKS {
        return Err(LowerError::TooLarge("more than 500,000 jumps between blocks"));
    }
    Ok(())
}

/// Puts the nodes in the reverse of `postorder`, dropping those that are not in it.
fn renumber(mut nodes: Vec<Node>, postorder: &[u32]) -> Vec<Node> {
    let mut position = vec![UNSEEN; nodes.len()];
    for (index, &node) in postorder.iter().rev().enumerate() {
        position[node as usize] = index as u32;
    }
    let mut ordered: Vec<Node> =
        postorder.iter().rev().map(|&node| std::mem::take(&mut nodes[node as usize])).collect();
    for index in 0..ordered.len() {
        let mut node = std::mem::take(&mut ordered[index]);
        for (_, target) in node.successors.iter_mut().chain(&mut node.handlers) {
            *target = position[*target as usize];
            if *target as usize == index {
                node.is_loop_header = true;
            } else if (*target as usize) < index {
                ordered[*target as usize].is_loop_header = true;
            }
        }
        ordered[index].successors = node.successors;
        ordered[index].handlers = node.handlers;
        ordered[index].first = node.first;
        ordered[index].end = node.end;
        ordered[index].is_loop_header |= node.is_loop_header;
    }
    ordered
}

/// How a block changes which locals hold return addresses. A subroutine must begin by storing or
/// dropping its return address, as all compilers have it: nothing else may touch one on the stack.
fn step_addresses(
    mut addresses: ReturnAddresses,
    code: &[Instruction<'_>],
) -> Result<ReturnAddresses> {
    for instruction in code {
        if let Some(address) = addresses.on_stack.take() {
            match (instruction.opcode, instruction.operand) {
                (Opcode::Pop, _) => {}
                (opcode, Operand::Local(local)) if is_astore(opcode) => {
                    addresses.locals.retain(|&(other, _)| other != local);
                    addresses.locals.push((local, address));
                    addresses.locals.sort_unstable();
                }
                _ => return invalid(instruction.pc, "subroutine does not begin with astore"),
            }
        } else if let Some((local, slots)) = stored_local(instruction) {
            let stored = local..local.saturating_add(slots);
            addresses.locals.retain(|(other, _)| !stored.contains(other));
        }
    }
    Ok(addresses)
}

fn return_address(addresses: &ReturnAddresses, ret: &Instruction<'_>) -> Result<u32> {
    let Operand::Local(local) = ret.operand else { return invalid(ret.pc, "ret without a local") };
    match addresses.locals.iter().find(|&&(other, _)| other == local) {
        Some(&(_, address)) => Ok(address),
        None => invalid(ret.pc, "ret on a local that holds no return address"),
    }
}

fn is_astore(opcode: Opcode) -> bool {
    use Opcode::{Astore, Astore0, Astore1, Astore2, Astore3};
    matches!(opcode, Astore | Astore0 | Astore1 | Astore2 | Astore3)
}

/// The local that a store instruction writes, and how many slots of it.
pub(super) fn stored_local(instruction: &Instruction<'_>) -> Option<(u16, u16)> {
    use Opcode::*;
    let Operand::Local(local) = instruction.operand else { return None };
    match instruction.opcode {
        Istore | Istore0 | Istore1 | Istore2 | Istore3 | Fstore | Fstore0 | Fstore1 | Fstore2
        | Fstore3 | Astore | Astore0 | Astore1 | Astore2 | Astore3 => Some((local, 1)),
        Lstore | Lstore0 | Lstore1 | Lstore2 | Lstore3 | Dstore | Dstore0 | Dstore1 | Dstore2
        | Dstore3 => Some((local, 2)),
        _ => None,
    }
}

fn has_targets(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.operand, Operand::Branch(_) | Operand::Switch(_))
}

fn leaves(instruction: &Instruction<'_>) -> bool {
    use Opcode::{Areturn, Athrow, Dreturn, Freturn, Ireturn, Lreturn, Return};
    matches!(instruction.opcode, Ireturn | Lreturn | Freturn | Dreturn | Areturn | Return | Athrow)
}

fn falls_through(instruction: &Instruction<'_>) -> bool {
    use Opcode::{Goto, GotoW, Jsr, JsrW, Lookupswitch, Ret, Tableswitch};
    let jumps =
        matches!(instruction.opcode, Goto | GotoW | Jsr | JsrW | Ret | Tableswitch | Lookupswitch);
    !jumps && !leaves(instruction)
}

/// Whether the instruction can throw in a program that links. `ldc` may compute its constant.
pub(super) fn can_throw(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Ldc | LdcW
            | Ldc2W
            | Iaload
            | Laload
            | Faload
            | Daload
            | Aaload
            | Baload
            | Caload
            | Saload
            | Iastore
            | Lastore
            | Fastore
            | Dastore
            | Aastore
            | Bastore
            | Castore
            | Sastore
            | Idiv
            | Ldiv
            | Irem
            | Lrem
            | Getstatic
            | Putstatic
            | Getfield
            | Putfield
            | Invokevirtual
            | Invokespecial
            | Invokestatic
            | Invokeinterface
            | Invokedynamic
            | New
            | Newarray
            | Anewarray
            | Multianewarray
            | Arraylength
            | Athrow
            | Checkcast
            | Monitorenter
            | Monitorexit
    )
}
