//! What stays as initialisers made it, and which objects there can be at all: constants of enums, classes
//! that a sealed type permits, and tables that nobody writes.

use program::ir::{Body, FieldRef, Op, Terminator, Value};
use program::{Class, ClassId, Element, FieldId, Kind, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Term;
use std::rc::Rc;

use super::Engine;
use super::heap::Place;
use crate::concrete;

/// Enums and tables with more members are left alone.
const MOST_CONSTANTS: usize = 64;
const MOST_ELEMENTS: usize = 256;

/// What is known of constants and tables.
#[derive(Default)]
pub(super) struct Fixed {
    /// Classes that code asks for and whose objects equal only themselves.
    pub(super) told_by_identity: Vec<program::ClassId>,
    /// The addresses of an enum's constants, in order.
    enums: FxHashMap<Type, Option<Rc<[u64]>>>,
    /// Objects that are null or one of these.
    keys: FxHashMap<Term, Rc<[u64]>>,
    /// Addresses of arrays that keep what their initialiser put into them.
    tables: FxHashSet<u64>,
}

impl Engine<'_> {
    /// Says of an object that existed at the start which it can be, by its declared type.
    pub(super) fn assume_constant(&mut self, key: Term, ty: Type) {
        let Some(addresses) = self.enum_addresses(ty) else { return };
        let mut cases = vec![self.space.terms.bitvec(31, 0)];
        cases.extend(addresses.iter().map(|&address| self.space.terms.bitvec(31, address)));
        let cases: Vec<Term> =
            cases.into_iter().map(|case| self.space.terms.eq(key, case)).collect();
        let fact = self.space.terms.or(&cases);
        self.space.assume(fact);
        self.fixed.keys.insert(key, addresses);
    }

    /// A final field of an object that is one of an enum's constants.
    pub(super) fn constant_field(&mut self, place: Place, key: Term) -> Option<Term> {
        let addresses = self.fixed.keys.get(&key)?.clone();
        let mut found: Option<Term> = None;
        for &address in addresses.iter() {
            let constant = self.space.terms.bitvec(31, address);
            let value = self.imported_field(place, constant)?;
            let is_it = self.space.terms.eq(key, constant);
            found = Some(found.map_or(value, |other| self.space.terms.ite(is_it, value, other)));
        }
        found
    }

    /// Where two versions are compared, only if the enum is the same in both: then both sides call its
    /// constants by one name.
    fn enum_addresses(&mut self, ty: Type) -> Option<Rc<[u64]>> {
        if let Some(known) = self.fixed.enums.get(&ty) {
            return known.clone();
        }
        let Element::Class(name) = ty.element else { return None };
        let class = self.program.class(self.program.find_class(name)?)?;
        let is_edited = self.own_statics.as_ref().is_some_and(|(_, it)| it.contains(&class.id));
        if ty.dimensions > 0 || !class.access_flags.is_enum() || is_edited {
            return None;
        }
        self.fixed.enums.insert(ty, None);
        let fields = constant_fields(class);
        if fields.is_empty() || fields.len() > MOST_CONSTANTS {
            return None;
        }
        let mut addresses = Vec::with_capacity(fields.len());
        for field in fields {
            let place = self.field_place(field);
            self.settle_static(place, field);
            let value = *self.static_starts.get(&place)?;
            addresses.push(self.space.terms.as_const(value)?);
        }
        let addresses: Rc<[u64]> = addresses.into();
        self.fixed.enums.insert(ty, Some(addresses.clone()));
        Some(addresses)
    }

    /// What the constant of an enum is called wherever it is found first.
    pub(super) fn enum_constant_name(&mut self, reference: concrete::Ref) -> Option<String> {
        let Element::Class(name) = self.machine.heap.object(reference).ty.element else {
            return None;
        };
        let mut class = self.program.class(self.program.find_class(name)?)?;
        // A constant with a body of its own is of a subclass.
        if constant_fields(class).is_empty() {
            class = self.program.superclass(class)?;
        }
        let fields = constant_fields(class);
        let is_it = |field: &FieldId| match self.machine.read_static(*field) {
            Ok(concrete::Value::Ref(found)) => found == reference,
            _ => false,
        };
        let field = fields.into_iter().find(is_it)?;
        Some(self.static_name(field))
    }

    /// Says that an instance of a sealed type is an instance of one that it permits.
    pub(super) fn assume_permitted(&mut self, class: Term, ty: Type, is_one: Term) {
        let Element::Class(name) = ty.element else { return };
        if ty.dimensions > 0 {
            return;
        }
        let id = self.program.find_class(name);
        let Some(sealed) = id.and_then(|id| self.program.class(id)) else { return };
        let Ok(Some(permitted)) = sealed.file.permitted_subclasses() else { return };
        if !sealed.access_flags.is_abstract() || permitted.len() > MOST_CONSTANTS {
            return;
        }
        let mut cases = Vec::with_capacity(permitted.len());
        for utf8 in permitted {
            let permitted = Type::class(sealed.constant_name(utf8, &self.program.names));
            let Some(case) = self.is_subtype_term(class, permitted) else { return };
            cases.push(case);
        }
        let any = self.space.terms.or(&cases);
        let fact = self.space.terms.implies(is_one, any);
        self.space.assume(fact);
    }

    /// Takes note of an array that a static final field holds, if it stays as it is.
    pub(super) fn note_table(&mut self, field: FieldId, address: u64) {
        if is_table(self.program, field) {
            self.fixed.tables.insert(address);
        }
    }

    /// An element of a table.
    pub(super) fn table_element(&mut self, key: Term, index: Term) -> Option<Term> {
        let address = self.space.terms.as_const(key)?;
        if !self.fixed.tables.contains(&address) {
            return None;
        }
        let &reference = self.origins.get(&address)?;
        let array = self.machine.heap.array(reference)?;
        if array.is_empty() || array.len() > MOST_ELEMENTS {
            return None;
        }
        let values: Vec<concrete::Value> = (0..array.len()).map(|at| array.get(at)).collect();
        let mut found: Option<Term> = None;
        for (at, value) in values.into_iter().enumerate() {
            let value = self.import(value, "element")?;
            let here = self.space.terms.int(at as i32);
            let is_here = self.space.terms.eq(index, here);
            found = Some(found.map_or(value, |other| self.space.terms.ite(is_here, value, other)));
        }
        found
    }
}

