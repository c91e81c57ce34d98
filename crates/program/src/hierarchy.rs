//! Who is a subtype of whom.
//!
//! Upwards the answer needs only the class itself and its supertypes, and is kept with the class.
//! Downwards ("all subtypes") there is no answer without saying among which classes: that set is a
//! `World`, built once from an explicit list.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::class::Class;
use crate::ids::ClassId;
use crate::names::Name;
use crate::program::Program;

/// All supertypes of a class.
pub struct Ancestry {
    /// The class itself first, then its superclass and so on up to Object.
    pub superclasses: Box<[ClassId]>,
    /// The class, its superclasses and all superinterfaces.
    all: FxHashSet<ClassId>,
    /// All superinterfaces (the class itself if it is one), in the order of a breadth-first walk.
    pub interfaces: Box<[ClassId]>,
    /// Supertypes that the class path lacks, or that form a circle: while there are any, "is no
    /// subtype" cannot be said of interfaces.
    pub missing: Box<[Name]>,
    /// Whether all superclasses are known: no interface makes a class a subclass.
    has_all_superclasses: bool,
}

impl Ancestry {
    pub fn contains(&self, id: ClassId) -> bool {
        self.all.contains(&id)
    }
}

impl Program {
    pub fn ancestry<'a>(&'a self, class: &'a Class) -> &'a Ancestry {
        class.ancestry.get_or_init(|| self.collect_ancestry(class))
    }

    /// Whether `sub` is `sup` or a subtype of it; `None` where a missing class leaves it open.
    pub fn is_subtype(&self, sub: ClassId, sup: ClassId) -> Option<bool> {
        let ancestry = self.ancestry(self.class(sub)?);
        if ancestry.contains(sup) {
            return Some(true);
        }
        let is_known = match self.class(sup) {
            Some(above) if above.access_flags.is_final() => true,
            Some(above) if !above.is_interface() => ancestry.has_all_superclasses,
            Some(_) | None => ancestry.missing.is_empty(),
        };
        is_known.then_some(false)
    }

    /// The classes that may use private members of this one (JVMS 5.4.4); nothing if one is missing.
    pub fn nest<'a>(&'a self, class: &'a Class) -> Option<Vec<&'a Class>> {
        let find = |name| self.find_class(name).and_then(|id| self.class(id));
        let host = match class.file.nest_host().ok()? {
            Some(host) => find(class.constant_name(host, &self.names))?,
            None => class,
        };
        let mut members = vec![host];
        for member in host.file.nest_members().ok()? {
            members.push(find(host.constant_name(member, &self.names))?);
        }
        Some(members)
    }

    /// By this, subtypes come before their supertypes, and classes before interfaces: of a method, what a
    /// class has goes before what an interface gives it.
    pub fn most_derived_first(&self, id: ClassId) -> (bool, Reverse<usize>) {
        let Some(class) = self.class(id) else { return (false, Reverse(0)) };
        let ancestry = self.ancestry(class);
        let above =
            if class.is_interface() { &ancestry.interfaces } else { &ancestry.superclasses };
        (class.is_interface(), Reverse(above.len()))
    }

    pub fn superclass(&self, class: &Class) -> Option<&Class> {
        self.class(self.find_class(class.superclass?)?)
    }

    fn collect_ancestry(&self, class: &Class) -> Ancestry {
        let mut superclasses = vec![class.id];
        let mut missing = Vec::new();
        let mut all = FxHashSet::default();
        all.insert(class.id);
        let mut current = class;
        while let Some(name) = current.superclass {
            match self.find_class(name).and_then(|id| self.class(id)) {
                Some(superclass) if all.insert(superclass.id) => {
                    superclasses.push(superclass.id);
                    current = superclass;
                }
                Some(_) => {
                    self.note_problem(class.id, "is its own superclass".to_owned());
                    missing.push(name);
                    break;
                }
                None => {
                    missing.push(name);
                    break;
                }
            }
        }
        let has_all_superclasses = missing.is_empty();
        let mut interfaces: Vec<ClassId> = Vec::new();
        if class.is_interface() {
            interfaces.push(class.id);
        }
        let mut queue: Vec<ClassId> = superclasses.clone();
        let mut next = 0;
        while let Some(&id) = queue.get(next) {
            next += 1;
            let Some(subtype) = self.class(id) else { continue };
            for &name in &subtype.interfaces {
                match self.find_class(name).filter(|&id| self.class(id).is_some()) {
                    Some(id) if all.insert(id) => {
                        interfaces.push(id);
                        queue.push(id);
                    }
                    Some(_) => {}
                    None => missing.push(name),
                }
            }
        }
        Ancestry {
            superclasses: superclasses.into(),
            all,
            interfaces: interfaces.into(),
            missing: missing.into(),
            has_all_superclasses,
        }
    }
}

/// A fixed set of classes with the direct subtypes of each type among them.
#[derive(Debug)]
pub struct World {
    members: Vec<ClassId>,
    children: BTreeMap<ClassId, Vec<ClassId>>,
}

impl World {
    /// The given classes and their supertypes. Classes that cannot be read are left out.
    pub fn new(program: &Program, classes: impl IntoIterator<Item = ClassId>) -> World {
        let mut members: Vec<ClassId> = Vec::new();
        for class in classes.into_iter().filter_map(|id| program.class(id)) {
            members.extend(&program.ancestry(class).all);
        }
        members.sort_unstable();
        members.dedup();
        let mut children: BTreeMap<ClassId, Vec<ClassId>> = BTreeMap::new();
        for class in members.iter().filter_map(|&id| program.class(id)) {
            for &name in class.superclass.iter().chain(&class.interfaces) {
                if let Some(parent) = program.find_class(name) {
                    children.entry(parent).or_default().push(class.id);
                }
            }
        }
        World { members, children }
    }

    /// In ascending order.
    pub fn members(&self) -> &[ClassId] {
        &self.members
    }

    pub fn direct_subtypes(&self, id: ClassId) -> &[ClassId] {
        self.children.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The type itself and every subtype of it, in ascending order.
    pub fn subtypes(&self, id: ClassId) -> Vec<ClassId> {
        let mut found = vec![id];
        let mut seen: FxHashSet<ClassId> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(&current) = found.get(next) {
            next += 1;
            found.extend(self.direct_subtypes(current).iter().filter(|&&child| seen.insert(child)));
        }
        found.sort_unstable();
        found
    }
}
