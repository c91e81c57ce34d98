//! Which locals may still be read. Only these are passed along edges.

use classfile::{Instruction, Opcode, Operand};

use super::flow::{Flow, Node, stored_local};
use super::{LowerError, Result, invalid, limit};

/// For each node, the locals that are live when it is entered.
pub(super) struct Liveness {
    rows: Vec<u64>,
    words: usize,
}

impl Liveness {
    pub(super) fn new(flow: &Flow<'_>) -> Result<Liveness> {
        if let [only] = &flow.nodes[..]
            && !only.is_loop_header
        {
            // Nothing is passed but the method's own parameters: no need to know which are read.
            let words = flow.max_locals.div_ceil(64);
            let mut rows = vec![u64::MAX; words];
            if let (Some(last), used @ 1..) = (rows.last_mut(), flow.max_locals % 64) {
                *last = (1 << used) - 1;
            }
            return Ok(Liveness { rows, words });
        }
        let effects = LocalEffects::new(&flow.nodes, &flow.instructions, flow.max_locals)?;
        let rows = live_locals(&flow.nodes, &effects)?;
        Ok(Liveness { rows, words: effects.words })
    }

    /// The live locals of a node, ascending.
    pub(super) fn locals(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let row = &self.rows[node * self.words..][..self.words];
        row.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    index * 64 + bit
                })
            })
        })
    }

    pub(super) fn is_live(&self, node: usize, local: usize) -> bool {
        let word = self.rows[node * self.words + local / 64];
        word >> (local % 64) & 1 != 0
    }
}

/// For each node, what it reads before writing it, and what it writes.
pub(super) struct LocalEffects {
    read: Vec<u64>,
    written: Vec<u64>,
    pub(super) words: usize,
}

impl LocalEffects {
    pub(super) fn new(
        nodes: &[Node],
        instructions: &[Instruction<'_>],
        max_locals: usize,
    ) -> Result<LocalEffects> {
        let words = max_locals.div_ceil(64);
        if nodes.len() * words > limit::LIVENESS_WORDS {
            return Err(LowerError::TooLarge("too many locals in too many blocks"));
        }
        let empty = vec![0u64; nodes.len() * words];
        let mut effects = LocalEffects { read: empty.clone(), written: empty, words };
        for (index, node) in nodes.iter().enumerate() {
            for instruction in &instructions[node.first as usize..node.end as usize] {
                effects.add(index * words, instruction, max_locals)?;
            }
        }
        Ok(effects)
    }

    fn add(&mut self, row: usize, instruction: &Instruction<'_>, max_locals: usize) -> Result<()> {
        let (local, is_increment) = match instruction.operand {
            Operand::Local(local) => (usize::from(local), false),
            Operand::Increment { local, .. } => (usize::from(local), true),
            Operand::None
            | Operand::Immediate(_)
            | Operand::Pool(_)
            | Operand::Branch(_)
            | Operand::ArrayType(_)
            | Operand::MultiArray { .. }
            | Operand::Switch(_) => return Ok(()),
        };
        if local >= max_locals {
            return invalid(instruction.pc, "local beyond max_locals");
        }
        let (word, bit) = (row + local / 64, 1u64 << (local % 64));
        let is_store = stored_local(instruction).is_some();
        if (!is_store || is_increment) && self.written[word] & bit == 0 {
            self.read[word] |= bit;
        }
        if is_store || is_increment {
            self.written[word] |= bit;
        }
        debug_assert!(instruction.opcode != Opcode::Ret || !is_store);
        Ok(())
    }
}

/// The least solution of: live at entry = read, or live at a successor and not written, or live at a
/// handler (an exception may come before the write).
pub(super) fn live_locals(nodes: &[Node], effects: &LocalEffects) -> Result<Vec<u64>> {
    let words = effects.words;
    let mut live = effects.read.clone();
    let mut work = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (index, node) in nodes.iter().enumerate().rev() {
            work += (node.successors.len() + node.handlers.len()) * words;
            if work > limit::LIVENESS_WORK {
                return Err(LowerError::TooLarge("too many jumps between too many locals"));
            }
            for &(_, target) in &node.successors {
                for word in 0..words {
                    let from = live[target as usize * words + word];
                    let row = index * words + word;
                    let new = live[row] | from & !effects.written[row];
                    changed |= new != live[row];
                    live[row] = new;
                }
            }
            for &(_, target) in &node.handlers {
                for word in 0..words {
                    let row = index * words + word;
                    let new = live[row] | live[target as usize * words + word];
                    changed |= new != live[row];
                    live[row] = new;
                }
            }
        }
    }
    Ok(live)
}
