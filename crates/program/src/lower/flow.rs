//! Blocks of bytecode and the control flow between them.
//!
//! A node is a run of instructions that is entered at its start only. Without subroutines there is one
//! node for each reachable block; `explore` says what subroutines add.

use bumpalo::Bump;
use bumpalo::collections::Vec as List;
use classfile::{Code, Instruction, Opcode, Operand};

use super::explore::explore;
use super::{LowerError, Result, invalid, limit};

pub(super) struct Flow<'m> {
    pub(super) instructions: &'m [Instruction<'m>],
    /// The reachable nodes in reverse postorder.
    pub(super) nodes: &'m [Node<'m>],
    pub(super) max_locals: usize,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Node<'m> {
    /// A run of `Flow::instructions`.
    pub(super) first: u32,
    pub(super) end: u32,
    /// Where control goes without an exception: target pc and node, each target once, ascending.
    pub(super) successors: &'m [(u32, u32)],
    /// In the order in which the JVM tries them: the index in the exception table, and the node.
    pub(super) handlers: &'m [(u32, u32)],
    /// Whether some edge comes from a node that is not before this one.
    pub(super) is_loop_header: bool,
}

pub(super) const UNSEEN: u32 = u32::MAX;

impl<'m> Flow<'m> {
    pub(super) fn new(code: &Code<'m>, arena: &'m Bump) -> Result<Flow<'m>> {
        let mut instructions = List::with_capacity_in(code.bytes.len() / 2 + 1, arena);
        for instruction in code.instructions() {
            instructions.push(instruction?);
        }
        let instructions = instructions.into_bump_slice();
        let max_locals = usize::from(code.max_locals);
        let is_straight = code.exception_table.is_empty()
            && instructions.iter().rev().skip(1).all(|i| falls_through(i) && !has_targets(i));
        let nodes = if is_straight && instructions.last().is_some_and(leaves) {
            arena.alloc_slice_copy(&[Node { end: instructions.len() as u32, ..Node::default() }])
        } else {
            let blocks = Blocks::new(code, instructions, arena)?;
            explore(&blocks, max_locals, arena)?
        };
        Ok(Flow { instructions, nodes, max_locals })
    }

    pub(super) fn code_of(&self, node: &Node<'_>) -> &'m [Instruction<'m>] {
        &self.instructions[node.first as usize..node.end as usize]
    }
}

/// The blocks of the code as written, before subroutines are inlined.
pub(super) struct Blocks<'m> {
    pub(super) instructions: &'m [Instruction<'m>],
    /// First instruction of each block, and one more entry for the end.
    starts: List<'m, u32>,
    /// For each pc that starts a block, that block; the end of the code counts as one.
    block_of_pc: &'m [u32],
    /// For each block, exception table index and handler block.
    handlers: List<'m, List<'m, (u32, u32)>>,
    pub(super) has_subroutines: bool,
    arena: &'m Bump,
}

