//! A defect of Jury itself costs the question at hand, not the run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::verdict::{Gap, GapKind};

/// What the work comes to, or that it broke off. What it worked on is to be thrown away then.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Gap> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Gap::new(GapKind::Internal, format!("Jury itself failed here, please report it: {message}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_becomes_a_gap() {
        assert_eq!(guarded(|| 3).ok(), Some(3));
        let gap = guarded(|| -> i32 { panic!("no such {}", "term") }).err();
        let gap = gap.expect("a gap");
        assert_eq!(gap.kind, GapKind::Internal);
        assert!(gap.detail.contains("no such term"), "{}", gap.detail);
    }
}
