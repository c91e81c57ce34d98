//! Objects that the library cannot have: it calls back what it was handed, and nothing else.
//!
//! By its type, a call that the library makes on an object which it keeps, or a call on an object that it
//! gives back, could run any judged class. Where no judged code hands an object of a class to the library,
//! only a caller could, for reasons of his own: nothing to expect, so such calls are not followed there. For
//! a proof they stay open.

use std::sync::Arc;

use program::{ClassId, FieldId, MethodDescriptor, MethodId, Type};
use rustc_hash::FxHashSet;

use super::facts::{Call, Facts, What};
use super::path::{Paths, Root, Step, Val};
use super::slice::Slice;
use super::universe::{Targets, Universe};
use super::values::class_of_type;

/// Leaves out, of the library's calls, the judged classes that it does not get to know.
pub(crate) fn drop_strangers(universe: &Universe<'_>, paths: &Paths, slice: &mut Slice) {
    if universe.is_all_judged() {
        return;
    }
    let handed = Handed::new(universe, slice);
    for (method, facts) in slice.methods.iter().zip(&mut slice.facts) {
        let is_library = universe.is_platform(method.class);
        let concerned: Vec<bool> = facts
            .events
            .iter()
            .map(|event| match &event.what {
                What::Call(call) if !call.is_virtual => false,
                What::Call(call) if is_library => !is_on_receiver(paths, call),
                What::Call(call) => is_given_by_library(universe, paths, facts, call),
                What::Acquire(_)
                | What::Init(_)
                | What::Wait { .. }
                | What::Notify { .. }
                | What::Join(_)
                | What::Spawn(_) => false,
            })
            .collect();
        let events = facts.events.iter_mut().zip(concerned).filter(|(_, concerned)| *concerned);
        for (event, _) in events {
            if let What::Call(call) = &mut event.what {
                leave_out(universe, &handed, call);
            }
        }
    }
}

/// Whether it is a call on what an object of the library gave back, or holds.
fn is_given_by_library(universe: &Universe<'_>, paths: &Paths, facts: &Facts, call: &Call) -> bool {
    let Some(receiver) = call.arguments.first().copied().flatten() else { return false };
    let path = paths.of(receiver.path);
    let inside = path.steps().iter().rev().skip_while(|step| **step == Step::Element);
    match (path.last(), path.root) {
        (Some(Step::Element), _) => match inside.take(1).next() {
            Some(&Step::Field(field)) => container(universe, field).is_some(),
            Some(
                Step::Element
                | Step::Older
                | Step::Many(_)
                | Step::ReadLock
                | Step::WriteLock
                | Step::Condition,
            )
            | None => false,
        },
        // An iterator or a view goes by the name of its collection.
        (Some(Step::Field(field)), _) => receiver.class.is_some_and(|class| {
            let declared = container(universe, field);
            let program = universe.program;
            declared.is_some_and(|it| program.is_subtype(it, class) == Some(false))
        }),
        (None, Root::Result(number)) => facts.call(number).is_some_and(|giver| {
            universe.is_platform(giver.resolved.class)
                && giver.targets.all().all(|body| universe.is_platform(body.class))
        }),
        (_, _) => false,
    }
}

/// The declared class of a field, if that is of the library.
fn container(universe: &Universe<'_>, field: FieldId) -> Option<ClassId> {
    let names = &universe.program.names;
    let ty = Type::parse(names.bytes(universe.program.field(field).1.descriptor), names);
    let class = ty.filter(|it| it.dimensions == 0).and_then(|it| class_of_type(universe, it));
    class.filter(|&it| keeps(universe, it))
}

/// Whether it is a call on the object whose method runs: that is what the library was called on.
fn is_on_receiver(paths: &Paths, call: &Call) -> bool {
    call.arguments.first().copied().flatten().is_some_and(|receiver| {
        let path = paths.of(receiver.path);
        path.root == Root::Param(0) && path.steps().is_empty()
    })
}

fn leave_out(universe: &Universe<'_>, handed: &Handed, call: &mut Call) {
    // Containers ask what they hold, whatever its type, for these.
    let asks_anything = ["java/lang/Object", "java/lang/Comparable", "java/util/Comparator"]
        .iter()
        .any(|name| universe.program.find_class_text(name) == Some(call.resolved.class));
    if handed.anything && asks_anything {
        return;
    }
    let is_known = |method: &MethodId| {
        universe.is_platform(method.class) || handed.knows(universe, method.class)
    };
    if call.targets.all().all(|method| is_known(&method)) {
        return;
    }
    let kept = |methods: &[MethodId]| methods.iter().copied().filter(is_known).collect();
    let Targets { methods, wide, far, .. } = &*call.targets;
    call.targets = Arc::new(Targets {
        methods: kept(methods),
        wide: kept(wide),
        far: kept(far),
        is_open: true,
    });
}

/// What judged code hands to the library.
#[derive(Default)]
struct Handed {
    /// Objects of these classes and those below.
    types: FxHashSet<ClassId>,
    /// Objects of these very classes.
    exact: FxHashSet<ClassId>,
    /// Objects of which no type is known.
    anything: bool,
}

