//! Calls that are not followed: to the outside, by contract, or on the concrete machine.

use program::ir::MethodRef;
use program::{Kind, MethodDescriptor, MethodId, Role, Type};
use smt::{Sort, Term};

use super::space::{FreshKind, Leaf, Space};
use super::{Engine, Outcome, State, StopKind};
use crate::concrete::Value;

impl Engine<'_> {
    /// A call of which nothing is known: it may return anything, throw anything, and change whatever
    /// it can reach. Its place in the sequence of such calls, and its arguments, decide what it does.
    pub(super) fn call_outside(
        &mut self,
        method: MethodId,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        if let Some(outcome) = self.observed(method, &arguments, &state) {
            return outcome;
        }
        if let Some(outcome) = self.in_sequence(method, &arguments, &state) {
            return outcome;
        }
        if let Some(outcome) = self.asked_alike(method, &arguments, &state) {
            return outcome;
        }
        if let Some(outcome) = self.emptiness(method, &arguments, &state) {
            return outcome;
        }
        let text = self.method_text(method);
        let (_, declared) = self.program.method(method);
        let flags = declared.access_flags;
        let is_free = flags.is_static() || flags.is_native();
        let outcome = if self.options.assume_contracts
            && (is_free || !self.is_steady(method, arguments[0]))
        {
            self.call_by_chance(&text, declared.descriptor, arguments, state)
        } else {
            self.note_steady(&text);
            self.call_unknown(&text, declared.descriptor, arguments, state)
        };
        if super::models::is_never_null(self.program, method)
            && let Some((_, Some(value))) = outcome.returned
        {
            let is_null = self.space.is_null(value);
            let not_null = self.space.terms.not(is_null);
            self.space.assume(not_null);
        }
        outcome
    }

    /// Whether a method of an object may be taken to answer the same when it is asked the same again: it only
    /// answers, or the object is of the run, which then has the same before it.
    fn is_steady(&mut self, method: MethodId, receiver: Term) -> bool {
        if super::models::only_answers(self.program, method) {
            return true;
        }
        let Some(leaves) = self.space.leaves(receiver) else { return false };
        let is_step = super::models::is_step(self.program, method);
        leaves.iter().all(|&(_, leaf)| match leaf {
            Leaf::Null | Leaf::Fresh(_) => true,
            Leaf::Input(key) => is_step && self.is_new_iterator(key),
        })
    }

    /// Whether the run asked for an iterator, and this is what it got.
    fn is_new_iterator(&self, key: Term) -> bool {
        let smt::Op::Apply(function) = self.space.terms.op(key) else { return false };
        let name = self.space.terms.function_name(function);
        let asks = |what: &str| name.contains(what);
        name.starts_with("result ") && (asks("terator()") || asks(".elements()"))
    }

    /// How often code outside was called.
    pub fn n_outside_calls(&self) -> usize {
        self.events.len()
    }

    /// A call that need not answer the same when it is asked the same: of a clock, of a counter.
    fn call_by_chance(
        &mut self,
        text: &str,
        descriptor: program::Name,
        arguments: Vec<Term>,
        mut state: State,
    ) -> Outcome {
        let nth = self.space.terms.bitvec(64, self.events.len() as u64);
        state.heap.trace =
            self.space.apply("chance", &[state.heap.trace, nth], super::space::TRACE);
        self.call_unknown(text, descriptor, arguments, state)
    }

    pub(super) fn call_missing(
        &mut self,
        reference: MethodRef,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        let text = self.reference_text(reference);
        self.note_steady(&text);
        self.call_unknown(&text, reference.descriptor, arguments, state)
    }

    /// JVMS 2.9.3: what goes in and comes out is what the caller's descriptor says, not the method's own.
    pub(super) fn call_signature_polymorphic(
        &mut self,
        reference: MethodRef,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        let text = self.reference_text(reference);
        if self.options.assume_contracts {
            return self.call_by_chance(&text, reference.descriptor, arguments, state);
        }
        self.call_unknown(&text, reference.descriptor, arguments, state)
    }

    pub(super) fn reference_text(&self, reference: MethodRef) -> String {
        let names = &self.program.names;
        let class = self.program.class_text(reference.class);
        format!("{class}.{}{}", names.text(reference.name), names.text(reference.descriptor))
    }

    /// The calls of one question are told apart by what they are told alone.
    fn note_steady(&mut self, text: &str) {
        if self.options.assume_contracts {
            let what = format!("{text} answers the same when it is asked the same again");
            self.assumptions.insert(what);
        }
    }

    pub(super) fn call_unknown(
        &mut self,
        text: &str,
        descriptor: program::Name,
        arguments: Vec<Term>,
        mut state: State,
    ) -> Outcome {
        self.outside.insert(text.to_owned());
        self.tell_monitors(&mut state);
        let escaped = self.escaped(&state, &arguments);
        self.events.push(super::Event {
            text: text.to_owned(),
            arguments: arguments.clone(),
            state: state.clone(),
        });
        let mut keyed = arguments;
        // Where two runs are compared, the heaps of their calls are; one alone says it in the call.
        keyed.push(if self.side.is_empty() {
            self.visible_trace(&state, &escaped)
        } else {
            state.heap.trace
        });
        state.heap.trace = self.space.apply(&format!("call {text}"), &keyed, Sort::BitVec(64));
        self.forget(&mut state, &escaped);
        let trace = state.heap.trace;
        let throws = self.space.apply(&format!("throws {text}"), &[trace], Sort::Bool);
        let mut outcome = Outcome::default();
        let mut thrown = state.clone();
        thrown.path = thrown.path.and(&self.space.terms, throws);
        let exception = self.some_throwable(&format!("thrown {text}"), &[trace]);
        outcome.thrown = Some((thrown, exception));
        let returns = self.space.terms.not(throws);
        state.path = state.path.and(&self.space.terms, returns);
        let names = &self.program.names;
        let result = MethodDescriptor::parse(names.bytes(descriptor))
            .and_then(|descriptor| descriptor.result_type(names));
        let value =
            result.map(|ty| self.unknown_result(&format!("result {text}"), trace, ty, &escaped));
        outcome.returned = Some((state, value));
        outcome
    }

    /// What is thrown under a name.
    pub(super) fn some_throwable(&mut self, name: &str, arguments: &[Term]) -> Term {
        let key = self.space.apply(name, arguments, super::space::KEY);
        let throwable = Type::class(self.program.known.throwable);
        self.assume_type(key, throwable);
        let zero = self.space.terms.bitvec(31, 0);
        let not_null = self.space.terms.ne(key, zero);
        self.space.assume(not_null);
        self.space.input(key)
    }

    /// A call that gives a number which depends on its arguments and the heap of the start alone. Whether it
    /// is one is for the caller to prove, and that nothing was written before.
    pub(super) fn call_pure(
        &mut self,
        text: &str,
        descriptor: program::Name,
        arguments: &[Term],
        state: State,
    ) -> Outcome {
        self.outside.insert(text.to_owned());
        let names = &self.program.names;
        let descriptor = MethodDescriptor::parse(names.bytes(descriptor));
        let result = descriptor.as_ref().and_then(|it| it.result_type(names));
        let types = descriptor.as_ref().map_or_else(Vec::new, |it| it.parameter_types(names));
        let receivers = arguments.len().saturating_sub(types.len());
        let kinds = types.iter().map(|ty| ty.kind());
        let kinds = std::iter::repeat_n(Kind::Ref, receivers).chain(kinds);
        // A new object has a number in each version, which says nothing to the other one.
        let is_new = arguments.iter().zip(kinds).any(|(&argument, kind)| {
            kind == Kind::Ref
                && self.space.leaves(argument).is_none_or(|leaves| {
                    leaves.iter().any(|(_, leaf)| matches!(leaf, Leaf::Fresh(_)))
                })
        });
        let Some(ty) = result.filter(|ty| ty.kind() != Kind::Ref && !is_new) else {
            self.stop(&state, StopKind::Unsupported, "a call that is no function of its arguments");
            return Outcome::default();
        };
        let narrow = self.narrow_sort(ty);
        let value = self.space.apply(&format!("value {text}"), arguments, narrow);
        let value = self.widen(value, ty);
        Outcome { returned: Some((state, Some(value))), thrown: None }
    }

    /// Forgets what code outside may have changed by the end of the calls so far.
    pub(super) fn forget(&mut self, state: &mut State, escaped: &[u32]) {
        let is_final: Vec<bool> = self.places.iter().map(|place| place.is_final).collect();
        let sorts: Vec<Sort> =
            self.places.iter().map(|place| Engine::kind_sort(place.ty.kind())).collect();
        state.heap.forget(
            &mut self.space,
            escaped,
            |place| is_final[place as usize],
            |place| sorts[place as usize],
        );
    }

    /// Any value of the type; of a reference, also one of the objects that the callee got to know.
    fn unknown_result(&mut self, name: &str, trace: Term, ty: Type, escaped: &[u32]) -> Term {
        let narrow = self.narrow_sort(ty);
        let value = self.space.apply(name, &[trace], narrow);
        let value = self.widen(value, ty);
        if ty.kind() != Kind::Ref {
            return value;
        }
        let fits = |&object: &u32| {
            let class = self.numbered_type(self.space.fresh[object as usize].class);
            class.is_none_or(|class| self.is_assignable(class, ty) != Some(false))
        };
        let loose: Vec<u32> = escaped.iter().copied().filter(fits).collect();
        self.space.or_loose(value, name, &[trace], &loose)
    }

    /// Objects of the run that code outside can reach: from the arguments, and from what was written
    /// into objects that it may know.
    pub(super) fn escaped(&mut self, state: &State, arguments: &[Term]) -> Vec<u32> {
        let mut found = std::collections::BTreeSet::new();
        let mut open: Vec<Term> = arguments.to_vec();
        open.extend(state.heap.published());
        // What it got to know before it may still know.
        for &object in state.heap.loose() {
            open.push(self.space.fresh_address(object));
        }
        self.marks.start(&self.space.terms);
        let mut steps = 0;
        while let Some(term) = open.pop() {
            let terms = &self.space.terms;
            // A reference is chosen among references and elements of arrays: conditions and the calls so
            // far say which, and are none themselves.
            let holds = matches!(terms.sort(term), Sort::BitVec(32) | Sort::Array(_));
            if !holds || !self.marks.mark(term) {
                continue;
            }
            steps += 1;
            open.extend_from_slice(terms.args(term));
            let Some(address) = terms.as_const(term) else { continue };
            let Some(object) = (address as u32).checked_sub(1 << 31) else { continue };
            // An int of the same value is taken for a reference: harmless.
            if (object as usize) < self.space.fresh.len() && found.insert(object) {
                open.extend(state.heap.values_of(object));
                if let FreshKind::Lambda(closure) = self.space.fresh[object as usize].kind {
                    open.extend(self.closures[closure as usize].captured.iter());
                }
            }
        }
        self.space.terms.count_work(steps);
        found.into_iter().collect()
    }

    /// The states in which code outside was called that could get hold of an object.
    pub fn states_that_show(&mut self, object: Term) -> Vec<State> {
        let events: Vec<(Vec<Term>, State)> = self
            .events
            .iter()
            .map(|event| (event.arguments.clone(), event.state.clone()))
            .collect();
        let shows = |(arguments, state): &(Vec<Term>, State)| self.shows(state, arguments, object);
        let shown: Vec<bool> = events.iter().map(shows).collect();
        events.into_iter().zip(shown).filter(|(_, shows)| *shows).map(|((_, at), _)| at).collect()
    }

    /// Whether others can get hold of an object in a state, by what was written or by these references.
    pub fn shows(&mut self, state: &State, references: &[Term], object: Term) -> bool {
        let known = self.escaped(state, references);
        if let Some(address) = self.space.terms.as_const(object)
            && let Some(number) = (address as u32).checked_sub(1 << 31)
        {
            return known.contains(&number);
        }
        let mut open: Vec<Term> = references.to_vec();
        open.extend(state.heap.published());
        for number in known {
            open.extend(state.heap.values_of(number));
            if let FreshKind::Lambda(closure) = self.space.fresh[number as usize].kind {
                open.extend(self.closures[closure as usize].captured.iter());
            }
        }
        self.marks.start(&self.space.terms);
        while let Some(term) = open.pop() {
            let terms = &self.space.terms;
            let holds = matches!(terms.sort(term), Sort::BitVec(32) | Sort::Array(_));
            if !holds || !self.marks.mark(term) {
                continue;
            }
            if term == object {
                return true;
            }
            open.extend_from_slice(terms.args(term));
        }
        false
    }

    /// Runs a static method of the platform on constants, as a JVM would.
    pub(super) fn run_concretely(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        let (class, declared) = self.program.method(method);
        if !declared.access_flags.is_static() || self.program.role(class.id) != Role::Platform {
            return None;
        }
        let names = &self.program.names;
        let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
        let result = descriptor.result_kind()?;
        if result == Kind::Ref || arguments.is_empty() {
            return None;
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (kind, &argument) in descriptor.parameter_kinds().zip(arguments) {
            let word = self.space.terms.as_const(argument)?;
            values.push(match kind {
                Kind::Int => Value::Int(word as u32 as i32),
                Kind::Long => Value::Long(word as i64),
                Kind::Float => Value::Float(f32::from_bits(word as u32)),
                Kind::Double => Value::Double(f64::from_bits(word)),
                Kind::Ref => return None,
            });
        }
        let value = match self.machine.call(method, &values).ok()?? {
            Value::Int(value) => self.space.terms.int(value),
            Value::Long(value) => self.space.terms.long(value),
            Value::Float(value) => self.space.terms.float32(value),
            Value::Double(value) => self.space.terms.float64(value),
            Value::Ref(_) | Value::Unknown(_) => return None,
        };
        Some(returned(state.clone(), Some(value)))
    }
}

