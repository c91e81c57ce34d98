//! Types as descriptors name them (JVMS 4.3), and the kinds that values have on the operand stack.

use crate::names::{Name, Names};

/// What a value is to the instructions that move it (JVMS table 2.11.1-B, without `returnAddress`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Also boolean, byte, char and short.
    Int,
    Long,
    Float,
    Double,
    Ref,
}

impl Kind {
    /// How many stack entries or local variables it takes.
    pub fn slots(self) -> usize {
        match self {
            Kind::Int | Kind::Float | Kind::Ref => 1,
            Kind::Long | Kind::Double => 2,
        }
    }

    pub const fn keyword(self) -> &'static str {
        match self {
            Kind::Int => "int",
            Kind::Long => "long",
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::Ref => "ref",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Primitive {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
}

impl Primitive {
    pub fn from_descriptor(letter: u8) -> Option<Primitive> {
        Some(match letter {
            b'Z' => Primitive::Boolean,
            b'B' => Primitive::Byte,
            b'C' => Primitive::Char,
            b'S' => Primitive::Short,
            b'I' => Primitive::Int,
            b'J' => Primitive::Long,
            b'F' => Primitive::Float,
            b'D' => Primitive::Double,
            _ => return None,
        })
    }

    /// The letter of its descriptor.
    pub fn descriptor(self) -> char {
        match self {
            Primitive::Boolean => 'Z',
            Primitive::Byte => 'B',
            Primitive::Char => 'C',
            Primitive::Short => 'S',
            Primitive::Int => 'I',
            Primitive::Long => 'J',
            Primitive::Float => 'F',
            Primitive::Double => 'D',
        }
    }

    pub fn kind(self) -> Kind {
        match self {
            Primitive::Long => Kind::Long,
            Primitive::Float => Kind::Float,
            Primitive::Double => Kind::Double,
            Primitive::Boolean
            | Primitive::Byte
            | Primitive::Char
            | Primitive::Short
            | Primitive::Int => Kind::Int,
        }
    }

    pub const fn keyword(self) -> &'static str {
        match self {
            Primitive::Boolean => "boolean",
            Primitive::Byte => "byte",
            Primitive::Char => "char",
            Primitive::Short => "short",
            Primitive::Int => "int",
            Primitive::Long => "long",
            Primitive::Float => "float",
            Primitive::Double => "double",
        }
    }
}

/// A field type: a primitive or a class, in any number of array dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    pub element: Element,
    /// 0 for what is no array.
    pub dimensions: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    Primitive(Primitive),
    Class(Name),
}

impl Type {
    pub fn class(name: Name) -> Type {
        Type { element: Element::Class(name), dimensions: 0 }
    }

    pub fn primitive(primitive: Primitive) -> Type {
        Type { element: Element::Primitive(primitive), dimensions: 0 }
    }

    pub fn as_primitive(self) -> Option<Primitive> {
        match self {
            Type { element: Element::Primitive(primitive), dimensions: 0 } => Some(primitive),
            Type { element: Element::Primitive(_) | Element::Class(_), .. } => None,
        }
    }

    /// Reads a whole field descriptor.
    pub fn parse(descriptor: &[u8], names: &Names) -> Option<Type> {
        match split_field(descriptor)? {
            (first, []) => element_type(first, names),
            (_, [..]) => None,
        }
    }

    /// Reads what a `CONSTANT_Class` holds: an internal class name, or an array descriptor.
    pub fn parse_class_constant(text: &[u8], name: Name, names: &Names) -> Option<Type> {
        if text.first() == Some(&b'[') { Type::parse(text, names) } else { Some(Type::class(name)) }
    }

    pub fn kind(self) -> Kind {
        match self {
            Type { element: Element::Primitive(primitive), dimensions: 0 } => primitive.kind(),
            Type { element: Element::Primitive(_) | Element::Class(_), .. } => Kind::Ref,
        }
    }

    /// The type of the elements of an array type.
    pub fn component(self) -> Option<Type> {
        let dimensions = self.dimensions.checked_sub(1)?;
        Some(Type { dimensions, ..self })
    }

