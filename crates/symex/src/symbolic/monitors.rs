//! Which monitors a run holds: one thread never waits for them, but code outside may ask who owns them, and only
//! their owner may notify.

use program::MethodId;
use smt::Term;

use super::space::TRACE;
use super::{Engine, State};

impl Engine<'_> {
    /// Two runs are compared: in one alone, nothing depends on it.
    fn looks_at_monitors(&self) -> bool {
        !self.side.is_empty()
    }

    pub(super) fn lock(&mut self, state: &mut State, object: Term) {
        if self.looks_at_monitors() {
            state.heap.held = self.space.apply("locked", &[object, state.heap.held], TRACE);
        }
    }

    pub(super) fn unlock(&mut self, state: &mut State, object: Term) {
        if self.looks_at_monitors() {
            state.heap.held = self.without(state.heap.held, object);
        }
    }

    /// The monitors without the one that was locked last, if it is this one.
    fn without(&mut self, held: Term, object: Term) -> Term {
        let arguments = self.space.terms.args(held).to_vec();
        match (self.space.terms.op(held), &arguments[..]) {
            (smt::Op::Apply(function), &[locked, before])
                if locked == object && self.space.terms.function_name(function) == "locked" =>
            {
                before
            }
            (smt::Op::Ite, &[condition, one, two]) => {
                let (one, two) = (self.without(one, object), self.without(two, object));
                self.space.terms.ite(condition, one, two)
            }
            _ => self.space.apply("unlocked", &[object, held], TRACE),
        }
    }

    /// What a `synchronized` method locks.
    pub(super) fn lock_for(&mut self, method: MethodId, arguments: &[Term], state: &mut State) {
        let (class, declared) = self.program.method(method);
        let flags = declared.access_flags;
        if !flags.is_synchronized() {
            return;
        }
        match arguments.first() {
            Some(&receiver) if !flags.is_static() => self.lock(state, receiver),
            _ => {
                let name = format!("class {}", self.program.class_text(class.name));
                let class = self.space.symbol(&name, TRACE);
                self.lock(state, class);
            }
        }
    }

    /// The monitors that are owned: to lock one again changes nothing for others.
    fn owned(&mut self, held: Term) -> Term {
        let mut locked = Vec::new();
        let mut rest = held;
        while let smt::Op::Apply(function) = self.space.terms.op(rest)
            && self.space.terms.function_name(function) == "locked"
            && let &[object, before] = self.space.terms.args(rest)
        {
            locked.push(object);
            rest = before;
        }
        let mut owned = Vec::new();
        for object in locked.into_iter().rev() {
            if !owned.contains(&object) {
                owned.push(object);
            }
        }
        let lock = |held, object| self.space.apply("locked", &[object, held], TRACE);
        owned.into_iter().fold(rest, lock)
    }

    /// A call to the outside is another call to whoever holds other monitors.
    pub(super) fn tell_monitors(&mut self, state: &mut State) {
        let held = self.owned(state.heap.held);
        if self.space.terms.as_const(held).is_none() {
            state.heap.trace = self.space.apply("holding", &[held, state.heap.trace], TRACE);
        }
    }
}
