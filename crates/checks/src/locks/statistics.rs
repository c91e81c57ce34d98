//! How much the judged classes lock, as the thesis counts it, and one figure for a whole release.

use std::collections::BTreeMap;

use program::ClassId;
use rustc_hash::FxHashSet;

use super::context::Context;
use super::facts::{Facts, What};
use super::graph::Components;
use super::names::lock_name;
use super::path::Mode;
use super::summary::Summary;
use crate::finding::Finding;
use crate::report::{LockUsage, Stat, StatValue};

/// How much was looked at.
pub(crate) fn size(
    context: &Context<'_>,
    summaries: &[Summary],
    components: &Components,
) -> Vec<Stat> {
    let facts = &context.slice.facts;
    vec![
        count("entries", context.entries.iter().filter(|&&it| it).count()),
        count("slice_methods", context.slice.methods.len()),
        count("relevant_methods", components.order.iter().map(Vec::len).sum()),
        count("largest_component", components.largest),
        count("acquires", summaries.iter().map(|it| it.acquires.len()).sum()),
        count("pairs", summaries.iter().map(|it| it.pairs.len()).sum()),
        count("unread_bodies", facts.iter().filter(|it| it.failure.is_some()).count()),
        count("cut", summaries.iter().filter(|it| it.is_cut).count()),
    ]
}

fn count(name: &'static str, value: usize) -> Stat {
    Stat { name, value: StatValue::Count(value as u64) }
}

/// Counts over the judged classes.
pub(crate) fn usage(context: &Context<'_>, summaries: &[Summary], judged: &[ClassId]) -> Vec<Stat> {
    let program = context.universe.program;
    let classes: Vec<_> = judged.iter().filter_map(|&id| program.class(id)).collect();
    let methods = || classes.iter().flat_map(|class| class.methods.iter());
    let n_synchronized = methods().filter(|it| it.access_flags.is_synchronized()).count();
    let n_native = methods().filter(|it| it.access_flags.is_native()).count();
    let thread = program.find_class_text("java/lang/Thread");
    let is_thread = |id: ClassId| thread.is_some_and(|it| program.is_subtype(id, it) == Some(true));
    let mut n_monitors = 0;
    let mut n_juc = 0;
    let mut n_locking = 0;
    let mut n_starts = 0;
    for (method, facts) in judged_facts(context) {
        n_starts += facts.events.iter().filter(|it| matches!(it.what, What::Spawn(_))).count();
        let monitor = |mode: Mode| mode == Mode::Monitor;
        for site in facts.sites.iter().filter(|it| !it.is_passing) {
            match site.locks.first().is_none_or(|lock| monitor(lock.mode)) {
                true => n_monitors += 1,
                false => n_juc += 1,
            }
        }
        n_locking +=
            usize::from(context.is_start(method) && !summaries[method].acquires.is_empty());
    }
    vec![
        count("synchronized_methods", n_synchronized),
        count("synchronized_blocks", n_monitors.max(n_synchronized) - n_synchronized),
        count("juc_lock_sites", n_juc),
        count("thread_starts", n_starts),
        count("thread_subclasses", classes.iter().filter(|it| is_thread(it.id)).count()),
        count("native_methods", n_native),
        count("locking_entries", n_locking),
    ]
}

/// The facts of the methods of judged classes.
fn judged_facts<'a>(context: &'a Context<'_>) -> impl Iterator<Item = (usize, &'a Facts)> {
    let methods = context.slice.methods.iter().zip(&context.slice.facts).enumerate();
    methods
        .filter(|(_, (id, _))| context.universe.is_judged(id.class))
        .map(|(method, (_, facts))| (method, facts))
}

/// By how many methods and blocks each lock is taken, the busiest first.
pub(crate) fn lock_usage(context: &Context<'_>) -> Vec<LockUsage> {
    let program = context.universe.program;
    let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (method, facts) in judged_facts(context) {
        let (_, declared) = program.method(context.slice.methods[method]);
        let is_synchronized = declared.access_flags.is_synchronized();
        for (number, site) in facts.sites.iter().enumerate() {
            let Some(lock) = site.locks.first().filter(|_| !site.is_passing) else { continue };
            let (methods, blocks) = found.entry(lock_name(context, lock)).or_default();
            // The lock of the method itself is its first.
            *if is_synchronized && number == 0 { methods } else { blocks } += 1;
        }
    }
    let mut usage: Vec<LockUsage> = found
        .into_iter()
        .map(|(name, (methods, blocks))| LockUsage { name, methods, blocks })
        .collect();
    usage.sort_by_key(|it| std::cmp::Reverse(it.methods + it.blocks));
    usage
}

/// Of all methods that others can call and that lock, the share in per cent that takes part in no cycle
/// which was found.
pub fn reliability(stats: &[Stat], findings: &[Finding]) -> Option<Stat> {
    let locking = stats.iter().find(|stat| stat.name == "locking_entries")?;
    let StatValue::Count(n_locking) = locking.value else { return None };
    let cycles = findings.iter().filter(|it| it.is_current()).filter_map(|it| it.cycle.as_ref());
    let entries: FxHashSet<&str> =
        cycles.flat_map(|cycle| cycle.threads.iter().map(|thread| thread.entry.as_str())).collect();
    let n_bad = (entries.len() as u64).min(n_locking);
    let share = if n_locking == 0 { 1.0 } else { 1.0 - n_bad as f64 / n_locking as f64 };
    Some(Stat { name: "reliability", value: StatValue::Real(100.0 * share) })
}
