//! Circles as findings: names, stacks, sentences.

use rustc_hash::FxHashMap;

use super::context::Context;
use super::cycles::{Circle, Seat};
use super::names::{frame_name, lock_name, method_name, report_lock, source_file};
use super::path::{Mode, Root};
use super::proof::Obstacles;
use super::remarks::{containers, who_could_fix};
use super::summary::{Pair, Source, Summary, Via};
use super::witness::{HangKind, HangOutcome, HangPlan, plans, same_objects};
use crate::cycle::{Alternatives, Cycle, Group, LockKind, NOT_SHOWN, Thread};
use crate::finding::{Finding, Subject};
use crate::rule::Rule;
use crate::verdict::{Construction, Evidence, Replay, Verdict};

/// A finding, and the plans of programs that should show it.
pub(crate) struct Candidate {
    pub finding: Finding,
    pub plans: Vec<HangPlan>,
    /// Why nothing is said if no program shows it.
    pub doubt: Option<Doubt>,
    /// What is told instead if a plan from this number on hangs, up to the next: other circles of the group.
    pub variants: Vec<(usize, Finding)>,
}

/// Why a finding counts only if a program shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Something speaks against it: it is told as pruned.
    Against(String),
    /// Nothing speaks for it but that it could not be excluded, which the rule's obstacles say.
    Hunch,
}

impl Candidate {
    /// Whether the rule is broken, whatever programs show.
    pub(crate) fn breaks(&self, rule: &str) -> bool {
        self.finding.rule.name == rule && self.finding.is_current() && self.doubt.is_none()
    }

    /// Threads that often stood where each holds its first lock and went on, or never got there, speak
    /// against the circle: the objects that it needs are perhaps never found together. That proves nothing.
    pub(crate) fn weigh(&mut self, outcome: &HangOutcome, obstacles: Option<&mut Obstacles>) {
        /// As many as are tried for one plan.
        const MANY: usize = 16;
        const FRAMES: usize = 4;
        let HangOutcome::Finished { against, .. } = outcome else { return };
        let is_circle = self.plans.iter().all(|plan| plan.kind == HangKind::Locks);
        // The longer the way, the less it says that objects built by trying did not go it.
        let is_short =
            self.finding.cycle.iter().flat_map(|it| &it.threads).all(|it| it.stack.len() <= FRAMES);
        if *against < MANY || !is_circle || !is_short || self.doubt.is_some() {
            return;
        }
        let threads = self.finding.cycle.iter().flat_map(|it| &it.threads);
        let mut entries: Vec<&str> =
            threads.map(|it| it.entry.split('(').next().unwrap_or_default()).collect();
        entries.dedup();
        if let Some(obstacles) = obstacles {
            obstacles.locks.push(format!(
                "threads in {}() may wait for each other (`--all` says how), though no program made \
                 them",
                entries.join("() and ")
            ));
        }
        self.doubt = Some(Doubt::Against("programs that should have hung went on".to_owned()));
    }

    /// What hung is told, where a group has several circles.
    pub(crate) fn lead_with(&mut self, outcome: &HangOutcome) {
        let HangOutcome::Hung { plan, .. } = outcome else { return };
        let shown = self.variants.iter().rev().find(|(first, _)| first <= plan);
        if let Some((_, finding)) = shown {
            self.finding = finding.clone();
        }
    }

    /// What is said in the end: a circle that is in doubt counts only where it was seen.
    pub(crate) fn settled(self) -> Option<Finding> {
        let mut finding = self.finding;
        let evidence = finding.verdict.evidence();
        let is_seen = evidence.is_some_and(|it| it.replay == Replay::Reproduced);
        match self.doubt {
            None => {}
            Some(Doubt::Against(why)) if !is_seen => {
                if let Some(cycle) = &mut finding.cycle {
                    cycle.pruned.get_or_insert_with(|| format!("{NOT_SHOWN}{why}"));
                }
            }
            Some(Doubt::Against(_)) => {}
            // What only code of the same package can do, nobody may ever do.
            Some(Doubt::Hunch) => {
                return matches!(finding.verdict, Verdict::Violated(_)).then_some(finding);
            }
        }
        Some(finding)
    }
}

/// More plans for one finding are not tried.
const PLANS: usize = 5;

