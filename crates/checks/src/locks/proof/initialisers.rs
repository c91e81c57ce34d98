//! What keeps it open whether class initialisers can wait for each other.
//!
//! For each judged class with an initialiser: everything that runs below it, without limits. If no class
//! needs, by way of others, itself, and if none of that code takes a lock, waits, or is unknown, nothing
//! can go wrong.

use program::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::Search;
use super::in_turn::Bodies;
use crate::locks::facts::{Call, What};
use crate::locks::names::{class_name, frame_name};
use crate::locks::path::{Root, Val};

/// The obstacles, as sentences.
pub(super) fn find_init_obstacles(search: &Search<'_>) -> Vec<String> {
    let context = search.context;
    let mut found = Vec::new();
    let mut needs: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
    let mut order: Vec<ClassId> = Vec::new();
    let bodies = Bodies::new(search);
    for &method in &context.slice.methods {
        let class = method.class;
        let is_own = !context.universe.is_platform(class);
        if is_own && context.universe.initialiser(class) == Some(method) {
            order.push(class);
            let needed = below(search, &bodies, class, &mut found);
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

/// Whether the call initialises a class of which it is not seen which one it is.
fn names_any_class(search: &Search<'_>, call: &Call) -> bool {
    let program = search.context.universe.program;
    let (class, method) = program.method(call.resolved);
    let is_lookup = program.names.bytes(class.name) == b"java/lang/Class"
        && program.names.bytes(method.name) == b"forName";
    let name = call.arguments.first().copied().flatten();
    let is_literal =
        name.is_some_and(|it| matches!(search.context.paths.of(it.path).root, Root::Text(_)));
    is_lookup && !is_literal
}

/// The classes that the initialiser makes necessary; what is in the way goes to `found`.
fn below(
    search: &Search<'_>,
    bodies: &Bodies,
    class: ClassId,
    found: &mut Vec<String>,
) -> Vec<ClassId> {
    let context = search.context;
    let universe = context.universe;
    let mut named: Vec<ClassId> = vec![class];
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
        named.extend(&facts.own_classes);
        for target in Bodies::made_by(facts).filter(|it| !universe.is_platform(it.class)) {
            // A reference to a static method or a constructor needs its class where it is called.
            named.push(target.class);
            queue.extend(context.slice.index(target));
        }
        for event in &facts.events {
            match &event.what {
                What::Init(other) => named.push(*other),
                What::Call(call) => {
                    let why = search.unseen(method, facts, call).or_else(|| {
                        names_any_class(search, call)
                            .then(|| "looks a class up by its name".to_owned())
                    });
                    found.extend(
                        why.map(|why| format!("initialising {name}, {} {why}", place(event.pc))),
                    );
                    named.extend(classes_handed(search, call));
                    queue.extend(bodies.run_by(search, call));
                }
                What::Acquire(_) => {
                    found.push(format!("initialising {name} takes a lock at {}", place(event.pc)));
                }
                What::Wait { .. } | What::Join(_) => {
                    found.push(format!("initialising {name} waits at {}", place(event.pc)));
                }
                What::Notify { .. } | What::Spawn(_) => {}
            }
        }
    }
    initialised(search, named, class)
}

/// What is initialised with these classes, other than the class itself and the library's.
fn initialised(search: &Search<'_>, named: Vec<ClassId>, class: ClassId) -> Vec<ClassId> {
    let universe = search.context.universe;
    let all = named.into_iter().flat_map(|it| universe.initialised_with(it));
    let mut needed: Vec<ClassId> = all
        .filter(|&it| it != class && !universe.is_platform(it))
        .filter(|&it| universe.initialiser(it).is_some())
        .collect();
    needed.sort_unstable();
    needed.dedup();
    needed
}
