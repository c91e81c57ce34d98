//! Which of two objects is locked first where the code compares their keys before.
//!
//! The relations of all keys that a body compares (less, equal, greater) make a *world*: three of them
//! for one comparison, nine for two. The body is walked once in each world; branches that its relations
//! decide are taken one way, all others both ways, and a value in which several meet is the one that
//! came along the way walked. What happens at a place, and in which worlds, is a *situation*. Two
//! threads whose worlds contradict each other do not meet: `feasible` asks that.
//!
//! Only keys that never change count: final fields and identity hashes. Whether equal keys mean one
//! object is not asked here. What `compareTo` and `compare` of unknown code say is kept as a key that
//! proves nothing. Floating point has no order that code can rely on (NaN), and a difference
//! can overflow: neither is a comparison.

mod code;
mod moments;
mod terms;
mod walk;

use program::ir::BinaryOp;
use program::{FieldId, Name};

use super::path::{PathId, Val};

pub(crate) use moments::Places;
pub(crate) use walk::find_situations;

/// An object that a body tells apart from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Object {
    /// Found the same way each time: a parameter, or final fields of one.
    Path(PathId),
    /// A value of the body that is computed once.
    Value(u32),
}

/// What of an object is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Field(FieldId),
    /// The object itself: equal if it is one. Which of two is less means nothing.
    Itself,
    IdentityHash,
    /// Of an enum constant, in the enum of this name.
    Ordinal(Name),
    /// What the code computes of a field, or of the identity hash, and a number.
    Computed(Option<FieldId>, BinaryOp, i32),
    /// A field against a number that the code compares it to.
    Against(FieldId, i32),
    /// What a method says of which the code is not understood: its class and name.
    Said(Name, Name),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Comparison<O> {
    pub left: O,
    pub right: O,
    pub key: Key,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Less,
    Equal,
    Greater,
}

impl Relation {
    pub(crate) fn flipped(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::Equal => Relation::Equal,
            Relation::Greater => Relation::Less,
        }
    }
}

/// More comparisons of one body are not told apart.
pub(crate) const COMPARISONS: usize = 3;

/// A set of worlds, by number: its digits to base three are the relations of the comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Worlds(u32);

impl Worlds {
    pub(crate) fn count(n_comparisons: usize) -> usize {
        3usize.pow(n_comparisons as u32)
    }

    pub(crate) fn all(n_comparisons: usize) -> Worlds {
        Worlds((1 << Worlds::count(n_comparisons)) - 1)
    }

    pub(crate) fn insert(&mut self, world: usize) {
        self.0 |= 1 << world;
    }

    pub(crate) fn contains(self, world: usize) -> bool {
        self.0 & (1 << world) != 0
    }

    pub(crate) fn includes(self, other: Worlds) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The relation of a comparison in a world.
pub(crate) fn relation_in(world: usize, comparison: usize) -> Relation {
    match world / 3usize.pow(comparison as u32) % 3 {
        0 => Relation::Less,
        1 => Relation::Equal,
        _ => Relation::Greater,
    }
}

/// A value as a situation knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    pub object: Object,
    pub val: Val,
}

/// What is held, and what is locked or handed over, at one place in some worlds.
#[derive(Debug, Clone)]
pub(crate) struct Situation {
    pub pc: u16,
    /// By lock site, where the locked object is known.
    pub held: Box<[(u8, Seen)]>,
    /// What is locked, or the arguments of a call.
    pub given: Box<[Option<Seen>]>,
    pub worlds: Worlds,
}

/// All situations of a body, by pc, and the comparisons that their worlds are about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Situations {
    pub comparisons: Box<[Comparison<Object>]>,
    pub all: Vec<Situation>,
}

impl Situations {
    pub(crate) fn at(&self, pc: u16) -> &[Situation] {
        let start = self.all.partition_point(|it| it.pc < pc);
        let end = self.all.partition_point(|it| it.pc <= pc);
        &self.all[start..end]
    }
}

/// One end of a comparison as a pair of locks knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum End {
    Held,
    Wanted,
    Path(PathId),
    /// It cannot be said outside of its method.
    Lost,
}

/// A pair arises only in these worlds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Guard {
    pub comparisons: Box<[Comparison<End>]>,
    pub worlds: Worlds,
}

/// Whether everything that the guards of `b` allow is allowed by those of `a`, as far as is seen.
pub(crate) fn is_weaker(a: &[Guard], b: &[Guard]) -> bool {
    a.iter().all(|one| {
        b.iter()
            .any(|other| one.comparisons == other.comparisons && one.worlds.includes(other.worlds))
    })
}
