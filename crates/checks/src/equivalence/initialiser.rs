//! Initialisers as pairs. They have no inputs: each runs once in the concrete machine, and what the
//! static fields hold then is all that they did, if all they call computes and does nothing else.

use std::collections::BTreeSet;

use program::ir::{Body, CallSite, FieldRef, MethodRef, Op};
use program::{ClassId, FieldId, MethodId, Program, Role, Type};
use rustc_hash::FxHashSet;
use symex::concrete::{Budget, Machine, Stop};

use super::matching::{MethodPair, signature};
use super::proof::{Edited, Proof};
use super::snapshot::contents;
use super::watch::shows_any;
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

/// What is known of the static fields of a class in both versions.
#[derive(Debug, Default)]
pub(super) struct Initialised {
    /// Whether initialising the class does nothing in either version but to fill its static fields, or
    /// does the same.
    pub(super) is_quiet: bool,
    /// Fields that hold the same afterwards, by their ids in the new version.
    pub(super) same: FxHashSet<FieldId>,
    /// Fields that the old version does not have.
    pub(super) added: FxHashSet<FieldId>,
    /// Whether all do that both versions have.
    pub(super) is_same: bool,
    /// Why it is not known to be quiet, or what differs.
    pub(super) obstacle: Option<String>,
}

impl Initialised {
    fn open(obstacle: String) -> Initialised {
        Initialised { obstacle: Some(obstacle), ..Initialised::default() }
    }
}

/// Whether both initialisers leave the same behind.
pub(super) fn compare_initialisers(
    old: &Program,
    new: &Program,
    pair: &MethodPair,
    edited: &Edited,
) -> Proof {
    let classes = (pair.old.class, pair.new.class);
    let found = initialised(old, new, classes, &edited.reshaped);
    if found.is_quiet && found.is_same {
        return Proof::Holds(Scope {
            assumptions: vec![
                "what it reads of other classes is as their initialisers left it".to_owned(),
            ],
            ..Scope::default()
        });
    }
    let detail = found.obstacle.unwrap_or_default();
    Proof::Open(vec![Gap::new(GapKind::Unsupported, detail)])
}

/// Runs the initialisers of a class in both versions and compares what they left.
pub(super) fn initialised(
    old: &Program,
    new: &Program,
    classes: (ClassId, ClassId),
    reshaped: &[String],
) -> Initialised {
    let touched = match (computes_only(old, classes.0), computes_only(new, classes.1)) {
        (Ok(mut one), Ok(two)) => {
            one.extend(two);
            one
        }
        (Err(reason), _) | (_, Err(reason)) => return Initialised::open(reason),
    };
    let Some(touched) = in_both(old, new, &touched) else {
        return Initialised::open("it uses static fields that one version lacks".to_owned());
    };
    let own = common_fields(old, new, classes);
    let all: Vec<(FieldId, FieldId)> = own.iter().chain(&touched).copied().collect();
    let (old_fields, new_fields): (Vec<FieldId>, Vec<FieldId>) = all.into_iter().unzip();
    let (mut one, mut two) = match (Left::by(old, classes.0), Left::by(new, classes.1)) {
        (Ok(one), Ok(two)) => (one, two),
        (Err(reason), _) | (_, Err(reason)) => return Initialised::open(reason),
    };
    let mut same = Vec::new();
    let mut obstacle = None;
    for (at, (&before, &after)) in old_fields.iter().zip(&new_fields).enumerate() {
        let reason = match (one.text(&[before]), two.text(&[after])) {
            (Ok(one), Ok(_)) if shows_any(&one, reshaped) => {
                "its static fields hold objects of a class that has other fields now".to_owned()
            }
            (Ok(one), Ok(two)) if one == two => {
                same.push(at);
                continue;
            }
            (Ok(_), Ok(_)) => "the static fields hold something else than before".to_owned(),
            (Err(reason), _) | (_, Err(reason)) => reason,
        };
        obstacle.get_or_insert(reason);
        if at >= own.len() {
            // It may have changed what is not its own.
            return Initialised { obstacle, ..Initialised::default() };
        }
    }
    // Together they also show who shares what.
    let chosen = |fields: &[FieldId]| same.iter().map(|&at| fields[at]).collect::<Vec<_>>();
    let (chosen_old, chosen_new) = (chosen(&old_fields), chosen(&new_fields));
    match (one.text(&chosen_old), two.text(&chosen_new)) {
        (Ok(one), Ok(two)) if one == two => Initialised {
            is_quiet: true,
            is_same: same.len() == old_fields.len(),
            same: chosen_new.into_iter().collect(),
            added: added_fields(new, classes.1, &own),
            obstacle,
        },
        _ => Initialised::open("the static fields share other objects than before".to_owned()),
    }
}

/// Fields by their ids in both versions, if both have all of them.
fn in_both(
    old: &Program,
    new: &Program,
    fields: &BTreeSet<(String, String, String)>,
) -> Option<Vec<(FieldId, FieldId)>> {
    let find = |program: &Program, (class, name, descriptor): &(String, String, String)| {
        let intern = |text: &str| program.names.intern(&classfile::mutf8::encode(text));
        program.resolve_field(intern(class), intern(name), intern(descriptor)).found()
    };
    fields.iter().map(|field| Some((find(old, field)?, find(new, field)?))).collect()
}

