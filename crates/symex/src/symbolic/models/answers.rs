//! Which methods of the library, called on an object that outlives the call, may be taken to answer the same
//! when they are asked the same again: those that by their names and documentation ask and do not change.
//! `List.remove`, `Iterator.next` and `Lock.tryLock` do not.

use program::{MethodId, Program, Role};

/// Values that never change, and functions that callers hand in.
const VALUES: &[&str] = &["java/time/", "java/math/", "java/util/function/", "java/lang/reflect/"];

const BEGINNINGS: &[&str] = &[
    "all",
    "any",
    "apply",
    "as",
    "binarySearch",
    "ceiling",
    "charAt",
    "compare",
    "contains",
    "copy",
    "count",
    "describe",
    "element",
    "end",
    "entry",
    "equals",
    "first",
    "floor",
    "format",
    "get",
    "has",
    "hash",
    "head",
    "higher",
    "indexOf",
    "intersect",
    "is",
    "iterator",
    "key",
    "last",
    "length",
    "listIterator",
    "lower",
    "match",
    "max",
    "min",
    "name",
    "normalize",
    "none",
    "of",
    "ordinal",
    "parse",
    "peek",
    "relativize",
    "resolve",
    "size",
    "spliterator",
    "start",
    "stream",
    "sub",
    "tail",
    "test",
    "to",
    "value",
];

/// They begin in the same way, and change something.
const CHANGING: &[&str] = &["getAnd"];

/// Of whose objects even a question moves something on.
const MOVING: &[&str] = &["java/io/", "java/nio/", "java/util/concurrent/", "java/util/Scanner"];

/// What goes through others, one after the other.
const NEXT: &[&str] = &["next", "nextElement", "nextInt", "nextLong", "nextDouble", "previous"];

/// Whether it only answers. Of classes that are not the library's nothing is said against it.
pub(in crate::symbolic) fn only_answers(program: &Program, method: MethodId) -> bool {
    let (class, declared) = program.method(method);
    if program.role(class.id) != Role::Platform {
        return true;
    }
    let names = &program.names;
    let (class, name) = (names.text(class.name), names.text(declared.name));
    let starts = |text: &str, list: &[&str]| list.iter().any(|it| text.starts_with(it));
    if starts(&class, VALUES) {
        return true;
    }
    starts(&name, BEGINNINGS) && !starts(&name, CHANGING) && !starts(&class, MOVING)
}

/// Whether it is a step of an iterator.
pub(in crate::symbolic) fn is_step(program: &Program, method: MethodId) -> bool {
    let (class, declared) = program.method(method);
    let name = program.names.text(declared.name);
    let owner = program.names.text(class.name);
    let is_iterator = owner.contains("Iterator") || owner == "java/util/Enumeration";
    is_iterator && owner.starts_with("java/util/") && NEXT.contains(&&*name)
}
