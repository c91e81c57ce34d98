//! Who may name a class or a member.
//!
//! JVMS 5.4.4 as seen from source: everyone, code in the same package, or nobody else. A nested class
//! is as open as the most closed class around it; what a module does not export is open to nobody
//! outside.

use program::{AccessFlags, Class, Program};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    Public,
    /// Code in the same package.
    Package,
    /// Only the class itself and those that share its source.
    Closed,
}

/// Who may name the class in source.
pub fn class_access(program: &Program, class: &Class) -> Access {
    const MAX_NESTING: usize = 32;
    let mut access = Access::Public;
    let mut current = class;
    for _ in 0..MAX_NESTING {
        let inner = current.file.inner_classes().unwrap_or_default();
        let own = inner
            .iter()
            .find(|entry| current.file.bytes(entry.inner) == program.names.bytes(current.name));
        let Some(own) = own else {
            // A top-level class: its own flag decides.
            return access
                .max(flags_access(current.access_flags))
                .max(export_access(program, class));
        };
        // Anonymous and local classes have no outer class and cannot be named.
        let (Some(outer), Some(_)) = (own.outer, own.name) else { return Access::Closed };
        access = access.max(flags_access(own.access_flags));
        let outer = program.names.find(current.file.bytes(outer));
        let outer =
            outer.and_then(|name| program.find_class(name)).and_then(|id| program.class(id));
        match outer {
            Some(outer) => current = outer,
            None => return Access::Closed,
        }
    }
    Access::Closed
}

/// Whether anybody may have a class below this one, as far as its name goes; sealed ones say who may.
pub fn is_open_to_all(program: &Program, class: &Class) -> bool {
    let is_sealed = !matches!(class.file.permitted_subclasses(), Ok(None));
    !is_sealed && class_access(program, class) == Access::Public
}

/// Who may use a member of the class: whoever may name both.
pub fn member_access(program: &Program, class: &Class, flags: AccessFlags) -> Access {
    class_access(program, class).max(flags_access(flags))
}

fn flags_access(flags: AccessFlags) -> Access {
    if flags.is_public() {
        Access::Public
    } else if flags.is_private() {
        Access::Closed
    } else {
        // Protected members are open to the package too.
        Access::Package
    }
}

fn export_access(program: &Program, class: &Class) -> Access {
    if program.is_exported(class.id) { Access::Public } else { Access::Package }
}
