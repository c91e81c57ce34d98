//! Whether threads can really be in the places that a circle needs, all at once.
//!
//! The circle says which wanted lock is which held one. From that follows what else must be one object:
//! fields that are set once and never shared lead back to their owners. The circle cannot happen if two
//! threads would then have to hold the same lock, if one would wait for what it has, or if an object
//! would have to be older than itself. Only certain equalities count here; whether locks *may* be the
//! same was decided before.

use program::ClassId;

use crate::cycle::NOT_SHOWN;

use super::context::Context;
use super::guards;
use super::names::lock_name;
use super::objects::Objects;
use super::path::{Lock, Mode, Root, Step, Val};
use super::summary::Pair;
use super::threads::is_one_thread;

/// One thread of a circle: where it starts, and the pair that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Role<'a> {
    /// Position of the entry method in the slice.
    pub entry: usize,
    pub pair: &'a Pair,
}

/// `None` if nothing speaks against the circle, in which each role wants what the next one holds.
pub(crate) fn refute(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    too_much_guessed(context, roles)
        .or_else(|| new_thread(context, roles))
        .or_else(|| one_thread(context, roles))
        .or_else(|| no_program(context, roles))
        .or_else(|| one_object(context, roles))
        .or_else(|| contradiction(context, roles, Belief::Seen))
}

/// Why the circle might be impossible though that was not shown: threads seem to keep to an order of
/// which it is open whether it puts every object before or after every other.
pub(crate) fn doubt(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    contradiction(context, roles, Belief::Hoped).or_else(|| one_source(context, roles))
}

/// Locks that all objects may well have from one place: nothing says that two objects have two.
fn one_source(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let field = |lock: &Lock| match context.paths.of(lock.val.path).last() {
        Some(Step::Field(field)) => Some(field),
        Some(
            Step::Element
            | Step::Older
            | Step::Many(_)
            | Step::ReadLock
            | Step::WriteLock
            | Step::Condition,
        )
        | None => None,
    };
    let first = roles.first().and_then(|role| field(&role.pair.held))?;
    let is_one = |role: &Role<'_>| {
        field(&role.pair.held) == Some(first) && field(&role.pair.wanted) == Some(first)
    };
    let is_shared = |(_, val): &(_, Val)| {
        let path = context.paths.of(val.path);
        matches!(path.root, Root::Static(_)) && !path.steps().is_empty()
    };
    let stored = context.fields.stored(first);
    let is_from_one = !stored.is_empty() && stored.iter().all(is_shared);
    (is_from_one && roles.iter().all(is_one)).then(|| {
        let name = super::names::field_name(context, first);
        format!("all objects may have {name} from one place")
    })
}

/// What is believed about the objects of a circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Belief {
    /// Only what is certain: for a proof.
    Proved,
    /// That a name means the same object for a while.
    Seen,
    /// Besides, that orders are total which look like it.
    Hoped,
}

/// Calls of which it is open what they run, and locks of which only the type is known, add up.
fn too_much_guessed(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let by_type = |lock: &Lock| match context.paths.of(lock.val.path).root {
        Root::Alloc(method, _) if context.runs_once(method) => 0,
        Root::Result(_) | Root::Local(_) | Root::Unknown | Root::Alloc(..) => 2,
        Root::Param(_) | Root::Static(_) | Root::Class(_) | Root::Text(_) => 0,
    };
    let one =
        |role: &Role<'_>| role.pair.doubt + by_type(&role.pair.held) + by_type(&role.pair.wanted);
    let doubt: u16 = roles.iter().map(one).sum();
    (doubt > context.universe.most_doubt())
        .then(|| format!("{NOT_SHOWN}too many calls on the way leave open what they run"))
}

/// Starting a thread locks it. Whoever makes it for that has hardly shown it to others before.
fn new_thread(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let program = context.universe.program;
    let thread = program.find_class_text("java/lang/Thread")?;
    let is_new = |role: &Role<'_>| {
        let wanted = role.pair.wanted;
        let path = context.paths.of(wanted.val.path);
        let is_thread =
            wanted.val.class.is_some_and(|it| program.is_subtype(it, thread) == Some(true));
        matches!(path.root, Root::Alloc(..)) && path.steps().is_empty() && is_thread
    };
    roles.iter().any(is_new).then(|| format!("{NOT_SHOWN}the thread is new when it is started"))
}

