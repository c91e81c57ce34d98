//! Types of the JDK that parameters often have, and what people put into them.
//!
//! Interfaces first of all: nothing in a class file says that a `List` is usually an `ArrayList`. Any
//! other type is built through its own constructors.

use std::sync::Arc;

use program::{Name, Primitive, Program};
use symex::concrete::Machine;

use super::super::access::Access;
use super::super::literal::Literal;
use super::super::recipe::{Effect, Member, Recipe};
use super::classes::contents;
use super::want::{Argument, Want};
use super::{Supply, primitives};

/// What a collection type is built as.
const COLLECTIONS: &[(&str, &str)] = &[
    ("java/lang/Iterable", "java/util/ArrayList"),
    ("java/util/Collection", "java/util/ArrayList"),
    ("java/util/List", "java/util/ArrayList"),
    ("java/util/AbstractCollection", "java/util/ArrayList"),
    ("java/util/AbstractList", "java/util/ArrayList"),
    ("java/util/ArrayList", "java/util/ArrayList"),
    ("java/util/LinkedList", "java/util/LinkedList"),
    ("java/util/Vector", "java/util/Vector"),
    ("java/util/Queue", "java/util/ArrayDeque"),
    ("java/util/Deque", "java/util/ArrayDeque"),
    ("java/util/Set", "java/util/LinkedHashSet"),
    ("java/util/AbstractSet", "java/util/LinkedHashSet"),
    ("java/util/HashSet", "java/util/HashSet"),
    ("java/util/LinkedHashSet", "java/util/LinkedHashSet"),
    ("java/util/SortedSet", "java/util/TreeSet"),
    ("java/util/NavigableSet", "java/util/TreeSet"),
    ("java/util/TreeSet", "java/util/TreeSet"),
];

const MAPS: &[(&str, &str)] = &[
    ("java/util/Map", "java/util/LinkedHashMap"),
    ("java/util/AbstractMap", "java/util/LinkedHashMap"),
    ("java/util/HashMap", "java/util/HashMap"),
    ("java/util/LinkedHashMap", "java/util/LinkedHashMap"),
    ("java/util/Hashtable", "java/util/Hashtable"),
    ("java/util/SortedMap", "java/util/TreeMap"),
    ("java/util/NavigableMap", "java/util/TreeMap"),
    ("java/util/TreeMap", "java/util/TreeMap"),
    ("java/util/concurrent/ConcurrentMap", "java/util/concurrent/ConcurrentHashMap"),
];

const BOXES: &[(&str, Primitive)] = &[
    ("java/lang/Boolean", Primitive::Boolean),
    ("java/lang/Byte", Primitive::Byte),
    ("java/lang/Character", Primitive::Char),
    ("java/lang/Short", Primitive::Short),
    ("java/lang/Integer", Primitive::Int),
    ("java/lang/Long", Primitive::Long),
    ("java/lang/Float", Primitive::Float),
    ("java/lang/Double", Primitive::Double),
];

impl Supply<'_> {
    /// Values of a type that the table knows; `None` for all others.
    pub(super) fn known_values(
        &mut self,
        machine: &mut Machine<'_>,
        name: Name,
        arguments: &[Argument],
        is_raw: bool,
        depth: u8,
    ) -> Option<Vec<Arc<Recipe>>> {
        let program = self.view.program;
        let text = program.names.text(name);
        let harvest = &self.view.harvest;
        if let Some(&(_, primitive)) = BOXES.iter().find(|(name, _)| *name == text) {
            let literals = primitives::literals(primitive, harvest);
            return Some(literals.into_iter().map(|it| Arc::new(Recipe::Boxed(it))).collect());
        }
        if let Some(class) = collection_class(&text) {
            let items = match arguments.first() {
                // What a raw collection may hold, the code alone knows.
                None if is_raw => Arc::default(),
                item => self.values(machine, &item_want(program, item), depth + 1),
            };
            let mut found = collections(class, &items);
            // What kind it is, is the caller's choice.
            if matches!(&*text, "java/util/Collection" | "java/lang/Iterable") {
                const MAX_SETS: usize = 3;
                let sets = collections("java/util/LinkedHashSet", &items);
                let last = found.len().min(2);
                found.splice(last..last, sets.into_iter().take(MAX_SETS));
            }
            return Some(found);
        }
        if let Some(&(_, class)) = MAPS.iter().find(|(name, _)| *name == text) {
            let lists = match arguments {
                [] if is_raw => [Arc::default(), Arc::default()],
                [..] => [arguments.first(), arguments.get(1)]
                    .map(|argument| self.values(machine, &item_want(program, argument), depth + 1)),
            };
            return Some(maps(class, &lists[0], &lists[1]));
        }
        if text == "java/util/Map$Entry" {
            let [keys, values] = [arguments.first(), arguments.get(1)]
                .map(|argument| self.values(machine, &item_want(program, argument), depth + 1));
            return Some(entries(&keys, &values));
        }
        if let ("java/lang/Comparable", Some(compared)) = (&*text, arguments.first()) {
            return Some(self.values(machine, &item_want(program, Some(compared)), depth).to_vec());
        }
        if matches!(&*text, "java/lang/String" | "java/lang/CharSequence" | "java/lang/Comparable")
        {
            return Some(primitives::texts(harvest));
        }
        if text == "java/lang/Class" {
            return Some(classes(program, arguments));
        }
        if text == "java/util/Comparator" && !has_natural_order(program, arguments) {
            return Some(Vec::new());
        }
        simple(&text).map(|recipes| recipes.into_iter().map(Arc::new).collect())
    }
}

