//! The `modules` file of a JDK (jimage 1.x): a header, a perfect hash table, the attributes of the
//! resources' locations, their strings, and the contents.
//!
//! Only listed and read by location here; the hash table is skipped, because whoever lists all
//! classes needs no second index. The trees `/modules` and `/packages`, by which the JDK finds a
//! package's module, are left out. Invariant: an `EntryId` is the offset of a location's attributes,
//! decoded and checked anew on each read.

use super::inflate::{At, Format, inflate};
use super::limits::Limits;
use super::{EntryId, malformed, too_large};
use crate::error::{Error, ErrorKind, Result};
use bytes::Bytes;
use std::ffi::CStr;

mod list;

const HEADER: &str = "jimage header";
const LOCATION: &str = "jimage location";
const RESOURCE: &str = "jimage resource";
const MAGIC: u32 = 0xCAFE_DADA;
const RESOURCE_MAGIC: u32 = 0xCAFE_FAFA;
const RESOURCE_HEADER_SIZE: usize = 29;
/// jlink applies at most two compressors one after the other.
const MAX_COMPRESSORS: usize = 4;
/// Seven are defined. Without a bound every location could lead through the whole table.
const MAX_ATTRIBUTES: usize = 32;
/// No name of a JDK comes near it. Without a bound every search for a NUL could be as long as the
/// table.
const MAX_STRING: usize = 8 << 10;

pub(super) struct Image {
    bytes: Bytes,
    order: ByteOrder,
    /// How many slots the hash table has, and as many offsets of locations.
    table_length: u32,
    /// Where each part starts; all lie inside of `bytes`.
    offsets: usize,
    locations: usize,
    strings: usize,
    contents: usize,
    limits: Limits,
}

/// Written in the order of the machine that the JDK is for.
#[derive(Clone, Copy)]
enum ByteOrder {
    Big,
    Little,
}

/// The attributes of a location; strings as offsets. What a stream does not mention is 0.
#[derive(Default)]
struct Location {
    module: u32,
    parent: u32,
    base: u32,
    extension: u32,
    offset: u64,
    compressed: u64,
    size: u64,
}

impl Image {
    pub(super) fn has_magic(bytes: &[u8]) -> bool {
        ByteOrder::detect(bytes).is_some()
    }

    pub(super) fn parse(bytes: Bytes, limits: &Limits) -> Result<Image> {
        let order = ByteOrder::detect(&bytes).ok_or(Error::new(ErrorKind::BadMagic, 0, HEADER))?;
        let field = |index: usize| order.u4(&bytes, 4 * index, HEADER);
        let version = field(1)?;
        if version >> 16 != 1 {
            return Err(Error::new(
                ErrorKind::UnsupportedVersion((version >> 16) as u16),
                4,
                HEADER,
            ));
        }
        let (table_length, locations_size, strings_size) = (field(4)?, field(5)?, field(6)?);
        if u64::from(table_length) > limits.max_entries {
            return Err(too_large("too many entries", 16, HEADER));
        }
        let table_size = u64::from(table_length) * 4;
        let offsets = 28 + table_size;
        let locations = offsets + table_size;
        let strings = locations + u64::from(locations_size);
        let contents = strings + u64::from(strings_size);
        if contents > bytes.len() as u64 {
            return Err(truncated(bytes.len(), HEADER));
        }
        // Not above the length of a slice, so each fits.
        let place = |offset: u64| offset as usize;
        Ok(Image {
            order,
            table_length,
            offsets: place(offsets),
            locations: place(locations),
            strings: place(strings),
            contents: place(contents),
            limits: limits.clone(),
            bytes,
        })
    }

    pub(super) fn read(&self, id: EntryId) -> Result<Bytes> {
        let Location { offset, compressed, size, .. } = self.location(id.0)?;
        let at = self.locations + id.0 as usize;
        if size > self.limits.max_entry_size {
            return Err(too_large("the entry is too large", at, RESOURCE));
        }
        let stored = if compressed == 0 { size } else { compressed };
        let range = usize::try_from(offset).ok().zip(usize::try_from(stored).ok()).and_then(
            |(offset, length)| {
                let start = self.contents.checked_add(offset)?;
                Some(start..start.checked_add(length)?)
            },
        );
        let range =
            range.filter(|range| range.end <= self.bytes.len()).ok_or(truncated(at, RESOURCE))?;
        let start = range.start;
        let content = self.bytes.slice(range);
        if compressed == 0 { Ok(content) } else { self.decompress(content, size, start) }
    }

