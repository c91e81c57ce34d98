//! From the body of a method to its facts: which locks it takes where, what it calls with which locks
//! held, what it stores and what it lets others see.

mod balance;
mod call_sites;
mod events;
mod loops;
mod orders;
mod services;
mod spins;
mod tries;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use program::ir::{BlockId, Body, Instruction, InvokeKind, MethodRef, Op, Terminator, Value};
use program::{ClassId, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::escape::{escaping_allocations, hands_on_receiver};
use super::facts::{Event, Facts, Held, LockSite, SiteSet, What, merge};
use super::path::{Lock, Mode, Paths, Root, Val};
use super::primitives::Primitive;
use super::universe::{Targets, Universe};
use super::values::{Scene, Values, infer_values};

/// What calling a method changes about the locks of `java.util.concurrent` that a thread holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Net {
    pub held: Vec<Lock>,
    pub released: Vec<Lock>,
}

pub(crate) type Nets = FxHashMap<MethodId, Net>;

/// The facts of a method with code. A panic costs this method alone.
pub(crate) fn extract_facts(
    universe: &Universe<'_>,
    paths: &Paths,
    method: MethodId,
    nets: &Nets,
) -> Facts {
    let extract = AssertUnwindSafe(|| read_facts(universe, paths, method, nets));
    catch_unwind(extract).unwrap_or_else(|_| Facts {
        failure: Some("internal error in the analysis of this method".to_owned()),
        ..Facts::default()
    })
}

fn read_facts(universe: &Universe<'_>, paths: &Paths, method: MethodId, nets: &Nets) -> Facts {
    let body = match universe.program.lower(method) {
        Ok(Some(body)) => body,
        Ok(None) => return Facts::default(),
        Err(error) => return Facts { failure: Some(error.to_string()), ..Facts::default() },
    };
    let scene = Scene::new(universe, paths, method, &body);
    let values = infer_values(&scene);
    let mut extraction = Extraction {
        scene: &scene,
        values: &values,
        nets,
        facts: Facts::default(),
        origins: Vec::new(),
        receivers: Vec::new(),
        held_at: FxHashMap::default(),
        actions: FxHashMap::default(),
        initialised: FxHashSet::default(),
        tries: Vec::new(),
        handed_over: Vec::new(),
    };
    extraction.lock_method();
    extraction.find_sites();
    extraction.find_releases();
    let entered = extraction.flow_held();
    extraction.record_events(&entered);
    extraction.find_orders();
    if !universe.is_all_judged() {
        extraction.find_changes(&entered);
    }
    extraction.finish()
}

/// What an instruction does to the set of held locks.
#[derive(Debug, Clone, Default)]
struct Action {
    takes: Vec<usize>,
    /// Whether taking is also wanting: the lock may have to be waited for here.
    wants: bool,
    gives_back: Vec<usize>,
    /// What it takes and gives back itself.
    touches: Vec<usize>,
}

struct Extraction<'a> {
    scene: &'a Scene<'a>,
    values: &'a Values,
    nets: &'a Nets,
    facts: Facts,
    /// The value that each site locks, where it is an instruction on one.
    origins: Vec<Option<Value>>,
    /// The value whose lock each site takes, also where it is a call.
    receivers: Vec<Option<Value>>,
    /// What may be held before each instruction that locks or calls, by its number.
    held_at: FxHashMap<u32, SiteSet>,
    /// By number of the instruction.
    actions: FxHashMap<u32, Action>,
    /// Initialisations that are recorded.
    initialised: FxHashSet<(ClassId, Held)>,
    /// Results of calls that take a lock only if they return true, and the site.
    tries: Vec<(Value, usize)>,
    /// Sites that are calls which return with the lock held.
    handed_over: Vec<usize>,
}

