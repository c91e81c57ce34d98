//! Instructions that name members: field accesses and calls.

use classfile::{Instruction, MemberKind, Opcode};

use super::builder::{Builder, marker};
use super::{Result, bootstrap, invalid};
use crate::ir::{FieldRef, InvokeKind, MethodRef, Op, Value, ValueList};
use crate::types::{Kind, field_kind, method_kinds, split_field};

impl Builder<'_> {
    pub(super) fn access_field(&mut self, instruction: &Instruction) -> Result<()> {
        let member = self.class.file.pool().member(self.code.pool_index(instruction)?)?;
        let descriptor = self.class.file.bytes(member.descriptor);
        self.charge_descriptor(descriptor.len())?;
        let is_field = member.kind == MemberKind::Field;
        if !is_field || !matches!(split_field(descriptor), Some((_, []))) {
            return invalid(self.pc, "malformed field reference");
        }
        let kind = field_kind(descriptor);
        let name = |utf8| self.class.constant_name(utf8, &self.program.names);
        let field = self.program.field_ref(FieldRef {
            class: name(member.class),
            name: name(member.name),
            descriptor: name(member.descriptor),
        });
        match instruction.opcode {
            Opcode::Getstatic => self.emit_push(Op::GetStatic(field), kind),
            Opcode::Putstatic => {
                let value = self.pop(kind)?;
                self.emit(Op::PutStatic(field, value))
            }
            Opcode::Getfield => {
                let object = self.pop(Kind::Ref)?;
                self.emit_push(Op::GetField(field, object), kind)
            }
            _ => {
                let (object, value) = self.pop_two(Kind::Ref, kind)?;
                self.emit(Op::PutField(field, object, value))
            }
        }
    }

    pub(super) fn invoke(&mut self, kind: InvokeKind, index: u16) -> Result<()> {
        let member = self.class.file.pool().member(index)?;
        let receiver = (kind != InvokeKind::Static).then_some(Kind::Ref);
        let result = match member.kind {
            MemberKind::Field => None,
            MemberKind::Method | MemberKind::InterfaceMethod => {
                self.read_call(receiver, member.descriptor)?
            }
        };
        let Some(result) = result else {
            return invalid(self.pc, "malformed method reference");
        };
        let name = |utf8| self.class.constant_name(utf8, &self.program.names);
        let method = MethodRef {
            class: name(member.class),
            name: name(member.name),
            descriptor: name(member.descriptor),
        };
        let arguments = self.pop_arguments()?;
        self.emit_call(Op::Invoke { kind, method, arguments }, result)
    }

    pub(super) fn invoke_dynamic(&mut self, index: u16) -> Result<()> {
        let dynamic = self.class.file.pool().invoke_dynamic(index)?;
        let Some(result) = self.read_call(None, dynamic.descriptor)? else {
            return invalid(self.pc, "malformed invokedynamic");
        };
        let call_site = bootstrap::call_site(self, dynamic)?;
        let arguments = self.pop_arguments()?;
        self.emit_call(Op::InvokeDynamic { call_site, arguments }, result)
    }

    /// Notes the kinds of a call's arguments and returns that of its result; `None` if the descriptor
    /// is malformed.
    fn read_call(
        &mut self,
        receiver: Option<Kind>,
        descriptor: classfile::Utf8,
    ) -> Result<Option<Option<Kind>>> {
        let descriptor = self.class.file.bytes(descriptor);
        self.charge_descriptor(descriptor.len())?;
        self.argument_kinds.clear();
        self.argument_kinds.extend(receiver);
        Ok(method_kinds(descriptor, |kind| self.argument_kinds.push(kind)))
    }

    fn emit_call(&mut self, op: Op, result: Option<Kind>) -> Result<()> {
        match result {
            Some(kind) => self.emit_push(op, kind),
            None => self.emit(op),
        }
    }

    fn pop_arguments(&mut self) -> Result<ValueList> {
        let count = self.argument_kinds.len();
        let Some(first) = self.stack.len().checked_sub(count) else {
            return invalid(self.pc, "stack underflow");
        };
        let fits = |(&value, &kind): (&Value, &Kind)| {
            !marker::is_marker(value) && self.kinds[value.index()] == kind
        };
        if !self.stack[first..].iter().zip(&self.argument_kinds).all(fits) {
            return invalid(self.pc, "argument of the wrong kind");
        }
        self.pop_list(count)
    }
}
