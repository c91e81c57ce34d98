//! Everything one run found, in the order in which a person wants to read it.
//!
//! Deliberately without times, memory figures and anything else that differs from run to run, except
//! in [`Outcome::stats`], which is filled on request only.
//!
//! Invariants: findings are sorted by [what matters first](sort_key) whatever order they arrived in,
//! and the summary is counted from them, so that no two parts of a report can disagree.

use crate::finding::Finding;
use crate::verdict::{Evidence, Need, Verdict};

/// The name and version of the report format, as `schema` in JSON.
pub const SCHEMA: &str = "jury/1";

/// A sorted and counted report.
#[derive(Debug, Clone)]
pub struct Report {
    outcome: Outcome,
    summary: Summary,
}

impl Report {
    pub fn new(mut outcome: Outcome) -> Report {
        outcome.findings.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
        outcome.problems.sort();
        outcome.hierarchies.sort_by(|a, b| a.root.cmp(&b.root));
        let summary = Summary::count(&outcome);
        Report { outcome, summary }
    }

    pub fn command(&self) -> Command {
        self.outcome.command
    }

    pub fn inputs(&self) -> &[String] {
        &self.outcome.inputs
    }

    pub fn jdk(&self) -> Option<&str> {
        self.outcome.jdk.as_deref()
    }

    pub fn findings(&self) -> &[Finding] {
        &self.outcome.findings
    }

    pub fn problems(&self) -> &[Problem] {
        &self.outcome.problems
    }

    pub fn hierarchies(&self) -> &[Hierarchy] {
        &self.outcome.hierarchies
    }

    pub fn stats(&self) -> &[Stat] {
        &self.outcome.stats
    }

    /// The locks, the most used first.
    pub fn lock_usage(&self) -> &[LockUsage] {
        &self.outcome.lock_usage
    }

    pub fn compatibility(&self) -> Option<&str> {
        self.outcome.compatibility.as_deref()
    }

    pub fn summary(&self) -> &Summary {
        &self.summary
    }
}

/// What a run hands in, in any order.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub command: Command,
    /// As the user wrote them.
    pub inputs: Vec<String>,
    /// The version of the JDK on the class path, if there is one.
    pub jdk: Option<String>,
    pub n_classes: usize,
    pub n_methods: usize,
    pub findings: Vec<Finding>,
    pub problems: Vec<Problem>,
    pub hierarchies: Vec<Hierarchy>,
    /// Of `jury diff` only.
    pub members: Option<Members>,
    /// Of `jury diff` only: who else than the judged code may no longer fit to it.
    pub compatibility: Option<String>,
    /// Empty unless asked for.
    pub stats: Vec<Stat>,
    /// Of `jury locks` only; empty unless asked for.
    pub lock_usage: Vec<LockUsage>,
}

impl Outcome {
    pub fn new(command: Command) -> Outcome {
        Outcome {
            command,
            inputs: Vec::new(),
            jdk: None,
            n_classes: 0,
            n_methods: 0,
            findings: Vec::new(),
            problems: Vec::new(),
            hierarchies: Vec::new(),
            members: None,
            compatibility: None,
            stats: Vec::new(),
            lock_usage: Vec::new(),
        }
    }
}

/// The commands that judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    Equals,
    Diff,
    Locks,
}

impl Command {
    pub fn word(self) -> &'static str {
        match self {
            Command::Equals => "equals",
            Command::Diff => "diff",
            Command::Locks => "locks",
        }
    }
}

/// By how many methods and blocks a lock is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockUsage {
    /// How a person would call it: `p.C.lock`.
    pub name: String,
    /// `synchronized` methods.
    pub methods: usize,
    /// `synchronized` blocks, and calls that take a lock of `java.util.concurrent`.
    pub blocks: usize,
}

/// Something that kept part of the input from being judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub path: String,
    pub message: String,
}

/// How a type hierarchy means equality, after the EQ thesis (1.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    pub root: String,
    pub kind: EqualityKind,
    /// The classes that break it.
    pub breaks: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EqualityKind {
    /// Objects of different types may be equal.
    TypeCompatible,
    /// Only objects of one type may be equal.
    TypeIncompatible,
    Hybrid,
}

/// How the members of two versions relate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Members {
    /// Same code, and nothing that it calls does anything else.
    pub unchanged: usize,
    /// Other code.
    pub changed: usize,
    /// Same code that calls what was not proved to do what it did.
    pub affected: usize,
    pub added: usize,
    pub removed: usize,
}

/// A measured number, such as seconds or solver queries.
#[derive(Debug, Clone, PartialEq)]
pub struct Stat {
    pub name: &'static str,
    pub value: StatValue,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StatValue {
    Count(u64),
    Real(f64),
}

/// The numbers of a report. Pruned cycles and those gone with an old release count as nothing else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    pub classes: usize,
    pub methods: usize,
    pub holds: usize,
    pub violated: usize,
    pub possible: usize,
    pub unknown: usize,
    /// Of the unknown: candidates that a JVM contradicted.
    pub refuted: usize,
    /// Of those that hold: proved only up to a bound.
    pub bounded: usize,
    pub pruned: usize,
    pub members: Option<Members>,
}

impl Summary {
    fn count(outcome: &Outcome) -> Summary {
        let mut summary = Summary {
            classes: outcome.n_classes,
            methods: outcome.n_methods,
            members: outcome.members,
            ..Summary::default()
        };
        for finding in &outcome.findings {
            summary.add(finding);
        }
        summary
    }

