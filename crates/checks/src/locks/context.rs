//! What the stages share, and questions that all of them ask about methods, classes and paths.

use std::sync::{Mutex, PoisonError};

use program::{ClassId, FieldId, MethodDescriptor, MethodId};
use rustc_hash::FxHashMap;

use super::facts::{LambdaSite, What};
use super::fields::{Age, Fields};
use super::graph::Locking;
use super::kept::is_kept;
use super::path::{Lock, Path, PathId, Paths, Root, Step};
use super::slice::Slice;
use super::summary::Pair;
use super::universe::Universe;
use super::values::extend;

/// What the stages of the analysis share.
pub(crate) struct Context<'a> {
    pub universe: &'a Universe<'a>,
    pub paths: &'a Paths,
    pub slice: &'a Slice,
    pub fields: &'a Fields,
    /// Whether anybody can call the method, by position in the slice.
    pub entries: Vec<bool>,
    /// Whether it is an initialiser of the judged code.
    pub initialisers: Vec<bool>,
    /// If only `main` methods start: by method the programs that run it, and whether another thread than
    /// the first may.
    pub programs: Vec<u64>,
    pub elsewhere: Vec<bool>,
    pub locking: &'a Locking,
    /// By class, at how many places an object of it or of a subclass is made.
    pub population: Vec<u32>,
    /// Calls between a method and the lock that it is said to want; deeper ones are not followed.
    pub depth: u16,
    pub asked: Asked,
}

/// Answers that are found when somebody asks.
#[derive(Default)]
pub(crate) struct Asked {
    /// Of fields: whether no two objects have the same value in them.
    pub unique: Mutex<FxHashMap<FieldId, bool>>,
    /// Of objects, by method and pc: whether only the thread knows them that made them.
    kept: Mutex<FxHashMap<(MethodId, u16), bool>>,
    /// Of fields of the library: whether they are always null.
    pub never_set: Mutex<FxHashMap<FieldId, bool>>,
}

