//! Fixes that a release tells of are found in its jars, with an input that shows each.

mod dump_support;

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use dump_support::jury;
use serde_json::Value;
use testkit::jars::jar;

/// Class, method, and a word of what shows it.
const LANG3: [(&str, &str, &str); 12] = [
    ("compare.ComparableUtils$ComparableCheckBuilder", "equalTo", "is(null)"),
    ("compare.ComparableUtils$ComparableCheckBuilder", "greaterThan", "is(null)"),
    ("compare.ComparableUtils$ComparableCheckBuilder", "greaterThanOrEqualTo", "is(null)"),
    ("compare.ComparableUtils$ComparableCheckBuilder", "lessThan", "is(null)"),
    ("compare.ComparableUtils$ComparableCheckBuilder", "lessThanOrEqualTo", "is(null)"),
    ("EnumUtils", "getEnum", "null"),
    ("EnumUtils", "getEnumMap", "getEnumMap"),
    ("EnumUtils", "getFirstEnumIgnoreCase", "null"),
    ("JavaVersion", "values", "values"),
    ("function.Failable", "accept", "null"),
    ("function.Failable", "run", "null"),
    ("math.Fraction", "hashCode", "hashCode"),
];

#[test]
fn commons_lang3_3_18_0() -> Result<()> {
    let path = |version: &str| -> Result<String> {
        let coordinates = format!("org.apache.commons:commons-lang3:{version}");
        Ok(jar(&coordinates)?.display().to_string())
    };
    let (old, new) = (path("3.17.0")?, path("3.18.0")?);
    let classes: BTreeSet<String> =
        LANG3.iter().map(|(class, ..)| format!("org.apache.commons.lang3.{class}")).collect();
    let only = classes.iter().flat_map(|class| ["--only", class]);
    let arguments = ["diff", &old, &new, "--format", "json", "--fail-on", "never"];
    let ran = jury(arguments.into_iter().chain(only))?;
    let report: Value = serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
    assert_eq!(report["summary"]["refuted"], 0, "{}", report["summary"]);
    let findings = report["findings"].as_array().context("findings")?;
    for (class, method, shown) in LANG3 {
        let is_it = |finding: &&Value| {
            let subject = |part: &str| finding["subject"][part].as_str().unwrap_or_default();
            finding["verdict"] == "violated"
                && subject("class") == format!("org.apache.commons.lang3.{class}")
                && subject("method").starts_with(&format!("{method}("))
        };
        let found = findings.iter().find(is_it).with_context(|| format!("{class}.{method}"))?;
        let witness = found["evidence"]["witness"].as_str().unwrap_or_default();
        assert!(witness.contains(shown), "{class}.{method}: {witness}");
    }
    Ok(())
}
