//! The ways to an object of a class: constructors, factories, constants; and what changes it later.

use program::ir::Op;
use program::{AccessFlags, Class, Element, Method, MethodDescriptor, MethodId, Program, Type};

use super::super::access::{Access, class_access, member_access};
use super::super::recipe::{Effect, Member, Recipe};
use super::generics::Bindings;
use super::index::{Index, constructors, n_parameters};
use super::want::Want;
use super::{Recipes, Supply, member};
use std::sync::Arc;

/// One way to an object.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) member: Member,
    pub(super) kind: WayKind,
    pub(super) wants: Vec<Want>,
    /// Whether the first argument is the object around an inner class, which is never null.
    pub(super) has_outer: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WayKind {
    Constructor,
    Factory,
    Constant,
}

impl Way {
    /// Takes null out of the values for the object around an inner class, and for all arguments of what
    /// a class keeps inside for its package: that knows better, unless there is nothing else to pass.
    pub(super) fn drop_nulls(&self, lists: &mut [Recipes]) {
        let is_trusted = self.member.access == Access::Package && self.member.class.contains('$');
        for (at, list) in lists.iter_mut().enumerate() {
            let is_outer = at == 0 && self.has_outer;
            if is_outer || (is_trusted && list.len() > 1) {
                *list = list.iter().filter(|it| ***it != Recipe::Null).cloned().collect();
            }
        }
    }

    pub(super) fn recipe(&self, arguments: Vec<Arc<Recipe>>) -> Recipe {
        let member = self.member.clone();
        match self.kind {
            WayKind::Constructor => Recipe::New { constructor: member, arguments },
            WayKind::Factory => Recipe::Static { method: member, arguments },
            WayKind::Constant => Recipe::Constant(member),
        }
    }
}

/// More parameters than these nobody fills in by chance.
const MAX_PARAMETERS: usize = 14;
const MAX_MUTATOR_PARAMETERS: usize = 4;
const MAX_CONSTANTS: usize = 4;
const MAX_WAYS: usize = 10;

