//! One source, three compilers: what they do differently is nobody's change.

mod dump_support;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use dump_support::jury;
use serde_json::Value;
use testkit::jars::jar;

const SOURCE: &str = r#"
package p;
import java.util.function.*;
public class A {
    private final boolean flag;
    private int secret;
    enum Colour { RED, GREEN { @Override int weight() { return 2; } }; int weight() { return 1; } }
    public A(boolean flag) { this.flag = flag; }
    /** ecj asks whether it is not false. */
    public int truth(int x) { return flag == true ? x : -x; }
    public Runnable captured(String regex) {
        return new Runnable() {
            final java.util.regex.Pattern pattern = java.util.regex.Pattern.compile(regex);
            @Override public void run() { System.out.println(pattern); }
        };
    }
    class Inner {
        Supplier<Integer> deep() {
            return new Supplier<Integer>() { @Override public Integer get() { return secret++; } };
        }
    }
    public String switched(Colour c, String s) {
        switch (c) { case RED: s += 1; break; case GREEN: s += c.weight(); break; default: s = null; }
        switch (String.valueOf(s)) { case "Aa": return "x" + s; case "BB": return s + secret; default: return s; }
    }
    public Function<String, String> mapped(String prefix) { return text -> prefix + text.trim(); }
    public int last(int[] of) { try { return of[secret]; } finally { secret++; } }
}
"#;

#[test]
fn a_compiler_changes_nothing() -> Result<()> {
    let directory = tempfile::tempdir()?;
    let at = |name: &str| directory.path().join(name);
    fs::create_dir_all(at("src"))?;
    fs::write(at("src/A.java"), SOURCE)?;
    let ecj = jar("org.eclipse.jdt:ecj:3.33.0")?.display().to_string();
    compile("javac", &["--release", "8"], &at("src/A.java"), &at("eight"))?;
    compile("javac", &["--release", "17"], &at("src/A.java"), &at("javac"))?;
    compile("java", &["-jar", &ecj, "--release", "17"], &at("src/A.java"), &at("ecj"))?;
    for (old, new) in [("eight", "javac"), ("javac", "ecj"), ("ecj", "eight")] {
        let (one, two) = (at(old).display().to_string(), at(new).display().to_string());
        let arguments = ["diff", &one, &two, "--no-replay", "--stats", "--format", "json"];
        let ran = jury(arguments)?;
        let report: Value =
            serde_json::from_str(&ran.stdout).with_context(|| ran.stderr.clone())?;
        let summary = &report["summary"];
        assert_eq!(summary["changed"], 0, "{old} and {new}: {report:#}");
        assert!(summary["rewritten"].as_u64() > Some(0), "{old} and {new}: {summary}");
    }
    Ok(())
}

fn compile(command: &str, flags: &[&str], source: &Path, into: &Path) -> Result<()> {
    let arguments = ["-g", "-nowarn", "-proc:none", "-d"];
    let ran = Command::new(command).args(flags).args(arguments).arg(into).arg(source).output()?;
    ensure!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
    Ok(())
}
