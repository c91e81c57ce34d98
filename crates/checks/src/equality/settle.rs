//! From candidates to verdicts, with a JVM in between.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use program::{ClassId, Program, Role};

use super::comparators::Provider;
use super::contract::Contract;
use super::message::{question, sentence, simple_name};
use super::notes::{cause, notes};
use super::parts::{Asked, open_what_rests_on_others};
use super::proof::Proof;
use super::property::Property;
use super::search::{Candidate, Certainty, Examination, Examined};
use super::survey::Survey;
use crate::finding::{Finding, Subject};
use crate::replay::{Replay, Replayed};
use crate::verdict::{self, Construction, Evidence, Gap, GapKind, Verdict};
use crate::witness::java::{observed, render_statements};
use crate::witness::{Access, Answer, Recipe, Witness};

/// A finding with the witness that it rests on, if there is one.
pub struct Settled {
    pub finding: Finding,
    pub property: Property,
    pub witness: Option<Witness>,
}

/// Replays the candidates of all questions at once, then their alternatives where the first one did
/// not reproduce, and says what came of each question.
pub fn settle(
    survey: &Survey<'_>,
    examined: Vec<Examined>,
    replay: &mut dyn Replay,
) -> Vec<Settled> {
    let (program, contract) = (survey.program, &survey.contract);
    let mut open: Vec<Open> = examined
        .into_iter()
        .flat_map(|examined| {
            let (class, provider) = (examined.subject.class, examined.subject.provider);
            examined.questions.into_iter().map(move |question| Open::new(class, provider, question))
        })
        .collect();
    try_blind_objects(&mut open, replay);
    while replay_round(&mut open, replay) {}
    let asked = open.iter_mut().map(|it| Asked {
        class: it.class,
        is_offer: it.provider.is_some(),
        broken_by: it.shown().map(|(candidate, _)| candidate.classes.clone()),
        question: &mut it.question,
    });
    open_what_rests_on_others(survey, &mut asked.collect::<Vec<_>>());
    open.into_iter().filter_map(|open| open.settle(program, contract)).collect()
}

/// A question that is being put to the JVM.
struct Open {
    class: ClassId,
    provider: Option<Provider>,
    question: Examination,
    /// What the JVM said to the candidates so far.
    replayed: Vec<Replayed>,
    /// An object of the class ended the JVM: those that only a JVM can build are left alone.
    is_deadly: bool,
}

/// So many classes whose objects end the JVM are enough.
const MAX_DEADLY: usize = 4;

/// Lets the JVM make the objects that only it can make, each once, and drops the candidates with those
/// that it cannot make either: one of each class at a time, because they may end it.
fn try_blind_objects(open: &mut [Open], replay: &mut dyn Replay) {
    let mut wanted: BTreeMap<ClassId, Vec<Arc<Recipe>>> = BTreeMap::new();
    for question in open.iter() {
        let blind = question.question.candidates.iter().filter(|it| it.is_blind());
        let recipes = wanted.entry(question.class).or_default();
        for recipe in blind.flat_map(|it| &it.witness.objects) {
            if !recipes.contains(recipe) {
                recipes.push(recipe.clone());
            }
        }
    }
    let mut made: BTreeMap<ClassId, Vec<Arc<Recipe>>> = BTreeMap::new();
    let longest = wanted.values().map(Vec::len).max().unwrap_or(0);
    let mut deadly: BTreeSet<ClassId> = BTreeSet::new();
    for at in 0..longest {
        let next = wanted.iter().filter(|(class, _)| !deadly.contains(class));
        let next: Vec<(ClassId, Arc<Recipe>)> =
            next.filter_map(|(&class, recipes)| Some((class, recipes.get(at)?.clone()))).collect();
        let witness = |recipe: &Arc<Recipe>| Witness {
            names: vec!["x"],
            objects: vec![recipe.clone()],
            steps: Vec::new(),
        };
        let witnesses: Vec<Witness> = next.iter().map(|(_, recipe)| witness(recipe)).collect();
        for ((class, recipe), result) in next.into_iter().zip(replay.replay(&witnesses)) {
            if result.is_deadly() {
                deadly.insert(class);
            } else if matches!(result, Replayed::Answers(_)) {
                made.entry(class).or_default().push(recipe);
            }
        }
        if deadly.len() >= MAX_DEADLY {
            break;
        }
    }
    for question in open {
        let made = made.get(&question.class).filter(|_| !deadly.contains(&question.class));
        let is_made = |recipe: &Arc<Recipe>| made.is_some_and(|made| made.contains(recipe));
        let candidates = &mut question.question.candidates;
        candidates.retain(|it| !it.is_blind() || it.witness.objects.iter().all(is_made));
    }
}

