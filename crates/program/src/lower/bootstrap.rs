//! What `invokedynamic` and computed constants mean, read off their bootstrap methods.
//!
//! Known are the bootstrap methods that compilers of Java use. A call of any other, or one whose
//! arguments are not what its documentation says, is kept under its name as unknown.

use classfile::{BootstrapMethod, Constant, DynamicRef, HandleKind, MemberKind, MemberRef};

use super::builder::Builder;
use super::{Result, invalid, too_large};
use crate::ir::{
    BootstrapCall, CallSite, ConcatPart, Const, Lambda, MethodHandle, MethodRef, StringRef,
    SwitchLabel,
};
use crate::names::Name;
use crate::types::{Kind, MethodDescriptor, Type, field_kind, split_field};

/// Computed constants may have computed arguments. javac nests two deep.
const MAX_DEPTH: usize = 8;
const MAX_CALL_SITES: usize = 65_536;

/// The meaning of an `invokedynamic`, as an index into the body's call sites.
pub(super) fn call_site(builder: &mut Builder<'_>, dynamic: DynamicRef) -> Result<u32> {
    let site = Site::new(builder, dynamic)?;
    let meaning = site.call(builder)?.unwrap_or_else(|| site.unknown(builder));
    add(builder, meaning)
}

/// What `ldc` of this constant loads.
pub(super) fn loadable_constant(builder: &mut Builder<'_>, index: u16) -> Result<Const> {
    nested_constant(builder, index, 0)
}

fn nested_constant(builder: &mut Builder<'_>, index: u16, depth: usize) -> Result<Const> {
    let constant = builder.class.file.pool().constant(index)?;
    Ok(match constant {
        Constant::Integer(value) => Const::Int(value),
        Constant::Float(bits) => Const::Float(bits),
        Constant::Long(value) => Const::Long(value),
        Constant::Double(bits) => Const::Double(bits),
        Constant::String(utf8) => Const::String(StringRef { class: builder.class.id, utf8 }),
        Constant::Class(utf8) => Const::Class(builder.class_type(utf8)?),
        Constant::MethodType(utf8) => Const::MethodType(name(builder, utf8)),
        Constant::MethodHandle(kind, member) => {
            let handle = method_handle(builder, kind, member);
            Const::Dynamic(add(builder, CallSite::MethodHandle(handle))?, Kind::Ref)
        }
        Constant::Dynamic(dynamic) => {
            let descriptor = builder.class.file.bytes(dynamic.descriptor);
            let Some((field, [])) = split_field(descriptor) else {
                return invalid(builder.pc, "malformed dynamic constant");
            };
            let kind = field_kind(field);
            let site = Site::new(builder, dynamic)?;
            let meaning = match depth {
                ..MAX_DEPTH => site.constant(builder, depth + 1)?,
                MAX_DEPTH.. => None,
            };
            let meaning = meaning.unwrap_or_else(|| site.unknown(builder));
            Const::Dynamic(add(builder, meaning)?, kind)
        }
        Constant::Utf8(_)
        | Constant::Member(_)
        | Constant::NameAndType(..)
        | Constant::InvokeDynamic(_)
        | Constant::Module(_)
        | Constant::Package(_) => {
            return invalid(builder.pc, "ldc of what is no loadable constant");
        }
    })
}

fn add(builder: &mut Builder<'_>, site: CallSite) -> Result<u32> {
    if builder.body.call_sites.len() >= MAX_CALL_SITES {
        return Err(too_large("more than 65,536 dynamic call sites"));
    }
    builder.body.call_sites.push(site);
    Ok(builder.body.call_sites.len() as u32 - 1)
}

fn name(builder: &Builder<'_>, utf8: classfile::Utf8) -> Name {
    builder.class.constant_name(utf8, &builder.program.names)
}

