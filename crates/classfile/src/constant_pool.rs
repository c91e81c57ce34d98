//! The constant pool (JVMS 4.4), read in place.
//!
//! One offset per entry is kept; entries are decoded when asked for. All cross references are
//! checked once when the pool is read, so an accessor can only fail on the index it was given.

use bytes::Bytes;

use crate::cursor::Cursor;
use crate::error::{Error, ErrorKind, Result};

#[derive(Debug, Clone)]
pub struct ConstantPool {
    bytes: Bytes,
    /// Offset of each entry's tag byte; 0 for the entries that do not exist (index 0 and the
    /// second half of a long or double).
    offsets: Box<[u32]>,
}

/// The index of a `CONSTANT_Utf8` entry, checked when the pool was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Utf8(pub(crate) u16);

impl Utf8 {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What a `CONSTANT_Fieldref`, `Methodref` or `InterfaceMethodref` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberRef {
    pub kind: MemberKind,
    pub class: Utf8,
    pub name: Utf8,
    pub descriptor: Utf8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberKind {
    Field,
    Method,
    InterfaceMethod,
}

/// What a method handle does with its member (JVMS 5.4.3.5, table 5.4.3.5-A).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandleKind {
    GetField,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    NewInvokeSpecial,
    InvokeInterface,
}

/// A `CONSTANT_Dynamic` or `CONSTANT_InvokeDynamic`: an entry of the BootstrapMethods attribute
/// (not checked against it here), and the name and descriptor that are handed to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DynamicRef {
    pub bootstrap: u16,
    pub name: Utf8,
    pub descriptor: Utf8,
}

/// One decoded entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    Utf8(Utf8),
    Integer(i32),
    /// The bits, because two NaNs may differ.
    Float(u32),
    Long(i64),
    Double(u64),
    Class(Utf8),
    String(Utf8),
    Member(MemberRef),
    NameAndType(Utf8, Utf8),
    MethodHandle(HandleKind, MemberRef),
    MethodType(Utf8),
    Dynamic(DynamicRef),
    InvokeDynamic(DynamicRef),
    Module(Utf8),
    Package(Utf8),
}

pub(crate) mod tag {
    pub(crate) const UTF8: u8 = 1;
    pub(crate) const INTEGER: u8 = 3;
    pub(crate) const FLOAT: u8 = 4;
    pub(crate) const LONG: u8 = 5;
    pub(crate) const DOUBLE: u8 = 6;
    pub(crate) const CLASS: u8 = 7;
    pub(crate) const STRING: u8 = 8;
    pub(crate) const FIELDREF: u8 = 9;
    pub(crate) const METHODREF: u8 = 10;
    pub(crate) const INTERFACE_METHODREF: u8 = 11;
    pub(crate) const NAME_AND_TYPE: u8 = 12;
    pub(crate) const METHOD_HANDLE: u8 = 15;
    pub(crate) const METHOD_TYPE: u8 = 16;
    pub(crate) const DYNAMIC: u8 = 17;
    pub(crate) const INVOKE_DYNAMIC: u8 = 18;
    pub(crate) const MODULE: u8 = 19;
    pub(crate) const PACKAGE: u8 = 20;
}

const CONTEXT: &str = "constant pool";

impl ConstantPool {
    /// Reads the pool at `cursor`, which must run over `bytes` from its start.
    pub(crate) fn parse(bytes: &Bytes, cursor: &mut Cursor<'_>) -> Result<ConstantPool> {
        let count = usize::from(cursor.u2()?);
        // The smallest entry (Class) has three bytes, and long and double take two indices.
        if count.saturating_sub(1) > cursor.remaining() / 2 {
            return Err(cursor.error(ErrorKind::Truncated));
        }
        let mut offsets = vec![0u32; count];
        let mut index = 1;
        while index < count {
            offsets[index] = cursor.offset() as u32;
            let tag = cursor.u1()?;
            let length = match tag {
                tag::UTF8 => usize::from(cursor.u2()?),
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 2,
                tag::METHOD_HANDLE => 3,
                tag::LONG | tag::DOUBLE => 8,
                tag::INTEGER
                | tag::FLOAT
                | tag::FIELDREF
                | tag::METHODREF
                | tag::INTERFACE_METHODREF
                | tag::NAME_AND_TYPE
                | tag::DYNAMIC
                | tag::INVOKE_DYNAMIC => 4,
                unknown => return Err(cursor.error(ErrorKind::UnknownTag(unknown))),
            };
            cursor.take(length)?;
            index += if matches!(tag, tag::LONG | tag::DOUBLE) { 2 } else { 1 };
        }
        let pool = ConstantPool { bytes: bytes.clone(), offsets: offsets.into() };
        for (index, &offset) in pool.offsets.iter().enumerate() {
            // More than half of all entries refer to nothing.
            if offset != 0 && pool.bytes[offset as usize] != tag::UTF8 {
                pool.check(index as u16, offset as usize)?;
            }
        }
        Ok(pool)
    }