/// One finding for each set of locks; circles through the same locks become alternatives.
pub(crate) fn describe(
    context: &Context<'_>,
    summaries: &[Summary],
    circles: &[Circle],
) -> Vec<Candidate> {
    let mut findings: Vec<Candidate> = Vec::new();
    let mut known: FxHashMap<((Vec<String>, bool), bool), usize> = FxHashMap::default();
    let mut order: Vec<usize> = (0..circles.len()).collect();
    order.sort_by_key(|&index| {
        let circle = &circles[index];
        (
            circle.pruned.is_some(),
            circle.doubt.is_some(),
            !circle.is_typical,
            cost(context, summaries, circle),
        )
    });
    for index in order {
        let circle = &circles[index];
        let cycle = report_cycle(context, summaries, circle);
        let names = circle.group.clone();
        let is_pruned = circle.pruned.is_some();
        if let Some(&finding) =
            known.get(&(names.clone(), false)).or(known.get(&(names.clone(), is_pruned)))
        {
            if !is_pruned {
                add_alternatives(&mut findings[finding].finding, &cycle);
                add_plans(&mut findings[finding].plans, plans(context, summaries, circle));
            }
            continue;
        }
        known.insert((names, is_pruned), findings.len());
        let mut distinct = Vec::new();
        if !is_pruned {
            add_plans(&mut distinct, plans(context, summaries, circle));
        }
        let entry = circle.roles[0].entry;
        let finding = finding(context, entry, cycle, cost(context, summaries, circle));
        let doubt = circle.doubt.clone().map(Doubt::Against);
        findings.push(Candidate { finding, plans: distinct, doubt, variants: Vec::new() });
    }
    findings
}

/// Circles that could not be excluded, though nothing says that the objects are ever found together: programs
/// may show it.
pub(crate) fn describe_hunches(
    context: &Context<'_>,
    summaries: &[Summary],
    open: &[[Seat; 2]],
) -> Vec<Candidate> {
    /// Each that does not hang takes its time.
    const TRIED: usize = 2;
    /// On objects of their own, and on one.
    const PROGRAMS: usize = 2;
    let mut circles: Vec<Circle> = Vec::new();
    for &[first, second] in open.iter().take(TRIED) {
        circles.push(hunch(context, summaries, vec![first, second]));
        // Where all do the same, it may take three.
        if first == second && circles.len() == 1 {
            circles.push(hunch(context, summaries, vec![first; 3]));
        }
    }
    let mut candidates = Vec::new();
    for circle in &circles {
        let same = same_objects(context, summaries, &circle.roles);
        for mut candidate in describe(context, summaries, std::slice::from_ref(circle)) {
            candidate.doubt = Some(Doubt::Hunch);
            candidate.plans.truncate(PROGRAMS);
            for plan in &mut candidate.plans {
                plan.same.clone_from(&same);
                plan.is_hunch = true;
            }
            candidates.push(candidate);
        }
    }
    candidates
}

fn hunch(context: &Context<'_>, summaries: &[Summary], roles: Vec<Seat>) -> Circle {
    let pair = |seat: &Seat| &summaries[seat.entry].pairs[seat.record];
    let family: Vec<String> = roles.iter().map(|it| lock_name(context, &pair(it).held)).collect();
    Circle {
        alternatives: vec![Vec::new(); roles.len()],
        roles,
        pruned: None,
        doubt: None,
        group: (family.clone(), family.windows(2).all(|two| two[0] == two[1])),
        family,
        is_typical: true,
    }
}

/// Waits whose signal cannot come.
pub(crate) fn describe_waits(
    context: &Context<'_>,
    summaries: &[Summary],
    waits: &[Circle],
) -> Vec<Candidate> {
    let mut candidates = describe(context, summaries, waits);
    for candidate in &mut candidates {
        let finding = &mut candidate.finding;
        for plan in &mut candidate.plans {
            plan.kind = HangKind::Wait;
        }
        if let Some(rule) = Rule::named("no-wait-under-second-lock") {
            finding.rule = rule;
        }
        if let Some(cycle) = &mut finding.cycle {
            cycle.group = Group::Wait;
            finding.notes = vec![who_could_fix(cycle)];
            let waits_for_task = waits.iter().any(|circle| {
                let seat = circle.roles[0];
                let pair = &summaries[seat.entry].pairs[seat.record];
                circle.group.0 == [cycle.locks[0].name.clone()] && pair.wanted.mode == Mode::Done
            });
            finding.message = if waits_for_task {
                format!(
                    "A thread waits for a task to end while it holds {}, which the task needs.",
                    cycle.locks[0].name
                )
            } else {
                format!(
                    "A thread waits for a signal while it holds {}, which everyone who could send \
                     the signal must take first.",
                    cycle.locks[0].name
                )
            };
        }
    }
    candidates
}

