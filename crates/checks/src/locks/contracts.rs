//! What each method that others can call may lock, and in which order: text that can be committed and
//! compared between releases. Sorted by name, without line numbers, so that it changes only when the
//! locking does.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use super::names::{lock_name, method_in_java};
use super::path::{Lock, Mode, Root, Step};
use super::summary::Summary;

/// One method and its locks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contract {
    /// `p.A.m(p.D, int)`; methods that differ in what they return alone are told as one.
    pub method: String,
    /// Every lock that it may wait for.
    pub takes: BTreeSet<String>,
    /// Held first, then wanted.
    pub orders: BTreeSet<(String, String)>,
}

/// The contracts of the judged classes, sorted.
pub(crate) fn contracts(context: &Context<'_>, summaries: &[Summary]) -> Vec<Contract> {
    let mut found: BTreeMap<String, Contract> = BTreeMap::new();
    for (entry, summary) in summaries.iter().enumerate() {
        let id = context.slice.methods[entry];
        if !context.is_start(entry) || !context.universe.is_judged(id.class) {
            continue;
        }
        let locks = summary.acquires.iter().filter(|it| !it.is_regained).map(|it| &it.lock);
        let takes: BTreeSet<String> = locks.filter_map(|lock| name(context, lock)).collect();
        let orders: BTreeSet<(String, String)> = summary
            .pairs
            .iter()
            .filter(|pair| !pair.is_spawned)
            .filter_map(|pair| Some((name(context, &pair.held)?, name(context, &pair.wanted)?)))
            .collect();
        if !takes.is_empty() || !orders.is_empty() {
            let method = method_in_java(context, id);
            let known = found.entry(method.clone()).or_insert_with(|| Contract {
                method,
                takes: BTreeSet::new(),
                orders: BTreeSet::new(),
            });
            known.takes.extend(takes);
            known.orders.extend(orders);
        }
    }
    found.into_values().collect()
}

/// `None` for what is no lock of the judged classes: wrappers of the platform and the like.
fn name(context: &Context<'_>, lock: &Lock) -> Option<String> {
    let path = context.paths.of(lock.val.path);
    let owner = match (path.last(), path.root) {
        (Some(Step::Field(field)), _) | (None, Root::Static(field)) => Some(field.class),
        (None, Root::Class(class)) => Some(class),
        (Some(Step::ReadLock | Step::WriteLock | Step::Condition), _) => {
            let base = path.base().and_then(|it| it.last());
            base.and_then(
                |step| if let Step::Field(field) = step { Some(field.class) } else { None },
            )
        }
        (Some(Step::Element | Step::Older | Step::Many(_)), _)
        | (
            None,
            Root::Param(_)
            | Root::Text(_)
            | Root::Alloc(..)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown,
        ) => lock.val.class,
    };
    let is_literal = matches!(path.root, Root::Text(_));
    if !is_literal && !owner.is_some_and(|class| context.universe.is_judged(class)) {
        return None;
    }
    let name = lock_name(context, lock);
    match lock.mode {
        Mode::Monitor | Mode::Exclusive => Some(name),
        Mode::Read => Some(format!("{name} (read)")),
        Mode::Write => Some(format!("{name} (write)")),
        Mode::Init | Mode::Signal | Mode::Wake | Mode::Done => None,
    }
}