    fn add(&mut self, finding: &Finding) {
        self.pruned += usize::from(finding.pruned().is_some());
        if !finding.is_current() {
            return;
        }
        match &finding.verdict {
            Verdict::Holds(scope) => {
                self.holds += 1;
                self.bounded += usize::from(scope.bound.is_some());
            }
            Verdict::Violated(_) => self.violated += 1,
            Verdict::Possible(..) => self.possible += 1,
            Verdict::Unknown(_) => self.unknown += 1,
        }
        self.refuted += usize::from(finding.verdict.is_refuted());
    }
}

/// What matters first: current before pruned and gone; violated, possible, unknown, holds; by level;
/// ordinary values before those that need an unusual one, then what only writing into a field from
/// outside breaks; the engine's rank; then by name. The tail
/// only makes the order total, so that it cannot depend on the order of arrival.
fn sort_key(finding: &Finding) -> impl Ord + '_ {
    let place = (
        !finding.is_current(),
        verdict_rank(&finding.verdict),
        finding.level,
        finding.verdict.evidence().map_or(0, unusual),
        finding.rank,
    );
    let subject = &finding.subject;
    let name = (&subject.class, &subject.method, finding.rule.name);
    let tail = (subject.line, &finding.message, &finding.classes);
    (place, name, tail)
}

fn unusual(evidence: &Evidence) -> u8 {
    match &evidence.needs {
        needs if needs.contains(&Need::FieldWrite) => 2,
        needs if needs.is_empty() => 0,
        _ => 1,
    }
}

fn verdict_rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Violated(_) => 0,
        Verdict::Possible(..) => 1,
        Verdict::Unknown(_) => 2,
        Verdict::Holds(_) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycle::{Change, Cycle, Group};
    use crate::finding::{Level, Subject};
    use crate::rule::Rule;
    use crate::verdict::{Construction, Gap, GapKind, Replay, Scope};

    fn finding(class: &str, verdict: Verdict) -> Finding {
        let subject = Subject { class: Some(class.to_owned()), ..Subject::default() };
        Finding::new(Rule::named("equals-symmetric").unwrap(), verdict, subject, "")
    }

    fn violated(needs: &[Need]) -> Verdict {
        let evidence = Evidence {
            construction: Construction::Public,
            replay: Replay::Reproduced,
            needs: needs.iter().copied().collect(),
            witness: String::new(),
            observed: Vec::new(),
            drawing: None,
        };
        Verdict::from_evidence(evidence, Vec::new())
    }

    fn unknown(kind: GapKind) -> Verdict {
        Verdict::Unknown(vec![Gap::new(kind, "")])
    }

    fn report(findings: Vec<Finding>) -> Report {
        Report::new(Outcome { findings, ..Outcome::new(Command::Equals) })
    }

    fn classes(report: &Report) -> Vec<&str> {
        report.findings().iter().filter_map(|finding| finding.subject.class.as_deref()).collect()
    }

    #[test]
    fn what_matters_comes_first() {
        let mut note = finding("c", violated(&[]));
        note.level = Level::Note;
        let mut ranked = finding("b", violated(&[]));
        ranked.rank = 1;
        let findings = vec![
            finding("g", Verdict::Holds(Scope::default())),
            finding("f", unknown(GapKind::Budget)),
            note,
            finding("A", violated(&[Need::FieldWrite])),
            finding("a", violated(&[Need::Nan])),
            ranked,
            finding("z", violated(&[])),
        ];
        let forward = report(findings.clone());
        assert_eq!(classes(&forward), ["z", "b", "a", "A", "c", "f", "g"]);
        let backward = report(findings.into_iter().rev().collect());
        assert_eq!(classes(&backward), classes(&forward));
    }

    #[test]
    fn the_summary_is_counted_from_the_findings() {
        let bounded = Scope { bound: Some(8), ..Scope::default() };
        let report = report(vec![
            finding("a", Verdict::Holds(Scope::default())),
            finding("b", Verdict::Holds(bounded)),
            finding("c", violated(&[])),
            finding("d", unknown(GapKind::Refuted)),
            finding("e", unknown(GapKind::Solver)),
        ]);
        let summary = report.summary();
        assert_eq!((summary.holds, summary.bounded), (2, 1));
        assert_eq!((summary.violated, summary.possible), (1, 0));
        assert_eq!((summary.unknown, summary.refuted), (2, 1));
    }

    #[test]
    fn pruned_and_gone_cycles_come_last_and_fail_nothing() {
        let cycle = |pruned: Option<&str>, change| Cycle {
            locks: Vec::new(),
            threads: Vec::new(),
            containers: Vec::new(),
            group: Group::Pair,
            pruned: pruned.map(str::to_owned),
            change,
        };
        let with = |class, cycle| Finding {
            cycle: Some(Box::new(cycle)),
            ..finding(class, violated(&[]))
        };
        let report = report(vec![
            with("a", cycle(Some("gate lock p.G"), None)),
            with("b", cycle(None, Some(Change::Gone))),
            finding("c", unknown(GapKind::Budget)),
        ]);
        assert_eq!(classes(&report), ["c", "a", "b"]);
        let summary = report.summary();
        assert_eq!((summary.violated, summary.unknown, summary.pruned), (0, 1, 1));
    }
}
