//! Words that must not be in the repository.

use crate::report;
use crate::sources::texts;

/// Split so that this file does not hold them: hosts that a user's own settings decide on.
const HOSTS: &[&str] = &[
    concat!("repo1.", "maven"),
    concat!("repo.", "maven.apache"),
    concat!("py", "pi.org"),
    concat!("python", "hosted"),
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
    concat!("arti", "factory"),
];
/// Directories of one developer's machine.
const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk"), concat!("/ro", "ot")];
const UNDONE: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
const IGNORED: &str = concat!("#[ig", "nore");

#[test]
fn no_hosts_or_paths_of_a_machine() {
    let mut complaints = Vec::new();
    each_line(|at, line| {
        if let Some(host) = HOSTS.iter().find(|host| line.contains(**host)) {
            complaints.push(format!("{at}: names {host}; use the tool's own configuration"));
        }
        if let Some(path) = MACHINE_PATHS.iter().find(|path| has_path(line, path)) {
            complaints.push(format!("{at}: names {path}, a path of one machine"));
        }
    });
    report("forbidden words", &complaints);
}

#[test]
fn nothing_undone_without_an_issue() {
    let mut complaints = Vec::new();
    each_line(|at, line| {
        let undone = UNDONE.iter().find(|word| has_word(line, word));
        let issue =
            line.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if let Some(word) = undone.filter(|_| !issue) {
            complaints.push(format!("{at}: {word} without the number of an issue (#12)"));
        }
    });
    report("left undone", &complaints);
}

#[test]
fn no_test_is_ignored() {
    let mut complaints = Vec::new();
    each_line(|at, line| {
        if line.contains(IGNORED) {
            complaints.push(format!("{at}: run it, or assert what is wrong (WRONG: why)"));
        }
    });
    report("ignored tests", &complaints);
}

fn each_line(mut visit: impl FnMut(String, &str)) {
    for (path, text) in texts() {
        // Cargo writes this one.
        if path.ends_with("Cargo.lock") {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            visit(format!("{path}:{}", index + 1), line);
        }
    }
}

/// The path starts here: not the tail of a longer one, and not the head of a longer name.
fn has_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + path.len()..].chars().next();
        let part =
            |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_-.$}*/".contains(c));
        !part(before) && after.is_none_or(|c| !c.is_alphanumeric() && !"_-.".contains(c))
    })
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[test]
fn paths_are_told_from_parts_of_paths() {
    let path = concat!("/wo", "rk");
    assert!(has_path(&format!("see {path}/main"), path));
    assert!(has_path(&format!("\"{path}\""), path));
    assert!(!has_path(&format!("target{path}/x"), path));
    assert!(!has_path(&format!("{path}shop"), path));
}
