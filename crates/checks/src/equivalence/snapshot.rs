//! What can be seen of values in the concrete machine, as text: equal texts, equal behaviour.
//!
//! Objects are numbered as they come up, so that sharing shows. What only the class itself can see is
//! kept apart: a difference there may never come out.

use program::{Class, Element, FieldId, MethodId, Program, Role, Type};
use rustc_hash::FxHashMap;
use symex::concrete::{Machine, ObjectData, Outcome, Ref, Stop, Value};

use super::renumbered::is_local;
use super::watch::{PRIVATE, Unseen};

const MOST_OBJECTS: usize = 2_000;

/// Two texts: what everyone sees, and that with private fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snapshot {
    pub(super) open: String,
    pub(super) whole: String,
}

/// The outcome of a call and everything that was passed to it.
pub(super) fn snapshot(
    machine: &mut Machine<'_>,
    outcome: &Result<Option<Value>, Ref>,
    result: Option<Type>,
    inputs: &[(Value, Type)],
    unseen: &Unseen,
) -> Outcome<Snapshot> {
    let mut texts = Vec::new();
    for with_private in [false, true] {
        let mut writer = Writer { with_private, ..Writer::new(unseen) };
        match (outcome, result) {
            (Err(exception), _) => {
                let ty = machine.heap.object(*exception).ty;
                let exact = ty.display(&machine.program.names).to_string();
                writer.text.push_str("throws ");
                writer.text.push_str(&kind(machine.program, ty, exact));
            }
            (Ok(Some(value)), Some(ty)) => writer.value(machine, *value, ty)?,
            (Ok(_), _) => writer.text.push_str("void"),
        }
        for &(value, ty) in inputs {
            writer.text.push_str(" | ");
            writer.value(machine, value, ty)?;
        }
        texts.push(writer.text);
    }
    let whole = texts.pop().unwrap_or_default();
    Ok(Snapshot { open: texts.pop().unwrap_or_default(), whole })
}

/// All that values hold. Where two texts are equal, so is what they show; where they differ, only the
/// order of a set may.
pub(super) fn contents(machine: &mut Machine<'_>, values: &[(Value, Type)]) -> Outcome<String> {
    let nothing = Unseen::default();
    let mut writer = Writer { with_private: true, is_in_order: true, ..Writer::new(&nothing) };
    for &(value, ty) in values {
        writer.text.push_str(" | ");
        writer.value(machine, value, ty)?;
    }
    Ok(writer.text)
}

struct Writer<'s> {
    numbers: FxHashMap<Ref, usize>,
    text: String,
    with_private: bool,
    /// Whether sets and maps are written as they are gone through.
    is_in_order: bool,
    unseen: &'s Unseen,
}

