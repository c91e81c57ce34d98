//! Calls whose target a caller decides: lambdas, objects that are handed in, and what runs later.

use program::{ClassId, MethodId};

use super::{
    Acquire, Callback, Certainty, Event, Frame, Holding, LambdaSite, Pair, Source, Via,
    lambda_arguments,
};
use crate::locks::context::parameter_classes;
use crate::locks::facts::Call;
use crate::locks::path::{Lock, Mode, Root, Step, Val};

impl<'a> Frame<'a> {
    /// A lambda that this frame made and calls itself, or one of those that may be in a listener list.
    pub(super) fn call_lambdas(&mut self, event: &Event, must: &[Lock], call: &'a Call) {
        let Some(receiver) = call.arguments.first().copied().flatten() else { return };
        let root = self.paths().of(receiver.path).root;
        match root {
            Root::Alloc(method, pc) if method == self.context.slice.methods[self.method] => {
                let facts = self.facts;
                let meant: Vec<_> = facts.lambdas.iter().filter(|it| it.pc == pc).collect();
                let certainty = Certainty::Known { doubt: super::halvings(meant.len()) };
                for lambda in meant {
                    let arguments = lambda_arguments(&lambda.captured, &call.arguments);
                    self.call_target(event, must, lambda.target, &arguments, certainty);
                }
            }
            // The caller decides; see the callbacks.
            Root::Param(_) if self.paths().of(receiver.path).steps().is_empty() => {}
            Root::Alloc(..)
            | Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown => {
                let Some(interface) = receiver.class else { return };
                let slice = self.context.slice;
                for &(maker, position) in slice.lambdas_of(interface) {
                    let lambda = &slice.facts[maker as usize].lambdas[position as usize];
                    let captured = self.unknown_arguments(lambda.target, lambda.captured.len());
                    let arguments = lambda_arguments(&captured, &call.arguments);
                    self.call_target(event, must, lambda.target, &arguments, Certainty::Wide);
                }
            }
        }
    }

    pub(super) fn call_target(
        &mut self,
        event: &Event,
        must: &[Lock],
        target: MethodId,
        arguments: &[Option<Val>],
        certainty: Certainty,
    ) {
        if let Some(callee) = self.context.slice.index(target) {
            self.lift_call(event, must, callee, arguments, certainty);
        }
    }

    /// Objects of which only the declared types of the first parameters are known.
    pub(super) fn unknown_arguments(&self, method: MethodId, count: usize) -> Vec<Option<Val>> {
        parameter_classes(self.context.universe, method)
            .into_iter()
            .take(count)
            .map(|class| Some(Val { path: self.paths().root(Root::Unknown), class, exact: false }))
            .collect()
    }

    /// Remembers an open call, for callers that know more about the receiver, and asks whether it may be
    /// an object like one that is locked here.
    pub(super) fn note_callback(&mut self, event: &Event, must: &[Lock], call: &Call) {
        let Some(receiver) = call.arguments.first().copied().flatten() else { return };
        let locking = self.context.locking;
        let is_lambda = receiver.class.is_some_and(|class| locking.has_lambdas(class));
        let is_open =
            || !call.targets.is_known() && locking.may_lock(self.context.universe, call.resolved);
        if !is_lambda && !is_open() {
            return;
        }
        self.call_kin(event, must, receiver, call.resolved, None);
        if self.is_handed_in(receiver) {
            let held = self.locks_of(event.held.may).into_iter().map(|it| it.lock).collect();
            self.add_callback(Callback {
                receiver,
                resolved: call.resolved,
                held,
                gates: must.to_vec(),
                via: Via::Own { pc: event.pc },
                depth: 0,
                needs: Vec::new(),
            });
        }
    }

