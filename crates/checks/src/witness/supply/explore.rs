//! Arguments for a call: a base that works, then one argument changed at a time, then mixtures.

use std::sync::Arc;

use super::super::needs::needs;
use super::super::recipe::Recipe;
use super::want::Want;
use crate::verdict::Need;

/// Index vectors into lists of these lengths, in the order in which they are worth trying for a base:
/// all first values, all second ones, the first ones but for one, all third ones and so on, of which some
/// are null, then mixtures by a fixed sequence.
pub(super) fn bases(lengths: &[usize], n_mixtures: usize) -> Vec<Vec<usize>> {
    const USUAL: usize = 2;
    const DIAGONALS: usize = 6;
    const MAX_VARIED: usize = 96;
    if lengths.contains(&0) {
        return Vec::new();
    }
    let diagonal = |rank: usize| lengths.iter().map(|&length| rank.min(length - 1)).collect();
    let mut found: Vec<Vec<usize>> = (0..USUAL).map(diagonal).collect();
    if n_mixtures > 0 && lengths.len() > 1 {
        found.extend(variations(&vec![0; lengths.len()], lengths).into_iter().take(MAX_VARIED));
    }
    found.extend((USUAL..DIAGONALS).map(diagonal));
    found.extend(mixtures(lengths, n_mixtures));
    dedup(found)
}

/// The base with extreme numbers, or related texts, in two places and more at once: neighbours first,
/// because what rounds or overflows does so for numbers that are close together.
pub(super) fn together(base: &[usize], lists: &[Arc<[Arc<Recipe>]>]) -> Vec<Vec<usize>> {
    const MAX_PLACES: usize = 4;
    const MAX_TOGETHER: usize = 14;
    let mut found = Vec::new();
    for is_special in [is_extreme, is_compound] {
        let places: Vec<(usize, Vec<usize>)> = lists
            .iter()
            .enumerate()
            .map(|(place, list)| {
                let at = (0..list.len()).filter(|&at| is_special(&list[at]));
                (place, at.collect())
            })
            .filter(|(_, special): &(usize, Vec<usize>)| special.len() > 1)
            .collect();
        if !(2..=MAX_PLACES).contains(&places.len()) {
            continue;
        }
        let longest = places.iter().map(|(_, special)| special.len()).max().unwrap_or(0);
        let shifts = [1, 0, longest - 1].into_iter().chain(2..longest - 1);
        let steps = shifts.flat_map(|shift| (0..longest).map(move |at| (shift, at)));
        for (shift, at) in steps.take(MAX_TOGETHER) {
            let mut indices = base.to_vec();
            for (order, (place, special)) in places.iter().enumerate() {
                indices[*place] = special[(at + shift * order) % special.len()];
            }
            found.push(indices);
        }
    }
    dedup(found)
}

/// The base with different values in places of one type, in every order of them: what is compared may
/// be compared crosswise.
pub(super) fn permuted(
    base: &[usize],
    lists: &[Arc<[Arc<Recipe>]>],
    wants: &[Want],
) -> Vec<Vec<usize>> {
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for want in wants {
        let places: Vec<usize> = (0..wants.len()).filter(|&at| wants[at] == *want).collect();
        let [a, b, c] = places[..] else { continue };
        let values = (0..lists[a].len()).filter(|&at| *lists[a][at] != Recipe::Null);
        let values: Vec<usize> = values.take(3).collect();
        let &[_, _, _] = &values[..] else { continue };
        let orders = ORDERS.iter().map(|order| {
            let mut indices = base.to_vec();
            for (place, &at) in [a, b, c].into_iter().zip(order) {
                indices[place] = values[at];
            }
            indices
        });
        return orders.collect();
    }
    Vec::new()
}

fn is_extreme(recipe: &Recipe) -> bool {
    matches!(recipe, Recipe::Literal(_)) && needs(recipe).contains(&Need::Extreme)
}

/// A text that is made of the shortest ones.
fn is_compound(recipe: &Recipe) -> bool {
    const SIMPLE: u16 = b'a' as u16;
    match recipe {
        Recipe::Text(units) => {
            units[..] == [SIMPLE]
                || (units.len() > 1
                    && [units[0], units[units.len() - 1]]
                        .iter()
                        .all(|unit| [SIMPLE, SIMPLE + 1].contains(unit)))
        }
        Recipe::Null
        | Recipe::Literal(_)
        | Recipe::Boxed(_)
        | Recipe::Class(_)
        | Recipe::New { .. }
        | Recipe::Static { .. }
        | Recipe::Call { .. }
        | Recipe::Constant(_)
        | Recipe::Array { .. }
        | Recipe::After { .. }
        | Recipe::Stub(_)
        | Recipe::Shared(..) => false,
    }
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
    fn bases_begin_with_the_ordinary() {
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