pub(super) fn returned(state: State, value: Option<Term>) -> Outcome {
    Outcome { returned: Some((state, value)), thrown: None }
}

/// The least and the largest number of calls in a sequence of calls to the outside.
pub(super) fn n_calls(space: &Space, trace: Term) -> (u32, u32) {
    let mut known: rustc_hash::FxHashMap<Term, (u32, u32)> = rustc_hash::FxHashMap::default();
    let mut open = vec![trace];
    while let Some(&term) = open.last() {
        let parts: Vec<Term> = match space.terms.op(term) {
            smt::Op::Ite => space.terms.args(term)[1..].to_vec(),
            smt::Op::Apply(_) => space.terms.args(term).last().copied().into_iter().collect(),
            _ => Vec::new(),
        };
        let missing: Vec<Term> =
            parts.iter().copied().filter(|part| !known.contains_key(part)).collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        open.pop();
        let ranges = parts.iter().filter_map(|part| known.get(part).copied());
        let range = ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let range = match (space.terms.op(term), range) {
            (smt::Op::Apply(_), Some(range)) => (range.0 + 1, range.1.saturating_add(1)),
            (_, Some(range)) => range,
            // The start is a constant; what a loop left behind is a symbol.
            (_, None) if space.terms.as_const(term).is_some() => (0, 0),
            (_, None) => (0, u32::MAX),
        };
        known.insert(term, range);
    }
    known.get(&trace).copied().unwrap_or((0, u32::MAX))
}
