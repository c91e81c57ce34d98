//! Deadlocks: which locks threads can wait for in a circle.
//!
//! The way through: the classes and who can call them (`universe`), the methods that matter and what
//! each does (`slice`, `extract`, `values`, `escape`), what fields hold (`fields`), what calling each
//! method may lock (`graph`, `summary`), the circles (`cycles`) and which of them cannot happen
//! (`feasible`). Deliberately absent: symbolic execution, and anything that runs code.

mod boot;
mod by_name;
mod chains;
mod compare;
mod contents;
mod context;
mod contracts;
mod cycles;
mod describe;
mod escape;
mod extract;
mod facts;
mod feasible;
mod fields;
mod fixed;
mod graph;
mod guards;
mod half_made;
mod handed;
mod init;
mod init_locks;
mod kept;
mod link;
mod literals;
mod names;
mod never_set;
mod objects;
mod order;
mod path;
mod permits;
mod plain;
mod primitives;
mod products;
mod proof;
mod reach;
mod remarks;
mod slice;
mod statistics;
mod strangers;
mod summary;
mod tasks;
mod threads;
mod ties;
mod unique;
mod universe;
mod values;
mod waits;
mod witness;

pub use compare::compare_releases;
pub use contracts::Contract;
pub use statistics::reliability;
pub use witness::{HangKind, HangOutcome, HangPlan, HangRole, HangRunner, Spot, Stop};

use std::time::Instant;

use program::{ClassId, Program};

use crate::finding::{Finding, Subject};
use crate::report::{LockUsage, Stat, StatValue};
use crate::rule::Rule;
use crate::verdict::{Construction, Evidence, Gap, GapKind, Replay, Scope, Verdict};
use proof::Obstacles;

pub struct Analysis {
    pub stats: Vec<Stat>,
    pub lock_usage: Vec<LockUsage>,
    /// What each method may lock.
    pub contracts: Vec<Contract>,
    candidates: Vec<describe::Candidate>,
    /// Of rules without a circle; none where there are too many classes to prove anything.
    obstacles: Option<Obstacles>,
}

impl Analysis {
    /// The findings as they are, without a JVM.
    pub fn findings(self) -> Vec<Finding> {
        let findings =
            self.candidates.into_iter().filter_map(describe::Candidate::settled).collect();
        with_clean_rules(findings, self.obstacles.as_ref())
    }

    /// Runs programs for the findings, the likely ones first, and gives each the verdict that it has
    /// earned.
    pub fn replay(self, runner: &dyn HangRunner) -> Vec<Finding> {
        /// More deadlocks are not tried out in one run.
        const RUNS: usize = 60;
        let mut candidates = self.candidates;
        candidates.sort_by_key(|candidate| candidate.finding.rank);
        let plans: Vec<Vec<HangPlan>> = candidates
            .iter()
            .filter(|candidate| !candidate.plans.is_empty())
            .map(|candidate| candidate.plans.clone())
            .take(RUNS)
            .collect();
        let mut outcomes = runner.run(&plans).into_iter();
        let mut obstacles = self.obstacles;
        let mut findings = Vec::new();
        for mut candidate in candidates {
            if !candidate.plans.is_empty()
                && let Some(outcome) = outcomes.next()
            {
                candidate.weigh(&outcome, obstacles.as_mut());
                candidate.lead_with(&outcome);
                judge(&mut candidate.finding, outcome);
            }
            let is_hunch = candidate.doubt == Some(describe::Doubt::Hunch);
            // What was not expected at all is told once.
            let is_broken = |it: &Finding| {
                it.rule.name == "lock-order-acyclic" && matches!(it.verdict, Verdict::Violated(_))
            };
            let is_told = is_hunch && findings.iter().any(is_broken);
            findings.extend(candidate.settled().filter(|_| !is_told));
        }
        with_clean_rules(findings, obstacles.as_ref())
    }
}

