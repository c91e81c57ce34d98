//! One finding as a block: a head that can be searched for, the sentence, the witness, the limits.

use checks::{Cause, Command, Construction, Evidence, Finding, Gap, Need, Scope, Verdict};

use super::cycle;
use crate::render::page::{Ink, Page};
use crate::render::{place, words};

/// Longer witnesses are cut here; the whole one is in the file that `--witness-dir` writes.
const WITNESS_LINES: usize = 40;

pub(super) fn render_finding(page: &mut Page, finding: &Finding) {
    render_head(page, finding);
    page.paragraph(2, 0, Ink::Plain, &finding.message);
    if let Some(cycle) = &finding.cycle {
        cycle::render_cycle(page, cycle);
    }
    if let Some(evidence) = finding.verdict.evidence() {
        render_evidence(page, evidence);
    }
    if finding.is_current() {
        render_grounds(page, finding);
    }
    render_remarks(page, finding);
}

fn render_head(page: &mut Page, finding: &Finding) {
    let subject = place::readable(&finding.subject);
    let location =
        place::location(&finding.subject).map(|at| format!(" ({at})")).unwrap_or_default();
    let (word, ink) = head_word(finding);
    let head = [(ink, word), (Ink::Plain, " "), (Ink::Strong, finding.rule.name)];
    let place = [(Ink::Plain, subject.as_str()), (Ink::Faint, location.as_str())];
    let whole = [&head[..], &[(Ink::Plain, "  ")], &place[..]].concat();
    if page.fits(0, &whole) {
        page.line(0, &whole);
    } else {
        page.line(0, &head);
        page.line(2, &[&[(Ink::Plain, "at ")], &place[..]].concat());
    }
}

fn head_word(finding: &Finding) -> (&'static str, Ink) {
    if finding.pruned().is_some() {
        return ("pruned", Ink::Faint);
    }
    if !finding.is_current() {
        return ("gone", Ink::Good);
    }
    let ink = match finding.verdict {
        Verdict::Violated(_) => Ink::Bad,
        Verdict::Possible(..) => Ink::Doubtful,
        Verdict::Unknown(_) => Ink::Open,
        Verdict::Holds(_) => Ink::Good,
    };
    (finding.verdict.word(), ink)
}

fn render_evidence(page: &mut Page, evidence: &Evidence) {
    render_witness(page, &evidence.witness);
    if let Some(drawing) = &evidence.drawing {
        page.gap();
        page.java(6, drawing);
    }
    if !evidence.observed.is_empty() {
        page.gap();
        for line in &evidence.observed {
            page.line(6, &[(Ink::Strong, line)]);
        }
    }
    page.gap();
}

fn render_witness(page: &mut Page, witness: &str) {
    let n_lines = witness.lines().count();
    if n_lines == 0 {
        return;
    }
    page.gap();
    let shown: Vec<_> = witness.lines().take(WITNESS_LINES).collect();
    page.java(6, &shown.join("\n"));
    if n_lines > WITNESS_LINES {
        let rest = n_lines - WITNESS_LINES;
        page.line(
            6,
            &[(Ink::Faint, &format!("... {rest} more lines (--witness-dir DIR writes all)"))],
        );
    }
}

/// What the verdict rests on, or what it lacks.
fn render_grounds(page: &mut Page, finding: &Finding) {
    let verdict = &finding.verdict;
    match verdict {
        Verdict::Holds(scope) => render_scope(page, scope),
        Verdict::Violated(evidence) => page.paragraph(2, 2, Ink::Plain, reproduction(evidence)),
        Verdict::Possible(_, gaps) => render_gaps(page, "not certain because", gaps),
        Verdict::Unknown(gaps) => render_gaps(page, "unknown because", gaps),
    }
    let needs = verdict.evidence().map(|evidence| &evidence.needs);
    let unusual: Vec<_> = needs.into_iter().flatten().copied().map(unusual).collect();
    if !unusual.is_empty() {
        // Other calls of two versions may show it too; of objects that are equal, all were tried.
        let how = if finding.rule.command == Command::Diff { "seen" } else { "shows only" };
        page.paragraph(2, 2, Ink::Plain, &format!("{how} with {}", unusual.join(", ")));
    }
}

/// "Proved" and "proved up to n iterations" are different words in every report.
fn render_scope(page: &mut Page, scope: &Scope) {
    let reach = match scope.bound {
        _ if scope.same_code => "same code in both versions".to_owned(),
        None => "proved for all inputs".to_owned(),
        Some(1) => "proved up to 1 iteration".to_owned(),
        Some(bound) => format!("proved up to {bound} iterations"),
    };
    page.paragraph(2, 2, Ink::Plain, &reach);
    for assumption in &scope.assumptions {
        page.paragraph(2, 2, Ink::Plain, &format!("assuming that {assumption}"));
    }
}

fn reproduction(evidence: &Evidence) -> &'static str {
    match evidence.construction {
        Construction::Public => "reproduced on a JVM, by calls that are open to everyone",
        Construction::Package => "reproduced on a JVM, by calls that are open to the same package",
        Construction::Forced => unreachable!("forced evidence is never a violation"),
    }
}

fn render_gaps(page: &mut Page, words_before: &str, gaps: &[Gap]) {
    for gap in gaps {
        let kind = words::gap(gap.kind);
        page.paragraph(2, 2, Ink::Plain, &format!("{words_before} {} ({kind})", gap.detail));
    }
}

fn unusual(need: Need) -> &'static str {
    match need {
        Need::Nan => "NaN",
        Need::NegativeZero => "-0.0",
        Need::Null => "null",
        Need::Extreme => "an extreme number",
        Need::FieldWrite => "code outside that puts another array into a field",
    }
}

fn render_remarks(page: &mut Page, finding: &Finding) {
    if let Some(cause) = finding.cause {
        let line = format!("cause: {} ({})", explained(cause), words::cause(cause));
        page.paragraph(2, 2, Ink::Plain, &line);
    }
    let others: Vec<_> = finding
        .classes
        .iter()
        .filter(|class| finding.subject.class.as_ref() != Some(class))
        .map(String::as_str)
        .collect();
    if !others.is_empty() {
        page.paragraph(2, 2, Ink::Plain, &format!("also involved: {}", others.join(", ")));
    }
    for note in &finding.notes {
        page.paragraph(2, 2, Ink::Plain, &format!("note: {note}"));
    }
}

fn explained(cause: Cause) -> &'static str {
    match cause {
        Cause::HashedNotCompared => "hashCode depends on something that equals ignores",
        Cause::ComparedMoreLooselyThanHashed => {
            "equals takes more values for the same than hashCode"
        }
        Cause::NoHashCode => "hashCode is inherited from Object",
        Cause::Other => "none of the usual ones",
    }
}
