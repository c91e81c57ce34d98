//! The IR as text, for people. There is deliberately no parser for it.

use std::fmt::Write;

use super::{
    Block, BlockId, Body, CallSite, Compare, ConcatPart, Condition, Const, Edge, FieldRef,
    InvokeKind, MethodHandle, MethodRef, Op, SwitchLabel, Terminator, Value, ValueList,
};
use crate::lines::Lines;
use crate::names::{Name, Names};
use crate::program::Program;
use crate::types::{MethodDescriptor, Type};

/// One line per block head, instruction, terminator and handler.
pub fn print_body(body: &Body, lines: &Lines, program: &Program) -> String {
    let names = &program.names;
    let mut printer = Printer { body, lines, program, names, text: String::new() };
    for id in body.block_ids() {
        printer.block(id);
    }
    printer.text
}

struct Printer<'b> {
    body: &'b Body,
    lines: &'b Lines,
    program: &'b Program,
    names: &'b Names,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn block(&mut self, id: BlockId) {
        let body = self.body;
        let block = body.block(id);
        let parameters: Vec<Value> = match id.index() {
            0 => body.parameters().collect(),
            _ => body.list(block.parameters).to_vec(),
        };
        let parameters: Vec<String> = parameters.iter().map(|&value| self.typed(value)).collect();
        let mut head = format!("{id}({}):", parameters.join(", "));
        let first_pc = body.instructions_of(block).first().map_or(block.pc, |first| first.pc);
        if let Some(line) = self.lines.at(first_pc) {
            let _ = write!(head, "  // line {line}");
        }
        self.line(&head);
        for instruction in body.instructions_of(block) {
            let op = self.op(&instruction.op);
            match instruction.result {
                Some(result) => self.line(&format!("    {} = {op}", self.typed(result))),
                None => self.line(&format!("    {op}")),
            }
        }
        self.terminator(block);
        for handler in body.handlers_of(block) {
            let catch = handler.catch_type.map_or("anything".to_owned(), |name| self.class(name));
            self.line(&format!("    catch {catch} -> {}", self.edge(handler.edge)));
        }
    }

    fn typed(&self, value: Value) -> String {
        format!("{value}: {}", self.body.kind(value).keyword())
    }

    fn list(&self, list: ValueList) -> String {
        let values: Vec<String> = self.body.list(list).iter().map(Value::to_string).collect();
        values.join(", ")
    }

    fn edge(&self, edge: Edge) -> String {
        format!("{}({})", edge.target, self.list(edge.arguments))
    }

    fn class(&self, name: Name) -> String {
        self.names.text(name).replace('/', ".")
    }

    fn ty(&self, ty: Type) -> String {
        ty.display(self.names)
    }

    fn field(&self, field: FieldRef) -> String {
        let ty = Type::parse(self.names.bytes(field.descriptor), self.names);
        let ty = ty.map_or("?".to_owned(), |ty| self.ty(ty));
        format!("{}.{}: {ty}", self.class(field.class), self.names.text(field.name))
    }

    fn method(&self, method: MethodRef) -> String {
        let name = self.names.text(method.name);
        let shape = print_descriptor(self.names.bytes(method.descriptor), self.names);
        format!("{}.{name}{shape}", self.class(method.class))
    }

    fn handle(&self, handle: MethodHandle) -> String {
        let member = handle.member;
        let descriptor = self.names.text(member.descriptor);
        let class = self.class(member.class);
        format!("{:?} {class}.{}{descriptor}", handle.kind, self.names.text(member.name))
    }

    fn terminator(&mut self, block: &Block) {
        let line = match block.terminator {
            Terminator::Goto(edge) => format!("goto {}", self.edge(edge)),
            Terminator::If { condition, then, otherwise } => format!(
                "if {} goto {} else {}",
                print_condition(condition),
                self.edge(then),
                self.edge(otherwise)
            ),
            Terminator::Switch { value, cases, default } => {
                let cases = self.body.cases(cases).iter();
                let cases: Vec<String> =
                    cases.map(|&(key, edge)| format!("{key} -> {}", self.edge(edge))).collect();
                format!("switch {value} [{}] else {}", cases.join(", "), self.edge(default))
            }
            Terminator::Return(None) => "return".to_owned(),
            Terminator::Return(Some(value)) => format!("return {value}"),
            Terminator::Throw(value) => format!("throw {value}"),
        };
        self.line(&format!("    {line}"));
    }

    fn op(&self, op: &Op) -> String {
        match *op {
            Op::Const(constant) => self.constant(constant),
            Op::Unary(op, value) => format!("{} {value}", op.word()),
            Op::Binary(op, left, right) => format!("{} {left}, {right}", op.word()),
            Op::New(class) => format!("new {}", self.class(class)),
            Op::NewArray { element, length } => format!("new {}[{length}]", self.ty(element)),
            Op::NewMultiArray { array, lengths } => {
                format!("new {} ({})", self.ty(array), self.list(lengths))
            }
            Op::ArrayLength(array) => format!("length {array}"),
            Op::ArrayLoad { kind, array, index } => {
                format!("load.{} {array}[{index}]", kind.word())
            }
            Op::ArrayStore { kind, array, index, value } => {
                format!("store.{} {array}[{index}] = {value}", kind.word())
            }
            Op::GetStatic(field) => format!("getstatic {}", self.field(field)),
            Op::PutStatic(field, value) => format!("putstatic {} = {value}", self.field(field)),
            Op::GetField(field, object) => format!("getfield {object} {}", self.field(field)),
            Op::PutField(field, object, value) => {
                format!("putfield {object} {} = {value}", self.field(field))
            }
            Op::Invoke { kind, method, arguments } => {
                format!("{} {} ({})", invoke_word(kind), self.method(method), self.list(arguments))
            }
            Op::InvokeDynamic { call_site, arguments } => {
                format!("{} ({})", self.call_site(call_site), self.list(arguments))
            }
            Op::CheckCast(ty, value) => format!("checkcast {} {value}", self.ty(ty)),
            Op::InstanceOf(ty, value) => format!("instanceof {} {value}", self.ty(ty)),
            Op::MonitorEnter(object) => format!("monitorenter {object}"),
            Op::MonitorExit(object) => format!("monitorexit {object}"),
        }
    }

    fn constant(&self, constant: Const) -> String {
        match constant {
            Const::Null => "null".to_owned(),
            Const::Int(value) => value.to_string(),
            Const::Long(value) => format!("{value}L"),
            Const::Float(bits) => format!("{:?}f", f32::from_bits(bits)),
            Const::Double(bits) => format!("{:?}", f64::from_bits(bits)),
            Const::String(text) => format!("{:?}", self.names.text(self.program.literal(text))),
            Const::Class(ty) => format!("{}.class", self.ty(ty)),
            Const::MethodType(descriptor) => format!("methodtype {}", self.names.text(descriptor)),
            Const::Dynamic(site, _) => self.call_site(site),
        }
    }

    fn call_site(&self, index: u32) -> String {
        match &self.body.call_sites[index as usize] {
            CallSite::Lambda(lambda) => format!(
                "lambda {}.{} = {}",
                self.class(lambda.interface),
                self.names.text(lambda.method),
                self.handle(lambda.implementation)
            ),
            CallSite::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.concat_part(part)).collect();
                format!("concat [{}]", parts.join(" "))
            }
            CallSite::RecordMethod { name, class, components } => format!(
                "record {}.{} of {} components",
                self.class(*class),
                self.names.text(*name),
                components.len()
            ),
            CallSite::TypeSwitch(labels) => format!("typeswitch [{}]", self.labels(labels)),
            CallSite::EnumSwitch(labels) => format!("enumswitch [{}]", self.labels(labels)),
            CallSite::MethodHandle(handle) => format!("handle {}", self.handle(*handle)),
            CallSite::Null => "null".to_owned(),
            CallSite::PrimitiveClass(name) => format!("{}.class", self.names.text(*name)),
            CallSite::EnumConstant { class, name } => {
                format!("enum {}.{}", self.class(*class), self.names.text(*name))
            }
            CallSite::StaticFinal { class, name, .. } => {
                format!("static {}.{}", self.class(*class), self.names.text(*name))
            }
            CallSite::InvokeConstant { handle, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|&c| self.constant(c)).collect();
                format!("invoke {} [{}]", self.handle(*handle), arguments.join(", "))
            }
            CallSite::Unknown(call) => format!(
                "dynamic {}{} by {}",
                self.names.text(call.name),
                self.names.text(call.descriptor),
                self.handle(call.bootstrap)
            ),
        }
    }

    fn concat_part(&self, part: &ConcatPart) -> String {
        match part {
            ConcatPart::Argument(ty) => self.ty(*ty),
            ConcatPart::Text(text) => format!("{:?}", self.names.text(*text)),
            ConcatPart::Constant(constant) => self.constant(*constant),
        }
    }

    fn labels(&self, labels: &[SwitchLabel]) -> String {
        let label = |label: &SwitchLabel| match label {
            SwitchLabel::Type(ty) => self.ty(*ty),
            SwitchLabel::String(text) => format!("{:?}", self.names.text(*text)),
            SwitchLabel::Int(value) => value.to_string(),
            SwitchLabel::Enum { class, name } => {
                let class = class.map_or(String::new(), |class| self.class(class) + ".");
                format!("{class}{}", self.names.text(*name))
            }
            SwitchLabel::Other => "?".to_owned(),
        };
        labels.iter().map(label).collect::<Vec<_>>().join(", ")
    }
}

