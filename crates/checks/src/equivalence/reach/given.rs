//! Objects of judged classes that a method has from others: what code outside may call on them.
//!
//! A method that prints, sorts or looks up an object leaves it to the platform to call `toString`,
//! `compareTo` or `equals` of its class. The objects are not followed: a method that calls code outside
//! may have it call what the platform knows of every class that the method's code speaks of, by the types
//! of its parameters, of fields, of results and of casts, type arguments included.

use program::ir::{Body, CallSite, ConcatPart, InvokeKind, MethodRef, Op, Value};
use program::{
    ClassId, Element, FieldId, FieldSignature, MethodDescriptor, MethodId, Name, Role, Type,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::super::matching::signature;
use super::{Universe, Uses};
use crate::witness::supply::{field_signature, method_signature};

const RECAST: &str =
    "it leaves objects to the platform that are of other types of the platform than before";

/// What code outside may call on an object of a class.
#[derive(Default)]
pub(super) struct Callable {
    pub(super) methods: Vec<MethodId>,
    /// Whether only one version has some of it.
    pub(super) is_loose: bool,
    /// Whether it may find the object to be of another type than before.
    is_recast: bool,
}

impl Universe<'_> {
    pub(super) fn all_callable(&self) -> FxHashMap<ClassId, Callable> {
        let classes: Vec<ClassId> = self.program.class_ids(Role::Judged).collect();
        classes.into_par_iter().map(|id| (id, self.callable_on(id))).collect()
    }

    fn callable_on(&self, id: ClassId) -> Callable {
        let program = self.program;
        let mut found = Callable::default();
        let Some(class) = program.class(id) else { return found };
        let ancestry = program.ancestry(class);
        let above = ancestry.superclasses.iter().chain(ancestry.interfaces.iter());
        for owner in above.filter_map(|&id| program.class(id)) {
            if program.role(owner.id) != Role::Judged {
                continue;
            }
            for (method, declared) in owner.methods() {
                if self.is_handed_out(class, declared.name, declared.descriptor) {
                    found.methods.push(method);
                    let here = program.names.text(owner.name);
                    let loose = self.loose.methods.get(&signature(program, method));
                    found.is_loose |= loose.is_some_and(|classes| classes.contains(&*here));
                }
            }
        }
        found.is_loose |= self.has_lost(class);
        found.is_recast = self.shifts.recast.contains(&*program.names.text(class.name));
        found
    }

    /// Has code outside call what it knows of a class.
    pub(super) fn expose(&self, class: ClassId, uses: &mut Uses) {
        let Some(callable) = self.callable.get(&class) else { return };
        for &method in &callable.methods {
            self.run(method, uses);
        }
        uses.is_exposed |= callable.is_loose;
    }

    /// Once all of a method is known: what code outside may call on what it has from others.
    pub(super) fn expose_given(&self, uses: &mut Uses) {
        if uses.is_giving {
            for class in uses.spoken.clone() {
                self.expose(class, uses);
                for below in self.lineage.of_type(class) {
                    self.expose(below, uses);
                    self.recast(below, uses);
                }
            }
            for class in uses.spoken.union(&uses.made).copied().collect::<Vec<_>>() {
                self.recast(class, uses);
            }
        }
        let fields: Vec<FieldId> = uses.fields.iter().copied().collect();
        for field in fields {
            self.ask_held(field, uses);
        }
        uses.is_unsettled |= uses.is_exposed;
    }

    /// Leaves an object to code outside that may ask which types it is of.
    fn recast(&self, class: ClassId, uses: &mut Uses) {
        if self.callable.get(&class).is_some_and(|callable| callable.is_recast) {
            uses.opaque = Some(RECAST);
        }
    }

    /// Calls through the type of a field of the platform: judged classes of that type may be there.
    fn ask_held(&self, field: FieldId, uses: &mut Uses) {
        let program = self.program;
        let (_, declared) = program.field(field);
        let Some(held) = self.outside_type(declared.descriptor) else { return };
        let asked: Vec<MethodRef> = uses.asked.iter().copied().collect();
        for method in asked {
            let Some(owner) = program.find_class(method.class) else { continue };
            let is_related = program.is_subtype(owner, held) != Some(false)
                || program.is_subtype(held, owner) != Some(false);
            let key = (method.name, method.descriptor);
            let found = self.by_signature.get(&key).map_or(&[][..], Vec::as_slice);
            for &found in found.iter().filter(|_| is_related) {
                if program.is_subtype(found.class, held) != Some(false) {
                    self.run(found, uses);
                }
            }
        }
    }

    /// The class of the platform that a field is of, if it says more than `Object` and is open to others.
    fn outside_type(&self, descriptor: Name) -> Option<ClassId> {
        let names = &self.program.names;
        let Element::Class(name) = Type::parse(names.bytes(descriptor), names)?.element else {
            return None;
        };
        let class = self.program.find_class(name).and_then(|id| self.program.class(id))?;
        let is_open = self.program.role(class.id) != Role::Judged
            && !class.access_flags.is_final()
            && class.name != self.program.known.object;
        is_open.then_some(class.id)
    }

    /// A call of code outside that gets an object which may have others called.
    pub(super) fn give(
        &self,
        kind: InvokeKind,
        method: MethodRef,
        (body, arguments): (&Body, &[Value]),
        uses: &mut Uses,
    ) {
        let program = self.program;
        let resolved = program.resolve_method(method.class, method.name, method.descriptor).found();
        let is_judged = |id: ClassId| program.role(id) == Role::Judged;
        if resolved.is_some_and(|id| is_judged(id.class)) {
            return;
        }
        if kind != InvokeKind::Static && kind != InvokeKind::Special {
            uses.asked.insert(method);
        }
        let names = &program.names;
        let descriptor = MethodDescriptor::parse(names.bytes(method.descriptor));
        let parameters = descriptor.map(|it| it.parameter_types(names)).unwrap_or_default();
        let receiver = (kind != InvokeKind::Static && method.name != program.known.init)
            .then(|| Type::class(method.class));
        uses.is_giving |= receiver.into_iter().chain(parameters).any(|ty| self.is_open_type(ty));
        self.give_this(body, arguments, uses);
    }

    /// Who passes itself on speaks of its own class.
    fn give_this(&self, body: &Body, arguments: &[Value], uses: &mut Uses) {
        let this = body.parameters().next();
        if let (Some(class), Some(this)) = (uses.own_class, this)
            && arguments.contains(&this)
        {
            uses.spoken.insert(class);
        }
    }

    /// Texts put together, and what records do by themselves.
    pub(super) fn give_to_sites(&self, body: &Body, uses: &mut Uses) {
        for site in &body.call_sites {
            match site {
                CallSite::Concat(parts) => {
                    for part in parts {
                        if let ConcatPart::Argument(ty) = part {
                            uses.is_giving |= self.is_open_type(*ty);
                            self.speak(*ty, uses);
                        }
                    }
                }
                CallSite::RecordMethod { components, .. } => {
                    uses.is_giving = true;
                    for component in components {
                        let member = component.member;
                        let field = self.program.resolve_field(
                            member.class,
                            member.name,
                            member.descriptor,
                        );
                        field.found().into_iter().for_each(|it| self.speak_of_field(it, uses));
                    }
                }
                CallSite::Lambda(_)
                | CallSite::MethodHandle(_)
                | CallSite::InvokeConstant { .. }
                | CallSite::StaticFinal { .. }
                | CallSite::EnumConstant { .. }
                | CallSite::TypeSwitch(_)
                | CallSite::EnumSwitch(_)
                | CallSite::Null
                | CallSite::PrimitiveClass(_)
                | CallSite::Unknown(_) => {}
            }
        }
        for instruction in &body.instructions {
            if let Op::InvokeDynamic { arguments, .. } = instruction.op {
                self.give_this(body, body.list(arguments), uses);
            }
        }
    }

    /// Whether an object of this static type may be of a judged class, or hold such.
    pub(super) fn is_open_type(&self, ty: Type) -> bool {
        let Element::Class(name) = ty.element else { return false };
        let class = self.program.find_class(name).and_then(|id| self.program.class(id));
        class.is_none_or(|class| {
            self.program.role(class.id) == Role::Judged || !class.access_flags.is_final()
        })
    }

    pub(super) fn speak(&self, ty: Type, uses: &mut Uses) {
        if let Element::Class(name) = ty.element {
            self.speak_of_class(self.program.find_class(name), uses);
        }
    }

    fn speak_of_class(&self, class: Option<ClassId>, uses: &mut Uses) {
        uses.spoken.extend(class.filter(|&id| self.program.role(id) == Role::Judged));
    }

    pub(super) fn speak_of_field(&self, field: FieldId, uses: &mut Uses) {
        let (class, declared) = self.program.field(field);
        let names = &self.program.names;
        let ty = Type::parse(names.bytes(declared.descriptor), names);
        ty.into_iter().for_each(|ty| self.speak(ty, uses));
        let signature = field_signature(class, field.index());
        signature.iter().for_each(|it| self.speak_of_type(it, uses));
    }

    /// What a method is given, if it is the one that is judged, and what it gives.
    pub(super) fn speak_of_method(&self, method: MethodId, is_own: bool, uses: &mut Uses) {
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        if let Some(descriptor) = MethodDescriptor::parse(names.bytes(declared.descriptor)) {
            let given = descriptor.parameter_types(names).into_iter().filter(|_| is_own);
            given.chain(descriptor.result_type(names)).for_each(|ty| self.speak(ty, uses));
        }
        let Some(signature) = method_signature(class, method.index()) else { return };
        let given = signature.parameters.iter().filter(|_| is_own);
        given.chain(&signature.result).for_each(|ty| self.speak_of_type(ty, uses));
    }

    fn speak_of_type(&self, ty: &FieldSignature, uses: &mut Uses) {
        for name in ty.class_names() {
            self.speak_of_class(self.program.find_class_text(name), uses);
        }
    }
}
