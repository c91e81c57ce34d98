//! What initialising a class needs: its superclass first, then what its initialiser reaches.
//!
//! Calls are followed with what is known of the objects that are handed over: `doPrivileged(new Action())`
//! runs that action, and no other.

use std::collections::VecDeque;

use program::{ClassId, MethodId};
use rustc_hash::FxHashSet;

use super::super::context::Context;
use super::super::facts::{Call, What};
use super::super::path::{Root, Val};
use super::{DEPTH, Need};

/// Bodies of one call; beyond, the class that is meant is anybody's guess.
const TARGETS: usize = 2;

/// The very classes of a method's parameters, where they are known.
type Given = Box<[Option<ClassId>]>;

/// A method that the initialiser reaches, and how.
struct Reached {
    method: usize,
    given: Given,
    depth: usize,
    /// Who calls it, and where.
    caller: Option<(usize, u16)>,
}

pub(super) fn needs_of(context: &Context<'_>, class: ClassId) -> Vec<Need> {
    let mut needs = needs_above(context, class);
    let start = context.universe.initialiser(class).and_then(|id| context.slice.index(id));
    let Some(start) = start else { return needs };
    let mut found: FxHashSet<ClassId> = needs.iter().map(|need| need.class).collect();
    found.insert(class);
    let mut reached =
        vec![Reached { method: start, given: Given::default(), depth: 0, caller: None }];
    let mut seen: FxHashSet<(usize, Given)> = FxHashSet::from_iter([(start, Given::default())]);
    let mut queue = VecDeque::from([0]);
    while let Some(at) = queue.pop_front() {
        for event in &context.slice.facts[reached[at].method].events {
            match &event.what {
                What::Init(other) if found.insert(*other) => {
                    needs.push(Need { class: *other, stack: stack(&reached, at, event.pc) });
                }
                What::Call(call) if reached[at].depth < DEPTH => {
                    let given = hand_over(context, &reached[at].given, call);
                    for body in bodies(context, call, &given) {
                        let Some(method) = context.slice.index(body) else { continue };
                        if seen.insert((method, given.clone())) {
                            let (depth, caller) = (reached[at].depth + 1, Some((at, event.pc)));
                            queue.push_back(reached.len());
                            reached.push(Reached { method, given: given.clone(), depth, caller });
                        }
                    }
                }
                What::Call(_)
                | What::Init(_)
                | What::Acquire(_)
                | What::Wait { .. }
                | What::Notify { .. }
                | What::Join(_)
                | What::Spawn(_) => {}
            }
        }
    }
    needs
}

/// The superclass and the interfaces that are initialised with the class.
fn needs_above(context: &Context<'_>, class: ClassId) -> Vec<Need> {
    let universe = context.universe;
    let superclass = universe.program.class(class).and_then(|it| universe.program.superclass(it));
    let superclass = superclass.filter(|it| universe.has_initialiser(it.id)).map(|it| it.id);
    let is_interface = |&it: &ClassId| {
        let is_interface = universe.program.class(it).is_some_and(|it| it.is_interface());
        is_interface && it != class && universe.initialiser(it).is_some()
    };
    let interfaces = universe.initialised_with(class).into_iter().filter(is_interface);
    let above = superclass.into_iter().chain(interfaces);
    above.map(|class| Need { class, stack: Vec::new() }).collect()
}

/// What is known of the arguments of a call, in a method of which `given` is known.
fn hand_over(context: &Context<'_>, given: &Given, call: &Call) -> Given {
    let of = |val: &Val| {
        let path = context.paths.of(val.path);
        match (path.root, path.steps()) {
            (Root::Param(index), []) => given.get(usize::from(index)).copied().flatten(),
            _ => None,
        }
        .or(val.class.filter(|_| val.exact))
    };
    let handed: Given = call.arguments.iter().map(|it| it.as_ref().and_then(of)).collect();
    if handed.iter().any(Option::is_some) { handed } else { Given::default() }
}

/// The bodies that a call may run: the one of the receiver's class, where that is known.
fn bodies(context: &Context<'_>, call: &Call, given: &Given) -> Vec<MethodId> {
    let program = context.universe.program;
    let receiver = given.first().copied().flatten().filter(|_| call.is_virtual);
    let selected = receiver.and_then(|class| program.select_method(class, call.resolved).found());
    match selected.filter(|&it| !program.method(it).1.access_flags.is_abstract()) {
        Some(body) => vec![body],
        None if call.targets.methods.len() <= TARGETS => call.targets.methods.to_vec(),
        None => Vec::new(),
    }
}

fn stack(reached: &[Reached], mut at: usize, pc: u16) -> Vec<(usize, u16)> {
    let mut frames = vec![(reached[at].method, pc)];
    while let Some((caller, pc)) = reached[at].caller {
        frames.push((reached[caller].method, pc));
        at = caller;
    }
    frames.reverse();
    frames
}
