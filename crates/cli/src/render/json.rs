//! The JSON report, `jury/1`: the format that programs read, documented in `docs/report.md`.
//!
//! Stable: fields and values may be added, never renamed or removed. Every field of a finding is
//! always there, null where it does not apply; the fields of deadlocks are there on deadlocks only.

use std::collections::BTreeMap;

use checks::cycle::{Lock, Thread};
use checks::report::{Hierarchy, LockUsage, Problem, SCHEMA, StatValue};
use checks::{Cycle, Evidence, Finding, Gap, Report, Scope, Subject};
use serde::Serialize;

use super::{sanitize, words};

/// The whole report. With `all`, also pruned cycles, and methods with the same code in both versions.
pub fn render_json(report: &Report, all: bool) -> String {
    sanitize::to_json(&ReportJson {
        schema: SCHEMA,
        command: report.command().word(),
        inputs: report.inputs(),
        jdk: report.jdk(),
        findings: report.findings().iter().filter(|it| all || is_listed(it)).map(finding).collect(),
        problems: report.problems().iter().map(problem).collect(),
        summary: summary(report),
        hierarchies: report.hierarchies().iter().map(hierarchy).collect(),
    })
}

fn is_listed(finding: &Finding) -> bool {
    finding.pruned().is_none() && !finding.is_same_code()
}

#[derive(Serialize)]
struct ReportJson<'a> {
    schema: &'static str,
    command: &'static str,
    inputs: &'a [String],
    jdk: Option<&'a str>,
    findings: Vec<FindingJson<'a>>,
    problems: Vec<ProblemJson<'a>>,
    summary: SummaryJson<'a>,
    hierarchies: Vec<HierarchyJson<'a>>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    rule: &'static str,
    verdict: &'static str,
    subject: SubjectJson<'a>,
    classes: &'a [String],
    level: &'static str,
    cause: Option<&'static str>,
    notes: &'a [String],
    message: &'a str,
    scope: Option<ScopeJson<'a>>,
    evidence: Option<EvidenceJson<'a>>,
    gaps: Vec<GapJson<'a>>,
    #[serde(flatten)]
    cycle: Option<CycleJson<'a>>,
}

fn finding(finding: &Finding) -> FindingJson<'_> {
    FindingJson {
        rule: finding.rule.name,
        verdict: finding.verdict.word(),
        subject: subject(&finding.subject),
        classes: &finding.classes,
        level: finding.level.word(),
        cause: finding.cause.map(words::cause),
        notes: &finding.notes,
        message: &finding.message,
        scope: finding.verdict.scope().map(scope),
        evidence: finding.verdict.evidence().map(evidence),
        gaps: finding.verdict.gaps().iter().map(gap).collect(),
        cycle: finding.cycle.as_deref().map(cycle),
    }
}

#[derive(Serialize)]
struct SubjectJson<'a> {
    class: Option<&'a str>,
    method: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
}

fn subject(subject: &Subject) -> SubjectJson<'_> {
    SubjectJson {
        class: subject.class.as_deref(),
        method: subject.method.as_deref(),
        file: subject.file.as_deref(),
        line: subject.line,
    }
}

#[derive(Serialize)]
pub(super) struct ScopeJson<'a> {
    bound: Option<u32>,
    assumptions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    same_code: Option<bool>,
}

pub(super) fn scope(scope: &Scope) -> ScopeJson<'_> {
    ScopeJson {
        bound: scope.bound,
        assumptions: &scope.assumptions,
        same_code: scope.same_code.then_some(true),
    }
}

#[derive(Serialize)]
pub(super) struct EvidenceJson<'a> {
    construction: &'static str,
    replay: &'static str,
    needs: Vec<&'static str>,
    witness: &'a str,
    observed: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    drawing: Option<&'a str>,
}

pub(super) fn evidence(evidence: &Evidence) -> EvidenceJson<'_> {
    EvidenceJson {
        construction: words::construction(evidence.construction),
        replay: words::replay(evidence.replay),
        needs: evidence.needs.iter().copied().map(words::need).collect(),
        witness: &evidence.witness,
        observed: &evidence.observed,
        drawing: evidence.drawing.as_deref(),
    }
}

#[derive(Serialize)]
pub(super) struct GapJson<'a> {
    kind: &'static str,
    detail: &'a str,
}

pub(super) fn gap(gap: &Gap) -> GapJson<'_> {
    GapJson { kind: words::gap(gap.kind), detail: &gap.detail }
}

