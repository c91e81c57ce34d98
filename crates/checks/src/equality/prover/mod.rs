//! Proofs for all states of the fields: the methods run once on symbolic objects, and the rule becomes
//! one question to the solver.
//!
//! Objects are any objects of their types: every value of every field, shared or not, equal or not. A
//! property that holds of them holds of all objects that a program can build. Runtime types are
//! symbolic too: the object that is compared with may be of the class itself, of a class below, above
//! or beside it, or of one that nobody has seen, whose `equals` then may answer anything.
//!
//! Objects in fields keep their own contracts; the scope of the proof says so. All calls of one
//! question start from the same state, because the contract speaks of objects that do not change.

mod entries;
mod equality;
mod flags;
mod looks;
mod loops;
mod lost;
mod model;
mod nesting;
mod order;
mod relations;
mod rests;
mod strangers;

use program::{ClassId, MethodId, Program, Type};
use rustc_hash::FxHashMap;
use smt::{Answer, Assignment, Effort, Solver};
use symex::symbolic::{Budget, Engine, LoopPlan, Options, Outcome, State, StopKind, Term};

use self::flags::Flag;
pub(super) use self::relations::Laws;
pub(super) use self::strangers::{Openness, Strangers, kinds};
use super::contract::Contract;
use super::invariants::{assumed, invariants};
use super::property::Property;
use super::sketch::Sketch;
use super::subjects::Subject;
use super::survey::Survey;
use crate::verdict::{Gap, GapKind, Scope};

/// With more overriding classes than this the question is given up.
const MOST_CLASSES: usize = 200;

/// Larger questions are not put to the solver.
const MOST_NODES: usize = 8_000;

/// Measured on three jars: of some 800 questions, none that made more than 5,000 terms was proved.
const BUDGET: Budget =
    Budget { instructions: 20_000, terms: 16_000, depth: 24, unroll: 4, recursion: 2 };

fn engine<'p>(survey: &'p Survey<'p>, loops: LoopPlan, budget: Budget) -> Engine<'p> {
    let mut engine = Engine::new(survey.program, budget, Options { assume_contracts: true });
    engine.world = Some(survey.index.world());
    engine.loops = loops;
    engine
}

/// What the questions of a class so far found out about the next ones.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// Why one call of `equals` cannot be followed: then nor can all that begins with such a call.
    too_much: Option<Vec<Gap>>,
    /// Whether that is so with these methods as relations too.
    related: Vec<(Vec<MethodId>, bool)>,
}

/// The scope of a proof, or what stands in its way; in that case perhaps what objects that break the rule
/// would look like. `is_seen` says that objects were built, and that the calls on them could be followed.
pub(super) fn prove_all_states(
    survey: &Survey<'_>,
    subject: &Subject,
    relatives: &[ClassId],
    property: Property,
    solver: &mut Solver,
    (is_seen, before, sketch): (bool, &mut Before, &mut Option<Sketch>),
) -> Result<Scope, Vec<Gap>> {
    let mut prover = Prover::new(survey, subject, relatives, solver);
    prover.is_seen = is_seen;
    let begins_with_equals = matches!(
        property,
        Property::Symmetric | Property::Transitive | Property::Total | Property::HashConsistent
    );
    let proved = match before.too_much.clone().filter(|_| begins_with_equals) {
        Some(gaps) => Err(gaps),
        None => prover.prove(property),
    };
    if let Err(gaps) = &proved
        && prover.is_lost_at_first
    {
        before.too_much = Some(gaps.clone());
    }
    *sketch = prover.sketch.take();
    let proved = match proved {
        Err(gaps) if relations::is_too_much(&gaps) => {
            prover.prove_by_relations(property, &mut before.related).or(Err(gaps))
        }
        proved => proved,
    };
    match property {
        Property::Total | Property::CompareTotal => {
            proved.map(|scope| nesting::name_nesting(survey.program, subject.class, scope))
        }
        _ => proved,
    }
}

/// Given that equal objects have equal hashes, whether the hash of an object also stays what it is
/// while what `equals` compares does not change. What another object holds may change in time: where
/// `equals` asks only whether it is the same object, no two objects of one moment show that.
pub(super) fn prove_stable(
    survey: &Survey<'_>,
    subject: &Subject,
    relatives: &[ClassId],
    solver: &mut Solver,
) -> Result<(), Vec<Gap>> {
    Prover::new(survey, subject, relatives, solver).stable()
}

