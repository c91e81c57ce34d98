//! The program: every class on the class path, as a value that never changes once it is judged.
//!
//! All class names are known from the start and give the ids; a class is read when it is first
//! asked for and then kept. What a caller sees is therefore a pure function of the inputs, whichever
//! thread asks first, and a small jar is judged without reading the JDK. Deliberately absent: a list
//! of "classes loaded so far", the one thing that would depend on who asked before.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use classfile::ClassFile;
use rustc_hash::FxHashMap;

use crate::class::{Class, Field, Method};
use crate::ids::{ClassId, FieldId, MethodId};
use crate::ir::{FieldRef, StringRef};
use crate::names::{Name, Names};
use crate::source::{ClassSource, Problem, Role};

pub struct Program {
    pub names: Names,
    pub known: KnownNames,
    sources: Vec<(Role, Box<dyn ClassSource>)>,
    slots: Vec<Slot>,
    by_name: FxHashMap<Name, ClassId>,
    /// By the class that they are about, so that the order is that of the inputs.
    problems: Mutex<BTreeMap<(ClassId, String), Problem>>,
    duplicates: Vec<Problem>,
    /// Fields that go by another name, by class, name and descriptor in the class file.
    renamed: FxHashMap<(Name, Name, Name), Name>,
    /// Read when somebody asks.
    providers: OnceLock<FxHashMap<ClassId, Vec<ClassId>>>,
    /// The platform's classes by package, put in order when somebody asks.
    packages: OnceLock<FxHashMap<Box<[u8]>, Vec<ClassId>>>,
}

/// A field that goes by another name than its class file says.
#[derive(Debug, Clone)]
pub struct RenamedField {
    pub field: FieldId,
    pub now: String,
    pub was: String,
}

struct Slot {
    name: Name,
    source: u32,
    /// The position in its source.
    index: u32,
    class: OnceLock<Option<Box<Class>>>,
}

/// Names that the JVM specification itself speaks of.
pub struct KnownNames {
    pub object: Name,
    pub throwable: Name,
    pub string: Name,
    pub init: Name,
    pub clinit: Name,
}

impl Program {
    /// Sources in class-path order: where two have a class, the first one counts.
    pub fn new(sources: Vec<(Role, Box<dyn ClassSource>)>) -> Program {
        let names = Names::new();
        let mut slots: Vec<Slot> = Vec::new();
        let mut by_name = FxHashMap::default();
        let mut duplicates = Vec::new();
        for (source, (role, origin)) in sources.iter().enumerate() {
            for (index, text) in origin.class_names().enumerate() {
                let name = names.intern(&text);
                let id = ClassId::new(slots.len());
                match by_name.entry(name) {
                    std::collections::hash_map::Entry::Vacant(entry) => entry.insert(id),
                    std::collections::hash_map::Entry::Occupied(entry) => {
                        let first: &Slot = &slots[entry.get().index()];
                        let (first_role, first_origin) = &sources[first.source as usize];
                        // A newer library in front of the JDK's copy is what class paths are for.
                        if *role == Role::Judged
                            || *first_role != Role::Judged && *role != Role::Platform
                        {
                            duplicates.push(Problem {
                                path: origin.label().to_owned(),
                                message: format!(
                                    "{} is here again; the one in {} counts",
                                    class_text(&names, name),
                                    first_origin.label()
                                ),
                            });
                        }
                        continue;
                    }
                };
                let (source, index) = (source as u32, index as u32);
                slots.push(Slot { name, source, index, class: OnceLock::new() });
            }
        }
        let known = KnownNames::new(&names);
        let problems = Mutex::default();
        let renamed = FxHashMap::default();
        Program {
            names,
            known,
            sources,
            slots,
            by_name,
            problems,
            duplicates,
            renamed,
            providers: OnceLock::new(),
            packages: OnceLock::new(),
        }
    }

