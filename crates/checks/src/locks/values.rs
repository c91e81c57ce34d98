//! Where the reference values of one body come from: a path and an upper bound of the class for each.
//!
//! Flow-insensitive about the heap: a path says how a value was found, not that looking again would
//! find the same object. Where ways through the body meet with different values, the meeting value is
//! a root of its own, and the different ones are kept as its choices.

use std::cell::RefCell;

use program::ir::{Block, Body, CallSite, Const, Edge, FieldRef, InvokeKind, MethodRef, Op, Value};
use program::{
    ClassId, Element, FieldId, HandleKind, Kind, MethodDescriptor, MethodId, Resolution, Type,
};
use rustc_hash::FxHashMap;

use super::literals::{boxed_constant, class_by_name, class_kept_in};
use super::path::{Path, PathId, Paths, Root, Step, Val};
use super::primitives::Primitive;
use super::universe::Universe;

pub(crate) struct Values {
    all: Vec<Option<Val>>,
    choices: FxHashMap<Value, Vec<Val>>,
}

/// What a reference to a method means: a method that is there, and what the platform's locks call it.
type Meaning = (Option<MethodId>, Option<Primitive>);

/// Everything that looking at one body needs.
pub(crate) struct Scene<'a> {
    pub universe: &'a Universe<'a>,
    pub paths: &'a Paths,
    pub method: MethodId,
    pub body: &'a Body,
    /// The same method is asked about at every call of it.
    references: RefCell<FxHashMap<MethodRef, Meaning>>,
    fields: RefCell<FxHashMap<FieldRef, Option<FieldId>>>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(
        universe: &'a Universe<'a>,
        paths: &'a Paths,
        method: MethodId,
        body: &'a Body,
    ) -> Scene<'a> {
        Scene {
            universe,
            paths,
            method,
            body,
            references: RefCell::default(),
            fields: RefCell::default(),
        }
    }

    /// The field that a reference means.
    pub(crate) fn resolve_field(&self, field: &FieldRef) -> Option<FieldId> {
        if let Some(&known) = self.fields.borrow().get(field) {
            return known;
        }
        let program = self.universe.program;
        let found = program.resolve_field(field.class, field.name, field.descriptor).found();
        self.fields.borrow_mut().insert(*field, found);
        found
    }

    /// Whether only the library reads a field: exceptions are their own cause, until they have another.
    pub(crate) fn is_hidden(&self, field: &FieldRef) -> bool {
        let universe = self.universe;
        self.resolve_field(field).is_some_and(|it| {
            universe.is_platform(it.class) && universe.program.field(it).1.access_flags.is_private()
        })
    }

    /// The method that a reference means, and what it does if it is a known one.
    pub(crate) fn resolve(&self, method: &MethodRef) -> (Option<MethodId>, Option<Primitive>) {
        if let Some(&known) = self.references.borrow().get(method) {
            return known;
        }
        let program = self.universe.program;
        let resolved = program.resolve_method(method.class, method.name, method.descriptor);
        let owner = match resolved {
            Resolution::Found(id) => program.class_name(id.class),
            Resolution::MissingClass(_) | Resolution::NoSuchMember => method.class,
        };
        let primitive = self.universe.primitives.of(program, owner, method.name, method.descriptor);
        self.references.borrow_mut().insert(*method, (resolved.found(), primitive));
        (resolved.found(), primitive)
    }
}

impl Values {
    pub(crate) fn of(&self, value: Value) -> Option<Val> {
        self.all[value.index()]
    }

    /// What the value can be: itself, or those that met in it.
    pub(crate) fn choices(&self, value: Value) -> Vec<Val> {
        match self.choices.get(&value) {
            Some(choices) => choices.clone(),
            None => self.of(value).into_iter().collect(),
        }
    }
}

/// Finds the values of a body.
pub(crate) fn infer_values(scene: &Scene<'_>) -> Values {
    const PASSES: usize = 4;
    let body = scene.body;
    let mut values = Values { all: vec![None; body.kinds.len()], choices: FxHashMap::default() };
    enter(scene, &mut values);
    for _ in 0..PASSES {
        let mut changed = false;
        for block in &body.blocks {
            changed |= evaluate_block(scene, &mut values, block);
            body.for_each_successor(block, |edge| {
                changed |= flow(scene, &mut values, edge, 0);
            });
            for handler in body.handlers_of(block) {
                let target = body.block(handler.edge.target);
                if let Some(&caught) = body.list(target.parameters).first() {
                    let class =
                        handler.catch_type.unwrap_or(scene.universe.program.known.throwable);
                    let class = scene.universe.class(class);
                    values.all[caught.index()].get_or_insert(local(scene, caught, class));
                }
                changed |= flow(scene, &mut values, handler.edge, 1);
            }
        }
        if !changed {
            break;
        }
    }
    values
}

