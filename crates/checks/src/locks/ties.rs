//! Whether it is plain to see that two objects can have the same key: callers pass it to a constructor or
//! to a factory that takes what it is given.
//!
//! A factory that first asks what there is already (a set of names, a map of objects) may well see to it
//! that no key is given twice. That is not shown here, but it keeps a circle from being called possible.

use program::ir::{Block, BlockId, Body, Const, Dominators, Edge, Op, Terminator, Value};
use program::{FieldId, MethodId};
use rustc_hash::FxHashSet;

use super::context::Context;
use super::facts::What;
use super::unique::is_serial;

/// Callers of callers that are looked at.
const DEPTH: usize = 3;

/// Whether nothing seems to keep two objects from having the same value of the field.
pub(crate) fn may_be_given_twice(context: &Context<'_>, field: FieldId) -> bool {
    let program = context.universe.program;
    let (class, _) = program.field(field);
    if is_serial(context, field) {
        return context.fields.is_copied(field.class);
    }
    let constructors = class.methods().filter(|(_, it)| it.name == program.known.init);
    let mut sets = false;
    for (id, _) in constructors {
        let Ok(Some(body)) = program.lower(id) else { return true };
        for instruction in &body.instructions {
            let Op::PutField(reference, _, value) = instruction.op else { continue };
            let found =
                program.resolve_field(reference.class, reference.name, reference.descriptor);
            if found.found() != Some(field) {
                continue;
            }
            sets = true;
            if is_drawn(context, &body, value) {
                continue;
            }
            if !is_plain(&body, value) || is_free(context, id, DEPTH) {
                return true;
            }
        }
    }
    !sets
}

/// Whether the value is what the platform gives to whoever asks: a time, a random number.
fn is_drawn(context: &Context<'_>, body: &Body, value: Value) -> bool {
    let made = body.instructions.iter().find(|it| it.result == Some(value));
    let Some(Op::Invoke { method, arguments, .. }) = made.map(|it| it.op) else { return false };
    let class = context.universe.class(method.class);
    body.list(arguments).is_empty() && class.is_some_and(|it| context.universe.is_platform(it))
}

/// Whether callers can run the method with what they like, as often as they like.
fn is_free(context: &Context<'_>, method: MethodId, depth: usize) -> bool {
    let Some(index) = context.slice.index(method) else { return true };
    let (_, declared) = context.universe.program.method(method);
    let flags = declared.access_flags;
    let is_offered = flags.is_public() || flags.is_protected();
    if is_offered && context.entries[index] {
        return true;
    }
    let sites = call_sites(context, method);
    // What only the package can call, and nobody does, is there for others of the package.
    if sites.is_empty() {
        return !flags.is_private();
    }
    depth > 0
        && sites.iter().any(|&(caller, pc)| {
            is_unconditional(context, caller, pc) && is_free(context, caller, depth - 1)
        })
}

/// Where the method is called.
fn call_sites(context: &Context<'_>, method: MethodId) -> Vec<(MethodId, u16)> {
    let mut found = Vec::new();
    for (&caller, facts) in context.slice.methods.iter().zip(&context.slice.facts) {
        for event in &facts.events {
            match &event.what {
                What::Call(call) if call.targets.all().any(|it| it == method) => {
                    found.push((caller, event.pc));
                }
                What::Call(_)
                | What::Acquire(_)
                | What::Init(_)
                | What::Wait { .. }
                | What::Notify { .. }
                | What::Join(_)
                | What::Spawn(_) => {}
            }
        }
    }
    found
}

/// Whether nothing but the arguments decides if the method comes to this place.
fn is_unconditional(context: &Context<'_>, method: MethodId, pc: u16) -> bool {
    let Ok(Some(body)) = context.universe.program.lower(method) else { return false };
    let is_there = |block: &Block| body.instructions_of(block).iter().any(|it| it.pc == pc);
    let Some(target) = body.block_ids().find(|&id| is_there(body.block(id))) else { return false };
    let dominators = Dominators::new(&body);
    body.block_ids().filter(|&id| id != target && dominators.dominates(id, target)).all(|id| {
        match body.block(id).terminator {
            Terminator::If { condition, then, otherwise } => {
                let (left, right) = condition.operands();
                let is_asked =
                    [Some(left), right].into_iter().flatten().all(|it| is_plain(&body, it));
                is_asked
                    || reaches(&body, then, id, target) && reaches(&body, otherwise, id, target)
            }
            Terminator::Switch { value, .. } => is_plain(&body, value),
            Terminator::Goto(_) | Terminator::Return(_) | Terminator::Throw(_) => true,
        }
    })
}

/// Whether some way leads from the edge to the block, other than through `around`.
fn reaches(body: &Body, edge: Edge, around: BlockId, target: BlockId) -> bool {
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut queue = vec![edge.target];
    while let Some(id) = queue.pop() {
        if id == target {
            return true;
        }
        if id != around && seen.insert(id) {
            body.for_each_successor(body.block(id), |edge| queue.push(edge.target));
        }
    }
    false
}

/// Whether the value is made of arguments and constants alone.
fn is_plain(body: &Body, value: Value) -> bool {
    if body.parameters().any(|it| it == value) {
        return true;
    }
    let Some(made) = body.instructions.iter().find(|it| it.result == Some(value)) else {
        return false;
    };
    let all_plain = |op: Op| {
        let mut plain = true;
        op.for_each_operand(body, |operand| plain &= is_plain(body, operand));
        plain
    };
    match made.op {
        Op::Const(Const::Dynamic(..)) => false,
        Op::Const(_) => true,
        Op::Unary(..)
        | Op::Binary(..)
        | Op::ArrayLength(_)
        | Op::InstanceOf(..)
        | Op::CheckCast(..)
        | Op::Invoke { .. } => all_plain(made.op),
        Op::New(_)
        | Op::NewArray { .. }
        | Op::NewMultiArray { .. }
        | Op::ArrayLoad { .. }
        | Op::ArrayStore { .. }
        | Op::GetStatic(_)
        | Op::PutStatic(..)
        | Op::GetField(..)
        | Op::PutField(..)
        | Op::InvokeDynamic { .. }
        | Op::MonitorEnter(_)
        | Op::MonitorExit(_) => false,
    }
}
