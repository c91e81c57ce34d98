//! Finds names by the hash of their text.
//!
//! Nearly every question is for a name that is there already. It takes no lock, so that threads do not wait
//! for each other and the processor need not wait for one answer before it works on the next.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::names::Name;

const SHARDS: usize = 64;
const FIRST_SLOTS: usize = 16;
/// With each table twice as large as the one before, more than there can be names.
const TABLES: usize = 28;

pub(crate) struct NameTable {
    /// By hash, so that two threads seldom want to add to the same one.
    shards: [Shard; SHARDS],
}

/// What is read all the time comes first, on cache lines of its own.
#[repr(C, align(64))]
struct Shard {
    newest: AtomicUsize,
    /// The newest has all names. Those before it stay, since somebody may be searching them; together
    /// they are no larger.
    tables: [OnceLock<Box<[Slot]>>; TABLES],
    added: Added,
}

/// How many names there are: locked by who adds one.
#[repr(align(64))]
struct Added(Mutex<usize>);

/// Zero, or half of a hash above the number of a name plus one. A slot is written once.
type Slot = AtomicU64;

fn slot_value(hash: u32, name: Name) -> u64 {
    u64::from(hash) << 32 | u64::from(name.raw() + 1)
}

impl NameTable {
    pub(crate) fn new() -> NameTable {
        NameTable { shards: std::array::from_fn(|_| Shard::new()) }
    }

    pub(crate) fn find(&self, hash: u64, is_same: impl Fn(Name) -> bool) -> Option<Name> {
        let (shard, hash) = self.place(hash);
        search(shard.newest(), hash, is_same).ok()
    }

    /// The name for a text with this hash; `add` makes one if there is none.
    pub(crate) fn find_or_add(
        &self,
        hash: u64,
        is_same: impl Fn(Name) -> bool,
        add: impl FnOnce() -> Name,
    ) -> Name {
        let (shard, hash) = self.place(hash);
        match search(shard.newest(), hash, &is_same) {
            Ok(name) => name,
            Err(_) => shard.find_or_add(hash, is_same, add),
        }
    }

    /// The shard for a hash, and the half of it that the shard did not use up.
    fn place(&self, hash: u64) -> (&Shard, u32) {
        (&self.shards[(hash >> 32) as usize % SHARDS], hash as u32)
    }

    /// The most slots that a search may have to look at.
    #[cfg(test)]
    pub(crate) fn longest_run(&self) -> usize {
        let is_free = |slot: &Slot| slot.load(Ordering::Relaxed) == 0;
        let runs = self.shards.iter().flat_map(|shard| shard.newest().split(is_free));
        runs.map(<[Slot]>::len).max().unwrap_or(0)
    }
}

impl Shard {
    fn new() -> Shard {
        let shard = Shard {
            newest: AtomicUsize::new(0),
            tables: std::array::from_fn(|_| OnceLock::new()),
            added: Added(Mutex::new(0)),
        };
        shard.publish(0, free_slots(FIRST_SLOTS));
        shard
    }

    fn publish(&self, table: usize, slots: Box<[Slot]>) {
        let _ = self.tables[table].set(slots);
        self.newest.store(table, Ordering::Release);
    }

    #[inline]
    fn newest(&self) -> &[Slot] {
        self.tables[self.newest.load(Ordering::Acquire)].get().map_or(&[], |slots| slots)
    }

    #[inline(never)]
    fn find_or_add(
        &self,
        hash: u32,
        is_same: impl Fn(Name) -> bool,
        add: impl FnOnce() -> Name,
    ) -> Name {
        // A poisoned lock only says that another thread panicked; the table itself is sound.
        let mut added = self.added.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slots = self.newest();
        let free = match search(slots, hash, is_same) {
            Ok(name) => return name,
            Err(free) => free,
        };
        let name = add();
        slots[free].store(slot_value(hash, name), Ordering::Release);
        *added += 1;
        if *added * 4 > slots.len() * 3 {
            self.grow(slots);
        }
        name
    }

    fn grow(&self, old: &[Slot]) {
        let slots = free_slots(old.len() * 2);
        for value in old.iter().map(|slot| slot.load(Ordering::Relaxed)).filter(|&it| it != 0) {
            if let Err(free) = search(&slots, (value >> 32) as u32, |_| false) {
                slots[free].store(value, Ordering::Relaxed);
            }
        }
        self.publish(self.newest.load(Ordering::Relaxed) + 1, slots);
    }
}

fn free_slots(count: usize) -> Box<[Slot]> {
    (0..count).map(|_| Slot::new(0)).collect()
}

/// The name, or the free slot where it would be. Some slot is always free.
#[inline]
fn search(slots: &[Slot], hash: u32, is_same: impl Fn(Name) -> bool) -> Result<Name, usize> {
    let mut at = ((u64::from(hash) * slots.len() as u64) >> 32) as usize;
    loop {
        let value = slots[at].load(Ordering::Acquire);
        if value == 0 {
            return Err(at);
        }
        let name = Name::from_raw(value as u32 - 1);
        if (value >> 32) as u32 == hash && is_same(name) {
            return Ok(name);
        }
        at = (at + 1) & (slots.len() - 1);
    }
}
