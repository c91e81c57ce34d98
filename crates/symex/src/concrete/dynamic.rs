//! `invokedynamic` and computed constants: lambdas, string concatenation, record methods, switches.

use program::ir::{CallSite, ConcatPart, Const, Lambda, MethodHandle, MethodRef, SwitchLabel};
use program::{Element, HandleKind, Kind, MethodDescriptor, MethodId, Name, Primitive, Type};
use std::rc::Rc;

use super::heap::{Closure, ObjectData};
use super::value::{Ref, Value};
use super::{Machine, Outcome, gap};

impl Machine<'_> {
    pub(super) fn invoke_dynamic(
        &mut self,
        caller: (MethodId, u32),
        site: &CallSite,
        arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        match site {
            CallSite::Lambda(lambda) => self.new_lambda(caller, lambda, arguments).map(Some),
            CallSite::Concat(parts) => self.concat(parts, arguments).map(Some),
            CallSite::RecordMethod { name, class, components } => {
                self.record_method(*name, *class, components, &arguments).map(Some)
            }
            CallSite::TypeSwitch(labels) | CallSite::EnumSwitch(labels) => {
                self.type_switch(labels, &arguments).map(Some)
            }
            CallSite::Unknown(call) => {
                let names = &self.program.names;
                let class = self.program.class_text(call.bootstrap.member.class);
                gap(format!("invokedynamic by {class}.{}", names.text(call.bootstrap.member.name)))
            }
            CallSite::MethodHandle(_)
            | CallSite::Null
            | CallSite::PrimitiveClass(_)
            | CallSite::EnumConstant { .. }
            | CallSite::StaticFinal { .. }
            | CallSite::InvokeConstant { .. } => gap("a constant in the place of a call site"),
        }
    }

    pub(super) fn dynamic_constant(&mut self, site: &CallSite) -> Outcome<Value> {
        match site {
            CallSite::Null => Ok(Value::Ref(Ref::NULL)),
            CallSite::PrimitiveClass(name) => match self.program.names.bytes(*name) {
                [letter] => match Primitive::from_descriptor(*letter) {
                    Some(primitive) => self.mirror(Type::primitive(primitive)).map(Value::Ref),
                    None => gap("the class of void"),
                },
                [..] => gap("a primitive class of more than one letter"),
            },
            CallSite::EnumConstant { class, name } => {
                let descriptor = [b"L", self.program.names.bytes(*class), b";"].concat();
                let descriptor = self.program.names.intern(&descriptor);
                self.static_value(*class, *name, descriptor)
            }
            CallSite::StaticFinal { class, name, descriptor } => {
                self.static_value(*class, *name, *descriptor)
            }
            CallSite::MethodHandle(_) | CallSite::InvokeConstant { .. } => gap("method handles"),
            CallSite::Unknown(_)
            | CallSite::Lambda(_)
            | CallSite::Concat(_)
            | CallSite::RecordMethod { .. }
            | CallSite::TypeSwitch(_)
            | CallSite::EnumSwitch(_) => gap("a dynamic constant of unknown origin"),
        }
    }

    fn static_value(&mut self, class: Name, name: Name, descriptor: Name) -> Outcome<Value> {
        let field = self.resolve_field(program::ir::FieldRef { class, name, descriptor })?;
        Ok(*self.static_field(field)?)
    }

    /// A lambda that captures nothing is one object per call site.
    fn new_lambda(
        &mut self,
        caller: (MethodId, u32),
        lambda: &Lambda,
        captured: Vec<Value>,
    ) -> Outcome<Value> {
        if captured.is_empty()
            && let Some(&existing) = self.call_constants.get(&caller)
        {
            return Ok(Value::Ref(existing));
        }
        self.charge(captured.len() * size_of::<Value>())?;
        let is_shared = captured.is_empty();
        let closure = Closure { lambda: lambda.clone(), captured };
        let ty = Type::class(lambda.interface);
        let class = self.program.find_class(lambda.interface);
        let object = self.heap.add(ty, class, ObjectData::Lambda(Rc::new(closure)));
        if is_shared {
            self.call_constants.insert(caller, object);
        }
        Ok(Value::Ref(object))
    }

    /// Calls a method on a lambda: the one that it implements, or a default method of its interface.
    pub(super) fn invoke_lambda(
        &mut self,
        closure: &Closure,
        resolved: MethodId,
        arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        let (class, method) = self.program.method(resolved);
        let lambda = &closure.lambda;
        if method.access_flags.is_abstract() && method.name == lambda.method {
            return self.call_implementation(closure, method.descriptor, &arguments[1..]);
        }
        if class.is_interface() {
            let interface = self.find_class(lambda.interface)?;
            let target = self.select(interface, resolved)?;
            return self.run_method(target, arguments);
        }
        if self.program.names.bytes(method.name) == b"equals" {
            let other = super::run::known(arguments[1])?;
            let same = arguments[0].reference() == other.reference();
            return Ok(Some(Value::boolean(same)));
        }
        gap(format!("{} of a lambda", self.program.names.text(method.name)))
    }

    fn call_implementation(
        &mut self,
        closure: &Closure,
        called: Name,
        arguments: &[Value],
    ) -> Outcome<Option<Value>> {
        let names = &self.program.names;
        let lambda = &closure.lambda;
        let parse = |name: Name| MethodDescriptor::parse(names.bytes(name));
        let (Some(called), Some(instantiated), Some(implementation)) = (
            parse(called),
            parse(lambda.instantiated),
            parse(lambda.implementation.member.descriptor),
        ) else {
            return gap("a lambda with a malformed descriptor");
        };
        let given = called.parameter_types(names);
        let wanted = instantiated.parameter_types(names);
        let result = implementation.result_type(names);
        let expected = called.result_type(names);
        let mut passed = closure.captured.clone();
        let parameters = self.implementation_parameters(lambda.implementation, &implementation);
        for (index, &argument) in arguments.iter().enumerate() {
            let (Some(&from), Some(&through)) = (given.get(index), wanted.get(index)) else {
                return gap("a lambda with too few parameters");
            };
            let argument = self.adapt(argument, from, through)?;
            let Some(&to) = parameters.get(passed.len()) else {
                return gap("a lambda with too few parameters");
            };
            passed.push(self.adapt(argument, through, to)?);
        }
        let returned = self.call_handle(lambda.implementation, passed)?;
        let result = match lambda.implementation.kind {
            HandleKind::NewInvokeSpecial => Some(Type::class(lambda.implementation.member.class)),
            _ => result,
        };
        match (returned, result, expected) {
            (Some(value), Some(from), Some(to)) => self.adapt(value, from, to).map(Some),
            (_, _, None) => Ok(None),
            (None, _, Some(_)) | (Some(_), None, Some(_)) => gap("a lambda without a result"),
        }
    }

    /// The receiver counts as a parameter.
    fn implementation_parameters(
        &self,
        handle: MethodHandle,
        descriptor: &MethodDescriptor<'_>,
    ) -> Vec<Type> {
        let receiver = match handle.kind {
            HandleKind::InvokeVirtual | HandleKind::InvokeSpecial | HandleKind::InvokeInterface => {
                Some(Type::class(handle.member.class))
            }
            _ => None,
        };
        receiver.into_iter().chain(descriptor.parameter_types(&self.program.names)).collect()
    }

    pub(super) fn call_handle(
        &mut self,
        handle: MethodHandle,
        mut arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        match handle.kind {
            HandleKind::InvokeStatic => {
                let method = self.resolve_method(handle.member)?;
                self.initialise(method.class)?;
                self.run_method(method, arguments)
            }
            HandleKind::InvokeVirtual | HandleKind::InvokeInterface => {
                let method = self.resolve_method(handle.member)?;
                self.invoke_virtual(method, arguments)
            }
            HandleKind::InvokeSpecial => {
                let method = self.resolve_method(handle.member)?;
                self.non_null(arguments[0])?;
                self.run_method(method, arguments)
            }
            HandleKind::NewInvokeSpecial => {
                let class = self.find_class(handle.member.class)?;
                self.initialise(class)?;
                let object = Value::Ref(self.allocate(class)?);
                arguments.insert(0, object);
                let method = self.resolve_method(handle.member)?;
                self.run_method(method, arguments)?;
                Ok(Some(object))
            }
            HandleKind::GetField => {
                let MethodRef { class, name, descriptor } = handle.member;
                let object = self.non_null(arguments[0])?;
                let field =
                    self.resolve_field(program::ir::FieldRef { class, name, descriptor })?;
                Ok(Some(*self.instance_field(object, field)?))
            }
            HandleKind::GetStatic | HandleKind::PutField | HandleKind::PutStatic => {
                gap("method handles of fields")
            }
        }
    }

    /// Boxes, unboxes, widens or casts a value of type `from` to type `to`.
    fn adapt(&mut self, value: Value, from: Type, to: Type) -> Outcome<Value> {
        super::run::known(value)?;
        match (from.as_primitive(), to.as_primitive()) {
            (None, None) => {
                let object = value.reference();
                if !object.is_null() {
                    let class = self.heap.object(object).ty;
                    if !self.is_assignable(class, to)? {
                        return self.throw_unknown_message("java/lang/ClassCastException");
                    }
                }
                Ok(value)
            }
            (Some(from), None) => self.boxed(from, value),
            (None, Some(to)) => self.unboxed(value, to),
            (Some(_), Some(to)) => Ok(widened(value, to)),
        }
    }

    pub(super) fn boxed(&mut self, primitive: Primitive, value: Value) -> Outcome<Value> {
        let (class, letter) = box_class(primitive);
        let Some(value_of) = self.declared(class, "valueOf", &format!("({letter})L{class};"))
        else {
            return gap(format!("{class} has no valueOf"));
        };
        self.initialise(value_of.class)?;
        match self.run_method(value_of, vec![value])? {
            Some(object) => Ok(object),
            None => gap("valueOf without a result"),
        }
    }

    fn unboxed(&mut self, value: Value, to: Primitive) -> Outcome<Value> {
        let object = self.non_null(value)?;
        self.unbox(object).map(|held| widened(held, to))
    }

    /// The `value` of any box.
    pub fn unbox(&mut self, object: Ref) -> Outcome<Value> {
        let class = match self.heap.object(object).ty {
            Type { element: Element::Class(name), dimensions: 0 } => {
                self.program.names.text(name).into_owned()
            }
            Type { .. } => return gap("an array in the place of a box"),
        };
        let boxes = [
            Primitive::Boolean,
            Primitive::Byte,
            Primitive::Char,
            Primitive::Short,
            Primitive::Int,
            Primitive::Long,
            Primitive::Float,
            Primitive::Double,
        ];
        let Some((class, letter)) =
            boxes.into_iter().map(box_class).find(|&(name, _)| name == class)
        else {
            return self.throw_unknown_message("java/lang/ClassCastException");
        };
        super::run::known(*self.named_field(object, class, "value", letter)?)
    }

    fn concat(&mut self, parts: &[ConcatPart], arguments: Vec<Value>) -> Outcome<Value> {
        let mut units = Vec::new();
        let mut next = arguments.into_iter();
        for part in parts {
            match part {
                ConcatPart::Text(text) => units.extend(self.program.names.utf16(*text)),
                ConcatPart::Constant(Const::String(literal)) => {
                    let text = &self.program.literal(*literal);
                    units.extend(self.program.names.utf16(*text));
                }
                ConcatPart::Constant(Const::Int(value)) => {
                    units.extend(value.to_string().encode_utf16());
                }
                ConcatPart::Constant(_) => return gap("concatenation of a computed constant"),
                ConcatPart::Argument(ty) => match next.next() {
                    Some(value) => units.extend(self.stringified(value, *ty)?),
                    None => return gap("concatenation with too few arguments"),
                },
            }
        }
        self.new_string(&units).map(Value::Ref)
    }

    /// What `String.valueOf` gives for a value of this type.
    fn stringified(&mut self, value: Value, ty: Type) -> Outcome<Vec<u16>> {
        let text = |text: String| Ok(text.encode_utf16().collect());
        super::run::known(value)?;
        match ty.as_primitive() {
            Some(Primitive::Boolean) => return text((value.int() != 0).to_string()),
            Some(Primitive::Char) => return Ok(vec![value.int() as u16]),
            Some(Primitive::Byte | Primitive::Short | Primitive::Int) => {
                return text(value.int().to_string());
            }
            Some(Primitive::Long) => return text(value.long().to_string()),
            Some(Primitive::Float | Primitive::Double) | None => {}
        }
        let descriptor = match ty.kind() {
            Kind::Float => "(F)Ljava/lang/String;",
            Kind::Double => "(D)Ljava/lang/String;",
            Kind::Int | Kind::Long | Kind::Ref => "(Ljava/lang/Object;)Ljava/lang/String;",
        };
        let Some(value_of) = self.declared("java/lang/String", "valueOf", descriptor) else {
            return gap("String has no valueOf");
        };
        let string = self.run_method(value_of, vec![value])?;
        match string.map_or(Ref::NULL, Value::reference) {
            // `toString` may return null.
            Ref::NULL => text("null".to_owned()),
            string => self.units(string),
        }
    }

    /// JDK `ObjectMethods`: components by `==` or `compare` if primitive, else by `Objects.equals`.
    fn record_method(
        &mut self,
        name: Name,
        class: Name,
        components: &[MethodHandle],
        arguments: &[Value],
    ) -> Outcome<Value> {
        let this = self.non_null(arguments[0])?;
        let names = &self.program.names;
        match names.bytes(name) {
            b"equals" => {
                let other = super::run::known(arguments[1])?.reference();
                if other == this {
                    return Ok(Value::boolean(true));
                }
                if other.is_null() || self.heap.object(other).ty != Type::class(class) {
                    return Ok(Value::boolean(false));
                }
                for &component in components {
                    let left = self.component(component, this)?;
                    let right = self.component(component, other)?;
                    if !self.component_equals(left, right)? {
                        return Ok(Value::boolean(false));
                    }
                }
                Ok(Value::boolean(true))
            }
            b"hashCode" => {
                let mut hash = 0i32;
                for &component in components {
                    let value = self.component(component, this)?;
                    let ty = self.component_type(component);
                    match self.component_hash(value, ty)? {
                        Value::Int(part) => hash = hash.wrapping_mul(31).wrapping_add(part),
                        unknown => return Ok(unknown),
                    }
                }
                Ok(Value::Int(hash))
            }
            b"toString" => self.record_text(class, components, this),
            _ => gap("an unknown method of records"),
        }
    }

    fn component(&mut self, component: MethodHandle, record: Ref) -> Outcome<Value> {
        match self.call_handle(component, vec![Value::Ref(record)])? {
            Some(value) => Ok(value),
            None => gap("a record component without a value"),
        }
    }

    fn component_type(&self, component: MethodHandle) -> Type {
        let names = &self.program.names;
        Type::parse(names.bytes(component.member.descriptor), names)
            .unwrap_or(Type::class(self.program.known.object))
    }

    fn component_equals(&mut self, left: Value, right: Value) -> Outcome<bool> {
        super::run::known(left)?;
        super::run::known(right)?;
        Ok(match (left, right) {
            (Value::Float(a), Value::Float(b)) => float_bits(a) == float_bits(b),
            (Value::Double(a), Value::Double(b)) => double_bits(a) == double_bits(b),
            (Value::Ref(a), Value::Ref(b)) => {
                a == b
                    || !a.is_null() && {
                        let equals = self.object_method("equals", "(Ljava/lang/Object;)Z")?;
                        let answer = self.invoke_virtual(equals, vec![left, Value::Ref(b)])?;
                        answer.is_some_and(|answer| answer.int() != 0)
                    }
            }
            (left, right) => left == right,
        })
    }

    /// An int, or a number by chance.
    fn component_hash(&mut self, value: Value, ty: Type) -> Outcome<Value> {
        Ok(Value::Int(match value {
            Value::Int(value) if ty.as_primitive() == Some(Primitive::Boolean) => {
                if value != 0 {
                    1231
                } else {
                    1237
                }
            }
            Value::Int(value) => value,
            Value::Long(value) => (value ^ (value as u64 >> 32) as i64) as i32,
            Value::Float(value) => float_bits(value) as i32,
            Value::Double(value) => {
                let bits = double_bits(value);
                (bits ^ bits >> 32) as i32
            }
            Value::Unknown(why) => return gap(why.reason()),
            Value::Ref(Ref::NULL) => 0,
            Value::Ref(_) => {
                let hash_code = self.object_method("hashCode", "()I")?;
                return Ok(self.invoke_virtual(hash_code, vec![value])?.unwrap_or(Value::Int(0)));
            }
        }))
    }

    fn record_text(
        &mut self,
        class: Name,
        components: &[MethodHandle],
        record: Ref,
    ) -> Outcome<Value> {
        let name = self.program.names.text(class).into_owned();
        let simple = name.rsplit(['/', '$']).next().unwrap_or(&name);
        let mut units: Vec<u16> = format!("{simple}[").encode_utf16().collect();
        for (index, &component) in components.iter().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            let label = format!("{separator}{}=", self.program.names.text(component.member.name));
            units.extend(label.encode_utf16());
            let value = self.component(component, record)?;
            let ty = self.component_type(component);
            units.extend(self.stringified(value, ty)?);
        }
        units.push(u16::from(b']'));
        self.new_string(&units).map(Value::Ref)
    }

    pub(super) fn object_method(&self, name: &str, descriptor: &str) -> Outcome<MethodId> {
        match self.declared("java/lang/Object", name, descriptor) {
            Some(method) => Ok(method),
            None => gap("java.lang.Object is missing"),
        }
    }

    /// JDK `SwitchBootstraps`: -1 for null, else the first label from the restart index that fits.
    fn type_switch(&mut self, labels: &[SwitchLabel], arguments: &[Value]) -> Outcome<Value> {
        let (object, restart) = (arguments[0], super::run::known(arguments[1])?.int());
        let Value::Ref(object) = object else { return gap("a type switch on a primitive") };
        if object.is_null() {
            return Ok(Value::Int(-1));
        }
        let first = restart.max(0) as usize;
        for (index, label) in labels.iter().enumerate().skip(first) {
            if self.fits(label, object)? {
                return Ok(Value::Int(index as i32));
            }
        }
        Ok(Value::Int(labels.len() as i32))
    }

    fn fits(&mut self, label: &SwitchLabel, object: Ref) -> Outcome<bool> {
        let ty = self.heap.object(object).ty;
        match label {
            SwitchLabel::Type(wanted) => self.is_assignable(ty, *wanted),
            SwitchLabel::String(text) => {
                let is_string = ty == Type::class(self.program.known.string);
                Ok(is_string && self.units(object)? == self.program.names.utf16(*text))
            }
            SwitchLabel::Int(wanted) => {
                if self.is_instance(object, "java/lang/Integer")? {
                    let held = self.named_field(object, "java/lang/Integer", "value", "I")?.int();
                    return Ok(held == *wanted);
                }
                if self.is_instance(object, "java/lang/Character")? {
                    let held = self.named_field(object, "java/lang/Character", "value", "C")?.int();
                    return Ok(held == *wanted);
                }
                Ok(false)
            }
            SwitchLabel::Enum { class, name } => {
                if !self.is_instance(object, "java/lang/Enum")? {
                    return Ok(false);
                }
                if let Some(class) = class
                    && !self.is_assignable(ty, Type::class(*class))?
                {
                    return Ok(false);
                }
                let held =
                    self.named_field(object, "java/lang/Enum", "name", "Ljava/lang/String;")?;
                let held = held.reference();
                Ok(self.units(held)? == self.program.names.utf16(*name))
            }
            SwitchLabel::Other => gap("a switch label of unknown kind"),
        }
    }
}

