//! One JVM and one of our machines on the same calls.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::report::Report;

const SOURCES: &[&str] =
    &["Conformance", "Constants", "Inputs", "Literals", "Pools", "Subject", "Watchdog"];

/// How much to run.
pub(crate) struct Extent {
    pub(crate) inputs: u32,
    /// One method of so many.
    pub(crate) every: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    Concrete,
    /// One run per method on open inputs, looked up at each call.
    Symbolic,
}

/// Methods to call, and the files in which calls and the JVM's outcomes are kept.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    pub(crate) seed: u64,
    pub(crate) class_path: Vec<PathBuf>,
    /// As the program on the JVM names them: `class:NAME`, `jar:PATH=packages`.
    pub(crate) places: Vec<String>,
    extent: Extent,
    calls: PathBuf,
    outcomes: PathBuf,
}

impl Job {
    pub(crate) fn new(name: &'static str, seed: u64, extent: Extent) -> Result<Job> {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance").join(name);
        fs::create_dir_all(&directory)?;
        let (calls, outcomes) = (directory.join("calls.txt"), directory.join("outcomes.jsonl"));
        let (class_path, places) = (Vec::new(), Vec::new());
        Ok(Job { name, seed, class_path, places, extent, calls, outcomes })
    }

    /// Draws the inputs and runs the calls on the JVM.
    pub(crate) fn run_jvm(&self) -> Result<()> {
        let mut sources = Vec::new();
        for name in SOURCES {
            let path = testkit::workspace_root().join(format!("tests/conformance/{name}.java"));
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            sources.push((format!("{name}.java"), text));
        }
        let sources: Vec<(&str, &str)> =
            sources.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut class_path = vec![testkit::javac::compile(&sources, &["-Xlint:-removal"])?];
        class_path.extend(self.class_path.iter().cloned());
        let Extent { inputs, every } = self.extent;
        let mut command = Command::new(testkit::jdk::current()?.tool("java")?);
        command
            .args(["-Xmx1g", "-Xss1m", "-Duser.language=en", "-Duser.country=US"])
            .args(["-Duser.timezone=UTC", "-Dfile.encoding=UTF-8", "-cp"])
            .arg(std::env::join_paths(class_path)?)
            .args(["Conformance", &self.seed.to_string()])
            .args([inputs.to_string(), every.to_string()])
            .args([&self.calls, &self.outcomes])
            .args(&self.places);
        let output = command.output().context("cannot run java")?;
        if !output.status.success() {
            bail!("the harness failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(())
    }

    /// Runs the calls on one of our machines.
    pub(crate) fn compare(&self, machine: Machine) -> Result<Report> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
        command.args(["eval", "--json", "--jdk"]).arg(&testkit::jdk::current()?.home);
        command.arg("--calls").arg(&self.calls);
        for path in &self.class_path {
            command.arg("--cp").arg(path);
        }
        if machine == Machine::Symbolic {
            command.arg("--symbolic");
        }
        let output = command.output().context("cannot run jury")?;
        if !output.status.success() {
            bail!("jury eval failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        let answers = String::from_utf8(output.stdout).context("jury eval prints text")?;
        let class_path: Vec<String> =
            self.class_path.iter().map(|path| path.display().to_string()).collect();
        Report::new(&fs::read_to_string(&self.outcomes)?, &answers, &class_path)
    }
}
