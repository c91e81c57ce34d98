//! Java sources to class files, with the real javac, cached.
//!
//! A fixture is one compilation with an output directory of its own, so that class names may clash
//! between fixtures. Under `tests/fixtures/<area>/` a file `X.java` is the fixture `<area>/X`, and a
//! directory `X` with all its sources is the fixture `<area>/X`; a directory that holds `old/` and
//! `new/` is two, `<area>/X/old` and `<area>/X/new`. A head comment `// javac: --release 8` adds flags.
//!
//! The cache, `target/fixtures/`, has one directory per content: sources, flags and javac's version
//! make the key. All that is missing is compiled in one JVM; a lock file makes other test processes
//! wait, and a rename makes a directory appear complete or not at all. Nothing is ever deleted here;
//! `make clean` does that.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail};

use crate::expect;
use crate::jdk::{self, Jdk};

/// A compiled fixture.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// Area and name: `equality/Tag`.
    pub name: String,
    /// Its Java sources, sorted.
    pub sources: Vec<PathBuf>,
    /// The directory of its class files.
    pub classes: PathBuf,
}

/// All fixtures, sorted by name, compiled. Fails with javac's messages for each that does not compile.
pub fn fixtures() -> Result<&'static [Fixture]> {
    static FIXTURES: OnceLock<std::result::Result<Vec<Fixture>, String>> = OnceLock::new();
    let root = crate::workspace_root().join("tests/fixtures");
    let compiled = FIXTURES.get_or_init(|| compile_tree(&root).map_err(|e| format!("{e:#}")));
    compiled.as_deref().map_err(|message| anyhow!("{message}"))
}

/// The fixtures of one area: `equality`, `locks`. An area without fixtures is an error, lest a
/// misspelt one test nothing.
pub fn fixtures_in(area: &str) -> Result<Vec<&'static Fixture>> {
    let prefix = format!("{area}/");
    let found: Vec<_> =
        fixtures()?.iter().filter(|fixture| fixture.name.starts_with(&prefix)).collect();
    if found.is_empty() {
        bail!("no fixtures under tests/fixtures/{area}");
    }
    Ok(found)
}

/// One fixture by its name: `equality/Tag`.
pub fn fixture(name: &str) -> Result<&'static Fixture> {
    let found = fixtures()?.iter().find(|fixture| fixture.name == name);
    found.with_context(|| format!("no fixture tests/fixtures/{name}"))
}

/// Compiles sources that a test holds in memory; `sources` are (path, text) pairs such as
/// `("p/A.java", "package p; ...")`. Returns the directory of the class files.
pub fn compile(sources: &[(&str, &str)], flags: &[&str]) -> Result<PathBuf> {
    let unit = Unit {
        name: "adhoc".to_owned(),
        sources: sources
            .iter()
            .map(|(path, text)| (PathBuf::from(path), (*text).to_owned()))
            .collect(),
        flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
    };
    let mut classes = compile_units(&[unit])?;
    Ok(classes.remove(0))
}

/// Compiles each directory below `root` alone, without what is in its subdirectories, all in one JVM.
/// Directories and the directories of their class files, sorted.
pub fn compile_directories(root: &Path) -> Result<Vec<(PathBuf, PathBuf)>> {
    let directories: Vec<PathBuf> =
        sorted_entries(root)?.into_iter().filter(|path| path.is_dir()).collect();
    let units = directories.iter().map(|directory| {
        let files = sorted_entries(directory)?.into_iter().filter(|path| path.is_file());
        let sources: Vec<Vec<PathBuf>> =
            files.map(|path| sources_below(&path)).collect::<Result<_>>()?;
        Unit::read(format!("{}-{}", stem_of(root), stem_of(directory)), &sources.concat())
    });
    let units: Vec<Unit> = units.collect::<Result<_>>()?;
    let classes = compile_units(&units)?;
    Ok(directories.into_iter().zip(classes).collect())
}

/// One javac run: what goes in decides what comes out, so it is also the cache key.
struct Unit {
    name: String,
    /// Absolute paths of files on disk, or relative ones that are written out first.
    sources: Vec<(PathBuf, String)>,
    flags: Vec<String>,
}

