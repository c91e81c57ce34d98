//! Access and property flags (JVMS tables 4.1-B, 4.5-A, 4.6-A, 4.7.6-A).

/// A set of `ACC_` flags. Some bits mean different things on classes, fields and methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AccessFlags(pub u16);

macro_rules! flags {
    ($($name:ident = $bit:literal;)*) => {
        impl AccessFlags {
            $(pub const fn $name(self) -> bool { self.0 & $bit != 0 })*
        }
    };
}

flags! {
    is_public = 0x0001;
    is_private = 0x0002;
    is_protected = 0x0004;
    is_static = 0x0008;
    is_final = 0x0010;
    is_super = 0x0020;
    is_synchronized = 0x0020;
    is_volatile = 0x0040;
    is_bridge = 0x0040;
    is_transient = 0x0080;
    is_varargs = 0x0080;
    is_native = 0x0100;
    is_interface = 0x0200;
    is_abstract = 0x0400;
    is_strict = 0x0800;
    is_synthetic = 0x1000;
    is_annotation = 0x2000;
    is_enum = 0x4000;
    is_module = 0x8000;
}

impl AccessFlags {
    pub const fn is_package_private(self) -> bool {
        self.0 & 0x0007 == 0
    }
}
