//! The interpreter loop: one body, from its entry to a return.

use program::ir::{
    BinaryOp, BlockId, Body, Condition, Const, Edge, Handler, Instruction, Op, Terminator,
    ValueList,
};
use program::{Kind, MethodId, Primitive, Type};

use super::arithmetic;
use super::heap::{Array, ObjectData};
use super::value::{Ref, Value};
use super::{Machine, Outcome, Stop, gap};

pub(super) struct Frame<'b> {
    pub(super) method: MethodId,
    pub(super) body: &'b Body,
    pub(super) values: Vec<Value>,
    /// What is on its way along an edge.
    passed: Vec<Value>,
}

impl Frame<'_> {
    pub(super) fn get(&self, value: program::ir::Value) -> Value {
        self.values[value.index()]
    }

    /// For what the course of the program, or a place in the heap, depends on.
    fn known(&self, value: program::ir::Value) -> Outcome<Value> {
        known(self.get(value))
    }

    pub(super) fn list(&self, list: ValueList) -> Vec<Value> {
        self.body.list(list).iter().map(|&value| self.get(value)).collect()
    }

    /// Passes the edge's arguments, all at once, to the parameters after the first `skipped`.
    pub(super) fn follow(&mut self, edge: Edge, skipped: usize) -> BlockId {
        let parameters = &self.body.list(self.body.block(edge.target).parameters)[skipped..];
        match (self.body.list(edge.arguments), parameters) {
            ([], []) => {}
            ([argument], [parameter]) => self.values[parameter.index()] = self.get(*argument),
            (arguments, parameters) => {
                self.passed.clear();
                self.passed.extend(arguments.iter().map(|value| self.values[value.index()]));
                for (parameter, value) in parameters.iter().zip(&self.passed) {
                    self.values[parameter.index()] = *value;
                }
            }
        }
        edge.target
    }
}

