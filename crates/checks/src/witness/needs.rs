//! Which unusual values a recipe contains.
//!
//! People want to see what breaks with ordinary values first. What counts as unusual: NaN, -0.0, null,
//! numbers so large that sums of a few of them overflow, and arrays written into fields from outside.

use std::collections::BTreeSet;

use super::literal::Literal;
use super::recipe::{Effect, Recipe};
use crate::verdict::Need;

/// From here on, doubling an int overflows.
const EXTREME_INT: u32 = 1 << 30;
const EXTREME_LONG: u64 = 1 << 62;
const EXTREME_FLOAT: f64 = 1e37;
const EXTREME_DOUBLE: f64 = 1e300;
const TINY: f64 = 1e-37;

/// All unusual values in the recipe.
pub fn needs(recipe: &Recipe) -> BTreeSet<Need> {
    let mut found = BTreeSet::new();
    recipe.visit(&mut |recipe| match recipe {
        Recipe::Null => {
            found.insert(Need::Null);
        }
        Recipe::Literal(literal) | Recipe::Boxed(literal) => found.extend(literal_need(*literal)),
        Recipe::After { effects, .. } => {
            found.extend(effects.iter().any(writes_array_field).then_some(Need::FieldWrite));
        }
        Recipe::Text(_)
        | Recipe::Class(_)
        | Recipe::Stub(_)
        | Recipe::New { .. }
        | Recipe::Static { .. }
        | Recipe::Call { .. }
        | Recipe::Constant(_)
        | Recipe::Array { .. }
        | Recipe::Shared(..) => {}
    });
    found
}

/// The unusual values that an effect brings in.
pub(crate) fn effect_needs(effect: &Effect) -> BTreeSet<Need> {
    match effect {
        Effect::Call { arguments, .. } => {
            arguments.iter().flat_map(|recipe| needs(recipe)).collect()
        }
        Effect::Put { value, .. } => {
            let write = writes_array_field(effect).then_some(Need::FieldWrite);
            needs(value).into_iter().chain(write).collect()
        }
        Effect::Store { value, .. } => needs(value),
        Effect::Elsewhere { effect, .. } => effect_needs(effect),
    }
}

fn writes_array_field(effect: &Effect) -> bool {
    match effect {
        Effect::Put { field, .. } => field.descriptor.starts_with('['),
        Effect::Elsewhere { effect, .. } => writes_array_field(effect),
        Effect::Call { .. } | Effect::Store { .. } => false,
    }
}

fn literal_need(literal: Literal) -> Option<Need> {
    match literal {
        Literal::Int(value) => (value.unsigned_abs() >= EXTREME_INT).then_some(Need::Extreme),
        Literal::Long(value) => (value.unsigned_abs() >= EXTREME_LONG).then_some(Need::Extreme),
        Literal::Float(bits) => real_need(f64::from(f32::from_bits(bits)), EXTREME_FLOAT),
        Literal::Double(bits) => real_need(f64::from_bits(bits), EXTREME_DOUBLE),
        Literal::Boolean(_) | Literal::Byte(_) | Literal::Char(_) | Literal::Short(_) => None,
    }
}

fn real_need(value: f64, extreme: f64) -> Option<Need> {
    if value.is_nan() {
        Some(Need::Nan)
    } else if value == 0.0 {
        value.is_sign_negative().then_some(Need::NegativeZero)
    } else if value.abs() >= extreme || value.abs() <= TINY {
        Some(Need::Extreme)
    } else {
        None
    }
}
