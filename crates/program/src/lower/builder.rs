//! The state of lowering one method: the symbolic stack and locals, and the body so far.
//!
//! Until `finish`, an edge's `target` is the index of its `EdgeRecord`, and its arguments follow the
//! layout of the target node: the stack from the bottom, then the live locals in ascending order.

use bumpalo::Bump;
use bumpalo::collections::Vec as List;
use classfile::Code;

use super::flow::{Flow, Node};
use super::liveness::Liveness;
use super::{Result, check_arena, invalid, limit, too_large};
use crate::class::{Class, Method};
use crate::ir::{
    Block, BlockId, Body, Edge, Handler, Instruction, Op, StringRef, Terminator, Value, ValueList,
};
use crate::names::Name;
use crate::program::Program;
use crate::types::{Kind, method_kinds};

/// What stands in the place of a value where there is none.
pub(super) mod marker {
    use crate::ir::Value;

    /// A local that holds nothing usable.
    pub(in crate::lower) const UNUSABLE: Value = Value(u32::MAX);
    /// The exception, on an edge to a handler.
    pub(in crate::lower) const EXCEPTION: Value = Value(u32::MAX - 1);
    /// A return address. Control flow already knows where it leads.
    pub(in crate::lower) const RETURN_ADDRESS: Value = Value(u32::MAX - 2);

    pub(in crate::lower) fn is_marker(value: Value) -> bool {
        value.0 >= RETURN_ADDRESS.0
    }
}

pub(super) struct Builder<'b> {
    pub(super) program: &'b Program,
    pub(super) class: &'b Class,
    pub(super) code: &'b Code<'b>,
    pub(super) flow: &'b Flow<'b>,
    live: &'b Liveness<'b>,
    pub(super) arena: &'b Bump,
    /// Its values and lists are still in `kinds` and `lists`.
    pub(super) body: Body,
    pub(super) kinds: List<'b, Kind>,
    /// Not in the arena, like `edges`: these two can grow large, and there would leave as much behind.
    pub(super) lists: Vec<Value>,
    pub(super) locals: &'b mut [Value],
    pub(super) stack: List<'b, Value>,
    pub(super) edges: Vec<EdgeRecord>,
    pub(super) nodes: &'b mut [NodeRecord<'b>],
    open: OpenBlock,
    /// Of the bytecode that is being translated.
    pub(super) pc: u32,
    pub(super) result_kind: Option<Kind>,
    /// Of the call that is being translated: the kinds of its arguments.
    pub(super) argument_kinds: List<'b, Kind>,
    /// What was spent of the limits of these names.
    descriptor_bytes: usize,
    call_site_parts: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeRecord {
    pub(super) target: Target,
    pub(super) arguments: ValueList,
    /// The next edge into the same node.
    pub(super) next: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Node(u32),
    /// The second half of a node that was cut in two.
    Block(BlockId),
}

#[derive(Debug, Default)]
pub(super) struct NodeRecord<'b> {
    pub(super) block: u32,
    /// Positions in the layout that became parameters, and the values.
    pub(super) parameters: &'b mut [(u32, Value)],
    /// The list of edges into it.
    pub(super) incoming: Option<u32>,
}

/// The block under construction.
#[derive(Debug, Clone, Copy, Default)]
struct OpenBlock {
    node: u32,
    first_instruction: u32,
    handlers: (u32, u32),
    /// Whether something in it can throw, so that its handlers' arguments are fixed.
    throws: bool,
    /// Whether a local that a handler reads has changed since then.
    stale: bool,
}

