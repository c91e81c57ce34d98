//! Which method a call means and which one then runs, with the JVM as the judge.
//!
//! Each static method of `p.Cases` and `q.Cases` is a case: it makes an object, calls one method on it, and the method
//! that runs says which one it is. The JVM prints what it said; here the call and the class of the
//! object are read from the lowered body, resolved and selected. To add a case, add Java.

#[path = "../sources/mod.rs"]
mod sources;

mod direct;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};
use program::ir::{Body, InvokeKind, MethodRef, Op};
use program::{ClassId, MethodId, Program, Resolution};
use sources::{Classes, class};
use testkit::{javac, jdk};

/// What a case whose call has no one method to run comes to.
const ERROR: &str = "error";

const SOURCES: &[(&str, &str)] = &[
    ("p/Cases.java", include_str!("java/p/Cases.java")),
    ("p/Plain.java", include_str!("java/p/Plain.java")),
    ("p/F.java", include_str!("java/p/F.java")),
    ("p/H.java", include_str!("java/p/H.java")),
    ("p/G.java", include_str!("java/p/G.java")),
    ("p/A.java", include_str!("java/p/A.java")),
    ("p/B.java", include_str!("java/p/B.java")),
    ("q/Cases.java", include_str!("java/q/Cases.java")),
    ("q/C.java", include_str!("java/q/C.java")),
    ("q/D.java", include_str!("java/q/D.java")),
    ("q/E.java", include_str!("java/q/E.java")),
];

#[test]
fn the_jvm_agrees() -> Result<()> {
    let (directory, program) = compile()?;
    let said = run_jvm(&directory)?;
    let cases = ["p/Cases", "q/Cases"].map(|name| program.class(class(&program, name)));
    let mut compared = 0;
    for (id, method) in cases.into_iter().flatten().flat_map(|class| class.methods()) {
        let name = program.names.text(method.name).into_owned();
        if name == "main" || name == "run" || name.starts_with('<') || name.contains('$') {
            continue;
        }
        let body = program.lower(id).map_err(|error| anyhow!("{name}: {error}"))?;
        let body = body.context("a case has code")?;
        program::ir::verify_body(&body, &program.names).map_err(anyhow::Error::msg)?;
        let expected = said.get(&name).with_context(|| format!("the JVM did not run {name}"))?;
        assert_eq!(run_case(&program, &body), *expected, "{name}");
        compared += 1;
    }
    ensure!(compared == said.len() && compared >= 40, "only {compared} cases");
    Ok(())
}

/// Compiles the first version of everything, then lays the second version of some interfaces over
/// it: what javac would refuse, but a class path may hold.
fn compile() -> Result<(PathBuf, Program)> {
    let first = javac::compile(SOURCES, &["--release", "17"])?;
    let second = javac::compile(
        &[("p/Later.java", include_str!("java/later/p/Later.java"))],
        &["--release", "17"],
    )?;
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("resolve");
    if directory.exists() {
        std::fs::remove_dir_all(&directory)?;
    }
    for package in ["p", "q"] {
        std::fs::create_dir_all(directory.join(package))?;
    }
    for root in [&first, &second] {
        for package in ["p", "q"] {
            let Ok(entries) = std::fs::read_dir(root.join(package)) else { continue };
            for entry in entries {
                let path = entry?.path();
                let name = path.file_name().context("a file has a name")?;
                std::fs::copy(&path, directory.join(package).join(name))?;
            }
        }
    }
    let program = Classes::below(&directory)?.program()?;
    Ok((directory, program))
}

/// Case and answer.
fn run_jvm(directory: &PathBuf) -> Result<BTreeMap<String, String>> {
    let output = Command::new(jdk::current()?.tool("java")?)
        .args(["-XX:TieredStopAtLevel=1", "-cp"])
        .arg(directory)
        .arg("p.Cases")
        .output()
        .context("cannot run java")?;
    if !output.status.success() {
        bail!("java failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout)?;
    let lines = text.lines().map(|line| line.split_once('=').context("case=answer"));
    lines.map(|line| line.map(|(case, answer)| (case.to_owned(), answer.to_owned()))).collect()
}

/// Resolves and selects the last call of the body, on an object of the last class that it makes.
fn run_case(program: &Program, body: &Body) -> String {
    let mut receiver: Option<ClassId> = None;
    let mut call: Option<(InvokeKind, MethodRef)> = None;
    for instruction in &body.instructions {
        match instruction.op {
            Op::New(name) => receiver = program.find_class(name),
            Op::Invoke { kind, method, .. } if method.name != program.known.init => {
                call = Some((kind, method));
            }
            _ => {}
        }
    }
    let (kind, method) = call.expect("a case makes a call");
    let resolved = program.resolve_method(method.class, method.name, method.descriptor);
    let selected = match (kind, resolved, receiver) {
        (
            InvokeKind::Virtual | InvokeKind::Interface,
            Resolution::Found(resolved),
            Some(receiver),
        ) => program.select_method(receiver, resolved),
        (_, resolved, _) => resolved,
    };
    match selected {
        Resolution::Found(id) if !program.method(id).1.access_flags.is_abstract() => {
            text(program, id)
        }
        _ => ERROR.to_owned(),
    }
}

fn text(program: &Program, id: MethodId) -> String {
    let (class, method) = program.method(id);
    format!("{}.{}", program.class_text(class.name), program.names.text(method.name))
}
