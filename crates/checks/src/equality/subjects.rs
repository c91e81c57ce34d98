//! What is judged: classes that declare a method of the contract, and who can meet whom.

use program::ir::{InvokeKind, MethodRef, Op, Value};
use program::{Class, ClassId, Element, MethodDescriptor, MethodId, Program, Role, Type};
use rustc_hash::FxHashMap;

use super::comparators::{Provider, comparators};
use super::contract::Contract;
use super::property::Property;
use super::survey::Survey;
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
    /// Where the comparator comes from whose code is `compare`, if it is no object of the class.
    pub provider: Option<Provider>,
}

impl Subject {
    /// A comparator that the class offers.
    pub(super) fn of_comparator(class: ClassId, code: MethodId, provider: Provider) -> Subject {
        Subject {
            class,
            equals: None,
            hash_code: None,
            compare_to: None,
            compare: Some(code),
            overloads: Vec::new(),
            provider: Some(provider),
        }
    }

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

/// The judged classes that declare something to judge, in input order.
pub(super) fn subjects(program: &Program, contract: &Contract) -> Vec<Subject> {
    let mut found = Vec::new();
    for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
        let own = subject(program, contract, class);
        found.extend(own.filter(|subject| !subject.methods().is_empty()));
        found.extend(comparators(program, class));
    }
    found
}

