//! What functions of the initial heap, of types and of texts mean at concrete values.
//!
//! Only those that mean the same in every world: a text is what it is, and a method of strings does what
//! the concrete machine does. Functions that stand for something open have no meaning here.

use program::{Kind, MethodDescriptor, MethodId, Primitive, Type};
use smt::Function;

use super::plain::{Plain, box_class};
use super::scene::Scene;
use super::{Engine, models};
use crate::concrete::{Ref, Stop, Value};

/// What a function says of the method that it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// What it returns; of a method that changes a builder, what that holds then.
    Value,
    /// Whether it returns.
    Returns,
}

/// Where the shared boxes are, in scenes: below the inputs, above the objects known by name.
const FIRST_BOX: u64 = 1 << 23;

impl Engine<'_> {
    /// The word that a function gives for these arguments; nothing if it may give several.
    pub(super) fn meaning(
        &mut self,
        scene: &mut Scene,
        function: Function,
        words: &[u64],
    ) -> Option<u64> {
        if self.stands_for.contains_key(&function) {
            return self.stood_for(function, words);
        }
        let name = self.space.terms.function_name(function).to_owned();
        match (name.as_str(), words) {
            ("class", &[address]) => self.known_class(address).map(u64::from),
            ("text", &[address]) => self.known_texts.get(&address).map(|&number| number.into()),
            ("text length", &[text]) => Some(self.units(text)?.len() as u64),
            ("text unit", &[text, index]) => {
                self.units(text)?.get(index as usize).map(|&unit| unit.into())
            }
            ("text hash", &[text]) => Some(u64::from(models::hash_of(&self.units(text)?) as u32)),
            ("concatenated", &[one, two]) => {
                let units = [self.units(one)?, self.units(two)?].concat();
                Some(self.space.text_number(&units).into())
            }
            ("part of text", &[text, from, to]) => {
                let part = self.units(text)?.get(from as usize..to as usize)?.to_vec();
                Some(self.space.text_number(&part).into())
            }
            ("interned", &[text]) => {
                let string = self.text_object(&self.units(text)?);
                self.space.terms.as_const(string)
            }
            _ => {
                if let Some(supertype) = name.strip_prefix("is ") {
                    return self.is_below(words[0] as u32, supertype);
                }
                let class = name.strip_suffix(" of")?;
                self.shared_box(scene, class, words[0])
            }
        }
    }

    /// What a function gives that stands for a method of the platform.
    pub(super) fn stood_for(&mut self, function: Function, words: &[u64]) -> Option<u64> {
        let &(method, asked) = self.stands_for.get(&function)?;
        self.called(method, asked, words)
    }

    fn units(&self, text: u64) -> Option<std::rc::Rc<[u16]>> {
        self.space.texts.get(text as usize).cloned()
    }

    fn known_class(&mut self, address: u64) -> Option<u32> {
        if let Some(&number) = self.space.known_classes.get(&address) {
            return Some(number);
        }
        let key = self.space.terms.bitvec(31, address);
        self.space.mirrored(key)?;
        let class = self.class_type("java/lang/Class");
        Some(self.type_number(class))
    }

    fn is_below(&mut self, class: u32, supertype: &str) -> Option<u64> {
        let supertype = self.space.type_number(supertype);
        let (from, to) = (self.numbered_type(class)?, self.numbered_type(supertype)?);
        self.is_assignable(from, to).map(u64::from)
    }

    /// The box that `valueOf` gives for a small value, which all callers share.
    fn shared_box(&mut self, scene: &mut Scene, class: &str, word: u64) -> Option<u64> {
        let boxes =
            [Primitive::Byte, Primitive::Char, Primitive::Short, Primitive::Int, Primitive::Long];
        let is_it = |primitive: &Primitive| box_class(*primitive).replace('/', ".") == class;
        let (at, primitive) = (0u64..).zip(boxes).find(|(_, primitive)| is_it(primitive))?;
        let (value, held) = match primitive.kind() {
            Kind::Long => (word as i64, Plain::Long(word as i64)),
            Kind::Int | Kind::Float | Kind::Double | Kind::Ref => {
                let value = word as u32 as i32;
                (value.into(), Plain::Int(value))
            }
        };
        if !(-128..128).contains(&value) {
            return None;
        }
        let address = FIRST_BOX + 256 * at + (value + 128) as u64;
        self.put_box(scene, address, primitive, &held)
    }

    /// A method of the platform on texts and numbers, run as a JVM would.
    fn called(&mut self, method: MethodId, asked: Asked, words: &[u64]) -> Option<u64> {
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        let descriptor = MethodDescriptor::parse(names.bytes(declared.descriptor))?;
        let mut types = descriptor.parameter_types(names);
        let result = descriptor.result_type(names);
        let owner = Type::class(class.name);
        let is_new = declared.name == self.program.known.init;
        let is_free = declared.access_flags.is_static() || is_new;
        if !is_free {
            types.insert(0, owner);
        }
        let mut arguments = Vec::with_capacity(words.len());
        for (&word, &ty) in words.iter().zip(&types) {
            arguments.push(match ty.kind() {
                Kind::Int => Value::Int(word as u32 as i32),
                Kind::Long => Value::Long(word as i64),
                Kind::Float => Value::Float(f32::from_bits(word as u32)),
                Kind::Double => Value::Double(f64::from_bits(word)),
                Kind::Ref => Value::Ref(self.said_object(ty, word)?),
            });
        }
        let called = if is_new {
            self.machine.construct(method, &arguments).map(|object| Some(Value::Ref(object)))
        } else {
            self.machine.call(method, &arguments)
        };
        let value = match (called, asked) {
            (Ok(value), Asked::Value) => value,
            (Ok(_), Asked::Returns) => return Some(1),
            (Err(Stop::Throw(_)), Asked::Returns) => return Some(0),
            (Err(_), _) => return None,
        };
        let gives_number = result.is_some_and(|ty| ty.kind() != Kind::Ref);
        if !is_free && models::is_builder(names.bytes(class.name)) && !gives_number {
            return self.spelled(arguments[0].reference());
        }
        match value? {
            Value::Int(value) => {
                let smt::Sort::BitVec(width) = self.narrow_sort(result?) else { return None };
                Some(u64::from(value as u32) & ((1u64 << width) - 1))
            }
            Value::Long(value) => Some(value as u64),
            Value::Float(value) => Some(smt_bits32(value)),
            Value::Double(value) => Some(smt_bits64(value)),
            Value::Ref(reference) => self.spelled(reference),
            Value::Unknown(_) => None,
        }
    }

    /// An object of the concrete machine that says a text, or that an initialiser made.
    fn said_object(&mut self, ty: Type, word: u64) -> Option<Ref> {
        let string = Type::class(self.program.known.string);
        let program::Element::Class(name) = ty.element else { return None };
        if ty != string && !models::is_said(self.program.names.bytes(name)) {
            return self.origins.get(&word).copied();
        }
        let units = self.units(word)?;
        let said = self.machine.new_string(&units).ok()?;
        if ty == string {
            return Some(said);
        }
        let class = self.program.find_class(name).and_then(|id| self.program.class(id))?;
        let descriptor = self.program.names.intern(b"(Ljava/lang/String;)V");
        let init = class.declared_method(self.program.known.init, descriptor)?;
        self.machine.construct(init, &[Value::Ref(said)]).ok()
    }

    /// The text of an object that the concrete machine made.
    pub(super) fn spelled(&mut self, object: Ref) -> Option<u64> {
        if object.is_null() {
            return None;
        }
        let mut string = object;
        if self.machine.heap.object(object).ty != Type::class(self.program.known.string) {
            let to_string = self.method_ref("java/lang/Object", "toString", "()Ljava/lang/String;");
            let program = self.program;
            let to_string = program
                .resolve_method(to_string.class, to_string.name, to_string.descriptor)
                .found()?;
            let said = self.machine.call_virtual(to_string, &[Value::Ref(object)]).ok()??;
            string = said.reference();
        }
        let units = self.machine.units(string).ok()?;
        Some(self.space.text_number(&units).into())
    }
}

/// All NaN are one.
pub(super) fn smt_bits32(value: f32) -> u64 {
    u64::from(if value.is_nan() { f32::NAN } else { value }.to_bits())
}

pub(super) fn smt_bits64(value: f64) -> u64 {
    if value.is_nan() { f64::NAN } else { value }.to_bits()
}
