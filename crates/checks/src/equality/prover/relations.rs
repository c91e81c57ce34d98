//! Rules proved from what other methods are known to be, instead of from their code.
//!
//! `equals` of a large class is a conjunction of comparisons of its parts by other methods: by `equals` of
//! the superclass and by static methods such as `equal(Object, Object)`. Followed all the way down, three
//! calls of it on classes with dozens of subclasses are too much. Here each such method is a relation R of
//! two objects, an unknown function of them and of the heap ([`symex::symbolic::Relations`]), of which laws
//! are known that were proved of its own code, for all objects: of its parameters' type, or, for a method
//! of objects, of any objects of its class, whatever subclass they are of. The laws:
//!
//! - function: it changes nothing, calls no code outside, and has no loop that would not be followed to its
//!   end; so what it answers, and whether it does, are functions of the objects and the heap;
//! - total: it always answers; symmetric, transitive, reflexive, the same `hashCode`: where all the calls
//!   concerned answer; yes only to objects of its class, or of the receiver's.
//!
//! Only a function counts as a relation. What else is said of R is said of calls of it in this question, in
//! one heap, if they answer. A method of which the needed laws are not proved is followed, as ever. The laws
//! of a method are proved in the same way; one that would need itself is not proved.

use std::collections::BTreeSet;

use program::{ClassId, MethodId, Role, Type};
use rustc_hash::FxHashMap;
use symex::symbolic::{Accepted, Budget, LoopPlan, Nature, Relations, State, Term, Trust, Use};

use super::{BUDGET, Claim, Property, Proved, Prover, of_all_turns, open};
use crate::verdict::{Gap, GapKind, Scope};

/// So many methods of which no laws are known are found out one after the other.
const MOST_ROUNDS: usize = 6;
/// Measured on six jars: of some 580 proofs with relations, none made more than 3,300 terms.
pub(super) const RELATED: Budget = Budget { terms: 7_000, ..BUDGET };
/// The solver's work for one law.
const MOST_WORK: u64 = 1_000_000;

/// What may be known of a method that relates two objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) enum Law {
    /// What it says depends on the objects and the heap alone, and it changes nothing.
    Function,
    Total,
    Reflexive,
    Symmetric,
    Transitive,
    /// It says yes to objects of its own class alone.
    OwnKind,
    /// It says yes to objects of the receiver's very class alone.
    SameClass,
    /// Where it says yes, this method gives both the same number.
    SameHash(MethodId),
}

/// Laws by method: what a proof rests on, or nothing where there is none.
pub(in super::super) type Laws =
    std::collections::BTreeMap<(MethodId, Law), Option<BTreeSet<String>>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Rule(Property),
    Law(MethodId, Law),
}

impl Asked {
    /// The law that relations must obey for this to follow from them.
    fn law(self) -> Option<Law> {
        match self {
            Asked::Rule(property) => match property {
                Property::Reflexive => Some(Law::Reflexive),
                Property::Symmetric => Some(Law::Symmetric),
                Property::Transitive => Some(Law::Transitive),
                Property::Total
                | Property::Null
                | Property::HashConsistent
                | Property::HashStable
                | Property::Overloaded
                | Property::CompareAntisymmetric
                | Property::CompareTransitive
                | Property::CompareTotal
                | Property::CompareConsistent => None,
            },
            Asked::Law(_, law) => match law {
                Law::Reflexive | Law::Symmetric | Law::Transitive => Some(law),
                Law::Function | Law::Total | Law::OwnKind | Law::SameClass | Law::SameHash(_) => {
                    None
                }
            },
        }
    }

    fn is_about_hash(self) -> bool {
        matches!(
            self,
            Asked::Rule(Property::HashConsistent | Property::HashStable)
                | Asked::Law(_, Law::SameHash(_))
        )
    }
}

