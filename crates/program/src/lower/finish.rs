//! The last step: block parameters that only ever get one value are replaced by it, edges get their
//! real targets, and values are numbered anew in the order of the blocks.

use super::builder::{Builder, EdgeRecord, Target, marker};
use super::{Result, invalid};
use crate::ir::{BlockId, Body, Edge, Terminator, Value, ValueList};
use crate::types::Kind;

/// Rounds of looking for needless parameters. Nested loops need one each; any that are left after
/// that are superfluous, not wrong.
const MAX_ROUNDS: usize = 32;

pub(super) fn finish(mut builder: Builder<'_>) -> Result<Body> {
    let mut replaced = Replacements((0..builder.body.kinds.len() as u32).collect());
    drop_needless_parameters(&mut builder, &mut replaced)?;
    Ok(Renumbering::new(&builder, replaced).apply(builder))
}

/// For each value, the one that stands for it.
struct Replacements(Vec<u32>);

impl Replacements {
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

fn drop_needless_parameters(builder: &mut Builder<'_>, replaced: &mut Replacements) -> Result<()> {
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for node in 0..builder.nodes.len() {
            let parameters = std::mem::take(&mut builder.nodes[node].parameters);
            let mut kept = Vec::with_capacity(parameters.len());
            for (position, parameter) in parameters {
                match only_argument(builder, replaced, node, position, parameter)? {
                    Some(value) => {
                        replaced.0[parameter.index()] = value.0;
                        changed = true;
                    }
                    None => kept.push((position, parameter)),
                }
            }
            builder.nodes[node].parameters = kept;
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
    replaced: &mut Replacements,
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
        let argument = replaced.find(builder.body.lists[(arguments.start + position) as usize]);
        if argument == marker::UNUSABLE || argument == marker::RETURN_ADDRESS {
            return invalid(pc, "a value is missing on one way to here");
        }
        if builder.kind_or_exception(argument) != builder.body.kinds[parameter.index()] {
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
struct Renumbering {
    new: Vec<u32>,
    replaced: Replacements,
    kinds: Vec<Kind>,
    lists: Vec<Value>,
}

impl Renumbering {
    /// Numbers parameters of the method, then block by block its parameters and results.
    fn new(builder: &Builder<'_>, replaced: Replacements) -> Renumbering {
        let body = &builder.body;
        let mut renumbering = Renumbering {
            new: vec![u32::MAX; body.kinds.len()],
            replaced,
            kinds: Vec::with_capacity(body.kinds.len()),
            lists: Vec::with_capacity(body.lists.len()),
        };
        for value in body.parameters() {
            renumbering.add(value, body);
        }
        let mut nodes = builder.nodes.iter().peekable();
        for (index, block) in body.blocks.iter().enumerate() {
            if let Some(node) = nodes.next_if(|node| node.block as usize == index) {
                node.parameters.iter().for_each(|&(_, value)| renumbering.add(value, body));
            }
            for instruction in body.instructions_of(block) {
                instruction.result.into_iter().for_each(|value| renumbering.add(value, body));
            }
        }
        renumbering
    }

    fn add(&mut self, value: Value, body: &Body) {
        self.new[value.index()] = self.kinds.len() as u32;
        self.kinds.push(body.kind(value));
    }

    fn value(&mut self, old: Value) -> Value {
        Value(self.new[self.replaced.find(old).index()])
    }

    fn apply(mut self, builder: Builder<'_>) -> Body {
        let Builder { mut body, edges, nodes, code, .. } = builder;
        for instruction in &mut body.instructions {
            if let Some(result) = &mut instruction.result {
                *result = self.value(*result);
            }
            let list = instruction.op.visit_values(|value| *value = self.value(*value));
            if let Some(list) = list {
                let old = &body.lists[list.start as usize..(list.start + list.length) as usize];
                *list = self.list(old.iter().copied());
            }
        }
        let old_lists = std::mem::take(&mut body.lists);
        let mut edge = |edge: &mut Edge, skipped: u32| {
            let record = edges[edge.target.index()];
            *edge = match record.target {
                Target::Block(target) => Edge { target, arguments: ValueList::default() },
                Target::Node(node) => {
                    let node = &nodes[node as usize];
                    let positions = node.parameters.iter().map(|&(position, _)| position);
                    let passed = positions.filter(|&position| position >= skipped);
                    let start = record.arguments.start;
                    let arguments = passed.map(|position| old_lists[(start + position) as usize]);
                    Edge { target: BlockId(node.block), arguments: self.list(arguments) }
                }
            };
        };
        for handler in &mut body.handlers {
            // The exception itself, at position 0, is no argument of the edge.
            edge(&mut handler.edge, 1);
        }
        for (_, case) in &mut body.cases {
            edge(case, 0);
        }
        for block in &mut body.blocks {
            match &mut block.terminator {
                Terminator::Goto(target) => edge(target, 0),
                Terminator::If { then, otherwise, .. } => {
                    edge(then, 0);
                    edge(otherwise, 0);
                }
                Terminator::Switch { default, .. } => edge(default, 0),
                Terminator::Return(_) | Terminator::Throw(_) => {}
            }
        }
        for block in &mut body.blocks {
            match &mut block.terminator {
                Terminator::If { condition, .. } => {
                    condition.visit_values(|value| *value = self.value(*value));
                }
                Terminator::Switch { value, .. }
                | Terminator::Return(Some(value))
                | Terminator::Throw(value) => *value = self.value(*value),
                Terminator::Goto(_) | Terminator::Return(None) => {}
            }
        }
        for node in &nodes {
            let parameters = node.parameters.iter().map(|&(_, value)| value);
            body.blocks[node.block as usize].parameters = self.list(parameters);
        }
        // A table that cannot be read costs the line numbers, not the body.
        let mut lines = code.line_numbers().unwrap_or_default();
        lines.sort_by_key(|&(pc, _)| pc);
        body.kinds = self.kinds;
        body.lists = self.lists;
        body.lines = lines;
        body
    }

    fn list(&mut self, old: impl Iterator<Item = Value>) -> ValueList {
        let start = self.lists.len() as u32;
        for value in old {
            let value = self.value(value);
            self.lists.push(value);
        }
        ValueList { start, length: self.lists.len() as u32 - start }
    }
}