    pub fn array(self) -> Option<Type> {
        Some(Type { dimensions: self.dimensions.checked_add(1)?, ..self })
    }

    /// As Java source writes it: `java.lang.String[]`.
    pub fn display(self, names: &Names) -> String {
        let mut text = match self.element {
            Element::Primitive(primitive) => primitive.keyword().to_owned(),
            Element::Class(name) => names.text(name).replace('/', "."),
        };
        for _ in 0..self.dimensions {
            text.push_str("[]");
        }
        text
    }
}

/// Splits off the first field type; `None` if there is none. At most 255 dimensions (JVMS 4.3.2).
#[inline]
pub fn split_field(descriptor: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = match descriptor {
        [b'L', name @ ..] => class_length(name)?,
        [b'[', ..] => array_length(descriptor)?,
        [letter, ..] => Primitive::from_descriptor(*letter).map(|_| 1)?,
        [] => return None,
    };
    descriptor.split_at_checked(length)
}

/// Of a class type, by what stands behind its letter.
fn class_length(name: &[u8]) -> Option<usize> {
    find_semicolon(name).filter(|&length| length > 0).map(|length| length + 2)
}

fn array_length(descriptor: &[u8]) -> Option<usize> {
    let dimensions = descriptor.iter().take_while(|&&byte| byte == b'[').count();
    let element = match &descriptor[dimensions..] {
        [b'L', name @ ..] => class_length(name)?,
        [letter, ..] => Primitive::from_descriptor(*letter).map(|_| 1)?,
        [] => return None,
    };
    (dimensions <= 255).then_some(dimensions + element)
}

/// Eight bytes at a time: descriptors are read for each call, and are mostly names of classes.
fn find_semicolon(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    const WANTED: u64 = u64::from_ne_bytes([b';'; 8]);
    let (chunks, rest) = bytes.as_chunks::<8>();
    for (index, &chunk) in chunks.iter().enumerate() {
        let differing = u64::from_le_bytes(chunk) ^ WANTED;
        // The lowest bit of these marks the first byte that is zero; what is above it may be wrong.
        let zeros = differing.wrapping_sub(LOW) & !differing & HIGH;
        if zeros != 0 {
            return Some(index * 8 + zeros.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|&byte| byte == b';')?;
    Some(chunks.len() * 8 + at)
}

/// Reads a whole method descriptor in one pass: calls `each` on the kinds of the parameters and
/// returns that of the result, which void has none of. `None` if it is malformed.
pub(crate) fn method_kinds(descriptor: &[u8], mut each: impl FnMut(Kind)) -> Option<Option<Kind>> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    while rest.first() != Some(&b')') {
        let (field, tail) = split_field(rest)?;
        each(field_kind(field));
        rest = tail;
    }
    match &rest[1..] {
        b"V" => Some(None),
        result => match split_field(result)? {
            (field, []) => Some(Some(field_kind(field))),
            (_, [..]) => None,
        },
    }
}

/// The type to which a method with this descriptor cuts what it returns: the operand stack knows only int, and
/// `ireturn` leaves as many bits as fit (JVMS 6.5).
pub fn narrow_result(descriptor: &[u8]) -> Option<Primitive> {
    match descriptor {
        [.., b')', letter @ (b'Z' | b'B' | b'C' | b'S')] => Primitive::from_descriptor(*letter),
        [..] => None,
    }
}

/// The kind of a field type that `split_field` yielded.
pub(crate) fn field_kind(field: &[u8]) -> Kind {
    match field {
        [letter] => Primitive::from_descriptor(*letter).map_or(Kind::Ref, Primitive::kind),
        [..] => Kind::Ref,
    }
}

fn element_type(field: &[u8], names: &Names) -> Option<Type> {
    let dimensions = field.iter().take_while(|&&byte| byte == b'[').count();
    let element = match &field[dimensions..] {
        [b'L', name @ .., b';'] => Element::Class(names.intern(name)),
        [letter] => Element::Primitive(Primitive::from_descriptor(*letter)?),
        [..] => return None,
    };
    Some(Type { element, dimensions: dimensions as u8 })
}

/// A method descriptor that was found well-formed: its parameters and its return type.
#[derive(Debug, Clone, Copy)]
pub struct MethodDescriptor<'a> {
    parameters: &'a [u8],
    result: &'a [u8],
}

