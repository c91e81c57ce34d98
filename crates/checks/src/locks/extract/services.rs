//! Providers of services: whoever goes through a `ServiceLoader` initialises their classes and makes an
//! object of each, there and with the locks held that it holds then (`ServiceLoader`, "Provider class
//! loading"). Which service is meant is seen where `load` is told its class, or from the type argument of
//! the field that keeps the loader; of others nothing is said.

use program::ir::{MethodRef, Op, Value};
use program::{ClassId, FieldSignature, MethodId, TypeArgument};

use super::Extraction;
use crate::locks::facts::{Call, Creation, Held, What};
use crate::locks::path::Root;
use crate::locks::universe::Targets;

const LOADER: &[u8] = b"java/util/ServiceLoader";

impl Extraction<'_> {
    /// Notes what a call initialises and makes if it asks a loader for the next provider.
    pub(super) fn record_providers(
        &mut self,
        number: u32,
        pc: u16,
        held: Held,
        method: &MethodRef,
        arguments: &[Value],
    ) {
        let Some(service) = self.service_asked(method, arguments) else { return };
        let universe = self.scene.universe;
        for &provider in universe.program.providers(service) {
            self.record_init(pc, held, Some(provider));
            let Some(constructor) = self.plain_constructor(provider) else { continue };
            let arguments: Box<[_]> = Box::from([None]);
            self.facts.creations.push(Creation {
                pc,
                class: provider,
                constructor,
                arguments: arguments.clone(),
            });
            let methods = Box::from([constructor]);
            let targets = std::sync::Arc::new(Targets { methods, ..Targets::default() });
            let call =
                Call { resolved: constructor, targets, is_virtual: false, arguments, number };
            self.push(pc, held, What::Call(Box::new(call)));
        }
    }

    /// The service of which the call makes a provider.
    fn service_asked(&self, method: &MethodRef, arguments: &[Value]) -> Option<ClassId> {
        const DEPTH: usize = 6;
        let names = &self.universe().program.names;
        let (class, name) = (names.bytes(method.class), names.bytes(method.name));
        let asks = match class {
            LOADER => match name {
                b"findFirst" | b"forEach" | b"stream" | b"spliterator" => true,
                // Handed on, somebody else asks.
                b"iterator" => !self.body().instructions.iter().any(|it| match it.op {
                    Op::Invoke { method, .. } => names.bytes(method.name) == b"next",
                    _ => false,
                }),
                _ => false,
            },
            b"java/util/Iterator" => {
                matches!(name, b"next" | b"forEachRemaining") && self.has_loader()
            }
            _ => false,
        };
        if !asks {
            return None;
        }
        self.service_of(*arguments.first()?, DEPTH)
    }

    fn has_loader(&self) -> bool {
        let names = &self.universe().program.names;
        self.body().instructions.iter().any(|it| match it.op {
            Op::Invoke { method, .. } => names.bytes(method.class) == LOADER,
            _ => false,
        })
    }

    /// The service that a loader, or an iterator of one, is for.
    fn service_of(&self, value: Value, depth: usize) -> Option<ClassId> {
        let depth = depth.checked_sub(1)?;
        let program = self.universe().program;
        let made = self.body().instructions.iter().find(|it| it.result == Some(value))?;
        match made.op {
            Op::Invoke { method, arguments, .. } if program.names.bytes(method.class) == LOADER => {
                let arguments = self.body().list(arguments);
                let is_loading = program.names.bytes(method.name).starts_with(b"load");
                if !is_loading {
                    return self.service_of(*arguments.first()?, depth);
                }
                arguments.iter().find_map(|&it| self.class_constant(it))
            }
            Op::CheckCast(_, inner) => self.service_of(inner, depth),
            Op::GetField(field, _) | Op::GetStatic(field) => {
                let id =
                    program.resolve_field(field.class, field.name, field.descriptor).found()?;
                let (class, _) = program.field(id);
                let declared = class.file.fields.get(id.index())?;
                let text = declared.signature(&class.file).ok()??;
                let text = classfile::mutf8::decode_lossy(class.file.bytes(text));
                let FieldSignature::Class(ty) = FieldSignature::parse(&text)? else { return None };
                let TypeArgument::Exact(FieldSignature::Class(of)) = ty.arguments.first()? else {
                    return None;
                };
                program.find_class_text(&of.name)
            }
            _ => None,
        }
    }

    fn class_constant(&self, value: Value) -> Option<ClassId> {
        match self.scene.paths.of(self.values.of(value)?.path).root {
            Root::Class(class) => Some(class),
            Root::Param(_)
            | Root::Static(_)
            | Root::Text(_)
            | Root::Alloc(..)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown => None,
        }
    }

    fn plain_constructor(&self, class: ClassId) -> Option<MethodId> {
        let program = self.universe().program;
        let nothing = program.names.find(b"()V")?;
        program.class(class)?.declared_method(program.known.init, nothing)
    }
}
