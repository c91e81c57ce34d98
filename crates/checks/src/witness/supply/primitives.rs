//! Numbers and strings: ordinary ones, the unusual, and those that the code itself mentions.
//!
//! The order is that of trying. Which of several witnesses is shown is decided later, so that a NaN
//! early on does no harm, while one that is never tried finds nothing.

use std::sync::Arc;

use classfile::Constant;
use program::ir::{CallSite, ConcatPart, Const, Op};
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
    /// Texts that methods called by the code tell apart, or do not.
    special: Vec<Vec<u16>>,
    /// Texts without a letter or digit, and such characters.
    separators: Vec<Vec<u16>>,
}

const MAX_NUMBERS: usize = 8;
/// Methods whose constants are taken.
const MAX_METHODS: usize = 16;
const MAX_TEXTS: usize = 6;
const MAX_SEPARATORS: usize = 4;
const MAX_TEXT_UNITS: usize = 24;

impl Harvest {
    /// The constants of a class, those of the given methods and of what they call in it first.
    pub fn of(program: &Program, class: &Class, methods: &[MethodId]) -> Harvest {
        let mut harvest = Harvest::default();
        let mut reached: Vec<MethodId> = methods.to_vec();
        let mut next = 0;
        while let Some(&method) = reached.get(next).filter(|_| next < MAX_METHODS) {
            next += 1;
            let Ok(Some(body)) = program.lower(method) else { continue };
            for instruction in &body.instructions {
                if let Op::Const(constant) = instruction.op {
                    harvest.add(program, constant);
                } else if let Op::InvokeDynamic { call_site, .. } = instruction.op {
                    harvest.add_parts(program, &body.call_sites[call_site as usize]);
                } else if let Op::Invoke { method: called, .. } = instruction.op
                    && called.class == program.known.string
                {
                    harvest.add_texts_for(&program.names.text(called.name));
                } else if let Op::Invoke { method: called, .. } = instruction.op
                    && called.class == class.name
                    && let Some(id) = class.declared_method(called.name, called.descriptor)
                    && !reached.contains(&id)
                {
                    reached.push(id);
                }
            }
        }
        for constant in class.file.pool().constants() {
            match constant {
                Constant::Integer(value) => harvest.add_int(value),
                Constant::Long(value) => harvest.add_long(value),
                Constant::Float(bits) => harvest.add_real(f32::from_bits(bits).into()),
                Constant::Double(bits) => harvest.add_real(f64::from_bits(bits)),
                Constant::String(utf8) => {
                    harvest.add_text(classfile::mutf8::decode_utf16(class.file.bytes(utf8)));
                }
                _ => {}
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

    /// The texts between the parts of a concatenation.
    fn add_parts(&mut self, program: &Program, site: &CallSite) {
        let CallSite::Concat(parts) = site else { return };
        for part in parts {
            match part {
                ConcatPart::Text(text) => {
                    self.add_text(classfile::mutf8::decode_utf16(program.names.bytes(*text)));
                }
                ConcatPart::Constant(constant) => self.add(program, *constant),
                ConcatPart::Argument(_) => {}
            }
        }
    }

    fn add_int(&mut self, value: i32) {
        // The usual multipliers of hash codes are no state.
        let is_usual = (-1..=2).contains(&value) || matches!(value, 17 | 31 | 37 | 1231 | 1237);
        push_new(&mut self.ints, value, !is_usual, MAX_NUMBERS);
        if let Ok(unit) = u8::try_from(value) {
            let is_wanted = unit.is_ascii_punctuation() || unit == b' ';
            push_new(&mut self.separators, vec![unit.into()], is_wanted, MAX_SEPARATORS);
        }
    }

    fn add_long(&mut self, value: i64) {
        push_new(&mut self.longs, value, !(-1..=2).contains(&value), MAX_NUMBERS);
    }

    fn add_real(&mut self, value: f64) {
        let is_new = value.is_finite() && value != 0.0 && value != 1.0;
        push_new(&mut self.reals, value, is_new, MAX_NUMBERS);
    }

    /// Texts that a method of String treats in its own way.
    fn add_texts_for(&mut self, method: &str) {
        let texts: &[&str] = match method {
            "trim" | "strip" | "stripLeading" | "stripTrailing" | "isBlank" => {
                &[" a", "\u{1}a", "\u{2003}a", " "]
            }
            "toLowerCase" | "toUpperCase" | "equalsIgnoreCase" | "compareToIgnoreCase" => {
                &["i", "I", "\u{130}", "\u{131}", "\u{df}"]
            }
            _ => &[],
        };
        for text in texts {
            let units: Vec<u16> = text.encode_utf16().collect();
            if !self.special.contains(&units) {
                self.special.push(units);
            }
        }
    }

    fn add_text(&mut self, units: Option<Vec<u16>>) {
        let Some(units) = units else { return };
        // Sentences are messages, not data.
        let spaces = units.iter().filter(|&&unit| unit == u16::from(b' ')).count();
        let is_data = !units.is_empty() && units.len() <= MAX_TEXT_UNITS && spaces <= 1;
        if is_separator(&units) {
            push_new(&mut self.separators, units.clone(), true, MAX_SEPARATORS);
        }
        push_new(&mut self.texts, units, is_data, MAX_TEXTS);
    }
}

fn is_separator(units: &[u16]) -> bool {
    let is_mark = |&unit: &u16| {
        u8::try_from(unit).is_ok_and(|unit| unit.is_ascii_punctuation() || unit == b' ')
    };
    (1..=2).contains(&units.len()) && units.iter().all(is_mark)
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, value: T, is_wanted: bool, limit: usize) {
    if is_wanted && list.len() < limit && !list.contains(&value) {
        list.push(value);
    }
}

/// Literals of this type, the ordinary first.
pub(super) fn literals(primitive: Primitive, harvest: &Harvest) -> Vec<Literal> {
    let small: Vec<i32> =
        harvest.ints.iter().copied().filter(|value| (-128..256).contains(value)).collect();
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
            // Letters that fold in one direction only.
            let odd =
                [u16::from(b'I'), 0x130, 0x131, 0xdf, 0x17f, u16::from(b's'), u16::from(b'i')];
            chars.into_iter().chain(found).chain(odd).chain([0xffff]).map(Literal::Char).collect()
        }
        Primitive::Int => {
            let usual = [1, 2, 0, i32::MAX, -1, i32::MIN, 10];
            // Code that mentions a number often treats its neighbours differently.
            let near =
                harvest.ints.iter().flat_map(|&it| [it, it.wrapping_sub(1), it.wrapping_add(1)]);
            let all = usual.into_iter().chain(near);
            let extreme = [2_000_000_000, -2_000_000_000, i32::MAX - 1, i32::MAX - 2];
            all.chain(extreme).map(Literal::Int).collect()
        }
        Primitive::Long => {
            let large = [3_000_000_000, i64::MAX, i64::MIN, 1 << 32, 1 << 31, 1_500_000_000];
            let usual = [1, 2, 0, -1].into_iter().chain(large);
            // Which no double tells apart.
            let close = [1 << 53, (1 << 53) + 1];
            usual.chain(harvest.longs.iter().copied()).chain(close).map(Literal::Long).collect()
        }
        Primitive::Float => reals(harvest)
            .into_iter()
            .map(|value| value as f32)
            .chain([f32::MAX, f32::from_bits(1)])
            .map(Literal::float)
            .collect(),
        Primitive::Double => {
            reals(harvest).into_iter().chain([f64::MAX]).map(Literal::double).collect()
        }
    }
}

/// A small constant in the code may be a tolerance: values on either side of it show.
fn reals(harvest: &Harvest) -> Vec<f64> {
    let tolerances = harvest.reals.iter().filter(|value| (0.0..0.2).contains(*value));
    let near = tolerances.flat_map(|value| [value * 0.6, value * 1.2]);
    // A larger one may be a scale: values that it makes fractions near a whole number.
    let scales = harvest.reals.iter().filter(|value| (10.0..1e6).contains(*value));
    let scaled = scales.flat_map(|scale| [0.6 / scale, 1.4 / scale]);
    let usual = [1.0, 2.0, 0.0, f64::NAN, -0.0, -1.0, 0.5];
    let named = harvest.reals.iter().copied();
    usual
        .into_iter()
        .chain(near)
        .chain(scaled)
        .chain(named)
        .chain([f64::INFINITY, 1e19, -1e19])
        .collect()
}

/// Neighbours among the integers that the code mentions: what stands together in it may belong
/// together in an array.
pub(super) fn pairs(primitive: Primitive, harvest: &Harvest) -> Vec<[Literal; 2]> {
    const MAX_PAIRS: usize = 4;
    let literal = |value: i32| match primitive {
        Primitive::Byte => Some(Literal::Byte(value as i8)),
        Primitive::Char => Some(Literal::Char(value as u16)),
        Primitive::Int => Some(Literal::Int(value)),
        Primitive::Boolean
        | Primitive::Short
        | Primitive::Long
        | Primitive::Float
        | Primitive::Double => None,
    };
    let pairs = harvest.ints.windows(2);
    pairs.filter_map(|pair| Some([literal(pair[0])?, literal(pair[1])?])).take(MAX_PAIRS).collect()
}

/// Texts with a separator of the code inside, without one simply joined: where parts are put together,
/// another split of the same whole may look alike.
fn compounds(harvest: &Harvest) -> Vec<Vec<u16>> {
    let (a, b) = (u16::from(b'a'), u16::from(b'b'));
    let around =
        |separator: &[u16]| [[&[a], separator, &[b]].concat(), [&[b], separator, &[a]].concat()];
    let found = harvest.separators.iter().take(1).flat_map(|separator| around(separator));
    found.chain(around(&[])).collect()
}

/// String literals, the ordinary first.
pub(super) fn texts(harvest: &Harvest) -> Vec<Arc<Recipe>> {
    let usual = ["a", "b", "A", "", "/a"].map(|text| text.encode_utf16().collect::<Vec<u16>>());
    // Letters that fold in one direction only, digits, a path, an address.
    // Two with one hash code.
    let others = ["1", "1.0", "1.00", "Aa", "BB", "http://a/b", "I", "\u{131}", "\u{df}"];
    let others = others.map(|text| text.encode_utf16().collect::<Vec<u16>>());
    usual
        .into_iter()
        .chain(harvest.special.iter().cloned())
        .chain(harvest.texts.iter().cloned())
        .chain(compounds(harvest))
        .chain(others)
        .map(|units| Arc::new(Recipe::Text(units.into())))
        .collect()
}
