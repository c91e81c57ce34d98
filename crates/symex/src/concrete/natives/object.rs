//! `Object`, `String`, `Throwable`, `Thread`.

use super::super::value::{Ref, Value};
use super::super::{Machine, Outcome};
use super::{Entry, by_chance, first_argument, nothing, one};

const THREAD: &str = "java/lang/Thread";

pub(super) const NATIVES: &[Entry] = &[
    ("java/lang/Object", "getClass", "()Ljava/lang/Class;", class_of),
    ("java/lang/Object", "hashCode", "()I", by_chance),
    ("java/lang/Object", "clone", "()Ljava/lang/Object;", clone),
    ("java/lang/Object", "notify", "()V", nothing),
    ("java/lang/Object", "notifyAll", "()V", nothing),
    ("java/lang/String", "intern", "()Ljava/lang/String;", intern),
    ("java/lang/StringUTF16", "isBigEndian", "()Z", super::zero),
    ("java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;", first_argument),
    ("java/lang/Throwable", "fillInStackTrace", "()Ljava/lang/Throwable;", first_argument),
    ("java/lang/Thread", "currentThread", "()Ljava/lang/Thread;", current_thread),
    ("java/lang/Thread", "currentCarrierThread", "()Ljava/lang/Thread;", current_thread),
    ("java/lang/Thread", "holdsLock", "(Ljava/lang/Object;)Z", one),
];

fn class_of(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let object = machine.non_null(arguments[0])?;
    let object = machine.heap.object(object);
    if matches!(object.data, super::super::ObjectData::Lambda(_)) {
        return super::gap("the class of a lambda");
    }
    let ty = object.ty;
    machine.mirror(ty).map(|mirror| Some(Value::Ref(mirror)))
}

fn clone(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let object = machine.non_null(arguments[0])?;
    if !machine.is_instance(object, "java/lang/Cloneable")? {
        return machine.throw_unknown_message("java/lang/CloneNotSupportedException");
    }
    let size = machine.heap.array(object).map_or(64, |array| array.len() * 8);
    machine.charge(size)?;
    let copy = machine.heap.duplicate(object);
    if let Some(&why) = machine.unknown_arrays.get(&object) {
        machine.unknown_arrays.insert(copy, why);
    }
    Ok(Some(Value::Ref(copy)))
}

fn intern(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let string = arguments[0].reference();
    machine.intern(string).map(|interned| Some(Value::Ref(interned)))
}

/// A thread object without a constructor run: it has thread locals, and nothing else is known.
fn current_thread(machine: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    let thread: Ref = match machine.main_thread {
        Some(thread) => thread,
        None => {
            let thread = machine.allocate_unknown(THREAD)?;
            for field in ["threadLocals", "inheritableThreadLocals"] {
                const MAP: &str = "Ljava/lang/ThreadLocal$ThreadLocalMap;";
                *machine.named_field(thread, THREAD, field, MAP)? = Value::Ref(Ref::NULL);
            }
            machine.main_thread = Some(thread);
            thread
        }
    };
    Ok(Some(Value::Ref(thread)))
}
