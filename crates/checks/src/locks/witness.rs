//! A plan for each circle: which objects threads share, what each thread calls, and where it is to be
//! stopped. Who runs the plan builds the objects, as any caller could, and sees whether it hangs.
//!
//! Which parameters of the roles have to be one object follows from the circle itself. Deliberately not
//! here: how objects are made. A JVM tries that out better than anybody can foresee it.

mod hunches;
mod programs;

use program::ir::{Const, Op};
use program::{ClassId, Element, MethodDescriptor, MethodId, Type};

use super::context::Context;
use super::cycles::{Circle, Seat};
use super::feasible::{Role, bind};
use super::names::class_name;
use super::path::Mode;
use super::summary::{Source, Summary, Via};
use hunches::on_one_receiver;
pub(crate) use hunches::{permit_plan, same_objects};

/// Where a thread holds its first lock and is about to want the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// The binary name with dots: `p.C$D`.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub pc: u16,
    /// Behind the instruction that takes the first lock, instead of before what wants the next.
    pub is_after: bool,
}

/// What one thread does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HangRole {
    pub class: String,
    /// `<clinit>`: initialise the class.
    pub method: String,
    pub descriptor: String,
    /// Whether it is a thread that the called method starts.
    pub is_spawned: bool,
    /// The method that waits in the end: `p.C.m`.
    pub wants: String,
    /// Which actor a parameter is, the receiver of an instance method being 0.
    pub actors: Vec<(u16, usize)>,
    /// `None`: it waits as soon as it can.
    pub stop: Option<Stop>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HangKind {
    /// Each role holds a lock and wants that of the next.
    Locks,
    /// The same with the initialisation of classes.
    Init,
    /// The first role waits for a signal and holds what the others need; alone, it waits for a task that
    /// it keeps from going on.
    Wait,
    /// One thread waits for itself.
    Alone,
}

/// An object by the parameter of a role and the fields that lead from there: `p.C` and the field's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub role: usize,
    pub parameter: u16,
    pub fields: Vec<(String, String)>,
}

/// Threads that should wait for each other forever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HangPlan {
    pub kind: HangKind,
    /// The classes of objects that several roles share.
    pub actors: Vec<String>,
    /// Concrete classes below those that have no objects of their own.
    pub subtypes: Vec<(String, Vec<String>)>,
    /// What the called methods name, and may compare their arguments with.
    pub numbers: Vec<i64>,
    pub texts: Vec<String>,
    pub roles: Vec<HangRole>,
    /// What has to be one object before any thread starts; no other program can hang.
    pub same: Vec<[Spot; 2]>,
    /// Whether nothing speaks for it, so that a short search has to do.
    pub is_hunch: bool,
    /// Whether the roles are all played by one run of the method that the first calls: a program as its
    /// users start it.
    pub is_program: bool,
    /// Of a program: the role whose stop the thread that comes first passes, because it will play another.
    pub passed: Option<usize>,
}

/// What became of the plans for one deadlock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HangOutcome {
    /// All threads wait forever.
    Hung {
        /// The number of the plan.
        plan: usize,
        /// The program, for people.
        source: String,
        /// Whether every caller can do this, or only code in the same package.
        is_public: bool,
        seen: Vec<String>,
    },
    /// The program that came nearest, if any could be built.
    Finished {
        source: String,
        /// How many programs speak against the deadlock: all threads stood where they hold their first
        /// locks and went on, or kept each other from getting there.
        against: usize,
    },
    /// It could not be run.
    Failed(String),
}

/// Who can run plans: behind it is a JVM.
pub trait HangRunner {
    /// One outcome for each deadlock, whose plans are tried in order.
    fn run(&self, deadlocks: &[Vec<HangPlan>]) -> Vec<HangOutcome>;
}

/// Plans for a circle: with the easiest pair for each role, then with others.
pub(crate) fn plans(
    context: &Context<'_>,
    summaries: &[Summary],
    circle: &Circle,
) -> Vec<HangPlan> {
    const OTHERS: usize = 1;
    if context.universe.is_closed() {
        return programs::plans(context, summaries, circle);
    }
    let pair = |seat: &Seat| &summaries[seat.entry].pairs[seat.record];
    let waits = circle.roles.iter().any(|seat| pair(seat).wanted.mode == Mode::Signal);
    if waits {
        return wait_plans(context, summaries, circle.roles[0]);
    }
    let kind = if circle.roles.len() == 1 { HangKind::Alone } else { HangKind::Locks };
    let mut found = vec![plan(context, summaries, &circle.roles, kind, Receivers::Shared)];
    if kind == HangKind::Locks {
        found.extend(on_one_receiver(&found[0]));
        found.push(early_plan(context, summaries, &circle.roles, &found[0]));
        // What an object was made with may decide which lock comes first.
        let apart = plan(context, summaries, &circle.roles, kind, Receivers::Apart);
        if apart != found[0] {
            found.push(apart);
        }
    }
    for (role, others) in circle.alternatives.iter().enumerate() {
        for &other in others.iter().take(OTHERS) {
            let mut seats = circle.roles.clone();
            seats[role] = other;
            found.push(plan(context, summaries, &seats, kind, Receivers::Shared));
        }
    }
    found
}