    /// Undoes the compressors that jlink applied, outermost first: each left a header.
    fn decompress(&self, mut content: Bytes, size: u64, offset: usize) -> Result<Bytes> {
        let mut compressors = 0;
        while self.order.u4(&content, 0, RESOURCE) == Ok(RESOURCE_MAGIC) {
            if compressors == MAX_COMPRESSORS {
                return Err(malformed("the resource is compressed too often", offset, RESOURCE));
            }
            content = self.decompress_once(&content, offset)?;
            compressors += 1;
        }
        if content.len() as u64 != size {
            return Err(malformed("the resource has another size", offset, RESOURCE));
        }
        Ok(content)
    }

    fn decompress_once(&self, content: &Bytes, offset: usize) -> Result<Bytes> {
        let order = self.order;
        let length = order.u8(content, 4, RESOURCE)?;
        let size = order.u8(content, 12, RESOURCE)?;
        let decompressor = order.u4(content, 20, RESOURCE)?;
        let stream = content
            .get(RESOURCE_HEADER_SIZE..)
            .and_then(|rest| rest.get(..usize::try_from(length).ok()?))
            .ok_or(truncated(offset, RESOURCE))?;
        if size > self.limits.max_entry_size {
            return Err(too_large("the entry is too large", offset, RESOURCE));
        }
        match self.string(decompressor)? {
            b"zip" => inflate(Format::Zlib, stream, size, At { offset, context: RESOURCE }),
            b"compact-cp" => {
                let rule = "constant pools shared by jlink (compact-cp) are not supported";
                Err(malformed(rule, offset, RESOURCE))
            }
            _ => Err(malformed("unknown compression", offset, RESOURCE)),
        }
    }

    fn location(&self, offset: u32) -> Result<Location> {
        let table = &self.bytes[self.locations..self.strings];
        let at = self.locations.saturating_add(offset as usize);
        let mut rest = table.get(offset as usize..).unwrap_or_default();
        let mut location = Location::default();
        // Beyond 32 bits is outside of any table, as the highest offset always is.
        let string = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        for _ in 0..MAX_ATTRIBUTES {
            let (&tag, after) = rest.split_first().ok_or(truncated(at, LOCATION))?;
            let (kind, length) = (tag >> 3, usize::from(tag & 7) + 1);
            if kind == 0 {
                return Ok(location);
            }
            if after.len() < length {
                return Err(truncated(at, LOCATION));
            }
            let value = match after.first_chunk() {
                Some(&chunk) => u64::from_be_bytes(chunk) >> (64 - 8 * length),
                None => after[..length].iter().fold(0, |value, &byte| value << 8 | u64::from(byte)),
            };
            match kind {
                1 => location.module = string(value),
                2 => location.parent = string(value),
                3 => location.base = string(value),
                4 => location.extension = string(value),
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                // Its length is known, so an attribute of a later minor version does no harm.
                _ => {}
            }
            rest = &after[length..];
        }
        Err(malformed("too many attributes", at, LOCATION))
    }

    fn string(&self, offset: u32) -> Result<&[u8]> {
        let rest = self.strings_from(offset);
        let window = &rest[..rest.len().min(MAX_STRING)];
        match CStr::from_bytes_until_nul(window) {
            Ok(string) => Ok(string.to_bytes()),
            Err(_) => Err(truncated(self.strings, "jimage string")),
        }
    }

    /// The string table from an offset on; nothing if the offset is outside.
    fn strings_from(&self, offset: u32) -> &[u8] {
        let table = &self.bytes[self.strings..self.contents];
        table.get(offset as usize..).unwrap_or_default()
    }
}

fn truncated(offset: usize, context: &'static str) -> Error {
    Error::new(ErrorKind::Truncated, offset, context)
}

impl ByteOrder {
    fn detect(bytes: &[u8]) -> Option<ByteOrder> {
        let magic = *bytes.first_chunk()?;
        match (u32::from_be_bytes(magic), u32::from_le_bytes(magic)) {
            (MAGIC, _) => Some(ByteOrder::Big),
            (_, MAGIC) => Some(ByteOrder::Little),
            _ => None,
        }
    }

    fn u4(self, bytes: &[u8], offset: usize, context: &'static str) -> Result<u32> {
        let chunk = bytes.get(offset..).and_then(<[u8]>::first_chunk);
        let chunk = *chunk.ok_or(truncated(offset, context))?;
        Ok(match self {
            ByteOrder::Big => u32::from_be_bytes(chunk),
            ByteOrder::Little => u32::from_le_bytes(chunk),
        })
    }

    fn u8(self, bytes: &[u8], offset: usize, context: &'static str) -> Result<u64> {
        let chunk = bytes.get(offset..).and_then(<[u8]>::first_chunk);
        let chunk = *chunk.ok_or(truncated(offset, context))?;
        Ok(match self {
            ByteOrder::Big => u64::from_be_bytes(chunk),
            ByteOrder::Little => u64::from_le_bytes(chunk),
        })
    }
}
