//! Inputs beyond the usual ones that tell two versions apart: the neighbours of numbers that either
//! mentions, arrays and texts longer than these, copies that are equal but not the same, stubs that
//! note who calls them, objects of the types that the code asks about.

use std::sync::Arc;

use program::ir::{Const, Op};
use program::{Class, Element, MethodId, Name, Primitive, Program, Role, World};

use crate::witness::supply::{Argument, Want};
use crate::witness::{Access, Effect, Literal, Member, Recipe};

const MOST_NUMBERS: usize = 8;
const MOST_TEXTS: usize = 6;
const MOST_CLASSES: usize = 6;
const MOST_LENGTH: usize = 2_000;
/// Lengths of what is tried on a JVM alone.
const LARGE: [usize; 2] = [100, 1_000];

/// What the code of both versions mentions.
#[derive(Debug, Default)]
pub(super) struct Mentioned {
    numbers: Vec<i64>,
    texts: Vec<Vec<u16>>,
    /// By internal name: of types that it tests or casts to, and of judged types below them.
    classes: Vec<String>,
}

impl Mentioned {
    pub(super) fn in_versions(versions: [(&Program, MethodId); 2], world: &World) -> Mentioned {
        let mut found = Mentioned::default();
        for (program, method) in versions {
            let Ok(Some(body)) = program.lower(method) else { continue };
            for instruction in &body.instructions {
                if let Op::Const(constant) = instruction.op {
                    found.add_constant(program, constant);
                } else if let Op::InstanceOf(ty, _) | Op::CheckCast(ty, _) = instruction.op
                    && let Element::Class(name) = ty.element
                    && ty.dimensions == 0
                {
                    found.add_class(program, name);
                }
            }
        }
        let [(old, _), _] = versions;
        for name in found.classes.clone() {
            let Some(id) = old.find_class_text(&name) else { continue };
            for subtype in world.subtypes(id) {
                found.add_class(old, old.class_name(subtype));
            }
        }
        found
    }

    fn add_constant(&mut self, program: &Program, constant: Const) {
        match constant {
            Const::Int(value) => push_new(&mut self.numbers, value.into(), MOST_NUMBERS),
            Const::Long(value) => push_new(&mut self.numbers, value, MOST_NUMBERS),
            Const::Float(bits) => {
                push_new(&mut self.numbers, f32::from_bits(bits) as i64, MOST_NUMBERS);
            }
            Const::Double(bits) => {
                push_new(&mut self.numbers, f64::from_bits(bits) as i64, MOST_NUMBERS);
            }
            Const::String(text) => {
                push_new(&mut self.texts, program.names.utf16(program.literal(text)), MOST_TEXTS);
            }
            Const::Null | Const::Class(_) | Const::MethodType(_) | Const::Dynamic(..) => {}
        }
    }

    fn add_class(&mut self, program: &Program, name: Name) {
        push_new(&mut self.classes, program.names.text(name).into_owned(), MOST_CLASSES);
    }

    pub(super) fn numbers(&self) -> &[i64] {
        &self.numbers
    }

    /// Types of which objects may be passed for any object.
    pub(super) fn wants(&self, program: &Program) -> Vec<Want> {
        let names = self.classes.iter().filter_map(|name| {
            let id = program.find_class_text(name)?;
            Some(Want::class(program.class_name(id)))
        });
        names.collect()
    }

    /// Further values of a type.
    pub(super) fn inputs(&self, program: &Program, want: &Want) -> Vec<Arc<Recipe>> {
        let made: Vec<Recipe> = match want {
            Want::Primitive(primitive) => {
                self.literals(*primitive).into_iter().map(Recipe::Literal).collect()
            }
            Want::Array(component) => {
                let mut made = self.arrays(program, component, &self.lengths());
                made.extend(narrower(program, component));
                made
            }
            Want::Class { name, arguments, is_raw } => {
                let arguments = if *is_raw { &[] } else { &arguments[..] };
                let arguments = arguments.iter().map(Argument::want).collect::<Option<Vec<_>>>();
                self.objects(program, *name, &arguments.unwrap_or_default())
            }
        };
        made.into_iter().map(Arc::new).collect()
    }