/// The methods whose laws are being proved, each for the one before it.
#[derive(Default)]
struct Pending {
    methods: Vec<MethodId>,
    /// The first of them that another one came back to. Of all from there on nothing is proved, so that it
    /// does not matter at which of them one begins.
    circle: Option<usize>,
}

/// Whether a proof failed because there was too much to follow or to decide.
pub(super) fn is_too_much(gaps: &[Gap]) -> bool {
    gaps.iter().any(|gap| matches!(gap.kind, GapKind::Budget | GapKind::Solver))
}

impl Prover<'_, '_> {
    /// Proves a rule with relations in the place of the methods that it compares parts by.
    pub(super) fn prove_by_relations(
        &mut self,
        property: Property,
        before: &mut Vec<(Vec<MethodId>, bool)>,
    ) -> Proved<Scope> {
        let asked = Asked::Rule(property);
        if !matches!(property, Property::Total) && !asked.is_about_hash() && asked.law().is_none() {
            return open(GapKind::Unsupported, "relations say nothing of this rule");
        }
        let method = self.equals_method()?;
        let all = self.overridden(method);
        let mut last = open(GapKind::Budget, "no relations were found");
        let mut tried: Vec<Vec<MethodId>> = Vec::new();
        for own in [vec![], vec![method]] {
            let related: Vec<MethodId> =
                all.iter().copied().filter(|it| !own.contains(it)).collect();
            if tried.contains(&related) {
                continue;
            }
            let known = before.iter().find(|(methods, _)| *methods == related);
            let may_help = match known {
                Some(&(_, may_help)) => may_help,
                None => self.may_relate(&related),
            };
            if known.is_none() {
                before.push((related.clone(), may_help));
            }
            if may_help {
                last = self.prove_related(asked, &related, &mut Pending::default());
            }
            if last.is_ok() {
                return last;
            }
            tried.push(related);
        }
        last
    }

    /// The methods of related classes that others call as their superclass's.
    fn overridden(&self, method: MethodId) -> Vec<MethodId> {
        let mut declared: Vec<MethodId> = Vec::new();
        for id in self.relatives.iter().copied().chain([self.subject.class]) {
            let mut next = self.program.select_method(id, method).found();
            while let Some(found) = next.filter(|it| !declared.contains(it)) {
                if self.contract.is_objects(self.program, found)
                    || self.program.role(found.class) == Role::Platform
                {
                    break;
                }
                declared.push(found);
                next = self.above(found);
            }
        }
        let is_below = |one: ClassId, two: ClassId| {
            one != two && self.program.is_subtype(one, two) == Some(true)
        };
        let is_overridden = |it: &MethodId| declared.iter().any(|d| is_below(d.class, it.class));
        let mut found: Vec<MethodId> = declared.iter().copied().filter(is_overridden).collect();
        found.sort_unstable();
        found
    }

    /// What `super.m()` runs in a method m.
    fn above(&self, method: MethodId) -> Option<MethodId> {
        let (class, declared) = self.program.method(method);
        let superclass =
            self.program.superclass(class).filter(|_| !declared.access_flags.is_static())?;
        let above = self.program.select_method(superclass.id, method).found()?;
        let is_code = !self.program.method(above).1.access_flags.is_abstract();
        let is_ours = self.program.role(above.class) != Role::Platform;
        (is_code && is_ours).then_some(above)
    }