impl Supply<'_> {
    /// Public ways before those of the package. Four parameters before fewer, because they set more of
    /// the state, then more of them, which are harder to get right; none at all comes last.
    pub(super) fn ways(&self, class: &Class, bindings: &Bindings) -> Vec<Way> {
        let program = self.view.program;
        let mut ways = Vec::new();
        if !class.access_flags.is_abstract() {
            // A class of the package's own that the package itself makes objects of gets what the
            // package gives it: other arguments may be none that it is made for.
            let is_made = self.view.index.is_made(class.name) || makes_itself(program, class);
            let found = constructors(program, class)
                .filter(|&(_, access)| access == Access::Public || !is_made);
            ways.extend(
                found.filter_map(|(id, access)| {
                    self.way(id, access, WayKind::Constructor, bindings)
                }),
            );
        }
        ways.extend(self.factories(class, bindings));
        ways.sort_by_key(|way| {
            let rank = match way.wants.len() {
                0 => usize::MAX,
                n @ 1..=4 => 4 - n,
                n => n,
            };
            (way.member.access, rank)
        });
        ways.truncate(MAX_WAYS);
        ways.extend(self.constants(class, bindings));
        ways
    }

    /// Static methods that return the class, its own first.
    fn factories(&self, class: &Class, bindings: &Bindings) -> Vec<Way> {
        const MAX_ELSEWHERE: usize = 4;
        let program = self.view.program;
        let own = class.methods().filter(|(_, method)| {
            let flags = method.access_flags;
            flags.is_static() && !flags.is_synthetic() && returns(program, method.descriptor, class)
        });
        let own = own.map(|(id, _)| id);
        let producers = self.view.index.producers(class.name).iter().copied();
        let elsewhere = producers.filter(|id| id.class != class.id).take(MAX_ELSEWHERE);
        own.chain(elsewhere)
            .filter_map(|id| {
                let (owner, method) = program.method(id);
                let access = member_access(program, owner, method.access_flags);
                let own = Bindings::of_result(program, owner, id.index(), class, bindings)?;
                self.way(id, access, WayKind::Factory, &own)
            })
            .collect()
    }

    /// With type variables of the class, or of the static method, bound so.
    pub(super) fn way(
        &self,
        id: MethodId,
        access: Access,
        kind: WayKind,
        bindings: &Bindings,
    ) -> Option<Way> {
        let program = self.view.program;
        let (class, method) = program.method(id);
        if !self.is_open(access, class.name) || n_parameters(program, id) > MAX_PARAMETERS {
            return None;
        }
        let is_called = || self.view.index.is_called(class.name, method.name, method.descriptor);
        if access == Access::Package && kind == WayKind::Factory && is_called() {
            return None;
        }
        let member = member(program, class, method.name, method.descriptor, access);
        let wants = Want::bound_parameters(program, class, method, id.index(), bindings);
        let has_outer = kind == WayKind::Constructor && is_inner(program, class);
        Some(Way { member, kind, wants, has_outer })
    }

    /// Static final fields of the class's own type: the constants of an enum and the like.
    fn constants(&self, class: &Class, bindings: &Bindings) -> Vec<Way> {
        let program = self.view.program;
        let own = Type::class(class.name);
        let fields = class.fields().filter(|(id, field)| {
            let flags = field.access_flags;
            let ty = Type::parse(program.names.bytes(field.descriptor), &program.names);
            let is_own =
                ty == Some(own) && Bindings::fit_field(program, class, id.index(), bindings);
            flags.is_static() && flags.is_final() && !flags.is_synthetic() && is_own
        });
        let open = fields.filter_map(|(_, field)| {
            let access = member_access(program, class, field.access_flags);
            self.is_open(access, class.name).then(|| Way {
                member: member(program, class, field.name, field.descriptor, access),
                kind: WayKind::Constant,
                wants: Vec::new(),
                has_outer: false,
            })
        });
        open.take(MAX_CONSTANTS).collect()
    }

    /// What a caller can do to an object: setters and the like with a few parameters, and fields.
    pub(super) fn mutators(&self, class: &Class) -> Vec<(Mutator, Vec<Want>)> {
        const MAX_MUTATORS: usize = 20;
        let program = self.view.program;
        let mut found: Vec<(Access, Mutator, Vec<Want>)> = Vec::new();
        for owner in program.ancestry(class).superclasses.iter().filter_map(|&id| program.class(id))
        {
            if owner.name == program.known.object {
                continue;
            }
            let bindings = Bindings::above(program, class, &Bindings::default(), owner);
            for (id, method) in owner.methods() {
                let flags = method.access_flags;
                let name = program.names.text(method.name);
                // Names with a dollar are a compiler's (JLS 3.8): what is internal to a module of Kotlin is public.
                let is_plain = !flags.is_static()
                    && !flags.is_abstract()
                    && !flags.is_synthetic()
                    && !name.contains('$');
                let access = member_access(program, owner, flags);
                let n = n_parameters(program, id);
                if is_plain
                    && is_offered(program, class, flags)
                    && is_mutator(program, class, method)
                    && n <= MAX_MUTATOR_PARAMETERS
                    && self.is_open(access, owner.name)
                    && !found
                        .iter()
                        .any(|(_, mutator, _)| mutator.has_name(&name, program, method.descriptor))
                {
                    let at = id.index();
                    let wants = Want::bound_parameters(program, owner, method, at, &bindings);
                    let member = member(program, owner, method.name, method.descriptor, access);
                    found.push((access, Mutator::Method(member), wants));
                }
            }
            for (id, field) in owner.fields() {
                let flags = field.access_flags;
                let access = member_access(program, owner, flags);
                let ty = Type::parse(program.names.bytes(field.descriptor), &program.names);
                if let (false, false, true, Some(ty)) =
                    (flags.is_static(), flags.is_final(), self.is_open(access, owner.name), ty)
                    && !flags.is_synthetic()
                    && is_field_offered(program, class, flags)
                {
                    let member = member(program, owner, field.name, field.descriptor, access);
                    found.push((
                        access,
                        Mutator::Field(member),
                        vec![Want::field(program, owner, id.index(), ty, &bindings)],
                    ));
                }
            }
        }
        // Those that are given something change more.
        found.sort_by_key(|(access, _, wants)| (*access, wants.is_empty()));
        found.into_iter().map(|(_, mutator, wants)| (mutator, wants)).take(MAX_MUTATORS).collect()
    }
}

/// Whether a method that changes an object is meant to be used: it is public, or the whole class is
/// the package's own. Protected ones are made for subclasses.
pub(super) fn is_offered(program: &Program, class: &Class, flags: AccessFlags) -> bool {
    is_field_offered(program, class, flags) && !flags.is_protected()
}

