//! Calls: which methods a call may run, and running them under their conditions.

use program::ir::{InvokeKind, MethodRef};
use program::{ClassId, MethodId, Resolution, Role, Type};
use smt::Term;

use super::run::Frame;
use super::space::{FreshKind, Leaf};
use super::{Engine, Live, Outcome, State, StopKind};

/// A call with more targets than this goes to the outside.
pub(super) const MOST_TARGETS: usize = 24;

/// What a call does on one kind of receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Method(MethodId),
    Lambda(u32),
    /// The contract of `equals`, `hashCode` or `compareTo`, on an object of open type.
    Contract,
    /// The code of its class, on an object whose own contract is the question.
    Asked {
        owner: ClassId,
        method: MethodId,
    },
    /// No code, on such an object: nothing is known of it but its word.
    Stranger,
    Outside,
}

impl Engine<'_> {
    pub(super) fn invoke(
        &mut self,
        frame: &mut Frame<'_>,
        kind: InvokeKind,
        reference: MethodRef,
        arguments: Vec<Term>,
    ) -> Live<Option<Term>> {
        if kind != InvokeKind::Static {
            self.check_null(frame, arguments[0])?;
        }
        let MethodRef { class, name, descriptor } = reference;
        let resolved = match self.program.resolve_method(class, name, descriptor) {
            Resolution::Found(id) => id,
            Resolution::MissingClass(_) | Resolution::NoSuchMember => {
                let state = frame.state.clone();
                let outcome = self.call_missing(reference, arguments, state);
                return self.resume(frame, outcome);
            }
        };
        let state = frame.state.clone();
        if self.program.is_signature_polymorphic(resolved) {
            let outcome = self.call_signature_polymorphic(reference, arguments, state);
            return self.resume(frame, outcome);
        }
        let outcome = match kind {
            InvokeKind::Static => self.run_method(resolved, arguments, state),
            InvokeKind::Special => match self.special_target(frame.method, reference, resolved) {
                Some(target) => self.run_method(target, arguments, state),
                None => return self.unsupported(&frame.state, "a missing superclass"),
            },
            InvokeKind::Virtual | InvokeKind::Interface => {
                self.invoke_virtual(resolved, arguments, state)
            }
        };
        self.resume(frame, outcome)
    }

    /// JVMS `invokespecial`: `super.m()` starts at the caller's superclass.
    fn special_target(
        &self,
        caller: MethodId,
        reference: MethodRef,
        resolved: MethodId,
    ) -> Option<MethodId> {
        let program = self.program;
        let (caller_class, _) = program.method(caller);
        if reference.name == program.known.init {
            return Some(resolved);
        }
        let Some(named) = program.find_class(reference.class) else { return Some(resolved) };
        let is_super = named != caller_class.id
            && program.class(named).is_some_and(|class| !class.is_interface())
            && program.is_subtype(caller_class.id, named) == Some(true);
        let start = if is_super { program.superclass(caller_class)?.id } else { named };
        program.select_method(start, resolved).found()
    }

    /// Calls `resolved` on its first argument, which is not null on this path.
    pub(super) fn invoke_virtual(
        &mut self,
        resolved: MethodId,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        let Some(leaves) = self.space.leaves(arguments[0]) else {
            self.stop(&state, StopKind::Budget, "a call on one of too many objects");
            return Outcome::default();
        };
        let mut targets: Vec<(Target, Vec<Term>)> = Vec::new();
        // Whether some object was left out, or counts only if it has some type.
        let mut is_part = false;
        for &(guard, leaf) in leaves.iter() {
            is_part |= leaf == Leaf::Null;
            if leaf == Leaf::Null || state.path.decide(&self.space, guard) == Some(false) {
                continue;
            }
            for (condition, target) in self.targets(resolved, leaf, &arguments) {
                is_part |= !self.space.terms.is_true(condition);
                let guard = self.space.terms.and2(guard, condition);
                if state.path.decide(&self.space, guard) == Some(false) {
                    continue;
                }
                match targets.iter_mut().find(|(known, _)| *known == target) {
                    Some((_, guards)) => guards.push(guard),
                    None => targets.push((target, vec![guard])),
                }
            }
        }
        let mut outcome = Outcome::default();
        let is_all = !is_part && targets.len() == 1;
        for (target, guards) in targets {
            let mut here = state.clone();
            // One method for all of them needs no condition.
            if !is_all {
                let guard = self.space.terms.or(&guards);
                here.path = here.path.and(&self.space.terms, guard);
            }
            let one = match target {
                Target::Method(method) => self.run_method(method, arguments.clone(), here),
                Target::Lambda(closure) => {
                    self.invoke_lambda(closure, resolved, arguments.clone(), here)
                }
                Target::Contract => self.call_contract(resolved, &arguments, here),
                Target::Asked { owner, method } => {
                    self.run_asked(owner, method, arguments.clone(), here)
                }
                Target::Stranger => {
                    let reason = "it asks the object that it is compared with";
                    self.stop(&here, StopKind::Unsupported, reason);
                    Outcome::default()
                }
                Target::Outside => self.call_outside(resolved, arguments.clone(), here),
            };
            self.join(&mut outcome, one);
        }
        outcome
    }

    pub(super) fn join(&mut self, outcome: &mut Outcome, one: Outcome) {
        if let Some((state, value)) = one.returned {
            self.merge_returned(outcome, state, value);
        }
        if let Some((state, exception)) = one.thrown {
            self.merge_thrown(outcome, state, exception);
        }
    }

    /// What the call may run on one object, with the conditions on its runtime type.
    fn targets(
        &mut self,
        resolved: MethodId,
        leaf: Leaf,
        arguments: &[Term],
    ) -> Vec<(Term, Target)> {
        let always = self.space.terms.bool(true);
        if let Some(closure) = self.closure_of(leaf) {
            return vec![(always, Target::Lambda(closure))];
        }
        let class = self.class_of_leaf(leaf);
        if let Some(number) = self.space.terms.as_const(class) {
            return match self.select(number as u32, resolved) {
                Some(method)
                    if matches!(leaf, Leaf::Input(_))
                        && (self.is_intricate(method) || self.is_of_own_kind(method, leaf)) =>
                {
                    vec![(always, Target::Contract)]
                }
                Some(method) => vec![(always, Target::Method(method))],
                None => vec![(always, Target::Outside)],
            };
        }
        let is_word = self.options.assume_contracts && self.is_contract(resolved);
        if is_word
            && self.is_overridable(resolved)
            && self.is_asked_leaf(leaf)
            && self.handed_back(arguments).is_none()
        {
            return self.asked_targets(resolved, class);
        }
        self.open_targets(resolved, class, leaf)
    }

    fn is_overridable(&self, method: MethodId) -> bool {
        let (class, declared) = self.program.method(method);
        let flags = declared.access_flags;
        !(flags.is_final() || flags.is_private() || class.access_flags.is_final())
    }

    pub(super) fn assume_not_overridden(&mut self, method: MethodId) {
        if self.is_overridable(method) {
            let text = self.method_text(method);
            self.assumptions.insert(format!("no class outside of those analysed overrides {text}"));
        }
    }

    /// From now on, the object may be of a class that nobody has seen, which overrides what it may.
    pub fn open_calls_on(&mut self, object: Term) {
        let leaves = self.space.leaves(object);
        self.opened = leaves.and_then(|leaves| match leaves[..] {
            [(_, leaf)] => Some(leaf),
            _ => None,
        });
    }

    fn select(&self, number: u32, resolved: MethodId) -> Option<MethodId> {
        let ty = self.numbered_type(number)?;
        let class = match ty {
            Type { element: program::Element::Class(name), dimensions: 0 } => {
                self.program.find_class(name)?
            }
            Type { .. } => self.program.find_class(self.program.known.object)?,
        };
        self.program.select_method(class, resolved).found()
    }

    fn open_targets(&mut self, resolved: MethodId, class: Term, leaf: Leaf) -> Vec<(Term, Target)> {
        let always = self.space.terms.bool(true);
        if !self.is_overridable(resolved) {
            return vec![(always, Target::Method(resolved))];
        }
        let (declaring, method) = self.program.method(resolved);
        let flags = method.access_flags;
        let declaring_id = declaring.id;
        if self.options.assume_contracts
            && self.is_contract(resolved)
            && !self.is_number(declaring_id)
        {
            return vec![(always, Target::Contract)];
        }
        // Beyond the judged classes others are sure to override what is made for it, and where two
        // versions are compared nothing may rest on who does.
        let is_judged = self.program.role(declaring_id) == Role::Judged;
        let is_concrete = !declaring.access_flags.is_abstract() && !self.is_root(declaring_id);
        let is_open = flags.is_abstract()
            || !(is_judged || self.options.assume_contracts && is_concrete)
            || self.opened == Some(leaf) && self.is_for_heirs(resolved);
        let Some(known) = self.known_targets(resolved, declaring_id, class, leaf) else {
            let is_asked = self.is_asked_leaf(leaf);
            return vec![(always, if is_asked { Target::Stranger } else { Target::Outside })];
        };
        if is_judged && flags.is_abstract() && self.options.assume_contracts {
            let seen = self.implementations(resolved, declaring_id, class, &known);
            if let Some(seen) = seen {
                return seen;
            }
        }
        let mut targets = known;
        if is_open && let Some(target) = self.string_target(resolved, declaring_id, class, &targets)
        {
            targets.push(target);
        }
        let tested: Vec<Term> = targets.iter().map(|&(guard, _)| guard).collect();
        let any = self.space.terms.or(&tested);
        let other = self.space.terms.not(any);
        if !self.space.terms.is_false(other) {
            let rest = if is_open {
                Target::Outside
            } else {
                self.assume_not_overridden(resolved);
                Target::Method(resolved)
            };
            targets.push((other, rest));
        }
        targets
    }

    /// What implements an abstract method among the classes that are analysed, and nothing else does. Only
    /// where no lambda can, and where each class that fits has code for it.
    fn implementations(
        &mut self,
        resolved: MethodId,
        declaring: ClassId,
        class: Term,
        known: &[(Term, Target)],
    ) -> Option<Vec<(Term, Target)>> {
        let is_closed = match self.program.class(declaring)?.is_interface() {
            true => self.doubts.closes_interfaces && !self.may_be_lambda(declaring),
            false => true,
        };
        let seen: Vec<(Term, Target)> =
            known.iter().copied().filter(|(_, target)| *target != Target::Outside).collect();
        if !is_closed || seen.is_empty() {
            return None;
        }
        let guards: Vec<Term> = seen.iter().map(|&(guard, _)| guard).collect();
        let any = self.space.terms.or(&guards);
        let declared = Type::class(self.program.class_name(declaring));
        let fits = self.is_subtype_term(class, declared)?;
        let fact = self.space.terms.implies(fits, any);
        self.space.assume(fact);
        let text = self.method_text(resolved);
        self.assumptions.insert(format!("no class outside of those analysed implements {text}"));
        Some(seen)
    }

    /// Of sequences and comparables that anyone may implement, strings at least are known.
    fn string_target(
        &mut self,
        resolved: MethodId,
        declaring: ClassId,
        class: Term,
        others: &[(Term, Target)],
    ) -> Option<(Term, Target)> {
        let string = Type::class(self.program.known.string);
        let declared = Type::class(self.program.class_name(declaring));
        if self.is_root(declaring) || self.is_assignable(string, declared) != Some(true) {
            return None;
        }
        let number = self.type_number(string);
        let method = self.select(number, resolved)?;
        let constant = self.type_constant(number);
        let is_string = self.space.terms.eq(class, constant);
        let tested: Vec<Term> = others.iter().map(|&(guard, _)| guard).collect();
        let before = self.space.terms.or(&tested);
        let rest = self.space.terms.not(before);
        Some((self.space.terms.and2(is_string, rest), Target::Method(method)))
    }

    /// Whether code that nobody has seen can override a method.
    fn is_for_heirs(&self, method: MethodId) -> bool {
        let (class, declared) = self.program.method(method);
        let is_seen = |method: &program::Method| {
            method.access_flags.is_public() || method.access_flags.is_protected()
        };
        let makes_heirs =
            |(_, it): (_, &program::Method)| it.name == self.program.known.init && is_seen(it);
        is_seen(declared)
            && class.access_flags.is_public()
            && !self.is_closed(class)
            && (class.is_interface() || class.methods().any(makes_heirs))
    }

    /// Whether all classes below a sealed one are final.
    fn is_closed(&self, class: &program::Class) -> bool {
        let Ok(Some(permitted)) = class.file.permitted_subclasses() else { return false };
        permitted.into_iter().all(|utf8| {
            let name = class.constant_name(utf8, &self.program.names);
            let below = self.program.find_class(name).and_then(|id| self.program.class(id));
            below.is_some_and(|below| below.access_flags.is_final())
        })
    }

    pub(super) fn is_root(&self, class: ClassId) -> bool {
        self.program.class_name(class) == self.program.known.object
    }

    /// The overriding methods of the classes that are analysed, most derived classes first.
    fn known_targets(
        &mut self,
        resolved: MethodId,
        declaring: ClassId,
        class: Term,
        leaf: Leaf,
    ) -> Option<Vec<(Term, Target)>> {
        let Some(world) = self.world else { return Some(Vec::new()) };
        let mut subtypes = world.subtypes(declaring);
        subtypes.retain(|&id| id != declaring);
        if subtypes.len() > 4 * MOST_TARGETS {
            // One of the objects in question answers by its own code, whatever others there may be.
            let is_asked = self.is_asked_leaf(leaf);
            let mut own =
                if is_asked { self.asked_methods(resolved, class)? } else { return None };
            own.retain(|&(_, _, method)| method != resolved);
            return Some(own.into_iter().map(|it| (it.0, self.target_of(it.2))).collect());
        }
        // Derived classes before their superclasses.
        subtypes.sort_by_key(|&id| self.program.most_derived_first(id));
        let mut targets: Vec<(Term, Target)> = Vec::new();
        let mut before = self.space.terms.bool(false);
        for id in subtypes {
            let Some(subclass) = self.program.class(id) else { continue };
            if subclass.is_interface() {
                continue;
            }
            let target = match self.program.select_method(id, resolved).found() {
                Some(method) if method == resolved => continue,
                Some(method) => self.target_of(method),
                None => Target::Outside,
            };
            let ty = Type::class(self.program.class_name(id));
            let fits = self.is_subtype_term(class, ty)?;
            let earlier = self.space.terms.not(before);
            let guard = self.space.terms.and2(earlier, fits);
            before = self.space.terms.or2(before, fits);
            targets.push((guard, target));
        }
        (targets.len() <= MOST_TARGETS).then_some(targets)
    }

    fn target_of(&self, method: MethodId) -> Target {
        let is_abstract = self.program.method(method).1.access_flags.is_abstract();
        if is_abstract { Target::Outside } else { Target::Method(method) }
    }

    /// What the model of a method says. Where the class is itself judged, its own code does.
    fn run_model(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        let (class, declared) = self.program.method(method);
        if self.program.role(class.id) == Role::Judged && !declared.access_flags.is_native() {
            return None;
        }
        if let Some(model) = self.models.find(self.program, method)
            && let Some(outcome) = model(self, method, arguments, state)
        {
            return Some(outcome);
        }
        if !self.models.is_closed(class.name) {
            return None;
        }
        let (arguments, state) = (arguments.to_vec(), state.clone());
        let is_new = declared.name == self.program.known.init && self.space.is_fresh(arguments[0]);
        Some(if is_new {
            self.construct_outside(method, arguments, state)
        } else {
            self.call_outside(method, arguments, state)
        })
    }

    /// Runs exactly this method: by its model, from its code, or as a call to the outside.
    pub(super) fn run_method(
        &mut self,
        method: MethodId,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        let known = self.run_model(method, &arguments, &state);
        let known = known.or_else(|| self.run_trusted(method, &arguments, &state));
        if let Some(outcome) = known.or_else(|| self.run_related(method, &arguments, &state)) {
            return outcome;
        }
        if self.barred.contains(&method) {
            let reason = format!("{} may differ in what no code shows", self.method_text(method));
            self.stop(&state, StopKind::Unsupported, reason);
            return Outcome::default();
        }
        if let Some(outcome) = self.run_concretely(method, &arguments, &state) {
            return outcome;
        }
        if let Some(outcome) = self.call_for_caller(method, &arguments, &state) {
            return outcome;
        }
        if let Some(name) = self.shared_calls.get(&method).filter(|_| !self.stack.is_empty()) {
            let (name, descriptor) = (name.clone(), self.program.method(method).1.descriptor);
            if self.pure_calls {
                return self.call_pure(&name, descriptor, &arguments, state);
            }
            return self.call_unknown(&name, descriptor, arguments, state);
        }
        if let Some(outcome) = self.call_platform(method, &arguments, &state) {
            return outcome;
        }
        if self.forgives.methods.contains(&method) && !self.stack.is_empty() {
            return self.call_outside(method, arguments, state);
        }
        let lowered = match self.lowered(method) {
            Ok(Some(lowered)) => lowered,
            Ok(None) => return self.call_outside(method, arguments, state),
            Err(reason) => {
                let text = self.method_text(method);
                self.stop(&state, StopKind::Unsupported, format!("{text}: {reason}"));
                return Outcome::default();
            }
        };
        let here = state.path.depth();
        if self.is_nested(method, here) {
            return self.call_nested(method, arguments, state);
        }
        if self.stack.len() as u32 >= self.budget.depth {
            self.stop(&state, StopKind::Budget, "calls go too deep to be followed");
            return Outcome::default();
        }
        self.stack.push((method, here));
        let (new, n_events) = (self.begin_building(method, &arguments), self.events.len());
        let outcome = self.run_or_forgive(method, &lowered, arguments, state);
        self.stack.pop();
        self.end_building(new, n_events, &outcome);
        outcome
    }

    /// Whether a method has called itself as often as it may. As with loops: a call of itself that no open
    /// condition led to only costs instructions.
    fn is_nested(&self, method: MethodId, here: u32) -> bool {
        let same = self.stack.iter().filter(|&&(other, _)| other == method);
        let mut depths: Vec<u32> = same.map(|&(_, depth)| depth).filter(|&d| d < here).collect();
        depths.dedup();
        depths.len() as u32 > self.budget.recursion
    }

    /// One call more of a method to itself.
    fn call_nested(&mut self, method: MethodId, arguments: Vec<Term>, state: State) -> Outcome {
        let is_constructor = self.program.method(method).1.name == self.program.known.init;
        if self.forgives.calls > 0 && !is_constructor {
            self.forgives.calls -= 1;
            return self.call_outside(method, arguments, state);
        }
        let text = self.method_text(method);
        self.unwound.calls.insert(method);
        let reason = format!("{text} calls itself more than {} times", self.budget.recursion);
        self.stop(&state, StopKind::Unwound, reason);
        Outcome::default()
    }

    /// What is taken at the library's word where that is allowed: what it gives is there, whatever it holds.
    fn run_trusted(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        if !self.trusts_library {
            return None;
        }
        if super::models::is_never_null(self.program, method) {
            let outcome = self.call_outside(method, arguments.to_vec(), state.clone());
            return Some(self.of_length_asked(method, arguments, outcome));
        }
        (super::models::is_copying(self.program, method) && self.space.is_fresh(arguments[0]))
            .then(|| self.construct_outside(method, arguments.to_vec(), state.clone()))
    }

    /// A constructor of the library that is not followed: what it leaves in final fields is not known either.
    pub(super) fn construct_outside(
        &mut self,
        method: MethodId,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        let object = self.space.number_of(arguments[0]);
        self.space.fresh[object as usize].kind = FreshKind::Implicit;
        self.call_outside(method, arguments, state)
    }

    /// Runs the code of a method; where that ends nowhere, it may be taken for a call to the outside.
    fn run_or_forgive(
        &mut self,
        method: MethodId,
        lowered: &std::rc::Rc<super::Lowered>,
        arguments: Vec<Term>,
        state: State,
    ) -> Outcome {
        // The final fields of a new object are its constructor's affair: nobody else writes them.
        let (class, declared) = self.program.method(method);
        let is_constructor = declared.name == self.program.known.init;
        let is_library = self.trusts_library && self.program.role(class.id) == Role::Platform;
        let is_forgiven = self.forgives.calls > 0
            && self.stack.len() > 1
            && (!is_constructor || is_library && self.space.is_fresh(arguments[0]));
        let before =
            is_forgiven.then(|| (state.clone(), self.instructions_left, self.forgives.calls));
        let (n_stops, most_terms) = (self.stops.len(), self.most_terms);
        if is_forgiven {
            self.most_terms = most_terms.min(self.space.terms.len() + self.forgives.terms);
        }
        let outcome = self.run_body(method, lowered, &arguments, state);
        self.most_terms = most_terms;
        let is_lost = |stop: &super::Stop| stop.kind != StopKind::Unwound;
        match before {
            Some((state, left, forgives)) if self.stops[n_stops..].iter().any(is_lost) => {
                // Calls within it need none of their own any more.
                self.forgives.calls = forgives - 1;
                if !is_constructor {
                    self.forgives.methods.insert(method);
                }
                self.stops.truncate(n_stops);
                self.instructions_left = left;
                if is_constructor {
                    return self.construct_outside(method, arguments, state);
                }
                self.call_outside(method, arguments, state)
            }
            Some(_) | None => outcome,
        }
    }
}