impl<'a> MethodDescriptor<'a> {
    pub fn parse(descriptor: &'a [u8]) -> Option<MethodDescriptor<'a>> {
        let inner = descriptor.strip_prefix(b"(")?;
        let mut rest = inner;
        while rest.first() != Some(&b')') {
            rest = split_field(rest)?.1;
        }
        let parameters = &inner[..inner.len() - rest.len()];
        let result = &rest[1..];
        let is_well_formed = result == b"V" || matches!(split_field(result), Some((_, [])));
        is_well_formed.then_some(MethodDescriptor { parameters, result })
    }

    /// The descriptor of each parameter.
    pub fn parameters(&self) -> impl Iterator<Item = &'a [u8]> {
        let mut rest = self.parameters;
        std::iter::from_fn(move || {
            let (first, tail) = split_field(rest)?;
            rest = tail;
            Some(first)
        })
    }

    pub fn parameter_kinds(&self) -> impl Iterator<Item = Kind> {
        self.parameters().map(field_kind)
    }

    pub fn parameter_types(&self, names: &Names) -> Vec<Type> {
        self.parameters().filter_map(|field| element_type(field, names)).collect()
    }

    /// `None` for void.
    pub fn result_kind(&self) -> Option<Kind> {
        (self.result != b"V").then(|| field_kind(self.result))
    }

    pub fn result_type(&self, names: &Names) -> Option<Type> {
        element_type(self.result, names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_length_end_at_their_semicolon() {
        for length in 0..40 {
            for byte in [b'a', b':', b'<', 0x00, 0x3a, 0x80, 0xba, 0xbb, 0xff] {
                let mut text = vec![byte; length];
                assert_eq!(find_semicolon(&text), None, "{text:?}");
                text.extend(b";;x;");
                assert_eq!(find_semicolon(&text), Some(length), "{text:?}");
            }
        }
    }

    #[test]
    fn reads_method_descriptors() {
        let names = Names::new();
        let descriptor = MethodDescriptor::parse(b"(I[[JLjava/lang/String;D)[Z").unwrap();
        let shown: Vec<String> =
            descriptor.parameter_types(&names).iter().map(|t| t.display(&names)).collect();
        assert_eq!(shown, ["int", "long[][]", "java.lang.String", "double"]);
        assert_eq!(descriptor.result_type(&names).unwrap().display(&names), "boolean[]");
        assert_eq!(
            descriptor.parameter_kinds().collect::<Vec<_>>(),
            [Kind::Int, Kind::Ref, Kind::Ref, Kind::Double]
        );
        assert_eq!(MethodDescriptor::parse(b"()V").unwrap().result_kind(), None);
    }

    #[test]
    fn kinds_are_those_of_the_descriptor() {
        let mut kinds = Vec::new();
        let result = method_kinds(b"(I[[JLjava/lang/String;D)[Z", |kind| kinds.push(kind));
        assert_eq!(result, Some(Some(Kind::Ref)));
        assert_eq!(kinds, [Kind::Int, Kind::Ref, Kind::Ref, Kind::Double]);
        assert_eq!(method_kinds(b"()V", |_| {}), Some(None));
    }

    #[test]
    fn refuses_malformed_descriptors() {
        let too_deep = [vec![b'['; 256], vec![b'I']].concat();
        assert!(split_field(&too_deep).is_none());
        for bad in ["", "(", "()", "(I", "(V)V", "()VV", "(L;)V", "(Lx)V", "()Q", "I"] {
            assert!(MethodDescriptor::parse(bad.as_bytes()).is_none(), "{bad}");
            assert!(method_kinds(bad.as_bytes(), |_| {}).is_none(), "{bad}");
        }
        for bad in ["", "[", "Lx", "L;", "V", "II"] {
            assert!(Type::parse(bad.as_bytes(), &Names::new()).is_none(), "{bad}");
        }
    }
}
