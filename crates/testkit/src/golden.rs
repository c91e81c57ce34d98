//! Golden files: text that a test produced, compared with the file that holds what it should be.
//!
//! `UPDATE_GOLDEN=1 cargo test` rewrites them; look at the diff before you commit it. What differs from
//! run to run or machine to machine (paths, times) is normalised by the caller, who knows it.

use std::path::Path;

use anyhow::{Context, Result, bail};
use similar::TextDiff;

/// Compares with a golden file; `path` is relative to the root of the repository.
pub fn check(path: impl AsRef<Path>, actual: &str) -> Result<()> {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    check_at(&crate::workspace_root().join(path), actual, update)
}

fn check_at(path: &Path, actual: &str, update: bool) -> Result<()> {
    let expected = match std::fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    if expected.as_deref() == Some(actual) {
        return Ok(());
    }
    if update {
        let parent = path.parent().context("a golden file has a directory")?;
        std::fs::create_dir_all(parent)?;
        std::fs::write(path, actual)?;
        return Ok(());
    }
    let how = "UPDATE_GOLDEN=1 cargo test rewrites it";
    let Some(expected) = expected else {
        bail!("{} does not exist; {how}. It would hold:\n{actual}", path.display());
    };
    bail!("{} differs; {how}\n{}", path.display(), diff(&expected, actual));
}

/// A unified diff with three lines of context, cut where nobody reads on.
fn diff(expected: &str, actual: &str) -> String {
    const MAX_LINES: usize = 120;
    let text_diff = TextDiff::from_lines(expected, actual);
    let text = text_diff.unified_diff().context_radius(3).header("expected", "actual").to_string();
    let n_lines = text.lines().count();
    if n_lines <= MAX_LINES {
        return text;
    }
    let head: Vec<&str> = text.lines().take(MAX_LINES).collect();
    format!("{}\n... {} more lines\n", head.join("\n"), n_lines - MAX_LINES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn life_of_a_golden_file() -> Result<()> {
        let dir =
            crate::workspace_root().join(format!("target/golden-test-{}", std::process::id()));
        let path = dir.join("report.txt");
        let missing = check_at(&path, "a\nb\n", false).expect_err("not there yet");
        assert!(missing.to_string().contains("does not exist"));
        check_at(&path, "a\nb\n", true)?;
        check_at(&path, "a\nb\n", false)?;
        let changed = check_at(&path, "a\nc\n", false).expect_err("differs");
        assert!(changed.to_string().contains("-b\n+c\n"), "{changed}");
        check_at(&path, "a\nc\n", true)?;
        check_at(&path, "a\nc\n", false)?;
        std::fs::remove_dir_all(&dir)?;
        Ok(())
    }

    #[test]
    fn a_long_diff_is_cut() {
        let actual: String = (0..1000).map(|i| format!("line {i}\n")).collect();
        let text = diff("", &actual);
        assert!(text.lines().count() < 130);
        assert!(text.ends_with("more lines\n"));
    }
}
