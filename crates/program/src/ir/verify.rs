//! Checks that a body is what the other modules rely on.
//!
//! 1. Values are defined in the order of their numbers, each once, and on every way to its uses.
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
    // Of one block there is nothing to ask.
    let dominators = (body.blocks.len() > 1).then(|| Dominators::new(body));
    let firsts = Vec::with_capacity(body.blocks.len());
    let mut verifier = Verifier { body, names, dominators, firsts, defined: 0 };
    for block in body.block_ids() {
        verifier.check_block(block).or_else(|what| broken(format_args!("{block}: {what}")))?;
    }
    if verifier.defined as usize == body.kinds.len() {
        Ok(())
    } else {
        broken(format_args!("v{} is never defined", verifier.defined))
    }
}

struct Verifier<'b> {
    body: &'b Body,
    names: &'b Names,
    dominators: Option<Dominators>,
    /// For each block up to this one, its first value if it has any.
    firsts: Vec<u32>,
    /// Where this walk over the blocks has come to: these first values are defined.
    defined: u32,
}

impl Verifier<'_> {
    fn define(&mut self, value: Value) -> Checked {
        if value.0 != self.defined {
            return broken(format_args!("{value} is defined out of turn"));
        }
        if value.index() >= self.body.kinds.len() {
            return broken(format_args!("{value} does not exist"));
        }
        self.defined += 1;
        Ok(())
    }

    fn check_block(&mut self, id: BlockId) -> Checked {
        let body = self.body;
        let block = body.block(id);
        if self.dominators.as_ref().is_some_and(|d| id.index() > 0 && d.immediate(id).is_none()) {
            return broken(format_args!("no block before it leads here"));
        }
        self.firsts.push(self.defined);
        if id == BlockId::ENTRY {
            body.parameters().try_for_each(|value| self.define(value))?;
            if block.parameters.length > 0 {
                return broken(format_args!("the entry has parameters"));
            }
        }
        body.list(block.parameters).iter().try_for_each(|&value| self.define(value))?;
        // `ldc` of a plain constant counts as throwing in lowering, but not here.
        let before_all = self.defined;
        let mut before_throw = None;
        for instruction in body.instructions_of(block) {
            if before_throw.is_none() && instruction.op.can_throw() {
                before_throw = Some(self.defined);
            }
            self.check_instruction(instruction, id)
                .and_then(|()| instruction.result.map_or(Ok(()), |value| self.define(value)))
                .or_else(|what| broken(format_args!("pc {}: {what}", instruction.pc)))?;
        }
        self.check_terminator(id)?;
        let at_end = matches!(block.terminator, Terminator::Throw(_)).then_some(self.defined);
        let before_throw = before_throw.or(at_end).unwrap_or(before_all);
        for handler in body.handlers_of(block) {
            let passed = body.list(handler.edge.arguments);
            if let Some(late) = passed.iter().find(|value| value.0 >= before_throw) {
                return broken(format_args!("{late} is passed to a handler before it is defined"));
            }
            self.check_edge(handler.edge, id, 1)?;
        }
        Ok(())
    }

    /// `skipped` parameters of the target are given by other means.
    fn check_edge(&self, edge: Edge, from: BlockId, skipped: usize) -> Checked {
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
            self.check_use(argument, body.kind(parameter), from)?;
        }
        Ok(())
    }

    fn check_use(&self, value: Value, kind: Kind, block: BlockId) -> Checked {
        let is_defined = value.0 < self.defined
            && (value.0 >= self.firsts[block.index()] || self.is_above(value, block));
        if !is_defined {
            return broken(format_args!("{value} is used before it is defined"));
        }
        if self.body.kind(value) != kind {
            return broken(format_args!("{value} is no {}", kind.keyword()));
        }
        Ok(())
    }

    /// Whether the block that defines a value, one before `block`, dominates it.
    fn is_above(&self, value: Value, block: BlockId) -> bool {
        let behind = self.firsts.partition_point(|&first| first <= value.0);
        let defined_in = BlockId(behind.saturating_sub(1) as u32);
        self.dominators.as_ref().is_some_and(|d| d.dominates(defined_in, block))
    }

    fn check_terminator(&self, id: BlockId) -> Checked {
        match self.body.block(id).terminator {
            Terminator::Goto(edge) => self.check_edge(edge, id, 0),
            Terminator::If { condition, then, otherwise } => {
                let (left, right) = condition.operands();
                for value in [Some(left), right].into_iter().flatten() {
                    self.check_use(value, condition.operand_kind(), id)?;
                }
                self.check_edge(then, id, 0)?;
                self.check_edge(otherwise, id, 0)
            }
            Terminator::Switch { value, cases, default } => {
                self.check_use(value, Kind::Int, id)?;
                let cases = self.body.cases(cases);
                if !cases.is_sorted_by(|(a, _), (b, _)| a < b) {
                    return broken(format_args!("switch keys do not ascend"));
                }
                // Many keys may share one edge; check it once.
                let mut edges: Vec<Edge> = cases.iter().map(|&(_, edge)| edge).collect();
                edges.push(default);
                edges.dedup();
                edges.into_iter().try_for_each(|edge| self.check_edge(edge, id, 0))
            }
            Terminator::Return(None) => Ok(()),
            Terminator::Return(Some(value)) => self.check_use(value, self.body.kind(value), id),
            Terminator::Throw(value) => self.check_use(value, Kind::Ref, id),
        }
    }

    fn check_instruction(&self, instruction: &Instruction, id: BlockId) -> Checked {
        let is_used = |value, kind| self.check_use(value, kind, id);
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
