//! Which methods are pairs, and which of them need a look.
//!
//! Two bodies are the same code if their lowered forms print alike: constant pools and line numbers
//! are gone by then. A method is unchanged if its code is the same and so is all that it may call and
//! read among the judged classes.

use std::collections::{BTreeMap, BTreeSet};

use program::ir::{Body, CallSite, Const, Op, print_body};
use program::{Class, MethodId, Name, Program, Role};
use rustc_hash::FxHashMap;

use super::proof::Edited;

/// A method in both versions.
#[derive(Debug, Clone)]
pub struct MethodPair {
    pub old: MethodId,
    pub new: MethodId,
    /// Whether its own code differs, rather than something that it calls.
    pub is_edited: bool,
}

/// How the members of two versions relate.
#[derive(Debug, Default)]
pub struct Matching {
    /// To be judged, in the order of the new version.
    pub affected: Vec<MethodPair>,
    pub unchanged: Vec<MethodPair>,
    pub added: usize,
    pub removed: usize,
}

impl Matching {
    /// The classes whose initialisers differ.
    pub fn edited_initialisers(&self, new: &Program) -> Edited {
        let unchanged = self.unchanged.iter().map(|pair| pair.old).collect();
        let mut edited = Edited { unchanged, ..Edited::default() };
        for pair in self.affected.iter().filter(|pair| pair.is_edited) {
            if new.method(pair.new).1.name == new.known.clinit {
                edited.old.insert(pair.old.class);
                edited.new.insert(pair.new.class);
            }
        }
        edited
    }
}

/// Name and descriptor of a method, by text.
type Signature = (String, String);

/// Pairs the judged methods of two programs. `renamed` gives the new name of a class, internal form.
pub fn match_methods(
    old: &Program,
    new: &Program,
    renamed: &BTreeMap<String, String>,
    is_wanted: impl Fn(&str) -> bool,
) -> Matching {
    let mut matching = Matching::default();
    let mut pairs: Vec<MethodPair> = Vec::new();
    // Methods that only one version has: calls that would reach them do something else in the other.
    let mut loose: BTreeSet<Signature> = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for id in new.class_ids(Role::Judged) {
        let Some(class) = new.class(id) else { continue };
        let new_name = new.names.text(class.name).into_owned();
        let old_name = renamed
            .iter()
            .find(|(_, to)| **to == new_name)
            .map_or(new_name.clone(), |(from, _)| from.clone());
        seen.insert(old_name.clone());
        let before = old.find_class_text(&old_name).filter(|&id| old.role(id) == Role::Judged);
        match before.and_then(|id| old.class(id)) {
            Some(before) => {
                let only = pair_members((old, before), (new, class), &mut pairs);
                matching.added += only.added.len();
                matching.removed += only.removed.len();
                loose.extend(only.added.into_iter().chain(only.removed));
            }
            None => {
                matching.added += class.methods.len();
                loose.extend(class.methods().map(|(id, _)| signature(new, id)));
            }
        }
    }
    for id in old.class_ids(Role::Judged) {
        let Some(class) = old.class(id) else { continue };
        if !seen.contains(&*old.names.text(class.name)) {
            matching.removed += class.methods.len();
            loose.extend(class.methods().map(|(id, _)| signature(old, id)));
        }
    }
    for pair in &mut pairs {
        pair.is_edited = !is_same_code(old, new, pair);
    }
    let affected = spread(new, &pairs, &loose);
    for (at, pair) in pairs.into_iter().enumerate() {
        let (class, _) = new.method(pair.new);
        if !is_wanted(&new.class_text(class.name)) {
            continue;
        }
        if affected.contains(&at) {
            matching.affected.push(pair);
        } else {
            matching.unchanged.push(pair);
        }
    }
    matching
}

/// Members that only one version of a class has.
struct Only {
    added: Vec<Signature>,
    removed: Vec<Signature>,
}

fn pair_members(
    (old, before): (&Program, &Class),
    (new, after): (&Program, &Class),
    pairs: &mut Vec<MethodPair>,
) -> Only {
    let mut left: BTreeMap<Signature, MethodId> =
        before.methods().map(|(id, _)| (signature(old, id), id)).collect();
    let mut added = Vec::new();
    for (id, _) in after.methods() {
        let signature = signature(new, id);
        match left.remove(&signature) {
            Some(before) => pairs.push(MethodPair { old: before, new: id, is_edited: false }),
            None => added.push(signature),
        }
    }
    Only { added, removed: left.into_keys().collect() }
}

