//! Comparators that are no class of the input: lambdas, method references and chains of
//! `Comparator.comparing`, where a static field keeps one or a static method hands one out.
//!
//! What the comparator is an object of shows when it is made: one of a judged class is judged there.

use program::ir::{Body, CallSite, Op, Terminator, Value};
use program::{Class, FieldId, MethodId, Program};

use super::message::simple_name;
use super::subjects::Subject;
use crate::witness::access::member_access;
use crate::witness::supply::{Want, member};
use crate::witness::{Access, Recipe};

/// Who hands out a comparator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    Field(FieldId),
    Method(MethodId),
}

impl Provider {
    /// How a caller gets the comparator.
    pub(super) fn recipe(self, program: &Program) -> Recipe {
        match self {
            Provider::Field(id) => {
                let (class, field) = program.field(id);
                let access = member_access(program, class, field.access_flags);
                Recipe::Constant(member(program, class, field.name, field.descriptor, access))
            }
            Provider::Method(id) => {
                let (class, method) = program.method(id);
                let access = member_access(program, class, method.access_flags);
                let method = member(program, class, method.name, method.descriptor, access);
                Recipe::Static { method, arguments: Vec::new() }
            }
        }
    }

    /// `Item.BY_RANK`, `Item.byRank()`.
    pub(super) fn name(self, program: &Program) -> String {
        let (class, member, end) = match self {
            Provider::Field(id) => (id.class, program.field(id).1.name, ""),
            Provider::Method(id) => (id.class, program.method(id).1.name, "()"),
        };
        format!("{}.{}{end}", simple_name(program, class), program.names.text(member))
    }

    /// The type of what is compared; `None` where nothing says.
    pub(super) fn compared(self, program: &Program) -> Option<Want> {
        let want = match self {
            Provider::Field(id) => Want::of_field(program, id),
            Provider::Method(id) => Want::of_result(program, id),
        };
        let Some(Want::Class { arguments, .. }) = want else { return None };
        arguments.first()?.want().cloned()
    }
}

/// The comparators that a class offers in fields and by methods without parameters.
pub(super) fn comparators(program: &Program, class: &Class) -> Vec<Subject> {
    let initialiser = class.methods().find(|(_, method)| method.name == program.known.clinit);
    let mut found = Vec::new();
    let is_open = |flags| member_access(program, class, flags) != Access::Closed;
    if let Some((id, _)) = initialiser
        && let Ok(Some(body)) = program.lower(id)
    {
        for (field, declared) in class.fields() {
            let flags = declared.access_flags;
            let is_kept = flags.is_static() && flags.is_final() && !flags.is_synthetic();
            if !is_kept || !is_open(flags) || !is_comparator(program, declared.descriptor) {
                continue;
            }
            let stored = body.instructions.iter().find_map(|instruction| match instruction.op {
                Op::PutStatic(target, value)
                    if target.class == class.name && target.name == declared.name =>
                {
                    Some(value)
                }
                _ => None,
            });
            let maker = stored.and_then(|value| maker(program, class, &body, value, id));
            found.extend(maker.map(|method| (Provider::Field(field), method)));
        }
    }
    for (id, declared) in class.methods() {
        let flags = declared.access_flags;
        let descriptor = program.names.bytes(declared.descriptor);
        let is_plain = flags.is_static() && !flags.is_synthetic() && is_open(flags);
        if !is_plain || descriptor != b"()Ljava/util/Comparator;" {
            continue;
        }
        let Ok(Some(body)) = program.lower(id) else { continue };
        let returned: Vec<Value> = body
            .blocks
            .iter()
            .filter_map(|block| match block.terminator {
                Terminator::Return(value) => value,
                _ => None,
            })
            .collect();
        if let [value] = returned[..] {
            let maker = maker(program, class, &body, value, id);
            found.extend(maker.map(|method| (Provider::Method(id), method)));
        }
    }
    let known = found.into_iter().filter(|(provider, _)| provider.compared(program).is_some());
    known.map(|(provider, method)| Subject::of_comparator(class.id, method, provider)).collect()
}

fn is_comparator(program: &Program, descriptor: program::Name) -> bool {
    program.names.bytes(descriptor) == b"Ljava/util/Comparator;"
}

/// The method whose code the comparator runs if it is a lambda of the class that captures nothing, else
/// the one that makes it; `None` where it is an object made elsewhere.
fn maker(
    program: &Program,
    class: &Class,
    body: &Body,
    value: Value,
    within: MethodId,
) -> Option<MethodId> {
    let made = body.instructions.iter().find(|it| it.result == Some(value))?;
    match made.op {
        Op::InvokeDynamic { call_site, arguments } => {
            let CallSite::Lambda(lambda) = &body.call_sites[call_site as usize] else {
                return None;
            };
            let target = lambda.implementation.member;
            let own = (target.class == class.name && body.list(arguments).is_empty())
                .then(|| class.declared_method(target.name, target.descriptor))
                .flatten();
            let own = own.filter(|&id| program.method(id).1.access_flags.is_static());
            Some(own.unwrap_or(within))
        }
        Op::Invoke { method, .. } => {
            let text = program.names.bytes(method.class);
            (text == b"java/util/Comparator").then_some(within)
        }
        _ => None,
    }
}
