//! Two-way matching, on sources and verdicts made up here.

use super::*;

const SOURCE: &str = "\
// check: equality   budget: unroll=3
package p;
class A {                              //~ VIOLATED hash-consistent
  public boolean equals(Object o) {    //~ VIOLATED equals-symmetric, HOLDS equals-*
    return o == this;
  }
  int slow(int x) { return x; }        //~ UNKNOWN equals-total: budget(unroll)
  void m() {
    synchronized (this) { }            //~ POSSIBLE lock (WRONG: nobody else locks it)
  }
  record R(int x) {}                   //~ HOLDS equals-null
}
";

fn expectations(text: &str) -> Expectations {
    let mut expectations = Expectations::default();
    expectations.add("A.java", text).expect("parses");
    expectations
}

fn verdict(line: impl Into<Option<u32>>, class: &str, rule: &str, verdict: Verdict) -> Observed {
    let place =
        Place { file: "A.java".into(), line: line.into(), class: class.into(), method: None };
    Observed { rule: rule.into(), verdict, places: vec![place], gaps: Vec::new() }
}

fn all_met() -> Vec<Observed> {
    let mut unknown = verdict(7, "p.A", "equals-total", Verdict::Unknown);
    unknown.gaps.push(("budget".into(), "unroll=3 was not enough".into()));
    vec![
        verdict(None, "p.A", "hash-consistent", Verdict::Violated),
        verdict(5, "p.A", "equals-symmetric", Verdict::Violated),
        verdict(5, "p.A", "equals-null", Verdict::Holds),
        verdict(5, "p.A", "equals-reflexive", Verdict::Holds),
        unknown,
        verdict(9, "p.A", "lock", Verdict::Possible),
        verdict(11, "p.A$R", "equals-null", Verdict::Holds),
    ]
}

fn mismatches(text: &str, observed: &[Observed]) -> Vec<String> {
    match expectations(text).check(observed) {
        Ok(_) => Vec::new(),
        Err(Mismatches(entries)) => entries,
    }
}

#[test]
fn all_marks_met() {
    let expectations = expectations(SOURCE);
    assert_eq!(expectations.directive("budget"), Some("unroll=3"));
    let summary =
        expectations.check(&all_met()).unwrap_or_else(|mismatches| panic!("{mismatches}"));
    assert_eq!(summary.n_matched, 7);
    assert_eq!(summary.wrong, ["A.java:9: POSSIBLE lock (WRONG: nobody else locks it)"]);
}

#[test]
fn each_verdict_that_is_missing_fails() {
    for (index, gone) in all_met().iter().enumerate() {
        let mut observed = all_met();
        observed.remove(index);
        // Two verdicts meet the pattern; one of them is enough.
        let expected = usize::from(
            !(gone.rule.starts_with("equals-")
                && gone.places[0].line == Some(5)
                && gone.verdict == Verdict::Holds),
        );
        let entries = mismatches(SOURCE, &observed);
        assert_eq!(entries.len(), expected, "{entries:?}");
        assert!(entries.iter().all(|entry| entry.contains("got nothing")), "{entries:?}");
    }
}

#[test]
fn an_unlisted_verdict_fails() {
    let mut observed = all_met();
    observed.push(verdict(9, "p.A", "lock", Verdict::Possible));
    observed.push(verdict(None, "p.B", "hash-consistent", Verdict::Holds));
    let entries = mismatches(SOURCE, &observed);
    assert_eq!(entries.len(), 2, "{entries:?}");
    assert!(entries[0].starts_with("A.java:9: not listed: POSSIBLE lock (p.A)"), "{entries:?}");
    assert!(entries[0].contains("9 | synchronized (this) { }"), "{entries:?}");
    assert!(
        entries[1].starts_with("A.java: not listed: HOLDS hash-consistent (p.B)"),
        "{entries:?}"
    );
}