fn constant_fields(class: &Class) -> Vec<FieldId> {
    let fields = class
        .fields()
        .filter(|(_, field)| field.access_flags.is_enum() && field.access_flags.is_static());
    fields.map(|(id, _)| id).collect()
}

/// Whether a field holds an array of numbers that only its initialiser writes: a class of the compiler's own
/// keeps it (for a switch on an enum), or it is private and no code of its nest hands it on.
fn is_table(program: &Program, field: FieldId) -> bool {
    let (class, declared) = program.field(field);
    let ty = Type::parse(program.names.bytes(declared.descriptor), &program.names);
    let is_numbers =
        ty.is_some_and(|ty| ty.component().is_some_and(|component| component.kind() != Kind::Ref));
    let flags = declared.access_flags;
    if !is_numbers || !flags.is_static() || !flags.is_final() {
        return false;
    }
    if flags.is_synthetic() && class.access_flags.is_synthetic() {
        return true;
    }
    let is_it = |it: &FieldRef| it.class == class.name && it.name == declared.name;
    flags.is_private()
        && nest(program, class).is_some_and(|members| {
            members.into_iter().all(|member| keeps_to_itself(program, member, class.id, &is_it))
        })
}

/// The classes that may use private members of this one; nothing if one is missing.
fn nest<'p>(program: &'p Program, class: &'p Class) -> Option<Vec<&'p Class>> {
    let find = |name| program.find_class(name).and_then(|id| program.class(id));
    let host = match class.file.nest_host().ok()? {
        Some(host) => find(class.constant_name(host, &program.names))?,
        None => class,
    };
    let mut members = vec![host];
    for member in host.file.nest_members().ok()? {
        members.push(find(host.constant_name(member, &program.names))?);
    }
    Some(members)
}

fn keeps_to_itself(
    program: &Program,
    class: &Class,
    owner: ClassId,
    is_it: &dyn Fn(&FieldRef) -> bool,
) -> bool {
    class.methods().all(|(id, method)| {
        let is_initialiser = class.id == owner && method.name == program.known.clinit;
        match program.lower(id) {
            Ok(Some(body)) => is_harmless(&body, is_initialiser, is_it),
            Ok(None) => true,
            Err(_) => false,
        }
    })
}

/// Whether a body only reads the array that the field holds; its initialiser may fill one that it makes.
fn is_harmless(body: &Body, is_initialiser: bool, is_it: &dyn Fn(&FieldRef) -> bool) -> bool {
    let mut arrays: FxHashSet<Value> = FxHashSet::default();
    let mut stored: FxHashSet<Value> = FxHashSet::default();
    for instruction in &body.instructions {
        match (&instruction.op, instruction.result) {
            (Op::GetStatic(field), Some(result)) if is_it(field) => {
                arrays.insert(result);
            }
            (Op::PutStatic(field, value), _) if is_it(field) => {
                arrays.insert(*value);
                stored.insert(*value);
            }
            (_, _) => {}
        }
    }
    let is_made = |value: &Value| {
        let made = body.instructions.iter().find(|it| it.result == Some(*value));
        made.is_some_and(|it| matches!(it.op, Op::NewArray { .. }))
    };
    if arrays.is_empty() || !stored.iter().all(is_made) {
        return arrays.is_empty();
    }
    let is_free = |value: Value| !arrays.contains(&value);
    let uses = body.instructions.iter().all(|instruction| match instruction.op {
        Op::ArrayLoad { .. } | Op::ArrayLength(_) => true,
        Op::ArrayStore { array, value, .. } => (is_initialiser || is_free(array)) && is_free(value),
        Op::PutStatic(field, _) if is_it(&field) => is_initialiser,
        op => {
            let mut is_kept = true;
            op.for_each_operand(body, |value| is_kept &= is_free(value));
            is_kept
        }
    });
    uses && body.blocks.iter().all(|block| {
        let mut is_kept = match block.terminator {
            Terminator::Return(Some(value)) => is_free(value),
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
