//! The rules of `equals` and `hashCode`.

use program::{FieldId, MethodId, Type};
use rustc_hash::FxHashMap;
use symex::symbolic::{State, Term};

use super::super::hierarchy::is_plain;
use super::super::pool::promising;
use super::{Claim, Proved, Prover, open};
use crate::verdict::GapKind;

impl Prover<'_, '_> {
    /// An object of any type, whose own contract is in question.
    pub(super) fn object(&mut self, name: &str) -> Term {
        let ty = Type::class(self.program.known.object);
        let object = self.engine.input(name, ty);
        self.doubt(&[object]);
        object
    }

    /// From now on these objects do not give their word for themselves: their code speaks for them.
    pub(super) fn doubt(&mut self, objects: &[Term]) {
        let doubts = &mut self.engine.doubts;
        doubts.asked.extend_from_slice(objects);
        doubts.kin = self.relatives.iter().copied().chain([self.subject.class]).collect();
    }

    pub(super) fn reflexive(&mut self) -> Proved<Claim> {
        let method = self.equals_method()?;
        let (x, state) = self.receiver(method, &[])?;
        let outcome = self.call(method, &[x, x], &state);
        let (broken, happens) = (self.returns(&outcome, false), self.returns(&outcome, true));
        Ok(Claim { broken, happens })
    }

    pub(super) fn equal_to_null(&mut self) -> Proved<Claim> {
        let method = self.equals_method()?;
        let (x, state) = self.receiver(method, &[])?;
        let null = self.engine.space.null();
        let outcome = self.call(method, &[x, null], &state);
        let (broken, happens) = (self.returns(&outcome, true), self.returns(&outcome, false));
        Ok(Claim { broken, happens })
    }

    pub(super) fn throwing(&mut self) -> Proved<Claim> {
        let method = self.equals_method()?;
        let (x, state) = self.receiver(method, &[])?;
        let y = self.object("y");
        // Whoever has a comparable of one kind may meet one who has another: `equals` takes any object.
        self.engine.doubts.refuses_others = true;
        let outcome = self.call(method, &[x, y], &state);
        let (happens, _) = self.returned(&outcome);
        self.give_up_at_first(happens)?;
        let broken = self.throws(&outcome);
        Ok(Claim { broken, happens })
    }

    pub(super) fn symmetric(&mut self) -> Proved<Claim> {
        let method = self.equals_method()?;
        let y = self.object("y");
        let (x, state) = self.receiver(method, &[y])?;
        let state = self.apart(&state, &[(x, y)]);
        let forth = self.call(method, &[x, y], &state);
        let (equal, refused) = (self.returns(&forth, true), self.returns(&forth, false));
        if !is_plain(self.program, self.contract, method) {
            let same = self.engine.is_same_class(x, y);
            let other = self.engine.space.terms.not(same);
            self.mixed = Some(self.engine.space.terms.and2(equal, other));
        }
        let happens = self.engine.space.terms.or2(equal, refused);
        self.give_up_at_first(happens)?;
        let cases = self.cases(y, method)?;
        let state = self.after(&state, &forth);
        let is_equal = self.given(&state, equal);
        let back = self.engine.call_cases(&cases, &[y, x], &is_equal);
        let unequal = self.returns(&back, false);
        let unknown = self.foreign_equals([y, x], false, &cases, &is_equal)?;
        let one_way = self.engine.space.terms.or2(unequal, unknown);
        let is_refused = self.given(&state, refused);
        let accepting = self.that_may_accept(&cases);
        let back = self.engine.call_cases(&accepting, &[y, x], &is_refused);
        let other_way = self.returns(&back, true);
        let promised = self.promised([y, x], &cases, &is_refused)?;
        let broken = self.engine.space.terms.or(&[one_way, other_way, promised]);
        self.engine.assumptions.insert(
            "no class outside of its hierarchy takes itself for equal to its objects".to_owned(),
        );
        Ok(Claim { broken, happens })
    }

