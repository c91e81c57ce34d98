//! Values written as in Java: `3`, `3L`, `1.5f`, `NaN`, `'a'`, `"a\u00e9"`, `null`, `[1,2]`.

use program::{Element, Names, Primitive, Type};
use symex::concrete::{Machine, ObjectData, Outcome, Ref, Stop, Value};

use super::number::{double_text, float_text};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Null,
    /// Of the type that the descriptor, or the box, says.
    Primitive(Primitive, Value),
    String(Vec<u16>),
    Array(Vec<Literal>),
}

impl Literal {
    pub(super) fn parse(text: &str, ty: Type, names: &Names) -> Option<Literal> {
        let text = text.trim();
        let is_reference = ty.dimensions > 0 || matches!(ty.element, Element::Class(_));
        if text == "null" && is_reference {
            return Some(Literal::Null);
        }
        if let Some(component) = ty.component() {
            let inner = text.strip_prefix('[')?.strip_suffix(']')?;
            let items = split_items(inner)?;
            let items = items.iter().map(|item| Literal::parse(item, component, names));
            return items.collect::<Option<_>>().map(Literal::Array);
        }
        match ty.element {
            Element::Primitive(primitive) => parse_primitive(text, primitive),
            Element::Class(name) => match names.bytes(name) {
                b"java/lang/String" | b"java/lang/CharSequence" => parse_string(text),
                b"java/lang/Object" | b"java/lang/Comparable" | b"java/lang/Number" => {
                    parse_string(text).or_else(|| parse_any_box(text))
                }
                class => parse_primitive(text, box_of(class)?),
            },
        }
    }

    /// Makes the value in the machine.
    pub(super) fn build(&self, machine: &mut Machine<'_>, ty: Type) -> Outcome<Value> {
        match self {
            Literal::Null => Ok(Value::Ref(Ref::NULL)),
            Literal::String(units) => machine.new_string(units).map(Value::Ref),
            Literal::Primitive(primitive, value) => match ty {
                Type { element: Element::Primitive(_), dimensions: 0 } => Ok(*value),
                Type { .. } => machine.new_box(*primitive, *value),
            },
            Literal::Array(items) => {
                let Some(component) = ty.component() else { return Ok(Value::Ref(Ref::NULL)) };
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(item.build(machine, component)?);
                }
                machine.new_array_of(component, &values).map(Value::Ref)
            }
        }
    }
}

/// The text of a value whose declared type is `ty`.
pub(super) fn print(machine: &mut Machine<'_>, value: Value, ty: Type) -> Outcome<String> {
    if let Value::Unknown(why) = value {
        return Err(Stop::Gap(why.reason().to_owned()));
    }
    if let (Element::Primitive(primitive), 0) = (ty.element, ty.dimensions) {
        return Ok(print_primitive(primitive, value));
    }
    let object = value.reference();
    if object.is_null() {
        return Ok("null".to_owned());
    }
    let actual = machine.heap.object(object).ty;
    if let (Some(component), Some(array)) = (actual.component(), machine.heap.array(object)) {
        machine.check_elements(object)?;
        let items: Vec<Value> = (0..array.len()).map(|index| array.get(index)).collect();
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            texts.push(print(machine, item, component)?);
        }
        return Ok(format!("[{}]", texts.join(",")));
    }
    let Element::Class(name) = actual.element else { return Ok("?".to_owned()) };
    let names = &machine.program.names;
    if name == machine.program.known.string {
        return Ok(print_string(&machine.units(object)?));
    }
    let boxed = box_of(names.bytes(name));
    match (boxed, &machine.heap.object(object).data) {
        (Some(primitive), ObjectData::Fields(_)) => {
            let held = machine.unbox(object)?;
            Ok(print_primitive(primitive, held))
        }
        (_, _) => Ok(format!("<{}>", actual.display(names))),
    }
}

fn print_primitive(primitive: Primitive, value: Value) -> String {
    match primitive {
        Primitive::Boolean => (value.int() != 0).to_string(),
        Primitive::Char => format!("'{}'", escape(&[value.int() as u16], '\'')),
        Primitive::Byte | Primitive::Short | Primitive::Int => value.int().to_string(),
        Primitive::Long => format!("{}L", value.long()),
        Primitive::Float => with_suffix(float_text(value.float()), "f"),
        Primitive::Double => double_text(value.double()),
    }
}

/// NaN and Infinity have no suffix in Java's own text.
fn with_suffix(text: String, suffix: &str) -> String {
    if text.ends_with(|c: char| c.is_ascii_digit()) { text + suffix } else { text }
}

fn print_string(units: &[u16]) -> String {
    format!("\"{}\"", escape(units, '"'))
}

/// Everything outside of printable ASCII becomes `\uXXXX`.
fn escape(units: &[u16], quote: char) -> String {
    let mut text = String::new();
    for &unit in units {
        match u8::try_from(unit) {
            Ok(b'\\') => text.push_str("\\\\"),
            Ok(byte) if char::from(byte) == quote => {
                text.push('\\');
                text.push(quote);
            }
            Ok(byte @ 0x20..=0x7e) => text.push(char::from(byte)),
            Ok(_) | Err(_) => text.push_str(&format!("\\u{unit:04x}")),
        }
    }
    text
}

