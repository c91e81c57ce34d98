//! Texts that tell two versions apart: variations of what the code mentions, and a few that are odd
//! anyhow.

use std::sync::Arc;

use program::{Name, Program, Role};

/// Letters that fold or count in odd ways, characters of patterns, and texts of one hash.
const ODD: [&str; 5] = ["\u{2003} a\t", "\u{1f600}", "\u{130}i", "aXbXc", "\u{df}"];
const ODD_ALONE: [&str; 8] =
    ["Aa", "BB", "2147483648", "-2147483648", "007", "a.b.c", "TRUE", "[a](b)*$1\\d+"];

/// In what ways the code mentions them.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Literals.
    pub(super) texts: Vec<Vec<u16>>,
    /// Names of constants of enums.
    pub(super) names: Vec<Vec<u16>>,
    /// Characters that may separate something.
    pub(super) marks: Vec<u16>,
    /// Numbers that a hash code may be compared with.
    pub(super) hashes: Vec<i32>,
}

impl Words {
    /// The names of an enum's constants.
    pub(super) fn add_constants(&mut self, program: &Program, class: Name) {
        const MOST_NAMES: usize = 4;
        let judged = program.find_class(class).filter(|&id| program.role(id) == Role::Judged);
        let Some(class) = judged.and_then(|id| program.class(id)) else { return };
        for (_, field) in class.fields().filter(|(_, field)| field.access_flags.is_enum()) {
            let name = program.names.utf16(field.name);
            if self.names.len() < MOST_NAMES && !self.names.contains(&name) {
                self.names.push(name);
            }
        }
    }

    /// All of them, without repetition, the mentioned ones first.
    pub(super) fn all(&self) -> Vec<Arc<[u16]>> {
        let mut found: Vec<Vec<u16>> = Vec::new();
        for text in self.texts.iter().cloned().chain(ODD.map(units)) {
            let padded = [&[u16::from(b' ')][..], &text, &text].concat();
            found.extend([text, padded]);
        }
        for text in self.texts.iter().chain(&self.names) {
            found.extend([text.clone(), upper(text), lower(text), around(text)]);
        }
        for &mark in &self.marks {
            let mark = [mark];
            found.extend([around(&mark), mark.to_vec(), [&mark[..], &units("ab")].concat()]);
            found.push([&units("ab"), &mark[..]].concat());
        }
        found.extend(self.hashes.iter().map(|&hash| with_hash(hash)));
        found.extend(ODD_ALONE.map(units));
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|text| seen.insert(text.clone()));
        found.into_iter().map(Arc::from).collect()
    }
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn upper(text: &[u16]) -> Vec<u16> {
    text.iter()
        .map(|&unit| u8::try_from(unit).map_or(unit, |it| it.to_ascii_uppercase().into()))
        .collect()
}

fn lower(text: &[u16]) -> Vec<u16> {
    text.iter()
        .map(|&unit| u8::try_from(unit).map_or(unit, |it| it.to_ascii_lowercase().into()))
        .collect()
}

/// Something that comes twice, with letters around it.
fn around(mark: &[u16]) -> Vec<u16> {
    let [a, b, c] = [b'a', b'b', b'c'].map(|letter| [u16::from(letter)]);
    [&a[..], mark, &b, mark, &c].concat()
}

/// A text of letters and the like whose `String.hashCode()` is this.
fn with_hash(hash: i32) -> Vec<u16> {
    const LENGTH: u32 = 7;
    const FIRST: u32 = 64;
    let of_firsts = (0..LENGTH).fold(0u32, |sum, _| sum.wrapping_mul(31).wrapping_add(FIRST));
    let mut rest = (hash as u32).wrapping_sub(of_firsts);
    let mut found = vec![0; LENGTH as usize];
    for unit in found.iter_mut().rev() {
        *unit = (FIRST + rest % 31) as u16;
        rest /= 31;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::with_hash;

    #[test]
    fn texts_have_the_hash_that_is_asked_for() {
        for hash in [0, 1, -1, 31_415_926, i32::MAX, i32::MIN] {
            let found = with_hash(hash)
                .iter()
                .fold(0i32, |sum, &unit| sum.wrapping_mul(31).wrapping_add(i32::from(unit)));
            assert_eq!(found, hash);
        }
    }
}
