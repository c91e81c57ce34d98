//! Running programs that should deadlock, in child JVMs.
//!
//! One JVM, the driver, leads others through the debugger's interface: in each of them programs for one
//! plan are built and run, every thread held where it has its first lock until all have arrived. What
//! they execute is code of the judged jar, so all of them are confined like the replay of witnesses. A
//! program that ends shows nothing.
//!
//! Deliberately not here: which deadlocks to try, and what an outcome means.

mod plan;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use checks::locks::{HangOutcome, HangPlan, HangRunner};
use tempfile::TempDir;

use crate::load::JdkHome;
use crate::progress::Progress;
use crate::replay::classpath::class_path;
use crate::replay::{compile_java, sandbox};

const SOURCES: [(&str, &str); 12] = [
    ("Attempt.java", include_str!("../../java/hang/Attempt.java")),
    ("Builder.java", include_str!("../../java/hang/Builder.java")),
    ("Choices.java", include_str!("../../java/hang/Choices.java")),
    ("Driver.java", include_str!("../../java/hang/Driver.java")),
    ("Plan.java", include_str!("../../java/hang/Plan.java")),
    ("Rows.java", include_str!("../../java/hang/Rows.java")),
    ("Scout.java", include_str!("../../java/hang/Scout.java")),
    ("Source.java", include_str!("../../java/hang/Source.java")),
    ("Values.java", include_str!("../../java/hang/Values.java")),
    ("Watch.java", include_str!("../../java/hang/Watch.java")),
    ("Ways.java", include_str!("../../java/hang/Ways.java")),
    ("Wiring.java", include_str!("../../java/hang/Wiring.java")),
];

const TOKEN: &str = "jury-hang ";
/// For one deadlock with all its plans; beyond, the driver itself is stuck.
const DEADLOCK_TIME: Duration = Duration::from_secs(600);

/// JVMs that are there when they are needed: compiling goes on beside the analysis.
pub(crate) struct ChildJvms {
    home: PathBuf,
    directory: TempDir,
    class_path: Vec<PathBuf>,
    compiling: std::sync::Mutex<Option<JoinHandle<Result<()>>>>,
    n_threads: usize,
}

impl ChildJvms {
    /// Prepares JVMs of this JDK with the paths on their class path.
    pub(crate) fn start(jdk: &JdkHome, paths: &[PathBuf], n_threads: usize) -> Result<ChildJvms> {
        let directory = tempfile::Builder::new().prefix("jury-").tempdir()?;
        let class_path = class_path(paths, &directory.path().join("loose"))?;
        let (home, target) = (jdk.home.clone(), directory.path().to_owned());
        let compiling = std::thread::spawn(move || compile_java(&home, &target, &SOURCES));
        Ok(ChildJvms {
            home: jdk.home.clone(),
            directory,
            class_path,
            compiling: std::sync::Mutex::new(Some(compiling)),
            n_threads: n_threads.max(1),
        })
    }

    fn try_run(&self, deadlocks: &[Vec<HangPlan>]) -> Result<Vec<HangOutcome>> {
        let mut compiling = self.compiling.lock().unwrap_or_else(|it| it.into_inner());
        if let Some(compiling) = compiling.take() {
            match compiling.join() {
                Ok(done) => done?,
                Err(_) => bail!("compiling the programs that lead the JVMs failed"),
            }
        }
        let mut lines = Vec::new();
        for (number, plans) in deadlocks.iter().enumerate() {
            lines.push(self.write_plans(number, plans)?);
        }
        // Every driver takes the deadlocks of its own number, so that who runs what is no accident.
        let n_drivers = self.n_threads.min(lines.len());
        let mut outcomes: Vec<Option<HangOutcome>> = vec![None; lines.len()];
        let progress = Progress::new("possible deadlocks tried on a JVM", lines.len());
        std::thread::scope(|scope| {
            let (lines, progress) = (&lines, &progress);
            let share = |first: usize| lines.iter().skip(first).step_by(n_drivers);
            let running: Vec<_> = (0..n_drivers)
                .map(|first| {
                    scope.spawn(move || self.drive(share(first).map(String::as_str), progress))
                })
                .collect();
            for (first, driver) in running.into_iter().enumerate() {
                let answers = driver.join().unwrap_or_default();
                for (n, answer) in answers.into_iter().enumerate() {
                    outcomes[first + n * n_drivers] = Some(answer);
                }
            }
        });
        let missing = || HangOutcome::Failed("the JVM that leads the others ended".to_owned());
        Ok(outcomes.into_iter().map(|it| it.unwrap_or_else(missing)).collect())
    }