impl Unit {
    fn read(name: String, paths: &[PathBuf]) -> Result<Unit> {
        let mut sources = Vec::new();
        let mut flags: Option<(String, &PathBuf)> = None;
        for path in paths {
            let text = fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let head =
                expect::head_directives(&text).with_context(|| format!("in {}", path.display()))?;
            if let Some(own) = head.get("javac") {
                match &flags {
                    Some((other, first)) if other != own => {
                        bail!(
                            "{} and {} ask for different javac flags",
                            first.display(),
                            path.display()
                        )
                    }
                    _ => flags = Some((own.clone(), path)),
                }
            }
            sources.push((path.clone(), text));
        }
        let flags = flags.map(|(text, _)| text.split_whitespace().map(str::to_owned).collect());
        Ok(Unit { name, sources, flags: flags.unwrap_or_default() })
    }

    fn cache_name(&self, jdk: &Jdk) -> String {
        let mut hasher = DefaultHasher::new();
        (&jdk.version, &self.flags, self.default_flags()).hash(&mut hasher);
        for (path, text) in &self.sources {
            // The name alone: a moved checkout does not change what javac writes.
            (path.file_name(), text).hash(&mut hasher);
        }
        let slug: String =
            self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        format!("{slug}-{:016x}", hasher.finish())
    }

    fn default_flags(&self) -> Vec<&'static str> {
        let mut flags =
            vec!["-proc:none", "-nowarn", "-Xlint:none", "-implicit:none", "-encoding", "UTF-8"];
        if !self.flags.iter().any(|flag| flag.starts_with("-g")) {
            flags.push("-g");
        }
        flags
    }

    /// The paragraph of the request file; writes out the sources that are not on disk.
    fn request(&self, into: &Path) -> Result<String> {
        let classes = into.join("classes");
        fs::create_dir_all(&classes)?;
        let mut lines: Vec<String> = self.default_flags().into_iter().map(str::to_owned).collect();
        lines.extend(self.flags.iter().cloned());
        lines.extend(["-d".to_owned(), text_of(&classes)?]);
        for (path, text) in &self.sources {
            let path = into.join("src").join(path);
            if !path.is_file() {
                fs::create_dir_all(path.parent().context("a source has a directory")?)?;
                fs::write(&path, text)?;
            }
            lines.push(text_of(&path)?);
        }
        Ok(lines.join("\n") + "\n\n")
    }
}

fn compile_tree(root: &Path) -> Result<Vec<Fixture>> {
    let mut units = Vec::new();
    for (name, paths) in find_fixtures(root)? {
        units.push(Unit::read(name, &paths)?);
    }
    let classes = compile_units(&units)?;
    let fixtures = units.into_iter().zip(classes).map(|(unit, classes)| Fixture {
        name: unit.name,
        sources: unit.sources.into_iter().map(|(path, _)| path).collect(),
        classes,
    });
    Ok(fixtures.collect())
}

fn find_fixtures(root: &Path) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let mut found = Vec::new();
    for area in sorted_entries(root)?.iter().filter(|path| path.is_dir()) {
        for path in sorted_entries(area)? {
            let name = format!("{}/{}", stem_of(area), stem_of(&path));
            let versions = [path.join("old"), path.join("new")];
            if versions.iter().all(|version| version.is_dir()) {
                for version in &versions {
                    found.push((format!("{name}/{}", stem_of(version)), sources_below(version)?));
                }
            } else {
                found.push((name, sources_below(&path)?));
            }
        }
    }
    // An area may also hold files that are no Java: golden output, notes.
    found.retain(|(_, sources)| !sources.is_empty());
    found.sort();
    Ok(found)
}

fn sources_below(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_dir() {
        let below = sorted_entries(path)?
            .iter()
            .map(|entry| sources_below(entry))
            .collect::<Result<Vec<_>>>()?;
        return Ok(below.concat());
    }
    let java = path.extension() == Some(OsStr::new("java"));
    Ok(if java { vec![path.to_path_buf()] } else { Vec::new() })
}