/// A rule without a circle holds, or it is said what is in the way of a proof: once, where it is the same
/// as of another rule.
fn with_clean_rules(mut findings: Vec<Finding>, obstacles: Option<&Obstacles>) -> Vec<Finding> {
    let Some(found) = obstacles else { return findings };
    let rules = [
        ("lock-order-acyclic", "by the order of locks", &found.locks),
        ("class-init-acyclic", "between class initialisers", &found.initialisers),
        ("no-wait-under-second-lock", "by waiting with a second lock held", &found.waits),
    ];
    let mut unknown: Vec<(&str, &Vec<String>)> = Vec::new();
    for (name, what, obstacles) in rules {
        let is_broken = findings.iter().any(|it| it.rule.name == name && it.is_current());
        let (false, Some(rule)) = (is_broken, Rule::named(name)) else { continue };
        if obstacles.is_empty() {
            let assumptions = found.assumptions.clone();
            let scope = Scope { assumptions, ..Scope::default() };
            let message = format!("No deadlock {what} is possible.");
            findings.push(Finding::new(rule, Verdict::Holds(scope), Subject::default(), message));
            continue;
        }
        let gaps = match unknown.iter().find(|(_, known)| *known == obstacles) {
            Some((other, _)) => vec![format!("the same is in the way as of {other}")],
            None => obstacles.clone(),
        };
        unknown.push((name, obstacles));
        let gaps = gaps.into_iter().map(|it| Gap::new(GapKind::Approximation, it)).collect();
        let message = format!("No deadlock {what} was found; that there is none is not proved.");
        findings.push(Finding::new(rule, Verdict::Unknown(gaps), Subject::default(), message));
    }
    findings
}

fn judge(finding: &mut Finding, outcome: HangOutcome) {
    let Some(evidence) = finding.verdict.evidence().cloned() else { return };
    let (evidence, gaps) = match outcome {
        HangOutcome::Hung { source, is_public, seen, .. } => {
            let construction = if is_public { Construction::Public } else { Construction::Package };
            let replay = Replay::Reproduced;
            let evidence =
                Evidence { construction, replay, witness: source, observed: seen, ..evidence };
            if !is_public {
                // Whoever calls from outside may never bring the objects into this state.
                let detail = "the program that hung uses what only code of the same package can";
                let gap = Gap::new(GapKind::Forced, detail);
                finding.verdict = Verdict::Possible(evidence, vec![gap]);
                return;
            }
            (evidence, Vec::new())
        }
        HangOutcome::Finished { source, .. } => {
            let evidence = Evidence { replay: Replay::Inconclusive, witness: source, ..evidence };
            (evidence, Vec::new())
        }
        HangOutcome::Failed(why) => {
            let detail = format!("no program could be run: {why}");
            (evidence, vec![Gap::new(GapKind::Unsupported, detail)])
        }
    };
    finding.verdict = Verdict::from_evidence(evidence, gaps);
}

/// Methods that may reach a lock; with more, as in a JDK, the search is shallower and nothing is proved.
const MANY: usize = 50_000;

/// With fewer, the search is deeper.
const FEW: usize = 10_000;

/// Calls that are followed between holding one lock and wanting the next: fewer where there are very
/// many methods.
fn depth_for(n_methods: usize) -> u16 {
    match n_methods {
        0..=FEW => 8,
        _ if n_methods <= MANY => 5,
        _ => 3,
    }
}

/// How long each stage took.
struct Clock {
    last: Instant,
    laps: Vec<Stat>,
}

impl Clock {
    fn new() -> Clock {
        Clock { last: Instant::now(), laps: Vec::new() }
    }

    fn lap(&mut self, name: &'static str) {
        let value = StatValue::Real(self.last.elapsed().as_secs_f64());
        self.laps.push(Stat { name, value });
        self.last = Instant::now();
    }
}

fn breaks(candidates: &[describe::Candidate], rule: &str) -> bool {
    candidates.iter().any(|it| it.breaks(rule))
}

/// What is left to try where nothing was found and nothing proved.
fn hunches(
    context: &context::Context<'_>,
    summaries: &[summary::Summary],
    candidates: &[describe::Candidate],
    obstacles: Option<&Obstacles>,
) -> Vec<describe::Candidate> {
    // What callers could do besides does not matter where there are none.
    let obstacles = obstacles.filter(|_| !context.universe.is_closed());
    let Some(obstacles) = obstacles else { return Vec::new() };
    let mut found = describe::describe_hunches(context, summaries, &obstacles.open);
    if !breaks(candidates, "lock-order-acyclic") {
        found.extend(permits::find_permit_circles(context));
    }
    found
}

