//! What one `Archive::open` may cost, nested archives included.

use super::too_large;
use crate::error::Result;

/// Upper bounds on what an archive may claim or contain. The defaults fit every archive that people
/// really have and keep a hostile one from taking the machine.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Entries of the archive and of those nested in it.
    pub max_entries: u64,
    /// Uncompressed bytes of one class, manifest or service file.
    pub max_entry_size: u64,
    /// Uncompressed bytes of one nested archive, which is kept in memory.
    pub max_nested_size: u64,
    /// Uncompressed bytes of all that is listed, nested archives included.
    pub max_total_size: u64,
    /// How deep archives may be nested: 1 is a jar in a jar.
    pub max_nesting: u32,
    /// Problems that are listed per archive; one more says that there are others.
    pub max_problems: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_entries: 1 << 20,
            max_entry_size: 64 << 20,
            max_nested_size: 512 << 20,
            max_total_size: 4 << 30,
            max_nesting: 4,
            max_problems: 100,
        }
    }
}

/// What is left of the limits that are shared by an archive and all those nested in it.
pub(super) struct Budget {
    entries: u64,
    bytes: u64,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Budget {
        Budget { entries: limits.max_entries, bytes: limits.max_total_size }
    }

    pub(super) fn charge_entries(
        &mut self,
        count: u64,
        at: usize,
        context: &'static str,
    ) -> Result<()> {
        match self.entries.checked_sub(count) {
            Some(left) => self.entries = left,
            None => return Err(too_large("too many entries", at, context)),
        }
        Ok(())
    }

    pub(super) fn charge_bytes(
        &mut self,
        size: u64,
        at: usize,
        context: &'static str,
    ) -> Result<()> {
        match self.bytes.checked_sub(size) {
            Some(left) => self.bytes = left,
            None => return Err(too_large("too many uncompressed bytes in all", at, context)),
        }
        Ok(())
    }
}
