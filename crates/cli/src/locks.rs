//! `jury locks`: from arguments to a report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use checks::locks::{Aim, Callers, analyse_locks, compare_releases, has_main, reliability};
use checks::report::{Stat, StatValue};
use checks::{Command, Finding, Outcome, Report};
use program::{Class, ClassId, Role};

use crate::args::{LocksArgs, LocksFormat, World};
use crate::hang::ChildJvms;
use crate::load::{JdkHome, Loaded, load};
use crate::memory::peak_mib;
use crate::render::Style;
use crate::render::contracts::render_contracts;
use crate::render::dot::render_dot;
use crate::render::json::render_json;
use crate::render::sarif::render_sarif;
use crate::render::text::render_text;
use crate::run::write_output;

pub(crate) fn judge_locks(args: &LocksArgs) -> Result<ExitCode> {
    let started = Instant::now();
    let paths = judged_paths(args)?;
    let loaded = load(&paths, &args.common.classpath)?;
    let judged = judged_classes(&loaded, args);
    if args.common.world == World::Main && !has_main(&loaded.program, &judged) {
        bail!("--world main: no judged class has a main method to start from");
    }
    if args.contracts {
        let analysis = analyse_locks(&loaded.program, &judged, Aim::Circles, callers(args));
        let text = render_contracts(&analysis.contracts);
        write_output(args.common.output.output.as_deref(), &text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let jvms = start_jvms(&loaded, &paths, args)?;
    let analysis = analyse_locks(&loaded.program, &judged, Aim::Verdicts, callers(args));
    let classes: Vec<&Class> = judged.iter().filter_map(|&id| loaded.program.class(id)).collect();
    let (mut stats, lock_usage) = (analysis.stats.clone(), analysis.lock_usage.clone());
    let mut findings = match &jvms {
        Some(jvms) => analysis.replay(jvms),
        None => analysis.findings(),
    };
    stats.extend(reliability(&stats, &findings));
    if let Some(old) = &args.compare {
        findings = compare_releases(findings, judge_old(old, args)?);
    }
    write_programs(args, &findings)?;
    let mut outcome = Outcome {
        inputs: paths.iter().map(|path| path.display().to_string()).collect(),
        jdk: loaded.jdk.as_ref().map(|jdk| jdk.version.clone()),
        n_classes: classes.len(),
        n_methods: classes.iter().map(|class| class.methods.len()).sum(),
        findings,
        problems: loaded.reported(),
        ..Outcome::new(Command::Locks)
    };
    if args.common.output.stats {
        outcome.stats = stats;
        outcome.lock_usage = lock_usage;
        outcome.stats.extend(measured(started));
        outcome.stats.sort_by_key(|stat| stat.name);
    }
    let report = Report::new(outcome);
    let all = args.common.output.all;
    let text = match args.format {
        LocksFormat::Text => render_text(&report, Style::of_stdout(), all),
        LocksFormat::Json => render_json(&report, all),
        LocksFormat::Sarif => render_sarif(&report, all),
        LocksFormat::Dot => render_dot(&report, all),
    };
    write_output(args.common.output.output.as_deref(), &text)?;
    let failed = args.common.output.fail_on.is_met_by(report.summary());
    Ok(ExitCode::from(u8::from(failed)))
}

/// The JVMs that programs are tried out in; none without a JDK, or if nobody asks for it.
fn start_jvms(loaded: &Loaded, paths: &[PathBuf], args: &LocksArgs) -> Result<Option<ChildJvms>> {
    let judged = paths.iter().find_map(|path| JdkHome::at(path));
    let Some(jdk) = judged.as_ref().or(loaded.jdk.as_ref()) else { return Ok(None) };
    if args.common.witnesses.no_replay {
        return Ok(None);
    }
    let all: Vec<PathBuf> = paths.iter().chain(&args.common.classpath.cp).cloned().collect();
    ChildJvms::start(jdk, &all, rayon::current_num_threads()).map(Some)
}

/// The cycles of the older release; no program is run for them.
fn judge_old(old: &Path, args: &LocksArgs) -> Result<Vec<Finding>> {
    let loaded = load(&[old.to_owned()], &args.common.classpath)?;
    let judged = judged_classes(&loaded, args);
    Ok(analyse_locks(&loaded.program, &judged, Aim::Circles, callers(args)).findings())
}

/// Writes each program that was run as a directory of its own with `Deadlock.java` in it, if that is
/// wanted.
fn write_programs(args: &LocksArgs, findings: &[Finding]) -> Result<()> {
    let Some(directory) = &args.common.witnesses.witness_dir else { return Ok(()) };
    if args.common.witnesses.no_replay {
        crate::warn("no program is written: with --no-replay none is built");
    }
    let programs = findings.iter().filter_map(|it| it.verdict.evidence()).map(|it| &it.witness);
    for (number, program) in programs.filter(|it| !it.is_empty()).enumerate() {
        let home = directory.join(format!("deadlock-{}", number + 1));
        std::fs::create_dir_all(&home)
            .with_context(|| format!("cannot create {}", home.display()))?;
        let path = home.join("Deadlock.java");
        std::fs::write(&path, program)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn callers(args: &LocksArgs) -> Callers {
    match args.common.world {
        World::Open => Callers::Anybody,
        World::Main => Callers::Main,
    }
}

/// Without a path, the JDK that `java` runs from.
fn judged_paths(args: &LocksArgs) -> Result<Vec<PathBuf>> {
    if !args.paths.is_empty() {
        return Ok(args.paths.clone());
    }
    let jdk = JdkHome::of_java_command()
        .context("no JDK found: put java on the PATH, or name what to judge")?;
    Ok(vec![jdk.home])
}

fn judged_classes(loaded: &Loaded, args: &LocksArgs) -> Vec<ClassId> {
    let program = &loaded.program;
    let is_wanted = |id: &ClassId| {
        let name = program.class_text(program.class_name(*id));
        args.common.only.is_empty() || args.common.only.iter().any(|glob| matches(glob, &name))
    };
    program.class_ids(Role::Judged).filter(is_wanted).collect()
}

/// Whether a name fits a pattern in which `*` stands for any text.
fn matches(glob: &str, name: &str) -> bool {
    match glob.split_once('*') {
        None => glob == name,
        Some((before, rest)) => name.strip_prefix(before).is_some_and(|after| {
            (0..=after.len())
                .filter(|&at| after.is_char_boundary(at))
                .any(|at| matches(rest, &after[at..]))
        }),
    }
}

fn measured(started: Instant) -> Vec<Stat> {
    let seconds = StatValue::Real(started.elapsed().as_secs_f64());
    let mut stats = vec![Stat { name: "seconds", value: seconds }];
    if let Some(peak) = peak_mib() {
        stats.push(Stat { name: "peak_mib", value: StatValue::Count(peak) });
    }
    stats
}
