//! Modified UTF-8 (JVMS 4.4.7): how class files write text.
//!
//! It differs from UTF-8 in two ways: U+0000 is two bytes, and characters beyond the basic plane
//! are two three-byte surrogates. A Java string may hold lone surrogates, which no `str` can, so the
//! exact form is UTF-16 and the `str` form is only for showing.

use std::borrow::Cow;

/// The UTF-16 code units of `bytes`, or `None` if they are not modified UTF-8.
pub fn decode_utf16(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        let (unit, used) = match first {
            0x01..=0x7f => (u16::from(first), 0),
            0xc0..=0xdf => (u16::from(first & 0x1f) << 6 | continuation(tail, 0)?, 1),
            0xe0..=0xef => (
                u16::from(first & 0x0f) << 12
                    | continuation(tail, 0)? << 6
                    | continuation(tail, 1)?,
                2,
            ),
            0x00 | 0x80..=0xbf | 0xf0..=0xff => return None,
        };
        units.push(unit);
        rest = &tail[used..];
    }
    Some(units)
}

fn continuation(bytes: &[u8], at: usize) -> Option<u16> {
    match bytes.get(at) {
        Some(&byte) if byte & 0xc0 == 0x80 => Some(u16::from(byte & 0x3f)),
        Some(_) | None => None,
    }
}

/// `bytes` as text to show. What is no text (lone surrogates, bad bytes) becomes U+FFFD.
pub fn decode_lossy(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        // Plain UTF-8 without surrogates and NUL reads the same in both encodings.
        Ok(text) => Cow::Borrowed(text),
        Err(_) => match decode_utf16(bytes) {
            Some(units) => Cow::Owned(String::from_utf16_lossy(&units)),
            None => String::from_utf8_lossy(bytes),
        },
    }
}

/// The modified UTF-8 of `text`, as it would stand in a constant pool.
pub fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        match unit {
            0x01..=0x7f => bytes.push(unit as u8),
            0x00 | 0x80..=0x7ff => {
                bytes.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8])
            }
            0x800..=0xffff => bytes.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_every_plane() {
        for text in ["", "a", "\0", "é", "\u{ffff}", "😀x", "\u{10ffff}"] {
            let bytes = encode(text);
            assert!(!bytes.contains(&0));
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(decode_utf16(&bytes).as_deref(), Some(&units[..]));
            assert_eq!(decode_lossy(&bytes), text);
        }
    }

    #[test]
    fn keeps_lone_surrogates_exactly() {
        assert_eq!(decode_utf16(&[0xed, 0xa0, 0x80]), Some(vec![0xd800]));
        assert_eq!(decode_lossy(&[0xed, 0xa0, 0x80]), "\u{fffd}");
    }

    #[test]
    fn refuses_what_is_not_modified_utf8() {
        for bytes in [&[0u8][..], &[0x80], &[0xc0], &[0xe0, 0x80], &[0xf0, 0x9f, 0x98, 0x80]] {
            assert_eq!(decode_utf16(bytes), None);
        }
    }
}
