//! Calls that may run with a lock held and of which it is not known what they do.

use program::{ClassId, FieldSignature, MethodId, TypeArgument};
use rustc_hash::FxHashSet;

use super::hidden::{called_name, is_reflective};
use super::inherited::LibraryCalls;
use super::library::{
    Effect, asks_objects, bodies_of, callees, is_lambda, is_object_method, is_plain_array,
    is_stream, unread,
};
use super::shared::Inside;
use crate::locks::context::Context;
use crate::locks::facts::{Call, Event, Facts, SiteSet, What};
use crate::locks::kept::is_own_kept;
use crate::locks::names::{class_name, frame_name, lock_name};
use crate::locks::path::{Lock, Root, Step, Val};
use crate::locks::primitives::Primitive;
use crate::locks::slice::is_known_to_callers;
use crate::locks::summary::{Acquire, Summary};

/// What was found, as sentences.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallObstacles {
    /// Whatever happens there is not seen.
    pub unseen: Vec<String>,
    /// Something may wait for another thread.
    pub waits: Vec<String>,
}

/// Everything under a lock that is not followed.
pub(super) fn find_call_obstacles(search: &Search<'_>) -> CallObstacles {
    let Search { context, summaries, .. } = *search;
    let under_lock = search.under_lock();
    let mut library = LibraryCalls::default();
    let mut found = CallObstacles { unseen: search.locking_heirs(), ..CallObstacles::default() };
    for (method, facts) in context.slice.facts.iter().enumerate() {
        if context.universe.is_platform(context.slice.methods[method].class) {
            continue;
        }
        if let Some(caller) = library.caller_of(context, context.slice.methods[method])
            && !search.quiet[method]
        {
            let name = frame_name(context, method, 0);
            let caller = called_name(context, caller);
            found.unseen.push(format!("the inherited {caller} calls {name} with a lock held"));
        }
        if summaries[method].is_cut {
            let name = frame_name(context, method, 0);
            found.unseen.push(format!("there is too much below {name} to follow all of it"));
        }
        if let Some(failure) = &facts.failure {
            let name = frame_name(context, method, 0);
            found.unseen.push(format!("{name} could not be read: {failure}"));
        }
        if facts.sites.len() > SiteSet::CAPACITY {
            let name = frame_name(context, method, 0);
            found.unseen.push(format!("{name} takes locks at more places than are told apart"));
        }
        found.unseen.extend(search.odd_locks(method, facts));
        search.look_at_references(method, facts, &mut found);
        for (pc, held, what) in &facts.missing {
            if under_lock[method] || held.may.iter().next().is_some() {
                let place = search.place(method, *pc, None);
                found.unseen.push(format!("{place} calls {what}, which is not on the class path"));
            }
        }
        for event in &facts.events {
            found.unseen.extend(search.goes_parallel(method, event));
            found.unseen.extend(search.leads_to_unread(method, event));
            found.unseen.extend(search.may_come_back_with_lock(method, event));
            if under_lock[method] || event.held.may.iter().next().is_some() {
                search.look_at(method, facts, event, &mut found);
            } else if let What::Call(call) = &event.what
                && let Some(why) = search.locks_itself(method, facts, call)
            {
                found.unseen.push(format!("{} {why}", frame_name(context, method, event.pc)));
            }
        }
    }
    found
}

pub(super) struct Search<'a> {
    pub context: &'a Context<'a>,
    pub summaries: &'a [Summary],
    pub effects: Vec<Effect>,
    /// What library methods lock by themselves, and the locks of judged code that may be such.
    pub inside: Vec<FxHashSet<Inside>>,
    pub shared: Vec<Lock>,
    /// Whether other code than the library's says what `System.out` and the like are.
    pub replaces_streams: bool,
    /// What judged code makes that stands behind an interface of its own.
    pub lambdas: Vec<(ClassId, MethodId)>,
    /// The bodies that take no lock and call nothing that may.
    pub quiet: Vec<bool>,
}

