//! Fields of a part that are always the same object as a field of the whole.
//!
//! An object that makes a part in its constructor and hands it one of its own objects finds that object
//! in the part again; an object that takes over what its parent has finds it in the parent. Both are
//! said as: these two fields, one after the other, lead where that path from the same object leads. Only
//! fields that are set once count.

use program::{FieldId, MethodId};
use rustc_hash::FxHashMap;

use super::facts::{Facts, Store, What};
use super::fields::FieldFacts;
use super::path::{Path, PathId, Paths, Root, Step};
use super::slice::Slice;
use super::universe::Universe;

/// By a field and a field of what it holds: the path from the object that has the first.
pub(super) type Handed = FxHashMap<(FieldId, FieldId), PathId>;

pub(super) fn find_handed(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    fields: &FxHashMap<FieldId, FieldFacts>,
) -> Handed {
    let mut search = Search { universe, paths, slice, fields, found: FxHashMap::default() };
    let program = universe.program;
    let constructors: Vec<(MethodId, &Facts)> = slice
        .methods
        .iter()
        .copied()
        .zip(&slice.facts)
        .filter(|(method, _)| program.method(*method).1.name == program.known.init)
        .collect();
    for &(method, facts) in &constructors {
        search.read_constructor(method, facts);
    }
    let mut parts: FxHashMap<FieldId, Vec<FieldId>> = FxHashMap::default();
    #[expect(
        clippy::iter_over_hash_type,
        reason = "all of one field are asked about, in any order"
    )]
    for &(whole, part) in search.found.keys() {
        parts.entry(whole).or_default().push(part);
    }
    for &(method, facts) in &constructors {
        let own = search.own_stores(method, facts);
        let set = own.iter().filter(|it| it.value.is_some());
        for (whole, part) in set
            .flat_map(|it| parts.get(&it.field).into_iter().flatten().map(|part| (it.field, *part)))
        {
            if !search.confirms(method, facts, &own, (whole, part)) {
                search.found.remove(&(whole, part));
            }
        }
    }
    search.found
}

struct Search<'a> {
    universe: &'a Universe<'a>,
    paths: &'a Paths,
    slice: &'a Slice,
    fields: &'a FxHashMap<FieldId, FieldFacts>,
    found: Handed,
}