fn unescape(text: &str) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        units.push(match rest.next()? {
            'n' => 0x0a,
            't' => 0x09,
            'r' => 0x0d,
            'b' => 0x08,
            'f' => 0x0c,
            '0' => 0,
            'u' => {
                let digits: String = rest.by_ref().take(4).collect();
                u16::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4)?
            }
            c @ ('\\' | '"' | '\'') => c as u16,
            _ => return None,
        });
    }
    Some(units)
}

fn parse_string(text: &str) -> Option<Literal> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    unescape(inner).map(Literal::String)
}

fn parse_any_box(text: &str) -> Option<Literal> {
    let primitive = match text {
        "true" | "false" => Primitive::Boolean,
        _ if text.starts_with('\'') => Primitive::Char,
        _ if text.ends_with('L') => Primitive::Long,
        _ if text.parse::<i32>().is_ok() => Primitive::Int,
        _ if text.ends_with('f') => Primitive::Float,
        _ => Primitive::Double,
    };
    parse_primitive(text, primitive)
}

fn parse_primitive(text: &str, primitive: Primitive) -> Option<Literal> {
    let integer = |low: i64, high: i64| {
        let digits = text.strip_suffix(['L', 'l']).unwrap_or(text);
        digits.parse::<i64>().ok().filter(|value| (low..=high).contains(value))
    };
    let value = match primitive {
        Primitive::Boolean => match text {
            "true" => Value::Int(1),
            "false" => Value::Int(0),
            _ => return None,
        },
        Primitive::Char => match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
            Some(inner) => match unescape(inner)?[..] {
                [unit] => Value::Int(unit.into()),
                [..] => return None,
            },
            None => Value::Int(integer(0, 0xffff)? as i32),
        },
        Primitive::Byte => Value::Int(integer(i8::MIN.into(), i8::MAX.into())? as i32),
        Primitive::Short => Value::Int(integer(i16::MIN.into(), i16::MAX.into())? as i32),
        Primitive::Int => Value::Int(integer(i32::MIN.into(), i32::MAX.into())? as i32),
        Primitive::Long => Value::Long(integer(i64::MIN, i64::MAX)?),
        Primitive::Float => Value::Float(parse_float(text)?),
        Primitive::Double => Value::Double(parse_double(text)?),
    };
    Some(Literal::Primitive(primitive, value))
}

fn parse_double(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::from_bits(0x7ff8_0000_0000_0000)),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => digits_of(text).parse().ok(),
    }
}

/// Parsed as a float, not rounded twice.
fn parse_float(text: &str) -> Option<f32> {
    match text {
        "NaN" => Some(f32::from_bits(0x7fc0_0000)),
        "Infinity" => Some(f32::INFINITY),
        "-Infinity" => Some(f32::NEG_INFINITY),
        _ => digits_of(text).parse().ok(),
    }
}

/// Without Java's suffix; Rust would also take `inf` and `nan`, which Java does not.
fn digits_of(text: &str) -> &str {
    let text = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    if text.contains(['i', 'n', 'I', 'N']) { "" } else { text }
}

fn box_of(class: &[u8]) -> Option<Primitive> {
    Some(match class {
        b"java/lang/Boolean" => Primitive::Boolean,
        b"java/lang/Byte" => Primitive::Byte,
        b"java/lang/Character" => Primitive::Char,
        b"java/lang/Short" => Primitive::Short,
        b"java/lang/Integer" => Primitive::Int,
        b"java/lang/Long" => Primitive::Long,
        b"java/lang/Float" => Primitive::Float,
        b"java/lang/Double" => Primitive::Double,
        _ => return None,
    })
}

/// Splits arguments at spaces that stand outside of quotes and brackets.
pub(super) fn split_words(arguments: &str) -> Vec<String> {
    let words = split_at(arguments, ' ').into_iter().filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The items of an array: split at commas outside of quotes and brackets.
fn split_items(text: &str) -> Option<Vec<&str>> {
    if text.trim().is_empty() { Some(Vec::new()) } else { Some(split_at(text, ',')) }
}

fn split_at(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut depth = 0i32;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') => depth -= 1,
            (None, c) if c == separator && depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            (None, _) => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_items_respect_quotes_and_brackets() {
        assert_eq!(split_words(r#"3 "a b\" c" ['x', ' ']"#).len(), 3);
        assert_eq!(split_items(r#""a,b",[1,2],','"#).unwrap().len(), 3);
        assert_eq!(split_items("").unwrap().len(), 0);
    }

    #[test]
    fn text_is_escaped_and_read_back() {
        let units: Vec<u16> = "a\u{e9}\n\"\\".encode_utf16().chain([0xd800]).collect();
        let text = print_string(&units);
        assert_eq!(text, "\"a\\u00e9\\u000a\\\"\\\\\\ud800\"");
        assert_eq!(parse_string(&text), Some(Literal::String(units)));
    }

    #[test]
    fn numbers_are_checked_against_their_type() {
        let parse = |text: &str, primitive| parse_primitive(text, primitive);
        assert!(parse("128", Primitive::Byte).is_none());
        assert!(parse("2147483648", Primitive::Int).is_none());
        assert_eq!(
            parse("-3L", Primitive::Long),
            Some(Literal::Primitive(Primitive::Long, Value::Long(-3)))
        );
        assert!(parse("inf", Primitive::Double).is_none());
        assert!(parse("x", Primitive::Double).is_none());
        assert_eq!(
            parse("1.5f", Primitive::Float),
            Some(Literal::Primitive(Primitive::Float, Value::Float(1.5)))
        );
    }
}
