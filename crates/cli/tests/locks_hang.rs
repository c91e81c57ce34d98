//! Deadlocks that `jury locks` makes happen: the program that is printed compiles, and the verdict is
//! earned on a JVM. One case for each way in which threads can come to wait.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Cases of the corpus, with the rule and the first line of what was seen.
const HANG: &[(&str, &str, &str)] = &[
    ("account-transfer", "lock-order-acyclic", "the JVM reports the deadlock"),
    ("gate-on-one-path", "lock-order-acyclic", "the JVM reports the deadlock"),
    ("init-superclass", "class-init-acyclic", "all threads stand still"),
    ("inner-cursor", "lock-order-acyclic", "the JVM reports the deadlock"),
    ("lock-escapes-by-exception", "lock-order-acyclic", "the JVM reports the deadlock"),
    ("nested-monitor-wait", "no-wait-under-second-lock", "all threads stand still"),
    ("read-write-upgrade", "lock-order-acyclic", "all threads stand still"),
    ("stock-and-orders", "lock-order-acyclic", "the JVM reports the deadlock"),
    ("synchronized-lists", "lock-order-acyclic", "the JVM reports the deadlock"),
];

#[test]
fn deadlocks_happen_on_a_jvm() {
    for (case, rule, seen) in HANG {
        let classes = compile(case);
        let finding = hung(&classes, rule).unwrap_or_else(|| panic!("{case}: nothing hung"));
        let evidence = &finding["evidence"];
        let observed = evidence["observed"][0].as_str().unwrap_or_default();
        assert!(observed.starts_with(seen), "{case}: {observed}");
        let path = classes.display().to_string();
        let witness = evidence["witness"].as_str().expect("a program");
        testkit::javac::compile(&[("Deadlock.java", witness)], &["-cp", &path])
            .unwrap_or_else(|problem| panic!("{case}: {problem}\n{witness}"));
    }
}

/// The cases of the thesis, rebuilt: the locks of the circle, each of which a thread waits for.
#[test]
fn the_cases_of_the_thesis_hang() {
    let harbour = ["Arrival", "Berth", "Crane", "Depot", "Escort", "Ferry", "Gate"];
    let seven: Vec<String> =
        harbour.iter().map(|place| format!("seven.Harbour${place}.class")).collect();
    let pair = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
    for (case, locks) in [
        ("running-example", pair("library.C", "library.D.class")),
        ("time-zone", pair("time.Settings", "time.Zone.class")),
        ("annotation-type", pair("annotations.Kind.class", "annotations.Type")),
        ("seven", seven),
    ] {
        let root = testkit::workspace_root().join("tests/fixtures/thesis");
        let finding = hung(&compile_directory(&root.join(case)), "lock-order-acyclic");
        let finding = finding.unwrap_or_else(|| panic!("{case}: nothing hung"));
        let found: Vec<&str> = finding["locks"]
            .as_array()
            .expect("locks")
            .iter()
            .map(|it| it["name"].as_str().unwrap_or_default())
            .collect();
        assert_eq!(found, locks, "{case}");
    }
}

/// Two objects that do nothing to each other before each has an element.
#[test]
fn objects_of_one_class_are_filled_alike() {
    let root = testkit::workspace_root().join("tests/fixtures/hang/filled-alike");
    let finding = hung(&compile_directory(&root), "lock-order-acyclic").expect("a hang");
    let witness = finding["evidence"]["witness"].as_str().expect("a program");
    assert_eq!(witness.matches(".put(").count(), 2, "{witness}");
}

/// Arguments that the code names, tasks and signals that cannot come, objects that are made differently.
#[test]
fn programs_find_what_is_rare() {
    for (case, rule) in [
        ("rare-argument", "lock-order-acyclic"),
        ("two-flags", "lock-order-acyclic"),
        ("philosophers", "lock-order-acyclic"),
        ("given-locks", "lock-order-acyclic"),
        ("locks-by-key", "lock-order-acyclic"),
        ("sorted-with-ties", "lock-order-acyclic"),
        ("three-stripes", "lock-order-acyclic"),
        ("semaphores-crossed", "lock-order-acyclic"),
        ("permits-of-two", "lock-order-acyclic"),
        ("permit-by-helper", "lock-order-acyclic"),
        ("task-under-lock", "no-wait-under-second-lock"),
        ("latch-under-lock", "no-wait-under-second-lock"),
        ("initialiser-joins", "class-init-acyclic"),
        ("clock-by-platform", "class-init-acyclic"),
    ] {
        let root = testkit::workspace_root().join("tests/fixtures/hang").join(case);
        assert!(hung(&compile_directory(&root), rule).is_some(), "{case}: nothing hung");
    }
}

/// A circle is not told if the threads of every program went on: then nothing is known.
#[test]
fn what_no_program_shows_is_unknown() {
    for case in ["seats", "dead-branch"] {
        let root = testkit::workspace_root().join("tests/fixtures/hang").join(case);
        let report = judge(&compile_directory(&root));
        let findings = report["findings"].as_array().expect("findings");
        let of_order = findings.iter().filter(|it| it["rule"] == "lock-order-acyclic");
        let verdicts: Vec<&Value> = of_order.map(|it| &it["verdict"]).collect();
        assert_eq!(verdicts, ["unknown"], "{case}: {report:#}");
    }
}

/// Threads that go through a gate never hang, whatever is tried, and those that wait for a signal which anybody
/// may send only stand still.
#[test]
fn what_cannot_hang_is_not_violated() {
    let root = testkit::workspace_root().join("tests/fixtures/hang");
    let corpus = ["hand-over-hand", "ordered-by-serial"].map(|it| (it, compile(it)));
    let waits = ["awaits-with-both", "permits-as-signals", "sorted-by-serial"];
    let waits = waits.map(|it| (it, compile_directory(&root.join(it))));
    let cases = corpus.into_iter().chain(waits);
    for (case, classes) in cases {
        let report = judge(&classes);
        let findings = report["findings"].as_array().expect("findings");
        let violated = findings.iter().filter(|it| it["verdict"] == "violated").count();
        assert_eq!(violated, 0, "{case}: {report:#}");
    }
}

/// The deadlock that hung. On a busy machine threads may miss each other: then once more.
fn hung(classes: &PathBuf, rule: &str) -> Option<Value> {
    const TRIES: usize = 3;
    (0..TRIES).find_map(|_| {
        let report = judge(classes);
        let findings = report["findings"].as_array().expect("findings");
        findings.iter().find(|it| it["rule"] == rule && it["verdict"] == "violated").cloned()
    })
}

fn judge(classes: &PathBuf) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(["locks", "--format", "json", "--fail-on", "never"])
        .arg(classes)
        .output()
        .expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a report")
}

fn compile(case: &str) -> PathBuf {
    let corpus = testkit::workspace_root().join("tests/corpus/locks");
    let dirs = ["deadlock", "safe"].map(|kind| corpus.join(kind).join(case));
    let dir = dirs.into_iter().find(|dir| dir.is_dir()).expect("a case of the corpus");
    compile_directory(&dir)
}

fn compile_directory(dir: &Path) -> PathBuf {
    let mut sources: Vec<(String, String)> = Vec::new();
    for entry in std::fs::read_dir(dir).expect("the case") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|it| it == "java") {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            sources.push((name, std::fs::read_to_string(&path).expect("a source")));
        }
    }
    sources.sort();
    let units: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    testkit::javac::compile(&units, &[]).expect("it compiles")
}
