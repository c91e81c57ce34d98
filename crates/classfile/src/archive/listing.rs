//! What is found in an archive, in the compact form in which it is kept: a JDK has 27,000 classes,
//! and an allocation for each name would cost more than finding them.

use super::{ClassEntry, EntryId, Limits, ModuleEntry, Nested, Problem, ServiceEntry, too_large};
use crate::error::{Error, Result};

pub(super) struct Listing {
    names: String,
    pub(super) classes: Vec<ClassRecord>,
    pub(super) modules: Vec<ModuleEntry>,
    pub(super) services: Vec<ServiceEntry>,
    pub(super) nested: Vec<Nested>,
    pub(super) problems: Problems,
    pub(super) main_class: Option<String>,
}

/// `start` and `end` are char boundaries of `names`.
pub(super) struct ClassRecord {
    start: u32,
    end: u32,
    entry: EntryId,
    pub(super) module: Option<u32>,
}

impl Listing {
    pub(super) fn new(limits: &Limits) -> Listing {
        Listing {
            names: String::new(),
            classes: Vec::new(),
            modules: Vec::new(),
            services: Vec::new(),
            nested: Vec::new(),
            problems: Problems { list: Vec::new(), max: limits.max_problems },
            main_class: None,
        }
    }

    pub(super) fn reserve(&mut self, classes: usize, name_bytes: usize) {
        self.classes.reserve(classes);
        self.names.reserve(name_bytes);
    }

    /// A class whose name is `package`, then `simple`; a package that is not empty ends in `/`.
    pub(super) fn push_class(
        &mut self,
        package: &str,
        simple: &str,
        entry: EntryId,
        module: Option<u32>,
    ) -> Result<()> {
        let start = self.names.len();
        let end = start.saturating_add(package.len()).saturating_add(simple.len());
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else {
            return Err(too_large("too many bytes of class names", 0, "listing"));
        };
        self.names.push_str(package);
        self.names.push_str(simple);
        self.classes.push(ClassRecord { start, end, entry, module });
        Ok(())
    }

    pub(super) fn class(&self, index: usize) -> ClassEntry<'_> {
        let record = &self.classes[index];
        ClassEntry {
            name: &self.names[record.start as usize..record.end as usize],
            entry: record.entry,
            module: record.module.map(|module| module as usize),
        }
    }
}

pub(super) struct Problems {
    list: Vec<Problem>,
    max: usize,
}

impl Problems {
    pub(super) fn as_slice(&self) -> &[Problem] {
        &self.list
    }

    /// Whether the path of another problem would be of no use.
    pub(super) fn is_full(&self) -> bool {
        self.list.len() >= self.max
    }

    /// Of a hostile archive with a million bad entries, the first few tell enough.
    pub(super) fn push(&mut self, path: &[u8], error: Error) {
        if self.list.len() < self.max {
            let path = String::from_utf8_lossy(path).into_owned();
            self.list.push(Problem { path, error });
        } else if self.list.len() == self.max {
            let error = too_large("more problems than are listed", error.offset, error.context);
            self.list.push(Problem { path: String::new(), error });
        }
    }
}
