//! The last lines of a report: the count, and where to go from here.

use checks::report::{LockUsage, Members, Stat, StatValue};
use checks::{Report, Summary};

use crate::render::page::{Ink, Page, Span};

pub(super) fn render_summary(page: &mut Page, report: &Report, all: bool) {
    let summary = report.summary();
    render_lock_usage(page, report.lock_usage(), all);
    render_stats(page, report.stats());
    if let Some(hints) = hints(summary, all) {
        page.paragraph(0, 0, Ink::Faint, &hints);
    }
    if let Some(members) = summary.members {
        page.line(0, &[(Ink::Plain, &member_counts(members))]);
    }
    if let Some(compatibility) = report.compatibility() {
        page.paragraph(0, 2, Ink::Plain, &format!("compatibility: {compatibility}"));
    }
    render_counts(page, summary);
}

/// What else could be asked, as far as there is something to see.
fn hints(summary: &Summary, all: bool) -> Option<String> {
    let explain =
        (summary.violated + summary.possible > 0).then_some("`jury explain RULE` explains a rule");
    let list = match (all, summary.holds > 0, summary.pruned > 0) {
        (true, _, _) | (false, false, false) => None,
        (false, true, false) => Some("`--all` lists what holds"),
        (false, false, true) => Some("`--all` lists what was pruned"),
        (false, true, true) => Some("`--all` lists what holds or was pruned"),
    };
    let hints: Vec<_> = explain.into_iter().chain(list).collect();
    (!hints.is_empty()).then(|| hints.join("; "))
}

fn render_counts(page: &mut Page, summary: &Summary) {
    let counts = [
        (Ink::Bad, format!("{} violated", grouped(summary.violated)), summary.violated),
        (Ink::Doubtful, format!("{} possible", grouped(summary.possible)), summary.possible),
        (Ink::Open, unknown_count(summary), summary.unknown),
        (Ink::Good, holds_count(summary), summary.holds),
        (Ink::Plain, format!("{} pruned", grouped(summary.pruned)), summary.pruned),
    ];
    let mut spans: Vec<Span<'_>> = Vec::new();
    for (ink, text, count) in counts.iter().filter(|it| it.0 != Ink::Plain || it.2 > 0) {
        if !spans.is_empty() {
            spans.push((Ink::Plain, ", "));
        }
        spans.push((if *count > 0 { *ink } else { Ink::Plain }, text));
    }
    let judged = format!(
        "in {}, {}",
        plural(summary.classes, "class", "classes"),
        plural(summary.methods, "method", "methods"),
    );
    let whole = [&spans[..], &[(Ink::Plain, " "), (Ink::Plain, judged.as_str())]].concat();
    if page.fits(0, &whole) {
        page.line(0, &whole);
    } else {
        page.line(0, &spans);
        page.line(0, &[(Ink::Plain, &judged)]);
    }
}

fn unknown_count(summary: &Summary) -> String {
    match summary.refuted {
        0 => format!("{} unknown", grouped(summary.unknown)),
        refuted => format!("{} unknown ({refuted} refuted by a JVM)", grouped(summary.unknown)),
    }
}

/// What holds only up to a bound is never counted silently among the proofs.
fn holds_count(summary: &Summary) -> String {
    let verb = if summary.holds == 1 { "holds" } else { "hold" };
    match summary.bounded {
        0 => format!("{} {verb}", grouped(summary.holds)),
        bounded => {
            format!("{} {verb} ({} only up to a bound)", grouped(summary.holds), grouped(bounded))
        }
    }
}

fn member_counts(members: Members) -> String {
    format!(
        "methods: {} changed, {} affected by them, {} unchanged, {} added, {} removed",
        grouped(members.changed),
        grouped(members.affected),
        grouped(members.unchanged),
        grouped(members.added),
        grouped(members.removed),
    )
}

fn render_stats(page: &mut Page, stats: &[Stat]) {
    let width = stats.iter().map(|stat| stat.name.len()).max().unwrap_or(0);
    for Stat { name, value } in stats {
        let value = match value {
            StatValue::Count(count) => grouped(usize::try_from(*count).unwrap_or(usize::MAX)),
            StatValue::Real(real) => format!("{real:.2}"),
        };
        page.line(0, &[(Ink::Faint, &format!("{name:width$}  {value}"))]);
    }
    page.gap();
}

/// The busiest locks as a table; with `all`, every lock.
fn render_lock_usage(page: &mut Page, usage: &[LockUsage], all: bool) {
    const SHOWN: usize = 20;
    if usage.is_empty() {
        return;
    }
    let shown = if all { usage.len() } else { usage.len().min(SHOWN) };
    page.line(0, &[(Ink::Faint, "methods  blocks  lock")]);
    for LockUsage { name, methods, blocks } in &usage[..shown] {
        let (methods, blocks) = (grouped(*methods), grouped(*blocks));
        page.line(0, &[(Ink::Faint, &format!("{methods:>7}  {blocks:>6}  {name}"))]);
    }
    if shown < usage.len() {
        let rest = grouped(usage.len() - shown);
        page.line(
            0,
            &[(Ink::Faint, &format!("                 and {rest} other locks (`--all`)"))],
        );
    }
    page.gap();
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// `126,921`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_grouped() {
        let written: Vec<_> = [0, 999, 1_000, 126_921, 1_000_000].map(grouped).into();
        assert_eq!(written, ["0", "999", "1,000", "126,921", "1,000,000"]);
    }
}
