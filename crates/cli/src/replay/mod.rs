//! Witnesses on a real JVM.
//!
//! One child process follows all witnesses of a run. It executes code of the judged jar, so it gets an
//! empty environment, a temporary directory of its own, limits on memory and time, and on Linux no
//! right to write elsewhere or to connect ([`sandbox`]). A witness that kills or hangs the child loses
//! only itself: the child is started again and goes on with the next.
//!
//! Deliberately not here: which witnesses to run, and what their answers mean.

mod child;
mod classpath;
#[cfg_attr(not(target_os = "linux"), path = "sandbox_none.rs")]
mod sandbox;
mod script;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;

use anyhow::{Context, Result, bail};
use checks::replay::{Replay, Replayed};
use checks::witness::Witness;
use tempfile::TempDir;

use crate::load::JdkHome;
use child::{Child, Ended};
use classpath::class_path;

const HARNESS: &str = include_str!("../../java/Harness.java");

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
        let directory = tempfile::Builder::new().prefix("jury-").tempdir()?;
        let class_path = class_path(paths, &directory.path().join("loose"))?;
        let (home, target) = (jdk.home.clone(), directory.path().to_owned());
        let compiling = std::thread::spawn(move || compile_harness(&home, &target));
        Ok(JvmReplay {
            java: jdk.home.join("bin/java"),
            directory,
            class_path,
            compiling: Some(compiling),
            child: None,
            broken: None,
        })
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

    /// Runs witnesses until one of them ends the child; the results so far.
    fn run(&mut self, witnesses: &[Witness]) -> Result<Vec<Replayed>> {
        let scripts: Vec<String> = witnesses.iter().map(script::script).collect();
        let (results, ended) = self.child()?.run(&scripts);
        match ended {
            Ended::Alive => {}
            Ended::Gone => self.child = None,
        }
        Ok(results)
    }
}

impl Replay for JvmReplay {
    fn replay(&mut self, witnesses: &[Witness]) -> Vec<Replayed> {
        let mut results: Vec<Replayed> = Vec::with_capacity(witnesses.len());
        while results.len() < witnesses.len() {
            if self.broken.is_some() {
                results.resize(witnesses.len(), Replayed::NotRun);
                break;
            }
            match self.run(&witnesses[results.len()..]) {
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

fn compile_harness(home: &Path, target: &Path) -> Result<()> {
    let source = target.join("Harness.java");
    std::fs::write(&source, HARNESS)?;
    let javac = home.join("bin/javac");
    let output = Command::new(&javac)
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto"])
        .args(["-proc:none", "-nowarn", "-encoding", "UTF-8", "-d"])
        .arg(target.join("harness"))
        .arg(&source)
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", javac.display()))?;
    if !output.status.success() {
        bail!("javac: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
