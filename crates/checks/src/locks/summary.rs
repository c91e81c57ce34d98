//! What calling a method may lock, in terms of its parameters, bottom-up over the call graph.
//!
//! For each method: the locks that it may wait for, and the pairs (held, wanted) that arise in it or
//! below. A pair is lifted to the callers while the method cannot be called from outside, because there
//! the callers decide which objects are meant; at a method that anybody can call it is final. Each
//! record says through which call it came, so that stacks can be told without storing them.
//!
//! Invariant: records of a method are only ever appended, so that their positions stay valid.

mod callbacks;
mod levels;
mod needs;
mod older;
mod orders;
mod own;
mod pairs;
mod pipelines;
mod records;
mod types;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::context::{Context, define, must_be_same};
use super::facts::{Call, Event, Facts, LambdaSite, What};
use super::order::{Object, Situation};
use super::path::{Lock, Mode, Path, PathId, Paths, Root, Step, Val};
use super::universe::Targets;
use super::values::extend;
use needs::Need;
pub(crate) use types::{Acquire, Callback, Link, Pair, Source, Summary, Via};
use types::{AcquireKey, PairKey};

/// How sure it is that a call runs a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Known {
        doubt: u16,
    },
    /// One of several of a package.
    Wide,
    /// One of very many.
    Far,
}

/// Limits on what is kept of one method.
mod limit {
    /// Open calls on the way there.
    pub(super) const WIDE: u16 = 2;
    /// For an open call that is followed at all.
    pub(super) const WIDE_DOUBT: u16 = 2;
    /// Fields between what is handed in and what an open call locks.
    pub(super) const WIDE_STEPS: usize = 2;
    pub(super) const ACQUIRES: usize = 300;
    pub(super) const PAIRS: usize = 600;
    pub(super) const CALLBACKS: usize = 24;
    /// Records that differ only in what else is held.
    pub(super) const VARIANTS: usize = 3;
    pub(super) const GUARDED: usize = 12;
    pub(super) const GATES: usize = 8;
}

/// One summary for each method of the slice; `order` has callees before callers. Stacks deeper than
/// the limit are not followed, so that a round changes only what a callee of the last round changed.
pub(crate) fn summarise(context: &Context<'_>, order: &[Vec<usize>]) -> Vec<Summary> {
    let mut summaries: Vec<Summary> = Vec::new();
    summaries.resize_with(context.slice.methods.len(), Summary::default);
    let mut is_due = vec![true; summaries.len()];
    let callers = super::graph::runners(context.universe, context.slice);
    let levels = levels::levels(order, &callers);
    for round in 1..=context.depth {
        let mut changed = false;
        for level in &levels {
            let due: Vec<usize> =
                level.iter().copied().filter(|&it| std::mem::take(&mut is_due[it])).collect();
            for (method, summary) in run_all(context, &summaries, &due) {
                let known = &summaries[method];
                let grew = known.acquires.len() != summary.acquires.len()
                    || known.pairs.len() != summary.pairs.len()
                    || known.callbacks.len() != summary.callbacks.len();
                let is_news = grew || summary.is_cut != known.is_cut;
                if is_news || summary.asks_kin != known.asks_kin {
                    summaries[method] = summary;
                }
                if grew {
                    summaries[method].is_cut |= round == context.depth;
                    changed = true;
                    for &caller in &callers[method] {
                        is_due[caller as usize] = true;
                    }
                }
            }
        }
        // Whom an open call may reach was perhaps looked at later.
        if round == 1 {
            for (due, summary) in is_due.iter_mut().zip(&summaries) {
                *due |= summary.asks_kin;
            }
        } else if !changed {
            break;
        }
    }
    summaries
}

/// The summaries of methods that do not ask for each other's.
fn run_all(
    context: &Context<'_>,
    summaries: &[Summary],
    methods: &[usize],
) -> Vec<(usize, Summary)> {
    /// Fewer are not worth another thread.
    const FEW: usize = 8;
    let run = |&method: &usize| {
        let mut frame = Frame::new(context, summaries, method);
        frame.run();
        (method, frame.summary)
    };
    if methods.len() <= FEW {
        methods.iter().map(run).collect()
    } else {
        methods.par_iter().with_min_len(FEW / 2).map(run).collect()
    }
}

