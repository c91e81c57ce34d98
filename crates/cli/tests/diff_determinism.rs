//! `jury diff` says the same on one thread and on two, byte for byte.

mod dump_support;

use anyhow::{Context, Result};
use dump_support::jury;
use testkit::javac::compile_directories;
use testkit::workspace_root;

#[test]
fn one_thread_or_two() -> Result<()> {
    let compiled = compile_directories(&workspace_root().join("tests/fixtures/diff/lockstep"))?;
    let version = |name: &str| {
        let found = compiled.iter().find(|(directory, _)| directory.ends_with(name));
        found.map(|(_, classes)| classes.display().to_string()).context("old and new")
    };
    let (old, new) = (version("old")?, version("new")?);
    let report = |threads: &str| -> Result<String> {
        let arguments = ["--format", "json", "--all", "--fail-on", "never", "--threads", threads];
        Ok(jury([&["diff", &old, &new][..], &arguments].concat())?.stdout)
    };
    let one = report("1")?;
    assert!(one.contains("\"violated\""), "{one}");
    assert_eq!(one, report("2")?);
    Ok(())
}
