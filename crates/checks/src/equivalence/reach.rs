//! Whom an edit can reach: by calls, by static fields, by objects that hand their methods out.
//!
//! A call through a type of the judged classes may run every method below it. A call through a type of
//! the platform (`Object.toString`, `Runnable.run`) runs code of the judged classes only on objects of
//! theirs, so whoever makes such an object, directly or through what it calls, is taken to call what
//! the object overrides. Objects that a caller passes in are the caller's: what their classes do
//! differently is said of those classes.

use std::collections::{BTreeMap, BTreeSet};

use program::ir::{Body, CallSite, FieldRef, InvokeKind, MethodRef, Op};
use program::{Class, ClassId, Element, MethodDescriptor, MethodId, Name, Program, Role, Type};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::matching::{MethodPair, Signature, signature};

/// What only one version has, by text.
#[derive(Default)]
pub(super) struct Loose {
    /// Methods that can be overridden or inherited, with the classes that have them.
    pub(super) methods: BTreeMap<Signature, BTreeSet<String>>,
    pub(super) classes: BTreeSet<String>,
    /// Classes whose constants, or the existence of an initialiser, differ.
    pub(super) initialisers: BTreeSet<String>,
}

pub(super) struct Reach {
    pub(super) callers: Vec<Vec<usize>>,
    /// Pairs that reach something loose.
    pub(super) unsettled: BTreeSet<usize>,
}

pub(super) fn reach(new: &Program, pairs: &[MethodPair], loose: &Loose) -> Reach {
    let world = Universe::new(new, pairs, loose);
    let uses: Vec<Uses> = pairs.par_iter().map(|pair| world.uses(pair.new)).collect();
    let mut callers = vec![Vec::new(); pairs.len()];
    let mut unsettled = BTreeSet::new();
    for (caller, uses) in uses.into_iter().enumerate() {
        for callee in uses.pairs {
            callers[callee].push(caller);
        }
        if uses.is_unsettled {
            unsettled.insert(caller);
        }
    }
    Reach { callers, unsettled }
}

struct Universe<'p> {
    program: &'p Program,
    loose: &'p Loose,
    by_method: FxHashMap<MethodId, usize>,
    /// Pairs by name and descriptor.
    by_signature: FxHashMap<(Name, Name), Vec<(ClassId, usize)>>,
    initialisers: FxHashMap<ClassId, usize>,
}

#[derive(Default)]
struct Uses {
    pairs: BTreeSet<usize>,
    is_unsettled: bool,
}

