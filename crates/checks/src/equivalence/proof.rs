//! A pair on all inputs at once: both versions run on one symbolic heap, and the solver is asked for an
//! input on which they differ.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use program::{ClassId, MethodDescriptor, MethodId, Program, Type, World};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Assignment, Solver};
use symex::symbolic::{
    Budget, Engine, LoopPlan, Options, Outcome, Retyped, Run, StopKind, Term, differ,
};

use super::asking::{Suggestion, ask, ask_hard, inputs, run, suggest};
use super::closed::prove_in_closed_form;
use super::hooks::with_heirs;
use super::induction::{prove_by_induction, prove_turned};
use super::kept::Kept;
use super::left_out::what_it_leaves_out;
use super::matching::MethodPair;
use super::reach::{PASSED_IN, UNKNOWN_NAMES};
use super::renamed::RENAMED;
use super::renumbered::RENUMBERED;
use super::told_apart::{Things, compares};
use super::turns::{DEEP, of_all_turns, prove_to_the_end};
use super::watch::shows_any;
use crate::verdict::{Gap, GapKind, Scope};

/// What a proof came to.
#[derive(Debug, Clone)]
pub enum Proof {
    Holds(Scope),
    Open(Vec<Gap>),
    NotAsked,
}

/// Tries to prove that both versions do the same for all inputs.
pub(super) fn prove(
    old: (&Program, &World),
    new: (&Program, &World),
    edited: &Edited,
    pair: &MethodPair,
    solver: &mut Solver,
) -> (Proof, Option<Suggestion>) {
    let mut suggestion = None;
    let question = Question {
        old,
        new,
        edited,
        pair,
        hypothesis: &[],
        is_abstract: false,
        is_closed: false,
        is_turned: false,
        is_pure: false,
        opens_calls: false,
    };
    let mut proved = try_prove(&question, solver, &mut suggestion);
    if edited.unshared {
        if !is_whole(&proved) {
            let of_trees = [SHALLOW, DEEP].map(|it| prove_whole(&question, it, true, solver));
            proved = of_trees.into_iter().find(is_whole).unwrap_or(proved);
        }
        if let Ok(scope) = &mut proved {
            scope
                .assumptions
                .push("no object is reachable by two paths from the inputs".to_owned());
            scope.assumptions.sort();
        }
    }
    proved = with_heirs(&question, proved, solver);
    let proved = proved.and_then(|scope| match what_it_leaves_out(&question, &scope) {
        Some(detail) => open(GapKind::Approximation, detail),
        None => Ok(scope),
    });
    match proved {
        Ok(mut scope) => {
            scope.assumptions.extend(of_names(edited, pair).map(str::to_owned));
            let (class, declared) = new.0.method(pair.new);
            if declared.name == new.0.known.init && !class.access_flags.is_final() {
                scope.assumptions.push(super::VERY_CLASS.to_owned());
            }
            (Proof::Holds(scope), None)
        }
        Err(gaps) => (Proof::Open(gaps), suggestion),
    }
}

/// What a proof rests on that no step of it shows.
fn of_names(edited: &Edited, pair: &MethodPair) -> impl Iterator<Item = &'static str> {
    let named = pair.assumptions.iter().copied();
    let named = named.filter(|it| [UNKNOWN_NAMES, RENUMBERED, PASSED_IN].contains(it));
    // It may have called what rests on that.
    named.chain(edited.has_renamed.then_some(RENAMED))
}

