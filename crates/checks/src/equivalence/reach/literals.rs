//! What is done with a class as a value: whether anybody asks for more than its name, its place among
//! arrays and which objects are of it. A class is looked after through the methods that give back the class
//! of elements or the class itself, and into judged methods that no subclass overrides. What is returned,
//! kept or handed to others may be asked for anything.

use program::ir::{Block, Body, CallSite, InvokeKind, MethodRef, Op, Terminator, Value};
use program::{MethodId, Role};

use super::Universe;

/// Methods of `Class` that say nothing of its members.
const PLAIN: [&str; 12] = [
    "getName",
    "getSimpleName",
    "getTypeName",
    "getCanonicalName",
    "getPackageName",
    "getClassLoader",
    "desiredAssertionStatus",
    "isInstance",
    "isArray",
    "isPrimitive",
    "cast",
    "hashCode",
];

/// Methods that give back a class of which the same is to be asked.
const PASSING: [&str; 4] = ["getComponentType", "componentType", "arrayType", "requireNonNull"];

/// How far a class is followed from call to call.
const MOST_CALLS: usize = 3;

impl Universe<'_> {
    /// Whether a class is asked for nothing that its members decide.
    pub(super) fn is_named_only(&self, body: &Body, class: Value) -> bool {
        self.is_named_in(body, class, MOST_CALLS)
    }

    fn is_named_in(&self, body: &Body, class: Value, calls_left: usize) -> bool {
        for instruction in &body.instructions {
            let mut is_used = false;
            instruction.op.for_each_operand(body, |value| is_used |= value == class);
            if !is_used {
                continue;
            }
            let goes_on = |result: Option<Value>| {
                result.is_none_or(|it| calls_left > 0 && self.is_named_in(body, it, calls_left - 1))
            };
            let is_plain = match instruction.op {
                Op::Invoke { kind, method, arguments } => {
                    let arguments = body.list(arguments);
                    match self.asked_by(method) {
                        Asked::Nothing => true,
                        Asked::Same => goes_on(instruction.result),
                        Asked::Unknown => {
                            calls_left > 0
                                && self.callee(kind, method).is_some_and(|callee| {
                                    self.is_named_below(callee, (arguments, class), calls_left - 1)
                                })
                        }
                    }
                }
                Op::CheckCast(..) => goes_on(instruction.result),
                Op::InstanceOf(..) => true,
                Op::InvokeDynamic { call_site, .. } => {
                    matches!(body.call_sites[call_site as usize], CallSite::Concat(_))
                }
                _ => false,
            };
            if !is_plain {
                return false;
            }
        }
        let is_passed = |block: &Block| {
            let mut is_passed = false;
            body.for_each_successor(block, |edge| {
                is_passed |= body.list(edge.arguments).contains(&class);
            });
            is_passed
                || matches!(block.terminator, Terminator::Return(Some(value)) if value == class)
        };
        !body.blocks.iter().any(is_passed)
    }

    /// Whether a judged method asks the class that it is given for nothing more.
    fn is_named_below(
        &self,
        callee: MethodId,
        (arguments, class): (&[Value], Value),
        calls_left: usize,
    ) -> bool {
        let Ok(Some(body)) = self.program.lower(callee) else { return false };
        let given: Vec<Value> = body.parameters().collect();
        given.len() == arguments.len()
            && arguments
                .iter()
                .zip(given)
                .filter(|(argument, _)| **argument == class)
                .all(|(_, given)| self.is_named_in(&body, given, calls_left))
    }

    /// The judged code that a call runs, if it is known.
    fn callee(&self, kind: InvokeKind, method: MethodRef) -> Option<MethodId> {
        let program = self.program;
        let found = program.resolve_method(method.class, method.name, method.descriptor).found()?;
        let is_known = kind == InvokeKind::Static
            || kind == InvokeKind::Special
            || program.method(found).1.access_flags.is_private();
        (is_known && program.role(found.class) == Role::Judged).then_some(found)
    }

    /// What a method of the platform asks a class for.
    fn asked_by(&self, method: MethodRef) -> Asked {
        let names = &self.program.names;
        let name = names.text(method.name);
        match &*names.text(method.class) {
            "java/lang/Class" if PLAIN.contains(&&*name) => Asked::Nothing,
            "java/lang/Class" | "java/util/Objects" if PASSING.contains(&&*name) => Asked::Same,
            // What a class is called.
            "java/lang/String" | "java/lang/StringBuilder" => Asked::Nothing,
            "java/lang/reflect/Array" if &*name == "newInstance" => Asked::Nothing,
            _ if &*name == "equals" => Asked::Nothing,
            _ => Asked::Unknown,
        }
    }
}

enum Asked {
    /// For nothing that its members decide.
    Nothing,
    /// For a class, of which the same is to be asked.
    Same,
    Unknown,
}
