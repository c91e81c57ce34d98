//! Fields that have one value for as long as others know an object: final ones, and those that only the making
//! of the object sets, once, though nobody declared them final.
//!
//! All stores must be in sight, so the field is private or its package's. A maker is a constructor of one
//! class, that of the field or one below it, or its `readObject`; it stores itself, or calls a private method
//! that only makers call. Each maker stores exactly once, whichever way it goes.

use classfile::{Constant, MemberKind, Opcode};
use program::ir::{Body, Dominators, InvokeKind, Op, Terminator, Value};
use program::{ClassId, FieldId, MethodId, Program};

use super::by_name::literals_of_user;
use super::half_made::is_set_first;

/// Who sets a field.
#[derive(Debug, Clone)]
pub(crate) struct Makers {
    /// The class whose constructors do: that of the field, or one below it.
    pub class: ClassId,
    /// The methods whose bodies store.
    pub storing: Vec<MethodId>,
    /// Whether an object that comes out of a stream gets a value of its own.
    pub reads: bool,
}

/// Who sets the field while its object is made; `None` if others may.
pub(super) fn makers(program: &Program, neighbours: &[ClassId], field: FieldId) -> Option<Makers> {
    let (class, declared) = program.field(field);
    let flags = declared.access_flags;
    let init = program.known.init;
    if flags.is_static() {
        return None;
    }
    if flags.is_final() {
        let constructors = class.methods().filter(|(_, it)| it.name == init).map(|(id, _)| id);
        let storing: Vec<MethodId> = constructors.collect();
        let is_fixed = storing.iter().all(|&it| is_set_first(program, it, field, &[]));
        return is_fixed.then_some(Makers { class: class.id, storing, reads: false });
    }
    if flags.is_public() || flags.is_protected() {
        return None;
    }
    let storing = storing_methods(program, neighbours, field)?;
    let maker = program.class(storing.first()?.class)?;
    let reads_object = |id: &MethodId| {
        let method = program.method(*id).1;
        program.names.bytes(method.name) == b"readObject"
            && program.names.bytes(method.descriptor) == b"(Ljava/io/ObjectInputStream;)V"
            && method.access_flags.is_private()
    };
    let is_init = |id: &MethodId| program.method(*id).1.name == init;
    let is_maker = |id: &MethodId| is_init(id) || reads_object(id);
    let helpers: Vec<MethodId> = storing.iter().copied().filter(|it| !is_maker(it)).collect();
    let is_helper = |id: &MethodId| {
        let is_private = program.method(*id).1.access_flags.is_private();
        is_private && count(program, *id, field, &[]) == Some(1)
    };
    if storing.iter().any(|it| it.class != maker.id)
        || !helpers.iter().all(is_helper)
        || !only_makers_call(program, neighbours, &helpers, &is_maker)
    {
        return None;
    }
    let constructors = maker.methods().map(|(id, _)| id).filter(is_init);
    if !constructors.chain(helpers.clone()).all(|it| is_set_first(program, it, field, &helpers)) {
        return None;
    }
    let sets = |id: MethodId| count(program, id, field, &helpers);
    let mut reads = false;
    for (id, _) in maker.methods().filter(|(id, _)| is_maker(id)) {
        match sets(id) {
            Some(1) => reads |= reads_object(&id),
            // What the stream said stays.
            Some(0) if reads_object(&id) => {}
            Some(_) | None => return None,
        }
    }
    Some(Makers { class: maker.id, storing, reads })
}

/// All methods that store to the field; `None` if one of them cannot be a part of making the object, or if
/// the field may be set through its name.
fn storing_methods(
    program: &Program,
    neighbours: &[ClassId],
    field: FieldId,
) -> Option<Vec<MethodId>> {
    let name = program.names.bytes(program.field(field).1.name);
    let mut found = Vec::new();
    // The class itself answers most questions.
    let others = neighbours.iter().copied().filter(|&id| id != field.class);
    for class in std::iter::once(field.class).chain(others).filter_map(|id| program.class(id)) {
        let is_named = |it: Constant| match it {
            Constant::Member(member) => {
                member.kind == MemberKind::Field && class.file.bytes(member.name) == name
            }
            _ => false,
        };
        if !class.file.pool().constants().any(is_named) {
            continue;
        }
        for (id, _) in class.methods().filter(|(id, _)| stores_by_name(class, *id, name)) {
            let Ok(Some(body)) = program.lower(id) else { return None };
            let this = body.parameters().next();
            let mut stores = stores(program, &body, field).peekable();
            if stores.peek().is_none() {
                continue;
            }
            let is_heir = program.is_subtype(class.id, field.class) == Some(true);
            let (_, method) = program.method(id);
            let may_make = method.name == program.known.init || method.access_flags.is_private();
            if !is_heir || !may_make || !stores.all(|(_, object)| Some(object) == this) {
                return None;
            }
            found.push(id);
        }
    }
    let mut all = neighbours.iter().filter_map(|&id| program.class(id));
    let is_set_by_name = all.any(|it| literals_of_user(&it.file).iter().any(|it| it == name));
    (!is_set_by_name).then_some(found)
}

