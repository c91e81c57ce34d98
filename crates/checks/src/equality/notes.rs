//! The design problem behind a violation, where one is recognised, and the fix.
//!
//! After the EQ thesis (tables 2.4, 4.4, 4.5). A note is advice: the verdict does not rest on it.

mod shape;

use program::{ClassId, Program};

use super::contract::{Contract, hash_code_member};
use super::message::simple_name;
use super::property::Property;
use super::search::Candidate;
use crate::finding::Cause;
use crate::verdict::Need;
use crate::witness::{Effect, Recipe, find_method};
pub(super) use shape::shape;
use shape::{Shape, fields_read, fields_written};

/// A hash code that was kept while what it was computed from changed.
struct Stale<'a> {
    /// The field that keeps it.
    kept_in: String,
    /// The method that should have reset it.
    changed_by: &'a str,
}

/// Whether an object of the candidate was asked for its hash code, which keeps the answer in a field,
/// and then changed by a method that does not write that field.
fn stale<'a>(
    program: &Program,
    contract: &Contract,
    candidate: &'a Candidate,
) -> Option<Stale<'a>> {
    let class = candidate.classes.first().and_then(|&id| program.class(id))?;
    let hash_code = contract.hash_code_of(program, class)?;
    let cached = fields_written(program, hash_code);
    let histories = candidate.witness.objects.iter().filter_map(|recipe| {
        if let Recipe::After { effects, .. } = &**recipe { Some(&effects[..]) } else { None }
    });
    for effects in histories {
        let [Effect::Call { method: asked, .. }, later @ ..] = effects else { continue };
        if asked.name != hash_code_member().name {
            continue;
        }
        for effect in later {
            let Effect::Call { method, .. } = effect else { continue };
            let Ok(changing) = find_method(program, method) else { continue };
            let reset = fields_written(program, changing);
            if let Some(&field) = cached.iter().find(|field| !reset.contains(field)) {
                let name = program.field(field).1.name;
                let kept_in = program.names.text(name).into_owned();
                return Some(Stale { kept_in, changed_by: &method.name });
            }
        }
    }
    None
}

/// Why equal objects have different hash codes.
pub(super) fn cause(program: &Program, contract: &Contract, candidate: &Candidate) -> Cause {
    let class = candidate.classes.first().and_then(|&id| program.class(id));
    let Some(class) = class else { return Cause::Other };
    let (Some(equals), Some(hash_code)) =
        (contract.equals_of(program, class), contract.hash_code_of(program, class))
    else {
        return Cause::Other;
    };
    if contract.is_objects(program, hash_code) {
        return Cause::NoHashCode;
    }
    if stale(program, contract, candidate).is_some() {
        return Cause::Other;
    }
    let compared = fields_read(program, equals);
    let hashed = fields_read(program, hash_code);
    if hashed.is_empty() {
        Cause::Other
    } else if hashed.is_subset(&compared) {
        Cause::ComparedMoreLooselyThanHashed
    } else {
        Cause::HashedNotCompared
    }
}

/// What a reader should know about the code behind the candidate.
pub(super) fn notes(
    program: &Program,
    contract: &Contract,
    property: Property,
    candidate: &Candidate,
) -> Vec<String> {
    let Some(class) = candidate.classes.first().and_then(|&id| program.class(id)) else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    match property {
        Property::Reflexive
        | Property::Symmetric
        | Property::Transitive
        | Property::Null
        | Property::Total
        | Property::HashConsistent => {
            let equals = contract.equals_of(program, class);
            let shape = equals.map(|method| shape(program, contract, method)).unwrap_or_default();
            notes.extend(shape_notes(&shape, property));
            notes.extend(other_method_note(program, &shape));
            notes.extend(kinship_note(program, contract, property, candidate, &shape));
            notes.extend(real_note(property, candidate));
            if property == Property::HashConsistent {
                notes.extend(stale(program, contract, candidate).map(|stale| {
                    format!(
                        "hashCode keeps its answer in the field {}, and {} changes what equals \
                         compares without resetting it",
                        stale.kept_in, stale.changed_by
                    )
                }));
            }
        }
        Property::Overloaded => notes.push(
            "an overload of equals stands beside or in place of an override; collections call \
             equals(Object) only, so remove the overload or let it call equals((Object) other)"
                .to_owned(),
        ),
        Property::CompareAntisymmetric | Property::CompareTransitive
            if candidate.needs.contains(&Need::Extreme) =>
        {
            notes.push(
                "a difference of large numbers overflows; Integer.compare and Long.compare do not"
                    .to_owned(),
            );
        }
        Property::HashStable
        | Property::CompareAntisymmetric
        | Property::CompareTransitive
        | Property::CompareTotal
        | Property::CompareConsistent => {}
    }
    notes
}

