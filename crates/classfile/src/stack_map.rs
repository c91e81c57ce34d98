//! The StackMapTable attribute (JVMS 4.7.4): the verifier's types at branch targets.

use crate::constant_pool::{ConstantPool, Utf8};
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackMapFrame {
    pub offset_delta: u16,
    pub change: FrameChange,
}

/// How a frame differs from the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameChange {
    Same,
    SameLocals1StackItem(VerificationType),
    /// This many of the last locals are gone.
    Chop(u8),
    Append(Vec<VerificationType>),
    Full {
        locals: Vec<VerificationType>,
        stack: Vec<VerificationType>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    Object(Utf8),
    /// The pc of the `new`.
    Uninitialized(u16),
}

pub(crate) fn parse(pool: &ConstantPool, cursor: &mut Cursor<'_>) -> Result<Vec<StackMapFrame>> {
    cursor.list(1, |cursor| parse_frame(pool, cursor))
}

fn parse_frame(pool: &ConstantPool, cursor: &mut Cursor<'_>) -> Result<StackMapFrame> {
    let frame_type = cursor.u1()?;
    let (offset_delta, change) = match frame_type {
        0..=63 => (frame_type.into(), FrameChange::Same),
        64..=127 => {
            let item = parse_type(pool, cursor)?;
            (u16::from(frame_type - 64), FrameChange::SameLocals1StackItem(item))
        }
        128..=246 => return Err(cursor.error(ErrorKind::UnknownTag(frame_type))),
        247 => (cursor.u2()?, FrameChange::SameLocals1StackItem(parse_type(pool, cursor)?)),
        248..=250 => (cursor.u2()?, FrameChange::Chop(251 - frame_type)),
        251 => (cursor.u2()?, FrameChange::Same),
        252..=254 => {
            let offset_delta = cursor.u2()?;
            let locals =
                (251..frame_type).map(|_| parse_type(pool, cursor)).collect::<Result<_>>()?;
            (offset_delta, FrameChange::Append(locals))
        }
        255 => {
            let offset_delta = cursor.u2()?;
            let locals = cursor.list(1, |cursor| parse_type(pool, cursor))?;
            let stack = cursor.list(1, |cursor| parse_type(pool, cursor))?;
            (offset_delta, FrameChange::Full { locals, stack })
        }
    };
    Ok(StackMapFrame { offset_delta, change })
}

fn parse_type(pool: &ConstantPool, cursor: &mut Cursor<'_>) -> Result<VerificationType> {
    Ok(match cursor.u1()? {
        0 => VerificationType::Top,
        1 => VerificationType::Integer,
        2 => VerificationType::Float,
        3 => VerificationType::Double,
        4 => VerificationType::Long,
        5 => VerificationType::Null,
        6 => VerificationType::UninitializedThis,
        7 => VerificationType::Object(pool.class(cursor.u2()?)?),
        8 => VerificationType::Uninitialized(cursor.u2()?),
        unknown => return Err(cursor.error(ErrorKind::UnknownTag(unknown))),
    })
}