fn signature(program: &Program, method: MethodId) -> Signature {
    let (_, declared) = program.method(method);
    let text = |name: Name| program.names.text(name).into_owned();
    (text(declared.name), text(declared.descriptor))
}

fn is_same_code(old: &Program, new: &Program, pair: &MethodPair) -> bool {
    let ((old_class, before), (new_class, after)) = (old.method(pair.old), new.method(pair.new));
    if before.access_flags != after.access_flags
        || supertypes(old, old_class) != supertypes(new, new_class)
    {
        return false;
    }
    // The constants of static fields are part of what the initialiser does.
    if before.name == old.known.clinit && constants(old, old_class) != constants(new, new_class) {
        return false;
    }
    match (old.lower(pair.old), new.lower(pair.new)) {
        (Ok(None), Ok(None)) => true,
        (Ok(Some(one)), Ok(Some(two))) => print_body(&one, old) == print_body(&two, new),
        (_, _) => false,
    }
}

/// What a class extends and implements: it decides what calls and tests mean.
fn supertypes(program: &Program, class: &Class) -> Vec<String> {
    let names = class.superclass.iter().chain(&class.interfaces);
    names.map(|&name| program.names.text(name).into_owned()).collect()
}

fn constants(program: &Program, class: &Class) -> Vec<(String, String)> {
    let fields = class.fields().filter_map(|(id, field)| {
        let value = match class.constant_value(id)? {
            Const::String(text) => program.names.text(program.literal(text)).into_owned(),
            other => format!("{other:?}"),
        };
        Some((program.names.text(field.name).into_owned(), value))
    });
    fields.collect()
}

/// The pairs that are edited, or may reach what is edited or in one version only.
fn spread(new: &Program, pairs: &[MethodPair], loose: &BTreeSet<Signature>) -> BTreeSet<usize> {
    let mut by_signature: BTreeMap<Signature, Vec<usize>> = BTreeMap::new();
    let mut initialisers: FxHashMap<Name, usize> = FxHashMap::default();
    for (at, pair) in pairs.iter().enumerate() {
        by_signature.entry(signature(new, pair.new)).or_default().push(at);
        let (class, declared) = new.method(pair.new);
        if declared.name == new.known.clinit {
            initialisers.insert(class.name, at);
        }
    }
    let mut open: Vec<usize> = (0..pairs.len()).filter(|&at| pairs[at].is_edited).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); pairs.len()];
    for (at, pair) in pairs.iter().enumerate() {
        let Ok(Some(body)) = new.lower(pair.new) else { continue };
        for called in called(new, &body) {
            if loose.contains(&called) {
                open.push(at);
            }
            for &callee in by_signature.get(&called).map_or(&[][..], Vec::as_slice) {
                callers[callee].push(at);
            }
        }
        for class in read_classes(&body) {
            if let Some(&initialiser) = initialisers.get(&class) {
                callers[initialiser].push(at);
            }
        }
    }
    let mut affected: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        for &caller in &callers[at] {
            if affected.insert(caller) {
                open.push(caller);
            }
        }
    }
    affected
}

/// Name and descriptor of what a body may call: by these alone, so that overriding is covered.
fn called(program: &Program, body: &Body) -> BTreeSet<Signature> {
    let text = |name: Name| program.names.text(name).into_owned();
    let mut found = BTreeSet::new();
    for instruction in &body.instructions {
        if let Op::Invoke { method, .. } = instruction.op {
            found.insert((text(method.name), text(method.descriptor)));
        }
    }
    for site in &body.call_sites {
        match site {
            CallSite::Lambda(lambda) => {
                let member = lambda.implementation.member;
                found.insert((text(member.name), text(member.descriptor)));
            }
            CallSite::MethodHandle(handle) | CallSite::InvokeConstant { handle, .. } => {
                found.insert((text(handle.member.name), text(handle.member.descriptor)));
            }
            CallSite::Concat(_)
            | CallSite::RecordMethod { .. }
            | CallSite::TypeSwitch(_)
            | CallSite::EnumSwitch(_)
            | CallSite::Null
            | CallSite::PrimitiveClass(_)
            | CallSite::EnumConstant { .. }
            | CallSite::StaticFinal { .. }
            | CallSite::Unknown(_) => {}
        }
    }
    found
}

/// Classes whose static fields a body reads.
fn read_classes(body: &Body) -> Vec<Name> {
    let reads = body.instructions.iter().filter_map(|instruction| {
        if let Op::GetStatic(field) = instruction.op { Some(field.class) } else { None }
    });
    reads.collect()
}
