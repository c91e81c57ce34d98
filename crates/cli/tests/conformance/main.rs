//! The engine against the JVM: static methods of libraries and of the JDK on nasty inputs, and random
//! programs of our own.
//!
//! By default samples; with `JURY_CONFORMANCE=all` (`make conformance`) every method on 50 inputs, and
//! 10,000 runs of random programs. `JURY_SEED` changes inputs and programs. Both sides run with the same
//! JDK, locale (en, US), time zone (UTC) and encoding (UTF-8), which `jury eval` assumes. Calls that run
//! out of memory, stack or time (one second) on the JVM are excluded and counted.
//!
//! The same calls are answered by the concrete machine, and by one symbolic run per method that is looked
//! up at the inputs.

mod compare;
mod harness;
mod programs;
mod report;

use std::io::Write;

use anyhow::{Result, bail};
use harness::{Extent, Job, Machine};
use report::Report;

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

fn is_whole() -> bool {
    std::env::var("JURY_CONFORMANCE").is_ok_and(|extent| extent == "all")
}

fn seed() -> Result<u64> {
    Ok(std::env::var("JURY_SEED").unwrap_or_else(|_| "1".to_owned()).parse()?)
}

#[test]
fn the_engine_agrees_with_the_jvm() -> Result<()> {
    let extent =
        if is_whole() { Extent { inputs: 50, every: 1 } } else { Extent { inputs: 10, every: 8 } };
    let mut job = Job::new("libraries", seed()?, extent)?;
    job.places.extend(CLASSES.iter().map(|name| format!("class:{name}")));
    for (coordinates, packages) in JARS {
        let path = testkit::jars::jar(coordinates)?;
        let packages = if packages.is_empty() { String::new() } else { format!("={packages}") };
        job.places.push(format!("jar:{}{packages}", path.display()));
        job.class_path.push(path);
    }
    job.run_jvm()?;
    let concrete = judge(&job, Machine::Concrete)?;
    if is_whole() && concrete.gap_share() > 15.0 {
        bail!("{:.1} % of the methods give gaps; 15 % are allowed", concrete.gap_share());
    }
    let symbolic = judge(&job, Machine::Symbolic)?;
    if symbolic.exact_share() < 40.0 {
        bail!("only {:.1} % of the methods have no gap within the bound", symbolic.exact_share());
    }
    Ok(())
}

#[test]
fn random_programs_agree_with_the_jvm() -> Result<()> {
    let (classes, methods, inputs) = if is_whole() { (20, 20, 25) } else { (3, 20, 10) };
    let seed = seed()?;
    let mut job = Job::new("programs", seed, Extent { inputs, every: 1 })?;
    let mut sources = Vec::new();
    for number in 0..classes {
        let name = format!("Program{number}");
        let text = programs::class(&name, seed.wrapping_mul(1000).wrapping_add(number), methods);
        sources.push((format!("{name}.java"), text));
        job.places.push(format!("class:{name}"));
    }
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    job.class_path.push(testkit::javac::compile(&sources, &["-Xlint:none"])?);
    job.run_jvm()?;
    judge(&job, Machine::Concrete)?;
    judge(&job, Machine::Symbolic)?;
    Ok(())
}

/// Runs the calls on one of our machines; a disagreement with the JVM fails.
fn judge(job: &Job, machine: Machine) -> Result<Report> {
    let report = job.compare(machine)?;
    writeln!(std::io::stdout(), "{}, {machine:?}, seed {}\n{report}", job.name, job.seed)?;
    if !report.disagreements.is_empty() {
        bail!("{} disagreements with the JVM (above)", report.disagreements.len());
    }
    Ok(report)
}
