//! The lowered bodies of small Java methods as text: `tests/fixtures/ir/X.java` beside `X.ir`.
//!
//! A golden file is only as good as the eyes that read it: after a change, compare it with `javap -c`.

mod sources;

use std::fmt::Write;

use anyhow::{Context, Result, anyhow, ensure};
use program::ir::{print_body, print_descriptor, verify_body};
use program::{ClassId, Program, Role};
use sources::Classes;
use testkit::assembler::{ACC_PUBLIC, ACC_STATIC, ClassWriter, Code, opcodes};
use testkit::{golden, javac};

#[test]
fn fixtures() -> Result<()> {
    let fixtures = javac::fixtures_in("ir")?;
    ensure!(fixtures.len() >= 12, "only {} fixtures", fixtures.len());
    let mut differences = Vec::new();
    for fixture in fixtures {
        let program = Classes::below(&fixture.classes)?.program()?;
        let text = print(&program).with_context(|| fixture.name.clone())?;
        if let Err(error) = golden::check(format!("tests/fixtures/{}.ir", fixture.name), &text) {
            differences.push(error.to_string());
        }
    }
    ensure!(differences.is_empty(), "{}", differences.join("\n"));
    Ok(())
}

/// A `finally` as compilers wrote it before Java 6: one subroutine, called from two places.
#[test]
fn subroutine() -> Result<()> {
    let mut class = ClassWriter::new(48, "Subroutine", "java/lang/Object");
    let work = class.pool.method_ref("Subroutine", "work", "(I)I");
    let mut code = Code::new();
    let (start, end, handler, finally) = (code.label(), code.label(), code.label(), code.label());
    code.bind(start).op(opcodes::ILOAD_0).op_u16(opcodes::INVOKESTATIC, work);
    code.op(opcodes::ISTORE_1).branch(opcodes::JSR, finally).bind(end);
    code.op(opcodes::ILOAD_1).op(opcodes::IRETURN);
    code.bind(handler).op_u8(opcodes::ASTORE, 2).branch(opcodes::JSR, finally);
    code.op_u8(opcodes::ALOAD, 2).op(opcodes::ATHROW);
    code.bind(finally).op_u8(opcodes::ASTORE, 3).op_u8(opcodes::IINC, 0).op(1);
    code.op(opcodes::ILOAD_0).op_u16(opcodes::INVOKESTATIC, work).op(opcodes::POP);
    code.op_u8(opcodes::RET, 3);
    code.handler(start, end, handler, 0);
    class.method(ACC_PUBLIC | ACC_STATIC, "tries", "(I)I", code);
    let mut classes = Classes::default();
    classes.add(class.bytes())?;
    golden::check("tests/fixtures/ir/Subroutine.ir", &print(&classes.program()?)?)
}

/// Every method of every judged class, but for constructors that only call `Object`'s.
fn print(program: &Program) -> Result<String> {
    let mut text = String::new();
    let mut ids: Vec<ClassId> = program.class_ids(Role::Judged).collect();
    ids.sort_by_key(|&id| program.class_text(program.class_name(id)));
    for class in ids.into_iter().filter_map(|id| program.class(id)) {
        for (id, method) in class.methods() {
            let (name, class_name) =
                (program.names.text(method.name), program.class_text(class.name));
            let body = program.lower(id).map_err(|error| anyhow!("{name}: {error}"))?;
            let body = body.with_context(|| format!("{name} has code"))?;
            verify_body(&body, &program.names).map_err(|what| anyhow!("{name}: {what}"))?;
            if name == "<init>" && body.instructions.len() == 1 {
                continue;
            }
            let shape = print_descriptor(program.names.bytes(method.descriptor), &program.names);
            let _ = writeln!(text, "{class_name}.{name}{shape}");
            for line in print_body(&body, &program.lines(id), program).lines() {
                let _ = writeln!(text, "  {line}");
            }
            text.push('\n');
        }
    }
    Ok(text)
}
