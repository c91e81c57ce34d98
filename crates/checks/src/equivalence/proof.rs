//! A pair on all inputs at once: both versions run on one symbolic heap, and the solver is asked for an
//! input on which they differ.

use program::{ClassId, MethodDescriptor, MethodId, Program, Type, World};
use rustc_hash::FxHashSet;
use smt::{Answer, Assignment, Solver};
use symex::symbolic::{Budget, Engine, Options, Outcome, Plain, Run, StopKind, Term, differ};

use super::matching::MethodPair;
use crate::verdict::{Gap, GapKind, Scope};

/// Larger questions are not put to the solver.
const MOST_NODES: usize = 12_000;

/// What a proof came to.
#[derive(Debug, Clone)]
pub enum Proof {
    Holds(Scope),
    Open(Vec<Gap>),
    NotAsked,
}

/// What the solver suggests for each input, the receiver first; nothing for objects.
pub(super) type Suggestion = Vec<Option<Plain>>;

/// Tries to prove that both versions do the same for all inputs.
pub(super) fn prove(
    old: (&Program, &World),
    new: (&Program, &World),
    edited: &Edited,
    pair: &MethodPair,
    solver: &mut Solver,
) -> (Proof, Option<Suggestion>) {
    let mut suggestion = None;
    match try_prove(old, new, edited, pair, solver, &mut suggestion) {
        Ok(scope) => (Proof::Holds(scope), None),
        Err(gaps) => (Proof::Open(gaps), suggestion),
    }
}

/// Classes whose initialisers differ, by their ids in each version, and what is the same.
#[derive(Debug, Clone, Default)]
pub struct Edited {
    pub old: FxHashSet<ClassId>,
    pub new: FxHashSet<ClassId>,
    /// Methods that did not change, nor anything that they call, by their ids in the old version.
    pub unchanged: FxHashSet<MethodId>,
    /// Whether some class has other instance fields in the new version.
    pub is_reshaped: bool,
}

type Proved<T> = Result<T, Vec<Gap>>;

fn open<T>(kind: GapKind, detail: impl Into<String>) -> Proved<T> {
    Err(vec![Gap::new(kind, detail)])
}

fn try_prove(
    (old, old_world): (&Program, &World),
    (new, new_world): (&Program, &World),
    edited: &Edited,
    pair: &MethodPair,
    solver: &mut Solver,
    suggestion: &mut Option<Suggestion>,
) -> Proved<Scope> {
    let (_, declared) = new.method(pair.new);
    if declared.name == new.known.clinit {
        return open(GapKind::Unsupported, "initialisers are not compared yet");
    }
    if declared.access_flags.is_abstract() || declared.access_flags.is_native() {
        return open(GapKind::Unsupported, "it has no code to compare");
    }
    let budget =
        Budget { instructions: 60_000, terms: 150_000, depth: 32, unroll: 6, recursion: 4 };
    solver.reset();
    let mut first = Engine::new(old, budget, Options::default());
    first.world = Some(old_world);
    first.own_statics = Some(("old ", edited.old.clone()));
    let one = run(&mut first, old, pair.old);
    let mut space = std::mem::take(&mut first.space);
    space.switch_side();
    let mut second = Engine::on(space, new, budget, Options::default());
    second.world = Some(new_world);
    second.own_statics = Some(("new ", edited.new.clone()));
    let two = run(&mut second, new, pair.new);
    let result = result_type(new, pair.new);
    let different = differ(
        Run { engine: &mut first, outcome: &one },
        Run { engine: &mut second, outcome: &two },
        result,
    );
    let different = match different {
        Ok(different) => different,
        Err(reason) => return open(GapKind::Unsupported, reason),
    };
    let (scope, model) = settle(&mut first, &mut second, different, solver, budget);
    *suggestion = model.map(|model| suggest(&mut second, new, pair.new, &model));
    scope
}