/// What a collection type is built as.
pub(super) fn collection_class(text: &str) -> Option<&'static str> {
    COLLECTIONS.iter().find(|(name, _)| *name == text).map(|(_, class)| *class)
}

/// What goes into a type with this argument.
pub(super) fn item_want(program: &Program, argument: Option<&Argument>) -> Want {
    let named = argument.and_then(Argument::want).cloned();
    named.unwrap_or_else(|| Want::class(program.known.string))
}

/// Whether the natural order can be what a comparator of this type argument is.
fn has_natural_order(program: &Program, arguments: &[Argument]) -> bool {
    let comparable = program.find_class_text("java/lang/Comparable");
    match arguments.first().and_then(Argument::want) {
        Some(Want::Class { name, .. }) => match (program.find_class(*name), comparable) {
            (Some(class), Some(comparable)) => program.is_subtype(class, comparable) == Some(true),
            (_, _) => false,
        },
        Some(Want::Array(_) | Want::Primitive(_)) | None => false,
    }
}

/// Types whose usual values are a few expressions.
fn simple(text: &str) -> Option<Vec<Recipe>> {
    let text_literal = |text: &str| Recipe::Text(text.encode_utf16().collect());
    let int = |value: i32| Recipe::Boxed(Literal::Int(value));
    Some(match text {
        "java/lang/Object" | "java/io/Serializable" => vec![
            text_literal("a"),
            text_literal("b"),
            int(1),
            text_literal("A"),
            text_literal(""),
            Recipe::Boxed(Literal::Long(1)),
        ],
        "java/lang/Number" => {
            let long = |value: i64| Recipe::Boxed(Literal::Long(value));
            let double = |value: f64| Recipe::Boxed(Literal::double(value));
            vec![
                int(1),
                int(2),
                long(1),
                double(1.0),
                double(1.5),
                int(i32::MAX),
                int(-1),
                int(i32::MIN),
                long(3_000_000_000),
                // Whole numbers that no double tells apart.
                long(1 << 53),
                double(9_007_199_254_740_992.0),
                long((1 << 53) + 1),
            ]
        }
        "java/util/Comparator" => {
            let order = |name: &str| Recipe::Static {
                method: Member {
                    on_interface: true,
                    ..public("java/util/Comparator", name, "()Ljava/util/Comparator;")
                },
                arguments: Vec::new(),
            };
            vec![order("naturalOrder"), order("reverseOrder")]
        }
        "java/lang/reflect/Method" => {
            ["toString", "hashCode"].map(|name| reflected("java/lang/Object", name)).into()
        }
        "java/util/Locale" => constants(text, &["ENGLISH", "FRENCH", "ROOT", "US"]),
        "java/nio/charset/Charset" => ["UTF_8", "ISO_8859_1"]
            .map(|name| {
                let descriptor = "Ljava/nio/charset/Charset;";
                Recipe::Constant(public("java/nio/charset/StandardCharsets", name, descriptor))
            })
            .into(),
        // Others ask the started JVM for its locale.
        "java/text/NumberFormat" => {
            ["0#a", "0#b"].map(|text| from_text("java/text/ChoiceFormat", text)).into()
        }
        "java/math/BigDecimal" => {
            ["1", "2", "1.0", "0"].map(|text| from_text("java/math/BigDecimal", text)).into()
        }
        "java/math/BigInteger" => {
            ["1", "2", "0", "-1"].map(|text| from_text("java/math/BigInteger", text)).into()
        }
        _ => return None,
    })
}

