//! `Unsafe` on fields and array elements: an offset is a slot or an index, never an address.

use program::{FieldId, Type};

use super::super::heap::ObjectData;
use super::super::value::{Ref, Value};
use super::super::{Machine, Outcome, gap};
use super::{Entry, nothing, one, zero};

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

pub(super) const NATIVES: &[Entry] = &[
    (UNSAFE, "arrayBaseOffset0", "(Ljava/lang/Class;)I", zero),
    (UNSAFE, "arrayIndexScale0", "(Ljava/lang/Class;)I", one),
    (UNSAFE, "addressSize0", "()I", address_size),
    (UNSAFE, "isBigEndian0", "()Z", zero),
    (UNSAFE, "unalignedAccess0", "()Z", one),
    (UNSAFE, "fullFence", "()V", nothing),
    (UNSAFE, "storeFence", "()V", nothing),
    (UNSAFE, "loadFence", "()V", nothing),
    (UNSAFE, "objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J", field_offset),
    (UNSAFE, "getReference", "(Ljava/lang/Object;J)Ljava/lang/Object;", get),
    (UNSAFE, "getReferenceVolatile", "(Ljava/lang/Object;J)Ljava/lang/Object;", get),
    (UNSAFE, "getInt", "(Ljava/lang/Object;J)I", get_int),
    (UNSAFE, "getIntVolatile", "(Ljava/lang/Object;J)I", get_int),
    (UNSAFE, "getLongVolatile", "(Ljava/lang/Object;J)J", get_long),
    (UNSAFE, "getLong", "(Ljava/lang/Object;J)J", get_long),
    (UNSAFE, "putLong", "(Ljava/lang/Object;JJ)V", put_long),
    (UNSAFE, "putLongVolatile", "(Ljava/lang/Object;JJ)V", put_long),
    (UNSAFE, "putReference", "(Ljava/lang/Object;JLjava/lang/Object;)V", put),
    (UNSAFE, "putReferenceVolatile", "(Ljava/lang/Object;JLjava/lang/Object;)V", put),
    (UNSAFE, "putInt", "(Ljava/lang/Object;JI)V", put_int),
    (UNSAFE, "putIntVolatile", "(Ljava/lang/Object;JI)V", put_int),
    (
        UNSAFE,
        "compareAndSetReference",
        "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
        compare_and_set,
    ),
    (UNSAFE, "compareAndSetInt", "(Ljava/lang/Object;JII)Z", compare_and_set_int),
    (UNSAFE, "compareAndSetLong", "(Ljava/lang/Object;JJJ)Z", compare_and_set_long),
    (
        "jdk/internal/util/ArraysSupport",
        "vectorizedMismatch",
        "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
        mismatch,
    ),
];

fn address_size(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Int(8)))
}

/// The first of `length` elements whose bits differ; otherwise the complement of 0, for none is left
/// to compare.
fn mismatch(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let [left, right] = [0, 2].map(|index: usize| arguments[index].reference());
    let [from_left, from_right] = [1, 3].map(|index: usize| arguments[index].long());
    let length = arguments[4].int();
    if left.is_null() || right.is_null() {
        return gap("raw memory");
    }
    machine.charge_instructions(length.max(0) as u64 / 4)?;
    machine.check_elements(left)?;
    machine.check_elements(right)?;
    let (left, right) = (machine.array(left)?, machine.array(right)?);
    let element = |array: &super::super::Array, from: i64, index: i32| {
        let at = usize::try_from(from + i64::from(index)).ok()?;
        (at < array.len()).then(|| bits(array.get(at)))
    };
    for index in 0..length {
        let pair = (element(left, from_left, index), element(right, from_right, index));
        let (Some(a), Some(b)) = pair else { return gap("raw memory") };
        if a != b {
            return Ok(Some(Value::Int(index)));
        }
    }
    Ok(Some(Value::Int(!0)))
}

fn bits(value: Value) -> u64 {
    match value {
        Value::Int(value) => value as u64,
        Value::Long(value) => value as u64,
        Value::Float(value) => value.to_bits().into(),
        Value::Double(value) => value.to_bits(),
        Value::Ref(_) | Value::Unknown(_) => 0,
    }
}

fn field_offset(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let class = machine.mirrored(arguments[1].reference())?;
    let name = machine.text(arguments[2].reference())?;
    let Type { element: program::Element::Class(class), dimensions: 0 } = class else {
        return gap("the offset of a field of an array");
    };
    let id = machine.find_class(class)?;
    let found = machine.class(id)?.fields().find(|(_, field)| {
        machine.program.names.text(field.name) == name && !field.access_flags.is_static()
    });
    match found.map(|(field, _)| field) {
        Some(field) => machine.slot_of(field).map(|slot| Some(Value::Long(slot.into()))),
        None => gap("the offset of a field that does not exist"),
    }
}

