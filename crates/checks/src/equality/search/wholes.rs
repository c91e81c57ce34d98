//! Objects that hold what breaks a rule: where a part is broken the whole often is, and the part's own
//! objects show it.

use std::sync::Arc;

use program::{Class, ClassId, Program};
use rustc_hash::FxHashSet;
use symex::symbolic::Trust;

use super::super::fault::guarded;
use super::super::parts::parts_of;
use super::super::pool::{Item, package_of};
use super::super::proof::Proof;
use super::super::property::Property;
use super::super::subjects::{Subject, relatives};
use super::super::survey::Survey;
use super::super::table::Table;
use super::{Candidate, Examination, Examined, Limits, Search, new_machine};
use crate::witness::supply::{Harvest, Supply, View};
use crate::witness::{Access, Recipe, Step};

/// Instructions for building wholes with one part, and for asking them.
const EFFORT: u64 = 300_000;
/// Broken parts that are tried for one question.
const MOST_PARTS: usize = 5;

/// Objects that break rules, of questions that were not known to be broken a round before.
#[derive(Default)]
pub struct Broken {
    found: Vec<(Property, Candidate)>,
    /// Questions by the place of their class.
    known: FxHashSet<(usize, Property)>,
}

impl Broken {
    /// Takes one candidate of each question that has any since the last time; whether there are some.
    pub fn renew(&mut self, examined: &[Examined]) -> bool {
        self.found.clear();
        let questions = examined.iter().enumerate();
        let questions = questions.flat_map(|(at, it)| it.questions.iter().map(move |it| (at, it)));
        for (at, question) in questions {
            let is_plain = |step: &Step| matches!(step, Step::Ask(_));
            let mut candidates = question.candidates.iter();
            let shown =
                candidates.find(|it| !it.is_blind() && it.witness.steps.iter().all(is_plain));
            if let Some(shown) = shown
                && self.known.insert((at, question.property))
            {
                self.found.push((question.property, shown.clone()));
            }
        }
        !self.found.is_empty()
    }

    /// Those that break a rule and that a class may hold.
    fn held_by(&self, program: &Program, class: ClassId, property: Property) -> Vec<&Candidate> {
        let parts = parts_of(program, class);
        let is_held = |candidate: &Candidate| {
            let fits = |part: ClassId| {
                let mut classes = candidate.classes.iter();
                classes.all(|&class| program.is_subtype(class, part) == Some(true))
            };
            parts.iter().any(|&part| program.class_name(part) != program.known.object && fits(part))
        };
        let near =
            self.found.iter().filter(|(rule, candidate)| *rule == property && is_held(candidate));
        near.map(|(_, candidate)| candidate).take(MOST_PARTS).collect()
    }
}

/// A question of a class, by its place, and broken parts that may show it.
struct Open<'b> {
    at: usize,
    property: Property,
    parts: Vec<&'b Candidate>,
}

/// Tries the questions of a class that are open, or whose proof rests on others, on objects that hold
/// broken parts.
pub fn try_with_broken_parts(
    survey: &Survey<'_>,
    examined: &mut Examined,
    broken: &Broken,
    limits: &Limits,
) {
    let subject = examined.subject.clone();
    let mut open: Vec<Open<'_>> = Vec::new();
    for (at, question) in examined.questions.iter().enumerate().filter(|(_, it)| is_worth_it(it)) {
        let property = question.property;
        if subject.provider.is_some() || (property.is_order() && subject.compare_to.is_none()) {
            continue;
        }
        let parts = broken.held_by(survey.program, subject.class, property);
        if !parts.is_empty() {
            open.push(Open { at, property, parts });
        }
    }
    if open.is_empty() {
        return;
    }
    for class in built_classes(survey, &subject) {
        let shown = guarded(|| shown_by_objects_of(survey, &subject, class, &open, limits));
        for (at, candidates) in shown.unwrap_or_default() {
            let question = &mut examined.questions[at];
            (question.candidates, question.proof) = (candidates, Proof::NotAsked);
            open.retain(|question| question.at != at);
        }
    }
    if examined.questions.iter().any(super::is_hash_broken) {
        examined.questions.retain(|question| question.property != Property::HashStable);
    }
}