fn sorted_entries(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Compiles what the cache lacks; the directories of classes, in the order of the units.
fn compile_units(units: &[Unit]) -> Result<Vec<PathBuf>> {
    let jdk = jdk::current()?;
    let cache = crate::workspace_root().join("target/fixtures");
    let homes: Vec<PathBuf> = units.iter().map(|unit| cache.join(unit.cache_name(jdk))).collect();
    if !homes.iter().all(|home| home.is_dir()) {
        fs::create_dir_all(&cache)?;
        let lock = File::create(cache.join(".lock"))?;
        lock.lock().context("cannot lock the fixture cache")?;
        let missing = units.iter().zip(&homes).filter(|(_, home)| !home.is_dir());
        compile_missing(jdk, &cache, &missing.collect::<Vec<_>>())?;
    }
    Ok(homes.into_iter().map(|home| home.join("classes")).collect())
}

fn compile_missing(jdk: &Jdk, cache: &Path, missing: &[(&Unit, &PathBuf)]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    // Under the lock, so what another process left here is the rest of a run that was killed.
    let work = cache.join(".work");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    let mut request = String::new();
    for (number, (unit, _)) in missing.iter().enumerate() {
        request += &unit.request(&work.join(number.to_string()))?;
    }
    let failures = run_javac(jdk, &work, &request)?;
    let mut messages = Vec::new();
    for (number, (unit, home)) in missing.iter().enumerate() {
        match failures.iter().find(|(failed, _)| *failed == number) {
            Some((_, text)) => messages.push(format!("{} does not compile:\n{text}", unit.name)),
            // Two units of one batch may have the same content.
            None if home.is_dir() => {}
            None => fs::rename(work.join(number.to_string()), home)?,
        }
    }
    fs::remove_dir_all(&work)?;
    if !messages.is_empty() {
        bail!("{}", messages.join("\n"));
    }
    Ok(())
}

/// One JVM for all requests; the numbers of those that failed, with javac's messages.
fn run_javac(jdk: &Jdk, work: &Path, request: &str) -> Result<Vec<(usize, String)>> {
    jdk.tool("javac")?;
    let (program, requests, answers) =
        (work.join("CompileAll.java"), work.join("requests"), work.join("answers"));
    fs::write(&program, include_str!("../java/CompileAll.java"))?;
    fs::write(&requests, request)?;
    let java = jdk.tool("java")?;
    let output = Command::new(&java)
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"])
        .args([&program, &requests, &answers])
        .output()
        .with_context(|| format!("cannot run {}", java.display()))?;
    if !output.status.success() {
        bail!("running javac failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let answers = fs::read_to_string(&answers)?;
    let paragraphs = answers.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty());
    paragraphs
        .map(|paragraph| {
            let (number, text) =
                paragraph.split_once('\n').context("an answer starts with a number")?;
            Ok((number.trim().parse()?, text.to_owned()))
        })
        .collect()
}

fn stem_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn text_of(path: &Path) -> Result<String> {
    path.to_str().map(str::to_owned).with_context(|| format!("{} is not UTF-8", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_from_memory() -> Result<()> {
        let source = ("p/A.java", "package p; class A { int f() { return 1; } }");
        let classes = compile(&[source], &["--release", "8"])?;
        let bytes = fs::read(classes.join("p/A.class"))?;
        assert_eq!(&bytes[..8], [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52]);
        assert_eq!(compile(&[source], &["--release", "8"])?, classes);
        assert_ne!(compile(&[source], &["--release", "11"])?, classes);
        Ok(())
    }

    #[test]
    fn messages_of_each_unit_that_fails() -> Result<()> {
        let unit = |name: &str, text: &str| Unit {
            name: name.to_owned(),
            sources: vec![(PathBuf::from("A.java"), text.to_owned())],
            flags: Vec::new(),
        };
        let units =
            [unit("good", "class A {}"), unit("bad", "class A { x }"), unit("worse", "class B {")];
        let message = compile_units(&units).expect_err("two do not compile").to_string();
        assert!(
            message.contains("bad does not compile:\n") && message.contains("worse does not"),
            "{message}"
        );
        assert!(!message.contains("good"), "{message}");
        Ok(())
    }

    #[test]
    fn fixtures_of_a_tree() -> Result<()> {
        let root = crate::workspace_root().join(format!("target/tree-test-{}", std::process::id()));
        let files = [
            ("equality/A.java", "// javac: --release 8\nclass A {}"),
            ("equality/notes.txt", "not Java"),
            ("equality/many/p/B.java", "package p; class B extends C {}"),
            ("equality/many/p/C.java", "package p; class C {}"),
            ("diff/pair/old/A.java", "class A { int x; }"),
            ("diff/pair/new/A.java", "class A { long x; }"),
        ];
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().context("has a parent")?)?;
            fs::write(path, text)?;
        }
        let fixtures = compile_tree(&root)?;
        let names: Vec<&str> = fixtures.iter().map(|fixture| fixture.name.as_str()).collect();
        assert_eq!(names, ["diff/pair/new", "diff/pair/old", "equality/A", "equality/many"]);
        assert_ne!(fixtures[0].classes, fixtures[1].classes);
        assert_eq!(fs::read(fixtures[2].classes.join("A.class"))?[7], 52);
        assert!(fixtures[3].classes.join("p/B.class").is_file());
        fs::remove_dir_all(&root)?;
        Ok(())
    }
}
