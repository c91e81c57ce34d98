//! Collections of the platform that say of themselves that they break the contract of their interface: those
//! that compare by identity, and those that compare by an order which is given to them.
//!
//! Proofs take the contract of a `Map` in a field at its word, whoever made it. That is no assumption to make where
//! the class's own code makes such a one.

use std::collections::{BTreeMap, BTreeSet};

use classfile::{Constant, MemberRef};
use program::{Class, ClassId, Program, Role};
use symex::symbolic::Trust;

use super::parts::Asked;
use super::proof::Proof;
use super::property::Property;
use crate::verdict::{Gap, GapKind};

/// A class, the parameters of constructors that make it lawless (of all, if there are none), and the contracts
/// that its objects and their views then break.
struct Lawless {
    class: &'static str,
    parameters: &'static str,
    breaks: &'static [&'static str],
}

const BY_ORDER: &str = "(Ljava/util/Comparator;)V";
const MAPS: &[&str] = &["java/util/Map", "java/util/Set", "java/util/Collection"];
const SETS: &[&str] = &["java/util/Set", "java/util/Collection"];

const LAWLESS: [Lawless; 5] = [
    Lawless { class: "java/util/IdentityHashMap", parameters: "", breaks: MAPS },
    Lawless { class: "java/util/TreeMap", parameters: BY_ORDER, breaks: MAPS },
    Lawless { class: "java/util/TreeSet", parameters: BY_ORDER, breaks: SETS },
    Lawless {
        class: "java/util/concurrent/ConcurrentSkipListMap",
        parameters: BY_ORDER,
        breaks: MAPS,
    },
    Lawless {
        class: "java/util/concurrent/ConcurrentSkipListSet",
        parameters: BY_ORDER,
        breaks: SETS,
    },
];

/// Opens proofs that rest on a contract which the code around the class breaks.
pub(super) fn open_what_own_code_breaks(program: &Program, asked: &mut [Asked<'_>]) {
    let trusting = asked.iter().filter(|one| !trusted(program, one).is_empty());
    let sources: BTreeSet<String> = trusting.map(|one| program.outermost_text(one.class)).collect();
    if sources.is_empty() {
        return;
    }
    let makers = makers_in(program, &sources);
    for one in asked {
        let breaks = makers.get(&program.outermost_text(one.class));
        let is_broken = |it: &&&Lawless| {
            let mut trusted = trusted(program, one).into_iter();
            trusted.any(|held| it.breaks.iter().any(|law| is_under(program, held, law)))
        };
        if let Some(lawless) = breaks.and_then(|it| it.iter().find(is_broken)) {
            let detail = format!(
                "its code makes a {}, which breaks the contract that it rests on",
                lawless.class.replace('/', ".")
            );
            one.question.proof = Proof::Open(vec![Gap::new(GapKind::Approximation, detail)]);
        }
    }
}

/// The classes of the platform whose equality a proof takes at its word.
fn trusted(program: &Program, one: &Asked<'_>) -> Vec<ClassId> {
    let Proof::Holds(scope) = &one.question.proof else { return Vec::new() };
    // That they answer, and say no to null, is true of all.
    if matches!(one.question.property, Property::Null | Property::Total | Property::CompareTotal) {
        return Vec::new();
    }
    let trusted = scope.assumptions.iter().filter_map(|assumption| Trust::of(assumption));
    let classes = trusted.filter_map(|(name, _)| program.find_class_text(&name.replace('.', "/")));
    classes.filter(|&id| program.role(id) == Role::Platform).collect()
}

/// Whether an object of the class may be one of this interface that keeps its contract, or should.
fn is_under(program: &Program, held: ClassId, law: &str) -> bool {
    program.find_class_text(law).is_none_or(|law| {
        let is_below = |one, other| program.is_subtype(one, other) != Some(false);
        is_below(held, law) || is_below(law, held)
    })
}

/// By source file, the lawless collections that it makes.
fn makers_in(
    program: &Program,
    sources: &BTreeSet<String>,
) -> BTreeMap<String, Vec<&'static Lawless>> {
    let mut makers: BTreeMap<String, Vec<&'static Lawless>> = BTreeMap::new();
    for id in program.class_ids(Role::Judged) {
        let source = program.outermost_text(id);
        if let Some(class) = program.class(id).filter(|_| sources.contains(&source)) {
            let made = LAWLESS.iter().filter(|it| makes(class, it));
            makers.entry(source).or_default().extend(made);
        }
    }
    makers
}

fn makes(class: &Class, lawless: &Lawless) -> bool {
    class.file.pool().constants().any(|constant| match constant {
        Constant::Member(MemberRef { class: owner, name, descriptor, .. }) => {
            class.file.bytes(owner) == lawless.class.as_bytes()
                && class.file.bytes(name) == b"<init>"
                && class.file.bytes(descriptor).starts_with(lawless.parameters.as_bytes())
        }
        _ => false,
    })
}
