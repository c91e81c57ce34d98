//! Reports against golden files under `tests/golden/reports`; `UPDATE_GOLDEN=1` rewrites them.

mod samples;

use std::fs;
use std::path::PathBuf;

use checks::Report;
use cli::render::explain::{render_rule, render_rules};
use cli::render::json::render_json;
use cli::render::sarif::render_sarif;
use cli::render::text::render_text;
use cli::render::{Style, sanitize};
use samples::samples;

const COLOURED: Style = Style { width: 80, colour: true };

/// Every rendering of a report, by the ending of its golden file.
fn renderings(report: &Report) -> Vec<(&'static str, String)> {
    vec![
        ("txt", render_text(report, Style::PLAIN, false)),
        ("all.txt", render_text(report, Style::PLAIN, true)),
        ("ansi", render_text(report, COLOURED, false)),
        ("json", render_json(report, false)),
        ("all.json", render_json(report, true)),
        ("sarif", render_sarif(report, false)),
        ("all.sarif", render_sarif(report, true)),
    ]
}

/// One colour rendering shows them all, and `--all` matters where something is left out without it.
fn is_golden(name: &str, ending: &str) -> bool {
    match ending {
        "ansi" => name == "equals",
        "all.txt" | "all.json" => matches!(name, "diff" | "locks"),
        "all.sarif" => name == "locks",
        _ => true,
    }
}

#[test]
fn reports_are_as_recorded() {
    for (name, report) in samples() {
        for (ending, rendered) in renderings(&report).into_iter().filter(|it| is_golden(name, it.0))
        {
            assert_golden(&format!("{name}.{ending}"), &rendered);
        }
    }
}

#[test]
fn explanations_are_as_recorded() {
    assert_golden("explain.txt", &render_rules(Style::PLAIN));
    let rule = checks::Rule::named("equals-symmetric").unwrap();
    assert_golden("explain-equals-symmetric.txt", &render_rule(rule, Style::PLAIN));
}

#[test]
fn rendering_again_gives_the_same_bytes() {
    for ((_, first), (_, second)) in samples().into_iter().zip(samples()) {
        let once = renderings(&first);
        assert_eq!(once, renderings(&first));
        assert_eq!(once, renderings(&second));
    }
}

#[test]
fn nothing_hostile_leaves_any_format() {
    for (name, report) in samples() {
        for (ending, rendered) in
            renderings(&report).into_iter().filter(|(ending, _)| *ending != "ansi")
        {
            let escaped = rendered.chars().find(|&c| sanitize::is_hostile(c) && c != '\n');
            assert_eq!(escaped, None, "{name}.{ending}");
        }
    }
}

#[test]
fn colour_changes_nothing_but_colour() {
    for (name, report) in samples() {
        let coloured = render_text(&report, COLOURED, true);
        assert_eq!(without_colour(&coloured), render_text(&report, Style::PLAIN, true), "{name}");
    }
}

#[test]
fn a_forged_line_stays_in_its_line() {
    let (_, hostile) = samples().pop().unwrap();
    let text = render_text(&hostile, Style::PLAIN, true);
    assert_eq!(text.lines().filter(|line| line.starts_with("violated")).count(), 1, "{text}");
}

#[test]
fn the_true_names_come_back_from_json() {
    let (_, hostile) = samples().pop().unwrap();
    let json: serde_json::Value = serde_json::from_str(&render_json(&hostile, true)).unwrap();
    let class = json["findings"][0]["subject"]["class"].as_str();
    assert_eq!(class, hostile.findings()[0].subject.class.as_deref());
}

fn without_colour(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}

fn assert_golden(file: &str, actual: &str) {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/reports").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        return fs::write(&path, actual).unwrap();
    }
    let expected = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 writes it", path.display()));
    assert!(expected == actual, "{file} differs; UPDATE_GOLDEN=1 rewrites it\n\n{actual}");
}
