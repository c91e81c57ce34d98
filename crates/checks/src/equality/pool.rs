//! The objects that a class is judged with.

use std::collections::BTreeSet;
use std::sync::Arc;

use program::{Class, ClassId, Name, Program, Type};
use symex::concrete::{Machine, Value};

use super::contract::Contract;
use super::subjects::{Subject, relatives, tested_types};
use crate::verdict::Need;
use crate::witness::supply::classes::class_of;
use crate::witness::supply::{Made, Supply, Want, public};
use crate::witness::{Access, Literal, Recipe, needs};

/// One object, and how a caller gets it.
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
    subject: &Subject,
    counts: Counts,
) -> Vec<Item> {
    let program = supply.view.program;
    let mut items: Vec<Item> = Vec::new();
    if let Some(class) = program.class(subject.class) {
        let made = supply.objects_by_any_way(machine, class, counts.own);
        let changed = changed_objects(machine, supply, class, &made, counts.changed);
        items.extend(made.into_iter().chain(changed).map(Item::new));
    }
    // Where the class itself has no objects, those of its subclasses speak for it.
    let of_relative = if items.is_empty() { 4 * counts.of_relative } else { counts.of_relative };
    let mut n_relatives = 0;
    for id in relatives(program, supply.view.index, subject) {
        if n_relatives == counts.relatives {
            break;
        }
        let Some(class) = program.class(id) else { continue };
        let made = supply.objects(machine, class, of_relative, 0);
        n_relatives += usize::from(!made.is_empty());
        items.extend(made.into_iter().map(Item::new));
    }
    items.extend(foreign(machine, supply, subject));
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

/// The simplest objects after a call of each setter.
fn changed_objects(
    machine: &mut Machine<'_>,
    supply: &mut Supply<'_>,
    class: &Class,
    made: &[Made],
    limit: usize,
) -> Vec<Made> {
    let Some(first) = made.iter().min_by_key(|made| made.recipe.size()) else { return Vec::new() };
    let mut found = Vec::new();
    let effects = supply.effects(machine, class);
    for effect in effects {
        if found.len() >= limit {
            break;
        }
        found.extend(supply.after(machine, first, class, std::slice::from_ref(&effect)));
    }
    found
}

/// Objects of other types: a string, a number, a plain object, and what `equals` itself asks for.
fn foreign(machine: &mut Machine<'_>, supply: &mut Supply<'_>, subject: &Subject) -> Vec<Item> {
    const MAX_TESTED: usize = 4;
    let program = supply.view.program;
    let plain = Recipe::New {
        constructor: public("java/lang/Object", "<init>", "()V"),
        arguments: Vec::new(),
    };
    let text = Recipe::Text("a".encode_utf16().collect());
    let mut recipes: Vec<Arc<Recipe>> =
        [text, Recipe::Boxed(Literal::Int(1)), plain].map(Arc::new).into();
    for id in tested_types(program, subject) {
        if id == subject.class {
            continue;
        }
        let want = Want::from_type(program, Type::class(program.class_name(id)));
        let values = supply.values(machine, &want, 1);
        recipes.extend(values.iter().filter(|it| ***it != Recipe::Null).take(MAX_TESTED).cloned());
    }
    let made = recipes.into_iter().filter_map(|recipe| {
        let object = supply.try_out(machine, &recipe)?;
        let class = class_of(machine, object)?;
        Some(Item::new(Made { recipe, object, class }))
    });
    made.collect()
}

impl Item {
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
