//! The opcodes (JVMS chapter 6) by number, with their mnemonic and the shape of their operands.

/// How the bytes after an opcode are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    None,
    Byte,
    Short,
    Pool1,
    Pool,
    Local,
    Local0,
    Local1,
    Local2,
    Local3,
    Increment,
    Branch,
    WideBranch,
    TableSwitch,
    LookupSwitch,
    InvokeInterface,
    InvokeDynamic,
    ArrayType,
    MultiArray,
    Wide,
}

macro_rules! opcodes {
    ($($name:ident $mnemonic:literal $shape:ident,)*) => {
        /// The numbers follow the order of the specification, from 0 without a hole.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode { $($name,)* }

        impl Opcode {
            const ALL: &[(Opcode, Shape, &'static str)] =
                &[$((Opcode::$name, Shape::$shape, $mnemonic),)*];
        }
    };
}

impl Shape {
    /// How many bytes an instruction of this shape has, its opcode included; `None` if it varies.
    const fn length(self) -> Option<u8> {
        Some(match self {
            Shape::None | Shape::Local0 | Shape::Local1 | Shape::Local2 | Shape::Local3 => 1,
            Shape::Byte | Shape::Pool1 | Shape::Local | Shape::ArrayType => 2,
            Shape::Short | Shape::Pool | Shape::Increment | Shape::Branch => 3,
            Shape::MultiArray => 4,
            Shape::WideBranch | Shape::InvokeInterface | Shape::InvokeDynamic => 5,
            Shape::TableSwitch | Shape::LookupSwitch | Shape::Wide => return None,
        })
    }
}

/// For each byte the opcode and the instruction's length, if it has always the same.
static FIXED_LENGTH: [Option<(Opcode, u8)>; 256] = {
    let mut table = [None; 256];
    let mut byte = 0;
    while byte < Opcode::ALL.len() {
        let (opcode, shape, _) = Opcode::ALL[byte];
        if let Some(length) = shape.length() {
            table[byte] = Some((opcode, length));
        }
        byte += 1;
    }
    table
};

impl Opcode {
    pub(crate) fn from_byte(byte: u8) -> Option<(Opcode, Shape)> {
        Opcode::ALL.get(usize::from(byte)).map(|&(opcode, shape, _)| (opcode, shape))
    }

    /// The opcode and how long its instructions are; `None` if that varies, or nothing has this byte.
    pub(crate) fn of_fixed_length(byte: u8) -> Option<(Opcode, u32)> {
        FIXED_LENGTH[usize::from(byte)].map(|(opcode, length)| (opcode, length.into()))
    }

    pub(crate) fn shape(self) -> Shape {
        Opcode::ALL[self as usize].1
    }

    pub fn mnemonic(self) -> &'static str {
        Opcode::ALL[self as usize].2
    }
}

opcodes! {
    Nop "nop" None,
    AconstNull "aconst_null" None,
    IconstM1 "iconst_m1" None,
    Iconst0 "iconst_0" None,
    Iconst1 "iconst_1" None,
    Iconst2 "iconst_2" None,
    Iconst3 "iconst_3" None,
    Iconst4 "iconst_4" None,
    Iconst5 "iconst_5" None,
    Lconst0 "lconst_0" None,
    Lconst1 "lconst_1" None,
    Fconst0 "fconst_0" None,
    Fconst1 "fconst_1" None,
    Fconst2 "fconst_2" None,
    Dconst0 "dconst_0" None,
    Dconst1 "dconst_1" None,
    Bipush "bipush" Byte,
    Sipush "sipush" Short,
    Ldc "ldc" Pool1,
    LdcW "ldc_w" Pool,
    Ldc2W "ldc2_w" Pool,
    Iload "iload" Local,
    Lload "lload" Local,
    Fload "fload" Local,
    Dload "dload" Local,
    Aload "aload" Local,
    Iload0 "iload_0" Local0,
    Iload1 "iload_1" Local1,
    Iload2 "iload_2" Local2,
    Iload3 "iload_3" Local3,
    Lload0 "lload_0" Local0,
    Lload1 "lload_1" Local1,
    Lload2 "lload_2" Local2,
    Lload3 "lload_3" Local3,
    Fload0 "fload_0" Local0,
    Fload1 "fload_1" Local1,
    Fload2 "fload_2" Local2,
    Fload3 "fload_3" Local3,
    Dload0 "dload_0" Local0,
    Dload1 "dload_1" Local1,
    Dload2 "dload_2" Local2,
    Dload3 "dload_3" Local3,
    Aload0 "aload_0" Local0,
    Aload1 "aload_1" Local1,
    Aload2 "aload_2" Local2,
    Aload3 "aload_3" Local3,
    Iaload "iaload" None,
    Laload "laload" None,
    Faload "faload" None,
    Daload "daload" None,
    Aaload "aaload" None,
    Baload "baload" None,
    Caload "caload" None,
    Saload "saload" None,
    Istore "istore" Local,
    Lstore "lstore" Local,
    Fstore "fstore" Local,
    Dstore "dstore" Local,
    Astore "astore" Local,
    Istore0 "istore_0" Local0,
    Istore1 "istore_1" Local1,
    Istore2 "istore_2" Local2,
    Istore3 "istore_3" Local3,
    Lstore0 "lstore_0" Local0,
    Lstore1 "lstore_1" Local1,
    Lstore2 "lstore_2" Local2,
    Lstore3 "lstore_3" Local3,
    Fstore0 "fstore_0" Local0,
    Fstore1 "fstore_1" Local1,
    Fstore2 "fstore_2" Local2,
    Fstore3 "fstore_3" Local3,
    Dstore0 "dstore_0" Local0,
    Dstore1 "dstore_1" Local1,
    Dstore2 "dstore_2" Local2,
    Dstore3 "dstore_3" Local3,
    Astore0 "astore_0" Local0,
    Astore1 "astore_1" Local1,
    Astore2 "astore_2" Local2,
    Astore3 "astore_3" Local3,
    Iastore "iastore" None,
    Lastore "lastore" None,
    Fastore "fastore" None,
    Dastore "dastore" None,
    Aastore "aastore" None,
    Bastore "bastore" None,
    Castore "castore" None,
    Sastore "sastore" None,
    Pop "pop" None,
    Pop2 "pop2" None,
    Dup "dup" None,
    DupX1 "dup_x1" None,
    DupX2 "dup_x2" None,
    Dup2 "dup2" None,
    Dup2X1 "dup2_x1" None,
    Dup2X2 "dup2_x2" None,
    Swap "swap" None,
    Iadd "iadd" None,
    Ladd "ladd" None,
    Fadd "fadd" None,
    Dadd "dadd" None,
    Isub "isub" None,
    Lsub "lsub" None,
    Fsub "fsub" None,
    Dsub "dsub" None,
    Imul "imul" None,
    Lmul "lmul" None,
    Fmul "fmul" None,
    Dmul "dmul" None,
    Idiv "idiv" None,
    Ldiv "ldiv" None,
    Fdiv "fdiv" None,
    Ddiv "ddiv" None,
    Irem "irem" None,
    Lrem "lrem" None,
    Frem "frem" None,
    Drem "drem" None,
    Ineg "ineg" None,
    Lneg "lneg" None,
    Fneg "fneg" None,
    Dneg "dneg" None,
    Ishl "ishl" None,
    Lshl "lshl" None,
    Ishr "ishr" None,
    Lshr "lshr" None,
    Iushr "iushr" None,
    Lushr "lushr" None,
    Iand "iand" None,
    Land "land" None,
    Ior "ior" None,
    Lor "lor" None,
    Ixor "ixor" None,
    Lxor "lxor" None,
    Iinc "iinc" Increment,
    I2l "i2l" None,
    I2f "i2f" None,
    I2d "i2d" None,
    L2i "l2i" None,
    L2f "l2f" None,
    L2d "l2d" None,
    F2i "f2i" None,
    F2l "f2l" None,
    F2d "f2d" None,
    D2i "d2i" None,
    D2l "d2l" None,
    D2f "d2f" None,
    I2b "i2b" None,
    I2c "i2c" None,
    I2s "i2s" None,
    Lcmp "lcmp" None,
    Fcmpl "fcmpl" None,
    Fcmpg "fcmpg" None,
    Dcmpl "dcmpl" None,
    Dcmpg "dcmpg" None,
    Ifeq "ifeq" Branch,
    Ifne "ifne" Branch,
    Iflt "iflt" Branch,
    Ifge "ifge" Branch,
    Ifgt "ifgt" Branch,
    Ifle "ifle" Branch,
    IfIcmpeq "if_icmpeq" Branch,
    IfIcmpne "if_icmpne" Branch,
    IfIcmplt "if_icmplt" Branch,
    IfIcmpge "if_icmpge" Branch,
    IfIcmpgt "if_icmpgt" Branch,
    IfIcmple "if_icmple" Branch,
    IfAcmpeq "if_acmpeq" Branch,
    IfAcmpne "if_acmpne" Branch,
    Goto "goto" Branch,
    Jsr "jsr" Branch,
    Ret "ret" Local,
    Tableswitch "tableswitch" TableSwitch,
    Lookupswitch "lookupswitch" LookupSwitch,
    Ireturn "ireturn" None,
    Lreturn "lreturn" None,
    Freturn "freturn" None,
    Dreturn "dreturn" None,
    Areturn "areturn" None,
    Return "return" None,
    Getstatic "getstatic" Pool,
    Putstatic "putstatic" Pool,
    Getfield "getfield" Pool,
    Putfield "putfield" Pool,
    Invokevirtual "invokevirtual" Pool,
    Invokespecial "invokespecial" Pool,
    Invokestatic "invokestatic" Pool,
    Invokeinterface "invokeinterface" InvokeInterface,
    Invokedynamic "invokedynamic" InvokeDynamic,
    New "new" Pool,
    Newarray "newarray" ArrayType,
    Anewarray "anewarray" Pool,
    Arraylength "arraylength" None,
    Athrow "athrow" None,
    Checkcast "checkcast" Pool,
    Instanceof "instanceof" Pool,
    Monitorenter "monitorenter" None,
    Monitorexit "monitorexit" None,
    Wide "wide" Wide,
    Multianewarray "multianewarray" MultiArray,
    Ifnull "ifnull" Branch,
    Ifnonnull "ifnonnull" Branch,
    GotoW "goto_w" WideBranch,
    JsrW "jsr_w" WideBranch,
}
