//! The classes of an image, sorted by module, package and simple name.
//!
//! The table is in the order of its hash, and sorting 27,000 long names would take longer than all
//! the rest. So classes are gathered by package; within one the first eight bytes of the simple name
//! decide nearly always.

use super::super::limits::Budget;
use super::super::listing::Listing;
use super::super::path::find_trick;
use super::super::{EntryId, ModuleEntry, malformed, too_large};
use super::{Image, LOCATION, Location};
use crate::error::{Error, Result};
use std::collections::HashMap;

/// Names may share their bytes in the string table, so its size does not bound theirs.
const MAX_NAME_BYTES: usize = 64 << 20;

impl Image {
    pub(in super::super) fn list(&self, budget: &mut Budget) -> Result<Listing> {
        let mut listing = Listing::new(&self.limits);
        let Packages { mut list, name_bytes, .. } = self.find_classes(budget, &mut listing)?;
        list.sort_unstable_by(|a, b| (a.module, a.path).cmp(&(b.module, b.path)));
        listing.reserve(list.iter().map(|package| package.classes.len()).sum(), name_bytes);
        for package in &mut list {
            package.classes.sort_unstable();
            self.push_package(package, &mut listing)?;
        }
        Ok(listing)
    }

    fn find_classes(&self, budget: &mut Budget, listing: &mut Listing) -> Result<Packages<'_>> {
        budget.charge_entries(u64::from(self.table_length), self.offsets, LOCATION)?;
        let candidates = self.find_candidates(budget, listing)?;
        let mut packages = Packages::default();
        for candidate in &candidates {
            if let Err(error) = self.add_class(candidate, &mut packages) {
                self.report(candidate.entry, error, listing);
            }
            if packages.name_bytes > MAX_NAME_BYTES {
                return Err(too_large("too many bytes of class names", self.strings, LOCATION));
            }
        }
        Ok(packages)
    }

    /// The locations with the right extension, by the place of their names: jlink writes the strings
    /// package by package, and in any other order most of the time would go into cache misses.
    fn find_candidates(
        &self,
        budget: &mut Budget,
        listing: &mut Listing,
    ) -> Result<Vec<Candidate>> {
        let table = &self.bytes[self.offsets..self.locations];
        let mut candidates = Vec::with_capacity(table.len() / 4);
        for slot in (0..table.len()).step_by(4) {
            let entry = EntryId(self.order.u4(table, slot, LOCATION)?);
            let location = match self.location(entry.0) {
                Ok(location) => location,
                Err(error) => {
                    self.report(entry, error, listing);
                    continue;
                }
            };
            let Location { module, parent, base, extension, size, .. } = location;
            if !self.strings_from(extension).starts_with(b"class\0") {
                continue;
            }
            match self.admit(entry, size, budget) {
                Ok(()) => candidates.push(Candidate { base, entry, module, parent }),
                Err(error) => self.report(entry, error, listing),
            }
        }
        candidates.sort_unstable_by_key(|candidate| (candidate.base, candidate.entry));
        Ok(candidates)
    }

    /// Adds a class to its package, unless it is part of the trees that index packages.
    fn add_class<'a>(&'a self, candidate: &Candidate, packages: &mut Packages<'a>) -> Result<()> {
        let &Candidate { base, entry, module, parent } = candidate;
        let at = self.locations + entry.0 as usize;
        let offsets = (module, parent);
        let index = match packages.last {
            Some((last, index)) if last == offsets => index,
            _ => match packages.by_offsets.get(&offsets) {
                Some(&index) => index,
                None => {
                    let (module, path) = (self.string(module)?, self.string(parent)?);
                    if matches!(module, b"modules" | b"packages") {
                        return Ok(());
                    }
                    let index = packages.index_of(module, path, at)?;
                    packages.by_offsets.insert(offsets, index);
                    index
                }
            },
        };
        packages.last = Some((offsets, index));
        let name = simple_name(self.string(base)?, at)?;
        let package = &mut packages.list[index];
        packages.name_bytes += package.path.len() + 1 + name.len();
        package.classes.push(Simple { prefix: prefix_of(name), name, entry });
        Ok(())
    }

    fn push_package(&self, package: &Package, listing: &mut Listing) -> Result<()> {
        // The descriptor is in no package, and that one comes first of a module's.
        let is_descriptor = |name| name == "module-info" && package.path.is_empty();
        if let Some(info) = package.classes.iter().find(|class| is_descriptor(class.name)) {
            let name = Some(package.module.to_string());
            listing.modules.push(ModuleEntry { name, entry: info.entry });
        }
        let module = match listing.modules.last() {
            Some(last) if last.name.as_deref() == Some(package.module) => {
                Some((listing.modules.len() - 1) as u32)
            }
            _ => None,
        };
        let prefix =
            if package.path.is_empty() { String::new() } else { format!("{}/", package.path) };
        let mut previous = None;
        for &Simple { name, entry, .. } in &package.classes {
            if previous.replace(name) == Some(name) {
                let rule = "several locations have this path; the first one is used";
                let at = self.locations + entry.0 as usize;
                self.report(entry, malformed(rule, at, LOCATION), listing);
            } else if name != "module-info" {
                listing.push_class(&prefix, name, entry, module)?;
            }
        }
        Ok(())
    }

    fn admit(&self, entry: EntryId, size: u64, budget: &mut Budget) -> Result<()> {
        let at = self.locations + entry.0 as usize;
        if size > self.limits.max_entry_size {
            return Err(too_large("the entry is too large", at, LOCATION));
        }
        budget.charge_bytes(size, at, LOCATION)
    }

    /// A problem with the path of the location as far as it can be read.
    fn report(&self, entry: EntryId, error: Error, listing: &mut Listing) {
        let path = match self.location(entry.0) {
            Ok(location) if !listing.problems.is_full() => {
                let parts = [location.module, location.parent, location.base, location.extension];
                let [module, parent, base, extension] = parts
                    .map(|part| String::from_utf8_lossy(self.string(part).unwrap_or_default()));
                format!("/{module}/{parent}/{base}.{extension}")
            }
            _ => String::new(),
        };
        listing.problems.push(path.as_bytes(), error);
    }
}

