//! `compare-total`: comparing two objects of the compared type never throws.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "compare-total",
    Command::Equals,
    Level::Error,
    "comparing two objects of the compared type never throws",
    Explanation {
        proves: r#"
`x.compareTo(y)` returns for any two non-null objects of the compared type that code outside can
build. For a `Comparator`, the same of `compare(x, y)`.
"#,
        matters: r#"
One object that cannot be compared makes the whole collection unusable: the sort stops in the
middle, the TreeMap refuses every lookup that meets it.
"#,
        example: r#"
    record Person(String name) implements Comparable<Person> {
        @Override
        public int compareTo(Person other) {
            return name.compareTo(other.name);
        }
    }

`new Person(null)` can be built, and comparing it throws a NullPointerException.
"#,
        limits: r#"
Comparing with null may throw: the contract of `Comparable` asks for it. So may comparing with an
object of another type through a raw `Comparable`.
"#,
        fix: r#"
Reject what cannot be compared when the object is built, for instance with
`Objects.requireNonNull(name)` in the constructor; or give it a place in the order with
`Comparator.nullsFirst(Comparator.naturalOrder())`. In a subclass, do not cast the argument to the
subclass: the superclass promised to compare with all of its kind.
"#,
    },
);
