//! What code that was compiled against the old version no longer finds, and what no longer compiles: a note,
//! no judgement. What members do is judged elsewhere.

use program::{Class, Field, Method, MethodDescriptor, Program, Role};

use super::constants::other_constants;

/// Members by their text.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Compatibility {
    /// Others can name them in the old version and not in the new one.
    pub gone: Vec<String>,
    /// Abstract methods that implementations of the old version lack.
    pub demanded: Vec<String>,
    /// Classes with a supertype that they no longer have: `p.C as p.I`.
    pub disowned: Vec<String>,
    /// Classes and methods that nobody may extend or override any more.
    pub sealed: Vec<String>,
    /// Fields with another constant, which compilers copy into the code that names them.
    pub constants: Vec<String>,
}

/// So many members are named in a sentence.
const NAMED: usize = 3;

impl Compatibility {
    /// In one sentence.
    pub fn sentence(&self) -> String {
        let parts = [
            (&self.gone, "gone, which breaks compiled code and sources"),
            (&self.demanded, "abstract and new, which breaks sources that implement it"),
            (&self.disowned, "no longer of that type, which breaks compiled code and sources"),
            (&self.sealed, "final now, which breaks code that extends or overrides it"),
            (&self.constants, "another constant, which only sources that are compiled anew see"),
        ];
        let told: Vec<String> = parts
            .into_iter()
            .filter(|(members, _)| !members.is_empty())
            .map(|(members, what)| {
                let named = members[..members.len().min(NAMED)].join(", ");
                match members.len() - members.len().min(NAMED) {
                    0 => format!("{what}: {named}"),
                    more => format!("{what}: {named} and {more} more"),
                }
            })
            .collect();
        match told.is_empty() {
            true => "all that others can name is still there".to_owned(),
            false => told.join("; "),
        }
    }
}

