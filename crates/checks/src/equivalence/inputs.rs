//! Inputs beyond the usual ones that tell two versions apart: the neighbours of numbers that either
//! mentions, arrays and texts longer than these, copies that are equal but not the same, stubs that
//! note who calls them, objects of the types that the code asks about.

use std::sync::Arc;

use program::ir::{CallSite, Const, MethodRef, Op};
use program::{Element, MethodId, Name, Primitive, Program, World};

use super::stubs::plain_stub;
use super::texts::Words;
use crate::witness::supply::{Argument, Want};
use crate::witness::{Access, Effect, Literal, Member, Recipe};

const MOST_NUMBERS: usize = 8;
const MOST_TEXTS: usize = 6;
const MOST_CLASSES: usize = 6;
/// Bodies that are looked into: the method itself, and what it calls of its own class.
const MOST_BODIES: usize = 6;
const MOST_LENGTH: usize = 2_000;
/// Lengths of what is tried on a JVM alone.
const LARGE: [usize; 2] = [100, 1_000];

/// Numbers as measurements give them: sums and products of these are rounded.
const USUAL_REALS: [f64; 7] = [1.7, 5.9, 0.3, -3.7, 12.34, 0.003, 0.1];

/// What the code of both versions mentions.
#[derive(Debug, Default)]
pub(super) struct Mentioned {
    numbers: Vec<i64>,
    words: Words,
    /// By internal name: of types that it tests or casts to, and of judged types below them.
    classes: Vec<String>,
}

impl Mentioned {
    pub(super) fn in_versions(versions: [(&Program, MethodId); 2], world: &World) -> Mentioned {
        let mut found = Mentioned::default();
        for (program, method) in versions {
            let (mut left, mut next) = (vec![method], 0);
            while next < left.len().min(MOST_BODIES) {
                found.add_body(program, left[next], &mut left);
                next += 1;
            }
        }
        found.words.marks =
            found.numbers.iter().filter_map(|&it| u16::try_from(it).ok()).filter(is_mark).collect();
        let [(old, _), _] = versions;
        for name in found.classes.clone() {
            let Some(id) = old.find_class_text(&name) else { continue };
            for subtype in world.subtypes(id) {
                found.add_class(old, old.class_name(subtype));
            }
        }
        found
    }

    /// What a body mentions; of the methods of its class, those that it calls are added to the list.
    fn add_body(&mut self, program: &Program, method: MethodId, left: &mut Vec<MethodId>) {
        let Ok(Some(body)) = program.lower(method) else { return };
        let mut asks_for_hash = false;
        let lambdas = body.call_sites.iter().filter_map(|site| match site {
            CallSite::Lambda(lambda) => Some(lambda.implementation.member),
            _ => None,
        });
        let mut called: Vec<MethodRef> = lambdas.collect();
        for instruction in &body.instructions {
            match instruction.op {
                Op::Const(constant) => self.add_constant(program, constant),
                Op::InstanceOf(ty, _) | Op::CheckCast(ty, _) => {
                    if let (Element::Class(name), 0) = (ty.element, ty.dimensions) {
                        self.add_class(program, name);
                    }
                }
                Op::Invoke { method, .. } => {
                    asks_for_hash |= program.names.bytes(method.name) == b"hashCode";
                    self.words.add_constants(program, method.class);
                    called.push(method);
                }
                _ => {}
            }
        }
        if asks_for_hash {
            let rare = self.numbers.iter().filter_map(|&it| i32::try_from(it).ok());
            self.words.hashes = rare.filter(|it| it.unsigned_abs() > MOST_LENGTH as u32).collect();
        }
        for call in called {
            let found = program.resolve_method(call.class, call.name, call.descriptor).found();
            left.extend(found.filter(|it| it.class == method.class && !left.contains(it)));
        }
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
                let text = program.names.utf16(program.literal(text));
                push_new(&mut self.words.texts, text, MOST_TEXTS);
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
            "java/lang/Object" => [vec![plain_object()], self.texts(), lookalikes()].concat(),
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
            _ => Vec::new(),
        }
    }

    /// Lists with equal elements that are not the same, and with null.
    fn lists(&self, program: &Program, element: &Want) -> Vec<Recipe> {
        let items = self.elements(program, element);
        if items.is_empty() {
            return Vec::new();
        }
        let twice = items.iter().take(6).flat_map(|it| [it.clone(), it.clone()]);
        let null = Arc::new(Recipe::Null);
        let last = items[items.len() - 1].clone();
        vec![
            list(twice.collect()),
            list(items.iter().take(6).cloned().collect()),
            list(vec![last.clone(), items[0].clone()]),
            list(vec![items[0].clone(), null.clone(), last]),
            list(vec![null]),
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
                let texts = short.chain(self.texts().into_iter().take(10));
                // An empty one before others is easily overlooked.
                texts.chain([text("")]).map(Arc::new).collect()
            }
            _ if arguments.is_empty() => {
                let stub = plain_stub(program, *name).map(Arc::new);
                self.inputs(program, want).into_iter().chain(stub).collect()
            }
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
                let usual = USUAL_REALS.map(|it| it as f32);
                let all = self.near().map(|it| it as f32).chain(odd).chain(usual);
                all.map(Literal::float).collect()
            }
            Primitive::Double => {
                let odd = [
                    0.1,
                    0.499_999_999_999_999_94,
                    1e-320,
                    // Of which the square is lost beside one, and the square is too much.
                    1.5e-8,
                    1.4e154,
                    4_503_599_627_370_497.0,
                    9_007_199_254_740_992.0,
                    1.7e308,
                ];
                let all = self.near().map(|it| it as f64).chain(odd).chain(USUAL_REALS);
                all.map(Literal::double).collect()
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
            found.extend(measurements(component, length));
            found.extend(overflowing(component, length));
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
        let long = self.lengths().into_iter().map(letters);
        let mentioned = self.words.texts.iter().take(2).cloned();
        let copies = mentioned.chain([vec![u16::from(b'a')]]).map(copy);
        copies.chain(self.words.all().into_iter().map(Recipe::Text)).chain(long).collect()
    }
}