fn is_worth_it(question: &Examination) -> bool {
    let is_asked = match question.property {
        Property::Reflexive
        | Property::Symmetric
        | Property::Transitive
        | Property::Total
        | Property::HashConsistent
        | Property::CompareAntisymmetric
        | Property::CompareTransitive
        | Property::CompareTotal => true,
        Property::Null
        | Property::HashStable
        | Property::Overloaded
        | Property::CompareConsistent => false,
    };
    let rests_on_others = match &question.proof {
        Proof::Holds(scope) => scope.assumptions.iter().any(|it| Trust::of(it).is_some()),
        Proof::Open(_) => true,
        Proof::Broken(_) | Proof::NotAsked => false,
    };
    is_asked && rests_on_others && question.candidates.iter().all(Candidate::is_blind)
}

/// The class itself, or some below it where it has no objects of its own.
fn built_classes<'p>(survey: &Survey<'p>, subject: &Subject) -> Vec<&'p Class> {
    const MOST_BELOW: usize = 2;
    let program = survey.program;
    let Some(class) = program.class(subject.class) else { return Vec::new() };
    if !class.access_flags.is_abstract() {
        return vec![class];
    }
    let below = relatives(survey, subject).into_iter();
    let below = below.filter(|&id| program.is_subtype(id, subject.class) == Some(true));
    below.filter_map(|id| program.class(id)).take(MOST_BELOW).collect()
}

/// Whether the package of a class may make the part.
fn is_open_to(program: &Program, part: &Candidate, class: &Class) -> bool {
    let package = program.names.text(class.name).into_owned();
    let package = package.rsplit_once('/').map_or("", |(package, _)| package);
    let members = part.witness.objects.iter().flat_map(|recipe| recipe.members());
    members.into_iter().all(|member| match member.access {
        Access::Public => true,
        Access::Package => {
            member.class.rsplit_once('/').map_or("", |(package, _)| package) == package
        }
        Access::Closed => false,
    })
}

/// Candidates among objects of the class that hold broken parts, by the places of their questions. All
/// are built in one machine: what initialisers take would be the most of it else.
fn shown_by_objects_of(
    survey: &Survey<'_>,
    subject: &Subject,
    class: &Class,
    open: &[Open<'_>],
    limits: &Limits,
) -> Vec<(usize, Vec<Candidate>)> {
    let (program, index) = (survey.program, &survey.index);
    let mut machine = new_machine(program, limits);
    let harvest = Harvest::of(program, class, &subject.methods());
    let view = View { program, index, package: package_of(program, class.name), harvest };
    let supply = Supply::new(view, EFFORT);
    let table = Table::new(&mut machine, Vec::new(), EFFORT);
    let mut search = Search::new(&survey.contract, subject, table, supply);
    let parts = open.iter().flat_map(|question| &question.parts);
    let parts: Vec<&Candidate> =
        parts.copied().filter(|it| is_open_to(program, it, class)).collect();
    search.supply.number_beyond(parts.iter().flat_map(|part| &part.witness.objects));
    let mut tried: Vec<&[Arc<Recipe>]> = Vec::new();
    let mut shown: Vec<(usize, Vec<Candidate>)> = Vec::new();
    for part in parts {
        let recipes: &[Arc<Recipe>] = &part.witness.objects;
        if tried.contains(&recipes) {
            continue;
        }
        tried.push(recipes);
        let asked = |question: &&Open<'_>| {
            let mut parts = question.parts.iter();
            parts.any(|part| *part.witness.objects == *recipes)
                && shown.iter().all(|&(at, _)| at != question.at)
        };
        let asked: Vec<&Open<'_>> = open.iter().filter(asked).collect();
        if asked.is_empty() {
            continue;
        }
        (search.supply.instructions, search.table.instructions) = (EFFORT, EFFORT);
        let groups = search.supply.holding(search.table.machine, class, recipes, &part.classes);
        let groups: Vec<Vec<Item>> =
            groups.into_iter().map(|group| group.into_iter().map(Item::new).collect()).collect();
        for question in asked {
            let found = groups.iter().find_map(|group| {
                let found = search.among(question.property, group.clone(), limits);
                (!found.is_empty()).then_some(found)
            });
            shown.extend(found.map(|found| (question.at, found)));
        }
    }
    shown
}
