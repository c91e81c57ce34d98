//! Which locals may still be read. Only these are passed along edges.

use bumpalo::Bump;
use classfile::{Code, Instruction};

use super::flow::{Flow, Node};
use super::operand::{LocalUse, increment, local_use};
use super::{Result, invalid, limit, too_large};

/// For each node, the locals that are live when it is entered.
pub(super) struct Liveness<'m> {
    rows: &'m [u64],
    words: usize,
}

impl<'m> Liveness<'m> {
    pub(super) fn new(code: &Code<'_>, flow: &Flow<'m>, arena: &'m Bump) -> Result<Liveness<'m>> {
        if let [only] = flow.nodes
            && !only.is_loop_header
        {
            // Nothing is passed but the method's own parameters: no need to know which are read.
            let words = flow.max_locals.div_ceil(64);
            let rows = arena.alloc_slice_fill_copy(words, u64::MAX);
            if let (Some(last), used @ 1..) = (rows.last_mut(), flow.max_locals % 64) {
                *last = (1 << used) - 1;
            }
            return Ok(Liveness { rows, words });
        }
        let effects = LocalEffects::new(flow.nodes, code, arena)?;
        Liveness::solve(flow.nodes, &effects, arena)
    }

    /// The least solution of: live at entry = read, or live at a successor and not written, or live
    /// at a handler (an exception may come before the write).
    pub(super) fn solve(
        nodes: &[Node<'_>],
        effects: &LocalEffects<'_>,
        arena: &'m Bump,
    ) -> Result<Liveness<'m>> {
        let words = effects.words;
        let live = arena.alloc_slice_copy(effects.read);
        let mut work = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for (index, node) in nodes.iter().enumerate().rev() {
                work += (node.successors.len() + node.handlers.len()) * words;
                if work > limit::LIVENESS_WORK {
                    return Err(too_large("too many jumps between too many locals"));
                }
                for word in 0..words {
                    let row = index * words + word;
                    let at = |&(_, target): &(u32, u32)| live[target as usize * words + word];
                    let after = node.successors.iter().map(at).fold(0, |all, one| all | one);
                    let caught = node.handlers.iter().map(at).fold(0, |all, one| all | one);
                    let new = live[row] | after & !effects.written[row] | caught;
                    changed |= new != live[row];
                    live[row] = new;
                }
            }
        }
        Ok(Liveness { rows: live, words })
    }

    /// Calls `each` on the live locals of a node, ascending.
    #[inline]
    pub(super) fn each_local(&self, node: usize, mut each: impl FnMut(usize)) {
        for (index, &word) in self.row(node).iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                each(index * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    fn row(&self, node: usize) -> &[u64] {
        &self.rows[node * self.words..][..self.words]
    }

    pub(super) fn count(&self, node: usize) -> usize {
        self.row(node).iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_live(&self, node: usize, local: usize) -> bool {
        let word = self.rows[node * self.words + local / 64];
        word >> (local % 64) & 1 != 0
    }
}

/// For each node, what it reads before writing it, and what it writes.
pub(super) struct LocalEffects<'m> {
    read: &'m mut [u64],
    written: &'m mut [u64],
    words: usize,
}

impl<'m> LocalEffects<'m> {
    pub(super) fn new(
        nodes: &[Node<'_>],
        code: &Code<'_>,
        arena: &'m Bump,
    ) -> Result<LocalEffects<'m>> {
        let words = usize::from(code.max_locals).div_ceil(64);
        let size = nodes.len() * words;
        if size > limit::LIVENESS_WORDS {
            return Err(too_large("too many locals in too many blocks"));
        }
        let mut effects = LocalEffects {
            read: arena.alloc_slice_fill_copy(size, 0),
            written: arena.alloc_slice_fill_copy(size, 0),
            words,
        };
        for (index, node) in nodes.iter().enumerate() {
            for instruction in code.run(node.start, node.end) {
                effects.add(index * words, code, &instruction)?;
            }
        }
        Ok(effects)
    }

    fn add(&mut self, row: usize, code: &Code<'_>, instruction: &Instruction) -> Result<()> {
        let Some(local_use) = local_use(instruction.opcode) else { return Ok(()) };
        let local = usize::from(match local_use {
            LocalUse::Load | LocalUse::Store(_) => code.local(instruction)?,
            LocalUse::Increment => increment(code, instruction)?.0,
        });
        if local >= usize::from(code.max_locals) {
            return invalid(instruction.pc, "local beyond max_locals");
        }
        let (word, bit) = (row + local / 64, 1u64 << (local % 64));
        match local_use {
            LocalUse::Load => self.read[word] |= bit & !self.written[word],
            LocalUse::Store(_) => self.written[word] |= bit,
            LocalUse::Increment => {
                self.read[word] |= bit & !self.written[word];
                self.written[word] |= bit;
            }
        }
        Ok(())
    }
}
