//! Bytecode with labels.

use super::pool::ConstantPool;
use super::{attribute_info, put, put_list};

/// Mnemonics of JVMS 6.5; the rest are a number away.
pub mod opcodes {
    macro_rules! opcodes {
        ($($name:ident = $value:expr),* $(,)?) => { $(pub const $name: u8 = $value;)* };
    }
    opcodes! {
        NOP = 0, ACONST_NULL = 1, ICONST_M1 = 2, ICONST_0 = 3, ICONST_1 = 4, ICONST_2 = 5,
        LCONST_0 = 9, LCONST_1 = 10, FCONST_0 = 11, DCONST_0 = 14, BIPUSH = 16, SIPUSH = 17,
        LDC = 18, LDC_W = 19, LDC2_W = 20, ILOAD = 21, LLOAD = 22, FLOAD = 23, DLOAD = 24,
        ALOAD = 25, ILOAD_0 = 26, ILOAD_1 = 27, ALOAD_0 = 42, ALOAD_1 = 43, IALOAD = 46,
        AALOAD = 50, ISTORE = 54, LSTORE = 55, FSTORE = 56, DSTORE = 57, ASTORE = 58,
        ISTORE_0 = 59, ISTORE_1 = 60, ASTORE_0 = 75, ASTORE_1 = 76, IASTORE = 79, AASTORE = 83,
        POP = 87, POP2 = 88, DUP = 89, DUP_X1 = 90, DUP_X2 = 91, DUP2 = 92, DUP2_X1 = 93,
        DUP2_X2 = 94, SWAP = 95, IADD = 96, LADD = 97, ISUB = 100, IMUL = 104, IDIV = 108,
        IXOR = 130, IINC = 132, I2L = 133, L2I = 136, LCMP = 148, IFEQ = 153, IFNE = 154,
        IFLT = 155, IFGE = 156, IFGT = 157, IFLE = 158, IF_ICMPEQ = 159, IF_ICMPNE = 160,
        IF_ICMPLT = 161, IF_ICMPGE = 162, IF_ACMPEQ = 165, GOTO = 167, JSR = 168, RET = 169,
        TABLESWITCH = 170, LOOKUPSWITCH = 171, IRETURN = 172, LRETURN = 173, FRETURN = 174,
        DRETURN = 175, ARETURN = 176, RETURN = 177, GETSTATIC = 178, PUTSTATIC = 179,
        GETFIELD = 180, PUTFIELD = 181, INVOKEVIRTUAL = 182, INVOKESPECIAL = 183,
        INVOKESTATIC = 184, INVOKEINTERFACE = 185, INVOKEDYNAMIC = 186, NEW = 187,
        NEWARRAY = 188, ANEWARRAY = 189, ARRAYLENGTH = 190, ATHROW = 191, CHECKCAST = 192,
        INSTANCEOF = 193, MONITORENTER = 194, MONITOREXIT = 195, WIDE = 196,
        MULTIANEWARRAY = 197, IFNULL = 198, IFNONNULL = 199, GOTO_W = 200, JSR_W = 201,
    }
}

use opcodes::{BIPUSH, ICONST_0, LOOKUPSWITCH, SIPUSH, TABLESWITCH, WIDE};

/// A position in the code, bound once by `Code::bind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label(usize);

/// The code of one method. Calls chain; branches to labels are patched when the class is written.
#[derive(Default)]
pub struct Code {
    pub max_stack: u16,
    pub max_locals: u16,
    /// What was written so far; a test may add any bytes.
    pub bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    fixes: Vec<Fix>,
    handlers: Vec<(Label, Label, Label, u16)>,
    lines: Vec<(usize, u16)>,
    /// Further complete `attribute_info` structures of the Code attribute.
    pub attributes: Vec<Vec<u8>>,
}

/// A branch offset to fill in: where it stands, what it is relative to, how wide it is.
struct Fix {
    at: usize,
    pc: usize,
    target: Label,
    wide: bool,
}

impl Code {
    pub fn new() -> Code {
        Code { max_stack: 16, max_locals: 16, ..Code::default() }
    }

