//! Objects whose fields should hold certain values: arguments and setters are chosen so that as many of
//! them do as can be, by trying.

use std::sync::Arc;

use program::{Class, FieldId, Name};
use symex::concrete::{Machine, Value};

use super::super::recipe::{Effect, Recipe};
use super::classes::{Made, class_of};
use super::explore::{bases, pick};
use super::generics::Bindings;
use super::want::Want;
use super::ways::Way;
use super::{Recipes, Supply};

/// What a field should hold.
pub struct Aim {
    pub field: FieldId,
    /// The type of the field.
    pub want: Want,
    pub recipe: Arc<Recipe>,
    /// What the recipe makes.
    pub value: Value,
}

impl Supply<'_> {
    /// Objects of the class, each made in another way.
    pub fn aimed(&mut self, machine: &mut Machine<'_>, class: &Class, aims: &[Aim]) -> Vec<Made> {
        const MAX_WAYS: usize = 4;
        let ways = self.ways(class, &Bindings::default());
        let mut found = Vec::new();
        for way in ways.iter().take(MAX_WAYS) {
            self.open.push(class.id);
            let made = self.aimed_way(machine, class, way, aims);
            self.open.pop();
            let Some(made) = made else { continue };
            found.push(self.aimed_changes(machine, class, made, aims));
        }
        found
    }

    /// The same object wherever the recipe that comes back occurs.
    pub fn one_object(&mut self, recipe: Arc<Recipe>) -> Arc<Recipe> {
        Arc::new(Recipe::Shared(self.new_number(), recipe))
    }

    fn aimed_way(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        way: &Way,
        aims: &[Aim],
    ) -> Option<Made> {
        const MAX_BASES: usize = 4;
        let mut lists: Vec<Recipes> =
            way.wants.iter().map(|want| self.values(machine, want, 1)).collect();
        way.drop_nulls(&mut lists);
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        let starts = bases(&lengths, MAX_BASES).into_iter().map(|indices| pick(&lists, &indices));
        let starts: Vec<Vec<Arc<Recipe>>> = starts.collect();
        let (mut arguments, mut best) = starts.into_iter().find_map(|arguments| {
            let made = self.keep(machine, class, way.recipe(arguments.clone()))?;
            Some((arguments, made))
        })?;
        let mut reached = score(machine, &best, aims);
        for at in 0..arguments.len() {
            for aim in aims {
                if !fits(machine, self.view.program, aim, &way.wants[at]) {
                    continue;
                }
                // What is dropped from the values of a parameter is not for it.
                if *aim.recipe == Recipe::Null && !lists[at].contains(&aim.recipe) {
                    continue;
                }
                let mut others = arguments.clone();
                others[at] = aim.recipe.clone();
                let made = self.keep(machine, class, way.recipe(others.clone()));
                let Some(made) = made else { continue };
                let score = score(machine, &made, aims);
                if score > reached {
                    (arguments, best, reached) = (others, made, score);
                }
            }
        }
        Some(best)
    }

    /// The object after those setters that bring it nearer.
    fn aimed_changes(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        made: Made,
        aims: &[Aim],
    ) -> Made {
        if matches!(*made.recipe, Recipe::Constant(_)) {
            return made;
        }
        let mut reached = score(machine, &made, aims);
        let mut best: Option<Made> = None;
        let mut effects: Vec<Effect> = Vec::new();
        for (mutator, wants) in self.mutators(class) {
            let [want] = &wants[..] else { continue };
            for aim in aims {
                if reached == aims.len() {
                    break;
                }
                if !fits(machine, self.view.program, aim, want) {
                    continue;
                }
                let effect = mutator.effect(vec![aim.recipe.clone()]);
                let more: Vec<Effect> = effects.iter().cloned().chain(effect).collect();
                let Some(changed) = self.after(machine, &made, class, &more) else { continue };
                let score = score(machine, &changed, aims);
                if score > reached {
                    (reached, best, effects) = (score, Some(changed), more);
                }
            }
        }
        best.unwrap_or(made)
    }
}

/// How many fields hold what they should.
fn score(machine: &mut Machine<'_>, made: &Made, aims: &[Aim]) -> usize {
    let Value::Ref(object) = made.object else { return 0 };
    let is_met = |aim: &&Aim| {
        machine.read_field(object, aim.field).is_ok_and(|value| is_same(value, aim.value))
    };
    aims.iter().filter(is_met).count()
}

/// Bit by bit, so that NaN is itself and -0.0 is not 0.0.
fn is_same(one: Value, two: Value) -> bool {
    match (one, two) {
        (Value::Float(one), Value::Float(two)) => one.to_bits() == two.to_bits(),
        (Value::Double(one), Value::Double(two)) => one.to_bits() == two.to_bits(),
        (one, two) => one == two,
    }
}

/// Whether the value may be passed as such a parameter.
fn fits(machine: &Machine<'_>, program: &program::Program, aim: &Aim, want: &Want) -> bool {
    if aim.want == *want {
        return true;
    }
    match (want, &*aim.recipe) {
        (Want::Primitive(primitive), Recipe::Literal(literal)) => literal.primitive() == *primitive,
        (Want::Primitive(_), _) | (_, Recipe::Literal(_)) => false,
        (Want::Array(_) | Want::Class { .. }, Recipe::Null) => true,
        (Want::Array(_), _) => false,
        // What goes into a generic type is respected, as for any other value.
        (Want::Class { name, arguments, is_raw }, _) => {
            arguments.is_empty() && !is_raw && is_a(machine, program, aim.value, *name)
        }
    }
}

fn is_a(machine: &Machine<'_>, program: &program::Program, value: Value, name: Name) -> bool {
    let (Some(class), Some(wanted)) = (class_of(machine, value), program.find_class(name)) else {
        return false;
    };
    program.is_subtype(class, wanted) == Some(true)
}