#[test]
fn another_verdict_is_one_mismatch() {
    let mut observed = all_met();
    observed[1].verdict = Verdict::Unknown;
    observed[1].gaps.push(("solver".into(), "timeout".into()));
    let entries = mismatches(SOURCE, &observed);
    assert_eq!(
        entries,
        [
            "A.java:4: expected VIOLATED equals-symmetric, got UNKNOWN equals-symmetric: solver(timeout)\n      \
          4 | public boolean equals(Object o) {"
        ]
    );
}

#[test]
fn gaps_are_compared_both_ways() {
    let source = "class A { void f() { } } //~ UNKNOWN r: budget(unroll) solver";
    let mut observed = verdict(1, "A", "r", Verdict::Unknown);
    let gap = |kind: &str, detail: &str| (kind.to_owned(), detail.to_owned());
    observed.gaps = vec![gap("solver", ""), gap("budget", "unroll 3")];
    assert!(mismatches(source, &[observed.clone()]).is_empty());
    observed.gaps.push(gap("internal", "oops"));
    assert_eq!(mismatches(source, &[observed.clone()]).len(), 1);
    observed.gaps = vec![gap("budget", "unroll 3")];
    assert_eq!(mismatches(source, &[observed.clone()]).len(), 1);
    observed.gaps = vec![gap("solver", ""), gap("budget", "inline")];
    assert_eq!(mismatches(source, &[observed]).len(), 1);
}

#[test]
fn tagged_marks_are_one_finding() {
    let source = "\
class A {
  void f() {
    g();  //~ VIOLATED lock-order-acyclic #1
  }
  void h() {
    i();  //~ VIOLATED lock-order-acyclic #1, VIOLATED lock-order-acyclic #2
  }
}
";
    let mut both = verdict(6, "A", "lock-order-acyclic", Verdict::Violated);
    let alone = both.clone();
    both.places.push(Place { line: Some(3), ..both.places[0].clone() });
    assert!(mismatches(source, &[alone.clone(), both.clone()]).is_empty());
    assert_eq!(mismatches(source, &[both.clone()]).len(), 1);
    let elsewhere = Observed {
        places: vec![both.places[0].clone(), Place { line: Some(2), ..both.places[0].clone() }],
        ..both
    };
    assert_eq!(mismatches(source, &[alone, elsewhere]).len(), 2);
}

#[test]
fn methods_without_lines_and_whole_files() {
    let source = "//~ EQUIVALENT\nabstract class A {\n  abstract int f(int x);  //~ HOLDS r\n  native int g();  //~ HOLDS r\n}\n";
    let named = |name: &str| {
        let mut observed = verdict(None, "A", "r", Verdict::Holds);
        observed.places[0].method = Some(name.to_owned());
        observed
    };
    let same = verdict(4, "A", "same-behaviour", Verdict::Holds);
    assert!(mismatches(source, &[named("g()I"), named("f(I)I"), same.clone()]).is_empty());
    assert_eq!(mismatches(source, &[named("g()I"), named("h(I)I"), same]).len(), 2);
}

#[test]
fn findings_of_a_report() -> Result<()> {
    let report = serde_json::json!({"schema": "jury/1", "findings": [
        {"rule": "equals-total", "verdict": "unknown",
         "subject": {"class": "p.A", "method": "slow(I)I", "file": "A.java", "line": 7},
         "gaps": [{"kind": "budget", "detail": "unroll"}]},
        {"rule": "hash-consistent", "verdict": "holds",
         "subject": {"class": "p.A", "method": null, "file": "A.java", "line": null}}]});
    let observed = observed(&report)?;
    assert_eq!(observed[0].verdict, Verdict::Unknown);
    assert_eq!(observed[0].places[0].line, Some(7));
    assert_eq!(observed[0].gaps, [("budget".to_owned(), "unroll".to_owned())]);
    assert_eq!((observed[1].places[0].line, &observed[1].places[0].method), (None, &None));
    Ok(())
}

#[test]
fn contradicting_heads_are_refused() {
    let mut expectations = expectations("// check: equality\nclass A {}");
    assert!(expectations.add("B.java", "// check: locks\nclass B {}").is_err());
    assert!(expectations.is_empty());
}