    /// Sets both limits; they are 16 otherwise.
    pub fn limits(mut self, max_stack: u16, max_locals: u16) -> Code {
        (self.max_stack, self.max_locals) = (max_stack, max_locals);
        self
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Binds a label to this position.
    pub fn bind(&mut self, label: Label) -> &mut Code {
        self.labels[label.0] = Some(self.bytes.len());
        self
    }

    pub fn op(&mut self, opcode: u8) -> &mut Code {
        self.bytes.push(opcode);
        self
    }

    pub fn op_u8(&mut self, opcode: u8, operand: u8) -> &mut Code {
        self.bytes.extend([opcode, operand]);
        self
    }

    pub fn op_u16(&mut self, opcode: u8, operand: u16) -> &mut Code {
        self.bytes.push(opcode);
        put(&mut self.bytes, &[operand]);
        self
    }

    /// `wide` form of a load, store or `ret`.
    pub fn wide(&mut self, opcode: u8, local: u16) -> &mut Code {
        self.bytes.push(WIDE);
        self.op_u16(opcode, local)
    }

    /// Shortest of `iconst`, `bipush`, `sipush`; larger constants need the pool and `ldc`.
    pub fn push(&mut self, value: i16) -> &mut Code {
        match value {
            -1..=5 => self.op((i16::from(ICONST_0) + value) as u8),
            -128..=127 => self.op_u8(BIPUSH, value as u8),
            _ => self.op_u16(SIPUSH, value as u16),
        }
    }

    /// A branch with a 16-bit offset: `if*`, `goto`, `jsr`.
    pub fn branch(&mut self, opcode: u8, target: Label) -> &mut Code {
        let pc = self.bytes.len();
        self.bytes.push(opcode);
        self.offset(pc, target, false)
    }

    /// `goto_w` and `jsr_w`.
    pub fn branch_wide(&mut self, opcode: u8, target: Label) -> &mut Code {
        let pc = self.bytes.len();
        self.bytes.push(opcode);
        self.offset(pc, target, true)
    }

    pub fn tableswitch(&mut self, low: i32, default: Label, targets: &[Label]) -> &mut Code {
        let pc = self.switch(TABLESWITCH, default);
        let high = low.wrapping_add(targets.len() as i32).wrapping_sub(1);
        self.bytes.extend(low.to_be_bytes());
        self.bytes.extend(high.to_be_bytes());
        for target in targets {
            self.offset(pc, *target, true);
        }
        self
    }

    /// Pairs are written in the given order; the JVM wants them sorted.
    pub fn lookupswitch(&mut self, default: Label, pairs: &[(i32, Label)]) -> &mut Code {
        let pc = self.switch(LOOKUPSWITCH, default);
        self.bytes.extend((pairs.len() as u32).to_be_bytes());
        for (value, target) in pairs {
            self.bytes.extend(value.to_be_bytes());
            self.offset(pc, *target, true);
        }
        self
    }

    /// `catch_type` is an index of a class in the pool, 0 for any. Labels may be bound later.
    pub fn handler(
        &mut self,
        from: Label,
        to: Label,
        handler: Label,
        catch_type: u16,
    ) -> &mut Code {
        self.handlers.push((from, to, handler, catch_type));
        self
    }

    /// What follows is of this source line.
    pub fn line(&mut self, line: u16) -> &mut Code {
        self.lines.push((self.bytes.len(), line));
        self
    }

    fn switch(&mut self, opcode: u8, default: Label) -> usize {
        let pc = self.bytes.len();
        self.bytes.push(opcode);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.offset(pc, default, true);
        pc
    }

    fn offset(&mut self, pc: usize, target: Label, wide: bool) -> &mut Code {
        self.fixes.push(Fix { at: self.bytes.len(), pc, target, wide });
        self.bytes.extend(if wide { &[0; 4][..] } else { &[0; 2] });
        self
    }

    fn position(&self, label: Label) -> usize {
        self.labels[label.0].expect("every label that is used is bound")
    }

    pub(super) fn attribute_content(mut self, pool: &mut ConstantPool) -> Vec<u8> {
        for fix in std::mem::take(&mut self.fixes) {
            let offset = self.position(fix.target) as i32 - fix.pc as i32;
            if fix.wide {
                self.bytes[fix.at..fix.at + 4].copy_from_slice(&offset.to_be_bytes());
            } else {
                self.bytes[fix.at..fix.at + 2].copy_from_slice(&(offset as i16).to_be_bytes());
            }
        }
        let mut content = Vec::new();
        put(&mut content, &[self.max_stack, self.max_locals]);
        content.extend((self.bytes.len() as u32).to_be_bytes());
        content.extend(&self.bytes);
        put(&mut content, &[self.handlers.len() as u16]);
        for (from, to, handler, catch_type) in &self.handlers {
            let pcs = [*from, *to, *handler].map(|label| self.position(label) as u16);
            put(&mut content, &[pcs[0], pcs[1], pcs[2], *catch_type]);
        }
        if !self.lines.is_empty() {
            let mut table = Vec::new();
            put(&mut table, &[self.lines.len() as u16]);
            for (pc, line) in &self.lines {
                put(&mut table, &[*pc as u16, *line]);
            }
            self.attributes.push(attribute_info(pool.utf8("LineNumberTable"), &table));
        }
        put_list(&mut content, &self.attributes);
        content
    }
}
