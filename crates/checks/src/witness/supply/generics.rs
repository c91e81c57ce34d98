//! What type variables stand for when a generic type is wanted.
//!
//! An `Optional<Integer>` is made by `Optional.of` of an Integer only: javac refuses all else. A way to
//! an object is taken only if the type that it makes can be the type that is wanted, and its parameters
//! are then what that demands. Stricter than the language in places (a wildcard in a result fits only
//! where anything does), never laxer.

use std::collections::BTreeMap;

use program::{Class, ClassId, ClassType, FieldSignature, Program, TypeArgument, TypeParameter};

use super::want::{Argument, Scope, Want, class_signature, field_signature, method_signature};

/// Type variables by name, and what they stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Bindings(BTreeMap<String, Argument>);

impl Bindings {
    /// The parameters of the class as the wanted type has them.
    pub(super) fn of(class: &Class, arguments: &[Argument]) -> Bindings {
        let parameters = class_signature(class).map(|it| it.parameters).unwrap_or_default();
        if parameters.len() != arguments.len() {
            return Bindings::default();
        }
        let names = parameters.into_iter().map(|it| it.name);
        let bound = names.zip(arguments.iter().cloned());
        Bindings(bound.filter(|(_, argument)| *argument != Argument::Any).collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&Argument> {
        self.0.get(name)
    }

    pub(super) fn forget(&mut self, parameters: &[TypeParameter]) {
        for parameter in parameters {
            self.0.remove(&parameter.name);
        }
    }

    /// What the class's own parameters are if its objects are to be of the supertype with these
    /// arguments; `None` if they never are.
    pub(super) fn below(
        program: &Program,
        class: &Class,
        supertype: &Class,
        wanted: &Bindings,
    ) -> Option<Bindings> {
        if class.id == supertype.id || wanted.0.is_empty() {
            return Some(if class.id == supertype.id {
                wanted.clone()
            } else {
                Bindings::default()
            });
        }
        let own = class_signature(class).map(|it| it.parameters).unwrap_or_default();
        let arguments = seen_as(program, class, supertype.id)?;
        let mut found = Bindings::default();
        found.bind_all(program, supertype, &arguments, wanted, &own).then_some(found)
    }

    /// What a static method's own variables are if it is to return the class with these arguments;
    /// `None` if it never does.
    pub(super) fn of_result(
        program: &Program,
        owner: &Class,
        at: usize,
        class: &Class,
        wanted: &Bindings,
    ) -> Option<Bindings> {
        let mut found = Bindings::default();
        if wanted.0.is_empty() {
            return Some(found);
        }
        let signature = method_signature(owner, at)?;
        let Some(FieldSignature::Class(result)) = &signature.result else { return None };
        let own = &signature.type_parameters;
        found.bind_all(program, class, &result.arguments, wanted, own).then_some(found)
    }

    /// Whether a static field of the class's own type has these arguments.
    pub(super) fn fit_field(
        program: &Program,
        class: &Class,
        at: usize,
        wanted: &Bindings,
    ) -> bool {
        if wanted.0.is_empty() {
            return true;
        }
        match field_signature(class, at) {
            Some(FieldSignature::Class(ty)) => {
                Bindings::default().bind_all(program, class, &ty.arguments, wanted, &[])
            }
            Some(_) | None => false,
        }
    }

    /// The parameters of a supertype as the class, with its own bound so, fills them in.
    pub(super) fn above(
        program: &Program,
        class: &Class,
        bindings: &Bindings,
        supertype: &Class,
    ) -> Bindings {
        let Some(arguments) = seen_as(program, class, supertype.id) else {
            return Bindings::default();
        };
        let signature = class_signature(class);
        let parameters = signature.iter().flat_map(|it| &it.parameters).collect();
        let scope = Scope { parameters, bindings: bindings.clone() };
        let wants = arguments.iter().map(|argument| match argument {
            TypeArgument::Exact(field) => {
                Argument::Exact(Want::from_signature(program, field, &scope, 0))
            }
            TypeArgument::Any | TypeArgument::Extends(_) | TypeArgument::Super(_) => Argument::Any,
        });
        Bindings::of(supertype, &wants.collect::<Vec<_>>())
    }

    /// Binds variables of `own` so that these arguments of the class are the wanted ones.
    fn bind_all(
        &mut self,
        program: &Program,
        class: &Class,
        arguments: &[TypeArgument],
        wanted: &Bindings,
        own: &[TypeParameter],
    ) -> bool {
        let parameters = class_signature(class).map(|it| it.parameters).unwrap_or_default();
        parameters.len() == arguments.len()
            && parameters.iter().zip(arguments).all(|(parameter, argument)| {
                wanted
                    .get(&parameter.name)
                    .is_none_or(|wanted| self.bind_argument(program, argument, wanted, own))
            })
    }

    fn bind_argument(
        &mut self,
        program: &Program,
        argument: &TypeArgument,
        wanted: &Argument,
        own: &[TypeParameter],
    ) -> bool {
        match (argument, wanted) {
            (_, Argument::Any) => true,
            (TypeArgument::Exact(field), _) => self.bind(program, field, wanted, own),
            (TypeArgument::Extends(field), Argument::Extends(_)) => {
                self.bind(program, field, wanted, own)
            }
            (TypeArgument::Any | TypeArgument::Extends(_) | TypeArgument::Super(_), _) => false,
        }
    }

    fn bind(
        &mut self,
        program: &Program,
        field: &FieldSignature,
        wanted: &Argument,
        own: &[TypeParameter],
    ) -> bool {
        let (Argument::Exact(want) | Argument::Extends(want)) = wanted else { return true };
        match (field, want) {
            (FieldSignature::Variable(name), _) => {
                let Some(parameter) = own.iter().find(|it| it.name == *name) else { return false };
                match self.0.get(name) {
                    Some(bound) => bound == wanted,
                    None => {
                        self.0.insert(name.clone(), wanted.clone());
                        is_within(program, parameter, want)
                    }
                }
            }
            (FieldSignature::Class(ty), Want::Class { name, arguments, .. }) => {
                let is_same = *ty.name == *program.names.text(*name);
                if !is_same {
                    let is_below = || {
                        let id = program.find_class_text(&ty.name)?;
                        program.is_subtype(id, program.find_class(*name)?)
                    };
                    let is_loose = matches!(wanted, Argument::Extends(_));
                    return is_loose && arguments.is_empty() && is_below() == Some(true);
                }
                ty.arguments.len() == arguments.len()
                    && ty.arguments.iter().zip(arguments).all(|(argument, wanted)| {
                        self.bind_argument(program, argument, wanted, own)
                    })
            }
            (FieldSignature::Array(component), Want::Array(inner)) => {
                self.bind(program, component, &Argument::Exact((**inner).clone()), own)
            }
            (FieldSignature::Primitive(one), Want::Primitive(other)) => one == other,
            (
                FieldSignature::Class(_) | FieldSignature::Array(_) | FieldSignature::Primitive(_),
                Want::Class { .. } | Want::Array(_) | Want::Primitive(_),
            ) => false,
        }
    }
}

/// Whether the type keeps to the bounds of the variable, as far as their classes say.
fn is_within(program: &Program, parameter: &TypeParameter, want: &Want) -> bool {
    let mut bounds = parameter.class_bound.iter().chain(&parameter.interface_bounds);
    bounds.all(|bound| match (bound, want) {
        (FieldSignature::Class(bound), _) if bound.name == "java/lang/Object" => true,
        (FieldSignature::Class(bound), Want::Class { name, .. }) => {
            let bound = program.find_class_text(&bound.name);
            let is_below = |bound| program.is_subtype(program.find_class(*name)?, bound);
            bound.is_some_and(|bound| is_below(bound) == Some(true))
        }
        (FieldSignature::Variable(_), _) => true,
        (
            FieldSignature::Class(_) | FieldSignature::Array(_) | FieldSignature::Primitive(_),
            Want::Class { .. } | Want::Array(_) | Want::Primitive(_),
        ) => false,
    })
}

/// Whether a compiler lets an object of the one class be compared with one of the other, by the type
/// argument of the interface `Comparable` as the first has it: `K<J>` for `J extends K<J>`, and an
/// `U extends K<U>` is none. What says nothing fits.
pub(crate) fn may_compare(program: &Program, one: ClassId, other: ClassId) -> bool {
    let compared = || {
        let comparable = program.find_class_text("java/lang/Comparable")?;
        let seen = seen_as(program, program.class(one)?, comparable)?;
        let [TypeArgument::Exact(FieldSignature::Class(compared))] = &seen[..] else {
            return None;
        };
        let supertype = program.find_class_text(&compared.name)?;
        let theirs = seen_as(program, program.class(other)?, supertype)?;
        let known =
            |it: &TypeArgument| matches!(it, TypeArgument::Exact(field) if is_ground(field));
        let mut pairs = compared.arguments.iter().zip(&theirs);
        Some(pairs.all(|(mine, theirs)| mine == theirs || !known(mine) || !known(theirs)))
    };
    compared().unwrap_or(true)
}

/// Whether no type variable is in it.
fn is_ground(field: &FieldSignature) -> bool {
    match field {
        FieldSignature::Primitive(_) => true,
        FieldSignature::Variable(_) => false,
        FieldSignature::Array(component) => is_ground(component),
        FieldSignature::Class(ty) => ty.arguments.iter().all(|argument| match argument {
            TypeArgument::Any => true,
            TypeArgument::Exact(field)
            | TypeArgument::Extends(field)
            | TypeArgument::Super(field) => is_ground(field),
        }),
    }
}

/// The type arguments of a supertype in terms of the class's own variables; `None` where it is raw.
fn seen_as(program: &Program, class: &Class, supertype: ClassId) -> Option<Vec<TypeArgument>> {
    const MAX_STEPS: usize = 256;
    let own = class_signature(class).map(|it| it.parameters).unwrap_or_default();
    let own = own.into_iter().map(|it| TypeArgument::Exact(FieldSignature::Variable(it.name)));
    let mut open: Vec<(ClassId, Vec<TypeArgument>)> = vec![(class.id, own.collect())];
    let mut next = 0;
    while let Some((id, arguments)) = open.get(next).cloned().filter(|_| next < MAX_STEPS) {
        next += 1;
        if id == supertype {
            return Some(arguments);
        }
        let Some(signature) = program.class(id).and_then(class_signature) else { continue };
        let names = signature.parameters.iter().map(|it| it.name.clone());
        let map: BTreeMap<String, TypeArgument> = names.zip(arguments).collect();
        for above in std::iter::once(&signature.superclass).chain(&signature.interfaces) {
            let Some(id) = program.find_class_text(&above.name) else { continue };
            let arguments = above.arguments.iter().map(|it| substitute_argument(it, &map));
            open.push((id, arguments.collect()));
        }
    }
    None
}

fn substitute_argument(
    argument: &TypeArgument,
    map: &BTreeMap<String, TypeArgument>,
) -> TypeArgument {
    match argument {
        TypeArgument::Any => TypeArgument::Any,
        TypeArgument::Exact(FieldSignature::Variable(name)) => {
            map.get(name).cloned().unwrap_or(TypeArgument::Any)
        }
        TypeArgument::Exact(field) => TypeArgument::Exact(substitute(field, map)),
        TypeArgument::Extends(field) => TypeArgument::Extends(substitute(field, map)),
        TypeArgument::Super(field) => TypeArgument::Super(substitute(field, map)),
    }
}

fn substitute(field: &FieldSignature, map: &BTreeMap<String, TypeArgument>) -> FieldSignature {
    match field {
        FieldSignature::Primitive(_) => field.clone(),
        FieldSignature::Array(component) => {
            FieldSignature::Array(Box::new(substitute(component, map)))
        }
        FieldSignature::Variable(name) => match map.get(name) {
            Some(TypeArgument::Exact(field)) => field.clone(),
            Some(TypeArgument::Any | TypeArgument::Extends(_) | TypeArgument::Super(_)) | None => {
                field.clone()
            }
        },
        FieldSignature::Class(ty) => {
            let arguments = ty.arguments.iter().map(|it| substitute_argument(it, map)).collect();
            FieldSignature::Class(ClassType { arguments, ..ty.clone() })
        }
    }
}
