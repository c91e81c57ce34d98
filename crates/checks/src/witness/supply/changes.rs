//! Objects after something was done to them: by their own methods, or to arrays that they share with
//! their caller.

use std::sync::Arc;

use program::{Class, ClassId, Primitive, Type};
use symex::concrete::Machine;

use super::super::access::member_access;
use super::super::literal::Literal;
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

    /// The object with 0.0 and with -0.0 in the place of each such argument that it was made with, and of
    /// each that can be set.
    pub fn either_zero(
        &mut self,
        machine: &mut Machine<'_>,
        recipe: &Arc<Recipe>,
        class: ClassId,
    ) -> Vec<Made> {
        const MAX_MADE: usize = 24;
        let Some(class) = self.view.program.class(class) else { return Vec::new() };
        let mut recipes: Vec<Recipe> = Vec::new();
        if let Recipe::New { arguments, .. } | Recipe::Static { arguments, .. } = &**recipe {
            for others in with_zeros(arguments) {
                let mut recipe = (**recipe).clone();
                if let Recipe::New { arguments, .. } | Recipe::Static { arguments, .. } =
                    &mut recipe
                {
                    *arguments = others;
                }
                recipes.push(recipe);
            }
        }
        for (mutator, wants) in self.mutators(class) {
            let is_real =
                |want: &Want| matches!(want, Want::Primitive(Primitive::Float | Primitive::Double));
            if !wants.iter().any(is_real) {
                continue;
            }
            let lists: Vec<Recipes> =
                wants.iter().map(|want| self.values(machine, want, 1)).collect();
            if lists.iter().any(|list| list.is_empty()) {
                continue;
            }
            let first = pick(&lists, &vec![0; lists.len()]);
            let effects = with_zeros(&first).into_iter().filter_map(|it| mutator.effect(it));
            recipes.extend(
                effects
                    .map(|effect| Recipe::After { object: recipe.clone(), effects: vec![effect] }),
            );
        }
        let recipes = recipes.into_iter().take(MAX_MADE);
        recipes.filter_map(|recipe| self.keep(machine, class, recipe)).collect()
    }

    /// The object with the largest number in each place that can be set to one, alone and beside a small
    /// number in another place: what counts the elements of an array from an offset may overflow.
    pub fn overflowing(
        &mut self,
        machine: &mut Machine<'_>,
        made: &Made,
        class: &Class,
    ) -> Vec<Made> {
        const MAX_PLACES: usize = 3;
        let takes_int = |wants: &[Want]| matches!(wants, [Want::Primitive(Primitive::Int)]);
        let places = self.mutators(class).into_iter().filter(|(_, wants)| takes_int(wants));
        let places: Vec<_> = places.take(MAX_PLACES).collect();
        let set = |at: usize, value: i32| {
            let value = Arc::new(Recipe::Literal(Literal::Int(value)));
            places[at].0.effect(vec![value])
        };
        let mut found = Vec::new();
        for at in 0..places.len() {
            let largest = set(at, i32::MAX);
            let alone = largest.clone().into_iter().collect::<Vec<Effect>>();
            found.extend(self.after(machine, made, class, &alone));
            for other in (0..places.len()).filter(|&other| other != at) {
                for small in [0, 1] {
                    let both = set(other, small).into_iter().chain(largest.clone());
                    found.extend(self.after(machine, made, class, &both.collect::<Vec<_>>()));
                }
            }
        }
        found
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

/// The arguments with a zero of either sign in the place of each number that has them.
fn with_zeros(arguments: &[Arc<Recipe>]) -> Vec<Vec<Arc<Recipe>>> {
    let mut found = Vec::new();
    for (at, argument) in arguments.iter().enumerate() {
        let zeros = match **argument {
            Recipe::Literal(Literal::Float(_)) => [0.0, -0.0].map(Literal::float),
            Recipe::Literal(Literal::Double(_)) => [0.0, -0.0].map(Literal::double),
            _ => continue,
        };
        for zero in zeros {
            let mut others = arguments.to_vec();
            others[at] = Arc::new(Recipe::Literal(zero));
            found.push(others);
        }
    }
    found
}
