//! What is judged: classes that declare a method of the contract, and who can meet whom.

use program::ir::Op;
use program::{Class, ClassId, Element, MethodDescriptor, MethodId, Program, Role, Type};

use super::contract::Contract;
use super::property::Property;
use crate::witness::supply::Index;

/// A class with the methods that it declares itself.
#[derive(Debug, Clone)]
pub struct Subject {
    pub class: ClassId,
    pub equals: Option<MethodId>,
    pub hash_code: Option<MethodId>,
    /// The real method, not the bridge.
    pub compare_to: Option<MethodId>,
    pub compare: Option<MethodId>,
    /// `equals` with another parameter than Object.
    pub overloads: Vec<MethodId>,
}

impl Subject {
    /// The rules that apply, each with the method that the finding is about.
    pub fn questions(&self) -> Vec<(Property, MethodId)> {
        let mut found = Vec::new();
        if let Some(equals) = self.equals {
            found.extend(
                [
                    Property::Reflexive,
                    Property::Symmetric,
                    Property::Transitive,
                    Property::Null,
                    Property::Total,
                ]
                .map(|property| (property, equals)),
            );
        }
        if let Some(method) = self.hash_code.or(self.equals) {
            found.push((Property::HashConsistent, method));
        }
        if let Some(hash_code) = self.hash_code {
            found.push((Property::HashStable, hash_code));
        }
        if let Some(method) = self.compare_to.or(self.compare) {
            let rules = [
                Property::CompareAntisymmetric,
                Property::CompareTransitive,
                Property::CompareTotal,
            ];
            found.extend(rules.map(|property| (property, method)));
        }
        if let Some(method) = self.compare_to {
            found.push((Property::CompareConsistent, method));
        }
        if let Some(&method) = self.overloads.first() {
            found.push((Property::Overloaded, method));
        }
        found
    }

    /// All methods of the contract that it declares.
    pub fn methods(&self) -> Vec<MethodId> {
        let single = [self.equals, self.hash_code, self.compare_to, self.compare];
        single.into_iter().flatten().chain(self.overloads.iter().copied()).collect()
    }
}

