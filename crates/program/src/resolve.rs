//! Which member a reference means (JVMS 5.4.3) and which method a call then runs (JVMS 5.4.6).
//!
//! Access checks are left out: what a verifier or a linker would refuse is not judged.

use crate::class::{Class, Method};
use crate::ids::{ClassId, FieldId, MethodId};
use crate::names::Name;
use crate::program::Program;

/// The answer to a symbolic reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution<Id> {
    Found(Id),
    /// A class that would have to be looked at is not on the class path.
    MissingClass(Name),
    /// All classes are there, and none has the member.
    NoSuchMember,
}

impl<Id> Resolution<Id> {
    pub fn found(self) -> Option<Id> {
        match self {
            Resolution::Found(id) => Some(id),
            Resolution::MissingClass(_) | Resolution::NoSuchMember => None,
        }
    }
}

impl Program {
    /// JVMS 5.4.3.2: the class, its superinterfaces, its superclass.
    pub fn resolve_field(&self, owner: Name, name: Name, descriptor: Name) -> Resolution<FieldId> {
        let Some(class) = self.readable(owner) else { return Resolution::MissingClass(owner) };
        let ancestry = self.ancestry(class);
        for superclass in ancestry.superclasses.iter().filter_map(|&id| self.class(id)) {
            if let Some(field) = superclass.declared_field(name, descriptor) {
                return Resolution::Found(field);
            }
            for &interface in &self.ancestry(superclass).interfaces {
                let declared =
                    self.class(interface).and_then(|c| c.declared_field(name, descriptor));
                if let Some(field) = declared {
                    return Resolution::Found(field);
                }
            }
        }
        absent(ancestry.missing.first())
    }

    /// JVMS 5.4.3.3 and 5.4.3.4: superclasses first, then the maximally-specific superinterface
    /// methods, then any superinterface method. For an interface, `Object` is its superclass, as the
    /// file says. Arrays have the methods of `Object`.
    pub fn resolve_method(
        &self,
        owner: Name,
        name: Name,
        descriptor: Name,
    ) -> Resolution<MethodId> {
        let is_array = self.names.bytes(owner).first() == Some(&b'[');
        let owner = if is_array { self.known.object } else { owner };
        let Some(class) = self.readable(owner) else { return Resolution::MissingClass(owner) };
        let ancestry = self.ancestry(class);
        for superclass in ancestry.superclasses.iter().filter_map(|&id| self.class(id)) {
            // An interface inherits from Object only what is public and no static method.
            let inherits = |m: &Method| {
                !class.is_interface()
                    || superclass.id == class.id
                    || m.access_flags.is_public() && !m.access_flags.is_static()
            };
            if let Some(method) = superclass.declared_method(name, descriptor)
                && inherits(&superclass.methods[method.index()])
            {
                return Resolution::Found(method);
            }
            if let Some(method) = self.signature_polymorphic(superclass, name) {
                return Resolution::Found(method);
            }
        }
        let inherited = self.maximally_specific(class, name, descriptor);
        let mut with_code =
            inherited.iter().filter(|&&id| !self.method(id).1.access_flags.is_abstract());
        match (with_code.next(), with_code.next(), inherited.first()) {
            (Some(&only), None, _) => Resolution::Found(only),
            (_, _, Some(&any)) => Resolution::Found(any),
            (_, _, None) => absent(ancestry.missing.first()),
        }
    }

    /// JVMS 5.4.6: the method that runs when `resolved` is invoked on an object whose class is
    /// `receiver`. A missing supertype leaves it open.
    pub fn select_method(&self, receiver: ClassId, resolved: MethodId) -> Resolution<MethodId> {
        let (resolved_class, method) = self.method(resolved);
        if method.access_flags.is_private() || method.access_flags.is_static() {
            return Resolution::Found(resolved);
        }
        let Some(class) = self.class(receiver) else {
            return Resolution::MissingClass(self.class_name(receiver));
        };
        let ancestry = self.ancestry(class);
        for superclass in ancestry.superclasses.iter().filter_map(|&id| self.class(id)) {
            let candidate = superclass.declared_method(method.name, method.descriptor);
            if let Some(candidate) = candidate
                && self.overrides(class, candidate, resolved_class, resolved)
            {
                return Resolution::Found(candidate);
            }
        }
        let mut defaults = self.maximally_specific(class, method.name, method.descriptor);
        defaults.retain(|&id| !self.method(id).1.access_flags.is_abstract());
        match defaults[..] {
            [only] => Resolution::Found(only),
            [] | [_, _, ..] => absent(ancestry.missing.first()),
        }
    }

