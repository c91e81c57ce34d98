//! Objects that hold what breaks a rule: where a part is broken the whole often is, and the part's own
//! objects show it.

use std::sync::Arc;

use program::{Class, ClassId, Program};
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

/// Objects that break rules, as far as they are known.
pub struct Broken(Vec<(Property, Candidate)>);

impl Broken {
    /// One candidate of each question that has any.
    pub fn new(examined: &[Examined]) -> Broken {
        let questions = examined.iter().flat_map(|examined| &examined.questions);
        let shown = questions.filter_map(|question| {
            let is_plain = |step: &Step| matches!(step, Step::Ask(_));
            let mut candidates = question.candidates.iter();
            let shown =
                candidates.find(|it| !it.is_blind() && it.witness.steps.iter().all(is_plain))?;
            Some((question.property, shown.clone()))
        });
        Broken(shown.collect())
    }
}

/// Tries the questions of a class that are open, or whose proof rests on others, on objects that hold
/// broken parts; whether that showed anything.
pub fn try_with_broken_parts(
    survey: &Survey<'_>,
    examined: &mut Examined,
    broken: &Broken,
    limits: &Limits,
) -> bool {
    let subject = examined.subject.clone();
    let mut is_changed = false;
    for question in examined.questions.iter_mut().filter(|it| is_worth_it(it)) {
        let shown = guarded(|| shown_by_parts(survey, &subject, question.property, broken, limits));
        let shown = shown.unwrap_or_default();
        if !shown.is_empty() {
            (question.candidates, question.proof) = (shown, Proof::NotAsked);
            is_changed = true;
        }
    }
    if examined.questions.iter().any(super::is_hash_broken) {
        examined.questions.retain(|question| question.property != Property::HashStable);
    }
    is_changed
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

fn shown_by_parts(
    survey: &Survey<'_>,
    subject: &Subject,
    property: Property,
    broken: &Broken,
    limits: &Limits,
) -> Vec<Candidate> {
    let program = survey.program;
    if subject.provider.is_some() || (property.is_order() && subject.compare_to.is_none()) {
        return Vec::new();
    }
    let parts = parts_of(program, subject.class);
    let is_held = |candidate: &Candidate| {
        let fits = |part: ClassId| {
            let mut classes = candidate.classes.iter();
            classes.all(|&class| program.is_subtype(class, part) == Some(true))
        };
        parts.iter().any(|&part| program.class_name(part) != program.known.object && fits(part))
    };
    let near = broken.0.iter().filter(|(rule, candidate)| *rule == property && is_held(candidate));
    let near: Vec<&Candidate> = near.map(|(_, candidate)| candidate).take(MOST_PARTS).collect();
    if near.is_empty() {
        return Vec::new();
    }
    for class in built_classes(survey, subject) {
        for part in near.iter().filter(|part| is_open_to(program, part, class)) {
            let shown = shown_by(survey, subject, (class, property), part, limits);
            if !shown.is_empty() {
                return shown;
            }
        }
    }
    Vec::new()
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

/// Candidates among objects of the class that hold the part's objects.
fn shown_by(
    survey: &Survey<'_>,
    subject: &Subject,
    (class, property): (&Class, Property),
    part: &Candidate,
    limits: &Limits,
) -> Vec<Candidate> {
    let (program, index) = (survey.program, &survey.index);
    let mut machine = new_machine(program, limits);
    let harvest = Harvest::of(program, class, &subject.methods());
    let view = View { program, index, package: package_of(program, class.name), harvest };
    let mut supply = Supply::new(view, EFFORT);
    let recipes: &[Arc<Recipe>] = &part.witness.objects;
    supply.number_beyond(recipes);
    let groups = supply.holding(&mut machine, class, recipes, &part.classes);
    let table = Table::new(&mut machine, Vec::new(), EFFORT);
    let mut search = Search { contract: &survey.contract, subject, table, supply, n_discarded: 0 };
    for group in groups {
        let items = group.into_iter().map(Item::new).collect();
        let shown = search.among(property, items, limits);
        if !shown.is_empty() {
            return shown;
        }
    }
    Vec::new()
}
