//! `equals-reflexive`: every object equals itself: x.equals(x) is true.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "equals-reflexive",
    Command::Equals,
    Level::Error,
    "every object equals itself: x.equals(x) is true",
    Explanation {
        proves: r#"
`x.equals(x)` returns true for every object `x` of the class that code outside can build, whatever
its fields hold.
"#,
        matters: r#"
Collections find things with `equals`. An object that does not equal itself can be put into a list
and then not be found there: `list.contains(x)` and `list.remove(x)` answer false right after
`list.add(x)`.
"#,
        example: r#"
    final class Price {
        private final double amount;

        Price(double amount) {
            this.amount = amount;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Price other && amount == other.amount;
        }

        @Override
        public int hashCode() {
            return Double.hashCode(amount);
        }
    }

`NaN == NaN` is false in Java, so with `Price p = new Price(Double.NaN)` both `p.equals(p)` and
`List.of(p).contains(p)` are false.

The other common form is a wrapper that passes the question on: `return delegate.equals(o);` is
false when `o` is the wrapper itself.
"#,
        limits: r#"
The proof takes it for granted that objects in the fields obey the contract themselves; the report
names the classes for which that was assumed. Two threads that change the object while it is
compared are not considered.
"#,
        fix: r#"
Compare `float` and `double` with `Double.compare(a, b) == 0`, as records do; `hashCode` with
`Double.hashCode` then fits. Starting with `if (this == o) return true;` also makes any `equals`
reflexive, but leaves two separate objects with NaN unequal.

In a wrapper, decide who may be equal to whom. If a wrapper stands for its content, unwrap both
sides before comparing; if it does not, compare wrappers with wrappers only.
"#,
    },
);
