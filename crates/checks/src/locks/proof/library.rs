//! What methods of the Java library do with the objects that they are handed: whether they may call
//! them, call what is inside of them, or wait for other threads. Read from their own bodies, as far as
//! these were gathered.

use program::{ClassId, MethodDescriptor, MethodId};

use crate::locks::context::Context;
use crate::locks::facts::{Call, Event, LambdaSite, What};
use crate::locks::path::{Mode, Root, Val};

/// What one method of the library may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Effect {
    /// The parameters, as bits, on which it may call methods that others can override.
    pub called: u64,
    /// Those of them that it may ask what every object is asked, which collections ask what they hold.
    pub asked: u64,
    /// Whether it may call such methods of objects that are neither its parameters nor its own.
    pub calls_inside: bool,
    /// The parameters, as bits, that it may give such objects to.
    pub gives: u64,
    /// Whether it may wait for another thread, other than for a lock.
    pub waits: bool,
    /// The parameters, as bits, that it may lock.
    pub locked: u64,
    /// Whether it may lock other objects that it did not make.
    pub locks_inside: bool,
    /// Whether methods that others override may lock which it calls on what it is called on: which locks, only
    /// the class of that object decides.
    pub locks_by_dispatch: bool,
}

impl Effect {
    pub(crate) fn locks(self) -> bool {
        self.locked != 0 || self.locks_inside
    }
}

/// The effects of all methods of the slice, by position; those of judged code stay empty.
pub(crate) fn find_effects(context: &Context<'_>) -> Vec<Effect> {
    let slice = context.slice;
    let mut effects = vec![Effect::default(); slice.methods.len()];
    let is_platform: Vec<bool> =
        slice.methods.iter().map(|it| context.universe.is_platform(it.class)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for method in (0..effects.len()).filter(|&it| is_platform[it]) {
            let mut effect = effects[method];
            let facts = &slice.facts[method];
            for event in &facts.events {
                add_event(context, &effects, event, &mut effect);
            }
            for lambda in &facts.lambdas {
                add_lambda(context, &effects, lambda, &mut effect);
            }
            for lock in facts.sites.iter().flat_map(|site| &site.locks) {
                lock_object(context, Some(lock.val), &mut effect);
            }
            changed |= effect != effects[method];
            effects[method] = effect;
        }
    }
    effects
}

fn add_event(context: &Context<'_>, effects: &[Effect], event: &Event, effect: &mut Effect) {
    match &event.what {
        What::Call(call) => add_call(context, effects, call, effect),
        // Monitors are waited on in turns, until somebody comes.
        What::Wait { timed: true, on } => effect.waits |= on.mode == Mode::Monitor,
        What::Wait { timed: false, .. } | What::Join(_) => effect.waits = true,
        What::Acquire(_) | What::Init(_) | What::Notify { .. } | What::Spawn(_) => {}
    }
}

/// Whoever makes a lambda may well run it: on what it has captured, and on whatever it is given then.
fn add_lambda(context: &Context<'_>, effects: &[Effect], lambda: &LambdaSite, effect: &mut Effect) {
    let Some(body) = context.slice.index(lambda.target) else {
        // A reference to a method of an object that somebody chose.
        lambda.captured.iter().for_each(|it| touch(context, *it, None, effect));
        effect.calls_inside |= can_be_overridden(context, lambda.target);
        return;
    };
    let other = effects[body];
    merge_arguments(context, other, &lambda.captured, effect);
    let given = u64::MAX.checked_shl(lambda.captured.len() as u32).unwrap_or(0);
    effect.calls_inside |= other.calls_inside || other.called & given != 0;
    effect.locks_inside |= other.locks_inside || other.locked & given != 0;
    effect.waits |= other.waits;
}

/// What a body does to its parameters, in terms of who hands them over.
fn merge_arguments(
    context: &Context<'_>,
    other: Effect,
    arguments: &[Option<Val>],
    effect: &mut Effect,
) {
    for (index, argument) in arguments.iter().enumerate().take(64) {
        if other.called & (1 << index) != 0 {
            touch(context, *argument, None, effect);
        }
        if other.asked & (1 << index) != 0 {
            ask(context, *argument, effect);
        }
        if other.locked & (1 << index) != 0 {
            lock_object(context, *argument, effect);
        }
        if other.gives & (1 << index) != 0 {
            give_object(context, *argument, effect);
        }
    }
}