/// How far a circle is from certain: each doubt weighs as much as many calls.
fn cost(context: &Context<'_>, summaries: &[Summary], circle: &Circle) -> u32 {
    const DOUBT: u32 = 20;
    let are_alike = circle.group.1 && circle.roles.len() > 1;
    let one = |seat: &Seat| {
        let pair = &summaries[seat.entry].pairs[seat.record];
        let doubt = match are_alike {
            // Who calls chooses both objects, and with them the code that runs.
            true if is_handed_in(context, pair) => 0,
            // What fields lead to may be the same object after all, or always a part of the first.
            true => pair.doubt + 1,
            false => pair.doubt,
        };
        u32::from(doubt) * DOUBT + u32::from(pair.depth)
    };
    circle.roles.iter().map(one).sum()
}

/// Whether the wanted lock is to one parameter what the held one is to another.
fn is_handed_in(context: &Context<'_>, pair: &Pair) -> bool {
    let (held, wanted) =
        (context.paths.of(pair.held.val.path), context.paths.of(pair.wanted.val.path));
    let are_parameters = matches!((held.root, wanted.root), (Root::Param(_), Root::Param(_)));
    are_parameters && held.root != wanted.root && held.steps() == wanted.steps()
}

fn add_alternatives(finding: &mut Finding, other: &Cycle) {
    let Some(cycle) = &mut finding.cycle else { return };
    for (own, thread) in cycle.threads.iter_mut().zip(&other.threads) {
        if own.stack != thread.stack && !own.alternatives.stacks.contains(&thread.stack) {
            own.alternatives.count += 1;
            push_stack(&mut own.alternatives, thread.stack.clone());
        }
    }
}

fn add_plans(known: &mut Vec<HangPlan>, more: Vec<HangPlan>) {
    for plan in more {
        if known.len() < PLANS && !known.contains(&plan) {
            known.push(plan);
        }
    }
}

/// Alternatives that are told in full.
const SHOWN: usize = 5;

fn push_stack(alternatives: &mut Alternatives, stack: Vec<String>) {
    if alternatives.stacks.len() < SHOWN {
        alternatives.stacks.push(stack);
    }
}

fn report_cycle(context: &Context<'_>, summaries: &[Summary], circle: &Circle) -> Cycle {
    let n_roles = circle.roles.len();
    let pair = |seat: Seat| &summaries[seat.entry].pairs[seat.record];
    let mut locks: Vec<_> =
        circle.roles.iter().map(|&seat| report_lock(context, &pair(seat).held)).collect();
    // A thread that waits for itself wants the same lock in another way.
    if let [alone] = circle.roles[..]
        && pair(alone).wanted.mode != pair(alone).held.mode
    {
        locks.push(report_lock(context, &pair(alone).wanted));
    }
    let n_locks = locks.len();
    let mut threads = Vec::new();
    for (index, &seat) in circle.roles.iter().enumerate() {
        let mut alternatives = Alternatives::default();
        for &other in &circle.alternatives[index] {
            alternatives.count += 1;
            if alternatives.stacks.len() < SHOWN {
                alternatives.stacks.push(stack(context, summaries, other));
            }
        }
        threads.push(Thread {
            entry: method_name(context, context.slice.methods[seat.entry]),
            holds: index,
            wants: (index + 1) % n_locks,
            stack: stack(context, summaries, seat),
            alternatives,
        });
    }
    let same_type = circle.family.windows(2).all(|two| two[0] == two[1]);
    let group = match (n_roles, same_type) {
        (2, true) => Group::TwoInstances,
        (1 | 2, _) => Group::Pair,
        (_, _) => Group::Longer,
    };
    let pruned = circle.pruned.clone();
    let containers = containers(context, circle.roles.iter().map(|&seat| pair(seat)));
    let mut cycle = Cycle { locks, threads, containers, group, pruned, change: None };
    if cycle.threads.len() == cycle.locks.len() {
        rotate(&mut cycle);
    }
    cycle
}

/// The lock with the smallest name first.
fn rotate(cycle: &mut Cycle) {
    let n_locks = cycle.locks.len();
    let key = |index: usize| (&cycle.locks[index].name, &cycle.threads[index].stack);
    let Some(first) = (0..n_locks).min_by_key(|&index| key(index)) else { return };
    cycle.locks.rotate_left(first);
    cycle.threads.rotate_left(first);
    for (index, thread) in cycle.threads.iter_mut().enumerate() {
        thread.holds = index;
        thread.wants = (index + 1) % n_locks;
    }
}

