//! Laying out text: wrapping, indenting, colouring.
//!
//! Invariant: every string passes through [`sanitize`] on its way in, so no caller can forget it.
//! Escape sequences are written here and nowhere else, and only if the style has colour.

use std::io::{IsTerminal, stdout};

use anstyle::AnsiColor;
use textwrap::{Options, WordSeparator, WordSplitter};

use super::sanitize;

/// How text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub width: usize,
    pub colour: bool,
}

impl Style {
    /// For a file or a pipe.
    pub const PLAIN: Style = Style { width: 80, colour: false };

    /// What suits standard output: colour only on a terminal that has it and unless `NO_COLOR` is
    /// set, its width but no wider than is pleasant to read.
    pub fn of_stdout() -> Style {
        if !stdout().is_terminal() {
            return Style::PLAIN;
        }
        let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Style { width: width.clamp(40, 100), colour: !unwanted && !dumb }
    }
}

/// The few ways in which a word may stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Strong,
    Faint,
    Bad,
    Doubtful,
    Open,
    Good,
}

impl Ink {
    fn style(self) -> anstyle::Style {
        let plain = anstyle::Style::new();
        let coloured = |colour: AnsiColor| plain.bold().fg_color(Some(colour.into()));
        match self {
            Ink::Plain => plain,
            Ink::Strong => plain.bold(),
            Ink::Faint => plain.dimmed(),
            Ink::Bad => coloured(AnsiColor::Red),
            Ink::Doubtful => coloured(AnsiColor::Yellow),
            Ink::Open => coloured(AnsiColor::Cyan),
            Ink::Good => coloured(AnsiColor::Green),
        }
    }
}

/// A piece of a line.
pub(super) type Span<'a> = (Ink, &'a str);

/// Text being set.
pub(super) struct Page {
    style: Style,
    text: String,
}

impl Page {
    pub(super) fn new(style: Style) -> Page {
        Page { style, text: String::new() }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// An empty line, never two of them.
    pub(super) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// One line as it is, for names that must stay whole to be copied.
    pub(super) fn line(&mut self, indent: usize, spans: &[Span<'_>]) {
        self.indent(indent);
        for &(ink, text) in spans {
            self.span(ink, &sanitize::line(text));
        }
        self.text.push('\n');
    }

    /// Whether the pieces fit on one line.
    pub(super) fn fits(&self, indent: usize, spans: &[Span<'_>]) -> bool {
        let text: usize = spans
            .iter()
            .map(|(_, text)| textwrap::core::display_width(&sanitize::line(text)))
            .sum();
        indent + text <= self.style.width
    }

    /// Wrapped text; later lines are indented by `hang` more.
    pub(super) fn paragraph(&mut self, indent: usize, hang: usize, ink: Ink, text: &str) {
        for (n, wrapped) in self.wrap(indent + hang, hang, text).into_iter().enumerate() {
            self.indent(if n == 0 { indent } else { indent + hang });
            self.span(ink, &wrapped);
            self.text.push('\n');
        }
    }

    /// A label, and text wrapped in a column of its own beside it.
    pub(super) fn entry(&mut self, indent: usize, label: Span<'_>, column: usize, text: &str) {
        let name = sanitize::line(label.1);
        let pad = column.saturating_sub(textwrap::core::display_width(&name));
        for (n, wrapped) in self.wrap(indent + column, 0, text).into_iter().enumerate() {
            self.indent(indent);
            if n == 0 {
                self.span(label.0, &name);
            }
            self.indent(if n == 0 { pad } else { column });
            self.text.push_str(&wrapped);
            self.text.push('\n');
        }
    }

    /// Lines that leave room for `indent`; the first one has room for `outdent` more.
    fn wrap(&self, indent: usize, outdent: usize, text: &str) -> Vec<String> {
        let text = unbroken_code(&sanitize::line(text));
        let width = self.style.width.saturating_sub(indent).max(20);
        let hang = " ".repeat(outdent);
        let options = Options::new(width + outdent)
            .subsequent_indent(&hang)
            // A name that is broken cannot be copied; a terminal wraps it anyway.
            .break_words(false)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation);
        let lines = textwrap::wrap(&text, options);
        lines.iter().map(|line| line.trim_start().replace(UNBROKEN, " ")).collect()
    }

    /// Java source, line by line as it is.
    pub(super) fn java(&mut self, indent: usize, source: &str) {
        for line in sanitize::java(source).lines() {
            if !line.trim().is_empty() {
                self.indent(indent);
                self.text.push_str(line.trim_end());
            }
            self.text.push('\n');
        }
    }

    fn indent(&mut self, n: usize) {
        self.text.extend(std::iter::repeat_n(' ', n));
    }

    fn span(&mut self, ink: Ink, text: &str) {
        if self.style.colour && ink != Ink::Plain {
            let style = ink.style();
            self.text.push_str(&format!("{style}{text}{style:#}"));
        } else {
            self.text.push_str(text);
        }
    }
}

/// Stands for a space at which no line ends. It is no character, so no text holds it by itself.
const UNBROKEN: char = '\u{fdd0}';

/// Keeps code in backquotes on one line.
fn unbroken_code(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(n, part)| match n % 2 {
        0 => part.to_owned(),
        _ => part.replace(' ', &UNBROKEN.to_string()),
    });
    parts.collect::<Vec<_>>().join("`")
}