/// A class after its initialiser.
struct Left<'p> {
    machine: Machine<'p>,
}

impl<'p> Left<'p> {
    fn by(program: &'p Program, class: ClassId) -> Result<Left<'p>, String> {
        let mut machine = Machine::new(program, BUDGET);
        machine.leaves_properties_open = true;
        machine.initialised(class).map_err(reason)?;
        Ok(Left { machine })
    }

    /// What the fields hold.
    fn text(&mut self, fields: &[FieldId]) -> Result<String, String> {
        let program = self.machine.program;
        let mut values = Vec::new();
        for &field in fields {
            let (_, declared) = program.field(field);
            let ty = Type::parse(program.names.bytes(declared.descriptor), &program.names);
            let value = self.machine.read_static(field).map_err(reason)?;
            values.push((value, ty.unwrap_or(Type::class(declared.name))));
        }
        contents(&mut self.machine, &values).map_err(reason)
    }
}

fn reason(stop: Stop) -> String {
    match stop {
        Stop::Throw(_) => "it ends with an exception".to_owned(),
        Stop::Gap(reason) => reason,
    }
}

/// The static fields that both versions of the class have.
pub(super) fn common_fields(
    old: &Program,
    new: &Program,
    classes: (ClassId, ClassId),
) -> Vec<(FieldId, FieldId)> {
    let (Some(before), Some(after)) = (old.class(classes.0), new.class(classes.1)) else {
        return Vec::new();
    };
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

fn added_fields(
    new: &Program,
    class: ClassId,
    common: &[(FieldId, FieldId)],
) -> FxHashSet<FieldId> {
    let fields = new.class(class).into_iter().flat_map(|class| class.fields());
    let is_added = |field: &FieldId| !common.iter().any(|(_, known)| known == field);
    fields.map(|(id, _)| id).filter(is_added).collect()
}

/// That an initialiser, with its callees, does nothing but fill its static fields, and change objects that
/// these hold or that it finds in static fields of other classes, which are given; or why it may do more.
fn computes_only(
    program: &Program,
    class: ClassId,
) -> Result<BTreeSet<(String, String, String)>, String> {
    let clinit = program
        .class(class)
        .and_then(|class| class.methods().find(|(_, method)| method.name == program.known.clinit));
    only_computes(program, class, clinit.into_iter().map(|(id, _)| id).collect())
}

/// The same of any methods, which may write the static fields of this one class.
pub(super) fn only_computes(
    program: &Program,
    class: ClassId,
    mut open: Vec<MethodId>,
) -> Result<BTreeSet<(String, String, String)>, String> {
    let mut touched = BTreeSet::new();
    let mut seen = FxHashSet::default();
    while let Some(method) = open.pop() {
        if !seen.insert(method) {
            continue;
        }
        if seen.len() > MOST_METHODS {
            return Err("too much is called to see that it only computes".to_owned());
        }
        let (_, declared) = program.method(method);
        if declared.access_flags.is_abstract() {
            continue;
        }
        let Ok(Some(body)) = program.lower(method) else {
            return Err("it calls code that cannot be read".to_owned());
        };
        for call in calls_of(program, class, &body, &mut touched)? {
            open.extend(called(program, call)?);
        }
    }
    Ok(touched)
}

/// The calls of a body, and the static fields of other classes that it reads.
fn calls_of(
    program: &Program,
    class: ClassId,
    body: &Body,
    touched: &mut BTreeSet<(String, String, String)>,
) -> Result<Vec<MethodRef>, String> {
    let mut calls: Vec<MethodRef> = Vec::new();
    let owner = |field: FieldRef| {
        program.resolve_field(field.class, field.name, field.descriptor).found().map(|it| it.class)
    };
    for instruction in &body.instructions {
        match instruction.op {
            Op::Invoke { method, .. } => calls.push(method),
            Op::PutStatic(field, _) if owner(field) != Some(class) => {
                return Err("it sets static fields of other classes".to_owned());
            }
            Op::GetStatic(field) => {
                let text = |name| program.names.text(name).into_owned();
                let is_judged = owner(field).is_some_and(|it| program.role(it) == Role::Judged);
                let descriptor = text(field.descriptor);
                let may_change = descriptor.starts_with('[')
                    || descriptor.starts_with('L') && descriptor != "Ljava/lang/String;";
                if is_judged && owner(field) != Some(class) && may_change {
                    touched.insert((text(field.class), text(field.name), descriptor));
                }
            }
            _ => {}
        }
    }
    for site in &body.call_sites {
        match site {
            CallSite::Lambda(lambda) => calls.push(lambda.implementation.member),
            CallSite::Concat(_) => {}
            _ => return Err("it has a call site that is not looked through".to_owned()),
        }
    }
    Ok(calls)
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
        Some("java/util/concurrent") => {
            simple.starts_with("Concurrent") || simple.starts_with("CopyOnWrite")
        }
        _ => class.starts_with('['),
    }
}