/// Runs the next candidate of each question that still needs one; whether there were any. Of objects
/// that only a JVM can build one of each class at a time, because they may end it.
fn replay_round(open: &mut [Open], replay: &mut dyn Replay) -> bool {
    let deadly: BTreeSet<ClassId> =
        open.iter().filter(|it| it.is_deadly).map(|it| it.class).collect();
    let is_tried = deadly.len() < MAX_DEADLY;
    let mut tried = BTreeSet::new();
    let mut waiting: Vec<usize> = (0..open.len()).filter(|&at| open[at].is_waiting()).collect();
    waiting.retain(|&at| !open[at].next().is_blind() || (is_tried && tried.insert(open[at].class)));
    let witnesses: Vec<Witness> =
        waiting.iter().map(|&at| open[at].next().witness.clone()).collect();
    if witnesses.is_empty() {
        return false;
    }
    let mut results = replay.replay(&witnesses).into_iter();
    for &at in &waiting {
        let result = results.next().unwrap_or(Replayed::NotRun);
        if result.is_deadly() && open[at].next().is_blind() {
            // Others would end the JVM too.
            let class = open[at].class;
            open.iter_mut().filter(|it| it.class == class).for_each(|it| it.is_deadly = true);
        }
        open[at].replayed.push(result);
    }
    true
}

impl Open {
    fn new(class: ClassId, provider: Option<Provider>, mut question: Examination) -> Open {
        if let Proof::Broken(candidate) = &question.proof {
            question.candidates.push((**candidate).clone());
        }
        Open { class, provider, question, replayed: Vec::new(), is_deadly: false }
    }

    fn is_waiting(&self) -> bool {
        let is_over = self
            .replayed
            .iter()
            .any(|result| *result == Replayed::NotRun || self.is_reproduced(result));
        let next = self.question.candidates.get(self.replayed.len());
        let is_allowed = next.is_some_and(|next| !(self.is_deadly && next.is_blind()));
        !is_over && is_allowed
    }

    fn next(&self) -> &Candidate {
        &self.question.candidates[self.replayed.len()]
    }

    fn is_reproduced(&self, result: &Replayed) -> bool {
        matches!(result, Replayed::Answers(answers) if self.question.property.is_broken_by(answers))
    }

    /// The candidate to show: the one that reproduced, else the first.
    fn shown(&self) -> Option<(&Candidate, verdict::Replay)> {
        let reproduced = self.replayed.iter().position(|result| self.is_reproduced(result));
        if let Some(at) = reproduced {
            return Some((&self.question.candidates[at], verdict::Replay::Reproduced));
        }
        let first = self.question.candidates.first()?;
        if first.certainty == Certainty::Blind || self.is_wrong_guess(first) {
            return None;
        }
        let replay = match self.replayed.first() {
            Some(Replayed::Answers(_)) => verdict::Replay::Refuted,
            Some(Replayed::Failed(_)) => verdict::Replay::Inconclusive,
            Some(Replayed::NotRun) | None => verdict::Replay::NotRun,
        };
        Some((first, replay))
    }

    /// Whether the JVM contradicted what rested on a guess, which is no surprise.
    fn is_wrong_guess(&self, candidate: &Candidate) -> bool {
        candidate.certainty == Certainty::Guessed
            && matches!(self.replayed.first(), Some(Replayed::Answers(_)))
    }

