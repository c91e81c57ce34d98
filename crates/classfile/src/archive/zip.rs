//! The entries of a zip: where they are, whether that can be true, and their content.
//!
//! The central directory alone is believed; local headers are touched only when an entry is read.
//! Not here: what the entries mean (`path`, `jar`). Invariant: entries that were not refused occupy
//! ranges that do not overlap, so the content of an archive is bounded by its length.

use super::inflate::{At, Format, inflate, is_plausible};
use super::limits::Budget;
use super::listing::Problems;
use super::{EntryId, malformed, too_large};
use crate::error::{Error, ErrorKind, Result};
use bytes::Bytes;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};

const DIRECTORY: &str = "zip central directory";
const ENTRY: &str = "zip entry";
const LOCAL_HEADER_SIZE: u64 = 30;
const CENTRAL_HEADER_SIZE: u64 = 46;
const OVERLAP: &str = "the entry overlaps another one or the directory";

pub(super) struct Zip {
    archive: ZipSliceArchive<Bytes>,
    entries: Vec<Entry>,
    max_entry_size: u64,
}

struct Entry {
    wayfinder: ZipArchiveEntryWayfinder,
    crc: u32,
    method: CompressionMethod,
    encrypted: bool,
    /// Of the local header.
    offset: u64,
    /// Where the next entry or the directory starts; 0 if the entry is refused.
    limit: u64,
    path_offset: u64,
    path_length: usize,
}

