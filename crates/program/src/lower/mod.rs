//! From stack code to the IR: `Code` attribute in, `Body` out.
//!
//! Four steps: find the blocks and how control flows between them (`flow`, and `explore` with the
//! subroutines of old class files inlined), find which locals are live where (`liveness`), run the
//! operand stack symbolically block by block (`translate`, with `members`, and `bootstrap` for `invokedynamic`), and
//! drop the block parameters that turned out to be needless (`finish`).
//!
//! The code need not be verified: whatever does not fit is an error, never a panic, and a method that
//! would become too large is refused.

mod bootstrap;
mod builder;
mod explore;
mod finish;
mod flow;
mod liveness;
mod members;
mod operand;
mod translate;

use std::fmt;
use std::sync::Arc;

use bumpalo::Bump;

use crate::class::{Class, KeptBody};
use crate::ids::MethodId;
use crate::ir::Body;
use crate::program::Program;

/// Why a method has no body in the IR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LowerError {
    /// The attribute itself cannot be read.
    Unreadable(classfile::Error),
    /// The code at this pc is not what a verifier would accept.
    Invalid { pc: u32, rule: &'static str },
    /// It would grow beyond what one method may cost.
    TooLarge(&'static str),
}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LowerError::Unreadable(error) => write!(f, "{error}"),
            LowerError::Invalid { pc, rule } => write!(f, "invalid bytecode: {rule} at pc {pc}"),
            LowerError::TooLarge(what) => write!(f, "too large: {what}"),
        }
    }
}

impl From<classfile::Error> for Box<LowerError> {
    fn from(error: classfile::Error) -> Box<LowerError> {
        Box::new(LowerError::Unreadable(error))
    }
}

/// Every step can fail and hardly any does: what fails goes into a box, what succeeds into registers.
type Result<T> = std::result::Result<T, Box<LowerError>>;

#[cold]
fn invalid<T>(pc: u32, rule: &'static str) -> Result<T> {
    Err(Box::new(LowerError::Invalid { pc, rule }))
}

#[cold]
fn too_large(what: &'static str) -> Box<LowerError> {
    Box::new(LowerError::TooLarge(what))
}

/// What one method may cost; together they keep it below 64 MiB.
mod limit {
    pub(super) const INSTRUCTIONS: usize = 500_000;
    pub(super) const BLOCKS: usize = 100_000;
    /// Bytes of code with subroutines inlined, each counted once more for every return address that
    /// its instruction has to carry along.
    pub(super) const STEPS: usize = 4_000_000;
    /// Jumps between blocks, exceptional ones included.
    pub(super) const LINKS: usize = 500_000;
    /// Of one block; compilers write a handful.
    pub(super) const HANDLERS: usize = 256;
    /// Return addresses that are told apart, over all blocks.
    pub(super) const RETURN_ADDRESSES: usize = 500_000;
    pub(super) const EDGES: usize = 500_000;
    pub(super) const LIST_VALUES: usize = 2_000_000;
    /// Of the arena, and of all while the body grows. What is refused had up to twice that, since
    /// arenas and vectors double.
    pub(super) const ARENA_BYTES: usize = 20 << 20;
    pub(super) const BYTES: usize = 36 << 20;
    /// Arguments of bootstrap methods, labels, and parts of concatenated strings.
    pub(super) const CALL_SITE_PARTS: usize = 500_000;
    /// Bytes of descriptors, read again at each use.
    pub(super) const DESCRIPTOR_BYTES: usize = 32 << 20;
    pub(super) const LIVENESS_WORDS: usize = 500_000;
    /// Steps of the liveness fixpoint, in words.
    pub(super) const LIVENESS_WORK: usize = 50_000_000;
}

/// To be called wherever the arena may have grown by much.
fn check_arena(arena: &Bump) -> Result<()> {
    if arena.allocated_bytes() > limit::ARENA_BYTES {
        return Err(too_large("too much memory"));
    }
    Ok(())
}

/// Enough for nearly every method.
const ARENA_BYTES: usize = 32 << 10;

impl Program {
    /// The body of the method; `None` if it is abstract or native.
    pub fn lower(&self, method: MethodId) -> std::result::Result<Option<Body>, LowerError> {
        self.lower_in(self.method(method).0, method)
    }

    /// As `lower`, and kept: for code that is run, which is asked for again and again.
    pub fn body(&self, method: MethodId) -> std::result::Result<Option<Arc<Body>>, LowerError> {
        let (class, _) = self.method(method);
        let all = || (0..class.methods.len()).map(|_| KeptBody::new()).collect();
        let place = &class.bodies.get_or_init(all)[method.index()];
        if let Some(body) = place.get() {
            return Ok(body.clone());
        }
        let body = self.lower_in(class, method)?.map(Arc::new);
        Ok(place.get_or_init(|| body).clone())
    }

    /// As `lower`, of a class that may not be kept.
    pub fn lower_in(
        &self,
        class: &Class,
        method: MethodId,
    ) -> std::result::Result<Option<Body>, LowerError> {
        self.lower_method(class, method).map_err(|error| *error)
    }

    fn lower_method(&self, class: &Class, method: MethodId) -> Result<Option<Body>> {
        let declared = &class.methods[method.index()];
        let Some(code) = class.file.methods[method.index()].code(&class.file)? else {
            return Ok(None);
        };
        // Everything but the body itself is dropped at once at the end.
        let arena = Bump::with_capacity(ARENA_BYTES);
        let flow = flow::Flow::new(&code, &arena)?;
        let live = liveness::Liveness::new(&code, &flow, &arena)?;
        let mut builder = builder::Builder::new(self, class, &code, &flow, &live, &arena);
        builder.enter_method(declared)?;
        translate::translate(&mut builder)?;
        finish::finish(builder).map(Some)
    }
}