/// The same, but each thread stops as soon as it has its first lock: for code that looks before it
/// waits.
fn early_plan(
    context: &Context<'_>,
    summaries: &[Summary],
    seats: &[Seat],
    usual: &HangPlan,
) -> HangPlan {
    let mut plan = usual.clone();
    for (role, seat) in plan.roles.iter_mut().zip(seats) {
        let (mut method, mut record) = (seat.entry, seat.record);
        while let Source::Lifted { callee, record: inner, .. } =
            summaries[method].pairs[record].source
        {
            (method, record) = (callee as usize, inner as usize);
        }
        if let Source::Own { held_pc, .. } = summaries[method].pairs[record].source {
            role.stop = Some(Stop { is_after: true, ..stop_at(context, method, held_pc) });
        }
    }
    plan
}

/// The waiter, and somebody who would wake it but needs what it holds.
fn wait_plans(context: &Context<'_>, summaries: &[Summary], waiter: Seat) -> Vec<HangPlan> {
    const WAKERS: usize = 2;
    let signal = summaries[waiter.entry].pairs[waiter.record].wanted;
    let wakes = |entry: &usize| {
        context.is_start(*entry)
            && context.universe.is_judged(context.slice.methods[*entry].class)
            && summaries[*entry].acquires.iter().any(|acquire| {
                acquire.lock.mode == Mode::Wake && context.may_be_one(&acquire.lock, &signal)
            })
    };
    let alone = plan(context, summaries, &[waiter], HangKind::Wait, Receivers::Shared);
    let wakers = (0..summaries.len()).filter(wakes).take(WAKERS);
    let with_waker = |entry: usize| {
        let mut plan = alone.clone();
        let id = context.slice.methods[entry];
        let mut role = role_of(context, id, false, entry, Vec::new(), None);
        // Both use the same object, where they can.
        let receiver = plan.roles[0].actors.first().copied();
        if let Some((0, actor)) = receiver
            && plan.actors[actor] == role.class
        {
            role.actors.push((0, actor));
        }
        plan.roles.push(role);
        plan
    };
    wakers.map(with_waker).collect()
}

/// Whether roles are called on one object where the circle does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receivers {
    Shared,
    Apart,
}

fn plan(
    context: &Context<'_>,
    summaries: &[Summary],
    seats: &[Seat],
    kind: HangKind,
    receivers: Receivers,
) -> HangPlan {
    let roles: Vec<Role<'_>> = seats
        .iter()
        .map(|seat| Role { entry: seat.entry, pair: &summaries[seat.entry].pairs[seat.record] })
        .collect();
    let bindings = bind(context, &roles);
    let mut objects: Vec<usize> = Vec::new();
    let mut actors: Vec<ClassId> = Vec::new();
    let mut built = Vec::new();
    for (thread, role) in roles.iter().enumerate() {
        let id = context.slice.methods[role.entry];
        let mut bound = Vec::new();
        let classes = super::context::parameter_classes(context.universe, id);
        for (parameter, declared) in classes.iter().enumerate() {
            let parameter = parameter as u16;
            let Some(object) = bindings.object(thread, parameter) else { continue };
            let class = context.universe.narrower(*declared, bindings.class(object));
            let Some(class) = class else { continue };
            let actor = objects.iter().position(|it| *it == object).unwrap_or_else(|| {
                objects.push(object);
                actors.push(class);
                actors.len() - 1
            });
            actors[actor] =
                context.universe.narrower(Some(actors[actor]), Some(class)).unwrap_or(class);
            bound.push((parameter, actor));
        }
        let (stop, wants) = places(summaries, seats[thread]);
        let stop = (kind == HangKind::Locks).then(|| stop_at(context, stop.0, stop.1));
        built.push(role_of(context, id, role.pair.is_spawned, wants, bound, stop));
    }
    for (thread, role) in roles.iter().enumerate() {
        let entry = context.slice.methods[role.entry];
        bind_receiver(context, entry, &mut built[thread], &mut actors, receivers);
    }
    let subtypes = subtypes(context, &actors, &roles);
    let actors = actors.iter().map(|&class| class_name(context, class)).collect();
    let (numbers, texts) = literals(context, &roles);
    HangPlan {
        kind,
        actors,
        subtypes,
        numbers,
        texts,
        roles: built,
        same: Vec::new(),
        is_hunch: false,
        is_program: false,
        passed: None,
    }
}

