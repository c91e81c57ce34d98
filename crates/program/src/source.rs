//! Where classes come from. The program asks for bytes; who holds them is the caller's affair.

use std::borrow::Cow;

use bytes::Bytes;

/// A jar, a directory, a JDK image: named classes that can be read one by one, from any thread.
pub trait ClassSource: Send + Sync {
    /// As the user would recognise it in a message: a path, perhaps with `!/nested.jar`.
    fn label(&self) -> &str;

    /// The internal name of every class as modified UTF-8, in the source's own fixed order.
    fn class_names(&self) -> Box<dyn Iterator<Item = Cow<'_, [u8]>> + '_>;

    /// The bytes of the class at this position of `class_names`, or why there are none.
    fn read(&self, index: usize) -> Result<Bytes, String>;

    /// Whether code outside may name this class: false for a package that its module keeps to
    /// itself.
    fn is_exported(&self, index: usize) -> bool;
}

/// Why a class is on the class path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Verdicts are about these.
    Judged,
    /// Known, not judged: `--cp`.
    Known,
    /// The JDK's own classes.
    Platform,
}

/// What went wrong while reading inputs; the run goes on without it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub path: String,
    pub message: String,
}
