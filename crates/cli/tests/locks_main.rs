//! `jury locks --world main`: only what threads of a `main` method do counts. The fixtures of
//! `tests/fixtures/main-world` name their verdict in the first line; `silent` means that nothing is told,
//! and nothing proved.

use std::path::Path;
use std::process::Command;

use testkit::javac::{Fixture, fixtures_in};

#[test]
fn only_what_programs_do_is_judged() {
    let fixtures = fixtures_in("main-world").expect("they compile");
    assert!(fixtures.len() >= 15, "only {} fixtures", fixtures.len());
    let wrong: Vec<String> = fixtures.into_iter().filter_map(complaint).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn complaint(fixture: &'static Fixture) -> Option<String> {
    let source = std::fs::read_to_string(&fixture.sources[0]).expect("a source");
    let head = source.lines().next().expect("a head");
    let (expected, rule) = head.trim_matches(['/', '*', ' ']).split_once(": ").expect("a label");
    let report = judge(&fixture.classes, expected == "violated");
    let verdicts = verdicts(&report, rule);
    let is_right = match expected {
        "silent" => verdicts.iter().all(|it| it == "unknown"),
        "possible" | "violated" | "holds" => verdicts == [expected],
        other => panic!("{}: what is {other}?", fixture.name),
    };
    (!is_right).then(|| format!("{}: {rule} is {verdicts:?}, not {expected}", fixture.name))
}

#[test]
fn without_a_main_method_there_is_nothing_to_judge() {
    let library = [("Library.java", "public class Library { public synchronized void use() {} }")];
    let classes = testkit::javac::compile(&library, &[]).expect("it compiles");
    let output = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(["locks", "--world", "main", "--no-replay"])
        .arg(&classes)
        .output()
        .expect("jury runs");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no judged class has a main method"), "{said}");
}

fn judge(classes: &Path, replays: bool) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(["locks", "--world", "main", "--format", "json", "--all", "--fail-on", "never"]);
    if !replays {
        command.arg("--no-replay");
    }
    let output = command.arg(classes).output().expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a report")
}

fn verdicts(report: &serde_json::Value, rule: &str) -> Vec<String> {
    let findings = report["findings"].as_array().expect("findings");
    let is_meant = |it: &&serde_json::Value| it["rule"] == rule && it["pruned"].is_null();
    let verdict = |it: &serde_json::Value| it["verdict"].as_str().unwrap_or_default().to_owned();
    findings.iter().filter(is_meant).map(verdict).collect()
}
