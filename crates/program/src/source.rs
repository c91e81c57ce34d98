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

    /// The services that it says it provides: each with the classes that do, by internal names.
    fn services(&self) -> Vec<Service> {
        Vec::new()
    }
}

/// A service and its providers (`META-INF/services`, or `provides` of a module), by internal names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    pub interface: String,
    pub providers: Vec<String>,
}

impl Service {
    /// Reads the text of a file in `META-INF/services`.
    pub fn parse(interface: &str, text: &str) -> Service {
        let names = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let providers = names.filter(|it| !it.is_empty()).map(|it| it.replace('.', "/")).collect();
        Service { interface: interface.replace('.', "/"), providers }
    }
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
