//! One judged question: a rule, a subject, the verdict, and the words for people.
//!
//! Names are Java's own with dots (`p.C$D`), methods as name and descriptor
//! (`equals(Ljava/lang/Object;)Z`). Text here is raw, as read from class files: making it harmless is
//! the work of whoever prints it.

use crate::cycle::{Change, Cycle};
use crate::rule::Rule;
use crate::verdict::Verdict;

/// What Jury says about one subject under one rule.
#[derive(Debug, Clone)]
pub struct Finding {
    pub rule: &'static Rule,
    pub verdict: Verdict,
    pub subject: Subject,
    /// All classes that take part.
    pub classes: Vec<String>,
    pub level: Level,
    pub cause: Option<Cause>,
    /// The design problem behind it where one was recognised, who could fix it, and the like.
    pub notes: Vec<String>,
    /// One sentence that a Java developer understands.
    pub message: String,
    /// The engine's own order among findings of equal weight, smallest first.
    pub rank: u32,
    /// What only a deadlock has.
    pub cycle: Option<Box<Cycle>>,
}

impl Finding {
    /// A finding at the rule's own level, about the subject's class alone.
    pub fn new(
        rule: &'static Rule,
        verdict: Verdict,
        subject: Subject,
        message: impl Into<String>,
    ) -> Finding {
        Finding {
            rule,
            verdict,
            classes: subject.class.iter().cloned().collect(),
            subject,
            level: rule.level,
            cause: None,
            notes: Vec::new(),
            message: message.into(),
            rank: 0,
            cycle: None,
        }
    }

    /// Why this cycle cannot happen; such a finding is shown on request and counted apart.
    pub fn pruned(&self) -> Option<&str> {
        self.cycle.as_ref()?.pruned.as_deref()
    }

    /// How this cycle stands against the older release.
    pub fn change(&self) -> Option<Change> {
        self.cycle.as_ref()?.change
    }

    /// Whether it speaks about the judged input as it is: neither pruned nor gone with an old release.
    pub fn is_current(&self) -> bool {
        self.pruned().is_none() && self.change() != Some(Change::Gone)
    }

    /// Whether nothing had to be proved, because both versions have the same code.
    pub fn is_same_code(&self) -> bool {
        self.verdict.scope().is_some_and(|scope| scope.same_code)
    }
}

/// What a finding is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// `None`: everything that was analysed, as when no lock cycle exists.
    pub class: Option<String>,
    /// Name and descriptor.
    pub method: Option<String>,
    /// The SourceFile attribute: a bare file name.
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// How much a violation of the rule matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Error,
    Warning,
    Note,
}

impl Level {
    pub fn word(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

/// Why equal objects have different hash codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    HashedNotCompared,
    ComparedMoreLooselyThanHashed,
    NoHashCode,
    Other,
}
