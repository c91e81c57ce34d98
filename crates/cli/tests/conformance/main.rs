//! The engine against the JVM: static methods of libraries and of the JDK on nasty inputs.
//!
//! By default a sample; with `JURY_CONFORMANCE=all` (`make conformance`) every method, on 50 inputs.
//! `JURY_SEED` changes the inputs. Both sides run with the same JDK, locale (en, US), time zone (UTC)
//! and encoding (UTF-8), which `jury eval` assumes. Calls that run out of memory, stack or time (one
//! second) on the JVM are excluded and counted.

mod compare;
mod report;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use report::Report;

const HARNESS: &[&str] =
    &["Conformance", "Constants", "Inputs", "Literals", "Pools", "Subject", "Watchdog"];

const CLASSES: &[&str] = &[
    "java.lang.Math",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Character",
    "java.lang.Float",
    "java.lang.Double",
    "java.util.Arrays",
    "java.util.Objects",
    "java.lang.String",
];

/// Coordinates, and the packages in question if not all.
const JARS: &[(&str, &str)] = &[
    ("org.apache.commons:commons-lang3:3.17.0", ""),
    ("org.apache.commons:commons-math3:3.6.1", ""),
    ("commons-codec:commons-codec:1.17.1", ""),
    ("org.apache.commons:commons-text:1.12.0", ""),
    (
        "com.google.guava:guava:33.4.0-jre",
        "com.google.common.base,com.google.common.math,com.google.common.primitives,\
         com.google.common.hash",
    ),
];

/// How much to run.
struct Extent {
    inputs: u32,
    /// One method of so many.
    every: u32,
    /// Of the methods, how many in a hundred may ever give a gap.
    most_gaps: Option<f64>,
}

#[test]
fn the_engine_agrees_with_the_jvm() -> Result<()> {
    let is_whole = std::env::var("JURY_CONFORMANCE").is_ok_and(|extent| extent == "all");
    let extent = if is_whole {
        Extent { inputs: 50, every: 1, most_gaps: Some(15.0) }
    } else {
        Extent { inputs: 10, every: 8, most_gaps: None }
    };
    let seed = std::env::var("JURY_SEED").unwrap_or_else(|_| "1".to_owned());
    let mut jars = Vec::new();
    for (coordinates, packages) in JARS {
        jars.push((testkit::jars::jar(coordinates)?, *packages));
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance");
    fs::create_dir_all(&directory)?;
    let (calls, outcomes) = (directory.join("calls.txt"), directory.join("outcomes.jsonl"));
    let start = Instant::now();
    run_jvm(&extent, &seed, &jars, [&calls, &outcomes])?;
    let jvm_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let answers = run_engine(&jars, &calls)?;
    let engine_seconds = start.elapsed().as_secs_f64();
    let outcomes = fs::read_to_string(&outcomes)?;
    let report = Report::new(&outcomes, &answers, &class_path(&jars))?;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "conformance: seed {seed}, JVM {jvm_seconds:.0} s, engine {engine_seconds:.0} s"
    )?;
    writeln!(out, "{report}")?;
    if !report.disagreements.is_empty() {
        bail!("{} disagreements with the JVM (above)", report.disagreements.len());
    }
    if let Some(most) = extent.most_gaps
        && report.gap_share() > most
    {
        bail!("{:.1} % of the methods give gaps; {most} % are allowed", report.gap_share());
    }
    Ok(())
}

fn class_path(jars: &[(PathBuf, &str)]) -> Vec<String> {
    jars.iter().map(|(path, _)| path.display().to_string()).collect()
}

fn run_jvm(extent: &Extent, seed: &str, jars: &[(PathBuf, &str)], files: [&Path; 2]) -> Result<()> {
    let mut sources = Vec::new();
    for name in HARNESS {
        let path = testkit::workspace_root().join(format!("tests/conformance/{name}.java"));
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        sources.push((format!("{name}.java"), text));
    }
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let classes = testkit::javac::compile(&sources, &["-Xlint:-removal"])?;
    let mut class_path = vec![classes.display().to_string()];
    class_path.extend(jars.iter().map(|(path, _)| path.display().to_string()));
    let mut command = Command::new(testkit::jdk::current()?.tool("java")?);
    command
        .args(["-Xmx1g", "-Xss1m", "-Duser.language=en", "-Duser.country=US"])
        .args(["-Duser.timezone=UTC", "-Dfile.encoding=UTF-8", "-cp", &class_path.join(":")])
        .args(["Conformance", seed, &extent.inputs.to_string(), &extent.every.to_string()])
        .args(files)
        .args(CLASSES.iter().map(|name| format!("class:{name}")));
    for (path, packages) in jars {
        let packages = if packages.is_empty() { String::new() } else { format!("={packages}") };
        command.arg(format!("jar:{}{packages}", path.display()));
    }
    let output = command.output().context("cannot run java")?;
    if !output.status.success() {
        bail!("the harness failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

fn run_engine(jars: &[(PathBuf, &str)], calls: &Path) -> Result<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(["eval", "--json", "--jdk"]).arg(&testkit::jdk::current()?.home);
    command.arg("--calls").arg(calls);
    for (path, _) in jars {
        command.arg("--cp").arg(path);
    }
    let output = command.output().context("cannot run jury")?;
    if !output.status.success() {
        bail!("jury eval failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).context("jury eval prints text")
}