impl Zip {
    pub(super) fn open(
        bytes: Bytes,
        max_entry_size: u64,
        budget: &mut Budget,
        problems: &mut Problems,
    ) -> Result<Zip> {
        let archive = locate(bytes)?;
        let mut zip = Zip { archive, entries: Vec::new(), max_entry_size };
        zip.parse_directory(budget, problems)?;
        for index in zip.refuse_overlaps() {
            let entry = &zip.entries[index];
            problems.push(zip.path(entry), malformed(OVERLAP, to_usize(entry.offset), ENTRY));
        }
        Ok(zip)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The paths of the entries, in the order of the central directory; refused ones are left out.
    pub(super) fn paths(&self) -> impl Iterator<Item = (EntryId, &[u8])> {
        (0u32..)
            .zip(&self.entries)
            .filter(|(_, entry)| entry.limit > 0)
            .map(|(index, entry)| (EntryId(index), self.path(entry)))
    }

    /// The paths with what the directory says of their content; refused ones are left out.
    pub(super) fn checksums(&self) -> impl Iterator<Item = (&[u8], u32)> {
        let entries = self.entries.iter().filter(|entry| entry.limit > 0);
        entries.map(|entry| (self.path(entry), entry.crc))
    }

    pub(super) fn path_of(&self, id: EntryId) -> &[u8] {
        self.entries.get(id.0 as usize).map(|entry| self.path(entry)).unwrap_or_default()
    }

    /// An error about what the directory says of an entry.
    pub(super) fn fault(&self, id: EntryId, kind: ErrorKind) -> Error {
        let offset = self.entries.get(id.0 as usize).map_or(0, |entry| entry.path_offset);
        Error::new(kind, to_usize(offset), DIRECTORY)
    }

    /// Whether what the directory declares for an entry can be true and is affordable.
    pub(super) fn admit(&self, id: EntryId, max_size: u64, budget: &mut Budget) -> Result<()> {
        let entry = self.entry(id)?;
        let (compressed, size) =
            (entry.wayfinder.compressed_size_hint(), entry.wayfinder.uncompressed_size_hint());
        if size > max_size {
            return Err(too_large("the entry is too large", to_usize(entry.offset), ENTRY));
        }
        if !is_plausible(compressed, size) {
            let rule = "the size is more than the stream can hold";
            return Err(malformed(rule, to_usize(entry.offset), ENTRY));
        }
        budget.charge_bytes(size, to_usize(entry.offset), ENTRY)
    }

    pub(super) fn read(&self, id: EntryId) -> Result<Bytes> {
        self.read_up_to(id, self.max_entry_size)
    }

    pub(super) fn read_up_to(&self, id: EntryId, max_size: u64) -> Result<Bytes> {
        let entry = self.entry(id)?;
        let at = At { offset: to_usize(entry.offset), context: ENTRY };
        let size = entry.wayfinder.uncompressed_size_hint();
        if size > max_size {
            return Err(too_large("the entry is too large", at.offset, at.context));
        }
        if entry.encrypted {
            return Err(malformed("the entry is encrypted", at.offset, at.context));
        }
        let stream = self.stream(entry)?;
        let content = match entry.method {
            CompressionMethod::STORE if stream.len() as u64 == size => stream,
            CompressionMethod::STORE => {
                return Err(malformed("the sizes of a stored entry differ", at.offset, at.context));
            }
            CompressionMethod::DEFLATE => inflate(Format::Deflate, &stream, size, at)?,
            _ => return Err(malformed("unknown compression method", at.offset, at.context)),
        };
        if libdeflater::crc32(&content) != entry.crc {
            return Err(malformed("wrong checksum", at.offset, at.context));
        }
        Ok(content)
    }

    fn entry(&self, id: EntryId) -> Result<&Entry> {
        let entry = self.entries.get(id.0 as usize).ok_or(Error::new(
            ErrorKind::BadIndex(id.0),
            0,
            DIRECTORY,
        ))?;
        if entry.limit == 0 {
            return Err(malformed(OVERLAP, to_usize(entry.offset), ENTRY));
        }
        Ok(entry)
    }

    /// The bytes between the local header and the limit that the entry really occupies.
    fn stream(&self, entry: &Entry) -> Result<Bytes> {
        let located = self
            .archive
            .get_entry(entry.wayfinder)
            .map_err(|error| convert(&error, entry.offset, ENTRY))?;
        let (start, end) = located.compressed_data_range();
        if end > entry.limit {
            return Err(malformed(OVERLAP, to_usize(entry.offset), ENTRY));
        }
        Ok(self.archive.get_ref().slice(to_usize(start)..to_usize(end)))
    }

    fn path(&self, entry: &Entry) -> &[u8] {
        let start = to_usize(entry.path_offset);
        let end = start.saturating_add(entry.path_length);
        self.archive.get_ref().get(start..end).unwrap_or_default()
    }

    /// A directory that breaks off leaves the entries before that point, and a problem.
    fn parse_directory(&mut self, budget: &mut Budget, problems: &mut Problems) -> Result<()> {
        let declared = self.archive.entries_hint();
        let mut records = self.archive.entries();
        let broken = loop {
            match records.next_entry() {
                Ok(Some(record)) => {
                    budget.charge_entries(
                        1,
                        to_usize(record.central_directory_offset()),
                        DIRECTORY,
                    )?;
                    self.entries.push(Entry {
                        wayfinder: record.wayfinder(),
                        crc: record.crc32(),
                        method: record.compression_method(),
                        encrypted: record.flags().is_encrypted(),
                        offset: record.local_header_offset(),
                        limit: 0,
                        path_offset: record.central_directory_offset() + CENTRAL_HEADER_SIZE,
                        path_length: record.file_path().as_bytes().len(),
                    });
                }
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        let offset = self.archive.directory_offset();
        // Old tools count modulo 65536 and never write zip64.
        let complete = self.entries.len() as u64 & 0xffff == declared & 0xffff;
        match broken {
            _ if complete => {}
            Some(error) => problems.push(b"", convert(&error, offset, DIRECTORY)),
            None => {
                let rule = "the number of entries differs from the declared one";
                problems.push(b"", malformed(rule, to_usize(offset), DIRECTORY));
            }
        }
        Ok(())
    }

    /// Gives every entry its limit but those that share bytes: the trick by which a small archive
    /// holds petabytes. The directory gives only lower bounds of the ends, because the length of a
    /// local header is unknown until it is read; `stream` checks the rest.
    fn refuse_overlaps(&mut self) -> Vec<usize> {
        let directory = self.archive.directory_offset();
        let entries = &mut self.entries;
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_key(|&index| entries[index].offset);
        let mut refused = Vec::new();
        let mut reach: Option<(u64, usize)> = None;
        let mut limit_of: Option<usize> = None;
        for index in order {
            let offset = entries[index].offset;
            let end = offset
                .saturating_add(LOCAL_HEADER_SIZE)
                .saturating_add(entries[index].wayfinder.compressed_size_hint());
            if let Some(previous) = limit_of.replace(index) {
                entries[previous].limit = offset;
            }
            if end > directory {
                // A lie by itself, so it says nothing about those that it claims to cover.
                refused.push(index);
                continue;
            }
            if let Some((_, other)) = reach.filter(|&(reach, _)| offset < reach) {
                refused.extend([other, index]);
            }
            if reach.is_none_or(|(reach, _)| end > reach) {
                reach = Some((end, index));
            }
        }
        if let Some(last) = limit_of {
            entries[last].limit = directory;
        }
        refused.sort_unstable();
        refused.dedup();
        for &index in &refused {
            entries[index].limit = 0;
        }
        refused
    }
}

/// Finds the directory, also behind bytes that were put in front of the archive.
fn locate(bytes: Bytes) -> Result<ZipSliceArchive<Bytes>> {
    let located = ZipArchive::from_slice(bytes.clone());
    let end = match &located {
        Ok(archive) => Some(archive.eocd_offset()),
        Err(error) => error.eocd_offset(),
    };
    let shift = end.and_then(|end| zip64_shift(&bytes, to_usize(end)));
    let located = match shift {
        Some(shift) => ZipArchive::from_slice(bytes.slice(shift..)),
        None => located,
    };
    located.map_err(|error| match error.eocd_offset() {
        Some(offset) => convert(&error, offset, "zip end of central directory"),
        None if bytes.starts_with(b"PK") => {
            malformed("the end of the central directory is missing", bytes.len(), "zip")
        }
        None => Error::new(ErrorKind::BadMagic, 0, "archive"),
    })
}

/// How far the zip64 end record is from where its locator claims. `rawzip` allows for bytes in front
/// of an archive only without zip64.
fn zip64_shift(bytes: &[u8], end: usize) -> Option<usize> {
    const LOCATOR_SIZE: usize = 20;
    const RECORD_SIZE: usize = 56;
    let locator = bytes.get(end.checked_sub(LOCATOR_SIZE)?..)?;
    let record_offset = end.checked_sub(LOCATOR_SIZE + RECORD_SIZE)?;
    if !locator.starts_with(b"PK\x06\x07") || !bytes[record_offset..].starts_with(b"PK\x06\x06") {
        return None;
    }
    let claimed = u64::from_le_bytes(*locator.get(8..)?.first_chunk()?);
    record_offset.checked_sub(usize::try_from(claimed).ok()?).filter(|&shift| shift > 0)
}

fn convert(error: &rawzip::Error, offset: u64, context: &'static str) -> Error {
    let kind = match error.kind() {
        rawzip::ErrorKind::Eof => ErrorKind::Truncated,
        rawzip::ErrorKind::InvalidSignature { .. } => ErrorKind::BadMagic,
        _ => ErrorKind::Malformed("not a valid zip structure"),
    };
    Error::new(kind, to_usize(offset), context)
}

/// For offsets that are inside the bytes, or that only go into an error.
fn to_usize(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
