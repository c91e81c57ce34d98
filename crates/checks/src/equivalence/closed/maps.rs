//! Arrays that a loop writes along an index: an element is what the turn wrote that was there, if there was
//! one, else what it was before.

use rustc_hash::FxHashMap;
use symex::symbolic::{Engine, Rewritten, Space, Term};

use super::super::proof::Both;
use super::Closed;

/// Reads of one loop's arrays that are told; the others stay open.
const MOST_READS: usize = 60;
/// Turns after which an int has been everywhere.
const ALL_INDICES: u64 = 1 << 32;

/// The arrays of one kind that a loop writes.
pub(super) struct Map {
    pub(super) is_first: bool,
    pub(super) cut: usize,
    pub(super) of: Rewritten,
    pub(super) turns: Term,
    pub(super) writes: Vec<Written>,
}

/// A write by the number of its turn.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub(super) key: Option<Term>,
    /// The index in the first turn, and whether it goes up or down by one.
    pub(super) first: Term,
    pub(super) is_up: bool,
    pub(super) guard: Term,
    pub(super) value: Term,
}

impl Written {
    /// The turn in which an index is written.
    fn turn_at(&self, space: &mut Space, index: Term) -> Term {
        let terms = &mut space.terms;
        let way =
            if self.is_up { terms.sub(index, self.first) } else { terms.sub(self.first, index) };
        terms.zero_extend(way, 64)
    }

    /// Whether an element was written before a turn; whatever the guard said.
    fn may_hit(&self, space: &mut Space, key: Option<Term>, index: Term, before: Term) -> Term {
        let turn = self.turn_at(space, index);
        let terms = &mut space.terms;
        let in_time = terms.ult(turn, before);
        match (self.key, key) {
            (Some(one), Some(two)) => {
                let same = terms.eq(one, two);
                terms.and2(same, in_time)
            }
            (_, _) => in_time,
        }
    }
}

/// Tells the reads in these terms, and in what is known, what they read.
pub(super) fn tell_reads(both: &mut Both<'_>, maps: &[Map], roots: &[Term], closed: &mut Closed) {
    for map in maps.iter().rev() {
        let mut all: Vec<Term> = roots.to_vec();
        all.extend(&closed.facts);
        all.extend(closed.forms.values());
        let mut told = FxHashMap::default();
        let cone = both.second.space.terms.cone(&all, &mut smt::Marks::new());
        for term in cone {
            let Some((key, index)) = both.second.as_read(&map.of, term) else { continue };
            if told.len() >= MOST_READS {
                break;
            }
            let mut memo = FxHashMap::default();
            let mut known = FxHashMap::clone(&closed.forms);
            known.extend(&told);
            let terms = &mut both.second.space.terms;
            let key = key.map(|key| terms.substitute(key, &known, &mut memo));
            let index = terms.substitute(index, &known, &mut memo);
            let value = if map.is_first {
                both.in_first(|engine| element(engine, map, term, key, index))
            } else {
                element(&mut both.second, map, term, key, index)
            };
            if let Some(value) = value {
                told.insert(term, value);
            }
        }
        let terms = &mut both.second.space.terms;
        let mut symbols: Vec<Term> = closed.forms.keys().copied().collect();
        symbols.sort_unstable();
        for symbol in symbols {
            let form = terms.substitute(closed.forms[&symbol], &told, &mut FxHashMap::default());
            closed.forms.insert(symbol, form);
        }
        closed.forms.extend(told);
    }
}

/// An element when the loop is left.
fn element(
    engine: &mut Engine<'_>,
    map: &Map,
    read: Term,
    key: Option<Term>,
    index: Term,
) -> Option<Term> {
    let before = engine.before_loop(map.cut, &map.of, key, index)?;
    let mut value = engine.as_kept(&map.of, before);
    let mut hits: Vec<Term> = Vec::new();
    let mut overlaps = Vec::new();
    for written in &map.writes {
        let turn = written.turn_at(&mut engine.space, index);
        let in_turn = FxHashMap::from_iter([(map.turns, turn)]);
        let [guard, made] = [written.guard, written.value].map(|term| {
            let term = in_own_turn(engine, map, term)?;
            Some(engine.space.terms.substitute(term, &in_turn, &mut FxHashMap::default()))
        });
        let (guard, made) = (guard?, made?);
        let may_hit = written.may_hit(&mut engine.space, key, index, map.turns);
        let made = engine.as_kept(&map.of, made);
        let terms = &mut engine.space.terms;
        let hit = terms.and2(may_hit, guard);
        for &other in &hits {
            overlaps.push(terms.and2(other, hit));
        }
        value = terms.ite(hit, made, value);
        hits.push(hit);
    }
    // Where two writes meet, or indices come round, nothing is said.
    let terms = &mut engine.space.terms;
    let most = terms.bitvec(64, ALL_INDICES);
    overlaps.push(terms.ult(most, map.turns));
    let unclear = terms.or(&overlaps);
    Some(terms.ite(unclear, read, value))
}

/// A value of some turn, with the elements that it reads as they were before the loop where no earlier turn
/// can have written them; else unknown.
fn in_own_turn(engine: &mut Engine<'_>, map: &Map, value: Term) -> Option<Term> {
    let cone = engine.space.terms.cone(&[value], &mut smt::Marks::new());
    let mut told: FxHashMap<Term, Term> = FxHashMap::default();
    for term in cone {
        let Some((key, index)) = engine.as_read(&map.of, term) else { continue };
        let mut memo = FxHashMap::default();
        let key = key.map(|key| engine.space.terms.substitute(key, &told, &mut memo));
        let index = engine.space.terms.substitute(index, &told, &mut memo);
        let mut hits = Vec::new();
        for written in &map.writes {
            hits.push(written.may_hit(&mut engine.space, key, index, map.turns));
        }
        let before = engine.before_loop(map.cut, &map.of, key, index)?;
        let before = engine.as_kept(&map.of, before);
        let sort = engine.space.terms.sort(term);
        let mut arguments: Vec<Term> = key.into_iter().collect();
        arguments.extend([index, map.turns]);
        let name = format!("element in a turn {} {}", map.is_first, map.of.symbol().index());
        let unknown = engine.space.apply(&name, &arguments, sort);
        let terms = &mut engine.space.terms;
        let is_hit = terms.or(&hits);
        told.insert(term, terms.ite(is_hit, unknown, before));
    }
    Some(engine.space.terms.substitute(value, &told, &mut FxHashMap::default()))
}