impl<'p> Universe<'p> {
    fn new(program: &'p Program, pairs: &[MethodPair], loose: &'p Loose) -> Universe<'p> {
        let mut universe = Universe {
            program,
            loose,
            by_method: FxHashMap::default(),
            by_signature: FxHashMap::default(),
            initialisers: FxHashMap::default(),
        };
        for (at, pair) in pairs.iter().enumerate() {
            let (class, declared) = program.method(pair.new);
            universe.by_method.insert(pair.new, at);
            let key = (declared.name, declared.descriptor);
            universe.by_signature.entry(key).or_default().push((class.id, at));
            if declared.name == program.known.clinit {
                universe.initialisers.insert(class.id, at);
            }
        }
        universe
    }

    /// What a method uses, through what compilers add.
    fn uses(&self, method: MethodId) -> Uses {
        let mut uses = Uses::default();
        let mut seen = FxHashSet::from_iter([method]);
        let mut open = vec![method];
        while let Some(method) = open.pop() {
            let (_, declared) = self.program.method(method);
            self.mention_descriptor(declared.descriptor, &mut uses);
            let Ok(Some(body)) = self.program.lower(method) else { continue };
            for inner in self.body(&body, &mut uses) {
                if seen.insert(inner) {
                    open.push(inner);
                }
            }
        }
        uses
    }

    /// Adds what a body uses; gives the synthetic methods to look through.
    fn body(&self, body: &Body, uses: &mut Uses) -> Vec<MethodId> {
        let mut inner = Vec::new();
        for instruction in &body.instructions {
            match instruction.op {
                Op::Invoke { kind, method, .. } => inner.extend(self.call(kind, method, uses)),
                Op::New(class) => self.make(class, uses),
                Op::GetStatic(field) | Op::PutStatic(field, _) => {
                    self.initialise(field.class, uses);
                    self.field(field, uses);
                }
                Op::GetField(field, _) | Op::PutField(field, ..) => self.field(field, uses),
                Op::CheckCast(ty, _) | Op::InstanceOf(ty, _) => self.mention(ty, uses),
                Op::NewArray { element, .. } => self.mention(element, uses),
                Op::Const(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::NewMultiArray { .. }
                | Op::ArrayLength(_)
                | Op::ArrayLoad { .. }
                | Op::ArrayStore { .. }
                | Op::InvokeDynamic { .. }
                | Op::MonitorEnter(_)
                | Op::MonitorExit(_) => {}
            }
        }
        for site in &body.call_sites {
            match site {
                CallSite::Lambda(lambda) => {
                    let member = lambda.implementation.member;
                    inner.extend(self.call(InvokeKind::Virtual, member, uses));
                }
                CallSite::MethodHandle(handle) | CallSite::InvokeConstant { handle, .. } => {
                    inner.extend(self.call(InvokeKind::Virtual, handle.member, uses));
                }
                CallSite::StaticFinal { class, .. } | CallSite::EnumConstant { class, .. } => {
                    self.initialise(*class, uses);
                }
                CallSite::Concat(_)
                | CallSite::RecordMethod { .. }
                | CallSite::TypeSwitch(_)
                | CallSite::EnumSwitch(_)
                | CallSite::Null
                | CallSite::PrimitiveClass(_)
                | CallSite::Unknown(_) => {}
            }
        }
        inner
    }

    fn call(&self, kind: InvokeKind, method: MethodRef, uses: &mut Uses) -> Option<MethodId> {
        self.mention_descriptor(method.descriptor, uses);
        let program = self.program;
        let resolved = program.resolve_method(method.class, method.name, method.descriptor).found();
        if method.name == program.known.init {
            self.make(method.class, uses);
        }
        if kind == InvokeKind::Static {
            self.initialise(method.class, uses);
        }
        if let Some(resolved) = resolved {
            uses.pairs.extend(self.by_method.get(&resolved));
            let (class, declared) = program.method(resolved);
            let is_judged = program.role(class.id) == Role::Judged;
            if is_judged && declared.access_flags.is_synthetic() {
                return Some(resolved);
            }
        }
        if kind == InvokeKind::Virtual || kind == InvokeKind::Interface {
            self.dispatch(method, uses);
        }
        None
    }

    /// All that a call through a judged type may run.
    fn dispatch(&self, method: MethodRef, uses: &mut Uses) {
        let program = self.program;
        let Some(owner) = program.find_class(method.class) else { return };
        if program.role(owner) != Role::Judged {
            return;
        }
        let key = (method.name, method.descriptor);
        for &(class, at) in self.by_signature.get(&key).map_or(&[][..], Vec::as_slice) {
            if program.is_subtype(class, owner) != Some(false) {
                uses.pairs.insert(at);
            }
        }
        let text = |name: Name| program.names.text(name).into_owned();
        if let Some(classes) = self.loose.methods.get(&(text(key.0), text(key.1))) {
            uses.is_unsettled |= classes.iter().any(|class| match program.find_class_text(class) {
                Some(class) => {
                    program.is_subtype(class, owner) != Some(false)
                        || program.is_subtype(owner, class) != Some(false)
                }
                None => true,
            });
        }
    }

    /// A new object: its initialiser, and what others may call on it.
    fn make(&self, class: Name, uses: &mut Uses) {
        self.initialise(class, uses);
        let program = self.program;
        if self.loose.classes.contains(&*program.names.text(class)) {
            uses.is_unsettled = true;
        }
        let Some(class) = program.find_class(class).and_then(|id| program.class(id)) else {
            return;
        };
        if program.role(class.id) != Role::Judged {
            return;
        }
        for &id in program.ancestry(class).superclasses.iter() {
            let Some(owner) = program.class(id) else { continue };
            if program.role(id) != Role::Judged {
                continue;
            }
            for (method, declared) in owner.methods() {
                if self.is_handed_out(class, declared.name, declared.descriptor) {
                    uses.pairs.extend(self.by_method.get(&method));
                    let (name, descriptor) = signature(program, method);
                    let here = program.names.text(owner.name);
                    let loose = self.loose.methods.get(&(name, descriptor));
                    uses.is_unsettled |= loose.is_some_and(|classes| classes.contains(&*here));
                }
            }
        }
    }

    /// Whether a type of the platform declares the method too, so that the platform may call it.
    fn is_handed_out(&self, class: &Class, name: Name, descriptor: Name) -> bool {
        let program = self.program;
        let ancestry = program.ancestry(class);
        let supertypes = ancestry.superclasses.iter().chain(ancestry.interfaces.iter());
        supertypes.filter(|&&id| program.role(id) != Role::Judged).any(|&id| {
            program.class(id).is_some_and(|class| class.declared_method(name, descriptor).is_some())
        })
    }

    fn initialise(&self, class: Name, uses: &mut Uses) {
        let names = &self.program.names;
        if self.loose.initialisers.contains(&*names.text(class)) {
            uses.is_unsettled = true;
        }
        let id = self.program.find_class(class);
        uses.pairs.extend(id.and_then(|id| self.initialisers.get(&id)));
    }

    fn field(&self, field: FieldRef, uses: &mut Uses) {
        self.mention_descriptor(field.descriptor, uses);
        self.mention(Type::class(field.class), uses);
    }

    /// The constants of an enum have their order and their names from its initialiser.
    fn mention(&self, ty: Type, uses: &mut Uses) {
        let Element::Class(name) = ty.element else { return };
        let Some(id) = self.program.find_class(name) else { return };
        if self.program.role(id) == Role::Judged
            && self.program.class(id).is_some_and(|class| class.access_flags.is_enum())
        {
            self.initialise(name, uses);
        }
    }

    fn mention_descriptor(&self, descriptor: Name, uses: &mut Uses) {
        let names = &self.program.names;
        let bytes = names.bytes(descriptor);
        if let Some(method) = MethodDescriptor::parse(bytes) {
            for ty in method.parameter_types(names).into_iter().chain(method.result_type(names)) {
                self.mention(ty, uses);
            }
        } else if let Some(ty) = Type::parse(bytes, names) {
            self.mention(ty, uses);
        }
    }
}