/// Classes whose initialisers differ, by their ids in each version, and what is the same.
#[derive(Debug, Clone, Default)]
pub struct Edited {
    pub old: FxHashSet<ClassId>,
    pub new: FxHashSet<ClassId>,
    /// Methods that did not change, nor anything that they call, by their ids in the old version.
    pub unchanged: FxHashSet<MethodId>,
    /// Methods that are known to do the same in both versions, unchanged or proved: old and new.
    pub alike: Vec<(MethodId, MethodId)>,
    /// Methods that were proved to do the same, by their ids in the old version.
    pub proved: FxHashSet<MethodId>,
    /// Methods that are not followed, as they ask for something that differs though no code does: of the
    /// old and of the new version.
    pub barred: (FxHashSet<MethodId>, FxHashSet<MethodId>),
    /// Classes that have other instance fields in the new version, by name.
    pub reshaped: Vec<String>,
    /// What is not seen of objects of the old and of the new version.
    pub unseen: (super::Unseen, super::Unseen),
    /// Whether private fields have other names now.
    pub has_renamed: bool,
    /// Private fields of another functional type in the other version, that are only read to be called.
    pub retyped: (Retyped, Retyped),
    /// Classes of the old version that have another number now.
    pub numbered: FxHashSet<ClassId>,
    /// Whether inputs are taken to be trees.
    pub unshared: bool,
    /// Methods below which objects are made that are of other types of the platform now: it may ask for them.
    pub recasting: FxHashSet<MethodId>,
    /// Whether there are so many pairs that each gets a small share of the work.
    pub is_many: bool,
    /// The invariants of classes, as far as somebody asked.
    pub kept: Arc<Kept>,
    /// Whether code of the new version compares references to arrays, once somebody asked.
    pub compares_arrays: Arc<OnceLock<bool>>,
    /// Classes of the old and of the new version whose initialisers reach beyond them, likewise.
    pub first_uses: Arc<OnceLock<[FxHashSet<ClassId>; 2]>>,
    /// The same of strings.
    pub compares_strings: Arc<OnceLock<bool>>,
}

impl Edited {
    /// Whether code of the new version compares references to arrays, or to strings.
    pub(super) fn tells_apart(&self, program: &Program, things: Things) -> bool {
        let known = match things {
            Things::Arrays => &self.compares_arrays,
            Things::Strings => &self.compares_strings,
        };
        *known.get_or_init(|| compares(program, things))
    }

    /// Whether a text that shows objects shows some whose fields are others in the new version.
    pub(super) fn shows_reshaped(&self, text: &str) -> bool {
        shows_any(text, &self.reshaped)
    }
}

pub(super) type Proved<T> = Result<T, Vec<Gap>>;

pub(super) fn open<T>(kind: GapKind, detail: impl Into<String>) -> Proved<T> {
    Err(vec![Gap::new(kind, detail)])
}

/// Both versions, as they run on one space. The second engine holds it.
pub(super) struct Both<'p> {
    pub(super) first: Engine<'p>,
    pub(super) one: Outcome,
    pub(super) second: Engine<'p>,
    pub(super) two: Outcome,
    /// How many terms there were when the second run began.
    pub(super) n_terms: usize,
}

/// The pair and what is around it.
#[derive(Clone, Copy)]
pub(super) struct Question<'p> {
    pub(super) old: (&'p Program, &'p World),
    pub(super) new: (&'p Program, &'p World),
    pub(super) edited: &'p Edited,
    pub(super) pair: &'p MethodPair,
    /// Pairs of which calls from within do the same: the hypothesis of an induction.
    pub(super) hypothesis: &'p [MethodPair],
    /// Whether what both versions call alike counts as one unknown function, not by its code.
    pub(super) is_abstract: bool,
    /// Whether the platform's code does, too.
    pub(super) is_closed: bool,
    /// Whether the calls of the hypothesis change nothing and never throw.
    pub(super) is_pure: bool,
    /// Whether methods that end by calling themselves count as loops.
    pub(super) is_turned: bool,
    /// Whether methods of the receiver that anybody may override count as code outside.
    pub(super) opens_calls: bool,
}

const TOO_MUCH: &str = "too much to follow";

/// How calls are named that are known to do the same in both versions, or taken to.
const ALIKE: &str = "alike: ";

fn is_alike(name: &str) -> bool {
    name.starts_with(ALIKE)
}

impl<'p> Question<'p> {
    /// What the first look may take.
    pub(super) fn shallow(&self) -> Budget {
        if self.edited.is_many { BRIEF } else { SHALLOW }
    }

