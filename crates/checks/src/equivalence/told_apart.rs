//! Whether a program compares references to arrays or strings: then it matters which of two empty arrays, or of
//! two equal strings, it is.

use program::ir::{Body, Condition, Const, Edge, Op, Terminator, Value};
use program::{MethodDescriptor, MethodId, Program, Role, Type};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Solver, Term};
use symex::symbolic::EQUAL_STRINGS;

use super::asking::ask;
use super::proof::Both;
use crate::verdict::Scope;

impl Both<'_> {
    /// Adds to a proof that it takes equal strings for the same, unless there are none that it takes so. The
    /// solver knows what the proof rests on; `forms` take the place of symbols.
    pub(super) fn tell_strings(
        &mut self,
        solver: &mut Solver,
        forms: &FxHashMap<Term, Term>,
        scope: &mut Scope,
    ) {
        let taken = self.second.equal_strings.clone().unwrap_or_default();
        let terms = &mut self.second.space.terms;
        let taken = terms.or(&taken);
        let taken = terms.substitute(taken, forms, &mut FxHashMap::default());
        if !terms.is_false(taken) && !matches!(ask(&mut self.second, solver, taken), Ok(None)) {
            scope.assumptions.push(EQUAL_STRINGS.to_owned());
            scope.assumptions.sort();
        }
    }
}

/// Things that a program may tell apart by their references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Things {
    Arrays,
    Strings,
}

impl Things {
    fn are_of(self, program: &Program, ty: Type) -> bool {
        match self {
            Things::Arrays => ty.dimensions > 0,
            Things::Strings => ty == Type::class(program.known.string),
        }
    }
}

/// Whether some judged method does.
pub(super) fn compares(program: &Program, things: Things) -> bool {
    let classes = program.class_ids(Role::Judged).filter_map(|id| program.class(id));
    let methods: Vec<MethodId> =
        classes.flat_map(|class| class.methods().map(|(id, _)| id)).collect();
    methods.into_par_iter().any(|method| {
        let body = program.lower(method).ok().flatten();
        body.is_some_and(|body| compares_in(program, method, &body, things))
    })
}

fn compares_in(program: &Program, method: MethodId, body: &Body, things: Things) -> bool {
    let found = declared(program, method, body, things);
    let is_one = |value: &Value| found.contains(value);
    let by_reference = body.blocks.iter().any(|block| match &block.terminator {
        Terminator::If {
            condition: Condition::SameRef(a, b) | Condition::NotSameRef(a, b),
            ..
        } => is_one(a) || is_one(b),
        Terminator::If { .. }
        | Terminator::Goto(_)
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Throw(_) => false,
    });
    let names = &program.names;
    by_reference
        || body.instructions.iter().any(|instruction| match instruction.op {
            // The `equals` of an array is that of `Object`.
            Op::Invoke { method, arguments, .. } => {
                things == Things::Arrays
                    && &*names.text(method.name) == "equals"
                    && &*names.text(method.class) != "java/util/Arrays"
                    && body.list(arguments).iter().any(is_one)
            }
            _ => false,
        })
}

/// The values of a body that are declared as such things where they come from.
fn declared(program: &Program, method: MethodId, body: &Body, things: Things) -> FxHashSet<Value> {
    let names = &program.names;
    let is_one = |ty: Type| things.are_of(program, ty);
    let mut found: FxHashSet<Value> = FxHashSet::default();
    let (_, declared) = program.method(method);
    if let Some(descriptor) = MethodDescriptor::parse(names.bytes(declared.descriptor)) {
        let skipped = usize::from(!declared.access_flags.is_static());
        let types = descriptor.parameter_types(names);
        let parameters = body.parameters().skip(skipped).zip(types);
        found.extend(parameters.filter(|&(_, ty)| is_one(ty)).map(|(value, _)| value));
    }
    for instruction in &body.instructions {
        let is_made = match instruction.op {
            Op::NewArray { .. } | Op::NewMultiArray { .. } => things == Things::Arrays,
            Op::Const(Const::String(_)) => things == Things::Strings,
            Op::GetStatic(field) | Op::GetField(field, _) => {
                let descriptor = names.bytes(field.descriptor);
                Type::parse(descriptor, names).is_some_and(is_one)
            }
            Op::CheckCast(ty, _) => is_one(ty),
            Op::Invoke { method, .. } => {
                let descriptor = MethodDescriptor::parse(names.bytes(method.descriptor));
                descriptor.and_then(|it| it.result_type(names)).is_some_and(is_one)
            }
            _ => false,
        };
        found.extend(instruction.result.filter(|_| is_made));
    }
    while pass_on(body, &mut found) {}
    found
}

/// Adds what is one where ways meet; whether there was more.
fn pass_on(body: &Body, found: &mut FxHashSet<Value>) -> bool {
    let before = found.len();
    for block in &body.blocks {
        let mut pass = |edge: Edge| {
            let given = body.list(edge.arguments).iter();
            let taken = body.list(body.block(edge.target).parameters).iter();
            let passed: Vec<Value> = given
                .zip(taken)
                .filter(|(given, _)| found.contains(given))
                .map(|(_, &taken)| taken)
                .collect();
            found.extend(passed);
        };
        body.for_each_successor(block, &mut pass);
    }
    found.len() > before
}
