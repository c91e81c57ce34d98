//! `hash-consistent`: equal objects have equal hash codes.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "hash-consistent",
    Command::Equals,
    Level::Error,
    "equal objects have equal hash codes",
    Explanation {
        proves: r#"
For any two objects of the hierarchy: if `x.equals(y)` is true, then `x.hashCode()` is
`y.hashCode()`. The objects may be of different classes.
"#,
        matters: r#"
HashMap and HashSet look only where the hash code points. Two equal objects with different hash
codes are two keys: an entry is stored and not found, a set holds duplicates.
"#,
        example: r#"
    final class Header {
        private final String name;

        Header(String name) {
            this.name = name;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Header h && name.equalsIgnoreCase(h.name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

`new Header("Accept")` and `new Header("accept")` are equal. Their hash codes differ, so a HashMap
with one as a key does not find the other.

The report names the cause where it can:

- `hashed-not-compared`: the hash code depends on something that `equals` ignores.

- `compared-more-loosely-than-hashed`: both use the field, but `equals` treats more values as the
  same, as above, or as with `0.0 == -0.0`.

- `no-hash-code`: the class declares `equals` and inherits `hashCode` from `Object`.

- `other`: none of these.
"#,
        limits: r#"
The hash of an object in a field is assumed to fit its `equals`; if the class of the field was
judged too and is broken, the message names it. A field that only caches the hash code, or that is
computed from compared ones, is no violation.
"#,
        fix: r#"
Write down which fields make up the state of an object, then compare and hash exactly those, each
in the same way. Where `equals` is looser than plain comparison, compute one canonical form in the
constructor and use it for both:

    final class CanonicalHeader {
        private final String key;

        CanonicalHeader(String name) {
            this.key = name.toLowerCase(java.util.Locale.ROOT);
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof CanonicalHeader h && key.equals(h.key);
        }

        @Override
        public int hashCode() {
            return key.hashCode();
        }
    }

For arrays pair `Arrays.equals` with `Arrays.hashCode`, for doubles `Double.compare` with
`Double.hashCode`. A record does all this for you as long as its components are no arrays.
"#,
    },
);
