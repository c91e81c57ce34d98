//! Calls that take locks: those of `java.util.concurrent`, those that come back with a lock held, and those
//! that take one for a moment.

use program::ir::{InvokeKind, MethodRef, Value};

use super::{Action, Extraction, Net};
use crate::locks::path::{Lock, Mode, Root, Step, Val};
use crate::locks::primitives::{Primitive, takes_monitor};

impl Extraction<'_> {
    pub(super) fn find_call_sites(
        &mut self,
        number: u32,
        pc: u16,
        kind: InvokeKind,
        method: &MethodRef,
        arguments: &[Value],
    ) {
        let receiver = arguments.first().copied().filter(|_| kind != InvokeKind::Static);
        self.add_passing_site(number, pc, method, receiver);
        let (blocks, mode) = match self.primitive(method) {
            Some(Primitive::Lock { blocks }) => (blocks, None),
            Some(Primitive::Stamped { mode, blocks }) => (blocks, Some(mode)),
            Some(_) => return,
            None => {
                self.add_net_sites(number, pc, kind, method, arguments);
                return;
            }
        };
        let Some(receiver) = receiver else { return };
        let choices = self.values.choices(receiver);
        let locks = choices.into_iter().map(|val| self.juc_lock(val, mode)).collect();
        let site = self.add_site(locks, pc, blocks, mode.is_none(), None);
        self.receivers[site] = Some(receiver);
        let owner = self.universe().program.names.bytes(method.class);
        self.facts.sites[site].is_typed = owner != b"java/util/concurrent/locks/Lock";
        self.actions
            .insert(number, Action { takes: vec![site], wants: blocks, ..Action::default() });
    }

    /// Threads are locked while they are started and waited for.
    fn add_passing_site(
        &mut self,
        number: u32,
        pc: u16,
        method: &MethodRef,
        receiver: Option<Value>,
    ) {
        let Some(receiver) = receiver.filter(|_| self.locks_receiver(method)) else { return };
        let site = self.add_site(self.monitors(receiver), pc, true, true, None);
        self.facts.sites[site].is_passing = true;
        self.receivers[site] = Some(receiver);
        self.actions.insert(number, Action { touches: vec![site], ..Action::default() });
    }

    /// Whether a method of the library takes the monitor of its receiver and gives it back.
    pub(super) fn locks_receiver(&self, method: &MethodRef) -> bool {
        let program = self.universe().program;
        self.scene.resolve(method).0.is_some_and(|resolved| {
            let owner = program.names.bytes(program.class_name(resolved.class));
            takes_monitor(owner, program.names.bytes(method.name))
        })
    }

    pub(super) fn primitive(&self, method: &MethodRef) -> Option<Primitive> {
        self.scene.resolve(method).1
    }

    /// The lock that a value of `java.util.concurrent` stands for.
    pub(super) fn juc_lock(&self, val: Val, stamped: Option<Mode>) -> Lock {
        let path = self.scene.paths.of(val.path);
        let half = match path.last() {
            Some(Step::ReadLock) => Some(Mode::Read),
            Some(Step::WriteLock) => Some(Mode::Write),
            Some(
                Step::Condition | Step::Field(_) | Step::Element | Step::Older | Step::Many(_),
            )
            | None => None,
        };
        match (half, path.base(), stamped) {
            (_, _, Some(mode)) => Lock { val, mode },
            (Some(mode), Some(base), None) => {
                let path = self.scene.paths.intern(base);
                Lock { val: Val { path, class: None, exact: false }, mode }
            }
            _ => Lock { val, mode: Mode::Exclusive },
        }
    }

    /// A call of a method that returns with a lock held holds it from there on.
    fn add_net_sites(
        &mut self,
        number: u32,
        pc: u16,
        kind: InvokeKind,
        method: &MethodRef,
        arguments: &[Value],
    ) {
        let Some(net) = self.net_of(kind, method, arguments) else { return };
        let mut action = Action::default();
        for lock in net.held {
            let site = self.add_site(vec![lock], pc, false, true, None);
            self.handed_over.push(site);
            action.takes.push(site);
        }
        self.actions.insert(number, action);
    }

    pub(super) fn net_of(
        &self,
        kind: InvokeKind,
        method: &MethodRef,
        arguments: &[Value],
    ) -> Option<Net> {
        if self.nets.is_empty() {
            return None;
        }
        let (_, targets) = self.targets(kind, method, arguments)?;
        let [target] = targets.methods[..] else { return None };
        let net = self.nets.get(&target)?;
        let arguments: Vec<Option<Val>> =
            arguments.iter().map(|&value| self.values.of(value)).collect();
        let instantiate = |lock: &Lock| {
            let path = self.scene.paths.of(lock.val.path);
            let Root::Param(index) = path.root else { return Some(*lock) };
            let mut at = arguments.get(usize::from(index)).copied().flatten()?.path;
            for &step in path.steps() {
                at = crate::locks::values::extend(self.scene.paths, at, step)?;
            }
            Some(Lock { val: Val { path: at, ..lock.val }, ..*lock })
        };
        Some(Net {
            held: net.held.iter().filter_map(instantiate).collect(),
            released: net.released.iter().filter_map(instantiate).collect(),
        })
    }
}
