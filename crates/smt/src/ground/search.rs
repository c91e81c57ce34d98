//! Clauses decided case by case, with what went wrong learned as a clause, over a congruence closure that
//! says which cases cannot be.

use super::closure::{Clash, Closure, FALSE, Node, TRUE};
use super::{Lit, Var};

/// Wrong turns after which the question is left to others, and unions of classes.
const MOST_CONFLICTS: usize = 2_000;
const MOST_WORK: u64 = 400_000;
/// Conflicts after which variables are sorted anew.
const SORTED: usize = 4;
/// By how much newer conflicts count more.
const GROWTH: f64 = 1.05;

pub(super) enum Found {
    Unsat,
    /// Every clause is true; the closure holds what is equal.
    Consistent,
    TooMuch,
}

/// Why a variable has its value.
#[derive(Clone, Copy)]
enum Why {
    Chosen,
    Clause(usize),
    /// The closure found out.
    Equal,
}

pub(super) struct Search {
    pub(super) closure: Closure,
    clauses: Vec<Vec<Lit>>,
    /// Clauses to look at when a literal becomes false.
    watches: Vec<Vec<usize>>,
    values: Vec<Option<bool>>,
    levels: Vec<usize>,
    whys: Vec<Why>,
    trail: Vec<Lit>,
    /// Where each level starts, in the trail and in the closure's log.
    starts: Vec<(usize, usize)>,
    n_propagated: usize,
    n_told: usize,
    activity: Vec<f64>,
    bump: f64,
    /// The variables, those that were in the way most often first when they were last sorted.
    queue: Vec<Var>,
    sorted_at: usize,
    n_chosen: usize,
    n_conflicts: usize,
    saved: Vec<bool>,
    node_of: Vec<Option<Node>>,
    var_of: Vec<Option<Var>>,
}