/// A lock that is held since `pc`, and what the body calls the locked object.
#[derive(Debug, Clone, Copy)]
struct Holding {
    pc: u16,
    lock: Lock,
    object: Option<Object>,
}

struct Frame<'a> {
    context: &'a Context<'a>,
    summaries: &'a [Summary],
    method: usize,
    facts: &'a Facts,
    /// Of the event that is looked at, if there are several.
    situation: Option<&'a Situation>,
    /// Of the body that is looked at, if the class of a parameter decides that it runs.
    need: Option<Need>,
    summary: Summary,
    /// Positions of the records of a lock, by their keys, or of two.
    acquire_index: FxHashMap<AcquireKey, Vec<u32>>,
    pair_index: FxHashMap<PairKey, Vec<u32>>,
}

impl<'a> Frame<'a> {
    fn new(context: &'a Context<'a>, summaries: &'a [Summary], method: usize) -> Frame<'a> {
        let facts = &context.slice.facts[method];
        // Records of the last round stay where they are.
        let summary = summaries[method].clone();
        let mut acquire_index: FxHashMap<_, Vec<u32>> = FxHashMap::default();
        for (index, it) in summary.acquires.iter().enumerate() {
            acquire_index.entry(it.key()).or_default().push(index as u32);
        }
        let mut pair_index: FxHashMap<_, Vec<u32>> = FxHashMap::default();
        for (index, it) in summary.pairs.iter().enumerate() {
            pair_index.entry(it.key()).or_default().push(index as u32);
        }
        Frame {
            context,
            summaries,
            method,
            facts,
            situation: None,
            need: None,
            summary,
            acquire_index,
            pair_index,
        }
    }

    fn run(&mut self) {
        let facts = self.facts;
        for event in &facts.events {
            let situations = facts.situations.at(event.pc);
            if situations.is_empty() {
                self.event(event);
            }
            for situation in situations {
                self.situation = Some(situation);
                self.event(event);
            }
            self.situation = None;
        }
        for lambda in &facts.lambdas {
            self.spawn_lambda(lambda);
        }
        for creation in &facts.creations {
            self.spawn_object(creation.pc, creation.class, creation.arguments.first());
        }
    }

    fn event(&mut self, event: &'a Event) {
        match &event.what {
            What::Acquire(site) => self.acquire(event, *site),
            What::Call(call) => self.call(event, call),
            What::Wait { on, timed } => self.wait(event, *on, *timed),
            What::Notify { on } => self.notify(event, *on),
            What::Join(val) => self.join(event, *val),
            What::Init(_) | What::Spawn(_) => {}
        }
    }

    fn paths(&self) -> &'a Paths {
        self.context.paths
    }

    /// The value as far as this frame can tell.
    fn settle(&self, val: Val) -> Val {
        let path = self.paths().of(val.path);
        match path.root {
            Root::Result(number) => self.settle_result(number, path, val).unwrap_or(val),
            Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Alloc(..)
            | Root::Local(_)
            | Root::Unknown => Val { path: define(self.context, self.settle_own(val.path)), ..val },
        }
    }

    fn settle_result(&self, number: u32, path: Path, val: Val) -> Option<Val> {
        let call = self.facts.call(number)?;
        let [target] = call.targets.methods[..] else { return None };
        let callee = self.context.slice.index(target)?;
        let returned = self.context.slice.facts[callee].returned?;
        if self.paths().of(returned.path).is_local() {
            return None;
        }
        let start = self.substitute(returned, &call.arguments)?;
        let mut at = start.path;
        for &step in path.steps() {
            at = extend(self.paths(), at, step)?;
        }
        let class = if path.steps().is_empty() {
            self.context.universe.narrower(start.class, val.class)
        } else {
            val.class
        };
        let exact = path.steps().is_empty() && start.exact;
        Some(Val { path: define(self.context, at), class, exact })
    }