/// The judged classes whose name is wanted and that declare something to judge, in input order.
pub fn subjects(
    program: &Program,
    contract: &Contract,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<Subject> {
    let judged = program.class_ids(Role::Judged);
    let wanted = judged.filter(|&id| is_wanted(&program.class_text(program.class_name(id))));
    wanted
        .filter_map(|id| subject(program, contract, program.class(id)?))
        .filter(|subject| !subject.methods().is_empty())
        .collect()
}

fn subject(program: &Program, contract: &Contract, class: &Class) -> Option<Subject> {
    if class.is_interface() || class.name == program.known.object {
        return None;
    }
    let with_code = |id: &MethodId| {
        let flags = program.method(*id).1.access_flags;
        !flags.is_abstract() && !flags.is_static()
    };
    let declared = |name, descriptor| class.declared_method(name, descriptor).filter(with_code);
    let implements = |interface: Option<ClassId>| {
        interface.is_some_and(|interface| program.is_subtype(class.id, interface) == Some(true))
    };
    let order = |name, n_parameters| {
        let methods = class.methods().filter(|(id, method)| {
            let descriptor = MethodDescriptor::parse(program.names.bytes(method.descriptor));
            let fits = descriptor.is_some_and(|descriptor| {
                descriptor.parameters().count() == n_parameters
                    && descriptor.result_type(&program.names)
                        == Some(Type::primitive(program::Primitive::Int))
            });
            method.name == name && fits && with_code(id) && method.access_flags.is_public()
        });
        // A bridge only passes on to the real method.
        let real = methods.min_by_key(|(_, method)| method.access_flags.is_bridge());
        real.filter(|(_, method)| !method.access_flags.is_bridge()).map(|(id, _)| id)
    };
    Some(Subject {
        class: class.id,
        equals: declared(contract.equals, contract.equals_descriptor),
        hash_code: declared(contract.hash_code, contract.hash_code_descriptor),
        compare_to: implements(contract.comparable)
            .then(|| order(contract.compare_to, 1))
            .flatten(),
        compare: implements(contract.comparator).then(|| order(contract.compare, 2)).flatten(),
        overloads: overloads(program, contract, class),
    })
}

fn overloads(program: &Program, contract: &Contract, class: &Class) -> Vec<MethodId> {
    let methods = class.methods().filter(|(_, method)| {
        let flags = method.access_flags;
        let descriptor = MethodDescriptor::parse(program.names.bytes(method.descriptor));
        let fits = descriptor.is_some_and(|descriptor| {
            let types = descriptor.parameter_types(&program.names);
            let is_reference = matches!(types[..], [ty] if ty.kind() == program::Kind::Ref);
            let boolean = Type::primitive(program::Primitive::Boolean);
            is_reference && descriptor.result_type(&program.names) == Some(boolean)
        });
        method.name == contract.equals
            && method.descriptor != contract.equals_descriptor
            && fits
            && flags.is_public()
            && !flags.is_static()
            && !flags.is_abstract()
            && !flags.is_synthetic()
    });
    methods.map(|(id, _)| id).collect()
}

/// Concrete classes whose objects may meet those of the subject: below it, above it, beside it, those
/// that its own code asks for by `instanceof` or a cast, and those of its package whose `equals` asks
/// for it. Nearest first.
pub(super) fn relatives(program: &Program, index: &Index, subject: &Subject) -> Vec<ClassId> {
    let Some(class) = program.class(subject.class) else { return Vec::new() };
    let world = index.world();
    let mut found: Vec<ClassId> = world.subtypes(class.id);
    found.retain(|&id| id != class.id);
    let above = program.ancestry(class).superclasses.iter().skip(1);
    let above: Vec<ClassId> =
        above.copied().filter(|&id| program.class_name(id) != program.known.object).collect();
    for id in tested_types(program, subject) {
        found.extend(world.subtypes(id));
    }
    found.extend(&above);
    for &id in &above {
        found.extend(world.subtypes(id));
    }
    found.extend(askers(program, index, class));
    let mut seen = rustc_hash::FxHashSet::default();
    found.retain(|&id| {
        let is_concrete = program
            .class(id)
            .is_some_and(|class| !class.is_interface() && !class.access_flags.is_abstract());
        id != class.id && is_concrete && seen.insert(id)
    });
    found
}

/// Classes of the same package whose `equals` tests its argument for this class.
fn askers(program: &Program, index: &Index, class: &Class) -> Vec<ClassId> {
    let contract = Contract::new(program);
    let neighbours = index.neighbours(program.package(class.name)).iter().copied();
    let asks = |&id: &ClassId| {
        let neighbour = program.class(id);
        let equals = neighbour.and_then(|neighbour| {
            neighbour.declared_method(contract.equals, contract.equals_descriptor)
        });
        equals.is_some_and(|equals| types_tested_by(program, equals).contains(&class.id))
    };
    neighbours.filter(asks).collect()
}

/// Classes that `equals` of the subject tests its argument for.
pub(super) fn tested_types(program: &Program, subject: &Subject) -> Vec<ClassId> {
    subject.equals.map_or_else(Vec::new, |method| types_tested_by(program, method))
}

fn types_tested_by(program: &Program, method: MethodId) -> Vec<ClassId> {
    let Ok(Some(body)) = program.lower(method) else { return Vec::new() };
    let types = body.instructions.iter().filter_map(|instruction| {
        if let Op::InstanceOf(ty, _) | Op::CheckCast(ty, _) = instruction.op {
            Some(ty)
        } else {
            None
        }
    });
    let names = types.filter_map(|ty| match ty {
        Type { element: Element::Class(name), dimensions: 0 } => Some(name),
        Type { .. } => None,
    });
    names.filter_map(|name| program.find_class(name)).collect()
}
