//! What is asked about a body, and what was seen on all walks, as situations.

use program::ir::Value;
use rustc_hash::FxHashMap;

use super::{Comparison, Object, Seen, Situation, Situations, Worlds};
use crate::locks::facts::SiteSet;

/// What the caller knows about a body: who locks what where.
pub(crate) struct Places<'a> {
    /// The value that each lock site locks.
    pub sites: &'a [Option<Value>],
    /// Of each instruction that locks or calls, by number: what may be held before it.
    pub held: &'a FxHashMap<u32, SiteSet>,
}

/// What is held and given at a place, on one way there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Moment {
    pub pc: u16,
    pub held: Box<[(u8, Seen)]>,
    pub given: Box<[Option<Seen>]>,
}

/// The situations that the moments make, in a fixed order; none if there are too many.
pub(super) fn collect(
    comparisons: Vec<Comparison<Object>>,
    found: FxHashMap<Moment, Worlds>,
) -> Situations {
    const MANY: usize = 200;
    if found.len() > MANY {
        return Situations::default();
    }
    let mut all: Vec<Situation> = found
        .into_iter()
        .map(|(Moment { pc, held, given }, worlds)| Situation { pc, held, given, worlds })
        .collect();
    let key = |it: &Situation| {
        let object = |seen: &Seen| match seen.object {
            Object::Path(_) => 0,
            Object::Value(value) => value + 1,
        };
        let held: Vec<(u8, u32)> =
            it.held.iter().map(|(site, seen)| (*site, object(seen))).collect();
        let given: Vec<Option<u32>> =
            it.given.iter().map(|seen| seen.as_ref().map(object)).collect();
        (it.pc, it.worlds.0, held, given)
    };
    all.sort_by_cached_key(key);
    Situations { comparisons: comparisons.into(), all }
}
