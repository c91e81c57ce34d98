//! Pairs with loops and recursion, on all inputs.
//!
//! Of methods that call themselves, the calls from within are one and the same unknown call in both
//! versions, made with the same arguments in the same heap: both do the same if they do so under that
//! hypothesis.
//!
//! Loops that do not end within the bound are cut at their headers, and what the two versions share there
//! is found by weakening: claim everything, give up what fails, run again. The rest, and that the outcomes
//! are the same, is then a proof for every number of turns, if both versions end.

use program::{MethodId, Program};
use rustc_hash::FxHashMap;
use smt::{Answer, Solver};
use symex::symbolic::{Budget, LoopPlan, Related, Space, Term, relate};

use super::asking::ask;
use super::closed::{Closed, prove_in_closed_form};
use super::matching::MethodPair;
use super::proof::{Both, Headers, Proved, Question, Unwound, assumptions, guards, open};
use crate::verdict::{Gap, GapKind, Scope};

/// Rounds of weakening before it is given up.
const ROUNDS: usize = 24;
/// Terms whose making costs as much as a question.
const TERMS_PER_CHARGE: usize = 4_000;
/// Rounds for all alignments of one pair.
const ALL_ROUNDS: usize = 48;

/// How the turns of two loops are put beside each other.
#[derive(Debug, Clone, Copy)]
struct Alignment {
    /// Of the old and of the new version: turns before they are.
    peel: (u32, u32),
    /// Turns beyond the first that count as one.
    more: (u32, u32),
    has_bounds: bool,
}

/// Cheapest and most common first.
const ALIGNMENTS: [Alignment; 8] = [
    Alignment { peel: (0, 0), more: (0, 0), has_bounds: false },
    Alignment { peel: (1, 1), more: (0, 0), has_bounds: false },
    Alignment { peel: (0, 0), more: (0, 0), has_bounds: true },
    Alignment { peel: (1, 0), more: (0, 0), has_bounds: false },
    Alignment { peel: (0, 1), more: (0, 0), has_bounds: false },
    Alignment { peel: (1, 1), more: (0, 0), has_bounds: true },
    Alignment { peel: (0, 0), more: (1, 0), has_bounds: true },
    Alignment { peel: (0, 0), more: (0, 1), has_bounds: true },
];

/// Tries to prove a pair of which these loops and calls have no near end.
pub(super) fn prove_by_induction(
    question: &Question<'_>,
    unwound: Unwound,
    solver: &mut Solver,
) -> Proved<Scope> {
    if !unwound.calls_itself() {
        return prove_loops(question, &unwound.loops, solver);
    }
    // All of these pairs do the same, if they do so under the assumption that calls from within do.
    let hypothesis = recursive_pairs(question, &unwound);
    if hypothesis.is_empty() {
        return open(GapKind::Approximation, "only one version calls itself");
    }
    let mut pairs = hypothesis.clone();
    pairs.retain(|pair| pair.new != question.pair.new);
    pairs.push(question.pair.clone());
    let mut prove_all = |step: fn(&Question<'_>, &mut Solver) -> Proved<Scope>| {
        let mut assumptions = std::collections::BTreeSet::new();
        for pair in &pairs {
            let question = Question { pair, hypothesis: &hypothesis, ..*question };
            assumptions.extend(step(&question, solver)?.assumptions);
        }
        let assumptions = assumptions.into_iter().collect();
        Ok(Scope { bound: None, assumptions, same_code: false })
    };
    prove_all(prove_pure_step).or_else(|_: Vec<Gap>| prove_all(prove_step))
}

/// One pair of methods that only compute: calls from within are then functions of their arguments, in
/// whatever order they are made. That they change nothing and never throw is shown beside.
fn prove_pure_step(question: &Question<'_>, solver: &mut Solver) -> Proved<Scope> {
    if question.is_abstract {
        return open(GapKind::Approximation, "what is called alike may have effects");
    }
    let question = Question { is_pure: true, ..*question };
    solver.reset();
    let mut both = question.run(question.shallow(), Default::default());
    let unwound = Unwound::of(&both);
    if !unwound.is_empty() {
        return open(GapKind::Approximation, "a loop beside the recursion");
    }
    let returned = [&both.one.returned, &both.two.returned];
    let has_effects =
        returned.into_iter().flatten().any(|(state, _)| both.second.has_effects(state));
    if has_effects {
        return open(GapKind::Approximation, "it has effects");
    }
    let thrown = [&both.one.thrown, &both.two.thrown];
    let thrown: Vec<Term> =
        thrown.into_iter().flatten().map(|(state, _)| both.second.guard(state)).collect();
    let throws = both.second.space.terms.or(&thrown);
    for at in 0..both.second.space.facts.len() {
        let fact = both.second.space.facts[at];
        solver.assert(&mut both.second.space.terms, fact);
    }
    let n_facts = both.second.space.facts.len();
    if ask(&mut both.second, solver, throws)?.is_some() {
        return open(GapKind::Approximation, "it may throw");
    }
    conclude(&question, both, solver, n_facts, Closed::default())
}

