//! Classes at run time: initialisation (JVMS 5.5), where fields are, who is an instance of what.

use program::ir::{Const, FieldRef};
use program::{Class, ClassId, Element, FieldId, Name, Primitive, Resolution, Role, Type};
use std::rc::Rc;

use super::heap::ObjectData;
use super::run::narrowed;
use super::value::{Ref, Unknown, Value};
use super::{Machine, Outcome, Stop, gap};

const NOT_THERE: &str = "a field that its object does not have";

pub(super) struct RuntimeClass {
    state: State,
    layout: Rc<Layout>,
    /// By the field's position in its class; instance fields have an unused entry.
    statics: Box<[Value]>,
}

#[derive(Clone, PartialEq)]
enum State {
    Fresh,
    /// Being or done: to the one thread that runs, there is no difference.
    Initialised,
    Failed,
    /// The initialiser ran into a gap, so the statics cannot be known.
    Unknown(String),
}

/// Where the instance fields of a class are, those of its superclasses first.
pub(super) struct Layout {
    /// By slot.
    fields: Box<[FieldId]>,
    zeros: Box<[Value]>,
}

/// Where the objects of its class, and of all subclasses, keep a field.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) field: FieldId,
    slot: u32,
    narrowing: Option<Primitive>,
}

impl Place {
    /// The value as the field keeps it.
    pub(super) fn narrowed(self, value: Value) -> Value {
        narrowed(value, self.narrowing)
    }
}

