//! Why bytes could not be read: what kind of fault, at which byte, while reading what.

use std::fmt;

pub type Result<T> = std::result::Result<T, Error>;

/// A fault in untrusted input. `offset` counts from the start of the bytes that were handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub kind: ErrorKind,
    pub offset: usize,
    /// What was being read, in words of the specification: "constant pool", "Code attribute".
    pub context: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    /// The bytes end before the structure does.
    Truncated,
    /// The file does not start with the magic number of its format.
    BadMagic,
    /// A format version that this reader does not know.
    UnsupportedVersion(u16),
    /// An index that points outside its table, or at an entry of the wrong kind.
    BadIndex(u32),
    /// An opcode or tag that the specification does not define.
    UnknownTag(u8),
    /// A rule of the format is broken; the text says which.
    Malformed(&'static str),
    /// A limit that protects this process was reached; the text says which.
    TooLarge(&'static str),
}

impl Error {
    pub fn new(kind: ErrorKind, offset: usize, context: &'static str) -> Error {
        Error { kind, offset, context }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Truncated => write!(f, "the bytes end too early")?,
            ErrorKind::BadMagic => write!(f, "wrong magic number")?,
            ErrorKind::UnsupportedVersion(version) => write!(f, "unknown version {version}")?,
            ErrorKind::BadIndex(index) => write!(f, "bad index {index}")?,
            ErrorKind::UnknownTag(tag) => write!(f, "unknown tag {tag}")?,
            ErrorKind::Malformed(rule) | ErrorKind::TooLarge(rule) => write!(f, "{rule}")?,
        }
        write!(f, " in {} at byte {}", self.context, self.offset)
    }
}

impl std::error::Error for Error {}
