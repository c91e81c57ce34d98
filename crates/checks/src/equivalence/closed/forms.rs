//! The values at the header of a loop as functions of the number of turns.

use std::ops::Range;

use program::Kind;
use rustc_hash::FxHashMap;
use smt::{Op, Sort};
use symex::symbolic::{ChangedField, Cut, Engine, Rewritten, SearchLoop, Space, Term};

use super::super::proof::Both;
use super::Closed;
use super::facts::{ending, say_of_turns};
use super::maps::{Map, Written};
use super::stuck::Stuck;

/// Values that depend on each other; more are not described together.
const MOST_TOGETHER: usize = 6;
/// Differences are taken inside choices up to this depth.
pub(super) const NESTING: u32 = 6;
/// Steps that may be those of an unrolled loop.
const MOST_UNROLLED: i64 = 8;

/// A loop and what became of it.
pub(super) struct Loop {
    /// Whether it is one of the old version.
    pub(super) is_first: bool,
    /// How often it has turned when it is left, as a long.
    pub(super) turns: Term,
    /// It is entered, and one turn goes on to the next: by the number of that turn.
    pub(super) reached: Term,
    pub(super) goes_on: Vec<Term>,
    /// The turn in which it is left goes on, which it does not.
    pub(super) goes_on_now: Term,
    pub(super) folds: Vec<Fold>,
    pub(super) stuck: Vec<Stuck>,
}

/// What a number of turns makes of the first values.
pub(super) struct Fold {
    name: String,
    entry: Vec<Term>,
    /// The values as one turn reads them, and its number.
    symbols: Vec<Term>,
    turn: Term,
    /// What one turn makes of them, and whether that is a reference.
    made: Vec<(Term, bool)>,
}

impl Fold {
    fn at(&self, space: &mut Space, number: usize, turn: Term) -> Term {
        let sort = space.terms.sort(self.symbols[number]);
        let mut arguments = self.entry.clone();
        arguments.push(turn);
        space.apply(&format!("{}, {number}", self.name), &arguments, sort)
    }

    /// What a turn before the last one makes of what those before it made.
    pub(super) fn unfolded(&self, space: &mut Space, turn: Term, last: Term) -> Term {
        let mut in_turn = FxHashMap::from_iter([(self.turn, turn)]);
        for (number, &symbol) in self.symbols.iter().enumerate() {
            let value = self.at(space, number, turn);
            in_turn.insert(symbol, value);
        }
        let one = space.terms.bitvec(64, 1);
        let next = space.terms.add(turn, one);
        let mut same = Vec::new();
        for (number, &(made, is_reference)) in self.made.iter().enumerate() {
            let made = space.terms.substitute(made, &in_turn, &mut FxHashMap::default());
            let mut after = self.at(space, number, next);
            if is_reference {
                after = space.input(after);
            }
            same.push(space.terms.eq(after, made));
        }
        let (before, same) = (space.terms.ult(turn, last), space.terms.and(&same));
        space.terms.implies(before, same)
    }

    /// Without a turn, the values are the first ones.
    fn started(&self, space: &mut Space, turns: Term) -> Term {
        let zero = space.terms.bitvec(64, 0);
        let mut same = Vec::new();
        for (number, &(_, is_reference)) in self.made.iter().enumerate() {
            let mut first = self.at(space, number, zero);
            if is_reference {
                first = space.input(first);
            }
            same.push(space.terms.eq(first, self.entry[number]));
        }
        let (at_first, same) = (space.terms.eq(turns, zero), space.terms.and(&same));
        space.terms.implies(at_first, same)
    }
}

/// A loop of one run as it was met.
pub(super) struct View {
    which: Which,
    pub(super) kinds: Vec<Kind>,
    entry: Vec<Term>,
    back: Vec<Term>,
    reached: Term,
    goes_on: Term,
    /// The symbols of the values at the header; of references, those of their places.
    pub(super) symbols: Vec<Option<Term>>,
}