    /// One question, with these methods and static ones as relations.
    fn prove_related(
        &mut self,
        asked: Asked,
        equalities: &[MethodId],
        pending: &mut Pending,
    ) -> Proved<Scope> {
        self.is_of_law = matches!(asked, Asked::Law(..));
        let mut assumptions = BTreeSet::new();
        let mut relations =
            Relations { with_static: !asked.is_about_hash(), ..Relations::default() };
        for &method in equalities {
            self.relate(asked, method, &mut relations, pending, &mut assumptions);
        }
        if let Asked::Law(method, _) = asked {
            relations.followed.insert(method);
        }
        for _ in 0..MOST_ROUNDS {
            self.restart_with(LoopPlan::default(), RELATED);
            self.engine.relations = relations.clone();
            let claim = self.claim_asked(asked)?;
            self.give_up_if_lost()?;
            let is_of_any_call = matches!(asked, Asked::Law(_, Law::OwnKind));
            if !self.engine.changed.is_empty() && !is_of_any_call {
                return open(GapKind::Unsupported, "the calls change what existed before");
            }
            if self.is_of_law
                && !is_of_any_call
                && (self.engine.n_outside_calls() > 0 || !self.engine.unwound.loops.is_empty())
            {
                return open(GapKind::Unsupported, "it is no function of two objects");
            }
            let uses = self.engine.relations.uses.clone();
            if uses.is_empty() && !self.is_of_law {
                return open(GapKind::Budget, "no relations were found");
            }
            if self.learn(asked, &uses, &mut relations, pending, &mut assumptions) {
                continue;
            }
            for related in &uses {
                self.trust_arguments(&assumptions, related)?;
            }
            let facts = self.facts_of(asked, &uses)?;
            self.known.extend(facts);
            let settled = self.settle(&claim).and_then(of_all_turns);
            self.sketch = None;
            let mut scope = settled?;
            assumptions.extend(scope.assumptions);
            scope.assumptions = assumptions.into_iter().collect();
            return Ok(scope);
        }
        open(GapKind::Budget, "too many methods have to be followed")
    }

    /// Makes a relation of a method of objects, and of the hash code that goes with it, if the laws allow it.
    fn relate(
        &mut self,
        asked: Asked,
        method: MethodId,
        relations: &mut Relations,
        pending: &mut Pending,
        assumptions: &mut BTreeSet<String>,
    ) {
        let mut needed = vec![Law::Function];
        needed.extend(asked.law());
        let hash = self.program.class(method.class).filter(|_| asked.is_about_hash());
        let hash = hash.and_then(|class| self.contract.hash_code_of(self.program, class));
        let hash = hash.filter(|hash| hash.class == method.class);
        needed.extend(hash.map(Law::SameHash));
        for law in needed {
            match self.law(method, law, pending) {
                Some(more) => assumptions.extend(more),
                None => return,
            }
        }
        let mut accepted = Accepted::Anything;
        for (law, is) in [(Law::SameClass, Accepted::SameClass), (Law::OwnKind, Accepted::OwnKind)]
        {
            if let Some(more) = self.law(method, law, pending) {
                assumptions.extend(more);
                accepted = is;
                break;
            }
        }
        let is_total = self.is_total(method, pending, assumptions);
        relations.methods.insert(method, Nature { is_total, accepted });
        if let Some(hash) = hash {
            // That is part of its law.
            let nature = Nature { is_total: true, accepted: Accepted::Anything };
            relations.methods.insert(hash, nature);
        }
    }

    fn is_total(
        &mut self,
        method: MethodId,
        pending: &mut Pending,
        assumptions: &mut BTreeSet<String>,
    ) -> bool {
        let known = self.law(method, Law::Total, pending);
        let is_total = known.is_some();
        assumptions.extend(known.unwrap_or_default());
        is_total
    }

    /// Finds out what the static methods are that count as relations and of which nothing is known yet;
    /// whether there are such.
    fn learn(
        &mut self,
        asked: Asked,
        uses: &[Use],
        relations: &mut Relations,
        pending: &mut Pending,
        assumptions: &mut BTreeSet<String>,
    ) -> bool {
        let known = |relations: &Relations, method: &MethodId| {
            relations.methods.contains_key(method) || relations.followed.contains(method)
        };
        let is_known = uses.iter().all(|related| known(relations, &related.method));
        for related in uses {
            if known(relations, &related.method) {
                continue;
            }
            let needed = [Law::Function].into_iter().chain(asked.law());
            let laws: Option<Vec<BTreeSet<String>>> =
                needed.map(|law| self.law(related.method, law, pending)).collect();
            match laws {
                Some(laws) => {
                    assumptions.extend(laws.into_iter().flatten());
                    let is_total = self.is_total(related.method, pending, assumptions);
                    let nature = Nature { is_total, accepted: Accepted::Anything };
                    relations.methods.insert(related.method, nature);
                }
                None => {
                    relations.followed.insert(related.method);
                }
            }
        }
        !is_known
    }