/// The thread that runs `main` is one, and so may others be.
pub(crate) fn one_thread(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let is_first = |role: &&Role<'_>| !role.pair.is_spawned && context.is_main(role.entry);
    if roles.iter().filter(is_first).count() > 1 {
        return Some("only the main thread runs this code".to_owned());
    }
    is_one_thread(context, roles).then(|| "only one thread runs this code".to_owned())
}

/// Threads of different programs do not meet.
pub(crate) fn no_program(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let runs = |role: &Role<'_>| context.programs.get(role.entry).copied().unwrap_or(u64::MAX);
    let all = roles.iter().fold(u64::MAX, |all, role| all & runs(role));
    (all == 0).then(|| "no main method starts all of it".to_owned())
}

/// Two locks of a class of which there is only one object.
pub(crate) fn one_object(context: &Context<'_>, roles: &[Role<'_>]) -> Option<String> {
    let classes: Vec<ClassId> = roles
        .iter()
        .filter(|role| context.paths.of(role.pair.held.val.path).steps().is_empty())
        .filter_map(|role| role.pair.held.val.class)
        .collect();
    let twice = |class: &&ClassId| classes.iter().filter(|it| it == class).count() > 1;
    let single = classes.iter().filter(twice).find(|&&class| context.is_single(class))?;
    Some(format!("there is only one {}", super::names::class_name(context, *single)))
}

/// Which parameters of the roles are one object, and how the objects hang together.
pub(crate) struct Bindings {
    /// Thread and parameter to object.
    parameters: Vec<((usize, u16), usize)>,
    classes: Vec<(usize, Option<ClassId>)>,
}

impl Bindings {
    pub(crate) fn object(&self, thread: usize, parameter: u16) -> Option<usize> {
        let found = self.parameters.iter().find(|(it, _)| *it == (thread, parameter));
        found.map(|&(_, object)| object)
    }

    pub(crate) fn class(&self, object: usize) -> Option<ClassId> {
        self.classes.iter().find(|(it, _)| *it == object).and_then(|&(_, class)| class)
    }
}

/// What the circle makes one object. Only equalities that the circle needs are here.
pub(crate) fn bind(context: &Context<'_>, roles: &[Role<'_>]) -> Bindings {
    let mut objects = Objects::new(context, false);
    let mut held = Vec::new();
    let mut wanted = Vec::new();
    let mut classes: Vec<(usize, Option<ClassId>)> = Vec::new();
    for (thread, role) in roles.iter().enumerate() {
        for (lock, terms) in [(&role.pair.held, &mut held), (&role.pair.wanted, &mut wanted)] {
            let term = objects.term(thread, context.paths.of(lock.val.path));
            classes.push((term, lock.val.class));
            terms.push(term);
        }
    }
    for (thread, &wanted) in wanted.iter().enumerate() {
        objects.unite(wanted, held[(thread + 1) % roles.len()]);
    }
    objects.close();
    let mut bindings = Bindings { parameters: Vec::new(), classes: Vec::new() };
    for (term, owner, path) in objects.all() {
        let object = objects.find(term);
        if let (Some(thread), Root::Param(index), true) =
            (owner, path.root, path.steps().is_empty())
        {
            bindings.parameters.push(((thread, index), object));
            let entry = context.slice.methods[roles[thread].entry];
            let declared = super::context::parameter_classes(context.universe, entry);
            let class = declared.get(usize::from(index)).copied().flatten();
            classes.push((term, class));
        }
    }
    for (term, class) in classes {
        let object = objects.find(term);
        match bindings.classes.iter_mut().find(|(it, _)| *it == object) {
            Some((_, known)) => *known = context.universe.narrower(*known, class),
            None => bindings.classes.push((object, class)),
        }
    }
    bindings
}

