//! The rules of `compareTo` and `Comparator.compare`.

use program::{MethodDescriptor, MethodId, Type};
use symex::symbolic::{Outcome, State, Term};

use super::super::comparators::Provider;
use super::{Claim, Proved, Prover, open};
use crate::verdict::GapKind;
use crate::witness::supply::Want;

/// Whether null is among what is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    Compared,
    Left,
}

impl Prover<'_, '_> {
    /// The method that compares, its receiver if that is a comparator, and the type of what it takes.
    fn order(&self) -> Proved<(MethodId, bool, Type)> {
        let (method, is_comparator) = match (self.subject.compare_to, self.subject.compare) {
            (Some(method), _) => (method, false),
            (None, Some(method)) => (method, true),
            (None, None) => return open(GapKind::Unsupported, "nothing compares"),
        };
        let (_, declared) = self.program.method(method);
        let names = &self.program.names;
        let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor));
        let ty = descriptor.and_then(|descriptor| {
            let types = descriptor.parameter_types(names);
            let all_same = types.iter().all(|ty| Some(ty) == types.first());
            types.first().copied().filter(|_| all_same)
        });
        match ty {
            Some(ty) => Ok((method, is_comparator, ty)),
            None => open(GapKind::Unsupported, "it compares two different types"),
        }
    }

    /// Who makes the comparator, unless its code is at hand: a lambda that captures nothing is a static
    /// method.
    fn maker(&self) -> Option<Provider> {
        let (provider, method) = (self.subject.provider?, self.subject.compare?);
        let descriptor = self.program.names.bytes(self.program.method(method).1.descriptor);
        descriptor.starts_with(b"()").then_some(provider)
    }

    /// The comparator that somebody makes, and the state after that.
    fn made(&mut self, provider: Provider, state: State) -> Proved<(Term, State)> {
        let made = match provider {
            Provider::Field(field) => {
                self.engine.static_constant(field).map(|comparator| (comparator, state))
            }
            Provider::Method(method) => {
                let n_made = self.engine.n_made();
                let outcome = self.call(method, &[], &state);
                let made = outcome.returned.and_then(|(state, value)| Some((value?, state)));
                made.filter(|_| self.engine.is_made_fixed(n_made))
            }
        };
        match made {
            Some(made) => Ok(made),
            None => open(GapKind::Unsupported, "what the comparator is made of is not known"),
        }
    }

    /// Calls a comparator that somebody makes.
    fn compared_by_made(
        &mut self,
        provider: Provider,
        names: &[&str],
        pairs: &[(usize, usize)],
        nulls: Nulls,
    ) -> Proved<Vec<Outcome>> {
        let Some(Want::Class { name, .. }) = provider.compared(self.program) else {
            return open(GapKind::Unsupported, "what is compared is not known");
        };
        let Some(method) = self.contract.comparator_method(self.program) else {
            return open(GapKind::Unsupported, "Comparator is missing from the class path");
        };
        let ty = Type::class(name);
        let objects: Vec<Term> = names.iter().map(|name| self.engine.input(name, ty)).collect();
        let state = self.start(if nulls == Nulls::Compared { &[] } else { &objects });
        let (comparator, mut state) = self.made(provider, state)?;
        let is_null = self.engine.is_null(comparator);
        let not_null = self.engine.space.terms.not(is_null);
        self.engine.assume(&mut state, not_null);
        let mut outcomes = Vec::new();
        for &(one, two) in pairs {
            let arguments = vec![comparator, objects[one], objects[two]];
            let outcome = self.engine.call_virtual(method, arguments, state.clone());
            state = self.after(&state, &outcome);
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    /// Calls the order on pairs of objects of the compared type, one after the other. What a comparator
    /// says of null is part of its order too, unless it throws.
    fn compared(
        &mut self,
        names: &[&str],
        pairs: &[(usize, usize)],
        nulls: Nulls,
    ) -> Proved<Vec<Outcome>> {
        if let Some(provider) = self.maker() {
            return self.compared_by_made(provider, names, pairs, nulls);
        }
        let (method, is_comparator, declared) = self.order()?;
        // A raw `Comparable` is compared with objects of its own class.
        let is_raw = !is_comparator && declared == Type::class(self.program.known.object);
        let ty = if is_raw { self.class_type(self.subject.class) } else { declared };
        let objects: Vec<Term> = names.iter().map(|name| self.engine.input(name, ty)).collect();
        let takes_null = is_comparator && nulls == Nulls::Compared;
        let mut state = self.start(if takes_null { &[] } else { &objects });
        if self.subject.provider.is_some() {
            // Of a lambda that captures nothing the code is at hand: a static method.
            let calls = pairs.iter().map(|&(one, two)| vec![objects[one], objects[two]]);
            return Ok(self.in_turn_called(method, calls, state));
        }
        if is_comparator {
            let comparator = self.object("comparator");
            let is_null = self.engine.is_null(comparator);
            let not_null = self.engine.space.terms.not(is_null);
            let is_own = self.is_a(comparator, self.subject.class)?;
            let own = self.subject_objects(comparator, method)?;
            for condition in [not_null, is_own, own] {
                self.engine.assume(&mut state, condition);
            }
            let calls =
                pairs.iter().map(|&(one, two)| vec![comparator, objects[one], objects[two]]);
            return Ok(self.in_turn_called(method, calls, state));
        }
        if ty != self.class_type(self.subject.class) {
            return open(GapKind::Unsupported, "it compares objects of another type");
        }
        self.compared_by_own(method, &objects, pairs, state)
    }

    /// Calls `compareTo` on the objects themselves. On the first it is the subject's; the others may be of
    /// classes below that compare in their own way.
    fn compared_by_own(
        &mut self,
        method: MethodId,
        objects: &[Term],
        pairs: &[(usize, usize)],
        mut state: State,
    ) -> Proved<Vec<Outcome>> {
        self.doubt(objects);
        let own = self.subject_objects(objects[0], method)?;
        self.engine.assume(&mut state, own);
        let mut outcomes = Vec::new();
        for &(one, two) in pairs {
            let arguments = [objects[one], objects[two]];
            let outcome = if one == 0 {
                self.call(method, &arguments, &state)
            } else {
                let cases = self.cases(objects[one], method)?;
                self.engine.call_cases(&cases, &arguments, &state)
            };
            state = self.after(&state, &outcome);
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    fn in_turn_called(
        &mut self,
        method: MethodId,
        calls: impl Iterator<Item = Vec<Term>>,
        mut state: State,
    ) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for arguments in calls {
            let outcome = self.call(method, &arguments, &state);
            state = self.after(&state, &outcome);
            outcomes.push(outcome);
        }
        outcomes
    }

    /// The sign of an int, as -1, 0 or 1.
    fn sign(&mut self, value: Term) -> Term {
        let terms = &mut self.engine.space.terms;
        let (zero, one, minus) = (terms.int(0), terms.int(1), terms.int(-1));
        let (negative, positive) = (terms.slt(value, zero), terms.slt(zero, value));
        let rest = terms.ite(positive, one, zero);
        terms.ite(negative, minus, rest)
    }

    pub(super) fn antisymmetric(&mut self) -> Proved<Claim> {
        let outcomes = self.compared(&["x", "y"], &[(0, 1), (1, 0)], Nulls::Compared)?;
        let (forth_returns, forth) = self.returned(&outcomes[0]);
        let (back_returns, back) = self.returned(&outcomes[1]);
        let (forth, back) = (self.sign(forth), self.sign(back));
        let terms = &mut self.engine.space.terms;
        let opposite = terms.neg(back);
        let wrong = terms.ne(forth, opposite);
        let broken = terms.and(&[forth_returns, back_returns, wrong]);
        Ok(Claim { broken, happens: forth_returns })
    }

    pub(super) fn order_transitive(&mut self) -> Proved<Claim> {
        let outcomes =
            self.compared(&["x", "y", "z"], &[(0, 1), (1, 2), (0, 2)], Nulls::Compared)?;
        let mut returns = Vec::new();
        let mut signs = Vec::new();
        for outcome in &outcomes {
            let (guard, value) = self.returned(outcome);
            returns.push(guard);
            signs.push(self.sign(value));
        }
        let &[xy, yz, xz] = &signs[..] else {
            return open(GapKind::Internal, "three comparisons were expected");
        };
        let terms = &mut self.engine.space.terms;
        let zero = terms.int(0);
        let (same, not_xy) = (terms.eq(xy, yz), terms.ne(xz, xy));
        let (first_equal, not_yz) = (terms.eq(xy, zero), terms.ne(xz, yz));
        let second_equal = terms.eq(yz, zero);
        let cases = [
            terms.and2(same, not_xy),
            terms.and2(first_equal, not_yz),
            terms.and2(second_equal, not_xy),
        ];
        let wrong = terms.or(&cases);
        let all = terms.and(&returns);
        let broken = terms.and2(all, wrong);
        Ok(Claim { broken, happens: all })
    }

    pub(super) fn order_throwing(&mut self) -> Proved<Claim> {
        // A comparator of comparables takes any two of them.
        self.engine.doubts.refuses_others = self.subject.compare_to.is_none();
        let outcomes = self.compared(&["x", "y"], &[(0, 1)], Nulls::Left)?;
        let broken = self.throws(&outcomes[0]);
        let (happens, _) = self.returned(&outcomes[0]);
        Ok(Claim { broken, happens })
    }

    pub(super) fn order_consistent(&mut self) -> Proved<Claim> {
        let (method, _, _) = self.order()?;
        let equals = self.equals_method()?;
        let ordered = self.compared(&["x", "y"], &[(0, 1)], Nulls::Left)?.remove(0);
        let ty = self.class_type(self.subject.class);
        let (x, y) = (self.engine.input("x", ty), self.engine.input("y", ty));
        let state = self.start(&[x, y]);
        let cases = self.cases(x, equals)?;
        if cases.is_empty() {
            return open(GapKind::Unsupported, "equals is that of Object");
        }
        let compared = self.engine.call_cases(&cases, &[x, y], &state);
        let mut broken = vec![self.disagree(&ordered, &compared)];
        if !self.engine.changed.is_empty() {
            // Calls that change something may disagree only one after the other.
            let then = self.after(&state, &ordered);
            let compared_then = self.engine.call_cases(&cases, &[x, y], &then);
            broken.push(self.disagree(&ordered, &compared_then));
            let own = self.subject_objects(x, method)?;
            let mut then = self.after(&state, &compared);
            self.engine.assume(&mut then, own);
            let ordered_then = self.call(method, &[x, y], &then);
            broken.push(self.disagree(&ordered_then, &compared));
        }
        let (returns, _) = self.returned(&ordered);
        let equal = self.returns(&compared, true);
        let terms = &mut self.engine.space.terms;
        Ok(Claim { broken: terms.or(&broken), happens: terms.and2(returns, equal) })
    }

    /// That the order of two objects says something else than `equals` of them.
    fn disagree(&mut self, ordered: &Outcome, compared: &Outcome) -> Term {
        let (returns, order) = self.returned(ordered);
        let (equal, unequal) = (self.returns(compared, true), self.returns(compared, false));
        let terms = &mut self.engine.space.terms;
        let zero = terms.int(0);
        let level = terms.eq(order, zero);
        let not_level = terms.not(level);
        let (one, two) = (terms.and2(level, unequal), terms.and2(not_level, equal));
        let wrong = terms.or2(one, two);
        terms.and2(returns, wrong)
    }
}
