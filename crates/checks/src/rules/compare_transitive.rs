//! `compare-transitive`: comparing carries over: x before y and y before z put x before z.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "compare-transitive",
    Command::Equals,
    Level::Error,
    "comparing carries over: x before y and y before z put x before z",
    Explanation {
        proves: r#"
For any three objects: if `x` comes before `y` and `y` before `z`, then `x` comes before `z`. And
if `x.compareTo(y)` is 0, both compare alike with every `z`.
"#,
        matters: r#"
Sorting and trees skip comparisons that follow from earlier ones. If they do not follow, sorted
lists come out unsorted, binary search misses, and `List.sort` may throw IllegalArgumentException
on some data only.
"#,
        example: r#"
    record Reading(int value) implements Comparable<Reading> {
        @Override
        public int compareTo(Reading other) {
            return value - other.value;
        }
    }

The readings -2,000,000,000, 0 and 2,000,000,000 show it: each comes before the next, but the
difference of the outer two overflows to 294,967,296, so the first comes after the last.
"#,
        limits: r#"
Values in the fields are assumed to compare as their contract says.
"#,
        fix: r#"
Replace subtraction by `Integer.compare`. Compare `double` with `Double.compare`, never with `<`
and `==` alone, which put NaN nowhere. Do not compare with a tolerance. Where different kinds of
objects meet, order the kinds first, then within a kind.
"#,
    },
);
