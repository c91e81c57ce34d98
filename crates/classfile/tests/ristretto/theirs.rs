//! The same lines as in `ours`, through `ristretto_classfile`.

use ristretto_classfile::attributes::{
    Annotation, AnnotationElement, Attribute, Instruction, StackFrame, VerificationType,
};
use ristretto_classfile::{ClassFile, Constant, Result};

pub(crate) fn lines(file: &ClassFile<'_>) -> Result<Vec<String>> {
    let mut lines = Lines { file, lines: Vec::new() };
    lines.class()?;
    Ok(lines.lines)
}

struct Lines<'f> {
    file: &'f ClassFile<'f>,
    lines: Vec<String>,
}

impl Lines<'_> {
    fn add(&mut self, line: String) {
        self.lines.push(line);
    }

    fn text(&self, index: u16) -> Result<String> {
        let text = self.file.constant_pool.try_get_utf8(index)?;
        Ok(String::from_utf8_lossy(text.as_bytes()).into_owned())
    }

    fn class_name(&self, index: u16) -> Result<String> {
        let name = self.file.constant_pool.try_get_class(index)?;
        Ok(String::from_utf8_lossy(name.as_bytes()).into_owned())
    }

    /// A module or package.
    fn name(&self, index: u16) -> Result<String> {
        match self.file.constant_pool.try_get(index)? {
            Constant::Module(name) | Constant::Package(name) => self.text(*name),
            _ => self.class_name(index),
        }
    }

    fn names(&self, indices: &[u16]) -> Result<String> {
        let names = indices.iter().map(|&index| self.name(index));
        Ok(names.collect::<Result<Vec<_>>>()?.join(" "))
    }

    fn optional_class(&self, index: u16) -> Result<String> {
        if index == 0 { Ok("-".to_owned()) } else { self.class_name(index) }
    }

    fn optional_text(&self, index: u16) -> Result<String> {
        if index == 0 { Ok("-".to_owned()) } else { self.text(index) }
    }

    fn class(&mut self) -> Result<()> {
        let file = self.file;
        self.add(format!("version {}.{}", file.version.major(), file.version.minor()));
        let name = self.class_name(file.this_class)?;
        self.add(format!("class {name} {:x}", file.access_flags.bits()));
        self.add(format!("super {}", self.optional_class(file.super_class)?));
        self.add(format!("interfaces {}", self.names(&file.interfaces)?));
        let mut index = 1;
        for constant in file.constant_pool.iter() {
            self.add(format!("#{index} {}", self.constant(constant)?));
            let is_wide = matches!(constant, Constant::Long(_) | Constant::Double(_));
            index += if is_wide { 2 } else { 1 };
        }
        for field in &file.fields {
            let flags = field.access_flags.bits();
            self.member(
                "field",
                field.name_index,
                field.descriptor_index,
                flags,
                &field.attributes,
            )?;
            for attribute in &field.attributes {
                if let Attribute::ConstantValue { constant_value_index, .. } = attribute {
                    let constant = file.constant_pool.try_get(*constant_value_index)?;
                    self.add(format!("value {}", self.constant(constant)?));
                }
            }
        }
        for method in &file.methods {
            let flags = method.access_flags.bits();
            let attributes = &method.attributes;
            self.member("method", method.name_index, method.descriptor_index, flags, attributes)?;
            let thrown = attributes.iter().find_map(|attribute| match attribute {
                Attribute::Exceptions { exception_indexes, .. } => Some(&exception_indexes[..]),
                _ => None,
            });
            self.add(format!("throws {}", self.names(thrown.unwrap_or_default())?));
            attributes.iter().try_for_each(|attribute| self.code(attribute))?;
        }
        self.attributes(&file.attributes)?;
        self.class_attributes()
    }

    fn member(
        &mut self,
        word: &str,
        name: u16,
        descriptor: u16,
        flags: u16,
        attributes: &[Attribute],
    ) -> Result<()> {
        let (name, descriptor) = (self.text(name)?, self.text(descriptor)?);
        self.add(format!("{word} {name} {descriptor} {flags:x}"));
        self.attributes(attributes)?;
        self.add(format!("signature {}", self.signature(attributes)?));
        self.annotations(attributes)
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Result<()> {
        for attribute in attributes {
            let name = match attribute {
                Attribute::Unknown { name_index, .. } => self.text(*name_index)?,
                known => known.name().to_owned(),
            };
            self.add(format!("attribute {name}"));
        }
        Ok(())
    }

    fn signature(&self, attributes: &[Attribute]) -> Result<String> {
        let signature = attributes.iter().find_map(|attribute| match attribute {
            Attribute::Signature { signature_index, .. } => Some(*signature_index),
            _ => None,
        });
        self.optional_text(signature.unwrap_or(0))
    }

    fn class_attributes(&mut self) -> Result<()> {
        let attributes = &self.file.attributes;
        let mut source = 0;
        let (mut host, mut members) = (0, &[][..]);
        for attribute in attributes {
            match attribute {
                Attribute::SourceFile { source_file_index, .. } => source = *source_file_index,
                Attribute::NestHost { host_class_index, .. } => host = *host_class_index,
                Attribute::NestMembers { class_indexes, .. } => members = class_indexes,
                _ => {}
            }
        }
        self.add(format!("source {}", self.optional_text(source)?));
        self.add(format!("signature {}", self.signature(attributes)?));
        self.each(attributes, Lines::bootstrap_methods)?;
        self.each(attributes, Lines::inner_classes)?;
        self.each(attributes, Lines::enclosing_method)?;
        self.add(format!("host {}", self.optional_class(host)?));
        self.add(format!("members {}", self.names(members)?));
        self.each(attributes, Lines::permitted_subclasses)?;
        self.each(attributes, Lines::record)?;
        self.annotations(attributes)?;
        self.each(attributes, Lines::module)
    }

    fn each(
        &mut self,
        attributes: &[Attribute],
        add: impl Fn(&mut Self, &Attribute) -> Result<()>,
    ) -> Result<()> {
        attributes.iter().try_for_each(|attribute| add(self, attribute))
    }

    fn bootstrap_methods(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::BootstrapMethods { methods, .. } = attribute else { return Ok(()) };
        for method in methods {
            let handle =
                self.file.constant_pool.try_get_method_handle(method.bootstrap_method_ref)?;
            let (kind, member) = (handle.0, self.member_ref(*handle.1)?);
            self.add(format!("bootstrap {kind:?} {member} {:?}", method.arguments));
        }
        Ok(())
    }

    fn inner_classes(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::InnerClasses { classes, .. } = attribute else { return Ok(()) };
        for inner in classes {
            let outer = self.optional_class(inner.outer_class_info_index)?;
            let name = self.optional_text(inner.name_index)?;
            let flags = inner.access_flags.bits();
            let class = self.class_name(inner.class_info_index)?;
            self.add(format!("inner {class} {outer} {name} {flags:x}"));
        }
        Ok(())
    }

    fn enclosing_method(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::EnclosingMethod { class_index, method_index, .. } = attribute else {
            return Ok(());
        };
        let method =
            if *method_index == 0 { "-".to_owned() } else { self.name_and_type(*method_index)? };
        self.add(format!("enclosing {} {method}", self.class_name(*class_index)?));
        Ok(())
    }

    fn permitted_subclasses(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::PermittedSubclasses { class_indexes, .. } = attribute else { return Ok(()) };
        self.add(format!("permits {}", self.names(class_indexes)?));
        Ok(())
    }

    fn record(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::Record { records, .. } = attribute else { return Ok(()) };
        for component in records {
            let name = self.text(component.name_index)?;
            let descriptor = self.text(component.descriptor_index)?;
            let signature = self.signature(&component.attributes)?;
            self.add(format!("component {name} {descriptor} {signature}"));
        }
        Ok(())
    }

    fn module(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::Module {
            module_name_index, requires, exports, opens, uses, provides, ..
        } = attribute
        else {
            return Ok(());
        };
        self.add(format!("module {}", self.name(*module_name_index)?));
        let requires: Vec<u16> = requires.iter().map(|required| required.index).collect();
        self.add(format!("requires {}", self.names(&requires)?));
        for export in exports {
            let package = self.name(export.index)?;
            self.add(format!("exports {package} {}", self.names(&export.to_index)?));
        }
        for open in opens {
            let package = self.name(open.index)?;
            self.add(format!("opens {package} {}", self.names(&open.to_index)?));
        }
        self.add(format!("uses {}", self.names(uses)?));
        for provide in provides {
            let service = self.name(provide.index)?;
            self.add(format!("provides {service} {}", self.names(&provide.with_index)?));
        }
        Ok(())
    }

    fn code(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::Code { max_stack, max_locals, code, exception_table, attributes, .. } =
            attribute
        else {
            return Ok(());
        };
        self.add(format!("code {max_stack} {max_locals} {}", code.len()));
        for instruction in code {
            self.add(format!("{} {}", instruction.code(), operands(instruction)));
        }
        for handler in exception_table {
            let catch = self.optional_class(handler.catch_type)?;
            let range = &handler.range_pc;
            self.add(format!(
                "handler {} {} {} {catch}",
                range.start, range.end, handler.handler_pc
            ));
        }
        self.attributes(attributes)?;
        self.each(attributes, Lines::line_numbers)?;
        self.each(attributes, Lines::variables)?;
        self.each(attributes, Lines::variable_types)?;
        self.each(attributes, Lines::frames)
    }

    fn line_numbers(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::LineNumberTable { line_numbers, .. } = attribute else { return Ok(()) };
        for line in line_numbers {
            self.add(format!("line {} {}", line.start_pc, line.line_number));
        }
        Ok(())
    }

    fn variables(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::LocalVariableTable { variables, .. } = attribute else { return Ok(()) };
        for v in variables {
            let (name, descriptor) = (self.text(v.name_index)?, self.text(v.descriptor_index)?);
            let range = format!("{} {}", v.start_pc, v.length);
            self.add(format!("variable {range} {name} {descriptor} {}", v.index));
        }
        Ok(())
    }

    fn variable_types(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::LocalVariableTypeTable { variable_types, .. } = attribute else {
            return Ok(());
        };
        for v in variable_types {
            let (name, signature) = (self.text(v.name_index)?, self.text(v.signature_index)?);
            let range = format!("{} {}", v.start_pc, v.length);
            self.add(format!("type {range} {name} {signature} {}", v.index));
        }
        Ok(())
    }

    fn frames(&mut self, attribute: &Attribute) -> Result<()> {
        let Attribute::StackMapTable { frames, .. } = attribute else { return Ok(()) };
        let mut position = None;
        for frame in frames {
            let delta = u32::from(frame.offset_delta());
            let at = position.map_or(delta, |last: u32| last + delta + 1);
            position = Some(at);
            self.add(format!("frame {at} {}", self.frame(frame)?));
        }
        Ok(())
    }

    fn frame(&self, frame: &StackFrame) -> Result<String> {
        Ok(match frame {
            StackFrame::SameFrame { .. } | StackFrame::SameFrameExtended { .. } => {
                "same".to_owned()
            }
            StackFrame::SameLocals1StackItemFrame { stack, .. }
            | StackFrame::SameLocals1StackItemFrameExtended { stack, .. } => {
                format!("stack {}", self.types(stack)?)
            }
            StackFrame::ChopFrame { frame_type, .. } => format!("chop {}", 251 - frame_type),
            StackFrame::AppendFrame { locals, .. } => format!("append {}", self.types(locals)?),
            StackFrame::FullFrame { locals, stack, .. } => {
                format!("full {} | {}", self.types(locals)?, self.types(stack)?)
            }
        })
    }

    fn types(&self, types: &[VerificationType]) -> Result<String> {
        let types = types.iter().map(|ty| match ty {
            VerificationType::Object { cpool_index } => self.class_name(*cpool_index),
            VerificationType::Uninitialized { offset } => Ok(format!("new@{offset}")),
            plain => Ok(format!("{plain:?}")),
        });
        Ok(types.collect::<Result<Vec<_>>>()?.join(" "))
    }

    fn name_and_type(&self, index: u16) -> Result<String> {
        let (name, descriptor) = self.file.constant_pool.try_get_name_and_type(index)?;
        Ok(format!("{}{}", self.text(*name)?, self.text(*descriptor)?))
    }

    fn member_ref(&self, index: u16) -> Result<String> {
        match self.file.constant_pool.try_get(index)? {
            Constant::FieldRef { class_index, name_and_type_index }
            | Constant::MethodRef { class_index, name_and_type_index }
            | Constant::InterfaceMethodRef { class_index, name_and_type_index } => {
                let class = self.class_name(*class_index)?;
                Ok(format!("{class}.{}", self.name_and_type(*name_and_type_index)?))
            }
            other => Ok(format!("no member: {other:?}")),
        }
    }

    fn constant(&self, constant: &Constant<'_>) -> Result<String> {
        let member = |word: &str, class: u16, name: u16| -> Result<String> {
            Ok(format!("{word} {}.{}", self.class_name(class)?, self.name_and_type(name)?))
        };
        Ok(match *constant {
            Constant::Utf8(ref text) => {
                format!("utf8 {}", String::from_utf8_lossy(text.as_bytes()))
            }
            Constant::Integer(value) => format!("int {value}"),
            Constant::Float(value) => format!("float {:x}", value.to_bits()),
            Constant::Long(value) => format!("long {value}"),
            Constant::Double(value) => format!("double {:x}", value.to_bits()),
            Constant::Class(name) => format!("class {}", self.text(name)?),
            Constant::String(text) => format!("string {}", self.text(text)?),
            Constant::FieldRef { class_index, name_and_type_index } => {
                member("Field", class_index, name_and_type_index)?
            }
            Constant::MethodRef { class_index, name_and_type_index } => {
                member("Method", class_index, name_and_type_index)?
            }
            Constant::InterfaceMethodRef { class_index, name_and_type_index } => {
                member("InterfaceMethod", class_index, name_and_type_index)?
            }
            Constant::NameAndType { name_index, descriptor_index } => {
                format!("{}{}", self.text(name_index)?, self.text(descriptor_index)?)
            }
            Constant::MethodHandle { ref reference_kind, reference_index } => {
                format!("handle {reference_kind:?} {}", self.member_ref(reference_index)?)
            }
            Constant::MethodType(descriptor) => format!("methodtype {}", self.text(descriptor)?),
            Constant::Dynamic { bootstrap_method_attr_index, name_and_type_index }
            | Constant::InvokeDynamic { bootstrap_method_attr_index, name_and_type_index } => {
                let what = self.name_and_type(name_and_type_index)?;
                format!("dynamic {bootstrap_method_attr_index} {what}")
            }
            Constant::Module(name) => format!("module {}", self.text(name)?),
            Constant::Package(name) => format!("package {}", self.text(name)?),
        })
    }

    /// Visible ones first, as our reader gives them.
    fn annotations(&mut self, attributes: &[Attribute]) -> Result<()> {
        let visible = attributes.iter().filter_map(|attribute| match attribute {
            Attribute::RuntimeVisibleAnnotations { annotations, .. } => Some(annotations),
            _ => None,
        });
        let invisible = attributes.iter().filter_map(|attribute| match attribute {
            Attribute::RuntimeInvisibleAnnotations { annotations, .. } => Some(annotations),
            _ => None,
        });
        for annotation in visible.chain(invisible).flatten() {
            self.add(format!("annotation {}", self.annotation(annotation)?));
        }
        Ok(())
    }

    fn annotation(&self, annotation: &Annotation) -> Result<String> {
        let elements = annotation.elements.iter().map(|element| {
            Ok(format!("{}={}", self.text(element.name_index)?, self.element(&element.value)?))
        });
        let elements = elements.collect::<Result<Vec<_>>>()?.join(", ");
        Ok(format!("@{}({elements})", self.text(annotation.type_index)?))
    }

    fn element(&self, element: &AnnotationElement) -> Result<String> {
        Ok(match element {
            AnnotationElement::Byte { const_value_index }
            | AnnotationElement::Char { const_value_index }
            | AnnotationElement::Double { const_value_index }
            | AnnotationElement::Float { const_value_index }
            | AnnotationElement::Int { const_value_index }
            | AnnotationElement::Long { const_value_index }
            | AnnotationElement::Short { const_value_index }
            | AnnotationElement::Boolean { const_value_index }
            | AnnotationElement::String { const_value_index } => {
                let constant = self.file.constant_pool.try_get(*const_value_index)?;
                format!("{} {}", char::from(element.tag()), self.constant(constant)?)
            }
            AnnotationElement::Enum { type_name_index, const_name_index } => {
                format!("{}.{}", self.text(*type_name_index)?, self.text(*const_name_index)?)
            }
            AnnotationElement::Class { class_info_index } => {
                format!("{}.class", self.text(*class_info_index)?)
            }
            AnnotationElement::Annotation { annotation } => self.annotation(annotation)?,
            AnnotationElement::Array { values } => {
                let values = values.iter().map(|value| self.element(value));
                format!("[{}]", values.collect::<Result<Vec<_>>>()?.join(", "))
            }
        })
    }
}

/// The operands as the derived `Debug` shows them between the parentheses of the variant.
fn operands(instruction: &Instruction) -> String {
    match instruction {
        Instruction::Tableswitch(switch) => {
            let cases = (switch.low..=switch.high).zip(&switch.offsets);
            let cases: Vec<String> = cases.map(|(key, target)| format!("{key}:{target}")).collect();
            format!("{} else {}", cases.join(" "), switch.default)
        }
        Instruction::Lookupswitch(switch) => {
            let cases = switch.pairs.iter();
            let cases: Vec<String> = cases.map(|(key, target)| format!("{key}:{target}")).collect();
            format!("{} else {}", cases.join(" "), switch.default)
        }
        // The count is redundant, and our reader does not keep it.
        Instruction::Invokeinterface(index, _) => index.to_string(),
        other => {
            let text = format!("{other:?}");
            let inside = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
            inside.unwrap_or_default().to_owned()
        }
    }
}
