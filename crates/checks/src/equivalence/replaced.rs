//! Methods that a class inherited from one class and has from another now: callers that name the class run
//! other code, though no method of both versions was edited.

use std::collections::{BTreeMap, BTreeSet};

use program::{Class, ClassId, MethodId, Program, Role};

use super::lockstep::Lockstep;
use super::matching::{Signature, signature};
use super::reach::Loose;

/// A method that a class of both versions has from elsewhere now.
#[derive(Debug, Clone)]
pub struct Replaced {
    /// In the new version.
    pub class: ClassId,
    pub name: String,
    pub descriptor: String,
    /// The classes whose code ran before and runs now.
    pub before: String,
    pub after: String,
}

/// Those of all classes of both versions; of heirs that have a method from a class that is listed itself,
/// nothing is said again.
pub(super) fn replaced(
    (old, new): (&Program, &Program),
    renamed: &BTreeMap<String, String>,
    classes: &[(ClassId, ClassId)],
    loose: &Loose,
) -> Vec<Replaced> {
    let lockstep = Lockstep::new(old, new, renamed);
    let mut found: Vec<Replaced> = Vec::new();
    for (before, after) in classes {
        let (Some(before), Some(after)) = (old.class(*before), new.class(*after)) else { continue };
        for signature in candidates((old, before), (new, after), renamed, loose) {
            let one = resolved(old, before, &signature, renamed);
            let two = resolved(new, after, &signature, &BTreeMap::new());
            let (Some(one), Some(two)) = (one, two) else { continue };
            let owners = (owner(old, one, renamed), owner(new, two, &BTreeMap::new()));
            if owners.0 == owners.1 || lockstep.is_same(one, two).is_some() {
                continue;
            }
            found.push(Replaced {
                class: after.id,
                name: signature.0,
                descriptor: signature.1,
                before: owners.0.replace('/', "."),
                after: owners.1.replace('/', "."),
            });
        }
    }
    let key = |it: &Replaced, class: ClassId| {
        (class, it.name.clone(), it.descriptor.clone(), it.before.clone(), it.after.clone())
    };
    let all: BTreeSet<_> = found.iter().map(|it| key(it, it.class)).collect();
    found.retain(|it| {
        let class = new.class(it.class);
        let above = class.and_then(|class| new.superclass(class));
        !above.is_some_and(|above| all.contains(&key(it, above.id)))
    });
    found
}

/// Methods that may be another's now: those that only one version of a class above has, or all, if the
/// classes above are others.
fn candidates(
    (old, before): (&Program, &Class),
    (new, after): (&Program, &Class),
    renamed: &BTreeMap<String, String>,
    loose: &Loose,
) -> BTreeSet<Signature> {
    let above = [above(old, before, renamed), above(new, after, &BTreeMap::new())];
    let is_kept = above[0].keys().eq(above[1].keys());
    let names: BTreeSet<&String> = above.iter().flat_map(BTreeMap::keys).collect();
    if is_kept {
        let is_above = |classes: &BTreeSet<String>| classes.iter().any(|it| names.contains(it));
        let own = loose.methods.iter().filter(|(_, classes)| is_above(classes));
        return own.map(|(signature, _)| signature.clone()).collect();
    }
    let methods = |program: &'_ Program, classes: &BTreeMap<String, ClassId>| -> Vec<Signature> {
        let classes = classes.values().filter(|&&id| program.role(id) == Role::Judged);
        let classes = classes.filter_map(|&id| program.class(id));
        classes.flat_map(|it| it.methods()).map(|(id, _)| signature(program, id)).collect()
    };
    methods(old, &above[0]).into_iter().chain(methods(new, &above[1])).collect()
}

/// A class and all above it, by what they are called in the new version.
fn above(
    program: &Program,
    class: &Class,
    renamed: &BTreeMap<String, String>,
) -> BTreeMap<String, ClassId> {
    let ancestry = program.ancestry(class);
    let all = ancestry.superclasses.iter().chain(ancestry.interfaces.iter());
    all.map(|&id| {
        let name = program.names.text(program.class_name(id)).into_owned();
        (renamed.get(&name).cloned().unwrap_or(name), id)
    })
    .collect()
}

fn owner(program: &Program, method: MethodId, renamed: &BTreeMap<String, String>) -> String {
    let name = program.names.text(program.class_name(method.class)).into_owned();
    renamed.get(&name).cloned().unwrap_or(name)
}

/// The code that callers run who name the class, if it is open to them.
fn resolved(
    program: &Program,
    class: &Class,
    (name, descriptor): &Signature,
    renamed: &BTreeMap<String, String>,
) -> Option<MethodId> {
    let names = &program.names;
    let mut descriptor = descriptor.clone();
    for (from, to) in renamed {
        descriptor = descriptor.replace(&format!("L{to};"), &format!("L{from};"));
    }
    let [name, descriptor] = [name, &descriptor].map(|text| names.intern(text.as_bytes()));
    if name == program.known.init {
        return None;
    }
    let found = program.resolve_method(class.name, name, descriptor).found()?;
    let flags = program.method(found).1.access_flags;
    let is_open = flags.is_public() || flags.is_protected();
    (is_open && !flags.is_abstract() && !flags.is_synthetic()).then_some(found)
}
