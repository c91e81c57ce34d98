//! Semaphores that are used as locks, taken in both orders or once too often.
//!
//! A semaphore counts as one if it never leaves its class and every method that gives a permit back has waited
//! for one before: then nobody comes to give back what threads wait for, once there is none. How many permits
//! there are is not asked: a program shows whether threads wait, and only that is told.

use program::ir::{Body, Dominators, MethodRef, Op, Terminator, Value};
use program::{ClassId, FieldId, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::describe::{Candidate, Doubt, finding};
use super::escape::note_uses;
use super::facts::What;
use super::names::{field_name, frame_name, method_name};
use super::path::{Root, Step};
use super::witness::{HangKind, permit_plan};
use crate::cycle::{Alternatives, Cycle, Group, Lock, LockKind, Place, Thread};

const SEMAPHORE: &[u8] = b"java/util/concurrent/Semaphore";

/// What a call on a semaphore does, of those that leave it where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Take,
    GiveBack,
}

fn act(program: &program::Program, method: &MethodRef) -> Option<Act> {
    match program.names.bytes(method.name) {
        _ if program.names.bytes(method.class) != SEMAPHORE => None,
        b"acquire" | b"acquireUninterruptibly" => Some(Act::Take),
        b"release" => Some(Act::GiveBack),
        _ => None,
    }
}

/// A permit that a method wants with another taken.
#[derive(Debug, Clone)]
struct Pair {
    entry: usize,
    held: FieldId,
    wanted: FieldId,
    /// The calls that lead there.
    stack: Vec<(usize, u16)>,
}

/// Circles of permits that programs may show.
pub(crate) fn find_permit_circles(context: &Context<'_>) -> Vec<Candidate> {
    /// Each that does not hang takes its time.
    const TRIED: usize = 3;
    let fields: FxHashSet<FieldId> =
        semaphores(context).into_iter().filter(|&field| is_kept_as_lock(context, field)).collect();
    if fields.is_empty() {
        return Vec::new();
    }
    let mut pairs: Vec<Pair> = Vec::new();
    for entry in 0..context.slice.methods.len() {
        let is_own = context.universe.is_judged(context.slice.methods[entry].class);
        if is_own && context.is_start(entry) {
            let mut walk =
                Walk { context, fields: &fields, entry, taken: Vec::new(), pairs: &mut pairs };
            walk.method(entry, &mut Vec::new());
        }
    }
    let alone = pairs.iter().filter(|it| it.held == it.wanted).map(|it| vec![it]);
    let both = pairs.iter().enumerate().flat_map(|(number, first)| {
        let closes = |it: &&Pair| (it.held, it.wanted) == (first.wanted, first.held);
        pairs[number..].iter().filter(closes).map(move |second| vec![first, second])
    });
    alone.chain(both).take(TRIED).map(|roles| tell(context, &roles)).collect()
}

/// The private and final fields of judged classes that hold a semaphore made for them.
fn semaphores(context: &Context<'_>) -> Vec<FieldId> {
    let program = context.universe.program;
    let classes: FxHashSet<ClassId> = context.slice.methods.iter().map(|it| it.class).collect();
    let judged = classes.into_iter().filter(|&it| context.universe.is_judged(it));
    let mut found = Vec::new();
    for class in judged.filter_map(|it| program.class(it)) {
        let hidden = class.fields().filter(|(_, it)| {
            let flags = it.access_flags;
            let descriptor = program.names.bytes(it.descriptor);
            flags.is_private()
                && flags.is_final()
                && descriptor.strip_prefix(b"L").and_then(|it| it.strip_suffix(b";"))
                    == Some(SEMAPHORE)
        });
        found.extend(hidden.map(|(id, _)| id));
    }
    found.retain(|&it| context.fields.of(it).is_some_and(|facts| facts.is_fresh));
    found.sort_unstable();
    found
}

/// Whether the semaphore stays in its class, and nobody gives back without having waited.
fn is_kept_as_lock(context: &Context<'_>, field: FieldId) -> bool {
    let program = context.universe.program;
    let outermost = |id: ClassId| {
        let name = program.names.text(program.class_name(id)).into_owned();
        name.split('$').next().unwrap_or_default().to_owned()
    };
    let own = outermost(field.class);
    let nest = context.universe.world.members().iter();
    let nest = nest.filter(|&&it| !context.universe.is_platform(it) && outermost(it) == own);
    nest.filter_map(|&it| program.class(it)).flat_map(|it| it.methods()).all(|(method, _)| {
        match program.lower(method) {
            Ok(Some(body)) => Uses { context, body: &body, field, method }.keep_to_it(),
            Ok(None) => true,
            Err(_) => false,
        }
    })
}

