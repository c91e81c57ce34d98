//! Objects that only the thread knows which made them.
//!
//! Followed is whatever may be the object or lead to it: casts, places where values meet, what is read from objects
//! that it was put into, and calls, whose bodies are read, those of the library too. An object that is stored in a
//! static field or in something that was there before, that is thrown or captured, or handed to a call whose body
//! is open, is known to others. Believed without reading: constructors of the library keep what they are called on.

use program::ir::{
    Body, Edge, FieldRef, Instruction, InvokeKind, MethodRef, Op, Terminator, Value,
};
use program::{ClassId, FieldId, Kind, MethodId};
use rustc_hash::FxHashMap;

use super::universe::Universe;

/// Calls are followed this far down, and so many bodies are read for one object.
const DEPTH: usize = 8;
const BODIES: usize = 200;

/// Whether nobody but the thread that runs the method knows what it makes at this pc.
pub(crate) fn is_kept(universe: &Universe<'_>, method: MethodId, pc: u16) -> bool {
    let Ok(Some(body)) = universe.program.lower(method) else { return false };
    let made = body.instructions.iter().find(|it| it.pc == pc && it.result.is_some());
    let Some((value, class)) = made.and_then(|it| Some((it.result?, made_class(universe, it.op)?)))
    else {
        return false;
    };
    let mut reading = Reading::new(universe, class, None);
    let mut view = View::new(&body);
    view.traces[value.index()] = Some(Trace { class, holds: false });
    is_seen_whole(reading.walk(&mut view, DEPTH))
}

/// Whether nobody gets to know an object, or what it has in the field, by way of its constructor.
pub(crate) fn is_own_kept(
    universe: &Universe<'_>,
    constructor: MethodId,
    field: Option<FieldId>,
) -> bool {
    let mut reading = Reading::new(universe, None, field);
    let this = Trace { class: None, holds: false };
    is_seen_whole(reading.read(constructor, vec![(0, this)], DEPTH))
}

/// Nothing of it was put into objects that were there before.
fn is_seen_whole(after: Option<After>) -> bool {
    after.is_some_and(|it| !it.mixes)
}

/// What is known of a value that may be the object, or lead to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Trace {
    /// The very class of what is followed, if the value is that.
    class: Option<ClassId>,
    /// Whether the object may be inside.
    holds: bool,
}

/// What a body does with what it was given, besides keeping it.
#[derive(Debug, Clone, Copy, Default)]
struct After {
    /// It may put one of its arguments into another.
    mixes: bool,
    returns: bool,
    /// What it returns may have the object inside.
    returns_holder: bool,
}

type Given = Vec<(usize, Trace)>;

struct Reading<'a> {
    universe: &'a Universe<'a>,
    /// The very class of the object.
    class: Option<ClassId>,
    /// A field of it of which the content must be kept as well.
    part: Option<FieldId>,
    read: FxHashMap<(MethodId, Given), Option<After>>,
}

/// One body, and the values of it that matter.
struct View<'a> {
    body: &'a Body,
    traces: Vec<Option<Trace>>,
    after: After,
    changed: bool,
}

impl<'a> View<'a> {
    fn new(body: &'a Body) -> View<'a> {
        let traces = vec![None; body.kinds.len()];
        View { body, traces, after: After::default(), changed: false }
    }

    fn of(&self, value: Value) -> Option<Trace> {
        self.traces[value.index()]
    }

    fn join(&mut self, value: Value, trace: Trace) {
        if self.body.kind(value) != Kind::Ref {
            return;
        }
        let known = &mut self.traces[value.index()];
        let joined = match *known {
            None => trace,
            Some(known) => Trace {
                class: known.class.filter(|_| known.class == trace.class),
                holds: known.holds || trace.holds,
            },
        };
        self.changed |= *known != Some(joined);
        *known = Some(joined);
    }

    fn flow(&mut self, edge: Edge, skip: usize) {
        let body = self.body;
        let parameters = &body.list(body.block(edge.target).parameters)[skip..];
        for (&parameter, &argument) in parameters.iter().zip(body.list(edge.arguments)) {
            if let Some(trace) = self.of(argument) {
                self.join(parameter, trace);
            }
        }
    }
}

impl<'a> Reading<'a> {
    fn new(
        universe: &'a Universe<'a>,
        class: Option<ClassId>,
        part: Option<FieldId>,
    ) -> Reading<'a> {
        Reading { universe, class, part, read: FxHashMap::default() }
    }

