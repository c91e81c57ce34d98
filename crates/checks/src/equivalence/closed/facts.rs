//! What is known of the turns of loops: those before the last one went on.

use rustc_hash::FxHashMap;
use smt::{Op, Sort};
use symex::symbolic::{Space, Term};

use super::forms::Loop;
use super::{Closed, Ending};

/// More turns of one loop than these are not looked at.
const MOST_TURNS: usize = 24;
/// Nobody waits for so many turns.
const MOST_COUNTED: u64 = 1 << 62;

/// Adds what the loops say of turns that matter: the last but one, those in which a bound is met, those in
/// which another loop is left or has found something, and those that read what such turns read.
pub(super) fn say_of_turns(space: &mut Space, loops: &[Loop], closed: &mut Closed) {
    let named: Vec<Term> =
        loops.iter().flat_map(|this| this.stuck.iter().map(|stuck| stuck.by)).collect();
    for this in loops {
        let terms = &mut space.terms;
        let most = terms.bitvec(64, MOST_COUNTED);
        let is_counted = terms.ult(this.turns, most);
        // It is left in the last turn: what does not end is not compared.
        let is_last = terms.not(this.goes_on_now);
        closed.facts.extend([is_counted, is_last]);
        let one = terms.bitvec(64, 1);
        let mut wanted = vec![terms.sub(this.turns, one)];
        wanted.extend(&named);
        wanted.extend(turns_at_bounds(space, this));
        for other in loops {
            if other.turns != this.turns {
                wanted.push(other.turns);
                wanted.push(space.terms.sub(other.turns, one));
                if !this.folds.is_empty() || this.asks_what_is_set(space) {
                    wanted.push(space.terms.add(other.turns, one));
                }
            }
        }
        for other in loops.iter().filter(|other| other.turns != this.turns) {
            wanted.extend(turns_that_read(space, this, other));
        }
        let mut known: Vec<Term> = Vec::new();
        for turn in wanted {
            if known.len() < MOST_TURNS && !known.contains(&turn) {
                known.push(turn);
            }
        }
        for &turn in &known {
            let fact = went_on(space, this, turn);
            closed.facts.push(fact);
            for fold in &this.folds {
                let fact = fold.unfolded(space, turn, this.turns);
                closed.facts.push(fact);
            }
        }
        say_what_is_set(space, this, &known, closed);
    }
}

/// What some turns set, after all turns; after fewer too, where the loop goes on by it.
fn say_what_is_set(space: &mut Space, this: &Loop, turns: &[Term], closed: &mut Closed) {
    let mut after = vec![this.turns];
    if this.asks_what_is_set(space) {
        after.extend(turns);
    }
    for stuck in &this.stuck {
        for &n in &after {
            let fact = stuck.of_its_turn(space, n);
            closed.facts.push(fact);
            for &turn in turns.iter().filter(|&&turn| turn != n) {
                let fact = stuck.of_turn(space, turn, n);
                closed.facts.push(fact);
            }
        }
    }
}

/// Turns that read what another loop reads in its last turn, or in the last one that sets something.
fn turns_that_read(space: &mut Space, this: &Loop, other: &Loop) -> Vec<Term> {
    let mut roots = vec![other.goes_on_now];
    for stuck in &other.stuck {
        roots.push(stuck.of_its_turn(space, other.turns));
    }
    let terms = &space.terms;
    let is_read = |&term: &Term| matches!(terms.op(term), Op::Apply(_) | Op::Select);
    let mut marks = smt::Marks::new();
    let read: Vec<Term> = terms.cone(&roots, &mut marks).into_iter().filter(is_read).collect();
    let mut patterns = Vec::new();
    let own = terms.cone(&this.goes_on, &mut marks).into_iter().filter(is_read);
    patterns.extend(own.map(|term| (term, this.turns)));
    for stuck in &this.stuck {
        let own = terms.cone(&[stuck.when], &mut marks).into_iter().filter(is_read);
        patterns.extend(own.map(|term| (term, stuck.turn)));
    }
    let mut found = Vec::new();
    for (pattern, turn) in patterns {
        for &term in &read {
            found.extend(turn_that_reads(space, pattern, turn, term));
        }
    }
    found
}

