//! What a situation says about the locks of an event: which objects are meant, and in which worlds.

use super::{Frame, Link, Lock, Pair, Val};
use crate::locks::context::is_lasting;
use crate::locks::facts::{Call, LockSite};
use crate::locks::order::{Comparison, End, Guard, Key, Object, Seen, Worlds};
use crate::locks::path::{Path, Root, Step};

impl Frame<'_> {
    /// Which of the locks of a held site are meant, and what the body calls the object.
    pub(super) fn meant(&self, site: usize, locks: &[Lock]) -> (Vec<Lock>, Option<Object>) {
        let held = self.situation.map_or(&[][..], |it| &it.held);
        let seen = held.iter().find(|(it, _)| usize::from(*it) == site).map(|(_, seen)| *seen);
        self.choose(locks, seen)
    }

    /// The same of the site that the event itself locks.
    pub(super) fn locked_here(&self, site: &LockSite) -> (Vec<Lock>, Option<Object>) {
        let seen = self.situation.and_then(|it| it.given.first().copied().flatten());
        self.choose(&site.locks, seen)
    }

    fn choose(&self, locks: &[Lock], seen: Option<Seen>) -> (Vec<Lock>, Option<Object>) {
        let Some(seen) = seen else { return (locks.to_vec(), None) };
        let path = self.paths().of(seen.val.path);
        // The two halves of a read-write lock stand for the whole.
        let whole = match path.last() {
            Some(Step::ReadLock | Step::WriteLock) => path.base(),
            Some(
                Step::Field(_) | Step::Element | Step::Older | Step::Many(_) | Step::Condition,
            )
            | None => None,
        };
        let is_meant = |lock: &&Lock| {
            lock.val.path == seen.val.path
                || whole.is_some_and(|whole| self.paths().of(lock.val.path) == whole)
        };
        let meant: Vec<Lock> = locks.iter().filter(is_meant).copied().collect();
        match (&meant[..], whole) {
            // What was only known as a part of one of several objects is a part of this one.
            ([], _) if locks.len() == 1 && self.compares() && is_path(seen.object) => {
                let path = whole.map_or(seen.val.path, |whole| self.paths().intern(whole));
                let val = Val { path, ..locks[0].val };
                (vec![Lock { val, ..locks[0] }], whole.is_none().then_some(seen.object))
            }
            ([], _) => (locks.to_vec(), None),
            (_, Some(_)) => (meant, None),
            (_, None) => (meant, Some(seen.object)),
        }
    }

    /// Whether the body compares keys. Without that, which of several objects is meant stays a guess,
    /// and is counted as one.
    fn compares(&self) -> bool {
        self.facts.situations.comparisons.iter().any(|it| it.key != Key::Itself)
    }

    /// The arguments of a call, as far as the situation knows them better.
    pub(super) fn arguments(&self, call: &Call) -> Vec<Option<Val>> {
        let mut arguments = call.arguments.to_vec();
        let given = self.situation.filter(|_| self.compares()).map_or(&[][..], |it| &it.given);
        for (argument, seen) in arguments.iter_mut().zip(given) {
            if let (Some(known), Some(seen)) = (*argument, seen)
                && known.path != seen.val.path
            {
                let class = self.context.universe.narrower(seen.val.class, known.class);
                *argument = Some(Val { class, ..seen.val });
            }
        }
        arguments
    }

    /// What this body calls an object that a callee locks as its parameter.
    pub(super) fn handed_object(&self, lock: &Lock) -> Option<Object> {
        let path = self.paths().of(lock.val.path);
        let Root::Param(index) = path.root else { return None };
        if !path.steps().is_empty() {
            return None;
        }
        let given = self.situation?.given.get(usize::from(index)).copied().flatten()?;
        Some(given.object)
    }

    /// The worlds of the situation, as a pair of locks knows them.
    pub(super) fn guards(&self, held: Option<Object>, wanted: Option<Object>) -> Vec<Guard> {
        let comparisons = &self.facts.situations.comparisons;
        let Some(situation) = self.situation else { return Vec::new() };
        if comparisons.is_empty() || situation.worlds == Worlds::all(comparisons.len()) {
            return Vec::new();
        }
        let end = |object: Object| match object {
            _ if held == Some(object) => End::Held,
            _ if wanted == Some(object) => End::Wanted,
            Object::Path(path) => End::Path(path),
            Object::Value(_) => End::Lost,
        };
        let comparisons = comparisons.iter().map(|it| Comparison {
            left: end(it.left),
            right: end(it.right),
            key: it.key,
        });
        vec![Guard { comparisons: comparisons.collect(), worlds: situation.worlds }]
    }

    /// The guards of a callee's pair in terms of this frame, and those of the call itself.
    pub(super) fn lift_guards(
        &self,
        pair: &Pair,
        arguments: &[Option<Val>],
        spawns: bool,
    ) -> Vec<Guard> {
        const MANY: usize = 4;
        let lift = |end: End| match end {
            End::Path(path) => {
                let val = Val { path, class: None, exact: false };
                let lifted = self.substitute(val, arguments).map(|it| it.path);
                let is_said = |path: &Path| !path.is_local() && path.root != Root::Unknown;
                lifted.filter(|it| is_said(&self.paths().of(*it))).map_or(End::Lost, End::Path)
            }
            End::Held | End::Wanted | End::Lost => end,
        };
        let mut guards: Vec<Guard> = Vec::new();
        for guard in &pair.guards {
            let comparisons = guard.comparisons.iter().map(|it| Comparison {
                left: lift(it.left),
                right: lift(it.right),
                key: it.key,
            });
            guards.push(Guard { comparisons: comparisons.collect(), worlds: guard.worlds });
        }
        if !spawns {
            let (held, wanted) = (self.handed_object(&pair.held), self.handed_object(&pair.wanted));
            guards.extend(self.guards(held, wanted));
        }
        guards.truncate(MANY);
        guards
    }

    /// How one of two locks is found from the other.
    pub(super) fn link(&self, held: &Lock, wanted: &Lock) -> Option<Link> {
        let (from, to) = (self.paths().of(held.val.path), self.paths().of(wanted.val.path));
        let steps_between = |a: &Path, b: &Path| {
            let is_start = a.root == b.root && b.steps().starts_with(a.steps());
            is_start.then(|| b.steps().len() - a.steps().len()).filter(|&steps| steps > 0)
        };
        let is_one = |lock: &Lock| is_lasting(self.context, lock.val.path);
        if let Some(steps) = steps_between(&from, &to).filter(|_| is_one(held)) {
            return Some(Link { from_held: true, path: wanted.val.path, steps: steps as u8 });
        }
        let steps = steps_between(&to, &from).filter(|_| is_one(wanted))?;
        Some(Link { from_held: false, path: held.val.path, steps: steps as u8 })
    }
}

fn is_path(object: Object) -> bool {
    matches!(object, Object::Path(_))
}