    /// The files of the plans, separated by tabs.
    fn write_plans(&self, number: usize, plans: &[HangPlan]) -> Result<String> {
        let mut paths = Vec::new();
        for (n, plan) in plans.iter().enumerate() {
            let path = self.directory.path().join(format!("plan-{number}-{n}"));
            std::fs::write(&path, plan::text(plan))?;
            paths.push(path.display().to_string());
        }
        Ok(paths.join("\t"))
    }

    /// One outcome for each line, in order; a driver that dies is started again for the next line.
    fn drive<'a>(
        &self,
        lines: impl Iterator<Item = &'a str>,
        progress: &Progress,
    ) -> Vec<HangOutcome> {
        let mut driver: Option<Driver> = None;
        let mut outcomes = Vec::new();
        for line in lines {
            let started = match driver.take() {
                Some(running) => Ok(running),
                None => Driver::spawn(&self.home, self.directory.path(), &self.class_path),
            };
            let answer = started.and_then(|mut running| {
                let answer = running.ask(line)?;
                driver = Some(running);
                Ok(answer)
            });
            outcomes.push(match answer {
                Ok(answer) => outcome(&answer),
                Err(error) => HangOutcome::Failed(format!("{error:#}")),
            });
            progress.step();
        }
        outcomes
    }
}

impl HangRunner for ChildJvms {
    fn run(&self, deadlocks: &[Vec<HangPlan>]) -> Vec<HangOutcome> {
        if deadlocks.is_empty() {
            return Vec::new();
        }
        match self.try_run(deadlocks) {
            Ok(outcomes) => outcomes,
            Err(error) => {
                crate::warn(&format!("no program can be run: {error:#}"));
                vec![HangOutcome::Failed(format!("{error:#}")); deadlocks.len()]
            }
        }
    }
}

struct Driver {
    process: Child,
    answers: std::sync::mpsc::Receiver<String>,
}

impl Driver {
    fn spawn(home: &Path, directory: &Path, class_path: &[PathBuf]) -> Result<Driver> {
        let java = home.join("bin/java");
        let scratch = directory.join("tmp");
        std::fs::create_dir_all(&scratch)?;
        // Free now, and nobody else is likely to take it before the driver does.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let harness = directory.join("harness");
        let mut entries = vec![harness.clone()];
        for path in class_path {
            entries.push(path.canonicalize().unwrap_or_else(|_| path.clone()));
        }
        let joined = std::env::join_paths(entries)
            .context("a path with a colon cannot be on a class path")?;
        let mut command = Command::new(&java);
        command
            .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"])
            .arg(format!("-Djava.io.tmpdir={}", scratch.display()))
            .arg("-cp")
            .arg(harness)
            .arg("jury.hang.Driver")
            .arg(home)
            .arg(joined)
            .arg(port.to_string())
            .current_dir(&scratch)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = sandbox::spawn(&mut command, &java, directory, class_path, Some(port))
            .with_context(|| format!("cannot run {}", java.display()))?;
        let stdout = process.stdout.take().context("the JVM has no output")?;
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some(answer) = line.strip_prefix(TOKEN)
                    && sender.send(answer.to_owned()).is_err()
                {
                    return;
                }
            }
        });
        Ok(Driver { process, answers })
    }

    fn ask(&mut self, line: &str) -> Result<String> {
        let stdin = self.process.stdin.as_mut().context("the JVM has no input")?;
        writeln!(stdin, "{line}")?;
        stdin.flush()?;
        self.answers.recv_timeout(DEADLOCK_TIME).context("the JVM did not answer")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn outcome(answer: &str) -> HangOutcome {
    let parts: Vec<&str> = answer.split('\t').collect();
    match parts[..] {
        ["HUNG", plan, how, access, text, ref seen @ ..] => {
            let first = match how {
                "reported" => "the JVM reports the deadlock",
                _ => "all threads stand still, without using the processor",
            };
            let seen = [first].into_iter().chain(seen.iter().copied());
            HangOutcome::Hung {
                plan: plan.parse().unwrap_or(0),
                source: unescape(text),
                is_public: access == "public",
                seen: seen.map(str::to_owned).collect(),
            }
        }
        ["DONE", text, ref against @ ..] => HangOutcome::Finished {
            source: unescape(text),
            against: against.first().and_then(|it| it.parse().ok()).unwrap_or(0),
        },
        ["NONE", why, ..] => HangOutcome::Failed(format!("no program was found: {why}")),
        _ => HangOutcome::Failed(parts.get(1..).unwrap_or_default().join(" ")),
    }
}

/// Text in which backslashes, tabs and line ends are escaped.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, true) => plain.push(match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(other) => other,
                None => break,
            }),
            (other, false) => plain.push(other),
        }
    }
    plain
}
