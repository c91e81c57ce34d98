//! Decodes the instructions of a Code attribute, one after the other.
//!
//! Branch offsets become absolute pcs and are checked to lie inside the code; whether they hit the
//! start of an instruction is known only after all of it was decoded, and is the caller's check.

use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};
use crate::opcode::{Opcode, Shape};

#[derive(Debug, Clone, Copy)]
pub struct Instruction<'a> {
    pub pc: u32,
    /// For a `wide` form, the opcode that it widens.
    pub opcode: Opcode,
    pub operand: Operand<'a>,
    /// The pc of the instruction that follows in the code, which may be its end.
    pub next_pc: u32,
}

#[derive(Debug, Clone, Copy)]
pub enum Operand<'a> {
    None,
    /// `bipush` and `sipush`.
    Immediate(i16),
    /// Also of the short forms such as `iload_0`.
    Local(u16),
    Increment {
        local: u16,
        delta: i16,
    },
    /// An index into the constant pool.
    Pool(u16),
    /// An absolute pc inside the code.
    Branch(u32),
    /// The `atype` of `newarray`: 4 to 11.
    ArrayType(u8),
    MultiArray {
        class: u16,
        dimensions: u8,
    },
    Switch(Switch<'a>),
}

/// `tableswitch` or `lookupswitch`: cases in ascending order and a default.
#[derive(Debug, Clone, Copy)]
pub struct Switch<'a> {
    pub default: u32,
    pc: u32,
    /// The lowest key of a `tableswitch`; `None` for a `lookupswitch`.
    low: Option<i32>,
    /// Offsets, or pairs of key and offset.
    table: &'a [u8],
}

impl Switch<'_> {
    /// `(key, target pc)` in ascending order of keys.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = (i32, u32)> + '_ {
        let record = if self.low.is_some() { 4 } else { 8 };
        self.table.chunks_exact(record).enumerate().map(move |(index, chunk)| match self.low {
            Some(low) => (low.wrapping_add(index as i32), self.target(chunk)),
            None => (read_i4(chunk), self.target(&chunk[4..])),
        })
    }

    fn target(&self, offset: &[u8]) -> u32 {
        self.pc.wrapping_add(read_i4(offset) as u32)
    }
}

fn read_i4(bytes: &[u8]) -> i32 {
    i32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Yields each instruction, or one error and then nothing.
#[derive(Clone)]
pub struct Instructions<'a> {
    cursor: Cursor<'a>,
    start: usize,
    code_length: u32,
    failed: bool,
}

impl<'a> Instructions<'a> {
    pub(crate) fn new(bytes: &'a [u8], offset: usize) -> Instructions<'a> {
        Instructions {
            cursor: Cursor::new(bytes, offset, "code"),
            start: offset,
            code_length: bytes.len() as u32,
            failed: false,
        }
    }

    fn pc(&self) -> u32 {
        (self.cursor.offset() - self.start) as u32
    }

    fn decode(&mut self) -> Result<Instruction<'a>> {
        let pc = self.pc();
        let (mut opcode, mut shape) = self.opcode()?;
        let wide = shape == Shape::Wide;
        if wide {
            (opcode, shape) = self.opcode()?;
            if !matches!(shape, Shape::Local | Shape::Increment) {
                return Err(self
                    .cursor
                    .error(ErrorKind::Malformed("wide before the wrong opcode")));
            }
        }
        let operand = self.operand(pc, shape, wide)?;
        Ok(Instruction { pc, opcode, operand, next_pc: self.pc() })
    }

    fn opcode(&mut self) -> Result<(Opcode, Shape)> {
        let byte = self.cursor.u1()?;
        Opcode::from_byte(byte).ok_or_else(|| self.cursor.error(ErrorKind::UnknownTag(byte)))
    }

