//! Values for a type: what a caller might pass, the ordinary first.
//!
//! Bounded by counts and deterministic: what is tried depends on the program and on the [`View`] alone.
//! Every recipe that is handed out was followed once in the concrete machine and made an object.
//! Generic signatures are respected, because a list of the wrong things is no caller's right.
//!
//! Deliberately not here: which objects to compare, and what they answer.

mod aim;
mod blind;
mod changes;
pub mod classes;
mod explore;
mod generics;
mod holding;
mod index;
mod known;
mod operands;
mod primitives;
mod stubs;
mod want;
mod ways;

pub use aim::Aim;
pub use classes::Made;
pub(crate) use generics::may_compare;
pub use index::Index;
pub(crate) use known::public;
pub use primitives::Harvest;
pub use stubs::{OpenMethod, open_methods, result_of};
pub use want::{Argument, Want};
pub(crate) use want::{class_signature, field_signature, method_signature};
pub(crate) use ways::is_inner;

use std::collections::BTreeMap;
use std::sync::Arc;

use program::{ClassId, Name, Program};
use rustc_hash::FxHashMap;
use symex::concrete::{Machine, Stop, Unknown, Value};

use super::access::Access;
use super::build::{Built, follow};
use super::recipe::{Member, Recipe};

/// Values of one type, to be chosen from.
type Recipes = Arc<[Arc<Recipe>]>;

/// From where values are asked for.
pub struct View<'a> {
    pub program: &'a Program,
    pub index: &'a Index,
    /// Members open to this package only may be used.
    pub package: Vec<u8>,
    pub harvest: Harvest,
}

/// Any number will do.
pub(crate) const IDENTITY_SEED: u32 = 0x2545_f491;

/// Values that were made so far, so that a type is asked for once.
pub struct Supply<'a> {
    pub view: View<'a>,
    /// By the classes that were open as well: recursion through them ends early.
    made: FxHashMap<(Want, u8, Vec<ClassId>), Recipes>,
    shared: Built,
    n_shared: u32,
    /// Classes whose values are being made: recursion through them ends with null.
    open: Vec<ClassId>,
    /// Instructions that trying out recipes may still take.
    pub instructions: u64,
    /// What stood in the way of recipes, and how often.
    pub failures: BTreeMap<String, u32>,
    /// How many recipes the machine could not follow.
    n_gaps: u32,
    /// Some of these, by the class that they should make: a JVM may.
    unfollowed: FxHashMap<ClassId, Vec<Arc<Recipe>>>,
}

impl<'a> Supply<'a> {
    pub fn new(view: View<'a>, instructions: u64) -> Supply<'a> {
        Supply {
            view,
            made: FxHashMap::default(),
            shared: Built::default(),
            n_shared: 0,
            open: Vec::new(),
            instructions,
            failures: BTreeMap::new(),
            n_gaps: 0,
            unfollowed: FxHashMap::default(),
        }
    }

    /// Follows the recipe; `None` if it throws, cannot be followed or makes null.
    pub fn try_out(&mut self, machine: &mut Machine<'_>, recipe: &Recipe) -> Option<Value> {
        if self.instructions == 0 {
            return None;
        }
        let mut made = follow(machine, recipe, &mut self.shared);
        self.instructions = self.instructions.saturating_sub(machine.spent().max(1_000));
        if matches!(&made, Err(Stop::Gap(reason)) if *reason == Unknown::IdentityHash.reason()) {
            // Tables by identity are built alike whatever the numbers are, as a rule.
            machine.identity_seed = Some(IDENTITY_SEED);
            machine.n_guessed += 1;
            made = follow(machine, recipe, &mut self.shared);
            machine.identity_seed = None;
            self.instructions = self.instructions.saturating_sub(machine.spent());
        }
        match made {
            Ok(Value::Ref(object)) if object.is_null() => None,
            Ok(value) => Some(value),
            Err(Stop::Throw(exception)) => {
                let thrown = machine.heap.object(exception).ty.display(&machine.program.names);
                self.note_failure(format!("it throws {thrown}"));
                None
            }
            Err(Stop::Gap(reason)) => {
                self.n_gaps += 1;
                self.note_failure(reason);
                None
            }
        }
    }

    /// Objects that are shared by number, so that who builds on can use the same.
    pub fn shared(&mut self) -> &mut Built {
        &mut self.shared
    }

    fn note_failure(&mut self, reason: String) {
        *self.failures.entry(reason).or_default() += 1;
    }

    fn new_number(&mut self) -> u32 {
        self.n_shared += 1;
        self.n_shared
    }

    /// Whether the viewer may use what has this access in that class.
    fn is_open(&self, access: Access, class: Name) -> bool {
        let program = self.view.program;
        match access {
            Access::Public => true,
            Access::Package => {
                // The JDK's own packages are closed: nobody can put code into them.
                let role = |name: Name| program.find_class(name).map(|id| program.role(id));
                let is_jdk = role(class) == role(program.known.object);
                !is_jdk && program.package(class) == self.view.package
            }
            Access::Closed => false,
        }
    }
}

/// A member of a class as recipes name it.
pub fn member(
    program: &Program,
    class: &program::Class,
    name: Name,
    descriptor: Name,
    access: Access,
) -> Member {
    Member {
        class: program.names.text(class.name).into(),
        name: program.names.text(name).into(),
        descriptor: program.names.text(descriptor).into(),
        access,
        on_interface: class.is_interface(),
    }
}
