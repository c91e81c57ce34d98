//! Calls of a method to itself that are the last thing it does, as jumps to its start.
//!
//! `return f(x)` becomes a turn of a loop, also where a boolean is asked for first (`e || f(x)`); so does
//! `return e + f(x)`, where what `e` gave is kept until the end: sums, products and bit operations of
//! integers may be put in any order. Both forms do the same to values and the heap, and throw the same, as
//! long as the stack suffices.

use super::{
    BinaryOp, Block, BlockId, Body, Compare, Condition, Const, Edge, Instruction, InvokeKind,
    MethodRef, Op, Terminator, Value, ValueList,
};
use crate::types::Kind;

/// The body with its calls to itself as jumps; nothing if some call cannot be one. `is_self` says whether
/// a call runs this very method, `is_boolean` whether it returns one.
pub fn turn_self_calls(
    body: &Body,
    is_boolean: bool,
    is_self: impl Fn(InvokeKind, MethodRef) -> bool,
) -> Option<Body> {
    let is_self = |op: &Op| match *op {
        Op::Invoke { kind, method, arguments } => {
            // Any other receiver may be null.
            let is_own = body.list(arguments).first().is_some_and(|&it| it == Value(0));
            (kind == InvokeKind::Static || is_own) && is_self(kind, method)
        }
        _ => false,
    };
    let n_calls = body.instructions.iter().filter(|it| is_self(&it.op)).count();
    let is_pure = !body.instructions.iter().any(|it| has_effect(&it.op) && !is_self(&it.op));
    let find = |block: &Block| last_call(body, block, (is_pure, is_boolean), &is_self);
    let calls: Vec<Option<LastCall>> = body.blocks.iter().map(find).collect();
    let n_last = calls.iter().flatten().count();
    if n_calls == 0 || n_last < n_calls || !body.list(body.blocks[0].parameters).is_empty() {
        return None;
    }
    let mut operators = calls.iter().flatten().filter_map(|call| call.kept.map(|(op, _)| op));
    let operator = operators.next();
    if operators.any(|op| Some(op) != operator) {
        return None;
    }
    Some(Turning::new(body, operator, changing(body, &calls)).rewrite(body, &calls))
}

/// The parameters that some call passes another value for.
fn changing(body: &Body, calls: &[Option<LastCall>]) -> Vec<Value> {
    let passes = |parameter: Value| {
        body.blocks.iter().zip(calls).any(|(block, call)| {
            let Some(call) = call else { return false };
            match body.instructions_of(block)[call.at].op {
                Op::Invoke { arguments, .. } => {
                    body.list(arguments).get(parameter.index()) != Some(&parameter)
                }
                _ => false,
            }
        })
    };
    body.parameters().filter(|&parameter| passes(parameter)).collect()
}

/// A call with which a block ends the method.
struct LastCall {
    /// The place of the call among the block's instructions.
    at: usize,
    /// Where the result is not returned as it is: how it is combined, and with what.
    kept: Option<(BinaryOp, Value)>,
}

fn has_effect(op: &Op) -> bool {
    match op {
        Op::Const(_)
        | Op::Unary(..)
        | Op::Binary(..)
        | Op::New(_)
        | Op::NewArray { .. }
        | Op::NewMultiArray { .. }
        | Op::ArrayLength(_)
        | Op::ArrayLoad { .. }
        | Op::GetField(..)
        | Op::CheckCast(..)
        | Op::InstanceOf(..) => false,
        Op::ArrayStore { .. }
        | Op::GetStatic(_)
        | Op::PutStatic(..)
        | Op::PutField(..)
        | Op::Invoke { .. }
        | Op::InvokeDynamic { .. }
        | Op::MonitorEnter(_)
        | Op::MonitorExit(_) => true,
    }
}

fn last_call(
    body: &Body,
    block: &Block,
    (is_pure, is_boolean): (bool, bool),
    is_self: &dyn Fn(&Op) -> bool,
) -> Option<LastCall> {
    let instructions = body.instructions_of(block);
    let at = instructions.iter().rposition(|it| is_self(&it.op))?;
    if !body.handlers_of(block).is_empty() {
        return None;
    }
    let (before, result) = (&instructions[..at], instructions[at].result);
    if is_boolean && at + 1 == instructions.len() && is_told(body, block, result?) {
        return Some(LastCall { at, kept: None });
    }
    let returned = returned(body, block)?;
    let Some((last, between)) = instructions[at + 1..].split_last() else {
        return (returned == result).then_some(LastCall { at, kept: None });
    };
    // What stands between must be the same before the call, and must not throw there.
    let may_move = |it: &Instruction| match it.op {
        Op::Const(_) => true,
        Op::GetField(_, object) => {
            let is_read = |it: &Instruction| matches!(it.op, Op::GetField(_, o) if o == object);
            is_pure && before.iter().any(is_read)
        }
        _ => false,
    };
    let Op::Binary(op, one, two) = last.op else { return None };
    let kept = if Some(one) == result { two } else { one };
    let is_combined = (Some(one) == result) != (Some(two) == result) && returned == last.result;
    let is_exchangeable = is_combined && identity(op).is_some() && between.iter().all(may_move);
    is_exchangeable.then_some(LastCall { at, kept: Some((op, kept)) })
}

