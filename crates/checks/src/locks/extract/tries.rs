//! Attempts to take a lock that may fail, and what is not held where they did.

use program::ir::{BinaryOp, Block, Compare, Condition, Const, MethodRef, Op, Terminator, Value};

use super::Extraction;
use crate::locks::path::Mode;

impl Extraction<'_> {
    /// If the block asks whether a try to lock succeeded: the branch on which it did not, and the sites
    /// that are not held there.
    pub(super) fn failed_try(&self, block: &Block) -> Option<(usize, Vec<usize>)> {
        let Terminator::If { condition: Condition::IntToZero(compare, value), .. } =
            block.terminator
        else {
            return None;
        };
        let asked = self.compared_to_zero(value).unwrap_or(value);
        let &(_, site) = self.tries.iter().find(|(result, _)| *result == asked)?;
        let mut sites = vec![site];
        if self.is_conversion(asked) {
            sites.extend(self.write_sites(site));
        }
        match compare {
            Compare::Equal => Some((0, sites)),
            Compare::NotEqual => Some((1, sites)),
            Compare::Less | Compare::GreaterOrEqual | Compare::Greater | Compare::LessOrEqual => {
                None
            }
        }
    }

    fn definition(&self, value: Value) -> Option<Op> {
        self.body().instructions.iter().find(|it| it.result == Some(value)).map(|it| it.op)
    }

    /// The stamp that is compared to zero.
    fn compared_to_zero(&self, value: Value) -> Option<Value> {
        let Op::Binary(BinaryOp::CompareLong, stamp, zero) = self.definition(value)? else {
            return None;
        };
        let is_zero = matches!(self.definition(zero), Some(Op::Const(Const::Long(0))));
        is_zero.then_some(stamp)
    }

    /// Whether the result says that a stamp became one for writing. One that already was never fails.
    fn is_conversion(&self, value: Value) -> bool {
        let Some(Op::Invoke { method: MethodRef { name, .. }, .. }) = self.definition(value) else {
            return false;
        };
        self.universe().program.names.bytes(name) == b"tryConvertToWriteLock"
    }

    /// The other places that take the same lock for writing.
    fn write_sites(&self, site: usize) -> impl Iterator<Item = usize> {
        let locks = &self.facts.sites[site].locks;
        self.facts.sites.iter().enumerate().filter_map(move |(number, other)| {
            let is_same = other
                .locks
                .iter()
                .all(|it| it.mode == Mode::Write && locks.iter().any(|lock| lock == it));
            is_same.then_some(number)
        })
    }
}
