//! Deflate and zlib streams into memory of a size that is known, checked and plausible beforehand.

use super::{malformed, too_large};
use crate::error::Result;
use bytes::Bytes;
use libdeflater::Decompressor;
use std::cell::RefCell;

#[derive(Clone, Copy)]
pub(super) enum Format {
    Deflate,
    Zlib,
}

/// Where an error is placed: the stream's first byte, and what it is part of.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) offset: usize,
    pub(super) context: &'static str,
}

/// Fails unless the stream yields exactly `size` bytes.
pub(super) fn inflate(format: Format, stream: &[u8], size: u64, at: At) -> Result<Bytes> {
    if !is_plausible(stream.len() as u64, size) {
        return Err(malformed("the size is more than the stream can hold", at.offset, at.context));
    }
    let Ok(size) = usize::try_from(size) else {
        return Err(too_large("the size exceeds the address space", at.offset, at.context));
    };
    let mut content = vec![0; size];
    let written = DECOMPRESSOR.with_borrow_mut(|decompressor| match format {
        Format::Deflate => decompressor.deflate_decompress(stream, &mut content),
        Format::Zlib => decompressor.zlib_decompress(stream, &mut content),
    });
    match written {
        Ok(written) if written == size => Ok(Bytes::from(content)),
        Ok(_) => Err(malformed("the stream is shorter than declared", at.offset, at.context)),
        Err(_) => Err(malformed(
            "the compressed stream is damaged or longer than declared",
            at.offset,
            at.context,
        )),
    }
}

/// Deflate spends at least two bits on 258 bytes, so nothing honest expands more than 1032 times.
pub(super) fn is_plausible(compressed: u64, size: u64) -> bool {
    size <= compressed.saturating_mul(1032).saturating_add(258)
}

thread_local! {
    /// Its tables are worth keeping: setting them up costs more than inflating a small class.
    static DECOMPRESSOR: RefCell<Decompressor> = RefCell::new(Decompressor::new());
}
