//! Annotations (JVMS 4.7.16, 4.7.17).

use crate::attribute::{AttributeTable, check_depth};
use crate::constant_pool::{Constant, ConstantPool, Utf8};
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// A field descriptor: `Ljava/lang/Deprecated;`.
    pub annotation_type: Utf8,
    pub elements: Vec<(Utf8, ElementValue)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ElementValue {
    /// The tag tells how to read it: `Z` and `C` are integers too.
    Constant(u8, Constant),
    Enum {
        enum_type: Utf8,
        name: Utf8,
    },
    Class(Utf8),
    Annotation(Annotation),
    Array(Vec<ElementValue>),
}

pub(crate) fn of(pool: &ConstantPool, attributes: AttributeTable) -> Result<Vec<Annotation>> {
    let mut all = visible(pool, attributes)?;
    let name = "RuntimeInvisibleAnnotations";
    all.extend(attributes.decode_list(pool, name, 4, |cursor| parse(pool, cursor, 0))?);
    Ok(all)
}

/// Those that a running program can ask for.
pub(crate) fn visible(pool: &ConstantPool, attributes: AttributeTable) -> Result<Vec<Annotation>> {
    let name = "RuntimeVisibleAnnotations";
    attributes.decode_list(pool, name, 4, |cursor| parse(pool, cursor, 0))
}

/// What an element of an annotation type says where nothing is written.
pub(crate) fn default_of(
    pool: &ConstantPool,
    attributes: AttributeTable,
) -> Result<Option<ElementValue>> {
    attributes.decode(pool, "AnnotationDefault", |cursor| parse_value(pool, cursor, 0))
}

fn parse(pool: &ConstantPool, cursor: &mut Cursor<'_>, depth: usize) -> Result<Annotation> {
    check_depth(depth, cursor)?;
    let annotation_type = pool.utf8(cursor.u2()?)?;
    let elements = cursor.list(3, |cursor| {
        let name = pool.utf8(cursor.u2()?)?;
        Ok((name, parse_value(pool, cursor, depth + 1)?))
    })?;
    Ok(Annotation { annotation_type, elements })
}

fn parse_value(pool: &ConstantPool, cursor: &mut Cursor<'_>, depth: usize) -> Result<ElementValue> {
    check_depth(depth, cursor)?;
    let tag = cursor.u1()?;
    Ok(match tag {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' => {
            ElementValue::Constant(tag, pool.constant(cursor.u2()?)?)
        }
        b'e' => ElementValue::Enum {
            enum_type: pool.utf8(cursor.u2()?)?,
            name: pool.utf8(cursor.u2()?)?,
        },
        b'c' => ElementValue::Class(pool.utf8(cursor.u2()?)?),
        b'@' => ElementValue::Annotation(parse(pool, cursor, depth + 1)?),
        b'[' => ElementValue::Array(cursor.list(3, |cursor| parse_value(pool, cursor, depth + 1))?),
        unknown => return Err(cursor.error(ErrorKind::UnknownTag(unknown))),
    })
}
