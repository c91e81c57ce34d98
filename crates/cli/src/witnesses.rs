//! Witnesses as files.

use anyhow::{Context, Result};
use checks::equality::Settled;
use checks::witness::java::{Form, render_file};
use program::Program;

use crate::args::{WitnessForm, Witnesses};

/// Writes each witness as a Java file, if that is wanted.
pub(crate) fn write_witnesses(
    program: &Program,
    args: &Witnesses,
    settled: &[Settled],
) -> Result<()> {
    let Some(directory) = &args.witness_dir else { return Ok(()) };
    std::fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    for settled in settled {
        let Some(witness) = &settled.witness else { continue };
        let form = match args.witness {
            WitnessForm::Main => Form::Main,
            WitnessForm::Junit => Form::Junit(settled.property.assertion()),
        };
        let name = file_name(settled);
        let finding = &settled.finding;
        let about =
            [format!("{} {}", finding.verdict.word(), finding.rule.name), finding.message.clone()];
        let text = render_file(program, witness, &name, &about, form);
        let path = directory.join(format!("{name}.java"));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// `EqualsSymmetric_com_acme_Point`.
fn file_name(settled: &Settled) -> String {
    let rule: String = settled.finding.rule.name.split('-').map(capital).collect();
    let class = settled.finding.subject.class.as_deref().unwrap_or("all");
    let class: String =
        class.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("{rule}_{class}")
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
