//! `jury diff`: match, judge, observe on two JVMs, report.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use checks::equivalence::{
    self, Edited, Examined, Matching, MethodPair, Observe, Observed, Trial, match_methods,
};
use checks::replay::Replayed;
use checks::report::{Members, Outcome, Problem, Stat, StatValue};
use checks::witness::Answer;
use checks::witness::supply::Index;
use checks::{Command, Finding, Report, Rule, Scope, Subject, Verdict};
use program::{Program, Role, World};
use rayon::prelude::*;

use crate::args::{Assumption, DiffArgs};
use crate::glob::Globs;
use crate::load::{JdkHome, Loaded, load};
use crate::memory::peak_mib;
use crate::progress::Progress;
use crate::replay::JvmReplay;

/// The report on all methods that both versions have.
pub(crate) fn diff(args: &DiffArgs) -> Result<Report> {
    let started = Instant::now();
    let old = load(std::slice::from_ref(&args.old), &args.common.classpath)?;
    let new = load(std::slice::from_ref(&args.new), &args.common.classpath)?;
    let reshaped = equivalence::reshaped(&old.program, &new.program);
    let is_reshaped = !reshaped.is_empty();
    let mut versions = Versions::start(args, &new, reshaped);
    let globs = Globs::new(&args.common.only);
    let renamed: BTreeMap<String, String> = args
        .matches
        .iter()
        .map(|pair| (pair.old.replace('.', "/"), pair.new.replace('.', "/")))
        .collect();
    let mut matching =
        match_methods(&old.program, &new.program, &renamed, |name| globs.matches(name));
    let mut edited = Edited { is_reshaped, ..matching.edited_initialisers(&new.program) };
    edited.unshared = args.assume.contains(&Assumption::Unshared);
    if let Some(wanted) = &args.method {
        choose(&new.program, &mut matching, wanted)?;
    }
    let index = Index::new(&old.program);
    let examined = examine_all(&old.program, &new.program, &index, &edited, &matching.affected);
    let analysed = started.elapsed();
    let settled = equivalence::settle(&new.program, examined, &mut versions);
    let mut findings: Vec<Finding> = settled.into_iter().map(|settled| settled.finding).collect();
    let n_changed = findings.len();
    if args.common.output.all {
        findings.extend(matching.unchanged.iter().filter_map(|pair| unchanged(&new.program, pair)));
    }
    let mut outcome = Outcome {
        inputs: [&args.old, &args.new].map(|path| path.display().to_string()).to_vec(),
        jdk: new.jdk.as_ref().map(|jdk| jdk.version.clone()),
        n_classes: new.program.class_ids(Role::Judged).count(),
        n_methods: matching.affected.len() + matching.unchanged.len(),
        findings,
        problems: problems(&old, &new),
        members: Some(Members {
            unchanged: matching.unchanged.len(),
            changed: n_changed,
            added: matching.added,
            removed: matching.removed,
        }),
        ..Outcome::new(Command::Diff)
    };
    if args.common.output.stats {
        let real = |name, value| Stat { name, value: StatValue::Real(value) };
        outcome.stats = vec![
            real("seconds", started.elapsed().as_secs_f64()),
            real("analysis_seconds", analysed.as_secs_f64()),
        ];
        let mib = peak_mib().map(|mib| Stat { name: "peak_mib", value: StatValue::Count(mib) });
        outcome.stats.extend(mib);
    }
    Ok(Report::new(outcome))
}

/// Keeps the one method that was asked for, whatever its code is.
fn choose(new: &Program, matching: &mut Matching, wanted: &str) -> Result<()> {
    let text = |pair: &MethodPair| {
        let (class, declared) = new.method(pair.new);
        let names = &new.names;
        let (name, descriptor) = (names.text(declared.name), names.text(declared.descriptor));
        format!("{}.{name}{descriptor}", new.class_text(class.name))
    };
    let fits = |pair: &MethodPair| {
        let text = text(pair);
        text == wanted || text.split('(').next() == Some(wanted)
    };
    matching.affected.retain(fits);
    matching.unchanged.retain(fits);
    if matching.affected.is_empty() && matching.unchanged.is_empty() {
        bail!("both versions must have {wanted}; write it as p.C.m(I)J");
    }
    Ok(())
}

fn examine_all(
    old: &Program,
    new: &Program,
    index: &Index,
    edited: &Edited,
    pairs: &[MethodPair],
) -> Vec<Examined> {
    let progress = Progress::new("methods", pairs.len());
    let world = World::new(new, new.class_ids(Role::Judged));
    pairs
        .par_iter()
        .map_init(
            || smt::Solver::new(smt::Options::default()),
            |solver, pair| {
                let examined =
                    equivalence::examine((old, index), (new, &world), edited, pair, solver);
                progress.step();
                examined
            },
        )
        .collect()
}