impl Search {
    /// `node_of` says for each variable which Boolean of the closure it is, if any.
    pub(super) fn new(closure: Closure, node_of: Vec<Option<Node>>) -> Search {
        let n_vars = node_of.len();
        let mut var_of = vec![None; closure.nodes.len()];
        for (var, node) in node_of.iter().enumerate() {
            if let Some(node) = node {
                var_of[*node as usize] = Some(var as Var);
            }
        }
        Search {
            closure,
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2 * n_vars],
            values: vec![None; n_vars],
            levels: vec![0; n_vars],
            whys: vec![Why::Chosen; n_vars],
            trail: Vec::new(),
            starts: Vec::new(),
            n_propagated: 0,
            n_told: 0,
            activity: vec![0.0; n_vars],
            bump: 1.0,
            queue: (0..n_vars as Var).collect(),
            sorted_at: 0,
            n_chosen: 0,
            n_conflicts: 0,
            saved: vec![false; n_vars],
            node_of,
            var_of,
        }
    }

    pub(super) fn run(&mut self, clauses: Vec<Vec<Lit>>) -> Found {
        if self.closure.enter_all().is_err() {
            return Found::Unsat;
        }
        for clause in clauses {
            if !self.add(clause) {
                return Found::Unsat;
            }
        }
        self.hear();
        self.search()
    }

    /// Looks again, with these values tried first.
    pub(super) fn run_again(&mut self, wanted: &[(Node, bool)]) -> Found {
        self.go_back(0);
        for &(node, value) in wanted {
            let Some(var) = self.var_of.get(node as usize).copied().flatten() else { continue };
            self.activity[var as usize] += self.bump;
            self.saved[var as usize] = value;
        }
        self.bump *= GROWTH;
        self.n_conflicts += SORTED;
        self.search()
    }

    fn search(&mut self) -> Found {
        loop {
            match self.propagate() {
                Err(_) if self.starts.is_empty() => return Found::Unsat,
                Err(conflict) => {
                    self.n_conflicts += 1;
                    if self.n_conflicts > MOST_CONFLICTS {
                        return Found::TooMuch;
                    }
                    self.learn(conflict);
                }
                Ok(()) if self.closure.work > MOST_WORK => return Found::TooMuch,
                Ok(()) => match self.choose() {
                    Some(lit) => {
                        self.starts.push((self.trail.len(), self.closure.mark()));
                        self.set(lit, Why::Chosen);
                    }
                    None => return Found::Consistent,
                },
            }
        }
    }

    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var()].map(|value| value == lit.is_positive())
    }

    /// Whether the clause leaves something possible at the first level.
    fn add(&mut self, mut clause: Vec<Lit>) -> bool {
        clause.sort_unstable();
        clause.dedup();
        if clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            return true;
        }
        clause.retain(|&lit| self.value(lit) != Some(false));
        if clause.iter().any(|&lit| self.value(lit) == Some(true)) {
            return true;
        }
        match clause[..] {
            [] => return false,
            [lit] => self.set(lit, Why::Chosen),
            _ => {
                self.attach(clause);
            }
        }
        true
    }

    fn attach(&mut self, clause: Vec<Lit>) -> usize {
        let at = self.clauses.len();
        self.watches[clause[0].index()].push(at);
        self.watches[clause[1].index()].push(at);
        self.clauses.push(clause);
        at
    }

    fn set(&mut self, lit: Lit, why: Why) {
        let var = lit.var();
        self.values[var] = Some(lit.is_positive());
        self.levels[var] = self.starts.len();
        self.whys[var] = why;
        self.trail.push(lit);
    }

    /// Follows all that is known; else literals that cannot all be true.
    fn propagate(&mut self) -> Result<(), Vec<Lit>> {
        loop {
            while self.n_propagated < self.trail.len() {
                let lit = self.trail[self.n_propagated];
                self.n_propagated += 1;
                self.follow(!lit)?;
            }
            if self.n_told == self.trail.len() {
                return Ok(());
            }
            let lit = self.trail[self.n_told];
            self.n_told += 1;
            let Some(node) = self.node_of[lit.var()] else { continue };
            if let Err(Clash(one, two)) = self.closure.assume(node, lit.is_positive(), lit) {
                self.closure.found.clear();
                return Err(self.closure.explain(one, two));
            }
            self.hear();
        }
    }

    /// Takes over what the closure found out.
    fn hear(&mut self) {
        for (node, value) in std::mem::take(&mut self.closure.found) {
            let Some(var) = self.var_of.get(node as usize).copied().flatten() else { continue };
            if self.values[var as usize].is_none() {
                self.set(Lit::new(var, value), Why::Equal);
            }
        }
    }

    /// Looks at the clauses that watch a literal which is now false.
    fn follow(&mut self, lit: Lit) -> Result<(), Vec<Lit>> {
        let mut watching = std::mem::take(&mut self.watches[lit.index()]);
        let mut n_kept = 0;
        let mut conflict = None;
        for seen in 0..watching.len() {
            let at = watching[seen];
            // What stays moves up.
            watching[n_kept] = at;
            n_kept += 1;
            let clause = &mut self.clauses[at];
            if clause[0] == lit {
                clause.swap(0, 1);
            }
            let first = clause[0];
            let values = &self.values;
            let value = |lit: Lit| values[lit.var()].map(|value| value == lit.is_positive());
            if value(first) == Some(true) {
                continue;
            }
            let other = (2..clause.len()).find(|&place| value(clause[place]) != Some(false));
            if let Some(place) = other {
                clause.swap(1, place);
                let watched = clause[1];
                self.watches[watched.index()].push(at);
                n_kept -= 1;
                continue;
            }
            if value(first) == Some(false) {
                conflict = Some(clause.iter().map(|&lit| !lit).collect());
                watching.copy_within(seen + 1.., n_kept);
                n_kept += watching.len() - seen - 1;
                break;
            }
            self.set(first, Why::Clause(at));
        }
        watching.truncate(n_kept);
        self.watches[lit.index()] = watching;
        conflict.map_or(Ok(()), Err)
    }

    /// The true literals that made a literal true.
    fn causes(&self, lit: Lit) -> Vec<Lit> {
        match self.whys[lit.var()] {
            Why::Chosen => Vec::new(),
            Why::Clause(at) => {
                self.clauses[at].iter().filter(|&&other| other != lit).map(|&lit| !lit).collect()
            }
            Why::Equal => {
                let constant = if lit.is_positive() { TRUE } else { FALSE };
                let node = self.node_of[lit.var()];
                node.map_or_else(Vec::new, |node| self.closure.explain(node, constant))
            }
        }
    }

    /// Makes a clause of literals that cannot all be true, and goes back to where it says something.
    fn learn(&mut self, conflict: Vec<Lit>) {
        let level = self.starts.len();
        let mut seen = vec![false; self.values.len()];
        let (mut clause, mut n_open, mut at) = (Vec::new(), 0, self.trail.len());
        let mut added = conflict;
        let first = loop {
            for lit in added {
                let var = lit.var();
                if seen[var] || self.levels[var] == 0 {
                    continue;
                }
                seen[var] = true;
                self.activity[var] += self.bump;
                if self.levels[var] == level {
                    n_open += 1;
                } else {
                    clause.push(!lit);
                }
            }
            // The conflict is of this level: some literal of it is open.
            let lit = loop {
                at -= 1;
                if seen[self.trail[at].var()] {
                    break self.trail[at];
                }
            };
            n_open -= 1;
            if n_open == 0 {
                break lit;
            }
            added = self.causes(lit);
        };
        self.bump *= GROWTH;
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.bump *= 1e-100;
        }
        clause.sort_by_key(|lit| std::cmp::Reverse(self.levels[lit.var()]));
        let back = clause.first().map_or(0, |lit| self.levels[lit.var()]);
        clause.insert(0, !first);
        self.go_back(back);
        let why = if clause.len() > 1 { Why::Clause(self.attach(clause)) } else { Why::Chosen };
        self.set(!first, why);
    }

    fn go_back(&mut self, level: usize) {
        let Some(&(trail, mark)) = self.starts.get(level) else { return };
        for lit in self.trail.drain(trail..) {
            self.values[lit.var()] = None;
            self.saved[lit.var()] = lit.is_positive();
        }
        self.starts.truncate(level);
        self.n_propagated = trail;
        self.n_told = trail;
        self.n_chosen = 0;
        self.closure.undo_to(mark);
    }

    /// The variable that was in the way most often, as it was before.
    fn choose(&mut self) -> Option<Lit> {
        if self.n_conflicts >= self.sorted_at + SORTED {
            self.sorted_at = self.n_conflicts;
            let activity = &self.activity;
            self.queue.sort_unstable_by(|&one, &two| {
                activity[two as usize].total_cmp(&activity[one as usize]).then(one.cmp(&two))
            });
            self.n_chosen = 0;
        }
        while let Some(&var) = self.queue.get(self.n_chosen) {
            if self.values[var as usize].is_none() {
                return Some(Lit::new(var, self.saved[var as usize]));
            }
            self.n_chosen += 1;
        }
        None
    }
}
