//! A bounds-checked reader over big-endian bytes. Every read can fail and says where and in what.

use crate::error::{Error, ErrorKind, Result};

#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Where `bytes` starts in the file, so that errors count from the file's first byte.
    base: usize,
    context: &'static str,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: usize, context: &'static str) -> Cursor<'a> {
        Cursor { bytes, position: 0, base, context }
    }

    /// The offset in the file of the next byte.
    pub(crate) fn offset(&self) -> usize {
        self.base + self.position
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    pub(crate) fn within(mut self, context: &'static str) -> Cursor<'a> {
        self.context = context;
        self
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset(), self.context)
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        if length > self.remaining() {
            return Err(self.error(ErrorKind::Truncated));
        }
        let taken = &self.bytes[self.position..self.position + length];
        self.position += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.bytes[self.position..].first_chunk::<N>() {
            Some(chunk) => {
                self.position += N;
                Ok(*chunk)
            }
            None => Err(self.error(ErrorKind::Truncated)),
        }
    }

    pub(crate) fn u1(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u2(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(crate) fn u4(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// A `u2` count of records that are at least `record` bytes each. A count that the remaining
    /// bytes cannot hold is refused before anything is allocated for it.
    pub(crate) fn count(&mut self, record: usize) -> Result<usize> {
        let count = usize::from(self.u2()?);
        if count * record > self.remaining() {
            return Err(self.error(ErrorKind::Truncated));
        }
        Ok(count)
    }

    /// Reads a `u2` count and then that many records of at least `record` bytes with `read`.
    pub(crate) fn list<T>(
        &mut self,
        record: usize,
        mut read: impl FnMut(&mut Cursor<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = self.count(record)?;
        (0..count).map(|_| read(self)).collect()
    }

    /// Fails if bytes are left over: an attribute's length must be exactly what it holds.
    pub(crate) fn finish(self) -> Result<()> {
        if self.remaining() == 0 {
            Ok(())
        } else {
            Err(self.error(ErrorKind::Malformed("bytes left over")))
        }
    }
}
