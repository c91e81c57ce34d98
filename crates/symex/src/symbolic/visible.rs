//! What code outside can see when it is called: the writes to objects that existed before, to static
//! fields, and the objects of the run that it gets to know.
//!
//! All of it goes into the term of the call's place in the sequence, so that two runs make the same
//! call only if they made it in the same heap. The functions used here mean nothing: a solver may
//! choose any, so heaps that are written in another way count as different unless their terms agree.
//! That loses proofs, never differences.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smt::Term;

use super::heap::{ArrayCells, Place};
use super::history::History;
use super::space::{FreshKind, Space, TRACE};
use super::{Engine, State};

impl Engine<'_> {
    /// The trace before a call, with what the callee can see in it.
    pub(super) fn visible_trace(&mut self, state: &State, escaped: &[u32]) -> Term {
        let mut trace = state.heap.trace;
        let mut places: Vec<(String, Place)> = (0..self.places.len() as Place)
            .map(|place| (self.places[place as usize].name().to_owned(), place))
            .collect();
        places.sort();
        for (name, place) in &places {
            if let Some(history) = state.heap.writes(*place) {
                let mut writes =
                    Writes { space: &mut self.space, name, known: FxHashMap::default() };
                let written = writes.term(history);
                let unwritten = writes.start();
                let seen = self.space.apply(&format!("seen {name}"), &[trace, written], TRACE);
                // A write that did not happen shows nothing.
                let nothing = self.space.terms.eq(written, unwritten);
                trace = self.space.terms.ite(nothing, trace, seen);
            }
            if let Some(&value) = state.heap.statics.get(place) {
                trace = self.space.apply(&format!("seen static {name}"), &[trace, value], TRACE);
            }
        }
        for &object in escaped {
            trace = self.visible_object(state, object, &places, trace);
        }
        trace
    }

    /// Adds an object of the run: its class, and what its fields or elements hold.
    fn visible_object(
        &mut self,
        state: &State,
        object: u32,
        places: &[(String, Place)],
        before: Term,
    ) -> Term {
        let fresh = &self.space.fresh[object as usize];
        let (class, kind) = (fresh.class, fresh.kind.clone());
        let mut trace = match kind {
            FreshKind::Object | FreshKind::Implicit => before,
            FreshKind::Array(length) => self.space.apply("seen length", &[before, length], TRACE),
            FreshKind::Lambda(closure) => self.visible_lambda(closure, before),
        };
        let address = self.space.fresh_address(object);
        let class = self.space.terms.bitvec(30, u64::from(class));
        trace = self.space.apply("seen object", &[trace, address, class], TRACE);
        for (name, place) in places {
            if let Some(value) = state.heap.read_fresh(*place, object) {
                let seen = format!("seen own {name}");
                trace = self.space.apply(&seen, &[trace, address, value], TRACE);
            }
            match state.heap.array(*place, object) {
                None => {}
                Some(&ArrayCells::Term(array)) => {
                    let seen = format!("seen array {name}");
                    trace = self.space.apply(&seen, &[trace, address, array], TRACE);
                }
                Some(ArrayCells::Known(cells)) => {
                    let seen = format!("seen element {name}");
                    for (&index, &value) in cells {
                        let index = self.space.terms.bitvec(32, u64::from(index));
                        let arguments = [trace, address, index, value];
                        trace = self.space.apply(&seen, &arguments, TRACE);
                    }
                }
            }
        }
        trace
    }

    /// Adds what a lambda does. Two versions may give the same name to different code, so that a
    /// lambda of one version is not that of the other.
    fn visible_lambda(&mut self, closure: u32, before: Term) -> Term {
        let closure = &self.closures[closure as usize];
        let member = closure.lambda.implementation.member;
        let captured = closure.captured.clone();
        let names = &self.program.names;
        let version = self.own_statics.as_ref().map_or("", |&(version, _)| version);
        let text = format!(
            "seen {version}lambda {}.{}{}",
            self.program.class_text(member.class),
            names.text(member.name),
            names.text(member.descriptor)
        );
        let mut trace = self.space.apply(&text, &[before], TRACE);
        for value in captured {
            let sort = self.space.terms.sort(value);
            trace = self.space.apply(&format!("seen captured {sort:?}"), &[trace, value], TRACE);
        }
        trace
    }
}

/// The history of one place as a term.
struct Writes<'a> {
    space: &'a mut Space,
    name: &'a str,
    known: FxHashMap<*const History, Term>,
}

impl Writes<'_> {
    fn start(&mut self) -> Term {
        self.space.symbol(&format!("unwritten {}", self.name), TRACE)
    }

    fn term(&mut self, history: &Rc<History>) -> Term {
        let mut writes: Vec<&Rc<History>> = Vec::new();
        let mut current = history;
        let mut term = loop {
            if let Some(&known) = self.known.get(&Rc::as_ptr(current)) {
                break known;
            }
            match &**current {
                History::Start | History::After(_) => break self.start(),
                History::Merge { condition, first, second, .. } => {
                    let (one, two) = (self.term(first), self.term(second));
                    let merged = self.space.terms.ite(*condition, one, two);
                    self.known.insert(Rc::as_ptr(current), merged);
                    break merged;
                }
                History::Write { before, .. } => {
                    writes.push(current);
                    current = before;
                }
            }
        };
        for history in writes.into_iter().rev() {
            if let History::Write { key, index, guard, value, .. } = &**history {
                let mut arguments = vec![term, *key];
                arguments.extend(index);
                arguments.push(*value);
                let after = self.space.apply(&format!("write {}", self.name), &arguments, TRACE);
                term = self.space.terms.ite(*guard, after, term);
                self.known.insert(Rc::as_ptr(history), term);
            }
        }
        term
    }
}
