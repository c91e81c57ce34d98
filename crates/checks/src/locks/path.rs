//! Names for objects inside a method: where a value comes from, as a root and a few fields.
//!
//! Paths are interned, so that the facts of a whole JDK fit into memory. A `PathId` follows the order
//! in which threads met the paths: compare ids for equality, never sort by them.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::{Mutex, PoisonError};

use hashbrown::{HashTable, hash_table};
use program::{ClassId, FieldId, MethodId, Name};
use rustc_hash::{FxHashSet, FxHasher};

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Root {
    /// A parameter of the method, `this` being 0 of an instance method.
    Param(u16),
    Static(FieldId),
    /// A class object, as `synchronized` static methods lock.
    Class(ClassId),
    /// A string literal: one object for the whole JVM.
    Text(Name),
    /// An allocation: method and pc.
    Alloc(MethodId, u16),
    /// The result of a call of the method, by its index among the events.
    Result(u32),
    /// Any other value of the method, by its SSA number: equal numbers are equal objects there.
    Local(u32),
    /// Some object about which only the type is known.
    Unknown,
}

/// One step from an object to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Field(FieldId),
    /// An element of an array, or what a collection holds.
    Element,
    /// Some object that was there before: through fields that were filled when their objects were made.
    Older,
    /// One or more times this field: what a walk along a list or up a tree comes to.
    Many(FieldId),
    /// The read lock, the write lock or a condition of a lock of `java.util.concurrent`.
    ReadLock,
    WriteLock,
    Condition,
}

/// More fields than this are not followed.
pub(crate) const MAX_STEPS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Path {
    pub root: Root,
    steps: [Step; MAX_STEPS],
    length: u8,
}

impl Path {
    pub(crate) fn new(root: Root) -> Path {
        Path { root, steps: [Step::Element; MAX_STEPS], length: 0 }
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.length)]
    }

    pub(crate) fn last(&self) -> Option<Step> {
        self.steps().last().copied()
    }

    /// The path one step further, or `None` if it would be too long.
    pub(crate) fn then(mut self, step: Step) -> Option<Path> {
        let slot = self.steps.get_mut(usize::from(self.length))?;
        *slot = step;
        self.length += 1;
        Some(self)
    }

    /// The path without its last step.
    pub(crate) fn base(mut self) -> Option<Path> {
        self.length = self.length.checked_sub(1)?;
        self.steps[usize::from(self.length)] = Step::Element;
        Some(self)
    }

    /// The path one step further through a field that its last steps went through already.
    pub(crate) fn along(self, field: FieldId) -> Option<Path> {
        let is_same = |step: &Step| *step == Step::Field(field) || *step == Step::Many(field);
        let run = self.steps().iter().rev().take_while(|step| is_same(step)).count();
        let mut start = self;
        for _ in 0..run {
            start = start.base()?;
        }
        if run == 0 { None } else { start.then(Step::Many(field)) }
    }

    /// Whether it can only be understood inside its method.
    pub(crate) fn is_local(&self) -> bool {
        match self.root {
            Root::Local(_) | Root::Result(_) => true,
            Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Alloc(..)
            | Root::Unknown => false,
        }
    }
}

/// An interned path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PathId(u32);

const SHARDS: usize = 32;

/// All paths of one analysis.
pub(crate) struct Paths {
    all: boxcar::Vec<Path>,
    shards: [Mutex<HashTable<(u64, PathId)>>; SHARDS],
}

impl Paths {
    pub(crate) fn new() -> Paths {
        Paths {
            all: boxcar::Vec::new(),
            shards: std::array::from_fn(|_| Mutex::new(HashTable::new())),
        }
    }

    pub(crate) fn intern(&self, path: Path) -> PathId {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(path);
        let shard = &self.shards[(hash >> 40) as usize % SHARDS];
        // A poisoned lock only says that another thread panicked; the table itself is sound.
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |entry: &(u64, PathId)| entry.0 == hash && self.all[entry.1.0 as usize] == path;
        match shard.entry(hash, same, |entry| entry.0) {
            hash_table::Entry::Occupied(found) => found.get().1,
            hash_table::Entry::Vacant(vacant) => {
                let id = PathId(self.all.push(path) as u32);
                vacant.insert((hash, id));
                id
            }
        }
    }

    pub(crate) fn of(&self, id: PathId) -> Path {
        self.all[id.0 as usize]
    }

    pub(crate) fn root(&self, root: Root) -> PathId {
        self.intern(Path::new(root))
    }
}

/// A reference value: where it comes from and what class it can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Val {
    pub path: PathId,
    /// An upper bound of its class; `None` if nothing is known.
    pub class: Option<ClassId>,
    /// Whether it is of that very class.
    pub exact: bool,
}

impl Val {
    /// The different ones, if they are few.
    pub(crate) fn few(mut vals: Vec<Val>) -> Box<[Val]> {
        const MANY: usize = 4;
        let mut seen = FxHashSet::default();
        vals.retain(|it| seen.insert(*it));
        if vals.len() > MANY { Box::default() } else { vals.into() }
    }
}

/// What kind of lock, and how it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Mode {
    Monitor,
    Exclusive,
    Read,
    Write,
    /// The lock under which the JVM initialises a class.
    Init,
    /// Not a lock: a wait for a signal on it, which others send as `Wake`.
    Signal,
    Wake,
    /// Not a lock: a wait for the task that was made there to end.
    Done,
}

impl Mode {
    /// Whether who holds the lock in this way may take it in that way at once.
    pub(crate) fn includes(self, wanted: Mode) -> bool {
        self == wanted || (self, wanted) == (Mode::Write, Mode::Read)
    }

    pub(crate) fn is_lock(self) -> bool {
        !matches!(self, Mode::Signal | Mode::Wake | Mode::Done)
    }
}

/// A lock as one method sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Lock {
    pub val: Val,
    pub mode: Mode,
}
