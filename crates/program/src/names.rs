//! Interned names: class names, member names, descriptors and string literals of one program.
//!
//! A `Name` stands for exact bytes (modified UTF-8), so equal names are equal ids. Ids depend on the
//! order in which threads met the names: compare them for equality only, and sort by text.
//!
//! Names come from untrusted files, so the hash has a random seed: with a fixed one a file could be
//! full of names that all collide.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use classfile::mutf8;
use foldhash::fast::RandomState;
use hashbrown::{HashTable, hash_table};

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

const SHARDS: usize = 64;

/// Half of the hash is kept so that a growing table need not read all texts again. Most of interning
/// is waiting for memory, so this is small.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    name: Name,
}

impl Entry {
    /// What the table is searched by: it looks at the low bits for the place and at the top ones
    /// to tell entries apart.
    fn spread(hash: u32) -> u64 {
        u64::from(hash) << 32 | u64::from(hash)
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
    /// By hash, so that two threads seldom want the same lock.
    shards: [Mutex<HashTable<Entry>>; SHARDS],
    hasher: RandomState,
}

impl Names {
    pub(crate) fn new() -> Names {
        Names {
            texts: boxcar::Vec::new(),
            shards: std::array::from_fn(|_| Mutex::new(HashTable::new())),
            hasher: RandomState::default(),
        }
    }

    pub fn intern(&self, text: &[u8]) -> Name {
        let (shard, hash) = self.place(text);
        // A poisoned lock only says that another thread panicked; the table itself is sound.
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |entry: &Entry| entry.hash == hash && self.bytes(entry.name) == text;
        match shard.entry(Entry::spread(hash), is_same, |entry| Entry::spread(entry.hash)) {
            hash_table::Entry::Occupied(found) => found.get().name,
            hash_table::Entry::Vacant(vacant) => {
                let name = Name(self.texts.push(Text::new(text)) as u32);
                vacant.insert(Entry { hash, name });
                name
            }
        }
    }

    /// The name for `text` if anything has it.
    pub fn find(&self, text: &[u8]) -> Option<Name> {
        let (shard, hash) = self.place(text);
        let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |entry: &Entry| entry.hash == hash && self.bytes(entry.name) == text;
        shard.find(Entry::spread(hash), is_same).map(|entry| entry.name)
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

    /// The shard for a text, and the half of its hash that the shard did not use up.
    fn place(&self, text: &[u8]) -> (&Mutex<HashTable<Entry>>, u32) {
        let hash = self.hasher.hash_one(text);
        (&self.shards[(hash >> 32) as usize % SHARDS], hash as u32)
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
        let longest = names.shards.iter().map(|shard| shard.lock().unwrap().len()).max();
        assert!(longest.is_some_and(|longest| longest < 2 * 1_000_000 / SHARDS), "{longest:?}");
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
