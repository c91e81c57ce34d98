//! The text of expectations: marks behind `//~` and directives in the head of a file.
//!
//!     //~ VIOLATED equals-symmetric, HOLDS hash-consistent
//!     //~ UNKNOWN hash-stable: budget(unroll) unsupported
//!     //~ VIOLATED lock-order-acyclic #1
//!     //~^ POSSIBLE equals-total (WRONG: the cast is guarded)
//!
//! A `^` moves a mark up a line. A rule may end in `*` and then stands for all rules that begin so and
//! are not marked themselves. EQUIVALENT and DIFFERS say HOLDS and VIOLATED of `same-behaviour`.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

use super::Verdict;

/// One expected verdict, at the line that it speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) line: u32,
    pub(super) verdict: Verdict,
    pub(super) rule: String,
    /// Kind and, where given, a part of the detail. No gap listed: any will do.
    pub(super) gaps: Vec<(String, Option<String>)>,
    /// Marks with the same tag are the places of one finding.
    pub(super) tag: Option<String>,
    /// Why this verdict, which is asserted, is not the right one.
    pub(super) wrong: Option<String>,
}

impl Mark {
    pub(super) fn is_pattern(&self) -> bool {
        self.rule.ends_with('*')
    }

    pub(super) fn names(&self, rule: &str) -> bool {
        match self.rule.strip_suffix('*') {
            Some(prefix) => rule.starts_with(prefix),
            None => rule == self.rule,
        }
    }
}

pub(super) fn parse_marks(text: &str) -> Result<Vec<Mark>> {
    let mut marks = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//~") else { continue };
        let number = index as u32 + 1;
        let marked = comment.trim_start_matches('^');
        let up = (comment.len() - marked.len()) as u32;
        let target = number.checked_sub(up).filter(|line| *line > 0);
        let target = target.with_context(|| format!("line {number}: no line {up} above"))?;
        for part in split_outside_parens(marked, ',') {
            let mark = parse_mark(part, target)
                .with_context(|| format!("line {number}: mark '{}'", part.trim()))?;
            marks.push(mark);
        }
    }
    Ok(marks)
}

fn parse_mark(text: &str, line: u32) -> Result<Mark> {
    let (text, wrong) = match text.split_once("(WRONG:") {
        Some((before, why)) => {
            let why = why.trim().strip_suffix(')').context("'(WRONG: why' is not closed")?.trim();
            if why.is_empty() {
                bail!("WRONG needs a reason");
            }
            (before, Some(why.to_owned()))
        }
        None => (text, None),
    };
    let (text, gaps) = match text.split_once(':') {
        Some((before, gaps)) => (before, gaps),
        None => (text, ""),
    };
    let mut words: Vec<&str> =
        text.split_whitespace().chain(split_outside_parens(gaps.trim(), ' ')).collect();
    words.retain(|word| !word.is_empty());
    let tag = words
        .iter()
        .position(|word| word.starts_with('#'))
        .map(|index| words.remove(index).to_owned());
    let mut words = words.into_iter();
    let verdict = words.next().context("no verdict")?;
    let (verdict, rule) = match verdict {
        "EQUIVALENT" => (Verdict::Holds, "same-behaviour"),
        "DIFFERS" => (Verdict::Violated, "same-behaviour"),
        _ => (Verdict::parse(verdict)?, words.next().context("no rule")?),
    };
    let gaps = words.map(parse_gap).collect::<Result<Vec<_>>>()?;
    if verdict == Verdict::Unknown && gaps.is_empty() {
        bail!("UNKNOWN says why: 'UNKNOWN {rule}: budget(unroll)'");
    }
    if !matches!(verdict, Verdict::Unknown | Verdict::Possible) && !gaps.is_empty() {
        bail!("only UNKNOWN and POSSIBLE have gaps");
    }
    Ok(Mark { line, verdict, rule: rule.to_owned(), gaps, tag, wrong })
}

