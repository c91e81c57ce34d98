//! What the fields of the slice hold: decided by every store that was seen.
//!
//! A field that was not stored to in the slice, or whose stores might be elsewhere, tells nothing.
//! Assumed, and said in the report: fields change only through code that was analysed.

use program::{ClassId, FieldId, MethodId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::by_name::find_set_by_name;
use super::contents::find_contents;
use super::facts::{Event, Facts, Store, What};
use super::handed::{
    ByClass, Handed, Inner, find_by_class, find_handed, find_handed_inside, find_inner,
};
use super::path::{Path, PathId, Paths, Root, Step, Val};
use super::products::{is_product, products};
use super::slice::Slice;
use super::universe::Universe;

/// How the object in a field relates to the object that has the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Age {
    /// Allocated for it, or a part of a lock that was: never known to anybody before.
    Younger,
    /// Given to its constructor: there before it.
    Older,
    #[default]
    Any,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct FieldFacts {
    /// Set once, while the object or class is made.
    pub is_stable: bool,
    /// Every value is an allocation.
    pub is_fresh: bool,
    pub age: Age,
    /// Whether the objects that it links stay in one order for ever: no store turns a link round.
    pub is_chain: bool,
    /// Whether some method other than a constructor puts in what it was given.
    pub is_given: bool,
    /// The very classes of all objects that it holds, if they are few and nobody else can store.
    pub classes: Box<[ClassId]>,
    /// The very classes of all that analysed code puts in, whoever else can.
    pub likely: Box<[ClassId]>,
    /// A path from the object itself that the field is always equal to: `this`, `this.lock.readLock()`.
    pub definition: Option<PathId>,
    /// The one object of the whole JVM that it always holds: a literal, a small box, a class.
    pub constant: Option<PathId>,
}

pub(crate) struct Fields {
    all: FxHashMap<FieldId, FieldFacts>,
    /// What is stored, and where.
    stored: FxHashMap<FieldId, Vec<(MethodId, Val)>>,
    handed: Handed,
    /// The same for what a collection in a field holds.
    handed_inside: Handed,
    by_class: ByClass,
    /// What is inside of objects of the library that fields hold.
    inner: Inner,
    /// Fields with a collection that holds only what is younger than its owner.
    young_inside: FxHashSet<FieldId>,
    /// Classes of which copies are made without a constructor.
    copied: FxHashSet<ClassId>,
    /// Fields that are set through their names, besides what the bodies store.
    by_name: FxHashSet<FieldId>,
}

impl Fields {
    pub(crate) fn of(&self, field: FieldId) -> Option<&FieldFacts> {
        self.all.get(&field)
    }

    /// Where two fields, one after the other, always lead: a path from the object that has the first.
    pub(crate) fn handed(&self, whole: FieldId, part: FieldId) -> Option<PathId> {
        // A copy has the parts of another.
        let is_own = !self.is_copied(whole.class);
        self.handed.get(&(whole, part)).copied().filter(|_| is_own)
    }

    /// Whether the field may be set through its name.
    pub(super) fn is_set_by_name(&self, field: FieldId) -> bool {
        self.by_name.contains(&field)
    }

    /// Where a field of what the collection in the first field holds always leads.
    pub(crate) fn handed_inside(&self, whole: FieldId, part: FieldId) -> Option<PathId> {
        self.handed_inside.get(&(whole, part)).copied()
    }

    /// Where a field of an object of the class always leads, because all constructors fill it so.
    pub(crate) fn by_class(
        &self,
        universe: &Universe<'_>,
        class: ClassId,
        field: FieldId,
    ) -> Option<PathId> {
        let declared = universe.program.class(class)?;
        let chain = &universe.program.ancestry(declared).superclasses;
        let found = chain.iter().find_map(|&above| self.by_class.get(&(above, field)).copied())?;
        (!self.is_copied(class)).then_some(found)
    }

    /// The very classes that a field of what the first field holds can have; none if that is open.
    pub(crate) fn inner(&self, whole: FieldId, part: FieldId) -> &[ClassId] {
        self.inner.get(&(whole, part)).map_or(&[], Vec::as_slice)
    }

    /// Whether all that the collection in the field ever holds is younger than the object that has it.
    pub(crate) fn holds_younger(&self, field: FieldId) -> bool {
        self.young_inside.contains(&field)
    }

    /// Whether objects of the class may be copies, which no constructor has made.
    pub(crate) fn is_copied(&self, class: ClassId) -> bool {
        self.copied.contains(&class)
    }

    /// Every value that is stored, with the method that does.
    pub(crate) fn stored(&self, field: FieldId) -> &[(MethodId, Val)] {
        self.stored.get(&field).map_or(&[], Vec::as_slice)
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
        for store in &facts.stores {
            let value = store.value.map(|val| see_through(paths, slice, facts, val));
            stores.entry(store.field).or_default().push((method, Store { value, ..*store }));
        }
    }
    let copied = copied_classes(universe);
    let by_name = find_set_by_name(universe, slice);
    let mut ordered: Vec<(FieldId, Vec<(MethodId, Store)>)> = stores.into_iter().collect();
    ordered.sort_unstable_by_key(|it| it.0);
    let judge = |(field, stores): &(FieldId, Vec<(MethodId, Store)>)| {
        let mut facts = judge_field(universe, paths, slice, *field, stores);
        facts.is_chain = super::chains::is_chain(universe, paths, slice, *field, stores);
        if copied.contains(&field.class) {
            // A copy shares what was made for another, and is younger.
            facts.age = Age::Any;
            facts.definition = None;
        }
        if by_name.contains(field) {
            facts = FieldFacts { likely: facts.likely, ..FieldFacts::default() };
        }
        if is_anybodys(universe, *field) {
            let likely = facts.likely;
            facts = FieldFacts { likely, is_given: true, ..FieldFacts::default() };
        }
        (*field, facts)
    };
    let all: FxHashMap<FieldId, FieldFacts> = ordered.par_iter().map(judge).collect();
    let stored = ordered.into_iter().map(|(field, stores)| {
        let values = stores.iter().filter_map(|(method, store)| Some((*method, store.value?)));
        (field, values.collect())
    });
    let stored: FxHashMap<FieldId, Vec<(MethodId, Val)>> = stored.collect();
    let (handed, (contents, by_class)) = rayon::join(
        || find_handed(universe, paths, slice, &all),
        || {
            rayon::join(
                || find_contents(universe, paths, slice, &all),
                || find_by_class(universe, paths, slice, &all),
            )
        },
    );
    let handed_inside = find_handed_inside(universe, paths, slice, &all, &contents);
    let young_inside = contents.into_keys().collect();
    let inner = find_inner(universe, paths, slice, &all);
    Fields { all, stored, handed, handed_inside, by_class, inner, young_inside, copied, by_name }
}

/// Classes that `Object.clone` serves, and those above them.
fn copied_classes(universe: &Universe<'_>) -> FxHashSet<ClassId> {
    let program = universe.program;
    let mut copied = FxHashSet::default();
    let Some(cloneable) = program.find_class_text("java/lang/Cloneable") else { return copied };
    for class in universe.world.subtypes(cloneable) {
        let Some(class) = program.class(class) else { continue };
        // Whether it overrides `clone` does not matter: its own code may call that of `Object`.
        let chain = &program.ancestry(class).superclasses;
        let is_object = |id: ClassId| program.class_name(id) == program.known.object;
        copied.extend(chain.iter().copied().filter(|&it| !is_object(it)));
    }
    copied
}

/// A call that gives back what it was given, as `Objects.requireNonNull` does, stands for that.
pub(super) fn see_through(paths: &Paths, slice: &Slice, facts: &Facts, val: Val) -> Val {
    let through = || {
        let path = paths.of(val.path);
        let Root::Result(number) = path.root else { return None };
        let call = facts.call(number)?;
        let [target] = call.targets.methods[..] else { return None };
        let returned = slice.facts[slice.index(target)?].returned?;
        let Path { root: Root::Param(index), .. } = paths.of(returned.path) else { return None };
        let is_whole = path.steps().is_empty() && paths.of(returned.path).steps().is_empty();
        let given = call.arguments.get(usize::from(index)).copied().flatten()?;
        is_whole.then_some(given)
    };
    through().unwrap_or(val)
}

fn judge_field(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
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
    let known = || stores.iter().filter(|(_, store)| store.value.is_some());
    let is_made_once = known().all(in_maker)
        && (program.field(field).1.access_flags.is_final()
            || is_set_once(universe, paths, slice, stores));
    let is_fresh = values().next().is_some() && values().all(|it| is_made(paths, slice, it));
    let is_new =
        |it: (MethodId, Val)| is_made(paths, slice, it) || is_half_of_made(paths.of(it.1.path));
    let is_new = values().next().is_some() && values().all(is_new);
    let made_here = is_made_for_it(universe, paths, slice, stores);
    let by_constructor = |it: &(MethodId, Store)| {
        let Some(path) = it.1.value.map(|val| paths.of(val.path)) else { return false };
        let is_given = matches!(path.root, Root::Param(index) if index > 0);
        // What is read from an object that knows the new one may be younger than that.
        let was_there = || path.steps().iter().all(|step| is_final(universe, *step));
        in_maker(it) && is_given && (was_there() || keeps_to_itself(universe, paths, slice, it.0))
    };
    let is_older = |it: &(MethodId, Store)| is_into_new(universe, paths, it) || by_constructor(it);
    let is_given = known().any(|it| {
        let (_, method) = program.method(it.0);
        let first = u16::from(!method.access_flags.is_static());
        let root = it.1.value.map(|val| paths.of(val.path).root);
        matches!(root, Some(Root::Param(index)) if index >= first) && !is_older(it)
    });
    let age = if is_new && made_here {
        Age::Younger
    } else if known().next().is_some() && known().all(is_older) {
        Age::Older
    } else {
        Age::Any
    };
    FieldFacts {
        is_stable: is_made_once,
        is_fresh,
        age,
        is_chain: false,
        is_given,
        classes: exact_classes(universe, paths, slice, field, stores).unwrap_or_default(),
        likely: stored_classes(universe, paths, slice, stores).unwrap_or_default(),
        definition: definition(paths, is_made_once, stores),
        constant: constant(universe, paths, is_made_once, stores),
    }
}

/// Whether a value is a new object.
fn is_made(paths: &Paths, slice: &Slice, (method, val): (MethodId, Val)) -> bool {
    let path = paths.of(val.path);
    path.steps().is_empty() && matches!(path.root, Root::Alloc(..))
        || is_product(paths, slice, method, val)
}

/// Whether it is a half or a condition of a new lock: each lock has its own.
fn is_half_of_made(path: Path) -> bool {
    let is_part = |step: &Step| matches!(step, Step::Condition | Step::ReadLock | Step::WriteLock);
    matches!(path.root, Root::Alloc(..)) && path.steps().iter().all(is_part)
}

/// Whether nobody else knows the new object while its constructor runs.
pub(super) fn keeps_to_itself(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    constructor: MethodId,
) -> bool {
    let program = universe.program;
    if program.class_name(constructor.class) == program.known.object {
        return true;
    }
    let this = Path::new(Root::Param(0));
    let Some(facts) = slice.index(constructor).map(|it| &slice.facts[it]) else { return false };
    !facts.hands_on_receiver
        && facts.events.iter().all(|event| match &event.what {
            What::Call(call) => {
                let mut given = call.arguments.iter().flatten();
                let is_given = given.any(|it| paths.of(it.path) == this);
                let is_constructor = program.method(call.resolved).1.name == program.known.init;
                !is_given
                    || is_constructor && keeps_to_itself(universe, paths, slice, call.resolved)
            }
            What::Spawn(_) => false,
            What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_) => true,
        })
}

