//! Classes that have other supertypes now, and so may have methods from elsewhere.

use program::{ClassId, MethodId, Name, Program};

use super::Universe;

impl Universe<'_> {
    /// Whether a class below `owner` has other supertypes now and inherits the method.
    pub(super) fn has_other_heirs(&self, owner: ClassId, (name, descriptor): (Name, Name)) -> bool {
        if self.shifts.rebased.is_empty() {
            return false;
        }
        self.lineage.of_type(owner).any(|id| {
            self.shifts.rebased.contains(&id)
                && self.program.is_subtype(id, owner) != Some(false)
                && self.has_from_elsewhere(id, (name, descriptor))
        })
    }

    /// Whether a class has a method from another class than in the other version. Where classes have other
    /// names there, that is not looked up.
    fn has_from_elsewhere(&self, id: ClassId, (name, descriptor): (Name, Name)) -> bool {
        let (here, there) = (self.program, self.other);
        let [class, name_there, descriptor_there] = [here.class_name(id), name, descriptor]
            .map(|it| there.names.intern(here.names.bytes(it)));
        let owner = |program: &Program, found: Option<MethodId>| {
            found.map(|it| program.names.text(program.class_name(it.class)).into_owned())
        };
        let one = here.resolve_method(here.class_name(id), name, descriptor).found();
        let two = there.resolve_method(class, name_there, descriptor_there).found();
        one.is_none() || owner(here, one) != owner(there, two)
    }
}
