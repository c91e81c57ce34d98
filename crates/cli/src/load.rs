//! From paths to a `Program`: opens files, finds the JDK, puts everything on one class path.
//!
//! Whatever cannot be read is a problem with a line of its own, and the rest goes on. Only if nothing
//! is left to judge does loading fail.

pub(crate) mod directory;
mod jdk;
mod missing;
mod resources;
mod sources;

pub use jdk::JdkHome;
pub(crate) use resources::resources;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use classfile::archive::Archive;
use classfile::{Renaming, mutf8};
use memmap2::Mmap;
use program::{ClassSource, Problem, Program, Role};

use crate::args::{Classpath, Jdk};
use directory::class_files;
use missing::missing_classes;
use sources::{ArchiveSource, FileSource, RenamedSource};

/// What was loaded, and what could not be.
pub struct Loaded {
    pub program: Program,
    pub jdk: Option<JdkHome>,
    /// Of opening the inputs; problems of single classes come with the program.
    problems: Vec<Problem>,
}

impl Loaded {
    pub fn problems(&self) -> Vec<Problem> {
        self.problems.iter().cloned().chain(self.program.problems()).collect()
    }

    /// For a report: these, and what the class path lacks.
    pub(crate) fn reported(&self) -> Vec<checks::report::Problem> {
        let found = self.problems().into_iter().chain(missing_classes(&self.program));
        found.map(|it| checks::report::Problem { path: it.path, message: it.message }).collect()
    }
}

/// Puts known classes and the JDK on the class path; nothing is judged.
pub(crate) fn load_known(cp: &[PathBuf], jdk: Option<&Jdk>) -> Result<Loaded> {
    let home = find_jdk(jdk)?;
    let mut loader = Loader::new(home.as_ref());
    for path in cp {
        loader.add_path(Role::Known, path)?;
    }
    if let Some(home) = &home {
        loader.add_jdk(Role::Platform, home);
    }
    Ok(loader.finish(home))
}

fn find_jdk(jdk: Option<&Jdk>) -> Result<Option<JdkHome>> {
    Ok(match jdk {
        Some(Jdk::None) => None,
        Some(Jdk::Home(home)) => Some(JdkHome::at(home).with_context(|| {
            format!("{} is no JDK: it has neither lib/modules nor lib/rt.jar", home.display())
        })?),
        None => JdkHome::of_java_command(),
    })
}

/// Puts the judged paths, then `--cp`, then the JDK on the class path.
pub fn load(judged: &[PathBuf], classpath: &Classpath) -> Result<Loaded> {
    load_with(judged, classpath, None)
}

/// The same of one path, whose classes go by other names: internal ones, by what they are.
pub(crate) fn load_renamed(
    judged: &PathBuf,
    classpath: &Classpath,
    names: &BTreeMap<String, String>,
) -> Result<Loaded> {
    let encoded = names.iter().map(|(was, now)| (mutf8::encode(was), mutf8::encode(now)));
    load_with(std::slice::from_ref(judged), classpath, Some(encoded.collect()))
}

fn load_with(
    judged: &[PathBuf],
    classpath: &Classpath,
    renaming: Option<Renaming>,
) -> Result<Loaded> {
    let jdk = find_jdk(classpath.jdk.as_ref())?;
    let mut loader = Loader::new(jdk.as_ref());
    let mut judges_a_jdk = false;
    for path in judged {
        judges_a_jdk |= loader.add_path(Role::Judged, path)?;
    }
    if let Some(renaming) = renaming {
        loader.rename(&renaming);
    }
    for path in &classpath.cp {
        loader.add_path(Role::Known, path)?;
    }
    // A judged JDK brings its own classes; those of another release would only get in the way.
    match &jdk {
        Some(jdk) if !judges_a_jdk => loader.add_jdk(Role::Platform, jdk),
        Some(_) => {}
        None if classpath.jdk.is_none() && !judges_a_jdk => loader.problem(
            Path::new("java"),
            "no JDK found: put java on the PATH, or name one with --jdk HOME; \
             without it the classes of the JDK are unknown",
        ),
        None => {}
    }
    let loaded = loader.finish(jdk);
    check_judged(&loaded, judged)?;
    Ok(loaded)
}

/// Fails if not one judged class can be read. Reads classes only up to the first that can.
fn check_judged(loaded: &Loaded, judged: &[PathBuf]) -> Result<()> {
    const MAX_REASONS: usize = 3;
    let program = &loaded.program;
    if program.class_ids(Role::Judged).any(|id| program.class(id).is_some()) {
        return Ok(());
    }
    let problems = loaded.problems();
    let mut reasons: Vec<&str> =
        problems.iter().map(|problem| problem.message.as_str()).take(MAX_REASONS).collect();
    if reasons.is_empty() {
        reasons.push("there are no classes in it");
    }
    let paths: Vec<String> = judged.iter().map(|path| path.display().to_string()).collect();
    bail!("nothing to judge in {}: {}", paths.join(", "), reasons.join("; "));
}