    fn settle(self, program: &Program, contract: &Contract) -> Option<Settled> {
        let property = self.question.property;
        let rule = property.rule()?;
        let subject = place(program, &self);
        let Some((shown, replay)) = self.shown() else {
            let verdict = match self.question.proof {
                Proof::Holds(scope) => Verdict::Holds(scope),
                Proof::Open(gaps) => Verdict::Unknown(gaps),
                Proof::Broken(_) | Proof::NotAsked => {
                    let reason = "a class initialiser could not be followed, and what was found by \
                                  guessing it did not show on a JVM";
                    Verdict::Unknown(vec![Gap::new(GapKind::Approximation, reason)])
                }
            };
            let is_shown = matches!(verdict, Verdict::Holds(_));
            let name = match self.provider {
                Some(provider) => provider.name(program),
                None => simple_name(program, self.class),
            };
            let message = question(&name, property, is_shown);
            let finding = Finding::new(rule, verdict, subject, message);
            return Some(Settled { finding, property, witness: None });
        };
        let seen = self.seen(shown);
        let mut candidate = shown.clone();
        if candidate.certainty == Certainty::Blind {
            candidate.answers = seen.clone();
        }
        let candidate = &candidate;
        let evidence = Evidence {
            construction: match candidate.witness.access() {
                Access::Public => Construction::Public,
                Access::Package => Construction::Package,
                Access::Closed => Construction::Forced,
            },
            replay,
            needs: candidate.needs.clone(),
            witness: render_statements(program, &candidate.witness),
            observed: observed(&candidate.witness, &seen),
            drawing: None,
        };
        let message = sentence(program, property, candidate);
        let verdict = Verdict::from_evidence(evidence, self.failures());
        let mut finding = Finding::new(rule, verdict, subject, message);
        finding.classes = self.classes(program, candidate);
        finding.notes = notes(program, contract, property, candidate);
        if property == Property::HashConsistent {
            finding.cause = Some(cause(program, contract, candidate));
        }
        Some(Settled { finding, property, witness: Some(candidate.witness.clone()) })
    }

    /// Why the JVM did not get to the end of a witness.
    fn failures(&self) -> Vec<Gap> {
        let failed = self.replayed.iter().find_map(|result| match result {
            Replayed::Failed(reason) => Some(reason),
            Replayed::Answers(_) | Replayed::NotRun => None,
        });
        let gap =
            failed.map(|reason| Gap::new(GapKind::NotReplayed, format!("on the JVM: {reason}")));
        gap.into_iter().collect()
    }

    /// What the JVM answered, else what the machine did; numbers by chance stay unnamed.
    fn seen(&self, candidate: &Candidate) -> Vec<Answer> {
        let at = self.question.candidates.iter().position(|it| std::ptr::eq(it, candidate));
        let replayed = at.and_then(|at| self.replayed.get(at));
        match replayed {
            // Which hash codes are by chance, nobody knows then.
            Some(Replayed::Answers(answers)) if candidate.certainty == Certainty::Blind => answers
                .iter()
                .map(|seen| match seen {
                    Answer::Int(_) if self.question.property == Property::HashConsistent => {
                        Answer::Chance
                    }
                    Answer::Int(_)
                    | Answer::Boolean(_)
                    | Answer::Chance
                    | Answer::Threw(_)
                    | Answer::Seen(_) => seen.clone(),
                })
                .collect(),
            Some(Replayed::Answers(answers)) => answers
                .iter()
                .zip(&candidate.answers)
                .map(|(seen, expected)| match expected {
                    Answer::Chance => Answer::Chance,
                    // Of guessed identity hash codes: another run has others.
                    Answer::Int(_)
                        if candidate.certainty == Certainty::Guessed && seen != expected =>
                    {
                        Answer::Chance
                    }
                    Answer::Boolean(_) | Answer::Int(_) | Answer::Threw(_) | Answer::Seen(_) => {
                        seen.clone()
                    }
                })
                .collect(),
            Some(Replayed::Failed(_) | Replayed::NotRun) | None => candidate.answers.clone(),
        }
    }

    fn classes(&self, program: &Program, candidate: &Candidate) -> Vec<String> {
        let taking_part = candidate.classes.iter().copied().filter(|&id| {
            program.role(id) != Role::Platform || program.role(self.class) == Role::Platform
        });
        let mut names: Vec<String> = Vec::new();
        for id in std::iter::once(self.class).chain(taking_part) {
            let name = program.class_text(program.class_name(id));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// Where the method is.
fn place(program: &Program, open: &Open) -> Subject {
    let (class, method) = program.method(open.question.method);
    let names = &program.names;
    let file = class.file.source_file().ok().flatten();
    Subject {
        class: Some(program.class_text(class.name)),
        method: Some(format!("{}{}", names.text(method.name), names.text(method.descriptor))),
        file: file.map(|utf8| classfile::mutf8::decode_lossy(class.file.bytes(utf8)).into_owned()),
        line: program.lines(open.question.method).first().map(u32::from),
    }
}
