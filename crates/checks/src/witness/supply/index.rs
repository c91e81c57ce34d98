//! What a whole program offers for building objects, looked up once per run.

use std::collections::BTreeMap;

use classfile::Constant;
use program::{Class, ClassId, Element, MethodDescriptor, MethodId, Name, Program, Role, World};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::access::{Access, class_access, member_access};

/// Subtypes and producers among the judged and known classes, and all classes by package.
#[derive(Debug)]
pub struct Index {
    world: World,
    /// Static methods by the class they return, in input order.
    producers: FxHashMap<Name, Vec<MethodId>>,
    packages: BTreeMap<Vec<u8>, Vec<ClassId>>,
    /// Methods that other classes of their package call: class, name and descriptor.
    called: FxHashSet<(Name, Name, Name)>,
    /// Classes that others of their package, but no subclass, make objects of.
    made: FxHashSet<Name>,
}

/// More implementations than these are not tried for one parameter.
const MAX_IMPLEMENTATIONS: usize = 4;
/// Packages of the platform are searched for implementations only up to this size.
const MAX_PACKAGE: usize = 600;

impl Index {
    pub fn new(program: &Program) -> Index {
        let judged = program.class_ids(Role::Judged).chain(program.class_ids(Role::Known));
        let ids: Vec<ClassId> = judged.collect();
        let mut producers: FxHashMap<Name, Vec<MethodId>> = FxHashMap::default();
        let mut called = FxHashSet::default();
        let mut made = FxHashSet::default();
        for class in ids.iter().filter_map(|&id| program.class(id)) {
            for (owner, name, descriptor) in called_methods(program, class) {
                if name != program.known.init {
                    called.insert((owner, name, descriptor));
                } else if Some(owner) != class.superclass {
                    made.insert(owner);
                }
            }
            for (method, declared) in class.methods() {
                let flags = declared.access_flags;
                if !flags.is_static() || flags.is_private() || flags.is_synthetic() {
                    continue;
                }
                let descriptor = program.names.bytes(declared.descriptor);
                let result = MethodDescriptor::parse(descriptor)
                    .and_then(|descriptor| descriptor.result_type(&program.names));
                if let Some(result) = result
                    && let (Element::Class(name), 0) = (result.element, result.dimensions)
                {
                    producers.entry(name).or_default().push(method);
                }
            }
        }
        let mut packages: BTreeMap<Vec<u8>, Vec<ClassId>> = BTreeMap::new();
        for role in [Role::Judged, Role::Known, Role::Platform] {
            for id in program.class_ids(role) {
                let package = program.package(program.class_name(id)).to_vec();
                packages.entry(package).or_default().push(id);
            }
        }
        Index { world: World::new(program, ids), producers, packages, called, made }
    }

    /// The classes of a package, in input order.
    pub fn neighbours(&self, package: &[u8]) -> &[ClassId] {
        self.packages.get(package).map_or(&[][..], Vec::as_slice)
    }

    /// Judged and known classes with their supertypes.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Whether the package itself calls this method of its own: what it passes then is its affair.
    pub(super) fn is_called(&self, class: Name, name: Name, descriptor: Name) -> bool {
        self.called.contains(&(class, name, descriptor))
    }

    /// Whether the package itself makes objects of this class of its own.
    pub(super) fn is_made(&self, class: Name) -> bool {
        self.made.contains(&class)
    }

    /// Static methods that return exactly this class.
    pub fn producers(&self, class: Name) -> &[MethodId] {
        self.producers.get(&class).map_or(&[], Vec::as_slice)
    }

    /// Concrete classes that a parameter of this type can be filled with, the simplest first; of these, those
    /// that equal their like.
    pub fn implementations(
        &self,
        program: &Program,
        ty: ClassId,
        is_open: impl Fn(Access, Name) -> bool,
    ) -> Vec<ClassId> {
        let judged = self.world.subtypes(ty);
        let rank = |id: ClassId| {
            let cost = simplicity(program, id, &is_open)?;
            Some((cost, has_identity_equality(program, id), id))
        };
        let mut found: Vec<(usize, bool, ClassId)> =
            judged.iter().filter_map(|&id| rank(id)).collect();
        if found.is_empty() {
            let package = program.package(program.class_name(ty));
            let neighbours = self.packages.get(package).map_or(&[][..], Vec::as_slice);
            for &id in neighbours.iter().take(MAX_PACKAGE) {
                if program.is_subtype(id, ty) == Some(true) {
                    found.extend(rank(id));
                }
            }
        }
        found.sort_unstable();
        found.into_iter().take(MAX_IMPLEMENTATIONS).map(|(.., id)| id).collect()
    }
}

/// Methods of other classes in its package that the class refers to.
fn called_methods<'a>(
    program: &'a Program,
    class: &'a Class,
) -> impl Iterator<Item = (Name, Name, Name)> + 'a {
    class.file.pool().constants().filter_map(move |constant| {
        let Constant::Member(member) = constant else { return None };
        let owner = class.constant_name(member.class, &program.names);
        if owner == class.name || program.package(owner) != program.package(class.name) {
            return None;
        }
        let name = class.constant_name(member.name, &program.names);
        Some((owner, name, class.constant_name(member.descriptor, &program.names)))
    })
}

/// Whether objects of the class equal only themselves.
pub(super) fn has_identity_equality(program: &Program, id: ClassId) -> bool {
    let names = &program.names;
    let (equals, descriptor) = (names.intern(b"equals"), names.intern(b"(Ljava/lang/Object;)Z"));
    let found = program.resolve_method(program.class_name(id), equals, descriptor).found();
    found.is_some_and(|method| program.class_name(method.class) == program.known.object)
}

/// How many parameters the simplest open constructor has; `None` if there is none.
fn simplicity(
    program: &Program,
    id: ClassId,
    is_open: &impl Fn(Access, Name) -> bool,
) -> Option<usize> {
    let class = program.class(id)?;
    if class.access_flags.is_abstract() || class.is_interface() {
        return None;
    }
    if !is_open(class_access(program, class), class.name) {
        return None;
    }
    if class.access_flags.is_enum() {
        return Some(0);
    }
    constructors(program, class)
        .filter(|&(_, access)| is_open(access, class.name))
        .map(|(method, _)| n_parameters(program, method))
        .min()
}

/// The constructors that source can name, with who may.
pub(super) fn constructors<'a>(
    program: &'a Program,
    class: &'a Class,
) -> impl Iterator<Item = (MethodId, Access)> + 'a {
    class.methods().filter_map(move |(id, method)| {
        let flags = method.access_flags;
        let is_constructor = method.name == program.known.init && !flags.is_synthetic();
        is_constructor.then(|| (id, member_access(program, class, flags)))
    })
}

pub(super) fn n_parameters(program: &Program, method: MethodId) -> usize {
    let (_, declared) = program.method(method);
    let descriptor = MethodDescriptor::parse(program.names.bytes(declared.descriptor));
    descriptor.map_or(usize::MAX, |descriptor| descriptor.parameters().count())
}
