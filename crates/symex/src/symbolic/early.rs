//! Static final fields that may be read before they are set: objects that an initialiser makes on its way find
//! zero there, and keep what they make of it.

use program::ir::{CallSite, Op};
use program::{ClassId, FieldId, MethodId, Name, Role};
use rustc_hash::FxHashMap;

use super::Engine;

#[derive(Debug, Default)]
pub struct Early {
    /// Whether the code may run while classes are initialised, before all their static fields are set.
    pub is_possible: bool,
    /// Which of these may then be unset.
    unset: FxHashMap<FieldId, bool>,
}

impl Engine<'_> {
    /// Whether code of the analysed classes may run before the field has its value.
    pub(super) fn may_be_unset(&mut self, field: FieldId) -> bool {
        if let Some(&known) = self.early.unset.get(&field) {
            return known;
        }
        let found = self.finds_unset(field);
        self.early.unset.insert(field, found);
        found
    }

    fn finds_unset(&mut self, field: FieldId) -> bool {
        let (class, _) = self.program.field(field);
        if self.program.role(class.id) == Role::Platform || class.constant_value(field).is_some() {
            return false;
        }
        let Some(initialiser) = self.initialiser(class.id) else { return false };
        let above = self.program.ancestry(class).superclasses.clone();
        above.into_iter().any(|above| above != class.id && self.runs_code(above))
            || self.runs_before(initialiser, field)
    }

    fn initialiser(&self, class: ClassId) -> Option<MethodId> {
        let class = self.program.class(class)?;
        let mut all = class.methods();
        all.find(|(_, it)| it.name == self.program.known.clinit).map(|(id, _)| id)
    }

    /// Whether initialising a class, apart from its superclass, runs code of the analysed classes.
    fn runs_code(&mut self, class: ClassId) -> bool {
        if self.program.role(class) == Role::Platform {
            return false;
        }
        let Some(initialiser) = self.initialiser(class) else { return false };
        let Ok(Some(lowered)) = self.lowered(initialiser) else { return true };
        let body = &lowered.body;
        body.instructions.iter().any(|at| self.leads_to_code(class, &body.call_sites, at.op))
    }

    /// Whether an initialiser may run such code before it sets the field. Blocks come after those that lead to
    /// them, so what stands behind the only store comes later.
    fn runs_before(&mut self, initialiser: MethodId, field: FieldId) -> bool {
        let Ok(Some(lowered)) = self.lowered(initialiser) else { return true };
        let body = &lowered.body;
        let sets = |op: &Op| match op {
            Op::PutStatic(set, _) => {
                let found = self.program.resolve_field(set.class, set.name, set.descriptor);
                found.found().is_none_or(|found| found == field)
            }
            _ => false,
        };
        let mut stores = body.instructions.iter().enumerate().filter(|(_, at)| sets(&at.op));
        let (Some((store, _)), None) = (stores.next(), stores.next()) else { return true };
        let before = &body.instructions[..store];
        before.iter().any(|at| self.leads_to_code(initialiser.class, &body.call_sites, at.op))
    }

    fn leads_to_code(&self, own: ClassId, sites: &[CallSite], op: Op) -> bool {
        let is_analysed = |name: Name| {
            let found = self.program.find_class(name);
            found.is_none_or(|id| self.program.role(id) != Role::Platform)
        };
        let is_other = |name: Name| {
            is_analysed(name)
                && self
                    .program
                    .find_class(name)
                    .is_none_or(|id| id != own && self.initialiser(id).is_some())
        };
        match op {
            Op::Invoke { method, .. } => is_analysed(method.class),
            Op::InvokeDynamic { call_site, .. } => {
                matches!(sites[call_site as usize], CallSite::Lambda(_))
            }
            Op::GetStatic(field) | Op::PutStatic(field, _) => is_other(field.class),
            _ => false,
        }
    }
}
