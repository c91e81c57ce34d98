//! Objects after something was done to them: by their own methods, or to arrays that they share with
//! their caller.

use std::sync::Arc;

use program::{Class, Type};
use symex::concrete::Machine;

use super::super::access::member_access;
use super::super::recipe::{Effect, Recipe};
use super::classes::Made;
use super::explore::{pick, variations};
use super::want::Want;
use super::ways::is_offered;
use super::{Recipes, Supply, member};

impl Supply<'_> {
    /// What can be done to an object of the class, with a few arguments each, the ordinary first.
    pub fn effects(&mut self, machine: &mut Machine<'_>, class: &Class) -> Vec<Effect> {
        const MAX_EACH: usize = 5;
        const MAX_OF_FEW: usize = 12;
        let mut found = Vec::new();
        let mutators = self.mutators(class);
        let each = if mutators.len() <= 3 { MAX_OF_FEW } else { MAX_EACH };
        for (mutator, wants) in mutators {
            let lists: Vec<Recipes> =
                wants.iter().map(|want| self.values(machine, want, 1)).collect();
            let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
            if lengths.contains(&0) {
                continue;
            }
            let base = vec![0; lengths.len()];
            let varied = variations(&base, &lengths);
            for (rank, indices) in std::iter::once(base).chain(varied).take(each).enumerate() {
                found.extend(mutator.effect(pick(&lists, &indices)).map(|effect| (rank, effect)));
            }
        }
        // A little of each before more of any.
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, effect)| effect).collect()
    }

    /// The object after an effect, if that works.
    pub fn after(
        &mut self,
        machine: &mut Machine<'_>,
        made: &Made,
        class: &Class,
        effects: &[Effect],
    ) -> Option<Made> {
        let recipe = Recipe::After { object: made.recipe.clone(), effects: effects.to_vec() };
        self.keep(machine, class, recipe)
    }

    /// The object, whose maker goes on to write to an array that was passed, also after the hash code
    /// was asked for.
    pub fn aliased(
        &mut self,
        machine: &mut Machine<'_>,
        made: &Made,
        class: &Class,
        ask_hash: &Effect,
    ) -> Vec<Made> {
        let Recipe::New { constructor, arguments } = &*made.recipe else { return Vec::new() };
        let mut found = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let Recipe::Array { component, items } = &**argument else { continue };
            let Some(first) = items.first() else { continue };
            let ty = Type::parse(&classfile::mutf8::encode(component), &self.view.program.names);
            let Some(ty) = ty else { continue };
            let values = self.values(machine, &Want::from_type(self.view.program, ty), 1);
            let other = values.iter().find(|it| *it != first && ***it != Recipe::Null);
            let Some(other) = other.cloned() else { continue };
            for is_asked in [false, true] {
                let array = Arc::new(Recipe::Shared(self.new_number(), argument.clone()));
                let mut arguments = arguments.clone();
                arguments[at] = array.clone();
                let store = Effect::Store { index: 0, value: other.clone() };
                let write = Effect::Elsewhere { object: array, effect: Box::new(store) };
                let before = is_asked.then(|| ask_hash.clone());
                let recipe = Recipe::After {
                    object: Arc::new(Recipe::New { constructor: constructor.clone(), arguments }),
                    effects: before.into_iter().chain([write]).collect(),
                };
                found.extend(self.keep(machine, class, recipe));
            }
        }
        found
    }

    /// The object, after its caller wrote to an array that one of its methods returns, also after the
    /// hash code was asked for.
    pub fn exposed(
        &mut self,
        machine: &mut Machine<'_>,
        made: &Made,
        class: &Class,
        ask_hash: &Effect,
    ) -> Vec<Made> {
        const MAX_GETTERS: usize = 2;
        let program = self.view.program;
        let getters = class.methods().filter_map(|(_, method)| {
            let flags = method.access_flags;
            let component = program.names.text(method.descriptor);
            let component = component.strip_prefix("()[")?.to_owned();
            let access = member_access(program, class, flags);
            let is_plain = !flags.is_static() && !flags.is_synthetic() && !flags.is_abstract();
            (is_plain && is_offered(program, class, flags) && self.is_open(access, class.name))
                .then(|| {
                    (member(program, class, method.name, method.descriptor, access), component)
                })
        });
        let getters: Vec<_> = getters.take(MAX_GETTERS).collect();
        let mut found = Vec::new();
        for (getter, component) in getters {
            let ty = Type::parse(&classfile::mutf8::encode(&component), &program.names);
            let Some(ty) = ty else { continue };
            let values = self.values(machine, &Want::from_type(program, ty), 1);
            for value in values.iter().filter(|it| ***it != Recipe::Null).take(2) {
                for is_asked in [false, true] {
                    let object = Arc::new(Recipe::Shared(self.new_number(), made.recipe.clone()));
                    let array = Arc::new(Recipe::Call {
                        receiver: object.clone(),
                        method: getter.clone(),
                        arguments: Vec::new(),
                    });
                    let store = Effect::Store { index: 0, value: value.clone() };
                    let write = Effect::Elsewhere { object: array, effect: Box::new(store) };
                    let before = is_asked.then(|| ask_hash.clone());
                    let effects = before.into_iter().chain([write]).collect();
                    found.extend(self.keep(machine, class, Recipe::After { object, effects }));
                }
            }
        }
        found
    }

    /// Objects of the class that methods of the object return, which was asked something before.
    pub fn copies_of(
        &mut self,
        machine: &mut Machine<'_>,
        made: &Made,
        class: &Class,
        before: &Effect,
    ) -> Vec<Made> {
        const MAX_COPIES: usize = 12;
        let asked = Recipe::After { object: made.recipe.clone(), effects: vec![before.clone()] };
        let asked = Made { recipe: Arc::new(asked), object: made.object, class: made.class };
        let mut found = self.parts_of(machine, &asked, class, class);
        found.retain(|part| part.object != made.object);
        found.truncate(MAX_COPIES);
        found
    }
}