/// The place that an object and an offset mean.
enum Place {
    Field(Ref, usize),
    Element(Ref, usize),
}

fn place(machine: &Machine<'_>, arguments: &[Value]) -> Outcome<Place> {
    let object = arguments[1].reference();
    let Ok(offset) = usize::try_from(arguments[2].long()) else { return gap("raw memory") };
    if object.is_null() {
        return gap("raw memory");
    }
    match &machine.heap.object(object).data {
        ObjectData::Fields(fields) if offset < fields.len() => Ok(Place::Field(object, offset)),
        ObjectData::Array(array) if offset < array.len() => Ok(Place::Element(object, offset)),
        ObjectData::Fields(_) | ObjectData::Array(_) | ObjectData::Lambda(_) => gap("raw memory"),
    }
}

fn read(machine: &Machine<'_>, place: &Place) -> Outcome<Value> {
    match *place {
        Place::Element(array, index) => {
            machine.check_elements(array)?;
            Ok(machine.array(array)?.get(index))
        }
        Place::Field(object, slot) => match &machine.heap.object(object).data {
            ObjectData::Fields(fields) => Ok(fields[slot]),
            ObjectData::Array(_) | ObjectData::Lambda(_) => gap("raw memory"),
        },
    }
}

fn write(machine: &mut Machine<'_>, place: &Place, value: Value) {
    match *place {
        Place::Element(array, index) => {
            if let Some(array) = machine.heap.array_mut(array) {
                array.set(index, value);
            }
        }
        Place::Field(object, slot) => {
            if let ObjectData::Fields(fields) = &mut machine.heap.object_mut(object).data {
                fields[slot] = value;
            }
        }
    }
}

/// Reads only what was written with the same width: anything else would be raw memory.
fn read_as(
    machine: &Machine<'_>,
    arguments: &[Value],
    is_kind: fn(&Value) -> bool,
) -> Outcome<Option<Value>> {
    let place = place(machine, arguments)?;
    check_width(machine, &place, is_kind)?;
    read(machine, &place).map(Some)
}

fn check_width(machine: &Machine<'_>, place: &Place, is_kind: fn(&Value) -> bool) -> Outcome<()> {
    if let Place::Element(array, _) = *place {
        use super::super::Array;
        let is_narrow =
            matches!(machine.array(array)?, Array::Byte(_) | Array::Char(_) | Array::Short(_));
        if is_narrow {
            return gap("raw memory");
        }
    }
    if is_kind(&read(machine, place)?) { Ok(()) } else { gap("raw memory") }
}

fn get(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    read_as(machine, arguments, |value| matches!(value, Value::Ref(_)))
}

fn get_int(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    read_as(machine, arguments, |value| matches!(value, Value::Int(_)))
}

fn get_long(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    read_as(machine, arguments, |value| matches!(value, Value::Long(_)))
}

fn put(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    get(machine, arguments)?;
    let place = place(machine, arguments)?;
    write(machine, &place, arguments[3]);
    Ok(None)
}

fn put_int(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    get_int(machine, arguments)?;
    let place = place(machine, arguments)?;
    write(machine, &place, arguments[3]);
    Ok(None)
}

fn put_long(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    get_long(machine, arguments)?;
    let place = place(machine, arguments)?;
    write(machine, &place, arguments[3]);
    Ok(None)
}

fn exchange(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    is_kind: fn(&Value) -> bool,
) -> Outcome<Option<Value>> {
    let place = place(machine, arguments)?;
    check_width(machine, &place, is_kind)?;
    let is_expected = read(machine, &place)? == arguments[3];
    if is_expected {
        write(machine, &place, arguments[4]);
    }
    Ok(Some(Value::boolean(is_expected)))
}

fn compare_and_set(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    exchange(machine, arguments, |value| matches!(value, Value::Ref(_)))
}

fn compare_and_set_int(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    exchange(machine, arguments, |value| matches!(value, Value::Int(_)))
}

fn compare_and_set_long(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    exchange(machine, arguments, |value| matches!(value, Value::Long(_)))
}

impl Machine<'_> {
    fn slot_of(&mut self, field: FieldId) -> Outcome<u32> {
        match self.layout_slot(field)? {
            Some(slot) => Ok(slot),
            None => gap("the offset of a static field"),
        }
    }
}
