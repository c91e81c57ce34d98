//! What one body does that matters to locks: the locks it takes, and its calls with what is held.

use std::sync::Arc;

use program::{ClassId, FieldId, MethodId};

use super::order::Situations;
use super::path::{Lock, Val};
use super::universe::Targets;

/// A set of a method's lock sites, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct SiteSet(u64);

impl SiteSet {
    /// Sites beyond this are not told apart; no real method comes near.
    pub(crate) const CAPACITY: usize = 64;

    pub(crate) fn all() -> SiteSet {
        SiteSet(u64::MAX)
    }

    pub(crate) fn insert(&mut self, site: usize) {
        if site < Self::CAPACITY {
            self.0 |= 1 << site;
        }
    }

    pub(crate) fn remove(&mut self, site: usize) {
        if site < Self::CAPACITY {
            self.0 &= !(1 << site);
        }
    }

    pub(crate) fn contains(self, site: usize) -> bool {
        site < Self::CAPACITY && self.0 & (1 << site) != 0
    }

    pub(crate) fn union(self, other: SiteSet) -> SiteSet {
        SiteSet(self.0 | other.0)
    }

    pub(crate) fn intersection(self, other: SiteSet) -> SiteSet {
        SiteSet(self.0 & other.0)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..Self::CAPACITY).filter(move |&site| self.contains(site))
    }
}

/// What is held at a point: on some way there, and on every way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Held {
    pub may: SiteSet,
    pub must: SiteSet,
}

/// What is held where another way comes in; whether that changes anything.
pub(crate) fn merge(into: &mut Option<Held>, held: Held) -> bool {
    let merged = match *into {
        None => held,
        Some(known) => {
            Held { may: known.may.union(held.may), must: known.must.intersection(held.must) }
        }
    };
    let changed = *into != Some(merged);
    *into = Some(merged);
    changed
}

/// A place where the method takes a lock.
#[derive(Debug, Clone)]
pub(crate) struct LockSite {
    /// What is locked: usually one, several where different values meet.
    pub locks: Vec<Lock>,
    pub pc: u16,
    /// Of a `tryLock`, false: it holds, but never waits forever.
    pub blocks: bool,
    /// Whether the same thread may take it twice.
    pub is_reentrant: bool,
    /// Whether a method of the library takes it and gives it back: nothing is held afterwards.
    pub is_passing: bool,
    /// Whether the code itself says which kind of lock it is: a monitor is one, of a `Lock` it is open.
    pub is_typed: bool,
}

/// Something that happens while the locks `held` are held.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub pc: u16,
    pub held: Held,
    pub what: What,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    /// Takes the lock of this site.
    Acquire(usize),
    Call(Box<Call>),
    /// Needs the class to be initialised.
    Init(ClassId),
    /// Gives a lock back until a signal comes or, if it is timed, for some time, and wants it again.
    Wait {
        on: Lock,
        timed: bool,
    },
    Notify {
        on: Lock,
    },
    /// Waits for another thread or task to end.
    Join(Val),
    /// Hands tasks to another thread: the result and the arguments.
    Spawn(Box<Spawn>),
}

#[derive(Debug, Clone)]
pub(crate) struct Spawn {
    /// Of the instruction, as results are named in paths.
    pub number: u32,
    pub arguments: Box<[Option<Val>]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub resolved: MethodId,
    pub targets: Arc<Targets>,
    /// Dispatched on the class of the first argument.
    pub is_virtual: bool,
    /// References only; the receiver first.
    pub arguments: Box<[Option<Val>]>,
    /// Of the instruction, as results are named in paths.
    pub number: u32,
}

/// A loop that goes on until another thread changes something, as far as one body tells.
#[derive(Debug, Clone)]
pub(crate) struct Spin {
    pub pc: u16,
    /// At its start, in each turn.
    pub held: Held,
    /// Methods whose answers decide, and fields whose values do.
    pub asked: Vec<MethodId>,
    pub fields: Vec<FieldId>,
    /// What it calls besides.
    pub called: Vec<MethodId>,
    /// Whether it goes on when a call says that it failed: what failed changed nothing.
    pub is_attempt: bool,
    /// Whether that is an attempt to take a lock.
    pub is_try: bool,
    /// Whether each turn waits for some time, and gives the lock back meanwhile that it waits on.
    pub is_timed: bool,
}

