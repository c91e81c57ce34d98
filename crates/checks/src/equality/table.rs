//! Answers of pool objects to each other, asked once each.

use program::{MethodId, Program};
use rustc_hash::FxHashMap;
use symex::concrete::{Machine, Ref, Stop, Value};

use super::pool::Item;
use crate::witness::{Answer, answer};

/// What calls may still cost, over all pairs of one subject.
pub(super) struct Table<'m, 'p> {
    pub(super) machine: &'m mut Machine<'p>,
    pub(super) items: Vec<Item>,
    known: FxHashMap<(MethodId, usize, Option<usize>), Option<Answer>>,
    pub(super) instructions: u64,
    /// Calls whose answer the machine could not give, by reason.
    pub(super) gaps: std::collections::BTreeMap<String, u32>,
}

impl<'m, 'p> Table<'m, 'p> {
    pub(super) fn new(machine: &'m mut Machine<'p>, items: Vec<Item>, instructions: u64) -> Self {
        Table {
            machine,
            items,
            known: FxHashMap::default(),
            instructions,
            gaps: std::collections::BTreeMap::new(),
        }
    }

    pub(super) fn program(&self) -> &'p Program {
        self.machine.program
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// `x.method(y)`; no `y` means null. `None` where the machine cannot say or the budget is spent.
    pub(super) fn ask(&mut self, method: MethodId, x: usize, y: Option<usize>) -> Option<Answer> {
        if let Some(known) = self.known.get(&(method, x, y)) {
            return known.clone();
        }
        let argument = y.map_or(Value::Ref(Ref::NULL), |y| self.items[y].object);
        let arguments = [self.items[x].object, argument];
        let found = self.call(method, &arguments);
        self.known.insert((method, x, y), found.clone());
        found
    }

    /// `x.hashCode()`.
    pub(super) fn hash(&mut self, method: MethodId, x: usize) -> Option<Answer> {
        let key = (method, x, None);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let arguments = [self.items[x].object];
        let found = self.call(method, &arguments);
        self.known.insert(key, found.clone());
        found
    }

    /// `c.compare(x, y)` for a comparator that is no item.
    pub(super) fn compare(
        &mut self,
        method: MethodId,
        comparator: Value,
        x: usize,
        y: usize,
    ) -> Option<Answer> {
        let key = (method, x, Some(y));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let arguments = [comparator, self.items[x].object, self.items[y].object];
        let found = self.call(method, &arguments);
        self.known.insert(key, found.clone());
        found
    }

    /// Forgets the answers of another comparator.
    pub(super) fn forget(&mut self, method: MethodId) {
        self.known.retain(|&(known, ..), _| known != method);
    }

    fn call(&mut self, method: MethodId, arguments: &[Value]) -> Option<Answer> {
        if self.instructions == 0 {
            return None;
        }
        let program = self.machine.program;
        let descriptor = program.names.bytes(program.method(method).1.descriptor);
        let is_boolean = descriptor.ends_with(b"Z");
        let outcome = self.machine.call_virtual(method, arguments);
        self.instructions = self.instructions.saturating_sub(self.machine.spent().max(100));
        match answer(self.machine, outcome, is_boolean) {
            Ok(answer) => Some(answer),
            Err(Stop::Gap(reason)) => {
                *self.gaps.entry(reason).or_default() += 1;
                None
            }
            Err(Stop::Throw(_)) => None,
        }
    }
}
