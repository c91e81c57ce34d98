//! Decodes the instructions of a Code attribute, one after the other, and their operands when asked.
//!
//! Walking over the code needs the lengths alone. Branch offsets become absolute pcs and are checked
//! to lie inside the code; whether they hit the start of an instruction is known only after all of it
//! was walked over, and is the caller's check.

use crate::error::{Error, ErrorKind, Result};
use crate::opcode::{Opcode, Shape};

#[derive(Debug, Clone, Copy)]
pub struct Instruction {
    pub pc: u32,
    /// For a `wide` form, the opcode that it widens.
    pub opcode: Opcode,
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
    bytes: &'a [u8],
    /// Of `bytes`, in the file.
    offset: usize,
    /// Of the next instruction.
    pc: u32,
}

impl<'a> Instructions<'a> {
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], offset: usize) -> Instructions<'a> {
        Instructions { bytes, offset, pc: 0 }
    }

    /// As the iterator, but nothing goes through memory on the way: every method of a program comes
    /// by here. Returns how many there are.
    #[inline]
    pub(crate) fn walk(mut self, mut each: impl FnMut(Instruction)) -> Result<usize> {
        let mut count = 0;
        while let Some(&byte) = self.bytes.get(self.pc as usize) {
            let pc = self.pc;
            count += 1;
            if let Some((opcode, length)) = Opcode::of_fixed_length(byte) {
                self.pc += length;
                each(Instruction { pc, opcode, next_pc: self.pc });
            } else {
                let instruction = self.step_varying(byte)?;
                self.pc = instruction.next_pc;
                each(instruction);
            }
        }
        if self.pc as usize > self.bytes.len() {
            return Err(self.error(self.bytes.len() as u32, ErrorKind::Truncated));
        }
        Ok(count)
    }

    /// Where the instruction ends; its operands are not looked at.
    fn step(&self, byte: u8) -> Result<Instruction> {
        let pc = self.pc;
        let Some((opcode, length)) = Opcode::of_fixed_length(byte) else {
            return self.step_varying(byte);
        };
        let next_pc = pc + length;
        if next_pc as usize > self.bytes.len() {
            return Err(self.error(pc + 1, ErrorKind::Truncated));
        }
        Ok(Instruction { pc, opcode, next_pc })
    }

    fn step_varying(&self, byte: u8) -> Result<Instruction> {
        let pc = self.pc;
        let (opcode, shape) = self.opcode(byte, pc)?;
        match shape {
            Shape::TableSwitch => {
                let next_pc = self.table_switch(pc)?.1;
                Ok(Instruction { pc, opcode, next_pc })
            }
            Shape::LookupSwitch => {
                let next_pc = self.lookup_switch(pc)?.1;
                Ok(Instruction { pc, opcode, next_pc })
            }
            _ => self.step_wide(),
        }
    }

    fn step_wide(&self) -> Result<Instruction> {
        let pc = self.pc;
        let (opcode, shape) = self.opcode(self.u1(pc + 1)?, pc + 1)?;
        let next_pc = match shape {
            Shape::Local => pc + 4,
            Shape::Increment => pc + 6,
            _ => {
                let kind = ErrorKind::Malformed("wide before the wrong opcode");
                return Err(self.error(pc + 2, kind));
            }
        };
        if next_pc as usize > self.bytes.len() {
            return Err(self.error(pc + 2, ErrorKind::Truncated));
        }
        Ok(Instruction { pc, opcode, next_pc })
    }

    pub(crate) fn operand(&self, instruction: &Instruction) -> Result<Operand<'a>> {
        let Instruction { pc, opcode, next_pc } = *instruction;
        Ok(match opcode.shape() {
            Shape::None | Shape::Wide => Operand::None,
            Shape::Byte => Operand::Immediate((self.u1(pc + 1)? as i8).into()),
            Shape::Short => Operand::Immediate(self.u2(pc + 1)? as i16),
            Shape::Pool1 | Shape::Pool | Shape::InvokeInterface | Shape::InvokeDynamic => {
                Operand::Pool(self.pool_index(instruction)?)
            }
            Shape::Local | Shape::Local0 | Shape::Local1 | Shape::Local2 | Shape::Local3 => {
                Operand::Local(self.local(instruction)?)
            }
            Shape::Increment if next_pc - pc > 3 => {
                Operand::Increment { local: self.u2(pc + 2)?, delta: self.u2(pc + 4)? as i16 }
            }
            Shape::Increment => {
                let [local, delta] = self.array(pc + 1)?;
                Operand::Increment { local: local.into(), delta: (delta as i8).into() }
            }
            Shape::Branch | Shape::WideBranch => Operand::Branch(self.branch_target(instruction)?),
            Shape::ArrayType => match self.u1(pc + 1)? {
                atype @ 4..=11 => Operand::ArrayType(atype),
                unknown => return Err(self.error(next_pc, ErrorKind::UnknownTag(unknown))),
            },
            Shape::MultiArray => {
                let [high, low, dimensions] = self.array(pc + 1)?;
                Operand::MultiArray { class: u16::from_be_bytes([high, low]), dimensions }
            }
            Shape::TableSwitch => Operand::Switch(self.table_switch(pc)?.0),
            Shape::LookupSwitch => Operand::Switch(self.lookup_switch(pc)?.0),
        })
    }

    // The three below are for who knows what kind of operand there is: the length tells the rest.

    #[inline]
    pub(crate) fn pool_index(&self, instruction: &Instruction) -> Result<u16> {
        let Instruction { pc, next_pc, .. } = *instruction;
        // Some have more behind the index: a count that the descriptor tells too, or zeros.
        if next_pc - pc == 2 { self.u1(pc + 1).map(u16::from) } else { self.u2(pc + 1) }
    }

    #[inline]
    pub(crate) fn local(&self, instruction: &Instruction) -> Result<u16> {
        let Instruction { pc, opcode, next_pc } = *instruction;
        match next_pc - pc {
            // Short forms come in fours: `iload_0` to `iload_3`, and so on to `aload_3`.
            1 if opcode as u8 >= Opcode::Istore0 as u8 => {
                Ok(u16::from(opcode as u8 - Opcode::Istore0 as u8) % 4)
            }
            1 => Ok(u16::from((opcode as u8).wrapping_sub(Opcode::Iload0 as u8)) % 4),
            2 => self.u1(pc + 1).map(u16::from),
            _ => self.u2(pc + 2),
        }
    }

    #[inline]
    pub(crate) fn branch_target(&self, instruction: &Instruction) -> Result<u32> {
        let Instruction { pc, next_pc, .. } = *instruction;
        let offset = match next_pc - pc {
            3 => (self.u2(pc + 1)? as i16).into(),
            _ => self.i4(pc + 1)?,
        };
        self.target(pc, offset)
    }

    fn opcode(&self, byte: u8, pc: u32) -> Result<(Opcode, Shape)> {
        Opcode::from_byte(byte).ok_or_else(|| self.error(pc + 1, ErrorKind::UnknownTag(byte)))
    }

    /// The switch, and the pc behind it.
    fn table_switch(&self, pc: u32) -> Result<(Switch<'a>, u32)> {
        let at = switch_operands(pc);
        let default = self.target(pc, self.i4(at)?)?;
        let (low, high) = (self.i4(at + 4)?, self.i4(at + 8)?);
        if low > high {
            let kind = ErrorKind::Malformed("tableswitch with low above high");
            return Err(self.error(at + 12, kind));
        }
        let count = high.abs_diff(low) as usize + 1;
        let table = self.switch_table(at + 12, count, 4)?;
        self.check_cases(Switch { default, pc, low: Some(low), table }, at + 12)
    }

    /// As `table_switch`.
    fn lookup_switch(&self, pc: u32) -> Result<(Switch<'a>, u32)> {
        let at = switch_operands(pc);
        let default = self.target(pc, self.i4(at)?)?;
        let count = self.i4(at + 4)? as u32 as usize;
        let table = self.switch_table(at + 8, count, 8)?;
        self.check_cases(Switch { default, pc, low: None, table }, at + 8)
    }

    fn switch_table(&self, at: u32, count: usize, record: usize) -> Result<&'a [u8]> {
        let rest = &self.bytes[at as usize..];
        if count > rest.len() / record {
            return Err(self.error(at, ErrorKind::Truncated));
        }
        Ok(&rest[..count * record])
    }

    fn check_cases(&self, switch: Switch<'a>, table: u32) -> Result<(Switch<'a>, u32)> {
        let end = table + switch.table.len() as u32;
        let mut last = None;
        for (key, target) in switch.cases() {
            if target as usize >= self.bytes.len() {
                return Err(self.error(end, ErrorKind::Malformed("branch outside the code")));
            }
            if last.is_some_and(|last| last >= key) {
                let kind = ErrorKind::Malformed("lookupswitch keys not ascending");
                return Err(self.error(end, kind));
            }
            last = Some(key);
        }
        Ok((switch, end))
    }

    fn target(&self, pc: u32, offset: i32) -> Result<u32> {
        let target = pc.wrapping_add(offset as u32);
        if (target as usize) < self.bytes.len() {
            Ok(target)
        } else {
            Err(self.error(pc, ErrorKind::Malformed("branch outside the code")))
        }
    }

    fn array<const N: usize>(&self, at: u32) -> Result<[u8; N]> {
        match self.bytes.get(at as usize..).and_then(<[u8]>::first_chunk) {
            Some(chunk) => Ok(*chunk),
            None => Err(self.error(at, ErrorKind::Truncated)),
        }
    }

    fn u1(&self, at: u32) -> Result<u8> {
        self.array::<1>(at).map(|[byte]| byte)
    }

    fn u2(&self, at: u32) -> Result<u16> {
        self.array(at).map(u16::from_be_bytes)
    }

    fn i4(&self, at: u32) -> Result<i32> {
        self.array(at).map(i32::from_be_bytes)
    }

    #[cold]
    fn error(&self, at: u32, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset + at as usize, "code")
    }
}

