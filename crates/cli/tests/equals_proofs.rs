//! What `jury equals` proves, and what it must not: classes of which an invariant or a summary that is
//! too bold would say that they hold.
//!
//! A fixture lists `//= CLASS RULE holds`, `holds-if-it-ends` (on the assumption that its loops do), `open`
//! (anything but these) or `quiet` (neither violated nor possible). Nothing is proved up to a number of turns only.

mod dump_support;

use std::collections::BTreeMap;
use std::ffi::OsStr;

use anyhow::{Context, Result};
use dump_support::{jury, scratch};
use serde_json::Value;
use testkit::assembler::{ACC_PUBLIC, ClassWriter, Code, opcodes};
use testkit::javac::{Fixture, fixtures_in};

#[test]
fn what_holds_is_proved_and_nothing_else() -> Result<()> {
    expect("proofs")
}

#[test]
fn what_fields_hold_is_known_by_who_writes_them() -> Result<()> {
    expect("proofs-fields")
}

#[test]
fn what_one_turn_shows_is_said_of_the_turn_that_it_shows() -> Result<()> {
    expect("proofs-turns")
}

#[test]
fn a_whole_is_no_better_than_its_parts() -> Result<()> {
    expect("proofs-parts")
}

/// Each alone: one that accepts anybody is in the way of all.
#[test]
fn who_may_accept_strangers_opens_their_proofs() -> Result<()> {
    for fixture in fixtures_in("proofs-strangers")? {
        expect_of(&[fixture])?;
    }
    Ok(())
}

/// JVMS `ireturn`: of two as a boolean nothing is left, of three one. No compiler writes that, others may.
#[test]
fn what_a_method_returns_is_cut_to_its_type() -> Result<()> {
    let directory = scratch("cut-to-its-type")?;
    for (name, answer) in [("Even", 2), ("Odd", 3)] {
        let mut class = ClassWriter::new(52, name, "java/lang/Object");
        class.default_constructor("java/lang/Object");
        let mut code = Code::new().limits(1, 2);
        code.push(answer).op(opcodes::IRETURN);
        class.method(ACC_PUBLIC, "equals", "(Ljava/lang/Object;)Z", code);
        let mut code = Code::new().limits(1, 1);
        code.op(opcodes::ICONST_2).op(opcodes::IRETURN);
        class.method(ACC_PUBLIC, "hashCode", "()I", code);
        std::fs::write(directory.join(format!("{name}.class")), class.bytes())?;
    }
    let options = ["equals", "--all", "--format", "json", "--fail-on", "never"].map(OsStr::new);
    let ran = jury(options.into_iter().chain([directory.as_os_str()]))?;
    let report: Value = serde_json::from_str(&ran.stdout)?;
    let of = |name: &str| {
        let mut all = report["findings"].as_array().into_iter().flatten();
        let it = all.find(|it| it["rule"] == "equals-reflexive" && it["subject"]["class"] == name);
        it.map(|it| it["verdict"].clone())
    };
    assert_eq!(of("Even"), Some("violated".into()));
    assert_eq!(of("Odd"), Some("holds".into()));
    Ok(())
}

fn rests_on_ends(finding: &Value) -> bool {
    let assumptions = finding["scope"]["assumptions"].as_array();
    assumptions.is_some_and(|all| all.iter().any(|it| it == "its loops end"))
}

/// Judges the fixtures of a directory together.
fn expect(directory: &str) -> Result<()> {
    expect_of(&fixtures_in(directory)?)
}

fn expect_of(fixtures: &[&Fixture]) -> Result<()> {
    let paths = fixtures.iter().map(|fixture| fixture.classes.display().to_string());
    let options = ["equals", "--all", "--format", "json", "--fail-on", "never"].map(str::to_owned);
    let ran = jury(options.into_iter().chain(paths))?;
    let report: Value =
        serde_json::from_str(&ran.stdout).with_context(|| format!("no report; {}", ran.stderr))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut verdicts: BTreeMap<(String, String), &str> = BTreeMap::new();
    for finding in report["findings"].as_array().context("findings")? {
        let verdict = match (finding["verdict"].as_str(), &finding["scope"]["bound"]) {
            (Some("holds"), Value::Null) if rests_on_ends(finding) => "holds-if-it-ends",
            (Some("holds"), Value::Null) => "holds",
            (Some("holds"), _) => "bounded",
            (Some("unknown"), _) => "unknown",
            (_, _) => "alarm",
        };
        verdicts.insert((text(&finding["subject"]["class"]), text(&finding["rule"])), verdict);
    }
    let mut wrong = Vec::new();
    let mut n_expected = 0;
    for source in fixtures.iter().flat_map(|fixture| &fixture.sources) {
        let source = std::fs::read_to_string(source)?;
        for line in source.lines().filter_map(|line| line.strip_prefix("//= ")) {
            let [class, rule, expected] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                anyhow::bail!("odd expectation '{line}'");
            };
            n_expected += 1;
            let found = verdicts.get(&(class.to_owned(), rule.to_owned()));
            let is_met = match (expected, found.copied()) {
                ("open", found) => matches!(found, Some("unknown" | "alarm")),
                ("quiet", found) => matches!(found, Some("holds" | "unknown")),
                (expected, found) => found == Some(expected),
            };
            if !is_met {
                wrong.push(format!("{line}: {found:?}"));
            }
        }
    }
    assert!(n_expected > 0, "no expectations were read");
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}
