//! The figures of a conformance run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::compare::same;

const SHOWN_REASONS: usize = 25;
const SHOWN_CHARACTERS: usize = 300;
/// How the reason of a gap begins where a loop turned too often.
const BEYOND_THE_BOUND: &str = "beyond the bound: ";
/// How it begins where the engine contradicts itself.
const WRONG: &str = "internal: ";

#[derive(Default)]
pub(crate) struct Report {
    methods: BTreeSet<String>,
    with_gaps: BTreeSet<String>,
    /// Methods with a gap that is not only a loop or a recursion beyond the bound.
    inexact: BTreeSet<String>,
    /// Methods with an answer.
    answered: BTreeSet<String>,
    inputs: usize,
    agree: usize,
    gaps: usize,
    /// By reason.
    excluded: BTreeMap<String, usize>,
    /// The methods that gave a gap for this reason.
    reasons: BTreeMap<String, BTreeSet<String>>,
    pub(crate) disagreements: Vec<String>,
}

impl Report {
    pub(crate) fn new(jvm: &str, engine: &str, class_path: &[String]) -> Result<Report> {
        let mut report = Report::default();
        let (mut ours, mut theirs) = (engine.lines(), jvm.lines());
        loop {
            match (theirs.next(), ours.next()) {
                (Some(jvm), Some(engine)) => report.add(jvm, engine, class_path)?,
                (None, None) => return Ok(report),
                (_, _) => anyhow::bail!("not one answer for each call"),
            }
        }
    }

    fn add(&mut self, jvm: &str, engine: &str, class_path: &[String]) -> Result<()> {
        let jvm: Value = serde_json::from_str(jvm).context("the JVM's line")?;
        let engine: Value = serde_json::from_str(engine).context("the engine's line")?;
        let call = text(&jvm, "call");
        ensure!(call == text(&engine, "call"), "the lines are about different calls");
        let (method, arguments) = call.split_once(' ').unwrap_or((call, ""));
        self.methods.insert(method.to_owned());
        self.inputs += 1;
        if text(&jvm, "outcome") == "excluded" {
            *self.excluded.entry(text(&jvm, "value").to_owned()).or_default() += 1;
        } else if text(&engine, "outcome") == "gap" {
            self.gaps += 1;
            self.with_gaps.insert(method.to_owned());
            let reason = text(&engine, "value").to_owned();
            if !reason.starts_with(BEYOND_THE_BOUND) {
                self.inexact.insert(method.to_owned());
            }
            if reason.starts_with(WRONG) {
                self.disagreements.push(format!("{call}\n    {reason}"));
            }
            self.reasons.entry(reason).or_default().insert(method.to_owned());
        } else if agree(&jvm, &engine) {
            self.agree += 1;
            self.answered.insert(method.to_owned());
        } else {
            let path: String = class_path.iter().map(|jar| format!("--cp {jar} ")).collect();
            self.disagreements.push(format!(
                "jury eval {path}'{method}' {}\n    JVM:    {}\n    engine: {}",
                quoted(arguments),
                shown(&jvm),
                shown(&engine)
            ));
        }
        Ok(())
    }

    /// The methods that ever give a gap, in a hundred.
    pub(crate) fn gap_share(&self) -> f64 {
        100.0 * self.with_gaps.len() as f64 / self.methods.len().max(1) as f64
    }

    /// The methods that answer, and give gaps only beyond the bound of loops, in a hundred.
    pub(crate) fn exact_share(&self) -> f64 {
        let exact = self.answered.difference(&self.inexact).count();
        100.0 * exact as f64 / self.methods.len().max(1) as f64
    }
}

fn text<'a>(line: &'a Value, key: &str) -> &'a str {
    line[key].as_str().unwrap_or_default()
}

fn agree(jvm: &Value, engine: &Value) -> bool {
    let arrays = |line: &Value| -> Vec<String> {
        let items = line["arrays"].as_array().into_iter().flatten();
        items.map(|item| item.as_str().unwrap_or_default().to_owned()).collect()
    };
    let (left, right) = (arrays(jvm), arrays(engine));
    text(jvm, "outcome") == text(engine, "outcome")
        && same(text(jvm, "value"), text(engine, "value"))
        && left.len() == right.len()
        && left.iter().zip(&right).all(|(a, b)| same(a, b))
}

/// The arguments for a shell: each literal in single quotes.
fn quoted(arguments: &str) -> String {
    let mut words = vec![String::new()];
    let mut quote = None;
    let mut escaped = false;
    for c in arguments.chars() {
        if c == ' ' && quote.is_none() {
            words.push(String::new());
            continue;
        }
        match quote {
            _ if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None => {}
        }
        if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    let words: Vec<String> =
        words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    words.join(" ")
}

fn shown(line: &Value) -> String {
    let whole = format!("{} {} {}", text(line, "outcome"), text(line, "value"), line["arrays"]);
    whole.chars().take(SHOWN_CHARACTERS).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for disagreement in &self.disagreements {
            writeln!(f, "{disagreement}")?;
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, methods)| std::cmp::Reverse(methods.len()));
        writeln!(f, "methods  reason of the gap")?;
        for (reason, methods) in reasons.iter().take(SHOWN_REASONS) {
            writeln!(f, "{:>7}  {reason}", methods.len())?;
        }
        let excluded: Vec<String> =
            self.excluded.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(
            f,
            "methods {}, inputs {}, agree {}, gap {}, disagree {}, excluded {} ({})",
            self.methods.len(),
            self.inputs,
            self.agree,
            self.gaps,
            self.disagreements.len(),
            self.excluded.values().sum::<usize>(),
            excluded.join(", ")
        )?;
        write!(
            f,
            "methods with gaps {} ({:.1} %), without gaps within the bound {:.1} %",
            self.with_gaps.len(),
            self.gap_share(),
            self.exact_share()
        )
    }
}

#[test]
fn a_reproduction_is_quoted_for_a_shell() {
    assert_eq!(quoted(r#"3 "a b" ['x',' ']"#), r#"'3' '"a b"' '['\''x'\'','\'' '\'']'"#);
}
