//! Contracts and behaviour: violated, possible, unknown, holds in every scope.

use checks::report::{EqualityKind, Hierarchy, Members, Stat, StatValue};
use checks::{
    Cause, Command, Construction, Evidence, Finding, Gap, GapKind, Need, Outcome, Replay, Report,
    Scope, Verdict,
};

use super::{at, evidence, finding, strings};

const EQUALS: &str = "equals(Ljava/lang/Object;)Z";

pub(super) fn violated() -> Report {
    Report::new(Outcome {
        inputs: strings(&["shapes.jar"]),
        jdk: Some("17.0.15".to_owned()),
        n_classes: 12,
        n_methods: 1_043,
        findings: vec![
            needs_nan(),
            no_hash_code(),
            holds_for_all(),
            holds_to_a_bound(),
            asymmetric(),
        ],
        hierarchies: vec![
            Hierarchy {
                root: "shapes.Size".to_owned(),
                kind: EqualityKind::TypeIncompatible,
                breaks: vec![],
            },
            Hierarchy {
                root: "shapes.Point".to_owned(),
                kind: EqualityKind::Hybrid,
                breaks: strings(&["shapes.ColorPoint"]),
            },
        ],
        ..Outcome::new(Command::Equals)
    })
}

fn asymmetric() -> Finding {
    let evidence = evidence(
        Construction::Public,
        Replay::Reproduced,
        "Point x = new Point(1, 2);\nPoint y = new ColorPoint(1, 2, \"red\");\n",
        &["x.equals(y) = true", "y.equals(x) = false"],
    );
    Finding {
        classes: strings(&["shapes.Point", "shapes.ColorPoint"]),
        notes: strings(&[
            "the subclass adds state and tests the type with instanceof, as its superclass does",
        ]),
        ..finding(
            "equals-symmetric",
            at("shapes.Point", EQUALS, "Point.java", 12),
            Verdict::from_evidence(evidence, vec![]),
            "A Point equals a ColorPoint at the same place, but the ColorPoint does not equal the Point.",
        )
    }
}

fn needs_nan() -> Finding {
    let evidence = Evidence {
        needs: [Need::Nan].into(),
        ..evidence(
            Construction::Public,
            Replay::Reproduced,
            "Angle x = Angle.ofDegrees(Double.NaN);",
            &["x.equals(x) = false"],
        )
    };
    finding(
        "equals-reflexive",
        at("shapes.Angle", EQUALS, "Angle.java", 31),
        Verdict::from_evidence(evidence, vec![]),
        "An Angle that holds NaN does not equal itself, because equals compares doubles with ==.",
    )
}

fn no_hash_code() -> Finding {
    let evidence = evidence(
        Construction::Package,
        Replay::Reproduced,
        "Label x = new Label(\"a\");\nLabel y = new Label(\"a\");",
        &["x.equals(y) = true", "x.hashCode() == y.hashCode() = false"],
    );
    Finding {
        cause: Some(Cause::NoHashCode),
        ..finding(
            "hash-consistent",
            at("shapes.internal.text.layout.Label", EQUALS, "Label.java", 8),
            Verdict::from_evidence(evidence, vec![]),
            "Two Labels with the same text are equal, but inherit their hash codes from Object.",
        )
    }
}

fn holds_for_all() -> Finding {
    let scope = Scope {
        assumptions: strings(&[
            "other implementations of java.util.List obey the contract of equals",
        ]),
        ..Scope::default()
    };
    finding(
        "equals-transitive",
        at("shapes.Size", EQUALS, "Size.java", 20),
        Verdict::Holds(scope),
        "Size.equals is transitive.",
    )
}

fn holds_to_a_bound() -> Finding {
    finding(
        "equals-symmetric",
        at("shapes.Path", EQUALS, "Path.java", 77),
        Verdict::Holds(Scope { bound: Some(8), ..Scope::default() }),
        "Path.equals is symmetric.",
    )
}

pub(super) fn doubtful() -> Report {
    Report::new(Outcome {
        inputs: strings(&["target/classes"]),
        n_classes: 3,
        n_methods: 40,
        findings: vec![forced(), undecided(), refuted(), inconsistent()],
        stats: vec![
            Stat { name: "seconds", value: StatValue::Real(1.25) },
            Stat { name: "solver_queries", value: StatValue::Count(12_345) },
        ],
        ..Outcome::new(Command::Equals)
    })
}

