//! The call graph of the slice as components, callees first.

use program::{ClassId, MethodId, Name};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::facts::{Call, Event, Facts, LockSite, What};
use super::path::{Paths, Root};
use super::slice::Slice;
use super::universe::Universe;

/// Strongly connected components of the methods that may reach a lock, callees before callers.
pub(crate) struct Components {
    pub order: Vec<Vec<usize>>,
    pub largest: usize,
}

pub(crate) fn order_components(
    universe: &Universe<'_>,
    slice: &Slice,
    locking: &Locking,
) -> Components {
    let mut callees = callees(slice);
    let mut reversed_all = callers(slice, &callees);
    add_made(universe, slice, &mut callees, &mut reversed_all);
    let relevant = relevant(universe, slice, &reversed_all, locking);
    let order = tarjan(&callees, &relevant);
    let largest = order.iter().map(Vec::len).max().unwrap_or(0);
    Components { order, largest }
}

/// For each method what it may run, in its own thread or another, without duplicates.
pub(crate) fn callees(slice: &Slice) -> Vec<Vec<u32>> {
    let of_one = |facts: &Facts| {
        let mut found: Vec<u32> = Vec::new();
        let mut add = |method| found.extend(slice.index(method).map(|index| index as u32));
        for event in &facts.events {
            if let What::Call(call) = &event.what {
                call.targets.methods.iter().copied().for_each(&mut add);
                let receiver = call.arguments.first().copied().flatten();
                if let Some(class) = receiver.filter(|_| call.is_virtual).and_then(|it| it.class) {
                    for &(maker, position) in slice.lambdas_of(class) {
                        let lambdas = &slice.facts[maker as usize].lambdas;
                        add(lambdas[position as usize].target);
                    }
                }
            }
        }
        facts.lambdas.iter().for_each(|lambda| add(lambda.target));
        for creation in &facts.creations {
            add(creation.constructor);
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    slice.facts.par_iter().with_min_len(256).map(of_one).collect()
}

/// The same with those that make objects on which others run it.
pub(crate) fn runners(universe: &Universe<'_>, slice: &Slice) -> Vec<Vec<u32>> {
    let mut callers = callers(slice, &callees(slice));
    let mut callees = vec![Vec::new(); callers.len()];
    add_made(universe, slice, &mut callees, &mut callers);
    callers
}

/// Who makes an object that nobody outside can make answers for what others call on it.
fn add_made(
    universe: &Universe<'_>,
    slice: &Slice,
    callees: &mut [Vec<u32>],
    callers: &mut [Vec<u32>],
) {
    let program = universe.program;
    for (maker, facts) in slice.facts.iter().enumerate() {
        let made = facts.creations.iter().map(|it| it.class);
        for class in made.filter(|&it| !universe.is_exposed(it)) {
            let above = program.class(class).map(|it| &program.ancestry(it).superclasses[..]);
            let closed = above.unwrap_or(&[]).iter().filter(|it| !universe.is_exposed(**it));
            let closed = closed.filter_map(|&it| program.class(it));
            for (id, method) in closed.flat_map(|it| it.methods()) {
                let is_called = !method.access_flags.is_static()
                    && !method.access_flags.is_private()
                    && method.name != program.known.init;
                if let Some(callee) = slice.index(id).filter(|_| is_called) {
                    callees[maker].push(callee as u32);
                    callers[callee].push(maker as u32);
                }
            }
        }
    }
}

/// For each method those that may run it, through open calls as well.
pub(crate) fn callers(slice: &Slice, callees: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut callers = reversed(callees);
    for (caller, facts) in slice.facts.iter().enumerate() {
        for event in &facts.events {
            if let What::Call(call) = &event.what {
                let open = call.targets.wide.iter().chain(&call.targets.far);
                for target in open.filter_map(|&it| slice.index(it)) {
                    callers[target].push(caller as u32);
                }
            }
        }
    }
    callers
}

pub(crate) fn reversed(callees: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); callees.len()];
    for (caller, callees) in callees.iter().enumerate() {
        for &callee in callees {
            callers[callee as usize].push(caller as u32);
        }
    }
    callers
}

/// Methods, by name and descriptor, some body of which locks the object that it is called on or a part
/// of it: calls to others need not be remembered as callbacks.
pub(crate) struct Locking {
    signatures: FxHashSet<(Name, Name)>,
    /// Interfaces that lambdas implement.
    lambdas: FxHashSet<ClassId>,
}

