//! Answers of the real solver: functions, arrays, sorts, floats, and the ways around asking.

mod common;

use common::{ask_always, solver_program};
use smt::{Answer, Options, Solver, Sort, Terms, Value};

fn usual() -> Solver {
    Solver::new(Options { program: Some(solver_program()), ..Options::default() })
}

#[test]
fn functions_and_sorts() {
    let mut solver = Solver::new(ask_always());
    let mut terms = Terms::new();
    let t = &mut terms;
    let user = t.declare_sort("Ref");
    let f = t.declare_function("f", &[user, Sort::BitVec(32)], user);
    let hash = t.declare_function("hash", &[user], Sort::Float32);
    let (a, b) = (t.symbol("a", user), t.symbol("b", user));
    let i = t.symbol("i", Sort::BitVec(32));
    let (fa, fb) = (t.apply(f, &[a, i]), t.apply(f, &[b, i]));
    let (same, differ) = (t.eq(a, b), t.ne(fa, fb));
    let congruence = t.and(&[same, differ]);
    assert!(matches!(solver.check(t, congruence), Answer::Unsat));
    let (ha, hb) = (t.apply(hash, &[fa]), t.apply(hash, &[fb]));
    let order = t.float_lt(ha, hb);
    let Answer::Sat(model) = solver.check(t, order) else { panic!("satisfiable") };
    let (entries, _) = model.entries(t, hash);
    assert_eq!(entries.len(), 2);
    let nan = t.is_nan(ha);
    let equal = t.eq(ha, hb);
    let question = t.and(&[nan, equal, differ]);
    assert!(matches!(solver.check(t, question), Answer::Sat(_)));
}

#[test]
fn arrays() {
    let mut solver = Solver::new(ask_always());
    let mut terms = Terms::new();
    let t = &mut terms;
    let sort = t.array_sort(Sort::BitVec(32), Sort::Float64);
    let (a, b) = (t.symbol("a", sort), t.symbol("b", sort));
    let (i, j) = (t.symbol("i", Sort::BitVec(32)), t.symbol("j", Sort::BitVec(32)));
    let value = t.float64(2.5);
    let stored = t.store(a, i, value);
    let read = t.select(stored, j);
    let other = t.ne(read, value);
    let same = t.eq(i, j);
    let question = t.and(&[other, same]);
    assert!(matches!(solver.check(t, question), Answer::Unsat));
    let equal = t.eq(stored, b);
    let question = t.and(&[other, equal]);
    let Answer::Sat(model) = solver.check(t, question) else { panic!("satisfiable") };
    let Value::Array(array) = model.value(t, t.as_symbol(b).expect("b")) else { panic!("array") };
    let found = array.entries.iter().any(|entry| entry.1.same(&Value::Float64(2.5)));
    assert!(found || array.default.same(&Value::Float64(2.5)), "{array:?}");
}

#[test]
fn floats() {
    let mut solver = Solver::new(Options { resource_limit: 30_000_000, ..ask_always() });
    let mut terms = Terms::new();
    let t = &mut terms;
    let (x, y) = (t.symbol("x", Sort::Float32), t.symbol("y", Sort::Float32));
    // compareTo by `<` and `>` says equal where equals says different: 0.0 and -0.0, or NaN.
    let (lt, gt) = (t.float_lt(x, y), t.float_lt(y, x));
    let (not_lt, not_gt) = (t.not(lt), t.not(gt));
    let (bits_x, bits_y) = (t.float_to_bits(x), t.float_to_bits(y));
    let differ = t.ne(bits_x, bits_y);
    let question = t.and(&[not_lt, not_gt, differ]);
    assert!(matches!(solver.check(t, question), Answer::Sat(_)));
    let equal = t.float_eq(x, y);
    let question = t.and(&[question, equal]);
    let Answer::Sat(model) = solver.check(t, question) else { panic!("0.0 and -0.0") };
    let value = model.value(t, t.as_symbol(x).expect("x"));
    assert!(value == Value::Float32(0.0), "{value:?}");
    // Arithmetic, then bits again.
    let sum = t.float_add(x, y);
    let bits = t.float_to_bits(sum);
    let seven = t.bitvec(32, u64::from(7.25f32.to_bits()));
    let question = t.eq(bits, seven);
    assert!(matches!(solver.check(t, question), Answer::Sat(_)));
    let int = t.float_to_int(x, 32);
    let max = t.int(i32::MAX);
    let saturated = t.eq(int, max);
    let bound = t.float32(1e9);
    let small = t.float_lt(x, bound);
    let question = t.and(&[saturated, small]);
    assert!(matches!(solver.check(t, question), Answer::Unsat));
    let nan = t.is_nan(x);
    let odd_nan = t.bitvec(32, 0x7fc0_0001);
    let payload = t.eq(bits_x, odd_nan);
    let question = t.and(&[nan, payload]);
    assert!(matches!(solver.check(t, question), Answer::Unsat), "there is one NaN");
}