    pub(super) fn lift_callback(
        &mut self,
        event: &Event,
        must: &[Lock],
        callee: usize,
        number: usize,
        callback: &Callback,
        arguments: &[Option<Val>],
    ) {
        let Some(receiver) = self.substitute(callback.receiver, arguments) else { return };
        let Ok((mut needs, _)) = self.lift_needs(&callback.needs, arguments) else { return };
        if self.context.universe.is_all_judged() {
            // Whoever made the objects is there to be asked; to tell all bodies apart is too much.
            needs.clear();
        }
        let path = self.paths().of(receiver.path);
        let held_here = self.locks_of(event.held.may).into_iter().map(|it| it.lock);
        let mut held = self.lift_gates(&callback.held, arguments);
        held.extend(held_here);
        let mut gates = self.lift_gates(&callback.gates, arguments);
        gates.extend(must);
        if let Some(last) = path.last() {
            for (target, known) in self.kept_in(last, callback, receiver) {
                self.run_callback(event.pc, (callee, number), target, &known, &held, &gates);
            }
            return;
        }
        self.call_kin(event, must, receiver, callback.resolved, Some((callee, number)));
        let own = self.context.slice.methods[self.method];
        match path.root {
            Root::Param(_) if self.is_handed_in(receiver) => self.add_callback(Callback {
                receiver,
                resolved: callback.resolved,
                held,
                gates,
                via: Via::Call { pc: event.pc, callee: callee as u32, record: number as u32 },
                depth: callback.depth.saturating_add(1),
                needs,
            }),
            Root::Alloc(method, pc) if method == own && path.steps().is_empty() => {
                let Some((target, known)) = self.handed_in(pc, callback, receiver) else { return };
                self.run_callback(event.pc, (callee, number), target, &known, &held, &gates);
            }
            Root::Alloc(..)
            | Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown => {}
        }
    }

    /// Whether the caller chose the object, other than by calling a method on it.
    fn is_handed_in(&self, val: Val) -> bool {
        let path = self.paths().of(val.path);
        let program = self.context.universe.program;
        let (_, method) = program.method(self.context.slice.methods[self.method]);
        let first = u16::from(!method.access_flags.is_static());
        path.steps().is_empty() && matches!(path.root, Root::Param(index) if index >= first)
    }

    /// Whether the object may be any that a caller has: it was handed in, or set some time before.
    fn is_chosen_outside(&self, val: Val) -> bool {
        let path = self.paths().of(val.path);
        match (path.root, path.steps()) {
            (Root::Param(_), []) => self.is_handed_in(val),
            (Root::Param(0), [Step::Field(field)]) => {
                let facts = self.context.fields.of(*field);
                facts.is_some_and(|facts| facts.is_given)
            }
            _ => false,
        }
    }

    /// Who can be called on an open receiver is anybody's guess, except for one: whoever has an object
    /// of a class can make another. So with an object locked here, the receiver may be one of its kind.
    fn call_kin(
        &mut self,
        event: &Event,
        must: &[Lock],
        receiver: Val,
        resolved: MethodId,
        through: Option<(usize, usize)>,
    ) {
        let universe = self.context.universe;
        if !self.is_chosen_outside(receiver) {
            return;
        }
        for Holding { pc: held_pc, lock: held, .. } in self.locks_of(event.held.may) {
            let Some(kin) = self.owner_class(&held) else { continue };
            // What was set before was made by somebody who can name the class.
            if !self.is_handed_in(receiver) && !universe.is_accessible(kin) {
                continue;
            }
            let bound = receiver.class.unwrap_or(resolved.class);
            if universe.program.is_subtype(kin, bound) != Some(true) {
                continue;
            }
            let selected = universe.program.select_method(kin, resolved).found();
            let Some(target) = selected.and_then(|it| self.context.slice.index(it)) else {
                continue;
            };
            self.summary.asks_kin = true;
            let mut arguments = vec![Some(Val { class: Some(kin), ..receiver })];
            let unknown = self.unknown_arguments(self.context.slice.methods[target], usize::MAX);
            arguments.extend(unknown.into_iter().skip(1));
            self.want_of_kin(event.pc, must, (held_pc, held), target, &arguments, through);
        }
    }

