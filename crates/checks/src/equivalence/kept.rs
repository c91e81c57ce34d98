//! What the invariants of classes say of the objects that a call starts with.
//!
//! Said only where they hold in both versions, and of calls at moments when nobody is about to change an object: the
//! judged method is none that runs while another one that writes the fields is not over, and these call no code
//! outside that might call it.

use std::sync::{Arc, OnceLock};

use program::{ClassId, Program, Role};
use smt::{Options, Solver};
use symex::symbolic::Term;

use super::proof::{Both, Question};
use crate::equality::invariants::{Cache, Candidate, Invariants, Keeping, assumed_of, invariants};
use crate::witness::supply::Index;

/// What such proofs rest on.
const BY_CODE_ALONE: &str =
    "fields change only through the code that was analysed (no reflection, no deserialisation)";

/// What was found of classes so far, of the old and of the new version.
#[derive(Debug, Default)]
pub struct Kept {
    old: Known,
    new: Known,
}

#[derive(Debug, Default)]
struct Known {
    index: OnceLock<Index>,
    cache: Cache,
}

impl Known {
    /// With a solver of its own: what is found must not depend on how much work is left to who asks first.
    fn of(&self, program: &Program, class: ClassId) -> Arc<Invariants> {
        let index = self.index.get_or_init(|| Index::new(program));
        let mut solver = Solver::new(Options { in_integers: true, ..Options::default() });
        let known = Keeping { program, index, cache: &self.cache, with_relations: true };
        invariants(known, class, &mut solver)
    }
}

impl Both<'_> {
    /// What is known of the fields that a condition speaks of.
    pub(super) fn invariants_about(
        &mut self,
        question: &Question<'_>,
        condition: Term,
    ) -> Vec<Term> {
        let mut reads = self.second.field_reads(&[condition]);
        reads.retain(|read| read.object().is_some());
        let mut classes: Vec<ClassId> = reads.iter().map(|read| read.field.class).collect();
        classes.sort_unstable();
        classes.dedup();
        classes.retain(|&class| question.new.0.role(class) == Role::Judged);
        let mut facts = Vec::new();
        for class in classes {
            let (held, assumptions) = held_in_both(question, class);
            let more = assumed_of(&mut self.second, &held, reads.clone(), None);
            if !more.is_empty() {
                self.second.assumptions.extend(assumptions);
                self.second.assumptions.insert(BY_CODE_ALONE.to_owned());
                facts.extend(more);
            }
        }
        facts
    }
}

/// The invariants that a class has in both versions, and what they rest on.
fn held_in_both(question: &Question<'_>, class: ClassId) -> (Vec<Candidate>, Vec<String>) {
    let none = (Vec::new(), Vec::new());
    let ((old, _), (new, _), pair) = (question.old, question.new, question.pair);
    let kept = &question.edited.kept;
    let Some(before) = old.find_class_text(&new.names.text(new.class_name(class))) else {
        return none;
    };
    let may_rest_on = |found: &Invariants, method| {
        !found.held.is_empty() && !found.calls_outside && !found.meanwhile.contains(&method)
    };
    let after = kept.new.of(new, class);
    if !may_rest_on(&after, pair.new) {
        return none;
    }
    let before = kept.old.of(old, before);
    if !may_rest_on(&before, pair.old) {
        return none;
    }
    let known: Vec<_> = before.held.iter().filter_map(|it| it.named(old)).collect();
    let is_known = |it: &&Candidate| it.named(new).is_some_and(|it| known.contains(&it));
    let held = after.held.iter().filter(is_known).cloned().collect();
    let assumptions = before.assumptions.iter().chain(&after.assumptions);
    (held, assumptions.cloned().collect())
}