    /// Further objects of a class.
    fn objects(&self, program: &Program, name: Name, arguments: &[&Want]) -> Vec<Recipe> {
        match &*program.names.text(name) {
            "java/lang/String" | "java/lang/CharSequence" => self.texts(),
            "java/lang/Object" => [self.texts(), lookalikes()].concat(),
            // The last ones are no numbers, and the very last compares itself to nothing.
            "java/lang/Comparable" => lookalikes().into_iter().take(4).collect(),
            "java/lang/Number" => lookalikes().into_iter().take(3).collect(),
            "java/lang/Integer" => boxes(|it| Literal::Int(it as i32)),
            "java/lang/Long" => boxes(Literal::Long),
            "java/util/List"
            | "java/util/Collection"
            | "java/lang/Iterable"
            | "java/util/ArrayList" => match arguments {
                [element] => self.lists(program, element),
                _ => Vec::new(),
            },
            "java/util/Map" | "java/util/HashMap" => match arguments {
                [key, value] => self.maps(program, key, value),
                _ => Vec::new(),
            },
            _ => stub(program, name),
        }
    }

    /// Lists with equal elements that are not the same, and with null.
    fn lists(&self, program: &Program, element: &Want) -> Vec<Recipe> {
        let items = self.elements(program, element);
        if items.is_empty() {
            return Vec::new();
        }
        let list = |items: Vec<Arc<Recipe>>| {
            let add =
                |item| call("java/util/ArrayList", "add", "(Ljava/lang/Object;)Z", vec![item]);
            filled("java/util/ArrayList", items.into_iter().map(add).collect())
        };
        let twice = items.iter().take(2).flat_map(|it| [it.clone(), it.clone()]);
        let null = Arc::new(Recipe::Null);
        vec![
            list(twice.collect()),
            list(items.iter().take(5).cloned().collect()),
            list(vec![items[0].clone(), null, items[items.len() - 1].clone()]),
        ]
    }

    /// Maps in which keys lead to something, and to null.
    fn maps(&self, program: &Program, key: &Want, value: &Want) -> Vec<Recipe> {
        let (keys, mut values) = (self.elements(program, key), self.elements(program, value));
        values.insert(0, Arc::new(Recipe::Null));
        let put = |key: &Arc<Recipe>, value: &Arc<Recipe>| {
            let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            call("java/util/HashMap", "put", descriptor, vec![key.clone(), value.clone()])
        };
        let map = |effects| filled("java/util/HashMap", effects);
        let all_null = keys.iter().take(12).map(|key| put(key, &values[0]));
        let mixed = keys.iter().zip(values.iter().skip(1).cycle());
        vec![
            map(all_null.collect()),
            map(mixed.take(12).map(|(key, value)| put(key, value)).collect()),
        ]
    }

    /// What to put into a collection: by its type argument, the shortest first.
    fn elements(&self, program: &Program, want: &Want) -> Vec<Arc<Recipe>> {
        let Want::Class { name, arguments, .. } = want else { return Vec::new() };
        match &*program.names.text(*name) {
            "java/lang/String" | "java/lang/CharSequence" | "java/lang/Object" => {
                let text = |text: &str| Recipe::Text(text.encode_utf16().collect());
                let short = ["a", "b"].map(text).into_iter();
                short.chain(self.texts().into_iter().take(10)).map(Arc::new).collect()
            }
            _ if arguments.is_empty() => self.inputs(program, want),
            _ => Vec::new(),
        }
    }

    /// Longer things than a machine of our own has time for: turns that come late.
    pub(super) fn large(&self, program: &Program, want: &Want) -> Vec<Arc<Recipe>> {
        let made: Vec<Recipe> = match want {
            Want::Primitive(primitive @ (Primitive::Int | Primitive::Long)) => [50, 1_000, 70_000]
                .map(|it| match primitive {
                    Primitive::Long => Literal::Long(it),
                    _ => Literal::Int(it as i32),
                })
                .map(Recipe::Literal)
                .to_vec(),
            Want::Primitive(_) => Vec::new(),
            Want::Array(component) => self.arrays(program, component, &LARGE),
            Want::Class { name, .. } => match &*program.names.text(*name) {
                "java/lang/String" | "java/lang/CharSequence" => {
                    LARGE.iter().map(|&length| letters(length)).collect()
                }
                _ => Vec::new(),
            },
        };
        made.into_iter().map(Arc::new).collect()
    }

