//! Witnesses for a JVM alone: of objects that the machine cannot build.
//!
//! They are tried where nothing else was found and no proof came about, and count only if they
//! reproduce.

use std::sync::Arc;

use program::{ClassId, Program};

use super::super::contract::{compare_to_member, hash_code_member, question};
use super::super::property::Property;
use super::super::subjects::relatives;
use super::super::survey::Survey;
use super::equals::{ask, ask_null};
use super::{Candidate, Certainty, Search};
use crate::witness::supply::Supply;
use crate::witness::{Operand, Recipe, Step, Witness, needs};
use symex::concrete::Machine;

/// Objects of one class, and candidates for one question.
const MAX_OBJECTS: usize = 10;
const MAX_CANDIDATES: usize = 40;

impl Search<'_, '_, '_> {
    /// Objects of the subject, or of classes below it, that only a JVM can make, by class.
    pub(super) fn blind_objects(
        &mut self,
        survey: &Survey<'_>,
    ) -> Vec<(ClassId, Vec<Arc<Recipe>>)> {
        let below = relatives(survey, self.subject);
        objects(self.table.machine, &mut self.supply, self.subject.class, &below)
    }

    /// Questions about them that would show a violation, and that a compiler lets one ask.
    pub(super) fn blind_candidates(
        &self,
        property: Property,
        objects: &[(ClassId, Vec<Arc<Recipe>>)],
    ) -> Vec<Candidate> {
        let program = self.table.program();
        let compared = self.subject.compare_to.map(|method| self.compared_by(method));
        let is_asked = |class: ClassId| match (property.is_order(), compared) {
            (true, Some(compared)) => {
                compared.is_some_and(|it| program.is_subtype(class, it) == Some(true))
            }
            (_, _) => true,
        };
        let objects: Vec<_> = objects.iter().filter(|(class, _)| is_asked(*class)).collect();
        candidates(property, &objects)
    }
}

fn objects(
    machine: &mut Machine<'_>,
    supply: &mut Supply<'_>,
    class: ClassId,
    relatives: &[ClassId],
) -> Vec<(ClassId, Vec<Arc<Recipe>>)> {
    const MAX_BELOW: usize = 4;
    let program: &Program = supply.view.program;
    let below = relatives.iter().copied().filter(|&id| program.is_subtype(id, class) == Some(true));
    let mut found = Vec::new();
    for id in std::iter::once(class).chain(below.take(MAX_BELOW)) {
        let Some(class) = program.class(id) else { continue };
        if !class.access_flags.is_abstract() {
            let made = supply.blind_objects(machine, class, MAX_OBJECTS);
            found.extend((!made.is_empty()).then_some((id, made)));
        }
    }
    found
}

/// Questions about objects of one class that would show a violation.
fn candidates(property: Property, objects: &[&(ClassId, Vec<Arc<Recipe>>)]) -> Vec<Candidate> {
    let found = objects.iter().flat_map(|(class, recipes)| {
        let witnesses = witnesses(property, recipes);
        witnesses.into_iter().map(|witness| Candidate {
            needs: witness.objects.iter().flat_map(|recipe| needs(recipe)).collect(),
            answers: Vec::new(),
            classes: vec![*class; witness.objects.len()],
            certainty: Certainty::Blind,
            witness,
        })
    });
    let mut found: Vec<Candidate> = found.take(MAX_CANDIDATES).collect();
    found.sort_by_key(|candidate| candidate.needs.len());
    found
}

fn witnesses(property: Property, recipes: &[Arc<Recipe>]) -> Vec<Witness> {
    let n = recipes.len();
    let singles: Vec<Vec<usize>> = (0..n).map(|at| vec![at]).collect();
    // The first with a copy of itself and with each other, then the others with their copies.
    let pairs = (0..n).map(|at| vec![0, at]).chain((1..n).map(|at| vec![at, at]));
    let pairs: Vec<Vec<usize>> = pairs.collect();
    let compare = |x, y| Step::Ask(question(x, compare_to_member(), &[Operand::Object(y)]));
    let hash = |at| Step::Ask(question(at, hash_code_member(), &[]));
    let (chosen, steps): (_, Vec<Step>) = match property {
        Property::Reflexive => (singles, vec![ask(0, 0)]),
        Property::Null => (singles, vec![ask_null(0)]),
        Property::Total => (pairs, vec![ask(0, 1)]),
        Property::Symmetric => (pairs, vec![ask(0, 1), ask(1, 0)]),
        Property::HashConsistent => (pairs, vec![ask(0, 1), hash(0), hash(1)]),
        Property::CompareAntisymmetric => (pairs, vec![compare(0, 1), compare(1, 0)]),
        Property::CompareTotal => (pairs, vec![compare(0, 1)]),
        Property::CompareConsistent => (pairs, vec![compare(0, 1), ask(0, 1)]),
        Property::Transitive
        | Property::HashStable
        | Property::CompareTransitive
        | Property::Overloaded => return Vec::new(),
    };
    let witnesses = chosen.iter().map(|at| {
        const NAMES: [&str; 2] = ["x", "y"];
        Witness {
            names: NAMES[..at.len()].to_vec(),
            objects: at.iter().map(|&at| recipes[at].clone()).collect(),
            steps: steps.clone(),
        }
    });
    witnesses.collect()
}
