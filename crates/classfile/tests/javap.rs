//! The instructions of real classes, against `javap -c -p`: the same mnemonics at the same pcs.
//!
//! Operands are not compared here: javap renders them in its own way, and a wrong operand length
//! would shift the next pc.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use classfile::archive::{Archive, Options};
use classfile::{ClassFile, Opcode};
use testkit::assembler::{ACC_PUBLIC, ACC_STATIC, ClassWriter, Code, opcodes};
use testkit::{jars, jdk};

/// Of each jar at most so many classes, evenly spread over it.
const PER_JAR: usize = 150;
const AT_LEAST: usize = 2_000;
/// Several runs of javap side by side: most of one is a JVM that warms up.
const RUNS: usize = 2;

/// One instruction as javap would begin its line: `12: iload_w`.
type Line = (u32, String);
/// Of one class, each method that has code.
type Streams = Vec<Vec<Line>>;

/// A class to compare, and how to name it to javap.
struct Subject {
    argument: String,
    streams: Streams,
}

#[test]
fn classes_of_the_pinned_jars() -> Result<()> {
    let mut subjects = Vec::new();
    for (coordinates, path) in jars::all("test")? {
        subjects.extend(draw(&path).with_context(|| coordinates)?);
    }
    ensure!(subjects.len() >= AT_LEAST, "only {} classes to compare", subjects.len());
    let per_run = subjects.len().div_ceil(RUNS);
    std::thread::scope(|scope| {
        let runs: Vec<_> =
            subjects.chunks(per_run).map(|chunk| scope.spawn(|| compare(chunk))).collect();
        runs.into_iter().try_for_each(|run| run.join().expect("comparing does not panic"))
    })
}

/// What no compiler of today writes: `wide` before each opcode that takes it, and 32-bit jumps.
#[test]
fn wide_forms() -> Result<()> {
    let mut class = ClassWriter::new(49, "Wide", "java/lang/Object");
    let mut code = Code::new();
    let (subroutine, end) = (code.label(), code.label());
    for opcode in opcodes::ILOAD..=opcodes::ALOAD {
        code.wide(opcode, 300);
    }
    for opcode in opcodes::ISTORE..=opcodes::ASTORE {
        code.wide(opcode, 301);
    }
    code.wide(opcodes::IINC, 302);
    code.bytes.extend((-1000i16).to_be_bytes());
    code.op_u8(opcodes::ILOAD, 200).op_u8(opcodes::IINC, 9).op(7);
    code.branch_wide(opcodes::JSR_W, subroutine).branch_wide(opcodes::GOTO_W, end);
    code.bind(subroutine).wide(opcodes::ASTORE, 303).wide(opcodes::RET, 303);
    code.bind(end).op(opcodes::RETURN);
    class.method(ACC_PUBLIC | ACC_STATIC, "m", "()V", code);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("Wide.class");
    std::fs::write(&path, class.bytes())?;
    let streams = streams(class.bytes().into())?;
    assert_eq!(streams[0].len(), 10 + 1 + 2 + 2 + 2 + 1);
    compare(&[Subject { argument: path.display().to_string(), streams }])
}

fn draw(jar: &Path) -> Result<Vec<Subject>> {
    // javap reads the base version of a multi-release jar.
    let archive = Archive::open(std::fs::read(jar)?.into(), &Options::new(8))?;
    let all: Vec<_> = archive.classes().collect();
    let count = all.len().min(PER_JAR);
    let drawn = (0..count).map(|index| &all[index * all.len() / count]);
    drawn
        .map(|class| {
            let argument = format!("jar:file:{}!/{}.class", jar.display(), class.name);
            let streams = streams(archive.read(class.entry)?).with_context(|| argument.clone())?;
            Ok(Subject { argument, streams })
        })
        .collect()
}

fn streams(bytes: Bytes) -> Result<Streams> {
    let file = ClassFile::parse(bytes)?;
    let mut streams = Vec::new();
    for method in &file.methods {
        let Some(code) = method.code(&file)? else { continue };
        let lines = code.instructions().map(|instruction| {
            let instruction = instruction?;
            let length = instruction.next_pc - instruction.pc;
            Ok((instruction.pc, name(instruction.opcode, length)))
        });
        streams.push(lines.collect::<Result<_>>()?);
    }
    Ok(streams)
}

/// javap's name: those of `wide` forms end in `_w`. Nothing but the prefix makes them this long.
fn name(opcode: Opcode, length: u32) -> String {
    let mnemonic = opcode.mnemonic();
    let is_wide = match opcode {
        Opcode::Iinc => length == 6,
        Opcode::Iload | Opcode::Lload | Opcode::Fload | Opcode::Dload | Opcode::Aload => {
            length == 4
        }
        Opcode::Istore | Opcode::Lstore | Opcode::Fstore | Opcode::Dstore | Opcode::Astore => {
            length == 4
        }
        Opcode::Ret => length == 4,
        _ => false,
    };
    if is_wide { format!("{mnemonic}_w") } else { mnemonic.to_owned() }
}

fn compare(subjects: &[Subject]) -> Result<()> {
    let output = Command::new(jdk::current()?.tool("javap")?)
        // It ends before better code would pay.
        .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-c", "-p"])
        .args(subjects.iter().map(|subject| &subject.argument))
        .stdin(Stdio::null())
        .output()
        .context("cannot run javap")?;
    if !output.status.success() {
        bail!("javap failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let theirs = parse_javap(&text);
    ensure!(theirs.len() == subjects.len(), "javap printed {} classes", theirs.len());
    for (subject, theirs) in subjects.iter().zip(theirs) {
        assert_eq!(subject.streams.len(), theirs.len(), "methods in {}", subject.argument);
        for (method, (ours, theirs)) in subject.streams.iter().zip(theirs).enumerate() {
            assert_eq!(*ours, theirs, "method {method} of {}", subject.argument);
        }
    }
    Ok(())
}

/// A class ends with a brace in the first column, a method's code begins with a line `Code:`.
fn parse_javap(text: &str) -> Vec<Streams> {
    let mut classes = Vec::new();
    let mut streams = Streams::new();
    for line in text.lines() {
        if line == "}" {
            classes.push(std::mem::take(&mut streams));
        } else if line.trim() == "Code:" {
            streams.push(Vec::new());
        } else if let Some((pc, rest)) = line.trim_start().split_once(": ")
            && let Ok(pc) = pc.parse()
            // The cases of a switch are numbers on both sides.
            && rest.starts_with(|c: char| c.is_ascii_lowercase())
            && let Some(stream) = streams.last_mut()
        {
            let mnemonic = rest.split_whitespace().next().unwrap_or_default();
            stream.push((pc, mnemonic.to_owned()));
        }
    }
    classes
}
