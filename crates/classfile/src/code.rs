//! The Code attribute (JVMS 4.7.3) and the tables inside it.

use crate::attribute::{Attribute, AttributeTable};
use crate::class_file::ClassFile;
use crate::constant_pool::{ConstantPool, Utf8};
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};
use crate::instruction::{Instruction, Instructions, Operand, Run};
use crate::stack_map::{self, StackMapFrame};

#[derive(Debug, Clone)]
pub struct Code<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    /// 1 to 65,535 bytes.
    pub bytes: &'a [u8],
    pub exception_table: Vec<ExceptionHandler>,
    /// Of `bytes`, in the file.
    offset: usize,
    pool: &'a ConstantPool,
    attributes: AttributeTable,
}

/// Covers the instructions that start at `start_pc <= pc < end_pc`. The pcs are as the file gives
/// them: in range, but perhaps not at the start of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceptionHandler {
    pub start_pc: u32,
    pub end_pc: u32,
    pub handler_pc: u32,
    /// `None` catches everything.
    pub catch_type: Option<Utf8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalVariable {
    pub start_pc: u32,
    pub length: u32,
    pub name: Utf8,
    pub descriptor: Utf8,
    pub index: u16,
}

impl<'a> Code<'a> {
    pub(crate) fn parse(file: &'a ClassFile, cursor: &mut Cursor<'a>) -> Result<Code<'a>> {
        let pool = file.pool();
        // Files of JDK 1.0 betas, 45.0 to 45.2, have narrower fields; HotSpot still reads them.
        let is_narrow = file.major_version == 45 && file.minor_version <= 2;
        let (max_stack, max_locals, length) = if is_narrow {
            (cursor.u1()?.into(), cursor.u1()?.into(), usize::from(cursor.u2()?))
        } else {
            (cursor.u2()?, cursor.u2()?, cursor.u4()? as usize)
        };
        if !(1..=65_535).contains(&length) {
            return Err(cursor.error(ErrorKind::Malformed("code length is not 1 to 65535")));
        }
        let offset = cursor.offset();
        let bytes = cursor.take(length)?;
        let exception_table = cursor.list(8, |cursor| {
            let start_pc = u32::from(cursor.u2()?);
            let end_pc = u32::from(cursor.u2()?);
            let handler_pc = u32::from(cursor.u2()?);
            let in_order = start_pc < end_pc && end_pc as usize <= length;
            if !in_order || handler_pc as usize >= length {
                return Err(
                    cursor.error(ErrorKind::Malformed("exception handler outside the code"))
                );
            }
            let catch_type = pool.optional_class(cursor.u2()?)?;
            Ok(ExceptionHandler { start_pc, end_pc, handler_pc, catch_type })
        })?;
        let attributes = AttributeTable::parse(pool, cursor)?;
        Ok(Code { max_stack, max_locals, bytes, exception_table, offset, pool, attributes })
    }

    #[inline]
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.bytes, self.offset)
    }

    /// Calls `each` on the instructions in order, and counts them; an error may come after some.
    #[inline]
    pub fn each_instruction(&self, each: impl FnMut(Instruction)) -> Result<usize> {
        self.instructions().walk(each)
    }

    /// The instructions from one pc to another. To be asked only of code that `each_instruction` came
    /// through, with pcs where instructions start: elsewhere it ends early, or yields nonsense.
    #[inline]
    pub fn run(&self, start: u32, end: u32) -> Run<'a> {
        Run::new(self.instructions(), start, end)
    }

    /// What follows the opcode of one of these instructions.
    pub fn operand(&self, instruction: &Instruction) -> Result<Operand<'a>> {
        self.instructions().operand(instruction)
    }

    /// Of an instruction that has one: the index into the constant pool.
    #[inline]
    pub fn pool_index(&self, instruction: &Instruction) -> Result<u16> {
        self.instructions().pool_index(instruction)
    }

    /// Of a load or store, or of `ret`: the local.
    #[inline]
    pub fn local(&self, instruction: &Instruction) -> Result<u16> {
        self.instructions().local(instruction)
    }

    /// Of a branch: the pc that it leads to.
    #[inline]
    pub fn branch_target(&self, instruction: &Instruction) -> Result<u32> {
        self.instructions().branch_target(instruction)
    }

    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> {
        self.attributes.iter(self.pool)
    }

    /// `(start_pc, line)` of all LineNumberTables, in file order: later entries may overlap.
    pub fn line_numbers(&self) -> Result<Vec<(u16, u16)>> {
        self.tables("LineNumberTable", 4, |cursor| Ok((cursor.u2()?, cursor.u2()?)))
    }

    pub fn local_variables(&self) -> Result<Vec<LocalVariable>> {
        self.variables("LocalVariableTable")
    }

    /// As `local_variables`, with generic signatures in the place of descriptors.
    pub fn local_variable_types(&self) -> Result<Vec<LocalVariable>> {
        self.variables("LocalVariableTypeTable")
    }

    pub fn stack_map(&self) -> Result<Vec<StackMapFrame>> {
        self.attributes
            .decode(self.pool, "StackMapTable", |cursor| stack_map::parse(self.pool, cursor))
            .map(Option::unwrap_or_default)
    }

    fn variables(&self, name: &'static str) -> Result<Vec<LocalVariable>> {
        self.tables(name, 10, |cursor| {
            Ok(LocalVariable {
                start_pc: cursor.u2()?.into(),
                length: cursor.u2()?.into(),
                name: self.pool.utf8(cursor.u2()?)?,
                descriptor: self.pool.utf8(cursor.u2()?)?,
                index: cursor.u2()?,
            })
        })
    }

    /// Debugging tables may be split over several attributes of one name.
    fn tables<T>(
        &self,
        name: &'static str,
        record: usize,
        read: impl Fn(&mut Cursor<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut all = Vec::new();
        for attribute in self.attributes() {
            if self.pool.bytes(attribute.name) == name.as_bytes() {
                let mut cursor = Cursor::new(attribute.bytes, attribute.offset, name);
                all.extend(cursor.list(record, &read)?);
                cursor.finish()?;
            }
        }
        Ok(all)
    }
}
