//! Known bugs of released libraries and of the JDK, by coordinates: each is violated with a witness
//! that reproduced, and each fixed release is not.

mod dump_support;

use anyhow::{Context, Result};
use dump_support::{jdk_home, jury};
use serde_json::Value;
use testkit::jars::jar;

/// A jar, what it needs, and the class and rules that are broken in it.
struct Bug {
    jar: &'static str,
    needs: &'static [&'static str],
    class: &'static str,
    rules: &'static [&'static str],
}

const fn bug(jar: &'static str, class: &'static str, rules: &'static [&'static str]) -> Bug {
    Bug { jar, needs: &[], class, rules }
}

const HASH: &[&str] = &["hash-consistent"];
const DBCP_NEEDS: &[&str] =
    &["commons-pool:commons-pool:1.2", "commons-collections:commons-collections:2.1"];

/// A known bug that is not found yet, and why: commons-dbcp 1.2 `PoolGuardConnectionWrapper` (private,
/// made by a data source of what a pool hands out, and no pool does).
const BROKEN: &[Bug] = &[
    Bug {
        jar: "org.apache.pdfbox:pdfbox:2.0.27",
        needs: &["commons-logging:commons-logging:1.2"],
        class: "org.apache.pdfbox.cos.COSString",
        rules: HASH,
    },
    bug(
        "org.apache.hcatalog:hcatalog-core:0.5.0-incubating",
        "org.apache.hcatalog.data.schema.HCatFieldSchema",
        HASH,
    ),
    Bug {
        jar: "commons-dbcp:commons-dbcp:1.2",
        needs: DBCP_NEEDS,
        class: "org.apache.commons.dbcp.DelegatingConnection",
        rules: &["equals-reflexive", "equals-symmetric"],
    },
    bug("org.apache.commons:commons-math3:3.2", "org.apache.commons.math3.complex.Complex", HASH),
    bug(
        "org.apache.commons:commons-math3:3.2",
        "org.apache.commons.math3.fraction.BigFraction",
        &["equals-total", "compare-transitive"],
    ),
    bug(
        "commons-math:commons-math:1.2",
        "org.apache.commons.math.fraction.Fraction",
        &["compare-consistent"],
    ),
    bug(
        "org.mockito:mockito-core:1.9.5",
        "org.mockito.internal.creation.DelegatingMethod",
        &["equals-reflexive"],
    ),
    bug(
        "org.apache.commons:commons-collections4:4.0",
        "org.apache.commons.collections4.comparators.FixedOrderComparator",
        HASH,
    ),
    bug(
        "org.apache.commons:commons-collections4:4.0",
        "org.apache.commons.collections4.comparators.TransformingComparator",
        HASH,
    ),
    bug(
        "org.locationtech.jts:jts-core:1.19.0",
        "org.locationtech.jts.geom.Coordinate",
        &["equals-reflexive", "hash-consistent", "compare-transitive", "compare-consistent"],
    ),
    bug(
        "org.locationtech.jts:jts-core:1.19.0",
        "org.locationtech.jts.math.DD",
        &["compare-transitive"],
    ),
    Bug {
        jar: "org.jfree:jfreechart:1.0.19",
        needs: &["org.jfree:jcommon:1.0.21"],
        class: "org.jfree.chart.labels.AbstractCategoryItemLabelGenerator",
        rules: HASH,
    },
];

const FIXED: &[Bug] = &[
    bug(
        "org.apache.hive.hcatalog:hive-hcatalog-core:0.13.0",
        "org.apache.hive.hcatalog.data.schema.HCatFieldSchema",
        HASH,
    ),
    Bug {
        jar: "commons-dbcp:commons-dbcp:1.2.2",
        needs: DBCP_NEEDS,
        class: "org.apache.commons.dbcp.DelegatingConnection",
        rules: &["equals-reflexive"],
    },
    bug("org.apache.commons:commons-math3:3.3", "org.apache.commons.math3.complex.Complex", HASH),
    bug(
        "org.apache.commons:commons-math:2.0",
        "org.apache.commons.math.fraction.Fraction",
        &["compare-consistent"],
    ),
    bug(
        "org.mockito:mockito-core:1.10.19",
        "org.mockito.internal.creation.DelegatingMethod",
        &["equals-reflexive"],
    ),
    bug(
        "org.apache.commons:commons-collections4:4.1",
        "org.apache.commons.collections4.comparators.FixedOrderComparator",
        HASH,
    ),
    bug(
        "org.apache.commons:commons-collections4:4.1",
        "org.apache.commons.collections4.comparators.TransformingComparator",
        HASH,
    ),
    bug(
        "org.jfree:jfreechart:1.5.4",
        "org.jfree.chart.labels.AbstractCategoryItemLabelGenerator",
        HASH,
    ),
];

