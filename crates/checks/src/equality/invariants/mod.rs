//! Class invariants: what every object of a class keeps, whoever calls its methods.
//!
//! Candidates speak of the fields that a class declares: not null, not negative, no larger than an
//! array. They are assumed of all objects that exist, then each constructor and each method that writes
//! one of the fields is run once on symbolic inputs; a candidate that may be false of any object
//! afterwards is dropped, and the rest is tried again without it. What remains holds of every object
//! whose constructor has returned, and of those that it let others know before.
//!
//! Only fields are considered whose writers are all known: final ones and private ones (the classes nested
//! in the same outermost class). Those of a package and protected ones are not: whoever writes a class of
//! that package may set them. What arrays and other objects contain is not spoken of here.

mod candidate;
mod expected;
mod writers;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use program::ir::Op;
use program::{ClassId, FieldId, Kind, MethodDescriptor, MethodId, Program, Role, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Evaluator, Solver};
use symex::symbolic::{
    Budget, Engine, FieldRead, LoopPlan, Options, Outcome, State, StopKind, Term,
};

pub(crate) use candidate::Candidate;
use candidate::{candidates, relations};
use writers::{Makers, Writers, keeps_to_itself, writers};

use super::turns::{Round, Turns};
use crate::witness::supply::Index;

/// More writing methods than this are not followed.
const MOST_WRITERS: usize = 40;
/// Nor are those after which all together have made more terms or more work than this.
const MOST_TERMS: usize = 80_000;
const MOST_WORK: u64 = 1_000_000;
/// Constructors that are called from more places than this are looked at by themselves alone.
const MOST_CALLERS: usize = 8;
/// Calls that cannot be followed are taken for calls to the outside up to this often.
const FORGIVEN: u32 = 6;
/// As are those that make more terms than this.
const FORGIVEN_TERMS: usize = 2_000;
const BUDGET: Budget =
    Budget { instructions: 20_000, terms: 20_000, depth: 16, unroll: 3, recursion: 1 };

/// What is proved of one class.
#[derive(Debug, Default)]
pub(crate) struct Invariants {
    pub(crate) held: Vec<Candidate>,
    pub(crate) assumptions: BTreeSet<String>,
    /// Methods that run while one that writes fields of the class is not over: they may see objects of which
    /// the invariants do not hold.
    pub(crate) meanwhile: BTreeSet<MethodId>,
    /// Whether code outside may run then, or a method that anybody may override.
    pub(crate) calls_outside: bool,
}

/// A program of which invariants are asked, and what is known already.
#[derive(Clone, Copy)]
pub(crate) struct Keeping<'p> {
    pub(crate) program: &'p Program,
    pub(crate) index: &'p Index,
    pub(crate) cache: &'p Cache,
    /// Whether what relates fields to each other is worth its time.
    pub(crate) with_relations: bool,
}

/// What was proved so far. A class's invariants depend on the program alone, so it does not matter who
/// asks first.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<FxHashMap<ClassId, Arc<Invariants>>>);

/// The invariants of the fields that a class declares.
pub(crate) fn invariants(
    known: Keeping<'_>,
    class: ClassId,
    solver: &mut Solver,
) -> Arc<Invariants> {
    let found = known.cache.0.lock().ok().and_then(|cache| cache.get(&class).cloned());
    if let Some(found) = found {
        return found;
    }
    // Whoever asks, the invariants of a class may take the same.
    let left = solver.grant(MOST_WORK);
    let found = Arc::new(prove(known, class, solver));
    solver.grant(left);
    if let Ok(mut cache) = known.cache.0.lock() {
        cache.insert(class, found.clone());
    }
    found
}

fn prove(known: Keeping<'_>, class: ClassId, solver: &mut Solver) -> Invariants {
    let Writers { fields, methods, makers } = writers(known, class);
    let mut all = candidates(known.program, class, &fields);
    if known.with_relations {
        all.extend(relations(known.program, &fields));
    }
    let mut found = inductive(known, class, all.clone(), methods.clone(), solver);
    // Null is what breaks rules, and where objects have an order, numbers that are too small to be subtracted;
    // the rest is not worth a second look.
    let is_ordered = is_comparable(known.program, class);
    let may_matter = |it: &Candidate, found: &Invariants| match it {
        Candidate::NotNull(_) => !found.held.contains(it),
        Candidate::NotNegative(_) => is_ordered && !found.held.contains(it),
        _ => false,
    };
    for Makers { closed, callers, assumption } in makers {
        if callers.len() > MOST_CALLERS || !all.iter().any(|it| may_matter(it, &found)) {
            continue;
        }
        // What constructors leave open their callers may decide.
        let others = methods.iter().copied().filter(|method| !closed.contains(method));
        let entries: BTreeSet<MethodId> = others.chain(callers).collect();
        let more = inductive(known, class, all.clone(), entries.into_iter().collect(), solver);
        if more.held.iter().any(|it| !found.held.contains(it)) {
            found.held.extend(more.held);
            found.meanwhile.extend(more.meanwhile);
            found.calls_outside |= more.calls_outside;
            found.assumptions.extend(more.assumptions);
            found.assumptions.extend(assumption);
        }
    }
    found
}