/// Whether a number may be a character that separates something.
fn is_mark(unit: &u16) -> bool {
    (33..127).contains(unit) && !char::from(*unit as u8).is_ascii_alphanumeric()
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

/// An array of numbers none of which spoils a sum.
fn measurements(component: &Want, length: usize) -> Option<Recipe> {
    let Want::Primitive(primitive) = component else { return None };
    let literal: fn(f64) -> Literal = match primitive {
        Primitive::Float => |it| Literal::float(it as f32),
        Primitive::Double => Literal::double,
        _ => return None,
    };
    let items = USUAL_REALS.iter().cycle().take(length);
    let items = items.map(|&it| Arc::new(Recipe::Literal(literal(it)))).collect();
    Some(Recipe::Array { component: primitive.descriptor().to_string().into(), items })
}

/// An array of numbers whose sum is too large for their type.
fn overflowing(component: &Want, length: usize) -> Option<Recipe> {
    let largest = match component {
        Want::Primitive(Primitive::Int) => Literal::Int(i32::MAX),
        Want::Primitive(Primitive::Long) => Literal::Long(i64::MAX),
        _ => return None,
    };
    let component = if matches!(largest, Literal::Int(_)) { "I" } else { "J" };
    let item = Arc::new(Recipe::Literal(largest));
    let items = vec![item; length];
    Some(Recipe::Array { component: component.into(), items })
}

/// Boxes of numbers that no cache holds, and of the largest.
fn boxes(literal: impl Fn(i64) -> Literal) -> Vec<Recipe> {
    let all = [1_000, -129, 0, 127, i64::from(i32::MIN), i64::from(i32::MAX)];
    all.map(|it| Recipe::Boxed(literal(it))).to_vec()
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

/// An object that is of no class but the one that all others belong to as well.
fn plain_object() -> Recipe {
    let constructor = public("java/lang/Object", "<init>", "()V");
    Recipe::New { constructor, arguments: Vec::new() }
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

/// A list with these elements.
fn list(items: Vec<Arc<Recipe>>) -> Recipe {
    let add = |item| call("java/util/ArrayList", "add", "(Ljava/lang/Object;)Z", vec![item]);
    filled("java/util/ArrayList", items.into_iter().map(add).collect())
}

/// Lists of objects of any type: some in either order, and with null.
pub(super) fn lists_of(items: &[Arc<Recipe>]) -> Vec<Arc<Recipe>> {
    const MOST: usize = 12;
    let some: Vec<Arc<Recipe>> = items.iter().take(MOST).cloned().collect();
    let null = vec![Arc::new(Recipe::Null)];
    let mut lists = vec![list(null.clone())];
    if !some.is_empty() {
        lists.push(list([&some[..1], &null].concat()));
        lists.push(list(some.iter().rev().cloned().collect()));
        lists.push(list(some));
    }
    lists.into_iter().map(Arc::new).collect()
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

fn push_new<T: PartialEq>(list: &mut Vec<T>, value: T, limit: usize) {
    if list.len() < limit && !list.contains(&value) {
        list.push(value);
    }
}
