//! Whom an edit can reach: by calls, by static fields, by objects that hand their methods out.
//!
//! A call through a type of the judged classes may run every method below it. A call through a type of
//! the platform (`Object.toString`, `Runnable.run`) runs code of the judged classes only on objects of
//! theirs, so whoever makes such an object, directly or through what it calls, is taken to call what
//! the object overrides; whoever reads a field is taken to use those that put objects of their own
//! making there; and whoever leaves objects to code outside, what the classes that it speaks of override.
//! Objects of other classes that a caller passes in are the caller's: what these do differently is said
//! of those classes, and that there are none of them is an assumption.

mod by_name;
mod given;
mod handed_out;
mod heirs;
mod held;
mod literals;
mod shifts;
mod stack;
mod statics;
mod surroundings;
mod typed;
mod unpaired;

use std::collections::{BTreeMap, BTreeSet};

use program::ir::{Body, CallSite, Const, FieldRef, InvokeKind, MethodRef, Op};
use program::{
    ClassId, Element, FieldId, MethodDescriptor, MethodId, Name, Program, RenamedField, Role, Type,
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::matching::{MethodPair, Signature};
pub(super) use by_name::UNKNOWN_NAMES;
use given::Callable;
pub(super) use handed_out::PASSED_IN;
use held::add_holders;
use shifts::{Lineage, Shifts};
pub(super) use stack::FRAMES;
use stack::look_at_stack;
use statics::Statics;
use typed::Typed;

/// What differs beside the code.
#[derive(Debug, Default)]
pub struct Others {
    /// Files that lie beside the classes of only one version, or differ.
    pub resources: BTreeSet<String>,
    /// Private fields that have another name now.
    pub fields: Vec<RenamedField>,
    /// Anonymous and local classes that have another number now, and what is nested in them.
    pub numbered: BTreeSet<String>,
    /// What these and their like are called, in the old version and here.
    pub moved: BTreeSet<String>,
}

/// What only one version has, by text.
#[derive(Default)]
pub(super) struct Loose {
    /// Methods that can be overridden or inherited, with the classes that have them.
    pub(super) methods: BTreeMap<Signature, BTreeSet<String>>,
    pub(super) classes: BTreeSet<String>,
    /// Classes that have an initialiser in one version alone.
    pub(super) initialisers: BTreeSet<String>,
    /// Fields of both versions that hold other constants, with their classes.
    pub(super) constants: BTreeSet<(String, String)>,
}

pub(super) struct Reach {
    /// Pairs below which objects of classes are made that are of other types of the platform now.
    pub(super) recasting: BTreeSet<usize>,
    pub(super) callers: Vec<Vec<usize>>,
    /// With those too that depend on nothing that an initialiser left, but may get hold of its objects.
    pub(super) holders: Vec<Vec<usize>>,
    /// Pairs that reach something loose.
    pub(super) unsettled: BTreeSet<usize>,
    /// Pairs whose own code asks for something that proofs take to be the same in both versions, and
    /// that is not.
    pub(super) opaque: BTreeMap<usize, &'static str>,
    /// Pairs that find by name what proofs do not follow.
    pub(super) by_name: BTreeSet<usize>,
    /// What the same code of a pair rests on.
    pub(super) assumptions: Vec<(usize, &'static str)>,
    /// Methods that only one version has and of which that is true: of the old and of the new one.
    pub(super) barred: (FxHashSet<MethodId>, FxHashSet<MethodId>),
    /// Pairs that code outside may call on objects that it was given, and pairs that make lambdas, which
    /// are called as well.
    pub(super) handed_out: BTreeSet<usize>,
    /// Pairs below which code outside may call what only one version has.
    pub(super) exposed: BTreeSet<usize>,
}

const KIN: &str = "it asks whether an object is of a type that other classes belong to now";
const MEMBERS: &str = "it hands out a class whose members or annotations changed";
const WAITING: &str = "it waits or notifies, which depends on the monitors that it holds";
const RESOURCES: &str = "it reads files of the jar, and some of these changed";

pub(super) fn reach(
    (old, new): (&Program, &Program),
    renamed: &BTreeMap<String, String>,
    pairs: &[MethodPair],
    loose: &Loose,
    others: &Others,
) -> Reach {
    let shifts = Shifts::between(old, new, renamed, others);
    let world = Universe::new((new, old), pairs, loose, shifts.clone());
    let mut uses: Vec<Uses> = pairs.par_iter().map(|pair| world.uses_of(pair)).collect();
    world.speak_of_contents(pairs, &mut uses);
    add_holders(&mut uses);
    let holders = users(&uses);
    let may_ask = look_at_stack(pairs, &mut uses, &holders);
    let suspects = world.suspects(&uses, &holders, |at| pairs[at].is_edited);
    let statics = Statics::of((old, new), renamed, &suspects, &shifts.reborn);
    let before = Universe::new((old, new), &[], loose, shifts);
    let barred = (
        before.barred(&pairs.iter().map(|pair| pair.old).collect(), &may_ask),
        world.barred(&pairs.iter().map(|pair| pair.new).collect(), &may_ask),
    );
    let recasting = world.recasting((&barred.0, &barred.1), &uses, &holders);
    let mut reach = Reach {
        recasting,
        callers: vec![Vec::new(); pairs.len()],
        assumptions: world.passed_in(&uses, &holders, |at| pairs[at].is_edited),
        holders,
        unsettled: BTreeSet::new(),
        opaque: BTreeMap::new(),
        by_name: BTreeSet::new(),
        barred: (barred.0.asking, barred.1.asking),
        handed_out: world.handed_out(),
        exposed: BTreeSet::new(),
    };
    for (caller, mut uses) in uses.into_iter().enumerate() {
        world.drop_harmless(&statics, &mut uses);
        uses.pairs.iter().for_each(|&callee| reach.callers[callee].push(caller));
        if uses.is_waiting && pairs[caller].is_edited {
            reach.opaque.insert(caller, WAITING);
        }
        if uses.is_unsettled || uses.opaque.is_some() {
            reach.unsettled.insert(caller);
        }
        reach.opaque.extend(uses.opaque.map(|reason| (caller, reason)));
        if uses.is_exposed {
            reach.exposed.insert(caller);
        }
        if uses.makes_lambdas {
            reach.handed_out.insert(caller);
        }
        if uses.is_by_name {
            reach.by_name.insert(caller);
        }
        if uses.has_unknown_names {
            reach.assumptions.push((caller, UNKNOWN_NAMES));
        }
    }
    reach
}

/// By pair: those that use it.
fn users(uses: &[Uses]) -> Vec<Vec<usize>> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); uses.len()];
    for (user, uses) in uses.iter().enumerate() {
        uses.pairs.iter().for_each(|&used| users[used].push(user));
    }
    users
}

