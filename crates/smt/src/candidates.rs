//! Concrete inputs worth trying before anyone asks the solver: boundary values, the literals of the
//! question itself, and mixtures of these by a fixed seed. Deterministic: the same question gets the
//! same inputs, whatever ran before.

use crate::assignment::Assignment;
use crate::fold::{word32, word64};
use crate::sort::{Sort, mask};
use crate::terms::{Term, Terms};
use crate::walk::{Leaf, Marks};

/// Rounds in which every symbol takes the same place of its sort's list.
const UNIFORM: usize = 10;
/// Rounds in which each symbol takes its own.
const MIXED: usize = 30;
/// Nodes evaluated for one question in all rounds together.
const WORK: usize = 400_000;

/// The candidate inputs for a question.
pub(crate) struct Candidates {
    leaves: Vec<(Leaf, Sort)>,
    pools: Vec<(Sort, Vec<u64>)>,
    rounds: usize,
}

impl Candidates {
    pub(crate) fn new(terms: &Terms, roots: &[Term], marks: &mut Marks) -> Candidates {
        let cone = terms.cone(roots, marks);
        let sort_of = |leaf: Leaf| match leaf {
            Leaf::Symbol(symbol) => terms.symbol_sort(symbol),
            Leaf::Function(function) => terms.function_result(function),
        };
        let leaves: Vec<(Leaf, Sort)> =
            terms.leaves(roots, marks).into_iter().map(|leaf| (leaf, sort_of(leaf))).collect();
        let mut pools: Vec<(Sort, Vec<u64>)> = Vec::new();
        for &(_, sort) in &leaves {
            if !pools.iter().any(|pool| pool.0 == sort) {
                pools.push((sort, boundary_words(sort)));
            }
        }
        for &term in &cone {
            let Some(word) = terms.as_const(term) else { continue };
            let sort = terms.sort(term);
            if let Some((_, pool)) = pools.iter_mut().find(|pool| pool.0 == sort)
                && pool.len() < 64
            {
                add_literal(pool, sort, word);
            }
        }
        let rounds = (WORK / (cone.len() + 1)).clamp(2, UNIFORM + MIXED);
        Candidates { leaves, pools, rounds }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Assignment> {
        (0..self.rounds).map(|round| self.candidate(round))
    }

    fn candidate(&self, round: usize) -> Assignment {
        let mut assignment = Assignment::new();
        for (place, &(leaf, sort)) in self.leaves.iter().enumerate() {
            let Some((_, pool)) = self.pools.iter().find(|pool| pool.0 == sort) else { continue };
            let choice =
                if round < UNIFORM { round } else { random(round, place) as usize % pool.len() };
            let word = pool[choice % pool.len()];
            match leaf {
                Leaf::Symbol(symbol) => assignment.set_word(symbol, word),
                Leaf::Function(function) => assignment.table_mut(function).default = word,
            }
        }
        assignment
    }
}

fn add_literal(pool: &mut Vec<u64>, sort: Sort, word: u64) {
    let near = match sort {
        Sort::BitVec(width) => {
            let all = mask(u32::from(width));
            vec![word, word.wrapping_add(1) & all, word.wrapping_sub(1) & all]
        }
        Sort::Bool | Sort::Float32 | Sort::Float64 | Sort::Uninterpreted(_) | Sort::Array(_) => {
            vec![word]
        }
    };
    for word in near {
        if !pool.contains(&word) {
            pool.push(word);
        }
    }
}

fn boundary_words(sort: Sort) -> Vec<u64> {
    const FLOATS: [f64; 10] =
        [0.0, 1.0, f64::NAN, -0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, 0.5, 2.0, 1e10];
    match sort {
        Sort::Bool => vec![0, 1],
        Sort::BitVec(width) => {
            let all = mask(u32::from(width));
            let words = [0, 1, all, all ^ (all >> 1), all >> 1, 2, 3, all - 1, 10, 97];
            words.iter().map(|word| word & all).collect()
        }
        Sort::Float32 => {
            let extremes = [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1)];
            FLOATS.iter().map(|&float| float as f32).chain(extremes).map(word32).collect()
        }
        Sort::Float64 => {
            let extremes = [f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1)];
            FLOATS.iter().copied().chain(extremes).map(word64).collect()
        }
        Sort::Uninterpreted(_) => vec![0, 1, 2, 3],
        Sort::Array(_) => vec![0],
    }
}

/// A number that looks random and depends on its two arguments only (splitmix64).
fn random(round: usize, place: usize) -> u64 {
    let mut state = (round as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place as u64 + 1) << 20;
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state ^ (state >> 31)) >> 8
}