/// The uses of one semaphore in one body.
struct Uses<'a> {
    context: &'a Context<'a>,
    body: &'a Body,
    field: FieldId,
    method: MethodId,
}

impl Uses<'_> {
    fn keep_to_it(&self) -> bool {
        let Some(values) = self.values() else { return false };
        values.is_empty() || self.all_stay(&values) && self.all_waited_for(&values)
    }

    fn is_it(&self, field: &program::ir::FieldRef) -> bool {
        let program = self.context.universe.program;
        program.resolve_field(field.class, field.name, field.descriptor).found() == Some(self.field)
    }

    /// All names of the semaphore here; `None` if it may be that of another object, or one that was given.
    fn values(&self) -> Option<FxHashSet<Value>> {
        let program = self.context.universe.program;
        let is_static = program.method(self.method).1.access_flags.is_static();
        let this = self.body.parameters().next().filter(|_| !is_static);
        let made: FxHashMap<Value, Op> =
            self.body.instructions.iter().filter_map(|it| Some((it.result?, it.op))).collect();
        let mut values = FxHashSet::default();
        for instruction in &self.body.instructions {
            let value = match &instruction.op {
                Op::GetStatic(field) if self.is_it(field) => instruction.result?,
                Op::GetField(field, object) if self.is_it(field) => {
                    Some(*object).filter(|it| Some(*it) == this)?;
                    instruction.result?
                }
                Op::PutStatic(field, value) | Op::PutField(field, _, value)
                    if self.is_it(field) =>
                {
                    Some(*value).filter(|it| matches!(made.get(it), Some(Op::New(_))))?
                }
                _ => continue,
            };
            values.insert(value);
        }
        Some(values)
    }

    /// Whether it is called and put into its field, and nothing else.
    fn all_stay(&self, values: &FxHashSet<Value>) -> bool {
        let program = self.context.universe.program;
        let mut is_given = false;
        for instruction in &self.body.instructions {
            match &instruction.op {
                Op::PutStatic(field, _) | Op::PutField(field, ..) if self.is_it(field) => {}
                Op::CheckCast(_, value) => is_given |= values.contains(value),
                Op::Invoke { method, arguments, .. } => {
                    let arguments = self.body.list(*arguments);
                    let is_receiver = arguments.first().is_some_and(|it| values.contains(it));
                    let is_making = method.name == program.known.init;
                    is_given |= is_receiver && !is_making && act(program, method).is_none();
                    is_given |= arguments.iter().skip(1).any(|it| values.contains(it));
                }
                op => note_uses(self.body, op, |value, _| is_given |= values.contains(&value)),
            }
        }
        for block in &self.body.blocks {
            let mut passed = Vec::new();
            self.body
                .for_each_successor(block, |edge| passed.extend(self.body.list(edge.arguments)));
            for handler in self.body.handlers_of(block) {
                passed.extend(self.body.list(handler.edge.arguments));
            }
            if let Terminator::Return(Some(value)) = block.terminator {
                passed.push(value);
            }
            is_given |= passed.iter().any(|it| values.contains(it));
        }
        !is_given
    }

    /// Whether every way to where a permit is given back leads through a wait for one.
    fn all_waited_for(&self, values: &FxHashSet<Value>) -> bool {
        let program = self.context.universe.program;
        let dominators = Dominators::new(self.body);
        let mut taken = Vec::new();
        let mut given_back = Vec::new();
        for block in self.body.block_ids() {
            let instructions = self.body.instructions_of(self.body.block(block));
            for (number, instruction) in instructions.iter().enumerate() {
                let Op::Invoke { method, arguments, .. } = &instruction.op else { continue };
                let receiver = self.body.list(*arguments).first();
                match act(program, method)
                    .filter(|_| receiver.is_some_and(|it| values.contains(it)))
                {
                    Some(Act::Take) => taken.push((block, number)),
                    Some(Act::GiveBack) => given_back.push((block, number)),
                    None => {}
                }
            }
        }
        given_back.iter().all(|&(block, number)| {
            taken.iter().any(|&(above, before)| {
                if above == block { before < number } else { dominators.dominates(above, block) }
            })
        })
    }
}

