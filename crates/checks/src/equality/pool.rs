//! The objects that a class is judged with.

use std::collections::BTreeSet;
use std::sync::Arc;

use program::{Class, ClassId, Name, Program, Type};
use symex::concrete::{Machine, Value};

use super::contract::{Contract, hash_code_member};
use super::subjects::{Subject, relatives, tested_types};
use super::survey::Survey;
use crate::verdict::Need;
use crate::witness::supply::classes::class_of;
use crate::witness::supply::{Argument, Made, Supply, Want, class_signature, public};
use crate::witness::{Access, Effect, Literal, Recipe, needs};

/// One object, and how a caller gets it.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) recipe: Arc<Recipe>,
    pub(super) object: Value,
    pub(super) class: ClassId,
    pub(super) needs: BTreeSet<Need>,
    pub(super) size: usize,
    pub(super) access: Access,
}

/// How many objects of each sort.
#[derive(Debug, Clone, Copy)]
pub struct Counts {
    /// Of the class itself.
    pub own: usize,
    /// Of these, built a second time.
    pub copies: usize,
    /// Changed by a setter.
    pub changed: usize,
    /// Classes around it, and objects of each.
    pub relatives: usize,
    pub of_relative: usize,
}

/// All objects to judge the subject with: its own first.
pub(super) fn build_pool(
    machine: &mut Machine<'_>,
    supply: &mut Supply<'_>,
    survey: &Survey<'_>,
    subject: &Subject,
    counts: Counts,
) -> Vec<Item> {
    let program = survey.program;
    let mut items: Vec<Item> = Vec::new();
    // What a comparator compares is made when it is asked for.
    if subject.provider.is_some() {
        return items;
    }
    if let Some(class) = program.class(subject.class) {
        let made = supply.objects_by_any_way(machine, class, counts.own);
        let changed = changed_objects(machine, supply, class, &made, counts.changed);
        items.extend(made.into_iter().chain(changed).map(Item::new));
    }
    // Where the class itself has no objects, those of its subclasses speak for it.
    let of_relative = if items.is_empty() { 4 * counts.of_relative } else { counts.of_relative };
    let mut n_relatives = 0;
    for id in relatives(survey, subject) {
        if n_relatives == counts.relatives {
            break;
        }
        let Some(class) = program.class(id) else { continue };
        let made = supply.objects(machine, class, of_relative, 0);
        n_relatives += usize::from(!made.is_empty());
        items.extend(made.into_iter().map(Item::new));
    }
    items.extend(foreign(machine, supply, subject));
    items.extend(wrapped(machine, supply, subject, &items));
    items.sort_by_key(|item| item.class != subject.class);
    let mut seen: Vec<Value> = Vec::new();
    items.retain(|item| {
        let is_new = !seen.contains(&item.object);
        seen.push(item.object);
        is_new
    });
    add_copies(machine, supply, &mut items, counts.copies);
    items
}

/// What the objects of the class were made from: a wrapper meets what it wraps.
fn wrapped(
    machine: &mut Machine<'_>,
    supply: &mut Supply<'_>,
    subject: &Subject,
    items: &[Item],
) -> Vec<Item> {
    const MAX_LOOKED_AT: usize = 12;
    const MAX_WRAPPED: usize = 6;
    // All that it is made of, however deep, what equals only itself first.
    let mut recipes: Vec<Arc<Recipe>> = Vec::new();
    for item in items.iter().filter(|item| item.class == subject.class).take(MAX_LOOKED_AT) {
        item.recipe.visit(&mut |recipe| {
            let is_object = matches!(recipe, Recipe::New { .. } | Recipe::Shared(..));
            if is_object && *recipe != *item.recipe && recipes.iter().all(|it| **it != *recipe) {
                recipes.push(Arc::new(recipe.clone()));
            }
        });
    }
    recipes.sort_by_key(|recipe| (!matches!(**recipe, Recipe::Shared(..)), recipe.size()));
    recipes.truncate(MAX_WRAPPED);
    let made = recipes.into_iter().filter_map(|recipe| {
        let object = supply.try_out(machine, &recipe)?;
        let class = class_of(machine, object)?;
        Some(Item::new(Made { recipe, object, class }))
    });
    made.collect()
}

