//! What lies beside the classes of an input, for those that want to know whether it changed.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use classfile::archive::{Archive, Options};

use super::{JdkHome, map_file};

/// A mark of the content of every file that a program may read through its class loader, by path. What
/// describes the jar itself (its manifest, its build, its licence, its signatures) is left out.
pub(crate) fn resources(path: &Path) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    if path.is_dir() {
        walk(path, path, &mut found);
    } else if let Ok(bytes) = map_file(path)
        && let Ok(archive) = Archive::open(bytes, &Options::new(JdkHome::DEFAULT_RELEASE))
    {
        for (path, checksum) in archive.resources() {
            found.insert(String::from_utf8_lossy(path).into_owned(), u64::from(checksum));
        }
    }
    found.retain(|path, _| !describes_jar(path));
    found
}

fn describes_jar(path: &str) -> bool {
    path.starts_with("META-INF/") && !path.starts_with("META-INF/services/")
}

fn walk(root: &Path, directory: &Path, found: &mut BTreeMap<String, u64>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let is_class = path.extension().is_some_and(|extension| extension == "class");
        if path.is_dir() && !path.is_symlink() {
            walk(root, &path, found);
        } else if !is_class
            && let Ok(content) = std::fs::read(&path)
            && let Ok(name) = path.strip_prefix(root)
        {
            let mut hasher = DefaultHasher::new();
            content.hash(&mut hasher);
            found.insert(name.display().to_string(), hasher.finish());
        }
    }
}
