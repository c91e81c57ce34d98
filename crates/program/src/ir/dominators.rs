//! Which blocks must have run before a block is entered (Cooper, Harvey, Kennedy: "A Simple, Fast
//! Dominance Algorithm"), over normal and exception edges alike.

use super::{BlockId, Body};

pub struct Dominators {
    /// For each block the last one that must come before it; the entry has itself.
    immediate: Vec<u32>,
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
        let mut changed = true;
        while changed {
            changed = false;
            for block in 1..n_blocks {
                let mut nearest = NONE;
                for &predecessor in
                    &predecessors[starts[block] as usize..starts[block + 1] as usize]
                {
                    if immediate[predecessor as usize] != NONE {
                        nearest = match nearest {
                            NONE => predecessor,
                            other => common(&immediate, predecessor, other),
                        };
                    }
                }
                changed |= immediate[block] != nearest;
                immediate[block] = nearest;
            }
        }
        Dominators { immediate }
    }

    /// `None` for the entry and for blocks that cannot be reached.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        let dominator = self.immediate[block.index()];
        (block.index() > 0 && dominator != NONE).then_some(BlockId(dominator))
    }

    /// Whether every way to `block` leads through `above`. A block dominates itself.
    pub fn dominates(&self, above: BlockId, block: BlockId) -> bool {
        let mut current = block.0;
        // Dominators have smaller numbers, since blocks are in reverse postorder.
        while current > above.0 && current != NONE {
            current = self.immediate[current as usize];
        }
        current == above.0
    }
}

fn common(immediate: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = immediate[a as usize];
        }
        while b > a {
            b = immediate[b as usize];
        }
    }
    a
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
