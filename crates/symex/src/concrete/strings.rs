//! Strings between the machine and Rust. Their layout is that of the JDK at hand: `byte[]` and a
//! coder since JDK 9, `char[]` before.

use program::{Name, Primitive, Type};

use super::heap::Array;
use super::value::{Ref, Value};
use super::{Machine, Outcome, gap};

const STRING: &str = "java/lang/String";

impl Machine<'_> {
    /// The string of a literal: the same object each time.
    pub(super) fn literal(&mut self, text: Name) -> Outcome<Ref> {
        if let Some(&string) = self.literals.get(&text) {
            return Ok(string);
        }
        let units = self.program.names.utf16(text);
        let string = self.intern_units(units)?;
        self.literals.insert(text, string);
        Ok(string)
    }

    /// The one string with these units that `String.intern` would return.
    pub(super) fn intern_units(&mut self, units: Vec<u16>) -> Outcome<Ref> {
        if let Some(&string) = self.interned.get(&units) {
            return Ok(string);
        }
        let string = self.new_string(&units)?;
        self.interned.insert(units, string);
        Ok(string)
    }

    pub(super) fn intern(&mut self, string: Ref) -> Outcome<Ref> {
        let units = self.units(string)?;
        if let Some(&interned) = self.interned.get(&units) {
            return Ok(interned);
        }
        self.interned.insert(units, string);
        Ok(string)
    }

    /// Whether this very object is what a literal of its text would be.
    pub fn is_interned(&mut self, string: Ref) -> bool {
        match self.units(string) {
            Ok(units) => self.interned.get(&units) == Some(&string),
            Err(_) => false,
        }
    }

    pub fn new_string(&mut self, units: &[u16]) -> Outcome<Ref> {
        let class = self.find_class(self.program.known.string)?;
        self.initialise(class)?;
        let string = self.allocate(class)?;
        self.charge(units.len() * 2)?;
        let is_latin1 = units.iter().all(|&unit| unit < 256);
        if self.has_bytes() {
            let bytes: Vec<i8> = if is_latin1 {
                units.iter().map(|&unit| unit as i8).collect()
            } else {
                units.iter().flat_map(|unit| unit.to_le_bytes()).map(|byte| byte as i8).collect()
            };
            let ty = array_of(Primitive::Byte);
            let value = self.add_array(ty, Array::Byte(bytes.into()));
            *self.named_field(string, STRING, "value", "[B")? = Value::Ref(value);
            *self.named_field(string, STRING, "coder", "B")? = Value::Int(i32::from(!is_latin1));
        } else {
            let ty = array_of(Primitive::Char);
            let value = self.add_array(ty, Array::Char(units.into()));
            *self.named_field(string, STRING, "value", "[C")? = Value::Ref(value);
        }
        Ok(string)
    }

    /// The UTF-16 code units of a string object.
    pub fn units(&mut self, string: Ref) -> Outcome<Vec<u16>> {
        let has_bytes = self.has_bytes();
        let descriptor = if has_bytes { "[B" } else { "[C" };
        let value = self.named_field(string, STRING, "value", descriptor)?.reference();
        let is_utf16 = has_bytes && self.named_field(string, STRING, "coder", "B")?.int() != 0;
        if value.is_null() {
            return gap("a string that is not constructed yet");
        }
        self.check_elements(value)?;
        Ok(match self.heap.array(value) {
            Some(Array::Byte(bytes)) if is_utf16 => bytes
                .chunks_exact(2)
                .map(|b| u16::from_le_bytes([b[0] as u8, b[1] as u8]))
                .collect(),
            Some(Array::Byte(bytes)) => bytes.iter().map(|&byte| u16::from(byte as u8)).collect(),
            Some(Array::Char(units)) => units.to_vec(),
            Some(_) | None => return gap("a string with a strange value"),
        })
    }

    fn has_bytes(&self) -> bool {
        let names = &self.program.names;
        let class = self
            .program
            .find_class(self.program.known.string)
            .and_then(|id| self.program.class(id));
        class.is_some_and(|class| {
            class.declared_field(names.intern(b"value"), names.intern(b"[B")).is_some()
        })
    }

    pub(super) fn text(&mut self, string: Ref) -> Outcome<String> {
        Ok(String::from_utf16_lossy(&self.units(string)?))
    }
}

pub(super) fn array_of(primitive: Primitive) -> Type {
    Type { dimensions: 1, ..Type::primitive(primitive) }
}
