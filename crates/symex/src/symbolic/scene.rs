//! Concrete inputs for a run that is done: what its outcome is there.
//!
//! The other direction, from a solver's model to inputs, belongs to whoever knows what inputs a caller
//! may build. Only values that stand for themselves are here: numbers, strings, boxes, arrays of these.

use program::{Element, Kind, Primitive, Type};
use rustc_hash::FxHashSet;
use smt::{Assignment, Evaluator, Function, Sort, Term, Value};

use super::heap::Place;
use super::space::{CLASS, FreshKind, KEY, Leaf};
use super::{Engine, Outcome, State, Stop, StopKind};

/// A value that a caller passes, or that a call gave back.
#[derive(Debug, Clone, PartialEq)]
pub enum Plain {
    Null,
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(Vec<u16>),
    Boxed(Primitive, Box<Plain>),
    Array(Vec<Plain>),
}

/// What a run gives on one input.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    Return(Option<Plain>),
    /// The class of the exception.
    Throw(String),
    /// It was not followed there, or rests on something that was not.
    Gap(String),
}

/// Values for the inputs of a run.
pub struct Scene {
    assignment: Assignment,
    next_address: u64,
    classes: Vec<u32>,
    /// Functions that the scene gives a meaning to.
    determined: FxHashSet<Function>,
}

/// Above the addresses of objects that are known by name.
const FIRST_ADDRESS: u64 = 1 << 24;

