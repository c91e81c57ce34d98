//! Looking for objects that break a rule.
//!
//! A hit in the tables is only a hint, because asking may have changed the objects: each is built anew
//! and asked again before it counts as a candidate. Of all hits the most ordinary come first: without
//! unusual values, open to everyone, small.

mod best;
mod blind;
mod equals;
mod hash;
mod order;
mod wholes;

pub use wholes::{Broken, try_with_broken_parts};

use std::collections::BTreeSet;
use std::sync::Arc;

use program::{ClassId, MethodId, Program, Role};
use symex::concrete::{Budget, Machine, Outcome, Stop, Unknown};
use symex::symbolic::TOO_MUCH;

use super::contract::Contract;
use super::fault::guarded;
use super::pool::{Counts, Item, build_pool, package_of};
use super::proof::{Proof, Trials, prove, prove_hash_stable};
use super::property::Property;
use super::prover::{Before, Openness};
use super::sketch::{Sketch, objects_after};
use super::subjects::Subject;
use super::survey::Survey;
use super::table::{Table, thin_out};
use crate::verdict::{Gap, GapKind, Need};
use crate::witness::supply::classes::class_of;
use crate::witness::supply::{Harvest, IDENTITY_SEED, Supply, View};
use crate::witness::{Access, Answer, Recipe, Witness, answers};

/// How much is tried for one class. Counts only, so that every run tries the same.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub call: Budget,
    /// Instructions for building objects, and for asking them.
    pub build: u64,
    pub ask: u64,
    /// Work of the solver for one question, and for all of a class.
    pub question: u64,
    pub proofs: u64,
    pub counts: Counts,
}

/// With more classes than these, each gets a smaller share of the solver's work, so that large jars end.
const FEW_CLASSES: u64 = 130;
/// The least share, as a part of the whole.
const LEAST_SHARE: u64 = 20;

impl Limits {
    /// What each of so many classes is worth.
    pub fn shared_by(mut self, n_classes: usize) -> Limits {
        let n_classes = n_classes as u64;
        let share =
            |work: u64| (work * FEW_CLASSES / n_classes.max(FEW_CLASSES)).max(work / LEAST_SHARE);
        (self.question, self.proofs) = (share(self.question), share(self.proofs));
        self
    }

    /// `effort` is 1 for the usual.
    pub fn new(effort: u32) -> Limits {
        let scale = u64::from(effort);
        let size = effort as usize;
        Limits {
            call: Budget { instructions: 1_000_000, heap_bytes: 96 << 20, depth: 400 },
            build: 3_000_000 * scale,
            ask: 8_000_000 * scale,
            // Measured on three jars: of 1,200 proofs, none took more than 2.5 million.
            question: 3_000_000 * scale,
            proofs: 8_000_000 * scale,
            counts: Counts {
                own: 54 * size,
                copies: 12 * size,
                changed: 28 * size,
                relatives: 8 * size,
                of_relative: 5,
            },
        }
    }
}

/// Objects that broke a rule in the machine.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub witness: Witness,
    pub answers: Vec<Answer>,
    pub needs: BTreeSet<Need>,
    /// Of the objects, in order.
    pub classes: Vec<ClassId>,
    pub certainty: Certainty,
}

impl Candidate {
    /// Whether only a JVM can make its objects.
    pub fn is_blind(&self) -> bool {
        self.certainty == Certainty::Blind
    }
}

/// What a candidate rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// The machine followed every step.
    Followed,
    /// A class initialiser or an identity hash code was guessed on the way.
    Guessed,
    /// The machine cannot build the objects; only a JVM knows.
    Blind,
}

/// Everything found about one class.
pub struct Examined {
    pub subject: Subject,
    pub questions: Vec<Examination>,
    pub stats: Stats,
}

impl Examined {
    /// All questions of the class, not asked for this reason.
    pub fn skipped(subject: &Subject, reason: &str) -> Examined {
        Examined::open(subject, &Gap::new(GapKind::Budget, reason))
    }

