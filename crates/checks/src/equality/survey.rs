//! What is known about the whole program before any class is judged.

use program::Program;

use super::contract::Contract;
use super::invariants::Cache;
use super::subjects::{Kin, Subject, subjects};
use crate::witness::supply::Index;

/// The judged classes, and what they have to do with each other.
pub struct Survey<'p> {
    pub program: &'p Program,
    pub index: Index,
    pub contract: Contract,
    /// Those that a verdict is wanted on.
    pub subjects: Vec<Subject>,
    pub(super) kin: Kin,
    pub(super) invariants: Cache,
}

impl<'p> Survey<'p> {
    pub fn new(program: &'p Program, is_wanted: impl Fn(&str) -> bool) -> Survey<'p> {
        let contract = Contract::new(program);
        let mut subjects = subjects(program, &contract);
        let kin = Kin::new(program, &subjects);
        subjects
            .retain(|subject| is_wanted(&program.class_text(program.class_name(subject.class))));
        Survey {
            program,
            index: Index::new(program),
            contract,
            subjects,
            kin,
            invariants: Cache::default(),
        }
    }
}
