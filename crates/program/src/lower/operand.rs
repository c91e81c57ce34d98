//! Operands of decoded instructions. The decoder gives each opcode the kind of operand that belongs to
//! it, so the other kinds cannot occur where these are asked.

use classfile::{Code, Instruction, Opcode, Operand};

use super::{Result, invalid};
use crate::ir::Compare;
use crate::types::Primitive;

pub(super) fn immediate(operand: Operand<'_>) -> i32 {
    if let Operand::Immediate(value) = operand { value.into() } else { 0 }
}

/// Of `iinc`: the local, and by how much.
pub(super) fn increment(code: &Code<'_>, instruction: &Instruction) -> Result<(u16, i16)> {
    match code.operand(instruction)? {
        Operand::Increment { local, delta } => Ok((local, delta)),
        _ => invalid(instruction.pc, "iinc without operands"),
    }
}

pub(super) fn array_primitive(operand: Operand<'_>) -> Primitive {
    match operand {
        Operand::ArrayType(4) => Primitive::Boolean,
        Operand::ArrayType(5) => Primitive::Char,
        Operand::ArrayType(6) => Primitive::Float,
        Operand::ArrayType(7) => Primitive::Double,
        Operand::ArrayType(8) => Primitive::Byte,
        Operand::ArrayType(9) => Primitive::Short,
        Operand::ArrayType(11) => Primitive::Long,
        _ => Primitive::Int,
    }
}

/// How an instruction uses the local that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalUse {
    Load,
    /// Of one slot or two.
    Store(u16),
    Increment,
}

pub(super) fn local_use(opcode: Opcode) -> Option<LocalUse> {
    use Opcode::*;
    Some(match opcode {
        Iload | Iload0 | Iload1 | Iload2 | Iload3 | Lload | Lload0 | Lload1 | Lload2 | Lload3
        | Fload | Fload0 | Fload1 | Fload2 | Fload3 | Dload | Dload0 | Dload1 | Dload2 | Dload3
        | Aload | Aload0 | Aload1 | Aload2 | Aload3 | Ret => LocalUse::Load,
        Istore | Istore0 | Istore1 | Istore2 | Istore3 | Fstore | Fstore0 | Fstore1 | Fstore2
        | Fstore3 | Astore | Astore0 | Astore1 | Astore2 | Astore3 => LocalUse::Store(1),
        Lstore | Lstore0 | Lstore1 | Lstore2 | Lstore3 | Dstore | Dstore0 | Dstore1 | Dstore2
        | Dstore3 => LocalUse::Store(2),
        Iinc => LocalUse::Increment,
        _ => return None,
    })
}

pub(super) fn compare(opcode: Opcode) -> Compare {
    match opcode {
        Opcode::Ifeq | Opcode::IfIcmpeq => Compare::Equal,
        Opcode::Ifne | Opcode::IfIcmpne => Compare::NotEqual,
        Opcode::Iflt | Opcode::IfIcmplt => Compare::Less,
        Opcode::Ifge | Opcode::IfIcmpge => Compare::GreaterOrEqual,
        Opcode::Ifgt | Opcode::IfIcmpgt => Compare::Greater,
        _ => Compare::LessOrEqual,
    }
}