impl<'b> Builder<'b> {
    pub(super) fn new(
        program: &'b Program,
        class: &'b Class,
        code: &'b Code<'b>,
        flow: &'b Flow<'b>,
        live: &'b Liveness<'b>,
        arena: &'b Bump,
    ) -> Builder<'b> {
        let n_instructions = flow.n_instructions;
        let n_nodes = flow.nodes.len();
        Builder {
            program,
            class,
            code,
            flow,
            live,
            arena,
            body: Body {
                blocks: Vec::with_capacity(n_nodes),
                // Loads and stores of locals leave no instruction.
                instructions: Vec::with_capacity(n_instructions * 3 / 4 + 2),
                ..Body::default()
            },
            kinds: List::with_capacity_in(n_instructions, arena),
            lists: Vec::with_capacity(n_instructions),
            locals: arena.alloc_slice_fill_copy(flow.max_locals, marker::UNUSABLE),
            stack: List::with_capacity_in(16, arena),
            edges: Vec::with_capacity(n_nodes * 2),
            nodes: arena.alloc_slice_fill_default(n_nodes),
            open: OpenBlock::default(),
            pc: 0,
            result_kind: None,
            argument_kinds: List::with_capacity_in(16, arena),
            descriptor_bytes: 0,
            call_site_parts: 0,
        }
    }

    /// Puts the parameters into locals and, since nothing may jump to block 0, gives a first node
    /// that is also a loop header an empty block in front.
    pub(super) fn enter_method(&mut self, method: &Method) -> Result<()> {
        let descriptor = self.program.names.bytes(method.descriptor);
        let mut kinds = List::with_capacity_in(16, self.arena);
        if !method.access_flags.is_static() {
            kinds.push(Kind::Ref);
        }
        let Some(result) = method_kinds(descriptor, |kind| kinds.push(kind)) else {
            return invalid(0, "malformed method descriptor");
        };
        self.result_kind = result;
        let mut slot = 0;
        for kind in kinds {
            let value = self.new_value(kind);
            if slot + kind.slots() > self.locals.len() {
                return invalid(0, "parameters beyond max_locals");
            }
            self.locals[slot] = value;
            slot += kind.slots();
        }
        self.body.parameters = self.kinds.len();
        let edge = self.edge_to(0)?;
        if self.flow.nodes[0].is_loop_header {
            self.close(Terminator::Goto(edge))?;
        }
        Ok(())
    }

    /// Makes stack and locals what they are on all edges into the node: values that differ become
    /// parameters. A loop header has edges that are not known yet, so all of its live values do.
    pub(super) fn enter_node(&mut self, index: usize) -> Result<()> {
        let node: &Node<'_> = &self.flow.nodes[index];
        self.pc = node.start;
        let Some(first) = self.nodes[index].incoming.map(|edge| self.edges[edge as usize]) else {
            return invalid(self.pc, "block without a way into it");
        };
        self.locals.fill(marker::UNUSABLE);
        self.stack.clear();
        let n_live = self.live.count(index);
        let Some(depth) = (first.arguments.length as usize).checked_sub(n_live) else {
            return invalid(self.pc, "stack depths differ");
        };
        self.check_depths(index, first.arguments.length)?;
        let mut parameters = List::new_in(self.arena);
        for position in 0..depth as u32 {
            let value = self.enter_value(index, first, position, &mut parameters);
            if value == marker::UNUSABLE {
                return invalid(self.pc, "stack kinds differ");
            }
            self.stack.push(value);
        }
        let mut position = depth as u32;
        let live = self.live;
        live.each_local(index, |local| {
            self.locals[local] = self.enter_value(index, first, position, &mut parameters);
            position += 1;
        });
        self.nodes[index].block = self.body.blocks.len() as u32;
        self.nodes[index].parameters = parameters.into_bump_slice_mut();
        self.open_block(index as u32);
        Ok(())
    }

    /// To be called at the end: a loop header was entered before all edges into it were known.
    pub(super) fn check_loop_headers(&mut self) -> Result<()> {
        let flow = self.flow;
        for (index, node) in flow.nodes.iter().enumerate().filter(|(_, node)| node.is_loop_header) {
            self.pc = node.start;
            if let Some(first) = self.nodes[index].incoming {
                self.check_depths(index, self.edges[first as usize].arguments.length)?;
            }
        }
        Ok(())
    }

    fn check_depths(&self, node: usize, length: u32) -> Result<()> {
        let mut next = self.nodes[node].incoming;
        while let Some(edge) = next {
            let record = self.edges[edge as usize];
            if record.arguments.length != length {
                return invalid(self.pc, "stack depths differ");
            }
            next = record.next;
        }
        Ok(())
    }

    /// What stands at a position of the layout when the node is entered; `first` is an edge into it.
    #[inline(always)]
    fn enter_value(
        &mut self,
        node: usize,
        first: EdgeRecord,
        position: u32,
        parameters: &mut List<'b, (u32, Value)>,
    ) -> Value {
        match self.join(node, first, position) {
            Join::Same(value) => value,
            Join::Parameter(kind) => {
                let parameter = self.new_value(kind);
                parameters.push((position, parameter));
                parameter
            }
        }
    }

    #[inline(always)]
    fn join(&self, node: usize, first: EdgeRecord, position: u32) -> Join {
        let is_loop_header = self.flow.nodes[node].is_loop_header;
        if first.next.is_some() || is_loop_header {
            return self.join_all(node, position, is_loop_header);
        }
        match self.lists[(first.arguments.start + position) as usize] {
            marker::EXCEPTION => Join::Parameter(Kind::Ref),
            value => Join::Same(value),
        }
    }

    fn join_all(&self, node: usize, position: u32, is_loop_header: bool) -> Join {
        let mut next = self.nodes[node].incoming;
        let mut joined: Option<Value> = None;
        let mut differ = is_loop_header;
        let mut kind = None;
        while let Some(edge) = next {
            let record = self.edges[edge as usize];
            let value = self.lists[(record.arguments.start + position) as usize];
            if value == marker::UNUSABLE || value == marker::RETURN_ADDRESS {
                // Live return addresses agree on all edges, that is what nodes are for.
                return Join::Same(value);
            }
            let value_kind = self.kind_or_exception(value);
            if kind.is_some_and(|kind| kind != value_kind) {
                return Join::Same(marker::UNUSABLE);
            }
            kind = Some(value_kind);
            differ |= value == marker::EXCEPTION || joined.is_some_and(|joined| joined != value);
            joined = Some(value);
            next = record.next;
        }
        match (joined, kind) {
            (Some(value), _) if !differ => Join::Same(value),
            (_, Some(kind)) => Join::Parameter(kind),
            (_, None) => Join::Same(marker::UNUSABLE),
        }
    }

    pub(super) fn kind_or_exception(&self, value: Value) -> Kind {
        if value == marker::EXCEPTION { Kind::Ref } else { self.kinds[value.index()] }
    }

    fn open_block(&mut self, node: u32) {
        let n_handlers = self.body.handlers.len() as u32;
        self.open = OpenBlock {
            node,
            first_instruction: self.body.instructions.len() as u32,
            handlers: (n_handlers, n_handlers),
            throws: false,
            stale: false,
        };
    }

    pub(super) fn new_value(&mut self, kind: Kind) -> Value {
        let value = Value(self.kinds.len() as u32);
        self.kinds.push(kind);
        value
    }

    /// Appends an instruction without a result.
    pub(super) fn emit(&mut self, op: Op) -> Result<()> {
        self.append(op, None)
    }

    /// Appends an instruction and pushes its result.
    #[inline(always)]
    pub(super) fn emit_push(&mut self, op: Op, kind: Kind) -> Result<()> {
        let value = self.new_value(kind);
        self.stack.push(value);
        self.append(op, Some(value))
    }

    /// Inlined so that the operation is written where it belongs, not handed over through the stack.
    #[inline(always)]
    fn append(&mut self, op: Op, result: Option<Value>) -> Result<()> {
        if self.body.instructions.len() >= limit::INSTRUCTIONS {
            return Err(too_large("more than 500,000 instructions"));
        }
        self.body.instructions.push(Instruction { result, op, pc: self.pc as u16 });
        Ok(())
    }

    /// To be called before an instruction that can throw: fixes what the handlers get; cuts the block if that was fixed before and has
    /// changed since.
    pub(super) fn note_throw(&mut self) -> Result<()> {
        let flow = self.flow;
        let handlers = flow.nodes[self.open.node as usize].handlers;
        if handlers.is_empty() || self.open.throws && !self.open.stale {
            return Ok(());
        }
        if self.open.throws {
            let node = self.open.node;
            let next = BlockId(self.body.blocks.len() as u32 + 1);
            let edge = self.record_edge(Target::Block(next), ValueList::default());
            self.close(Terminator::Goto(edge))?;
            self.open_block(node);
        }
        for &(entry, target) in handlers {
            let start = self.lists.len() as u32;
            self.lists.push(marker::EXCEPTION);
            self.push_live_locals(target)?;
            let edge = self.edge_with(target, start);
            let catch_type = self.code.exception_table[entry as usize].catch_type;
            let catch_type: Option<Name> =
                catch_type.map(|utf8| self.class.constant_name(utf8, &self.program.names));
            self.body.handlers.push(Handler { catch_type, edge });
        }
        self.open.handlers.1 = self.body.handlers.len() as u32;
        self.open.throws = true;
        self.open.stale = false;
        Ok(())
    }

    /// Writes a local; wide values take the next one too.
    pub(super) fn store(&mut self, local: usize, value: Value) -> Result<()> {
        let slots =
            if value == marker::RETURN_ADDRESS { 1 } else { self.kind_or_exception(value).slots() };
        if local + slots > self.locals.len() {
            return invalid(self.pc, "local beyond max_locals");
        }
        self.locals[local] = value;
        if slots == 2 {
            self.locals[local + 1] = marker::UNUSABLE;
        }
        // The first half of a wide value is gone when its second half is overwritten.
        if let Some(before) = local.checked_sub(1) {
            let previous = self.locals[before];
            if !marker::is_marker(previous) && self.kinds[previous.index()].slots() == 2 {
                self.locals[before] = marker::UNUSABLE;
            }
        }
        if self.open.throws && !self.open.stale {
            let flow = self.flow;
            let handlers = flow.nodes[self.open.node as usize].handlers;
            let is_read = |&(_, target): &(u32, u32)| self.live.is_live(target as usize, local);
            self.open.stale = handlers.iter().any(is_read);
        }
        Ok(())
    }

    pub(super) fn close(&mut self, terminator: Terminator) -> Result<()> {
        if self.body.blocks.len() >= limit::BLOCKS {
            return Err(too_large("more than 100,000 blocks"));
        }
        self.check_memory()?;
        self.body.blocks.push(Block {
            parameters: ValueList::default(),
            instructions: (self.open.first_instruction, self.body.instructions.len() as u32),
            handlers: self.open.handlers,
            terminator,
            pc: self.pc as u16,
        });
        Ok(())
    }

    fn check_memory(&self) -> Result<()> {
        check_arena(self.arena)?;
        let bytes = self.arena.allocated_bytes()
            + self.lists.capacity() * size_of::<Value>()
            + self.edges.capacity() * size_of::<EdgeRecord>()
            + self.body.instructions.capacity() * size_of::<Instruction>()
            + self.body.handlers.capacity() * size_of::<Handler>();
        if bytes > limit::BYTES {
            return Err(too_large("too much memory"));
        }
        Ok(())
    }

    /// An edge to a node with the stack and the locals as they are now.
    pub(super) fn edge_to(&mut self, node: u32) -> Result<Edge> {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(&self.stack);
        self.push_live_locals(node)?;
        Ok(self.edge_with(node, start))
    }

    fn push_live_locals(&mut self, node: u32) -> Result<()> {
        let Builder { live, locals, lists, .. } = self;
        live.each_local(node as usize, |local| lists.push(locals[local]));
        if self.lists.len() > limit::LIST_VALUES {
            return Err(too_large("too many values live across blocks"));
        }
        if self.edges.len() >= limit::EDGES {
            return Err(too_large("more than 500,000 edges"));
        }
        Ok(())
    }

    /// The text of a string literal of this class.
    pub(super) fn literal(&self, literal: StringRef) -> Name {
        self.class.constant_name(literal.utf8, &self.program.names)
    }

    /// To be called with the length of each descriptor before it is read.
    pub(super) fn charge_descriptor(&mut self, length: usize) -> Result<()> {
        self.descriptor_bytes += length;
        if self.descriptor_bytes > limit::DESCRIPTOR_BYTES {
            return Err(too_large("too many too long descriptors"));
        }
        Ok(())
    }

    /// To be called with what a call site is to keep.
    pub(super) fn charge_call_site(&mut self, parts: usize) -> Result<()> {
        self.call_site_parts += parts;
        if self.call_site_parts > limit::CALL_SITE_PARTS {
            return Err(too_large("call sites of more than 500,000 parts"));
        }
        Ok(())
    }

    /// An edge whose arguments are the end of the lists, from `start`.
    fn edge_with(&mut self, node: u32, start: u32) -> Edge {
        let length = self.lists.len() as u32 - start;
        self.record_edge(Target::Node(node), ValueList { start, length })
    }

    fn record_edge(&mut self, target: Target, arguments: ValueList) -> Edge {
        let index = self.edges.len() as u32;
        let next = match target {
            Target::Node(node) => self.nodes[node as usize].incoming.replace(index),
            Target::Block(_) => None,
        };
        self.edges.push(EdgeRecord { target, arguments, next });
        Edge { target: BlockId(index), arguments: ValueList::default() }
    }

    /// Removes and keeps as a list the given number of values from the top of the stack.
    pub(super) fn pop_list(&mut self, count: usize) -> Result<ValueList> {
        let Some(rest) = self.stack.len().checked_sub(count) else {
            return invalid(self.pc, "stack underflow");
        };
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(&self.stack[rest..]);
        self.stack.truncate(rest);
        Ok(ValueList { start, length: count as u32 })
    }
}

enum Join {
    Same(Value),
    Parameter(Kind),
}