/// Whether no constructor stores twice, in the one that it starts with included.
fn is_set_once(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    stores: &[(MethodId, Store)],
) -> bool {
    let this = Path::new(Root::Param(0));
    let known = || stores.iter().filter(|(_, store)| store.value.is_some());
    known().all(|(method, _)| {
        let n_stores = known().filter(|it| it.0 == *method).count();
        let starts_with_other = |it: &Event| match &it.what {
            What::Call(call) => {
                let receiver = call.arguments.first().copied().flatten();
                call.resolved.class == method.class
                    && universe.program.method(call.resolved).1.name == universe.program.known.init
                    && receiver.is_some_and(|it| paths.of(it.path) == this)
            }
            What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => false,
        };
        let facts = slice.index(*method).map(|it| &slice.facts[it]);
        n_stores == 1 && !facts.is_some_and(|it| it.events.iter().any(starts_with_other))
    })
}

/// Whether every object that is put in was made by who puts it there, after what it is put into.
fn is_made_for_it(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    stores: &[(MethodId, Store)],
) -> bool {
    let program = universe.program;
    let is_init = |method: MethodId| program.method(method).1.name == program.known.init;
    // What the object is found through does not change, or it might be younger than what is put there.
    let is_old = |path: Path, method: MethodId| {
        let is_found = path.steps().iter().all(|step| is_final(universe, *step));
        let is_root = path.steps().is_empty();
        matches!(path.root, Root::Param(_)) && is_found && (is_root || !is_init(method))
    };
    stores.iter().filter(|(_, store)| store.value.is_some()).all(|(method, store)| {
        let root = store.value.map(|val| paths.of(val.path).root);
        let is_into_old = store.object.is_none_or(|it| is_old(paths.of(it.path), *method));
        let is_own = matches!(root, Some(Root::Alloc(maker, _)) if maker == *method);
        let is_given = || store.value.is_some_and(|val| is_product(paths, slice, *method, val));
        is_into_old && (is_own || is_given())
    })
}