    /// A value of a callee in terms of this frame; `None` if it is null here.
    fn substitute(&self, val: Val, arguments: &[Option<Val>]) -> Option<Val> {
        let path = self.paths().of(val.path);
        let Root::Param(index) = path.root else { return Some(val) };
        let argument = self.settle_argument(*arguments.get(usize::from(index))?)?;
        let mut at = argument.path;
        let mut steps = path.steps();
        if let [Step::Field(field), rest @ ..] = steps
            && let Some(given) =
                self.constructed(at, *field).or_else(|| self.fixed_by_class(argument, *field))
        {
            at = given;
            steps = rest;
        }
        for &step in steps {
            at = match extend(self.paths(), at, step) {
                Some(at) => at,
                None => self.far_step(at, step)?,
            };
        }
        let narrowed = self.context.universe.narrower(argument.class, val.class);
        let (class, exact) = if path.steps().is_empty() {
            (narrowed, argument.exact)
        } else {
            (val.class, val.exact)
        };
        Some(Val { path: define(self.context, at), class, exact })
    }

    fn settle_argument(&self, argument: Option<Val>) -> Option<Val> {
        let argument = argument?;
        match self.paths().of(argument.path).root {
            Root::Result(_) => Some(self.settle(argument)),
            Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Alloc(..)
            | Root::Local(_)
            | Root::Unknown => Some(argument),
        }
    }

    /// What the constructor of an object made in this frame has put into a field.
    fn constructed(&self, object: PathId, field: program::FieldId) -> Option<PathId> {
        let path = self.paths().of(object);
        let Root::Alloc(method, pc) = path.root else { return None };
        if !path.steps().is_empty() || method != self.context.slice.methods[self.method] {
            return None;
        }
        let creation = self.facts.creation(pc)?;
        let constructor = self.context.slice.index(creation.constructor)?;
        let stores = &self.context.slice.facts[constructor].stores;
        let mut stored = stores.iter().filter(|store| store.field == field);
        let (Some(store), None) = (stored.next(), stored.next()) else { return None };
        let value = self.paths().of(store.value?.path);
        let Root::Param(index) = value.root else { return None };
        if !value.steps().is_empty() || !self.context.fields.is_stable(self.context.universe, field)
        {
            return None;
        }
        let given = (*creation.arguments.get(usize::from(index))?)?;
        Some(self.settle(given).path)
    }

    /// The lock as this frame knows it, if others can contend for it.
    fn contended(&self, lock: Lock) -> Option<Lock> {
        let lock = self.halve(Lock { val: self.settle(lock.val), ..lock });
        let path = self.paths().of(lock.val.path);
        let is_null = |step: &Step| match step {
            Step::Field(field) => self.context.is_never_set(*field),
            Step::Element
            | Step::Older
            | Step::Many(_)
            | Step::ReadLock
            | Step::WriteLock
            | Step::Condition => false,
        };
        if path.steps().iter().any(is_null) || self.is_of_other_class(lock.val) {
            return None;
        }
        match path.root {
            // What a new object refers to, others may know.
            Root::Alloc(method, pc)
                if method == self.context.slice.methods[self.method] && path.steps().is_empty() =>
            {
                (!self.context.is_kept(self.method, pc)).then_some(lock)
            }
            Root::Alloc(..)
            | Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown => Some(lock),
        }
    }

    /// A field that turned out to be the read or the write lock of another stands for that.
    fn halve(&self, lock: Lock) -> Lock {
        let path = self.paths().of(lock.val.path);
        let mode = match path.last() {
            Some(Step::ReadLock) => Mode::Read,
            Some(Step::WriteLock) => Mode::Write,
            Some(Step::Condition) => Mode::Exclusive,
            Some(Step::Field(_) | Step::Element | Step::Older | Step::Many(_)) | None => {
                return lock;
            }
        };
        match (lock.mode, path.base()) {
            (Mode::Exclusive, Some(base)) => {
                let val = Val { path: self.paths().intern(base), class: None, exact: false };
                Lock { val, mode }
            }
            _ => lock,
        }
    }

    fn locks_of(&self, sites: super::facts::SiteSet) -> Vec<Holding> {
        let mut found = Vec::new();
        for (number, site) in sites.iter().filter_map(|it| Some((it, self.facts.sites.get(it)?))) {
            let (locks, object) = self.meant(number, &site.locks);
            for lock in locks {
                let lock = self.contended(lock);
                found.extend(lock.map(|lock| Holding { pc: site.pc, lock, object }));
            }
        }
        found
    }

