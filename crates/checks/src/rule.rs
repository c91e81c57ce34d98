//! What a rule is: a name, the words about it, and where it belongs.
//!
//! Rules are static data. `jury explain`, the SARIF metadata and the documentation are all made from
//! it, so a rule is described once.
//!
//! A rule's file is the only place that mentions its parts; [`Rule::new`] takes what every rule must
//! have. What some rules have in addition, such as a check function, is added by a `const fn` on
//! `Rule` that returns it changed, so that no other rule's file needs to know.

use crate::finding::Level;
use crate::report::Command;
use crate::rules::RULES;

/// A property that Jury judges.
#[derive(Debug)]
pub struct Rule {
    /// Kebab-case, family first, naming the property: "HOLDS equals-symmetric" must read well.
    pub name: &'static str,
    pub command: Command,
    /// How much a violation matters unless the finding says otherwise.
    pub level: Level,
    /// One line, a clause without a full stop.
    pub summary: &'static str,
    pub explanation: Explanation,
}

impl Rule {
    pub const fn new(
        name: &'static str,
        command: Command,
        level: Level,
        summary: &'static str,
        explanation: Explanation,
    ) -> Rule {
        Rule { name, command, level, summary, explanation }
    }

    /// The rule of that name.
    pub fn named(name: &str) -> Option<&'static Rule> {
        RULES.iter().copied().find(|rule| rule.name == name)
    }
}

/// A rule explained to a Java developer, under the same headings for every rule.
///
/// Each text is paragraphs separated by an empty line: prose, code if they begin with four spaces,
/// list items if they begin with `- `. The code of a section is a compilation unit of its own.
#[derive(Debug)]
pub struct Explanation {
    pub proves: &'static str,
    pub matters: &'static str,
    pub example: &'static str,
    pub limits: &'static str,
    pub fix: &'static str,
}

impl Explanation {
    /// The headings with their texts, in reading order.
    pub fn sections(&self) -> [(&'static str, &'static str); 5] {
        [
            ("What it proves", self.proves),
            ("Why it matters", self.matters),
            ("Example", self.example),
            ("Limits", self.limits),
            ("How to fix", self.fix),
        ]
        .map(|(heading, text)| (heading, text.trim_matches('\n')))
    }
}