impl Search<'_> {
    fn is_stable(&self, field: FieldId) -> bool {
        self.universe.program.field(field).1.access_flags.is_final()
            || self.fields.get(&field).is_some_and(|it| it.is_stable)
    }

    /// What a constructor puts into fields of its own object.
    fn own_stores<'f>(&self, method: MethodId, facts: &'f Facts) -> Vec<&'f Store> {
        let this = Path::new(Root::Param(0));
        let is_own = |store: &&Store| {
            store.field.class == method.class
                && store.object.is_some_and(|object| self.paths.of(object.path) == this)
        };
        facts.stores.iter().filter(is_own).collect()
    }

    fn read_constructor(&mut self, method: MethodId, facts: &Facts) {
        let own = self.own_stores(method, facts);
        for &whole in &own {
            let Some(value) = whole.value.filter(|_| self.is_stable(whole.field)) else { continue };
            let value = self.paths.of(value.path);
            match (value.root, value.steps()) {
                (Root::Alloc(maker, pc), []) if maker == method => {
                    self.read_part(facts, whole.field, pc);
                }
                (Root::Param(parent), []) if parent > 0 => {
                    for &taken in own.iter().filter(|it| it.field != whole.field) {
                        self.read_taken(whole.field, parent, taken);
                    }
                }
                _ => {}
            }
        }
    }

    /// The object that is made here for a field, and what its constructor is given.
    fn read_part(&mut self, facts: &Facts, whole: FieldId, pc: u16) {
        for (part, path) in self.parts(facts, pc) {
            self.found.entry((whole, part)).or_insert(path);
        }
    }

    /// The fields of a new object that hold what the maker's own object has.
    fn parts(&self, facts: &Facts, pc: u16) -> Vec<(FieldId, PathId)> {
        const DEPTH: usize = 4;
        let Some(creation) = facts.creation(pc) else { return Vec::new() };
        let mut found = Vec::new();
        for (field, index) in self.kept(creation.constructor, DEPTH) {
            let given = creation.arguments.get(usize::from(index)).copied().flatten();
            let Some(given) = given else { continue };
            if self.is_stable(field) && self.is_of_this(given.path) {
                found.push((field, given.path));
            }
        }
        found
    }

    /// The fields that a constructor, or one that it calls, fills with a parameter of its own.
    fn kept(&self, constructor: MethodId, depth: usize) -> Vec<(FieldId, u16)> {
        let Some(facts) = self.slice.index(constructor) else { return Vec::new() };
        let facts = &self.slice.facts[facts];
        let this = Path::new(Root::Param(0));
        let parameter = |path: Path| match (path.root, path.steps()) {
            (Root::Param(index), []) => Some(index),
            _ => None,
        };
        let mut found = Vec::new();
        for store in &facts.stores {
            let is_own = store.object.is_some_and(|object| self.paths.of(object.path) == this);
            let value = store.value.and_then(|val| parameter(self.paths.of(val.path)));
            found.extend(value.filter(|_| is_own).map(|index| (store.field, index)));
        }
        for event in &facts.events {
            let What::Call(call) = &event.what else { continue };
            let is_constructor = self.universe.program.method(call.resolved).1.name
                == self.universe.program.known.init;
            let receiver = call.arguments.first().copied().flatten();
            let is_own = receiver.is_some_and(|it| self.paths.of(it.path) == this);
            if is_constructor && is_own && depth > 0 {
                for (field, index) in self.kept(call.resolved, depth - 1) {
                    let given = call.arguments.get(usize::from(index)).copied().flatten();
                    let given = given.and_then(|it| parameter(self.paths.of(it.path)));
                    found.extend(given.map(|index| (field, index)));
                }
            }
        }
        // What is stored more than once, or besides, is not certain.
        let stores = |field: FieldId| facts.stores.iter().filter(|it| it.field == field).count();
        let ways = |field: FieldId| found.iter().filter(|it| it.0 == field).count();
        let is_sure = |it: &(FieldId, u16)| ways(it.0) == 1 && stores(it.0) <= 1;
        found.iter().copied().filter(is_sure).collect()
    }

    /// Whether the path leads from the constructor's own object through fields that are set once.
    fn is_of_this(&self, path: PathId) -> bool {
        let path = self.paths.of(path);
        path.root == Root::Param(0)
            && path.steps().iter().all(|step| match step {
                Step::Field(field) => self.is_stable(*field),
                Step::Element
                | Step::Many(_)
                | Step::ReadLock
                | Step::WriteLock
                | Step::Condition => false,
            })
    }

    /// A field that takes over the same field of the parent that another field holds.
    fn read_taken(&mut self, whole: FieldId, parent: u16, taken: &Store) {
        if let Some(path) = self.taken(parent, taken) {
            self.found.entry((whole, taken.field)).or_insert(path);
        }
    }

    fn taken(&self, parent: u16, taken: &Store) -> Option<PathId> {
        let from = Path::new(Root::Param(parent)).then(Step::Field(taken.field))?;
        let is_same = self.paths.of(taken.value?.path) == from;
        let own = Path::new(Root::Param(0)).then(Step::Field(taken.field))?;
        (is_same && self.is_stable(taken.field)).then(|| self.paths.intern(own))
    }

    /// Whether the constructor keeps to what was found of the two fields.
    fn confirms(
        &self,
        method: MethodId,
        facts: &Facts,
        own: &[&Store],
        (whole, part): (FieldId, FieldId),
    ) -> bool {
        let Some(&known) = self.found.get(&(whole, part)) else { return false };
        // Calls of other constructors of the class set the fields there.
        let delegates = facts.events.iter().any(|event| match &event.what {
            What::Call(call) => {
                call.resolved.class == method.class
                    && self.universe.program.method(call.resolved).1.name
                        == self.universe.program.known.init
                    && call
                        .arguments
                        .first()
                        .copied()
                        .flatten()
                        .is_some_and(|it| self.paths.of(it.path) == Path::new(Root::Param(0)))
            }
            What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => false,
        });
        let stores = own.iter().filter(|it| it.field == whole);
        let mut values = stores.filter_map(|it| it.value).map(|val| self.paths.of(val.path));
        !delegates
            && values.all(|value| match (value.root, value.steps()) {
                (Root::Alloc(_, pc), []) => self.parts(facts, pc).contains(&(part, known)),
                (Root::Param(parent), []) => {
                    let mut taken = own.iter().filter(|it| it.field == part).peekable();
                    taken.peek().is_some() && taken.all(|it| self.taken(parent, it) == Some(known))
                }
                _ => false,
            })
    }
}
