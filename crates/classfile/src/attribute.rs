//! Attributes as the file holds them: a name and bytes, in file order.
//!
//! The boundaries are checked when the class is read; what is inside is decoded only when an
//! accessor asks. Attributes without an accessor stay bytes.

use crate::constant_pool::{ConstantPool, Utf8};
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};

/// Where the attributes of a class, field, method or Code lie in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttributeTable {
    offset: u32,
    count: u16,
}

#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    pub name: Utf8,
    pub bytes: &'a [u8],
    /// Of `bytes`, in the file.
    pub offset: usize,
}

impl AttributeTable {
    /// Checks names and lengths and steps over the table.
    pub(crate) fn parse(pool: &ConstantPool, cursor: &mut Cursor<'_>) -> Result<AttributeTable> {
        let count = cursor.count(6)?;
        let offset = cursor.offset() as u32;
        for _ in 0..count {
            pool.utf8(cursor.u2()?)?;
            let length = cursor.u4()? as usize;
            cursor.take(length)?;
        }
        Ok(AttributeTable { offset, count: count as u16 })
    }

    pub(crate) fn iter(self, pool: &ConstantPool) -> impl Iterator<Item = Attribute<'_>> {
        let bytes: &[u8] = pool.file();
        let mut offset = self.offset as usize;
        (0..self.count).map(move |_| {
            let name = Utf8(u16::from_be_bytes([bytes[offset], bytes[offset + 1]]));
            let length =
                [bytes[offset + 2], bytes[offset + 3], bytes[offset + 4], bytes[offset + 5]];
            let start = offset + 6;
            offset = start + u32::from_be_bytes(length) as usize;
            Attribute { name, bytes: &bytes[start..offset], offset: start }
        })
    }

    pub(crate) fn find<'a>(self, pool: &'a ConstantPool, name: &str) -> Option<Attribute<'a>> {
        self.iter(pool).find(|attribute| pool.bytes(attribute.name) == name.as_bytes())
    }

    /// Decodes the whole of the named attribute with `read`; `None` if there is none.
    pub(crate) fn decode<'a, T>(
        self,
        pool: &'a ConstantPool,
        name: &'static str,
        read: impl FnOnce(&mut Cursor<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(attribute) = self.find(pool, name) else { return Ok(None) };
        let mut cursor = Cursor::new(attribute.bytes, attribute.offset, name);
        let value = read(&mut cursor)?;
        cursor.finish()?;
        Ok(Some(value))
    }

    /// As `decode`, for a list: no attribute is an empty list.
    pub(crate) fn decode_list<'a, T>(
        self,
        pool: &'a ConstantPool,
        name: &'static str,
        record: usize,
        read: impl FnMut(&mut Cursor<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        Ok(self.decode(pool, name, |cursor| cursor.list(record, read))?.unwrap_or_default())
    }

    /// The generic signature (JVMS 4.7.9), not parsed here.
    pub(crate) fn signature(self, pool: &ConstantPool) -> Result<Option<Utf8>> {
        self.decode(pool, "Signature", |cursor| pool.utf8(cursor.u2()?))
    }
}

/// Nesting of annotations and the like is data from outside; the stack is ours.
pub(crate) fn check_depth(depth: usize, cursor: &Cursor<'_>) -> Result<()> {
    const MAX_DEPTH: usize = 64;
    if depth > MAX_DEPTH {
        return Err(cursor.error(ErrorKind::TooLarge("nested more than 64 deep")));
    }
    Ok(())
}
