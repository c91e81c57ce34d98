//! Inputs beyond the usual ones that tell two versions apart: the neighbours of numbers that either
//! mentions, arrays and texts longer than these, copies that are equal but not the same, stubs that
//! note who calls them, objects of the types that the code asks about.

use std::sync::Arc;

use program::ir::{Const, Op};
use program::{Element, MethodId, Name, Primitive, Program, World};

use crate::witness::supply::Want;
use crate::witness::{Access, Literal, Member, Recipe};

const MOST_NUMBERS: usize = 8;
const MOST_TEXTS: usize = 6;
const MOST_CLASSES: usize = 6;
const MOST_LENGTH: usize = 2_000;

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
            Want::Array(component) => self.arrays(program, component),
            Want::Class { name, .. } => match &*program.names.text(*name) {
                "java/lang/String" | "java/lang/CharSequence" | "java/lang/Object" => self.texts(),
                _ => stub(program, *name),
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
            Primitive::Char => self.near().map(|it| Literal::Char(it as u16)).collect(),
            Primitive::Short => self.near().map(|it| Literal::Short(it as i16)).collect(),
            Primitive::Int => self.near().map(|it| Literal::Int(it as i32)).collect(),
            Primitive::Long => self.near().map(Literal::Long).collect(),
            Primitive::Float => {
                let odd = [0.1, 1e-40, 16_777_216.0, 3.4e38];
                self.near().map(|it| it as f32).chain(odd).map(Literal::float).collect()
            }
            Primitive::Double => {
                let odd = [0.1, 1e-320, 9_007_199_254_740_992.0, 1.7e308];
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

    fn arrays(&self, program: &Program, component: &Want) -> Vec<Recipe> {
        let Some((descriptor, items)) = self.items(program, component) else { return Vec::new() };
        if items.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for length in self.lengths() {
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
                let literals = self.literals(*primitive).into_iter().map(Recipe::Literal);
                (primitive.descriptor().to_string(), literals.collect())
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
        let odd = ["\u{2003} a\t", "\u{1f600}", "\u{130}i", "aXbXc"];
        for units in self.texts.iter().cloned().chain(odd.map(|it| it.encode_utf16().collect())) {
            let padded = [&[u16::from(b' ')][..], &units, &units].concat();
            texts.extend([units, padded]);
        }
        for length in self.lengths() {
            texts.push((0..length).map(|at| u16::from(b'a') + (at % 26) as u16).collect());
        }
        let copies = self.texts.iter().take(2).cloned().chain([vec![u16::from(b'a')]]).map(copy);
        let literals = texts.into_iter().map(|units| Recipe::Text(units.into()));
        copies.collect::<Vec<_>>().into_iter().chain(literals).collect()
    }
}

/// A string that is equal to a literal but not the same object.
fn copy(units: Vec<u16>) -> Recipe {
    let constructor = Member {
        class: "java/lang/String".into(),
        name: "<init>".into(),
        descriptor: "(Ljava/lang/String;)V".into(),
        access: Access::Public,
        on_interface: false,
    };
    Recipe::New { constructor, arguments: vec![Arc::new(Recipe::Text(units.into()))] }
}

fn stub(program: &Program, name: Name) -> Vec<Recipe> {
    let class = program.find_class(name).and_then(|id| program.class(id));
    let is_open = class.is_some_and(|class| {
        class.is_interface()
            && class.access_flags.is_public()
            && matches!(class.file.permitted_subclasses(), Ok(None))
    });
    if is_open { vec![Recipe::Stub(program.names.text(name).into())] } else { Vec::new() }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, value: T, limit: usize) {
    if list.len() < limit && !list.contains(&value) {
        list.push(value);
    }
}
