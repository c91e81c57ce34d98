//! Which values go together in one call.

use std::sync::Arc;

use program::Type;

use super::story::Chance;
use crate::witness::Recipe;

const MOST_CALLS: usize = 300;
/// Calls with one large input and any others.
const OTHERS: usize = 3;

/// Every choice of values if there are few, else a spread of them; then the same object twice wherever
/// two inputs have one type.
pub(super) fn combinations(values: &[Vec<Arc<Recipe>>], types: &[Type]) -> Vec<Vec<Arc<Recipe>>> {
    if values.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let total: usize = values
        .iter()
        .map(Vec::len)
        .try_fold(1usize, |product, n| product.checked_mul(n))
        .unwrap_or(usize::MAX);
    let pick = |mut number: usize| -> Vec<Arc<Recipe>> {
        values
            .iter()
            .map(|of_one| {
                let at = number % of_one.len();
                number /= of_one.len();
                of_one[at].clone()
            })
            .collect()
    };
    let mut found: Vec<Vec<Arc<Recipe>>> =
        if total <= MOST_CALLS { (0..total).map(pick).collect() } else { spread(values) };
    let mut aliased = Vec::new();
    for one in 0..types.len() {
        for two in one + 1..types.len() {
            if types[one] == types[two] && types[one].kind() == program::Kind::Ref {
                for recipe in values[one].iter().filter(|recipe| ***recipe != Recipe::Null).take(4)
                {
                    let mut objects = pick(0);
                    let shared = Arc::new(Recipe::Shared(1_000_000, recipe.clone()));
                    objects[one] = shared.clone();
                    objects[two] = shared;
                    aliased.push(objects);
                }
            }
        }
    }
    found.extend(aliased);
    found
}

/// A fixed pseudo-random walk through the choices. Of two inputs that have the same choices, the second
/// is often the same as the first, or its neighbour.
fn spread(values: &[Vec<Arc<Recipe>>]) -> Vec<Vec<Arc<Recipe>>> {
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let mut calls = Vec::with_capacity(MOST_CALLS);
    for _ in 0..MOST_CALLS {
        let mut picked: Vec<usize> = Vec::with_capacity(values.len());
        for (at, of_one) in values.iter().enumerate() {
            let like = (0..at).find(|&before| values[before].len() == of_one.len());
            let choice = match (like, chance.below(3)) {
                (Some(before), 0) => picked[before],
                (Some(before), 1) => (picked[before] + 1) % of_one.len(),
                (_, _) => chance.below(of_one.len()),
            };
            picked.push(choice);
        }
        let objects = picked.iter().zip(values).map(|(&at, of_one)| of_one[at].clone());
        calls.push(objects.collect());
    }
    calls
}

/// Calls with one large input each.
pub(super) fn with_large(
    values: &[Vec<Arc<Recipe>>],
    large: &[Vec<Arc<Recipe>>],
) -> Vec<Vec<Arc<Recipe>>> {
    if values.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let mut chance = Chance(0x1234_5678_9abc_def1);
    let mut calls = Vec::new();
    for (at, of_one) in large.iter().enumerate() {
        for recipe in of_one {
            for _ in 0..OTHERS {
                let others = values.iter().map(|of_one| chance.pick(of_one).clone());
                let mut objects: Vec<Arc<Recipe>> = others.collect();
                objects[at] = recipe.clone();
                calls.push(objects);
            }
            if values.len() == 1 {
                calls.truncate(calls.len() - (OTHERS - 1));
            }
        }
    }
    calls
}
