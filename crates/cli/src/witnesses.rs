//! Witnesses as files.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use checks::equality::Settled;
use checks::witness::java::{Form, render_file};
use checks::{Finding, equivalence};
use program::Program;

use crate::args::{WitnessForm, Witnesses};

/// Writes each witness as a Java file, if that is wanted.
pub(crate) fn write_witnesses(
    program: &Program,
    args: &Witnesses,
    settled: &[Settled],
) -> Result<()> {
    let Some(directory) = wanted_directory(args)? else { return Ok(()) };
    for settled in settled {
        let Some(witness) = &settled.witness else { continue };
        let form = match args.witness {
            WitnessForm::Main => Form::Main,
            WitnessForm::Junit => Form::Junit(settled.property.assertion()),
        };
        let name = class_name(&settled.finding);
        let finding = &settled.finding;
        let about = about(finding);
        let text = render_file(program, witness, &name, &about, form);
        write_class(directory, &name, &text)?;
    }
    Ok(())
}

/// Writes the call of each violation as a Java file, if that is wanted: for either version's jar.
pub(crate) fn write_trials(
    program: &Program,
    args: &Witnesses,
    settled: &[equivalence::Settled],
) -> Result<()> {
    let Some(directory) = wanted_directory(args)? else { return Ok(()) };
    let form = match args.witness {
        WitnessForm::Main => Form::Main,
        WitnessForm::Junit => Form::Junit(None),
    };
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for settled in settled {
        let Some(trial) = &settled.trial else { continue };
        let finding = &settled.finding;
        let mut name = class_name(finding);
        let method = finding.subject.method.as_deref().unwrap_or_default();
        name += &format!("_{}", plain(method.split('(').next().unwrap_or_default()));
        // Overloaded methods are told apart by a number.
        let number = taken.entry(name.clone()).or_default();
        *number += 1;
        if *number > 1 {
            name += &format!("_{number}");
        }
        let mut about = about(finding);
        about.extend(finding.verdict.evidence().into_iter().flat_map(|it| it.observed.clone()));
        let Some(text) = equivalence::source(program, trial, (&name, &about, form)) else {
            continue;
        };
        write_class(directory, &name, &text)?;
    }
    Ok(())
}

/// Where the files go, if they are wanted.
fn wanted_directory(args: &Witnesses) -> Result<Option<&Path>> {
    let Some(directory) = &args.witness_dir else { return Ok(None) };
    std::fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    Ok(Some(directory))
}

fn write_class(directory: &Path, name: &str, text: &str) -> Result<()> {
    let path = directory.join(format!("{name}.java"));
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// What a file says of itself.
fn about(finding: &Finding) -> Vec<String> {
    vec![format!("{} {}", finding.verdict.word(), finding.rule.name), finding.message.clone()]
}

/// `EqualsSymmetric_com_acme_Point`.
fn class_name(finding: &Finding) -> String {
    let rule: String = finding.rule.name.split('-').map(capital).collect();
    format!("{rule}_{}", plain(finding.subject.class.as_deref().unwrap_or("all")))
}

fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