    /// That an object of no known class says yes because it has to: the subject implements an interface
    /// that says what equality means, as others do elsewhere.
    fn promised(
        &mut self,
        [object, other]: [Term; 2],
        cases: &[(Term, MethodId)],
        state: &State,
    ) -> Proved<Term> {
        let mut kinds = Vec::new();
        for id in promising(self.program, self.subject.class) {
            kinds.push(self.is_a(object, id)?);
        }
        let is_of_kind = self.engine.space.terms.or(&kinds);
        let yes = self.foreign_equals([object, other], true, cases, state)?;
        Ok(self.engine.space.terms.and2(is_of_kind, yes))
    }

    /// The state in which these are different objects. Where they are one, the rule asks twice for the
    /// same answer.
    fn apart(&mut self, state: &State, pairs: &[(Term, Term)]) -> State {
        let mut state = state.clone();
        for &(one, two) in pairs {
            let different = self.engine.space.terms.ne(one, two);
            self.engine.assume(&mut state, different);
        }
        state
    }

    /// The state in which a condition holds too: what it says of runtime types decides which methods
    /// run.
    pub(super) fn given(&mut self, state: &State, condition: Term) -> State {
        let mut state = state.clone();
        self.engine.assume(&mut state, condition);
        state
    }

    pub(super) fn transitive(&mut self) -> Proved<Claim> {
        let method = self.equals_method()?;
        let (y, z) = (self.object("y"), self.object("z"));
        let (x, state) = self.receiver(method, &[y, z])?;
        let state = self.apart(&state, &[(x, y), (y, z)]);
        let first = self.call(method, &[x, y], &state);
        let (happens, _) = self.returned(&first);
        self.give_up_at_first(happens)?;
        let one = self.returns(&first, true);
        let state = self.after(&state, &first);
        let is_equal = self.given(&state, one);
        let cases = self.cases(y, method)?;
        let second = self.engine.call_cases(&cases, &[y, z], &is_equal);
        let unknown = self.foreign_equals([y, z], true, &cases, &is_equal)?;
        let two = self.returns(&second, true);
        let two = self.engine.space.terms.or2(two, unknown);
        let is_equal = self.after(&is_equal, &second);
        let are_equal = self.given(&is_equal, two);
        let third = self.call(method, &[x, z], &are_equal);
        let broken = self.returns(&third, false);
        Ok(Claim { broken, happens })
    }

    fn hash_method(&self) -> Proved<MethodId> {
        let class = self.program.class(self.subject.class);
        let method = class.and_then(|class| self.contract.hash_code_of(self.program, class));
        match method {
            Some(method) => Ok(method),
            None => open(GapKind::Unsupported, "hashCode cannot be found"),
        }
    }

    /// Also of `hash-stable`: a hash that changed while what is compared did not would give two equal
    /// objects with different hashes.
    pub(super) fn hash_consistent(&mut self) -> Proved<Claim> {
        let (equals, hash) = (self.equals_method()?, self.hash_method()?);
        let y = self.object("y");
        let (x, state) = self.receiver(equals, &[y])?;
        let start = state.clone();
        let state = self.apart(&state, &[(x, y)]);
        let compared = self.call(equals, &[x, y], &state);
        let (happens, _) = self.returned(&compared);
        self.give_up_at_first(happens)?;
        let equal = self.returns(&compared, true);
        // An `equals` that changes something may make the hash codes what they were not before.
        let differed = match self.engine.changed.is_empty() {
            true => self.engine.space.terms.bool(false),
            false => self.hashes_differ(x, y, hash, &state)?,
        };
        let state = self.after(&state, &compared);
        let state = self.given(&state, equal);
        let cases = self.cases(x, hash)?;
        let mine = self.engine.call_cases(&cases, &[x], &state);
        let state = self.after(&state, &mine);
        let cases = self.cases(y, hash)?;
        let theirs = self.engine.call_cases(&cases, &[y], &state);
        let (mine_returns, mine) = self.returned(&mine);
        let unknown = self.foreign_hash(y, (mine_returns, mine), &cases, &state)?;
        let (theirs_return, theirs) = self.returned(&theirs);
        let differs = self.engine.space.terms.ne(mine, theirs);
        let known = self.engine.space.terms.and(&[mine_returns, theirs_return, differs]);
        let differ = self.engine.space.terms.or(&[known, unknown, differed]);
        let different = self.engine.space.terms.ne(x, y);
        let apart = self.engine.space.terms.and2(equal, different);
        let mut broken = self.engine.space.terms.and(&[equal, differ, different]);
        if self.engine.space.terms.is_false(apart) {
            // It equals only itself: what is left of the rule is that it says the same twice.
            broken = self.hash_differs_from_itself(x, hash, &start)?;
        } else if !self.engine.changed.is_empty() {
            // Two objects may change in step.
            let changes = self.hash_differs_from_itself(x, hash, &start)?;
            broken = self.engine.space.terms.or2(broken, changes);
        }
        Ok(Claim { broken, happens })
    }

