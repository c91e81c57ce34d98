//! The Java in the explanations of rules compiles: whoever copies an example must not be let down.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use checks::RULES;

#[test]
fn examples_compile() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explain_examples");
    fs::create_dir_all(&dir).unwrap();
    let files = write_examples(&dir);
    assert!(files.len() >= RULES.len());
    let javac = std::env::var_os("JAVA_HOME")
        .map(|home| Path::new(&home).join("bin/javac"))
        .filter(|javac| javac.exists())
        .unwrap_or_else(|| PathBuf::from("javac"));
    let output = Command::new(javac)
        .args(["-proc:none", "-d"])
        .arg(dir.join("classes"))
        .args(files)
        .output()
        .expect("javac of a JDK 17 or later is needed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// One file for the code of each section, in a package of its own because class names repeat.
fn write_examples(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for rule in RULES {
        for (heading, text) in rule.explanation.sections() {
            let code = text.lines().filter_map(|line| line.strip_prefix("    "));
            let name = format!("{}_{}", rule.name, heading).replace(['-', ' '], "_").to_lowercase();
            let source = code.fold(format!("package {name};\n"), |mut source, line| {
                let _ = writeln!(source, "{line}");
                source
            });
            if source.lines().count() > 1 {
                let file = dir.join(format!("{name}.java"));
                fs::write(&file, source).unwrap();
                files.push(file);
            }
        }
    }
    files
}