    /// `None` if others may know what the method is given.
    fn read(&mut self, method: MethodId, given: Given, depth: usize) -> Option<After> {
        let depth = depth.checked_sub(1)?;
        let key = (method, given);
        if let Some(&known) = self.read.get(&key) {
            return known;
        }
        if self.read.len() >= BODIES {
            return None;
        }
        // Of a call that is being read nothing is known yet.
        self.read
            .insert(key.clone(), Some(After { mixes: true, returns: true, returns_holder: true }));
        let found = self.read_body(&key, depth);
        self.read.insert(key, found);
        found
    }

    fn read_body(&mut self, (method, given): &(MethodId, Given), depth: usize) -> Option<After> {
        let program = self.universe.program;
        let body = match program.lower(*method) {
            Ok(Some(body)) => body,
            Ok(None) | Err(_) => return known_native(self.universe, *method),
        };
        let mut view = View::new(&body);
        let parameters: Vec<Value> = body.parameters().collect();
        for &(index, trace) in given {
            view.join(*parameters.get(index)?, trace);
        }
        self.walk(&mut view, depth)
    }

    fn walk(&mut self, view: &mut View<'_>, depth: usize) -> Option<After> {
        let body = view.body;
        loop {
            view.changed = false;
            for instruction in &body.instructions {
                self.step(view, instruction, depth)?;
            }
            for block in &body.blocks {
                body.for_each_successor(block, |edge| view.flow(edge, 0));
                body.handlers_of(block).iter().for_each(|it| view.flow(it.edge, 1));
                match block.terminator {
                    Terminator::Return(Some(value)) => {
                        let returned = view.of(value);
                        view.after.returns |= returned.is_some();
                        view.after.returns_holder |= returned.is_some_and(|it| it.holds);
                    }
                    Terminator::Throw(value) if view.of(value).is_some() => return None,
                    Terminator::Return(None)
                    | Terminator::Throw(_)
                    | Terminator::Goto(_)
                    | Terminator::If { .. }
                    | Terminator::Switch { .. } => {}
                }
            }
            if !view.changed {
                return Some(view.after);
            }
        }
    }

    fn step(&mut self, view: &mut View<'_>, it: &Instruction, depth: usize) -> Option<()> {
        match it.op {
            Op::CheckCast(_, value) => {
                if let (Some(trace), Some(result)) = (view.of(value), it.result) {
                    view.join(result, trace);
                }
            }
            Op::ArrayLoad { array: object, .. } => self.load(view, object, false, it.result),
            Op::GetField(field, object) => {
                let is_part = self.is_part(&field);
                self.load(view, object, is_part, it.result);
            }
            Op::PutField(field, object, value) => {
                if view.of(object).is_some() && self.is_part(&field) {
                    view.join(value, Trace { class: None, holds: false });
                } else if view.of(value).is_some() {
                    self.hold(view, object)?;
                }
            }
            Op::ArrayStore { array, value, .. } if view.of(value).is_some() => {
                self.hold(view, array)?;
            }
            Op::PutStatic(_, value) if view.of(value).is_some() => return None,
            Op::Invoke { kind, method, arguments } => {
                let arguments = view.body.list(arguments);
                if arguments.iter().any(|&value| view.of(value).is_some()) {
                    self.call(view, kind, &method, arguments, it.result, depth)?;
                }
            }
            Op::InvokeDynamic { arguments, .. } => {
                let mut captured = view.body.list(arguments).iter();
                if captured.any(|&value| view.of(value).is_some()) {
                    return None;
                }
            }
            Op::ArrayStore { .. }
            | Op::PutStatic(..)
            | Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::GetStatic(_)
            | Op::InstanceOf(..)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => {}
        }
        Some(())
    }

    fn is_part(&self, field: &FieldRef) -> bool {
        let program = self.universe.program;
        self.part.is_some_and(|part| {
            program.resolve_field(field.class, field.name, field.descriptor).found() == Some(part)
        })
    }

    /// Something is read from the object.
    fn load(&self, view: &mut View<'_>, object: Value, is_part: bool, result: Option<Value>) {
        let (Some(trace), Some(result)) = (view.of(object), result) else { return };
        if trace.holds || is_part {
            view.join(result, Trace { class: None, holds: trace.holds });
        }
    }

