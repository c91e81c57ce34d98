//! A class as lines, through this crate.

use anyhow::{Context, Result};
use classfile::{
    Annotation, Attribute, ClassFile, Code, Constant, ElementValue, FrameChange, Instruction,
    Member, MemberRef, Operand, Utf8, VerificationType,
};

/// The flags that JVMS table 4.1-B defines. The other reader drops all others, and jlink writes one.
const CLASS_FLAGS: u16 = 0xf631;

pub(crate) fn lines(file: &ClassFile) -> Result<Vec<String>> {
    let mut lines = Lines { file, lines: Vec::new() };
    lines.class()?;
    Ok(lines.lines)
}

struct Lines<'f> {
    file: &'f ClassFile,
    lines: Vec<String>,
}

impl Lines<'_> {
    fn add(&mut self, line: String) {
        self.lines.push(line);
    }

    fn text(&self, utf8: Utf8) -> String {
        String::from_utf8_lossy(self.file.bytes(utf8)).into_owned()
    }

    fn texts(&self, all: &[Utf8]) -> String {
        all.iter().map(|&utf8| self.text(utf8)).collect::<Vec<_>>().join(" ")
    }

    fn optional(&self, utf8: Option<Utf8>) -> String {
        utf8.map_or("-".to_owned(), |utf8| self.text(utf8))
    }

    fn class(&mut self) -> Result<()> {
        let file = self.file;
        self.add(format!("version {}.{}", file.major_version, file.minor_version));
        let flags = file.access_flags.0 & CLASS_FLAGS;
        self.add(format!("class {} {flags:x}", self.text(file.this_class)));
        self.add(format!("super {}", self.optional(file.super_class)));
        self.add(format!("interfaces {}", self.texts(&file.interfaces)));
        for index in 1..file.pool().len() as u16 {
            if let Ok(constant) = file.pool().constant(index) {
                self.add(format!("#{index} {}", self.constant(constant)));
            }
        }
        for field in &file.fields {
            self.member("field", field)?;
            if let Some(value) = field.constant_value(file)? {
                self.add(format!("value {}", self.constant(value)));
            }
        }
        for method in &file.methods {
            self.member("method", method)?;
            self.add(format!("throws {}", self.texts(&method.exceptions(file)?)));
            if let Some(code) = method.code(file)? {
                self.code(&code)?;
            }
        }
        self.attributes(file.attributes());
        self.class_attributes()
    }

    fn member(&mut self, word: &str, member: &Member) -> Result<()> {
        let (name, descriptor) = (self.text(member.name), self.text(member.descriptor));
        self.add(format!("{word} {name} {descriptor} {:x}", member.access_flags.0));
        self.attributes(member.attributes(self.file));
        self.add(format!("signature {}", self.optional(member.signature(self.file)?)));
        let annotations = member.annotations(self.file)?;
        self.annotations(&annotations);
        Ok(())
    }

    fn attributes<'a>(&mut self, attributes: impl Iterator<Item = Attribute<'a>>) {
        for attribute in attributes {
            self.add(format!("attribute {}", self.text(attribute.name)));
        }
    }

    fn class_attributes(&mut self) -> Result<()> {
        let file = self.file;
        self.add(format!("source {}", self.optional(file.source_file()?)));
        self.add(format!("signature {}", self.optional(file.signature()?)));
        for method in file.bootstrap_methods()? {
            let member = self.member_ref(method.method);
            self.add(format!("bootstrap {:?} {member} {:?}", method.kind, method.arguments));
        }
        for inner in file.inner_classes()? {
            let (outer, name) = (self.optional(inner.outer), self.optional(inner.name));
            let flags = inner.access_flags.0;
            self.add(format!("inner {} {outer} {name} {flags:x}", self.text(inner.inner)));
        }
        if let Some(enclosing) = file.enclosing_method()? {
            let method = enclosing.method.map_or("-".to_owned(), |(name, descriptor)| {
                format!("{}{}", self.text(name), self.text(descriptor))
            });
            self.add(format!("enclosing {} {method}", self.text(enclosing.class)));
        }
        self.add(format!("host {}", self.optional(file.nest_host()?)));
        self.add(format!("members {}", self.texts(&file.nest_members()?)));
        if let Some(permitted) = file.permitted_subclasses()? {
            self.add(format!("permits {}", self.texts(&permitted)));
        }
        for component in file.record()?.unwrap_or_default() {
            let (name, descriptor) = (self.text(component.name), self.text(component.descriptor));
            let signature = self.optional(component.signature);
            self.add(format!("component {name} {descriptor} {signature}"));
        }
        self.annotations(&file.annotations()?);
        self.module()
    }

    fn module(&mut self) -> Result<()> {
        let Some(module) = self.file.module()? else { return Ok(()) };
        self.add(format!("module {}", self.text(module.name)));
        self.add(format!("requires {}", self.texts(&module.requires)));
        for (word, list) in [("exports", &module.exports), ("opens", &module.opens)] {
            for export in list {
                self.add(format!(
                    "{word} {} {}",
                    self.text(export.package),
                    self.texts(&export.to)
                ));
            }
        }
        self.add(format!("uses {}", self.texts(&module.uses)));
        for provide in &module.provides {
            let with = self.texts(&provide.with);
            self.add(format!("provides {} {with}", self.text(provide.service)));
        }
        Ok(())
    }

    fn code(&mut self, code: &Code<'_>) -> Result<()> {
        let all = code.instructions().collect::<classfile::Result<Vec<_>>>()?;
        let count = all.len();
        self.add(format!("code {} {} {count}", code.max_stack, code.max_locals));
        let index = |pc: u32| all.binary_search_by_key(&pc, |i| i.pc);
        let index = |pc: u32| index(pc).ok().context("no instruction at this pc");
        for (position, instruction) in all.iter().enumerate() {
            let operands = self.operands(code, instruction, position, index)?;
            self.add(format!("{} {operands}", opcode_number(code, instruction)));
        }
        for handler in &code.exception_table {
            // The other reader takes the end of the code for its last instruction.
            let end = all.partition_point(|i| i.pc <= handler.end_pc) - 1;
            let (start, target) = (index(handler.start_pc)?, index(handler.handler_pc)?);
            let catch = self.optional(handler.catch_type);
            self.add(format!("handler {start} {end} {target} {catch}"));
        }
        self.attributes(code.attributes());
        for (pc, line) in code.line_numbers()? {
            self.add(format!("line {} {line}", index(pc.into())?));
        }
        for (word, variables) in
            [("variable", code.local_variables()?), ("type", code.local_variable_types()?)]
        {
            for v in variables {
                let (name, descriptor) = (self.text(v.name), self.text(v.descriptor));
                let range = format!("{} {}", v.start_pc, v.length);
                self.add(format!("{word} {range} {name} {descriptor} {}", v.index));
            }
        }
        let mut pc = None;
        for frame in code.stack_map()? {
            let delta = u32::from(frame.offset_delta);
            let at = pc.map_or(delta, |last: u32| last + delta + 1);
            pc = Some(at);
            self.add(format!("frame {} {}", index(at)?, self.frame(&frame.change)));
        }
        Ok(())
    }

    fn operands(
        &self,
        code: &Code<'_>,
        instruction: &Instruction,
        position: usize,
        index: impl Fn(u32) -> Result<usize>,
    ) -> Result<String> {
        let relative = |pc: u32| Ok::<i64, anyhow::Error>(index(pc)? as i64 - position as i64);
        Ok(match code.operand(instruction)? {
            Operand::None => String::new(),
            // A short form: the local is part of the opcode.
            Operand::Local(_) if instruction.next_pc - instruction.pc == 1 => String::new(),
            Operand::Immediate(value) => value.to_string(),
            Operand::Local(local) => local.to_string(),
            Operand::Increment { local, delta } => format!("{local}, {delta}"),
            Operand::Pool(pool) => pool.to_string(),
            Operand::Branch(target) => index(target)?.to_string(),
            Operand::ArrayType(atype) => {
                let names = ["Boolean", "Char", "Float", "Double", "Byte", "Short", "Int", "Long"];
                names[usize::from(atype) - 4].to_owned()
            }
            Operand::MultiArray { class, dimensions } => format!("{class}, {dimensions}"),
            Operand::Switch(switch) => {
                let cases = switch.cases().map(|(key, pc)| Ok(format!("{key}:{}", relative(pc)?)));
                let cases = cases.collect::<Result<Vec<_>>>()?.join(" ");
                format!("{} else {}", cases, relative(switch.default)?)
            }
        })
    }

    fn frame(&self, change: &FrameChange) -> String {
        let types = |types: &[VerificationType]| {
            types.iter().map(|&ty| self.verification_type(ty)).collect::<Vec<_>>().join(" ")
        };
        match change {
            FrameChange::Same => "same".to_owned(),
            FrameChange::SameLocals1StackItem(item) => format!("stack {}", types(&[*item])),
            FrameChange::Chop(count) => format!("chop {count}"),
            FrameChange::Append(locals) => format!("append {}", types(locals)),
            FrameChange::Full { locals, stack } => {
                format!("full {} | {}", types(locals), types(stack))
            }
        }
    }

    fn verification_type(&self, ty: VerificationType) -> String {
        match ty {
            VerificationType::Object(class) => self.text(class),
            VerificationType::Uninitialized(pc) => format!("new@{pc}"),
            VerificationType::Top
            | VerificationType::Integer
            | VerificationType::Float
            | VerificationType::Double
            | VerificationType::Long
            | VerificationType::Null
            | VerificationType::UninitializedThis => format!("{ty:?}"),
        }
    }

    fn member_ref(&self, member: MemberRef) -> String {
        let (class, name) = (self.text(member.class), self.text(member.name));
        format!("{class}.{name}{}", self.text(member.descriptor))
    }

    fn constant(&self, constant: Constant) -> String {
        match constant {
            Constant::Utf8(text) => format!("utf8 {}", self.text(text)),
            Constant::Integer(value) => format!("int {value}"),
            Constant::Float(bits) => format!("float {bits:x}"),
            Constant::Long(value) => format!("long {value}"),
            Constant::Double(bits) => format!("double {bits:x}"),
            Constant::Class(name) => format!("class {}", self.text(name)),
            Constant::String(text) => format!("string {}", self.text(text)),
            Constant::Member(member) => format!("{:?} {}", member.kind, self.member_ref(member)),
            Constant::NameAndType(name, ty) => format!("{}{}", self.text(name), self.text(ty)),
            Constant::MethodHandle(kind, member) => {
                format!("handle {kind:?} {}", self.member_ref(member))
            }
            Constant::MethodType(descriptor) => format!("methodtype {}", self.text(descriptor)),
            Constant::Dynamic(d) | Constant::InvokeDynamic(d) => {
                let (name, descriptor) = (self.text(d.name), self.text(d.descriptor));
                format!("dynamic {} {name}{descriptor}", d.bootstrap)
            }
            Constant::Module(name) => format!("module {}", self.text(name)),
            Constant::Package(name) => format!("package {}", self.text(name)),
        }
    }

    fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            self.add(format!("annotation {}", self.annotation(annotation)));
        }
    }

    fn annotation(&self, annotation: &Annotation) -> String {
        let elements = annotation.elements.iter();
        let elements: Vec<String> = elements
            .map(|(name, value)| format!("{}={}", self.text(*name), self.element(value)))
            .collect();
        format!("@{}({})", self.text(annotation.annotation_type), elements.join(", "))
    }

    fn element(&self, value: &ElementValue) -> String {
        match value {
            ElementValue::Constant(tag, constant) => {
                format!("{} {}", char::from(*tag), self.constant(*constant))
            }
            ElementValue::Enum { enum_type, name } => {
                format!("{}.{}", self.text(*enum_type), self.text(*name))
            }
            ElementValue::Class(name) => format!("{}.class", self.text(*name)),
            ElementValue::Annotation(annotation) => self.annotation(annotation),
            ElementValue::Array(values) => {
                let values: Vec<String> = values.iter().map(|value| self.element(value)).collect();
                format!("[{}]", values.join(", "))
            }
        }
    }
}

/// The first byte of the instruction.
fn opcode_number(code: &Code<'_>, instruction: &Instruction) -> u8 {
    code.bytes[instruction.pc as usize]
}
