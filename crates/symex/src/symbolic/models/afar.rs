//! Code of the platform that is never followed on open inputs: regular expressions, formats, calendars,
//! reflection, chance, and the insides of tables that existed before.
//!
//! Its loops have no near end, and what it does depends on locales, zones, loaders or luck. A call of it is a
//! call to the outside, which may do anything; following it first would cost the budget of its caller and stop
//! there. Short methods that only look at what they are given are followed, and so are constructors of
//! subclasses, exceptions, and what compares objects.

use program::{MethodId, Role};
use smt::Term;

use crate::symbolic::space::Leaf;
use crate::symbolic::{Engine, Outcome, State};

/// How the names of its classes begin.
const CLASSES: &[&str] = &[
    "java/lang/reflect/",
    "java/security/",
    "java/text/",
    "java/time/format/",
    "java/util/Calendar",
    "java/util/Formatter",
    "java/util/GregorianCalendar",
    "java/util/Random",
    "java/util/ResourceBundle",
    "java/util/TimeZone",
    "java/util/regex/",
    "jdk/internal/reflect/",
    "sun/reflect/",
    "sun/security/",
    "sun/util/",
];

/// They begin so too, and are followed or have models.
const NEAR: &[&str] = &["java/lang/reflect/Array"];

/// What `Class` says of members, signatures, annotations and loaders.
const OF_CLASS: &[&str] = &[
    "checkMemberAccess",
    "checkPackageAccess",
    "forName",
    "getAnnotat",
    "getConstructor",
    "getDeclared",
    "getEnclosing",
    "getField",
    "getGeneric",
    "getMethod",
    "getProtectionDomain",
    "getRecordComponents",
    "getResource",
    "getTypeParameters",
    "newInstance",
    "privateGet",
    "reflectionData",
];

/// What goes through a table, by class.
const TABLES: &[(&str, &[&str])] = &[
    ("java/util/HashMap", &["getNode", "putVal", "removeNode", "resize", "containsValue"]),
    ("java/util/TreeMap", &["getEntry", "getEntryUsingComparator", "put", "deleteEntry"]),
    (
        "java/util/concurrent/ConcurrentHashMap",
        &["get", "putVal", "replaceNode", "initTable", "computeIfAbsent", "compute", "merge"],
    ),
    ("java/lang/ThreadLocal$ThreadLocalMap", &[""]),
];

/// How far away a method is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::symbolic) enum Distance {
    Near,
    /// Where its object may have existed before.
    OfOld,
    Afar,
}

impl Engine<'_> {
    /// The outcome of a call of such code.
    pub(in crate::symbolic) fn call_afar(
        &mut self,
        method: MethodId,
        arguments: &[Term],
        state: &State,
    ) -> Option<Outcome> {
        if self.stack.is_empty() {
            return None;
        }
        let distance = match self.library.distances.get(&method) {
            Some(&known) => known,
            None => {
                let found = self.distance(method);
                self.library.distances.insert(method, found);
                found
            }
        };
        let is_afar = match distance {
            Distance::Near => false,
            Distance::OfOld => arguments.first().is_some_and(|&object| self.may_be_old(object)),
            Distance::Afar => true,
        };
        if !is_afar {
            return None;
        }
        let (class, declared) = self.program.method(method);
        if declared.name != self.program.known.init {
            return Some(self.call_outside(method, arguments.to_vec(), state.clone()));
        }
        self.is_very_object(class.id, arguments[0])
            .then(|| self.construct_outside(method, arguments.to_vec(), state.clone()))
    }

    fn distance(&mut self, method: MethodId) -> Distance {
        let (class, declared) = self.program.method(method);
        let is_near = self.program.role(class.id) != Role::Platform
            || self.is_contract(method)
            || self.is_throwable(class.id);
        if is_near {
            return Distance::Near;
        }
        let names = &self.program.names;
        let (class, name) = (names.text(class.name), names.text(declared.name));
        let begins = |text: &str, list: &[&str]| list.iter().any(|it| text.starts_with(it));
        let is_afar = begins(&class, CLASSES) && !begins(&class, NEAR)
            || &*class == "java/lang/Class" && begins(&name, OF_CLASS);
        if is_afar {
            let is_new = declared.name == self.program.known.init;
            let is_followed = !is_new && self.is_plain(method, 0);
            return if is_followed { Distance::Near } else { Distance::Afar };
        }
        let is_it = |it: &&str| it.is_empty() || **it == *name;
        let mut tables = TABLES.iter().filter(|(known, _)| **known == *class);
        let goes_through = tables.any(|(_, methods)| methods.iter().any(is_it));
        if goes_through { Distance::OfOld } else { Distance::Near }
    }

    /// Whether an object may have existed at the start.
    fn may_be_old(&mut self, object: Term) -> bool {
        self.space
            .leaves(object)
            .is_none_or(|leaves| leaves.iter().any(|(_, leaf)| matches!(leaf, Leaf::Input(_))))
    }
}