    fn near(&self) -> impl Iterator<Item = i64> + '_ {
        let near = self.numbers.iter().flat_map(|&it| [it.wrapping_add(1), it, it.wrapping_sub(1)]);
        near.chain([3, 7, 100])
    }

    fn literals(&self, primitive: Primitive) -> Vec<Literal> {
        match primitive {
            Primitive::Boolean => Vec::new(),
            Primitive::Byte => self.near().map(|it| Literal::Byte(it as i8)).collect(),
            Primitive::Char => {
                // Digits, letters and spaces beyond ASCII, half a character, and letters of two cases.
                let odd = [0x660, 0x130, 0xdf, 0x2003, 0xd83d, 0x61, 0x5a, 0x35, 0x20, 0x1c5];
                self.near().chain(odd).map(|it| Literal::Char(it as u16)).collect()
            }
            Primitive::Short => self.near().map(|it| Literal::Short(it as i16)).collect(),
            Primitive::Int => self.near().map(|it| Literal::Int(it as i32)).collect(),
            Primitive::Long => self.near().map(Literal::Long).collect(),
            Primitive::Float => {
                let odd = [0.1, 0.499_999_97, 1e-40, 8_388_609.0, 16_777_216.0, 3.4e38];
                self.near().map(|it| it as f32).chain(odd).map(Literal::float).collect()
            }
            Primitive::Double => {
                let odd = [
                    0.1,
                    0.499_999_999_999_999_94,
                    1e-320,
                    4_503_599_627_370_497.0,
                    9_007_199_254_740_992.0,
                    1.7e308,
                ];
                self.near().map(|it| it as f64).chain(odd).map(Literal::double).collect()
            }
        }
    }

    /// A few lengths beyond what the code mentions.
    fn lengths(&self) -> Vec<usize> {
        let mentioned = self.numbers.iter().filter_map(|&it| usize::try_from(it).ok());
        let mut lengths: Vec<usize> =
            mentioned.filter(|&it| it > 0 && it < MOST_LENGTH).map(|it| it + 2).collect();
        lengths.extend([3, 40]);
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    fn arrays(&self, program: &Program, component: &Want, lengths: &[usize]) -> Vec<Recipe> {
        let Some((descriptor, items)) = self.items(program, component) else { return Vec::new() };
        if items.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for &length in lengths {
            for stride in [1, items.len() - 1] {
                let items = (0..length).map(|at| items[at * stride % items.len()].clone());
                let component = descriptor.clone();
                found.push(Recipe::Array { component, items: items.collect() });
            }
        }
        found
    }

    fn items(&self, program: &Program, component: &Want) -> Option<(Arc<str>, Vec<Arc<Recipe>>)> {
        let (descriptor, items): (String, Vec<Recipe>) = match component {
            Want::Primitive(primitive) => {
                let literals = extremes(*primitive).into_iter().chain(self.literals(*primitive));
                (primitive.descriptor().to_string(), literals.map(Recipe::Literal).collect())
            }
            Want::Class { name, .. } => match &*program.names.text(*name) {
                text @ ("java/lang/String" | "java/lang/Object") => {
                    (format!("L{text};"), self.texts())
                }
                _ => return None,
            },
            Want::Array(_) => return None,
        };
        Some((descriptor.into(), items.into_iter().map(Arc::new).collect()))
    }

    fn texts(&self) -> Vec<Recipe> {
        let mut texts: Vec<Vec<u16>> = Vec::new();
        let odd = ["\u{2003} a\t", "\u{1f600}", "\u{130}i", "aXbXc", "\u{df}"];
        let numbers = ["2147483648", "-2147483648", "007"];
        // The same hash.
        let alike = ["Aa", "BB"];
        for units in self.texts.iter().cloned().chain(odd.map(|it| it.encode_utf16().collect())) {
            let padded = [&[u16::from(b' ')][..], &units, &units].concat();
            texts.extend([units, padded]);
        }
        texts.extend(alike.into_iter().chain(numbers).map(|it| it.encode_utf16().collect()));
        let long = self.lengths().into_iter().map(letters);
        let copies = self.texts.iter().take(2).cloned().chain([vec![u16::from(b'a')]]).map(copy);
        let literals = texts.into_iter().map(|units| Recipe::Text(units.into()));
        copies.collect::<Vec<_>>().into_iter().chain(literals).chain(long).collect()
    }
}

fn letters(length: usize) -> Recipe {
    Recipe::Text((0..length).map(|at| u16::from(b'a') + (at % 26) as u16).collect())
}

