//! What two runs throw, compared: by class and by what judged classes keep in it, and, as a question of its
//! own, by everything that it holds.

use program::Role;
use smt::Term;

use super::Engine;
use super::compare::{Compared, Comparison, Moment, Run};
use super::space::Leaf;

/// The condition under which runs that throw exceptions of the same classes differ in what these hold. Of
/// those that the JVM itself makes nothing is said, and they are none of the others.
pub fn thrown_differ<'p, 'q>(first: Run<'_, 'p>, second: Run<'_, 'q>) -> Compared<Term> {
    let mut comparison = Comparison::new(first.engine, second.engine);
    let thrown = (first.outcome.thrown.clone(), second.outcome.thrown.clone());
    let compare = |comparison: &mut Comparison<'_, '_, 'p, 'q>, (one, two), guard, moment| {
        comparison.compare_refs(one, two, guard, moment)
    };
    comparison.compare_end(thrown.0, thrown.1, compare)?;
    comparison.finish()
}

impl Comparison<'_, '_, '_, '_> {
    /// Exceptions are the same if their classes are, and what these themselves hold. What the platform's own
    /// fields hold, a message and a cause, is a [question of its own](thrown_differ).
    pub(super) fn compare_exceptions(
        &mut self,
        one: Term,
        two: Term,
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        let one_class = self.in_first(|engine| engine.class_of_any(one));
        let two_class = self.second.class_of_any(two);
        let differ = self.space().terms.ne(one_class, two_class);
        self.add(guard, differ);
        let (Some(ones), Some(twos)) = (self.space().leaves(one), self.space().leaves(two)) else {
            return Ok(());
        };
        for &(one_guard, one) in ones.iter() {
            for &(two_guard, two) in twos.iter() {
                let (Leaf::Fresh(one), Leaf::Fresh(two)) = (one, two) else { continue };
                let here = self.space().terms.and(&[guard, one_guard, two_guard]);
                if !self.space().terms.is_false(here) {
                    self.compare_own_fields((one, two), here, moment)?;
                }
            }
        }
        Ok(())
    }

    /// The fields of two new objects that judged classes declare.
    fn compare_own_fields(
        &mut self,
        (one, two): (u32, u32),
        guard: Term,
        moment: Moment,
    ) -> Compared<()> {
        let class = |engine: &Engine<'_>, object: u32| engine.space.fresh[object as usize].class;
        if self.in_first(|engine| class(engine, one)) != class(self.second, two) {
            return Ok(());
        }
        for name in self.written((one, two), moment) {
            let place = self.second.place_named(&name);
            let field = place.and_then(|place| self.second.place_fields.get(&place));
            let is_own =
                field.is_some_and(|field| self.second.program.role(field.class) == Role::Judged);
            if is_own {
                self.compare_cell(&name, (one, two), guard, moment)?;
            }
        }
        Ok(())
    }
}