/// Which terms say the same in every turn, by their numbers.
struct Fixed {
    /// Those made before any loop.
    before: usize,
    /// Those that this run made before the loop.
    own: Range<usize>,
}

impl Fixed {
    fn has(&self, term: Term) -> bool {
        term.index() < self.before || self.own.contains(&term.index())
    }
}

/// Puts closed forms in the place of what loops change.
pub(super) fn close_loops(both: &mut Both<'_>) -> Closed {
    let views = views(both);
    let space = &mut both.second.space;
    let closed = Closed::default();
    let mut closing =
        Closing { space, sums: Vec::new(), folds: Vec::new(), stuck: Vec::new(), closed };
    // Unrolled loops are told by the sums of others: a first pass finds those.
    for view in &views {
        closing.close(view);
    }
    closing.closed = Closed::default();
    let mut loops: Vec<Loop> = views.iter().map(|view| closing.close(view)).collect();
    closing.closed.endings = loops.iter().map(|it| ending(closing.space, it)).collect();
    let mut closed = closing.closed;
    loops.extend(searches(both, &views, &mut closed));
    say_of_turns(&mut both.second.space, &loops, &mut closed);
    closed
}

/// Searches of the platform outside the loops: they are loops, too, and always end.
fn searches(both: &mut Both<'_>, views: &[View], closed: &mut Closed) -> Vec<Loop> {
    let mut all = both.first.searches.clone();
    all.extend(both.second.searches.iter().filter(|it| !both.first.searches.contains(it)).cloned());
    let changing: Vec<Term> = views.iter().flat_map(|it| &it.symbols).copied().flatten().collect();
    let mut found = Vec::new();
    for (at, search) in all.into_iter().enumerate() {
        let engine = &mut both.second;
        let terms = &engine.space.terms;
        let cone = terms.cone(&search.arguments, &mut smt::Marks::new());
        if cone.iter().any(|part| changing.contains(part)) {
            continue;
        }
        let turns = engine.space.symbol(&format!("turns of search {at}"), Sort::BitVec(64));
        let SearchLoop { goes_on, answered } = engine.as_loop(&search, turns);
        closed.facts.push(answered);
        let (reached, goes_on_now) =
            (engine.space.terms.bool(true), engine.space.terms.and(&goes_on));
        let (folds, stuck) = (Vec::new(), Vec::new());
        found.push(Loop { is_first: false, turns, reached, goes_on, goes_on_now, folds, stuck });
    }
    found
}

fn views(both: &mut Both<'_>) -> Vec<View> {
    let first_cut = both.first.cuts.first().map_or(both.n_terms, |cut| cut.n_terms);
    let mut found = Vec::new();
    for at in 0..both.first.cuts.len() {
        let fixed = Fixed { before: 0, own: 0..both.first.cuts[at].n_terms };
        let cut = both.first.cuts[at].clone();
        let (rewritten, fields) =
            both.in_first(|engine| (engine.rewritten(at), engine.changed_fields(at)));
        let which = Which { is_first: true, cut: at, rewritten, fixed };
        found.extend(view(&cut, &fields, &mut both.second, which));
    }
    for at in 0..both.second.cuts.len() {
        let cut = both.second.cuts[at].clone();
        // What only the loops of the other run made is of some turn.
        let fixed = Fixed { before: first_cut, own: both.n_terms..cut.n_terms };
        let rewritten = both.second.rewritten(at);
        let fields = both.second.changed_fields(at);
        let which = Which { is_first: false, cut: at, rewritten, fixed };
        found.extend(view(&cut, &fields, &mut both.second, which));
    }
    found
}

/// Which loop it is, and what is known of its surroundings.
struct Which {
    is_first: bool,
    cut: usize,
    rewritten: Vec<Rewritten>,
    fixed: Fixed,
}

impl Which {
    fn turns_name(&self) -> String {
        let version = if self.is_first { "old" } else { "new" };
        format!("turns of {version} loop {}", self.cut)
    }
}

