//! Fields whose value no two objects share: serial numbers from a counter that only goes one way.
//!
//! Taken for granted: a counter does not wrap around. Every store to the field must be a fresh number:
//! from an atomic counter that nobody else can set, or from a synchronized static method that returns a
//! static field and adds one to it.

use program::ir::{BinaryOp, Body, Const, InvokeKind, MethodRef, Op, Value};
use program::{ClassId, FieldId, Kind, MethodId};

use super::context::Context;

/// Whether two objects with equal values of this field are one object.
pub(crate) fn is_unique(context: &Context<'_>, field: FieldId) -> bool {
    let lock = || context.asked.unique.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(&known) = lock().get(&field) {
        return known;
    }
    let found = is_serial(context, field)
        && !is_copied(context, field)
        && !may_be_read_back(context, field);
    lock().insert(field, found);
    found
}

fn is_copied(context: &Context<'_>, field: FieldId) -> bool {
    let maker = context.universe.makers(field).map(|it| it.class);
    context.fields.is_copied(field.class) || maker.is_some_and(|it| context.fields.is_copied(it))
}

/// Whether objects may come out of a stream with the number of another.
fn may_be_read_back(context: &Context<'_>, field: FieldId) -> bool {
    let program = context.universe.program;
    let Some(makers) = context.universe.makers(field) else { return true };
    let serializable = program.find_class_text("java/io/Serializable");
    let is_written = |class| {
        serializable.is_some_and(|it| program.is_subtype(class, it) != Some(false)) && !makers.reads
    };
    is_written(field.class) || is_written(makers.class)
}

/// Whether every object that has the field is one of the class that sets it.
fn is_set_in_all(context: &Context<'_>, field: FieldId, maker: ClassId) -> bool {
    let program = context.universe.program;
    let (class, _) = program.field(field);
    let is_set = |id: &ClassId| {
        let is_abstract = program.class(*id).is_some_and(|it| it.access_flags.is_abstract());
        is_abstract || program.is_subtype(*id, maker) == Some(true)
    };
    class.id == maker
        || !class.access_flags.is_public()
            && context.universe.world.subtypes(class.id).iter().all(is_set)
}

/// Whether every constructor gives a number that was not given before.
pub(crate) fn is_serial(context: &Context<'_>, field: FieldId) -> bool {
    let program = context.universe.program;
    let Some(makers) = context.universe.makers(field) else { return false };
    if !is_set_in_all(context, field, makers.class) {
        return false;
    }
    let mut n_stores = 0;
    for &id in &makers.storing {
        let Ok(Some(body)) = program.lower(id) else { return false };
        for instruction in &body.instructions {
            if let Op::PutField(reference, _, value) = instruction.op
                && resolve(context, &reference) == Some(field)
            {
                n_stores += 1;
                if !is_fresh_number(context, &body, value) {
                    return false;
                }
            }
        }
    }
    n_stores > 0
}

fn resolve(context: &Context<'_>, field: &program::ir::FieldRef) -> Option<FieldId> {
    context.universe.program.resolve_field(field.class, field.name, field.descriptor).found()
}

fn definition(body: &Body, value: Value) -> Option<Op> {
    body.instructions.iter().find(|it| it.result == Some(value)).map(|it| it.op)
}

fn is_fresh_number(context: &Context<'_>, body: &Body, value: Value) -> bool {
    match definition(body, value) {
        Some(Op::Unary(program::ir::UnaryOp::Convert(Kind::Int, Kind::Long), inner)) => {
            is_fresh_number(context, body, inner)
        }
        Some(Op::Invoke { kind: InvokeKind::Virtual, method, arguments }) => {
            let &[receiver] = body.list(arguments) else { return false };
            match (direction(context, &method), definition(body, receiver)) {
                (Some(up), Some(Op::GetStatic(counter))) => {
                    resolve(context, &counter).is_some_and(|it| only_counts(context, it, up))
                }
                _ => false,
            }
        }
        Some(Op::Invoke { kind: InvokeKind::Static, method, .. }) => {
            let program = context.universe.program;
            let found = program.resolve_method(method.class, method.name, method.descriptor);
            found.found().is_some_and(|id| counts_up(context, id))
        }
        _ => false,
    }
}

/// Whether the method of an atomic counter counts, and if so whether up.
fn direction(context: &Context<'_>, method: &MethodRef) -> Option<bool> {
    let names = &context.universe.program.names;
    let class = names.bytes(method.class);
    if class != b"java/util/concurrent/atomic/AtomicLong"
        && class != b"java/util/concurrent/atomic/AtomicInteger"
    {
        return None;
    }
    match names.bytes(method.name) {
        b"incrementAndGet" | b"getAndIncrement" => Some(true),
        b"decrementAndGet" | b"getAndDecrement" => Some(false),
        _ => None,
    }
}

/// The methods that can name members of the class which are private or its package's.
fn neighbours<'a>(context: &'a Context<'_>, field: FieldId) -> impl Iterator<Item = MethodId> + 'a {
    let program = context.universe.program;
    let package = move |class| program.package(program.class_name(class));
    let own = package(field.class);
    context.slice.methods.iter().copied().filter(move |it| package(it.class) == own)
}

