//! `equals-null`: nothing equals null: x.equals(null) is false.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "equals-null",
    Command::Equals,
    Level::Error,
    "nothing equals null: x.equals(null) is false",
    Explanation {
        proves: r#"
`x.equals(null)` never returns true, for every object `x` that code outside can build.
"#,
        matters: r#"
Code that receives "equal" goes on to use the other object as if it were one. Where that is null,
a NullPointerException follows far away from its cause; and `null` cannot answer the question in
the other direction, so symmetry is lost too.
"#,
        example: r#"
    final class Missing {
        @Override
        public boolean equals(Object o) {
            return o == null || o instanceof Missing;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

`new Missing().equals(null)` is true, but `Objects.equals(null, new Missing())` is false.
"#,
        limits: r#"
This rule is about the answer true. An `equals` that throws for null is judged by `equals-total`.
"#,
        fix: r#"
Begin with a type test. `o instanceof Missing` is already false for null, so no further test is
needed; with `getClass()`, test for null first. If you want a predicate for "is absent", call it
`isMissing` and leave `equals` alone.
"#,
    },
);
