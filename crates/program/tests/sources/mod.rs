//! Class files and JDK classes as a `Program`, for the tests beside this directory.

#![allow(dead_code, reason = "each test uses its part")]

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use bytes::Bytes;
use classfile::ClassFile;
use classfile::archive::{Archive, EntryId, Options};
use program::{ClassId, ClassSource, Name, Program, Role};
use testkit::jdk;

/// Classes in memory, by the name that they have inside.
#[derive(Default)]
pub(crate) struct Classes {
    files: Vec<(Vec<u8>, Bytes)>,
}

impl Classes {
    /// Every class file below a directory, in the order of the paths.
    pub(crate) fn below(directory: &Path) -> Result<Classes> {
        let mut classes = Classes::default();
        classes.walk(directory)?;
        Ok(classes)
    }

    pub(crate) fn add(&mut self, bytes: Vec<u8>) -> Result<()> {
        let bytes = Bytes::from(bytes);
        let file = ClassFile::parse(bytes.clone())?;
        let name = file.bytes(file.this_class).to_vec();
        self.files.retain(|(known, _)| *known != name);
        self.files.push((name, bytes));
        Ok(())
    }

    /// As if the file had been deleted.
    pub(crate) fn without(mut self, name: &str) -> Classes {
        let before = self.files.len();
        self.files.retain(|(known, _)| known != name.as_bytes());
        assert_eq!(self.files.len() + 1, before, "no class {name}");
        self
    }

    /// Judged, in front of the classes of the current JDK.
    pub(crate) fn program(self) -> Result<Program> {
        let platform: (Role, Box<dyn ClassSource>) =
            (Role::Platform, Box::new(Platform::current()?));
        Ok(Program::new(vec![(Role::Judged, Box::new(self)), platform]))
    }

    fn walk(&mut self, directory: &Path) -> Result<()> {
        let entries = fs::read_dir(directory)
            .with_context(|| format!("cannot read {}", directory.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.walk(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "class") {
                self.add(fs::read(&path)?)?;
            }
        }
        Ok(())
    }
}

impl ClassSource for Classes {
    fn label(&self) -> &str {
        "test"
    }

    fn class_names(&self) -> Box<dyn Iterator<Item = Cow<'_, [u8]>> + '_> {
        Box::new(self.files.iter().map(|(name, _)| Cow::Borrowed(&name[..])))
    }

    fn read(&self, index: usize) -> Result<Bytes, String> {
        Ok(self.files[index].1.clone())
    }

    fn is_exported(&self, _index: usize) -> bool {
        true
    }
}

/// The classes of the JDK that tests run with.
pub(crate) struct Platform {
    archive: Archive,
    entries: Vec<EntryId>,
}

impl Platform {
    pub(crate) fn current() -> Result<Platform> {
        static IMAGE: OnceLock<Bytes> = OnceLock::new();
        let jdk = jdk::current()?;
        let image = jdk.home.join("lib/modules");
        let bytes = match IMAGE.get() {
            Some(bytes) => bytes.clone(),
            None => {
                let bytes =
                    fs::read(&image).with_context(|| format!("cannot read {}", image.display()))?;
                IMAGE.get_or_init(|| bytes.into()).clone()
            }
        };
        let archive = Archive::open(bytes, &Options::new(jdk.feature as u16))?;
        let entries = archive.classes().map(|class| class.entry).collect();
        Ok(Platform { archive, entries })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.archive.classes().map(|class| class.name)
    }
}

impl ClassSource for Platform {
    fn label(&self) -> &str {
        "jdk"
    }

    fn class_names(&self) -> Box<dyn Iterator<Item = Cow<'_, [u8]>> + '_> {
        Box::new(self.archive.classes().map(|class| Cow::Borrowed(class.name.as_bytes())))
    }

    fn read(&self, index: usize) -> Result<Bytes, String> {
        self.archive.read(self.entries[index]).map_err(|error| error.to_string())
    }

    fn is_exported(&self, _index: usize) -> bool {
        true
    }
}

/// The id of a class that must be there.
pub(crate) fn class(program: &Program, name: &str) -> ClassId {
    program.find_class_text(name).unwrap_or_else(|| panic!("no class {name}"))
}

pub(crate) fn name(program: &Program, text: &str) -> Name {
    program.names.intern(text.as_bytes())
}