    /// A law about parameters rests on the contracts of what is passed for them.
    fn trust_arguments(&mut self, assumptions: &BTreeSet<String>, related: &Use) -> Proved<()> {
        let is_static = self.program.method(related.method).1.access_flags.is_static();
        for assumption in assumptions {
            let Some((class, trust)) = Trust::of(assumption) else { continue };
            let Some(class) = self.program.find_class_text(&class.replace('.', "/")) else {
                continue;
            };
            for &argument in &related.arguments {
                if is_static && self.engine.is_asked(argument) {
                    let detail = "it asks the object that it is compared with";
                    return open(GapKind::Unsupported, detail);
                }
                self.engine.trust(trust, class, argument);
            }
        }
        Ok(())
    }

    fn claim_asked(&mut self, asked: Asked) -> Proved<Claim> {
        match asked {
            Asked::Rule(property) => {
                let claim = self.claim(property);
                self.mixed = None;
                claim
            }
            Asked::Law(method, law) => self.claim_of_law(method, law),
        }
    }

    /// Whether a law holds of a method, and what that rests on.
    fn law(
        &mut self,
        method: MethodId,
        law: Law,
        pending: &mut Pending,
    ) -> Option<BTreeSet<String>> {
        if let Some(known) = self.survey.laws.lock().ok()?.get(&(method, law)) {
            return known.clone();
        }
        if let Some(place) = pending.methods.iter().position(|&it| it == method) {
            pending.circle = Some(pending.circle.map_or(place, |first| first.min(place)));
            return None;
        }
        let place = pending.methods.len();
        pending.methods.push(method);
        let above: Vec<MethodId> = self.above(method).into_iter().collect();
        // Whoever asks, a law may take the same.
        let left = self.solver.grant(MOST_WORK);
        let mut prover = Prover::new(self.survey, self.subject, self.relatives, self.solver);
        let proved = prover.prove_related(Asked::Law(method, law), &above, pending);
        self.solver.grant(left);
        pending.methods.pop();
        // The same solver was asked about terms of another arena.
        self.solver.reset();
        let is_round = pending.circle.is_some_and(|first| first <= place);
        pending.circle = pending.circle.filter(|&first| first < place);
        let known = proved.ok().filter(|_| !is_round);
        let known = known.map(|scope| scope.assumptions.into_iter().collect());
        self.survey.laws.lock().ok()?.insert((method, law), known.clone());
        known
    }

    /// Of the methods that may run on some object, those that may say yes to one of the subject's class.
    pub(super) fn that_may_accept(&mut self, cases: &[(Term, MethodId)]) -> Vec<(Term, MethodId)> {
        let own = self.subject.class;
        let may_be_both = |program: &program::Program, class: ClassId| {
            program.is_subtype(own, class) != Some(false)
                || program.is_subtype(class, own) != Some(false)
                || program.class(class).is_none_or(|class| class.is_interface())
        };
        let mut found = Vec::with_capacity(cases.len());
        for &(condition, method) in cases {
            let law = match may_be_both(self.program, method.class) {
                true => None,
                false => self.law(method, Law::OwnKind, &mut Pending::default()),
            };
            match law {
                Some(assumptions) => self.engine.rest_on(assumptions),
                None => found.push((condition, method)),
            }
        }
        found
    }

