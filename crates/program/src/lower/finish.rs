//! The last step: block parameters that only ever get one value are replaced by it, edges get their
//! real targets, and values are numbered anew in the order of the blocks.

use super::builder::{Builder, EdgeRecord, NodeRecord, Target, marker};
use super::{Result, invalid};
use crate::ir::{BlockId, Body, Edge, Terminator, Value, ValueList};
use crate::types::Kind;

/// Rounds of looking for needless parameters. Nested loops need one each; any that are left after
/// that are superfluous, not wrong.
const MAX_ROUNDS: usize = 32;

pub(super) fn finish(mut builder: Builder<'_>) -> Result<Body> {
    builder.check_loop_headers()?;
    let values = 0..builder.kinds.len() as u32;
    let mut replaced = Replacements(builder.arena.alloc_slice_fill_iter(values));
    drop_needless_parameters(&mut builder, &mut replaced)?;
    Ok(Renumbering::new(&builder, replaced).apply(builder))
}

/// For each value, the one that stands for it.
struct Replacements<'b>(&'b mut [u32]);

impl Replacements<'_> {
    fn find(&mut self, value: Value) -> Value {
        if marker::is_marker(value) {
            return value;
        }
        let mut current = value.0;
        while self.0[current as usize] != current {
            let next = self.0[current as usize];
            // Halve the path, so that long chains stay cheap.
            self.0[current as usize] = self.0[next as usize];
            current = next;
        }
        Value(current)
    }
}

