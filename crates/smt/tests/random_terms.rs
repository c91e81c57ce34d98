//! Random terms of every operator: what the constructors make means what was written, by evaluation
//! and for the solver.

mod common;

use common::expr::{Kind, Node, World, build, build_all, build_raw};
use common::{Random, ask_always, naive};
use smt::{Answer, Assignment, Evaluator, Op, Options, Solver, Sort, Tape, Term, Terms};

/// One mismatch, as a person needs it.
fn describe(nodes: &[Node], at: usize) -> String {
    let lines: Vec<String> =
        nodes[..=at].iter().enumerate().map(|(at, node)| format!("  {at}: {node:?}")).collect();
    lines.join("\n")
}

#[test]
fn simplified_terms_evaluate_as_written() {
    let mut random = Random(1);
    let mut evaluator = Evaluator::new();
    let (mut checked, mut seen) = (0, std::collections::HashSet::new());
    while checked < 100_000 {
        let mut world = World::new();
        for _ in 0..50 {
            let nodes = world.random(&mut random, 16);
            seen.extend(nodes.iter().map(|node| std::mem::discriminant(&node.kind)));
            let simplified = build_all(&mut world, &nodes, build);
            let raw = build_all(&mut world, &nodes, build_raw);
            let mut tape = Tape::new(&world.terms, &simplified);
            for _ in 0..2 {
                let words = world.random_words(&mut random);
                let assignment = world.assignment(&words);
                let expected = naive::evaluate(&nodes, &words);
                let lazily = evaluator.eval_all(&world.terms, &simplified, &assignment);
                let written = evaluator.eval_all(&world.terms, &raw, &assignment);
                tape.run(&world.terms, &assignment);
                for (at, node) in nodes.iter().enumerate() {
                    let expected = world.normal_value(node.sort, &expected[at]);
                    let taped = tape.value(&world.terms, at, &assignment);
                    for found in [&lazily[at], &written[at], &taped] {
                        assert!(
                            found.same(&expected),
                            "{found:?}, not {expected:?}\n{}\n{words:?}",
                            describe(&nodes, at),
                            words = words.symbols
                        );
                    }
                }
            }
            checked += nodes.iter().filter(|node| !node.args.is_empty()).count();
        }
    }
    assert_eq!(seen.len(), 57, "an operator was never generated");
}

/// Whether the solver sees all of the expression.
fn is_exact(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| node.kind != Kind::FloatRem)
}

#[test]
fn simplified_terms_are_equal_for_the_solver() {
    let mut random = Random(7);
    let options = Options { resource_limit: 150_000, ..ask_always() };
    let mut solver = Solver::new(options);
    let (mut proved, mut open) = (0, 0);
    while proved + open < 400 {
        let mut world = World::new();
        let nodes = world.random(&mut random, 10);
        let simplified = build_all(&mut world, &nodes, build);
        let raw = build_all(&mut world, &nodes, build_raw);
        let root = nodes.len() - 1;
        if !is_exact(&nodes) || raw[root] == simplified[root] {
            continue;
        }
        let same = world.terms.raw(Op::Eq, Sort::Bool, &[raw[root], simplified[root]]);
        let differ = world.terms.raw(Op::Not, Sort::Bool, &[same]);
        solver.reset();
        match solver.check(&mut world.terms, differ) {
            Answer::Unsat => proved += 1,
            Answer::Unknown(_) => open += 1,
            Answer::Sat(_) => panic!("not equal\n{}", describe(&nodes, root)),
        }
    }
    assert!(proved >= 340, "only {proved} of {} were decided: {:?}", proved + open, solver.stats());
}

