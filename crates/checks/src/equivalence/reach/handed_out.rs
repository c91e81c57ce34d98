//! Methods that code outside may call on objects of judged classes.

use std::collections::BTreeSet;

use program::{Class, Name, Role};

use super::by_name::SERIAL_HOOKS;
use super::{Universe, Uses, with_users};

pub(in crate::equivalence) const PASSED_IN: &str = "objects that callers pass in are of no class \
    of which a method changed that the library knows (toString, compareTo, run and their like)";

impl Universe<'_> {
    /// Pairs that may call such a method, itself or by way of the library, on objects of classes that they do not
    /// speak of, if any changed.
    pub(super) fn passed_in(
        &self,
        uses: &[Uses],
        users: &[Vec<usize>],
        is_edited: impl Fn(usize) -> bool,
    ) -> Vec<(usize, &'static str)> {
        let changed = with_users(users, (0..uses.len()).filter(|&at| is_edited(at)));
        if self.handed_out().is_disjoint(&changed) && !self.callable.values().any(|it| it.is_loose)
        {
            return Vec::new();
        }
        let giving = (0..uses.len()).filter(|&at| uses[at].is_giving);
        with_users(users, giving).into_iter().map(|at| (at, PASSED_IN)).collect()
    }

    /// Everything that the platform may call, itself or through what a compiler adds.
    pub(super) fn handed_out(&self) -> BTreeSet<usize> {
        let program = self.program;
        let mut found = BTreeSet::new();
        for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
            let outside = class.methods().filter(|(_, declared)| {
                declared.name != program.known.init
                    && self.is_handed_out(class, declared.name, declared.descriptor)
            });
            for (method, declared) in outside {
                found.extend(self.by_method.get(&method));
                if declared.access_flags.is_synthetic() {
                    found.extend(self.uses(method).pairs);
                }
            }
        }
        found
    }

    /// Whether a type of the platform declares the method too, so that the platform may call it.
    pub(super) fn is_handed_out(&self, class: &Class, name: Name, descriptor: Name) -> bool {
        let program = self.program;
        let ancestry = program.ancestry(class);
        let supertypes = ancestry.superclasses.iter().chain(ancestry.interfaces.iter());
        let is_hook = SERIAL_HOOKS.contains(&&*program.names.text(name));
        let mut outside = supertypes
            .filter(|&&id| program.role(id) != Role::Judged)
            .filter_map(|&id| program.class(id));
        outside.any(|class| {
            class.declared_method(name, descriptor).is_some()
                || is_hook && &*program.names.text(class.name) == "java/io/Serializable"
        })
    }

    /// Whether an override that the platform may have called is gone.
    pub(super) fn has_lost(&self, class: &Class) -> bool {
        let program = self.program;
        let superclasses = program.ancestry(class).superclasses.iter();
        let names: Vec<_> = superclasses
            .filter(|&&id| program.role(id) == Role::Judged)
            .map(|&id| program.names.text(program.class_name(id)))
            .collect();
        self.loose.methods.iter().any(|((name, descriptor), classes)| {
            let intern = |text: &str| program.names.intern(&classfile::mutf8::encode(text));
            names.iter().any(|class| classes.contains(&**class))
                && self.is_handed_out(class, intern(name), intern(descriptor))
        })
    }
}
