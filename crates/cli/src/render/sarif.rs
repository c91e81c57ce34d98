//! SARIF 2.1.0, for code-scanning services and editors. `docs/report.md` says what becomes of what.
//!
//! Deliberately a view for showing, not a second data format: names and messages are made visible
//! here, whereas the JSON report keeps them as they are. The file holds the rules of the command that
//! ran, whether or not they found anything.

mod fingerprint;
mod location;
mod model;

use std::collections::BTreeMap;

use checks::{Command, Evidence, Finding, Level, RULES, Report, Rule, Verdict};

use super::{json, sanitize, words};
use location::{code_flow, location, source_root};
use model::{
    Driver, Invocation, Log, Message, Notification, Properties, Result, RuleConfiguration,
    RuleDescriptor, Run, Tool,
};

const SCHEMA_URI: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The whole report. With `all`, also what holds, as results of kind `pass`, and pruned cycles.
pub fn render_sarif(report: &Report, all: bool) -> String {
    let rules: Vec<&Rule> =
        RULES.iter().copied().filter(|rule| rule.command == report.command()).collect();
    let listed = report.findings().iter().filter(|finding| all || is_listed(finding));
    let run = Run {
        tool: Tool { driver: driver(&rules) },
        invocations: [invocation(report)],
        original_uri_base_ids: source_root(),
        results: listed.map(|finding| result(finding, &rules)).collect(),
        properties: run_properties(report),
    };
    sanitize::to_json(&Log { schema: SCHEMA_URI, version: "2.1.0", runs: [run] })
}

fn is_listed(finding: &Finding) -> bool {
    finding.is_current() && !matches!(finding.verdict, Verdict::Holds(_))
}

fn driver(rules: &[&Rule]) -> Driver {
    Driver {
        name: "Jury",
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules: rules.iter().map(|rule| descriptor(rule)).collect(),
    }
}

fn descriptor(rule: &Rule) -> RuleDescriptor {
    let sections = rule.explanation.sections();
    let plain = sections.map(|(heading, text)| format!("{heading}\n\n{text}"));
    let markdown = sections.map(|(heading, text)| format!("## {heading}\n\n{text}"));
    RuleDescriptor {
        id: rule.name,
        short_description: Message::text(rule.summary),
        full_description: Message::text(unwrapped(sections[0].1)),
        help: Message { text: plain.join("\n\n"), markdown: Some(markdown.join("\n\n")) },
        default_configuration: RuleConfiguration { level: rule.level.word() },
        properties: Properties::from([("tags", vec!["java", family(rule.command)].into())]),
    }
}

fn family(command: Command) -> &'static str {
    match command {
        Command::Equals => "correctness",
        Command::Diff => "compatibility",
        Command::Locks => "concurrency",
    }
}

/// Paragraphs are wrapped in the rule's file for those who read it there.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn invocation(report: &Report) -> Invocation {
    let notifications = report.problems().iter().map(|problem| Notification {
        level: "warning",
        message: Message::text(format!(
            "{}: {}",
            sanitize::line(&problem.path),
            sanitize::line(&problem.message)
        )),
    });
    Invocation { execution_successful: true, tool_execution_notifications: notifications.collect() }
}

fn run_properties(report: &Report) -> Properties {
    let inputs: Vec<_> = report.inputs().iter().map(|input| sanitize::line(input)).collect();
    let jdk = report.jdk().map(sanitize::line);
    Properties::from([
        ("command", report.command().word().into()),
        ("inputs", inputs.into()),
        ("jdk", jdk.map_or(serde_json::Value::Null, Into::into)),
    ])
}

fn result(finding: &Finding, rules: &[&Rule]) -> Result {
    let (kind, level) = kind_and_level(finding);
    Result {
        rule_id: finding.rule.name,
        rule_index: rules.iter().position(|rule| rule.name == finding.rule.name),
        kind,
        level,
        message: message(finding),
        locations: [location(&finding.subject)],
        code_flows: finding.cycle.as_deref().and_then(code_flow).into_iter().collect(),
        partial_fingerprints: BTreeMap::from([("juryFinding/v1", fingerprint::of(finding))]),
        properties: properties(finding),
    }
}

