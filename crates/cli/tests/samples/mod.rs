//! Reports built by hand, one per kind of content, for the tests of the renderers.
//!
//! The renderers must show whatever an engine may hand in, so these cover every verdict, gap kind and
//! field rather than what some engine happens to say today.

mod equals;
mod hostile;
mod locks;

use checks::{Construction, Evidence, Finding, Replay, Report, Rule, Subject, Verdict};

/// The samples by the name of their golden files.
pub(crate) fn samples() -> Vec<(&'static str, Report)> {
    vec![
        ("equals", equals::violated()),
        ("doubtful", equals::doubtful()),
        ("diff", equals::diff()),
        ("locks", locks::three_cycle()),
        ("hostile", hostile::names_and_problems()),
    ]
}

fn finding(rule: &str, subject: Subject, verdict: Verdict, message: &str) -> Finding {
    Finding::new(Rule::named(rule).unwrap(), verdict, subject, message)
}

fn at(class: &str, method: &str, file: &str, line: u32) -> Subject {
    Subject {
        class: Some(class.to_owned()),
        method: Some(method.to_owned()),
        file: Some(file.to_owned()),
        line: Some(line),
    }
}

fn evidence(
    construction: Construction,
    replay: Replay,
    witness: &str,
    observed: &[&str],
) -> Evidence {
    Evidence {
        construction,
        replay,
        needs: Default::default(),
        witness: witness.to_owned(),
        observed: strings(observed),
        drawing: None,
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}
