//! Finds the reachable nodes and puts them in order.
//!
//! Subroutines (`jsr`, `ret`) are inlined by giving the same block several nodes: one for each set of
//! return addresses that live locals hold when it is entered. Since a return address is dead once its
//! subroutine can no longer return, code after an exception handler is not copied.

use bumpalo::Bump;
use bumpalo::collections::Vec as List;
use classfile::{Code, Instruction, Opcode, Run};
use rustc_hash::FxHashMap;

use super::flow::{Blocks, Node, UNSEEN, check_links, is_jsr};
use super::liveness::{Liveness, LocalEffects};
use super::operand::{LocalUse, local_use};
use super::{Result, check_arena, invalid, limit, too_large};

/// All nodes that control can reach, in reverse postorder.
pub(super) fn explore<'m>(blocks: &Blocks<'m>, arena: &'m Bump) -> Result<&'m [Node<'m>]> {
    let mut nodes = List::with_capacity_in(blocks.len(), arena);
    let postorder = if blocks.has_subroutines {
        let mut explorer = Explorer::new(blocks, arena)?;
        let entry = explorer.node(&mut nodes, 0, ReturnAddresses::default())?;
        visit(&mut nodes, entry, arena, |nodes, node| explorer.link(nodes, node))?
    } else {
        nodes.resize(blocks.len(), Node::default());
        let mut n_links = 0;
        visit(&mut nodes, 0, arena, |nodes, block| {
            let node = blocks.node(block)?;
            n_links += node.successors.len() + node.handlers.len();
            check_links(n_links)?;
            nodes[block as usize] = node;
            check_arena(arena)
        })?
    };
    Ok(renumber(&nodes, &postorder, arena))
}

/// Depth-first from the entry; `link` gives a node its instructions and edges when it is met. The
/// nodes in the order in which they are left.
fn visit<'m>(
    nodes: &mut List<'m, Node<'m>>,
    entry: u32,
    arena: &'m Bump,
    mut link: impl FnMut(&mut List<'m, Node<'m>>, u32) -> Result<()>,
) -> Result<List<'m, u32>> {
    let mut postorder = List::with_capacity_in(nodes.len(), arena);
    let mut path = List::with_capacity_in(16, arena);
    path.push((entry, 0usize));
    link(nodes, entry)?;
    while let Some((node, next)) = path.last_mut() {
        let Node { successors, handlers, .. } = nodes[*node as usize];
        let target = match *next {
            n if n < handlers.len() => handlers[handlers.len() - 1 - n].1,
            n if n < handlers.len() + successors.len() => {
                successors[successors.len() - 1 - (n - handlers.len())].1
            }
            _ => {
                postorder.push(*node);
                path.pop();
                continue;
            }
        };
        *next += 1;
        // A node without instructions was named by an edge but not met yet.
        if nodes[target as usize].end == 0 {
            link(nodes, target)?;
            path.push((target, 0));
        }
    }
    Ok(postorder)
}

/// Puts the nodes in the reverse of `postorder`, dropping those that are not in it.
fn renumber<'m>(nodes: &[Node<'m>], postorder: &[u32], arena: &'m Bump) -> &'m [Node<'m>] {
    let position = arena.alloc_slice_fill_copy(nodes.len(), UNSEEN);
    for (index, &node) in postorder.iter().rev().enumerate() {
        position[node as usize] = index as u32;
    }
    let in_order = postorder.iter().rev().map(|&node| nodes[node as usize]);
    let ordered = arena.alloc_slice_fill_iter(in_order);
    for index in 0..ordered.len() {
        let mut moved = |edges: &[(u32, u32)]| {
            let edges = arena.alloc_slice_copy(edges);
            for (_, target) in edges.iter_mut() {
                *target = position[*target as usize];
                if *target as usize <= index {
                    ordered[*target as usize].is_loop_header = true;
                }
            }
            &*edges
        };
        let Node { successors, handlers, .. } =
            nodes[postorder[postorder.len() - 1 - index] as usize];
        let (successors, handlers) = (moved(successors), moved(handlers));
        ordered[index].successors = successors;
        ordered[index].handlers = handlers;
    }
    ordered
}

/// The return addresses that locals hold, by local; and the one that a `jsr` left on the stack.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct ReturnAddresses {
    on_stack: Option<u32>,
    locals: Vec<(u16, u32)>,
}

/// Tells nodes of one block apart by the return addresses that they are entered with.
struct Explorer<'b, 'm> {
    blocks: &'b Blocks<'m>,
    arena: &'m Bump,
    /// Live locals per block: they tell which return addresses matter.
    live: Liveness<'m>,
    /// For each block, its node without return addresses.
    plain: &'m mut [u32],
    copies: FxHashMap<(u32, ReturnAddresses), u32>,
    states: List<'m, (u32, ReturnAddresses)>,
    /// What was spent of the limits of these names.
    n_links: usize,
    n_steps: usize,
    n_addresses: usize,
}

impl<'b, 'm> Explorer<'b, 'm> {
    fn new(blocks: &'b Blocks<'m>, arena: &'m Bump) -> Result<Explorer<'b, 'm>> {
        Ok(Explorer {
            blocks,
            arena,
            live: live_in_blocks(blocks, arena)?,
            plain: arena.alloc_slice_fill_copy(blocks.len(), UNSEEN),
            copies: FxHashMap::default(),
            states: List::with_capacity_in(blocks.len(), arena),
            n_links: 0,
            n_steps: 0,
            n_addresses: 0,
        })
    }

