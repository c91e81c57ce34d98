//! Circles of class initialisation (JVMS 5.5).
//!
//! A thread that initialises a class holds its initialisation lock, also while the superclass is
//! initialised. It wants every class that its initialiser makes necessary. A circle needs two ends that
//! code outside can start, each without the other being initialised before.

mod needs;

use std::collections::VecDeque;

use program::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::describe::Candidate;
use super::facts::What;
use super::names::{class_name, frame_name, source_file};
use super::reach::needed_by_reference;
use super::witness::{HangPlan, init_plans};
use crate::cycle::{Alternatives, Cycle, Group, Lock, LockKind, Place, Thread};
use crate::finding::{Finding, Subject};
use crate::rule::Rule;
use crate::verdict::{Construction, Evidence, Replay, Verdict};

/// Calls from an initialiser to what needs another class.
const DEPTH: usize = 5;
/// Classes on the way back; longer ones lead through too much that must not have happened before.
const BACK: usize = 2;

/// Why a class needs another while it is initialised.
#[derive(Debug, Clone)]
struct Need {
    class: ClassId,
    /// From the initialiser to the place: method and pc. Empty for a superclass.
    stack: Vec<(usize, u16)>,
}

pub(crate) struct Initialisation {
    needs: FxHashMap<ClassId, Vec<Need>>,
    /// The needs the other way round.
    dependants: FxHashMap<ClassId, Vec<ClassId>>,
    pub order: Vec<ClassId>,
    /// Methods that need a class, by position in the slice.
    pub needed_by: FxHashMap<ClassId, Vec<usize>>,
}

/// Finds the circles among the judged classes.
pub(crate) fn find_init_circles(
    context: &Context<'_>,
    graph: &Initialisation,
    callers: &[Vec<u32>],
    started: &FxHashSet<ClassId>,
) -> Vec<Candidate> {
    let mut circles: Vec<Ring> = Vec::new();
    let mut in_circle: FxHashSet<(ClassId, ClassId)> = FxHashSet::default();
    for &class in &graph.order {
        if !context.universe.is_judged(class) || started.contains(&class) {
            continue;
        }
        for need in &graph.needs[&class] {
            let other = need.class;
            if in_circle.contains(&(class.min(other), class.max(other))) || started.contains(&other)
            {
                continue;
            }
            let Some(back) = graph.way(other, class) else { continue };
            if back.len() > BACK {
                continue;
            }
            let ends = [class, other];
            let both_start = graph.has_two_threads(context, ends)
                && graph.is_startable(context, callers, class, &ends)
                && graph.is_startable(context, callers, other, &ends);
            if both_start {
                in_circle.insert((class.min(other), class.max(other)));
                circles.push(Ring { class, need: need.clone(), other, back });
            }
        }
    }
    tell(context, circles)
}

/// Two ends that need each other, and how.
struct Ring {
    class: ClassId,
    need: Need,
    other: ClassId,
    back: Vec<Need>,
}

impl Ring {
    fn n_frames(&self) -> usize {
        self.need.stack.len() + self.back.iter().map(|it| it.stack.len()).sum::<usize>()
    }
}

/// One finding for all circles that share classes: the shortest, with the others beside it.
fn tell(context: &Context<'_>, mut circles: Vec<Ring>) -> Vec<Candidate> {
    circles.sort_by_key(|it| (it.n_frames(), it.back.len(), it.class, it.other));
    let mut groups: Vec<Vec<Ring>> = Vec::new();
    for ring in circles {
        let shares = |group: &Vec<Ring>| {
            group.iter().any(|it| {
                [it.class, it.other].iter().any(|end| *end == ring.class || *end == ring.other)
            })
        };
        match groups.iter_mut().find(|group| shares(group)) {
            Some(group) => group.push(ring),
            None => groups.push(vec![ring]),
        }
    }
    groups.iter().map(|group| tell_group(context, group)).collect()
}

