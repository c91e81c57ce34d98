//! A type that a value is wanted for, with type arguments.
//!
//! Type variables are filled in the same way everywhere: by their bound, or by String where that fits.
//! Two objects of one generic class then hold things of one kind, as a caller's would.

use program::{
    Class, ClassSignature, Element, FieldId, FieldSignature, Method, MethodDescriptor, MethodId,
    MethodSignature, Name, Primitive, Program, Type, TypeArgument, TypeParameter,
};

use super::generics::Bindings;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Want {
    Primitive(Primitive),
    Class {
        name: Name,
        /// Empty for a raw or plain type.
        arguments: Vec<Argument>,
        /// Whether the source said what goes into it; a raw `List` may hold anything.
        is_raw: bool,
    },
    Array(Box<Want>),
}

/// What goes into a generic type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Argument {
    /// `?`
    Any,
    /// This type and no other. `? super` stands here as well: what it names fits.
    Exact(Want),
    /// `? extends`
    Extends(Want),
}

impl Argument {
    /// A type that goes into it; `None` where any does.
    pub fn want(&self) -> Option<&Want> {
        match self {
            Argument::Any => None,
            Argument::Exact(want) | Argument::Extends(want) => Some(want),
        }
    }
}

/// Type variables in sight, innermost last, and what some of them stand for.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) parameters: Vec<&'a TypeParameter>,
    pub(super) bindings: Bindings,
}

const MAX_DEPTH: usize = 6;

impl Want {
    pub fn class(name: Name) -> Want {
        Want::Class { name, arguments: Vec::new(), is_raw: false }
    }

    /// A type argument that names a class; type variables and wildcards say nothing.
    pub fn from_plain_argument(program: &Program, argument: &TypeArgument) -> Option<Want> {
        match argument {
            TypeArgument::Exact(field @ FieldSignature::Class(_)) => {
                Some(Want::from_signature(program, field, &Scope::default(), 0))
            }
            TypeArgument::Exact(_)
            | TypeArgument::Any
            | TypeArgument::Extends(_)
            | TypeArgument::Super(_) => None,
        }
    }

    /// What the parameters of a method ask for.
    pub fn parameters(program: &Program, class: &Class, method: &Method, at: usize) -> Vec<Want> {
        Want::bound_parameters(program, class, method, at, &Bindings::default())
    }

    /// What they ask for where type variables of the class, or of a static method, stand for something.
    pub(super) fn bound_parameters(
        program: &Program,
        class: &Class,
        method: &Method,
        at: usize,
        bindings: &Bindings,
    ) -> Vec<Want> {
        let descriptor = program.names.bytes(method.descriptor);
        let Some(descriptor) = MethodDescriptor::parse(descriptor) else { return Vec::new() };
        let types = descriptor.parameter_types(&program.names);
        let Some(signature) = method_signature(class, at) else {
            // Before generics, or nothing generic in it: a class that has type parameters is raw.
            return types.iter().map(|&ty| Want::from_type(program, ty)).collect();
        };
        let class_signature = class_signature(class);
        let mut scope = Scope { parameters: Vec::new(), bindings: bindings.clone() };
        if !method.access_flags.is_static() {
            let parameters = class_signature.iter().flat_map(|signature| &signature.parameters);
            scope.parameters.extend(parameters);
            // A method's own variable hides one of the class.
            scope.bindings.forget(&signature.type_parameters);
        }
        scope.parameters.extend(&signature.type_parameters);
        // A hidden first parameter: of an inner class, an enum, a local class.
        let hidden = types.len().saturating_sub(signature.parameters.len());
        let first = types[..hidden].iter().map(|&ty| Want::from_type(program, ty));
        let fields = signature.parameters.iter();
        let rest = fields.map(|field| Want::from_signature(program, field, &scope, 0));
        first.chain(rest).take(types.len()).collect()
    }

    /// What a field takes.
    pub(super) fn field(
        program: &Program,
        class: &Class,
        at: usize,
        ty: Type,
        bindings: &Bindings,
    ) -> Want {
        let Some(field) = field_signature(class, at) else {
            return Want::from_type(program, ty);
        };
        let signature = class_signature(class);
        let parameters = signature.iter().flat_map(|it| &it.parameters).collect();
        let scope = Scope { parameters, bindings: bindings.clone() };
        Want::from_signature(program, &field, &scope, 0)
    }

    /// What a field holds, by its generic type.
    pub(crate) fn of_field(program: &Program, id: FieldId) -> Option<Want> {
        let (class, field) = program.field(id);
        let ty = Type::parse(program.names.bytes(field.descriptor), &program.names)?;
        Some(Want::field(program, class, id.index(), ty, &Bindings::default()))
    }

