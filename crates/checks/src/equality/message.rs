//! One sentence about a violation, for a Java developer who has never heard of this tool.

use program::{ClassId, Program, Type};

use super::property::Property;
use super::search::Candidate;
use crate::verdict::Need;
use crate::witness::{Answer, Operand, Recipe, Step, needs};

/// What the candidate shows.
pub(super) fn sentence(program: &Program, property: Property, candidate: &Candidate) -> String {
    let objects = candidate.classes.iter().zip(&candidate.witness.objects);
    let names: Vec<String> = objects.map(|(&id, recipe)| kind(program, id, recipe)).collect();
    let name = |at: usize| names.get(at).map_or("object", String::as_str);
    let x = with_needs(name(0), candidate);
    let same = names.iter().all(|other| other == name(0));
    match property {
        Property::Reflexive => format!("{} does not equal itself.", capital(&x)),
        Property::Symmetric if same => {
            format!("Of two {} objects one equals the other, but not the other way round.", name(0))
        }
        Property::Symmetric => {
            let (from, to) = match candidate.answers.first() {
                Some(Answer::Boolean(false)) => (1, 0),
                Some(_) | None => (0, 1),
            };
            format!(
                "{} equals {}, but the {} does not equal the {}.",
                capital(&a(name(from))),
                a(name(to)),
                name(to),
                name(from)
            )
        }
        Property::Transitive if same => {
            format!(
                "Of three {} objects the first equals the second and the second the third, but the first does not equal the third.",
                name(0)
            )
        }
        Property::Transitive => format!(
            "{} equals {}, which equals {}, but the first does not equal the third.",
            capital(&x),
            a(name(1)),
            a(name(2))
        ),
        Property::Null => format!("{} equals null.", capital(&x)),
        Property::Total => {
            format!(
                "equals throws {} when {x} is compared with {}.",
                thrown(candidate),
                other(candidate, &names)
            )
        }
        Property::HashConsistent if candidate.classes.len() == 1 => {
            format!("{} that is asked twice for its hash code gives two.", capital(&x))
        }
        Property::HashConsistent if same => {
            format!("Two {} objects are equal, but their hash codes differ.", name(0))
        }
        Property::HashConsistent => {
            format!("{} equals {}, but their hash codes differ.", capital(&x), a(name(1)))
        }
        Property::HashStable => format!(
            "{} equals only itself, but {} changes its hash code, so a HashSet that holds it no longer finds it.",
            capital(&x),
            change(candidate)
        ),
        Property::CompareAntisymmetric => format!(
            "Comparing {} does not give the opposite sign when they change places.",
            two(last(&names, 2))
        ),
        Property::CompareTransitive => {
            format!(
                "The order of {} is not transitive: the comparison of the first with the third contradicts the other two.",
                three(last(&names, 3))
            )
        }
        Property::CompareTotal => {
            format!("Comparing {} throws {}.", two(last(&names, 2)), thrown(candidate))
        }
        Property::CompareConsistent => match candidate.answers.last() {
            Some(Answer::Boolean(true)) => {
                format!("{} are equal, but compareTo does not return 0.", capital(&two(&names)))
            }
            Some(_) | None => {
                format!("compareTo returns 0 for {} that are not equal.", two(&names))
            }
        },
        Property::Overloaded => format!(
            "{} has two methods equals that disagree: which one runs depends on the declared type of the argument.",
            name(0)
        ),
    }
}

/// What a proof shows, or the lack of one leaves open.
pub(super) fn question(name: &str, property: Property, is_shown: bool) -> String {
    let what = match property {
        Property::Reflexive => "equals is reflexive",
        Property::Symmetric => "equals is symmetric",
        Property::Transitive => "equals is transitive",
        Property::Null => "equals(null) is false",
        Property::Total => "equals never throws",
        Property::HashConsistent => "equal objects have equal hash codes",
        Property::HashStable => "the hash code changes only with what equals compares",
        Property::CompareAntisymmetric => "the order is antisymmetric",
        Property::CompareTransitive => "the order is transitive",
        Property::CompareTotal => "comparing never throws",
        Property::CompareConsistent => "the order agrees with equals",
        Property::Overloaded => "the overloads of equals agree",
    };
    if is_shown {
        format!("{name}: {what}.")
    } else {
        format!("{name}: it is not known whether {what}.")
    }
}

