//! Who may ask for the stack of calls: what it shows are the methods that run, and code that was moved from
//! one method to another does the same but for that.
//!
//! Whoever asks is followed to all that use it, as it sees their frames. Those among them whose code changed, or
//! moved, show something else; what they show is not proved. To make an exception is not to ask: who looks into
//! one asks, and that may be one of a method below, so it counts as well if anything below changed.

use std::collections::BTreeSet;

use program::ir::MethodRef;
use program::{MethodId, Role};

use super::super::matching::MethodPair;
use super::{Universe, Uses, with_users};

/// What code rests on that does the same in other methods than before.
pub(in super::super) const FRAMES: &str = "code outside that it calls does not look at the stack";

const STACK: &str = "it may look at the stack, and some code is in other methods now";

/// Methods that show who called, whatever class has them.
const SHOWING: [&str; 8] = [
    "getStackTrace",
    "printStackTrace",
    "getAllStackTraces",
    "dumpStack",
    "getCallerClass",
    "getClassContext",
    "getThreadInfo",
    "dumpAllThreads",
];

impl Universe<'_> {
    /// Whether a call asks for the stack.
    pub(super) fn asks_for_stack(&self, method: MethodRef, resolved: Option<MethodId>) -> bool {
        let names = &self.program.names;
        let is_own = resolved.is_some_and(|it| self.program.role(it.class) == Role::Judged);
        !is_own
            && (&*names.text(method.class) == "java/lang/StackWalker"
                || SHOWING.contains(&&*names.text(method.name)))
    }
}

/// Notes who may ask for a stack that shows other methods now. Gives all pairs that may ask.
pub(super) fn look_at_stack(
    pairs: &[MethodPair],
    uses: &mut [Uses],
    users: &[Vec<usize>],
) -> BTreeSet<usize> {
    let asks = |uses: &[Uses], at: usize| uses[at].asks_for_stack;
    let asking: BTreeSet<usize> = (0..uses.len()).filter(|&at| asks(uses, at)).collect();
    if asking.is_empty() {
        return asking;
    }
    let is_other = |at: &usize| {
        let pair = &pairs[*at];
        pair.is_edited || pair.assumptions.contains(&FRAMES)
    };
    let others = with_users(users, (0..pairs.len()).filter(is_other));
    let may_ask = with_users(users, asking.iter().copied());
    for at in may_ask.iter().copied().filter(is_other).chain(&asking & &others) {
        uses[at].opaque = Some(STACK);
    }
    may_ask
}
