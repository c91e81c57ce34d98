//! Recipes that the machine cannot follow but a JVM may.
//!
//! Nothing is known about them before they run: not even whether they make an object.

use std::sync::Arc;

use program::{Class, ClassId};
use symex::concrete::Machine;

use super::super::recipe::Recipe;
use super::explore::{pick, variations};
use super::generics::Bindings;
use super::want::Want;
use super::{Recipes, Supply};

const MAX_UNFOLLOWED: usize = 4;

impl Supply<'_> {
    pub(super) fn keep_unfollowed(&mut self, class: ClassId, recipe: Recipe) {
        let list = self.unfollowed.entry(class).or_default();
        if list.len() < MAX_UNFOLLOWED && list.iter().all(|it| **it != recipe) {
            list.push(Arc::new(recipe));
        }
    }

    /// Ways to objects of the class, with arguments or by themselves beyond the machine.
    pub fn blind_objects(
        &mut self,
        machine: &mut Machine<'_>,
        class: &Class,
        limit: usize,
    ) -> Vec<Arc<Recipe>> {
        let mut found: Vec<Arc<Recipe>> = Vec::new();
        self.open.push(class.id);
        for way in self.ways(class, &Bindings::default()) {
            let mut lists: Vec<Recipes> = Vec::with_capacity(way.wants.len());
            let mut is_blind = self.unfollowed.contains_key(&class.id);
            for want in &way.wants {
                let values = self.values(machine, want, 1);
                let unfollowed = self.unfollowed_values(want);
                is_blind |= !unfollowed.is_empty();
                let first = values.iter().filter(|it| ***it != Recipe::Null).take(1);
                let list = first.chain(&unfollowed).chain(values.iter().skip(1)).cloned();
                lists.push(list.collect());
            }
            way.drop_nulls(&mut lists);
            let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
            if !is_blind || lengths.contains(&0) {
                continue;
            }
            let base = vec![0; lengths.len()];
            let others = variations(&base, &lengths);
            let n_tried = 1 + 2 * lengths.len();
            for indices in std::iter::once(base).chain(others).take(n_tried) {
                let recipe = Arc::new(way.recipe(pick(&lists, &indices)));
                if found.len() < limit && !found.contains(&recipe) {
                    found.push(recipe);
                }
            }
        }
        self.open.pop();
        found
    }

    fn unfollowed_values(&self, want: &Want) -> Vec<Arc<Recipe>> {
        let program = self.view.program;
        let Want::Class { name, arguments, .. } = want else { return Vec::new() };
        // Which type arguments these objects were made with, nobody noted.
        if !arguments.is_empty() {
            return Vec::new();
        }
        let Some(wanted) = program.find_class(*name) else { return Vec::new() };
        let mut classes: Vec<ClassId> = self
            .unfollowed
            .keys()
            .copied()
            .filter(|&id| program.is_subtype(id, wanted) == Some(true))
            .collect();
        classes.sort_unstable();
        let lists = classes.iter().filter_map(|id| self.unfollowed.get(id));
        lists.flatten().take(MAX_UNFOLLOWED).cloned().collect()
    }
}