/// Compares what others can name of the classes that are wanted, by their names in Java.
pub fn compatibility(
    old: &Program,
    new: &Program,
    renamed: &dyn Fn(&str) -> String,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Compatibility {
    let mut found = Compatibility::default();
    let visible = old.class_ids(Role::Judged).filter_map(|id| old.class(id));
    let visible = visible.filter(|class| is_wanted(&old.class_text(class.name)));
    for before in visible.filter(|class| class.access_flags.is_public()) {
        let name = renamed(&old.names.text(before.name));
        let after = new.find_class_text(&name).and_then(|id| new.class(id));
        let Some(after) = after.filter(|class| class.access_flags.is_public()) else {
            found.gone.push(old.class_text(before.name).to_string());
            continue;
        };
        for (_, method) in before.methods().filter(|(_, it)| is_offered(old, it)) {
            let other = method_named(new, after, (old, method));
            let is_there = other.is_some_and(|it| {
                let (was, now) = (method.access_flags, it.access_flags);
                (now.is_public() || now.is_protected() && !was.is_public())
                    && was.is_static() == now.is_static()
            });
            if !is_there {
                found.gone.push(method_text(old, before, method));
            }
        }
        for (_, field) in before.fields().filter(|(_, it)| is_open(it.access_flags)) {
            if !has_field(new, after, (old, field)) {
                let class = old.class_text(before.name);
                found.gone.push(format!("{class}.{}", old.names.text(field.name)));
            }
        }
        found.disowned.extend(lost_supertypes((old, before), (new, after), renamed));
        found.sealed.extend(sealed((old, before), (new, after)));
        let others = other_constants((old, before), (new, after));
        for (_, field) in before.fields().filter(|(_, it)| is_open(it.access_flags)) {
            let name = old.names.text(field.name);
            if others.contains(&*name) && has_field(new, after, (old, field)) {
                found.constants.push(format!("{}.{name}", old.class_text(before.name)));
            }
        }
        if after.access_flags.is_final() {
            continue;
        }
        for (_, method) in after.methods().filter(|(_, it)| is_offered(new, it)) {
            let is_new = method_named(old, before, (new, method)).is_none();
            if method.access_flags.is_abstract() && is_new {
                found.demanded.push(method_text(new, after, method));
            }
        }
    }
    found.gone.sort();
    found.demanded.sort();
    found.disowned.sort();
    found.sealed.sort();
    found.constants.sort();
    found
}

/// Supertypes that code may have taken objects of a class for, and that they are not of any more.
fn lost_supertypes(
    (old, before): (&Program, &Class),
    (new, after): (&Program, &Class),
    renamed: &dyn Fn(&str) -> String,
) -> Vec<String> {
    let now: Vec<String> =
        lineage(new, after).iter().map(|it| new.names.text(it.name).into_owned()).collect();
    let class = old.class_text(before.name);
    lineage(old, before)
        .into_iter()
        .filter(|it| {
            it.access_flags.is_public() && !now.contains(&renamed(&old.names.text(it.name)))
        })
        .map(|it| format!("{class} as {}", old.class_text(it.name)))
        .collect()
}

/// The class, or those of its methods, that others could extend or override.
fn sealed((old, before): (&Program, &Class), (new, after): (&Program, &Class)) -> Vec<String> {
    if before.access_flags.is_final() || !is_extended(old, before) {
        return Vec::new();
    }
    if after.access_flags.is_final() {
        return vec![old.class_text(before.name).to_string()];
    }
    let overridable = before.methods().filter(|(_, it)| {
        let flags = it.access_flags;
        is_offered(old, it) && !flags.is_final() && !flags.is_static() && it.name != old.known.init
    });
    let is_final = |method: &Method| {
        let now = method_named(new, after, (old, method));
        now.is_some_and(|it| it.access_flags.is_final())
    };
    overridable.filter(|(_, it)| is_final(it)).map(|(_, it)| method_text(old, before, it)).collect()
}

/// Whether code outside can extend a class: some constructor is open to it.
fn is_extended(program: &Program, class: &Class) -> bool {
    class.methods().any(|(_, it)| it.name == program.known.init && is_open(it.access_flags))
}

fn is_open(flags: program::AccessFlags) -> bool {
    (flags.is_public() || flags.is_protected()) && !flags.is_synthetic()
}

fn is_offered(program: &Program, method: &Method) -> bool {
    is_open(method.access_flags) && method.name != program.known.clinit
}

/// The classes that a class has members from, itself first.
fn lineage<'p>(program: &'p Program, class: &Class) -> Vec<&'p Class> {
    let ancestry = program.ancestry(class);
    let ids = ancestry.superclasses.iter().chain(ancestry.interfaces.iter());
    let above = ids.filter(|&&id| id != class.id);
    [class.id].iter().chain(above).filter_map(|&id| program.class(id)).collect()
}

/// The method that a caller of one in another program finds here. Constructors are not inherited.
fn method_named<'p>(
    program: &'p Program,
    class: &Class,
    (other, method): (&Program, &Method),
) -> Option<&'p Method> {
    let is_constructor = method.name == other.known.init;
    let classes = lineage(program, class).into_iter();
    let mut found = classes.take(if is_constructor { 1 } else { usize::MAX }).flat_map(|class| {
        class.methods().map(|(_, it)| it).filter(|it| {
            program.names.bytes(it.name) == other.names.bytes(method.name)
                && program.names.bytes(it.descriptor) == other.names.bytes(method.descriptor)
        })
    });
    found.next()
}

fn has_field(program: &Program, class: &Class, (other, field): (&Program, &Field)) -> bool {
    lineage(program, class).into_iter().any(|class| {
        class.fields().any(|(_, it)| {
            program.names.bytes(it.name) == other.names.bytes(field.name)
                && program.names.bytes(it.descriptor) == other.names.bytes(field.descriptor)
                && is_open(it.access_flags)
                && it.access_flags.is_static() == field.access_flags.is_static()
        })
    })
}

/// `p.C.m(int, java.lang.String)`.
fn method_text(program: &Program, class: &Class, method: &Method) -> String {
    let names = &program.names;
    let types = MethodDescriptor::parse(names.bytes(method.descriptor))
        .map_or_else(Vec::new, |it| it.parameter_types(names));
    let types: Vec<String> = types.iter().map(|ty| ty.display(names).to_string()).collect();
    let class = program.class_text(class.name);
    match method.name == program.known.init {
        true => format!("new {class}({})", types.join(", ")),
        false => format!("{class}.{}({})", names.text(method.name), types.join(", ")),
    }
}
