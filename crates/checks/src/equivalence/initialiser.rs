//! Initialisers as pairs. They have no inputs: each runs once in the concrete machine, and what the
//! static fields hold then is all that they did, if all they call computes and does nothing else.

use program::ir::{CallSite, MethodRef, Op};
use program::{FieldId, MethodId, Program, Role, Type};
use rustc_hash::FxHashSet;
use symex::concrete::{Budget, Machine, Outcome, Stop};

use super::matching::{MethodPair, signature};
use super::proof::{Edited, Proof};
use super::snapshot::snapshot;
use crate::verdict::{Gap, GapKind, Scope};

const BUDGET: Budget = Budget { instructions: 4_000_000, heap_bytes: 64 << 20, depth: 300 };
/// Methods below an initialiser that are looked at.
const MOST_METHODS: usize = 400;

/// Packages of the platform whose methods do nothing to the world but to what they are given.
const COMPUTING: [&str; 7] = [
    "java/math/",
    "java/nio/charset/",
    "java/time/",
    "java/util/function/",
    "java/util/regex/",
    "java/util/stream/",
    "java/util/concurrent/atomic/",
];

/// Whether both initialisers leave the same behind.
pub(super) fn compare_initialisers(
    old: &Program,
    new: &Program,
    pair: &MethodPair,
    edited: &Edited,
) -> Proof {
    for (program, method) in [(old, pair.old), (new, pair.new)] {
        if let Some(reason) = more_than_computes(program, method) {
            return Proof::Open(vec![Gap::new(GapKind::Unsupported, reason)]);
        }
    }
    let fields = common_fields(old, new, pair);
    let (old_fields, new_fields): (Vec<FieldId>, Vec<FieldId>) = fields.into_iter().unzip();
    let nothing = FxHashSet::default();
    match (statics(old, &old_fields, &nothing), statics(new, &new_fields, &nothing)) {
        (Ok(one), Ok(_)) if edited.shows_reshaped(&one) => {
            let detail = "its static fields hold objects of a class that has other fields now";
            Proof::Open(vec![Gap::new(GapKind::Unsupported, detail)])
        }
        (Ok(one), Ok(two)) if one == two => Proof::Holds(Scope {
            assumptions: vec![
                "what it reads of other classes is as their initialisers left it".to_owned(),
            ],
            ..Scope::default()
        }),
        (Ok(_), Ok(_)) => {
            let detail = "the static fields hold something else than before";
            Proof::Open(vec![Gap::new(GapKind::NotReplayed, detail)])
        }
        (Err(reason), _) | (_, Err(reason)) => {
            Proof::Open(vec![Gap::new(GapKind::Unsupported, reason)])
        }
    }
}

/// The static fields that both versions of the class have.
fn common_fields(old: &Program, new: &Program, pair: &MethodPair) -> Vec<(FieldId, FieldId)> {
    let (before, after) = (old.method(pair.old).0, new.method(pair.new).0);
    let text = |program: &Program, name| program.names.text(name).into_owned();
    let mut found = Vec::new();
    for (id, field) in before.fields().filter(|(_, field)| field.access_flags.is_static()) {
        let key = (text(old, field.name), text(old, field.descriptor));
        let same = after.fields().find(|(_, field)| {
            let other = (text(new, field.name), text(new, field.descriptor));
            field.access_flags.is_static() && other == key
        });
        found.extend(same.map(|(other, _)| (id, other)));
    }
    found
}

/// What the fields hold after the initialiser, as text.
fn statics(
    program: &Program,
    fields: &[FieldId],
    skipped: &FxHashSet<FieldId>,
) -> Result<String, String> {
    let mut machine = Machine::new(program, BUDGET);
    machine.leaves_properties_open = true;
    let mut read = || -> Outcome<String> {
        let mut values = Vec::new();
        for &field in fields {
            let (_, declared) = program.field(field);
            let ty = Type::parse(program.names.bytes(declared.descriptor), &program.names);
            values.push((machine.read_static(field)?, ty.unwrap_or(Type::class(declared.name))));
        }
        Ok(snapshot(&mut machine, &Ok(None), None, &values, skipped)?.whole)
    };
    read().map_err(|stop| match stop {
        Stop::Throw(_) => "it ends with an exception".to_owned(),
        Stop::Gap(reason) => reason,
    })
}