    /// Runs both versions, each with the loops cut that its plan says.
    pub(super) fn run(&self, budget: Budget, plans: (LoopPlan, LoopPlan)) -> Both<'p> {
        let mut first = Engine::new(self.old.0, budget, Options::default());
        first.world = Some(self.old.1);
        first.own_statics = Some(("old ", self.edited.old.clone()));
        (first.loops, first.side) = (plans.0, "old ");
        (first.turns_self_calls, first.pure_calls) = (self.is_turned, self.is_pure);
        first.library.is_closed = self.is_closed;
        first.library.unchanged = Some(&self.edited.unchanged);
        let name = |new: MethodId| format!("{ALIKE}{}'s {}", new.class.index(), new.index());
        first.shared_calls = self.hypothesis.iter().map(|it| (it.old, name(it.new))).collect();
        if self.is_abstract {
            first.shared_calls.extend(self.edited.alike.iter().map(|it| (it.0, name(it.1))));
        }
        first.barred = self.edited.barred.0.clone();
        first.library.retyped = self.edited.retyped.0.clone();
        let one = run(&mut first, self.old.0, self.pair.old, self.opens_calls);
        let n_terms = first.space.terms.len();
        let mut space = std::mem::take(&mut first.space);
        space.switch_side();
        let mut second = Engine::on(space, self.new.0, budget, Options::default());
        second.world = Some(self.new.1);
        second.own_statics = Some(("new ", self.edited.new.clone()));
        (second.loops, second.side) = (plans.1, "new ");
        (second.turns_self_calls, second.pure_calls) = (self.is_turned, self.is_pure);
        second.library.is_closed = self.is_closed;
        second.shared_calls = self.hypothesis.iter().map(|it| (it.new, name(it.new))).collect();
        if self.is_abstract {
            second.shared_calls.extend(self.edited.alike.iter().map(|it| (it.1, name(it.1))));
        }
        second.barred = self.edited.barred.1.clone();
        second.library.retyped = self.edited.retyped.1.clone();
        second.equal_strings = match self.edited.tells_apart(self.new.0, Things::Strings) {
            true => None,
            false => Some(Vec::new()),
        };
        let two = run(&mut second, self.new.0, self.pair.new, self.opens_calls);
        Both { first, one, second, two, n_terms }
    }
}

impl Both<'_> {
    /// Whether some input was not followed because the budget ended.
    fn is_cut_short(&self) -> bool {
        let lost = guards(&self.first, &self.second, |kind| kind == StopKind::Budget);
        lost.iter().any(|&guard| !self.second.space.terms.is_false(guard))
    }

    /// Whether some method was not followed to the end of its calls of itself.
    fn calls_itself(&self) -> bool {
        Unwound::of(self).calls_itself()
    }

    /// Whether calls that are known to do the same in both versions were taken for functions.
    fn calls_alike(&self) -> bool {
        let names = self.first.outside.iter().chain(&self.second.outside);
        names.into_iter().any(|name| is_alike(name))
    }

    /// Whether some search in a text was taken for a function.
    fn has_searches(&self) -> bool {
        !self.first.searches.is_empty() || !self.second.searches.is_empty()
    }

    /// The condition under which the versions differ.
    pub(super) fn differ(&mut self, question: &Question<'_>) -> Proved<Term> {
        let result = result_type(question.new.0, question.pair.new);
        let different = differ(
            Run { engine: &mut self.first, outcome: &self.one },
            Run { engine: &mut self.second, outcome: &self.two },
            result,
        );
        different.or_else(|reason| open(GapKind::Unsupported, reason))
    }
}