impl<'m> Blocks<'m> {
    fn new(
        code: &Code<'m>,
        instructions: &'m [Instruction<'m>],
        arena: &'m Bump,
    ) -> Result<Blocks<'m>> {
        let is_leader = find_leaders(code, instructions, arena)?;
        let block_of_pc = arena.alloc_slice_fill_copy(code.bytes.len() + 1, UNSEEN);
        let mut starts = List::new_in(arena);
        for (index, instruction) in instructions.iter().enumerate() {
            if is_leader[instruction.pc as usize] {
                block_of_pc[instruction.pc as usize] = starts.len() as u32;
                starts.push(index as u32);
            }
        }
        if starts.len() > limit::BLOCKS {
            return Err(LowerError::TooLarge("more than 100,000 blocks"));
        }
        block_of_pc[code.bytes.len()] = starts.len() as u32;
        starts.push(instructions.len() as u32);
        let mut blocks = Blocks {
            instructions,
            starts,
            block_of_pc,
            handlers: List::new_in(arena),
            has_subroutines: instructions.iter().any(is_jsr),
            arena,
        };
        blocks.link_handlers(code)?;
        Ok(blocks)
    }

    fn link_handlers(&mut self, code: &Code<'m>) -> Result<()> {
        if code.exception_table.is_empty() {
            return Ok(());
        }
        let mut throws = List::with_capacity_in(self.len(), self.arena);
        for block in 0..self.len() as u32 {
            throws.push(self.code_of(block).iter().any(|i| can_throw(i.opcode)));
            self.handlers.push(List::new_in(self.arena));
        }
        let mut links = 0;
        for (index, entry) in code.exception_table.iter().enumerate() {
            let handler = self.target_block(entry.handler_pc)?;
            let first = self.block_of_pc[entry.start_pc as usize] as usize;
            let end = self.block_of_pc[entry.end_pc as usize] as usize;
            links += end.saturating_sub(first);
            check_links(links)?;
            for block in (first..end).filter(|&block| throws[block]) {
                let handlers = &mut self.handlers[block];
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

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The instructions of the block as a run.
    pub(super) fn range(&self, block: u32) -> (u32, u32) {
        (self.starts[block as usize], self.starts[block as usize + 1])
    }

    pub(super) fn code_of(&self, block: u32) -> &'m [Instruction<'m>] {
        let (first, end) = self.range(block);
        &self.instructions[first as usize..end as usize]
    }

    pub(super) fn handlers(&self, block: u32) -> &[(u32, u32)] {
        self.handlers.get(block as usize).map_or(&[], |handlers| handlers)
    }

    pub(super) fn target_block(&self, pc: u32) -> Result<u32> {
        match self.block_of_pc[pc as usize] {
            UNSEEN => invalid(pc, "jump into the middle of an instruction"),
            block if (block as usize) < self.len() => Ok(block),
            _ => invalid(pc, "control falls off the end of the code"),
        }
    }

    /// Target pc and block of normal control flow, ascending. Of `ret`: every place that a `jsr`
    /// returns to.
    pub(super) fn successors(&self, block: u32) -> Result<List<'m, (u32, u32)>> {
        let mut found = List::new_in(self.arena);
        let Some(last) = self.code_of(block).last() else { return Ok(found) };
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
            Operand::Local(_) if last.opcode == Opcode::Ret => {
                self.instructions.iter().filter(|i| is_jsr(i)).try_for_each(|i| add(i.next_pc))?;
            }
            Operand::None
            | Operand::Immediate(_)
            | Operand::Local(_)
            | Operand::Increment { .. }
            | Operand::Pool(_)
            | Operand::ArrayType(_)
            | Operand::MultiArray { .. } => {}
        }
        if falls_through(last) {
            add(last.next_pc)?;
        }
        if found.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
        Ok(found)
    }
}

pub(super) fn check_links(count: usize) -> Result<()> {
    if count > limit::LINKS {
        return Err(LowerError::TooLarge("more than 500,000 jumps between blocks"));
    }
    Ok(())
}

/// For each pc whether a block starts there. Every target must be the start of an instruction.
fn find_leaders<'m>(
    code: &Code<'m>,
    instructions: &[Instruction<'m>],
    arena: &'m Bump,
) -> Result<&'m [bool]> {
    let end = code.bytes.len();
    let is_start = arena.alloc_slice_fill_copy(end + 1, false);
    for instruction in instructions {
        is_start[instruction.pc as usize] = true;
    }
    is_start[end] = true;
    let is_leader = arena.alloc_slice_fill_copy(end + 1, false);
    is_leader[0] = true;
    let mut lead = |pc: u32| {
        if !is_start[pc as usize] {
            return invalid(pc, "jump into the middle of an instruction");
        }
        is_leader[pc as usize] = true;
        Ok(())
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
    Ok(is_leader)
}

fn is_jsr(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.opcode, Opcode::Jsr | Opcode::JsrW)
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
