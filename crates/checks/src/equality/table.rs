//! Answers of pool objects to each other, asked once each.

use std::collections::{BTreeMap, BTreeSet};

use program::{ClassId, MethodId, Program};
use rustc_hash::FxHashMap;
use symex::concrete::{Machine, Ref, Stop, Value};

use super::pool::Item;
use super::subjects::Subject;
use super::survey::Survey;
use crate::verdict::Need;
use crate::witness::{Answer, answer};

/// What calls may still cost, over all pairs of one subject.
pub(super) struct Table<'m, 'p> {
    pub(super) machine: &'m mut Machine<'p>,
    pub(super) items: Vec<Item>,
    known: FxHashMap<MethodId, Answers>,
    pub(super) instructions: u64,
    /// Calls whose answer the machine could not give, by reason.
    pub(super) gaps: std::collections::BTreeMap<String, u32>,
}

/// Objects, and what they answered.
pub(super) struct Asked {
    items: Vec<Item>,
    known: FxHashMap<MethodId, Answers>,
}

/// What a method said, by the first object, then by the second one plus one, with null or nothing in front;
/// none where it was not asked.
#[derive(Default)]
struct Answers(Vec<Vec<Option<Option<Answer>>>>);

impl Answers {
    fn cell(&mut self, x: usize, y: Option<usize>) -> &mut Option<Option<Answer>> {
        let rows = &mut self.0;
        if rows.len() <= x {
            rows.resize_with(x + 1, Vec::new);
        }
        let (row, place) = (&mut rows[x], y.map_or(0, |y| y + 1));
        if row.len() <= place {
            row.resize(place + 1, None);
        }
        &mut row[place]
    }
}

/// Keeps as many objects as can all be asked about each other. Of each class and each sort of unusual
/// values some stay.
pub(super) fn thin_out(table: &mut Table<'_, '_>, survey: &Survey<'_>, subject: &Subject) {
    const LEAST: usize = 40;
    let program = survey.program;
    let object = program.find_class(program.known.object).and_then(|id| program.class(id));
    let equals = object.and_then(|object| survey.contract.equals_of(program, object));
    let methods = [equals.filter(|_| subject.equals.is_some()), subject.compare_to];
    let cost = methods.into_iter().flatten().map(|method| table.cost(method)).max();
    let affordable = (table.instructions / (cost.unwrap_or(0) + 100)).isqrt() as usize;
    let limit = affordable.max(LEAST);
    if table.items.len() <= limit {
        return;
    }
    let (own, others): (Vec<usize>, Vec<usize>) =
        (0..table.items.len()).partition(|&at| table.items[at].class == subject.class);
    let n_others = others.len().min(limit / 4);
    let kept: BTreeSet<usize> = chosen(table, &own, limit - n_others)
        .into_iter()
        .chain(chosen(table, &others, n_others))
        .collect();
    let mut at = 0;
    table.items.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
}

/// So many of these objects: those that an extreme number is the only difference to, then each sort in
/// its turn, and of each sort some from everywhere.
fn chosen(table: &Table<'_, '_>, from: &[usize], limit: usize) -> Vec<usize> {
    let mut found = beside_extremes(table, from, limit / 3);
    let rest: Vec<usize> = from.iter().copied().filter(|at| !found.contains(at)).collect();
    found.extend(spread(table, &rest, limit - found.len()));
    found
}

/// What overflows shows between an extreme number and an ordinary one, all else equal.
fn beside_extremes(table: &Table<'_, '_>, from: &[usize], limit: usize) -> Vec<usize> {
    let is_extreme = |at: usize| table.items[at].needs.contains(&Need::Extreme);
    let (extreme, others): (Vec<usize>, Vec<usize>) =
        from.iter().copied().partition(|&at| is_extreme(at));
    let differ_in_one = |one: usize, two: usize| {
        table.items[one].recipe.differs_in_one_argument(&table.items[two].recipe)
    };
    let beside = others.into_iter().filter(|&at| extreme.iter().any(|&it| differ_in_one(at, it)));
    beside.take(limit).collect()
}