struct Prover<'p, 's> {
    engine: Engine<'p>,
    survey: &'p Survey<'p>,
    program: &'p Program,
    contract: &'p Contract,
    subject: &'s Subject,
    relatives: &'s [ClassId],
    solver: &'s mut Solver,
    /// What is known beside the facts of the engine: of loops, and invariants of classes.
    known: Vec<Term>,
    /// What questions are worth. Little where loops are about to be cut: their first turns tell little.
    effort: Effort,
    /// Turns of loops, told in fewer bits.
    short: FxHashMap<Term, Term>,
    /// What became of terms by that.
    shortened: FxHashMap<Term, Term>,
    /// What loops change once and for good.
    flags: Vec<Flag>,
    /// There are objects of which the rule speaks.
    is_seen: bool,
    /// The question is about a law of a method, not about a rule of the subject.
    is_of_law: bool,
    /// The first call of the question is too much already.
    is_lost_at_first: bool,
    /// Calls changed what existed before, and code outside may have read or changed it too.
    is_disturbed: bool,
    /// Objects that would break the rule.
    sketch: Option<Sketch>,
    /// When objects of different classes are equal, where the code does not say it plainly.
    mixed: Option<Term>,
}

/// The condition that breaks a rule, and one that must be possible lest the proof say nothing.
struct Claim {
    broken: Term,
    happens: Term,
}

type Proved<T> = Result<T, Vec<Gap>>;

/// A few turns prove nothing of many.
fn of_all_turns(scope: Scope) -> Proved<Scope> {
    match scope.bound {
        None => Ok(scope),
        Some(turns) => open(
            GapKind::Budget,
            format!(
                "it holds while loops turn, and calls nest, at most {turns} times; longer runs were not \
                 proved"
            ),
        ),
    }
}

/// Why values of the fields that break a rule are no violation: nobody knows whether they can be.
fn not_excluded(values: Option<String>) -> String {
    let values = values.unwrap_or_else(|| "some values of the fields".to_owned());
    format!(
        "{values} would break it; no calls were found that make such objects, but that there are none \
         was not proved"
    )
}

fn open<T>(kind: GapKind, detail: impl Into<String>) -> Proved<T> {
    Err(vec![Gap::new(kind, detail)])
}

impl<'p, 's> Prover<'p, 's> {
    fn new(
        survey: &'p Survey<'p>,
        subject: &'s Subject,
        relatives: &'s [ClassId],
        solver: &'s mut Solver,
    ) -> Prover<'p, 's> {
        let (program, contract) = (survey.program, &survey.contract);
        let engine = engine(survey, LoopPlan::default(), BUDGET);
        solver.reset();
        Prover {
            engine,
            survey,
            program,
            contract,
            subject,
            relatives,
            solver,
            known: Vec::new(),
            effort: Effort::Long,
            short: FxHashMap::default(),
            shortened: FxHashMap::default(),
            flags: Vec::new(),
            is_seen: false,
            is_of_law: false,
            is_lost_at_first: false,
            is_disturbed: false,
            sketch: None,
            mixed: None,
        }
    }

    /// Forgets everything, for a run with loops cut.
    fn restart(&mut self, loops: LoopPlan) {
        self.restart_with(loops, BUDGET);
    }

    fn restart_with(&mut self, loops: LoopPlan, budget: Budget) {
        self.engine = engine(self.survey, loops, budget);
        self.solver.reset();
        self.known.clear();
        self.short.clear();
        self.shortened.clear();
        self.flags.clear();
        self.is_disturbed = false;
        self.effort = Effort::Integers;
    }