impl Context<'_> {
    /// Whether pairs that reach this method are final: anybody can call it, or the JVM does.
    pub(crate) fn is_start(&self, method: usize) -> bool {
        self.entries[method] || self.initialisers[method]
    }

    /// Whether the pair means the same objects whoever made them: not those that the constructor of a
    /// class was given that only known code can make.
    pub(crate) fn is_final(&self, entry: usize, pair: &Pair) -> bool {
        let method = self.slice.methods[entry];
        let is_made_here = |lock: &Lock| {
            let is_constructor =
                self.universe.program.method(method).1.name == self.universe.program.known.init;
            let path = self.paths.of(lock.val.path);
            is_constructor && path.root == Root::Param(0) && self.is_own_part(path.steps())
        };
        // Nobody else knows an object while its constructor runs.
        // Apart from a thread that the constructor itself starts.
        if !pair.is_spawned && (is_made_here(&pair.held) || is_made_here(&pair.wanted)) {
            return false;
        }
        self.universe.is_exposed(method.class) || !self.depends_on_constructor(pair)
    }

    /// Whether the steps from an object lead to what was made for it, or to the object itself.
    pub(crate) fn is_own_part(&self, steps: &[Step]) -> bool {
        steps.iter().all(|step| match step {
            Step::Field(field) => {
                self.fields.of(*field).is_some_and(|facts| facts.age == Age::Younger)
            }
            Step::ReadLock | Step::WriteLock | Step::Condition => true,
            Step::Element | Step::Older | Step::Many(_) => false,
        })
    }

    pub(crate) fn depends_on_constructor(&self, pair: &Pair) -> bool {
        [&pair.held, &pair.wanted].into_iter().any(|lock| {
            let path = self.paths.of(lock.val.path);
            let first = path.steps().first();
            path.root == Root::Param(0)
                && first.is_some_and(|step| match step {
                    Step::Field(field) => {
                        self.fields.of(*field).is_some_and(|facts| facts.age == Age::Older)
                    }
                    Step::Older => true,
                    Step::Element
                    | Step::Many(_)
                    | Step::ReadLock
                    | Step::WriteLock
                    | Step::Condition => false,
                })
        })
    }

    /// Whether the JVM ever has one object of the class: only known code can make it, at one place that
    /// runs once.
    pub(crate) fn is_single(&self, class: ClassId) -> bool {
        let program = self.universe.program;
        let Some(declared) = program.class(class) else { return false };
        let is_init = |method: &&program::Method| method.name == program.known.init;
        let is_closed =
            declared.methods.iter().filter(is_init).all(|it| it.access_flags.is_private());
        let is_copied = self.fields.is_copied(class);
        if !is_closed || is_copied || self.universe.world.subtypes(class).len() > 1 {
            return false;
        }
        let mut makers = Vec::new();
        for (&method, facts) in self.slice.methods.iter().zip(&self.slice.facts) {
            let is_maker = |it: &LambdaSite| {
                it.target.class == class && program.method(it.target).1.name == program.known.init
            };
            if facts.lambdas.iter().any(is_maker) {
                return false;
            }
            for creation in facts.creations.iter().filter(|it| it.class == class) {
                if facts.is_repeated(creation) {
                    return false;
                }
                makers.push(method);
            }
        }
        matches!(makers[..], [only] if self.runs_once(only))
    }

    /// Whether only the thread that runs the method knows what it makes at this pc.
    pub(crate) fn is_kept(&self, method: usize, pc: u16) -> bool {
        let id = self.slice.methods[method];
        // The library is judged as it comes; there are too many bodies to read.
        if self.universe.is_all_judged() || self.universe.is_platform(id.class) {
            return !self.slice.facts[method].escapes(pc);
        }
        let lock = || self.asked.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = lock().get(&(id, pc)) {
            return known;
        }
        let found = is_kept(self.universe, id, pc);
        lock().insert((id, pc), found);
        found
    }

    /// A method that the JVM runs in its first thread.
    pub(crate) fn is_main(&self, method: usize) -> bool {
        let id = self.slice.methods[method];
        self.universe.is_main(id) && !self.is_called(id)
    }

    /// Whether analysed code calls the method, in whatever thread.
    pub(crate) fn is_called(&self, method: MethodId) -> bool {
        let events = self.slice.facts.iter().flat_map(|facts| &facts.events);
        let lambdas = self.slice.facts.iter().flat_map(|facts| &facts.lambdas);
        lambdas.into_iter().any(|it| it.target == method)
            || events.into_iter().any(|event| match &event.what {
                What::Call(call) => call.targets.all().any(|it| it == method),
                What::Acquire(_)
                | What::Init(_)
                | What::Wait { .. }
                | What::Notify { .. }
                | What::Join(_)
                | What::Spawn(_) => false,
            })
    }

    /// Whether the method runs once in the life of a JVM: `main` and class initialisers.
    pub(crate) fn runs_once(&self, method: MethodId) -> bool {
        let program = self.universe.program;
        let (_, declared) = program.method(method);
        declared.name == program.known.clinit
            || declared.access_flags.is_static()
                && self.slice.index(method).is_some_and(|method| self.is_main(method))
    }

    /// The methods, by position in the slice, that others may run on an object of a class that nobody
    /// outside can make; `None` if the class is open.
    pub(crate) fn closed_methods(&self, class: ClassId) -> Option<Vec<usize>> {
        let program = self.universe.program;
        if self.universe.is_exposed(class) {
            return None;
        }
        // What it inherits from such classes is called on it as well.
        let above = &program.ancestry(program.class(class)?).superclasses;
        let closed = above.iter().copied().filter(|&it| !self.universe.is_exposed(it));
        let classes = closed.filter_map(|it| program.class(it));
        let methods =
            classes.flat_map(|it| it.methods()).filter_map(|(id, _)| self.slice.index(id));
        Some(methods.filter(|&index| self.entries[index]).collect())
    }
}

/// By class, at how many places an object of it or of a subclass is made.
pub(crate) fn count_objects(universe: &Universe<'_>, slice: &Slice) -> Vec<u32> {
    let mut population = vec![0; universe.n_classes()];
    for creation in slice.facts.iter().flat_map(|facts| &facts.creations) {
        if let Some(class) = universe.program.class(creation.class) {
            let ancestry = universe.program.ancestry(class);
            for above in ancestry.superclasses.iter().chain(&ancestry.interfaces) {
                population[above.index()] += 1;
            }
        }
    }
    population
}

/// The class of each parameter, `this` included; `None` for primitives and what is unknown.
pub(crate) fn parameter_classes(universe: &Universe<'_>, method: MethodId) -> Vec<Option<ClassId>> {
    let (class, declared) = universe.program.method(method);
    let mut classes = Vec::new();
    if !declared.access_flags.is_static() {
        classes.push(Some(class.id));
    }
    let descriptor = universe.program.names.bytes(declared.descriptor);
    if let Some(descriptor) = MethodDescriptor::parse(descriptor) {
        let parameters = descriptor.parameters();
        classes.extend(parameters.map(|it| super::values::class_of_descriptor(universe, it)));
    }
    classes
}