fn is_comparable(program: &Program, class: ClassId) -> bool {
    let comparable = program.find_class_text("java/lang/Comparable");
    comparable.is_some_and(|it| program.is_subtype(class, it) == Some(true))
}

/// Those of the candidates that all these methods keep. A method that cannot be followed may break what
/// speaks of the fields that it writes; one that makes objects may break everything.
fn inductive(
    known: Keeping<'_>,
    class: ClassId,
    mut held: Vec<Candidate>,
    mut methods: Vec<MethodId>,
    solver: &mut Solver,
) -> Invariants {
    let program = known.program;
    // All objects come from those that make them; then, what is dropped early costs nothing later.
    let rank = |&method: &MethodId| {
        let is_maker = written_by(program, method, class).is_none();
        (!is_maker, size(program, method), method)
    };
    methods.sort_by_cached_key(rank);
    let written: Vec<Option<Vec<FieldId>>> =
        methods.iter().map(|&method| written_by(program, method, class)).collect();
    let mut tries: Vec<Try<'_>> = methods.iter().map(|_| Try::Open).collect();
    let mut left = Left { terms: MOST_TERMS, forgiven: FxHashSet::default() };
    let (mut at, mut n_kept) = (0, 0);
    while n_kept < methods.len() && !held.is_empty() {
        if matches!(tries[at], Try::Open) {
            let is_one_of_too_many = at >= MOST_WRITERS;
            let run = if is_one_of_too_many { None } else { left.run(known, class, methods[at]) };
            tries[at] = run.map_or(Try::Lost, |run| Try::Followed(Box::new(run)));
        }
        let before = held.len();
        let kept = match &mut tries[at] {
            Try::Followed(run) => run.kept(&held, solver),
            Try::Open | Try::Lost => None,
        };
        held = match (kept, &written[at]) {
            (Some(kept), _) => kept,
            (None, Some(written)) => {
                tries[at] = Try::Lost;
                held.retain(|candidate| !candidate.may_depend_on(written));
                held
            }
            (None, None) => return Invariants::default(),
        };
        n_kept = if held.len() == before { n_kept + 1 } else { 0 };
        at = (at + 1) % methods.len();
    }
    if held.is_empty() {
        return Invariants::default();
    }
    let mut found = Invariants { held, ..Invariants::default() };
    for (tried, &method) in tries.into_iter().zip(&methods) {
        // What was given up writes nothing that is still claimed.
        let Try::Followed(run) = tried else { continue };
        let others: Vec<MethodId> = run.engine.followed().filter(|&it| it != method).collect();
        let is_hook = |&it: &MethodId| may_be_overridden(program, it);
        found.calls_outside |= run.engine.calls_outside() || others.iter().any(is_hook);
        found.meanwhile.extend(others);
        found.assumptions.extend(run.engine.assumptions);
    }
    found
}

/// Whether code that nobody has seen may run in the place of a judged method.
fn may_be_overridden(program: &Program, method: MethodId) -> bool {
    let (class, declared) = program.method(method);
    let flags = declared.access_flags;
    let is_special = declared.name == program.known.init || declared.name == program.known.clinit;
    let is_fixed = flags.is_static() || flags.is_private() || flags.is_final() || is_special;
    !is_fixed && !class.access_flags.is_final() && program.role(class.id) != Role::Platform
}

/// The fields of the class that a method sets by its own code, where it makes no objects of the class; else
/// it may leave any of their fields as it likes.
fn written_by(program: &Program, method: MethodId, class: ClassId) -> Option<Vec<FieldId>> {
    let body = program.lower(method).ok().flatten()?;
    let (_, declared) = program.method(method);
    if method.class == class && declared.name == program.known.init {
        return None;
    }
    let name = program.class_name(class);
    let mut written = Vec::new();
    for at in &body.instructions {
        match at.op {
            Op::New(made) if made == name => return None,
            Op::PutField(field, ..) => {
                let found = program.resolve_field(field.class, field.name, field.descriptor);
                written.extend(Some(found.found()?).filter(|found| found.class == class));
            }
            _ => {}
        }
    }
    Some(written)
}