fn method_handle(builder: &Builder<'_>, kind: HandleKind, member: MemberRef) -> MethodHandle {
    let member_ref = MethodRef {
        class: name(builder, member.class),
        name: name(builder, member.name),
        descriptor: name(builder, member.descriptor),
    };
    let is_interface = member.kind == MemberKind::InterfaceMethod;
    MethodHandle { kind, member: member_ref, is_interface }
}

/// One use of a bootstrap method.
struct Site<'m> {
    bootstrap: &'m BootstrapMethod,
    name: Name,
    descriptor: Name,
    descriptor_text: &'m [u8],
}

impl<'m> Site<'m> {
    fn new(builder: &mut Builder<'m>, dynamic: DynamicRef) -> Result<Site<'m>> {
        let class = builder.class;
        let bootstrap = class.bootstrap_methods()?.get(usize::from(dynamic.bootstrap));
        let Some(bootstrap) = bootstrap else {
            return invalid(builder.pc, "bootstrap method that does not exist");
        };
        let descriptor_text = class.file.bytes(dynamic.descriptor);
        builder.charge_descriptor(descriptor_text.len())?;
        builder.charge_call_site(bootstrap.arguments.len())?;
        Ok(Site {
            bootstrap,
            name: name(builder, dynamic.name),
            descriptor: name(builder, dynamic.descriptor),
            descriptor_text,
        })
    }

    fn unknown(&self, builder: &Builder<'_>) -> CallSite {
        let bootstrap = method_handle(builder, self.bootstrap.kind, self.bootstrap.method);
        let (name, descriptor) = (self.name, self.descriptor);
        CallSite::Unknown(Box::new(BootstrapCall { bootstrap, name, descriptor }))
    }

    /// The class and name of the bootstrap method.
    fn factory<'b>(&self, builder: &'b Builder<'_>) -> (&'b [u8], &'b [u8]) {
        let file = &builder.class.file;
        (file.bytes(self.bootstrap.method.class), file.bytes(self.bootstrap.method.name))
    }

    fn call(&self, builder: &mut Builder<'_>) -> Result<Option<CallSite>> {
        match self.factory(builder) {
            (b"java/lang/invoke/LambdaMetafactory", b"metafactory" | b"altMetafactory") => {
                self.lambda(builder)
            }
            (b"java/lang/invoke/StringConcatFactory", b"makeConcat") => {
                let parts = self.argument_types(builder).into_iter().map(ConcatPart::Argument);
                Ok(Some(CallSite::Concat(parts.collect())))
            }
            (b"java/lang/invoke/StringConcatFactory", b"makeConcatWithConstants") => {
                self.concat(builder)
            }
            (b"java/lang/runtime/ObjectMethods", b"bootstrap") => Ok(self.record_method(builder)),
            (b"java/lang/runtime/SwitchBootstraps", b"typeSwitch") => {
                self.labels(builder, false).map(|labels| labels.map(CallSite::TypeSwitch))
            }
            (b"java/lang/runtime/SwitchBootstraps", b"enumSwitch") => {
                self.labels(builder, true).map(|labels| labels.map(CallSite::EnumSwitch))
            }
            _ => Ok(None),
        }
    }

    /// Of the call itself.
    fn argument_types(&self, builder: &Builder<'_>) -> Vec<Type> {
        MethodDescriptor::parse(self.descriptor_text)
            .map(|descriptor| descriptor.parameter_types(&builder.program.names))
            .unwrap_or_default()
    }

    fn argument(&self, builder: &Builder<'_>, index: usize) -> Option<Constant> {
        let &index = self.bootstrap.arguments.get(index)?;
        builder.class.file.pool().constant(index).ok()
    }

    fn method_type(&self, builder: &Builder<'_>, index: usize) -> Option<Name> {
        match self.argument(builder, index)? {
            Constant::MethodType(utf8) => Some(name(builder, utf8)),
            _ => None,
        }
    }

    fn integer(&self, builder: &Builder<'_>, index: usize) -> Option<i32> {
        match self.argument(builder, index)? {
            Constant::Integer(value) => Some(value),
            _ => None,
        }
    }

