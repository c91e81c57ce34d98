//! Recipes as expressions, with a statement in front where an expression is not enough.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::{Class, Program};

use super::super::literal::Literal;
use super::super::recipe::{Effect, Member, Recipe, Stub, Witness};
use super::super::supply::is_inner;
use super::names::Imports;

pub(super) struct Writer<'p> {
    program: &'p Program,
    pub(super) imports: Imports<'p>,
    pub(super) lines: Vec<String>,
    /// Local variables of shared objects.
    shared: BTreeMap<u32, String>,
    n_locals: usize,
    /// Whether the text calls `stub`.
    pub(super) has_stubs: bool,
}

impl<'p> Writer<'p> {
    pub(super) fn new(program: &'p Program, package: Option<String>) -> Writer<'p> {
        Writer {
            program,
            imports: Imports::new(program, package),
            lines: Vec::new(),
            shared: BTreeMap::new(),
            n_locals: 0,
            has_stubs: false,
        }
    }

    /// Declares the objects of a witness.
    pub(super) fn declare(&mut self, witness: &Witness) {
        for (name, recipe) in witness.names.iter().zip(&witness.objects) {
            self.define(name, recipe);
        }
    }

    /// `Type name = ...;`, and the effects on it.
    fn define(&mut self, name: &str, recipe: &Recipe) {
        // An object that is named here first needs no other name.
        if let Recipe::Shared(number, inner) = recipe
            && !self.shared.contains_key(number)
        {
            self.define(name, inner);
            self.shared.insert(*number, name.to_owned());
            return;
        }
        let ty = self.declared_type(recipe);
        if let Recipe::After { object, effects } = recipe {
            match &**object {
                Recipe::Shared(number, _) if !self.shared.contains_key(number) => {
                    self.define(name, object);
                }
                object => {
                    let object = self.expression(object);
                    self.lines.push(format!("{ty} {name} = {object};"));
                }
            }
            for effect in effects {
                let statement = self.effect(name, effect);
                self.lines.push(statement);
            }
            return;
        }
        let value = self.expression(recipe);
        self.lines.push(format!("{ty} {name} = {value};"));
    }

    /// A statement that does something to a variable.
    pub(super) fn effect(&mut self, name: &str, effect: &Effect) -> String {
        match effect {
            Effect::Call { method, arguments } => {
                let arguments = self.arguments(method, arguments);
                format!("{name}.{}({arguments});", method.name)
            }
            Effect::Put { field, value } => {
                let value = self.typed(value, &field.descriptor);
                format!("{name}.{} = {value};", field.name)
            }
            Effect::Store { index, value } => {
                let value = self.expression(value);
                format!("{name}[{index}] = {value};")
            }
            Effect::Elsewhere { object, effect } => {
                let name = self.expression(object);
                self.effect(&name, effect)
            }
        }
    }

    fn expression(&mut self, recipe: &Recipe) -> String {
        match recipe {
            Recipe::Null => "null".to_owned(),
            Recipe::Literal(literal) | Recipe::Boxed(literal) => literal_text(*literal),
            Recipe::Text(units) => string_text(units),
            Recipe::Class(descriptor) => format!("{}.class", self.imports.ty(descriptor)),
            Recipe::New { constructor, arguments } => self.creation(constructor, arguments),
            Recipe::Static { method, arguments } => {
                let class = self.imports.class(&method.class);
                let arguments = self.arguments(method, arguments);
                format!("{class}.{}({arguments})", method.name)
            }
            Recipe::Call { receiver, method, arguments } => {
                let receiver = self.expression(receiver);
                let arguments = self.arguments(method, arguments);
                format!("{receiver}.{}({arguments})", method.name)
            }
            Recipe::Constant(field) => {
                format!("{}.{}", self.imports.class(&field.class), field.name)
            }
            Recipe::Array { component, items } => {
                let ty = self.imports.ty(component);
                let (element, brackets) = ty.split_at(ty.find('[').unwrap_or(ty.len()));
                let (element, brackets) = (element.to_owned(), brackets.to_owned());
                if items.is_empty() {
                    return format!("new {element}[0]{brackets}");
                }
                let items: Vec<String> =
                    items.iter().map(|item| self.typed(item, component)).collect();
                format!("new {element}[]{brackets}{{{}}}", items.join(", "))
            }
            Recipe::After { .. } => {
                let name = self.new_local();
                self.define(&name, recipe);
                name
            }
            Recipe::Stub(stub) => self.stub(stub),
            Recipe::Shared(number, inner) => {
                if let Some(name) = self.shared.get(number) {
                    return name.clone();
                }
                let name = self.new_local();
                self.define(&name, inner);
                self.shared.insert(*number, name.clone());
                name
            }
        }
    }

    /// `stub(I.class)`, and what its methods answer by their names.
    fn stub(&mut self, stub: &Stub) -> String {
        self.has_stubs = true;
        let mut text = format!("stub({}.class", self.imports.class(&stub.interface));
        for reply in &stub.replies {
            let result = reply.descriptor.rsplit(')').next().unwrap_or_default();
            text += &format!(", \"{}\", {}", reply.method, self.typed(&reply.value, result));
        }
        text + ")"
    }

    fn new_local(&mut self) -> String {
        const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let at = self.n_locals;
        self.n_locals += 1;
        NAMES.get(at).map_or_else(|| format!("v{at}"), |name| (*name).to_owned())
    }

    /// `new C(...)`, or `outer.new C(...)` for an inner class.
    fn creation(&mut self, constructor: &Member, arguments: &[Arc<Recipe>]) -> String {
        let class = self.imports.class(&constructor.class);
        if let (true, Some((outer, rest))) =
            (self.is_inner(&constructor.class), arguments.split_first())
        {
            let outer = self.expression(outer);
            let parameters = parameters(&constructor.descriptor);
            let rest: Vec<String> = rest
                .iter()
                .zip(parameters.iter().skip(1))
                .map(|(recipe, ty)| self.typed(recipe, ty))
                .collect();
            let simple = class.rsplit('.').next().unwrap_or(&class);
            return format!("{outer}.new {simple}({})", rest.join(", "));
        }
        let arguments = self.arguments(constructor, arguments);
        format!("new {class}({arguments})")
    }

    fn is_inner(&self, internal: &str) -> bool {
        self.class(internal).is_some_and(|class| is_inner(self.program, class))
    }

    fn arguments(&mut self, member: &Member, arguments: &[Arc<Recipe>]) -> String {
        // The one array of a varargs call reads better without the array.
        if let ("java/util/Arrays", "asList", [list]) = (&*member.class, &*member.name, arguments)
            && let Recipe::Array { items, .. } = &**list
            && !(items.len() == 1 && *items[0] == Recipe::Null)
        {
            let items: Vec<String> = items.iter().map(|item| self.expression(item)).collect();
            return items.join(", ");
        }
        let types = parameters(&member.descriptor);
        let is_overloaded = self.is_overloaded(member, types.len());
        let texts: Vec<String> = arguments
            .iter()
            .zip(&types)
            .map(|(recipe, ty)| {
                let text = self.typed(recipe, ty);
                let natural = natural_type(recipe);
                if is_overloaded && natural.as_deref() != Some(ty) {
                    format!("({}) {text}", self.imports.ty(ty))
                } else {
                    text
                }
            })
            .collect();
        texts.join(", ")
    }

    /// An expression in the place of this type: small integers need a cast.
    fn typed(&mut self, recipe: &Recipe, ty: &str) -> String {
        let text = self.expression(recipe);
        match recipe {
            Recipe::Literal(Literal::Byte(_)) => format!("(byte) {text}"),
            Recipe::Literal(Literal::Short(_)) => format!("(short) {text}"),
            Recipe::Boxed(Literal::Byte(_)) => format!("Byte.valueOf((byte) {text})"),
            Recipe::Boxed(Literal::Short(_)) => format!("Short.valueOf((short) {text})"),
            Recipe::Static { .. } if ty.is_empty() => text,
            Recipe::Null
            | Recipe::Literal(_)
            | Recipe::Boxed(_)
            | Recipe::Text(_)
            | Recipe::Class(_)
            | Recipe::New { .. }
            | Recipe::Static { .. }
            | Recipe::Call { .. }
            | Recipe::Constant(_)
            | Recipe::Array { .. }
            | Recipe::After { .. }
            | Recipe::Stub(_)
            | Recipe::Shared(..) => text,
        }
    }

    /// Whether another method of that name takes as many arguments.
    fn is_overloaded(&self, member: &Member, n_parameters: usize) -> bool {
        let Some(class) = self.class(&member.class) else { return false };
        let names = &self.program.names;
        let same = class.methods.iter().filter(|method| {
            names.text(method.name) == *member.name
                && !method.access_flags.is_synthetic()
                && parameters(&names.text(method.descriptor)).len() == n_parameters
        });
        same.count() > 1
    }

    /// Whether the compiler has more than one `equals` to choose from for this object.
    pub(super) fn has_overload(&self, recipe: &Recipe) -> bool {
        let program = self.program;
        let ty = natural_type(recipe).unwrap_or_default();
        let internal = ty.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
        let Some(class) = internal.and_then(|internal| self.class(internal)) else { return false };
        let chain = program.ancestry(class).superclasses.iter().filter_map(|&id| program.class(id));
        let mut methods = chain.flat_map(|class| class.methods.iter());
        methods.any(|method| {
            let descriptor = program.names.text(method.descriptor);
            program.names.bytes(method.name) == b"equals"
                && descriptor != "(Ljava/lang/Object;)Z"
                && parameters(&descriptor).len() == 1
        })
    }

    fn class(&self, internal: &str) -> Option<&'p Class> {
        self.program.class(self.program.find_class_text(internal)?)
    }

