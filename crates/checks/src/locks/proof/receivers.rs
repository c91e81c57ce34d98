//! What a call is made on: who may have written the class of the receiver, or what it holds.

use program::{ClassId, MethodId};

use super::calls::Search;
use super::hidden::called_name;
use super::library::can_be_overridden;
use crate::locks::context::Context;
use crate::locks::facts::{Call, Facts};
use crate::locks::link::classes_of;
use crate::locks::path::{Lock, Mode, Root, Step, Val};

impl Search<'_> {
    /// Whether the receiver may be an object of a class that is not the library's, whatever it is declared as.
    pub(super) fn is_on_own(&self, facts: &Facts, call: &Call) -> bool {
        let Context { universe, paths, fields, slice, .. } = self.context;
        let declared = call.arguments.first().copied().flatten().and_then(|it| it.class);
        let known = classes_of(universe, paths, fields, slice, facts, call).unwrap_or_default();
        declared.iter().chain(&known).any(|&it| !universe.is_platform(it))
    }

    /// The same, or of a class below one of the library's that somebody outside wrote.
    pub(super) fn is_on_open(&self, facts: &Facts, call: &Call) -> bool {
        let universe = self.context.universe;
        let is_open = |receiver: Val| {
            let class = receiver.class.unwrap_or(call.resolved.class);
            let is_known = receiver.exact || self.has_known_classes(facts, call);
            !is_known && universe.is_extensible(class) && !self.is_of_library(facts, receiver)
        };
        let receiver = call.arguments.first().copied().flatten();
        self.is_on_own(facts, call) || receiver.is_some_and(is_open)
    }

    /// Whether it is an object of the library that holds others.
    pub(super) fn is_holder(&self, object: Val) -> bool {
        let universe = self.context.universe;
        let is_one = |class: ClassId| universe.is_platform(class) && universe.is_container(class);
        let known =
            super::circles::classes(self.context, &Lock { val: object, mode: Mode::Monitor });
        known.into_iter().filter_map(|it| it.0).any(is_one)
    }

    /// Whether callers may have made the object, of a final class of the library, around one of their own: an
    /// `Optional`, a `URL` with its handler. What such an object is asked it may ask that.
    fn holds_what_callers_chose(&self, facts: &Facts, object: Val, class: ClassId) -> bool {
        let Context { universe, paths, fields, .. } = self.context;
        let is_final = universe.program.class(class).is_some_and(|it| it.access_flags.is_final());
        if !universe.is_platform(class) || !is_final || universe.is_plain(class) {
            return false;
        }
        let path = paths.of(object.path);
        let is_given = |field| fields.of(field).is_none_or(|it| it.is_given);
        match (path.root, path.last()) {
            (Root::Static(field), None) | (_, Some(Step::Field(field))) => is_given(field),
            (Root::Param(_), None) => true,
            (Root::Result(number), None) => {
                facts.call(number).is_none_or(|call| !universe.is_platform(call.resolved.class))
            }
            _ => false,
        }
    }

    /// Whether only known code decides which body runs for this receiver.
    pub(super) fn is_ours(&self, method: usize, facts: &Facts, call: &Call, receiver: Val) -> bool {
        let context = self.context;
        let universe = context.universe;
        let path = context.paths.of(receiver.path);
        let class = receiver.class.unwrap_or(call.resolved.class);
        if receiver.exact || self.has_known_classes(facts, call) {
            return true;
        }
        if !can_be_overridden(context, call.resolved) {
            return !self.holds_what_callers_chose(facts, receiver, class);
        }
        let lambda = match (path.root, path.steps()) {
            (Root::Alloc(maker, pc), []) if maker == context.slice.methods[method] => {
                facts.lambdas.iter().find(|it| it.pc == pc)
            }
            _ => None,
        };
        if lambda.is_some() {
            return true;
        }
        let Some(declared) = universe.program.class(class) else { return false };
        let is_final = declared.access_flags.is_final();
        if universe.is_platform(class) {
            return is_final || self.is_of_library(facts, receiver);
        }
        let is_abstract = universe.program.method(call.resolved).1.access_flags.is_abstract();
        let selected = universe.program.select_method(class, call.resolved).found();
        let has_body = selected.is_some_and(|it| universe.has_code(it));
        let is_open_outside = universe.is_exposed(class) && self.can_be_extended(class);
        call.targets.is_known() && (has_body || !is_abstract || !is_open_outside)
    }

    /// Whether code outside can extend the class, or one below it.
    pub(super) fn can_be_extended(&self, class: ClassId) -> bool {
        let universe = self.context.universe;
        let program = universe.program;
        let is_init = |it: &&program::Method| it.name == program.known.init;
        let opens =
            |it: &program::Method| it.access_flags.is_public() || it.access_flags.is_protected();
        let is_open = |class: &program::Class| {
            class.is_interface() || class.methods.iter().filter(is_init).any(opens)
        };
        let below = universe.world.subtypes(class).into_iter();
        below
            .filter(|&it| universe.is_accessible(it))
            .any(|it| program.class(it).is_none_or(is_open))
    }

    /// Whether the receiver is, or is a view of, what a field holds that has objects of known classes.
    pub(super) fn has_known_classes(&self, facts: &Facts, call: &Call) -> bool {
        let context = self.context;
        let program = context.universe.program;
        let known =
            classes_of(context.universe, context.paths, context.fields, context.slice, facts, call);
        // A view of what locks, locks.
        let is_fit = |&it: &ClassId| {
            program.is_subtype(it, call.resolved.class) == Some(true)
                || program.class(it).is_some_and(|it| !self.is_locking_library(it))
        };
        known.is_some_and(|it| it.iter().all(is_fit))
    }

    /// Whether the library itself made the object: a static field of it, or the result of a static method.
    pub(super) fn is_of_library(&self, facts: &Facts, object: Val) -> bool {
        let context = self.context;
        let path = context.paths.of(object.path);
        match (path.root, path.steps()) {
            (Root::Static(field), []) => {
                context.universe.is_platform(field.class)
                    && !(self.replaces_streams && self.is_of_system(field.class))
            }
            (Root::Class(_) | Root::Text(_), []) => true,
            (Root::Result(number), []) => facts.call(number).is_some_and(|call| {
                let class = object.class;
                let is_view = class.is_some_and(|it| context.universe.is_container(it));
                let given = call.arguments.iter().flatten();
                context.universe.is_platform(call.resolved.class)
                    && !call.is_virtual
                    && !is_view
                    && given.into_iter().all(|it| self.is_harmless_to_keep(facts, *it))
            }),
            _ => false,
        }
    }

    /// Whether what the library makes of the object calls nothing that may lock.
    fn is_harmless_to_keep(&self, facts: &Facts, object: Val) -> bool {
        let context = self.context;
        let lambda = match (context.paths.of(object.path).root, object.class) {
            (Root::Alloc(_, pc), _) => facts.lambdas.iter().find(|it| it.pc == pc),
            _ => None,
        };
        match lambda {
            Some(lambda) => context.slice.index(lambda.target).is_some_and(|it| self.quiet[it]),
            None => object.class.is_some_and(|it| {
                context.universe.is_platform(it) && context.universe.is_plain(it)
            }),
        }
    }

    fn is_of_system(&self, class: ClassId) -> bool {
        let program = self.context.universe.program;
        program.names.bytes(program.class_name(class)) == b"java/lang/System"
    }

    /// A method whose only purpose is that others override it: protected, in a class that they can extend.
    pub(super) fn hook(&self, call: &Call) -> Option<String> {
        let universe = self.context.universe;
        let is_hook = |id: &&MethodId| {
            let (class, method) = universe.program.method(**id);
            let flags = method.access_flags;
            call.is_virtual
                && flags.is_protected()
                && !flags.is_final()
                && !class.access_flags.is_final()
                && universe.is_exposed(class.id)
                && self.can_be_extended(class.id)
        };
        let hook = call.targets.methods.iter().find(is_hook)?;
        Some(called_name(self.context, *hook))
    }
}
