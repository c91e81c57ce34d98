//! `jury diff` on pairs that others wrote without having seen it: no verdict is wrong.
//!
//! A sample, since each pair is a run of its own; `JURY_CORPUS=all` takes them all.

mod dump_support;

use std::path::Path;

use anyhow::{Context, Result};
use dump_support::jury;
use serde_json::Value;
use testkit::javac::compile_directories;
use testkit::workspace_root;

/// One pair of so many.
const EVERY: usize = 4;

fn verdicts(label: &str) -> Result<Vec<(String, String)>> {
    let root = workspace_root().join("tests/corpus/diff").join(label);
    let is_whole = std::env::var("JURY_CORPUS").is_ok_and(|extent| extent == "all");
    let mut cases: Vec<_> =
        std::fs::read_dir(&root)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    cases.retain(|path| path.is_dir());
    cases.sort();
    let chosen = cases.iter().enumerate().filter(|(at, _)| is_whole || at % EVERY == 0);
    chosen.map(|(_, case)| Ok((case.display().to_string(), verdict(case)?))).collect()
}

fn verdict(case: &Path) -> Result<String> {
    let expected = std::fs::read_to_string(case.join("expect.txt"))?;
    let method = expected.lines().nth(1).context("the label names a method")?.trim().to_owned();
    let compiled = compile_directories(case)?;
    let version = |name: &str| {
        let found = compiled.iter().find(|(directory, _)| directory.ends_with(name));
        found.map(|(_, classes)| classes.display().to_string()).context("old and new")
    };
    let (old, new) = (version("old")?, version("new")?);
    let arguments = [
        "diff",
        &old,
        &new,
        "--method",
        &method,
        "--format",
        "json",
        "--all",
        "--fail-on",
        "never",
    ];
    let ran = jury(arguments)?;
    let report: Value = serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
    assert_eq!(report["summary"]["refuted"], 0, "{}", case.display());
    let finding = &report["findings"][0];
    Ok(finding["verdict"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn what_differs_is_never_said_to_hold() -> Result<()> {
    let verdicts = verdicts("different")?;
    let wrong: Vec<_> = verdicts.iter().filter(|(_, verdict)| verdict == "holds").collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let n_found = verdicts.iter().filter(|(_, verdict)| verdict == "violated").count();
    assert!(
        n_found * 10 >= verdicts.len() * 9,
        "{n_found} of {} found: {verdicts:#?}",
        verdicts.len()
    );
    Ok(())
}

#[test]
fn what_is_equivalent_is_never_accused() -> Result<()> {
    let verdicts = verdicts("equivalent")?;
    let accused = |verdict: &str| verdict == "violated" || verdict == "possible";
    let wrong: Vec<_> = verdicts.iter().filter(|(_, verdict)| accused(verdict)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let n_proved = verdicts.iter().filter(|(_, verdict)| verdict == "holds").count();
    assert!(n_proved * 5 >= verdicts.len() * 3, "{n_proved} of {} proved", verdicts.len());
    Ok(())
}
