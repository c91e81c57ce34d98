//! What collections call beside their elements: the comparator that they were made with, and whatever stands behind
//! an iterator.

use program::{ClassId, FieldId, MethodId};

use super::calls::Search;
use crate::locks::path::{Root, Step, Val};
use crate::locks::values::class_of_descriptor;

/// Collections of collections are followed so far.
const DEPTH: usize = 3;

impl Search<'_> {
    /// Whether all that a field of this type ever holds was made with nothing that locks.
    pub(super) fn is_made_quiet(&self, field: FieldId, class: Option<ClassId>) -> bool {
        self.is_field_quiet(field, class, DEPTH)
    }

    fn is_field_quiet(&self, field: FieldId, class: Option<ClassId>, depth: usize) -> bool {
        if class.is_some_and(|it| !self.may_compare(it)) {
            return true;
        }
        let stored = self.context.fields.stored(field);
        let is_collection = class.is_some_and(|it| self.is_collection(it));
        is_collection
            && !stored.is_empty()
            && stored.iter().all(|&(maker, val)| self.is_plain(maker, val, depth))
    }

    /// Whether the value, as the method stores it, calls nothing but its elements.
    fn is_plain(&self, method: MethodId, val: Val, depth: usize) -> bool {
        let context = self.context;
        let (Some(index), Some(depth)) = (context.slice.index(method), depth.checked_sub(1)) else {
            return false;
        };
        let facts = &context.slice.facts[index];
        let is_fine = |it: &Val| {
            let is_container = it.class.is_none_or(|it| context.universe.is_container(it));
            if is_container {
                self.is_plain(method, *it, depth)
            } else {
                self.is_harmless(index, facts, *it)
            }
        };
        let path = context.paths.of(val.path);
        match (path.root, path.steps()) {
            (Root::Alloc(maker, pc), []) if maker == method => {
                facts.creation(pc).is_some_and(|made| {
                    !self.may_compare(made.class)
                        || made.arguments.iter().skip(1).flatten().all(is_fine)
                })
            }
            (Root::Result(number), []) => facts.call(number).is_some_and(|call| {
                context.universe.is_platform(call.resolved.class)
                    && call.arguments.iter().flatten().all(is_fine)
            }),
            (Root::Static(field), []) => self.is_field_quiet(field, val.class, depth),
            (_, [.., Step::Field(field)]) => self.is_field_quiet(*field, val.class, depth),
            _ => val.class.is_some_and(|it| !self.may_compare(it)),
        }
    }

    /// Whether it is an iterator or the like that a field holds: what is behind it was not followed there.
    pub(super) fn is_kept_iterator(&self, object: Val) -> bool {
        let universe = self.context.universe;
        let path = self.context.paths.of(object.path);
        let field = match (path.root, path.last()) {
            (Root::Static(field), None) | (_, Some(Step::Field(field))) => field,
            _ => return false,
        };
        let (_, declared) = universe.program.field(field);
        let descriptor = universe.program.names.bytes(declared.descriptor);
        class_of_descriptor(universe, descriptor).is_some_and(|it| {
            universe.is_platform(it) && universe.is_container(it) && !self.is_collection(it)
        })
    }

    /// Iterators, streams and the like compute what they give when they are asked.
    fn is_collection(&self, class: ClassId) -> bool {
        let program = self.context.universe.program;
        ["java/util/Collection", "java/util/Map"].into_iter().any(|name| {
            let above = program.find_class_text(name);
            above.is_some_and(|it| program.is_subtype(class, it) == Some(true))
        })
    }

    /// Whether the library has objects of the type that call something else than what is inside.
    fn may_compare(&self, class: ClassId) -> bool {
        let universe = self.context.universe;
        let program = universe.program;
        let compares = |class: &program::Class| {
            let methods = class.methods.iter();
            methods.into_iter().any(|it| {
                program.names.bytes(it.name) == b"comparator"
                    && program.names.bytes(it.descriptor) == b"()Ljava/util/Comparator;"
            })
        };
        let related = universe.world.subtypes(class);
        !self.is_collection(class)
            || related.into_iter().filter_map(|it| program.class(it)).any(compares)
    }
}
