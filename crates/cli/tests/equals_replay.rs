//! Replay survives what judged code may do to a JVM.

mod dump_support;

use anyhow::{Context, Result};
use dump_support::{jury, scratch};
use serde_json::Value;
use testkit::javac::compile;

/// Broken like the first, and deadly to whoever initialises or asks it.
const SOURCES: &[(&str, &str)] = &[
    (
        "p/Plain.java",
        "package p; public class Plain { public boolean equals(Object o) { return false; } \
         public int hashCode() { return 1; } }",
    ),
    (
        "p/Exits.java",
        "package p; public class Exits { static int n; public Exits() { n++; } \
         public boolean equals(Object o) { if (n < 3) Runtime.getRuntime().halt(3); return false; } \
         public int hashCode() { return 1; } }",
    ),
    (
        "p/Hangs.java",
        "package p; public class Hangs { static int n; public Hangs() { n++; } \
         public boolean equals(Object o) { while (n < 3) { Thread.onSpinWait(); } return false; } \
         public int hashCode() { return 1; } }",
    ),
    (
        "p/Prints.java",
        "package p; public class Prints { public boolean equals(Object o) { return false; } \
         public int hashCode() { return 1; } \
         static { Thread.currentThread(); } }",
    ),
    (
        "p/Zealous.java",
        "package p; public class Zealous { public boolean equals(Object o) { return false; } \
         public int hashCode() { return 1; } }",
    ),
];

fn judge(directory: &str, options: &[&str]) -> Result<Value> {
    let arguments = ["equals", "--format", "json", "--fail-on", "never"];
    let ran = jury(arguments.iter().chain(options).copied().chain([directory]))?;
    serde_json::from_str(&ran.stdout).with_context(|| format!("no report; {}", ran.stderr))
}

fn reflexive(report: &Value) -> Vec<(String, String)> {
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    findings
        .iter()
        .filter(|finding| finding["rule"] == "equals-reflexive")
        .map(|finding| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&finding["subject"]["class"]), text(&finding["verdict"]))
        })
        .collect()
}

#[test]
fn a_deadly_class_loses_only_its_own_witnesses() -> Result<()> {
    let classes = compile(SOURCES, &[])?;
    let report = judge(&classes.display().to_string(), &[])?;
    let verdicts = reflexive(&report);
    let verdict = |class: &str| {
        verdicts.iter().find(|(name, _)| name == class).map(|(_, verdict)| verdict.as_str())
    };
    assert_eq!(verdict("p.Plain"), Some("violated"));
    assert_eq!(verdict("p.Prints"), Some("violated"));
    assert_eq!(verdict("p.Zealous"), Some("violated"));
    assert_ne!(verdict("p.Exits"), Some("violated"));
    assert_ne!(verdict("p.Hangs"), Some("violated"));
    Ok(())
}

#[test]
fn classes_are_found_wherever_they_lie() -> Result<()> {
    let classes = compile(SOURCES, &[])?;
    let odd = scratch("equals_replay_odd")?;
    std::fs::copy(classes.join("p/Plain.class"), odd.join("renamed.class"))?;
    for directory in [classes.join("p"), odd] {
        let report = judge(&directory.display().to_string(), &["--only", "p.Plain"])?;
        let verdicts = reflexive(&report);
        assert_eq!(verdicts, [("p.Plain".to_owned(), "violated".to_owned())], "{directory:?}");
    }
    Ok(())
}

#[test]
fn witnesses_compile_and_show_it() -> Result<()> {
    let classes = compile(SOURCES, &[])?;
    let directory = scratch("equals_replay_witnesses")?;
    let classes_text = classes.display().to_string();
    let out = directory.display().to_string();
    judge(&classes_text, &["--only", "p.Plain", "--witness-dir", &out])?;
    let text = std::fs::read_to_string(directory.join("EqualsReflexive_p_Plain.java"))?;
    assert!(text.contains("Plain x = new Plain();"), "{text}");
    let jdk = testkit::jdk::current()?;
    let status = std::process::Command::new(jdk.tool("javac")?)
        .args(["-nowarn", "-cp", &classes_text, "-d", &out])
        .arg(directory.join("EqualsReflexive_p_Plain.java"))
        .output()?;
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let shown = std::process::Command::new(jdk.tool("java")?)
        .args(["-cp", &format!("{classes_text}:{out}"), "EqualsReflexive_p_Plain"])
        .output()?;
    assert_eq!(String::from_utf8_lossy(&shown.stdout).trim(), "x.equals(x) = false");
    Ok(())
}
