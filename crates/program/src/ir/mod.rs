//! The body of a method as a control-flow graph in SSA form.
//!
//! A value is defined once: as a parameter of the method, as a parameter of a block, or as the
//! result of an instruction. Blocks pass values along edges (in the place of phi instructions). A
//! block's instructions run in order; if one throws, control leaves to the first fitting handler of
//! the block. All instructions of a block that can throw see the same handlers and pass them the
//! same values: lowering ends a block where that would change.
//!
//! Values have kinds, not classes: old class files do not say more, and who needs a class infers it.

mod call_site;
mod dominators;
mod op;
mod print;
mod tail;
mod verify;

pub use call_site::{BootstrapCall, CallSite, ConcatPart, Lambda, MethodHandle, SwitchLabel};
pub use dominators::Dominators;
pub use op::{
    ArrayKind, BinaryOp, Compare, Condition, Const, FieldRef, InvokeKind, MethodRef, Op, StringRef,
    UnaryOp,
};
pub use print::{print_body, print_descriptor};
pub use tail::turn_self_calls;
pub use verify::verify_body;

use crate::names::Name;
use crate::types::Kind;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

index! {
    /// An SSA value of one body.
    Value "v"
}

index! {
    /// A block of one body. Block 0 is where the method starts; nothing jumps to it.
    BlockId "b"
}

/// A run of `Body::lists`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ValueList {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

#[derive(Debug, Clone, Default)]
pub struct Body {
    /// How many of the first values are the method's parameters, `this` included.
    pub parameters: usize,
    /// The kind of every value.
    pub kinds: Vec<Kind>,
    /// In reverse postorder: a block comes after all that dominate it.
    pub blocks: Vec<Block>,
    pub instructions: Vec<Instruction>,
    pub call_sites: Vec<CallSite>,
    pub(crate) lists: Vec<Value>,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) cases: Vec<(i32, Edge)>,
}

#[derive(Debug, Clone, Copy)]
pub struct Block {
    pub parameters: ValueList,
    /// Runs of `Body::instructions` and `Body::handlers`.
    pub(crate) instructions: (u32, u32),
    pub(crate) handlers: (u32, u32),
    pub terminator: Terminator,
    /// Of the terminator.
    pub pc: u16,
}

#[derive(Debug, Clone, Copy)]
pub struct Instruction {
    /// Where the operation yields one, the value.
    pub result: Option<Value>,
    pub op: Op,
    /// Of the bytecode that it came from.
    pub pc: u16,
}

/// A jump with one argument for each parameter of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub target: BlockId,
    pub arguments: ValueList,
}

/// Where exceptions of a block go. The target's first parameter is the exception; the edge's
/// arguments are for the others.
#[derive(Debug, Clone, Copy)]
pub struct Handler {
    /// `None` catches everything.
    pub catch_type: Option<Name>,
    pub edge: Edge,
}

#[derive(Debug, Clone, Copy)]
pub enum Terminator {
    Goto(Edge),
    If {
        condition: Condition,
        then: Edge,
        otherwise: Edge,
    },
    /// The cases of the block: `Body::cases`, keys ascending, none that goes where `default` goes.
    Switch {
        value: Value,
        cases: (u32, u32),
        default: Edge,
    },
    Return(Option<Value>),
    Throw(Value),
}

impl BlockId {
    pub const ENTRY: BlockId = BlockId(0);
}

impl Body {
    pub fn list(&self, list: ValueList) -> &[Value] {
        &self.lists[list.start as usize..(list.start + list.length) as usize]
    }

    pub fn kind(&self, value: Value) -> Kind {
        self.kinds[value.index()]
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    pub fn block_ids(&self) -> impl ExactSizeIterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// The method's parameters, `this` first if there is one.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = Value> + use<> {
        (0..self.parameters as u32).map(Value)
    }

    pub fn instructions_of(&self, block: &Block) -> &[Instruction] {
        &self.instructions[block.instructions.0 as usize..block.instructions.1 as usize]
    }

    /// The position of the block's first instruction among all of the body.
    pub fn first_instruction(&self, block: &Block) -> u32 {
        block.instructions.0
    }

    /// The handlers of all blocks.
    pub fn all_handlers(&self) -> impl Iterator<Item = &Handler> {
        self.handlers.iter()
    }

    /// In the order in which the JVM tries them.
    pub fn handlers_of(&self, block: &Block) -> &[Handler] {
        &self.handlers[block.handlers.0 as usize..block.handlers.1 as usize]
    }

    pub fn cases(&self, cases: (u32, u32)) -> &[(i32, Edge)] {
        &self.cases[cases.0 as usize..cases.1 as usize]
    }

    /// Calls `each` on the edges of normal control flow out of the block, in order.
    pub fn for_each_successor(&self, block: &Block, mut each: impl FnMut(Edge)) {
        match block.terminator {
            Terminator::Goto(edge) => each(edge),
            Terminator::If { then, otherwise, .. } => {
                each(then);
                each(otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                self.cases(cases).iter().for_each(|&(_, edge)| each(edge));
                each(default);
            }
            Terminator::Return(_) | Terminator::Throw(_) => {}
        }
    }

    /// Whether a value goes on from the block under another name, to a handler too.
    pub fn passes_on(&self, block: &Block, value: Value) -> bool {
        let passes = |edge: Edge| self.list(edge.arguments).contains(&value);
        let mut found = self.handlers_of(block).iter().any(|handler| passes(handler.edge));
        self.for_each_successor(block, |edge| found |= passes(edge));
        found
    }
}