fn forced() -> Finding {
    let evidence = evidence(
        Construction::Forced,
        Replay::NotRun,
        "Range x = forge(Range.class, \"low\", 1, \"high\", 0);",
        &["x.equals(x) = false"],
    );
    let gap = Gap::new(
        GapKind::Approximation,
        "the result of the native method app.Range.compare0(II)I may be anything",
    );
    finding(
        "equals-reflexive",
        at("app.Range", EQUALS, "Range.java", 44),
        Verdict::from_evidence(evidence, vec![gap]),
        "A Range whose bounds are reversed does not equal itself.",
    )
}

fn undecided() -> Finding {
    let gaps = vec![
        Gap::new(
            GapKind::Budget,
            "the loop in app.Text.equals at line 60 was still running after 64 iterations",
        ),
        Gap::new(GapKind::Solver, "the solver gave up on the remaining case"),
        Gap::new(GapKind::Unsupported, "app.Text.load() uses reflection"),
        Gap::new(GapKind::Internal, "the model did not evaluate"),
    ];
    finding(
        "equals-transitive",
        at("app.Text", EQUALS, "Text.java", 58),
        Verdict::Unknown(gaps),
        "Whether Text.equals is transitive is not known.",
    )
}

fn refuted() -> Finding {
    let evidence = evidence(
        Construction::Public,
        Replay::Refuted,
        "Money x = new Money(1);",
        &["x.equals(null) = false"],
    );
    finding(
        "equals-null",
        at("app.Money", EQUALS, "Money.java", 9),
        Verdict::from_evidence(evidence, vec![]),
        "Whether Money.equals(null) is false is not known.",
    )
}

fn inconsistent() -> Finding {
    let evidence = Evidence {
        needs: [Need::Extreme, Need::Null, Need::NegativeZero].into(),
        ..evidence(
            Construction::Public,
            Replay::NotRun,
            "Money x = new Money(-0.0);",
            &["x.compareTo(y) = 0"],
        )
    };
    finding(
        "compare-consistent",
        at("app.Money", "compareTo(Lapp/Money;)I", "Money.java", 30),
        Verdict::from_evidence(evidence, vec![]),
        "Two unequal amounts compare as 0.",
    )
}

pub(super) fn diff() -> Report {
    Report::new(Outcome {
        inputs: strings(&["tree-1.0.jar", "tree-1.1.jar"]),
        jdk: Some("17.0.15".to_owned()),
        n_classes: 4,
        n_methods: 31,
        findings: vec![parted(), proved(), unchanged()],
        compatibility: Some("all that others can name is still there".to_owned()),
        members: Some(Members { unchanged: 29, changed: 2, affected: 1, added: 1, removed: 0 }),
        ..Outcome::new(Command::Diff)
    })
}

fn parted() -> Finding {
    let evidence = Evidence {
        drawing: Some("t -> Node {left: t, right: null, value: 0}\n       ^----'".to_owned()),
        ..evidence(
            Construction::Public,
            Replay::Reproduced,
            "Node t = new Node();\nt.left = t;\nTrees.set(t, 1);",
            &["old: returns, t.value = 0", "new: returns, t.value = 1"],
        )
    };
    finding(
        "same-behaviour",
        at("tree.Trees", "set(Ltree/Node;I)V", "Trees.java", 17),
        Verdict::from_evidence(evidence, vec![]),
        "The order of two writes changed, which shows on a node that is its own child.",
    )
}

fn proved() -> Finding {
    let scope = Scope { assumptions: strings(&["both versions terminate"]), ..Scope::default() };
    finding(
        "same-behaviour",
        at("tree.Trees", "size(Ltree/Node;)I", "Trees.java", 40),
        Verdict::Holds(scope),
        "Both versions of Trees.size do the same.",
    )
}

fn unchanged() -> Finding {
    finding(
        "same-behaviour",
        at("tree.Node", "<init>()V", "Node.java", 3),
        Verdict::Holds(Scope { same_code: true, ..Scope::default() }),
        "Both versions of Node.<init> have the same code.",
    )
}