    fn must_hold(&self, event: &Event) -> Vec<Lock> {
        let mut locks = Vec::new();
        for number in event.held.must.iter() {
            if let Some(site) = self.facts.sites.get(number)
                && let [lock] = self.meant(number, &site.locks).0[..]
            {
                locks.extend(self.contended(lock));
            }
        }
        locks
    }

    /// Notes that `wanted` may be waited for at this event; the object is what the body calls it.
    fn want(&mut self, event: &Event, must: &[Lock], wanted: Acquire, object: Option<Object>) {
        let lock = wanted.lock;
        if wanted.is_regained {
            return self.regain(event, must, wanted);
        }
        if wanted.is_reentrant && must.iter().any(|held| self.is_same(held, &lock)) {
            return;
        }
        for holding in self.locks_of(event.held.may) {
            let held = holding.lock;
            let is_waited_on = lock.mode == Mode::Signal && held.val.path == lock.val.path;
            if wanted.is_reentrant && self.is_same(&held, &lock) || is_waited_on {
                continue;
            }
            // Not by two names only: the body says that it is one object.
            if wanted.is_reentrant && object.is_some() && object == holding.object {
                continue;
            }
            if lock.mode == Mode::Wake {
                break;
            }
            let is_kept = |it: &&Lock| lock.mode != Mode::Signal || it.val.path != lock.val.path;
            let others = must.iter().filter(|it| !self.is_same(it, &held)).filter(is_kept);
            let gates = others.chain(&wanted.gates).copied().collect();
            self.add_pair(Pair {
                held,
                wanted: lock,
                gates,
                guards: self.guards(holding.object, object),
                link: self.link(&held, &lock),
                source: Source::Own { held_pc: holding.pc, wanted: wanted.via },
                depth: wanted.depth,
                wide: wanted.wide,
                doubt: wanted.doubt,
                is_reentrant: wanted.is_reentrant,
                is_regained: false,
                needs: wanted.needs.clone(),
                is_spawned: false,
                started: None,
            });
        }
        let is_kept = |it: &&Lock| lock.mode != Mode::Signal || it.val.path != lock.val.path;
        let gates = must.iter().filter(is_kept).chain(&wanted.gates).copied().collect();
        self.add_acquire(Acquire { gates, ..wanted });
    }

    /// Whether two locks of this frame are certainly one object.
    fn is_same(&self, a: &Lock, b: &Lock) -> bool {
        must_be_same(self.context, a, b)
    }

    fn call(&mut self, event: &Event, call: &'a Call) {
        let must = self.must_hold(event);
        let is_partial = u16::from(!call.targets.is_known());
        let doubt = halvings(call.targets.methods.len()) + is_partial;
        let known = Certainty::Known { doubt };
        let arguments = self.arguments(call);
        let Targets { methods, wide, far, .. } = &*call.targets;
        let certain = methods.iter().map(|&it| (it, known));
        let wide = wide.iter().map(|&it| (it, Certainty::Wide));
        let far = far.iter().map(|&it| (it, Certainty::Far));
        for (target, certainty) in certain.chain(wide).chain(far) {
            self.need = self.chosen_by(call, target, doubt);
            self.call_target(event, &must, target, &arguments, certainty);
        }
        self.need = None;
        if call.is_virtual {
            self.run_pipeline(event, &must, call);
            self.call_lambdas(event, &must, call);
            self.note_callback(event, &must, call);
        }
    }

    fn lift_call(
        &mut self,
        event: &Event,
        must: &[Lock],
        callee: usize,
        arguments: &[Option<Val>],
        certainty: Certainty,
    ) {
        let summaries = self.summaries;
        match certainty {
            Certainty::Known { doubt } => {
                self.lift_acquires(event, must, callee, arguments, (0, doubt));
                // What the library does with two objects is the business of who hands them over.
                if !self.context.entries[callee] || !self.is_own(callee) {
                    self.lift_pairs(event.pc, must, callee, arguments, false, doubt);
                }
            }
            Certainty::Wide => {
                self.lift_acquires(event, must, callee, arguments, (1, limit::WIDE_DOUBT));
            }
            Certainty::Far => {}
        }
        for (number, callback) in summaries[callee].callbacks.iter().enumerate() {
            if callback.depth < self.context.depth {
                self.lift_callback(event, must, callee, number, callback, arguments);
            }
        }
    }