/// The same, with methods that end by calling themselves as loops: one version may have been a loop before.
pub(super) fn prove_turned(question: &Question<'_>, solver: &mut Solver) -> Proved<Scope> {
    let question = Question { is_turned: true, ..*question };
    solver.reset();
    let both = question.run(question.shallow(), Default::default());
    let unwound = Unwound::of(&both);
    drop(both);
    prove_by_induction(&question, unwound, solver)
}

/// One pair, with calls from within as the hypothesis says.
fn prove_step(question: &Question<'_>, solver: &mut Solver) -> Proved<Scope> {
    solver.reset();
    let both = question.run(question.shallow(), Default::default());
    let unwound = Unwound::of(&both);
    if !unwound.loops.0.is_empty() || !unwound.loops.1.is_empty() {
        return prove_loops(question, &unwound.loops, solver);
    }
    conclude(question, both, solver, 0, Closed::default())
}

/// The methods that call themselves in either version, with their counterparts.
fn recursive_pairs(question: &Question<'_>, unwound: &Unwound) -> Vec<MethodPair> {
    let mut found: Vec<MethodPair> = Vec::new();
    let mut add = |old: MethodId, new: MethodId| {
        if !found.iter().any(|pair| pair.old == old || pair.new == new) {
            found.push(MethodPair { old, new, is_edited: true, assumptions: Vec::new() });
        }
    };
    let (old, new) = (question.old.0, question.new.0);
    for &method in &unwound.calls.0 {
        match counterpart(old, method, new) {
            _ if method == question.pair.old => add(method, question.pair.new),
            Some(other) => add(method, other),
            None => {}
        }
    }
    for &method in &unwound.calls.1 {
        match counterpart(new, method, old) {
            _ if method == question.pair.new => add(question.pair.old, method),
            Some(other) => add(other, method),
            None => {}
        }
    }
    found
}

/// The method of the same class, name and descriptor in another program.
fn counterpart(program: &Program, method: MethodId, other: &Program) -> Option<MethodId> {
    let (class, declared) = program.method(method);
    let (name, descriptor) =
        (program.names.text(declared.name), program.names.text(declared.descriptor));
    let class = other.class(other.find_class_text(&program.names.text(class.name))?)?;
    let same = |method: &program::Method| {
        other.names.text(method.name) == name && other.names.text(method.descriptor) == descriptor
    };
    class.methods().find(|(_, method)| same(method)).map(|(id, _)| id)
}

fn prove_loops(
    question: &Question<'_>,
    cut: &(Headers, Headers),
    solver: &mut Solver,
) -> Proved<Scope> {
    if cut.0.is_empty() != cut.1.is_empty() {
        return prove_in_closed_form(question, cut, solver);
    }
    let mut first_gaps = None;
    let mut rounds_left = ALL_ROUNDS;
    // What the platform does in loops is seen by those that follow it.
    let n_tried = if question.is_closed { 1 } else { ALIGNMENTS.len() };
    for (at, alignment) in ALIGNMENTS.into_iter().take(n_tried).enumerate() {
        // Closed forms cost less than most alignments.
        let closed = (at == 1).then(|| prove_in_closed_form(question, cut, solver));
        if let Some(Ok(scope)) = closed {
            return Ok(scope);
        }
        match prove_aligned(question, cut.clone(), alignment, &mut rounds_left, solver) {
            Ok(scope) => return Ok(scope),
            Err(gaps) => {
                first_gaps.get_or_insert(gaps);
            }
        }
    }
    Err(first_gaps.unwrap_or_default())
}

fn prove_aligned(
    question: &Question<'_>,
    cut: (Headers, Headers),
    alignment: Alignment,
    rounds_left: &mut usize,
    solver: &mut Solver,
) -> Proved<Scope> {
    let budget = question.shallow();
    let budget = Budget {
        instructions: budget.instructions.min(30_000),
        terms: budget.terms.min(100_000),
        ..budget
    };
    let mut plans = (
        plan(cut.0, alignment.peel.0, alignment.more.0, alignment.has_bounds),
        plan(cut.1, alignment.peel.1, alignment.more.1, alignment.has_bounds),
    );
    for _ in 0..ROUNDS {
        if *rounds_left == 0 || solver.is_spent() {
            break;
        }
        *rounds_left -= 1;
        solver.reset();
        let mut both = question.run(budget, plans.clone());
        solver.charge((both.second.space.terms.len() / TERMS_PER_CHARGE) as u64);
        let mut n_facts = 0;
        let related = relate(&mut both.first, &mut both.second, &mut |space, conditions| {
            exclude(space, &mut n_facts, conditions, solver)
        });
        match related {
            Related::Failed(reason) => return open(GapKind::Approximation, reason),
            Related::Again(one, two) => (plans.0.shapes, plans.1.shapes) = (one, two),
            Related::Inductive => {
                return conclude(question, both, solver, n_facts, Closed::default());
            }
        }
    }
    open(GapKind::Budget, "no claim about the loops was found that every turn keeps")
}

