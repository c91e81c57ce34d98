//! Bodies that the library may run as it likes: they take no lock, and nothing that they call does, neither by
//! name nor by way of the library, which may call back what it is handed in turn.

use super::calls::Search;
use super::library::callees;
use crate::locks::facts::{Call, What};

impl Search<'_> {
    /// Takes all for quiet, and then drops those that are not, until nothing changes.
    pub(super) fn find_quiet(&mut self) {
        let slice = self.context.slice;
        let is_own = |&it: &usize| !self.context.universe.is_platform(slice.methods[it].class);
        let own: Vec<usize> = (0..slice.methods.len()).filter(is_own).collect();
        self.quiet = vec![true; slice.methods.len()];
        loop {
            let quiet = own.iter().copied().filter(|&it| self.quiet[it]);
            let loud: Vec<usize> = quiet.filter(|&it| !self.stays_quiet(it)).collect();
            if loud.is_empty() {
                return;
            }
            loud.into_iter().for_each(|it| self.quiet[it] = false);
        }
    }

    /// Whether a body is quiet if those that it leads to are.
    fn stays_quiet(&self, method: usize) -> bool {
        let facts = &self.context.slice.facts[method];
        self.summaries[method].acquires.is_empty()
            && self.summaries[method].callbacks.is_empty()
            && facts.missing.is_empty()
            && facts.failure.is_none()
            && facts.events.iter().all(|event| match &event.what {
                What::Call(call) => {
                    callees(self.context, event).into_iter().all(|it| self.quiet[it])
                        && self.is_quiet_call(method, call)
                }
                What::Acquire(_) | What::Wait { .. } | What::Join(_) => false,
                What::Init(_) | What::Notify { .. } | What::Spawn(_) => true,
            })
    }

    /// Whether what the library does in a call takes no lock and calls nothing back that may.
    fn is_quiet_call(&self, method: usize, call: &Call) -> bool {
        let context = self.context;
        let facts = &context.slice.facts[method];
        let mut bodies = call.targets.all().filter_map(|it| context.slice.index(it));
        (call.targets.is_known() || !call.is_virtual)
            && !self.runs_loud_lambda(call)
            && bodies.all(|it| !self.effects[it].locks())
            && (!context.universe.is_platform(call.resolved.class)
                || self.called_back(method, facts, call, "").is_none())
    }
}
