//! `compare-antisymmetric`: comparing the other way round gives the opposite sign.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "compare-antisymmetric",
    Command::Equals,
    Level::Error,
    "comparing the other way round gives the opposite sign",
    Explanation {
        proves: r#"
For any two objects, `x.compareTo(y)` and `y.compareTo(x)` have opposite signs, or are both 0. For
a `Comparator`, the same of `compare(x, y)` and `compare(y, x)`.
"#,
        matters: r#"
Sorting asks in either direction. With contradicting answers the order of the result is arbitrary,
`TreeMap.get` misses keys, and `List.sort` may stop with "Comparison method violates its general
contract!", depending on the data.
"#,
        example: r#"
    record Task(int priority) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return priority > other.priority ? 1 : -1;
        }
    }

For two tasks of priority 1 both directions return -1: each comes before the other.
"#,
        limits: r#"
Values in the fields are assumed to compare as their contract says. A `Comparator` is judged on
the objects that it accepts without throwing.
"#,
        fix: r#"
Let the JDK do the comparing: `Integer.compare(a, b)`, `Double.compare(a, b)`, or
`Comparator.comparingInt(Task::priority)`. Do not subtract: `a - b` overflows, and when the
difference is `Integer.MIN_VALUE` both directions are negative.
"#,
    },
);