/// Why an initialiser may do more than fill its static fields; its callees included.
fn more_than_computes(program: &Program, initialiser: MethodId) -> Option<String> {
    let mut open = vec![initialiser];
    let mut seen = FxHashSet::default();
    while let Some(method) = open.pop() {
        if !seen.insert(method) {
            continue;
        }
        if seen.len() > MOST_METHODS {
            return Some("too much is called to see that it only computes".to_owned());
        }
        let (_, declared) = program.method(method);
        if declared.access_flags.is_abstract() {
            continue;
        }
        let Ok(Some(body)) = program.lower(method) else {
            return Some("it calls code that cannot be read".to_owned());
        };
        let mut calls: Vec<MethodRef> = Vec::new();
        for instruction in &body.instructions {
            match instruction.op {
                Op::Invoke { method, .. } => calls.push(method),
                Op::PutStatic(field, _) => {
                    let found = program.resolve_field(field.class, field.name, field.descriptor);
                    if found.found().is_none_or(|field| field.class != initialiser.class) {
                        return Some("it sets static fields of other classes".to_owned());
                    }
                }
                _ => {}
            }
        }
        for site in &body.call_sites {
            match site {
                CallSite::Lambda(lambda) => calls.push(lambda.implementation.member),
                CallSite::Concat(_) => {}
                _ => return Some("it has a call site that is not looked through".to_owned()),
            }
        }
        for call in calls {
            match called(program, call) {
                Ok(bodies) => open.extend(bodies),
                Err(reason) => return Some(reason),
            }
        }
    }
    None
}

/// The judged methods that a call may run: everything of that name and descriptor.
fn called(program: &Program, call: MethodRef) -> Result<Vec<MethodId>, String> {
    let resolved = program.resolve_method(call.class, call.name, call.descriptor).found();
    let owner = resolved.map(|method| program.method(method).0);
    let is_judged = owner.is_some_and(|class| program.role(class.id) == Role::Judged);
    if !is_judged {
        let class = program.names.text(call.class);
        let name = program.names.text(call.name);
        if !computes(&class, &name) {
            return Err(format!(
                "it calls {}.{name}, which may do more than compute",
                class.replace('/', ".")
            ));
        }
        return Ok(Vec::new());
    }
    let Some(resolved) = resolved else { return Ok(Vec::new()) };
    let wanted = signature(program, resolved);
    let classes = program.class_ids(Role::Judged).filter_map(|id| program.class(id));
    let mut found = vec![resolved];
    if call.name != program.known.init && !program.method(resolved).1.access_flags.is_static() {
        for class in classes {
            let own = class.methods().map(|(id, _)| id);
            found.extend(own.filter(|&id| signature(program, id) == wanted));
        }
    }
    Ok(found)
}

fn computes(class: &str, name: &str) -> bool {
    if COMPUTING.iter().any(|package| class.starts_with(package)) {
        return true;
    }
    // What the command line says is not known.
    if matches!(name, "getBoolean" | "getInteger" | "getLong" | "getProperty" | "getenv") {
        return false;
    }
    let simple = class.rsplit('/').next().unwrap_or_default();
    match class.rsplit_once('/').map(|(package, _)| package) {
        Some("java/lang") => match simple {
            "System" => matches!(name, "arraycopy"),
            "Class" => matches!(name, "desiredAssertionStatus" | "getName" | "getSimpleName"),
            "Thread" | "Runtime" | "ClassLoader" | "Process" | "ProcessBuilder" | "Shutdown" => {
                false
            }
            _ => !simple.starts_with("Thread"),
        },
        // What is kept for everyone: defaults, files, other threads.
        Some("java/util") => {
            !name.starts_with("setDefault")
                && !matches!(simple, "ResourceBundle" | "ServiceLoader" | "Timer" | "Scanner")
        }
        _ => class.starts_with('['),
    }
}