    /// JVMS 5.4.5: whether `candidate`, declared by a class at or above `receiver`, overrides
    /// `resolved`. A package-private method is overridden only inside its package, or through a
    /// method in between that does and is wider.
    fn overrides(
        &self,
        receiver: &Class,
        candidate: MethodId,
        resolved_class: &Class,
        resolved: MethodId,
    ) -> bool {
        if candidate == resolved {
            return true;
        }
        let can_override = |id: MethodId| {
            let flags = self.method(id).1.access_flags;
            !flags.is_private() && !flags.is_static()
        };
        let is_overridden_by = |above: MethodId, below: MethodId| {
            let flags = self.method(above).1.access_flags;
            flags.is_public() || flags.is_protected() || self.same_package(above.class, below.class)
        };
        if !can_override(candidate) {
            return false;
        }
        if resolved_class.is_interface() || is_overridden_by(resolved, candidate) {
            return true;
        }
        let method = resolved_class.methods[resolved.index()];
        let chain = &self.ancestry(receiver).superclasses;
        let downwards = chain.iter().rev().skip_while(|&&id| id != resolved_class.id).skip(1);
        let mut overriding = vec![resolved];
        for class in downwards.filter_map(|&id| self.class(id)) {
            if let Some(below) = class.declared_method(method.name, method.descriptor)
                && can_override(below)
                && overriding.iter().any(|&above| is_overridden_by(above, below))
            {
                overriding.push(below);
            }
            if class.id == candidate.class {
                break;
            }
        }
        overriding.contains(&candidate)
    }

    /// JVMS 5.4.3.3: the superinterface methods of that name and descriptor, neither private nor
    /// static, that no more specific superinterface overrides.
    fn maximally_specific(&self, class: &Class, name: Name, descriptor: Name) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = Vec::new();
        for &interface in &self.ancestry(class).interfaces {
            let Some(interface) = self.class(interface) else { continue };
            if let Some(method) = interface.declared_method(name, descriptor) {
                let flags = interface.methods[method.index()].access_flags;
                if !flags.is_private() && !flags.is_static() {
                    found.push(method);
                }
            }
        }
        let all = found.clone();
        found.retain(|method| {
            let is_overridden = |other: &MethodId| {
                other != method && self.is_subtype(other.class, method.class) == Some(true)
            };
            !all.iter().any(is_overridden)
        });
        found
    }

    /// JVMS 2.9.3: the native varargs methods of `MethodHandle` and `VarHandle` that take and return
    /// what their call site says.
    fn signature_polymorphic(&self, class: &Class, name: Name) -> Option<MethodId> {
        let is_handle = matches!(
            self.names.bytes(class.name),
            b"java/lang/invoke/MethodHandle" | b"java/lang/invoke/VarHandle"
        );
        if !is_handle {
            return None;
        }
        let is_polymorphic = |method: &Method| {
            let flags = method.access_flags;
            flags.is_native()
                && flags.is_varargs()
                && self.names.bytes(method.descriptor).starts_with(b"([Ljava/lang/Object;)")
        };
        class.methods().find(|(_, m)| m.name == name && is_polymorphic(m)).map(|(id, _)| id)
    }

    /// Whether the method is one of those whose descriptor at the call differs from its own.
    pub fn is_signature_polymorphic(&self, method: MethodId) -> bool {
        let (class, declared) = self.method(method);
        self.signature_polymorphic(class, declared.name) == Some(method)
    }

    /// The package of an internal class name, empty for the unnamed one.
    pub fn package(&self, class_name: Name) -> &[u8] {
        let text = self.names.bytes(class_name);
        let end = text.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        &text[..end]
    }

    fn same_package(&self, a: ClassId, b: ClassId) -> bool {
        self.package(self.class_name(a)) == self.package(self.class_name(b))
    }

    fn readable(&self, name: Name) -> Option<&Class> {
        self.class(self.find_class(name)?)
    }
}

fn absent<Id>(missing: Option<&Name>) -> Resolution<Id> {
    missing.map_or(Resolution::NoSuchMember, |&name| Resolution::MissingClass(name))
}
