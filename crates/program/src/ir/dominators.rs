//! Which blocks must have run before a block is entered (Cooper, Harvey, Kennedy: "A Simple, Fast
//! Dominance Algorithm"), over normal and exception edges alike.

use super::{BlockId, Body};

pub struct Dominators {
    /// For each block the last one that must come before it; the entry has itself.
    immediate: Vec<u32>,
    /// For each block its number in a walk down the tree of dominators, and the first number behind
    /// those that it dominates.
    dominated: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    pub fn new(body: &Body) -> Dominators {
        let n_blocks = body.blocks.len();
        let (starts, predecessors) = predecessors(body);
        let mut immediate = vec![NONE; n_blocks];
        if n_blocks > 0 {
            immediate[0] = 0;
        }
        // The block for which a block was walked over last.
        let mut walked = vec![0; n_blocks];
        let mut changed = true;
        // Without loops every predecessor is done before its block, and once is enough.
        let mut has_loops = true;
        while changed && has_loops {
            (changed, has_loops) = (false, false);
            walked.fill(0);
            for block in 1..n_blocks {
                let mut nearest = NONE;
                for &predecessor in
                    &predecessors[starts[block] as usize..starts[block + 1] as usize]
                {
                    has_loops |= predecessor as usize >= block;
                    if immediate[predecessor as usize] != NONE {
                        nearest = match nearest {
                            NONE => predecessor,
                            other => {
                                common(&immediate, &mut walked, block as u32, predecessor, other)
                            }
                        };
                    }
                }
                changed |= immediate[block] != nearest;
                immediate[block] = nearest;
            }
        }
        let dominated = number(&immediate);
        Dominators { immediate, dominated }
    }

    /// `None` for the entry and for blocks that cannot be reached.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        let dominator = self.immediate[block.index()];
        (block.index() > 0 && dominator != NONE).then_some(BlockId(dominator))
    }

    /// Whether every way to `block` leads through `above`. A block dominates itself.
    pub fn dominates(&self, above: BlockId, block: BlockId) -> bool {
        let (first, end) = self.dominated[above.index()];
        above == block || (first..end).contains(&self.dominated[block.index()].0)
    }
}

/// The nearest block above both `a`, a predecessor of `block`, and `nearest`, which is above all of
/// its predecessors before that. Whatever was walked over for those is below `nearest`, so no block
/// is walked over twice: otherwise a handler around a long method would cost its square.
fn common(immediate: &[u32], walked: &mut [u32], block: u32, mut a: u32, nearest: u32) -> u32 {
    let mut b = nearest;
    while a != b {
        while a > b {
            if walked[a as usize] == block {
                return b;
            }
            walked[a as usize] = block;
            a = immediate[a as usize];
        }
        while b > a {
            walked[b as usize] = block;
            b = immediate[b as usize];
        }
    }
    a
}

/// Numbers the blocks so that those that a block dominates follow it without a gap.
fn number(immediate: &[u32]) -> Vec<(u32, u32)> {
    let mut sizes = vec![1; immediate.len()];
    let above = |block: usize| match immediate[block] {
        NONE => None,
        above => Some(above as usize),
    };
    // Dominators have smaller numbers, since blocks are in reverse postorder.
    for block in (1..immediate.len()).rev() {
        if let Some(above) = above(block) {
            sizes[above] += sizes[block];
        }
    }
    let mut free: Vec<u32> = vec![1; immediate.len()];
    let mut numbers = vec![(0, sizes.first().copied().unwrap_or(0)); immediate.len()];
    for block in 1..immediate.len() {
        // What cannot be reached is below nothing.
        let first = above(block).map_or(u32::MAX - sizes[block], |above| free[above]);
        if let Some(above) = above(block) {
            free[above] += sizes[block];
        }
        free[block] = first + 1;
        numbers[block] = (first, first + sizes[block]);
    }
    numbers
}

/// For each block a run of the second list, from `starts[block]` to `starts[block + 1]`.
fn predecessors(body: &Body) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; body.blocks.len() + 2];
    for_each_edge(body, |_, target| starts[target + 2] += 1);
    for index in 2..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut predecessors = vec![0; starts[starts.len() - 1] as usize];
    for_each_edge(body, |from, target| {
        predecessors[starts[target + 1] as usize] = from as u32;
        starts[target + 1] += 1;
    });
    (starts, predecessors)
}

fn for_each_edge(body: &Body, mut each: impl FnMut(usize, usize)) {
    for (from, block) in body.blocks.iter().enumerate() {
        body.for_each_successor(block, |edge| each(from, edge.target.index()));
        for handler in body.handlers_of(block) {
            each(from, handler.edge.target.index());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Block, Edge, Handler, Terminator, ValueList};
    use super::*;

    /// A body of empty blocks that all leave by exceptions, of which there may be any number.
    fn body(edges: &[Vec<u32>]) -> Body {
        let mut body = Body::default();
        for targets in edges {
            let start = body.handlers.len() as u32;
            body.handlers.extend(targets.iter().map(|&target| Handler {
                catch_type: None,
                edge: Edge { target: BlockId(target), arguments: ValueList::default() },
            }));
            body.blocks.push(Block {
                parameters: ValueList::default(),
                instructions: (0, 0),
                handlers: (start, body.handlers.len() as u32),
                terminator: Terminator::Return(None),
                pc: 0,
            });
        }
        body
    }

    /// By definition: without `above` there is no way to `block`.
    fn dominates(edges: &[Vec<u32>], above: u32, block: u32) -> bool {
        let mut reached = vec![false; edges.len()];
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            if at != above && !std::mem::replace(&mut reached[at as usize], true) {
                stack.extend(&edges[at as usize]);
            }
        }
        !reached[block as usize]
    }

    #[test]
    fn agree_with_the_definition_on_random_graphs() {
        let mut random = 1u32;
        let mut below = |bound: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % bound
        };
        for _ in 0..300 {
            let n_blocks = 2 + below(14);
            let mut edges = vec![Vec::new(); n_blocks as usize];
            for block in 1..n_blocks {
                edges[below(block) as usize].push(block);
            }
            for _ in 0..below(2 * n_blocks) {
                edges[below(n_blocks) as usize].push(1 + below(n_blocks - 1));
            }
            let dominators = Dominators::new(&body(&edges));
            for above in 0..n_blocks {
                for block in 0..n_blocks {
                    let found = dominators.dominates(BlockId(above), BlockId(block));
                    assert_eq!(found, dominates(&edges, above, block), "{above} {block} {edges:?}");
                }
            }
        }
    }
}
