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
    let namers = Namers(OnceCell::new());
    // What is in the way is told of the first initialiser that comes there.
    let mut told: FxHashSet<usize> = FxHashSet::default();
    for &method in &context.slice.methods {
        let class = method.class;
        let is_own = !context.universe.is_platform(class);
        if is_own && context.universe.initialiser(class) == Some(method) {
            order.push(class);
            let (named, run) = below(&steps, class);
            add_needs(&steps, &namers, &mut needs, class, named);
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

/// The classes that the initialiser names, and the bodies that it may run.
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
    (named, run)
}

/// What a class waits for while it is initialised: those above it, and what its initialiser names. Of a class
/// without an initialiser of its own as well, if one above has one: others wait for it just the same.
fn add_needs(
    steps: &Steps<'_>,
    namers: &Namers,
    needs: &mut FxHashMap<ClassId, Vec<ClassId>>,
    class: ClassId,
    named: Vec<ClassId>,
) {
    let universe = steps.search.context.universe;
    let matters = |it: &ClassId| !universe.is_platform(*it) && universe.has_initialiser(*it);
    let mut add = |from: ClassId, to: Vec<ClassId>| {
        let is_heir = universe.initialiser(from).is_none();
        let is_waited_for = |it: &ClassId| {
            *it != from && matters(it) && !(is_heir && namers.only_after(steps, from, *it))
        };
        let known = needs.entry(from).or_default();
        known.extend(to.into_iter().filter(is_waited_for));
        known.sort_unstable();
        known.dedup();
    };
    for &other in named.iter().filter(|&it| *it != class && matters(it)) {
        add(other, universe.initialised_with(other));
    }
    add(class, universe.initialised_with(class));
    add(class, named);
}

/// By class, the methods that may be the first to need it, once somebody asked.
struct Namers(OnceCell<FxHashMap<ClassId, Vec<usize>>>);

impl Namers {
    fn of(&self, steps: &Steps<'_>, class: ClassId) -> &[usize] {
        let found = self.0.get_or_init(|| {
            let context = steps.search.context;
            let mut found: FxHashMap<ClassId, Vec<usize>> = FxHashMap::default();
            for (method, id) in context.slice.methods.iter().enumerate() {
                if !context.universe.is_platform(id.class) {
                    let named = steps.of(method).named.iter();
                    for class in named.flat_map(|&it| context.universe.initialised_with(it)) {
                        found.entry(class).or_default().push(method);
                    }
                }
            }
            found
        });
        found.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Whether a class below another is first needed by code of that one which runs when it is initialised,
    /// or in the thread that does it: nobody who begins with the lower one waits for the upper.
    fn only_after(&self, steps: &Steps<'_>, below: ClassId, class: ClassId) -> bool {
        let context = steps.search.context;
        let universe = context.universe;
        let program = universe.program;
        let is_below = |it: ClassId| universe.initialised_with(it).contains(&class);
        let is_bound = |method: &usize| {
            let id = context.slice.methods[*method];
            let (_, declared) = program.method(id);
            // Static methods and constructors run when their class is initialised, or by who does that.
            let is_checked =
                declared.access_flags.is_static() || declared.name == program.known.init;
            id.class == below || is_below(id.class) && is_checked
        };
        below != class
            && is_below(below)
            && !universe.is_accessible(below)
            && self.of(steps, below).iter().all(is_bound)
    }
}
