//! `jury explain`: the list of rules, and one rule in full.

use checks::{RULES, Rule};

use super::page::{Ink, Page, Style};

/// All rules by command, one line each.
pub fn render_rules(style: Style) -> String {
    let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let mut page = Page::new(style);
    let mut command = None;
    for rule in RULES {
        if command != Some(rule.command) {
            command = Some(rule.command);
            page.gap();
            page.line(0, &[(Ink::Strong, &format!("jury {}", rule.command.word()))]);
        }
        page.entry(2, (Ink::Good, rule.name), width + 2, rule.summary);
    }
    page.gap();
    page.line(0, &[(Ink::Faint, "`jury explain RULE` says more about one of them")]);
    page.finish()
}

/// One rule under its fixed headings.
pub fn render_rule(rule: &Rule, style: Style) -> String {
    let mut page = Page::new(style);
    page.line(0, &[(Ink::Good, rule.name)]);
    page.paragraph(0, 0, Ink::Plain, rule.summary);
    for (heading, text) in rule.explanation.sections() {
        page.gap();
        page.line(0, &[(Ink::Strong, heading)]);
        for (n, paragraph) in text.split("\n\n").enumerate() {
            if n > 0 {
                page.gap();
            }
            render_paragraph(&mut page, paragraph);
        }
    }
    page.finish()
}

fn render_paragraph(page: &mut Page, paragraph: &str) {
    if paragraph.starts_with("    ") {
        return page.java(2, paragraph);
    }
    let hang = if paragraph.starts_with("- ") { 2 } else { 0 };
    let words: Vec<_> = paragraph.split_whitespace().collect();
    page.paragraph(2, hang, Ink::Plain, &words.join(" "));
}

/// What to say about a name that no rule has: the nearest one, if any is near.
pub fn unknown_rule(name: &str) -> String {
    let nearest = RULES
        .iter()
        .map(|rule| (strsim::jaro_winkler(name, rule.name), rule.name))
        .filter(|&(likeness, _)| likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let name = super::sanitize::line(name);
    match nearest {
        Some((_, rule)) => format!("no rule is called `{name}`; did you mean `{rule}`?"),
        None => format!("no rule is called `{name}`; `jury explain` lists them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_listed_and_explained_within_the_width() {
        let style = Style { width: 72, colour: false };
        let list = render_rules(style);
        for rule in RULES {
            assert!(list.contains(rule.name));
            let text = render_rule(rule, style);
            for heading in ["What it proves", "Why it matters", "Example", "Limits", "How to fix"] {
                assert!(text.contains(&format!("\n\n{heading}\n")), "{}: {heading}", rule.name);
            }
            // Code is never wrapped.
            let prose = text.lines().filter(|line| !line.starts_with("      "));
            assert!(prose.clone().all(|line| line.chars().count() <= 72), "{text}");
        }
    }

    #[test]
    fn the_nearest_rule_is_suggested() {
        assert!(unknown_rule("equals-symetric").contains("`equals-symmetric`"));
        assert!(unknown_rule("hashcode-consistent").contains("`hash-consistent`"));
        assert!(unknown_rule("xyzzy\u{202e}").ends_with("`jury explain` lists them"));
        assert!(!unknown_rule("\u{202e}").contains('\u{202e}'));
    }
}