impl Machine<'_> {
    fn runtime_class(&mut self, id: ClassId) -> Outcome<&mut RuntimeClass> {
        let at = id.index();
        if self.classes.len() <= at {
            self.classes.resize_with(at + 1, || None);
        }
        if self.classes[at].is_none() {
            let class = self.class(id)?;
            let layout = Rc::new(self.lay_out(class)?);
            let statics = class.fields.iter().map(|field| self.zero_of(field.descriptor)).collect();
            let class = RuntimeClass { state: State::Fresh, layout, statics };
            self.classes[at] = Some(Box::new(class));
        }
        match &mut self.classes[at] {
            Some(class) => Ok(class),
            None => gap("a class is missing"),
        }
    }

    pub(super) fn class(&self, id: ClassId) -> Outcome<&'_ Class> {
        match self.program.class(id) {
            Some(class) => Ok(class),
            None => gap(format!(
                "{} cannot be read",
                self.program.class_text(self.program.class_name(id))
            )),
        }
    }

    pub(super) fn find_class(&self, name: Name) -> Outcome<ClassId> {
        match self.program.find_class(name) {
            Some(id) => Ok(id),
            None => gap(format!("missing class {}", self.program.class_text(name))),
        }
    }

    fn zero_of(&self, descriptor: Name) -> Value {
        let names = &self.program.names;
        Type::parse(names.bytes(descriptor), names).map_or(Value::Ref(Ref::NULL), Value::zero)
    }

    fn lay_out(&self, class: &Class) -> Outcome<Layout> {
        let ancestry = self.program.ancestry(class);
        if let Some(&missing) = ancestry.missing.first() {
            return gap(format!("missing class {}", self.program.class_text(missing)));
        }
        let (mut fields, mut zeros) = (Vec::new(), Vec::new());
        for &id in ancestry.superclasses.iter().rev() {
            for (field, declared) in self.class(id)?.fields() {
                if !declared.access_flags.is_static() {
                    fields.push(field);
                    zeros.push(self.zero_of(declared.descriptor));
                }
            }
        }
        Ok(Layout { fields: fields.into(), zeros: zeros.into() })
    }

    /// JVMS 5.5: superclass, superinterfaces with default methods, constants, then `<clinit>`.
    pub(super) fn initialise(&mut self, id: ClassId) -> Outcome<()> {
        match &self.runtime_class(id)?.state {
            State::Initialised => return Ok(()),
            State::Failed => return self.throw("java/lang/NoClassDefFoundError"),
            State::Unknown(reason) => return gap(reason.clone()),
            State::Fresh => {}
        }
        self.runtime_class(id)?.state = State::Initialised;
        let outer = self.initialising.replace(id);
        let done = self.run_initialiser(id);
        self.initialising = outer;
        match done {
            Ok(()) => self.settle_statics(id),
            Err(Stop::Gap(_)) if self.guesses_initialisers => self.forget_statics(id),
            Err(Stop::Gap(reason)) => {
                self.runtime_class(id)?.state = State::Unknown(reason.clone());
                gap(reason)
            }
            Err(Stop::Throw(exception)) => {
                self.runtime_class(id)?.state = State::Failed;
                if self.program.role(id) == Role::Platform {
                    // The JDK's own initialisers succeed on a JVM: what failed is this machine.
                    let name = self.program.class_text(self.program.class_name(id));
                    let thrown = self.heap.object(exception).ty.display(&self.program.names);
                    let reason = format!("the initialiser of {name}: {thrown}");
                    self.runtime_class(id)?.state = State::Unknown(reason.clone());
                    return gap(reason);
                }
                let is_error = self.is_instance(exception, "java/lang/Error")?;
                if is_error {
                    return Err(Stop::Throw(exception));
                }
                self.throw("java/lang/ExceptionInInitializerError")
            }
        }
    }

    /// Makes all statics unknown but final ones that have their value already.
    fn forget_statics(&mut self, id: ClassId) -> Outcome<()> {
        self.n_guessed += 1;
        let program = self.program;
        let Some(class) = program.class(id) else { return gap("a class is missing") };
        for (field, declared) in class.fields() {
            let zero = self.zero_of(declared.descriptor);
            let value = &mut self.runtime_class(id)?.statics[field.index()];
            let is_done = declared.access_flags.is_final() && *value != zero;
            if declared.access_flags.is_static() && !is_done {
                *value = Value::Unknown(Unknown::Surroundings);
            }
        }
        Ok(())
    }

    /// What initialisers leave to a starting VM, and what they take from the machine: how many
    /// processors there are steers only how threads share work, so that any number will do.
    fn settle_statics(&mut self, id: ClassId) -> Outcome<()> {
        let program = self.program;
        let name = program.names.bytes(program.class_name(id));
        if name == b"jdk/internal/access/SharedSecrets" {
            // A starting VM does this.
            return match self.declared("java/lang/System", "setJavaLangAccess", "()V") {
                Some(method) => self.run_method(method, Vec::new()).map(|_| ()),
                None => Ok(()),
            };
        }
        if !name.starts_with(b"java/util/concurrent/") {
            return Ok(());
        }
        let Some(class) = program.class(id) else { return Ok(()) };
        let ncpu = class.fields().find(|(_, field)| program.names.bytes(field.name) == b"NCPU");
        if let Some((field, _)) = ncpu {
            self.runtime_class(id)?.statics[field.index()] = Value::Int(1);
        }
        Ok(())
    }

    fn run_initialiser(&mut self, id: ClassId) -> Outcome<()> {
        let program = self.program;
        let Some(class) = program.class(id) else { return gap("a class is missing") };
        for &superclass in program.ancestry(class).superclasses.iter().skip(1).rev() {
            self.initialise(superclass)?;
        }
        if !class.is_interface() {
            for &interface in program.ancestry(class).interfaces.iter().rev() {
                let has_default = program.class(interface).is_some_and(|interface| {
                    let mut methods = interface.methods.iter().map(|method| method.access_flags);
                    methods.any(|flags| !flags.is_abstract() && !flags.is_static())
                });
                if has_default {
                    self.initialise(interface)?;
                }
            }
        }
        for (field, declared) in class.fields() {
            if declared.access_flags.is_static()
                && let Some(constant) = class.constant_value(field)
            {
                let value = match constant {
                    Const::Int(value) => Value::Int(value),
                    Const::Long(value) => Value::Long(value),
                    Const::Float(bits) => Value::Float(f32::from_bits(bits)),
                    Const::Double(bits) => Value::Double(f64::from_bits(bits)),
                    Const::String(text) => Value::Ref(self.literal(self.program.literal(text))?),
                    Const::Null | Const::Class(_) | Const::MethodType(_) | Const::Dynamic(..) => {
                        continue;
                    }
                };
                self.runtime_class(id)?.statics[field.index()] = value;
            }
        }
        let void = program.names.intern(b"()V");
        match class.declared_method(program.known.clinit, void) {
            Some(clinit) => self.run_method(clinit, Vec::new()).map(|_| ()),
            None => Ok(()),
        }
    }

    pub(super) fn resolve_field(&mut self, field: FieldRef) -> Outcome<FieldId> {
        if let Some(&id) = self.fields.get(&field) {
            return Ok(id);
        }
        let resolved = self.program.resolve_field(field.class, field.name, field.descriptor);
        let id = match resolved {
            Resolution::Found(id) => id,
            Resolution::MissingClass(name) => {
                return gap(format!("missing class {}", self.program.class_text(name)));
            }
            Resolution::NoSuchMember => return self.throw("java/lang/NoSuchFieldError"),
        };
        self.fields.insert(field, id);
        Ok(id)
    }

    /// A static field, its class initialised.
    pub(super) fn static_field(&mut self, id: FieldId) -> Outcome<&mut Value> {
        self.initialise(id.class)?;
        Ok(&mut self.runtime_class(id.class)?.statics[id.index()])
    }

    pub fn read_field(&mut self, object: Ref, field: FieldId) -> Outcome<Value> {
        self.check_message(object, field)?;
        Ok(*self.instance_field(object, field)?)
    }

    pub(super) fn instance_field(&mut self, object: Ref, id: FieldId) -> Outcome<&mut Value> {
        match self.layout_slot(id)? {
            Some(slot) => self.at_place(object, Place { field: id, slot, narrowing: None }),
            None => gap(NOT_THERE),
        }
    }

    /// The instance field that code names.
    pub(super) fn place_of(&mut self, field: FieldRef) -> Outcome<Place> {
        if let Some(&place) = self.places.get(&field) {
            return Ok(place);
        }
        let narrowing = self.narrowing(field.descriptor);
        let id = self.resolve_field(field)?;
        let Some(slot) = self.layout_slot(id)? else { return gap(NOT_THERE) };
        let place = Place { field: id, slot, narrowing };
        self.places.insert(field, place);
        Ok(place)
    }

    pub(super) fn at_place(&mut self, object: Ref, place: Place) -> Outcome<&mut Value> {
        let object = self.heap.object_mut(object);
        let class = object.class.and_then(|id| self.classes.get(id.index())?.as_ref());
        let is_there = class.is_some_and(|class| {
            class.layout.fields.get(place.slot as usize) == Some(&place.field)
        });
        match &mut object.data {
            ObjectData::Fields(fields) if is_there => Ok(&mut fields[place.slot as usize]),
            _ => gap(NOT_THERE),
        }
    }

    /// Where instances of the field's class, and of all subclasses, keep it.
    pub(super) fn layout_slot(&mut self, field: FieldId) -> Outcome<Option<u32>> {
        let fields = &self.runtime_class(field.class)?.layout.fields;
        Ok(fields.iter().rposition(|&it| it == field).map(|slot| slot as u32))
    }

    /// A field by name, for objects whose class is known to have it.
    pub(super) fn named_field(
        &mut self,
        object: Ref,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Outcome<&mut Value> {
        let names = &self.program.names;
        let field = FieldRef {
            class: names.intern(class.as_bytes()),
            name: names.intern(name.as_bytes()),
            descriptor: names.intern(descriptor.as_bytes()),
        };
        let id = self.resolve_field(field)?;
        self.instance_field(object, id)
    }

    /// An object with zeroed fields; the class must be initialised already.
    pub(super) fn allocate(&mut self, id: ClassId) -> Outcome<Ref> {
        let layout = self.runtime_class(id)?.layout.clone();
        self.charge(layout.zeros.len() * size_of::<Value>())?;
        let ty = Type::class(self.program.class_name(id));
        Ok(self.heap.add(ty, Some(id), ObjectData::Fields(layout.zeros.clone())))
    }

    /// An object of which nothing is known but its class.
    pub(super) fn allocate_unknown(&mut self, class: &str) -> Outcome<Ref> {
        let id = self.find_class(self.program.names.intern(class.as_bytes()))?;
        let object = self.allocate(id)?;
        if let ObjectData::Fields(fields) = &mut self.heap.object_mut(object).data {
            fields.fill(Value::Unknown(Unknown::Startup));
        }
        Ok(object)
    }

    /// Fails before an allocation that the budget does not cover.
    pub(super) fn charge(&self, bytes: usize) -> Outcome<()> {
        if self.heap.bytes().saturating_add(bytes) > self.budget.heap_bytes {
            return gap("the call needs too much memory to be followed");
        }
        Ok(())
    }

    /// The class whose methods an object has: for an array, `Object`.
    pub(super) fn class_of(&self, object: Ref) -> Outcome<ClassId> {
        let object = self.heap.object(object);
        match (object.class, object.ty) {
            (Some(class), _) => Ok(class),
            (None, Type { element: Element::Class(name), dimensions: 0 }) => self.find_class(name),
            (None, _) => self.find_class(self.program.known.object),
        }
    }

    pub(super) fn is_instance(&mut self, object: Ref, class: &str) -> Outcome<bool> {
        let name = self.program.names.intern(class.as_bytes());
        self.is_of_type(object, Type::class(name))
    }

    /// Whether the object may be cast to the type. A lambda has the marker interfaces of its call site
    /// besides the one that it implements.
    pub(super) fn is_of_type(&mut self, object: Ref, to: Type) -> Outcome<bool> {
        let object = self.heap.object(object);
        let ObjectData::Lambda(closure) = &object.data else {
            return self.is_assignable(object.ty, to);
        };
        let mut types = vec![object.ty];
        types.extend(closure.lambda.markers.iter().map(|&name| Type::class(name)));
        if closure.lambda.is_serializable {
            types.push(Type::class(self.program.names.intern(b"java/io/Serializable")));
        }
        for from in types {
            if self.is_assignable(from, to)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a value of type `from` may be cast to `to` (JVMS `checkcast`).
    pub(super) fn is_assignable(&mut self, from: Type, to: Type) -> Outcome<bool> {
        if from == to {
            return Ok(true);
        }
        if let Some(&known) = self.subtypes.get(&(from, to)) {
            return Ok(known);
        }
        let answer = self.decide_assignable(from, to)?;
        self.subtypes.insert((from, to), answer);
        Ok(answer)
    }

    fn decide_assignable(&self, from: Type, to: Type) -> Outcome<bool> {
        let names = &self.program.names;
        let of_every_array = |element: Element| match element {
            Element::Class(name) => matches!(
                names.bytes(name),
                b"java/lang/Object" | b"java/lang/Cloneable" | b"java/io/Serializable"
            ),
            Element::Primitive(_) => false,
        };
        if to.dimensions < from.dimensions {
            return Ok(of_every_array(to.element));
        }
        if to.dimensions > from.dimensions {
            return Ok(false);
        }
        match (from.element, to.element) {
            (Element::Class(from), Element::Class(to)) => {
                let (from_id, to_id) = (self.find_class(from)?, self.find_class(to)?);
                match self.program.is_subtype(from_id, to_id) {
                    Some(answer) => Ok(answer),
                    None => gap(format!("missing supertype of {}", self.program.class_text(from))),
                }
            }
            (from, to) => Ok(from == to),
        }
    }

    /// The `java.lang.Class` object of a type.
    pub(super) fn mirror(&mut self, ty: Type) -> Outcome<Ref> {
        if let Some(&mirror) = self.mirrors.get(&ty) {
            return Ok(mirror);
        }
        let class = self.find_class(self.program.names.intern(b"java/lang/Class"))?;
        let mirror = self.allocate(class)?;
        self.mirrors.insert(ty, mirror);
        if let Some(component) = ty.component() {
            let component = self.mirror(component)?;
            if let Ok(field) =
                self.named_field(mirror, "java/lang/Class", "componentType", "Ljava/lang/Class;")
            {
                *field = Value::Ref(component);
            }
        }
        Ok(mirror)
    }

    /// The type that an object stands for, if it is a `java.lang.Class`.
    pub fn mirrored_type(&self, object: Ref) -> Option<Type> {
        let is_class = self.heap.object(object).ty.element
            == Element::Class(self.program.names.intern(b"java/lang/Class"));
        if is_class { self.mirrored(object).ok() } else { None }
    }

    /// The type that a `java.lang.Class` object stands for.
    pub(super) fn mirrored(&self, mirror: Ref) -> Outcome<Type> {
        // Few mirrors exist, and this is asked seldom.
        #[expect(clippy::iter_over_hash_type, reason = "at most one entry has this value")]
        for (&ty, &other) in &self.mirrors {
            if other == mirror {
                return Ok(ty);
            }
        }
        gap("a Class object of unknown origin")
    }
}