/// Fields that it changes are told like its parameters.
fn view(cut: &Cut, fields: &[ChangedField], engine: &mut Engine<'_>, which: Which) -> Option<View> {
    let back = cut.back.as_ref()?;
    let terms = &engine.space.terms;
    let symbol = |&value: &Term| match terms.op(value) {
        Op::Symbol(_) => Some(value),
        Op::ZeroExtend => Some(terms.args(value)[0]).filter(|&it| terms.as_symbol(it).is_some()),
        _ => None,
    };
    let mut symbols: Vec<Option<Term>> = cut.all.values.iter().map(symbol).collect();
    let (mut entry, mut values) = (cut.entry.values.clone(), back.values.clone());
    let mut kinds = cut.kinds.clone();
    for field in fields.iter().filter(|field| terms.as_symbol(field.all).is_some()) {
        symbols.push(Some(field.all));
        entry.push(field.entry);
        values.push(field.back);
        kinds.push(field.kind);
    }
    let reached = engine.guard(&cut.entry.state);
    let goes_on = engine.guard(&back.state);
    Some(View { which, kinds, entry, back: values, reached, goes_on, symbols })
}

pub(super) struct Closing<'a> {
    pub(super) space: &'a mut Space,
    /// What is added at an index, by the term about a common index and its sort.
    sums: Vec<(Term, Sort)>,
    /// Of the loop at hand.
    folds: Vec<Fold>,
    pub(super) stuck: Vec<Stuck>,
    closed: Closed,
}

