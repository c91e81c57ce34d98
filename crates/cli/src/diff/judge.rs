//! Judges pairs in waves: initialisers first, then what was edited, then, wave by wave, those that use
//! what was not proved.

use std::collections::{BTreeMap, BTreeSet};

use checks::equivalence::{self, Edited, Effort, Examined, Matching, MethodPair};
use checks::witness::supply::Index;
use checks::{Gap, GapKind};
use program::{Program, World};
use rayon::prelude::*;

use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Methods whose own code is the same that are put to a proof; beyond that, trials must do, and beyond a
/// second number of them nothing is done.
const AFFECTED_PROOFS: usize = 6;
const AFFECTED_TRIALS: usize = 120;

/// Work for the solver, all pairs together, and for each at least and at most.
const ALL_WORK: u64 = 6_000;
const LEAST_WORK: u64 = 30;
const MOST_WORK: u64 = 800;
/// A method of the same code seldom does what it did if what it uses was not proved to: it gets this
/// part of what an edited one gets.
const USERS_SHARE: u64 = 4;

/// Shares beyond which each is a small one.
const MANY: u64 = 60;

/// What judging a pair needs.
pub(super) struct Judge<'p> {
    pub(super) old: &'p Program,
    pub(super) new: &'p Program,
    pub(super) index: Index,
    pub(super) world: World,
    pub(super) edited: Edited,
    pub(super) interrupt: Interrupt,
}

/// What is known after some waves.
struct Progressed {
    /// Among how many pairs the work is shared: those of other code, and of those that they reach some.
    n_shares: u64,
    judged: BTreeMap<usize, Examined>,
    edited: Edited,
    /// Pairs that were asked about, or will be in the next wave.
    reached: BTreeSet<usize>,
    /// Of those asked about, what was not proved.
    changed: BTreeSet<usize>,
    opaque: BTreeMap<usize, &'static str>,
    settled: BTreeSet<usize>,
    proofs_left: usize,
    trials_left: usize,
}

