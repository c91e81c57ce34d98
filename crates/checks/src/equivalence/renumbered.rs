//! Anonymous and local classes, which compilers number: a new one before them, and all have other numbers.
//!
//! Which class became which is told by what they are: the class and the method around them, what they extend and
//! implement, their code. It is a guess that nothing rests on: pairs are judged like classes of one name, and a
//! class that has no pair is one that only its own version has, whatever number it bears.

use std::collections::{BTreeMap, BTreeSet};

use program::ir::print_body;
use program::{Class, Lines, Program, Role};

/// What is taken for granted of those that use such classes.
pub(super) const RENUMBERED: &str =
    "anonymous and local classes that have another number now are not looked at by their names";

/// What the old version's classes are to be called so that pairs have one name, that of the new version:
/// internal names, only those that change.
pub fn renumbered(old: &Program, new: &Program) -> BTreeMap<String, String> {
    let (mut before, mut after) = (numbered(old), numbered(new));
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    // Shorter names first: what is nested in a numbered class goes with it.
    let mut hosts: Vec<String> = before.keys().cloned().collect();
    hosts.sort_by_key(|it| (it.len(), it.clone()));
    for host in hosts {
        let ones = before.remove(&host).unwrap_or_default();
        let twos = after.remove(&with_prefix(&names, &host)).unwrap_or_default();
        let host = with_prefix(&names, &host);
        let (pairs, left) = paired(ones, twos);
        names.extend(pairs);
        let mut number = left.iter().map(|it| it.number).max().unwrap_or_default();
        for lone in left {
            let is_taken = |name: &str| new.find_class_text(name).is_some();
            let mut name = format!("{host}${}{}", lone.number, lone.simple);
            while is_taken(&name) || names.values().any(|it| *it == name) {
                number += 1;
                name = format!("{host}${number}{}", lone.simple);
            }
            names.insert(lone.name, name);
        }
    }
    let all = old.class_ids(Role::Judged).map(|id| old.names.text(old.class_name(id)).into_owned());
    let all: Vec<(String, String)> =
        all.map(|name| (name.clone(), with_prefix(&names, &name))).collect();
    let distinct: BTreeSet<&String> = all.iter().map(|(_, now)| now).collect();
    if distinct.len() < all.len() {
        return BTreeMap::new();
    }
    all.into_iter().filter(|(was, now)| was != now).collect()
}

/// The name of a class, where it or what it is nested in has another one.
fn with_prefix(names: &BTreeMap<String, String>, name: &str) -> String {
    let ends = name.match_indices('$').map(|(at, _)| at).chain([name.len()]);
    let longest = ends.rev().find_map(|end| Some((names.get(&name[..end])?, end)));
    longest.map_or_else(|| name.to_owned(), |(now, end)| format!("{now}{}", &name[end..]))
}

/// A class with a number in its name.
struct Numbered {
    name: String,
    number: u32,
    /// What a local class is called; nothing for an anonymous one.
    simple: String,
    /// Supertypes, and what else must be the same in a pair.
    kind: String,
    /// The method around it.
    place: String,
    /// Its members with their code, without numbers.
    code: String,
}

/// By the name of the class around them, in the order of their numbers.
fn numbered(program: &Program) -> BTreeMap<String, Vec<Numbered>> {
    let mut found: BTreeMap<String, Vec<Numbered>> = BTreeMap::new();
    for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
        let name = program.names.text(class.name).into_owned();
        let Some((host, rest)) = name.rsplit_once('$') else { continue };
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(number) = rest[..digits].parse() else { continue };
        if !is_local(program, class) {
            continue;
        }
        let simple = rest[digits..].to_owned();
        let code = without_numbers(&code(program, class));
        let (kind, place) = (kind(program, class), without_numbers(&place(class)));
        let one = Numbered { name: name.clone(), number, simple, kind, place, code };
        found.entry(host.to_owned()).or_default().push(one);
    }
    for classes in found.values_mut() {
        classes.sort_by(|one, two| (one.number, &one.simple).cmp(&(two.number, &two.simple)));
    }
    found
}

