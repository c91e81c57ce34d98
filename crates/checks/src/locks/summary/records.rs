//! Records of a method: which are kept, and in how many forms.

use program::ClassId;

use super::needs::Need;
use super::{Acquire, Callback, Frame, Lock, Pair, Root, Step, Val, globalise, is_subset, limit};
use crate::locks::context::is_lasting;
use crate::locks::order::is_weaker;

impl Frame<'_> {
    /// Whether a lock that was found here can be part of a circle that is reported.
    pub(super) fn matters(&self, lock: &Lock, wide: u16) -> bool {
        let path = self.paths().of(lock.val.path);
        let universe = self.context.universe;
        let is_here = self.is_own(self.method);
        let is_own = |class: ClassId| is_here || !universe.is_platform(class);
        let by_class = lock.val.class.is_none_or(is_own);
        let by_field = path.steps().iter().any(|step| match step {
            Step::Field(field) => is_own(field.class),
            Step::Element
            | Step::Older
            | Step::Many(_)
            | Step::ReadLock
            | Step::WriteLock
            | Step::Condition => false,
        });
        match path.root {
            Root::Param(_) => wide == 0 || path.steps().len() <= limit::WIDE_STEPS,
            // Who holds what through an open call is known only of objects that are handed in.
            Root::Static(field) => wide == 0 && (is_own(field.class) || by_class),
            Root::Class(class) => wide == 0 && is_own(class),
            Root::Text(_) => wide == 0,
            Root::Alloc(method, _) => wide == 0 && (is_own(method.class) || by_class),
            Root::Result(_) | Root::Local(_) | Root::Unknown => wide == 0 && (by_class || by_field),
        }
    }

    pub(super) fn add_acquire(&mut self, mut acquire: Acquire) {
        acquire.lock = globalise(self.paths(), acquire.lock);
        self.narrow_acquire(&mut acquire);
        if !self.matters(&acquire.lock, acquire.wide) {
            return;
        }
        acquire.gates = self.tidy_gates(acquire.gates);
        let records = &mut self.summary.acquires;
        let variants = self.acquire_index.entry(acquire.key()).or_default();
        let is_known = |&it: &u32| {
            let record = &records[it as usize];
            is_kept(&record.needs, &acquire.needs)
                && record.doubt <= acquire.doubt
                && is_subset(&record.gates, &acquire.gates)
        };
        if variants.iter().any(is_known) {
            return;
        }
        if variants.len() >= limit::VARIANTS || records.len() >= limit::ACQUIRES {
            self.summary.is_cut = true;
            return;
        }
        variants.push(records.len() as u32);
        records.push(acquire);
    }

    pub(super) fn add_pair(&mut self, mut pair: Pair) {
        pair.held = globalise(self.paths(), pair.held);
        pair.wanted = globalise(self.paths(), pair.wanted);
        self.narrow_pair(&mut pair);
        pair.gates = self.tidy_gates(pair.gates);
        let records = &mut self.summary.pairs;
        let variants = self.pair_index.entry(pair.key()).or_default();
        let is_known = |&it: &u32| {
            let record = &records[it as usize];
            is_kept(&record.needs, &pair.needs)
                && record.doubt <= pair.doubt
                && is_subset(&record.gates, &pair.gates)
                && is_weaker(&record.guards, &pair.guards)
                && (record.link.is_none() || record.link == pair.link)
        };
        // What is guarded differs by worlds, of which there are more.
        let most = if pair.guards.is_empty() { limit::VARIANTS } else { limit::GUARDED };
        if variants.iter().any(is_known) {
            return;
        }
        if variants.len() >= most || records.len() >= limit::PAIRS {
            self.summary.is_cut = true;
            return;
        }
        variants.push(records.len() as u32);
        records.push(pair);
    }

    pub(super) fn add_callback(&mut self, mut callback: Callback) {
        let paths = self.paths();
        for lock in callback.held.iter_mut().chain(&mut callback.gates) {
            *lock = globalise(paths, *lock);
        }
        callback.held.dedup();
        let same = |it: &Callback| {
            it.receiver == callback.receiver
                && it.resolved == callback.resolved
                && is_kept(&it.needs, &callback.needs)
                && is_subset(&callback.held, &it.held)
        };
        let records = &mut self.summary.callbacks;
        if records.iter().any(same) {
            return;
        }
        if records.len() >= limit::CALLBACKS {
            self.summary.is_cut = true;
            return;
        }
        records.push(callback);
    }

    /// Gates must be recognised again: those that are not the same object each time are none.
    pub(super) fn tidy_gates(&self, gates: Vec<Lock>) -> Vec<Lock> {
        let mut tidy: Vec<Lock> = Vec::new();
        for gate in gates {
            let lasting = is_lasting(self.context, gate.val.path);
            if lasting && !tidy.contains(&gate) && tidy.len() < limit::GATES {
                tidy.push(gate);
            }
        }
        tidy
    }

    /// A lock that is too deep to follow is no loss if it is known from elsewhere.
    pub(super) fn note_cut(&mut self, lock: Lock, arguments: &[Option<Val>]) {
        let Some(lock) = self.lift_lock(lock, arguments) else { return };
        let lock = globalise(self.paths(), lock);
        let is_known = |reentrant: bool| self.acquire_index.contains_key(&(lock, reentrant, false));
        if self.matters(&lock, 0) && !is_known(true) && !is_known(false) {
            self.summary.is_cut = true;
        }
    }
}

/// Whether a record with the first needs is one for whoever has the second.
fn is_kept(known: &[Need], others: &[Need]) -> bool {
    known.iter().all(|need| others.contains(need))
}