/// The path with fields replaced by what they are defined to be.
pub(crate) fn define(context: &Context<'_>, id: PathId) -> PathId {
    let paths = context.paths;
    let path = paths.of(id);
    let constant = |field| context.fields.of(field).and_then(|facts| facts.constant);
    let mut at = match path.root {
        Root::Static(field) => constant(field).unwrap_or_else(|| paths.root(path.root)),
        Root::Param(_)
        | Root::Class(_)
        | Root::Text(_)
        | Root::Alloc(..)
        | Root::Result(_)
        | Root::Local(_)
        | Root::Unknown => paths.root(path.root),
    };
    for &step in path.steps() {
        if let Step::Field(field) = step
            && let Some(constant) = constant(field)
        {
            at = constant;
            continue;
        }
        if let Some(shorter) = taken_from_whole(context, at, step) {
            at = shorter;
            continue;
        }
        let definition = match step {
            Step::Field(field) => context.fields.of(field).and_then(|facts| facts.definition),
            Step::Element
            | Step::Older
            | Step::Many(_)
            | Step::ReadLock
            | Step::WriteLock
            | Step::Condition => None,
        };
        let further: Vec<Step> = match definition {
            Some(definition) => paths.of(definition).steps().to_vec(),
            None => vec![step],
        };
        for step in further {
            match extend(paths, at, step) {
                Some(longer) => at = longer,
                None => return id,
            }
        }
    }
    at
}

/// Where the step leads, if that is an object which the owner of the path's last field has itself.
fn taken_from_whole(context: &Context<'_>, at: PathId, step: Step) -> Option<PathId> {
    let path = context.paths.of(at);
    let Step::Field(part) = step else { return None };
    let (whole, is_far) = match path.last()? {
        Step::Field(whole) => (whole, false),
        Step::Many(whole) => (whole, true),
        Step::Element => return taken_inside(context, path, part),
        Step::Older | Step::ReadLock | Step::WriteLock | Step::Condition => return None,
    };
    let taken = context.paths.of(context.fields.handed(whole, part)?);
    // What each takes over from the next is the same all along.
    if is_far && taken.steps() != [step] {
        return None;
    }
    let mut owner = context.paths.intern(path.base()?);
    for &step in taken.steps() {
        owner = taken_from_whole(context, owner, step)
            .or_else(|| extend(context.paths, owner, step))?;
    }
    Some(owner)
}

/// The same for a field of what a collection holds.
fn taken_inside(context: &Context<'_>, element: Path, part: FieldId) -> Option<PathId> {
    let collection = element.base()?;
    let Step::Field(whole) = collection.last()? else { return None };
    let taken = context.paths.of(context.fields.handed_inside(whole, part)?);
    // It may be inside of what is inside: each must have taken over the same.
    if taken.steps() != [Step::Field(part)] {
        return None;
    }
    let mut owner = context.paths.intern(collection.base()?);
    for &step in taken.steps() {
        owner = taken_from_whole(context, owner, step)
            .or_else(|| extend(context.paths, owner, step))?;
    }
    Some(owner)
}

/// Whether the path leads to the same object whenever it is followed from the same root.
pub(crate) fn is_lasting(context: &Context<'_>, id: PathId) -> bool {
    let path = context.paths.of(id);
    let stable = |field| context.fields.is_stable(context.universe, field);
    let root = match path.root {
        Root::Static(field) => stable(field),
        Root::Param(_) | Root::Class(_) | Root::Text(_) | Root::Alloc(..) => true,
        Root::Result(_) | Root::Local(_) | Root::Unknown => false,
    };
    root && path.steps().iter().all(|step| match step {
        Step::Field(field) => stable(*field),
        Step::Element | Step::Older | Step::Many(_) => false,
        Step::ReadLock | Step::WriteLock | Step::Condition => true,
    })
}

/// Whether two locks of one frame are certainly one object, so that taking the second never waits.
pub(crate) fn must_be_same(context: &Context<'_>, a: &Lock, b: &Lock) -> bool {
    if a.val.path != b.val.path {
        return false;
    }
    // A thread that reads waits for itself when it wants to write.
    let compatible = a.mode.includes(b.mode);
    let path = context.paths.of(a.val.path);
    let same_value = path.is_local() && path.steps().is_empty();
    compatible && (same_value || is_lasting(context, a.val.path))
}
