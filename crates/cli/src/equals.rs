//! `jury equals`: judge, replay, report.

use std::sync::Mutex;
use std::time::Instant;

use anyhow::Result;
use checks::equality::{self, Examined, Limits, Survey};
use checks::replay::{NoReplay, Replay};
use checks::report::{Outcome, Stat, StatValue};
use checks::{Command, Finding, Report};
use program::{Program, Role};
use rayon::prelude::*;

use crate::args::{Budget, EqualsArgs};
use crate::glob::Globs;
use crate::interrupt::Interrupt;
use crate::load::{JdkHome, Loaded, load};
use crate::memory::peak_mib;
use crate::progress::Progress;
use crate::replay::JvmReplay;
use crate::witnesses::write_witnesses;

/// The report on all judged classes.
pub(crate) fn equals(args: &EqualsArgs) -> Result<Report> {
    let started = Instant::now();
    let loaded = load(&args.paths, &args.common.classpath)?;
    let program = &loaded.program;
    crate::run::warn_without(&solver());
    let mut replay = start_replay(args, &loaded);
    let globs = Globs::new(&args.common.only);
    let survey = Survey::new(program, |name| globs.matches(name));
    let limits = limits(&survey, args.common.budget);
    let mut examined = examine_all(&survey, &limits);
    hold_broken_parts(&survey, &mut examined, &limits);
    let analysed = started.elapsed();
    let objects: usize = examined.iter().map(|it| it.stats.objects).sum();
    let discarded: usize = examined.iter().map(|it| it.stats.discarded).sum();
    let settled = equality::settle(&survey, examined, replay.as_mut());
    let replayed = started.elapsed() - analysed;
    write_witnesses(program, &args.common.witnesses, &settled)?;
    let mut findings: Vec<Finding> = settled.into_iter().map(|settled| settled.finding).collect();
    equality::name_broken_parts(&survey, &mut findings);
    let mut outcome = Outcome {
        inputs: args.paths.iter().map(|path| path.display().to_string()).collect(),
        jdk: loaded.jdk.as_ref().map(|jdk| jdk.version.clone()),
        hierarchies: equality::hierarchies(&survey, &findings),
        findings,
        problems: loaded.reported(),
        ..Outcome::new(Command::Equals)
    };
    let (n_classes, n_methods) = count(program, &globs);
    (outcome.n_classes, outcome.n_methods) = (n_classes, n_methods);
    if args.common.output.stats {
        let real = |name, value| Stat { name, value: StatValue::Real(value) };
        let number = |name, value| Stat { name, value: StatValue::Count(value) };
        outcome.stats = vec![
            real("seconds", started.elapsed().as_secs_f64()),
            real("analysis_seconds", analysed.as_secs_f64()),
            real("replay_seconds", replayed.as_secs_f64()),
            number("subjects", survey.subjects.len() as u64),
            number("objects", objects as u64),
            number("discarded", discarded as u64),
        ];
        outcome.stats.extend(peak_mib().map(|mib| number("peak_mib", mib)));
    }
    Ok(Report::new(outcome))
}

/// A JVM of the judged JDK, else of the one whose classes are known.
fn start_replay(args: &EqualsArgs, loaded: &Loaded) -> Box<dyn Replay> {
    if args.common.witnesses.no_replay {
        crate::warn("--no-replay: nothing is run on a JVM, so nothing is violated, only possible");
        return Box::new(NoReplay);
    }
    let judged_jdk = args.paths.iter().find_map(|path| JdkHome::at(path));
    let Some(jdk) = judged_jdk.as_ref().or(loaded.jdk.as_ref()) else {
        crate::warn("no JDK: nothing is run on a JVM, so nothing is violated, only possible");
        return Box::new(NoReplay);
    };
    let paths = [&args.paths[..], &args.common.classpath.cp[..]].concat();
    match JvmReplay::start(jdk, &paths) {
        Ok(replay) => Box::new(replay),
        Err(error) => {
            crate::warn(&format!("no witness can be replayed: {error:#}"));
            Box::new(NoReplay)
        }
    }
}

fn limits(survey: &Survey<'_>, budget: Budget) -> Limits {
    let limits = match budget {
        Budget::Quick | Budget::Normal => Limits::new(1),
        Budget::Thorough => Limits::new(3),
    };
    limits.shared_by(survey.subjects.len())
}

/// Tries objects that hold what was found to break rules, and again those that hold these.
fn hold_broken_parts(survey: &Survey<'_>, examined: &mut [Examined], limits: &Limits) {
    const MOST_ROUNDS: usize = 5;
    let mut broken = equality::Broken::default();
    for _ in 0..MOST_ROUNDS {
        if !broken.renew(examined) {
            return;
        }
        examined.par_iter_mut().for_each(|examined| {
            equality::try_with_broken_parts(survey, examined, &broken, limits);
        });
    }
}

fn examine_all(survey: &Survey<'_>, limits: &Limits) -> Vec<Examined> {
    let progress = Progress::new("classes", survey.subjects.len());
    let interrupt = Interrupt::listen();
    let idle: Mutex<Vec<smt::Solver>> = Mutex::default();
    let mut examined: Vec<(usize, Examined)> = survey
        .largest_first()
        .into_iter()
        // One after the other to whoever is free: halves of a sorted list would not be alike.
        .par_bridge()
        .map(|at| {
            let subject = &survey.subjects[at];
            if interrupt.is_set() {
                return (at, Examined::skipped(subject, "the run was interrupted"));
            }
            let free = idle.lock().ok().and_then(|mut idle| idle.pop());
            let mut solver = free.unwrap_or_else(solver);
            let examined = equality::examine(survey, subject, limits, &mut solver);
            if let Ok(mut idle) = idle.lock() {
                idle.push(solver);
            }
            progress.step();
            (at, examined)
        })
        .collect();
    examined.sort_by_key(|&(at, _)| at);
    examined.into_iter().map(|(_, examined)| examined).collect()
}

/// Work per question. What the solver can show of a class it nearly always shows in a tenth of this.
const SOLVER_LIMIT: u64 = 200_000;

/// As many as there are workers: each goes from class to class and forgets everything in between.
fn solver() -> smt::Solver {
    smt::Solver::new(smt::Options {
        resource_limit: SOLVER_LIMIT,
        cases: false,
        ..smt::Options::default()
    })
}

fn count(program: &Program, globs: &Globs) -> (usize, usize) {
    let judged = program.class_ids(Role::Judged);
    let wanted = judged.filter(|&id| globs.matches(&program.class_text(program.class_name(id))));
    let classes: Vec<_> = wanted.filter_map(|id| program.class(id)).collect();
    (classes.len(), classes.iter().map(|class| class.methods.len()).sum())
}