impl Engine<'_> {
    pub fn scene(&mut self) -> Scene {
        Scene {
            assignment: Assignment::new(),
            next_address: FIRST_ADDRESS,
            classes: Vec::new(),
            determined: FxHashSet::default(),
        }
    }

    /// Gives the input of that name a value; false if the type cannot hold it.
    pub fn put(&mut self, scene: &mut Scene, name: &str, ty: Type, value: &Plain) -> bool {
        let Some(word) = self.word(scene, ty, value) else { return false };
        let sort = self.narrow_sort(ty);
        let symbol = self.space.symbol(name, sort);
        match self.space.terms.as_symbol(symbol) {
            Some(symbol) => {
                scene.assignment.set(&self.space.terms, symbol, &word);
                true
            }
            None => false,
        }
    }

    fn word(&mut self, scene: &mut Scene, ty: Type, value: &Plain) -> Option<Value> {
        let sort = self.narrow_sort(ty);
        Some(match (value, sort) {
            (Plain::Int(value), Sort::BitVec(width)) if ty.kind() == Kind::Int => {
                let mask = (1u64 << width) - 1;
                Value::BitVec { width: u32::from(width), bits: *value as u32 as u64 & mask }
            }
            (Plain::Long(value), Sort::BitVec(64)) => {
                Value::BitVec { width: 64, bits: *value as u64 }
            }
            (Plain::Float(value), Sort::Float32) => Value::Float32(*value),
            (Plain::Double(value), Sort::Float64) => Value::Float64(*value),
            (Plain::Null, _) if sort == KEY => Value::BitVec { width: 31, bits: 0 },
            (Plain::Text(units), _) if sort == KEY => self.put_text(scene, units),
            (Plain::Boxed(primitive, held), _) if sort == KEY => {
                self.put_box(scene, *primitive, held)?
            }
            (Plain::Array(items), _) if sort == KEY => self.put_array(scene, ty, items)?,
            (_, _) => return None,
        })
    }

    fn new_address(&mut self, scene: &mut Scene, class: u32) -> Value {
        scene.next_address += 1;
        let address = Value::BitVec { width: 31, bits: scene.next_address };
        scene.classes.push(class);
        let number = Value::BitVec { width: 30, bits: u64::from(class) };
        self.entry(scene, "class", std::slice::from_ref(&address), &[KEY], CLASS, number);
        address
    }

    fn entry(
        &mut self,
        scene: &mut Scene,
        name: &str,
        arguments: &[Value],
        sorts: &[Sort],
        result: Sort,
        value: Value,
    ) {
        let function = self.space.function(name, sorts, result);
        scene.determined.insert(function);
        scene.assignment.set_entry(&self.space.terms, function, arguments, &value);
    }

    fn put_text(&mut self, scene: &mut Scene, units: &[u16]) -> Value {
        let class = self.type_number(Type::class(self.program.known.string));
        let address = self.new_address(scene, class);
        self.text_object(units);
        let number = self.space.text_number(units);
        let text = Value::BitVec { width: 32, bits: u64::from(number) };
        let int = Sort::BitVec(32);
        self.entry(scene, "text", std::slice::from_ref(&address), &[KEY], int, text);
        address
    }

    /// Strings that the code itself mentions have an address of their own.
    fn describe_texts(&mut self, scene: &mut Scene) {
        let int = Sort::BitVec(32);
        for number in 0..self.space.texts.len() {
            let units = self.space.texts[number].clone();
            let text = Value::BitVec { width: 32, bits: number as u64 };
            let length = Value::BitVec { width: 31, bits: units.len() as u64 };
            self.entry(
                scene,
                "text length",
                std::slice::from_ref(&text),
                &[int],
                Sort::BitVec(31),
                length,
            );
            let hash = super::models::hash_of(&units);
            let hash = Value::BitVec { width: 32, bits: u64::from(hash as u32) };
            self.entry(scene, "text hash", std::slice::from_ref(&text), &[int], int, hash);
            for (index, &unit) in units.iter().enumerate() {
                let at = Value::BitVec { width: 32, bits: index as u64 };
                let unit = Value::BitVec { width: 16, bits: u64::from(unit) };
                let arguments = [text.clone(), at];
                self.entry(scene, "text unit", &arguments, &[int, int], Sort::BitVec(16), unit);
            }
        }
        let known: std::collections::BTreeMap<u64, u32> =
            self.known_texts.iter().map(|(&at, &number)| (at, number)).collect();
        for (address, number) in known {
            let key = Value::BitVec { width: 31, bits: address };
            let text = Value::BitVec { width: 32, bits: u64::from(number) };
            self.entry(scene, "text", &[key], &[KEY], int, text);
        }
        let known: std::collections::BTreeMap<u64, u32> =
            self.space.known_classes.iter().map(|(&at, &number)| (at, number)).collect();
        for (address, number) in known {
            let key = Value::BitVec { width: 31, bits: address };
            let number = Value::BitVec { width: 30, bits: u64::from(number) };
            self.entry(scene, "class", &[key], &[KEY], CLASS, number);
        }
    }

    fn put_box(&mut self, scene: &mut Scene, primitive: Primitive, held: &Plain) -> Option<Value> {
        let class_name = box_class(primitive);
        let ty = self.class_type(class_name);
        let class = self.type_number(ty);
        let address = self.new_address(scene, class);
        let place = self.box_place(primitive)?;
        let ty = Type::primitive(primitive);
        let value = self.word(scene, ty, held)?;
        let name = format!("field {}", self.places[place as usize].name());
        let sort = self.narrow_sort(ty);
        self.entry(scene, &name, std::slice::from_ref(&address), &[KEY], sort, value);
        Some(address)
    }

    fn box_place(&mut self, primitive: Primitive) -> Option<Place> {
        let names = &self.program.names;
        let class = self.program.find_class_text(box_class(primitive))?;
        let class = self.program.class(class)?;
        let letter = descriptor_letter(primitive);
        let field = class.declared_field(names.intern(b"value"), names.intern(&[letter]))?;
        Some(self.field_place(field))
    }

    fn put_array(&mut self, scene: &mut Scene, ty: Type, items: &[Plain]) -> Option<Value> {
        let component = ty.component()?;
        let class = self.type_number(ty);
        let address = self.new_address(scene, class);
        let length = Value::BitVec { width: 31, bits: items.len() as u64 };
        self.entry(
            scene,
            "length",
            std::slice::from_ref(&address),
            &[KEY],
            Sort::BitVec(31),
            length,
        );
        let kind = super::step::array_kind(component);
        let name = format!("elements {}", kind.word());
        let place = self.element_place(kind);
        let narrow = self.narrow_sort(self.place_type(place));
        for (index, item) in items.iter().enumerate() {
            let value = self.word(scene, component, item)?;
            let value = match (value, narrow) {
                // Booleans are kept as bytes.
                (Value::BitVec { width: 1, bits }, Sort::BitVec(8)) => {
                    Value::BitVec { width: 8, bits }
                }
                (value, _) => value,
            };
            let at = Value::BitVec { width: 32, bits: index as u64 };
            let arguments = [address.clone(), at];
            self.entry(scene, &name, &arguments, &[KEY, Sort::BitVec(32)], narrow, value);
        }
        Some(address)
    }

    /// Ends the description: what is to be known of types and texts, for all that occur.
    pub fn close(&mut self, scene: &mut Scene) {
        self.describe_texts(scene);
        let mut classes = scene.classes.clone();
        classes.extend(self.space.known_classes.values().copied());
        classes.extend(self.space.subtype_questions.constants());
        classes.sort_unstable();
        classes.dedup();
        for supertype in self.space.subtype_questions.supertypes() {
            let Some(to) = self.numbered_type(supertype) else { continue };
            for &class in &classes {
                let Some(from) = self.numbered_type(class) else { continue };
                let Some(answer) = self.is_assignable(from, to) else { continue };
                let name = format!("is {}", self.space.type_text(supertype));
                let class = Value::BitVec { width: 30, bits: u64::from(class) };
                self.entry(scene, &name, &[class], &[CLASS], Sort::Bool, Value::Bool(answer));
            }
        }
    }

    /// What the run gives here; `ty` is the declared type of the result.
    pub fn see(&mut self, scene: &Scene, outcome: &Outcome, ty: Option<Type>) -> Seen {
        for at in 0..self.stops.len() {
            let guard = self.stops[at].guard;
            match self.truth(scene, guard) {
                Ok(true) => {
                    let Stop { kind, reason, .. } = &self.stops[at];
                    return Seen::Gap(match kind {
                        StopKind::Unwound => format!("beyond the bound: {reason}"),
                        StopKind::Budget | StopKind::Unsupported => reason.clone(),
                    });
                }
                Ok(false) => {}
                Err(reason) => return Seen::Gap(reason),
            }
        }
        for at in 0..self.space.facts.len() {
            let fact = self.space.facts[at];
            if self.truth(scene, fact) == Ok(false) {
                return Seen::Gap("internal: a fact of the engine does not hold here".to_owned());
            }
        }
        if let Some((state, exception)) = &outcome.thrown {
            let guard = self.guard(state);
            match self.truth(scene, guard) {
                Ok(true) => return self.see_thrown(scene, *exception),
                Ok(false) => {}
                Err(reason) => return Seen::Gap(reason),
            }
        }
        if let Some((state, value)) = &outcome.returned {
            let guard = self.guard(state);
            match self.truth(scene, guard) {
                Ok(true) => {
                    return match (value, ty) {
                        (Some(value), Some(ty)) => self
                            .see_value(scene, state, *value, ty)
                            .map_or_else(Seen::Gap, |value| Seen::Return(Some(value))),
                        (_, _) => Seen::Return(None),
                    };
                }
                Ok(false) => {}
                Err(reason) => return Seen::Gap(reason),
            }
        }
        Seen::Gap("internal: no outcome fits".to_owned())
    }

    fn see_thrown(&mut self, scene: &Scene, exception: Term) -> Seen {
        match self.bits(scene, exception) {
            Ok(address) => match (address as u32).checked_sub(1 << 31) {
                Some(object) => {
                    let class = self.space.fresh[object as usize].class;
                    Seen::Throw(self.space.type_text(class).to_owned())
                }
                None => Seen::Gap("an exception from outside".to_owned()),
            },
            Err(reason) => Seen::Gap(reason),
        }
    }

    /// The elements of an array that was passed in, after the run.
    pub fn see_elements(
        &mut self,
        scene: &Scene,
        state: &State,
        array: Term,
        ty: Type,
        length: usize,
    ) -> Result<Plain, String> {
        let component = ty.component().ok_or("no array")?;
        let kind = super::step::array_kind(component);
        let mut items = Vec::with_capacity(length);
        for index in 0..length {
            let index = self.space.terms.int(index as i32);
            let value = self.read_element(state, kind, array, index).ok_or("too many objects")?;
            items.push(self.see_value(scene, state, value, component)?);
        }
        Ok(Plain::Array(items))
    }

    fn see_value(
        &mut self,
        scene: &Scene,
        state: &State,
        value: Term,
        ty: Type,
    ) -> Result<Plain, String> {
        let bits = self.bits(scene, value)?;
        Ok(match ty.kind() {
            Kind::Int => Plain::Int(bits as u32 as i32),
            Kind::Long => Plain::Long(bits as i64),
            Kind::Float => Plain::Float(f32::from_bits(bits as u32)),
            Kind::Double => Plain::Double(f64::from_bits(bits)),
            Kind::Ref if bits == 0 => Plain::Null,
            Kind::Ref => return self.see_object(scene, state, bits as u32),
        })
    }

    fn see_object(&mut self, scene: &Scene, state: &State, address: u32) -> Result<Plain, String> {
        let reference = self.space.terms.bitvec(32, u64::from(address));
        let leaf = match address.checked_sub(1 << 31) {
            Some(object) => Leaf::Fresh(object),
            None => Leaf::Input(self.space.terms.bitvec(31, u64::from(address))),
        };
        let class = self.class_of_leaf(leaf);
        let number = self.bits(scene, class)? as u32;
        let ty = self.numbered_type(number).ok_or("an object of unknown type")?;
        if ty == Type::class(self.program.known.string) {
            let text = self.text(state, reference).ok_or("a string without text")?;
            let text = self.bits(scene, text)?;
            let units = self.space.texts.get(text as usize).ok_or("a text that is not known")?;
            return Ok(Plain::Text(units.to_vec()));
        }
        if ty.dimensions > 0 {
            let Leaf::Fresh(object) = leaf else { return Err("an array of the start".to_owned()) };
            let FreshKind::Array(length) = self.space.fresh[object as usize].kind else {
                return Err("an array without a length".to_owned());
            };
            let length = self.bits(scene, length)? as usize;
            if length > 4096 {
                return Err("a long array".to_owned());
            }
            return self.see_elements(scene, state, reference, ty, length);
        }
        let Element::Class(name) = ty.element else { return Err("a primitive".to_owned()) };
        let Some(primitive) = boxed_primitive(self.program.names.bytes(name)) else {
            return Err(format!("an object of {}", self.program.class_text(name)));
        };
        let place = self.box_place(primitive).ok_or("a box without a value")?;
        let held = self.read_leaf(state, place, leaf);
        let held = self.see_value(scene, state, held, Type::primitive(primitive))?;
        Ok(Plain::Boxed(primitive, Box::new(held)))
    }

    fn truth(&mut self, scene: &Scene, condition: Term) -> Result<bool, String> {
        self.bits(scene, condition).map(|bits| bits != 0)
    }

    /// The value of a term here, if it rests on nothing but the inputs.
    fn bits(&mut self, scene: &Scene, term: Term) -> Result<u64, String> {
        let mut marks = smt::Marks::new();
        let open =
            self.space.terms.leaves(&[term], &mut marks).into_iter().find(|leaf| match leaf {
                smt::Leaf::Function(function) => !scene.determined.contains(function),
                smt::Leaf::Symbol(_) => false,
            });
        if let Some(smt::Leaf::Function(function)) = open {
            return Err(format!("rests on: {}", self.space.terms.function_name(function)));
        }
        Ok(match Evaluator::new().eval(&self.space.terms, term, &scene.assignment) {
            Value::Bool(value) => u64::from(value),
            Value::BitVec { bits, .. } => bits,
            Value::Float32(value) => u64::from(value.to_bits()),
            Value::Float64(value) => value.to_bits(),
            Value::Element(..) | Value::Array(_) => return Err("no scalar".to_owned()),
        })
    }
}

