//! Pairs of callees, in terms of the frame that calls.

use super::{Frame, Pair, Source};
use crate::locks::path::{Lock, Root, Val};

impl Frame<'_> {
    pub(super) fn lift_pairs(
        &mut self,
        pc: u16,
        must: &[Lock],
        callee: usize,
        arguments: &[Option<Val>],
        spawns: bool,
        doubt: u16,
    ) {
        let summaries = self.summaries;
        // Of an object's methods that others may call, only what its constructor was given is news.
        let only_given = spawns && self.context.entries[callee];
        let paths = self.paths();
        let is_handed = |lock: &Lock| matches!(paths.of(lock.val.path).root, Root::Param(_));
        let is_library = !self.is_own(callee) && self.context.entries[callee];
        for (record, pair) in summaries[callee].pairs.iter().enumerate() {
            let Ok((needs, relief)) = self.lift_needs(&pair.needs, arguments) else { continue };
            let doubt = (pair.doubt + doubt).saturating_sub(relief);
            if is_library && !(is_handed(&pair.held) && is_handed(&pair.wanted)) {
                continue;
            }
            let is_far = self.is_far(callee, pair, doubt);
            self.summary.is_cut |= is_far && self.is_own(callee);
            if is_far || only_given && !self.context.depends_on_constructor(pair) {
                continue;
            }
            let (Some(held), Some(wanted)) =
                (self.lift_lock(pair.held, arguments), self.lift_lock(pair.wanted, arguments))
            else {
                continue;
            };
            let is_spawned = pair.is_spawned || spawns;
            let gates =
                self.gates_above(pair, &wanted, arguments, if is_spawned { &[] } else { must });
            let known = gates.iter().chain([&held]).any(|gate| self.is_same(gate, &wanted));
            if pair.is_reentrant && known {
                continue;
            }
            let guards = self.lift_guards(pair, arguments, spawns);
            let link = pair.link.or_else(|| self.link(&held, &wanted));
            self.add_pair(Pair {
                held,
                wanted,
                gates,
                guards,
                link,
                source: Source::Lifted { pc, callee: callee as u32, record: record as u32 },
                depth: pair.depth.saturating_add(1),
                wide: pair.wide,
                doubt,
                is_reentrant: pair.is_reentrant,
                is_regained: pair.is_regained,
                needs,
                is_spawned,
                started: pair.started.or_else(|| self.started(pc, spawns)),
            });
        }
    }

    /// What is certainly held besides, in this frame and below, while the lock is waited for.
    fn gates_above(
        &self,
        pair: &Pair,
        wanted: &Lock,
        arguments: &[Option<Val>],
        must: &[Lock],
    ) -> Vec<Lock> {
        let mut gates = self.lift_gates(&pair.gates, arguments);
        gates.extend(must);
        if pair.is_regained {
            gates.retain(|gate| !self.is_same(gate, wanted));
        }
        gates
    }

    /// Whether a pair is too far down to be told here. Where only `main` starts, it may be far above.
    fn is_far(&self, callee: usize, pair: &Pair, doubt: u16) -> bool {
        let is_bounded = !self.context.universe.is_closed() || !self.is_own(callee);
        is_bounded && pair.depth >= self.context.depth * 2
            || doubt > self.context.universe.most_doubt()
    }

    fn started(&self, pc: u16, spawns: bool) -> Option<(u32, u16)> {
        let is_told = spawns && self.context.universe.is_closed() && self.is_own(self.method);
        is_told.then_some((self.method as u32, pc))
    }
}
