//! Which objects that a body allocates others may see while it runs.
//!
//! An object that only this frame knows cannot be locked by another thread. Calling a method on an
//! object is taken not to publish it; handing it to anybody else is, except to the constructor of
//! another object that stays here as well.

use program::Kind;
use program::ir::{Body, FieldRef, InvokeKind, Op, Value};
use rustc_hash::FxHashMap;

/// The pcs of the allocations that escape, ascending.
pub(crate) fn escaping_allocations(body: &Body) -> Vec<u16> {
    let mut allocations: FxHashMap<Value, u16> = FxHashMap::default();
    for instruction in &body.instructions {
        let allocates = matches!(
            instruction.op,
            Op::New(_) | Op::NewArray { .. } | Op::NewMultiArray { .. } | Op::InvokeDynamic { .. }
        );
        if let (true, Some(result)) = (allocates, instruction.result) {
            allocations.insert(result, instruction.pc);
        }
    }
    if allocations.is_empty() {
        return Vec::new();
    }
    let mut escaping: Vec<Value> = Vec::new();
    // What is inside an object escapes with it.
    let mut inside: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for instruction in &body.instructions {
        note_uses(body, &instruction.op, |value, holder| match holder {
            Some(holder) if allocations.contains_key(&holder) => {
                inside.entry(holder).or_default().push(value);
            }
            Some(_) | None => escaping.push(value),
        });
    }
    for block in &body.blocks {
        body.for_each_successor(block, |edge| escaping.extend(body.list(edge.arguments)));
        for handler in body.handlers_of(block) {
            escaping.extend(body.list(handler.edge.arguments));
        }
        // What is returned or thrown is on its way through this thread, and the body is done with it.
    }
    let mut seen = vec![false; body.kinds.len()];
    while let Some(value) = escaping.pop() {
        if body.kind(value) == Kind::Ref && !std::mem::replace(&mut seen[value.index()], true) {
            escaping.extend(inside.get(&value).into_iter().flatten());
        }
    }
    let mut found: Vec<u16> = Vec::new();
    for instruction in &body.instructions {
        if let Some(result) = instruction.result
            && seen[result.index()]
            && let Some(&pc) = allocations.get(&result)
        {
            found.push(pc);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the body hands on its first parameter other than by calling it. What it puts into a hidden field
/// of itself stays there.
pub(crate) fn hands_on_receiver(body: &Body, is_hidden: impl Fn(&FieldRef) -> bool) -> bool {
    let Some(receiver) = body.parameters().next() else { return false };
    let mut is_handed_on = false;
    for instruction in &body.instructions {
        if let Op::PutField(field, object, value) = &instruction.op
            && (*object, *value) == (receiver, receiver)
            && is_hidden(field)
        {
            continue;
        }
        note_uses(body, &instruction.op, |value, _| is_handed_on |= value == receiver);
        // The same object under another name, of which the above is not asked.
        is_handed_on |= matches!(&instruction.op, Op::CheckCast(_, value) if *value == receiver);
    }
    for block in &body.blocks {
        body.for_each_successor(block, |edge| {
            is_handed_on |= body.list(edge.arguments).contains(&receiver);
        });
        for handler in body.handlers_of(block) {
            is_handed_on |= body.list(handler.edge.arguments).contains(&receiver);
        }
    }
    is_handed_on
}

/// Calls `give` on every value that the operation hands on, with the object that it then is in, if
/// there is one.
pub(super) fn note_uses(body: &Body, op: &Op, mut give: impl FnMut(Value, Option<Value>)) {
    match op {
        Op::PutStatic(_, value) => give(*value, None),
        Op::PutField(_, object, value) | Op::ArrayStore { array: object, value, .. } => {
            give(*value, Some(*object));
        }
        Op::Invoke { kind, arguments, .. } => match (kind, body.list(*arguments)) {
            (InvokeKind::Special, [receiver, others @ ..]) => {
                others.iter().for_each(|&value| give(value, Some(*receiver)));
            }
            (InvokeKind::Virtual | InvokeKind::Interface, [_, others @ ..]) => {
                others.iter().for_each(|&value| give(value, None));
            }
            (InvokeKind::Static, all) => all.iter().for_each(|&value| give(value, None)),
            (InvokeKind::Special | InvokeKind::Virtual | InvokeKind::Interface, []) => {}
        },
        Op::InvokeDynamic { arguments, .. } => {
            body.list(*arguments).iter().for_each(|&value| give(value, None));
        }
        Op::Const(_)
        | Op::Unary(..)
        | Op::Binary(..)
        | Op::New(_)
        | Op::NewArray { .. }
        | Op::NewMultiArray { .. }
        | Op::ArrayLength(_)
        | Op::ArrayLoad { .. }
        | Op::GetStatic(_)
        | Op::GetField(..)
        | Op::CheckCast(..)
        | Op::InstanceOf(..)
        | Op::MonitorEnter(_)
        | Op::MonitorExit(_) => {}
    }
}