fn unchanged(program: &Program, pair: &MethodPair) -> Option<Finding> {
    let (class, declared) = program.method(pair.new);
    let names = &program.names;
    let subject = Subject {
        class: Some(program.class_text(class.name)),
        method: Some(format!("{}{}", names.text(declared.name), names.text(declared.descriptor))),
        file: None,
        line: None,
    };
    let scope = Scope { same_code: true, ..Scope::default() };
    let rule = Rule::named("same-behaviour")?;
    Some(Finding::new(rule, Verdict::Holds(scope), subject, "The code is the same."))
}

fn problems(old: &Loaded, new: &Loaded) -> Vec<Problem> {
    let both = old.problems().into_iter().chain(new.problems());
    both.map(|problem| Problem { path: problem.path, message: problem.message }).collect()
}

/// A JVM for each version.
struct Versions {
    jvms: Option<(JvmReplay, JvmReplay)>,
    /// Classes that have other fields in the new version.
    reshaped: Vec<String>,
}

impl Versions {
    fn start(args: &DiffArgs, loaded: &Loaded, reshaped: Vec<String>) -> Versions {
        if args.common.witnesses.no_replay {
            crate::warn(
                "--no-replay: nothing is run on a JVM, so nothing is violated, only possible",
            );
            return Versions { jvms: None, reshaped };
        }
        let Some(jdk) = loaded.jdk.as_ref() else {
            crate::warn("no JDK: nothing is run on a JVM, so nothing is violated, only possible");
            return Versions { jvms: None, reshaped };
        };
        let start = |version: &PathBuf, jdk: &JdkHome| {
            let paths = [std::slice::from_ref(version), &args.common.classpath.cp[..]].concat();
            JvmReplay::start(jdk, &paths)
        };
        match (start(&args.old, jdk), start(&args.new, jdk)) {
            (Ok(old), Ok(new)) => Versions { jvms: Some((old, new)), reshaped },
            (Err(error), _) | (_, Err(error)) => {
                crate::warn(&format!("no call can be observed: {error:#}"));
                Versions { jvms: None, reshaped }
            }
        }
    }
}

impl Observe for Versions {
    fn observe(&mut self, trials: &[Trial]) -> Vec<Observed> {
        self.on_both(trials, JvmReplay::observe)
    }

    fn observe_row(&mut self, trials: &[Trial]) -> Vec<Observed> {
        self.on_both(trials, JvmReplay::observe_row)
    }
}

impl Versions {
    fn on_both(
        &mut self,
        trials: &[Trial],
        mut look: impl FnMut(&mut JvmReplay, &[Trial]) -> Vec<Replayed>,
    ) -> Vec<Observed> {
        let Some((old, new)) = &mut self.jvms else {
            return trials.iter().map(|_| Observed::NotRun).collect();
        };
        if trials.is_empty() {
            return Vec::new();
        }
        let pairs = look(old, trials).into_iter().zip(look(new, trials));
        pairs.map(|(one, two)| observed(one, two, &self.reshaped)).collect()
    }
}

/// What is worth showing of one version: the outcome and the inputs, and of the rest what the other
/// version does not have.
fn shown(one: &str, other: &str) -> String {
    let other: Vec<&str> = other.split('\t').collect();
    let mut parts = one.split('\t');
    let n_fixed: usize = parts.next().and_then(|count| count.parse().ok()).unwrap_or(usize::MAX);
    let kept = parts.enumerate().filter(|(at, part)| *at < n_fixed || !other.contains(part));
    kept.map(|(_, part)| part).collect::<Vec<_>>().join("; ")
}

/// What both JVMs showed. Where the inputs differ before the call, it says nothing of the method,
/// unless their classes have other fields now: then the same calls made them.
fn observed(old: Replayed, new: Replayed, reshaped: &[String]) -> Observed {
    match (old, new) {
        (Replayed::Answers(old), Replayed::Answers(new)) => match (&old[..], &new[..]) {
            (
                [Answer::Seen(old_given), Answer::Seen(old)],
                [Answer::Seen(new_given), Answer::Seen(new)],
            ) => {
                let is_reshaped = reshaped.iter().any(|class| old_given.contains(&**class));
                if old_given != new_given && !is_reshaped {
                    return Observed::Failed("the inputs differ before the call".to_owned());
                }
                Observed::Seen(shown(old, new), shown(new, old))
            }
            (_, _) => Observed::Failed("the harness answered nonsense".to_owned()),
        },
        (Replayed::Failed(reason), _) | (_, Replayed::Failed(reason)) => Observed::Failed(reason),
        (Replayed::NotRun, _) | (_, Replayed::NotRun) => Observed::NotRun,
    }
}