    fn prove(&mut self, property: Property) -> Proved<Scope> {
        let claim = self.claim(property);
        if !self.engine.unwound.loops.is_empty() {
            self.effort = Effort::Usual;
        }
        if let Some(mixed) = self.mixed.take()
            && let Ok(may_mix) = self.is_possible(mixed)
        {
            self.survey.note_mixing(self.subject.class, may_mix);
        }
        let claim = claim?;
        let has_long_loops = !self.engine.unwound.loops.is_empty();
        if has_long_loops {
            self.effort = Effort::Alone;
        }
        let unrolled = self.settle(&claim);
        let is_done = unrolled.as_ref().is_ok_and(|scope| scope.bound.is_none());
        // What has a bound without loops has it from calls that nest.
        if is_done || !has_long_loops {
            return unrolled.and_then(of_all_turns);
        }
        if self.is_cut_short() && !matches!(self.is_possible(claim.happens), Ok(true)) {
            return unrolled.and_then(of_all_turns);
        }
        let few_turns = self.set_aside();
        let of_all = self.prove_all_turns(property, &few_turns);
        self.take_up(few_turns);
        // Where loops are cut, more seems possible than is.
        if let Ok(scope) = of_all
            && (unrolled.is_ok() || matches!(self.happens(&claim), Ok(true)))
        {
            return Ok(scope);
        }
        // All that can come of a few turns is an example.
        self.effort = Effort::Example;
        self.settle(&claim).and_then(of_all_turns)
    }

    fn claim(&mut self, property: Property) -> Proved<Claim> {
        let claim = self.claim_of(property)?;
        if self.is_disturbed {
            let changed: Vec<&str> = self.engine.changed.iter().map(String::as_str).collect();
            let detail =
                format!("the calls may see what they change themselves: {}", changed.join(", "));
            return open(GapKind::Unsupported, detail);
        }
        Ok(claim)
    }

    fn claim_of(&mut self, property: Property) -> Proved<Claim> {
        match property {
            Property::Reflexive => self.reflexive(),
            Property::Null => self.equal_to_null(),
            Property::Total => self.throwing(),
            Property::Symmetric => self.symmetric(),
            Property::Transitive => self.transitive(),
            Property::HashConsistent | Property::HashStable => self.hash_consistent(),
            Property::CompareAntisymmetric => self.antisymmetric(),
            Property::CompareTransitive => self.order_transitive(),
            Property::CompareTotal => self.order_throwing(),
            Property::CompareConsistent => self.order_consistent(),
            Property::Overloaded => {
                open(GapKind::Unsupported, "whether an overload agrees is not proved")
            }
        }
    }

    /// Asks the solver.
    fn settle(&mut self, claim: &Claim) -> Proved<Scope> {
        let lost = self.lost();
        match self.is_lost(lost) {
            Ok(None) => {}
            Ok(Some(example)) if self.is_cut_short() || self.refute_within(lost).is_err() => {
                return self.stopped_by(Some(&example));
            }
            Ok(Some(_)) => {}
            Err(_) if self.is_cut_short() => return self.stopped_by(None),
            Err(gaps) => return Err(gaps),
        }
        self.refute(claim.broken)?;
        let unwound = self.engine.stopped(0, |kind| kind == StopKind::Unwound);
        let bound = if self.is_possible(unwound)? { Some(BUDGET.unroll) } else { None };
        // Examples are found soon or not at all.
        self.effort = Effort::Usual;
        if !self.happens(claim)? {
            return open(GapKind::Approximation, "no objects were found of which the rule speaks");
        }
        Ok(self.scope(bound))
    }

    /// Whether there is anything that the rule speaks of: if not, a proof says nothing. Objects that were
    /// built count where the solver finds none, but not against it.
    fn happens(&mut self, claim: &Claim) -> Proved<bool> {
        let possible = self.is_possible(claim.happens);
        if self.is_seen { Ok(possible.unwrap_or(true)) } else { possible }
    }

    /// Shows that a condition never holds: of any values of the fields, else of those that the
    /// classes' invariants allow.
    fn refute(&mut self, broken: Term) -> Proved<()> {
        let mut model = None;
        let first = match self.model_of(broken) {
            Ok(None) => return Ok(()),
            Ok(found) => {
                model = found;
                open(GapKind::Approximation, not_excluded(None))
            }
            Err(gaps) => Err(gaps),
        };
        let facts = self.invariant_facts(broken);
        if !facts.is_empty() {
            self.known.extend(facts);
            match self.model_of(broken) {
                Ok(None) => return Ok(()),
                Ok(nearer) => model = nearer,
                Err(_) => {}
            }
        }
        // Where loops are cut, a model says little.
        if let Some(model) = model
            && self.engine.cuts.is_empty()
        {
            self.sketch = self.sketch_of(&model, broken);
            let values = self.sketch.as_ref().and_then(|sketch| sketch.text(self.program));
            return open(GapKind::Approximation, not_excluded(values));
        }
        first
    }