/// Somebody may ask this object for its text or its hash code.
fn ask(context: &Context<'_>, object: Option<Val>, effect: &mut Effect) {
    let path = object.map(|it| context.paths.of(it.path));
    if let Some((Root::Param(index), [])) = path.as_ref().map(|it| (it.root, it.steps()))
        && index < 64
    {
        effect.asked |= 1 << index;
    }
}

/// Somebody may hand this object others that are neither parameters nor new.
fn give_object(context: &Context<'_>, object: Option<Val>, effect: &mut Effect) {
    let path = object.map(|it| context.paths.of(it.path));
    match path.as_ref().map(|it| (it.root, it.steps())) {
        Some((Root::Param(index), [])) if index < 64 => effect.gives |= 1 << index,
        _ => effect.calls_inside = true,
    }
}

fn add_call(context: &Context<'_>, effects: &[Effect], call: &Call, effect: &mut Effect) {
    let program = context.universe.program;
    let (owner, called) = program.method(call.resolved);
    let blocks =
        program.names.bytes(owner.name) == b"java/util/concurrent/ForkJoinPool$ManagedBlocker";
    if blocks || program.names.bytes(called.name) == b"park" {
        effect.waits = true;
    }
    let receiver = call.arguments.first().copied().flatten();
    let class = receiver.and_then(|it| it.class).unwrap_or(call.resolved.class);
    if is_object_method(context, call) {
        ask(context, receiver, effect);
    }
    let can_be_overridden = call.is_virtual && can_be_overridden(context, call.resolved);
    if can_be_overridden && !call.targets.is_known() {
        touch(context, receiver, Some(call.resolved.class), effect);
    }
    // What a parameter does when it is called is asked of whoever hands it over.
    let is_parameter = receiver.is_some_and(|it| {
        let path = context.paths.of(it.path);
        matches!(path.root, Root::Param(_)) && path.steps().is_empty()
    });
    // Of what the library itself has, all bodies may be known; of what it is handed, others write more.
    if can_be_overridden && is_parameter && context.universe.is_extensible(class) {
        touch(context, receiver, None, effect);
    }
    let callees = call.targets.all().filter_map(|it| context.slice.index(it));
    let is_own = receiver.is_some_and(|it| context.paths.of(it.path).root == Root::Param(0));
    if can_be_overridden && !call.targets.is_known() && is_parameter {
        // What it is given then, it may call in turn.
        let mut given = Effect::default();
        call.arguments.iter().skip(1).for_each(|it| touch(context, *it, None, &mut given));
        effect.called |= given.called;
        if given.calls_inside {
            give_object(context, receiver, effect);
        }
        for callee in callees.filter(|_| is_own) {
            let Effect { locked, locks_inside, .. } = effects[callee];
            effect.locks_inside |= locks_inside;
            effect.locks_by_dispatch |= effects[callee].locks();
            let only_locks = Effect { locked, ..Effect::default() };
            merge_arguments(context, only_locks, &call.arguments, effect);
        }
        return;
    }
    for callee in callees {
        let other = effects[callee];
        effect.waits |= other.waits;
        effect.calls_inside |= other.calls_inside;
        merge_arguments(context, other, &call.arguments, effect);
        effect.locks_inside |= other.locks_inside;
        effect.locks_by_dispatch |= other.locks_by_dispatch && is_own;
    }
}

/// Whether another body may run than the one that is named: not of `getClass`.
pub(crate) fn can_be_overridden(context: &Context<'_>, method: MethodId) -> bool {
    let (class, declared) = context.universe.program.method(method);
    let is_final = declared.access_flags.is_final() || class.access_flags.is_final();
    !is_final && !declared.access_flags.is_private()
}

/// The parameters, as bits, that a body which was not read may call: all of them.
pub(super) fn unread(context: &Context<'_>, call: &Call) -> u64 {
    let is_read = call.targets.all().any(|it| context.slice.index(it).is_some());
    let is_unread = !is_read && !call.targets.is_known() && !is_stream(context, call);
    if call.is_virtual && is_unread { u64::MAX } else { 0 }
}

/// Whether a method of a stream is called: the lambdas that it is given are followed like calls.
pub(super) fn is_stream(context: &Context<'_>, call: &Call) -> bool {
    let program = context.universe.program;
    let receiver = call.arguments.first().copied().flatten().and_then(|it| it.class);
    let stream = program.find_class_text("java/util/stream/BaseStream");
    let is_below = |(class, stream)| program.is_subtype(class, stream) == Some(true);
    call.is_virtual && receiver.zip(stream).is_some_and(is_below)
}

