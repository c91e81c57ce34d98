//! One bytecode instruction after the other onto the symbolic stack (JVMS chapter 6).

use classfile::{Instruction, Opcode, Operand, Switch};

use super::bootstrap;
use super::builder::{Builder, marker};
use super::flow::can_throw;
use super::operand::{array_primitive, compare, immediate, increment};
use super::{Result, invalid};
use crate::ir::{
    ArrayKind, BinaryOp, Condition, Const, InvokeKind, Op, Terminator, UnaryOp, Value,
};
use crate::types::{Kind, Type};

pub(super) fn translate(builder: &mut Builder<'_>) -> Result<()> {
    let flow = builder.flow;
    for (index, node) in flow.nodes.iter().enumerate() {
        builder.enter_node(index)?;
        let has_handlers = !node.handlers.is_empty();
        let mut is_open = true;
        for instruction in builder.code.run(node.start, node.end) {
            builder.pc = instruction.pc;
            if has_handlers && can_throw(instruction.opcode) {
                builder.note_throw()?;
            }
            is_open = !builder.step(&instruction, node.successors)?;
        }
        if is_open {
            // The next instruction belongs to another block: go on there.
            builder.jump(node.end, node.successors)?;
        }
    }
    Ok(())
}

/// Where the node's normal control flow leads: target pc and node.
type Successors<'s> = &'s [(u32, u32)];

