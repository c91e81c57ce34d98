//! Idioms of locking that look like a deadlock and are none, each beside a twin that is one: the packages
//! of `tests/fixtures/lock-idioms`. The first line of each says which. All are judged in one run.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

#[test]
fn idioms_are_told_from_deadlocks() {
    let root = testkit::workspace_root().join("tests/fixtures/lock-idioms");
    let mut sources: Vec<(String, String)> = Vec::new();
    for package in sorted(&root) {
        let name = package.file_name().expect("a package").to_string_lossy().into_owned();
        for source in sorted(&package) {
            let file = source.file_name().expect("a file").to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&source).expect("a source");
            sources.push((format!("{name}/{file}"), text));
        }
    }
    let units: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let classes = testkit::javac::compile(&units, &[]).expect("they compile");
    let output = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(["locks", "--no-replay", "--format", "json", "--fail-on", "never"])
        .arg(&classes)
        .output()
        .expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let accused: BTreeSet<&str> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter(|it| it["verdict"] == "possible")
        .filter_map(|it| it["classes"][0].as_str())
        .filter_map(|class| class.split('.').next())
        .collect();
    let expected: BTreeSet<&str> = sources
        .iter()
        .filter(|(_, text)| text.starts_with("/* deadlock"))
        .filter_map(|(name, _)| name.split('/').next())
        .collect();
    assert_eq!(accused, expected);
}

fn sorted(directory: &std::path::Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the fixtures are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}
