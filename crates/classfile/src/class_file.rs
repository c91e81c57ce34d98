//! A class file (JVMS 4.1): the skeleton is read and checked at once, attributes when asked for.

use bytes::Bytes;

use crate::access::AccessFlags;
use crate::annotation::{self, Annotation};
use crate::attribute::{Attribute, AttributeTable};
use crate::code::Code;
use crate::constant_pool::{Constant, ConstantPool, HandleKind, MemberRef, Utf8};
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};
use crate::module::Module;

const MAGIC: u32 = 0xcafe_babe;
const OLDEST_MAJOR: u16 = 45;
/// Java 28. A newer file may hold structures that this reader would misread.
const NEWEST_MAJOR: u16 = 72;

#[derive(Debug, Clone)]
pub struct ClassFile {
    pub minor_version: u16,
    pub major_version: u16,
    pub access_flags: AccessFlags,
    pub this_class: Utf8,
    /// `None` only for `java.lang.Object` and modules.
    pub super_class: Option<Utf8>,
    pub interfaces: Box<[Utf8]>,
    pub fields: Box<[Field]>,
    pub methods: Box<[Method]>,
    pool: ConstantPool,
    attributes: AttributeTable,
}

/// A `field_info` or `method_info`.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    pub access_flags: AccessFlags,
    pub name: Utf8,
    pub descriptor: Utf8,
    attributes: AttributeTable,
}

pub type Field = Member;
pub type Method = Member;

#[derive(Debug, Clone, PartialEq)]
pub struct BootstrapMethod {
    pub kind: HandleKind,
    pub method: MemberRef,
    /// Indices of loadable constants.
    pub arguments: Vec<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InnerClass {
    pub inner: Utf8,
    pub outer: Option<Utf8>,
    /// `None` for an anonymous class.
    pub name: Option<Utf8>,
    pub access_flags: AccessFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnclosingMethod {
    pub class: Utf8,
    /// Name and descriptor, unless the class stands outside of any method.
    pub method: Option<(Utf8, Utf8)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordComponent {
    pub name: Utf8,
    pub descriptor: Utf8,
    pub signature: Option<Utf8>,
}

impl ClassFile {
    pub fn parse(bytes: Bytes) -> Result<ClassFile> {
        let mut cursor = Cursor::new(&bytes, 0, "class file");
        if cursor.u4()? != MAGIC {
            return Err(cursor.error(ErrorKind::BadMagic));
        }
        let minor_version = cursor.u2()?;
        let major_version = cursor.u2()?;
        if !(OLDEST_MAJOR..=NEWEST_MAJOR).contains(&major_version) {
            return Err(cursor.error(ErrorKind::UnsupportedVersion(major_version)));
        }
        let mut cursor = cursor.within("constant pool");
        let pool = ConstantPool::parse(&bytes, &mut cursor)?;
        let mut cursor = cursor.within("class file");
        let access_flags = AccessFlags(cursor.u2()?);
        let this_class = pool.class(cursor.u2()?)?;
        let super_class = pool.optional_class(cursor.u2()?)?;
        let interfaces = cursor.list(2, |cursor| pool.class(cursor.u2()?))?;
        let fields = cursor.list(8, |cursor| Member::parse(&pool, cursor))?;
        let methods = cursor.list(8, |cursor| Member::parse(&pool, cursor))?;
        let attributes = AttributeTable::parse(&pool, &mut cursor)?;
        cursor.finish()?;
        Ok(ClassFile {
            minor_version,
            major_version,
            access_flags,
            this_class,
            super_class,
            interfaces: interfaces.into(),
            fields: fields.into(),
            methods: methods.into(),
            pool,
            attributes,
        })
    }

    pub fn pool(&self) -> &ConstantPool {
        &self.pool
    }

    /// The raw modified UTF-8 of a name, descriptor or text.
    pub fn bytes(&self, utf8: Utf8) -> &[u8] {
        self.pool.bytes(utf8)
    }

    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'_>> {
        self.attributes.iter(&self.pool)
    }

    pub fn source_file(&self) -> Result<Option<Utf8>> {
        self.attributes.decode(&self.pool, "SourceFile", |cursor| self.pool.utf8(cursor.u2()?))
    }

    pub fn signature(&self) -> Result<Option<Utf8>> {
        self.attributes.signature(&self.pool)
    }

    pub fn bootstrap_methods(&self) -> Result<Vec<BootstrapMethod>> {
        let pool = &self.pool;
        self.attributes.decode_list(pool, "BootstrapMethods", 4, |cursor| {
            let Constant::MethodHandle(kind, method) = pool.constant(cursor.u2()?)? else {
                return Err(
                    cursor.error(ErrorKind::Malformed("bootstrap method is no method handle"))
                );
            };
            let arguments = cursor.list(2, |cursor| cursor.u2())?;
            Ok(BootstrapMethod { kind, method, arguments })
        })
    }

    pub fn inner_classes(&self) -> Result<Vec<InnerClass>> {
        let pool = &self.pool;
        self.attributes.decode_list(pool, "InnerClasses", 8, |cursor| {
            let inner = pool.class(cursor.u2()?)?;
            let outer = pool.optional_class(cursor.u2()?)?;
            let name = match cursor.u2()? {
                0 => None,
                index => Some(pool.utf8(index)?),
            };
            Ok(InnerClass { inner, outer, name, access_flags: AccessFlags(cursor.u2()?) })
        })
    }

    pub fn enclosing_method(&self) -> Result<Option<EnclosingMethod>> {
        let pool = &self.pool;
        self.attributes.decode(pool, "EnclosingMethod", |cursor| {
            let class = pool.class(cursor.u2()?)?;
            let method = match cursor.u2()? {
                0 => None,
                index => Some(pool.name_and_type(index)?),
            };
            Ok(EnclosingMethod { class, method })
        })
    }

    pub fn nest_host(&self) -> Result<Option<Utf8>> {
        self.attributes.decode(&self.pool, "NestHost", |cursor| self.pool.class(cursor.u2()?))
    }

    pub fn nest_members(&self) -> Result<Vec<Utf8>> {
        self.class_list("NestMembers")
    }

    /// `None` where the class is not sealed.
    pub fn permitted_subclasses(&self) -> Result<Option<Vec<Utf8>>> {
        match self.attributes.find(&self.pool, "PermittedSubclasses") {
            Some(_) => self.class_list("PermittedSubclasses").map(Some),
            None => Ok(None),
        }
    }

    /// `None` where the class is no record.
    pub fn record(&self) -> Result<Option<Vec<RecordComponent>>> {
        let pool = &self.pool;
        self.attributes.decode(pool, "Record", |cursor| {
            cursor.list(6, |cursor| {
                let name = pool.utf8(cursor.u2()?)?;
                let descriptor = pool.utf8(cursor.u2()?)?;
                let attributes = AttributeTable::parse(pool, cursor)?;
                Ok(RecordComponent { name, descriptor, signature: attributes.signature(pool)? })
            })
        })
    }

    pub fn module(&self) -> Result<Option<Module>> {
        self.attributes.decode(&self.pool, "Module", |cursor| Module::parse(&self.pool, cursor))
    }

    /// Annotations that are kept in the file, runtime-visible ones first.
    pub fn annotations(&self) -> Result<Vec<Annotation>> {
        annotation::of(&self.pool, self.attributes)
    }

    /// Annotations that a running program can ask for.
    pub fn visible_annotations(&self) -> Result<Vec<Annotation>> {
        annotation::visible(&self.pool, self.attributes)
    }

    fn class_list(&self, name: &'static str) -> Result<Vec<Utf8>> {
        self.attributes.decode_list(&self.pool, name, 2, |cursor| self.pool.class(cursor.u2()?))
    }
}

impl Member {
    fn parse(pool: &ConstantPool, cursor: &mut Cursor<'_>) -> Result<Member> {
        Ok(Member {
            access_flags: AccessFlags(cursor.u2()?),
            name: pool.utf8(cursor.u2()?)?,
            descriptor: pool.utf8(cursor.u2()?)?,
            attributes: AttributeTable::parse(pool, cursor)?,
        })
    }

    pub fn attributes<'a>(&self, file: &'a ClassFile) -> impl Iterator<Item = Attribute<'a>> {
        self.attributes.iter(&file.pool)
    }

