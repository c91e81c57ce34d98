//! Measures building and evaluating terms: `cargo run --release -p smt --example speed`.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use smt::{Assignment, Evaluator, Marks, Sort, Tape, Term, Terms};

const STEPS: u32 = 2_000;
const ROUNDS: u32 = 2_000;

/// A merged state as branches and hash computations leave it.
fn build(terms: &mut Terms) -> (Term, [Term; 2]) {
    let (x, y) = (terms.symbol("x", Sort::BitVec(32)), terms.symbol("y", Sort::BitVec(32)));
    let mut state = x;
    for step in 0..STEPS {
        let bound = terms.int(step as i32);
        let guard = terms.slt(state, bound);
        let product = terms.mul(state, y);
        let mixed = terms.bit_xor(&[product, state]);
        let factor = terms.int(31);
        let hash = terms.mul(factor, state);
        let sum = terms.add(hash, y);
        state = terms.ite(guard, mixed, sum);
    }
    (state, [x, y])
}

fn main() {
    let start = Instant::now();
    let mut terms = Terms::new();
    let (root, symbols) = build(&mut terms);
    let seconds = start.elapsed().as_secs_f64();
    println!("build: {} nodes, {:.1} M nodes/s", terms.len(), terms.len() as f64 / seconds / 1e6);

    let symbols = symbols.map(|term| terms.as_symbol(term).expect("a symbol"));
    let mut assignment = Assignment::new();
    let mut tape = Tape::new(&terms, &[root]);
    let mut sum = 0u64;
    let start = Instant::now();
    for round in 0..ROUNDS {
        for symbol in symbols {
            assignment.set_bits(&terms, symbol, u64::from(round));
        }
        tape.run(&terms, &assignment);
        sum = sum.wrapping_add(tape.bits(0));
    }
    let nodes = tape.len() as f64 * f64::from(ROUNDS);
    let speed = nodes / start.elapsed().as_secs_f64() / 1e6;
    println!("tape: {} nodes per run, {speed:.0} M nodes/s ({sum})", tape.len());

    let mut evaluator = Evaluator::new();
    let size = terms.dag_size(&[root], &mut Marks::new());
    let start = Instant::now();
    for _ in 0..ROUNDS {
        evaluator.eval(&terms, root, &assignment);
    }
    let nodes = size as f64 * f64::from(ROUNDS);
    let speed = nodes / start.elapsed().as_secs_f64() / 1e6;
    println!("on demand: {size} nodes, {speed:.0} M nodes/s (of the whole term)");
}