/// The circle that is easiest to see; where its programs go on, perhaps those of another hang.
fn tell_group(context: &Context<'_>, group: &[Ring]) -> Candidate {
    const TRIED: usize = 3;
    let mut plans: Vec<HangPlan> = Vec::new();
    let mut variants: Vec<(usize, Finding)> = Vec::new();
    for (index, Ring { class, need, other, back }) in group.iter().enumerate().take(TRIED) {
        let stacks = back.iter().map(|need| &need.stack[..]).collect();
        variants.push((plans.len(), lead(context, group, index)));
        plans.extend(init_plans(context, [(*class, vec![&need.stack]), (*other, stacks)]));
    }
    let finding = variants.remove(0).1;
    Candidate { finding, plans, doubt: None, variants }
}

/// The finding about one circle of a group, with the others beside it.
fn lead(context: &Context<'_>, group: &[Ring], index: usize) -> Finding {
    const SHOWN: usize = 5;
    let Ring { class, need, other, back } = &group[index];
    let mut finding = finding(context, *class, need, *other, back);
    let mut classes: Vec<String> = finding.classes.clone();
    let others = group.iter().enumerate().filter(|&(at, _)| at != index);
    for ring in others.map(|(_, ring)| ring) {
        classes.extend([ring.class, ring.other].map(|class| class_name(context, class)));
        if let Some(thread) = finding.cycle.as_mut().and_then(|it| it.threads.first_mut()) {
            thread.alternatives.count += 1;
            if thread.alternatives.stacks.len() < SHOWN {
                let stack = init_frames(context, ring.class, std::slice::from_ref(&ring.need));
                thread.alternatives.stacks.push(stack);
            }
        }
    }
    classes.sort();
    classes.dedup();
    finding.classes = classes;
    finding
}

impl Initialisation {
    pub(crate) fn new(context: &Context<'_>) -> Initialisation {
        let universe = context.universe;
        let mut order: Vec<ClassId> = Vec::new();
        let mut seen: FxHashSet<ClassId> = FxHashSet::default();
        let mut queue: VecDeque<ClassId> = VecDeque::new();
        for &method in &context.slice.methods {
            let is_initialiser = universe.initialiser(method.class) == Some(method);
            if is_initialiser && seen.insert(method.class) {
                queue.push_back(method.class);
            }
        }
        let mut needs = FxHashMap::default();
        while let Some(class) = queue.pop_front() {
            let found = needs::needs_of(context, class);
            for need in &found {
                if seen.insert(need.class) {
                    queue.push_back(need.class);
                }
            }
            needs.insert(class, found);
            order.push(class);
        }
        order.sort_unstable();
        let mut needed_by: FxHashMap<ClassId, Vec<usize>> = FxHashMap::default();
        for (method, facts) in context.slice.facts.iter().enumerate() {
            for event in &facts.events {
                if let What::Init(class) = event.what {
                    needed_by.entry(class).or_default().push(method);
                }
            }
            // Whoever has the reference may call it.
            let maker = context.slice.methods[method].class;
            let referred = facts.lambdas.iter().map(|it| it.target);
            for class in referred.filter_map(|it| needed_by_reference(universe, maker, it)) {
                needed_by.entry(class).or_default().push(method);
            }
        }
        let mut dependants: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
        for &class in &order {
            for need in &needs[&class] {
                dependants.entry(need.class).or_default().push(class);
            }
        }
        Initialisation { needs, dependants, order, needed_by }
    }