    /// Whether what an entry refers to is of the kind that it must be.
    fn check(&self, index: u16, offset: usize) -> Result<()> {
        let first = || self.u2_at(offset + 1);
        let second = || self.u2_at(offset + 3);
        match self.bytes[offset] {
            tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => {
                self.utf8(first())?;
            }
            tag::FIELDREF | tag::METHODREF | tag::INTERFACE_METHODREF => {
                self.expect(first(), |t| t == tag::CLASS)?;
                self.expect(second(), |t| t == tag::NAME_AND_TYPE)?;
            }
            tag::NAME_AND_TYPE => {
                self.utf8(first())?;
                self.utf8(second())?;
            }
            tag::METHOD_HANDLE => {
                handle_kind(self.bytes[offset + 1])
                    .ok_or_else(|| self.error_at(index, "method handle of unknown kind"))?;
                self.expect(self.u2_at(offset + 2), is_member)?;
            }
            tag::DYNAMIC | tag::INVOKE_DYNAMIC => {
                self.expect(second(), |t| t == tag::NAME_AND_TYPE)?;
            }
            // `parse` let no other tag pass.
            _ => {}
        }
        Ok(())
    }

    /// The bytes of an entry; none for an index without one.
    pub(crate) fn entry(&self, index: usize) -> Option<&[u8]> {
        let offset = *self.offsets.get(index)? as usize;
        if offset == 0 {
            return None;
        }
        let length = match self.bytes[offset] {
            tag::UTF8 => 3 + usize::from(self.u2_at(offset + 1)),
            tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 3,
            tag::METHOD_HANDLE => 4,
            tag::LONG | tag::DOUBLE => 9,
            _ => 5,
        };
        Some(&self.bytes[offset..offset + length])
    }

    /// The number of indices, the unusable ones included.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// The whole file's bytes.
    pub(crate) fn file(&self) -> &Bytes {
        &self.bytes
    }

    /// The raw modified UTF-8.
    pub fn bytes(&self, utf8: Utf8) -> &[u8] {
        let offset = self.offsets[utf8.index()] as usize;
        let length = self.u2_at(offset + 1);
        &self.bytes[offset + 3..offset + 3 + usize::from(length)]
    }

