//! Fields that link objects in one order for ever, as `next` of a list does.
//!
//! Imagine all links that there ever were, at once: they must not close a circle. An object that nobody
//! knows yet may link to anything, because nothing links to it. A new object that is put behind an old
//! one stands right behind it, if all that the new one links to is what the old one linked to, or
//! nothing. What comes later in a chain may be linked to directly. Any other store may turn a link round.

use program::ir::{BlockId, Body, Const, Dominators, Op, Value};
use program::{FieldId, MethodId};
use rustc_hash::FxHashMap;

use super::facts::{Creation, Facts, Store, What};
use super::fields::{is_closed, is_final, keeps_to_itself};
use super::path::{Path, Paths, Root, Step};
use super::slice::Slice;
use super::universe::Universe;
use super::values::{Scene, Values, class_of_descriptor, infer_values};

/// Whether no store to the field ever turns a link round.
pub(super) fn is_chain(
    universe: &Universe<'_>,
    paths: &Paths,
    slice: &Slice,
    field: FieldId,
    stores: &[(MethodId, Store)],
) -> bool {
    let program = universe.program;
    let (class, declared) = program.field(field);
    let linked = class_of_descriptor(universe, program.names.bytes(declared.descriptor));
    let links_kin = linked.is_some() && universe.compatible(linked, Some(class.id));
    if !is_closed(universe, field)
        || !links_kin
        || stores.iter().any(|(_, store)| store.object.is_none())
    {
        return false;
    }
    let mut methods: Vec<MethodId> = stores.iter().map(|&(method, _)| method).collect();
    methods.sort_unstable();
    methods.dedup();
    !methods.is_empty()
        && methods.into_iter().all(|method| {
            let Ok(Some(body)) = program.lower(method) else { return false };
            let scene = Scene::new(universe, paths, method, &body);
            let values = infer_values(&scene);
            Links::new(&scene, &values, slice, field).all_keep_order()
        })
}

/// Where an instruction is: its block, and its number in the body.
type Place = (BlockId, u32);

/// The stores of one body to one field.
struct Links<'a> {
    scene: &'a Scene<'a>,
    values: &'a Values,
    slice: &'a Slice,
    field: FieldId,
    made: FxHashMap<Value, Op>,
    dominators: Dominators,
}

impl<'a> Links<'a> {
    fn new(scene: &'a Scene<'a>, values: &'a Values, slice: &'a Slice, field: FieldId) -> Self {
        let instructions = scene.body.instructions.iter();
        let made = instructions.filter_map(|it| Some((it.result?, it.op))).collect();
        let dominators = Dominators::new(scene.body);
        Links { scene, values, slice, field, made, dominators }
    }

