//! No explosion: programs of five families, each at a quarter, half and all of its size. What a run costs,
//! in terms and in work on them, grows at most with the square of the size.

mod dump_support;

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use dump_support::jury;
use serde_json::Value;

/// Sizes of which each doubles the one before.
const FAMILIES: [(&str, [usize; 3]); 5] = [
    ("ifs", [16, 32, 64]),
    ("fields", [7, 15, 30]),
    ("turns", [12, 25, 50]),
    ("aliases", [10, 20, 40]),
    ("tree", [10, 11, 12]),
];

fn source() -> Result<String> {
    let mut text = String::from("public final class E {\n");
    text.push_str("    static final class C { int f; }\n");
    text.push_str("    static final class N { N l, r; int v; }\n");
    text.push_str("    static final class P {");
    for field in 0..30 {
        write!(text, " int f{field};")?;
    }
    text.push_str(" }\n    static N build(int d) { if (d == 0) return null; N n = new N();");
    text.push_str(" n.l = build(d - 1); n.r = build(d - 1); n.v = d; return n; }\n");
    for n in FAMILIES[0].1 {
        write!(text, "    static int ifs{n}(long a, int b) {{ int r = 0;")?;
        for at in 0..n {
            write!(text, " if ((a & {}L) != 0) r += b * {at};", 1u64 << at.min(62))?;
        }
        text.push_str(" return r; }\n");
    }
    for n in FAMILIES[1].1 {
        write!(text, "    static boolean fields{n}(P x, P y) {{")?;
        for at in 0..n {
            write!(text, " if (x.f{at} == y.f{at}) {{")?;
        }
        text.push_str(" return true;");
        text.push_str(&" }".repeat(n));
        text.push_str(" return false; }\n");
    }
    for n in FAMILIES[2].1 {
        writeln!(
            text,
            "    static int turns{n}(long a, int b) {{ int s = 0; for (int i = 0; i < {n}; i++) \
             {{ if ((a >> i & 1) != 0) s += i; else s ^= b; if ((s & b) > i) s += 3; }} return s; }}"
        )?;
    }
    for n in FAMILIES[3].1 {
        let parameters: Vec<String> = (0..n).map(|at| format!("C p{at}")).collect();
        write!(text, "    static int aliases{n}(int v, {}) {{", parameters.join(", "))?;
        for at in 0..n {
            write!(text, " p{at}.f = v + {at};")?;
        }
        text.push_str(" return p0.f; }\n");
    }
    for n in FAMILIES[4].1 {
        writeln!(text, "    static int tree{n}() {{ return build({n}).v; }}")?;
    }
    text.push_str("}\n");
    Ok(text)
}

#[test]
fn cost_grows_at_most_with_the_square() -> Result<()> {
    let classes = testkit::javac::compile(&[("E.java", &source()?)], &[])?;
    let ran = jury(["eval", "--every", "--json", "--cp", &classes.display().to_string()])?;
    let mut costs = BTreeMap::new();
    for line in ran.stdout.lines() {
        let line: Value = serde_json::from_str(line).with_context(|| ran.stderr.clone())?;
        let method = line["method"].as_str().unwrap_or_default();
        let name = method.split(['.', '(']).nth(1).unwrap_or_default().to_owned();
        costs.insert(name, line);
    }
    for (family, sizes) in FAMILIES {
        let cost_of = |n: usize| {
            let line = &costs[&format!("{family}{n}")];
            assert!(line["gap"].is_null(), "{family}{n}: {line}");
            (line["terms"].as_f64().unwrap_or(0.0), line["work"].as_f64().unwrap_or(0.0))
        };
        for pair in sizes.windows(2) {
            let (before, after) = (cost_of(pair[0]), cost_of(pair[1]));
            let growth = pair[1] as f64 / pair[0] as f64;
            // A tree of one level more has twice the objects.
            let most = if family == "tree" { 2.2 } else { growth * growth * 1.2 };
            assert!(after.0 / before.0 < most, "{family}: terms {before:?} {after:?}");
            assert!(after.1 / before.1 < most, "{family}: work {before:?} {after:?}");
        }
    }
    Ok(())
}
