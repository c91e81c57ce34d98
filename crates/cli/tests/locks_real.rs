//! Deadlocks of published jars that were seen on a JVM: found where they are, gone where they were mended.

use std::process::Command;

/// The locks of each circle that is called possible in these jars, by name.
fn circles(judged: &[&str], known: &[&str]) -> Vec<Vec<String>> {
    let jar = |coordinates: &&str| testkit::jars::jar(coordinates).expect("a pinned jar");
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(["locks", "--no-replay", "--format", "json", "--fail-on", "never"]);
    command.args(judged.iter().map(jar));
    for coordinates in known {
        command.arg("--cp").arg(jar(coordinates));
    }
    let output = command.output().expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let findings = report["findings"].as_array().expect("findings");
    let possible =
        findings.iter().filter(|it| it["verdict"] == "possible" && it["pruned"].is_null());
    let name = |lock: &serde_json::Value| lock["name"].as_str().unwrap_or_default().to_owned();
    let locks = possible.filter_map(|it| it["locks"].as_array());
    locks.map(|locks| locks.iter().map(name).collect()).collect()
}

/// Whether some circle goes through locks with just these names.
fn has(circles: &[Vec<String>], names: &[&str]) -> bool {
    circles.iter().any(|locks| names.iter().all(|name| locks.iter().any(|lock| lock == name)))
}

#[test]
fn dbcp_and_pool() {
    let names = [
        "org.apache.commons.dbcp.PoolingConnection",
        "org.apache.commons.pool.impl.GenericKeyedObjectPool",
    ];
    let old = circles(&["commons-dbcp:commons-dbcp:1.2", "commons-pool:commons-pool:1.2"], &[]);
    assert!(has(&old, &names), "{old:?}");
    let new = circles(&["commons-dbcp:commons-dbcp:1.3", "commons-pool:commons-pool:1.5.4"], &[]);
    assert!(!has(&new, &names), "{new:?}");
}

#[test]
fn derby_client() {
    let names = [
        "org.apache.derby.client.ClientPooledConnection",
        "org.apache.derby.client.am.LogicalConnection",
    ];
    let old = circles(&["org.apache.derby:derbyclient:10.8.2.2"], &[]);
    assert!(has(&old, &names), "{old:?}");
    let new = circles(&["org.apache.derby:derbyclient:10.10.2.0"], &[]);
    // Not mended: with statements pooled it hangs as before, see docs/locks.md.
    assert!(has(&new, &names), "{new:?}");
}

#[test]
fn log4j_and_initialisers() {
    let log4j = circles(&["log4j:log4j:1.2.17"], &[]);
    assert!(has(&log4j, &["org.apache.log4j.Level", "org.apache.log4j.Priority"]), "{log4j:?}");
    // Of the appenders that lock alike, the report names one.
    let is_appender = |lock: &String| lock.ends_with("Appender");
    let with_appender = |it: &&Vec<String>| it.iter().any(is_appender);
    let appenders: Vec<Vec<String>> = log4j.iter().filter(with_appender).cloned().collect();
    assert!(has(&appenders, &["org.apache.log4j.Category"]), "{log4j:?}");
    let javapoet = circles(&["com.squareup:javapoet:1.13.0"], &[]);
    let names = ["com.squareup.javapoet.ClassName", "com.squareup.javapoet.TypeName"];
    assert!(has(&javapoet, &names), "{javapoet:?}");
    let c3p0 = circles(&["com.mchange:c3p0:0.9.5.2"], &["com.mchange:mchange-commons-java:0.2.11"]);
    let names = [
        "com.mchange.v2.resourcepool.BasicResourcePoolFactory",
        "com.mchange.v2.resourcepool.ResourcePoolFactory",
    ];
    assert!(has(&c3p0, &names), "{c3p0:?}");
    let names = ["net.openhft.hashing.UnsafeAccess", "net.openhft.hashing.Util"];
    let old = circles(&["net.openhft:zero-allocation-hashing:0.15"], &[]);
    assert!(has(&old, &names), "{old:?}");
    let new = circles(&["net.openhft:zero-allocation-hashing:0.16"], &[]);
    assert!(!has(&new, &names), "{new:?}");
}

#[test]
fn initialisers_that_nobody_starts_from_the_other_end() {
    let guava = circles(&["com.google.guava:guava:27.1-jre"], &[]);
    for class in ["Ticker", "ComparisonChain", "CaseFormat"] {
        let name = format!("com.google.common.{class}");
        let other = |lock: &String| lock.ends_with(class) || lock.contains(&format!("{class}$"));
        assert!(!guava.iter().flatten().any(other), "{name}: {guava:?}");
    }
}
