//! A loaded class: its members with interned names, and the file they came from.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use classfile::{AccessFlags, BootstrapMethod, ClassFile, Constant, Utf8};

use crate::hierarchy::Ancestry;
use crate::ids::{ClassId, FieldId, MethodId};
use crate::ir::{Body, Const, StringRef};
use crate::names::{Name, Names};

pub struct Class {
    pub id: ClassId,
    pub name: Name,
    pub access_flags: AccessFlags,
    pub superclass: Option<Name>,
    pub interfaces: Box<[Name]>,
    pub fields: Box<[Field]>,
    pub methods: Box<[Method]>,
    pub file: ClassFile,
    /// Names of this file's constants, interned when first asked for. Racing threads store the
    /// same value, so relaxed order is enough.
    constant_names: Box<[AtomicU32]>,
    pub(crate) ancestry: OnceLock<Ancestry>,
    bootstrap_methods: OnceLock<classfile::Result<Vec<BootstrapMethod>>>,
    /// Of methods whose bodies are kept, by position.
    pub(crate) bodies: OnceLock<Box<[KeptBody]>>,
}

/// A body that is lowered once for all who ask, or that there is none.
pub(crate) type KeptBody = OnceLock<Option<Arc<Body>>>;

#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub access_flags: AccessFlags,
    pub name: Name,
    pub descriptor: Name,
}

#[derive(Debug, Clone, Copy)]
pub struct Method {
    pub access_flags: AccessFlags,
    pub name: Name,
    pub descriptor: Name,
}

const NOT_YET: u32 = u32::MAX;

impl Class {
    pub(crate) fn new(id: ClassId, file: ClassFile, names: &Names) -> Class {
        let constant_names = (0..file.pool().len()).map(|_| AtomicU32::new(NOT_YET)).collect();
        let mut class = Class {
            id,
            name: names.intern(file.bytes(file.this_class)),
            access_flags: file.access_flags,
            superclass: None,
            interfaces: Box::default(),
            fields: Box::default(),
            methods: Box::default(),
            file,
            constant_names,
            ancestry: OnceLock::new(),
            bootstrap_methods: OnceLock::new(),
            bodies: OnceLock::new(),
        };
        let name = |utf8| class.constant_name(utf8, names);
        let superclass = class.file.super_class.map(name);
        let interfaces = class.file.interfaces.iter().map(|&utf8| name(utf8)).collect();
        let fields = class.file.fields.iter().map(|field| Field {
            access_flags: field.access_flags,
            name: name(field.name),
            descriptor: name(field.descriptor),
        });
        let fields = fields.collect();
        let methods = class.file.methods.iter().map(|method| Method {
            access_flags: method.access_flags,
            name: name(method.name),
            descriptor: name(method.descriptor),
        });
        let methods = methods.collect();
        class.superclass = superclass;
        class.interfaces = interfaces;
        class.fields = fields;
        class.methods = methods;
        class
    }

    /// Gives a field another name; its name in the class file, and its descriptor.
    pub(crate) fn rename_field(&mut self, field: FieldId, name: Name) -> (Name, Name) {
        let field = &mut self.fields[field.index()];
        (std::mem::replace(&mut field.name, name), field.descriptor)
    }

    pub fn is_interface(&self) -> bool {
        self.access_flags.is_interface()
    }

    /// Every field with its id, in file order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (FieldId, &Field)> {
        self.fields.iter().enumerate().map(|(index, field)| (FieldId::new(self.id, index), field))
    }

    /// Every method with its id, in file order.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = (MethodId, &Method)> {
        let methods = self.methods.iter().enumerate();
        methods.map(|(index, method)| (MethodId::new(self.id, index), method))
    }

    /// The method that this class itself declares.
    pub fn declared_method(&self, name: Name, descriptor: Name) -> Option<MethodId> {
        let mut methods = self.methods();
        methods.find(|(_, m)| m.name == name && m.descriptor == descriptor).map(|(id, _)| id)
    }

    /// The field that this class itself declares.
    pub fn declared_field(&self, name: Name, descriptor: Name) -> Option<FieldId> {
        let mut fields = self.fields();
        fields.find(|(_, f)| f.name == name && f.descriptor == descriptor).map(|(id, _)| id)
    }

    /// The value that a static field has from the start, without the class initialiser.
    pub fn constant_value(&self, field: FieldId) -> Option<Const> {
        let constant = self.file.fields[field.index()].constant_value(&self.file).ok()??;
        Some(match constant {
            Constant::Integer(value) => Const::Int(value),
            Constant::Long(value) => Const::Long(value),
            Constant::Float(bits) => Const::Float(bits),
            Constant::Double(bits) => Const::Double(bits),
            Constant::String(utf8) => Const::String(StringRef { class: self.id, utf8 }),
            Constant::Utf8(_)
            | Constant::Class(_)
            | Constant::Member(_)
            | Constant::NameAndType(..)
            | Constant::MethodHandle(..)
            | Constant::MethodType(_)
            | Constant::Dynamic(_)
            | Constant::InvokeDynamic(_)
            | Constant::Module(_)
            | Constant::Package(_) => return None,
        })
    }

    pub(crate) fn bootstrap_methods(&self) -> classfile::Result<&[BootstrapMethod]> {
        let read = self.bootstrap_methods.get_or_init(|| self.file.bootstrap_methods());
        read.as_deref().map_err(Clone::clone)
    }

    /// Interns a Utf8 constant of this class's file.
    pub fn constant_name(&self, utf8: Utf8, names: &Names) -> Name {
        let slot = &self.constant_names[utf8.index()];
        match slot.load(Ordering::Relaxed) {
            NOT_YET => {
                let name = names.intern(self.file.bytes(utf8));
                slot.store(name.raw(), Ordering::Relaxed);
                name
            }
            raw => Name::from_raw(raw),
        }
    }
}