struct Candidate {
    base: u32,
    entry: EntryId,
    module: u32,
    parent: u32,
}

/// The packages found so far, each once, although a damaged image may hold a name several times.
#[derive(Default)]
struct Packages<'a> {
    list: Vec<Package<'a>>,
    by_offsets: HashMap<(u32, u32), usize>,
    /// The entry of `by_offsets` that was used last, and mostly is next.
    last: Option<((u32, u32), usize)>,
    by_name: HashMap<(&'a str, &'a str), usize>,
    name_bytes: usize,
}

struct Package<'a> {
    module: &'a str,
    path: &'a str,
    classes: Vec<Simple<'a>>,
}

/// A class by its simple name. The order of the fields is the order of the listing.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Simple<'a> {
    prefix: u64,
    name: &'a str,
    entry: EntryId,
}

impl<'a> Packages<'a> {
    fn index_of(&mut self, module: &'a [u8], path: &'a [u8], at: usize) -> Result<usize> {
        let is_trick = !path.is_empty() && (find_trick(path).is_some() || path.ends_with(b"/"));
        if is_trick || find_trick(module).is_some() || module.contains(&b'/') {
            return Err(malformed("not a module and a package", at, LOCATION));
        }
        let (Ok(module), Ok(path)) = (std::str::from_utf8(module), std::str::from_utf8(path))
        else {
            return Err(malformed("the path is not UTF-8", at, LOCATION));
        };
        let Packages { list, by_name, .. } = self;
        Ok(*by_name.entry((module, path)).or_insert_with(|| {
            list.push(Package { module, path, classes: Vec::new() });
            list.len() - 1
        }))
    }
}

fn simple_name(name: &[u8], at: usize) -> Result<&str> {
    // Not `any`, whose early exit would keep the loop from becoming vector code.
    let is_path =
        name.iter().fold(false, |found, &byte| found | matches!(byte, b'/' | b'\\' | b':'));
    if is_path || matches!(name, b"" | b"." | b"..") {
        return Err(malformed("not the name of a class", at, LOCATION));
    }
    std::str::from_utf8(name).map_err(|_| malformed("the path is not UTF-8", at, LOCATION))
}

fn prefix_of(name: &str) -> u64 {
    let mut prefix = [0; 8];
    let length = name.len().min(8);
    prefix[..length].copy_from_slice(&name.as_bytes()[..length]);
    u64::from_be_bytes(prefix)
}
