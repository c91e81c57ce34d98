//! From the entries of a zip to the classes that a JVM would see in it.
//!
//! Of several entries with one path the last wins, as it does for the JVM (`ZipFile` finds the one
//! that it met last). Of several versions of a class the highest up to the chosen release wins. The
//! same class under two roots is listed once, from the root that comes first.

use super::limits::Budget;
use super::listing::Listing;
use super::path::{ClassPath, Layout, Place, classify, find_trick, marks_ear};
use super::text::{Manifest, internal_name, parse_manifest};
use super::zip::Zip;
use super::{Archive, EntryId, Limits, ModuleEntry, Nested, Options, ServiceEntry};
use crate::error::{ErrorKind, Result};
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

pub(super) fn list(
    zip: &Zip,
    layout: Layout,
    options: &Options,
    depth: u32,
    budget: &mut Budget,
    listing: &mut Listing,
) {
    let found = collect_found(zip, layout, listing);
    let manifest = read_manifest(zip, &found, options, budget, listing);
    list_classes(zip, &found, manifest.multi_release, options, budget, listing);
    if layout == Layout::Jmod && !listing.modules.is_empty() {
        listing.classes.iter_mut().for_each(|class| class.module = Some(0));
    }
    list_services(zip, &found, options, budget, listing);
    list_nested(zip, &found, options, depth, budget, listing);
    listing.main_class = manifest.main_class;
}

struct Found<'a> {
    entry: EntryId,
    place: Place<'a>,
}

/// The entries that play a part, each path once.
fn collect_found<'a>(zip: &'a Zip, layout: Layout, listing: &mut Listing) -> Vec<Found<'a>> {
    let mut found: Vec<Found> = Vec::new();
    let mut by_path: HashMap<&[u8], usize> = HashMap::with_capacity(zip.len());
    for (entry, path) in zip.paths() {
        if let Some(trick) = find_trick(path) {
            listing.problems.push(path, zip.fault(entry, ErrorKind::Malformed(trick)));
            continue;
        }
        let place = classify(path, layout);
        if place == Place::Other {
            continue;
        }
        match by_path.entry(path) {
            Slot::Vacant(slot) => {
                slot.insert(found.len());
                found.push(Found { entry, place });
            }
            Slot::Occupied(slot) => {
                found[*slot.get()].entry = entry;
                let rule = "several entries have this path; the last one is used";
                listing.problems.push(path, zip.fault(entry, ErrorKind::Malformed(rule)));
            }
        }
    }
    found
}

fn read_manifest(
    zip: &Zip,
    found: &[Found],
    options: &Options,
    budget: &mut Budget,
    listing: &mut Listing,
) -> Manifest {
    let Some(manifest) = found.iter().find(|found| found.place == Place::Manifest) else {
        return Manifest::default();
    };
    let max_size = options.limits.max_entry_size;
    let content =
        zip.admit(manifest.entry, max_size, budget).and_then(|()| zip.read(manifest.entry));
    match content {
        Ok(text) => parse_manifest(&text),
        Err(error) => {
            listing.problems.push(zip.path_of(manifest.entry), error);
            Manifest::default()
        }
    }
}

struct Chosen<'a> {
    entry: EntryId,
    class: ClassPath<'a>,
    name: &'a str,
}

fn list_classes(
    zip: &Zip,
    found: &[Found],
    multi_release: bool,
    options: &Options,
    budget: &mut Budget,
    listing: &mut Listing,
) {
    let releases = 0..=if multi_release { options.release } else { 0 };
    let mut chosen: Vec<Chosen> = Vec::new();
    let mut by_name: HashMap<&str, usize> = HashMap::with_capacity(found.len());
    for &Found { entry, place } in found {
        let Place::Class(class) = place else { continue };
        if !releases.contains(&class.version) {
            continue;
        }
        let Ok(name) = std::str::from_utf8(class.name) else {
            let rule = "the path is not UTF-8";
            listing.problems.push(zip.path_of(entry), zip.fault(entry, ErrorKind::Malformed(rule)));
            continue;
        };
        match by_name.entry(name) {
            Slot::Vacant(slot) => {
                slot.insert(chosen.len());
                chosen.push(Chosen { entry, class, name });
            }
            Slot::Occupied(slot) => {
                let other = &mut chosen[*slot.get()];
                if class.version > other.class.version {
                    *other = Chosen { entry, class, name };
                } else if class.version == other.class.version {
                    let rule = "the class is also under another root, which is used";
                    listing
                        .problems
                        .push(zip.path_of(entry), zip.fault(entry, ErrorKind::Malformed(rule)));
                }
            }
        }
    }
    chosen.sort_by_key(|chosen| chosen.entry);
    listing.reserve(chosen.len(), chosen.iter().map(|chosen| chosen.name.len()).sum());
    for Chosen { entry, name, .. } in chosen {
        let listed = zip.admit(entry, options.limits.max_entry_size, budget).and_then(|()| {
            if name == "module-info" {
                listing.modules.push(ModuleEntry { name: None, entry });
                Ok(())
            } else {
                listing.push_class("", name, entry, None)
            }
        });
        if let Err(error) = listed {
            listing.problems.push(zip.path_of(entry), error);
        }
    }
}

fn list_services(
    zip: &Zip,
    found: &[Found],
    options: &Options,
    budget: &mut Budget,
    listing: &mut Listing,
) {
    for &Found { entry, place } in found {
        let Place::Service(interface) = place else { continue };
        match zip.admit(entry, options.limits.max_entry_size, budget) {
            Ok(()) => {
                let interface = internal_name(&String::from_utf8_lossy(interface));
                listing.services.push(ServiceEntry { interface, entry });
            }
            Err(error) => listing.problems.push(zip.path_of(entry), error),
        }
    }
}

fn list_nested(
    zip: &Zip,
    found: &[Found],
    options: &Options,
    depth: u32,
    budget: &mut Budget,
    listing: &mut Listing,
) {
    let is_ear = zip.paths().any(|(_, path)| marks_ear(path));
    for &Found { entry, place } in found {
        if place != Place::Library && !(is_ear && place == Place::EarModule) {
            continue;
        }
        let path = zip.path_of(entry);
        match open_nested(zip, entry, options, depth, budget) {
            Ok(archive) => {
                let path = String::from_utf8_lossy(path).into_owned();
                listing.nested.push(Nested { path, archive });
            }
            Err(error) => listing.problems.push(path, error),
        }
    }
}

fn open_nested(
    zip: &Zip,
    entry: EntryId,
    options: &Options,
    depth: u32,
    budget: &mut Budget,
) -> Result<Archive> {
    let &Limits { max_nested_size, max_nesting, .. } = &options.limits;
    if depth >= max_nesting {
        return Err(zip.fault(entry, ErrorKind::TooLarge("archives are nested too deep")));
    }
    zip.admit(entry, max_nested_size, budget)?;
    let bytes = zip.read_up_to(entry, max_nested_size)?;
    Archive::open_zip(bytes, options, depth + 1, budget)
}