/// What is put into an object that was just made was there before it.
fn is_into_new(
    universe: &Universe<'_>,
    paths: &Paths,
    (method, store): &(MethodId, Store),
) -> bool {
    let object = store.object.map(|object| paths.of(object.path));
    let is_new = object.is_some_and(|path| {
        path.steps().is_empty() && matches!(path.root, Root::Alloc(maker, _) if maker == *method)
    });
    let was_there = |path: Path| {
        matches!(path.root, Root::Param(_)) && path.steps().iter().all(|it| is_final(universe, *it))
    };
    is_new && store.value.is_some_and(|val| was_there(paths.of(val.path)))
}

/// Whether callers can store to the field as they like.
fn is_anybodys(universe: &Universe<'_>, field: FieldId) -> bool {
    let (class, declared) = universe.program.field(field);
    let flags = declared.access_flags;
    flags.is_public() && !flags.is_final() && universe.is_exposed(class.id)
}

/// Whether only code that was analysed can store to the field.
pub(super) fn is_closed(universe: &Universe<'_>, field: FieldId) -> bool {
    let (class, declared) = universe.program.field(field);
    let flags = declared.access_flags;
    flags.is_private() || flags.is_final() || !universe.is_exposed(class.id)
}

/// Whether the step leads through a final field.
pub(super) fn is_final(universe: &Universe<'_>, step: Step) -> bool {
    match step {
        Step::Field(field) => universe.program.field(field).1.access_flags.is_final(),
        Step::Element
        | Step::Older
        | Step::Many(_)
        | Step::ReadLock
        | Step::WriteLock
        | Step::Condition => false,
    }
}

