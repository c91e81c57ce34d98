//! Running programs that should deadlock, in child JVMs.
//!
//! One JVM compiles the programs and leads the others through the debugger's interface: each thread is
//! held where it has its first lock until all have arrived. A program that ends, or that cannot be
//! compiled or led, shows nothing.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use checks::locks::{HangOutcome, HangProgram, HangRunner};

const DRIVER: &str = include_str!("Driver.java");
const PROGRAM: &str = include_str!("Deadlock.java.txt");

/// A JDK that can run the judged classes.
pub(crate) struct ChildJvm {
    pub home: PathBuf,
    pub classpath: Vec<PathBuf>,
}

impl HangRunner for ChildJvm {
    fn run(&self, programs: &[HangProgram]) -> Vec<HangOutcome> {
        match self.try_run(programs) {
            Ok(outcomes) => outcomes,
            Err(error) => {
                let failed = HangOutcome::Failed(format!("{error:#}"));
                vec![failed; programs.len()]
            }
        }
    }
}

impl ChildJvm {
    fn try_run(&self, programs: &[HangProgram]) -> Result<Vec<HangOutcome>> {
        let java = self.home.join("bin/java");
        if !java.is_file() {
            bail!("no java at {}", java.display());
        }
        let dir = std::env::temp_dir().join(format!("jury-hang-{}", std::process::id()));
        std::fs::create_dir_all(&dir)?;
        let outcomes = self.run_in(&dir, &java, programs);
        // What is left there is of no use to anybody.
        let _ = std::fs::remove_dir_all(&dir);
        outcomes
    }

    fn run_in(
        &self,
        dir: &std::path::Path,
        java: &std::path::Path,
        programs: &[HangProgram],
    ) -> Result<Vec<HangOutcome>> {
        std::fs::write(dir.join("Driver.java"), DRIVER)?;
        let mut arguments = Vec::new();
        for (number, program) in programs.iter().enumerate() {
            let home = dir.join(number.to_string());
            std::fs::create_dir_all(&home)?;
            std::fs::write(home.join("Deadlock.java"), source(program))?;
            std::fs::write(home.join("stops"), stops(program))?;
            arguments.push(home);
        }
        let classpath = std::env::join_paths(&self.classpath)?;
        let mut child = Command::new(java)
            .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"])
            .arg(dir.join("Driver.java"))
            .arg(&self.home)
            .arg(if classpath.is_empty() { ".".into() } else { classpath })
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(dir.join("answers"))?)
            .stderr(std::fs::File::create(dir.join("errors"))?)
            .spawn()
            .context("cannot run java")?;
        const EACH: u64 = 40;
        let end = Instant::now() + Duration::from_secs(30 + EACH * programs.len() as u64);
        while child.try_wait()?.is_none() {
            if Instant::now() > end {
                child.kill()?;
                child.wait()?;
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let answers = std::fs::read_to_string(dir.join("answers"))?;
        Ok((0..programs.len()).map(|number| outcome(&answers, number)).collect())
    }
}

fn source(program: &HangProgram) -> String {
    let setup: String = program.setup.iter().map(|line| format!("        {line}\n")).collect();
    let roles: String = program
        .roles
        .iter()
        .map(|role| format!("            () -> {{ {} }},\n", role.code))
        .collect();
    let stops: Vec<&str> = program
        .roles
        .iter()
        .map(|role| if role.stop.is_some() { "true" } else { "false" })
        .collect();
    PROGRAM
        .replace("/*SETUP*/", &setup)
        .replace("/*ROLES*/", &roles)
        .replace("/*STOPS*/", &stops.join(", "))
}

fn stops(program: &HangProgram) -> String {
    let mut text = format!("roles\t{}\n", program.roles.len());
    for (number, role) in program.roles.iter().enumerate() {
        if let Some(stop) = &role.stop {
            text += &format!(
                "{number}\t{}\t{}\t{}\t{}\n",
                stop.class, stop.method, stop.descriptor, stop.pc
            );
        }
    }
    text
}

fn outcome(answers: &str, number: usize) -> HangOutcome {
    let prefix = format!("{number}\t");
    let line = answers.lines().find_map(|line| line.strip_prefix(&prefix));
    let mut parts = line.unwrap_or("FAILED\tno answer").split('\t');
    let word = parts.next().unwrap_or_default();
    let rest: Vec<String> = parts.map(str::to_owned).collect();
    match word {
        "HUNG" => HangOutcome::Hung(rest),
        "DONE" => HangOutcome::Finished,
        _ => HangOutcome::Failed(rest.join(" ")),
    }
}
