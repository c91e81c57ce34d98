//! One body, from its entry to its returns: blocks in order, states merged where they meet.

use std::collections::BTreeMap;
use std::rc::Rc;

use program::ir::{BlockId, Body, Compare, Condition, Edge, Handler, Terminator};
use program::{MethodId, Type};
use smt::Term;

use super::flow::Flow;
use super::space::FreshKind;
use super::{Dead, Engine, Live, Outcome, State, StopKind};

/// What simplifying may cost on average for each term of the budget ([`smt::Terms::work`]).
const WORK: u64 = 100;

/// A method that is being run.
pub(super) struct Frame<'b> {
    pub(super) method: MethodId,
    pub(super) body: &'b Body,
    flow: &'b Flow,
    /// By SSA value; what no block has defined yet is never read.
    values: Vec<Term>,
    pub(super) state: State,
    block: BlockId,
    /// States that wait at blocks, by the block's place in the order.
    waiting: BTreeMap<u32, Waiting>,
    /// How often each loop has turned on an open condition since it was entered, and the depth of the
    /// path at the last turn.
    turns: BTreeMap<u32, (u32, u32)>,
    /// Of loops that may be cut, by the place of the header: how often it was reached since the loop
    /// was entered, and the number of the cut.
    arrivals: BTreeMap<u32, (u32, Option<usize>)>,
    outcome: Outcome,
}

pub(super) struct Waiting {
    pub(super) state: State,
    /// Of the target: the parameters, then what is live.
    pub(super) values: Vec<Term>,
    pub(super) is_back: bool,
}

impl Frame<'_> {
    /// The first place where a state waits. A header waits until no block of its loop does.
    fn next_place(&self) -> Option<u32> {
        let (&first, waiting) = self.waiting.first_key_value()?;
        let (mut place, mut is_back) = (first, waiting.is_back);
        while is_back {
            let inside = place + 1..=self.flow.end[place as usize].max(place + 1);
            let inside = if self.flow.end[place as usize] > place {
                self.waiting.range(inside).next()
            } else {
                None
            };
            match inside {
                Some((&next, waiting)) => (place, is_back) = (next, waiting.is_back),
                None => break,
            }
        }
        Some(place)
    }

    pub(super) fn get(&self, value: program::ir::Value) -> Term {
        self.values[value.index()]
    }

    pub(super) fn set(&mut self, value: program::ir::Value, term: Term) {
        self.values[value.index()] = term;
    }

    pub(super) fn list(&self, list: program::ir::ValueList) -> Vec<Term> {
        self.body.list(list).iter().map(|&value| self.get(value)).collect()
    }
}

