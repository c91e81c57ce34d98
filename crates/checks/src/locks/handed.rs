//! Fields of a part that are always the same object as a field of the whole.
//!
//! An object that makes a part in its constructor and hands it one of its own objects finds that object
//! in the part again; an object that takes over what its parent has finds it in the parent. Both are
//! said as: these two fields, one after the other, lead where that path from the same object leads. Only
//! fields that are set once count.

use program::{ClassId, FieldId, MethodId};
use rustc_hash::FxHashMap;

use super::contents::Contents;
use super::facts::{Facts, Store, What};
use super::fields::{FieldFacts, see_through};
use super::path::{Path, PathId, Paths, Root, Step, Val};
use super::products::{Product, products};
use super::slice::Slice;
use super::universe::Universe;
use super::values::extend;

/// By a field and a field of what it holds: the path from the object that has the first.
pub(super) type Handed = FxHashMap<(FieldId, FieldId), PathId>;

/// Constructors that call constructors are followed so far.
const DEPTH: usize = 4;

/// The path of an object's own field.
fn itself(field: FieldId) -> Path {
    let this = Path::new(Root::Param(0));
    this.then(Step::Field(field)).unwrap_or(this)
}

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
    let made_later = search.find_made_later();
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
    search.found.extend(made_later);
    search.found
}

/// The fields of what a collection holds that always lead back to the owner of the collection.
pub(super) fn find_handed_inside(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    fields: &FxHashMap<FieldId, FieldFacts>,
    contents: &Contents,
) -> Handed {
    let search = Search { universe, paths, slice, fields, found: FxHashMap::default() };
    let mut found = Handed::default();
    #[expect(clippy::iter_over_hash_type, reason = "entries of each field are its own")]
    for (&whole, made) in contents {
        let parts_of = |&(method, pc): &(MethodId, u16)| {
            let facts = slice.index(method).map(|it| &slice.facts[it]);
            facts.map(|facts| search.parts(facts, pc)).unwrap_or_default()
        };
        let mut all = made.iter().map(parts_of);
        let first = all.next().unwrap_or_default();
        let rest: Vec<Vec<(FieldId, PathId)>> = all.collect();
        let shared = first.into_iter().filter(|it| rest.iter().all(|other| other.contains(it)));
        found.extend(shared.map(|(part, path)| ((whole, part), path)));
    }
    found
}

/// By a class and a field of one above it: the path from each object of the class that leads to the same.
pub(super) type ByClass = FxHashMap<(ClassId, FieldId), PathId>;

