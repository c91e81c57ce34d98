//! Proofs of symmetry against classes that may take any object for equal.
//!
//! A proof asks those back that are near the class. Of all others that are analysed it is known whether their
//! `equals` refuses what is a stranger to it; where it may not, the proof is open.

use std::collections::BTreeSet;

use program::ClassId;

use super::parts::Asked;
use super::proof::Proof;
use super::property::Property;
use super::prover::{Openness, Strangers, kinds};
use super::subjects::Subject;
use super::survey::Survey;
use crate::verdict::{Gap, GapKind};

pub(super) fn open_what_strangers_accept(survey: &Survey<'_>, asked: &mut [Asked<'_>]) {
    let program = survey.program;
    let subject = |class: ClassId| {
        survey.subjects.iter().find(|it| it.class == class && it.provider.is_none())
    };
    let open = survey.open().into_iter().filter_map(|(class, openness)| {
        Some(Accepting { class, kinds: kinds(program, subject(class)?), openness })
    });
    let open: Vec<Accepting> = open.collect();
    for one in asked.iter_mut().filter(|it| it.question.property == Property::Symmetric) {
        let Proof::Holds(scope) = &mut one.question.proof else { continue };
        let Some(subject) = subject(one.class) else { continue };
        let own = open.iter().find(|it| it.class == subject.class);
        let refuses = own.is_none_or(|it| it.openness.strangers == Strangers::Refused);
        let mut assumptions = BTreeSet::new();
        let others = open.iter().filter(|it| !it.knows(survey, subject.class));
        let mut others = others.inspect(|it| assumptions.extend(&it.openness.assumptions));
        if let Some(other) = others.find(|it| it.may_accept(survey, subject, refuses)) {
            let name = program.class_text(program.class_name(other.class));
            let detail = format!("that {name} takes none of its objects for equal was not proved");
            one.question.proof = Proof::Open(vec![Gap::new(GapKind::Approximation, detail)]);
            continue;
        }
        assumptions.retain(|it| !scope.assumptions.contains(it));
        scope.assumptions.extend(assumptions.into_iter().cloned());
    }
}

/// An `equals` that may say yes to strangers.
struct Accepting {
    class: ClassId,
    /// Objects of these types are no strangers to it.
    kinds: Vec<ClassId>,
    openness: Openness,
}

impl Accepting {
    /// Whether the objects of a class are no strangers to it.
    fn knows(&self, survey: &Survey<'_>, class: ClassId) -> bool {
        self.kinds.iter().any(|&kind| survey.program.is_subtype(class, kind) == Some(true))
    }

    /// Whether it may say yes to objects of a class, which may refuse strangers itself.
    fn may_accept(&self, survey: &Survey<'_>, subject: &Subject, refuses: bool) -> bool {
        match &self.openness.strangers {
            Strangers::Refused => false,
            Strangers::Open => true,
            // A part keeps its contract: it says yes to those alone that would say yes to it.
            Strangers::AsItsParts(parts) => {
                let accepted = kinds(survey.program, subject);
                !refuses || parts.iter().any(|&part| meet(survey, part, &accepted))
            }
        }
    }
}

/// Whether an analysed class is of both types.
fn meet(survey: &Survey<'_>, part: ClassId, kinds: &[ClassId]) -> bool {
    let world = survey.index.world();
    let of_part = |&id: &ClassId| survey.program.is_subtype(id, part) != Some(false);
    kinds.iter().any(|&kind| of_part(&kind) || world.subtypes(kind).iter().any(of_part))
}
