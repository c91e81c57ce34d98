//! Writes to one place of objects that existed at the start: a list that branches share.
//!
//! Where two lists meet, short branches become writes with guards; long ones stay apart behind a merge,
//! so that a write is never copied more often than it was made. Reading visits what lists share once.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smt::{Sort, Term};

use super::space::{KEY, Space, TRACE};

/// Writes to objects that existed at the start.
pub(super) enum History {
    /// The initial heap.
    Start,
    /// After a call to the outside: anything may have been written.
    After(Term),
    Write {
        key: Term,
        index: Option<Term>,
        guard: Term,
        value: Term,
        before: Rc<History>,
        depth: u32,
    },
    Merge {
        condition: Term,
        first: Rc<History>,
        second: Rc<History>,
        /// What both grew from.
        common: Option<Rc<History>>,
        depth: u32,
    },
}

impl History {
    pub(super) fn depth(&self) -> u32 {
        match self {
            History::Start => 0,
            History::After(_) => 1,
            History::Write { depth, .. } | History::Merge { depth, .. } => *depth,
        }
    }
}

/// Branches with so many writes, both together, become writes with guards; longer ones stay apart.
const INLINED: usize = 4;
/// Branches with more writes are not compared write by write.
const PAIRED: usize = 64;

/// What a place holds, for reading where nothing was written.
#[derive(Clone, Copy)]
pub(super) struct Kind<'a> {
    pub(super) name: &'a str,
    /// In the initial heap, where bytes are 8 bits wide.
    pub(super) narrow: Sort,
    /// Final fields of other objects stay what they are.
    pub(super) is_final: bool,
    /// Objects of the run that may be there where the content is unknown.
    pub(super) loose: &'a [u32],
}

pub(super) fn merge_histories(
    one: &Rc<History>,
    two: &Rc<History>,
    condition: Term,
    space: &mut Space,
) -> Rc<History> {
    if Rc::ptr_eq(one, two) {
        return one.clone();
    }
    let common = common_past(one, two);
    let writes = common.as_ref().and_then(|common| {
        let (mine, theirs) = (writes_since(one, common)?, writes_since(two, common)?);
        Some((common, mine, theirs))
    });
    if let Some((common, mine, theirs)) = writes {
        if let Some(both) = pair_writes(&mine, &theirs, condition, space) {
            return both.into_iter().fold(common.clone(), write);
        }
        if mine.len() + theirs.len() <= INLINED {
            let contrary = space.terms.not(condition);
            let mut merged = common.clone();
            for (writes, side) in [(mine, condition), (theirs, contrary)] {
                for (key, index, guard, value) in writes {
                    let guard = space.terms.and2(guard, side);
                    merged = write(merged, (key, index, guard, value));
                }
            }
            return merged;
        }
    }
    let depth = one.depth().max(two.depth()) + 1;
    let (first, second) = (one.clone(), two.clone());
    Rc::new(History::Merge { condition, first, second, common, depth })
}

type Write = (Term, Option<Term>, Term, Term);

/// Both branches wrote the same places in the same order: each write once, with the value chosen.
fn pair_writes(
    mine: &[Write],
    theirs: &[Write],
    condition: Term,
    space: &mut Space,
) -> Option<Vec<Write>> {
    if mine.len() != theirs.len() {
        return None;
    }
    let same = |(one, two): (&Write, &Write)| (one.0, one.1, one.2) == (two.0, two.1, two.2);
    if !mine.iter().zip(theirs).all(same) {
        return None;
    }
    let both = mine.iter().zip(theirs).map(|(one, two)| {
        let value = space.terms.ite(condition, one.3, two.3);
        (one.0, one.1, one.2, value)
    });
    Some(both.collect())
}

fn write(before: Rc<History>, (key, index, guard, value): Write) -> Rc<History> {
    let depth = before.depth() + 1;
    Rc::new(History::Write { key, index, guard, value, before, depth })
}

/// The history that both grew from.
fn common_past(one: &Rc<History>, two: &Rc<History>) -> Option<Rc<History>> {
    let (mut one, mut two) = (one.clone(), two.clone());
    while !Rc::ptr_eq(&one, &two) {
        let deeper = if one.depth() >= two.depth() { &mut one } else { &mut two };
        let before = match &**deeper {
            History::Write { before, .. } => before.clone(),
            History::Merge { common, .. } => common.clone()?,
            History::Start | History::After(_) => return None,
        };
        *deeper = before;
    }
    Some(one)
}