    fn open(subject: &Subject, gap: &Gap) -> Examined {
        let questions = subject.questions().into_iter().map(|(property, method)| Examination {
            property,
            method,
            candidates: Vec::new(),
            proof: Proof::Open(vec![gap.clone()]),
        });
        let questions = questions.collect();
        Examined { subject: subject.clone(), questions, stats: Stats::default() }
    }
}

/// One question, and what is known about it before a JVM is asked.
pub struct Examination {
    pub property: Property,
    pub method: MethodId,
    /// The most ordinary first.
    pub candidates: Vec<Candidate>,
    pub proof: Proof,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Stats {
    pub objects: usize,
    /// Hits that did not show again on objects built anew.
    pub discarded: usize,
    /// Instructions that building the objects and asking them took.
    pub built: u64,
    pub asked: u64,
}

/// Judges one class with a pool of its own. A defect of Jury leaves its questions open.
pub fn examine(
    survey: &Survey<'_>,
    subject: &Subject,
    limits: &Limits,
    solver: &mut smt::Solver,
) -> Examined {
    guarded(|| examine_class(survey, subject, limits, solver)).unwrap_or_else(|gap| {
        solver.restart();
        Examined::open(subject, &gap)
    })
}

fn examine_class(
    survey: &Survey<'_>,
    subject: &Subject,
    limits: &Limits,
    solver: &mut smt::Solver,
) -> Examined {
    let (program, index, contract) = (survey.program, &survey.index, &survey.contract);
    let mut machine = new_machine(program, limits);
    let mut examined =
        Examined { subject: subject.clone(), questions: Vec::new(), stats: Stats::default() };
    let Some(class) = program.class(subject.class) else { return examined };
    let harvest = Harvest::of(program, class, &subject.methods());
    let view = View { program, index, package: package_of(program, class.name), harvest };
    let mut supply = Supply::new(view, limits.build);
    if is_judged_elsewhere(&mut machine, &mut supply, subject) {
        return examined;
    }
    let items = build_pool(&mut machine, &mut supply, survey, subject, limits.counts);
    examined.stats.objects = items.len();
    let n_own = items.iter().filter(|item| item.is_below(program, subject.class)).count();
    let mut table = Table::new(&mut machine, items, limits.ask);
    thin_out(&mut table, survey, subject);
    let mut search = Search::new(contract, subject, table, supply);
    let mut granted = limits.ask;
    let mut work = limits.proofs;
    note_openness(survey, subject, (solver, &mut work), limits);
    let (mut blind_objects, mut before) = (None, Before::default());
    for (property, method) in subject.questions() {
        if property == Property::CompareAntisymmetric {
            // The order is asked for anew: equality must not have used up all.
            granted += limits.ask - search.table.instructions;
            search.table.instructions = limits.ask;
        }
        // Where equal objects have different hash codes, there is nothing left to show.
        if property == Property::HashStable && examined.questions.iter().any(is_hash_broken) {
            continue;
        }
        let mut candidates = search.candidates(property, limits);
        let (mut proof, mut sketch) = (Proof::NotAsked, None);
        if candidates.is_empty() {
            let so_far = (&search.trials(n_own), &examined.questions[..]);
            proof = within_share(solver, &mut work, limits.question, |solver| {
                prove_or_fail(survey, subject, property, solver, so_far, (&mut before, &mut sketch))
            });
            candidates = search.after_sketch(property, sketch.as_ref(), limits);
        }
        if !candidates.is_empty() {
            proof = Proof::NotAsked;
        }
        if matches!(proof, Proof::Open(_)) {
            let objects = blind_objects.get_or_insert_with(|| search.blind_objects(survey));
            candidates.extend(search.blind_candidates(property, objects));
        }
        examined.questions.push(Examination { property, method, candidates, proof });
    }
    examined.stats.discarded = search.n_discarded;
    examined.stats.built = limits.build - search.supply.instructions;
    examined.stats.asked = granted - search.table.instructions;
    examined
}

/// Finds out whether its `equals` says yes to strangers, for all that may be strangers to it.
fn note_openness(
    survey: &Survey<'_>,
    subject: &Subject,
    (solver, work): (&mut smt::Solver, &mut u64),
    limits: &Limits,
) {
    if subject.equals.is_some() {
        let openness = within_share(solver, work, limits.question, |solver| {
            guarded(|| Openness::of(survey, subject, solver)).unwrap_or_else(|_| {
                solver.restart();
                Openness::UNKNOWN
            })
        });
        survey.note_openness(subject.class, openness);
    }
}

/// A proof with at most this much of the work that is left for the class.
fn within_share<T>(
    solver: &mut smt::Solver,
    left: &mut u64,
    most: u64,
    prove: impl FnOnce(&mut smt::Solver) -> T,
) -> T {
    let share = most.min(*left);
    solver.grant(share);
    let proved = prove(solver);
    *left -= share - solver.grant(share).min(share);
    proved
}

fn new_machine<'p>(program: &'p Program, limits: &Limits) -> Machine<'p> {
    let mut machine = Machine::new(program, limits.call);
    // Objects that a class's own assertions refuse are none that it is made for.
    machine.asserts = true;
    machine.guesses_initialisers = true;
    machine
}

