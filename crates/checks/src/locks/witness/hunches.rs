//! Plans for what nothing speaks for but that it could not be excluded.

use super::{HangKind, HangPlan, HangRole, Spot, role_of, stop_at};
use crate::locks::context::{Context, is_lasting};
use crate::locks::cycles::Seat;
use crate::locks::names::class_name;
use crate::locks::path::{Root, Step};
use crate::locks::summary::Summary;

/// Which objects have to be one: those that each role wants and the next one holds, where fields that are set
/// once lead to both.
pub(crate) fn same_objects(
    context: &Context<'_>,
    summaries: &[Summary],
    roles: &[Seat],
) -> Vec<[Spot; 2]> {
    let spot = |role: usize, is_held: bool| {
        let pair = &summaries[roles[role].entry].pairs[roles[role].record];
        let lock = if is_held { &pair.held } else { &pair.wanted };
        let path = context.paths.of(lock.val.path);
        let Root::Param(parameter) = path.root else { return None };
        if pair.is_spawned || !is_lasting(context, lock.val.path) {
            return None;
        }
        let field = |step: &Step| match step {
            Step::Field(field) => {
                let (class, declared) = context.universe.program.field(*field);
                let name = context.universe.program.names.text(declared.name).into_owned();
                Some((class_name(context, class.id), name))
            }
            Step::Element
            | Step::Older
            | Step::Many(_)
            | Step::ReadLock
            | Step::WriteLock
            | Step::Condition => None,
        };
        let fields: Option<Vec<(String, String)>> = path.steps().iter().map(field).collect();
        Some(Spot { role, parameter, fields: fields? })
    };
    let meets = |role: usize| Some([spot(role, false)?, spot((role + 1) % roles.len(), true)?]);
    (0..roles.len()).filter_map(meets).collect()
}

/// The same with all roles called on one object, where the circle would allow several: what lies in an array
/// or a map of one object may be what two threads meet in.
pub(super) fn on_one_receiver(usual: &HangPlan) -> Option<HangPlan> {
    let receiver = |role: &HangRole| role.actors.iter().find(|it| it.0 == 0).map(|it| it.1);
    let receivers: Option<Vec<usize>> = usual.roles.iter().map(receiver).collect();
    let receivers = receivers?;
    let is_other = |it: &usize| receivers.contains(it) && *it != receivers[0];
    let is_alike = |it: &usize| usual.actors[*it] == usual.actors[receivers[0]];
    let is_elsewhere = |role: &HangRole| {
        role.actors.iter().any(|(parameter, actor)| *parameter > 0 && receivers.contains(actor))
    };
    let several = receivers.iter().any(is_other);
    if !several || !receivers.iter().all(is_alike) || usual.roles.iter().any(is_elsewhere) {
        return None;
    }
    let kept: Vec<usize> = (0..usual.actors.len()).filter(|it| !is_other(it)).collect();
    let number = |actor: usize| {
        let meant = if is_other(&actor) { receivers[0] } else { actor };
        kept.iter().position(|it| *it == meant)
    };
    let mut plan = usual.clone();
    plan.actors = kept.iter().map(|&it| usual.actors[it].clone()).collect();
    for role in &mut plan.roles {
        let actors = role.actors.iter();
        role.actors = actors.filter_map(|&(at, actor)| Some((at, number(actor)?))).collect();
    }
    Some(plan)
}

/// A plan in which each role calls a method, on one object where the class is the same, up to where it wants a
/// permit.
pub(crate) fn permit_plan(
    context: &Context<'_>,
    kind: HangKind,
    places: &[(usize, (usize, u16))],
) -> HangPlan {
    let program = context.universe.program;
    let mut actors: Vec<String> = Vec::new();
    let mut roles = Vec::new();
    for &(entry, (method, pc)) in places {
        let id = context.slice.methods[entry];
        let mut bound = Vec::new();
        if !program.method(id).1.access_flags.is_static() {
            let name = class_name(context, id.class);
            let known = actors.iter().position(|it| *it == name);
            bound.push((0, known.unwrap_or(actors.len())));
            if known.is_none() {
                actors.push(name);
            }
        }
        let stop = (kind == HangKind::Locks).then(|| stop_at(context, method, pc));
        roles.push(role_of(context, id, false, method, bound, stop));
    }
    HangPlan {
        kind,
        actors,
        subtypes: Vec::new(),
        numbers: Vec::new(),
        texts: Vec::new(),
        roles,
        same: Vec::new(),
        is_hunch: true,
        is_program: false,
        passed: None,
    }
}
