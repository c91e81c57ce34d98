//! The Module attribute (JVMS 4.7.25): who may use which packages and services.

use crate::constant_pool::{ConstantPool, Utf8};
use crate::cursor::Cursor;
use crate::error::Result;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    pub name: Utf8,
    pub requires: Vec<Utf8>,
    pub exports: Vec<Export>,
    pub opens: Vec<Export>,
    pub uses: Vec<Utf8>,
    pub provides: Vec<Provide>,
}

/// A package that is exported (or opened) to all, or to the named modules only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    pub package: Utf8,
    /// Empty: to everybody.
    pub to: Vec<Utf8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provide {
    pub service: Utf8,
    pub with: Vec<Utf8>,
}

impl Module {
    pub(crate) fn parse(pool: &ConstantPool, cursor: &mut Cursor<'_>) -> Result<Module> {
        let name = pool.module(cursor.u2()?)?;
        let _flags = cursor.u2()?;
        let _version = cursor.u2()?;
        Ok(Module {
            name,
            requires: cursor.list(6, |cursor| {
                let required = pool.module(cursor.u2()?)?;
                let _flags_and_version = cursor.u4()?;
                Ok(required)
            })?,
            exports: cursor.list(6, |cursor| Export::parse(pool, cursor))?,
            opens: cursor.list(6, |cursor| Export::parse(pool, cursor))?,
            uses: cursor.list(2, |cursor| pool.class(cursor.u2()?))?,
            provides: cursor.list(4, |cursor| {
                let service = pool.class(cursor.u2()?)?;
                Ok(Provide { service, with: cursor.list(2, |cursor| pool.class(cursor.u2()?))? })
            })?,
        })
    }
}

impl Export {
    fn parse(pool: &ConstantPool, cursor: &mut Cursor<'_>) -> Result<Export> {
        let package = pool.package(cursor.u2()?)?;
        let _flags = cursor.u2()?;
        Ok(Export { package, to: cursor.list(2, |cursor| pool.module(cursor.u2()?))? })
    }
}