impl Locking {
    pub(crate) fn new(universe: &Universe<'_>, paths: &Paths, slice: &Slice) -> Locking {
        let mut signatures = FxHashSet::default();
        let lambdas = slice.facts.iter().flat_map(|facts| &facts.lambdas);
        let lambdas = lambdas.map(|lambda| lambda.interface).collect();
        for (&method, facts) in slice.methods.iter().zip(&slice.facts) {
            let (_, declared) = universe.program.method(method);
            let locks_itself = |site: &LockSite| {
                site.locks.iter().any(|lock| paths.of(lock.val.path).root == Root::Param(0))
            };
            if !declared.access_flags.is_static() && facts.sites.iter().any(locks_itself) {
                signatures.insert((declared.name, declared.descriptor));
            }
        }
        Locking { signatures, lambdas }
    }

    /// Whether a lambda may be behind the interface.
    pub(crate) fn has_lambdas(&self, interface: ClassId) -> bool {
        self.lambdas.contains(&interface)
    }

    /// Whether some body that the call may run locks its receiver.
    pub(crate) fn may_lock(&self, universe: &Universe<'_>, resolved: MethodId) -> bool {
        let (_, declared) = universe.program.method(resolved);
        self.signatures.contains(&(declared.name, declared.descriptor))
    }
}

/// Methods that take a lock, wait, end waits or call back, or reach one that does.
fn relevant(
    universe: &Universe<'_>,
    slice: &Slice,
    callers: &[Vec<u32>],
    locking: &Locking,
) -> Vec<bool> {
    let has_lambdas = |call: &Call| {
        let receiver = call.arguments.first().copied().flatten();
        receiver.and_then(|it| it.class).is_some_and(|class| locking.has_lambdas(class))
    };
    let does = |event: &Event| match &event.what {
        What::Call(call) => {
            call.is_virtual
                && (!call.targets.is_known() && locking.may_lock(universe, call.resolved)
                    || has_lambdas(call))
        }
        What::Wait { .. } | What::Notify { .. } | What::Join(_) => true,
        What::Acquire(_) | What::Init(_) | What::Spawn(_) => false,
    };
    let matters = |facts: &Facts| !facts.sites.is_empty() || facts.events.iter().any(does);
    let mut relevant: Vec<bool> = slice.facts.iter().map(matters).collect();
    let mut queue: Vec<u32> =
        (0..relevant.len() as u32).filter(|&index| relevant[index as usize]).collect();
    while let Some(method) = queue.pop() {
        for &caller in &callers[method as usize] {
            if !std::mem::replace(&mut relevant[caller as usize], true) {
                queue.push(caller);
            }
        }
    }
    relevant
}

/// Tarjan's algorithm without recursion, in the order of positions.
fn tarjan(callees: &[Vec<u32>], relevant: &[bool]) -> Vec<Vec<usize>> {
    const NONE: u32 = u32::MAX;
    let mut number = vec![NONE; callees.len()];
    let mut low = vec![0; callees.len()];
    let mut on_stack = vec![false; callees.len()];
    let (mut next, mut stack, mut components) = (0, Vec::new(), Vec::new());
    for start in (0..callees.len()).filter(|&index| relevant[index]) {
        if number[start] != NONE {
            continue;
        }
        let mut work: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some(&mut (method, ref mut position)) = work.last_mut() {
            if *position == 0 {
                number[method] = next;
                low[method] = next;
                next += 1;
                stack.push(method);
                on_stack[method] = true;
            }
            let Some(&callee) = callees[method].get(*position) else {
                work.pop();
                if let Some(&(caller, _)) = work.last() {
                    low[caller] = low[caller].min(low[method]);
                }
                if low[method] == number[method] {
                    components.push(pop_component(&mut stack, &mut on_stack, method));
                }
                continue;
            };
            *position += 1;
            let callee = callee as usize;
            if !relevant[callee] {
                continue;
            }
            if number[callee] == NONE {
                work.push((callee, 0));
            } else if on_stack[callee] {
                low[method] = low[method].min(number[callee]);
            }
        }
    }
    components
}

fn pop_component(stack: &mut Vec<usize>, on_stack: &mut [bool], root: usize) -> Vec<usize> {
    let mut component = Vec::new();
    while let Some(method) = stack.pop() {
        on_stack[method] = false;
        component.push(method);
        if method == root {
            break;
        }
    }
    component.sort_unstable();
    component
}
