//! Which observed verdict meets which mark.
//!
//! Each observed verdict is used once. Marks that name their rule choose first; patterns (`equals-*`)
//! take what is left at their place, and must find something.

use std::fmt;

use super::marks::Mark;
use super::outline::{Declaration, Kind};
use super::{ExpectedFile, Observed, Place};

/// The result of a comparison without mismatches.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Verdicts that met a mark.
    pub n_matched: usize,
    /// One line per verdict that is asserted though known to be wrong.
    pub wrong: Vec<String>,
}

/// Everything that does not fit, one readable entry each.
#[derive(Debug)]
pub struct Mismatches(pub Vec<String>);

impl fmt::Display for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.0.len();
        write!(f, "{n} mismatch{} between marks and verdicts", if n == 1 { "" } else { "es" })?;
        self.0.iter().try_for_each(|entry| write!(f, "\n  {entry}"))
    }
}

impl std::error::Error for Mismatches {}

/// Marks that one finding meets: a single one, or all with the same rule and tag.
struct Group<'a> {
    marks: Vec<(&'a ExpectedFile, &'a Mark)>,
}

impl Group<'_> {
    fn mark(&self) -> &Mark {
        self.marks[0].1
    }
}

pub(super) fn check(files: &[ExpectedFile], observed: &[Observed]) -> Result<Summary, Mismatches> {
    let (named, patterns): (Vec<_>, Vec<_>) =
        group(files).into_iter().partition(|group| !group.mark().is_pattern());
    let mut summary = Summary::default();
    let mut free: Vec<&Observed> = observed.iter().collect();
    let mut unmet = Vec::new();
    for group in named {
        match free.iter().position(|verdict| meets(&group, verdict)) {
            Some(index) => {
                free.remove(index);
                note(&mut summary, &group, 1);
            }
            None => unmet.push(group),
        }
    }
    for group in patterns {
        let before = free.len();
        free.retain(|verdict| !meets(&group, verdict));
        match before - free.len() {
            0 => unmet.push(group),
            n => note(&mut summary, &group, n),
        }
    }
    let mut entries = Vec::new();
    for group in &unmet {
        // The verdict that was probably meant reads better beside its mark than as two mismatches.
        let near = free
            .iter()
            .position(|verdict| group.mark().names(&verdict.rule) && at_place(group, verdict));
        let got = near.map(|index| free.remove(index));
        entries.push(render_unmet(group, got));
    }
    entries.extend(free.iter().map(|verdict| render_unlisted(files, verdict)));
    if entries.is_empty() { Ok(summary) } else { Err(Mismatches(entries)) }
}

fn group(files: &[ExpectedFile]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (file, mark) in
        files.iter().flat_map(|file| file.marks.iter().map(move |mark| (file, mark)))
    {
        let same = |group: &&mut Group<'_>| {
            mark.tag.is_some() && group.mark().tag == mark.tag && group.mark().rule == mark.rule
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.marks.push((file, mark)),
            None => groups.push(Group { marks: vec![(file, mark)] }),
        }
    }
    groups
}

fn note(summary: &mut Summary, group: &Group<'_>, n: usize) {
    summary.n_matched += n;
    for (file, mark) in &group.marks {
        if let Some(why) = &mark.wrong {
            summary.wrong.push(format!(
                "{}:{}: {} (WRONG: {why})",
                file.name,
                mark.line,
                render_mark(mark)
            ));
        }
    }
}

fn meets(group: &Group<'_>, verdict: &Observed) -> bool {
    let mark = group.mark();
    group.marks.iter().all(|(_, other)| other.verdict == verdict.verdict)
        && mark.names(&verdict.rule)
        && gaps_meet(mark, verdict)
        && at_place(group, verdict)
}

fn at_place(group: &Group<'_>, verdict: &Observed) -> bool {
    let at = |(file, mark): &(&ExpectedFile, &Mark), place: &Place| speaks_of(file, mark, place);
    if group.mark().tag.is_some() {
        return group.marks.iter().all(|mark| verdict.places.iter().any(|place| at(mark, place)))
            && verdict.places.iter().all(|place| group.marks.iter().any(|mark| at(mark, place)));
    }
    verdict.places.first().is_some_and(|place| at(&group.marks[0], place))
}