/// Numbers and texts in the bodies of the called methods that a caller would hardly pass by chance.
fn literals(context: &Context<'_>, roles: &[Role<'_>]) -> (Vec<i64>, Vec<String>) {
    const MANY: usize = 6;
    let program = context.universe.program;
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for role in roles {
        let Ok(Some(body)) = program.lower(context.slice.methods[role.entry]) else { continue };
        for instruction in &body.instructions {
            match instruction.op {
                Op::Const(Const::Int(number)) => numbers.push(i64::from(number)),
                Op::Const(Const::Long(number)) => numbers.push(number),
                Op::Const(Const::String(text)) => {
                    texts.push(program.names.text(program.literal(text)).into_owned());
                }
                _ => {}
            }
        }
    }
    let is_rare = |it: &i64| !(-1..=1).contains(it);
    let is_plain = |it: &char| it.is_ascii_alphanumeric() || " .:,;/_+-".contains(*it);
    numbers.retain(is_rare);
    texts.retain(|text| !text.is_empty() && text.chars().all(|it| is_plain(&it)));
    texts.sort();
    texts.dedup();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.truncate(MANY);
    texts.truncate(MANY);
    (numbers, texts)
}

/// Also where the circle does not say which object is called, it is one that the roles may share.
fn bind_receiver(
    context: &Context<'_>,
    entry: MethodId,
    role: &mut HangRole,
    actors: &mut Vec<ClassId>,
    receivers: Receivers,
) {
    let program = context.universe.program;
    let (class, declared) = program.method(entry);
    let is_bound = role.actors.iter().any(|(parameter, _)| *parameter == 0);
    if declared.access_flags.is_static() || declared.name == program.known.init || is_bound {
        return;
    }
    let fits = |&actor: &usize| {
        receivers == Receivers::Shared
            && program.is_subtype(actors[actor], class.id) == Some(true)
            && role.actors.iter().all(|(_, it)| *it != actor)
    };
    let actor = (0..actors.len()).find(fits).unwrap_or_else(|| {
        actors.push(class.id);
        actors.len() - 1
    });
    role.actors.push((0, actor));
}

fn role_of(
    context: &Context<'_>,
    id: MethodId,
    is_spawned: bool,
    wants: usize,
    actors: Vec<(u16, usize)>,
    stop: Option<Stop>,
) -> HangRole {
    let program = context.universe.program;
    let (class, declared) = program.method(id);
    HangRole {
        class: program.class_text(class.name),
        method: program.names.text(declared.name).into_owned(),
        descriptor: program.names.text(declared.descriptor).into_owned(),
        is_spawned,
        wants: simple_name(context, wants),
        actors,
        stop,
    }
}

/// A stack: methods and the pcs that they are at.
type Frames<'a> = &'a [(usize, u16)];

