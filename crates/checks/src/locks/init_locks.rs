//! Circles of a class initialiser and a lock, or a task that it waits for.
//!
//! Initialising a class may take a lock that somebody else holds while the class is first needed; and an
//! initialiser that waits for a task hangs if the task needs the class. Only locks that the whole JVM
//! shares count here: a static field, a class object, a literal.

use program::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::{Context, define};
use super::describe::{Candidate, follow};
use super::facts::{Event, What};
use super::feasible::waits_for;
use super::init::{Initialisation, new_finding};
use super::names::{class_name, frame_name, report_lock};
use super::path::{Lock, Mode, Root};
use super::summary::{Acquire, Summary};
use super::tasks::body_of;
use super::witness::init_wait_plan;
use crate::cycle::{self, Alternatives, Cycle, Group, LockKind, Place, Thread};

/// Calls from where a lock is held to where a class is needed.
const DEPTH: usize = 5;

/// Finds them among the judged classes.
pub(crate) fn find_mixed_circles(
    context: &Context<'_>,
    summaries: &[Summary],
    graph: &Initialisation,
    callers: &[Vec<u32>],
    booted: &FxHashSet<ClassId>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for &class in graph.order.iter().filter(|class| context.universe.is_judged(**class)) {
        let initialiser = context.universe.initialiser(class);
        let Some(initialiser) = initialiser.and_then(|id| context.slice.index(id)) else {
            continue;
        };
        if booted.contains(&class) {
            continue;
        }
        let mut wants =
            summaries[initialiser].acquires.iter().filter(|it| it.doubt == 0).peekable();
        if wants.peek().is_none() {
            continue;
        }
        if !graph.is_startable(context, callers, class, &[class]) {
            continue;
        }
        let bound = graph.dependants(class);
        let mut search = Search { context, summaries, callers, graph, class, initialiser, bound };
        found.extend(wants.find_map(|acquire| search.close(acquire)));
    }
    merge(found)
}

/// Circles through the same lock are told as one: the shortest, with the others beside it.
fn merge(mut found: Vec<Candidate>) -> Vec<Candidate> {
    found.sort_by_key(|it| it.finding.rank);
    let lock = |it: &Candidate| {
        let cycle = it.finding.cycle.as_ref();
        cycle.and_then(|cycle| cycle.locks.get(1)).map(|lock| lock.name.clone())
    };
    let mut merged: Vec<Candidate> = Vec::new();
    for candidate in found {
        let own = lock(&candidate);
        let known = merged.iter_mut().find(|it| own.is_some() && lock(it) == own);
        let Some(known) = known else {
            merged.push(candidate);
            continue;
        };
        known.finding.classes.extend(candidate.finding.classes);
        known.finding.classes.sort();
        known.finding.classes.dedup();
        let threads = known.finding.cycle.iter_mut().flat_map(|it| it.threads.iter_mut());
        let others = candidate.finding.cycle.into_iter().flat_map(|it| it.threads);
        for (thread, other) in threads.zip(others) {
            thread.alternatives.count += 1;
            thread.alternatives.stacks.push(other.stack);
        }
    }
    merged
}

struct Search<'a> {
    context: &'a Context<'a>,
    summaries: &'a [Summary],
    callers: &'a [Vec<u32>],
    graph: &'a Initialisation,
    class: ClassId,
    initialiser: usize,
    /// Classes that cannot be initialised without this one.
    bound: FxHashSet<ClassId>,
}

