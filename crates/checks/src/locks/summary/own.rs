//! What a frame itself waits for: locks, signals, and the end of tasks.

use super::{Acquire, Event, Frame, Pair, Source};
use crate::locks::path::{Lock, Mode, Root, Val};

impl Frame<'_> {
    pub(super) fn acquire(&mut self, event: &Event, site: usize) {
        let facts = self.facts;
        let site = &facts.sites[site];
        let gates = self.must_hold(event);
        let (locks, object) = self.locked_here(site);
        for lock in locks {
            let Some(lock) = self.contended(lock) else { continue };
            let wanted =
                Acquire { is_reentrant: site.is_reentrant, ..Acquire::own(event.pc, lock) };
            self.want(event, &gates, wanted, object);
        }
    }

    /// Waiting gives back the one lock; all others stay held until the signal comes.
    pub(super) fn wait(&mut self, event: &Event, on: Lock, is_timed: bool) {
        let Some(lock) = self.contended(on) else { return };
        // A queue keeps no lock of ours.
        if on.mode != Mode::Signal {
            let wanted = Acquire { is_regained: true, ..Acquire::own(event.pc, lock) };
            self.regain(event, &self.must_hold(event), wanted);
        }
        if is_timed {
            return;
        }
        let must: Vec<Lock> =
            self.must_hold(event).into_iter().filter(|it| it.val.path != lock.val.path).collect();
        let wanted = Acquire::own(event.pc, Lock { mode: Mode::Signal, ..lock });
        self.want(event, &must, wanted, None);
    }

    /// Whoever waited, here or below, wants the lock again that it gave back, with all others still held.
    pub(super) fn regain(&mut self, event: &Event, must: &[Lock], wanted: Acquire) {
        let lock = wanted.lock;
        let is_given_back = |it: &Lock| it.val.path == lock.val.path && it.mode == lock.mode;
        let kept = || must.iter().filter(|it| !is_given_back(it)).chain(&wanted.gates);
        for holding in self.locks_of(event.held.may) {
            let held = holding.lock;
            if is_given_back(&held) {
                continue;
            }
            let is_other = |it: &&Lock| !is_given_back(it) && !self.is_same(it, &held);
            self.add_pair(Pair {
                held,
                wanted: lock,
                gates: kept().filter(is_other).copied().collect(),
                guards: Vec::new(),
                link: self.link(&held, &lock),
                source: Source::Own { held_pc: holding.pc, wanted: wanted.via },
                depth: wanted.depth + 1,
                wide: wanted.wide,
                doubt: wanted.doubt,
                is_reentrant: true,
                is_regained: true,
                needs: wanted.needs.clone(),
                is_spawned: false,
                started: None,
            });
        }
        let gates = kept().copied().collect();
        self.add_acquire(Acquire { gates, ..wanted });
    }

    /// Waits for the tasks behind the value to end; who made them tells which they are.
    pub(super) fn join(&mut self, event: &Event, val: Val) {
        let must = self.must_hold(event);
        for (maker, pc) in crate::locks::tasks::tasks_behind(self.context, self.method, val) {
            let path = self.paths().root(Root::Alloc(maker, pc));
            let val = Val { path, class: None, exact: true };
            let wanted = Acquire::own(event.pc, Lock { val, mode: Mode::Done });
            self.want(event, &must, wanted, None);
        }
    }

    pub(super) fn notify(&mut self, event: &Event, on: Lock) {
        let Some(lock) = self.contended(on) else { return };
        let gates = self.must_hold(event);
        self.add_acquire(Acquire {
            gates,
            ..Acquire::own(event.pc, Lock { mode: Mode::Wake, ..lock })
        });
    }
}