    /// `None` for abstract and native methods.
    pub fn code<'a>(&self, file: &'a ClassFile) -> Result<Option<Code<'a>>> {
        self.attributes.decode(&file.pool, "Code", |cursor| Code::parse(file, cursor))
    }

    /// The value of a constant field.
    pub fn constant_value(&self, file: &ClassFile) -> Result<Option<Constant>> {
        let pool = &file.pool;
        self.attributes.decode(pool, "ConstantValue", |cursor| pool.constant(cursor.u2()?))
    }

    /// The classes of the `throws` clause.
    pub fn exceptions(&self, file: &ClassFile) -> Result<Vec<Utf8>> {
        let pool = &file.pool;
        self.attributes.decode_list(pool, "Exceptions", 2, |cursor| pool.class(cursor.u2()?))
    }

    pub fn signature(&self, file: &ClassFile) -> Result<Option<Utf8>> {
        self.attributes.signature(&file.pool)
    }

    pub fn annotations(&self, file: &ClassFile) -> Result<Vec<Annotation>> {
        annotation::of(&file.pool, self.attributes)
    }

    /// What an element of an annotation type says where nothing is written.
    pub fn annotation_default(&self, file: &ClassFile) -> Result<Option<annotation::ElementValue>> {
        annotation::default_of(&file.pool, self.attributes)
    }

    /// Annotations that a running program can ask for.
    pub fn visible_annotations(&self, file: &ClassFile) -> Result<Vec<Annotation>> {
        annotation::visible(&file.pool, self.attributes)
    }
}