    fn handle(&self, builder: &Builder<'_>, index: usize) -> Option<MethodHandle> {
        match self.argument(builder, index)? {
            Constant::MethodHandle(kind, member) => Some(method_handle(builder, kind, member)),
            _ => None,
        }
    }

    fn class(&self, builder: &Builder<'_>, index: usize) -> Option<Name> {
        match self.argument(builder, index)? {
            Constant::Class(utf8) => Some(name(builder, utf8)),
            _ => None,
        }
    }

    fn lambda(&self, builder: &Builder<'_>) -> Result<Option<CallSite>> {
        Ok(self.read_lambda(builder).map(|lambda| CallSite::Lambda(Box::new(lambda))))
    }

    fn read_lambda(&self, builder: &Builder<'_>) -> Option<Lambda> {
        let names = &builder.program.names;
        let result = MethodDescriptor::parse(self.descriptor_text)?.result_type(names)?;
        let Type { element: crate::types::Element::Class(interface), dimensions: 0 } = result
        else {
            return None;
        };
        let mut lambda = Lambda {
            interface,
            markers: Box::default(),
            method: self.name,
            descriptor: self.method_type(builder, 0)?,
            bridges: Box::default(),
            implementation: self.handle(builder, 1)?,
            instantiated: self.method_type(builder, 2)?,
            is_serializable: false,
        };
        if self.factory(builder).1 == b"altMetafactory" {
            self.read_alternatives(builder, &mut lambda)?;
        }
        Some(lambda)
    }

    /// The further arguments of `altMetafactory`: flags, then marker interfaces, then bridges.
    fn read_alternatives(&self, builder: &Builder<'_>, lambda: &mut Lambda) -> Option<()> {
        let flags = self.integer(builder, 3)?;
        lambda.is_serializable = flags & 1 != 0;
        let mut next = 4;
        let mut count_if = |has: bool| {
            if !has {
                return Some(next..next);
            }
            let count = usize::try_from(self.integer(builder, next)?).ok()?;
            let first = next + 1;
            next = first.checked_add(count).filter(|&end| end <= self.bootstrap.arguments.len())?;
            Some(first..next)
        };
        let markers = count_if(flags & 2 != 0)?;
        let bridges = count_if(flags & 4 != 0)?;
        lambda.markers = markers.map(|index| self.class(builder, index)).collect::<Option<_>>()?;
        lambda.bridges =
            bridges.map(|index| self.method_type(builder, index)).collect::<Option<_>>()?;
        Some(())
    }

    /// The recipe holds text with \1 for each argument and \2 for each constant.
    fn concat(&self, builder: &mut Builder<'_>) -> Result<Option<CallSite>> {
        let Some(Constant::String(recipe)) = self.argument(builder, 0) else { return Ok(None) };
        let class = builder.class;
        let mut constants = self.bootstrap.arguments.iter().skip(1);
        let mut arguments = self.argument_types(builder).into_iter();
        let mut parts = Vec::new();
        builder.charge_descriptor(class.file.bytes(recipe).len())?;
        for piece in class.file.bytes(recipe).chunk_by(|a, b| *a > 2 && *b > 2) {
            builder.charge_call_site(1)?;
            parts.push(match piece {
                [1] => match arguments.next() {
                    Some(ty) => ConcatPart::Argument(ty),
                    None => return Ok(None),
                },
                [2] => match constants.next() {
                    Some(&index) => ConcatPart::Constant(nested_constant(builder, index, 1)?),
                    None => return Ok(None),
                },
                text => ConcatPart::Text(builder.program.names.intern(text)),
            });
        }
        Ok(Some(CallSite::Concat(parts.into())))
    }

    fn record_method(&self, builder: &Builder<'_>) -> Option<CallSite> {
        let class = self.class(builder, 0)?;
        let getters = 2..self.bootstrap.arguments.len();
        let components = getters.map(|index| self.handle(builder, index)).collect::<Option<_>>()?;
        Some(CallSite::RecordMethod { name: self.name, class, components })
    }