    /// The class of the object that is locked, or whose part is.
    fn owner_class(&self, lock: &Lock) -> Option<ClassId> {
        match self.paths().of(lock.val.path).last() {
            Some(Step::Field(field)) => Some(field.class),
            Some(
                Step::Element
                | Step::Older
                | Step::Many(_)
                | Step::ReadLock
                | Step::WriteLock
                | Step::Condition,
            ) => None,
            None => lock.val.class,
        }
    }

    fn want_of_kin(
        &mut self,
        pc: u16,
        must: &[Lock],
        (held_pc, held): (u16, Lock),
        target: usize,
        arguments: &[Option<Val>],
        through: Option<(usize, usize)>,
    ) {
        let summaries = self.summaries;
        for (record, acquire) in summaries[target].acquires.iter().enumerate() {
            let is_own = self.paths().of(acquire.lock.val.path).root == Root::Param(0);
            if !is_own || acquire.wide > 0 || acquire.depth > 2 {
                continue;
            }
            let Ok((mut needs, _)) = self.lift_needs(&acquire.needs, arguments) else { continue };
            needs.extend(arguments[0].and_then(|it| self.need_of(it)));
            let Some(lock) = self.lift_lock(acquire.lock, arguments) else { continue };
            if matches!(lock.mode, Mode::Signal | Mode::Wake | Mode::Done)
                || must.iter().chain([&held]).any(|it| self.is_same(it, &lock))
            {
                continue;
            }
            let (target, record) = (target as u32, record as u32);
            let source = match through {
                None => Source::Own { held_pc, wanted: Via::Call { pc, callee: target, record } },
                Some((callee, callback)) => Source::Callback {
                    pc,
                    callee: callee as u32,
                    callback: callback as u32,
                    target,
                    record,
                },
            };
            let mut gates = self.lift_gates(&acquire.gates, arguments);
            gates.extend(must.iter().filter(|it| !self.is_same(it, &held)));
            self.add_pair(Pair {
                held,
                wanted: lock,
                gates,
                guards: Vec::new(),
                link: None,
                source,
                depth: acquire.depth.saturating_add(2),
                wide: 1,
                doubt: acquire.doubt + 1,
                is_reentrant: acquire.is_reentrant,
                is_regained: acquire.is_regained,
                needs,
                is_spawned: false,
                started: None,
            });
        }
    }

    /// The bodies that run on the object in a field which holds objects of certain classes only, and what is
    /// known of their arguments.
    fn kept_in(
        &self,
        step: Step,
        callback: &Callback,
        receiver: Val,
    ) -> Vec<(usize, Vec<Option<Val>>)> {
        let Step::Field(field) = step else { return Vec::new() };
        let program = self.context.universe.program;
        let classes = self.context.fields.of(field).map_or(&[][..], |facts| &facts.classes);
        let mut found: Vec<(usize, Vec<Option<Val>>)> = Vec::new();
        for &class in classes {
            let selected = program.select_method(class, callback.resolved).found();
            let target = selected.and_then(|it| self.context.slice.index(it));
            let Some(target) = target.filter(|it| found.iter().all(|known| known.0 != *it)) else {
                continue;
            };
            let mut arguments = vec![Some(Val { class: Some(class), ..receiver })];
            let unknown = self.unknown_arguments(self.context.slice.methods[target], usize::MAX);
            arguments.extend(unknown.into_iter().skip(1));
            found.push((target, arguments));
        }
        found
    }