    fn body(&self) -> &'a Body {
        self.scene.body
    }

    fn facts(&self, method: MethodId) -> Option<&'a Facts> {
        self.slice.index(method).map(|index| &self.slice.facts[index])
    }

    /// Every store to the field: where, the object and the value.
    fn stores(&self) -> Vec<(Place, Value, Value)> {
        let body = self.body();
        let mut found = Vec::new();
        for id in body.block_ids() {
            let block = body.block(id);
            let first = body.first_instruction(block);
            for (offset, instruction) in body.instructions_of(block).iter().enumerate() {
                if let Op::PutField(field, object, value) = instruction.op
                    && self.scene.resolve_field(&field) == Some(self.field)
                {
                    found.push(((id, first + offset as u32), object, value));
                }
            }
        }
        found
    }

    fn all_keep_order(&self) -> bool {
        let stores = self.stores();
        stores.iter().all(|&(place, object, value)| {
            self.is_null(value)
                || self.is_maker(object, value)
                || object != value && self.is_unknown_to_others(object, place)
                || self.is_later(object, value)
                || self.is_put_behind(&stores, place, object, value)
        })
    }

    fn is_null(&self, value: Value) -> bool {
        matches!(self.made.get(&value), Some(Op::Const(Const::Null)))
    }

    /// A constructor that nobody else knows the object of puts in what it was given.
    fn is_maker(&self, object: Value, value: Value) -> bool {
        let method = self.scene.method;
        let program = self.scene.universe.program;
        let is_given = |val: super::path::Val| matches!(self.scene.paths.of(val.path).root, Root::Param(index) if index > 0);
        program.method(method).1.name == program.known.init
            && method.class == self.field.class
            && self.body().parameters().next() == Some(object)
            && self.is_quiet(method)
            && self.values.choices(value).into_iter().all(is_given)
    }

    /// Whether the constructor keeps the new object to itself.
    fn is_quiet(&self, constructor: MethodId) -> bool {
        keeps_to_itself(self.scene.universe, self.scene.paths, self.slice, constructor)
    }

    /// Whether the value is made in this body, and nobody but it knows the object at this place.
    fn is_unknown_to_others(&self, object: Value, place: Place) -> bool {
        let body = self.body();
        if !matches!(self.made.get(&object), Some(Op::New(_))) || self.creation(object).is_none() {
            return false;
        }
        let is_after = |other: Place| {
            other.1 == place.1
                || other.0 == place.0 && other.1 > place.1
                || other.0 != place.0 && self.dominators.dominates(place.0, other.0)
        };
        for id in body.block_ids() {
            let block = body.block(id);
            let first = body.first_instruction(block);
            for (offset, instruction) in body.instructions_of(block).iter().enumerate() {
                let number = first + offset as u32;
                if self.hands_on(&instruction.op, object) && !is_after((id, number)) {
                    return false;
                }
            }
            let end = (id, first + body.instructions_of(block).len() as u32);
            if body.passes_on(block, object) && !is_after(end) {
                return false;
            }
        }
        true
    }

    /// Whether somebody else, or another name, may have the object after the operation.
    fn hands_on(&self, op: &Op, object: Value) -> bool {
        let body = self.body();
        match op {
            Op::PutField(_, _, value) => *value == object,
            Op::Invoke { method, arguments, .. }
                if method.name == self.scene.universe.program.known.init =>
            {
                body.list(*arguments).iter().skip(1).any(|it| *it == object)
            }
            Op::GetField(..) | Op::InstanceOf(..) => false,
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetStatic(_)
            | Op::PutStatic(..)
            | Op::Invoke { .. }
            | Op::InvokeDynamic { .. }
            | Op::CheckCast(..)
            | Op::MonitorEnter(_)
            | Op::MonitorExit(_) => {
                let mut uses = false;
                op.for_each_operand(body, |value| uses |= value == object);
                uses
            }
        }
    }

    /// The call of a quiet constructor that completes the new object.
    fn creation(&self, object: Value) -> Option<&'a Creation> {
        let path = self.scene.paths.of(self.values.of(object)?.path);
        let Root::Alloc(_, pc) = path.root else { return None };
        let creation = self.facts(self.scene.method)?.creation(pc)?;
        self.is_quiet(creation.constructor).then_some(creation)
    }

    /// Whether the value is found through this field from the object itself.
    fn is_later(&self, object: Value, value: Value) -> bool {
        let path = |value| Some(self.scene.paths.of(self.values.of(value)?.path));
        let (Some(object), Some(value)) = (path(object), path(value)) else { return false };
        let further = object.steps().len();
        self.is_one(&object)
            && object.root == value.root
            && value.steps().starts_with(object.steps())
            && value.steps().len() > further
            && value.steps()[further..].iter().all(|step| *step == Step::Field(self.field))
    }

    /// Whether the path means the same object each time in one run of the body.
    fn is_one(&self, path: &Path) -> bool {
        let universe = self.scene.universe;
        path.root != Root::Unknown && path.steps().iter().all(|step| is_final(universe, *step))
    }

    /// Whether the value is a new object that links to what `object` linked to, or to nothing.
    fn is_put_behind(
        &self,
        stores: &[(Place, Value, Value)],
        place: Place,
        object: Value,
        value: Value,
    ) -> bool {
        if !self.is_unknown_to_others(value, place) {
            return false;
        }
        let fits = |given: Value| self.is_null(given) || self.was_linked(object, given);
        let mut own = stores.iter().filter(|(_, it, _)| *it == value);
        self.creation(value).is_some_and(|creation| self.links_of(creation, value, &fits))
            && own.all(|&(_, _, given)| fits(given))
    }

    /// Whether the second value was read from the field of the first.
    fn was_linked(&self, object: Value, given: Value) -> bool {
        let Some(Op::GetField(field, from)) = self.made.get(&given) else { return false };
        let path = |value| self.values.of(value).map(|it| it.path);
        let is_same = *from == object
            || path(*from).is_some_and(|it| {
                path(object) == Some(it) && self.is_one(&self.scene.paths.of(it))
            });
        is_same && self.scene.resolve_field(field) == Some(self.field)
    }

    /// Whether all that the constructor puts into the field of the new object fits.
    fn links_of(&self, creation: &Creation, made: Value, fits: &dyn Fn(Value) -> bool) -> bool {
        let program = self.scene.universe.program;
        let Some(facts) = self.facts(creation.constructor) else { return false };
        // Of constructors that call others it is not asked which argument becomes which.
        let delegates = facts.events.iter().any(|event| match &event.what {
            What::Call(call) => {
                let (class, method) = program.method(call.resolved);
                method.name == program.known.init
                    && program.is_subtype(class.id, self.field.class) != Some(false)
            }
            What::Acquire(_)
            | What::Init(_)
            | What::Wait { .. }
            | What::Notify { .. }
            | What::Join(_)
            | What::Spawn(_) => false,
        });
        let given = self.arguments_of(made);
        let fits_store = |store: &Store| {
            let Some(stored) = store.value else { return true };
            let path = self.scene.paths.of(stored.path);
            let (Root::Param(index), []) = (path.root, path.steps()) else { return false };
            given.get(usize::from(index)).is_some_and(|&it| fits(it))
        };
        let mut links = facts.stores.iter().filter(|store| store.field == self.field);
        !delegates && links.all(fits_store)
    }

    /// What the constructor of the new object is called with, the object first.
    fn arguments_of(&self, made: Value) -> Vec<Value> {
        let body = self.body();
        let init = self.scene.universe.program.known.init;
        let calls = body.instructions.iter().find_map(|it| match it.op {
            Op::Invoke { method, arguments, .. } if method.name == init => {
                let arguments = body.list(arguments);
                (arguments.first() == Some(&made)).then(|| arguments.to_vec())
            }
            _ => None,
        });
        calls.unwrap_or_default()
    }
}