    /// The node for a block that is entered with these addresses.
    fn node(
        &mut self,
        nodes: &mut List<'m, Node<'m>>,
        block: u32,
        addresses: ReturnAddresses,
    ) -> Result<u32> {
        let fresh = nodes.len() as u32;
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
            if nodes.len() >= limit::BLOCKS {
                return Err(too_large("more than 100,000 blocks with subroutines inlined"));
            }
            self.n_addresses += addresses.locals.len();
            if self.n_addresses > limit::RETURN_ADDRESSES {
                return Err(too_large("subroutines nested too deep"));
            }
            nodes.push(Node::default());
            self.states.push((block, addresses));
        }
        Ok(node)
    }

    fn link(&mut self, nodes: &mut List<'m, Node<'m>>, node: u32) -> Result<()> {
        let (block, addresses) = std::mem::take(&mut self.states[node as usize]);
        let (start, end) = self.blocks.range(block);
        self.n_steps += (end - start) as usize * (1 + addresses.locals.len());
        if self.n_steps > limit::STEPS {
            return Err(too_large("too much code with subroutines inlined"));
        }
        let after = step_addresses(addresses, self.blocks.code, self.blocks.code_of(block))?;
        let last = self.blocks.end_of(block);
        let mut successors = self.targets(block, last, &after)?;
        self.n_links += successors.len() + self.blocks.handlers(block).len();
        check_links(self.n_links)?;
        check_arena(self.arena)?;
        for (_, target) in successors.iter_mut() {
            let mut addresses = self.only_live(&after, *target);
            addresses.on_stack = last.filter(|last| is_jsr(last)).map(|jsr| jsr.next_pc);
            *target = self.node(nodes, *target, addresses)?;
        }
        let handlers = self.arena.alloc_slice_copy(self.blocks.handlers(block));
        for (_, target) in handlers.iter_mut() {
            let addresses = self.only_live(&after, *target);
            *target = self.node(nodes, *target, addresses)?;
        }
        let successors = successors.into_bump_slice();
        nodes[node as usize] = Node { start, end, successors, handlers, is_loop_header: false };
        Ok(())
    }

    /// As `Blocks::successors`, but a `ret` goes where the address in its local says.
    fn targets(
        &self,
        block: u32,
        last: Option<&Instruction>,
        after: &ReturnAddresses,
    ) -> Result<List<'m, (u32, u32)>> {
        let Some(ret) = last.filter(|last| last.opcode == Opcode::Ret) else {
            return self.blocks.successors(block);
        };
        let local = self.blocks.code.local(ret)?;
        let pc = return_address(after, ret, local)?;
        let mut only = List::new_in(self.arena);
        only.push((pc, self.blocks.target_block(pc)?));
        Ok(only)
    }

    fn only_live(&self, addresses: &ReturnAddresses, block: u32) -> ReturnAddresses {
        let is_live = |local: u16| self.live.is_live(block as usize, local.into());
        let locals = addresses.locals.iter().copied().filter(|&(local, _)| is_live(local));
        ReturnAddresses { on_stack: None, locals: locals.collect() }
    }
}

fn live_in_blocks<'m>(blocks: &Blocks<'m>, arena: &'m Bump) -> Result<Liveness<'m>> {
    let mut all = List::with_capacity_in(blocks.len(), arena);
    let mut links = 0;
    for block in 0..blocks.len() as u32 {
        let node = blocks.node(block)?;
        links += node.successors.len() + node.handlers.len();
        check_links(links)?;
        all.push(node);
    }
    let effects = LocalEffects::new(&all, blocks.code, arena)?;
    Liveness::solve(&all, &effects, arena)
}

/// How a block changes which locals hold return addresses. A subroutine must begin by storing or
/// dropping its return address, as all compilers have it: nothing else may touch one on the stack.
fn step_addresses(
    mut addresses: ReturnAddresses,
    code: &Code<'_>,
    instructions: Run<'_>,
) -> Result<ReturnAddresses> {
    for instruction in instructions {
        if let Some(address) = addresses.on_stack.take() {
            match instruction.opcode {
                Opcode::Pop => {}
                opcode if is_astore(opcode) => {
                    let local = code.local(&instruction)?;
                    addresses.locals.retain(|&(other, _)| other != local);
                    addresses.locals.push((local, address));
                    addresses.locals.sort_unstable();
                }
                _ => return invalid(instruction.pc, "subroutine does not begin with astore"),
            }
        } else if let Some(LocalUse::Store(slots)) = local_use(instruction.opcode) {
            let local = code.local(&instruction)?;
            let stored = local..local.saturating_add(slots);
            addresses.locals.retain(|(other, _)| !stored.contains(other));
        }
    }
    Ok(addresses)
}

fn return_address(addresses: &ReturnAddresses, ret: &Instruction, local: u16) -> Result<u32> {
    match addresses.locals.iter().find(|&&(other, _)| other == local) {
        Some(&(_, address)) => Ok(address),
        None => invalid(ret.pc, "ret on a local that holds no return address"),
    }
}

fn is_astore(opcode: Opcode) -> bool {
    use Opcode::{Astore, Astore0, Astore1, Astore2, Astore3};
    matches!(opcode, Astore | Astore0 | Astore1 | Astore2 | Astore3)
}
