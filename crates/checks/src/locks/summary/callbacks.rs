//! Calls whose target a caller decides: lambdas, objects that are handed in, and what runs later.

use program::{ClassId, MethodId};

use super::{Acquire, Callback, Event, Frame, LambdaSite, Pair, Source, Via, lambda_arguments};
use crate::locks::context::parameter_classes;
use crate::locks::facts::Call;
use crate::locks::path::{Lock, Root, Val};

impl<'a> Frame<'a> {
    /// A lambda that this frame made and calls itself, or one of those that may be in a listener list.
    pub(super) fn call_lambdas(&mut self, event: &Event, must: &[Lock], call: &'a Call) {
        let Some(receiver) = call.arguments.first().copied().flatten() else { return };
        let root = self.paths().of(receiver.path).root;
        match root {
            Root::Alloc(method, pc) if method == self.context.slice.methods[self.method] => {
                if let Some(lambda) = self.facts.lambdas.iter().find(|it| it.pc == pc) {
                    let arguments = lambda_arguments(&lambda.captured, &call.arguments);
                    self.call_target(event, must, lambda.target, &arguments, true);
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
                    self.call_target(event, must, lambda.target, &arguments, false);
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
        is_narrow: bool,
    ) {
        if let Some(callee) = self.context.slice.index(target) {
            self.lift_call(event, must, callee, arguments, is_narrow);
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

    pub(super) fn note_callback(&mut self, event: &Event, must: &[Lock], call: &Call) {
        let Some(receiver) = call.arguments.first().copied().flatten() else { return };
        let path = self.paths().of(receiver.path);
        let is_handed_in = matches!(path.root, Root::Param(_)) && path.steps().is_empty();
        if !is_handed_in
            || (!call.targets.is_open
                && call.targets.wide.is_empty()
                && !call.targets.methods.is_empty())
        {
            return;
        }
        let held = self.locks_of(event.held.may).into_iter().map(|(_, lock)| lock).collect();
        self.add_callback(Callback {
            receiver: receiver.path,
            resolved: call.resolved,
            held,
            gates: must.to_vec(),
            via: Via::Own { pc: event.pc },
            depth: 0,
        });
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
        let unknown = Val { path: callback.receiver, class: None, exact: false };
        let Some(receiver) = self.substitute(unknown, arguments) else { return };
        let path = self.paths().of(receiver.path);
        if !path.steps().is_empty() {
            return;
        }
        let held_here = self.locks_of(event.held.may).into_iter().map(|(_, lock)| lock);
        let mut held = self.lift_gates(&callback.held, arguments);
        held.extend(held_here);
        let mut gates = self.lift_gates(&callback.gates, arguments);
        gates.extend(must);
        let own = self.context.slice.methods[self.method];
        match path.root {
            Root::Param(_) => self.add_callback(Callback {
                receiver: receiver.path,
                resolved: callback.resolved,
                held,
                gates,
                via: Via::Call { pc: event.pc, callee: callee as u32, record: number as u32 },
                depth: callback.depth.saturating_add(1),
            }),
            Root::Alloc(method, pc) if method == own => {
                let Some((target, known)) = self.handed_in(pc, callback, receiver) else { return };
                self.run_callback(event.pc, (callee, number), target, &known, &held, &gates);
            }
            Root::Alloc(..)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown => {}
        }
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
            let Some(lock) = self.lift_lock(acquire.lock, arguments) else { continue };
            if acquire.is_reentrant && gates.iter().any(|gate| self.is_same(gate, &lock)) {
                continue;
            }
            let mut inner = self.lift_gates(&acquire.gates, arguments);
            inner.extend(gates);
            let depth = acquire.depth.saturating_add(2);
            for &holder in held {
                if acquire.is_reentrant && self.is_same(&holder, &lock) {
                    continue;
                }
                let others = inner.iter().filter(|it| !self.is_same(it, &holder));
                self.add_pair(Pair {
                    held: holder,
                    wanted: lock,
                    gates: others.copied().collect(),
                    source: Source::Callback {
                        pc,
                        callee: callee as u32,
                        callback: callback as u32,
                        target: target as u32,
                        record: record as u32,
                    },
                    depth,
                    wide: acquire.wide,
                    is_reentrant: acquire.is_reentrant,
                    is_spawned: false,
                });
            }
            self.add_acquire(Acquire {
                lock,
                gates: inner,
                via: Via::Call { pc, callee: target as u32, record: record as u32 },
                depth,
                wide: acquire.wide,
                is_reentrant: acquire.is_reentrant,
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
