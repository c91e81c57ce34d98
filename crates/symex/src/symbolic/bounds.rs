//! Inequalities that the ints at the header of a loop may keep in every turn.
//!
//! Only candidates: they are assumed together and given up one by one where a turn does not keep them.

use program::Kind;
use smt::Term;

use super::Engine;
use super::loops::Arrival;

/// More candidates than these are not tried.
const MOST: usize = 60;

/// `slot <= other + add`, or the reverse; `or_entry`: or the slot is still what it was on entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    slot: usize,
    other: Operand,
    add: i8,
    is_upper: bool,
    or_entry: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    Zero,
    /// What the slot was on entry.
    Entry,
    Slot(usize),
    Live(usize),
    /// The length of an array that the loop does not change.
    Length(usize),
}

pub(super) fn candidates(kinds: &[Kind], live: &[(Kind, Term)]) -> Vec<Bound> {
    let ints: Vec<usize> = (0..kinds.len()).filter(|&slot| kinds[slot] == Kind::Int).collect();
    let mut found = Vec::new();
    for &slot in &ints {
        let bound = |other, add, is_upper, or_entry| Bound { slot, other, add, is_upper, or_entry };
        found.push(bound(Operand::Zero, 0, false, false));
        found.push(bound(Operand::Zero, -1, false, false));
        found.push(bound(Operand::Entry, 0, false, false));
        found.push(bound(Operand::Entry, 0, true, false));
        for (at, &(kind, _)) in live.iter().enumerate() {
            let other = match kind {
                Kind::Int => Operand::Live(at),
                Kind::Ref => Operand::Length(at),
                Kind::Long | Kind::Float | Kind::Double => continue,
            };
            found.push(bound(other, 0, true, true));
            found.push(bound(other, 0, true, false));
            found.push(bound(other, -1, true, false));
            if kind == Kind::Int {
                found.push(bound(other, 0, false, true));
                found.push(bound(other, 0, false, false));
                found.push(bound(other, -1, false, false));
            }
        }
        for &other in ints.iter().filter(|&&other| other != slot) {
            found.push(bound(Operand::Slot(other), 0, true, false));
            found.push(bound(Operand::Slot(other), 1, true, false));
            found.push(bound(Operand::Slot(other), -1, true, false));
        }
    }
    found.truncate(MOST);
    found
}

impl Engine<'_> {
    /// What a bound says at an arrival; nothing if it says nothing.
    pub(super) fn bound_at(
        &mut self,
        bound: &Bound,
        arrival: &Arrival,
        entry: &[Term],
        live: &[(Kind, Term)],
    ) -> Option<Term> {
        let value = arrival.values[bound.slot];
        let other = match bound.other {
            Operand::Zero => self.space.terms.int(0),
            Operand::Entry => entry[bound.slot],
            Operand::Slot(slot) => arrival.values[slot],
            Operand::Live(at) => live[at].1,
            Operand::Length(at) => self.array_length(&arrival.state, live[at].1)?,
        };
        let terms = &mut self.space.terms;
        let (mut low, mut high) = (terms.sign_extend(value, 34), terms.sign_extend(other, 34));
        let add = terms.bitvec(34, i64::from(bound.add) as u64 & ((1 << 34) - 1));
        high = terms.add(high, add);
        if !bound.is_upper {
            std::mem::swap(&mut low, &mut high);
        }
        let holds = terms.sle(low, high);
        if !bound.or_entry {
            return Some(holds);
        }
        let is_entry = terms.eq(value, entry[bound.slot]);
        Some(terms.or2(holds, is_entry))
    }

    /// Of something that is sure to be an array.
    fn array_length(&mut self, state: &super::State, reference: Term) -> Option<Term> {
        let leaves = self.space.leaves(reference)?;
        for &(_, leaf) in leaves.iter() {
            match leaf {
                super::Leaf::Null => {}
                super::Leaf::Fresh(object) => {
                    let super::space::FreshKind::Array(_) = self.space.fresh[object as usize].kind
                    else {
                        return None;
                    };
                }
                super::Leaf::Input(key) => {
                    self.known_array_type(key)?;
                }
            }
        }
        self.length(state, reference)
    }
}
