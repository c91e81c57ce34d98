//! Interned names: class names, member names, descriptors and string literals of one program.
//!
//! A `Name` stands for exact bytes (modified UTF-8), so equal names are equal ids. Ids depend on the
//! order in which threads met the names: compare them for equality only, and sort by text.
//!
//! Names come from untrusted files, so the hash has a random seed: with a fixed one a file could be
//! full of names that all collide.

use std::borrow::Cow;
use std::hash::BuildHasher;

use classfile::mutf8;
use foldhash::fast::RandomState;

use crate::name_table::NameTable;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u32);

impl Name {
    pub(crate) fn raw(self) -> u32 {
        self.0
    }

    pub(crate) fn from_raw(raw: u32) -> Name {
        Name(raw)
    }
}

/// Nearly all names are short, and with their text in place reading one is one access to memory.
enum Text {
    Short { length: u8, bytes: [u8; Text::SHORT] },
    Long(Box<[u8]>),
}

impl Text {
    const SHORT: usize = 54;

    fn new(text: &[u8]) -> Text {
        let mut bytes = [0; Text::SHORT];
        match bytes.get_mut(..text.len()) {
            Some(place) => {
                place.copy_from_slice(text);
                Text::Short { length: text.len() as u8, bytes }
            }
            None => Text::Long(text.into()),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Text::Short { length, bytes } => &bytes[..usize::from(*length)],
            Text::Long(bytes) => bytes,
        }
    }
}

pub struct Names {
    texts: boxcar::Vec<Text>,
    table: NameTable,
    hasher: RandomState,
}

impl Names {
    pub(crate) fn new() -> Names {
        Names { texts: boxcar::Vec::new(), table: NameTable::new(), hasher: RandomState::default() }
    }

    pub fn intern(&self, text: &[u8]) -> Name {
        let add = || Name(self.texts.push(Text::new(text)) as u32);
        self.table.find_or_add(self.hasher.hash_one(text), |name| self.bytes(name) == text, add)
    }

    /// The name for `text` if anything has it.
    pub fn find(&self, text: &[u8]) -> Option<Name> {
        self.table.find(self.hasher.hash_one(text), |name| self.bytes(name) == text)
    }

    pub fn bytes(&self, name: Name) -> &[u8] {
        self.texts[name.0 as usize].bytes()
    }

    /// For showing: what is no valid text is replaced.
    pub fn text(&self, name: Name) -> Cow<'_, str> {
        mutf8::decode_lossy(self.bytes(name))
    }

    /// The UTF-16 code units of a string literal; what is no valid text is empty.
    pub fn utf16(&self, name: Name) -> Vec<u16> {
        mutf8::decode_utf16(self.bytes(name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_text_is_an_equal_name() {
        let names = Names::new();
        let name = names.intern(b"java/lang/Object");
        assert_eq!(names.intern(b"java/lang/Object"), name);
        assert_ne!(names.intern(b"java/lang/String"), name);
        assert_eq!(names.find(b"java/lang/Object"), Some(name));
        assert_eq!(names.find(b"nobody"), None);
        assert_eq!(names.text(name), "java/lang/Object");
    }

    /// With a fixed seed of a known hash such names can be made at will, and each one that is added
    /// would be compared with all before it: these would take an hour.
    #[test]
    fn names_made_to_collide_do_not() {
        let names = Names::new();
        // FxHash multiplies two halves, of which this start makes one zero.
        let start = 0x243f_6a88_85a3_08d3_u64.to_le_bytes();
        for end in 0..1_000_000_u64 {
            names.intern(&[start, end.to_le_bytes()].concat());
        }
        let longest = names.table.longest_run();
        assert!(longest < 1_000, "{longest}");
    }

    #[test]
    fn texts_of_every_length_come_back() {
        let names = Names::new();
        let text = |length: usize| vec![b'x'; length];
        let interned: Vec<Name> = (0..200).map(|length| names.intern(&text(length))).collect();
        for (length, &name) in interned.iter().enumerate() {
            assert_eq!(names.bytes(name), text(length));
            assert_eq!(names.find(&text(length)), Some(name));
        }
    }

    #[test]
    fn threads_agree() {
        let names = Names::new();
        let intern_all = || (0..1000).map(|i| names.intern(format!("n{i}").as_bytes())).collect();
        let (a, b): (Vec<Name>, Vec<Name>) = std::thread::scope(|scope| {
            let other = scope.spawn(intern_all);
            (intern_all(), other.join().unwrap())
        });
        assert_eq!(a, b);
    }
}