    /// Objects that a law speaks of, and a state with them.
    fn objects_of_law(&mut self, method: MethodId, law: Law) -> Proved<([Term; 3], State)> {
        let is_static = self.program.method(method).1.access_flags.is_static();
        let kind = self.engine.related_types(method).filter(|_| is_static);
        let kind = kind.unwrap_or(Type::class(self.program.known.object));
        let objects = ["a", "b", "c"].map(|name| self.engine.input(name, kind));
        let mut state = self.engine.start();
        if !is_static {
            self.doubt(&objects);
            // Whoever asks, a law is the same.
            self.engine.doubts.kin = self.survey.index.world().subtypes(method.class);
        }
        // What the method is called on is of its class; the rest is only passed.
        let n_called = match law {
            _ if is_static => 0,
            Law::Symmetric | Law::Transitive | Law::SameHash(_) => 2,
            Law::Function | Law::Total | Law::Reflexive | Law::OwnKind | Law::SameClass => 1,
        };
        for &object in &objects[..n_called] {
            let is_own = self.is_a(object, method.class)?;
            self.engine.assume(&mut state, is_own);
        }
        if law == Law::OwnKind {
            let fits = self.is_a(objects[1], method.class)?;
            let other = self.engine.space.terms.not(fits);
            self.engine.assume(&mut state, other);
        }
        Ok((objects, state))
    }

    /// That a law is broken.
    fn claim_of_law(&mut self, method: MethodId, law: Law) -> Proved<Claim> {
        let ([a, b, c], state) = self.objects_of_law(method, law)?;
        self.engine.doubts.refuses_others = law == Law::Total;
        let other = if law == Law::Reflexive { a } else { b };
        let first = self.call(method, &[a, other], &state);
        let (yes, no) = (self.returns(&first, true), self.returns(&first, false));
        let broken = match law {
            Law::Function => self.engine.space.terms.bool(false),
            Law::Total => self.throws(&first),
            Law::Reflexive => no,
            Law::Symmetric => {
                let back = self.call(method, &[b, a], &state);
                let refused = self.returns(&back, false);
                self.engine.space.terms.and2(yes, refused)
            }
            Law::Transitive => {
                let second = self.call(method, &[b, c], &state);
                let third = self.call(method, &[a, c], &state);
                let also = self.returns(&second, true);
                let refused = self.returns(&third, false);
                self.engine.space.terms.and(&[yes, also, refused])
            }
            Law::OwnKind => yes,
            Law::SameClass => {
                let fits = self.is_a(b, method.class)?;
                let same = self.engine.is_same_class(a, b);
                let alike = self.engine.space.terms.and2(fits, same);
                let other = self.engine.space.terms.not(alike);
                self.engine.space.terms.and2(yes, other)
            }
            Law::SameHash(hash) => {
                let mine = self.call(hash, &[a], &state);
                let theirs = self.call(hash, &[b], &state);
                // Of any object there is a number.
                let fails = self.throws(&mine);
                let (mine_returns, mine) = self.returned(&mine);
                let (theirs_return, theirs) = self.returned(&theirs);
                let terms = &mut self.engine.space.terms;
                let differ = terms.ne(mine, theirs);
                let differ = terms.and(&[yes, mine_returns, theirs_return, differ]);
                terms.or2(differ, fails)
            }
        };
        let happens = self.engine.space.terms.or2(yes, no);
        Ok(Claim { broken, happens })
    }

