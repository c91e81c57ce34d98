//! The last step: block parameters that only ever get one value are replaced by it, edges get their
//! real targets, and values are numbered anew in the order of the blocks.

use super::builder::{Builder, EdgeRecord, NodeRecord, Target, marker};
use super::{Result, invalid};
use crate::ir::{BlockId, Body, Edge, Terminator, Value, ValueList};

/// Rounds of looking for needless parameters. Nested loops need one each; any that are left after
/// that are superfluous, not wrong.
const MAX_ROUNDS: usize = 32;

pub(super) fn finish(mut builder: Builder<'_>) -> Result<Body> {
    builder.check_loop_headers()?;
    let has_parameters = builder.nodes.iter().any(|node| !node.parameters.is_empty());
    if !(has_parameters && drop_and_renumber(&mut builder)?) {
        builder.body.kinds = builder.kinds.to_vec();
    }
    Ok(complete(builder))
}

/// Returns whether there were any to drop.
fn drop_and_renumber(builder: &mut Builder<'_>) -> Result<bool> {
    let values = 0..builder.kinds.len() as u32;
    let mut replaced = Replacements(builder.arena.alloc_slice_fill_iter(values));
    let found = drop_needless_parameters(builder, &mut replaced)?;
    if found {
        renumber(builder, &mut replaced);
    }
    Ok(found)
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

/// Returns whether there were any.
fn drop_needless_parameters(
    builder: &mut Builder<'_>,
    replaced: &mut Replacements<'_>,
) -> Result<bool> {
    let mut found = false;
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
        found |= changed;
        if !changed {
            break;
        }
    }
    Ok(found)
}

/// The one value that all edges pass for this parameter, apart from itself.
fn only_argument(
    builder: &Builder<'_>,
    replaced: &mut Replacements<'_>,
    node: usize,
    position: u32,
    parameter: Value,
) -> Result<Option<Value>> {
    let pc = builder.flow.nodes[node].start;
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

/// Values were numbered as blocks and instructions came: the numbers of those that are left close up.
fn renumber(builder: &mut Builder<'_>, replaced: &mut Replacements<'_>) {
    let n_values = builder.kinds.len();
    let new = builder.arena.alloc_slice_fill_copy(n_values, 0);
    let mut kinds = Vec::with_capacity(n_values);
    for (value, &kind) in builder.kinds.iter().enumerate() {
        if replaced.0[value] as usize == value {
            new[value] = kinds.len() as u32;
            kinds.push(kind);
        }
    }
    for value in 0..n_values {
        if replaced.0[value] as usize != value {
            new[value] = new[replaced.find(Value(value as u32)).index()];
        }
    }
    let rename = |value: &mut Value| {
        // Markers are beyond all values.
        if let Some(&new) = new.get(value.index()) {
            *value = Value(new);
        }
    };
    builder.lists.iter_mut().for_each(rename);
    let parameters = builder.nodes.iter_mut().flat_map(|node| node.parameters.iter_mut());
    parameters.for_each(|(_, value)| rename(value));
    for instruction in &mut builder.body.instructions {
        instruction.result.iter_mut().for_each(rename);
        instruction.op.visit_values(rename);
    }
    for block in &mut builder.body.blocks {
        match &mut block.terminator {
            Terminator::If { condition, .. } => condition.visit_values(rename),
            Terminator::Switch { value, .. }
            | Terminator::Return(Some(value))
            | Terminator::Throw(value) => rename(value),
            Terminator::Goto(_) | Terminator::Return(None) => {}
        }
    }
    builder.body.kinds = kinds;
}

/// Gives edges their real targets and blocks their parameters.
fn complete(builder: Builder<'_>) -> Body {
    let Builder { mut body, edges, nodes, mut lists, arena, .. } = builder;
    let edges =
        arena.alloc_slice_fill_iter(edges.iter().map(|edge| real_edge(edge, nodes, &mut lists)));
    let complete = |edge: &mut Edge| *edge = edges[edge.target.index()];
    body.handlers.iter_mut().for_each(|handler| complete(&mut handler.edge));
    body.cases.iter_mut().for_each(|(_, case)| complete(case));
    for block in &mut body.blocks {
        match &mut block.terminator {
            Terminator::Goto(edge) | Terminator::Switch { default: edge, .. } => complete(edge),
            Terminator::If { then, otherwise, .. } => {
                complete(then);
                complete(otherwise);
            }
            Terminator::Return(_) | Terminator::Throw(_) => {}
        }
    }
    for node in nodes.iter().filter(|node| !node.parameters.is_empty()) {
        let (start, length) = (lists.len() as u32, node.parameters.len() as u32);
        lists.extend(node.parameters.iter().map(|&(_, value)| value));
        body.blocks[node.block as usize].parameters = ValueList { start, length };
    }
    body.lists = lists;
    body
}

/// The arguments are moved up in their own list: only those that the target has parameters for, and
/// not the exception, which is no argument.
fn real_edge(edge: &EdgeRecord, nodes: &[NodeRecord<'_>], lists: &mut [Value]) -> Edge {
    let node = match edge.target {
        Target::Block(target) => return Edge { target, arguments: ValueList::default() },
        Target::Node(node) => &nodes[node as usize],
    };
    let start = edge.arguments.start;
    let mut length = 0;
    for &(position, _) in node.parameters.iter() {
        let argument = lists[(start + position) as usize];
        if argument != marker::EXCEPTION {
            lists[(start + length) as usize] = argument;
            length += 1;
        }
    }
    Edge { target: BlockId(node.block), arguments: ValueList { start, length } }
}