/// Plans in which each class is initialised by a thread of its own. The stacks lead from each
/// initialiser to what needs the next class; an empty one is a superclass. First each thread stops where
/// it is about to need the other class, then where its initialiser starts, whatever it will need.
pub(crate) fn init_plans(
    context: &Context<'_>,
    ends: [(ClassId, Vec<Frames<'_>>); 2],
) -> Vec<HangPlan> {
    let of_program =
        |plan: HangPlan| programs::by_program(context, plan, &ends.each_ref().map(|it| it.0));
    let role = |(class, stacks): &(ClassId, Vec<Frames<'_>>)| {
        let first = stacks.first().and_then(|stack| stack.first());
        let last = stacks.iter().rev().find_map(|stack| stack.last());
        let wants = last.map_or_else(String::new, |&(method, _)| simple_name(context, method));
        init_role(context, *class, wants, first.copied())
    };
    let early = |(class, _): &(ClassId, Vec<Frames<'_>>)| {
        let start = context.universe.initialiser(*class).and_then(|id| context.slice.index(id));
        init_role(context, *class, ANYTHING.to_owned(), start.map(|method| (method, 0)))
    };
    let of = |roles: Vec<HangRole>| HangPlan {
        kind: HangKind::Init,
        actors: Vec::new(),
        subtypes: Vec::new(),
        numbers: Vec::new(),
        texts: Vec::new(),
        roles,
        same: Vec::new(),
        is_hunch: false,
        is_program: false,
        passed: None,
    };
    let plans = vec![of(ends.iter().map(role).collect()), of(ends.iter().map(early).collect())];
    if context.universe.is_closed() {
        return plans.into_iter().filter_map(of_program).collect();
    }
    plans
}

/// A plan in which a class is initialised, whose initialiser waits for a task that needs the class.
pub(crate) fn init_wait_plan(context: &Context<'_>, class: ClassId) -> HangPlan {
    HangPlan {
        kind: HangKind::Wait,
        actors: Vec::new(),
        subtypes: Vec::new(),
        numbers: Vec::new(),
        texts: Vec::new(),
        roles: vec![init_role(context, class, ANYTHING.to_owned(), None)],
        same: Vec::new(),
        is_hunch: false,
        is_program: false,
        passed: None,
    }
}

/// Of a thread in an initialiser: it may wait in any method, as long as it is for a class.
const ANYTHING: &str = "*";

fn init_role(
    context: &Context<'_>,
    class: ClassId,
    wants: String,
    stop: Option<(usize, u16)>,
) -> HangRole {
    HangRole {
        class: class_name(context, class),
        method: "<clinit>".to_owned(),
        descriptor: "()V".to_owned(),
        is_spawned: false,
        wants,
        actors: Vec::new(),
        stop: stop.map(|(method, pc)| stop_at(context, method, pc)),
    }
}

/// `p.C.m`
fn simple_name(context: &Context<'_>, method: usize) -> String {
    let program = context.universe.program;
    let (class, declared) = program.method(context.slice.methods[method]);
    format!("{}.{}", program.class_text(class.name), program.names.text(declared.name))
}

fn stop_at(context: &Context<'_>, method: usize, pc: u16) -> Stop {
    let program = context.universe.program;
    let id = context.slice.methods[method];
    let (class, declared) = program.method(id);
    Stop {
        class: program.class_text(class.name),
        method: program.names.text(declared.name).into_owned(),
        descriptor: program.names.text(declared.descriptor).into_owned(),
        pc,
        is_after: false,
    }
}

/// Where the first lock is held and the second is about to be wanted, and which method wants it.
fn places(summaries: &[Summary], seat: Seat) -> ((usize, u16), usize) {
    let (mut method, mut record) = (seat.entry, seat.record);
    loop {
        match summaries[method].pairs[record].source {
            Source::Own { wanted, .. } => {
                return ((method, wanted.pc()), last(summaries, method, wanted));
            }
            Source::Lifted { callee, record: inner, .. } => {
                (method, record) = (callee as usize, inner as usize);
            }
            Source::Callback { callee, callback, target, record, .. } => {
                let (mut at, mut number) = (callee as usize, callback as usize);
                let target = target as usize;
                let via = summaries[target].acquires[record as usize].via;
                let wants = last(summaries, target, via);
                loop {
                    match summaries[at].callbacks[number].via {
                        Via::Own { pc } => return ((at, pc), wants),
                        Via::Call { callee, record, .. } => {
                            (at, number) = (callee as usize, record as usize);
                        }
                    }
                }
            }
        }
    }
}

fn last(summaries: &[Summary], mut method: usize, mut via: Via) -> usize {
    while let Via::Call { callee, record, .. } = via {
        method = callee as usize;
        via = summaries[method].acquires[record as usize].via;
    }
    method
}

/// For the classes that a program may have to make objects of and that have none of their own: the
/// classes below them. These are the actors and what their methods and the roles take and return.
fn subtypes(
    context: &Context<'_>,
    actors: &[ClassId],
    roles: &[Role<'_>],
) -> Vec<(String, Vec<String>)> {
    const BELOW: usize = 6;
    let universe = context.universe;
    let program = universe.program;
    let owners = roles.iter().map(|role| context.slice.methods[role.entry].class);
    let mut classes: Vec<ClassId> = actors.iter().copied().chain(owners).collect();
    for index in 0..classes.len() {
        let Some(class) = program.class(classes[index]).filter(|it| !universe.is_platform(it.id))
        else {
            continue;
        };
        for method in class.methods.iter() {
            let descriptor = MethodDescriptor::parse(program.names.bytes(method.descriptor));
            let Some(descriptor) = descriptor else { continue };
            let types: Vec<Type> = descriptor.parameter_types(&program.names);
            let named = types.iter().filter_map(|ty| match ty.element {
                Element::Class(name) => program.find_class(name),
                Element::Primitive(_) => None,
            });
            classes.extend(named);
        }
    }
    classes.sort_unstable();
    classes.dedup();
    let is_abstract =
        |id: ClassId| program.class(id).is_none_or(|it| it.access_flags.is_abstract());
    let mut found = Vec::new();
    for class in classes.into_iter().filter(|&it| is_abstract(it) && !universe.is_platform(it)) {
        let below = universe.world.subtypes(class);
        let concrete = below.iter().filter(|&&id| id != class && !is_abstract(id));
        let names: Vec<String> = concrete.take(BELOW).map(|&id| class_name(context, id)).collect();
        if !names.is_empty() {
            found.push((class_name(context, class), names));
        }
    }
    found
}
