//! Inputs of proofs, questions about them as the solver gets them, and what its models suggest.

use program::{MethodDescriptor, MethodId, Program, Type};
use smt::{Answer, Assignment, Solver};
use symex::symbolic::{Engine, Outcome, Plain, State, Term};

use super::proof::{Proved, open};
use crate::verdict::GapKind;
use crate::witness::supply::is_inner;

/// Questions of up to so many nodes are worth more work.
const SMALL: usize = 250;
/// Larger questions are not put to the solver.
const MOST_NODES: usize = 12_000;

/// What the solver suggests for each input, the receiver first; nothing where it cannot be built.
pub(super) type Suggestion = Vec<Option<Plain>>;

/// A model of the question, or nothing if it cannot be true.
pub(super) fn ask(
    engine: &mut Engine<'_>,
    solver: &mut Solver,
    question: Term,
) -> Proved<Option<Assignment>> {
    ask_for(engine, solver, question, false)
}

/// As [`ask`], with more work if the question is small: it is the one that all depends on.
pub(super) fn ask_hard(
    engine: &mut Engine<'_>,
    solver: &mut Solver,
    question: Term,
) -> Proved<Option<Assignment>> {
    ask_for(engine, solver, question, true)
}

fn ask_for(
    engine: &mut Engine<'_>,
    solver: &mut Solver,
    question: Term,
    is_worth_more: bool,
) -> Proved<Option<Assignment>> {
    if engine.space.terms.is_false(question) {
        return Ok(None);
    }
    let size = engine.space.terms.dag_size(&[question], &mut smt::Marks::new());
    if size > MOST_NODES {
        return open(GapKind::Budget, "the question is too large for the solver");
    }
    let answer = if is_worth_more && size <= SMALL {
        solver.check_with(&mut engine.space.terms, question, smt::Effort::Turns)
    } else {
        solver.check(&mut engine.space.terms, question)
    };
    match answer {
        Answer::Sat(model) => Ok(Some(model)),
        Answer::Unsat => Ok(None),
        Answer::Unknown(reason) => open(GapKind::Solver, reason.to_string()),
    }
}

/// The inputs of a model, as far as they stand for themselves.
pub(super) fn suggest(
    engine: &mut Engine<'_>,
    program: &Program,
    method: MethodId,
    model: &Assignment,
) -> Suggestion {
    let (class, declared) = program.method(method);
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor));
    let types = descriptor.map_or_else(Vec::new, |it| it.parameter_types(&program.names));
    let mut found = Vec::new();
    if !declared.access_flags.is_static() && declared.name != program.known.init {
        let ty = Type::class(class.name);
        let receiver = engine.input("this", ty);
        found.push(engine.plain(model, receiver, ty));
    }
    for (at, &ty) in types.iter().enumerate() {
        let input = engine.input(&format!("argument {at}"), ty);
        found.push(engine.plain(model, input, ty));
    }
    found
}

/// Runs the method on inputs that have the same names in both versions.
pub(super) fn run(
    engine: &mut Engine<'_>,
    program: &Program,
    method: MethodId,
    opens_calls: bool,
) -> Outcome {
    let (class, declared) = program.method(method);
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor));
    let types = descriptor.map_or_else(Vec::new, |it| it.parameter_types(&program.names));
    let mut arguments = Vec::with_capacity(types.len() + 1);
    let mut state = engine.start();
    if declared.name == program.known.init {
        arguments.push(engine.new_instance(class.id));
    } else if !declared.access_flags.is_static() {
        let receiver = engine.input("this", Type::class(class.name));
        assume_object(engine, &mut state, receiver);
        if opens_calls {
            engine.open_calls_on(receiver);
        }
        arguments.push(receiver);
    }
    let has_outer = declared.name == program.known.init && is_inner(program, class);
    for (at, &ty) in types.iter().enumerate() {
        let argument = engine.input(&format!("argument {at}"), ty);
        if at == 0 && has_outer {
            assume_object(engine, &mut state, argument);
        }
        arguments.push(argument);
    }
    let made = (declared.name == program.known.init).then(|| arguments[0]);
    let mut outcome = engine.call(method, arguments, state);
    // A constructor gives back the object that it was called on.
    if let (Some(made), Some((_, value))) = (made, &mut outcome.returned) {
        *value = Some(made);
    }
    outcome
}

fn assume_object(engine: &mut Engine<'_>, state: &mut State, reference: Term) {
    let is_null = engine.is_null(reference);
    let not_null = engine.space.terms.not(is_null);
    engine.assume(state, not_null);
}

/// The references among the inputs.
pub(super) fn inputs(engine: &mut Engine<'_>, program: &Program, method: MethodId) -> Vec<Term> {
    let (class, declared) = program.method(method);
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor));
    let types = descriptor.map_or_else(Vec::new, |it| it.parameter_types(&program.names));
    let mut found = Vec::new();
    if !declared.access_flags.is_static() && declared.name != program.known.init {
        found.push(engine.input("this", Type::class(class.name)));
    }
    for (at, &ty) in types.iter().enumerate().filter(|(_, ty)| ty.kind() == program::Kind::Ref) {
        found.push(engine.input(&format!("argument {at}"), ty));
    }
    found
}
