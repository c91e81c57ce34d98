//! Edited methods, those first that others of them use: what was proved of these need not be proved again.

use std::collections::{BTreeMap, BTreeSet};

use super::matching::Matching;

impl Matching {
    /// These pairs in waves. A wave uses what comes before it, and what is in it; pairs that use each other
    /// are in the same one.
    pub fn bottom_up(&self, pairs: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let users: BTreeMap<usize, BTreeSet<usize>> = pairs
            .iter()
            .map(|&at| (at, self.users(at).intersection(pairs).copied().collect()))
            .collect();
        let mut used: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (&at, of_it) in &users {
            for &user in of_it.iter().filter(|user| !users[user].contains(&at)) {
                used.entry(user).or_default().insert(at);
            }
        }
        let (mut left, mut waves) = (pairs.clone(), Vec::new());
        while !left.is_empty() {
            let is_ready = |at: &usize| used.get(at).is_none_or(|used| used.is_disjoint(&left));
            let wave: BTreeSet<usize> = left.iter().copied().filter(is_ready).collect();
            left = left.difference(&wave).copied().collect();
            waves.push(wave);
        }
        waves
    }
}
