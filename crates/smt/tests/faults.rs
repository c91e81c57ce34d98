//! A solver that misbehaves costs one answer, never a wrong one, and never the answers after it.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use common::{ask_always, solver_program};
use smt::{Answer, Options, Reason, Solver, Sort, Term, Terms, Value};

/// A directory of its own for each test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("jury-smt-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary directory");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program that does `first` when it is started for the first time, and is z3 from then on. `first`
/// sees each line from the client in `$line`.
fn fake(scratch: &Path, first: &str) -> Options {
    let path = scratch.join("solver");
    let script = format!(
        "if [ -e '{flag}' ]; then exec '{z3}' -smt2 -in; fi\n\
         touch '{flag}'\n\
         while read -r line; do\n{first}\ndone\n",
        flag = scratch.join("flag").display(),
        z3 = solver_program().display(),
    );
    fs::write(&path, script).expect("a script");
    // Through the shell: a script that was just written may be "busy" while other tests fork.
    Options {
        program: Some("/bin/sh".into()),
        arguments: Some(vec![path.display().to_string()]),
        ..ask_always()
    }
}

/// For the tests that wait for the kill; still long enough for a real answer on a busy machine.
fn impatient(options: Options) -> Options {
    Options { kill_after: Duration::from_secs(4), ..options }
}

/// Answers `check-sat` with `verdict`, `get-value` with `model` and echoes as told.
fn scripted(verdict: &str, model: &str) -> String {
    format!(
        "case \"$line\" in\n\
         '(check-sat'*) {verdict};;\n\
         '(get-value'*) {model};;\n\
         '(get-info :rlimit)') echo '(:rlimit 1)';;\n\
         '(get-info'*) echo '(:reason-unknown \"incomplete\")';;\n\
         '(echo '*) echo \"$line\" | sed 's/(echo \"\\(.*\\)\")/\\1/';;\n\
         esac"
    )
}

struct Questions {
    terms: Terms,
    x: Term,
    satisfiable: Term,
    contradiction: Term,
}

/// `x > 5` assumed; can `x * x = 49` be, can `x < 3` be?
fn questions(solver: &mut Solver) -> Questions {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::BitVec(32));
    let (five, three, square) = (terms.int(5), terms.int(3), terms.int(49));
    let assumed = terms.slt(five, x);
    solver.push();
    solver.assert(&mut terms, assumed);
    let product = terms.mul(x, x);
    let satisfiable = terms.eq(product, square);
    let contradiction = terms.slt(x, three);
    Questions { terms, x, satisfiable, contradiction }
}

/// The first question ends in `reason`, the others are answered rightly by the next process.
fn expect_one_gap(options: Options, reason: &str) {
    let mut solver = Solver::new(options);
    let Questions { mut terms, x, satisfiable, contradiction } = questions(&mut solver);
    let answer = solver.check(&mut terms, satisfiable);
    let Answer::Unknown(found) = answer else { panic!("{answer:?} instead of {reason}") };
    assert_eq!(found.name(), reason, "{found:?}");
    let answer = solver.check(&mut terms, contradiction);
    assert!(matches!(answer, Answer::Unsat), "{answer:?}");
    let Answer::Sat(model) = solver.check(&mut terms, satisfiable) else { panic!("satisfiable") };
    let value = model.value(&terms, terms.as_symbol(x).expect("a symbol"));
    let int = value.as_int().expect("an int");
    assert!(int > 5 && int.wrapping_mul(int) == 49, "{int}");
    assert_eq!(solver.stats().restarts, 1);
    assert_eq!(solver.stats().n_unknown(), 1);
    assert_eq!(solver.stats().unknown.get(reason), Some(&1));
}

#[test]
fn a_solver_that_dies_in_a_question() {
    let scratch = Scratch::new();
    let options = fake(&scratch.0, &scripted("exit 3", ":"));
    expect_one_gap(options, "died");
}

/// An answer counts only from a process that is there to confirm its end.
#[test]
fn a_solver_that_dies_after_a_word() {
    for word in ["unsat", "sat", "unknown"] {
        let scratch = Scratch::new();
        let options = fake(&scratch.0, &scripted(&format!("echo {word}; exit 0"), ":"));
        expect_one_gap(options, "died");
    }
}

#[test]
fn a_solver_that_is_killed_in_a_question() {
    let scratch = Scratch::new();
    let options = fake(&scratch.0, &scripted("kill -9 $$", ":"));
    expect_one_gap(options, "died");
}

