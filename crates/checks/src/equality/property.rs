//! The rules as predicates over answers: the same test for the machine and for a JVM.

use crate::rule::Rule;
use crate::witness::Answer;

/// A rule that can be asked of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    Reflexive,
    Symmetric,
    Transitive,
    Null,
    Total,
    HashConsistent,
    HashStable,
    CompareAntisymmetric,
    CompareTransitive,
    CompareTotal,
    CompareConsistent,
    Overloaded,
}

impl Property {
    pub fn name(self) -> &'static str {
        match self {
            Property::Reflexive => "equals-reflexive",
            Property::Symmetric => "equals-symmetric",
            Property::Transitive => "equals-transitive",
            Property::Null => "equals-null",
            Property::Total => "equals-total",
            Property::HashConsistent => "hash-consistent",
            Property::HashStable => "hash-stable",
            Property::CompareAntisymmetric => "compare-antisymmetric",
            Property::CompareTransitive => "compare-transitive",
            Property::CompareTotal => "compare-total",
            Property::CompareConsistent => "compare-consistent",
            Property::Overloaded => "equals-overloaded",
        }
    }

    /// The registered rule; every property has one.
    pub fn rule(self) -> Option<&'static Rule> {
        Rule::named(self.name())
    }

    /// What a JUnit test asserts of the answers; nothing where it is enough that the calls return.
    pub fn assertion(self) -> Option<&'static str> {
        Some(match self {
            Property::Reflexive => "assertTrue(answer0);",
            Property::Symmetric | Property::Overloaded => "assertEquals(answer0, answer1);",
            Property::Transitive => "assertTrue(!(answer0 && answer1) || answer2);",
            Property::Null => "assertFalse(answer0);",
            Property::Total | Property::CompareTotal => return None,
            Property::HashConsistent => "assertTrue(!answer0 || answer1 == answer2);",
            Property::HashStable => "assertEquals(answer0, answer1);",
            Property::CompareAntisymmetric => {
                "assertEquals(Integer.signum(answer0), -Integer.signum(answer1));"
            }
            Property::CompareTransitive => {
                "assertFalse(Integer.signum(answer0) == Integer.signum(answer1) \
                 ? Integer.signum(answer2) != Integer.signum(answer0) \
                 : answer0 == 0 && Integer.signum(answer2) != Integer.signum(answer1) \
                 || answer1 == 0 && Integer.signum(answer2) != Integer.signum(answer0));"
            }
            Property::CompareConsistent => "assertEquals(answer0 == 0, answer1);",
        })
    }

    /// Whether it speaks of an order, not of equality.
    pub(super) fn is_order(self) -> bool {
        match self {
            Property::CompareAntisymmetric
            | Property::CompareTotal
            | Property::CompareConsistent
            | Property::CompareTransitive => true,
            Property::Reflexive
            | Property::Null
            | Property::Total
            | Property::Symmetric
            | Property::Transitive
            | Property::HashConsistent
            | Property::HashStable
            | Property::Overloaded => false,
        }
    }

    /// Whether these answers break the rule. The order of questions:
    ///
    /// | property | answers |
    /// | --- | --- |
    /// | reflexive | `x.equals(x)` |
    /// | symmetric | `x.equals(y)`, `y.equals(x)` |
    /// | transitive | `x.equals(y)`, `y.equals(z)`, `x.equals(z)` |
    /// | null | `x.equals(null)` |
    /// | total | `x.equals(y)` |
    /// | hash-consistent | `x.equals(y)`, `x.hashCode()`, `y.hashCode()`; `y` may be `x` |
    /// | hash-stable | `x.hashCode()`, a change, `x.hashCode()` |
    /// | antisymmetric | `x.compareTo(y)`, `y.compareTo(x)` |
    /// | transitive | `x.compareTo(y)`, `y.compareTo(z)`, `x.compareTo(z)` |
    /// | total | `x.compareTo(y)` |
    /// | consistent | `x.compareTo(y)`, `x.equals(y)` |
    /// | overloaded | `x.equals((T) y)`, `x.equals((Object) y)` |
    pub fn is_broken_by(self, answers: &[Answer]) -> bool {
        use Answer::{Boolean, Int};
        match self {
            Property::Reflexive => answers == [Boolean(false)],
            Property::Symmetric => matches!(answers, [Boolean(xy), Boolean(yx)] if xy != yx),
            Property::Transitive => answers == [Boolean(true), Boolean(true), Boolean(false)],
            Property::Null => answers == [Boolean(true)],
            Property::Total | Property::CompareTotal => {
                matches!(answers, [Answer::Threw(class)] if counts_as_throwing(class))
            }
            Property::HashConsistent => match answers {
                [Boolean(true), x, y] => hashes_differ(x, y),
                _ => false,
            },
            Property::HashStable => matches!(answers, [Int(before), Int(after)] if before != after),
            Property::CompareAntisymmetric => {
                matches!(answers, [Int(xy), Int(yx)] if xy.signum() != -yx.signum())
            }
            Property::CompareTransitive => match answers {
                [Int(xy), Int(yz), Int(xz)] => {
                    let (xy, yz, xz) = (xy.signum(), yz.signum(), xz.signum());
                    (xy == yz && xz != xy) || (xy == 0 && xz != yz) || (yz == 0 && xz != xy)
                }
                _ => false,
            },
            Property::CompareConsistent => {
                matches!(answers, [Int(order), Boolean(equal)] if (*order == 0) != *equal)
            }
            Property::Overloaded => matches!(answers, [Boolean(a), Boolean(b)] if a != b),
        }
    }
}