/// Each of the first objects once more, so that equal ones are not only identical ones.
fn add_copies(
    machine: &mut Machine<'_>,
    supply: &mut Supply<'_>,
    items: &mut Vec<Item>,
    count: usize,
) {
    for at in 0..items.len().min(count) {
        let recipe = items[at].recipe.clone();
        if let Some(object) = supply.try_out(machine, &recipe)
            && items.iter().all(|item| item.object != object)
        {
            let class = items[at].class;
            items.push(Item::new(Made { recipe, object, class }));
        }
    }
}

/// The simplest object after calls that change it: each alone, also after its hash code was asked for,
/// which it may have kept; some of them one after the other; and what it returns as a changed copy.
fn changed_objects(
    machine: &mut Machine<'_>,
    supply: &mut Supply<'_>,
    class: &Class,
    made: &[Made],
    limit: usize,
) -> Vec<Made> {
    // A constant is everybody's: changing it would change what others are built from.
    let own = made.iter().filter(|made| !matches!(*made.recipe, Recipe::Constant(_)));
    let Some(first) = own.min_by_key(|made| made.recipe.size()) else { return Vec::new() };
    let mut found = Vec::new();
    let effects = supply.effects(machine, class);
    let ask_hash = Effect::Call { method: hash_code_member(), arguments: Vec::new() };
    let mut working: Vec<Effect> = Vec::new();
    let mut failing: Vec<Effect> = Vec::new();
    for effect in effects {
        if found.len() >= limit {
            break;
        }
        let Some(changed) = supply.after(machine, first, class, std::slice::from_ref(&effect))
        else {
            failing.push(effect);
            continue;
        };
        found.push(changed);
        found.extend(supply.after(machine, first, class, &[ask_hash.clone(), effect.clone()]));
        working.push(effect);
    }
    let ways = Done { first, made, working: &working, failing: &failing };
    found.extend(ways.one_after_the_other(machine, supply, class));
    found.extend(supply.copies_of(machine, first, class, &ask_hash));
    let holds = |made: &Made, least: usize| match &*made.recipe {
        Recipe::New { arguments, .. } => arguments
            .iter()
            .any(|it| matches!(&**it, Recipe::Array { items, .. } if items.len() >= least)),
        _ => false,
    };
    let (holds_array, holds_two) = (|made: &&Made| holds(made, 1), |made: &&Made| holds(made, 2));
    if let Some(holder) = made.iter().find(holds_two) {
        found.extend(supply.overflowing(machine, holder, class));
    }
    if let Some(holder) = made.iter().find(holds_array) {
        found.extend(supply.aliased(machine, holder, class, &ask_hash));
        found.extend(supply.exposed(machine, holder, class, &ask_hash));
    }
    found
}

/// What can be done to the simplest object, and what cannot.
struct Done<'a> {
    first: &'a Made,
    made: &'a [Made],
    working: &'a [Effect],
    failing: &'a [Effect],
}

impl Done<'_> {
    /// Objects after several effects.
    fn one_after_the_other(
        &self,
        machine: &mut Machine<'_>,
        supply: &mut Supply<'_>,
        class: &Class,
    ) -> Vec<Made> {
        const MAX_ORDERED: usize = 3;
        let Done { first, made, working, failing } = *self;
        let mut found = Vec::new();
        // One after the other, the same twice, and three of two sorts: what is collected may depend on
        // order, on repetition, and on how much of it there is.
        for one in working.iter().take(MAX_ORDERED) {
            for other in working.iter().take(MAX_ORDERED) {
                found.extend(supply.after(machine, first, class, &[one.clone(), other.clone()]));
            }
        }
        // What cannot be done to a new object can perhaps be done later: take out what was put in.
        for late in failing.iter().take(MAX_ORDERED) {
            for early in working.iter().take(MAX_ORDERED) {
                found.extend(supply.after(machine, first, class, &[early.clone(), late.clone()]));
            }
        }
        // Extreme numbers and what is done to them may overflow together.
        let is_extreme = |made: &&Made| needs(&made.recipe).contains(&Need::Extreme);
        for extreme in made.iter().filter(is_extreme).take(MAX_ORDERED) {
            for effect in working.iter().take(MAX_ORDERED) {
                found.extend(supply.after(machine, extreme, class, std::slice::from_ref(effect)));
            }
        }
        let few = &working[..working.len().min(2)];
        for last in few {
            for middle in few {
                let three = [few[0].clone(), middle.clone(), last.clone()];
                found.extend(supply.after(machine, first, class, &three));
            }
        }
        found
    }
}