fn is_hidden(context: &Context<'_>, field: FieldId) -> bool {
    let flags = context.universe.program.field(field).1.access_flags;
    // Everybody can be in the package without a name.
    let is_near = flags.is_private() || !context.universe.is_unnamed(field.class);
    !flags.is_public() && !flags.is_protected() && is_near
}

/// Whether the method is the initialiser of the class that has the field.
fn is_initialiser(context: &Context<'_>, method: MethodId, field: FieldId) -> bool {
    let program = context.universe.program;
    method.class == field.class && program.method(method).1.name == program.known.clinit
}

/// Whether the atomic counter in the static field is only ever counted one way, and read.
fn only_counts(context: &Context<'_>, counter: FieldId, up: bool) -> bool {
    let program = context.universe.program;
    if !is_hidden(context, counter) {
        return false;
    }
    neighbours(context, counter).all(|method| {
        let Ok(Some(body)) = program.lower(method) else { return false };
        let is_stored = |it: &program::ir::Instruction| match it.op {
            Op::PutStatic(field, _) => resolve(context, &field) == Some(counter),
            _ => false,
        };
        let mut stores = body.instructions.iter().filter(|it| is_stored(it));
        match (stores.next().map(|it| it.op), stores.next()) {
            (None, _) => {}
            (Some(Op::PutStatic(_, value)), None)
                if is_initialiser(context, method, counter) && is_kept_back(&body, value) => {}
            _ => return false,
        }
        let mut read: Vec<Value> = Vec::new();
        for it in &body.instructions {
            if let (Op::GetStatic(field), Some(result)) = (it.op, it.result)
                && resolve(context, &field) == Some(counter)
            {
                read.push(result);
            }
        }
        read.is_empty() || is_used_to_count(context, &body, &read, up)
    })
}

/// Whether the value is made here, and nothing is done with it but to store it.
fn is_kept_back(body: &Body, value: Value) -> bool {
    let mut n_uses = 0;
    for it in &body.instructions {
        it.op.for_each_operand(body, |operand| n_uses += usize::from(operand == value));
    }
    let is_passed_on = body.blocks.iter().any(|block| body.passes_on(block, value));
    // By its constructor and by the store.
    matches!(definition(body, value), Some(Op::New(_))) && n_uses == 2 && !is_passed_on
}

fn is_used_to_count(context: &Context<'_>, body: &Body, read: &[Value], up: bool) -> bool {
    let names = &context.universe.program.names;
    let flows =
        |edge: program::ir::Edge| body.list(edge.arguments).iter().any(|it| read.contains(it));
    let mut leaves = false;
    for block in &body.blocks {
        body.for_each_successor(block, |edge| leaves |= flows(edge));
        leaves |= body.handlers_of(block).iter().any(|handler| flows(handler.edge));
        if let program::ir::Terminator::Return(Some(value)) = block.terminator {
            leaves |= read.contains(&value);
        }
    }
    !leaves
        && body.instructions.iter().all(|it| {
            let mut uses = false;
            it.op.for_each_operand(body, |value| uses |= read.contains(&value));
            let Op::Invoke { method, arguments, .. } = it.op else { return !uses };
            let given = body.list(arguments).iter().skip(1).any(|value| read.contains(value));
            let reads = matches!(names.bytes(method.name), b"get" | b"intValue" | b"longValue");
            !uses || !given && (reads || direction(context, &method) == Some(up))
        })
}

/// Whether the method returns a new number each time: a static counter that it alone changes, by one,
/// with the lock of its class held.
fn counts_up(context: &Context<'_>, method: MethodId) -> bool {
    let program = context.universe.program;
    let flags = program.method(method).1.access_flags;
    if !flags.is_static() || !flags.is_synchronized() {
        return false;
    }
    let Ok(Some(body)) = program.lower(method) else { return false };
    let [block] = &body.blocks[..] else { return false };
    let program::ir::Terminator::Return(Some(returned)) = block.terminator else { return false };
    let mut stores = body.instructions.iter().filter_map(|it| match it.op {
        Op::PutStatic(field, value) => Some((field, value)),
        _ => None,
    });
    let (Some((counter, next)), None) = (stores.next(), stores.next()) else { return false };
    let Some(Op::Binary(BinaryOp::Add(_), before, one)) = definition(&body, next) else {
        return false;
    };
    let is_one = matches!(definition(&body, one), Some(Op::Const(Const::Int(1) | Const::Long(1))));
    let reads = matches!(definition(&body, before), Some(Op::GetStatic(field)) if field == counter);
    let Some(counter) = resolve(context, &counter) else { return false };
    is_one
        && reads
        && (returned == before || returned == next)
        && is_hidden(context, counter)
        && only_stored_by(context, counter, method)
}

/// Whether nobody else changes the counter, apart from the class's initialiser.
fn only_stored_by(context: &Context<'_>, counter: FieldId, owner: MethodId) -> bool {
    let program = context.universe.program;
    neighbours(context, counter).all(|method| {
        if method == owner || is_initialiser(context, method, counter) {
            return true;
        }
        let Ok(Some(body)) = program.lower(method) else { return false };
        body.instructions.iter().all(|it| match it.op {
            Op::PutStatic(field, _) => resolve(context, &field) != Some(counter),
            _ => true,
        })
    })
}