fn shape_notes(shape: &Shape, property: Property) -> Vec<String> {
    let mut notes: Vec<&str> = Vec::new();
    if shape.catches_cast {
        notes.push(
            "equals tests the type by catching ClassCastException; use instanceof, which says what \
             is meant and hides nothing",
        );
    }
    if shape.tests_this {
        notes.push("equals tests the type of this, not of its argument");
    }
    match shape.constant {
        Some(true) => notes.push("equals always returns true"),
        Some(false) => notes.push("equals always returns false"),
        None if shape.always_throws => notes.push("equals always throws"),
        None => {}
    }
    if shape.passes_on {
        notes.push(
            "equals passes its argument on to the object that it wraps; unwrap both sides, or \
             compare wrappers with wrappers only",
        );
    }
    if shape.compares_with_itself {
        notes.push("equals compares a field with itself");
    }
    if shape.ignores_case && property == Property::HashConsistent {
        notes.push(
            "equals ignores case; compute the hash code of a form that is the same in either case",
        );
    }
    notes.into_iter().map(str::to_owned).collect()
}

fn other_method_note(program: &Program, shape: &Shape) -> Option<String> {
    let (field, method) = shape.other_method?;
    let (field, method) = (program.names.text(field), program.names.text(method));
    Some(format!(
        "equals compares the field {field} by {method} and not by equals: that must work both ways, be \
         transitive, and agree with the hash code"
    ))
}

/// The interface of the JDK that says what both objects are equal to, if there is one.
fn promise(program: &Program, x: ClassId, y: ClassId) -> Option<&'static str> {
    const PROMISING: [(&str, &str); 4] = [
        ("java/util/Map", "Map"),
        ("java/util/List", "List"),
        ("java/util/Set", "Set"),
        ("java/util/Map$Entry", "Map.Entry"),
    ];
    let is_a = |class: ClassId, id: ClassId| program.is_subtype(class, id) == Some(true);
    let found = PROMISING.into_iter().find(|(name, _)| {
        program.find_class_text(name).is_some_and(|id| is_a(x, id) && is_a(y, id))
    });
    found.map(|(_, name)| name)
}

/// How the classes of the two objects are related, if that is the problem.
fn kinship_note(
    program: &Program,
    contract: &Contract,
    property: Property,
    candidate: &Candidate,
    shape: &Shape,
) -> Option<String> {
    if !matches!(property, Property::Symmetric | Property::Transitive) {
        return None;
    }
    let &[x, y, ..] = &candidate.classes[..] else { return None };
    let related = |sub: ClassId, sup: ClassId| program.is_subtype(sub, sup) == Some(true);
    if x == y {
        return None;
    }
    let author = |id: ClassId| contract.equals_of(program, program.class(id)?).map(|it| it.class);
    let (sub, sup) = if related(x, y) { (x, y) } else { (y, x) };
    if let Some(interface) = promise(program, x, y) {
        return Some(format!(
            "{interface} promises what its objects are equal to, whatever their class; a class that means \
             something else by equality should hold a {interface}, not be one"
        ));
    }
    if !related(sub, sup) {
        let is_unrelated = author(x).is_none_or(|author| !related(y, author));
        return is_unrelated.then(|| {
            format!(
                "{} takes an object of another type for equal, which cannot agree: that is \
                 similarity, and deserves a method of its own name",
                simple_name(program, x)
            )
        });
    }
    (author(sub) != author(sup) && !shape.compares_classes).then(|| {
        format!(
            "{} overrides the equals of {} and compares more or less than it; compare getClass() \
             in both, or make equals final in {}",
            simple_name(program, sub),
            simple_name(program, sup),
            simple_name(program, sup)
        )
    })
}

fn real_note(property: Property, candidate: &Candidate) -> Option<String> {
    let by_real =
        candidate.needs.contains(&Need::Nan) || candidate.needs.contains(&Need::NegativeZero);
    let is_about = matches!(property, Property::Reflexive | Property::HashConsistent);
    (by_real && is_about).then(|| {
        "floating-point numbers are compared with ==; Double.compare(a, b) == 0 and \
         Float.compare(a, b) == 0 agree with the hash codes of boxes, and NaN equals itself"
            .to_owned()
    })
}
