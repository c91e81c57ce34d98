//! Values that stand for themselves: numbers, strings, boxes, arrays, and graphs of objects of judged
//! classes; and reading them from a solver's model.

use program::{Kind, Primitive, Type};
use smt::{Assignment, Evaluator, Term, Value};

use super::{Engine, State};

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
    /// An object of a class by number, with what its fields hold.
    Object {
        number: u64,
        class: program::ClassId,
        fields: Vec<(program::FieldId, Plain)>,
    },
    /// The object of that number.
    Again(u64),
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

pub(super) fn boxed_primitive(class: &[u8]) -> Option<Primitive> {
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

pub(super) fn descriptor_letter(primitive: Primitive) -> u8 {
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
        self.plain_in(&start, model, input, ty, &mut Vec::new())
    }

    fn plain_in(
        &mut self,
        state: &State,
        model: &Assignment,
        input: Term,
        ty: Type,
        objects: &mut Vec<u64>,
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
            Kind::Ref if ty.dimensions == 0 => self.plain_object(state, model, input, ty, objects),
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
                    items.push(self.plain_in(state, model, element, component, objects)?);
                }
                Some(Plain::Array(items))
            }
        }
    }

    /// An object of a judged class, with everything that it refers to.
    fn plain_object(
        &mut self,
        state: &State,
        model: &Assignment,
        input: Term,
        ty: Type,
        objects: &mut Vec<u64>,
    ) -> Option<Plain> {
        let number = self.model_bits(model, input)?;
        if objects.contains(&number) {
            return Some(Plain::Again(number));
        }
        if objects.len() as u64 >= MOST_ITEMS {
            return None;
        }
        objects.push(number);
        let class = self.class_of(input)?;
        let class = self.model_bits(model, class)? as u32;
        let known = self.numbered_type(class);
        let ty = known.filter(|&it| self.is_assignable(it, ty) == Some(true)).unwrap_or(ty);
        let program::Element::Class(name) = ty.element else { return None };
        let class = self.program.find_class(name)?;
        let is_judged = |id| self.program.role(id) == program::Role::Judged;
        if !is_judged(class) || ty.dimensions > 0 {
            return None;
        }
        let mut declared = Vec::new();
        let mut declaring = self.program.class(class);
        while let Some(at) = declaring.filter(|at| is_judged(at.id)) {
            let fields = at.fields().filter(|(_, field)| !field.access_flags.is_static());
            declared.extend(fields.map(|(id, _)| id));
            declaring = self.program.superclass(at);
        }
        let mut fields = Vec::new();
        for id in declared {
            let place = self.field_place(id);
            let held = self.read_field(state, place, input)?;
            let ty = self.place_type(place);
            if let Some(plain) = self.plain_in(state, model, held, ty, objects) {
                fields.push((id, plain));
            }
        }
        Some(Plain::Object { number, class, fields })
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
