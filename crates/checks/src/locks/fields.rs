//! What the fields of the slice hold: decided by every store that was seen.
//!
//! A field that was not stored to in the slice, or whose stores might be elsewhere, tells nothing.
//! Assumed, and said in the report: fields change only through code that was analysed.

use program::{FieldId, MethodId};
use rustc_hash::FxHashMap;

use super::facts::Store;
use super::path::{PathId, Paths, Root};
use super::slice::Slice;
use super::universe::Universe;

/// How the object in a field relates to the object that has the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Age {
    /// Allocated for it: never known to anybody before.
    Younger,
    /// Given to its constructor: there before it.
    Older,
    Any,
}

#[derive(Debug, Clone)]
pub(crate) struct FieldFacts {
    /// Set once, while the object or class is made.
    pub is_stable: bool,
    /// Every value is an allocation.
    pub is_fresh: bool,
    pub age: Age,
    /// A path from the object itself that the field is always equal to: `this`, `this.lock.readLock()`.
    pub definition: Option<PathId>,
}

pub(crate) struct Fields {
    all: FxHashMap<FieldId, FieldFacts>,
}

impl Fields {
    pub(crate) fn of(&self, field: FieldId) -> Option<&FieldFacts> {
        self.all.get(&field)
    }

    /// Whether reading it twice gives the same object.
    pub(crate) fn is_stable(&self, universe: &Universe<'_>, field: FieldId) -> bool {
        let (_, declared) = universe.program.field(field);
        declared.access_flags.is_final() || self.of(field).is_some_and(|facts| facts.is_stable)
    }
}

pub(crate) fn collect_fields(universe: &Universe<'_>, paths: &Paths, slice: &Slice) -> Fields {
    let mut stores: FxHashMap<FieldId, Vec<(MethodId, Store)>> = FxHashMap::default();
    for (&method, facts) in slice.methods.iter().zip(&slice.facts) {
        for &store in &facts.stores {
            stores.entry(store.field).or_default().push((method, store));
        }
    }
    let mut all = FxHashMap::default();
    #[expect(clippy::iter_over_hash_type, reason = "each entry becomes one entry, in any order")]
    for (field, stores) in stores {
        all.insert(field, judge_field(universe, paths, field, &stores));
    }
    Fields { all }
}

fn judge_field(
    universe: &Universe<'_>,
    paths: &Paths,
    field: FieldId,
    stores: &[(MethodId, Store)],
) -> FieldFacts {
    let program = universe.program;
    let values = || stores.iter().filter_map(|(method, store)| Some((*method, store.value?)));
    let in_maker = |(method, store): &(MethodId, Store)| {
        let name = program.method(*method).1.name;
        let is_this = store
            .object
            .is_none_or(|object| paths.of(object.path) == super::path::Path::new(Root::Param(0)));
        let maker = if store.object.is_some() { program.known.init } else { program.known.clinit };
        name == maker && method.class == field.class && is_this
    };
    let is_made_once = stores.iter().filter(|(_, store)| store.value.is_some()).all(in_maker);
    let roots: Vec<Root> = values().map(|(_, val)| paths.of(val.path).root).collect();
    let is_alloc = |root: &Root| matches!(root, Root::Alloc(..));
    let plain = values().all(|(_, val)| paths.of(val.path).steps().is_empty());
    let is_fresh = plain && !roots.is_empty() && roots.iter().all(is_alloc);
    let allocations: Vec<(MethodId, u16)> = roots
        .iter()
        .filter_map(|root| match root {
            Root::Alloc(method, pc) => Some((*method, *pc)),
            Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown => None,
        })
        .collect();
    let made_here = allocations.iter().zip(values()).all(|(alloc, (method, _))| alloc.0 == method);
    let is_param = |root: &Root| matches!(root, Root::Param(index) if *index > 0);
    let age = if is_fresh && made_here {
        Age::Younger
    } else if is_made_once && !roots.is_empty() && roots.iter().all(is_param) {
        Age::Older
    } else {
        Age::Any
    };
    FieldFacts {
        is_stable: is_made_once,
        is_fresh,
        age,
        definition: definition(paths, is_made_once, stores),
    }
}

/// The one path from `this` that every constructor stores.
fn definition(paths: &Paths, is_made_once: bool, stores: &[(MethodId, Store)]) -> Option<PathId> {
    let mut values = stores.iter().filter_map(|(_, store)| store.value);
    let first = values.next()?.path;
    let from_this = paths.of(first).root == Root::Param(0);
    let is_instance = stores.iter().all(|(_, store)| store.object.is_some());
    (is_made_once && is_instance && from_this && values.all(|val| val.path == first))
        .then_some(first)
}