    /// The shortest way from one class to another, as the needs along it.
    fn way(&self, from: ClassId, to: ClassId) -> Option<Vec<Need>> {
        let mut reached: FxHashMap<ClassId, Option<(ClassId, usize)>> = FxHashMap::default();
        reached.insert(from, None);
        let mut queue = VecDeque::from([from]);
        while let Some(class) = queue.pop_front() {
            if class == to {
                let mut way = Vec::new();
                let mut at = class;
                while let Some(&Some((before, index))) = reached.get(&at) {
                    way.push(self.needs[&before][index].clone());
                    at = before;
                }
                way.reverse();
                return Some(way);
            }
            let needs = self.needs.get(&class).map_or(&[][..], Vec::as_slice);
            for (index, need) in needs.iter().enumerate() {
                reached.entry(need.class).or_insert_with(|| {
                    queue.push_back(need.class);
                    Some((class, index))
                });
            }
        }
        None
    }

    /// Every class that needs this one when it is initialised, itself included.
    pub(crate) fn dependants(&self, class: ClassId) -> FxHashSet<ClassId> {
        let mut reached: FxHashSet<ClassId> = FxHashSet::default();
        let mut queue = vec![class];
        while let Some(class) = queue.pop() {
            if reached.insert(class) {
                queue.extend(self.dependants.get(&class).into_iter().flatten());
            }
        }
        reached
    }

    /// Whether not only the first thread of a program needs the classes.
    fn has_two_threads(&self, context: &Context<'_>, ends: [ClassId; 2]) -> bool {
        let is_elsewhere = |class: &ClassId| {
            let needing = self.needed_by.get(class);
            needing.into_iter().flatten().any(|&method| context.elsewhere[method])
        };
        !context.universe.is_closed() || ends.iter().any(is_elsewhere)
    }

    /// Whether code outside can make the JVM initialise the class while none of `ends` is initialised.
    pub(crate) fn is_startable(
        &self,
        context: &Context<'_>,
        callers: &[Vec<u32>],
        class: ClassId,
        ends: &[ClassId],
    ) -> bool {
        if is_directly_startable(context, class) {
            return true;
        }
        // Upwards from what needs the class, through code that can run before either end.
        let bound: Vec<FxHashSet<ClassId>> = ends.iter().map(|&it| self.dependants(it)).collect();
        let is_free = |it: ClassId| !bound.iter().any(|classes| classes.contains(&it));
        let mut queue: Vec<usize> = self.needed_by.get(&class).cloned().unwrap_or_default();
        let mut seen: FxHashSet<usize> = queue.iter().copied().collect();
        let mut depth = 0;
        // From `main` the way may be long.
        while !queue.is_empty() && (depth <= DEPTH || context.universe.is_closed()) {
            let mut next = Vec::new();
            for method in queue {
                let id = context.slice.methods[method];
                let is_initialiser = context.universe.initialiser(id.class) == Some(id);
                if !is_free(id.class) || is_initialiser {
                    continue;
                }
                let is_named =
                    context.universe.is_closed() || context.universe.is_accessible(id.class);
                if context.entries[method] && is_named {
                    return true;
                }
                for &caller in &callers[method] {
                    if seen.insert(caller as usize) {
                        next.push(caller as usize);
                    }
                }
            }
            queue = next;
            depth += 1;
        }
        false
    }
}

/// Whether a caller can name the class and has a use for it that initialises it: a static method, a
/// static field that is no constant, a constructor, or a subclass.
fn is_directly_startable(context: &Context<'_>, class: ClassId) -> bool {
    let universe = context.universe;
    let Some(declared) = universe.program.class(class) else { return false };
    if !universe.is_accessible(class) {
        return false;
    }
    let opens = |flags: program::AccessFlags| flags.is_public() || flags.is_protected();
    let unnamed = universe.program.package(declared.name).is_empty();
    let may = |flags: program::AccessFlags| opens(flags) || unnamed && !flags.is_private();
    let init = universe.program.known.init;
    let by_method = declared.methods.iter().any(|method| {
        may(method.access_flags)
            && (method.access_flags.is_static() || method.name == init)
            && method.name != universe.program.known.clinit
    });
    let by_field = declared.fields().any(|(id, field)| {
        field.access_flags.is_static()
            && may(field.access_flags)
            && declared.constant_value(id).is_none()
    });
    by_method || by_field
}

