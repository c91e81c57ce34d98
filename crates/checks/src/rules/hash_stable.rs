//! `hash-stable`: the hash code changes only when something that equals compares changes.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "hash-stable",
    Command::Equals,
    Level::Warning,
    "the hash code changes only when something that equals compares changes",
    Explanation {
        proves: r#"
As long as everything that `equals` looks at stays the same, so does `hashCode()`, whatever
methods are called on the object.
"#,
        matters: r#"
An object in a HashSet is stored under the hash code it had when it was added. If that changes
although the object is still equal to all it was equal to, the set no longer finds it, not even
with the same reference, and it cannot be removed.
"#,
        example: r#"
    class Counter {
        private int count;

        void increment() {
            count++;
        }

        @Override
        public int hashCode() {
            return count;
        }
    }

A counter equals only itself, since `equals` comes from `Object`. After `set.add(counter)` and
`counter.increment()`, `set.contains(counter)` is false.

No two equal objects have different hash codes at any one moment, so `hash-consistent` holds; that
is why this is a rule of its own.
"#,
        limits: r#"
Changing a field that `equals` does compare also moves the hash code. That is allowed by the
contract, and not reported: do not change such an object while it is a key. A hash code computed
once and cached is no violation.
"#,
        fix: r#"
Leave out of `hashCode` every field that `equals` does not compare. If equality is identity, do
not override `hashCode` at all. Prefer final fields for the state of anything that may become a
key.
"#,
    },
);
