//! The JDKs of this machine.
//!
//! `current` is the one that tests compile with: `JAVA_HOME`, else the home of the `java` on `PATH`.
//! Others are tested only when named in `JURY_JDKS` (homes separated by colons): searching the disk
//! would make results depend on the machine without anyone asking for it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, bail};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    /// 8, 17, 25.
    pub feature: u32,
    /// As in the `release` file: `1.8.0_402`, `17.0.15`.
    pub version: String,
}

const HOW: &str = "install a JDK, 17 or later, and put it on PATH or name it in JAVA_HOME";

/// The JDK that tests compile and run with.
pub fn current() -> Result<&'static Jdk> {
    static CURRENT: OnceLock<std::result::Result<Jdk, String>> = OnceLock::new();
    let found = CURRENT.get_or_init(|| find_current().map_err(|e| format!("{e:#}")));
    found.as_ref().map_err(|message| anyhow!("{message}"))
}

/// The current JDK and those of `JURY_JDKS`, without duplicates, current first.
pub fn all() -> Result<Vec<Jdk>> {
    let mut all = vec![current()?.clone()];
    let named = std::env::var_os("JURY_JDKS").unwrap_or_default();
    for home in std::env::split_paths(&named).filter(|home| !home.as_os_str().is_empty()) {
        let jdk = Jdk::at(&home).context("in JURY_JDKS")?;
        if !all.iter().any(|known| known.home == jdk.home) {
            all.push(jdk);
        }
    }
    Ok(all)
}

impl Jdk {
    /// The JDK whose home is this directory.
    pub fn at(home: &Path) -> Result<Jdk> {
        let home = home.canonicalize().with_context(|| format!("no JDK at {}", home.display()))?;
        let release = home.join("release");
        let text = std::fs::read_to_string(&release).with_context(|| {
            format!("{} is not a JDK home: cannot read {}", home.display(), release.display())
        })?;
        let version = text
            .lines()
            .find_map(|line| line.strip_prefix("JAVA_VERSION="))
            .with_context(|| format!("no JAVA_VERSION in {}", release.display()))?
            .trim_matches('"')
            .to_owned();
        let feature = feature_of(&version).with_context(|| format!("odd version '{version}'"))?;
        Ok(Jdk { home, feature, version })
    }

    /// The path of one of its programs: `java`, `javac`, `javap`.
    pub fn tool(&self, name: &str) -> Result<PathBuf> {
        let path = self.home.join("bin").join(name);
        if !path.is_file() {
            bail!("{} is missing (only a runtime is installed?): {HOW}", path.display());
        }
        Ok(path)
    }
}

fn find_current() -> Result<Jdk> {
    if let Some(home) = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        return Jdk::at(Path::new(&home)).context("JAVA_HOME does not name a JDK");
    }
    // Asked rather than guessed from the path: `java` may be a stub that finds the real one.
    let output = Command::new("java")
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .map_err(|e| anyhow!("cannot run java ({e}): {HOW}"))?;
    let settings = String::from_utf8_lossy(&output.stderr);
    let home = settings
        .lines()
        .find_map(|line| line.trim().strip_prefix("java.home = "))
        .with_context(|| format!("java does not tell its home: {HOW}"))?;
    let home = Path::new(home);
    // A JDK 8 answers with the home of its inner runtime.
    Jdk::at(if home.ends_with("jre") { home.parent().unwrap_or(home) } else { home })
}

fn feature_of(version: &str) -> Option<u32> {
    let rest = version.strip_prefix("1.").unwrap_or(version);
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feature_versions() {
        assert_eq!(feature_of("1.8.0_402"), Some(8));
        assert_eq!(feature_of("17.0.15"), Some(17));
        assert_eq!(feature_of("25"), Some(25));
        assert_eq!(feature_of("26-ea"), Some(26));
        assert_eq!(feature_of("odd"), None);
    }

    #[test]
    fn the_current_jdk_has_its_tools() -> Result<()> {
        let jdk = current()?;
        assert!(jdk.feature >= 17, "tests need a JDK 17 or later, found {}", jdk.version);
        for tool in ["java", "javac", "javap"] {
            jdk.tool(tool)?;
        }
        assert!(all()?.contains(jdk));
        Ok(())
    }

    #[test]
    fn a_directory_that_is_no_jdk_is_refused() {
        let error = Jdk::at(&crate::workspace_root()).expect_err("no JDK there");
        assert!(format!("{error:#}").contains("is not a JDK home"), "{error:#}");
    }
}