/// Whether a class is local or anonymous.
pub(super) fn is_local(program: &Program, class: &Class) -> bool {
    let entries = class.file.inner_classes().unwrap_or_default();
    let name = program.names.bytes(class.name);
    entries.iter().any(|entry| class.file.bytes(entry.inner) == name && entry.outer.is_none())
}

type Pairs = Vec<(String, String)>;
type Fits = dyn Fn(&Numbered, &Numbered) -> bool;

/// Pairs by name, and those of the old version that have none: first by the same code, then by what they are.
fn paired(mut ones: Vec<Numbered>, mut twos: Vec<Numbered>) -> (Pairs, Vec<Numbered>) {
    let mut pairs = Vec::new();
    let is_one = |one: &Numbered, two: &Numbered| one.simple == two.simple && one.kind == two.kind;
    let tiers: [&Fits; 5] = [
        &|one, two| one.code == two.code && one.place == two.place && one.number == two.number,
        &|one, two| one.code == two.code && one.place == two.place,
        &|one, two| one.code == two.code,
        &|one, two| one.place == two.place && one.number == two.number,
        &|one, two| one.place == two.place,
    ];
    for (tier, fits) in tiers.iter().enumerate() {
        let fits = |one: &Numbered, two: &Numbered| is_one(one, two) && fits(one, two);
        let is_alike = tier < 3;
        // Without the same code, two that could be the one are none.
        let is_sure = |ones: &[Numbered], twos: &[Numbered], one: &Numbered| {
            let n_here = ones.iter().filter(|it| is_one(it, one) && it.place == one.place).count();
            let n_there = twos.iter().filter(|it| is_one(one, it) && it.place == one.place).count();
            n_here == n_there
        };
        let mut at = 0;
        while at < ones.len() {
            let other = twos.iter().position(|two| fits(&ones[at], two));
            match other.filter(|_| is_alike || is_sure(&ones, &twos, &ones[at])) {
                Some(other) => {
                    let (one, two) = (ones.remove(at), twos.remove(other));
                    pairs.push((one.name, two.name));
                }
                None => at += 1,
            }
        }
    }
    (pairs, ones)
}

fn kind(program: &Program, class: &Class) -> String {
    let names = class.superclass.iter().chain(&class.interfaces);
    let names: Vec<String> = names.map(|&it| program.names.text(it).into_owned()).collect();
    let is_made = if class.access_flags.is_synthetic() { " synthetic" } else { "" };
    without_numbers(&format!("{}{is_made}", names.join(" ")))
}

/// The method around a class; nothing for initialisers.
fn place(class: &Class) -> String {
    let text = |utf8| classfile::mutf8::decode_lossy(class.file.bytes(utf8)).into_owned();
    let around = class.file.enclosing_method().ok().flatten().and_then(|it| it.method);
    around.map_or_else(String::new, |(name, descriptor)| text(name) + &text(descriptor))
}

fn code(program: &Program, class: &Class) -> String {
    let names = &program.names;
    let mut parts: Vec<String> = class
        .fields()
        .map(|(_, field)| format!("{} {}", names.text(field.name), names.text(field.descriptor)))
        .collect();
    parts.extend(class.methods().map(|(id, method)| {
        let body = program.lower(id).ok().flatten();
        let body = body.map(|body| print_body(&body, &Lines::default(), program));
        let (name, descriptor) = (names.text(method.name), names.text(method.descriptor));
        format!("{name}{descriptor} {}", body.unwrap_or_default())
    }));
    parts.sort();
    parts.join("\n")
}

/// The text with `$#` for each `$` and the digits after it.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split('$');
    let mut found = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        found.push('$');
        if rest.len() < part.len() {
            found.push('#');
        }
        found.push_str(rest);
    }
    found
}
