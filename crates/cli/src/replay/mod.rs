//! Witnesses on a real JVM.
//!
//! One child process follows all witnesses of a run. It executes code of the judged jar, so it gets an
//! empty environment, a temporary directory of its own, limits on memory and time, and on Linux no
//! right to write elsewhere or to connect ([`sandbox`]). A witness that kills or hangs the child loses
//! only itself: the child is started again and goes on with the next.
//!
//! Deliberately not here: which witnesses to run, and what their answers mean.

mod child;
pub(crate) mod classpath;
#[cfg_attr(not(target_os = "linux"), path = "sandbox_none.rs")]
pub(crate) mod sandbox;
mod script;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use checks::equivalence::Trial;
use checks::replay::{Replay, Replayed};
use checks::witness::Witness;
use tempfile::TempDir;

use crate::load::JdkHome;
use child::{Child, Ended, TRIAL_TIME, WITNESS_TIME};
use classpath::class_path;
use script::Classes;

const HARNESS: [(&str, &str); 3] = [
    ("Harness.java", include_str!("../../java/Harness.java")),
    ("Observer.java", include_str!("../../java/Observer.java")),
    ("Snapshot.java", include_str!("../../java/Snapshot.java")),
];

/// How many calls in a row see the static state that those before left behind: loading classes anew
/// takes longer than most calls.
const NEW_CLASSES: usize = 16;

/// Calls in a row that may hang before the rest is left.
const MOST_HANGS: usize = 1;

/// A JVM that is there when it is needed: compiling the harness goes on beside the analysis.
pub(crate) struct JvmReplay {
    java: PathBuf,
    directory: TempDir,
    class_path: Vec<PathBuf>,
    compiling: Option<JoinHandle<Result<()>>>,
    child: Option<Child>,
    /// Why no JVM can run, once that is known.
    broken: Option<String>,
}

impl JvmReplay {
    /// Prepares a JVM of this JDK with the paths on its class path.
    pub(crate) fn start(jdk: &JdkHome, paths: &[PathBuf]) -> Result<JvmReplay> {
        let directory = temporary_directory()?;
        let class_path = class_path(paths, &directory.path().join("loose"))?;
        let (home, target) = (jdk.home.clone(), directory.path().to_owned());
        let compiling = std::thread::spawn(move || compile_java(&home, &target, &HARNESS));
        Ok(JvmReplay {
            java: jdk.home.join("bin/java"),
            directory,
            class_path,
            compiling: Some(compiling),
            child: None,
            broken: None,
        })
    }

    /// One more, in a directory of its own, once this one has run.
    pub(crate) fn elsewhere(&self) -> Result<JvmReplay> {
        let directory = temporary_directory()?;
        let harness = directory.path().join("harness");
        copy_files(&self.directory.path().join("harness"), &harness)?;
        Ok(JvmReplay {
            java: self.java.clone(),
            directory,
            class_path: self.class_path.clone(),
            compiling: None,
            child: None,
            broken: self.broken.clone(),
        })
    }

    /// Fields, as `p.C.f`, that are left out of what is seen of objects, or as `p.C.f=g` go by another name;
    /// before the first call.
    pub(crate) fn know_fields(&self, fields: &[String]) -> Result<()> {
        let harness = self.directory.path().join("harness");
        std::fs::create_dir_all(&harness)?;
        Ok(std::fs::write(harness.join("known-fields"), fields.join("\n"))?)
    }

    fn child(&mut self) -> Result<&mut Child> {
        if let Some(compiling) = self.compiling.take() {
            match compiling.join() {
                Ok(done) => done?,
                Err(_) => bail!("compiling the harness failed"),
            }
        }
        let child = match self.child.take() {
            Some(child) => child,
            None => Child::spawn(&self.java, self.directory.path(), &self.class_path)?,
        };
        Ok(self.child.insert(child))
    }

    /// Runs scripts until one of them ends the child; the results so far.
    fn run(&mut self, scripts: &[String], time: Duration) -> Result<Vec<Replayed>> {
        let (results, ended) = self.child()?.run(scripts, time);
        match ended {
            Ended::Alive => {}
            Ended::Gone => self.child = None,
        }
        Ok(results)
    }
}

impl Replay for JvmReplay {
    fn replay(&mut self, witnesses: &[Witness]) -> Vec<Replayed> {
        let scripts: Vec<String> = witnesses.iter().map(script::script).collect();
        self.run_all(&scripts)
    }
}

impl JvmReplay {
    /// What the JVM shows of the calls, each in classes of its own.
    pub(crate) fn observe(&mut self, trials: &[Trial]) -> Vec<Replayed> {
        let script = |trial| script::observation(trial, Classes::Fresh);
        let scripts: Vec<String> = trials.iter().map(script).collect();
        self.run_all(&scripts)
    }

    /// What it shows of calls one after the other; after a few that it does not survive, it stops.
    pub(crate) fn observe_row(&mut self, trials: &[Trial]) -> Vec<Replayed> {
        let scripts: Vec<String> = trials
            .iter()
            .enumerate()
            .map(|(at, trial)| {
                let classes = if at % NEW_CLASSES == 0 { Classes::Fresh } else { Classes::Kept };
                script::observation(trial, classes)
            })
            .collect();
        let mut results: Vec<Replayed> = Vec::new();
        for _ in 0..=MOST_HANGS {
            if self.broken.is_some() || results.len() == scripts.len() {
                break;
            }
            match self.run(&scripts[results.len()..], TRIAL_TIME) {
                Ok(more) => results.extend(more),
                Err(_) => break,
            }
        }
        results.resize(scripts.len(), Replayed::NotRun);
        results
    }

    fn run_all(&mut self, scripts: &[String]) -> Vec<Replayed> {
        let mut results: Vec<Replayed> = Vec::with_capacity(scripts.len());
        while results.len() < scripts.len() {
            if self.broken.is_some() {
                results.resize(scripts.len(), Replayed::NotRun);
                break;
            }
            match self.run(&scripts[results.len()..], WITNESS_TIME) {
                Ok(more) => results.extend(more),
                Err(error) => {
                    crate::warn(&format!("no witness can be replayed: {error:#}"));
                    self.broken = Some(error.to_string());
                }
            }
        }
        results
    }
}

fn temporary_directory() -> Result<TempDir> {
    Ok(tempfile::Builder::new().prefix("jury-").tempdir()?)
}

fn copy_files(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_files(&entry.path(), &target)?,
            false => {
                std::fs::copy(entry.path(), &target)?;
            }
        }
    }
    Ok(())
}

/// Compiles the files into `harness` below the target.
pub(crate) fn compile_java(home: &Path, target: &Path, files: &[(&str, &str)]) -> Result<()> {
    let mut sources = Vec::new();
    for (name, text) in files {
        let source = target.join(name);
        std::fs::write(&source, text)?;
        sources.push(source);
    }
    let javac = home.join("bin/javac");
    let output = Command::new(&javac)
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto"])
        .args(["-proc:none", "-nowarn", "-encoding", "UTF-8", "-d"])
        .arg(target.join("harness"))
        .args(&sources)
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", javac.display()))?;
    if !output.status.success() {
        bail!("javac: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
