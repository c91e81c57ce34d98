//! Providers of services are initialised and made where a `ServiceLoader` is asked for them, if
//! `META-INF/services` names them.

use std::path::{Path, PathBuf};
use std::process::Command;

const REGISTRY: &str = r#"
    package svc;

    public class Registry {
        static final java.util.List<String> NAMES = new java.util.ArrayList<>();

        static {
            for (Codec codec : java.util.ServiceLoader.load(Codec.class)) {
                NAMES.add(codec.name());
            }
        }

        public static int size() {
            return NAMES.size();
        }
    }
"#;
const CODEC: &str = "package svc; public interface Codec { String name(); }";
const PLAIN: &str = r#"
    package svc;

    public class Plain implements Codec {
        static final int KNOWN = Registry.size();

        public String name() {
            return "plain" + KNOWN;
        }
    }
"#;

#[test]
fn a_provider_that_needs_who_loads_it_closes_a_circle() {
    let named = judge(&program("named", Some("# the only one\nsvc.Plain\n")), true);
    assert_eq!(named, ["violated"]);
    // Nobody loads it then.
    let unnamed = judge(&program("unnamed", None), false);
    assert_eq!(unnamed, ["unknown"]);
}

/// A directory of classes, with or without the file that names the provider.
fn program(name: &str, services: Option<&str>) -> PathBuf {
    let sources = [("Registry.java", REGISTRY), ("Codec.java", CODEC), ("Plain.java", PLAIN)];
    let sources = sources.map(|(file, text)| (format!("svc/{file}"), text));
    let units: Vec<(&str, &str)> =
        sources.iter().map(|(file, text)| (file.as_str(), *text)).collect();
    let classes = testkit::javac::compile(&units, &[]).expect("they compile");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("locks-services").join(name);
    std::fs::create_dir_all(root.join("svc")).expect("a directory");
    for class in ["Registry", "Codec", "Plain"] {
        let file = format!("svc/{class}.class");
        std::fs::copy(classes.join(&file), root.join(&file)).expect("a copy");
    }
    if let Some(text) = services {
        let directory = root.join("META-INF/services");
        std::fs::create_dir_all(&directory).expect("a directory");
        std::fs::write(directory.join("svc.Codec"), text).expect("a file");
    }
    root
}

fn judge(classes: &Path, replays: bool) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.args(["locks", "--format", "json", "--fail-on", "never"]);
    if !replays {
        command.arg("--no-replay");
    }
    let output = command.arg(classes).output().expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let findings = report["findings"].as_array().expect("findings");
    let of_rule = findings.iter().filter(|it| it["rule"] == "class-init-acyclic");
    of_rule.map(|it| it["verdict"].as_str().unwrap_or_default().to_owned()).collect()
}