/// A result that is no failure has no level, says the standard. A note stays a note.
fn kind_and_level(finding: &Finding) -> (&'static str, &'static str) {
    if !finding.is_current() {
        return ("informational", "none");
    }
    let weakest = match finding.verdict {
        Verdict::Holds(_) => return ("pass", "none"),
        Verdict::Violated(_) => finding.level,
        Verdict::Possible(..) => finding.level.max(Level::Warning),
        Verdict::Unknown(_) => Level::Note,
    };
    ("fail", weakest.word())
}

fn message(finding: &Finding) -> Message {
    let sentence = sanitize::line(&finding.message);
    let mut text = sentence.to_string();
    let mut markdown = escape_markdown(&sentence);
    for gap in finding.verdict.gaps() {
        let before =
            if matches!(finding.verdict, Verdict::Unknown(_)) { "Unknown" } else { "Not certain" };
        let reason = format!("{before} because {}.", sanitize::line(&gap.detail));
        text.push_str(&format!(" {reason}"));
        markdown.push_str(&format!("\n\n{}", escape_markdown(&reason)));
    }
    if let Some(evidence) = finding.verdict.evidence() {
        markdown.push_str(&witness_markdown(evidence));
    }
    Message { text, markdown: Some(markdown) }
}

fn witness_markdown(evidence: &Evidence) -> String {
    let mut code = String::new();
    for line in sanitize::java(&evidence.witness).lines() {
        code.push_str(&format!("{line}\n"));
    }
    for line in &evidence.observed {
        code.push_str(&format!("// {}\n", sanitize::line(line)));
    }
    if code.is_empty() {
        return code;
    }
    let fence = "`".repeat(longest_run(&code, '`').max(2) + 1);
    format!("\n\n{fence}java\n{code}{fence}")
}

fn longest_run(text: &str, wanted: char) -> usize {
    let (mut longest, mut current) = (0, 0);
    for c in text.chars() {
        current = if c == wanted { current + 1 } else { 0 };
        longest = longest.max(current);
    }
    longest
}

fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!')
        {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// What has no place of its own in SARIF, under the names of the JSON report.
fn properties(finding: &Finding) -> Properties {
    let verdict = &finding.verdict;
    let mut bag = Properties::from([
        ("verdict", verdict.word().into()),
        ("classes", lines(&finding.classes)),
        ("notes", lines(&finding.notes)),
    ]);
    bag.extend(finding.cause.map(|cause| ("cause", words::cause(cause).into())));
    bag.extend(verdict.scope().map(|scope| ("scope", value(&json::scope(scope)))));
    bag.extend(verdict.evidence().map(|evidence| ("evidence", value(&json::evidence(evidence)))));
    if !verdict.gaps().is_empty() {
        bag.insert("gaps", verdict.gaps().iter().map(|gap| value(&json::gap(gap))).collect());
    }
    bag.extend(finding.pruned().map(|reason| ("pruned", sanitize::line(reason).into())));
    bag.extend(finding.change().map(|change| ("change", words::change(change).into())));
    bag
}

fn lines(lines: &[String]) -> serde_json::Value {
    lines.iter().map(|line| sanitize::line(line).into_owned()).collect()
}

fn value(part: &impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(part).expect("plain structs are always serialisable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_shown_as_it_is() {
        assert_eq!(escape_markdown("p.C<T> `x` [a](b)"), "p.C\\<T\\> \\`x\\` \\[a\\](b)");
    }

    #[test]
    fn code_cannot_leave_its_fence() {
        assert_eq!(longest_run("a```b````c`", '`'), 4);
        assert_eq!(longest_run("", '`'), 0);
    }
}
