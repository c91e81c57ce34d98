//! Names and messages that try to do something to whoever reads them.

use checks::report::Problem;
use checks::{
    Command, Construction, Finding, Gap, GapKind, Outcome, Replay, Report, Subject, Verdict,
};

use super::{at, evidence, finding, strings};

/// Repaints the terminal, reverses the reading order, forges a line, hides letters, leaves quotes.
const HOSTILE: &str =
    "p.\x1b[2J\u{202e}C\nviolated\r\u{9b}31m\"'`</script>\u{200b}\u{e0041}\u{7f}\u{2028}\\";

pub(super) fn names_and_problems() -> Report {
    let problem =
        |path: &str, message: &str| Problem { path: path.to_owned(), message: message.to_owned() };
    Report::new(Outcome {
        inputs: strings(&["\u{1b}]0;title\u{7}.jar"]),
        jdk: Some("17\u{202e}".to_owned()),
        n_classes: 1,
        n_methods: 2,
        findings: vec![violated(), unknown()],
        problems: vec![
            problem("lib/b.jar", "no zip archive: the end record is missing"),
            problem(
                &format!("lib/a.jar!/{HOSTILE}.class"),
                "constant pool entry 7 has the unknown tag 99, at byte 31",
            ),
        ],
        ..Outcome::new(Command::Equals)
    })
}

fn violated() -> Finding {
    let witness = format!("Object x = new Odd(\"{}\");\n// ````\n\tx.run();", "\u{202e}\u{1b}");
    let evidence = evidence(Construction::Public, Replay::Reproduced, &witness, &[HOSTILE]);
    Finding {
        classes: strings(&[HOSTILE, "p.D"]),
        notes: strings(&[HOSTILE]),
        ..finding(
            "equals-total",
            at(HOSTILE, "equals(Ljava/lang/Object;)Z", "../\u{202e}C.java", 12),
            Verdict::from_evidence(evidence, vec![]),
            &format!("{HOSTILE} throws."),
        )
    }
}

fn unknown() -> Finding {
    let subject = Subject { class: Some("p.Größe$日本".to_owned()), ..Subject::default() };
    finding(
        "equals-null",
        subject,
        Verdict::Unknown(vec![Gap::new(GapKind::Unsupported, HOSTILE)]),
        "Letters of any alphabet stay as they are.",
    )
}