/// `floatToIntBits`: all NaNs are one.
pub(super) fn float_bits(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

pub(super) fn double_bits(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}

fn widened(value: Value, to: Primitive) -> Value {
    match (value, to.kind()) {
        (Value::Int(v), Kind::Long) => Value::Long(v.into()),
        (Value::Int(v), Kind::Float) => Value::Float(v as f32),
        (Value::Int(v), Kind::Double) => Value::Double(v.into()),
        (Value::Long(v), Kind::Float) => Value::Float(v as f32),
        (Value::Long(v), Kind::Double) => Value::Double(v as f64),
        (Value::Float(v), Kind::Double) => Value::Double(v.into()),
        (same, _) => same,
    }
}

pub(super) fn box_class(primitive: Primitive) -> (&'static str, &'static str) {
    match primitive {
        Primitive::Boolean => ("java/lang/Boolean", "Z"),
        Primitive::Byte => ("java/lang/Byte", "B"),
        Primitive::Char => ("java/lang/Character", "C"),
        Primitive::Short => ("java/lang/Short", "S"),
        Primitive::Int => ("java/lang/Integer", "I"),
        Primitive::Long => ("java/lang/Long", "J"),
        Primitive::Float => ("java/lang/Float", "F"),
        Primitive::Double => ("java/lang/Double", "D"),
    }
}