    /// Something that matters is put into the object, which must be one that is seen as a whole.
    fn hold(&self, view: &mut View<'_>, object: Value) -> Option<()> {
        if let Some(class) = made_here(self.universe, view.body, object) {
            view.join(object, Trace { class, holds: true });
            return Some(());
        }
        let is_parameter = view.body.parameters().any(|it| it == object);
        let class = view.of(object).and_then(|it| it.class);
        view.after.mixes |= is_parameter;
        view.join(object, Trace { class, holds: true });
        is_parameter.then_some(())
    }

    fn call(
        &mut self,
        view: &mut View<'_>,
        kind: InvokeKind,
        method: &MethodRef,
        arguments: &[Value],
        result: Option<Value>,
        depth: usize,
    ) -> Option<()> {
        let numbered = arguments.iter().enumerate();
        let given: Given =
            numbered.filter_map(|(index, &value)| Some((index, view.of(value)?))).collect();
        let program = self.universe.program;
        let resolved =
            program.resolve_method(method.class, method.name, method.descriptor).found()?;
        let target = match kind {
            InvokeKind::Static | InvokeKind::Special => resolved,
            InvokeKind::Virtual | InvokeKind::Interface => {
                self.selected(view, resolved, arguments, &given)?
            }
        };
        let is_first_alone = matches!(given[..], [(0, _)]);
        if is_first_alone
            && method.name == program.known.init
            && self.universe.is_platform(target.class)
        {
            return Some(());
        }
        let holds = given.iter().any(|(_, it)| it.holds);
        let after = self.read(target, given, depth)?;
        if after.mixes {
            for &value in arguments.iter().filter(|&&it| view.body.kind(it) == Kind::Ref) {
                self.hold(view, value)?;
            }
        }
        if let (true, Some(result)) = (after.returns, result) {
            let holds = holds || after.mixes || after.returns_holder;
            view.join(result, Trace { class: self.class.filter(|_| !holds), holds });
        }
        Some(())
    }

    /// The body that runs. If the receiver is all that matters of the arguments, its class is known
    /// wherever it is what is followed; else it must be an object that is made here.
    fn selected(
        &self,
        view: &View<'_>,
        resolved: MethodId,
        arguments: &[Value],
        given: &Given,
    ) -> Option<MethodId> {
        let program = self.universe.program;
        let (class, declared) = program.method(resolved);
        let flags = declared.access_flags;
        if flags.is_final() || flags.is_private() || class.access_flags.is_final() {
            return Some(resolved);
        }
        let class = match given[..] {
            [(0, trace)] => trace.class,
            _ => made_here(self.universe, view.body, *arguments.first()?)?,
        };
        program.select_method(class?, resolved).found()
    }
}

/// What is known to be made by the instruction that gives the value: its class, unless it is an array.
fn made_here(universe: &Universe<'_>, body: &Body, value: Value) -> Option<Option<ClassId>> {
    let made = body.instructions.iter().find(|it| it.result == Some(value))?;
    made_class(universe, made.op)
}

/// Of a lambda it is open what it is.
fn made_class(universe: &Universe<'_>, op: Op) -> Option<Option<ClassId>> {
    match op {
        Op::New(name) => Some(universe.class(name)),
        Op::NewArray { .. } | Op::NewMultiArray { .. } => Some(None),
        Op::Const(_)
        | Op::Unary(..)
        | Op::Binary(..)
        | Op::ArrayLength(_)
        | Op::ArrayLoad { .. }
        | Op::ArrayStore { .. }
        | Op::GetStatic(_)
        | Op::PutStatic(..)
        | Op::GetField(..)
        | Op::PutField(..)
        | Op::Invoke { .. }
        | Op::InvokeDynamic { .. }
        | Op::CheckCast(..)
        | Op::InstanceOf(..)
        | Op::MonitorEnter(_)
        | Op::MonitorExit(_) => None,
    }
}

/// Native methods that show nobody what they are given.
fn known_native(universe: &Universe<'_>, method: MethodId) -> Option<After> {
    let program = universe.program;
    let (class, declared) = program.method(method);
    let names = &program.names;
    match (names.bytes(class.name), names.bytes(declared.name)) {
        (b"java/lang/Object", b"clone") => Some(After { returns: true, ..After::default() }),
        (
            b"java/lang/Object",
            b"getClass" | b"hashCode" | b"notify" | b"notifyAll" | b"wait" | b"wait0",
        ) => Some(After::default()),
        (b"java/lang/System", b"arraycopy") => Some(After { mixes: true, ..After::default() }),
        _ => None,
    }
}