impl<'s> Writer<'s> {
    fn new(unseen: &'s Unseen) -> Writer<'s> {
        Writer {
            numbers: FxHashMap::default(),
            text: String::new(),
            with_private: false,
            is_in_order: false,
            unseen,
        }
    }

    fn value(&mut self, machine: &mut Machine<'_>, value: Value, ty: Type) -> Outcome<()> {
        match value {
            Value::Unknown(why) => return Err(Stop::Gap(why.reason().to_owned())),
            Value::Int(value) => self.text.push_str(&value.to_string()),
            Value::Long(value) => self.text.push_str(&value.to_string()),
            Value::Float(value) => self.text.push_str(&format!("{:08x}", canonical32(value))),
            Value::Double(value) => self.text.push_str(&format!("{:016x}", canonical64(value))),
            Value::Ref(object) if object.is_null() => self.text.push_str("null"),
            Value::Ref(object) => return self.object(machine, object),
        }
        let _ = ty;
        Ok(())
    }

    fn object(&mut self, machine: &mut Machine<'_>, object: Ref) -> Outcome<()> {
        if let Some(number) = self.numbers.get(&object) {
            self.text.push_str(&format!("#{number}"));
            return Ok(());
        }
        let ty = machine.heap.object(object).ty;
        let program = machine.program;
        if ty == Type::class(program.known.string) {
            let units = machine.units(object)?;
            self.text.push_str(&format!("{units:?}"));
            return Ok(());
        }
        if let Some(primitive) = boxed(program, ty) {
            // Boxes are their values: which of two equal ones it is should matter to nobody.
            let value = machine.unbox(object)?;
            self.text.push_str(primitive);
            return self.value(machine, value, ty);
        }
        if self.numbers.len() >= MOST_OBJECTS {
            return Err(Stop::Gap("too many objects to compare".to_owned()));
        }
        // An empty array has no state: which one it is should matter to nobody.
        if machine.heap.array(object).is_none_or(|array| !array.is_empty()) {
            self.numbers.insert(object, self.numbers.len());
        }
        if let Type { element: Element::Class(name), dimensions: 0 } = ty
            && program.find_class(name).is_some_and(|id| self.unseen.nameless.contains(&id))
        {
            self.text.push_str(PRIVATE);
            return Ok(());
        }
        let exact = ty.display(&program.names).to_string();
        let shown =
            if self.with_private || self.is_in_order { exact } else { kind(program, ty, exact) };
        self.text.push_str(&format!("{shown}{{"));
        if let Some(component) = ty.component() {
            self.elements(machine, object, component)?;
        } else if machine.is_lambda(object) {
            return Err(Stop::Gap("a lambda becomes visible".to_owned()));
        } else if let Some(mirrored) = machine.mirrored_type(object) {
            self.text.push_str(&mirrored.display(&program.names));
        } else {
            self.fields(machine, object, ty)?;
        }
        self.text.push('}');
        Ok(())
    }

    fn elements(&mut self, machine: &mut Machine<'_>, array: Ref, component: Type) -> Outcome<()> {
        machine.check_elements(array)?;
        let length = machine.heap.array(array).map_or(0, symex::concrete::Array::len);
        for index in 0..length {
            let Some(value) = machine.heap.array(array).map(|array| array.get(index)) else {
                break;
            };
            if index > 0 {
                self.text.push(',');
            }
            self.value(machine, value, component)?;
        }
        Ok(())
    }

    /// The platform's collections by their elements, other objects of the platform by all their
    /// fields, judged ones by those that others can see.
    fn fields(&mut self, machine: &mut Machine<'_>, object: Ref, ty: Type) -> Outcome<()> {
        let Element::Class(name) = ty.element else { return Ok(()) };
        let program = machine.program;
        let Some(class) = program.find_class(name) else { return Ok(()) };
        if program.role(class) == Role::Platform {
            if self.is_in_order && self.in_order(machine, object, class)? {
                return Ok(());
            }
            if let Some(elements) = collected(machine, object, class)? {
                return self.object(machine, elements);
            }
            return self.platform_object(machine, object, class);
        }
        // A constant is what its name says: what its initialiser put into it is seen where it comes out.
        if is_enum(program, class) && !self.is_in_order {
            let text = call_text(machine, object, "name")?;
            return self.object(machine, text);
        }
        for field in instance_fields(program, class) {
            let (_, declared) = program.field(field);
            let is_private =
                declared.access_flags.is_private() || self.unseen.hidden.contains(&field);
            if is_private && !self.with_private || self.unseen.lone.contains(&field) {
                continue;
            }
            let names = &program.names;
            let Some(ty) = Type::parse(names.bytes(declared.descriptor), names) else { continue };
            self.text.push_str(&format!("{}=", names.text(declared.name)));
            let value = machine.read_field(object, field)?;
            self.value(machine, value, ty)?;
            self.text.push(';');
        }
        Ok(())
    }

    /// Writes values and containers of the platform by all that they hold, where that is known.
    fn in_order(
        &mut self,
        machine: &mut Machine<'_>,
        object: Ref,
        class: program::ClassId,
    ) -> Outcome<bool> {
        let program = machine.program;
        let name = program.names.text(program.class_name(class)).into_owned();
        let calls: &[(&str, &str, &str)] = match name.as_str() {
            "java/util/regex/Pattern" => &[
                ("java/util/regex/Pattern", "pattern", "()Ljava/lang/String;"),
                ("java/util/regex/Pattern", "flags", "()I"),
            ],
            "java/util/Locale" => &[("java/util/Locale", "toString", "()Ljava/lang/String;")],
            "java/util/HashSet" | "java/util/LinkedHashSet" => {
                &[("java/util/Collection", "toArray", "()[Ljava/lang/Object;")]
            }
            "java/util/HashMap" | "java/util/concurrent/ConcurrentHashMap" => {
                self.map(machine, object)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        for (owner, method, descriptor) in calls {
            let method = find(program, owner, method, descriptor)?;
            if let Some(value) = machine.call_virtual(method, &[Value::Ref(object)])? {
                self.value(machine, value, Type::class(program.known.object))?;
            }
        }
        Ok(true)
    }

    /// Keys, then values.
    fn map(&mut self, machine: &mut Machine<'_>, map: Ref) -> Outcome<()> {
        let program = machine.program;
        let listed = find(program, "java/util/Collection", "toArray", "()[Ljava/lang/Object;")?;
        let views = [("keySet", "()Ljava/util/Set;"), ("values", "()Ljava/util/Collection;")];
        for (name, descriptor) in views {
            let view = find(program, "java/util/Map", name, descriptor)?;
            let Some(view) = machine.call_virtual(view, &[Value::Ref(map)])? else { continue };
            if let Some(array) = machine.call_virtual(listed, &[view])? {
                self.value(machine, array, Type::class(program.known.object))?;
            }
        }
        Ok(())
    }

    fn platform_object(
        &mut self,
        machine: &mut Machine<'_>,
        object: Ref,
        class: program::ClassId,
    ) -> Outcome<()> {
        let program = machine.program;
        let name = program.names.text(program.class_name(class)).into_owned();
        let is_text = matches!(
            name.as_str(),
            "java/lang/StringBuilder"
                | "java/lang/StringBuffer"
                | "java/math/BigInteger"
                | "java/math/BigDecimal"
        );
        if is_text || is_enum(program, class) {
            let method = if is_text { "toString" } else { "name" };
            let text = call_text(machine, object, method)?;
            return self.object(machine, text);
        }
        if matches!(machine.heap.object(object).data, ObjectData::Fields(_))
            && instance_fields(program, class).is_empty()
        {
            return Ok(());
        }
        Err(Stop::Gap(format!("an object of {} becomes visible", name.replace('/', "."))))
    }
}

/// The simple name of a box.
fn boxed(program: &Program, ty: Type) -> Option<&'static str> {
    const BOXES: [&str; 8] =
        ["Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"];
    let Type { element: Element::Class(name), dimensions: 0 } = ty else { return None };
    let text = program.names.bytes(name).strip_prefix(b"java/lang/")?;
    BOXES.into_iter().find(|known| known.as_bytes() == text)
}

fn is_enum(program: &Program, class: program::ClassId) -> bool {
    let parent = program.find_class_text("java/lang/Enum");
    parent.is_some_and(|parent| program.is_subtype(class, parent) == Some(true))
}

fn call_text(machine: &mut Machine<'_>, object: Ref, method: &str) -> Outcome<Ref> {
    let owner = if method == "name" { "java/lang/Enum" } else { "java/lang/Object" };
    let method = find(machine.program, owner, method, "()Ljava/lang/String;")?;
    match machine.call_virtual(method, &[Value::Ref(object)])? {
        Some(Value::Ref(text)) if !text.is_null() => Ok(text),
        Some(_) | None => Err(Stop::Gap("a text that is null".to_owned())),
    }
}

fn find(program: &Program, class: &str, name: &str, descriptor: &str) -> Outcome<MethodId> {
    let names = &program.names;
    let [class, name, descriptor] =
        [class, name, descriptor].map(|text| names.intern(text.as_bytes()));
    match program.resolve_method(class, name, descriptor).found() {
        Some(method) => Ok(method),
        None => Err(Stop::Gap("a method of the platform is missing".to_owned())),
    }
}

/// What callers that keep to the declared types see of a class: of lists, that they are, and what they
/// refuse.
fn kind(program: &Program, ty: Type, exact: String) -> String {
    let Type { element: Element::Class(name), dimensions: 0 } = ty else { return exact };
    if let Some(class) = program.find_class(name).and_then(|id| program.class(id))
        && program.role(class.id) == Role::Judged
        && is_local(program, class)
    {
        return without_number(program, class, &exact);
    }
    let list = program.find_class_text("java/util/List");
    let is_list = |class| {
        program.role(class) == Role::Platform
            && list.is_some_and(|list| program.is_subtype(class, list) == Some(true))
    };
    if !program.find_class(name).is_some_and(is_list) {
        return exact;
    }
    let unmodifiable = ["Unmodifiable", "Immutable", "Empty", "Singleton", "CopiesList"];
    match exact.as_str() {
        "java.util.Arrays$ArrayList" => "fixed-size java.util.List".to_owned(),
        name if unmodifiable.iter().any(|word| name.contains(word)) => {
            "unmodifiable java.util.List".to_owned()
        }
        _ => "java.util.List".to_owned(),
    }
}

/// Compilers number anonymous and local classes: nobody can name them, and the numbers mean nothing.
fn without_number(program: &Program, class: &Class, exact: &str) -> String {
    let own = exact.rsplit('$').next().unwrap_or_default();
    let simple = own.trim_start_matches(|c: char| c.is_ascii_digit());
    if !simple.is_empty() {
        return format!("local {simple}");
    }
    let above = class.interfaces.first().copied().or(class.superclass);
    format!("new {}", above.map_or_else(String::new, |it| program.class_text(it)))
}

/// The elements of a list, in order. Sets and maps have no order that can be compared.
fn collected(
    machine: &mut Machine<'_>,
    object: Ref,
    class: program::ClassId,
) -> Outcome<Option<Ref>> {
    let program = machine.program;
    let is_a = |name: &str| {
        let id = program.find_class_text(name);
        id.is_some_and(|id| program.is_subtype(class, id) == Some(true))
    };
    if is_a("java/util/List") || is_a("java/util/Queue") {
        let method = find(program, "java/util/Collection", "toArray", "()[Ljava/lang/Object;")?;
        return match machine.call_virtual(method, &[Value::Ref(object)])? {
            Some(Value::Ref(array)) => Ok(Some(array)),
            Some(_) | None => Ok(None),
        };
    }
    if is_a("java/util/Collection") || is_a("java/util/Map") {
        return Err(Stop::Gap("a set or a map becomes visible".to_owned()));
    }
    Ok(None)
}

pub(super) fn instance_fields(program: &Program, class: program::ClassId) -> Vec<FieldId> {
    let Some(class) = program.class(class) else { return Vec::new() };
    let mut found = Vec::new();
    for &id in program.ancestry(class).superclasses.iter() {
        let Some(class) = program.class(id) else { continue };
        let own = class.fields().filter(|(_, field)| {
            !field.access_flags.is_static() && !field.access_flags.is_synthetic()
        });
        let mut own: Vec<_> = own.collect();
        own.sort_by_key(|(_, field)| program.names.text(field.name).into_owned());
        found.extend(own.into_iter().map(|(id, _)| id));
    }
    found
}

fn canonical32(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

fn canonical64(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}
