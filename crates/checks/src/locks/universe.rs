//! The classes under analysis: who may be called from outside, and which bodies a call may run.
//!
//! A receiver whose class is open would reach most of a JDK through `toString` alone. Such a call is a
//! callback: it goes to judged classes while they are few, and to the package of the receiver's own
//! type, whose authors know it; the rest is only counted, as an alien call. Limits are by number of
//! targets, never by name.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use program::{
    Class, ClassId, FieldId, Method, MethodDescriptor, MethodId, Name, Program, Role, World,
};
use rustc_hash::FxHashMap;

use super::Callers;
use super::fixed::Makers;
use super::primitives::Primitives;

/// Up to so many bodies, a call is taken to reach all of them.
const NARROW: usize = 4;
/// Up to so many bodies in judged classes, a callback of a library is taken to reach all of them.
const CALLBACKS: usize = 16;
/// Of the classes below a type so many are asked what they inherit; with more, a call on it stays open.
const HEIRS: usize = 300;
/// Of one package, so that objects that are handed over are followed.
const PACKAGE: usize = 16;
/// Of one package, so that calls back to objects that are handed over are followed.
const FAR: usize = 120;

/// Targets by the class of the receiver and the method that a call names.
type KnownTargets = FxHashMap<(ClassId, MethodId), Arc<Targets>>;

pub(crate) struct Universe<'a> {
    pub program: &'a Program,
    pub world: World,
    callers: Callers,
    pub primitives: Primitives,
    judged: Vec<bool>,
    /// Instance methods with code by name and descriptor, in input order.
    by_signature: FxHashMap<(Name, Name), Vec<MethodId>>,
    cache: [Mutex<KnownTargets>; SHARDS],
    containers: Vec<bool>,
    /// What is not the platform's: classes that code outside can name, and those above them.
    accessible: Vec<bool>,
    exposed: Vec<bool>,
    /// Whether there is nothing beside the judged classes, as when a JDK judges itself: then being
    /// judged says nothing about who is meant.
    is_all_judged: bool,
    /// Whether the library itself was given, and a part of it is judged: the rest is its platform.
    is_library_given: bool,
    /// By field, who sets it while its object is made; none if others may.
    makers: Mutex<FxHashMap<FieldId, Option<Arc<Makers>>>>,
    /// The classes of each package, once somebody asked.
    packages: OnceLock<FxHashMap<Vec<u8>, Vec<ClassId>>>,
}

/// Types whose objects hold others: what goes in comes out of any of their methods.
const CONTAINERS: &[&str] = &[
    "java/util/Collection",
    "java/util/Map",
    "java/util/Map$Entry",
    "java/util/Iterator",
    "java/util/Enumeration",
    "java/util/Optional",
    "java/util/stream/BaseStream",
    "java/lang/ref/Reference",
    "java/util/concurrent/atomic/AtomicReference",
];

const SHARDS: usize = 16;

/// The bodies that a call may run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Targets {
    /// Followed wherever they lead.
    pub methods: Box<[MethodId]>,
    /// Of an open call: followed only as far as they lock what the caller handed over.
    pub wide: Box<[MethodId]>,
    /// Of a very open call: followed only as far as they call back to what the caller handed over.
    pub far: Box<[MethodId]>,
    /// Whether there are others, outside of what was given or too many to follow.
    pub is_open: bool,
}

impl Targets {
    pub(crate) fn all(&self) -> impl Iterator<Item = MethodId> {
        self.methods.iter().chain(&self.wide).chain(&self.far).copied()
    }

    /// Whether it is certain that nothing else is run.
    pub(crate) fn is_known(&self) -> bool {
        !self.is_open && self.wide.is_empty() && self.far.is_empty() && !self.methods.is_empty()
    }
}