fn extremes(primitive: Primitive) -> Vec<Literal> {
    match primitive {
        Primitive::Byte => vec![Literal::Byte(i8::MIN), Literal::Byte(i8::MAX)],
        Primitive::Short => vec![Literal::Short(i16::MIN), Literal::Short(i16::MAX)],
        Primitive::Int => [i32::MIN, i32::MAX, -1, 0].map(Literal::Int).to_vec(),
        Primitive::Long => [i64::MIN, i64::MAX, -1, 0].map(Literal::Long).to_vec(),
        Primitive::Boolean => vec![Literal::Boolean(true), Literal::Boolean(false)],
        Primitive::Char => Vec::new(),
        Primitive::Float => vec![Literal::float(f32::NAN), Literal::float(-0.0)],
        Primitive::Double => vec![Literal::double(f64::NAN), Literal::double(-0.0)],
    }
}

/// Boxes of numbers that no cache holds.
fn boxes(literal: impl Fn(i64) -> Literal) -> Vec<Recipe> {
    [1_000, -129, 0, 127].map(|it| Recipe::Boxed(literal(it))).to_vec()
}

/// Arrays of a narrower type than the parameter's.
fn narrower(program: &Program, component: &Want) -> Vec<Recipe> {
    let Want::Class { name, .. } = component else { return Vec::new() };
    match &*program.names.text(*name) {
        "java/lang/Object" | "java/lang/CharSequence" | "java/lang/Comparable" => {
            let items = vec![Arc::new(letters(1)), Arc::new(letters(2))];
            vec![Recipe::Array { component: "Ljava/lang/String;".into(), items }]
        }
        _ => Vec::new(),
    }
}

/// Objects that look like others: equal by one method of theirs and not by the other.
fn lookalikes() -> Vec<Recipe> {
    let text = |text: &str| vec![Arc::new(Recipe::Text(text.encode_utf16().collect()))];
    let new = |class: &str, arguments| Recipe::New {
        constructor: public(class, "<init>", "(Ljava/lang/String;)V"),
        arguments,
    };
    vec![
        new("java/math/BigDecimal", text("1.0")),
        new("java/math/BigDecimal", text("1.00")),
        Recipe::Boxed(Literal::Int(1_000)),
        new("java/lang/String", text("a")),
        new("java/lang/StringBuilder", text("a")),
    ]
}

fn public(class: &str, name: &str, descriptor: &str) -> Member {
    Member {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        access: Access::Public,
        on_interface: false,
    }
}

fn call(class: &str, name: &str, descriptor: &str, arguments: Vec<Arc<Recipe>>) -> Effect {
    Effect::Call { method: public(class, name, descriptor), arguments }
}

/// A new collection after these effects.
fn filled(class: &str, effects: Vec<Effect>) -> Recipe {
    let constructor = public(class, "<init>", "()V");
    let object = Arc::new(Recipe::New { constructor, arguments: Vec::new() });
    Recipe::After { object, effects }
}

/// A string that is equal to a literal but not the same object.
pub(super) fn copy(units: Vec<u16>) -> Recipe {
    let constructor = public("java/lang/String", "<init>", "(Ljava/lang/String;)V");
    Recipe::New { constructor, arguments: vec![Arc::new(Recipe::Text(units.into()))] }
}

fn stub(program: &Program, name: Name) -> Vec<Recipe> {
    let class = program.find_class(name).and_then(|id| program.class(id));
    let is_open = class.is_some_and(|class| {
        class.is_interface()
            && class.access_flags.is_public()
            && matches!(class.file.permitted_subclasses(), Ok(None))
            && (program.role(class.id) != Role::Platform || promises_nothing(program, class))
    });
    if is_open { vec![Recipe::Stub(program.names.text(name).into())] } else { Vec::new() }
}

/// Whether an interface of the platform is a function of any kind. Others promise how their methods go
/// together, `size` with `isEmpty`, and answers without regard to that are no answers of theirs.
fn promises_nothing(program: &Program, class: &Class) -> bool {
    let ancestry = program.ancestry(class);
    let all = ancestry.interfaces.iter().filter_map(|&id| program.class(id));
    let methods = all.flat_map(|class| class.methods().map(|(_, method)| method));
    let results: Vec<u8> = methods
        .filter(|method| method.access_flags.is_abstract())
        .filter(|method| program.names.bytes(method.name) != b"equals")
        .filter_map(|method| {
            let descriptor = program.names.bytes(method.descriptor);
            let at = descriptor.iter().position(|&byte| byte == b')')?;
            let is_reference = descriptor[at + 1..] == *b"Ljava/lang/Object;";
            Some(if is_reference { b'V' } else { descriptor[at + 1] })
        })
        .collect();
    matches!(results[..], [result] if result != b'L' && result != b'[')
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, value: T, limit: usize) {
    if list.len() < limit && !list.contains(&value) {
        list.push(value);
    }
}
