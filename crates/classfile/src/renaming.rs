//! The same class file with other names for some classes.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::constant_pool::{Constant, ConstantPool, tag};
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};

/// New names of classes by their old ones, internal form as modified UTF-8.
pub type Renaming = BTreeMap<Vec<u8>, Vec<u8>>;

/// Before the pool: magic number and version.
const HEAD: usize = 8;

/// Lets classes go by other names wherever the file names them: as such, in descriptors and in signatures.
/// Texts of the program stay what they are.
pub fn rename_classes(bytes: &Bytes, renaming: &Renaming) -> Result<Bytes> {
    let mut cursor = Cursor::new(bytes, 0, "class file");
    cursor.take(HEAD)?;
    let pool = ConstantPool::parse(bytes, &mut cursor)?;
    let end = cursor.offset();
    let too_large = || cursor.error(ErrorKind::Malformed("no room for other names"));
    let (mut entries, mut added) = (Vec::new(), Vec::new());
    let mut count = pool.len();
    for index in 1..pool.len() {
        let Some(entry) = pool.entry(index) else { continue };
        if entry[0] == tag::UTF8 {
            push_utf8(&mut entries, &renamed(&entry[3..], renaming)).ok_or_else(too_large)?;
            continue;
        }
        let text = match pool.constant(index as u16)? {
            Constant::String(text) => Some(pool.bytes(text)),
            _ => None,
        };
        match text.filter(|text| renamed(text, renaming) != *text) {
            Some(text) => {
                let own = u16::try_from(count).ok().filter(|&it| it < u16::MAX);
                let own = own.ok_or_else(too_large)?;
                entries.push(tag::STRING);
                entries.extend(own.to_be_bytes());
                push_utf8(&mut added, text).ok_or_else(too_large)?;
                count += 1;
            }
            None => entries.extend(entry),
        }
    }
    let mut file = bytes[..HEAD].to_vec();
    file.extend((count as u16).to_be_bytes());
    file.extend(entries);
    file.extend(added);
    file.extend(&bytes[end..]);
    Ok(Bytes::from(file))
}

fn push_utf8(entries: &mut Vec<u8>, text: &[u8]) -> Option<()> {
    let length = u16::try_from(text.len()).ok()?;
    entries.push(tag::UTF8);
    entries.extend(length.to_be_bytes());
    entries.extend(text);
    Some(())
}

/// A name, descriptor or signature in which classes have their new names.
fn renamed(text: &[u8], renaming: &Renaming) -> Vec<u8> {
    if let Some(name) = renaming.get(text) {
        return name.clone();
    }
    let mut found = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        found.push(byte);
        rest = &rest[1..];
        if byte != b'L' {
            continue;
        }
        let length = rest.iter().position(|it| matches!(it, b';' | b'<' | b'.'));
        let Some(length) = length else { continue };
        if let Some(name) = renaming.get(&rest[..length]) {
            found.extend(name);
            rest = &rest[length..];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_descriptors_and_signatures() {
        let renaming = Renaming::from([(b"p/A$1".to_vec(), b"p/A$12".to_vec())]);
        let now = |text: &str| String::from_utf8(renamed(text.as_bytes(), &renaming)).unwrap();
        assert_eq!(now("p/A$1"), "p/A$12");
        assert_eq!(now("[Lp/A$1;"), "[Lp/A$12;");
        assert_eq!(now("(Lp/A$1;Lp/A$11;I)Lp/A$1;"), "(Lp/A$12;Lp/A$11;I)Lp/A$12;");
        assert_eq!(now("Ljava/util/List<Lp/A$1;>;"), "Ljava/util/List<Lp/A$12;>;");
        assert_eq!(now("p/A$1x"), "p/A$1x");
    }
}
