//! What `jury dump` does with inputs that are wrong, odd or hostile: a line on standard error that names
//! it, the rest goes on, and exit code 2 only where nothing is left.

mod dump_support;

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;
use dump_support::{Entry, Ran, jury, jury_with, scratch, zip};
use testkit::assembler::{ACC_PUBLIC, ACC_STATIC, ClassWriter, Code, opcodes};
use testkit::jars;

fn class(name: &str) -> Vec<u8> {
    let mut class = ClassWriter::new(52, name, "java/lang/Object");
    class.default_constructor("java/lang/Object");
    class.bytes()
}

fn dump(path: &Path, more: &[&str]) -> Result<Ran> {
    let options = ["dump", "--jdk", "none"].map(OsStr::new);
    jury(options.into_iter().chain([path.as_os_str()]).chain(more.iter().map(OsStr::new)))
}

#[track_caller]
fn assert_refused(ran: &Ran, word: &str) {
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    assert!(ran.stderr.contains(word), "no '{word}' in {}", ran.stderr);
}

/// The good classes were printed, the bad ones were named.
#[track_caller]
fn assert_went_on(ran: &Ran, stdout: &str, stderr: &[&str]) {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, stdout);
    for word in stderr {
        assert!(ran.stderr.contains(word), "no '{word}' in {}", ran.stderr);
    }
}

#[test]
fn wrong_command_lines() -> Result<()> {
    let directory = scratch("wrong-command-lines")?;
    assert_refused(&dump(&directory.join("missing.jar"), &[])?, "missing.jar");
    assert_refused(&jury(["dump", "--bogus", "x.jar"])?, "--bogus");
    assert_refused(&jury(["dump"])?, "PATH");
    assert_refused(&jury(["dump", "--threads", "0", "x.jar"])?, "--threads");
    let jar = directory.join("a.jar");
    std::fs::write(&jar, zip(&[Entry::stored("p/A.class", &class("p/A"))]))?;
    assert_refused(&dump(&jar, &["p.Missing"])?, "p.Missing");
    assert_refused(&dump(&jar, &["p.A.missing"])?, "missing");
    assert_refused(&dump(&jar, &["--cp", "no-such.jar"])?, "no-such.jar");
    let no_jdk =
        jury([OsStr::new("dump"), jar.as_os_str(), OsStr::new("--jdk"), directory.as_os_str()])?;
    assert_refused(&no_jdk, "is no JDK");
    Ok(())
}

#[test]
fn nothing_to_read() -> Result<()> {
    let directory = scratch("nothing-to-read")?;
    assert_refused(&dump(&directory, &[])?, "no class files");
    let write = |name: &str, bytes: &[u8]| {
        let path = directory.join(name);
        std::fs::write(&path, bytes).map(|()| path)
    };
    assert_refused(&dump(&write("empty.jar", b"")?, &[])?, "empty.jar");
    assert_refused(
        &dump(&write("text.jar", b"This is no archive, whatever its name.")?, &[])?,
        "text.jar",
    );
    let truncated = &class("p/A")[..40];
    assert_refused(&dump(&write("A.class", truncated)?, &[])?, "A.class");
    assert_refused(
        &dump(&write("half.jar", &zip(&[Entry::stored("p/A.class", b"x")])[..30])?, &[])?,
        "half.jar",
    );
    let no_classes = zip(&[Entry::stored("readme.txt", b"no classes here")]);
    assert_refused(&dump(&write("none.jar", &no_classes)?, &[])?, "no classes");
    let all_bad = zip(&[Entry::stored("p/A.class", truncated), Entry::stored("p/B.class", b"")]);
    assert_refused(&dump(&write("bad.jar", &all_bad)?, &["--stats"])?, "too early");
    Ok(())
}

#[test]
fn damaged_classes_among_good_ones() -> Result<()> {
    let good = class("p/Good");
    let mut wrong_crc = Entry::stored("p/Crc.class", &class("p/Crc"));
    wrong_crc.spoil_crc();
    let bomb = class("p/Bomb").into_iter().chain(std::iter::repeat_n(0, 50 << 20));
    let bomb: Vec<u8> = bomb.collect();
    let entries = [
        Entry::stored("p/Cut.class", &class("p/Cut")[..60]),
        Entry::stored("p/Empty.class", b""),
        Entry::stored("p/Other.class", &class("q/Inside")),
        Entry::deflated("p/Bomb.class", &bomb, 100)?,
        wrong_crc,
        Entry::stored("../p/Outside.class", &class("p/Outside")),
        Entry::stored("p/Good.class", &good),
    ];
    let path = scratch("damaged")?.join("some.jar");
    std::fs::write(&path, zip(&entries))?;
    let ran = dump(&path, &[])?;
    let named = ["p.Cut", "p.Empty", "p.Other", "q.Inside", "p.Bomb", "p.Crc", "Outside"];
    assert_went_on(&ran, "public class p.Good\n", &named);
    assert!(!ran.stderr.contains("p.Good"), "{}", ran.stderr);
    let json: serde_json::Value =
        serde_json::from_str(&dump(&path, &["--stats", "--format", "json"])?.stdout)?;
    assert_eq!((&json["classes"], &json["failures"]), (&1.into(), &5.into()), "{json}");
    Ok(())
}

