//! `equals-overloaded`: equals is overridden, not only overloaded, so every caller gets the same answer.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "equals-overloaded",
    Command::Equals,
    Level::Warning,
    "equals is overridden, not only overloaded, so every caller gets the same answer",
    Explanation {
        proves: r#"
A class that declares `equals` with a parameter other than `Object` also overrides
`equals(Object)`, and the two agree on every argument that both accept.
"#,
        matters: r#"
Java picks an overload by the types written in the source. Direct calls reach `equals(Point)`,
while collections, `Objects.equals` and test libraries reach `equals(Object)`: the same two
objects are equal in one line and not in the next.
"#,
        example: r#"
    class Point {
        final int x, y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        public boolean equals(Point p) {
            return p != null && x == p.x && y == p.y;
        }
    }

With `p` and `q` both `new Point(1, 2)`, `p.equals(q)` is true. `List.of(p).contains(q)` is false,
because the list calls the `equals(Object)` that comes from `Object`.
"#,
        limits: r#"
Methods named `equals` with more than one parameter, or static ones, are other methods and are not
judged.
"#,
        fix: r#"
Declare `equals(Object)` with `@Override`, which makes the compiler check it, and remove the
overload. If it has to stay for callers already compiled, let it call `equals((Object) p)`.

Where the overload means something else than equality, give it another name.
"#,
    },
);
