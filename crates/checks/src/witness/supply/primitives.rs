//! Numbers and strings: ordinary ones, those that the code itself mentions, then the unusual.

use std::sync::Arc;

use classfile::Constant;
use program::ir::{Const, Op};
use program::{Class, MethodId, Primitive, Program};

use super::super::literal::Literal;
use super::super::recipe::Recipe;

/// Constants of the code under check: values that it treats differently are often written in it.
#[derive(Debug, Clone, Default)]
pub struct Harvest {
    ints: Vec<i32>,
    longs: Vec<i64>,
    reals: Vec<f64>,
    texts: Vec<Vec<u16>>,
}

const MAX_NUMBERS: usize = 6;
const MAX_TEXTS: usize = 6;
const MAX_TEXT_UNITS: usize = 24;

impl Harvest {
    /// The constants of a class, those of the given methods first.
    pub fn of(program: &Program, class: &Class, methods: &[MethodId]) -> Harvest {
        let mut harvest = Harvest::default();
        for &method in methods {
            let Ok(Some(body)) = program.lower(method) else { continue };
            for instruction in &body.instructions {
                if let Op::Const(constant) = instruction.op {
                    harvest.add(program, constant);
                }
            }
        }
        let pool = class.file.pool();
        for index in 1..pool.len() {
            match u16::try_from(index).ok().and_then(|index| pool.constant(index).ok()) {
                Some(Constant::Integer(value)) => harvest.add_int(value),
                Some(Constant::Long(value)) => harvest.add_long(value),
                Some(Constant::Float(bits)) => harvest.add_real(f32::from_bits(bits).into()),
                Some(Constant::Double(bits)) => harvest.add_real(f64::from_bits(bits)),
                Some(Constant::String(utf8)) => {
                    harvest.add_text(classfile::mutf8::decode_utf16(class.file.bytes(utf8)));
                }
                Some(_) | None => {}
            }
        }
        harvest
    }

    fn add(&mut self, program: &Program, constant: Const) {
        match constant {
            Const::Int(value) => self.add_int(value),
            Const::Long(value) => self.add_long(value),
            Const::Float(bits) => self.add_real(f32::from_bits(bits).into()),
            Const::Double(bits) => self.add_real(f64::from_bits(bits)),
            Const::String(text) => self.add_text(Some(program.names.utf16(program.literal(text)))),
            Const::Null | Const::Class(_) | Const::MethodType(_) | Const::Dynamic(..) => {}
        }
    }

    fn add_int(&mut self, value: i32) {
        // The usual multipliers of hash codes are no state.
        let is_usual = (-1..=2).contains(&value) || matches!(value, 17 | 31 | 37 | 1231 | 1237);
        push_new(&mut self.ints, value, !is_usual, MAX_NUMBERS);
    }

    fn add_long(&mut self, value: i64) {
        push_new(&mut self.longs, value, !(-1..=2).contains(&value), MAX_NUMBERS);
    }

    fn add_real(&mut self, value: f64) {
        let is_new = value.is_finite() && value != 0.0 && value != 1.0;
        push_new(&mut self.reals, value, is_new, MAX_NUMBERS);
    }

    fn add_text(&mut self, units: Option<Vec<u16>>) {
        let Some(units) = units else { return };
        // Sentences are messages, not data.
        let spaces = units.iter().filter(|&&unit| unit == u16::from(b' ')).count();
        let is_data = !units.is_empty() && units.len() <= MAX_TEXT_UNITS && spaces <= 1;
        push_new(&mut self.texts, units, is_data, MAX_TEXTS);
    }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, value: T, is_wanted: bool, limit: usize) {
    if is_wanted && list.len() < limit && !list.contains(&value) {
        list.push(value);
    }
}

/// Literals of this type, the ordinary first.
pub(super) fn literals(primitive: Primitive, harvest: &Harvest) -> Vec<Literal> {
    let small: Vec<i32> =
        harvest.ints.iter().copied().filter(|value| (-128..128).contains(value)).collect();
    match primitive {
        Primitive::Boolean => vec![Literal::Boolean(true), Literal::Boolean(false)],
        Primitive::Byte => [1, 2, 0, -1]
            .into_iter()
            .chain(small)
            .chain([127, -128])
            .map(|value| Literal::Byte(value as i8))
            .collect(),
        Primitive::Short => [1, 2, 0, -1]
            .into_iter()
            .chain(small)
            .chain([32_767, -32_768])
            .map(|value| Literal::Short(value as i16))
            .collect(),
        Primitive::Char => {
            let chars = [b'a', b'b', b'A', b'1', b' ', 0].map(u16::from);
            let found = small.into_iter().filter(|&value| value >= 0).map(|value| value as u16);
            chars.into_iter().chain(found).chain([0xffff]).map(Literal::Char).collect()
        }
        Primitive::Int => {
            let unusual = [2_000_000_000, -2_000_000_000, i32::MAX, i32::MIN];
            let all = [1, 2, 0, -1, 10].into_iter().chain(harvest.ints.iter().copied());
            all.chain(unusual).map(Literal::Int).collect()
        }
        Primitive::Long => {
            let large = [3_000_000_000, 1 << 32];
            let unusual = [i64::MAX, i64::MIN];
            let all = [1, 2, 0, -1].into_iter().chain(large).chain(harvest.longs.iter().copied());
            all.chain(unusual).map(Literal::Long).collect()
        }
        Primitive::Float => reals(harvest)
            .into_iter()
            .map(|value| value as f32)
            .chain([f32::NAN, -0.0, f32::INFINITY, f32::MAX])
            .map(Literal::float)
            .collect(),
        Primitive::Double => reals(harvest)
            .into_iter()
            .chain([f64::NAN, -0.0, f64::INFINITY, f64::MAX])
            .map(Literal::double)
            .collect(),
    }
}

/// A small constant in the code may be a tolerance: values on either side of it show.
fn reals(harvest: &Harvest) -> Vec<f64> {
    let tolerances = harvest.reals.iter().filter(|value| (0.0..0.2).contains(*value));
    let near = tolerances.flat_map(|value| [value * 0.6, value * 1.2]);
    [1.0, 2.0, 0.0, -1.0, 0.5]
        .into_iter()
        .chain(near)
        .chain(harvest.reals.iter().copied())
        .collect()
}

/// String literals, the ordinary first.
pub(super) fn texts(harvest: &Harvest) -> Vec<Arc<Recipe>> {
    let usual = ["a", "b", "A", ""].map(|text| text.encode_utf16().collect::<Vec<u16>>());
    // Letters that fold in one direction only, digits, a path, an address.
    let others = ["1", "ab", "/a", "http://a/b", "I", "\u{131}", "\u{df}", "1.0", "1.00"];
    let others = others.map(|text| text.encode_utf16().collect::<Vec<u16>>());
    usual
        .into_iter()
        .chain(harvest.texts.iter().cloned())
        .chain(others)
        .map(|units| Arc::new(Recipe::Text(units.into())))
        .collect()
}