impl<'a> Universe<'a> {
    pub(crate) fn new(
        program: &'a Program,
        judged_ids: &[ClassId],
        callers: Callers,
    ) -> Universe<'a> {
        let roles = [Role::Judged, Role::Known, Role::Platform];
        let all: Vec<ClassId> = roles.iter().flat_map(|&role| program.class_ids(role)).collect();
        use rayon::prelude::*;
        // Reading is the slow part, and the world below asks one by one.
        all.par_iter().for_each(|&id| {
            if let Some(class) = program.class(id) {
                program.ancestry(class);
            }
        });
        let world = World::new(program, all.iter().copied());
        let mut judged = vec![false; all.iter().map(|id| id.index() + 1).max().unwrap_or(0)];
        for id in judged_ids {
            judged[id.index()] = true;
        }
        let mut by_signature: FxHashMap<(Name, Name), Vec<MethodId>> = FxHashMap::default();
        for class in world.members().iter().filter_map(|&id| program.class(id)) {
            for (id, method) in class.methods().filter(|(_, method)| is_dispatched(method)) {
                by_signature.entry((method.name, method.descriptor)).or_default().push(id);
            }
        }
        let mut containers = vec![false; judged.len()];
        for name in CONTAINERS {
            let subtypes = program.find_class_text(name).map(|id| world.subtypes(id));
            for id in subtypes.into_iter().flatten() {
                containers[id.index()] = true;
            }
        }
        let primitives = Primitives::new(program);
        let cache = std::array::from_fn(|_| Mutex::default());
        let object = program.find_class(program.known.object);
        let is_library_given = object.is_some_and(|it| program.role(it) != Role::Platform);
        let is_all_judged = world.members().iter().all(|id| judged[id.index()]);
        let mut universe = Universe {
            program,
            world,
            callers,
            primitives,
            judged,
            by_signature,
            cache,
            containers,
            accessible: Vec::new(),
            exposed: Vec::new(),
            is_all_judged,
            is_library_given,
            makers: Mutex::default(),
            packages: OnceLock::new(),
        };
        universe.open_up(&all);
        universe
    }

    fn open_up(&mut self, all: &[ClassId]) {
        use rayon::prelude::*;
        let is_open = |id: &ClassId| {
            self.callers == Callers::Anybody && !self.is_platform(*id) && self.can_be_named(*id)
        };
        let open: Vec<ClassId> = all.par_iter().copied().filter(is_open).collect();
        let mut accessible = vec![false; self.judged.len()];
        let mut exposed = accessible.clone();
        for id in open {
            accessible[id.index()] = true;
            if let Some(class) = self.program.class(id) {
                let ancestry = self.program.ancestry(class);
                for above in ancestry.superclasses.iter().chain(&ancestry.interfaces) {
                    exposed[above.index()] = true;
                }
            }
        }
        self.accessible = accessible;
        self.exposed = exposed;
    }

    pub(crate) fn is_judged(&self, id: ClassId) -> bool {
        self.judged.get(id.index()).copied().unwrap_or(false)
    }

    /// Whether only what `main` methods start runs.
    pub(crate) fn is_closed(&self) -> bool {
        self.callers == Callers::Main
    }

    /// Whether it is a method that the JVM runs first, once, in a thread of its own.
    pub(crate) fn is_main(&self, id: MethodId) -> bool {
        is_main(self.program, id, self.callers)
    }

    pub(crate) fn is_initialiser(&self, id: MethodId) -> bool {
        self.program.method(id).1.name == self.program.known.clinit
    }

    pub(crate) fn is_all_judged(&self) -> bool {
        self.is_all_judged
    }

    /// How much may be guessed on the way to one lock, and in a circle of two.
    pub(crate) fn most_doubt(&self) -> u16 {
        if self.is_all_judged { 3 } else { 8 }
    }

    /// One more than the highest id of a class.
    pub(crate) fn n_classes(&self) -> usize {
        self.judged.len()
    }

    pub(crate) fn is_platform(&self, id: ClassId) -> bool {
        self.program.role(id) == Role::Platform || self.is_library_given && !self.is_judged(id)
    }

    /// Who sets the field, once, while its object is made; `None` if it may change.
    pub(crate) fn makers(&self, field: FieldId) -> Option<Arc<Makers>> {
        let lock = || self.makers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&field) {
            return known.clone();
        }
        let packages = self.packages.get_or_init(|| {
            let mut packages: FxHashMap<Vec<u8>, Vec<ClassId>> = FxHashMap::default();
            for &id in self.world.members() {
                let package = self.program.package(self.program.class_name(id));
                packages.entry(package.to_vec()).or_default().push(id);
            }
            packages
        });
        let package = self.program.package(self.program.class_name(field.class));
        let neighbours = packages.get(package).map_or(&[][..], Vec::as_slice);
        let found = super::fixed::makers(self.program, neighbours, field).map(Arc::new);
        lock().insert(field, found.clone());
        found
    }

    /// Whether objects of this type are there to hold others.
    pub(crate) fn is_container(&self, id: ClassId) -> bool {
        self.containers.get(id.index()).copied().unwrap_or(false)
    }

    pub(crate) fn class(&self, name: Name) -> Option<ClassId> {
        self.program.find_class(name)
    }

    /// The bodies that invoking `resolved` on a receiver of class `class` or below may run.
    pub(crate) fn targets(&self, class: ClassId, exact: bool, resolved: MethodId) -> Arc<Targets> {
        // A private method is never overridden (JVMS 5.4.6), also if it is one of an interface.
        if self.program.method(resolved).1.access_flags.is_private() {
            return self.only(Some(resolved));
        }
        let key = if exact { None } else { Some((class, resolved)) };
        let Some(key) = key else {
            return self.only(self.program.select_method(class, resolved).found());
        };
        let shard = &self.cache[(key.0.index() ^ key.1.index()) % SHARDS];
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(&key) {
            return found.clone();
        }
        let targets = Arc::new(self.find_targets(class, resolved));
        lock().insert(key, targets.clone());
        targets
    }

    /// This body and no other, if it is one.
    pub(crate) fn only(&self, method: Option<MethodId>) -> Arc<Targets> {
        let methods = method.filter(|&id| self.has_code(id)).into_iter().collect();
        Arc::new(Targets { methods, ..Targets::default() })
    }

    fn find_targets(&self, class: ClassId, resolved: MethodId) -> Targets {
        let all = self.implementations(class, resolved);
        if all.len() <= NARROW && self.world.subtypes(class).len() > HEIRS {
            return Targets { methods: all.into(), is_open: true, ..Targets::default() };
        }
        if all.len() <= NARROW {
            return self.frequent(class, resolved, all);
        }
        // What is only known to be an object is anything at all: equals, hashCode and toString of it
        // tell nothing about who is called.
        if self.program.class_name(class) == self.program.known.object {
            return Targets { is_open: true, ..Targets::default() };
        }
        let package = self.program.package(self.program.class_name(class));
        // What a class of the package inherits from elsewhere is nobody's neighbour.
        let in_package = |id: &&MethodId| {
            self.program.package(self.program.class_name(id.class)) == package
                && self.program.is_subtype(id.class, class) == Some(true)
        };
        let is_judged = |id: &&MethodId| self.is_judged(id.class);
        let count = |is_one: &dyn Fn(&&MethodId) -> bool| all.iter().filter(is_one).count();
        let n_package = count(&in_package);
        let follows_judged = !self.is_all_judged && count(&is_judged) <= CALLBACKS;
        let follows_package = n_package <= if self.is_all_judged { NARROW } else { 0 };
        let is_followed =
            |id: &&MethodId| follows_judged && is_judged(id) || follows_package && in_package(id);
        let is_near = |id: &&MethodId| in_package(id) && !is_followed(id);
        let methods: Box<[MethodId]> = all.iter().filter(is_followed).copied().collect();
        let near: Box<[MethodId]> = all.iter().filter(is_near).copied().collect();
        let (wide, far) = if n_package <= PACKAGE {
            (near, Box::default())
        } else if n_package <= FAR {
            (Box::default(), near)
        } else {
            (Box::default(), Box::default())
        };
        let is_open = methods.len() + wide.len() < all.len();
        Targets { methods, wide, far, is_open }
    }

    /// Of few bodies those that a good part of the classes runs. Among hundreds of listeners, the one
    /// whose `equals` locks is a guess like any other.
    fn frequent(&self, class: ClassId, resolved: MethodId, all: Vec<MethodId>) -> Targets {
        let heirs = self.concrete_heirs(class);
        if heirs.len() <= NARROW || all.len() <= 1 {
            return Targets { methods: all.into(), ..Targets::default() };
        }
        let mut counts = vec![0; all.len()];
        for &heir in &heirs {
            let selected = self.program.select_method(heir, resolved).found();
            if let Some(position) = all.iter().position(|&it| Some(it) == selected) {
                counts[position] += 1;
            }
        }
        let is_frequent = |position: usize| counts[position] * NARROW >= heirs.len();
        let part = |wanted: bool| -> Box<[MethodId]> {
            let positions = (0..all.len()).filter(|&it| is_frequent(it) == wanted);
            positions.map(|it| all[it]).collect()
        };
        let (methods, far) = (part(true), part(false));
        Targets { methods, far, ..Targets::default() }
    }

    /// Every body that overrides `resolved` in or below `class`, and the inherited one.
    fn implementations(&self, class: ClassId, resolved: MethodId) -> Vec<MethodId> {
        let program = self.program;
        let (_, method) = program.method(resolved);
        let mut found: Vec<MethodId> = Vec::new();
        if let Some(all) = self.by_signature.get(&(method.name, method.descriptor)) {
            let below = |id: &&MethodId| program.is_subtype(id.class, class) == Some(true);
            found.extend(all.iter().filter(below));
        }
        let is_interface = program.class(class).is_some_and(Class::is_interface);
        let heirs = if is_interface { self.concrete_heirs(class) } else { vec![class] };
        let inherited = heirs.iter().filter_map(|&id| program.select_method(id, resolved).found());
        found.extend(inherited.filter(|&id| self.has_code(id)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Some classes that implement the interface and may inherit its methods from elsewhere.
    fn concrete_heirs(&self, interface: ClassId) -> Vec<ClassId> {
        let subtypes = self.world.subtypes(interface);
        let is_class =
            |id: &ClassId| self.program.class(*id).is_some_and(|class| !class.is_interface());
        subtypes.into_iter().filter(is_class).take(HEIRS).collect()
    }

    /// What can be called on an object of the class, apart from what every object has.
    pub(crate) fn methods_of(&self, class: ClassId) -> Vec<MethodId> {
        let program = self.program;
        let Some(class) = program.class(class) else { return Vec::new() };
        let above = program.ancestry(class).superclasses.iter();
        let above = above.filter(|&&it| program.class_name(it) != program.known.object);
        let methods = above.filter_map(|&it| program.class(it)).flat_map(|it| it.methods());
        methods.filter(|(_, method)| is_dispatched(method)).map(|(id, _)| id).collect()
    }

    /// Whether initialising the class runs any code (JVMS 5.5): its own or that of a class above it.
    pub(crate) fn has_initialiser(&self, id: ClassId) -> bool {
        let Some(class) = self.program.class(id) else { return false };
        let ancestry = self.program.ancestry(class);
        let mut above = ancestry.superclasses.iter().chain(&ancestry.interfaces);
        above.any(|&id| self.initialiser(id).is_some())
    }

    /// The classes and interfaces that the JVM initialises together with a class (JVMS 5.5): those above
    /// it, of interfaces only those that declare methods with code, and none with an interface.
    pub(crate) fn initialised_with(&self, id: ClassId) -> Vec<ClassId> {
        let Some(class) = self.program.class(id).filter(|it| !it.is_interface()) else {
            return vec![id];
        };
        let has_default = |id: &ClassId| {
            self.program.class(*id).is_some_and(|it| {
                it.methods.iter().any(|method| {
                    let flags = method.access_flags;
                    !flags.is_abstract() && !flags.is_static()
                })
            })
        };
        let ancestry = self.program.ancestry(class);
        let interfaces = ancestry.interfaces.iter().copied().filter(has_default);
        ancestry.superclasses.iter().copied().chain(interfaces).collect()
    }

    /// The `<clinit>` that the class itself declares.
    pub(crate) fn initialiser(&self, id: ClassId) -> Option<MethodId> {
        let class = self.program.class(id)?;
        let clinit = self.program.known.clinit;
        class.methods().find(|(_, method)| method.name == clinit).map(|(id, _)| id)
    }

    pub(crate) fn has_code(&self, id: MethodId) -> bool {
        let flags = self.program.method(id).1.access_flags;
        !flags.is_abstract() && !flags.is_native()
    }

    /// Whether code outside can name the class: public all the way out, in an exported package. What
    /// is in the unnamed package can only be used from there, so there package access is enough.
    pub(crate) fn is_accessible(&self, id: ClassId) -> bool {
        if self.is_platform(id) {
            return self.can_be_named(id);
        }
        self.accessible.get(id.index()).copied().unwrap_or(false)
    }

    /// Whether code outside can name the class or one below it, which inherits its members.
    pub(crate) fn is_exposed(&self, id: ClassId) -> bool {
        self.is_accessible(id) || self.exposed.get(id.index()).copied().unwrap_or(false)
    }

    fn can_be_named(&self, id: ClassId) -> bool {
        let Some(class) = self.program.class(id) else { return false };
        if self.is_unnamed(id) {
            return !self.is_private_nested(class);
        }
        self.program.is_exported(id) && self.is_public_outwards(class, 0)
    }

    pub(crate) fn is_unnamed(&self, id: ClassId) -> bool {
        self.program.package(self.program.class_name(id)).is_empty()
    }

    fn is_public_outwards(&self, class: &Class, depth: usize) -> bool {
        const DEEPEST: usize = 16;
        match self.nesting(class) {
            None => class.access_flags.is_public(),
            Some((flags, outer)) => {
                (flags.is_public() || flags.is_protected())
                    && depth < DEEPEST
                    && outer
                        .and_then(|id| self.program.class(id))
                        .is_some_and(|outer| self.is_public_outwards(outer, depth + 1))
            }
        }
    }

    fn is_private_nested(&self, class: &Class) -> bool {
        // A local or anonymous class has no outer class in its entry.
        self.nesting(class).is_some_and(|(flags, outer)| flags.is_private() || outer.is_none())
    }

    /// The flags that a nested class was declared with, and the class around it.
    fn nesting(&self, class: &Class) -> Option<(program::AccessFlags, Option<ClassId>)> {
        let names = &self.program.names;
        let entries = class.file.inner_classes().ok()?;
        let own = entries
            .into_iter()
            .find(|entry| class.constant_name(entry.inner, names) == class.name)?;
        let outer = own.outer.map(|utf8| class.constant_name(utf8, names));
        Some((own.access_flags, outer.and_then(|name| self.class(name))))
    }

    /// Whether serialisation runs the method, however private it is.
    fn is_called_by_streams(&self, class: &Class, method: &Method) -> bool {
        const HOOKS: [&[u8]; 5] =
            [b"writeObject", b"readObject", b"readObjectNoData", b"writeReplace", b"readResolve"];
        let serializable = || self.program.find_class_text("java/io/Serializable");
        !self.is_platform(class.id)
            && !self.is_all_judged
            && HOOKS.contains(&self.program.names.bytes(method.name))
            && serializable().is_some_and(|it| self.program.is_subtype(class.id, it) == Some(true))
    }

    /// Whether a caller outside may run this method directly or through a supertype that it knows.
    pub(crate) fn is_entry(&self, id: MethodId) -> bool {
        let (class, method) = self.program.method(id);
        let flags = method.access_flags;
        if self.is_called_by_streams(class, method)
            || self.is_closed() && self.is_judged(class.id) && self.is_main(id)
        {
            return true;
        }
        let is_hidden = flags.is_private() || method.name == self.program.known.clinit;
        // Whoever calls the bridge comes to the method that was written.
        if is_hidden || flags.is_bridge() && self.bridged(class, method).next().is_some() {
            return false;
        }
        let opens = |flags: program::AccessFlags, class: ClassId| {
            flags.is_public() || flags.is_protected() || self.is_unnamed(class)
        };
        let is_open = if method.name == self.program.known.init {
            self.is_accessible(class.id)
        } else {
            self.is_exposed(class.id)
        };
        if opens(flags, class.id) && is_open {
            return true;
        }
        if flags.is_static() || method.name == self.program.known.init {
            return false;
        }
        let mut descriptors = vec![method.descriptor];
        descriptors.extend(self.bridged(class, method).map(|bridge| bridge.descriptor));
        let ancestry = self.program.ancestry(class);
        let supertypes = ancestry.superclasses.iter().chain(&ancestry.interfaces);
        let above = supertypes.filter(|&&id| id != class.id && self.is_accessible(id));
        above.filter_map(|&id| self.program.class(id)).any(|above| {
            let mut found = descriptors.iter().filter_map(|&descriptor| {
                let id = above.declared_method(method.name, descriptor)?;
                Some(above.methods[id.index()].access_flags)
            });
            found.any(|it| !it.is_private() && !it.is_static() && opens(it, above.id))
        })
    }

    /// The methods of the class that a bridge may stand for; of any other method, the bridges that may stand for it.
    fn bridged<'c>(
        &'c self,
        class: &'c Class,
        method: &'c Method,
    ) -> impl Iterator<Item = &'c Method> {
        let n_parameters = |it: &Method| {
            let descriptor = self.program.names.bytes(it.descriptor);
            MethodDescriptor::parse(descriptor).map(|it| it.parameters().count())
        };
        class.methods.iter().filter(move |it| {
            it.name == method.name
                && it.access_flags.is_bridge() != method.access_flags.is_bridge()
                && !it.access_flags.is_static()
                && n_parameters(it) == n_parameters(method)
        })
    }

    /// Whether objects of both classes can be one and the same.
    pub(crate) fn compatible(&self, a: Option<ClassId>, b: Option<ClassId>) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return true };
        let related = |a, b| self.program.is_subtype(a, b) != Some(false);
        if related(a, b) || related(b, a) {
            return true;
        }
        let is_interface = |id| self.program.class(id).is_some_and(Class::is_interface);
        // Only a class in the world that is both can be meant.
        let (interface, other) = match (is_interface(a), is_interface(b)) {
            (true, _) => (a, b),
            (_, true) => (b, a),
            (false, false) => return false,
        };
        self.world
            .subtypes(other)
            .iter()
            .any(|&id| self.program.is_subtype(id, interface) == Some(true))
    }

    /// The narrower of two upper bounds; of an interface and a class that are both true, the class.
    pub(crate) fn narrower(&self, a: Option<ClassId>, b: Option<ClassId>) -> Option<ClassId> {
        let is_interface = |id| self.program.class(id).is_some_and(Class::is_interface);
        match (a, b) {
            (Some(a), Some(b))
                if is_interface(a)
                    && !is_interface(b)
                    && self.program.class_name(b) != self.program.known.object =>
            {
                Some(b)
            }
            (Some(a), Some(b)) if self.program.is_subtype(b, a) == Some(true) => Some(b),
            (Some(a), _) => Some(a),
            (None, b) => b,
        }
    }
}

/// What the JVM runs first (JLS 12.1.4): `public static void main(String[])`; where nothing else starts,
/// since release 25 also others that are not private.
pub(crate) fn is_main(program: &Program, id: MethodId, callers: Callers) -> bool {
    const RELEASE_25: u16 = 69;
    let (class, method) = program.method(id);
    if program.names.bytes(method.name) != b"main" {
        return false;
    }
    let flags = method.access_flags;
    let descriptor = program.names.bytes(method.descriptor);
    let takes_texts = descriptor == b"([Ljava/lang/String;)V";
    match callers {
        Callers::Anybody => takes_texts && flags.is_static(),
        Callers::Main if class.file.major_version >= RELEASE_25 => {
            !flags.is_private() && (takes_texts || descriptor == b"()V")
        }
        Callers::Main => takes_texts && flags.is_static() && flags.is_public(),
    }
}

fn is_dispatched(method: &Method) -> bool {
    let flags = method.access_flags;
    !flags.is_static() && !flags.is_private() && !flags.is_abstract() && !flags.is_native()
}
