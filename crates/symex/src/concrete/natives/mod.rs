//! Native methods, and the few others that are better not run from their code.
//!
//! One file per area; each is a list of entries "class name descriptor" and a function. A native
//! method that is not listed is a gap. An entry may replace bytecode only where the code would need
//! what the machine does not have (startup of the VM, vector instructions, reflection).

mod class;
mod handles;
mod memory;
mod number;
mod object;
mod properties;
mod system;

use program::{MethodId, Name, Program};
use rustc_hash::FxHashMap;

use super::value::{Unknown, Value};
use super::{Machine, Outcome, gap};

pub(super) type Native = for<'p> fn(&mut Machine<'p>, &[Value]) -> Outcome<Option<Value>>;

type Entry = (&'static str, &'static str, &'static str, Native);

pub(super) struct Table {
    entries: FxHashMap<(Name, Name, Name), Native>,
    /// Natives of the JDK that only let native code look things up: nothing that Java could see.
    lookups: [Name; 2],
    void: Name,
}

impl Table {
    pub(super) fn new(program: &Program) -> Table {
        let name = |text: &str| program.names.intern(text.as_bytes());
        let areas = [
            class::NATIVES,
            handles::NATIVES,
            memory::NATIVES,
            number::NATIVES,
            object::NATIVES,
            properties::NATIVES,
            system::NATIVES,
        ];
        let entries = areas.into_iter().flatten().map(|&(class, method, descriptor, native)| {
            ((name(class), name(method), name(descriptor)), native)
        });
        Table {
            entries: entries.collect(),
            lookups: [name("registerNatives"), name("initIDs")],
            void: name("()V"),
        }
    }

    pub(super) fn find(&self, program: &Program, method: MethodId) -> Option<Native> {
        let (class, declared) = program.method(method);
        let is_lookup = self.lookups.contains(&declared.name)
            && declared.descriptor == self.void
            && declared.access_flags.is_native();
        if is_lookup {
            Some(nothing as Native)
        } else {
            self.entries.get(&(class.name, declared.name, declared.descriptor)).copied()
        }
    }
}

fn nothing(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(None)
}

fn zero(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Int(0)))
}

fn one(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Int(1)))
}

fn null(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Ref(super::Ref::NULL)))
}

fn first_argument(_: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(arguments[0]))
}

fn by_chance(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let (Some(seed), Some(Value::Ref(object))) = (machine.identity_seed, arguments.last()) else {
        return Ok(Some(Value::Unknown(Unknown::IdentityHash)));
    };
    let mixed = (object.0 ^ seed).wrapping_mul(0x9e37_79b1);
    Ok(Some(Value::Int(((mixed ^ (mixed >> 15)) & 0x7fff_ffff) as i32)))
}

fn by_clock(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    Ok(Some(Value::Unknown(Unknown::Time)))
}