impl Spin {
    pub(crate) fn at(pc: u16, held: Held) -> Spin {
        Spin {
            pc,
            held,
            asked: Vec::new(),
            fields: Vec::new(),
            called: Vec::new(),
            is_attempt: false,
            is_try: false,
            is_timed: false,
        }
    }

    /// Whether anything that others may change decides about another turn.
    pub(crate) fn asks(&self) -> bool {
        self.is_attempt || self.is_try || !self.fields.is_empty() || !self.asked.is_empty()
    }
}

/// A lambda or method reference that the method makes.
#[derive(Debug, Clone)]
pub(crate) struct LambdaSite {
    pub pc: u16,
    pub interface: ClassId,
    pub target: MethodId,
    pub captured: Box<[Option<Val>]>,
}

/// A reference stored into a field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Store {
    pub field: FieldId,
    /// The object whose field it is; `None` of a static field.
    pub object: Option<Val>,
    /// `None` for null.
    pub value: Option<Val>,
}

/// The constructor call that completes an allocation.
#[derive(Debug, Clone)]
pub(crate) struct Creation {
    pub pc: u16,
    pub class: ClassId,
    pub constructor: MethodId,
    pub arguments: Box<[Option<Val>]>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub sites: Vec<LockSite>,
    /// Waits for a time that may be 0, which is for ever.
    pub open_times: Vec<(u16, Held)>,
    pub events: Vec<Event>,
    pub lambdas: Vec<LambdaSite>,
    pub stores: Vec<Store>,
    pub creations: Vec<Creation>,
    /// Where several objects could be meant, or keys were compared before: which, and when.
    pub situations: Situations,
    /// Calls of methods that are not there, with what is held.
    pub missing: Vec<(u16, Held, String)>,
    /// What it returns, if always found the same way.
    pub returned: Option<Val>,
    /// Everything that it returns, if that is little.
    pub returns: Box<[Val]>,
    /// Allocations (by pc) that others may see.
    pub escaping: Vec<u16>,
    /// Whether it hands on its first parameter other than by calling it.
    pub hands_on_receiver: bool,
    /// Locks of `java.util.concurrent` that it still holds when it returns, and those that it gives
    /// back without having taken them.
    pub left_held: Vec<Lock>,
    pub left_released: Vec<Lock>,
    /// Where it may end with a lock that it took, or gives back one that it has not taken.
    pub unbalanced: Option<(u16, Lock)>,
    /// Classes whose static members it uses as a method of an object of theirs: the object may be known
    /// before its class is initialised.
    pub own_classes: Vec<ClassId>,
    /// Of bodies that are not the platform's, unless all is: loops that wait by asking.
    pub spins: Vec<Spin>,
    /// The pcs of its calls in loops.
    pub repeated: Vec<u16>,
    /// Every field that it writes.
    pub written: Vec<FieldId>,
    /// Whether it writes to an array.
    pub writes_array: bool,
    /// Source lines of the pcs above.
    pub lines: Vec<(u16, u16)>,
    /// Why there is nothing here, if the body could not be read.
    pub failure: Option<String>,
}

impl Facts {
    /// The source line of a pc, if the file says.
    pub(crate) fn line(&self, pc: u16) -> Option<u16> {
        let index = self.lines.binary_search_by_key(&pc, |&(pc, _)| pc).ok()?;
        Some(self.lines[index].1)
    }

    /// The call by the number of its instruction.
    pub(crate) fn call(&self, number: u32) -> Option<&Call> {
        self.events.iter().find_map(|event| match &event.what {
            What::Call(call) if call.number == number => Some(&**call),
            What::Call(_)
            | What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => None,
        })
    }

    pub(crate) fn escapes(&self, pc: u16) -> bool {
        self.escaping.binary_search(&pc).is_ok()
    }

    /// Whether the constructor is called in a loop.
    pub(crate) fn is_repeated(&self, creation: &Creation) -> bool {
        self.events.iter().any(|event| match &event.what {
            What::Call(call) => {
                call.resolved == creation.constructor && self.repeated.contains(&event.pc)
            }
            What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => false,
        })
    }

    pub(crate) fn creation(&self, pc: u16) -> Option<&Creation> {
        self.creations.iter().find(|creation| creation.pc == pc)
    }
}
