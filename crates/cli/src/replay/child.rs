//! The child process: started confined, spoken to by lines, killed when it does not answer.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use checks::replay::Replayed;
use checks::witness::Answer;

use super::sandbox;

/// A witness makes a handful of calls; one that takes longer hangs.
pub(super) const WITNESS_TIME: Duration = Duration::from_secs(5);
/// One of many trials; nothing is lost with it.
pub(super) const TRIAL_TIME: Duration = Duration::from_secs(1);
/// From the start of the process until it is ready.
const START_TIME: Duration = Duration::from_secs(30);
const TOKEN: &str = "jury-replay";

/// Whether the child can take more witnesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Alive,
    Gone,
}

pub(super) struct Child {
    process: std::process::Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Child {
    pub(super) fn spawn(java: &Path, directory: &Path, class_path: &[PathBuf]) -> Result<Child> {
        let mut command = command(java, directory, class_path)?;
        let mut process = sandbox::spawn(&mut command, java, directory, class_path, None)
            .with_context(|| format!("cannot run {}", java.display()))?;
        let (Some(stdin), Some(stdout)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("the JVM has no input or output");
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                line.clear();
                if let Some(rest) = text.strip_prefix(TOKEN)
                    && sender.send(rest.trim_start().to_owned()).is_err()
                {
                    return;
                }
            }
        });
        let child = Child { process, stdin: Some(stdin), lines };
        match child.lines.recv_timeout(START_TIME) {
            Ok(line) if line == "ready" => Ok(child),
            Ok(_) | Err(_) => bail!("{} did not start the harness", java.display()),
        }
    }

    /// Runs the scripts in order. If one ends the child, or takes longer than it may, it has failed, and
    /// the rest is left over.
    pub(super) fn run(&mut self, scripts: &[String], time: Duration) -> (Vec<Replayed>, Ended) {
        let Some(mut stdin) = self.stdin.take() else { return (Vec::new(), Ended::Gone) };
        let text = scripts.concat();
        // Beside the reading, so that neither side waits with a full pipe.
        let writer = std::thread::spawn(move || {
            // A child that is gone is noticed by the reader.
            let _ = stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush());
            stdin
        });
        let mut results = Vec::new();
        while results.len() < scripts.len() {
            match self.read_result(time) {
                Ok(result) => results.push(result),
                Err(reason) => {
                    results.push(Replayed::Failed(reason));
                    let _ = self.process.kill();
                    let _ = self.process.wait();
                    return (results, Ended::Gone);
                }
            }
        }
        match writer.join() {
            Ok(stdin) => {
                self.stdin = Some(stdin);
                (results, Ended::Alive)
            }
            Err(_) => (results, Ended::Gone),
        }
    }

    /// The answers of one witness, or why the child ended.
    fn read_result(&mut self, time: Duration) -> Result<Replayed, String> {
        let mut answers = Vec::new();
        loop {
            let line = self.lines.recv_timeout(time).map_err(|error| match error {
                RecvTimeoutError::Timeout => Replayed::HUNG.to_owned(),
                RecvTimeoutError::Disconnected => Replayed::DIED.to_owned(),
            })?;
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match word {
                "done" => return Ok(Replayed::Answers(answers)),
                "fail" => return Ok(Replayed::Failed(rest.to_owned())),
                "boolean" => answers.push(Answer::Boolean(rest == "true")),
                "int" => match rest.parse() {
                    Ok(value) => answers.push(Answer::Int(value)),
                    Err(_) => return Err("the harness answered nonsense".to_owned()),
                },
                "given" | "seen" => answers.push(Answer::Seen(rest.to_owned())),
                "threw" => answers.push(Answer::Threw(rest.to_owned())),
                _ => return Err("the harness answered nonsense".to_owned()),
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Ctrl-C on the terminal is for this process, which still wants answers.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn own_group(_command: &mut Command) {}

/// Another name for a jar or a directory, below a link: where the classes lie is no part of what they
/// do, and is called otherwise in each JVM. A jar keeps its name and its neighbours, which its manifest
/// may name.
#[cfg(unix)]
fn alias(path: &Path, link: &Path) -> Option<PathBuf> {
    let (target, name) =
        if path.is_dir() { (path, None) } else { (path.parent()?, Some(path.file_name()?)) };
    if std::fs::read_link(link).ok().as_deref() != Some(target) {
        std::os::unix::fs::symlink(target, link).ok()?;
    }
    Some(name.map_or(link.to_owned(), |name| link.join(name)))
}

#[cfg(not(unix))]
fn alias(_path: &Path, _link: &Path) -> Option<PathBuf> {
    None
}

fn command(java: &Path, directory: &Path, class_path: &[PathBuf]) -> Result<Command> {
    let scratch = directory.join("tmp");
    std::fs::create_dir_all(&scratch)?;
    let mut entries = vec![directory.join("harness")];
    for (at, path) in class_path.iter().enumerate() {
        let path = path.canonicalize().unwrap_or_else(|_| path.clone());
        entries.push(alias(&path, &directory.join(format!("path{at}"))).unwrap_or(path));
    }
    let joined: OsString =
        std::env::join_paths(entries).context("a path with a colon cannot be on a class path")?;
    let mut command = Command::new(java);
    command
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx512m"])
        .args(["-XX:-UsePerfData", "-XX:-StackTraceInThrowable", "-Djava.awt.headless=true"])
        // What a class asserts of its own objects counts, as in the machine.
        .arg("-ea")
        .args(["-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC"])
        .args(["-Dfile.encoding=UTF-8", &format!("-Djava.io.tmpdir={}", scratch.display())])
        .arg("-cp")
        .arg(joined)
        .args(["jury.replay.Harness", TOKEN])
        .current_dir(&scratch)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    own_group(&mut command);
    Ok(command)
}
