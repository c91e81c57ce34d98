//! Trials with a little less in them: fewer calls, smaller objects and texts, numbers nearer to zero. Whether
//! they still show a difference is for the JVMs to say.

use std::sync::Arc;

use super::trial::Trial;
use crate::witness::{Literal, Recipe};

/// Arrays of more elements are made shorter, but not their elements smaller.
const FEW: usize = 6;

pub(super) fn shorter(trial: &Trial) -> Vec<Trial> {
    let mut found = Vec::new();
    for at in 0..trial.then.len() {
        let mut less = trial.clone();
        less.then.remove(at);
        found.push(less);
        if trial.then[at].times > 1 {
            let mut once = trial.clone();
            once.then[at].times = 1;
            found.push(once);
        }
        if trial.then.len() > 2 {
            let mut alone = trial.clone();
            alone.then = vec![trial.then[at].clone()];
            found.push(alone);
        }
    }
    if !trial.meanwhile.is_empty() {
        found.push(Trial { meanwhile: Vec::new(), ..trial.clone() });
    }
    for (at, object) in trial.witness.objects.iter().enumerate() {
        for less in less_of(object) {
            let mut shorter = trial.clone();
            shorter.witness.objects[at] = Arc::new(less);
            found.push(shorter);
        }
    }
    found
}

fn less_of(recipe: &Recipe) -> Vec<Recipe> {
    match recipe {
        Recipe::Shared(number, inner) => {
            let less = less_of(inner).into_iter();
            less.map(|it| Recipe::Shared(*number, Arc::new(it))).collect()
        }
        Recipe::After { object, effects } => {
            let fewer = (0..effects.len()).map(|at| {
                let mut effects = effects.clone();
                effects.remove(at);
                match effects.is_empty() {
                    true => object.as_ref().clone(),
                    false => Recipe::After { object: object.clone(), effects },
                }
            });
            let inner = less_of(object).into_iter();
            let inner = inner
                .map(|object| Recipe::After { object: Arc::new(object), effects: effects.clone() });
            fewer.chain(inner).collect()
        }
        Recipe::Array { component, items } => {
            let with = |items| Recipe::Array { component: component.clone(), items };
            let smaller = if items.len() <= FEW { less_of_one(items) } else { Vec::new() };
            parts(items).into_iter().chain(smaller).map(with).collect()
        }
        Recipe::Text(units) => {
            parts(units).into_iter().map(|units| Recipe::Text(units.into())).collect()
        }
        Recipe::Literal(literal) => nearer(*literal).map(Recipe::Literal).collect(),
        Recipe::Boxed(literal) => nearer(*literal).map(Recipe::Boxed).collect(),
        Recipe::New { constructor, arguments } => less_of_one(arguments)
            .into_iter()
            .map(|arguments| Recipe::New { constructor: constructor.clone(), arguments })
            .collect(),
        Recipe::Static { method, arguments } => less_of_one(arguments)
            .into_iter()
            .map(|arguments| Recipe::Static { method: method.clone(), arguments })
            .collect(),
        Recipe::Null
        | Recipe::Class(_)
        | Recipe::Call { .. }
        | Recipe::Constant(_)
        | Recipe::Stub(_) => Vec::new(),
    }
}

/// The list with one of its parts made smaller.
fn less_of_one(items: &[Arc<Recipe>]) -> Vec<Vec<Arc<Recipe>>> {
    let of_one = items.iter().enumerate().flat_map(|(at, item)| {
        less_of(item).into_iter().map(move |less| {
            let mut items = items.to_vec();
            items[at] = Arc::new(less);
            items
        })
    });
    of_one.collect()
}

/// Numbers that are nearer to zero, the nearest first: zero, one, half of it, one less.
fn nearer(literal: Literal) -> impl Iterator<Item = Literal> {
    let whole = |number: i64| {
        let mut found = vec![0, number.signum(), number / 2, number - number.signum()];
        found.retain(|it| it.unsigned_abs() < number.unsigned_abs());
        found.dedup();
        found
    };
    let real = |number: f64| {
        let mut found = vec![0.0, 1.0_f64.copysign(number), (number / 2.0).trunc(), number.trunc()];
        found.retain(|it| it.abs() < number.abs());
        found.dedup();
        found
    };
    let found: Vec<Literal> = match literal {
        Literal::Boolean(_) => Vec::new(),
        Literal::Byte(it) => {
            whole(it.into()).into_iter().map(|it| Literal::Byte(it as i8)).collect()
        }
        // A letter says more to people than a character of a small number.
        Literal::Char(_) => Vec::new(),
        Literal::Short(it) => {
            whole(it.into()).into_iter().map(|it| Literal::Short(it as i16)).collect()
        }
        Literal::Int(it) => {
            whole(it.into()).into_iter().map(|it| Literal::Int(it as i32)).collect()
        }
        Literal::Long(it) => whole(it).into_iter().map(Literal::Long).collect(),
        Literal::Float(bits) => {
            let found = real(f32::from_bits(bits).into());
            found.into_iter().map(|it| Literal::float(it as f32)).collect()
        }
        Literal::Double(bits) => {
            real(f64::from_bits(bits)).into_iter().map(Literal::double).collect()
        }
    };
    found.into_iter()
}

/// Halves of a list, and the list without its first, its last and a few others.
fn parts<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let half = items.len() / 2;
    if items.is_empty() {
        return Vec::new();
    }
    let mut found = vec![items[..half].to_vec(), items[half..].to_vec(), items[1..].to_vec()];
    found.push(items[..items.len() - 1].to_vec());
    if items.len() > 2 && items.len() <= 12 {
        for at in 1..items.len() - 1 {
            found.push([&items[..at], &items[at + 1..]].concat());
        }
    }
    found.retain(|it| it.len() < items.len());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_nearer_to_zero_and_never_stay() {
        let nearer = |it| nearer(it).collect::<Vec<_>>();
        assert_eq!(nearer(Literal::Int(0)), []);
        assert_eq!(nearer(Literal::Int(-1)), [Literal::Int(0)]);
        let smaller = [0, -1, -1_073_741_824, -2_147_483_647].map(Literal::Int);
        assert_eq!(nearer(Literal::Int(i32::MIN)), smaller);
        assert_eq!(nearer(Literal::double(f64::NAN)), []);
        assert_eq!(nearer(Literal::double(-0.0)), []);
        assert_eq!(nearer(Literal::double(0.5)), [Literal::double(0.0)]);
    }

    #[test]
    fn what_objects_are_made_of_gets_smaller_too() {
        let member = crate::witness::Member {
            class: "A".into(),
            name: "<init>".into(),
            descriptor: "(I)V".into(),
            access: crate::witness::Access::Public,
            on_interface: false,
        };
        let new = |value| Recipe::New {
            constructor: member.clone(),
            arguments: vec![Arc::new(Recipe::Literal(Literal::Int(value)))],
        };
        assert_eq!(less_of(&new(3)), [new(0), new(1), new(2)]);
    }
}
