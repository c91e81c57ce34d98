//! A small writer of class files, for classes that javac cannot make: `jsr`, odd but legal code,
//! any major version, and lies of every kind.
//!
//! It checks nothing and computes little on purpose: no stack maps (write version 49 or older and the
//! JVM needs none), no stack depth, no validity. Each structure also takes raw bytes.
//!
//! ```
//! # use testkit::assembler::{ACC_PUBLIC, ACC_STATIC, ClassWriter, Code, opcodes::IRETURN};
//! let mut class = ClassWriter::new(49, "T", "java/lang/Object");
//! let mut code = Code::new();
//! code.push(1).op(IRETURN);
//! class.method(ACC_PUBLIC | ACC_STATIC, "one", "()I", code.limits(1, 0));
//! let bytes = class.bytes();
//! ```

mod code;
mod pool;

pub use code::{Code, Label, opcodes};
pub use pool::ConstantPool;

pub const ACC_PUBLIC: u16 = 0x0001;
pub const ACC_STATIC: u16 = 0x0008;
pub const ACC_SUPER: u16 = 0x0020;
pub const ACC_NATIVE: u16 = 0x0100;
pub const ACC_INTERFACE: u16 = 0x0200;
pub const ACC_ABSTRACT: u16 = 0x0400;

/// A class under construction. Fields are open so that a test can put anything there.
pub struct ClassWriter {
    pub minor: u16,
    pub major: u16,
    pub pool: ConstantPool,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    /// Complete `field_info` structures.
    pub fields: Vec<Vec<u8>>,
    /// Complete `method_info` structures.
    pub methods: Vec<Vec<u8>>,
    /// Complete `attribute_info` structures.
    pub attributes: Vec<Vec<u8>>,
}

impl ClassWriter {
    /// A public class; names are internal (`p/A`), an empty `super_name` writes index 0.
    pub fn new(major: u16, name: &str, super_name: &str) -> ClassWriter {
        let mut pool = ConstantPool::new();
        let this_class = pool.class(name);
        let super_class = if super_name.is_empty() { 0 } else { pool.class(super_name) };
        ClassWriter {
            minor: 0,
            major,
            pool,
            access: ACC_PUBLIC | ACC_SUPER,
            this_class,
            super_class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        }
    }

    pub fn interface(&mut self, name: &str) {
        let index = self.pool.class(name);
        self.interfaces.push(index);
    }

    pub fn field(&mut self, access: u16, name: &str, descriptor: &str) {
        let field = self.member(access, name, descriptor, &[]);
        self.fields.push(field);
    }

    /// A method with a Code attribute. References into the constant pool that `code` holds must come
    /// from this class's `pool`.
    pub fn method(&mut self, access: u16, name: &str, descriptor: &str, code: Code) {
        let content = code.attribute_content(&mut self.pool);
        let attribute = self.attribute("Code", &content);
        let method = self.member(access, name, descriptor, &[attribute]);
        self.methods.push(method);
    }

    /// A method without code: abstract or native.
    pub fn bodiless_method(&mut self, access: u16, name: &str, descriptor: &str) {
        let method = self.member(access, name, descriptor, &[]);
        self.methods.push(method);
    }

    /// `public <init>()` that calls the superclass's.
    pub fn default_constructor(&mut self, super_name: &str) {
        let init = self.pool.method_ref(super_name, "<init>", "()V");
        let mut code = Code::new();
        code.op(opcodes::ALOAD_0).op_u16(opcodes::INVOKESPECIAL, init).op(opcodes::RETURN);
        self.method(ACC_PUBLIC, "<init>", "()V", code.limits(1, 1));
    }

    /// An `attribute_info` with this content.
    pub fn attribute(&mut self, name: &str, content: &[u8]) -> Vec<u8> {
        attribute_info(self.pool.utf8(name), content)
    }

    /// A `field_info` or `method_info` with these attributes.
    pub fn member(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        attributes: &[Vec<u8>],
    ) -> Vec<u8> {
        let words = [access, self.pool.utf8(name), self.pool.utf8(descriptor)];
        let mut bytes: Vec<u8> = words.into_iter().flat_map(u16::to_be_bytes).collect();
        put_list(&mut bytes, attributes);
        bytes
    }

    /// The class file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe];
        put(&mut bytes, &[self.minor, self.major]);
        bytes.extend(self.pool.bytes());
        put(&mut bytes, &[self.access, self.this_class, self.super_class]);
        put(&mut bytes, &[self.interfaces.len() as u16]);
        put(&mut bytes, &self.interfaces);
        put_list(&mut bytes, &self.fields);
        put_list(&mut bytes, &self.methods);
        put_list(&mut bytes, &self.attributes);
        bytes
    }
}

fn attribute_info(name: u16, content: &[u8]) -> Vec<u8> {
    let mut bytes = name.to_be_bytes().to_vec();
    bytes.extend((content.len() as u32).to_be_bytes());
    bytes.extend(content);
    bytes
}

fn put(bytes: &mut Vec<u8>, words: &[u16]) {
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
}

fn put_list(bytes: &mut Vec<u8>, structures: &[Vec<u8>]) {
    put(bytes, &[structures.len() as u16]);
    bytes.extend(structures.concat());
}
