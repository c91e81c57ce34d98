//! Tables: arrays in static fields that hold what their initialiser put there, because nobody else
//! writes them.

use program::ir::{Body, FieldRef, InvokeKind, MethodRef, Op, Terminator, Value};
use program::{Class, FieldId, Program, Type};
use rustc_hash::FxHashSet;
use smt::Term;

use super::Engine;
use crate::concrete;

/// Larger tables are left alone.
const MOST_ELEMENTS: usize = 256;

impl Engine<'_> {
    /// Takes note of an array that a static final field holds, if it stays as it is.
    pub(super) fn note_table(&mut self, field: FieldId, address: u64) {
        if is_table(self.program, field) {
            self.fixed.tables.insert(address);
        }
    }

    /// The table that a reference is, if it is one for certain.
    pub(super) fn table(&self, key: Term) -> Option<concrete::Ref> {
        let address = self.space.terms.as_const(key)?;
        let is_table = self.fixed.tables.contains(&address);
        is_table.then(|| self.origins.get(&address).copied()).flatten()
    }

    /// An element of a table.
    pub(super) fn table_element(&mut self, key: Term, index: Term) -> Option<Term> {
        let array = self.machine.heap.array(self.table(key)?)?;
        if array.is_empty() || array.len() > MOST_ELEMENTS {
            return None;
        }
        let address = self.space.terms.as_const(key)?;
        let values: Vec<concrete::Value> = (0..array.len()).map(|at| array.get(at)).collect();
        let mut found: Option<Term> = None;
        for (at, value) in values.into_iter().enumerate() {
            let value = self.import(value, &format!("{address}[{at}]"))?;
            let here = self.space.terms.int(at as i32);
            let is_here = self.space.terms.eq(index, here);
            found = Some(found.map_or(value, |other| self.space.terms.ite(is_here, value, other)));
        }
        found
    }
}

/// Whether a field holds an array that only its initialiser writes: a class of the compiler's own keeps
/// it (for a switch on an enum), or it is private and no code of its nest hands it on.
fn is_table(program: &Program, field: FieldId) -> bool {
    let (class, declared) = program.field(field);
    let ty = Type::parse(program.names.bytes(declared.descriptor), &program.names);
    let flags = declared.access_flags;
    if ty.is_none_or(|ty| ty.dimensions == 0) || !flags.is_static() || !flags.is_final() {
        return false;
    }
    if flags.is_synthetic() && class.access_flags.is_synthetic() {
        return true;
    }
    let code = Users { program, owner: class, name: declared.name };
    flags.is_private()
        && program
            .nest(class)
            .is_some_and(|members| members.into_iter().all(|member| code.all_keep(member)))
}

/// The code that may use the field of a table.
struct Users<'p> {
    program: &'p Program,
    owner: &'p Class,
    name: program::Name,
}