    fn labels(
        &self,
        builder: &mut Builder<'_>,
        is_enum: bool,
    ) -> Result<Option<Box<[SwitchLabel]>>> {
        let mut labels = Vec::with_capacity(self.bootstrap.arguments.len());
        for &index in &self.bootstrap.arguments {
            labels.push(match nested_constant(builder, index, 1)? {
                Const::Class(class) => SwitchLabel::Type(class),
                Const::String(text) if is_enum => {
                    SwitchLabel::Enum { class: None, name: builder.literal(text) }
                }
                Const::String(text) => SwitchLabel::String(builder.literal(text)),
                Const::Int(value) => SwitchLabel::Int(value),
                Const::Dynamic(site, _) => {
                    enum_label(builder, site as usize).unwrap_or(SwitchLabel::Other)
                }
                Const::Null
                | Const::Long(_)
                | Const::Float(_)
                | Const::Double(_)
                | Const::MethodType(_) => SwitchLabel::Other,
            });
        }
        Ok(Some(labels.into()))
    }

    fn constant(&self, builder: &mut Builder<'_>, depth: usize) -> Result<Option<CallSite>> {
        let (class, method) = self.factory(builder);
        if class != b"java/lang/invoke/ConstantBootstraps" {
            return Ok(None);
        }
        let names = &builder.program.names;
        Ok(match method {
            b"nullConstant" => Some(CallSite::Null),
            b"primitiveClass" => Some(CallSite::PrimitiveClass(self.name)),
            b"enumConstant" => class_of_descriptor(self.descriptor_text).map(|class| {
                CallSite::EnumConstant { class: names.intern(class), name: self.name }
            }),
            b"getStaticFinal" => {
                let declaring = match self.bootstrap.arguments.len() {
                    0 => class_of_descriptor(self.descriptor_text).map(|class| names.intern(class)),
                    _ => self.class(builder, 0),
                };
                let (name, descriptor) = (self.name, self.descriptor);
                declaring.map(|class| CallSite::StaticFinal { class, name, descriptor })
            }
            b"invoke" => {
                let Some(handle) = self.handle(builder, 0) else { return Ok(None) };
                let arguments = self.bootstrap.arguments.iter().skip(1);
                let arguments = arguments
                    .map(|&index| nested_constant(builder, index, depth))
                    .collect::<Result<_>>()?;
                Some(CallSite::InvokeConstant { handle, arguments })
            }
            _ => None,
        })
    }
}

/// javac writes the label `p.E.A` as `EnumDesc.of(ClassDesc.of("p.E"), "A")`.
fn enum_label(builder: &Builder<'_>, site: usize) -> Option<SwitchLabel> {
    let names = &builder.program.names;
    let call = |site: usize, class: &[u8]| match &builder.body.call_sites[site] {
        CallSite::InvokeConstant { handle, arguments }
            if names.bytes(handle.member.class) == class
                && names.bytes(handle.member.name) == b"of" =>
        {
            Some(arguments)
        }
        _ => None,
    };
    let (Const::Dynamic(class, _), Const::String(name)) =
        two(call(site, b"java/lang/Enum$EnumDesc")?)?
    else {
        return None;
    };
    let [Const::String(class)] = call(class as usize, b"java/lang/constant/ClassDesc")?[..] else {
        return None;
    };
    let (class, name) = (builder.literal(class), builder.literal(name));
    let internal: Vec<u8> =
        names.bytes(class).iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect();
    Some(SwitchLabel::Enum { class: Some(names.intern(&internal)), name })
}

fn two(arguments: &[Const]) -> Option<(Const, Const)> {
    if let [first, second] = arguments { Some((*first, *second)) } else { None }
}

fn class_of_descriptor(descriptor: &[u8]) -> Option<&[u8]> {
    descriptor.strip_prefix(b"L")?.strip_suffix(b";")
}