/// These pairs, and all that use them, directly or not.
pub(super) fn with_users(
    users: &[Vec<usize>],
    pairs: impl IntoIterator<Item = usize>,
) -> BTreeSet<usize> {
    let mut reached: BTreeSet<usize> = pairs.into_iter().collect();
    let mut open: Vec<usize> = reached.iter().copied().collect();
    while let Some(at) = open.pop() {
        open.extend(users[at].iter().filter(|&&user| reached.insert(user)));
    }
    reached
}

/// Superclasses that keep no objects for others.
const PLAIN_SUPERCLASSES: [&str; 3] = ["java/lang/Object", "java/lang/Enum", "java/lang/Record"];

struct Universe<'p> {
    program: &'p Program,
    /// The other version.
    other: &'p Program,
    loose: &'p Loose,
    shifts: Shifts,
    lineage: Lineage,
    by_method: FxHashMap<MethodId, usize>,
    /// Methods of judged classes by name and descriptor, those that compilers add too.
    by_signature: FxHashMap<(Name, Name), Vec<MethodId>>,
    initialisers: FxHashMap<ClassId, usize>,
    callable: FxHashMap<ClassId, Callable>,
}

#[derive(Default)]
struct Uses {
    pairs: BTreeSet<usize>,
    is_unsettled: bool,
    opaque: Option<&'static str>,
    /// Classes that it makes the JVM initialise.
    triggers: BTreeSet<ClassId>,
    /// Static fields that it reads or writes.
    statics: BTreeSet<FieldId>,
    /// Classes of which it may see any static field: enums that it mentions.
    wholes: BTreeSet<ClassId>,
    /// Whether it does what only the owner of a monitor may.
    is_waiting: bool,
    /// Whether it asks who called it.
    asks_for_stack: bool,
    /// Whether it looks up something by name that is a judged class or a member of one.
    is_by_name: bool,
    /// Whether it looks up classes by names that are not in its code.
    has_unknown_names: bool,
    /// Fields, read or written, that may hold objects of judged classes.
    fields: BTreeSet<FieldId>,
    /// Those of them that objects may be put into.
    filled: BTreeSet<FieldId>,
    /// Whether it calls anything: else it runs no code of the objects in its fields.
    is_calling: bool,
    /// Whether it makes such objects, and whether there are lambdas among them.
    is_maker: bool,
    makes_lambdas: bool,
    /// The judged class whose method it is.
    own_class: Option<ClassId>,
    /// Judged classes whose objects it may have from others.
    spoken: BTreeSet<ClassId>,
    /// Whether it leaves objects to code outside.
    is_giving: bool,
    /// Methods of the platform that it calls on objects.
    asked: FxHashSet<MethodRef>,
    /// Whether code outside may call a method that only one version has.
    is_exposed: bool,
    /// Judged classes of which it makes objects.
    made: BTreeSet<ClassId>,
    /// Whether methods of one version alone that nobody overrides are part of it: its code is the same with theirs.
    has_moved: bool,
    /// Methods that are part of it, still to be looked through, and what was.
    inner: Vec<MethodId>,
    seen: FxHashSet<MethodId>,
}

