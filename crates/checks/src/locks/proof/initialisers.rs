//! What keeps it open whether class initialisers can wait for each other.
//!
//! For each judged class with an initialiser: everything that runs below it, without limits. If no class
//! needs, by way of others, itself, and if none of that code takes a lock, waits, or is unknown, nothing
//! can go wrong.

use program::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::Search;
use crate::locks::facts::{Call, What};
use crate::locks::names::{class_name, frame_name};
use crate::locks::path::{Root, Val};

/// The obstacles, as sentences.
pub(super) fn find_init_obstacles(search: &Search<'_>) -> Vec<String> {
    let context = search.context;
    let mut found = Vec::new();
    let mut needs: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
    let mut order: Vec<ClassId> = Vec::new();
    for &method in &context.slice.methods {
        let class = method.class;
        let is_own = !context.universe.is_platform(class);
        if is_own && context.universe.initialiser(class) == Some(method) {
            order.push(class);
            let needed = below(search, class, &mut found);
            needs.insert(class, needed);
        }
    }
    for &class in &order {
        if needs_itself(&needs, class) {
            let name = class_name(context, class);
            found.push(format!("initialising {name} needs, by way of others, {name} itself"));
        }
    }
    found
}

fn needs_itself(needs: &FxHashMap<ClassId, Vec<ClassId>>, class: ClassId) -> bool {
    let mut seen: FxHashSet<ClassId> = FxHashSet::default();
    let mut queue: Vec<ClassId> = needs.get(&class).cloned().unwrap_or_default();
    while let Some(next) = queue.pop() {
        if next == class {
            return true;
        }
        if seen.insert(next) {
            queue.extend(needs.get(&next).into_iter().flatten());
        }
    }
    false
}

/// The classes that a call names to somebody, who may initialise them as `Enum.valueOf` does.
fn classes_handed(search: &Search<'_>, call: &Call) -> Vec<ClassId> {
    let context = search.context;
    let program = context.universe.program;
    let name = program.names.bytes(program.method(call.resolved).1.name);
    // Most questions to a class leave it as it is.
    let first = usize::from(call.is_virtual && name != b"getEnumConstants");
    let class_of = |val: &Val| match context.paths.of(val.path).root {
        Root::Class(class) => Some(class),
        _ => None,
    };
    call.arguments.iter().skip(first).flatten().filter_map(class_of).collect()
}

/// The classes that the initialiser makes necessary; what is in the way goes to `found`.
fn below(search: &Search<'_>, class: ClassId, found: &mut Vec<String>) -> Vec<ClassId> {
    let context = search.context;
    let universe = context.universe;
    let mut needed: Vec<ClassId> = Vec::new();
    let above = universe.initialised_with(class).into_iter();
    needed.extend(above.filter(|&it| it != class && !universe.is_platform(it)));
    let start = universe.initialiser(class).and_then(|it| context.slice.index(it));
    let mut queue: Vec<usize> = start.into_iter().collect();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let name = class_name(context, class);
    while let Some(method) = queue.pop() {
        if !seen.insert(method) {
            continue;
        }
        let facts = &context.slice.facts[method];
        let place = |pc: u16| frame_name(context, method, pc);
        for (pc, _, what) in &facts.missing {
            let place = place(*pc);
            found.push(format!(
                "initialising {name}, {place} calls {what}, which is not on the class path"
            ));
        }
        for &other in facts.own_classes.iter().filter(|&&it| !universe.is_platform(it)) {
            let with = universe.initialised_with(other).into_iter();
            needed.extend(with.filter(|&it| it != class));
        }
        for event in &facts.events {
            match &event.what {
                What::Init(other) if !universe.is_platform(*other) => {
                    let with = universe.initialised_with(*other).into_iter();
                    needed.extend(with.filter(|&it| it != class));
                }
                What::Call(call) => {
                    if let Some(why) = search.unseen(method, facts, call) {
                        found.push(format!("initialising {name}, {} {why}", place(event.pc)));
                    }
                    let handed = classes_handed(search, call).into_iter();
                    let with = handed.flat_map(|it| universe.initialised_with(it));
                    needed.extend(with.filter(|&it| it != class && !universe.is_platform(it)));
                    let own = call.targets.all().filter_map(|it| context.slice.index(it));
                    queue.extend(
                        own.filter(|&it| !universe.is_platform(context.slice.methods[it].class)),
                    );
                }
                What::Acquire(_) => {
                    found.push(format!("initialising {name} takes a lock at {}", place(event.pc)));
                }
                What::Wait { .. } | What::Join(_) => {
                    found.push(format!("initialising {name} waits at {}", place(event.pc)));
                }
                What::Init(_) | What::Notify { .. } | What::Spawn(_) => {}
            }
        }
    }
    needed.retain(|&it| universe.initialiser(it).is_some());
    needed.sort_unstable();
    needed.dedup();
    needed
}
