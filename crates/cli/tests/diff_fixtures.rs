//! `jury diff` on pairs that say by name what is true of them: methods called `same…` behave as
//! before, and that is proved for all inputs; methods called `differs…` do not, and a JVM shows it;
//! methods called `hidden…` do not either, but that is hard to see, and they must never be said to;
//! methods called `alike…` behave as before, which is hard to prove, and nothing else may be said of them.
//! Of constructors, the class says it: `Same…`, `Differs…`, `Hidden…`.

mod dump_support;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use dump_support::jury;
use serde_json::Value;
use testkit::javac::fixture;
use testkit::parallel::check_all;
use testkit::workspace_root;

#[test]
fn what_the_names_say() -> Result<()> {
    let root = workspace_root().join("tests/fixtures/diff");
    let mut runs = Vec::new();
    for case in std::fs::read_dir(&root)? {
        let (old, new) = versions(&case?.path())?;
        for pair in [(&old, &new), (&new, &old), (&old, &old), (&new, &new)] {
            runs.push((pair.0.clone(), pair.1.clone()));
        }
    }
    runs.sort();
    let n_judged = AtomicUsize::new(0);
    check_all(&runs, |(one, two)| {
        if one == two {
            return check_itself(one);
        }
        n_judged.fetch_add(check(one, two)?, Ordering::Relaxed);
        Ok(())
    })?;
    assert!(n_judged.into_inner() > 0, "there are fixtures");
    Ok(())
}

/// The class files of both versions of a fixture.
fn versions(case: &Path) -> Result<(String, String)> {
    let name = case.file_name().context("its name")?.to_string_lossy();
    let classes = |version: &str| -> Result<String> {
        Ok(fixture(&format!("diff/{name}/{version}"))?.classes.display().to_string())
    };
    Ok((classes("old")?, classes("new")?))
}

/// How many methods were judged.
fn check(old: &str, new: &str) -> Result<usize> {
    let report = compare(old, new)?;
    ensure!(report["summary"]["refuted"] == 0, "{old} and {new}: {}", report["summary"]);
    let mut n_judged = 0;
    let mut wrong = Vec::new();
    for finding in report["findings"].as_array().context("findings")? {
        match is_as_named(finding) {
            Some(true) => n_judged += 1,
            Some(false) => wrong.push(format!("{old} and {new}: {finding:#}")),
            None => {}
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(n_judged)
}

/// `None` where the name says nothing. A fault of ours is never right.
fn is_as_named(finding: &Value) -> Option<bool> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = match text(&finding["subject"]["method"]) {
        method if method.starts_with("<init>") => text(&finding["subject"]["class"]).to_lowercase(),
        method => method,
    };
    let gaps = finding["gaps"].as_array();
    if gaps.is_none_or(|gaps| gaps.iter().any(|gap| gap["kind"] == "internal")) {
        return Some(false);
    }
    let verdict = text(&finding["verdict"]);
    let is_right = match verdict.as_str() {
        "holds" if finding["scope"]["bound"].is_null() => ["same", "alike"].as_slice(),
        "holds" => &["alike"],
        "violated" => &["differs", "hidden"],
        "unknown" => &["hidden", "alike"],
        _ => &["hidden"],
    };
    let is_named = |start: &&str| name.starts_with(start);
    let all = ["same", "differs", "hidden", "alike"];
    all.iter().any(is_named).then(|| is_right.iter().any(is_named))
}

fn compare(old: &str, new: &str) -> Result<Value> {
    let ran = jury(["diff", old, new, "--format", "json", "--all", "--fail-on", "never"])?;
    serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())
}

/// What is not looked at is said.
#[test]
fn scopes_say_what_nobody_asks() -> Result<()> {
    for (case, said, saying) in [
        ("capacity", "for its capacity", &["sameMade", "sameAppended", "sameRoom"][..]),
        ("stack", "look at the stack", &["sameThrown", "sameMoved"]),
        ("passed_in", "objects that callers pass in", &["sameHeld", "sameUnedited"]),
    ] {
        let (old, new) = versions(&workspace_root().join("tests/fixtures/diff").join(case))?;
        let report = compare(&old, &new)?;
        for finding in report["findings"].as_array().context("findings")? {
            let method = finding["subject"]["method"].as_str().unwrap_or_default();
            let scope = finding["scope"]["assumptions"].to_string();
            let is_expected = saying.iter().any(|it| method.starts_with(it));
            ensure!(
                !method.starts_with("same") || scope.contains(said) == is_expected,
                "{method}: {scope}"
            );
        }
    }
    Ok(())
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
    let report = compare(version, version)?;
    let findings = report["findings"].as_array().context("findings")?;
    let wrong = findings.iter().filter(|finding| finding["verdict"] != "holds");
    let wrong: Vec<String> = wrong.map(|finding| format!("{version}: {finding:#}")).collect();
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
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