impl Builder<'_> {
    /// Returns whether the instruction ended the block.
    fn step(&mut self, instruction: &Instruction, successors: Successors<'_>) -> Result<bool> {
        use Kind::{Double, Float, Int, Long, Ref};
        use Opcode::*;
        match instruction.opcode {
            Nop => {}
            AconstNull => self.push_const(Const::Null)?,
            IconstM1 | Iconst0 | Iconst1 | Iconst2 | Iconst3 | Iconst4 | Iconst5 => {
                self.push_const(Const::Int(instruction.opcode as i32 - Iconst0 as i32))?;
            }
            Lconst0 | Lconst1 => {
                self.push_const(Const::Long(instruction.opcode as i64 - Lconst0 as i64))?;
            }
            Fconst0 | Fconst1 | Fconst2 => {
                let value = f32::from(instruction.opcode as u8 - Fconst0 as u8);
                self.push_const(Const::Float(value.to_bits()))?;
            }
            Dconst0 | Dconst1 => {
                let value = f64::from(instruction.opcode as u8 - Dconst0 as u8);
                self.push_const(Const::Double(value.to_bits()))?;
            }
            Bipush | Sipush => {
                self.push_const(Const::Int(immediate(self.code.operand(instruction)?)))?
            }
            Ldc | LdcW | Ldc2W => self.load_constant(self.code.pool_index(instruction)?)?,

            Iload | Iload0 | Iload1 | Iload2 | Iload3 => self.load(instruction, Int)?,
            Lload | Lload0 | Lload1 | Lload2 | Lload3 => self.load(instruction, Long)?,
            Fload | Fload0 | Fload1 | Fload2 | Fload3 => self.load(instruction, Float)?,
            Dload | Dload0 | Dload1 | Dload2 | Dload3 => self.load(instruction, Double)?,
            Aload | Aload0 | Aload1 | Aload2 | Aload3 => self.load(instruction, Ref)?,
            Istore | Istore0 | Istore1 | Istore2 | Istore3 => self.pop_store(instruction, Int)?,
            Lstore | Lstore0 | Lstore1 | Lstore2 | Lstore3 => self.pop_store(instruction, Long)?,
            Fstore | Fstore0 | Fstore1 | Fstore2 | Fstore3 => self.pop_store(instruction, Float)?,
            Dstore | Dstore0 | Dstore1 | Dstore2 | Dstore3 => {
                self.pop_store(instruction, Double)?
            }
            Astore | Astore0 | Astore1 | Astore2 | Astore3 => self.pop_store(instruction, Ref)?,
            Iinc => self.increment(instruction)?,

            Iaload => self.array_load(ArrayKind::Int)?,
            Laload => self.array_load(ArrayKind::Long)?,
            Faload => self.array_load(ArrayKind::Float)?,
            Daload => self.array_load(ArrayKind::Double)?,
            Aaload => self.array_load(ArrayKind::Ref)?,
            Baload => self.array_load(ArrayKind::ByteOrBoolean)?,
            Caload => self.array_load(ArrayKind::Char)?,
            Saload => self.array_load(ArrayKind::Short)?,
            Iastore => self.array_store(ArrayKind::Int)?,
            Lastore => self.array_store(ArrayKind::Long)?,
            Fastore => self.array_store(ArrayKind::Float)?,
            Dastore => self.array_store(ArrayKind::Double)?,
            Aastore => self.array_store(ArrayKind::Ref)?,
            Bastore => self.array_store(ArrayKind::ByteOrBoolean)?,
            Castore => self.array_store(ArrayKind::Char)?,
            Sastore => self.array_store(ArrayKind::Short)?,

            Pop => self.drop_slots(1)?,
            Pop2 => self.drop_slots(2)?,
            Dup => self.duplicate(1, 0)?,
            DupX1 => self.duplicate(1, 1)?,
            DupX2 => self.duplicate(1, 2)?,
            Dup2 => self.duplicate(2, 0)?,
            Dup2X1 => self.duplicate(2, 1)?,
            Dup2X2 => self.duplicate(2, 2)?,
            Swap => self.swap()?,

            Iadd => self.binary(BinaryOp::Add(Int))?,
            Ladd => self.binary(BinaryOp::Add(Long))?,
            Fadd => self.binary(BinaryOp::Add(Float))?,
            Dadd => self.binary(BinaryOp::Add(Double))?,
            Isub => self.binary(BinaryOp::Sub(Int))?,
            Lsub => self.binary(BinaryOp::Sub(Long))?,
            Fsub => self.binary(BinaryOp::Sub(Float))?,
            Dsub => self.binary(BinaryOp::Sub(Double))?,
            Imul => self.binary(BinaryOp::Mul(Int))?,
            Lmul => self.binary(BinaryOp::Mul(Long))?,
            Fmul => self.binary(BinaryOp::Mul(Float))?,
            Dmul => self.binary(BinaryOp::Mul(Double))?,
            Idiv => self.binary(BinaryOp::Div(Int))?,
            Ldiv => self.binary(BinaryOp::Div(Long))?,
            Fdiv => self.binary(BinaryOp::Div(Float))?,
            Ddiv => self.binary(BinaryOp::Div(Double))?,
            Irem => self.binary(BinaryOp::Rem(Int))?,
            Lrem => self.binary(BinaryOp::Rem(Long))?,
            Frem => self.binary(BinaryOp::Rem(Float))?,
            Drem => self.binary(BinaryOp::Rem(Double))?,
            Ishl => self.binary(BinaryOp::Shl(Int))?,
            Lshl => self.binary(BinaryOp::Shl(Long))?,
            Ishr => self.binary(BinaryOp::Shr(Int))?,
            Lshr => self.binary(BinaryOp::Shr(Long))?,
            Iushr => self.binary(BinaryOp::Ushr(Int))?,
            Lushr => self.binary(BinaryOp::Ushr(Long))?,
            Iand => self.binary(BinaryOp::And(Int))?,
            Land => self.binary(BinaryOp::And(Long))?,
            Ior => self.binary(BinaryOp::Or(Int))?,
            Lor => self.binary(BinaryOp::Or(Long))?,
            Ixor => self.binary(BinaryOp::Xor(Int))?,
            Lxor => self.binary(BinaryOp::Xor(Long))?,
            Lcmp => self.binary(BinaryOp::CompareLong)?,
            Fcmpl => self.binary(BinaryOp::CompareLess(Float))?,
            Fcmpg => self.binary(BinaryOp::CompareGreater(Float))?,
            Dcmpl => self.binary(BinaryOp::CompareLess(Double))?,
            Dcmpg => self.binary(BinaryOp::CompareGreater(Double))?,

            Ineg => self.unary(UnaryOp::Neg(Int))?,
            Lneg => self.unary(UnaryOp::Neg(Long))?,
            Fneg => self.unary(UnaryOp::Neg(Float))?,
            Dneg => self.unary(UnaryOp::Neg(Double))?,
            I2l => self.unary(UnaryOp::Convert(Int, Long))?,
            I2f => self.unary(UnaryOp::Convert(Int, Float))?,
            I2d => self.unary(UnaryOp::Convert(Int, Double))?,
            L2i => self.unary(UnaryOp::Convert(Long, Int))?,
            L2f => self.unary(UnaryOp::Convert(Long, Float))?,
            L2d => self.unary(UnaryOp::Convert(Long, Double))?,
            F2i => self.unary(UnaryOp::Convert(Float, Int))?,
            F2l => self.unary(UnaryOp::Convert(Float, Long))?,
            F2d => self.unary(UnaryOp::Convert(Float, Double))?,
            D2i => self.unary(UnaryOp::Convert(Double, Int))?,
            D2l => self.unary(UnaryOp::Convert(Double, Long))?,
            D2f => self.unary(UnaryOp::Convert(Double, Float))?,
            I2b => self.unary(UnaryOp::IntToByte)?,
            I2c => self.unary(UnaryOp::IntToChar)?,
            I2s => self.unary(UnaryOp::IntToShort)?,

            Ifeq | Ifne | Iflt | Ifge | Ifgt | Ifle => {
                let value = self.pop(Int)?;
                let condition = Condition::IntToZero(compare(instruction.opcode), value);
                return self.branch(instruction, condition, successors);
            }
            IfIcmpeq | IfIcmpne | IfIcmplt | IfIcmpge | IfIcmpgt | IfIcmple => {
                let (left, right) = self.pop_two(Int, Int)?;
                let condition = Condition::Int(compare(instruction.opcode), left, right);
                return self.branch(instruction, condition, successors);
            }
            IfAcmpeq | IfAcmpne => {
                let (left, right) = self.pop_two(Ref, Ref)?;
                let is_same = instruction.opcode == IfAcmpeq;
                let condition = if is_same { Condition::SameRef } else { Condition::NotSameRef };
                return self.branch(instruction, condition(left, right), successors);
            }
            Ifnull | Ifnonnull => {
                let value = self.pop(Ref)?;
                let is_null = instruction.opcode == Ifnull;
                let condition = if is_null { Condition::Null } else { Condition::NotNull };
                return self.branch(instruction, condition(value), successors);
            }
            Goto | GotoW => {
                self.jump(self.code.branch_target(instruction)?, successors)?;
                return Ok(true);
            }
            Jsr | JsrW => {
                self.stack.push(marker::RETURN_ADDRESS);
                self.jump(self.code.branch_target(instruction)?, successors)?;
                return Ok(true);
            }
            Ret => {
                let Some(&(pc, _)) = successors.first() else {
                    return invalid(self.pc, "ret without a jsr");
                };
                self.jump(pc, successors)?;
                return Ok(true);
            }
            Tableswitch | Lookupswitch => {
                let Operand::Switch(switch) = self.code.operand(instruction)? else {
                    return invalid(self.pc, "switch without a table");
                };
                return self.switch(switch, successors);
            }
            Ireturn => return self.return_value(Int),
            Lreturn => return self.return_value(Long),
            Freturn => return self.return_value(Float),
            Dreturn => return self.return_value(Double),
            Areturn => return self.return_value(Ref),
            Return => {
                if self.result_kind.is_some() {
                    return invalid(self.pc, "return without the value");
                }
                self.close(Terminator::Return(None))?;
                return Ok(true);
            }
            Athrow => {
                let exception = self.pop(Ref)?;
                self.close(Terminator::Throw(exception))?;
                return Ok(true);
            }

            Getstatic | Putstatic | Getfield | Putfield => self.access_field(instruction)?,
            Invokevirtual => {
                self.invoke(InvokeKind::Virtual, self.code.pool_index(instruction)?)?
            }
            Invokespecial => {
                self.invoke(InvokeKind::Special, self.code.pool_index(instruction)?)?
            }
            Invokestatic => self.invoke(InvokeKind::Static, self.code.pool_index(instruction)?)?,
            Invokeinterface => {
                self.invoke(InvokeKind::Interface, self.code.pool_index(instruction)?)?
            }
            Invokedynamic => self.invoke_dynamic(self.code.pool_index(instruction)?)?,
            New => {
                let class = self.class.file.pool().class(self.code.pool_index(instruction)?)?;
                let name = self.class.constant_name(class, &self.program.names);
                self.emit_push(Op::New(name), Ref)?;
            }
            Newarray => {
                let length = self.pop(Int)?;
                let element = Type::primitive(array_primitive(self.code.operand(instruction)?));
                self.emit_push(Op::NewArray { element, length }, Ref)?;
            }
            Anewarray => {
                let element = self.class_constant(self.code.pool_index(instruction)?)?;
                if element.dimensions == u8::MAX {
                    return invalid(self.pc, "array of more than 255 dimensions");
                }
                let length = self.pop(Int)?;
                self.emit_push(Op::NewArray { element, length }, Ref)?;
            }
            Multianewarray => self.new_multi_array(instruction)?,
            Arraylength => {
                let array = self.pop(Ref)?;
                self.emit_push(Op::ArrayLength(array), Int)?;
            }
            Checkcast => {
                let target = self.class_constant(self.code.pool_index(instruction)?)?;
                let value = self.pop(Ref)?;
                self.emit_push(Op::CheckCast(target, value), Ref)?;
            }
            Instanceof => {
                let target = self.class_constant(self.code.pool_index(instruction)?)?;
                let value = self.pop(Ref)?;
                self.emit_push(Op::InstanceOf(target, value), Int)?;
            }
            Monitorenter => {
                let object = self.pop(Ref)?;
                self.emit(Op::MonitorEnter(object))?;
            }
            Monitorexit => {
                let object = self.pop(Ref)?;
                self.emit(Op::MonitorExit(object))?;
            }
            Wide => return invalid(self.pc, "wide alone"),
        }
        Ok(false)
    }

    fn pop_any(&mut self) -> Result<Value> {
        match self.stack.pop() {
            Some(value) => Ok(value),
            None => invalid(self.pc, "stack underflow"),
        }
    }

    pub(super) fn pop(&mut self, kind: Kind) -> Result<Value> {
        let value = self.pop_any()?;
        if marker::is_marker(value) || self.kinds[value.index()] != kind {
            return invalid(self.pc, "operand of the wrong kind");
        }
        Ok(value)
    }

    /// Pops the right operand, then the left one.
    pub(super) fn pop_two(&mut self, left: Kind, right: Kind) -> Result<(Value, Value)> {
        let right = self.pop(right)?;
        Ok((self.pop(left)?, right))
    }

    #[inline(always)]
    fn push_const(&mut self, constant: Const) -> Result<()> {
        self.emit_push(Op::Const(constant), constant.kind())
    }

    fn load_constant(&mut self, index: u16) -> Result<()> {
        let constant = bootstrap::loadable_constant(self, index)?;
        self.push_const(constant)
    }

    fn load(&mut self, instruction: &Instruction, kind: Kind) -> Result<()> {
        let value = self.local(usize::from(self.code.local(instruction)?))?;
        if marker::is_marker(value) || self.kinds[value.index()] != kind {
            return invalid(self.pc, "local of the wrong kind");
        }
        self.stack.push(value);
        Ok(())
    }

    fn local(&self, local: usize) -> Result<Value> {
        match self.locals.get(local) {
            Some(&value) => Ok(value),
            None => invalid(self.pc, "local beyond max_locals"),
        }
    }

    fn pop_store(&mut self, instruction: &Instruction, kind: Kind) -> Result<()> {
        let value = if kind == Kind::Ref && self.stack.last() == Some(&marker::RETURN_ADDRESS) {
            self.pop_any()?
        } else {
            self.pop(kind)?
        };
        self.store(usize::from(self.code.local(instruction)?), value)
    }

    fn increment(&mut self, instruction: &Instruction) -> Result<()> {
        let (local, delta) = increment(self.code, instruction)?;
        let value = self.local(local.into())?;
        self.stack.push(value);
        self.push_const(Const::Int(delta.into()))?;
        self.binary(BinaryOp::Add(Kind::Int))?;
        let sum = self.pop(Kind::Int)?;
        self.store(local.into(), sum)
    }

    fn array_load(&mut self, kind: ArrayKind) -> Result<()> {
        let (array, index) = self.pop_two(Kind::Ref, Kind::Int)?;
        self.emit_push(Op::ArrayLoad { kind, array, index }, kind.kind())
    }

    fn array_store(&mut self, kind: ArrayKind) -> Result<()> {
        let value = self.pop(kind.kind())?;
        let (array, index) = self.pop_two(Kind::Ref, Kind::Int)?;
        self.emit(Op::ArrayStore { kind, array, index, value })
    }

    fn unary(&mut self, op: UnaryOp) -> Result<()> {
        let operand = self.pop(op.operand_kind())?;
        self.emit_push(Op::Unary(op, operand), op.result_kind())
    }

    fn binary(&mut self, op: BinaryOp) -> Result<()> {
        let (left_kind, right_kind) = op.operand_kinds();
        let (left, right) = self.pop_two(left_kind, right_kind)?;
        self.emit_push(Op::Binary(op, left, right), op.result_kind())
    }

    /// How many values, from `below` the top, make up exactly this many stack slots.
    fn values_in_slots(&self, below: usize, slots: usize) -> Result<usize> {
        let mut count = 0;
        let mut left = slots;
        while left > 0 {
            let Some(at) = self.stack.len().checked_sub(below + count + 1) else {
                return invalid(self.pc, "stack underflow");
            };
            let value = self.stack[at];
            let size = if marker::is_marker(value) { 1 } else { self.kinds[value.index()].slots() };
            let Some(rest) = left.checked_sub(size) else {
                return invalid(self.pc, "half of a long or double");
            };
            left = rest;
            count += 1;
        }
        Ok(count)
    }

    fn drop_slots(&mut self, slots: usize) -> Result<()> {
        let count = self.values_in_slots(0, slots)?;
        self.stack.truncate(self.stack.len() - count);
        Ok(())
    }

    /// Copies the top `slots` and puts the copy under the `under` slots below them: all `dup` forms.
    fn duplicate(&mut self, slots: usize, under: usize) -> Result<()> {
        let copied = self.values_in_slots(0, slots)?;
        let skipped = self.values_in_slots(copied, under)?;
        let top = self.stack.len() - copied;
        let at = top - skipped;
        for index in top..top + copied {
            let value = self.stack[index];
            self.stack.push(value);
        }
        if skipped > 0 {
            self.stack[at..].rotate_right(copied);
        }
        Ok(())
    }

    fn swap(&mut self) -> Result<()> {
        self.values_in_slots(0, 1)?;
        self.values_in_slots(1, 1)?;
        let top = self.stack.len() - 1;
        self.stack.swap(top, top - 1);
        Ok(())
    }

    fn node_at(&self, pc: u32, successors: Successors<'_>) -> Result<u32> {
        match successors.binary_search_by_key(&pc, |&(target, _)| target) {
            Ok(found) => Ok(successors[found].1),
            Err(_) => invalid(self.pc, "control falls off the end of the code"),
        }
    }

    fn jump(&mut self, pc: u32, successors: Successors<'_>) -> Result<()> {
        let edge = self.edge_to(self.node_at(pc, successors)?)?;
        self.close(Terminator::Goto(edge))
    }

    fn branch(
        &mut self,
        instruction: &Instruction,
        condition: Condition,
        successors: Successors<'_>,
    ) -> Result<bool> {
        let target = self.code.branch_target(instruction)?;
        let then = self.edge_to(self.node_at(target, successors)?)?;
        let otherwise = self.edge_to(self.node_at(instruction.next_pc, successors)?)?;
        self.close(Terminator::If { condition, then, otherwise })?;
        Ok(true)
    }

    fn switch(&mut self, switch: Switch<'_>, successors: Successors<'_>) -> Result<bool> {
        let value = self.pop(Kind::Int)?;
        // One edge per target, however many keys lead there.
        let mut edges = Vec::with_capacity(successors.len());
        for &(_, node) in successors {
            edges.push(self.edge_to(node)?);
        }
        let edge_at = |pc: u32| match successors.binary_search_by_key(&pc, |&(target, _)| target) {
            Ok(found) => Ok(edges[found]),
            Err(_) => invalid(pc, "switch to nowhere"),
        };
        let default = edge_at(switch.default)?;
        let start = self.body.cases.len() as u32;
        for (key, target) in switch.cases() {
            if target != switch.default {
                self.body.cases.push((key, edge_at(target)?));
            }
        }
        let cases = (start, self.body.cases.len() as u32);
        self.close(Terminator::Switch { value, cases, default })?;
        Ok(true)
    }

    fn return_value(&mut self, kind: Kind) -> Result<bool> {
        let value = self.pop(kind)?;
        if self.result_kind != Some(kind) {
            return invalid(self.pc, "return of the wrong kind");
        }
        self.close(Terminator::Return(Some(value)))?;
        Ok(true)
    }

    fn new_multi_array(&mut self, instruction: &Instruction) -> Result<()> {
        let Operand::MultiArray { class, dimensions } = self.code.operand(instruction)? else {
            return invalid(self.pc, "multianewarray without operands");
        };
        let array = self.class_constant(class)?;
        if dimensions == 0 || dimensions > array.dimensions {
            return invalid(self.pc, "wrong number of dimensions");
        }
        let count = usize::from(dimensions);
        let is_int =
            |&value: &Value| !marker::is_marker(value) && self.kinds[value.index()] == Kind::Int;
        if !self.stack.iter().rev().take(count).all(is_int) {
            return invalid(self.pc, "array length that is no int");
        }
        let lengths = self.pop_list(count)?;
        self.emit_push(Op::NewMultiArray { array, lengths }, Kind::Ref)
    }

    /// The type that a `CONSTANT_Class` names.
    pub(super) fn class_constant(&mut self, index: u16) -> Result<Type> {
        let utf8 = self.class.file.pool().class(index)?;
        self.class_type(utf8)
    }

    pub(super) fn class_type(&mut self, utf8: classfile::Utf8) -> Result<Type> {
        self.charge_descriptor(self.class.file.bytes(utf8).len())?;
        let names = &self.program.names;
        let name = self.class.constant_name(utf8, names);
        match Type::parse_class_constant(self.class.file.bytes(utf8), name, names) {
            Some(found) => Ok(found),
            None => invalid(self.pc, "malformed class constant"),
        }
    }
}