impl<'p> Universe<'p> {
    fn new(
        (program, other): (&'p Program, &'p Program),
        pairs: &[MethodPair],
        loose: &'p Loose,
        shifts: Shifts,
    ) -> Universe<'p> {
        let mut universe = Universe {
            program,
            other,
            loose,
            shifts,
            lineage: Lineage::of(program),
            by_method: FxHashMap::default(),
            by_signature: FxHashMap::default(),
            initialisers: FxHashMap::default(),
            callable: FxHashMap::default(),
        };
        for (at, pair) in pairs.iter().enumerate() {
            let (class, declared) = program.method(pair.new);
            universe.by_method.insert(pair.new, at);
            if declared.name == program.known.clinit {
                universe.initialisers.insert(class.id, at);
            }
        }
        for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
            for (id, declared) in class.methods() {
                let key = (declared.name, declared.descriptor);
                universe.by_signature.entry(key).or_default().push(id);
            }
        }
        universe.callable = universe.all_callable();
        universe
    }

    /// What a pair uses.
    fn uses_of(&self, pair: &MethodPair) -> Uses {
        let has_moved = !pair.is_edited;
        let mut uses = Uses { inner: vec![pair.new], has_moved, ..Uses::default() };
        self.complete(&mut uses);
        uses
    }

    /// What a method uses, through what compilers add.
    fn uses(&self, method: MethodId) -> Uses {
        let mut uses = Uses { inner: vec![method], ..Uses::default() };
        self.complete(&mut uses);
        uses
    }

    fn complete(&self, uses: &mut Uses) {
        loop {
            while let Some(method) = uses.inner.pop() {
                if uses.seen.insert(method) {
                    self.look_through(method, uses);
                }
            }
            self.expose_given(uses);
            uses.inner.retain(|method| !uses.seen.contains(method));
            if uses.inner.is_empty() {
                return;
            }
        }
    }

    fn look_through(&self, method: MethodId, uses: &mut Uses) {
        let (class, declared) = self.program.method(method);
        self.mention_descriptor(declared.descriptor, uses);
        self.speak_of_method(method, true, uses);
        uses.own_class = (!declared.access_flags.is_static()).then_some(class.id);
        // Whoever has an object has its class initialised.
        if declared.access_flags.is_static() || declared.name == self.program.known.init {
            self.initialise(class.name, uses);
        }
        let Ok(Some(body)) = self.program.lower(method) else { return };
        self.body(&Typed::new(self.program, method, &body), uses);
        self.by_name(method, &body, uses);
    }

    /// Adds what a body uses.
    fn body(&self, typed: &Typed<'_>, uses: &mut Uses) {
        let body = typed.body;
        for instruction in &body.instructions {
            match instruction.op {
                Op::Invoke { kind, method, arguments } => {
                    uses.is_calling = true;
                    self.call(kind, method, uses);
                    self.give(kind, method, (body, body.list(arguments)), uses);
                    let (list, result) = (body.list(arguments), instruction.result);
                    self.surroundings(body, method, list, uses);
                    self.reflection(typed, method, (list, result), uses);
                }
                Op::New(class) => self.make(class, uses),
                Op::GetStatic(field) | Op::GetField(field, _) => self.field(field, false, uses),
                Op::PutStatic(field, _) | Op::PutField(field, ..) => self.field(field, true, uses),
                Op::CheckCast(ty, value) | Op::InstanceOf(ty, value) => {
                    self.mention(ty, uses);
                    self.speak(ty, uses);
                    // What is declared to be of the type is no test of it.
                    if typed.of(value) != Some(ty) {
                        self.ask_kind(ty, uses);
                    }
                }
                // Whatever is put there is tested for its type.
                Op::NewArray { element, .. } => {
                    self.mention(element, uses);
                    self.ask_kind(element, uses);
                }
                Op::NewMultiArray { array, .. } => self.ask_kind(array, uses),
                Op::Const(Const::Class(ty)) => {
                    self.mention(ty, uses);
                    let is_plain = instruction.result.is_none_or(|it| self.is_named_only(body, it));
                    self.ask_kind(ty, uses);
                    if !is_plain && self.has_other_members(ty) {
                        uses.opaque = Some(MEMBERS);
                    }
                }
                Op::Const(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::ArrayLength(_)
                | Op::ArrayLoad { .. }
                | Op::ArrayStore { .. }
                | Op::InvokeDynamic { .. }
                | Op::MonitorEnter(_)
                | Op::MonitorExit(_) => {}
            }
        }
        for handler in body.blocks.iter().flat_map(|block| body.handlers_of(block)) {
            if let Some(name) = handler.catch_type {
                self.ask_kind(Type::class(name), uses);
            }
        }
        self.call_sites(body, uses);
        self.give_to_sites(body, uses);
    }

    fn call_sites(&self, body: &Body, uses: &mut Uses) {
        for site in &body.call_sites {
            match site {
                CallSite::Lambda(lambda) => {
                    uses.is_maker = true;
                    uses.makes_lambdas = true;
                    self.call(InvokeKind::Virtual, lambda.implementation.member, uses);
                }
                CallSite::MethodHandle(handle) | CallSite::InvokeConstant { handle, .. } => {
                    self.call(InvokeKind::Virtual, handle.member, uses);
                }
                CallSite::StaticFinal { class, .. } | CallSite::EnumConstant { class, .. } => {
                    self.initialise(*class, uses);
                    uses.wholes.extend(self.program.find_class(*class));
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
    }

    fn call(&self, kind: InvokeKind, method: MethodRef, uses: &mut Uses) {
        self.mention_descriptor(method.descriptor, uses);
        let program = self.program;
        let resolved = program.resolve_method(method.class, method.name, method.descriptor).found();
        if method.name == program.known.init {
            self.make(method.class, uses);
        }
        uses.asks_for_stack |= self.asks_for_stack(method, resolved);
        if let Some(resolved) = resolved {
            let (class, _) = program.method(resolved);
            if kind == InvokeKind::Static {
                self.initialise(class.name, uses);
            }
            self.run(resolved, uses);
            self.speak_of_method(resolved, false, uses);
        }
        if kind == InvokeKind::Virtual || kind == InvokeKind::Interface {
            self.dispatch(method, uses);
        }
    }

    /// A method that is run: a pair, or something to look through.
    fn run(&self, method: MethodId, uses: &mut Uses) {
        uses.pairs.extend(self.by_method.get(&method));
        let (class, declared) = self.program.method(method);
        let is_judged = self.program.role(class.id) == Role::Judged;
        let flags = declared.access_flags;
        let is_moved = uses.has_moved
            && (flags.is_static() || flags.is_private())
            && !self.by_method.contains_key(&method);
        if is_judged && (flags.is_synthetic() || is_moved) {
            uses.inner.push(method);
        }
    }

    /// All that a call through a judged type may run.
    fn dispatch(&self, method: MethodRef, uses: &mut Uses) {
        let program = self.program;
        let Some(owner) = program.find_class(method.class) else { return };
        if program.role(owner) != Role::Judged {
            return;
        }
        let key = (method.name, method.descriptor);
        let is_run = |class: ClassId| {
            self.lineage.contains(owner, class) || program.is_subtype(class, owner) != Some(false)
        };
        for &found in self.by_signature.get(&key).map_or(&[][..], Vec::as_slice) {
            if is_run(found.class) {
                self.run(found, uses);
            }
        }
        uses.is_unsettled |= self.has_other_heirs(owner, key);
        let text = |name: Name| program.names.text(name).into_owned();
        if let Some(classes) = self.loose.methods.get(&(text(key.0), text(key.1))) {
            uses.is_unsettled |= classes.iter().any(|class| match program.find_class_text(class) {
                Some(class) => is_run(class) || program.is_subtype(owner, class) != Some(false),
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
        uses.is_maker = true;
        uses.made.insert(class.id);
        if self.shifts.reborn.contains(&*program.names.text(class.name)) {
            uses.opaque = Some(KIN);
        }
        self.expose(class.id, uses);
        uses.is_unsettled |= uses.is_exposed;
    }

    /// A class is initialised after its superclasses.
    fn initialise(&self, class: Name, uses: &mut Uses) {
        let program = self.program;
        let Some(class) = program.find_class(class).and_then(|id| program.class(id)) else {
            return;
        };
        let ancestry = program.ancestry(class);
        let judged = |id: &&ClassId| program.role(**id) == Role::Judged;
        for &id in ancestry.superclasses.iter().filter(judged) {
            uses.triggers.insert(id);
            uses.pairs.extend(self.initialisers.get(&id));
        }
    }

    fn field(&self, field: FieldRef, is_written: bool, uses: &mut Uses) {
        self.mention_descriptor(field.descriptor, uses);
        self.mention(Type::class(field.class), uses);
        let program = self.program;
        let resolved = program.resolve_field(field.class, field.name, field.descriptor).found();
        let Some(resolved) = resolved else { return };
        self.speak_of_field(resolved, uses);
        let (class, declared) = program.field(resolved);
        if declared.access_flags.is_static() {
            self.initialise(class.name, uses);
            uses.statics.insert(resolved);
        }
        if program.role(class.id) == Role::Judged && self.may_hold(field.descriptor) {
            uses.fields.insert(resolved);
            if is_written || !self.is_judged_object(field.descriptor) {
                uses.filled.insert(resolved);
            }
        }
    }

    /// Whether a field of this type may hold an object of a judged class, or one that knows such.
    fn may_hold(&self, descriptor: Name) -> bool {
        let names = &self.program.names;
        Type::parse(names.bytes(descriptor), names).is_some_and(|ty| self.is_open_type(ty))
    }

    /// Whether all that an object of this type holds is in fields of judged classes.
    fn is_judged_object(&self, descriptor: Name) -> bool {
        let names = &self.program.names;
        let Some(ty) = Type::parse(names.bytes(descriptor), names) else { return false };
        let Element::Class(name) = ty.element else { return false };
        let Some(id) = self.program.find_class(name) else { return false };
        let is_judged = |id| self.program.role(id) == Role::Judged;
        let has_own_fields_only = |id: ClassId| {
            let Some(class) = self.program.class(id) else { return false };
            class.superclass.is_none_or(|above| {
                PLAIN_SUPERCLASSES.contains(&&*names.text(above))
                    || self.program.find_class(above).is_some_and(is_judged)
            })
        };
        ty.dimensions == 0 && is_judged(id) && self.lineage.of_type(id).all(has_own_fields_only)
    }

    /// A test of a type, by a cast, a catch or `instanceof`.
    fn ask_kind(&self, ty: Type, uses: &mut Uses) {
        if let Element::Class(name) = ty.element
            && self.shifts.kin.contains(&*self.program.names.text(name))
        {
            uses.opaque = Some(KIN);
        }
    }

    fn has_other_members(&self, ty: Type) -> bool {
        let Element::Class(name) = ty.element else { return false };
        self.shifts.members.contains(&*self.program.names.text(name))
    }

    /// The constants of an enum have their order and their names from its initialiser.
    fn mention(&self, ty: Type, uses: &mut Uses) {
        let Element::Class(name) = ty.element else { return };
        let Some(id) = self.program.find_class(name) else { return };
        if self.program.role(id) == Role::Judged
            && self.program.class(id).is_some_and(|class| class.access_flags.is_enum())
        {
            self.initialise(name, uses);
            uses.wholes.insert(id);
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
