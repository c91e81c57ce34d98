//! The call graph of the slice as components, callees first.

use super::facts::What;
use super::slice::Slice;

/// Strongly connected components of the methods that may reach a lock, callees before callers.
pub(crate) struct Components {
    pub order: Vec<Vec<usize>>,
    pub largest: usize,
}

pub(crate) fn order_components(slice: &Slice) -> Components {
    let callees = callees(slice);
    let reversed_all = callers(slice);
    let relevant = relevant(slice, &reversed_all);
    let order = tarjan(&callees, &relevant);
    let largest = order.iter().map(Vec::len).max().unwrap_or(0);
    Components { order, largest }
}

/// For each method what it may run, in its own thread or another, without duplicates.
pub(crate) fn callees(slice: &Slice) -> Vec<Vec<u32>> {
    let mut all = Vec::with_capacity(slice.facts.len());
    for facts in &slice.facts {
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
        all.push(found);
    }
    all
}

/// For each method those that may run it, through open calls as well.
pub(crate) fn callers(slice: &Slice) -> Vec<Vec<u32>> {
    let mut callers = reversed(&callees(slice));
    for (caller, facts) in slice.facts.iter().enumerate() {
        for event in &facts.events {
            if let What::Call(call) = &event.what {
                for target in call.targets.wide.iter().filter_map(|&it| slice.index(it)) {
                    callers[target].push(caller as u32);
                }
            }
        }
    }
    callers
}

fn reversed(callees: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); callees.len()];
    for (caller, callees) in callees.iter().enumerate() {
        for &callee in callees {
            callers[callee as usize].push(caller as u32);
        }
    }
    callers
}

/// Methods that take a lock, call back, or reach one that does.
fn relevant(slice: &Slice, callers: &[Vec<u32>]) -> Vec<bool> {
    let mut relevant: Vec<bool> = slice.facts.iter().map(|facts| !facts.sites.is_empty()).collect();
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