#[test]
fn the_solver_evaluates_as_we_do() {
    let mut random = Random(11);
    let mut solver = Solver::new(ask_always());
    let mut evaluator = Evaluator::new();
    let mut checked = 0;
    while checked < 300 {
        let mut world = World::new();
        let nodes = world.random(&mut random, 12);
        let raw = build_all(&mut world, &nodes, build_raw);
        let words = world.random_words(&mut random);
        let assignment = world.assignment(&words);
        let root = nodes.len() - 1;
        let sort = nodes[root].sort;
        let scalars_only = nodes.iter().all(|node| {
            !matches!(node.sort, Sort::Array(_) | Sort::Uninterpreted(_))
                && !matches!(node.kind, Kind::Apply | Kind::Select)
        });
        if !is_exact(&nodes) || !scalars_only {
            continue;
        }
        solver.reset();
        for (&(symbol, sort), word) in world.symbols.iter().zip(&words.symbols) {
            if let common::expr::Word::Scalar(word) = word
                && !matches!(sort, Sort::Uninterpreted(_))
            {
                let constant = world.terms.raw(Op::Const(*word), sort, &[]);
                let equal = world.terms.raw(Op::Eq, Sort::Bool, &[symbol, constant]);
                solver.assert(&mut world.terms, equal);
            }
        }
        let mut tape = Tape::new(&world.terms, &[raw[root]]);
        tape.run(&world.terms, &assignment);
        let constant = world.terms.raw(Op::Const(tape.bits(0)), sort, &[]);
        let same = world.terms.raw(Op::Eq, Sort::Bool, &[raw[root], constant]);
        let differ = world.terms.raw(Op::Not, Sort::Bool, &[same]);
        match solver.check(&mut world.terms, differ) {
            Answer::Unsat => checked += 1,
            other => panic!(
                "{other:?} where we say {:?}\n{}\n{:?}",
                evaluator.eval(&world.terms, raw[root], &assignment),
                describe(&nodes, root),
                words.symbols
            ),
        }
    }
}

#[test]
fn every_model_satisfies_what_was_asked() {
    let mut random = Random(23);
    let mut solver =
        Solver::new(Options { resource_limit: 100_000, substitute: true, ..ask_always() });
    let mut evaluator = Evaluator::new();
    let mut models = 0;
    for _ in 0..400 {
        let mut world = World::new();
        let nodes = world.random(&mut random, 20);
        let simplified = build_all(&mut world, &nodes, build);
        let mut bools: Vec<_> = (0..nodes.len())
            .filter(|&at| nodes[at].sort == Sort::Bool)
            .map(|at| simplified[at])
            .collect();
        bools.drain(..bools.len().saturating_sub(3));
        let Some(question) = bools.pop() else { continue };
        solver.reset();
        for &assumed in &bools {
            solver.push();
            solver.assert(&mut world.terms, assumed);
        }
        match solver.check(&mut world.terms, question) {
            Answer::Sat(model) => {
                models += 1;
                bools.push(question);
                assert!(evaluator.all_hold(&world.terms, &bools, &model), "{bools:?}");
            }
            Answer::Unsat => {
                // Nothing that we can think of satisfies it either.
                bools.push(question);
                for _ in 0..50 {
                    let words = world.random_words(&mut random);
                    let assignment = world.assignment(&words);
                    assert!(!evaluator.all_hold(&world.terms, &bools, &assignment), "{nodes:?}");
                }
            }
            Answer::Unknown(reason) => {
                let expected = ["resource-out", "wrong-model", "incomplete-model"];
                assert!(expected.contains(&reason.name()), "{reason:?}");
                // Only a float remainder may be seen differently by the solver.
                if reason.name() != "resource-out" {
                    assert!(!is_exact(&nodes), "{reason:?}\n{}", describe(&nodes, nodes.len() - 1));
                }
            }
        }
    }
    assert!(models > 150, "{models}: {:?}", solver.stats());
}

#[test]
fn integers_refute_nothing_that_can_be_true() {
    let mut random = Random(41);
    let mut solver = Solver::new(Options { resource_limit: 40_000, ..ask_always() });
    let mut evaluator = Evaluator::new();
    let (mut asked, mut refuted) = (0, 0);
    while asked < 150 {
        let mut world = World::new();
        let nodes = world.random(&mut random, 24);
        let simplified = build_all(&mut world, &nodes, build);
        let words = world.random_words(&mut random);
        let assignment = world.assignment(&words);
        let bools = (0..nodes.len()).filter(|&at| nodes[at].sort == Sort::Bool);
        let bools: Vec<Term> = bools.map(|at| simplified[at]).collect();
        let mut all = Vec::new();
        for term in bools {
            let holds = evaluator.all_hold(&world.terms, &[term], &assignment);
            all.push(if holds { term } else { world.terms.not(term) });
        }
        all.retain(|&term| !world.terms.is_true(term));
        let Some(&last) = all.last() else { continue };
        asked += 1;
        solver.reset();
        assert!(!solver.is_refuted_in_integers(&world.terms, &all), "{nodes:?}");
        // The contrary of one of them cannot be true beside it.
        let contrary = world.terms.not(last);
        all.push(contrary);
        solver.reset();
        refuted += usize::from(solver.is_refuted_in_integers(&world.terms, &all));
    }
    assert!(refuted > 75, "{refuted} of {asked}");
}