impl Extraction<'_> {
    fn body(&self) -> &Body {
        self.scene.body
    }

    fn universe(&self) -> &Universe<'_> {
        self.scene.universe
    }

    /// The lock of a `synchronized` method is held from the first instruction to the last.
    fn lock_method(&mut self) {
        let universe = self.scene.universe;
        let (class, method) = universe.program.method(self.scene.method);
        if !method.access_flags.is_synchronized() {
            return;
        }
        let paths = self.scene.paths;
        let val = if method.access_flags.is_static() {
            let meta = self.universe().program.find_class_text("java/lang/Class");
            Val { path: paths.root(Root::Class(class.id)), class: meta, exact: true }
        } else {
            Val { path: paths.root(Root::Param(0)), class: Some(class.id), exact: false }
        };
        let site = self.add_site(vec![Lock { val, mode: Mode::Monitor }], 0, true, true, None);
        if !method.access_flags.is_static() {
            self.receivers[site] = self.body().parameters().next();
        }
        let event = Event { pc: 0, held: Held::default(), what: What::Acquire(0) };
        self.facts.events.push(event);
    }

    fn add_site(
        &mut self,
        locks: Vec<Lock>,
        pc: u16,
        blocks: bool,
        is_reentrant: bool,
        origin: Option<Value>,
    ) -> usize {
        self.facts.sites.push(LockSite {
            locks,
            pc,
            blocks,
            is_reentrant,
            is_passing: false,
            is_typed: true,
        });
        self.origins.push(origin);
        self.receivers.push(origin);
        self.facts.sites.len() - 1
    }

    fn for_each_instruction(&mut self, mut each: impl FnMut(&mut Self, u32, Instruction)) {
        let body = self.scene.body;
        for block in &body.blocks {
            let first = body.first_instruction(block);
            for (offset, instruction) in body.instructions_of(block).iter().enumerate() {
                each(self, first + offset as u32, *instruction);
            }
        }
    }

    fn find_sites(&mut self) {
        self.for_each_instruction(|this, number, instruction| match instruction.op {
            Op::MonitorEnter(value) => {
                let locks = this.monitors(value);
                let site = this.add_site(locks, instruction.pc, true, true, Some(value));
                let action = Action { takes: vec![site], wants: true, ..Action::default() };
                this.actions.insert(number, action);
            }
            Op::Invoke { kind, method, arguments } => {
                let arguments: Vec<Value> = this.body().list(arguments).to_vec();
                let before = this.facts.sites.len();
                this.find_call_sites(number, instruction.pc, kind, &method, &arguments);
                if let (Some(result), true) = (instruction.result, this.facts.sites.len() > before)
                {
                    this.tries.push((result, before));
                }
            }
            Op::Const(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::New(_)
            | Op::NewArray { .. }
            | Op::NewMultiArray { .. }
            | Op::ArrayLength(_)
            | Op::ArrayLoad { .. }
            | Op::ArrayStore { .. }
            | Op::GetStatic(_)
            | Op::PutStatic(..)
            | Op::GetField(..)
            | Op::PutField(..)
            | Op::InvokeDynamic { .. }
            | Op::CheckCast(..)
            | Op::InstanceOf(..)
            | Op::MonitorExit(_) => {}
        });
    }

    fn monitors(&self, value: Value) -> Vec<Lock> {
        let choices = self.values.choices(value);
        choices.into_iter().map(|val| Lock { val, mode: Mode::Monitor }).collect()
    }

    fn find_releases(&mut self) {
        self.for_each_instruction(|this, number, instruction| {
            let given_back = match instruction.op {
                Op::MonitorExit(value) => this.sites_of_monitor(value),
                Op::Invoke { kind, method, arguments } => {
                    let arguments: Vec<Value> = this.body().list(arguments).to_vec();
                    this.released_by_call(kind, &method, &arguments)
                }
                Op::Const(_)
                | Op::Unary(..)
                | Op::Binary(..)
                | Op::New(_)
                | Op::NewArray { .. }
                | Op::NewMultiArray { .. }
                | Op::ArrayLength(_)
                | Op::ArrayLoad { .. }
                | Op::ArrayStore { .. }
                | Op::GetStatic(_)
                | Op::PutStatic(..)
                | Op::GetField(..)
                | Op::PutField(..)
                | Op::InvokeDynamic { .. }
                | Op::CheckCast(..)
                | Op::InstanceOf(..)
                | Op::MonitorEnter(_) => Vec::new(),
            };
            if !given_back.is_empty() {
                this.actions.entry(number).or_default().gives_back = given_back;
            }
        });
    }

    fn sites_of_monitor(&self, value: Value) -> Vec<usize> {
        let same_value: Vec<usize> =
            (0..self.origins.len()).filter(|&site| self.origins[site] == Some(value)).collect();
        if !same_value.is_empty() {
            return same_value;
        }
        let locks = self.monitors(value);
        self.sites_of(&locks)
    }

    fn sites_of(&self, locks: &[Lock]) -> Vec<usize> {
        let is_one = |lock: &Lock| {
            locks.iter().any(|it| it.val.path == lock.val.path && it.mode == lock.mode)
        };
        let is_meant = |site: &usize| self.facts.sites[*site].locks.iter().any(is_one);
        (0..self.facts.sites.len()).filter(is_meant).collect()
    }

    fn released_by_call(
        &mut self,
        kind: InvokeKind,
        method: &MethodRef,
        arguments: &[Value],
    ) -> Vec<usize> {
        let receiver = arguments.first().copied().filter(|_| kind != InvokeKind::Static);
        let choices = receiver.map(|value| self.values.choices(value)).unwrap_or_default();
        let locks: Vec<Lock> = match self.primitive(method) {
            Some(Primitive::Unlock) => {
                choices.into_iter().map(|val| self.juc_lock(val, None)).collect()
            }
            Some(Primitive::Unstamp(mode)) => {
                let modes = mode.map_or(vec![Mode::Read, Mode::Write], |mode| vec![mode]);
                let of = |val: Val| modes.iter().map(move |&mode| Lock { val, mode });
                choices.into_iter().flat_map(of).collect()
            }
            Some(_) => return Vec::new(),
            None => match self.net_of(kind, method, arguments) {
                Some(net) => net.released,
                None => return Vec::new(),
            },
        };
        let sites = self.sites_of(&locks);
        if sites.is_empty() {
            for lock in locks {
                if !self.facts.left_released.contains(&lock) {
                    self.facts.left_released.push(lock);
                }
            }
        }
        sites
    }

    /// What is held when each block is entered; `None` for blocks that are not reached.
    fn flow_held(&mut self) -> Vec<Option<Held>> {
        let body = self.scene.body;
        let mut entered: Vec<Option<Held>> = vec![None; body.blocks.len()];
        let mut start = Held::default();
        let (_, method) = self.universe().program.method(self.scene.method);
        if method.access_flags.is_synchronized() {
            start.may.insert(0);
            start.must.insert(0);
        }
        if let Some(first) = entered.first_mut() {
            *first = Some(start);
        }
        if self.actions.is_empty() {
            entered.fill(Some(start));
            return entered;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for id in body.block_ids() {
                let Some(held) = entered[id.index()] else { continue };
                let (after, thrown) = self.run_block(id, held);
                let block = body.block(id);
                let failed = self.failed_try(block);
                let mut number = 0;
                body.for_each_successor(block, |edge| {
                    let mut held = after;
                    if let Some((branch, sites)) = &failed {
                        if *branch == number {
                            give_back(&mut held, sites);
                        } else if held.may.contains(sites[0]) {
                            held.must.insert(sites[0]);
                        }
                    }
                    number += 1;
                    changed |= merge(&mut entered[edge.target.index()], held);
                });
                for handler in body.handlers_of(block) {
                    for &held in &thrown {
                        changed |= merge(&mut entered[handler.edge.target.index()], held);
                    }
                }
            }
        }
        entered
    }

    /// What is held after the block, and what at each of its instructions that can throw.
    fn run_block(&self, id: BlockId, mut held: Held) -> (Held, Vec<Held>) {
        let body = self.scene.body;
        let block = body.block(id);
        let first = body.first_instruction(block);
        let mut thrown = Vec::new();
        for (offset, instruction) in body.instructions_of(block).iter().enumerate() {
            let action = self.actions.get(&(first + offset as u32));
            if self.may_throw(block, instruction) && thrown.last() != Some(&held) {
                // A failed unlock gives nothing back, but to believe so would keep locks forever.
                let mut at_throw = held;
                if let Some(action) = action {
                    give_back(&mut at_throw, &action.gives_back);
                }
                thrown.push(at_throw);
            }
            if let Some(action) = action {
                self.apply(&mut held, action);
            }
        }
        if matches!(block.terminator, Terminator::Throw(_)) && thrown.last() != Some(&held) {
            thrown.push(held);
        }
        (held, thrown)
    }

    fn apply(&self, held: &mut Held, action: &Action) {
        give_back(held, &action.gives_back);
        for &site in &action.takes {
            held.may.insert(site);
            // A try may have failed.
            if self.facts.sites[site].blocks || self.handed_over.contains(&site) {
                held.must.insert(site);
            }
        }
    }

    fn record_events(&mut self, entered: &[Option<Held>]) {
        let body = self.scene.body;
        let mut returned: Option<Option<Val>> = None;
        let mut returns: Vec<Val> = Vec::new();
        let mut at_return: Option<SiteSet> = None;
        let mut at_some_return: Option<(u16, SiteSet)> = None;
        let weighs = !self.universe().is_platform(self.scene.method.class)
            && !self.universe().is_all_judged()
            && !self.actions.is_empty();
        for id in body.block_ids() {
            let Some(mut held) = entered[id.index()] else { continue };
            let block = body.block(id);
            let first = body.first_instruction(block);
            for (offset, instruction) in body.instructions_of(block).iter().enumerate() {
                let number = first + offset as u32;
                self.record_instruction(number, instruction, held);
                if matches!(instruction.op, Op::MonitorEnter(_) | Op::Invoke { .. }) {
                    self.held_at.insert(number, held.may);
                }
                let action = self.actions.get(&number).cloned();
                if weighs {
                    self.weigh_instruction(block, instruction, held, action.as_ref());
                }
                if let Some(action) = action {
                    self.apply(&mut held, &action);
                }
            }
            if weighs && matches!(block.terminator, Terminator::Throw(_)) {
                self.weigh_throw(block.pc, block, held);
            }
            if let Terminator::Return(value) = block.terminator {
                let known = at_some_return.map_or(SiteSet::default(), |(_, sites)| sites);
                at_some_return = Some((block.pc, known.union(held.may)));
                at_return = Some(at_return.unwrap_or(SiteSet::all()).intersection(held.must));
                let val = value.and_then(|value| self.values.of(value));
                let choices = value.map(|value| self.values.choices(value)).unwrap_or_default();
                returns.extend(choices);
                returned = Some(match returned {
                    None => val,
                    Some(known) if known.map(|it| it.path) == val.map(|it| it.path) => known,
                    Some(_) => None,
                });
            }
        }
        if weighs && let (Some(always), Some((pc, ever))) = (at_return, at_some_return) {
            self.weigh_returns(pc, always, ever);
        }
        self.weigh_releases();
        self.facts.returned = returned.flatten();
        self.facts.returns = Val::few(returns);
        for site in at_return.unwrap_or_default().iter() {
            if let Some(LockSite { locks, .. }) = self.facts.sites.get(site)
                && let [lock] = locks[..]
                && lock.mode != Mode::Monitor
            {
                self.facts.left_held.push(lock);
            }
        }
    }

    fn targets(
        &self,
        kind: InvokeKind,
        method: &MethodRef,
        arguments: &[Value],
    ) -> Option<(MethodId, Arc<Targets>)> {
        let universe = self.universe();
        let program = universe.program;
        let resolved = self.scene.resolve(method).0?;
        let targets = match kind {
            InvokeKind::Static | InvokeKind::Special => universe.only(Some(resolved)),
            InvokeKind::Virtual | InvokeKind::Interface => {
                let declared = universe.class(method.class);
                let receiver = arguments.first().and_then(|&value| self.values.of(value));
                let class = match receiver {
                    Some(receiver) if receiver.exact && receiver.class.is_some() => receiver.class,
                    Some(receiver) => universe.narrower(declared, receiver.class),
                    None => declared,
                };
                let class = class.unwrap_or(resolved.class);
                let is_lambda = program.class(class).is_some_and(program::Class::is_interface);
                let exact = receiver.is_some_and(|receiver| receiver.exact) && !is_lambda;
                universe.targets(class, exact, resolved)
            }
        };
        Some((resolved, targets))
    }

    fn finish(mut self) -> Facts {
        self.facts.escaping = escaping_allocations(self.scene.body);
        self.facts.hands_on_receiver =
            hands_on_receiver(self.scene.body, |field| self.scene.is_hidden(field));
        let pcs = self.facts.events.iter().map(|event| event.pc);
        let mut pcs: Vec<u16> = pcs.chain(self.facts.lambdas.iter().map(|it| it.pc)).collect();
        pcs.extend(self.facts.creations.iter().map(|it| it.pc));
        pcs.extend(self.facts.unbalanced.iter().map(|it| it.0));
        pcs.sort_unstable();
        pcs.dedup();
        if !pcs.is_empty() {
            let lines = self.scene.universe.program.lines(self.scene.method);
            let known = pcs.into_iter().filter_map(|pc| Some((pc, lines.at(pc)?)));
            self.facts.lines = known.collect();
        }
        self.facts
    }
}

fn give_back(held: &mut Held, sites: &[usize]) {
    for &site in sites {
        held.may.remove(site);
        held.must.remove(site);
    }
}