impl Engine<'_> {
    pub(super) fn run_body(
        &mut self,
        method: MethodId,
        lowered: &Rc<super::Lowered>,
        arguments: &[Term],
        mut state: State,
    ) -> Outcome {
        let held = state.heap.held;
        self.lock_for(method, arguments, &mut state);
        let (body, flow) = (&lowered.body, &lowered.flow);
        let undefined = self.space.terms.bool(false);
        let mut values = vec![undefined; body.kinds.len()];
        values[..arguments.len()].copy_from_slice(arguments);
        let mut frame = Frame {
            method,
            body,
            flow,
            values,
            state,
            block: BlockId::ENTRY,
            waiting: BTreeMap::new(),
            turns: BTreeMap::new(),
            arrivals: BTreeMap::new(),
            outcome: Outcome::default(),
        };
        let mut current = Some(BlockId::ENTRY);
        while let Some(block) = current {
            frame.block = block;
            // Err: every state went elsewhere.
            let _ = self.run_block(&mut frame);
            current = self.next_block(&mut frame);
        }
        // A method leaves with the monitors that it came with (JVMS 2.11.10).
        let mut outcome = frame.outcome;
        outcome.returned.iter_mut().for_each(|(state, _)| state.heap.held = held);
        outcome.thrown.iter_mut().for_each(|(state, _)| state.heap.held = held);
        outcome
    }

    /// Takes up the first state that waits; at the header of a loop, when its whole turn has arrived.
    fn next_block(&mut self, frame: &mut Frame<'_>) -> Option<BlockId> {
        loop {
            let place = frame.next_place()?;
            let waiting = frame.waiting.remove(&place)?;
            let block = frame.flow.block[place as usize];
            let Some(waiting) = self.at_cut(frame, place, block, waiting) else { continue };
            if !self.may_turn(frame, place, &waiting) {
                let text = self.method_text(frame.method);
                let reason =
                    format!("a loop in {text} turns more than {} times", self.budget.unroll);
                self.unwound.loops.insert((frame.method, block.index() as u32));
                self.stop(&waiting.state, StopKind::Unwound, reason);
                continue;
            }
            let parameters = frame.body.list(frame.body.block(block).parameters);
            let live = &frame.flow.live_in[block.index()];
            for (&value, &term) in parameters.iter().chain(live.iter()).zip(&waiting.values) {
                frame.values[value.index()] = term;
            }
            frame.state = waiting.state;
            return Some(block);
        }
    }

    /// Where a loop is cut, what goes on from its header; nothing if the state was collected there.
    fn at_cut(
        &mut self,
        frame: &mut Frame<'_>,
        place: u32,
        block: BlockId,
        waiting: Waiting,
    ) -> Option<Waiting> {
        if !self.is_cut(frame.method, block) {
            return Some(waiting);
        }
        let (arrivals, cut) = match (waiting.is_back, frame.arrivals.get(&place)) {
            (false, _) => (0, None),
            (true, Some(&(arrivals, cut))) => (arrivals + 1, cut),
            // Entered elsewhere than at its header: left to unrolling.
            (true, None) => return Some(waiting),
        };
        frame.arrivals.insert(place, (arrivals, cut));
        match cut {
            Some(cut) if (arrivals - self.loops.peel).is_multiple_of(self.loops.stride()) => {
                self.collect_back(cut, &waiting.values, waiting.state);
                None
            }
            None if arrivals == self.loops.peel => {
                frame.arrivals.insert(place, (arrivals, Some(self.cuts.len())));
                let parameters = frame.body.list(frame.body.block(block).parameters);
                let live = &frame.flow.live_in[block.index()];
                let values = parameters.iter().chain(live.iter());
                let kinds: Vec<_> = values.map(|value| frame.body.kinds[value.index()]).collect();
                Some(self.cut_loop(frame.method, block, &kinds, parameters.len(), waiting))
            }
            Some(_) | None => Some(waiting),
        }
    }

    fn may_turn(&self, frame: &mut Frame<'_>, place: u32, waiting: &Waiting) -> bool {
        let depth = waiting.state.path.depth();
        if !waiting.is_back {
            frame.turns.insert(place, (0, depth));
            return true;
        }
        let (count, last) = frame.turns.get(&place).copied().unwrap_or((0, depth));
        // A turn that no open condition led to only costs instructions.
        let count = if depth > last { count + 1 } else { count };
        frame.turns.insert(place, (count, depth));
        count <= self.budget.unroll
    }

    fn run_block(&mut self, frame: &mut Frame<'_>) -> Live<()> {
        let body = frame.body;
        let block = body.block(frame.block);
        let instructions = body.instructions_of(block);
        self.charge(frame, instructions.len() as u64 + 1)?;
        for instruction in instructions {
            self.step(frame, instruction)?;
        }
        match block.terminator {
            Terminator::Goto(edge) => {
                let state = frame.state.clone();
                self.follow(frame, edge, state);
                Ok(())
            }
            Terminator::If { condition, then, otherwise } => {
                let condition = self.condition(frame, condition);
                self.branch(frame, condition, then, otherwise);
                Ok(())
            }
            Terminator::Switch { value, cases, default } => {
                let value = frame.get(value);
                self.switch(frame, value, body.cases(cases), default);
                Ok(())
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.narrowed_result(frame.method, frame.get(value)));
                let state = frame.state.clone();
                let mut outcome = std::mem::take(&mut frame.outcome);
                self.merge_returned(&mut outcome, state, value);
                frame.outcome = outcome;
                Ok(())
            }
            Terminator::Throw(exception) => {
                let exception = frame.get(exception);
                self.check_null(frame, exception)?;
                let state = frame.state.clone();
                self.route(frame, state, exception);
                Err(Dead)
            }
        }
    }

    /// JVMS `ireturn`: what a method of a narrow type returns is cut to it.
    fn narrowed_result(&mut self, method: MethodId, value: Term) -> Term {
        match crate::narrow_result(self.program, method) {
            Some(primitive) => self.narrowed(value, Type::primitive(primitive)),
            None => value,
        }
    }

    fn charge(&mut self, frame: &Frame<'_>, cost: u64) -> Live<()> {
        let terms = &self.space.terms;
        let is_costly = terms.work() > WORK * self.budget.terms as u64;
        if terms.len() > self.most_terms || is_costly {
            self.stop(&frame.state, StopKind::Budget, super::TOO_MUCH);
            return Err(Dead);
        }
        match self.instructions_left.checked_sub(cost) {
            Some(left) => {
                self.instructions_left = left;
                Ok(())
            }
            None => {
                self.stop(
                    &frame.state,
                    StopKind::Budget,
                    "the code is too long to be followed for all inputs",
                );
                Err(Dead)
            }
        }
    }

    fn condition(&mut self, frame: &Frame<'_>, condition: Condition) -> Term {
        match condition {
            Condition::Int(compare, left, right) => {
                self.compare(compare, frame.get(left), frame.get(right))
            }
            Condition::IntToZero(compare, value) => {
                let zero = self.space.terms.int(0);
                self.compare(compare, frame.get(value), zero)
            }
            Condition::SameRef(left, right) => {
                self.space.terms.eq(frame.get(left), frame.get(right))
            }
            Condition::NotSameRef(left, right) => {
                self.space.terms.ne(frame.get(left), frame.get(right))
            }
            Condition::Null(value) => self.space.is_null(frame.get(value)),
            Condition::NotNull(value) => {
                let is_null = self.space.is_null(frame.get(value));
                self.space.terms.not(is_null)
            }
        }
    }

    fn compare(&mut self, compare: Compare, left: Term, right: Term) -> Term {
        let terms = &mut self.space.terms;
        match compare {
            Compare::Equal => terms.eq(left, right),
            Compare::NotEqual => terms.ne(left, right),
            Compare::Less => terms.slt(left, right),
            Compare::GreaterOrEqual => terms.sle(right, left),
            Compare::Greater => terms.slt(right, left),
            Compare::LessOrEqual => terms.sle(left, right),
        }
    }

    fn branch(&mut self, frame: &mut Frame<'_>, condition: Term, then: Edge, otherwise: Edge) {
        self.space.note_types(condition);
        let known = frame.state.path.decide(&self.space, condition);
        let contrary = self.space.terms.not(condition);
        for (edge, condition, excluded) in
            [(then, condition, Some(false)), (otherwise, contrary, Some(true))]
        {
            if known != excluded {
                let mut state = frame.state.clone();
                state.path = state.path.and(&self.space.terms, condition);
                self.follow(frame, edge, state);
            }
        }
    }

    fn switch(&mut self, frame: &mut Frame<'_>, value: Term, cases: &[(i32, Edge)], default: Edge) {
        let mut rest = frame.state.clone();
        for &(key, edge) in cases {
            let key = self.space.terms.int(key);
            let hit = self.space.terms.eq(value, key);
            let known = rest.path.decide(&self.space, hit);
            if known != Some(false) {
                let mut state = rest.clone();
                state.path = state.path.and(&self.space.terms, hit);
                self.follow(frame, edge, state);
            }
            if known == Some(true) {
                return;
            }
            let miss = self.space.terms.not(hit);
            rest.path = rest.path.and(&self.space.terms, miss);
        }
        self.follow(frame, default, rest);
    }

    /// Lets a state wait at the target of an edge, merged with what waits there already.
    fn follow(&mut self, frame: &mut Frame<'_>, edge: Edge, state: State) {
        let arguments = frame.list(edge.arguments);
        self.arrive(frame, edge.target, arguments, state);
    }

    fn arrive(
        &mut self,
        frame: &mut Frame<'_>,
        target: BlockId,
        mut values: Vec<Term>,
        state: State,
    ) {
        let live = &frame.flow.live_in[target.index()];
        values.extend(live.iter().map(|&value| frame.get(value)));
        let place = frame.flow.position[target.index()];
        let is_back = place <= frame.flow.position[frame.block.index()];
        let arrived = match frame.waiting.remove(&place) {
            None => Waiting { state, values, is_back },
            Some(before) => {
                let (merged, condition) = self.merge_states(&before.state, &state);
                let pairs = before.values.iter().zip(&values);
                let values = pairs.map(|(&one, &two)| self.choose_value(condition, one, two));
                let values = values.collect();
                Waiting { state: merged, values, is_back: before.is_back && is_back }
            }
        };
        frame.waiting.insert(place, arrived);
    }

    /// A value that only one side has defined is not read behind the other.
    fn choose_value(&mut self, condition: Term, one: Term, two: Term) -> Term {
        if self.space.terms.sort(one) != self.space.terms.sort(two) {
            return if self.space.terms.is_false(one) { two } else { one };
        }
        self.space.terms.ite(condition, one, two)
    }

    /// Throws an exception of the JVM's own where `condition` holds, and goes on where it does not.
    pub(super) fn throw_if(
        &mut self,
        frame: &mut Frame<'_>,
        condition: Term,
        class: &str,
    ) -> Live<()> {
        let known = frame.state.path.decide(&self.space, condition);
        if known == Some(false) {
            return Ok(());
        }
        let mut state = frame.state.clone();
        state.path = state.path.and(&self.space.terms, condition);
        let exception = self.implicit_exception(class);
        self.route(frame, state, exception);
        if known == Some(true) {
            return Err(Dead);
        }
        let contrary = self.space.terms.not(condition);
        frame.state.path = frame.state.path.and(&self.space.terms, contrary);
        Ok(())
    }

    pub(super) fn implicit_exception(&mut self, class: &str) -> Term {
        let ty = self.class_type(class);
        let number = self.type_number(ty);
        self.type_constant(number);
        self.space.allocate(number, FreshKind::Implicit)
    }

    pub(super) fn check_null(&mut self, frame: &mut Frame<'_>, reference: Term) -> Live<()> {
        let is_null = self.space.is_null(reference);
        self.throw_if(frame, is_null, "java/lang/NullPointerException")
    }

    /// Sends an exception to the handlers of the current block, then out of the method.
    pub(super) fn route(&mut self, frame: &mut Frame<'_>, mut state: State, exception: Term) {
        let body = frame.body;
        for &handler in body.handlers_of(body.block(frame.block)) {
            let Handler { catch_type, edge } = handler;
            let caught = match catch_type {
                None => self.space.terms.bool(true),
                Some(class) => match self.is_instance(exception, Type::class(class)) {
                    Some(caught) => caught,
                    None => {
                        self.stop(&state, StopKind::Unsupported, "a handler for a missing class");
                        return;
                    }
                },
            };
            let known = state.path.decide(&self.space, caught);
            if known != Some(false) {
                let mut here = state.clone();
                here.path = here.path.and(&self.space.terms, caught);
                let mut values = vec![exception];
                values.extend(frame.list(edge.arguments));
                self.arrive(frame, edge.target, values, here);
            }
            if known == Some(true) {
                return;
            }
            let missed = self.space.terms.not(caught);
            state.path = state.path.and(&self.space.terms, missed);
        }
        let mut outcome = std::mem::take(&mut frame.outcome);
        self.merge_thrown(&mut outcome, state, exception);
        frame.outcome = outcome;
    }

    /// Goes on behind a call: its exceptions to the handlers, its result here.
    pub(super) fn resume(&mut self, frame: &mut Frame<'_>, outcome: Outcome) -> Live<Option<Term>> {
        if let Some((state, exception)) = outcome.thrown {
            self.route(frame, state, exception);
        }
        match outcome.returned {
            Some((state, value)) => {
                frame.state = state;
                Ok(value)
            }
            None => Err(Dead),
        }
    }
}
