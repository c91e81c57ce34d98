//! The constant pool of a class under construction.

/// Entries are shared: the same constant gets the same index.
#[derive(Default)]
pub struct ConstantPool {
    /// The bytes of each entry; `None` for the unusable index behind a long or double.
    entries: Vec<Option<Vec<u8>>>,
}

impl ConstantPool {
    pub fn new() -> ConstantPool {
        ConstantPool::default()
    }

    /// Any entry: its tag and what follows, whether it makes sense or not.
    pub fn raw(&mut self, tag: u8, content: &[u8]) -> u16 {
        let entry = Some([&[tag], content].concat());
        let index = self.entries.iter().position(|known| *known == entry).unwrap_or_else(|| {
            self.entries.push(entry);
            self.entries.len() - 1
        });
        index as u16 + 1
    }

    /// The text must not hold U+0000 or characters beyond U+FFFF: modified UTF-8 writes those in its
    /// own way; use `raw(1, ..)` for them.
    pub fn utf8(&mut self, text: &str) -> u16 {
        let length = (text.len() as u16).to_be_bytes();
        self.raw(1, &[&length, text.as_bytes()].concat())
    }

    pub fn integer(&mut self, value: i32) -> u16 {
        self.raw(3, &value.to_be_bytes())
    }

    pub fn float(&mut self, value: f32) -> u16 {
        self.raw(4, &value.to_bits().to_be_bytes())
    }

    pub fn long(&mut self, value: i64) -> u16 {
        self.wide(5, value.to_be_bytes())
    }

    pub fn double(&mut self, value: f64) -> u16 {
        self.wide(6, value.to_bits().to_be_bytes())
    }

    /// By its internal name, `p/A`, or for an array its descriptor.
    pub fn class(&mut self, name: &str) -> u16 {
        self.reference(7, &[name])
    }

    pub fn string(&mut self, text: &str) -> u16 {
        self.reference(8, &[text])
    }

    pub fn field_ref(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member_ref(9, class, name, descriptor)
    }

    pub fn method_ref(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member_ref(10, class, name, descriptor)
    }

    pub fn interface_method_ref(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        self.member_ref(11, class, name, descriptor)
    }

    pub fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        self.reference(12, &[name, descriptor])
    }

    /// `kind` is the reference kind of JVMS table 5.4.3.5-A, `reference` the index of a member.
    pub fn method_handle(&mut self, kind: u8, reference: u16) -> u16 {
        let [high, low] = reference.to_be_bytes();
        self.raw(15, &[kind, high, low])
    }

    pub fn method_type(&mut self, descriptor: &str) -> u16 {
        self.reference(16, &[descriptor])
    }

    /// `bootstrap` is an index into the BootstrapMethods attribute.
    pub fn invoke_dynamic(&mut self, bootstrap: u16, name: &str, descriptor: &str) -> u16 {
        let name_and_type = self.name_and_type(name, descriptor);
        self.raw(18, &[bootstrap.to_be_bytes(), name_and_type.to_be_bytes()].concat())
    }

    /// Count and entries as they stand in the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = (self.entries.len() as u16 + 1).to_be_bytes().to_vec();
        bytes.extend(self.entries.iter().flatten().flatten());
        bytes
    }

    fn wide(&mut self, tag: u8, content: [u8; 8]) -> u16 {
        let before = self.entries.len();
        let index = self.raw(tag, &content);
        if self.entries.len() > before {
            self.entries.push(None);
        }
        index
    }

    fn reference(&mut self, tag: u8, texts: &[&str]) -> u16 {
        let indices: Vec<u8> =
            texts.iter().flat_map(|text| self.utf8(text).to_be_bytes()).collect();
        self.raw(tag, &indices)
    }

    fn member_ref(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let indices = [self.class(class), self.name_and_type(name, descriptor)];
        self.raw(tag, &indices.map(u16::to_be_bytes).concat())
    }
}