/// The same of a field: a protected one of a class that is the package's own is as open as those without a
/// modifier.
fn is_field_offered(program: &Program, class: &Class, flags: AccessFlags) -> bool {
    let is_own = class_access(program, class) == Access::Package;
    flags.is_public() || (is_own && !flags.is_private())
}

/// Whether objects of the class hold one of the class around it.
pub(crate) fn is_inner(program: &Program, class: &Class) -> bool {
    let entries = class.file.inner_classes().unwrap_or_default();
    let own = entries
        .iter()
        .find(|entry| class.file.bytes(entry.inner) == program.names.bytes(class.name));
    own.is_some_and(|entry| {
        let flags = entry.access_flags;
        entry.outer.is_some() && !flags.is_static() && !flags.is_enum() && !flags.is_interface()
    })
}

/// A method or field through which an object changes.
#[derive(Debug, Clone)]
pub(super) enum Mutator {
    Method(Member),
    Field(Member),
}

impl Mutator {
    pub(super) fn effect(&self, mut arguments: Vec<Arc<Recipe>>) -> Option<Effect> {
        match self {
            Mutator::Method(method) => Some(Effect::Call { method: method.clone(), arguments }),
            Mutator::Field(field) => {
                Some(Effect::Put { field: field.clone(), value: arguments.pop()? })
            }
        }
    }

    fn has_name(&self, name: &str, program: &Program, descriptor: program::Name) -> bool {
        match self {
            Mutator::Method(member) => {
                &*member.name == name && *member.descriptor == *program.names.text(descriptor)
            }
            Mutator::Field(_) => false,
        }
    }
}

/// Whether a method may change its object: it returns nothing, or the object itself, or whether
/// something changed, or it has nothing to go by but the object.
fn is_mutator(program: &Program, class: &Class, method: &Method) -> bool {
    const INHERITED: [&str; 4] = ["hashCode", "toString", "clone", "getClass"];
    const WORDS: [&str; 8] = ["set", "add", "put", "append", "push", "insert", "remove", "next"];
    let name = program.names.text(method.name);
    if method.name == program.known.init || method.name == program.known.clinit {
        return false;
    }
    let descriptor = program.names.bytes(method.descriptor);
    let is_named = WORDS.iter().any(|word| name.starts_with(word));
    // A question without parameters may compute something and keep it.
    let is_question = descriptor.starts_with(b"()") && !INHERITED.contains(&&*name);
    descriptor.ends_with(b")V")
        || is_named
        || is_question
        || returns(program, method.descriptor, class)
}

/// Whether the class has a static method that makes its objects and hands them out.
fn makes_itself(program: &Program, class: &Class) -> bool {
    let methods = class.methods().filter(|(_, method)| {
        let flags = method.access_flags;
        let is_open = flags.is_static() && !flags.is_private() && !flags.is_synthetic();
        is_open && !program.names.bytes(method.descriptor).ends_with(b")V")
    });
    let mut bodies = methods.filter_map(|(id, _)| program.lower(id).ok().flatten());
    bodies.any(|body| {
        body.instructions.iter().any(|it| matches!(it.op, Op::New(name) if name == class.name))
    })
}

fn returns(program: &Program, descriptor: program::Name, class: &Class) -> bool {
    let descriptor = MethodDescriptor::parse(program.names.bytes(descriptor));
    let result = descriptor.and_then(|descriptor| descriptor.result_type(&program.names));
    result.is_some_and(|ty| ty.dimensions == 0 && ty.element == Element::Class(class.name))
}

/// Static methods near a class that source cannot name which may return one of its objects: those of
/// the classes around it.
pub(super) fn producers_around(program: &Program, index: &Index, class: &Class) -> Vec<MethodId> {
    const MAX_PRODUCERS: usize = 10;
    let text = program.names.text(class.name).into_owned();
    let outermost = text.split('$').next().unwrap_or(&text).to_owned();
    let ancestry = program.ancestry(class);
    let supertypes = ancestry.superclasses.iter().chain(&ancestry.interfaces);
    let names = supertypes.map(|&id| program.class_name(id));
    let named = names.filter(|&name| name != program.known.object);
    let mut found: Vec<MethodId> = Vec::new();
    for name in named {
        let near = index.producers(name).iter().filter(|id| {
            let owner = program.names.text(program.class_name(id.class)).into_owned();
            owner == outermost || owner.starts_with(&format!("{outermost}$"))
        });
        found.extend(near);
    }
    found.dedup();
    found.sort_by_key(|&id| n_parameters(program, id));
    found.truncate(MAX_PRODUCERS);
    found
}