/// Fields that all constructors of a class fill with the object itself, or with what is in another field.
pub(super) fn find_by_class(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    fields: &FxHashMap<FieldId, FieldFacts>,
) -> ByClass {
    let search = Search { universe, paths, slice, fields, found: FxHashMap::default() };
    let program = universe.program;
    let is_init = |method: &MethodId| program.method(*method).1.name == program.known.init;
    let mut classes: Vec<ClassId> =
        slice.methods.iter().filter(|it| is_init(it)).map(|it| it.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let mut found = ByClass::default();
    for class in classes.into_iter().filter_map(|it| program.class(it)) {
        let constructors = class.methods().map(|(id, _)| id).filter(|it| is_init(it));
        let kept: Vec<Vec<(FieldId, Path)>> =
            constructors.map(|it| search.kept(it, DEPTH)).collect();
        let Some((first, rest)) = kept.split_first() else { continue };
        let value = |of: &[(FieldId, Path)], field: FieldId| {
            of.iter().find(|it| it.0 == field).map(|it| it.1)
        };
        for &(field, path) in first.iter().filter(|it| it.0.class != class.id) {
            if !search.is_stable(field) {
                continue;
            }
            let this = Path::new(Root::Param(0));
            if path == this && rest.iter().all(|it| value(it, field) == Some(this)) {
                found.insert((class.id, field), paths.intern(this));
                continue;
            }
            let is_same = |twin: &FieldId| {
                let agree = |it: &Vec<(FieldId, Path)>| {
                    value(it, *twin).is_some() && value(it, *twin) == value(it, field)
                };
                twin.class == class.id && search.is_stable(*twin) && kept.iter().all(agree)
            };
            let twin = first.iter().map(|it| it.0).find(is_same);
            let path = twin.and_then(|twin| this.then(Step::Field(twin)));
            found.extend(path.map(|path| ((class.id, field), paths.intern(path))));
        }
    }
    found
}

/// By a field and a field of what it holds: the very classes that the latter can have.
pub(super) type Inner = FxHashMap<(FieldId, FieldId), Vec<ClassId>>;

/// Fields of an object of the library, with the classes of what they hold.
type Parts = Vec<(FieldId, Vec<ClassId>)>;

/// What is inside of objects of the library that judged code makes for its own fields: a list in its wrapper.
pub(super) fn find_inner(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    fields: &FxHashMap<FieldId, FieldFacts>,
) -> Inner {
    let search = Search { universe, paths, slice, fields, found: FxHashMap::default() };
    let mut found: FxHashMap<FieldId, Option<Parts>> = FxHashMap::default();
    for (&method, facts) in slice.methods.iter().zip(&slice.facts) {
        for store in facts.stores.iter().filter(|it| search.holds_library(it.field)) {
            let Some(value) = store.value else { continue };
            let inner = search.inner(method, facts, value);
            let known = found.entry(store.field).or_insert_with(|| inner.clone());
            *known = merge(known.take(), inner);
        }
    }
    let all = found.into_iter().flat_map(|(whole, inner)| {
        inner.into_iter().flatten().map(move |(part, classes)| ((whole, part), classes))
    });
    all.collect()
}

/// The parts that are known of both, with the classes of either.
fn merge(a: Option<Parts>, b: Option<Parts>) -> Option<Parts> {
    let (mut a, b) = (a?, b?);
    a.retain_mut(|(part, classes)| {
        let other = b.iter().find(|it| it.0 == *part);
        other.map(|it| classes.extend(&it.1)).is_some()
    });
    Some(a)
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
                (Root::Result(_), []) => {
                    for part in self.own_parts(facts, whole.value) {
                        let own = self.paths.intern(itself(whole.field));
                        self.found.entry((whole.field, part)).or_insert(own);
                    }
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

    /// Parts that are made at any time, each for the object whose field then has it: whichever is there has
    /// been given the same.
    fn find_made_later(&self) -> Vec<((FieldId, FieldId), PathId)> {
        let this = Path::new(Root::Param(0));
        let mut parts: FxHashMap<FieldId, Option<Vec<(FieldId, PathId)>>> = FxHashMap::default();
        for (&method, facts) in self.slice.methods.iter().zip(&self.slice.facts) {
            let (_, declared) = self.universe.program.method(method);
            for store in facts.stores.iter().filter(|it| !self.is_stable(it.field)) {
                let Some(value) = store.value else { continue };
                let object = store.object.map(|it| self.paths.of(it.path));
                let value = self.paths.of(value.path);
                let made = match (value.root, value.steps()) {
                    (Root::Alloc(maker, pc), [])
                        if maker == method
                            && object == Some(this)
                            && !declared.access_flags.is_static() =>
                    {
                        Some(self.parts(facts, pc))
                    }
                    _ => None,
                };
                let known = parts.entry(store.field).or_insert_with(|| made.clone());
                *known = match (known.take(), made) {
                    (Some(known), Some(made)) => {
                        Some(known.into_iter().filter(|it| made.contains(it)).collect())
                    }
                    _ => None,
                };
            }
        }
        let is_closed = |field: &FieldId| super::fields::is_closed(self.universe, *field);
        let closed = parts.into_iter().filter(|(whole, _)| is_closed(whole));
        closed
            .flat_map(|(whole, parts)| {
                parts.into_iter().flatten().map(move |(part, path)| ((whole, part), path))
            })
            .collect()
    }

    /// The fields of a new object that hold what the maker's own object has.
    fn parts(&self, facts: &Facts, pc: u16) -> Vec<(FieldId, PathId)> {
        let Some(creation) = facts.creation(pc) else { return Vec::new() };
        let mut found = Vec::new();
        for (field, kept) in self.kept(creation.constructor, DEPTH) {
            let Some(given) = self.given(&creation.arguments, kept) else { continue };
            if self.is_stable(field) && self.is_of_this(given) {
                found.push((field, given));
            }
        }
        found
    }

    /// The fields of what a factory gives that hold that object itself.
    fn own_parts(&self, facts: &Facts, val: Option<Val>) -> Vec<FieldId> {
        let products = val.and_then(|val| products(self.paths, self.slice, facts, val));
        let parts_of = |product: &Product<'_>| -> Vec<FieldId> {
            let Some(creation) = product.creation else { return Vec::new() };
            let kept = self.kept(creation.constructor, DEPTH).into_iter();
            let is_own = |it: &(FieldId, Path)| it.1 == Path::new(Root::Param(0));
            kept.filter(is_own).map(|it| it.0).filter(|&it| self.is_stable(it)).collect()
        };
        let mut all = products.iter().flatten().map(parts_of);
        let mut shared = all.next().unwrap_or_default();
        all.for_each(|other| shared.retain(|it| other.contains(it)));
        shared
    }

    /// Whether the field, which only judged code sets, holds objects of certain classes of the library.
    fn holds_library(&self, field: FieldId) -> bool {
        let universe = self.universe;
        let classes = self.fields.get(&field).map_or(&[][..], |it| &it.classes);
        !universe.is_platform(field.class)
            && !classes.is_empty()
            && classes.iter().all(|&it| universe.is_platform(it))
    }

    /// The fields of a new object that hold an object of a known class, which its maker was given.
    fn inner(&self, method: MethodId, facts: &Facts, value: Val) -> Option<Parts> {
        let path = self.paths.of(value.path);
        let class_of = |arguments: &[Option<Val>], kept: Path| {
            let (Root::Param(index), []) = (kept.root, kept.steps()) else { return None };
            let given = arguments.get(usize::from(index)).copied().flatten()?;
            given.class.filter(|_| given.exact)
        };
        let mut found: Option<Parts> = None;
        let mut add = |constructor: MethodId, class: &dyn Fn(Path) -> Option<ClassId>| {
            let kept = self.kept(constructor, DEPTH).into_iter().filter(|it| self.is_stable(it.0));
            let known = kept.filter_map(|(field, path)| Some((field, vec![class(path)?])));
            let known = Some(known.collect());
            found = if found.is_none() { known } else { merge(found.take(), known) };
        };
        match (path.root, path.steps()) {
            (Root::Alloc(maker, pc), []) if maker == method => {
                let creation = facts.creation(pc)?;
                add(creation.constructor, &|kept| class_of(&creation.arguments, kept));
            }
            (Root::Result(number), []) => {
                let call = facts.call(number)?;
                for product in products(self.paths, self.slice, facts, value)? {
                    let creation = product.creation?;
                    // Only what the call itself hands to the factory is seen.
                    if call.targets.methods[..] != [product.place.0] {
                        return None;
                    }
                    add(creation.constructor, &|kept| {
                        let (Root::Param(index), []) = (kept.root, kept.steps()) else {
                            return None;
                        };
                        let given =
                            creation.arguments.get(usize::from(index)).copied().flatten()?;
                        class_of(&call.arguments, self.paths.of(given.path))
                    });
                }
            }
            _ => return None,
        }
        found
    }

    /// What a path from a parameter is, with these arguments.
    fn given(&self, arguments: &[Option<Val>], kept: Path) -> Option<PathId> {
        let Root::Param(index) = kept.root else { return None };
        let mut at = arguments.get(usize::from(index)).copied().flatten()?.path;
        for &step in kept.steps() {
            at = extend(self.paths, at, step)?;
        }
        Some(at)
    }

    /// The fields that a constructor, or one that it calls, fills with a parameter of its own, or with
    /// what that has.
    fn kept(&self, constructor: MethodId, depth: usize) -> Vec<(FieldId, Path)> {
        let Some(facts) = self.slice.index(constructor) else { return Vec::new() };
        let facts = &self.slice.facts[facts];
        let this = Path::new(Root::Param(0));
        let parameter = |path: Path| match path.root {
            Root::Param(index) if index > 0 || path.steps().is_empty() => Some(path),
            _ => None,
        };
        let mut found = Vec::new();
        for store in &facts.stores {
            let is_own = store.object.is_some_and(|object| self.paths.of(object.path) == this);
            let value = store.value.map(|val| see_through(self.paths, self.slice, facts, val));
            let value = value.and_then(|val| parameter(self.paths.of(val.path)));
            found.extend(value.filter(|_| is_own).map(|path| (store.field, path)));
        }
        for event in &facts.events {
            let What::Call(call) = &event.what else { continue };
            let is_constructor = self.universe.program.method(call.resolved).1.name
                == self.universe.program.known.init;
            let receiver = call.arguments.first().copied().flatten();
            let is_own = receiver.is_some_and(|it| self.paths.of(it.path) == this);
            if is_constructor && is_own && depth > 0 {
                for (field, kept) in self.kept(call.resolved, depth - 1) {
                    let given = self.given(&call.arguments, kept);
                    let given = given.and_then(|it| parameter(self.paths.of(it)));
                    found.extend(given.map(|path| (field, path)));
                }
            }
        }
        // What is stored more than once, or besides, is not certain.
        let stores = |field: FieldId| facts.stores.iter().filter(|it| it.field == field).count();
        let ways = |field: FieldId| found.iter().filter(|it| it.0 == field).count();
        let is_sure = |it: &(FieldId, Path)| ways(it.0) == 1 && stores(it.0) <= 1;
        found.iter().copied().filter(is_sure).collect()
    }

    /// Whether the path leads from the constructor's own object through fields that are set once.
    fn is_of_this(&self, path: PathId) -> bool {
        let path = self.paths.of(path);
        path.root == Root::Param(0)
            && path.steps().iter().all(|step| match step {
                Step::Field(field) => self.is_stable(*field),
                Step::Element
                | Step::Older
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
        let mut values = stores.filter_map(|it| it.value).map(|val| (val, self.paths.of(val.path)));
        !delegates
            && values.all(|(val, value)| match (value.root, value.steps()) {
                (Root::Alloc(_, pc), []) => self.parts(facts, pc).contains(&(part, known)),
                (Root::Result(_), []) => {
                    self.paths.of(known) == itself(whole)
                        && self.own_parts(facts, Some(val)).contains(&part)
                }
                (Root::Param(parent), []) => {
                    let mut taken = own.iter().filter(|it| it.field == part).peekable();
                    taken.peek().is_some() && taken.all(|it| self.taken(parent, it) == Some(known))
                }
                _ => false,
            })
    }
}