pub(super) fn try_prove(
    question: &Question<'_>,
    solver: &mut Solver,
    suggestion: &mut Option<Suggestion>,
) -> Proved<Scope> {
    let new = question.new.0;
    let (_, declared) = new.method(question.pair.new);
    if declared.name == new.known.clinit {
        return open(GapKind::Unsupported, "initialisers are not compared yet");
    }
    if declared.access_flags.is_abstract() || declared.access_flags.is_native() {
        return open(GapKind::Unsupported, "it has no code to compare");
    }
    let mut both = match look(question, solver) {
        Look::Proved(scope) => return Ok(scope),
        Look::TooMuch => return open(GapKind::Budget, TOO_MUCH),
        Look::AtCode(both) => *both,
    };
    let is_cut_short = both.is_cut_short();
    if question.edited.is_many && is_cut_short {
        return open(GapKind::Budget, TOO_MUCH);
    }
    let unwound = Unwound::of(&both);
    let different = both.differ(question);
    let (proved, model) = match different {
        Ok(different) => settle(question, &mut both, different, solver, question.shallow()),
        Err(gaps) => (Err(gaps), None),
    };
    // In the old version, whose members the inputs are built with.
    std::mem::swap(&mut both.first.space, &mut both.second.space);
    both.first.space.switch_side();
    let (old, method) = (question.old.0, question.pair.old);
    *suggestion = model.map(|model| suggest(&mut both.first, old, method, &model));
    // Copies of arrays are no loops, but followed only as far.
    let is_bounded = !unwound.is_empty() || proved.is_ok();
    // A model that makes a search answer what it likes shows nothing.
    if suggestion.is_some() && both.has_searches() && !unwound.is_empty() && !is_cut_short {
        drop(both);
        return prove_in_closed_form(question, &unwound.loops, solver).or(proved);
    }
    if suggestion.is_some() || !is_bounded || is_whole(&proved) {
        return proved;
    }
    drop(both);
    // What is too much for a first look is too much for those that look at loops.
    if is_cut_short {
        return of_all_turns(proved, question.shallow());
    }
    let methods = unwound.methods(question.pair);
    let calls_itself = unwound.calls_itself();
    let mut inductive = prove_by_induction(question, unwound, solver);
    if inductive.is_err() && calls_itself {
        inductive = prove_turned(question, solver);
    }
    if inductive.is_ok() {
        return inductive;
    }
    prove_to_the_end(question, &methods, proved, solver)
}

/// What came of looking at the calls alone.
enum Look<'p> {
    Proved(Scope),
    TooMuch,
    /// Both versions with all that they call.
    AtCode(Box<Both<'p>>),
}

/// Looks at a pair without the code of what both versions call alike, the least of it first: the code of the
/// platform is the same for both, then that of methods which did not change.
fn look<'p>(question: &Question<'p>, solver: &mut Solver) -> Look<'p> {
    solver.reset();
    let abstractly = Question { is_abstract: true, ..*question };
    let closed = Question { is_closed: true, ..abstractly };
    let is_followed = question.edited.recasting.contains(&question.pair.new);
    let first = if is_followed { &abstractly } else { &closed };
    let mut both = first.run(question.shallow(), Default::default());
    if both.first.library.n_closed + both.second.library.n_closed > 0 {
        // What is followed here is followed all the more without it.
        if question.edited.is_many && both.is_cut_short() {
            return Look::TooMuch;
        }
        if let Ok(scope) = prove_abstractly(&closed, both, solver) {
            return Look::Proved(scope);
        }
        solver.reset();
        both = abstractly.run(question.shallow(), Default::default());
    }
    // Where nothing was called that both versions have alike, that was the code itself.
    if both.calls_alike() {
        let is_too_much = question.edited.is_many && both.is_cut_short();
        if let Ok(scope) = prove_abstractly(&abstractly, both, solver) {
            return Look::Proved(scope);
        }
        if is_too_much {
            return Look::TooMuch;
        }
        solver.reset();
        both = question.run(question.shallow(), Default::default());
    }
    Look::AtCode(Box::new(both))
}

/// With everything that both versions call alike as unknown functions of the arguments and the heap: what
/// holds of these holds of the code. What fails may hold all the same.
fn prove_abstractly(
    question: &Question<'_>,
    mut both: Both<'_>,
    solver: &mut Solver,
) -> Proved<Scope> {
    if both.is_cut_short() {
        return open(GapKind::Budget, TOO_MUCH);
    }
    let unwound = Unwound::of(&both);
    if !unwound.is_empty() {
        drop(both);
        return prove_by_induction(question, unwound, solver);
    }
    let different = both.differ(question)?;
    let settled = settle(question, &mut both, different, solver, question.shallow()).0?;
    match settled.bound {
        None => Ok(settled),
        Some(_) => open(GapKind::Budget, "copies of arrays are followed only so far"),
    }
}

