//! Checks that a body is what the other modules rely on.
//!
//! 1. Every value is defined exactly once, and on every way to each of its uses.
//! 2. Operands, arguments and results have the kinds that the operation or the target asks for.
//! 3. An edge has one argument per parameter of its target; an exception edge one less, and the
//!    parameter that it leaves out, the first, is a reference.
//! 4. What goes along an exception edge is defined before anything in the block can throw.
//! 5. Nothing jumps to block 0, which has no parameters; every other block is reachable.
//! 6. Blocks are in reverse postorder: each but the first has a predecessor before it.
//! 7. Switch keys ascend; a block has handlers only if it can throw.

use std::fmt;

use super::dominators::Dominators;
use super::{BlockId, Body, CallSite, Const, Edge, Instruction, Op, Terminator, Value};
use crate::names::Names;
use crate::types::{Kind, field_kind, method_kinds};

/// The first broken invariant, in words.
pub fn verify_body(body: &Body, names: &Names) -> Result<(), String> {
    check_body(body, names).map_err(String::from)
}

/// Hardly anything is ever wrong: the words are made apart, and the usual answer fits into registers.
type Checked<T = ()> = Result<T, Box<str>>;

#[cold]
fn broken<T>(what: fmt::Arguments<'_>) -> Checked<T> {
    Err(what.to_string().into())
}

fn check_body(body: &Body, names: &Names) -> Checked {
    let definitions = Definitions::new(body)?;
    // Of one block there is nothing to ask.
    let dominators = (body.blocks.len() > 1).then(|| Dominators::new(body));
    let verifier = Verifier { body, names, definitions, dominators };
    for block in body.block_ids() {
        verifier.check_block(block).or_else(|what| broken(format_args!("{block}: {what}")))?;
    }
    Ok(())
}

/// Where each value is defined: the block, and the position in it.
struct Definitions {
    places: Vec<(BlockId, Position)>,
}

/// Parameters come before instruction 0, the terminator after all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Position(u32);

impl Position {
    const PARAMETER: Position = Position(0);
    const TERMINATOR: Position = Position(u32::MAX - 1);
    const NOWHERE: Position = Position(u32::MAX);

    fn instruction(index: usize) -> Position {
        Position(index as u32 + 1)
    }
}

impl Definitions {
    fn new(body: &Body) -> Checked<Definitions> {
        let nowhere = (BlockId::ENTRY, Position::NOWHERE);
        let mut definitions = Definitions { places: vec![nowhere; body.kinds.len()] };
        for value in body.parameters() {
            definitions.define(value, BlockId::ENTRY, Position::PARAMETER)?;
        }
        for id in body.block_ids() {
            let block = body.block(id);
            for &value in body.list(block.parameters) {
                definitions.define(value, id, Position::PARAMETER)?;
            }
            for (index, instruction) in body.instructions_of(block).iter().enumerate() {
                if let Some(value) = instruction.result {
                    definitions.define(value, id, Position::instruction(index))?;
                }
            }
        }
        match definitions.places.iter().position(|&place| place == nowhere) {
            Some(value) => broken(format_args!("v{value} is never defined")),
            None => Ok(definitions),
        }
    }

    fn define(&mut self, value: Value, block: BlockId, at: Position) -> Checked {
        match self.places.get_mut(value.index()) {
            Some(place) if place.1 == Position::NOWHERE => {
                *place = (block, at);
                Ok(())
            }
            Some(_) => broken(format_args!("{value} is defined twice")),
            None => broken(format_args!("{value} does not exist")),
        }
    }
}

struct Verifier<'b> {
    body: &'b Body,
    names: &'b Names,
    definitions: Definitions,
    dominators: Option<Dominators>,
}

