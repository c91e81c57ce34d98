//! The words that stand for values in JSON and SARIF. They are a promise: never renamed.

use checks::cycle::{Change, Group, LockKind, Place};
use checks::report::EqualityKind;
use checks::{Cause, Construction, GapKind, Need, Replay};

pub(super) fn construction(construction: Construction) -> &'static str {
    match construction {
        Construction::Public => "public",
        Construction::Package => "package",
        Construction::Forced => "forced",
    }
}

pub(super) fn replay(replay: Replay) -> &'static str {
    match replay {
        Replay::Reproduced => "reproduced",
        Replay::Refuted => "refuted",
        Replay::Inconclusive => "inconclusive",
        Replay::NotRun => "not-run",
    }
}

pub(super) fn need(need: Need) -> &'static str {
    match need {
        Need::Nan => "nan",
        Need::NegativeZero => "negative-zero",
        Need::Null => "null",
        Need::Extreme => "extreme",
        Need::FieldWrite => "field-write",
    }
}

pub(super) fn gap(kind: GapKind) -> &'static str {
    match kind {
        GapKind::Unsupported => "unsupported",
        GapKind::Budget => "budget",
        GapKind::Approximation => "approximation",
        GapKind::Solver => "solver",
        GapKind::Forced => "forced",
        GapKind::NotReplayed => "not-replayed",
        GapKind::Refuted => "refuted",
        GapKind::Internal => "internal",
    }
}

pub(super) fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::HashedNotCompared => "hashed-not-compared",
        Cause::ComparedMoreLooselyThanHashed => "compared-more-loosely-than-hashed",
        Cause::NoHashCode => "no-hash-code",
        Cause::Other => "other",
    }
}

pub(super) fn lock_kind(kind: LockKind) -> &'static str {
    match kind {
        LockKind::Monitor => "monitor",
        LockKind::Juc => "juc",
        LockKind::JucRead => "juc-read",
        LockKind::JucWrite => "juc-write",
        LockKind::ClassInit => "class-init",
    }
}

pub(super) fn place(place: Place) -> &'static str {
    match place {
        Place::Class => "class",
        Place::StaticField => "static-field",
        Place::This => "this",
        Place::Field => "field",
        Place::Parameter => "parameter",
        Place::Allocation => "allocation",
        Place::Literal => "literal",
    }
}

pub(super) fn group(group: Group) -> &'static str {
    match group {
        Group::Pair => "pair",
        Group::TwoInstances => "two-instances",
        Group::ClassInit => "class-init",
        Group::Longer => "longer",
        Group::Wait => "wait",
    }
}

pub(super) fn change(change: Change) -> &'static str {
    match change {
        Change::New => "new",
        Change::Gone => "gone",
        Change::Unchanged => "unchanged",
    }
}

pub(super) fn equality(kind: EqualityKind) -> &'static str {
    match kind {
        EqualityKind::TypeCompatible => "type-compatible",
        EqualityKind::TypeIncompatible => "type-incompatible",
        EqualityKind::Hybrid => "hybrid",
    }
}