#[derive(Serialize)]
struct CycleJson<'a> {
    locks: Vec<LockJson<'a>>,
    threads: Vec<ThreadJson<'a>>,
    containers: &'a [String],
    group: &'static str,
    pruned: Option<&'a str>,
    change: Option<&'static str>,
}

fn cycle(cycle: &Cycle) -> CycleJson<'_> {
    CycleJson {
        locks: cycle.locks.iter().map(lock).collect(),
        threads: cycle.threads.iter().map(thread).collect(),
        containers: &cycle.containers,
        group: words::group(cycle.group),
        pruned: cycle.pruned.as_deref(),
        change: cycle.change.map(words::change),
    }
}

#[derive(Serialize)]
struct LockJson<'a> {
    kind: &'static str,
    place: &'static str,
    name: &'a str,
    #[serde(rename = "type")]
    type_name: &'a str,
}

fn lock(lock: &Lock) -> LockJson<'_> {
    LockJson {
        kind: words::lock_kind(lock.kind),
        place: words::place(lock.place),
        name: &lock.name,
        type_name: &lock.type_name,
    }
}

#[derive(Serialize)]
struct ThreadJson<'a> {
    entry: &'a str,
    holds: usize,
    wants: usize,
    stack: &'a [String],
    alternatives: AlternativesJson<'a>,
}

#[derive(Serialize)]
struct AlternativesJson<'a> {
    count: u32,
    stacks: &'a [Vec<String>],
}

fn thread(thread: &Thread) -> ThreadJson<'_> {
    ThreadJson {
        entry: &thread.entry,
        holds: thread.holds,
        wants: thread.wants,
        stack: &thread.stack,
        alternatives: AlternativesJson {
            count: thread.alternatives.count,
            stacks: &thread.alternatives.stacks,
        },
    }
}

#[derive(Serialize)]
struct ProblemJson<'a> {
    path: &'a str,
    message: &'a str,
}

fn problem(problem: &Problem) -> ProblemJson<'_> {
    ProblemJson { path: &problem.path, message: &problem.message }
}

#[derive(Serialize)]
struct SummaryJson<'a> {
    classes: usize,
    methods: usize,
    holds: usize,
    violated: usize,
    possible: usize,
    unknown: usize,
    refuted: usize,
    bounded: usize,
    #[serde(flatten)]
    members: Option<MembersJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compatibility: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pruned: Option<usize>,
    #[serde(flatten)]
    stats: BTreeMap<&'static str, serde_json::Number>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lock_usage: Vec<LockUsageJson<'a>>,
}

#[derive(Serialize)]
struct LockUsageJson<'a> {
    name: &'a str,
    methods: usize,
    blocks: usize,
}

#[derive(Serialize)]
struct MembersJson {
    unchanged: usize,
    changed: usize,
    affected: usize,
    added: usize,
    removed: usize,
}

fn summary(report: &Report) -> SummaryJson<'_> {
    let summary = report.summary();
    SummaryJson {
        classes: summary.classes,
        methods: summary.methods,
        holds: summary.holds,
        violated: summary.violated,
        possible: summary.possible,
        unknown: summary.unknown,
        refuted: summary.refuted,
        bounded: summary.bounded,
        members: summary.members.map(|it| MembersJson {
            unchanged: it.unchanged,
            changed: it.changed,
            affected: it.affected,
            added: it.added,
            removed: it.removed,
        }),
        compatibility: report.compatibility(),
        pruned: (report.command() == checks::Command::Locks).then_some(summary.pruned),
        stats: report.stats().iter().map(|stat| (stat.name, number(stat.value))).collect(),
        lock_usage: report.lock_usage().iter().map(lock_usage).collect(),
    }
}

fn lock_usage(usage: &LockUsage) -> LockUsageJson<'_> {
    LockUsageJson { name: &usage.name, methods: usage.methods, blocks: usage.blocks }
}

fn number(value: StatValue) -> serde_json::Number {
    match value {
        StatValue::Count(count) => count.into(),
        // What is not finite is no JSON number, and no measurement either.
        StatValue::Real(real) => serde_json::Number::from_f64(real).unwrap_or_else(|| 0.into()),
    }
}

#[derive(Serialize)]
struct HierarchyJson<'a> {
    root: &'a str,
    kind: &'static str,
    breaks: &'a [String],
}

fn hierarchy(hierarchy: &Hierarchy) -> HierarchyJson<'_> {
    HierarchyJson {
        root: &hierarchy.root,
        kind: words::equality(hierarchy.kind),
        breaks: &hierarchy.breaks,
    }
}