/// Both ways on kinds, so that a new reason for not knowing is noticed.
fn gaps_meet(mark: &Mark, verdict: &Observed) -> bool {
    let listed = |kind: &str| mark.gaps.iter().any(|(expected, _)| expected == kind);
    mark.gaps.is_empty()
        || (verdict.gaps.iter().all(|(kind, _)| listed(kind))
            && mark.gaps.iter().all(|(kind, part)| {
                verdict.gaps.iter().any(|(observed, detail)| {
                    observed == kind && part.as_deref().is_none_or(|part| detail.contains(part))
                })
            }))
}

fn speaks_of(file: &ExpectedFile, mark: &Mark, place: &Place) -> bool {
    if place.file != file.name {
        return false;
    }
    let heads: Vec<&Declaration> = file.outline.iter().filter(|d| d.head_has(mark.line)).collect();
    if heads.is_empty() {
        let before_all = file.outline.iter().all(|declaration| mark.line < declaration.first);
        return before_all || place.line == Some(mark.line);
    }
    heads.iter().any(|head| match (&head.kind, place.line) {
        (Kind::Type, None) => head.class == place.class && declared_method(file, place).is_none(),
        (Kind::Type, Some(line)) => head.class == place.class && head.head_has(line),
        (Kind::Method(_), None) => declared_method(file, place) == Some(*head),
        (Kind::Method(_), Some(line)) => innermost_method(file, line) == Some(*head),
    })
}

fn innermost_method(file: &ExpectedFile, line: u32) -> Option<&Declaration> {
    let methods = file.outline.iter().filter(|d| d.kind != Kind::Type && d.has(line));
    methods.min_by_key(|declaration| declaration.last - declaration.first)
}

/// The method that a place without a line names.
fn declared_method<'a>(file: &'a ExpectedFile, place: &Place) -> Option<&'a Declaration> {
    let name = place.method.as_deref()?.split('(').next()?;
    let is_it = |kind: &Kind| matches!(kind, Kind::Method(declared) if declared == name);
    file.outline
        .iter()
        .find(|declaration| declaration.class == place.class && is_it(&declaration.kind))
}

fn render_mark(mark: &Mark) -> String {
    let mut text = format!("{} {}", mark.verdict.word(), mark.rule);
    for (index, (kind, part)) in mark.gaps.iter().enumerate() {
        text += if index == 0 { ": " } else { " " };
        text += kind;
        text += &part.as_ref().map(|part| format!("({part})")).unwrap_or_default();
    }
    text + &mark.tag.as_ref().map(|tag| format!(" {tag}")).unwrap_or_default()
}

fn render_verdict(verdict: &Observed) -> String {
    let gaps: Vec<String> =
        verdict.gaps.iter().map(|(kind, detail)| format!("{kind}({detail})")).collect();
    let gaps = if gaps.is_empty() { String::new() } else { format!(": {}", gaps.join(" ")) };
    format!("{} {}{gaps}", verdict.verdict.word(), verdict.rule)
}

fn render_unmet(group: &Group<'_>, got: Option<&Observed>) -> String {
    let (file, mark) = group.marks[0];
    let got = got.map_or_else(|| "nothing".to_owned(), render_verdict);
    let mut text =
        format!("{}:{}: expected {}, got {got}", file.name, mark.line, render_mark(mark));
    for (file, mark) in &group.marks {
        let code = file
            .lines
            .get(mark.line as usize - 1)
            .map_or("", |line| line.split("//~").next().unwrap_or(""));
        text += &format!("\n      {} | {}", mark.line, code.trim());
    }
    text
}

fn render_unlisted(files: &[ExpectedFile], verdict: &Observed) -> String {
    let mut text = String::new();
    for (index, place) in verdict.places.iter().enumerate() {
        let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
        let method = place.method.as_ref().map(|method| format!(".{method}")).unwrap_or_default();
        let subject = format!("{}{method}", place.class);
        if index == 0 {
            text += &format!(
                "{}{line}: not listed: {} ({subject})",
                place.file,
                render_verdict(verdict)
            );
        }
        let lines = files.iter().find(|file| file.name == place.file).map(|file| &file.lines);
        if let (Some(number), Some(lines)) = (place.line, lines)
            && let Some(code) = lines.get(number as usize - 1)
        {
            text += &format!("\n      {number} | {}", code.trim());
        }
    }
    if text.is_empty() {
        format!("not listed, and without a place: {}", render_verdict(verdict))
    } else {
        text
    }
}