impl Users<'_> {
    fn is_it(&self, field: &FieldRef) -> bool {
        field.class == self.owner.name && field.name == self.name
    }

    fn all_keep(&self, class: &Class) -> bool {
        class.methods().all(|(id, method)| {
            let is_initialiser =
                class.id == self.owner.id && method.name == self.program.known.clinit;
            match self.program.lower(id) {
                Ok(Some(body)) => self.keeps(&body, is_initialiser),
                Ok(None) => true,
                Err(_) => false,
            }
        })
    }

    /// Whether a body only reads or clones the array that the field holds; its initialiser may fill one
    /// that it makes.
    fn keeps(&self, body: &Body, is_initialiser: bool) -> bool {
        let mut arrays: FxHashSet<Value> = FxHashSet::default();
        let mut stored: FxHashSet<Value> = FxHashSet::default();
        for instruction in &body.instructions {
            match (&instruction.op, instruction.result) {
                (Op::GetStatic(field), Some(result)) if self.is_it(field) => {
                    arrays.insert(result);
                }
                (Op::PutStatic(field, value), _) if self.is_it(field) => {
                    add_with_casts(body, *value, &mut arrays);
                    stored.insert(*value);
                }
                (_, _) => {}
            }
        }
        if arrays.is_empty() {
            return true;
        }
        stored.iter().all(|&value| self.is_made(body, value))
            && self.stays_inside(body, &arrays, is_initialiser)
            && no_successor_gets(body, &arrays, false)
    }

    /// Whether a value is an array that nobody else knows: it is made here, or by a method of the class
    /// that gives it to nobody else (`$values` and `values` of an enum).
    fn is_made(&self, body: &Body, value: Value) -> bool {
        match definition(body, value) {
            Some(Op::Invoke { kind: InvokeKind::Static, method, .. }) => self.is_maker(method),
            Some(_) => self.is_new(body, value),
            None => false,
        }
    }

    /// An array that an instruction makes, or a copy of one.
    fn is_new(&self, body: &Body, value: Value) -> bool {
        match definition(body, value) {
            Some(Op::NewArray { .. }) => true,
            Some(Op::Invoke { method, .. }) => self.is_clone(method),
            Some(Op::CheckCast(_, cast)) => self.is_new(body, cast),
            Some(_) | None => false,
        }
    }

    fn is_maker(&self, method: MethodRef) -> bool {
        if method.class != self.owner.name {
            return false;
        }
        let Some(id) = self.owner.declared_method(method.name, method.descriptor) else {
            return false;
        };
        let Ok(Some(body)) = self.program.lower(id) else { return false };
        let mut arrays: FxHashSet<Value> = FxHashSet::default();
        for block in &body.blocks {
            if let Terminator::Return(Some(value)) = block.terminator {
                add_with_casts(&body, value, &mut arrays);
            }
        }
        arrays.iter().all(|&value| self.is_new(&body, value))
            && self.stays_inside(&body, &arrays, true)
            && no_successor_gets(&body, &arrays, true)
    }

    /// Whether instructions only look at the arrays, or fill them where that is allowed.
    fn stays_inside(&self, body: &Body, arrays: &FxHashSet<Value>, may_fill: bool) -> bool {
        let is_free = |value: Value| !arrays.contains(&value);
        body.instructions.iter().all(|instruction| match instruction.op {
            Op::ArrayLoad { .. } | Op::ArrayLength(_) => true,
            Op::ArrayStore { array, value, .. } => (may_fill || is_free(array)) && is_free(value),
            Op::PutStatic(field, _) if self.is_it(&field) => may_fill,
            Op::Invoke { method, .. } if self.is_clone(method) => true,
            Op::CheckCast(..) if instruction.result.is_some_and(|it| arrays.contains(&it)) => true,
            op => {
                let mut is_kept = true;
                op.for_each_operand(body, |value| is_kept &= is_free(value));
                is_kept
            }
        })
    }

    /// `clone` of an array, which gives it to nobody.
    fn is_clone(&self, method: MethodRef) -> bool {
        let names = &self.program.names;
        names.bytes(method.class).first() == Some(&b'[') && names.bytes(method.name) == b"clone"
    }
}

fn definition(body: &Body, value: Value) -> Option<Op> {
    body.instructions.iter().find(|it| it.result == Some(value)).map(|it| it.op)
}

/// A value under all names that casts gave it.
fn add_with_casts(body: &Body, value: Value, names: &mut FxHashSet<Value>) {
    names.insert(value);
    if let Some(Op::CheckCast(_, cast)) = definition(body, value) {
        add_with_casts(body, cast, names);
    }
}

/// Whether none of the values is passed on to another block, nor returned where that is not allowed.
fn no_successor_gets(body: &Body, values: &FxHashSet<Value>, may_return: bool) -> bool {
    let is_free = |value: Value| !values.contains(&value);
    body.blocks.iter().all(|block| {
        let mut is_kept = match block.terminator {
            Terminator::Return(Some(value)) => may_return || is_free(value),
            Terminator::Return(None)
            | Terminator::Goto(_)
            | Terminator::If { .. }
            | Terminator::Switch { .. }
            | Terminator::Throw(_) => true,
        };
        let mut pass = |list| is_kept &= body.list(list).iter().all(|&value| is_free(value));
        body.for_each_successor(block, |edge| pass(edge.arguments));
        body.handlers_of(block).iter().for_each(|handler| pass(handler.edge.arguments));
        is_kept
    })
}
