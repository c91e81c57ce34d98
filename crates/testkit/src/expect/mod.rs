//! Expectations written as comments in Java fixtures, and their two-way comparison with what a run
//! found: a verdict that is not listed fails, a mark that is not met fails, all at once and readable.
//!
//! Where a mark belongs:
//! - on the head of a method: the finding is about a line inside it (or names it, if it has no lines);
//! - on the head of a type: the finding is about the class and no line of a method in it;
//! - before the first type: anywhere in the file;
//! - elsewhere: exactly that line.
//!
//! This knows neither rules nor reports beyond the documented JSON; who runs the checks is up to the
//! test.

mod marks;
mod matching;
mod outline;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

pub use marks::head_directives;
pub use matching::{Mismatches, Summary};

/// The kind of a verdict, as marks name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Violated,
    Possible,
    Unknown,
}

impl Verdict {
    /// In the capitals of marks or the small letters of reports.
    pub fn parse(text: &str) -> Result<Verdict> {
        Ok(match text {
            "HOLDS" | "holds" => Verdict::Holds,
            "VIOLATED" | "violated" => Verdict::Violated,
            "POSSIBLE" | "possible" => Verdict::Possible,
            "UNKNOWN" | "unknown" => Verdict::Unknown,
            _ => bail!("'{text}' is no verdict (HOLDS, VIOLATED, POSSIBLE, UNKNOWN)"),
        })
    }

    fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "HOLDS",
            Verdict::Violated => "VIOLATED",
            Verdict::Possible => "POSSIBLE",
            Verdict::Unknown => "UNKNOWN",
        }
    }
}

/// A place that a finding speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The name of the source file without directories, as in a SourceFile attribute.
    pub file: String,
    pub line: Option<u32>,
    /// The binary name: `p.Outer$Inner`.
    pub class: String,
    /// Its name, with or without a descriptor.
    pub method: Option<String>,
}

/// One verdict that a run gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    pub rule: String,
    pub verdict: Verdict,
    /// The subject first. Further places matter only for tagged marks (`#1`), which must name all.
    pub places: Vec<Place>,
    /// Kind and detail of each gap.
    pub gaps: Vec<(String, String)>,
}

/// The findings of a JSON report (schema `jury/1`), each with its subject as the only place.
pub fn observed(report: &serde_json::Value) -> Result<Vec<Observed>> {
    let findings = report["findings"].as_array().context("the report has no findings array")?;
    findings
        .iter()
        .map(|finding| parse_finding(finding).with_context(|| format!("in finding {finding}")))
        .collect()
}

fn parse_finding(finding: &serde_json::Value) -> Result<Observed> {
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let subject = &finding["subject"];
    let gaps = finding["gaps"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(Observed {
        rule: text(&finding["rule"]).context("no rule")?,
        verdict: Verdict::parse(finding["verdict"].as_str().context("no verdict")?)?,
        places: vec![Place {
            file: text(&subject["file"]).unwrap_or_default(),
            line: subject["line"].as_u64().and_then(|line| line.try_into().ok()),
            class: text(&subject["class"]).unwrap_or_default(),
            method: text(&subject["method"]),
        }],
        gaps: gaps
            .iter()
            .map(|gap| {
                Ok((
                    text(&gap["kind"]).context("no kind")?,
                    text(&gap["detail"]).unwrap_or_default(),
                ))
            })
            .collect::<Result<_>>()?,
    })
}

/// What the sources of one fixture expect.
#[derive(Debug, Default)]
pub struct Expectations {
    files: Vec<ExpectedFile>,
    directives: BTreeMap<String, String>,
}

#[derive(Debug)]
struct ExpectedFile {
    name: String,
    lines: Vec<String>,
    marks: Vec<marks::Mark>,
    outline: Vec<outline::Declaration>,
}

impl Expectations {
    /// Reads the sources of a fixture.
    pub fn read<P: AsRef<Path>>(sources: &[P]) -> Result<Expectations> {
        let mut expectations = Expectations::default();
        for path in sources.iter().map(AsRef::as_ref) {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            expectations.add(&name, &text)?;
        }
        Ok(expectations)
    }

    /// Adds a source; `name` is the file's name without directories.
    pub fn add(&mut self, name: &str, text: &str) -> Result<()> {
        for (key, value) in head_directives(text).with_context(|| format!("in {name}"))? {
            if let Some(other) = self.directives.insert(key.clone(), value.clone())
                && other != value
            {
                bail!(
                    "{name}: directive '{key}: {value}' contradicts '{key}: {other}' of another file"
                );
            }
        }
        self.files.push(ExpectedFile {
            name: name.to_owned(),
            lines: text.lines().map(str::to_owned).collect(),
            marks: marks::parse_marks(text).with_context(|| format!("in {name}"))?,
            outline: outline::outline(text),
        });
        Ok(())
    }

    /// The value of a head directive: `check`, `budget`, ...
    pub fn directive(&self, key: &str) -> Option<&str> {
        self.directives.get(key).map(String::as_str)
    }

    /// Whether any verdict is expected at all; a fixture without marks tests nothing.
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|file| file.marks.is_empty())
    }

    /// Compares both ways. The summary lists verdicts that are asserted though known to be wrong.
    pub fn check(&self, observed: &[Observed]) -> std::result::Result<Summary, Mismatches> {
        matching::check(&self.files, observed)
    }
}
