//! Deadlocks as a graph for Graphviz: locks, and who holds one while wanting another.

use std::collections::BTreeMap;
use std::fmt::Write;

use checks::{Report, Verdict};

use super::{place, sanitize, words};

/// One cluster for each cycle. With `all`, also those that were pruned.
pub fn render_dot(report: &Report, all: bool) -> String {
    let mut text = String::from(
        "digraph locks {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n  edge \
         [fontname=\"sans-serif\", fontsize=10];\n",
    );
    let shown = report.findings().iter().filter(|finding| all || finding.is_current());
    for (number, finding) in shown.enumerate() {
        let Some(cycle) = &finding.cycle else { continue };
        let colour = match finding.verdict {
            Verdict::Violated(_) => "red",
            Verdict::Possible(..) if finding.pruned().is_none() => "orange",
            Verdict::Possible(..) | Verdict::Unknown(_) | Verdict::Holds(_) => "gray",
        };
        let label = format!("{} {}", finding.verdict.word(), finding.rule.name);
        let _ = writeln!(text, "  subgraph cluster_{number} {{");
        let _ = writeln!(text, "    label={};", quoted(&label));
        let _ = writeln!(text, "    color={colour};");
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, lock) in cycle.locks.iter().enumerate() {
            // Two objects of one class have the same name.
            let count = seen.entry(&lock.name).and_modify(|n| *n += 1).or_insert(1);
            let suffix = if *count > 1 { format!(" #{count}") } else { String::new() };
            let label = format!("{}{suffix}\n{}", lock.name, words::lock_kind(lock.kind));
            let _ = writeln!(text, "    c{number}_{at} [label={}];", quoted(&label));
        }
        for thread in &cycle.threads {
            let label = place::readable_method(&thread.entry);
            let _ = writeln!(
                text,
                "    c{number}_{} -> c{number}_{} [label={}];",
                thread.holds,
                thread.wants,
                quoted(&label)
            );
        }
        text += "  }\n";
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| sanitize::line(line).replace('\\', "\\\\").replace('"', "\\\""))
        .collect();
    format!("\"{}\"", lines.join("\\n"))
}
