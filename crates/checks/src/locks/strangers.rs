//! Objects that the library cannot have: it calls back what it was handed, and nothing else.
//!
//! By its type, a call that the library makes on an object which it keeps could run any judged class. Where
//! no judged code hands an object of a class to the library, only a caller could, for reasons of his own:
//! nothing to expect, so such calls are not followed there. For a proof they stay open.

use std::sync::Arc;

use program::{ClassId, MethodDescriptor, MethodId};
use rustc_hash::FxHashSet;

use super::facts::{Call, Facts, What};
use super::path::{Paths, Root, Val};
use super::slice::Slice;
use super::universe::{Targets, Universe};
use super::values::class_of_type;

/// Leaves out, of the library's calls, the judged classes that it does not get to know.
pub(crate) fn drop_strangers(universe: &Universe<'_>, paths: &Paths, slice: &mut Slice) {
    if universe.is_all_judged() {
        return;
    }
    let handed = Handed::new(universe, slice);
    let methods = slice.methods.iter().zip(&mut slice.facts);
    for (_, facts) in methods.filter(|(method, _)| universe.is_platform(method.class)) {
        for event in &mut facts.events {
            let What::Call(call) = &mut event.what else { continue };
            if call.is_virtual && !is_on_receiver(paths, call) {
                leave_out(universe, &handed, call);
            }
        }
    }
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
