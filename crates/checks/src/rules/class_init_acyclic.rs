//! `class-init-acyclic`: no circle of threads can form, each waiting for a class that the next one initialises.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "class-init-acyclic",
    Command::Locks,
    Level::Error,
    "no circle of threads can form, each waiting for a class that the next one initialises",
    Explanation {
        proves: r#"
Threads cannot block each other by starting to initialise classes from different places of a
circle, as when the static initialiser of one class needs the other class, and the other way
round.
"#,
        matters: r#"
The JVM holds a hidden lock while it runs the static initialiser of a class, and others who touch
that class wait for it. A circle hangs the program at start-up, on a fast machine, once in a
thousand runs; and a thread dump shows threads that claim to be running.
"#,
        example: r#"
    class Shape {
        static final Shape UNIT = new Square();
    }

    class Square extends Shape {
    }

Initialising `Shape` creates a `Square`; initialising `Square` first initialises its superclass.
If one thread reads `Shape.UNIT` while another calls `new Square()`, each waits for the class that
the other is initialising. With one thread alone nothing happens.
"#,
        limits: r#"
Reported only if code outside can start at both ends. Initialisation by reflection with a computed
class name is not seen. Reading a compile-time constant initialises nothing and does not count.
"#,
        fix: r#"
Break the circle: no class should create its subclasses in its static initialiser. Move the
constant to a class of its own that nobody extends:

    class Figure {
    }

    class Disc extends Figure {
    }

    final class Figures {
        static final Figure UNIT = new Disc();

        private Figures() {
        }
    }

If the name has to stay, fetch it lazily through a method and such a holder class. Making the
subclass private to the superclass also helps, as then nobody can start at its end.
"#,
    },
);