    /// All that can be used.
    pub fn constants(&self) -> impl Iterator<Item = Constant> + '_ {
        (1..self.len()).filter_map(|index| self.constant(u16::try_from(index).ok()?).ok())
    }

    pub fn constant(&self, index: u16) -> Result<Constant> {
        let offset = self.offset(index)?;
        let first = || self.u2_at(offset + 1);
        let second = || self.u2_at(offset + 3);
        Ok(match self.bytes[offset] {
            tag::UTF8 => Constant::Utf8(Utf8(index)),
            tag::INTEGER => Constant::Integer(self.u4_at(offset + 1) as i32),
            tag::FLOAT => Constant::Float(self.u4_at(offset + 1)),
            tag::LONG => Constant::Long(self.u8_at(offset + 1) as i64),
            tag::DOUBLE => Constant::Double(self.u8_at(offset + 1)),
            tag::CLASS => Constant::Class(Utf8(first())),
            tag::STRING => Constant::String(Utf8(first())),
            tag::FIELDREF | tag::METHODREF | tag::INTERFACE_METHODREF => {
                Constant::Member(self.member_at(offset))
            }
            tag::NAME_AND_TYPE => Constant::NameAndType(Utf8(first()), Utf8(second())),
            tag::METHOD_HANDLE => {
                let kind = handle_kind(self.bytes[offset + 1])
                    .ok_or_else(|| self.error_at(index, "method handle of unknown kind"))?;
                Constant::MethodHandle(kind, self.member_at(self.at(self.u2_at(offset + 2))))
            }
            tag::METHOD_TYPE => Constant::MethodType(Utf8(first())),
            tag::DYNAMIC => Constant::Dynamic(self.dynamic_at(offset)),
            tag::INVOKE_DYNAMIC => Constant::InvokeDynamic(self.dynamic_at(offset)),
            tag::MODULE => Constant::Module(Utf8(first())),
            tag::PACKAGE => Constant::Package(Utf8(first())),
            unknown => return Err(Error::new(ErrorKind::UnknownTag(unknown), offset, CONTEXT)),
        })
    }

    pub fn utf8(&self, index: u16) -> Result<Utf8> {
        self.expect(index, |t| t == tag::UTF8)?;
        Ok(Utf8(index))
    }

    /// The name of a `CONSTANT_Class`: an internal class name or an array descriptor.
    pub fn class(&self, index: u16) -> Result<Utf8> {
        self.expect(index, |t| t == tag::CLASS).map(|offset| self.utf8_at(offset))
    }

    /// As `class`, for places where index 0 means "none".
    pub fn optional_class(&self, index: u16) -> Result<Option<Utf8>> {
        if index == 0 { Ok(None) } else { self.class(index).map(Some) }
    }

    pub fn name_and_type(&self, index: u16) -> Result<(Utf8, Utf8)> {
        self.expect(index, |t| t == tag::NAME_AND_TYPE).map(|offset| self.name_and_type_at(offset))
    }

    pub fn member(&self, index: u16) -> Result<MemberRef> {
        self.expect(index, is_member).map(|offset| self.member_at(offset))
    }

    pub fn invoke_dynamic(&self, index: u16) -> Result<DynamicRef> {
        self.expect(index, |t| t == tag::INVOKE_DYNAMIC).map(|offset| self.dynamic_at(offset))
    }

    pub(crate) fn module(&self, index: u16) -> Result<Utf8> {
        self.expect(index, |t| t == tag::MODULE).map(|offset| self.utf8_at(offset))
    }

    pub(crate) fn package(&self, index: u16) -> Result<Utf8> {
        self.expect(index, |t| t == tag::PACKAGE).map(|offset| self.utf8_at(offset))
    }

    // Those below follow references of the entry at an offset, which `check` found good.

    fn utf8_at(&self, offset: usize) -> Utf8 {
        Utf8(self.u2_at(offset + 1))
    }

    fn name_and_type_at(&self, offset: usize) -> (Utf8, Utf8) {
        (Utf8(self.u2_at(offset + 1)), Utf8(self.u2_at(offset + 3)))
    }

    fn member_at(&self, offset: usize) -> MemberRef {
        let kind = match self.bytes[offset] {
            tag::FIELDREF => MemberKind::Field,
            tag::METHODREF => MemberKind::Method,
            _ => MemberKind::InterfaceMethod,
        };
        let class = self.utf8_at(self.at(self.u2_at(offset + 1)));
        let (name, descriptor) = self.name_and_type_at(self.at(self.u2_at(offset + 3)));
        MemberRef { kind, class, name, descriptor }
    }

    fn dynamic_at(&self, offset: usize) -> DynamicRef {
        let (name, descriptor) = self.name_and_type_at(self.at(self.u2_at(offset + 3)));
        DynamicRef { bootstrap: self.u2_at(offset + 1), name, descriptor }
    }

    fn at(&self, index: u16) -> usize {
        self.offsets[usize::from(index)] as usize
    }

    fn offset(&self, index: u16) -> Result<usize> {
        match self.offsets.get(usize::from(index)) {
            Some(&offset) if offset != 0 => Ok(offset as usize),
            Some(_) | None => Err(Error::new(ErrorKind::BadIndex(index.into()), 8, CONTEXT)),
        }
    }

    fn expect(&self, index: u16, is_right: impl Fn(u8) -> bool) -> Result<usize> {
        let offset = self.offset(index)?;
        if is_right(self.bytes[offset]) {
            Ok(offset)
        } else {
            Err(Error::new(ErrorKind::BadIndex(index.into()), offset, CONTEXT))
        }
    }

    fn error_at(&self, index: u16, rule: &'static str) -> Error {
        let offset = self.offsets[usize::from(index)] as usize;
        Error::new(ErrorKind::Malformed(rule), offset, CONTEXT)
    }

    // The three below read inside an entry whose length was checked in `parse`.

    fn u2_at(&self, offset: usize) -> u16 {
        let bytes = &self.bytes[offset..offset + 2];
        u16::from_be_bytes([bytes[0], bytes[1]])
    }

    fn u4_at(&self, offset: usize) -> u32 {
        u32::from(self.u2_at(offset)) << 16 | u32::from(self.u2_at(offset + 2))
    }

    fn u8_at(&self, offset: usize) -> u64 {
        u64::from(self.u4_at(offset)) << 32 | u64::from(self.u4_at(offset + 4))
    }
}

fn is_member(tag: u8) -> bool {
    matches!(tag, tag::FIELDREF | tag::METHODREF | tag::INTERFACE_METHODREF)
}

fn handle_kind(kind: u8) -> Option<HandleKind> {
    Some(match kind {
        1 => HandleKind::GetField,
        2 => HandleKind::GetStatic,
        3 => HandleKind::PutField,
        4 => HandleKind::PutStatic,
        5 => HandleKind::InvokeVirtual,
        6 => HandleKind::InvokeStatic,
        7 => HandleKind::InvokeSpecial,
        8 => HandleKind::NewInvokeSpecial,
        9 => HandleKind::InvokeInterface,
        _ => return None,
    })
}