/// `(int, java.lang.String): boolean`.
pub fn print_descriptor(descriptor: &[u8], names: &Names) -> String {
    let Some(descriptor) = MethodDescriptor::parse(descriptor) else { return "(?)".to_owned() };
    let parameters: Vec<String> =
        descriptor.parameter_types(names).iter().map(|ty| ty.display(names)).collect();
    let result = descriptor.result_type(names).map_or("void".to_owned(), |ty| ty.display(names));
    format!("({}): {result}", parameters.join(", "))
}

fn invoke_word(kind: InvokeKind) -> &'static str {
    match kind {
        InvokeKind::Virtual => "invokevirtual",
        InvokeKind::Special => "invokespecial",
        InvokeKind::Static => "invokestatic",
        InvokeKind::Interface => "invokeinterface",
    }
}

fn print_condition(condition: Condition) -> String {
    match condition {
        Condition::Int(compare, left, right) => format!("{left} {} {right}", compare_sign(compare)),
        Condition::IntToZero(compare, value) => format!("{value} {} 0", compare_sign(compare)),
        Condition::SameRef(left, right) => format!("{left} == {right}"),
        Condition::NotSameRef(left, right) => format!("{left} != {right}"),
        Condition::Null(value) => format!("{value} == null"),
        Condition::NotNull(value) => format!("{value} != null"),
    }
}

fn compare_sign(compare: Compare) -> &'static str {
    match compare {
        Compare::Equal => "==",
        Compare::NotEqual => "!=",
        Compare::Less => "<",
        Compare::GreaterOrEqual => ">=",
        Compare::Greater => ">",
        Compare::LessOrEqual => "<=",
    }
}