    /// Whether two objects have different hash codes in this state.
    fn hashes_differ(&mut self, x: Term, y: Term, hash: MethodId, state: &State) -> Proved<Term> {
        let mine = self.cases(x, hash)?;
        let mine = self.engine.call_cases(&mine, &[x], state);
        let state = self.after(state, &mine);
        let theirs = self.cases(y, hash)?;
        let theirs = self.engine.call_cases(&theirs, &[y], &state);
        let (mine_returns, mine) = self.returned(&mine);
        let (theirs_return, theirs) = self.returned(&theirs);
        let differ = self.engine.space.terms.ne(mine, theirs);
        Ok(self.engine.space.terms.and(&[mine_returns, theirs_return, differ]))
    }

    fn hash_differs_from_itself(&mut self, x: Term, hash: MethodId, state: &State) -> Proved<Term> {
        let cases = self.cases(x, hash)?;
        let first = self.engine.call_cases(&cases, &[x], state);
        let state = self.after(state, &first);
        let second = self.engine.call_cases(&cases, &[x], &state);
        let (first_returns, first) = self.returned(&first);
        let (second_returns, second) = self.returned(&second);
        let differ = self.engine.space.terms.ne(first, second);
        Ok(self.engine.space.terms.and(&[first_returns, second_returns, differ]))
    }

    pub(super) fn stable(&mut self) -> Proved<()> {
        let (equals, hash) = (self.equals_method()?, self.hash_method()?);
        let y = self.object("y");
        let (x, state) = self.receiver(equals, &[y])?;
        let state = self.apart(&state, &[(x, y)]);
        let equal = self.call(equals, &[x, y], &state);
        let equal = self.returns(&equal, true);
        let may_equal_others = self.is_possible(equal)?;
        let cases = self.cases(x, hash)?;
        let mine = self.engine.call_cases(&cases, &[x], &state);
        let (_, mine) = self.returned(&mine);
        // Where only the object itself is ever equal to it, no two objects show what happens in time.
        if !may_equal_others {
            return self.never_changes(mine, x);
        }
        let Some(through) = self.engine.foreign_reads(mine, x) else {
            return open(GapKind::Unsupported, "the hash depends on more than objects hold");
        };
        let keys = [self.engine.key(x), self.engine.key(y)];
        let there = FxHashMap::from_iter([(keys[0], keys[1])]);
        for mine in through {
            let mut memo = FxHashMap::default();
            let theirs = self.engine.space.terms.substitute(mine, &there, &mut memo);
            let different = self.engine.space.terms.ne(mine, theirs);
            let (one_null, two_null) = (self.engine.is_null(mine), self.engine.is_null(theirs));
            let terms = &mut self.engine.space.terms;
            let (one, two) = (terms.not(one_null), terms.not(two_null));
            let apart = terms.and(&[equal, different, one, two]);
            if !self.is_possible(apart)? {
                return open(
                    GapKind::Approximation,
                    "the hash reads what another object holds, and equals asks only which object",
                );
            }
        }
        Ok(())
    }

    /// Whether a number of an object is the same for good: it comes of nothing but final fields.
    fn never_changes(&mut self, value: Term, object: Term) -> Proved<()> {
        let is_final = |field: FieldId| self.program.field(field).1.access_flags.is_final();
        let reads = self.engine.field_reads(&[value]);
        let is_fixed = reads.iter().all(|read| is_final(read.field))
            && self.engine.stops.is_empty()
            && self.engine.changed.is_empty()
            && self.engine.n_outside_calls() == 0
            && self.engine.foreign_reads(value, object).is_some_and(|through| through.is_empty());
        if is_fixed {
            return Ok(());
        }
        open(GapKind::Approximation, "no objects were found of which the rule speaks")
    }
}