impl Closing<'_> {
    fn known(&mut self, term: Term) -> Term {
        let forms = &self.closed.forms;
        self.space.terms.substitute(term, forms, &mut FxHashMap::default())
    }

    fn close(&mut self, view: &View) -> Loop {
        let turns = self.space.symbol(&view.which.turns_name(), Sort::BitVec(64));
        let entry: Vec<Term> = view.entry.iter().map(|&term| self.known(term)).collect();
        let back: Vec<Term> = view.back.iter().map(|&term| self.known(term)).collect();
        let (reached, goes_on) = (self.known(view.reached), self.known(view.goes_on));
        let mut values = Values { view, entry, back, steps: vec![None; view.kinds.len()], turns };
        for slot in 0..view.kinds.len() {
            values.steps[slot] = self.step(&values, slot);
        }
        let mut forms = FxHashMap::default();
        let mut late = Vec::new();
        for slot in 0..view.kinds.len() {
            let Some(symbol) = view.symbols[slot] else { continue };
            let form = self.stepped(&values, slot, turns);
            let form = form.or_else(|| self.set_at_times(&values, slot));
            let form = form.or_else(|| self.summed(&values, slot));
            if form.is_none() && self.is_from_others(&values, slot) {
                late.push((slot, symbol));
                continue;
            }
            let form = form.or_else(|| self.folded(&values, slot));
            if let Some(form) = form {
                forms.insert(symbol, form);
            }
        }
        let told = forms.clone();
        for (slot, symbol) in late {
            let form = self.turn_before(&values, slot, &told);
            let form = form.or_else(|| self.folded(&values, slot));
            if let Some(form) = form {
                forms.insert(symbol, form);
            }
        }
        let goes_on_now = self.space.terms.substitute(goes_on, &forms, &mut FxHashMap::default());
        let mut parts = smt_conjuncts(self.space, goes_on_now);
        parts.retain(|&part| self.is_of(part, view, &[turns]));
        for of in &view.which.rewritten {
            let map = self.map(view, of, turns, &forms);
            self.closed.maps.extend(map);
        }
        self.closed.forms.extend(forms);
        let folds = std::mem::take(&mut self.folds);
        let stuck = std::mem::take(&mut self.stuck);
        let is_first = view.which.is_first;
        Loop { is_first, turns, reached, goes_on: parts, goes_on_now, folds, stuck }
    }

    /// Whether a turn makes the value of others alone, whatever it was.
    fn is_from_others(&self, values: &Values<'_>, slot: usize) -> bool {
        let terms = &self.space.terms;
        let cone = terms.cone(&[values.back[slot]], &mut smt::Marks::new());
        values.view.symbols[slot].is_some_and(|symbol| !cone.contains(&symbol))
    }

    /// What the turn before made of others that are told already; before the first turn, the first value.
    fn turn_before(
        &mut self,
        values: &Values<'_>,
        slot: usize,
        told: &FxHashMap<Term, Term>,
    ) -> Option<Term> {
        let view = values.view;
        let known: Vec<Term> = told.keys().copied().collect();
        if !self.is_of(values.back[slot], view, &known) {
            return None;
        }
        let terms = &mut self.space.terms;
        let (zero, one) = (terms.bitvec(64, 0), terms.bitvec(64, 1));
        let before = FxHashMap::from_iter([(values.turns, terms.sub(values.turns, one))]);
        let made = terms.substitute(values.back[slot], told, &mut FxHashMap::default());
        let made = terms.substitute(made, &before, &mut FxHashMap::default());
        let at_first = terms.eq(values.turns, zero);
        let value = terms.ite(at_first, values.entry[slot], made);
        // Of a reference, the symbol is that of its place: objects of the run, which have none, are not here.
        Some(if view.kinds[slot] == Kind::Ref { terms.extract(30, 0, value) } else { value })
    }

    /// Arrays that the loop writes along an index.
    fn map(
        &mut self,
        view: &View,
        of: &Rewritten,
        turns: Term,
        forms: &FxHashMap<Term, Term>,
    ) -> Option<Map> {
        let mut writes = Vec::new();
        for write in &of.writes {
            let mut memo = FxHashMap::default();
            let [index, guard, value] = [write.index, write.guard, write.value].map(|term| {
                let term = self.known(term);
                self.space.terms.substitute(term, forms, &mut memo)
            });
            let key = write.key.map(|key| self.known(key));
            let terms = &mut self.space.terms;
            let zero = terms.bitvec(64, 0);
            let at_first = FxHashMap::from_iter([(turns, zero)]);
            let first = terms.substitute(index, &at_first, &mut FxHashMap::default());
            let (way, up) = (terms.sub(index, first), terms.extract(31, 0, turns));
            let down = terms.neg(up);
            let changing = [turns, of.symbol()];
            let is_known = (way == up || way == down)
                && self.is_of(first, view, &[])
                && key.is_none_or(|key| self.is_of(key, view, &[]))
                && [guard, value].into_iter().all(|it| self.is_of(it, view, &changing));
            if !is_known {
                return None;
            }
            writes.push(Written { key, first, is_up: way == up, guard, value });
        }
        let Which { is_first, cut, .. } = view.which;
        Some(Map { is_first, cut, of: of.clone(), turns, writes })
    }

    /// Whether a term says the same in every turn, but for these symbols.
    pub(super) fn is_of(&self, term: Term, view: &View, changing: &[Term]) -> bool {
        let terms = &self.space.terms;
        let cone = terms.cone(&[term], &mut smt::Marks::new());
        cone.into_iter().all(|part| match terms.op(part) {
            Op::Symbol(_) => view.which.fixed.has(part) || changing.contains(&part),
            // It may be an object of the run.
            Op::Const(word) => {
                terms.sort(part) != Sort::BitVec(32)
                    || (word as u32).checked_sub(1 << 31).is_none_or(|it| !self.is_object(it))
            }
            _ => true,
        })
    }

    fn is_object(&self, number: u32) -> bool {
        self.space.is_made(number)
    }

    /// What is added to a number in each turn, if that is always the same.
    fn step(&mut self, values: &Values<'_>, slot: usize) -> Option<Term> {
        let symbol = values.view.symbols[slot]?;
        let back = values.back[slot];
        match values.view.kinds[slot] {
            Kind::Int | Kind::Long => {
                let step = self.difference(back, symbol, NESTING);
                self.is_of(step, values.view, &[]).then_some(step)
            }
            Kind::Float | Kind::Double | Kind::Ref => None,
        }
    }

    /// `value - from`, inside choices.
    fn difference(&mut self, value: Term, from: Term, nesting: u32) -> Term {
        let terms = &mut self.space.terms;
        if nesting > 0 && terms.op(value) == Op::Ite {
            let &[condition, one, two] = terms.args(value) else { return value };
            let one = self.difference(one, from, nesting - 1);
            let two = self.difference(two, from, nesting - 1);
            return self.space.terms.ite(condition, one, two);
        }
        terms.sub(value, from)
    }

    /// A number that goes up by the same in each turn, in a turn.
    pub(super) fn stepped(&mut self, values: &Values<'_>, slot: usize, turn: Term) -> Option<Term> {
        let step = values.steps[slot]?;
        let terms = &mut self.space.terms;
        let turn = match terms.sort(step) {
            Sort::BitVec(64) => turn,
            _ => terms.extract(31, 0, turn),
        };
        let way = terms.mul(step, turn);
        Some(terms.add(values.entry[slot], way))
    }

    /// A number to which something is added that depends on an index alone.
    fn summed(&mut self, values: &Values<'_>, slot: usize) -> Option<Term> {
        let symbol = values.view.symbols[slot]?;
        let (Kind::Int | Kind::Long) = values.view.kinds[slot] else { return None };
        let added = self.difference(values.back[slot], symbol, NESTING);
        let (index, step) = (0..values.steps.len()).find_map(|index| {
            let symbol = values.view.symbols[index]?;
            let step = self.space.terms.as_const(values.steps[index]?)? as u32 as i32;
            let is_it = values.view.kinds[index] == Kind::Int
                && step != 0
                && self.is_of(added, values.view, &[symbol]);
            is_it.then_some((index, i64::from(step)))
        })?;
        let common = self.space.symbol("index of a sum", Sort::BitVec(32));
        let at_common = FxHashMap::from_iter([(values.view.symbols[index]?, common)]);
        let added = self.space.terms.substitute(added, &at_common, &mut FxHashMap::default());
        let of_one = self.of_one(added, common, step)?;
        let terms = &mut self.space.terms;
        let sort = terms.sort(of_one);
        let start = terms.sign_extend(values.entry[index], 64);
        let factor = terms.bitvec(64, step as u64);
        let way = terms.mul(factor, values.turns);
        let now = terms.add(start, way);
        let one = terms.bitvec(64, 1);
        let (low, high) =
            if step > 0 { (start, now) } else { (terms.add(now, one), terms.add(start, one)) };
        let name = format!("sum of {}", of_one.index());
        let upto = [high, low].map(|end| self.space.apply(&name, &[end], sort));
        let terms = &mut self.space.terms;
        let sum = terms.sub(upto[0], upto[1]);
        self.unfold_sum(&name, of_one, common, &[low, high]);
        Some(self.space.terms.add(values.entry[slot], sum))
    }

    /// What is added at one index, if so much is added with each step.
    fn of_one(&mut self, added: Term, common: Term, step: i64) -> Option<Term> {
        let sort = self.space.terms.sort(added);
        if step.abs() == 1 {
            if !self.sums.contains(&(added, sort)) {
                self.sums.push((added, sort));
            }
            return Some(added);
        }
        if step.abs() > MOST_UNROLLED {
            return None;
        }
        let known: Vec<Term> =
            self.sums.iter().filter(|it| it.1 == sort).map(|&(term, _)| term).collect();
        known.into_iter().find(|&one| {
            let terms = &mut self.space.terms;
            let mut sum = one;
            for further in 1..step.abs() {
                let by = terms.int((further * step.signum()) as i32);
                let place = terms.add(common, by);
                let map = FxHashMap::from_iter([(common, place)]);
                let there = terms.substitute(one, &map, &mut FxHashMap::default());
                sum = terms.add(sum, there);
            }
            sum == added
        })
    }

    /// The sum up to an index and the next one, at the ends.
    fn unfold_sum(&mut self, name: &str, added: Term, common: Term, ends: &[Term]) {
        for &end in ends {
            for from in [0, 1] {
                let terms = &mut self.space.terms;
                let sort = terms.sort(added);
                let by = terms.bitvec(64, from);
                let from = terms.sub(end, by);
                let one = terms.bitvec(64, 1);
                let to = terms.add(from, one);
                let place = terms.extract(31, 0, from);
                let map = FxHashMap::from_iter([(common, place)]);
                let there = terms.substitute(added, &map, &mut FxHashMap::default());
                let before = self.space.apply(name, &[from], sort);
                let after = self.space.apply(name, &[to], sort);
                let terms = &mut self.space.terms;
                let sum = terms.add(before, there);
                let fact = terms.eq(after, sum);
                self.closed.facts.push(fact);
            }
        }
    }

    /// What so many turns make of the first values: a function named by what one turn does.
    fn folded(&mut self, values: &Values<'_>, slot: usize) -> Option<Term> {
        let view = values.view;
        let mut together = vec![slot];
        let mut at = 0;
        while at < together.len() {
            let cone = self.space.terms.cone(&[values.back[together[at]]], &mut smt::Marks::new());
            for (other, symbol) in view.symbols.iter().enumerate() {
                let is_used = symbol.is_some_and(|symbol| cone.contains(&symbol));
                if is_used && values.steps[other].is_none() && !together.contains(&other) {
                    together.push(other);
                }
            }
            at += 1;
        }
        let symbols: Vec<Term> = view.symbols.iter().copied().flatten().collect();
        let is_closed = together.len() <= MOST_TOGETHER
            && together.iter().all(|&it| self.is_of(values.back[it], view, &symbols));
        if !is_closed {
            return None;
        }
        let turn = self.space.symbol("some turn", Sort::BitVec(64));
        let mut common = FxHashMap::default();
        for (number, &other) in together.iter().enumerate() {
            let symbol = view.symbols[other]?;
            let sort = self.space.terms.sort(symbol);
            let name = format!("folded {number} {sort:?}");
            common.insert(symbol, self.space.symbol(&name, sort));
        }
        for other in 0..view.kinds.len() {
            if let (Some(symbol), Some(form)) =
                (view.symbols[other], self.stepped(values, other, turn))
            {
                common.insert(symbol, form);
            }
        }
        let mut fold = Fold {
            name: "fold of".to_owned(),
            entry: together.iter().map(|&it| values.entry[it]).collect(),
            symbols: together.iter().filter_map(|&it| Some(common[&view.symbols[it]?])).collect(),
            turn,
            made: Vec::new(),
        };
        for &other in &together {
            let terms = &mut self.space.terms;
            let made = terms.substitute(values.back[other], &common, &mut FxHashMap::default());
            fold.name.push_str(&format!(" {}", made.index()));
            fold.made.push((made, view.kinds[other] == Kind::Ref));
        }
        let form = fold.at(self.space, 0, values.turns);
        let fact = fold.started(self.space, values.turns);
        self.closed.facts.push(fact);
        self.folds.push(fold);
        Some(form)
    }
}

/// The values of a loop, with what is known of earlier loops.
pub(super) struct Values<'v> {
    pub(super) view: &'v View,
    pub(super) entry: Vec<Term>,
    pub(super) back: Vec<Term>,
    /// What is added to each in every turn.
    steps: Vec<Option<Term>>,
    pub(super) turns: Term,
}

fn smt_conjuncts(space: &Space, term: Term) -> Vec<Term> {
    match space.terms.op(term) {
        Op::And => space.terms.args(term).to_vec(),
        _ => vec![term],
    }
}