    /// What the laws say of the relations that a question asked for.
    fn facts_of(&mut self, asked: Asked, uses: &[Use]) -> Proved<Vec<Term>> {
        let mut by_method: FxHashMap<(MethodId, Term), Vec<&Use>> = FxHashMap::default();
        let mut order = Vec::new();
        for related in uses {
            let key = (related.method, related.epoch);
            by_method
                .entry(key)
                .or_insert_with(|| {
                    order.push(key);
                    Vec::new()
                })
                .push(related);
        }
        let mut facts = Vec::new();
        for (method, epoch) in order {
            let alike = by_method[&(method, epoch)].clone();
            match asked.law() {
                Some(Law::Reflexive) => self.reflexive_facts(&alike, &mut facts)?,
                Some(Law::Symmetric) => self.symmetric_facts(&alike, &mut facts)?,
                Some(Law::Transitive) => self.transitive_facts(&alike, &mut facts)?,
                _ if asked.is_about_hash() => {
                    let class = self.program.class(method.class);
                    let hash = class.and_then(|it| self.contract.hash_code_of(self.program, it));
                    let hashes = hash.and_then(|hash| by_method.get(&(hash, epoch)).cloned());
                    let hashes = hashes.unwrap_or_default();
                    self.hash_facts(&alike, &hashes, &mut facts)?;
                }
                _ => {}
            }
        }
        Ok(facts)
    }

    /// That these objects are such as the laws of the method speak of as its receivers.
    fn are_receivers(&mut self, method: MethodId, objects: &[Term]) -> Proved<Term> {
        if self.program.method(method).1.access_flags.is_static() {
            return Ok(self.engine.space.terms.bool(true));
        }
        let mut all = Vec::new();
        for &object in objects {
            all.push(self.is_a(object, method.class)?);
        }
        Ok(self.engine.space.terms.and(&all))
    }

    fn reflexive_facts(&mut self, alike: &[&Use], facts: &mut Vec<Term>) -> Proved<()> {
        for related in alike {
            let &[one, two] = &related.arguments[..] else { continue };
            let fits = self.are_receivers(related.method, &[one])?;
            let terms = &mut self.engine.space.terms;
            let same = terms.eq(one, two);
            let when = terms.and(&[fits, same, related.answers]);
            facts.push(terms.implies(when, related.value));
        }
        Ok(())
    }

    fn symmetric_facts(&mut self, alike: &[&Use], facts: &mut Vec<Term>) -> Proved<()> {
        for (at, forth) in alike.iter().enumerate() {
            let &[one, two] = &forth.arguments[..] else { continue };
            let Some(back) = alike[at + 1..].iter().find(|it| it.arguments == [two, one]) else {
                continue;
            };
            let fits = self.are_receivers(forth.method, &[one, two])?;
            let terms = &mut self.engine.space.terms;
            let same = terms.iff(forth.value, back.value);
            let when = terms.and(&[fits, forth.answers, back.answers]);
            facts.push(terms.implies(when, same));
        }
        Ok(())
    }

    fn transitive_facts(&mut self, alike: &[&Use], facts: &mut Vec<Term>) -> Proved<()> {
        for first in alike {
            let &[one, two] = &first.arguments[..] else { continue };
            for second in alike.iter().filter(|it| it.arguments[0] == two) {
                let three = second.arguments[1];
                let third = alike.iter().find(|it| it.arguments == [one, three]);
                let Some(third) = third else { continue };
                let fits = self.are_receivers(first.method, &[one, two])?;
                let terms = &mut self.engine.space.terms;
                let answers = terms.and(&[first.answers, second.answers, third.answers]);
                let both = terms.and(&[fits, answers, first.value, second.value]);
                facts.push(terms.implies(both, third.value));
            }
        }
        Ok(())
    }

    fn hash_facts(&mut self, alike: &[&Use], hashes: &[&Use], facts: &mut Vec<Term>) -> Proved<()> {
        for related in alike {
            let &[one, two] = &related.arguments[..] else { continue };
            let number_of = |object| hashes.iter().find(|it| it.arguments == [object]);
            let (Some(mine), Some(theirs)) = (number_of(one), number_of(two)) else { continue };
            let fits = self.are_receivers(related.method, &[one, two])?;
            let terms = &mut self.engine.space.terms;
            let when = terms.and(&[fits, related.answers, related.value]);
            let same = terms.eq(mine.value, theirs.value);
            facts.push(terms.implies(when, same));
        }
        Ok(())
    }
}