/// What an analysis is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The circles and the contracts.
    Circles,
    /// Besides, which rules hold.
    Verdicts,
}

/// Who calls the judged classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callers {
    /// Any thread, whatever it can name.
    Anybody,
    /// Nobody but the threads that `main` methods of these classes start.
    Main,
}

/// Whether some judged class has a `main` method.
pub fn has_main(program: &Program, judged: &[ClassId]) -> bool {
    let mut classes = judged.iter().filter_map(|&id| program.class(id));
    classes.any(|it| it.methods().any(|(id, _)| universe::is_main(program, id, Callers::Main)))
}

/// Adds circles of class initialisers, alone and with locks; says how many classes the JVM initialises first.
fn add_initialiser_circles(
    context: &context::Context<'_>,
    summaries: &[summary::Summary],
    found: &mut Vec<describe::Candidate>,
) -> usize {
    let callers = graph::reversed(&graph::callees(context.slice));
    let booted = boot::booted(context);
    let initialisation = init::Initialisation::new(context);
    found.extend(init::find_init_circles(context, &initialisation, &callers, &booted));
    let mixed = init_locks::find_mixed_circles;
    found.extend(mixed(context, summaries, &initialisation, &callers, &booted));
    booted.len()
}

/// Judges the given classes of the program.
pub fn analyse_locks(
    program: &Program,
    judged: &[ClassId],
    aim: Aim,
    callers: Callers,
) -> Analysis {
    let mut clock = Clock::new();
    let universe = universe::Universe::new(program, judged, callers);
    clock.lap("seconds_universe");
    let paths = path::Paths::new();
    let mut slice = slice::gather_slice(&universe, &paths, judged);
    reach::drop_unreached(&universe, &mut slice);
    let fields = link::settle_calls(&universe, &paths, &mut slice);
    clock.lap("seconds_slice");
    strangers::drop_strangers(&universe, &paths, &mut slice);
    let locking = graph::Locking::new(&universe, &paths, &slice);
    let components = graph::order_components(&universe, &slice, &locking);
    let reach::Starts { entries, initialisers, programs, elsewhere } =
        reach::find_starts(&universe, &slice);
    let n_relevant: usize = components.order.iter().map(Vec::len).sum();
    let context = context::Context {
        universe: &universe,
        paths: &paths,
        slice: &slice,
        fields: &fields,
        entries,
        initialisers,
        programs,
        elsewhere,
        locking: &locking,
        population: context::count_objects(&universe, &slice),
        depth: depth_for(n_relevant),
        asked: Default::default(),
    };
    clock.lap("seconds_link");
    let summaries = summary::summarise(&context, &components.order);
    clock.lap("seconds_summaries");
    let circles = cycles::find_circles(&context, &summaries);
    clock.lap("seconds_circles");
    let mut candidates = describe::describe(&context, &summaries, &circles);
    let waits = waits::find_hopeless_waits(&context, &summaries);
    candidates.extend(describe::describe_waits(&context, &summaries, &waits));
    let n_booted = add_initialiser_circles(&context, &summaries, &mut candidates);
    clock.lap("seconds_words");
    let obstacles = (aim == Aim::Verdicts && n_relevant <= MANY)
        .then(|| proof::find_obstacles(&context, &summaries, |rule| breaks(&candidates, rule)));
    candidates.extend(hunches(&context, &summaries, &candidates, obstacles.as_ref()));
    clock.lap("seconds_proof");
    let mut stats = statistics::size(&context, &summaries, &components);
    stats.push(Stat { name: "booted", value: StatValue::Count(n_booted as u64) });
    stats.extend(clock.laps);
    stats.extend(statistics::usage(&context, &summaries, judged));
    Analysis {
        stats,
        lock_usage: statistics::lock_usage(&context),
        contracts: contracts::contracts(&context, &summaries),
        candidates,
        obstacles,
    }
}
