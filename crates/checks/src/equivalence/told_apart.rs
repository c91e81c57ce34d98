//! Whether a program compares references to arrays: then it matters which of two empty ones it is.

use program::ir::{Body, Condition, Edge, Op, Terminator, Value};
use program::{MethodDescriptor, MethodId, Program, Role};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// Whether some judged method does.
pub(super) fn compares_arrays(program: &Program) -> bool {
    let classes = program.class_ids(Role::Judged).filter_map(|id| program.class(id));
    let methods: Vec<MethodId> =
        classes.flat_map(|class| class.methods().map(|(id, _)| id)).collect();
    methods.into_par_iter().any(|method| {
        let body = program.lower(method).ok().flatten();
        body.is_some_and(|body| compares(program, method, &body))
    })
}

fn compares(program: &Program, method: MethodId, body: &Body) -> bool {
    let arrays = arrays(program, method, body);
    let is_array = |value: &Value| arrays.contains(value);
    let by_reference = body.blocks.iter().any(|block| match &block.terminator {
        Terminator::If {
            condition: Condition::SameRef(a, b) | Condition::NotSameRef(a, b),
            ..
        } => is_array(a) || is_array(b),
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
                &*names.text(method.name) == "equals"
                    && &*names.text(method.class) != "java/util/Arrays"
                    && body.list(arguments).iter().any(is_array)
            }
            _ => false,
        })
}

/// The values of a body that are declared as arrays where they come from.
fn arrays(program: &Program, method: MethodId, body: &Body) -> FxHashSet<Value> {
    let names = &program.names;
    let is_array = |descriptor| names.bytes(descriptor).starts_with(b"[");
    let mut found: FxHashSet<Value> = FxHashSet::default();
    let (_, declared) = program.method(method);
    if let Some(descriptor) = MethodDescriptor::parse(names.bytes(declared.descriptor)) {
        let skipped = usize::from(!declared.access_flags.is_static());
        let types = descriptor.parameter_types(names);
        let parameters = body.parameters().skip(skipped).zip(types);
        found.extend(parameters.filter(|(_, ty)| ty.dimensions > 0).map(|(value, _)| value));
    }
    for instruction in &body.instructions {
        let is_made = match instruction.op {
            Op::NewArray { .. } | Op::NewMultiArray { .. } => true,
            Op::GetStatic(field) | Op::GetField(field, _) => is_array(field.descriptor),
            Op::CheckCast(ty, _) => ty.dimensions > 0,
            Op::Invoke { method, .. } => {
                let descriptor = MethodDescriptor::parse(names.bytes(method.descriptor));
                let result = descriptor.and_then(|it| it.result_type(names));
                result.is_some_and(|ty| ty.dimensions > 0)
            }
            _ => false,
        };
        found.extend(instruction.result.filter(|_| is_made));
    }
    while pass_on(body, &mut found) {}
    found
}

/// Adds what is an array where ways meet; whether there was more.
fn pass_on(body: &Body, found: &mut FxHashSet<Value>) -> bool {
    let before = found.len();
    for block in &body.blocks {
        let mut pass = |edge: Edge| {
            let given = body.list(edge.arguments).iter();
            let taken = body.list(body.block(edge.target).parameters).iter();
            let arrays: Vec<Value> = given
                .zip(taken)
                .filter(|(given, _)| found.contains(given))
                .map(|(_, &taken)| taken)
                .collect();
            found.extend(arrays);
        };
        body.for_each_successor(block, &mut pass);
    }
    found.len() > before
}
