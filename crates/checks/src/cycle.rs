//! A deadlock as data: the locks, who holds which and wants which, and how they meet.
//!
//! Invariant kept by the engine that builds one: it is in canonical rotation, and the thread indices
//! `holds` and `wants` point into `locks`.

/// How the reason begins if a cycle is left out though it was not excluded.
pub const NOT_SHOWN: &str = "not shown: ";

/// Threads that wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    pub locks: Vec<Lock>,
    pub threads: Vec<Thread>,
    /// Fields through which the locked objects meet: `p.X.f: p.C`.
    pub containers: Vec<String>,
    pub group: Group,
    /// Why it is left out, if so: `gate lock p.G`, which excludes it, or what only speaks against it.
    pub pruned: Option<String>,
    /// Against an older release, when there is one.
    pub change: Option<Change>,
}

/// One lock of a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    pub kind: LockKind,
    pub place: Place,
    /// How a person would call it: `p.C.lock`.
    pub name: String,
    /// The type of the locked object.
    pub type_name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    Monitor,
    Juc,
    JucRead,
    JucWrite,
    ClassInit,
}

/// Where the locked object comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Class,
    StaticField,
    This,
    Field,
    Parameter,
    Allocation,
    Literal,
}

/// One role in a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// The method that a caller calls: `p.A.m()V`.
    pub entry: String,
    pub holds: usize,
    pub wants: usize,
    /// Outermost frame first: `p.A.m(A.java:10)`.
    pub stack: Vec<String>,
    pub alternatives: Alternatives,
}

/// Other ways to acquire the same lock while holding the same other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alternatives {
    /// How many there are; `stacks` may show fewer.
    pub count: u32,
    pub stacks: Vec<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Pair,
    TwoInstances,
    ClassInit,
    Longer,
    Wait,
}

/// A cycle of the judged release against the older one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    New,
    Gone,
    Unchanged,
}