fn evaluate_block(scene: &Scene<'_>, values: &mut Values, block: &Block) -> bool {
    let body = scene.body;
    let mut changed = false;
    for (offset, instruction) in body.instructions_of(block).iter().enumerate() {
        let Some(result) = instruction.result else { continue };
        if body.kind(result) != Kind::Ref {
            continue;
        }
        let number = body.first_instruction(block) + offset as u32;
        let val = evaluate(scene, values, &instruction.op, result, instruction.pc, number);
        if let Some(class) = class_asked_for(scene, values, &instruction.op) {
            let known = val.into_iter().chain([class]).collect();
            values.choices.insert(result, known);
        }
        changed |= values.all[result.index()] != val;
        values.all[result.index()] = val;
    }
    changed
}

fn enter(scene: &Scene<'_>, values: &mut Values) {
    let universe = scene.universe;
    let (class, method) = universe.program.method(scene.method);
    let names = &universe.program.names;
    let mut parameters = scene.body.parameters().enumerate();
    if !method.access_flags.is_static()
        && let Some((_, this)) = parameters.next()
    {
        let path = scene.paths.root(Root::Param(0));
        values.all[this.index()] = Some(Val { path, class: Some(class.id), exact: false });
    }
    let Some(descriptor) = MethodDescriptor::parse(names.bytes(method.descriptor)) else { return };
    for ((index, value), field) in parameters.zip(descriptor.parameters()) {
        if scene.body.kind(value) == Kind::Ref {
            let path = scene.paths.root(Root::Param(index as u16));
            let class = class_of_descriptor(universe, field);
            values.all[value.index()] = Some(Val { path, class, exact: false });
        }
    }
}

/// The class that a field descriptor names; `None` for arrays and what is not on the class path.
pub(crate) fn class_of_descriptor(universe: &Universe<'_>, field: &[u8]) -> Option<ClassId> {
    let name = field.strip_prefix(b"L")?.strip_suffix(b";")?;
    universe.class(universe.program.names.find(name)?)
}

pub(crate) fn class_of_type(universe: &Universe<'_>, ty: Type) -> Option<ClassId> {
    match ty {
        Type { element: Element::Class(name), dimensions: 0 } => universe.class(name),
        Type { element: Element::Class(_) | Element::Primitive(_), .. } => None,
    }
}

fn local(scene: &Scene<'_>, value: Value, class: Option<ClassId>) -> Val {
    let path = scene.paths.root(Root::Local(value.index() as u32));
    Val { path, class, exact: false }
}

fn flow(scene: &Scene<'_>, values: &mut Values, edge: Edge, skip: usize) -> bool {
    let body = scene.body;
    let parameters = &body.list(body.block(edge.target).parameters)[skip..];
    let mut changed = false;
    for (&parameter, &argument) in parameters.iter().zip(body.list(edge.arguments)) {
        if body.kind(parameter) == Kind::Ref && parameter != argument {
            changed |= meet(scene, values, parameter, argument);
        }
    }
    changed
}

