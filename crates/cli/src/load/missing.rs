//! Classes that the judged ones mention and the class path lacks.
//!
//! Nothing fails for that, but less can be said: what such a class does is not known, nor what it extends. So
//! they are listed once, with how many judged classes they touch.

use std::collections::{BTreeMap, BTreeSet};

use classfile::Constant;
use program::{Class, Problem, Program, Role};
use rayon::prelude::*;

/// Of more, those that touch most are named.
const MOST_NAMED: usize = 5;

/// One problem for all of them, if there are any. Without a JDK nearly everything would be missing.
pub(crate) fn missing_classes(program: &Program) -> Option<Problem> {
    program.find_class_text("java/lang/Object")?;
    let judged: Vec<&Class> =
        program.class_ids(Role::Judged).filter_map(|id| program.class(id)).collect();
    let mentioned: Vec<BTreeSet<&[u8]>> =
        judged.par_iter().map(|class| mentioned_by(class)).collect();
    let mut users: BTreeMap<&[u8], usize> = BTreeMap::new();
    mentioned.iter().flatten().for_each(|name| *users.entry(name).or_default() += 1);
    users
        .retain(|name, _| program.find_class_text(&classfile::mutf8::decode_lossy(name)).is_none());
    if users.is_empty() {
        return None;
    }
    let touched = mentioned.iter().filter(|names| names.iter().any(|it| users.contains_key(it)));
    let n_touched = touched.count();
    let mut named: Vec<(&[u8], usize)> =
        users.iter().map(|(&name, &count)| (name, count)).collect();
    named.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let text = |name: &[u8]| classfile::mutf8::decode_lossy(name).replace('/', ".");
    let first: Vec<String> = named.iter().take(MOST_NAMED).map(|&(name, _)| text(name)).collect();
    let others = named.len().saturating_sub(MOST_NAMED);
    let rest = if others > 0 { format!(" and {others} more") } else { String::new() };
    Some(Problem {
        path: "class path".to_owned(),
        message: format!(
            "lacks {}{rest}, mentioned in {n_touched} of the judged classes, so that less can be said; name their \
             jars with --cp",
            first.join(", ")
        ),
    })
}

/// The classes that the constants of a class name.
fn mentioned_by(class: &Class) -> BTreeSet<&[u8]> {
    let pool = class.file.pool();
    let names = pool.constants().filter_map(|constant| match constant {
        Constant::Class(name) => Some(pool.bytes(name)),
        _ => None,
    });
    names.filter_map(element).collect()
}

/// The class of which something is an array, if it is one.
fn element(name: &[u8]) -> Option<&[u8]> {
    if !name.starts_with(b"[") {
        return Some(name);
    }
    let at = name.iter().position(|&byte| byte != b'[')?;
    name[at..].strip_prefix(b"L")?.strip_suffix(b";")
}