    /// What a static method returns, by its generic type.
    pub(crate) fn of_result(program: &Program, id: MethodId) -> Option<Want> {
        let (class, _) = program.method(id);
        let signature = method_signature(class, id.index())?;
        let scope = Scope {
            parameters: signature.type_parameters.iter().collect(),
            bindings: Bindings::default(),
        };
        Some(Want::from_signature(program, signature.result.as_ref()?, &scope, 0))
    }

    pub fn from_type(program: &Program, ty: Type) -> Want {
        if let Some(component) = ty.component() {
            return Want::Array(Box::new(Want::from_type(program, component)));
        }
        match ty.element {
            Element::Primitive(primitive) => Want::Primitive(primitive),
            Element::Class(name) => {
                let class = program.find_class(name).and_then(|id| program.class(id));
                let parameters = class.and_then(class_signature).map(|it| it.parameters);
                let is_raw = parameters.is_some_and(|parameters| !parameters.is_empty());
                Want::Class { name, arguments: Vec::new(), is_raw }
            }
        }
    }

    pub(super) fn from_signature(
        program: &Program,
        field: &FieldSignature,
        scope: &Scope<'_>,
        depth: usize,
    ) -> Want {
        let text = |text: &str| program.names.intern(&classfile::mutf8::encode(text));
        let string = Want::class(program.known.string);
        if depth > MAX_DEPTH {
            return string;
        }
        match field {
            FieldSignature::Primitive(primitive) => Want::Primitive(*primitive),
            FieldSignature::Array(component) => {
                Want::Array(Box::new(Want::from_signature(program, component, scope, depth + 1)))
            }
            FieldSignature::Variable(name) => {
                if let Some(want) = scope.bindings.get(name).and_then(Argument::want) {
                    return want.clone();
                }
                let parameters = scope.parameters.iter().rev();
                let parameter = parameters.copied().find(|parameter| parameter.name == *name);
                parameter.map_or(string, |it| Want::from_bound(program, it, scope, depth + 1))
            }
            FieldSignature::Class(class) if class.arguments.is_empty() => {
                let name = text(&class.name);
                Want::from_type(program, Type::class(name))
            }
            FieldSignature::Class(class) => {
                let arguments = class.arguments.iter().map(|argument| match argument {
                    TypeArgument::Any => Argument::Any,
                    TypeArgument::Exact(field) | TypeArgument::Super(field) => {
                        Argument::Exact(Want::from_signature(program, field, scope, depth + 1))
                    }
                    TypeArgument::Extends(field) => {
                        Argument::Extends(Want::from_signature(program, field, scope, depth + 1))
                    }
                });
                Want::Class {
                    name: text(&class.name),
                    arguments: arguments.collect(),
                    is_raw: false,
                }
            }
        }
    }

    /// The first bound that String does not meet, else String.
    fn from_bound(
        program: &Program,
        parameter: &TypeParameter,
        scope: &Scope<'_>,
        depth: usize,
    ) -> Want {
        let string = program.find_class(program.known.string);
        let bounds = parameter.class_bound.iter().chain(&parameter.interface_bounds);
        for bound in bounds {
            let FieldSignature::Class(class) = bound else {
                return Want::from_signature(program, bound, scope, depth);
            };
            let bound_id = program.find_class_text(&class.name);
            let fits = match (string, bound_id) {
                (Some(string), Some(bound)) => program.is_subtype(string, bound) == Some(true),
                (_, _) => true,
            };
            if !fits {
                return Want::from_signature(program, bound, scope, depth);
            }
        }
        Want::class(program.known.string)
    }
}

/// The class's generic signature, if it has one.
pub(crate) fn class_signature(class: &Class) -> Option<ClassSignature> {
    let text = class.file.signature().ok()??;
    ClassSignature::parse(&classfile::mutf8::decode_lossy(class.file.bytes(text)))
}

pub(crate) fn field_signature(class: &Class, at: usize) -> Option<FieldSignature> {
    let text = class.file.fields.get(at)?.signature(&class.file).ok()??;
    FieldSignature::parse(&classfile::mutf8::decode_lossy(class.file.bytes(text)))
}

pub(crate) fn method_signature(class: &Class, at: usize) -> Option<MethodSignature> {
    let text = class.file.methods.get(at)?.signature(&class.file).ok()??;
    MethodSignature::parse(&classfile::mutf8::decode_lossy(class.file.bytes(text)))
}
