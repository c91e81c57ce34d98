//! ARCHITECTURE.md names what exists: every crate, every module at the top of a crate, and nothing
//! that is gone.
//!
//! What counts as a name is text in backquotes: a path from the root (`crates/smt/src/term.rs`,
//! `scripts/fetch-jars`), a Rust path that begins with one of our crates (`program::lower`), or, below
//! a heading that names a crate in backquotes, a file or directory of its `src` (`term.rs`, `heap/`), or
//! of a directory that the same list item named before.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use testkit::workspace_root;

use crate::report;
use crate::sources::{crates, entries, sources_of};

#[test]
fn architecture_names_what_exists() {
    let text = std::fs::read_to_string(workspace_root().join("ARCHITECTURE.md"));
    let text = text.unwrap_or_else(|e| panic!("ARCHITECTURE.md: {e}"));
    let (named, mut complaints) = resolve_names(&text);
    for name in crates() {
        if !named.contains(Path::new("crates").join(&name).as_path()) {
            complaints.push(format!("does not name the crate `crates/{name}`"));
        }
        let modules = entries(&workspace_root().join("crates").join(&name).join("src"));
        let modules: BTreeSet<String> = modules.iter().filter_map(|path| module_of(path)).collect();
        for module in modules {
            if !named.iter().any(|path| path.starts_with(format!("crates/{name}/src/{module}"))) {
                complaints.push(format!("does not name the module `{name}::{module}`"));
            }
        }
    }
    report("ARCHITECTURE.md", &complaints);
}

/// The name of a top-level module by its file or directory.
fn module_of(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?.to_owned();
    let source = path.is_dir() || path.extension().is_some_and(|extension| extension == "rs");
    (source && !matches!(name.as_str(), "lib" | "main" | "tests" | "bin")).then_some(name)
}

/// What the page names, without extensions, from the root; and complaints about what is not there.
fn resolve_names(text: &str) -> (BTreeSet<PathBuf>, Vec<String>) {
    let crates = crates();
    let mut named = BTreeSet::new();
    let mut complaints = Vec::new();
    let mut current: Option<String> = None;
    let mut bases: Vec<PathBuf> = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        let names: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        if line.starts_with('#') {
            let heading = names.iter().map(|name| name.trim_start_matches("crates/"));
            current = heading.map(str::to_owned).find(|name| crates.contains(name));
        }
        if line.is_empty() || line.starts_with(['#', '-']) {
            bases = current.iter().map(|name| Path::new("crates").join(name).join("src")).collect();
        }
        for name in names {
            match resolve(name, &crates, &bases) {
                Resolved::Path(path) => {
                    if name.ends_with('/') {
                        bases.push(path.clone());
                    }
                    named.extend(path.ancestors().map(Path::to_path_buf));
                }
                Resolved::Missing => {
                    complaints.push(format!("line {}: `{name}` does not exist", index + 1))
                }
                Resolved::NotAName => {}
            }
        }
    }
    (named, complaints)
}

enum Resolved {
    Path(PathBuf),
    Missing,
    NotAName,
}

/// `bases` are the directories that a bare file name may be in.
fn resolve(name: &str, crates: &[String], bases: &[PathBuf]) -> Resolved {
    const TOP: [&str; 7] =
        ["crates/", "scripts/", "bench/", "tests/", "docs/", "examples/", "fuzz/"];
    let placeholder = name.contains(|c: char| c.is_whitespace() || "<>*{}$()".contains(c));
    if placeholder {
        return Resolved::NotAName;
    }
    if let Some((first, rest)) = name.split_once("::") {
        return match crates.iter().any(|known| known == first) {
            true => resolve_rust_path(first, rest),
            false => Resolved::NotAName,
        };
    }
    if TOP.iter().any(|top| name.starts_with(top)) {
        return existing(Path::new(name));
    }
    if crates.iter().any(|known| known == name) {
        return Resolved::Path(Path::new("crates").join(name));
    }
    if bases.is_empty() || !(name.ends_with(".rs") || name.ends_with('/')) {
        return Resolved::NotAName;
    }
    let found =
        bases.iter().map(|base| base.join(name)).find(|path| workspace_root().join(path).exists());
    found.map_or(Resolved::Missing, |path| Resolved::Path(path.with_extension("")))
}

fn existing(path: &Path) -> Resolved {
    match workspace_root().join(path).exists() {
        true => Resolved::Path(path.with_extension("")),
        false => Resolved::Missing,
    }
}

/// Modules as far as there are files for them; what follows must at least be a word of that crate.
fn resolve_rust_path(name: &str, rest: &str) -> Resolved {
    let mut path = Path::new("crates").join(name).join("src");
    let mut items = Vec::new();
    for part in rest.split("::") {
        let module = path.join(part);
        let file = workspace_root().join(&module);
        match items.is_empty() && (file.is_dir() || file.with_extension("rs").is_file()) {
            true => path = module,
            false => items.push(part),
        }
    }
    let sources = sources_of(name);
    let is_word = |item: &&str| {
        let words = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == *item)
        };
        sources.iter().any(|source| words(&source.text))
    };
    if items.iter().all(is_word) { Resolved::Path(path) } else { Resolved::Missing }
}

#[test]
fn names_resolve_and_ghosts_are_found() {
    let text = "\
# Map
`crates/testkit/src/jdk.rs` `testkit::javac::fixtures` `testkit::gone` `std::fs` `smt::x` `tests/<area>`
## `testkit`
- `expect/`: `marks.rs` in it
  and `outline.rs`
- `golden.rs` `ghost.rs` `marks.rs` `cargo test`
```
`crates/ghost`
```
## Elsewhere
`ghost.rs` `scripts/ghost`
";
    let (named, complaints) = resolve_names(text);
    for module in ["jdk", "javac", "expect/outline", "golden"] {
        assert!(named.contains(&Path::new("crates/testkit/src").join(module)), "{module}");
    }
    let ghosts: Vec<&str> =
        complaints.iter().filter_map(|complaint| complaint.split('`').nth(1)).collect();
    assert_eq!(ghosts, ["testkit::gone", "ghost.rs", "marks.rs", "scripts/ghost"]);
}
