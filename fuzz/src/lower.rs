//! Makes a program of one class and lowers every method of it.

use std::borrow::Cow;
use std::hint::black_box;

use bytes::Bytes;
use classfile::ClassFile;
use program::ir::{Op, print_body, verify_body};
use program::{
    Class, ClassSignature, ClassSource, FieldSignature, MethodId, MethodSignature, Program, Role,
};

pub fn lower_everything(bytes: &[u8]) {
    let Some(program) = program_of(bytes) else { return };
    for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
        black_box(program.ancestry(class).missing.len());
        read_signatures(class);
        for (method, _) in class.methods() {
            lower_method(&program, method);
        }
    }
    black_box(program.problems());
}

/// A program with this class alone, under the name that it gives itself.
pub fn program_of(bytes: &[u8]) -> Option<Program> {
    let bytes = Bytes::copy_from_slice(bytes);
    let file = ClassFile::parse(bytes.clone()).ok()?;
    let name = file.bytes(file.this_class).into();
    Some(Program::new(vec![(Role::Judged, Box::new(OneClass { name, bytes }))]))
}

/// Lowers the method; what comes out must be what the other crates rely on.
pub fn lower_method(program: &Program, method: MethodId) {
    let Ok(Some(body)) = program.lower(method) else { return };
    let lines = program.lines(method);
    if let Err(broken) = verify_body(&body, &program.names) {
        panic!("{broken}\n{}", print_body(&body, &lines, program));
    }
    black_box(print_body(&body, &lines, program));
    for instruction in &body.instructions {
        black_box(lines.at(instruction.pc));
        match instruction.op {
            Op::Invoke { method, .. } => {
                black_box(program.resolve_method(method.class, method.name, method.descriptor));
            }
            Op::GetStatic(field)
            | Op::PutStatic(field, _)
            | Op::GetField(field, _)
            | Op::PutField(field, _, _) => {
                black_box(program.resolve_field(field.class, field.name, field.descriptor));
            }
            _ => {}
        }
    }
}

fn read_signatures(class: &Class) {
    let file = &class.file;
    let text = |utf8| classfile::mutf8::decode_lossy(file.bytes(utf8));
    if let Ok(Some(signature)) = file.signature() {
        black_box(ClassSignature::parse(&text(signature)));
    }
    for field in &file.fields {
        if let Ok(Some(signature)) = field.signature(file) {
            black_box(FieldSignature::parse(&text(signature)));
        }
    }
    for method in &file.methods {
        if let Ok(Some(signature)) = method.signature(file) {
            black_box(MethodSignature::parse(&text(signature)));
        }
    }
}

struct OneClass {
    name: Vec<u8>,
    bytes: Bytes,
}

impl ClassSource for OneClass {
    fn label(&self) -> &str {
        "one class"
    }

    fn class_names(&self) -> Box<dyn Iterator<Item = Cow<'_, [u8]>> + '_> {
        Box::new(std::iter::once(Cow::Borrowed(&self.name[..])))
    }

    fn read(&self, _index: usize) -> Result<Bytes, String> {
        Ok(self.bytes.clone())
    }

    fn is_exported(&self, _index: usize) -> bool {
        true
    }
}