/// The inputs of a model, as far as they stand for themselves.
fn suggest(
    engine: &mut Engine<'_>,
    program: &Program,
    method: MethodId,
    model: &Assignment,
) -> Suggestion {
    let (_, declared) = program.method(method);
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor));
    let types = descriptor.map_or_else(Vec::new, |it| it.parameter_types(&program.names));
    let mut found = Vec::new();
    if !declared.access_flags.is_static() && declared.name != program.known.init {
        found.push(None);
    }
    for (at, &ty) in types.iter().enumerate() {
        let input = engine.input(&format!("argument {at}"), ty);
        found.push(engine.plain(model, input, ty));
    }
    found
}

/// The scope of a proof or what stands in its way, and a model of the difference if there is one.
fn settle(
    first: &mut Engine<'_>,
    second: &mut Engine<'_>,
    different: Term,
    solver: &mut Solver,
    budget: Budget,
) -> (Proved<Scope>, Option<Assignment>) {
    for at in 0..second.space.facts.len() {
        let fact = second.space.facts[at];
        solver.assert(&mut second.space.terms, fact);
    }
    let all_guards = guards(first, second, |_| true);
    let stopped = second.space.terms.or(&all_guards);
    let whole = second.space.terms.not(stopped);
    let question = second.space.terms.and2(different, whole);
    match ask(second, solver, question) {
        Err(gaps) => (Err(gaps), None),
        Ok(Some(model)) => {
            let detail = "the versions may differ, and no input was found that a caller can build";
            (open(GapKind::Approximation, detail), Some(model))
        }
        Ok(None) => (scope(first, second, whole, solver, budget), None),
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
    let mut assumptions: std::collections::BTreeSet<String> = first.assumptions.clone();
    assumptions.extend(second.assumptions.iter().cloned());
    assumptions.insert("one thread runs it, and the stack suffices".to_owned());
    if !first.outside.is_empty() {
        assumptions
            .insert("code that both versions call outside does the same for both".to_owned());
    }
    Ok(Scope { bound, assumptions: assumptions.into_iter().collect(), same_code: false })
}

fn guards(first: &Engine<'_>, second: &Engine<'_>, counts: impl Fn(StopKind) -> bool) -> Vec<Term> {
    let stops = first.stops.iter().chain(&second.stops);
    stops.filter(|stop| counts(stop.kind)).map(|stop| stop.guard).collect()
}

/// A model of the question, or nothing if it cannot be true.
fn ask(engine: &mut Engine<'_>, solver: &mut Solver, question: Term) -> Proved<Option<Assignment>> {
    if engine.space.terms.is_false(question) {
        return Ok(None);
    }
    if engine.space.terms.dag_size(question, &mut smt::Marks::new()) > MOST_NODES {
        return open(GapKind::Budget, "the question is too large for the solver");
    }
    match solver.check(&mut engine.space.terms, question) {
        Answer::Sat(model) => Ok(Some(model)),
        Answer::Unsat => Ok(None),
        Answer::Unknown(reason) => open(GapKind::Solver, reason.to_string()),
    }
}

fn result_type(program: &Program, method: MethodId) -> Option<Type> {
    let (_, declared) = program.method(method);
    MethodDescriptor::parse(program.names.bytes(declared.descriptor))?.result_type(&program.names)
}

/// Runs the method on inputs that have the same names in both versions.
fn run(engine: &mut Engine<'_>, program: &Program, method: MethodId) -> Outcome {
    let (class, declared) = program.method(method);
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor));
    let types = descriptor.map_or_else(Vec::new, |it| it.parameter_types(&program.names));
    let mut arguments = Vec::with_capacity(types.len() + 1);
    let mut state = engine.start();
    if declared.name == program.known.init {
        arguments.push(engine.new_instance(class.id));
    } else if !declared.access_flags.is_static() {
        let receiver = engine.input("this", Type::class(class.name));
        let is_null = engine.is_null(receiver);
        let not_null = engine.space.terms.not(is_null);
        engine.assume(&mut state, not_null);
        arguments.push(receiver);
    }
    for (at, &ty) in types.iter().enumerate() {
        arguments.push(engine.input(&format!("argument {at}"), ty));
    }
    let made = (declared.name == program.known.init).then(|| arguments[0]);
    let mut outcome = engine.call(method, arguments, state);
    // A constructor gives back the object that it was called on.
    if let (Some(made), Some((_, value))) = (made, &mut outcome.returned) {
        *value = Some(made);
    }
    outcome
}