/// The turn in which a term about some turn is the same application as another term, if they differ in
/// one argument that goes up or down by one with the turn.
fn turn_that_reads(space: &mut Space, pattern: Term, turn: Term, term: Term) -> Option<Term> {
    let terms = &mut space.terms;
    if terms.op(pattern) != terms.op(term) {
        return None;
    }
    let pairs = terms.args(pattern).iter().copied().zip(terms.args(term).iter().copied());
    let mut unlike = pairs.filter(|(one, two)| one != two);
    let (Some((place, wanted)), None) = (unlike.next(), unlike.next()) else { return None };
    if terms.sort(place) != Sort::BitVec(32) {
        return None;
    }
    let (first, is_up) = along(space, place, turn)?;
    let terms = &mut space.terms;
    let way = if is_up { terms.sub(wanted, first) } else { terms.sub(first, wanted) };
    Some(terms.zero_extend(way, 64))
}

/// What an int is in turn 0, and whether it goes up by one with the turn; nothing if it does neither.
fn along(space: &mut Space, value: Term, turn: Term) -> Option<(Term, bool)> {
    let terms = &mut space.terms;
    let zero = terms.bitvec(64, 0);
    let at_first = FxHashMap::from_iter([(turn, zero)]);
    let first = terms.substitute(value, &at_first, &mut FxHashMap::default());
    let (way, up) = (terms.sub(value, first), terms.extract(31, 0, turn));
    let down = terms.neg(up);
    (way == up || way == down).then_some((first, way == up))
}

/// What shows that a loop ends, whatever the input: a turn in which it cannot go on.
pub(super) fn ending(space: &mut Space, this: &Loop) -> Ending {
    let mut turns = turns_at_bounds(space, this);
    turns.truncate(MOST_TURNS);
    let on = space.terms.and(&this.goes_on);
    let goes_on = space.terms.and2(this.reached, on);
    let in_turns = turns.into_iter().map(|turn| this.in_turn(space, goes_on, turn));
    Ending { is_first: this.is_first, turns: this.turns, goes_on, in_turns: in_turns.collect() }
}

/// A turn before the last one went on to the next.
fn went_on(space: &mut Space, this: &Loop, turn: Term) -> Term {
    let on = space.terms.and(&this.goes_on);
    let on = this.in_turn(space, on, turn);
    let terms = &mut space.terms;
    let before = terms.ult(turn, this.turns);
    let both = terms.and2(this.reached, before);
    terms.implies(both, on)
}

impl Loop {
    /// Whether what some turns set decides if it goes on.
    fn asks_what_is_set(&self, space: &Space) -> bool {
        let cone = space.terms.cone(&self.goes_on, &mut smt::Marks::new());
        self.stuck.iter().any(|stuck| cone.contains(&stuck.is_set))
    }

    /// What is said of the last turn, of another one.
    fn in_turn(&self, space: &mut Space, term: Term, turn: Term) -> Term {
        let in_turn = FxHashMap::from_iter([(self.turns, turn)]);
        space.terms.substitute(term, &in_turn, &mut FxHashMap::default())
    }
}

/// Turns in which the loop meets a bound, and those after them.
fn turns_at_bounds(space: &mut Space, this: &Loop) -> Vec<Term> {
    let one = space.terms.bitvec(64, 1);
    let mut found = Vec::new();
    for &part in &this.goes_on {
        for turn in turns_at_bound(space, part, this.turns) {
            let next = space.terms.add(turn, one);
            found.extend([turn, next]);
        }
    }
    found
}

/// Turns in which the two sides of a comparison would be the same.
fn turns_at_bound(space: &mut Space, part: Term, turns: Term) -> Vec<Term> {
    let terms = &mut space.terms;
    let cone = terms.cone(&[part], &mut smt::Marks::new());
    let mut found = Vec::new();
    for atom in cone {
        let (Op::Slt | Op::Ult | Op::Eq) = terms.op(atom) else { continue };
        let &[one, two] = terms.args(atom) else { continue };
        let Sort::BitVec(width @ (32 | 64)) = terms.sort(one) else { continue };
        let count = if width == 64 { turns } else { terms.extract(31, 0, turns) };
        let zero = terms.bitvec(64, 0);
        let at_first = FxHashMap::from_iter([(turns, zero)]);
        let difference = terms.sub(two, one);
        let first = terms.substitute(difference, &at_first, &mut FxHashMap::default());
        let way = terms.sub(difference, first);
        let (down, up) = (terms.neg(count), count);
        let turn = if way == down {
            first
        } else if way == up {
            terms.neg(first)
        } else {
            continue;
        };
        found.push(if width == 64 { turn } else { terms.zero_extend(turn, 64) });
    }
    found
}
