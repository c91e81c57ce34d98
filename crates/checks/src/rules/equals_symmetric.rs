//! `equals-symmetric`: equality works both ways: x.equals(y) is y.equals(x).

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "equals-symmetric",
    Command::Equals,
    Level::Error,
    "equality works both ways: x.equals(y) is y.equals(x)",
    Explanation {
        proves: r#"
For any two objects `x` and `y` of the type hierarchy, `x.equals(y)` and `y.equals(x)` give the
same answer. Subclasses count: `x` and `y` may be of different classes.
"#,
        matters: r#"
A collection chooses which of the two objects it asks. If the answers differ, whether
`list.contains(x)` finds `y`, or `assertEquals(x, y)` passes, depends on who stands left, and may
change with the next release of the library that does the asking.
"#,
        example: r#"
    class Point {
        final int x, y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Point p && x == p.x && y == p.y;
        }

        @Override
        public int hashCode() {
            return 31 * x + y;
        }
    }

    class ColorPoint extends Point {
        final String color;

        ColorPoint(int x, int y, String color) {
            super(x, y);
            this.color = color;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof ColorPoint c && super.equals(o) && color.equals(c.color);
        }
    }

`new Point(1, 2).equals(new ColorPoint(1, 2, "red"))` is true: a colour point is a point. `new
ColorPoint(1, 2, "red").equals(new Point(1, 2))` is false: a point is no colour point.
"#,
        limits: r#"
All classes of the hierarchy that Jury was given take part. A subclass that it has not seen is
assumed to inherit `equals` unchanged. Objects in the fields are assumed to obey the contract.
"#,
        fix: r#"
First decide what equality means for the hierarchy. There are three sound kinds, and each has its
pattern:

- Objects of different classes may be equal, because subclasses add behaviour but nothing that
  distinguishes them: test with `instanceof` in the topmost class, compare through accessors
  rather than fields, make `equals` and `hashCode` final.

- Only objects of one class may be equal: compare `getClass()` on both sides, in every class that
  adds state.

- Both in one hierarchy: let the topmost `equals` be final and ask both objects, with a method
  that a subclass may override: `other.canEqual(this) && this.canEqual(other)`.

Do not inherit only to reuse code: a `ColorPoint` that has a `Point` needs no such decision. Do
not use `equals` for "similar to" or "wraps": give that its own name, such as `matches`. Look at
the decision again whenever a class is added to the hierarchy.
"#,
    },
);