#[test]
fn a_float_remainder_is_never_wrong() {
    let mut solver = Solver::new(ask_always());
    let mut terms = Terms::new();
    let t = &mut terms;
    let x = t.symbol("x", Sort::Float64);
    let three = t.float64(3.0);
    let remainder = t.java_frem(x, three);
    let ten = t.float64(10.0);
    let impossible = t.float_eq(remainder, ten);
    let answer = solver.check(t, impossible);
    assert!(
        matches!(&answer, Answer::Unknown(reason) if reason.name() == "wrong-model"),
        "{answer:?}"
    );
}

#[test]
fn most_questions_need_no_solver() {
    let mut solver = usual();
    let mut terms = Terms::new();
    let t = &mut terms;
    let (x, y) = (t.symbol("x", Sort::BitVec(32)), t.symbol("y", Sort::BitVec(32)));
    let (five, seven) = (t.int(5), t.int(7));
    let is_five = t.eq(x, five);
    let is_seven = t.eq(x, seven);
    let both = t.and(&[is_five, is_seven]);
    assert!(matches!(solver.check(t, both), Answer::Unsat));
    assert_eq!(solver.stats().by_simplification, 1);
    let min = t.int(i32::MIN);
    let (minus, zero) = (t.neg(x), t.int(0));
    let negative = t.slt(x, zero);
    let still = t.slt(minus, zero);
    let question = t.and(&[negative, still]);
    let Answer::Sat(model) = solver.check(t, question) else { panic!("MIN_VALUE") };
    assert_eq!(model.value(t, t.as_symbol(x).expect("x")).as_int(), Some(i32::MIN));
    assert_eq!(solver.stats().by_evaluation, 1);
    let is_min = t.eq(x, min);
    assert!(matches!(solver.check(t, is_min), Answer::Sat(_)));
    assert_eq!(solver.stats().by_evaluation, 2);
    // An assumed equality decides a later question.
    solver.push();
    let sum = t.add(x, five);
    let equal = t.eq(y, sum);
    solver.assert(t, equal);
    let difference = t.sub(y, x);
    let wrong = t.ne(difference, five);
    assert!(matches!(solver.check(t, wrong), Answer::Unsat));
    assert_eq!(solver.stats().by_simplification, 2);
    solver.pop();
    assert!(matches!(solver.check(t, wrong), Answer::Sat(_)));
    assert_eq!(solver.stats().by_solver, 0);
    assert_eq!(solver.stats().queries, 5);
}

#[test]
fn shared_nodes_are_printed_once() {
    let mut solver = Solver::new(ask_always());
    let mut terms = Terms::new();
    let t = &mut terms;
    let mut term = t.symbol("x", Sort::BitVec(64));
    let mask = t.long(0x0f0f_0f0f_0f0f_0f0f);
    let other = t.symbol("y", Sort::BitVec(64));
    // As a tree this has 2^60 nodes.
    for _ in 0..60 {
        let low = t.bit_and(&[term, mask]);
        let high = t.bit_or(&[term, other]);
        term = t.bit_xor(&[low, high]);
    }
    let zero = t.long(0);
    let question = t.eq(term, zero);
    let answer = solver.check(t, question);
    assert!(!matches!(answer, Answer::Unsat), "all zeros satisfy it");
}

