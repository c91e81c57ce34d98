//! What a record takes for granted about the class of an object that is handed in.
//!
//! A body that overrides another runs only on objects of its own class. Inside of a library that is
//! forgotten easily: whatever some subclass does would be said of all. So each record keeps the class
//! that one parameter must have, and is dropped where a caller hands over something else.

use program::{Class, ClassId, MethodId};

use super::{Acquire, Call, Frame, Lock, Pair, Root, Val};

/// The parameter is an object of this class, or of one below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Need {
    pub parameter: u16,
    pub class: ClassId,
}

impl Frame<'_> {
    /// What it takes for a call on a parameter to run this body.
    pub(super) fn chosen_by(&self, call: &Call, target: MethodId) -> Option<Need> {
        let receiver = call.arguments.first().copied().flatten().filter(|_| call.is_virtual)?;
        let is_any = receiver.class.is_some_and(|it| {
            self.context.universe.program.is_subtype(it, target.class) == Some(true)
        });
        let parameter = self.parameter(receiver).filter(|_| !is_any)?;
        Some(Need { parameter, class: target.class })
    }

    /// The need of a callee's record in terms of this frame; `Err` if what is handed over does not meet it.
    pub(super) fn lift_need(
        &self,
        need: Option<Need>,
        arguments: &[Option<Val>],
    ) -> Result<Option<Need>, NotMet> {
        let Some(Need { parameter, class }) = need else { return Ok(self.need) };
        let argument = arguments.get(usize::from(parameter)).copied().flatten();
        let Some(argument) = self.settle_argument(argument) else { return Ok(self.need) };
        if !self.may_be(argument, class) {
            return Err(NotMet);
        }
        let universe = self.context.universe;
        let is_sure =
            argument.class.is_some_and(|it| universe.program.is_subtype(it, class) == Some(true));
        match self.parameter(argument).filter(|_| !is_sure) {
            Some(parameter) => Ok(Some(Need { parameter, class })),
            None => Ok(self.need),
        }
    }

    /// The parameter that the value is.
    fn parameter(&self, val: Val) -> Option<u16> {
        let path = self.paths().of(val.path);
        match path.root {
            Root::Param(index) if path.steps().is_empty() => Some(index),
            Root::Param(_)
            | Root::Static(_)
            | Root::Class(_)
            | Root::Text(_)
            | Root::Alloc(..)
            | Root::Result(_)
            | Root::Local(_)
            | Root::Unknown => None,
        }
    }

    /// Whether the value may be an object of the class: two classes of which neither is below the other
    /// have no object in common.
    fn may_be(&self, val: Val, class: ClassId) -> bool {
        let program = self.context.universe.program;
        let Some(known) = val.class else { return true };
        let is_below = |a, b| program.is_subtype(a, b) != Some(false);
        let is_interface = |id| program.class(id).is_none_or(Class::is_interface);
        // A lambda is of no class that has a name.
        if val.exact && !is_interface(known) {
            return is_below(known, class);
        }
        is_below(known, class)
            || is_below(class, known)
            || is_interface(known)
            || is_interface(class)
    }

    pub(super) fn narrow_acquire(&self, acquire: &mut Acquire) {
        if let Some(need) = acquire.need {
            self.narrow(&mut acquire.lock, need);
        }
    }

    pub(super) fn narrow_pair(&self, pair: &mut Pair) {
        if let Some(need) = pair.need {
            self.narrow(&mut pair.held, need);
            self.narrow(&mut pair.wanted, need);
        }
    }

    /// The lock of the parameter itself is one of the class that is needed.
    fn narrow(&self, lock: &mut Lock, need: Need) {
        if self.parameter(lock.val) == Some(need.parameter) && !lock.val.exact {
            lock.val.class = self.context.universe.narrower(lock.val.class, Some(need.class));
        }
    }
}

/// The record is about objects of another class.
pub(super) struct NotMet;