/// What became of a method.
enum Try<'p> {
    Open,
    Followed(Box<Run<'p>>),
    Lost,
}

/// What is left for a class, and which calls are not tried any more.
struct Left {
    terms: usize,
    forgiven: FxHashSet<MethodId>,
}

/// Instructions of the method itself.
fn size(program: &Program, method: MethodId) -> usize {
    program.lower(method).ok().flatten().map_or(0, |body| body.instructions.len())
}

/// A run that covers all turns of all loops, made once and asked about fewer and fewer candidates.
struct Run<'p> {
    engine: Engine<'p>,
    claims: Claims,
}

impl Left {
    /// Nothing where the loops do not settle, the run is too much, or all takes more than is left.
    fn run<'p>(&mut self, known: Keeping<'p>, class: ClassId, method: MethodId) -> Option<Run<'p>> {
        let mut turns = Turns::default();
        while self.terms > 0 {
            let mut engine = engine(known, class, turns.plan());
            engine.forgives.methods.clone_from(&self.forgiven);
            let claims = run(known, &mut engine, class, method)?;
            self.terms = self.terms.saturating_sub(engine.space.terms.len());
            self.forgiven.extend(&engine.forgives.methods);
            // What was not followed may do anything, and a run with loops cut follows no more of it.
            if engine.stops.iter().any(|stop| stop.kind == StopKind::Budget) {
                return None;
            }
            match turns.learn(&mut engine) {
                Round::Settled => return Some(Run { engine, claims }),
                Round::Again => {}
                Round::Failed => return None,
            }
        }
        None
    }
}

/// A state and the objects of which the invariants are to hold there.
struct Claims {
    ends: Vec<(State, Vec<Term>)>,
    /// An object under construction, of which nothing is known when code outside returns.
    unfinished: Option<Term>,
}

fn engine<'p>(known: Keeping<'p>, class: ClassId, loops: LoopPlan) -> Engine<'p> {
    let mut engine = Engine::new(known.program, BUDGET, Options { assume_contracts: false });
    engine.world = Some(known.index.world());
    engine.loops = LoopPlan { copies_at_once: true, ..loops };
    engine.forgives.calls = FORGIVEN;
    engine.forgives.terms = FORGIVEN_TERMS;
    engine.trusts_library = true;
    engine.early.is_possible = true;
    engine.watched = Some(class);
    engine
}

/// Runs the method on any inputs.
fn run(
    known: Keeping<'_>,
    engine: &mut Engine<'_>,
    class: ClassId,
    method: MethodId,
) -> Option<Claims> {
    let program = known.program;
    let parameters = parameters(program, method)?;
    let mut arguments: Vec<Term> = parameters
        .iter()
        .enumerate()
        .map(|(at, &ty)| engine.input(&format!("argument {at}"), ty))
        .collect();
    let (_, declared) = program.method(method);
    // Of the class or one below: others may set its fields too, in their own constructors.
    let is_constructor = declared.name == program.known.init
        && program.is_subtype(method.class, class) == Some(true);
    let mut state = engine.start();
    if declared.name == program.known.clinit {
        engine.clear_statics(&mut state, method.class);
    }
    // Where there are no subclasses, or it does not matter which it is of, the object is new, and nobody
    // knows it yet.
    let is_alone = || known.index.world().subtypes(class) == [class];
    let is_new = is_constructor
        && (is_alone() || method.class == class && keeps_to_itself(program, method, 0));
    if is_new {
        arguments[0] = engine.new_instance(class);
    } else if !declared.access_flags.is_static() {
        assume_not_null(engine, &mut state, arguments[0]);
    }
    if is_constructor && !is_new {
        for (&argument, ty) in arguments.iter().zip(&parameters).skip(1) {
            if ty.kind() == Kind::Ref {
                let different = engine.space.terms.ne(argument, arguments[0]);
                engine.assume(&mut state, different);
            }
        }
        clear(program, engine, class, arguments[0], &mut state)?;
    }
    // There need not be any: the first object has to keep what is claimed by itself.
    let other = engine.input("some object", Type::class(program.class_name(class)));
    if is_constructor && !is_new {
        let different = engine.space.terms.ne(other, arguments[0]);
        engine.assume(&mut state, different);
    }
    let outcome = engine.call(method, arguments.clone(), state);
    let own = is_constructor.then(|| arguments[0]);
    let ends = if is_constructor || writes_fields(program, method, class) {
        ends(engine, class, outcome, own, other)
    } else {
        made(engine, outcome, other)
    };
    Some(Claims { ends, unfinished: own.filter(|_| !is_new) })
}