#[test]
fn a_solver_that_dies_before_its_model() {
    let scratch = Scratch::new();
    let options = fake(&scratch.0, &scripted("echo sat", "exit 0"));
    expect_one_gap(options, "died");
}

#[test]
fn a_solver_that_hangs() {
    let scratch = Scratch::new();
    let options = impatient(fake(&scratch.0, &scripted("exec sleep 60", ":")));
    expect_one_gap(options, "killed");
}

#[test]
fn a_solver_that_never_reads() {
    let scratch = Scratch::new();
    let options = impatient(fake(&scratch.0, "exec sleep 60"));
    expect_one_gap(options, "killed");
}

#[test]
fn a_solver_that_prints_garbage() {
    for garbage in ["echo 'maybe ((('", "printf '\\377\\376\\n'", "echo sat; echo sat", "echo"] {
        let scratch = Scratch::new();
        let options = fake(&scratch.0, &scripted(garbage, ":"));
        expect_one_gap(options, "nonsense");
    }
}

#[test]
fn a_solver_that_reports_an_error() {
    let scratch = Scratch::new();
    let error = "echo '(error \"line 1: unknown constant\")'";
    let options = fake(&scratch.0, &scripted(error, ":"));
    expect_one_gap(options, "nonsense");
}

/// One process that answers the first question badly and the later ones well.
fn expect_gap_then_truth(first: &str, model: &str, reason: &str) {
    let scratch = Scratch::new();
    let asked = scratch.0.join("asked");
    let once = format!(
        "if [ -e '{asked}' ]; then echo unsat; else touch '{asked}'; {first}; fi",
        asked = asked.display()
    );
    let mut solver = Solver::new(fake(&scratch.0, &scripted(&once, model)));
    let Questions { mut terms, satisfiable, contradiction, .. } = questions(&mut solver);
    let answer = solver.check(&mut terms, satisfiable);
    let Answer::Unknown(found) = answer else { panic!("{answer:?} instead of {reason}") };
    assert_eq!(found.name(), reason, "{found:?}");
    let answer = solver.check(&mut terms, contradiction);
    assert!(matches!(answer, Answer::Unsat), "{answer:?}");
    assert_eq!(solver.stats().restarts, 0);
}

#[test]
fn a_solver_that_gives_up() {
    expect_gap_then_truth("echo unknown", ":", "gave-up");
}

#[test]
fn a_model_that_is_wrong() {
    expect_gap_then_truth("echo sat", "echo '((s0 #x00000008))'", "wrong-model");
}

#[test]
fn a_model_that_is_incomplete() {
    for model in ["echo '()'", "echo '((s0 x))'", "echo '((s0 #x07))'", "echo '((s0'", ":"] {
        expect_gap_then_truth("echo sat", model, "incomplete-model");
    }
}

#[test]
fn no_program() {
    let mut solver = Solver::new(Options { program: Some("/nowhere/z3".into()), ..ask_always() });
    assert!(solver.locate().is_err_and(|missing| missing.to_string().contains("/nowhere/z3")));
    let Questions { mut terms, satisfiable, .. } = questions(&mut solver);
    let answer = solver.check(&mut terms, satisfiable);
    assert!(matches!(answer, Answer::Unknown(Reason::Missing(_))), "{answer:?}");
}

#[test]
fn a_program_that_does_not_run() {
    let scratch = Scratch::new();
    let path = scratch.0.join("solver");
    fs::write(&path, "not a program").expect("a file");
    let mut solver = Solver::new(Options { program: Some(path), ..ask_always() });
    let Questions { mut terms, satisfiable, .. } = questions(&mut solver);
    let answer = solver.check(&mut terms, satisfiable);
    assert!(matches!(answer, Answer::Unknown(Reason::Missing(_))), "{answer:?}");
}

/// Finding a product of two large primes: hopeless within any budget.
fn hard(terms: &mut Terms) -> Term {
    let (x, y) = (terms.symbol("x", Sort::BitVec(64)), terms.symbol("y", Sort::BitVec(64)));
    let product = terms.mul(x, y);
    let number = terms.bitvec(64, 4_294_967_291 * 4_294_967_279);
    let equal = terms.eq(product, number);
    let (one, bound) = (terms.bitvec(64, 1), terms.bitvec(64, 1 << 32));
    let parts = [terms.ult(one, x), terms.ult(one, y), terms.ult(x, bound), terms.ult(y, bound)];
    let mut all = parts.to_vec();
    all.push(equal);
    terms.and(&all)
}