    /// The type that a variable for the value is declared with.
    fn declared_type(&mut self, recipe: &Recipe) -> String {
        match recipe {
            Recipe::After { object, .. } | Recipe::Shared(_, object) => self.declared_type(object),
            Recipe::New { .. }
            | Recipe::Static { .. }
            | Recipe::Call { .. }
            | Recipe::Constant(_)
            | Recipe::Null
            | Recipe::Literal(_)
            | Recipe::Boxed(_)
            | Recipe::Text(_)
            | Recipe::Class(_)
            | Recipe::Stub(_)
            | Recipe::Array { .. } => {
                let ty = natural_type(recipe).unwrap_or_else(|| "Ljava/lang/Object;".to_owned());
                self.imports.ty(&ty)
            }
        }
    }
}

/// The descriptor of the type that the compiler gives to the expression; `None` for null.
fn natural_type(recipe: &Recipe) -> Option<String> {
    let result = |descriptor: &str| descriptor.rsplit(')').next().map(str::to_owned);
    Some(match recipe {
        Recipe::Null => return None,
        Recipe::Literal(literal) => primitive_descriptor(*literal).to_owned(),
        Recipe::Boxed(literal) => box_descriptor(*literal).to_owned(),
        Recipe::Text(_) => "Ljava/lang/String;".to_owned(),
        Recipe::Class(_) => "Ljava/lang/Class;".to_owned(),
        Recipe::New { constructor, .. } => format!("L{};", constructor.class),
        Recipe::Static { method, .. } | Recipe::Call { method, .. } => {
            return result(&method.descriptor);
        }
        Recipe::Constant(field) => field.descriptor.to_string(),
        Recipe::Array { component, .. } => format!("[{component}"),
        Recipe::Stub(stub) => format!("L{};", stub.interface),
        Recipe::After { object, .. } | Recipe::Shared(_, object) => return natural_type(object),
    })
}

