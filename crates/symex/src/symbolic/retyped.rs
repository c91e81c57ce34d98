//! Private fields that are of another functional interface in the other version, and are read for nothing but to be
//! called.
//!
//! Such a field holds a lambda in both versions, of the one interface or of the other. Whoever would tell them apart
//! (a cast, a test, a stream of objects, reflection) has to get hold of the lambda first, and nobody does: what is read
//! of the field is the receiver of calls of a method that both interfaces have from the same type of the platform. So
//! two lambdas in it are alike if they capture the same and run the same code. Where a lambda goes anywhere else,
//! it is compared as any other. Which fields these are is for the caller to show.

use program::ir::{BlockId, Const, Instruction, InvokeKind, Lambda, MethodRef, Op, Terminator};
use program::{FieldId, HandleKind, Kind, MethodId, Name, Program, Resolution, Role, Type};
use rustc_hash::FxHashMap;
use smt::Term;

use super::Engine;
use super::compare::{Compared, Comparison, Moment};
use super::space::FreshKind;

/// What proofs say that look at such fields.
const RETYPED: &str = "private fields that have another type now are neither looked up by reflection nor set by streams";

/// Fields of one version that have another type in the other one.
#[derive(Debug, Clone, Default)]
pub struct Retyped {
    /// The names and the type that both versions take them by: those of the wider type.
    pub fields: FxHashMap<FieldId, (String, Type)>,
    /// The interfaces that may stand for each other in them: of the old version and of the new one.
    pub interfaces: Vec<(String, String)>,
}

impl Retyped {
    pub(super) fn field_named(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().find(|(_, it)| it.0 == name).map(|(&field, _)| field)
    }
}

impl Engine<'_> {
    /// By what name and type both versions know a field, if it has another type in the other one.
    pub(super) fn name_retyped(&mut self, field: FieldId) -> Option<(String, Type)> {
        let known = self.library.retyped.fields.get(&field).cloned()?;
        self.assumptions.insert(RETYPED.to_owned());
        Some(known)
    }
}

impl Comparison<'_, '_, '_, '_> {
    /// What a place holds in each run.
    pub(super) fn compare_held(
        &mut self,
        name: &str,
        (kind, one, two): (Kind, Term, Term),
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        self.is_called_only = self.second.library.retyped.field_named(name).is_some();
        let compared = self.compare_values(kind, one, two, guard, moment);
        self.is_called_only = false;
        compared
    }

    /// Whether an object that code outside may reach is a lambda in both runs, and some may be in such fields. A lambda
    /// never changes, and where it is seen on another way, it was compared there when it became known.
    pub(super) fn are_retyped_lambdas(&mut self, object: u32) -> bool {
        if self.second.library.retyped.fields.is_empty() {
            return false;
        }
        let is_lambda = |engine: &Engine<'_>| {
            matches!(engine.space.fresh[object as usize].kind, FreshKind::Lambda(_))
        };
        self.in_first(|engine| is_lambda(engine)) && is_lambda(self.second)
    }
}

/// Whether two lambdas do the same when they are called, if nobody can ask of which interface they are. What they
/// capture is for the caller to compare.
pub(super) fn called_alike(
    (first, one): (&Engine<'_>, &Lambda),
    (second, two): (&Engine<'_>, &Lambda),
) -> bool {
    let (old, new) = (first.program, second.program);
    let same = |one: Name, two: Name| old.names.text(one) == new.names.text(two);
    let stand_for_each_other = || {
        let pair = (old.names.text(one.interface), new.names.text(two.interface));
        second.library.retyped.interfaces.iter().any(|(a, b)| *a == *pair.0 && *b == *pair.1)
    };
    let is_method = same(one.method, two.method)
        && same(one.descriptor, two.descriptor)
        && same(one.instantiated, two.instantiated)
        && one.bridges.is_empty()
        && two.bridges.is_empty();
    let (code, other) = (&one.implementation, &two.implementation);
    let is_handle = code.kind == other.kind && code.is_interface == other.is_interface;
    is_method
        && (same(one.interface, two.interface) || stand_for_each_other())
        && is_handle
        && (same_member(old, code.member, new, other.member)
            && first.is_known_code(one)
            && first.code_of(one).is_some_and(|code| Some(code) == second.code_of(two))
            || code.kind == HandleKind::InvokeStatic
                && same_body((first, code.member), (second, other.member)))
}

fn same_member(old: &Program, one: MethodRef, new: &Program, two: MethodRef) -> bool {
    let same = |one: Name, two: Name| old.names.text(one) == new.names.text(two);
    same(one.class, two.class) && same(one.name, two.name) && same(one.descriptor, two.descriptor)
}

/// Whether two bodies that a compiler made, which may give them any name, are the same straight line of calls of code
/// that did not change.
fn same_body(
    (first, one): (&Engine<'_>, MethodRef),
    (second, two): (&Engine<'_>, MethodRef),
) -> bool {
    let (old, new) = (first.program, second.program);
    let same = |one: Name, two: Name| old.names.text(one) == new.names.text(two);
    let made = |program: &Program, it: MethodRef| {
        let found = program.resolve_method(it.class, it.name, it.descriptor).found()?;
        let (class, declared) = program.method(found);
        let flags = declared.access_flags;
        let is_made = flags.is_synthetic() && flags.is_private() && flags.is_static();
        (is_made && program.role(class.id) == Role::Judged).then_some(found)
    };
    let (Some(one_body), Some(two_body)) = (
        made(old, one).and_then(|it| old.lower(it).ok().flatten()),
        made(new, two).and_then(|it| new.lower(it).ok().flatten()),
    ) else {
        return false;
    };
    let is_line = one_body.blocks.len() == 1 && two_body.blocks.len() == 1;
    let (end, other_end) =
        (one_body.block(BlockId::ENTRY).terminator, two_body.block(BlockId::ENTRY).terminator);
    let is_same_end = match (end, other_end) {
        (Terminator::Return(one), Terminator::Return(two)) => one == two,
        _ => false,
    };
    let is_same_step = |(one, two): (&Instruction, &Instruction)| {
        let is_same = match (one.op, two.op) {
            (Op::Const(Const::Null), Op::Const(Const::Null)) => true,
            (
                Op::Invoke { kind, method, arguments },
                Op::Invoke { kind: other, method: its, arguments: with },
            ) => {
                kind == other
                    && same_member(old, method, new, its)
                    && one_body.list(arguments) == two_body.list(with)
                    && first.is_known_call(kind, method)
            }
            (_, _) => false,
        };
        is_same && one.result == two.result
    };
    is_line
        && is_same_end
        && same(one.class, two.class)
        && same(one.descriptor, two.descriptor)
        && one_body.instructions.len() == two_body.instructions.len()
        && one_body.instructions.iter().zip(&two_body.instructions).all(is_same_step)
}

impl Engine<'_> {
    /// Whether a call runs the same code in the other version: a method of the platform that nobody can override, or
    /// one that is known not to have changed.
    fn is_known_call(&self, kind: InvokeKind, method: MethodRef) -> bool {
        let MethodRef { class, name, descriptor } = method;
        let Resolution::Found(found) = self.program.resolve_method(class, name, descriptor) else {
            return false;
        };
        let is_known = |it: MethodId| match self.program.role(it.class) {
            Role::Platform => true,
            Role::Known => false,
            Role::Judged => self.library.unchanged.is_some_and(|known| known.contains(&it)),
        };
        let (class, declared) = self.program.method(found);
        let is_fixed = kind == InvokeKind::Static
            || declared.access_flags.is_final()
            || class.access_flags.is_final();
        is_fixed && is_known(found)
    }
}