#[test]
fn the_resource_limit_is_deterministic() {
    let mut solver = Solver::new(Options { resource_limit: 90_000, ..ask_always() });
    for _ in 0..2 {
        let Questions { mut terms, satisfiable, contradiction, .. } = questions(&mut solver);
        let parts = [hard(&mut terms), hard(&mut terms), hard(&mut terms), hard(&mut terms)];
        let question = terms.and(&parts);
        let answer = solver.check(&mut terms, question);
        assert!(matches!(answer, Answer::Unknown(Reason::ResourceOut)), "{answer:?}");
        assert!(matches!(solver.check(&mut terms, contradiction), Answer::Unsat));
        assert!(matches!(solver.check(&mut terms, satisfiable), Answer::Sat(_)));
        solver.reset();
    }
    assert_eq!(solver.stats().restarts, 0);
}

#[test]
fn sixty_four_mebibytes() {
    let options = Options { memory_mib: 64, resource_limit: 4_000_000_000, ..ask_always() };
    let mut solver = Solver::new(options);
    let Questions { mut terms, satisfiable, contradiction, .. } = questions(&mut solver);
    // Many large multiplications at once need far more than 64 MiB as circuits.
    let mut parts = Vec::new();
    for _ in 0..60 {
        parts.push(hard(&mut terms));
    }
    let question = terms.and(&parts);
    let answer = solver.check(&mut terms, question);
    let Answer::Unknown(reason) = answer else { panic!("{answer:?}") };
    assert!(["out-of-memory", "died"].contains(&reason.name()), "{reason:?}");
    assert!(matches!(solver.check(&mut terms, contradiction), Answer::Unsat));
    assert!(matches!(solver.check(&mut terms, satisfiable), Answer::Sat(_)));
}

#[test]
fn frames_survive_a_restart() {
    let scratch = Scratch::new();
    let mut solver = Solver::new(fake(&scratch.0, &scripted("exit 1", ":")));
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::BitVec(32)), terms.symbol("y", Sort::BitVec(32)));
    let less = terms.slt(x, y);
    solver.push();
    solver.assert(&mut terms, less);
    solver.push();
    let zero = terms.int(0);
    let positive = terms.slt(zero, x);
    solver.assert(&mut terms, positive);
    let negative = terms.slt(y, zero);
    assert!(matches!(solver.check(&mut terms, negative), Answer::Unknown(Reason::Died)));
    assert!(matches!(solver.check(&mut terms, negative), Answer::Unsat), "both levels are known");
    solver.pop();
    let Answer::Sat(model) = solver.check(&mut terms, negative) else { panic!("x < y < 0") };
    let value = |term| model.value(&terms, terms.as_symbol(term).expect("a symbol")).as_int();
    assert!(value(x) < value(y) && value(y) < Some(0));
    solver.pop();
    let greater = terms.slt(y, x);
    assert!(matches!(solver.check(&mut terms, greater), Answer::Sat(_)));
}

#[test]
fn the_same_question_gives_the_same_model() {
    let ask = |solver: &mut Solver| -> Vec<Value> {
        solver.reset();
        let mut terms = Terms::new();
        let sorts = [Sort::BitVec(32), Sort::BitVec(32), Sort::Float64, Sort::Bool];
        let symbols: Vec<Term> = sorts.iter().map(|&sort| terms.symbol("s", sort)).collect();
        let product = terms.mul(symbols[0], symbols[1]);
        let bound = terms.int(1000);
        let large = terms.slt(bound, product);
        let half = terms.float64(0.5);
        let small = terms.float_lt(symbols[2], half);
        let question = terms.and(&[large, small, symbols[3]]);
        let Answer::Sat(model) = solver.check(&mut terms, question) else { panic!("satisfiable") };
        let symbols = symbols.iter().map(|&term| terms.as_symbol(term).expect("a symbol"));
        symbols.map(|symbol| model.value(&terms, symbol)).collect()
    };
    let expected = ask(&mut Solver::new(ask_always()));
    let mut busy = Solver::new(ask_always());
    for _ in 0..3 {
        busy.reset();
        let Questions { mut terms, satisfiable, contradiction, .. } = questions(&mut busy);
        assert!(matches!(busy.check(&mut terms, satisfiable), Answer::Sat(_)));
        assert!(matches!(busy.check(&mut terms, contradiction), Answer::Unsat));
        let found = ask(&mut busy);
        assert!(found.iter().zip(&expected).all(|(one, two)| one.same(two)), "{found:?}");
    }
}