fn exact_classes(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    field: FieldId,
    stores: &[(MethodId, Store)],
) -> Option<Box<[ClassId]>> {
    let flags = universe.program.field(field).1.access_flags;
    let is_open = (flags.is_public() || flags.is_protected()) && !flags.is_final();
    if is_open && universe.is_exposed(field.class) {
        return None;
    }
    stored_classes(universe, paths, slice, stores)
}

/// The very classes of all that is stored, if they are few.
fn stored_classes(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    stores: &[(MethodId, Store)],
) -> Option<Box<[ClassId]>> {
    const MANY: usize = 4;
    let mut classes: Vec<ClassId> = Vec::new();
    for (method, val) in stores.iter().filter_map(|(method, store)| Some((*method, store.value?))) {
        match val.class.filter(|_| val.exact) {
            Some(class) => classes.push(class),
            None => {
                let facts = &slice.facts[slice.index(method)?];
                classes.extend(products(paths, slice, facts, val)?.iter().map(|it| it.class));
            }
        }
    }
    classes.sort_unstable();
    classes.dedup();
    let is_interface =
        |it: &ClassId| universe.program.class(*it).is_none_or(program::Class::is_interface);
    (classes.len() <= MANY && !classes.iter().any(is_interface)).then(|| classes.into())
}

fn constant(
    universe: &Universe<'_>,
    paths: &Paths,
    is_made_once: bool,
    stores: &[(MethodId, Store)],
) -> Option<PathId> {
    let mut values = stores.iter().map(|(_, store)| store.value.map(|val| val.path));
    let first = values.next()??;
    let path = paths.of(first);
    let is_fixed = path.steps().is_empty() && matches!(path.root, Root::Text(_) | Root::Class(_));
    // What another static field always holds; of a lock, a condition or one half.
    let is_part = |step: &Step| matches!(step, Step::Condition | Step::ReadLock | Step::WriteLock);
    let is_of_lock = matches!(path.root, Root::Static(field) if is_final(universe, Step::Field(field)))
        && path.steps().iter().all(is_part);
    let is_global = is_fixed || is_of_lock;
    (is_made_once && is_global && values.all(|value| value == Some(first))).then_some(first)
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