/// Somebody may lock this object.
fn lock_object(context: &Context<'_>, object: Option<Val>, effect: &mut Effect) {
    let Some(object) = object else { return };
    let path = context.paths.of(object.path);
    match (path.root, path.steps()) {
        (Root::Param(index), []) if index < 64 => effect.locked |= 1 << index,
        (Root::Alloc(..), []) => {}
        _ => effect.locks_inside = true,
    }
}

/// Somebody may call a method of this object.
fn touch(
    context: &Context<'_>,
    object: Option<Val>,
    declared: Option<ClassId>,
    effect: &mut Effect,
) {
    let Some(object) = object else { return };
    let path = context.paths.of(object.path);
    match (path.root, path.steps()) {
        (Root::Param(index), []) if index < 64 => effect.called |= 1 << index,
        (Root::Alloc(..) | Root::Class(_) | Root::Text(_), []) => {}
        _ if object.exact => {}
        _ => effect.calls_inside |= may_be_foreign(context, object.class.or(declared)),
    }
}

/// Whether an object of the library that is declared like this may be one of somebody else's: not if the
/// type is one that the library itself implements.
fn may_be_foreign(context: &Context<'_>, class: Option<ClassId>) -> bool {
    let universe = context.universe;
    let Some(class) = class else { return true };
    let is_object = universe.program.class_name(class) == universe.program.known.object;
    let is_interface = universe.program.class(class).is_some_and(program::Class::is_interface);
    is_object || is_interface && !universe.is_container(class)
}

/// Whether the value is a lambda or a method reference that was just made.
pub(crate) fn is_lambda(context: &Context<'_>, object: Val) -> bool {
    let program = context.universe.program;
    let class = object.class.and_then(|it| program.class(it));
    object.exact && class.is_some_and(program::Class::is_interface)
}

/// Whether a method of a collection that is called like this may well call what is in it.
pub(crate) fn asks_objects(context: &Context<'_>, call: &Call) -> bool {
    let program = context.universe.program;
    let (_, declared) = program.method(call.resolved);
    let name = program.names.bytes(declared.name);
    let is_abstract = declared.access_flags.is_abstract();
    call.is_virtual
        && (is_abstract && call.arguments.iter().skip(1).any(Option::is_some)
            || [&b"hashCode"[..], b"toString"].contains(&name))
}

/// Whether it is a question that collections pass on to what they hold.
pub(crate) fn is_object_method(context: &Context<'_>, call: &Call) -> bool {
    let program = context.universe.program;
    let (_, declared) = program.method(call.resolved);
    let name = program.names.bytes(declared.name);
    call.is_virtual && [&b"toString"[..], b"hashCode", b"equals"].contains(&name)
}

/// The bodies of other than the platform that the event may run.
pub(crate) fn callees(context: &Context<'_>, event: &Event) -> Vec<usize> {
    match &event.what {
        What::Call(call) => {
            let all = call.targets.all().filter_map(|it| context.slice.index(it));
            all.filter(|&it| !context.universe.is_platform(context.slice.methods[it].class))
                .collect()
        }
        What::Acquire(_)
        | What::Init(_)
        | What::Wait { .. }
        | What::Notify { .. }
        | What::Join(_)
        | What::Spawn(_) => Vec::new(),
    }
}

/// The bodies that a call may run, as far as they were read; not of a new thread.
pub(super) fn bodies_of<'a>(
    context: &'a Context<'_>,
    call: &'a Call,
) -> impl Iterator<Item = usize> + 'a {
    let targets = call.targets.all().filter(|_| !makes_thread(context, call));
    targets.filter_map(|it| context.slice.index(it))
}

/// Whether the call makes a thread: nothing runs before it is started.
fn makes_thread(context: &Context<'_>, call: &Call) -> bool {
    let program = context.universe.program;
    let (class, declared) = program.method(call.resolved);
    declared.name == program.known.init && program.names.bytes(class.name) == b"java/lang/Thread"
}

/// Whether the argument is declared as an array of primitives or strings.
pub(crate) fn is_plain_array(context: &Context<'_>, call: &Call, argument: usize) -> bool {
    let program = context.universe.program;
    let descriptor = program.names.bytes(program.method(call.resolved).1.descriptor);
    let Some(descriptor) = MethodDescriptor::parse(descriptor) else { return false };
    let receivers = call.arguments.len().saturating_sub(descriptor.parameters().count());
    let declared = argument.checked_sub(receivers).and_then(|it| descriptor.parameters().nth(it));
    declared
        .is_some_and(|it| it.starts_with(b"[") && (it.len() == 2 || it == b"[Ljava/lang/String;"))
}
