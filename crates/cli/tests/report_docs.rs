//! `docs/report.md` against the JSON that is really written: every field and every value is
//! documented, and what is documented exists.

mod samples;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cli::render::json::render_json;
use samples::samples;
use serde_json::Value;

fn documentation() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.md");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// First column of the tables of fields, where paths stand in backquotes: `findings[].rule`.
fn documented_paths(text: &str) -> BTreeSet<String> {
    let tables = text.split("\n\n").filter(|block| block.starts_with("| field | content |"));
    let rows = tables.flat_map(str::lines).filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split_once('`')).map(|(path, _)| path.to_owned()).collect()
}

fn written_paths() -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for (_, report) in samples() {
        let json: Value = serde_json::from_str(&render_json(&report, true)).unwrap();
        collect_paths(&json, "", &mut paths);
    }
    paths
}

fn collect_paths(value: &Value, path: &str, paths: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                paths.insert(path.clone());
                collect_paths(value, &path, paths);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect_paths(item, &format!("{path}[]"), paths);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Statistics are named by the engines and come with `--stats` only.
fn is_statistic(path: &str) -> bool {
    matches!(path, "summary.seconds" | "summary.solver_queries")
}

#[test]
fn every_field_is_documented_and_exists() {
    let written: BTreeSet<_> =
        written_paths().into_iter().filter(|path| !is_statistic(path)).collect();
    assert_eq!(documented_paths(&documentation()), written);
}

#[test]
fn every_word_is_documented() {
    let text = documentation();
    let words = "violated possible unknown holds error warning note public package forced reproduced refuted \
        inconclusive not-run nan negative-zero null extreme field-write unsupported budget approximation solver \
        not-replayed internal hashed-not-compared compared-more-loosely-than-hashed no-hash-code other \
        monitor juc juc-read juc-write class-init class static-field this field parameter allocation \
        literal pair two-instances longer wait new gone unchanged type-compatible type-incompatible hybrid \
        equals diff locks jury/1";
    for word in words.split_whitespace() {
        assert!(text.contains(&format!("`{word}`")), "{word}");
    }
}

#[test]
fn every_rule_is_listed() {
    let text = documentation();
    for rule in checks::RULES {
        assert!(text.contains(&format!("`{}`", rule.name)), "{}", rule.name);
    }
}

#[test]
fn fields_come_in_the_documented_order() {
    let (_, report) = &samples()[3];
    let json: Value = serde_json::from_str(&render_json(report, false)).unwrap();
    let names =
        |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(names(&json), "schema command inputs jdk findings problems summary hierarchies");
    assert_eq!(
        names(&json["findings"][0]),
        "rule verdict subject classes level cause notes message scope evidence gaps \
         locks threads containers group pruned change"
    );
    assert_eq!(names(&json["findings"][0]["subject"]), "class method file line");
    let summary =
        "classes methods holds violated possible unknown refuted bounded pruned lock_usage";
    assert_eq!(names(&json["summary"]), summary);
}