#[test]
fn clean_code_asks_many_questions_quickly() {
    let mut solver = Solver::new(ask_always());
    let mut terms = Terms::new();
    let t = &mut terms;
    let x = t.symbol("x", Sort::BitVec(32));
    let zero = t.int(0);
    let positive = t.slt(zero, x);
    solver.assert(t, positive);
    for at in 0..500 {
        let bound = t.int(-at);
        let question = t.slt(x, bound);
        assert!(matches!(solver.check(t, question), Answer::Unsat));
    }
    assert_eq!(solver.stats().by_solver + solver.stats().by_simplification, 500);
    assert_eq!(solver.stats().restarts, 0);
}

#[test]
fn large_questions_stay_cheap() {
    let mut solver = Solver::new(ask_always());
    let mut usual = usual();
    let mut terms = Terms::new();
    let t = &mut terms;
    let mut parts = Vec::new();
    let mut last = t.symbol("x", Sort::BitVec(32));
    let (zero, one) = (t.int(0), t.int(1));
    for _ in 0..1500 {
        let next = t.symbol("x", Sort::BitVec(32));
        let sum = t.add(last, one);
        parts.push(t.eq(next, sum));
        let (p, q) = (t.symbol("p", Sort::Bool), t.symbol("q", Sort::Bool));
        parts.push(t.or(&[p, q]));
        last = next;
    }
    parts.push(t.eq(last, zero));
    let question = t.and(&parts);
    for solver in [&mut solver, &mut usual] {
        assert!(matches!(solver.check(t, question), Answer::Sat(_)), "{:?}", solver.stats());
    }
}

#[test]
fn concrete_inputs_alone() {
    let mut solver =
        Solver::new(Options { program: Some("/nowhere".into()), ..Options::default() });
    let mut terms = Terms::new();
    let t = &mut terms;
    let x = t.symbol("x", Sort::Float64);
    let itself = t.float_eq(x, x);
    let odd = t.not(itself);
    let found = solver.try_concrete(t, odd).expect("NaN");
    assert!(found.value(t, t.as_symbol(x).expect("x")).same(&Value::Float64(f64::NAN)));
    let never = t.float_lt(x, x);
    assert!(solver.try_concrete(t, never).is_none());
}

/// One solver per worker thread.
#[test]
fn solvers_move_between_threads() {
    fn is_send<T: Send>(_: &T) {}
    is_send(&Solver::new(Options::default()));
    is_send(&Terms::new());
}

/// What was granted is used up by questions, and counts the same in every run.
#[test]
fn an_allowance_of_work() {
    let spend = || {
        let mut solver = Solver::new(ask_always());
        let mut terms = Terms::new();
        let t = &mut terms;
        let (x, y) = (t.symbol("x", Sort::BitVec(16)), t.symbol("y", Sort::BitVec(16)));
        let (product, wanted, one) = (t.mul(x, y), t.bitvec(16, 0x7fff), t.bitvec(16, 1));
        let (is_product, x_larger, y_larger) =
            (t.eq(product, wanted), t.ult(one, x), t.ult(one, y));
        let question = t.and(&[is_product, x_larger, y_larger]);
        solver.grant(10_000_000);
        assert!(matches!(solver.check(t, question), Answer::Sat(_)));
        let left = solver.grant(0);
        let other = t.ult(x, y);
        let question = t.and2(question, other);
        let answer = solver.check(t, question);
        assert!(matches!(answer, Answer::Unknown(smt::Reason::ResourceOut)), "{answer:?}");
        solver.grant(left);
        assert!(matches!(solver.check(t, question), Answer::Sat(_)));
        left
    };
    let left = spend();
    assert!(left < 10_000_000);
    assert_eq!(left, spend());
}
