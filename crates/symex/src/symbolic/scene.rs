//! Concrete inputs for a run that is done: what its outcome is there.
//!
//! What the run left open in other ways than by its inputs (calls to the outside, what static fields
//! hold) stays unknown; a value that needs it is a gap.

use program::{Element, Kind, Primitive, Type};
use rustc_hash::FxHashMap;
use smt::{Function, Leaf as Open, Partial, Progress, Sort, Symbol, Term};

use super::heap::Place;
use super::meaning::{smt_bits32, smt_bits64};
use super::plain::{Plain, box_class, boxed_primitive, descriptor_letter};
use super::space::{CLASS, KEY, Leaf};
use super::{Engine, Outcome, State, Stop, StopKind};

/// What a run gives on one input.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    Return(Option<Plain>),
    /// The class of the exception.
    Throw(String),
    /// It was not followed there, or rests on something that was not.
    Gap(String),
}

/// A world in which the inputs of a run have values.
pub struct Scene {
    world: Partial,
    symbols: FxHashMap<Symbol, u64>,
    /// What functions give for some arguments.
    entries: FxHashMap<(Function, Vec<u64>), u64>,
    next_address: u64,
}

/// Above the addresses of objects that are known by name.
const FIRST_ADDRESS: u64 = 1 << 24;

