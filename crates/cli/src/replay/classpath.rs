//! Paths of a command line as a class path of a JVM.
//!
//! Jars stand for themselves. Loose class files count by the name inside, wherever they lie, so a JVM
//! finds them only below the right root: the directory given, one above it, or a copy.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use classfile::ClassFile;

use crate::load::JdkHome;
use crate::load::directory::class_files;

/// The class path for these inputs; what lies in the wrong place is copied below `copies`.
pub(crate) fn class_path(paths: &[PathBuf], copies: &Path) -> Result<Vec<PathBuf>> {
    let mut entries: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !path.is_dir() {
            match path.extension().is_some_and(|extension| extension == "class") {
                true => add_loose(std::slice::from_ref(path), copies, &mut entries)?,
                false => push_new(&mut entries, path.clone()),
            }
            continue;
        }
        if JdkHome::at(path).is_some() {
            continue;
        }
        let found = class_files(path);
        add_loose(&found.classes, copies, &mut entries)?;
        for archive in found.archives {
            push_new(&mut entries, archive);
        }
    }
    Ok(entries)
}

fn add_loose(files: &[PathBuf], copies: &Path, entries: &mut Vec<PathBuf>) -> Result<()> {
    let mut roots: BTreeSet<PathBuf> = BTreeSet::new();
    for file in files {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let Ok(class) = ClassFile::parse(bytes.clone().into()) else { continue };
        let name = classfile::mutf8::decode_lossy(class.bytes(class.this_class)).into_owned();
        let relative = format!("{name}.class");
        match root_of(file, &relative) {
            Some(root) => {
                roots.insert(root);
            }
            None => {
                let copy = copies.join(&relative);
                let is_inside = !relative.split('/').any(|part| matches!(part, ".." | "." | ""));
                if let (true, Some(parent)) = (is_inside, copy.parent()) {
                    std::fs::create_dir_all(parent)?;
                    std::fs::write(&copy, bytes)?;
                    roots.insert(copies.to_owned());
                }
            }
        }
    }
    for root in roots {
        push_new(entries, root);
    }
    Ok(())
}

/// The directory below which the file has this path.
fn root_of(file: &Path, relative: &str) -> Option<PathBuf> {
    let file = file.canonicalize().ok()?;
    file.ends_with(relative).then(|| {
        let depth = Path::new(relative).components().count();
        file.ancestors().nth(depth).map(Path::to_owned)
    })?
}

fn push_new(entries: &mut Vec<PathBuf>, path: PathBuf) {
    if !entries.contains(&path) {
        entries.push(path);
    }
}