fn primitive_descriptor(literal: Literal) -> &'static str {
    match literal {
        Literal::Boolean(_) => "Z",
        Literal::Byte(_) => "B",
        Literal::Char(_) => "C",
        Literal::Short(_) => "S",
        Literal::Int(_) => "I",
        Literal::Long(_) => "J",
        Literal::Float(_) => "F",
        Literal::Double(_) => "D",
    }
}

fn box_descriptor(literal: Literal) -> &'static str {
    match literal {
        Literal::Boolean(_) => "Ljava/lang/Boolean;",
        Literal::Byte(_) => "Ljava/lang/Byte;",
        Literal::Char(_) => "Ljava/lang/Character;",
        Literal::Short(_) => "Ljava/lang/Short;",
        Literal::Int(_) => "Ljava/lang/Integer;",
        Literal::Long(_) => "Ljava/lang/Long;",
        Literal::Float(_) => "Ljava/lang/Float;",
        Literal::Double(_) => "Ljava/lang/Double;",
    }
}

/// The descriptors of the parameters.
pub(super) fn parameters(descriptor: &str) -> Vec<String> {
    let mut found = Vec::new();
    let inner = descriptor.strip_prefix('(').and_then(|rest| rest.split(')').next());
    let mut rest = inner.unwrap_or_default().as_bytes();
    while let Some((first, tail)) = program::split_field(rest) {
        found.push(String::from_utf8_lossy(first).into_owned());
        rest = tail;
    }
    found
}

