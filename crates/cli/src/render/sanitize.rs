//! Text from class files, made harmless to show.
//!
//! A class may be called anything: escape sequences that repaint a terminal, marks that reverse the
//! reading order, newlines that forge a second finding, letters that nobody sees. In text such a
//! character appears as `\u{202e}`; in the Java of a witness as `\u202e`, which a compiler reads as
//! the same character; in JSON as JSON's own `\u202e`, so that no raw one leaves the process while
//! programs still read the true name.
//!
//! This is not about look-alike letters: `а` from another alphabet is a letter like any other.

use std::borrow::Cow;
use std::fmt::Write;
use std::io;

use serde_json::ser::{Formatter, PrettyFormatter};

/// One line of text: everything hostile is shown, newlines and tabs included.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, is_hostile, |c, out| write!(out, "\\u{{{:x}}}", u32::from(c)))
}

/// Several lines of Java: newlines stay, the rest is written so that the meaning stays the same.
pub fn java(text: &str) -> Cow<'_, str> {
    escape(
        text,
        |c| is_hostile(c) && c != '\n',
        |c, out| match c {
            '\t' => out.write_str("    "),
            _ => write_units(c, |unit| write!(out, "\\u{unit:04x}")),
        },
    )
}

/// The text of UTF-16 code units, as Java keeps them. A lone surrogate, which is no character, is
/// shown like a hostile one instead of being replaced, so that different names stay different.
pub fn from_utf16(units: impl IntoIterator<Item = u16>) -> String {
    let mut text = String::new();
    for unit in char::decode_utf16(units) {
        match unit {
            Ok(c) => text.push(c),
            Err(lone) => {
                let _ = write!(text, "\\u{{{:x}}}", lone.unpaired_surrogate());
            }
        }
    }
    text
}

/// Whether a character acts on its surroundings or hides, instead of being seen.
pub fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}'                     // soft hyphen, joiner, Arabic mark
            | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'  // Hangul fillers
            | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'  // Khmer and Mongolian invisibles
            | '\u{200b}'..='\u{200f}'                            // zero-width, direction marks
            | '\u{2028}'..='\u{202e}'                            // line separators, bidi embeddings
            | '\u{2060}'..='\u{206f}'                            // joiners, bidi isolates
            | '\u{2800}'                                         // blank Braille pattern
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'               // variation selectors, byte order mark
            | '\u{fff0}'..='\u{fffb}'                            // unassigned, annotations
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'  // shorthand and music controls
            | '\u{e0000}'..='\u{e0fff}') // tags, more variation selectors
}

/// JSON, indented, whose strings hold no raw hostile character.
pub fn to_json(value: &impl serde::Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer =
        serde_json::Serializer::with_formatter(&mut bytes, Escaped(PrettyFormatter::new()));
    value.serialize(&mut serializer).expect("plain structs and strings are always serialisable");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

struct Escaped(PrettyFormatter<'static>);

impl Formatter for Escaped {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        let mut rest = text;
        while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_hostile(c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            write_units(c, |unit| write!(out, "\\u{unit:04x}"))?;
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

fn escape(
    text: &str,
    is_escaped: impl Fn(char) -> bool,
    mut write: impl FnMut(char, &mut String) -> std::fmt::Result,
) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            let _ = write(c, &mut out);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn write_units<E>(c: char, mut write: impl FnMut(u16) -> Result<(), E>) -> Result<(), E> {
    c.encode_utf16(&mut [0; 2]).iter().try_for_each(|&unit| write(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\x1b[31m\u{202e}b\nc\u{200b}\u{9b}\u{e0041}\"\u{7f}\t";

    #[test]
    fn hostile_characters_are_shown_in_text() {
        assert_eq!(
            line(HOSTILE),
            r#"a\u{1b}[31m\u{202e}b\u{a}c\u{200b}\u{9b}\u{e0041}"\u{7f}\u{9}"#
        );
        assert_eq!(line("p.Größe<日本>"), "p.Größe<日本>");
    }

    #[test]
    fn java_keeps_its_lines_and_its_meaning() {
        assert_eq!(java("s = \"\u{202e}\u{1b}\";\n\tx();"), "s = \"\\u202e\\u001b\";\n    x();");
        assert_eq!(java("\u{e0041}"), "\\udb40\\udc41");
    }

    #[test]
    fn json_is_read_back_as_it_was_without_raw_characters() {
        let json = to_json(&[HOSTILE]);
        assert!(!json.trim_end().chars().any(|c| is_hostile(c) && c != '\n'), "{json}");
        let back: Vec<String> = serde_json::from_str(&json).unwrap();
        assert_eq!(back, [HOSTILE]);
    }

    #[test]
    fn lone_surrogates_stay_different() {
        assert_eq!(from_utf16([0x61, 0xd800]), "a\\u{d800}");
        assert_eq!(from_utf16([0xdfff, 0x62]), "\\u{dfff}b");
        assert_eq!(from_utf16("😀".encode_utf16()), "😀");
    }
}