fn finding(
    context: &Context<'_>,
    class: ClassId,
    need: &Need,
    other: ClassId,
    back: &[Need],
) -> Finding {
    let cycle = init_cycle(context, class, need, other, back);
    let message = format!(
        "Initialising {} needs {}, and initialising {} needs {}: two threads that start at \
         different ends can wait for each other forever.",
        cycle.locks[0].name, cycle.locks[1].name, cycle.locks[1].name, cycle.locks[0].name
    );
    let line = need.stack.first().and_then(|&(method, pc)| context.slice.facts[method].line(pc));
    let first_is_class = cycle.locks[0].name == class_name(context, class);
    let rank = need.stack.len() + back.iter().map(|it| it.stack.len()).sum::<usize>();
    let subject = if first_is_class { class } else { other };
    let line = line.filter(|_| first_is_class).map(u32::from);
    new_finding(context, subject, line, cycle, message, rank as u32)
}

/// A finding about the initialiser of a class.
pub(crate) fn new_finding(
    context: &Context<'_>,
    class: ClassId,
    line: Option<u32>,
    cycle: Cycle,
    message: String,
    rank: u32,
) -> Finding {
    let subject = Subject {
        class: Some(cycle.locks[0].name.clone()),
        method: Some("<clinit>()V".to_owned()),
        file: source_file(context, class),
        line,
    };
    let evidence = Evidence {
        construction: Construction::Public,
        replay: Replay::NotRun,
        needs: Default::default(),
        witness: String::new(),
        observed: Vec::new(),
        drawing: None,
    };
    #[expect(clippy::expect_used, reason = "the registry has it")]
    let rule = Rule::named("class-init-acyclic").expect("a rule of this crate");
    Finding {
        classes: cycle.locks.iter().map(|lock| lock.name.clone()).collect(),
        rank,
        notes: vec![super::remarks::who_could_fix(&cycle)],
        cycle: Some(Box::new(cycle)),
        ..Finding::new(rule, Verdict::from_evidence(evidence, Vec::new()), subject, message)
    }
}

/// Both ends of the circle, the class with the smaller name first.
fn init_cycle(
    context: &Context<'_>,
    class: ClassId,
    need: &Need,
    other: ClassId,
    back: &[Need],
) -> Cycle {
    let names = [class_name(context, class), class_name(context, other)];
    let lock = |name: &String| Lock {
        kind: LockKind::ClassInit,
        place: Place::Class,
        name: name.clone(),
        type_name: name.clone(),
    };
    let thread = |n: usize, stack: Vec<String>| Thread {
        entry: format!("{}.<clinit>()V", names[n]),
        holds: n,
        wants: 1 - n,
        stack,
        alternatives: Alternatives::default(),
    };
    let mut cycle = Cycle {
        locks: names.iter().map(lock).collect(),
        threads: vec![
            thread(0, init_frames(context, class, std::slice::from_ref(need))),
            thread(1, init_frames(context, other, back)),
        ],
        containers: Vec::new(),
        group: Group::ClassInit,
        pruned: None,
        change: None,
    };
    if names[1] < names[0] {
        cycle.locks.swap(0, 1);
        cycle.threads.swap(0, 1);
        for (n, thread) in cycle.threads.iter_mut().enumerate() {
            thread.holds = n;
            thread.wants = 1 - n;
        }
    }
    cycle
}

fn init_frames(context: &Context<'_>, class: ClassId, needs: &[Need]) -> Vec<String> {
    let mut at = class;
    let mut frames = Vec::new();
    for need in needs {
        if need.stack.is_empty() {
            let file = source_file(context, at).unwrap_or("Unknown Source".to_owned());
            frames.push(format!("{}.<clinit>({file})", class_name(context, at)));
        }
        let own = need.stack.iter().map(|&(method, pc)| frame_name(context, method, pc));
        frames.extend(own);
        at = need.class;
    }
    frames
}