/// Two numbers that a JVM picks by chance are taken to differ until it has shown them.
fn hashes_differ(x: &Answer, y: &Answer) -> bool {
    match (x, y) {
        (Answer::Int(x), Answer::Int(y)) => x != y,
        (Answer::Chance, Answer::Chance | Answer::Int(_)) | (Answer::Int(_), Answer::Chance) => {
            true
        }
        (_, _) => false,
    }
}

/// Not what a broken class path or an exhausted machine throws.
fn counts_as_throwing(class: &str) -> bool {
    const NOT_ITS_FAULT: [&str; 12] = [
        // A stub throws it.
        "java.lang.AbstractMethodError",
        // Assertions are off in production.
        "java.lang.AssertionError",
        "java.lang.OutOfMemoryError",
        "java.lang.StackOverflowError",
        "java.lang.InternalError",
        "java.lang.NoClassDefFoundError",
        "java.lang.ExceptionInInitializerError",
        "java.lang.UnsatisfiedLinkError",
        "java.lang.NoSuchMethodError",
        "java.lang.NoSuchFieldError",
        "java.lang.IllegalAccessError",
        "java.lang.IncompatibleClassChangeError",
    ];
    !NOT_ITS_FAULT.contains(&class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Answer::{Boolean, Int};

    #[test]
    fn an_order_that_overflows_is_not_transitive() {
        let answers = [Int(-2_000_000_000), Int(-2_000_000_000), Int(294_967_296)];
        assert!(Property::CompareTransitive.is_broken_by(&answers));
        assert!(!Property::CompareTransitive.is_broken_by(&[Int(-1), Int(-1), Int(-2)]));
        assert!(Property::CompareTransitive.is_broken_by(&[Int(0), Int(1), Int(0)]));
    }

    #[test]
    fn the_smallest_int_is_its_own_opposite() {
        assert!(Property::CompareAntisymmetric.is_broken_by(&[Int(i32::MIN), Int(i32::MIN)]));
        assert!(!Property::CompareAntisymmetric.is_broken_by(&[Int(i32::MIN), Int(1)]));
    }

    #[test]
    fn a_missing_class_is_no_violation() {
        let threw = |class: &str| vec![Answer::Threw(class.to_owned())];
        assert!(Property::Total.is_broken_by(&threw("java.lang.NullPointerException")));
        assert!(!Property::Total.is_broken_by(&threw("java.lang.NoClassDefFoundError")));
        assert!(!Property::Total.is_broken_by(&[Boolean(false)]));
    }

    #[test]
    fn every_property_is_a_rule() {
        for property in [
            Property::Reflexive,
            Property::Symmetric,
            Property::Transitive,
            Property::Null,
            Property::Total,
            Property::HashConsistent,
            Property::HashStable,
            Property::CompareAntisymmetric,
            Property::CompareTransitive,
            Property::CompareTotal,
            Property::CompareConsistent,
            Property::Overloaded,
        ] {
            assert!(property.rule().is_some(), "{}", property.name());
        }
    }
}