impl Judge<'_> {
    /// All pairs that an edit reaches. Of those that nobody asks for, each counts as not proved.
    pub(super) fn all(
        &self,
        matching: &Matching,
        wanted: &BTreeSet<usize>,
    ) -> Vec<(usize, Examined)> {
        let settled: BTreeSet<usize> = matching.settled().into_iter().collect();
        let n_edited = wanted.iter().filter(|at| matching.pairs[**at].is_edited).count() as u64;
        let n_reached = wanted.iter().filter(|at| !settled.contains(at)).count() as u64;
        let n_shares = n_edited.max(n_reached / 8);
        let mut known = Progressed {
            n_shares,
            judged: BTreeMap::new(),
            edited: Edited { is_many: n_shares > MANY, ..self.edited.clone() },
            reached: matching.edited().into_iter().collect(),
            changed: BTreeSet::new(),
            opaque: matching.opaque(self.new),
            settled,
            proofs_left: AFFECTED_PROOFS,
            trials_left: AFFECTED_TRIALS,
        };
        // What an initialiser leaves behind decides what others read.
        let (first, later): (BTreeSet<usize>, BTreeSet<usize>) =
            known.reached.iter().partition(|&&at| self.is_initialiser(matching, at));
        let mut users = BTreeSet::new();
        for wave in std::iter::once(first).chain(matching.bottom_up(&later)) {
            self.judge_wave(matching, wanted, &wave, &mut known);
            users.append(&mut self.next_wave(matching, wave, &mut known));
        }
        while !users.is_empty() && !self.interrupt.is_set() {
            self.judge_wave(matching, wanted, &users, &mut known);
            users = self.next_wave(matching, users, &mut known);
        }
        if self.interrupt.is_set() {
            // What an edit may reach and nobody looked at is not unchanged.
            for &at in wanted.iter().filter(|at| !known.settled.contains(at)) {
                known.judged.entry(at).or_insert_with(|| {
                    let pair = &matching.pairs[at];
                    Examined::open(pair, GapKind::Budget, "the run was interrupted")
                });
            }
        }
        self.hide_helpers(matching, &mut known);
        known.judged.into_iter().collect()
    }

    /// A private method that differs where nobody calls it does not show.
    fn hide_helpers(&self, matching: &Matching, known: &mut Progressed) {
        let all: Vec<usize> = known.judged.keys().copied().collect();
        for at in all {
            let is_known = |caller| known.settled.contains(&caller) || known.holds(caller);
            if matching.is_called_by(self.new, at, is_known)
                && let Some(examined) = known.judged.get_mut(&at)
            {
                examined.hide();
            }
        }
    }

    fn is_initialiser(&self, matching: &Matching, at: usize) -> bool {
        self.new.method(matching.pairs[at].new).1.name == self.new.known.clinit
    }

    fn judge_wave(
        &self,
        matching: &Matching,
        wanted: &BTreeSet<usize>,
        wave: &BTreeSet<usize>,
        known: &mut Progressed,
    ) {
        let work = (ALL_WORK / known.n_shares.max(1)).clamp(LEAST_WORK, MOST_WORK);
        let mut asked = Vec::new();
        for &at in wave.iter().filter(|at| wanted.contains(at)) {
            let pair = &matching.pairs[at];
            let no_proof = match known.opaque.get(&at) {
                Some(&reason) => Some(Gap::new(GapKind::Unsupported, reason)),
                None if !pair.is_edited && known.proofs_left == 0 => {
                    Some(self.reason(matching.cause(at, &known.changed)))
                }
                None => None,
            };
            match no_proof {
                Some(gap) if !pair.is_edited && known.trials_left == 0 => {
                    known.judged.insert(at, Examined::open(pair, gap.kind, &gap.detail));
                    continue;
                }
                Some(_) if !pair.is_edited => known.trials_left -= 1,
                None if !pair.is_edited => known.proofs_left -= 1,
                Some(_) | None => {}
            }
            asked.push((at, no_proof));
        }
        let examined = self.wave(matching, &known.edited, asked, work);
        known.judged.extend(examined);
        // Proofs that rest on code outside must not, if that may call what differs.
        let risky = matching.at_risk(|at| known.settled.contains(&at) || known.holds(at));
        for at in wave.iter().filter(|at| risky.contains(at)) {
            if let Some(examined) = known.judged.get_mut(at) {
                examined.doubt_outside();
            }
        }
    }

    /// Learns from a wave, and gives the next one.
    fn next_wave(
        &self,
        matching: &Matching,
        wave: BTreeSet<usize>,
        known: &mut Progressed,
    ) -> BTreeSet<usize> {
        let (proved, open): (Vec<usize>, Vec<usize>) =
            wave.into_iter().partition(|&at| known.is_proved(at));
        for &at in proved.iter().filter(|&&at| self.is_initialiser(matching, at)) {
            let pair = &matching.pairs[at];
            known.edited.old.remove(&pair.old.class);
            known.edited.new.remove(&pair.new.class);
        }
        // What was proved of trees alone says nothing of calls with other inputs.
        if !known.edited.unshared {
            let alike = proved.iter().filter_map(|&at| matching.alike(self.new, at));
            known.edited.alike.extend(alike);
            known.edited.proved.extend(proved.iter().map(|&at| matching.pairs[at].old));
        }
        let (reworded, open): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|&at| known.holds(at) && !self.is_initialiser(matching, at));
        known.changed.extend(&open);
        let mut users = matching.callers(&open);
        users.extend(matching.catchers(self.new, &reworded));
        // A method that is proved to return the same object may hand out what behaves otherwise.
        users.extend(matching.at_risk(|at| !known.changed.contains(&at)));
        users.extend(matching.heirs(self.new, proved.into_iter()));
        users.into_iter().filter(|&at| known.reached.insert(at)).collect()
    }

    /// Why the callers of a method are not put to a proof of their own.
    fn reason(&self, cause: Option<&MethodPair>) -> Gap {
        let detail = match cause {
            Some(pair) => {
                let (class, declared) = self.new.method(pair.new);
                let class = self.new.class_text(class.name);
                format!(
                    "its code is the same, but it uses {class}.{}, which was not proved to do what \
                     it did",
                    self.new.names.text(declared.name)
                )
            }
            None => equivalence::OTHER_OBJECTS.to_owned(),
        };
        Gap::new(GapKind::Approximation, detail)
    }

    fn wave(
        &self,
        matching: &Matching,
        edited: &Edited,
        asked: Vec<(usize, Option<Gap>)>,
        work: u64,
    ) -> Vec<(usize, Examined)> {
        let progress = Progress::new("methods", asked.len());
        asked
            .into_par_iter()
            .map_init(new_solver, |solver, (at, no_proof)| {
                let pair = &matching.pairs[at];
                solver.allow(if pair.is_edited { work } else { work / USERS_SHARE });
                let examined = self.one(edited, pair, no_proof, solver);
                progress.step();
                (at, examined)
            })
            .collect()
    }

    /// One pair. What goes wrong with it is its own misfortune, not that of the others.
    fn one(
        &self,
        edited: &Edited,
        pair: &MethodPair,
        no_proof: Option<Gap>,
        solver: &mut smt::Solver,
    ) -> Examined {
        if self.interrupt.is_set() {
            return Examined::open(pair, GapKind::Budget, "the run was interrupted");
        }
        let (old, new) = ((self.old, &self.index), (self.new, &self.world));
        let effort = match no_proof {
            Some(gap) => Effort::TrialsOnly(gap),
            None => Effort::Full(solver),
        };
        let judge = || equivalence::examine(old, new, edited, pair, effort);
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(judge)) {
            Ok(examined) => examined,
            Err(_) => {
                *solver = new_solver();
                Examined::open(pair, GapKind::Internal, "judging this method failed; please report")
            }
        }
    }
}

impl Progressed {
    fn is_proved(&self, at: usize) -> bool {
        self.judged.get(&at).is_some_and(Examined::is_proved)
    }

    /// Proved, at least but for what exceptions say.
    fn holds(&self, at: usize) -> bool {
        self.judged.get(&at).is_some_and(Examined::holds)
    }
}

pub(super) fn new_solver() -> smt::Solver {
    smt::Solver::new(smt::Options { in_integers: true, ..smt::Options::default() })
}