/// Whether the code of the method stores to some field of this name: asked before its body is made.
pub(super) fn stores_by_name(class: &program::Class, method: MethodId, name: &[u8]) -> bool {
    let file = &class.file;
    let Some(declared) = file.methods.get(method.index()) else { return true };
    let Ok(code) = declared.code(file) else { return true };
    let Some(code) = code else { return false };
    let mut found = false;
    let walked = code.each_instruction(|it| {
        if it.opcode == Opcode::Putfield {
            let member = code.pool_index(&it).and_then(|index| file.pool().member(index));
            found |= member.is_ok_and(|member| file.bytes(member.name) == name);
        }
    });
    found || walked.is_err()
}

/// The stores of a body to the field: the block and the object.
fn stores<'a>(
    program: &'a Program,
    body: &'a Body,
    field: FieldId,
) -> impl Iterator<Item = (program::ir::BlockId, Value)> + 'a {
    body.block_ids().flat_map(move |id| {
        let in_block = body.instructions_of(body.block(id)).iter();
        in_block.filter_map(move |it| match it.op {
            Op::PutField(to, object, _) => {
                let found = program.resolve_field(to.class, to.name, to.descriptor).found();
                (found == Some(field)).then_some((id, object))
            }
            _ => None,
        })
    })
}

/// How often the method sets the field of its object, itself and by helpers or another constructor; `None`
/// if that depends on the way it goes.
fn count(
    program: &Program,
    method: MethodId,
    field: FieldId,
    helpers: &[MethodId],
) -> Option<usize> {
    let Ok(Some(body)) = program.lower(method) else { return None };
    let this = body.parameters().next();
    let mut at: Vec<program::ir::BlockId> =
        stores(program, &body, field).map(|(block, _)| block).collect();
    for id in body.block_ids() {
        for it in body.instructions_of(body.block(id)) {
            let Op::Invoke { kind: _, method: called, arguments } = it.op else { continue };
            let is_own = body.list(arguments).first().copied() == this && this.is_some();
            let found = program.resolve_method(called.class, called.name, called.descriptor);
            let Some(found) = found.found().filter(|_| is_own) else { continue };
            let is_other = found.class == method.class
                && program.method(found).1.name == program.known.init
                && program.method(method).1.name == program.known.init;
            if is_other || helpers.contains(&found) {
                at.push(id);
            }
        }
    }
    let [only] = at[..] else { return at.is_empty().then_some(0) };
    let dominators = Dominators::new(&body);
    let is_always = body.block_ids().all(|id| match body.block(id).terminator {
        Terminator::Return(_) => dominators.dominates(only, id),
        Terminator::Goto(_)
        | Terminator::If { .. }
        | Terminator::Switch { .. }
        | Terminator::Throw(_) => true,
    });
    let is_alone = body.handlers_of(body.block(only)).is_empty();
    (is_always && is_alone && !is_in_loop(&body, only)).then_some(1)
}

/// Whether the block may run twice. Blocks are in reverse postorder: whoever goes back closes a loop.
fn is_in_loop(body: &Body, block: program::ir::BlockId) -> bool {
    let mut found = false;
    for id in body.block_ids() {
        let mut note = |target: program::ir::BlockId| {
            found |= target.index() <= block.index() && block.index() <= id.index();
        };
        body.for_each_successor(body.block(id), |edge| {
            if edge.target.index() <= id.index() {
                note(edge.target);
            }
        });
        for handler in body.handlers_of(body.block(id)) {
            if handler.edge.target.index() <= id.index() {
                note(handler.edge.target);
            }
        }
    }
    found
}

/// Whether nobody but a maker calls the helpers, on its own object, and nobody refers to them otherwise.
fn only_makers_call(
    program: &Program,
    neighbours: &[ClassId],
    helpers: &[MethodId],
    is_maker: &dyn Fn(&MethodId) -> bool,
) -> bool {
    helpers.iter().all(|&helper| {
        let name = program.names.bytes(program.method(helper).1.name);
        neighbours.iter().filter_map(|&id| program.class(id)).all(|class| {
            let mut is_called = false;
            let mut is_handled = false;
            for constant in class.file.pool().constants() {
                match constant {
                    Constant::Member(member) => {
                        is_called |= member.kind != MemberKind::Field
                            && class.file.bytes(member.name) == name;
                    }
                    Constant::MethodHandle(_, member) => {
                        is_handled |= class.file.bytes(member.name) == name;
                    }
                    _ => {}
                }
            }
            !is_handled
                && (!is_called
                    || class.methods().all(|(id, _)| calls_well(program, id, helper, is_maker)))
        })
    })
}

fn calls_well(
    program: &Program,
    caller: MethodId,
    helper: MethodId,
    is_maker: &dyn Fn(&MethodId) -> bool,
) -> bool {
    let Ok(body) = program.lower(caller) else { return false };
    let Some(body) = body else { return true };
    let this = body.parameters().next();
    body.instructions.iter().all(|it| {
        let Op::Invoke { kind, method, arguments } = it.op else { return true };
        let found = program.resolve_method(method.class, method.name, method.descriptor);
        if found.found() != Some(helper) {
            return true;
        }
        let is_own = body.list(arguments).first().copied() == this && kind != InvokeKind::Static;
        is_own && is_maker(&caller) && caller.class == helper.class
    })
}
