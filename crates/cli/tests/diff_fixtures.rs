//! `jury diff` on pairs that say by name what is true of them: methods called `same…` behave as
//! before, and that is proved for all inputs; methods called `differs…` do not, and a JVM shows it;
//! methods called `hidden…` do not either, but that is hard to see, and they must never be said to;
//! methods called `alike…` behave as before, which is hard to prove, and nothing else may be said of them.
//! Of constructors, the class says it: `Same…`, `Differs…`, `Hidden…`.

mod dump_support;

use std::path::Path;

use anyhow::{Context, Result};
use dump_support::jury;
use serde_json::Value;
use testkit::javac::compile_directories;
use testkit::workspace_root;

#[test]
fn what_the_names_say() -> Result<()> {
    let root = workspace_root().join("tests/fixtures/diff");
    let mut cases: Vec<_> =
        std::fs::read_dir(&root)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    cases.sort();
    let mut n_judged = 0;
    for case in cases {
        let (old, new) = versions(&case)?;
        for (one, two) in [(&old, &new), (&new, &old)] {
            n_judged += check(one, two)?;
            check_itself(one)?;
        }
    }
    assert!(n_judged > 0, "there are fixtures");
    Ok(())
}

/// The class files of both versions of a fixture.
fn versions(case: &Path) -> Result<(String, String)> {
    let compiled = compile_directories(case)?;
    let version = |name: &str| {
        let found = compiled.iter().find(|(directory, _)| directory.ends_with(name));
        found.map(|(_, classes)| classes.display().to_string()).context("old and new")
    };
    Ok((version("old")?, version("new")?))
}

/// How many methods were judged.
fn check(old: &str, new: &str) -> Result<usize> {
    let ran = jury(["diff", old, new, "--format", "json", "--all", "--fail-on", "never"])?;
    let report: Value = serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
    assert_eq!(report["summary"]["refuted"], 0);
    let mut n_judged = 0;
    for finding in report["findings"].as_array().context("findings")? {
        let (class, method) = (&finding["subject"]["class"], &finding["subject"]["method"]);
        let method = match method.as_str().unwrap_or_default() {
            constructor if constructor.starts_with("<init>") => {
                class.as_str().unwrap_or_default().to_lowercase()
            }
            method => method.to_owned(),
        };
        let verdict = finding["verdict"].as_str().unwrap_or_default();
        let gaps = finding["gaps"].as_array().context("gaps")?;
        assert!(gaps.iter().all(|gap| gap["kind"] != "internal"), "a fault: {finding:#}");
        if method.starts_with("same") {
            assert_eq!(verdict, "holds", "{method}: {finding:#}");
            assert!(finding["scope"]["bound"].is_null(), "{method}: {finding:#}");
            n_judged += 1;
        } else if method.starts_with("differs") {
            assert_eq!(verdict, "violated", "{method}: {finding:#}");
            n_judged += 1;
        } else if method.starts_with("hidden") {
            assert_ne!(verdict, "holds", "{method}: {finding:#}");
            n_judged += 1;
        } else if method.starts_with("alike") {
            assert!(verdict == "holds" || verdict == "unknown", "{method}: {finding:#}");
            n_judged += 1;
        }
    }
    Ok(n_judged)
}

/// No code changed, but what it reads.
#[test]
fn files_beside_the_classes_count() -> Result<()> {
    let target = testkit::javac::compile_directories(
        &workspace_root().join("tests/fixtures/diff-resources"),
    )?;
    let (_, classes) = target.first().context("the one directory")?;
    let root = tempfile::tempdir()?;
    let mut versions = Vec::new();
    for (version, text) in [("old", "a"), ("same", "a"), ("new", "b")] {
        let directory = root.path().join(version);
        std::fs::create_dir(&directory)?;
        std::fs::copy(classes.join("Reads.class"), directory.join("Reads.class"))?;
        std::fs::write(directory.join("words.txt"), text)?;
        versions.push(directory.display().to_string());
    }
    for (new, verdict) in [(&versions[1], "holds"), (&versions[2], "unknown")] {
        let arguments = ["diff", &versions[0], new, "--method", "Reads.first", "--format", "json"];
        let ran = jury(arguments.into_iter().chain(["--all"]))?;
        let report: Value =
            serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
        assert_eq!(report["findings"][0]["verdict"], verdict, "{report:#}");
    }
    Ok(())
}

