//! The cycles of two releases side by side. A cycle is the same if its rule and its locks are, whatever
//! lines and stacks have changed.

use std::collections::BTreeSet;

use crate::cycle::Change;
use crate::finding::Finding;

type Key = (&'static str, Vec<String>);

/// The findings of the new release, each with what has changed, and the old ones that are gone.
pub fn compare_releases(mut new: Vec<Finding>, old: Vec<Finding>) -> Vec<Finding> {
    let keys = |findings: &[Finding]| -> BTreeSet<Key> {
        findings.iter().filter(|it| it.pruned().is_none()).filter_map(key).collect()
    };
    let (before, now) = (keys(&old), keys(&new));
    for finding in &mut new {
        let key = key(finding);
        if let (Some(key), Some(cycle)) = (key, &mut finding.cycle)
            && cycle.pruned.is_none()
        {
            let is_known = before.contains(&key);
            cycle.change = Some(if is_known { Change::Unchanged } else { Change::New });
        }
    }
    let gone = old.into_iter().filter(|finding| {
        finding.pruned().is_none() && key(finding).is_some_and(|key| !now.contains(&key))
    });
    new.extend(gone.map(|mut finding| {
        if let Some(cycle) = &mut finding.cycle {
            cycle.change = Some(Change::Gone);
        }
        finding
    }));
    new
}

/// `None` for what is no cycle.
fn key(finding: &Finding) -> Option<Key> {
    let cycle = finding.cycle.as_ref()?;
    let mut locks: Vec<String> =
        cycle.locks.iter().map(|lock| format!("{:?} {}", lock.kind, lock.name)).collect();
    locks.sort();
    Some((finding.rule.name, locks))
}