/// The first look: a few turns of each loop.
pub(super) const SHALLOW: Budget =
    Budget { instructions: 60_000, terms: 150_000, depth: 32, unroll: 6, recursion: 4 };

/// The first look where there are many pairs. Of some hundred pairs of releases that were proved, none
/// took more; those that take more are hardly ever proved.
const BRIEF: Budget =
    Budget { instructions: 12_000, terms: 30_000, depth: 32, unroll: 3, recursion: 2 };

pub(super) fn is_whole(proved: &Proved<Scope>) -> bool {
    matches!(proved, Ok(scope) if scope.bound.is_none())
}

/// Follows every loop to its end, if it has one that is near enough; of all inputs, or of trees.
pub(super) fn prove_whole(
    question: &Question<'_>,
    budget: Budget,
    of_trees: bool,
    solver: &mut Solver,
) -> Proved<Scope> {
    solver.reset();
    let mut both = question.run(budget, Default::default());
    if both.is_cut_short() {
        return open(GapKind::Budget, TOO_MUCH);
    }
    assert_facts(&mut both.second, solver);
    let unwound = guards(&both.first, &both.second, |kind| kind == StopKind::Unwound);
    let unwound = both.second.space.terms.or(&unwound);
    if ask(&mut both.second, solver, unwound)?.is_some() {
        return open(GapKind::Budget, "a loop without a near end");
    }
    let different = both.differ(question)?;
    if of_trees {
        let inputs = inputs(&mut both.second, question.new.0, question.pair.new);
        both.second.assume_unshared(&inputs, &[different, unwound]);
    }
    solver.reset();
    settle(question, &mut both, different, solver, budget).0
}

/// Loops and methods that were not followed to their end, by version.
pub(super) struct Unwound {
    pub(super) loops: (Headers, Headers),
    pub(super) calls: (BTreeSet<MethodId>, BTreeSet<MethodId>),
}

/// Headers of loops.
pub(super) type Headers = BTreeSet<(MethodId, u32)>;

impl Unwound {
    pub(super) fn of(both: &Both<'_>) -> Unwound {
        Unwound {
            loops: (both.first.unwound.loops.clone(), both.second.unwound.loops.clone()),
            calls: (both.first.unwound.calls.clone(), both.second.unwound.calls.clone()),
        }
    }

    /// The methods in question, by version.
    fn methods(&self, pair: &MethodPair) -> (BTreeSet<MethodId>, BTreeSet<MethodId>) {
        let all = |loops: &Headers, calls: &BTreeSet<MethodId>, own: MethodId| {
            let of_loops = loops.iter().map(|(method, _)| *method);
            of_loops.chain(calls.iter().copied()).chain([own]).collect()
        };
        (all(&self.loops.0, &self.calls.0, pair.old), all(&self.loops.1, &self.calls.1, pair.new))
    }

    pub(super) fn is_empty(&self) -> bool {
        let no_loops = self.loops.0.is_empty() && self.loops.1.is_empty();
        no_loops && !self.calls_itself()
    }

    pub(super) fn calls_itself(&self) -> bool {
        !self.calls.0.is_empty() || !self.calls.1.is_empty()
    }
}