struct Loader {
    /// The Java release whose classes are taken from multi-release jars.
    release: u16,
    sources: Vec<(Role, Box<dyn ClassSource>)>,
    problems: Vec<Problem>,
}

impl Loader {
    fn new(jdk: Option<&JdkHome>) -> Loader {
        let release = jdk.map_or(JdkHome::DEFAULT_RELEASE, |jdk| jdk.release);
        Loader { release, sources: Vec::new(), problems: Vec::new() }
    }

    fn finish(self, jdk: Option<JdkHome>) -> Loaded {
        Loaded { program: Program::new(self.sources), jdk, problems: self.problems }
    }

    /// Lets classes of all sources so far go by other names.
    fn rename(&mut self, renaming: &Renaming) {
        let sources = std::mem::take(&mut self.sources);
        let renamed = sources.into_iter().map(|(role, source)| {
            let source = RenamedSource::new(source, renaming.clone());
            (role, Box::new(source) as Box<dyn ClassSource>)
        });
        self.sources = renamed.collect();
    }

    fn problem(&mut self, path: &Path, message: impl ToString) {
        self.problems
            .push(Problem { path: path.display().to_string(), message: message.to_string() });
    }

    /// Returns whether the path is a JDK. A path that does not exist is a wrong command line.
    fn add_path(&mut self, role: Role, path: &Path) -> Result<bool> {
        let metadata =
            std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        if !metadata.is_dir() {
            self.add_file(role, path);
            return Ok(false);
        }
        if let Some(jdk) = JdkHome::at(path) {
            self.add_jdk(role, &jdk);
            return Ok(true);
        }
        let found = class_files(path);
        for (path, message) in found.problems {
            self.problem(&path, message);
        }
        if !found.classes.is_empty() {
            let (source, problems) = FileSource::open(path, &found.classes);
            self.problems.extend(problems);
            self.sources.push((role, Box::new(source.with_services(&found.services))));
        }
        for archive in &found.archives {
            self.add_file(role, archive);
        }
        if found.classes.is_empty() && found.archives.is_empty() {
            self.problem(path, "no class files and no jars in this directory");
        }
        Ok(false)
    }

    fn add_jdk(&mut self, role: Role, jdk: &JdkHome) {
        for path in &jdk.archives {
            self.add_file(role, path);
        }
    }

    fn add_file(&mut self, role: Role, path: &Path) {
        match map_file(path) {
            Ok(bytes) if bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]) => {
                let (source, problems) = FileSource::open(path, &[path.to_owned()]);
                self.problems.extend(problems);
                if !source.is_empty() {
                    self.sources.push((role, Box::new(source)));
                }
            }
            Ok(bytes) => {
                let options = classfile::archive::Options::new(self.release);
                match Archive::open(bytes, &options) {
                    Ok(archive) => self.add_archive(role, &path.display().to_string(), archive),
                    Err(error) => {
                        self.problem(path, format!("{error}; is it a class, jar or jmod?"))
                    }
                }
            }
            Err(error) => self.problem(path, error),
        }
    }

    fn add_archive(&mut self, role: Role, label: &str, mut archive: Archive) {
        let problems = archive.problems().iter().map(|problem| Problem {
            path: join_label(label, &problem.path),
            message: problem.error.to_string(),
        });
        self.problems.extend(problems);
        let nested = archive.take_nested();
        self.sources.push((role, Box::new(ArchiveSource::new(label, archive))));
        for inner in nested {
            self.add_archive(role, &join_label(label, &inner.path), inner.archive);
        }
    }
}

fn join_label(outer: &str, inner: &str) -> String {
    if inner.is_empty() { outer.to_owned() } else { format!("{outer}!/{inner}") }
}

/// The file's bytes, mapped rather than copied: a JDK image has 140 MiB, of which little is needed.
#[expect(unsafe_code, reason = "the one place where a file becomes memory")]
fn map_file(path: &Path) -> std::io::Result<Bytes> {
    let file = std::fs::File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(Bytes::new());
    }
    // SAFETY: if another process cuts the file short while we run, reading it raises SIGBUS and ends
    // this process; no reader of class files could go on sensibly then. Nothing here relies on the
    // bytes staying the same: every read is checked against the length.
    let map = unsafe { Mmap::map(&file)? };
    Ok(Bytes::from_owner(map))
}
