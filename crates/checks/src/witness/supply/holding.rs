//! Objects that hold certain others, all else being equal: in each place that takes them.

use std::sync::Arc;

use program::{Class, ClassId};
use symex::concrete::Machine;

use super::super::recipe::Recipe;
use super::classes::{Made, descriptor};
use super::explore::{bases, pick};
use super::generics::Bindings;
use super::want::Want;
use super::ways::Way;
use super::{Recipes, Supply};

/// Types that say nothing of what they are meant for.
const ANYTHING: [&str; 5] = [
    "java/lang/Object",
    "java/lang/Comparable",
    "java/lang/Number",
    "java/io/Serializable",
    "java/lang/Cloneable",
];

impl Supply<'_> {
    /// Takes the numbers of shared objects from beyond those that these recipes use.
    pub fn number_beyond<'r>(&mut self, recipes: impl Iterator<Item = &'r Arc<Recipe>>) {
        for recipe in recipes {
            recipe.visit(&mut |recipe| {
                if let Recipe::Shared(number, _) = recipe {
                    self.n_shared = self.n_shared.max(*number);
                }
            });
        }
    }

    /// For each place of a constructor, a factory or a setter that takes all of these parts, of these
    /// classes, one object of the class with each of them there.
    pub fn holding(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        parts: &[Arc<Recipe>],
        classes: &[ClassId],
    ) -> Vec<Vec<Made>> {
        const MAX_WAYS: usize = 4;
        let mut found = Vec::new();
        self.open.push(class.id);
        for way in self.ways(class, &Bindings::default()).iter().take(MAX_WAYS) {
            for at in 0..way.wants.len() {
                let Some(parts) = self.taken(&way.wants[at], parts, classes) else { continue };
                found.extend(self.made_with(machine, class, way, at, &parts));
            }
        }
        self.open.pop();
        let plain = self.objects(machine, class, 1, 0).into_iter().next();
        let plain = plain.filter(|made| !matches!(*made.recipe, Recipe::Constant(_)));
        if let Some(plain) = plain {
            found.extend(self.changed_with(machine, class, &plain, parts, classes));
        }
        found
    }

    /// The parts as a parameter of this type takes them, by themselves or in an array.
    fn taken(
        &self,
        want: &Want,
        parts: &[Arc<Recipe>],
        classes: &[ClassId],
    ) -> Option<Vec<Arc<Recipe>>> {
        let program = self.view.program;
        match want {
            Want::Primitive(_) => None,
            Want::Array(inner) => {
                let component: Arc<str> = descriptor(program, inner).into();
                let items = self.taken(inner, parts, classes)?.into_iter();
                let array =
                    |item| Recipe::Array { component: component.clone(), items: vec![item] };
                Some(items.map(|item| Arc::new(array(item))).collect())
            }
            Want::Class { name, .. } => {
                let wanted = program.find_class(*name)?;
                let fits = |&class: &ClassId| program.is_subtype(class, wanted) == Some(true);
                let is_loose = ANYTHING.contains(&&*program.names.text(*name));
                (!is_loose && classes.iter().all(fits)).then(|| parts.to_vec())
            }
        }
    }

    fn made_with(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        way: &Way,
        at: usize,
        parts: &[Arc<Recipe>],
    ) -> Option<Vec<Made>> {
        const MAX_TRIED: usize = 6;
        let mut lists: Vec<Recipes> =
            way.wants.iter().map(|want| self.values(machine, want, 1)).collect();
        way.drop_nulls(&mut lists);
        lists[at] = parts[..1].into();
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        bases(&lengths, 1).into_iter().take(MAX_TRIED).find_map(|indices| {
            let made = parts.iter().map(|part| {
                let mut arguments = pick(&lists, &indices);
                arguments[at] = part.clone();
                self.keep(machine, class, way.recipe(arguments))
            });
            made.collect()
        })
    }

    fn changed_with(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        plain: &Made,
        parts: &[Arc<Recipe>],
        classes: &[ClassId],
    ) -> Vec<Vec<Made>> {
        let mut found = Vec::new();
        for (mutator, wants) in self.mutators(class) {
            for at in 0..wants.len() {
                let Some(parts) = self.taken(&wants[at], parts, classes) else { continue };
                let mut lists: Vec<Recipes> =
                    wants.iter().map(|want| self.values(machine, want, 1)).collect();
                lists[at] = parts[..1].into();
                if lists.iter().any(|list| list.is_empty()) {
                    continue;
                }
                let first = pick(&lists, &vec![0; lists.len()]);
                let made = parts.iter().map(|part| {
                    let mut arguments = first.clone();
                    arguments[at] = part.clone();
                    let effect = mutator.effect(arguments)?;
                    self.after(machine, plain, class, &[effect])
                });
                let made: Option<Vec<Made>> = made.collect();
                found.extend(made);
            }
        }
        found
    }
}
