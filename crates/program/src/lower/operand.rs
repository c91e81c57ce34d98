//! Operands of decoded instructions. The decoder gives each opcode the kind of operand that belongs to
//! it, so the other kinds cannot occur where these are asked.

use classfile::{Instruction, Opcode, Operand};

use crate::ir::Compare;
use crate::types::Primitive;

pub(super) fn immediate(instruction: &Instruction<'_>) -> i32 {
    if let Operand::Immediate(value) = instruction.operand { value.into() } else { 0 }
}

pub(super) fn pool_index(instruction: &Instruction<'_>) -> u16 {
    if let Operand::Pool(index) = instruction.operand { index } else { 0 }
}

pub(super) fn local_index(instruction: &Instruction<'_>) -> usize {
    if let Operand::Local(local) = instruction.operand { local.into() } else { 0 }
}

pub(super) fn branch_target(instruction: &Instruction<'_>) -> u32 {
    if let Operand::Branch(target) = instruction.operand { target } else { 0 }
}

pub(super) fn array_primitive(instruction: &Instruction<'_>) -> Primitive {
    match instruction.operand {
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