/// All pairs of numbers of a width that Java does not have.
#[test]
fn integers_know_numbers_without_a_sign() {
    let mut solver = Solver::new(Options { resource_limit: 40_000, ..ask_always() });
    let mut evaluator = Evaluator::new();
    for pair in 0..64 {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::BitVec(3)), terms.symbol("y", Sort::BitVec(3)));
        let (a, b) = (terms.bitvec(3, pair / 8), terms.bitvec(3, pair % 8));
        let (sum, difference) = (terms.add(x, y), terms.sub(x, y));
        let signed = [terms.sign_extend(x, 8), terms.sign_extend(difference, 8)];
        let unsigned = [terms.zero_extend(y, 8), terms.zero_extend(difference, 8)];
        let (joined, low) = (terms.concat(x, y), terms.extract(1, 0, sum));
        let wide = [terms.zero_extend(joined, 32), terms.sign_extend(low, 32)];
        let conditions = [
            terms.slt(x, y),
            terms.ult(sum, y),
            terms.slt(difference, x),
            terms.slt(signed[0], signed[1]),
            terms.ult(unsigned[0], unsigned[1]),
            terms.slt(signed[0], unsigned[1]),
            terms.slt(wide[0], wide[1]),
        ];
        let known = [terms.eq(x, a), terms.eq(y, b)];
        let mut assignment = Assignment::new();
        assignment.set_bits(&terms, terms.as_symbol(x).expect("a symbol"), pair / 8);
        assignment.set_bits(&terms, terms.as_symbol(y).expect("a symbol"), pair % 8);
        for condition in conditions {
            let holds = evaluator.all_hold(&terms, &[condition], &assignment);
            let contrary = terms.not(condition);
            let (right, wrong) = if holds { (condition, contrary) } else { (contrary, condition) };
            solver.reset();
            assert!(!solver.is_refuted_in_integers(&terms, &[known[0], known[1], right]));
            solver.reset();
            assert!(solver.is_refuted_in_integers(&terms, &[known[0], known[1], wrong]), "{pair}");
        }
    }
}

/// Guards of nested branches over few symbols, where the rewrites of conjunctions meet each other.
#[test]
fn guards_by_truth_table() {
    const TABLES: [u16; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
    let mut random = Random(31);
    for _ in 0..400 {
        let mut terms = Terms::new();
        let mut made: Vec<(Term, u16)> =
            TABLES.iter().map(|&table| (terms.symbol("p", Sort::Bool), table)).collect();
        for _ in 0..60 {
            let [a, b, c] = [(); 3].map(|()| made[random.below(made.len())]);
            made.push(match random.below(6) {
                0 => (terms.not(a.0), !a.1),
                1 => (terms.and(&[a.0, b.0, c.0]), a.1 & b.1 & c.1),
                2 => (terms.or(&[a.0, b.0]), a.1 | b.1),
                3 => (terms.ite(a.0, b.0, c.0), (a.1 & b.1) | (!a.1 & c.1)),
                4 => (terms.xor(a.0, b.0), a.1 ^ b.1),
                // A branch and its join, in both arms something of their own.
                _ => {
                    let other = terms.not(b.0);
                    let (then, other) = (terms.and(&[a.0, b.0]), terms.and(&[a.0, other, c.0]));
                    (terms.or(&[then, other]), (a.1 & b.1) | (a.1 & !b.1 & c.1))
                }
            });
        }
        let roots: Vec<Term> = made.iter().map(|entry| entry.0).collect();
        let mut tape = Tape::new(&terms, &roots);
        for row in 0..16 {
            let mut assignment = Assignment::new();
            for (at, table) in TABLES.iter().enumerate() {
                let symbol = terms.as_symbol(roots[at]).expect("a symbol");
                assignment.set_bits(&terms, symbol, u64::from(table >> row));
            }
            tape.run(&terms, &assignment);
            for (at, entry) in made.iter().enumerate() {
                assert_eq!(tape.bits(at), u64::from(entry.1 >> row & 1), "node {at}, row {row}");
            }
        }
    }
}