/// Where the operands of the switch at `pc` begin: padding puts them at a multiple of four.
fn switch_operands(pc: u32) -> u32 {
    (pc + 4) & !3
}

/// Some of the instructions of code that was found well-formed before.
#[derive(Clone)]
pub struct Run<'a> {
    rest: Instructions<'a>,
    end: u32,
}

impl<'a> Run<'a> {
    #[inline]
    pub(crate) fn new(rest: Instructions<'a>, start: u32, end: u32) -> Run<'a> {
        Run { rest: Instructions { pc: start, ..rest }, end }
    }
}

impl Iterator for Run<'_> {
    type Item = Instruction;

    #[inline]
    fn next(&mut self) -> Option<Instruction> {
        let pc = self.rest.pc;
        if pc >= self.end {
            return None;
        }
        let &byte = self.rest.bytes.get(pc as usize)?;
        let instruction = match Opcode::of_fixed_length(byte) {
            Some((opcode, length)) => Instruction { pc, opcode, next_pc: pc + length },
            None => self.rest.step_varying(byte).ok()?,
        };
        self.rest.pc = instruction.next_pc;
        Some(instruction)
    }
}

impl Iterator for Instructions<'_> {
    type Item = Result<Instruction>;

    fn next(&mut self) -> Option<Result<Instruction>> {
        let &byte = self.bytes.get(self.pc as usize)?;
        let decoded = self.step(byte);
        let end = self.bytes.len() as u32;
        self.pc = decoded.as_ref().map_or(end, |instruction| instruction.next_pc);
        Some(decoded)
    }
}