/// The scope of a proof or what stands in its way, and a model of the difference if there is one.
fn settle(
    question: &Question<'_>,
    both: &mut Both<'_>,
    different: Term,
    solver: &mut Solver,
    budget: Budget,
) -> (Proved<Scope>, Option<Assignment>) {
    assert_facts(&mut both.second, solver);
    let all_guards = guards(&both.first, &both.second, |_| true);
    let terms = &mut both.second.space.terms;
    let stopped = terms.or(&all_guards);
    let whole = terms.not(stopped);
    let asked = terms.and2(different, whole);
    let mut answer = ask_hard(&mut both.second, solver, asked);
    // Which invariants hold where calls from within are taken for granted, nobody asked.
    let is_alone = question.hypothesis.is_empty() && !both.calls_itself();
    if matches!(answer, Ok(Some(_))) && is_alone && !question.edited.is_many {
        let facts = both.invariants_about(question, asked);
        if !facts.is_empty() {
            for fact in facts {
                solver.assert(&mut both.second.space.terms, fact);
            }
            answer = ask_hard(&mut both.second, solver, asked).or(answer);
        }
    }
    let (first, second) = (&mut both.first, &mut both.second);
    match answer {
        Err(gaps) => (Err(gaps), None),
        Ok(Some(model)) => {
            let detail = "the versions may differ, and no input was found that a caller can build";
            (open(GapKind::Approximation, detail), Some(model))
        }
        Ok(None) => {
            let mut proved = scope(first, second, whole, solver, budget);
            if let Ok(scope) = &mut proved {
                both.tell_strings(solver, &FxHashMap::default(), scope);
                both.tell_exceptions(solver, &FxHashMap::default(), scope);
            }
            (proved, None)
        }
    }
}

fn assert_facts(engine: &mut Engine<'_>, solver: &mut Solver) {
    for at in 0..engine.space.facts.len() {
        let fact = engine.space.facts[at];
        solver.assert(&mut engine.space.terms, fact);
    }
}

/// How far the absence of differences reaches.
fn scope(
    first: &mut Engine<'_>,
    second: &mut Engine<'_>,
    whole: Term,
    solver: &mut Solver,
    budget: Budget,
) -> Proved<Scope> {
    let lost_guards: Vec<Term> = guards(first, second, |kind| kind != StopKind::Unwound);
    let lost = second.space.terms.or(&lost_guards);
    if ask(second, solver, lost)?.is_some() {
        let stops = first.stops.iter().chain(&second.stops);
        let stop = stops.into_iter().find(|stop| stop.kind != StopKind::Unwound);
        let kind = match stop.map(|stop| stop.kind) {
            Some(StopKind::Budget) => GapKind::Budget,
            Some(StopKind::Unsupported | StopKind::Unwound) | None => GapKind::Unsupported,
        };
        return open(kind, stop.map_or_else(String::new, |stop| stop.reason.clone()));
    }
    let unwound_guards = guards(first, second, |kind| kind == StopKind::Unwound);
    let unwound = second.space.terms.or(&unwound_guards);
    let bound = ask(second, solver, unwound)?.map(|_| budget.unroll);
    if ask(second, solver, whole)?.is_none() {
        return open(GapKind::Budget, "no input stays within the bound on loops");
    }
    Ok(Scope { bound, assumptions: assumptions(first, second), same_code: false })
}

/// What a proof rests on where both versions call code that is not followed.
pub(super) const OUTSIDE: &str = "code that both versions call outside does the same for both";

/// What a proof rests on.
pub(super) fn assumptions(first: &Engine<'_>, second: &Engine<'_>) -> Vec<String> {
    let mut assumptions: std::collections::BTreeSet<String> = first.assumptions.clone();
    assumptions.extend(second.assumptions.iter().cloned());
    assumptions.insert(
        "one thread runs it, its classes are initialised before, and the stack suffices".to_owned(),
    );
    if first.outside.iter().any(|name| !is_alike(name)) {
        assumptions.insert(OUTSIDE.to_owned());
    }
    assumptions.into_iter().collect()
}

pub(super) fn guards(
    first: &Engine<'_>,
    second: &Engine<'_>,
    counts: impl Fn(StopKind) -> bool,
) -> Vec<Term> {
    let stops = first.stops.iter().chain(&second.stops);
    stops.filter(|stop| counts(stop.kind)).map(|stop| stop.guard).collect()
}

/// What the caller gets: of a constructor, the object that it made.
fn result_type(program: &Program, method: MethodId) -> Option<Type> {
    let (class, declared) = program.method(method);
    if declared.name == program.known.init {
        return Some(Type::class(class.name));
    }
    MethodDescriptor::parse(program.names.bytes(declared.descriptor))?.result_type(&program.names)
}