/// Whether the comparator that a field or method offers is an object of a class that is judged itself.
fn is_judged_elsewhere(
    machine: &mut Machine<'_>,
    supply: &mut Supply<'_>,
    subject: &Subject,
) -> bool {
    let Some(provider) = subject.provider else { return false };
    let recipe = provider.recipe(supply.view.program);
    let object = supply.try_out(machine, &recipe);
    let class = object.and_then(|object| class_of(machine, object));
    class.is_some_and(|class| supply.view.program.role(class) == Role::Judged)
}

/// A proof that goes wrong leaves its question open, and what else is known of the class stands.
fn prove_or_fail(
    survey: &Survey<'_>,
    subject: &Subject,
    property: Property,
    solver: &mut smt::Solver,
    (trials, so_far): (&Trials, &[Examination]),
    found: (&mut Before, &mut Option<Sketch>),
) -> Proof {
    if let Some(gaps) = too_much_before(so_far, property) {
        return Proof::Open(gaps);
    }
    let work = || match hash_proof(so_far, property) {
        Some(proof) => prove_hash_stable(survey, subject, solver, trials, proof),
        None => prove(survey, subject, property, solver, trials, found),
    };
    guarded(work).unwrap_or_else(|gap| {
        solver.restart();
        Proof::Open(vec![gap])
    })
}

/// Why the question at hand need not be asked: a smaller one was too much already. That of symmetry is none
/// of them: it alone asks those that equals refused what they say.
fn too_much_before(questions: &[Examination], property: Property) -> Option<Vec<Gap>> {
    // Of the same calls on three objects in the place of two.
    let is_longer = matches!(property, Property::Transitive | Property::CompareTransitive);
    let smaller = match property {
        Property::Symmetric | Property::Total | Property::Transitive | Property::HashConsistent => {
            Property::Reflexive
        }
        Property::CompareTransitive | Property::CompareTotal => Property::CompareAntisymmetric,
        Property::Reflexive
        | Property::Null
        | Property::HashStable
        | Property::Overloaded
        | Property::CompareAntisymmetric
        | Property::CompareConsistent => return None,
    };
    let question = questions.iter().find(|question| question.property == smaller)?;
    let Proof::Open(gaps) = &question.proof else { return None };
    let is_too_much = |gap: &Gap| match gap.kind {
        GapKind::Budget => is_longer || gap.detail == TOO_MUCH,
        GapKind::Solver => is_longer,
        GapKind::Unsupported
        | GapKind::Approximation
        | GapKind::Forced
        | GapKind::NotReplayed
        | GapKind::Refuted
        | GapKind::Internal => false,
    };
    gaps.first().is_some_and(is_too_much).then(|| gaps.clone())
}