pub(crate) fn literal_text(literal: Literal) -> String {
    match literal {
        Literal::Boolean(value) => value.to_string(),
        Literal::Byte(value) => value.to_string(),
        Literal::Short(value) => value.to_string(),
        Literal::Char(unit) => format!("'{}'", unit_text(unit, '\'')),
        Literal::Int(i32::MAX) => "Integer.MAX_VALUE".to_owned(),
        Literal::Int(i32::MIN) => "Integer.MIN_VALUE".to_owned(),
        Literal::Int(value) => value.to_string(),
        Literal::Long(i64::MAX) => "Long.MAX_VALUE".to_owned(),
        Literal::Long(i64::MIN) => "Long.MIN_VALUE".to_owned(),
        Literal::Long(value) => format!("{value}L"),
        Literal::Float(bits) => {
            real_text(f32::from_bits(bits).into(), f32::MAX.into(), "Float", "f", || {
                format!("{:?}", f32::from_bits(bits))
            })
        }
        Literal::Double(bits) => real_text(f64::from_bits(bits), f64::MAX, "Double", "", || {
            format!("{:?}", f64::from_bits(bits))
        }),
    }
}

fn real_text(
    value: f64,
    largest: f64,
    class: &str,
    suffix: &str,
    digits: impl Fn() -> String,
) -> String {
    if value.is_nan() {
        format!("{class}.NaN")
    } else if value == largest {
        format!("{class}.MAX_VALUE")
    } else if value.is_infinite() {
        let word = if value > 0.0 { "POSITIVE_INFINITY" } else { "NEGATIVE_INFINITY" };
        format!("{class}.{word}")
    } else {
        format!("{}{suffix}", digits())
    }
}

pub(crate) fn string_text(units: &[u16]) -> String {
    let text: String = units.iter().map(|&unit| unit_text(unit, '"')).collect();
    format!("\"{text}\"")
}

fn unit_text(unit: u16, quote: char) -> String {
    match u8::try_from(unit).map(char::from) {
        Ok('\n') => "\\n".to_owned(),
        Ok('\t') => "\\t".to_owned(),
        Ok('\r') => "\\r".to_owned(),
        Ok('\\') => "\\\\".to_owned(),
        Ok(c) if c == quote => format!("\\{c}"),
        Ok(c) if (' '..='~').contains(&c) => c.to_string(),
        Ok(_) | Err(_) => format!("\\u{unit:04x}"),
    }
}