/// Whether a block asks for a boolean, to return true where it is and false where it is not.
fn is_told(body: &Body, block: &Block, asked: Value) -> bool {
    let Terminator::If { condition, then, otherwise } = block.terminator else { return false };
    let (yes, no) = match condition {
        Condition::IntToZero(Compare::NotEqual, value) if value == asked => (then, otherwise),
        Condition::IntToZero(Compare::Equal, value) if value == asked => (otherwise, then),
        _ => return false,
    };
    returned_constant(body, yes) == Some(1) && returned_constant(body, no) == Some(0)
}

/// The constant that a way returns which does nothing else.
fn returned_constant(body: &Body, way: Edge) -> Option<i32> {
    let constant = |value: Value| {
        let made = body.instructions.iter().find(|it| it.result == Some(value))?;
        match made.op {
            Op::Const(Const::Int(constant)) => Some(constant),
            _ => None,
        }
    };
    let target = body.block(way.target);
    let is_constant = |it: &Instruction| matches!(it.op, Op::Const(_));
    if !body.instructions_of(target).iter().all(is_constant) {
        return None;
    }
    let passed = |value: Value| {
        let at = body.list(target.parameters).iter().position(|&it| it == value);
        at.map_or(value, |at| body.list(way.arguments)[at])
    };
    match target.terminator {
        Terminator::Return(Some(value)) => constant(passed(value)),
        Terminator::Goto(_) => {
            let value = returned(body, target)??;
            constant(passed(value))
        }
        _ => None,
    }
}

/// What the block returns, itself or through one that does nothing else.
fn returned(body: &Body, block: &Block) -> Option<Option<Value>> {
    match block.terminator {
        Terminator::Return(value) => Some(value),
        Terminator::Goto(edge) => {
            let target = body.block(edge.target);
            let Terminator::Return(value) = target.terminator else { return None };
            if !body.instructions_of(target).is_empty() {
                return None;
            }
            let parameters = body.list(target.parameters);
            let passed = |value: Value| {
                let at = parameters.iter().position(|&it| it == value);
                at.map_or(value, |at| body.list(edge.arguments)[at])
            };
            Some(value.map(passed))
        }
        Terminator::If { .. } | Terminator::Switch { .. } | Terminator::Throw(_) => None,
    }
}

/// What changes nothing, of operators whose operands may be put in any order.
fn identity(op: BinaryOp) -> Option<Const> {
    let of = |kind: Kind, value: i64| match kind {
        Kind::Int => Some(Const::Int(value as i32)),
        Kind::Long => Some(Const::Long(value)),
        Kind::Float | Kind::Double | Kind::Ref => None,
    };
    match op {
        BinaryOp::Add(kind) | BinaryOp::Or(kind) | BinaryOp::Xor(kind) => of(kind, 0),
        BinaryOp::Mul(kind) => of(kind, 1),
        BinaryOp::And(kind) => of(kind, -1),
        BinaryOp::Sub(_)
        | BinaryOp::Div(_)
        | BinaryOp::Rem(_)
        | BinaryOp::Shl(_)
        | BinaryOp::Shr(_)
        | BinaryOp::Ushr(_)
        | BinaryOp::CompareLong
        | BinaryOp::CompareLess(_)
        | BinaryOp::CompareGreater(_) => None,
    }
}

/// Block 0 only jumps to what was block 0, which has the parameters that change for its own now, and what
/// is kept.
struct Turning {
    new: Body,
    /// Parameters of the method that change, and how the header calls them.
    changing: Vec<(Value, Value)>,
    kept: Option<(BinaryOp, Value)>,
}

const HEADER: BlockId = BlockId(1);

impl Turning {
    fn new(body: &Body, operator: Option<BinaryOp>, changing: Vec<Value>) -> Turning {
        let mut new = body.clone();
        (new.blocks, new.instructions) = (Vec::new(), Vec::new());
        let edges = new.handlers.iter_mut().map(|handler| &mut handler.edge);
        for edge in edges.chain(new.cases.iter_mut().map(|(_, edge)| edge)) {
            edge.target.0 += 1;
        }
        let mut turning = Turning { new, changing: Vec::new(), kept: None };
        for value in changing {
            let own = turning.value(body.kind(value));
            turning.changing.push((value, own));
        }
        for at in 0..turning.new.lists.len() {
            turning.new.lists[at] = turning.own(turning.new.lists[at]);
        }
        turning.kept = operator.map(|op| (op, turning.value(op.result_kind())));
        turning
    }