/// `Map.Entry` for `java.util.Map$Entry`.
pub(super) fn simple_name(program: &Program, id: ClassId) -> String {
    let text = program.class_text(program.class_name(id));
    let last = text.rsplit('.').next().unwrap_or(&text);
    last.replace('$', ".")
}

/// What an object is called: by its class, or as an array of something.
fn kind(program: &Program, id: ClassId, recipe: &Recipe) -> String {
    let Recipe::Array { component, .. } = recipe else { return simple_name(program, id) };
    let ty = Type::parse(format!("[{component}").as_bytes(), &program.names);
    let text = ty.map_or_else(|| "array".to_owned(), |ty| ty.display(&program.names));
    text.rsplit('.').next().unwrap_or(&text).replace('$', ".")
}

/// `two Item objects`, `an Item and a Sale`.
fn two(names: &[String]) -> String {
    match names {
        [one, other, ..] if one != other => format!("{} and {}", a(one), a(other)),
        [one, ..] => format!("two {one} objects"),
        [] => "two objects".to_owned(),
    }
}

fn three(names: &[String]) -> String {
    match names {
        [one, two, three] if one != two || two != three => {
            format!("{}, {} and {}", a(one), a(two), a(three))
        }
        [one, ..] => format!("{one} objects"),
        [] => "objects".to_owned(),
    }
}

/// What is compared comes last: before it there may be the comparator.
fn last(names: &[String], n: usize) -> &[String] {
    &names[names.len().saturating_sub(n)..]
}

fn with_needs(name: &str, candidate: &Candidate) -> String {
    let needs = match &candidate.witness.objects[..] {
        // Of several, it may be another one that holds it.
        [first, _, ..] => needs(first),
        [_] | [] => candidate.needs.clone(),
    };
    let holds: Vec<&str> = needs
        .iter()
        .filter_map(|need| match need {
            Need::Nan => Some("NaN"),
            Need::NegativeZero => Some("-0.0"),
            Need::Null => Some("null"),
            Need::Extreme => Some("an extreme number"),
            Need::FieldWrite => None,
        })
        .collect();
    let by_argument = candidate.witness.questions().any(|it| it.arguments.contains(&Operand::Null));
    if holds.is_empty() || by_argument {
        return a(name);
    }
    format!("{} that holds {}", a(name), holds.join(" and "))
}

fn thrown(candidate: &Candidate) -> String {
    let class = candidate.answers.iter().find_map(|answer| match answer {
        Answer::Threw(class) => Some(class.rsplit('.').next().unwrap_or(class)),
        Answer::Boolean(_) | Answer::Int(_) | Answer::Chance | Answer::Seen(_) => None,
    });
    a(class.unwrap_or("exception"))
}

fn other(candidate: &Candidate, names: &[String]) -> String {
    let question = candidate.witness.questions().next();
    match question.and_then(|question| question.arguments.first()) {
        Some(Operand::Null) | None => "null".to_owned(),
        Some(Operand::Object(0)) => "itself".to_owned(),
        Some(Operand::Object(at)) => match (names.first(), names.get(*at)) {
            (Some(x), Some(y)) if x == y => format!("another {y}"),
            (_, Some(y)) => a(y),
            (_, None) => "another object".to_owned(),
        },
    }
}

fn change(candidate: &Candidate) -> String {
    let effect = candidate.witness.steps.iter().find_map(|step| match step {
        Step::Do(_, effect) => effect.member().map(|member| member.name.to_string()),
        Step::Ask(_) => None,
    });
    effect.unwrap_or_else(|| "a call".to_owned())
}

/// With the indefinite article.
fn a(name: &str) -> String {
    let first = name.chars().next().unwrap_or('x').to_ascii_lowercase();
    let article = if "aeio".contains(first) { "an" } else { "a" };
    format!("{article} {name}")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
