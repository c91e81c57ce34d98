//! Hits for the rules of `hashCode`.

use std::collections::BTreeSet;

use program::MethodId;

use super::super::contract::{hash_code_member, question};
use super::super::pool::{Item, hash_author};
use super::best::Best;
use super::equals::ask;
use super::{Hit, Search};
use crate::verdict::Need;
use crate::witness::{Answer, Effect, Recipe, Step, answer, apply, effect_needs, follow};

/// Any two will do.
const SEEDS: [u32; 2] = [0x5bd1_e995, 0x1b87_3593];

impl Search<'_, '_, '_> {
    pub(super) fn hash_code(&self) -> Option<MethodId> {
        let program = self.table.program();
        let object = program.class(program.find_class(program.known.object)?)?;
        self.contract.hash_code_of(program, object)
    }

    pub(super) fn inconsistent_hashes(&mut self) -> Vec<Hit> {
        const MOST_ASKED_TWICE: usize = 12;
        let Some(hash_code) = self.hash_code() else { return Vec::new() };
        let mut best = Best::default();
        let mut own = self.own_hashed();
        let heirs = if own.is_empty() { self.heirs() } else { None };
        let by_heirs = heirs.as_ref().map(|(equals, _)| *equals);
        own.extend(heirs.into_iter().flat_map(|(_, heirs)| heirs));
        for &x in &own {
            for y in 0..self.table.len() {
                if x == y || self.equal(x, y) != Some(Answer::Boolean(true)) {
                    continue;
                }
                if self.is_to_blame(y, x) || by_heirs.is_some_and(|it| !self.equal_by(it, x, y)) {
                    continue;
                }
                if self.hashes_differ(hash_code, x, y) {
                    self.offer(&mut best, &[x, y]);
                }
            }
        }
        let hash = |at| Step::Ask(question(at, hash_code_member(), &[]));
        let steps = || vec![ask(0, 1), hash(0), hash(1)];
        let mut hits: Vec<Hit> =
            best.into_positions().map(|at| self.hit(&at, false, steps())).collect();
        if hits.is_empty() {
            let mut asked = own.into_iter().take(MOST_ASKED_TWICE);
            let changing = asked.find(|&x| self.changes_hash(hash_code, x, None));
            let steps = vec![ask(0, 0), hash(0), hash(0)];
            hits.extend(changing.map(|x| self.hit(&[x], false, steps)));
        }
        hits
    }

    /// The simplest object with 0.0 and with -0.0 in each place that takes such numbers: they are equal by
    /// `==`, and few hash codes are made by it.
    pub(super) fn with_either_zero(&mut self) -> Vec<Item> {
        let mut own = self.own_hashed();
        if own.is_empty() {
            own.extend(self.heirs().into_iter().flat_map(|(_, heirs)| heirs));
        }
        let is_constant = |at: &usize| matches!(*self.table.items[*at].recipe, Recipe::Constant(_));
        own.retain(|at| !is_constant(at));
        let Some(&at) = own.iter().min_by_key(|&&at| self.table.items[at].size) else {
            return Vec::new();
        };
        let (recipe, class) = (self.table.items[at].recipe.clone(), self.table.items[at].class);
        let made = self.supply.either_zero(self.table.machine, &recipe, class);
        made.into_iter().map(Item::new).collect()
    }

    /// Objects whose hash code the judged class computes.
    fn own_hashed(&self) -> Vec<usize> {
        let program = self.table.program();
        let is_own = |&at: &usize| {
            let class = self.table.items[at].class;
            hash_author(program, self.contract, class) == Some(self.subject.class)
        };
        (0..self.table.len()).filter(is_own).collect()
    }

    /// Of a class without objects of its own, those that have its hash code though they compare more: where
    /// its own `equals`, which is given too, finds them equal, its two methods disagree.
    fn heirs(&self) -> Option<(MethodId, Vec<usize>)> {
        let program = self.table.program();
        let (equals, hash_code) = (self.subject.equals?, self.subject.hash_code?);
        let is_heir = |&at: &usize| {
            let class = program.class(self.table.items[at].class);
            class.and_then(|class| self.contract.hash_code_of(program, class)) == Some(hash_code)
        };
        Some((equals, (0..self.table.len()).filter(is_heir).collect()))
    }

    /// What this very method says, overridden or not.
    fn equal_by(&mut self, equals: MethodId, x: usize, y: usize) -> bool {
        let objects = [x, y].map(|at| self.table.items[at].object);
        let machine = &mut *self.table.machine;
        let outcome = machine.call(equals, &objects);
        matches!(answer(machine, outcome, true), Ok(Answer::Boolean(true)))
    }

    /// Numbers by chance differ if they do so whatever identity hash codes there are.
    fn hashes_differ(&mut self, hash_code: MethodId, x: usize, y: usize) -> bool {
        let hashes = [x, y].map(|at| self.table.hash(hash_code, at));
        match hashes {
            [Some(Answer::Int(x)), Some(Answer::Int(y))] => x != y,
            [Some(Answer::Chance | Answer::Int(_)), Some(Answer::Chance | Answer::Int(_))] => {
                SEEDS.iter().all(|&seed| self.differ_with(seed, hash_code, x, y))
            }
            [_, _] => false,
        }
    }

    /// Whether the hash codes differ if identity hash codes are made from this seed.
    fn differ_with(&mut self, seed: u32, hash_code: MethodId, x: usize, y: usize) -> bool {
        let objects = [x, y].map(|at| self.table.items[at].object);
        let machine = &mut *self.table.machine;
        machine.identity_seed = Some(seed);
        let hashes = objects.map(|object| {
            let outcome = machine.call_virtual(hash_code, &[object]);
            answer(machine, outcome, false)
        });
        machine.identity_seed = None;
        matches!(hashes, [Ok(Answer::Int(x)), Ok(Answer::Int(y))] if x != y)
    }

    /// Objects that equal only themselves, whose hash code nevertheless changes.
    pub(super) fn unstable_hashes(&mut self) -> Vec<Hit> {
        const MAX_OBJECTS: usize = 6;
        let program = self.table.program();
        let Some(hash_code) = self.hash_code() else { return Vec::new() };
        let own = (0..self.table.len()).filter(|&at| {
            let class = program.class(self.table.items[at].class);
            let method = |of: fn(
                &super::Contract,
                &program::Program,
                &program::Class,
            ) -> Option<MethodId>| {
                class.and_then(|class| of(self.contract, program, class))
            };
            let has_identity = method(super::Contract::equals_of)
                .is_some_and(|method| self.contract.is_objects(program, method));
            let is_own = method(super::Contract::hash_code_of)
                .is_some_and(|method| method.class == self.subject.class);
            let is_constant = matches!(*self.table.items[at].recipe, Recipe::Constant(_));
            has_identity && is_own && !is_constant
        });
        let own: Vec<usize> = own.take(MAX_OBJECTS).collect();
        let mut hits = Vec::new();
        for x in own {
            let Some(class) = program.class(self.table.items[x].class) else { continue };
            for effect in self.supply.effects(self.table.machine, class) {
                if self.changes_hash(hash_code, x, Some(&effect)) {
                    let hash = || Step::Ask(question(0, hash_code_member(), &[]));
                    let needs: BTreeSet<Need> = effect_needs(&effect);
                    let steps = vec![hash(), Step::Do(0, effect), hash()];
                    let mut hit = self.hit(&[x], false, steps);
                    hit.needs.extend(needs);
                    hit.rank.0 = hit.needs.len();
                    hits.push(hit);
                }
            }
        }
        hits
    }

    /// Whether an object that is asked twice answers twice, before and after an effect if there is one.
    fn changes_hash(&mut self, hash_code: MethodId, x: usize, effect: Option<&Effect>) -> bool {
        let recipe = self.table.items[x].recipe.clone();
        let machine = &mut *self.table.machine;
        let mut shared = Default::default();
        let Ok(object) = follow(machine, &recipe, &mut shared) else { return false };
        let before = machine.call_virtual(hash_code, &[object]);
        let before = answer(machine, before, false);
        if effect.is_some_and(|effect| apply(machine, object, effect, &mut shared).is_err()) {
            return false;
        }
        let after = machine.call_virtual(hash_code, &[object]);
        let after = answer(machine, after, false);
        matches!((before, after), (Ok(Answer::Int(before)), Ok(Answer::Int(after))) if before != after)
    }
}