impl Search<'_> {
    /// The circle through a lock or a task that the initialiser waits for.
    fn close(&mut self, acquire: &Acquire) -> Option<Candidate> {
        let path = self.context.paths.of(acquire.lock.val.path);
        let is_shared = path.steps().is_empty()
            && match path.root {
                // Whoever else holds an object of the class's own field has it initialised.
                Root::Static(field) => field.class != self.class,
                Root::Class(_) | Root::Text(_) => true,
                Root::Param(_)
                | Root::Alloc(..)
                | Root::Result(_)
                | Root::Local(_)
                | Root::Unknown => false,
            };
        let other = match (acquire.lock.mode, path.root) {
            (Mode::Done, Root::Alloc(maker, pc)) => {
                let task = body_of(self.context, maker, pc)?;
                self.needing_task(task)?
            }
            (Mode::Monitor | Mode::Exclusive | Mode::Read | Mode::Write, _) if is_shared => {
                self.holder(&acquire.lock)?
            }
            _ => return None,
        };
        let mut own = Vec::new();
        follow(self.context, self.summaries, self.initialiser, acquire.via, &mut own);
        Some(self.tell(acquire, own, other))
    }

    /// The way from a task to where it needs the class; its own static code needs it at once.
    fn needing_task(&self, task: usize) -> Option<Vec<String>> {
        let id = self.context.slice.methods[task];
        let (_, declared) = self.context.universe.program.method(id);
        if id.class == self.class && declared.access_flags.is_static() {
            return Some(vec![frame_name(self.context, task, 0)]);
        }
        let needing = self.needing();
        needing.contains_key(&task).then(|| self.way(&needing, task))
    }

    /// Methods from which the class is needed, with the next step there: a pc, and a callee or none.
    fn needing(&self) -> FxHashMap<usize, (u16, Option<usize>)> {
        let slice = self.context.slice;
        let mut found: FxHashMap<usize, (u16, Option<usize>)> = FxHashMap::default();
        let mut layer: Vec<usize> = Vec::new();
        for &method in self.graph.needed_by.get(&self.class).into_iter().flatten() {
            let pc = slice.facts[method].events.iter().find_map(|event| match event.what {
                What::Init(class) if class == self.class => Some(event.pc),
                What::Init(_)
                | What::Call(_)
                | What::Acquire(_)
                | What::Wait { .. }
                | What::Notify { .. }
                | What::Join(_)
                | What::Spawn(_) => None,
            });
            if let Some(pc) = pc
                && self.is_free(method)
            {
                found.entry(method).or_insert((pc, None));
                layer.push(method);
            }
        }
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for callee in layer {
                for &caller in &self.callers[callee] {
                    let caller = caller as usize;
                    if found.contains_key(&caller) || !self.is_free(caller) {
                        continue;
                    }
                    let calls = |event: &&Event| self.is_call(event, callee);
                    if let Some(event) = slice.facts[caller].events.iter().find(calls) {
                        found.insert(caller, (event.pc, Some(callee)));
                        next.push(caller);
                    }
                }
            }
            layer = next;
        }
        found
    }

    fn is_call(&self, event: &Event, callee: usize) -> bool {
        match &event.what {
            What::Call(call) => {
                matches!(call.targets.methods[..], [only] if only == self.context.slice.methods[callee])
            }
            What::Init(_)
            | What::Acquire(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => false,
        }
    }

    /// Whether the method can run while the class is not initialised.
    fn is_free(&self, method: usize) -> bool {
        !self.bound.contains(&self.context.slice.methods[method].class)
    }

    /// Who holds the lock and then needs the class: the frames.
    fn holder(&self, lock: &Lock) -> Option<Vec<String>> {
        let slice = self.context.slice;
        let needing = self.needing();
        let mut methods: Vec<usize> = needing.keys().copied().collect();
        methods.sort_unstable();
        for method in methods {
            let facts = &slice.facts[method];
            let (_, callee) = needing[&method];
            for event in &facts.events {
                let leads = match (&event.what, callee) {
                    (What::Init(class), None) => *class == self.class,
                    (_, Some(callee)) => self.is_call(event, callee),
                    (_, None) => false,
                };
                let holds = || {
                    event
                        .held
                        .may
                        .iter()
                        .filter_map(|site| facts.sites.get(site))
                        .any(|site| site.locks.iter().any(|held| self.is_lock(held, lock)))
                };
                if leads && holds() && self.is_reached(method) {
                    return Some(self.way(&needing, method));
                }
            }
        }
        None
    }

    /// Whether code outside can come to the method without the class being initialised on the way.
    fn is_reached(&self, method: usize) -> bool {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut layer = vec![method];
        for _ in 0..=DEPTH {
            let mut next = Vec::new();
            for method in layer {
                let class = self.context.slice.methods[method].class;
                if class == self.class || !seen.insert(method) || !self.is_free(method) {
                    continue;
                }
                if self.context.entries[method] {
                    return true;
                }
                next.extend(self.callers[method].iter().map(|&caller| caller as usize));
            }
            layer = next;
        }
        false
    }

    fn is_lock(&self, held: &Lock, lock: &Lock) -> bool {
        define(self.context, held.val.path) == lock.val.path && waits_for(lock.mode, held.mode)
    }

    fn way(&self, needing: &FxHashMap<usize, (u16, Option<usize>)>, start: usize) -> Vec<String> {
        let mut frames = Vec::new();
        let mut at = Some(start);
        while let Some(method) = at {
            let Some(&(pc, next)) = needing.get(&method) else { break };
            frames.push(frame_name(self.context, method, pc));
            at = next;
        }
        frames
    }

    fn tell(&self, acquire: &Acquire, own: Vec<String>, other: Vec<String>) -> Candidate {
        let class = class_name(self.context, self.class);
        let init = cycle::Lock {
            kind: LockKind::ClassInit,
            place: Place::Class,
            name: class.clone(),
            type_name: class.clone(),
        };
        let is_task = acquire.lock.mode == Mode::Done;
        let message = if is_task {
            format!(
                "Initialising {class} waits for a task that needs {class} itself: both wait forever."
            )
        } else {
            let lock = report_lock(self.context, &acquire.lock).name;
            format!(
                "Initialising {class} wants {lock}, and a thread that holds {lock} needs {class}: \
                 both can wait forever."
            )
        };
        let mut locks = vec![init];
        if !is_task {
            locks.push(report_lock(self.context, &acquire.lock));
        }
        let last = locks.len() - 1;
        let thread = |stack: Vec<String>, holds, wants| Thread {
            entry: entry_of(&stack),
            holds,
            wants,
            stack,
            alternatives: Alternatives::default(),
        };
        let n_frames = own.len() + other.len();
        let threads = vec![thread(own, 0, last), thread(other, last, 0)];
        let cycle = Cycle {
            locks,
            threads,
            containers: Vec::new(),
            group: Group::ClassInit,
            pruned: None,
            change: None,
        };
        let finding = new_finding(self.context, self.class, None, cycle, message, n_frames as u32);
        // Nobody but the program itself may initialise the class there.
        let is_open = !self.context.universe.is_closed();
        let plans = (is_task && is_open).then(|| init_wait_plan(self.context, self.class));
        Candidate { finding, plans: plans.into_iter().collect(), doubt: None, variants: Vec::new() }
    }
}

/// The method of the outermost frame.
fn entry_of(stack: &[String]) -> String {
    let frame = stack.first().map_or("", String::as_str);
    frame.split('(').next().unwrap_or_default().to_owned()
}
