//! Whether loops may be worth following to their end: something in the code must say that there is a near one.

use std::collections::BTreeSet;

use program::ir::{Const, Op};
use program::{MethodId, Program};
use smt::Solver;
use symex::symbolic::Budget;

use super::proof::{Proved, Question, is_whole, open, prove_whole};
use crate::verdict::{GapKind, Scope};

/// Loops that turn more often than this are not followed to their end.
const MOST_TURNS: u32 = 130;

/// For loops that end after a number of turns that the code itself limits.
pub(super) const DEEP: Budget =
    Budget { instructions: 400_000, terms: 400_000, depth: 64, unroll: 48, recursion: 24 };

/// Follows loops whose end may be near; where it is not, a few turns prove nothing.
pub(super) fn prove_to_the_end(
    question: &Question<'_>,
    methods: &(BTreeSet<MethodId>, BTreeSet<MethodId>),
    of_few_turns: Proved<Scope>,
    solver: &mut Solver,
) -> Proved<Scope> {
    let of_versions = [(question.old.0, &methods.0), (question.new.0, &methods.1)];
    let shallow = question.shallow();
    let named = named_turns(of_versions, shallow.unroll, MOST_TURNS);
    if let Some(turns) = named.filter(|_| !question.edited.is_many) {
        let unroll = DEEP.unroll.max(turns + 1);
        let deep = prove_whole(question, Budget { unroll, ..DEEP }, false, solver);
        if is_whole(&deep) {
            return deep;
        }
    }
    of_all_turns(of_few_turns, shallow)
}

/// A few turns do not stand for many: sums overflow late, shifts come round, and data decides.
pub(super) fn of_all_turns(of_few_turns: Proved<Scope>, budget: Budget) -> Proved<Scope> {
    of_few_turns?;
    let (turns, calls) = (budget.unroll, budget.recursion);
    open(
        GapKind::Budget,
        format!(
            "the first {turns} turns of its loops (or {calls} nested calls) are the same, and later ones are open"
        ),
    )
}

/// How often loops that turn more than `few` times may have to be followed, if they may all end within
/// `many`: by the largest such number in the code. A text or a static field may say it as well.
fn named_turns(methods: [(&Program, &BTreeSet<MethodId>); 2], few: u32, many: u32) -> Option<u32> {
    let turns = |op: &Op| match op {
        Op::Const(Const::String(_)) | Op::GetStatic(_) => Some(few),
        Op::Const(constant) => number(*constant)
            .and_then(|number| u32::try_from(number).ok())
            .filter(|&number| number > few && number <= many),
        _ => None,
    };
    let of_methods = methods.into_iter().flat_map(|(program, methods)| {
        let bodies = methods.iter().filter_map(|&method| program.lower(method).ok().flatten());
        bodies.filter_map(|body| body.instructions.iter().filter_map(|it| turns(&it.op)).max())
    });
    of_methods.max()
}

fn number(constant: Const) -> Option<i64> {
    match constant {
        Const::Int(value) => Some(i64::from(value).abs()),
        Const::Long(value) => Some(value.saturating_abs()),
        Const::Float(bits) => Some(f32::from_bits(bits).abs() as i64),
        Const::Double(bits) => Some(f64::from_bits(bits).abs() as i64),
        Const::Null
        | Const::String(_)
        | Const::Class(_)
        | Const::MethodType(_)
        | Const::Dynamic(..) => None,
    }
}