impl Machine<'_> {
    pub(super) fn run_body(
        &mut self,
        method: MethodId,
        body: &Body,
        arguments: Vec<Value>,
    ) -> Outcome<Option<Value>> {
        let mut values = arguments;
        values.resize(body.kinds.len(), Value::Int(0));
        let mut frame = Frame { method, body, values, passed: self.empty_list() };
        let outcome = self.run_blocks(&mut frame);
        self.spare.extend([frame.values, frame.passed]);
        outcome
    }

    /// A list that was in use before, for as many calls need one.
    pub(super) fn empty_list(&mut self) -> Vec<Value> {
        let mut list = self.spare.pop().unwrap_or_default();
        list.clear();
        list
    }

    fn run_blocks(&mut self, frame: &mut Frame<'_>) -> Outcome<Option<Value>> {
        let body = frame.body;
        let mut current = BlockId::ENTRY;
        loop {
            let block = body.block(current);
            let stop = match self.run_block(frame, current) {
                Ok(Next::Block(next)) => {
                    current = next;
                    continue;
                }
                Ok(Next::Return(value)) => return Ok(value),
                Err(stop) => stop,
            };
            let Stop::Throw(exception) = stop else { return Err(stop) };
            match self.find_handler(body.handlers_of(block), exception)? {
                Some(handler) => {
                    let parameters = body.list(body.block(handler.edge.target).parameters);
                    let first = parameters.first().map(|value| value.index());
                    current = frame.follow(handler.edge, 1);
                    if let Some(first) = first {
                        frame.values[first] = Value::Ref(exception);
                    }
                }
                None => return Err(Stop::Throw(exception)),
            }
        }
    }

    fn find_handler(&mut self, handlers: &[Handler], exception: Ref) -> Outcome<Option<Handler>> {
        let thrown = self.heap.object(exception).ty;
        for handler in handlers {
            let catches = match handler.catch_type {
                None => true,
                Some(class) => self.is_assignable(thrown, Type::class(class))?,
            };
            if catches {
                return Ok(Some(*handler));
            }
        }
        Ok(None)
    }

    fn run_block(&mut self, frame: &mut Frame<'_>, id: BlockId) -> Outcome<Next> {
        let block = frame.body.block(id);
        let instructions = frame.body.instructions_of(block);
        let cost = instructions.len() as u64 + 1;
        match self.instructions_left.checked_sub(cost) {
            Some(left) => self.instructions_left = left,
            None => return gap("the call takes too long to be followed"),
        }
        for instruction in instructions {
            self.step(frame, instruction)?;
        }
        match block.terminator {
            Terminator::Goto(edge) => Ok(Next::Block(frame.follow(edge, 0))),
            Terminator::If { condition, then, otherwise } => match is_met(frame, condition) {
                Ok(is_met) => {
                    let edge = if is_met { then } else { otherwise };
                    Ok(Next::Block(frame.follow(edge, 0)))
                }
                Err(stop) => match self.join(frame, then, otherwise)? {
                    Some(next) => Ok(Next::Block(next)),
                    None => Err(stop),
                },
            },
            Terminator::Switch { value, cases, default } => {
                let key = frame.known(value)?.int();
                let cases = frame.body.cases(cases);
                let edge = match cases.binary_search_by_key(&key, |&(key, _)| key) {
                    Ok(found) => cases[found].1,
                    Err(_) => default,
                };
                Ok(Next::Block(frame.follow(edge, 0)))
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.returned(frame.method, frame.get(value)));
                Ok(Next::Return(value))
            }
            Terminator::Throw(exception) => match frame.known(exception)?.reference() {
                Ref::NULL => self.throw_unknown_message("java/lang/NullPointerException"),
                exception => Err(Stop::Throw(exception)),
            },
        }
    }

    fn step(&mut self, frame: &mut Frame<'_>, instruction: &Instruction) -> Outcome<()> {
        let result = match instruction.op {
            Op::Const(constant) => Some(self.constant(frame.body, constant)?),
            Op::Unary(op, value) => Some(arithmetic::unary(op, frame.get(value))),
            Op::Binary(op, left, right) => {
                if let BinaryOp::Div(Kind::Int | Kind::Long)
                | BinaryOp::Rem(Kind::Int | Kind::Long) = op
                {
                    frame.known(right)?;
                }
                match arithmetic::binary(op, frame.get(left), frame.get(right)) {
                    Some(value) => Some(value),
                    None => {
                        return self.throw_message("java/lang/ArithmeticException", "/ by zero");
                    }
                }
            }
            Op::New(class) => {
                let class = self.find_class(class)?;
                self.initialise(class)?;
                Some(Value::Ref(self.allocate(class)?))
            }
            Op::NewArray { element, length } => {
                Some(Value::Ref(self.new_array(element, frame.known(length)?.int())?))
            }
            Op::NewMultiArray { array, lengths } => {
                let lengths =
                    frame.list(lengths).into_iter().map(|length| Ok(known(length)?.int()));
                let lengths: Vec<i32> = lengths.collect::<Outcome<_>>()?;
                Some(Value::Ref(self.new_multi_array(array, &lengths)?))
            }
            Op::ArrayLength(array) => {
                let array = self.non_null(frame.get(array))?;
                Some(Value::Int(self.array(array)?.len() as i32))
            }
            Op::ArrayLoad { array, index, .. } => {
                let array = self.non_null(frame.get(array))?;
                let index = self.check_index(array, frame.known(index)?.int())?;
                match self.unknown_arrays.get(&array) {
                    Some(&why) => Some(Value::Unknown(why)),
                    None => Some(self.array(array)?.get(index)),
                }
            }
            Op::ArrayStore { array, index, value, .. } => {
                let array = self.non_null(frame.get(array))?;
                let index = self.check_index(array, frame.known(index)?.int())?;
                match frame.get(value) {
                    // An unknown reference may not fit into the array.
                    Value::Unknown(why) if !matches!(self.array(array)?, Array::Ref(_)) => {
                        self.unknown_arrays.insert(array, why);
                    }
                    value => self.store(array, index, known(value)?)?,
                }
                None
            }
            Op::GetStatic(field) => {
                let field = self.resolve_field(field)?;
                self.check_readable(field)?;
                Some(*self.static_field(field)?)
            }
            Op::PutStatic(field, value) => {
                let value = narrowed(frame.get(value), self.narrowing(field.descriptor));
                let field = self.resolve_field(field)?;
                *self.static_field(field)? = value;
                None
            }
            Op::GetField(field, object) => {
                let object = self.non_null(frame.get(object))?;
                let place = self.place_of(field)?;
                self.check_message(object, place.field)?;
                Some(*self.at_place(object, place)?)
            }
            Op::PutField(field, object, value) => {
                let object = self.non_null(frame.get(object))?;
                let place = self.place_of(field)?;
                *self.at_place(object, place)? = place.narrowed(frame.get(value));
                None
            }
            Op::Invoke { kind, method, arguments } => {
                let mut passed = self.empty_list();
                passed.extend(frame.body.list(arguments).iter().map(|&value| frame.get(value)));
                self.invoke(frame.method, kind, method, passed)?
            }
            Op::InvokeDynamic { call_site, arguments } => {
                let site = &frame.body.call_sites[call_site as usize];
                self.invoke_dynamic((frame.method, call_site), site, frame.list(arguments))?
            }
            Op::CheckCast(ty, value) => {
                let object = frame.known(value)?.reference();
                if !object.is_null() && !self.is_of_type(object, ty)? {
                    return self.throw_unknown_message("java/lang/ClassCastException");
                }
                Some(Value::Ref(object))
            }
            Op::InstanceOf(ty, value) => {
                let object = frame.known(value)?.reference();
                let fits = !object.is_null() && self.is_of_type(object, ty)?;
                Some(Value::boolean(fits))
            }
            // One thread alone never waits for a monitor.
            Op::MonitorEnter(object) | Op::MonitorExit(object) => {
                self.non_null(frame.get(object))?;
                None
            }
        };
        if let (Some(result), Some(value)) = (instruction.result, result) {
            frame.values[result.index()] = value;
        }
        Ok(())
    }

    pub(super) fn constant(&mut self, body: &Body, constant: Const) -> Outcome<Value> {
        Ok(match constant {
            Const::Null => Value::Ref(Ref::NULL),
            Const::Int(value) => Value::Int(value),
            Const::Long(value) => Value::Long(value),
            Const::Float(bits) => Value::Float(f32::from_bits(bits)),
            Const::Double(bits) => Value::Double(f64::from_bits(bits)),
            Const::String(text) => Value::Ref(self.literal(self.program.literal(text))?),
            Const::Class(ty) => Value::Ref(self.mirror(ty)?),
            Const::MethodType(_) => return gap("method types"),
            Const::Dynamic(site, _) => self.dynamic_constant(&body.call_sites[site as usize])?,
        })
    }

    pub(super) fn non_null(&mut self, value: Value) -> Outcome<Ref> {
        match known(value)?.reference() {
            Ref::NULL => self.throw_unknown_message("java/lang/NullPointerException"),
            object => Ok(object),
        }
    }

    pub(super) fn array(&self, reference: Ref) -> Outcome<&Array> {
        match self.heap.array(reference) {
            Some(array) => Ok(array),
            None => gap("an array operation on what is no array"),
        }
    }

    pub(super) fn check_index(&mut self, array: Ref, index: i32) -> Outcome<usize> {
        let length = self.array(array)?.len();
        match usize::try_from(index) {
            Ok(index) if index < length => Ok(index),
            Ok(_) | Err(_) => self.throw_message(
                "java/lang/ArrayIndexOutOfBoundsException",
                &format!("Index {index} out of bounds for length {length}"),
            ),
        }
    }

    /// Writes an element that the array has.
    pub(super) fn store(&mut self, array: Ref, index: usize, value: Value) -> Outcome<()> {
        let mut value = value;
        if let Value::Ref(element) = value
            && !element.is_null()
        {
            let component = self.heap.object(array).ty.component();
            let from = self.heap.object(element).ty;
            if let Some(component) = component
                && !self.is_assignable(from, component)?
            {
                let name = from.display(&self.program.names);
                return self.throw_message("java/lang/ArrayStoreException", &name);
            }
        }
        let ty = self.heap.object(array).ty;
        if let program::Element::Primitive(primitive) = ty.element
            && ty.dimensions == 1
        {
            value = value.narrowed(primitive);
        }
        if let Some(items) = self.heap.array_mut(array) {
            items.set(index, value);
        }
        Ok(())
    }

    pub(super) fn new_array(&mut self, element: Type, length: i32) -> Outcome<Ref> {
        let Ok(size) = usize::try_from(length) else {
            return self.throw_message("java/lang/NegativeArraySizeException", &length.to_string());
        };
        self.charge(size.saturating_mul(8))?;
        let Some(ty) = element.array() else { return gap("an array of 256 dimensions") };
        Ok(self.add_array(ty, Array::new(element, size)))
    }

    pub(super) fn add_array(&mut self, ty: Type, array: Array) -> Ref {
        self.heap.add(ty, self.object_class, ObjectData::Array(array))
    }

    fn new_multi_array(&mut self, ty: Type, lengths: &[i32]) -> Outcome<Ref> {
        // All lengths are checked before anything is allocated.
        if let Some(negative) = lengths.iter().find(|&&length| length < 0) {
            return self
                .throw_message("java/lang/NegativeArraySizeException", &negative.to_string());
        }
        let (Some(component), Some((&length, rest))) = (ty.component(), lengths.split_first())
        else {
            return gap("an array without dimensions");
        };
        let array = self.new_array(component, length)?;
        if !rest.is_empty() {
            for index in 0..length as usize {
                let inner = self.new_multi_array(component, rest)?;
                if let Some(items) = self.heap.array_mut(array) {
                    items.set(index, Value::Ref(inner));
                }
            }
        }
        Ok(array)
    }

    /// JVMS `ireturn`: what a method of a narrow type returns is cut to it. That of a compiler fits.
    fn returned(&self, method: MethodId, value: Value) -> Value {
        match value {
            Value::Int(0 | 1) => value,
            Value::Int(_) => narrowed(value, crate::narrow_result(self.program, method)),
            _ => value,
        }
    }

    /// The type of a field that keeps only a part of an int.
    pub(super) fn narrowing(&self, descriptor: program::Name) -> Option<Primitive> {
        match self.program.names.bytes(descriptor) {
            [letter] => Primitive::from_descriptor(*letter),
            [..] => None,
        }
    }
}

/// The value as a field of this type keeps it.
pub(super) fn narrowed(value: Value, narrowing: Option<Primitive>) -> Value {
    narrowing.map_or(value, |primitive| value.narrowed(primitive))
}

enum Next {
    Block(BlockId),
    Return(Option<Value>),
}

pub(super) fn known(value: Value) -> Outcome<Value> {
    match value {
        Value::Unknown(why) => gap(why.reason()),
        value => Ok(value),
    }
}

fn is_met(frame: &Frame<'_>, condition: Condition) -> Outcome<bool> {
    let int = |value| frame.known(value).map(Value::int);
    let reference = |value| frame.known(value).map(Value::reference);
    Ok(match condition {
        Condition::Int(compare, left, right) => {
            arithmetic::compare(compare, int(left)?, int(right)?)
        }
        Condition::IntToZero(compare, value) => arithmetic::compare(compare, int(value)?, 0),
        Condition::SameRef(left, right) => reference(left)? == reference(right)?,
        Condition::NotSameRef(left, right) => reference(left)? != reference(right)?,
        Condition::Null(value) => reference(value)?.is_null(),
        Condition::NotNull(value) => !reference(value)?.is_null(),
    })
}
