//! Loops that go on until another thread changes something: waiting by asking again and again.

use program::FieldId;
use program::ir::{Compare, Condition, Instruction, InvokeKind, MethodRef, Op, Terminator, Value};
use rustc_hash::FxHashSet;

use super::Extraction;
use super::loops::{Exit, Loop, Origins, exits, find_loops};
use crate::locks::facts::{Held, Spin, What};
use crate::locks::primitives::{Ends, Primitive};

impl Extraction<'_> {
    /// What matters to proofs alone: what the body changes, and how it waits without a lock.
    pub(super) fn find_changes(&mut self, entered: &[Option<Held>]) {
        self.facts.written = self.written_fields();
        let instructions = &self.scene.body.instructions;
        self.facts.writes_array =
            instructions.iter().any(|it| matches!(it.op, Op::ArrayStore { .. }));
        if !self.scene.universe.is_platform(self.scene.method.class) {
            self.find_spins(entered);
            self.find_recursion();
        }
    }

    /// A body that begins anew with what it was given, and changes nothing: a loop by another name.
    fn find_recursion(&mut self) {
        let body = self.scene.body;
        let own = self.scene.method;
        let given: Vec<Value> = body.parameters().collect();
        let is_same = |pc: u16| {
            body.instructions.iter().any(|it| match it.op {
                Op::Invoke { arguments, .. } => it.pc == pc && body.list(arguments) == given,
                _ => false,
            })
        };
        let calls = self.facts.events.iter().filter_map(|event| match &event.what {
            What::Call(call) => Some((event, call)),
            _ => None,
        });
        let again = calls
            .clone()
            .find(|(event, call)| call.targets.methods.contains(&own) && is_same(event.pc));
        let Some((event, _)) = again.filter(|_| self.facts.written.is_empty()) else { return };
        let asked = calls.map(|(_, call)| call.resolved).filter(|it| *it != own).collect();
        let read = |it: &Instruction| match it.op {
            Op::GetField(field, _) | Op::GetStatic(field) => self.scene.resolve_field(&field),
            _ => None,
        };
        let fields = body.instructions.iter().filter_map(read).collect();
        let spin = Spin { asked, fields, ..Spin::at(event.pc, event.held) };
        self.facts.spins.push(spin);
    }

    /// Notes the loops that no turn of their own brings nearer to an end, as far as one body tells.
    fn find_spins(&mut self, entered: &[Option<Held>]) {
        let body = self.scene.body;
        let loops = find_loops(body);
        if loops.is_empty() {
            return;
        }
        let inside = loops.iter().flat_map(|it| &it.blocks).map(|&it| body.block(it));
        let instructions = inside.flat_map(|block| body.instructions_of(block));
        let calls = instructions.filter(|it| matches!(it.op, Op::Invoke { .. }));
        self.facts.repeated = calls.map(|it| it.pc).collect();
        let origins = Origins::new(body);
        for found in loops {
            let mut held = entered[found.header.index()].unwrap_or_default();
            for site in self.given_back_in(&found) {
                held.may.remove(site);
            }
            let spin = self.spin(&origins, &found, held);
            self.facts.spins.extend(spin);
        }
    }

    /// The locks that a turn gives back, at least if it does not succeed.
    fn given_back_in(&self, found: &Loop) -> Vec<usize> {
        let body = self.scene.body;
        let mut sites = Vec::new();
        for &id in &found.blocks {
            let block = body.block(id);
            let first = body.first_instruction(block);
            let numbers = (0..body.instructions_of(block).len()).map(|it| first + it as u32);
            let actions = numbers.filter_map(|number| self.actions.get(&number));
            sites.extend(actions.flat_map(|action| &action.gives_back));
        }
        sites
    }

    fn spin(&self, origins: &Origins<'_>, found: &Loop, held: Held) -> Option<Spin> {
        let body = self.scene.body;
        let by_failing = origins.repeats_by_failing(found);
        let mut spin = Spin { is_try: by_failing, ..Spin::at(body.block(found.header).pc, held) };
        let mut asking = Asking::default();
        let mut has_flag = false;
        for exit in &exits(body, found) {
            for value in tested(exit.terminator) {
                let is_try = origins.made_in(found, value).is_some_and(|op| self.is_try(&op));
                let cone = origins.cone(found, value);
                let is_bounded = !is_try && origins.is_passed_always(found, exit.block);
                if is_bounded && origins.goes_on(found, &cone) {
                    return None;
                }
                has_flag |= origins.is_kept_over(found, &cone);
                let is_failure = fails_on(exit) == Some(value);
                self.ask_all(origins, found, (value, is_failure), &mut spin, &mut asking)?;
            }
        }
        if has_flag && !spin.asks() && !asking.reads_array {
            // Some ways round set a local, and others do not: what decides between them is asked.
            spin.is_try |= origins.catches(found);
            for &block in &found.blocks {
                for value in tested(body.block(block).terminator) {
                    self.ask_all(origins, found, (value, false), &mut spin, &mut asking)?;
                }
            }
        }
        let asks = spin.asks() || asking.reads_array;
        (asks && self.stays(found, &asking, &mut spin)).then_some(spin)
    }

    /// Adds everything that a value depends on; `None` if each turn asks something else.
    fn ask_all(
        &self,
        origins: &Origins<'_>,
        found: &Loop,
        (value, is_failure): (Value, bool),
        spin: &mut Spin,
        asking: &mut Asking,
    ) -> Option<()> {
        if origins.made_in(found, value).is_some_and(|op| self.is_try(&op)) {
            // However long each attempt waits, and whatever it is told: nothing but others ends it.
            asking.values.insert(value);
            spin.is_try = true;
            return Some(());
        }
        let mut members: Vec<Value> = origins.cone(found, value).into_iter().collect();
        members.sort_unstable_by_key(|it| it.index());
        for value in members {
            let Some(op) = origins.made_in(found, value) else { continue };
            asking.values.insert(value);
            asking.reads_array |= matches!(op, Op::ArrayLoad { .. });
            let is_always = origins.is_made_always(found, value);
            if is_always && self.advances(origins, found, &op) {
                return None;
            }
            let is_failure = is_failure && is_always;
            self.ask(origins, found, &op, is_failure, spin, &mut asking.receivers)?;
        }
        Some(())
    }

    /// Whether it goes on with an iterator that was there before the loop.
    fn advances(&self, origins: &Origins<'_>, found: &Loop, op: &Op) -> bool {
        let Op::Invoke { method, arguments, .. } = op else { return false };
        let name = self.scene.universe.program.names.bytes(method.name);
        let receiver = self.scene.body.list(*arguments).first();
        matches!(name, b"next" | b"nextElement" | b"previous")
            && self.is_iterator(method)
            && receiver.is_some_and(|&it| origins.is_fixed(found, it))
    }

    fn is_iterator(&self, method: &MethodRef) -> bool {
        let program = self.scene.universe.program;
        let class = self.scene.universe.class(method.class);
        ["java/util/Iterator", "java/util/Enumeration"].iter().any(|name| {
            let above = program.find_class_text(name);
            class.zip(above).is_some_and(|(it, above)| program.is_subtype(it, above) == Some(true))
        })
    }

    /// Whether the operation attempts to take a lock, or to have read while nobody writes.
    fn is_try(&self, op: &Op) -> bool {
        let Op::Invoke { method, .. } = op else { return false };
        let names = &self.scene.universe.program.names;
        let validates = names.bytes(method.class) == b"java/util/concurrent/locks/StampedLock"
            && names.bytes(method.name) == b"validate";
        let primitive = self.primitive(method);
        let locks = matches!(
            primitive,
            Some(Primitive::Lock { blocks: false } | Primitive::Stamped { blocks: false, .. })
        );
        locks || validates
    }

    /// Adds what the operation reads; `None` if each turn asks something else.
    fn ask(
        &self,
        origins: &Origins<'_>,
        found: &Loop,
        op: &Op,
        is_failure: bool,
        spin: &mut Spin,
        receivers: &mut FxHashSet<Value>,
    ) -> Option<()> {
        match op {
            Op::GetField(field, _) | Op::GetStatic(field) => {
                spin.fields.extend(self.scene.resolve_field(field));
            }
            Op::Invoke { kind, method, arguments } => {
                let arguments = self.scene.body.list(*arguments);
                receivers.extend(arguments.first());
                let is_try = self.is_try(op);
                spin.is_try |= is_try;
                if is_failure && !is_try {
                    // What failed is tried again; with other arguments it is another attempt.
                    let is_same =
                        |it: &Value| origins.is_fixed(found, *it) || is_read(origins, found, *it);
                    let (receiver, others) =
                        arguments.split_at(usize::from(*kind != InvokeKind::Static));
                    let is_repeated = receiver.iter().all(is_same);
                    // What is made anew to be asked tells the same again; any other object is another attempt.
                    if !others.iter().all(is_same) || !is_repeated && !self.is_iterator(method) {
                        return None;
                    }
                    spin.is_attempt |= is_repeated;
                }
                let targets = self.targets(*kind, method, arguments);
                spin.asked.extend(targets.into_iter().map(|(resolved, _)| resolved));
            }
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::PutStatic(..)
            | Op::PutField(..)
            | Op::InvokeDynamic { .. }
            | Op::CheckCast(..)
            | Op::InstanceOf(..)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => {}
        }
        Some(())
    }

    /// Whether nothing in the loop itself changes what it asks for, as far as this body tells. A loop
    /// that waits for a signal is no spin.
    fn stays(&self, found: &Loop, asking: &Asking, spin: &mut Spin) -> bool {
        let body = self.scene.body;
        for &block in &found.blocks {
            for instruction in body.instructions_of(body.block(block)) {
                let is_asking = instruction.result.is_some_and(|it| asking.values.contains(&it));
                if is_asking {
                    continue;
                }
                if asking.reads_array && matches!(instruction.op, Op::ArrayStore { .. }) {
                    return false;
                }
                if let Some(field) = instruction.op.written_field() {
                    let written = self.scene.resolve_field(&field);
                    if written.is_none_or(|it| spin.fields.contains(&it)) {
                        return false;
                    }
                }
                if !self.leaves_alone(instruction, &asking.receivers, spin) {
                    return false;
                }
            }
        }
        true
    }

    fn leaves_alone(
        &self,
        instruction: &Instruction,
        receivers: &FxHashSet<Value>,
        spin: &mut Spin,
    ) -> bool {
        let Op::Invoke { kind, method, arguments } = instruction.op else { return true };
        let arguments = self.scene.body.list(arguments);
        match self.primitive(&method) {
            Some(
                Primitive::Wait { ends: Ends::Never, .. } | Primitive::Join { ends: Ends::Never },
            ) => {
                return false;
            }
            Some(Primitive::Wait { .. }) => {
                spin.is_timed = true;
                return true;
            }
            Some(_) => return true,
            None => {}
        }
        if arguments.first().is_some_and(|it| receivers.contains(it)) && !spin.is_try {
            return false;
        }
        let targets = self.targets(kind, &method, arguments);
        spin.called.extend(targets.iter().flat_map(|(_, targets)| targets.all()));
        true
    }

    /// Every field that the body writes.
    fn written_fields(&self) -> Vec<FieldId> {
        let written = |it: &Instruction| self.scene.resolve_field(&it.op.written_field()?);
        let mut fields: Vec<FieldId> =
            self.scene.body.instructions.iter().filter_map(written).collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }
}