impl Search<'_> {
    /// A body of other than the library's that a call turned out to run when no more were gathered.
    fn leads_to_unread(&self, method: usize, event: &Event) -> Option<String> {
        let What::Call(call) = &event.what else { return None };
        let is_unread = |it: &MethodId| {
            !self.context.universe.is_platform(it.class) && self.context.slice.index(*it).is_none()
        };
        let body = call.targets.all().find(is_unread)?;
        let (place, name) = (self.place(method, event.pc, None), called_name(self.context, body));
        Some(format!("{place} calls {name}, which was not read"))
    }

    /// Bodies that come back with a lock held, or without one, are followed only where there is no other.
    fn may_come_back_with_lock(&self, method: usize, event: &Event) -> Option<String> {
        let What::Call(call) = &event.what else { return None };
        let Context { universe, paths, slice, .. } = self.context;
        let is_only = call.targets.is_known() && call.targets.methods.len() == 1;
        let changes = |it: &MethodId| {
            let left = slice.index(*it).filter(|_| !universe.is_platform(it.class));
            let left = left.map(|it| &slice.facts[it]);
            let mut left =
                left.into_iter().flat_map(|it| it.left_held.iter().chain(&it.left_released));
            left.any(|it| !is_only || !is_known_to_callers(paths, it))
        };
        let body = call.targets.all().chain(self.lambdas_behind(call)).find(changes)?;
        let (place, name) = (self.place(method, event.pc, None), called_name(self.context, body));
        Some(format!("{place} calls {name}, which leaves other locks held than it found"))
    }

    /// Locks of which the search is less careful than a proof must be.
    fn odd_locks(&self, method: usize, facts: &Facts) -> Vec<String> {
        let context = self.context;
        let own = context.slice.methods[method];
        let mut found = Vec::new();
        if let (true, Some(lock)) = (context.entries[method], facts.left_held.first()) {
            let place = frame_name(context, method, 0);
            let name = lock_name(context, lock);
            found.push(format!(
                "{place} returns with {name} held, and callers decide what comes next"
            ));
        }
        let program = context.universe.program;
        let is_shown = |it: &Acquire| {
            let path = context.paths.of(it.lock.val.path);
            path.root == Root::Param(0)
                && context.is_own_part(path.steps())
                && !self.keeps_to_itself(own, path.steps())
        };
        if program.method(own).1.name == program.known.init
            && self.summaries[method].acquires.iter().any(is_shown)
        {
            let place = frame_name(context, method, 0);
            found.push(format!("{place} locks the new object, which others may know already"));
        }
        found
    }

    /// Whether nobody else knows the new object, or what is there in it, while its constructor runs.
    fn keeps_to_itself(&self, constructor: MethodId, steps: &[Step]) -> bool {
        let universe = self.context.universe;
        match steps {
            [] | [Step::ReadLock | Step::WriteLock | Step::Condition] => {
                is_own_kept(universe, constructor, None)
            }
            [Step::Field(field)]
            | [Step::Field(field), Step::ReadLock | Step::WriteLock | Step::Condition] => {
                is_own_kept(universe, constructor, Some(*field))
            }
            _ => false,
        }
    }

    /// Methods of other than the platform that may run while some lock is held.
    pub(super) fn under_lock(&self) -> Vec<bool> {
        let slice = self.context.slice;
        let mut reached = vec![false; slice.methods.len()];
        let mut queue: Vec<usize> = Vec::new();
        for facts in &slice.facts {
            for event in facts.events.iter().filter(|it| it.held.may.iter().next().is_some()) {
                queue.extend(callees(self.context, event));
            }
        }
        while let Some(method) = queue.pop() {
            if !std::mem::replace(&mut reached[method], true) {
                let events = slice.facts[method].events.iter();
                queue.extend(events.flat_map(|event| callees(self.context, event)));
            }
        }
        reached
    }

    pub(super) fn place(&self, method: usize, pc: u16, event: Option<&Event>) -> String {
        let facts = &self.context.slice.facts[method];
        let held = event.and_then(|event| event.held.may.iter().next());
        let lock = held.and_then(|site| facts.sites.get(site)).and_then(|it| it.locks.first());
        let place = frame_name(self.context, method, pc);
        match lock {
            Some(lock) => format!("with {} held, {place}", lock_name(self.context, lock)),
            None => format!("with a lock of a caller held, {place}"),
        }
    }

    /// References to methods of the library that lock or wait: who calls them, and with what held, is not seen.
    fn look_at_references(&self, method: usize, facts: &Facts, found: &mut CallObstacles) {
        let universe = self.context.universe;
        let program = universe.program;
        for lambda in facts.lambdas.iter().filter(|it| universe.is_platform(it.target.class)) {
            let (class, target) = program.method(lambda.target);
            let known = universe.primitives.of(program, class.name, target.name, target.descriptor);
            let waits =
                self.context.slice.index(lambda.target).is_some_and(|it| self.effects[it].waits);
            let place = frame_name(self.context, method, lambda.pc);
            let name = called_name(self.context, lambda.target);
            if known.is_some_and(Primitive::blocks) {
                found.unseen.push(format!("{place} refers to {name}, which others may call"));
            } else if waits {
                found.waits.push(format!("{place} refers to {name}, which may wait"));
            }
        }
    }

    fn look_at(&self, method: usize, facts: &Facts, event: &Event, found: &mut CallObstacles) {
        let place = || self.place(method, event.pc, Some(event));
        match &event.what {
            What::Call(call) => {
                if let Some(why) = self.unseen(method, facts, call) {
                    found.unseen.push(format!("{} {why}", place()));
                } else if let Some(why) = self.wants_shared(facts, event, call) {
                    found.unseen.push(format!("{} {why}", place()));
                } else if self.waits(call) {
                    let name = called_name(self.context, call.resolved);
                    found.waits.push(format!("{} calls {name}, which may wait", place()));
                }
            }
            What::Join(_) => {
                found.waits.push(format!("{} waits for another thread or task", place()));
            }
            What::Spawn(spawn) if self.may_run_now(facts, spawn) => {
                found.unseen.push(format!("{} hands a task to who may run it at once", place()));
            }
            What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Spawn(_) => {}
        }
    }

    /// Without a lock of ours: why a method of the library, which takes one itself, may call back.
    fn locks_itself(&self, method: usize, facts: &Facts, call: &Call) -> Option<String> {
        let context = self.context;
        if !context.universe.is_platform(call.resolved.class) {
            return None;
        }
        let name = called_name(context, call.resolved);
        let receiver = call.arguments.first().copied().flatten().filter(|_| call.is_virtual);
        let mut bodies = call.targets.all().filter_map(|it| context.slice.index(it)).peekable();
        let is_foreign = receiver.is_some_and(|it| !self.is_ours(method, facts, call, it));
        if is_foreign {
            let handed = call.arguments.iter().skip(1).flatten();
            let mut risky = handed.filter(|it| !self.is_harmless(method, facts, **it));
            return risky
                .next()
                .map(|_| format!("hands an object to {name}, which may lock and call it back"));
        }
        if bodies.any(|it| self.effects[it].locks()) {
            return self.called_back(method, facts, call, &name);
        }
        None
    }

    fn waits(&self, call: &Call) -> bool {
        let mut callees = call.targets.all().filter_map(|it| self.context.slice.index(it));
        callees.any(|callee| self.effects[callee].waits)
    }

    /// Why it is not known what the call does.
    pub(super) fn unseen(&self, method: usize, facts: &Facts, call: &Call) -> Option<String> {
        let context = self.context;
        let universe = context.universe;
        let name = called_name(context, call.resolved);
        let (class, declared) = universe.program.method(call.resolved);
        if is_reflective(&class_name(context, class.id)) {
            return Some(format!("calls {name}, which is reflection"));
        }
        let receiver = call.arguments.first().copied().flatten().filter(|_| call.is_virtual);
        if let Some(receiver) = receiver
            && !self.is_ours(method, facts, call, receiver)
        {
            return Some(format!("calls {name} on an object that a caller may have made"));
        }
        if self.runs_loud_lambda(call) {
            return Some(format!("calls {name}, which may run a lambda that locks or waits"));
        }
        if receiver.is_some_and(|it| self.is_kept_iterator(it)) {
            return Some(format!("calls {name} on an iterator that was kept"));
        }
        if !universe.is_platform(call.resolved.class) {
            if declared.access_flags.is_native() {
                return Some(format!("calls the native method {name}"));
            }
            return self.hook(call).map(|hook| format!("calls {hook}, which others override"));
        }
        let mut bodies = call.targets.all().filter_map(|it| context.slice.index(it));
        // What is still being made nobody else can lock.
        let is_made = declared.name == universe.program.known.init;
        let is_there = !is_made && self.is_on_own(facts, call);
        if is_there && bodies.any(|it| self.effects[it].locks_by_dispatch) {
            return Some(format!(
                "calls {name}, which may lock by way of other methods of the object"
            ));
        }
        self.called_back(method, facts, call, &name)
    }

    /// Why a method of the library may call back what it is handed.
    pub(super) fn called_back(
        &self,
        method: usize,
        facts: &Facts,
        call: &Call,
        name: &str,
    ) -> Option<String> {
        let context = self.context;
        let bodies = || bodies_of(context, call);
        // A lambda that does nothing to what it is given is as good as none.
        let is_idle = |it: &Val| {
            let is_followed = || is_stream(context, call) || self.is_harmless(method, facts, *it);
            is_lambda(context, *it) && is_followed()
        };
        let is_quiet =
            |it: &Val| self.holds_quiet(*it) && !self.is_filled(method, facts, *it) || is_idle(it);
        // A new object of the library is known to nobody while the library makes it.
        let is_made = |index: usize, it: &Val| {
            let is_library = it.class.is_some_and(|it| context.universe.is_platform(it));
            index == 0 && !call.is_virtual && it.exact && is_library
        };
        let is_fine = |(index, it): (usize, &Option<Val>)| {
            it.as_ref().is_none_or(|it| is_made(index, it) || is_quiet(it))
        };
        let inside = || call.arguments.iter().enumerate().all(is_fine);
        let gives = bodies().fold(0, |all, it| all | self.effects[it].gives);
        let is_given = |(index, it): (usize, &Option<Val>)| {
            gives & 1u64.checked_shl(index as u32).unwrap_or(0) != 0
                && !it.as_ref().is_some_and(is_idle)
        };
        let asks_content = |it: &Val| self.is_holder(*it) && !is_quiet(it);
        if self.asked_by(call).flatten().any(|it| asks_content(&it)) {
            return Some(format!("calls {name}, which may call what a collection holds"));
        }
        let is_anything_given = || call.arguments.iter().enumerate().any(is_given);
        if (self.calls_what_is_inside(call) || is_anything_given()) && !inside() {
            return Some(format!("calls {name}, which may call the objects that it finds there"));
        }
        let called = bodies().fold(unread(context, call), |all, it| all | self.effects[it].called);
        // Of an object of the library, the body that is called is known; a judged class may override what that calls.
        let first = usize::from(call.is_virtual && !self.is_on_open(facts, call));
        for (index, argument) in call.arguments.iter().enumerate().skip(first).take(64) {
            if called & (1 << index) != 0
                && let Some(argument) = argument
                && !is_made(index, argument)
                && !is_idle(argument)
                && !self.is_harmless(method, facts, *argument)
                && !is_plain_array(context, call, index)
            {
                return Some(format!("hands an object to {name}, which may call it back"));
            }
        }
        None
    }

    /// Whether the library may call objects that it finds, or that is not known: a view is something else than
    /// what the field holds, and its code was not read.
    fn calls_what_is_inside(&self, call: &Call) -> bool {
        let mut bodies = bodies_of(self.context, call).peekable();
        bodies.peek().is_none() && asks_objects(self.context, call)
            || bodies.any(|it| self.effects[it].calls_inside)
    }

    /// The arguments that the call asks for their text, their hash code or who is equal to them.
    fn asked_by<'c>(&'c self, call: &'c Call) -> impl Iterator<Item = Option<Val>> + 'c {
        let own = u64::from(is_object_method(self.context, call));
        let bodies = bodies_of(self.context, call);
        let asked = bodies.fold(own, |all, it| all | self.effects[it].asked);
        let is_asked = move |index: usize| asked & 1u64.checked_shl(index as u32).unwrap_or(0) != 0;
        let arguments = call.arguments.iter().copied().enumerate();
        arguments.filter(move |(index, _)| is_asked(*index)).map(|(_, it)| it)
    }

    /// Whether the type arguments of the field that the value was read from say that nothing in it locks.
    fn holds_quiet(&self, object: Val) -> bool {
        let universe = self.context.universe;
        let is_container = object.class.is_none_or(|it| universe.is_container(it));
        let path = self.context.paths.of(object.path);
        let field = match (path.last(), path.root) {
            (Some(Step::Field(field)), _) | (None, Root::Static(field)) => field,
            _ => return !is_container && self.is_value(object),
        };
        if !is_container {
            return self.is_value(object);
        }
        let (class, _) = universe.program.field(field);
        let declared = class.file.fields.get(field.index());
        let text = declared.and_then(|it| it.signature(&class.file).ok()?);
        let text = text.map(|text| classfile::mutf8::decode_lossy(class.file.bytes(text)));
        match text.and_then(|text| FieldSignature::parse(&text)) {
            Some(FieldSignature::Class(ty)) => {
                !ty.arguments.is_empty()
                    && ty.arguments.iter().all(|it| self.is_quiet_type(it))
                    && self.is_made_quiet(field, object.class)
            }
            Some(_) | None => false,
        }
    }

    fn is_quiet_type(&self, argument: &TypeArgument) -> bool {
        let TypeArgument::Exact(FieldSignature::Class(ty)) = argument else { return false };
        let universe = self.context.universe;
        let Some(class) = universe.program.find_class_text(&ty.name) else { return false };
        let is_final = universe.program.class(class).is_some_and(|it| it.access_flags.is_final());
        if universe.is_platform(class) {
            let is_held_quiet = ty.arguments.iter().all(|it| self.is_quiet_type(it));
            return (is_final || universe.is_container(class)) && is_held_quiet;
        }
        let below = universe.world.subtypes(class);
        below.into_iter().all(|it| self.is_class_quiet(it)) && !self.is_bare(class)
    }

    /// Whether it is an object of the library that nobody extends.
    fn is_value(&self, object: Val) -> bool {
        let universe = self.context.universe;
        let class = object.class.and_then(|it| universe.program.class(it));
        class.is_some_and(|it| {
            universe.is_platform(it.id)
                && (object.exact && !it.is_interface() || it.access_flags.is_final())
                && !self.is_locking_library(it)
                || !universe.is_platform(it.id) && self.is_class_quiet(it.id)
        })
    }

    /// Whether the library can call nothing of the object that locks or is unknown.
    pub(super) fn is_harmless(&self, method: usize, facts: &Facts, object: Val) -> bool {
        let context = self.context;
        let universe = context.universe;
        let path = context.paths.of(object.path);
        if let (Root::Alloc(maker, pc), []) = (path.root, path.steps())
            && maker == context.slice.methods[method]
            && let Some(lambda) = facts.lambdas.iter().find(|it| it.pc == pc)
        {
            return context.slice.index(lambda.target).is_some_and(|it| self.quiet[it]);
        }
        let field = match (path.last(), path.root) {
            (Some(Step::Field(field)), _) | (None, Root::Static(field)) => Some(field),
            _ => None,
        };
        let known = field.and_then(|it| context.fields.of(it)).map(|it| it.classes.to_vec());
        if let Some(classes) = known.filter(|it| !it.is_empty()) {
            return classes.iter().all(|&class| self.is_class_quiet(class));
        }
        let Some(class) = object.class else { return false };
        let is_final = universe.program.class(class).is_some_and(|it| it.access_flags.is_final());
        if universe.is_platform(class) {
            let is_plain = is_final && universe.is_plain(class);
            let is_known = is_plain || object.exact || self.is_of_library(facts, object);
            return is_known && self.is_class_quiet(class);
        }
        let below = universe.world.subtypes(class);
        below.into_iter().all(|it| self.is_class_quiet(it))
            && (is_final || object.exact || !self.is_bare(class))
    }

    /// Whether others have to implement the type.
    fn is_bare(&self, class: ClassId) -> bool {
        let universe = self.context.universe;
        universe.is_exposed(class)
            && universe.program.class(class).is_none_or(|it| it.access_flags.is_abstract())
    }

    /// Whether no method of the class that the library knows takes a lock or calls what is unknown.
    fn is_class_quiet(&self, class: ClassId) -> bool {
        let universe = self.context.universe;
        let Some(class) = universe.program.class(class) else { return false };
        if universe.is_platform(class.id) {
            return !self.is_locking_library(class);
        }
        let ancestry = universe.program.ancestry(class);
        let above: Vec<ClassId> = ancestry
            .superclasses
            .iter()
            .chain(&ancestry.interfaces)
            .copied()
            .filter(|&id| universe.is_platform(id))
            .collect();
        let is_known_to_library = |method: &program::Method| {
            above
                .iter()
                .filter_map(|&id| universe.program.class(id))
                .any(|it| it.declared_method(method.name, method.descriptor).is_some())
        };
        class
            .methods()
            .filter(|(_, method)| is_known_to_library(method) && !method.access_flags.is_static())
            .filter(|(_, method)| method.name != universe.program.known.init)
            .filter_map(|(id, _)| self.context.slice.index(id))
            .all(|it| self.quiet[it])
    }

    /// Whether methods of a class of the library lock their object.
    pub(super) fn is_locking_library(&self, class: &program::Class) -> bool {
        let context = self.context;
        let program = context.universe.program;
        let object = program.known.object;
        let chain = program.ancestry(class).superclasses.iter().filter_map(|&it| program.class(it));
        chain.filter(|it| it.name != object).flat_map(program::Class::methods).any(|(id, it)| {
            let locks = |index: usize| !context.slice.facts[index].sites.is_empty();
            it.access_flags.is_synchronized() || context.slice.index(id).is_some_and(locks)
        })
    }
}