/// Objects of other types: a string, a number, a plain object, and what `equals` itself asks for.
fn foreign(machine: &mut Machine<'_>, supply: &mut Supply<'_>, subject: &Subject) -> Vec<Item> {
    const MAX_TESTED: usize = 4;
    const MAX_PROMISED: usize = 8;
    let program = supply.view.program;
    let plain = Recipe::New {
        constructor: public("java/lang/Object", "<init>", "()V"),
        arguments: Vec::new(),
    };
    let text = Recipe::Text("a".encode_utf16().collect());
    let mut recipes: Vec<Arc<Recipe>> =
        [text, Recipe::Boxed(Literal::Int(1)), plain].map(Arc::new).into();
    let tested = tested_types(program, subject).into_iter().filter(|&id| id != subject.class);
    let tested = tested.map(|id| Want::from_type(program, Type::class(program.class_name(id))));
    let tested = tested.map(|want| (want, MAX_TESTED));
    let promised = promised(program, subject).into_iter().map(|want| (want, MAX_PROMISED));
    let wants: Vec<(Want, usize)> = tested.chain(promised).collect();
    for (want, limit) in wants {
        let values = supply.values(machine, &want, 1);
        recipes.extend(values.iter().filter(|it| ***it != Recipe::Null).take(limit).cloned());
    }
    let made = recipes.into_iter().filter_map(|recipe| {
        let object = supply.try_out(machine, &recipe)?;
        let class = class_of(machine, object)?;
        Some(Item::new(Made { recipe, object, class }))
    });
    made.collect()
}

/// Interfaces of the JDK that say what equality means for all who implement them.
pub(super) const PROMISING: [&str; 4] =
    ["java/util/List", "java/util/Set", "java/util/Map", "java/util/Map$Entry"];

/// Those that a class implements.
pub(super) fn promising(program: &Program, class: ClassId) -> impl Iterator<Item = ClassId> {
    let ids = PROMISING.iter().filter_map(|name| program.find_class_text(name));
    ids.filter(move |&id| program.is_subtype(class, id) == Some(true))
}

/// Objects of such interfaces that the subject implements.
fn promised(program: &Program, subject: &Subject) -> Vec<Want> {
    let Some(class) = program.class(subject.class) else { return Vec::new() };
    let arguments = class_signature(class).map_or(Vec::new(), |signature| {
        let superclass = std::iter::once(signature.superclass);
        let generic = superclass.chain(signature.interfaces).find(|it| !it.arguments.is_empty());
        generic.map_or(Vec::new(), |it| it.arguments)
    });
    let plain = arguments.iter().filter_map(|it| Want::from_plain_argument(program, it));
    let arguments: Vec<Argument> = plain.map(Argument::Exact).collect();
    promising(program, class.id)
        .map(|id| Want::Class {
            name: program.class_name(id),
            is_raw: arguments.is_empty(),
            arguments: arguments.clone(),
        })
        .collect()
}

impl Item {
    pub(super) fn is_below(&self, program: &Program, class: ClassId) -> bool {
        program.is_subtype(self.class, class) == Some(true)
    }

    pub(super) fn new(made: Made) -> Item {
        Item {
            needs: needs(&made.recipe),
            size: made.recipe.size(),
            access: made.recipe.access(),
            recipe: made.recipe,
            object: made.object,
            class: made.class,
        }
    }
}

/// Whether the objects of the class are compared by code that the subject declares.
pub(super) fn runs_equals_of(
    program: &Program,
    contract: &Contract,
    class: ClassId,
    subject: ClassId,
) -> bool {
    let class = program.class(class);
    class
        .and_then(|class| contract.equals_of(program, class))
        .is_some_and(|method| method.class == subject)
}

/// The class that last had a say in equality and hash code of objects of this class.
pub(super) fn hash_author(
    program: &Program,
    contract: &Contract,
    class: ClassId,
) -> Option<ClassId> {
    let class = program.class(class)?;
    let equals = contract.equals_of(program, class)?.class;
    let hash = contract.hash_code_of(program, class)?.class;
    let chain = &program.ancestry(class).superclasses;
    chain.iter().copied().find(|&id| id == equals || id == hash)
}

/// The package of the class, as bytes.
pub(super) fn package_of(program: &Program, name: Name) -> Vec<u8> {
    program.package(name).to_vec()
}
