//! The methods that the contracts are about, by name.

use program::{Class, ClassId, MethodId, Name, Program};

use crate::witness::supply::public;
use crate::witness::{Member, Question};

/// Interned names, and the methods as anyone calls them.
pub struct Contract {
    pub equals: Name,
    pub equals_descriptor: Name,
    pub hash_code: Name,
    pub hash_code_descriptor: Name,
    pub compare_to: Name,
    pub compare: Name,
    pub comparable: Option<ClassId>,
    pub comparator: Option<ClassId>,
}

impl Contract {
    pub fn new(program: &Program) -> Contract {
        let name = |text: &str| program.names.intern(text.as_bytes());
        Contract {
            equals: name("equals"),
            equals_descriptor: name("(Ljava/lang/Object;)Z"),
            hash_code: name("hashCode"),
            hash_code_descriptor: name("()I"),
            compare_to: name("compareTo"),
            compare: name("compare"),
            comparable: program.find_class(name("java/lang/Comparable")),
            comparator: program.find_class(name("java/util/Comparator")),
        }
    }

    /// The class whose `equals(Object)` runs on objects of this class.
    pub fn equals_of(&self, program: &Program, class: &Class) -> Option<MethodId> {
        program.resolve_method(class.name, self.equals, self.equals_descriptor).found()
    }

    /// The class whose `hashCode()` runs on objects of this class.
    pub fn hash_code_of(&self, program: &Program, class: &Class) -> Option<MethodId> {
        program.resolve_method(class.name, self.hash_code, self.hash_code_descriptor).found()
    }

    /// `Comparable.compareTo`.
    pub fn comparable_method(&self, program: &Program) -> Option<MethodId> {
        interface_method(program, self.comparable?, self.compare_to)
    }

    /// `Comparator.compare`.
    pub fn comparator_method(&self, program: &Program) -> Option<MethodId> {
        interface_method(program, self.comparator?, self.compare)
    }

    pub fn is_objects(&self, program: &Program, method: MethodId) -> bool {
        program.class_name(method.class) == program.known.object
    }
}

fn interface_method(program: &Program, interface: ClassId, name: Name) -> Option<MethodId> {
    let mut methods = program.class(interface)?.methods();
    methods
        .find(|(_, method)| method.name == name && method.access_flags.is_abstract())
        .map(|(id, _)| id)
}

pub(super) fn equals_member() -> Member {
    public("java/lang/Object", "equals", "(Ljava/lang/Object;)Z")
}

pub(super) fn hash_code_member() -> Member {
    public("java/lang/Object", "hashCode", "()I")
}

pub(super) fn compare_to_member() -> Member {
    Member {
        on_interface: true,
        ..public("java/lang/Comparable", "compareTo", "(Ljava/lang/Object;)I")
    }
}

pub(super) fn compare_member() -> Member {
    Member {
        on_interface: true,
        ..public("java/util/Comparator", "compare", "(Ljava/lang/Object;Ljava/lang/Object;)I")
    }
}

pub(super) fn question(
    receiver: usize,
    method: Member,
    arguments: &[crate::witness::Operand],
) -> Question {
    Question { receiver, method, arguments: arguments.to_vec() }
}