#[test]
fn the_first_of_two_classes_counts() -> Result<()> {
    let directory = scratch("duplicates")?;
    let mut second = ClassWriter::new(52, "p/A", "p/Second");
    second.default_constructor("p/Second");
    std::fs::write(directory.join("a.jar"), zip(&[Entry::stored("p/A.class", &class("p/A"))]))?;
    std::fs::write(directory.join("b.jar"), zip(&[Entry::stored("p/A.class", &second.bytes())]))?;
    let ran = dump(&directory, &[])?;
    assert_went_on(&ran, "public class p.A\n", &["p.A is here again", "a.jar", "b.jar"]);
    Ok(())
}

#[test]
fn a_class_file_may_be_called_anything() -> Result<()> {
    let path = scratch("any-name")?.join("renamed.class");
    std::fs::write(&path, class("p/A"))?;
    assert_went_on(&dump(&path, &[])?, "public class p.A\n", &[]);
    Ok(())
}

/// Characters that act on a terminal or hide: escape, right-to-left override, newline, bell, CSI.
const HOSTILE: [char; 5] = ['\u{1b}', '\u{202e}', '\n', '\u{7}', '\u{9b}'];

#[test]
fn hostile_names_never_reach_the_terminal() -> Result<()> {
    let directory = scratch("hostile")?;
    let mut entries = Vec::new();
    let mut members = Vec::new();
    for (number, c) in HOSTILE.into_iter().enumerate() {
        let name = format!("p/x{c}[31mEvil");
        let mut class = ClassWriter::new(49, &name, &format!("q/super{c}"));
        class.interface(&format!("q/interface{c}"));
        class.field(ACC_PUBLIC, &format!("field{c}"), &format!("Lq/type{c};"));
        let text = class.pool.string(&format!("text{c}"));
        let call = class.pool.method_ref(&format!("q/owner{c}"), &format!("call{c}"), "()V");
        let mut code = Code::new();
        code.op_u8(opcodes::LDC, text as u8).op(opcodes::POP);
        code.op_u16(opcodes::INVOKESTATIC, call).op(opcodes::RETURN);
        class.method(ACC_PUBLIC | ACC_STATIC, &format!("method{c}"), "()V", code);
        // Ends without a return: a failure that names the method.
        let mut bad = Code::new();
        bad.op(opcodes::POP);
        class.method(ACC_PUBLIC | ACC_STATIC, &format!("bad{c}"), "()V", bad);
        std::fs::write(directory.join(format!("{number}.class")), class.bytes())?;
        entries.push(Entry::stored(format!("{name}.class"), &class.bytes()[..70]));
        entries.push(Entry::stored(format!("../{name}.class"), b""));
        members.push(name.replace('/', "."));
    }
    let mut runs = vec![
        dump(&directory, &[])?,
        dump(&directory, &["--stats"])?,
        dump(&directory, &["--stats", "--format", "json"])?,
    ];
    for member in &members {
        runs.push(dump(&directory, &[member])?);
        let missing = dump(&directory, &[&format!("{member}.nothing")])?;
        assert_eq!(missing.code, Some(2));
        runs.push(missing);
    }
    entries.push(Entry::stored("p/Good.class", &class("p/Good")));
    let jar = directory.join("odd\u{1b}[2J\n.jar");
    std::fs::write(&jar, zip(&entries))?;
    let odd = dump(&jar, &[])?;
    assert_went_on(
        &odd,
        "public class p.Good\n",
        &["p.x\\u{1b}[31mEvil: ", "!/../p/x\\u{a}[31mEvil"],
    );
    runs.push(odd);
    runs.push(dump(&directory.join("no\u{1b}such\n"), &[])?);
    for ran in &runs {
        for text in [&ran.stdout, &ran.stderr] {
            let raw = text.chars().find(|c| HOSTILE.contains(c) && *c != '\n');
            assert_eq!(raw, None, "{text:?}");
            // A newline that a name brought would start a line with what follows it there.
            let forged =
                text.lines().find(|line| line.starts_with("[31m") || line.starts_with(".jar"));
            assert_eq!(forged, None, "{text:?}");
        }
    }
    assert!(
        runs[0].stdout.contains("p.x\\u{1b}[31mEvil extends q.super\\u{1b}"),
        "{}",
        runs[0].stdout
    );
    assert!(runs[0].stdout.contains("p.x\\u{a}[31mEvil"), "{}", runs[0].stdout);
    Ok(())
}

#[test]
fn without_a_jdk() -> Result<()> {
    let jar = jars::jar("commons-dbcp:commons-dbcp:1.2")?;
    let chosen =
        jury(["dump", "--jdk", "none"].map(OsStr::new).into_iter().chain([jar.as_os_str()]))?;
    assert_eq!((chosen.code, chosen.stderr.as_str()), (Some(0), ""));
    let lacking = jury_with([OsStr::new("dump"), jar.as_os_str()], |command| {
        command.env("PATH", "").env_remove("JAVA_HOME")
    })?;
    assert_went_on(&lacking, &chosen.stdout, &["no JDK found", "--jdk HOME"]);
    Ok(())
}

/// One class of a small jar, with the JDK on the class path.
#[test]
fn one_class_of_a_small_jar() -> Result<()> {
    let jar = jars::jar("commons-dbcp:commons-dbcp:1.2")?;
    let name = "org.apache.commons.dbcp.BasicDataSource";
    let home = dump_support::jdk_home()?;
    let options = [
        OsStr::new("dump"),
        jar.as_os_str(),
        OsStr::new(name),
        OsStr::new("--jdk"),
        home.as_os_str(),
    ];
    let ran = jury(options)?;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(
        ran.stdout
            .starts_with(&format!("public class {name} implements javax.sql.DataSource {{\n"))
    );
    assert!(ran.stdout.contains("  method synchronized close(): void\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("no body"), "{}", ran.stdout);
    Ok(())
}