    fn operand(&mut self, pc: u32, shape: Shape, wide: bool) -> Result<Operand<'a>> {
        let cursor = &mut self.cursor;
        Ok(match shape {
            Shape::None | Shape::Wide => Operand::None,
            Shape::Byte => Operand::Immediate(cursor.i1()?.into()),
            Shape::Short => Operand::Immediate(cursor.i2()?),
            Shape::Pool1 => Operand::Pool(cursor.u1()?.into()),
            Shape::Pool => Operand::Pool(cursor.u2()?),
            Shape::Local if wide => Operand::Local(cursor.u2()?),
            Shape::Local => Operand::Local(cursor.u1()?.into()),
            Shape::Local0 => Operand::Local(0),
            Shape::Local1 => Operand::Local(1),
            Shape::Local2 => Operand::Local(2),
            Shape::Local3 => Operand::Local(3),
            Shape::Increment if wide => {
                Operand::Increment { local: cursor.u2()?, delta: cursor.i2()? }
            }
            Shape::Increment => {
                Operand::Increment { local: cursor.u1()?.into(), delta: cursor.i1()?.into() }
            }
            Shape::Branch => {
                let offset = cursor.i2()?.into();
                Operand::Branch(self.target(pc, offset)?)
            }
            Shape::WideBranch => {
                let offset = cursor.i4()?;
                Operand::Branch(self.target(pc, offset)?)
            }
            Shape::InvokeInterface | Shape::InvokeDynamic => {
                let index = cursor.u2()?;
                // A count that the descriptor tells too, or zeros; neither is needed.
                cursor.take(2)?;
                Operand::Pool(index)
            }
            Shape::ArrayType => match cursor.u1()? {
                atype @ 4..=11 => Operand::ArrayType(atype),
                unknown => return Err(cursor.error(ErrorKind::UnknownTag(unknown))),
            },
            Shape::MultiArray => {
                Operand::MultiArray { class: cursor.u2()?, dimensions: cursor.u1()? }
            }
            Shape::TableSwitch => Operand::Switch(self.table_switch(pc)?),
            Shape::LookupSwitch => Operand::Switch(self.lookup_switch(pc)?),
        })
    }

    fn table_switch(&mut self, pc: u32) -> Result<Switch<'a>> {
        let default = self.switch_default(pc)?;
        let low = self.cursor.i4()?;
        let high = self.cursor.i4()?;
        if low > high {
            return Err(self.cursor.error(ErrorKind::Malformed("tableswitch with low above high")));
        }
        let count = high.abs_diff(low) as usize + 1;
        let table = self.switch_table(count, 4)?;
        self.check_cases(Switch { default, pc, low: Some(low), table })
    }

    fn lookup_switch(&mut self, pc: u32) -> Result<Switch<'a>> {
        let default = self.switch_default(pc)?;
        let count = self.cursor.u4()? as usize;
        let table = self.switch_table(count, 8)?;
        self.check_cases(Switch { default, pc, low: None, table })
    }

    fn switch_default(&mut self, pc: u32) -> Result<u32> {
        let padding = 3 - pc as usize % 4;
        self.cursor.take(padding)?;
        let offset = self.cursor.i4()?;
        self.target(pc, offset)
    }

    fn switch_table(&mut self, count: usize, record: usize) -> Result<&'a [u8]> {
        if count > self.cursor.remaining() / record {
            return Err(self.cursor.error(ErrorKind::Truncated));
        }
        self.cursor.take(count * record)
    }

    fn check_cases(&self, switch: Switch<'a>) -> Result<Switch<'a>> {
        let mut last = None;
        for (key, target) in switch.cases() {
            if target >= self.code_length {
                return Err(self.cursor.error(ErrorKind::Malformed("branch outside the code")));
            }
            if last.is_some_and(|last| last >= key) {
                return Err(self
                    .cursor
                    .error(ErrorKind::Malformed("lookupswitch keys not ascending")));
            }
            last = Some(key);
        }
        Ok(switch)
    }

    fn target(&self, pc: u32, offset: i32) -> Result<u32> {
        let target = pc.wrapping_add(offset as u32);
        if target < self.code_length {
            Ok(target)
        } else {
            Err(self.cursor.error(ErrorKind::Malformed("branch outside the code")))
        }
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>>;

    fn next(&mut self) -> Option<Result<Instruction<'a>>> {
        if self.failed || self.cursor.remaining() == 0 {
            return None;
        }
        let decoded = self.decode();
        self.failed = decoded.is_err();
        Some(decoded)
    }
}
