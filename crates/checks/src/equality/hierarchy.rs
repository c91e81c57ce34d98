//! What kind of equality each type hierarchy has, after the EQ thesis (1.3), and who breaks it.
//!
//! An `equals` to which objects of other classes may be equal is type-compatible, one that keeps to objects
//! of its receiver's class is not; both in one hierarchy is the hybrid kind. Where the code says it plainly,
//! by one `instanceof` or by `getClass()`, that is read off; else the proof of symmetry asked the solver.
//! Who breaks the equality of a hierarchy is taken from the violations that were shown.

use std::collections::{BTreeMap, BTreeSet};

use program::{ClassId, MethodId, Program};

use super::contract::Contract;
use super::notes::shape;
use super::subjects::Subject;
use super::survey::Survey;
use crate::finding::Finding;
use crate::report::{EqualityKind, Hierarchy};
use crate::verdict::Verdict;

/// The hierarchies of the judged classes that define equality.
pub fn hierarchies(survey: &Survey<'_>, findings: &[Finding]) -> Vec<Hierarchy> {
    let Survey { program, contract, subjects, .. } = survey;
    let mut kinds: BTreeMap<ClassId, BTreeSet<bool>> = BTreeMap::new();
    for subject in subjects {
        let Some(equals) = subject.equals else { continue };
        let shape = shape(program, contract, equals);
        // One that only calls its superclass has the kind of that.
        let seen = match (shape.compares_classes, shape.tests_type) {
            (true, _) => Some(false),
            (false, true) => Some(true),
            (false, false) if shape.calls_super => None,
            (false, false) => Some(true),
        };
        let is_compatible = survey.mixes(subject.class).map_or(seen, Some);
        kinds.entry(root(program, subject.class)).or_default().extend(is_compatible);
    }
    let broken = broken(findings);
    let hierarchies = kinds.into_iter().map(|(root, kinds)| Hierarchy {
        root: program.class_text(program.class_name(root)),
        kind: match (kinds.contains(&true), kinds.contains(&false)) {
            (true, true) => EqualityKind::Hybrid,
            (false, true) => EqualityKind::TypeIncompatible,
            (true, false) | (false, false) => EqualityKind::TypeCompatible,
        },
        breaks: members(program, root, subjects)
            .into_iter()
            .filter(|name| broken.contains(name.as_str()))
            .collect(),
    });
    hierarchies.collect()
}

/// Whether the code of an `equals` says by itself whom it takes for equal: those of a type, or of a class.
/// Of a final class there is nobody else.
pub(super) fn is_plain(program: &Program, contract: &Contract, equals: MethodId) -> bool {
    let shape = shape(program, contract, equals);
    let is_final = program.method(equals).0.access_flags.is_final();
    is_final || (shape.compares_classes != shape.tests_type && !shape.calls_super)
}

/// The topmost superclass below `Object`.
fn root(program: &Program, class: ClassId) -> ClassId {
    let chain = program.class(class).map(|class| &program.ancestry(class).superclasses);
    let below = chain.and_then(|chain| {
        chain.iter().copied().rfind(|&id| program.class_name(id) != program.known.object)
    });
    below.unwrap_or(class)
}

fn members(program: &Program, root: ClassId, subjects: &[Subject]) -> Vec<String> {
    let members = subjects.iter().filter(|subject| self::root(program, subject.class) == root);
    members.map(|subject| program.class_text(program.class_name(subject.class))).collect()
}

/// Classes that take part in a violation of symmetry or transitivity.
fn broken(findings: &[Finding]) -> BTreeSet<&str> {
    let shown = findings.iter().filter(|finding| {
        matches!(finding.verdict, Verdict::Violated(_))
            && matches!(finding.rule.name, "equals-symmetric" | "equals-transitive")
    });
    shown.flat_map(|finding| finding.classes.iter().map(String::as_str)).collect()
}