fn spread(table: &Table<'_, '_>, from: &[usize], limit: usize) -> Vec<usize> {
    let mut groups: BTreeMap<(ClassId, &BTreeSet<Need>), Vec<usize>> = BTreeMap::new();
    for &at in from {
        let item = &table.items[at];
        groups.entry((item.class, &item.needs)).or_default().push(at);
    }
    let mut left = limit;
    let mut found = Vec::new();
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    // Small groups first: what they leave is for the larger ones.
    groups.sort_by_key(Vec::len);
    for (at, group) in groups.iter().enumerate() {
        let share = (left / (groups.len() - at)).min(group.len());
        found.extend((0..share).map(|nth| group[nth * group.len() / share.max(1)]));
        left -= share;
    }
    found
}

impl<'m, 'p> Table<'m, 'p> {
    /// Instructions that a call on two neighbours takes.
    fn cost(&mut self, method: MethodId) -> u64 {
        const SAMPLES: usize = 8;
        let pairs = self.items.len().saturating_sub(1).min(SAMPLES);
        let mut total = 0;
        for at in 0..pairs {
            let arguments = [self.items[at].object, self.items[at + 1].object];
            // Only the effort is of interest, and not what initialisers take the first time.
            let _ = self.machine.call_virtual(method, &arguments);
            let _ = self.machine.call_virtual(method, &arguments);
            total += self.machine.spent();
        }
        total / pairs.max(1) as u64
    }

    pub(super) fn new(machine: &'m mut Machine<'p>, items: Vec<Item>, instructions: u64) -> Self {
        Table {
            machine,
            items,
            known: FxHashMap::default(),
            instructions,
            gaps: std::collections::BTreeMap::new(),
        }
    }

    /// Asks about these objects for now.
    pub(super) fn exchange(&mut self, items: Vec<Item>) -> Asked {
        let known = std::mem::take(&mut self.known);
        Asked { items: std::mem::replace(&mut self.items, items), known }
    }

    pub(super) fn restore(&mut self, before: Asked) {
        (self.items, self.known) = (before.items, before.known);
    }

    pub(super) fn program(&self) -> &'p Program {
        self.machine.program
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// `x.method(y)`; no `y` means null. `None` where the machine cannot say or the budget is spent.
    pub(super) fn ask(&mut self, method: MethodId, x: usize, y: Option<usize>) -> Option<Answer> {
        if let Some(known) = self.cell(method, x, y) {
            return known.clone();
        }
        let argument = y.map_or(Value::Ref(Ref::NULL), |y| self.items[y].object);
        let arguments = [self.items[x].object, argument];
        let found = self.call(method, &arguments);
        *self.cell(method, x, y) = Some(found.clone());
        found
    }

    fn cell(
        &mut self,
        method: MethodId,
        x: usize,
        y: Option<usize>,
    ) -> &mut Option<Option<Answer>> {
        self.known.entry(method).or_default().cell(x, y)
    }

    /// `x.hashCode()`.
    pub(super) fn hash(&mut self, method: MethodId, x: usize) -> Option<Answer> {
        if let Some(known) = self.cell(method, x, None) {
            return known.clone();
        }
        let arguments = [self.items[x].object];
        let found = self.call(method, &arguments);
        *self.cell(method, x, None) = Some(found.clone());
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
        if let Some(known) = self.cell(method, x, Some(y)) {
            return known.clone();
        }
        let arguments = [comparator, self.items[x].object, self.items[y].object];
        let found = self.call(method, &arguments);
        *self.cell(method, x, Some(y)) = Some(found.clone());
        found
    }

    /// Forgets the answers of another comparator.
    pub(super) fn forget(&mut self, method: MethodId) {
        self.known.remove(&method);
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