fn subject(program: &Program, contract: &Contract, class: &Class) -> Option<Subject> {
    if class.name == program.known.object {
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
        provider: None,
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

/// Who holds whom: wrappers and what they wrap meet in `equals`, whether they should or not.
#[derive(Debug, Default)]
pub(super) struct Kin {
    /// By class, those with a field of it or an `equals` that tests for it.
    users: FxHashMap<ClassId, Vec<ClassId>>,
    /// By class, those whose `equals` tests for it.
    testers: FxHashMap<ClassId, Vec<ClassId>>,
}

impl Kin {
    pub(super) fn new(program: &Program, subjects: &[Subject]) -> Kin {
        let mut kin = Kin::default();
        for subject in subjects.iter().filter(|subject| subject.equals.is_some()) {
            for class in tested_types(program, subject) {
                add(&mut kin.users, class, subject.class);
                add(&mut kin.testers, class, subject.class);
            }
            for class in held_types(program, subject) {
                add(&mut kin.users, class, subject.class);
            }
        }
        kin
    }

    /// Those that may meet objects of the class, also of classes below it that have its `equals`; where one
    /// has no objects itself, a class below it that has.
    fn met_by(&self, survey: &Survey<'_>, subject: &Subject, class: &Class) -> Vec<ClassId> {
        let (program, world) = (survey.program, survey.index.world());
        let equals_of = |class: &Class| survey.contract.equals_of(program, class);
        let own = subject.equals;
        let below = world.subtypes(class.id).into_iter().filter_map(|id| program.class(id));
        let heirs = below.filter(|it| it.id == class.id || own.is_some() && equals_of(it) == own);
        let mut found: Vec<ClassId> = heirs.flat_map(|heir| self.of(program, heir)).collect();
        found.sort_unstable();
        found.dedup();
        let with_objects = |id: ClassId| {
            let user = program.class(id)?;
            if !user.access_flags.is_abstract() {
                return Some(id);
            }
            let equals = equals_of(user);
            let mut below = world.subtypes(id).into_iter().filter_map(|id| program.class(id));
            let heir = below.find(|it| !it.access_flags.is_abstract() && equals_of(it) == equals);
            heir.map(|heir| heir.id)
        };
        found.into_iter().filter_map(with_objects).collect()
    }

    /// Those that hold objects of a class or one above it, or take some for equal, as far as one can tell.
    fn of(&self, program: &Program, class: &Class) -> Vec<ClassId> {
        let ancestry = program.ancestry(class);
        // Who holds any object at all wraps nobody in particular.
        let own = ancestry.superclasses.iter();
        let own = own.filter(|&&id| program.class_name(id) != program.known.object);
        let users = own.filter_map(|id| self.users.get(id));
        let testers = ancestry.interfaces.iter().filter_map(|id| self.testers.get(id));
        users.chain(testers).flatten().copied().collect()
    }
}

fn add(lists: &mut FxHashMap<ClassId, Vec<ClassId>>, class: ClassId, user: ClassId) {
    let list = lists.entry(class).or_default();
    if class != user && !list.contains(&user) {
        list.push(user);
    }
}

/// Judged classes that the subject has fields of.
fn held_types(program: &Program, subject: &Subject) -> Vec<ClassId> {
    let Some(class) = program.class(subject.class) else { return Vec::new() };
    let fields = class.fields.iter().filter(|field| !field.access_flags.is_static());
    let types = fields
        .filter_map(|field| Type::parse(program.names.bytes(field.descriptor), &program.names));
    let names = types.filter_map(|ty| match ty {
        Type { element: Element::Class(name), dimensions: 0 } => Some(name),
        Type { .. } => None,
    });
    let ids = names.filter_map(|name| program.find_class(name));
    ids.filter(|&id| program.role(id) == program.role(subject.class)).collect()
}

/// Concrete classes whose objects may meet those of the subject: below it, above it, beside it, those
/// that its own code asks for by `instanceof` or a cast, and those that it wraps or that wrap it.
/// Nearest first.
pub(super) fn relatives(survey: &Survey<'_>, subject: &Subject) -> Vec<ClassId> {
    let Survey { program, index, kin, .. } = survey;
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
    found.extend(kin.met_by(survey, subject, class));
    found.extend(held_types(program, subject));
    found.extend(&above);
    for &id in &above {
        found.extend(world.subtypes(id));
    }
    found.extend(nestmates(program, index, class));
    let mut seen = rustc_hash::FxHashSet::default();
    found.retain(|&id| {
        let is_concrete = program
            .class(id)
            .is_some_and(|class| !class.is_interface() && !class.access_flags.is_abstract());
        id != class.id && is_concrete && seen.insert(id)
    });
    found
}

/// Classes in the same outermost class.
fn nestmates(program: &Program, index: &Index, class: &Class) -> Vec<ClassId> {
    let outermost = |id: ClassId| {
        let text = program.names.text(program.class_name(id)).into_owned();
        text.split('$').next().unwrap_or(&text).to_owned()
    };
    let own = outermost(class.id);
    let neighbours = index.neighbours(program.package(class.name)).iter().copied();
    neighbours.filter(|&id| outermost(id) == own).collect()
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
    let names = types.chain(types_tested_by_called(program, method)).filter_map(|ty| match ty {
        Type { element: Element::Class(name), dimensions: 0 } => Some(name),
        Type { .. } => None,
    });
    names.filter_map(|name| program.find_class(name)).collect()
}

/// What the methods that `equals` passes its argument on to test it for.
fn types_tested_by_called(program: &Program, equals: MethodId) -> Vec<Type> {
    const MOST_FOLLOWED: usize = 12;
    let mut found = Vec::new();
    let mut passed = vec![(equals, 1)];
    let mut at = 0;
    while let Some(&(method, position)) = passed.get(at).filter(|_| at < MOST_FOLLOWED) {
        at += 1;
        let Ok(Some(body)) = program.lower(method) else { continue };
        let mut same: Vec<Value> = body.parameters().nth(position).into_iter().collect();
        for instruction in &body.instructions {
            match instruction.op {
                Op::InstanceOf(ty, value) if same.contains(&value) => found.push(ty),
                Op::CheckCast(ty, value) if same.contains(&value) => {
                    found.push(ty);
                    same.extend(instruction.result);
                }
                Op::Invoke { kind, method: called, arguments } => {
                    let places = body.list(arguments).iter().enumerate();
                    for (place, _) in places.filter(|(_, value)| same.contains(value)) {
                        for target in called_by(program, equals.class, kind, called) {
                            if !passed.contains(&(target, place)) {
                                passed.push((target, place));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// The methods that a call in code of this class may run, as far as that is known: on the object itself its
/// own, and the one that the call names.
pub(super) fn called_by(
    program: &Program,
    class: ClassId,
    kind: InvokeKind,
    called: MethodRef,
) -> Vec<MethodId> {
    let resolved = program.resolve_method(called.class, called.name, called.descriptor).found();
    let Some(resolved) = resolved else { return Vec::new() };
    let is_selected = match kind {
        InvokeKind::Virtual | InvokeKind::Interface => {
            program.is_subtype(class, resolved.class) == Some(true)
        }
        InvokeKind::Special | InvokeKind::Static => false,
    };
    let own = if is_selected { program.select_method(class, resolved).found() } else { None };
    let mut found: Vec<MethodId> = own.into_iter().chain([resolved]).collect();
    found.dedup();
    found.retain(|method| program.role(method.class) != Role::Platform);
    found
}