/// What the question of `hash-consistent` came to, if it went to a proof: `hash-stable` starts there.
fn hash_proof(questions: &[Examination], property: Property) -> Option<&Proof> {
    let is_consistent = |question: &&Examination| question.property == Property::HashConsistent;
    let question = questions.iter().find(is_consistent)?;
    let is_wanted = property == Property::HashStable && !matches!(question.proof, Proof::NotAsked);
    is_wanted.then_some(&question.proof)
}

fn is_hash_broken(question: &Examination) -> bool {
    let is_seen = |candidate: &Candidate| candidate.certainty != Certainty::Blind;
    question.property == Property::HashConsistent && question.candidates.iter().any(is_seen)
}

/// The state of judging one class.
struct Search<'s, 'm, 'p> {
    contract: &'s Contract,
    subject: &'s Subject,
    table: Table<'m, 'p>,
    supply: Supply<'s>,
    /// `Object.equals`, as everyone calls it.
    equals: Option<MethodId>,
    n_discarded: usize,
}

/// A witness that is worth building anew, with what makes it more or less ordinary.
struct Hit {
    witness: Witness,
    needs: BTreeSet<Need>,
    rank: Rank,
    classes: Vec<ClassId>,
}

/// Unusual values, who can build it, whether classes are mixed, size.
type Rank = (usize, Access, bool, usize);

impl<'s, 'm, 'p> Search<'s, 'm, 'p> {
    fn new(
        contract: &'s Contract,
        subject: &'s Subject,
        table: Table<'m, 'p>,
        supply: Supply<'s>,
    ) -> Search<'s, 'm, 'p> {
        let program = table.program();
        let object = program.find_class(program.known.object).and_then(|id| program.class(id));
        let equals = object.and_then(|object| contract.equals_of(program, object));
        Search { contract, subject, table, supply, equals, n_discarded: 0 }
    }
}

