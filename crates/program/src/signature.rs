//! Generic signatures (JVMS 4.7.9.1), parsed.
//!
//! Names stay text: signatures are read seldom, for few classes. The nesting depth is limited,
//! because the text comes from outside.

use crate::types::Primitive;

/// A type as a generic signature writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldSignature {
    Primitive(Primitive),
    Class(ClassType),
    /// A type variable: `T`.
    Variable(String),
    Array(Box<FieldSignature>),
}

/// A class type with type arguments for itself and for each class it is nested in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassType {
    /// The internal name; nested classes joined by `$`, as in class files.
    pub name: String,
    /// Of the innermost class.
    pub arguments: Vec<TypeArgument>,
    /// Of the classes around it, outermost first.
    pub outer_arguments: Vec<Vec<TypeArgument>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeArgument {
    /// `?`
    Any,
    Exact(FieldSignature),
    /// `? extends`
    Extends(FieldSignature),
    /// `? super`
    Super(FieldSignature),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeParameter {
    pub name: String,
    pub class_bound: Option<FieldSignature>,
    pub interface_bounds: Vec<FieldSignature>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSignature {
    pub parameters: Vec<TypeParameter>,
    pub superclass: ClassType,
    pub interfaces: Vec<ClassType>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodSignature {
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<FieldSignature>,
    /// `None` for void.
    pub result: Option<FieldSignature>,
    pub throws: Vec<FieldSignature>,
}

impl FieldSignature {
    pub fn parse(text: &str) -> Option<FieldSignature> {
        parse_all(text, |parser| parser.field())
    }

    /// Every class that it mentions: of elements and type arguments too.
    pub fn class_names(&self) -> Vec<&str> {
        match self {
            FieldSignature::Primitive(_) | FieldSignature::Variable(_) => Vec::new(),
            FieldSignature::Array(element) => element.class_names(),
            FieldSignature::Class(class) => {
                let arguments =
                    class.arguments.iter().chain(class.outer_arguments.iter().flatten());
                let inner = arguments.flat_map(|argument| match argument {
                    TypeArgument::Any => Vec::new(),
                    TypeArgument::Exact(ty)
                    | TypeArgument::Extends(ty)
                    | TypeArgument::Super(ty) => ty.class_names(),
                });
                std::iter::once(class.name.as_str()).chain(inner).collect()
            }
        }
    }
}

impl ClassSignature {
    pub fn parse(text: &str) -> Option<ClassSignature> {
        parse_all(text, |parser| {
            let parameters = parser.type_parameters()?;
            let superclass = parser.class_type()?;
            let mut interfaces = Vec::new();
            while !parser.rest.is_empty() {
                interfaces.push(parser.class_type()?);
            }
            Some(ClassSignature { parameters, superclass, interfaces })
        })
    }
}

impl MethodSignature {
    pub fn parse(text: &str) -> Option<MethodSignature> {
        parse_all(text, |parser| {
            let type_parameters = parser.type_parameters()?;
            parser.expect('(')?;
            let mut parameters = Vec::new();
            while !parser.skip(')') {
                parameters.push(parser.field()?);
            }
            let result = if parser.skip('V') { None } else { Some(parser.field()?) };
            let mut throws = Vec::new();
            while parser.skip('^') {
                throws.push(parser.field()?);
            }
            Some(MethodSignature { type_parameters, parameters, result, throws })
        })
    }
}

fn parse_all<T>(text: &str, parse: impl FnOnce(&mut Parser<'_>) -> Option<T>) -> Option<T> {
    let mut parser = Parser { rest: text, depth: 0 };
    let parsed = parse(&mut parser)?;
    parser.rest.is_empty().then_some(parsed)
}

const MAX_DEPTH: usize = 64;

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn skip(&mut self, expected: char) -> bool {
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, expected: char) -> Option<()> {
        self.skip(expected).then_some(())
    }

    /// Text up to one of the characters that no identifier holds.
    fn identifier(&mut self) -> Option<&'a str> {
        let end = self.rest.find(['.', ';', '[', '<', '>', ':'])?;
        let (identifier, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!identifier.is_empty()).then_some(identifier)
    }

    fn field(&mut self) -> Option<FieldSignature> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let first = *self.rest.as_bytes().first()?;
        let field = match first {
            b'L' => FieldSignature::Class(self.class_type()?),
            b'T' => {
                self.expect('T')?;
                let name = self.identifier()?.to_owned();
                self.expect(';')?;
                FieldSignature::Variable(name)
            }
            b'[' => {
                self.expect('[')?;
                FieldSignature::Array(Box::new(self.field()?))
            }
            letter => {
                let primitive = Primitive::from_descriptor(letter)?;
                self.rest = &self.rest[1..];
                FieldSignature::Primitive(primitive)
            }
        };
        self.depth -= 1;
        Some(field)
    }

    fn class_type(&mut self) -> Option<ClassType> {
        self.expect('L')?;
        let mut name = self.identifier()?.to_owned();
        let mut arguments = self.type_arguments()?;
        let mut outer_arguments = Vec::new();
        while self.skip('.') {
            outer_arguments.push(std::mem::take(&mut arguments));
            name.push('$');
            name.push_str(self.identifier()?);
            arguments = self.type_arguments()?;
        }
        self.expect(';')?;
        Some(ClassType { name, arguments, outer_arguments })
    }

    fn type_arguments(&mut self) -> Option<Vec<TypeArgument>> {
        let mut arguments = Vec::new();
        if self.skip('<') {
            while !self.skip('>') {
                arguments.push(if self.skip('*') {
                    TypeArgument::Any
                } else if self.skip('+') {
                    TypeArgument::Extends(self.field()?)
                } else if self.skip('-') {
                    TypeArgument::Super(self.field()?)
                } else {
                    TypeArgument::Exact(self.field()?)
                });
            }
        }
        Some(arguments)
    }

    fn type_parameters(&mut self) -> Option<Vec<TypeParameter>> {
        let mut parameters = Vec::new();
        if self.skip('<') {
            while !self.skip('>') {
                let name = self.identifier()?.to_owned();
                self.expect(':')?;
                let has_class_bound = !self.rest.starts_with([':', '>']) && self.bound_follows();
                let class_bound = if has_class_bound { Some(self.field()?) } else { None };
                let mut interface_bounds = Vec::new();
                while self.skip(':') {
                    interface_bounds.push(self.field()?);
                }
                parameters.push(TypeParameter { name, class_bound, interface_bounds });
            }
        }
        Some(parameters)
    }

    /// After `T:` comes a bound or, where there is none, directly the next parameter. Only a bound
    /// is a reference type; the next parameter's name runs up to a colon.
    fn bound_follows(&self) -> bool {
        let end = self.rest.find([':', ';', '<', '>', '.']);
        self.rest.starts_with(['L', 'T', '['])
            && end.is_some_and(|end| !self.rest[end..].starts_with(':'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_nested_generic_types() {
        let text = "Lp/Outer<Ljava/lang/String;>.Inner<*+TT;-[I>;";
        let FieldSignature::Class(class) = FieldSignature::parse(text).unwrap() else { panic!() };
        assert_eq!(class.name, "p/Outer$Inner");
        assert_eq!(class.outer_arguments.len(), 1);
        assert_eq!(
            class.arguments,
            [
                TypeArgument::Any,
                TypeArgument::Extends(FieldSignature::Variable("T".into())),
                TypeArgument::Super(FieldSignature::Array(Box::new(FieldSignature::Primitive(
                    Primitive::Int
                )))),
            ]
        );
    }

    #[test]
    fn reads_class_and_method_signatures() {
        let class =
            "<K::Ljava/lang/Comparable<-TK;>;V:Ljava/lang/Object;>Lp/A<TK;>;Lp/I;Lp/J<TV;>;";
        let class = ClassSignature::parse(class).unwrap();
        assert_eq!(class.parameters.len(), 2);
        assert!(class.parameters[0].class_bound.is_none());
        assert_eq!(class.parameters[0].interface_bounds.len(), 1);
        assert_eq!(class.superclass.name, "p/A");
        assert_eq!(class.interfaces.len(), 2);
        let method =
            "<T:Ljava/lang/Object;>(TT;[[JI)Ljava/util/List<TT;>;^Ljava/io/IOException;^TE;";
        let method = MethodSignature::parse(method).unwrap();
        assert_eq!(method.parameters.len(), 3);
        assert_eq!(method.throws.len(), 2);
        assert!(MethodSignature::parse("()V").unwrap().result.is_none());
    }

    #[test]
    fn refuses_what_is_malformed_or_too_deep() {
        for bad in ["", "L", "La", "T;", "Lp/A<;", "Lp/A<I", "V", "II", "Lp/A;x"] {
            assert!(FieldSignature::parse(bad).is_none(), "{bad}");
        }
        assert!(FieldSignature::parse(&("[".repeat(100) + "I")).is_none());
        let deep = "Lp/A<".repeat(1000) + &">;".repeat(1000);
        assert!(FieldSignature::parse(&deep).is_none());
    }
}
