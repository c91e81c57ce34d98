//! `jury diff`: match, judge, observe on two JVMs, report.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use checks::equivalence::{
    self, Examined, Matching, MethodPair, Observe, Observed, Trial, match_methods,
};
use checks::replay::Replayed;
use checks::report::{Members, Outcome, Problem, Stat, StatValue};
use checks::witness::Answer;
use checks::witness::supply::Index;
use checks::{Command, Finding, Report, Rule, Scope, Subject, Verdict};
use program::Program;
use rayon::prelude::*;

use crate::args::DiffArgs;
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
    let mut versions = Versions::start(args, &new);
    let globs = Globs::new(&args.common.only);
    let renamed: BTreeMap<String, String> = args
        .matches
        .iter()
        .map(|pair| (pair.old.replace('.', "/"), pair.new.replace('.', "/")))
        .collect();
    let mut matching =
        match_methods(&old.program, &new.program, &renamed, |name| globs.matches(name));
    if let Some(wanted) = &args.method {
        choose(&new.program, &mut matching, wanted)?;
    }
    let index = Index::new(&old.program);
    let examined = examine_all(&old.program, &new.program, &index, &matching.affected);
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
        n_classes: new.program.class_ids(program::Role::Judged).count(),
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

fn examine_all(old: &Program, new: &Program, index: &Index, pairs: &[MethodPair]) -> Vec<Examined> {
    let progress = Progress::new("methods", pairs.len());
    pairs
        .par_iter()
        .map_init(
            || smt::Solver::new(smt::Options::default()),
            |solver, pair| {
                let examined = equivalence::examine(old, new, index, pair, solver);
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
}

impl Versions {
    fn start(args: &DiffArgs, loaded: &Loaded) -> Versions {
        if args.common.witnesses.no_replay {
            crate::warn(
                "--no-replay: nothing is run on a JVM, so nothing is violated, only possible",
            );
            return Versions { jvms: None };
        }
        let Some(jdk) = loaded.jdk.as_ref() else {
            crate::warn("no JDK: nothing is run on a JVM, so nothing is violated, only possible");
            return Versions { jvms: None };
        };
        let start = |version: &PathBuf, jdk: &JdkHome| {
            let paths = [std::slice::from_ref(version), &args.common.classpath.cp[..]].concat();
            JvmReplay::start(jdk, &paths)
        };
        match (start(&args.old, jdk), start(&args.new, jdk)) {
            (Ok(old), Ok(new)) => Versions { jvms: Some((old, new)) },
            (Err(error), _) | (_, Err(error)) => {
                crate::warn(&format!("no call can be observed: {error:#}"));
                Versions { jvms: None }
            }
        }
    }
}

impl Observe for Versions {
    fn observe(&mut self, trials: &[Trial]) -> Vec<Observed> {
        let Some((old, new)) = &mut self.jvms else {
            return trials.iter().map(|_| Observed::NotRun).collect();
        };
        if trials.is_empty() {
            return Vec::new();
        }
        let pairs = old.observe(trials).into_iter().zip(new.observe(trials));
        pairs.map(|(old, new)| observed(old, new)).collect()
    }
}

fn observed(old: Replayed, new: Replayed) -> Observed {
    match (old, new) {
        (Replayed::Answers(old), Replayed::Answers(new)) => match (&old[..], &new[..]) {
            ([Answer::Seen(old)], [Answer::Seen(new)]) => Observed::Seen(old.clone(), new.clone()),
            (_, _) => Observed::Failed("the harness answered nonsense".to_owned()),
        },
        (Replayed::Failed(reason), _) | (_, Replayed::Failed(reason)) => Observed::Failed(reason),
        (Replayed::NotRun, _) | (_, Replayed::NotRun) => Observed::NotRun,
    }
}
