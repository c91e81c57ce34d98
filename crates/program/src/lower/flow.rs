//! Blocks of bytecode and the control flow between them.
//!
//! A node is a run of instructions that is entered at its start only. Without subroutines there is one
//! node for each reachable block; `explore` says what subroutines add.

use bumpalo::Bump;
use bumpalo::collections::Vec as List;
use classfile::{Code, Instruction, Opcode, Operand, Run};

use super::explore::explore;
use super::{Result, invalid, limit, too_large};

pub(super) struct Flow<'m> {
    /// The reachable nodes in reverse postorder.
    pub(super) nodes: &'m [Node<'m>],
    pub(super) n_instructions: usize,
    pub(super) max_locals: usize,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Node<'m> {
    /// The pcs that it goes from and to.
    pub(super) start: u32,
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
        let mut places = Places::new(code.bytes.len(), arena);
        let mut jumps = List::with_capacity_in(16, arena);
        let n_instructions = code.each_instruction(|instruction| {
            places.start(instruction.pc);
            if jumps_or_leaves(instruction.opcode) {
                jumps.push(instruction);
            }
        })?;
        let end = code.bytes.len() as u32;
        let is_straight = code.exception_table.is_empty()
            && matches!(jumps[..], [only] if only.next_pc == end && leaves(only.opcode));
        let nodes = if is_straight {
            arena.alloc_slice_copy(&[Node { end, ..Node::default() }])
        } else {
            let blocks = Blocks::new(code, places, jumps, arena)?;
            explore(&blocks, arena)?
        };
        Ok(Flow { nodes, n_instructions, max_locals: usize::from(code.max_locals) })
    }
}

/// What is at each pc, the end of the code included: the inside of an instruction, its start, or a leader,
/// where a block starts. Leaders are numbered once all are known.
struct Places<'m> {
    at: &'m mut [u32],
}

impl<'m> Places<'m> {
    const INSIDE: u32 = u32::MAX;
    const START: u32 = u32::MAX - 1;
    const LEADER: u32 = u32::MAX - 2;

    fn new(length: usize, arena: &'m Bump) -> Places<'m> {
        let at = arena.alloc_slice_fill_copy(length + 1, Places::INSIDE);
        at[length] = Places::START;
        Places { at }
    }

    fn start(&mut self, pc: u32) {
        self.at[pc as usize] = Places::START;
    }

    fn lead(&mut self, pc: u32) -> Result<()> {
        let place = &mut self.at[pc as usize];
        if *place == Places::INSIDE {
            return invalid(pc, "jump into the middle of an instruction");
        }
        *place = Places::LEADER;
        Ok(())
    }

    /// The leaders, ascending; at each is its number from now on.
    fn number_leaders(&mut self, arena: &'m Bump) -> List<'m, u32> {
        let mut leaders = List::with_capacity_in(16, arena);
        for (pc, place) in self.at.iter_mut().enumerate() {
            if *place == Places::LEADER {
                *place = leaders.len() as u32;
                leaders.push(pc as u32);
            }
        }
        leaders
    }
}

/// The blocks of the code as written, before subroutines are inlined.
pub(super) struct Blocks<'m> {
    pub(super) code: &'m Code<'m>,
    /// Where blocks start, ascending, and the end of the code.
    leaders: List<'m, u32>,
    places: Places<'m>,
    /// For each block its last instruction, if control may go elsewhere from there than to the next one.
    ends: &'m [Option<Instruction>],
    /// For each block, exception table index and handler block; empty if no block has any.
    handlers: List<'m, &'m [(u32, u32)]>,
    pub(super) has_subroutines: bool,
    arena: &'m Bump,
}

impl<'m> Blocks<'m> {
    fn new(
        code: &'m Code<'m>,
        mut places: Places<'m>,
        jumps: List<'m, Instruction>,
        arena: &'m Bump,
    ) -> Result<Blocks<'m>> {
        find_leaders(code, &mut places, &jumps)?;
        let leaders = places.number_leaders(arena);
        if leaders.len() > limit::BLOCKS {
            return Err(too_large("more than 100,000 blocks"));
        }
        let has_subroutines = jumps.iter().any(is_jsr);
        let ends = arena.alloc_slice_fill_copy(leaders.len(), None);
        for jump in jumps {
            // What follows a jump leads the next block.
            ends[places.at[jump.next_pc as usize] as usize - 1] = Some(jump);
        }
        let handlers = List::new_in(arena);
        let mut blocks = Blocks { code, leaders, places, ends, handlers, has_subroutines, arena };
        blocks.link_handlers()?;
        Ok(blocks)
    }

