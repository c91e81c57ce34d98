//! What a proof rests on.

use std::collections::BTreeSet;

use program::{ClassId, Role};
use smt::Effort;
use symex::symbolic::{Term, Trust};

use super::super::parts::parts_of;
use super::Prover;
use crate::verdict::Scope;

impl Prover<'_, '_> {
    pub(super) fn scope(&mut self, bound: Option<u32>) -> Scope {
        // Whoever asks for a law, it is the same.
        let own = match self.is_of_law {
            true => Vec::new(),
            false => {
                [parts_of(self.program, self.subject.class), vec![self.subject.class]].concat()
            }
        };
        let idle = self.idle_words(&own);
        let all = self.engine.assumptions.iter();
        let mut assumptions: Vec<String> =
            all.filter(|assumption| !idle.contains(*assumption)).cloned().collect();
        if self.is_of_law {
            return Scope { bound, assumptions, same_code: false };
        }
        let class = self.program.class(self.subject.class);
        if class.is_some_and(|class| !class.access_flags.is_final()) {
            assumptions
                .push("no subclass outside of those analysed overrides its methods".to_owned());
        }
        assumptions.push(
            "fields change only through the code that was analysed (no reflection, no \
             deserialisation)"
                .to_owned(),
        );
        Scope { bound, assumptions, same_code: false }
    }

    /// Contracts that a run met where it cannot come: the code of other classes in its hierarchy compares what
    /// these hold, and may never do so of an object of this one. What the class itself declares to hold is not
    /// asked for, and neither are types of the platform, which nobody judges.
    fn idle_words(&mut self, own: &[ClassId]) -> BTreeSet<String> {
        let is_odd =
            |class: ClassId| self.program.role(class) == Role::Judged && !own.contains(&class);
        let odd = self.engine.assumptions.iter().filter(|assumption| {
            let class = Trust::of(assumption).map(|(name, _)| name.replace('.', "/"));
            class.and_then(|name| self.program.find_class_text(&name)).is_some_and(is_odd)
        });
        let odd: Vec<String> = odd.cloned().collect();
        let words: Vec<(String, Term)> =
            odd.into_iter().map(|it| (it.clone(), self.engine.takes_word(&it))).collect();
        let effort = std::mem::replace(&mut self.effort, Effort::Usual);
        let guards: Vec<Term> = words.iter().map(|&(_, guard)| guard).collect();
        let any = self.engine.space.terms.or(&guards);
        let is_idle = matches!(self.is_possible(any), Ok(false));
        let idle = words.into_iter().filter_map(|(assumption, guard)| {
            let is_idle = is_idle || matches!(self.is_possible(guard), Ok(false));
            is_idle.then_some(assumption)
        });
        let idle = idle.collect();
        self.effort = effort;
        idle
    }
}
