//! Whether others may see an object before a field of it is set: then even a final field has two values.

use program::ir::{BlockId, Body, Dominators, Op, Value};
use program::{FieldId, MethodId, Program, Role};

/// Constructors of superclasses are followed this far.
const MOST_ABOVE: usize = 8;

/// Whether the method, a constructor or one of these helpers of it, keeps its object to itself until it sets
/// the field, if it does.
pub(super) fn is_set_first(
    program: &Program,
    method: MethodId,
    field: FieldId,
    helpers: &[MethodId],
) -> bool {
    let Ok(Some(body)) = program.lower(method) else { return false };
    let stores = positions(&body, |op| match op {
        Op::PutField(to, ..) => {
            program.resolve_field(to.class, to.name, to.descriptor).found() == Some(field)
        }
        op => is_helped(program, &body, op, helpers),
    });
    stores.is_empty() || !leaks_before(program, &body, &stores, helpers, MOST_ABOVE)
}

/// A call of one of the helpers, which only constructors call, on their own object, and which do not get it
/// a second time.
fn is_helped(program: &Program, body: &Body, op: Op, helpers: &[MethodId]) -> bool {
    let Op::Invoke { method, arguments, .. } = op else { return false };
    let [this, others @ ..] = body.list(arguments) else { return false };
    if others.contains(this) {
        return false;
    }
    let found = program.resolve_method(method.class, method.name, method.descriptor).found();
    found.is_some_and(|found| helpers.contains(&found))
}

type Position = (BlockId, usize);

fn positions(body: &Body, is_one: impl Fn(Op) -> bool) -> Vec<Position> {
    let in_block = |id: BlockId| {
        let numbered = body.instructions_of(body.block(id)).iter().enumerate();
        numbered.filter(|(_, it)| is_one(it.op)).map(move |(at, _)| (id, at)).collect::<Vec<_>>()
    };
    body.block_ids().flat_map(in_block).collect()
}

/// Whether the object gets out of sight at a place that is not behind one of these.
fn leaks_before(
    program: &Program,
    body: &Body,
    stores: &[Position],
    helpers: &[MethodId],
    above: usize,
) -> bool {
    let Some(this) = body.parameters().next() else { return true };
    let dominators = Dominators::new(body);
    let is_behind = |(block, at): Position| {
        stores.iter().any(|&(store, first)| {
            (store == block && first < at) || (store != block && dominators.dominates(store, block))
        })
    };
    let leaks = positions(body, |op| {
        !is_helped(program, body, op, helpers) && gives_away(program, body, this, op, above)
    });
    // Nobody follows the other name, and a handler may run before the block's first store.
    let renamed = body.block_ids().filter(|&id| body.passes_on(body.block(id), this));
    leaks.into_iter().chain(renamed.map(|id| (id, 0))).any(|leak| !is_behind(leak))
}

/// Whether an instruction of a constructor may let others know the object.
fn gives_away(program: &Program, body: &Body, this: Value, op: Op, above: usize) -> bool {
    match op {
        Op::GetField(..) => false,
        Op::PutField(_, _, value) => value == this,
        Op::Invoke { method, arguments, .. } => {
            let arguments = body.list(arguments);
            let is_passed = arguments.iter().skip(1).any(|&it| it == this);
            let is_receiver = arguments.first() == Some(&this);
            if is_passed || !is_receiver {
                return is_passed;
            }
            let found = program.resolve_method(method.class, method.name, method.descriptor);
            let Some(found) = found.found() else { return true };
            // Constructors of the platform keep what they are called on.
            method.name != program.known.init
                || program.role(found.class) != Role::Platform
                    && leaks_at_all(program, found, above)
        }
        op => {
            let mut is_used = false;
            op.for_each_operand(body, |value| is_used |= value == this);
            is_used
        }
    }
}

fn leaks_at_all(program: &Program, constructor: MethodId, above: usize) -> bool {
    let Some(above) = above.checked_sub(1) else { return true };
    match program.lower(constructor) {
        Ok(Some(body)) => leaks_before(program, &body, &[], &[], above),
        Ok(None) | Err(_) => true,
    }
}