    /// Every class of this role, in input order, without reading any.
    pub fn class_ids(&self, role: Role) -> impl Iterator<Item = ClassId> + '_ {
        let of_role =
            move |(_, slot): &(usize, &Slot)| self.sources[slot.source as usize].0 == role;
        self.slots.iter().enumerate().filter(of_role).map(|(index, _)| ClassId::new(index))
    }

    /// The platform's classes in a package, in input order, without reading any.
    pub fn platform_package(&self, package: &[u8]) -> &[ClassId] {
        let packages = self.packages.get_or_init(|| {
            let mut packages: FxHashMap<Box<[u8]>, Vec<ClassId>> = FxHashMap::default();
            for id in self.class_ids(Role::Platform) {
                packages.entry(self.package(self.class_name(id)).into()).or_default().push(id);
            }
            packages
        });
        packages.get(package).map_or(&[], Vec::as_slice)
    }

    pub fn role(&self, id: ClassId) -> Role {
        self.sources[self.slots[id.index()].source as usize].0
    }

    /// Whether code outside of its module may name the class's package.
    pub fn is_exported(&self, id: ClassId) -> bool {
        let slot = &self.slots[id.index()];
        self.sources[slot.source as usize].1.is_exported(slot.index as usize)
    }

    /// The classes that provide a service, by id. What the platform provides to itself is not counted.
    pub fn providers(&self, service: ClassId) -> &[ClassId] {
        let providers = self.providers.get_or_init(|| self.read_services());
        providers.get(&service).map_or(&[], Vec::as_slice)
    }

    fn read_services(&self) -> FxHashMap<ClassId, Vec<ClassId>> {
        let mut found: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
        let given = self.sources.iter().filter(|(role, _)| *role != Role::Platform);
        for service in given.flat_map(|(_, source)| source.services()) {
            let Some(interface) = self.find_class_text(&service.interface) else { continue };
            let providers = service.providers.iter().filter_map(|it| self.find_class_text(it));
            let known = found.entry(interface).or_default();
            known.extend(providers);
            known.sort_unstable();
            known.dedup();
        }
        found
    }

    /// The class of this internal name, if the class path has it.
    pub fn find_class(&self, name: Name) -> Option<ClassId> {
        self.by_name.get(&name).copied()
    }

    /// As `find_class`, by text such as `java/lang/Object`.
    pub fn find_class_text(&self, internal_name: &str) -> Option<ClassId> {
        self.find_class(self.names.find(&classfile::mutf8::encode(internal_name))?)
    }

    pub fn class_name(&self, id: ClassId) -> Name {
        self.slots[id.index()].name
    }

    /// The class, read now if it was not before; `None` if it cannot be read, which is then among
    /// the problems.
    pub fn class(&self, id: ClassId) -> Option<&Class> {
        let slot = &self.slots[id.index()];
        slot.class.get_or_init(|| self.read_class(id, slot)).as_deref()
    }

    /// As `class`, but a class that was not read before is dropped after `visit`: for who goes over all
    /// of them once.
    pub fn visit_class<T>(&self, id: ClassId, visit: impl FnOnce(&Class) -> T) -> Option<T> {
        let slot = &self.slots[id.index()];
        match slot.class.get() {
            Some(kept) => kept.as_deref().map(visit),
            None => self.read_class(id, slot).as_deref().map(visit),
        }
    }

    /// The class that declares the method, which is read since there is an id for it.
    pub fn method(&self, id: MethodId) -> (&Class, &Method) {
        let class = self.declaring_class(id.class);
        (class, &class.methods[id.index()])
    }

    pub fn field(&self, id: FieldId) -> (&Class, &Field) {
        let class = self.declaring_class(id.class);
        (class, &class.fields[id.index()])
    }

    /// The text of a string literal.
    pub fn literal(&self, literal: StringRef) -> Name {
        self.declaring_class(literal.class).constant_name(literal.utf8, &self.names)
    }

    /// Everything that could not be read so far, in input order.
    pub fn problems(&self) -> Vec<Problem> {
        let found = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        self.duplicates.iter().chain(found.values()).cloned().collect()
    }

    pub(crate) fn note_problem(&self, id: ClassId, message: String) {
        let path = self.label(id);
        let mut found = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        found.insert((id, message.clone()), Problem { path, message });
    }

    /// A class name as Java source writes it: `java.util.Map$Entry`.
    pub fn class_text(&self, name: Name) -> String {
        class_text(&self.names, name)
    }

    /// The internal name of the outermost class around it, with which those of all nested ones begin.
    pub fn outermost_text(&self, id: ClassId) -> String {
        let text = self.names.text(self.class_name(id)).into_owned();
        text.split('$').next().unwrap_or(&text).to_owned()
    }

    fn label(&self, id: ClassId) -> String {
        let slot = &self.slots[id.index()];
        let source = self.sources[slot.source as usize].1.label();
        format!("{source}: {}", self.class_text(slot.name))
    }

    /// Lets private fields go by other names, here and in all code: as another release calls them.
    pub fn rename_fields(&mut self, renamed: &[RenamedField]) {
        for RenamedField { field, was, .. } in renamed {
            let name = self.names.intern(&classfile::mutf8::encode(was));
            let slot = &mut self.slots[field.class.index()];
            if let Some(Some(class)) = slot.class.get_mut() {
                let (now, descriptor) = class.rename_field(*field, name);
                self.renamed.insert((slot.name, now, descriptor), name);
            }
        }
        // Bodies that were kept speak of the fields by the names that these had.
        for class in self.slots.iter_mut().filter_map(|slot| slot.class.get_mut()?.as_mut()) {
            class.bodies.take();
        }
    }

    /// The reference by the name that the field goes by.
    pub(crate) fn field_ref(&self, field: FieldRef) -> FieldRef {
        if self.renamed.is_empty() {
            return field;
        }
        let other = self.renamed.get(&(field.class, field.name, field.descriptor));
        FieldRef { name: other.copied().unwrap_or(field.name), ..field }
    }

    fn read_class(&self, id: ClassId, slot: &Slot) -> Option<Box<Class>> {
        let (_, source) = &self.sources[slot.source as usize];
        let file = source
            .read(slot.index as usize)
            .and_then(|bytes| ClassFile::parse(bytes).map_err(|error| error.to_string()));
        let message = match file {
            Ok(file) if file.bytes(file.this_class) == self.names.bytes(slot.name) => {
                return Some(Box::new(Class::new(id, file, &self.names)));
            }
            Ok(file) => {
                let declared = classfile::mutf8::decode_lossy(file.bytes(file.this_class));
                format!("holds the class {}; skipped, as a JVM would", declared.replace('/', "."))
            }
            Err(message) => format!("{message}; skipped"),
        };
        self.note_problem(id, message);
        None
    }

    #[expect(
        clippy::expect_used,
        reason = "ids of members are only made from classes that were read"
    )]
    fn declaring_class(&self, id: ClassId) -> &Class {
        self.class(id).expect("a member's class was read")
    }
}

impl KnownNames {
    fn new(names: &Names) -> KnownNames {
        KnownNames {
            object: names.intern(b"java/lang/Object"),
            throwable: names.intern(b"java/lang/Throwable"),
            string: names.intern(b"java/lang/String"),
            init: names.intern(b"<init>"),
            clinit: names.intern(b"<clinit>"),
        }
    }
}

fn class_text(names: &Names, name: Name) -> String {
    names.text(name).replace('/', ".")
}