/// Classes of the JDK, with their rules.
const BROKEN_IN_JDK: &[(&str, &str)] = &[
    ("java.awt.BasicStroke", "equals-reflexive"),
    ("java.net.InetSocketAddress", "hash-consistent"),
    ("java.net.URI", "compare-antisymmetric"),
    ("java.util.Date", "equals-symmetric"),
    ("java.util.SimpleTimeZone", "hash-consistent"),
    ("javax.management.MBeanFeatureInfo", "equals-symmetric"),
    ("javax.naming.ldap.Rdn", "equals-total"),
];

/// Classes of the JDK that must not be violated or possible under any rule.
const SOUND_IN_JDK: &[&str] = &["java.lang.String", "java.util.UUID", "java.nio.FloatBuffer"];

/// And one of which every rule is proved.
const PROVED_IN_JDK: &str = "java.util.UUID";

/// Classes of guava that other tools complain about without reason.
const SOUND_IN_GUAVA: &[&str] = &[
    "com.google.common.hash.HashCode",
    "com.google.common.cache.CacheBuilderSpec",
    "com.google.common.collect.ImmutableEnumMap",
    "com.google.common.collect.RegularImmutableSet",
];

fn findings(arguments: &[String]) -> Result<Vec<Value>> {
    let options = ["equals", "--format", "json", "--fail-on", "never"].map(str::to_owned);
    let ran = jury(options.iter().chain(arguments))?;
    let report: Value =
        serde_json::from_str(&ran.stdout).with_context(|| format!("no report; {}", ran.stderr))?;
    assert_eq!(report["summary"]["refuted"], 0, "{arguments:?}");
    Ok(report["findings"].as_array().context("findings")?.clone())
}

fn judge(bug: &Bug) -> Result<Vec<Value>> {
    let mut arguments = vec![jar(bug.jar)?.display().to_string()];
    for needed in bug.needs {
        arguments.extend(["--cp".to_owned(), jar(needed)?.display().to_string()]);
    }
    arguments.extend(["--only".to_owned(), bug.class.to_owned()]);
    findings(&arguments)
}

fn verdict_of<'a>(findings: &'a [Value], class: &str, rule: &str) -> Option<&'a Value> {
    findings.iter().find(|finding| finding["subject"]["class"] == class && finding["rule"] == rule)
}

#[test]
fn broken_releases_are_violated() -> Result<()> {
    let mut missed = Vec::new();
    for bug in BROKEN {
        let findings = judge(bug)?;
        for rule in bug.rules {
            let found = verdict_of(&findings, bug.class, rule);
            if found.is_none_or(|finding| finding["verdict"] != "violated") {
                missed.push(format!("{} {} {rule}", bug.jar, bug.class));
            }
        }
    }
    assert!(missed.is_empty(), "not violated:\n  {}", missed.join("\n  "));
    Ok(())
}

#[test]
fn fixed_releases_are_not() -> Result<()> {
    for bug in FIXED {
        let findings = judge(bug)?;
        for rule in bug.rules {
            let verdict = verdict_of(&findings, bug.class, rule).map(|it| &it["verdict"]);
            assert!(
                verdict.is_some_and(|verdict| verdict == "unknown" || verdict == "holds"),
                "{} {} {rule}: {verdict:?}",
                bug.jar,
                bug.class
            );
        }
    }
    Ok(())
}

#[test]
fn the_jdk_itself() -> Result<()> {
    let classes = BROKEN_IN_JDK.iter().map(|(class, _)| *class).chain(SOUND_IN_JDK.iter().copied());
    let only = classes.flat_map(|class| ["--only".to_owned(), class.to_owned()]);
    let arguments: Vec<String> =
        std::iter::once(jdk_home()?.display().to_string()).chain(only).collect();
    let findings = findings(&arguments)?;
    for (class, rule) in BROKEN_IN_JDK {
        let verdict = verdict_of(&findings, class, rule).map(|it| &it["verdict"]);
        assert!(
            verdict.is_some_and(|verdict| verdict == "violated"),
            "{class} {rule}: {verdict:?}"
        );
    }
    for finding in &findings {
        let class = finding["subject"]["class"].as_str().unwrap_or_default();
        let is_accused = finding["verdict"] == "violated" || finding["verdict"] == "possible";
        assert!(!(is_accused && SOUND_IN_JDK.contains(&class)), "{finding}");
        assert!(class != PROVED_IN_JDK || finding["verdict"] == "holds", "{finding}");
    }
    Ok(())
}

#[test]
fn sound_classes_are_not_accused() -> Result<()> {
    let mut arguments = vec![jar("com.google.guava:guava:33.4.0-jre")?.display().to_string()];
    for class in SOUND_IN_GUAVA {
        arguments.extend(["--only".to_owned(), (*class).to_owned()]);
    }
    for finding in findings(&arguments)? {
        assert!(finding["verdict"] == "holds" || finding["verdict"] == "unknown", "{finding}");
    }
    Ok(())
}
