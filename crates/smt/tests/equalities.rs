//! What is decided by equalities and orders alone: never "no" to what can be, and "yes" only with values.

mod common;

use common::expr::{World, build, build_all};
use common::{Random, ask_always};
use smt::{Answer, Evaluator, Options, Solver, Sort, Term, Terms};

/// Whatever would be put to the process is too large for it.
fn alone() -> Solver {
    Solver::new(Options { resource_limit: 1, equalities: true, ..ask_always() })
}

#[test]
fn what_is_true_somewhere_is_never_refuted() {
    let mut random = Random(41);
    let mut evaluator = Evaluator::new();
    let mut solver = alone();
    let (mut n_asked, mut n_shown) = (0, 0);
    for _ in 0..6_000 {
        let mut world = World::new();
        let size = 8 + random.below(30);
        let nodes = world.random(&mut random, size);
        let made = build_all(&mut world, &nodes, build);
        let words = world.random_words(&mut random);
        let assignment = world.assignment(&words);
        // Each comparison as it comes out there, and some values.
        let mut facts = Vec::new();
        for at in (0..nodes.len()).filter(|&at| nodes[at].sort == Sort::Bool) {
            let holds = evaluator.all_hold(&world.terms, &[made[at]], &assignment);
            facts.push(if holds { made[at] } else { world.terms.not(made[at]) });
        }
        for _ in 0..6 {
            let (one, two) = (random.below(nodes.len()), random.below(nodes.len()));
            if nodes[one].sort == nodes[two].sort && !matches!(nodes[one].sort, Sort::Array(_)) {
                let same = world.terms.eq(made[one], made[two]);
                let holds = evaluator.all_hold(&world.terms, &[same], &assignment);
                facts.push(if holds { same } else { world.terms.not(same) });
            }
        }
        let question = world.terms.and(&facts);
        solver.reset();
        n_asked += 1;
        match solver.check(&mut world.terms, question) {
            Answer::Sat(model) => {
                n_shown += 1;
                assert!(evaluator.all_hold(&world.terms, &facts, &model));
            }
            Answer::Unsat => panic!("refuted, but true at {:?}\n{nodes:?}", words.symbols),
            Answer::Unknown(_) => {}
        }
    }
    assert!(n_shown * 3 > n_asked, "{n_shown} of {n_asked}");
}

/// Objects with fields: few symbols, functions of them, equalities both ways.
#[test]
fn functions_and_equalities_agree_with_the_process() {
    let mut random = Random(43);
    let (mut own, mut process) = (alone(), Solver::new(ask_always()));
    let (mut n_unsat, mut n_sat, mut n_open) = (0, 0, 0);
    for _ in 0..400 {
        let mut terms = Terms::new();
        let question = random_objects(&mut terms, &mut random);
        own.reset();
        process.reset();
        let theirs = process.check(&mut terms, question);
        match (own.check(&mut terms, question), theirs) {
            (Answer::Unsat, Answer::Unsat) => n_unsat += 1,
            (Answer::Sat(_), Answer::Sat(_)) => n_sat += 1,
            (Answer::Unsat, Answer::Sat(_)) => panic!("refuted what can be"),
            (Answer::Sat(_), Answer::Unsat) => panic!("shown what cannot be"),
            (Answer::Unknown(_), _) => n_open += 1,
            (_, Answer::Unknown(reason)) => panic!("{reason:?}"),
        }
    }
    let counts = format!("{n_unsat} refuted, {n_sat} shown, {n_open} open");
    assert!(n_unsat > 40 && n_sat > 60 && n_open < 60, "{counts}");
}