    fn link_handlers(&mut self) -> Result<()> {
        let code = self.code;
        if code.exception_table.is_empty() {
            return Ok(());
        }
        let mut throws = List::with_capacity_in(self.len(), self.arena);
        let mut handlers_of = List::with_capacity_in(self.len(), self.arena);
        for block in 0..self.len() as u32 {
            throws.push(self.code_of(block).any(|i| can_throw(i.opcode)));
            handlers_of.push(List::new_in(self.arena));
        }
        let mut links = 0;
        for (index, entry) in code.exception_table.iter().enumerate() {
            let handler = self.target_block(entry.handler_pc)?;
            let first = self.block_at(entry.start_pc);
            let end = self.block_at(entry.end_pc);
            links += end.saturating_sub(first);
            check_links(links)?;
            for block in (first..end).filter(|&block| throws[block]) {
                let handlers: &mut List<'m, (u32, u32)> = &mut handlers_of[block];
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
        self.handlers.extend(handlers_of.into_iter().map(List::into_bump_slice));
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.leaders.len() - 1
    }

    /// The pcs from and to which the block goes.
    pub(super) fn range(&self, block: u32) -> (u32, u32) {
        (self.leaders[block as usize], self.leaders[block as usize + 1])
    }

    pub(super) fn code_of(&self, block: u32) -> Run<'m> {
        let (start, end) = self.range(block);
        self.code.run(start, end)
    }

    /// The last instruction of the block, if control may leave it elsewhere than to the next block.
    pub(super) fn end_of(&self, block: u32) -> Option<&Instruction> {
        self.ends[block as usize].as_ref()
    }

    pub(super) fn handlers(&self, block: u32) -> &'m [(u32, u32)] {
        self.handlers.get(block as usize).copied().unwrap_or_default()
    }

    /// The block as a node of its own. Edges lead to blocks.
    pub(super) fn node(&self, block: u32) -> Result<Node<'m>> {
        let (start, end) = self.range(block);
        let successors = self.successors(block)?.into_bump_slice();
        let handlers = self.handlers(block);
        Ok(Node { start, end, successors, handlers, is_loop_header: false })
    }

    pub(super) fn target_block(&self, pc: u32) -> Result<u32> {
        match self.block_at(pc) {
            block if block < self.len() => Ok(block as u32),
            _ => invalid(pc, "control falls off the end of the code"),
        }
    }

    /// The block that starts at a leader; the end of the code counts as one.
    fn block_at(&self, leader: u32) -> usize {
        self.places.at[leader as usize] as usize
    }

    /// Target pc and block of normal control flow, ascending. Of `ret`: every place that a `jsr`
    /// returns to.
    pub(super) fn successors(&self, block: u32) -> Result<List<'m, (u32, u32)>> {
        let mut found = List::new_in(self.arena);
        let mut add = |pc: u32| -> Result<()> {
            found.push((pc, self.target_block(pc)?));
            Ok(())
        };
        let Some(last) = self.end_of(block) else {
            add(self.range(block).1)?;
            return Ok(found);
        };
        each_target(self.code, last, &mut add)?;
        if last.opcode == Opcode::Ret {
            self.ends.iter().flatten().filter(|i| is_jsr(i)).try_for_each(|i| add(i.next_pc))?;
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

/// Each leader must be the start of an instruction; the end of the code counts as one.
fn find_leaders(code: &Code<'_>, places: &mut Places<'_>, jumps: &[Instruction]) -> Result<()> {
    places.lead(0)?;
    places.lead(code.bytes.len() as u32)?;
    for jump in jumps {
        places.lead(jump.next_pc)?;
        each_target(code, jump, &mut |pc| places.lead(pc))?;
    }
    for handler in &code.exception_table {
        places.lead(handler.start_pc)?;
        places.lead(handler.end_pc)?;
        places.lead(handler.handler_pc)?;
    }
    Ok(())
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

pub(super) fn is_jsr(instruction: &Instruction) -> bool {
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
fn jumps_or_leaves(opcode: Opcode) -> bool {
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
