//! Code that is found by its name: by reflection, method handles, class loaders and services.
//!
//! Whoever looks up members of a class that is named in its code, by a literal or by a text, is taken to
//! use all of that class and of its subclasses. A class or a name that a caller passes in is the
//! caller's, as its objects are; that a name from elsewhere leads to nothing that changed is an
//! assumption.

use program::ir::{Body, Const, MethodRef, Op, Value};
use program::{ClassId, Element, MethodId, Role};
use rustc_hash::FxHashSet;

use super::{MEMBERS, Universe, Uses};

pub(in crate::equivalence) const UNKNOWN_NAMES: &str =
    "classes whose names are known only when it runs are none that changed";

/// Methods that the platform calls on objects that it writes to a stream or reads from one, private
/// ones too.
pub(super) const SERIAL_HOOKS: [&str; 5] =
    ["readObject", "readObjectNoData", "readResolve", "writeObject", "writeReplace"];

enum Lookup {
    /// Of a class by its text.
    Class,
    /// Of what a given class has.
    Members,
}

impl Universe<'_> {
    /// Adds what the body of a method may find by name.
    pub(super) fn by_name(&self, method: MethodId, body: &Body, uses: &mut Uses) {
        let (own_class, declared) = self.program.method(method);
        let this = body.parameters().next().filter(|_| !declared.access_flags.is_static());
        let mut literals: FxHashSet<Value> = FxHashSet::default();
        let mut named: Vec<(ClassId, bool)> = Vec::new();
        let (mut looks_up, mut asks_members, mut is_moved) = (false, false, false);
        for instruction in &body.instructions {
            match instruction.op {
                Op::Const(Const::String(text)) => {
                    literals.extend(instruction.result);
                    let text = self.program.names.text(self.program.literal(text));
                    let name = text.replace('.', "/");
                    is_moved |= self.shifts.moved.contains(&name);
                    let class = self.program.find_class_text(&name);
                    named.extend(class.map(|class| (class, text.contains('.'))));
                }
                Op::Const(Const::Class(ty)) => {
                    let Element::Class(name) = ty.element else { continue };
                    named.extend(self.program.find_class(name).map(|class| (class, false)));
                }
                Op::Invoke { method, arguments, .. } => {
                    let arguments = body.list(arguments);
                    let lookup = self.lookup(method);
                    looks_up |= lookup.is_some();
                    asks_members |= matches!(lookup, Some(Lookup::Members));
                    if matches!(lookup, Some(Lookup::Class)) {
                        uses.has_unknown_names |= !arguments.iter().any(|it| literals.contains(it));
                    }
                    let asks_this = this.is_some() && arguments.first().copied() == this;
                    if asks_this && &*self.program.names.text(method.name) == "getClass" {
                        named.push((own_class.id, false));
                    }
                }
                _ => {}
            }
        }
        if is_moved {
            uses.opaque = Some(MEMBERS);
        }
        // A full name may be handed to somebody who looks it up.
        for (class, is_full_name) in named {
            if (looks_up || is_full_name) && self.program.role(class) == Role::Judged {
                uses.is_by_name = true;
                self.use_all(class, uses);
                let name = self.program.names.text(self.program.class_name(class));
                if asks_members && self.shifts.members.contains(&*name) {
                    uses.opaque = Some(MEMBERS);
                }
            }
        }
    }

    fn use_all(&self, class: ClassId, uses: &mut Uses) {
        for id in self.lineage.of_type(class) {
            let Some(found) = self.program.class(id) else { continue };
            self.initialise(found.name, uses);
            uses.wholes.insert(id);
            found.methods().for_each(|(method, _)| self.run(method, uses));
        }
    }

    fn lookup(&self, method: MethodRef) -> Option<Lookup> {
        let names = &self.program.names;
        let (class, name) = (names.text(method.class), names.text(method.name));
        let has_members =
            |name: &str| ["Method", "Field", "Constructor"].iter().any(|kind| name.contains(kind));
        match (&*class, &*name) {
            (_, "loadClass") | ("java/lang/Class", "forName") => Some(Lookup::Class),
            ("java/lang/Class", name) if name == "newInstance" || has_members(name) => {
                Some(Lookup::Members)
            }
            ("java/lang/invoke/MethodHandles$Lookup", _) => Some(Lookup::Members),
            ("java/util/ServiceLoader", name) if name.starts_with("load") => Some(Lookup::Members),
            _ => None,
        }
    }
}
