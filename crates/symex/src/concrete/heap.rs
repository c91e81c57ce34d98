//! Objects by number. Nothing is ever freed: a machine lives for a few calls and has a budget.

use program::ir::Lambda;
use program::{ClassId, Primitive, Type};
use std::rc::Rc;

use super::value::{Ref, Value};

#[derive(Default)]
pub struct Heap {
    /// Object `n` is at `n - 1`; 0 is null.
    objects: Vec<Object>,
    bytes: usize,
}

pub struct Object {
    pub ty: Type,
    /// The class whose methods it has, if that is known: for an array, `Object`.
    pub(super) class: Option<ClassId>,
    pub data: ObjectData,
}

pub enum ObjectData {
    /// By slot; see `RuntimeClass`.
    Fields(Box<[Value]>),
    Array(Array),
    /// A lambda or method reference.
    Lambda(Rc<Closure>),
}

/// What a lambda does and what it captured.
pub struct Closure {
    pub lambda: Lambda,
    pub captured: Vec<Value>,
}

pub enum Array {
    Byte(Box<[i8]>),
    Char(Box<[u16]>),
    Short(Box<[i16]>),
    Int(Box<[i32]>),
    Long(Box<[i64]>),
    Float(Box<[f32]>),
    Double(Box<[f64]>),
    Ref(Box<[Ref]>),
}

impl Array {
    /// Booleans are bytes, as on a JVM.
    pub fn new(component: Type, length: usize) -> Array {
        match component.element {
            program::Element::Primitive(primitive) if component.dimensions == 0 => {
                match primitive {
                    Primitive::Boolean | Primitive::Byte => Array::Byte(vec![0; length].into()),
                    Primitive::Char => Array::Char(vec![0; length].into()),
                    Primitive::Short => Array::Short(vec![0; length].into()),
                    Primitive::Int => Array::Int(vec![0; length].into()),
                    Primitive::Long => Array::Long(vec![0; length].into()),
                    Primitive::Float => Array::Float(vec![0.0; length].into()),
                    Primitive::Double => Array::Double(vec![0.0; length].into()),
                }
            }
            program::Element::Primitive(_) | program::Element::Class(_) => {
                Array::Ref(vec![Ref::NULL; length].into())
            }
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Array::Byte(items) => items.len(),
            Array::Char(items) => items.len(),
            Array::Short(items) => items.len(),
            Array::Int(items) => items.len(),
            Array::Long(items) => items.len(),
            Array::Float(items) => items.len(),
            Array::Double(items) => items.len(),
            Array::Ref(items) => items.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, index: usize) -> Value {
        match self {
            Array::Byte(items) => Value::Int(items[index].into()),
            Array::Char(items) => Value::Int(items[index].into()),
            Array::Short(items) => Value::Int(items[index].into()),
            Array::Int(items) => Value::Int(items[index]),
            Array::Long(items) => Value::Long(items[index]),
            Array::Float(items) => Value::Float(items[index]),
            Array::Double(items) => Value::Double(items[index]),
            Array::Ref(items) => Value::Ref(items[index]),
        }
    }

    pub fn set(&mut self, index: usize, value: Value) {
        match self {
            Array::Byte(items) => items[index] = value.int() as i8,
            Array::Char(items) => items[index] = value.int() as u16,
            Array::Short(items) => items[index] = value.int() as i16,
            Array::Int(items) => items[index] = value.int(),
            Array::Long(items) => items[index] = value.long(),
            Array::Float(items) => items[index] = value.float(),
            Array::Double(items) => items[index] = value.double(),
            Array::Ref(items) => items[index] = value.reference(),
        }
    }

    fn duplicate(&self) -> Array {
        match self {
            Array::Byte(items) => Array::Byte(items.clone()),
            Array::Char(items) => Array::Char(items.clone()),
            Array::Short(items) => Array::Short(items.clone()),
            Array::Int(items) => Array::Int(items.clone()),
            Array::Long(items) => Array::Long(items.clone()),
            Array::Float(items) => Array::Float(items.clone()),
            Array::Double(items) => Array::Double(items.clone()),
            Array::Ref(items) => Array::Ref(items.clone()),
        }
    }

    /// Moves a range inside one array, as if through a copy.
    pub(super) fn copy_within(&mut self, from: usize, to: usize, length: usize) {
        let range = from..from + length;
        match self {
            Array::Byte(items) => items.copy_within(range, to),
            Array::Char(items) => items.copy_within(range, to),
            Array::Short(items) => items.copy_within(range, to),
            Array::Int(items) => items.copy_within(range, to),
            Array::Long(items) => items.copy_within(range, to),
            Array::Float(items) => items.copy_within(range, to),
            Array::Double(items) => items.copy_within(range, to),
            Array::Ref(items) => items.copy_within(range, to),
        }
    }
}

impl Heap {
    pub fn object(&self, reference: Ref) -> &Object {
        &self.objects[reference.0 as usize - 1]
    }

    pub(super) fn object_mut(&mut self, reference: Ref) -> &mut Object {
        &mut self.objects[reference.0 as usize - 1]
    }

    /// `None` if it is no array.
    pub fn array(&self, reference: Ref) -> Option<&Array> {
        match &self.object(reference).data {
            ObjectData::Array(array) => Some(array),
            ObjectData::Fields(_) | ObjectData::Lambda(_) => None,
        }
    }

    pub(super) fn array_mut(&mut self, reference: Ref) -> Option<&mut Array> {
        match &mut self.object_mut(reference).data {
            ObjectData::Array(array) => Some(array),
            ObjectData::Fields(_) | ObjectData::Lambda(_) => None,
        }
    }

    pub(super) fn add(&mut self, ty: Type, class: Option<ClassId>, data: ObjectData) -> Ref {
        self.bytes += 48
            + match &data {
                ObjectData::Fields(fields) => fields.len() * size_of::<Value>(),
                ObjectData::Array(array) => array.len() * 8,
                ObjectData::Lambda(closure) => closure.captured.len() * size_of::<Value>(),
            };
        self.objects.push(Object { ty, class, data });
        Ref(self.objects.len() as u32)
    }

    /// A shallow copy, as `Object.clone` makes it.
    pub(super) fn duplicate(&mut self, reference: Ref) -> Ref {
        let object = self.object(reference);
        let data = match &object.data {
            ObjectData::Fields(fields) => ObjectData::Fields(fields.clone()),
            ObjectData::Array(array) => ObjectData::Array(array.duplicate()),
            ObjectData::Lambda(closure) => ObjectData::Lambda(closure.clone()),
        };
        self.add(object.ty, object.class, data)
    }

    /// Roughly what all objects take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
