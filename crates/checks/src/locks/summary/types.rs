//! The records of a method.

use program::MethodId;

use super::needs::Need;
use crate::locks::order::Guard;
use crate::locks::path::{Lock, PathId, Val};

/// Where a record comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Via {
    /// The method itself, at this pc.
    Own { pc: u16 },
    /// A record of a callee.
    Call { pc: u16, callee: u32, record: u32 },
}

impl Via {
    pub(crate) fn pc(self) -> u16 {
        match self {
            Via::Own { pc } | Via::Call { pc, .. } => pc,
        }
    }
}

/// A lock that the method may wait for.
#[derive(Debug, Clone)]
pub(crate) struct Acquire {
    pub lock: Lock,
    /// Locks that are certainly held by then, taken since the method was entered.
    pub gates: Vec<Lock>,
    pub via: Via,
    pub depth: u16,
    /// How many calls on the way leave open which body runs.
    pub wide: u16,
    /// How much is guessed on the way: one for each time that the possible bodies are halved.
    pub doubt: u16,
    pub is_reentrant: bool,
    /// Whether the thread gives the lock back first, however often it has it, and then wants it again.
    pub is_regained: bool,
    /// What it takes of the objects that are handed in.
    pub needs: Vec<Need>,
}

/// Of a pair, where its thread was made.
type Started = Option<(u32, u16)>;

/// What tells the locks that are waited for apart, besides how that comes about.
pub(super) type AcquireKey = (Lock, bool, bool);

/// The same of pairs.
pub(super) type PairKey = (Lock, Lock, bool, bool, Started);

impl Acquire {
    /// What a method waits for itself, with nothing else known of it.
    pub(super) fn own(pc: u16, lock: Lock) -> Acquire {
        Acquire {
            lock,
            gates: Vec::new(),
            via: Via::Own { pc },
            depth: 0,
            wide: 0,
            doubt: 0,
            is_reentrant: true,
            is_regained: false,
            needs: Vec::new(),
        }
    }

    pub(super) fn key(&self) -> AcquireKey {
        (self.lock, self.is_reentrant, self.is_regained)
    }
}

impl Pair {
    pub(super) fn key(&self) -> PairKey {
        (self.held, self.wanted, self.is_regained, self.is_spawned, self.started)
    }
}

/// A lock that is wanted while another is held.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    pub held: Lock,
    pub wanted: Lock,
    /// Others that are certainly held.
    pub gates: Vec<Lock>,
    /// How the keys of the objects compare by then.
    pub guards: Vec<Guard>,
    pub link: Option<Link>,
    pub source: Source,
    pub depth: u16,
    pub wide: u16,
    pub doubt: u16,
    pub is_reentrant: bool,
    /// As of an `Acquire`.
    pub is_regained: bool,
    pub needs: Vec<Need>,
    /// Arises in a thread that the method starts, or later: what the method holds does not matter.
    pub is_spawned: bool,
    /// Where nothing but `main` methods starts: the method and the pc that made what the thread runs.
    pub started: Started,
}

/// One of the two locks is found through fields of the other, whatever their names are outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// From the held lock to the wanted one, or the other way round.
    pub from_held: bool,
    /// The fields, after some root.
    pub path: PathId,
    /// How many of the steps of `path` count, from its end.
    pub steps: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The method itself holds, since `held_pc`, and wants.
    Own { held_pc: u16, wanted: Via },
    /// A callee's pair.
    Lifted { pc: u16, callee: u32, record: u32 },
    /// The method a callee runs as a callback on an object that this method made.
    Callback { pc: u16, callee: u32, callback: u32, target: u32, record: u32 },
}

/// A call on an object that the caller hands in.
#[derive(Debug, Clone)]
pub(crate) struct Callback {
    pub receiver: Val,
    pub resolved: MethodId,
    /// What may be held and what must be.
    pub held: Vec<Lock>,
    pub gates: Vec<Lock>,
    pub via: Via,
    pub depth: u16,
    pub needs: Vec<Need>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Summary {
    pub acquires: Vec<Acquire>,
    pub pairs: Vec<Pair>,
    pub callbacks: Vec<Callback>,
    /// Whether something depends on what methods do that are no callees.
    pub asks_kin: bool,
    /// Whether records were left out.
    pub is_cut: bool,
}
