//! Objects in fields: whoever reads a field uses what was put there.
//!
//! The objects are not followed. A method that makes objects of judged classes, or lambdas, itself or in
//! what it calls, may have put them where another finds them: into a field that it writes, or into what
//! a field holds that it reads, if that is a collection or an array. An object of a judged class takes
//! them up by fields of its own.

use std::collections::BTreeSet;

use program::FieldId;
use rustc_hash::FxHashMap;

use super::{Uses, users, with_users};

/// Makes readers of a field depend on those that fill it.
pub(super) fn add_holders(uses: &mut [Uses]) {
    let makers = makers(uses);
    let mut fillers: FxHashMap<FieldId, Vec<usize>> = FxHashMap::default();
    for (at, uses) in uses.iter().enumerate().filter(|(at, _)| makers.contains(at)) {
        for &field in &uses.filled {
            fillers.entry(field).or_default().push(at);
        }
    }
    for (at, uses) in uses.iter_mut().enumerate().filter(|(_, uses)| uses.is_calling) {
        let held: BTreeSet<usize> = uses
            .fields
            .iter()
            .flat_map(|field| fillers.get(field).into_iter().flatten().copied())
            .filter(|&filler| filler != at)
            .collect();
        uses.pairs.extend(held);
    }
}

/// Pairs that make objects, themselves or in what they call.
fn makers(uses: &[Uses]) -> BTreeSet<usize> {
    with_users(&users(uses), (0..uses.len()).filter(|&at| uses[at].is_maker))
}