    /// Shows that a condition never holds of values that the classes' invariants allow.
    fn refute_within(&mut self, condition: Term) -> Proved<()> {
        let facts = self.invariant_facts(condition);
        if facts.is_empty() {
            return open(GapKind::Approximation, not_excluded(None));
        }
        let n_known = self.known.len();
        self.known.extend(facts);
        match self.is_possible(condition) {
            Ok(false) => Ok(()),
            Ok(true) | Err(_) => {
                self.known.truncate(n_known);
                open(GapKind::Approximation, not_excluded(None))
            }
        }
    }

    /// The invariants of the classes whose fields a condition speaks of.
    fn invariant_facts(&mut self, condition: Term) -> Vec<Term> {
        let reads = self.engine.field_reads(&[condition]);
        let mut classes: Vec<ClassId> = reads.iter().map(|read| read.field.class).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut facts = Vec::new();
        for class in classes {
            let known = invariants(self.survey.keeping(), class, self.solver);
            let more = assumed(&mut self.engine, &known.held, &[condition], None);
            if !more.is_empty() {
                self.engine.rest_on(known.assumptions.iter().cloned());
                facts.extend(more);
            }
        }
        // The same solver was asked about the invariants, in terms of another arena.
        self.solver.reset();
        facts
    }

    fn is_possible(&mut self, question: Term) -> Proved<bool> {
        Ok(self.model_of(question)?.is_some())
    }

    /// Values for which a condition holds, if there are any.
    fn model_of(&mut self, question: Term) -> Proved<Option<Assignment>> {
        if self.engine.space.terms.is_false(question) {
            return Ok(None);
        }
        if self.engine.space.terms.dag_size(&[question], &mut smt::Marks::new()) > MOST_NODES {
            return open(GapKind::Budget, "the question is too large for the solver");
        }
        self.solver.push();
        let all = [&[question], &self.known[..]].concat();
        let all = self.engine.space.terms.and(&all);
        for fact in self.engine.space.facts_about(&[all]) {
            self.solver.assert(&mut self.engine.space.terms, fact);
        }
        for &fact in &self.known {
            self.solver.assert(&mut self.engine.space.terms, fact);
        }
        let terms = &mut self.engine.space.terms;
        let answer = self.solver.check_with(terms, question, self.effort);
        self.solver.pop();
        match answer {
            Answer::Sat(model) => Ok(Some(model)),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => {
                self.effort = self.effort.after_limit();
                open(GapKind::Solver, reason.to_string())
            }
        }
    }

    fn class_type(&self, id: ClassId) -> Type {
        Type::class(self.program.class_name(id))
    }

    /// A state in which these are not null.
    fn start(&mut self, objects: &[Term]) -> State {
        let mut state = self.engine.start();
        for &object in objects {
            let is_null = self.engine.is_null(object);
            let not_null = self.engine.space.terms.not(is_null);
            self.engine.assume(&mut state, not_null);
        }
        state
    }

    fn is_a(&mut self, object: Term, id: ClassId) -> Proved<Term> {
        let ty = self.class_type(id);
        match self.engine.instance_of(object, ty) {
            Some(condition) => Ok(condition),
            None => open(GapKind::Unsupported, "a supertype is missing from the class path"),
        }
    }

    /// Which declared method runs on the object: conditions on its runtime type, most derived classes
    /// first. On types outside of these nothing is said.
    fn cases(&mut self, object: Term, method: MethodId) -> Proved<Vec<(Term, MethodId)>> {
        let mut declaring: Vec<(ClassId, MethodId)> = Vec::new();
        let classes = self.relatives.iter().copied().chain([self.subject.class]);
        for id in classes {
            let Some(selected) = self.program.select_method(id, method).found() else { continue };
            let is_objects = self.contract.is_objects(self.program, selected);
            let entry = (selected.class, selected);
            if !is_objects && !declaring.contains(&entry) {
                declaring.push(entry);
            }
        }
        if declaring.len() > MOST_CLASSES {
            return open(GapKind::Budget, "too many classes override the method");
        }
        declaring.sort_by_key(|&(id, _)| (self.program.most_derived_first(id), id));
        let mut cases = Vec::with_capacity(declaring.len());
        let mut before = self.engine.space.terms.bool(false);
        for (id, method) in declaring {
            let fits = self.is_a(object, id)?;
            let not_before = self.engine.space.terms.not(before);
            let here = self.engine.space.terms.and2(fits, not_before);
            before = self.engine.space.terms.or2(before, fits);
            if !self.program.method(method).1.access_flags.is_abstract() {
                cases.push((here, method));
            }
        }
        Ok(cases)
    }