fn plan(cut: Headers, peel: u32, more_turns: u32, has_bounds: bool) -> LoopPlan {
    LoopPlan { cut, shapes: Vec::new(), peel, more_turns, has_bounds, copies_at_once: true }
}

/// Which of the conditions can never hold.
fn exclude(
    space: &mut Space,
    n_facts: &mut usize,
    conditions: &[Term],
    solver: &mut Solver,
) -> Vec<bool> {
    for at in *n_facts..space.facts.len() {
        let fact = space.facts[at];
        solver.assert(&mut space.terms, fact);
    }
    *n_facts = space.facts.len();
    let mut is_excluded = vec![true; conditions.len()];
    loop {
        let open = |at: &usize| is_excluded[*at];
        let left: Vec<usize> = (0..conditions.len()).filter(open).collect();
        let question: Vec<Term> = left.iter().map(|&at| conditions[at]).collect();
        let question = space.terms.or(&question);
        if space.terms.is_false(question) {
            return is_excluded;
        }
        let hit = match solver.check(&mut space.terms, question) {
            Answer::Unsat => return is_excluded,
            // What is too much at once may not be, one by one.
            Answer::Unknown(_) if left.len() > 1 => {
                for at in left {
                    let answer = solver.check(&mut space.terms, conditions[at]);
                    is_excluded[at] = matches!(answer, Answer::Unsat);
                }
                return is_excluded;
            }
            Answer::Unknown(_) => Vec::new(),
            Answer::Sat(model) => {
                let mut evaluator = smt::Evaluator::new();
                let holds =
                    |at: &usize| evaluator.all_hold(&space.terms, &[conditions[*at]], &model);
                left.iter().copied().filter(holds).collect()
            }
        };
        // What no model shows is not known to be excluded.
        let hit = if hit.is_empty() { left } else { hit };
        for at in hit {
            is_excluded[at] = false;
        }
    }
}

/// Whether every loop in closed form ends, or ends if one of the other version does: what is said of the
/// last turn rests on there being one.
fn all_end(both: &mut Both<'_>, solver: &mut Solver, closed: &Closed) -> bool {
    closed.endings.iter().all(|ending| {
        ending.has_twin(both, &closed.endings)
            || ending.in_turns.iter().any(|&goes_on| {
                let terms = &mut both.second.space.terms;
                let goes_on = terms.substitute(goes_on, &closed.forms, &mut FxHashMap::default());
                matches!(ask(&mut both.second, solver, goes_on), Ok(None))
            })
    })
}

/// The outcomes, now that the loops are covered.
pub(super) fn conclude(
    question: &Question<'_>,
    mut both: Both<'_>,
    solver: &mut Solver,
    n_facts: usize,
    mut closed: Closed,
) -> Proved<Scope> {
    let different = both.differ(question)?;
    let stops = guards(&both.first, &both.second, |_| true);
    let stopped = both.second.space.terms.or(&stops);
    closed.tell_reads(&mut both, &[different, stopped]);
    let mut memo = FxHashMap::default();
    let mut in_closed_form = |both: &mut Both<'_>, term: Term| {
        both.second.space.terms.substitute(term, &closed.forms, &mut memo)
    };
    for at in n_facts..both.second.space.facts.len() {
        let fact = both.second.space.facts[at];
        let fact = in_closed_form(&mut both, fact);
        solver.assert(&mut both.second.space.terms, fact);
    }
    if !all_end(&mut both, solver, &closed) {
        let detail = "whether both versions end for the same inputs was not proved";
        return open(GapKind::Approximation, detail);
    }
    for &fact in &closed.facts {
        let fact = in_closed_form(&mut both, fact);
        solver.assert(&mut both.second.space.terms, fact);
    }
    let different = in_closed_form(&mut both, different);
    let stopped = in_closed_form(&mut both, stopped);
    if ask(&mut both.second, solver, stopped)?.is_some() {
        let first = both.first.stops.iter().chain(&both.second.stops).next();
        let reason = first.map_or_else(String::new, |stop| stop.reason.clone());
        return open(GapKind::Unsupported, reason);
    }
    if ask(&mut both.second, solver, different)?.is_some() {
        return open(GapKind::Approximation, "the versions may differ behind their loops");
    }
    let returned = both.one.returned.as_ref().map(|(state, _)| state);
    let thrown = both.one.thrown.as_ref().map(|(state, _)| state);
    let ends: Vec<Term> =
        [returned, thrown].into_iter().flatten().map(|state| both.second.guard(state)).collect();
    let reached = both.second.space.terms.or(&ends);
    let reached = in_closed_form(&mut both, reached);
    if ask(&mut both.second, solver, reached)?.is_none() {
        return open(GapKind::Approximation, "no input is known to reach an end");
    }
    let mut assumptions = assumptions(&both.first, &both.second);
    assumptions.push("both versions end".to_owned());
    assumptions.sort();
    let mut scope = Scope { bound: None, assumptions, same_code: false };
    both.tell_strings(solver, &closed.forms, &mut scope);
    both.tell_exceptions(solver, &closed.forms, &mut scope);
    Ok(scope)
}