impl Search<'_, '_, '_> {
    fn hits(&mut self, property: Property, limits: &Limits) -> Vec<Hit> {
        match property {
            Property::Reflexive => self.irreflexive(),
            Property::Symmetric => self.asymmetric(),
            Property::Transitive => self.intransitive(),
            Property::Null => self.equal_to_null(),
            Property::Total => self.throwing(),
            Property::Overloaded => self.overloaded(),
            Property::HashConsistent => self.inconsistent_hashes(),
            Property::HashStable => self.unstable_hashes(),
            Property::CompareAntisymmetric
            | Property::CompareTransitive
            | Property::CompareTotal
            | Property::CompareConsistent => {
                if self.subject.compare_to.is_some() {
                    self.disordered(property)
                } else {
                    self.disordered_by_comparator(property, limits)
                }
            }
        }
    }

    /// Candidates among the objects of the pool, else among those with zeros of either sign.
    fn candidates(&mut self, property: Property, limits: &Limits) -> Vec<Candidate> {
        let hits = self.hits(property, limits);
        let candidates = self.confirm(property, hits);
        if !candidates.is_empty() || property != Property::HashConsistent {
            return candidates;
        }
        let items = self.with_either_zero();
        self.among(property, items, limits)
    }

    /// Candidates among objects that are built after a sketch.
    fn after_sketch(
        &mut self,
        property: Property,
        sketch: Option<&Sketch>,
        limits: &Limits,
    ) -> Vec<Candidate> {
        let Some(sketch) = sketch else { return Vec::new() };
        let items = objects_after(self.table.machine, &mut self.supply, sketch);
        self.among(property, items, limits)
    }

    /// Candidates among these objects.
    fn among(&mut self, property: Property, items: Vec<Item>, limits: &Limits) -> Vec<Candidate> {
        if items.is_empty() {
            return Vec::new();
        }
        let others = self.table.exchange(items);
        let hits = self.hits(property, limits);
        let candidates = self.confirm(property, hits);
        self.table.restore(others);
        candidates
    }

    /// What was tried, for those who go on.
    fn trials(&self, n_own: usize) -> Trials {
        let most = |reasons: &std::collections::BTreeMap<String, u32>| {
            reasons.iter().max_by_key(|(_, count)| **count).map(|(reason, _)| reason.clone())
        };
        Trials {
            n_objects: n_own,
            not_built: most(&self.supply.failures),
            not_followed: most(&self.table.gaps),
        }
    }

    /// What the objects, built anew, answer; where that needs identity hash codes, with some of them.
    fn answers(&mut self, witness: &Witness) -> Outcome<Vec<Answer>> {
        let machine = &mut *self.table.machine;
        let first = answers(machine, witness);
        if !matches!(&first, Err(Stop::Gap(reason)) if *reason == Unknown::IdentityHash.reason()) {
            return first;
        }
        machine.identity_seed = Some(IDENTITY_SEED);
        let second = answers(machine, witness);
        machine.identity_seed = None;
        second
    }

    /// The first few hits that show again on objects built anew.
    fn confirm(&mut self, property: Property, mut hits: Vec<Hit>) -> Vec<Candidate> {
        const MAX_TRIED: usize = 12;
        const MAX_KEPT: usize = 3;
        hits.sort_by_key(|hit| hit.rank);
        let mut kept = Vec::new();
        for hit in hits.into_iter().take(MAX_TRIED) {
            if kept.len() == MAX_KEPT {
                break;
            }
            match self.answers(&hit.witness) {
                Ok(answers) if property.is_broken_by(&answers) => kept.push(Candidate {
                    witness: hit.witness,
                    answers,
                    needs: hit.needs,
                    classes: hit.classes,
                    certainty: if self.table.machine.n_guessed > 0 {
                        Certainty::Guessed
                    } else {
                        Certainty::Followed
                    },
                }),
                Ok(_) | Err(_) => self.n_discarded += 1,
            }
        }
        kept
    }

    /// How ordinary a witness with these objects is.
    fn rank(&self, at: &[usize]) -> Rank {
        let items = || at.iter().map(|&at| &self.table.items[at]);
        let needs: BTreeSet<&Need> = items().flat_map(|item| &item.needs).collect();
        let first = items().next().map(|item| item.class);
        (
            needs.len(),
            items().map(|item| item.access).max().unwrap_or(Access::Public),
            items().any(|item| Some(item.class) != first),
            items().map(|item| item.size).sum(),
        )
    }

    fn hit(&self, at: &[usize], with_null: bool, steps: Vec<crate::witness::Step>) -> Hit {
        const NAMES: [&str; 3] = ["x", "y", "z"];
        let items: Vec<&Item> = at.iter().map(|&at| &self.table.items[at]).collect();
        let witness = Witness {
            names: NAMES[..items.len()].to_vec(),
            objects: items.iter().map(|item| item.recipe.clone()).collect(),
            steps,
        };
        let mut needs: BTreeSet<Need> = items.iter().flat_map(|item| item.needs.clone()).collect();
        if with_null {
            needs.insert(Need::Null);
        }
        let (_, access, is_mixed, size) = self.rank(at);
        let rank = (needs.len(), access, is_mixed, size);
        Hit { witness, needs, rank, classes: items.iter().map(|item| item.class).collect() }
    }
}

/// Whether what is in the object was open to choice: a parameter of type Object takes anything, also
/// what cannot be compared with each other.
fn is_loose(recipe: &Arc<Recipe>) -> bool {
    const ANYTHING: [&str; 3] =
        ["Ljava/lang/Object;", "Ljava/lang/Comparable;", "Ljava/lang/Number;"];
    recipe.members().iter().any(|member| {
        !member.class.starts_with("java/")
            && ANYTHING.iter().any(|ty| member.descriptor.contains(ty))
    })
}
