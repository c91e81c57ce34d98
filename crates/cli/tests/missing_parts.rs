//! What is missing is said once, with what to do: classes, and the solver.

mod dump_support;

use anyhow::{Context, Result};
use dump_support::{jury, jury_with};
use serde_json::Value;
use testkit::javac;

/// The problems that a report names.
fn problems(arguments: &[&str]) -> Result<Vec<String>> {
    let options = ["--format", "json", "--no-replay", "--fail-on", "never"];
    let ran = jury(arguments.iter().chain(&options))?;
    let report: Value = serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
    let problems = report["problems"].as_array().context("problems")?;
    Ok(problems.iter().map(|it| format!("{}: {}", it["path"], it["message"])).collect())
}

#[test]
fn what_the_class_path_lacks_is_named() -> Result<()> {
    let library =
        javac::compile(&[("m/M.java", "package m; public interface M { int size(); }")], &[])?;
    let library = library.display().to_string();
    let source = "package x; public class C implements m.M { private int n; \
                  public synchronized int size() { return n; } m.M[] all() { return new m.M[0]; } }";
    let judged = javac::compile(&[("x/C.java", source)], &["-cp", &library])?;
    let judged = judged.display().to_string();
    for command in [&["equals", &judged][..], &["locks", &judged], &["diff", &judged, &judged]] {
        let alone = problems(command)?;
        assert_eq!(alone.len(), 1, "{command:?}: {alone:?}");
        assert!(alone[0].contains("lacks m.M, mentioned in 1 of"), "{alone:?}");
        assert!(alone[0].contains("--cp"), "{alone:?}");
        let with_library = problems(&[command, &["--cp", &library]].concat())?;
        assert!(with_library.is_empty(), "{command:?}: {with_library:?}");
    }
    Ok(())
}

#[test]
fn without_a_solver_the_user_is_told() -> Result<()> {
    let classes = javac::compile(&[("C.java", "class C {}")], &[])?;
    let classes = classes.display().to_string();
    for command in [&["equals", &classes][..], &["diff", &classes, &classes]] {
        let ran = jury_with(command, |it| it.env("JURY_SOLVER", "nowhere/z3"))?;
        assert_eq!(ran.stderr.matches("JURY_SOLVER is not a file").count(), 1, "{}", ran.stderr);
        let ran = jury(command)?;
        assert!(!ran.stderr.contains("solver"), "{}", ran.stderr);
    }
    Ok(())
}
