//! Which bodies calls run, once it is known what fields hold and calls return.
//!
//! Reading one body tells only declared types; most private fields and factories turn out to give
//! objects of a few very classes, and a call on those is no open call.

use std::sync::Arc;

use program::{ClassId, MethodId};
use rayon::prelude::*;

use super::facts::{Call, Facts, What};
use super::fields::{Fields, collect_fields};
use super::path::{Paths, Root, Step, Val};
use super::products::products;
use super::slice::Slice;
use super::universe::{Targets, Universe};

/// Finds what fields hold and what calls run then, and reads the bodies that only this tells of.
pub(crate) fn settle_calls(universe: &Universe<'_>, paths: &Paths, slice: &mut Slice) -> Fields {
    /// What is read may tell of more.
    const ROUNDS: usize = 3;
    let mut fields = collect_fields(universe, paths, slice);
    let mut is_narrower = narrow_calls(universe, paths, &fields, slice);
    for _ in 0..ROUNDS {
        let in_field = |val: &Val| {
            let Some(Step::Field(field)) = paths.of(val.path).last() else { return Vec::new() };
            fields.of(field).map(|it| it.classes.to_vec()).unwrap_or_default()
        };
        let handed = |call: &Call| {
            call.arguments.iter().skip(1).flatten().flat_map(in_field).collect::<Vec<_>>()
        };
        // What a call runs may tell of which class its result is.
        if universe.is_all_judged() || !slice.extend(universe, paths, handed) && !is_narrower {
            break;
        }
        fields = collect_fields(universe, paths, slice);
        is_narrower = narrow_calls(universe, paths, &fields, slice);
    }
    fields
}

/// Narrows the targets of calls on fields and results; whether there was one.
fn narrow_calls(
    universe: &Universe<'_>,
    paths: &Paths,
    fields: &Fields,
    slice: &mut Slice,
) -> bool {
    let narrowed: Vec<Vec<(usize, Arc<Targets>)>> = slice
        .facts
        .par_iter()
        .with_min_len(256)
        .map(|facts| {
            let mut found = Vec::new();
            for (index, event) in facts.events.iter().enumerate() {
                let What::Call(call) = &event.what else { continue };
                if !call.is_virtual || call.targets.methods.len() <= 1 && call.targets.is_known() {
                    continue;
                }
                if let Some(classes) = classes_of(universe, paths, fields, slice, facts, call) {
                    found.push((index, select(universe, call, &classes)));
                } else if let Some(classes) = likely_classes(universe, paths, fields, call) {
                    let known = Targets::clone(&select(universe, call, classes));
                    found.push((index, Arc::new(Targets { is_open: true, ..known })));
                }
            }
            found
        })
        .collect();
    let mut is_narrower = false;
    for (facts, narrowed) in slice.facts.iter_mut().zip(narrowed) {
        for (index, targets) in narrowed {
            if let What::Call(call) = &mut facts.events[index].what {
                is_narrower |= call.targets.methods != targets.methods;
                call.targets = targets;
            }
        }
    }
    is_narrower
}

fn select(universe: &Universe<'_>, call: &Call, classes: &[ClassId]) -> Arc<Targets> {
    let one = |&class: &ClassId| universe.program.select_method(class, call.resolved).found();
    let mut methods: Vec<MethodId> = classes.iter().filter_map(one).collect();
    methods.retain(|&method| universe.has_code(method));
    methods.sort_unstable();
    methods.dedup();
    Arc::new(Targets { methods: methods.into(), ..Targets::default() })
}

/// The classes that the judged code itself puts into a field of its own, where callers could put in others
/// that the library has: no reason to expect those, but for a proof the call stays open.
fn likely_classes<'a>(
    universe: &Universe<'_>,
    paths: &Paths,
    fields: &'a Fields,
    call: &Call,
) -> Option<&'a [ClassId]> {
    let receiver = call.arguments.first().copied().flatten()?;
    let path = paths.of(receiver.path);
    let field = match (path.last(), path.root) {
        (Some(Step::Field(field)), _) | (None, Root::Static(field)) => field,
        _ => return None,
    };
    let is_library = receiver.class.is_none_or(|it| universe.is_platform(it));
    let classes = &fields.of(field)?.likely;
    (is_library && universe.is_judged(field.class) && !classes.is_empty()).then_some(&**classes)
}

/// The very classes that the receiver can have, if they are known.
pub(crate) fn classes_of(
    universe: &Universe<'_>,
    paths: &Paths,
    fields: &Fields,
    slice: &Slice,
    facts: &Facts,
    call: &Call,
) -> Option<Vec<ClassId>> {
    let receiver = call.arguments.first().copied().flatten()?;
    let path = paths.of(receiver.path);
    let in_field = |field| {
        let classes = &fields.of(field)?.classes;
        (!classes.is_empty()).then(|| classes.to_vec())
    };
    match (path.last(), path.root) {
        (Some(Step::Field(field)), _) | (None, Root::Static(field)) => in_field(field),
        (None, Root::Result(number)) => {
            let is_lambda =
                |it: &ClassId| universe.program.class(*it).is_none_or(program::Class::is_interface);
            let classes: Vec<ClassId> = match returned_by(slice, facts, number) {
                Some(returned) if returned.exact => returned.class.into_iter().collect(),
                _ => {
                    let made = products(paths, slice, facts, receiver)?;
                    made.iter().map(|it| it.class).collect()
                }
            };
            (!classes.is_empty() && !classes.iter().any(is_lambda)).then_some(classes)
        }
        (
            Some(
                Step::Element
                | Step::Older
                | Step::Many(_)
                | Step::ReadLock
                | Step::WriteLock
                | Step::Condition,
            ),
            _,
        )
        | (
            None,
            Root::Param(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Alloc(..)
            | Root::Local(_)
            | Root::Unknown,
        ) => None,
    }
}

fn returned_by(slice: &Slice, facts: &Facts, number: u32) -> Option<Val> {
    let call = facts.call(number)?;
    let [target] = call.targets.methods[..] else { return None };
    slice.facts[slice.index(target)?].returned
}