pub(super) fn box_class(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "java/lang/Boolean",
        Primitive::Byte => "java/lang/Byte",
        Primitive::Char => "java/lang/Character",
        Primitive::Short => "java/lang/Short",
        Primitive::Int => "java/lang/Integer",
        Primitive::Long => "java/lang/Long",
        Primitive::Float => "java/lang/Float",
        Primitive::Double => "java/lang/Double",
    }
}

fn boxed_primitive(class: &[u8]) -> Option<Primitive> {
    [
        Primitive::Boolean,
        Primitive::Byte,
        Primitive::Char,
        Primitive::Short,
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
    ]
    .into_iter()
    .find(|&primitive| box_class(primitive).as_bytes() == class)
}

fn descriptor_letter(primitive: Primitive) -> u8 {
    match primitive {
        Primitive::Boolean => b'Z',
        Primitive::Byte => b'B',
        Primitive::Char => b'C',
        Primitive::Short => b'S',
        Primitive::Int => b'I',
        Primitive::Long => b'J',
        Primitive::Float => b'F',
        Primitive::Double => b'D',
    }
}

/// Longer arrays and strings of a model are not written out.
const MOST_ITEMS: u64 = 24;

impl Engine<'_> {
    /// What a model says of an input, where that is a value that stands for itself.
    pub fn plain(&mut self, model: &Assignment, input: Term, ty: Type) -> Option<Plain> {
        let start = self.start();
        self.plain_in(&start, model, input, ty)
    }

    fn plain_in(
        &mut self,
        state: &State,
        model: &Assignment,
        input: Term,
        ty: Type,
    ) -> Option<Plain> {
        let bits = self.model_bits(model, input)?;
        match ty.kind() {
            Kind::Int => Some(Plain::Int(bits as u32 as i32)),
            Kind::Long => Some(Plain::Long(bits as i64)),
            Kind::Float => Some(Plain::Float(f32::from_bits(bits as u32))),
            Kind::Double => Some(Plain::Double(f64::from_bits(bits))),
            Kind::Ref if bits == 0 => Some(Plain::Null),
            Kind::Ref if ty == Type::class(self.program.known.string) => {
                self.plain_text(state, model, input)
            }
            Kind::Ref => {
                let component = ty.component()?;
                let length = self.length(state, input)?;
                let length = self.model_bits(model, length)?;
                if length > MOST_ITEMS {
                    return None;
                }
                let kind = super::step::array_kind(component);
                let mut items = Vec::new();
                for index in 0..length {
                    let index = self.space.terms.int(index as i32);
                    let element = self.read_element(state, kind, input, index)?;
                    items.push(self.plain_in(state, model, element, component)?);
                }
                Some(Plain::Array(items))
            }
        }
    }

    fn plain_text(&mut self, state: &State, model: &Assignment, string: Term) -> Option<Plain> {
        let text = self.text(state, string)?;
        let number = self.model_bits(model, text)?;
        if let Some(units) = self.space.texts.get(number as usize) {
            return Some(Plain::Text(units.to_vec()));
        }
        let length = self.text_length(text);
        let length = self.model_bits(model, length)?;
        if length > MOST_ITEMS {
            return None;
        }
        let mut units = Vec::new();
        for index in 0..length {
            let index = self.space.terms.int(index as i32);
            let unit = self.text_unit(text, index);
            units.push(self.model_bits(model, unit)? as u16);
        }
        Some(Plain::Text(units))
    }

    fn model_bits(&mut self, model: &Assignment, term: Term) -> Option<u64> {
        Some(match Evaluator::new().eval(&self.space.terms, term, model) {
            Value::Bool(value) => u64::from(value),
            Value::BitVec { bits, .. } => bits,
            Value::Float32(value) => u64::from(value.to_bits()),
            Value::Float64(value) => value.to_bits(),
            Value::Element(..) | Value::Array(_) => return None,
        })
    }
}
