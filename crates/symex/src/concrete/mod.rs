//! The concrete machine: one thread of a JVM, without IO, time, randomness and reflection.
//!
//! A call ends in a `Stop` or returns. Everything that a real JVM decides by chance or by its
//! surroundings (identity hash codes, clocks, files, other threads) is a gap, so that an answer holds
//! on every JVM.

mod arithmetic;
mod classes;
mod dynamic;
mod exceptions;
mod heap;
mod invoke;
mod join;
mod natives;
mod run;
mod strings;
mod value;

pub use heap::{Array, Heap, Object, ObjectData};
pub use value::{Ref, Unknown, Value};

use program::ir::{FieldRef, MethodRef};
use program::{ClassId, FieldId, MethodId, Name, Primitive, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Why a call did not return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// An exception left the method.
    Throw(Ref),
    /// The machine cannot know how a JVM would go on.
    Gap(String),
}

pub type Outcome<T> = Result<T, Stop>;

fn gap<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(Stop::Gap(reason.into()))
}

/// What one call may cost.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub instructions: u64,
    pub heap_bytes: usize,
    pub depth: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { instructions: 20_000_000, heap_bytes: 256 << 20, depth: 1_000 }
    }
}

/// The state of the machine between calls: heap, statics and what it has resolved so far.
pub struct Machine<'p> {
    pub program: &'p Program,
    pub heap: Heap,
    /// Whether assertions outside of the JDK are on.
    pub asserts: bool,
    /// Whether an initialiser that cannot be followed is taken to end well, with its statics unknown.
    /// For who looks for candidates, and does not rely on what the rest of it would have done.
    pub guesses_initialisers: bool,
    /// How many initialisers were guessed so far.
    pub n_guessed: u32,
    /// Whether system properties are unknown to code outside of the JDK: somebody may set them. For who
    /// relies on what initialisers make.
    pub leaves_properties_open: bool,
    /// The class whose initialiser runs, the innermost.
    initialising: Option<ClassId>,
    /// With a seed, identity hash codes are numbers made from it, which no JVM need agree with.
    pub identity_seed: Option<u32>,
    budget: Budget,
    instructions_left: u64,
    depth: u32,
    /// By their ids.
    classes: Vec<Option<Box<classes::RuntimeClass>>>,
    object_class: Option<ClassId>,
    code: FxHashMap<MethodId, invoke::Code>,
    /// Lists of values that no call uses now.
    spare: Vec<Vec<Value>>,
    places: FxHashMap<FieldRef, classes::Place>,
    fields: FxHashMap<FieldRef, FieldId>,
    methods: FxHashMap<MethodRef, MethodId>,
    selected: FxHashMap<(ClassId, MethodId), MethodId>,
    subtypes: FxHashMap<(Type, Type), bool>,
    mirrors: FxHashMap<Type, Ref>,
    interned: FxHashMap<Vec<u16>, Ref>,
    literals: FxHashMap<Name, Ref>,
    call_constants: FxHashMap<(MethodId, u32), Ref>,
    /// The fields that `VarHandle` objects stand for.
    var_handles: FxHashMap<Ref, FieldId>,
    /// Arrays that an unknown value was stored into: any element may be unknown.
    unknown_arrays: FxHashMap<Ref, Unknown>,
    natives: natives::Table,
    main_thread: Option<Ref>,
    system_properties: Option<Ref>,
    version_properties: Option<Ref>,
    /// Exceptions whose message only a JVM could compose.
    unknown_messages: FxHashSet<Ref>,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, budget: Budget) -> Machine<'p> {
        Machine {
            program,
            heap: Heap::default(),
            asserts: false,
            guesses_initialisers: false,
            n_guessed: 0,
            leaves_properties_open: false,
            initialising: None,
            identity_seed: None,
            budget,
            instructions_left: budget.instructions,
            depth: 0,
            classes: Vec::new(),
            object_class: program.find_class(program.known.object),
            code: FxHashMap::default(),
            spare: Vec::new(),
            places: FxHashMap::default(),
            fields: FxHashMap::default(),
            methods: FxHashMap::default(),
            selected: FxHashMap::default(),
            subtypes: FxHashMap::default(),
            mirrors: FxHashMap::default(),
            interned: FxHashMap::default(),
            literals: FxHashMap::default(),
            call_constants: FxHashMap::default(),
            var_handles: FxHashMap::default(),
            unknown_arrays: FxHashMap::default(),
            natives: natives::Table::new(program),
            main_thread: None,
            system_properties: None,
            version_properties: None,
            unknown_messages: FxHashSet::default(),
        }
    }

    /// Calls a static method, or an instance method with its receiver first, with a fresh budget.
    pub fn call(&mut self, method: MethodId, arguments: &[Value]) -> Outcome<Option<Value>> {
        self.refill();
        let (class, declared) = self.program.method(method);
        if declared.access_flags.is_static() {
            self.initialise(class.id)?;
        }
        self.run_method(method, arguments.to_vec())
    }

    /// Calls `method` on its first argument, dispatched by that object's class, with a fresh budget.
    pub fn call_virtual(
        &mut self,
        method: MethodId,
        arguments: &[Value],
    ) -> Outcome<Option<Value>> {
        self.refill();
        self.invoke_virtual(method, arguments.to_vec())
    }

    /// A new object of the constructor's class, with a fresh budget.
    pub fn construct(&mut self, constructor: MethodId, arguments: &[Value]) -> Outcome<Ref> {
        self.refill();
        self.initialise(constructor.class)?;
        let object = self.allocate(constructor.class)?;
        let arguments = [&[Value::Ref(object)], arguments].concat();
        self.run_method(constructor, arguments)?;
        Ok(object)
    }

    /// Initialises a class, with a fresh budget.
    pub fn initialised(&mut self, class: ClassId) -> Outcome<()> {
        self.refill();
        self.initialise(class)
    }

    /// The value of a static field, its class initialised.
    pub fn read_static(&mut self, field: FieldId) -> Outcome<Value> {
        self.refill();
        self.check_readable(field)?;
        run::known(*self.static_field(field)?)
    }

    /// Sets an instance field, as `putfield` would.
    pub fn write_field(&mut self, object: Ref, field: FieldId, value: Value) -> Outcome<()> {
        *self.instance_field(object, field)? = value;
        Ok(())
    }

    /// Writes an element of an array, as `aastore` and its like would.
    pub fn write_element(&mut self, array: Value, index: i32, value: Value) -> Outcome<()> {
        let array = self.non_null(array)?;
        let index = self.check_index(array, index)?;
        self.store(array, index, value)
    }

    /// The string that a literal with these units stands for: the same object each time.
    pub fn string_literal(&mut self, units: &[u16]) -> Outcome<Ref> {
        self.intern_units(units.to_vec())
    }

    /// The object that a class literal stands for.
    pub fn class_literal(&mut self, ty: Type) -> Outcome<Ref> {
        self.mirror(ty)
    }

    /// An object of a class made for the occasion, which implements the interface with methods that
    /// throw AbstractMethodError. `equals` and `hashCode` are those of `Object`.
    pub fn new_stub(&mut self, interface: ClassId) -> Outcome<Ref> {
        self.allocate(interface)
    }

    /// Lets each of the calls from now on take so many instructions.
    pub fn limit(&mut self, instructions: u64) {
        self.budget.instructions = instructions;
        self.instructions_left = instructions;
    }

    /// Instructions that the last call took.
    pub fn spent(&self) -> u64 {
        self.budget.instructions - self.instructions_left
    }

    pub fn is_lambda(&self, object: Ref) -> bool {
        matches!(self.heap.object(object).data, ObjectData::Lambda(_))
    }

    /// What a lambda runs, and what it captured.
    pub fn closure(&self, object: Ref) -> Option<Rc<heap::Closure>> {
        match &self.heap.object(object).data {
            ObjectData::Lambda(closure) => Some(Rc::clone(closure)),
            _ => None,
        }
    }

    fn refill(&mut self) {
        self.instructions_left = self.budget.instructions;
        self.depth = 0;
    }

    /// A box as `valueOf` makes it, so that small integers are shared.
    pub fn new_box(&mut self, primitive: Primitive, value: Value) -> Outcome<Value> {
        self.instructions_left = self.budget.instructions;
        self.boxed(primitive, value)
    }

    pub fn new_array_of(&mut self, component: Type, values: &[Value]) -> Outcome<Ref> {
        let array = self.new_array(component, values.len() as i32)?;
        for (index, &value) in values.iter().enumerate() {
            self.store(array, index, value)?;
        }
        Ok(array)
    }

    /// Whether all elements of an array are known, so that it may be read as a whole.
    pub fn check_elements(&self, array: Ref) -> Outcome<()> {
        match self.unknown_arrays.get(&array) {
            Some(why) => gap(why.reason()),
            None => Ok(()),
        }
    }

    /// Text for messages: `java.lang.String.length()I`.
    fn method_text(&self, method: MethodId) -> String {
        let (class, declared) = self.program.method(method);
        let names = &self.program.names;
        let (name, descriptor) = (names.text(declared.name), names.text(declared.descriptor));
        format!("{}.{name}{descriptor}", self.program.class_text(class.name))
    }
}
