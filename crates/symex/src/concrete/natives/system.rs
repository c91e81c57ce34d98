//! `System` and the VM's own services. Properties are a fixed few, the same on every machine.

use program::{FieldId, Type};

use super::super::heap::ObjectData;
use super::super::value::{Ref, Unknown, Value};
use super::super::{Machine, Outcome, gap};
use super::{Entry, by_chance, by_clock, nothing, null, one, zero};

const SYSTEM: &str = "java/lang/System";
const VM: &str = "jdk/internal/misc/VM";
const CDS: &str = "jdk/internal/misc/CDS";
const STRING_TO_STRING: &str = "(Ljava/lang/String;)Ljava/lang/String;";

pub(super) const NATIVES: &[Entry] = &[
    (SYSTEM, "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", arraycopy),
    (SYSTEM, "identityHashCode", "(Ljava/lang/Object;)I", by_chance),
    (SYSTEM, "nanoTime", "()J", by_clock),
    (SYSTEM, "currentTimeMillis", "()J", by_clock),
    (SYSTEM, "getSecurityManager", "()Ljava/lang/SecurityManager;", null),
    (SYSTEM, "lineSeparator", "()Ljava/lang/String;", line_separator),
    (SYSTEM, "getenv", STRING_TO_STRING, by_environment),
    (VM, "initialize", "()V", nothing),
    (VM, "getSavedProperty", STRING_TO_STRING, null),
    (VM, "isBooted", "()Z", one),
    (VM, "isModuleSystemInited", "()Z", one),
    (CDS, "isDumpingClassList0", "()Z", zero),
    (CDS, "isDumpingArchive0", "()Z", zero),
    (CDS, "isSharingEnabled0", "()Z", zero),
    (CDS, "getCDSConfigStatus", "()I", zero),
    (CDS, "getRandomSeedForDumping", "()J", no_seed),
    (CDS, "initializeFromArchive", "(Ljava/lang/Class;)V", nothing),
    (
        "java/security/AccessController",
        "getStackAccessControlContext",
        "()Ljava/security/AccessControlContext;",
        null,
    ),
    (
        "java/security/AccessController",
        "ensureMaterializedForStackWalk",
        "(Ljava/lang/Object;)V",
        nothing,
    ),
    // Its initialiser only starts threads that wait for the garbage collector, which never comes.
    ("java/lang/ref/Reference", "<clinit>", "()V", nothing),
    ("java/lang/ref/Reference", "clear0", "()V", nothing),
    ("java/lang/ref/Reference", "refersTo0", "(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/PhantomReference", "refersTo0", "(Ljava/lang/Object;)Z", refers_to),
    ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8", "()Z", one),
    ("java/lang/Runtime", "availableProcessors", "()I", by_environment),
    // Loads native code, whose methods stay gaps.
    ("java/awt/Toolkit", "loadLibraries", "()V", nothing),
];

fn by_environment(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Unknown(Unknown::Surroundings)))
}

fn refers_to(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let reference = machine.non_null(arguments[0])?;
    let held = *machine.named_field(
        reference,
        "java/lang/ref/Reference",
        "referent",
        "Ljava/lang/Object;",
    )?;
    Ok(Some(Value::boolean(held == arguments[1])))
}

fn no_seed(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Long(0)))
}

fn line_separator(machine: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    if machine.property_is_open() {
        return Ok(Some(Value::Unknown(Unknown::Property)));
    }
    machine.intern_units(vec![u16::from(b'\n')]).map(|string| Some(Value::Ref(string)))
}

/// JLS: checks the types, then the ranges, then copies; elements that do not fit stop it half-way.
fn arraycopy(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let from = machine.non_null(arguments[0])?;
    let to = machine.non_null(arguments[2])?;
    let [from_index, to_index, length] = [1, 3, 4].map(|index: usize| arguments[index].int());
    let types = [from, to].map(|array| machine.heap.object(array).ty);
    let are_arrays = machine.heap.array(from).is_some() && machine.heap.array(to).is_some();
    let components = types.map(Type::component);
    let primitives = components.map(|ty| ty.and_then(Type::as_primitive));
    if !are_arrays || primitives[0] != primitives[1] {
        return machine.throw_unknown_message("java/lang/ArrayStoreException");
    }
    let fits = |start: i32, array: Ref| {
        let size = machine.heap.array(array).map_or(0, super::super::Array::len);
        start >= 0 && length >= 0 && start as usize + length as usize <= size
    };
    if !fits(from_index, from) || !fits(to_index, to) {
        return machine.throw_unknown_message("java/lang/ArrayIndexOutOfBoundsException");
    }
    let [from_index, to_index, length] = [from_index, to_index, length].map(|value| value as usize);
    machine.charge_instructions(length as u64 / 16)?;
    if length > 0
        && let Some(&why) = machine.unknown_arrays.get(&from)
    {
        machine.unknown_arrays.insert(to, why);
        return Ok(None);
    }
    if from == to {
        if let Some(array) = machine.heap.array_mut(to) {
            array.copy_within(from_index, to_index, length);
        }
        return Ok(None);
    }
    let same = match (components[0], components[1]) {
        (Some(from), Some(to)) => primitives[0].is_some() || machine.is_assignable(from, to)?,
        (_, _) => false,
    };
    for offset in 0..length {
        let value = machine.array(from)?.get(from_index + offset);
        if same {
            if let ObjectData::Array(array) = &mut machine.heap.object_mut(to).data {
                array.set(to_index + offset, value);
            }
        } else {
            machine.store(to, to_index + offset, value)?;
        }
    }
    Ok(None)
}

impl Machine<'_> {
    /// Statics that only a started VM fills.
    pub(in super::super) fn check_readable(&self, field: FieldId) -> Outcome<()> {
        let (class, declared) = self.program.field(field);
        let names = &self.program.names;
        let is_stream = names.bytes(class.name) == SYSTEM.as_bytes()
            && matches!(names.bytes(declared.name), b"out" | b"err" | b"in");
        if is_stream { gap("input or output") } else { Ok(()) }
    }

    /// The message of an exception that a JVM would compose.
    pub(in super::super) fn check_message(&self, object: Ref, field: FieldId) -> Outcome<()> {
        if self.unknown_messages.contains(&object) {
            let (_, declared) = self.program.field(field);
            if self.program.names.bytes(declared.name) == b"detailMessage" {
                return gap("the text of an exception thrown by the JVM");
            }
        }
        Ok(())
    }

    pub(in super::super) fn charge_instructions(&mut self, count: u64) -> Outcome<()> {
        match self.instructions_left.checked_sub(count) {
            Some(left) => {
                self.instructions_left = left;
                Ok(())
            }
            None => gap("the call takes too long to be followed"),
        }
    }
}
