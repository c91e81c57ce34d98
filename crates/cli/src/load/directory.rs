//! The class files and archives below a directory.

use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) classes: Vec<PathBuf>,
    pub(crate) archives: Vec<PathBuf>,
    /// Files that name the providers of services, and descriptors of modules.
    pub(crate) services: Vec<PathBuf>,
    pub(crate) problems: Vec<(PathBuf, String)>,
}

/// Directories nested deeper than any package are a link that leads back up.
const MAX_DEPTH: usize = 64;

/// Everything below `root`, in the order of the paths, so that ids do not depend on the disk.
pub(crate) fn class_files(root: &Path) -> Found {
    let mut found = Found::default();
    walk(root, 0, &mut found);
    found
}

fn walk(directory: &Path, depth: usize, found: &mut Found) {
    if depth > MAX_DEPTH {
        found.problems.push((directory.to_owned(), "nested more than 64 deep; skipped".to_owned()));
        return;
    }
    let entries = std::fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut paths: Vec<PathBuf> = match entries {
        Ok(entries) => entries.iter().map(std::fs::DirEntry::path).collect(),
        Err(error) => {
            found.problems.push((directory.to_owned(), error.to_string()));
            return;
        }
    };
    paths.sort();
    for path in paths {
        if path.is_dir() {
            walk(&path, depth + 1, found);
            continue;
        }
        if path.parent().is_some_and(|it| it.ends_with("META-INF/services")) {
            found.services.push(path);
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("class") if path.file_stem().is_none_or(|stem| stem != "module-info") => {
                found.classes.push(path);
            }
            Some("class") => found.services.push(path),
            Some("jar" | "war" | "ear" | "jmod") => found.archives.push(path),
            Some(_) | None => {}
        }
    }
}
