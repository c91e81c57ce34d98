//! Lambdas of two runs that stand for each other: the same interface, implemented by the same code, with
//! the same values captured.

use program::ir::{Lambda, MethodRef};
use program::{HandleKind, Kind, MethodDescriptor, Name, Program, Resolution, Role};
use smt::Term;

use super::Engine;
use super::compare::{Compared, Comparison, Moment};
use super::retyped::called_alike;

impl Comparison<'_, '_, '_, '_> {
    pub(super) fn compare_lambdas(
        &mut self,
        (one, two): (u32, u32),
        is_called_only: bool,
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        let (one, two) = (&self.first.closures[one as usize], &self.second.closures[two as usize]);
        let captured: Vec<(Term, Term)> =
            one.captured.iter().copied().zip(two.captured.iter().copied()).collect();
        let is_same = one.captured.len() == two.captured.len()
            && (same_lambda((self.first, &one.lambda), (self.second, &two.lambda))
                || is_called_only
                    && called_alike((self.first, &one.lambda), (self.second, &two.lambda)));
        let kinds = captured_kinds(self.second.program, &two.lambda);
        let Some(kinds) = kinds.filter(|kinds| is_same && kinds.len() >= captured.len()) else {
            // Two versions may give the same name to different code.
            self.differences.push(guard);
            return Ok(());
        };
        for ((one, two), kind) in captured.into_iter().zip(kinds) {
            self.compare_values(kind, one, two, guard, moment)?;
        }
        Ok(())
    }
}

/// What an implementation takes, the receiver first: captured values are the first of it.
fn captured_kinds(program: &Program, lambda: &Lambda) -> Option<Vec<Kind>> {
    let handle = &lambda.implementation;
    let receiver = match handle.kind {
        HandleKind::InvokeVirtual | HandleKind::InvokeSpecial | HandleKind::InvokeInterface => {
            Some(Kind::Ref)
        }
        HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial => None,
        HandleKind::GetField
        | HandleKind::GetStatic
        | HandleKind::PutField
        | HandleKind::PutStatic => return None,
    };
    let descriptor = MethodDescriptor::parse(program.names.bytes(handle.member.descriptor))?;
    Some(receiver.into_iter().chain(descriptor.parameter_kinds()).collect())
}

fn same_lambda(
    (first, one): (&Engine<'_>, &Lambda),
    (second, two): (&Engine<'_>, &Lambda),
) -> bool {
    let same =
        |one: Name, two: Name| first.program.names.text(one) == second.program.names.text(two);
    let all_same = |one: &[Name], two: &[Name]| {
        one.len() == two.len() && one.iter().zip(two).all(|(&one, &two)| same(one, two))
    };
    let (code, other) = (&one.implementation, &two.implementation);
    let member = |it: MethodRef| [it.class, it.name, it.descriptor];
    all_same(
        &[one.interface, one.method, one.descriptor, one.instantiated],
        &[two.interface, two.method, two.descriptor, two.instantiated],
    ) && all_same(&one.markers, &two.markers)
        && all_same(&one.bridges, &two.bridges)
        && one.is_serializable == two.is_serializable
        && code.kind == other.kind
        && code.is_interface == other.is_interface
        && all_same(&member(code.member), &member(other.member))
        && first.is_known_code(one)
        && first.code_of(one).is_some_and(|code| Some(code) == second.code_of(two))
}

impl Engine<'_> {
    /// Whose code a lambda runs, by name and role of the class.
    pub(super) fn code_of(&self, lambda: &Lambda) -> Option<(String, Role)> {
        let MethodRef { class, name, descriptor } = lambda.implementation.member;
        let method = self.program.resolve_method(class, name, descriptor).found()?;
        Some((self.method_text(method), self.program.role(method.class)))
    }

    /// Whether what a lambda calls is the same in the other version: code of the platform, or a method that
    /// is known not to have changed and that nobody overrides.
    pub(super) fn is_known_code(&self, lambda: &Lambda) -> bool {
        let MethodRef { class, name, descriptor } = lambda.implementation.member;
        let Resolution::Found(method) = self.program.resolve_method(class, name, descriptor) else {
            return false;
        };
        let (class, declared) = self.program.method(method);
        let flags = declared.access_flags;
        match self.program.role(class.id) {
            Role::Platform => true,
            Role::Known => false,
            Role::Judged => {
                let is_fixed = match lambda.implementation.kind {
                    HandleKind::InvokeStatic
                    | HandleKind::InvokeSpecial
                    | HandleKind::NewInvokeSpecial => true,
                    _ => flags.is_final() || flags.is_private() || class.access_flags.is_final(),
                };
                is_fixed && self.library.unchanged.is_some_and(|it| it.contains(&method))
            }
        }
    }
}
