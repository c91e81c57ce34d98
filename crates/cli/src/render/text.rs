//! The report for people: what is wrong first, then what may be, then what is open, then the count.
//!
//! There are no source snippets, because there may be no source. What holds is only counted unless
//! all is asked for. Nothing here knows escape sequences or widths: [`page`](super::page) does.

mod cycle;
mod finding;
mod summary;

use checks::{Finding, Report, Verdict};

use super::page::{Ink, Page, Style};
use super::{sanitize, words};

/// The whole report. With `all`, also what holds and what was pruned and why.
pub fn render_text(report: &Report, style: Style, all: bool) -> String {
    let mut page = Page::new(style);
    for finding in report.findings().iter().filter(|finding| all || is_listed(finding)) {
        finding::render_finding(&mut page, finding);
        page.gap();
    }
    render_hierarchies(&mut page, report, all);
    render_problems(&mut page, report);
    summary::render_summary(&mut page, report, all);
    page.finish()
}

fn is_listed(finding: &Finding) -> bool {
    finding.pruned().is_none() && !matches!(finding.verdict, Verdict::Holds(_))
}

/// Those that are broken; the sound ones are worth reading only on request.
fn render_hierarchies(page: &mut Page, report: &Report, all: bool) {
    let mut listed =
        report.hierarchies().iter().filter(|it| all || !it.breaks.is_empty()).peekable();
    if listed.peek().is_none() {
        return;
    }
    page.line(0, &[(Ink::Strong, "kinds of equality")]);
    for hierarchy in listed {
        let kind = words::equality(hierarchy.kind);
        let breaks = match hierarchy.breaks.as_slice() {
            [] => String::new(),
            classes => format!(", broken by {}", classes.join(", ")),
        };
        page.paragraph(2, 2, Ink::Plain, &format!("{}: {kind}{breaks}", hierarchy.root));
    }
    page.gap();
}

fn render_problems(page: &mut Page, report: &Report) {
    if report.problems().is_empty() {
        return;
    }
    page.line(0, &[(Ink::Doubtful, "problems")]);
    for problem in report.problems() {
        // Escaped one by one, so that a path cannot look like the end of itself.
        let path = sanitize::line(&problem.path);
        page.paragraph(2, 2, Ink::Plain, &format!("{path}: {}", problem.message));
    }
    page.gap();
}
