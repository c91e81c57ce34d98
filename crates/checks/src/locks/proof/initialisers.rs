//! What keeps it open whether class initialisers can wait for each other.
//!
//! For each judged class with an initialiser: everything that runs below it, without limits. If no class
//! needs, by way of others, itself, and if none of that code takes a lock, waits, or is unknown, nothing
//! can go wrong.

use std::cell::OnceCell;

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
    let steps = Steps::new(search);
    let mut found = Vec::new();
    let mut needs: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
    let mut order: Vec<ClassId> = Vec::new();
    // What is in the way is told of the first initialiser that comes there.
    let mut told: FxHashSet<usize> = FxHashSet::default();
    for &method in &context.slice.methods {
        let class = method.class;
        let is_own = !context.universe.is_platform(class);
        if is_own && context.universe.initialiser(class) == Some(method) {
            order.push(class);
            let (needed, run) = below(&steps, class);
            needs.insert(class, needed);
            let name = class_name(context, class);
            for step in run.into_iter().filter(|&it| told.insert(it)).map(|it| steps.of(it)) {
                found.extend(step.obstacles.iter().map(|it| format!("initialising {name}{it}")));
            }
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

/// What one body does as far as initialisers care, whichever of them it runs below.
#[derive(Default)]
struct Step {
    /// The classes that it names or uses.
    named: Vec<ClassId>,
    /// The bodies that it may run.
    next: Vec<usize>,
    /// What is in the way, as it follows "initialising C".
    obstacles: Vec<String>,
}

/// What runs below initialisers. Each body is looked at once, however many initialisers lead to it.
struct Steps<'a> {
    search: &'a Search<'a>,
    bodies: Bodies,
    known: Vec<OnceCell<Step>>,
}

impl<'a> Steps<'a> {
    fn new(search: &'a Search<'a>) -> Steps<'a> {
        let known = search.context.slice.methods.iter().map(|_| OnceCell::new()).collect();
        Steps { search, bodies: Bodies::new(search), known }
    }

    fn of(&self, method: usize) -> &Step {
        self.known[method].get_or_init(|| self.look_at(method))
    }

    fn look_at(&self, method: usize) -> Step {
        let search = self.search;
        let context = search.context;
        let facts = &context.slice.facts[method];
        let place = |pc: u16| frame_name(context, method, pc);
        let mut step = Step { named: facts.own_classes.clone(), ..Step::default() };
        for (pc, _, what) in &facts.missing {
            let place = place(*pc);
            let obstacle = format!(", {place} calls {what}, which is not on the class path");
            step.obstacles.push(obstacle);
        }
        let made = Bodies::made_by(facts).filter(|it| !context.universe.is_platform(it.class));
        for target in made {
            // A reference to a static method or a constructor needs its class where it is called.
            step.named.push(target.class);
            step.next.extend(context.slice.index(target));
        }
        for event in &facts.events {
            match &event.what {
                What::Init(other) => step.named.push(*other),
                What::Call(call) => {
                    let why = search.unseen(method, facts, call).or_else(|| {
                        names_any_class(search, call)
                            .then(|| "looks a class up by its name".to_owned())
                    });
                    step.obstacles.extend(why.map(|why| format!(", {} {why}", place(event.pc))));
                    step.named.extend(classes_handed(search, call));
                    step.next.extend(self.bodies.run_by(search, call));
                }
                What::Acquire(_) => {
                    step.obstacles.push(format!(" takes a lock at {}", place(event.pc)));
                }
                What::Wait { .. } | What::Join(_) => {
                    step.obstacles.push(format!(" waits at {}", place(event.pc)));
                }
                What::Notify { .. } | What::Spawn(_) => {}
            }
        }
        step.next.sort_unstable();
        step.next.dedup();
        step.named.sort_unstable();
        step.named.dedup();
        step
    }
}

/// The classes that the initialiser makes necessary, and the bodies that it may run.
fn below(steps: &Steps<'_>, class: ClassId) -> (Vec<ClassId>, Vec<usize>) {
    let context = steps.search.context;
    let mut named: Vec<ClassId> = vec![class];
    let start = context.universe.initialiser(class).and_then(|it| context.slice.index(it));
    let mut is_reached = vec![false; steps.known.len()];
    let mut run: Vec<usize> = start.into_iter().collect();
    run.iter().for_each(|&it| is_reached[it] = true);
    let mut next = 0;
    while let Some(&method) = run.get(next) {
        next += 1;
        let step = steps.of(method);
        named.extend(&step.named);
        for &callee in &step.next {
            if !std::mem::replace(&mut is_reached[callee], true) {
                run.push(callee);
            }
        }
    }
    named.sort_unstable();
    named.dedup();
    (initialised(steps.search, named, class), run)
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
