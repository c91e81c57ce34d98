//! Asks a class file for everything that its reader can tell.

use std::hint::black_box;

use bytes::Bytes;
use classfile::{ClassFile, Code, Member, Operand};

pub fn read_everything(bytes: &[u8]) {
    let Ok(file) = ClassFile::parse(Bytes::copy_from_slice(bytes)) else { return };
    read_pool(&file);
    black_box((file.source_file().ok(), file.signature().ok(), file.enclosing_method().ok()));
    black_box((file.bootstrap_methods().ok(), file.inner_classes().ok(), file.record().ok()));
    black_box((file.nest_host().ok(), file.nest_members().ok(), file.module().ok()));
    black_box((file.permitted_subclasses().ok(), file.annotations().ok()));
    for attribute in file.attributes() {
        black_box((file.bytes(attribute.name), attribute.bytes.len()));
    }
    for member in file.fields.iter().chain(&file.methods) {
        read_member(&file, member);
    }
    black_box(format!("{file:?}"));
}

fn read_pool(file: &ClassFile) {
    let pool = file.pool();
    for index in 0..=pool.len() as u16 {
        // Each accessor meets each index, most of which are of the wrong tag.
        black_box((pool.constant(index).ok(), pool.class(index).ok(), pool.member(index).ok()));
        black_box((pool.name_and_type(index).ok(), pool.invoke_dynamic(index).ok()));
        black_box(pool.optional_class(index).ok());
        if let Ok(utf8) = pool.utf8(index) {
            let text = pool.bytes(utf8);
            black_box((classfile::mutf8::decode_utf16(text), classfile::mutf8::decode_lossy(text)));
        }
    }
}

fn read_member(file: &ClassFile, member: &Member) {
    black_box((file.bytes(member.name), file.bytes(member.descriptor)));
    black_box((member.constant_value(file).ok(), member.exceptions(file).ok()));
    black_box((member.signature(file).ok(), member.annotations(file).ok()));
    for attribute in member.attributes(file) {
        black_box((file.bytes(attribute.name), attribute.bytes.len()));
    }
    if let Ok(Some(code)) = member.code(file) {
        read_code(&code);
    }
}

fn read_code(code: &Code<'_>) {
    black_box((code.line_numbers().ok(), code.local_variables().ok()));
    black_box((code.local_variable_types().ok(), code.stack_map().ok()));
    black_box(code.attributes().map(|attribute| attribute.bytes.len()).sum::<usize>());
    let length = code.bytes.len() as u32;
    for handler in &code.exception_table {
        assert!(handler.start_pc < handler.end_pc && handler.end_pc <= length);
        assert!(handler.handler_pc < length);
    }
    let mut walked = Vec::new();
    let is_whole = code.each_instruction(|i| walked.push((i.pc, i.next_pc))).is_ok();
    let all = code.instructions().map_while(Result::ok).map(|i| (i.pc, i.next_pc));
    assert!(all.clone().zip(&walked).all(|(one, &other)| one == other));
    assert_eq!(is_whole, all.last().is_some_and(|(_, end)| end == length));
    let mut next = 0;
    for instruction in code.instructions() {
        let Ok(instruction) = instruction else { return };
        assert!(instruction.pc == next && instruction.next_pc <= length);
        next = instruction.next_pc;
        match code.operand(&instruction) {
            Ok(Operand::Branch(target)) => assert!(target < length),
            Ok(Operand::Switch(switch)) => {
                assert!(switch.default < length);
                assert!(switch.cases().all(|(_, target)| target < length));
            }
            other => drop(black_box(other)),
        }
    }
    assert_eq!(next, length);
}
