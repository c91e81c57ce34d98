//! `jury equals` on classes written for it: each violation is marked where it is, and shown on a JVM.
//!
//! Only what is violated or possible is compared here; what holds is the business of proofs.

mod dump_support;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use dump_support::jury;
use serde_json::Value;
use testkit::expect::{self, Expectations, Verdict};
use testkit::javac::fixtures_in;

fn judge(arguments: &[String]) -> Result<Value> {
    let ran = jury(["equals", "--format", "json"].map(str::to_owned).iter().chain(arguments))?;
    serde_json::from_str(&ran.stdout).with_context(|| format!("no report; {}", ran.stderr))
}

#[test]
fn every_mark_is_met_and_nothing_else_is_found() -> Result<()> {
    let fixtures = fixtures_in("equals")?;
    let paths: Vec<String> =
        fixtures.iter().map(|fixture| fixture.classes.display().to_string()).collect();
    let sources: Vec<PathBuf> =
        fixtures.iter().flat_map(|fixture| fixture.sources.clone()).collect();
    let report = judge(&paths)?;
    let observed: Vec<expect::Observed> = expect::observed(&report)?
        .into_iter()
        .filter(|it| matches!(it.verdict, Verdict::Violated | Verdict::Possible))
        .collect();
    if let Err(mismatches) = Expectations::read(&sources)?.check(&observed) {
        bail!("{mismatches}");
    }
    for finding in report["findings"].as_array().context("findings")? {
        if finding["verdict"] == "violated" {
            assert_eq!(finding["evidence"]["replay"], "reproduced");
            assert_ne!(finding["evidence"]["witness"], "");
        }
    }
    assert_eq!(report["summary"]["refuted"], 0);
    Ok(())
}

#[test]
fn one_thread_or_two_give_the_same_bytes() -> Result<()> {
    let fixtures = fixtures_in("equals")?;
    let paths: Vec<String> =
        fixtures.iter().map(|fixture| fixture.classes.display().to_string()).collect();
    let run = |threads: &str| {
        let options = ["equals", "--format", "json", "--threads", threads].map(str::to_owned);
        jury(options.iter().chain(&paths))
    };
    assert_eq!(run("1")?.stdout, run("2")?.stdout);
    Ok(())
}

#[test]
fn without_a_jvm_nothing_is_violated() -> Result<()> {
    let fixtures = fixtures_in("equals")?;
    let paths = fixtures.iter().map(|fixture| fixture.classes.display().to_string());
    let arguments: Vec<String> = std::iter::once("--no-replay".to_owned()).chain(paths).collect();
    let report = judge(&arguments)?;
    assert_eq!(report["summary"]["violated"], 0);
    assert_ne!(report["summary"]["possible"], 0);
    Ok(())
}