    /// The body that runs on an object which this frame made at `pc`, and what is known of its arguments.
    fn handed_in(
        &self,
        pc: u16,
        callback: &Callback,
        receiver: Val,
    ) -> Option<(usize, Vec<Option<Val>>)> {
        let (target, mut known) = match self.facts.lambdas.iter().find(|it| it.pc == pc) {
            Some(lambda) => (lambda.target, lambda.captured.to_vec()),
            None => {
                let creation = self.facts.creation(pc)?;
                let program = self.context.universe.program;
                let selected = program.select_method(creation.class, callback.resolved).found()?;
                (selected, vec![Some(receiver)])
            }
        };
        let target = self.context.slice.index(target)?;
        let classes = parameter_classes(self.context.universe, self.context.slice.methods[target]);
        let path = self.paths().root(Root::Unknown);
        let rest = classes.iter().skip(known.len());
        known.extend(rest.map(|&class| Some(Val { path, class, exact: false })));
        Some((target, known))
    }

    /// A callee runs `target`, which this frame handed in, with `held` held.
    pub(super) fn run_callback(
        &mut self,
        pc: u16,
        (callee, callback): (usize, usize),
        target: usize,
        arguments: &[Option<Val>],
        held: &[Lock],
        gates: &[Lock],
    ) {
        let summaries = self.summaries;
        for (record, acquire) in summaries[target].acquires.iter().enumerate() {
            let Ok((needs, _)) = self.lift_needs(&acquire.needs, arguments) else { continue };
            let Some(lock) = self.lift_lock(acquire.lock, arguments) else { continue };
            let (had, others): (Vec<Lock>, Vec<Lock>) =
                gates.iter().partition(|gate| self.is_same(gate, &lock));
            if acquire.is_reentrant && !acquire.is_regained && !had.is_empty() {
                continue;
            }
            let inner = [self.lift_gates(&acquire.gates, arguments), others].concat();
            let depth = acquire.depth.saturating_add(2);
            for &holder in held {
                if acquire.is_reentrant && self.is_same(&holder, &lock) {
                    continue;
                }
                self.add_pair(Pair {
                    held: holder,
                    wanted: lock,
                    gates: inner.iter().filter(|it| !self.is_same(it, &holder)).copied().collect(),
                    guards: Vec::new(),
                    link: None,
                    source: Source::Callback {
                        pc,
                        callee: callee as u32,
                        callback: callback as u32,
                        target: target as u32,
                        record: record as u32,
                    },
                    depth,
                    wide: acquire.wide,
                    doubt: acquire.doubt,
                    is_reentrant: acquire.is_reentrant,
                    is_regained: acquire.is_regained,
                    needs: needs.clone(),
                    is_spawned: false,
                    started: None,
                });
            }
            self.add_acquire(Acquire {
                lock,
                gates: inner,
                via: Via::Call { pc, callee: target as u32, record: record as u32 },
                depth,
                wide: acquire.wide,
                doubt: acquire.doubt,
                is_reentrant: acquire.is_reentrant,
                is_regained: acquire.is_regained,
                needs,
            });
        }
    }

    /// Whoever gets the lambda may call it, at any time, in any thread.
    pub(super) fn spawn_lambda(&mut self, lambda: &LambdaSite) {
        let Some(callee) = self.context.slice.index(lambda.target) else { return };
        if self.context.entries[callee] {
            return;
        }
        let unknown = self.unknown_arguments(lambda.target, usize::MAX);
        let mut arguments = lambda.captured.to_vec();
        arguments.extend(unknown.into_iter().skip(lambda.captured.len()));
        self.lift_pairs(lambda.pc, &[], callee, &arguments, true, 0);
    }

    /// Whoever gets an object of a class that only this code can make may call what it overrides; what
    /// the constructor was given then decides which locks are meant.
    pub(super) fn spawn_object(&mut self, pc: u16, class: ClassId, object: Option<&Option<Val>>) {
        let Some(Some(object)) = object else { return };
        let Some(methods) = self.context.closed_methods(class) else { return };
        for callee in methods {
            let target = self.context.slice.methods[callee];
            let unknown = self.unknown_arguments(target, usize::MAX);
            let mut arguments = vec![Some(*object)];
            arguments.extend(unknown.into_iter().skip(1));
            self.lift_pairs(pc, &[], callee, &arguments, true, 0);
        }
    }
}
