//! Who depends on an initialiser. Whoever reads a static field depends on what it was filled with; whoever
//! only makes the JVM initialise the class does so only if that has other effects.

use std::collections::{BTreeMap, BTreeSet};

use program::{ClassId, FieldId, Program};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::super::initialiser::{Initialised, initialised};
use super::super::watch::reshaped;
use super::{Universe, Uses, with_users};

/// Classes whose initialisers may leave something else behind, with what is known of them.
pub(super) struct Statics(FxHashMap<ClassId, Initialised>);

impl Statics {
    /// Runs the initialisers of these classes of the new version, and those of the old one.
    pub(super) fn of(
        (old, new): (&Program, &Program),
        renamed: &BTreeMap<String, String>,
        suspects: &BTreeSet<ClassId>,
        reborn: &BTreeSet<String>,
    ) -> Statics {
        // Objects that look the same and are not of the same types.
        let reborn = reborn.iter().map(|name| name.replace('/', "."));
        let reshaped: Vec<String> = reshaped(old, new).into_iter().chain(reborn).collect();
        let compare = |&class: &ClassId| {
            let name = new.names.text(new.class_name(class)).into_owned();
            let before = renamed.iter().find(|(_, to)| **to == name).map(|(from, _)| from);
            let before = old.find_class_text(before.unwrap_or(&name));
            let found = before.map(|it| initialised(old, new, (it, class), &reshaped));
            (class, found.unwrap_or_default())
        };
        let suspects: Vec<ClassId> = suspects.iter().copied().collect();
        Statics(suspects.par_iter().map(compare).collect())
    }

    /// Whether a method depends on the initialiser of a class that it makes the JVM initialise.
    pub(super) fn matter(&self, program: &Program, class: ClassId, uses: &Uses) -> bool {
        let Some(known) = self.0.get(&class) else { return true };
        let is_other = |field: &FieldId| field.class == class && !known.same.contains(field);
        let is_uniform = || {
            let Some(class) = program.class(class) else { return false };
            let mut constants = class.fields().filter(|(_, field)| {
                field.access_flags.is_static() && !field.access_flags.is_synthetic()
            });
            constants.all(|(id, _)| known.same.contains(&id) || known.added.contains(&id))
        };
        !known.is_quiet
            || uses.statics.iter().any(is_other)
            || uses.wholes.contains(&class) && !is_uniform()
    }
}

impl Universe<'_> {
    /// Classes that an edit may reach before they are initialised, or that only one version initialises.
    pub(super) fn suspects(
        &self,
        uses: &[Uses],
        users: &[Vec<usize>],
        is_source: impl Fn(usize) -> bool,
    ) -> BTreeSet<ClassId> {
        let is_source = |at: &usize| {
            let uses = &uses[*at];
            let is_loose = uses.triggers.iter().any(|&class| self.has_loose_initialiser(class))
                || self.sees_other_constant(uses);
            is_source(*at) || uses.is_unsettled || uses.opaque.is_some() || is_loose
        };
        let reached = with_users(users, (0..uses.len()).filter(is_source));
        let triggered = uses.iter().flat_map(|uses| uses.triggers.iter().copied());
        let is_suspect = |class: &ClassId| {
            self.initialisers.get(class).is_some_and(|at| reached.contains(at))
                || self.has_loose_initialiser(*class)
        };
        triggered.filter(is_suspect).collect()
    }

    /// Whether it reads a field that holds another constant than before. Constants are there before any
    /// code runs, so that whoever does not read them does not depend on them.
    fn sees_other_constant(&self, uses: &Uses) -> bool {
        let text = |class| self.program.names.text(self.program.class_name(class)).into_owned();
        let is_other = |field: &FieldId| {
            let name = self.program.names.text(self.program.field(*field).1.name).into_owned();
            self.loose.constants.contains(&(text(field.class), name))
        };
        let has_other = |class: &ClassId| {
            let name = text(*class);
            self.loose.constants.iter().any(|(class, _)| *class == name)
        };
        !self.loose.constants.is_empty()
            && (uses.statics.iter().any(is_other) || uses.wholes.iter().any(has_other))
    }

    /// Whether only one version has an initialiser of the class.
    pub(super) fn has_loose_initialiser(&self, class: ClassId) -> bool {
        let name = self.program.names.text(self.program.class_name(class));
        self.loose.initialisers.contains(&*name)
    }

    /// Leaves out initialisers that a method does not depend on.
    pub(super) fn drop_harmless(&self, statics: &Statics, uses: &mut Uses) {
        uses.is_unsettled |= self.sees_other_constant(uses);
        for &class in &uses.triggers.clone() {
            if statics.matter(self.program, class, uses) {
                uses.is_unsettled |= self.has_loose_initialiser(class);
            } else if let Some(at) = self.initialisers.get(&class) {
                uses.pairs.remove(at);
            }
        }
    }
}
