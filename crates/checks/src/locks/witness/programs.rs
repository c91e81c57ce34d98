//! Plans where nothing but `main` methods starts: one run of a program whose threads, the first included,
//! are held where each has its first lock. No object is built; what the program does not do is not tried.

use program::ClassId;

use super::{HangKind, HangPlan, HangRole, early_plan, places, plan, role_of, stop_at};
use crate::locks::context::Context;
use crate::locks::cycles::{Circle, Seat};
use crate::locks::path::Mode;
use crate::locks::summary::Summary;

pub(super) fn plans(
    context: &Context<'_>,
    summaries: &[Summary],
    circle: &Circle,
) -> Vec<HangPlan> {
    let pair = |seat: &Seat| &summaries[seat.entry].pairs[seat.record];
    let entries: Vec<usize> = circle.roles.iter().map(|it| it.entry).collect();
    let is_wait =
        circle.roles.iter().any(|it| matches!(pair(it).wanted.mode, Mode::Signal | Mode::Done));
    let kind = match circle.roles.len() {
        _ if is_wait => HangKind::Wait,
        1 => HangKind::Alone,
        _ => HangKind::Locks,
    };
    let usual = plan(context, summaries, &circle.roles, kind, super::Receivers::Shared);
    let mut found = vec![usual];
    if kind == HangKind::Locks {
        found.push(early_plan(context, summaries, &circle.roles, &found[0]));
    }
    for (role, seat) in circle.roles.iter().enumerate() {
        // Threads of a program are known by where they come by.
        let (stop, _) = places(summaries, *seat);
        for plan in &mut found {
            plan.roles[role].stop.get_or_insert_with(|| stop_at(context, stop.0, stop.1));
        }
    }
    let spawned: Vec<bool> = circle
        .roles
        .iter()
        .map(|seat| pair(seat).is_spawned || !context.is_main(seat.entry))
        .collect();
    let Some(main) = main_of(context, &entries) else { return Vec::new() };
    let mut found: Vec<HangPlan> =
        found.into_iter().map(|plan| run_by(context, plan, main, &spawned)).collect();
    // Threads with one body come to the same stop first.
    let several = (0..found[0].roles.len()).filter(|_| kind == HangKind::Locks);
    let passing = several.map(|role| HangPlan { passed: Some(role), ..found[0].clone() });
    found.extend(passing.collect::<Vec<_>>());
    found
}

/// The plan with its roles played by threads of a program that needs all of the classes.
pub(super) fn by_program(
    context: &Context<'_>,
    plan: HangPlan,
    classes: &[ClassId],
) -> Option<HangPlan> {
    let slice = context.slice;
    let initialisers =
        classes.iter().filter_map(|&it| slice.index(context.universe.initialiser(it)?));
    let main = main_of(context, &initialisers.collect::<Vec<_>>())?;
    let spawned = vec![true; plan.roles.len()];
    let has_stops = plan.roles.iter().all(|role| role.stop.is_some());
    has_stops.then(|| run_by(context, plan, main, &spawned))
}

/// The first `main` method that leads to all of the methods.
fn main_of(context: &Context<'_>, methods: &[usize]) -> Option<usize> {
    let programs = methods.iter().fold(u64::MAX, |all, &it| all & context.programs[it]);
    let is_start = |&it: &usize| context.entries[it] && context.is_main(it);
    (0..context.entries.len()).find(|it| is_start(it) && context.programs[*it] & programs != 0)
}

fn run_by(context: &Context<'_>, plan: HangPlan, main: usize, spawned: &[bool]) -> HangPlan {
    let id = context.slice.methods[main];
    let as_thread = |(role, &is_spawned): (&HangRole, &bool)| HangRole {
        wants: role.wants.clone(),
        ..role_of(context, id, is_spawned, main, Vec::new(), role.stop.clone())
    };
    // The first thread is the one that is started.
    let mut order: Vec<usize> = (0..plan.roles.len()).collect();
    order.sort_by_key(|&it| spawned[it]);
    let roles = order.iter().map(|&it| as_thread((&plan.roles[it], &spawned[it]))).collect();
    HangPlan {
        actors: Vec::new(),
        subtypes: Vec::new(),
        same: Vec::new(),
        roles,
        is_program: true,
        ..plan
    }
}
