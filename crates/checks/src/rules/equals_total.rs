//! `equals-total`: equals answers whatever it is given and never throws.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "equals-total",
    Command::Equals,
    Level::Error,
    "equals answers whatever it is given and never throws",
    Explanation {
        proves: r#"
`x.equals(y)` returns, true or false, for every object `x` that code outside can build and for
every `y`: null, an object of a foreign class, an object whose fields hold null.
"#,
        matters: r#"
The argument of `equals` is any object at all. Maps and lists of mixed content compare things of
different classes, in a hash map only when two hash codes happen to collide: the exception then
comes once a month, in production.
"#,
        example: r#"
    final class Version {
        private final String text;

        Version(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(Object o) {
            return text.equals(((Version) o).text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

Three ways to fail: `new Version("1").equals(null)` and `new Version(null).equals(new
Version("1"))` throw a NullPointerException, `new Version("1").equals("1")` a ClassCastException.
"#,
        limits: r#"
Running out of memory or stack is not considered. Methods of objects in the fields are assumed not
to throw, unless their code is there to look at.
"#,
        fix: r#"
Test the type before the cast, and compare fields that may be null with `Objects.equals`:

    final class SafeVersion {
        private final String text;

        SafeVersion(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof SafeVersion other && java.util.Objects.equals(text, other.text);
        }

        @Override
        public int hashCode() {
            return java.util.Objects.hashCode(text);
        }
    }

Or reject null in the constructor, so that the field never holds it. Do not catch
ClassCastException or NullPointerException instead: it hides other mistakes, and the reader has to
work out what a plain test would say. Do not rely on "nobody calls it like that" either.
"#,
    },
);
