//! Objects after a solver's model: what their fields should hold for a rule to be broken.
//!
//! A sketch proves nothing and promises nothing: objects that are built after it are asked like those of
//! the pool.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::{ClassId, FieldId, Program};
use symex::concrete::{Machine, Value};

use super::pool::Item;
use crate::witness::java::{literal_text, string_text};
use crate::witness::supply::{Aim, Made, Supply, Want};
use crate::witness::{Literal, Recipe};

/// Objects by number; 0 is null.
#[derive(Debug, Clone, Default)]
pub(super) struct Sketch {
    /// The objects that the rule speaks of, with their classes.
    pub(super) objects: Vec<(ClassId, u64)>,
    pub(super) fields: BTreeMap<u64, Vec<(FieldId, Held)>>,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    Literal(Literal),
    Object(u64),
    Text(Arc<[u16]>),
}

/// Fields of an object that people are told of.
const MOST_TOLD: usize = 3;

impl Sketch {
    /// The objects, with the fields whose values can be said in a word: `x (a = 1, name = null)`. Those of
    /// another class than the first say which.
    pub(super) fn text(&self, program: &Program) -> Option<String> {
        let mut told: Vec<String> = Vec::new();
        let first = self.objects.first().map(|&(class, _)| class);
        for (name, &(class, key)) in ["x", "y", "z"].iter().zip(&self.objects) {
            let name = if Some(class) == first {
                (*name).to_owned()
            } else {
                format!("{name}, a {},", program.class_text(program.class_name(class)))
            };
            let fields = self.fields.get(&key).into_iter().flatten();
            let values = fields.filter_map(|(field, held)| {
                let name = program.names.text(program.field(*field).1.name);
                Some(format!("{name} = {}", held.text()?))
            });
            let values: Vec<String> = values.take(MOST_TOLD).collect();
            if !values.is_empty() {
                told.push(format!("{name} ({})", values.join(", ")));
            }
        }
        (!told.is_empty()).then(|| told.join(" and "))
    }
}

impl Held {
    /// Of an object nothing short can be said.
    fn text(&self) -> Option<String> {
        match self {
            Held::Literal(literal) => Some(literal_text(*literal)),
            Held::Object(0) => Some("null".to_owned()),
            Held::Object(_) => None,
            Held::Text(units) => Some(string_text(units)),
        }
    }
}

/// Instructions that building after a sketch may take beyond what is left.
const EFFORT: u64 = 400_000;
/// Objects in objects in objects.
const DEEPEST: u32 = 2;

/// Objects as near to the sketch as calls lead.
pub(super) fn objects_after(
    machine: &mut Machine<'_>,
    supply: &mut Supply<'_>,
    sketch: &Sketch,
) -> Vec<Item> {
    let left = supply.instructions;
    supply.instructions = left.max(EFFORT);
    let mut builder = Builder { machine, supply, sketch, known: Vec::new() };
    let mut items = Vec::new();
    let first = sketch.objects.first().map(|&(_, key)| key);
    for &(class, key) in &sketch.objects {
        items.extend(builder.objects(class, (key, key), 0).into_iter().map(Item::new));
        // What the model takes for equal parts need not be equal as they are built: the same ones are.
        let parts = first.filter(|&first| first != key);
        let made = parts.map(|parts| builder.objects(class, (key, parts), 0));
        items.extend(made.into_iter().flatten().map(Item::new));
    }
    supply.instructions = left;
    items
}

struct Builder<'b, 'm, 's> {
    machine: &'b mut Machine<'m>,
    supply: &'b mut Supply<'s>,
    sketch: &'b Sketch,
    /// Objects that were made for a number and a type: what a model takes for one need not be.
    known: Vec<(u64, Want, (Arc<Recipe>, Value))>,
}

impl Builder<'_, '_, '_> {
    /// Objects that hold what the first number says, and where both hold objects, those of the second.
    fn objects(&mut self, class: ClassId, (key, parts): (u64, u64), depth: u32) -> Vec<Made> {
        let program = self.supply.view.program;
        let Some(class) = program.class(class) else { return Vec::new() };
        let held_by = |key: u64| self.sketch.fields.get(&key).cloned().unwrap_or_default();
        let (held, parts) = (held_by(key), held_by(parts));
        let mut aims = Vec::new();
        for (field, held) in held {
            let other = parts.iter().find(|(other, _)| *other == field).map(|(_, held)| held);
            let held = match (held, other) {
                (Held::Object(1..), Some(other @ Held::Object(1..))) => other.clone(),
                (held, _) => held,
            };
            if program.is_subtype(class.id, field.class) == Some(true) {
                aims.extend(self.aim(field, &held, depth));
            }
        }
        self.supply.aimed(self.machine, class, &aims)
    }

    fn aim(&mut self, field: FieldId, held: &Held, depth: u32) -> Option<Aim> {
        let program = self.supply.view.program;
        let want = Want::of_field(program, field)?;
        let (recipe, value) = match held {
            Held::Literal(literal) => self.made(Arc::new(Recipe::Literal(*literal)))?,
            Held::Text(units) => self.made(Arc::new(Recipe::Text(units.clone())))?,
            Held::Object(0) => (Arc::new(Recipe::Null), Value::Ref(symex::concrete::Ref::NULL)),
            Held::Object(key) => self.object(&want, *key, depth)?,
        };
        Some(Aim { field, want, recipe, value })
    }

    fn made(&mut self, recipe: Arc<Recipe>) -> Option<(Arc<Recipe>, Value)> {
        let value = self.supply.try_out(self.machine, &recipe)?;
        Some((recipe, value))
    }

    /// The object of a number: the same wherever it is held.
    fn object(&mut self, want: &Want, key: u64, depth: u32) -> Option<(Arc<Recipe>, Value)> {
        let is_same = |(known, held, _): &&(u64, Want, _)| *known == key && held == want;
        if let Some((_, _, made)) = self.known.iter().find(is_same) {
            return Some(made.clone());
        }
        let program = self.supply.view.program;
        let class = match want {
            Want::Class { name, arguments, .. } if arguments.is_empty() => {
                program.find_class(*name)
            }
            Want::Class { .. } | Want::Primitive(_) | Want::Array(_) => None,
        };
        let mut recipe = None;
        if let Some(class) = class
            && depth < DEEPEST
            && self.sketch.fields.contains_key(&key)
        {
            recipe =
                self.objects(class, (key, key), depth + 1).into_iter().next().map(|it| it.recipe);
        }
        if recipe.is_none() {
            // Other objects of the type are others here.
            let values = self.supply.values(self.machine, want, 1);
            let values: Vec<Arc<Recipe>> =
                values.iter().filter(|it| ***it != Recipe::Null).cloned().collect();
            recipe = values.get(self.known.len() % values.len().max(1)).cloned();
        }
        let recipe = self.supply.one_object(recipe?);
        let made = self.made(recipe)?;
        self.known.push((key, want.clone(), made.clone()));
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_said_as_in_java() {
        let text: Arc<[u16]> = [u16::from(b'a')].into();
        assert_eq!(Held::Text(text).text().as_deref(), Some("\"a\""));
        assert_eq!(Held::Literal(Literal::Long(3)).text().as_deref(), Some("3L"));
        assert_eq!(Held::Object(0).text().as_deref(), Some("null"));
        assert_eq!(Held::Object(7).text(), None);
    }
}
