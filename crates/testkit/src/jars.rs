//! Pinned jars by their Maven coordinates, as listed in `tests/jars.lock`.
//!
//! `scripts/fetch-jars` does the fetching and the checksums; a jar is in `target/jars/` only once it
//! was verified, so a file that is there is taken as it is.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};

/// The path of a jar, fetched now if it was never fetched before.
/// `coordinates` are `group:artifact:version[:classifier]`.
pub fn jar(coordinates: &str) -> Result<PathBuf> {
    let line = read_lock()?.into_iter().find(|known| known.coordinates == coordinates);
    let Some(line) = line else {
        bail!(
            "{coordinates} is not in tests/jars.lock; add it: scripts/fetch-jars --lock {coordinates}"
        );
    };
    let path = line.path();
    if !path.is_file() {
        fetch()?;
    }
    if !path.is_file() {
        bail!("scripts/fetch-jars ended well, but {} is missing", path.display());
    }
    Ok(path)
}

/// All jars of a set (`test`, `bench`) in the order of the lock file, with their coordinates.
pub fn all(set: &str) -> Result<Vec<(String, PathBuf)>> {
    let lines = read_lock()?.into_iter().filter(|line| line.sets.iter().any(|name| name == set));
    lines.map(|line| Ok((line.coordinates.clone(), jar(&line.coordinates)?))).collect()
}

struct LockLine {
    coordinates: String,
    sets: Vec<String>,
}

impl LockLine {
    fn path(&self) -> PathBuf {
        let name = self.coordinates.split(':').skip(1).collect::<Vec<_>>().join("-");
        crate::workspace_root().join("target/jars").join(name + ".jar")
    }
}

fn read_lock() -> Result<Vec<LockLine>> {
    let path = crate::workspace_root().join("tests/jars.lock");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines
        .filter(|line| !line.is_empty())
        .map(|line| match *line.split_whitespace().collect::<Vec<_>>() {
            [coordinates, _, sets] => Ok(LockLine {
                coordinates: coordinates.to_owned(),
                sets: sets.split(',').map(str::to_owned).collect(),
            }),
            _ => bail!("tests/jars.lock: odd line '{line}'"),
        })
        .collect()
}

fn fetch() -> Result<()> {
    // One fetch at a time in this process; the script itself waits for other processes.
    static FETCHING: Mutex<()> = Mutex::new(());
    let _guard = FETCHING.lock();
    let script = crate::workspace_root().join("scripts/fetch-jars");
    let output = Command::new("python3")
        .arg(&script)
        .output()
        .context("cannot run python3: install Python 3.9 or later")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim_end());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_jar_is_a_zip_file() -> Result<()> {
        let bytes = std::fs::read(jar("commons-dbcp:commons-dbcp:1.2")?)?;
        assert!(bytes.starts_with(b"PK\x03\x04"));
        Ok(())
    }

    #[test]
    fn an_unknown_jar_says_how_to_add_it() {
        let error = jar("no.such:thing:1").expect_err("not pinned");
        assert!(error.to_string().contains("scripts/fetch-jars --lock no.such:thing:1"));
    }

    #[test]
    fn sets_select_lines() -> Result<()> {
        let bench = all("bench")?;
        assert!(bench.iter().any(|(coordinates, _)| coordinates.starts_with("org.ow2.asm:asm:")));
        assert!(bench.len() < all("test")?.len());
        Ok(())
    }
}