fn parse_gap(text: &str) -> Result<(String, Option<String>)> {
    Ok(match text.split_once('(') {
        Some((kind, detail)) => {
            let detail =
                detail.strip_suffix(')').with_context(|| format!("'{text}' is not closed"))?;
            (kind.to_owned(), Some(detail.to_owned()))
        }
        None => (text.to_owned(), None),
    })
}

fn split_outside_parens(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut open) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ if c == separator && open == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// What a head directive may speak of.
const KEYS: [&str; 7] = ["assume", "budget", "check", "jdk", "javac", "method", "world"];

/// The directives of the comment lines before the first line of code:
/// `// check: equality   budget: unroll=3`. A line that starts with a capital is prose.
pub fn head_directives(text: &str) -> Result<BTreeMap<String, String>> {
    let mut directives = BTreeMap::new();
    let head =
        text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with("//"));
    for line in head.filter(|line| !line.starts_with("//~")) {
        let words: Vec<&str> = line.trim_start_matches('/').split_whitespace().collect();
        let Some(first) = words.first().and_then(|word| word.strip_suffix(':')) else { continue };
        if first.starts_with(char::is_uppercase) {
            continue;
        }
        if !KEYS.contains(&first) {
            bail!("unknown directive '{first}:', known: {}", KEYS.join(", "));
        }
        let mut key = first;
        for word in &words[1..] {
            match word.strip_suffix(':').filter(|word| KEYS.contains(word)) {
                Some(next) => key = next,
                None => {
                    let value: &mut String = directives.entry(key.to_owned()).or_default();
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(word);
                }
            }
        }
    }
    Ok(directives)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Mark {
        let mut marks = parse_marks(text).expect("parses");
        assert_eq!(marks.len(), 1);
        marks.remove(0)
    }

    #[test]
    fn several_marks_on_a_line() {
        let marks =
            parse_marks("class A {\n  int f() { //~ VIOLATED a-b, HOLDS c-*\n").expect("parses");
        assert_eq!(marks.len(), 2);
        assert_eq!(
            (marks[0].line, marks[0].verdict, marks[0].rule.as_str()),
            (2, Verdict::Violated, "a-b")
        );
        assert!(marks[1].is_pattern() && marks[1].names("c-d") && !marks[1].names("d"));
    }

    #[test]
    fn gaps_tags_and_wrong() {
        let mark = only(
            "x; //~ UNKNOWN r: budget(unroll, 3) unsupported #2 (WRONG: it (really) holds, see f)",
        );
        let gaps =
            [("budget".to_owned(), Some("unroll, 3".to_owned())), ("unsupported".to_owned(), None)];
        assert_eq!(mark.gaps, gaps);
        assert_eq!(mark.tag.as_deref(), Some("#2"));
        assert_eq!(mark.wrong.as_deref(), Some("it (really) holds, see f"));
    }

    #[test]
    fn upwards_and_equivalence() {
        assert_eq!(only("a;\nb;\n//~^^ POSSIBLE r").line, 1);
        let mark = only("//~ DIFFERS");
        assert_eq!((mark.verdict, mark.rule.as_str()), (Verdict::Violated, "same-behaviour"));
    }

    #[test]
    fn mistakes_are_errors() {
        for text in [
            "//~ MAYBE r",
            "//~ HOLDS",
            "//~ UNKNOWN r",
            "//~ HOLDS r: budget",
            "//~ HOLDS r (WRONG: )",
            "//~^ HOLDS r",
            "//~ HOLDS r,",
        ] {
            assert!(parse_marks(text).is_err(), "{text}");
        }
    }

    #[test]
    fn directives() -> Result<()> {
        let head = head_directives(
            "// Note: prose\n// check: equality   budget: unroll=3\n// javac: --release 8 -g:none\nclass A {} // check: x",
        )?;
        assert_eq!(head["check"], "equality");
        assert_eq!(head["budget"], "unroll=3");
        assert_eq!(head["javac"], "--release 8 -g:none");
        assert!(head_directives("// chekc: equality").is_err());
        Ok(())
    }
}
