//! Ways that are too long to be told in full.

use super::{Frame, Path, PathId, Root, Step};
use crate::locks::fields::Age;

impl Frame<'_> {
    /// One step further than paths go. Where all fields on the way were filled when their objects were made,
    /// it is still known that what they lead to was there before: wrappers are younger than what they wrap.
    pub(super) fn far_step(&self, at: PathId, step: Step) -> Option<PathId> {
        let paths = self.paths();
        let path = paths.of(at);
        // Of a whole JDK there is no time to tell such ways apart.
        let is_told = !self.context.universe.is_all_judged();
        let far = if is_told && path.steps().iter().all(|&it| self.leads_back(it)) {
            let older = Path::new(path.root).then(Step::Older)?;
            if self.leads_back(step) { older } else { older.then(step)? }
        } else {
            Path::new(Root::Unknown).then(step)?
        };
        Some(paths.intern(far))
    }

    /// Whether the step leads to what was there before the object that it starts from.
    fn leads_back(&self, step: Step) -> bool {
        match step {
            Step::Older => true,
            Step::Field(field) | Step::Many(field) => {
                self.context.fields.of(field).is_some_and(|facts| facts.age == Age::Older)
            }
            Step::Element | Step::ReadLock | Step::WriteLock | Step::Condition => false,
        }
    }
}
