//! The files that tidy looks at.

use std::fs;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use testkit::workspace_root;

/// A Rust source of a crate.
pub(crate) struct Source {
    /// Relative to the root of the repository.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) syntax: syn::File,
}

impl Source {
    /// Its lines that are not in a test module, numbered from 1.
    pub(crate) fn lines_without_tests(&self) -> Vec<(usize, &str)> {
        let tests: Vec<_> = self.syntax.items.iter().filter_map(test_module_lines).collect();
        let lines = self.text.lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.filter(|(number, _)| !tests.iter().any(|range| range.contains(number))).collect()
    }
}

fn test_module_lines(item: &syn::Item) -> Option<std::ops::RangeInclusive<usize>> {
    let syn::Item::Mod(module) = item else { return None };
    let span = module.span();
    is_test_only(&module.attrs).then(|| span.start().line..=span.end().line)
}

/// Whether `#[cfg(test)]` or `#[test]` is among the attributes.
pub(crate) fn is_test_only(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test"))
    })
}

/// The names of the crates under `crates/`.
pub(crate) fn crates() -> Vec<String> {
    let mut names: Vec<String> = entries(&workspace_root().join("crates"))
        .iter()
        .filter(|path| path.join("Cargo.toml").is_file())
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The sources of a crate, without files that hold only tests.
pub(crate) fn sources_of(name: &str) -> Vec<Source> {
    let root = workspace_root();
    let rust = files_below(&root.join("crates").join(name).join("src"));
    let rust = rust.into_iter().filter(|path| {
        let relative = relative(path);
        relative.ends_with(".rs")
            && !relative.ends_with("/tests.rs")
            && !relative.contains("/tests/")
    });
    rust.map(|path| {
        let text = fs::read_to_string(&path).expect("sources are UTF-8");
        let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", relative(&path)));
        Source { path: relative(&path), text, syntax }
    })
    .collect()
}

/// All files of the repository that hold text, without what is built or fetched.
pub(crate) fn texts() -> Vec<(String, String)> {
    let files = files_below(&workspace_root());
    let texts = files
        .into_iter()
        .filter_map(|path| Some((relative(&path), fs::read_to_string(path).ok()?)));
    texts.collect()
}

pub(crate) fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir)
        .map(|dir| dir.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(dir).into_iter().filter(|path| !path.is_symlink()) {
        let name = path.file_name().unwrap_or_default();
        // In a linked work tree `.git` is a file.
        if name == "target" || name == ".git" {
            continue;
        }
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

fn relative(path: &Path) -> String {
    path.strip_prefix(workspace_root()).unwrap_or(path).to_string_lossy().into_owned()
}