fn meet(scene: &Scene<'_>, values: &mut Values, parameter: Value, argument: Value) -> bool {
    let Some(incoming) = values.of(argument) else { return false };
    let own = local(scene, parameter, None).path;
    let Some(known) = values.of(parameter) else {
        values.all[parameter.index()] = Some(incoming);
        return true;
    };
    if known == incoming || incoming.path == own {
        return false;
    }
    let class = common_superclass(scene.universe, known.class, incoming.class);
    let joined = if known.path == incoming.path {
        Val { path: known.path, class, exact: false }
    } else {
        let mut choices = match values.choices.remove(&parameter) {
            Some(choices) => choices,
            None => vec![known],
        };
        for choice in values.choices(argument) {
            if choice.path != own && !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        values.choices.insert(parameter, choices);
        Val { path: own, class, exact: false }
    };
    values.all[parameter.index()] = Some(joined);
    joined != known
}

fn common_superclass(
    universe: &Universe<'_>,
    a: Option<ClassId>,
    b: Option<ClassId>,
) -> Option<ClassId> {
    let (a, b) = (a?, b?);
    let program = universe.program;
    let is_above = |above: ClassId, below: ClassId| program.is_subtype(below, above) == Some(true);
    if is_above(a, b) {
        return Some(a);
    }
    let ancestry = program.ancestry(program.class(a)?);
    ancestry.superclasses.iter().copied().find(|&above| is_above(above, b))
}

fn evaluate(
    scene: &Scene<'_>,
    values: &Values,
    op: &Op,
    result: Value,
    pc: u16,
    number: u32,
) -> Option<Val> {
    let universe = scene.universe;
    let opaque = |class| Some(local(scene, result, class));
    match op {
        Op::Const(constant) => constant_value(scene, *constant, result),
        Op::New(name) => {
            let path = scene.paths.root(Root::Alloc(scene.method, pc));
            Some(Val { path, class: universe.class(*name), exact: true })
        }
        Op::NewArray { .. } | Op::NewMultiArray { .. } => {
            let path = scene.paths.root(Root::Alloc(scene.method, pc));
            Some(Val { path, class: None, exact: true })
        }
        Op::ArrayLoad { array, .. } => step(scene, values.of(*array), Step::Element, None, result),
        Op::GetStatic(field) => {
            let names = &universe.program.names;
            let class = class_of_descriptor(universe, names.bytes(field.descriptor));
            if let Some(named) = class_kept_in(scene, field) {
                return Some(Val {
                    path: scene.paths.root(Root::Class(named)),
                    class,
                    exact: true,
                });
            }
            match scene.resolve_field(field) {
                Some(id) => {
                    Some(Val { path: scene.paths.root(Root::Static(id)), class, exact: false })
                }
                None => opaque(class),
            }
        }
        Op::GetField(field, object) => {
            let names = &universe.program.names;
            let class = class_of_descriptor(universe, names.bytes(field.descriptor));
            match scene.resolve_field(field) {
                Some(id) => step(scene, values.of(*object), Step::Field(id), class, result),
                None => opaque(class),
            }
        }
        Op::Invoke { kind, method, arguments } => {
            let receiver = match kind {
                InvokeKind::Static => None,
                InvokeKind::Virtual | InvokeKind::Special | InvokeKind::Interface => {
                    scene.body.list(*arguments).first().and_then(|&value| values.of(value))
                }
            };
            let arguments = scene.body.list(*arguments);
            match boxed_constant(scene, *kind, method, arguments)
                .or_else(|| class_by_name(scene, *kind, method, arguments))
            {
                Some(val) => Some(val),
                None => call_result(scene, receiver, *kind, method, result, number),
            }
        }
        Op::InvokeDynamic { call_site, .. } => {
            let path = scene.paths.root(Root::Alloc(scene.method, pc));
            match &scene.body.call_sites[*call_site as usize] {
                CallSite::Lambda(lambda) => {
                    Some(Val { path, class: universe.class(lambda.interface), exact: true })
                }
                CallSite::Concat(_) => Some(Val {
                    path,
                    class: universe.class(universe.program.known.string),
                    exact: true,
                }),
                CallSite::RecordMethod { .. }
                | CallSite::TypeSwitch(_)
                | CallSite::EnumSwitch(_)
                | CallSite::MethodHandle(_)
                | CallSite::Null
                | CallSite::PrimitiveClass(_)
                | CallSite::EnumConstant { .. }
                | CallSite::StaticFinal { .. }
                | CallSite::InvokeConstant { .. }
                | CallSite::Unknown(_) => opaque(None),
            }
        }
        Op::CheckCast(ty, value) => {
            let known = values.of(*value)?;
            let class = universe.narrower(known.class, class_of_type(universe, *ty));
            Some(Val { class, ..known })
        }
        Op::Unary(..)
        | Op::Binary(..)
        | Op::ArrayLength(_)
        | Op::ArrayStore { .. }
        | Op::PutStatic(..)
        | Op::PutField(..)
        | Op::InstanceOf(..)
        | Op::MonitorEnter(_)
        | Op::MonitorExit(_) => None,
    }
}

/// Of `x.getClass()` the class that x is declared with: one of those that it may give.
fn class_asked_for(scene: &Scene<'_>, values: &Values, op: &Op) -> Option<Val> {
    let Op::Invoke { kind: InvokeKind::Virtual, method, arguments } = op else { return None };
    let universe = scene.universe;
    let names = &universe.program.names;
    if names.bytes(method.name) != b"getClass" || names.bytes(method.descriptor) != GET_CLASS {
        return None;
    }
    let object = values.of(*scene.body.list(*arguments).first()?)?;
    let path = scene.paths.root(Root::Class(object.class?));
    let class = universe.program.find_class_text("java/lang/Class");
    Some(Val { path, class, exact: true })
}

const GET_CLASS: &[u8] = b"()Ljava/lang/Class;";

fn constant_value(scene: &Scene<'_>, constant: Const, result: Value) -> Option<Val> {
    let universe = scene.universe;
    match constant {
        // Nobody locks null, and no field of it is read.
        Const::Null => None,
        Const::String(text) => {
            let text = universe.program.literal(text);
            let class = universe.class(universe.program.known.string);
            Some(Val { path: scene.paths.root(Root::Text(text)), class, exact: true })
        }
        Const::Class(ty) => {
            let meta = universe.program.find_class_text("java/lang/Class");
            match class_of_type(universe, ty) {
                Some(id) => {
                    Some(Val { path: scene.paths.root(Root::Class(id)), class: meta, exact: true })
                }
                None => Some(local(scene, result, meta)),
            }
        }
        Const::Int(_)
        | Const::Long(_)
        | Const::Float(_)
        | Const::Double(_)
        | Const::MethodType(_)
        | Const::Dynamic(..) => Some(local(scene, result, None)),
    }
}

/// One step from a value, or a root of its own where the path would get too long.
fn step(
    scene: &Scene<'_>,
    from: Option<Val>,
    step: Step,
    class: Option<ClassId>,
    result: Value,
) -> Option<Val> {
    let path = from.and_then(|from| extend(scene.paths, from.path, step));
    match path {
        Some(path) => Some(Val { path, class, exact: false }),
        None => Some(local(scene, result, class)),
    }
}

/// The path one step further. What a collection's element holds is still the collection's.
pub(crate) fn extend(paths: &Paths, from: PathId, step: Step) -> Option<PathId> {
    let path: Path = paths.of(from);
    if step == Step::Element && path.last() == Some(Step::Element) {
        return Some(from);
    }
    if let (Step::Field(field), Some(Step::Many(last))) = (step, path.last())
        && field == last
    {
        return Some(from);
    }
    // What is inside of what is inside counts as inside.
    if step == Step::Element
        && let [before @ .., Step::Field(outer), Step::Element, Step::Field(inner)] = path.steps()
        && outer == inner
    {
        let length = before.len() + 2;
        let mut shorter = path;
        while shorter.steps().len() > length {
            shorter = shorter.base()?;
        }
        return Some(paths.intern(shorter));
    }
    // Further along after a step along the same field is just further along.
    if let Step::Many(field) = step
        && let Some(path) = path.along(field)
    {
        return Some(paths.intern(path));
    }
    let longer = path.then(step).or_else(|| match step {
        Step::Field(field) => path.along(field),
        Step::Element
        | Step::Older
        | Step::Many(_)
        | Step::ReadLock
        | Step::WriteLock
        | Step::Condition => None,
    });
    longer.map(|path| paths.intern(path))
}

fn call_result(
    scene: &Scene<'_>,
    receiver: Option<Val>,
    kind: InvokeKind,
    method: &MethodRef,
    result: Value,
    number: u32,
) -> Option<Val> {
    let universe = scene.universe;
    let names = &universe.program.names;
    let descriptor = MethodDescriptor::parse(names.bytes(method.descriptor))?;
    let class = descriptor.result_type(names).and_then(|ty| class_of_type(universe, ty));
    let (_, primitive) = scene.resolve(method);
    let lock_step = match primitive {
        Some(Primitive::ReadLock) => Some(Step::ReadLock),
        Some(Primitive::WriteLock) => Some(Step::WriteLock),
        Some(Primitive::Condition) => Some(Step::Condition),
        Some(
            Primitive::Lock { .. }
            | Primitive::Unlock
            | Primitive::Stamped { .. }
            | Primitive::Unstamp(_)
            | Primitive::Wait { .. }
            | Primitive::Notify { .. }
            | Primitive::Join { .. }
            | Primitive::Start
            | Primitive::Run,
        )
        | None => None,
    };
    if let Some(lock_step) = lock_step {
        return step(scene, receiver, lock_step, class, result);
    }
    let is_container = |id: Option<ClassId>| id.is_some_and(|id| universe.is_container(id));
    if kind != InvokeKind::Static
        && let Some(receiver) = receiver
        && is_container(receiver.class)
    {
        // Views and iterators stand for the collection, everything else for what it holds.
        if is_container(class) {
            return Some(Val { path: receiver.path, class, exact: false });
        }
        return step(scene, Some(receiver), Step::Element, class, result);
    }
    let path = scene.paths.root(Root::Result(number));
    Some(Val { path, class, exact: false })
}

/// The method that a handle calls, if it is a method.
pub(crate) fn handle_target(
    universe: &Universe<'_>,
    handle: &program::ir::MethodHandle,
) -> Option<MethodId> {
    match handle.kind {
        HandleKind::InvokeVirtual
        | HandleKind::InvokeStatic
        | HandleKind::InvokeSpecial
        | HandleKind::NewInvokeSpecial
        | HandleKind::InvokeInterface => {
            let member = handle.member;
            universe.program.resolve_method(member.class, member.name, member.descriptor).found()
        }
        HandleKind::GetField
        | HandleKind::GetStatic
        | HandleKind::PutField
        | HandleKind::PutStatic => None,
    }
}