/// Whether the value is read from one place in each turn, and may well be the same.
fn is_read(origins: &Origins<'_>, found: &Loop, value: Value) -> bool {
    match origins.made_in(found, value) {
        Some(Op::GetField(_, object)) => origins.is_fixed(found, object),
        Some(Op::GetStatic(_)) => true,
        Some(_) | None => false,
    }
}

/// What a loop asks for before it is left.
#[derive(Default)]
struct Asking {
    values: FxHashSet<Value>,
    /// What it calls methods on.
    receivers: FxHashSet<Value>,
    reads_array: bool,
}

/// The values that decide where it goes on.
fn tested(terminator: Terminator) -> Vec<Value> {
    match terminator {
        Terminator::If { condition, .. } => {
            let (first, second) = condition.operands();
            [Some(first), second].into_iter().flatten().collect()
        }
        Terminator::Switch { value, .. } => vec![value],
        Terminator::Goto(_) | Terminator::Return(_) | Terminator::Throw(_) => Vec::new(),
    }
}

/// The value that is false or null if the loop goes on.
fn fails_on(exit: &Exit) -> Option<Value> {
    let Terminator::If { condition, .. } = exit.terminator else { return None };
    let (value, fails_on_then) = match condition {
        Condition::IntToZero(Compare::Equal, value) | Condition::Null(value) => (value, true),
        Condition::IntToZero(Compare::NotEqual, value) | Condition::NotNull(value) => {
            (value, false)
        }
        Condition::Int(..)
        | Condition::IntToZero(..)
        | Condition::SameRef(..)
        | Condition::NotSameRef(..) => return None,
    };
    (exit.goes_on_by_then == fails_on_then).then_some(value)
}