    /// A parameter of the method, as the header calls it.
    fn own(&self, value: Value) -> Value {
        let known = self.changing.iter().find(|(changing, _)| *changing == value);
        known.map_or(value, |&(_, own)| own)
    }

    fn value(&mut self, kind: Kind) -> Value {
        self.new.kinds.push(kind);
        Value(self.new.kinds.len() as u32 - 1)
    }

    fn list(&mut self, values: Vec<Value>) -> ValueList {
        let (start, length) = (self.new.lists.len() as u32, values.len() as u32);
        self.new.lists.extend(values);
        ValueList { start, length }
    }

    fn push(&mut self, kind: Kind, op: Op, pc: u16) -> Value {
        let result = self.value(kind);
        self.new.instructions.push(Instruction { result: Some(result), op, pc });
        result
    }

    fn rewrite(mut self, body: &Body, calls: &[Option<LastCall>]) -> Body {
        let mut arguments: Vec<Value> = self.changing.iter().map(|&(value, _)| value).collect();
        if let Some((op, _)) = self.kept
            && let Some(identity) = identity(op)
        {
            arguments.push(self.push(op.result_kind(), Op::Const(identity), 0));
        }
        let terminator = Terminator::Goto(Edge { target: HEADER, arguments: self.list(arguments) });
        let end = self.new.instructions.len() as u32;
        let (parameters, handlers) = (ValueList::default(), (0, 0));
        self.new.blocks.push(Block {
            parameters,
            instructions: (0, end),
            handlers,
            terminator,
            pc: 0,
        });
        for (block, call) in body.blocks.iter().zip(calls) {
            self.rewrite_block(body, block, call.as_ref());
        }
        let mut parameters: Vec<Value> = self.changing.iter().map(|&(_, own)| own).collect();
        parameters.extend(self.kept.map(|(_, kept)| kept));
        self.new.blocks[HEADER.index()].parameters = self.list(parameters);
        self.new
    }

    fn rewrite_block(&mut self, body: &Body, block: &Block, call: Option<&LastCall>) {
        let start = self.new.instructions.len() as u32;
        for (at, instruction) in body.instructions_of(block).iter().enumerate() {
            // The call is the jump, and what combines its result with what is kept comes before.
            let is_last = call.is_some_and(|it| it.kept.is_some())
                && at + 1 == body.instructions_of(block).len();
            if call.is_some_and(|call| call.at == at) || is_last {
                continue;
            }
            let mut instruction = *instruction;
            instruction.op.visit_values(|value| *value = self.own(*value));
            self.new.instructions.push(instruction);
        }
        let terminator = match call {
            Some(call) => self.jump(body, block, call),
            None => self.terminator(block),
        };
        let instructions = (start, self.new.instructions.len() as u32);
        self.new.blocks.push(Block { instructions, terminator, ..*block });
    }

    fn jump(&mut self, body: &Body, block: &Block, call: &LastCall) -> Terminator {
        let mut arguments = Vec::new();
        if let Op::Invoke { arguments: list, .. } = body.instructions_of(block)[call.at].op {
            let passed = body.list(list);
            let passed = self.changing.iter().map(|&(value, _)| self.own(passed[value.index()]));
            arguments.extend(passed);
        }
        if let Some((op, kept)) = self.kept {
            let more = call.kept.map(|(_, value)| self.own(value));
            let all =
                more.map(|more| self.push(op.result_kind(), Op::Binary(op, kept, more), block.pc));
            arguments.push(all.unwrap_or(kept));
        }
        Terminator::Goto(Edge { target: HEADER, arguments: self.list(arguments) })
    }

    fn terminator(&mut self, block: &Block) -> Terminator {
        let mut terminator = block.terminator;
        match &mut terminator {
            Terminator::Goto(edge) => edge.target.0 += 1,
            Terminator::If { condition, then, otherwise } => {
                condition.visit_values(|value| *value = self.own(*value));
                then.target.0 += 1;
                otherwise.target.0 += 1;
            }
            Terminator::Switch { value, default, .. } => {
                *value = self.own(*value);
                default.target.0 += 1;
            }
            Terminator::Return(Some(value)) => {
                *value = self.own(*value);
                if let Some((op, kept)) = self.kept {
                    let all = Op::Binary(op, kept, *value);
                    *value = self.push(op.result_kind(), all, block.pc);
                }
            }
            Terminator::Return(None) => {}
            Terminator::Throw(value) => *value = self.own(*value),
        }
        terminator
    }
}
