//! `jury dump --stats` on whole jars and JDKs: every class read, every body lowered and verified.
//!
//! How many classes there are is asked of the JDK's own readers of jars and images.

mod dump_support;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use dump_support::{Entry, jdk_home, jury, scratch, zip};
use testkit::jdk::{self, Jdk};
use testkit::{jars, javac};

const COUNT: &str = "
import java.io.File;
import java.net.URI;
import java.nio.file.*;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
class Count {
    /** One line for each argument: the classes of the jar, or of the JDK that runs this. */
    public static void main(String[] args) throws Exception {
        for (String arg : args) {
            if (arg.equals(\"jdk\")) {
                Path modules = FileSystems.getFileSystem(URI.create(\"jrt:/\")).getPath(\"/modules\");
                try (Stream<Path> all = Files.walk(modules)) {
                    System.out.println(all.map(Path::toString).filter(Count::isClass).count());
                }
            } else {
                File file = new File(arg);
                try (JarFile jar = new JarFile(file, true, ZipFile.OPEN_READ, Runtime.version())) {
                    System.out.println(
                        jar.versionedStream().map(e -> e.getName()).filter(Count::isClass).count());
                }
            }
        }
    }
    static boolean isClass(String name) {
        return name.endsWith(\".class\") && !name.endsWith(\"module-info.class\");
    }
}";

/// The numbers of classes, from the JVM of this JDK.
fn count(jdk: &Jdk, what: &[&OsStr]) -> Result<Vec<u64>> {
    let classes = javac::compile(&[("Count.java", COUNT)], &["--release", "11"])?;
    let java = Command::new(jdk.tool("java")?)
        .args(["-XX:TieredStopAtLevel=1", "-cp"])
        .arg(classes)
        .arg("Count")
        .args(what)
        .output()
        .context("cannot run java")?;
    if !java.status.success() {
        bail!("java failed:\n{}", String::from_utf8_lossy(&java.stderr));
    }
    let text = String::from_utf8(java.stdout)?;
    text.lines().map(|line| line.parse().context("a number")).collect()
}

/// What `jury dump --stats` counts in this path.
struct Stats {
    classes: u64,
    bodies: u64,
}

/// Fails if anything could not be read or lowered.
fn stats(path: &Path) -> Result<Stats> {
    let home = jdk_home()?;
    let options = ["dump", "--stats", "--format", "json", "--jdk"].map(OsStr::new);
    let ran = jury(options.into_iter().chain([home.as_os_str(), path.as_os_str()]))?;
    ensure!(ran.code == Some(0), "exit code {:?}: {}", ran.code, ran.stderr);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout)?;
    ensure!(json["failures"] == 0, "failures: {}", json["failed"]);
    ensure!(ran.stderr.is_empty(), "on standard error: {}", ran.stderr);
    for key in ["methods", "seconds", "peak_mib"] {
        ensure!(json[key].is_number(), "no {key}");
    }
    let number = |key: &str| json[key].as_u64().with_context(|| format!("no {key}"));
    Ok(Stats { classes: number("classes")?, bodies: number("bodies")? })
}

#[test]
fn pinned_jars() -> Result<()> {
    let jars = jars::all("test")?;
    let paths: Vec<&OsStr> = jars.iter().map(|(_, path)| path.as_os_str()).collect();
    let counts = count(jdk::current()?, &paths)?;
    ensure!(counts.len() == jars.len(), "one count for each jar");
    for ((coordinates, path), expected) in jars.iter().zip(counts) {
        let stats = stats(path).with_context(|| coordinates.clone())?;
        assert_eq!(stats.classes, expected, "classes of {coordinates}");
        assert!(stats.bodies > 0, "bodies of {coordinates}");
    }
    Ok(())
}

/// The layouts in which programs carry their libraries.
#[test]
fn fat_jar_and_war() -> Result<()> {
    let classes = javac::compile(
        &[(
            "app/Main.java",
            "package app; public class Main { interface I {} static void main() {} }",
        )],
        &[],
    )?;
    let libraries = ["commons-dbcp:commons-dbcp:1.2", "log4j:log4j:1.2.13"];
    let libraries: Vec<PathBuf> = libraries.into_iter().map(jars::jar).collect::<Result<_>>()?;
    let paths: Vec<&OsStr> = libraries.iter().map(|path| path.as_os_str()).collect();
    let inside: u64 = count(jdk::current()?, &paths)?.iter().sum();
    let directory = scratch("fat-jar")?;
    for (name, root) in [("app.jar", "BOOT-INF"), ("app.war", "WEB-INF")] {
        let manifest = b"Manifest-Version: 1.0\r\nStart-Class: app.Main\r\n\r\n";
        let mut entries = vec![Entry::stored("META-INF/MANIFEST.MF", manifest)];
        for class in ["app/Main", "app/Main$I"] {
            let bytes = std::fs::read(classes.join(format!("{class}.class")))?;
            entries.push(Entry::stored(format!("{root}/classes/{class}.class"), &bytes));
        }
        for library in &libraries {
            let file = library.file_name().context("a jar has a name")?.to_string_lossy();
            let bytes = std::fs::read(library)?;
            entries.push(Entry::stored(format!("{root}/lib/{file}"), &bytes));
        }
        let path = directory.join(name);
        std::fs::write(&path, zip(&entries))?;
        let stats = stats(&path).with_context(|| name)?;
        assert_eq!(stats.classes, inside + 2, "classes of {name}");
    }
    Ok(())
}

/// The current JDK, and those that `JURY_JDKS` names.
#[test]
fn jdks() -> Result<()> {
    for jdk in jdk::all()? {
        let stats = stats(&jdk.home).with_context(|| jdk.version.clone())?;
        // Before 9 there was no image, and no one answer to what belongs to the JDK.
        if jdk.feature >= 11 {
            assert_eq!(
                [stats.classes],
                count(&jdk, &[OsStr::new("jdk")])?[..],
                "JDK {}",
                jdk.version
            );
        }
        assert!(stats.bodies > 50_000, "bodies of JDK {}", jdk.version);
    }
    Ok(())
}
