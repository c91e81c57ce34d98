//! What each instruction means once it is known which locks are held.

use program::ir::{
    BlockId, Body, CallSite, Const, Dominators, Instruction, InvokeKind, MethodHandle, MethodRef,
    Op, Terminator, UnaryOp, Value,
};
use program::{ClassId, HandleKind, Kind, MethodId, Names};

use super::Extraction;
use crate::locks::facts::{Call, Creation, Event, Held, LambdaSite, Spawn, Store, What};
use crate::locks::path::{Lock, Mode, Root, Step, Val};
use crate::locks::primitives::{Ends, Primitive, QueueOperation, queue_operation};
use crate::locks::values::{extend, handle_target};

impl Extraction<'_> {
    pub(super) fn record_instruction(
        &mut self,
        number: u32,
        instruction: &Instruction,
        held: Held,
    ) {
        let pc = instruction.pc;
        if let Some(action) = self.actions.get(&number) {
            let taken = action.takes.iter().filter(|_| action.wants);
            for site in taken.chain(&action.touches).copied().collect::<Vec<_>>() {
                self.push(pc, held, What::Acquire(site));
            }
        }
        let universe = self.scene.universe;
        match instruction.op {
            Op::New(class) => self.record_init(pc, held, universe.class(class)),
            Op::GetStatic(field) => self.record_static(pc, held, &field),
            Op::PutStatic(field, value) => {
                self.record_static(pc, held, &field);
                self.record_store(&field, None, value);
            }
            Op::PutField(field, object, value) => self.record_store(&field, Some(object), value),
            Op::Invoke { kind, method, arguments } => {
                let arguments = self.body().list(arguments).to_vec();
                self.record_call(number, pc, held, kind, &method, &arguments);
            }
            Op::InvokeDynamic { call_site, arguments } => {
                let captured = self.body().list(arguments).to_vec();
                self.record_lambda(pc, call_site, &captured);
                self.record_hidden_calls(number, pc, held, call_site, &captured);
            }
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetField(..)
            | Op::CheckCast(..)
            | Op::InstanceOf(..)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => {}
        }
    }

    pub(super) fn push(&mut self, pc: u16, held: Held, what: What) {
        self.facts.events.push(Event { pc, held, what });
    }

    pub(super) fn record_static(&mut self, pc: u16, held: Held, field: &program::ir::FieldRef) {
        let found = self.scene.resolve_field(field);
        self.record_init(pc, held, found.map(|id| id.class));
    }

    /// JVMS 5.5. A class that is initialised, or being so by this thread, whenever this code runs
    /// does not count: its own and those above it.
    pub(super) fn record_init(&mut self, pc: u16, held: Held, class: Option<ClassId>) {
        let Some(class) = class else { return };
        let own = self.scene.method.class;
        let universe = self.universe();
        // An interface without code is not initialised with those below it.
        let is_under_way = universe.program.is_subtype(own, class) == Some(true)
            && universe.initialised_with(own).contains(&class);
        if !universe.has_initialiser(class) {
            return;
        }
        if is_under_way {
            self.note_own_class(class);
            return;
        }
        if self.initialised.insert((class, held)) {
            self.push(pc, held, What::Init(class));
        }
    }

    /// An object may be known before its class is initialised, and then its methods wait for that.
    fn note_own_class(&mut self, class: ClassId) {
        let program = self.universe().program;
        let (_, method) = program.method(self.scene.method);
        let is_known_before = !method.access_flags.is_static() && method.name != program.known.init;
        if is_known_before && !self.facts.own_classes.contains(&class) {
            self.facts.own_classes.push(class);
        }
    }

    pub(super) fn record_store(
        &mut self,
        field: &program::ir::FieldRef,
        object: Option<Value>,
        value: Value,
    ) {
        if self.body().kind(value) != program::Kind::Ref {
            return;
        }
        let Some(field) = self.scene.resolve_field(field) else { return };
        let object = object.and_then(|object| self.values.of(object));
        for value in self.stored(value) {
            self.facts.stores.push(Store { field, object, value });
        }
    }

    pub(super) fn stored(&self, value: Value) -> Vec<Option<Val>> {
        let choices = self.values.choices(value);
        if choices.is_empty() { vec![None] } else { choices.into_iter().map(Some).collect() }
    }

    pub(super) fn record_call(
        &mut self,
        number: u32,
        pc: u16,
        held: Held,
        kind: InvokeKind,
        method: &MethodRef,
        arguments: &[Value],
    ) {
        let universe = self.scene.universe;
        if kind == InvokeKind::Static {
            let resolved = self.scene.resolve(method).0;
            self.record_init(pc, held, resolved.map(|id| id.class));
        }
        if let Some(class) = self.class_for_name(method, arguments) {
            self.record_init(pc, held, Some(class));
        }
        self.record_providers(number, pc, held, method, arguments);
        let receiver = arguments.first().and_then(|&it| self.values.of(it));
        self.record_latch(number, pc, held, method, receiver);
        if let Some(primitive) = self.primitive(method) {
            self.record_primitive(number, pc, held, primitive, arguments);
            self.record_thread_join(pc, held, method, receiver);
            return;
        }
        // The one method of arrays runs no code of anyone.
        if universe.program.names.bytes(method.class).starts_with(b"[") {
            return;
        }
        let Some((resolved, targets)) = self.targets(kind, method, arguments) else {
            let program = universe.program;
            let class = program.class_text(method.class);
            let name = format!("{class}.{}()", program.names.text(method.name));
            self.facts.missing.push((pc, held, name));
            return;
        };
        let vals: Box<[Option<Val>]> =
            arguments.iter().map(|&value| self.values.of(value)).collect();
        let program = universe.program;
        if method.name == program.known.init
            && let Some(Val { path, class: Some(class), .. }) = vals.first().copied().flatten()
            && let Root::Alloc(_, pc) = self.scene.paths.of(path).root
        {
            let arguments = vals.clone();
            self.facts.creations.push(Creation { pc, class, constructor: resolved, arguments });
        }
        self.record_queue(number, pc, held, method, vals.first().copied().flatten());
        let call = Call {
            resolved,
            is_virtual: matches!(kind, InvokeKind::Virtual | InvokeKind::Interface),
            targets,
            arguments: vals,
            number,
        };
        self.push(pc, held, What::Call(Box::new(call)));
    }

    /// Waits of a queue of the library, and what ends them. What is only done under some condition may
    /// well have looked before.
    fn record_queue(
        &mut self,
        number: u32,
        pc: u16,
        held: Held,
        method: &MethodRef,
        queue: Option<Val>,
    ) {
        let names = &self.universe().program.names;
        let operation = queue_operation(names.bytes(method.class), names.bytes(method.name));
        let (Some(QueueOperation { puts, waits }), Some(queue)) = (operation, queue) else {
            return;
        };
        let signal = |of_room: bool| {
            let step = if of_room { Step::WriteLock } else { Step::ReadLock };
            let path = extend(self.scene.paths, queue.path, step)?;
            Some(Lock { val: Val { path, class: None, exact: false }, mode: Mode::Signal })
        };
        let (Some(awaited), Some(sent)) = (signal(puts), signal(!puts)) else { return };
        if waits && held.must.iter().next().is_some() && self.is_always_run(number) {
            self.push(pc, held, What::Wait { on: awaited, timed: false });
        }
        self.push(pc, held, What::Notify { on: sent });
    }

    /// A latch is waited for until somebody counts it down.
    fn record_latch(
        &mut self,
        number: u32,
        pc: u16,
        held: Held,
        method: &MethodRef,
        latch: Option<Val>,
    ) {
        let names = &self.universe().program.names;
        if names.bytes(method.class) != b"java/util/concurrent/CountDownLatch" {
            return;
        }
        let path = latch.and_then(|it| extend(self.scene.paths, it.path, Step::ReadLock));
        let Some(path) = path else { return };
        let on = Lock { val: Val { path, class: None, exact: false }, mode: Mode::Signal };
        let is_kept = held.must.iter().next().is_some();
        match (names.bytes(method.name), names.bytes(method.descriptor)) {
            (b"await", b"()V") if is_kept && self.is_always_run(number) => {
                self.push(pc, held, What::Wait { on, timed: false });
            }
            (b"countDown", _) => self.push(pc, held, What::Notify { on }),
            _ => {}
        }
    }

    /// Whether the method does not return without having come here.
    fn is_always_run(&self, number: u32) -> bool {
        let body = self.body();
        let dominators = Dominators::new(body);
        let is_here = |id: &BlockId| {
            let block = body.block(*id);
            let first = body.first_instruction(block);
            (first..first + body.instructions_of(block).len() as u32).contains(&number)
        };
        let Some(here) = body.block_ids().find(is_here) else { return false };
        let returns = |id: &BlockId| matches!(body.block(*id).terminator, Terminator::Return(_));
        body.block_ids().filter(returns).all(|id| dominators.dominates(here, id))
    }

    /// The class that `Class.forName` of a literal initialises.
    pub(super) fn class_for_name(
        &self,
        method: &MethodRef,
        arguments: &[Value],
    ) -> Option<ClassId> {
        let program = self.universe().program;
        let names = &program.names;
        if names.bytes(method.name) != b"forName" || names.bytes(method.class) != b"java/lang/Class"
        {
            return None;
        }
        let path = self.scene.paths.of(self.values.of(*arguments.first()?)?.path);
        let says_so = |flag: &Value| {
            let made = self.body().instructions.iter().find(|it| it.result == Some(*flag));
            matches!(made.map(|it| it.op), Some(Op::Const(Const::Int(1))))
        };
        // With a loader, a flag says whether the class is initialised.
        if arguments.len() == 3 && !arguments.get(1).is_some_and(says_so) {
            return None;
        }
        match path.root {
            Root::Text(text) => program.find_class_text(&names.text(text).replace('.', "/")),
            Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Alloc(..)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown => None,
        }
    }

    /// Who waits for a thread gives its monitor back meanwhile, however often it is held. Whether that ends is
    /// told apart.
    fn record_thread_join(
        &mut self,
        pc: u16,
        held: Held,
        method: &MethodRef,
        receiver: Option<Val>,
    ) {
        let is_join = self.universe().program.names.bytes(method.name) == b"join";
        if let Some(thread) = receiver.filter(|_| is_join && self.locks_receiver(method)) {
            let on = self.waited_on(thread, Mode::Monitor);
            self.push(pc, held, What::Wait { on, timed: true });
        }
    }

    pub(super) fn record_primitive(
        &mut self,
        number: u32,
        pc: u16,
        held: Held,
        primitive: Primitive,
        arguments: &[Value],
    ) {
        let receiver = arguments.first().and_then(|&value| self.values.of(value));
        match primitive {
            Primitive::Wait { of, ends } => {
                if let Some(val) = receiver {
                    let on = self.waited_on(val, of);
                    let timed = self.ends_in_time(pc, held, ends, &arguments[1..]);
                    self.push(pc, held, What::Wait { on, timed });
                }
            }
            Primitive::Notify { of } => {
                if let Some(val) = receiver {
                    let on = self.waited_on(val, of);
                    self.push(pc, held, What::Notify { on });
                }
            }
            Primitive::Join { ends } => {
                let times = arguments.get(1..).unwrap_or_default();
                if !self.ends_in_time(pc, held, ends, times) {
                    // Of a static method it is not known whom it waits for.
                    let path = self.scene.paths.root(Root::Result(number));
                    let anybody = Val { path, class: None, exact: false };
                    self.push(pc, held, What::Join(receiver.unwrap_or(anybody)));
                }
            }
            Primitive::Start => {
                let arguments = arguments.iter().map(|&value| self.values.of(value)).collect();
                self.push(pc, held, What::Spawn(Box::new(Spawn { number, arguments })));
            }
            Primitive::Run => {
                let tasks = arguments.iter().map(|&value| self.values.of(value)).collect();
                self.push(pc, held, What::Spawn(Box::new(Spawn { number, arguments: tasks })));
                let path = self.scene.paths.root(Root::Result(number));
                self.push(pc, held, What::Join(Val { path, class: None, exact: false }));
            }
            Primitive::Lock { .. }
            | Primitive::Unlock
            | Primitive::ReadLock
            | Primitive::WriteLock
            | Primitive::Condition
            | Primitive::Stamped { .. }
            | Primitive::Unstamp(_) => {}
        }
    }

    /// Whether a wait ends by itself; where its time may be none at all, that is noted.
    fn ends_in_time(&mut self, pc: u16, held: Held, ends: Ends, times: &[Value]) -> bool {
        let known: Vec<Option<i64>> = times.iter().map(|&it| number(self.body(), it)).collect();
        match ends {
            Ends::Never => false,
            Ends::InTime => true,
            Ends::UnlessZero if known.iter().all(|&it| it == Some(0)) => false,
            Ends::UnlessZero => {
                let names = &self.scene.universe.program.names;
                let least = |&it: &Value| at_least(names, self.body(), it);
                if !times.iter().filter_map(least).any(|it| it > 0) {
                    self.facts.open_times.push((pc, held));
                }
                true
            }
        }
    }

    /// The lock that waiting gives back: the monitor itself, or the one that a condition belongs to.
    pub(super) fn waited_on(&self, val: Val, of: Mode) -> Lock {
        let path = self.scene.paths.of(val.path);
        match (path.last(), path.base()) {
            (Some(Step::Condition), Some(base)) => {
                let val = Val { path: self.scene.paths.intern(base), class: None, exact: false };
                self.juc_lock(val, None)
            }
            _ => Lock { val, mode: of },
        }
    }

    /// What an instruction calls that the JVM links itself: `toString` of what a text is made of.
    fn record_hidden_calls(
        &mut self,
        number: u32,
        pc: u16,
        held: Held,
        call_site: u32,
        operands: &[Value],
    ) {
        let universe = self.scene.universe;
        let program = universe.program;
        match &self.scene.body.call_sites[call_site as usize] {
            CallSite::Concat(_) => {}
            CallSite::RecordMethod { .. } => {
                let what = "methods of the components of a record".to_owned();
                self.facts.missing.push((pc, held, what));
                return;
            }
            CallSite::Unknown(_) => {
                self.facts.missing.push((pc, held, "what only the JVM links".to_owned()));
                return;
            }
            CallSite::Lambda(_)
            | CallSite::TypeSwitch(_)
            | CallSite::EnumSwitch(_)
            | CallSite::MethodHandle(_)
            | CallSite::Null
            | CallSite::PrimitiveClass(_)
            | CallSite::EnumConstant { .. }
            | CallSite::StaticFinal { .. }
            | CallSite::InvokeConstant { .. } => return,
        }
        let names = &program.names;
        let (name, descriptor) = (names.intern(b"toString"), names.intern(b"()Ljava/lang/String;"));
        let found = program.resolve_method(program.known.object, name, descriptor).found();
        let Some(resolved) = found else { return };
        for &operand in operands {
            if self.body().kind(operand) != program::Kind::Ref {
                continue;
            }
            let Some(val) = self.values.of(operand) else { continue };
            let class = val.class.unwrap_or(resolved.class);
            if universe.is_platform(class) && universe.is_plain(class) {
                continue;
            }
            let targets = universe.targets(class, val.exact, resolved);
            let arguments = Box::from([Some(val)]);
            let call = Call { resolved, targets, is_virtual: true, arguments, number };
            self.push(pc, held, What::Call(Box::new(call)));
        }
    }

    pub(super) fn record_lambda(&mut self, pc: u16, call_site: u32, captured: &[Value]) {
        let universe = self.scene.universe;
        let CallSite::Lambda(lambda) = &self.scene.body.call_sites[call_site as usize] else {
            return;
        };
        let Some(interface) = universe.class(lambda.interface) else { return };
        let Some(target) = handle_target(universe, &lambda.implementation) else { return };
        let captured: Box<[Option<Val>]> =
            captured.iter().map(|&value| self.values.of(value)).collect();
        let overriding = self.overriding(&lambda.implementation, target, &captured);
        for target in [target].into_iter().chain(overriding) {
            let captured = captured.clone();
            self.facts.lambdas.push(LambdaSite { pc, interface, target, captured });
        }
    }

    /// What a reference to a method may run instead of it; the receiver is captured, or handed over later.
    fn overriding(
        &self,
        handle: &MethodHandle,
        referred: MethodId,
        captured: &[Option<Val>],
    ) -> Vec<MethodId> {
        let universe = self.scene.universe;
        let is_virtual =
            matches!(handle.kind, HandleKind::InvokeVirtual | HandleKind::InvokeInterface);
        if !is_virtual || universe.is_all_judged() {
            return Vec::new();
        }
        let receiver = captured.first().copied().flatten();
        let class = receiver.and_then(|it| it.class).unwrap_or(referred.class);
        let targets = universe.targets(class, receiver.is_some_and(|it| it.exact), referred);
        let is_other = |it: &MethodId| *it != referred && !universe.is_platform(it.class);
        targets.all().filter(is_other).collect()
    }
}

/// The number that a value always is.
fn number(body: &Body, value: Value) -> Option<i64> {
    let made = body.instructions.iter().find(|it| it.result == Some(value))?;
    match made.op {
        Op::Const(Const::Int(number)) => Some(number.into()),
        Op::Const(Const::Long(number)) => Some(number),
        Op::Unary(UnaryOp::Convert(Kind::Int, Kind::Long), inner) => number(body, inner),
        _ => None,
    }
}

/// A number that a value is never below.
fn at_least(names: &Names, body: &Body, value: Value) -> Option<i64> {
    let made = body.instructions.iter().find(|it| it.result == Some(value))?;
    match made.op {
        Op::Unary(UnaryOp::Convert(Kind::Int, Kind::Long), inner) => at_least(names, body, inner),
        Op::Invoke { method, arguments, .. } if names.bytes(method.class) == b"java/lang/Math" => {
            let &[one, two] = body.list(arguments) else { return None };
            let (one, two) = (at_least(names, body, one), at_least(names, body, two));
            match names.bytes(method.name) {
                b"max" => one.max(two),
                b"min" => Some(one?.min(two?)),
                _ => None,
            }
        }
        _ => number(body, value),
    }
}