fn random_objects(terms: &mut Terms, random: &mut Random) -> Term {
    let (reference, number) = (Sort::BitVec(31), Sort::BitVec(32));
    let next = terms.declare_function("next", &[reference], reference);
    let size = terms.declare_function("size", &[reference], number);
    let near = terms.declare_function("near", &[reference, reference], Sort::Bool);
    let mut objects: Vec<Term> = (0..4).map(|_| terms.symbol("o", reference)).collect();
    objects.push(terms.bitvec(31, 0));
    for at in 0..3 {
        let more = terms.apply(next, &[objects[at]]);
        objects.push(more);
    }
    let mut numbers: Vec<Term> = objects.iter().map(|&it| terms.apply(size, &[it])).collect();
    numbers.push(terms.int(0));
    numbers.push(terms.int(7));
    let mut conditions = Vec::new();
    for _ in 0..14 {
        let [a, b] = [(); 2].map(|()| objects[random.below(objects.len())]);
        let [m, n] = [(); 2].map(|()| numbers[random.below(numbers.len())]);
        let mut condition = match random.below(5) {
            0 | 1 => terms.eq(a, b),
            2 => terms.eq(m, n),
            3 => terms.slt(m, n),
            _ => terms.apply(near, &[a, b]),
        };
        if random.below(2) == 0 {
            condition = terms.not(condition);
        }
        conditions.push(condition);
        let guard = conditions[random.below(conditions.len())];
        numbers.push(terms.ite(guard, m, n));
        // As hash codes weigh what they are made of.
        let weighed = [17, 31].map(|weight| terms.int(weight));
        let (one, two) = (terms.mul(weighed[0], m), terms.mul(weighed[1], n));
        numbers.push(terms.add(one, two));
    }
    let mut clauses = Vec::new();
    for _ in 0..24 {
        let [a, b] = [(); 2].map(|()| conditions[random.below(conditions.len())]);
        clauses.push(terms.or(&[a, b]));
    }
    terms.and(&clauses)
}

/// What needs arithmetic is left open where nobody may be asked.
#[test]
fn alone_the_process_is_not_asked() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::BitVec(32)), terms.symbol("y", Sort::BitVec(32)));
    let product = terms.mul(x, y);
    let seven = terms.int(7_919 * 7_907);
    let question = terms.eq(product, seven);
    let mut solver = Solver::new(Options { equalities: true, ..ask_always() });
    let answer = solver.check_with(&mut terms, question, smt::Effort::Alone);
    assert_eq!((solver.stats().by_solver, solver.stats().n_unknown()), (0, 1), "{answer:?}");
}

/// The factors of a sum belong to their terms: 31*a + 17*b is not 31*b + 17*a.
#[test]
fn factors_stay_with_their_terms() {
    let mut solver = alone();
    let mut terms = Terms::new();
    let t = &mut terms;
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| t.symbol(name, Sort::BitVec(32)));
    let (many, few) = (t.int(31), t.int(17));
    let sum = |t: &mut Terms, one: Term, two: Term| {
        let (one, two) = (t.mul(many, one), t.mul(few, two));
        t.add(one, two)
    };
    let (before, after) = (sum(t, a, b), sum(t, c, d));
    let (crossed, also, differ) = (t.eq(a, d), t.eq(b, c), t.ne(before, after));
    let swapped = t.and(&[crossed, also, differ]);
    assert!(!matches!(solver.check(t, swapped), Answer::Unsat));
    let (straight, also) = (t.eq(a, c), t.eq(b, d));
    let same = t.and(&[straight, also, differ]);
    assert!(matches!(solver.check(t, same), Answer::Unsat));
}

/// Zeros are equal, and have different bits.
#[test]
fn floats_that_are_equal_may_have_other_bits() {
    let mut terms = Terms::new();
    let (object, sort) = (Sort::BitVec(32), Sort::Float64);
    let field = terms.declare_function("field", &[object], sort);
    let (x, y) = (terms.symbol("x", object), terms.symbol("y", object));
    let (one, two) = (terms.apply(field, &[x]), terms.apply(field, &[y]));
    let equal = terms.float_eq(one, two);
    let bits = [one, two].map(|it| terms.float_to_bits(it));
    let differ = terms.ne(bits[0], bits[1]);
    // The hash of an ordinary class: other bits make it another one.
    let hashes = bits.map(|it| {
        let (half, high) = (terms.extract(31, 0, it), terms.extract(63, 32, it));
        let folded = terms.bit_xor(&[half, high]);
        let factor = terms.int(37);
        terms.mul(folded, factor)
    });
    let hash_differs = terms.ne(hashes[0], hashes[1]);
    for broken in [differ, hash_differs] {
        let question = terms.and(&[equal, broken]);
        let answer = alone().check(&mut terms, question);
        assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    }
}
