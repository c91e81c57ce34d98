//! Blocks of bytecode and the control flow between them.
//!
//! A node is a run of instructions that is entered at its start only. Without subroutines there is one
//! node for each reachable block; `explore` says what subroutines add.

use bumpalo::Bump;
use bumpalo::collections::Vec as List;
use classfile::{Code, Instruction, Opcode, Operand};

use super::explore::explore;
use super::{Result, invalid, limit, too_large};

pub(super) struct Flow<'m> {
    pub(super) instructions: &'m [Instruction],
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
    pub(super) fn new(code: &'m Code<'m>, arena: &'m Bump) -> Result<Flow<'m>> {
        let mut instructions = List::with_capacity_in(code.bytes.len(), arena);
        code.each_instruction(|instruction| instructions.push(instruction))?;
        let instructions = instructions.into_bump_slice();
        let max_locals = usize::from(code.max_locals);
        let is_last = |index: usize| index + 1 == instructions.len();
        let is_straight = code.exception_table.is_empty()
            && instructions.iter().position(|i| ends_block(i.opcode)).is_some_and(is_last)
            && instructions.last().is_some_and(|last| leaves(last.opcode));
        let nodes = if is_straight {
            arena.alloc_slice_copy(&[Node { end: instructions.len() as u32, ..Node::default() }])
        } else {
            let blocks = Blocks::new(code, instructions, arena)?;
            explore(&blocks, arena)?
        };
        Ok(Flow { instructions, nodes, max_locals })
    }

    pub(super) fn code_of(&self, node: &Node<'_>) -> &'m [Instruction] {
        &self.instructions[node.first as usize..node.end as usize]
    }
}

/// The blocks of the code as written, before subroutines are inlined.
pub(super) struct Blocks<'m> {
    pub(super) code: &'m Code<'m>,
    pub(super) instructions: &'m [Instruction],
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
        code: &'m Code<'m>,
        instructions: &'m [Instruction],
        arena: &'m Bump,
    ) -> Result<Blocks<'m>> {
        let places = find_leaders(code, instructions, arena)?;
        let mut starts = List::with_capacity_in(16, arena);
        for (index, instruction) in instructions.iter().enumerate() {
            let place = &mut places[instruction.pc as usize];
            if *place == place::LEADER {
                *place = starts.len() as u32;
                starts.push(index as u32);
            }
        }
        if starts.len() > limit::BLOCKS {
            return Err(too_large("more than 100,000 blocks"));
        }
        places[code.bytes.len()] = starts.len() as u32;
        starts.push(instructions.len() as u32);
        let mut blocks = Blocks {
            code,
            instructions,
            starts,
            block_of_pc: places,
            handlers: List::new_in(arena),
            has_subroutines: instructions.iter().any(is_jsr),
            arena,
        };
        blocks.link_handlers()?;
        Ok(blocks)
    }

    fn link_handlers(&mut self) -> Result<()> {
        let code = self.code;
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
                        return Err(too_large("more than 256 handlers of one block"));
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

    pub(super) fn code_of(&self, block: u32) -> &'m [Instruction] {
        let (first, end) = self.range(block);
        &self.instructions[first as usize..end as usize]
    }

    pub(super) fn handlers(&self, block: u32) -> &[(u32, u32)] {
        self.handlers.get(block as usize).map_or(&[], |handlers| handlers)
    }

    pub(super) fn target_block(&self, pc: u32) -> Result<u32> {
        match self.block_of_pc[pc as usize] {
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
        if ends_block(last.opcode) {
            each_target(self.code, last, &mut add)?;
        }
        if last.opcode == Opcode::Ret {
            self.instructions.iter().filter(|i| is_jsr(i)).try_for_each(|i| add(i.next_pc))?;
        }
        if falls_through(last.opcode) {
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
        return Err(too_large("more than 500,000 jumps between blocks"));
    }
    Ok(())
}

/// What is known of a pc before the blocks are numbered.
mod place {
    pub(super) const LEADER: u32 = super::UNSEEN - 1;
    /// An instruction that starts no block.
    pub(super) const INSTRUCTION: u32 = super::UNSEEN - 2;
}

/// For each pc, and for the end of the code, whether an instruction and a block start there. Every
/// target must be the start of an instruction.
fn find_leaders<'m>(
    code: &Code<'m>,
    instructions: &[Instruction],
    arena: &'m Bump,
) -> Result<&'m mut [u32]> {
    let end = code.bytes.len();
    let places = arena.alloc_slice_fill_copy(end + 1, UNSEEN);
    for instruction in instructions {
        places[instruction.pc as usize] = place::INSTRUCTION;
    }
    places[end] = place::INSTRUCTION;
    places[0] = place::LEADER;
    let mut lead = |pc: u32| {
        let place = &mut places[pc as usize];
        if *place == UNSEEN {
            return invalid(pc, "jump into the middle of an instruction");
        }
        *place = place::LEADER;
        Ok(())
    };
    for instruction in instructions.iter().filter(|i| ends_block(i.opcode)) {
        each_target(code, instruction, &mut lead)?;
        lead(instruction.next_pc)?;
    }
    for handler in &code.exception_table {
        lead(handler.start_pc)?;
        lead(handler.end_pc)?;
        lead(handler.handler_pc)?;
    }
    Ok(places)
}

/// Calls `each` on the pcs that an instruction at the end of a block names as targets.
fn each_target(
    code: &Code<'_>,
    instruction: &Instruction,
    each: &mut impl FnMut(u32) -> Result<()>,
) -> Result<()> {
    match instruction.opcode {
        Opcode::Tableswitch | Opcode::Lookupswitch => {
            let Operand::Switch(switch) = code.operand(instruction)? else { return Ok(()) };
            each(switch.default)?;
            switch.cases().try_for_each(|(_, target)| each(target))
        }
        opcode if leaves(opcode) || opcode == Opcode::Ret => Ok(()),
        _ => each(code.branch_target(instruction)?),
    }
}

fn is_jsr(instruction: &Instruction) -> bool {
    matches!(instruction.opcode, Opcode::Jsr | Opcode::JsrW)
}

fn leaves(opcode: Opcode) -> bool {
    use Opcode::{Areturn, Athrow, Dreturn, Freturn, Ireturn, Lreturn, Return};
    matches!(opcode, Ireturn | Lreturn | Freturn | Dreturn | Areturn | Return | Athrow)
}

fn falls_through(opcode: Opcode) -> bool {
    use Opcode::{Goto, GotoW, Jsr, JsrW, Lookupswitch, Ret, Tableswitch};
    let jumps = matches!(opcode, Goto | GotoW | Jsr | JsrW | Ret | Tableswitch | Lookupswitch);
    !jumps && !leaves(opcode)
}

/// Whether control may go elsewhere than to the next instruction, exceptions apart.
fn ends_block(opcode: Opcode) -> bool {
    use Opcode::*;
    let branches = matches!(
        opcode,
        Ifeq | Ifne
            | Iflt
            | Ifge
            | Ifgt
            | Ifle
            | IfIcmpeq
            | IfIcmpne
            | IfIcmplt
            | IfIcmpge
            | IfIcmpgt
            | IfIcmple
            | IfAcmpeq
            | IfAcmpne
            | Ifnull
            | Ifnonnull
    );
    branches || !falls_through(opcode)
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