/// Whether a method sets a field of the class itself, by its own code.
fn writes_fields(program: &Program, method: MethodId, class: ClassId) -> bool {
    let Ok(Some(body)) = program.lower(method) else { return true };
    let mut written = body.instructions.iter().filter_map(|at| match at.op {
        Op::PutField(field, ..) => Some(field),
        _ => None,
    });
    written.any(|field| {
        let found = program.resolve_field(field.class, field.name, field.descriptor).found();
        found.is_none_or(|found| found.class == class)
    })
}

/// The same of a method that makes objects and leaves their fields to constructors: what it made is as these
/// left it, each time.
fn made(engine: &mut Engine<'_>, outcome: Outcome, other: Term) -> Vec<(State, Vec<Term>)> {
    let mut ends = Vec::new();
    ends.extend(outcome.returned.map(|(state, _)| (state, vec![other])));
    ends.extend(outcome.thrown.map(|(state, _)| (state, vec![other])));
    for built in std::mem::take(&mut engine.built) {
        ends.extend(built.states.into_iter().map(|state| (state, vec![built.object])));
    }
    let backs = engine.cuts.iter().filter_map(|cut| cut.back.as_ref());
    ends.extend(backs.map(|back| (back.state.clone(), vec![other])));
    ends
}

/// The states of which the invariants are claimed, with the objects: `own` is under construction, `other`
/// is any other object of the class.
fn ends(
    engine: &mut Engine<'_>,
    class: ClassId,
    outcome: Outcome,
    own: Option<Term>,
    other: Term,
) -> Vec<(State, Vec<Term>)> {
    let mut others = engine.objects_made(class);
    others.retain(|&object| Some(object) != own);
    others.push(other);
    let mut ends = Vec::new();
    if let Some((state, _)) = outcome.returned {
        ends.push((state, others.iter().copied().chain(own).collect()));
    }
    // Who got hold of the object before it was finished may ask it from then on.
    let shown = own.map_or_else(Vec::new, |own| engine.states_that_show(own));
    if let Some((state, _)) = outcome.thrown {
        let is_shown = |own: &Term| !shown.is_empty() || engine.shows(&state, &[], *own);
        let lost = own.filter(is_shown);
        ends.push((state, others.iter().copied().chain(lost).collect()));
    }
    ends.extend(shown.into_iter().map(|state| (state, own.into_iter().collect())));
    // What a turn of a loop made is, in the next one, an object like any other.
    let backs = engine.cuts.iter().filter_map(|cut| cut.back.as_ref());
    for back in backs {
        ends.push((back.state.clone(), others.clone()));
    }
    ends
}

fn assume_not_null(engine: &mut Engine<'_>, state: &mut State, object: Term) {
    let is_null = engine.is_null(object);
    let not_null = engine.space.terms.not(is_null);
    engine.assume(state, not_null);
}

/// The types of the receiver and the parameters.
fn parameters(program: &Program, method: MethodId) -> Option<Vec<Type>> {
    let (class, declared) = program.method(method);
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor))?;
    let mut types = descriptor.parameter_types(&program.names);
    if !declared.access_flags.is_static() {
        types.insert(0, Type::class(class.name));
    }
    Some(types)
}

/// The fields of a new object are zero. Its runtime type stays open, because constructors run for
/// subclasses too.
fn clear(
    program: &Program,
    engine: &mut Engine<'_>,
    class: ClassId,
    this: Term,
    state: &mut State,
) -> Option<()> {
    let ancestry = program.ancestry(program.class(class)?);
    let all: BTreeSet<ClassId> = ancestry.superclasses.iter().copied().chain([class]).collect();
    for id in all {
        for (field, declared) in program.class(id)?.fields() {
            if !declared.access_flags.is_static() {
                engine.clear_field(state, field, this)?;
            }
        }
    }
    Some(())
}