/// What was written since, oldest first, if nothing was merged on the way and it is not much.
fn writes_since(history: &Rc<History>, past: &Rc<History>) -> Option<Vec<Write>> {
    let mut writes = Vec::new();
    let mut current = history;
    while !Rc::ptr_eq(current, past) {
        let History::Write { key, index, guard, value, before, .. } = &**current else {
            return None;
        };
        writes.push((*key, *index, *guard, *value));
        if writes.len() > PAIRED {
            return None;
        }
        current = before;
    }
    writes.reverse();
    Some(writes)
}

pub(super) struct Reader<'a, 'k> {
    pub(super) space: &'a mut Space,
    pub(super) kind: Kind<'k>,
    pub(super) key: Term,
    pub(super) index: Option<Term>,
    pub(super) widen: &'a mut dyn FnMut(&mut Space, Term) -> Term,
    /// What was read where histories had met: they share their pasts, and a past is read once.
    pub(super) merged: FxHashMap<*const History, Term>,
}

impl Reader<'_, '_> {
    /// From the oldest merge on, so that what histories share is read once, and without recursion but
    /// for branches inside branches.
    pub(super) fn read(&mut self, history: &Rc<History>) -> Term {
        let mut merges = Vec::new();
        let mut current = history;
        while !self.merged.contains_key(&Rc::as_ptr(current)) {
            current = match &**current {
                History::Start | History::After(_) => break,
                History::Write { before, .. } => before,
                History::Merge { common, first, .. } => {
                    merges.push(current);
                    common.as_ref().unwrap_or(first)
                }
            };
        }
        for merge in merges.into_iter().rev() {
            let History::Merge { condition, first, second, common, .. } = &**merge else {
                continue;
            };
            if let Some(common) = common {
                let value = self.read_writes(common);
                self.merged.insert(Rc::as_ptr(common), value);
            }
            let (first, second) = (self.read_writes(first), self.read_writes(second));
            let value = self.space.terms.ite(*condition, first, second);
            self.merged.insert(Rc::as_ptr(merge), value);
        }
        self.read_writes(history)
    }

    fn read_writes(&mut self, history: &Rc<History>) -> Term {
        let mut hits: Vec<(Term, Term)> = Vec::new();
        let mut current = history;
        let base = loop {
            if let Some(&known) = self.merged.get(&Rc::as_ptr(current)) {
                break known;
            }
            match &**current {
                History::Start => break self.initial(None),
                History::After(_) if self.kind.is_final => break self.initial(None),
                History::After(epoch) => break self.initial(Some(*epoch)),
                History::Merge { .. } => break self.read(current),
                History::Write { key, index, guard, value, before, .. } => {
                    let terms = &mut self.space.terms;
                    let mut hit = terms.eq(*key, self.key);
                    if let (Some(one), Some(two)) = (*index, self.index) {
                        let same = terms.eq(one, two);
                        hit = terms.and2(hit, same);
                    }
                    hit = terms.and2(hit, *guard);
                    if terms.is_true(hit) {
                        break *value;
                    }
                    if !terms.is_false(hit) {
                        hits.push((hit, *value));
                    }
                    current = before;
                }
            }
        };
        let mut value = base;
        for (hit, written) in hits.into_iter().rev() {
            value = self.space.terms.ite(hit, written, value);
        }
        value
    }

    fn initial(&mut self, epoch: Option<Term>) -> Term {
        let mut arguments = vec![self.key];
        arguments.extend(self.index);
        let name = match epoch {
            None => self.kind.name.to_owned(),
            Some(epoch) => {
                arguments.push(epoch);
                format!("{}@", self.kind.name)
            }
        };
        debug_assert_eq!(self.space.terms.sort(self.key), KEY);
        debug_assert!(epoch.is_none_or(|epoch| self.space.terms.sort(epoch) == TRACE));
        let narrow = self.space.apply(&name, &arguments, self.kind.narrow);
        let value = (self.widen)(self.space, narrow);
        match epoch {
            None => value,
            Some(_) => self.space.or_loose(value, &name, &arguments, self.kind.loose),
        }
    }
}
