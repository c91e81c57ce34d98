//! Containers of class files: jar, war, ear and jmod (all zip), and the `modules` image of a JDK.
//!
//! `Archive::open` lists what is inside; `Archive::read` hands out the bytes of one entry. A listing
//! inflates nothing but the manifest and nested jars, and stored entries are slices of the bytes that
//! were handed in. Deliberately absent: IO, extraction to a file system, signatures of signed jars,
//! the order of several archives on a class path, and any look into the classes themselves.
//!
//! Invariants:
//! - A listing is a pure function of the bytes and the options.
//! - Whatever the bytes say: no panic, no read outside of them, no allocation beyond `Limits`. What
//!   cannot be trusted is left out and named in `problems`; only an archive of which nothing can be
//!   listed is an `Err`.
//! - Names are internal names (`java/util/Map$Entry`), also where the archive writes them with dots.

mod image;
mod inflate;
mod jar;
mod limits;
mod listing;
mod path;
mod text;
mod zip;

#[cfg(test)]
mod tests;

use crate::error::{Error, ErrorKind, Result};
use bytes::Bytes;
use image::Image;
use limits::Budget;
use listing::Listing;
use std::fmt;
use zip::Zip;

pub use limits::Limits;
pub use text::parse_providers;

#[derive(Debug, Clone)]
pub struct Options {
    /// The Java feature release whose classes are chosen from a multi-release jar: 8, 17, 25.
    pub release: u16,
    pub limits: Limits,
}

impl Options {
    pub fn new(release: u16) -> Options {
        Options { release, limits: Limits::default() }
    }
}

/// One jar, war, ear, jmod or JDK image, listed and ready to be read from many threads.
pub struct Archive {
    source: Source,
    listing: Listing,
}

enum Source {
    Zip(Zip),
    Image(Image),
}

/// Names an entry of the archive that listed it; meaningless in any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassEntry<'a> {
    /// What the path promises; the class file itself may say otherwise.
    pub name: &'a str,
    pub entry: EntryId,
    /// Index into `modules()`: for a JDK image or a jmod. In a jar it is the user's choice of path,
    /// not the jar, that decides whether its classes are in a module.
    pub module: Option<usize>,
}

/// A `module-info.class`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleEntry {
    /// Known without reading the entry only in a JDK image.
    pub name: Option<String>,
    pub entry: EntryId,
}

/// A file `META-INF/services/...`; its content is for `parse_providers`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceEntry {
    pub interface: String,
    pub entry: EntryId,
}

/// An archive inside an archive, on whose class path it is.
#[derive(Debug)]
pub struct Nested {
    /// Its path in the outer archive: `BOOT-INF/lib/x.jar`.
    pub path: String,
    pub archive: Archive,
}

/// Something that was left out of the listing, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The entry's path, or nothing if it is about the archive itself. Untrusted text.
    pub path: String,
    pub error: Error,
}

impl Archive {
    /// Lists an archive, whose kind its first bytes tell.
    pub fn open(bytes: Bytes, options: &Options) -> Result<Archive> {
        let mut budget = Budget::new(&options.limits);
        if !Image::has_magic(&bytes) {
            return Archive::open_zip(bytes, options, 0, &mut budget);
        }
        let image = Image::parse(bytes, &options.limits)?;
        let listing = image.list(&mut budget)?;
        Ok(Archive { source: Source::Image(image), listing })
    }

    fn open_zip(
        bytes: Bytes,
        options: &Options,
        depth: u32,
        budget: &mut Budget,
    ) -> Result<Archive> {
        let mut listing = Listing::new(&options.limits);
        let (layout, bytes) = if bytes.starts_with(path::JMOD_MAGIC) {
            (path::Layout::Jmod, bytes.slice(path::JMOD_MAGIC.len()..))
        } else {
            (path::Layout::Jar, bytes)
        };
        let zip = Zip::open(bytes, options.limits.max_entry_size, budget, &mut listing.problems)?;
        jar::list(&zip, layout, options, depth, budget, &mut listing);
        Ok(Archive { source: Source::Zip(zip), listing })
    }

    /// Every class but `module-info`. Jars and jmods: the chosen one of several versions, in the
    /// order of the archive. Images: by module, package and simple name.
    pub fn classes(
        &self,
    ) -> impl ExactSizeIterator<Item = ClassEntry<'_>> + DoubleEndedIterator + Clone {
        (0..self.listing.classes.len()).map(|index| self.listing.class(index))
    }

    /// One of `classes()`, by its position.
    pub fn class(&self, index: usize) -> ClassEntry<'_> {
        self.listing.class(index)
    }

    pub fn modules(&self) -> &[ModuleEntry] {
        &self.listing.modules
    }

    /// Of jars only: in a module it is the descriptor that says what is provided.
    pub fn services(&self) -> &[ServiceEntry] {
        &self.listing.services
    }

    pub fn nested(&self) -> &[Nested] {
        &self.listing.nested
    }

    /// Moves the nested archives out.
    pub fn take_nested(&mut self) -> Vec<Nested> {
        std::mem::take(&mut self.listing.nested)
    }

    /// Of this archive; the nested ones have their own.
    pub fn problems(&self) -> &[Problem] {
        self.listing.problems.as_slice()
    }

    /// `Main-Class` of the manifest.
    pub fn main_class(&self) -> Option<&str> {
        self.listing.main_class.as_deref()
    }

    /// The path and the checksum of everything that is no class, in the order of the archive. An image
    /// has none.
    pub fn resources(&self) -> Vec<(&[u8], u32)> {
        match &self.source {
            Source::Zip(zip) => zip.checksums().filter(|(path, _)| !is_class(path)).collect(),
            Source::Image(_) => Vec::new(),
        }
    }

    /// The content of an entry, its checksum verified if the format has one.
    pub fn read(&self, entry: EntryId) -> Result<Bytes> {
        match &self.source {
            Source::Zip(zip) => zip.read(entry),
            Source::Image(image) => image.read(entry),
        }
    }
}

fn is_class(path: &[u8]) -> bool {
    path.ends_with(b".class") || path.ends_with(b"/")
}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archive")
            .field("classes", &self.listing.classes.len())
            .field("modules", &self.listing.modules.len())
            .field("nested", &self.listing.nested)
            .field("problems", &self.problems())
            .finish_non_exhaustive()
    }
}

fn malformed(rule: &'static str, offset: usize, context: &'static str) -> Error {
    Error::new(ErrorKind::Malformed(rule), offset, context)
}

fn too_large(limit: &'static str, offset: usize, context: &'static str) -> Error {
    Error::new(ErrorKind::TooLarge(limit), offset, context)
}