    /// The objects on which this very method runs: not those of subclasses that override it.
    fn subject_objects(&mut self, object: Term, method: MethodId) -> Proved<Term> {
        let own = self.is_a(object, method.class)?;
        let mut conditions = vec![own];
        for id in self.survey.index.world().subtypes(method.class) {
            let Some(class) = self.program.class(id) else { continue };
            let overrides = |selected: MethodId| selected.class == id && selected != method;
            let selected = self.program.select_method(id, method).found();
            if class.is_interface() || !selected.is_some_and(overrides) {
                continue;
            }
            let below = self.is_a(object, id)?;
            conditions.push(self.engine.space.terms.not(below));
        }
        Ok(self.engine.space.terms.and(&conditions))
    }

    fn equals_method(&self) -> Proved<MethodId> {
        let class = self.program.class(self.subject.class);
        let method = class.and_then(|class| self.contract.equals_of(self.program, class));
        match method {
            Some(method) => Ok(method),
            None => open(GapKind::Unsupported, "equals cannot be found"),
        }
    }

    /// The receiver `x` as an object of the class, and a state with it.
    fn receiver(&mut self, method: MethodId, others: &[Term]) -> Proved<(Term, State)> {
        let x = self.object("x");
        let mut all = vec![x];
        all.extend_from_slice(others);
        let mut state = self.start(&all);
        let is_own = if self.contract.is_objects(self.program, method) {
            self.is_a(x, self.subject.class)?
        } else {
            let own = self.subject_objects(x, method)?;
            let is_class = self.is_a(x, self.subject.class)?;
            self.engine.space.terms.and2(own, is_class)
        };
        self.engine.assume(&mut state, is_own);
        Ok((x, state))
    }

    fn call(&mut self, method: MethodId, arguments: &[Term], state: &State) -> Outcome {
        self.engine.call(method, arguments.to_vec(), state.clone())
    }

    /// The state in which the next call of a question is made. Where none changed anything it is the
    /// same, which keeps terms small.
    fn after(&mut self, state: &State, outcome: &Outcome) -> State {
        if self.engine.changed.is_empty() {
            return state.clone();
        }
        match &outcome.returned {
            Some((after, _)) if self.engine.is_undisturbed(state, after) => after.clone(),
            Some(_) => {
                self.is_disturbed = true;
                state.clone()
            }
            None => state.clone(),
        }
    }

    /// The condition under which a call returns, and its value.
    fn returned(&mut self, outcome: &Outcome) -> (Term, Term) {
        match &outcome.returned {
            Some((state, Some(value))) => (self.engine.guard(state), *value),
            Some((_, None)) | None => {
                let never = self.engine.space.terms.bool(false);
                (never, self.engine.space.terms.int(0))
            }
        }
    }

    fn returns(&mut self, outcome: &Outcome, wanted: bool) -> Term {
        let (guard, value) = self.returned(outcome);
        let zero = self.engine.space.terms.int(0);
        let is_zero = self.engine.space.terms.eq(value, zero);
        let is_wanted = if wanted { self.engine.space.terms.not(is_zero) } else { is_zero };
        self.engine.space.terms.and2(guard, is_wanted)
    }

    fn throws(&mut self, outcome: &Outcome) -> Term {
        match &outcome.thrown {
            Some((state, _)) => self.engine.guard(state),
            None => self.engine.space.terms.bool(false),
        }
    }

    /// Where no known class's method runs, the answer may be anything.
    fn foreign(&mut self, name: &str, cases: &[(Term, MethodId)], state: &State) -> Term {
        let known: Vec<Term> = cases.iter().map(|&(condition, _)| condition).collect();
        let known = self.engine.space.terms.or(&known);
        let unknown = self.engine.space.terms.not(known);
        let guard = self.engine.guard(state);
        let anything = self.engine.space.symbol(name, smt::Sort::Bool);
        self.engine.space.terms.and(&[guard, unknown, anything])
    }
}
