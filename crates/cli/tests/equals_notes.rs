//! What `jury equals` says beside its verdicts: kinds of equality, design problems, broken parts.

mod dump_support;

use anyhow::{Context, Result};
use dump_support::jury;
use serde_json::Value;
use testkit::javac::fixtures_in;

fn report() -> Result<Value> {
    let fixtures = fixtures_in("notes")?;
    let paths = fixtures.iter().map(|fixture| fixture.classes.display().to_string());
    let options = ["equals", "--all", "--format", "json", "--fail-on", "never"].map(str::to_owned);
    let ran = jury(options.into_iter().chain(paths))?;
    serde_json::from_str(&ran.stdout).with_context(|| format!("no report; {}", ran.stderr))
}

fn notes(report: &Value, class: &str, rule: &str) -> Result<String> {
    let findings = report["findings"].as_array().context("findings")?;
    let finding = findings.iter().find(|it| it["subject"]["class"] == class && it["rule"] == rule);
    let finding = finding.with_context(|| format!("{class} {rule}"))?;
    Ok(finding["notes"].to_string())
}

#[test]
fn kinds_problems_and_broken_parts_are_named() -> Result<()> {
    let report = report()?;
    let kind = |root: &str| {
        let all = report["hierarchies"].as_array().into_iter().flatten();
        all.filter(|it| it["root"] == root).map(|it| it["kind"].clone()).next()
    };
    assert_eq!(kind("Exact"), Some("type-incompatible".into()));
    assert_eq!(kind("Open"), Some("type-compatible".into()));
    let said = notes(&report, "Jar", "hash-consistent")?;
    assert!(said.contains("label holds a Label, which breaks hash-consistent"), "{said}");
    let said = notes(&report, "Folder", "equals-symmetric")?;
    assert!(said.contains("compares the field path by startsWith"), "{said}");
    let said = notes(&report, "Hints", "equals-symmetric")?;
    assert!(said.contains("Map promises"), "{said}");
    Ok(())
}