/// `C.class.getMethod(name)`.
fn reflected(class: &str, name: &str) -> Recipe {
    let descriptor = "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;";
    let none = Recipe::Array { component: "Ljava/lang/Class;".into(), items: Vec::new() };
    Recipe::Call {
        receiver: Arc::new(Recipe::Class(format!("L{class};").into())),
        method: public("java/lang/Class", "getMethod", descriptor),
        arguments: [Recipe::Text(name.encode_utf16().collect()), none].map(Arc::new).into(),
    }
}

fn constants(class: &str, names: &[&str]) -> Vec<Recipe> {
    let descriptor = format!("L{class};");
    names.iter().map(|name| Recipe::Constant(public(class, name, &descriptor))).collect()
}

fn from_text(class: &str, text: &str) -> Recipe {
    Recipe::New {
        constructor: public(class, "<init>", "(Ljava/lang/String;)V"),
        arguments: vec![Arc::new(Recipe::Text(text.encode_utf16().collect()))],
    }
}

fn classes(program: &Program, arguments: &[Argument]) -> Vec<Arc<Recipe>> {
    let bound = match arguments {
        [
            Argument::Exact(Want::Class { name, .. }) | Argument::Extends(Want::Class { name, .. }),
        ] if *name != program.known.object => Some(*name),
        [..] => None,
    };
    match bound {
        Some(name) => {
            let descriptor = format!("L{};", program.names.text(name));
            vec![Arc::new(Recipe::Class(descriptor.into()))]
        }
        None => ["Ljava/lang/String;", "Ljava/lang/Integer;", "I"]
            .map(|descriptor| Arc::new(Recipe::Class(descriptor.into())))
            .into(),
    }
}

fn collections(class: &str, items: &[Arc<Recipe>]) -> Vec<Arc<Recipe>> {
    let owned = contents(items).into_iter().map(|items| items.into_iter().cloned());
    owned.map(|items| collection(class, &items.collect::<Vec<_>>())).collect()
}

/// A collection of the class with these in it.
pub(super) fn collection(class: &str, items: &[Arc<Recipe>]) -> Arc<Recipe> {
    if items.is_empty() {
        let constructor = public(class, "<init>", "()V");
        return Arc::new(Recipe::New { constructor, arguments: Vec::new() });
    }
    let array = Recipe::Array { component: "Ljava/lang/Object;".into(), items: items.to_vec() };
    let as_list = public("java/util/Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;");
    let list = Recipe::Static { method: as_list, arguments: vec![Arc::new(array)] };
    let constructor = public(class, "<init>", "(Ljava/util/Collection;)V");
    Arc::new(Recipe::New { constructor, arguments: vec![Arc::new(list)] })
}

/// The first key with each value, and each key with the first value, in turns.
fn entries(keys: &[Arc<Recipe>], values: &[Arc<Recipe>]) -> Vec<Arc<Recipe>> {
    let (Some(key), Some(value)) = (keys.first(), values.first()) else { return Vec::new() };
    let of = |key: &Arc<Recipe>, value: &Arc<Recipe>| {
        let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)V";
        let constructor = public("java/util/AbstractMap$SimpleEntry", "<init>", descriptor);
        Arc::new(Recipe::New { constructor, arguments: vec![key.clone(), value.clone()] })
    };
    let mut found = vec![of(key, value)];
    for at in 1..keys.len().max(values.len()) {
        found.extend(values.get(at).map(|value| of(key, value)));
        found.extend(keys.get(at).map(|key| of(key, value)));
    }
    found
}

fn maps(class: &str, keys: &[Arc<Recipe>], values: &[Arc<Recipe>]) -> Vec<Arc<Recipe>> {
    let empty = Arc::new(Recipe::New {
        constructor: public(class, "<init>", "()V"),
        arguments: Vec::new(),
    });
    let put = |key: &Arc<Recipe>, value: &Arc<Recipe>| Effect::Call {
        method: public(class, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
        arguments: vec![key.clone(), value.clone()],
    };
    let with = |effects: Vec<Effect>| Arc::new(Recipe::After { object: empty.clone(), effects });
    let (Some(key), Some(value)) = (keys.first(), values.first()) else { return vec![empty] };
    let mut found = vec![with(vec![put(key, value)]), empty.clone()];
    if let Some(other) = keys.get(1) {
        found.push(with(vec![put(key, value), put(other, value)]));
    }
    if let Some(other) = values.get(1) {
        found.push(with(vec![put(key, other)]));
    }
    found
}

/// A member that everyone may name.
pub(crate) fn public(class: &str, name: &str, descriptor: &str) -> Member {
    Member {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        access: Access::Public,
        on_interface: false,
    }
}
