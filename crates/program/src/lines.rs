//! Source lines of bytecode, read when someone asks.

use crate::ids::MethodId;
use crate::program::Program;

/// Where the code of a method stands in its source file. Empty if the class file does not say.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    /// `(pc, line)`, ascending.
    starts: Vec<(u16, u16)>,
}

impl Lines {
    /// The line of the instruction at `pc`.
    pub fn at(&self, pc: u16) -> Option<u16> {
        let after = self.starts.partition_point(|&(start, _)| start <= pc);
        after.checked_sub(1).map(|index| self.starts[index].1)
    }

    /// The line of the first instruction.
    pub fn first(&self) -> Option<u16> {
        self.starts.first().map(|&(_, line)| line)
    }
}

impl Program {
    /// A table that cannot be read costs the line numbers alone.
    pub fn lines(&self, method: MethodId) -> Lines {
        let file = &self.method(method).0.file;
        let code = file.methods[method.index()].code(file).ok().flatten();
        let mut starts = code.and_then(|code| code.line_numbers().ok()).unwrap_or_default();
        starts.sort_by_key(|&(pc, _)| pc);
        Lines { starts }
    }
}