impl Run<'_> {
    /// The candidates that hold of all objects when the method ends, if all of them did when it began.
    /// Nothing where not all of it was followed.
    fn kept(&mut self, candidates: &[Candidate], solver: &mut Solver) -> Option<Vec<Candidate>> {
        let stopped = self.engine.stopped(0, |_| true);
        let mut broken: Vec<Term> = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let condition = self.broken(candidate);
            broken.push(condition.unwrap_or_else(|| self.engine.space.terms.bool(true)));
        }
        solver.reset();
        let mut roots = broken.clone();
        roots.push(stopped);
        let known = assumed(&mut self.engine, candidates, &roots, self.claims.unfinished);
        roots.extend_from_slice(&known);
        let facts = self.engine.space.facts_about(&roots);
        for fact in known.into_iter().chain(facts) {
            solver.assert(&mut self.engine.space.terms, fact);
        }
        if self.may_be(stopped, solver) {
            return None;
        }
        let mut open: Vec<(&Candidate, Term)> = candidates.iter().zip(broken).collect();
        self.drop_by_examples(&mut open, solver);
        open.retain(|&(_, broken)| !self.may_be(broken, solver));
        Some(open.into_iter().map(|(candidate, _)| candidate.clone()).collect())
    }

    /// Asks for an example that breaks any of them, drops what it breaks, and asks again: where all are
    /// kept, that is one question.
    fn drop_by_examples(&mut self, open: &mut Vec<(&Candidate, Term)>, solver: &mut Solver) {
        let mut evaluator = Evaluator::new();
        loop {
            let terms = &mut self.engine.space.terms;
            let broken: Vec<Term> = open.iter().map(|&(_, broken)| broken).collect();
            let any = terms.or(&broken);
            match solver.check(terms, any) {
                Answer::Unsat => open.iter_mut().for_each(|it| it.1 = terms.bool(false)),
                Answer::Sat(example) => {
                    let before = open.len();
                    open.retain(|&(_, broken)| !evaluator.all_hold(terms, &[broken], &example));
                    if open.len() < before {
                        continue;
                    }
                }
                Answer::Unknown(_) => {}
            }
            return;
        }
    }

    /// That it does not hold of one of the objects in the end.
    fn broken(&mut self, candidate: &Candidate) -> Option<Term> {
        let mut ways = Vec::new();
        for (state, objects) in &self.claims.ends {
            let guard = self.engine.guard(state);
            for &object in objects {
                let holds = candidate.holds_in(&mut self.engine, state, object)?;
                let is_null = self.engine.is_null(object);
                let is_kept = self.engine.space.terms.or2(is_null, holds);
                let fails = self.engine.space.terms.not(is_kept);
                ways.push(self.engine.space.terms.and2(guard, fails));
            }
        }
        Some(self.engine.space.terms.or(&ways))
    }

    fn may_be(&mut self, condition: Term, solver: &mut Solver) -> bool {
        if self.engine.space.terms.is_false(condition) {
            return false;
        }
        !matches!(solver.check(&mut self.engine.space.terms, condition), Answer::Unsat)
    }
}

/// The candidates, said of every object whose fields the terms speak of, except one: where it exists, because
/// candidates that contradict each other would otherwise contradict everything.
pub(super) fn assumed(
    engine: &mut Engine<'_>,
    candidates: &[Candidate],
    roots: &[Term],
    except: Option<Term>,
) -> Vec<Term> {
    let reads = engine.field_reads(roots);
    assumed_of(engine, candidates, reads, except)
}

/// The same of the objects of these reads.
pub(crate) fn assumed_of(
    engine: &mut Engine<'_>,
    candidates: &[Candidate],
    reads: Vec<FieldRead>,
    except: Option<Term>,
) -> Vec<Term> {
    let except = except.map(|object| engine.key(object));
    let mut facts = Vec::new();
    for read in reads {
        let Some(owner) = read.owner() else { continue };
        let null = engine.space.null();
        let nobody = engine.key(null);
        let exists = engine.space.terms.ne(owner, nobody);
        let is_other = match except {
            Some(except) => engine.space.terms.ne(owner, except),
            None => engine.space.terms.bool(true),
        };
        let is_meant = engine.space.terms.and2(exists, is_other);
        for candidate in candidates.iter().filter(|candidate| candidate.speaks_of(read.field)) {
            let fact = candidate.holds_at(engine, &read);
            facts.extend(fact.map(|fact| engine.space.terms.implies(is_meant, fact)));
        }
    }
    facts.sort_unstable();
    facts.dedup();
    facts
}
