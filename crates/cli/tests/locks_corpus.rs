//! `jury locks` on cases that were written without knowledge of it: how many deadlocks are found, and how
//! many alarms are false. What is known to be missed or wrong is named, and anything else fails.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Deadlocks that are not found, with the reason.
const MISSED: &[(&str, &str)] = &[];

/// Code without a deadlock in which one is said to be possible, with the reason.
const FALSE_ALARMS: &[(&str, &str)] = &[];

/// Code without a deadlock of which that is proved, at least.
const PROVED: usize = 34;

#[test]
fn deadlocks_are_found_and_look_alikes_are_not() {
    let root = testkit::workspace_root().join("tests/corpus/locks");
    let mut missed = Vec::new();
    for case in cases(&root.join("deadlock")) {
        let rule = expected_rule(&case);
        let says = |verdicts: &[(String, String)], wanted: &str| {
            verdicts.iter().any(|it| *it == (rule.clone(), wanted.to_owned()))
        };
        let told = verdicts(&case, false);
        assert!(!says(&told, "holds"), "{} is said to hold", case.display());
        // What code alone does not tell, a JVM may.
        if !says(&told, "possible") && !says(&verdicts(&case, true), "violated") {
            missed.push(name_of(&case));
        }
    }
    let mut false_alarms = Vec::new();
    let mut n_proved = 0;
    for case in cases(&root.join("safe")) {
        let verdicts = verdicts(&case, false);
        if verdicts.iter().any(|(_, verdict)| verdict == "possible") {
            false_alarms.push(name_of(&case));
        }
        n_proved += usize::from(verdicts.iter().all(|(_, verdict)| verdict == "holds"));
    }
    assert!(n_proved >= PROVED, "only {n_proved} safe cases are proved");
    let known = |list: &[(&str, &str)]| -> Vec<String> {
        list.iter().map(|(name, _)| (*name).to_owned()).collect()
    };
    assert_eq!(missed, known(MISSED), "deadlocks that are not found");
    assert_eq!(false_alarms, known(FALSE_ALARMS), "alarms without a deadlock");
}

fn cases(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("the corpus is there");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    cases
}

fn name_of(case: &Path) -> String {
    case.file_name().expect("a case has a name").to_string_lossy().into_owned()
}

fn expected_rule(case: &Path) -> String {
    let text = std::fs::read_to_string(case.join("expect.txt")).expect("a label");
    let line = text.lines().nth(1).expect("a rule");
    line.split_whitespace().next().expect("a rule").to_owned()
}

/// Every rule with its verdict, with or without programs.
fn verdicts(case: &Path, runs_programs: bool) -> Vec<(String, String)> {
    let sources: Vec<(String, String)> = cases(case)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|it| it == "java"))
        .map(|path| (name_of(&path), std::fs::read_to_string(&path).expect("a source")))
        .collect();
    let units: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let classes = testkit::javac::compile(&units, &[]).expect("it compiles");
    let output = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(["locks", "--format", "json", "--fail-on", "never"])
        .args(if runs_programs { &[][..] } else { &["--no-replay"] })
        .arg(&classes)
        .output()
        .expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let findings = report["findings"].as_array().expect("findings");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    findings.iter().map(|it| (text(&it["rule"]), text(&it["verdict"]))).collect()
}