pub(crate) fn contradiction(
    context: &Context<'_>,
    roles: &[Role<'_>],
    belief: Belief,
) -> Option<String> {
    let mut objects = Objects::new(context, belief == Belief::Proved);
    let term = |objects: &mut Objects<'_>, thread: usize, lock: &Lock| {
        objects.term(thread, context.paths.of(lock.val.path))
    };
    let mut held: Vec<Vec<(usize, Lock)>> = Vec::new();
    let mut wanted = Vec::new();
    for (thread, role) in roles.iter().enumerate() {
        let locks = [role.pair.held].into_iter().chain(role.pair.gates.iter().copied());
        held.push(locks.map(|lock| (term(&mut objects, thread, &lock), lock)).collect());
        wanted.push(term(&mut objects, thread, &role.pair.wanted));
        if let Some(link) = role.pair.link {
            let ends = (held[thread][0].0, wanted[thread]);
            objects.link(thread, link, ends);
        }
        objects.order_made(thread, context.slice.methods[role.entry]);
    }
    let first_held: Vec<usize> = held.iter().map(|locks| locks[0].0).collect();
    let clauses = guards::clauses(&mut objects, roles, &first_held, &wanted, belief);
    for (thread, &wanted) in wanted.iter().enumerate() {
        objects.unite(wanted, first_held[(thread + 1) % roles.len()]);
    }
    objects.close();
    gate(context, &objects, &held)
        .or_else(|| {
            let role = |thread: usize| &roles[thread];
            held_already(context, &objects, role, &held, &wanted)
        })
        .or_else(|| objects.is_split().then(|| "the locks are different objects".to_owned()))
        .or_else(|| {
            objects
                .is_age_circular()
                .then(|| "one object owns the other, and never the other way round".to_owned())
        })
        .or_else(|| objects.ordered_by_chain())
        .or_else(|| guards::contradicting(&objects, &clauses, &first_held, belief))
}

/// Two threads would have to hold the same lock.
fn gate(
    context: &Context<'_>,
    objects: &Objects<'_>,
    held: &[Vec<(usize, Lock)>],
) -> Option<String> {
    for (a, locks_a) in held.iter().enumerate() {
        for locks_b in &held[a + 1..] {
            for (at_a, lock_a) in locks_a {
                let is_same = |(at_b, lock_b): &(usize, Lock)| {
                    objects.find(*at_a) == objects.find(*at_b) && exclude(lock_a.mode, lock_b.mode)
                };
                if locks_b.iter().any(is_same) {
                    return Some(format!("gate lock {}", lock_name(context, lock_a)));
                }
            }
        }
    }
    None
}

/// A thread would wait for what it has.
fn held_already<'a>(
    context: &Context<'_>,
    objects: &Objects<'_>,
    role: impl Fn(usize) -> &'a Role<'a>,
    held: &[Vec<(usize, Lock)>],
    wanted: &[usize],
) -> Option<String> {
    if held.len() < 2 {
        return None;
    }
    let waits_for_itself = |thread: &usize| {
        let pair = role(*thread).pair;
        let is_own = |(at, lock): &(usize, Lock)| {
            objects.find(*at) == objects.find(wanted[*thread])
                && (lock.mode.includes(pair.wanted.mode) || !pair.wanted.mode.is_lock())
        };
        pair.is_reentrant && held[*thread].iter().any(is_own)
    };
    let thread = (0..held.len()).find(waits_for_itself)?;
    let name = lock_name(context, &role(thread).pair.wanted);
    Some(format!("the thread holds {name} already"))
}

/// Whether two threads cannot hold the lock in these ways at once. The monitor of a `Lock` is another lock.
fn exclude(a: Mode, b: Mode) -> bool {
    match (a, b) {
        (Mode::Read, Mode::Read) => false,
        (Mode::Read | Mode::Write, Mode::Read | Mode::Write) => true,
        (a, b) => a == b,
    }
}

/// Whether wanting in one way waits for a holder in the other.
pub(crate) fn waits_for(wanted: Mode, held: Mode) -> bool {
    match (wanted, held) {
        (Mode::Monitor, Mode::Monitor)
        | (Mode::Exclusive, Mode::Exclusive)
        | (Mode::Init, Mode::Init)
        | (Mode::Read, Mode::Write)
        | (Mode::Write, Mode::Read | Mode::Write) => true,
        (
            Mode::Monitor
            | Mode::Exclusive
            | Mode::Init
            | Mode::Read
            | Mode::Write
            | Mode::Signal
            | Mode::Wake
            | Mode::Done,
            _,
        ) => false,
    }
}