impl Handed {
    fn new(universe: &Universe<'_>, slice: &Slice) -> Handed {
        let mut handed = Handed::default();
        let classes: FxHashSet<ClassId> = slice.methods.iter().map(|it| it.class).collect();
        for class in classes.into_iter().filter(|&it| !universe.is_platform(it)) {
            handed.read_inherited(universe, class);
        }
        for (&method, facts) in slice.methods.iter().zip(&slice.facts) {
            if !universe.is_platform(method.class) {
                handed.read(universe, method, facts);
            }
        }
        handed
    }

    /// What callers may hand to the methods that a class inherits from the library.
    fn read_inherited(&mut self, universe: &Universe<'_>, class: ClassId) {
        let program = universe.program;
        let Some(class) = program.class(class) else { return };
        let above = program.ancestry(class).superclasses.iter();
        let above = above.filter(|&&it| keeps(universe, it)).filter_map(|&it| program.class(it));
        let methods = above.flat_map(|it| it.methods());
        for (_, method) in methods.filter(|(_, method)| !method.access_flags.is_private()) {
            let descriptor = program.names.bytes(method.descriptor);
            let Some(descriptor) = MethodDescriptor::parse(descriptor) else { continue };
            let parameters = descriptor.parameter_types(&program.names);
            let classes = parameters.into_iter().filter_map(|ty| class_of_type(universe, ty));
            self.types.extend(classes.filter(|&it| !is_object(universe, it)));
        }
    }

    fn read(&mut self, universe: &Universe<'_>, method: MethodId, facts: &Facts) {
        for event in &facts.events {
            match &event.what {
                What::Call(call) if keeps(universe, call.resolved.class) => {
                    let (receiver, rest) = call.arguments.split_at(usize::from(call.is_virtual));
                    // Of what it inherits from the library, an object is handed over by calling it.
                    let is_judged =
                        |it: &&Val| it.class.is_some_and(|class| !universe.is_platform(class));
                    let receiver = receiver.iter().flatten().filter(is_judged);
                    self.add_all(universe, receiver.chain(rest.iter().flatten()));
                }
                What::Spawn(spawn) => self.add_all(universe, spawn.arguments.iter().flatten()),
                What::Call(_)
                | What::Acquire(_)
                | What::Init(_)
                | What::Wait { .. }
                | What::Notify { .. }
                | What::Join(_) => {}
            }
        }
        let made = facts.creations.iter().filter(|it| universe.is_platform(it.class));
        self.add_all(universe, made.flat_map(|it| it.arguments.iter().flatten()));
        let stored = facts.stores.iter().filter(|it| universe.is_platform(it.field.class));
        self.add_all(universe, stored.filter_map(|it| it.value.as_ref()));
        if answers_library(universe, method) {
            let returned = facts.returned.and_then(|it| it.class);
            let class = returned.or_else(|| result_class(universe, method));
            self.types.extend(class.filter(|&it| !is_object(universe, it)));
        }
        // What lambdas return, the library may keep: of a constructor, the object.
        for target in facts.lambdas.iter().map(|lambda| lambda.target) {
            let is_constructor =
                universe.program.method(target).1.name == universe.program.known.init;
            let made = is_constructor.then_some(target.class);
            self.types.extend(made.or_else(|| result_class(universe, target)));
        }
    }

    fn add_all<'v>(&mut self, universe: &Universe<'_>, values: impl Iterator<Item = &'v Val>) {
        for value in values {
            match value.class.filter(|&class| !is_object(universe, class)) {
                Some(class) if value.exact => self.exact.insert(class),
                Some(class) => self.types.insert(class),
                None => std::mem::replace(&mut self.anything, true),
            };
        }
    }

    fn knows(&self, universe: &Universe<'_>, class: ClassId) -> bool {
        // Of a class below, the method may be inherited.
        let is_below = |&it: &ClassId| universe.program.is_subtype(it, class) != Some(false);
        let is_above = |&it: &ClassId| universe.program.is_subtype(class, it) != Some(false);
        self.exact.iter().any(is_below) || self.types.iter().any(|it| is_above(it) || is_below(it))
    }
}

/// Whether methods of the class may keep or call what they are handed: those of `Object` do neither.
fn keeps(universe: &Universe<'_>, class: ClassId) -> bool {
    universe.is_platform(class) && !is_object(universe, class)
}

fn is_object(universe: &Universe<'_>, class: ClassId) -> bool {
    universe.program.class_name(class) == universe.program.known.object
}

fn result_class(universe: &Universe<'_>, method: MethodId) -> Option<ClassId> {
    let names = &universe.program.names;
    let declared = universe.program.method(method).1;
    let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
    class_of_type(universe, descriptor.result_type(names)?)
}

/// Whether the library may call the method and use what it returns.
fn answers_library(universe: &Universe<'_>, method: MethodId) -> bool {
    let program = universe.program;
    let (class, declared) = program.method(method);
    let ancestry = program.ancestry(class);
    let above = ancestry.superclasses.iter().chain(&ancestry.interfaces);
    !declared.access_flags.is_static()
        && above
            .filter(|&&it| universe.is_platform(it))
            .filter_map(|&it| program.class(it))
            .any(|it| it.methods().any(|(_, other)| other.name == declared.name))
}
