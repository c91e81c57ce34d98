//! Which crate may know which, and what the core may not touch.

use std::process::Command;

use testkit::workspace_root;

use crate::report;
use crate::sources::{crates, entries, sources_of};

/// Each crate with those of ours that it may depend on. `testkit` is for tests only, so it may stand
/// among anybody's dev-dependencies and nowhere else.
const LAYERS: &[(&str, &[&str])] = &[
    ("classfile", &[]),
    ("program", &["classfile"]),
    ("smt", &[]),
    ("symex", &["program", "smt"]),
    ("checks", &["classfile", "program", "smt", "symex"]),
    ("cli", &["classfile", "program", "smt", "symex", "checks"]),
    ("testkit", &["classfile", "program", "smt", "symex", "checks", "cli"]),
];

/// Crates without any input or output: what they need is handed in.
const PURE: &[&str] = &["classfile", "program", "symex", "checks"];
const IMPURE_PATHS: &[&str] =
    &["std::fs", "std::net", "std::process", "std::env", "std::io::stdin"];

#[test]
fn crates_depend_downwards() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(workspace_root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let ours = crates();
    let mut complaints = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            complaints.push(format!("crate {name} has no place in the table of layers"));
            continue;
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let on = dependency["name"].as_str().unwrap_or_default();
            let test_only = dependency["kind"].as_str() == Some("dev");
            let fine = allowed.contains(&on) || (test_only && on == "testkit");
            if ours.iter().any(|name| name == on) && !fine {
                complaints.push(format!("{name} may not depend on {on}"));
            }
        }
    }
    report("layers", &complaints);
}

#[test]
fn the_core_does_no_io() {
    let mut complaints = Vec::new();
    for source in crates()
        .iter()
        .filter(|name| PURE.contains(&name.as_str()))
        .flat_map(|name| sources_of(name))
    {
        for (number, line) in source.lines_without_tests() {
            if let Some(path) = IMPURE_PATHS.iter().find(|path| line.contains(**path)) {
                complaints.push(format!("{}:{number}: {path} belongs into cli", source.path));
            }
        }
    }
    report("input and output", &complaints);
}

#[test]
fn locks_never_name_symex() {
    let checks = sources_of("checks");
    let locks = checks.iter().filter(|source| {
        source.path.starts_with("crates/checks/src/locks/")
            || source.path == "crates/checks/src/locks.rs"
    });
    let naming = locks.filter(|source| source.text.contains("symex"));
    report(
        "the lock analysis needs no symbolic execution",
        &naming.map(|source| source.path.clone()).collect::<Vec<_>>(),
    );
}

#[test]
fn every_rule_file_is_registered() {
    let src = workspace_root().join("crates/checks/src");
    let list = [src.join("rules.rs"), src.join("rules/mod.rs")];
    let list =
        list.iter().find_map(|path| std::fs::read_to_string(path).ok()).expect("a list of rules");
    let (_, slice) = list.split_once("RULES").expect("the list is called RULES");
    let mut complaints = Vec::new();
    for path in entries(&src.join("rules")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name != "mod" && !slice.contains(&format!("&{name}::RULE")) {
            complaints.push(format!("rules/{name}.rs is not registered in RULES"));
        }
    }
    report("rules", &complaints);
}
