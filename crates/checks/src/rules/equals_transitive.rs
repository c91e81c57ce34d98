//! `equals-transitive`: equality carries over: x equals y and y equals z make x equal z.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "equals-transitive",
    Command::Equals,
    Level::Error,
    "equality carries over: x equals y and y equals z make x equal z",
    Explanation {
        proves: r#"
For any three objects of the type hierarchy: if `x.equals(y)` and `y.equals(z)` are true, so is
`x.equals(z)`. The three may be of different classes.
"#,
        matters: r#"
Sets, `distinct()` and caches assume that equal objects fall into groups. Without that, the
content of a set depends on the order in which things were added.
"#,
        example: r#"
    final class Measurement {
        final double value;

        Measurement(double value) {
            this.value = value;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Measurement m && Math.abs(value - m.value) < 0.01;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

The measurements 1.000, 1.008 and 1.016 show it: neighbours are equal, the first and the last are
not. Comparing with a tolerance is similarity, not equality.

In a class hierarchy the same happens when a subclass ignores its own fields for the sake of
symmetry: a red point equals the plain point, the plain point equals the blue one, red does not
equal blue.
"#,
        limits: r#"
As for symmetry: the classes that Jury was given take part, unseen subclasses are assumed to
inherit `equals`, and objects in the fields to obey the contract.
"#,
        fix: r#"
Compare the same properties whoever the other object is. If two classes compare different
properties, objects of one must never equal objects of the other: compare `getClass()`.

Java gives an object one equality only. If you need a second, looser one, add a method with a name
of its own (`isCloseTo`, `sameAs`), or a small key class that wraps the object and compares what
the one map needs.
"#,
    },
);