/// No method of both versions was edited, but which one an inherited call runs.
#[test]
fn other_code_behind_an_inherited_call_is_told() -> Result<()> {
    let (old, new) = versions(&workspace_root().join("tests/fixtures/diff/inherited"))?;
    for (one, two) in [(&old, &new), (&new, &old)] {
        let ran = jury(["diff", one, two, "--format", "json", "--fail-on", "never"])?;
        let report: Value =
            serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
        let findings = report["findings"].as_array().context("findings")?;
        let told: Vec<_> = findings
            .iter()
            .filter(|finding| finding["verdict"] != "holds")
            .map(|finding| (&finding["subject"]["class"], &finding["subject"]["method"]))
            .collect();
        let expected = ["Inherited$Moved", "Inherited$Overriding"];
        assert_eq!(told.len(), expected.len(), "{report:#}");
        for ((class, method), expected) in told.iter().zip(expected) {
            assert_eq!((*class, *method), (&Value::from(expected), &Value::from("number()I")));
        }
    }
    Ok(())
}

/// A file for each difference, which compiles against either version.
#[test]
fn differences_become_files() -> Result<()> {
    let (old, new) = versions(&workspace_root().join("tests/fixtures/diff/statics"))?;
    let root = tempfile::tempdir()?;
    let directory = root.path().join("witnesses");
    let path = directory.display().to_string();
    let arguments = ["diff", &old, &new, "--only", "statics.Table", "--witness-dir", &path];
    let ran = jury(arguments.into_iter().chain(["--format", "json", "--fail-on", "never"]))?;
    let report: Value = serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
    assert_eq!(report["summary"]["classes"], 1, "{}", report["summary"]);
    let file = directory.join("SameBehaviour_statics_Table_differsRead.java");
    let text = std::fs::read_to_string(&file)?;
    assert!(text.contains("Table.differsRead("), "{text}");
    let javac = std::process::Command::new("javac")
        .args(["-cp", &new, "-d", &root.path().display().to_string()])
        .arg(&file)
        .output()?;
    assert!(javac.status.success(), "{}", String::from_utf8_lossy(&javac.stderr));
    Ok(())
}

/// Every method does what it does.
fn check_itself(version: &str) -> Result<()> {
    let arguments = ["diff", version, version, "--format", "json", "--all", "--fail-on", "never"];
    let ran = jury(arguments)?;
    let report: Value = serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
    for finding in report["findings"].as_array().context("findings")? {
        assert_eq!(finding["verdict"], "holds", "{finding:#}");
    }
    Ok(())
}

/// The thesis calls these pairs equivalent; they are so on trees, and the scope says it.
#[test]
fn the_order_of_writes_does_not_matter_on_trees() -> Result<()> {
    let (old, new) = versions(&workspace_root().join("tests/fixtures/diff/thesis"))?;
    for (method, verdict) in
        [("SetTree1", "holds"), ("SetTree2", "holds"), ("SetTreeOther2", "violated")]
    {
        let method = format!("Thesis.differs{method}");
        let arguments = ["diff", &old, &new, "--method", &method, "--assume", "unshared"];
        let ran = jury(arguments.into_iter().chain(["--format", "json", "--all"]))?;
        let report: Value =
            serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
        let finding = &report["findings"][0];
        assert_eq!(finding["verdict"], verdict, "{finding:#}");
        if verdict == "holds" {
            assert!(finding["scope"]["bound"].is_null(), "{finding:#}");
            let named = finding["scope"]["assumptions"].to_string();
            assert!(named.contains("no object is reachable by two paths"), "{named}");
        }
    }
    Ok(())
}