fn drop_needless_parameters(
    builder: &mut Builder<'_>,
    replaced: &mut Replacements<'_>,
) -> Result<()> {
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for node in 0..builder.nodes.len() {
            let parameters = std::mem::take(&mut builder.nodes[node].parameters);
            let mut n_kept = 0;
            for index in 0..parameters.len() {
                let (position, parameter) = parameters[index];
                match only_argument(builder, replaced, node, position, parameter)? {
                    Some(value) => {
                        replaced.0[parameter.index()] = value.0;
                        changed = true;
                    }
                    None => {
                        parameters[n_kept] = (position, parameter);
                        n_kept += 1;
                    }
                }
            }
            builder.nodes[node].parameters = &mut parameters[..n_kept];
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

/// The one value that all edges pass for this parameter, apart from itself.
fn only_argument(
    builder: &Builder<'_>,
    replaced: &mut Replacements<'_>,
    node: usize,
    position: u32,
    parameter: Value,
) -> Result<Option<Value>> {
    let pc = builder.flow.instructions[builder.flow.nodes[node].first as usize].pc;
    let mut only = None;
    let mut differ = false;
    let mut next = builder.nodes[node].incoming;
    while let Some(edge) = next {
        let EdgeRecord { arguments, next: following, .. } = builder.edges[edge as usize];
        next = following;
        if position >= arguments.length {
            return invalid(pc, "stack depths differ");
        }
        let argument = replaced.find(builder.lists[(arguments.start + position) as usize]);
        if argument == marker::UNUSABLE || argument == marker::RETURN_ADDRESS {
            return invalid(pc, "a value is missing on one way to here");
        }
        if builder.kind_or_exception(argument) != builder.kinds[parameter.index()] {
            return invalid(pc, "kinds differ on two ways to here");
        }
        if argument == parameter {
            continue;
        }
        differ |= argument == marker::EXCEPTION || only.is_some_and(|only| only != argument);
        only = Some(argument);
    }
    Ok(only.filter(|_| !differ))
}

/// Old values to new ones, and the lists of new ones.
struct Renumbering<'b> {
    new: &'b mut [u32],
    replaced: Replacements<'b>,
    kinds: Vec<Kind>,
    lists: Vec<Value>,
}

impl<'b> Renumbering<'b> {
    /// Numbers parameters of the method, then block by block its parameters and results.
    fn new(builder: &Builder<'b>, replaced: Replacements<'b>) -> Renumbering<'b> {
        let n_values = builder.kinds.len();
        let mut renumbering = Renumbering {
            new: builder.arena.alloc_slice_fill_copy(n_values, u32::MAX),
            replaced,
            kinds: Vec::with_capacity(n_values),
            lists: Vec::with_capacity(builder.lists.len()),
        };
        let body = &builder.body;
        let mut add = |value: Value| {
            renumbering.new[value.index()] = renumbering.kinds.len() as u32;
            renumbering.kinds.push(builder.kinds[value.index()]);
        };
        body.parameters().for_each(&mut add);
        let mut nodes = builder.nodes.iter().peekable();
        for (index, block) in body.blocks.iter().enumerate() {
            if let Some(node) = nodes.next_if(|node| node.block as usize == index) {
                node.parameters.iter().for_each(|&(_, value)| add(value));
            }
            for instruction in body.instructions_of(block) {
                instruction.result.into_iter().for_each(&mut add);
            }
        }
        renumbering
    }

    fn value(&mut self, old: Value) -> Value {
        Value(self.new[self.replaced.find(old).index()])
    }

    fn list(&mut self, old: impl Iterator<Item = Value>) -> ValueList {
        let start = self.lists.len() as u32;
        for value in old {
            let value = self.value(value);
            self.lists.push(value);
        }
        ValueList { start, length: self.lists.len() as u32 - start }
    }

    fn apply(mut self, builder: Builder<'_>) -> Body {
        let Builder { mut body, edges, nodes, lists, code, .. } = builder;
        for instruction in &mut body.instructions {
            if let Some(result) = &mut instruction.result {
                *result = self.value(*result);
            }
            let list = instruction.op.visit_values(|value| *value = self.value(*value));
            if let Some(list) = list {
                let old = &lists[list.start as usize..(list.start + list.length) as usize];
                *list = self.list(old.iter().copied());
            }
        }
        let old = OldEdges { edges: &edges, nodes, lists: &lists };
        for handler in &mut body.handlers {
            // The exception itself, at position 0, is no argument of the edge.
            handler.edge = self.edge(&old, handler.edge, 1);
        }
        for (_, case) in &mut body.cases {
            *case = self.edge(&old, *case, 0);
        }
        for block in &mut body.blocks {
            self.rewrite_terminator(&old, &mut block.terminator);
        }
        for node in nodes.iter() {
            let parameters = node.parameters.iter().map(|&(_, value)| value);
            body.blocks[node.block as usize].parameters = self.list(parameters);
        }
        // A table that cannot be read costs the line numbers, not the body.
        let mut lines = code.line_numbers().unwrap_or_default();
        if !lines.is_sorted_by_key(|&(pc, _)| pc) {
            lines.sort_by_key(|&(pc, _)| pc);
        }
        body.kinds = self.kinds;
        body.lists = self.lists;
        body.lines = lines;
        body
    }

    fn edge(&mut self, old: &OldEdges<'_, '_>, edge: Edge, skipped: u32) -> Edge {
        let record = old.edges[edge.target.index()];
        match record.target {
            Target::Block(target) => Edge { target, arguments: ValueList::default() },
            Target::Node(node) => {
                let node = &old.nodes[node as usize];
                let positions = node.parameters.iter().map(|&(position, _)| position);
                let passed = positions.filter(|&position| position >= skipped);
                let start = record.arguments.start;
                let arguments = passed.map(|position| old.lists[(start + position) as usize]);
                Edge { target: BlockId(node.block), arguments: self.list(arguments) }
            }
        }
    }

    fn rewrite_terminator(&mut self, old: &OldEdges<'_, '_>, terminator: &mut Terminator) {
        match terminator {
            Terminator::Goto(edge) => *edge = self.edge(old, *edge, 0),
            Terminator::If { condition, then, otherwise } => {
                condition.visit_values(|value| *value = self.value(*value));
                *then = self.edge(old, *then, 0);
                *otherwise = self.edge(old, *otherwise, 0);
            }
            Terminator::Switch { value, default, .. } => {
                *value = self.value(*value);
                *default = self.edge(old, *default, 0);
            }
            Terminator::Return(Some(value)) | Terminator::Throw(value) => {
                *value = self.value(*value)
            }
            Terminator::Return(None) => {}
        }
    }
}

/// Edges and lists as the builder left them.
struct OldEdges<'o, 'b> {
    edges: &'o [EdgeRecord],
    nodes: &'o [NodeRecord<'b>],
    lists: &'o [Value],
}
