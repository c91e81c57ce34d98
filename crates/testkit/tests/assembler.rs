//! What the assembler writes, judged by the JVM and by javap.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use testkit::assembler::opcodes::*;
use testkit::assembler::{ACC_PUBLIC, ACC_STATIC, ClassWriter, Code};
use testkit::{jdk, workspace_root};

/// Calls each of the int-to-int methods of class T with 0..5 and prints the results.
const CALLER: &str = "
public class Caller {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            StringBuilder line = new StringBuilder(name + ':');
            for (int i = 0; i < 5; i++) {
                line.append(' ').append(Class.forName(\"T\").getMethod(name, int.class).invoke(null, i));
            }
            System.out.println(line);
        }
        Class.forName(\"T\").getConstructor().newInstance();
    }
}";

fn int_method(class: &mut ClassWriter, name: &str, code: Code) {
    class.method(ACC_PUBLIC | ACC_STATIC, name, "(I)I", code);
}

/// A subroutine called twice: x + 1 + 1.
fn jsr_twice() -> Code {
    let mut code = Code::new();
    let routine = code.label();
    code.branch(JSR, routine).branch_wide(JSR_W, routine).op(ILOAD_0).op(IRETURN);
    code.bind(routine).op_u8(ASTORE, 1).op_u8(IINC, 0).op(1).op_u8(RET, 1);
    code
}

/// A loop with two entries: from the top if x is even, else in its middle.
fn irreducible() -> Code {
    let mut code = Code::new();
    let (top, middle, end) = (code.label(), code.label(), code.label());
    code.push(0).op(ISTORE_1).op(ILOAD_0).push(1).op(126).branch(IFNE, middle);
    code.bind(top).op_u8(IINC, 1).op(10);
    code.bind(middle).op_u8(IINC, 1).op(1).op_u8(IINC, 0).op(255);
    code.op(ILOAD_0).branch(IFGT, top).branch(GOTO, end);
    code.bind(end).op(ILOAD_1).op(IRETURN);
    code
}

fn switches() -> Code {
    let mut code = Code::new();
    let labels: Vec<_> = (0..4).map(|_| code.label()).collect();
    let other = code.label();
    code.op(ILOAD_0).tableswitch(1, other, &labels[..2]);
    code.bind(labels[0]).push(100).op(IRETURN);
    code.bind(labels[1]).push(-200).op(IRETURN);
    code.bind(other).op(ILOAD_0).lookupswitch(labels[3], &[(3, labels[2])]);
    code.bind(labels[2]).push(1000).op(IRETURN);
    code.bind(labels[3]).push(7).op(IRETURN);
    code
}

/// Integer division whose exception is caught, a wide local, and dead code behind the return.
fn handler(class: &mut ClassWriter) -> Code {
    let exception = class.pool.class("java/lang/ArithmeticException");
    let big = class.pool.long(1 << 40);
    let mut code = Code::new().limits(4, 400);
    let (from, to, caught) = (code.label(), code.label(), code.label());
    code.line(5).op_u16(LDC2_W, big).wide(LSTORE, 300);
    code.bind(from).line(6).push(12).op(ILOAD_0).op(IDIV).op(IRETURN);
    code.bind(to).bind(caught).line(7).op(POP).push(-1).op(IRETURN);
    code.op(NOP).branch(GOTO, from);
    code.handler(from, to, caught, exception);
    code
}

fn write_class() -> Result<PathBuf> {
    let mut class = ClassWriter::new(49, "T", "java/lang/Object");
    class.default_constructor("java/lang/Object");
    class.field(ACC_PUBLIC | ACC_STATIC, "f", "D");
    int_method(&mut class, "jsr", jsr_twice());
    int_method(&mut class, "irreducible", irreducible());
    int_method(&mut class, "switches", switches());
    let code = handler(&mut class);
    int_method(&mut class, "handler", code);
    let dir = workspace_root().join(format!("target/assembler-test-{}", std::process::id()));
    fs::create_dir_all(&dir)?;
    fs::write(dir.join("T.class"), class.bytes())?;
    Ok(dir)
}

fn output_of(mut command: Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn the_jvm_runs_what_was_assembled() -> Result<()> {
    let dir = write_class()?;
    let caller = testkit::javac::compile(&[("Caller.java", CALLER)], &[])?;
    let class_path = std::env::join_paths([&dir, &caller])?;
    let mut java = Command::new(jdk::current()?.tool("java")?);
    java.arg("-cp").arg(class_path);
    java.args(["Caller", "jsr", "irreducible", "switches", "handler"]);
    let expected = "jsr: 2 3 4 5 6\nirreducible: 11 1 22 23 44\nswitches: 7 100 -200 1000 7\nhandler: -1 12 6 4 3\n";
    assert_eq!(output_of(java)?, expected);

    let mut javap = Command::new(jdk::current()?.tool("javap")?);
    javap.args(["-c", "-p", "-v"]).arg(dir.join("T.class"));
    let text = output_of(javap)?;
    for part in [
        "major version: 49",
        ": jsr_w",
        ": ret",
        "lstore_w      300",
        "// 1 to 2",
        "Class java/lang/ArithmeticException",
        "line 7: ",
        "static double f;",
    ] {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}