impl Verifier<'_> {
    fn check_block(&self, id: BlockId) -> Checked {
        let body = self.body;
        let block = body.block(id);
        if self.dominators.as_ref().is_some_and(|d| id.index() > 0 && d.immediate(id).is_none()) {
            return broken(format_args!("no block before it leads here"));
        }
        if id.index() == 0 && block.parameters.length > 0 {
            return broken(format_args!("the entry has parameters"));
        }
        for (index, instruction) in body.instructions_of(block).iter().enumerate() {
            self.check_instruction(instruction, id, Position::instruction(index))
                .or_else(|what| broken(format_args!("pc {}: {what}", instruction.pc)))?;
        }
        self.check_terminator(id)?;
        let handlers = body.handlers_of(block);
        if handlers.is_empty() {
            return Ok(());
        }
        let first_throw = body.instructions_of(block).iter().position(|i| i.op.can_throw());
        let end_throws = matches!(block.terminator, Terminator::Throw(_));
        let first_throw =
            first_throw.map(Position::instruction).or(end_throws.then_some(Position::TERMINATOR));
        for handler in handlers {
            // `ldc` of a plain constant counts as throwing in lowering, but not here.
            let at = first_throw.unwrap_or(Position::PARAMETER);
            self.check_edge(handler.edge, id, at, 1)?;
        }
        Ok(())
    }

    /// `skipped` parameters of the target are given by other means.
    fn check_edge(&self, edge: Edge, from: BlockId, at: Position, skipped: usize) -> Checked {
        let body = self.body;
        let Some(target) = body.blocks.get(edge.target.index()) else {
            return broken(format_args!("{} does not exist", edge.target));
        };
        if edge.target.index() == 0 {
            return broken(format_args!("something jumps to the entry"));
        }
        let parameters = body.list(target.parameters);
        let Some((given, rest)) = parameters.split_at_checked(skipped) else {
            return broken(format_args!("{} takes no exception", edge.target));
        };
        if given.iter().any(|&exception| body.kind(exception) != Kind::Ref) {
            return broken(format_args!("{} takes an exception that is no reference", edge.target));
        }
        let arguments = body.list(edge.arguments);
        if arguments.len() != rest.len() {
            return broken(format_args!("wrong number of arguments for {}", edge.target));
        }
        for (&argument, &parameter) in arguments.iter().zip(rest) {
            self.check_use(argument, body.kind(parameter), from, at)?;
        }
        Ok(())
    }

    fn check_use(&self, value: Value, kind: Kind, block: BlockId, at: Position) -> Checked {
        let Some(&(defined_in, defined_at)) = self.definitions.places.get(value.index()) else {
            return broken(format_args!("{value} does not exist"));
        };
        if self.body.kind(value) != kind {
            return broken(format_args!("{value} is no {}", kind.keyword()));
        }
        let is_before = if defined_in == block {
            defined_at < at || defined_at == Position::PARAMETER
        } else {
            self.dominators.as_ref().is_some_and(|d| d.dominates(defined_in, block))
        };
        if is_before {
            Ok(())
        } else {
            broken(format_args!("{value} is used before it is defined"))
        }
    }

    fn check_terminator(&self, id: BlockId) -> Checked {
        let at = Position::TERMINATOR;
        match self.body.block(id).terminator {
            Terminator::Goto(edge) => self.check_edge(edge, id, at, 0),
            Terminator::If { condition, then, otherwise } => {
                let (left, right) = condition.operands();
                for value in [Some(left), right].into_iter().flatten() {
                    self.check_use(value, condition.operand_kind(), id, at)?;
                }
                self.check_edge(then, id, at, 0)?;
                self.check_edge(otherwise, id, at, 0)
            }
            Terminator::Switch { value, cases, default } => {
                self.check_use(value, Kind::Int, id, at)?;
                let cases = self.body.cases(cases);
                if !cases.is_sorted_by(|(a, _), (b, _)| a < b) {
                    return broken(format_args!("switch keys do not ascend"));
                }
                // Many keys may share one edge; check it once.
                let mut edges: Vec<Edge> = cases.iter().map(|&(_, edge)| edge).collect();
                edges.push(default);
                edges.dedup();
                edges.into_iter().try_for_each(|edge| self.check_edge(edge, id, at, 0))
            }
            Terminator::Return(None) => Ok(()),
            Terminator::Return(Some(value)) => self.check_use(value, self.body.kind(value), id, at),
            Terminator::Throw(value) => self.check_use(value, Kind::Ref, id, at),
        }
    }

    fn check_instruction(&self, instruction: &Instruction, id: BlockId, at: Position) -> Checked {
        let is_used = |value, kind| self.check_use(value, kind, id, at);
        let result = match instruction.op {
            Op::Const(constant) => {
                self.check_const(constant)?;
                Some(constant.kind())
            }
            Op::Unary(op, value) => {
                is_used(value, op.operand_kind())?;
                Some(op.result_kind())
            }
            Op::Binary(op, left, right) => {
                let (left_kind, right_kind) = op.operand_kinds();
                is_used(left, left_kind)?;
                is_used(right, right_kind)?;
                Some(op.result_kind())
            }
            Op::New(_) => Some(Kind::Ref),
            Op::NewArray { length, .. } => {
                is_used(length, Kind::Int)?;
                Some(Kind::Ref)
            }
            Op::NewMultiArray { array, lengths } => {
                if lengths.length == 0 || lengths.length > u32::from(array.dimensions) {
                    return broken(format_args!("wrong number of array lengths"));
                }
                self.body
                    .list(lengths)
                    .iter()
                    .try_for_each(|&length| is_used(length, Kind::Int))?;
                Some(Kind::Ref)
            }
            Op::ArrayLength(array) => {
                is_used(array, Kind::Ref)?;
                Some(Kind::Int)
            }
            Op::ArrayLoad { kind, array, index } => {
                is_used(array, Kind::Ref)?;
                is_used(index, Kind::Int)?;
                Some(kind.kind())
            }
            Op::ArrayStore { kind, array, index, value } => {
                is_used(array, Kind::Ref)?;
                is_used(index, Kind::Int)?;
                is_used(value, kind.kind())?;
                None
            }
            Op::GetStatic(field) => Some(field_kind(self.names.bytes(field.descriptor))),
            Op::PutStatic(field, value) => {
                is_used(value, field_kind(self.names.bytes(field.descriptor)))?;
                None
            }
            Op::GetField(field, object) => {
                is_used(object, Kind::Ref)?;
                Some(field_kind(self.names.bytes(field.descriptor)))
            }
            Op::PutField(field, object, value) => {
                is_used(object, Kind::Ref)?;
                is_used(value, field_kind(self.names.bytes(field.descriptor)))?;
                None
            }
            Op::Invoke { kind, method, arguments } => {
                let receiver = (kind != super::InvokeKind::Static).then_some(Kind::Ref);
                let arguments = self.body.list(arguments);
                self.check_call(self.names.bytes(method.descriptor), receiver, arguments, is_used)?
            }
            Op::InvokeDynamic { call_site, arguments } => {
                self.call_site(call_site)?;
                self.body
                    .list(arguments)
                    .iter()
                    .try_for_each(|&v| is_used(v, self.body.kind(v)))?;
                instruction.result.map(|result| self.body.kind(result))
            }
            Op::CheckCast(_, value) => {
                is_used(value, Kind::Ref)?;
                Some(Kind::Ref)
            }
            Op::InstanceOf(_, value) => {
                is_used(value, Kind::Ref)?;
                Some(Kind::Int)
            }
            Op::MonitorEnter(object) | Op::MonitorExit(object) => {
                is_used(object, Kind::Ref)?;
                None
            }
        };
        if result == instruction.result.map(|value| self.body.kind(value)) {
            Ok(())
        } else {
            broken(format_args!("result of the wrong kind"))
        }
    }

    fn check_call(
        &self,
        descriptor: &[u8],
        receiver: Option<Kind>,
        arguments: &[Value],
        is_used: impl Fn(Value, Kind) -> Checked,
    ) -> Checked<Option<Kind>> {
        let mut given = arguments.iter();
        let mut checked = Ok(());
        let mut check_next = |kind| {
            if checked.is_ok() {
                checked = match given.next() {
                    Some(&argument) => is_used(argument, kind),
                    None => broken(format_args!("too few arguments")),
                };
            }
        };
        receiver.into_iter().for_each(&mut check_next);
        let result = method_kinds(descriptor, check_next).ok_or("malformed descriptor")?;
        checked?;
        match given.next() {
            Some(_) => broken(format_args!("too many arguments")),
            None => Ok(result),
        }
    }

    fn check_const(&self, constant: Const) -> Checked {
        match constant {
            Const::Dynamic(call_site, _) => self.call_site(call_site).map(|_| ()),
            Const::Null
            | Const::Int(_)
            | Const::Long(_)
            | Const::Float(_)
            | Const::Double(_)
            | Const::String(_)
            | Const::Class(_)
            | Const::MethodType(_) => Ok(()),
        }
    }

    fn call_site(&self, index: u32) -> Checked<&CallSite> {
        self.body
            .call_sites
            .get(index as usize)
            .ok_or_else(|| "call site that does not exist".into())
    }
}