/// What one method takes, in the order of its code, with what the methods take that it calls.
struct Walk<'a> {
    context: &'a Context<'a>,
    fields: &'a FxHashSet<FieldId>,
    entry: usize,
    taken: Vec<FieldId>,
    pairs: &'a mut Vec<Pair>,
}

impl Walk<'_> {
    fn method(&mut self, method: usize, stack: &mut Vec<(usize, u16)>) {
        const DEPTH: usize = 4;
        if stack.len() >= DEPTH {
            return;
        }
        let program = self.context.universe.program;
        for event in &self.context.slice.facts[method].events {
            let What::Call(call) = &event.what else { continue };
            stack.push((method, event.pc));
            let (class, called) = program.method(call.resolved);
            let named =
                MethodRef { class: class.name, name: called.name, descriptor: called.descriptor };
            let field =
                call.arguments.first().copied().flatten().and_then(|it| self.semaphore(it.path));
            match (act(program, &named), field) {
                (Some(Act::Take), Some(field)) => self.take(field, stack),
                (Some(Act::GiveBack), Some(field)) => {
                    if let Some(at) = self.taken.iter().rposition(|it| *it == field) {
                        self.taken.remove(at);
                    }
                }
                (Some(_), None) => {}
                (None, _) => {
                    if let [target] = call.targets.methods[..]
                        && let Some(callee) = self.context.slice.index(target)
                        && !self.context.universe.is_platform(target.class)
                    {
                        self.method(callee, stack);
                    }
                }
            }
            stack.pop();
        }
    }

    fn semaphore(&self, path: super::path::PathId) -> Option<FieldId> {
        let path = self.context.paths.of(path);
        let field = match (path.root, path.steps()) {
            (Root::Static(field), []) => field,
            (Root::Param(0), [Step::Field(field)]) => *field,
            _ => return None,
        };
        self.fields.contains(&field).then_some(field)
    }

    fn take(&mut self, wanted: FieldId, stack: &[(usize, u16)]) {
        for &held in &self.taken {
            let is_known = |it: &Pair| (it.entry, it.held, it.wanted) == (self.entry, held, wanted);
            if !self.pairs.iter().any(is_known) {
                self.pairs.push(Pair { entry: self.entry, held, wanted, stack: stack.to_vec() });
            }
        }
        self.taken.push(wanted);
    }
}

fn tell(context: &Context<'_>, roles: &[&Pair]) -> Candidate {
    let program = context.universe.program;
    let lock = |pair: &&Pair| {
        let is_static = program.field(pair.held).1.access_flags.is_static();
        Lock {
            kind: LockKind::Juc,
            place: if is_static { Place::StaticField } else { Place::Field },
            name: field_name(context, pair.held),
            type_name: "java.util.concurrent.Semaphore".to_owned(),
        }
    };
    let locks: Vec<Lock> = roles.iter().map(lock).collect();
    let thread = |(number, pair): (usize, &&Pair)| Thread {
        entry: method_name(context, context.slice.methods[pair.entry]),
        holds: number,
        wants: (number + 1) % roles.len(),
        stack: pair.stack.iter().map(|&(method, pc)| frame_name(context, method, pc)).collect(),
        alternatives: Alternatives::default(),
    };
    let threads = roles.iter().enumerate().map(thread).collect();
    let name = locks[0].name.clone();
    let is_one = roles.iter().all(|it| it.held == it.wanted);
    let cycle = Cycle {
        locks,
        threads,
        containers: Vec::new(),
        group: if is_one && roles.len() > 1 { Group::TwoInstances } else { Group::Pair },
        pruned: None,
        change: None,
    };
    let mut finding = finding(context, roles[0].entry, cycle, roles.len() as u32);
    match (is_one, roles.len()) {
        (true, 1) => {
            finding.message = format!(
                "A thread that has taken the last permit of {name} wants one more, and waits for itself \
                 forever."
            );
        }
        (true, _) => {
            finding.message = format!(
                "Threads that have each taken a permit of {name} and want one more can wait for each \
                 other forever."
            );
        }
        (false, _) => {}
    }
    let kind = if roles.len() == 1 { HangKind::Alone } else { HangKind::Locks };
    let places: Vec<(usize, (usize, u16))> =
        roles.iter().filter_map(|pair| Some((pair.entry, *pair.stack.last()?))).collect();
    let plans = vec![permit_plan(context, kind, &places)];
    Candidate { finding, plans, doubt: Some(Doubt::Hunch), variants: Vec::new() }
}
