//! Methods that code outside may call on objects of judged classes.

use std::collections::BTreeSet;

use program::{Class, Name, Role};

use super::Universe;
use super::by_name::SERIAL_HOOKS;

impl Universe<'_> {
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
