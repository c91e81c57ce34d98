//! Arguments for a call: a base that works, then one argument changed at a time, then mixtures.

use std::sync::Arc;

use super::super::recipe::Recipe;

/// Index vectors into lists of these lengths, in the order in which they are worth trying for a base:
/// all first values, all second ones and so on, the first ones but for one, then mixtures by a fixed
/// sequence.
pub(super) fn bases(lengths: &[usize], n_mixtures: usize) -> Vec<Vec<usize>> {
    const DIAGONALS: usize = 6;
    const MAX_VARIED: usize = 96;
    if lengths.contains(&0) {
        return Vec::new();
    }
    let diagonal = |rank: usize| lengths.iter().map(|&length| rank.min(length - 1)).collect();
    let mut found: Vec<Vec<usize>> = (0..DIAGONALS).map(diagonal).collect();
    // All last values: null, where it is allowed.
    found.push(lengths.iter().map(|&length| length - 1).collect());
    if n_mixtures > 0 && lengths.len() > 1 {
        found.extend(variations(&vec![0; lengths.len()], lengths).into_iter().take(MAX_VARIED));
    }
    found.extend(mixtures(lengths, n_mixtures));
    dedup(found)
}

/// The base with one index changed, lower ranks of all positions first.
pub(super) fn variations(base: &[usize], lengths: &[usize]) -> Vec<Vec<usize>> {
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let mut found = Vec::new();
    for rank in 0..longest {
        for position in 0..lengths.len() {
            if rank < lengths[position] && rank != base[position] {
                let mut varied = base.to_vec();
                varied[position] = rank;
                found.push(varied);
            }
        }
    }
    found
}

/// A fixed pseudo-random sequence, so that every run tries the same.
pub(super) fn mixtures(lengths: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut next = |bound: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    if lengths.contains(&0) {
        return Vec::new();
    }
    (0..count).map(|_| lengths.iter().map(|&length| next(length)).collect()).collect()
}

/// The chosen values.
pub(super) fn pick(lists: &[Arc<[Arc<Recipe>]>], indices: &[usize]) -> Vec<Arc<Recipe>> {
    lists.iter().zip(indices).map(|(list, &index)| list[index].clone()).collect()
}

fn dedup(mut list: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut seen = std::collections::BTreeSet::new();
    list.retain(|item| seen.insert(item.clone()));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_begin_with_the_ordinary_and_end_with_the_last() {
        let found = bases(&[3, 2], 0);
        assert_eq!(found[0], [0, 0]);
        assert_eq!(found[1], [1, 1]);
        assert_eq!(found[2], [2, 1]);
        assert!(bases(&[1, 0], 5).is_empty());
        assert_eq!(bases(&[], 3), [Vec::<usize>::new()]);
    }

    #[test]
    fn variations_change_one_position() {
        assert_eq!(variations(&[0, 0], &[2, 2]), [vec![1, 0], vec![0, 1]]);
    }
}
