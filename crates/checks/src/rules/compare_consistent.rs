//! `compare-consistent`: objects compare as 0 exactly when they are equal.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "compare-consistent",
    Command::Equals,
    Level::Note,
    "objects compare as 0 exactly when they are equal",
    Explanation {
        proves: r#"
For any two objects, `x.compareTo(y)` is 0 exactly when `x.equals(y)` is true.
"#,
        matters: r#"
Sorted collections decide by `compareTo` alone. If it disagrees with `equals`, a TreeSet keeps one
of two unequal objects, and a TreeMap finds a key that a HashMap does not. The JDK recommends
consistency but does not require it, hence the level note.
"#,
        example: r#"
    record Name(String text) implements Comparable<Name> {
        @Override
        public int compareTo(Name other) {
            return text.compareToIgnoreCase(other.text);
        }
    }

A HashSet of `new Name("Ada")` and `new Name("ADA")` holds two names, a TreeSet holds one.
"#,
        limits: r#"
Judged for `compareTo` and the `equals` of the same class. A `Comparator` usually means to order
by something else, and is judged here only if it implements a documented equality.
"#,
        fix: r#"
Compare the same properties as `equals`; break ties with the remaining ones:
`Comparator.comparing(...).thenComparing(...)`. If an order on part of the state is what you want,
make it a named `Comparator` rather than the natural order, or say in the Javadoc that the natural
order is inconsistent with equals, as BigDecimal does.
"#,
    },
);