/// The frames from the entry to where the wanted lock is taken, outermost first.
fn stack(context: &Context<'_>, summaries: &[Summary], seat: Seat) -> Vec<String> {
    const DEEPEST: usize = 64;
    let mut frames = Vec::new();
    let (mut method, mut record) = (seat.entry, seat.record);
    while frames.len() < DEEPEST {
        match summaries[method].pairs[record].source {
            Source::Own { held_pc, wanted } => {
                let held = frame_name(context, method, held_pc);
                let wants = frame_name(context, method, wanted.pc());
                if held != wants {
                    frames.push(held);
                }
                follow(context, summaries, method, wanted, &mut frames);
                return frames;
            }
            Source::Lifted { pc, callee, record: inner } => {
                frames.push(frame_name(context, method, pc));
                (method, record) = (callee as usize, inner as usize);
            }
            Source::Callback { pc, callee, callback, target, record } => {
                frames.push(frame_name(context, method, pc));
                let (mut at, mut number) = (callee as usize, callback as usize);
                while frames.len() < DEEPEST {
                    let via = summaries[at].callbacks[number].via;
                    frames.push(frame_name(context, at, via.pc()));
                    match via {
                        Via::Own { .. } => break,
                        Via::Call { callee, record, .. } => {
                            (at, number) = (callee as usize, record as usize);
                        }
                    }
                }
                let via = summaries[target as usize].acquires[record as usize].via;
                follow(context, summaries, target as usize, via, &mut frames);
                return frames;
            }
        }
    }
    frames
}

pub(crate) fn follow(
    context: &Context<'_>,
    summaries: &[Summary],
    mut method: usize,
    mut via: Via,
    frames: &mut Vec<String>,
) {
    const DEEPEST: usize = 64;
    while frames.len() < DEEPEST {
        frames.push(frame_name(context, method, via.pc()));
        match via {
            Via::Own { .. } => return,
            Via::Call { callee, record, .. } => {
                method = callee as usize;
                via = summaries[method].acquires[record as usize].via;
            }
        }
    }
}

pub(crate) fn finding(context: &Context<'_>, first: usize, cycle: Cycle, rank: u32) -> Finding {
    let entry = context.slice.methods[first];
    let name = method_name(context, entry);
    let split = name.find('(').and_then(|end| name[..end].rfind('.')).unwrap_or(0);
    let subject = Subject {
        class: Some(name[..split].to_owned()),
        method: Some(name[split + 1..].to_owned()),
        file: source_file(context, entry.class),
        line: context.slice.facts[first].lines.first().map(|&(_, line)| u32::from(line)),
    };
    let evidence = Evidence {
        construction: Construction::Public,
        replay: Replay::NotRun,
        needs: Default::default(),
        witness: String::new(),
        observed: Vec::new(),
        drawing: None,
    };
    let message = sentence(&cycle);
    let mut classes: Vec<String> = cycle.threads.iter().map(|it| class_of(&it.entry)).collect();
    classes.sort();
    classes.dedup();
    #[expect(clippy::expect_used, reason = "the registry has it")]
    let rule = Rule::named("lock-order-acyclic").expect("a rule of this crate");
    let notes = vec![who_could_fix(&cycle)];
    Finding {
        classes,
        notes,
        rank,
        cycle: Some(Box::new(cycle)),
        ..Finding::new(rule, Verdict::from_evidence(evidence, Vec::new()), subject, message)
    }
}

fn class_of(method: &str) -> String {
    let end = method.find('(').unwrap_or(method.len());
    method[..end].rsplit_once('.').map_or(method, |(class, _)| class).to_owned()
}

fn sentence(cycle: &Cycle) -> String {
    let (a, b) = (&cycle.locks[0], &cycle.locks[cycle.locks.len() - 1]);
    match cycle.group {
        Group::TwoInstances => format!(
            "Two threads that use two objects in opposite order can wait for each other forever: \
             each holds one {} and wants the other.",
            a.name
        ),
        Group::Pair
            if cycle.threads.len() == 1
                && (a.kind, b.kind) == (LockKind::JucRead, LockKind::JucWrite) =>
        {
            format!(
                "A thread that holds {} for reading wants it for writing, and waits for itself forever.",
                a.name
            )
        }
        Group::Pair if cycle.threads.len() == 1 => format!(
            "A thread that holds {} wants it once more, which this kind of lock does not allow: it \
             waits for itself forever.",
            a.name
        ),
        Group::Pair | Group::ClassInit | Group::Wait => format!(
            "One thread holds {} and wants {}, another holds {} and wants {}: both can wait forever.",
            a.name, b.name, b.name, a.name
        ),
        Group::Longer => format!(
            "{} threads can wait for each other in a circle, each for the lock of the next.",
            cycle.threads.len()
        ),
    }
}
