//! What is known about the whole program before any class is judged.

use std::collections::BTreeMap;
use std::sync::Mutex;

use program::{ClassId, Program};

use super::contract::Contract;
use super::invariants::{Cache, Keeping};
use super::prover::{Laws, Openness, Strangers};
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
    /// What was proved of methods that compare two objects.
    pub(super) laws: Mutex<Laws>,
    /// Whether objects of other classes may be equal to those of a class, where a proof came to know.
    mixes: Mutex<BTreeMap<ClassId, bool>>,
    /// By class, whether its `equals` says yes to strangers, where it is not known to refuse them.
    open: Mutex<BTreeMap<ClassId, Openness>>,
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
            laws: Mutex::default(),
            mixes: Mutex::default(),
            open: Mutex::default(),
        }
    }

    /// Of which classes' invariants may be asked.
    pub(super) fn keeping(&self) -> Keeping<'_> {
        let (index, cache) = (&self.index, &self.invariants);
        Keeping { program: self.program, index, cache, with_relations: false }
    }

    pub(super) fn note_mixing(&self, class: ClassId, may_mix: bool) {
        if let Ok(mut mixes) = self.mixes.lock() {
            mixes.insert(class, may_mix);
        }
    }

    pub(super) fn mixes(&self, class: ClassId) -> Option<bool> {
        self.mixes.lock().ok()?.get(&class).copied()
    }

    pub(super) fn note_openness(&self, class: ClassId, openness: Openness) {
        let is_closed = openness.strangers == Strangers::Refused && openness.assumptions.is_empty();
        if !is_closed && let Ok(mut open) = self.open.lock() {
            open.insert(class, openness);
        }
    }

    /// The classes that may say yes to strangers.
    pub(super) fn open(&self) -> BTreeMap<ClassId, Openness> {
        self.open.lock().map(|known| known.clone()).unwrap_or_default()
    }

    /// The positions of the subjects, those with the most code first: what takes long should not be
    /// begun last.
    pub fn largest_first(&self) -> Vec<usize> {
        let size = |subject: &Subject| {
            let bodies = subject.methods().into_iter().map(|method| self.program.lower(method));
            bodies.flatten().flatten().map(|body| body.instructions.len()).sum::<usize>()
        };
        let mut order: Vec<usize> = (0..self.subjects.len()).collect();
        order.sort_by_cached_key(|&at| std::cmp::Reverse(size(&self.subjects[at])));
        order
    }
}