impl Engine<'_> {
    pub fn scene(&mut self) -> Scene {
        Scene {
            world: Partial::new(),
            symbols: FxHashMap::default(),
            entries: FxHashMap::default(),
            next_address: FIRST_ADDRESS,
        }
    }

    /// Gives the input of that name a value; false if the type cannot hold it.
    pub fn put(&mut self, scene: &mut Scene, name: &str, ty: Type, value: &Plain) -> bool {
        let Some(word) = self.word(scene, ty, value) else { return false };
        let sort = self.narrow_sort(ty);
        let symbol = self.space.symbol(name, sort);
        match self.space.terms.as_symbol(symbol) {
            Some(symbol) => {
                scene.symbols.insert(symbol, word);
                true
            }
            None => false,
        }
    }

    fn word(&mut self, scene: &mut Scene, ty: Type, value: &Plain) -> Option<u64> {
        let sort = self.narrow_sort(ty);
        Some(match (value, sort) {
            (Plain::Int(value), Sort::BitVec(width)) if ty.kind() == Kind::Int => {
                *value as u32 as u64 & ((1u64 << width) - 1)
            }
            (Plain::Long(value), Sort::BitVec(64)) => *value as u64,
            (Plain::Float(value), Sort::Float32) => smt_bits32(*value),
            (Plain::Double(value), Sort::Float64) => smt_bits64(*value),
            (Plain::Null, _) if sort == KEY => 0,
            (Plain::Text(units), _) if sort == KEY => self.put_text(scene, units),
            (Plain::Boxed(primitive, held), _) if sort == KEY => {
                let address = new_address(scene);
                self.put_box(scene, address, *primitive, held)?
            }
            (Plain::Array(items), _) if sort == KEY => self.put_array(scene, ty, items)?,
            (_, _) => return None,
        })
    }

    /// Says what a function gives for these arguments.
    fn entry(
        &mut self,
        scene: &mut Scene,
        name: &str,
        arguments: &[u64],
        sorts: &[Sort],
        result: Sort,
        value: u64,
    ) {
        let function = self.space.function(name, sorts, result);
        scene.entries.insert((function, arguments.to_vec()), value);
    }

    fn put_class(&mut self, scene: &mut Scene, address: u64, class: u32) {
        self.entry(scene, "class", &[address], &[KEY], CLASS, u64::from(class));
    }

    fn put_text(&mut self, scene: &mut Scene, units: &[u16]) -> u64 {
        let class = self.type_number(Type::class(self.program.known.string));
        let address = new_address(scene);
        self.put_class(scene, address, class);
        let number = self.space.text_number(units);
        self.entry(scene, "text", &[address], &[KEY], Sort::BitVec(32), u64::from(number));
        address
    }

    pub(super) fn put_box(
        &mut self,
        scene: &mut Scene,
        address: u64,
        primitive: Primitive,
        held: &Plain,
    ) -> Option<u64> {
        let ty = self.class_type(box_class(primitive));
        let class = self.type_number(ty);
        self.put_class(scene, address, class);
        let place = self.box_place(primitive)?;
        let ty = Type::primitive(primitive);
        let value = self.word(scene, ty, held)?;
        let name = format!("field {}", self.places[place as usize].name());
        let sort = self.narrow_sort(ty);
        self.entry(scene, &name, &[address], &[KEY], sort, value);
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

    fn put_array(&mut self, scene: &mut Scene, ty: Type, items: &[Plain]) -> Option<u64> {
        let component = ty.component()?;
        let class = self.type_number(ty);
        let address = new_address(scene);
        self.put_class(scene, address, class);
        let length = items.len() as u64;
        self.entry(scene, "length", &[address], &[KEY], Sort::BitVec(31), length);
        let kind = super::step::array_kind(component);
        let name = format!("elements {}", kind.word());
        let place = self.element_place(kind);
        // Booleans are kept as bytes.
        let narrow = self.narrow_sort(self.place_type(place));
        for (index, item) in (0u64..).zip(items) {
            let value = self.word(scene, component, item)?;
            self.entry(scene, &name, &[address, index], &[KEY, Sort::BitVec(32)], narrow, value);
        }
        Some(address)
    }

    /// What the run gives here; `ty` is the declared type of the result.
    pub fn see(&mut self, scene: &mut Scene, outcome: &Outcome, ty: Option<Type>) -> Seen {
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

    fn see_thrown(&mut self, scene: &mut Scene, exception: Term) -> Seen {
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
        scene: &mut Scene,
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
        scene: &mut Scene,
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

    fn see_object(
        &mut self,
        scene: &mut Scene,
        state: &State,
        address: u32,
    ) -> Result<Plain, String> {
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
            let length = self.length(state, reference).ok_or("an array without a length")?;
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

    fn truth(&mut self, scene: &mut Scene, condition: Term) -> Result<bool, String> {
        self.bits(scene, condition).map(|bits| bits != 0)
    }

    /// The value of a term here, if it rests on nothing but the inputs.
    fn bits(&mut self, scene: &mut Scene, term: Term) -> Result<u64, String> {
        loop {
            match scene.world.eval(&self.space.terms, term) {
                Progress::Known(word) => return Ok(word),
                Progress::Unknown(Open::Symbol(symbol)) => {
                    let name = self.space.terms.symbol_name(symbol);
                    return Err(format!("rests on: {name}"));
                }
                Progress::Unknown(Open::Function(function)) => {
                    let name = self.space.terms.function_name(function);
                    return Err(format!("rests on: {name}"));
                }
                Progress::Ask(asked, open, words) => {
                    let word = match open {
                        Open::Symbol(symbol) => scene.symbols.get(&symbol).copied(),
                        Open::Function(function) => self.applied(scene, function, words),
                    };
                    scene.world.answer(asked, open, word);
                }
            }
        }
    }

    fn applied(&mut self, scene: &mut Scene, function: Function, words: Vec<u64>) -> Option<u64> {
        let key = (function, words);
        if let Some(&word) = scene.entries.get(&key) {
            return Some(word);
        }
        let word = self.meaning(scene, function, &key.1)?;
        scene.entries.insert(key, word);
        Some(word)
    }
}

impl Engine<'_> {
    /// The string that a literal with these characters is.
    pub fn string(&mut self, units: &[u16]) -> Term {
        self.text_object(units)
    }

    /// An object at a constant address, in words.
    pub fn object_text(&self, address: u32) -> String {
        if address == 0 {
            return "null".to_owned();
        }
        if let Some(object) = address.checked_sub(1 << 31) {
            let class = self.space.fresh.get(object as usize).map_or(0, |fresh| fresh.class);
            return format!("new {} #{object}", self.space.type_text(class.max(1)));
        }
        if let Some(&number) = self.known_texts.get(&u64::from(address)) {
            let units = &self.space.texts[number as usize];
            return format!("{:?}", String::from_utf16_lossy(units));
        }
        let class = self.space.known_classes.get(&u64::from(address));
        match class {
            Some(&class) => format!("{} @{address}", self.space.type_text(class)),
            None => format!("object @{address}"),
        }
    }
}

fn new_address(scene: &mut Scene) -> u64 {
    scene.next_address += 1;
    scene.next_address
}
