//! What `jury locks` offers beside verdicts: graphs, contracts, releases side by side, counts.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

#[test]
fn cycles_are_drawn_as_a_graph() {
    let text = jury(&["--format", "dot"], &case("deadlock", "print-shop-three"));
    assert!(text.starts_with("digraph locks {"), "{text}");
    assert!(text.contains("c0_0 [label=\"print.Printer\\nmonitor\"];"), "{text}");
    assert!(text.contains("c0_0 -> c0_1 [label=\"print.Printer.run()\"];"), "{text}");
    assert!(text.contains("c0_2 -> c0_0"), "{text}");
}

#[test]
fn contracts_name_the_locks_of_the_judged_classes_alone() {
    let text = jury(&["--contracts"], &case("deadlock", "stock-and-orders"));
    let place = text.split("\n\n").find(|block| {
        block.starts_with("shop.OrderBook.place(java.lang.String, java.lang.String, int)\n")
    });
    let place = place.expect("a contract");
    assert!(place.contains("    takes shop.OrderBook\n"), "{place}");
    assert!(place.contains("    holds shop.OrderBook wants shop.Inventory\n"), "{place}");
    assert!(!text.contains("java.util.Collections"), "{text}");
}

#[test]
fn releases_are_compared_by_their_cycles() {
    let (old, new) = (case("deadlock", "account-transfer"), case("deadlock", "stock-and-orders"));
    let same = json(&["--compare", &new.display().to_string()], &new);
    assert_eq!(changes(&same), ["unchanged"]);
    let other = json(&["--compare", &old.display().to_string()], &new);
    assert_eq!(changes(&other), ["gone", "new"]);
    assert_eq!(changes(&json(&[], &new)), ["null"]);
}

/// The rest of a JDK is the platform of the part that is judged.
#[test]
fn a_part_of_a_jdk_is_judged_alone() {
    let home = &testkit::jdk::current().expect("a JDK").home;
    let report = json(&["--stats", "--only", "java.util.Vector"], home);
    assert_eq!(report["summary"]["classes"], 1);
    let n_methods = report["summary"]["slice_methods"].as_u64().expect("a count");
    assert!(n_methods < 20_000, "{n_methods}");
}

#[test]
fn a_cycle_says_where_objects_meet_and_who_could_fix_it() {
    let report = json(&[], &case("deadlock", "stock-and-orders"));
    let finding = cycles(&report).next().expect("a cycle").clone();
    let containers = finding["containers"].to_string();
    assert!(containers.contains("shop.Inventory.orders: shop.OrderBook"), "{containers}");
    assert!(containers.contains("shop.OrderBook.inventory: shop.Inventory"), "{containers}");
    let notes = finding["notes"].to_string();
    assert!(notes.contains("who could fix it: the library"), "{notes}");
}

/// A thread that reads and wants to write wants another lock than it holds.
#[test]
fn an_upgrade_wants_the_write_lock() {
    let report = json(&[], &case("deadlock", "read-write-upgrade"));
    let alone = cycles(&report)
        .find(|it| it["threads"].as_array().is_some_and(|threads| threads.len() == 1))
        .expect("a thread that waits for itself");
    let thread = &alone["threads"][0];
    let kind = |end: &str| {
        let at = usize::try_from(thread[end].as_u64().expect("an index")).expect("a small one");
        alone["locks"][at]["kind"].clone()
    };
    assert_eq!((kind("holds"), kind("wants")), ("juc-read".into(), "juc-write".into()));
}

/// Who writes and wants to write once more does not read.
#[test]
fn a_writer_that_waits_for_itself_is_no_reader() {
    let report = json(&[], &case("deadlock", "stamped-reentry"));
    let findings = report["findings"].as_array().expect("findings");
    let said: Vec<&str> = findings.iter().filter_map(|it| it["message"].as_str()).collect();
    assert!(said.iter().any(|it| it.contains("wants it once more")), "{said:#?}");
    assert!(!said.iter().any(|it| it.contains("for reading")), "{said:#?}");
}

#[test]
fn counts_are_those_of_the_sources() {
    let text = jury(&["--stats"], &case("deadlock", "stock-and-orders"));
    let count = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().last().unwrap_or_default().to_owned()
    };
    assert_eq!(count("synchronized_methods"), "6");
    assert_eq!(count("synchronized_blocks"), "1");
    assert_eq!(count("locking_entries"), "7");
    assert_eq!(count("thread_starts"), "0");
    let usage = [
        "methods  blocks  lock\n",
        "      4       0  shop.Inventory\n",
        "      2       1  shop.OrderBook\n",
    ];
    assert!(usage.iter().all(|line| text.contains(line)), "{text}");
    // Two of the seven take part in the cycle at least.
    let reliability: f64 = count("reliability").parse().expect("a number");
    assert!((0.0..80.0).contains(&reliability), "{reliability}");
}

/// Two objects that a caller brings are told before two that only fields lead to.
#[test]
fn what_callers_can_choose_comes_first() {
    let (handed, found) =
        (case("deadlock", "synchronized-equals"), case("deadlock", "cell-of-sheets"));
    let report = json(&[&found.display().to_string()], &handed);
    let locks: Vec<String> = cycles(&report)
        .map(|it| it["locks"][0]["name"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(locks, ["text.Buffer", "sheet.Cell"]);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for name in ["stock-and-orders", "cell-of-sheets", "five-stages", "init-three"] {
        let classes = case("deadlock", name);
        for form in [&["--all"][..], &["--format", "json", "--all"], &["--contracts"]] {
            let one = jury(&[form, &["--threads", "1"]].concat(), &classes);
            let two = jury(&[form, &["--threads", "2"]].concat(), &classes);
            assert_eq!(one, two, "{name} {form:?}");
        }
    }
}

fn json(options: &[&str], classes: &PathBuf) -> Value {
    let text = jury(&[&["--format", "json"], options].concat(), classes);
    serde_json::from_str(&text).expect("a report")
}

/// The findings about the order of locks.
fn cycles(report: &Value) -> impl Iterator<Item = &Value> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().filter(|it| it["rule"] == "lock-order-acyclic" && it["locks"].is_array())
}

fn changes(report: &Value) -> Vec<String> {
    let mut found: Vec<String> =
        cycles(report).map(|it| it["change"].as_str().unwrap_or("null").to_owned()).collect();
    found.sort();
    found
}

fn jury(options: &[&str], classes: &PathBuf) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(["locks", "--no-replay", "--fail-on", "never"])
        .args(options)
        .arg(classes)
        .output()
        .expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn case(kind: &str, name: &str) -> PathBuf {
    let root = testkit::workspace_root().join("tests/corpus/locks").join(kind);
    let all = testkit::javac::compile_directories(&root).expect("the corpus compiles");
    let found = all.into_iter().find(|(dir, _)| dir.ends_with(name));
    found.expect("a case of the corpus").1
}
