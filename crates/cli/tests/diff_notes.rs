//! What `jury diff` says beside its verdicts: members that others miss, inputs made small, and their heap.

mod dump_support;

use anyhow::{Context, Result};
use dump_support::jury;
use serde_json::Value;
use testkit::javac::compile_directories;
use testkit::workspace_root;

#[test]
fn members_inputs_and_their_heap() -> Result<()> {
    let compiled = compile_directories(&workspace_root().join("tests/fixtures/diff-notes"))?;
    let version = |name: &str| {
        let found = compiled.iter().find(|(directory, _)| directory.ends_with(name));
        found.map(|(_, classes)| classes.display().to_string()).context("old and new")
    };
    let (old, new) = (version("old")?, version("new")?);
    let ran = jury(["diff", &old, &new, "--format", "json", "--fail-on", "never"])?;
    let report: Value = serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
    assert_eq!(
        report["summary"]["compatibility"],
        "gone, which breaks compiled code and sources: Shop.closed(), \
         Shop.gone(int, java.lang.String), Shop.open; abstract and new, which breaks sources that \
         implement it: Shop$Part.two(); no longer of that type, which breaks compiled code \
         and sources: Shop$Till as java.lang.Runnable; final now, which breaks code that extends or overrides it: \
         Shop$Closed, Shop$Till.open(); another constant, which only sources that are compiled anew \
         see: Shop.MOST"
    );
    let evidence = |method: &str| -> Result<Value> {
        let findings = report["findings"].as_array().context("findings")?;
        let is_it =
            |it: &&Value| it["subject"]["method"].as_str().is_some_and(|it| it.starts_with(method));
        let found = findings.iter().find(is_it).context("a finding")?;
        assert_eq!(found["verdict"], "violated", "{found:#}");
        Ok(found["evidence"].clone())
    };
    assert_eq!(evidence("large")?["witness"], "Shop.large(1000);");
    assert_eq!(evidence("large")?["drawing"], Value::Null);
    let drawing = evidence("second")?["drawing"].as_str().unwrap_or_default().to_owned();
    assert!(drawing.contains("p -> Node {next: "), "{drawing}");
    Ok(())
}
