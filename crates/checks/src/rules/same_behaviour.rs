//! `same-behaviour`: the new version of a method does what the old one did.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "same-behaviour",
    Command::Diff,
    Level::Warning,
    "the new version of a method does what the old one did",
    Explanation {
        proves: r#"
Called on the same input, both versions end the same way: they return the same value or throw the
same class of exception, leave the same state behind in everything that can be reached afterwards
(arguments, receiver, static fields, new objects with their sharing), and make the same calls to
code outside in the same order.
"#,
        matters: r#"
Most updates and refactorings promise not to change behaviour. Tests check that promise on the
inputs somebody thought of.
"#,
        example: r#"
    class Before {
        static int middle(int low, int high) {
            return (low + high) / 2;
        }
    }

    class After {
        static int middle(int low, int high) {
            return low + (high - low) / 2;
        }
    }

For two indices of an array the versions agree. They part at `middle(2_000_000_000,
2_000_000_000)`: the sum overflows, the old version returns -147,483,648, the new one
2,000,000,000.
"#,
        limits: r#"
A difference says nothing about which version is right. Times, memory use, the text of an
exception and identity hash codes are not compared. Proofs by induction hold if both versions
terminate; others name the number of loop iterations up to which they reach. A difference in
private state that no later call was found to show stays `unknown`.
"#,
        fix: r#"
If the difference is meant, write it into the change log, with the input from the report as the
example; it makes a good test. If it is not, the input is the test that was missing.

If only inputs differ that your program never builds, say so: `--assume unshared` leaves out
inputs in which one object is reachable by two paths.
"#,
    },
);
