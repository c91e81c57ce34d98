//! Deadlocks of kinds that a search for circles of locks overlooks easily: `tests/fixtures/locks`. Each
//! names the rule that must not be said to hold, and `possible` where the deadlock is found; a few twins
//! without one must be said to hold.

use std::process::Command;

use testkit::javac::{Fixture, fixtures_in};

#[test]
fn no_deadlock_is_said_to_be_impossible() {
    let fixtures = fixtures_in("locks").expect("they compile");
    assert!(fixtures.len() >= 20, "only {} fixtures", fixtures.len());
    let wrong: Vec<String> = fixtures.into_iter().filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn complaint(fixture: &'static Fixture) -> Option<String> {
    let source = std::fs::read_to_string(&fixture.sources[0]).expect("a source");
    let head = source.lines().next().expect("a head");
    let (expected, rule) = head.trim_matches(['/', '*', ' ']).split_once(": ").expect("a label");
    let verdicts = verdicts(fixture, rule);
    let says = |verdict: &str| verdicts.iter().any(|it| it == verdict);
    let is_right = match expected {
        "possible" => says("possible"),
        "deadlock" => !says("holds"),
        "holds" => verdicts == ["holds"],
        other => panic!("{}: what is {other}?", fixture.name),
    };
    (!is_right).then(|| format!("{}: {rule} is {verdicts:?}, not {expected}", fixture.name))
}

/// What is said about the rule.
fn verdicts(fixture: &Fixture, rule: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(["locks", "--no-replay", "--format", "json", "--all", "--fail-on", "never"])
        .arg(&fixture.classes)
        .output()
        .expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let findings = report["findings"].as_array().expect("findings");
    let is_meant = |it: &&serde_json::Value| it["rule"] == rule && it["pruned"].is_null();
    let verdict = |it: &serde_json::Value| it["verdict"].as_str().unwrap_or_default().to_owned();
    findings.iter().filter(is_meant).map(verdict).collect()
}