    /// The locks that a callee may wait for; through an open call only those that are handed over.
    fn lift_acquires(
        &mut self,
        event: &Event,
        must: &[Lock],
        callee: usize,
        arguments: &[Option<Val>],
        (wide, doubt): (u16, u16),
    ) {
        let summaries = self.summaries;
        let program = self.context.universe.program;
        let (_, called) = program.method(self.context.slice.methods[callee]);
        // Nobody else knows an object while its constructor runs.
        let is_constructor = called.name == program.known.init;
        for (record, acquire) in summaries[callee].acquires.iter().enumerate() {
            let Ok((needs, relief)) = self.lift_needs(&acquire.needs, arguments) else { continue };
            let doubt = (acquire.doubt + doubt).saturating_sub(relief);
            if (acquire.depth >= self.context.depth || doubt > self.context.universe.most_doubt())
                && self.is_own(callee)
            {
                self.note_cut(acquire.lock, arguments);
            }
            if acquire.depth >= self.context.depth
                || acquire.wide + wide > limit::WIDE
                || doubt > self.context.universe.most_doubt()
            {
                continue;
            }
            let is_handed_over =
                matches!(self.paths().of(acquire.lock.val.path).root, Root::Param(_));
            if wide > 0 && !is_handed_over {
                continue;
            }
            let Some(lock) = self.lift_lock(acquire.lock, arguments) else { continue };
            let own = self.paths().of(acquire.lock.val.path);
            if is_constructor
                && own.root == Root::Param(0)
                && self.context.is_own_part(own.steps())
                && matches!(self.paths().of(lock.val.path).root, Root::Alloc(..))
            {
                continue;
            }
            let wanted = Acquire {
                lock,
                gates: self.lift_gates(&acquire.gates, arguments),
                via: Via::Call { pc: event.pc, callee: callee as u32, record: record as u32 },
                depth: acquire.depth.saturating_add(1),
                wide: acquire.wide.saturating_add(wide),
                doubt,
                is_reentrant: acquire.is_reentrant,
                is_regained: acquire.is_regained,
                needs,
            };
            let object = self.handed_object(&acquire.lock);
            self.want(event, must, wanted, object);
        }
    }

    fn is_own(&self, method: usize) -> bool {
        !self.context.universe.is_platform(self.context.slice.methods[method].class)
    }

    fn lift_lock(&self, lock: Lock, arguments: &[Option<Val>]) -> Option<Lock> {
        let val = self.substitute(lock.val, arguments)?;
        self.contended(Lock { val, ..lock })
    }

    fn lift_gates(&self, gates: &[Lock], arguments: &[Option<Val>]) -> Vec<Lock> {
        gates.iter().filter_map(|&gate| self.lift_lock(gate, arguments)).collect()
    }
}

/// How often so many bodies must be halved until one is left.
fn halvings(n_bodies: usize) -> u16 {
    n_bodies.max(1).next_power_of_two().trailing_zeros() as u16
}

fn is_subset(a: &[Lock], b: &[Lock]) -> bool {
    a.iter().all(|lock| b.contains(lock))
}

/// The lambda's captured values, then the arguments of the interface method.
fn lambda_arguments(captured: &[Option<Val>], call: &[Option<Val>]) -> Vec<Option<Val>> {
    captured.iter().chain(call.iter().skip(1)).copied().collect()
}

/// A lock as callers can understand it.
fn globalise(paths: &Paths, lock: Lock) -> Lock {
    let path = paths.of(lock.val.path);
    if !path.is_local() {
        return lock;
    }
    let mut unknown = Path::new(Root::Unknown);
    for &step in path.steps() {
        unknown = unknown.then(step).unwrap_or(unknown);
    }
    Lock { val: Val { path: paths.intern(unknown), ..lock.val }, ..lock }
}
