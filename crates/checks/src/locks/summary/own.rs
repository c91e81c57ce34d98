//! What a frame itself waits for: locks, signals, and the end of tasks.

use super::{Acquire, Event, Frame, Pair, Source, Via};
use crate::locks::path::{Lock, Mode, Root, Val};

impl Frame<'_> {
    pub(super) fn acquire(&mut self, event: &Event, site: usize) {
        let facts = self.facts;
        let site = &facts.sites[site];
        let gates = self.must_hold(event);
        let (locks, object) = self.locked_here(site);
        for lock in locks {
            let Some(lock) = self.contended(lock) else { continue };
            let wanted = Acquire {
                lock,
                gates: Vec::new(),
                via: Via::Own { pc: event.pc },
                depth: 0,
                wide: 0,
                doubt: 0,
                is_reentrant: site.is_reentrant,
                needs: Vec::new(),
            };
            self.want(event, &gates, wanted, object);
        }
    }

    /// Waiting gives back the one lock; all others stay held until the signal comes.
    pub(super) fn wait(&mut self, event: &Event, on: Lock, is_timed: bool) {
        let Some(lock) = self.contended(on) else { return };
        let held = self.must_hold(event);
        // A queue keeps no lock of ours.
        if on.mode != Mode::Signal {
            self.regain(event, &held, lock, Via::Own { pc: event.pc });
        }
        if is_timed {
            return;
        }
        let must: Vec<Lock> =
            self.must_hold(event).into_iter().filter(|it| it.val.path != lock.val.path).collect();
        let wanted = Acquire {
            lock: Lock { mode: Mode::Signal, ..lock },
            gates: Vec::new(),
            via: Via::Own { pc: event.pc },
            depth: 0,
            wide: 0,
            doubt: 0,
            is_reentrant: true,
            needs: Vec::new(),
        };
        self.want(event, &must, wanted, None);
    }

    /// Whoever waited wants the lock again that it gave back, with all others still held.
    pub(super) fn regain(&mut self, event: &Event, must: &[Lock], lock: Lock, via: Via) {
        for holding in self.locks_of(event.held.may) {
            let held = holding.lock;
            if held.val.path == lock.val.path {
                continue;
            }
            let is_other = |it: &&Lock| it.val.path != lock.val.path && !self.is_same(it, &held);
            self.add_pair(Pair {
                held,
                wanted: lock,
                gates: must.iter().filter(is_other).copied().collect(),
                guards: Vec::new(),
                link: self.link(&held, &lock),
                source: Source::Own { held_pc: holding.pc, wanted: via },
                depth: 1,
                wide: 0,
                doubt: 0,
                is_reentrant: true,
                needs: Vec::new(),
                is_spawned: false,
                started: None,
            });
        }
    }

    /// Waits for the tasks behind the value to end; who made them tells which they are.
    pub(super) fn join(&mut self, event: &Event, val: Val) {
        let must = self.must_hold(event);
        for (maker, pc) in crate::locks::tasks::tasks_behind(self.context, self.method, val) {
            let path = self.paths().root(Root::Alloc(maker, pc));
            let val = Val { path, class: None, exact: true };
            let wanted = Acquire {
                lock: Lock { val, mode: Mode::Done },
                gates: Vec::new(),
                via: Via::Own { pc: event.pc },
                depth: 0,
                wide: 0,
                doubt: 0,
                is_reentrant: true,
                needs: Vec::new(),
            };
            self.want(event, &must, wanted, None);
        }
    }

    pub(super) fn notify(&mut self, event: &Event, on: Lock) {
        let Some(lock) = self.contended(on) else { return };
        let gates = self.must_hold(event);
        self.add_acquire(Acquire {
            lock: Lock { mode: Mode::Wake, ..lock },
            gates,
            via: Via::Own { pc: event.pc },
            depth: 0,
            wide: 0,
            doubt: 0,
            is_reentrant: true,
            needs: Vec::new(),
        });
    }
}
